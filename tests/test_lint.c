/* Scenario files as people write them, right and wrong: every mistake is reported with its place and a correction. */
#include "messages.h"
#include "runtime/runtime.h"
#include <string.h>
#include <sys/stat.h>

/* The operation is in line 9 from column 9 on. */
static char *with_op(const char *op)
{
    char *yaml;
    CHECK(asprintf(&yaml,
                   "name: t\n"
                   "channels: [{name: jobs, buffer: 4}, results]\n"
                   "mutexes: [mu]\n"
                   "waitgroups: [group]\n"
                   "shared: [total]\n"
                   "goroutines:\n"
                   "  - name: main\n"
                   "    do:\n"
                   "      - %s\n"
                   "  - name: worker\n"
                   "    params: [n]\n"
                   "    do: []\n",
                   op) > 0);
    return yaml;
}

struct row {
    const char *text, *want;
};

static void check_ops(const struct row *row, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        char *yaml = with_op(row[i].text), *got = messages_of(t_file("f.yaml", yaml), false), *want;
        CHECK(asprintf(&want, "%s%s", row[i].want, *row[i].want ? "\n" : "") >= 0);
        if (strcmp(got, want) != 0)
            t_fail(__FILE__, __LINE__, "%s\ngot:  %swant: %s", row[i].text, got, want);
        free(yaml);
        free(got);
        free(want);
    }
}
#define CHECK_OPS(rows) check_ops(rows, sizeof rows / sizeof *rows)

TEST(unknown_names_are_reported_with_the_nearest)
{
    static const struct row rows[] = {
        {"{go: wroker, args: [1]}", "9:14: unknown program \"wroker\"; did you mean \"worker\"?"},
        {"go: printer", "9:13: unknown program \"printer\"; declare it under \"goroutines\""},
        {"send: job", "9:15: unknown channel \"job\"; did you mean \"jobs\"?"},
        {"recv: jbos", "9:15: unknown channel \"jbos\"; did you mean \"jobs\"?"},
        {"range: result", "9:16: unknown channel \"result\"; did you mean \"results\"?"},
        {"close: \"x\"", "9:17: unknown channel \"x\"; declare it under \"channels\""},
        {"lock: mo", "9:15: unknown mutex \"mo\"; did you mean \"mu\"?"},
        {"unlock: group", "9:17: \"group\" is a waitgroup, not a mutex"},
        {"add: grop", "9:14: unknown waitgroup \"grop\"; did you mean \"group\"?"},
        {"done: groups", "9:15: unknown waitgroup \"groups\"; did you mean \"group\"?"},
        {"wait: mu", "9:15: \"mu\" is a mutex, not a waitgroup"},
        {"print: \"{totl}\"", "9:18: unknown variable \"totl\"; did you mean \"total\"?"},
        {"print: \"x {goed}\"", "9:20: unknown variable \"goed\"; did you mean \"goid\"?"},
        {"print: \"{n}\"", "9:18: unknown variable \"n\"; nothing in this program sets it"},
        {"yield: p", "9:16: unknown variable \"p\"; nothing in this program sets it"},
        {"compte: 2ms", "9:9: unknown key \"compte\" in an item of do; did you mean \"compute\"?"},
    };
    CHECK_OPS(rows);
}

TEST(an_operation_has_one_verb_and_its_own_modifiers)
{
    static const struct row rows[] = {
        {"{}", "9:9: an empty operation; an operation needs a verb such as \"compute\", \"go\" or \"print\""},
        {"as: x", "9:9: a modifier without its verb; an operation needs a verb such as \"compute\", \"go\" or \"print\""},
        {"{send: jobs, recv: jobs}", "9:22: \"recv\" next to \"send\": an operation has exactly one verb; begin a new one with \"- recv\""},
        {"{compute: 1ms, count: 2}", "9:24: \"count\" does not belong to \"compute\", which takes \"tight\""},
        {"{go: worker, args: [1], tight: true}", "9:33: \"tight\" does not belong to \"go\", which takes \"count\" and \"args\""},
        {"{print: a, as: x}", "9:20: \"as\" does not belong to \"print\", which takes no modifiers"},
        {"{print: a, print: b}", "9:20: key \"print\" appears twice; first on line 9"},
        {"set: x", "9:14: \"set\" needs a value; add \"to: EXPR\""},
        {"break: true", "9:16: \"break\" outside of a \"loop\" or \"range\"; write \"return: true\" to end the program"},
        {"{loop: 2, do: [{brake: true}]}", "9:25: unknown key \"brake\" in an item of do; did you mean \"break\"?"},
        {"{loop: 2, do: [{continue: false}]}", "9:35: \"continue: false\" does nothing; write \"continue: true\" or leave it out"},
        {"recover: true", "9:18: \"recover\" outside of \"defer\" does nothing; write {defer: [{recover: true}]}"},
        {"{loop: 1, do: [{defer: [{break: true}]}]}",
         "9:41: \"break\" outside of a \"loop\" or \"range\"; write \"return: true\" to end the program"},
        {"{call: worker, args: [1], as: x}", "9:39: \"worker\" returns no value; write {return: true, value: EXPR} there"},
        {"call: main", "9:9: \"main\" calls itself here; a program that calls itself must be started with \"go\""},
        {"{atomic: total, n: 1, to: 2}", "9:35: \"n\" adds, \"to\" replaces: write one of them"},
        {"{atomic: total, old: 1, as: x}", "9:30: \"old\" needs the new value; add \"to: EXPR\""},
        {"atomic: total", "9:17: \"atomic\" needs \"n\" to add, \"to\" to replace, or \"as\" to read"},
        {"{atomic: n, as: x}", "9:18: unknown shared integer \"n\"; the only one is \"total\""},
        {"{rand: x}", "9:16: \"rand\" needs the number of values; add \"n: EXPR\""},
        {"{rand: x, n: 1 - 1}", "9:22: n: expected 1 or more, got 0"},
        {"{try_lock: mo, as: x}", "9:20: unknown mutex \"mo\"; did you mean \"mu\"?"},
        {"exit: false", "9:15: \"exit: false\" does nothing; write \"exit: true\" or leave it out"},
        {"go: worker", "9:13: \"worker\" has 1 parameter but gets 0; args must be as many as params"},
        {"{go: worker, args: [1, 2]}", "9:28: \"worker\" has 1 parameter but gets 2; args must be as many as params"},
        {"{go: main, args: [1]}", "9:26: \"main\" has 0 parameters but gets 1; args must be as many as params"},
    };
    CHECK_OPS(rows);
}

