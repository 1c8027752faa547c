/* Choosing behind the screen: the M that is picked takes the next step and no other M moves; the shared line makes
 * the same run; and a run that was free refuses. */
#include "base/prng.h"
#include "choosing.h"
#include "session/session_internal.h"
#include "shell.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Gs that sleep all the time, so that again and again no M is ready and time jumps. */
static const char naps_text[] =
    "name: naps\n"
    "title: Naps\n"
    "scheduler: {gomaxprocs: 3}\n"
    "waitgroups: [wg]\n"
    "goroutines:\n"
    "  - name: main\n"
    "    do:\n"
    "      - {add: wg, n: 4}\n"
    "      - {go: napper, count: 4}\n"
    "      - wait: wg\n"
    "  - name: napper\n"
    "    do:\n"
    "      - {loop: 6, do: [{compute: 3us}, {sleep: 5us}, {yield: 1}]}\n"
    "      - done: wg\n";

/* Checks that only M m, or the M of the stall m, logged the events from `from` + 1 on. */
static void only_by(struct live *l, uint64_t from, uint32_t m)
{
    struct session_event ev[128];
    int n;
    model_free(session_ops.view(l->s, ev, 128, &n));
    for (int i = 0; i < n; i++)
        if (ev[i].number > from)
            CHECK_INT(ev[i].m, m >> 31 ? (m & ~(1u << 31)) / STALL_PICK : m);
}

/* Takes the next step of that row; turns: of the turns of an M, how many logged something. */
static void a_turn(struct live *l, int which, int *turns)
{
    const struct session_decision *d = &decision;
    const struct session_pick *row = &d->row[which % d->n];
    uint64_t before = status(l).events;
    bool m = row->text[LANG_EN][0] == 'M';
    uint32_t pick = row->pick;
    take(l, pick);
    if (!m)
        return;
    only_by(l, before, pick);
    *turns += status(l).events > before;
}

TEST(the_one_picked_makes_the_step)
{
    LIVE(l, crowd_text, "--tempo", "max", "--audit", "--break", "g_start g=5");
    int turns = 0;
    open_at(&l, 50);
    for (int i = 0; i < 60 && decision.state == CHOICE_READY; i++)
        a_turn(&l, i / 3, &turns);
    CHECK(turns > 10);
    CHECK(!status(&l).ended);
    close_live(&l);
}

TEST(rows_name_the_decision_and_its_owner)
{
    LIVE(l, crowd_text, "--tempo", "max", "--break", "g_start g=5");
    open_at(&l, 50);
    int seeds = 0, now = 0;
    for (int i = 0; i < decision.n; i++) {
        seeds += decision.row[i].seeds;
        now += decision.row[i].now;
        CHECK(!strncmp(decision.row[i].text[LANG_EN], "M", 1));
        CHECK(strlen(decision.row[i].text[LANG_EN]) > 8 && strlen(decision.row[i].text[LANG_ZH]) > 8);
    }
    CHECK_INT(seeds, 1);
    CHECK_INT(now, 1);
    CHECK_INT(decision.all, decision.n);
    CHECK(decision.n > 1 && strstr(decision.head[LANG_EN], "which M goes next?"));
    close_live(&l);
}

/* A steal order and the case of a select are offered when the M that needs them is picked. */
TEST(outcomes_are_offered)
{
    LIVE(l, crowd_text, "--tempo", "max", "--break", "g_start g=1 x2");
    int orders = 0, cases = 0;
    open_at(&l, 50);
    for (int i = 0; i < 3000 && decision.state == CHOICE_READY && !(orders && cases); i++) {
        if (strstr(decision.head[LANG_EN], "in which order")) {
            CHECK_INT(decision.n, 6); /* four starts and two directions; without the thief's own P this is each order of
                                    * three once */
            orders++;
        } else if (strstr(decision.head[LANG_EN], "select")) {
            CHECK_INT(decision.n, 2);
            CHECK_STR(decision.row[0].text[LANG_EN], "1: recv a");
            CHECK_STR(decision.row[1].text[LANG_EN], "2: recv b");
            cases++;
        }
        take(&l, decision.row[(unsigned)i % (unsigned)decision.n].pick);
    }
    CHECK(orders && cases);
    close_live(&l);
}

/* A key that comes late, for rows that are shown no more, chooses nothing: neither from the next decision, nor from that of another place,
 * nor after the run has gone on. */
