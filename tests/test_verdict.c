/* What compare says about two runs, checked against the events of each run alone: where they part, and each number of the conclusion. */
#include "runtime/runtime.h"
#include "shell.h"

#include <ctype.h>
#include <dirent.h>

/* The events of a run, read back from --events. */
struct log {
    char *line[20000];
    int n;
};

static struct log events_of(const char *name, const char *setting, unsigned long long most)
{
    static struct log l;
    char command[400];
    snprintf(command, sizeof command, "gmpscope run %s --headless --events --max-events %llu %s%s", name, most, *setting ? "--" : "",
             setting);
    l.n = 0;
    for (char *at = strtok(shell(command)->out, "\n"); at && l.n < 20000; at = strtok(NULL, "\n"))
        l.line[l.n++] = at;
    return l;
}

/* Writes a line without its times: the one in front, and the fields that are times or durations. */
static const char *timeless(const char *line, char *out)
{
    static const char *const times[] = {"when=", "late=", "delay=", "done=", "to="};
    char *to = out;
    line += strcspn(line, " ");
    while (*line) {
        size_t len = strcspn(line + 1, " ") + 1, k = 0;
        while (k < sizeof times / sizeof *times && strncmp(line + 1, times[k], strlen(times[k])) != 0)
            k++;
        if (k == sizeof times / sizeof *times) {
            memcpy(to, line, len);
            to += len;
        }
        line += len;
    }
    *to = '\0';
    return out;
}

static int first_other(const struct log *l, const struct log *r)
{
    char a[2000], b[2000];
    int i = 0;
    while (i < l->n && i < r->n && strcmp(timeless(l->line[i], a), timeless(r->line[i], b)) == 0)
        i++;
    return i;
}

static const char *value(const char *json, const char *key)
{
    const char *at = strstr(json, key);
    if (!at)
        t_fail(__FILE__, __LINE__, "no %s in %s", key, json);
    return at + strlen(key);
}

static unsigned long long number(const char *json, const char *key)
{
    return strtoull(value(json, key), NULL, 10);
}

/* What the events of a run say about its Gs. */
struct facts {
    unsigned created, done;
};

static struct facts facts_of(const struct log *l)
{
    struct facts f = {0};
    for (int i = 0; i < l->n; i++) {
        const char *g = strstr(l->line[i], " g=");
        bool user = g && isdigit((unsigned char)g[3]) && strtoul(g + 3, NULL, 10) < EV_SYSTEM_G;
        f.created += user && strstr(l->line[i], " go_create ");
        f.done += user && strstr(l->line[i], " g_end ");
        f.done += strstr(l->line[i], " how=main_returned") != NULL;
    }
    return f;
}

/* Returns the sentence that must be true of a run which has ended by itself. */
static void wanted(const char *json, const struct facts *f, char *out, size_t size)
{
    char time[40], left[80] = "";
    duration_text((int64_t)number(json, "\"time_ns\":"), time, sizeof time);
    if (f->created != f->done)
        snprintf(left, sizeof left, "; %u of %u Gs %s not ended", f->created - f->done, f->created,
                 f->created - f->done == 1 ? "has" : "have");
    const char *how = value(json, "\"ended\":\"");
    if (!strncmp(how, "main_returned", 13) && f->created == f->done && f->created == 1)
        snprintf(out, size, "the only G ends after %s.", time);
    else if (!strncmp(how, "main_returned", 13) && f->created == f->done)
        snprintf(out, size, "all %u Gs end after %s.", f->created, time);
    else if (!strncmp(how, "main_returned", 13))
        snprintf(out, size, "main returns after %s%s.", time, left);
    else if (!strncmp(how, "stuck", 5))
        snprintf(out, size, "no G has changed its state since ");
    else if (!strncmp(how, "limit", 5))
        snprintf(out, size, "at %s, %u of %u Gs %s ended.", time, f->done, f->created, f->done == 1 ? "has" : "have");
    else
        snprintf(out, size, "after %s the program dies of %s%s.", time,
                 !strncmp(how, "deadlock", 8) ? "a deadlock"
                 : !strncmp(how, "panic", 5)  ? "a panic"
                                              : "a fatal error",
                 left);
}

/* One scenario as it is, next to it with a setting. Returns false if it cannot have this setting. */
static bool try(const char *name, const char *setting)
{
    char command[400], want[2][200];
    static struct log log[2];
    snprintf(command, sizeof command, "gmpscope compare %s --right '%s' --headless --json --lang en --max-events 15000", name, setting);
    struct result *r = shell(command);
    if (r->code == 2)
        return false;
    char *json = r->out, *right = strstr(json, "},\"right\":{");
    CHECK(right);
    log[0] = events_of(name, "", number(json, "\"events\":"));
    log[1] = events_of(name, setting, number(right, "\"events\":"));
    int same = first_other(&log[0], &log[1]);
    CHECK_INT(number(json, "\"first\":{\"same\":"), same);
    if (same == log[0].n && same == log[1].n)
        HAS(json, "\"left\":null,\"right\":null},\"conclusion\":");
    else if (same < log[0].n)
        HAS(json, log[0].line[same]);
    for (int i = 0; i < 2; i++) {
        struct facts f = facts_of(&log[i]);
        wanted(i ? right : json, &f, want[i], sizeof want[i]);
        if (!strstr(value(json, "\"conclusion\":"), want[i]))
            t_fail(__FILE__, __LINE__, "%s: no \"%s\" in %s", command, want[i], value(json, "\"conclusion\":"));
    }
    return true;
}

