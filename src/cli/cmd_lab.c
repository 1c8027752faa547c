/* gmpscope lab: writes a scheduling policy in C to start from (lab/). */
#include "cli/commands.h"
#include "base/data_dir.h"
#include "base/file.h"
#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* A file of lab/, what the name of its copy ends with (NULL: it keeps its name), and the word in it that becomes the name. */
static const struct {
    const char *from, *suffix, *word;
} files[] = {{"go.c", ".c", "\"go\""}, {"task.yaml", ".yaml", "@NAME@"}, {"Makefile", NULL, "@NAME@"}};
enum { FILES = sizeof files / sizeof *files };

static const char *copy_of(struct arena *a, int i, const char *name)
{
    return files[i].suffix ? arena_printf(a, "%s%s", name, files[i].suffix) : files[i].from;
}

/* Returns a file's text, in the arena. NULL with errno. */
static const char *text_of(struct arena *a, const char *path)
{
    char text[8192];
    FILE *f = file_open(path);
    size_t n = f ? fread(text, 1, sizeof text, f) : 0;
    if (f)
        fclose(f);
    return f ? arena_strndup(a, text, n) : NULL;
}

static const char *replaced(struct arena *a, const char *text, const char *word, const char *by)
{
    const char *at = strstr(text, word);
    if (!at)
        return text;
    const char *rest = replaced(a, at + strlen(word), word, by);
    return rest ? arena_printf(a, "%.*s%s%s", (int)(at - text), text, by, rest) : NULL;
}

/* Returns an error's message, NULL: it is written. */
static const char *write_one(struct arena *a, const char *lab, const char *name, int i)
{
    const char *from = arena_printf(a, "%s/%s", lab, files[i].from), *text = from ? text_of(a, from) : NULL;
    if (!text)
        return a->lacking ? strerror(ENOMEM) : arena_printf(a, "%s: %s", from, strerror(errno));
    const char *to = copy_of(a, i, name), *by = files[i].word[0] == '"' ? arena_printf(a, "\"%s\"", name) : name;
    text = by ? replaced(a, text, files[i].word, by) : NULL;
    text = text ? replaced(a, text, "@LAB@", lab) : NULL;
    int error = to && text ? write_new(to, text) : ENOMEM;
    return error ? arena_printf(a, "%s cannot be written: %s", to ? to : name, strerror(error)) : NULL;
}

static int new_policy(struct options *o)
{
    struct stat st;
    struct arena *a = &o->arena;
    if (o->nargs != 2 || strcmp(o->args[0], "new"))
        return usage_error("lab: expected lab new NAME; it writes NAME.c, NAME.yaml and a Makefile");
    const char *name = o->args[1], *lab = data_source(a, "lab");
    if (!is_new_name(name))
        return usage_error("lab new: expected a name of letters, digits, _ and -, got \"%s\"", name);
    if (!lab)
        return usage_error("lab new: the policies to start from are not installed: there is no folder lab next to scenarios");
    for (int i = 0; i < FILES; i++) {
        const char *to = copy_of(a, i, name);
        if (to && lstat(to, &st) == 0)
            return usage_error("%s exists already; choose another name or folder", to);
    }
    for (int i = 0; i < FILES; i++) {
        const char *why = write_one(a, lab, name, i);
        if (why)
            return usage_error("%s", why);
    }
    printf("%s.c, %s.yaml and Makefile are written. Next: make run, then change %s.c until make check passes.\n", name, name, name);
    return output_finish(0, 0);
}

int cmd_lab(int argc, char **argv)
{
    struct options o;
    int code = 2;
    if (options_parse(&o, CMD_NEW, argc, argv))
        code = o.help
                   ? command_help("lab new NAME", "write a scheduling policy in C to start from: NAME.c, NAME.yaml and a Makefile", CMD_NEW)
                   : new_policy(&o);
    options_fini(&o);
    return code;
}
