/* Execution traces of Go: what our events say of them, and what is said of files that are cut, changed or none. tests/go/traces/run holds traces of
 * real programs against Go's own parser. */
#include "engine/source_go.h"
#include "go_trace_bytes.h"
#include "base/prng.h"
#include "shell.h"
#include "trace/go/id_table.h"
#include "unknown.h"

static const char *file_of(const uint8_t *bytes, size_t n)
{
    return trace_file("go.trace", bytes, n);
}

/* Opens a trace; folds all of it; then *told. Returns its events as lines, NULL if it cannot be opened. broken: the fold may find it broken. */
static char *read_all(const uint8_t *bytes, size_t n, bool may_break, struct go_told *told)
{
    char wrong[GO_TEXT] = "", *lines = keep(20000), *at = lines;
    bool foreign, lack = false;
    struct run_info info;
    struct ev e;
    uint32_t m;
    struct go_trace *t = go_trace_open(open(file_of(bytes, n), O_RDONLY | O_CLOEXEC), wrong, &foreign);
    if (!t && !wrong[0])
        t_fail(__FILE__, __LINE__, "refused without a reason");
    if (!t)
        return NULL;
    *told = *go_trace_told(t);
    source_go_info(t, "x", &info);
    struct model *md = model_new(
        &(struct model_config){.runq_size = info.runq_size, .generation = info.generation, .names = info.programs, .lacks = info.lacks});
    uint64_t events = 0;
    while (go_trace_next(t, &m, &e, &lack)) {
        enum offer got = model_offer(md, m, &e, NULL, 0);
        if (got != OFFER_APPLIED && !may_break)
            t_fail(__FILE__, __LINE__, "%s: %s", ev_desc[e.kind].name, model_error(md));
        events++;
        if (got != OFFER_APPLIED)
            break;
        at += event_line(md, m, &e, NULL, 0, at, 300);
        *at++ = '\n';
    }
    if (!may_break)
        CHECK(events == told->events);
    CHECK(!lack);
    *at = '\0';
    model_free(md);
    go_trace_free(t);
    told->wrong = NULL; /* it was the trace's */
    return lines;
}

TEST(what_a_small_trace_says)
{
    struct go_told told;
    CHECK_STR(read_all(small_trace, SMALL_TRACE, false, &told),
              "0 M0 P0 p_seen state=running why=first m=0\n"
              "0 M0 g_seen g=1 state=running why=first reason=none m=0 fn=?\n"
              "10 M0 P0 go_create g=2 by=1 fn=main.f\n"
              "20 M0 P0 g_park g=1 reason=chan_receive obj=0\n"
              "25 M0 P0 g_start g=2 inherit=0\n"
              "45 M0 P0 g_ready g=1 by=2\n"
              "50 M0 P0 g_end g=2 fn=main.f\n"
              "55 M0 P0 g_start g=1 inherit=0\n");
    CHECK(told.state == GO_WHOLE && told.minor == 26 && told.nfn == 1 && told.procs == 1 && told.threads == 1);
}

/* Go 1.26's parser and Go 1.19's say the same, except that the first event, which is not ours, has time 0. The call of G2 was over before it ran again. */
TEST(what_a_small_trace_of_version_1_says)
{
    struct go_told told;
    CHECK_STR(
        read_all(old_trace, OLD_TRACE, false, &told),
        "0 M0 P0 p_seen state=running why=first m=0\n"
        "1 M0 g_seen g=1 state=running why=first reason=none m=0 fn=main.main\n"
        "2 M0 count_seen what=ps n=2\n"
        "8 M0 P0 go_create g=2 by=1 fn=main.f\n"
        "18 M0 P0 syscall_enter g=1 call=syscall\n"
        "18 M0 P0 syscall_exit g=1 fast=1 how=old_p\n"
        "23 M0 P0 g_park g=1 reason=chan_receive obj=0\n"
        "28 M0 P0 g_start g=2 inherit=0\n"
        "33 M0 P0 syscall_enter g=2 call=syscall\n"
        "43 M1 P0 retake why=unrecorded\n"
        "53 M0 syscall_exit g=2 fast=0 how=no_p\n"
        "59 M2 P1 p_seen state=running why=first m=2\n"
        "61 M2 P1 g_start g=2 inherit=0\n"
        "70 M2 P1 g_ready g=1 by=2\n"
        "75 M2 P1 g_end g=2 fn=main.f\n"
        "77 M2 P1 g_start g=1 inherit=0\n");
    CHECK(told.state == GO_WHOLE && told.minor == 19 && told.nfn == 2 && told.procs == 2 && told.threads == 2 && !told.no_clock);
}

