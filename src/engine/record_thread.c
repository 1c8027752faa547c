/* See record_thread.h. The slabs are a ring: from `first` on, n of them are handed over, and the next one is being filled. */
#include "engine/record_thread.h"
#include "engine/signals.h"
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { SLABS = 4, SLAB = 256 << 10 }; /* bytes of a slab: some 5,000 events */

enum entry_kind { ENTRY_EVENTS, ENTRY_TEXT, ENTRY_PLACE }; /* ENTRY_TEXT: one event and its text */
struct entry {
    uint32_t kind, m, n, len; /* of a place: m is the G, n the operation */
};

struct slab {
    size_t used;
    bool flush; /* what was written is to be found in the file */
    uint8_t *v; /* entries, each followed by its events and its text, up to a multiple of 8 bytes */
};

struct record_thread {
    struct run_writer *to; /* the thread's own until it has ended */
    pthread_t thread;
    bool has_thread;
    pthread_mutex_t lock; /* protects first, n and quit; a slab belongs to the thread while it is handed over */
    pthread_cond_t filled, emptied;
    uint32_t first, n;
    bool quit;
    struct slab slab[SLABS];
    struct slab *open; /* the one that is being filled */
};

static void write_slab(struct run_writer *to, struct slab *s)
{
    for (const uint8_t *at = s->v, *end = at + s->used; at < end;) {
        struct entry x;
        memcpy(&x, at, sizeof x);
        const struct ev *e = (const void *)(at + sizeof x);
        at += sizeof x;
        if (x.kind == ENTRY_PLACE) {
            run_writer_place(to, x.m, x.n);
            continue;
        }
        at += x.n * sizeof *e;
        run_writer_add(to, x.m, e, x.n, x.kind == ENTRY_TEXT ? (const char *)at : NULL, x.len);
        at += (x.len + 7) / 8 * 8;
    }
    if (s->flush)
        run_writer_flush(to);
    s->used = 0;
    s->flush = false;
}

static void *write_slabs(void *arg)
{
    struct record_thread *t = arg;
    pthread_mutex_lock(&t->lock);
    for (;;) {
        while (!t->n && !t->quit)
            pthread_cond_wait(&t->filled, &t->lock);
        if (!t->n)
            break;
        struct slab *s = &t->slab[t->first];
        pthread_mutex_unlock(&t->lock);
        write_slab(t->to, s);
        pthread_mutex_lock(&t->lock);
        t->first = (t->first + 1) % SLABS;
        t->n--;
        pthread_cond_signal(&t->emptied);
    }
    pthread_mutex_unlock(&t->lock);
    return NULL;
}

static void hand_over(struct record_thread *t)
{
    if (!t->has_thread) {
        write_slab(t->to, t->open);
        return;
    }
    pthread_mutex_lock(&t->lock);
    t->n++;
    pthread_cond_signal(&t->filled);
    while (t->n == SLABS)
        pthread_cond_wait(&t->emptied, &t->lock);
    t->open = &t->slab[(t->first + t->n) % SLABS];
    pthread_mutex_unlock(&t->lock);
}

/* Returns room for an entry with so many bytes after it, and puts the entry there. */
static uint8_t *put(struct record_thread *t, const struct entry *x, size_t bytes)
{
    if (t->open->used + sizeof *x + bytes > SLAB)
        hand_over(t);
    uint8_t *to = t->open->v + t->open->used;
    memcpy(to, x, sizeof *x);
    t->open->used += sizeof *x + bytes;
    return to + sizeof *x;
}

void record_thread_add(struct record_thread *t, uint32_t m, const struct ev *e, uint32_t n, const char *text, size_t len)
{
    const uint32_t most = (SLAB - sizeof(struct entry)) / sizeof *e;
    size_t bytes = (len + 7) / 8 * 8;
    for (uint32_t some; n; e += some, n -= some) {
        some = text ? 1 : n < most ? n : most;
        uint8_t *to = put(t, &(struct entry){text ? ENTRY_TEXT : ENTRY_EVENTS, m, some, (uint32_t)len}, some * sizeof *e + bytes);
        memcpy(to, e, some * sizeof *e);
        if (len)
            memcpy(to + sizeof *e, text, len);
    }
}

void record_thread_place(struct record_thread *t, uint32_t g, uint32_t op)
{
    put(t, &(struct entry){ENTRY_PLACE, g, op, 0}, 0);
}

void record_thread_flush(struct record_thread *t)
{
    t->open->flush = true;
    hand_over(t);
}

struct run_writer *record_thread_end(struct record_thread *t)
{
    if (t->open->used)
        hand_over(t);
    if (t->has_thread) {
        pthread_mutex_lock(&t->lock);
        t->quit = true;
        pthread_cond_signal(&t->filled);
        pthread_mutex_unlock(&t->lock);
        pthread_join(t->thread, NULL);
        t->has_thread = false;
    }
    return t->to;
}

void record_thread_free(struct record_thread *t)
{
    if (!t)
        return;
    run_writer_free(record_thread_end(t));
    pthread_mutex_destroy(&t->lock);
    pthread_cond_destroy(&t->filled);
    pthread_cond_destroy(&t->emptied);
    free(t->slab[0].v);
    free(t);
}

struct record_thread *record_thread_new(struct run_writer *to)
{
    sigset_t old;
    struct record_thread *t = calloc(1, sizeof *t);
    uint8_t *all = t ? malloc((size_t)SLABS * SLAB) : NULL;
    if (!all) {
        free(t);
        return NULL;
    }
    for (int i = 0; i < SLABS; i++)
        t->slab[i].v = all + (size_t)i * SLAB;
    t->open = t->slab;
    t->to = to;
    pthread_mutex_init(&t->lock, NULL);
    pthread_cond_init(&t->filled, NULL);
    pthread_cond_init(&t->emptied, NULL);
    signals_block(&old);
    t->has_thread = pthread_create(&t->thread, NULL, write_slabs, t) == 0;
    pthread_sigmask(SIG_SETMASK, &old, NULL);
    if (t->has_thread)
        pthread_setname_np(t->thread, "recorder"); /* distinguishes it from the Ms in a debugger or top; nothing depends on it */
    return t;
}
