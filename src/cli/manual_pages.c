/* gmpscope help: the pages of the manual, from the tables of commands, options, operations, events and keys. */
#include "cli/commands.h"
#include "cli/manual.h"
#include "eventlog/events.h"
#include "model/query/pattern.h"
#include "scenario/scenario.h"
#include "ui/door/door.h"
#include "ui/input/commands.h"
#include "layout/config.h"
#include "layout/layout.h"
#include "ui/input/keys.h"
#include "ui/panes/pane.h"
#include <errno.h>
#include <string.h>

static void see_also(struct manual *m, const char *names)
{
    manual_section(m, "SEE ALSO");
    manual_text(m, "%s.", names);
}

/* ---- gmpscope(1) ---- */

static void command_names(char *out, size_t size, unsigned which)
{
    const struct command_row *r;
    size_t n = 0;
    out[0] = '\0';
    for (size_t i = 0; (r = command_row(i)); i++)
        if (which & r->bit && n < size)
            n += (size_t)snprintf(out + n, size - n, "%s`%s`", n ? ", " : "", r->name);
}

static void page_gmpscope(struct manual *m)
{
    struct option_row o;
    const struct command_row *r;
    char term[120], names[200];
    manual_begin(m, "gmpscope", 1, "watch a Go-style scheduler think");
    manual_section(m, "DESCRIPTION");
    manual_text(
        m,
        "A real multithreaded runtime with goroutines (G), threads (M) and processors (P) runs a workload written in YAML, or a Go program. "
        "A terminal screen shows its run queues, idle threads, steals and system calls live. "
        "The runtime can be paused, stepped, wound back and led along another path.");
    manual_section(m, "COMMANDS");
    manual_item(
        m, "gmpscope",
        "Opens the list of scenarios by topic, with a picture and the best score of each: enter runs one, l plays its lesson, p shows a path "
        "of lessons. Without a terminal it prints the list.");
    for (size_t i = 0; (r = command_row(i)); i++) {
        snprintf(term, sizeof term, "gmpscope %s", r->usage);
        manual_item(m, term, "%s", r->what);
    }
    manual_text(m,
                "A NAME is one of the scenarios or layouts that come with the program. A word with a slash or a dot is the path of a FILE. "
                "A FILE is a scenario or a Go program; see gmpscope-go(7).");
    manual_section(m, "OPTIONS");
    for (size_t i = 0; options_row(i, &o); i++) {
        snprintf(term, sizeof term, "--%s%s%s", o.name, o.value ? " " : "", o.value ? o.value : "");
        command_names(names, sizeof names, o.commands);
        manual_item(m, term, "%s. For %s.", o.help, names);
    }
    manual_guide_gmpscope(m);
    manual_section(m, "ENVIRONMENT");
    manual_item(m, "GMPSCOPE_DATA", "The folder that holds `scenarios/`, `layouts/` and `gofront/`, instead of the installed one.");
    manual_item(m, "GMPSCOPE_GO", "The Go that reads Go programs, instead of the `go` on the PATH.");
    manual_item(
        m, "XDG_CACHE_HOME, HOME, TMPDIR",
        "The front end for Go programs is kept in `$XDG_CACHE_HOME/gmpscope`, else in `~/.cache/gmpscope`, else in a private folder below "
        "`$TMPDIR`. It may be deleted.");
    manual_item(m, "NO_COLOR", "If it is set and not empty, nothing is drawn in colour.");
    manual_item(m, "COLORFGBG", "The colours of the terminal, such as `15;0`. An answer of the terminal itself outranks it.");
    manual_item(m, "LC_ALL, LC_CTYPE, LANG",
                "Choose the encoding. Where they ask for UTF-8 and the machine lacks that locale, any other UTF-8 locale is used.");
    manual_item(m, "LC_ALL, LC_MESSAGES, LANG", "Choose the language, English or Chinese, where `--lang` does not.");
    manual_item(m, "TERM", "The terminal type. Where the machine does not know it, `xterm` or another common one is used.");
    manual_section(m, "FILES");
    manual_item(
        m, "$XDG_CONFIG_HOME/gmpscope/config.yaml",
        "The user's preferences, where the folder is `~/.config` by default. An option outranks the environment, which outranks this "
        "file. The command `:write-config` writes it.");
    for (int i = 0; i < CONFIG_SETTINGS_COUNT; i++) {
        snprintf(term, sizeof term, "%s: %s", config_row[i].name, config_row[i].values);
        manual_item(m, term, "%s", config_row[i].help);
    }
    manual_item(m, "keys: [{press: KEY, as: KEY}]", "Makes a key do what another one does. Keys have their names of gmpscope-keys(7).");
    manual_item(
        m, "$XDG_STATE_HOME/gmpscope/",
        "The last five runs (`recent`), whether the first hint was shown (`hint`), the best score of each lesson that was played to its "
        "end (`scores`) and the path that was chosen in the list (`path`). The folder is `~/.local/state` by default. All of these "
        "files may be deleted.");
    manual_section(m, "EXIT STATUS");
    manual_item(m, "0", "All is well.");
    manual_item(m, "1", "A claim failed, or the test of a Go program (`--test`).");
    manual_item(m, "2",
                "The command line or a file has a mistake, or the machine lacks memory, threads or descriptors. Nothing is judged.");
    manual_item(
        m, "3",
        "The program in the scenario died (deadlock, panic, fatal error), and the scenario does not expect that. In `check` and `explore` a Go "
        "program that calls `os.Exit` with another number than 0 counts as that; `run` ends with its number. Standard error "
        "has Go's message and list of goroutines: as Go lists them, in its order, in the words of that version. The stack of a "
        "scenario's G is one line, its own program; that of a Go program has files and lines. After a panic or fatal error in a scenario "
        "its line follows; after a deadlock, who waits for whom, with the lines, and the circle.");
    manual_item(m, "4", "An internal check failed: the audit, an invariant, a throw.");
    manual_item(m, "5", "`claim` neither showed nor refuted the claim (with `--weak`: 0).");
    manual_item(m, "129, 130, 143", "Hung up, interrupted, terminated.");
    manual_section(m, "EXAMPLES");
    manual_example(m,
                   "gmpscope run steal-half\ngmpscope lesson blocking-syscall\ngmpscope run ping-pong --headless --events\n"
                   "gmpscope check my-scenario.yaml\ngmpscope compare steal-half --right disable=stealing");
    see_also(m,
             "gmpscope-scenario(5), gmpscope-layout(5), gmpscope-events(7), gmpscope-patterns(7), gmpscope-queries(7), gmpscope-keys(7)");
}

