/* Patterns: what matches, what does not, and how mistakes are reported. */
#include "base/program_text.h"
#include "model/model.h"
#include "model/query/pattern.h"
#include "t.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const programs[] = {"main", "worker", "2"};
static const char *const channels[] = {"jobs", "c.done"}, *const mutexes[] = {"mu", "jobs"};
static const struct model_objects declared = {.of = {[OBJ_CHAN] = {channels, NULL, 2}, [OBJ_MUTEX] = {mutexes, NULL, 2}}};
static const struct model_names names = {.fn = programs, .nfn = 3, .objects = &declared};

static struct ev make(int64_t time, int kind, uint32_t p, uint32_t g, uint32_t a, uint32_t b, uint32_t c, uint32_t d)
{
    return (struct ev){.time = time, .kind = (uint8_t)kind, .p = (uint16_t)p, .g = g, .a = a, .b = b, .c = c, .d = d};
}

static struct pattern *compile(int line, struct arena *a, const char *s)
{
    const char *err = NULL;
    size_t pos = 0;
    struct pattern *p = pattern_compile(a, s, &err, &pos);
    if (!p || !pattern_bind(p, a, &names, &err, &pos))
        t_fail(__FILE__, line, "\"%s\": at %zu: %s", s, pos, err);
    return p;
}

static void matches(int line, const char *s, bool want, uint32_t m, struct ev e, const char *text)
{
    struct arena a = {0};
    struct pattern *p = compile(line, &a, s);
    if (pattern_event(p, m, &e, text, text ? strlen(text) : 0) != want)
        t_fail(__FILE__, line, "\"%s\" %s %s", s, want ? "does not match" : "matches", ev_desc[e.kind].name);
    arena_fini(&a);
}
#define YES(s, m, ...) matches(__LINE__, s, true, m, make(__VA_ARGS__), NULL)
#define NO(s, m, ...) matches(__LINE__, s, false, m, make(__VA_ARGS__), NULL)

#define NOP EV_NO_P
#define STEAL 1200, EV_STEAL, 1, 9, 2, 3 << 1, 7, 4 /* thief P1, victim P2, n 3 */
#define PARK 5000, EV_G_PARK, 0, 7, 3, WAIT_REASON_CHAN_RECEIVE, 1, 0
#define WAKE 5000, EV_M_WAKE, 1, 0, 3, 9, 1, 2 /* M3, spinning, for P2 */

TEST(the_examples_of_the_contract)
{
    YES("steal thief=1 n>=2", 2, STEAL);
    NO("steal thief=0 n>=2", 2, STEAL);
    YES("g_park reason=chan_receive", 0, PARK);
    YES("* g=7", 0, PARK);
    NO("* g=7", 0, STEAL);
    YES("handoff | retake", 0, 0, EV_RETAKE, 0, 0, 1, 0, 0, 0);
    YES("handoff | retake", 0, 0, EV_HANDOFF, 0, 0, 1, 0, 0, 0);
    NO("handoff | retake", 0, PARK);
    YES("runq_overflow p=0 moved=5", 0, 0, EV_RUNQ_OVERFLOW, 0, 2, 5, 0, 0, 0);
    YES("go_create g=2", 0, 0, EV_G_CREATE, 0, 2, 1, 0, 0, 0);
    NO("g_park reason=chan_receive g=3", 0, PARK);
}

/* Of a Go program: objects are made while it runs, and lines have places. Line 1 of b.go is line 3 of the text. */
static const char *const made_channels[] = {"", "jobs", "done"};
static const struct model_objects made = {.of = {[OBJ_CHAN] = {made_channels, NULL, 3}}, .made = true};
static const struct program_text text = {
    .nlines = 6,
    .file = (struct program_file[]){{"/x/main.go", 0}, {"/x/b.go", 3}},
    .nfiles = 2,
    .op = (uint32_t[]){1, 1, 2, 4, UINT32_MAX},
    .nops = 5};
static const struct model_names of_go = {.fn = programs, .nfn = 3, .objects = &made, .text = &text};

static const char *bound(struct arena *a, const struct model_names *to, const char *s, struct pattern **p)
{
    const char *err = "";
    size_t pos = 0;
    *p = pattern_compile(a, s, &err, &pos);
    return *p && pattern_bind(*p, a, to, &err, &pos) ? "" : err;
}

