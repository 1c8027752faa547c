/* Breakpoints and conditions behind the screen: the fold stops at the match, and no M is more than one section
 * further. The list changes while the run continues; a run "until …" ends only at its match; a restart leaves
 * nothing of the old run. */
#include "live.h"

#include <stdio.h>
#include <string.h>

/* Each operation is a gate, so a section has at most one print of its M. */
static const char printers_text[] =
    "name: printers\n"
    "scheduler: {gomaxprocs: 4, preempt_slice: 10s}\n"
    "goroutines:\n"
    "  - name: main\n"
    "    do: [{go: printer, count: 3}, {loop: 10000, do: [{print: \"main\"}, {yield: 1}]}]\n"
    "  - name: printer\n"
    "    do: [{loop: 10000, do: [{print: \"p {i}\"}, {set: x, to: x + 1}]}]\n";

static const char turns_text[] =
    "name: turns\n"
    "scheduler: {gomaxprocs: 2}\n"
    "waitgroups: [wg]\n"
    "goroutines:\n"
    "  - name: main\n"
    "    do: [{loop: 2000, do: [{add: wg, n: 6}, {go: worker, count: 6}, {wait: wg}]}]\n"
    "  - name: worker\n"
    "    do: [{compute: 1us}, {yield: 1}, {compute: 1us}, {done: wg}]\n";

static void wait_stop(struct live *l)
{
    while (!status(l).still && !status(l).ended)
        wait_change(l);
}

static void resume_live(struct live *l)
{
    uint64_t at = status(l).events;
    session_ops.motion->pause(l->s, false);
    while (status(l).events == at && !status(l).ended)
        wait_change(l);
}

static int64_t gauge(struct live *l, const char *name)
{
    int n;
    int64_t v = -1;
    struct model *md = session_ops.view(l->s, NULL, 0, &n);
    CHECK(md && model_gauge(md, name, &v));
    model_free(md);
    return v;
}

static struct session_event last_event(struct live *l)
{
    struct session_event ev = {0};
    int n;
    model_free(session_ops.view(l->s, &ev, 1, &n));
    CHECK_INT(n, 1);
    return ev;
}

/* ---- conditions ---- */

static void too_far(const struct session_event *ev, int n, uint32_t m)
{
    char list[600] = "";
    for (int i = 0; i < n && strlen(list) < 500; i++)
        if (ev[i].m == m)
            sprintf(list + strlen(list), " %lld:%s", (long long)ev[i].ev.time, ev_desc[ev[i].ev.kind].name);
    t_fail(__FILE__, __LINE__, "M%u is more than one section past the match:%s", m, list);
}

/* Of the events after the match no M has more than one section: one print, one start of a G, one look for work. */
static void check_one_section(struct live *l)
{
    static struct session_event ev[4096];
    uint32_t prints[64] = {0}, starts[64] = {0}, stages[64] = {0};
    int n = session_ops.pending(l->s, ev, 4096);
    CHECK_INT(n, status(l).pending);
    for (int i = 0; i < n; i++) {
        uint32_t m = ev[i].m;
        CHECK(m < 64);
        CHECK(i == 0 || ev[i].ev.time >= ev[i - 1].ev.time);
        prints[m] += ev[i].ev.kind == EV_PRINT;
        starts[m] += ev[i].ev.kind == EV_G_START;
        stages[m] += ev[i].ev.kind == EV_FIND_STAGE;
        if (prints[m] > 1 || starts[m] > 1 || stages[m] > 1)
            too_far(ev, n, m);
    }
}

static void nobody_runs_ahead(const char *text, const char *mode, const char *condition, bool (*holds)(struct live *))
{
    LIVE(l, text, "--mode", mode, "--tempo", "max", "--break", condition);
    int stops = 0;
    for (; stops < 100; stops++) {
        wait_stop(&l);
        if (status(&l).ended)
            break;
        CHECK_STR(stopped_at(&l), condition);
        CHECK(holds(&l));
        check_one_section(&l);
        resume_live(&l);
    }
    CHECK(stops >= 5);
    close_live(&l);
}

