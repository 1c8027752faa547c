/* Panes: what a person sees is what the fold contains.
 *
 * The story is fed to the model as events with their sequence numbers (eventlog/README.md); then the canvas is read
 * as text. Expectations follow from the story, not from a picture. */
#include "layout/layout.h"
#include "story.h"
#include "ui/input/keys.h"
#include "ui/input/ui.h"
#include "ui/panes/layouts.h"
#include "ui/panes/parts/wrap.h"
#include "ui/term/themes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

TEST(a_row_shows_runnext_and_the_ring_in_order)
{
    struct story *s = story_new(2, 8);
    spawn(s, 8);
    struct view v = view_of(s);
    struct picture p = look(&v, at(PANE_processors, W, H));
    HAS_ROW(&p, "P", "M", "running", "runnext", "runq", "len");
    HAS_ROW(&p, "P0", "R", "M0", "G1", "main", "G9", "G2", "G3", "G4", "G5", "G6", "G7", "G8", " 7 ");
    HAS_ROW(&p, "P1", "I", "-", "-", "·");
    picture_fini(&p);
    story_free(s);
}

TEST(free_cells_of_a_small_ring_are_seen)
{
    struct story *s = story_new(1, 4);
    spawn(s, 3); /* two in the ring, one in runnext */
    struct view v = view_of(s);
    struct picture p = look(&v, at(PANE_processors, W, H));
    HAS_ROW(&p, "G4", "G2", "G3", "·", "·");
    picture_fini(&p);
    story_free(s);
}

TEST(a_long_ring_is_folded_in_the_middle)
{
    struct story *s = story_new(1, 256);
    spawn(s, 60); /* G2 … G60 in the ring, G61 in runnext */
    struct view v = view_of(s);
    struct picture p = look(&v, at(PANE_processors, W, H));
    HAS_ROW(&p, "P0", "G61", "G2 ", "…", "more", "…", "G60", " 59 ");
    picture_fini(&p);
    p = look(&v, at(PANE_processors, 70, H));
    HAS_ROW(&p, "P0", "G61", "G2 ", "…", "G60", " 59 ");
    picture_fini(&p);
    story_free(s);
}

/* 1 start tick 4 + main's g_start: schedtick 5, so 56 more until it is a multiple of 61. */
TEST(the_countdown_ends_when_the_global_queue_comes_first)
{
    struct story *s = story_new(1, 8);
    struct view v = view_of(s);
    CHECK_INT(model_p(s->md, 0)->schedtick, 5);
    struct picture p = look(&v, at(PANE_processors, W, H));
    HAS_ROW(&p, "P0", " 56 ");
    picture_fini(&p);
    story_free(s);
}

TEST(after_a_steal_each_g_is_where_it_went)
{
    struct story *s = steal_half(2);
    struct view v = view_of(s);
    struct picture p = look(&v, at(PANE_processors, W, H));
    HAS_ROW(&p, "P0", "R", "M0", "G1", "main", "G9", "G6", "G7", "G8", " 3 ");
    HAS_ROW(&p, "P1", "R", "M2", "G5", "worker", "-", "G2", "G3", "G4", " 3 ");
    picture_fini(&p);
    story_free(s);
}

/* ---- marks, rows ---- */

TEST(changes_since_the_last_stop_are_marked)
{
    struct story *s = story_new(2, 8);
    spawn(s, 8);
    thief_comes(s);
    struct model *base = model_clone(s->md);
    EVENT(STEAL, 2, 1, .g = 5, .a = 0, .b = 4 << 1, .c = 0, .d = 0);
    struct view v = view_of(s);
    struct picture p = look(&v, at(PANE_processors, W, H));
    CHECK(!strchr(p.row[3], '*'));
    picture_fini(&p);
    v.base = base;
    p = look(&v, at(PANE_processors, W, H));
    HAS_ROW(&p, "P1", "G2*", "G3*", "G4*");
    HAS_ROW(&p, "P0", "G6 ", "G7 ", "G8 ");
    picture_fini(&p);
    model_free(base);
    story_free(s);
}