/* An event of version 1, in place of the call that blocks, is what its number says: each wait has its reason. */
TEST(each_wait_of_version_1)
{
    static const struct {
        uint8_t kind;
        const char *says;
    } waits[] = {{16, "g_park g=2 reason=forever"},      {17, "g_yield g=2"},
                 {18, "g_preempt g=2 kind=unrecorded"},  {19, "g_park g=2 reason=sleep"},
                 {20, "g_park g=2 reason=none"},         {22, "g_park g=2 reason=chan_send"},
                 {23, "g_park g=2 reason=chan_receive"}, {24, "g_park g=2 reason=select"},
                 {25, "g_park g=2 reason=none"},         {26, "g_park g=2 reason=sync_cond_wait"},
                 {27, "g_park g=2 reason=io_wait"},      {42, "g_park g=2 reason=gc_wait"}};
    enum { CALL = 52, BLOCKS = 55, AFTER = 59, FOOTER = 54 };
    CHECK(old_trace[CALL] == 0x5c && old_trace[BLOCKS] == 0x1e && old_trace[AFTER] == 0x41);
    for (size_t i = 0; i < sizeof waits / sizeof *waits; i++) {
        uint8_t bytes[OLD_TRACE];
        struct go_told told;
        memcpy(bytes, old_trace, CALL);
        memcpy(bytes + CALL, old_trace + CALL, 3);
        bytes[CALL] = 0x40 | waits[i].kind;
        memcpy(bytes + CALL + 3, old_trace + OLD_TRACE - FOOTER, FOOTER); /* the clock, strings, stacks */
        CHECK(bytes[CALL + 3] == 0x41);
        HAS(read_all(bytes, CALL + 3 + FOOTER, false, &told), waits[i].says);
    }
}

