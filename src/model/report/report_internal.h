/* What the kinds of reports share: each is a row of the table in report.c. */
#ifndef GMPSCOPE_MODEL_REPORT_INTERNAL_H
#define GMPSCOPE_MODEL_REPORT_INTERNAL_H

#include "model/report/report.h"

enum report_text_id {
#define SAY(id, ...) RT_##id,
#include "model/report/report_texts.def"
#undef SAY
    REPORT_TEXTS
};
extern const struct text report_texts[REPORT_TEXTS];
/* The text in that language. like: the same format, for the compiler, which checks the values against it. */
__attribute__((format_arg(2))) const char *report_text(enum report_text_id id, const char *like, enum lang lang);

struct report_ops {
    size_t bytes; /* of its struct, which begins with a struct report */
    bool states;
    void (*begin)(struct report *r, const struct report_asked *asked);
    void (*event)(struct report *r, const struct merged_event *at);
    void (*rows)(struct report *r, const struct model *md, enum lang lang, struct report_rows *out);
    void (*json)(struct report *r, const struct model *md, FILE *out);
    bool (*is_empty)(const struct report *r);
    void (*fini)(struct report *r);
};
struct report {
    const struct report_ops *ops;
    bool lacks;
};
extern const struct report_ops report_wait, report_path, report_metrics;
/* Returns which metric has this name, -1: none. */
int report_metric(const char *word, size_t len);
/* Returns how many Ps are idle, as far as the states of all Ps are known; -1: they are not. */
int64_t report_idle_ps(const struct model *md);

/* Adds a row; returns it, or NULL if memory ran out. */
__attribute__((format(printf, 4, 5))) struct report_row *report_add(struct report_rows *out, int depth, int64_t ns, const char *fmt, ...);

#endif
