/* The interpreter of program forms as a citizen of the conductor: the clock, preemption, points, and what it notes of shared memory. The forms are written here, so
 * no Go is needed. */
#include "scenario/vm/vm_internal.h"
#include "shell.h"
#include "vm.h"
#include <inttypes.h>

#define HEAD \
    "gmpscope-program 1\ngo 1.26\nfile 0 \"main.go\"\ntext 0 \"\"\nstring 0 \"\"\nstring 1 \"x\"\nstring 2 \"time.sleep\"\n" \
    "type 0 string 2 33 \"runtime.runtimeError\"\nglobal 0 1 \"main.x\"\n"
#define TAIL "error 0\nmain 0\n"

/* for i := 0; i < n; i++ {} with the cells 0, 1 and 2. */
#define COUNT(n) \
    "i const 0 0 0 0 0 4 1 0\ni const 1 " #n \
    " 0 0 0 4 1 0\ni const 2 1 0 0 0 4 1 0\ni lt 3 0 1 4 0 4 1 0\ni jz 3 7 0 0 0 4 1 0\ni add 0 0 2 4 0 4 1 0\n" \
    "i back 3 0 0 0 0 4 1 0\n"

static struct form *load(const char *text)
{
    char err[300];
    struct form *f = form_load(text, strlen(text), err, sizeof err);
    if (!f)
        t_fail(__FILE__, __LINE__, "%s", err);
    return f;
}

static struct rt_config config(enum rt_generation gen)
{
    return (struct rt_config){
        .gomaxprocs = 1,
        .generation = gen,
        .module = gen,
        .async_preempt = gen < GO1_13,
        .seed = 1,
        .mode = MODE_LOCKSTEP,
        .level = EV_DETAIL};
}

static struct form_run run_text(const char *text, struct rt_config cfg)
{
    struct form *f = load(text);
    struct form_run r = form_run(f, cfg, 1 << 24, 100000);
    form_free(f);
    return r;
}

TEST(a_simple_operation_takes_a_nanosecond)
{
    struct form_run r = run_text(HEAD "func 0 \"main.main\" 0 0 -1 4 0 3\n" COUNT(1000000) "i ret 0 0 0 0 0 5 1 0\n" TAIL, config(GO1_26));
    CHECK_INT(r.how, ENDED_MAIN_RETURNED);
    CHECK(r.last >= 4000000 && r.last < 4100000); /* scenario time: 4 operations a turn, and the start */
}

/* main starts a loop without an end and sleeps. */
#define SPINS \
    HEAD \
        "func 0 \"main.main\" 0 0 -1 1 0 3\ni go 1 0 0 0 0 4 1 0\ni const 0 1000 0 0 0 5 1 0\ni sys 2 0 0 0 0 5 1 0\ni ret 0 0 0 0 0 6 1 0\n" \
        "func 1 \"main.spin\" 0 0 -1 1 0 8\ni const 0 0 0 0 0 9 1 0\ni back 0 0 0 0 0 9 1 0\ni ret 0 0 0 0 0 9 1 0\n" TAIL

TEST(a_loop_without_calls_is_preempted)
{
    struct form_run r = run_text(SPINS, config(GO1_26));
    CHECK_INT(r.how, ENDED_MAIN_RETURNED);
    CHECK(r.kinds[EV_G_PREEMPT] > 0);
    CHECK(r.last >= 10000000 && r.last < 40000000); /* a slice, and what sysmon needs to see it */
}

TEST(before_1_14_it_is_not_but_a_stop_ends_it)
{
    struct form *f = load(SPINS);
    struct form_run r = form_run(f, config(GO1_13), 1 << 24, 300);
    CHECK_INT(r.how, -1);
    CHECK_INT(r.kinds[EV_G_PREEMPT], 0);
    form_free(f);
}

TEST(a_call_is_a_safe_point_in_each_generation)
{
    const char *calls = HEAD
        "func 0 \"main.main\" 0 0 -1 1 0 3\ni go 1 0 0 0 0 4 1 0\ni const 0 1000 0 0 0 5 1 0\ni sys 2 0 0 0 0 5 1 0\ni ret 0 0 0 0 0 6 1 0\n"
        "func 1 \"main.spin\" 0 0 -1 1 0 8\ni call 2 1 0 0 0 9 1 0\ni back 0 0 0 0 0 9 1 0\ni ret 0 0 0 0 0 9 1 0\n"
        "func 2 \"main.f\" 0 0 -1 1 0 8\ni ret 0 0 0 0 0 9 1 0\n" TAIL;
    struct form_run r = run_text(calls, config(GO1_13));
    CHECK_INT(r.how, ENDED_MAIN_RETURNED);
    CHECK_INT(r.kinds[EV_G_PREEMPT], 1);
}

