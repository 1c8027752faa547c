/* What the scenario interpreter costs in addition to the operations that it performs. Each loop runs twice: as a scenario, and in C
 * on the runtime's interface. The difference is the interpreter's own cost. Events are off, so nothing else is measured. */
#include "bench/micro.h"
#include "bench/common.h"
#include "scenario/scenario.h"

enum { ROUNDS = 7 };
#define TURNS 1000000
#define TEXT_OF(n) #n
#define TEXT(n) TEXT_OF(n)

/* A G's own loop: the compiler assumes nothing about memory after a turn. */
#define LOOP(...) \
    for (int64_t i = 0; i < TURNS; i++) { \
        __VA_ARGS__; \
        __asm__ volatile("" : : "r"(i) : "memory"); \
    }

static struct hchan *channel(uint32_t buffer)
{
    return rt_chan_new(rt_self_sched(), 1, buffer);
}

static void c_nothing(void *arg)
{
    (void)arg;
    LOOP((void)0)
}

static void c_channel(void *arg)
{
    struct hchan *c = channel(1);
    int64_t v = 0;
    (void)arg;
    LOOP(rt_chan_send(c, v + 1); rt_chan_recv(c, &v))
}

static void c_select(void *arg)
{
    struct hchan *c = channel(1);
    (void)arg;
    LOOP(struct rt_case k[] = {{.c = c}}; rt_select(k, 1, false))
}

static void c_mutex(void *arg)
{
    struct mutex *mu = rt_mutex_new(rt_self_sched(), 1);
    (void)arg;
    LOOP(rt_mutex_lock(mu); rt_mutex_unlock(mu))
}

static void c_waitgroup(void *arg)
{
    struct waitgroup *wg = rt_waitgroup_new(rt_self_sched(), 1);
    (void)arg;
    LOOP(rt_waitgroup_add(wg, 1); rt_waitgroup_add(wg, -1))
}

static void c_yield(void *arg)
{
    (void)arg;
    LOOP(rt_gosched())
}

static void child(void *arg)
{
    rt_waitgroup_add(arg, -1);
}

static void c_go(void *arg)
{
    struct waitgroup *wg = rt_waitgroup_new(rt_self_sched(), 1);
    (void)arg;
    LOOP(rt_waitgroup_add(wg, 1); rt_go(child, wg, NULL, 1, 0); rt_waitgroup_wait(wg))
}

static void producer(void *arg)
{
    LOOP(rt_chan_send(arg, i))
    rt_chan_close(arg);
}

static void c_range(void *arg)
{
    struct hchan *c = channel(128);
    (void)arg;
    rt_go(producer, c, NULL, 1, 0);
    for (int64_t v; rt_chan_recv(c, &v);)
        ;
}

#define SCENARIO(main) \
    "name: interp\n" \
    "scheduler: {gomaxprocs: 1}\n" \
    "channels: [{name: c, buffer: 1}, {name: many, buffer: 128}]\n" \
    "mutexes: [mu]\n" \
    "waitgroups: [wg]\n" \
    "shared: [s]\n" \
    "goroutines:\n" \
    "  - {name: child, do: [{done: wg}]}\n" \
    "  - {name: producer, do: [{loop: " TEXT(TURNS) ", as: k, do: [{send: many, value: k}]}, {close: many}]}\n" \
    "  - {name: main, do: [{set: v, to: 1}, " main "]}\n"
#define SCENARIO_LOOP(body) SCENARIO("{loop: " TEXT(TURNS) ", do: [" body "]}")

static const struct program {
    const char *name, *scenario;
    rt_fn *c;
    const char *aim;
} programs[] = {
    {"loop, no operation", SCENARIO_LOOP(""), c_nothing, ""},
    {"set: v, to: v + 1", SCENARIO_LOOP("{set: v, to: v + 1}"), c_nothing, ""},
    {"set of a shared integer", SCENARIO_LOOP("{set: s, to: s + 1}"), c_nothing, ""},
    {"if: v > 2, one operation", SCENARIO_LOOP("{if: v > 2, else: [{set: v, to: 1}]}"), c_nothing, ""},
    {"send and recv", SCENARIO_LOOP("{send: c}, {recv: c}"), c_channel, "<= 15"},
    {"send of v + 1 and recv as v", SCENARIO_LOOP("{send: c, value: v + 1}, {recv: c, as: v}"), c_channel, "<= 15"},
    {"send as k in one G, range as v in another", SCENARIO("{go: producer}, {range: many, as: v}"), c_range, ""},
    {"select with a default", SCENARIO_LOOP("{select: [{recv: c}], default: []}"), c_select, ""},
    {"lock and unlock", SCENARIO_LOOP("{lock: mu}, {unlock: mu}"), c_mutex, ""},
    {"add and done", SCENARIO_LOOP("{add: wg}, {done: wg}"), c_waitgroup, ""},
    {"yield", SCENARIO_LOOP("{yield: 1}"), c_yield, ""},
    {"add, go, wait, and done in the new G", SCENARIO_LOOP("{add: wg}, {go: child}, {wait: wg}"), c_go, ""},
};

/* Runs s to its end. Returns the CPU time of a turn, of all threads; negative: the run ended badly. */
static double run(struct sched *s)
{
    int how = -1;
    int64_t t = clock_ns(CLOCK_PROCESS_CPUTIME_ID);
    if (!s || rt_start(s) != 0)
        return -1;
    conductor_run(rt_conductor(s));
    while (!rt_ended(s, &how) || !conductor_wait_stopped(rt_conductor(s), 0))
        conductor_wait_stopped(rt_conductor(s), 100);
    t = clock_ns(CLOCK_PROCESS_CPUTIME_ID) - t;
    return how == ENDED_MAIN_RETURNED ? (double)t / TURNS : -1;
}

static struct rt_config config(const struct scenario *sc)
{
    struct rt_config cfg = scenario_config(sc);
    cfg.mode = MODE_FREE;
    cfg.level = EV_OFF;
    cfg.objects = false;
    return cfg;
}

static double run_scenario(const struct scenario *sc)
{
    struct rt_config cfg = config(sc);
    struct scenario_run *r = scenario_run_new(sc, &cfg);
    double ns = r ? run(scenario_run_sched(r)) : -1;
    scenario_run_free(r);
    return ns;
}

static double run_c(const struct scenario *sc, rt_fn *fn)
{
    struct rt_config cfg = config(sc);
    cfg.main_fn = fn;
    struct sched *s = rt_new(&cfg);
    double ns = run(s);
    rt_stop(s);
    rt_free(s);
    return ns;
}

static void interp_row(const struct program *p)
{
    struct samples scenario = {.n = 0}, c = {.n = 0};
    struct scenario *sc = program_load_text(p->scenario);
    for (int i = 0; sc && i < ROUNDS; i++) {
        double a = run_scenario(sc), b = run_c(sc, p->c);
        if (a < 0 || b < 0) {
            micro_failed(p->name, "the run ended badly");
            break;
        }
        sample(&scenario, a);
        sample(&c, b);
    }
    micro_difference(p->name, "ns", &scenario, &c, p->aim);
    if (sc)
        scenario_free(sc);
}

void micro_interp(void)
{
    for (size_t i = 0; i < sizeof programs / sizeof *programs; i++)
        interp_row(&programs[i]);
}
