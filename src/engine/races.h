/* Data races: accesses of one shared variable by two Gs, at least one of them a write, that nothing orders. A reader finds them in the notes of the
 * runtime (runtime/sched/race.h), as Go's race detector does: only in the accesses of this run, in whatever order they came. Each pair of
 * operations counts once. */
#ifndef GMPSCOPE_ENGINE_RACES_H
#define GMPSCOPE_ENGINE_RACES_H

#include "base/text.h"
#include "engine/reader.h"
#include "scenario/scenario.h"

struct race_access {
    uint32_t g, fn;
    uint32_t op;             /* the operation that reads or writes */
    uint32_t by, started_at; /* the G that started g, at this operation; by 0: none */
    bool write, atomic;
};
struct race {
    uint32_t variable;
    struct race_access first, second; /* in the order of the run */
    uint64_t event;                   /* the last event before the second access */
    /* The last step of the first G that the second had seen: an operation of `since_g`, which is the first G, or the one that started either. 0: none */
    uint32_t since_g, since_op;
};

enum { RACES_GS = 8128 /* Gs with accesses that are alive at once: Go's limit, too */ };

struct races {
    struct race *v; /* the first RACES_KEPT, in the order in which they were found */
    uint32_t found;
    uint32_t known; /* of a recording: those that its whole run has */
    bool by_place;  /* the same two operations are one race, whatever variable it is on: an instruction uses one, of several cells */
    bool too_many;  /* there were more Gs than RACES_GS: those beyond were not watched */
    struct race_clocks *clocks;
};
enum { RACES_KEPT = 1000, RACE_TEXT = 600 };

/* Returns a reader that fills r, which begins as zero. */
struct reader races_reader(struct races *r);
void races_fini(struct races *r);
/* race_report.c. A recording keeps what was found. races_read() reads it back; then races_known_reader() finds each race where it was found. Returns
 * false if memory has run out. */
void races_write(const struct races *r, FILE *out);
bool races_read(struct races *r, const char *text);
struct reader races_known_reader(struct races *r);
/* Returns how many were found up to this event. */
uint32_t races_until(const struct races *r, uint64_t event);
/* Writes each race from this one on as one line. A text of a scenario is made visible. */
void races_say(const struct races *r, uint32_t from, const struct scenario *sc, enum lang lang, const char *before, FILE *out);
/* Writes a line for each pair of lines: "total: lines 9 and 12", a tab, the event of its first race, and the G of the second access. Those for which
 * there is no room are left out. */
void races_lines(const struct races *r, const struct scenario *sc, enum lang lang, char *buf, size_t size);
/* "races": a JSON list of them, with where each access is. */
void races_json(const struct races *r, const struct scenario *sc, FILE *out);
/* The key of its kind: on what and between which functions, whichever access came first. */
uint64_t race_kind(const struct scenario *sc, const struct race *race);
/* Writes a race as one sentence. */
void race_text(const struct scenario *sc, const struct race *race, enum lang lang, char *buf, size_t size);

#endif
