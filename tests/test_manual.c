/* The manual contains every key of the scenario language, every option, event, key and command, and its examples
 * run. */
#include "cli/commands.h"
#include "cli/manual.h"
#include "eventlog/events.h"
#include "load.h"
#include "model/query/pattern.h"
#include "scenario/schema.h"
#include "go_trace_bytes.h"
#include "shell.h"
#include "ui/input/commands.h"
#include "ui/input/keys.h"
#include "ui/panes/pane.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct reference_entry *entry(enum reference_part part, const char *key)
{
    const struct reference_entry *e;
    for (size_t i = 0; (e = scenario_reference(i)); i++)
        if (e->part == part && !strcmp(e->key, key))
            return e;
    return NULL;
}

static bool is_key(const cyaml_schema_field_t *f, const char *key)
{
    for (; f->key; f++)
        if (!strcmp(f->key, key))
            return true;
    return false;
}

/* The keys of the schema must be those of the entries. */
static void compare(const cyaml_schema_field_t *fields, enum reference_part part)
{
    const struct reference_entry *e;
    for (const cyaml_schema_field_t *f = fields; f->key; f++)
        if (!entry(part, f->key))
            t_fail(SOURCE_DIR "/src/scenario/reference.def", 0, "no entry for \"%s\"", f->key);
    for (size_t i = 0; (e = scenario_reference(i)); i++)
        if (e->part == part && !is_key(fields, e->key))
            t_fail(SOURCE_DIR "/src/scenario/reference.def", 0, "\"%s\" is no key", e->key);
}

static const cyaml_schema_field_t *fields_of(const char *key)
{
    for (const cyaml_schema_field_t *f = scenario_schema.mapping.fields; f->key; f++)
        if (!strcmp(f->key, key))
            return f->value.type == CYAML_MAPPING ? f->value.mapping.fields : f->value.sequence.entry->mapping.fields;
    t_fail(__FILE__, __LINE__, "no key %s", key);
}

TEST(every_key_of_the_schema_has_an_entry)
{
    compare(scenario_schema.mapping.fields, REFERENCE_FILE);
    compare(fields_of("scheduler"), REFERENCE_SETTING);
    compare(fields_of("expect"), REFERENCE_CLAIM);
    compare(fields_of("lesson"), REFERENCE_LESSON);
}

static const char *const operation_keys[] = {
#define KEY(key, member, kind) key,
#include "scenario/ops.def"
};

/* Returns whether the key is explained: a verb has its own entry; a modifier is named in the entry or the example of
 * a verb that takes it. */
static bool is_explained(const char *key)
{
    const struct reference_entry *e;
    char quoted[40], used[40];
    snprintf(quoted, sizeof quoted, "`%s", key);
    snprintf(used, sizeof used, "%s:", key);
    for (size_t i = 0; (e = scenario_reference(i)); i++) {
        const struct verb *v = e->part == REFERENCE_OPERATION ? verb_find(e->key) : NULL;
        if (v && verb_takes(v, key) && (strstr(e->text, quoted) || strstr(e->example, used)))
            return true;
    }
    return false;
}

TEST(every_operation_and_modifier_is_explained)
{
    for (size_t i = 0; i < sizeof operation_keys / sizeof *operation_keys; i++)
        if (verb_find(operation_keys[i]) ? !entry(REFERENCE_OPERATION, operation_keys[i]) : !is_explained(operation_keys[i]))
            t_fail(SOURCE_DIR "/src/scenario/reference.def", 0, "nothing on \"%s\"", operation_keys[i]);
}

/* ---- examples ---- */

/* Appends text, each line after the first indented. */
static void append(char *out, size_t size, const char *text, int indent)
{
    size_t n = strlen(out);
    for (; *text && n + 40 < size; text++) {
        out[n++] = *text;
        if (*text == '\n')
            n += (size_t)snprintf(out + n, size - n, "%*s", indent, "");
    }
    out[n] = '\0';
}