TEST(a_pick_is_for_its_own_decision)
{
    LIVE(l, crowd_text, "--tempo", "max", "--break", "g_start g=5 x2"); /* or it might be over before it is paused */
    struct session_branch b[4];
    open_at(&l, 50);
    uint32_t late = decision.id, pick = decision.row[0].pick;
    take(&l, another());
    uint64_t at = status(&l).events;
    uint32_t now = decision.id;
    session_ops.decisions->choose(l.s, late, pick);
    CHECK_INT(ready(&l)->id, now);
    CHECK_INT(status(&l).events, at);
    session_ops.decisions->prepare(l.s, false);
    for (; !status(&l).ended; wait_change(&l)) /* the breakpoint may be still ahead */
        if (status(&l).still)
            session_ops.motion->pause(l.s, false);
    uint64_t end = status(&l).events, from = fork_place(&l, 150);
    late = decision.id;
    pick = another();
    CHECK_INT(session_ops.rewind->goto_event(l.s, from - 10), GOTO_DONE);
    session_ops.decisions->choose(l.s, late, pick);
    CHECK(ready(&l)->id != late && decision.at < from);
    CHECK_INT(status(&l).events, from - 10);
    CHECK_INT(session_ops.decisions->branches(l.s, b, 4), 0);
    late = decision.id;
    for (; status(&l).events < end; wait_change(&l))
        if (status(&l).still)
            session_ops.motion->pause(l.s, false);
    session_ops.decisions->choose(l.s, late, decision.row[0].pick);
    CHECK(ready(&l)->state == CHOICE_REFUSED);
    CHECK_INT(status(&l).events, end);
    close_live(&l);
}

/* --- the line --------------------------------------------------------------------------------------------------------- */

static uint64_t lines_of(const char *text, size_t size, uint64_t n, char *last, size_t room)
{
    uint64_t i = 0;
    for (const char *p = text; i < n && p < text + size; p++) {
        const char *end = memchr(p, '\n', (size_t)(text + size - p));
        CHECK(end);
        i++;
        if (i == n)
            snprintf(last, room, "%.*s", (int)(end - p), p);
        p = end;
    }
    return i;
}

/* Runs the shared line headless: its event number n is the last one here, and the events before it are the same. */
static void shared_line_is_this_run(struct live *l)
{
    char line[4096], cmd[5000], got[512];
    CHECK(session_ops.share(l->s, line, sizeof line));
    CHECK(!strncmp(line, "gmpscope run ", 13));
    snprintf(cmd, sizeof cmd, "%s --headless --events", line);
    struct result *r = shell(cmd);
    CHECK_INT(r->code, 0);
    struct session_event ev[64];
    int n;
    struct model *md = session_ops.view(l->s, ev, 64, &n);
    CHECK(n > 5);
    for (int i = 0; i < n; i++) {
        char want[512];
        event_line(md, ev[i].m, &ev[i].ev, ev[i].text, strlen(ev[i].text), want, sizeof want);
        CHECK_INT(lines_of(r->out, r->nout, ev[i].number, got, sizeof got), ev[i].number);
        CHECK_STR(got, want);
    }
    model_free(md);
}

TEST(the_shared_line_is_this_run)
{
    LIVE(l, crowd_text, "--tempo", "max", "--seed", "9", "--procs", "3", "--break", "g_start g=9");
    int turns = 0;
    open_at(&l, 50);
    for (int i = 0; i < 100 && decision.state == CHOICE_READY; i++)
        a_turn(&l, i / 3, &turns);
    char line[4096];
    CHECK(session_ops.share(l.s, line, sizeof line) && strstr(line, " --choices "));
    shared_line_is_this_run(&l);
    close_live(&l);
}

TEST(a_free_run_cannot_be_shared)
{
    char line[4096];
    LIVE(l, endless_text, "--tempo", "max");
    wait_events(&l, 100);
    session_ops.motion->pause(l.s, true);
    still(&l);
    CHECK(session_ops.share(l.s, line, sizeof line));
    CHECK(!strstr(line, "--choices"));
    session_ops.motion->toggle_mode(l.s);
    while (status(&l).lockstep)
        wait_change(&l);
    session_ops.decisions->prepare(l.s, true);
    CHECK_INT(ready(&l)->state, CHOICE_REFUSED);
    session_ops.decisions->prepare(l.s, false);
    session_ops.motion->toggle_mode(l.s);
    while (!status(&l).lockstep)
        wait_change(&l);
    session_ops.decisions->prepare(l.s, true);
    CHECK_INT(ready(&l)->state, CHOICE_REFUSED);
    CHECK(strstr(decision.head[LANG_EN], "was in free mode"));
    CHECK(!session_ops.share(l.s, line, sizeof line));
    close_live(&l);
}