/* ---- gmpscope-scenario(5) ---- */

static void entries(struct manual *m, enum reference_part part)
{
    const struct reference_entry *e;
    for (size_t i = 0; (e = scenario_reference(i)); i++) {
        if (e->part != part)
            continue;
        manual_item(m, e->form, "%s", e->text);
        manual_example(m, e->example);
    }
}

/* The counters that a claim may be about. */
static void counters(struct manual *m)
{
    char names[1200];
    size_t n = 0;
    for (size_t i = 0; i < COUNTERS_N && n < sizeof names; i++)
        n += (size_t)snprintf(names + n, sizeof names - n, "%s`%s`", i ? ", " : "", counter_name[i]);
    manual_paragraph(m);
    manual_text(m, "The counters are %s. `gmpscope run FILE --headless --json` shows their values.", names);
}

static void page_scenario(struct manual *m)
{
    manual_begin(m, "gmpscope-scenario", 5, "the language of gmpscope's scenarios");
    manual_section(m, "DESCRIPTION");
    manual_text(m,
                "A scenario is a YAML file (JSON is YAML, too). It declares objects, programs that Gs run, settings of the scheduler, "
                "a lesson, and claims about every run. Only `name` and a program `main` are required. "
                "`gmpscope lint FILE` lists all mistakes with line and column.");
    manual_example(
        m,
        "name: two-workers\nscheduler: {gomaxprocs: 2}\nwaitgroups: [wg]\ngoroutines:\n  - name: main\n    do:\n"
        "      - {add: wg, n: 2}\n      - {go: worker, count: 2}\n      - wait: wg\n  - name: worker\n    do:\n"
        "      - compute: 1ms\n      - print: \"worker {i}\"\n      - done: wg\nexpect:\n  - prints_sorted: [\"worker 0\", \"worker 1\"]");
    manual_section(m, "VALUES");
    manual_item(m, "DUR", "A duration as Go writes it: `300us`, `1.5ms`, `2s`.");
    manual_item(
        m, "EXPR, N",
        "Integers, variables, `+ - * / %%`, comparisons, `&& || !` and parentheses, with Go's precedence. A comparison gives 1 or 0.");
    manual_item(m, "NAME", "Letters, digits, `_` and `-`.");
    manual_item(m, "TEXT", "For people: a string, or `{en: STRING, zh: STRING}`. `print` and claims take strings.");
    manual_item(m, "PATTERN", "An event or a condition on the state; see gmpscope-patterns(7).");
    manual_section(m, "THE FILE");
    entries(m, REFERENCE_FILE);
    manual_section(m, "SETTINGS");
    entries(m, REFERENCE_SETTING);
    manual_section(m, "OPERATIONS");
    manual_text(m,
                "A program is a list of operations. Each is a mapping with one verb; the other keys modify it. "
                "Each G has its own variables, 64-bit integers: `i`, its `params`, and what `set` and `as` name.");
    entries(m, REFERENCE_OPERATION);
    manual_section(m, "CLAIMS");
    manual_text(m, "A claim holds for every seed and in both modes, unless `mode`, `seed` or `generation` next to it narrows it.");
    entries(m, REFERENCE_CLAIM);
    counters(m);
    manual_section(m, "LESSONS");
    manual_text(m, "`gmpscope lesson NAME` plays a lesson. Its entries are shown in their order.");
    entries(m, REFERENCE_LESSON);
    see_also(m, "gmpscope(1), gmpscope-patterns(7), gmpscope-events(7)");
}

