/* Status: one line that says what runs, whether it stands, and how far it is.
 *
 * It is made of segments. When they do not all fit, those that matter least go first; the others keep their order.
 */
#include "ui/panes/panes.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { SEGMENTS = 12, SEGMENT_BYTES = 160 };
enum { NEEDED = 1 }; /* ranks up to this: what a run is and does */
enum { STATE_LEAST = 10, TOLD_LEAST = 12 };
struct segment {
    char text[SEGMENT_BYTES + 4]; /* the sign of a cut may be longer than what it stands for */
    char brief[48]; /* for a narrow screen; "": none */
    enum role role;
    int rank; /* higher goes first when there is no room */
    int least; /* columns that it may be cut to; 0: it is whole or not there */
    bool out;
};
struct line {
    struct segment v[SEGMENTS];
    int n;
};

static char *add(struct line *l, enum role role, int rank)
{
    struct segment *s = &l->v[l->n++];
    s->role = role;
    s->rank = rank;
    s->out = false;
    s->least = 0;
    s->brief[0] = '\0';
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
        snprintf(l->v[l->n - 1].brief, sizeof l->v->brief, tx(v->lang, TX_SEED_SHORT), (unsigned long long)v->st.seed);
    }
}

static void add_branch(struct line *l, const struct view *v)
{
    if (v->st.branch)
        snprintf(add(l, ROLE_status, 3), SEGMENT_BYTES, tx(v->lang, TX_ON_BRANCH), v->st.branch);
}

static void add_generation(struct line *l, const struct view *v)
{
    if (v->st.generation)
        snprintf(add(l, v->other ? ROLE_changed : ROLE_status, v->other ? 1 : 5), SEGMENT_BYTES, "%s", v->st.generation);
}

/* How far behind the present what is shown is, and how far back one can go. */
static void add_back(struct line *l, const struct view *v)
{
    char behind[32], text[SEGMENT_BYTES - 2], words[STOP_TEXT];
    stop_words(&v->st.stop, v->lang, words, sizeof words);
    bool held = v->st.paused && words[0];
    unsigned long long n = v->st.newest - v->st.events, of = v->st.newest - v->st.oldest;
    duration_text(v->st.newest_time - v->st.time, behind, sizeof behind);
    if (held)
        snprintf(text, sizeof text, tx(v->lang, TX_BACK_AT), n, of, words);
    else
        snprintf(text, sizeof text, tx(v->lang, TX_BACK), n, of, behind);
    snprintf(add(l, v->st.paused ? ROLE_paused : ROLE_running, 0), SEGMENT_BYTES, " %s ", text);
    if (!held)
        snprintf(text, sizeof text, tx(v->lang, TX_BACK_SHORT), n, of);
    snprintf(l->v[l->n - 1].brief, sizeof l->v->brief, " %.44s ", text);
}

/* A check of ours has failed: its kind, and where there is room the whole of it (the narration has it in any case). */
static void add_failure(struct line *l, const struct view *v)
{
    char text[SEGMENT_BYTES - 2];
    const char *why = v->st.stop.text;
    int kind = (int)strcspn(why, ":");
    snprintf(text, sizeof text, tx(v->lang, TX_FAILED), (int)sizeof text, why);
    snprintf(add(l, ROLE_error, 0), SEGMENT_BYTES, " %s ", text);
    snprintf(text, sizeof text, tx(v->lang, TX_FAILED), kind < 28 ? kind : 28, why);
    snprintf(l->v[l->n - 1].brief, sizeof l->v->brief, " %.44s ", text);
}

/* What the program died of is told where there is room. */
static void add_end(struct line *l, const struct view *v)
{
    char text[SEGMENT_BYTES - 2], *out = add(l, ROLE_paused, 0), *brief = l->v[l->n - 1].brief;
    bool died = v->st.how == ENDED_PANIC || v->st.how == ENDED_FATAL;
    snprintf(text, sizeof text, tx(v->lang, TX_ENDED), end_text(v->lang, v->st.how));
    snprintf(brief, sizeof l->v->brief, " %.44s ", text);
    if (died && v->st.stop.text[0])
        snprintf(out, SEGMENT_BYTES, " %.40s: %.100s ", text, v->st.stop.text);
    else
        snprintf(out, SEGMENT_BYTES, " %s ", text);
}

static void add_state(struct line *l, const struct view *v)
{
    char text[128], words[STOP_TEXT];
    if (v->st.back) {
        add_back(l, v);
        return;
    }
    if (v->st.failed || v->st.ended) {
        (v->st.failed ? add_failure : add_end)(l, v);
        return;
    }
    enum role role = v->st.paused && !v->st.stepping ? ROLE_paused : ROLE_running;
    stop_words(&v->st.stop, v->lang, words, sizeof words);
    if (v->st.stepping)
        snprintf(text, sizeof text, "%s", tx(v->lang, TX_STEPPING));
    else if (v->st.paused && words[0])
        snprintf(text, sizeof text, tx(v->lang, TX_PAUSED_AT), words);
    else
        snprintf(text, sizeof text, "%s", tx(v->lang, v->st.paused ? TX_PAUSED : TX_RUNNING));
    enum { STATE_W = 7 }; /* "running": what follows stays when it pauses */
    int pad = STATE_W - text_width(text);
    snprintf(add(l, role, 0), SEGMENT_BYTES, " %s%*s ", text, pad > 0 ? pad : 0, "");
}

