/* The data directory holds the folders scenarios/ and layouts/. It is $GMPSCOPE_DATA if that is set; otherwise the installed directory,
 * relative to the program, so that an unpacked archive works anywhere; otherwise the source tree, to which the build directory has a
 * link. No path of the machine that built the program is compiled in. */
#include "engine/shipped.h"
#include "base/diag.h"
#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Relative to the program's folder. The test programs of the build are up to two folders below its link. */
static const char *const data_places[] = {GMPSCOPE_DATA_FROM_BIN, "gmpscope-data", "../gmpscope-data", "../../gmpscope-data"};

static bool exists(const char *path)
{
    struct stat st;
    return stat(path, &st) == 0;
}

/* Writes the folder of the running program to out. Returns: false if /proc cannot be read. */
static bool program_dir(char out[PATH_MAX])
{
    ssize_t n = readlink("/proc/self/exe", out, PATH_MAX - 1);
    out[n > 0 ? n : 0] = '\0';
    char *slash = strrchr(out, '/');
    if (slash)
        *slash = '\0';
    return slash != NULL;
}

/* Returns the data directory, in the arena; where none is found, the place where it would be installed. */
static const char *data_dir(struct arena *a)
{
    char self[PATH_MAX], path[PATH_MAX + sizeof "/scenarios" + 64], real[PATH_MAX];
    const char *own = getenv("GMPSCOPE_DATA");
    if (own && *own)
        return arena_printf(a, "%s", own);
    if (!program_dir(self))
        return arena_printf(a, "%s", GMPSCOPE_DATA_INSTALLED);
    for (size_t i = 0; i < sizeof data_places / sizeof *data_places; i++) {
        snprintf(path, sizeof path, "%s/%s/scenarios", self, data_places[i]);
        if (!exists(path))
            continue;
        *strrchr(path, '/') = '\0';
        return arena_printf(a, "%s", realpath(path, real) ? real : path);
    }
    return arena_printf(a, "%s", GMPSCOPE_DATA_INSTALLED);
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
