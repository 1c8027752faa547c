/* Loads layouts and chooses among them. The nearest that fits is the one with the largest smallest size; of several, `compact`. */
#include "ui/panes/layouts.h"

#include "ui/panes/pane.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int is_yaml(const struct dirent *e)
{
    const char *dot = strrchr(e->d_name, '.');
    return dot && strcmp(dot, ".yaml") == 0;
}

/* Loads another layout; skips one with mistakes. Only a lack of memory or descriptors goes to *d. */
static void load_other(struct layouts *l, const char *dir, const char *name, struct diag *d)
{
    char path[4096];
    struct diag quiet;
    if (l->n == LAYOUTS_MAX || snprintf(path, sizeof path, "%s/%s", dir, name) >= (int)sizeof path)
        return;
    diag_init(&quiet, path);
    struct layout *other = layout_load(path, &pane_kinds, &quiet);
    if (quiet.lack)
        diag_lack(d, quiet.lack);
    diag_fini(&quiet);
    if (other)
        l->other[l->n++] = other;
}

bool layouts_load(struct layouts *l, const char *path, const char *dir, struct diag *d)
{
    struct dirent **names = NULL;
    *l = (struct layouts){.requested = layout_load(path, &pane_kinds, d)};
    if (!l->requested)
        return false;
    int n = dir ? scandir(dir, &names, is_yaml, alphasort) : 0;
    if (n < 0 && (errno == ENOMEM || errno == EMFILE || errno == ENFILE))
        diag_lack(d, errno);
    for (int i = 0; i < n; i++) {
        load_other(l, dir, names[i]->d_name, d);
        free(names[i]);
    }
    free(names);
    return !d->lack;
}

void layouts_free(struct layouts *l)
{
    layout_free(l->requested);
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

static bool is_nearer(const struct layout *l, const struct layout *best)
{
    return !best || area(l) > area(best) || (area(l) == area(best) && strcmp(layout_name(l), "compact") == 0);
}

const struct layout *layouts_pick(const struct layouts *l, int w, int h)
{
    const struct layout *best = NULL;
    if (layout_fits(l->requested, w, h))
        return l->requested;
    for (int i = 0; i < l->n; i++)
        if (layout_fits(l->other[i], w, h) && is_nearer(l->other[i], best))
            best = l->other[i];
    return best;
}

void layouts_least(const struct layouts *l, int *w, int *h)
{
    const struct layout *least = l->requested;
    for (int i = 0; i < l->n; i++)
        if (area(l->other[i]) < area(least))
            least = l->other[i];
    layout_min_size(least, w, h);
}

bool layouts_choose(struct layouts *l, const char *name)
{
    if (strcmp(layout_name(l->requested), name) == 0)
        return true;
    for (int i = 0; i < l->n; i++)
        if (strcmp(layout_name(l->other[i]), name) == 0) {
            struct layout *was = l->requested;
            l->requested = l->other[i];
            l->other[i] = was;
            return true;
        }
    return false;
}

#define EDITED "mine"

/* Puts a layout into the place of the one with its name, else into a new one. Returns false if there is no room. */
static bool keep_layout(struct layouts *l, struct layout *new)
{
    struct layout **at = NULL;
    if (strcmp(layout_name(l->requested), layout_name(new)) == 0)
        at = &l->requested;
    for (int i = 0; i < l->n && !at; i++)
        if (strcmp(layout_name(l->other[i]), layout_name(new)) == 0)
            at = &l->other[i];
    if (!at && l->n == LAYOUTS_MAX)
        return false;
    if (at)
        layout_free(*at);
    else
        at = &l->other[l->n++];
    *at = new;
    return true;
}

struct layout *layouts_edit(struct layouts *l, const struct layout *shown)
{
    if (shown == l->requested && strcmp(layout_name(shown), EDITED) == 0) {
        layout_held_by(l->requested, NULL);
        return l->requested;
    }
    struct layout *new = layout_copy(shown, EDITED);
    if (new &&keep_layout(l, new)) {
        layouts_choose(l, EDITED);
        return l->requested;
    }
    layout_free(new);
    return NULL;
}

bool layouts_reload(struct layouts *l, const char *path, struct diag *d)
{
    struct layout *new = layout_load(path, &pane_kinds, d);
    if (!new)
        return false;
    if (!keep_layout(l, new)) {
        layout_free(new);
        return false;
    }
    layouts_choose(l, layout_name(new));
    return true;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Lists each name once: the requested layout may also be in the folder. */
const char *layouts_with(const struct layouts *l, int kind)
{
    for (int i = 0; i < l->n; i++)
        if (layout_has(l->other[i], kind))
            return layout_name(l->other[i]);
    return layout_has(l->requested, kind) ? layout_name(l->requested) : NULL;
}

size_t layouts_names(const struct layouts *l, const char **names)
{
    size_t n = 0, kept = 0;
    names[n++] = layout_name(l->requested);
    for (int i = 0; i < l->n; i++)
        names[n++] = layout_name(l->other[i]);
    qsort(names, n, sizeof *names, by_name);
    for (size_t i = 0; i < n; i++)
        if (!kept || strcmp(names[kept - 1], names[i]) != 0)
            names[kept++] = names[i];
    return kept;
}

void layouts_next(struct layouts *l)
{
    const char *names[LAYOUTS_MAX + 1];
    size_t n = layouts_names(l, names), i = 0;
    while (i < n && strcmp(names[i], layout_name(l->requested)) != 0)
        i++;
    layouts_choose(l, names[(i + 1) % n]);
}
