/* Conns in scenario files, arrays of objects, and files with very many names. */
#include "messages.h"
#include <string.h>
#include <sys/resource.h>

#define CONNS(ops) "name: t\nconns: [c, {name: many, count: 3}]\ngoroutines:\n  - name: main\n    do: [" ops "]\n"

TEST(ends_of_conns)
{
    MESSAGES(CONNS("{write: c.a, bytes: 10}, {read: c.b}, {write: 'many[i + 1].b'}"), "");
    MESSAGES(CONNS("{write: c}"), "5:18: \"c\" is not an end of a conn; write NAME.a or NAME.b\n");
    MESSAGES(CONNS("{write: c.x}"), "5:20: \"x\" is not an end of a conn; its ends are a and b\n");
    MESSAGES(CONNS("{read: mani.a}"), "5:17: unknown conn \"mani\"; did you mean \"many\"?\n");
    MESSAGES(CONNS("{read: many.a}"), "5:17: \"many\" is an array of conns; write \"many[EXPR].a\"\n");
    MESSAGES(CONNS("{read: 'c[0].a'}"), "5:19: \"c\" is a single conn; write \"c.a\"\n");
    MESSAGES(CONNS("{read: 'many[j].a'}"), "5:23: unknown variable \"j\"; nothing in this program sets it\n");
    MESSAGES(CONNS("{read: 'many[].a'}"), "5:23: expected a value at the end\n");
    MESSAGES(CONNS("{read: c.a, value: 3}"), "5:22: \"value\" does not belong to \"read\", which takes \"bytes\"\n");
    MESSAGES("name: t\nconns: [c, c]\ngoroutines: [{name: main}]\n", "2:12: conn \"c\" is declared twice; give it another name\n");
    MESSAGES("name: t\nconns: [{name: c, count: 0}]\ngoroutines: [{name: main}]\n", "2:26: count: expected 1 or more, got 0\n");
}

/* Descriptors run out at load, not in the middle of a run: as many conns as the hard limit allows are accepted, one
 * more is not. */
TEST(more_conns_than_descriptors_are_refused_at_load)
{
    struct rlimit r = {.rlim_cur = 100, .rlim_max = 100};
    CHECK_INT(setrlimit(RLIMIT_NOFILE, &r), 0);
    MESSAGES("name: t\nconns: [{name: c, count: 18}]\ngoroutines: [{name: main}]\n", "");
    MESSAGES("name: t\nconns: [{name: c, count: 18}, d]\ngoroutines: [{name: main}]\n",
             "2:1: 19 conns need 38 descriptors; this process may have 100 (ulimit -Hn), enough for 18 conns\n");
}

/* Files with very many names: names are looked up, not searched, and corrections are guessed for the first mistakes
 * only. */
TEST(nine_thousand_conns_by_name)
{
    struct rlimit r;
    char *text;
    size_t size;
    FILE *out;
    getrlimit(RLIMIT_NOFILE, &r);
    if (r.rlim_max < 18100)
        t_skip("needs 18,100 descriptors");
    out = open_memstream(&text, &size);
    fprintf(out, "name: t\nconns: [c0");
    for (int i = 1; i < 9000; i++)
        fprintf(out, ", c%d", i);
    fprintf(out, "]\ngoroutines:\n  - name: main\n    do:\n");
    for (int i = 0; i < 9000; i++)
        fprintf(out, "      - {write: c%d.a, bytes: 8}\n      - {read: c%d.b, bytes: 8}\n", i, i);
    fclose(out);
    MESSAGES(text, "");
    free(text);
}

TEST(a_great_many_unknown_names_end_soon)
{
    char *text, *said;
    size_t size;
    FILE *out;
    enum { N = 40000 };
    out = open_memstream(&text, &size);
    fprintf(out, "name: t\nmutexes: [a");
    for (int i = 0; i < N; i++)
        fprintf(out, ", a%x", (unsigned)i);
    fprintf(out, "]\ngoroutines:\n  - name: main\n    do:\n");
    for (int i = 0; i < N / 4; i++)
        fprintf(out, "    - lock: b%x\n", i);
    fclose(out);
    said = messages_of(t_file("many.yaml", text), false);
    CHECK(strstr(said, "6:13: unknown mutex \"b0\"; did you mean \"a0\"?\n"));
    free(said);
    free(text);
}

#define ARRAYS(ops) \
    "name: t\nmutexes: [mu, {name: fork, count: 5}]\nchannels: [c, {name: s, count: 2}, {name: r, of: channel}]\n" \
    "conds: [{name: cv, mutex: fork}]\ngoroutines:\n  - {name: main, do: [" ops \
    "]}\n  - {name: f, params: [{name: to, type: channel}], do: []}\n"
#define NO_COND "4:27: \"fork\" is an array of 5 mutexes, so the cond must have \"count: 5\", too\n"

TEST(arrays_and_variables_that_hold_channels)
{
    MESSAGES(ARRAYS("{lock: fork}"), NO_COND "6:30: \"fork\" is an array of mutexes; write \"fork[EXPR]\"\n");
    MESSAGES(ARRAYS("{lock: 'mu[0]'}"), NO_COND "6:33: \"mu\" is a single mutex; write \"mu\"\n");
    MESSAGES(ARRAYS("{lock: 'fork[5]'}"), NO_COND "6:36: index 5 is out of range: the array has 5 mutexes, counted from 0\n");
    MESSAGES(ARRAYS("{send: 's[k]'}"), NO_COND "6:33: unknown variable \"k\"; nothing in this program sets it\n");
    MESSAGES(ARRAYS("{go: f, args: [d]}"), NO_COND "6:38: unknown channel \"d\"; declare it under \"channels\"\n");
    MESSAGES(ARRAYS("{go: f, args: [r]}"),
             NO_COND "6:38: \"r\" cannot be a value: only a channel of numbers, declared under \"channels\", can\n");
    MESSAGES(ARRAYS("{set: x, to: c}, {print: '{x}'}"), NO_COND "6:50: \"x\" holds a channel, which is no number\n");
    MESSAGES(ARRAYS("{set: x, to: c}, {recv: c, as: x}"), NO_COND "6:54: \"x\" holds a channel, and gets a number here\n");
    MESSAGES(ARRAYS("{set: x, to: c}, {set: x, to: 3}"), NO_COND "6:53: unknown channel \"3\"; declare it under \"channels\"\n");
    MESSAGES("name: t\nmutexes: [{name: mu, count: 0}]\nwaitgroups: [{name: wg, count: 200000}]\ngoroutines: [{name: main, do: []}]\n",
             "2:29: count: expected 1 or more, got 0\n3:32: count: at most 100000 waitgroups can be declared, this would be 200000\n");
}
