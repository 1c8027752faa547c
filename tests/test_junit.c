/* --junit FILE: explore, claim and check. Each file is read with the rules of the schema that Jenkins publishes (junit-10.xsd): its elements, their attributes,
 * and their order. */
#include "shell.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Which element may be in which, with which attributes; those that it must have come first, before a bar. */
static const struct element {
    const char *name, *in, *attributes;
} schema[] = {
    {"testsuites", "", "|name time tests failures disabled errors"},
    {"testsuite", "testsuites", "name tests|failures errors time disabled skipped timestamp hostname id package"},
    {"testcase", "testsuite", "name classname|assertions time status"},
    {"skipped", "testcase", "|type message"},
    {"error", "testcase", "|type message"},
    {"failure", "testcase", "|type message"},
};

struct read {
    const char *at;
    char open[8][20]; /* elements around it */
    int depth;
    int n[4]; /* cases; and failures, errors, skipped */
};

static void wrong(const struct read *r, const char *what)
{
    t_fail(__FILE__, __LINE__, "%s at \"%.60s\"", what, r->at);
}

/* Reads text up to a character that ends it: no markup but the five entities, and no control characters. */
static void read_text(struct read *r, char end)
{
    for (; *r->at && *r->at != end; r->at++) {
        static const char *const entity[] = {"&amp;", "&lt;", "&gt;", "&quot;", "&apos;"};
        bool known = *r->at != '&';
        for (size_t i = 0; i < 5; i++)
            known |= !strncmp(r->at, entity[i], strlen(entity[i]));
        if (!known || *r->at == '<' || ((unsigned char)*r->at < ' ' && *r->at != '\n'))
            wrong(r, "no text of XML");
    }
}

static bool has_word(const char *list, const char *word)
{
    size_t len = strlen(word);
    for (const char *p = list; (p = strstr(p, word)); p += len)
        if ((p == list || strchr(" |", p[-1])) && (!p[len] || strchr(" |", p[len])))
            return true;
    return false;
}

static void read_attributes(struct read *r, const struct element *e)
{
    char seen[200] = "";
    while (*r->at == ' ') {
        char name[20] = "";
        size_t len = strcspn(++r->at, "=\" >");
        snprintf(name, sizeof name, "%.*s", (int)len, r->at);
        if (!has_word(e->attributes, name) || has_word(seen, name) || strncmp(r->at + len, "=\"", 2) != 0)
            wrong(r, "no attribute of the schema");
        snprintf(seen + strlen(seen), sizeof seen - strlen(seen), "%s ", name);
        r->at += len + 2;
        read_text(r, '"');
        r->at++;
    }
    for (const char *must = e->attributes; *must != '|'; must += strcspn(must, " |"), must += *must == ' ') {
        char name[20];
        snprintf(name, sizeof name, "%.*s", (int)strcspn(must, " |"), must);
        if (!has_word(seen, name))
            wrong(r, "a missing attribute");
    }
}

static void read_tag(struct read *r)
{
    char name[20];
    bool ends = r->at[1] == '/';
    r->at += 1 + ends;
    snprintf(name, sizeof name, "%.*s", (int)strcspn(r->at, " />"), r->at);
    r->at += strlen(name);
    if (ends) {
        if (!r->depth || strcmp(r->open[--r->depth], name) != 0)
            wrong(r, "an end without a beginning");
    } else {
        size_t i = 0, all = sizeof schema / sizeof *schema;
        while (i < all && (strcmp(schema[i].name, name) != 0 || strcmp(schema[i].in, r->depth ? r->open[r->depth - 1] : "") != 0))
            i++;
        if (i == all) {
            wrong(r, "no element of the schema");
            return;
        }
        read_attributes(r, &schema[i]);
        static const char *const counted[] = {"testcase", "failure", "error", "skipped"};
        for (int k = 0; k < 4; k++)
            r->n[k] += !strcmp(name, counted[k]);
        snprintf(r->open[r->depth++], sizeof *r->open, "%s", name);
        if (*r->at == '/') {
            r->at++;
            r->depth--;
        }
    }
    if (*r->at++ != '>')
        wrong(r, "a tag that does not end");
}

/* Reads a file, and compares what it counts with what it has. */
static const char *valid(const char *path)
{
    static const char head[] = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
    char line[300], counts[200];
    snprintf(line, sizeof line, "cat '%s'", path);
    const char *xml = shell(line)->out;
    struct read r = {.at = xml + sizeof head - 1};
    CHECK_INT(strncmp(xml, head, sizeof head - 1), 0);
    while (*r.at)
        if (*r.at == '<')
            read_tag(&r);
        else
            read_text(&r, '<');
    CHECK_INT(r.depth, 0);
    CHECK(r.n[0] > 0);
    snprintf(counts, sizeof counts, "<testsuite name=\"gmpscope\" tests=\"%d\" failures=\"%d\" errors=\"%d\" skipped=\"%d\"", r.n[0],
             r.n[1], r.n[2], r.n[3]);
    HAS(xml, counts);
    return xml;
}

