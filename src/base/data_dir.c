/* The data directory holds the folders scenarios/, layouts/ and gofront/ (in the source tree: src/gofront/). It is $GMPSCOPE_DATA if that is set;
 * otherwise the installed directory, relative to the program, so that an unpacked archive works anywhere; otherwise the source tree, to which the build
 * directory has a link. No path of the machine that built the program is compiled in. */
#include "base/data_dir.h"
#include <limits.h>
#include <stdio.h>
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

/* Returns the directory that lies where the program does. */
static const char *found_dir(struct arena *a)
{
    char self[PATH_MAX], path[PATH_MAX + sizeof "/scenarios" + 64], real[PATH_MAX];
    bool known = program_dir(self);
    for (size_t i = 0; known && i < sizeof data_places / sizeof *data_places; i++) {
        snprintf(path, sizeof path, "%s/%s/scenarios", self, data_places[i]);
        if (!exists(path))
            continue;
        *strrchr(path, '/') = '\0';
        return arena_printf(a, "%s", realpath(path, real) ? real : path);
    }
    return arena_printf(a, "%s", GMPSCOPE_DATA_INSTALLED);
}

const char *data_dir(struct arena *a)
{
    const char *own = getenv("GMPSCOPE_DATA");
    return own && *own ? arena_printf(a, "%s", own) : found_dir(a);
}

const char *data_source(struct arena *a, const char *folder)
{
    static const char *const below[] = {"", "src/"};
    const char *const dir[] = {data_dir(a), found_dir(a)}; /* $GMPSCOPE_DATA may have scenarios only */
    for (size_t i = 0; i < 4; i++) {
        const char *path = dir[i / 2] ? arena_printf(a, "%s/%s%s", dir[i / 2], below[i % 2], folder) : NULL;
        if (path && exists(path))
            return path;
    }
    return NULL;
}
