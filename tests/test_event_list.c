/* The window onto the events of a long run (ui/panes/parts/event_list.h): it shows the rows that a reading of all events gives, and one frame
 * looks at few events, however long the run is. */
#include "ref.h"
#include "t.h"
#include "ui/panes/parts/event_list.h"

#include <stdlib.h>
#include <string.h>

enum { EVENTS = 10000, ROOM = 16000, SPARSE = 97 };

/* ---- a run, and what a reading of all its events lists ---- */

struct run;
struct counting {
    struct event_list list; /* first: the list passes itself to wanted() */
    struct run *run;
};

struct run {
    struct ref *r;
    struct model *md;
    struct history *h;
    struct prng rand;
    uint32_t n;
    bool listed[ROOM];     /* by number - 1 */
    uint32_t looked[ROOM]; /* how often this frame has asked whether the event is wanted */
    struct counting c;
};

static bool core_only(const struct event_list *l, const struct history_event *e)
{
    return l->details || ev_desc[e->ev.kind].level == EV_CORE;
}

static bool one_of_many(const struct event_list *l, const struct history_event *e)
{
    (void)l;
    return e->number * 7919 % SPARSE == 0;
}

static bool (*const rule[])(const struct event_list *l, const struct history_event *e) = {core_only, one_of_many};

/* What the list asks about an event. */
static bool count_core(const struct event_list *l, struct history *h, const struct history_event *e)
{
    struct run *run = ((const struct counting *)(const void *)l)->run;
    (void)h;
    run->looked[e->number - 1]++;
    return core_only(l, e);
}

static bool count_sparse(const struct event_list *l, struct history *h, const struct history_event *e)
{
    struct run *run = ((const struct counting *)(const void *)l)->run;
    (void)h;
    run->looked[e->number - 1]++;
    return one_of_many(l, e);
}

static bool is_about(struct run *run, const struct history_event *e, uint32_t tag)
{
    static const enum subject_kind kind[] = {[THING_P] = SUBJECT_P, [THING_M] = SUBJECT_M, [THING_G] = SUBJECT_G};
    struct history_subject s = {.kind = kind[thing_kind(tag)], .id = thing_id(tag)};
    return !tag || history_concerns(run->h, e, &s);
}

/* which: an index of rule[]; only: the tag of a subject, 0: all events. */
static struct run *begin(uint64_t seed, int which, uint32_t only)
{
    struct run *run = calloc(1, sizeof *run);
    run->md = model_new(&(struct model_config){.runq_size = REF_RING, .start_tick = 3});
    run->h = history_new(run->md, &(struct history_config){.budget = 256 << 10});
    run->r = ref_new(seed, 0);
    run->c.run = run;
    run->c.list.wanted = which ? count_sparse : count_core;
    run->c.list.only = only;
    prng_seed(&run->rand, seed, 6);
    ref_run(run->r, EVENTS);
    CHECK(run->h && run->r->nlog <= ROOM);
    return run;
}

static void end(struct run *run)
{
    ref_free(run->r);
    model_free(run->md);
    history_free(run->h);
    free(run);
}

static void add(struct run *run, uint32_t n, int which)
{
    for (; n && run->n < run->r->nlog; n--) {
        const struct ref_event *e = &run->r->log[run->n];
        struct history_event got;
        CHECK_INT(model_offer(run->md, e->m, &e->ev, "", 0), OFFER_APPLIED);
        CHECK(history_add(run->h, run->md, e->m, &e->ev, "", 0));
        CHECK(history_get(run->h, ++run->n, &got));
        run->listed[run->n - 1] = rule[which](&run->c.list, &got) && is_about(run, &got, run->c.list.only);
    }
}

/* Returns the nearest listed event; 0: none. */
static uint64_t listed_from(const struct run *run, uint64_t n, int step)
{
    while (n >= 1 && n <= run->n && !run->listed[n - 1])
        n += (uint64_t)(int64_t)step;
    return n >= 1 && n <= run->n ? n : 0;
}

/* Returns where the cursor must be: `by` listed events from the one at or before `from`. */
static uint64_t cursor_after(const struct run *run, uint64_t from, int64_t by)
{
    uint64_t at = listed_from(run, from, -1), next;
    at = at ? at : listed_from(run, from, 1);
    for (int step = by < 0 ? -1 : 1; at && by && (next = listed_from(run, at + (uint64_t)(int64_t)step, step)); by -= step)
        at = next;
    return at;
}

/* ---- frames ---- */

