/* Where a G of a Go program is, as Go's traceback writes it. Only calls of the program's own functions are listed. The offset behind a line is that of the
 * instruction in the form, where Go has one of the machine. */
#include "scenario/vm/vm_internal.h"
#include "base/text.h"
#include <limits.h>
#include <stdlib.h>

enum { FRAMES_MOST = 100 }; /* as many as Go lists */

static bool is_own(const struct vm *vm, const struct form_fn *fn)
{
    return vm->f->text.v[fn->file];
}

static struct vm_frame frame_of(const struct vg *g, const struct vm_call *c)
{
    const struct form_ins *i = vm_under_way(g, c);
    return (struct vm_frame){c->fn, (uint32_t)(i - c->fn->code.v)};
}

bool vm_own_frame(const struct vg *g, struct vm_frame *out)
{
    for (uint32_t n = g->ncalls; n; n--)
        if (is_own(g->vm, g->call[n - 1].fn)) {
            *out = frame_of(g, &g->call[n - 1]);
            return true;
        }
    return false;
}

/* The stack at the panic: what has been called since the deferred call of the panic below began, and that one's. A program that dies shows it, although
 * the deferred calls have run since then. */
void vm_keep_frames(struct vg *g, struct vm_panic *p)
{
    const struct vm_panic *below = p->below;
    uint32_t from = below ? below->depth : 0, most = below ? below->nframes : 0;
    for (uint32_t n = g->ncalls; n > from && most < FRAMES_MOST; n--)
        most += is_own(g->vm, g->call[n - 1].fn);
    most = most < FRAMES_MOST ? most : FRAMES_MOST;
    p->frame = most ? rt_alloc(most * sizeof *p->frame) : NULL;
    for (uint32_t n = g->ncalls; n > from && p->nframes < most; n--)
        if (is_own(g->vm, g->call[n - 1].fn))
            p->frame[p->nframes++] = frame_of(g, &g->call[n - 1]);
    for (uint32_t n = 0; below && n < below->nframes && p->nframes < most; n++)
        p->frame[p->nframes++] = below->frame[n];
}

/* Writes the place: "\t/path/main.go:5 +0x1d". The library of the tool has other lines than Go's, so its functions have none. */
static void put_place(const struct vm *vm, const struct vm_frame *at, FILE *out)
{
    const char *file = vm->f->file.v[at->fn->file];
    char real[PATH_MAX];
    if (!is_own(vm, at->fn))
        return;
    uint32_t line = at->pc < at->fn->code.n ? at->fn->code.v[at->pc].line : 0;
    const char *path = realpath(file, real) ? real : file;
    fputc('\t', out);
    visible_write(out, path, strlen(path));
    fprintf(out, ":%u +%#x\n", line ? line : at->fn->line, 16 * (at->pc + 1));
}

static void put_frame(const struct vm *vm, const struct vm_frame *at, FILE *out)
{
    fprintf(out, "%s(%s)\n", at->fn->name, at->fn->nparam ? "..." : "");
    put_place(vm, at, out);
}

void vm_trace(const struct vm_start *s, FILE *out)
{
    const struct vg *g = s->g;
    const struct vm_panic *p = g ? g->panic : NULL;
    uint32_t listed = 0;
    if (p && !p->recovered && !p->goexit) {
        for (; listed < p->nframes; listed++)
            put_frame(s->vm, &p->frame[listed], out);
        return;
    }
    for (uint32_t n = g ? g->ncalls : 0; n && listed < FRAMES_MOST; n--)
        if (is_own(s->vm, g->call[n - 1].fn)) {
            struct vm_frame at = frame_of(g, &g->call[n - 1]);
            put_frame(s->vm, &at, out);
            listed++;
        }
    if (!listed)
        put_frame(s->vm, &(struct vm_frame){&s->vm->f->fn.v[s->fn], 0}, out);
}

void vm_trace_made(const struct vm_start *s, uint32_t by_g, FILE *out)
{
    if (!s->made.fn)
        return;
    fprintf(out, "created by %s", s->made.fn->name);
    if (by_g)
        fprintf(out, " in goroutine %u", by_g);
    fputc('\n', out);
    put_place(s->vm, &s->made, out);
}