static bool globq_is_filled(struct live *l)
{
    return gauge(l, "globq") > 0;
}
static bool three_are_runnable(struct live *l)
{
    return gauge(l, "runnable") >= 3;
}
static bool work_and_nobody(struct live *l)
{
    return gauge(l, "spinning") == 0 && gauge(l, "idle_p") > 0 && gauge(l, "runnable") > 0;
}

TEST(a_condition_stops_free_within_a_section)
{
    nobody_runs_ahead(printers_text, "free", "when globq > 0", globq_is_filled);
}

TEST(a_condition_stops_lockstep_within_a_section)
{
    nobody_runs_ahead(printers_text, "lockstep", "when globq > 0", globq_is_filled);
}

TEST(a_condition_over_several_resources_free)
{
    nobody_runs_ahead(turns_text, "free", "when runnable >= 3", three_are_runnable);
}

TEST(a_condition_over_several_resources_lockstep)
{
    nobody_runs_ahead(turns_text, "lockstep", "when spinning = 0 and idle_p > 0 and runnable > 0", work_and_nobody);
}

/* Each print stops the run: no match is missed, whichever M prints, and the M that printed has done nothing more. */
static void each_match_stops(const char *mode)
{
    LIVE(l, printers_text, "--mode", mode, "--tempo", "max", "--break", "print");
    static struct session_event ev[4096];
    uint64_t last = 0;
    for (int i = 0; i < 60; i++) {
        wait_stop(&l);
        struct session_event match = last_event(&l);
        CHECK_INT(match.ev.kind, EV_PRINT);
        CHECK_INT(session_ops.search->find(l.s, "print", match.number - 1, -1), last);
        check_one_section(&l);
        int n = session_ops.pending(l.s, ev, 4096);
        for (int k = 0; k < n; k++)
            CHECK(ev[k].m != match.m);
        last = match.number;
        resume_live(&l);
    }
    close_live(&l);
}

TEST(each_match_of_an_event_stops_lockstep)
{
    each_match_stops("lockstep");
}
TEST(each_match_of_an_event_stops_free)
{
    each_match_stops("free");
}

/* Work waits for 5 ms behind a G that computes. No event happens then, but the run stops there, to the nanosecond. */
static const char waits_text[] =
    "name: waits\n"
    "scheduler: {gomaxprocs: 1, preempt_slice: 10s}\n"
    "goroutines:\n"
    "  - name: main\n"
    "    do: [{go: other}, {compute: 30ms}]\n"
    "  - name: other\n"
    "    do: [{compute: 1us}]\n";

static void waits_its_time(const char *mode)
{
    LIVE(l, waits_text, "--mode", mode, "--tempo", "max", "--break", "when g2.runnable > 5ms");
    wait_stop(&l);
    CHECK(!status(&l).ended);
    CHECK_INT(gauge(&l, "g2.runnable"), 5000001);
    struct session_event ev = last_event(&l);
    CHECK(ev.ev.time < status(&l).time);
    session_ops.motion->pause(l.s, false); /* and it does not stop there again */
    wait_end(&l);
    CHECK_INT(status(&l).how, ENDED_MAIN_RETURNED);
    close_live(&l);
}

TEST(a_duration_is_reached_between_events_lockstep)
{
    waits_its_time("lockstep");
}
TEST(a_duration_is_reached_between_events_free)
{
    waits_its_time("free");
}

/* ---- the list changes while it runs ---- */

static uint64_t count(struct live *l, const char *pattern)
{
    uint64_t n = 0, at = 0;
    while ((at = session_ops.search->find(l->s, pattern, at + 1, 1)))
        n++;
    return n;
}