TEST(cases_of_a_select_are_sends_and_receives)
{
    static const struct row rows[] = {
        {"select: [{recv: jobs, as: x, do: [{print: \"{x}\"}]}, {send: results, value: x, do: []}]", ""},
        {"{select: [], default: []}", ""},
        {"select:", ""},
        {"select: [{recv: job}]", "9:25: unknown channel \"job\"; did you mean \"jobs\"?"},
        {"select: [{range: jobs}]", "9:19: \"range\" cannot be a case of \"select\"; a case is a \"send\" or a \"recv\""},
        {"select: [{recv: jobs}, {print: a}]", "9:33: \"print\" cannot be a case of \"select\"; a case is a \"send\" or a \"recv\""},
        {"select: [{recv: jobs, value: 1}]", "9:31: \"value\" does not belong to \"recv\", which takes \"as\" and \"ok\" and \"do\""},
        {"select: [{recv: jobs, send: results}]",
         "9:31: \"send\" next to \"recv\": an operation has exactly one verb; begin a new one with \"- send\""},
        {"select: [{recv: jobs, do: [{lock: mo}]}]", "9:43: unknown mutex \"mo\"; did you mean \"mu\"?"},
        {"{select: [], default: [{print: \"{totl}\"}]}", "9:42: unknown variable \"totl\"; did you mean \"total\"?"},
        {"{select: [], do: []}", "9:22: \"do\" does not belong to \"select\", which takes \"default\""},
        {"{recv: jobs, do: []}", "9:22: \"do\" does not belong to \"recv\", which takes \"as\" and \"ok\""},
        {"{select: [{recv: jobs, do: [{go: main, count: 10000001}]}]}",
         "9:38: this starts 10000001 goroutines; at most 10000000 are allowed"},
    };
    CHECK_OPS(rows);
}

TEST(onces)
{
#define OF(ops) "name: t\nonces: [setup, {name: part, count: 2}]\ngoroutines: [{name: main, do: [" ops "]}]\n"
    MESSAGES(OF("{once: setup, do: [{return: true}]}, {once: 'part[1]', do: []}"), "");
    MESSAGES(OF("{once: setup}"), "3:39: \"once\" without operations does nothing; add \"do: [...]\"\n");
    MESSAGES(OF("{cancel: setup}"), "3:41: \"setup\" is a once, not a context\n");
    MESSAGES(OF("{once: setap, do: []}"), "3:39: unknown once \"setap\"; did you mean \"setup\"?\n");
    MESSAGES(OF("{once: 'part[2]', do: []}"), "3:45: index 2 is out of range: the array has 2 onces, counted from 0\n");
    MESSAGES(OF("{once: setup, do: [{defer: []}]}"), "3:59: \"defer\" inside of \"once\"; call a program that defers\n");
    MESSAGES(OF("{once: setup, do: [{return: true, value: 1}]}"), "3:73: what a once does returns no value\n");
    MESSAGES(OF("{loop: 2, do: [{once: setup, do: [{break: true}]}]}"),
             "3:74: \"break\" outside of a \"loop\" or \"range\"; write \"return: true\" to end the program\n");
#undef OF
}

TEST(contexts)
{
#define OF(ops) "name: t\ncontexts: [a, {name: part, count: 2}]\nchannels: [d]\ngoroutines: [{name: main, do: [" ops "]}]\n"
    MESSAGES(OF("{context: a}, {context: 'part[0]', parent: a, timeout: 1ms}, {select: [{recv: a}, {recv: 'part[1]'}]}"), "");
    MESSAGES(OF("{context: b}"), "4:42: unknown context \"b\"; declare it under \"contexts\"\n");
    MESSAGES(OF("{context: a, parent: part}"), "4:53: \"part\" is an array of contexts; write \"part[EXPR]\"\n");
    MESSAGES(OF("{cancel: d}"), "4:41: \"d\" is a channel, not a context\n");
    MESSAGES(OF("{err: a}"), "4:38: \"err\" needs a variable; add \"as: VAR\"\n");
    MESSAGES(OF("{send: a}"), "4:39: \"a\" is a context: write {recv: a} without modifiers, {cancel: a} or {err: a, as: VAR}\n");
    MESSAGES(OF("{recv: a, as: x}"), "4:39: \"a\" is a context: write {recv: a} without modifiers, {cancel: a} or {err: a, as: VAR}\n");
    MESSAGES(OF("{context: a, timeout: 5}"), "4:54: \"5\" has no unit; did you mean \"5ms\"? ns, us, ms and s are units\n");
    MESSAGES("name: t\ncontexts: [d]\nchannels: [d]\ngoroutines: [{name: main}]\n",
             "2:12: \"d\" is a channel, too; give the context another name\n");
#undef OF
}

