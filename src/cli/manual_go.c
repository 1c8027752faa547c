/* The packages of Go's standard library that a Go program may use: the folders below gofront/stubs that have Go files. */
#include "base/arena.h"
#include "base/data_dir.h"
#include "cli/manual.h"
#include <dirent.h>
#include <stdlib.h>
#include <string.h>

enum { PACKAGES = 200 };

struct packages {
    struct arena *a;
    const char *stubs;
    char *name[PACKAGES];
    size_t n;
};

static void add_below(struct packages *all, const char *package)
{
    const char *path = arena_printf(all->a, "%s/%s", all->stubs, package);
    DIR *dir = path ? opendir(path) : NULL;
    bool has = false;
    struct dirent *e;
    while (dir && (e = readdir(dir))) {
        size_t len = strlen(e->d_name);
        bool file = len > 3 && !strcmp(e->d_name + len - 3, ".go");
        char *below = file || e->d_name[0] == '.' ? NULL : arena_printf(all->a, "%s%s%s", package, *package ? "/" : "", e->d_name);
        has |= file;
        if (below && strcmp(below, "internal") != 0)
            add_below(all, below);
    }
    if (dir)
        closedir(dir);
    if (has && *package && all->n < PACKAGES && (all->name[all->n] = arena_strndup(all->a, package, strlen(package))))
        all->n++;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

const char *manual_packages(struct arena *a)
{
    struct packages all = {.a = a};
    const char *front = data_source(a, "gofront"), *list = "";
    if (front && (all.stubs = arena_printf(a, "%s/stubs", front)))
        add_below(&all, "");
    qsort(all.name, all.n, sizeof *all.name, by_name);
    for (size_t i = 0; list && i < all.n; i++)
        list = arena_printf(a, "%s%s%s", list, i ? ", " : "", all.name[i]);
    return list ? list : "";
}
