/* The preferences of a user: :set changes them at once, :write-config keeps them. */
#include "ui/input/commands.h"
#include "ui/input/requests.h"

#include "layout/config.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

bool setting_layout(struct ui *u, const char *arg)
{
    const char *names[LAYOUTS_MAX + 1];
    if (!layouts_choose(&u->layouts, arg))
        return command_fail_name(u, TX_WRONG_LAYOUT, arg, names, layouts_names(&u->layouts, names));
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
    u->ops->set_tempo(u->run->session, t);
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
} settings[CONFIG_SETTINGS_COUNT] = {
    [CONFIG_theme] = {TAKES_THEME, setting_theme},
    [CONFIG_layout] = {TAKES_LAYOUT, setting_layout},
    [CONFIG_language] = {TAKES_LANGUAGE, setting_language},
    [CONFIG_tempo] = {TAKES_OTHER, setting_tempo},
};

/* Returns the number of the setting, or CONFIG_SETTINGS_COUNT. */
static int find_setting(const char *name, size_t len)
{
    int i = 0;
    while (i < CONFIG_SETTINGS_COUNT && (strncmp(config_row[i].name, name, len) != 0 || config_row[i].name[len]))
        i++;
    return i;
}

enum command_takes setting_takes(const char *name, size_t len)
{
    int i = find_setting(name, len);
    return i < CONFIG_SETTINGS_COUNT ? settings[i].takes : TAKES_OTHER;
}

bool setting_set(struct ui *u, const char *arg)
{
    const char *names[CONFIG_SETTINGS_COUNT];
    char name[64], missing[128];
    size_t len = strcspn(arg, " ");
    int i = find_setting(arg, len);
    for (int n = 0; n < CONFIG_SETTINGS_COUNT; n++)
        names[n] = config_row[n].name;
    snprintf(name, sizeof name, "%.*s", (int)len, arg);
    if (i == CONFIG_SETTINGS_COUNT)
        return command_fail_name(u, TX_WRONG_SETTING, name, names, CONFIG_SETTINGS_COUNT);
    const char *value = arg + len + strspn(arg + len, " ");
    u->command.arg_at += (int)(value - arg);
    snprintf(missing, sizeof missing, tx(u->lang, TX_WRONG_MISSING), name, config_row[i].values);
    return *value ? settings[i].fn(u, value) : command_fail(u, 0, missing);
}

/* The file keeps its keys: the screen does not change them. */
bool setting_write(struct ui *u, const char *arg)
{
    (void)arg;
    struct config now = u->cfg->config ? *u->cfg->config : (struct config){0};
    now.theme = (u->own_theme ? u->own_theme : u->theme)->name; /* not the one that the layout asked for */
    now.layout = layout_name(u->layouts.requested);
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
        ui_note(u, tx(u->lang, TX_NOTE_WRITTEN), path);
    return true;
}
