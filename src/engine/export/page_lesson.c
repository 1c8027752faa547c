/* See page_lesson.h. */
#include "engine/export/page_lesson.h"
#include "engine/engine.h"
#include "engine/lesson/rehearse.h"
#include <errno.h>
#include <inttypes.h>
#include <string.h>

enum { TEXT_BYTES = 8192 };

bool page_lesson_init(struct page_lesson *l, const struct engine_config *cfg, char *err, size_t size)
{
    const struct break_words words = engine_words(cfg);
    *l = (struct page_lesson){.answers = {.v = NULL}};
    snprintf(err, size, "%s", strerror(ENOMEM));
    if (!answers_init(&l->answers, cfg->scenario, &words) || !lesson_init(&l->lesson, cfg->scenario, &words, &cfg->rt) ||
        !rehearse(&l->answers, cfg, err, size))
        return false;
    rehearsed_lesson(&l->lesson, &l->answers);
    return true;
}

void page_lesson_fini(struct page_lesson *l)
{
    answers_fini(&l->answers);
    lesson_fini(&l->lesson);
}

static void put_text(struct page_lesson *l, const struct text *t, FILE *out)
{
    char text[TEXT_BYTES];
    for (int lang = 0; lang < LANGS; lang++) {
        answers_fill(&l->answers, NULL, text_in(t, (enum lang)lang), text, sizeof text);
        fputs(lang ? "," : "[", out);
        json_string(text, out);
    }
    fputc(']', out);
}

static void put_named(struct page_lesson *l, const char *name, const struct text *t, FILE *out)
{
    if (!t->in[LANG_EN] || !*t->in[LANG_EN])
        return;
    fprintf(out, ",\"%s\":", name);
    put_text(l, t, out);
}

static void put_choices(struct page_lesson *l, uint32_t i, const struct scenario_lesson *entry, FILE *out)
{
    static const struct text none = {{"", NULL}};
    fprintf(out, ",\"answer\":%d,\"shown\":%" PRIu64 ",\"choices\":[", l->answers.v[i].choice, l->lesson.v[i].decided);
    for (uint32_t k = 0; k < entry->nchoices; k++) {
        fputs(k ? "," : "", out);
        put_text(l, &entry->choice[k], out);
    }
    fputs("],\"mistakes\":[", out);
    for (uint32_t k = 0; k < entry->nchoices; k++) {
        fputs(k ? "," : "", out);
        put_text(l, entry->choice_because[k].in[LANG_EN] ? &entry->choice_because[k] : &none, out);
    }
    fputs("],\"hide\":[", out);
    for (uint32_t k = 0; k < entry->nhidden; k++)
        fprintf(out, "%s\"%s\"", k ? "," : "", entry->hidden[k]);
    fputc(']', out);
}

void page_lesson_json(struct page_lesson *l, FILE *out)
{
    bool comma = false;
    fputc('[', out);
    for (uint32_t i = 0; i < l->lesson.n; i++) {
        struct scenario_lesson entry;
        const struct lesson_step *step = &l->lesson.v[i];
        if (step->match.never)
            continue;
        answers_entry(&l->answers, i, &entry);
        fprintf(out, "%s{\"at\":%" PRIu64 ",\"stops\":%s,\"chance\":%s", comma ? "," : "", l->answers.v[i].met,
                step->stops ? "true" : "false", entry.chance ? "true" : "false");
        put_named(l, "say", &entry.say, out);
        put_named(l, "question", &entry.question, out);
        put_named(l, "because", &entry.because, out);
        if (entry.nchoices)
            put_choices(l, i, &entry, out);
        fputc('}', out);
        comma = true;
    }
    fputc(']', out);
}
