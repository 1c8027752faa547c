/* See report_tracks.h. */
#include "model/report/report_tracks.h"

#include <stdlib.h>

enum { PAGE = 256, ID_MOST = 1 << 26 };

int track_status_after(const struct ev *e)
{
    switch (e->kind) {
    case EV_G_CREATE:
    case EV_G_READY:
    case EV_G_PREEMPT:
    case EV_G_YIELD:
        return G_RUNNABLE;
    case EV_G_START:
        return G_RUNNING;
    case EV_G_PARK:
        return G_WAITING;
    case EV_G_END:
        return G_DEAD;
    case EV_SYSCALL_ENTER:
    case EV_SYSCALL_BLOCK:
        return G_SYSCALL;
    case EV_G_SEEN:
        return (e->a & 0xff) == G_SEEN_UNKNOWN ? G_UNKNOWN : (int)(e->a & 0xff);
    case EV_SYSCALL_EXIT:
        return e->d == EXITSYSCALL_NO_P ? G_RUNNABLE : G_RUNNING;
    default:
        return -1;
    }
}

struct track *track_find(const struct tracks *t, uint32_t g)
{
    uint32_t at = g / PAGE;
    return at < t->n && t->page[at] ? &t->page[at][g % PAGE] : NULL;
}

struct track *track_of(struct tracks *t, uint32_t g)
{
    uint32_t at = g / PAGE, n = t->n ? t->n : 64;
    struct track *found = track_find(t, g);
    if (found || g >= ID_MOST)
        return found;
    while (n <= at)
        n *= 2;
    if (n > t->n) {
        struct track **page = realloc(t->page, n * sizeof(struct track *));
        if (!page)
            return NULL;
        for (t->page = page; t->n < n; t->n++)
            page[t->n] = NULL;
    }
    struct track *v = t->page[at] = calloc(PAGE, sizeof *v);
    for (uint32_t i = 0; v && i < PAGE; i++)
        v[i].fn = EV_NONE;
    return v ? &v[g % PAGE] : NULL;
}

void tracks_fini(struct tracks *t, void (*end)(void *ctx, struct track *of), void *ctx)
{
    for (uint32_t i = 0; i < t->n; i++) {
        for (uint32_t k = 0; t->page[i] && k < PAGE; k++)
            end(ctx, &t->page[i][k]);
        free(t->page[i]);
    }
    free(t->page);
    *t = (struct tracks){.n = 0};
}
