/* See search_tree.h. */
#include "cli/search_tree.h"
#include "cli/commands.h"
#include "cli/search_text.h"
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define TEXT_BYTES ((size_t)64 << 20)

int search_tree_init(struct search_tree *t, const struct exploration *what)
{
    *t = (struct search_tree){.text = mmap(NULL, TEXT_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)};
    exhaust_init(&t->all, what->reduced, what->part, what->of);
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
    size_t used = t->used;
    uint64_t races = t->races;
    while (more && blocked) {
        *out = fresh;
        t->used = used;
        t->races = races;
        exhaust_begin(&t->all);
        run(ctx, out);
        if (out->lacks)
            return;
        if (out->code == 4) { /* a thread may still run, so no other schedule is tried after it */
            out->last = true;
            out->state = EXHAUST_BROKEN;
            return;
        }
        more = exhaust_next(&t->all);
        blocked = t->all.course.blocked || t->all.foreign;
    }
    bool shows = (t->all.state == EXHAUST_CUT || t->all.state == EXHAUST_TOO_LARGE) && (out->code || out->has_value);
    out->none = blocked || (t->all.state > EXHAUST_ALL_TRIED && !shows);
    if (out->none)
        *out = (struct outcome){.job = fresh.job, .none = true};
    out->last = !more;
    out->unit = t->all.unit;
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
    if (!t)
        return "";
    return out->choices ? t->text + out->choices - 1 : NULL;
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
    fputs(search_text(ST_SCOPE, o->lang), out);
    fputs(search_text(reduces ? ST_SCOPE_CLASSES : ST_SCOPE_ORDERS, o->lang), out);
}

bool search_tree_fixed(const struct scenario *sc, struct options *o)
{
    const struct scenario_info *info = scenario_info(sc);
    const char *names = "", *fix = "";
    for (uint32_t i = 0; i < info->ndrawn; i++) {
        const char *name = info->drawn[i].name;
        bool fixed = false;
        for (uint32_t k = 0; k < o->nvary; k++)
            fixed |= strcspn(o->vary[k], "=") == strlen(name) && !strncmp(o->vary[k], name, strlen(name));
        if (fixed)
            continue;
        names = arena_printf(&o->arena, "%s%s%s", names, *names ? ", " : "", name);
        fix = arena_printf(&o->arena, "%s --vary %s=%" PRId64, fix, name, info->drawn[i].value);
        if (!names || !fix)
            return usage_error("%s", strerror(ENOMEM)), false;
    }
    if (*names)
        usage_error("--exhaust tries the schedules of one program, but the seed draws %s; fix each of them, such as:%s", names, fix);
    return !*names;
}
