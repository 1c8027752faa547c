/* Arrows: a steal is shown from its victim to its thief, while its event is among the newest. */
#include "story.h"
#include "ui/panes/parts/arrows.h"

static int find(const struct canvas *c, int y, uint32_t ch)
{
    for (int x = 0; x < c->w; x++)
        if (c->cell[y * c->w + x].ch == ch)
            return x;
    return -1;
}

static int row_of(const struct canvas *c, const char *label)
{
    for (int y = 0; y < c->h; y++)
        if (c->cell[y * c->w + 2].ch == (uint32_t)label[0] && c->cell[y * c->w + 3].ch == (uint32_t)label[1])
            return y;
    t_fail(__FILE__, __LINE__, "no row %s", label);
}

/* The tail with its number is on the victim's row, the head on the thief's row, and the lane joins them. */
static void check_arrow(const struct canvas *c, int from, int to, uint32_t number)
{
    int lane = find(c, from, from < to ? 0x256e : 0x256f);
    CHECK(lane > 0 && lane < c->w - 1);
    CHECK_INT(c->cell[to * c->w + lane].ch, from < to ? 0x256f : 0x256e);
    for (int y = (from < to ? from : to) + 1; y < (from < to ? to : from); y++)
        CHECK_INT(c->cell[y * c->w + lane].ch, 0x2502);
    int head = find(c, to, 0x25c0);
    CHECK(head > 0 && head < lane);
    for (int x = head + 1; x < lane; x++)
        CHECK_INT(c->cell[to * c->w + x].ch, 0x2500);
    bool numbered = false;
    for (int x = 40; x < lane; x++)
        numbered |= c->cell[from * c->w + x].ch == number;
    CHECK(numbered);
    CHECK_INT(find(c, from, 0x25c0), -1);
}

static struct arrow only_arrow(const struct view *v)
{
    struct arrow a[ARROWS_MAX];
    CHECK_INT(arrows_of(v, a), 1);
    return a[0];
}

TEST(a_steal_is_an_arrow_from_the_victim_to_the_thief)
{
    struct story *s = steal_half(4);
    struct view v = view_of(s);
    CHECK_INT(only_arrow(&v).n, 4);
    struct picture p = look(&v, at(PANE_processors, W, H));
    check_arrow(&p.c, row_of(&p.c, "P0"), row_of(&p.c, "P1"), '4');
    picture_fini(&p);
    struct ev *steal = &s->ev[s->n - 3].ev; /* upwards, over two rows */
    CHECK_INT(steal->kind, EV_STEAL);
    steal->a = 1;
    steal->p = 0;
    p = look(&v, at(PANE_processors, 80, H));
    check_arrow(&p.c, row_of(&p.c, "P1"), row_of(&p.c, "P0"), '4');
    picture_fini(&p);
    struct layout_pane without = at(PANE_processors, W, H);
    without.option[1] = false; /* arrows */
    p = look(&v, without);
    CHECK_INT(find(&p.c, row_of(&p.c, "P0"), 0x25c0), -1);
    picture_fini(&p);
    story_free(s);
}

/* Makes the last two events steals from P0 for P1, of 4 Gs and of 2. */
static struct story *two_steals(void)
{
    struct story *s = steal_half(2);
    struct session_event *steal = &s->ev[s->n - 3];
    s->ev[s->n - 1].ev = s->ev[s->n - 2].ev = steal->ev;
    s->ev[s->n - 1].ev.b = 2 << 1;
    steal->ev.kind = EV_SPIN_START;
    return s;
}

TEST(two_steals_between_the_same_ps_share_a_line)
{
    struct story *s = two_steals();
    struct view v = view_of(s);
    v.st.paused = false;
    struct picture p = look(&v, at(PANE_processors, W, H));
    HAS_ROW(&p, "P0", "─4+2─");
    picture_fini(&p);
    v.st.paused = true; /* a stop shows what happened last */
    p = look(&v, at(PANE_processors, W, H));
    HAS_ROW(&p, "P0", "──2──");
    picture_fini(&p);
    story_free(s);
}

