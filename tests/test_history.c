/* The fold of whole histories: many Ms, random orders, lost events, fields left out, copies. */
#include "folding.h"
#include "ref.h"
#include <pthread.h>

_Static_assert(RING == REF_RING, "both schedulers have rings of one size");

static void set_base(struct model *md, uint32_t base)
{
    md->lockseq = md->spinseq = md->outseq = base;
    for (uint32_t i = 0; i < md->np; i++) {
        md->p[i].head = md->p[i].tail = md->p[i].timerseq = base;
        md->p[i].seq = base + 1;
    }
}

/* Offers the history in the order in which it was logged: in lockstep no event is ever early. */
static void fold_in_order(struct model *md, const struct ref *r, uint32_t base)
{
    for (uint32_t i = 0; i < r->nlog; i++) {
        int got = model_offer(md, r->log[i].m, &r->log[i].ev, NULL, 0);
        if (got != APPLIED)
            t_fail(__FILE__, __LINE__, "event %u of M%u, %s: %d %s", i, r->log[i].m, ev_desc[r->log[i].ev.kind].name, got, model_error(md));
        if (r->log[i].ev.kind == EV_PROCRESIZE)
            set_base(md, base);
    }
}

static uint64_t differs(const struct ref *r, const struct model *md, char *first)
{
    struct snapshot a = {0}, b = {0};
    struct audit_result res = {0};
    CHECK(ref_snapshot(r, &a) && model_snapshot(md, &b));
    audit_compare(&a, &b, &res);
    if (first)
        snprintf(first, sizeof res.first, "%s", res.first);
    snapshot_fini(&a);
    snapshot_fini(&b);
    return res.mismatches;
}

static void check_same(const struct ref *r, const struct model *md, uint64_t seed)
{
    char first[400];
    if (differs(r, md, first))
        t_fail(__FILE__, __LINE__, "seed %llu: %s", (unsigned long long)seed, first);
}

/* The naive merge: Ms in random order, each M's events in its own order; events that cannot be applied yet are
 * offered again. `skip` is left out. Returns false when no event can be applied or one is broken. */
static bool merge(struct model *md, const struct ref *r, struct prng *rand, uint32_t skip, uint32_t base)
{
    static uint32_t of[REF_M][1 << 14];
    uint32_t n[REF_M] = {0}, at[REF_M] = {0}, left = 0, stuck = 0;
    for (uint32_t i = 0; i < r->nlog; i++)
        if (i != skip)
            of[r->log[i].m][n[r->log[i].m]++] = i, left++;
    while (left && stuck < 1000) {
        uint32_t m = prng_below(rand, r->nm), burst = 1 + prng_below(rand, 20);
        for (; burst && at[m] < n[m]; burst--) {
            const struct ref_event *e = &r->log[of[m][at[m]]];
            int got = model_offer(md, m, &e->ev, NULL, 0);
            if (got == BROKEN)
                return false;
            if (got == NOT_YET)
                break;
            if (e->ev.kind == EV_PROCRESIZE)
                set_base(md, base);
            at[m]++;
            left--;
            stuck = 0;
        }
        stuck++;
    }
    return left == 0;
}

/* With the second base all sequence numbers pass through 0. */
static const uint32_t bases[] = {0, 0xffffffc0u};

TEST(random_histories_in_order)
{
    for (long seed = 0; seed < t_count(40, 1000); seed++) {
        uint32_t base = bases[seed % 2];
        struct ref *r = ref_new((uint64_t)seed, base);
        struct model *md = new_model();
        ref_run(r, 3000);
        fold_in_order(md, r, base);
        check_same(r, md, (uint64_t)seed);
        model_free(md);
        ref_free(r);
    }
}

/* The histories contain every kind of core event of the reference's scheduler; otherwise the tests above check less
 * than they seem to. */
