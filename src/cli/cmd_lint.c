/* gmpscope lint: reports every mistake of scenarios, layouts and the file of preferences, without running anything. */
#include "base/yaml/yaml.h"
#include "cli/commands.h"
#include "engine/shipped.h"
#include "ui/panes/pane.h"

/* The kind of a file, by its keys: a layout has panes, the preferences have neither these nor programs. */
enum kind { KIND_BAD, KIND_SCENARIO, KIND_LAYOUT, KIND_CONFIG };

static bool has_key(const struct ynode *root, const char *const *keys, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (yaml_get(root, keys[i]))
            return true;
    return false;
}

static enum kind kind_of_tree(const struct ynode *root)
{
    static const char *const scenario[] = {"goroutines", "source", "scheduler", "lesson", "expect", "channels", "mutexes"};
    static const char *const layout[] = {"root", "panes", "pane", "split", "children", "min_size"};
    static const char *const config[] = {"theme", "layout", "language", "tempo", "keys"};
    if (has_key(root, scenario, sizeof scenario / sizeof *scenario))
        return KIND_SCENARIO;
    if (has_key(root, layout, sizeof layout / sizeof *layout))
        return KIND_LAYOUT;
    return has_key(root, config, sizeof config / sizeof *config) ? KIND_CONFIG : KIND_SCENARIO;
}

/* Returns KIND_BAD, and reports it to d, if the file cannot be read or is not YAML. */
static enum kind kind_of(const char *path, struct diag *d)
{
    struct arena a = {0};
    size_t len;
    char *bytes = yaml_read(&a, path, &len, d);
    struct ynode *root = bytes ? yaml_parse(&a, bytes, len, d) : NULL;
    enum kind k = root ? kind_of_tree(root) : KIND_BAD;
    arena_fini(&a);
    return k;
}

static bool loads(const char *path, const char *test, enum kind k, struct diag *d)
{
    if (k == KIND_LAYOUT) {
        struct layout *l = layout_load(path, &pane_kinds, d);
        if (l)
            layout_free(l);
        return l != NULL;
    }
    if (k == KIND_CONFIG) {
        struct options o = {0};
        bool good = options_config(&o, path, d) && !d->count;
        options_fini(&o);
        return good;
    }
    struct scenario *sc = scenario_open(&(struct scenario_from){.path = path, .settings = &compare_settings, .test = test}, d);
    if (sc)
        scenario_free(sc);
    return sc != NULL;
}

static bool lint_file(struct arena *a, const char *arg, const char *test)
{
    struct diag d;
    const char *path = shipped_find(a, NULL, arg);
    if (!path)
        return false;
    diag_init(&d, path);
    d.max = DIAG_ALL;
    d.offers = true;
    enum kind k = scenario_is_program(path) ? KIND_SCENARIO : kind_of(path, &d);
    bool good = k != KIND_BAD && loads(path, test, k, &d);
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
        if (!lint_file(&o->arena, o->args[i], o->test))
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