/* ---- gmpscope-events(7) ---- */

static const char *type_name(enum ev_ftype type)
{
    static const char *const names[] = {
        [FT_INT] = "number",
        [FT_BOOL] = "0 or 1",
        [FT_G] = "G",
        [FT_M] = "M",
        [FT_P] = "P",
        [FT_FN] = "program",
        [FT_TIME] = "time in ns",
        [FT_DUR] = "duration",
        [FT_TEXT] = "text",
        [FT_SEEN] = "G",
        [FT_OBJ] = "object, by name or number",
        [FT_OWN] = "number of the channel",
        [FT_HOLDER] = "G",
        [FT_TIMES] = "number",
        [FT_SIGNED] = "number, also negative"};
    return type < sizeof names / sizeof *names && names[type] ? names[type] : "";
}

/* "stage (timers, local …), n (number)". */
static void fields_of(int kind, char *out, size_t size)
{
    size_t n = 0;
    out[0] = '\0';
    for (const struct ev_field *f = ev_desc[kind].field; f < ev_desc[kind].field + EV_FIELDS && f->name && n < size; f++) {
        if (!f->name[0] || f->type == FT_NONE)
            continue;
        n += (size_t)snprintf(out + n, size - n, "%s`%s` (%s", n ? ", " : "", f->name, ev_words(f->type) ? "" : type_name(f->type));
        for (int w = 0; w < ev_words(f->type) && n < size; w++)
            n += (size_t)snprintf(out + n, size - n, "%s%s", w ? ", " : "", ev_word(f->type, w));
        if (n < size)
            n += (size_t)snprintf(out + n, size - n, ")");
    }
}

static void page_events(struct manual *m)
{
    char fields[2000];
    manual_begin(m, "gmpscope-events", 7, "what gmpscope's runtime logs");
    manual_section(m, "DESCRIPTION");
    manual_text(
        m,
        "`gmpscope run NAME --headless --events` prints one event a line: the time in ns, the M, the P, the event's name, its fields. "
        "The names of the events and of their fields are the words of patterns. Every event has the fields `time`, `m`, `p` and `g`, where it is about one. "
        "Go's function is named in parentheses. An event marked *detail* changes no state: it says what the scheduler looked at.");
    manual_section(m, "EVENTS");
    for (int k = 0; k < EV_KINDS; k++) {
        const struct ev_desc *d = &ev_desc[k];
        fields_of(k, fields, sizeof fields);
        manual_item(m, d->name, "%s (%s%s).%s%s%s", d->meaning, d->go, d->level == EV_DETAIL ? "; *detail*" : "",
                    fields[0] ? " Fields: " : "", fields, fields[0] ? "." : "");
    }
    see_also(m, "gmpscope(1), gmpscope-patterns(7)");
}