/* A count is of the whole run: matches from before the breakpoint was made count. */
static void added_and_deleted(const char *mode)
{
    struct session_mistake wrong = {.lang = LANG_EN};
    struct session_break all[16];
    char third[32];
    LIVE(l, turns_text, "--mode", mode, "--tempo", "max");
    wait_events(&l, 200);
    session_ops.motion->pause(l.s, true);
    wait_stop(&l);
    uint64_t before = count(&l, "g_end");
    CHECK(before > 0);
    snprintf(third, sizeof third, "g_end x%llu", (unsigned long long)before + 3);
    CHECK(session_ops.breaks->add(l.s, third, &wrong));
    resume_live(&l);
    wait_stop(&l);
    CHECK_STR(stopped_at(&l), third);
    CHECK_INT(last_event(&l).ev.kind, EV_G_END);
    CHECK_INT(count(&l, "g_end"), before + 3);
    CHECK_INT(session_ops.breaks->list(l.s, all, 16), 1);
    CHECK_STR(all[0].text, third);
    CHECK_INT(all[0].hits, before + 3);
    CHECK(session_ops.breaks->add(l.s, "when runnable >= 4", &wrong));
    resume_live(&l);
    wait_stop(&l);
    CHECK_STR(stopped_at(&l), "when runnable >= 4");
    CHECK_INT(gauge(&l, "runnable"), 4);
    CHECK(!session_ops.breaks->delete (l.s, 77));
    CHECK(session_ops.breaks->delete (l.s, 0));
    session_ops.motion->pause(l.s, false);
    wait_end(&l);
    CHECK_INT(session_ops.breaks->list(l.s, all, 16), 0);
    CHECK(!session_ops.breaks->delete (l.s, 0));
    close_live(&l);
}

TEST(breakpoints_come_and_go_lockstep)
{
    added_and_deleted("lockstep");
}
TEST(breakpoints_come_and_go_free)
{
    added_and_deleted("free");
}

TEST(a_mistake_is_reported_with_its_place)
{
    struct session_mistake wrong = {.lang = LANG_EN};
    LIVE(l, turns_text, "--tempo", "4");
    CHECK(!session_ops.breaks->add(l.s, "steal theif=1", &wrong));
    CHECK_INT(wrong.pos, 6);
    CHECK_STR(wrong.text, "steal has no field \"theif\"; the nearest is \"thief\"");
    CHECK(!session_ops.run_to->match(l.s, "go_create fn=wroker", &wrong));
    CHECK_STR(wrong.text, "there is no program \"wroker\"; the nearest is \"worker\"");
    CHECK(session_ops.search->check(l.s, "go_create fn=worker", &wrong));
    for (int i = 0; i < 16; i++) {
        struct session_break all[16];
        CHECK(session_ops.breaks->add(l.s, "fatal", &wrong));
        while (session_ops.breaks->list(l.s, all, 16) <= i)
            wait_change(&l);
    }
    CHECK(!session_ops.breaks->add(l.s, "fatal", &wrong));
    close_live(&l);
}

TEST(go1_0_has_no_p_to_break_at)
{
    struct session_mistake wrong = {.lang = LANG_EN};
    LIVE(l, turns_text, "--generation", "go1.0");
    CHECK(!session_ops.breaks->add(l.s, "* p=1", &wrong));
    CHECK(!session_ops.breaks->add(l.s, "when p0.runq > 0", &wrong));
    CHECK(session_ops.breaks->add(l.s, "when globq > 0", &wrong));
    close_live(&l);
}

/* ---- until ---- */

static void until(const char *mode, const char *tempo)
{
    struct session_mistake wrong = {.lang = LANG_EN};
    struct session_break all[16];
    uint64_t last = 0;
    LIVE(l, turns_text, "--mode", mode, "--tempo", tempo);
    session_ops.motion->pause(l.s, true);
    wait_stop(&l);
    for (int i = 0; i < 5; i++) {
        uint64_t before = status(&l).events;
        CHECK(session_ops.run_to->match(l.s, "g_end g>1", &wrong));
        while (status(&l).events == before || !status(&l).still)
            wait_change(&l);
        struct session_event ev = last_event(&l);
        CHECK_INT(ev.ev.kind, EV_G_END);
        CHECK_STR(stopped_at(&l), "g_end g>1");
        CHECK_INT(session_ops.breaks->list(l.s, all, 16), 0);
        if (i > 0) /* the next one: none was missed */
            CHECK_INT(session_ops.search->find(l.s, "g_end g>1", ev.number - 1, -1), last);
        last = ev.number;
    }
    session_ops.motion->pause(l.s, false);
    wait_events(&l, status(&l).events + 20); /* it does not stop there any more */
    close_live(&l);
}

