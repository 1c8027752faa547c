/* The memory of a program: cells, bytes, objects. */
#include "base/text.h"
#include "scenario/vm/vm_internal.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

static void no_room(const struct vm *vm) __attribute__((noreturn));
static void no_room(const struct vm *vm)
{
    char size[24], text[80];
    snprintf(text, sizeof text, "the program uses more than %s of memory (--memory)", size_text(vm->nbytes, size, sizeof size));
    rt_no_way(text);
}

#define SLICE 10000  /* ns: short beside what sysmon allows a G */
#define POINTS 10000 /* in an exhaustive run, in a row, they count as a slice */

static uint64_t owner_size(const struct vm *vm)
{
    return (vm->ncells / VM_BLOCK + 1) * sizeof *vm->owner;
}

static void *reserve(uint64_t size)
{
    void *p = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return p == MAP_FAILED ? NULL : p;
}

/* A pointer outside of the memory is only computed with. */
static int64_t *from_first(const int64_t *cell, int64_t n)
{
    return (int64_t *)((uintptr_t)cell + (uintptr_t)n * sizeof *cell);
}

/* Writes the strings of the form, and where they are. */
static void put_strings(struct vm *vm)
{
    uint64_t at = 1;
    for (size_t i = 0; i < vm->f->string.n; i++) {
        const struct form_string *s = &vm->f->string.v[i];
        vm->string_at[i] = at;
        vm->sys[i] = vm_sys_find(s->s);
        if (at + s->len > vm->nbytes)
            continue; /* the first vm_text() finds no room, too */
        memcpy(vm->byte + at, s->s, s->len);
        at += s->len;
    }
    atomic_init(&vm->bytes, at);
    atomic_init(&vm->used, 1 + (uint64_t)vm->f->globals); /* what is allocated lies behind the globals */
}

struct vm *vm_new(const struct form *f, uint64_t memory)
{
    struct vm *vm = calloc(1, sizeof *vm);
    if (!vm)
        return NULL;
    vm->f = f;
    vm->main = (struct vm_start){.vm = vm, .fn = f->main};
    memory = memory < UINT64_C(1) << 20 ? UINT64_C(1) << 20 : memory;
    vm->ncells = memory / sizeof(int64_t);
    vm->nbytes = memory;
    vm->slice = SLICE;
    int64_t *cell = reserve(memory);
    vm->cell = cell ? from_first(cell, -VM_FIRST) : NULL;
    vm->byte = reserve(memory);
    vm->string_at = calloc(f->string.n + 1, sizeof *vm->string_at);
    vm->sys = calloc(f->string.n + 1, sizeof *vm->sys);
    bool counts = true;
    for (int k = 0; k < VO_KINDS; k++)
        counts &= (vm->made[k] = calloc(f->label[LABEL_CHAN].n + f->label[LABEL_LOCK].n, sizeof *vm->made[k])) != NULL;
    if (counts && vm->cell && vm->byte && vm->string_at && vm->sys && 1 + (uint64_t)f->globals < vm->ncells) {
        put_strings(vm);
        return vm;
    }
    vm_free(vm);
    errno = ENOMEM;
    return NULL;
}

bool vm_watch(struct vm *vm, const struct rt_config *cfg)
{
    vm->slice = cfg->still ? INT64_C(10000000) : SLICE;
    vm->point_ns = cfg->still ? vm->slice / POINTS : 0;
    vm->races = cfg->races;
    vm->input = cfg->input;
    vm->searched = cfg->compute;
    if (cfg->mode == MODE_FREE && !cfg->races)
        return true;
    vm->owner = reserve(owner_size(vm));
    atomic_store_explicit(&vm->used, (vm->f->globals + VM_BLOCK) / VM_BLOCK * VM_BLOCK, memory_order_relaxed); /* no G runs yet */
    return vm->owner;
}

void vm_free(struct vm *vm)
{
    if (!vm)
        return;
    for (uint32_t i = 0; i < OBJECT_CHUNKS; i++) {
        struct vm_object *o = atomic_load_explicit(&vm->chunk[i], memory_order_relaxed); /* no G runs any more */
        for (uint32_t n = 0; o && n < OBJECT_CHUNK; n++)
            if (o[n].kind == VO_MAP)
                vm_map_free(atomic_load_explicit(&o[n].is, memory_order_relaxed));
        free(o);
    }
    if (vm->cell)
        munmap(from_first(vm->cell, VM_FIRST), vm->nbytes);
    if (vm->byte)
        munmap(vm->byte, vm->nbytes);
    for (int k = 0; k < VO_KINDS; k++)
        free(vm->made[k]);
    if (vm->owner)
        munmap((void *)vm->owner, owner_size(vm));
    free(vm->string_at);
    free(vm->sys);
    free(vm);
}

struct vm_start *vm_start_of(struct vm *vm)
{
    return &vm->main;
}

void vm_on_args(struct vm *vm, const char *const *args, uint32_t n)
{
    vm->args = args;
    vm->nargs = n;
}

void vm_on_place(struct vm *vm, const void *run, const void *const *operation, size_t size, bool places)
{
    vm->main.run = run;
    vm->operation = operation;
    vm->operation_size = size;
    vm->places = places;
}

