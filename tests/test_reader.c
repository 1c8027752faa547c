/* Readers (engine/reader.h): each gets what it asked for, in both modes. The program's 500 locks, 200 sends and 3 lines are counted. */
#include "engine/engine.h"
#include "load.h"

#include <stdlib.h>
#include <string.h>

enum { LOCKS = 500, LINES = 3 };

static const char program[] =
    "name: t\n"
    "channels: [c]\n"
    "mutexes: [mu]\n"
    "goroutines:\n"
    "  - name: main\n"
    "    do:\n"
    "      - go: other\n"
    "      - {loop: 500, do: [{lock: mu}, {unlock: mu}]}\n"
    "      - {loop: 200, do: [{send: c}]}\n"
    "      - {loop: 3, do: [{print: line}]}\n"
    "  - name: other\n"
    "    do: [{loop: 200, do: [{recv: c}]}]\n";

/* What a reader saw. */
struct seen {
    const bool *kinds; /* of the reader; NULL: it must see every event */
    uint64_t n, last, kind[EV_KINDS], details, rounds;
    uint64_t records, recorded; /* calls of record(), and the events in them */
    uint64_t passes, places, ends;
    int how;
    bool exact; /* at each event the model had exactly the events up to it */
    bool takes, good;
};

static void note(struct seen *s, const struct model *md, const struct ev *e)
{
    s->kind[e->kind]++;
    s->details += ev_level_of[e->kind] == EV_DETAIL;
    s->rounds += ev_ends_round(e->kind);
    s->exact &= s->kinds || model_counters(md)->rounds == s->rounds;
    CHECK(!s->kinds || s->kinds[e->kind]);
    CHECK(!s->ends);
}

static bool see(void *ctx, const struct merged_event *at)
{
    struct seen *s = ctx;
    CHECK(s->kinds ? at->number > s->last : at->number == s->last + 1);
    s->last = at->number;
    s->n++;
    note(s, at->md, at->e);
    return s->good;
}

static bool see_record(void *ctx, const struct model *md, uint32_t m, const struct ev *e, uint32_t n)
{
    struct seen *s = ctx;
    (void)m;
    s->records++;
    s->recorded += n;
    s->n += n;
    s->last += n;
    for (uint32_t i = 0; i < n; i++)
        note(s, md, &e[i]);
    return s->good;
}

static bool take(void *ctx, uint32_t n)
{
    return n == 1 || ((struct seen *)ctx)->takes;
}

static void pass(void *ctx, const struct model *md, int64_t time)
{
    struct seen *s = ctx;
    s->passes++;
    (void)md, (void)time;
}

static bool place(void *ctx, uint32_t g, uint32_t op)
{
    (void)g, (void)op;
    ((struct seen *)ctx)->places++;
    return true;
}

static bool finish(void *ctx, const struct model *md, int how)
{
    struct seen *s = ctx;
    s->ends++;
    s->how = how;
    CHECK(s->kinds || model_counters(md)->rounds == s->rounds);
    return true;
}

static struct reader reader_of(struct seen *s, unsigned needs, const bool *kinds)
{
    *s = (struct seen){.kinds = kinds, .exact = true, .takes = true, .good = true, .how = -1};
    return (struct reader){.ctx = s, .needs = needs, .kinds = kinds, .event = see, .end = finish, .lack = "cannot see"};
}

/* Runs the program with one reader, which sees all events unless it asks for some kinds. */
static void run(const struct reader *r, enum conductor_mode mode, bool live)
{
    char err[200];
    struct scenario *sc = load(t_file("reader.yaml", program));
    struct engine_config c = {.scenario = sc, .rt = scenario_config(sc), .limit = INT64_MAX, .max_events = UINT64_MAX, .live = live};
    c.readers = r;
    c.nreaders = 1;
    c.rt.mode = mode;
    struct engine *e = engine_new(&c, err, sizeof err);
    CHECK(e);
    engine_drive(e, &(struct drive){.audit = false});
    CHECK(!engine_failed(e));
    CHECK_INT(e->how, ENDED_MAIN_RETURNED);
    const struct seen *s = r->ctx;
    CHECK(s->kinds || s->n == e->events);
    CHECK_INT(s->ends, 1);
    CHECK_INT(s->how, ENDED_MAIN_RETURNED);
    engine_free(e);
    scenario_free(sc);
}

