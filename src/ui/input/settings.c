/* The preferences of a user: :set changes them at once, :write-config keeps them. */
#include "ui/input/commands.h"
#include "ui/input/requests.h"

#include "layout/config.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool setting_seed(struct ui *u, const char *arg)
{
    uint64_t seed;
    if (!command_number(arg, &seed))
        return command_fail(u, 0, tx(u->lang, TX_WRONG_NUMBER));
    ui_restart(u, seed);
    return true;
}

/* Loads the layout of a file, as --layout does. Returns false after a message about the file's first mistake. */
static bool layout_of_file(struct ui *u, const char *path)
{
    char text[512];
    struct diag d;
    diag_init(&d, path);
    bool good = layouts_reload(&u->layouts, path, &d);
    if (good)
        ui_show_layout(u);
    else
        snprintf(text, sizeof text, "%s: %s", path, d.kept ? d.item[0].text : strerror(ENOMEM));
    diag_fini(&d);
    return good || command_fail(u, 0, text);
}

/* Is it the name of a pane? Then says which layouts have it. */
static bool fail_pane(struct ui *u, const char *arg)
{
    char text[200];
    int kind = PANES;
    while (kind-- > 0 && strcmp(pane_name(kind), arg) != 0)
        ;
    const char *with = kind < 0 ? NULL : layouts_with(&u->layouts, kind);
    if (!with)
        return false;
    snprintf(text, sizeof text, tx(u->lang, TX_WRONG_LAYOUT_PANE), arg, with);
    return !command_fail(u, 0, text);
}

bool setting_layout(struct ui *u, const char *arg)
{
    const char *names[LAYOUTS_MAX + 1];
    if (strpbrk(arg, "/."))
        return layout_of_file(u, arg);
    if (!layouts_choose(&u->layouts, arg))
        return !fail_pane(u, arg) && command_fail_name(u, TX_WRONG_LAYOUT, arg, names, layouts_names(&u->layouts, names));
    ui_show_layout(u);
    return true;
}

bool setting_theme(struct ui *u, const char *arg)
{
    const char *names[THEMES];
    size_t n = 0;
    const struct theme *t;
    for (t = theme_nth(0); t && strcmp(t->name, arg) != 0; t = theme_nth((int)n))
        names[n++] = t->name;
    if (!t)
        return command_fail_name(u, TX_WRONG_THEME, arg, names, n);
    ui_show_theme(u, t);
    return true;
}

bool setting_tempo(struct ui *u, const char *arg)
{
    struct tempo t;
    if (!tempo_parse(arg, &t))
        return command_fail(u, 0, tx(u->lang, TX_WRONG_TEMPO));
    if (!u->run->st.lockstep) {
        ui_note_text(u, TX_NOTE_TEMPO_FREE);
        return true;
    }
    u->ops->motion->set_tempo(u->run->session, t);
    ui_note_pace(u);
    return true;
}

bool setting_language(struct ui *u, const char *arg)
{
    int l = 0;
    while (l < LANGS && strcmp(lang_name[l], arg) != 0)
        l++;
    if (l == LANGS)
        return command_fail_name(u, TX_WRONG_LANGUAGE, arg, lang_name, LANGS);
    u->lang = u->canvas.ascii ? LANG_EN : (enum lang)l;
    if ((int)u->lang != l)
        ui_note_text(u, u->cfg->ascii ? TX_NOTE_ASCII_ENGLISH : TX_NOTE_LOCALE_ENGLISH);
    return true;
}

static const struct {
    enum command_takes takes;
    bool (*fn)(struct ui *u, const char *arg);
    enum text_id help;
} settings[CONFIG_SETTINGS_COUNT] = {
    [CONFIG_theme] = {TAKES_THEME, setting_theme, TX_SET_THEME},
    [CONFIG_layout] = {TAKES_LAYOUT, setting_layout, TX_SET_LAYOUT},
    [CONFIG_language] = {TAKES_LANGUAGE, setting_language, TX_SET_LANGUAGE},
    [CONFIG_tempo] = {TAKES_OTHER, setting_tempo, TX_SET_TEMPO},
};

/* The settings of the run. They start it again, and no file keeps them. NULL: `set` of cli/options.c knows the value. */
static const struct {
    const char *name, *values;
    enum command_takes takes;
    bool (*fn)(struct ui *u, const char *arg);
    enum text_id help;
} of_run[] = {
    {"procs", "N", TAKES_OTHER, NULL, TX_SET_PROCS},           {"generation", "G", TAKES_GENERATION, NULL, TX_SET_GENERATION},
    {"disable", "LIST", TAKES_SWITCHES, NULL, TX_SET_DISABLE}, /* without a value: nothing is disabled any more, except by the scenario */
    {"enable", "LIST", TAKES_SWITCHES, NULL, TX_SET_ENABLE},   {"mode", "lockstep|free", TAKES_MODE, NULL, TX_SET_MODE},
    {"seed", "N", TAKES_OTHER, setting_seed, TX_SET_SEED},     {"vary", "NAME=N", TAKES_OTHER, NULL, TX_SET_VARY},
};
enum { OF_RUN = sizeof of_run / sizeof *of_run };

const char *setting_name(int i)
{
    if (i < CONFIG_SETTINGS_COUNT)
        return config_row[i].name;
    return i < CONFIG_SETTINGS_COUNT + OF_RUN ? of_run[i - CONFIG_SETTINGS_COUNT].name : NULL;
}

