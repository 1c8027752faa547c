/* Settings that no option gives. They come from the environment, then from the file of preferences, then from the defaults. Only commands with a
 * screen read the preferences: a headless run, check and explore must do the same on each machine. */
#include "cli/options.h"
#include "engine/shipped.h"
#include "ui/input/keys.h"
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Returns true if this is the path of a layout or the name of a shipped one. */
static bool is_layout(struct options *o, const char *layout)
{
    return strpbrk(layout, "/.") || shipped_is(&o->arena, "layouts", layout);
}

/* Keeps the first mistake of the preferences for the screen. */
static void note_mistake(struct options *o, const struct diag *d)
{
    const struct diag_item *first = d->kept ? &d->item[0] : NULL;
    if (first && first->line)
        o->config.mistake = arena_printf(&o->arena, "%s:%u:%u: %s", d->file, first->line, first->col, first->text);
    else if (first)
        o->config.mistake = arena_printf(&o->arena, "%s: %s", d->file, first->text);
}

bool options_config(struct options *o, const char *path, struct diag *d)
{
    if (!config_load(&o->arena, path, key_code, &o->config, d))
        return false;
    if (o->config.layout && !is_layout(o, o->config.layout)) {
        diag_add(d, o->config.layout_line, o->config.layout_column, "there is no layout \"%s\"; gmpscope list shows them",
                 o->config.layout);
        o->config.layout = NULL;
    }
    return true;
}

/* Reads the file of preferences. Its mistakes stop nothing. Returns: false after a message if the machine lacks something. */
static bool load_config(struct options *o)
{
    struct diag d;
    o->config_path = config_path(&o->arena);
    diag_init(&d, o->config_path);
    bool good = !o->config_path || options_config(o, o->config_path, &d);
    if (good)
        note_mistake(o, &d);
    else
        diag_print(&d, stderr);
    diag_fini(&d);
    return good;
}

bool options_prefer(struct options *o, enum command_bit command)
{
    bool screen = (command & (CMD_RUN | CMD_LESSON | CMD_COMPARE | CMD_DEMO | CMD_IMPORT | CMD_WATCH | CMD_ATTACH) ||
                   command == (CMD_REPLAY | CMD_RECORDED)) &&
                  !o->headless;
    if ((screen || command == CMD_LIST) && !load_config(o))
        return false;
    const struct config *c = &o->config;
    if (!o->has_lang && !lang_from_env(&o->lang) && c->has_language)
        o->lang = c->language;
    o->theme = o->theme ? o->theme : c->theme;
    o->layout = o->layout ? o->layout : o->lesson ? "lesson" : c->layout;
    o->wpm = o->wpm ? o->wpm : 160;
    const char *term = getenv("TERM");
    o->dumb = !o->linear && term && strcmp(term, "dumb") == 0; /* such a terminal has no full screen */
    o->linear = o->linear || o->dumb;
    if (o->linear && o->tempo.rate <= 0 && !isatty(STDIN_FILENO))
        o->tempo = TEMPO_MAX; /* no person reads along */
    o->tempo = o->tempo.rate > 0 ? o->tempo : c->tempo.rate > 0 ? c->tempo : TEMPO_AUTO;
    return true;
}
