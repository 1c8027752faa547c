/* gmpscope lint: reports every mistake of scenario and layout files, without running anything. */
#include "base/yaml/yaml.h"
#include "cli/commands.h"
#include "engine/shipped.h"
#include "ui/panes/pane.h"

/* The kind of a file, by its content: only a layout has a root. */
enum kind { KIND_BAD, KIND_SCENARIO, KIND_LAYOUT };

/* Returns KIND_BAD, and reports it to d, if the file cannot be read or is not YAML. */
static enum kind kind_of(const char *path, struct diag *d)
{
    struct arena a = {0};
    size_t len;
    char *bytes = yaml_read(&a, path, &len, d);
    struct ynode *root = bytes ? yaml_parse(&a, bytes, len, d) : NULL;
    enum kind k = !root ? KIND_BAD : yaml_get(root, "root") ? KIND_LAYOUT : KIND_SCENARIO;
    arena_fini(&a);
    return k;
}

static bool loads(const char *path, enum kind k, struct diag *d)
{
    if (k == KIND_LAYOUT) {
        struct layout *l = layout_load(path, &pane_kinds, d);
        if (l)
            layout_free(l);
        return l != NULL;
    }
    struct scenario *sc = scenario_load(path, d);
    if (sc)
        scenario_free(sc);
    return sc != NULL;
}

static bool lint_file(struct arena *a, const char *arg)
{
    struct diag d;
    const char *path = shipped_find(a, NULL, arg);
    if (!path)
        return false;
    diag_init(&d, path);
    d.max = DIAG_ALL;
    d.offers = true;
    enum kind k = kind_of(path, &d);
    bool good = k != KIND_BAD && loads(path, k, &d);
    if (good)
        visible_line(stdout, "%s: ok", path);
    else
        diag_print(&d, stderr);
    diag_fini(&d);
    return good;
}

static int lint_all(struct options *o)
{
    if (!o->nargs)
        return usage_error("lint needs one FILE or more");
    int code = 0;
    for (int i = 0; i < o->nargs; i++)
        if (!lint_file(&o->arena, o->args[i]))
            code = 2;
    return code;
}

int cmd_lint(int argc, char **argv)
{
    struct options o;
    int code = 2;
    if (options_parse(&o, CMD_LINT, argc, argv))
        code = o.help ? command_help("lint FILE…", "report every mistake in scenario or layout files", CMD_LINT) : lint_all(&o);
    options_fini(&o);
    return code;
}
