/* See go_trace.h. */
#include "trace/go/go_trace.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/wall.h"
#include "trace/go/go_old.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    AT_ONCE = 8,           /* our events of one of Go's, at most */
    FNS_MOST = 1 << 16,    /* functions that have a name here */
    OWN_NUMBERS = 1000000, /* Go's numbers of goroutines are ours up to this one */
    G_MOST = 1 << 26,
    FNS_FOLLOWED = 1024, /* the same while it is followed: each copy of the state has a row for each */
};

struct go_trace {
    struct go_file *f;
    struct go_order o;
    struct ev queue[AT_ONCE];
    uint32_t queue_m, queued, taken;
    uint32_t numbered;     /* goroutines with a number of ours */
    uint64_t procs, now;   /* a GOMAXPROCS that holds when the world starts again; that of the latest event; 0: none */
    bool stopped, scanned; /* the world is; the trace was read once */
    bool silent;           /* the world is stopped to change GOMAXPROCS, and neither beginning nor end is recorded */
    struct id_table fn_of; /* from the hash of a name */
    VEC(const char *) fn;
    struct arena names;
    struct go_told told;
    struct feed *feed; /* of a followed trace */
    int64_t offset; /* wall ns minus time of the trace: the least of what was seen, so that it has the least delay; INT64_MAX: not known */
};

/* ---- names and numbers ---- */

/* Returns the number of a function, EV_NONE if there is no name, or no room for it. */
static uint32_t fn_number(struct go_trace *t, const char *name)
{
    if (!*name)
        return EV_NONE;
    uint64_t h = hash_bytes(name, strlen(name));
    const uint32_t *at;
    for (; (at = id_find(&t->fn_of, h)); h++)
        if (!strcmp(t->fn.v[*at], name))
            return *at;
    if ((t->scanned && !t->feed) || t->fn.n == (t->feed ? FNS_FOLLOWED : FNS_MOST))
        return EV_NONE;
    const char *kept = arena_strndup(&t->names, name, strlen(name));
    if (!kept || !id_put(&t->fn_of, h, (uint32_t)t->fn.n) || !vec_push(&t->fn, kept)) {
        t->f->lacks = true;
        return EV_NONE;
    }
    return (uint32_t)t->fn.n - 1;
}

uint32_t go_trace_name(void *t, const char *name)
{
    return fn_number(t, name);
}

static uint32_t g_number(struct go_trace *t, uint64_t id)
{
    if (id == GO_NO_G)
        return 0;
    struct go_g *g = go_order_g(&t->o, id);
    if (g && g->number)
        return g->number;
    if (id && id <= OWN_NUMBERS)
        return (uint32_t)id;
    if (!g)
        return 0;
    if (t->numbered == G_MOST - EV_SYSTEM_G - EV_SYSTEM_GS)
        return go_file_damaged(t->f, "it has more than %u goroutines", t->numbered), 0;
    return g->number = EV_SYSTEM_G + EV_SYSTEM_GS + t->numbered++;
}

/* Does what is read now count in `told`? */
static bool counts(const struct go_trace *t)
{
    return !t->scanned || t->feed;
}

/* ---- our events ---- */

static struct ev *put(struct go_trace *t, const struct go_event *e, enum ev_kind kind)
{
    struct ev *ev = &t->queue[t->queued++];
    *ev = (struct ev){.time = e->time, .kind = (uint8_t)kind, .p = e->p == GO_NO_P ? EV_NO_P : (uint16_t)e->p};
    return ev;
}

static uint32_t seen(uint32_t state)
{
    return state | SEEN_FIRST << 8;
}

static void put_seen(struct go_trace *t, const struct go_event *e, uint64_t id, uint32_t state, const char *name)
{
    struct go_g *g = go_order_g(&t->o, id);
    uint32_t fn = fn_number(t, name), number = g_number(t, id);
    struct ev *ev = put(t, e, EV_G_SEEN);
    ev->p = EV_NO_P;
    ev->g = number;
    ev->a = seen(state);
    ev->b = EV_NONE;
    ev->c = fn;
    if (g && fn != EV_NONE)
        g->fn = fn + 1;
}

