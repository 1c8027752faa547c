/* The counters of two runs, side by side: a table over the whole width, with times in its last row.
 *
 *   ╭ Counters: left, right ───────────────────────── lockstep · seed 1 · tempo 4/s ╮
 *   │  goroutines         9     9    overflowed         0     0   …                 │
 *   │ *rounds            12     9   *steals             0     4                     │
 *   │*time         1000.120 µs  150.430 µs   *runnable_max …                        │
 *
 * Each counter keeps its place in the table. If the table is too large for the screen, counters that are 0 on both sides are left out;
 * if that is not enough, equal ones are left out, too. Then counters change places, and the title says which ones are shown.
 */
#include "ui/panes/counters.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { LEFT, RIGHT, SIDES, GAP = 2, VALUE_LEAST = 5 };

struct table {
    const struct view *v[SIDES];
    const struct counters *c[SIDES];
    int name_w, value_w, entry_w;
};

static int widest(const char *const *name, int n)
{
    int most = 0;
    for (int i = 0; i < n; i++)
        most = text_width(name[i]) > most ? text_width(name[i]) : most;
    return most;
}

static int entry_w(int name_w, int value_w)
{
    return 1 + name_w + 2 * (1 + value_w) + GAP;
}

static struct table table_of(const struct view *left, const struct view *right)
{
    struct table t = {.v = {left, right}, .name_w = widest(counter_name, COUNTERS_N), .value_w = VALUE_LEAST};
    for (int s = 0; s < SIDES; s++) {
        t.c[s] = model_counters(t.v[s]->md);
        for (int i = 0; i < (int)COUNTERS_N; i++) {
            int w = digits(counter_get(t.c[s], i));
            t.value_w = w > t.value_w ? w : t.value_w;
        }
    }
    t.entry_w = entry_w(t.name_w, t.value_w);
    return t;
}

static int across(int w, int each)
{
    int n = (w + GAP) / each;
    return n > 0 ? n : 1;
}

int counters_rows(int w)
{
    int n = across(w, entry_w(widest(counter_name, COUNTERS_N), VALUE_LEAST));
    return ((int)COUNTERS_N + n - 1) / n + 1;
}

/* ---- which are shown ---- */

enum which { ALL, NOT_0, OTHER };

static bool is(const struct table *t, enum which which, int i)
{
    uint64_t left = counter_get(t->c[LEFT], i), right = counter_get(t->c[RIGHT], i);
    return which == ALL || (which == NOT_0 ? left || right : left != right);
}

static int list(const struct table *t, enum which which, int at[COUNTERS_N])
{
    int n = 0;
    for (int i = 0; i < (int)COUNTERS_N; i++)
        if (is(t, which, i))
            at[n++] = i;
    return n;
}

/* Chooses the largest set that fits into `room` places, or else the smallest set. Returns how many counters it has. */
static int choose(const struct table *t, int room, enum which *which, int at[COUNTERS_N])
{
    int n = 0;
    for (int k = ALL; k <= OTHER; k++) {
        *which = (enum which)k;
        n = list(t, *which, at);
        if (n <= room)
            break;
    }
    return n;
}

/* ---- drawing ---- */

struct entry {
    const char *name, *value[SIDES];
    int name_w, value_w;
    bool zero, other;
};

static void draw_entry(struct canvas *c, struct rect in, int x, int y, const struct entry *e)
{
    enum role role = e->other ? ROLE_changed : e->zero ? ROLE_dim : ROLE_number;
    if (e->other)
        canvas_put(c, in, x, y, ROLE_changed, '*');
    canvas_text(c, in, x + 1, y, e->zero ? ROLE_dim : ROLE_plain, e->name);
    for (int s = 0, end = x + e->name_w; s < SIDES; s++) {
        int w = text_width(e->value[s]);
        end += 1 + e->value_w;
        canvas_right(c, in, end, y, role, e->value[s]);
        if (e->other)
            canvas_mark(c, in, end - w + 1, y, w);
    }
}

/* The times of both: the scenario time, and how long Gs were runnable before they ran, longest first. */
enum { TIMES = 1 + LATENCIES };

static const char *times_of(const struct view *v, int i, int64_t *ns)
{
    int64_t latency[LATENCIES];
    model_latency(v->md, &latency[0], &latency[1], &latency[2]);
    *ns = i ? latency[TIMES - 1 - i] : v->st.time;
    return i ? latency_name[TIMES - 1 - i] : "time";
}

/* Draws as many as there is room for. Both times have one unit. */
static void draw_times(const struct table *t, struct canvas *c, struct rect in)
{
    int name_w = widest(latency_name, LATENCIES), each = entry_w(name_w, TIME_TEXT_W);
    for (int i = 0; i < TIMES && (i + 1) * each - GAP <= in.w; i++) {
        char text[SIDES][32];
        int64_t left, right;
        const char *name = times_of(t->v[LEFT], i, &left);
        times_of(t->v[RIGHT], i, &right);
        int64_t longer = left > right ? left : right, by = right - left;
        time_text_like(left, longer, text[LEFT], sizeof text[LEFT]);
        time_text_like(right, longer, text[RIGHT], sizeof text[RIGHT]);
        if (by && strcmp(text[LEFT], text[RIGHT]) == 0) { /* the difference; a bare sign would look like a negative time */
            char ns[32];
            duration_text(by < 0 ? -by : by, ns, sizeof ns);
            snprintf(text[RIGHT], sizeof text[RIGHT], tx(t->v[LEFT]->lang, by < 0 ? TX_TIME_LESS : TX_TIME_MORE), ns);
        }
        draw_entry(c, in, in.x + i * each, in.y,
                   &(struct entry){name, {text[LEFT], text[RIGHT]}, name_w, TIME_TEXT_W, !left && !right, left != right});
    }
}

