/* The scenario's programs as Go for the screen: its objects and functions, without the fixed parts, and the line of each operation. What Go
 * does not have is a comment.
 *
 * Operations are numbered in the order of the file, an operation before those inside of it. They are written in the same order, so a mark
 * with the place of the next number's verb is its line. An operation that can never be reached is not written; it has the line before. */
#include "base/text.h"
#include "scenario/go/gosource.h"
#include "scenario/vm/form.h"
#include <stdlib.h>
#include <string.h>

/* Writes both parts. Returns the text, which the caller frees. */
static char *write_text(struct gosrc *s)
{
    char *text = NULL;
    size_t size = 0;
    FILE *f = text_open(&text, &size);
    if (!f)
        return NULL;
    go_declare_objects(s, f);
    go_write_functions(s, s->sc->root, f);
    s->oom |= !text_close(f);
    return text;
}

static bool split_lines(struct program_text *t, char *text)
{
    VEC(char *) line = {0};
    bool good = true;
    for (char *at = text; good && *at; at += strcspn(at, "\n") + 1)
        good = vec_push(&line, at);
    for (size_t i = 0; i < line.n; i++)
        line.v[i][strcspn(line.v[i], "\n")] = '\0';
    t->line = line.v;
    t->nlines = (uint32_t)line.n;
    return good;
}

/* Returns the last line that begins at or before this byte. */
static uint32_t line_at(const struct program_text *t, long at, uint32_t from)
{
    while (from + 1 < t->nlines && t->line[from + 1] - t->line[0] <= at)
        from++;
    return from;
}

struct places {
    const struct gosrc *s;
    struct program_text *t;
    size_t mark;
    uint32_t line;
};

static void pass_mark(struct places *p)
{
    p->line = line_at(p->t, p->s->mark.v[p->mark++].at, p->line);
}

static void place_block(struct places *p, const struct block *b);

static void place_op(struct places *p, const struct op *op)
{
    const struct go_mark *m = p->mark < p->s->mark.n ? &p->s->mark.v[p->mark] : NULL;
    if (m && m->line == op->line && m->col == op->col)
        pass_mark(p);
    p->t->op[op->number] = p->line;
    const struct block *in;
    for (uint32_t i = 0; (in = op_inside(op, i)); i++)
        place_block(p, in);
}

static void place_block(struct places *p, const struct block *b)
{
    for (uint32_t i = 0; i < b->n; i++)
        place_op(p, &b->op[i]);
}

static void place_all(const struct gosrc *s, struct program_text *t)
{
    struct places p = {.s = s, .t = t};
    for (uint32_t i = 0; i < t->nfn; i++) {
        if (p.mark < s->mark.n)
            pass_mark(&p);
        t->fn[i] = p.line;
        place_block(&p, &s->sc->prog[i].body);
    }
}

static bool fill(struct gosrc *s, struct program_text *t)
{
    t->text = write_text(s);
    t->nops = s->sc->nops;
    t->nfn = s->sc->nprog;
    t->op = calloc(t->nops + 1, sizeof *t->op);
    t->fn = calloc(t->nfn + 1, sizeof *t->fn);
    if (s->oom || !t->text || !t->op || !t->fn || !split_lines(t, t->text))
        return false;
    place_all(s, t);
    return true;
}

/* A Go program is its own text: the files behind each other. What the library does is shown where the program calls it, so its functions have no line. */
static bool make_of_source(const struct scenario *sc, struct program_text *t)
{
    const struct form *f = sc->form;
    size_t size = 1, n = 0;
    uint32_t *first = calloc(f->file.n + 1, sizeof *first);
    t->file = calloc(f->file.n + 1, sizeof *t->file);
    for (size_t i = 0; i < f->text.n; i++)
        size += f->text.v[i] ? strlen(f->text.v[i]) + 1 : 0;
    t->text = calloc(1, size);
    for (size_t i = 0, lines = 0; first && t->file && t->text && i < f->text.n; i++) {
        first[i] = (uint32_t)lines;
        if (f->text.v[i])
            t->file[t->nfiles++] = (struct program_file){f->file.v[i], first[i]};
        for (const char *s = f->text.v[i]; s && *s; s++) {
            lines += *s == '\n';
            t->text[n++] = *s;
        }
    }
    t->nops = sc->nops;
    t->nfn = sc->nprog;
    t->op = calloc(t->nops + 1, sizeof *t->op);
    t->fn = calloc(t->nfn + 1, sizeof *t->fn);
    bool good = first && t->file && t->text && t->op && t->fn && split_lines(t, t->text);
    for (uint32_t i = 0, number = 0; good && i < f->fn.n; i++) {
        const struct form_fn *fn = &f->fn.v[i];
        bool own = f->text.v[fn->file];
        t->fn[i] = own && fn->line ? first[fn->file] + fn->line - 1 : UINT32_MAX;
        for (size_t k = 0; k < fn->code.n; k++)
            t->op[number++] = own && fn->code.v[k].line ? first[fn->file] + fn->code.v[k].line - 1 : t->fn[i];
    }
    free(first);
    return good;
}

static bool make(const struct scenario *sc, struct program_text *out)
{
    if (sc->form)
        return make_of_source(sc, out);
    struct gosrc *s = calloc(1, sizeof *s);
    bool good = s && gosrc_init(s, sc, sc->info.generation, 0, NULL);
    if (good) {
        s->listing = true;
        good = fill(s, out);
    }
    if (s)
        gosrc_fini(s);
    free(s);
    return good;
}

/* Threads may ask at once; the first text that is complete stays. */
const struct program_text *scenario_program(const struct scenario *sc)
{
    _Atomic(struct program_text *) *kept = &((struct scenario *)sc)->program; /* the scenario itself does not change */
    /* acquire: pairs with the release below, so that a text is seen whole */
    struct program_text *t = atomic_load_explicit(kept, memory_order_acquire), *made = t ? NULL : calloc(1, sizeof *made);
    if (!made)
        return t;
    /* release: pairs with the acquire above and on failure */
    if (make(sc, made) && atomic_compare_exchange_strong_explicit(kept, &t, made, memory_order_release, memory_order_acquire))
        return made;
    program_text_free(made);
    return t;
}