static bool meets(const struct model_names *to, const char *s, struct ev e)
{
    struct arena a = {0};
    struct pattern *p;
    CHECK_STR(bound(&a, to, s, &p), "");
    bool yes = pattern_meets(p, 0, &e, NULL, 0);
    arena_fini(&a);
    return yes;
}

static void is_wrong(const struct model_names *to, const char *s, const char *want)
{
    struct arena a = {0};
    struct pattern *p;
    CHECK_STR(bound(&a, to, s, &p), want);
    arena_fini(&a);
}

#define CHAN(id) make(0, EV_CHAN_OP, 0, 1, id, CHAN_OP_PUT, 1, 1)
#define PLACE(op, d) make(0, EV_G_OP, 0, 7, 0, 0, op, d)

TEST(objects_by_name)
{
    CHECK(meets(&names, "chan_op obj=jobs", CHAN(1)));
    CHECK(!meets(&names, "chan_op obj=jobs", CHAN(2)));
    CHECK(meets(&names, "chan_op obj!=jobs", CHAN(2)));
    CHECK(meets(&names, "chan_op obj=2", CHAN(2)));
    CHECK(meets(&names, "* obj=jobs", make(0, EV_MUTEX_OP, 0, 1, 2, MUTEX_OP_LOCK, 0, 1)));
    CHECK(meets(&names, "g_park obj=c.done", make(0, EV_G_PARK, 0, 7, 3, WAIT_REASON_CHAN_RECEIVE, 2, 0)));
    is_wrong(&names, "chan_op obj=job", "there is no channel, lock or conn \"job\"; the nearest is \"jobs\"");
    is_wrong(&names, "chan_op obj<jobs", "obj has no order; only = and != fit here");
}

TEST(objects_that_a_program_makes)
{
    CHECK(meets(&of_go, "chan_op obj=jobs", CHAN(2)));
    CHECK(meets(&of_go, "chan_op obj=jobs", CHAN(5)));
    CHECK(!meets(&of_go, "chan_op obj=jobs", CHAN(6)));
    CHECK(!meets(&of_go, "chan_op obj=jobs#2", CHAN(2)));
    CHECK(meets(&of_go, "chan_op obj=jobs#2", CHAN(5)));
    is_wrong(&of_go, "chan_op obj=x", "there is no channel, lock or conn \"x\"");
}

TEST(places_in_a_program)
{
    CHECK(meets(&of_go, "main.go:2", PLACE(1, 0)));
    CHECK(!meets(&of_go, "main.go:2", PLACE(2, 0)));
    CHECK(!meets(&of_go, "main.go:2", PLACE(4, 0))); /* of the library */
    CHECK(meets(&of_go, "b.go:2 g=7", PLACE(3, 0)));
    CHECK(!meets(&of_go, "b.go:2 g=8", PLACE(3, 0)));
    CHECK(meets(&of_go, "x/main.go:3 | g_park", PLACE(2, 0)));
    CHECK(meets(&of_go, "main.go:2 g=7 | g_park", PLACE(1, PLACE_ARRIVES | NOTE_PLACE)));
    CHECK(!meets(&of_go, "*", PLACE(1, PLACE_ARRIVES | NOTE_PLACE))); /* no event */
    is_wrong(&of_go, "main.go:1", "no code begins at main.go:1; the nearest line with code is 2");
    is_wrong(&of_go, "main.go:99", "no code begins at main.go:99; the nearest line with code is 3");
    is_wrong(&of_go, "b.go:1", "no code begins at b.go:1; the nearest line with code is 2");
    is_wrong(&of_go, "c.go:1", "the program has no file \"c.go\"; it has main.go");
    is_wrong(&names, "main.go:1", "\"main.go:1\" is a place in a Go program; a scenario has none: g_op line=12 is its line 12");
}

TEST(operators)
{
    static const struct {
        const char *s;
        bool want;
    } of[] = {{"steal n=3", true},         {"steal n==3", true},       {"steal n!=3", false},       {"steal n!=2", true},
              {"steal n<3", false},        {"steal n<4", true},        {"steal n<=3", true},        {"steal n<=2", false},
              {"steal n>3", false},        {"steal n>2", true},        {"steal n>=3", true},        {"steal n>=4", false},
              {"steal n > 2 n < 4", true}, {"steal n >2 n< 3", false}, {"  steal\tn\n=\r3  ", true}};
    for (size_t i = 0; i < sizeof of / sizeof *of; i++)
        matches(__LINE__, of[i].s, of[i].want, 2, make(STEAL), NULL);
}

