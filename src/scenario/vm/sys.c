/* What the declarations of the standard library (gofront/stubs) leave to the interpreter: functions without a body. f: the frame, results first. */
#include "runtime/sched/point.h"
#include "scenario/vm/vm_internal.h"
#include <stdio.h>
#include <unistd.h>

enum { GC_NS = 100000 }; /* of marking: what Go needs for the heap of a small program */

#define SYS(name) static bool name(struct vg *g, int64_t *f)
SYS(gosched)
{
    (void)g, (void)f;
    rt_gosched();
    return true;
}
SYS(procs)
{
    (void)g;
    f[0] = rt_procs();
    if (f[1] > 0)
        rt_gomaxprocs(f[1]);
    return true;
}
SYS(cpus)
{
    f[0] = g->vm->cpus;
    return true;
}
SYS(goroutines)
{
    (void)g;
    f[0] = rt_goroutines();
    return true;
}
SYS(lock_os_thread)
{
    (void)g, (void)f;
    rt_lock_os_thread();
    return true;
}
SYS(unlock_os_thread)
{
    (void)g, (void)f;
    rt_unlock_os_thread();
    return true;
}
SYS(collect)
{
    (void)f;
    rt_gc(GC_NS, false);
    __atomic_add_fetch(&g->vm->cycles, 1, __ATOMIC_RELAXED); /* only Pools read it, now and then */
    return true;
}
SYS(goexit)
{
    (void)f;
    vm_goexit(g);
    return false;
}
/* What no run of ours can do as Go does: the run ends with these words. */
SYS(refuse)
{
    char text[300];
    const char *s = vm_chars(g, f[0], f[1]);
    snprintf(text, sizeof text, "%.*s: not supported", s ? (int)f[1] : 0, s ? s : "");
    rt_no_way(text);
}
SYS(sleep_for)
{
    (void)g;
    rt_sleep(f[0]);
    return true;
}
SYS(now)
{
    (void)g;
    f[0] = rt_now();
    return true;
}
SYS(start_timer)
{
    struct hchan *c = vm_object(g, VO_CHAN, f[0]);
    if (c && f[2])
        rt_ticker_new(c, f[1]);
    else if (c)
        rt_timer_new(c, f[1]);
    return c;
}
/* A person's Timer may hold any channel. NULL: a panic has begun. */
static struct hchan *own_timer(struct vg *g, int64_t channel)
{
    struct hchan *c = vm_object(g, VO_CHAN, channel);
    if (c && !rt_timer_made(c))
        vm_throw(g, "runtime error: invalid memory address or nil pointer dereference");
    return c && rt_timer_made(c) ? c : NULL;
}
SYS(stop_timer)
{
    struct hchan *c = own_timer(g, f[1]);
    if (c)
        f[0] = rt_timer_stop(c);
    return c;
}
SYS(reset_timer)
{
    struct hchan *c = own_timer(g, f[1]);
    if (c)
        f[0] = rt_timer_reset(c, f[2]);
    return c;
}
SYS(start_func)
{
    int64_t fn = vm_function(g, f[2]);
    if (fn < 0)
        return false;
    const struct vm_start s = {.run = g->start->run, .vm = g->vm, .fn = (uint32_t)fn, .ctx = f[2]};
    vm_publish(g, &s.ctx, 1);
    vm_join(g->vm); /* there will be another G */
    f[0] = vm_object_add(g, VO_TIMER, 0, rt_func_new(f[1], vm_main, &s, sizeof s, s.fn));
    return true;
}
SYS(stop_func)
{
    struct handle *t = vm_object(g, VO_TIMER, f[1]);
    if (t)
        f[0] = rt_func_stop(t);
    return t;
}
SYS(reset_func)
{
    struct handle *t = vm_object(g, VO_TIMER, f[1]);
    if (t)
        f[0] = rt_func_reset(t, f[2]);
    return t;
}
SYS(os_exit)
{
    (void)g;
    rt_exit((int)f[0]);
    return true;
}
SYS(os_nargs)
{
    f[0] = g->vm->nargs;
    return true;
}
SYS(os_arg)
{
    const char *s = f[2] >= 0 && f[2] < (int64_t)g->vm->nargs ? g->vm->args[f[2]] : "";
    f[1] = (int64_t)strlen(s);
    f[0] = vm_text(g, s, strlen(s));
    return true;
}
SYS(go_line)
{
    f[0] = g->vm->f->language;
    return true;
}
SYS(testing_place)
{
    struct vm_frame at;
    bool own = vm_own_frame(g, &at);
    const char *file = own ? g->vm->f->file.v[at.fn->file] : "testing.go"; /* it logs itself */
    f[1] = (int64_t)strlen(file);
    f[0] = vm_text(g, file, strlen(file));
    f[2] = own ? at.fn->code.v[at.pc].line : 1;
    return true;
}
/* Only a run without a screen has an input. It is read here and now: no other G can do anything meanwhile. */
SYS(read_input)
{
    int64_t n = f[2] < 1 << 16 ? f[2] : 1 << 16, *to = n > 0 ? vm_at(g, f[1], n) : NULL;
    char text[1024];
    if (!to)
        return n <= 0;
    rt_syscall(1000, false);
    ssize_t got = !g->vm->input ? 0 : read(STDIN_FILENO, text, (size_t)n < sizeof text ? (size_t)n : sizeof text);
    to = vm_at(g, f[1], n);
    for (ssize_t i = 0; to && i < got; i++)
        vm_set_cell(to + i, (unsigned char)text[i]);
    f[0] = got > 0 ? got : -1;
    return to;
}
SYS(write_text)
{
    const char *s = vm_chars(g, f[1], f[2]);
    if (s)
        rt_write((int)f[0], true, s, (size_t)f[2]);
    return s;
}

