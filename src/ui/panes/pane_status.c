/* Status: one line that shows which scenario runs, whether it is paused, and its progress.
 *
 * It is made of segments. If they do not all fit, the least important ones are left out first; the others keep their order. The gaps
 * are always the same, and on a wide screen the state has room for most stops. So nothing moves when the state changes.
 */
#include "ui/panes/panes.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { SEGMENTS = 14, SEGMENT_BYTES = 160 };
enum {
    NEEDED = 1,
    OPTIONAL = 6
}; /* the rank of segments that are cut rather than left out; that are left out before others become narrow */
enum { STATE_LEAST = 10, SETTINGS_LEAST = 12 };
enum { WIDE = 110, GAP = 2, STATE_ROOM = 24 };
struct segment {
    char text[SEGMENT_BYTES + 4]; /* the ellipsis of a cut may be longer than what it replaces */
    char narrow[48];              /* for a narrow screen; "": none */
    bool by_width;                /* narrow on each narrow screen, not only where the long text does not fit */
    enum role role;
    int rank;  /* the highest is left out first */
    int least; /* columns that it may be cut to; 0: it is never cut */
    int room;  /* columns that are free for it, if they fit */
    bool out;
};
struct line {
    struct segment v[SEGMENTS];
    int n, state; /* state: the index of the segment that says whether the run is paused */
};

static char *add(struct line *l, enum role role, int rank)
{
    struct segment *s = &l->v[l->n++];
    s->role = role;
    s->rank = rank;
    s->out = false;
    s->least = s->room = 0;
    s->by_width = false;
    s->narrow[0] = '\0';
    return s->text;
}

static void add_count(struct line *l, const struct view *v, enum text_id text, uint64_t n, enum role role, int rank)
{
    snprintf(add(l, role, rank), SEGMENT_BYTES, tx(v->lang, text), (unsigned long long)n);
}

static void add_mode(struct line *l, const struct view *v)
{
    char *out = add(l, ROLE_status, 3);
    if (!v->st.lockstep)
        snprintf(out, SEGMENT_BYTES, "%s", tx(v->lang, TX_FREE));
    else if (v->st.was_free)
        snprintf(out, SEGMENT_BYTES, "%s", tx(v->lang, TX_WAS_FREE));
    else {
        snprintf(out, SEGMENT_BYTES, tx(v->lang, TX_SEED), (unsigned long long)v->st.seed);
        snprintf(l->v[l->n - 1].narrow, sizeof l->v->narrow, tx(v->lang, TX_SEED_SHORT), (unsigned long long)v->st.seed);
        l->v[l->n - 1].by_width = true;
    }
}

/* The numbers that the seed has drawn. */
static void add_drawn(struct line *l, const struct view *v)
{
    if (v->st.drawn[0])
        snprintf(add(l, ROLE_status, 5), SEGMENT_BYTES, "%s", v->st.drawn);
}

static void add_branch(struct line *l, const struct view *v)
{
    if (v->st.branch)
        snprintf(add(l, ROLE_status, 3), SEGMENT_BYTES, tx(v->lang, TX_ON_BRANCH), v->st.branch);
}

static void add_generation(struct line *l, const struct view *v)
{
    if (v->st.generation)
        snprintf(add(l, v->diff.two ? ROLE_changed : ROLE_status, v->diff.two || v->st.policy ? 1 : 5), SEGMENT_BYTES, "%s%s%s",
                 v->st.generation, v->st.policy ? " + " : "", v->st.policy ? v->st.policy : "");
}

/* Adds the number of the event after which the past is shown, and the number of the newest event. */
static void add_back(struct line *l, const struct view *v)
{
    char text[SEGMENT_BYTES - 2], words[STOP_TEXT];
    stop_words(&v->st.stop, v->lang, words, sizeof words);
    bool held = v->st.paused && words[0];
    unsigned long long n = v->st.events, of = v->st.newest;
    if (held)
        snprintf(text, sizeof text, tx(v->lang, TX_BACK_AT), n, of, words);
    else
        snprintf(text, sizeof text, tx(v->lang, TX_BACK), n, of);
    snprintf(add(l, v->st.paused ? ROLE_paused : ROLE_running, 0), SEGMENT_BYTES, " %s ", text);
    snprintf(l->v[l->n - 1].narrow, sizeof l->v->narrow, " %.44s ", text);
}