/* ---- gmpscope-patterns(7) ---- */

struct words {
    char text[900];
    size_t n;
    bool inside;
}; /* inside: of P0, M0 or G1 */

/* Collects a gauge, or the prefix of the gauges of P0, M0 and G1. */
static void add_gauge(void *ctx, const char *word)
{
    static const char *const joins[] = {"not", "and", "or"};
    struct words *w = ctx;
    char more[40];
    for (size_t i = 0; i < sizeof joins / sizeof *joins; i++)
        if (!strcmp(word, joins[i]))
            return;
    snprintf(more, sizeof more, "when %s", word);
    bool begins = word[strlen(word) - 1] == '.';
    if (begins && !w->inside) {
        w->inside = true;
        pattern_complete(more, strlen(more), add_gauge, ctx);
        w->inside = false;
    } else if (!begins && w->n < sizeof w->text)
        w->n += (size_t)snprintf(w->text + w->n, sizeof w->text - w->n, "%s`%s`", w->n ? ", " : "", word);
}

static const struct {
    const char *pattern, *matches;
} pattern_examples[] = {
    {"steal thief=1 n>=2", "P1 steals at least two Gs."},
    {"handoff | retake", "Either of the two."},
    {"runq_*", "Any event of a P's run queue."},
    {"* g=7", "Any event about G7."},
    {"go_create fn=worker", "A G of the program `worker` is created."},
    {"g_end x3", "The third time that a G ends."},
    {"when p0.runq >= 4", "P0's queue comes to hold four Gs."},
    {"when spinning = 0 and idle_p > 0 and runnable > 0", "Work waits, a P is idle, and no M looks for work."},
    {"when g7.runnable > 5ms", "G7 has waited in a queue for more than 5 ms."},
};
enum { PATTERN_EXAMPLES = sizeof pattern_examples / sizeof *pattern_examples };

const char *manual_pattern(size_t n)
{
    return n < PATTERN_EXAMPLES ? pattern_examples[n].pattern : NULL;
}

static void page_patterns(struct manual *m)
{
    struct words gauges = {.n = 0};
    manual_begin(m, "gmpscope-patterns", 7, "how events and states are named in gmpscope");
    manual_section(m, "DESCRIPTION");
    manual_text(
        m,
        "Patterns are used in `--break`, in the commands `:break`, `:find` and `:until`, in searches, in lessons and in claims. On a screen, `/` and "
        "`:find` also take a text, which is searched for in the sentences: in quotes, as in `/\"is idle\"`, or without them if its first word is "
        "not near to a word of a pattern.");
    manual_section(m, "SYNTAX");
    manual_item(m, "EVENT [FIELD OP VALUE]...",
                "An event with conditions on its fields. EVENT may have `*` in it. OP is one of `= != < <= > >=`.");
    manual_item(m, "PATTERN | PATTERN", "Either.");
    manual_item(
        m, "when CONDITION",
        "A state: comparisons of gauges, joined by `and`, `or`, `not` and parentheses. It matches when it becomes true, not at every event while it is.");
    manual_item(m, "FILE.go:LINE", "A G of a Go program reaches this line; conditions may follow: main.go:12 g=7.");
    manual_item(m, "PATTERN xN", "The N-th match, counted from the beginning of the run.");
    manual_section(m, "EXAMPLES");
    for (size_t i = 0; i < PATTERN_EXAMPLES; i++)
        manual_item(m, pattern_examples[i].pattern, "%s", pattern_examples[i].matches);
    manual_section(m, "GAUGES");
    pattern_complete("when ", 5, add_gauge, &gauges);
    manual_text(m,
                "%s. Any other P, M or G may be named, as in `p3.runq`. States are compared with their names: `when g7.state = waiting`.",
                gauges.text);
    manual_guide_patterns(m);
    see_also(m, "gmpscope(1), gmpscope-events(7)");
}

/* ---- gmpscope-queries(7) ---- */

