/* What is on the list, and what each choice does: it becomes a command, as the command line would have it, with its messages shown on the list. */
#include "cli/door_list.h"
#include "cli/capture.h"
#include "cli/starter_copy.h"
#include "cli/door_pictures.h"
#include "cli/state.h"
#include "engine/shipped.h"
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct door_list {
    struct next_command common; /* the options that every command from the list gets */
    struct screen_config screen;
    const char *theme;
    enum lang lang;
    enum scenario_path path; /* PATHS: none is chosen */
    bool began;              /* what was chosen comes next, and then the list; otherwise the first command is still the only one */
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
    struct door_pictures *pictures;
    struct door door;
};

/* --- loading ---------------------------------------------------------------------------------------------------- */

static void unload(struct door_list *f)
{
    door_pictures_free(f->pictures);
    arena_fini(&f->arena);
    f->pictures = NULL;
    f->loaded = false;
}

/* Adds the recent ones that are files to the catalogue, behind the shipped ones. */
static bool add_recent(struct door_list *f)
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
static bool fill_paths(struct door_list *f)
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
    struct door_list *f = ctx;
    f->path = (enum scenario_path)path;
    state_path_chosen(f->path);
}

static bool fill(struct door_list *f)
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
static bool load(struct door_list *f)
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
    f->pictures = door_pictures_new(&f->c);
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
    f->door.picture = door_pictures_get;
    f->door.ctx = f->pictures;
    f->door.wake_fd = door_pictures_wake_fd(f->pictures);
    return true;
}

/* --- messages --------------------------------------------------------------------------------------------------- */

/* Keeps the first line of what a command wrote as the note. An internal failure is written to stderr, too. */
static void keep_note(struct door_list *f, struct capture c, int code)
{
    char text[8192];
    capture_end(c, text, sizeof text);
    f->note[0] = '\0';
    if (code == 2 || code == 4)
        capture_first_line(text, f->note, sizeof f->note);
    if (code == 4)
        fputs(text, stderr);
}

const char *door_list_note(const struct door_list *f)
{
    return f->note;
}

/* --- what is chosen ----------------------------------------------------------------------------------------------- */

void next_add(struct next_command *n, bool given, const char *option, const char *value)
{
    const char *word[2] = {option, value};
    for (int i = 0; given && i < 2 && word[i] && n->argc < NEXT_WORDS; i++)
        if ((n->argv[n->argc] = arena_strndup(&n->arena, word[i], strlen(word[i]))))
            n->argc++;
}

void door_list_begin(struct door_list *f, struct next_command *n)
{
    for (int i = 0; i < f->common.argc; i++)
        next_add(n, true, f->common.argv[i], NULL);
    n->captured = f->listed;
    if (n->captured)
        n->capture = capture_begin();
}

void door_list_end(struct door_list *f, struct next_command *n, int code)
{
    if (n->captured)
        keep_note(f, n->capture, code);
    arena_fini(&n->arena);
    *n = (struct next_command){.argc = 0};
}

static bool edit(struct door_list *f, const struct catalogue_entry *e, struct next_command *n)
{
    char path[PATH_MAX], why[200];
    bool own = e->topic >= TOPICS && strchr(e->name, '/');
    snprintf(path, sizeof path, "%s", e->path);
    if ((!own && !starter_copy(e->path, e->name, path, why, sizeof why)) || !starter_edit(path, why, sizeof why)) {
        snprintf(f->note, sizeof f->note, "%s", why);
        return false;
    }
    char *real = realpath(path, NULL);
    if (real)
        state_ran(real); /* even with mistakes in it: e opens it again */
    snprintf(f->at, sizeof f->at, "%s", real ? real : path);
    free(real);
    next_add(n, true, "run", f->at);
    return true;
}

/* Makes a choice from the list a command. Returns: false, with a note, if it cannot be done. */
static bool carry_out(struct door_list *f, const struct door_choice *c, struct next_command *n)
{
    const struct catalogue_entry *e = &f->c.v[c->entry];
    snprintf(f->at, sizeof f->at, "%s", e->name);
    if (c->does == DOOR_EDIT)
        return edit(f, e, n);
    next_add(n, true, c->does == DOOR_COMPARE ? "compare" : "run", e->path);
    next_add(n, c->does == DOOR_LESSON, "--lesson", NULL);
    if (c->does == DOOR_COMPARE && c->entry != c->other)
        next_add(n, true, f->c.v[c->other].path, NULL);
    else if (c->does == DOOR_COMPARE)
        next_add(n, c->settings[0], "--right", c->settings);
    return true;
}