TEST(random_histories_have_all_kinds)
{
    static const int wanted[] = {
        EV_G_CREATE,      EV_G_START,       EV_G_END,         EV_G_PARK,     EV_G_READY,     EV_G_PREEMPT,   EV_G_YIELD,
        EV_SYSCALL_ENTER, EV_SYSCALL_EXIT,  EV_SYSCALL_BLOCK, EV_RETAKE,     EV_RUNNEXT_PUT, EV_RUNNEXT_GET, EV_RUNQ_PUT,
        EV_RUNQ_GET,      EV_RUNQ_OVERFLOW, EV_GLOBQ_PUT,     EV_GLOBQ_GET,  EV_STEAL,       EV_SPIN_START,  EV_SPIN_STOP,
        EV_M_START,       EV_M_PARK,        EV_M_WAKE,        EV_P_ACQUIRE,  EV_P_RELEASE,   EV_P_IDLE,      EV_P_TAKE,
        EV_WAKEP,         EV_NEEDSPINNING,  EV_TIMER_ADD,     EV_TIMER_FIRE, EV_PRINT};
    uint32_t seen[EV_KINDS] = {0}, runnext_steals = 0, big_steals = 0;
    for (uint64_t seed = 0; seed < 20; seed++) {
        struct ref *r = ref_new(seed, 0);
        ref_run(r, 3000);
        for (uint32_t i = 0; i < r->nlog; i++) {
            const struct ev *e = &r->log[i].ev;
            seen[e->kind]++;
            runnext_steals += e->kind == EV_STEAL && (e->b & 1);
            big_steals += e->kind == EV_STEAL && e->b >> 1 > 1;
        }
        ref_free(r);
    }
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++)
        if (!seen[wanted[i]])
            t_fail(__FILE__, __LINE__, "no %s in the histories", ev_desc[wanted[i]].name);
    CHECK(runnext_steals && big_steals);
}

TEST(random_orders_reach_the_same_state)
{
    for (long seed = 0; seed < t_count(100, 3000); seed++) {
        uint32_t base = bases[seed % 2];
        struct ref *r = ref_new((uint64_t)seed, base);
        struct model *md = new_model(), *in_order = new_model();
        struct prng rand;
        prng_seed(&rand, (uint64_t)seed, 5);
        ref_run(r, 2000);
        if (!merge(md, r, &rand, UINT32_MAX, base))
            t_fail(__FILE__, __LINE__, "seed %ld: stuck after %llu events: %s", seed, (unsigned long long)model_events(md),
                   model_error(md));
        check_same(r, md, (uint64_t)seed);
        fold_in_order(in_order, r, base);
        CHECK(memcmp(model_counters(md), model_counters(in_order), sizeof(struct counters)) == 0);
        CHECK_INT(model_time(md), r->now);
        model_free(md);
        model_free(in_order);
        ref_free(r);
    }
}

/* No event can get lost unnoticed: the rest is stuck or broken, or the state differs. */
TEST(a_lost_event_is_noticed)
{
    for (long seed = 0; seed < t_count(100, 2000); seed++) {
        struct ref *r = ref_new((uint64_t)seed, 0);
        struct model *md = new_model();
        struct prng rand;
        prng_seed(&rand, (uint64_t)seed, 6);
        ref_run(r, 600);
        uint32_t skip = prng_below(&rand, r->nlog);
        int kind = r->log[skip].ev.kind;
        bool whole = merge(md, r, &rand, skip, 0);
        if (whole && kind != EV_PRINT && differs(r, md, NULL) == 0)
            t_fail(__FILE__, __LINE__, "seed %ld: event %u, %s, is not missed", seed, skip, ev_desc[kind].name);
        model_free(md);
        ref_free(r);
    }
}

