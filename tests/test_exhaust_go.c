/* --exhaust of Go programs. Tiny programs are generated in both languages: they have the same classes of schedules and the same outcomes, and the
 * search that leaves out orders of independent steps finds the same as the one that tries every order. EXHAUST_PROGRAMS as in test_exhaust.c. */
#include "exhaust.h"

#define PLAIN_MOST "5000"  /* schedules of a program whose every order is tried, */
#define REDUCED_MOST "800" /* and of one whose classes are */

struct step {
    const char *yaml, *go;
};

/* Appends n random steps to both texts. */
static void steps(const struct step *of, uint32_t kinds, uint32_t n, char *yaml, char *go)
{
    for (; n; n--) {
        const struct step *s = &of[prng_below(&rand_of, kinds)];
        sprintf(yaml + strlen(yaml), "%s%s", yaml[strlen(yaml) - 1] == '[' ? "" : ", ", s->yaml);
        sprintf(go + strlen(go), "\t%s\n", s->go);
    }
}

/* Writes the program in both languages. Returns its number of Ps. */
static uint32_t write_both(uint64_t number, const char **yaml, const char **go)
{
    static const struct step of_main[] = {
        {"{print: \"a{x}\"}", "fmt.Printf(\"a%d\\n\", x)"},
        {"{set: x, to: \"x + 1\"}", "x++"},
        {"{lock: mu}, {unlock: mu}", "mu.Lock()\n\tmu.Unlock()"},
        {"{once: o, do: [{print: A}]}, {print: a}", "o.Do(func() { fmt.Println(\"A\") })\n\tfmt.Println(\"a\")"},
        {"{rand: r, n: 2}, {print: \"{r}\"}", "fmt.Println(rand.Int63n(2))"},
        {"{send: c}", "c <- 0"},
        {"{sleep: 1us}", "time.Sleep(time.Microsecond)"},
        {"{rlock: rw}, {runlock: rw}", "rw.RLock()\n\trw.RUnlock()"},
        {"{send: d}", "d <- 0"},
        {"{select: [{send: c, do: [{print: c}]}, {send: d, do: [{print: d}]}]}",
         "select {\n\tcase c <- 0:\n\t\tfmt.Println(\"c\")\n\tcase d <- 0:\n\t\tfmt.Println(\"d\")\n\t}"}};
    static const struct step of_w[] = {
        {"{print: \"b{x}\"}", "fmt.Printf(\"b%d\\n\", x)"},
        {"{set: x, to: \"x + 2\"}", "x += 2"},
        {"{recv: c}", "<-c"},
        {"{lock: mu}", "mu.Lock()"},
        {"{yield: 1}", "runtime.Gosched()"},
        {"{recv: d}", "<-d"},
        {"{sleep: 1us}", "time.Sleep(time.Microsecond)"},
        {"{wlock: rw}", "rw.Lock()"},
        {"{once: o, do: [{print: B}]}", "o.Do(func() { fmt.Println(\"B\") })"}};
    static char y[4000], g[4000];
    prng_seed(&rand_of, number, PRNG_FINE);
    uint32_t procs = 1 + prng_below(&rand_of, 3), others = 1 + prng_below(&rand_of, 2);
    sprintf(y,
            "name: g\nscheduler: {gomaxprocs: %u}\nmutexes: [mu]\nrwmutexes: [rw]\nonces: [o]\nchannels: [{name: c, buffer: 1}, {name: d, "
            "buffer: 1}]\nshared: [x]\ngoroutines:\n  - {name: main, do: [{go: w, count: %u}",
            procs, others);
    sprintf(
        g,
        "package main\n\nimport (\n\t\"fmt\"\n\t\"math/rand\"\n\t\"runtime\"\n\t\"sync\"\n\t\"time\"\n)\n\nvar (\n\tx int\n\tmu sync.Mutex\n"
        "\trw sync.RWMutex\n\to sync.Once\n\tc, d = make(chan int, 1), make(chan int, 1)\n\t_ = fmt.Println\n\t_ = rand.Int63n\n"
        "\t_ = runtime.Gosched\n\t_ = time.Sleep\n)\n\nfunc main() {\n%s",
        others == 1 ? "\tgo w()\n" : "\tgo w()\n\tgo w()\n");
    steps(of_main, sizeof of_main / sizeof *of_main, prng_below(&rand_of, 4), y, g);
    strcat(y, "]}\n  - {name: w, do: [");
    strcat(g, "}\n\nfunc w() {\n");
    steps(of_w, sizeof of_w / sizeof *of_w, 1 + prng_below(&rand_of, 2), y, g);
    strcat(y, "]}\n");
    strcat(g, "}\n");
    *yaml = t_file("g.yaml", y);
    *go = t_file("g.go", g);
    return procs;
}

TEST_TIMED(go_programs_have_the_classes_of_scenarios, 20000)
{
    need_go();
    static const char *const query[] = {"order(print .text)", "value(program_end .how)"};
    const char *asked = getenv("EXHAUST_PROGRAMS");
    int wanted = asked ? atoi(asked) : 5, compared = 0, fewer = 0, several = 0;
    for (uint64_t number = 1; compared < wanted && number < 30 * (uint64_t)wanted; number++) {
        const char *yaml, *go;
        char plain[4000] = "", reduced[4000], scenario[4000], same[100], every[100];
        long all = 0, classes = 0, of_scenario = 0;
        uint32_t procs = write_both(number, &yaml, &go);
        snprintf(same, sizeof same, "--boot bare --procs %u --seeds " REDUCED_MOST, procs);
        snprintf(every, sizeof every, "--boot bare --procs %u --every-order --seeds " PLAIN_MOST, procs);
        for (size_t q = 0; q < sizeof query / sizeof *query; q++) {
            values(yaml, query[q], "--generation go1.26 --seeds " REDUCED_MOST, scenario, sizeof scenario, &of_scenario);
            if (!scenario[0])
                break;
            values(go, query[q], same, reduced, sizeof reduced, &classes);
            if (strcmp(scenario, reduced) || classes != of_scenario)
                fprintf(stderr, "program %llu: %ld and %ld classes:\n%s", (unsigned long long)number, of_scenario, classes,
                        shell("cat g.yaml g.go")->out);
            CHECK_STR(reduced, scenario);
            CHECK_INT(classes, of_scenario);
            values(go, query[q], every, plain, sizeof plain, &all);
            if (!plain[0])
                break;
            CHECK_STR(reduced, plain);
            CHECK(classes <= all);
        }
        if (!plain[0] || all < 2) /* too many schedules, or only one */
            continue;
        compared++;
        fewer += classes < all;
        several += strstr(reduced, "\n") != strrchr(reduced, '\n');
    }
    fprintf(stderr, "%d programs compared, %d with fewer classes than orders, %d that end in several ways\n", compared, fewer, several);
    CHECK_INT(compared, wanted);
    CHECK(fewer > 0);
}
