/* What the timeline shows of a P that is mostly idle. With a column for each core event, the signs of gaps stand where nothing happened for longest,
 * and the numbers next to them are those times. By time, a sign stands where a G ran briefly. */
#include "live.h"
#include "model/history/history.h"
#include "story.h"

#include <stdlib.h>

enum { COLUMNS = 240, LONGEST = 16 };

static const char sleepy[] =
    "name: sleepy\n"
    "scheduler: {gomaxprocs: 1}\n"
    "goroutines:\n"
    "  - name: main\n"
    "    do: [{go: w}, {yield: 3}, {sleep: 3ms}, {go: w}, {yield: 3}, {sleep: 700us}, {go: w}, {yield: 3}]\n"
    "  - {name: w, do: [{compute: 1us}]}\n";

struct pauses {
    int64_t longest[LONGEST]; /* times between core events, the longest first */
};

static void look_for_pauses(struct history *h, void *ctx)
{
    struct pauses *p = ctx;
    struct history_event e;
    int64_t last = 0;
    for (uint64_t n = 1; history_get(h, n, &e); n++) {
        if (ev_level_of[e.ev.kind] != EV_CORE)
            continue;
        int64_t ns = e.ev.time - last;
        last = e.ev.time;
        for (int i = 0; i < LONGEST; i++)
            if (ns > p->longest[i]) {
                memmove(p->longest + i + 1, p->longest + i, (size_t)(LONGEST - 1 - i) * sizeof ns);
                p->longest[i] = ns;
                break;
            }
    }
}

/* key: pressed before the picture is taken; 0: none is. */
static struct picture timeline(struct live *l, uint32_t key)
{
    static struct session_event ev[EVENTS_KEPT];
    struct pane_states states = {0};
    struct layout_pane pane = at(PANE_timeline, COLUMNS, 12);
    struct picture p = {.n = 0};
    int n;
    struct model *md = session_ops.view(l->s, ev, EVENTS_KEPT, &n);
    struct view v = {.md = md, .st = status(l), .states = &states, .ev = ev, .nev = n};
    struct pane_source from = {l->s, session_ops.search->query, session_ops.search->matches, NULL, NULL, NULL, NULL};
    CHECK(md && canvas_init(&p.c, COLUMNS, 40));
    if (key)
        panes_key(&v, &p.c, &pane, 0, key, &from);
    panes_prepare(&v, &p.c, &pane, 1, &from);
    panes_draw(&v, &p.c, &pane, 1);
    p.text = canvas_dump(&p.c);
    for (char *line = strtok(p.text, "\n"); line && p.n < 64; line = strtok(NULL, "\n"))
        p.row[p.n++] = line;
    model_free(md);
    pane_states_fini(&states);
    return p;
}

static int count(const char *row, const char *sign)
{
    int n = 0;
    for (; row && (row = strstr(row, sign)); row += strlen(sign))
        n++;
    return n;
}

/* The number behind a sign is one of the n longest pauses, to a hundredth of it; there is none if there is no room. */
static void check_length(const struct pauses *p, int n, const char *at_)
{
    char *unit;
    double number = strtod(at_, &unit);
    if (unit == at_)
        return;
    double ns = number * (!strncmp(unit, " ms", 3) ? 1e6 : !strncmp(unit, " µs", strlen(" µs")) ? 1e3 : 1);
    for (int i = 0; i < n; i++)
        if (ns * 100 > (double)p->longest[i] * 99 && ns * 100 < (double)p->longest[i] * 101)
            return;
    t_fail(__FILE__, __LINE__, "no pause of the %d longest is as long as %.12s", n, at_);
}

TEST(gaps_stand_where_nothing_happens_and_say_for_how_long)
{
    static const char sign[] = "┊", *args[] = {"--tempo", "max"};
    struct live l;
    struct pauses pauses = {{0}};
    int numbers = 0;
    live(&l, sleepy, args, 2);
    wait_end(&l);
    CHECK(session_ops.search->query(l.s, look_for_pauses, &pauses));
    struct picture p = timeline(&l, 0);
    const char *lane = row_with(&p, (const char *[]){"P0"}, 1), *axis = row_with(&p, (const char *[]){"0.000 µs"}, 1);
    int n = count(axis, sign);
    CHECK(n >= 2 && n < LONGEST);
    CHECK_INT(count(lane, sign), n);
    for (const char *at_ = axis; (at_ = strstr(at_, sign));) {
        at_ += strlen(sign);
        check_length(&pauses, n, at_);
        numbers += *at_ >= '0' && *at_ <= '9';
    }
    CHECK(numbers >= 2);
    HAS_ROW(&p, "┊ gap: nothing happens");
    picture_fini(&p);
    close_live(&l);
}

/* Nobody sleeps: no event comes much later than the one before. */
TEST(a_run_without_a_pause_has_no_gap)
{
    static const char *args[] = {"--tempo", "max"};
    struct live l;
    live(&l, "name: busy\nscheduler: {gomaxprocs: 1}\ngoroutines: [{name: main, do: [{yield: 40}]}]\n", args, 2);
    wait_end(&l);
    struct picture p = timeline(&l, 0);
    CHECK(anywhere(&p, "P0") && !anywhere(&p, "┊"));
    picture_fini(&p);
    close_live(&l);
}

/* Six bursts of 2 us in 25 ms: each lasts less than half a column, and ends in the column in which it begins or in the next. */
TEST(a_column_in_which_a_g_ran_briefly_is_not_idle)
{
    static const char *args[] = {"--tempo", "max"};
    struct live l;
    live(&l,
         "name: bursts\n"
         "scheduler: {gomaxprocs: 1}\n"
         "goroutines: [{name: main, do: [{loop: 5, do: [{compute: 2us}, {sleep: 5ms}]}, {compute: 2us}]}]\n",
         args, 2);
    wait_end(&l);
    struct picture p = timeline(&l, 'x');
    const char *lane = row_with(&p, (const char *[]){"P0"}, 1);
    CHECK(count(lane, ":") >= 6 && count(lane, ":") <= 12 && count(lane, "·") > 200);
    HAS_ROW(&p, ": idle, a G ran briefly");
    picture_fini(&p);
    close_live(&l);
}