TEST(rwmutexes_and_conds)
{
#define OF(ops) "name: t\nmutexes: [mu]\nrwmutexes: [rw]\nconds: [{name: cv, mutex: mu}]\ngoroutines: [{name: main, do: [" ops "]}]\n"
    MESSAGES(OF("rlock: rw, runlock: rw, wlock: rw, wunlock: rw, cond_wait: cv, signal: cv, broadcast: cv"), "");
    MESSAGES(OF("rlock: rv"), "5:39: unknown rwmutex \"rv\"; did you mean \"rw\"?\n");
    MESSAGES(OF("wlock: mu"), "5:39: \"mu\" is a mutex, not an rwmutex\n");
    MESSAGES(OF("lock: rw"), "5:38: \"rw\" is an rwmutex, not a mutex\n");
    MESSAGES(OF("cond_wait: cw"), "5:43: unknown cond \"cw\"; did you mean \"cv\"?\n");
    MESSAGES(OF("{signal: cv, n: 1}"), "5:45: \"n\" does not belong to \"signal\", which takes no modifiers\n");
#undef OF
    MESSAGES("name: t\nmutexes: [mu]\nconds: [{name: a, mutex: mo}, {name: a, mutex: mu}]\ngoroutines: [{name: main}]\n",
             "3:26: unknown mutex \"mo\"; did you mean \"mu\"?\n3:38: cond \"a\" is declared twice; give it another name\n");
}

TEST(timers)
{
    static const struct row rows[] = {
        {"{after: 1ms, go: main}", ""},
        {"{go: main, after: 1ms}", ""},
        {"{timer: jobs, after: 0s}", ""},
        {"{ticker: results, every: 1ms}", ""},
        {"after: 1ms", "9:16: \"after\" needs a program to start; add \"go: NAME\""},
        {"{after: 1ms, go: mian}", "9:26: unknown program \"mian\"; did you mean \"main\"?"},
        {"{after: 1ms, go: worker}", "9:17: \"worker\" has 1 parameter but gets 0; args must be as many as params"},
        {"{after: soon, go: main}", "9:17: \"soon\" is not a duration; write one like \"300us\", \"1.5ms\" or \"2s\""},
        {"{after: 1ms, go: main, count: 2}", "9:32: \"count\" does not belong to \"after\", which takes \"go\" and \"as\""},
        {"timer: 1ms", "9:16: this makes a timer with a channel of its own, which needs a name; add \"as: NAME\""},
        {"{ticker: 1ms, sa: t}", "9:23: unknown key \"sa\" in an item of do; did you mean \"as\"?"},
        {"{timer: 1ms, as: t, after: 2ms}",
         "9:26: \"as\" names a timer with a channel of its own; write {timer: DUR, as: NAME} without \"after\""},
        {"{if: 1, then: [{after: 1ms, as: z}, {stop: z, as: s}, {reset: z, after: 1ms}, {print: '{s}'}]}",
         "9:32: \"after\" needs a program to start; add \"go: NAME\""},
        {"timer: jobs", "9:16: \"timer\" needs a duration; add \"after: DUR\""},
        {"{ticker: jobs, after: 1ms}",
         "9:24: \"after\" next to \"ticker\": an operation has exactly one verb; begin a new one with \"- after\""},
        {"{ticker: job, every: 1ms}", "9:18: unknown channel \"job\"; did you mean \"jobs\"?"},
        {"{timer: jobs, after: later}", "9:30: \"later\" is not a duration; write one like \"300us\", \"1.5ms\" or \"2s\""},
        {"{ticker: jobs, every: 0ms}", "9:31: every: expected a duration longer than 0"},
    };
    CHECK_OPS(rows);
}

TEST(durations_and_expressions)
{
    static const struct row rows[] = {
        {"compute: 5", "9:18: \"5\" has no unit; did you mean \"5ms\"? ns, us, ms and s are units"},
        {"sleep: -1ms", "9:16: \"-1ms\" is not a duration; write one like \"300us\", \"1.5ms\" or \"2s\""},
        {"syscall: \"\"", "9:19: \"\" is not a duration; write one like \"300us\", \"1.5ms\" or \"2s\""},
        {"sleep:", "9:15: \"\" is not a duration; write one like \"300us\", \"1.5ms\" or \"2s\""},
        {"compute: 9999999999999h", "9:18: \"9999999999999h\" is not a duration; write one like \"300us\", \"1.5ms\" or \"2s\""},
        {"{set: 9lives, to: 1}", "9:15: \"9lives\" cannot be a variable; its name is letters, digits and _, not beginning with a digit"},
        {"{recv: jobs, as: a-b}", "9:26: \"a-b\" cannot be a variable; its name is letters, digits and _, not beginning with a digit"},
        {"print: \"a { b\"", "9:19: \"{\" without \"}\"; write \"{{\" for a brace that is printed"},
        {"{if: totl > 1}", "9:14: unknown variable \"totl\"; did you mean \"total\"?"},
        {"{set: x, to: 1 + totl}", "9:26: unknown variable \"totl\"; did you mean \"total\"?"},
        {"print: \"数 {totl}\"", "9:20: unknown variable \"totl\"; did you mean \"total\"?"},
        {"{compute: 1ms, tight: yes}", "9:31: tight: \"yes\" is neither true nor false"},
        {"{loop: 3, do: {print: a}}", "9:23: do must be a list, not a mapping"},
        {"{loop: 3, do: [{print: a}, {sned: jobs}]}", "9:37: unknown key \"sned\" in an item of do; did you mean \"send\"?"},
        {"{if: 1, then: [{lock: mo}], else: [{lock: mu}]}", "9:31: unknown mutex \"mo\"; did you mean \"mu\"?"},
        {"yield", "9:9: an item of do must be a mapping (key: value), not a word; write {yield: ...}; gmpscope help scenario explains it"},
    };
    CHECK_OPS(rows);
}

