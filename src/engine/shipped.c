/* Where shipped files are: the source tree this build was configured from. A word with a slash or a dot is a path and is
 * never looked up; any other is a shipped name first, so that the name on a slide means the same in every folder. */
#include "engine/shipped.h"
#include "base/diag.h"
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

const char *shipped_dir(struct arena *a, const char *kind)
{
    return arena_printf(a, "%s/%s", GMPSCOPE_SOURCE_DIR, kind);
}

const char *shipped_path(struct arena *a, const char *kind, const char *name)
{
    return arena_printf(a, "%s/%s/%s.yaml", GMPSCOPE_SOURCE_DIR, kind, name);
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

struct names { const char **v; size_t n, cap; };

/* The name in "NAME.yaml", or NULL. */
static const char *stem(struct arena *a, const char *file)
{
    size_t len = strlen(file);
    if (len <= 5 || strcmp(file + len - 5, ".yaml") || file[0] == '.')
        return NULL;
    return arena_strndup(a, file, len - 5);
}

/* Returns 0 or an errno. */
static int read_names(struct arena *a, const char *path, struct names *names)
{
    DIR *dir = opendir(path);
    struct dirent *entry;
    if (!dir)
        return errno;
    while ((errno = 0, entry = readdir(dir))) {
        const char *name = stem(a, entry->d_name);
        if (name && !vec_push(names, name))
            break;
    }
    int err = entry ? ENOMEM : errno;
    closedir(dir);
    return err;
}

const char **shipped_all(struct arena *a, const char *kind, size_t *n)
{
    struct names names = {0};
    const char *path = shipped_dir(a, kind);
    int err = path ? read_names(a, path, &names) : ENOMEM;
    const char **out = err ? NULL : arena_alloc(a, (names.n + 1) * sizeof *out);
    *n = out ? names.n : 0;
    if (*n) {
        qsort(names.v, names.n, sizeof *names.v, by_name);
        memcpy(out, names.v, names.n * sizeof *out);
    }
    vec_free(&names);
    err = a->lacking ? ENOMEM : err;
    if (err)
        usage_error("%s: %s", path ? path : kind, strerror(err));
    return err ? NULL : out;
}

static bool exists(const char *path)
{
    struct stat st;
    return stat(path, &st) == 0;
}

bool shipped_is(struct arena *a, const char *kind, const char *arg)
{
    const char *path = strpbrk(arg, "/.") || !*arg ? NULL : shipped_path(a, kind, arg);
    return path && exists(path);
}

static const struct { const char *folder, *what; } kinds[2] = {{"scenarios", "scenario"}, {"layouts", "layout"}};

static bool wanted(const char *kind, int k)
{
    return !kind || !strcmp(kind, kinds[k].folder);
}

static const char *nearest(struct arena *a, const char *kind, const char *arg)
{
    size_t n;
    const char **names = shipped_all(a, kind, &n);
    return names ? diag_nearest(arg, names, n) : NULL;
}

const char *shipped_find(struct arena *a, const char *kind, const char *arg)
{
    if (strpbrk(arg, "/."))
        return arg;
    const char *path = NULL;
    for (int k = 0; k < 2 && !path; k++)
        if (wanted(kind, k) && shipped_is(a, kinds[k].folder, arg))
            path = shipped_path(a, kinds[k].folder, arg);
    if (path)
        return path;
    if (a->lacking)
        return usage_error("%s: %s", arg, strerror(ENOMEM)), NULL;
    if (exists(arg))
        return arg;
    const char *near = NULL, *what = kind ? kinds[wanted(kind, 1)].what : "scenario or layout";
    for (int k = 0; k < 2 && !near; k++)
        near = wanted(kind, k) ? nearest(a, kinds[k].folder, arg) : NULL;
    if (near)
        usage_error("no %s \"%s\"; did you mean \"%s\"?", what, arg, near);
    else
        usage_error("no %s \"%s\"; gmpscope list shows them", what, arg);
    return NULL;
}