enum text_id setting_help(int i)
{
    return i < CONFIG_SETTINGS_COUNT ? settings[i].help : of_run[i - CONFIG_SETTINGS_COUNT].help;
}

/* Returns the number of the setting, -1 if there is none. */
static int find_setting(const char *name, size_t len)
{
    const char *at;
    for (int i = 0; (at = setting_name(i)); i++)
        if (strncmp(at, name, len) == 0 && !at[len])
            return i;
    return -1;
}

enum command_takes setting_takes(const char *name, size_t len)
{
    int i = find_setting(name, len);
    return i < 0 ? TAKES_OTHER : i < CONFIG_SETTINGS_COUNT ? settings[i].takes : of_run[i - CONFIG_SETTINGS_COUNT].takes;
}

bool setting_change(struct ui *u, enum ui_change what, const char *text)
{
    char why[sizeof u->note.text];
    const struct text *refusal = u->ops->refusal(u->run->session, CAN_CHANGE_MODE);
    if (refusal)
        return command_fail(u, 0, refusal->in[u->lang]);
    if (!u->cfg->change || !u->cfg->kept) {
        ui_note_text(u, TX_NOTE_NO_CHANGE);
        return true;
    }
    if (!u->cfg->change(u->cfg->change_ctx, what, text, why, sizeof why)) {
        if (what != CHANGE_RELOAD)
            return command_fail(u, 0, why);
        ui_note(u, "%s", why);
        return true;
    }
    char *note = u->cfg->kept->note;
    unsigned long long seed = u->run->st.seed;
    if (what == CHANGE_SET)
        snprintf(note, sizeof u->cfg->kept->note, tx(u->lang, TX_NOTE_RERUN), text, seed);
    else if (what == CHANGE_RELOAD)
        snprintf(note, sizeof u->cfg->kept->note, tx(u->lang, TX_NOTE_RELOADED), seed);
    ui_leave(u, 0);
    return true;
}

static bool change_run(struct ui *u, int i, const char *value)
{
    char text[PROMPT_BYTES + 32];
    if (ui_for_one(u, TX_NOTE_ONE_RUN))
        return true;
    if (of_run[i].fn)
        return of_run[i].fn(u, value);
    snprintf(text, sizeof text, "%s=%s", of_run[i].name, value);
    return setting_change(u, CHANGE_SET, text);
}

bool setting_set(struct ui *u, const char *arg)
{
    const char *names[CONFIG_SETTINGS_COUNT + OF_RUN];
    char name[64], missing[128];
    size_t len = strcspn(arg, " "), n = 0;
    int i = find_setting(arg, len), run = i - CONFIG_SETTINGS_COUNT;
    while (n < sizeof names / sizeof *names && (names[n] = setting_name((int)n)))
        n++;
    snprintf(name, sizeof name, "%.*s", (int)len, arg);
    if (i < 0)
        return command_fail_name(u, TX_WRONG_SETTING, name, names, n);
    const char *value = arg + len + strspn(arg + len, " ");
    u->command.arg_at += (int)(value - arg);
    snprintf(missing, sizeof missing, tx(u->lang, TX_WRONG_MISSING), name, run < 0 ? config_row[i].values : of_run[run].values);
    if (!*value && strcmp(name, "disable") != 0)
        return command_fail(u, 0, missing);
    return run < 0 ? settings[i].fn(u, value) : change_run(u, run, value);
}

/* Names the layout for a later start: a shipped one by its name, another one by the path of its file. NULL: no file holds it. */
static const char *layout_to_keep(const struct ui *u, char *path, size_t size)
{
    const struct layout *l = u->layouts.requested;
    char shipped[4096];
    if (!layout_path(l))
        return NULL;
    snprintf(shipped, sizeof shipped, "%s/%s.yaml", u->cfg->layout_dir ? u->cfg->layout_dir : "", layout_name(l));
    if (strcmp(layout_path(l), shipped) == 0)
        return layout_name(l);
    char *whole = realpath(layout_path(l), NULL);
    bool fits = whole && snprintf(path, size, "%s", whole) < (int)size;
    free(whole);
    return fits ? path : NULL;
}

/* The file keeps its keys: the screen does not change them. It keeps its layout if no file holds the one on the screen. */
bool setting_write(struct ui *u, const char *arg)
{
    (void)arg;
    char layout[4000];
    const char *kept = layout_to_keep(u, layout, sizeof layout);
    struct config now = u->cfg->config ? *u->cfg->config : (struct config){0};
    now.theme = (u->own_theme ? u->own_theme : u->theme)->name; /* not the one that the layout asked for */
    if (kept)
        now.layout = kept;
    now.has_language = true;
    now.language = u->lang;
    now.tempo = u->run->st.tempo;
    const char *path = u->cfg->config_path;
    int err = path ? config_write(path, &now) : ENOENT;
    if (!path)
        ui_note_text(u, TX_NOTE_NO_CONFIG);
    else if (err)
        ui_note(u, tx(u->lang, TX_NOTE_NOT_WRITTEN), path, strerror(err));
    else
        ui_note(u, tx(u->lang, kept ? TX_NOTE_WRITTEN : TX_NOTE_WRITTEN_UNEDITED), path);
    return true;
}