TEST(too_many_goroutines_are_refused_at_load)
{
    static const struct row rows[] = {
        {"{go: worker, args: [1], count: 1000000000}", "9:10: this starts 1000000000 goroutines; at most 10000000 are allowed"},
        {"{go: worker, args: [1], count: 10000001}", "9:10: this starts 10000001 goroutines; at most 10000000 are allowed"},
        {"{go: worker, args: [1], count: 10000000}", ""},
        {"{loop: 100000, do: [{loop: 100, do: [{go: worker, args: [1], count: 10}]}]}",
         "9:10: this starts 100000000 goroutines; at most 10000000 are allowed"},
        {"{if: 1, then: [{go: worker, args: [1], count: 5000 * 5000}]}",
         "9:25: this starts 25000000 goroutines; at most 10000000 are allowed"},
        {"{loop: total, do: [{go: worker, args: [1], count: 1000}]}", ""},
        {"{loop: forever, do: [{go: worker, args: [1]}]}", ""},
        {"{if: total, then: [{go: worker, args: [1], count: 9000000}]}", ""},
        {"{loop: 9223372036854775807, do: [{go: worker, args: [1], count: 9000000}]}",
         "9:10: this starts more than 1152921504606846976 goroutines; at most 10000000 are allowed"},
    };
    CHECK_OPS(rows);
    MESSAGES(
        "name: t\n"
        "goroutines:\n"
        "  - {name: main, do: [{go: a, count: 1000}]}\n"
        "  - {name: a, do: [{loop: 1000, do: [{go: b, count: 100}]}]}\n"
        "  - {name: b}\n",
        "3:24: this starts 100001000 goroutines; at most 10000000 are allowed\n");
    MESSAGES("name: t\ngoroutines:\n  - {name: main, do: [{go: a, count: 5}]}\n  - {name: a, do: [{go: a}]}\n", "");
}

static void check_scheduler(const char *line, const char *want)
{
    char *yaml;
    CHECK(asprintf(&yaml, "name: t\nscheduler: {%s}\ngoroutines: [{name: main}]\nexpect: [{ends: main_returned}]\n", line) > 0);
    MESSAGES(yaml, want);
    free(yaml);
}

TEST(scheduler)
{
    check_scheduler("gomaxprocs: 0", "2:25: gomaxprocs: expected 1 to 1024, got 0\n");
    check_scheduler("gomaxprocs: 1025", "2:25: gomaxprocs: expected 1 to 1024, got 1025\n");
    check_scheduler("gomaxprocs: 4cores", "2:25: gomaxprocs: \"4cores\" is not an integer; only decimal digits\n");
    check_scheduler("gomaxproc: 4", "2:13: unknown key \"gomaxproc\" in scheduler; did you mean \"gomaxprocs\"?\n");
    check_scheduler("runq_size: 3", "2:24: runq_size: expected a power of two from 2 to 256, got 3\n");
    check_scheduler("runq_size: 512", "2:24: runq_size: expected a power of two from 2 to 256, got 512\n");
    check_scheduler("runq_size: 1", "2:24: runq_size: expected a power of two from 2 to 256, got 1\n");
    check_scheduler("max_threads: 1", "2:26: max_threads: expected 2 to 100000, got 1\n");
    check_scheduler("preempt_slice: 0", "2:28: preempt_slice: expected a duration longer than 0\n");
    check_scheduler("preempt_slice: 10", "2:28: \"10\" has no unit; did you mean \"10ms\"? ns, us, ms and s are units\n");
    check_scheduler("mode: fre", "2:19: unknown word \"fre\" in mode; did you mean \"free\"?\n");
    check_scheduler("generation: go1.19", "2:25: unknown word \"go1.19\" in generation; did you mean \"go1.13\"?\n");
    check_scheduler("disable: [runnext, stelaing]", "2:32: unknown word \"stelaing\" in an item of disable; did you mean \"stealing\"?\n");
    check_scheduler("enable: [last_look]", "");
    check_scheduler("generation: go1.27, enable: [last_look]", ""); /* it has it anyway */
    check_scheduler("generation: go1.13, enable: [last_look]", "2:42: rules can be enabled from go1.20 on; this run is go1.13\n");
    check_scheduler("enable: [last_look], disable: [last_look]", "2:22: last_look is disabled, too\n");
    check_scheduler("enable: [last_look], without: [{disable: last_look, fails: [1]}]", "");
    check_scheduler("without: [{disable: wakep, fails: [2]}]", "2:48: there is no expectation 2; \"expect\" has 1, counted from 1\n");
    check_scheduler("without: [{disable: wakep, fails: [0]}]", "2:48: there is no expectation 0; \"expect\" has 1, counted from 1\n");
    check_scheduler("without: [{disable: wakep}]", "2:23: \"without\" needs \"fails\": the numbers of the expectations that must fail\n");
    check_scheduler("without: [{fails: [1]}]", "2:23: \"without\" needs \"disable\": the mechanism that is switched off\n");
    check_scheduler("start_tick: -1", "2:25: start_tick: -1 is out of range; 0 to 4294967295\n");
    check_scheduler("without: [{disable: wakep, fails: [1]}], async_preempt: false, seed: 18446744073709551615", "");
}