/* Which argument of an event is the stack of the goroutine that runs; 0: none. It says where that goroutine began. */
static const uint8_t own_stack[GO_KINDS] = {
    [GO_PROCS_CHANGE] = 1,     [GO_GO_CREATE] = 2, [GO_GO_STOP] = 1,      [GO_GO_BLOCK] = 1,   [GO_GO_UNBLOCK] = 2,
    [GO_GO_SYSCALL_BEGIN] = 1, [GO_STW_BEGIN] = 1, [GO_REGION_BEGIN] = 2, [GO_TASK_BEGIN] = 3, [GO_GC_BEGIN] = 1};

static void learn_name(struct go_trace *t, const struct go_event *e)
{
    const struct go_g *g = e->g == GO_NO_G ? NULL : go_order_g(&t->o, e->g);
    const char *name = g && !g->fn && own_stack[e->kind] ? go_file_root(t->f, e->arg[own_stack[e->kind]]) : "";
    if (!*name)
        return;
    put_seen(t, e, e->g, G_SEEN_RUNNING, name);
    t->queue[t->queued - 1].b = e->m;
}

/* The words of traceBlockReason, and of ours what says the same. A word that says less than ours must not become one of ours. */
static uint32_t reason_of(const char *word)
{
    static const struct {
        const char *word;
        uint32_t reason;
    } reasons[] = {
        {"chan receive", WAIT_REASON_CHAN_RECEIVE},
        {"chan send", WAIT_REASON_CHAN_SEND},
        {"select", WAIT_REASON_SELECT},
        {"network", WAIT_REASON_IO_WAIT},
        {"sync.(*Cond).Wait", WAIT_REASON_COND_WAIT},
        {"sleep", WAIT_REASON_SLEEP},
        {"GC background sweeper wait", WAIT_REASON_GC_SWEEP_WAIT},
        {"GC mark assist wait for work", WAIT_REASON_GC_WAIT},
        {"wait until GC ends", WAIT_REASON_GC_WAIT},
        {"GC weak to strong wait", WAIT_REASON_GC_WAIT},
        {"system goroutine wait", WAIT_REASON_SYSTEM},
        {"preempted", WAIT_REASON_PREEMPTED},
        {"forever", WAIT_REASON_FOREVER}};
    for (size_t i = 0; i < sizeof reasons / sizeof *reasons; i++)
        if (!strcmp(word, reasons[i].word))
            return reasons[i].reason;
    return WAIT_REASON_NONE;
}

/* Of a wait that the trace only calls "sync": the reason that Go's own tracebacks give. It follows from the functions on top of the stack; others
 * that wait there take a semaphore. */
static uint32_t sync_reason(const struct go_trace *t, uint64_t stack)
{
    static const struct {
        const char *fn;
        uint32_t reason;
    } waits[] = {{"sync.(*Mutex).Lock", WAIT_REASON_MUTEX_LOCK},
                 {"sync.(*RWMutex).RLock", WAIT_REASON_RWMUTEX_RLOCK},
                 {"sync.(*RWMutex).Lock", WAIT_REASON_RWMUTEX_LOCK},
                 {"sync.(*WaitGroup).Wait", WAIT_REASON_WAITGROUP_WAIT},
                 {"sync.(*Cond).Wait", WAIT_REASON_COND_WAIT}};
    for (int at = 0; at < GO_FRAMES - 1; at++)
        for (size_t i = 0; i < sizeof waits / sizeof *waits; i++)
            if (!strcmp(go_file_top(t->f, stack, at), waits[i].fn))
                return waits[i].reason;
    return *go_file_top(t->f, stack, 0) ? WAIT_REASON_SEMACQUIRE : WAIT_REASON_NONE;
}

