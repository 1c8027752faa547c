/* The commands. Each is a row of the table and a few lines; what they share with keys is in requests.c. */
#include "ui/input/commands.h"

#include "base/diag.h"
#include "layout/config.h"
#include "model/query/pattern.h"
#include "ui/input/reports.h"
#include "ui/input/requests.h"
#include "ui/input/search.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool fail_pattern(struct ui *u, const struct session_mistake *wrong)
{
    return command_fail(u, (int)wrong->pos, wrong->text);
}

/* ---- the commands ---- */

/* Names the run that has Ps, and the generation of the other. */
static void note_one_side(struct ui *u, const char *arg)
{
    bool left = !u->run[LEFT].st.no_p;
    const char *generation = u->run[left ? RIGHT : LEFT].st.generation;
    ui_note(u, tx(u->lang, TX_NOTE_BREAK_ONE), arg, tx(u->lang, left ? TX_LEFT : TX_RIGHT), generation);
}

/* Writes "a.go:19, b.go:19". */
static void lines_of_files(const struct program_text *t, const char *number, char *buf, size_t size)
{
    size_t at = 0;
    for (uint32_t i = 0; i < t->nfiles && at < size; i++)
        at += (size_t)snprintf(buf + at, size - at, "%s%s:%s", i ? ", " : "", t->file[i].name, number);
}

static bool do_break(struct ui *u, const char *arg)
{
    struct session_mistake wrong = {.lang = u->lang};
    const struct program_text *t = u->ops->program(u->run->session);
    char place[4 * PLACE_NAME], said[5 * PLACE_NAME];
    bool number = t && t->nfiles && *arg && !arg[strspn(arg, "0123456789")];
    if (number) { /* in the only file */
        lines_of_files(t, arg, place, sizeof place);
        snprintf(said, sizeof said, tx(u->lang, TX_WRONG_LINE), place);
        arg = place;
    }
    if (number && t->nfiles > 1)
        return command_fail(u, 0, said);
    if (!u->ops->breaks->add(u->run->session, arg, &wrong))
        return fail_pattern(u, &wrong);
    if (wrong.one_side)
        note_one_side(u, arg);
    else if (wrong.unrecorded)
        ui_note(u, tx(u->lang, TX_NOTE_BREAK_LATER), arg);
    else
        ui_note(u, tx(u->lang, TX_NOTE_BREAK), arg);
    return true;
}

/* A command without an argument that only passes something on. */
#define COMMAND(name, call) \
    static bool do_##name(struct ui *u, const char *arg) \
    { \
        (void)arg; \
        call; \
        return true; \
    }
COMMAND(breaks, ui_open(u, BOX_BREAKS))

static bool do_delete(struct ui *u, const char *arg)
{
    uint64_t n = 0;
    bool all = strcmp(arg, "all") == 0;
    if ((!all && (!command_number(arg, &n) || !n || n > UINT32_MAX)) || !u->ops->breaks->delete (u->run->session, (uint32_t)n))
        return command_fail(u, 0, tx(u->lang, TX_WRONG_BREAK));
    ui_note(u, tx(u->lang, TX_NOTE_DELETED), arg);
    return true;
}

static bool go_to_event(struct ui *u, uint64_t n)
{
    ui_move_on(u);
    ui_went(u, u->ops->rewind->goto_event(u->run->session, n));
    return true;
}

/* "g7" is short for the start of G7. */
static bool do_back_until(struct ui *u, const char *arg)
{
    struct session_mistake wrong = {.lang = u->lang};
    char start[64], name[EV_G_NAME];
    uint32_t g;
    bool found;
    if ((arg[0] | 0x20) == 'g' && ev_g_id(arg, strlen(arg), &g)) {
        snprintf(start, sizeof start, "g_start g=%s", ev_g_name(g, name) + 1);
        arg = start;
    }
    u->searching = (struct searching){0};
    ui_move_on(u);
    if (!u->ops->search->back_until(u->run->session, arg, &found, &wrong))
        return fail_pattern(u, &wrong);
    if (!found && !search_ended(u))
        ui_note(u, tx(u->lang, TX_NOTE_NOT_BEFORE), arg);
    return true;
}

