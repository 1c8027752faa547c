/* The shipped scenarios and layouts, by name. */
#include "engine/shipped.h"
#include "base/data_dir.h"
#include "base/diag.h"
#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool exists(const char *path)
{
    struct stat st;
    return stat(path, &st) == 0;
}

const char *shipped_dir(struct arena *a, const char *kind)
{
    const char *data = data_dir(a);
    return data ? arena_printf(a, "%s/%s", data, kind) : NULL;
}

const char *shipped_path(struct arena *a, const char *kind, const char *name)
{
    const char *data = data_dir(a);
    return data ? arena_printf(a, "%s/%s/%s.yaml", data, kind, name) : NULL;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

struct names {
    const char **v;
    size_t n, cap;
};

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
    if (err == ENOENT)
        usage_error("cannot find the shipped %s: there is no %s; set GMPSCOPE_DATA to the folder that holds %s/", kind, path, kind);
    else if (err)
        usage_error("%s: %s", path ? path : kind, strerror(err));
    return err ? NULL : out;
}

bool shipped_is(struct arena *a, const char *kind, const char *arg)
{
    const char *path = strpbrk(arg, "/.") || !*arg ? NULL : shipped_path(a, kind, arg);
    return path && exists(path);
}
