/* The second source of events behind the same engine and session: a recording. It has no world, so it refuses to decide, with a reason; everything that
 * changes only what is shown works as on a live run. */
#include "engine/intent.h"
#include "engine/source_file.h"
#include "game.h"
#include "same.h"

static const char busy_text[] = BUSY("gomaxprocs: 3, runq_size: 4", "8", "5");

/* A trace may know that an M continues its G, and not more. */
static bool play_intent(struct source *s, uint32_t m, struct intent *out)
{
    (void)s, (void)m;
    *out = (struct intent){.what = INTENT_OP, .g = 1, .p = 0};
    return true;
}

static int open_replay(const struct source_config *c, struct source **out)
{
    static struct source_ops ops;
    int r = source_file(c, out);
    if (r)
        return r;
    ops = *(*out)->ops;
    ops.intent = play_intent;
    (*out)->ops = &ops;
    return 0;
}

/* --- what is compared ------------------------------------------------------------------------------------------------- */

/* A live run to its end, its events, and a session that plays them. */
struct pair {
    struct live live, played;
    struct engine *was;
    char file[600];
};

static void begin(struct pair *p, const char *mode, bool paused)
{
    char err[200];
    bool ended;
    live(&p->live, busy_text, (const char *[]){"--tempo=max", mode}, 2);
    wait_end(&p->live);
    p->was = session_stop(p->live.s, &ended);
    CHECK(ended && p->was->events > 300);
    snprintf(p->file, sizeof p->file, "%s/events.run", t_tmpdir());
    CHECK(command_record(p->was, &p->live.o, &(struct record_asked){.path = p->file}, err, sizeof err));
    CHECK_INT(engine_record_end(p->was), 0);
    p->played = p->live;
    struct session_config c = command_session(p->live.sc, &p->live.o);
    c.engine.open = open_replay;
    c.engine.from = p->file;
    c.paused = paused;
    c.audit = true; /* there is no memory to compare: it does no harm */
    if (!(p->played.s = session_new(&c, err, sizeof err)))
        t_fail(__FILE__, __LINE__, "%s", err);
}

static void end(struct pair *p)
{
    session_free(p->played.s);
    close_live(&p->live);
}

/* The state shown is that of the live run after as many events. */
static void check_state(struct pair *p)
{
    int n;
    struct session_event ev[4];
    struct model *want = NULL, *got = session_ops.view(p->played.s, ev, 4, &n);
    CHECK(got && history_move(p->was->history, &want, model_events(got)));
    SAME(want, got);
    model_free(got);
    model_free(want);
}

static void wait_still(struct pair *p)
{
    while (!status(&p->played).still)
        wait_change(&p->played);
}

static void step(struct pair *p, enum step_kind kind, uint32_t n)
{
    session_ops.motion->step(p->played.s, kind, n);
    wait_still(p);
    check_state(p);
}

/* --- the tests -------------------------------------------------------------------------------------------------------- */

static void plays_to_its_end(const char *mode)
{
    struct pair p;
    char lines[64][160], want[64][160];
    int n, m;
    begin(&p, mode, false);
    wait_end(&p.played);
    CHECK_INT(status(&p.played).events, p.was->events);
    CHECK_INT(status(&p.played).how, p.was->how);
    check_state(&p);
    uint64_t total = session_ops.output(p.played.s, 0, lines, 64, &n);
    CHECK_INT(session_ops.output(p.live.s, 0, want, 64, &m), total);
    for (int i = 0; i < n; i++)
        CHECK_STR(lines[i], want[i]);
    end(&p);
}

TEST(a_recording_of_a_lockstep_run_plays_to_its_end)
{
    plays_to_its_end("--mode=lockstep");
}

TEST(a_recording_of_a_free_run_plays_to_its_end)
{
    plays_to_its_end("--mode=free");
}

TEST(a_recording_is_stepped_and_looked_back_at)
{
    struct pair p;
    begin(&p, "--mode=lockstep", true);
    for (uint32_t i = 1; i <= 20; i++)
        step(&p, (enum step_kind)(i % 3), i % 4 + 1);
    uint64_t here = status(&p.played).events;
    CHECK_INT(session_ops.rewind->step_back(p.played.s, STEP_EVENT, 5), GOTO_DONE);
    check_state(&p);
    CHECK(status(&p.played).back && status(&p.played).events < here);
    step(&p, STEP_EVENT, 5);
    CHECK_INT(session_ops.rewind->goto_event(p.played.s, 17), GOTO_DONE);
    CHECK_INT(status(&p.played).events, 17);
    check_state(&p);
    CHECK_INT(session_ops.rewind->goto_event(p.played.s, SESSION_NEWEST), GOTO_DONE);
    step(&p, STEP_ROUND, 3);
    CHECK(status(&p.played).events > here);
    end(&p);
}

