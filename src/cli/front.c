/* What is on the list, and what each choice does. A choice runs a command as the command line would, with its messages shown on the list. */
#include "cli/front.h"
#include "cli/capture.h"
#include "cli/commands.h"
#include "cli/edit.h"
#include "cli/pictures.h"
#include "cli/state.h"
#include "engine/shipped.h"
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { ARGS = 24, WORDS_MAX = 16 + 2 * OPTIONS_VARY }; /* options that every run gets, words of one run */

struct front {
    const char *arg[ARGS]; /* options that every run from the list gets */
    int nargs;
    struct screen_config screen;
    const char *theme;
    enum lang lang;
    enum scenario_path path; /* PATHS: none is chosen */
    struct door_choice choice;
    struct {
        enum lesson_then what;
        bool lesson, compares;
        char path[PATH_MAX], next[256], without[64];
    } then;      /* what was chosen at the end of a lesson */
    bool listed; /* the list was shown */
    char at[PATH_MAX], note[256];
    /* what is loaded; made again each time the list is opened */
    bool loaded;
    struct arena arena;
    struct catalogue c;
    struct door_entry *entry;
    int recent[STATE_RECENT];
    struct text topic[TOPICS];
    struct door_path door_path[PATHS];
    struct pictures *pictures;
    struct door door;
};

/* --- loading ---------------------------------------------------------------------------------------------------- */

static void unload(struct front *f)
{
    pictures_free(f->pictures);
    arena_fini(&f->arena);
    f->pictures = NULL;
    f->loaded = false;
}

/* Adds the recent ones that are files to the catalogue, behind the shipped ones. */
static bool add_recent(struct front *f)
{
    const char *name[STATE_RECENT];
    int n = state_recent(&f->arena, name);
    struct catalogue_entry *all = arena_alloc(&f->arena, (f->c.n + STATE_RECENT) * sizeof *all);
    if (!all)
        return usage_error("%s", strerror(ENOMEM)), false;
    memcpy(all, f->c.v, f->c.n * sizeof *all);
    f->c.v = all;
    f->door.nrecent = 0;
    for (int i = 0; i < n; i++) {
        const struct catalogue_entry *e = catalogue_find(&f->c, name[i]);
        if (!e && (strchr(name[i], '/') == NULL || access(name[i], R_OK) < 0))
            continue;
        struct catalogue_entry *own = &f->c.v[f->c.n];
        if (!e && !catalogue_read(&f->arena, name[i], name[i], own))
            return false;
        if (!e)
            own->topic = TOPICS;
        f->recent[f->door.nrecent++] = e ? (int)(e - f->c.v) : (int)f->c.n++;
    }
    return true;
}

static struct door_entry entry_of(const struct catalogue_entry *e, const struct state_score *score, size_t n)
{
    while (n && (strcmp(score->name, e->name) != 0 || e->topic >= TOPICS))
        n--, score++;
    return (struct door_entry){
        .name = e->name,
        .title = e->title,
        .summary = e->summary,
        .watch = e->watch,
        .topic = e->topic < TOPICS ? (int)e->topic : -1,
        .lesson = e->lesson,
        .broken = e->broken,
        .generation = generation_name[e->generation],
        .procs = rt_generation_has_p(e->generation) ? e->gomaxprocs : 0,
        .next = e->next,
        .played = n,
        .right = n ? score->right : 0,
        .asked = n ? score->asked : 0};
}

/* Returns: false after a message if memory ran out. */
static bool fill_paths(struct front *f)
{
    for (int p = 0; p < PATHS; p++) {
        const struct catalogue_entry **on;
        size_t n = catalogue_path(&f->arena, &f->c, (enum scenario_path)p, &on);
        int *entry = arena_alloc(&f->arena, (n + 1) * sizeof *entry);
        if (!on || !entry)
            return usage_error("%s", strerror(ENOMEM)), false;
        for (size_t i = 0; i < n; i++)
            entry[i] = (int)(on[i] - f->c.v);
        f->door_path[p] = (struct door_path){*scenario_path_title((enum scenario_path)p), entry, (int)n};
    }
    return true;
}