/* Adds an internal check that has failed: its kind and, if there is room, its whole text. The narration always has the text. */
static void add_failure(struct line *l, const struct view *v)
{
    char text[SEGMENT_BYTES - 2];
    const char *why = v->st.stop.text;
    const char *colon = strstr(why, "："); /* of a Chinese text */
    int kind = colon ? (int)(colon - why) : (int)strcspn(why, ":");
    snprintf(text, sizeof text, tx(v->lang, TX_FAILED), (int)sizeof text, why);
    snprintf(add(l, ROLE_error, 0), SEGMENT_BYTES, " %s ", text);
    snprintf(text, sizeof text, tx(v->lang, TX_FAILED), kind < 28 ? kind : 28, why);
    snprintf(l->v[l->n - 1].narrow, sizeof l->v->narrow, " %.44s ", text);
}

/* Adds how the run ended. The short form omits the cause. */
static void add_end(struct line *l, const struct view *v)
{
    char text[SEGMENT_BYTES - 2], *out = add(l, ROLE_paused, 0), *narrow = l->v[l->n - 1].narrow;
    bool died = v->st.how == ENDED_PANIC || v->st.how == ENDED_FATAL;
    snprintf(text, sizeof text, tx(v->lang, TX_ENDED), end_text(v->lang, v->st.how));
    snprintf(narrow, sizeof l->v->narrow, " %.44s ", text);
    if (died && v->st.stop.text[0])
        snprintf(out, SEGMENT_BYTES, " %.40s: %.100s ", text, v->st.stop.text);
    else
        snprintf(out, SEGMENT_BYTES, " %s ", text);
}

/* Adds what the run leads to and how far it is; the short form has only how far. Returns false if nothing is known. */
static bool add_goal(struct line *l, const struct view *v)
{
    const struct session_goal *to = &v->st.goal;
    char words[STOP_TEXT], far[24] = "", text[SEGMENT_BYTES - 2];
    stop_words(&to->stop, v->lang, words, sizeof words);
    if (to->event)
        snprintf(words, sizeof words, tx(v->lang, TX_GOAL_EVENT), (unsigned long long)to->event);
    else if (to->breaks)
        snprintf(words, sizeof words, tx(v->lang, TX_GOAL_BREAKS), to->breaks);
    if (!words[0])
        return false;
    if (to->of)
        snprintf(far, sizeof far, " · %2u %%", (unsigned)(100 * (double)to->seen / (double)to->of));
    snprintf(text, sizeof text, tx(v->lang, TX_RUNNING_TO), words, far);
    snprintf(add(l, ROLE_running, 0), SEGMENT_BYTES, " %s ", text);
    snprintf(l->v[l->n - 1].narrow, sizeof l->v->narrow, " %s%s ", tx(v->lang, TX_RUNNING), far);
    return true;
}

/* After ":next line", and where a Go program begins, the words are where the G is, "main.go:18", not the pattern of the stop. */
static void place_words(const struct view *v, char *words, size_t size)
{
    uint32_t g = strcmp(words, "g_op") == 0 ? v->st.stop.g : 0, other, op;
    const struct program_text *t = v->program;
    bool next = !g && sscanf(words, "g_op g=%u | g_park g=%u", &g, &other) == 2;
    if (!t || !t->nfiles || !v->md || (!g && !next) || !model_g_op(v->md, g, &op) || op >= t->nops)
        return;
    program_place(t, t->op[op], words, size);
}