static const char *marked_in(const struct view *v, enum pane_kind kind)
{
    struct picture p = look(v, at(kind, W, H));
    const char *text = marked(&p);
    picture_fini(&p);
    return text;
}

/* Values without room for a star are underlined; lists show what is new in them. */
TEST(every_pane_marks_changes)
{
    struct story *s = story_new(2, 8);
    spawn(s, 8);
    thief_comes(s);
    struct model *base = model_clone(s->md);
    EVENT(STEAL, 2, 1, .g = 5, .a = 0, .b = 4 << 1, .c = 0, .d = 0);
    struct view v = view_of(s);
    v.line = (const char[3][LINE_MAX_BYTES]){"one", "two", "three"};
    v.nlines = v.total_lines = 3;
    CHECK_STR(marked_in(&v, PANE_processors), "");
    diff_stop(&v, base, 2, true);
    CHECK_STR(marked_in(&v, PANE_processors), "33"); /* the lengths of both rings: 7 and 0 became 3 */
    CHECK_STR(marked_in(&v, PANE_global_queue), "");
    struct picture p = look(&v, at(PANE_threads, W, H));
    HAS_ROW(&p, "M2", "G5*"); /* M2 holds it now */
    picture_fini(&p);
    p = look(&v, at(PANE_output, W, 8));
    HAS_ROW(&p, "*three");
    CHECK(!anywhere(&p, "*two"));
    picture_fini(&p);
    EVENT(SPIN_STOP, 2, 1, .c = SPIN_STOP_FOUND_WORK, .b = 2); /* the sequence numbers continue */
    v = view_of(s);
    diff_stop(&v, base, 0, true);
    CHECK_STR(marked_in(&v, PANE_processors), "3F3"); /* row by row: M2 has stopped spinning */
    p = look(&v, at(PANE_narration, W, H));
    HAS_ROW(&p, "*", "steal");
    picture_fini(&p);
    model_free(base);
    story_free(s);
}

TEST(a_g_of_the_runtimes_own_has_a_short_name)
{
    struct story *s = story_new(2, 8);
    for (uint32_t i = 0; i < 9; i++) {
        EVENT(G_CREATE, 0, 0, .g = EV_SYSTEM_G + i, .a = 1, .b = EV_SYSTEM_FN, .c = i);
        EVENT(RUNNEXT_PUT, 0, 0, .g = EV_SYSTEM_G + i, .a = i ? EV_SYSTEM_G + i - 1 : 0);
        if (i)
            EVENT(RUNQ_PUT, 0, 0, .g = EV_SYSTEM_G + i - 1, .a = i - 1);
    }
    thief_comes(s);
    struct view v = view_of(s);
    CHECK_INT(g_width(&v), 3);
    for (int w = 64; w <= W; w += 6) {
        struct picture p = look(&v, at(PANE_processors, w, H));
        HAS_ROW(&p, "P0", "G1 ", "Gs9 ", "Gs1 ");
        picture_fini(&p);
    }
    EVENT(G_PARK, 0, 0, .g = 1, .a = 3, .b = WAIT_REASON_SLEEP);
    EVENT(RUNNEXT_GET, 0, 0, .g = EV_SYSTEM_G + 8, .a = 1);
    EVENT(G_START, 0, 0, .g = EV_SYSTEM_G + 8, .a = 2);
    v = view_of(s);
    static const struct {
        enum pane_kind kind;
        int w;
    } in[] = {{PANE_processors, 38}, {PANE_processors, 90}, {PANE_threads, 30}};
    char label[32];
    snprintf(label, sizeof label, "Gs9  %.3s", ev_system_label(EV_SYSTEM_FN));
    for (size_t i = 0; i < sizeof in / sizeof *in; i++) {
        struct picture p = look(&v, at(in[i].kind, in[i].w, H));
        HAS_ROW(&p, "R", label);
        picture_fini(&p);
    }
    story_free(s);
}

