/* A run whose source does not see everything, behind engine, session and screen: a run file made by hand, with states without a cause and lengths
 * without contents. UPDATE=1 rewrites the pictures. */
#include "engine/recorder.h"
#include "engine/source_file.h"
#include "game.h"
#include "golden.h"
#include "trace/run_file.h"
#include "unknown.h"

static const char *const names[] = {"main", "worker"};

/* A trace of Go's own that begins in the middle, with one count in it. */
static const struct {
    uint32_t m;
    struct ev e;
} events[] = {
    {3, {.kind = EV_P_SEEN, .p = 0, .a = P_SEEN_RUNNING, .b = 3}},
    {3, {.kind = EV_G_SEEN, .p = 0, .g = 1, .a = G_SEEN_RUNNING, .b = 3, .c = 0}},
    {3, {.kind = EV_P_SEEN, .p = 1, .a = P_SEEN_IDLE, .b = EV_NONE}},
    {3, {.kind = EV_P_SEEN, .p = 2, .a = P_SEEN_UNKNOWN, .b = EV_NONE}},
    {3, {.kind = EV_G_SEEN, .p = EV_NO_P, .g = 5, .a = G_SEEN_WAITING | WAIT_REASON_CHAN_RECEIVE << 16, .b = EV_NONE, .c = EV_NONE}},
    {3, {.kind = EV_G_SEEN, .p = EV_NO_P, .g = 6, .a = G_SEEN_RUNNABLE, .b = EV_NONE, .c = 1}},
    {3, {.kind = EV_COUNT_SEEN, .p = 0, .a = SEEN_RUNQ, .b = 2}},
    {3, {.kind = EV_G_CREATE, .p = 0, .g = 9, .a = 1, .b = 1, .c = 4}},
    {3, {.kind = EV_G_READY, .p = 0, .g = 5, .b = 1}},
    {4, {.kind = EV_G_START, .p = 2, .g = 6}},
    {3, {.kind = EV_G_PARK, .p = 0, .g = 1, .b = WAIT_REASON_SLEEP}},
    {3, {.kind = EV_G_START, .p = 0, .g = 9}},
};
enum { EVENTS = sizeof events / sizeof *events, COUNTED = 7 };

static void open_run(struct game *g, const char *layout, int w, int h, enum lang lang)
{
    static struct run_info info;
    static char path[600];
    char err[RUN_ERROR];
    struct run_head head = {0};
    *g = (struct game){0};
    snprintf(path, sizeof path, "%s/unknown.run", t_tmpdir());
    static const char how[] = "details 1\nplaces 0\nlimit 1000000000000\nmax_events 1000000\n";
    CHECK(run_head_put(&head, HEAD_HOW, how, strlen(how)));
    struct run_writer *writer = run_writer_new(path, &head, err);
    CHECK(writer);
    for (int i = 0; i < EVENTS; i++) {
        struct ev e = events[i].e;
        e.time = (i + 1) * 100;
        CHECK(run_writer_add(writer, events[i].m, &e, 1, NULL, 0));
    }
    CHECK(run_writer_end(writer, NULL));
    run_writer_free(writer);
    run_head_fini(&head);
    info = (struct run_info){
        .name = "from-go",
        .title = {{"A trace of Go", "Go 的跟踪"}},
        .summary = {{"It begins in the middle.", "从中间开始。"}},
        .generation = GO1_20,
        .mode = MODE_FREE,
        .runq_size = 256,
        .has_p = true,
        .mechanisms = (1u << DIS_COUNT) - 1,
        .lacks = GO_TRACE,
        .programs = {.fn = names, .nfn = 2}};
    struct session_config c = {.engine = {.info = info, .open = source_file, .from = path, .limit = INT64_MAX, .max_events = UINT64_MAX},
                               .tempo = TEMPO_FIXED(4),
                               .paused = true};
    c.engine.live = true;
    c.engine.history = HISTORY_BUDGET;
    if (!(g->s = session_new(&c, err, sizeof err)))
        t_fail(__FILE__, __LINE__, "%s", err);
    g->cfg = (struct ui_config){.session = g->s, .ops = &session_ops, .lang = lang};
    g->u = screen_of(&g->cfg, layout, w, h);
}

