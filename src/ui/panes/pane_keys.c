/* Keys: one line with the most important keys, which the view takes from the table of keys. A click on one presses it. The keys of the pane
 * that has the focus stand at the right end; common keys make room for them.
 *
 * A note stands to the right of the keys. To make room, the line first drops the keys that it shows only if there is room, then all but five,
 * then the words of the five. A note that does not fit even then is drawn above the line (frame.c), which stays whole. */
#include "ui/panes/panes.h"

enum { NOTE_GAP = 3, FIVE = 5, LAST = 2 };

struct pen {
    struct canvas *c; /* NULL: the line is only measured */
    struct rect r;
    int gap;
    bool room;    /* for all hints */
    bool bare;    /* the names of keys only */
    bool of_pane; /* draws the keys of the pane that has the focus, not the common ones */
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
        if ((h->if_room && !p->room) || h->of_pane != p->of_pane)
            continue;
        draw_word(p, x, ROLE_key, h->name);
        x += text_width(h->name) + 1;
        if (p->bare)
            x--;
        else if (!h->joined) {
            draw_word(p, x, ROLE_key_text, tx(v->lang, h->label));
            x += text_width(tx(v->lang, h->label));
        }
        p->hit = p->want >= from && p->want < x ? h->code : p->hit;
        x += h->joined ? 0 : p->gap;
    }
    return x;
}

static int measure(const struct view *v, struct pen p)
{
    p.c = NULL;
    return line(v, &p, 1) - p.gap;
}

/* The common keys come first in the table. */
static int ncommon(const struct view *v)
{
    int n = v->nhints;
    while (n > 0 && v->hint[n - 1].of_pane)
        n--;
    return n;
}

/* Where not even the important keys fit, the last of them before help and quit is left out. */
static struct view shorter(const struct view *v, struct key_hint hint[KEY_HINTS_MAX])
{
    struct view less = *v;
    int out = ncommon(v) - 3;
    while (out > 0 && v->hint[out].if_room)
        out--;
    less.nhints = 0;
    for (int i = 0; i < v->nhints; i++)
        if (i != out)
            hint[less.nhints++] = v->hint[i];
    less.hint = hint;
    return less;
}

/* The first three important keys, help and quit. */
static struct view five(const struct view *v, struct key_hint hint[KEY_HINTS_MAX])
{
    struct view less = *v;
    less.nhints = 0;
    for (int i = 0; i < v->nhints; i++) {
        bool last = i >= ncommon(v) - LAST, first = less.nhints < FIVE - LAST && !v->hint[i].if_room && !v->hint[i].joined;
        if (first || last)
            hint[less.nhints++] = v->hint[i];
    }
    less.hint = hint;
    return less;
}

struct key_line {
    struct pen pen;
    struct view shown;
    struct key_hint hint[KEY_HINTS_MAX]; /* for the hints of `shown`, if they are not all */
    bool note;
    struct pen right; /* for the keys of the pane; no width: they are not shown */
};

static bool fits(const struct key_line *l, int room)
{
    return measure(&l->shown, l->pen) <= room;
}

/* As many keys as possible. */
static void choose_keys(struct key_line *l, const struct view *v, struct rect r)
{
    int wide = r.w >= 84 ? 3 : r.w >= 66 ? 2 : 1;
    l->shown = *v;
    l->pen = (struct pen){.r = r, .gap = 2, .room = true, .want = -1};
    l->pen.room = fits(l, r.w);
    l->pen.gap = wide;
    if (l->pen.room && !fits(l, r.w))
        l->pen.gap = 2;
    else if (!fits(l, r.w))
        l->shown = shorter(v, l->hint);
}

/* The keys that fit into `room` columns. The first ones stay where they are, if possible. Returns false if there is no room for five names. */
static bool choose_fewer(struct key_line *l, const struct view *v, int room)
{
    if (fits(l, room))
        return true;
    l->pen.room = false;
    if (fits(l, room))
        return true;
    l->shown = five(v, l->hint);
    for (; l->pen.gap > 0; l->pen.gap--)
        if (fits(l, room))
            return true;
    l->pen.gap = 1;
    l->pen.bare = true;
    return fits(l, room);
}

/* Takes the right end of r for the keys of the pane that has the focus, if the five keys and the note still fit next to them. */
static bool choose_pane_keys(struct key_line *l, const struct view *v, struct rect r, int note)
{
    for (int room = 1; room >= 0; room--) {
        l->right = (struct pen){.r = r, .gap = 2, .room = room, .want = -1, .of_pane = true};
        int w = measure(v, l->right);
        if (w <= 1)
            continue;
        choose_keys(l, v, r);
        l->right.r = (struct rect){r.x + r.w - w - 1, r.y, w + 1, 1};
        if (choose_fewer(l, v, r.w - note - NOTE_GAP - w) && !l->pen.bare)
            return true;
    }
    l->right.r.w = 0;
    return false;
}

static void choose(struct key_line *l, const struct view *v, struct rect r)
{
    l->note = v->note && v->note[0];
    int note = l->note ? NOTE_GAP + text_width(v->note) : 0;
    if (ncommon(v) < v->nhints && choose_pane_keys(l, v, r, note))
        return;
    choose_keys(l, v, r);
    l->note = l->note && choose_fewer(l, v, r.w - note);
    if (!l->note)
        choose_keys(l, v, r);
}

bool keys_hold_note(const struct view *v, struct rect r)
{
    struct key_line l = {.note = false};
    choose(&l, v, r);
    return l.note;
}

static void draw(const struct pane *p, const struct view *v, struct canvas *c)
{
    struct key_line l = {.note = false};
    choose(&l, v, p->in);
    l.pen.c = c;
    int x = line(&l.shown, &l.pen, p->in.x + 1) - l.pen.gap + NOTE_GAP;
    if (l.note)
        canvas_text(c, p->in, x, p->in.y, ROLE_sentence_now, v->note);
    l.right.c = c;
    if (l.right.r.w)
        line(v, &l.right, l.right.r.x);
}

static struct pane_request mouse(const struct pane *p, const struct view *v, int x, int y)
{
    (void)y;
    struct key_line l = {.note = false};
    choose(&l, v, p->in);
    l.pen.want = p->in.x + x;
    line(&l.shown, &l.pen, p->in.x + 1);
    l.right.want = l.pen.want;
    if (l.right.r.w)
        line(v, &l.right, l.right.r.x);
    uint32_t hit = l.pen.hit ? l.pen.hit : l.right.hit;
    return (struct pane_request){.taken = hit != 0, .press = hit};
}

const struct pane_ops pane_keys = {.bare = true, .draw = draw, .mouse = mouse};
