/* Keys: one line with the most important keys, which the view takes from the table of keys. A click on one presses it. */
#include "ui/panes/panes.h"

struct pen {
    struct canvas *c; /* NULL: the line is only measured */
    struct rect r;
    int gap;
    bool room;    /* for all hints */
    int want;     /* the column whose key is looked for */
    uint32_t hit; /* that key */
};

static void draw_word(struct pen *p, int x, enum role role, const char *word)
{
    if (p->c)
        canvas_text(p->c, p->r, x, p->r.y, role, word);
}

/* Draws the line from x on. Returns where it ends. */
static int line(const struct view *v, struct pen *p, int x)
{
    for (int i = 0; i < v->nhints; i++) {
        const struct key_hint *h = &v->hint[i];
        int from = x;
        if (h->if_room && !p->room)
            continue;
        draw_word(p, x, ROLE_key, h->name);
        x += text_width(h->name) + 1;
        if (!h->joined) {
            draw_word(p, x, ROLE_key_text, tx(v->lang, h->label));
            x += text_width(tx(v->lang, h->label));
        }
        p->hit = p->want >= from && p->want < x ? h->code : p->hit;
        x += h->joined ? 0 : p->gap;
    }
    return x;
}

static int measure(const struct view *v, struct rect r, int gap, bool room)
{
    return line(v, &(struct pen){.r = r, .gap = gap, .room = room, .want = -1}, 1);
}

/* Where not even the important keys fit, the last of them before help and quit is left out. */
static struct view shorter(const struct view *v, struct key_hint hint[KEY_HINTS_MAX])
{
    struct view less = *v;
    int out = v->nhints - 3;
    while (out > 0 && v->hint[out].if_room)
        out--;
    less.nhints = 0;
    for (int i = 0; i < v->nhints; i++)
        if (i != out)
            hint[less.nhints++] = v->hint[i];
    less.hint = hint;
    return less;
}

/* Returns the key at column `want`, 0: none. */
static uint32_t draw_line(const struct view *v, struct canvas *c, struct rect r, int want)
{
    struct key_hint hint[KEY_HINTS_MAX];
    struct view less = *v;
    int wide = r.w >= 84 ? 3 : r.w >= 66 ? 2 : 1;
    bool all = measure(v, r, 2, true) <= r.w;
    struct pen p = {.c = c, .r = r, .gap = all && measure(v, r, wide, true) > r.w ? 2 : wide, .room = all, .want = want};
    if (!all && measure(v, r, p.gap, false) > r.w + p.gap)
        less = shorter(v, hint);
    line(&less, &p, r.x + 1);
    return p.hit;
}

static void draw(const struct pane *p, const struct view *v, struct canvas *c)
{
    draw_line(v, c, p->in, -1);
}

static struct pane_request mouse(const struct pane *p, const struct view *v, int x, int y)
{
    (void)y;
    uint32_t code = draw_line(v, NULL, p->in, p->in.x + x);
    return (struct pane_request){.taken = code != 0, .press = code};
}

const struct pane_ops pane_keys = {.bare = true, .draw = draw, .mouse = mouse};