/* Wherever it is cut, what was read is part of the whole; names and the clock come last. */
TEST(a_trace_of_version_1_that_ends_in_the_middle)
{
    struct go_told told;
    const char *whole = read_all(old_trace, OLD_TRACE, false, &told);
    for (size_t n = 17; n < OLD_TRACE; n++) { /* the clock is whole 44 bytes before the end */
        char *lines = read_all(old_trace, n, false, &told), *rest = NULL;
        CHECK(lines && (n >= OLD_TRACE - 44 || (told.state == GO_CUT && told.no_clock)));
        const char *at = whole;
        for (char *line = strtok_r(lines, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
            char *name = strstr(line, " fn=");
            if (name)
                *name = '\0';
            at = strstr(at, line);
            if (!at)
                t_fail(__FILE__, __LINE__, "cut at %zu: %s", n, line);
        }
    }
    struct result r = RUN("import", (char *)(uintptr_t)file_of(old_trace, 60), "--headless", "--events");
    CHECK_INT(r.code, 0);
    HAS(r.err, "60 bytes were read; it lacks the clock's frequency, so times are ticks, not ns\n");
    r = RUN("import", (char *)(uintptr_t)file_of(old_trace, OLD_TRACE), "--headless");
    HAS(r.out, "an execution trace of Go 1.19-1.20\nGs: 2, Ms: 2, Ps: 2; ");
}

/* What G1 of the small trace does instead: n bytes of events, in a trace of this version. Returns our events, as words or as sentences. */
static const char *says(char minor, const uint8_t *events, size_t n, char *as)
{
    static const uint8_t states[] = {13, 0, 0, 1, 25, 0, 1, 1, 2};
    static const uint8_t tables[] = {
        /* stack 4: function 8, called by function 2; string 7: "sync", 8: the function */
        1,   1,      NOBODY, 0xe8, 0x07, 12,  2,   3,   4,   2,   1,   8,   3,   1,   1,   2,   3,   1,   1,
        1,   NOBODY, 0xe8,   0x07, 32,   4,   5,   7,   4,   's', 'y', 'n', 'c', 5,   8,   21,  's', 'y', 'n',
        'c', '.',    '(',    '*',  'R',  'W', 'M', 'u', 't', 'e', 'x', ')', '.', 'R', 'L', 'o', 'c', 'k'};
    enum { AT = 54, WAS = 33 };
    uint8_t bytes[SMALL_TRACE + sizeof tables + 100];
    CHECK(small_trace[AT - 1] == WAS && small_trace[AT] == states[0] && n < 90);
    memcpy(bytes, small_trace, AT);
    bytes[6] = (uint8_t)minor;
    bytes[AT - 1] = (uint8_t)(sizeof states + n);
    memcpy(bytes + AT, states, sizeof states);
    memcpy(bytes + AT + sizeof states, events, n);
    memcpy(bytes + AT + sizeof states + n, tables, sizeof tables);
    memcpy(bytes + AT + sizeof states + n + sizeof tables, small_trace + AT + WAS, SMALL_TRACE - AT - WAS);
    size_t size = SMALL_TRACE - WAS + sizeof states + n + sizeof tables;
    struct result r = RUN("import", (char *)(uintptr_t)file_of(bytes, size), "--headless", as);
    CHECK_INT(r.code, 0);
    CHECK_STR(r.err, "");
    return r.out;
}

/* Since 1.26 a P in a system call keeps its status. */
TEST(a_system_call_is_its_version_s)
{
    static const uint8_t call[] = {22, 1, 1, 0, 23, 1};
    HAS(says('5', call, sizeof call, "--narrate"), "G1 enters a system call; P0 is left in Psyscall.");
    HAS(says('6', call, sizeof call, "--narrate"), "G1 enters a system call; P0 stays with M0.");
    HAS(says('6', call, sizeof call, "--narrate"), "G1 is back from its system call (its old P was still free).");
}

/* "sync" says less than the stack does. */
TEST(a_wait_of_package_sync_says_for_what)
{
    static const uint8_t lock[] = {20, 1, 7, 4}, other[] = {20, 1, 7, 1}, unknown[] = {20, 1, 7, 0}, none[] = {20, 1, 0, 4};
    HAS(says('6', lock, sizeof lock, "--events"), "g_park g=1 reason=sync_rwmutex_rlock");
    HAS(says('6', lock, sizeof lock, "--narrate"), "G1 waits to read-lock an RWMutex.");
    HAS(says('6', other, sizeof other, "--events"), "g_park g=1 reason=semacquire");
    HAS(says('6', unknown, sizeof unknown, "--events"), "g_park g=1 reason=none");
    HAS(says('6', none, sizeof none, "--narrate"), "G1 waits; why is not recorded.");
}

/* Names and reasons may be missing: they come last. */
static void without_names(const char *lines, char out[2000])
{
    for (size_t skip; *lines; *lines ? *out++ = *lines++ : 0) {
        skip = !strncmp(lines, "fn=", 3) || !strncmp(lines, "reason=", 7) ? strcspn(lines, " \n") : 0;
        lines += skip;
    }
    *out = '\0';
}

/* Wherever it is cut, what was read is the beginning of the whole, and it is said to be cut. */
TEST(a_trace_that_ends_in_the_middle)
{
    struct go_told told;
    const char *whole = read_all(small_trace, SMALL_TRACE, false, &told);
    for (size_t n = 16; n < SMALL_TRACE; n++) {
        const char *lines = read_all(small_trace, n, false, &told);
        CHECK(lines && (told.state == GO_CUT || n == 16));
        char a[2000], b[2000];
        without_names(lines, a);
        without_names(whole, b);
        if (strncmp(a, b, strlen(a)) != 0)
            t_fail(__FILE__, __LINE__, "cut at %zu:\n%s", n, lines);
    }
    for (size_t n = 0; n < 16; n++)
        CHECK(!read_all(small_trace, n, false, &told));
}

/* A changed file is refused, or read up to a place; nothing is read outside of it. */
static void change_bytes(const uint8_t *trace, size_t n)
{
    static const uint8_t to[] = {0, 1, 2, 9, 0x7f, 0x80, 0xff};
    uint8_t bytes[300];
    struct go_told told;
    struct prng r;
    CHECK(n <= sizeof bytes);
    prng_seed(&r, 7, 1);
    for (size_t at = 0; at < n; at++)
        for (size_t k = 0; k < sizeof to; k++) {
            memcpy(bytes, trace, n);
            bytes[at] = to[k];
            read_all(bytes, n, true, &told);
        }
    for (int i = 0; i < t_count(1000, 100000); i++) {
        memcpy(bytes, trace, n);
        for (int k = 0; k < 3; k++)
            bytes[16 + prng_below(&r, (uint32_t)n - 16)] = (uint8_t)prng_below(&r, prng_below(&r, 2) ? 256 : 56);
        read_all(bytes, n, true, &told);
    }
}

TEST(changed_bytes)
{
    change_bytes(small_trace, SMALL_TRACE);
    change_bytes(old_trace, OLD_TRACE);
}

TEST(a_table_of_numbers)
{
    enum { IDS = 400 };
    static uint32_t value[IDS];
    struct id_table t = {.slot = NULL};
    struct prng r;
    uint32_t there = 0;
    prng_seed(&r, 3, 1);
    for (int i = 0; i < 40000; i++) {
        uint32_t id = (uint32_t)prng_below(&r, IDS);
        uint64_t key = id * UINT64_C(0x100000001);
        if (value[id] && prng_below(&r, 2)) {
            id_remove(&t, key);
            value[id] = 0;
            there--;
        } else if (!value[id]) {
            CHECK(id_put(&t, key, value[id] = (uint32_t)i + 1));
            there++;
        }
        CHECK_INT(t.n, there);
        for (uint32_t k = id; k < id + 3 && k < IDS; k++) {
            const uint32_t *found = id_find(&t, k * UINT64_C(0x100000001));
            CHECK(found ? *found == value[k] : !value[k]);
        }
    }
    id_fini(&t);
}

/* ---- the command ---- */

TEST(the_command_prints_a_trace)
{
    char *path = (char *)(uintptr_t)file_of(small_trace, SMALL_TRACE);
    struct result r = RUN("import", path, "--headless", "--events");
    CHECK_INT(r.code, 0);
    HAS(r.out, "go_create g=2 by=1 fn=main.f");
    CHECK_STR(r.err, "");
    r = RUN("import", path, "--headless");
    CHECK_STR(r.out,
              "go.trace: an execution trace of Go 1.26\nGs: 2, Ms: 1, Ps: 1; events: 8, in 0.000055 ms\n"
              "left out: 0 of Go's events, which change no G, P or M (memory, tasks, regions, logs, labels, sweeps), and the stacks\n"
              "derived: the queues, by a replay of the rules, which explains 2 of 2 starts\n");
    r = RUN("import", path, "--headless", "--narrate", "--lang=zh");
    HAS(r.out, "创建");
    r = RUN("import", path, "--headless", "--json");
    HAS(r.out, "\"ended\":\"trace_end\"");
    HAS(r.out, "\"mode\":null,\"generation\":\"go1.26\",\"seed\":null,");
    HAS(r.out, "\"output\":null,\"counters\":{\"goroutines\":1,\"rounds\":2,\"steals\":null,");
    HAS(r.out, "\"leaks\":null}");
    r = RUN("import", path, "--headless", "--break", "g_end", "--events");
    CHECK(r.code == 0 && !strstr(r.out, "g_start g=1"));
    HAS(RUN("import", path, "--headless", "--break", "steal").err, "--break \"steal\" cannot match: this source never records it");
    HAS(RUN("import", path, "--headless", "--break", "when p0.runq > 1").err, "cannot match: this source never records it");
    HAS(RUN("import", path, "--headless", "--break", "g_yield").err, "--break \"g_yield\" never matched");
}

TEST(a_cut_trace_is_shown_and_said_to_be_cut)
{
    char *path = (char *)(uintptr_t)file_of(small_trace, SMALL_TRACE - 60);
    struct result r = RUN("import", path, "--headless", "--events");
    CHECK_INT(r.code, 0);
    HAS(r.err, "the trace ends in the middle");
    HAS(r.out, "go_create g=2");
    r = RUN("import", path, "--headless", "--json");
    HAS(r.out, "\"ended\":\"trace_end\",\"cut\":{\"read\":87,\"of\":99,\"why\":\"it ends in the middle\"},");
    r = RUN("import", path, "--headless", "--lang=zh");
    HAS(r.err, "跟踪在中途结束");
    path = (char *)(uintptr_t)file_of(small_trace, SMALL_TRACE - 1);
    r = RUN("import", path, "--headless", "--events");
    HAS(r.err, "the trace has no end: all of its 158 bytes were read");
}

/* A recording of it has no scenario, and says the same. */
TEST(a_trace_is_recorded_and_replayed)
{
    char *path = (char *)(uintptr_t)file_of(small_trace, SMALL_TRACE), *run = (char *)(uintptr_t)t_file("of-go.run", "");
    unlink(run);
    struct result was = RUN("import", path, "--headless", "--events", "--record", run), now = RUN("replay", run, "--headless", "--events");
    CHECK_INT(was.code, 0);
    CHECK_STR(now.err, "");
    CHECK_INT(now.code, 0);
    CHECK_STR(now.out, was.out);
    HAS(now.out, "fn=main.f");
    now = RUN("replay", run, "--headless", "--json");
    HAS(now.out, "\"ended\":\"trace_end\"");
    HAS(now.out, "\"generation\":\"go1.26\"");
    now = RUN("query", run, "count(g_ready)");
    CHECK(now.code == 0 && !strcmp(now.out, "1\n"));
    CHECK_INT(RUN("query", run, "count(nosuch)").code, 2);
    now = RUN("query", path, "count(g_ready)");
    CHECK(now.code == 0 && !strcmp(now.out, "1\n"));
    CHECK_INT(RUN("query", path, "count(g_ready)", "--seed=2").code, 2);
    now = RUN("replay", run, "--headless", "--break", "g_end", "--events");
    CHECK(now.code == 0 && !strstr(now.out, "g_start g=1"));
}

TEST(other_commands_say_what_a_trace_is)
{
    char *path = (char *)(uintptr_t)file_of(small_trace, SMALL_TRACE);
    const struct result r[] = {
        RUN("run", path, "--headless"), RUN("replay", path, "--headless"), RUN("compare", path, path), RUN("check", path)};
    for (size_t i = 0; i < sizeof r / sizeof *r; i++) {
        CHECK_INT(r[i].code, 2);
        HAS(r[i].err, "go.trace: it is an execution trace of Go; gmpscope import shows it\n");
    }
}

TEST(what_cannot_be_imported)
{
    char *text = (char *)(uintptr_t)file_of((const uint8_t *)"name: no trace at all", 21);
    struct result r = RUN("import", text);
    CHECK(r.code == 2 && !r.out[0]);
    HAS(r.err, "it is no execution trace of Go");
    uint8_t old[16] = "go 1.10 trace", empty[16] = "go 1.19 trace";
    r = RUN("import", (char *)(uintptr_t)file_of(old, 16), "--headless");
    CHECK_INT(r.code, 2);
    HAS(r.err, "it is a trace of Go 1.10; traces of Go 1.11 to 1.27 can be read");
    r = RUN("import", (char *)(uintptr_t)file_of(empty, 16), "--headless");
    CHECK_INT(r.code, 2);
    r = RUN("import", (char *)(uintptr_t)t_tmpdir(), "--headless");
    CHECK_INT(r.code, 2);
    r = RUN("import", "nosuch.trace");
    CHECK_INT(r.code, 2);
    HAS(r.err, "nosuch.trace: No such file");
    CHECK_INT(RUN("import").code, 2);
    CHECK_INT(RUN("import", "a", "b").code, 2);
    r = RUN("import", text, "--seed=3");
    CHECK_INT(r.code, 2);
    HAS(r.err, "--seed: ");
    r = RUN("import", "--help");
    CHECK_INT(r.code, 0);
    HAS(r.out, "gmpscope import FILE|- [options]");
}
