/* Operations on channels. The runtime's channels carry one cell: a value of another size travels as the address of a copy. */
#include "runtime/sched/point.h"
#include "scenario/vm/vm_internal.h"

#define OP(name) bool vm_op_##name(struct vg *g, int64_t *f, const struct form_ins *i)
#define BUFFER_MOST (INT64_C(1) << 24)

/* *c: NULL for the channel nil. False: a panic has begun. */
static bool chan_of(struct vg *g, int64_t number, struct hchan **c)
{
    *c = number ? vm_object(g, VO_CHAN, number) : NULL;
    return !number || *c;
}

static int64_t packed(struct vg *g, const int64_t *v, int64_t cells)
{
    if (cells <= 1)
        return cells ? *v : 0;
    int64_t at = vm_alloc(g, cells);
    memcpy(g->vm->cell + at, v, (size_t)cells * sizeof *v);
    return at;
}
/* 0, which a closed channel gives, is a value of zeros. */
static bool unpack(struct vg *g, int64_t *to, int64_t v, int64_t cells)
{
    if (cells == 1) {
        *to = v;
    } else if (v && cells) {
        const int64_t *p = vm_at(g, v, cells);
        if (!p)
            return false;
        memcpy(to, p, (size_t)cells * sizeof *to);
    } else {
        memset(to, 0, (size_t)cells * sizeof *to);
    }
    return true;
}

static void about_to(struct vg *g)
{
    vm_reach(g);
    rt_point();
}

OP(makechan)
{
    int64_t size = f[i->b];
    if (size < 0 || size > BUFFER_MOST)
        return vm_throw(g, "makechan: size out of range");
    uint32_t id = vm_number(g, VO_CHAN);
    struct hchan *c = rt_chan_new(rt_self_sched(), id, (uint32_t)size);
    if (!c)
        rt_no_memory("cannot allocate memory for a channel");
    rt_chan_made(c);
    f[i->a] = vm_object_add(g, VO_CHAN, id, c);
    return true;
}

OP(send)
{
    struct hchan *c;
    if (!chan_of(g, f[i->a], &c))
        return false;
    int64_t v = packed(g, f + i->b, i->c);
    vm_publish(g, &v, 1);
    about_to(g);
    rt_chan_send(c, v);
    return true;
}

OP(recv)
{
    struct hchan *c;
    int64_t v = 0;
    if (!chan_of(g, f[i->b], &c))
        return false;
    about_to(g);
    bool ok = rt_chan_recv(c, &v);
    if (!unpack(g, f + i->a, v, i->c))
        return false;
    if (i->d >= 0)
        f[i->d] = ok;
    return true;
}

OP(close)
{
    struct hchan *c;
    if (!chan_of(g, f[i->a], &c))
        return false;
    about_to(g);
    if (!c)
        return vm_throw(g, "close of nil channel");
    rt_chan_close(c);
    return true;
}

OP(chanlen)
{
    struct hchan *c;
    if (!chan_of(g, f[i->b], &c))
        return false;
    f[i->a] = c ? rt_chan_len(c) : 0;
    return true;
}
OP(chancap)
{
    struct hchan *c;
    if (!chan_of(g, f[i->b], &c))
        return false;
    f[i->a] = c ? rt_chan_cap(c) : 0;
    return true;
}

/* form_check() knows only where the cases are. */
static bool is_case(const struct vg *g, const int64_t *k)
{
    const struct vm_call *c = &g->call[g->ncalls - 1];
    return k[2] >= 0 && k[3] >= 0 && k[3] <= c->fn->frame && k[2] <= c->fn->frame - k[3];
}

OP(select)
{
    struct rt_case *v = rt_alloc(((size_t)i->c + 1) * sizeof *v);
    for (int64_t n = 0; n < i->c; n++) {
        const int64_t *k = f + i->b + VM_CASE * n;
        if (!is_case(g, k))
            return vm_throw(g, "runtime error: invalid memory address or nil pointer dereference");
        v[n].send = k[1];
        v[n].value = k[1] ? packed(g, f + k[2], k[3]) : 0;
        vm_publish(g, &v[n].value, 1);
        if (!chan_of(g, k[0], &v[n].c))
            return false;
    }
    about_to(g);
    int at = rt_select(v, (uint32_t)i->c, i->d);
    const int64_t *k = f + i->b + VM_CASE * at;
    f[i->a] = at;
    f[i->a + 1] = at >= 0 && v[at].ok;
    return at < 0 || v[at].send || unpack(g, f + k[2], v[at].value, k[3]);
}