TEST(breakpoints_and_until_stop_a_recording)
{
    struct pair p;
    struct session_mistake wrong = {.lang = LANG_EN};
    begin(&p, "--mode=lockstep", true);
    CHECK(session_ops.breaks->add(p.played.s, "g_end x2", &wrong));
    CHECK(session_ops.breaks->add(p.played.s, "when runnable >= 4", &wrong));
    session_ops.motion->pause(p.played.s, false);
    wait_still(&p);
    CHECK_STR(stopped_at(&p.played), "when runnable >= 4");
    check_state(&p);
    CHECK(session_ops.breaks->delete (p.played.s, 2));
    session_ops.motion->pause(p.played.s, false);
    wait_still(&p);
    CHECK_STR(stopped_at(&p.played), "g_end x2");
    check_state(&p);
    CHECK(session_ops.run_to->match(p.played.s, "g_end", &wrong));
    wait_still(&p);
    CHECK_STR(stopped_at(&p.played), "g_end");
    check_state(&p);
    end(&p);
}

static void check_refused(struct pair *p, enum capability what)
{
    const struct text *why = session_ops.refusal(p->played.s, what);
    CHECK(why && why->in[LANG_EN][0] && why->in[LANG_ZH][0]);
    CHECK(!session_ops.refusal(p->live.s, what) || what == CAN_SCALE_TIME);
}

/* It cannot be steered, and says why. */
TEST(a_recording_refuses_what_needs_a_world)
{
    struct pair p;
    struct session_decision d;
    char line[100];
    begin(&p, "--mode=lockstep", false);
    for (int what = CAN_PAUSE + 1; what < CAPABILITIES; what++)
        check_refused(&p, (enum capability)what);
    CHECK_INT(status(&p.played).without, ((1 << CAPABILITIES) - 1) & ~(1 << CAN_PAUSE));
    CHECK(!session_ops.refusal(p.played.s, CAN_PAUSE));
    session_ops.motion->pause(p.played.s, true);
    wait_still(&p);
    session_ops.motion->pause(p.played.s, false);
    wait_end(&p.played);
    session_ops.motion->toggle_mode(p.played.s);
    session_ops.motion->restart(p.played.s, status(&p.played).seed + 1);
    CHECK(status(&p.played).ended && status(&p.played).lockstep);
    CHECK(!session_ops.share(p.played.s, line, sizeof line));
    CHECK_INT(session_ops.rewind->goto_event(p.played.s, 50), GOTO_DONE);
    CHECK(!session_ops_of(p.played.s)->decisions && session_ops_of(p.live.s)->decisions);
    session_ops.decisions->prepare(p.played.s, true);
    for (session_ops.decisions->rows(p.played.s, &d); d.state == CHOICE_MAKING; session_ops.decisions->rows(p.played.s, &d))
        wait_change(&p.played);
    CHECK_INT(d.state, CHOICE_REFUSED);
    CHECK_STR(d.head[LANG_EN], session_ops.refusal(p.played.s, CAN_DECIDE)->in[LANG_EN]);
    end(&p);
}

TEST(a_recording_starts_again)
{
    struct pair p;
    begin(&p, "--mode=lockstep", false);
    wait_end(&p.played);
    session_ops.motion->restart(p.played.s, status(&p.played).seed);
    while (status(&p.played).run != 1 || !status(&p.played).ended)
        wait_change(&p.played);
    CHECK_INT(status(&p.played).events, p.was->events);
    check_state(&p);
    end(&p);
}

/* --- a run without a scenario --------------------------------------------------------------------------------------------- */

static const char *const program_names[] = {"boss", "helper"};
static const char *const channel_names[] = {"parcels"};
static char *listing[] = {"func boss() {", "\tparcels <- 1", "}", "func helper() {", "\t<-parcels", "}"};
static uint32_t heads[] = {0, 3}, places[] = {1, 4};
static const struct program_text program = {.line = listing, .nlines = 6, .op = places, .nops = 2, .fn = heads, .nfn = 2};
static const struct run_number drawn[] = {{"n", 8}, {"k", 2}};