/* Each shipped scenario with some of the settings that a class can reach; every setting is tried with several scenarios. */
TEST(each_number_of_the_conclusion_is_in_the_events)
{
    static const char *const more[] = {"generation=go1.0", "generation=go1.4", "generation=go1.13", "procs=1", "procs=4"};
    enum { MORE = sizeof more / sizeof *more, ALL = MORE + DIS_COUNT };
    DIR *d = opendir(SOURCE_DIR "/scenarios");
    int tried = 0;
    CHECK(d);
    for (struct dirent *e; (e = readdir(d));) {
        char name[64], setting[64];
        char *end = strstr(e->d_name, ".yaml");
        if (!end)
            continue;
        snprintf(name, sizeof name, "%.*s", (int)(end - e->d_name), e->d_name);
        unsigned first = 0;
        for (const char *c = name; *c; c++)
            first = first * 31 + (unsigned char)*c;
        for (unsigned k = 0; k < 2; k++) {
            unsigned i = (first + k * 7) % ALL;
            if (i < MORE)
                snprintf(setting, sizeof setting, "%s", more[i]);
            else
                snprintf(setting, sizeof setting, "disable=%s", rt_disable_name[i - MORE]);
            tried += try(name, setting);
        }
    }
    closedir(d);
    CHECK(tried > 100);
}

/* The README's question gets its answer: G10 runs for ever, and the eight others wait behind it. G10 began with the last event of a G. */
TEST(is_stealing_worth_it)
{
    struct result *r = shell("gmpscope compare steal-half --right disable=stealing --headless --lang en");
    CHECK_INT(r->code, 0);
    HAS(r->out, "* ended                           main_returned                    stuck\n");
    const char *c = value(r->out, "With stealing, all 10 Gs end after 8.003 ms. Without it, no G has changed its state since ");
    CHECK(!strncmp(c, "1.49 µs: 8 Gs wait in P0's queue behind G10, which has run for ",
                   strlen("1.49 µs: 8 Gs wait in P0's queue behind G10, which has run for ")));
    struct result *e = shell("gmpscope run steal-half --disable stealing --headless --events --max-events 3000 | grep ' g_start g=10 '");
    CHECK(!strncmp(e->out, "1490 ", 5));
    r = shell("gmpscope compare steal-half --right disable=stealing --headless --lang zh");
    HAS(r->out, "有偷取时，全部 10 个 G 在 8.003 ms 后结束。没有偷取时，自 1.49 µs 起没有任何 G 改变过状态：8 个 G 在 P0 的队列中等待，");
    r = shell("gmpscope compare steal-half --left disable=stealing --headless --lang en");
    HAS(r->out, "\nWithout stealing, no G has changed its state since 1.49 µs: ");
    HAS(r->out, " With it, all 10 Gs end after 8.003 ms.\n");
}

/* A long computation is not stuck, nor is a loop that counts, nor a G that sleeps or prints. */
TEST(what_goes_on_is_not_stuck)
{
    static const char *const body[] = {
        "{compute: 400ms}",
        "{loop: 400, do: [{compute: 1ms}]}",
        "{sleep: 400ms}",
        "{syscall: 400ms}",
        "{loop: forever, do: [{compute: 1ms}, {set: n, to: n + 1}, {if: n == 400, then: [{done: wg}, {exit: true}]}]}",
    };
    for (size_t i = 0; i < sizeof body / sizeof *body; i++) {
        char text[600], line[700];
        snprintf(text, sizeof text,
                 "name: long\nscheduler: {gomaxprocs: 2, preempt_slice: 10s}\nwaitgroups: [wg]\nshared: [n]\ngoroutines:\n"
                 "  - {name: main, do: [{add: wg, n: 1}, {go: w}, {wait: wg}]}\n  - {name: w, do: [%s, {done: wg}]}\n",
                 body[i]);
        snprintf(line, sizeof line, "gmpscope compare '%s' --right procs=1 --headless --lang en", t_file("long.yaml", text));
        struct result *r = shell(line);
        CHECK_INT(r->code, 0);
        if (strstr(r->out, "stuck") || !strstr(r->out, "With 2 Ps, all 2 Gs end after 400"))
            t_fail(__FILE__, __LINE__, "%s: %s", body[i], r->out);
    }
}

TEST(first_prints_both_events_their_rules_and_the_outcome)
{
    struct result *r = shell("gmpscope compare steal-half --right disable=stealing --headless --first --lang en");
    CHECK_INT(r->code, 0);
    CHECK_STR(r->out,
              "The same up to event 22, then:\n"
              "  left   event 23  350 ns  M2 checks P0's queue: 0 Gs (pass 1 of 4).\n"
              "  right  event 23  350 ns  M2 has found nothing and is about to give up P1.\n"
              "Rules: only the left run has stealing.\nOutcome: left: main returned; right: no G does anything any more.\n");
    r = shell("gmpscope compare steal-half --right procs=2 --headless --first --lang en");
    CHECK_INT(r->code, 0);
    CHECK_STR(r->out, "No difference: the 405 events of both runs are the same.\n");
    r = shell("gmpscope compare steal-half --right 'max-events=100' --headless --first --lang en"); /* one is a beginning of the other */
    CHECK_INT(r->code, 0);
    HAS(r->out, "The same up to event 100, then:\n  left   event 101  ");
    HAS(r->out, "  right  no more events: its limit is reached\n");
}

/* Equal counters are left out; --all lists them. */
TEST(only_what_differs_is_listed)
{
    struct result *r = shell("gmpscope compare steal-half --right procs=4 --headless");
    CHECK(!strstr(r->out, "handoffs"));
    HAS(r->out, "\n* steals ");
    r = shell("gmpscope compare steal-half --right procs=4 --headless --all");
    HAS(r->out, "\n  handoffs ");
}