static void add_state(struct line *l, const struct view *v)
{
    char text[128], words[STOP_TEXT];
    if (v->st.back) {
        add_back(l, v);
        return;
    }
    if (v->st.stuck) {
        char since[40];
        snprintf(text, sizeof text, tx(v->lang, TX_STUCK), duration_text(v->st.stuck_since, since, sizeof since));
        snprintf(add(l, ROLE_paused, 0), SEGMENT_BYTES, " %s ", text);
        return;
    }
    if (v->st.failed || v->st.ended) {
        (v->st.failed ? add_failure : add_end)(l, v);
        return;
    }
    if (!v->st.paused && add_goal(l, v))
        return;
    enum role role = v->st.paused && !v->st.stepping ? ROLE_paused : ROLE_running;
    stop_words(&v->st.stop, v->lang, words, sizeof words);
    place_words(v, words, sizeof words);
    if (v->st.stepping)
        snprintf(text, sizeof text, "%s", tx(v->lang, TX_STEPPING));
    else if (v->st.paused && !v->st.lockstep && !v->st.still && v->st.pending)
        snprintf(text, sizeof text, "%s", tx(v->lang, TX_PAUSING)); /* the picture is still on its way to the stop */
    else if (v->st.paused && words[0])
        snprintf(text, sizeof text, tx(v->lang, TX_PAUSED_AT), words);
    else
        snprintf(text, sizeof text, "%s", tx(v->lang, v->st.paused ? TX_PAUSED : TX_RUNNING));
    enum { STATE_W = 7 }; /* the width of "running", so that what follows does not move when the run pauses */
    int pad = STATE_W - text_width(text);
    snprintf(add(l, role, 0), SEGMENT_BYTES, " %s%*s ", text, pad > 0 ? pad : 0, "");
}

void state_text(const struct view *v, char *buf, size_t size)
{
    struct line l = {.n = 0};
    add_state(&l, v);
    const char *text = l.v[0].text + strspn(l.v[0].text, " ");
    size_t len = strlen(text);
    while (len && text[len - 1] == ' ')
        len--;
    snprintf(buf, size, "%.*s", (int)len, text);
}

/* Adds the time, padded so that nothing after it moves while the time grows. */
static void add_time(struct line *l, const struct view *v)
{
    enum { TIME_W = 9 };
    char text[32];
    time_text(v->st.time, text, sizeof text);
    int pad = TIME_W - text_width(text);
    snprintf(add(l, ROLE_number, 2), SEGMENT_BYTES, "%*s%s", pad > 0 ? pad : 0, "", text);
}

const char *pace_text(const struct view *v, char *buf, size_t size)
{
    bool timed = !v->st.lockstep && !(v->st.without >> CAN_SCALE_TIME & 1); /* a recording of a free run has a tempo */
    if (timed && v->st.speed.den == 1)
        snprintf(buf, size, tx(v->lang, TX_SPEED), v->st.speed.num);
    else if (timed)
        snprintf(buf, size, tx(v->lang, TX_SPEED_FRACTION), v->st.speed.num, v->st.speed.den);
    else if (isinf(v->st.tempo.rate))
        snprintf(buf, size, "%s", tx(v->lang, TX_TEMPO_MAX));
    else if (v->st.tempo.automatic && v->st.tempo.rate == 1)
        snprintf(buf, size, "%s", tx(v->lang, TX_TEMPO_AUTO));
    else
        snprintf(buf, size, tx(v->lang, v->st.tempo.automatic ? TX_TEMPO_AUTO_SCALED : TX_TEMPO), v->st.tempo.rate);
    return buf;
}

/* Adds how far the picture is behind a run that goes on by itself. A paused picture is not drawn again, so it has no number that would be wrong soon. */
static void add_behind(struct line *l, const struct view *v)
{
    if (!v->st.follows)
        return;
    char *out = add(l, ROLE_number, 1);
    if (v->st.paused || v->st.back)
        snprintf(out, SEGMENT_BYTES, "%s", tx(v->lang, TX_RUN_GOES_ON));
    else
        snprintf(out, SEGMENT_BYTES, tx(v->lang, TX_BEHIND), (double)v->st.behind / 1e9);
}

static int segment_width(const struct segment *s)
{
    int w = text_width(s->text);
    return w > s->room ? w : s->room;
}

static int width_of(const struct line *l)
{
    int w = 0;
    for (int i = 0; i < l->n; i++)
        if (!l->v[i].out)
            w += segment_width(&l->v[i]) + GAP;
    return w - GAP;
}

