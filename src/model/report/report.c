/* See report.h: the table of reports, and what they are asked with. */
#include "model/report/report_internal.h"

#include <stdlib.h>
#include <string.h>

static const struct report_ops *const kinds[REPORT_KINDS] = {[REPORT_WAIT] = &report_wait};

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

enum report_parsed report_parse(const char *text, struct report_asked *out, const char **err, size_t *pos)
{
    const char *rest = text, *subject, *word, *more;
    size_t nsubject = take_word(&rest, &subject), n = take_word(&rest, &word), nmore = take_word(&rest, &more);
    *out = (struct report_asked){.kind = REPORT_WAIT};
    bool names_g = nsubject > 1 && (*subject | 0x20) == 'g' && ev_g_id(subject, nsubject, &out->g);
    if (is_word(subject, nsubject, "wait"))
        return wrong(text, subject, "the G comes first: g4 wait", err, pos);
    if (!names_g || !is_word(word, n, "wait"))
        return REPORT_NONE;
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
