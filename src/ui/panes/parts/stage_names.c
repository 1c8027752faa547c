/* What the stage must not leave out: each G, M and P that the newest sentence or the lesson names, and what is selected. */
#include "ui/panes/parts/stage.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static void add(struct stage_names *names, uint32_t tag)
{
    if (names->n < STAGE_NAMES && !stage_named(names, tag))
        names->tag[names->n++] = tag;
}

static void add_event(struct stage_names *names, const struct session_event *e)
{
    static const char prefix[] = {[FT_G] = 'G', [FT_M] = 'M', [FT_P] = 'P'};
    add(names, tag_of('M', e->m));
    add(names, tag_of('P', e->ev.p));
    add(names, tag_of('G', e->ev.g));
    for (const struct ev_field *f = ev_desc[e->ev.kind].field; f->name; f++)
        if ((size_t)f->type < sizeof prefix && prefix[f->type])
            add(names, tag_of(prefix[f->type], (uint32_t)ev_value(&e->ev, e->m, f)));
}

/* Words like "G3", "Gs1", "M0". */
static void add_text(struct stage_names *names, const char *text)
{
    for (const char *at = text; *at;) {
        size_t n = 0;
        uint32_t id;
        while (isalnum((unsigned char)at[n]))
            n++;
        bool number = n > 1 && n < 10 && isdigit((unsigned char)at[n - 1]);
        if (number && *at == 'G' && ev_g_id(at, n, &id))
            add(names, tag_of('G', id));
        else if (number && (*at == 'M' || *at == 'P') && strspn(at + 1, "0123456789") == n - 1)
            add(names, tag_of(*at, (uint32_t)strtoul(at + 1, NULL, 10)));
        at += n ? n : 1;
    }
}

struct stage_names stage_names(const struct view *v)
{
    struct stage_names names = {.n = 0};
    int now = event_now(v);
    if (v->selected)
        add(&names, v->selected);
    if (now >= 0)
        add_event(&names, &v->ev[now]);
    if (v->lesson && v->lesson->met) {
        add_text(&names, text_in(&v->lesson->say, LANG_EN));
        add_text(&names, text_in(&v->lesson->question, LANG_EN));
    }
    return names;
}

bool stage_named(const struct stage_names *names, uint32_t tag)
{
    for (int i = 0; i < names->n; i++)
        if (names->tag[i] == tag)
            return true;
    return false;
}