/* The same with what was chosen at the end of a lesson. */
static bool go_on(struct door_list *f, struct next_command *n)
{
    char settings[80];
    enum lesson_then what = f->then.what;
    snprintf(settings, sizeof settings, "disable=%s", f->then.without);
    if (what == THEN_NEXT)
        snprintf(f->at, sizeof f->at, "%s", f->then.next);
    next_add(n, true, what == THEN_COMPARE ? "compare" : "run", what == THEN_NEXT ? f->then.next : f->then.path);
    next_add(n, what == THEN_NEXT && f->then.lesson, "--lesson", NULL);
    next_add(n, what == THEN_WITHOUT, "--disable", f->then.without);
    next_add(n, what == THEN_COMPARE && !f->then.compares, "--right", settings);
    f->then.what = THEN_NOTHING;
    return true;
}

bool door_list_chosen(const struct door_list *f)
{
    return f->then.what || f->choice.does != DOOR_LEAVE;
}

/* Shows the list until something is chosen. Returns: false, with the exit code, if the list was left without a choice. */
static bool show_list(struct door_list *f, int *code)
{
    *code = 2;
    if (!load(f) || !door_run(&f->door, &f->choice))
        return false;
    f->note[0] = '\0';
    *code = f->choice.signal;
    return door_list_chosen(f);
}

bool door_list_next(struct door_list *f, struct next_command *n, int *code)
{
    door_list_end(f, n, *code);
    f->began |= door_list_chosen(f);
    bool ready = false;
    while (!ready) {
        if (*code >= 128 || !f->began || (!door_list_chosen(f) && (!f->listed || !show_list(f, code))))
            return false;
        struct door_choice c = f->choice;
        f->choice = (struct door_choice){.does = DOOR_LEAVE};
        ready = f->then.what ? go_on(f, n) : carry_out(f, &c, n);
    }
    door_list_begin(f, n);
    if (n->arena.lacking) {
        door_list_end(f, n, 0);
        *code = usage_error("%s", strerror(ENOMEM));
        return false;
    }
    return true;
}

void door_list_open(struct door_list *f)
{
    f->listed = f->began = true;
}

/* --- over a run ----------------------------------------------------------------------------------------------- */

static const struct door *open_door(void *ctx)
{
    struct door_list *f = ctx;
    f->listed = true;
    return load(f) ? &f->door : NULL;
}

void door_list_lend(struct door_list *f, struct ui_config *ui)
{
    f->choice = (struct door_choice){.does = DOOR_LEAVE};
    ui->door = open_door;
    ui->door_ctx = f;
    ui->choice = &f->choice;
}

void door_list_go_on(struct door_list *f, const struct scenario *sc, const struct lesson_after *after)
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

void door_list_ran(const struct scenario *sc)
{
    const struct scenario_info *i = scenario_info(sc);
    char *real = realpath(i->path, NULL);
    if (real)
        state_ran(is_shipped(i->name, real) ? i->name : real);
    free(real);
}

void door_list_played(const struct scenario *sc, const struct lesson_after *after)
{
    const struct scenario_info *i = scenario_info(sc);
    char *real = realpath(i->path, NULL);
    if (is_shipped(i->name, real))
        state_score(&(struct state_score){i->name, after->right, after->asked});
    free(real);
}

enum scenario_path door_list_path(const struct door_list *f)
{
    return f->path;
}

struct door_list *door_list_new(const struct options *from)
{
    struct door_list *f = calloc(1, sizeof *f);
    if (!f) {
        usage_error("%s", strerror(ENOMEM));
        return NULL;
    }
    f->lang = from->lang;
    f->path = from->has_path ? from->path : state_path();
    f->screen = (struct screen_config){from->ascii, !options_no_color(from), !from->no_mouse};
    next_add(&f->common, true, "--lang", from->lang == LANG_ZH ? "zh" : "en");
    next_add(&f->common, from->ascii, "--ascii", NULL);
    next_add(&f->common, from->no_color, "--no-color", NULL);
    next_add(&f->common, from->no_mouse, "--no-mouse", NULL);
    next_add(&f->common, from->linear, "--linear", NULL);
    next_add(&f->common, from->has_layout, "--layout", from->layout);
    next_add(&f->common, from->theme, "--theme", from->theme);
    if (from->theme)
        f->theme = f->common.argv[f->common.argc - 1];
    if (!f->common.arena.lacking)
        return f;
    usage_error("%s", strerror(ENOMEM));
    door_list_free(f);
    return NULL;
}

struct door_list *door_list_of(const struct options *o)
{
    if (!*o->list)
        *o->list = door_list_new(o);
    return *o->list;
}

void door_list_free(struct door_list *f)
{
    if (f && f->loaded)
        unload(f);
    if (f)
        arena_fini(&f->common.arena);
    free(f);
}