/* --- branches --------------------------------------------------------------------------------------------------------- */

static struct session_event newest(struct live *l)
{
    struct session_event ev[1];
    int n;
    model_free(session_ops.view(l->s, ev, 1, &n));
    CHECK_INT(n, 1);
    return ev[0];
}

static bool same(const struct session_event *a, const struct session_event *b)
{
    return a->number == b->number && a->m == b->m && !memcmp(&a->ev, &b->ev, sizeof a->ev);
}

TEST(choosing_differently_in_the_past_is_a_branch)
{
    LIVE(l, crowd_text, "--tempo", "max", "--audit");
    struct session_branch b[4];
    wait_end(&l);
    CHECK_INT(session_ops.decisions->branches(l.s, b, 4), 0);
    struct session_event end = newest(&l);
    uint64_t at = fork_place(&l, 150);
    uint32_t pick = another();
    uint64_t from = decision.at; /* after the locked section in which `at` may be */
    take(&l, pick);
    session_ops.decisions->prepare(l.s, false);
    struct session_status st = status(&l);
    CHECK(!st.back && !st.ended && st.paused);
    CHECK(st.events >= at && st.events < end.number);
    only_by(&l, from, pick);
    CHECK_INT(session_ops.decisions->branches(l.s, b, 4), 2);
    CHECK(!b[0].here && b[1].here);
    CHECK_INT(b[0].events, end.number);
    CHECK_INT(b[1].from, from);
    CHECK_INT(b[0].choices, 0);
    /* Both branches are as they were left. */
    struct session_event here = newest(&l), now;
    CHECK(session_ops.decisions->branch(l.s, 1));
    while (now = newest(&l), !same(&now, &end))
        wait_change(&l);
    CHECK(session_ops.decisions->branch(l.s, 2));
    while (now = newest(&l), !same(&now, &here))
        wait_change(&l);
    CHECK(!session_ops.decisions->branch(l.s, 3));
    shared_line_is_this_run(&l);
    session_ops.motion->pause(l.s, false);
    wait_end(&l);
    close_live(&l);
}

static int opens_nothing(const struct source_config *c, struct source **out)
{
    (void)c;
    (void)out;
    return -ENOMEM;
}

/* ... unless the machine lacks memory for that. */
TEST(a_branch_that_cannot_be_repeated_for_lack_of_memory_is_no_failed_check)
{
    LIVE(l, crowd_text, "--tempo", "max");
    wait_end(&l);
    fork_place(&l, 150);
    take(&l, another());
    session_ops.decisions->prepare(l.s, false);
    session_enter(l.s);
    l.s->e->cfg.open = opens_nothing;
    session_leave(l.s, REQUEST_NONE);
    CHECK(session_ops.decisions->branch(l.s, 1));
    struct session_status st = status(&l);
    for (; !st.failed; st = status(&l))
        poll(NULL, 0, 5); /* wait_change() takes a failure for ours */
    CHECK_STR(stop_text(&st), "branch 1: the runtime cannot start: Cannot allocate memory");
    CHECK(l.s->e->lack);
    close_live(&l);
}

/* A breakpoint stopped the first branch, after many time jumps. When it is shown again, it is at that place, with no
 * event after it. */
TEST(a_branch_stays_where_it_was)
{
    LIVE(l, naps_text, "--tempo", "max", "--break", "g_end g=4");
    while (!stopped_at(&l)[0])
        wait_change(&l);
    still(&l);
    struct session_event end = newest(&l), now;
    CHECK_INT(status(&l).pending, 0);
    fork_place(&l, end.number / 2);
    take(&l, another());
    session_ops.decisions->prepare(l.s, false);
    now = newest(&l);
    CHECK(!same(&now, &end));
    CHECK(session_ops.decisions->branch(l.s, 1));
    while (now = newest(&l), !same(&now, &end))
        wait_change(&l);
    CHECK_INT(status(&l).pending, 0);
    close_live(&l);
}

