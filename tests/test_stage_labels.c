/* Nothing on the stage is drawn over or cut: each label of a G, M or P is whole, character by character, and so are the texts between the
 * labels. On the way through a run, with few and many Ps, in many sizes, in both languages, in ASCII, and with two runs. */
#include "figures.h"
#include "game.h"
#include "session/comparison.h"
#include "ui/panes/parts/large.h"
#include "ui/panes/parts/stage.h"
#include "ui/panes/parts/wrap.h"

#include <ctype.h>
#include <time.h>

static const int sizes[][2] = {{60, 16}, {80, 24}, {100, 30}, {120, 40}, {160, 50}, {200, 60}};
enum { SHAPES = sizeof sizes / sizeof *sizes, STOPS = 24 };
static long labels, texts; /* looked for */

/* Appends the characters that are not blank. */
static void squeeze(const char *text, char *buf, size_t size)
{
    size_t n = strlen(buf);
    for (; *text && n + 1 < size; text++)
        if (!isspace((unsigned char)*text))
            buf[n++] = *text;
    buf[n] = '\0';
}

static void check_text(struct ui *u, const char *screen, const char *text)
{
    char want[4096] = "";
    struct canvas c = {0};
    int w = text_width(text) + 1;
    CHECK(canvas_init(&c, w, 1));
    c.ascii = u->canvas.ascii; /* which changes some characters */
    canvas_text(&c, (struct rect){0, 0, w, 1}, 0, 0, ROLE_plain, text);
    char *shown = canvas_dump(&c);
    squeeze(shown, want, sizeof want);
    texts++;
    if (!strstr(screen, want))
        wrong_frame(u, "this text is not whole:", text);
    free(shown);
    canvas_fini(&c);
}

/* A text in large letters is found by its rows. */
static bool is_large(struct ui *u, const char *text)
{
    struct canvas want = {0};
    bool found = false;
    int w = u->w - 4, lines = large_lines(text, w), h = large_rows(lines); /* the margins of the stage */
    if (lines <= 0 || h > u->h)
        return false;
    CHECK(canvas_init(&want, w, h));
    large_draw(&want, (struct rect){0, 0, w, h}, true, ROLE_plain, text);
    for (int y = 0; y + h <= u->h && !found; y++)
        for (int x = 0; x + w <= u->w && !found; x++)
            found = is_at(&u->canvas, x, y, &want, 0);
    canvas_fini(&want);
    return found;
}

static void check_texts(struct ui *u)
{
    static char screen[65536];
    char buf[SENTENCE_BYTES], heading[128];
    struct view v = ui_view(u, LEFT);
    char *shown = canvas_dump(&u->canvas);
    int now = event_now(&v);
    screen[0] = '\0';
    squeeze(shown, screen, sizeof screen);
    free(shown);
    check_text(u, screen, tx(u->lang, TX_COL_RUNNING));
    check_text(u, screen, tx(u->lang, v.st.no_p ? TX_STAGE_ELSEWHERE : TX_STAGE_NOT_ON_P));
    snprintf(heading, sizeof heading, "%s ─ %u", tx(u->lang, TX_GLOBAL_QUEUE), model_globq(v.md, NULL));
    check_text(u, screen, heading);
    if (!v.st.no_p)
        check_text(u, screen, tx(u->lang, TX_COL_RUNQ));
    if (!model_globq(v.md, NULL) && u->w >= 80)
        check_text(u, screen, tx(u->lang, v.st.no_p ? TX_EMPTY_ONLY_QUEUE : TX_EMPTY_GLOBQ));
    const char *said = now < 0 ? "" : event_listed(&v, now) ? listed_sentence(&v, now, buf) : sentence_of(&v, &v.ev[now], buf);
    if (!u->canvas.ascii && is_large(u, said))
        return;
    check_text(u, screen, said);
}

/* Is it drawn in these rows? */
static bool is_drawn(const struct canvas *c, uint32_t tag, int rows)
{
    for (int i = 0; i < c->w * rows; i++)
        if (c->cell[i].tag == tag)
            return true;
    return false;
}