uint64_t vm_take(struct vm *vm, uint64_t cells)
{
    uint64_t at = vm->ncells;
    if (cells <= vm->ncells)
        at = atomic_fetch_add_explicit(&vm->used, cells, memory_order_relaxed);
    if (cells > vm->ncells || at > vm->ncells - cells)
        no_room(vm);
    return at;
}

int64_t vm_alloc(struct vg *g, int64_t cells)
{
    struct vm *vm = g->vm;
    uint64_t n = cells > 0 ? (uint64_t)cells + 1 : 2; /* before it, its size */
    uint64_t at = vm->owner ? vm_alloc_own(g, n) : vm_take(vm, n);
    vm->cell[VM_FIRST + (int64_t)at] = (int64_t)n - 1;
    return VM_FIRST + (int64_t)at + 1;
}

int64_t vm_text(struct vg *g, const char *s, uint64_t n)
{
    struct vm *vm = g->vm;
    uint64_t at = vm->nbytes;
    if (n <= vm->nbytes)
        at = atomic_fetch_add_explicit(&vm->bytes, n, memory_order_relaxed);
    if (at > vm->nbytes - n)
        no_room(vm);
    if (s && n)
        memcpy(vm->byte + at, s, n);
    return (int64_t)at;
}

uint64_t vm_piece_cells(const struct vm *vm, uint64_t at)
{
    uint64_t n = (uint64_t)vm->cell[VM_FIRST + (int64_t)at], room = vm->ncells - at - 1;
    return n < room ? n : room;
}

int64_t *vm_at(struct vg *g, int64_t address, int64_t cells)
{
    const uint64_t size = g->vm->ncells, at = (uint64_t)address - (uint64_t)VM_FIRST;
    if (at <= size && cells >= 0 && (uint64_t)cells <= size - at)
        return g->vm->cell + address;
    vm_throw(g, "runtime error: invalid memory address or nil pointer dereference");
    return NULL;
}

char *vm_chars(struct vg *g, int64_t at, int64_t n)
{
    const uint64_t size = g->vm->nbytes;
    if (n == 0)
        return g->vm->byte;
    if (at > 0 && (uint64_t)at <= size && n > 0 && (uint64_t)n <= size - (uint64_t)at)
        return g->vm->byte + at;
    vm_throw(g, "runtime error: invalid memory address or nil pointer dereference");
    return NULL;
}

uint64_t vm_shown(int64_t v)
{
    uint64_t object = (uint64_t)v - (uint64_t)VM_OBJECTS, at = (uint64_t)v - (uint64_t)VM_FIRST, first = (uint64_t)VM_FIRST;
    return object < OBJECT_CHUNK * OBJECT_CHUNKS ? first * 2 + object * 96 : at < UINT64_C(1) << 40 ? first + at * 8 : (uint64_t)v;
}

/* ---- objects ---- */

static struct vm_object *chunk_of(struct vm *vm, uint32_t number)
{
    _Atomic(struct vm_object *) *at = &vm->chunk[number / OBJECT_CHUNK];
    struct vm_object *o = atomic_load_explicit(at, memory_order_acquire), *fresh;
    if (o)
        return o;
    if (!(fresh = calloc(OBJECT_CHUNK, sizeof *fresh)))
        return NULL;
    /* release: the zeroes; acquire: another M was faster */
    if (atomic_compare_exchange_strong_explicit(at, &o, fresh, memory_order_acq_rel, memory_order_acquire))
        return fresh;
    free(fresh);
    return o;
}

int64_t vm_object_add(struct vg *g, enum vm_object_kind kind, uint32_t id, void *is)
{
    uint32_t n = atomic_fetch_add_explicit(&g->vm->nobjects, 1, memory_order_relaxed);
    struct vm_object *o = is && n < OBJECT_CHUNK * OBJECT_CHUNKS ? chunk_of(g->vm, n) : NULL;
    if (!o)
        rt_no_memory("there is no room for another object of the program");
    o[n % OBJECT_CHUNK].kind = kind;
    o[n % OBJECT_CHUNK].id = id;
    atomic_store_explicit(&o[n % OBJECT_CHUNK].is, is, memory_order_release);
    return VM_OBJECTS + n;
}

struct vm_object *vm_object_at(const struct vm *vm, int64_t number)
{
    uint64_t n = (uint64_t)number - (uint64_t)VM_OBJECTS;
    if (n >= OBJECT_CHUNK * OBJECT_CHUNKS)
        return NULL;
    struct vm_object *o = atomic_load_explicit(&vm->chunk[n / OBJECT_CHUNK], memory_order_acquire);
    return o ? &o[n % OBJECT_CHUNK] : NULL;
}

void *vm_object(struct vg *g, enum vm_object_kind kind, int64_t number)
{
    struct vm_object *o = vm_object_at(g->vm, number);
    void *is = o ? atomic_load_explicit(&o->is, memory_order_acquire) : NULL;
    if (is && o->kind == kind)
        return is;
    vm_throw(g, "runtime error: invalid memory address or nil pointer dereference");
    return NULL;
}