TEST(until_stops_once_lockstep)
{
    until("lockstep", "max");
}
TEST(until_is_fast_at_a_slow_tempo)
{
    until("lockstep", "4");
}
TEST(until_stops_once_free)
{
    until("free", "max");
}

/* Returns how many events match up to the state that is shown. */
static int matches_so_far(struct live *l, const char *pattern)
{
    int n = 0;
    for (uint64_t at = status(l).events; at && (at = session_ops.search->find(l->s, pattern, at, -1)); at--)
        n++;
    return n;
}

/* A person presses a key faster than the run comes to its match. */
static void five_at_once(const char *mode, const char *tempo)
{
    struct session_mistake wrong = {.lang = LANG_EN};
    LIVE(l, turns_text, "--mode", mode, "--tempo", tempo);
    session_ops.motion->pause(l.s, true);
    wait_stop(&l);
    int before = matches_so_far(&l, "g_end g>1");
    for (int i = 0; i < 5; i++)
        CHECK(session_ops.run_to->match(l.s, "g_end g>1", &wrong));
    while (!status(&l).still)
        wait_change(&l);
    CHECK_STR(stopped_at(&l), "g_end g>1");
    CHECK_INT(matches_so_far(&l, "g_end g>1"), before + 5);
    close_live(&l);
}

TEST(five_requests_at_once_run_to_the_fifth_match_lockstep)
{
    five_at_once("lockstep", "max");
}
TEST(five_requests_at_once_run_to_the_fifth_match_at_a_slow_tempo)
{
    five_at_once("lockstep", "4");
}
TEST(five_requests_at_once_run_to_the_fifth_match_free)
{
    five_at_once("free", "max");
}

/* The runs that are still to come end with it. */
TEST(another_stop_ends_repeated_runs)
{
    struct session_mistake wrong = {.lang = LANG_EN};
    LIVE(l, turns_text, "--tempo", "4", "--break", "g_end x2");
    session_ops.motion->pause(l.s, true);
    wait_stop(&l);
    for (int i = 0; i < 5; i++)
        CHECK(session_ops.run_to->match(l.s, "g_end g>1", &wrong));
    while (!status(&l).still)
        wait_change(&l);
    CHECK_STR(stopped_at(&l), "g_end x2");
    CHECK_INT(matches_so_far(&l, "g_end"), 2);
    close_live(&l);
}

/* A pause ends it, too. */
TEST(a_pause_forgets_until)
{
    struct session_mistake wrong = {.lang = LANG_EN};
    LIVE(l, endless_text, "--tempo", "max");
    CHECK(session_ops.run_to->match(l.s, "g_end", &wrong));
    wait_events(&l, 1000);
    session_ops.motion->pause(l.s, true);
    wait_stop(&l);
    CHECK_STR(stopped_at(&l), "");
    close_live(&l);
}

/* While the world runs, it may be anywhere when the request is carried out, also beyond the event. */
static void to_an_event(const char *mode, const char *tempo)
{
    LIVE(l, endless_text, "--mode", mode, "--tempo", tempo);
    for (int i = 0; i < 30; i++) {
        uint64_t to = status(&l).newest + 1 + (uint64_t)i % 7;
        session_ops.motion->pause(l.s, false);
        wait_events(&l, to > 4 ? to - 4 : 1);
        session_ops.run_to->event(l.s, to);
        for (struct session_status st = status(&l); st.events != to || !(st.still || st.back); st = status(&l))
            wait_change(&l);
        session_ops.rewind->goto_event(l.s, SESSION_NEWEST);
    }
    close_live(&l);
}

TEST(a_run_to_an_event_stops_exactly_there_lockstep)
{
    to_an_event("lockstep", "max");
}
TEST(a_run_to_an_event_stops_exactly_there_free)
{
    to_an_event("free", "max");
}

