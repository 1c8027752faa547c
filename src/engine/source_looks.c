/* The source behind looks.h: a player whose tape makes events of looks. */
#include "engine/looks.h"
#include "engine/player.h"
#include <errno.h>
#include <stdlib.h>
#include <time.h>

struct looks_player {
    struct player player;
    struct looks *from;
};

static struct looks *looks_of(const struct player *p)
{
    return ((const struct looks_player *)(const void *)p)->from;
}

static enum player_read read_looks(struct player *p, struct player_item *out)
{
    struct looks *l = looks_of(p);
    *out = (struct player_item){.text = NULL};
    while (!looks_take(l, &out->m, &out->ev)) {
        enum look_read what = looks_read(l, !p->all);
        if (what != LOOK_READ)
            return what == LOOK_WAIT ? PLAYER_WAIT : what == LOOK_END ? PLAYER_END : PLAYER_LACK;
    }
    return PLAYER_ITEM;
}

static void were_looks(struct player *p, struct recorded_how *how, struct recorded_end *end)
{
    *how = (struct recorded_how){.details = true, .places = PLACES_NONE, .limit = INT64_MAX, .max_events = UINT64_MAX};
    *end = (struct recorded_end){.how = looks_end(looks_of(p))};
}

static void wait_for_look(struct player *p, int ms)
{
    (void)p;
    nanosleep(&(struct timespec){.tv_nsec = ms * 1000000L}, NULL);
}

/* A look is shown when it is read. */
static int64_t looks_behind(struct player *p, int64_t time)
{
    (void)time;
    return looks_are_live(looks_of(p)) ? 0 : -1;
}

static void close_looks(struct player *p)
{
    (void)p; /* the looks are the caller's */
}

int source_looks(const struct source_config *c, struct source **out)
{
    static const struct player_tape tape = {
        .read = read_looks, .recorded = were_looks, .close = close_looks, .wait = wait_for_look, .behind = looks_behind, .records = true};
    struct looks_player *g = calloc(1, sizeof *g);
    if (!g)
        return -ENOMEM;
    g->player = (struct player){.source.ops = &player_ops, .tape = &tape, .mode = c->info->mode, .was_free = true};
    g->from = (struct looks *)(uintptr_t)c->from;
    looks_begin(g->from);
    *out = &g->player.source;
    return 0;
}
