/* What a program that dies says of its goroutines. The expected lists follow from Go's source: traceback.go (goroutineheader, tracebackothers,
 * printcreatedby), panic.go (dopanic_m), proc.go (gfget, gfput, checkdead) of the version. The conformance test compares with a real Go. */
#include "shell.h"

/* Cuts off what Go does not have and so comes last (test_who_waits.c, test_cli.c). */
static const char *of_go(char *err)
{
    char *ours = strstr(err, "\ngmpscope: wh");
    if (ours)
        *ours = '\0';
    return err;
}

/* Checks what the run writes to stderr, in both modes. */
static void writes(const char *yaml, char *generation, const char *want)
{
    const char *f = t_file("t.yaml", yaml);
    for (int i = 0; i < 2; i++) {
        struct result r = HEADLESS(f, i ? "--mode=free" : "--mode=lockstep", "--generation", generation);
        CHECK_STR(of_go(r.err), want);
        CHECK_INT(r.code, 3);
    }
}

#define MAIN "scheduler: {gomaxprocs: 1, preempt_slice: 10s}\ngoroutines:\n  - name: main\n    do: "

/* gfput and gfget are a stack: of G2 to G5 the last one started ran first, as runnext, and the others in their order. So the slots are free in
 * the order 5 2 3 4, and the next four Gs take them from the end: G6 that of G4, G7 that of G3, G8 that of G2, G9 that of G5. */
TEST(the_order_is_that_of_the_slots)
{
    writes("name: t\nchannels: [c]\n" MAIN
           "[{go: dies, count: 4}, {yield: 2}, {go: waits, count: 4}, {yield: 1}, {go: locked}, {go: nocase},\n"
           "         {yield: 1}, {recv: c}]\n"
           "  - {name: dies, do: []}\n  - {name: waits, do: [{recv: c}]}\n"
           "  - {name: locked, do: [{lock_os_thread: true}, {recv: c}]}\n  - {name: nocase, do: [{select: []}]}\n",
           "go1.20",
           "fatal error: all goroutines are asleep - deadlock!\n"
           "\ngoroutine 1 [chan receive]:\nmain.main()\n"
           "\ngoroutine 8 [chan receive]:\nmain.waits()\ncreated by main.main\n"
           "\ngoroutine 7 [chan receive]:\nmain.waits()\ncreated by main.main\n"
           "\ngoroutine 6 [chan receive]:\nmain.waits()\ncreated by main.main\n"
           "\ngoroutine 9 [chan receive]:\nmain.waits()\ncreated by main.main\n"
           "\ngoroutine 10 [chan receive, locked to thread]:\nmain.locked()\ncreated by main.main\n"
           "\ngoroutine 11 [select (no cases)]:\nmain.nocase()\ncreated by main.main\n");
}

/* `outer` has ended when its Gs are listed: the creator is the G that executed `go`. */
static const char created[] =
    "name: t\nmutexes: [mu, free]\nrwmutexes: [rw]\nwaitgroups: [wg]\nconds: [{name: cv, mutex: free}]\n" MAIN
    "[{lock: mu}, {rlock: rw}, {add: wg}, {go: outer}, {wait: wg}]\n"
    "  - {name: outer, do: [{go: locks}, {go: writes}, {go: reads}, {go: waits}]}\n"
    "  - {name: locks, do: [{lock: mu}]}\n  - {name: writes, do: [{wlock: rw}]}\n"
    "  - {name: reads, do: [{rlock: rw}]}\n  - {name: waits, do: [{lock: free}, {cond_wait: cv}]}\n";

static void waits_for(char *generation, const char *fatal, const char *const reason[4], const char *wait, const char *in)
{
    static const char *const name[] = {"locks", "writes", "reads", "waits"};
    char want[1000];
    int n = snprintf(want, sizeof want, "%s: all goroutines are asleep - deadlock!\n\ngoroutine 1 [%s]:\nmain.main()\n", fatal, wait);
    for (int i = 0; i < 4; i++)
        n += snprintf(want + n, sizeof want - (size_t)n, "\ngoroutine %d [%s]:\nmain.%s()\ncreated by main.outer%s\n", 3 + i, reason[i],
                      name[i], in);
    writes(created, generation, want);
}

TEST(reasons_in_the_words_of_the_version)
{
    static const char sema[] = "semacquire", wg[] = "sync.WaitGroup.Wait", in[] = " in goroutine 2";
    static const char *const today[] = {"sync.Mutex.Lock", "sync.RWMutex.Lock", "sync.RWMutex.RLock", "sync.Cond.Wait"};
    waits_for("go1.27", "fatal error", today, wg, in);
    waits_for("go1.24", "fatal error", today, wg, in);
    waits_for("go1.23", "fatal error", today, sema, in);
    waits_for("go1.21", "fatal error", today, sema, in);
    waits_for("go1.20", "fatal error", today, sema, "");
    waits_for("go1.13", "fatal error", (const char *[]){sema, sema, sema, "sync.Cond.Wait"}, sema, "");
    waits_for("go1.4", "fatal error", (const char *[]){sema, sema, sema, sema}, sema, "");
    waits_for("go1.0", "throw", (const char *[]){sema, sema, sema, sema}, sema, "");
}

static const char panics[] =
    "name: t\nchannels: [c]\n" MAIN
    "[{go: waits}, {yield: 1}, {go: dies}, {recv: c}]\n"
    "  - {name: waits, do: [{lock_os_thread: true}, {recv: c}]}\n  - {name: dies, do: [{panic: oh}]}\n";