/* ---- the list ---- */

enum { ENTRIES = COUNTERS_N + LATENCIES, ENTRY_BYTES = 120 };

/* Writes entry i of those that differ; false: it does not differ. The scenario time is left out: the bars have it. */
static bool entry_text(const struct table *t, int i, char out[ENTRY_BYTES])
{
    char text[SIDES][32];
    if (i < (int)COUNTERS_N) {
        if (is(t, OTHER, i))
            snprintf(out, ENTRY_BYTES, "%s %" PRIu64 " : %" PRIu64, counter_name[i], counter_get(t->c[LEFT], i),
                     counter_get(t->c[RIGHT], i));
        return is(t, OTHER, i);
    }
    int64_t left, right;
    const char *name = times_of(t->v[LEFT], i - (int)COUNTERS_N + 1, &left);
    times_of(t->v[RIGHT], i - (int)COUNTERS_N + 1, &right);
    snprintf(out, ENTRY_BYTES, "%s %s : %s", name, duration_text(left, text[LEFT], sizeof text[LEFT]),
             duration_text(right, text[RIGHT], sizeof text[RIGHT]));
    return left != right;
}

void counters_list(const struct view *left, const struct view *right, struct canvas *c, struct rect r)
{
    enum { MORE_W = 12, BETWEEN = 3 };
    struct table t = table_of(left, right);
    int x = r.x, y = r.y, hidden = 0;
    for (int i = 0; i < ENTRIES && r.h > 0; i++) {
        char text[ENTRY_BYTES];
        if (!entry_text(&t, i, text))
            continue;
        bool last = y == r.y + r.h - 1, first = x == r.x;
        int w = text_width(text) + (first ? 0 : BETWEEN);
        if (!hidden && !first && !last && x + w > r.x + r.w) {
            x = r.x;
            y++;
            last = y == r.y + r.h - 1;
            w -= BETWEEN;
            first = true;
        }
        hidden += hidden || x + w + (last ? MORE_W : 0) > r.x + r.w;
        if (hidden)
            continue;
        x = first ? x : canvas_text(c, r, x, y, ROLE_dim, " · ");
        x = canvas_text(c, r, x, y, ROLE_number, text);
    }
    if (hidden)
        canvas_printf(c, r, x + (x > r.x ? 2 : 0), y, ROLE_dim, tx(left->lang, TX_COUNTERS_MORE), hidden);
}

void counters_draw(const struct view *left, const struct view *right, struct canvas *c, struct rect r, const char *hint)
{
    static const enum text_id title[] = {[ALL] = TX_COUNTERS, [NOT_0] = TX_COUNTERS_NOT_0, [OTHER] = TX_COUNTERS_OTHER};
    int at[COUNTERS_N], n = 0;
    enum which which = ALL;
    struct layout_pane pane = {.rect = {r.x, r.y, r.w, r.h}};
    struct rect in = pane_inside(c, &pane);
    struct table t;
    if (left->md && right->md && in.h > 1 && in.w > 0) {
        t = table_of(left, right);
        n = choose(&t, (in.h - 1) * across(in.w, t.entry_w), &which, at);
    }
    pane_frame(c, &pane, tx(left->lang, title[which]));
    int w = text_width(hint), from = text_width(tx(left->lang, title[which])) + 6;
    if (r.w - w - 4 > from)
        canvas_printf(c, r, r.x + r.w - w - 4, r.y, ROLE_status, " %s ", hint);
    if (!n)
        return;
    int rows = in.h - 1, room = rows * across(in.w, t.entry_w), shown = n <= room ? n : room - 1;
    for (int i = 0; i < shown; i++) { /* column by column, as they are read */
        char text[SIDES][24];
        for (int s = 0; s < SIDES; s++)
            snprintf(text[s], sizeof text[s], "%" PRIu64, counter_get(t.c[s], at[i]));
        draw_entry(c, in, in.x + i / rows * t.entry_w, in.y + i % rows,
                   &(struct entry){
                       counter_name[at[i]], {text[LEFT], text[RIGHT]}, t.name_w, t.value_w, !is(&t, NOT_0, at[i]), is(&t, OTHER, at[i])});
    }
    if (shown < n)
        canvas_printf(c, in, in.x + shown / rows * t.entry_w + 1, in.y + shown % rows, ROLE_dim, tx(left->lang, TX_COUNTERS_MORE),
                      n - shown);
    draw_times(&t, c, (struct rect){in.x, in.y + in.h - 1, in.w, 1});
}