/* What a person might know of a trace from elsewhere. */
static struct run_info info_by_hand(uint32_t start_tick)
{
    struct run_info i = {
        .name = "from-elsewhere",
        .title = {{"A trace from elsewhere", "别处的记录"}},
        .summary = {{"Somebody else recorded it.", "别人记录的。"}},
        .generation = GO1_20,
        .mode = MODE_LOCKSTEP,
        .exact = true,
        .places = PLACES_SHOWN,
        .seed = 77,
        .drawn = drawn,
        .ndrawn = 2,
        .procs = 3,
        .runq_size = 4,
        .start_tick = start_tick,
        .slice = 10000000,
        .has_p = true,
        .mechanisms = (1u << DIS_COUNT) - 1,
        .programs = {.fn = program_names, .nfn = 2},
        .program = &program};
    i.objects.of[OBJ_CHAN].name = channel_names;
    i.objects.of[OBJ_CHAN].n = 1;
    return i;
}

static void has_text(const struct canvas *c, const char *text)
{
    char *all = canvas_dump(c);
    CHECK(all);
    if (!strstr(all, text))
        t_fail(__FILE__, __LINE__, "\"%s\" is missing:\n%s", text, all);
    free(all);
}

/* The screen, in this layout, of what the session shows. */
static void shows(struct session *s, const char *layout, const char *const texts[])
{
    struct ui_config cfg = {.session = s, .ops = &session_ops, .lang = LANG_EN};
    struct game g = {.cfg = cfg, .s = s};
    g.u = screen_of(&g.cfg, layout, 200, 60);
    ui_fetch(g.u);
    draw(&g);
    for (; *texts; texts++)
        has_text(&g.u->canvas, *texts);
    g.s = NULL;
    close_game(&g);
}

TEST(a_run_without_a_scenario_is_what_its_info_says)
{
    struct pair p;
    char err[200], lines[64][160];
    int n;
    bool ended;
    struct session_lesson lesson;
    begin(&p, "--mode=lockstep", false);
    struct session_config c = {
        .engine = {.info = info_by_hand(p.was->cfg.info.start_tick),
                   .open = open_replay,
                   .from = p.file,
                   .limit = INT64_MAX,
                   .max_events = UINT64_MAX},
        .tempo = p.live.o.tempo};
    c.engine.live = true;
    c.engine.history = HISTORY_BUDGET;
    session_free(p.played.s);
    if (!(p.played.s = session_new(&c, err, sizeof err)))
        t_fail(__FILE__, __LINE__, "%s", err);
    wait_end(&p.played);
    check_state(&p);
    struct session_status st = status(&p.played);
    CHECK_STR(st.name, "from-elsewhere");
    CHECK_STR(st.title.in[LANG_ZH], "别处的记录");
    CHECK_STR(st.generation, "go1.20");
    CHECK_STR(st.drawn, "n=8 k=2");
    CHECK_INT(st.seed, 77);
    CHECK(st.places && !st.no_p && !st.no_runnext && st.ended && st.lockstep);
    CHECK_INT(session_ops.output(p.played.s, 0, lines, 64, &n), 8); /* the program's output needs no claims */
    CHECK(!session_ops.lesson->set(p.played.s, true));
    session_ops.lesson->now(p.played.s, &lesson);
    CHECK(!lesson.on && lesson.n == 0 && !lesson.made_for && !lesson.task);
    shows(p.played.s, "code", (const char *const[]){"from-elsewhere", "n=8 k=2", "func boss() {", "<-parcels", NULL});
    CHECK_INT(session_ops.rewind->goto_event(p.played.s, st.events / 2), GOTO_DONE);
    shows(p.played.s, "classic", (const char *const[]){"helper", "from-elsewhere", NULL});
    struct engine *e = session_stop(p.played.s, &ended);
    struct verdict v = engine_finish(e, &(struct finish){.claims = true, .err = stderr, .cut = true});
    CHECK_INT(v.code, 0);
    CHECK(model_place(e->model, 1, 0)); /* what an M does next is read from the place of its G */
    engine_next(e, 0, LANG_EN, lines[0], sizeof lines[0]);
    CHECK_STR(lines[0], "continues G1: parcels <- 1");
    CHECK(!v.claims_count && expect_claims(e->expect) == 0);
    end(&p);
}