/* x++ on main.x, which is at the cell that cell 0 names. */
#define ADD "i global 0 0 0 0 0 9 1 0\ni load 1 0 1 0 0 9 1 1\ni const 2 1 0 0 0 9 1 0\ni add 1 1 2 4 0 9 1 0\ni store 0 1 1 0 0 9 1 1\n"

TEST(only_what_another_g_can_reach_is_noted)
{
    struct rt_config cfg = config(GO1_26);
    cfg.races = true;
    struct form_run alone = run_text(HEAD "func 0 \"main.main\" 0 0 -1 3 0 3\n" ADD "i ret 0 0 0 0 0 6 1 0\n" TAIL, cfg);
    CHECK_INT(alone.reads + alone.writes, 0); /* no other G is there */
    const char *own = HEAD
        "func 0 \"main.main\" 0 0 -1 3 0 3\ni go 1 0 0 0 0 4 1 0\ni new 0 1 1 0 0 5 1 0\ni const 1 7 0 0 0 5 1 0\n"
        "i store 0 1 1 0 0 5 1 1\ni load 1 0 1 0 0 5 1 1\ni ret 0 0 0 0 0 6 1 0\n"
        "func 1 \"main.g\" 0 0 -1 3 0 8\ni ret 0 0 0 0 0 9 1 0\n" TAIL;
    struct form_run r = run_text(own, cfg);
    CHECK_INT(r.reads + r.writes, 0); /* nobody else has its address */
    /* the same with the object in a global: it is shared when its address is stored, and so is the object that it leads to */
    const char *let_out = HEAD
        "func 0 \"main.main\" 0 0 -1 5 0 3\ni go 1 0 0 0 0 4 1 0\ni new 0 1 1 0 0 5 1 0\ni new 1 1 1 0 0 5 1 0\n"
        "i store 0 1 1 0 0 5 1 1\ni global 2 0 0 0 0 5 1 0\ni store 2 0 1 0 0 6 1 1\ni load 3 1 1 0 0 7 1 1\ni ret 0 0 0 0 0 6 1 0\n"
        "func 1 \"main.g\" 0 0 -1 3 0 8\ni ret 0 0 0 0 0 9 1 0\n" TAIL;
    r = run_text(let_out, cfg);
    CHECK_INT(r.writes, 1);
    CHECK_INT(r.reads, 1);
}

TEST(integers_at_their_ends)
{
    const char *text = HEAD
        "func 0 \"main.main\" 0 0 -1 4 0 3\ni const 0 -9223372036854775808 0 0 0 4 1 0\ni const 1 -1 0 0 0 4 1 0\ni div 2 0 1 4 0 4 1 0\n"
        "i rem 2 0 1 4 0 4 1 0\ni neg 2 0 4 0 0 4 1 0\ni mul 2 0 1 4 0 4 1 0\ni const 1 200 0 0 0 4 1 0\ni shl 2 0 1 4 4 4 1 0\n"
        "i shr 2 0 1 4 4 4 1 0\ni const 1 1152921504606846976 0 0 0 4 1 0\ni const 2 0 0 0 0 4 1 0\ni makeslice 1 1 -1 4096 0 4 1 0\n"
        "i ret 0 0 0 0 0 6 1 0\n" TAIL;
    struct form_run r = run_text(text, config(GO1_26));
    CHECK(strstr(r.said, "makeslice: len out of range"));
}

/* An address may be any cells of the program's: a lock there has as many readers as the third says. It must not take the lock so often. */
TEST(a_lock_of_foreign_bits_has_no_readers_by_the_million)
{
    const char *text = HEAD
        "string 3 \"sync.rwUnlock\"\nfunc 0 \"main.main\" 0 0 -1 4 0 3\ni new 0 3 1 0 0 4 1 0\ni const 1 8026094034034136243 0 0 0 4 1 0\n"
        "i store 0 1 1 2 0 4 1 0\ni sys 3 0 0 0 0 5 1 0\ni ret 0 0 0 0 0 6 1 0\n" TAIL;
    struct form_run r = run_text(text, config(GO1_26));
    CHECK(strstr(r.said, "RWMutex with 8026094034034136243 readers"));
}