static void put_status(struct go_trace *t, const struct go_event *e)
{
    uint32_t state = (uint32_t)e->arg[2];
    const struct go_g *g = go_order_g(&t->o, e->arg[0]);
    const char *name = e->kind == GO_GO_STATUS_STACK ? go_file_root(t->f, e->arg[3]) : "";
    if (!g || (e->was && (g->fn || !*name)))
        return;
    put_seen(t, e, e->arg[0], state, name);
    struct ev *ev = &t->queue[t->queued - 1];
    const uint32_t *at = state == G_SEEN_SYSCALL ? id_find(&t->o.m_of, e->arg[1]) : NULL;
    ev->b = state == G_SEEN_RUNNING ? e->m : at ? *at : EV_NONE;
}

static void put_p_status(struct go_trace *t, const struct go_event *e)
{
    static const uint8_t state[] = {
        [GO_P_RUNNING] = P_SEEN_RUNNING, [GO_P_IDLE] = P_SEEN_IDLE, [GO_P_SYSCALL] = P_SEEN_SYSCALL, [GO_P_ABANDONED] = P_SEEN_SYSCALL};
    if (e->was)
        return;
    struct ev *ev = put(t, e, EV_P_SEEN);
    ev->p = (uint16_t)e->arg[0];
    ev->a = seen(state[e->arg[1]]);
    ev->b = e->arg[1] == GO_P_RUNNING || e->arg[1] == GO_P_SYSCALL ? e->m : EV_NONE;
}

static void put_create(struct go_trace *t, const struct go_event *e)
{
    const char *name = go_file_root(t->f, e->arg[1]);
    struct go_g *g = go_order_g(&t->o, e->arg[0]);
    if (e->kind == GO_GO_CREATE_BLOCKED) {
        put_seen(t, e, e->arg[0], G_SEEN_WAITING, name);
        t->queue[t->queued - 1].a |= (uint32_t)WAIT_REASON_COROUTINE << 16;
        return;
    }
    uint32_t fn = fn_number(t, name), number = g_number(t, e->arg[0]), by = g_number(t, e->g);
    struct ev *ev = put(t, e, EV_G_CREATE);
    ev->g = number;
    ev->a = by;
    ev->b = fn;
    ev->c = EV_NONE; /* it is not one of a scenario's goroutines, which are counted */
    g->fn = fn + 1;  /* EV_NONE + 1 is 0 */
}

static void put_g(struct go_trace *t, const struct go_event *e, enum ev_kind kind, uint64_t id)
{
    uint32_t number = g_number(t, id);
    put(t, e, kind)->g = number;
}

static void put_end(struct go_trace *t, const struct go_event *e, uint32_t number)
{
    struct ev *ev = put(t, e, EV_G_END);
    ev->g = number;
    if (e->kind == GO_GO_DESTROY_SYSCALL)
        ev->p = EV_NO_P; /* it has left it behind */
    ev->b = t->o.gone.fn ? t->o.gone.fn - 1 : EV_NONE;
}

/* A G that hands a starving lock over stops in runtime.semrelease; one that is preempted there has stopped in something that it calls. */
static bool is_goyield(const struct go_trace *t, uint64_t stack)
{
    const char *top = go_file_top(t->f, stack, 0);
    return !strcmp(top, "runtime.goyield") || (!strncmp(top, "sync.runtime_Semrelease", 23)) ||
           !strncmp(top, "internal/sync.runtime_Semrelease", 32);
}

static void put_stop(struct go_trace *t, const struct go_event *e)
{
    bool yields = !strcmp(go_file_string(t->f, e->arg[0]), "runtime.Gosched");
    put_g(t, e, yields ? EV_G_YIELD : EV_G_PREEMPT, e->g);
    if (!yields)
        t->queue[t->queued - 1].b = is_goyield(t, e->arg[1]) ? PREEMPT_GOYIELD : PREEMPT_UNRECORDED;
}