/* "g7" is short for the start of G7, and a number is that of an event. */
static bool do_until(struct ui *u, const char *arg)
{
    struct session_mistake wrong = {.lang = u->lang};
    uint32_t g;
    uint64_t n;
    if (command_number(arg, &n)) {
        ui_until_event(u, n);
        return true;
    }
    bool is_g = (arg[0] | 0x20) == 'g' && ev_g_id(arg, strlen(arg), &g);
    if (!is_g && u->ops->search->check(u->run->session, arg, &wrong) && wrong.unrecorded)
        return command_fail(u, 0, tx(u->lang, TX_NOT_RECORDED));
    return (is_g ? ui_until_g(u, g, &wrong) : ui_advance(u, arg, &wrong)) || fail_pattern(u, &wrong);
}

COMMAND(restart, ui_restart(u, u->run->st.seed))

static bool do_mode(struct ui *u, const char *arg)
{
    bool lockstep = strcmp(arg, mode_name[MODE_LOCKSTEP]) == 0;
    if (!lockstep && strcmp(arg, mode_name[MODE_FREE]) != 0)
        return command_fail(u, 0, tx(u->lang, TX_WRONG_MODE));
    if (lockstep != u->run->st.lockstep)
        ui_toggle_mode(u);
    return true;
}

static bool steps(struct ui *u, const char *arg, enum step_kind kind)
{
    uint64_t n = 1;
    if (arg[0] && (!command_number(arg, &n) || n < 1 || n > 1000000))
        return command_fail(u, 0, tx(u->lang, TX_WRONG_STEPS));
    ui_step(u, kind, (uint32_t)n);
    return true;
}

static bool do_step(struct ui *u, const char *arg)
{
    return steps(u, arg, STEP_EVENT);
}

static bool do_round(struct ui *u, const char *arg)
{
    return steps(u, arg, STEP_ROUND);
}

/* Names the mark that is nearest to what was typed. */
static bool fail_mark(struct ui *u, const char *arg)
{
    struct session_mark all[SESSION_MARKS];
    const char *names[SESSION_MARKS];
    int n = u->ops->rewind->marks(u->run->session, all, SESSION_MARKS);
    for (int i = 0; i < n; i++)
        names[i] = all[i].name;
    return command_fail_name(u, TX_GOTO_NO_MARK, arg, names, (size_t)n);
}

/* An event's number, a time, or a mark. */
static bool do_goto(struct ui *u, const char *arg)
{
    const struct session_ops *ops = u->ops;
    uint64_t n;
    int64_t ns;
    if (command_number(arg, &n))
        return go_to_event(u, n);
    ui_move_on(u);
    if (duration_parse(arg, strlen(arg), &ns))
        ui_went(u, ops->rewind->goto_time(u->run->session, ns));
    else if (ops->rewind->goto_mark(u->run->session, arg) == GOTO_NO_MARK)
        return fail_mark(u, arg);
    return true;
}

/* Returns the mark of that name; all zero if there is none. */
static struct session_mark find_mark(const struct ui *u, const char *name)
{
    struct session_mark all[SESSION_MARKS];
    int n = u->ops->rewind->marks(u->run->session, all, SESSION_MARKS);
    while (n > 0 && strcmp(all[n - 1].name, name) != 0)
        n--;
    return n ? all[n - 1] : (struct session_mark){0};
}

static bool do_lesson(struct ui *u, const char *arg)
{
    bool on = *arg ? strcmp(arg, "on") == 0 : !u->lesson.on;
    if (*arg && !on && strcmp(arg, "off") != 0)
        return command_fail(u, 0, tx(u->lang, TX_WRONG_LESSON));
    u->taken = (struct lesson_taken){.run = u->run->st.run};
    if (!u->ops->lesson->set(u->run->session, on))
        ui_note(u, tx(u->lang, TX_NO_LESSON), u->run->st.name);
    return true;
}