/* The audit notices fields that are left out of the fold, each as itself. */
TEST(each_frozen_field_is_caught)
{
    for (int field = 0; field < AUDIT_COUNT; field++) {
        /* The reference has no heap of the old generations, disables no G, locks no M and has no sysmon; test_engine freezes these fields. */
        if (field == AUDIT_TIMERS || field == AUDIT_DISABLED || field == AUDIT_M_LOCKEDG || field == AUDIT_M_EXITED ||
            field >= AUDIT_M_NETPOLL)
            continue;
        bool caught = false;
        for (uint64_t seed = 0; seed < 30 && !caught; seed++) {
            struct ref *r = ref_new(seed, 0);
            struct model *md = new_model();
            char first[400];
            ref_run(r, 500);
            fold_in_order(md, r, 0);
            model_freeze(md, (enum audit_field)field);
            caught = differs(r, md, first) > 0;
            if (caught && strncmp(first, audit_field_name[field], strlen(audit_field_name[field])) != 0)
                t_fail(__FILE__, __LINE__, "%s was frozen, but: %s", audit_field_name[field], first);
            model_free(md);
            ref_free(r);
        }
        if (!caught)
            t_fail(__FILE__, __LINE__, "%s was frozen and nothing noticed", audit_field_name[field]);
    }
}

/* A clone keeps the state of its moment while the original folds on, and the other way round. */
TEST(clones_stay_as_they_are)
{
    struct ref *r = ref_new(3, 0);
    struct model *md = new_model(), *clones[20];
    struct snapshot then[20] = {0}, now = {0};
    struct audit_result res = {0};
    ref_run(r, 4000);
    for (uint32_t i = 0; i < r->nlog; i++) {
        CHECK_INT(model_offer(md, r->log[i].m, &r->log[i].ev, NULL, 0), APPLIED);
        if (i % 200 == 0 && i / 200 < 20) {
            CHECK(clones[i / 200] = model_clone(md));
            CHECK(model_snapshot(md, &then[i / 200]));
        }
    }
    for (uint32_t k = 0; k < 20; k++) {
        CHECK(model_snapshot(clones[k], &now));
        audit_compare(&then[k], &now, &res);
        CHECK_STR(res.first, "");
        CHECK_INT(model_events(clones[k]), k * 200 + 1);
    }
    for (uint32_t i = 10 * 200 + 1; i < r->nlog; i++) /* a clone folds on by itself */
        CHECK_INT(model_offer(clones[10], r->log[i].m, &r->log[i].ev, NULL, 0), APPLIED);
    check_same(r, clones[10], 3);
    model_free(md);
    check_same(r, clones[10], 3);
    for (uint32_t k = 0; k < 20; k++) {
        snapshot_fini(&then[k]);
        model_free(clones[k]);
    }
    snapshot_fini(&now);
    ref_free(r);
}

/* A screen reads and frees its copies on its own thread while the fold continues. Under ThreadSanitizer this finds a
 * page that is written too early. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static struct model *handed;
static bool done;
static uint64_t seen;

static void *reader(void *arg)
{
    struct snapshot s = {0};
    (void)arg;
    for (;;) {
        pthread_mutex_lock(&lock);
        while (!handed && !done)
            pthread_cond_wait(&changed, &lock);
        struct model *md = handed;
        handed = NULL;
        pthread_mutex_unlock(&lock);
        if (!md)
            break;
        CHECK(model_snapshot(md, &s));
        struct model *copy = model_clone(md);
        CHECK(copy);
        model_free(md);
        seen += s.ng > 0 && model_g(copy, s.g[0].id) != NULL;
        model_free(copy);
    }
    snapshot_fini(&s);
    return NULL;
}

static void hand_over(struct model *md)
{
    pthread_mutex_lock(&lock);
    struct model *missed = handed;
    handed = model_clone(md);
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&lock);
    model_free(missed);
}

TEST(copies_on_another_thread)
{
    struct ref *r = ref_new(8, 0);
    struct model *md = new_model();
    pthread_t t;
    ref_run(r, (uint32_t)t_count(20000, 30000));
    CHECK(pthread_create(&t, NULL, reader, NULL) == 0);
    for (uint32_t i = 0; i < r->nlog; i++) {
        CHECK_INT(model_offer(md, r->log[i].m, &r->log[i].ev, NULL, 0), APPLIED);
        if (i % 16 == 15)
            hand_over(md);
    }
    pthread_mutex_lock(&lock);
    done = true;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&lock);
    pthread_join(t, NULL);
    CHECK(seen > 0);
    check_same(r, md, 8);
    model_free(md);
    ref_free(r);
}