TEST(threads_show_what_they_do)
{
    struct story *s = story_new(2, 8);
    spawn(s, 3);
    thief_comes(s);
    EVENT(SYSCALL_ENTER, 0, 0, .g = 1, .a = 3, .b = 2);
    struct view v = view_of(s);
    v.st.time += 1100000;
    struct picture p = look(&v, at(PANE_threads, 60, 8));
    HAS_ROW(&p, "M0", "Y", "-", "G1", "main", "syscall", "1.1 ms", "was P0");
    HAS_ROW(&p, "M2", "S", "P1", "spinning");
    picture_fini(&p);
    p = look(&v, at(PANE_processors, W, H));
    HAS_ROW(&p, "P0", "Y", "-", "G1", "syscall");
    HAS_ROW(&p, "P1", "S", "M2", "spinning");
    picture_fini(&p);
    story_free(s);
}

TEST(the_global_queue_has_its_gs_and_counts)
{
    struct story *s = story_new(3, 2);
    spawn(s, 3); /* G2 G3 in the ring, G4 in runnext */
    EVENT(G_CREATE, 0, 0, .g = 5, .a = 1, .b = 1);
    EVENT(RUNNEXT_PUT, 0, 0, .g = 5, .a = 4);
    EVENT(RUNQ_OVERFLOW, 0, 0, .g = 4, .a = 2, .b = 0); /* half of two and G4 */
    EVENT(GLOBQ_PUT, 0, 0, .g = 2, .a = 2, .b = QUEUE_TAIL, .c = 1);
    struct view v = view_of(s);
    struct picture p = look(&v, at(PANE_global_queue, 48, 12));
    HAS_ROW(&p, "Global queue", "2");
    HAS_ROW(&p, "G2", "G4");
    HAS_ROW(&p, "spinning", "0", "max 1, half of 1 busy");
    HAS_ROW(&p, "idle P", "P1 P2");
    HAS_ROW(&p, "needspinning", "0");
    HAS_ROW(&p, "runnable", "4");
    HAS_ROW(&p, "parked", "0");
    picture_fini(&p);
    v.base = model_clone(s->md);
    EVENT(NEEDSPINNING, 0, 0, .a = 1, .b = 1);
    p = look(&v, at(PANE_global_queue, 40, 7)); /* the smallest size allowed: what changed does not touch its
                                                 * neighbour */
    HAS_ROW(&p, "needspinning 1 runnable 4  parked 0");
    picture_fini(&p);
    model_free((struct model *)v.base);
    story_free(s);
}

TEST(where_there_is_no_p_nothing_is_counted_about_it)
{
    static const char *const gone[] = {"idle P", "spinning"};
    struct story *s = story_new(3, 2);
    spawn(s, 3);
    struct view v = view_of(s);
    v.st.no_p = true;
    for (int h = 12; h >= 6; h -= 6) {
        struct picture p = look(&v, at(PANE_global_queue, 40, h));
        HAS_ROW(&p, "empty: Gs that can run wait here");
        HAS_ROW(&p, "idle M", "none");
        HAS_ROW(&p, "runnable", "3");
        HAS_ROW(&p, "parked", "0");
        for (int i = 0; i < p.n; i++)
            CHECK(!strstr(p.row[i], gone[0]) && !strstr(p.row[i], gone[1]));
        picture_fini(&p);
    }
    story_free(s);
}

/* ---- narration, status, output ---- */

