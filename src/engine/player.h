/* What the sources that offer events of a file share: everything but how they read the next one (a tape). Everything that changes only what is shown
 * works as on a live run; what needs a world is refused. */
#ifndef GMPSCOPE_ENGINE_PLAYER_H
#define GMPSCOPE_ENGINE_PLAYER_H

#include "base/arena.h"
#include "engine/recorder.h"
#include "engine/source.h"

/* An event that was read, or a place: a g_op that is none (ev_is_place). */
struct player_item {
    uint32_t m;
    struct ev ev;
    char *text; /* NULL: none */
    size_t len;
};

struct player;
enum player_read { PLAYER_ITEM, PLAYER_END, PLAYER_LACK, PLAYER_WAIT }; /* LACK: memory ran out; WAIT: the next one has not come yet */
struct player_tape {
    enum player_read (*read)(struct player *, struct player_item *out); /* the text is valid until the next call */
    void (*recorded)(struct player *, struct recorded_how *how, struct recorded_end *end);
    const struct run_reader *(*file)(const struct player *); /* NULL: it is no run file */
    void (*close)(struct player *);                          /* frees what the tape has */
    void (*wait)(struct player *, int ms);            /* until more has come, at most ms; NULL: nothing comes later. Not the fold's lock */
    int64_t (*behind)(struct player *, int64_t time); /* source_ops.behind; NULL: nothing comes later */
    bool records;                                     /* what it offers can be recorded: it is no recording yet */
};

/* The first member of a source's struct, which is allocated by calloc(). The source sets `source.ops` to &player_ops, `tape` and the modes. */
struct player {
    struct source source;
    const struct player_tape *tape;
    enum conductor_mode mode;
    bool was_free, all, over; /* all: everything is released; over: nothing is left to read */
    bool lacks;
    bool waits;                    /* the next item has not come yet */
    VEC(struct player_item) queue; /* read, not taken */
    size_t taken, upto;            /* of the queue: how many were taken; those before `upto` are released */
    uint64_t released;             /* of the events in it, without places */
};
extern const struct source_ops player_ops;

/* Returns why a file cannot do that; REFUSED_NOT: it can. */
enum refusal recorded_refusal(enum capability what);

#endif