static const struct vm_sys functions[] = {
    {"runtime.Gosched", gosched},
    {"runtime.Goexit", goexit},
    {"runtime.procs", procs},
    {"runtime.NumCPU", cpus},
    {"runtime.NumGoroutine", goroutines},
    {"runtime.LockOSThread", lock_os_thread},
    {"runtime.UnlockOSThread", unlock_os_thread},
    {"runtime.GC", collect},
    {"os.Exit", os_exit},
    {"os.nargs", os_nargs},
    {"os.arg", os_arg},
    {"testing.place", testing_place},
    {"log.place", testing_place},
    {"time.sleep", sleep_for},
    {"time.now", now},
    {"time.refuse", refuse},
    {"os/signal.refuse", refuse},
    {"time.startTimer", start_timer},
    {"time.stopTimer", stop_timer},
    {"time.resetTimer", reset_timer},
    {"time.startFunc", start_func},
    {"time.stopFunc", stop_func},
    {"time.resetFunc", reset_func},
    {"internal/value.GoLine", go_line},
    {"internal/value.Kind", vm_sys_kind},
    {"internal/value.TypeName", vm_sys_type_name},
    {"internal/value.ElemKind", vm_sys_elem_kind},
    {"internal/value.Entries", vm_sys_entries},
    {"internal/value.Len", vm_sys_len},
    {"internal/value.Part", vm_sys_part},
    {"internal/value.PartType", vm_sys_part_type},
    {"internal/value.Field", vm_sys_field},
    {"internal/value.Bits", vm_sys_bits},
    {"internal/value.Assign", vm_sys_assign},
    {"internal/value.Swap", vm_sys_swap},
    {"internal/value.Comparable", vm_sys_comparable},
    {"internal/value.floatOf", vm_sys_float_of},
    {"internal/value.Leaf", vm_sys_format},
    {"os.write", write_text},
    {"os.read", read_input},
    {"math.Float64bits", vm_sys_float_of},
    {"math.Float64frombits", vm_sys_float_of},
    {"math.Float32bits", vm_sys_float32_bits},
    {"math.Float32frombits", vm_sys_float32_of},
    {"math.archExp", vm_sys_exp},
    {"math.Sqrt", vm_sys_sqrt},
    {"math.Floor", vm_sys_floor},
    {"math.Ceil", vm_sys_ceil},
    {"math.Trunc", vm_sys_trunc},
    {"math.Round", vm_sys_round},
    {"math.RoundToEven", vm_sys_round_even},
    {"math.Mod", vm_sys_mod},
    {"strconv.parseFloat", vm_sys_parse_float},
    {"math/rand.cook", vm_sys_cook},
    {"math/rand.draw", vm_sys_draw},
    {"math/rand.bits", vm_sys_random},
    {"math/rand/v2.draw", vm_sys_draw},
    {"math/rand/v2.bits", vm_sys_random},
    {NULL, NULL},
};

vm_sys_fn *vm_sys_find(const char *name)
{
    const struct vm_sys *const all[] = {functions, vm_sys_locks, vm_sys_atomics};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        for (const struct vm_sys *s = all[i]; s->name; s++)
            if (strcmp(s->name, name) == 0)
                return s->fn;
    return NULL;
}

/* ---- print and println: to stderr ---- */

#define OP(name) bool vm_op_##name(struct vg *g, int64_t *f, const struct form_ins *i)

/* Go locks stderr for a whole print or println: its parts, one operation each at the same place, are written together. */
static void say(struct vg *g, const struct form_ins *i, const char *s, size_t n)
{
    const struct form_ins *next = i + 1; /* a function does not end with a print */
    if (g->nsaid + n > g->said_room) {
        size_t room = 2 * g->said_room + n + 256;
        char *more = rt_alloc(room);
        if (g->nsaid)
            memcpy(more, g->said, g->nsaid);
        g->said = more;
        g->said_room = room;
    }
    if (n)
        memcpy(g->said + g->nsaid, s, n);
    g->nsaid += n;
    if ((next->op == FO_prints || next->op == FO_print || next->op == FO_printi) && next->line == i->line && next->col == i->col)
        return;
    vm_reach(g);
    rt_write(2, false, g->said, g->nsaid);
    g->nsaid = 0;
}

OP(prints)
{
    (void)f;
    say(g, i, g->vm->f->string.v[i->a].s, g->vm->f->string.v[i->a].len);
    return true;
}
OP(printi)
{
    char text[60];
    int n = snprintf(text, sizeof text, "(%#llx,%#llx)", (unsigned long long)f[i->a], (unsigned long long)vm_shown(f[i->a + 1]));
    say(g, i, text, (size_t)n);
    return true;
}
OP(print)
{
    char text[40];
    double d;
    int n;
    if (i->b == FK_S) {
        const char *s = vm_chars(g, f[i->a], f[i->a + 1]);
        if (s)
            say(g, i, s, (size_t)f[i->a + 1]);
        return s;
    }
    memcpy(&d, &f[i->a], sizeof d);
    if (i->b == FK_B)
        n = snprintf(text, sizeof text, f[i->a] ? "true" : "false");
    else if (i->b == FK_F32 || i->b == FK_F64)
        n = vm_float_text(text, sizeof text, d, i->b == FK_F32, g->vm->f->old_floats);
    else if (i->b == FK_P)
        n = snprintf(text, sizeof text, "%#llx", (unsigned long long)vm_shown(f[i->a]));
    else if (i->b >= FK_U8 && i->b <= FK_U64)
        n = snprintf(text, sizeof text, "%llu", (unsigned long long)f[i->a]);
    else
        n = snprintf(text, sizeof text, "%lld", (long long)f[i->a]);
    say(g, i, text, (size_t)n);
    return true;
}