/* Reports are asked for like queries, but have rows (model/report/report.h). */
static void manual_reports(struct manual *m)
{
    manual_section(m, "REPORTS OF A RUN");
    manual_text(
        m,
        "A report has several lines. `gmpscope query` prints it, of a scenario, of a recording or of a trace of a real Go program; on a screen a "
        "command of the same name shows it up to the event that is shown, and enter goes to the event of a row. With `--json` it is one JSON "
        "object, with all times in ns; a query prints `{\"query\":...,\"value\":...}` then. What a source does not record is a part of its own, so the parts always "
        "add up to the whole.");
    manual_item(
        m, "gN wait",
        "What GN did with its time, from its first event on: running, in system calls, blocked (on what, and which G readied it), runnable "
        "(behind which G on which P, in the global queue, back from a system call without a P, or, where no queue is recorded, whether a P was idle), held up by the collector or "
        "a stopped world. Each stretch between two events has exactly one cause. On a screen: `:wait gN`.");
    manual_item(
        m, "metrics, or one name, such as /sched/latencies:seconds",
        "Figures under the names and with the meaning of Go 1.26's package runtime/metrics, as far as the log knows them: `?` where it does not. Of a "
        "distribution: how many samples, and p50, p99 and the maximum, or only the maximum. Go samples the latencies of one G in eight; here all count. "
        "Memory is not simulated, so there are no figures of it, and no class of CPU time that needs them. On a screen: `:metrics`.");
    manual_item(
        m, "[gN] path [#EVENT]",
        "The critical path: what made the run as long as it was, from the end of GN (without it: of main) back to the root. A stretch is what a G did since "
        "another G created it or made it ready; before it comes the stretch of that other G, up to that moment. A wait that the runtime ended (a timer, "
        "the network) is a part of the stretch. The stretches follow each other without a gap, so their times add up. With #EVENT: to that event, "
        "without a G to the G of that event. On a screen, `:path gN` ends at the event that is shown.");
}

static void page_queries(struct manual *m)
{
    static const struct {
        const char *form, *value;
    } forms[] = {
        {"count(PATTERN)", "How often the pattern matches; 0 is a value, too."},
        {"value(PATTERN .FIELD)", "The field's value in the first match. With `xN` behind the pattern: in the N-th match."},
        {"next(PATTERN after PATTERN .FIELD)", "The same in the first match after the first match of the second pattern."},
        {"max(PATTERN .FIELD)", "The greatest value in all matches."},
        {"order(PATTERN .FIELD)", "The values in all matches, in their order, with spaces between them."},
        {"time(PATTERN)", "The scenario time of the first match, in ns."},
        {"GAUGE at PATTERN", "A gauge of the state after the first match, such as `p0.runq at steal`."},
        {"counter(NAME)", "A counter of the summary at the end of the run."},
        {"output",
         "All that the program writes to stdout, in quotes, and how it ends (`program_end .how`). Of a long text: its beginning, its length and its hash."},
        {"min(QUERY, QUERY), max(QUERY, QUERY)", "The smaller or the greater of two values."},
    };
    static const struct {
        const char *query, *asks;
    } examples[] = {
        {"value(steal n>=2 .n)", "How many Gs does the first steal of at least two take?"},
        {"next(g_start after steal .g)", "Which G runs first after the first steal?"},
        {"time(g_start g=3) - time(go_create g=3)", "How long does G3 wait until it runs?"},
        {"order(g_end .g)", "In which order do the Gs end?"},
        {"p0.runq at when p1.runq > 0", "How long is P0's queue when P1 gets its first G?"},
        {"counter(steal_tries) - counter(steals)", "How often does a thief find nothing?"},
        {"output", "What can the program print? (gmpscope explore main.go --tally output)"},
    };
    manual_begin(m, "gmpscope-queries", 7, "values computed from the events of a run");
    manual_section(m, "DESCRIPTION");
    manual_text(
        m,
        "A query is one value computed from the events of one run. `gmpscope query NAME QUERY` prints it on one line. "
        "`gmpscope explore NAME --tally QUERY` counts the values over many seeds; with `--by-rule` it tries them once more without "
        "each rule that is newer than go1.20, and says in how many seeds that changes the value. A query whose pattern never matches has no value; "
        "then `gmpscope query` prints nothing on stdout and exits with 1.");
    manual_section(m, "SYNTAX");
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
        manual_item(m, forms[i].form, "%s", forms[i].value);
    manual_text(
        m,
        "Numbers and times can be combined by `+`, `-`, `*`, `/` and `%%` and grouped by parentheses; division truncates. Words, ids and texts are printed as `--events` "
        "prints them; a single text stands without its quotation marks.");
    manual_section(m, "EXAMPLES");
    for (size_t i = 0; i < sizeof examples / sizeof *examples; i++)
        manual_item(m, examples[i].query, "%s", examples[i].asks);
    manual_reports(m);
    see_also(m, "gmpscope(1), gmpscope-patterns(7), gmpscope-events(7)");
}

