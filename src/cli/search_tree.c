/* See search_tree.h. */
#include "cli/search_tree.h"
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define TEXT_BYTES ((size_t)64 << 20)

int search_tree_init(struct search_tree *t, bool reduces)
{
    *t = (struct search_tree){.text = mmap(NULL, TEXT_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)};
    exhaust_init(&t->all, reduces);
    if (t->text != MAP_FAILED)
        return 0;
    t->text = NULL;
    return -errno;
}

void search_tree_fini(struct search_tree *t)
{
    exhaust_fini(&t->all);
    if (t->text)
        munmap(t->text, TEXT_BYTES);
}

void search_tree_try(struct search_tree *t, void (*run)(void *ctx, struct outcome *out), void *ctx, struct outcome *out)
{
    bool more = t->all.state == EXHAUST_GOES_ON, blocked = more;
    struct outcome fresh = *out;
    while (more && blocked) {
        *out = fresh;
        exhaust_begin(&t->all);
        run(ctx, out);
        if (out->lacks || out->code == 4) /* the tree is invalid after that */
            return;
        more = exhaust_next(&t->all);
        blocked = t->all.course.blocked;
    }
    if (blocked || t->all.state > EXHAUST_ALL_TRIED)
        *out = fresh;
    out->none = blocked || t->all.state > EXHAUST_ALL_TRIED;
    out->last = !more;
    out->state = (uint8_t)t->all.state;
}

void search_tree_keep(struct search_tree *t, const struct engine *e, struct outcome *out)
{
    struct choices taken = {0};
    char *text = engine_choices(e, false, &taken) ? choices_text(&taken) : NULL;
    size_t size = text ? strlen(text) + 1 : 0;
    if (size && t->used + size <= TEXT_BYTES) {
        memcpy(t->text + t->used, text, size);
        out->choices = t->used + 1;
        t->used += size;
    }
    free(text);
    vec_free(&taken);
}

const char *search_tree_choices(const struct search_tree *t, const struct outcome *out)
{
    return t && out->choices ? t->text + out->choices - 1 : "";
}

struct options search_tree_options(const struct options *o, const char *choices)
{
    char why[200];
    struct options copy = *o;
    copy.choices = (struct choices){0};
    (void)choices_parse(choices, &copy.choices, why, sizeof why);
    return copy;
}

void search_tree_scope(const struct options *o, bool reduces, FILE *out)
{
    (void)o;
    fputs(
        "scope: time passes only when all threads wait (--still), and sysmon acts at its deadlines, before all others; the points of a plain run (--coarse); which "
        "thread goes next, steal orders and select draws; no stalls. ",
        out);
    fputs(reduces ? "Schedules that differ only in the order of independent steps (steps that touch no common data) count once.\n"
                  : "Every order of steps is counted.\n",
          out);
}
