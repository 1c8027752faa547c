/* Keys: the line that says which keys there are, from the key table. */
#include "ui/input/keys.h"
#include "ui/panes/panes.h"

/* `space` says what it would do now. */
static const char *brief(const struct view *v, const struct key *k)
{
    bool go = k->brief == TX_SHORT_PAUSE && v->st.paused && !v->st.stepping;
    return tx(v->lang, go ? TX_SHORT_GO : k->brief);
}

/* A run that has ended neither goes on nor stops. */
static bool of_a_run(const struct key *k)
{
    static const enum text_id brief_of[] = {TX_SHORT_PAUSE, TX_SHORT_STEP, TX_SHORT_ROUND, TX_SHORT_TEMPO, TX_SHORT_MODE};
    for (size_t i = 0; i < sizeof brief_of / sizeof *brief_of; i++)
        if (k->brief == brief_of[i])
            return true;
    return false;
}

static bool shown(const struct view *v, const struct key *k, bool room)
{
    return k->join && (k->join != 3 || room) && !(v->st.ended && of_a_run(k)) && !(v->other && k->for_one != TX_NONE);
}

/* The line from x on, or how long it would be (c NULL). */
static int line(const struct view *v, struct canvas *c, struct rect r, int x, int gap, bool room)
{
    for (int i = 0; i < nkeys; i++) {
        if (!shown(v, &keys[i], room))
            continue;
        if (c)
            canvas_text(c, r, x, r.y, ROLE_key, keys[i].name);
        x += text_width(keys[i].name) + 1;
        if (keys[i].join == 2)
            continue;
        if (c)
            canvas_text(c, r, x, r.y, ROLE_key_text, brief(v, &keys[i]));
        x += text_width(brief(v, &keys[i])) + gap;
    }
    return x;
}

static void draw(const struct pane *p, const struct view *v, struct canvas *c)
{
    struct rect r = p->in;
    int wide = r.w >= 84 ? 3 : r.w >= 66 ? 2 : 1;
    bool all = line(v, NULL, r, 1, 2, true) <= r.w;
    int gap = all && line(v, NULL, r, 1, wide, true) > r.w ? 2 : wide;
    line(v, c, r, r.x + 1, gap, all);
}

const struct pane_ops pane_keys = {.bare = true, .draw = draw};
