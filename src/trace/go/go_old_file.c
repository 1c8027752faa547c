/* See go_old.h. The file may be a stranger's: no number in it is trusted, and what is kept of it is smaller than the file, except for tables of small
 * entries. */
#include "trace/go/go_old.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    STRING_MOST = 1000000,          /* as Go's own reader has it; a name is at most 1,024 bytes */
    EVENT_MOST = 2 + OLD_ARGS * 10, /* bytes of an event that has no text and is no stack */
    STACK_MOST = OLD_WINDOW - EVENT_MOST,
    NAME_MOST = 1024,
};

static const int8_t args_of[OLD_KINDS] = {
#define OLD(name, args) [OLD_##name] = args,
#include "trace/go/go_old.def"
};

/* ---- the events in the file ---- */

void old_read_at(struct old_reader *r, struct go_file *f, uint64_t place, uint64_t end)
{
    r->f = f;
    r->from = place;
    r->end = end;
    r->i = r->n = 0;
}

/* Has the next n bytes in the window, if the file has them. */
static bool have(struct old_reader *r, size_t n)
{
    if (r->n - r->i >= n)
        return true;
    memmove(r->bytes, r->bytes + r->i, r->n - r->i);
    r->from += r->i;
    r->n -= r->i;
    r->i = 0;
    uint64_t left = r->end - r->from - r->n, room = sizeof r->bytes - r->n;
    size_t more = (size_t)(left < room ? left : room);
    if (more && !go_file_read(r->f, r->bytes + r->n, more, r->from + r->n))
        return false;
    r->n += more;
    return r->n >= n;
}

static bool number(struct old_reader *r, uint64_t *out)
{
    const uint8_t *at = r->bytes + r->i;
    bool good = go_number(&at, r->bytes + r->n, out);
    r->i = (size_t)(at - r->bytes);
    return good;
}

/* A number or text has not been whole. */
static enum old_read not_whole(const struct old_reader *r)
{
    return r->i == r->n && r->from + r->n == r->end ? OLD_CUT : OLD_BAD;
}

/* Text of this length is next: the event has its beginning. */
static enum old_read text(struct old_reader *r, struct old_event *e, uint64_t len)
{
    if (len > STRING_MOST)
        return OLD_BAD;
    if (r->end - r->from - r->i < len)
        return OLD_CUT;
    e->n = len < NAME_MOST ? (size_t)len : NAME_MOST;
    if (!have(r, e->n))
        return OLD_CUT;
    e->bytes = r->bytes + r->i;
    size_t here = r->n - r->i < len ? r->n - r->i : (size_t)len;
    r->i += here;
    if (here < len) { /* the rest is not kept, and e->n of it are still in the window */
        r->from += r->i + (len - here);
        r->i = r->n = 0;
    }
    return OLD_READ;
}

static enum old_read string(struct old_reader *r, struct old_event *e)
{
    uint64_t len;
    if (!number(r, &e->arg[0]) || !number(r, &len))
        return not_whole(r);
    return e->arg[0] == 0 || len == 0 ? OLD_BAD : text(r, e, len);
}

/* The arguments of an event that says how many bytes they have. */
static enum old_read counted(struct old_reader *r, struct old_event *e)
{
    uint64_t len;
    if (!number(r, &len))
        return not_whole(r);
    if (len > STACK_MOST)
        return OLD_BAD;
    if (!have(r, (size_t)len))
        return OLD_CUT;
    e->bytes = r->bytes + r->i;
    e->n = (size_t)len;
    r->i += e->n;
    return OLD_READ;
}

enum old_read old_read(struct old_reader *r, struct old_event *e)
{
    have(r, EVENT_MOST);
    if (r->i == r->n)
        return OLD_END;
    e->place = r->from + r->i;
    uint8_t byte = r->bytes[r->i++];
    uint64_t v[OLD_ARGS] = {0};
    e->kind = byte & 63;
    bool measured = byte >> 6 == 3;
    int args = e->kind < OLD_KINDS ? args_of[e->kind] : -1;
    if (e->kind == OLD_STRING)
        return string(r, e);
    if (e->kind == OLD_STACK)
        return measured ? counted(r, e) : OLD_BAD;
    if (args < 0 || (e->kind == OLD_CPU_SAMPLE && r->f->minor < 19) || (!measured && (byte >> 6) + 1 != args))
        return OLD_BAD;
    enum old_read got = measured ? counted(r, e) : OLD_READ;
    if (got != OLD_READ)
        return got;
    const uint8_t *at = measured ? e->bytes : r->bytes + r->i, *end = measured ? at + e->n : r->bytes + r->n;
    for (int i = 0; i < args; i++)
        if (!go_number(&at, end, &v[i]))
            return measured || r->from + r->n < r->end || at < end ? OLD_BAD : OLD_CUT;
    if (measured ? at != end : (r->i = (size_t)(at - r->bytes), false))
        return OLD_BAD;
    bool timed = e->kind != OLD_BATCH && e->kind != OLD_FREQUENCY && e->kind != OLD_TIMER_GOROUTINE;
    e->time = timed ? v[0] : 0;
    memcpy(e->arg, v + timed, sizeof v - timed * sizeof *v);
    uint64_t len;
    if (e->kind == OLD_USER_LOG) /* its text follows */
        return have(r, 10), number(r, &len) ? text(r, e, len) : not_whole(r);
    return OLD_READ;
}

/* ---- the index ---- */

uint32_t old_stream(uint64_t p)
{
    return p == UINT64_MAX ? OLD_NO_P : p < GO_PS_MOST ? (uint32_t)p : OLD_STREAMS;
}