TEST(names_and_main)
{
    MESSAGES("name: a b\ngoroutines: [{name: main}]\n", "1:7: \"a b\" is not a name; did you mean \"a-b\"?\n");
    MESSAGES("goroutines: [{name: main}]\n", "1:1: scenario lacks the key \"name\"\n");
    MESSAGES("name: t\n", "1:1: scenario lacks the key \"goroutines\"\n");
    MESSAGES("name: t\ngoroutines: []\n", "2:1: no program \"main\"; a program ends when its \"main\" returns, so one is required\n");
    MESSAGES("name: t\ngoroutines: [{name: mian}]\n",
             "2:1: no program \"main\"; a program ends when its \"main\" returns, so one is required\n");
    MESSAGES("name: t\ngoroutines: [{name: main, params: [x]}]\n", "2:35: \"main\" cannot have params: it is started without args\n");
    MESSAGES("name: t\ngoroutines: [{name: main}, {name: w}, {name: w}]\n",
             "2:46: program \"w\" is declared twice; give it another name\n");
    MESSAGES("name: t\nchannels: [a, {name: a}]\ngoroutines: [main]\n", "2:22: channel \"a\" is declared twice; give it another name\n");
    MESSAGES("name: t\nmutexes: [m, \"m m\"]\nwaitgroups: [w, w]\ngoroutines: [main]\n",
             "2:15: \"m m\" is not a name; did you mean \"m-m\"?\n"
             "3:17: waitgroup \"w\" is declared twice; give it another name\n");
    MESSAGES("name: t\nshared: [a-b]\ngoroutines: [main]\n",
             "2:10: \"a-b\" cannot be used in expressions; a shared integer's name is letters, digits and _, not beginning with a digit\n");
    MESSAGES("name: t\nchannels: [{name: a, buffer: 2000000}]\ngoroutines: [main]\n",
             "2:30: buffer: expected at most 1000000, got 2000000\n");
    MESSAGES("name: t\ngoroutines: [{name: main}, {name: w, params: [a, a]}]\n",
             "2:50: \"a\" is already a variable of this program; give the parameter another name\n");
    /* separate namespaces */
    MESSAGES("name: x\nchannels: [x]\nmutexes: [x]\nwaitgroups: [x]\nshared: [x]\ngoroutines: [main, x]\n", "");
}

static void check_expect(const char *line, const char *want)
{
    char *yaml;
    CHECK(asprintf(&yaml, "name: t\ngoroutines: [{name: main}]\nexpect:\n  - %s\n", line) > 0);
    MESSAGES(yaml, want);
    free(yaml);
}

TEST(expectations)
{
    check_expect("{counter: stels, min: 1}", "4:15: unknown counter \"stels\"; did you mean \"steals\"?\n");
    check_expect("{counter: xyzzyx, min: 1}",
                 "4:15: unknown counter \"xyzzyx\"; the names are those of the summary, such as \"steals\" or \"parks\"\n");
    check_expect("counter: steals", "4:14: a counter alone makes no claim; add min, max or equals\n");
    check_expect("{counter: steals, min: 3, max: 2}", "4:28: min 3 is greater than max 2\n");
    check_expect("{counter: steals, min: 3, equals: 2}", "4:23: an exact number and a bound; write only one of them\n");
    check_expect("{counter: steals, times: 3, equals: 2}",
                 "4:23: \"times\" does not belong to \"counter\", which takes min, max, equals, mode, seed, stalls and generation\n");
    check_expect("{event: steal, equals: 3}",
                 "4:20: \"equals\" does not belong to \"event\", which takes times, min, max, mode, seed, stalls and generation\n");
    check_expect("{event: steal, never: steal}",
                 "4:20: \"never\" next to \"event\": an expectation makes exactly one claim; begin a new one with \"- never\"\n");
    check_expect("mode: free",
                 "4:5: an expectation makes no claim; add prints, prints_sorted, counter, event, never, "
                 "sequence, ends, within, races, leaks, may or must\n");
    check_expect("{never: steal, min: 3}", "4:20: \"min\" does not belong to \"never\", which takes mode, seed, stalls and generation\n");
    check_expect("sequence: []", "4:5: an empty sequence makes no claim; list at least one event\n");
    check_expect("within: soon", "4:13: \"soon\" is not a duration; write one like \"300us\", \"1.5ms\" or \"2s\"\n");
    check_expect("ends: main_return", "4:11: unknown word \"main_return\" in ends; did you mean \"main_returned\"?\n");
    check_expect("{prints: [9, 0], mode: lockstep, seed: 3}", "");
    check_expect("{event: steal, max: 0}", "");
    check_expect("prints:", "");
}

/* Patterns have a compiler of their own. This checks that each place uses it, and that the place reported is the
 * wrong word's. */