/* A stage of the search has only its own fields: no test of another one holds. */
TEST(fields_of_a_stage)
{
    YES("find_stage len=3 runnext=7 tick=61", 2, 10, EV_FIND_STAGE, 1, 0, FIND_LOCAL, 61, 3, 7);
    NO("find_stage len=3", 2, 10, EV_FIND_STAGE, 1, 0, FIND_GLOBAL, 0, 3, 0);
    NO("find_stage len!=3", 2, 10, EV_FIND_STAGE, 1, 0, FIND_GLOBAL, 0, 4, 0);
    YES("find_stage globq=3", 2, 10, EV_FIND_STAGE, 1, 0, FIND_GLOBAL, 0, 3, 0);
    YES("find_stage rule=no spinning=1 busy=2", 2, 10, EV_FIND_STAGE, 1, 0, FIND_DROP_P, 0, 0, 1 | 2 << 12 | SPIN_RULE_NO << 24);
    YES("find_stage needspinning=1", 2, 10, EV_FIND_STAGE, 1, 0, FIND_DROP_P, 0, 0, 1u << 28);
    YES("find_stage when<0", 2, 10, EV_FIND_STAGE, 1, 0, FIND_TIMERS, 0, EV_NONE, EV_NONE);
    YES("find_stage mcpu=1 mcpumax=4", 2, 10, EV_FIND_STAGE, NOP, 0, FIND_QUEUE, 0, 0, 1 | 4 << 16);
    YES("steal_try len=5", 2, 10, EV_STEAL_TRY, 1, 0, 0, 1, 5, 0);
}

TEST(globs)
{
    YES("*", 0, PARK);
    YES("g_*", 0, PARK);
    YES("?_park", 0, PARK);
    NO("runq_*", 0, PARK);
    YES("runq_* slot=4", 0, 0, EV_RUNQ_GET, 0, 2, 4, 0, 0, 0);
    NO("runq_* slot=4", 0, 0, EV_RUNQ_OVERFLOW, 0, 2, 4, 4, 0, 0); /* it has no slot */
    YES("* why=tick61", 0, 0, EV_GLOBQ_GET, 0, 2, 1, GLOBQ_TICK61, 1, 0);
    NO("* why=tick61", 0, 0, EV_RETAKE, 0, 0, 1, 0, 0, 0); /* of another type there */
    NO("* why=tick61", 0, PARK);
    YES("* victim=2", 0, STEAL);
    YES("* victim=2", 0, 0, EV_STEAL_TRY, 0, 0, 2, 1, 0, 0);
}

TEST(ids)
{
    YES("steal thief=P1 victim=p2 g=G9 m=M2", 2, STEAL);
    NO("steal m=M1", 2, STEAL);
    YES("* p=1", 2, STEAL);
    NO("* p=0", 2, 5, EV_M_PARK, NOP, 0, 1, 0, 0, 0);
    NO("* p<5", 2, 5, EV_M_PARK, NOP, 0, 1, 0, 0, 0);
    NO("* p>=0", 2, 5, EV_M_PARK, NOP, 0, 1, 0, 0, 0);
    YES("* p!=0", 2, 5, EV_M_PARK, NOP, 0, 1, 0, 0, 0);
    YES("* p=-", 2, 5, EV_M_PARK, NOP, 0, 1, 0, 0, 0);
    YES("m_park p=none", 2, 5, EV_M_PARK, NOP, 0, 1, 0, 0, 0);
    NO("* g<5", 2, 5, EV_M_PARK, NOP, 0, 1, 0, 0, 0);
    YES("g_start g=gs2", 0, 5, EV_G_START, 0, EV_SYSTEM_G + 1, 0, 0, 0, 0);
    YES("g_start g=s2", 0, 5, EV_G_START, 0, EV_SYSTEM_G + 1, 0, 0, 0, 0);
    YES("g_start g=1000002", 0, 5, EV_G_START, 0, EV_SYSTEM_G + 1, 0, 0, 0, 0);
    NO("g_start g=g2", 0, 5, EV_G_START, 0, EV_SYSTEM_G + 1, 0, 0, 0, 0);
    YES("go_create by=none", 0, 0, EV_G_CREATE, 0, 1, 0, 0, 0, 0);
    YES("m_start by=-", 0, 0, EV_M_START, NOP, 0, 0, EV_NONE, 0, 0);
}