/* Later core events let the arrow fade and then disappear; detail events do not count. */
TEST(an_arrow_fades_with_the_events_after_it)
{
    static const enum role want[] = {
        ROLE_arrow, ROLE_arrow, ROLE_arrow_fading, ROLE_arrow_fading, ROLE_arrow_fading, ROLE_arrow_old, ROLE_arrow_old, ROLE_arrow_old};
    struct session_event ev[10] = {{.number = 1, .ev = {.kind = EV_STEAL, .p = 1, .a = 0, .b = 1}}};
    struct view v = {.ev = ev, .nev = 1};
    struct arrow a[ARROWS_MAX];
    for (int i = 1; i < 10; i++)
        ev[i] = (struct session_event){.number = (uint64_t)i + 1, .ev = {.kind = EV_G_START, .p = 1, .g = 5}};
    for (; v.nev <= 8; v.nev++)
        CHECK_INT(arrow_role(&(struct arrow[]){only_arrow(&v)}[0]), want[v.nev - 1]);
    CHECK_INT(only_arrow(&(struct view){.ev = ev, .nev = 1}).n, 1); /* a stolen runnext counts as one */
    CHECK_INT(arrows_of(&v, a), 0);
    for (int i = 1; i < 10; i++)
        ev[i].ev.kind = EV_FIND_STAGE;
    CHECK_INT(arrow_role(&(struct arrow[]){only_arrow(&v)}[0]), ROLE_arrow);
}

/* A stop shows what happened since the stop before, and nothing older. */
TEST(an_arrow_from_before_the_last_stop_is_gone)
{
    struct story *s = steal_half(2);
    struct arrow a[ARROWS_MAX];
    struct view v = view_of(s);
    v.base = s->md; /* all events of the story were there */
    v.st.events++;
    CHECK_INT(arrows_of(&v, a), 0);
    v.st.events--; /* after a step back the newest event counts */
    v.nev -= 2;
    CHECK_INT(arrows_of(&v, a), 1);
    story_free(s);
}

TEST(too_many_steals_are_counted_as_well)
{
    enum { N = 50 };
    struct story *s = steal_half(2);
    static struct session_event ev[N];
    struct view v = view_of(s);
    for (int i = 0; i < N; i++)
        ev[i] = (struct session_event){.number = (uint64_t)i + 1, .ev = {.kind = EV_STEAL, .p = 1, .a = 0, .b = 2, .time = i * 1000000}};
    v.ev = ev;
    v.nev = N;
    v.st.paused = false;
    CHECK_INT(arrows_rate(&v), 0); /* in lockstep a person sees each of them */
    v.st.lockstep = false;
    CHECK_INT(arrows_rate(&v), 1020);
    struct picture p = look(&v, at(PANE_processors, W, H));
    HAS_ROW(&p, "Processors", "1020 steals/s");
    picture_fini(&p);
    story_free(s);
}

TEST(overlapping_arrows_get_lanes_of_their_own)
{
    struct span s[] = {{0, 3, 0}, {1, 2, 0}, {4, 6, 0}, {3, 4, 0}, {7, 9, 0}};
    CHECK_INT(arrows_lanes(s, 5), 2);
    CHECK_INT(s[0].lane, 0);
    CHECK_INT(s[1].lane, 1);
    CHECK_INT(s[2].lane, 0);
    CHECK_INT(s[3].lane, 1); /* it touches row 3 of the first and row 4 of the third, but not rows 1..2 of the second */
    CHECK_INT(s[4].lane, 0);
}

/* ---- other moves ---- */

static bool has_arrow(const struct view *v, enum arrow_kind kind, uint32_t from, uint32_t to, uint32_t n)
{
    struct arrow a[ARROWS_MAX];
    int found = 0, all = arrows_of(v, a);
    for (int i = 0; i < all; i++)
        found += a[i].kind == kind && a[i].from == from && a[i].to == to && a[i].n == n;
    return found == 1;
}

TEST(moves_to_and_from_the_global_queue_are_arrows)
{
    struct story *s = story_new(3, 2);
    spawn(s, 3); /* G2 G3 in the ring, G4 in runnext */
    EVENT(G_CREATE, 0, 0, .g = 5, .a = 1, .b = 1);
    EVENT(RUNNEXT_PUT, 0, 0, .g = 5, .a = 4);
    EVENT(RUNQ_OVERFLOW, 0, 0, .g = 4, .a = 2, .b = 0); /* half of two and G4 */
    struct view v = view_of(s);
    CHECK(has_arrow(&v, ARROW_TO_GLOBQ, 0, 0, 2));
    struct picture p = look(&v, at(PANE_processors, W, H));
    HAS_ROW(&p, "P0", "──2", "─▶Q");
    picture_fini(&p);
    EVENT(GLOBQ_PUT, 0, 0, .g = 2, .a = 2, .b = QUEUE_TAIL, .c = 1);
    EVENT(G_END, 0, 0, .g = 1, .a = 3);
    EVENT(GLOBQ_GET, 0, 0, .g = 2, .a = 1, .b = GLOBQ_TICK61, .c = 2);
    v = view_of(s);
    CHECK(has_arrow(&v, ARROW_FROM_GLOBQ, 0, 0, 1));
    p = look(&v, at(PANE_processors, W, H));
    HAS_ROW(&p, "P0", "◀──", "1", "─Q");
    picture_fini(&p);
    story_free(s);
}