static void take_untagged(const struct canvas *c, struct figure *f)
{
    f->tag = 0;
    f->n = 0;
    for (int i = 0; i < c->w * c->h; i++)
        if (!c->cell[i].tag)
            f->at[f->n++] = i;
}

/* Returns the row of the strip's heading. */
static int strip_row(const struct ui *u, const struct figure *untagged)
{
    const char *heading = tx(u->lang, u->run->st.no_p ? TX_STAGE_ELSEWHERE : TX_STAGE_NOT_ON_P);
    int at = find_text(&u->canvas, untagged, BIG_PLAIN, heading);
    CHECK(at >= 0);
    return at / u->canvas.w;
}

/* The Gs of a queue are all drawn above the strip, or a number says how many are not. */
static void check_queue(struct ui *u, uint32_t n, const uint32_t *g, uint32_t from, uint32_t size)
{
    static struct figure untagged;
    uint32_t hidden = 0;
    char more[16];
    take_untagged(&u->canvas, &untagged);
    int rows = strip_row(u, &untagged);
    for (uint32_t i = 0; i < n; i++)
        hidden += !is_drawn(&u->canvas, tag_of('G', g[(from + i) % size]), rows);
    snprintf(more, sizeof more, "+%u", hidden);
    for (enum big s = BIG_PLAIN; s <= BIG_FULL && hidden; s++)
        if (has_text(&u->canvas, &untagged, s, more))
            return;
    if (hidden)
        wrong_frame(u, "a queue hides Gs, and nothing says how many:", more);
}

static void check_queues(struct ui *u)
{
    const struct model *md = u->run->stops.shown.md;
    const uint32_t *globq;
    uint32_t n = model_globq(md, &globq);
    check_queue(u, n, globq, 0, n ? n : 1);
    for (uint32_t p = 0; p < model_np(md); p++) {
        const struct model_p *mp = model_p(md, p);
        if (is_drawn(&u->canvas, tag_of('P', p), u->canvas.h))
            check_queue(u, mp->tail - mp->head, mp->ring, mp->head, model_runq_size(md));
    }
}

static void check_shapes(struct ui *u, bool two)
{
    for (int i = 0; i < SHAPES * 3; i++) {
        u->w = sizes[i / 3][0];
        u->h = sizes[i / 3][1];
        u->canvas.ascii = i % 3 == 1;
        u->lang = i % 3 == 2 ? LANG_ZH : LANG_EN;
        for (int side = 0; side < (two ? 2 : 1); side++) {
            u->right_shown = side == 1;
            CHECK(frame_draw(u));
            labels += check_labels(u);
        }
        if (two)
            continue;
        check_texts(u);
        check_queues(u);
    }
}

/* ---- runs ---- */

struct runs {
    struct options o[2];
    struct session *s[2];
    struct comparison *both; /* NULL: there is one run */
    const struct session_ops *ops;
    struct ui_config cfg;
    struct ui *u;
};

static struct session *open_side(const struct scenario *sc, struct options *o, const char *setting)
{
    char err[200];
    char *argv[] = {(char *)scenario_info(sc)->name, "--tempo=max", (char *)setting};
    CHECK(options_parse(o, CMD_RUN, 3, argv));
    struct session_config c = command_session(sc, o);
    c.paused = true;
    struct session *s = session_new(&c, err, sizeof err);
    if (!s)
        t_fail(scenario_info(sc)->name, 0, "%s", err);
    return s;
}

static void open_runs(struct runs *r, const struct scenario *sc, const char *setting, const char *other)
{
    *r = (struct runs){.ops = &session_ops};
    r->s[LEFT] = open_side(sc, &r->o[LEFT], setting);
    if (other) {
        r->s[RIGHT] = open_side(sc, &r->o[RIGHT], other);
        CHECK(r->both = comparison_new(r->s[LEFT], r->s[RIGHT], TEMPO_MAX));
        r->ops = comparison_ops(r->both);
    }
    r->cfg = (struct ui_config){.session = r->s[LEFT], .ops = r->ops, .lang = LANG_EN};
    r->u = screen_of(&r->cfg, "projector", GAME_W, GAME_H);
    r->u->ops = r->ops;
    r->u->nruns = other ? 2 : 1;
    r->u->run[RIGHT].session = r->s[RIGHT];
}