static void choose_path(void *ctx, int path)
{
    struct front *f = ctx;
    f->path = (enum scenario_path)path;
    state_path_chosen(f->path);
}

static bool fill(struct front *f)
{
    const struct state_score *score;
    size_t nscores = state_scores(&f->arena, &score);
    f->entry = arena_alloc(&f->arena, (f->c.n + 1) * sizeof *f->entry);
    if (!f->entry || !score)
        return usage_error("%s", strerror(ENOMEM)), false;
    for (size_t i = 0; i < f->c.n; i++) {
        f->entry[i] = entry_of(&f->c.v[i], score, nscores);
        if (!strcmp(f->entry[i].name, f->at))
            f->door.at = (int)i;
    }
    if (!f->at[0] && f->door.nrecent)
        f->door.at = f->recent[0];
    for (int t = 0; t < TOPICS; t++)
        f->topic[t] = *scenario_topic_title((enum scenario_topic)t);
    return true;
}

/* Returns: false after an error message. */
static bool load(struct front *f)
{
    if (f->loaded)
        unload(f);
    f->loaded = true;
    f->door = (struct door){
        .topic = f->topic, .recent = f->recent, .lang = f->lang, .screen = f->screen, .theme = f->theme, .hint = state_hint()};
    if (!catalogue_load(&f->arena, &f->c))
        return false;
    catalogue_sort(&f->c);
    if (!add_recent(f) || !fill(f) || !fill_paths(f))
        return false;
    f->pictures = pictures_new(&f->c);
    if (!f->pictures)
        return usage_error("the list of scenarios cannot be shown: %s", strerror(errno)), false;
    f->door.path = f->door_path;
    f->door.npaths = PATHS;
    f->door.on_path = (int)f->path;
    f->door.path_chosen = choose_path;
    f->door.path_ctx = f;
    f->door.entry = f->entry;
    f->door.n = (int)f->c.n;
    f->door.note = f->note;
    f->door.picture = pictures_get;
    f->door.ctx = f->pictures;
    f->door.wake_fd = pictures_wake_fd(f->pictures);
    return true;
}

/* --- messages --------------------------------------------------------------------------------------------------- */

/* Keeps the first line of what a command wrote as the note. An internal failure is written to stderr, too. */
static void keep_note(struct front *f, struct capture c, int code)
{
    char text[8192];
    capture_end(c, text, sizeof text);
    f->note[0] = '\0';
    if (code == 2 || code == 4)
        capture_first_line(text, f->note, sizeof f->note);
    if (code == 4)
        fputs(text, stderr);
}

/* --- what is chosen ----------------------------------------------------------------------------------------------- */

static int run_with(struct front *f, const char *const *words, int n, int (*command)(struct front *, int, char **))
{
    const char *argv[ARGS + WORDS_MAX] = {NULL};
    int argc = 0;
    for (int i = 0; i < n; i++)
        argv[argc++] = words[i];
    for (int i = 0; i < f->nargs; i++)
        argv[argc++] = f->arg[i];
    if (!f->listed)
        return command(f, argc, (char **)argv);
    struct capture c = capture_begin();
    int code = command(f, argc, (char **)argv);
    keep_note(f, c, code);
    return code;
}

static int edit(struct front *f, const struct catalogue_entry *e)
{
    char path[PATH_MAX], why[200];
    bool own = e->topic >= TOPICS && strchr(e->name, '/');
    snprintf(path, sizeof path, "%s", e->path);
    if ((!own && !edit_copy(e->path, e->name, path, why, sizeof why)) || !edit_file(path, why, sizeof why)) {
        snprintf(f->note, sizeof f->note, "%s", why);
        return 2;
    }
    char *real = realpath(path, NULL);
    if (real)
        state_ran(real); /* even with mistakes in it: e opens it again */
    snprintf(f->at, sizeof f->at, "%s", real ? real : path);
    free(real);
    return run_with(f, (const char *const[]){f->at}, 1, cmd_run_from);
}