/* The rows are neighbours among all listed events, the cursor is one of them, and none is empty while there are more events. */
static void check_rows(const struct run *run, int rows)
{
    const struct event_list *l = &run->c.list;
    int n = 1;
    if (!l->cursor) {
        CHECK(l->n == 0 && !listed_from(run, 1, 1));
        return;
    }
    CHECK(l->n >= 1 && l->n <= rows && l->at >= 0 && l->at < l->n && l->row[l->at].number == l->cursor);
    for (; n < l->n; n++)
        CHECK_INT(l->row[n].number, listed_from(run, l->row[n - 1].number + 1, 1));
    for (int i = 0; i < l->n; i++) {
        const struct ref_event *e = &run->r->log[l->row[i].number - 1];
        CHECK(run->listed[l->row[i].number - 1] && l->row[i].m == e->m && !memcmp(&l->row[i].ev, &e->ev, sizeof e->ev));
    }
    if (n < rows)
        CHECK(!listed_from(run, l->row[0].number - 1, -1) && !listed_from(run, l->row[n - 1].number + 1, 1));
}

/* What the list remembers is what a reading of the same events finds, and its size has a limit. */
static void check_memory(const struct run *run)
{
    const struct list_found *f = &run->c.list.found;
    CHECK(f->n >= 0 && f->n <= LIST_ROWS);
    uint64_t at = f->high + 1;
    for (int i = 0; i < f->n; i++) {
        at = listed_from(run, at - 1, -1);
        CHECK_INT(f->at[i], at);
    }
    CHECK(f->low > f->high || !f->n || f->at[f->n - 1] == f->low);
}

/* Moves the cursor as keys do, reads the rows, and compares. */
static void frame(struct run *run, bool paused, int64_t by, int to_end, int rows)
{
    struct event_list *l = &run->c.list;
    struct view v = {.st = {.events = run->n, .paused = paused}};
    bool keeps = l->free && l->cursor && !(paused && l->shown != run->n);
    uint64_t from = to_end ? to_end < 0 ? 1 : run->n : keeps ? l->cursor : run->n;
    memset(run->looked, 0, sizeof run->looked);
    l->by = by;
    l->end = to_end;
    list_read(l, &v, rows, run->h);
    CHECK_INT(l->cursor, cursor_after(run, from, by));
    check_rows(run, rows);
    check_memory(run);
}

static void random_frame(struct run *run)
{
    static const int64_t moves[] = {0, 0, 1, -1, -3, 40, -40, 200, -1000, -170};
    bool paused = prng_below(&run->rand, 2);
    int64_t by = moves[prng_below(&run->rand, 10)];
    int to_end = prng_below(&run->rand, 10) ? 0 : prng_below(&run->rand, 2) ? 1 : -1;
    frame(run, paused, by, to_end, 1 + (int)prng_below(&run->rand, LIST_ROWS));
}

TEST_TIMED(the_rows_are_those_of_a_full_reading, 300)
{
    const uint32_t only[] = {0, tag_of('G', 1), tag_of('G', 40), tag_of('M', 1), tag_of('P', 1)};
    for (size_t i = 0; i < sizeof only / sizeof *only; i++)
        for (int which = 0; which < 2; which++) {
            struct run *run = begin(i + 1, which, only[i]);
            while (run->n < run->r->nlog) {
                add(run, 1 + prng_below(&run->rand, 400), which);
                random_frame(run);
            }
            for (int k = 0; k < 60; k++)
                random_frame(run);
            end(run);
        }
}

/* The list remembers what its search back has found, so it need not ask about each event again for each row. */
static void check_looks(const struct run *run, uint32_t rows)
{
    uint32_t all = 0;
    for (uint32_t i = 0; i < run->n; i++) {
        CHECK(run->looked[i] <= 3);
        all += run->listed[i] ? run->looked[i] : 0;
    }
    CHECK(all <= 2 * rows + 8);
}

TEST(a_frame_looks_at_few_events_however_long_the_run_is)
{
    for (int which = 0; which < 2; which++)
        for (int rows = 1; rows <= LIST_ROWS; rows = rows * 3 + 1) {
            struct run *run = begin(7, which, 0);
            while (run->n < run->r->nlog) {
                add(run, 100, which);
                frame(run, prng_below(&run->rand, 2), (int64_t)prng_below(&run->rand, 3) - 1, 0, rows);
                check_looks(run, (uint32_t)rows);
            }
            end(run);
        }
}