/* ---- gmpscope-layout(5) ---- */

static const struct {
    const char *pane, *what;
} pane_texts[] = {
    {"status", "One line: scenario, mode, time, events, whether the run goes on and why it stopped."},
    {"processors",
     "Each P with its M, the G that runs, `runnext` and the run queue. Arrows: steals; wake-ups, with the M; moves to "
     "and from the global queue, Q; a P that is handed from one M to another, M0▶M2. A dim label with a dot, G3·, has just left its place."},
    {"global_queue", "The Gs in the global queue."},
    {"threads", "Each M and what it does: runs, spins, sleeps, blocks in a system call, polls."},
    {"search_order", "How an M looks for a G: each stage, what it read there, where it stopped, and Go's function. `S` walks down."},
    {"narration", "The last events as sentences, with Go's function for the newest one."},
    {"events", "One line for each event of the whole history, with a cursor. What happens after the state that is shown is dim."},
    {"goroutine", "The life of the selected G, or else of the G of the newest event: a strip of its states, and a line for each move."},
    {"timeline",
     "A lane for each P, M or G, and a column for each slice of time or for each event (x). Where most events would share a few slices of "
     "time, the columns are events by default, and a gap in time is a column of its own. If not all lanes fit, those that act are shown. The "
     "cursor is the state that the whole screen shows."},
    {"metrics",
     "How long Gs were runnable, as a histogram; how much of the time each P ran a G; what the Gs of each program have used; events a "
     "millisecond of scenario time. Fairness: a G wants a P while it runs or is runnable, and its share is the part of that time for which it "
     "ran. Jain's index of all shares is 1 if they are equal, and 1/n if one of n Gs has all. The G that lost most against the mean share comes "
     "first. The arrows, the wheel and page up and down reach the Gs that do not fit."},
    {"timers_netpoll",
     "Each timer heap: when its next timers are due, and what they do. Which Ms wait in the poller, which Gs wait for it, and since "
     "when."},
    {"steal_matrix",
     "How often each P stole from each other P, and tried to, with sums. The cell of the last steal is lit. Many Ps are folded: a cell "
     "stands for several."},
    {"waiting",
     "Each channel, mutex, RWMutex, WaitGroup, Cond, conn and timer heap: its state, and who waits there. The last line counts all Gs."},
    {"population", "One line: how many Gs there are and where."},
    {"program",
     "The scenario as Go. Each G stands left of the line that it is at or reaches next; the line of the G that acted last is bold."},
    {"output", "What the program has printed."},
    {"lesson", "What the lesson says and asks."},
    {"stage",
     "For the back row: the title, each P with its Gs as large boxes, the newest steal, one sentence and the global queue. Where there is "
     "room, sentences and the lesson have large letters. There are no large Chinese characters: enlarge the terminal's font instead."},
    {"inspect",
     "The fields of the selected G, M or P under the names of Go's source, why it is there, and the event that put it there. Without a "
     "selection, the fields of the scheduler. `enter` opens it below the other panes. In it, `enter` or a click on a line goes to the event "
     "of the line, or selects the G, M or P that the line names."},
    {"keys", "One line with the most useful keys."},
};

static const char *pane_text(const char *pane)
{
    for (size_t i = 0; i < sizeof pane_texts / sizeof *pane_texts; i++)
        if (!strcmp(pane_texts[i].pane, pane))
            return pane_texts[i].what;
    return "This pane has no description.";
}