static int compare(struct front *f, const struct door_choice *c)
{
    const char *one = f->c.v[c->entry].path, *other = f->c.v[c->other].path;
    if (c->entry == c->other)
        return run_with(f, (const char *const[]){one, "--right", c->settings}, c->settings[0] ? 3 : 1, cmd_compare_from);
    return run_with(f, (const char *const[]){one, other}, 2, cmd_compare_from);
}

struct words {
    struct arena arena;
    const char *word[WORDS_MAX];
    int n;
};

static void add_word(struct words *w, bool given, const char *option, const char *value)
{
    if (given)
        w->word[w->n++] = option;
    if (given && value)
        w->word[w->n++] = value;
}

/* Lists the mechanisms as --disable takes them. */
static const char *names_of(struct words *w, uint32_t switches)
{
    const char *text = "";
    for (int i = 0; text && i < DIS_COUNT; i++)
        if (switches >> i & 1)
            text = arena_printf(&w->arena, "%s%s%s", text, *text ? "," : "", rt_disable_name[i]);
    return text ? text : "";
}

int front_compare(struct front *f, const struct options *o, const char *path, uint64_t seed, const char *settings, char *note, size_t size)
{
    struct words w = {0};
    add_word(&w, true, path, NULL);
    add_word(&w, true, "--seed", arena_printf(&w.arena, "%llu", (unsigned long long)seed));
    add_word(&w, true, "--mode", mode_name[MODE_LOCKSTEP]);
    add_word(&w, o->procs, "--procs", arena_printf(&w.arena, "%u", o->procs));
    add_word(&w, o->has_generation, "--generation", generation_name[o->generation]);
    add_word(&w, o->disable, "--disable", names_of(&w, o->disable));
    add_word(&w, o->enable, "--enable", names_of(&w, o->enable));
    for (uint32_t i = 0; i < o->nvary; i++)
        add_word(&w, true, "--vary", o->vary[i]);
    add_word(&w, true, "--right", settings);
    int code = w.arena.lacking ? 2 : run_with(f, w.word, w.n, cmd_compare_from);
    if (f->note[0])
        snprintf(note, size, "%s", f->note);
    arena_fini(&w.arena);
    return code;
}

static int carry_out(struct front *f, const struct door_choice *c)
{
    const struct catalogue_entry *e = &f->c.v[c->entry];
    snprintf(f->at, sizeof f->at, "%s", e->name);
    switch (c->does) {
    case DOOR_RUN:
        return run_with(f, &e->path, 1, cmd_run_from);
    case DOOR_LESSON:
        return run_with(f, (const char *const[]){e->path, "--lesson"}, 2, cmd_run_from);
    case DOOR_COMPARE:
        return compare(f, c);
    case DOOR_EDIT:
        return edit(f, e);
    case DOOR_LEAVE:
        break;
    }
    return 0;
}

static int go_on(struct front *f)
{
    char settings[80];
    enum lesson_then what = f->then.what;
    f->then.what = THEN_NOTHING;
    snprintf(settings, sizeof settings, "disable=%s", f->then.without);
    switch (what) {
    case THEN_NEXT:
        snprintf(f->at, sizeof f->at, "%s", f->then.next);
        return run_with(f, (const char *const[]){f->then.next, "--lesson"}, f->then.lesson ? 2 : 1, cmd_run_from);
    case THEN_WITHOUT:
        return run_with(f, (const char *const[]){f->then.path, "--disable", f->then.without}, 3, cmd_run_from);
    case THEN_COMPARE:
        return run_with(f, (const char *const[]){f->then.path, "--right", settings}, f->then.compares ? 1 : 3, cmd_compare_from);
    case THEN_NOTHING:
        break;
    }
    return 0;
}

/* A run may end because another one was chosen over it. Returns the exit code if a signal asked to leave, else 0. */
static int carry_out_all(struct front *f)
{
    int code = 0;
    while (code < 128 && front_chosen(f)) {
        struct door_choice c = f->choice;
        f->choice = (struct door_choice){.does = DOOR_LEAVE};
        code = f->then.what ? go_on(f) : carry_out(f, &c);
    }
    return code < 128 && f->listed ? 0 : code;
}

