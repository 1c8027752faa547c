/* The ids of Gs: the users' ids skip the million that is reserved for the runtime's own Gs, so that there can be
 * many of both. */
#include "runtime/sched/proc.h"
#include "prog.h"

TEST(users_ids_go_over_those_of_the_runtime)
{
    CHECK_INT(ev_user_g(0), 1);
    CHECK_INT(ev_user_g(999999), 1000000);
    CHECK_INT(ev_user_g(1000000), 2000001);
    CHECK_INT(ev_user_g(9999999), 11000000);
    CHECK(!ev_is_system_g(0) && !ev_is_system_g(1000000) && !ev_is_system_g(2000001) && !ev_is_system_g(UINT32_MAX));
    CHECK(ev_is_system_g(1000001) && ev_is_system_g(2000000));
}

static uint32_t id_of(const char *name)
{
    uint32_t g = 77;
    return ev_g_id(name, strlen(name), &g) ? g : 77;
}

TEST(names_are_read_as_they_are_written)
{
    static const uint32_t of[] = {1, 42, 1000000, 1000001, 1000012, 2000000, 2000001, UINT32_MAX};
    char name[EV_G_NAME];
    for (size_t i = 0; i < sizeof of / sizeof *of; i++)
        CHECK_INT(id_of(ev_g_name(of[i], name)), of[i]);
    CHECK_STR(ev_g_name(7, name), "G7");
    CHECK_STR(ev_g_name(1000012, name), "Gs12");
    CHECK_INT(id_of("s1"), 1000001);
    CHECK_INT(id_of("gS1"), 1000001);
    CHECK_INT(id_of("1000001"), 1000001);
    static const char *const wrong[] = {"", "g", "s", "Gs", "Gs0", "Gs1000001", "G1x", "x1", "G-1", "G4294967296"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        CHECK_INT(id_of(wrong[i]), 77);
}

#define NEAR 999995u /* number of Gs that are supposed to have existed before */
#define MORE 20

static uint32_t id[MORE];
static atomic_bool collector_came; /* several Ms watch in free mode */

static void say_id(void *arg)
{
    (void)arg;
    id[my_number()] = rt_goid();
    rt_waitgroup_add(wg, -1);
}

static bool watch(void *ctx, uint32_t m, const struct ev *e, const char *text, size_t len)
{
    (void)ctx, (void)m, (void)text, (void)len;
    if (e->kind == EV_G_START && e->g == EV_SYSTEM_G)
        atomic_store_explicit(&collector_came, true, memory_order_relaxed); /* read when all Ms are gone */
    return false;
}

/* The collector's Gs take 1000001 and up while the users' counter reaches that range. */
static void across(void *arg)
{
    (void)arg;
    struct sched *s = getm()->sched;
    atomic_store(&s->goidgen, NEAR);
    wg = rt_waitgroup_new(s, 0);
    rt_waitgroup_add(wg, MORE);
    for (int i = 0; i < MORE / 2; i++)
        go(say_id, i);
    rt_gc(20000, false);
    for (int i = MORE / 2; i < MORE; i++)
        go(say_id, i);
    rt_waitgroup_wait(wg);
}

TEST(both_kinds_of_gs_at_the_border)
{
    prog_hook = watch;
    for (int mode = MODE_LOCKSTEP; mode <= MODE_FREE; mode++) {
        fresh();
        atomic_init(&collector_came, false);
        struct result r = run((struct how){(enum conductor_mode)mode, 1, 2}, across);
        CHECK_INT(r.how, ENDED_MAIN_RETURNED);
        CHECK(atomic_load_explicit(&collector_came, memory_order_relaxed));
        for (uint32_t i = 0; i < MORE; i++)
            CHECK_INT(id[i], i < 5 ? NEAR + 1 + i : 2000001 + i - 5);
    }
}

static void one_too_many(void *arg)
{
    (void)arg;
    atomic_store(&getm()->sched->sysgoidgen, EV_SYSTEM_GS);
    rt_trace_reader();
}

TEST(the_runtime_may_run_out_of_ids_of_its_own)
{
    dies(one_too_many, ENDED_FATAL, "runtime: more than 1000000 goroutines of its own");
}