/* A number alone is not enough: another run, or a branch, has another event of that number. */
TEST(a_sentence_is_kept_as_long_as_it_is_true)
{
    struct story *s = steal_half(2);
    struct view v = view_of(s);
    struct session_event e = {.number = 7, .m = 1, .ev = {.kind = EV_G_END, .g = 4}};
    char buf[SENTENCE_BYTES];
    CHECK((v.sentences = sentence_cache_new()));
    const char *kept = sentence_of(&v, &e, buf);
    CHECK_STR(kept, "G4 ends.");
    CHECK(kept != buf && sentence_of(&v, &e, buf) == kept);
    e.ev.g = 5;
    CHECK_STR(sentence_of(&v, &e, buf), "G5 ends.");
    v.lang = LANG_ZH;
    CHECK_STR(sentence_of(&v, &e, buf), "G5 结束。");
    e.ev = (struct ev){.kind = EV_P_ACQUIRE, .p = 0};
    CHECK_STR(sentence_of(&v, &e, buf), "M1 绑定 P0。");
    e.m = 2;
    CHECK_STR(sentence_of(&v, &e, buf), "M2 绑定 P0。");
    e.number = 0; /* not folded yet */
    CHECK(sentence_of(&v, &e, buf) == buf);
    free(v.sentences);
    story_free(s);
}

TEST(narration_has_core_events_with_the_newest_marked)
{
    struct story *s = steal_half(2);
    s->ev[s->n] = s->ev[s->n - 1];
    s->ev[s->n].number++;
    s->ev[s->n].ev = (struct ev){.kind = EV_FIND_STAGE, .a = FIND_LOCAL}; /* a detail event */
    struct view v = view_of(s);
    v.nev = s->n + 1;
    char detail[SENTENCE_BYTES];
    CHECK(strstr(sentence_of(&v, &s->ev[s->n], detail), " own queue"));
    struct picture p = look(&v, at(PANE_narration, 110, 8));
    HAS_ROW(&p, "M2 steals 4 Gs from P0 for P1 and holds G5.", "runqsteal");
    HAS_ROW(&p, "▶", "M2 runs G5 on P1.");
    HAS_ROW(&p, "event 35 is a detail"); /* the stop is there */
    HAS_ROW(&p, " own queue");
    picture_fini(&p);
    p = look(&v, at(PANE_narration, 40, 10));
    CHECK(anywhere(&p, " own") && anywhere(&p, "queue")); /* its sentence continues in the next line, too */
    picture_fini(&p);
    v.st.paused = false;
    p = look(&v, at(PANE_narration, 110, 8));
    CHECK(!anywhere(&p, " own queue"));
    picture_fini(&p);
    p = look(&v, at(PANE_narration, 40, 10)); /* narrow: sentences continue in the next line */
    HAS_ROW(&p, "M2 steals 4 Gs from P0");
    HAS_ROW(&p, "   and holds G5.");
    picture_fini(&p);
    story_free(s);
}

/* However little room there is, the newest sentence is left out, not the reason of the failure. */
TEST(narration_ends_with_the_failure)
{
    struct story *s = steal_half(2);
    struct view v = view_of(s);
    v.st.failed = v.st.ended = true;
    v.st.stop = (struct stop){.kind = STOP_FAILED, .text = "invariant: two Ms hold P0, which nobody has ever seen"};
    struct picture p = look(&v, at(PANE_narration, 40, 8));
    HAS_ROW(&p, "invariant: two Ms hold P0, which");
    HAS_ROW(&p, "nobody has ever seen");
    const char *newest[] = {"\u25b6"}, *why[] = {"nobody has ever seen"};
    CHECK(row_with(&p, newest, 1) && row_with(&p, newest, 1) < row_with(&p, why, 1)); /* rows follow each other in memory */
    picture_fini(&p);
    p = look(&v, at(PANE_narration, 40, 5));
    HAS_ROW(&p, "invariant: two Ms hold P0, which");
    picture_fini(&p);
    story_free(s);
}

static void has_status(const struct story *s, int w, const char *word, bool is_there)
{
    struct view v = view_of(s);
    struct picture p = look(&v, at(PANE_status, w, 1));
    if (anywhere(&p, word) != is_there)
        t_fail(__FILE__, __LINE__, "%s %s: %s", is_there ? "no" : "a", word, p.row[0]);
    picture_fini(&p);
}