bool front_chosen(const struct front *f)
{
    return f->then.what || f->choice.does != DOOR_LEAVE;
}

int front_loop(struct front *f)
{
    for (f->listed = true;;) {
        if (!load(f) || !door_run(&f->door, &f->choice))
            return 2;
        f->note[0] = '\0';
        if (!front_chosen(f))
            return f->choice.signal;
        int code = carry_out_all(f);
        if (code)
            return code;
    }
}

int front_follow(struct front *f)
{
    int code = carry_out_all(f);
    return code || !f->listed ? code : front_loop(f);
}

/* --- over a run ----------------------------------------------------------------------------------------------- */

static const struct door *open_door(void *ctx)
{
    struct front *f = ctx;
    f->listed = true;
    return load(f) ? &f->door : NULL;
}

void front_lend(struct front *f, struct ui_config *ui)
{
    f->choice = (struct door_choice){.does = DOOR_LEAVE};
    ui->door = open_door;
    ui->door_ctx = f;
    ui->choice = &f->choice;
}

void front_go_on(struct front *f, const struct scenario *sc, const struct lesson_after *after)
{
    f->then.what = after->then;
    f->then.lesson = after->next_lesson;
    f->then.compares = after->compares;
    snprintf(f->then.path, sizeof f->then.path, "%s", scenario_info(sc)->path);
    snprintf(f->then.next, sizeof f->then.next, "%s", after->next ? after->next : "");
    snprintf(f->then.without, sizeof f->then.without, "%s", after->without);
}

/* Returns true if `real`, a real path, is the shipped file of this name. */
static bool is_shipped(const char *name, const char *real)
{
    struct arena a = {0};
    const char *shipped = shipped_path(&a, "scenarios", name);
    char *real_shipped = shipped ? realpath(shipped, NULL) : NULL;
    bool is = real && real_shipped && !strcmp(real, real_shipped);
    free(real_shipped);
    arena_fini(&a);
    return is;
}

void front_ran(const struct scenario *sc)
{
    const struct scenario_info *i = scenario_info(sc);
    char *real = realpath(i->path, NULL);
    if (real)
        state_ran(is_shipped(i->name, real) ? i->name : real);
    free(real);
}

void front_played(const struct scenario *sc, const struct lesson_after *after)
{
    const struct scenario_info *i = scenario_info(sc);
    char *real = realpath(i->path, NULL);
    if (is_shipped(i->name, real))
        state_score(&(struct state_score){i->name, after->right, after->asked});
    free(real);
}

enum scenario_path front_path(const struct front *f)
{
    return f->path;
}

static void add_arg(struct front *f, bool given, const char *option, const char *value)
{
    if (!given)
        return;
    f->arg[f->nargs++] = option;
    if (value)
        f->arg[f->nargs++] = value;
}

struct front *front_new(const struct options *from)
{
    struct front *f = calloc(1, sizeof *f);
    if (!f) {
        usage_error("%s", strerror(ENOMEM));
        return NULL;
    }
    f->lang = from->lang;
    f->theme = from->theme;
    f->path = from->has_path ? from->path : state_path();
    f->screen = (struct screen_config){from->ascii, !options_no_color(from), !from->no_mouse};
    add_arg(f, true, "--lang", from->lang == LANG_ZH ? "zh" : "en");
    add_arg(f, from->ascii, "--ascii", NULL);
    add_arg(f, from->no_color, "--no-color", NULL);
    add_arg(f, from->no_mouse, "--no-mouse", NULL);
    add_arg(f, from->linear, "--linear", NULL);
    add_arg(f, from->has_layout, "--layout", from->layout);
    add_arg(f, from->theme, "--theme", from->theme);
    return f;
}

void front_free(struct front *f)
{
    if (f && f->loaded)
        unload(f);
    free(f);
}
