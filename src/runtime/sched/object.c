/* Channels, mutexes, wait groups: made by the program, freed with the instance (Go's are garbage collected; a run here is short). Each
 * starts a cache line of its own, and small ones are packed next to each other, so that a program with many of them touches few pages. */
#include "runtime/sched/proc.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define BLOCK_FIRST ((size_t)4 << 10)
#define BLOCK_MOST ((size_t)256 << 10)

struct objblock {
    struct objblock *next;
    size_t size, used; /* bytes after this structure */
    _Alignas(CACHE_LINE) char lines[];
};

/* Returns a block twice as large as the last one. Under AddressSanitizer it is only as large as requested, so that writes past an object
 * are detected. */
static struct objblock *block_new(const struct objblock *last, size_t size)
{
    size_t usual = !last ? BLOCK_FIRST : last->size < BLOCK_MOST ? 2 * last->size : BLOCK_MOST;
    if (size < usual && !GMPSCOPE_SANITIZED)
        size = usual;
    struct objblock *b = aligned_alloc(CACHE_LINE, sizeof *b + size);
    if (b)
        *b = (struct objblock){.size = size};
    return b;
}

static void *carve(struct sched *s, size_t size)
{
    struct objblock *b = s->objblocks;
    if (!b || b->size - b->used < size) {
        if (!(b = block_new(b, size)))
            return NULL;
        b->next = s->objblocks;
        s->objblocks = b;
    }
    void *at = b->lines + b->used;
    b->used += size;
    return at;
}

/* Before rt_start, only the thread that makes the instance makes objects, so there is no M and no lock is needed. Later a G does, under
 * gflock. */
static bool on_m(const struct sched *s)
{
    struct m *m = getm();
    return m && m->sched == s;
}

static bool lock_objects(struct sched *s)
{
    if (!on_m(s))
        return false;
    lock(getm(), &s->gflock);
    return true;
}

static void unlock_objects(struct sched *s, bool locked)
{
    if (locked)
        unlock(getm(), &s->gflock);
}

static void known(struct sched *s, struct known_object *k)
{
    k->next = s->known;
    s->known = k;
    s->nknown++;
}

void *object_new(struct sched *s, size_t size, object_snap *snap)
{
    size = (size + CACHE_LINE - 1) / CACHE_LINE * CACHE_LINE;
    if (!memory_take(s, MEMORY_OBJECT, size + CACHE_LINE)) {
        if (on_m(s))
            memory_lacks(getm());
        errno = EDQUOT;
        return NULL;
    }
    bool locked = lock_objects(s);
    char *o = carve(s, size + CACHE_LINE); /* what is known of it comes behind it */
    if (o) {
        struct known_object *k = (void *)(o + size);
        memset(o, 0, size);
        *k = (struct known_object){.object = o, .snap = snap};
        known(s, k);
    }
    unlock_objects(s, locked);
    return o;
}

void object_add(struct sched *s, struct object *o)
{
    bool locked = lock_objects(s);
    o->next = s->objects;
    s->objects = o;
    known(s, &o->known);
    unlock_objects(s, locked);
}

void objects_free(struct sched *s)
{
    for (struct object *o = s->objects, *next; o; o = next) {
        next = o->next;
        o->fini(o);
    }
    s->objects = NULL;
    for (struct objblock *b = s->objblocks, *next; b; b = next) {
        next = b->next;
        free(b);
    }
    s->objblocks = NULL;
    s->known = NULL;
}
