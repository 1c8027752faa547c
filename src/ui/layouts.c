/* The layouts at hand and the choice among them. "Nearest that fits" is the one that needs the most of what there is.
 */
#include "ui/layouts.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int is_yaml(const struct dirent *e)
{
    const char *dot = strrchr(e->d_name, '.');
    return dot && strcmp(dot, ".yaml") == 0;
}

static void load_other(struct layouts *l, const char *dir, const char *name)
{
    char path[4096];
    struct diag quiet;
    if (l->n == LAYOUTS_MAX || snprintf(path, sizeof path, "%s/%s", dir, name) >= (int)sizeof path)
        return;
    diag_init(&quiet, path);
    struct layout *other = layout_load(path, &quiet);
    diag_fini(&quiet);
    if (other)
        l->other[l->n++] = other;
}

bool layouts_load(struct layouts *l, const char *path, const char *dir, struct diag *d)
{
    struct dirent **names = NULL;
    *l = (struct layouts){.wished = layout_load(path, d)};
    if (!l->wished)
        return false;
    int n = dir ? scandir(dir, &names, is_yaml, alphasort) : 0;
    for (int i = 0; i < n; i++) {
        load_other(l, dir, names[i]->d_name);
        free(names[i]);
    }
    free(names);
    return true;
}

void layouts_free(struct layouts *l)
{
    layout_free(l->wished);
    for (int i = 0; i < l->n; i++)
        layout_free(l->other[i]);
    *l = (struct layouts){0};
}

static long area(const struct layout *l)
{
    int w, h;
    layout_min_size(l, &w, &h);
    return (long)w * h;
}

const struct layout *layouts_pick(const struct layouts *l, int w, int h)
{
    const struct layout *best = NULL;
    if (layout_fits(l->wished, w, h))
        return l->wished;
    for (int i = 0; i < l->n; i++)
        if (layout_fits(l->other[i], w, h) && (!best || area(l->other[i]) > area(best)))
            best = l->other[i];
    return best;
}

void layouts_least(const struct layouts *l, int *w, int *h)
{
    const struct layout *least = l->wished;
    for (int i = 0; i < l->n; i++)
        if (area(l->other[i]) < area(least))
            least = l->other[i];
    layout_min_size(least, w, h);
}