/* Left to the seed again, it is not a branch: the run continues as it did. */
TEST(left_to_the_seed_it_is_no_branch)
{
    LIVE(l, crowd_text, "--tempo", "max");
    struct session_branch b[4];
    wait_end(&l);
    struct session_event end = newest(&l);
    fork_place(&l, 150);
    take(&l, PICK_SEED);
    session_ops.decisions->prepare(l.s, false);
    CHECK_INT(session_ops.decisions->branches(l.s, b, 4), 0);
    session_ops.motion->pause(l.s, false);
    wait_end(&l);
    struct session_event again = newest(&l);
    CHECK_INT(again.number, end.number);
    CHECK_INT(again.ev.time, end.ev.time);
    CHECK_INT(again.ev.kind, end.ev.kind);
    CHECK(same(&again, &end));
    close_live(&l);
}

static uint32_t taken_here(void)
{
    int i = 0;
    CHECK(decision.past);
    while (i < decision.n && !decision.row[i].now)
        i++;
    CHECK(i < decision.n);
    return decision.row[i].pick;
}

/* Chooses again what this course did, from an event of its past up to the present. Returns how often that was not an
 * M. */
static int along_to_the_present(struct live *l, uint64_t from)
{
    int outcomes = 0;
    back_to(l, from);
    for (uint64_t at = from; status(l).back; at = status(l).events) {
        CHECK(status(l).events >= at);
        outcomes += decision.row[0].text[LANG_EN][0] != 'M';
        take(l, taken_here());
    }
    session_ops.decisions->prepare(l->s, false);
    return outcomes;
}

TEST(to_choose_the_same_stays_on_the_course)
{
    LIVE(l, crowd_text, "--tempo", "max", "--audit");
    struct session_branch b[4];
    wait_end(&l);
    struct session_event end = newest(&l), now;
    uint32_t run = status(&l).run;
    CHECK(along_to_the_present(&l, 120) > 0); /* steal orders and cases were decisions, too */
    now = newest(&l);
    CHECK(same(&now, &end));
    CHECK(status(&l).ended);
    CHECK_INT(status(&l).run, run);
    CHECK_INT(session_ops.decisions->branches(l.s, b, 4), 0);
    close_live(&l);
}

/* A branch's own past: before its choices, at them, and after them. */
TEST(later_choices_are_not_lost)
{
    LIVE(l, crowd_text, "--tempo", "max");
    char before[4096], after[4096];
    struct session_branch b[4];
    int turns = 0;
    wait_end(&l);
    fork_place(&l, 150);
    uint32_t pick = another();
    uint64_t from = decision.at;
    take(&l, pick);
    for (int i = 0; i < 20 && decision.state == CHOICE_READY; i++)
        a_turn(&l, i / 3, &turns);
    session_ops.decisions->prepare(l.s, false);
    struct session_event end = newest(&l), now;
    CHECK(session_ops.share(l.s, before, sizeof before) && strstr(before, " --choices "));
    back_to(&l, from);
    CHECK_INT(taken_here(), pick);
    along_to_the_present(&l, from - 30);
    now = newest(&l);
    CHECK(same(&now, &end));
    CHECK(session_ops.share(l.s, after, sizeof after));
    CHECK_STR(after, before);
    CHECK_INT(session_ops.decisions->branches(l.s, b, 4), 2);
    CHECK(b[1].here);
    close_live(&l);
}

TEST(a_restart_has_no_branches)
{
    LIVE(l, crowd_text, "--tempo", "max");
    struct session_branch b[4];
    wait_end(&l);
    fork_place(&l, 150);
    take(&l, another());
    session_ops.decisions->prepare(l.s, false);
    CHECK_INT(session_ops.decisions->branches(l.s, b, 4), 2);
    uint32_t run = status(&l).run;
    session_ops.motion->restart(l.s, 1);
    while (status(&l).run == run)
        wait_change(&l);
    CHECK_INT(session_ops.decisions->branches(l.s, b, 4), 0);
    close_live(&l);
}

/* --- everything in any order -------------------------------------------------------------------------------------------- */

static void choose_something(struct live *l, struct prng *r)
{
    session_ops.decisions->prepare(l->s, true);
    for (uint32_t i = 0, n = 1 + prng_below(r, 4); i < n && ready(l)->state == CHOICE_READY; i++) {
        uint32_t row = prng_below(r, (uint32_t)decision.n + 1);
        take(l, row ? decision.row[row - 1].pick : PICK_SEED);
    }
    if (prng_below(r, 3))
        session_ops.decisions->prepare(l->s, false);
}

