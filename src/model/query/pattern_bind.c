/* What the names in a pattern mean in a run: programs (fn=worker), objects (obj=jobs) and places (main.go:12). */
#include "base/diag.h"
#include "model/query/pattern_internal.h"

#include <stdlib.h>
#include <string.h>

#pragma GCC diagnostic ignored "-Wformat-nonliteral" /* in pattern_texts.def; tests/test_pattern.c compares the languages */

struct binding {
    struct arena *a;
    enum lang lang;
    const struct model_names *names;
    const char *err;
};

#define FAILS(b, id, ...) fails(b, arena_printf((b)->a, pattern_text((b)->lang, PATTERN_##id), __VA_ARGS__))
static bool fails(struct binding *b, const char *why)
{
    b->err = why ? why : pattern_text(b->lang, PATTERN_MEMORY);
    return false;
}

/* ---- programs ---- */

static int64_t find_program(const struct model_names *names, const char *word)
{
    for (uint32_t i = 0; i < names->nfn; i++)
        if (names->fn[i] && strcmp(names->fn[i], word) == 0)
            return i;
    const char *label; /* a system G, unless a program has this name */
    for (uint32_t fn = EV_SYSTEM_FN; (label = ev_system_label(fn)); fn++)
        if (strcmp(label, word) == 0)
            return fn;
    int64_t system = ev_system_fn(word);
    uint32_t later = system < 0 && names->later ? names->later(names->ctx, word) : EV_NONE;
    return later != EV_NONE ? later : system;
}

static bool bind_program(struct binding *b, struct pat_test *t)
{
    int64_t fn = find_program(b->names, t->word);
    for (int kind = 0; kind < EV_KINDS; kind++) {
        const struct ev_field *f = t->of[kind].field;
        if (!f || f->type != FT_FN)
            continue;
        if (fn >= 0)
            t->of[kind].value = fn;
        if (t->of[kind].value >= 0)
            continue;
        const char *near = b->names->later ? NULL : diag_nearest(t->word, b->names->fn, b->names->nfn);
        return near ? FAILS(b, NO_PROGRAM_NEAR, t->word, near) : FAILS(b, NO_PROGRAM, t->word);
    }
    return true;
}

/* ---- objects ---- */

/* Returns the objects of a kind that have this name: of those that a program makes "jobs" are all, "jobs#2" is the second. */
static struct pat_object find_object(const struct model_objects *o, int kind, const char *word)
{
    size_t len = strlen(word);
    if (kind == OBJ_WRITERS) {
        len -= len > 2 && strcmp(word + len - 2, ".w") == 0 ? 2 : len;
        kind = OBJ_RWMUTEX;
    }
    const char *number = o->made ? memchr(word, '#', len) : NULL;
    uint32_t n = o->of[kind].n, nth = number ? (uint32_t)strtoul(number + 1, NULL, 10) : 0;
    len = number ? (size_t)(number - word) : len;
    for (uint32_t k = 0; len && k < n; k++)
        if (strncmp(o->of[kind].name[k], word, len) == 0 && !o->of[kind].name[k][len])
            return (struct pat_object){1 + k + (nth ? nth - 1 : 0) * n, o->made && !nth ? n : 0};
    return (struct pat_object){0};
}

static bool no_such_object(struct binding *b, const char *word)
{
    enum { MOST = 64 };
    const char *known[MOST];
    uint32_t n = 0;
    for (int kind = 0; kind < OBJ_KINDS; kind++)
        for (uint32_t i = 0; i < b->names->objects->of[kind].n && n < MOST; i++)
            if (b->names->objects->of[kind].name[i][0])
                known[n++] = b->names->objects->of[kind].name[i];
    const char *near = diag_nearest(word, known, n);
    return near ? FAILS(b, NO_OBJECT_NEAR, word, near) : FAILS(b, NO_OBJECT, word);
}

static bool bind_object(struct binding *b, struct pat_test *t)
{
    bool asks = false, known = false, number = true;
    for (int kind = 0; kind < EV_KINDS; kind++)
        if (t->of[kind].field && t->of[kind].field->type == FT_OBJ) {
            asks = true;
            number &= t->of[kind].value >= 0;
        }
    if (!asks || !b->names->objects)
        return true;
    struct pat_object *all = arena_alloc(b->a, OBJ_KINDS * sizeof *all);
    if (!all)
        return fails(b, NULL);
    for (int kind = OBJ_NONE + 1; kind < OBJ_KINDS; kind++) {
        all[kind] = find_object(b->names->objects, kind, t->word);
        known |= all[kind].id != 0;
    }
    if (known)
        t->object = all;
    return known || number || no_such_object(b, t->word);
}

/* ---- places ---- */

/* Returns the text's number of a file that is named so, or whose path ends so; -1: none. */
static int find_file(const struct program_text *text, const char *name, size_t len)
{
    for (uint32_t i = 0; i < text->nfiles; i++) {
        size_t n = strlen(text->file[i].name);
        if (n >= len && memcmp(text->file[i].name + n - len, name, len) == 0 && (n == len || text->file[i].name[n - len - 1] == '/'))
            return (int)i;
    }
    return -1;
}

static bool has_code(const struct program_text *text, uint32_t line)
{
    for (uint32_t i = 0; i < text->nops; i++)
        if (text->op[i] == line)
            return true;
    return false;
}

/* Returns the nearest line of the file with code; its first line if there is none. */
static uint32_t nearest(const struct program_text *text, uint32_t first, uint32_t end, uint32_t line)
{
    line = line < end ? line : end - 1;
    for (uint32_t by = 0; by < end - first; by++) {
        if (line + by < end && has_code(text, line + by))
            return line + by;
        if (line >= first + by && has_code(text, line - by))
            return line - by;
    }
    return first;
}

static bool bind_place(struct binding *b, struct pat_test *t)
{
    const struct program_text *text = b->names->text;
    const char *colon = t->place ? strrchr(t->word, ':') : NULL;
    if (!colon)
        return true;
    if (!text || !text->nfiles)
        return FAILS(b, NO_PLACES, t->word);
    int file = find_file(text, t->word, (size_t)(colon - t->word));
    const char *slash = strrchr(text->file[0].name, '/');
    if (file < 0)
        return FAILS(b, NO_FILE, (int)(colon - t->word), t->word, slash ? slash + 1 : text->file[0].name);
    uint32_t first = text->file[file].first, end = (uint32_t)file + 1 < text->nfiles ? text->file[file + 1].first : text->nlines;
    uint64_t line = strtoul(colon + 1, NULL, 10);
    line = first + (line && line < UINT32_MAX / 2 ? line - 1 : 0);
    t->text = text;
    t->line = (uint32_t)line;
    if (line < end && has_code(text, t->line) && colon[1] != '0')
        return true;
    return FAILS(b, NO_CODE, t->word, nearest(text, first, end, t->line) - first + 1);
}

bool pattern_bind_in(struct pattern *p, struct arena *a, enum lang lang, const struct model_names *names, const char **err, size_t *pos)
{
    struct binding b = {a, lang, names, NULL};
    for (struct pat_event *e = p->events; e; e = e->next)
        for (struct pat_test *t = e->tests; t; t = t->next) {
            if (bind_program(&b, t) && bind_object(&b, t) && bind_place(&b, t))
                continue;
            *pos = t->pos;
            *err = b.err;
            return false;
        }
    return true;
}
