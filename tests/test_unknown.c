/* Each pane of a source that does not see everything: what is unknown is "?", what is derived has "~". A list of events made by hand plays the
 * source: states without a cause, a gap, counts without contents.
 *
 * UPDATE=1 rewrites the pictures of tests/screens. */
#include "golden.h"
#include "model/history/history.h"
#include "story.h"
#include "ui/panes/parts/life.h"
#include "unknown.h"

#include <ctype.h>

/* The events, as a source would offer them, with the history that panes ask. */
struct tale {
    struct story *s;
    struct history *h;
};

static void tell(struct tale *t, uint32_t m, struct ev e)
{
    story_event(t->s, m, e);
    e.time = t->s->time;
    CHECK(history_add(t->h, t->s->md, m, &e, NULL, 0));
}
#define TELL(kind_, m, p_, ...) tell(t, m, (struct ev){.kind = EV_##kind_, .p = p_, __VA_ARGS__})
#define SEEN(state, why) ((uint32_t)(state) | (uint32_t)(why) << 8)

static struct tale *tale_new(uint32_t lacks)
{
    struct tale *t = calloc(1, sizeof *t);
    t->s = calloc(1, sizeof *t->s);
    t->s->md = partial(lacks);
    t->h = history_new(t->s->md, &(struct history_config){.budget = 1 << 24});
    CHECK(t->h);
    return t;
}

static void tale_free(struct tale *t)
{
    history_free(t->h);
    story_free(t->s);
    free(t);
}

/* A trace of Go's own that begins in the middle: P0 runs G1 on M3, P1 is idle, P2 is in a system call, of P3 only its name is known. G5 waits, G6 is
 * runnable, the state of G8 is not recorded. Then G1 makes G9 and readies G5. */
static struct tale *go_trace(void)
{
    struct tale *t = tale_new(GO_TRACE);
    TELL(P_SEEN, 3, 0, .a = P_SEEN_RUNNING, .b = 3);
    TELL(G_SEEN, 3, 0, .g = 1, .a = G_SEEN_RUNNING, .b = 3, .c = 0);
    TELL(P_SEEN, 3, 1, .a = P_SEEN_IDLE, .b = EV_NONE);
    TELL(P_SEEN, 3, 2, .a = P_SEEN_SYSCALL, .b = EV_NONE);
    TELL(P_SEEN, 3, 3, .a = P_SEEN_UNKNOWN, .b = EV_NONE);
    TELL(G_SEEN, 3, EV_NO_P, .g = 5, .a = G_SEEN_WAITING | WAIT_REASON_CHAN_RECEIVE << 16, .b = EV_NONE, .c = EV_NONE);
    TELL(G_SEEN, 3, EV_NO_P, .g = 7, .a = G_SEEN_WAITING, .b = EV_NONE, .c = 1);
    TELL(G_SEEN, 3, EV_NO_P, .g = 6, .a = G_SEEN_RUNNABLE, .b = EV_NONE, .c = 1);
    TELL(G_SEEN, 3, EV_NO_P, .g = 8, .a = G_SEEN_UNKNOWN, .b = EV_NONE, .c = EV_NONE);
    TELL(M_SEEN, 4, EV_NO_P, .a = M_SEEN_UNKNOWN);
    TELL(G_CREATE, 3, 0, .g = 9, .a = 1, .b = 1, .c = 4);
    TELL(G_READY, 3, 0, .g = 5, .b = 1);
    return t;
}

/* Lengths of queues, as GODEBUG=schedtrace prints them: nothing else is known. */
static struct tale *counts(void)
{
    struct tale *t = tale_new(COUNTS);
    TELL(COUNT_SEEN, 0, EV_NO_P, .a = SEEN_PS, .b = 3);
    TELL(COUNT_SEEN, 0, EV_NO_P, .a = SEEN_GLOBQ, .b = 3);
    TELL(COUNT_SEEN, 0, EV_NO_P, .a = SEEN_SPINNING, .b = 1);
    TELL(COUNT_SEEN, 0, EV_NO_P, .a = SEEN_IDLE_P, .b = 1);
    TELL(COUNT_SEEN, 0, 0, .a = SEEN_RUNQ, .b = 2);
    TELL(COUNT_SEEN, 0, 1, .a = SEEN_RUNQ, .b = 0);
    TELL(COUNT_SEEN, 0, 2, .a = SEEN_RUNQ, .b = 4);
    return t;
}