#define DIES "panic: oh\n\ngoroutine 3 [running]:\nmain.dies()\ncreated by main.main\n"
#define WAIT(locked) \
    "\ngoroutine 1 [chan receive]:\nmain.main()\n\ngoroutine 2 [chan receive" locked "]:\nmain.waits()\ncreated by main.main\n"

#define IN_1 "created by main.main in goroutine 1\n"

/* Since 1.6 a panic shows one goroutine, unless GOTRACEBACK asks for more. */
TEST(a_panic_lists_the_others_up_to_1_5)
{
    writes(panics, "go1.26", "panic: oh\n\ngoroutine 3 [running]:\nmain.dies()\n" IN_1);
    writes(panics, "go1.20", DIES);
    writes(panics, "go1.13", DIES);
    writes(panics, "go1.4", DIES WAIT(", locked to thread"));
    writes(panics, "go1.0", DIES WAIT(""));
}

/* Whether the mutex is locked is known only in the run, so the file is not refused. */
#define UNLOCK "[{if: x, then: [{lock: mu}]}, {unlock: mu}]"

/* Since 1.26 a mistake of the program shows one goroutine, as a panic does. */
TEST(a_fatal_error_lists_all_up_to_1_25)
{
    static const char yaml[] =
        "name: t\nchannels: [c]\nmutexes: [mu]\nshared: [x]\n" MAIN
        "[{go: waits}, {yield: 1}, {go: dies}, {recv: c}]\n"
        "  - {name: waits, do: [{recv: c}]}\n  - {name: dies, do: " UNLOCK "}\n";
    char want[600];
    snprintf(want, sizeof want, "fatal error: sync: unlock of unlocked mutex\n%s%s", strchr(DIES, '\n') + 1, WAIT(""));
    writes(yaml, "go1.20", want);
    writes(yaml, "go1.13", want);
    static const char mine[] = "fatal error: sync: unlock of unlocked mutex\n\ngoroutine 3 [running]:\nmain.dies()\n" IN_1;
    snprintf(want, sizeof want, "%s\ngoroutine 1 [chan receive]:\nmain.main()\n\ngoroutine 2 [chan receive]:\nmain.waits()\n" IN_1, mine);
    writes(yaml, "go1.25", want);
    writes(yaml, "go1.26", mine);
}

TEST(what_runs_elsewhere_has_no_stack)
{
    const char *f = t_file("t.yaml",
                           "name: t\nmutexes: [mu]\nshared: [x]\nscheduler: {gomaxprocs: 2, preempt_slice: 10s}\ngoroutines:\n"
                           "  - {name: main, do: [{go: runs}, {compute: 5ms}, {if: x, then: [{lock: mu}]}, {unlock: mu}]}\n"
                           "  - {name: runs, do: [{compute: 1s}]}\n");
    CHECK_STR(of_go(HEADLESS(f).err),
              "fatal error: sync: unlock of unlocked mutex\n\ngoroutine 1 [running]:\nmain.main()\n\ngoroutine 2 [running]:\n"
              "\tgoroutine running on other thread; stack unavailable\ncreated by main.main\n");
}

TEST(main_that_left_alone_lists_nothing)
{
    writes("name: t\n" MAIN "[{exit: true}]\n", "go1.20", "fatal error: no goroutines (main called runtime.Goexit) - deadlock!\n");
}

TEST(a_timer_creates_in_goFunc)
{
    writes("name: t\nchannels: [c]\n" MAIN "[{after: 1ms, go: late}, {recv: c}]\n  - {name: late, do: [{recv: c}]}\n", "go1.26",
           "fatal error: all goroutines are asleep - deadlock!\n\ngoroutine 1 [chan receive]:\nmain.main()\n"
           "\ngoroutine 2 [chan receive]:\nmain.late()\ncreated by time.goFunc\n");
}

/* Go does not note when a G begins to wait. The collector notes the time at which it first finds the G waiting (markroot), and the minutes
 * count from there: G2 waited for a collection and 150 s, G3 for 150 s without one. */
TEST(minutes_count_from_the_first_collection)
{
    const char *f = t_file("t.yaml", "name: t\nchannels: [c]\n" MAIN
                                     "[{go: waits}, {sleep: 1ms}, {gc: 1ms}, {go: waits}, {sleep: 150s}, {recv: c}]\n"
                                     "  - {name: waits, do: [{recv: c}]}\n");
    static char *const generation[] = {"go1.20", "go1.13"};
    for (int i = 0; i < 2; i++)
        CHECK_STR(of_go(HEADLESS(f, "--limit=1h", "--generation", generation[i]).err),
                  "fatal error: all goroutines are asleep - deadlock!\n\ngoroutine 1 [chan receive]:\nmain.main()\n"
                  "\ngoroutine 2 [chan receive, 2 minutes]:\nmain.waits()\ncreated by main.main\n"
                  "\ngoroutine 3 [chan receive]:\nmain.waits()\ncreated by main.main\n");
}

/* A thousand are listed, and the rest is counted. */
TEST(a_long_list_is_cut)
{
    struct result r = HEADLESS(t_file("t.yaml", "name: t\nchannels: [c]\n" MAIN "[{go: waits, count: 1200}, {recv: c}]\n"
                                                "  - {name: waits, do: [{recv: c}]}\n"));
    HAS(r.err, "\ngoroutine 1000 [chan receive]:\nmain.waits()\ncreated by main.main\n\n...additional 201 goroutines elided...\n");
}
