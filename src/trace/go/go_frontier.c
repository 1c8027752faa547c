/* See go_frontier.h. */
#include "trace/go/go_frontier.h"

#include <stdlib.h>

static void swap(struct go_head *a, struct go_head *b)
{
    struct go_head h = *a;
    *a = *b;
    *b = h;
}

void go_frontier_moved(struct go_frontier *f, size_t i)
{
    struct go_head *v = f->heads.v;
    for (; i && v[i].ticks < v[(i - 1) / 2].ticks; i = (i - 1) / 2)
        swap(&v[i], &v[(i - 1) / 2]);
    for (size_t child; (child = 2 * i + 1) < f->heads.n; i = child) {
        child += child + 1 < f->heads.n && v[child + 1].ticks < v[child].ticks;
        if (v[i].ticks <= v[child].ticks)
            return;
        swap(&v[i], &v[child]);
    }
}

bool go_frontier_add(struct go_frontier *f, struct go_head h)
{
    if (!vec_push(&f->heads, h))
        return false;
    go_frontier_moved(f, f->heads.n - 1);
    return true;
}

void go_frontier_drop(struct go_frontier *f, size_t i)
{
    f->heads.v[i] = f->heads.v[--f->heads.n];
    if (i < f->heads.n)
        go_frontier_moved(f, i);
}

static int by_time(const void *a, const void *b)
{
    const struct go_head *x = a, *y = b;
    if (x->ticks != y->ticks)
        return x->ticks < y->ticks ? -1 : 1;
    return x->of < y->of ? -1 : x->of > y->of;
}

void go_frontier_sort(struct go_frontier *f)
{
    qsort(f->heads.v, f->heads.n, sizeof *f->heads.v, by_time);
}
