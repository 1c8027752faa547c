/* Conns in scenario files, and files with very many names. */
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
