/* Edits of the breakpoints and the lesson: see edits.h. */
#include "session/edits.h"
#include "session/rewind_breaks.h"
#include <string.h>

bool edit_set_text(struct edit *e, const char *text)
{
    if (strlen(text) >= sizeof e->text)
        return false;
    strcpy(e->text, text);
    return true;
}

bool edits_leave(struct edits *w, const struct edit *e)
{
    if (w->n == EDITS_MAX)
        return false;
    w->v[w->n++] = *e;
    return true;
}

struct edit *edits_until(struct edits *w)
{
    for (uint32_t i = w->n; i-- > 0;)
        if (w->v[i].what == EDIT_UNTIL)
            return &w->v[i];
    return NULL;
}

void edits_forget_until(struct edits *w)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < w->n; i++)
        if (w->v[i].what != EDIT_UNTIL)
            w->v[n++] = w->v[i];
    w->n = n;
}

static void add_break(const struct edit *w, struct engine *e)
{
    struct break_words words = engine_words(e);
    struct breakpoint *k = engine_break_add(e, w->text, w->what == EDIT_UNTIL);
    if (!k) {
        struct break_at at[BREAKS_LISTED];
        if (w->what == EDIT_UNTIL || breaks_list(engine_breaks(e), at) < BREAKS_LISTED)
            engine_lacks(e, "cannot keep the breakpoint: out of memory");
        return;
    }
    k->round_p = w->round_p;
    k->again = w->again;
    if (w->what == EDIT_UNTIL)
        breaks_counted(k, w->n, 0);
    else
        rewind_count(k, e->history, &words);
}

static void edit(const struct edit *w, struct engine *e)
{
    switch (w->what) {
    case EDIT_LESSON:
        engine_lesson(e, w->n);
        break;
    case EDIT_DELETE:
        if (w->n)
            engine_break_delete(e, (uint32_t)w->n);
        else
            engine_break_delete_all(e);
        break;
    case EDIT_ADD:
    case EDIT_UNTIL:
        add_break(w, e);
        break;
    }
}

void edits_do(struct edits *w, struct engine *e)
{
    for (uint32_t i = 0; i < w->n; i++)
        edit(&w->v[i], e);
    w->n = 0;
}