/* What examples of operations may name. A helper has made each object ready: a channel with a value, a mutex that is locked. */
static const char around_operation[] =
    "name: example\n"
    "channels: [{name: ch, buffer: 4}, {name: full, buffer: 1}, {name: empty}, {name: closed}]\n"
    "mutexes: [mu, held, cm]\nrwmutexes: [rw, rheld, wheld]\nwaitgroups: [wg, one]\nonces: [setup]\ncontexts: [request, part]\n"
    "conds: [{name: ready, mutex: cm}]\nshared: [total]\nconns: [c, sent]\n"
    "goroutines:\n"
    "  - {name: worker, params: [x], do: [{compute: 1us}]}\n"
    "  - {name: worker2, do: [{compute: 1us}]}\n"
    "  - {name: waker, do: [{sleep: 1ms}, {broadcast: ready}]}\n"
    "  - name: main\n"
    "    do:\n"
    "      - {send: full}\n      - {close: closed}\n      - {lock: held}\n      - {rlock: rheld}\n      - {wlock: wheld}\n"
    "      - {add: one}\n      - {lock: cm}\n      - {write: sent.a, bytes: 10}\n      - {go: waker}\n"
    "      - {timer: 5ms, as: t}\n      - {context: request}\n      - ";

static void run_example(const struct reference_entry *e, const char *text)
{
    char path[60];
    snprintf(path, sizeof path, "%s-%d.yaml", e->key, (int)e->part);
    struct result r = HEADLESS(t_file(path, text), "--audit");
    if (r.code || r.err[0])
        t_fail(SOURCE_DIR "/src/scenario/reference.def", 0, "the example of \"%s\": exit %d, %s\n%.1500s", e->key, r.code, r.err, text);
}

TEST(the_examples_of_operations_run)
{
    const struct reference_entry *e;
    for (size_t i = 0; (e = scenario_reference(i)); i++) {
        char text[4000];
        if (e->part != REFERENCE_OPERATION)
            continue;
        snprintf(text, sizeof text, "%s", around_operation);
        append(text, sizeof text, e->example, 8);
        append(text, sizeof text, "\n", 6);
        append(text, sizeof text, "- {sleep: 2ms}\n", 0);
        run_example(e, text);
    }
}

static const char programs[] =
    "goroutines:\n"
    "  - {name: worker, do: [{print: b}]}\n"
    "  - {name: main, do: [{print: a}, {go: worker}, {sleep: 1ms}]}\n";

/* Builds the example below `what`, as an item of a list or as its value. */
static void around(char *text, size_t size, const char *what, const char *example)
{
    snprintf(text, size, "name: example\n%s%s", programs, what);
    append(text, size, example, 4);
    append(text, size, "\n", 0);
}

TEST(the_examples_of_claims_hold)
{
    const struct reference_entry *e;
    for (size_t i = 0; (e = scenario_reference(i)); i++) {
        char text[4000];
        if (e->part != REFERENCE_CLAIM)
            continue;
        around(text, sizeof text, "expect:\n  - ", e->example);
        run_example(e, text);
    }
}

TEST(the_examples_of_settings_and_lessons_are_right)
{
    const struct reference_entry *e;
    for (size_t i = 0; (e = scenario_reference(i)); i++) {
        char text[4000];
        if (e->part != REFERENCE_SETTING && e->part != REFERENCE_LESSON)
            continue;
        bool without = !strcmp(e->key, "without"); /* it is about claims */
        around(text, sizeof text,
               e->part == REFERENCE_LESSON ? "lesson:\n  - "
               : without                   ? "expect: [{counter: steals, min: 1}]\nscheduler:\n    "
                                           : "scheduler:\n    ",
               e->example);
        if (without)
            CHECK_INT(RUN("lint", (char *)t_file("without.yaml", text)).code, 0);
        else
            run_example(e, text);
    }
}

TEST(the_examples_of_the_file_are_right)
{
    const struct reference_entry *e;
    for (size_t i = 0; (e = scenario_reference(i)); i++) {
        char text[4000];
        if (e->part != REFERENCE_FILE)
            continue;
        bool go = strstr(e->example, "source: "), whole = !strcmp(e->key, "goroutines") || go;
        t_file("main.go", "package main\n\nfunc main() {}\n");
        t_file("queue_test.go", "package queue\n\nimport \"testing\"\n\nfunc TestQueue(t *testing.T) {}\n");
        if (go && shell("go version")->code != 0)
            continue;
        snprintf(text, sizeof text, "%s%s%s\n", strcmp(e->key, "name") ? "name: example\n" : "", whole ? "" : programs, e->example);
        run_example(e, text);
    }
}