TEST(the_status_says_when_the_world_stops_and_when_gc_marks)
{
    struct story *s = story_new(2, 8);
    has_status(s, 120, "WORLD", false);
    EVENT(STW_START, 0, 0, .a = STW_GC, .b = 1);
    has_status(s, 150, "the world stops: the collector needs it", true);
    EVENT(P_GCSTOP, 0, 0, .a = 2, .b = 2, .c = GCSTOP_STOPPER, .d = 1);
    has_status(s, 120, "the world stops", true);
    EVENT(P_GCSTOP, 0, 1, .a = 2, .b = 3, .c = GCSTOP_IDLE, .d = 0);
    has_status(s, 150, "WORLD STOPPED: the collector needs it", true);
    has_status(s, 60, "WORLD STOPPED", true);
    EVENT(GC_PHASE, 0, 0, .a = GCPHASE_MARK);
    EVENT(PROCRESIZE, 0, 0, .a = 2, .b = 2, .c = 4);
    EVENT(STW_END, 0, 0, .b = 5);
    has_status(s, 120, "GC marks", true);
    has_status(s, 120, "world", false);
    EVENT(GC_PHASE, 0, 0, .a = GCPHASE_OFF);
    has_status(s, 120, "GC", false);
    story_free(s);
}

TEST(a_p_in_nobodys_list_is_not_called_idle)
{
    struct story *s = story_new(1, 8);
    spawn(s, 1);
    EVENT(SYSCALL_ENTER, 0, 0, .g = 1, .a = 3, .b = 2);
    EVENT(M_START, 1, EV_NO_P, .a = 0, .b = EV_NONE, .c = 1);
    EVENT(RETAKE, 1, 0, .a = 3);
    struct view v = view_of(s);
    struct picture p = look(&v, at(PANE_processors, W, 8));
    HAS_ROW(&p, "P0 H", "handed over", "G2");
    picture_fini(&p);
    p = look(&v, at(PANE_threads, 46, 8)); /* as wide as at 120 columns: whole words only */
    HAS_ROW(&p, "M0 Y", "G1", "main", "syscall", "P0");
    HAS_ROW(&p, "M1 m", "sysmon");
    picture_fini(&p);
    story_free(s);
}

/* All Ps are busy: each new G reserves a wake-up and gives it back. One sentence says so once the wake-up is complete;
 * until then there is none. */
TEST(a_wake_up_without_an_idle_p_is_one_sentence)
{
    struct story *s = story_new(1, 8);
    spawn(s, 1);
    EVENT(WAKEP, 0, 0, .a = WAKEP_NEW_G, .b = 1);
    EVENT(NEEDSPINNING, 0, 0, .a = 1, .b = 2);
    struct view v = view_of(s);
    struct picture p = look(&v, at(PANE_narration, 110, 9));
    HAS_ROW(&p, "▶", "G2 becomes P0's runnext."); /* a sentence that is shown never disappears */
    CHECK(!anywhere(&p, "wants") && !anywhere(&p, "needspinning"));
    picture_fini(&p);
    EVENT(SPIN_STOP, 0, 0, .a = 0, .b = 3, .c = SPIN_STOP_NO_IDLE_P);
    v = view_of(s);
    p = look(&v, at(PANE_narration, 110, 9));
    HAS_ROW(&p, "▶", "No P is idle, so no M is woken.");
    HAS_ROW(&p, "G2 becomes P0's runnext.");
    CHECK(!anywhere(&p, "wants") && !anywhere(&p, "needspinning") && !anywhere(&p, "stops spinning"));
    picture_fini(&p);
    story_free(s);
}

/* Returns the column of a word in the status line of a story, in bytes. */
static int status_column(const struct view *v, int w, const char *word)
{
    struct picture p = look(v, at(PANE_status, w, 1));
    const char *found = strstr(p.row[0], word);
    int column = found ? (int)(found - p.row[0]) : -1;
    picture_fini(&p);
    CHECK(column > 0);
    return column;
}