/* "runq: cells|bar (default cells)". */
static void option_text(const struct layout_option *o, char *out, size_t size)
{
    size_t n = (size_t)snprintf(out, size, "`%s: ", o->name);
    if (o->type == OPTION_BOOL)
        n += (size_t)snprintf(out + n, size - n, "true|false` (%s by default)", o->standard ? "true" : "false");
    else if (o->type == OPTION_NUMBER)
        n += (size_t)snprintf(out + n, size - n, "N`, %d to %d (%d by default)", o->least, o->most, o->standard);
    for (int i = 0; o->type == OPTION_WORD && i < OPTION_WORDS_MAX && o->word[i] && n < size; i++)
        n += (size_t)snprintf(out + n, size - n, "%s%s", i ? "|" : "", o->word[i]);
    if (o->type == OPTION_WORD && n < size)
        snprintf(out + n, size - n, "` (%s by default)", o->word[o->standard]);
}

static void panes_of(struct manual *m)
{
    for (int i = 0; i < pane_kinds.n; i++) {
        struct layout_pane_kind k = pane_kinds.kind(i);
        char text[600], option[200];
        size_t n = (size_t)snprintf(text, sizeof text, "%s", pane_text(k.name));
        for (int j = 0; j < k.noptions && n < sizeof text; j++) {
            option_text(&k.option[j], option, sizeof option);
            n += (size_t)snprintf(text + n, sizeof text - n, " Option: %s.", option);
        }
        manual_item(m, k.name, "%s", text);
    }
}

static void page_layout(struct manual *m)
{
    char themes[200];
    size_t n = 0;
    for (int i = 0; i < THEMES && n < sizeof themes; i++)
        n += (size_t)snprintf(themes + n, sizeof themes - n, "%s`%s`", i ? ", " : "", theme_name[i]);
    manual_begin(m, "gmpscope-layout", 5, "what gmpscope's screen shows where");
    manual_section(m, "DESCRIPTION");
    manual_text(
        m,
        "A layout is a YAML file: a tree of splits whose leaves are panes. `gmpscope run NAME --layout FILE` uses it, `gmpscope lint FILE` lists its mistakes. "
        "If a layout does not fit the terminal, the screen says so and uses the nearest one that fits.");
    manual_example(
        m,
        "name: mine\ntitle: {en: \"Queues above, events below\"}\nmin_size: {columns: 80, rows: 24}\nroot:\n  split: rows\n  children:\n"
        "    - {pane: status, size: 1}\n    - {pane: processors, weight: 2, options: {runq: bar}}\n    - {pane: narration, weight: 1}\n"
        "    - {pane: keys, size: 1}");
    manual_section(m, "THE FILE");
    manual_item(m, "name: NAME", "The layout's name, required. In shipped layouts it is the file's name without `.yaml`.");
    manual_item(m, "title: TEXT", "One line that says what it shows: a string, or `{en: STRING, zh: STRING}`.");
    manual_item(m, "min_size: {columns: N, rows: N}", "The smallest terminal that it is for.");
    manual_item(m, "theme: THEME", "Its colours: %s.", themes);
    manual_item(m, "root: NODE", "The tree, required.");
    manual_section(m, "NODES");
    manual_item(m, "split: rows|columns", "Puts the nodes of `children` below or next to each other.");
    manual_item(m, "children: [NODE, ...]", "The nodes of a split.");
    manual_item(m, "pane: PANE", "A leaf.");
    manual_item(m, "options: {OPTION: VALUE, ...}", "Options of the pane.");
    manual_item(m, "size: N", "So many rows or columns.");
    manual_item(m, "weight: N", "A part of what is left, in proportion to the weights of the other nodes.");
    manual_item(m, "from: {columns: N, rows: N}", "The node exists only on a screen of this size or a larger one.");
    manual_item(m, "until: {columns: N, rows: N}", "The node exists only on a screen that is smaller than this, in columns or in rows.");
    manual_text(m, "On each screen of at least `min_size`, at least one pane must exist.");
    manual_section(m, "KINDS OF PANES");
    panes_of(m);
    see_also(m, "gmpscope(1), gmpscope-keys(7)");
}

/* ---- gmpscope-go(7) ---- */

static void page_go(struct manual *m)
{
    struct arena a = {0};
    manual_begin(m, "gmpscope-go", 7, "Go programs in gmpscope");
    manual_guide_go(m);
    manual_section(m, "THE STANDARD LIBRARY");
    manual_text(m,
                "These packages are there, with what their declarations in the folder `gofront/stubs` next to `scenarios` have: %s. "
                "`gmpscope lint main.go` says whether a program runs.",
                manual_packages(&a));
    arena_fini(&a);
    see_also(m, "gmpscope(1), gmpscope-keys(7)");
}