/* An event's own field takes precedence over a header field of the same name. */
TEST(own_fields_first)
{
    YES("m_wake m=3 by=0", 0, WAKE);
    NO("m_wake m=0", 0, WAKE);
    YES("m_wake for=P2 spinning=true", 0, WAKE);
    YES("* m=3", 0, WAKE);
    YES("m_park m=2", 2, 5, EV_M_PARK, NOP, 0, 1, 0, 0, 0);
}

TEST(times_and_durations)
{
    YES("* time>=5us", 0, PARK);
    YES("* time=5000", 0, PARK);
    NO("* time>5us", 0, PARK);
    YES("* time<1.5ms", 0, PARK);
    YES("netpoll_wait delay=-1", 0, 0, EV_NETPOLL_WAIT, NOP, 0, 0, 0, UINT32_MAX, UINT32_MAX);
    YES("netpoll_wait delay<-1ns | netpoll_wait delay=1ms", 0, 0, EV_NETPOLL_WAIT, NOP, 0, 0, 0, 1000000, 0);
    YES("timer_fire late>=10ns when=60", 0, 70, EV_TIMER_FIRE, 1, 4, 1, 0, 60, 0);
}

TEST(programs)
{
    YES("go_create fn=worker", 0, 0, EV_G_CREATE, 0, 2, 1, 1, 0, 0);
    NO("go_create fn=worker", 0, 0, EV_G_CREATE, 0, 2, 1, 0, 0, 0);
    YES("go_create fn!=worker", 0, 0, EV_G_CREATE, 0, 2, 1, 0, 0, 0);
    YES("go_create fn=\"main\"", 0, 0, EV_G_CREATE, 0, 2, 1, 0, 0, 0);
    YES("go_create fn=2", 0, 0, EV_G_CREATE, 0, 2, 1, 2, 0, 0); /* a program may have such a name; here it also has
                                                                 * that number */
    YES("go_create fn=1", 0, 0, EV_G_CREATE, 0, 2, 1, 1, 0, 0);
}

TEST(unbound_programs_match_by_number_only)
{
    struct arena a = {0};
    const char *err;
    size_t pos;
    struct ev e = make(0, EV_G_CREATE, 0, 2, 1, 1, 0, 0);
    struct pattern *p = pattern_compile(&a, "go_create fn=worker", &err, &pos), *q = pattern_compile(&a, "go_create fn=1", &err, &pos);
    CHECK(p && !pattern_event(p, 0, &e, NULL, 0));
    CHECK(q && pattern_event(q, 0, &e, NULL, 0));
    CHECK(pattern_bind(p, &a, &names, &err, &pos) && pattern_event(p, 0, &e, NULL, 0));
    arena_fini(&a);
}

TEST(unknown_programs)
{
    struct arena a = {0};
    const char *err = NULL;
    size_t pos = 99;
    struct pattern *p = pattern_compile(&a, "g_end | go_create fn=wroker", &err, &pos);
    CHECK(p && !pattern_bind(p, &a, &names, &err, &pos));
    CHECK_INT(pos, 21);
    CHECK_STR(err, "there is no program \"wroker\"; the nearest is \"worker\"");
    arena_fini(&a);
}

TEST(texts)
{
    struct ev e = make(0, EV_PRINT, 0, 1, 1, 0, 0, 0);
    matches(__LINE__, "print text=hello", true, 0, e, "hello");
    matches(__LINE__, "print text=hello", false, 0, e, "hello!");
    matches(__LINE__, "print text=\"a | \\\"b\\\" \\\\ x3\\n\"", true, 0, e, "a | \"b\" \\ x3\n");
    matches(__LINE__, "print text=\"\"", true, 0, e, NULL);
    matches(__LINE__, "print text!=\"\"", true, 0, e, "x");
    matches(__LINE__, "print text!=x g=1", false, 0, e, "x");
    matches(__LINE__, "print text=\"你好\"", true, 0, e, "你好");
    matches(__LINE__, "* text=x", true, 0, make(0, EV_FATAL, 0, 1, 0, 0, 0, 0), "x");
}

TEST(times)
{
    static const struct {
        const char *s;
        uint64_t n;
    } of[] = {{"steal", 1},        {"steal x3", 3}, {"steal n>1 x12", 12}, {"handoff | retake x2", 2}, {"when globq > 0 x4", 4},
              {"print text=x3", 1}};
    for (size_t i = 0; i < sizeof of / sizeof *of; i++) {
        struct arena a = {0};
        CHECK_INT(pattern_times(compile(__LINE__, &a, of[i].s)), of[i].n);
        arena_fini(&a);
    }
}