static uint64_t operations(const struct seen *s)
{
    return s->kind[EV_MUTEX_OP];
}

static const enum conductor_mode modes[] = {MODE_LOCKSTEP, MODE_FREE};

TEST(a_reader_without_needs_sees_each_event_once)
{
    for (int i = 0; i < 2; i++) {
        struct seen s;
        struct reader r = reader_of(&s, 0, NULL);
        run(&r, modes[i], false);
        CHECK_INT(s.kind[EV_PRINT], LINES);
        CHECK_INT(s.kind[EV_G_OP], 0);
        CHECK(modes[i] == MODE_LOCKSTEP ? s.details > 0 : s.details == 0); /* lockstep records details in any case */
        CHECK_INT(s.places + s.passes, 0);
    }
}

TEST(details_are_recorded_for_the_reader_that_needs_them)
{
    for (int i = 0; i < 2; i++) {
        struct seen s;
        struct reader r = reader_of(&s, READS_DETAILS, NULL);
        run(&r, modes[i], false);
        CHECK_INT(operations(&s), 2 * LOCKS);
        CHECK_INT(s.kind[EV_G_OP], 0);
    }
}

TEST(each_operation_is_an_event_for_the_reader_that_needs_it)
{
    for (int i = 0; i < 2; i++) {
        struct seen s;
        struct reader r = reader_of(&s, READS_EACH, NULL);
        run(&r, modes[i], true);
        CHECK_INT(operations(&s), 2 * LOCKS);
        r = reader_of(&s, READS_DETAILS, NULL);
        run(&r, modes[i], true); /* a screen shows details, but not each operation */
        CHECK(modes[i] == MODE_LOCKSTEP ? operations(&s) == 2 * LOCKS : operations(&s) > 0 && operations(&s) < LOCKS);
    }
}

TEST(states_are_exact_for_the_reader_that_needs_them)
{
    for (int i = 0; i < 2; i++) {
        struct seen s;
        struct reader r = reader_of(&s, READS_STATES, NULL);
        r.passes = pass;
        r.record = see_record;
        run(&r, modes[i], false);
        CHECK(s.exact);
        CHECK_INT(s.records, 0);
        CHECK(s.passes >= s.n);
        CHECK_INT(operations(&s), 2 * LOCKS); /* what changes a state is recorded for it, too */
    }
}

TEST(places_are_events_for_the_reader_that_needs_them)
{
    for (int i = 0; i < 2; i++) {
        struct seen s;
        struct reader r = reader_of(&s, READS_PLACES | READS_DETAILS, NULL);
        r.place = place;
        run(&r, modes[i], false);
        CHECK(s.kind[EV_G_OP] >= 2 * LOCKS);
        CHECK_INT(s.places, 0);
        r = reader_of(&s, READS_DETAILS, NULL);
        r.place = place;
        run(&r, modes[i], true); /* a screen in lockstep shows places, which are no events */
        CHECK_INT(s.kind[EV_G_OP], 0);
        CHECK(modes[i] == MODE_LOCKSTEP ? s.places >= 2 * LOCKS : s.places == 0);
    }
}

TEST(a_reader_of_kinds_sees_no_others)
{
    static const bool kinds[EV_KINDS] = {[EV_PRINT] = true, [EV_G_PARK] = true, [EV_G_START] = true};
    for (int i = 0; i < 2; i++) {
        struct seen all, some;
        struct reader r = reader_of(&all, 0, NULL);
        run(&r, modes[i], false);
        r = reader_of(&some, 0, kinds);
        run(&r, modes[i], false);
        CHECK_INT(some.kind[EV_PRINT], LINES);
        CHECK(some.kind[EV_G_PARK] && some.kind[EV_G_START]);
        CHECK_INT(some.n, some.kind[EV_PRINT] + some.kind[EV_G_PARK] + some.kind[EV_G_START]);
        CHECK(modes[i] != MODE_LOCKSTEP || some.kind[EV_G_START] == all.kind[EV_G_START]);
    }
}

