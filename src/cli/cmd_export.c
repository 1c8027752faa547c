/* gmpscope export: a scenario or a trace in another form, on stdout; a scenario also as a Go module, in a folder. */
#include "base/file.h"
#include "base/text.h"
#include "cli/commands.h"
#include "cli/export_run.h"
#include "engine/export/export.h"
#include "engine/shipped.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static bool write_file(const char *folder, const char *name, const char *text)
{
    struct file_new f;
    char path[4096];
    bool fits = (size_t)snprintf(path, sizeof path, "%s/%s", folder, name) < sizeof path;
    int error = !fits ? ENAMETOOLONG : mkdir(folder, 0777) && errno != EEXIST ? errno : file_begin(&f, path);
    if (!error) {
        fputs(text, f.out);
        error = file_finish(&f);
    }
    if (error)
        fprintf(stderr, "gmpscope: %s: %s\n", path, strerror(error));
    return !error;
}

/* Writes main.go, and a go.mod whose `go` line gives it the language and the settings of the generation's own Go. */
static bool write_module(const char *folder, enum rt_generation gen, const char *program)
{
    char module[64];
    snprintf(module, sizeof module, "module scenario\n\ngo %s\n", generation_name[gen] + strlen("go"));
    return write_file(folder, "main.go", program) && write_file(folder, "go.mod", module);
}

static bool write_go(const struct options *o, const struct scenario *sc, struct diag *d)
{
    enum rt_generation gen = command_generation(sc, o);
    char *program = NULL;
    size_t size;
    FILE *f;
    if (!o->output)
        return scenario_go_source(sc, gen, o->procs, stdout, d);
    f = text_open(&program, &size);
    bool good = f && scenario_go_source(sc, gen, o->procs, f, d);
    if ((f && !text_close(f)) || !program)
        diag_lack(d, ENOMEM);
    else
        good = good && write_module(o->output, gen, program);
    free(program);
    return good && d->count == 0;
}

/* Writes the drawn scenario in the form. */
static int export_by(struct options *o, bool (*write)(struct options *o, const struct scenario *sc, struct diag *d))
{
    struct scenario *sc = command_scenario(o, o->args[0]);
    char err[200];
    struct diag d;
    int code = 2;
    if (!sc)
        return 2;
    const struct scenario *drawn = scenario_drawn(sc, scenario_config(sc).seed, err, sizeof err);
    diag_init(&d, scenario_info(sc)->path);
    if (!drawn)
        diag_add(&d, 0, 0, "%s", err);
    if (d.count || !write(o, drawn, &d))
        diag_print(&d, stderr);
    else
        code = output_finish(0, 0);
    diag_fini(&d);
    scenario_free(sc);
    return code;
}

static bool write_go_of(struct options *o, const struct scenario *sc, struct diag *d)
{
    if (!scenario_info(sc)->go)
        return write_go(o, sc, d);
    diag_add(d, 0, 0, "is a Go program already; go run runs it");
    return false;
}

static bool write_yaml(struct options *o, const struct scenario *sc, struct diag *d)
{
    char *text = NULL;
    size_t size;
    FILE *f = text_open(&text, &size);
    bool good = f && scenario_yaml_source(sc, f, d);
    if ((f && !text_close(f)) || !text)
        diag_lack(d, ENOMEM);
    struct file_new to;
    int error = good && o->output ? file_begin(&to, o->output) : 0;
    if (good && !error)
        fputs(text, o->output ? to.out : stdout);
    if (good && o->output && !error)
        error = file_finish(&to);
    if (error)
        diag_add_in(d, o->output, 0, 0, "%s", strerror(error));
    free(text);
    return good && d->count == 0;
}

static int export_go(struct options *o)
{
    return export_by(o, write_go_of);
}

static int export_yaml(struct options *o)
{
    return export_by(o, write_yaml);
}

/* The forms of the scenario itself; the others are those of what happens (engine/export/export.h). */
static const struct {
    const char *name;
    int (*run)(struct options *o);
} formats[] = {{"go", export_go}, {"yaml", export_yaml}};
#define FORMATS (sizeof formats / sizeof *formats)
#define FORMS_MOST 32

static int unknown_format(const char *word)
{
    const char *words[FORMATS + FORMS_MOST], *near;
    char all[400] = "";
    size_t n = 0;
    for (size_t i = 0; i < FORMATS; i++)
        words[n++] = formats[i].name;
    for (size_t i = 0; export_forms[i] && i < FORMS_MOST; i++)
        words[n++] = export_forms[i]->name;
    near = diag_nearest(word, words, n);
    if (near)
        return usage_error("--format: unknown \"%s\"; did you mean \"%s\"?", word, near);
    for (size_t i = 0, len = 0; i < n && len < sizeof all; i++)
        len += (size_t)snprintf(all + len, sizeof all - len, "%s%s", i ? ", " : "", words[i]);
    return usage_error("--format: unknown \"%s\"; there are %s", word, all);
}

/* A form of the scenario takes fewer options than one of a run: the command line is read again. */
static int export_itself(size_t i, int argc, char **argv)
{
    struct options o;
    int code = options_parse(&o, CMD_EXPORT, argc, argv) ? formats[i].run(&o) : 2;
    options_fini(&o);
    return code;
}

static int export(struct options *o, int argc, char **argv)
{
    if (o->nargs != 1)
        return usage_error("export needs one FILE or NAME");
    if (!o->format)
        return usage_error(
            "export needs a format: --format go prints a scenario as a Go program, --format yaml a Go program as a scenario");
    for (size_t i = 0; i < FORMATS; i++)
        if (!strcmp(formats[i].name, o->format))
            return export_itself(i, argc, argv);
    for (size_t i = 0; export_forms[i]; i++)
        if (!strcmp(export_forms[i]->name, o->format))
            return export_run(export_forms[i], argc, argv);
    return unknown_format(o->format);
}

int cmd_export(int argc, char **argv)
{
    struct options o;
    int code = 2;
    if (options_parse(&o, CMD_EXPORT | CMD_EXPORT_RUN, argc, argv))
        code =
            o.help
                ? command_help("export FILE|NAME --format F [options]",
                               "print a scenario as a Go program, or the reverse, or its run in another form", CMD_EXPORT | CMD_EXPORT_RUN)
                : export(&o, argc, argv);
    options_fini(&o);
    return code;
}
