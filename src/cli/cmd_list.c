/* gmpscope list: prints the shipped scenarios and layouts, one per line, with the name first. */
#include "cli/commands.h"
#include "engine/shipped.h"
#include "ui/panes/pane.h"
#include <errno.h>
#include <string.h>

/* Returns true, after an error message, if the machine ran out of what reading the file needs, so its content is unknown. */
static bool lacks(const struct diag *d)
{
    if (d->lack)
        diag_print(d, stderr);
    return d->lack;
}

static void line(const char *name, const struct text *title, enum lang lang)
{
    const char *t = title ? text_in(title, lang) : "has mistakes; gmpscope lint lists them";
    visible_line(stdout, "%-20s  %s", name, t ? t : "");
}

/* Prints one entry. Returns: false after an error message if the machine ran out of something. */
static bool list_scenario(const char *name, const char *path, enum lang lang)
{
    struct diag d;
    diag_init(&d, path);
    struct scenario *sc = scenario_load(path, &d);
    bool read = !lacks(&d);
    if (read)
        line(name, sc ? &scenario_info(sc)->title : NULL, lang);
    if (sc)
        scenario_free(sc);
    diag_fini(&d);
    return read;
}

static bool list_layout(const char *name, const char *path, enum lang lang)
{
    struct diag d;
    diag_init(&d, path);
    struct layout *l = layout_load(path, &pane_kinds, &d);
    bool read = !lacks(&d);
    if (read)
        line(name, l ? layout_title(l) : NULL, lang);
    if (l)
        layout_free(l);
    diag_fini(&d);
    return read;
}

static bool list_kind(struct arena *a, const char *kind, bool (*one)(const char *, const char *, enum lang), enum lang lang)
{
    size_t n;
    const char **names = shipped_all(a, kind, &n);
    for (size_t i = 0; i < n; i++) {
        const char *path = shipped_path(a, kind, names[i]);
        if (!path)
            return usage_error("%s: %s", kind, strerror(ENOMEM)), false;
        if (!one(names[i], path, lang))
            return false;
    }
    return names;
}

static int list_all(struct options *o)
{
    if (o->nargs)
        return usage_error("list takes no arguments, got \"%s\"", o->args[0]);
    bool all = list_kind(&o->arena, "scenarios", list_scenario, o->lang) && list_kind(&o->arena, "layouts", list_layout, o->lang);
    return all ? 0 : 2;
}

int cmd_list(int argc, char **argv)
{
    struct options o;
    int code = 2;
    if (options_parse(&o, CMD_LIST, argc, argv))
        code = o.help ? command_help("list", "list scenarios and layouts, one line each", CMD_LIST) : list_all(&o);
    options_fini(&o);
    return code;
}
