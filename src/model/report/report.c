/* See report.h: the table of reports, and what they are asked with. */
#include "model/report/report_internal.h"

#include <stdlib.h>
#include <string.h>

static const struct report_ops *const kinds[REPORT_KINDS] = {
    [REPORT_WAIT] = &report_wait, [REPORT_PATH] = &report_path, [REPORT_METRICS] = &report_metrics};

/* ---- what is asked ---- */

/* Takes the next word of *s off. Returns its length. */
static size_t take_word(const char **s, const char **word)
{
    *s += strspn(*s, " \t");
    *word = *s;
    *s += strcspn(*s, " \t");
    return (size_t)(*s - *word);
}

static bool is_word(const char *word, size_t len, const char *name)
{
    return strlen(name) == len && !memcmp(word, name, len);
}

static enum report_parsed wrong(const char *text, const char *at, const char *why, const char **err, size_t *pos)
{
    *err = why;
    *pos = (size_t)(at - text);
    return REPORT_WRONG;
}

/* "#197" */
static bool event_number(const char *word, size_t len, uint64_t *out)
{
    enum { DIGITS_MOST = 18 };
    *out = 0;
    for (size_t i = 1; i < len; i++) {
        if (word[i] < '0' || word[i] > '9')
            return false;
        *out = *out * 10 + (uint64_t)(word[i] - '0');
    }
    return len > 1 && len <= DIGITS_MOST && *word == '#' && *out;
}

enum report_parsed report_parse(const char *text, struct report_asked *out, const char **err, size_t *pos)
{
    const char *rest = text, *word, *more;
    size_t n = take_word(&rest, &word), nmore;
    *out = (struct report_asked){.kind = REPORT_METRICS, .metric = report_metric(word, n)};
    if (out->metric >= 0 || is_word(word, n, "metrics"))
        return take_word(&rest, &more) ? wrong(text, more, "nothing may follow here", err, pos) : REPORT_GOOD;
    if (*word == '/')
        return wrong(text, word, "this is no metric that a run can have; the query metrics lists them", err, pos);
    bool names_g = n > 1 && (*word | 0x20) == 'g' && ev_g_id(word, n, &out->g);
    if (is_word(word, n, "wait"))
        return wrong(text, word, "the G comes first: g4 wait", err, pos);
    if (names_g)
        n = take_word(&rest, &word);
    out->kind = is_word(word, n, "path") ? REPORT_PATH : REPORT_WAIT;
    if (out->kind != REPORT_PATH && !is_word(word, n, "wait"))
        return REPORT_NONE;
    nmore = take_word(&rest, &more);
    if (out->kind == REPORT_PATH && nmore) {
        if (!event_number(more, nmore, &out->event))
            return wrong(text, more, "expected an event, such as #197", err, pos);
        nmore = take_word(&rest, &more);
    }
    return nmore ? wrong(text, more, "nothing may follow here", err, pos) : REPORT_GOOD;
}

/* ---- life ---- */

struct report *report_new(const struct report_asked *asked)
{
    const struct report_ops *ops = kinds[asked->kind];
    struct report *r = calloc(1, ops->bytes);
    if (!r)
        return NULL;
    r->ops = ops;
    ops->begin(r, asked);
    return r;
}

void report_free(struct report *r)
{
    if (r)
        r->ops->fini(r);
    free(r);
}

bool report_asks_for_states(const struct report *r)
{
    return r->ops->states;
}

void report_event(struct report *r, const struct merged_event *at)
{
    if (!r->lacks)
        r->ops->event(r, at);
}

bool report_lacks(const struct report *r)
{
    return r->lacks;
}

bool report_is_empty(const struct report *r)
{
    return r->ops->is_empty(r);
}

bool report_rows(struct report *r, const struct model *md, enum lang lang, struct report_rows *out)
{
    *out = (struct report_rows){.lacks = r->lacks};
    if (!r->lacks)
        r->ops->rows(r, md, lang, out);
    return !out->lacks && !r->lacks;
}

bool report_json(struct report *r, const struct model *md, FILE *out)
{
    if (!r->lacks)
        r->ops->json(r, md, out);
    return !r->lacks;
}