/* The eye finds the time and the event where they were. */
TEST(nothing_in_the_status_line_moves_when_the_run_stops)
{
    struct story *s = story_new(2, 8);
    struct view v = view_of(s);
    v.st.generation = "go1.20";
    v.st.paused = false;
    for (int w = 80; w <= 200; w += 40) {
        struct view stopped = v;
        stopped.st.paused = true;
        stopped.st.stop = (struct stop){.kind = STOP_BREAKPOINT, .time = -1, .text = "steal n>=2"};
        CHECK_INT(status_column(&stopped, w, "PAUSED"), status_column(&v, w, "running"));
        if (w > 80)
            CHECK_INT(status_column(&stopped, w, "event"), status_column(&v, w, "event"));
    }
    story_free(s);
}

TEST(the_status_line_has_the_essentials_at_any_width)
{
    struct story *s = steal_half(2);
    struct view v = view_of(s);
    struct picture p = look(&v, at(PANE_status, 120, 1));
    HAS_ROW(&p, "story", "lockstep", "seed 7", "PAUSED", "event 34", "pending 0", "lost 0", "tempo 4/s");
    picture_fini(&p);
    p = look(&v, at(PANE_status, 30, 1));
    HAS_ROW(&p, "story", "PAUSED");
    picture_fini(&p);
    v.st.lost = 3;
    p = look(&v, at(PANE_status, 40, 1)); /* a loss is always shown */
    HAS_ROW(&p, "PAUSED", "lost 3");
    picture_fini(&p);
    v.st.ended = true;
    v.st.how = ENDED_DEADLOCK;
    p = look(&v, at(PANE_status, 120, 1));
    HAS_ROW(&p, "ENDED: deadlock");
    picture_fini(&p);
    v.st.failed = true;
    v.st.stop = (struct stop){.kind = STOP_FAILED, .text = "invariant: two Ms hold P0"};
    p = look(&v, at(PANE_status, 160, 1));
    HAS_ROW(&p, "FAILED: invariant: two Ms hold P0");
    picture_fini(&p);
    p = look(&v, at(PANE_status, 40, 1));
    HAS_ROW(&p, "FAILED: invariant ", "lost 3");
    picture_fini(&p);
    v.st = (struct session_status){.name = "story", .speed = {1, 1000}};
    p = look(&v, at(PANE_status, 120, 1));
    HAS_ROW(&p, "free", "running", "speed 1/1000");
    picture_fini(&p);
    story_free(s);
}

TEST(a_narrow_global_queue_cuts_no_count)
{
    struct story *s = steal_half(2);
    struct view v = view_of(s);
    struct picture p = look(&v, at(PANE_global_queue, 20, 11));
    HAS_ROW(&p, "spinning 0 max 1");
    HAS_ROW(&p, "idle P", "none");
    HAS_ROW(&p, "idle M", "none");
    picture_fini(&p);
    story_free(s);
}

/* The number of the event is what people name and go to. */
TEST(the_event_outranks_what_the_seed_has_drawn)
{
    struct story *s = steal_half(2);
    struct view v = view_of(s);
    snprintf(v.st.drawn, sizeof v.st.drawn, "n=5 us=2000");
    struct picture p = look(&v, at(PANE_status, 56, 1));
    HAS_ROW(&p, "PAUSED", "event 34");
    CHECK(!strstr(p.text, "us=2000"));
    picture_fini(&p);
    story_free(s);
}

TEST(output_shows_the_last_lines)
{
    static const char line[][LINE_MAX_BYTES] = {"one", "two", "three", "four"};
    struct story *s = story_new(1, 8);
    struct view v = view_of(s);
    v.line = line;
    v.nlines = 4;
    v.total_lines = 4;
    struct picture p = look(&v, at(PANE_output, 40, 4));
    HAS_ROW(&p, "three");
    HAS_ROW(&p, "four");
    for (int i = 0; i < p.n; i++)
        CHECK(!strstr(p.row[i], "two"));
    picture_fini(&p);
    story_free(s);
}

/* ---- the layout decides ---- */