static bool lacks(struct go_file *f)
{
    f->lacks = true;
    return false;
}

static bool add_words(struct go_file *f)
{
    static const char *const words[OLD_WORDS] = {
        [OLD_FOREVER] = "forever",
        [OLD_PREEMPTED] = "preempted",
        [OLD_GOSCHED] = "runtime.Gosched",
        [OLD_SLEEP] = "sleep",
        [OLD_CHAN_SEND] = "chan send",
        [OLD_CHAN_RECEIVE] = "chan receive",
        [OLD_NETWORK] = "network",
        [OLD_SYNC] = "sync",
        [OLD_COND] = "sync.(*Cond).Wait",
        [OLD_SELECT] = "select",
        [OLD_ASSIST] = "GC mark assist wait for work",
        [OLD_STW_UNKNOWN] = "",
        [OLD_STW_MARK] = "GC mark termination",
        [OLD_STW_SWEEP] = "GC sweep termination",
        [OLD_STW_GOMAXPROCS] = "GOMAXPROCS",
        [OLD_STW_USER] = "user"};
    for (uint64_t i = 0; i < OLD_WORDS; i++)
        if (!go_file_add_string(f, OLD_WORD(i), (const uint8_t *)words[i], strlen(words[i])))
            return false;
    return true;
}

/* Adds what the event is to the index. *batch: the batch that it is in, and whether that is in the index. */
static bool add(struct go_file *f, const struct old_event *e, struct old_event *batch, bool *listed)
{
    struct old_index *x = f->old;
    uint32_t stream = old_stream(batch->arg[0]);
    const uint8_t *at = e->bytes;
    switch (e->kind) {
    case OLD_BATCH:
        *batch = *e;
        *listed = false;
        return old_stream(e->arg[0]) < OLD_STREAMS || go_file_damaged(f, "no P can have the number %llu", (unsigned long long)e->arg[0]);
    case OLD_FREQUENCY:
        return go_file_add_clock(f, e->arg[0]);
    case OLD_STRING:
        return go_file_add_string(f, e->arg[0], e->bytes, e->n);
    case OLD_STACK:
        return go_file_add_stack(f, &at, e->bytes + e->n, GO_OLD_FRAMES);
    case OLD_TIMER_GOROUTINE:
        return true;
    case OLD_CPU_SAMPLE:
        f->samples++;
        return true;
    case OLD_PROC_START:
        if (batch->kind && x->first_m[stream] == GO_NO_THREAD)
            x->first_m[stream] = e->arg[0];
        break;
    case OLD_GO_SYS_EXIT:
    case OLD_GO_SYS_EXIT_LOCAL: {
        struct old_exit exit = {e->arg[e->kind == OLD_GO_SYS_EXIT ? 2 : 1], e->arg[0]};
        if (exit.ticks && !vec_push(&x->exits, exit))
            return lacks(f);
    } break;
    default:
        break;
    }
    if (!batch->kind)
        return go_file_damaged(f, "an event is in no batch");
    if (!*listed && !vec_push(&x->places, (uint64_t)stream << 48 | batch->place))
        return lacks(f);
    return *listed = true;
}

static int by_number(const void *a, const void *b)
{
    const uint64_t *x = a, *y = b;
    return *x < *y ? -1 : *x > *y;
}

static int by_ticks(const void *a, const void *b)
{
    const struct old_exit *x = a, *y = b;
    return x->ticks < y->ticks ? -1 : x->ticks > y->ticks;
}

/* Sorts what is not sorted yet: events come nearly in order. */
static void sort_exits(struct old_index *x)
{
    for (size_t i = 1; i < x->exits.n; i++)
        if (x->exits.v[i].ticks < x->exits.v[i - 1].ticks) {
            qsort(x->exits.v, x->exits.n, sizeof *x->exits.v, by_ticks);
            return;
        }
}

bool go_old_index(struct go_file *f)
{
    struct old_reader *r = malloc(sizeof *r);
    struct old_index *x = f->old = calloc(1, sizeof *x);
    struct old_event e, batch = {.kind = OLD_NONE};
    enum old_read got = OLD_END;
    if (x)
        x->first_m = calloc(OLD_STREAMS, sizeof *x->first_m);
    bool listed = false, good = r && x && x->first_m && add_words(f) && f->size < UINT64_C(1) << 48;
    for (uint32_t i = 0; good && i < OLD_STREAMS; i++)
        x->first_m[i] = GO_NO_THREAD;
    if (good)
        old_read_at(r, f, GO_HEADER, f->size);
    e.place = GO_HEADER;
    while (good && (got = old_read(r, &e)) == OLD_READ && (good = add(f, &e, &batch, &listed)))
        ;
    if (!r || !x || !x->first_m || f->lacks) {
        free(r);
        return lacks(f);
    }
    f->at = got == OLD_END ? f->size : e.place;
    if (got == OLD_BAD)
        go_file_damaged(f, "byte %llu begins no event", (unsigned long long)e.place);
    f->no_clock = !f->freq;
    f->freq = f->freq ? f->freq : 1000000000;
    x->state = f->state == GO_DAMAGED ? GO_DAMAGED : got == OLD_CUT || f->no_clock ? GO_CUT : GO_WHOLE;
    memcpy(x->wrong, f->wrong, sizeof x->wrong);
    f->state = GO_WHOLE; /* what comes before it is shown first */
    f->wrong[0] = '\0';
    if (x->places.n)
        qsort(x->places.v, x->places.n, sizeof *x->places.v, by_number);
    sort_exits(x);
    free(r);
    return true;
}