/* A source that records everything, but began late and then lost some events. */
static struct tale *late(void)
{
    struct tale *t = tale_new(LATE);
    TELL(RUNQ_GET, 1, 0, .g = 5, .a = 17);
    TELL(G_START, 1, 0, .g = 5);
    TELL(G_CREATE, 1, 0, .g = 9, .a = 5, .b = 1, .c = 2);
    TELL(RUNQ_PUT, 1, 0, .g = 9, .a = 20);
    TELL(STEAL, 2, 1, .g = 6, .a = 0, .b = 2 << 1, .c = 18);
    TELL(G_START, 2, 1, .g = 6);
    TELL(G_SEEN, 1, 0, .g = 5, .a = SEEN(G_SEEN_WAITING, SEEN_GAP) | WAIT_REASON_SLEEP << 16, .b = EV_NONE, .c = EV_NONE);
    return t;
}

static struct view view_from(const struct tale *t, enum lang lang)
{
    struct view v = view_of(t->s);
    v.lang = lang;
    v.st.generation = "go1.20";
    v.st.newest_time = t->s->time;
    return v;
}

/* ---- pictures ---- */

static struct session_told {
    struct history *h;
} told;

static bool ask_history(struct session *s, session_ask *ask, void *ctx)
{
    (void)s;
    ask(told.h, ctx);
    return true;
}

static char *picture_of(const struct tale *t, enum pane_kind kind, int w, int h, enum lang lang, uint32_t selected)
{
    struct view v = view_from(t, lang);
    struct canvas c;
    struct pane_states states = {0};
    struct layout_pane pane = pane_standard(kind, (struct layout_rect){0, 0, w, h});
    struct pane_source from = {.query = ask_history};
    told.h = t->h;
    v.states = &states;
    v.selected = selected;
    v.on_screen = 1u << kind;
    CHECK(canvas_init(&c, w, h));
    panes_prepare(&v, &c, &pane, 1, &from);
    panes_draw(&v, &c, &pane, 1);
    char *text = canvas_dump(&c);
    pane_states_fini(&states);
    canvas_fini(&c);
    CHECK(text);
    return text;
}

/* Panes that show the state of the scheduler. */
static const struct {
    enum pane_kind kind;
    const char *name;
    char prefix; /* what is selected */
    uint32_t id;
} shows[] = {
    {PANE_processors, "processors", 0, 0},
    {PANE_global_queue, "global_queue", 0, 0},
    {PANE_threads, "threads", 0, 0},
    {PANE_waiting, "waiting", 0, 0},
    {PANE_goroutine, "goroutine", 'G', 6},
    {PANE_search_order, "search_order", 'M', 3},
    {PANE_steal_matrix, "steal_matrix", 0, 0},
    {PANE_timers_netpoll, "timers_netpoll", 0, 0},
    {PANE_inspect, "inspect", 'P', 0},
    {PANE_timeline, "timeline", 0, 0},
    {PANE_metrics, "metrics", 0, 0},
    {PANE_stage, "stage", 0, 0},
    {PANE_population, "population", 0, 0},
    {PANE_narration, "narration", 0, 0},
    {PANE_output, "output", 0, 0},
};
enum { SHOWN = sizeof shows / sizeof *shows };

static void check_pictures(const struct tale *t, const char *of, int w, int h, enum lang lang)
{
    for (int i = 0; i < SHOWN; i++) {
        char name[96];
        char *text = picture_of(t, shows[i].kind, w, h, lang, shows[i].prefix ? tag_of(shows[i].prefix, shows[i].id) : 0);
        snprintf(name, sizeof name, "unknown-%s%s-%dx%d%s", of, shows[i].name, w, h, lang == LANG_ZH ? "-zh" : "");
        check_screen(name, text);
        free(text);
    }
}

TEST(panes_of_a_go_trace)
{
    struct tale *t = go_trace();
    check_pictures(t, "", 120, 40, LANG_EN);
    tale_free(t);
}

/* `y`: what keeps a G from running ends where the source says no more. */
TEST(why_a_g_does_not_run_is_not_always_recorded)
{
    static const struct {
        uint32_t g;
        const char *en, *zh;
    } why[] = {{6, "this source does not record its queue", "此来源未记录它在哪个队列"},
               {7, "this source does not record what for", "此来源未记录原因"},
               {8, "this source does not record its state", "此来源未记录它的状态"}};
    struct tale *t = go_trace();
    for (size_t i = 0; i < sizeof why / sizeof *why; i++)
        for (int lang = LANG_EN; lang <= LANG_ZH; lang++) {
            struct causes c = {0};
            struct view v = view_from(t, (enum lang)lang);
            causes_of(&c, why[i].g, &v, t->h);
            CHECK(c.n >= 1 && strstr(c.v[0].text, lang == LANG_ZH ? why[i].zh : why[i].en));
        }
    tale_free(t);
}

TEST(panes_of_counts_without_contents)
{
    struct tale *t = counts();
    check_pictures(t, "counts-", 120, 40, LANG_EN);
    tale_free(t);
}