/* ---- pages ---- */

static const char *page(const char *topic)
{
    struct result r = RUN("help", (char *)topic);
    CHECK_INT(r.code, 0);
    return r.out;
}

TEST(pages_have_every_row_of_their_tables)
{
    struct option_row o;
    char word[80];
    const char *text = page("gmpscope");
    for (size_t i = 0; options_row(i, &o); i++) {
        snprintf(word, sizeof word, "  --%s", o.name);
        HAS(text, word);
    }
    text = page("events");
    for (int k = 0; k < EV_KINDS; k++)
        HAS(text, ev_desc[k].name);
    CHECK(!strstr(text, "()") && !strstr(text, "`none`")); /* each field has a type */
    text = page("keys");
    for (int i = 0; i < nkeys; i++)
        HAS(text, keys[i].name);
    for (int i = 0; i < ncommands; i++) {
        snprintf(word, sizeof word, "  :%s", commands[i].name);
        HAS(text, word);
    }
    HAS(page("scenario"), "lock_os_thread");
    HAS(page("patterns"), "`p0.runq`");
    for (size_t i = 0; i < COUNTERS_N; i++) {
        snprintf(word, sizeof word, "`%s`", counter_name[i]);
        HAS(page("scenario"), word);
    }
}

TEST(the_examples_of_patterns_are_patterns)
{
    struct arena a = {0};
    const char *text = page("patterns"), *pattern, *err = NULL;
    size_t pos = 0;
    for (size_t i = 0; (pattern = manual_pattern(i)); i++) {
        HAS(text, pattern);
        if (!pattern_compile(&a, pattern, &err, &pos))
            t_fail(__FILE__, __LINE__, "%s: %s", pattern, err);
    }
    arena_fini(&a);
}

/* What the README left to the manual is there. */
TEST(pages_explain_what_no_table_has)
{
    static const char *const topics[][2] = {
        {"gmpscope", "CLAIMS OF CHANGED RUNS"},
        {"gmpscope", "EXPLORING"},
        {"gmpscope", "INVARIANTS"},
        {"gmpscope", "COMPARING"},
        {"gmpscope", "THE PAST"},
        {"gmpscope", "EXIT STATUS"},
        {"keys", "LESSONS"},
        {"keys", "CHOOSE WHAT HAPPENS NEXT"},
        {"keys", "TWO RUNS"},
        {"patterns", "NOTES"},
        {"go", "TIME AND CHANCE"},
        {"go", "WHAT IS NOT SUPPORTED"}};
    for (size_t i = 0; i < sizeof topics / sizeof *topics; i++) {
        char heading[60];
        snprintf(heading, sizeof heading, "\n%s\n  ", topics[i][1]);
        HAS(page(topics[i][0]), heading);
    }
}

TEST(the_page_about_go_names_each_package_that_is_there)
{
    const char *text = page("go");
    HAS(text, "container/heap");
    HAS(text, "sync/atomic");
    CHECK(!strstr(text, "internal"));
}

TEST(the_readme_is_short)
{
    const char *text = slurp(SOURCE_DIR "/README.md", NULL);
    int n = 0;
    for (; *text; text++)
        n += *text == '\n';
    CHECK(n <= 120);
}

/* Each line below "What to try next" is a command line that the program takes. Here it runs without a screen and with one seed. */
TEST(the_commands_of_the_readme_are_right)
{
    char *at = strstr(slurp(SOURCE_DIR "/README.md", NULL), "## What to try next\n"), command[400], *stop;
    const char *folder = t_file("mine.yaml", "name: mine\ngoroutines: [{name: main, do: [{yield: 1}]}]\n");
    int n = 0;
    bool go = shell("go version")->code == 0;
    t_file("main.go", "package main\n\nfunc main() {}\n");
    trace_file("trace.out", small_trace, SMALL_TRACE);
    CHECK(at && (at = strstr(at, "\n```\n")) && (stop = strstr(at + 5, "\n```\n")));
    *stop = '\0';
    for (; (at = strstr(at, "\ngmpscope ")); n++) {
        size_t len = strcspn(++at, "\n");
        char *end = strstr(at, "  ");
        len = end && (size_t)(end - at) < len ? (size_t)(end - at) : len;
        bool screen = !strncmp(at, "gmpscope run", 12) || !strncmp(at, "gmpscope compare", 16) || !strncmp(at, "gmpscope import", 15);
        snprintf(command, sizeof command, "cd \"%.*s\" && %.*s%s%s", (int)(strrchr(folder, '/') - folder), folder, (int)len, at,
                 screen ? " --headless" : "", strncmp(at, "gmpscope explore", 16) ? "" : " --seeds 1");
        struct result *r = shell(command);
        if (r->code == 2 && (go || !strstr(command, "main.go")))
            t_fail(SOURCE_DIR "/README.md", 0, "%s: %s", command, r->err);
    }
    CHECK(n >= 7);
}