/* M2 sleeps; then M0 wakes it for P1. */
TEST(a_wake_up_is_an_arrow_with_the_m)
{
    struct story *s = story_new(2, 8);
    thief_comes(s);
    EVENT(SPIN_STOP, 2, 1, .c = SPIN_STOP_NOTHING_FOUND, .b = 2);
    EVENT(P_RELEASE, 2, 1, .a = 4);
    EVENT(P_IDLE, 2, 1, .a = 5, .b = 2);
    EVENT(M_PARK, 2, EV_NO_P, .a = 3);
    EVENT(P_TAKE, 0, 1, .a = 6, .b = 4);
    EVENT(M_WAKE, 0, 0, .a = 2, .b = 5, .d = 1);
    struct view v = view_of(s);
    CHECK(has_arrow(&v, ARROW_WAKE, 0, 1, 2));
    struct picture p = look(&v, at(PANE_processors, W, H));
    HAS_ROW(&p, "P0", "M2");
    check_arrow(&p.c, row_of(&p.c, "P0"), row_of(&p.c, "P1"), 'M');
    picture_fini(&p);
    story_free(s);
}

/* ---- hand-offs and ghosts ---- */

static bool has_row(const struct picture *p, const char *label, const char *part)
{
    return row_with(p, (const char *const[]){label, part}, 2) != NULL;
}

/* G1 is in a system call; sysmon takes P0 from M0, and M2 gets it. */
static struct story *handed_off(void)
{
    struct story *s = story_new(1, 8);
    EVENT(SYSCALL_ENTER, 0, 0, .g = 1, .a = 3, .b = 2, .c = CALL_SYSCALL);
    EVENT(M_START, 1, EV_NO_P, .b = 0, .c = 1);
    EVENT(RETAKE, 1, 0, .a = 3, .b = RETAKE_WORK_WAITS);
    EVENT(HANDOFF, 1, 0, .a = HANDOFF_LOCAL_WORK);
    EVENT(M_START, 2, EV_NO_P, .b = 1);
    EVENT(P_ACQUIRE, 2, 0, .a = 4);
    return s;
}

TEST(a_hand_off_is_an_arrow_from_the_m_that_had_the_p)
{
    struct story *s = handed_off();
    struct view v = view_of(s);
    CHECK(has_arrow(&v, ARROW_HANDOFF, 0, 0, 2));
    struct picture p = look(&v, at(PANE_processors, W, H));
    HAS_ROW(&p, "P0", "M0▶M2");
    picture_fini(&p);
    story_free(s);
}

TEST(an_idle_p_that_an_m_takes_is_no_hand_off)
{
    struct story *s = story_new(2, 8);
    struct arrow a[ARROWS_MAX];
    thief_comes(s);
    struct view v = view_of(s);
    CHECK_INT(arrows_of(&v, a), 0);
    story_free(s);
}

/* The stolen Gs stay visible in front of the others until the next core event, and do not move them. */
TEST(what_was_stolen_leaves_ghosts_for_one_event)
{
    struct story *s = steal_half(2);
    struct view v = view_of(s);
    struct picture p = look(&v, at(PANE_processors, W, H));
    CHECK(!has_row(&p, "P0", "G2·"));
    picture_fini(&p);
    story_free(s);
    s = story_new(2, 8);
    spawn(s, 8);
    thief_comes(s);
    EVENT(STEAL, 2, 1, .g = 5, .a = 0, .b = 4 << 1);
    v = view_of(s);
    p = look(&v, at(PANE_processors, W, H));
    HAS_ROW(&p, "P0", "G2·", "G5·", "G6", "G8");
    picture_fini(&p);
    v.st.lockstep = v.st.paused = false; /* too many events between two pictures */
    p = look(&v, at(PANE_processors, W, H));
    CHECK(!has_row(&p, "P0", "G2·"));
    picture_fini(&p);
    story_free(s);
}

TEST(a_g_that_ends_and_an_m_that_leaves_are_ghosts)
{
    struct story *s = story_new(1, 8);
    EVENT(G_END, 0, 0, .g = 1, .a = 3);
    struct view v = view_of(s);
    struct picture p = look(&v, at(PANE_processors, W, H));
    HAS_ROW(&p, "P0", "G1·");
    picture_fini(&p);
    EVENT(P_RELEASE, 0, 0, .a = 2);
    v = view_of(s);
    p = look(&v, at(PANE_processors, W, H));
    HAS_ROW(&p, "P0", "M0·");
    CHECK(!has_row(&p, "P0", "G1·"));
    picture_fini(&p);
    story_free(s);
}