/* ---- conditions ---- */

static void fold(struct model *md, uint32_t m, struct ev e)
{
    if (model_offer(md, m, &e, NULL, 0) != 0)
        t_fail(__FILE__, __LINE__, "%s: %s", ev_desc[e.kind].name, model_error(md));
}

/* P0 runs G1 on M0 and has G2, G3 in its ring; P1 is idle; G4 waits to receive. */
static struct model *state(void)
{
    struct model *md = model_new(&(struct model_config){.runq_size = 4, .start_tick = 4, .names = names});
    CHECK(md);
    fold(md, 0, make(0, EV_M_START, NOP, 0, 0, EV_NONE, 0, 0));
    fold(md, 0, make(0, EV_PROCRESIZE, NOP, 0, 0, 2, 0, 0));
    fold(md, 0, make(0, EV_G_CREATE, 0, 4, 0, 0, 0, 0));
    fold(md, 0, make(0, EV_G_START, 0, 4, 2, 0, 0, 0));
    fold(md, 0, make(0, EV_G_PARK, 0, 4, 3, WAIT_REASON_CHAN_RECEIVE, 0, 0));
    for (uint32_t g = 1; g <= 3; g++)
        fold(md, 0, make(1000, EV_G_CREATE, 0, g, 0, 0, 0, 0));
    fold(md, 0, make(1000, EV_G_START, 0, 1, 2, 0, 0, 0));
    fold(md, 0, make(1000, EV_RUNQ_PUT, 0, 2, 0, 0, 0, 0));
    fold(md, 0, make(3000, EV_RUNQ_PUT, 0, 3, 1, 0, 0, 0));
    return md;
}

TEST(conditions)
{
    static const struct {
        const char *s;
        bool want;
    } of[] = {
        {"when p0.runq >= 2 and spinning = 0", true},
        {"when p0.runq >= 4 and spinning = 0", false},
        {"when p0.runq=2", true},
        {"when P0.state = running", true},
        {"when p1.state=idle and m0.state=running", true},
        {"when g4.state = waiting and g4.reason = chan_receive", true},
        {"when g2.runnable >= 2us and g2.runnable < 2001ns", true},
        {"when g1.runnable = 0", true},
        {"when p0.tick = 6", true},
        {"when p0.runnext = -", true},
        {"when p0.m = M0 and m0.p = P0 and m0.g = G1", true},
        {"when p1.m = none", true},
        {"when p1.m < 5", false},
        {"when runnable = 2 and running = 1 and idle_p = 1 and idle_m = 0", true},
        {"when needspinning = 0", true},
        {"when needspinning = false", true},
        {"when globq > 0 or runnable > 0", true},
        {"when globq > 0 or runnable > 5", false},
        {"when globq = 0 or runnable = 2 and running = 9", true}, /* and it binds more tightly */
        {"when (globq = 0 or runnable = 2) and running = 9", false},
        {"when not globq > 0", true},
        {"when not (globq = 0 and running = 1)", false},
        {"when not not globq = 0", true},
        {"when p7.runq = 0", false}, /* there is no such P */
        {"when p7.runq != 0", false},
        {"when g99.state != dead", false},
        {"when gs1.state != dead", false},
        {"when Gs1.state = waiting or g1.state = running", true},
    };
    struct model *md = state();
    for (size_t i = 0; i < sizeof of / sizeof *of; i++) {
        struct arena a = {0};
        struct pattern *p = compile(__LINE__, &a, of[i].s);
        struct ev e = make(PARK);
        CHECK(pattern_is_when(p));
        CHECK(!pattern_event(p, 0, &e, NULL, 0));
        if (pattern_state(p, md) != of[i].want)
            t_fail(__FILE__, __LINE__, "\"%s\" should be %d", of[i].s, of[i].want);
        arena_fini(&a);
    }
    model_free(md);
}

/* G2 is runnable since 1000, G3 too; it is 3000 now, and nothing happens. When does a condition on durations change
 * its answer? */