/* ---- gmpscope-keys(7) ---- */

static void pane_keys(struct manual *m)
{
    const struct pane_key *key;
    manual_section(m, "KEYS OF PANES");
    manual_text(m,
                "The pane that has the focus takes these keys before all others. `tab` gives the focus to the next pane. "
                "The most useful of its keys are shown at the right end of the key line.");
    for (int kind = 0; kind < PANES; kind++) {
        int n = pane_keys_of(kind, &key);
        if (n)
            manual_text(m, "`%s`:", pane_name(kind));
        for (int i = 0; i < n; i++)
            manual_item(m, key[i].name, "%s", tx(LANG_EN, key[i].help));
    }
}

static void page_keys(struct manual *m)
{
    char term[120];
    m->narrow = true;
    manual_begin(m, "gmpscope-keys", 7, "keys and commands of gmpscope's screen");
    manual_section(m, "KEYS");
    for (int i = 0; i < nkeys; i++)
        manual_item(m, keys[i].code == '?' ? "?, F1" : keys[i].name, "%s", tx(LANG_EN, keys[i].help));
    pane_keys(m);
    manual_section(m, "LIST OF SCENARIOS");
    manual_text(m, "`gmpscope` alone shows the list; `o` opens it over a run.");
    for (int i = 0; door_key(i); i++)
        manual_item(m, door_key(i)->name, "%s", tx(LANG_EN, door_key(i)->help));
    manual_section(m, "COMMANDS");
    manual_text(
        m,
        "A colon opens the command line. Any prefix of a command works; if several commands match, the first in this list wins. Tab completes.");
    for (int i = 0; i < ncommands; i++) {
        snprintf(term, sizeof term, ":%s%s%s", commands[i].name, commands[i].args[0] ? " " : "", commands[i].args);
        manual_item(m, term, "%s", tx(LANG_EN, commands[i].help));
    }
    manual_guide_keys(m);
    see_also(m, "gmpscope(1), gmpscope-patterns(7)");
}

/* ---- the command ---- */

static const struct {
    const char *topic;
    void (*page)(struct manual *m);
} pages[] = {
    {"gmpscope", page_gmpscope}, {"scenario", page_scenario}, {"layout", page_layout}, {"events", page_events},
    {"patterns", page_patterns}, {"queries", page_queries},   {"keys", page_keys},     {"go", page_go},
};
enum { PAGES = sizeof pages / sizeof *pages };

void manual_topics(void (*fn)(void *ctx, const char *topic), void *ctx)
{
    for (size_t i = 0; i < PAGES; i++)
        fn(ctx, pages[i].topic);
}

static int unknown_topic(const char *word)
{
    const char *words[PAGES];
    for (size_t i = 0; i < PAGES; i++)
        words[i] = pages[i].topic;
    const char *near = diag_nearest(word, words, PAGES);
    if (near)
        return usage_error("no help on \"%s\"; did you mean \"%s\"?", word, near);
    return usage_error(
        "no help on \"%s\"; there is help on gmpscope, scenario, layout, events, patterns, queries, keys, go, and on each command", word);
}

int cmd_help(int argc, char **argv)
{
    struct manual m = {.out = stdout};
    if (argc == 2)
        m.form = !strcmp(argv[1], "--mdoc") ? MANUAL_MDOC : !strcmp(argv[1], "--markdown") ? MANUAL_MARKDOWN : MANUAL_TEXT;
    if (argc > 1 && m.form == MANUAL_TEXT)
        return usage_error("help takes one topic, not \"%s\"", argv[1]);
    for (size_t i = 0; i < PAGES; i++)
        if (!strcmp(argv[0], pages[i].topic)) {
            pages[i].page(&m);
            manual_end(&m);
            return output_finish(0, m.lacks ? ENOMEM : 0);
        }
    if (!strcmp(argv[0], "schema")) {
        scenario_json_schema(stdout);
        return output_finish(0, 0);
    }
    return unknown_topic(argv[0]);
}