/* A name must not be a number or a time, because goto reads those as events and times. */
static bool do_mark(struct ui *u, const char *arg)
{
    uint64_t number;
    int64_t time;
    if (command_number(arg, &number) || duration_parse(arg, strlen(arg), &time))
        return command_fail(u, 0, tx(u->lang, TX_WRONG_MARK_NAME));
    if (!u->ops->rewind->mark(u->run->session, arg))
        return command_fail(u, 0, tx(u->lang, TX_WRONG_MARK));
    ui_note(u, tx(u->lang, TX_NOTE_MARK), arg, (unsigned long long)find_mark(u, arg).at);
    return true;
}

COMMAND(marks, ui_open(u, BOX_MARKS))

static bool is_there(const struct model *md, int letter, uint32_t id)
{
    if (letter == 'G')
        return model_g(md, id) != NULL;
    if (letter == 'P')
        return id < model_np(md) && model_p(md, id)->status != P_DEAD;
    return id < model_nm(md) && model_m(md, id)->started;
}

/* Returns true if it exists in one of the runs. The sheet of the other run then says that it does not exist there. */
static bool is_somewhere(const struct ui *u, int letter, uint32_t id)
{
    for (int i = 0; i < u->nruns; i++)
        if (u->run[i].stops.shown.md && is_there(u->run[i].stops.shown.md, letter, id))
            return true;
    return false;
}

/* Without an argument, the fields of the scheduler are shown. */
static bool inspect_sched(struct ui *u)
{
    u->select.tag = 0;
    u->inspect = true;
    u->why = WHY_NOT;
    return true;
}

/* "g7", "gs1", "P0", "m2" */
static bool do_inspect(struct ui *u, const char *arg)
{
    if (!*arg)
        return inspect_sched(u);
    uint64_t n;
    uint32_t id = 0;
    char text[128];
    int letter = arg[0] & ~0x20;
    bool g = letter == 'G' && ev_g_id(arg, strlen(arg), &id), other = !g && letter && strchr("MP", letter) && command_number(arg + 1, &n);
    if (other)
        id = n > UINT32_MAX ? UINT32_MAX : (uint32_t)n;
    if (!g && !other)
        return command_fail(u, 0, tx(u->lang, TX_WRONG_THING));
    snprintf(text, sizeof text, tx(u->lang, TX_WRONG_NOT_THERE), arg);
    if (id >> THING_SHIFT || !is_somewhere(u, letter, id))
        return command_fail(u, 0, text);
    u->select.tag = tag_of((char)letter, id);
    u->inspect = true;
    u->why = WHY_NOT;
    return true;
}

static bool do_run(struct ui *u, const char *arg)
{
    (void)arg;
    if (!ui_over(u)) {
        ui_move_on(u);
        u->ops->motion->pause(u->run->session, false);
    }
    return true;
}

static bool do_pause(struct ui *u, const char *arg)
{
    (void)arg;
    if (u->run->st.paused && !u->run->st.stepping)
        ui_note_text(u, TX_NOTE_PAUSED);
    else if (!ui_over(u))
        u->ops->motion->pause(u->run->session, true);
    return true;
}

COMMAND(help, ui_open(u, BOX_HELP))
COMMAND(quit, ui_leave(u, 0))
COMMAND(open, ui_open_door(u))
COMMAND(branches, ui_open(u, BOX_BRANCHES))
COMMAND(queues, ui_open(u, BOX_QUEUES))
COMMAND(about, ui_open(u, BOX_ABOUT))
COMMAND(ledger, ui_open(u, BOX_LEDGER))

static bool do_metrics(struct ui *u, const char *arg)
{
    (void)arg;
    report_open(u, &(struct report_asked){.kind = REPORT_METRICS, .metric = -1});
    return true;
}

static bool do_path(struct ui *u, const char *arg)
{
    return report_command(u, REPORT_PATH, arg);
}

static bool do_wait(struct ui *u, const char *arg)
{
    return report_command(u, REPORT_WAIT, arg);
}

static bool do_branch(struct ui *u, const char *arg)
{
    unsigned id = 0;
    char rest;
    struct session_branch any;
    const struct session_decision_ops *ops = u->ops->decisions;
    if (sscanf(arg, "%u%c", &id, &rest) != 1 || !ops || !ops->branch(u->run->session, id)) {
        bool some = ops && ops->branches(u->run->session, &any, 1) > 0;
        return command_fail(u, 0, tx(u->lang, some ? TX_WRONG_BRANCH : TX_ONLY_BRANCH));
    }
    return true;
}