/* The text may come before the request is carried out. */
static void to_a_text(const char *mode)
{
    LIVE(l, endless_text, "--mode", mode, "--tempo", "max");
    for (int i = 0; i < 30; i++) {
        session_ops.motion->pause(l.s, false);
        wait_events(&l, status(&l).newest + 1);
        uint64_t after = status(&l).newest - 1;
        CHECK(session_ops.run_to->text(l.s, "yields", LANG_EN, after));
        for (struct session_status st = status(&l); st.until || !(st.still || st.back); st = status(&l))
            wait_change(&l);
        CHECK_INT(status(&l).events, session_ops.search->find_text(l.s, "yields", LANG_EN, after + 1, 1));
        session_ops.rewind->goto_event(l.s, SESSION_NEWEST);
    }
    close_live(&l);
}

TEST(a_run_to_a_text_misses_none_lockstep)
{
    to_a_text("lockstep");
}
TEST(a_run_to_a_text_misses_none_free)
{
    to_a_text("free");
}

/* ---- find ---- */

TEST(finds_among_folded_events)
{
    LIVE(l, turns_text, "--tempo", "max", "--max-events", "300");
    wait_end(&l);
    uint64_t first = session_ops.search->find(l.s, "g_end", 1, 1), second = session_ops.search->find(l.s, "g_end", first + 1, 1);
    CHECK(first > 0 && second > first);
    CHECK_INT(session_ops.search->find(l.s, "g_end", second - 1, -1), first);
    CHECK_INT(session_ops.search->find(l.s, "g_end", first - 1, -1), 0);
    CHECK_INT(session_ops.search->find(l.s, "fatal", 1, 1), 0);
    close_live(&l);
}

/* ---- restart ---- */

/* Returns a hash of everything folded so far. */
static uint64_t story(struct live *l, uint64_t upto)
{
    static struct session_event ev[400];
    uint64_t h = 1469598103934665603u;
    int n;
    model_free(session_ops.view(l->s, ev, 400, &n));
    for (int i = 0; i < n; i++)
        if (ev[i].number <= upto)
            h = (h ^ ((uint64_t)ev[i].ev.time * 31 + ev[i].ev.kind * 7 + ev[i].m + ev[i].ev.g * 131)) * 1099511628211u;
    return h;
}

TEST(restart_is_the_same_run_again)
{
    LIVE(l, turns_text, "--tempo", "max", "--max-events", "300", "--audit");
    wait_end(&l);
    uint64_t first = story(&l, 300);
    session_ops.motion->restart(l.s, 1);
    while (status(&l).run < 1)
        wait_change(&l);
    wait_end(&l);
    CHECK_INT(status(&l).events, 300);
    CHECK(story(&l, 300) == first);
    session_ops.motion->restart(l.s, 2);
    while (status(&l).run < 2)
        wait_change(&l);
    wait_end(&l);
    CHECK_INT(status(&l).seed, 2);
    CHECK(story(&l, 300) != first);
    close_live(&l);
}

/* At any moment, in any mode, paused or not; the breakpoints stay. */
TEST(restart_at_any_moment)
{
    struct session_break all[16];
    LIVE(l, endless_text, "--tempo", "max", "--speed", "1", "--break", "g_end", "--break", "when globq > 1000000");
    for (uint32_t i = 1; i <= 40; i++) {
        if (i % 3 == 0)
            session_ops.motion->toggle_mode(l.s);
        if (i % 4 == 0)
            session_ops.motion->pause(l.s, true);
        else if (i % 5)
            wait_events(&l, 20 * i);
        bool paused = status(&l).paused;
        session_ops.motion->restart(l.s, i);
        while (status(&l).run < i)
            wait_change(&l);
        CHECK_INT(status(&l).seed, i);
        CHECK_INT(status(&l).paused, paused);
        CHECK_INT(session_ops.breaks->list(l.s, all, 16), 2);
        session_ops.motion->pause(l.s, false);
    }
    bool ended;
    struct engine *e = session_stop(l.s, &ended);
    CHECK_STR(e->failure, "");
    close_live(&l);
}