/* No program of Go has the address of a record of its deferred calls, but a form can say any number: here those of the first cells. */
TEST(a_deferred_call_that_was_overwritten_ends_the_run)
{
    char text[9000];
    size_t n = (size_t)snprintf(text, sizeof text, HEAD "func 0 \"main.main\" 0 0 -1 4 0 3\ni defer 1 0 0 0 0 4 1 0\n");
    for (int cell = 1; cell < 64; cell++)
        n += (size_t)snprintf(
            text + n, sizeof text - n, "i const 0 %" PRId64 " 0 0 0 5 1 0\ni const 1 80260940340 0 0 0 5 1 0\ni store 0 1 1 0 0 5 1 1\n",
            VM_FIRST + cell);
    snprintf(text + n, sizeof text - n,
             "i defers 0 0 0 0 0 6 1 0\ni ret 0 0 0 0 0 6 1 0\nfunc 1 \"main.f\" 0 0 -1 1 0 8\ni ret 0 0 0 0 0 9 1 0\n" TAIL);
    struct form_run r = run_text(text, config(GO1_26));
    CHECK_STR(r.said, "a deferred call was overwritten");
}

/* Only `back` leads back, for it looks whether the G has to stop: a loop of other jumps could not be ended. */
TEST(other_jumps_lead_forward)
{
    for (int k = 0; k < 6; k++) {
        char text[2000], jump[40], err[300] = "";
        snprintf(jump, sizeof jump, k < 2 ? "jz 0 %d" : k < 4 ? "jnz 0 %d" : "jmp %d 0", k % 2 ? 1 : 2);
        snprintf(text, sizeof text,
                 HEAD "func 0 \"main.main\" 0 0 -1 1 0 3\ni const 0 0 0 0 0 4 1 0\ni %s 0 0 0 4 1 0\ni ret 0 0 0 0 0 5 1 0\n" TAIL, jump);
        struct form *f = form_load(text, strlen(text), err, sizeof err);
        if (!f == !(k % 2))
            t_fail(__FILE__, __LINE__, "%s was %s %s", jump, f ? "taken" : "refused", err);
        form_free(f);
    }
}

/* The runtime writes a text where the types of its errors say: a string, or what points to a struct of one. */
TEST(the_types_of_the_runtimes_errors_are_sound)
{
    static const struct {
        const char *errors;
        bool sound;
    } cases[] = {
        {"error 0\n", true},        {"error 0 0 0 2\n", true},  {"error 2\n", true},
        {"error 0 0 0 7\n", false}, {"error 1\n", false},       {"error 0 3 0 2\n", false},
        {"error 0 0 0 4\n", false}, {"error 0 0 0 6\n", false}, {"error 0 0 0 0 0\n", false},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        char text[2000], err[300];
        snprintf(
            text, sizeof text,
            HEAD
            "type 1 struct 2 16 \"runtime.T\" 1 \"text\" 0 0 0\ntype 2 pointer 1 8 \"*runtime.T\" 1\ntype 3 int 1 8 \"int\"\n"
            "type 4 pointer 1 8 \"*int\" 3\ntype 5 struct 3 24 \"main.P\" 2 \"text\" 0 0 0 \"n\" 3 2 0\ntype 6 pointer 1 8 \"*main.P\" 5\n"
            "func 0 \"main.main\" 0 0 -1 1 0 3\ni ret 0 0 0 0 0 5 1 0\n%smain 0\n",
            cases[k].errors);
        struct form *f = form_load(text, strlen(text), err, sizeof err);
        if (!f == cases[k].sound)
            t_fail(__FILE__, __LINE__, "%s%s", cases[k].errors, f ? "was taken" : err);
        form_free(f);
    }
}

/* A function of the stubs without a body is one of the interpreter. */
TEST(the_interpreter_has_what_the_library_declares)
{
    struct result *r = shell("cd '" SOURCE_DIR
                             "/src/gofront/stubs' && grep -r -E '^func [A-Za-z]+\\(' --include=*.go | grep -v '{' |"
                             " sed -E 's#/[^/]*\\.go:func ([A-Za-z0-9]+).*#.\\1#'");
    int n = 0;
    for (char *name = strtok(r->out, "\n"); name; name = strtok(NULL, "\n"), n++)
        if (!vm_sys_find(name))
            t_fail(SOURCE_DIR "/src/scenario/vm/sys.c", 0, "%s is not there", name);
    CHECK(n > 30);
}