static bool do_reload(struct ui *u, const char *arg)
{
    return setting_change(u, CHANGE_RELOAD, arg);
}

static bool do_compare(struct ui *u, const char *arg)
{
    return setting_change(u, CHANGE_COMPARE, arg);
}

/* The selected G, else the user G that runs or ran last. 0: none. */
static uint32_t g_to_step(const struct ui *u)
{
    const struct model *md = u->run->stops.shown.md;
    if (thing_kind(u->select.tag) == THING_G)
        return thing_id(u->select.tag);
    for (int i = u->run->nev - 1; md && i >= 0; i--) {
        const struct session_event *at = &u->run->ev[i];
        const struct model_m *m = at->m < model_nm(md) ? model_m(md, at->m) : NULL;
        uint32_t g = m && m->curg && !ev_is_system_g(m->curg) ? m->curg : at->ev.g;
        const struct model_g *mg = g && !ev_is_system_g(g) ? model_g(md, g) : NULL;
        if (mg && mg->status != G_DEAD)
            return g;
    }
    return 0;
}

/* The G may also wait or end before it reaches another line. */
static bool do_next(struct ui *u, const char *arg)
{
    const struct program_text *program = u->ops->program(u->run->session);
    struct session_mistake wrong = {.lang = u->lang};
    char pattern[96], name[EV_G_NAME];
    if (strncmp("line", arg, strlen(arg)) != 0)
        return command_fail(u, 0, tx(u->lang, TX_WRONG_NEXT));
    uint32_t g = g_to_step(u);
    if (!program || !program->nfiles)
        return command_fail(u, 0, tx(u->lang, TX_NO_LINES));
    if (!g)
        return command_fail(u, 0, tx(u->lang, TX_NO_G_TO_STEP));
    ev_g_name(g, name);
    snprintf(pattern, sizeof pattern, "g_op g=%s | g_park g=%s | g_end g=%s", name + 1, name + 1, name + 1);
    return ui_advance(u, pattern, &wrong) || fail_pattern(u, &wrong);
}

/* People learn the short forms: a prefix stands for the first command that it fits (find_command). So a new command goes after those that
 * share its first letter. */