TEST(the_first_example_of_the_language_is_right)
{
    struct result r = RUN("help", "scenario", "--markdown");
    char *begin = strstr(r.out, "```yaml\n"), *end = begin ? strstr(begin, "\n```\n") : NULL;
    CHECK(end);
    end[1] = '\0';
    CHECK_INT(RUN("check", (char *)t_file("two-workers.yaml", begin + 8)).code, 0);
}

TEST(the_page_of_layouts_has_each_pane_and_a_layout_that_is_right)
{
    struct result r = RUN("help", "layout", "--markdown");
    for (int i = 0; i < pane_kinds.n; i++) {
        char word[60];
        snprintf(word, sizeof word, "- `%s`: ", pane_kinds.kind(i).name);
        HAS(r.out, word);
    }
    CHECK(!strstr(r.out, "not built yet") && !strstr(r.out, "has no description"));
    char *begin = strstr(r.out, "```yaml\n"), *end = begin ? strstr(begin, "\n```\n") : NULL;
    CHECK(end);
    end[1] = '\0';
    CHECK_INT(RUN("lint", (char *)t_file("mine.yaml", begin + 8)).code, 0);
}

TEST(an_unknown_topic_is_refused)
{
    struct result r = RUN("help", "evnts");
    CHECK_INT(r.code, 2);
    HAS(r.err, "did you mean \"events\"?");
    CHECK_INT(RUN("help", "events", "more").code, 2);
}

TEST(the_schema_for_editors_is_current)
{
    struct result r = RUN("help", "schema");
    CHECK_INT(r.code, 0);
    CHECK_STR(slurp(SOURCE_DIR "/scenarios/scenario.schema.json", NULL), r.out); /* gmpscope help schema > scenarios/scenario.schema.json */
}

/* ---- scenarios/README.md ---- */

static const char readme[] = SOURCE_DIR "/scenarios/README.md";

/* Returns the next example of the tutorial that is a whole scenario; NULL: there is none. The text is valid until
 * the next call. */
static const char *whole_scenario(const char **at)
{
    static char text[4000];
    const char *begin = strstr(*at, "\n```yaml\nname: mine\n"), *end = begin ? strstr(begin + 8, "\n```\n") : NULL;
    if (!end)
        return NULL;
    CHECK((size_t)(end - begin) < sizeof text);
    snprintf(text, sizeof text, "%.*s\n", (int)(end - begin - 9), begin + 9);
    *at = end;
    return text;
}

TEST(the_steps_of_the_tutorial_work)
{
    const char *at = slurp(readme, NULL), *text;
    int n = 0;
    for (; (text = whole_scenario(&at)); n++) {
        const char *file = t_file("mine.yaml", text);
        struct result r = HEADLESS(file);
        CHECK_INT(r.code, 0);
        r = RUN("check", (char *)file);
        CHECK_INT(r.code, 0);
        if (strstr(text, "lesson:")) {
            HAS(r.out, "without stealing");                 /* step 9 */
            HAS(HEADLESS(file, "--events").out, " steal "); /* step 7 */
        }
    }
    CHECK_INT(n, 5); /* steps 1, 3, 4, 5 and 10 have a whole file; 8 and 9 are parts of that of 10 */
}

TEST(the_reference_in_the_readme_is_current)
{
    struct result r = RUN("help", "scenario", "--markdown");
    const char *reference = strstr(slurp(readme, NULL), "\n## Reference\n\n");
    CHECK(reference);
    CHECK_STR(reference + strlen("\n## Reference\n\n"), r.out); /* gmpscope help scenario --markdown */
}
