/* See gotrace_tables.h. */
#include "engine/export/gotrace_tables.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { OF_NAME, OF_FILE, OF_REASON, OF_STW, OF_MARK }; /* what a string is for: the key begins so */
enum { TABLE_FULL = 60000, TEXT_MOST = 1000, PC = 0x400000 };

/* Returns the number of the string with this key, which stands for this text. */
static uint32_t string(struct gotrace_tables *t, uint64_t key, const char *text)
{
    const uint32_t *at = id_find(&t->string_of, key);
    if (at)
        return *at;
    char *copy = strndup(text, TEXT_MOST);
    if (copy && vec_push(&t->strings, copy) && id_put(&t->string_of, key, (uint32_t)t->strings.n))
        return (uint32_t)t->strings.n;
    t->lacks = true;
    return 0;
}

static uint64_t key(uint64_t of, uint64_t a, uint64_t b)
{
    return of << 60 | (a & 0x3fffffff) << 30 | (b & 0x3fffffff);
}

bool gotrace_tables_init(struct gotrace_tables *t, const struct run_info *info)
{
    char file[TEXT_MOST];
    t->info = info;
    snprintf(file, sizeof file, "%s.go", info->name ? info->name : "run");
    t->file = string(t, key(OF_FILE, 0, 0), file);
    t->sched = string(t, key(OF_MARK, MARK_OVERFLOW + 1, 0), "sched");
    t->preempted = string(t, key(OF_MARK, MARK_OVERFLOW + 1, 1), "preempted");
    t->gosched = string(t, key(OF_MARK, MARK_OVERFLOW + 1, 2), "runtime.Gosched");
    return !t->lacks;
}

void gotrace_tables_fini(struct gotrace_tables *t)
{
    for (size_t i = 0; i < t->strings.n; i++)
        free(t->strings.v[i]);
    vec_free(&t->strings);
    vec_free(&t->frames);
    vec_free(&t->stacks);
    id_fini(&t->string_of);
    id_fini(&t->frame_of);
    id_fini(&t->stack_of);
}

/* ---- strings ---- */

/* Go's tracer has fewer reasons than its tracebacks. */
uint32_t gotrace_reason(struct gotrace_tables *t, uint32_t reason)
{
    static const char *const of[] = {
        [WAIT_REASON_CHAN_RECEIVE] = "chan receive",
        [WAIT_REASON_CHAN_SEND] = "chan send",
        [WAIT_REASON_CHAN_RECEIVE_NIL] = "forever",
        [WAIT_REASON_CHAN_SEND_NIL] = "forever",
        [WAIT_REASON_SELECT] = "select",
        [WAIT_REASON_SLEEP] = "sleep",
        [WAIT_REASON_SEMACQUIRE] = "sync",
        [WAIT_REASON_MUTEX_LOCK] = "sync",
        [WAIT_REASON_RWMUTEX_RLOCK] = "sync",
        [WAIT_REASON_RWMUTEX_LOCK] = "sync",
        [WAIT_REASON_COND_WAIT] = "sync.(*Cond).Wait",
        [WAIT_REASON_WAITGROUP_WAIT] = "sync",
        [WAIT_REASON_IO_WAIT] = "network",
        [WAIT_REASON_GC_WAIT] = "wait until GC ends",
        [WAIT_REASON_SELECT_NO_CASES] = "forever",
        [WAIT_REASON_PREEMPTED] = "preempted",
        [WAIT_REASON_FOREVER] = "forever",
        [WAIT_REASON_COROUTINE] = "coroutine",
    };
    const char *text = reason < sizeof of / sizeof *of ? of[reason] : NULL;
    return string(t, key(OF_REASON, reason, 0), text ? text : "system goroutine wait");
}

uint32_t gotrace_stw(struct gotrace_tables *t, uint32_t why, enum gc_phase_kind phase)
{
    const char *text =
        why == STW_GOMAXPROCS  ? "GOMAXPROCS"
        : why == STW_USER      ? "unknown"
        : phase == GCPHASE_OFF ? "GC sweep termination"
                               : "GC mark termination";
    return string(t, key(OF_STW, why, why == STW_GC && phase != GCPHASE_OFF), text);
}

uint32_t gotrace_mark(struct gotrace_tables *t, enum gotrace_mark what, uint32_t a, uint32_t b)
{
    char text[80], g[EV_G_NAME];
    if (what == MARK_STEAL)
        snprintf(text, sizeof text, "steals %u from P%u", a, b);
    else if (what == MARK_BATCH)
        snprintf(text, sizeof text, "takes %u from the global queue", a);
    else if (what == MARK_KICK)
        snprintf(text, sizeof text, "kicks %s out of runnext", ev_g_name(a, g));
    else
        snprintf(text, sizeof text, "moves %u to the global queue: the ring is full", a);
    return string(t, key(OF_MARK, what, 0) ^ (uint64_t)(what == MARK_KICK ? a : a << 10 | (b & 1023)), text);
}

/* ---- stacks ---- */

static uint32_t name_of(struct gotrace_tables *t, uint32_t fn)
{
    char text[TEXT_MOST];
    const char *label = ev_system_label(fn), *name = label ? label : fn < t->info->programs.nfn ? t->info->programs.fn[fn] : "?";
    snprintf(text, sizeof text, "%s%s", label ? "runtime." : strchr(name, '.') ? "" : "main.", name);
    return string(t, key(OF_NAME, fn >> 16, fn & 0xffff), text);
}