TEST(durations_grow_without_events)
{
    static const struct {
        const char *s;
        int64_t first;
    } of[] = {
        {"when g2.runnable > 5us", 6001},
        {"when g2.runnable >= 5us", 6000},
        {"when g2.runnable = 5us", 6000},
        {"when g2.runnable != 5us", 6001}, /* true again */
        {"when not g2.runnable < 5us", 6000},
        {"when g2.runnable > 5us and g3.runnable > 7us", 8001},
        {"when g2.runnable > 7us or g3.runnable > 5us", 6001},
        {"when g2.runnable > 5us and globq > 0", -1},
        {"when g1.runnable > 5us", -1}, /* it runs */
        {"when g99.runnable > 5us", -1},
        {"when g2.runnable < 1us", -1},
        {"when globq > 0", -1},
        {"when g2.runnable > 9223372036854775807", -1},
    };
    struct model *md = state();
    for (size_t i = 0; i < sizeof of / sizeof *of; i++) {
        struct arena a = {0};
        struct pattern *p = compile(__LINE__, &a, of[i].s);
        int64_t t = model_time(md), first = -1;
        bool before = pattern_state_at(p, md, t);
        while (first < 0 && (t = pattern_change_after(p, md, t)) < INT64_MAX) {
            bool now = pattern_state_at(p, md, t);
            first = now && !before ? t : -1;
            before = now;
        }
        if (first != of[i].first)
            t_fail(__FILE__, __LINE__, "\"%s\" comes true at %lld", of[i].s, (long long)first);
        arena_fini(&a);
    }
    CHECK_INT(model_time(md), 3000);
    model_free(md);
}

TEST(events_are_no_conditions)
{
    struct model *md = state();
    struct arena a = {0};
    struct pattern *p = compile(__LINE__, &a, "*");
    CHECK(!pattern_is_when(p) && !pattern_state(p, md));
    arena_fini(&a);
    model_free(md);
}

/* ---- completion ---- */

static void take_word(void *ctx, const char *word)
{
    char *list = ctx, padded[80];
    snprintf(padded, sizeof padded, " %s ", word);
    if (!strstr(list, padded) && strlen(list) + strlen(padded) < 4000)
        strcat(list, padded);
}

TEST(words_that_may_follow)
{
    static const struct {
        const char *s;
        size_t from;
        const char *has, *has_not;
    } of[] = {
        {"", 0, " steal ", " thief "},
        {"ste", 0, " steal_try ", " g_park "},
        {"wh", 0, " when ", " steal "},
        {"steal ", 6, " thief ", " reason "},
        {"steal th", 6, " thief ", " victim "},
        {"steal thief=1 v", 14, " victim ", " thief "},
        {"g_park reason=chan", 14, " chan_receive ", " sleep "},
        {"g_park reason = ", 16, " sleep ", " g "},
        {"steal | g_p", 8, " g_park ", " when "},
        {"g_* rea", 4, " reason ", " victim "},
        {"when ", 5, " globq ", " steal "},
        {"when idle_", 5, " idle_p ", " globq "},
        {"when p3.r", 5, " p3.runq ", " p3.reason "},
        {"when globq > 0 an", 15, " and ", " or "},
        {"when globq > ", 13, "", " globq "},
        {"| w", 2, "", " when "},
    };
    for (size_t i = 0; i < sizeof of / sizeof *of; i++) {
        char list[4096] = "";
        size_t from = pattern_complete(of[i].s, strlen(of[i].s), take_word, list);
        if (from != of[i].from || !strstr(list, of[i].has) || strstr(list, of[i].has_not))
            t_fail(__FILE__, __LINE__, "\"%s\": from %zu:%s", of[i].s, from, list);
    }
}

/* ---- mistakes ---- */

