/* See source_file.h. */
#include "engine/source_file.h"
#include "engine/player.h"
#include "trace/run_file.h"
#include <errno.h>
#include <stdlib.h>

struct file_player {
    struct player player;
    struct run_reader *from;
    struct recorded_how how;
};

static struct run_reader *reader_of(const struct player *p)
{
    return ((const struct file_player *)(const void *)p)->from;
}

/* A place of no G is a note of the recorder: the mode from here on. */
static enum player_read read_run(struct player *p, struct player_item *out)
{
    struct run_event e;
    enum run_item what;
    while ((what = run_reader_next(reader_of(p), &e)) == RUN_PLACE && !e.g) {
        p->mode = e.op == MODE_FREE ? MODE_FREE : MODE_LOCKSTEP;
        p->was_free |= p->mode == MODE_FREE;
    }
    if (what == RUN_END || what == RUN_LACK)
        return what == RUN_LACK ? PLAYER_LACK : PLAYER_END;
    if (what == RUN_PLACE)
        *out = (struct player_item){.ev = {.kind = EV_G_OP, .g = e.g, .c = e.op, .d = 1, .time = INT64_MIN}};
    else
        *out = (struct player_item){e.m, *e.ev, (char *)(uintptr_t)e.text, e.len};
    return PLAYER_ITEM;
}

static void was_recorded(struct player *p, struct recorded_how *how, struct recorded_end *end)
{
    const struct run_head *trailer = run_reader_end(reader_of(p));
    *how = ((struct file_player *)(void *)p)->how;
    if (!trailer || !recorded_end_read(trailer, end))
        *end = (struct recorded_end){.how = -1};
}

static const struct run_reader *run_of(const struct player *p)
{
    return reader_of(p);
}

static void close_run(struct player *p)
{
    run_reader_free(reader_of(p));
}

int source_file(const struct source_config *c, struct source **out)
{
    static const struct player_tape tape = {.read = read_run, .recorded = was_recorded, .file = run_of, .close = close_run};
    char why[RUN_ERROR];
    struct file_player *f = calloc(1, sizeof *f);
    if (!f)
        return -ENOMEM;
    f->player = (struct player){.source.ops = &player_ops, .tape = &tape, .mode = c->info->mode, .was_free = c->info->mode == MODE_FREE};
    f->from = run_reader_open(c->from, why);
    if (!f->from || !recorded_how_read(run_reader_head(f->from), &f->how)) {
        player_ops.close(&f->player.source); /* the command has opened it before: somebody has changed it since */
        return -ESTALE;
    }
    *out = &f->player.source;
    return 0;
}