static void pane_corner(const char *yaml, const char *title, int *x, int *y)
{
    struct diag d;
    struct layout_pane pane[16];
    struct canvas c;
    struct story *s = steal_half(2);
    struct view v = view_of(s);
    diag_init(&d, "x.yaml");
    struct layout *l = layout_load(t_file("x.yaml", yaml), &pane_kinds, &d);
    CHECK(l && canvas_init(&c, 120, 30));
    panes_draw(&v, &c, pane, layout_solve(l, 120, 30, pane, 16));
    *x = *y = -1;
    for (int i = 0; i < 120 * 30 && *x < 0; i++) {
        size_t k = 0;
        while (title[k] && i + (int)k < 120 * 30 && c.cell[i + (int)k].ch == (uint32_t)title[k])
            k++;
        if (!title[k])
            *x = i % 120, *y = i / 120;
    }
    canvas_fini(&c);
    layout_free(l);
    diag_fini(&d);
    story_free(s);
}

TEST(moving_a_pane_in_the_file_moves_it_on_the_screen)
{
    int x, y;
    pane_corner("{name: x, root: {split: columns, children: [{pane: processors}, {pane: threads}]}}", "Processors", &x, &y);
    CHECK(x < 60 && y == 0);
    pane_corner("{name: x, root: {split: columns, children: [{pane: threads}, {pane: processors}]}}", "Processors", &x, &y);
    CHECK(x > 60 && y == 0);
    pane_corner("{name: x, root: {split: rows, children: [{pane: threads}, {pane: processors}]}}", "Processors", &x, &y);
    CHECK(x < 60 && y == 15);
}

static struct layouts layouts_of(const char *requested)
{
    char path[512], dir[512];
    struct layouts l;
    struct diag d;
    snprintf(path, sizeof path, "%s/layouts/%s.yaml", SOURCE_DIR, requested);
    snprintf(dir, sizeof dir, "%s/layouts", SOURCE_DIR);
    diag_init(&d, path);
    CHECK(layouts_load(&l, path, dir, &d));
    diag_fini(&d);
    return l;
}

TEST(a_layout_that_does_not_fit_gives_way_to_the_nearest_that_does)
{
    struct layouts l = layouts_of("classic");
    int w, h;
    CHECK_STR(layout_name(layouts_pick(&l, 100, 30)), "classic");
    CHECK_STR(layout_name(layouts_pick(&l, 99, 30)), "compact");
    CHECK_STR(layout_name(layouts_pick(&l, 80, 24)), "compact");
    CHECK(layouts_pick(&l, 30, 8) == NULL);
    layouts_least(&l, &w, &h);
    CHECK(layouts_pick(&l, w, h) != NULL && layouts_pick(&l, w - 1, h) == NULL);
    layouts_free(&l);
    l = layouts_of("compact");
    CHECK_STR(layout_name(layouts_pick(&l, 200, 60)), "compact"); /* the requested one, however large the screen */
    layouts_free(&l);
}

/* Every pane at every small size, in both languages, with and without a model: nothing is drawn outside, nothing
 * crashes. */
TEST(any_size_can_be_drawn)
{
    struct story *s = steal_half(20);
    struct view v = view_of(s);
    v.base = s->md;
    for (int lang = 0; lang < LANGS; lang++)
        for (int kind = 0; kind < PANES; kind++)
            for (int w = 0; w < 70; w += 3)
                for (int h = 0; h < 12; h++) {
                    struct layout_pane pane = pane_standard((enum pane_kind)kind, (struct layout_rect){2, 1, w, h});
                    pane.option[0] = w % 2; /* processors: runq */
                    struct canvas c;
                    CHECK(canvas_init(&c, w + 4, h + 3));
                    v.lang = (enum lang)lang;
                    v.md = h % 5 == 4 ? NULL : s->md;
                    panes_draw(&v, &c, &pane, 1);
                    for (int i = 0; i < c.w * c.h; i++) {
                        int x = i % c.w, y = i / c.w;
                        bool in = x >= 2 && x < 2 + w && y >= 1 && y < 1 + h;
                        CHECK(in || c.cell[i].ch == ' ');
                    }
                    canvas_fini(&c);
                }
    story_free(s);
}