static void put_switch(struct go_trace *t, const struct go_event *e, uint32_t from)
{
    uint32_t to = g_number(t, e->arg[0]);
    struct ev *ev = put(t, e, EV_G_READY);
    ev->g = to;
    ev->b = from;
    if (e->kind == GO_GO_SWITCH) {
        ev = put(t, e, EV_G_PARK);
        ev->g = from;
        ev->b = WAIT_REASON_COROUTINE;
    } else {
        put_end(t, e, from);
    }
    put(t, e, EV_G_START)->g = to;
}

static void put_syscall(struct go_trace *t, const struct go_event *e)
{
    bool enters = e->kind == GO_GO_SYSCALL_BEGIN, keeps = e->kind == GO_GO_SYSCALL_END;
    put_g(t, e, enters ? EV_SYSCALL_ENTER : EV_SYSCALL_EXIT, e->g);
    struct ev *ev = &t->queue[t->queued - 1];
    ev->c = enters ? CALL_SYSCALL : keeps;
    ev->d = enters ? t->f->minor >= 26 : keeps ? EXITSYSCALL_OLD_P : EXITSYSCALL_NO_P; /* entering: whether the P stays (wired) */
    if (!enters && !keeps)
        ev->p = EV_NO_P;
}

static void put_retake(struct go_trace *t, const struct go_event *e, uint64_t p)
{
    struct ev *ev = put(t, e, EV_RETAKE);
    ev->p = (uint16_t)p;
    ev->b = RETAKE_UNRECORDED;
}

static void put_proc(struct go_trace *t, const struct go_event *e)
{
    if (e->kind == GO_PROC_STEAL || e->was == GO_P_SYSCALL)
        put_retake(t, e, e->kind == GO_PROC_STEAL ? e->arg[0] : e->p);
    else
        put(t, e, e->kind == GO_PROC_START ? EV_P_ACQUIRE : EV_P_RELEASE)->p = (uint16_t)(e->kind == GO_PROC_START ? e->arg[0] : e->p);
}

static void put_procs(struct go_trace *t, const struct go_event *e)
{
    struct ev *ev = put(t, e, EV_COUNT_SEEN);
    ev->p = EV_NO_P;
    ev->a = SEEN_PS;
    ev->b = (uint32_t)t->procs;
    t->procs = 0;
}

/* Ps that are too many still have events until the world starts again. */
static void procs_change(struct go_trace *t, const struct go_event *e)
{
    if (e->arg[0] == 0 || e->arg[0] > GO_PS_MOST) {
        go_file_damaged(t->f, "GOMAXPROCS is %llu", (unsigned long long)e->arg[0]);
        return;
    }
    uint64_t before = t->now;
    t->procs = t->now = e->arg[0];
    t->told.procs = t->scanned || t->told.procs ? t->told.procs : (uint32_t)e->arg[0];
    /* In version 1 most stops of the world are not recorded. This event is one of such a stop, and new Ps start before the stop ends. */
    t->silent = t->f->old && !t->stopped && before && before != t->procs;
    if (t->silent)
        put(t, e, EV_STW_START)->a = STW_GOMAXPROCS;
    if (t->f->old ? before <= t->procs : !t->stopped)
        put_procs(t, e);
}

/* The silent stop of the world is over with the next event of a P that stays. */
static void end_silent_stop(struct go_trace *t, const struct go_event *e)
{
    if (!t->silent || (e->p != GO_NO_P && e->p >= t->now))
        return;
    t->silent = false;
    if (t->procs)
        put_procs(t, e);
    put(t, e, EV_STW_END)->p = EV_NO_P; /* the event may be that its M gets this P */
}

