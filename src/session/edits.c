/* Wishes about breakpoints: see edits.h. */
#include "session/edits.h"
#include "session/rewind_breaks.h"
#include <string.h>

bool edits_leave(struct edits *w, enum edit_what what, uint64_t n, const char *text)
{
    if (w->n == EDITS_MAX || strlen(text) >= EDIT_TEXT)
        return false;
    struct edit *e = &w->v[w->n++];
    e->what = what;
    e->n = n;
    strcpy(e->text, text);
    return true;
}

void edits_forget_until(struct edits *w)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < w->n; i++)
        if (w->v[i].what != EDIT_UNTIL)
            w->v[n++] = w->v[i];
    w->n = n;
}

static void delete_all(struct breaks *b)
{
    while (b->n)
        breaks_delete(b, b->v[0]->id);
}

static void edit(const struct edit *w, struct engine *e)
{
    struct break_words words = engine_words(e);
    if (w->what == EDIT_LESSON)
        engine_lesson(e, w->n);
    else if (w->what == EDIT_DELETE && w->n)
        breaks_delete(&e->breaks, (uint32_t)w->n);
    else if (w->what == EDIT_DELETE)
        delete_all(&e->breaks);
    else if (breaks_add(&e->breaks, &words, w->text, w->what == EDIT_UNTIL, e->model) == UINT32_MAX)
        return;
    else if (w->what == EDIT_UNTIL)
        breaks_counted(e->breaks.v[e->breaks.n - 1], w->n, 0);
    else
        past_count(e->breaks.v[e->breaks.n - 1], e->past, &words);
}

void edits_do(struct edits *w, struct engine *e)
{
    for (uint32_t i = 0; i < w->n; i++)
        edit(&w->v[i], e);
    w->n = 0;
}