static void any_action(struct live *l, struct prng *r)
{
    struct session_branch b[8];
    int n;
    switch (prng_below(r, 8)) {
    case 0:
        session_ops.motion->step(l->s, STEP_EVENT, 1 + prng_below(r, 5));
        break;
    case 1:
        session_ops.motion->step(l->s, STEP_ROUND, 1);
        break;
    case 2:
        session_ops.rewind->step_back(l->s, STEP_EVENT, 1 + prng_below(r, 20));
        break;
    case 3:
        session_ops.rewind->goto_event(l->s, SESSION_NEWEST);
        break;
    case 4:
        if ((n = session_ops.decisions->branches(l->s, b, 8)) > 0)
            CHECK(session_ops.decisions->branch(l->s, b[prng_below(r, (uint32_t)n)].id));
        break;
    case 5:
        session_ops.motion->pause(l->s, false);
        break;
    default:
        choose_something(l, r);
        break;
    }
}

/* Whatever was done, the shared line makes the run that is shown at the end. */
TEST_TIMED(any_walk_can_be_shared, 300)
{
    struct prng r;
    prng_seed(&r, 33, 0);
    for (long i = t_count(6, 60); i > 0; i--) {
        LIVE(l, crowd_text, "--tempo", "max", "--break", "g_end g=7", "--break", "g_start g=5");
        wait_events(&l, 60);
        for (int k = 0; k < 40; k++)
            any_action(&l, &r);
        session_ops.decisions->prepare(l.s, false);
        session_ops.motion->pause(l.s, true);
        if (status(&l).back)
            session_ops.rewind->goto_event(l.s, SESSION_NEWEST);
        while (!status(&l).still && !status(&l).ended)
            wait_change(&l);
        CHECK_STR(strstr(stopped_at(&l), "branch") ? stopped_at(&l) : "", "");
        shared_line_is_this_run(&l);
        close_live(&l);
    }
}

/* The text that the print will write, not the template of the file. */
TEST(a_print_is_shown_with_its_values)
{
    static const char *args[] = {"--tempo", "max", "--break", "print"};
    struct live l;
    live(&l, slurp(SOURCE_DIR "/scenarios/steal-half.yaml", NULL), args, 4);
    while (!status(&l).still)
        wait_change(&l);
    session_ops.decisions->prepare(l.s, true);
    struct session_decision d = {.state = CHOICE_MAKING};
    while (d.state == CHOICE_MAKING) {
        wait_change(&l);
        session_ops.decisions->rows(l.s, &d);
    }
    bool found = false;
    for (int i = 0; i < d.n; i++) {
        CHECK(!strchr(d.row[i].text[LANG_EN], '{'));
        found |= strstr(d.row[i].text[LANG_EN], "continues G2: print worker 0 ran on P1") != NULL;
    }
    CHECK(found);
    close_live(&l);
}

static struct session_decision decision_of(struct live *l)
{
    struct session_decision d = {.state = CHOICE_MAKING};
    for (session_ops.decisions->rows(l->s, &d); d.state == CHOICE_MAKING || (d.all == 1 && !d.last); session_ops.decisions->rows(l->s, &d))
        wait_change(l);
    return d;
}

/* Where only one M can continue, the box knows the last place where there was a choice. */
TEST(the_last_real_choice_is_known)
{
    static const char *args[] = {"--tempo", "max", "--break", "steal n>=2"};
    struct live l;
    live(&l, slurp(SOURCE_DIR "/scenarios/steal-half.yaml", NULL), args, 4);
    while (!status(&l).still)
        wait_change(&l);
    session_ops.decisions->prepare(l.s, true);
    struct session_decision d = decision_of(&l);
    CHECK_INT(d.all, 1);
    CHECK(d.last > 0 && d.last < 197);
    CHECK_INT(session_ops.rewind->goto_event(l.s, d.last), GOTO_DONE);
    uint64_t at = d.last;
    d = decision_of(&l);
    CHECK_INT(d.at, at);
    CHECK(d.all > 1);
    for (uint64_t n = at + 1; n < 197; n++) { /* and there is none between */
        session_ops.rewind->goto_event(l.s, n);
        CHECK(ready(&l)->at > n || decision.all == 1);
    }
    close_live(&l);
}
