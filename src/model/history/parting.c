/* See parting.h. */
#include "model/history/parting.h"
#include <string.h>

int parting_events(struct history *h, uint64_t from, struct parting_event *out, int max)
{
    struct history_event e;
    int n = 0;
    for (; n < max && from + (uint64_t)n <= history_events(h) && history_get(h, from + (uint64_t)n, &e); n++) {
        out[n].m = e.m;
        out[n].ev = e.ev;
        out[n].len = e.len < sizeof out->text ? e.len : sizeof out->text;
        if (out[n].len)
            memcpy(out[n].text, e.text, out[n].len);
    }
    return n;
}

static const char *program_of(const struct model_names *names, uint32_t fn)
{
    const char *label = ev_system_label(fn);
    return label ? label : fn < names->nfn && names->fn[fn] ? names->fn[fn] : "";
}

static bool is_time(const struct ev_field *f)
{
    return f->type == FT_TIME || f->type == FT_DUR || f->word == W_LATE;
}

/* A field without a name is not shown: a sequence number, or a value that only the fold reads. */
static bool same_field(const struct ev_field *f, const struct model_names *const names[2], const struct parting_event *l,
                       const struct parting_event *r)
{
    bool here = ev_has(&l->ev, f), there = ev_has(&r->ev, f);
    if (!*f->name || is_time(f) || (!here && !there))
        return true;
    if (here != there)
        return false;
    int64_t a = ev_value(&l->ev, l->m, f), b = ev_value(&r->ev, r->m, f);
    if (f->type == FT_FN)
        return strcmp(program_of(names[0], (uint32_t)a), program_of(names[1], (uint32_t)b)) == 0;
    return f->type == FT_TEXT || a == b; /* a text is compared below */
}

static bool same_event(const struct model_names *const names[2], const struct parting_event *l, const struct parting_event *r)
{
    const struct ev *a = &l->ev, *b = &r->ev;
    if (a->kind != b->kind || l->m != r->m || a->p != b->p || a->g != b->g || l->len != r->len || memcmp(l->text, r->text, l->len) != 0)
        return false;
    const struct ev_field *f = ev_desc[a->kind].field;
    for (int i = 0; i < EV_FIELDS && f[i].name; i++)
        if (!same_field(&f[i], names, l, r))
            return false;
    return true;
}

void parting_compare(struct parting *p, const struct model_names *const names[2], const struct parting_event *left,
                     const struct parting_event *right, int n)
{
    for (int i = 0; i < n && !p->parted; i++) {
        if (!same_event(names, &left[i], &right[i])) {
            p->parted = true;
            return;
        }
        p->same++;
        if (!p->later && left[i].ev.time != right[i].ev.time)
            p->later = p->same;
    }
}
