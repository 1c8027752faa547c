/* Which threads have a row where not all fit: none is left out for one that matters less, and the rows are in the order of the ids. */
#include "live.h"
#include "shell.h"
#include "story.h"

/* What matters: the event of the marks names it; it runs a G; it is in a system call; it spins; the rest. */
static int rank_of(const struct view *v, uint32_t m)
{
    static const int ranks[] = {[MD_RUN] = 1, [MD_SYSCALL] = 2, [MD_SPIN] = 3};
    enum m_doing doing = model_m_doing(v->md, m);
    int now = event_now(v), rank = (size_t)doing < sizeof ranks / sizeof *ranks ? ranks[doing] : 0;
    if (v->selected == tag_of('M', m) || (now >= 0 && event_names(&v->ev[now], tag_of('M', m))))
        return v->selected == tag_of('M', m) ? -1 : 0;
    return rank ? rank : 4;
}

/* Returns the M that a row is about, -1: none. */
static int m_of(const char *row)
{
    const char *m = strstr(row, "M");
    return m && m - row < 10 && m[1] >= '0' && m[1] <= '9' ? atoi(m + 1) : -1;
}

static bool has_thread(const struct model *md, uint32_t m)
{
    return model_m(md, m)->started && (!model_m(md, m)->exited || m == 0); /* M0 stays, parked for ever */
}

static void check_rows(const struct view *v, int h, int left_out[6])
{
    bool shown[64] = {false};
    int last = -1, worst = -1;
    struct picture p = look(v, at(PANE_threads, 60, h));
    for (int i = 1; i + 1 < p.n; i++) {
        int m = m_of(p.row[i]);
        if (m < 0)
            continue;
        CHECK(m > last && m < 64);
        last = m;
        shown[m] = true;
        int rank = rank_of(v, (uint32_t)m);
        worst = rank > worst ? rank : worst;
    }
    CHECK(last >= 0);
    for (uint32_t m = 0; m < model_nm(v->md); m++) {
        if (shown[m] || !has_thread(v->md, m))
            continue;
        left_out[rank_of(v, m) + 1]++;
        if (rank_of(v, m) < worst)
            t_fail(__FILE__, __LINE__, "event %llu, height %d: M%u has no row, but one that matters less has",
                   (unsigned long long)v->st.events, h, m);
    }
    picture_fini(&p);
}

TEST(no_thread_is_left_out_for_one_that_matters_less)
{
    static const char *const names[] = {"stop-the-world", "net-echo", "blocking-syscall", "gc-cycle", "cgo", "scene-07-spin-limit"};
    static const char *args[] = {"--tempo", "max", "--procs", "6"};
    static struct session_event ev[EVENTS_KEPT];
    int left_out[6] = {0};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char path[512];
        struct live l;
        int n;
        snprintf(path, sizeof path, "%s/scenarios/%s.yaml", SOURCE_DIR, names[i]);
        live(&l, slurp(path, NULL), args, 4);
        wait_end(&l);
        for (uint64_t k = 20, end = status(&l).events, step = end / 150 + 1; k < end; k += step) {
            CHECK_INT(session_ops.rewind->goto_event(l.s, k), GOTO_DONE);
            struct model *md = session_ops.view(l.s, ev, EVENTS_KEPT, &n);
            struct view v = {.md = md, .st = status(&l), .ev = ev, .nev = n};
            for (int h = 4; h <= 7; h++) {
                v.selected = k % 3 ? 0 : tag_of('M', (uint32_t)(k % model_nm(md)));
                v.selected = has_thread(md, (uint32_t)(k % model_nm(md))) ? v.selected : 0;
                check_rows(&v, h, left_out);
            }
            model_free(md);
        }
        close_live(&l);
    }
    for (int rank = 1; rank <= 4; rank++) /* each kind was left out for better ones somewhere */
        if (!left_out[rank + 1] && rank != 1)
            t_fail(__FILE__, __LINE__, "no thread of rank %d was ever left out", rank);
}