/* Cuts the text to so many columns and adds an ellipsis; a blank at its end stays. */
static void cut_text(char *text, int columns)
{
    size_t len = strlen(text), at = 0, n = 0;
    bool blank = len && text[len - 1] == ' ';
    for (int w = 1 + blank; at < len; at += n) {
        w += cp_width(utf8_next(text + at, len - at, &n));
        if (w > columns)
            break;
    }
    strcpy(text + at, blank ? "… " : "…"); /* it fits: more bytes than that were cut off, or the four spare bytes hold it */
}

static void leave_out_one(struct line *l)
{
    struct segment *worst = NULL;
    for (int i = 0; i < l->n; i++)
        if (!l->v[i].out && (!worst || l->v[i].rank >= worst->rank))
            worst = &l->v[i];
    worst->out = true;
}

/* Which segments become narrow: those that are so on each narrow screen, errors (their whole text is in the narration), or all. */
enum narrowed { BY_WIDTH, ERRORS, ALL };

static void use_narrow(struct line *l, enum narrowed which)
{
    for (int i = 0; i < l->n; i++)
        if (l->v[i].narrow[0] && (which == BY_WIDTH ? l->v[i].by_width : which == ALL || l->v[i].role == ROLE_error))
            memcpy(l->v[i].text, l->v[i].narrow, sizeof l->v[i].narrow);
}

/* Cuts the first segment from the right that may be cut: the state of the run before its settings. By `over` columns, or as far as it may.
 * Returns false if there is none. */
static bool cut_one(struct line *l, int over)
{
    for (int i = l->n; i-- > 0;) {
        struct segment *s = &l->v[i];
        int w = text_width(s->text), to = w - over > s->least ? w - over : s->least;
        if (!s->out && s->least && to < w) {
            cut_text(s->text, to);
            return true;
        }
    }
    return false;
}

static int worst_rank(const struct line *l)
{
    int rank = 0;
    for (int i = 0; i < l->n; i++)
        rank = !l->v[i].out && l->v[i].rank > rank ? l->v[i].rank : rank;
    return rank;
}

/* Shows segments again that were left out before a longer one, if there is room for them now. */
static void take_back(struct line *l, int room)
{
    for (int rank = 0; rank < OPTIONAL; rank++)
        for (int i = 0; i < l->n; i++)
            if (l->v[i].out && l->v[i].rank == rank)
                l->v[i].out = width_of(l) + GAP + segment_width(&l->v[i]) > room;
}

static void fit(struct line *l, int room)
{
    if (width_of(l) > room)
        use_narrow(l, ERRORS);
    while (width_of(l) > room && worst_rank(l) >= OPTIONAL)
        leave_out_one(l);
    if (width_of(l) > room)
        for (int i = 0; i < l->n; i++)
            l->v[i].room = 0;
    if (width_of(l) > room)
        use_narrow(l, ALL);
    while (width_of(l) > room && worst_rank(l) > 0)
        if (worst_rank(l) > NEEDED || !cut_one(l, width_of(l) - room))
            leave_out_one(l);
    take_back(l, room);
}

static void add_name(struct line *l, const struct view *v)
{
    const char *name = v->st.name ? v->st.name : "";
    if (v->side)
        snprintf(add(l, ROLE_title, 1), SEGMENT_BYTES, "%s%s%s", v->side, tx(v->lang, TX_COLON), name);
    else
        snprintf(add(l, ROLE_title, 1), SEGMENT_BYTES, "%s", name);
    if (v->settings_text && *v->settings_text) {
        snprintf(add(l, ROLE_changed, 1), SEGMENT_BYTES, "%s", v->settings_text);
        l->v[l->n - 1].least = SETTINGS_LEAST;
    }
}