/* In a column of its own width, so that nothing behind it moves while time goes on. */
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
    if (!v->st.lockstep && v->st.speed_den == 1)
        snprintf(buf, size, tx(v->lang, TX_SPEED), v->st.speed_num);
    else if (!v->st.lockstep)
        snprintf(buf, size, tx(v->lang, TX_SPEED_FRACTION), v->st.speed_num, v->st.speed_den);
    else if (isinf(v->st.tempo))
        snprintf(buf, size, "%s", tx(v->lang, TX_TEMPO_MAX));
    else
        snprintf(buf, size, tx(v->lang, TX_TEMPO), v->st.tempo);
    return buf;
}

static int width_of(const struct line *l, int gap)
{
    int w = 0;
    for (int i = 0; i < l->n; i++)
        if (!l->v[i].out)
            w += text_width(l->v[i].text) + gap;
    return w - gap;
}

/* To so many columns, with a sign that there was more; a blank at its end stays. */
static void cut_text(char *text, int columns)
{
    size_t len = strlen(text), at = 0, n = 0;
    bool blank = len && text[len - 1] == ' ';
    for (int w = 1 + blank; at < len; at += n) {
        w += cp_width(utf8_next(text + at, len - at, &n));
        if (w > columns)
            break;
    }
    strcpy(text + at, blank ? "… " : "…"); /* more than that was cut off, or there is room for it */
}

static void leave_out_one(struct line *l)
{
    struct segment *worst = NULL;
    for (int i = 0; i < l->n; i++)
        if (!l->v[i].out && (!worst || l->v[i].rank >= worst->rank))
            worst = &l->v[i];
    worst->out = true;
}

static void use_briefs(struct line *l)
{
    for (int i = 0; i < l->n; i++)
        if (l->v[i].brief[0])
            memcpy(l->v[i].text, l->v[i].brief, sizeof l->v[i].brief);
}

/* The first of those that may be, from the right: what the run does rather than its settings. By `over` columns, or as far as it may. */
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

static int fit(struct line *l, int room)
{
    for (int gap = 4; gap > 2; gap--)
        if (width_of(l, gap) <= room)
            return gap;
    if (width_of(l, 2) > room)
        use_briefs(l);
    while (width_of(l, 2) > room && worst_rank(l) > 0)
        if (worst_rank(l) > NEEDED || !cut_one(l, width_of(l, 2) - room))
            leave_out_one(l);
    return 2;
}

static void add_name(struct line *l, const struct view *v)
{
    const char *name = v->st.name ? v->st.name : "";
    if (v->side)
        snprintf(add(l, ROLE_title, 1), SEGMENT_BYTES, "%s: %s", v->side, name);
    else
        snprintf(add(l, ROLE_title, 1), SEGMENT_BYTES, "%s", name);
    if (v->told && *v->told) {
        snprintf(add(l, ROLE_changed, 1), SEGMENT_BYTES, "%s", v->told);
        l->v[l->n - 1].least = TOLD_LEAST;
    }
}

/* Told elsewhere: for both (compare.c), or among this run's settings. */
static bool generation_is_told(const struct view *v)
{
    const struct view *o = v->other;
    bool same = o && v->st.generation && o->st.generation && strcmp(v->st.generation, o->st.generation) == 0;
    return same || (v->told && strstr(v->told, "generation="));
}

/* Of two runs: what is not the same for both; the rest is told once (compare.c). */
static void add_all(struct line *l, const struct view *v)
{
    const struct view *o = v->other;
    add_name(l, v);
    if (!o) {
        add_mode(l, v);
        add_branch(l, v);
    } else if (o->st.seed != v->st.seed) {
        add_count(l, v, TX_SEED_ALONE, v->st.seed, ROLE_changed, 1);
    }
    if (!generation_is_told(v))
        add_generation(l, v);
    add_state(l, v);
    l->v[l->n - 1].least = o ? STATE_LEAST : 0;
    add_time(l, v);
    add_count(l, v, TX_EVENT, v->st.events, ROLE_status, 5);
    if (!o && (!v->st.back || v->st.pending))
        add_count(l, v, TX_PENDING, v->st.pending, ROLE_status, v->st.pending ? 6 : 7);
    if (v->st.lost || (!o && !v->st.back))
        add_count(l, v, TX_LOST, v->st.lost, v->st.lost ? ROLE_error : ROLE_status, v->st.lost ? 0 : 6);
    bool stands = v->st.ended || (v->st.paused && !v->st.stepping); /* then the number of the event says more than a pace */
    if (!o)
        pace_text(v, add(l, ROLE_status, stands ? 7 : 4), SEGMENT_BYTES);
    if (v->st.oldest)
        add_count(l, v, TX_KEPT_FROM, v->st.oldest + 1, ROLE_status, 6);
}

void pane_status(const struct view *v, struct canvas *c, const struct layout_pane *pane)
{
    struct rect r = pane_rect(pane);
    struct line l = {.n = 0};
    int x = r.x + 1;
    add_all(&l, v);
    int gap = fit(&l, r.w - 2);
    for (int i = 0; i < l.n; i++)
        if (!l.v[i].out)
            x = canvas_text(c, r, x, r.y, l.v[i].role, l.v[i].text) + gap;
}
