/* A word with a slash or a dot is a path and is never looked up. Any other word is first looked up among the shipped names, so that
 * the name on a slide means the same in every folder. */
#include "base/diag.h"
#include "engine/catalogue.h"
#include "engine/shipped.h"
#include <errno.h>
#include <string.h>
#include <sys/stat.h>

static const struct {
    const char *folder, *what;
} kinds[2] = {{"scenarios", "scenario"}, {"layouts", "layout"}};

static bool wanted(const char *kind, int k)
{
    return !kind || !strcmp(kind, kinds[k].folder);
}

static const char *first_that_begins(const char *const *names, size_t n, const char *word)
{
    for (size_t i = 0; *word && i < n; i++)
        if (!strncmp(names[i], word, strlen(word)))
            return names[i];
    return NULL;
}

/* Sets *near to the shipped name that is nearest to arg or else begins with it, NULL if there is none. Returns: false if the names cannot be
 * read; reported. */
static bool nearest(struct arena *a, const char *kind, const char *arg, const char **near)
{
    size_t n;
    const char **names = shipped_all(a, kind, &n);
    *near = names ? diag_nearest(arg, names, n) : NULL;
    if (names && !*near)
        *near = first_that_begins(names, n, arg);
    return names != NULL;
}

/* Sets *path to the scenario that once had this name, NULL if none had. Returns: false if the scenarios cannot be read; reported. */
static bool find_alias(struct arena *a, const char *arg, const char **path)
{
    struct catalogue c;
    if (!catalogue_load(a, &c))
        return false;
    const struct catalogue_entry *e = catalogue_find(&c, arg);
    *path = e ? e->path : NULL;
    return true;
}

const char *shipped_find(struct arena *a, const char *kind, const char *arg)
{
    if (strpbrk(arg, "/."))
        return arg;
    const char *path = NULL;
    struct stat st;
    for (int k = 0; k < 2 && !path; k++)
        if (wanted(kind, k) && shipped_is(a, kinds[k].folder, arg))
            path = shipped_path(a, kinds[k].folder, arg);
    if (path)
        return path;
    if (a->lacking)
        return usage_error("%s: %s", arg, strerror(ENOMEM)), NULL;
    if (stat(arg, &st) == 0)
        return arg;
    if (wanted(kind, 0) && (!find_alias(a, arg, &path) || path))
        return path;
    const char *near = NULL, *what = kind ? kinds[wanted(kind, 1)].what : "scenario or layout";
    for (int k = 0; k < 2 && !near; k++)
        if (wanted(kind, k) && !nearest(a, kinds[k].folder, arg, &near))
            return NULL;
    const char *file = arena_printf(a, "%s.yaml", arg);
    if (file && stat(file, &st) == 0)
        usage_error("no %s \"%s\" comes with gmpscope; for the file here, write %s", what, arg, file);
    else if (near)
        usage_error("no %s \"%s\"; did you mean \"%s\"?", what, arg, near);
    else
        usage_error("no %s \"%s\"; gmpscope list shows them", what, arg);
    return NULL;
}
