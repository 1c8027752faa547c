/* A lesson that is played: which entry is armed, and when each earlier one was met. As with breakpoints (breaks.h), each M tests event
 * patterns as it logs, so that the world stops near the place, and the fold finds the place in merged order. An entry is armed when the
 * one before it is met, and is met once; so nothing stops a second time while the past is shown.
 *
 * Which rule of a lesson is in which file:
 *
 *   scenario/lesson.c           how an entry is written, and what is wrong with it
 *   scenario/holds.c            in which runs an entry is true and shown
 *   scenario/proof.c            which numbers in its texts nothing proves
 *   engine/lesson/lesson.c      when an entry is met, and where the run stops for it or for its answer
 *   engine/lesson/answers.c     the values of its queries: the right choice, choices made of values, facts
 *   engine/lesson/rehearse.c    the run before the run, which finds the answers and the entries that are never met
 *   engine/lesson/departure.c   what still holds in a run that has left the rehearsed course
 *   session/session_lesson.c    how fast the run goes to the next stop; session_view.c: an entry with the values in its texts
 *   ui/input/lesson_answers.c           what the person answered, the score, reading by itself, when the closing card opens
 *   ui/panes/pane_lesson.c      how an entry looks, and which panes it covers; ui/boxes/card.c: the closing card
 *   cli/cmd_check.c             what `check --lessons` demands
 */
#ifndef GMPSCOPE_ENGINE_LESSON_LESSON_H
#define GMPSCOPE_ENGINE_LESSON_LESSON_H

#include "engine/breaks.h"
#include "scenario/scenario.h"

#define LESSON_OFF UINT32_MAX

/* How far a lesson has come, kept while another branch is shown. */
struct lesson_meeting {
    uint64_t at;
    bool left_out;
};

/* The run that the lesson is written for, where another run shows less of it. */
struct lesson_made_for {
    bool lacks, no_questions; /* this run shows fewer entries or questions; none of its questions */
    enum rt_generation generation;
    uint32_t procs;
    enum run_boot boot;
    enum rt_generation module;
    bool other_switches; /* this run has other mechanisms */
    bool other_boot;     /* its boot or its module makes a difference */
};

struct lesson_step {
    const char *on;                /* its pattern as text, or "start" */
    const struct pattern *pattern; /* NULL: it is met at once */
    struct matcher match;          /* used by the fold, since it was armed; `never`: this run cannot meet it, so it is skipped */
    bool stops;
    bool barred;           /* no run with these settings meets it */
    bool follows;          /* its answer will come from the log of this run; `decided` is not known before */
    uint64_t decided;      /* the event that decides its answer, where that is known beforehand: the run stops there, too; else 0 */
    uint64_t met_at;       /* the event after which it was met; used by the fold */
    _Atomic uint64_t hits; /* matches as logged; every M, relaxed: only the sum matters */
};
struct lesson {
    struct arena arena;
    struct lesson_step *v;
    uint32_t n;
    struct lesson_made_for made_for;
    bool on;
    bool skips;                               /* the next stop is an entry, not an event that decides an answer */
    bool (*holds)(void *ctx, uint32_t entry); /* asked when the event of an entry has come; false: it is left out. NULL: all hold */
    void *ctx;
    uint32_t met;           /* how many entries were met; the next one is armed; used by the fold */
    _Atomic uint32_t armed; /* the same as the Ms see it, or LESSON_OFF; relaxed: see lesson_hit() */
};

/* Takes the entries from the scenario (NULL: there are none); the lesson is off. One that does not hold for such a run is skipped, and so is one about Ps in a
 * generation without Ps. False: out of memory. */
bool lesson_init(struct lesson *l, const struct scenario *sc, const struct break_words *w, const struct rt_config *rt);
void lesson_fini(struct lesson *l);
/* on: plays it from the first entry. n: events folded so far. Returns true if an entry that stops is met at once. */
bool lesson_set(struct lesson *l, bool on, uint64_t n);
/* Continues it in another run of the same scenario, which has reached event n: entries met later than that are still to come. */
void lesson_carry(const struct lesson *from, struct lesson *to, uint64_t n);
/* Sets it to what another engine's lesson had met in the same course. */
void lesson_restore(struct lesson *l, const struct lesson_meeting *met, uint32_t n);
/* Returns true if the fold alone knows where the next stop is: an entry that was not met yet is a condition, or an event after n decides an
 * answer. */
bool lesson_any_when(const struct lesson *l, uint64_t n);
/* Returns the entry whose answer event n decides, the last of several; -1: none. */
int lesson_decided_at(const struct lesson *l, uint64_t n);
/* Called by an M right after it has logged this event. Returns true if the world should stop; it only stops near the place. */
bool lesson_hit(struct lesson *l, uint32_t m, const struct ev *e, const char *text, size_t len);
/* Called by the fold after an event. Returns true if an entry that stops the run is met. */
bool lesson_after(struct lesson *l, const struct merged_event *at);
/* Returns the place of the nearest entry at which the run stopped, before event n (by -1) or after it (by 1); 0: there is none yet. */
uint64_t lesson_place(const struct lesson *l, uint64_t n, int by);
/* Returns how many entries were met up to event n. */
uint32_t lesson_met(const struct lesson *l, uint64_t n);
/* Returns how many of the first `upto` entries hold in this run: what a person reads as their number. */
uint32_t lesson_holding(const struct lesson *l, uint32_t upto);
/* The entry that was met last up to event n, -1 if none; the first from `from` on that is to come. Skipped ones are left out. */
int lesson_last(const struct lesson *l, uint64_t n);
/* Returns the entry to show at event n, -1 if none. The event that decides an answer shows that entry again, with its mark, unless the event meets
 * an entry of its own. The entry then stays until the next one is met. */
int lesson_shown(const struct lesson *l, uint64_t n);
uint32_t lesson_next(const struct lesson *l, uint32_t from);

#endif