TEST(panes_of_a_source_that_came_late)
{
    struct tale *t = late();
    check_pictures(t, "late-", 80, 24, LANG_EN);
    check_pictures(t, "late-", 80, 24, LANG_ZH);
    tale_free(t);
}

/* ---- no pane guesses ---- */

/* Three Ps, two Ms and three Gs of which only the names are known. */
static struct tale *names_only(void)
{
    struct tale *t = tale_new(GO_TRACE);
    for (uint32_t p = 0; p < 3; p++)
        TELL(P_SEEN, 3, (uint16_t)p, .a = P_SEEN_UNKNOWN, .b = EV_NONE);
    TELL(M_SEEN, 1, EV_NO_P, .a = M_SEEN_UNKNOWN);
    TELL(M_SEEN, 3, EV_NO_P, .a = M_SEEN_UNKNOWN);
    for (uint32_t g = 5; g < 8; g++)
        TELL(G_SEEN, 3, EV_NO_P, .g = g, .a = G_SEEN_UNKNOWN, .b = EV_NONE, .c = EV_NONE);
    return t;
}

/* Removes what has digits or one of the words, but says nothing of the state: ids, headings, times and numbers of events, bounds. */
static void strip_names(char *text)
{
    static const char *const harmless[] = {"to 61", "idle P",      "idle M",         "longest wait", "events: 8",   "100ns",        "8 ns",
                                           "80 ns", "0.080 µs",    "0.000 µs",       "ev 8",         "number",      "findRunnable", "timer",
                                           "1.20",  "column is 0", "column is 1 ns", "event 8",      "3 in a state"};
    for (size_t i = 0; i < sizeof harmless / sizeof *harmless; i++)
        for (char *at; (at = strstr(text, harmless[i]));)
            memset(at, ' ', strlen(harmless[i]));
    for (char *at = text; *at; at++)
        if ((*at == 'G' || *at == 'P' || *at == 'M' || *at == '~') && isdigit((unsigned char)at[1]))
            for (*at++ = ' '; isdigit((unsigned char)*at);)
                *at++ = ' ';
}

TEST(no_pane_draws_a_number_or_a_state_that_nobody_knows)
{
    static const char *const words[] = {"idle", "empty", "none", "nobody", "free", "·", "█"};
    static const enum pane_kind kinds[] = {
        PANE_processors,     PANE_global_queue, PANE_threads,    PANE_waiting,  PANE_search_order, PANE_steal_matrix,
        PANE_timers_netpoll, PANE_metrics,      PANE_population, PANE_timeline, PANE_stage};
    struct tale *t = names_only();
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        for (int w = 80; w <= 120; w += 40) {
            char *text = picture_of(t, kinds[i], w, 30, LANG_EN, 0);
            if (!strchr(text, '?') && kinds[i] != PANE_population)
                t_fail(__FILE__, __LINE__, "%s has no ?:\n%s", pane_name((int)kinds[i]), text);
            strip_names(text);
            for (size_t k = 0; k < sizeof words / sizeof *words; k++)
                if (strstr(text, words[k]) && !(kinds[i] == PANE_stage && k + 2 >= sizeof words / sizeof *words)) /* large letters */
                    t_fail(__FILE__, __LINE__, "%s says \"%s\":\n%s", pane_name((int)kinds[i]), words[k], text);
            for (const char *at = text; *at; at++)
                if (isdigit((unsigned char)*at))
                    t_fail(__FILE__, __LINE__, "%s has a number, \"%.12s\":\n%s", pane_name((int)kinds[i]), at, text);
            free(text);
        }
    tale_free(t);
}

/* Whatever a stranger's file says, each pane draws it. */
TEST(panes_draw_any_sequence)
{
    static const uint32_t of[] = {GO_TRACE, LATE};
    for (uint64_t seed = 1; seed <= (uint64_t)t_count(12, 2000); seed++) {
        struct tale *t = tale_new(of[seed % 2]);
        struct prng r;
        prng_seed(&r, seed, 2);
        for (int i = 0; i < 2000 && t->s->n < 250; i++) {
            struct ev e = any_event(&r, t->s->time + 10);
            uint32_t m = prng_below(&r, 5);
            if (e.time != t->s->time + 10 || model_offer(t->s->md, m, &e, NULL, 0) != OFFER_APPLIED)
                continue;
            t->s->time = e.time;
            t->s->ev[t->s->n] = (struct session_event){.number = (uint64_t)t->s->n + 1, .m = m, .ev = e};
            t->s->n++;
            CHECK(history_add(t->h, t->s->md, m, &e, NULL, 0));
        }
        for (int i = 0; i < SHOWN; i++)
            for (uint32_t id = 0; id < 3; id++)
                free(picture_of(t, shows[i].kind, 100, 30, LANG_EN, tag_of("PMG"[seed % 3], id)));
        tale_free(t);
    }
}
