/* The lesson that a page plays: its entries with the values, places and answers that its rehearsal has found. */
#ifndef GMPSCOPE_ENGINE_EXPORT_PAGE_LESSON_H
#define GMPSCOPE_ENGINE_EXPORT_PAGE_LESSON_H

#include "engine/lesson/answers.h"
#include "engine/lesson/lesson.h"

struct engine_config;
struct page_lesson {
    struct answers answers;
    struct lesson lesson;
};
/* Rehearses the lesson of the scenario of cfg, which runs in lockstep. False, with a message in err. Call page_lesson_fini() in any case. */
bool page_lesson_init(struct page_lesson *l, const struct engine_config *cfg, char *err, size_t size);
void page_lesson_fini(struct page_lesson *l);
/* Writes the entries as a JSON array. */
void page_lesson_json(struct page_lesson *l, FILE *out);

#endif