TEST(patterns_are_checked_everywhere)
{
    struct diag d;
    static const char yaml[] =
        "name: t\n"
        "goroutines: [{name: main}]\n"
        "lesson:\n"
        "  - {on: \"steal theif=1\", say: x}\n"
        "expect:\n"
        "  - event: \"stela\"\n"
        "  - never: steal victim=1 nn=3\n"
        "  - sequence: [steal, \"g_start gg=2\"]\n";
    static const unsigned place[][2] = {{4, 17}, {6, 13}, {7, 27}, {8, 32}};
    diag_init(&d, NULL);
    CHECK(scenario_load(t_file("f.yaml", yaml), &d) == NULL);
    CHECK_INT(d.count, 4);
    for (int i = 0; i < 4; i++) {
        CHECK_INT(d.item[i].line, place[i][0]);
        CHECK_INT(d.item[i].col, place[i][1]);
    }
    CHECK(strstr(d.item[1].text, "\"steal\""));
    diag_fini(&d);
}

static void check_lesson(const char *line, const char *want)
{
    char *yaml;
    CHECK(asprintf(&yaml, "name: t\ngoroutines: [{name: main}]\nlesson:\n  - %s\n", line) > 0);
    MESSAGES(yaml, want);
    free(yaml);
}

TEST(lessons)
{
    check_lesson("{on: start, say: {en: a, zh: b}, pause: true}", "");
    check_lesson("{on: start}", "4:5: a lesson's step needs \"say\" or \"ask\"\n");
    check_lesson("{say: a}", "4:5: an item of lesson lacks the key \"on\"\n");
    check_lesson("{on: start, say: {zh: a}}", "4:22: say lacks the key \"en\"\n");
    check_lesson("{on: start, ask: {question: q, choices: [\"2\", \"3\"], answer: \"3\"}}", "");
    check_lesson("{on: start, ask: {question: q, choices: [2, {en: 3, zh: x}], answer: 3, because: {en: b}}}", "");
    check_lesson("{on: start, ask: {question: q, choices: [two, three], answer: tree}}",
                 "4:67: the answer \"tree\" is not one of the choices; did you mean \"three\"?\n");
    check_lesson("{on: start, ask: {question: q, choices: [two], answer: two}}", "4:36: choices: expected 2 to 16, got 1\n");
    check_lesson("{on: start, ask: {choices: [a, b], answer: a}}", "4:22: ask lacks the key \"question\"\n");
    check_lesson(
        "{on: start, hide: [processors, output], ask: {question: q, choices: [{text: {en: a, zh: b}, because: {en: c}}, {text: d}], answer: a}}",
        "");
    check_lesson("{on: start, hide: output, notes: {en: n, zh: m}, ask: {question: q, choices: [a, {because: no}], answer: a}}",
                 "4:86: a choice needs \"text\" or \"value\"\n");
    check_lesson("{on: start, say: a, hide: [threads]}",
                 "4:25: \"hide\" covers panes while a question is asked; this entry has no \"ask\"\n");
    check_lesson("{on: start, hide: [procesors], ask: {question: q, choices: [a, b], answer: a}}",
                 "4:24: unknown word \"procesors\" in an item of hide; did you mean \"processors\"?\n");
    check_lesson("{on: start, ask: {question: q, choices: [a, {text: b, becuse: c}], answer: a}}",
                 "4:59: unknown key \"becuse\" in an item of choices; did you mean \"because\"?\n");
}

TEST(all_mistakes_of_a_file_are_reported)
{
    MESSAGES(
        "name: t\n"
        "chanels: [a]\n"
        "scheduler: {gomaxprocs: 5000}\n"
        "goroutines:\n"
        "  - name: main\n"
        "    do:\n"
        "      - compte: 2ms\n"
        "      - sleep: 3\n"
        "      - {recv: a, az: v}\n"
        "      - print: \"{v}\"\n"
        "      - {send: a, count: 1}\n"
        "  - name: main\n"
        "expect:\n"
        "  - {counter: stels, min: 1}\n",
        "2:1: unknown key \"chanels\" in scenario; did you mean \"channels\"?\n"
        "3:25: gomaxprocs: expected 1 to 1024, got 5000\n"
        "7:9: unknown key \"compte\" in an item of do; did you mean \"compute\"?\n"
        "8:16: \"3\" has no unit; did you mean \"3ms\"? ns, us, ms and s are units\n"
        "9:19: unknown key \"az\" in an item of do; did you mean \"as\"?\n"
        "11:19: \"count\" does not belong to \"send\", which takes \"value\"\n"
        "12:11: program \"main\" is declared twice; give it another name\n"
        "14:15: unknown counter \"stels\"; did you mean \"steals\"?\n");
}

TEST(ten_mistakes_are_shown_and_all_are_counted)
{
    struct diag d;
    char yaml[2000] = "name: t\ngoroutines:\n  - name: main\n    do:\n";
    for (int i = 0; i < 25; i++)
        strcat(yaml, "      - sleep: x\n");
    diag_init(&d, NULL);
    CHECK(scenario_load(t_file("f.yaml", yaml), &d) == NULL);
    CHECK_INT(d.count, 25);
    CHECK_INT(d.item[0].line, 5);
    CHECK_INT(d.item[DIAG_MAX - 1].line, 14);
    diag_fini(&d);
}

/* ---- what is right ---- */