/* ---- tables ---- */

TEST(each_key_does_one_thing_and_is_explained)
{
    for (int i = 0; i < nkeys; i++) {
        CHECK(keys[i].fn && keys[i].name[0]);
        CHECK(tx(LANG_EN, keys[i].help)[0] && tx(LANG_ZH, keys[i].help)[0]);
        CHECK(key_find(keys[i].code) == &keys[i]);
        CHECK(!keys[i].also || key_find(keys[i].also) == &keys[i]);
    }
    CHECK(key_find('=') == key_find('+') && key_find('=') != NULL);
    CHECK(key_find('x') == NULL && key_find(0) == NULL);
}

static bool names_key(const struct ui *u, uint32_t code)
{
    struct key_hint hint[KEY_HINTS_MAX];
    for (int i = key_hints(u, hint); i-- > 0;)
        if (hint[i].code == code)
            return true;
    return false;
}

TEST(the_key_line_has_the_keys_of_the_contract)
{
    static struct ui u = {.nruns = 1};
    struct key_hint hint[KEY_HINTS_MAX];
    struct story *s = story_new(1, 8);
    struct view v = view_of(s);
    v.hint = hint;
    v.nhints = key_hints(&u, hint);
    struct picture p = look(&v, at(PANE_keys, 80, 1));
    HAS_ROW(&p, "space", "s ", "n ", "- +", "m ", "? help", "q quit");
    picture_fini(&p);
    CHECK(names_key(&u, 'c') && names_key(&u, 'm'));
    u.run->st.refused = 1u << CAN_DECIDE;
    CHECK(!names_key(&u, 'c') && names_key(&u, 'm'));
    u.run->st.refused = 0;
    CHECK(names_key(&u, 'c'));
    u.run->st.ended = true; /* the run is over: only the remaining commands are offered */
    v.nhints = key_hints(&u, hint);
    p = look(&v, at(PANE_keys, 80, 1));
    HAS_ROW(&p, "? help", "q quit");
    CHECK(!anywhere(&p, "space") && !anywhere(&p, "step") && !anywhere(&p, "tempo") && !anywhere(&p, "mode"));
    picture_fini(&p);
    story_free(s);
}

/* The texts are formats: each language has the same conversions in the same order. */
static void same_formats(const char *a, const char *b)
{
    for (a = strchr(a, '%'), b = strchr(b, '%'); a && b; a = strchr(a + 1, '%'), b = strchr(b + 1, '%'))
        CHECK_INT(a[1], b[1]);
    CHECK_INT(a != NULL, b != NULL);
}

TEST(every_text_has_the_same_format_in_each_language)
{
    for (int i = 0; i < TEXTS; i++) {
        const char *en = tx(LANG_EN, (enum text_id)i);
        CHECK(en && *en && *tx(LANG_ZH, (enum text_id)i));
        for (int lang = 0; lang < LANGS; lang++)
            same_formats(en, tx((enum lang)lang, (enum text_id)i));
    }
}

TEST(themes_are_found_by_name)
{
    for (size_t i = 0; i < THEMES; i++)
        CHECK_STR(theme_find(theme_name[i])->name, theme_name[i]);
    CHECK_STR(theme_find("no such")->name, "default");
    for (int r = 0; r < ROLES; r++)
        CHECK(theme_look(theme_find("mono"), r)->fg256 == -1 && theme_look(theme_find("mono"), r)->fg8 == -1);
}

/* Chinese breaks between any two glyphs, but a line neither begins with closing punctuation nor ends with an opening one. */
TEST(chinese_punctuation_stays_with_its_glyph)
{
    struct canvas c;
    CHECK(canvas_init(&c, 10, 4));
    CHECK_INT(wrap_draw(&c, (struct rect){0, 0, 10, 4}, ROLE_plain, "一二三四五，六七八（九）十"), 3);
    char *text = canvas_dump(&c);
    CHECK_STR(text, "一二三四\n五，六七八\n（九）十\n\n");
    free(text);
    canvas_fini(&c);
}
