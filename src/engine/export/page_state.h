/* The states of a run as differences. What the page shows of a state is a set of numbered cells and lists. After each event the model is compared
 * with what was written before, and what differs is written. So the page needs no rules of the scheduler: it puts in what it is given.
 *
 * A cell has the number (index * PAGE_SCOPES + scope) * PAGE_OF_SCOPE + place, and so has a list. A change is one of:
 *
 *   number << 2 | 0, value                              a cell; values are signed: zigzag
 *   number << 2 | 1, at, removed, added, id …           a list: from position `at` on, some are removed, and these are put there
 *   G << 2 | 2, status << 1 | new, reason, line [, program, creator]   a G; reason and program are numbers of texts
 *   1 << 2 | 3, text, how                               the program prints; how: PRINT_…
 *   2 << 2 | 3, what, from, to, n                       a move, for an arrow: enum page_move; from, to: a P plus 1, or 0
 *
 * All numbers are varints. */
#ifndef GMPSCOPE_ENGINE_EXPORT_PAGE_STATE_H
#define GMPSCOPE_ENGINE_EXPORT_PAGE_STATE_H

#include "engine/export/export.h"
#include "engine/export/page_words.h"
#include "trace/go/id_table.h"

enum page_scope { PAGE_SCHED, PAGE_P, PAGE_M, PAGE_SCOPES };
enum { PAGE_OF_SCOPE = 16 };
/* The places, by scope. An unknown value is -1. M, P: plus 1, 0 is none. p.known: enum model_known of the ring. m.line: of the program, plus 1. */
/* clang-format off */
#define PAGE_SCHED_CELLS(X) X(ps) X(ms) X(globq) X(spinning) X(needspinning) X(idle) X(world) X(gc) X(running) X(runnable) X(waiting) X(calls)
#define PAGE_P_CELLS(X) X(status) X(m) X(g) X(next) X(len) X(tick) X(known) X(timers)
#define PAGE_M_CELLS(X) X(doing) X(p) X(g) X(line) X(oldp) X(locked)
#define PAGE_SCHED_LISTS(X) X(globq_gs) X(idle_p) X(idle_m)
#define PAGE_P_LISTS(X) X(ring)
#define PAGE_M_LISTS(X) X(hand) X(search)
/* clang-format on */
enum { PAGE_GLOBQ_SHOWN = 512 }; /* the global queue's list has only so many, from the head */
enum page_move { MOVE_STEAL, MOVE_OVERFLOW, MOVE_GLOBQ_GET, MOVE_WAKE };

struct page_list {
    uint64_t *v;
    size_t n, cap;
};
struct page_g {
    uint32_t id, status, reason, line;
};
struct page_state {
    const struct run_info *info;
    struct page_words *texts;
    VEC(int64_t) cell;
    VEC(struct page_list) list;
    VEC(struct page_g) g;
    struct id_table g_of;
    VEC(uint64_t) scratch;
    VEC(uint32_t) touched; /* Gs that may differ */
    struct export_buf ops; /* the changes that were not written yet, `nops` of them */
    uint64_t nops, looks;
    bool lacks;
};
/* Notes what has changed up to this event. Returns false if memory ran out. */
bool page_state_event(struct page_state *s, const struct merged_event *at);
/* Takes the state as it is for the first one: its changes are from nothing to all of it. */
bool page_state_whole(struct page_state *s, const struct model *md);
void page_state_written(struct page_state *s); /* the changes are written */
void page_state_fini(struct page_state *s);
/* Writes the names of cells and lists, as JSON. */
void page_state_names(FILE *out);

#endif