static const char everything[] =
    "name: all-of_it\n"
    "title: {en: \"All\", zh: \"全部\"}\n"
    "summary: plain words\n"
    "scheduler:\n"
    "  gomaxprocs: 3\n"
    "  generation: go1.20\n"
    "  runq_size: 8\n"
    "  mode: free\n"
    "  seed: 42\n"
    "  max_threads: 100\n"
    "  async_preempt: true\n"
    "  randomize: true\n"
    "  preempt_slice: 10s\n"
    "  start_tick: 7\n"
    "  without: [{disable: fairness_tick, fails: [1, 8]}, {disable: [runnext, wakep], fails: [2]}]\n"
    "  disable: [runnext, fairness_tick, spinning, spinning_recheck, stealing, steal_runnext_delay, handoff, retake,\n"
    "            preemption, wakep, needspinning]\n"
    "channels: [{name: jobs, buffer: 4}, {name: done}, plain]\n"
    "mutexes: [mu]\n"
    "rwmutexes: [rw]\n"
    "waitgroups: [wg]\n"
    "conds: [{name: cv, mutex: mu}]\n"
    "shared: [total]\n"
    "conns:\n"
    "goroutines:\n"
    "  - name: main\n"
    "    do:\n"
    "      - {add: wg, n: 8}\n"
    "      - add: wg\n"
    "      - {go: worker, count: 2 * 4, args: [3, \"i + 1\"]}\n"
    "      - go: idle\n"
    "      - compute: 2ms\n"
    "      - {compute: 2ms, tight: true}\n"
    "      - print: \"{goid} {p} {m} {i} {total} {x + 1} {{}}\"\n"
    "      - yield: 2\n"
    "      - sleep: 1.5ms\n"
    "      - {loop: 3, as: k, do: [{print: \"{k}\"}]}\n"
    "      - {loop: forever, do: []}\n"
    "      - loop: 0\n"
    "      - {if: total > 3 && !x, then: [{print: a}], else: [{if: 0}]}\n"
    "      - {set: x, to: -total % 7}\n"
    "      - {set: total, to: total + 1}\n"
    "      - {send: jobs, value: x}\n"
    "      - send: plain\n"
    "      - {recv: jobs, as: i}\n"
    "      - recv: done\n"
    "      - {range: jobs, as: y, do: [{print: \"{y}\"}]}\n"
    "      - range: jobs\n"
    "      - close: jobs\n"
    "      - {select: [{recv: jobs, as: y, do: [{print: a}]}, {send: done, value: y}], default: [yield: 1]}\n"
    "      - lock: mu\n"
    "      - unlock: mu\n"
    "      - rlock: rw\n"
    "      - runlock: rw\n"
    "      - wlock: rw\n"
    "      - wunlock: rw\n"
    "      - cond_wait: cv\n"
    "      - signal: cv\n"
    "      - broadcast: cv\n"
    "      - {after: 1ms, go: idle}\n"
    "      - {timer: plain, after: 1ms}\n"
    "      - {ticker: jobs, every: 1ms}\n"
    "      - done: wg\n"
    "      - wait: wg\n"
    "      - syscall: 30us\n"
    "      - {syscall: 30us, blocking: true}\n"
    "      - panic: \"{not filled in\"\n"
    "      - exit: true\n"
    "  - name: worker\n"
    "    params: [n, m]\n"
    "    do: ~\n"
    "  - idle\n"
    "lesson:\n"
    "  - {on: start, say: hello}\n"
    "  - on: \"steal thief=1\"\n"
    "    say: {en: x}\n"
    "    pause: true\n"
    "    ask: {question: {en: q}, choices: [\"2\", \"3\"], answer: \"3\", because: {en: b}}\n"
    "expect:\n"
    "  - prints: [b, 1]\n"
    "  - prints_sorted: []\n"
    "  - {counter: steals, min: 1, max: 3}\n"
    "  - {counter: steals, equals: 1}\n"
    "  - {event: \"runq_overflow p=0 moved=5\", times: 1}\n"
    "  - {event: steal, min: 1, max: 3, mode: lockstep}\n"
    "  - never: \"g_park reason=chan_receive g=3\"\n"
    "  - {sequence: [\"go_create g=2\", \"runnext_put g=2\"], seed: 7}\n"
    "  - ends: main_returned\n"
    "  - within: 50ms\n";

TEST(every_key_and_every_built_operation)
{
    MESSAGES(everything, "");
}

TEST(the_texts_of_a_scenario)
{
    struct diag d;
    struct scenario *sc;
    const struct scenario_info *info;
    uint32_t disable;
    uint64_t fails;
    diag_init(&d, NULL);
    sc = scenario_load(t_file("f.yaml", everything), &d);
    CHECK(sc);
    info = scenario_info(sc);
    CHECK_STR(info->name, "all-of_it");
    CHECK_STR(info->title.in[LANG_ZH], "全部");
    CHECK_STR(text_in(&info->summary, LANG_ZH), "plain words");
    CHECK_INT(info->gomaxprocs, 3);
    CHECK_INT(info->runq_size, 8);
    CHECK_INT(info->mode, MODE_FREE);
    CHECK_INT(info->seed, 42);
    CHECK_INT(info->max_threads, 100);
    CHECK_INT(info->start_tick, 7);
    CHECK_INT(info->preempt_slice, 10000000000);
    CHECK_INT(info->disable, (1 << DIS_FIRST_RULE) - 1);
    CHECK_INT(info->programs.nfn, 3);
    CHECK_STR(info->programs.fn[1], "worker");
    CHECK_INT(info->nexpect, 10);
    CHECK_INT(info->nwithout, 2);
    scenario_without(sc, 0, &disable, &fails);
    CHECK_INT(disable, 1 << DIS_FAIRNESS_TICK);
    CHECK_INT(fails, 1 | 1 << 7);
    scenario_without(sc, 1, &disable, &fails);
    CHECK_INT(disable, 1 << DIS_RUNNEXT | 1 << DIS_WAKEP);
    scenario_free(sc);
    diag_fini(&d);
}