static void put_world(struct go_trace *t, const struct go_event *e)
{
    t->stopped = e->kind == GO_STW_BEGIN;
    if (!t->stopped && t->procs)
        put_procs(t, e);
    const char *why = t->stopped ? go_file_string(t->f, e->arg[0]) : "";
    put(t, e, t->stopped ? EV_STW_START : EV_STW_END)->a =
        !t->stopped                  ? 0
        : !strncmp(why, "GC ", 3)    ? STW_GC
        : !strcmp(why, "GOMAXPROCS") ? STW_GOMAXPROCS
                                     : STW_USER;
}

static void put_assist(struct go_trace *t, const struct go_event *e)
{
    struct go_g *g = go_order_g(&t->o, e->kind == GO_GC_ASSIST_ACTIVE ? e->arg[0] : e->g);
    if (g && e->kind == GO_GC_ASSIST_END && g->assist >= 0) {
        put_g(t, e, EV_GC_ASSIST, e->g);
        ev_set_cd(&t->queue[t->queued - 1], e->time - g->assist);
    }
    if (g && (e->kind != GO_GC_ASSIST_ACTIVE || g->assist < 0))
        g->assist = e->kind == GO_GC_ASSIST_END ? -1 : e->time;
}

static void put_block(struct go_trace *t, const struct go_event *e)
{
    put_g(t, e, EV_G_PARK, e->g);
    const char *word = go_file_string(t->f, e->arg[0]);
    t->queue[t->queued - 1].b = !strcmp(word, "sync") ? sync_reason(t, e->arg[1]) : reason_of(word);
}

static void put_ready(struct go_trace *t, const struct go_event *e)
{
    uint32_t by = g_number(t, e->g);
    put_g(t, e, EV_G_READY, e->arg[0]);
    t->queue[t->queued - 1].b = by;
}

/* number: of the G that runs, which may have ended with this event. */
static void translate(struct go_trace *t, const struct go_event *e, uint32_t number)
{
    switch (e->kind) {
    case GO_PROCS_CHANGE:
        procs_change(t, e);
        break;
    case GO_PROC_STATUS:
        put_p_status(t, e);
        break;
    case GO_PROC_START:
    case GO_PROC_STOP:
    case GO_PROC_STEAL:
        put_proc(t, e);
        break;
    case GO_GO_STATUS:
    case GO_GO_STATUS_STACK:
        put_status(t, e);
        break;
    case GO_GO_CREATE:
    case GO_GO_CREATE_BLOCKED:
        put_create(t, e);
        break;
    case GO_GO_CREATE_SYSCALL:
        put_seen(t, e, e->arg[0], G_SEEN_SYSCALL, "");
        t->queue[t->queued - 1].b = e->m;
        break;
    case GO_GO_START:
        put_g(t, e, EV_G_START, e->arg[0]);
        break;
    case GO_GO_DESTROY:
    case GO_GO_DESTROY_SYSCALL:
        put_end(t, e, number);
        break;
    case GO_GO_STOP:
        put_stop(t, e);
        break;
    case GO_GO_BLOCK:
        put_block(t, e);
        break;
    case GO_GO_UNBLOCK:
        put_ready(t, e);
        break;
    case GO_GO_SYSCALL_BEGIN:
    case GO_GO_SYSCALL_END:
    case GO_GO_SYSCALL_END_BLOCKED:
        put_syscall(t, e);
        break;
    case GO_GO_SWITCH:
    case GO_GO_SWITCH_DESTROY:
        put_switch(t, e, number);
        break;
    case GO_STW_BEGIN:
    case GO_STW_END:
        put_world(t, e);
        break;
    case GO_GC_ACTIVE:
    case GO_GC_BEGIN:
    case GO_GC_END:
        if (e->kind != GO_GC_ACTIVE || !e->was)
            put(t, e, EV_GC_PHASE)->a = e->kind == GO_GC_END ? GCPHASE_OFF : GCPHASE_MARK;
        break;
    case GO_GC_ASSIST_ACTIVE:
    case GO_GC_ASSIST_BEGIN:
    case GO_GC_ASSIST_END:
        put_assist(t, e);
        break;
    default:
        t->told.left_out += counts(t);
    }
}