TEST(mistakes)
{
    static const struct {
        const char *s;
        size_t pos;
        const char *err;
    } of[] = {
        {"", 0, "the pattern is empty; expected an event or a condition, such as steal or when globq > 0"},
        {"   ", 3, "the pattern is empty; expected an event or a condition, such as steal or when globq > 0"},
        {"stael", 0, "there is no event \"stael\"; the nearest is \"steal\""},
        {" g_creat", 1, "there is no event \"g_creat\"; the nearest is \"go_create\""},
        {"steal n>=2 and thief=1", 11,
         "\"and\" joins nothing here: a space joins the conditions of an event (steal n>=2 thief=1), | joins events (steal | handoff)"},
        {"steal n>=2 && thief=1", 11,
         "\"&&\" joins nothing here: a space joins the conditions of an event (steal n>=2 thief=1), | joins events (steal | handoff)"},
        {"steal n>=2 , thief=1", 11,
         "\",\" joins nothing here: a space joins the conditions of an event (steal n>=2 thief=1), | joins events (steal | handoff)"},
        {"steal or handoff", 6,
         "\"or\" joins nothing here: a space joins the conditions of an event (steal n>=2 thief=1), | joins events (steal | handoff)"},
        {"steal an=1", 6, "steal has no field \"an\"; there are thief, victim, n, runnext, head, m, p, g …"},
        {"steal theif=1", 6, "steal has no field \"theif\"; the nearest is \"thief\""},
        {"g_end reason=sleep", 6, "g_end has no field \"reason\"; there is fn, m, p, g, time"},
        {"* resaon=sleep", 2, "* has no field \"resaon\"; the nearest is \"reason\""},
        {"runq_* victim=1", 7, NULL},
        {"g_park reason=chan_recieve", 14, "\"chan_recieve\" is no value of reason; the nearest is \"chan_receive\""},
        {"globq_put head_or_tail=middle", 23, "\"middle\" is no value of head_or_tail; there is tail, head"},
        {"* reason=chan_recieve", 9, "\"chan_recieve\" is no value of reason; the nearest is \"chan_receive\""},
        {"steal n=many", 8, "\"many\" is no value of n; it takes a number"},
        {"steal n=99999999999999999999", 8, "\"99999999999999999999\" is no value of n; it takes a number"},
        {"steal thief=G1", 12, "\"G1\" is no value of thief; it takes a P, as 0 or P0"},
        {"steal thief=--1", 12, "\"--1\" is no value of thief; it takes a P, as 0 or P0"},
        {"* g=x7", 4, "\"x7\" is no value of g; it takes a G, as 7, G7 or Gs1"},
        {"* time>5parsec", 7, "\"5parsec\" is no value of time; it takes a duration, as 300us, 1.5ms or 2s"},
        {"g_park reason>sleep", 13, "reason has no order; only = and != fit here"},
        {"print text<x", 10, "text has no order; only = and != fit here"},
        {"steal n", 7, "after \"n\" comes one of = != < <= > >="},
        {"steal n 3", 8, "after \"n\" comes one of = != < <= > >="},
        {"steal n=", 8, "a value is missing here"},
        {"steal n= | retake", 9, "a value is missing here"},
        {"steal =3", 6, "the name of a field is missing here"},
        {"steal n ! 3", 8, "\"!\" stands only in \"!=\""},
        {"print text=\"abc", 11, "the quotation mark that opens here is never closed"},
        {"steal |", 7, "the name of an event is missing here, as steal, runq_* or *"},
        {"| steal", 0, "the name of an event is missing here, as steal, runq_* or *"},
        {"steal x3 | retake", 9, "xN stands at the very end and counts the whole pattern"},
        {"steal x3 n=1", 9, "xN stands at the very end and counts the whole pattern"},
        {"steal x0", 6, "\"x0\" is no number of times; x1 is the first"},
        {"steal x99999999999999999999", 6, "\"x99999999999999999999\" is no number of times; x1 is the first"},
        {"when", 4, "a condition is missing here, as p0.runq >= 4"},
        {"when leaks > 0", 5, "\"leaks\" is a counter; a condition has none, a query has: counter(leaks)"},
        {"when p0.runqs > 1", 5, "there is no gauge \"runqs\"; the nearest is \"runq\""},
        {"when globqueue > 1", 5, NULL},
        {"when p0.runq", 12, "after \"p0.runq\" comes one of = != < <= > >="},
        {"when p0.runq > x", 15, "\"x\" is no value of p0.runq; it takes a number"},
        {"when p0.state = runing", 16, "\"runing\" is no value of p0.state; the nearest is \"running\""},
        {"when p0.state > idle", 14, "p0.state has no order; only = and != fit here"},
        {"when g1.runnable > fast", 19, "\"fast\" is no value of g1.runnable; it takes a duration, as 300us, 1.5ms or 2s"},
        {"when p0.runq = 1 globq = 2", 17, "\"and\", \"or\" or the end of the condition is missing here"},
        {"when p0.runq = 1 and", 20, "a condition is missing here, as p0.runq >= 4"},
        {"when (p0.runq = 1", 5, "the parenthesis that opens here is never closed"},
        {"when p0.runq = 1)", 16, "\"and\", \"or\" or the end of the condition is missing here"},
    };
    for (size_t i = 0; i < sizeof of / sizeof *of; i++) {
        struct arena a = {0};
        const char *err = NULL;
        size_t pos = 999;
        if (pattern_compile(&a, of[i].s, &err, &pos))
            t_fail(__FILE__, __LINE__, "\"%s\" compiles", of[i].s);
        CHECK(err && err[0]);
        if (pos != of[i].pos || (of[i].err && strcmp(err, of[i].err) != 0))
            t_fail(__FILE__, __LINE__, "\"%s\": at %zu: %s", of[i].s, pos, err);
        arena_fini(&a);
    }
}