/* Returns the number of the frame of a function at a line of the text; UINT32_MAX: none is known. */
static uint32_t frame(struct gotrace_tables *t, uint32_t fn, uint32_t line)
{
    const struct program_text *text = t->info->program;
    uint64_t of = (uint64_t)fn << 32 | line;
    const uint32_t *at = id_find(&t->frame_of, of);
    struct gotrace_frame f = {name_of(t, fn), t->file, line == UINT32_MAX ? 0 : line + 1};
    if (at)
        return *at;
    for (uint32_t i = text && line != UINT32_MAX ? text->nfiles : 0; i-- > 0;)
        if (text->file[i].first <= line) {
            f.file = string(t, key(OF_FILE, 1, i), text->file[i].name);
            f.line = line - text->file[i].first + 1;
            break;
        }
    if (vec_push(&t->frames, f) && id_put(&t->frame_of, of, (uint32_t)t->frames.n))
        return (uint32_t)t->frames.n;
    t->lacks = true;
    return 0;
}

static uint32_t stack(struct gotrace_tables *t, uint32_t inner, uint32_t outer)
{
    uint64_t of = (uint64_t)inner << 32 | outer;
    const uint32_t *at = id_find(&t->stack_of, of);
    struct gotrace_frames s = {inner, outer};
    if (at)
        return *at;
    if (inner && vec_push(&t->stacks, s) && id_put(&t->stack_of, of, (uint32_t)t->stacks.n))
        return (uint32_t)t->stacks.n;
    t->lacks = true;
    return 0;
}

static uint32_t head_of(const struct gotrace_tables *t, uint32_t fn)
{
    const struct program_text *text = t->info->program;
    return text && fn < text->nfn ? text->fn[fn] : UINT32_MAX;
}

uint32_t gotrace_root(struct gotrace_tables *t, uint32_t fn)
{
    return stack(t, frame(t, fn, head_of(t, fn)), 0);
}

/* The function whose head is the last one before the line. */
static uint32_t around(const struct gotrace_tables *t, uint32_t line, uint32_t fn)
{
    const struct program_text *text = t->info->program;
    uint32_t best = fn;
    for (uint32_t i = 0; i < text->nfn; i++)
        if (text->fn[i] != UINT32_MAX && text->fn[i] <= line &&
            (head_of(t, best) == UINT32_MAX || head_of(t, best) > line || text->fn[i] > head_of(t, best)))
            best = i;
    return best;
}

uint32_t gotrace_stack(struct gotrace_tables *t, const struct model *md, uint32_t g)
{
    const struct program_text *text = t->info->program;
    const struct model_g *of = model_g(md, g);
    uint32_t op;
    if (!of || of->fn == MODEL_FORGOTTEN)
        return 0;
    if (!text || !model_g_op(md, g, &op) || op >= text->nops || text->op[op] == UINT32_MAX)
        return gotrace_root(t, of->fn);
    uint32_t line = text->op[op], fn = around(t, line, of->fn);
    return stack(t, frame(t, fn, line), fn == of->fn ? 0 : frame(t, of->fn, head_of(t, of->fn)));
}

/* ---- the tables as batches ---- */

int gotrace_stack_numbers(const struct gotrace_tables *t, size_t i, uint64_t *v)
{
    const uint32_t frames[] = {t->stacks.v[i].inner, t->stacks.v[i].outer};
    int n = 0;
    v[n++] = i + 1;
    v[n++] = 1 + (frames[1] != 0);
    for (int k = 0; k < 2 && frames[k]; k++) {
        const struct gotrace_frame *f = &t->frames.v[frames[k] - 1];
        v[n++] = PC + frames[k] * 16;
        v[n++] = f->fn;
        v[n++] = f->file;
        v[n++] = f->line;
    }
    return n;
}

static bool put_string(const struct gotrace_tables *t, struct export_buf *data, size_t i)
{
    bool good = export_varint(data, GO_STRING) && export_varint(data, i + 1) && export_varint(data, strlen(t->strings.v[i]));
    for (const char *c = t->strings.v[i]; *c; c++)
        good &= vec_push(data, (uint8_t)*c);
    return good;
}

static bool put_stack(const struct gotrace_tables *t, struct export_buf *data, size_t i)
{
    uint64_t v[GOTRACE_STACK];
    int n = gotrace_stack_numbers(t, i, v);
    bool good = export_varint(data, GO_STACK);
    for (int k = 0; k < n; k++)
        good &= export_varint(data, v[k]);
    return good;
}

bool gotrace_table(struct gotrace_tables *t, int which, size_t *from, struct export_buf *data)
{
    size_t n = which ? t->stacks.n : t->strings.n;
    if (*from >= n)
        return false;
    data->n = 0;
    bool good = export_varint(data, which ? GO_STACKS : GO_STRINGS);
    for (; good && *from < n && data->n < TABLE_FULL; ++*from)
        good = which ? put_stack(t, data, *from) : put_string(t, data, *from);
    t->lacks |= !good;
    return good;
}