/* Notes how late the generation came that was read to its end. */
static void note_delay(struct go_trace *t)
{
    int64_t offset = t->f->whole - t->o.last;
    if (t->feed && t->f->whole && t->o.events && offset < t->offset)
        t->offset = offset;
}

bool go_trace_next(struct go_trace *t, uint32_t *m, struct ev *ev, bool *lack)
{
    struct go_event e;
    while (t->taken == t->queued) {
        uint32_t at_least;
        t->taken = t->queued = 0;
        if (!(t->f->old ? go_old_order(&t->o, &e) : go_order_next(&t->o, &e))) {
            note_delay(t);
            *lack = t->f->lacks;
            return false;
        }
        const struct go_g *g = e.g == GO_NO_G ? NULL : go_order_g(&t->o, e.g);
        uint32_t number = g ? g_number(t, e.g) : e.g && e.g <= OWN_NUMBERS ? (uint32_t)e.g : t->o.gone.number;
        if (e.kind < GO_KINDS)
            learn_name(t, &e);
        end_silent_stop(t, &e);
        translate(t, &e, number);
        t->queue_m = e.m;
        at_least = e.kind == GO_PROC_STATUS ? (uint32_t)e.arg[0] + 1 : 0;
        t->told.go_events = e.number;
        t->told.procs = !t->scanned && at_least > t->told.procs ? at_least : t->told.procs;
        if (t->f->state == GO_DAMAGED || t->f->lacks) {
            *lack = t->f->lacks;
            return false;
        }
    }
    *m = t->queue_m;
    *ev = t->queue[t->taken++];
    if (counts(t)) {
        t->told.any = true;
        t->told.events++;
        t->told.end = ev->time;
    }
    return true;
}

bool go_trace_waits(const struct go_trace *t)
{
    return t->f->waits;
}

/* ---- life ---- */

void go_trace_rewind(struct go_trace *t)
{
    go_old_order_free(t->o.old);
    go_order_fini(&t->o);
    go_file_rewind(t->f);
    go_order_init(&t->o, t->f);
    t->taken = t->queued = t->numbered = 0;
    t->procs = t->now = 0;
    t->stopped = t->silent = false;
    if (t->feed)
        t->told.events = t->told.left_out = 0;
}

static void tell(struct go_trace *t)
{
    struct go_told *told = &t->told;
    told->goroutines = t->o.added;
    told->minor = t->f->minor;
    told->state = t->f->state;
    told->wrong = t->f->wrong;
    told->at = t->f->at;
    told->size = t->f->size;
    told->threads = go_order_threads(&t->o);
    told->no_clock = t->f->no_clock;
    told->fn = t->fn.v;
    told->nfn = t->feed ? FNS_FOLLOWED : (uint32_t)t->fn.n;
    told->followed = t->feed;
}

/* Reads it once, so that the names of all programs are known before the first event. */
static bool scan(struct go_trace *t)
{
    struct ev e;
    uint32_t m;
    bool lack = false;
    while (go_trace_next(t, &m, &e, &lack))
        ;
    tell(t);
    t->told.wrong = arena_printf(&t->names, "%s", t->f->wrong);
    t->told.left_out += t->f->samples;
    t->scanned = true;
    if (lack || !t->told.wrong)
        return false;
    go_trace_rewind(t);
    return true;
}

const char *go_trace_version(int minor)
{
    static const char *const of[] = {[11] = "1.11-1.18", [19] = "1.19-1.20", [21] = "1.21", [22] = "1.22", [23] = "1.23",
                                     [24] = "1.24",      [25] = "1.25",      [26] = "1.26", [27] = "1.27"};
    return minor >= 0 && (size_t)minor < sizeof of / sizeof *of ? of[minor] : NULL;
}