/* Adds a word while the world does not run, or while the collector is active. It is the last one, so nothing moves when it comes. */
static void add_world(struct line *l, const struct view *v)
{
    static const enum text_id phase[] = {
        [GCPHASE_OFF] = TX_NONE, [GCPHASE_MARK] = TX_GC_MARKS, [GCPHASE_MARK_TERMINATION] = TX_GC_TERMINATES};
    struct model_world w = v->md ? model_world(v->md) : (struct model_world){0};
    if (w.state == WORLD_RUNS && w.phase == GCPHASE_OFF)
        return;
    enum text_id word = w.state == WORLD_RUNS ? phase[w.phase] : w.state == WORLD_STOPS ? TX_WORLD_STOPS : TX_WORLD_STOPPED;
    const char *text = tx(v->lang, word), *why = w.state == WORLD_RUNS ? "" : ev_say(FT_STWWHY, w.why, v->lang);
    char *out = add(l, w.state == WORLD_RUNS ? ROLE_netpoll : ROLE_error, 1);
    snprintf(out, SEGMENT_BYTES, "%s%s%s", text, *why ? tx(v->lang, TX_COLON) : "", why);
    snprintf(l->v[l->n - 1].narrow, sizeof l->v->narrow, "%s", text);
}

/* Adds the size of the file into which the run is recorded, or why it cannot be written. */
static void add_record(struct line *l, const struct view *v)
{
    char size[24];
    if (v->st.record_error)
        snprintf(add(l, ROLE_error, 1), SEGMENT_BYTES, tx(v->lang, TX_STATUS_RECORD_FAILS), (unsigned long long)v->st.record_events,
                 strerror(v->st.record_error));
    else if (v->st.record_bytes)
        snprintf(add(l, ROLE_number, 2), SEGMENT_BYTES, tx(v->lang, TX_STATUS_RECORDS), size_text(v->st.record_bytes, size, sizeof size));
}

/* Returns true if the generation is shown elsewhere: in the line of both runs (compare.c), or in this run's settings. */
static bool generation_is_elsewhere(const struct view *v)
{
    return (v->diff.two && !v->diff.generation) || (v->settings_text && strstr(v->settings_text, "generation="));
}

/* Adds all segments. Of two runs, only what differs; compare.c draws the rest once. */
static void add_all(struct line *l, const struct view *v)
{
    bool two = v->diff.two;
    add_name(l, v);
    if (!two) {
        add_mode(l, v);
        add_drawn(l, v);
        add_branch(l, v);
    } else if (v->diff.seed) {
        add_count(l, v, TX_SEED_ALONE, v->st.seed, ROLE_changed, 1);
    }
    if (!generation_is_elsewhere(v))
        add_generation(l, v);
    l->state = l->n;
    add_state(l, v);
    l->v[l->state].least = two ? STATE_LEAST : 0;
    add_time(l, v);
    add_behind(l, v);
    if (!v->st.back)
        add_count(l, v, TX_EVENT, v->st.events, ROLE_status, 4);
    if (!two && (!v->st.back || v->st.pending))
        add_count(l, v, TX_PENDING, v->st.pending, ROLE_status, v->st.pending ? 6 : 7);
    if (v->st.lost || (!two && !v->st.back))
        add_count(l, v, TX_LOST, v->st.lost, v->st.lost ? ROLE_error : ROLE_status, v->st.lost ? 0 : 6);
    /* The event's number is more important than the pace, and a run to a match does not keep to it. */
    bool stopped = v->st.ended || v->st.until || (v->st.paused && !v->st.stepping);
    if (!two)
        pace_text(v, add(l, ROLE_status, stopped ? 7 : 3), SEGMENT_BYTES);
    if (v->st.oldest)
        add_count(l, v, v->st.file_fails ? TX_KEPT_FROM_NO_FILE : TX_KEPT_FROM, v->st.oldest + 1, ROLE_status, v->st.file_fails ? 5 : 6);
    add_record(l, v);
    add_world(l, v);
}

static void draw(const struct pane *p, const struct view *v, struct canvas *c)
{
    struct rect r = p->in;
    struct line l = {.n = 0};
    int x = r.x + 1;
    add_all(&l, v);
    l.v[l.state].room = r.w < WIDE ? 0 : STATE_ROOM;
    if (r.w < WIDE)
        use_narrow(&l, BY_WIDTH);
    fit(&l, r.w - 2);
    for (int i = 0; i < l.n; i++) {
        const struct segment *s = &l.v[i];
        if (s->out)
            continue;
        canvas_text(c, r, x, r.y, s->role, s->text);
        x += segment_width(s) + GAP;
    }
}

const struct pane_ops pane_status = {.bare = true, .draw = draw};