/* What an M did in one go comes together, unless the reader needs a state in between. */
TEST(a_record_comes_whole_to_the_reader_that_takes_it)
{
    struct seen s;
    struct reader r = reader_of(&s, 0, NULL);
    r.record = see_record;
    r.takes = take;
    run(&r, MODE_FREE, false);
    CHECK(s.recorded > s.records);
    r = reader_of(&s, 0, NULL);
    r.record = see_record;
    r.takes = take;
    s.takes = false;
    run(&r, MODE_FREE, false);
    CHECK_INT(s.recorded, s.records);
    CHECK(s.exact);
}

TEST(a_reader_without_memory_ends_the_run)
{
    for (int i = 0; i < 2; i++) {
        char err[200];
        struct seen s;
        struct reader r = reader_of(&s, 0, NULL);
        struct scenario *sc = load(t_file("reader.yaml", program));
        struct engine_config c = {.scenario = sc, .rt = scenario_config(sc), .limit = INT64_MAX, .max_events = UINT64_MAX};
        s.good = false;
        c.readers = &r;
        c.nreaders = 1;
        c.rt.mode = modes[i];
        struct engine *e = engine_new(&c, err, sizeof err);
        CHECK(e);
        engine_drive(e, &(struct drive){.audit = false});
        CHECK_STR(e->failure, "cannot see: Cannot allocate memory");
        CHECK_INT(engine_exit_code(e, true), 2);
        engine_free(e);
        scenario_free(sc);
    }
}

/* One that takes a whole record says what it lacks, also beside one that sees the events one by one. */
TEST(a_lack_is_not_lost_beside_another_reader)
{
    struct readers list = {.n = 0};
    struct seen whole, single;
    struct ev e[2] = {{.kind = EV_WAKEP}, {.kind = EV_WAKEP}};
    static const bool kinds[EV_KINDS] = {[EV_WAKEP] = true};
    struct reader takes = reader_of(&whole, 0, kinds);
    takes.record = see_record;
    takes.lack = "cannot take";
    CHECK(readers_add(&list, takes) && readers_add(&list, reader_of(&single, 0, kinds)));
    CHECK(!readers_record(&list, NULL, 1, 0, e, 2));
    whole.good = false;
    CHECK_STR(readers_record(&list, NULL, 3, 0, e, 2), "cannot take");
    whole.good = true;
    single.good = false;
    CHECK_STR(readers_record(&list, NULL, 5, 0, e, 2), "cannot see");
}

TEST(a_reader_that_left_sees_nothing_more)
{
    struct readers list = {.n = 0};
    struct seen a, b;
    struct ev e = {.kind = EV_WAKEP};
    struct merged_event at = {.number = 1, .e = &e};
    static const bool kinds[EV_KINDS] = {[EV_WAKEP] = true};
    CHECK(readers_add(&list, reader_of(&a, READS_STATES, kinds)) && readers_add(&list, reader_of(&b, READS_PLACES, kinds)));
    CHECK_INT(readers_need(&list), READS_STATES | READS_DETAILS | READS_PLACES);
    CHECK(!readers_event(&list, &at));
    readers_remove(&list, &a);
    at.number = 2;
    CHECK(!readers_event(&list, &at));
    CHECK_INT(a.n, 1);
    CHECK_INT(b.n, 2);
    CHECK_INT(readers_need(&list), READS_PLACES);
    while (list.n < READERS_MAX)
        CHECK(readers_add(&list, reader_of(&a, 0, kinds)));
    CHECK(!readers_add(&list, reader_of(&a, 0, kinds)));
}
