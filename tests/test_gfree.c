/* Dead Gs and their stacks: a P keeps up to 64; then all but 31 go to the global list. A P without any takes 32 from
 * there. The numbers are those of Go's gfput and gfget. One P, so every G ends where main looks. */
#include "runtime/sched/proc.h"
#include "prog.h"

static struct hchan *gate;

static uint32_t local_n(void)
{
    uint32_t n = 0;
    for (struct g *gp = getm()->p->gfree.list; gp; gp = gp->schedlink)
        n++;
    CHECK_INT(getm()->p->gfree.n, n);
    return n;
}

static uint32_t global_n(void)
{
    uint32_t n = 0;
    for (struct g *gp = getm()->sched->gfree.list; gp; gp = gp->schedlink)
        n++;
    CHECK_INT(atomic_load(&getm()->sched->gfree.n), n);
    return n;
}

static uint32_t made(void)
{
    uint32_t n = 0;
    for (struct g *gp = getm()->sched->allgs; gp; gp = gp->allnext)
        n++;
    return n;
}

static int came; /* Gs of one P: between here and this G's end or wait no other G runs */

static void quick(void *arg)
{
    (void)arg;
    came++;
}

static void waits(void *arg)
{
    int64_t v;
    (void)arg;
    came++;
    rt_chan_recv(gate, &v);
    came++;
}

static void until(int n)
{
    while (came < n) /* every 61st time main runs first */
        rt_gosched();
    came = 0;
}

static void spawn(rt_fn *fn, int n)
{
    for (int i = 0; i < n; i++)
        go(fn, i);
    until(n);
}

static void main_lists(void *arg)
{
    (void)arg;
    came = 0;
    uint32_t before = made();
    gate = rt_chan_new(rt_self_sched(), 1, 0);
    CHECK_INT(local_n() + global_n(), 0);
    spawn(quick, 63);
    CHECK_INT(local_n(), 63);
    CHECK_INT(global_n(), 0);
    spawn(quick, 64); /* 63 of them are reused; when the last one ends, the list is full */
    CHECK_INT(local_n(), 31);
    CHECK_INT(global_n(), 33);
    CHECK_INT(made(), before + 64);
    spawn(waits, 31); /* these empty the local list */
    CHECK_INT(local_n(), 0);
    CHECK_INT(global_n(), 33);
    spawn(waits, 1);
    CHECK_INT(local_n(), 31); /* 32 were taken, one is in use */
    CHECK_INT(global_n(), 1);
    spawn(waits, 32); /* the local ones, then the last global one */
    CHECK_INT(local_n() + global_n(), 0);
    CHECK_INT(made(), before + 64);
    spawn(waits, 1);
    CHECK_INT(made(), before + 65); /* only now a new one is created */
    rt_chan_close(gate);
    until(65);
    CHECK_INT(local_n() + global_n(), 65);
    CHECK_INT(local_n(), 31 + 1); /* the 64th moved 33 away, the 65th stayed */
}

TEST(dead_gs_stay_local_up_to_64_and_move_by_32)
{
    in_order(main_lists);
}

/* A G that is reused keeps its stack and nothing else of its former life. */
static void *seen_stack;
static uint32_t seen_id;

static void look(void *arg)
{
    struct g *gp = getg();
    CHECK(arg == rt_arg());
    CHECK_INT(atomic_load(&gp->selectdone), 0);
    CHECK(!gp->selmem);
    char *mem = rt_alloc(100);
    for (int i = 0; i < 100; i++)
        CHECK_INT(mem[i], 0);
    memset(mem, 0xff, 100);
    struct rt_case k[] = {{.c = gate}, {.c = gate, .send = true}};
    CHECK_INT(rt_select(k, 2, false), -1);
    if (seen_stack)
        CHECK(gp->ctx.stack == seen_stack);
    CHECK(rt_goid() != seen_id); /* ids are never reused */
    seen_stack = gp->ctx.stack;
    seen_id = rt_goid();
    came++;
}

static void main_again(void *arg)
{
    (void)arg;
    gate = rt_chan_new(rt_self_sched(), 1, 0);
    seen_stack = NULL;
    seen_id = 0;
    came = 0;
    for (int i = 0; i < 5; i++)
        spawn(look, 1);
    CHECK_INT(seen_id, 6);
}

TEST(a_g_is_used_again_with_its_stack_and_nothing_else)
{
    in_order(main_again);
}