TEST(defaults)
{
    struct diag d;
    struct scenario *sc;
    const struct scenario_info *info;
    diag_init(&d, NULL);
    sc = scenario_load(t_file("f.yaml", "name: t\nscheduler:\ngoroutines: [{name: main}]\n"), &d);
    CHECK(sc);
    info = scenario_info(sc);
    CHECK_INT(info->gomaxprocs, 2);
    CHECK_INT(info->runq_size, 256);
    CHECK_INT(info->mode, MODE_LOCKSTEP);
    CHECK_INT(info->seed, 1);
    CHECK_INT(info->max_threads, 10000);
    CHECK_INT(info->start_tick, 4);
    CHECK_INT(info->preempt_slice, 10000000);
    CHECK_INT(info->disable, 0);
    scenario_free(sc);
    diag_fini(&d);
}

/* The newest generation has all that can be disabled. */
TEST(disable_words_are_the_runtimes)
{
    for (int i = 0; i < DIS_COUNT; i++) {
        char yaml[200];
        struct diag d;
        struct scenario *sc;
        snprintf(yaml, sizeof yaml, "name: t\nscheduler: {generation: go1.27, disable: [%s]}\ngoroutines: [main]\n", rt_disable_name[i]);
        diag_init(&d, NULL);
        sc = scenario_load(t_file("f.yaml", yaml), &d);
        CHECK(sc);
        CHECK_INT(scenario_info(sc)->disable, 1 << i);
        scenario_free(sc);
        diag_fini(&d);
    }
}

TEST(json_is_yaml)
{
    MESSAGES("{\"name\": \"t\", \"goroutines\": [{\"name\": \"main\", \"do\": [{\"loop\": 3, \"do\": [{\"print\": \"x {i}\"}]}]}]}", "");
    MESSAGES("{\"name\": \"t\",\n \"goroutines\": [{\"name\": \"main\", \"do\": [{\"lop\": 3}]}]}",
             "2:43: unknown key \"lop\" in an item of do; did you mean \"loop\"?\n");
}

TEST(anchors_and_aliases)
{
    MESSAGES("name: t\ngoroutines:\n  - {name: main, do: &ops [{print: a}, {go: b}]}\n  - {name: b, do: *ops}\n", "");
    MESSAGES("name: t\ngoroutines:\n  - {name: main, do: &ops [{sleep: a}]}\n  - {name: b, do: *ops}\n",
             "3:36: \"a\" is not a duration; write one like \"300us\", \"1.5ms\" or \"2s\"\n");
}

/* ---- hostile files: one message, at once ---- */

static int messages(const char *path)
{
    struct diag d;
    int n;
    diag_init(&d, NULL);
    CHECK(scenario_load(path, &d) == NULL);
    n = d.count;
    diag_fini(&d);
    return n;
}

TEST(deep_nesting)
{
    size_t n = 100000;
    char *yaml = malloc(n + 200), *p = yaml;
    p += sprintf(p, "name: t\ngoroutines: ");
    memset(p, '[', n);
    p[n] = '\0';
    CHECK_INT(messages(t_file("f.yaml", yaml)), 1);
    free(yaml);
}

TEST(billion_laughs)
{
    char yaml[2000] = "name: t\nchannels: &a0 [x, x, x, x, x, x, x, x, x, x]\n";
    for (int i = 1; i < 10; i++) {
        char line[100];
        snprintf(line, sizeof line, "x%d: &a%d [*a%d, *a%d, *a%d, *a%d, *a%d, *a%d, *a%d, *a%d]\n", i, i, i - 1, i - 1, i - 1, i - 1, i - 1,
                 i - 1, i - 1, i - 1);
        strcat(yaml, line);
    }
    strcat(yaml, "goroutines: [main]\n");
    CHECK_INT(messages(t_file("f.yaml", yaml)), 1);
}

TEST(not_a_scenario)
{
    char path[512];
    CHECK_INT(messages(t_tmpdir()), 1);
    CHECK_INT(messages("/nonexistent/x.yaml"), 1);
    snprintf(path, sizeof path, "%s/fifo", t_tmpdir());
    CHECK_INT(mkfifo(path, 0600), 0);
    CHECK_INT(messages(path), 1);
    CHECK_INT(messages("/dev/zero"), 1);
    CHECK_INT(messages(t_file("f.yaml", "")), 1);
    CHECK_INT(messages(t_file("f.yaml", "# nothing\n")), 1);
    CHECK_INT(messages(t_file("f.yaml", "just words\n")), 1);
    CHECK_INT(messages(t_file("f.yaml", "- a\n- b\n")), 1);
    CHECK_INT(messages(t_file("f.yaml", "name: \"\xff\xfe\"\n")), 1);
    CHECK_INT(messages(t_file("f.yaml", "name: [t\n")), 1);
    CHECK_INT(messages(t_file("f.yaml", "name: t\n? [a]\n: b\ngoroutines: [main]\n")), 1);
    CHECK_INT(messages(t_file("f.yaml", "name: &a [*a]\n")), 1);
}

/* The largest nest that the file format allows compiles. */
TEST(a_nest_as_deep_as_the_format_allows)
{
    char yaml[4000] = "name: t\ngoroutines: [{name: main, do: [", *p = yaml + strlen(yaml);
    for (int i = 0; i < 28; i++)
        p += sprintf(p, "{loop: 1, do: [");
    p += sprintf(p, "{print: x}");
    for (int i = 0; i < 28; i++)
        p += sprintf(p, "]}");
    strcpy(p, "]}]\n");
    MESSAGES(yaml, "");
}