bool go_trace_begins(struct go_trace *t)
{
    struct ev e;
    uint32_t m;
    bool lack = false;
    while (!t->scanned && !(t->told.events && !t->o.frontier.heads.n && t->taken == t->queued) && go_trace_next(t, &m, &e, &lack))
        ;
    if (t->scanned || (t->f->waits && !t->told.events))
        return t->scanned;
    tell(t);
    t->scanned = true;
    go_trace_rewind(t);
    return true;
}

void go_trace_wait(struct go_trace *t, int ms)
{
    feed_wait(t->feed, t->f->size, ms);
}

int64_t go_trace_behind(struct go_trace *t, int64_t time)
{
    bool over = true;
    if (t->feed)
        feed_size(t->feed, &over);
    if (over || t->offset == INT64_MAX)
        return -1;
    int64_t now = wall_ns(), newest = t->f->waits && time >= t->o.last ? t->f->whole : time + t->offset;
    return now > newest ? now - newest : 0;
}

int go_trace_minor(int fd)
{
    char head[GO_HEADER + 1] = "";
    int minor;
    return pread(fd, head, GO_HEADER, 0) == GO_HEADER && sscanf(head, "go 1.%2d trace", &minor) == 1 ? minor : 0;
}

bool go_trace_is(const char *path)
{
    char begin[5];
    FILE *file = file_open(path);
    bool is = file && fread(begin, sizeof begin, 1, file) == 1 && !memcmp(begin, "go 1.", sizeof begin);
    if (file)
        fclose(file);
    return is;
}

static struct go_trace *open_trace(int fd, struct feed *feed, char wrong[GO_TEXT], bool *foreign)
{
    struct go_file *f = go_file_open(fd, feed, wrong, foreign);
    struct go_trace *t = f ? calloc(1, sizeof *t) : NULL;
    if (!f)
        return NULL;
    if (!t) {
        go_file_free(f);
        return NULL;
    }
    t->f = f;
    t->feed = feed;
    t->offset = INT64_MAX;
    go_order_init(&t->o, f);
    return t;
}

struct go_trace *go_trace_open(int fd, char wrong[GO_TEXT], bool *foreign)
{
    wrong[0] = '\0';
    struct go_trace *t = open_trace(fd, NULL, wrong, foreign);
    if (t && (t->f->minor >= GO_SECOND || go_old_index(t->f)) && scan(t))
        return t;
    go_trace_free(t);
    if (!wrong[0])
        snprintf(wrong, GO_TEXT, "%s", strerror(ENOMEM));
    return NULL;
}

struct go_trace *go_trace_follow(struct feed *feed, char wrong[GO_TEXT], bool *foreign)
{
    wrong[0] = '\0';
    int fd = fcntl(feed_fd(feed), F_DUPFD_CLOEXEC, 3);
    struct go_trace *t = fd < 0 ? NULL : open_trace(fd, feed, wrong, foreign);
    if (t && t->f->minor < GO_SECOND)
        snprintf(wrong, GO_TEXT, "a trace of Go %s can be read when it is whole", go_trace_version(t->f->minor));
    else if (t && (t->fn.v = calloc(FNS_FOLLOWED, sizeof *t->fn.v))) { /* it never moves: names are read while more are added */
        t->fn.cap = FNS_FOLLOWED;
        return t;
    }
    go_trace_free(t);
    if (!wrong[0])
        snprintf(wrong, GO_TEXT, "%s", strerror(ENOMEM));
    return NULL;
}

void go_trace_free(struct go_trace *t)
{
    if (!t)
        return;
    go_old_order_free(t->o.old);
    go_order_fini(&t->o);
    go_file_free(t->f);
    id_fini(&t->fn_of);
    vec_free(&t->fn);
    arena_fini(&t->names);
    free(t);
}

const struct go_told *go_trace_told(struct go_trace *t)
{
    if (t->feed)
        tell(t);
    return &t->told;
}