static struct session_status now(const struct game *g)
{
    struct session_status st;
    session_ops.status(g->s, &st);
    if (st.failed)
        t_fail(__FILE__, __LINE__, "the run has failed: %s", stop_text(&st));
    return st;
}

static void until_still(const struct game *g)
{
    uint64_t n;
    for (struct pollfd p = {.fd = session_ops.wake_fd(g->s), .events = POLLIN}; !now(g).still && !now(g).ended;)
        if (poll(&p, 1, 20) > 0 && read(p.fd, &n, sizeof n) < 0)
            t_fail(__FILE__, __LINE__, "eventfd");
}

static void step(const struct game *g, uint32_t n)
{
    session_ops.motion->step(g->s, STEP_EVENT, n);
    until_still(g);
}

static void check_frame(struct game *g, const char *name)
{
    ui_fetch(g->u);
    draw(g);
    char *text = canvas_dump(&g->u->canvas);
    CHECK(text);
    check_screen(name, text);
    free(text);
}

TEST(the_screen_of_such_a_run)
{
    static const struct {
        const char *layout;
        int w, h;
        enum lang lang;
    } shapes[] = {{"classic", 120, 40, LANG_EN},  {"classic", 80, 24, LANG_ZH}, {"projector", 120, 40, LANG_EN},
                  {"timeline", 120, 40, LANG_EN}, {"queues", 120, 40, LANG_ZH}, {"compact", 80, 24, LANG_EN}};
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        char name[96];
        struct game g;
        open_run(&g, shapes[i].layout, shapes[i].w, shapes[i].h, shapes[i].lang);
        step(&g, EVENTS - 1);
        snprintf(name, sizeof name, "unknown-screen-%s-%dx%d%s", shapes[i].layout, shapes[i].w, shapes[i].h,
                 shapes[i].lang == LANG_ZH ? "-zh" : "");
        check_frame(&g, name);
        close_game(&g);
    }
}

TEST(its_ledger_says_what_is_not_known_and_why)
{
    for (int zh = 0; zh < 2; zh++) {
        struct game g;
        open_run(&g, "classic", 120, 40, zh ? LANG_ZH : LANG_EN);
        step(&g, COUNTED);
        ui_fetch(g.u);
        ui_open(g.u, BOX_LEDGER);
        check_frame(&g, zh ? "unknown-ledger-120x40-zh" : "unknown-ledger-120x40");
        close_game(&g);
    }
}

TEST(it_is_stepped_and_looked_back_at)
{
    int n;
    struct session_event ev[4];
    struct game g;
    open_run(&g, "classic", 120, 40, LANG_EN);
    step(&g, EVENTS);
    CHECK_INT(now(&g).events, EVENTS);
    CHECK_INT(session_ops.rewind->goto_event(g.s, COUNTED), GOTO_DONE);
    struct model *md = session_ops.view(g.s, ev, 4, &n);
    CHECK_INT(model_knows(md, KNOW_P_LEN, 0), KNOWN_FACT);
    CHECK_INT(model_knows(md, KNOW_P_LEN, 1), KNOWN_NOT);
    model_free(md);
    CHECK_INT(session_ops.rewind->goto_event(g.s, EVENTS), GOTO_DONE);
    md = session_ops.view(g.s, ev, 4, &n);
    CHECK_INT(model_knows(md, KNOW_P_LEN, 0), KNOWN_NOT);
    CHECK_INT(model_g(md, 6)->where, 4);
    model_free(md);
    close_game(&g);
}

/* A condition about what is not known is never true: unknown is not 0. */
TEST(conditions_on_what_is_unknown_do_not_hold)
{
    struct session_mistake wrong = {.lang = LANG_EN};
    struct game g;
    open_run(&g, "classic", 120, 40, LANG_EN);
    CHECK(session_ops.breaks->add(g.s, "when p1.runq == 0", &wrong));
    CHECK(session_ops.breaks->add(g.s, "when globq == 0", &wrong));
    CHECK(session_ops.breaks->add(g.s, "when p0.runq == 2", &wrong));
    session_ops.motion->pause(g.s, false);
    until_still(&g);
    CHECK_INT(now(&g).events, COUNTED);
    close_game(&g);
}

TEST(nothing_of_it_is_audited)
{
    struct game g;
    open_run(&g, "classic", 120, 40, LANG_EN);
    CHECK(session_ops.refusal(g.s, CAN_AUDIT));
    close_game(&g);
}