static void close_runs(struct runs *r)
{
    canvas_fini(&r->u->canvas);
    for (int i = 0; i < r->u->nruns; i++) {
        diff_base_fini(&r->u->run[i].stops);
        pane_states_fini(&r->u->run[i].panes);
    }
    layouts_free(&r->u->layouts);
    free(r->u);
    comparison_free(r->both);
    for (int i = 0; i < 2 && r->s[i]; i++) {
        session_free(r->s[i]);
        options_fini(&r->o[i]);
    }
}

/* Makes n steps, and waits for their end. Returns false if there were none. */
static bool steps(struct runs *r, uint32_t n)
{
    struct session_status before, st;
    r->ops->status(r->s[LEFT], &before);
    if (before.ended)
        return false;
    r->ops->motion->step(r->s[LEFT], STEP_EVENT, n);
    do {
        nanosleep(&(struct timespec){.tv_nsec = 50000}, NULL);
        r->ops->status(r->s[LEFT], &st);
    } while (!st.ended && (st.events == before.events || !st.still || st.stepping));
    ui_fetch(r->u);
    return true;
}

/* Looks at some instants of a run: where it begins, then after ever more events. */
static void look(const struct scenario *sc, const char *setting, const char *other)
{
    struct runs r;
    uint32_t n = 1;
    open_runs(&r, sc, setting, other);
    for (int i = 0; i < STOPS && steps(&r, n); i++, n += n / 4 + 1)
        check_shapes(r.u, other != NULL);
    close_runs(&r);
}

static void look_at_shipped(const struct scenario *sc, const char *path, void *ctx)
{
    (void)path;
    (void)ctx;
    look(sc, "--seed=1", NULL);
}

TEST_TIMED(each_label_is_whole, 600)
{
    each_scenario(look_at_shipped, NULL);
    CHECK(labels > 100000 && texts > 10000);
}

/* Everything that can be on the stage at once: long queues, and a strip that is full. */
static const char crowd_text[] =
    "name: crowd\n"
    "title: A crowd\n"
    "scheduler: {gomaxprocs: 4}\n"
    "waitgroups: [wg]\n"
    "mutexes: [aMutexWithALongName, mu]\n"
    "channels: [{name: jobs}, {name: results, buffer: 1}]\n"
    "goroutines:\n"
    "  - name: main\n"
    "    do:\n"
    "      - {add: wg, n: 220}\n"
    "      - {go: worker, count: 100}\n"
    "      - {go: sleeper, count: 20}\n"
    "      - {go: caller, count: 40}\n"
    "      - {go: locker, count: 20}\n"
    "      - {go: owner, count: 20}\n"
    "      - {go: reader, count: 20}\n"
    "      - {wait: wg}\n"
    "  - {name: worker, do: [{compute: 3us}, {yield: 2}, {compute: 2us}, {done: wg}]}\n"
    "  - {name: sleeper, do: [{sleep: 40us}, {done: wg}]}\n"
    "  - {name: caller, do: [{syscall: 90us}, {done: wg}]}\n"
    "  - {name: locker, do: [{lock: aMutexWithALongName}, {lock: mu}, {sleep: 5us}, {unlock: mu}, {unlock: aMutexWithALongName}, {done: "
    "wg}]}\n"
    "  - {name: owner, do: [{lock_os_thread: true}, {syscall: 20us, blocking: true}, {yield: 1}, {done: wg}]}\n"
    "  - {name: reader, do: [{select: [{recv: jobs}, {recv: results}]}, {done: wg}]}\n";

TEST_TIMED(each_label_is_whole_in_a_crowd, 600)
{
    static const char *const setting[] = {
        "--procs=1", "--procs=4", "--procs=8", "--procs=16", "--procs=64", "--procs=250", "--generation=go1.0", "--generation=go1.4"};
    struct scenario *sc = load(t_file("crowd.yaml", crowd_text));
    for (size_t i = 0; i < sizeof setting / sizeof *setting; i++)
        look(sc, setting[i], NULL);
    look(sc, "--procs=8", "--procs=16");
    look(sc, "--procs=64", "--generation=go1.0");
    scenario_free(sc);
}