TEST(an_event_that_resembles_none_gets_a_list_of_the_first)
{
    char want[300] = "there is no event \"zz_*\"; there are ";
    for (int kind = 0; kind < 8; kind++)
        strcat(strcat(want, kind ? ", " : ""), ev_desc[kind].name);
    strcat(want, " …");
    struct arena a = {0};
    const char *err = NULL;
    size_t pos = 999;
    CHECK(!pattern_compile(&a, "zz_*", &err, &pos));
    CHECK_INT(pos, 0);
    CHECK_STR(err, want);
    arena_fini(&a);
}

TEST(deep_nesting_is_refused)
{
    char s[20000] = "when ";
    const char *err = NULL;
    size_t pos;
    struct arena a = {0};
    memset(s + 5, '(', sizeof s - 6);
    CHECK(!pattern_compile(&a, s, &err, &pos));
    CHECK(strstr(err, "deeply"));
    arena_fini(&a);
}

/* Whatever is written, the compiler ends and says where the mistake is; a pattern that it accepts can be evaluated. */
TEST(nonsense)
{
    static const char *const bits[] = {
        "when", "steal", "*",   "g_*", "n",  "=",      "!=",    ">", "|",   "(",    ")", "x3",   "\"", "\\", "p0.runq",
        "and",  "or",    "not", "1",   "P1", "reason", "sleep", " ", "why", "text", "-", "\xff", "fn", "[",  "!"};
    struct model *md = state();
    uint64_t taken = 0;
    srandom(1);
    for (long i = 0; i < t_count(20000, 1000000); i++) {
        struct arena a = {0};
        char s[200] = "";
        const char *err = NULL;
        size_t pos = 0;
        for (int n = (int)(random() % 9); n >= 0; n--) {
            strcat(s, bits[(size_t)random() % (sizeof bits / sizeof *bits)]);
            strcat(s, random() % 2 ? " " : "");
        }
        struct pattern *p = pattern_compile(&a, s, &err, &pos);
        CHECK(p || (err && err[0] && pos <= strlen(s)));
        for (int kind = 0; p && kind < EV_KINDS; kind++, taken++) {
            struct ev e = make(1, kind, 0, 1, 1, 1, 1, 1);
            pattern_event(p, 0, &e, "t", 1);
        }
        if (p)
            pattern_state(p, md);
        arena_fini(&a);
    }
    CHECK(taken > 0);
    model_free(md);
}

/* ---- messages ---- */

/* Each language takes the same arguments in the same order. */
static void same_conversions(const char *a, const char *b)
{
    for (;; a++, b++) {
        a += strcspn(a, "%");
        b += strcspn(b, "%");
        if (strncmp(a, b, 2))
            t_fail(__FILE__, __LINE__, "%.20s, but %.20s", a, b);
        if (!*a || !*b)
            return;
    }
}

TEST(the_messages_have_the_same_values_in_each_language)
{
    for (int id = 0; id < PATTERN_TEXTS; id++)
        for (int lang = 0; lang < LANGS; lang++)
            same_conversions(pattern_text(LANG_EN, (enum pattern_text_id)id), pattern_text((enum lang)lang, (enum pattern_text_id)id));
}

TEST(a_mistake_is_explained_in_the_language_that_is_asked_for)
{
    static const struct {
        const char *s, *want;
    } of[] = {{"staal", "没有名为“staal”的事件；最接近的是“steal”"},
              {"steal victim", "“victim”后面应为 = != < <= > >= 之一"},
              {"steal victim=x", "“x”不是 victim 的值；应为 P，如 0 或 P0"},
              {"when p0.ruqn > 1", "没有名为“ruqn”的量；最接近的是“runq”"},
              {"", "模式是空的；应为事件或条件，如 steal 或 when globq > 0"}};
    for (size_t i = 0; i < sizeof of / sizeof *of; i++) {
        struct arena a = {0};
        const char *err = "";
        size_t pos;
        CHECK(!pattern_compile_in(&a, LANG_ZH, of[i].s, &err, &pos));
        CHECK_STR(err, of[i].want);
        arena_fini(&a);
    }
}