const struct command commands[] = {
    {"break", "PATTERN", TAKES_PATTERN, TX_CMD_BREAK, do_break, TX_NONE, false},
    {"breaks", "", TAKES_NOTHING, TX_CMD_BREAKS, do_breaks, TX_NONE, false},
    {"delete", "N|all", TAKES_OTHER, TX_CMD_DELETE, do_delete, TX_NONE, false},
    {"find", "PATTERN", TAKES_PATTERN, TX_CMD_FIND, search_for, TX_NOTE_ONE_RUN, false},
    {"until", "PATTERN|gN|N", TAKES_PATTERN, TX_CMD_UNTIL, do_until, TX_NOTE_ONE_RUN, false},
    {"goto", "EVENT|TIME|MARK", TAKES_MARK, TX_CMD_GOTO, do_goto, TX_NONE, false},
    {"mark", "NAME", TAKES_MARK, TX_CMD_MARK, do_mark, TX_NONE, false},
    {"marks", "", TAKES_NOTHING, TX_CMD_MARKS, do_marks, TX_NONE, false},
    {"run", "", TAKES_NOTHING, TX_CMD_RUN, do_run, TX_NONE, false},
    {"pause", "", TAKES_NOTHING, TX_CMD_PAUSE, do_pause, TX_NONE, false},
    {"step", "[N]", TAKES_OTHER, TX_CMD_STEP, do_step, TX_NONE, false},
    {"round", "[N]", TAKES_OTHER, TX_CMD_ROUND, do_round, TX_NONE, false},
    {"tempo", TEMPO_VALUES, TAKES_OTHER, TX_CMD_TEMPO, setting_tempo, TX_NONE, false},
    {"mode", "lockstep|free", TAKES_MODE, TX_CMD_MODE, do_mode, TX_NOTE_ONE_CLOCK, false},
    {"seed", "N", TAKES_OTHER, TX_CMD_SEED, setting_seed, TX_NONE, false},
    {"restart", "", TAKES_NOTHING, TX_CMD_RESTART, do_restart, TX_NONE, false},
    {"inspect", "[gN|pN|mN]", TAKES_OTHER, TX_CMD_INSPECT, do_inspect, TX_NONE, false},
    {"layout", "NAME", TAKES_LAYOUT, TX_CMD_LAYOUT, setting_layout, TX_NONE, true},
    {"theme", "NAME", TAKES_THEME, TX_CMD_THEME, setting_theme, TX_NONE, true},
    {"lesson", "[on|off]", TAKES_OTHER, TX_CMD_LESSON, do_lesson, TX_NOTE_ONE_RUN, false},
    {"share", "", TAKES_NOTHING, TX_CMD_SHARE, take_share, TX_NOTE_ONE_RUN, false},
    {"branches", "", TAKES_NOTHING, TX_CMD_BRANCHES, do_branches, TX_NOTE_ONE_RUN, false},
    {"branch", "N", TAKES_OTHER, TX_CMD_BRANCH, do_branch, TX_NOTE_ONE_RUN, false},
    {"help", "", TAKES_NOTHING, TX_CMD_HELP, do_help, TX_NONE, false},
    {"quit", "", TAKES_NOTHING, TX_CMD_QUIT, do_quit, TX_NONE, false},
    {"open", "", TAKES_NOTHING, TX_CMD_OPEN, do_open, TX_NONE, true},
    {"set", "NAME VALUE", TAKES_SETTING, TX_CMD_SET, setting_set, TX_NONE, false},
    {"write-config", "", TAKES_NOTHING, TX_CMD_WRITE_CONFIG, setting_write, TX_NONE, false},
    {"queues", "", TAKES_NOTHING, TX_CMD_QUEUES, do_queues, TX_NOTE_ONE_RUN, false},
    {"split", "rows|columns", TAKES_SPLIT, TX_CMD_SPLIT, layout_do_split, TX_NOTE_ONE_RUN, true},
    {"pane", "NAME", TAKES_PANE, TX_CMD_PANE, layout_do_pane, TX_NOTE_ONE_RUN, false},
    {"resize", "+N|-N", TAKES_OTHER, TX_CMD_RESIZE, layout_do_resize, TX_NOTE_ONE_RUN, true},
    {"write-layout", "FILE", TAKES_OTHER, TX_CMD_WRITE_LAYOUT, layout_do_write, TX_NONE, true},
    {"reload", "", TAKES_NOTHING, TX_CMD_RELOAD, do_reload, TX_NOTE_ONE_RUN, false},
    {"compare", "SETTINGS", TAKES_RUN_SETTING, TX_CMD_COMPARE, do_compare, TX_NOTE_ONE_RUN, true},
    {"about", "", TAKES_NOTHING, TX_CMD_ABOUT, do_about, TX_NOTE_ONE_RUN, false},
    {"picture", "FILE", TAKES_OTHER, TX_CMD_PICTURE, take_picture, TX_NONE, true},
    {"copy", "[share]", TAKES_OTHER, TX_CMD_COPY, take_copy, TX_NOTE_ONE_RUN, true},
    {"back-until", "PATTERN", TAKES_PATTERN, TX_CMD_BACK_UNTIL, do_back_until, TX_NOTE_ONE_RUN, false},
    {"record", "[!] [FILE]", TAKES_OTHER, TX_CMD_RECORD, take_record, TX_NOTE_ONE_RUN, true},
    {"ledger", "", TAKES_NOTHING, TX_CMD_LEDGER, do_ledger, TX_NOTE_ONE_RUN, false},
    {"metrics", "", TAKES_NOTHING, TX_CMD_METRICS, do_metrics, TX_NOTE_ONE_RUN, false},
    {"path", "[gN]", TAKES_OTHER, TX_CMD_PATH, do_path, TX_NOTE_ONE_RUN, false},
    {"wait", "[gN]", TAKES_OTHER, TX_CMD_WAIT, do_wait, TX_NOTE_ONE_RUN, false},
    {"next", "line", TAKES_OTHER, TX_CMD_NEXT, do_next, TX_NOTE_ONE_RUN, false},
};
const int ncommands = sizeof commands / sizeof *commands;

