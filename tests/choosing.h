/* A live session in which a test chooses the steps, behind the box of the screen. */
#ifndef GMPSCOPE_TESTS_CHOOSING_H
#define GMPSCOPE_TESTS_CHOOSING_H

#include "live.h"

#include <string.h>

/* Twelve Gs for four Ps, so that there is nearly always a choice. No G computes, because in virtual time all Ms would
 * sleep meanwhile. */
static const char crowd_text[] =
    "name: crowd\n"
    "title: Crowd\n"
    "scheduler: {gomaxprocs: 4}\n"
    "waitgroups: [wg]\n"
    "channels: [a, b]\n"
    "goroutines:\n"
    "  - name: main\n"
    "    do:\n"
    "      - {add: wg, n: 12}\n"
    "      - {go: worker, count: 12}\n"
    "      - {loop: 12, do: [{select: [{recv: a}, {recv: b}]}]}\n"
    "      - wait: wg\n"
    "  - name: worker\n"
    "    do:\n"
    "      - {loop: 5, do: [{yield: 1}]}\n"
    "      - {if: \"i % 2\", then: [{send: a}], else: [{send: b}]}\n"
    "      - done: wg\n";

static struct session_decision decision; /* too large for a stack frame */

static inline const struct session_decision *ready(struct live *l)
{
    do {
        session_ops.decisions->rows(l->s, &decision);
        if (decision.state != CHOICE_MAKING)
            return &decision;
        wait_change(l);
    } while (true);
}

static inline void still(struct live *l)
{
    while (!status(l).still)
        wait_change(l);
}

/* Takes one step of that M. */
static inline void take(struct live *l, uint32_t pick)
{
    uint32_t id = decision.id;
    session_ops.decisions->choose(l->s, id, pick);
    while (ready(l)->id == id)
        wait_change(l);
}

static inline void open_at(struct live *l, uint64_t events)
{
    wait_events(l, events);
    session_ops.motion->pause(l->s, true);
    still(l);
    session_ops.decisions->prepare(l->s, true);
    CHECK_INT(ready(l)->state, CHOICE_READY);
}

static inline void back_to(struct live *l, uint64_t event)
{
    session_ops.decisions->prepare(l->s, false);
    CHECK_INT(session_ops.rewind->goto_event(l->s, event), GOTO_DONE);
    session_ops.decisions->prepare(l->s, true);
    CHECK_INT(ready(l)->state, CHOICE_READY);
}

/* Goes back to a state where more than one M is ready, at `from` or before. */
static inline uint64_t fork_place(struct live *l, uint64_t from)
{
    for (; from > 20; from--) {
        back_to(l, from);
        if (decision.n > 1 && strstr(decision.head[LANG_EN], "which M goes"))
            return from;
    }
    t_fail(__FILE__, __LINE__, "nowhere could be chosen");
}

static inline uint32_t another(void)
{
    int i = 0;
    while (decision.row[i].now)
        i++;
    CHECK(i < decision.n);
    return decision.row[i].pick;
}

#endif