static const char two_ways[] =
    "name: t\nscheduler: {gomaxprocs: 2, preempt_slice: 10s}\nchannels: [status]\nrwmutexes: [rw]\nwaitgroups: [wg]\ngoroutines:\n"
    "  - name: main\n"
    "    do: [{add: wg, n: 3}, {go: sync}, {go: set, count: 2}, {wait: wg}, {print: \"<a> & \\x01\"}]\n"
    "  - {name: sync, do: [{loop: 2, do: [{recv: status}, {wlock: rw}, {wunlock: rw}]}, {done: wg}]}\n"
    "  - {name: set, do: [{wlock: rw}, {send: status}, {wunlock: rw}, {done: wg}]}\n"
    "expect: [{prints: [b]}]\n";

/* Runs `gmpscope WHAT FILE REST --junit …`, and reads what it wrote. */
static const char *written(const char *what, const char *file, const char *rest, int code)
{
    char line[2000];
    const char *path = t_file("out.xml", "");
    snprintf(line, sizeof line, "gmpscope %s '%s' %s --junit '%s'", what, file, rest, path);
    CHECK_INT(shell(line)->code, code);
    return valid(path);
}

TEST(each_kind_of_failure_is_a_test_case)
{
    const char *f = t_file("t.yaml", two_ways);
    const char *xml = written("explore", f, "--seeds 200 --failures 200", 1);
    HAS(xml, "<testcase classname=\"t\" name=\"deadlock: set (line 10) waits to send on status, from which only sync receives; ");
    HAS(xml, "expected &quot;b&quot;, got &quot;&lt;a&gt; &amp; \\x01&quot;");
    HAS(xml, "<failure type=\"exit 1\" message=\"deadlock: ");
    HAS(xml, "on the screen, at the failure: gmpscope run ");
    HAS(written("explore", f, "--seeds 200 --failures 200 --lang zh", 1), "message=\"死锁：set（第 10 行）");
    xml = written("explore", "whatif-recheck", "--seeds 5", 0);
    HAS(xml, "<testcase classname=\"whatif-recheck\" name=\"explore\"/>");
    HAS(written("explore", f, "--seeds 5 --max-events 9", 0),
        "<skipped message=\"5 cut by the limit, not judged (none finished)\"></skipped>");
}

TEST(parts_that_are_merged_are_written_too)
{
    const char *f = t_file("t.yaml", two_ways);
    char line[1000];
    snprintf(
        line, sizeof line,
        "for k in 1 2; do gmpscope explore '%s' --seeds 100 --shard $k/2 --json >'%s'.$k; done; gmpscope explore --merge '%s'.1 '%s'.2 --junit '%s'.xml",
        f, f, f, f, f);
    CHECK_INT(shell(line)->code, 1);
    snprintf(line, sizeof line, "%s.xml", f);
    HAS(valid(line), "name=\"deadlock: set (line 10) waits to send on status");
}

TEST(an_answer_that_is_no_proof_is_skipped)
{
    HAS(written("claim", "deadlock", "'never: ends: deadlock' --seeds 9", 1),
        "<failure message=\"yes, here is one\">gmpscope run deadlock --seed 1");
    HAS(written("claim", "deadlock", "'may: ends: deadlock' --seeds 9", 0), "name=\"may: ends: deadlock\"/>");
    HAS(written("claim", "deadlock", "'may: ends: panic' --seeds 9", 5),
        "<skipped message=\"not found in 9 schedules; this is no proof\"></skipped>");
}

TEST(check_writes_a_test_case_for_each_of_its_lines)
{
    const char *f = t_file("t.yaml", two_ways);
    HAS(written("check", f, "--seeds 30 --mode lockstep", 1), "<testcase classname=\"t\" name=\"lockstep\">");
    HAS(written("check", "steal-half", "--all-generations --mode lockstep", 0),
        "<testcase classname=\"steal-half\" name=\"go1.20 lockstep\"/>");
}

TEST(a_file_that_cannot_be_written_is_reported_before_the_search)
{
    struct result *r = shell("gmpscope explore steal-half --seeds 5 --junit /nowhere/x.xml 2>&1");
    CHECK_INT(r->code, 2);
    CHECK_STR(r->out, "gmpscope: --junit: cannot write /nowhere/x.xml: No such file or directory\n");
    CHECK_INT(shell("gmpscope check steal-half --junit / 2>/dev/null")->code, 2);
    CHECK_INT(shell("gmpscope claim steal-half 'may: steal' --seeds 9 --junit / 2>/dev/null")->code, 2);
}