/* ---- a line ---- */

/* Returns the command with that name, or else the first that begins with it. */
const struct command *command_find(const char *name, size_t len)
{
    const struct command *first = NULL;
    for (int i = ncommands; len && i-- > 0;) {
        if (strncmp(commands[i].name, name, len) != 0)
            continue;
        if (!commands[i].name[len])
            return &commands[i];
        first = &commands[i];
    }
    return first;
}

bool command_exists(const struct ui *u, const struct command *c)
{
    return u->screen || !c->of_screen;
}

/* Notes the command line of a comparison that needs no screen. It has the choices, where the run can be shared. */
static void note_comparison(struct ui *u, const char *settings)
{
    static const char run[] = "gmpscope run ";
    char shared[sizeof u->box.share], *args = shared + strlen(run);
    if (!u->ops->share(u->run->session, shared, sizeof shared) || strncmp(shared, run, strlen(run)) != 0)
        snprintf(args, sizeof shared - strlen(run), "%s --seed %llu", u->run->st.name, (unsigned long long)u->run->st.seed);
    ui_note(u, tx(u->lang, TX_LINEAR_COMPARE), args, settings);
}

static void note_needs_screen(struct ui *u, const struct command *c, const char *arg)
{
    if (c->fn == do_compare)
        note_comparison(u, arg);
    else
        ui_note(u, tx(u->lang, TX_LINEAR_SCREEN_ONLY), c->name);
}

static bool unknown(struct ui *u, const char *name, size_t len)
{
    const char *names[64];
    char word[64], text[128];
    u->command.arg_at = (int)(name - u->command.prompt.text);
    snprintf(word, sizeof word, "%.*s", (int)len, name);
    const char *meant = command_meant(word);
    if (meant) {
        snprintf(text, sizeof text, tx(u->lang, TX_WRONG_COMMAND_MEANT), word, meant);
        return command_fail(u, 0, text);
    }
    for (int i = 0; i < ncommands; i++)
        names[i] = commands[i].name;
    return command_fail_name(u, TX_WRONG_COMMAND, word, names, (size_t)ncommands);
}

static bool needs_argument(const struct command *c)
{
    return c->args[0] && c->args[0] != '[';
}

static bool run_command(struct ui *u)
{
    char line[PROMPT_BYTES];
    snprintf(line, sizeof line, "%s", u->command.prompt.text);
    for (size_t n = strlen(line); n && line[n - 1] == ' '; n--)
        line[n - 1] = '\0';
    size_t from = strspn(line, " :"), len = strcspn(line + from, " ");
    const struct command *c = command_find(line + from, len);
    if (!len)
        return true;
    if (!c)
        return unknown(u, u->command.prompt.text + from, len);
    if (ui_for_one(u, c->for_one))
        return true;
    const char *arg = line + from + len + strspn(line + from + len, " ");
    u->command.arg_at = (int)(arg - line);
    if (needs_argument(c) && !*arg) {
        char text[128];
        snprintf(text, sizeof text, tx(u->lang, TX_WRONG_MISSING), c->name, c->args);
        return command_fail(u, 0, text);
    }
    if (!c->args[0] && *arg)
        return command_fail(u, 0, tx(u->lang, TX_WRONG_TOO_MUCH));
    if (command_exists(u, c))
        return c->fn(u, arg);
    note_needs_screen(u, c, arg);
    return true;
}

static bool run_search(struct ui *u)
{
    u->command.arg_at = 0;
    return !u->command.prompt.text[0] || search_for(u, u->command.prompt.text);
}

void command_run(struct ui *u)
{
    bool done = (u->command.prompt.sign == '/' ? run_search : run_command)(u);
    if (!done)
        return;
    prompt_remember(&u->command.prompt);
    prompt_close(&u->command.prompt);
}
