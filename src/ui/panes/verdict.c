/* The box below two runs: their result so far.
 *
 *   ╭ Left and right ──────────────────────────────── lockstep · seed 1 · tempo 4/s ╮
 *   │ left   ████████████████████████████████████████████ 10/10 Gs ended at 8.003 ms │
 *   │ right  ·············································· 0/10 stuck since 1.49 µs │
 *   │ same until event 22, then  left: M2 checks P0's queue: 0 Gs (pass 1 of 4).     │
 *   │                            right: M2 has found nothing and is about to give …  │
 *   │ With stealing, all 10 Gs end after 8.003 ms. Without it, …                     │
 *   │ rounds 12 : 2 · steals 4 : 0 · …                                               │
 *
 * The conclusion has its rows first, then the bars, then where the runs part; the counters have the rest.
 */
#include "ui/panes/verdict.h"

#include "model/conclusion.h"
#include "ui/panes/counters.h"
#include "ui/panes/parts/wrap.h"

#include <stdio.h>
#include <string.h>

enum { LEFT, RIGHT, SIDES, PARTING_ROWS = 2 };

/* A usual conclusion, and the counters of two runs that differ in one mechanism, have so many columns. */
static int lines_of(int columns, int w)
{
    int n = (columns + w - 1) / w;
    return n < 4 ? n : 4;
}

int verdict_rows(int w)
{
    enum { CONCLUSION = 200, COUNTERS = 230 };
    return w < 1 ? 1 : SIDES + PARTING_ROWS + lines_of(CONCLUSION, w) + lines_of(COUNTERS, w);
}

/* ---- who is done ---- */

/* A run that goes on may create as many Gs as the other one of the same scenario. One that has ended has created all of its own. */
static uint32_t scale_of(const struct verdict_facts *f, const struct outcome o[SIDES], int i)
{
    bool one = strcmp(f->v[LEFT]->st.name, f->v[RIGHT]->st.name) == 0;
    return one && !f->v[i]->st.ended && o[!i].created > o[i].created ? o[!i].created : o[i].created;
}

static void draw_bars(const struct verdict_facts *f, const struct outcome o[SIDES], struct canvas *c, struct rect in)
{
    enum { TEXT_W = 38 };
    for (int i = 0; i < SIDES; i++, in.y++) {
        const struct view *v = f->v[i];
        char text[120], time[40];
        uint32_t all = scale_of(f, o, i);
        int label = text_width(tx(v->lang, TX_LEFT)), other = text_width(tx(v->lang, TX_RIGHT)), from;
        if (v->st.stuck)
            snprintf(text, sizeof text, tx(v->lang, TX_VERDICT_STUCK), o[i].done, o[i].created,
                     duration_text(v->st.stuck_since, time, sizeof time));
        else if (v->st.ended)
            snprintf(text, sizeof text, tx(v->lang, TX_VERDICT_ENDED), o[i].done, o[i].created,
                     duration_text(v->st.time, time, sizeof time));
        else
            snprintf(text, sizeof text, tx(v->lang, TX_VERDICT_SO_FAR), o[i].done, o[i].created,
                     duration_text(v->st.time, time, sizeof time));
        from = in.x + 1 + (label > other ? label : other) + 2;
        canvas_text(c, in, in.x + 1, in.y, ROLE_heading, v->side);
        int w = in.x + in.w - from - TEXT_W, full = all ? (int)((uint64_t)o[i].done * (uint64_t)(w > 0 ? w : 0) / all) : 0;
        if (w < 8)
            w = 0;
        else
            canvas_hline(c, in, from, in.y, w, ROLE_dim, 0xb7);
        if (w)
            canvas_hline(c, in, from, in.y, full, v->st.stuck ? ROLE_paused : ROLE_running, 0x2588);
        canvas_text(c, in, from + w + (w > 0), in.y, v->st.stuck ? ROLE_paused : ROLE_number, text);
    }
}

/* ---- where they part ---- */

static const char *first_text(const struct verdict_facts *f, int i, char buf[SENTENCE_BYTES])
{
    return f->known->has[i] ? sentence_of(f->v[i], &f->known->first[i], buf) : tx(f->v[i]->lang, TX_VERDICT_NO_MORE);
}

static void draw_parting(const struct verdict_facts *f, struct canvas *c, struct rect in)
{
    const struct view *v = f->v[LEFT];
    char head[80], left[SENTENCE_BYTES], right[SENTENCE_BYTES];
    const struct parting *p = &f->known->parting;
    bool over = v->st.over && f->v[RIGHT]->st.over;
    snprintf(head, sizeof head,
             tx(v->lang, p->parted ? TX_VERDICT_SAME_UNTIL
                         : over    ? TX_VERDICT_ALL_SAME
                                   : TX_VERDICT_SAME_SO_FAR),
             (unsigned long long)p->same);
    int x = canvas_text(c, in, in.x + 1, in.y, ROLE_heading, head);
    if (!p->parted)
        return;
    const char *l = first_text(f, LEFT, left), *r = first_text(f, RIGHT, right);
    bool beside = in.h < PARTING_ROWS; /* one row for both: each has half of it */
    int half = (in.x + in.w - x - 2) / 2;
    struct rect part = beside ? (struct rect){x + 2, in.y, half - 1, 1} : in;
    canvas_printf(c, part, x + 2, in.y, ROLE_sentence, "%s%s%s", v->side, tx(v->lang, TX_COLON), l);
    canvas_printf(c, in, beside ? x + 2 + half : x + 2, in.y + !beside, ROLE_sentence, "%s%s%s", f->v[RIGHT]->side, tx(v->lang, TX_COLON),
                  r);
}

/* ---- the conclusion ---- */

static void conclude(const struct verdict_facts *f, char *buf, size_t size)
{
    struct conclusion_run run[SIDES];
    for (int i = 0; i < SIDES; i++) {
        const struct session_status *st = &f->v[i]->st;
        run[i] = (struct conclusion_run){f->v[i]->md, f->subject[i], st->stuck ? ENDED_STUCK : st->ended ? st->how : -1, st->time};
    }
    conclusion_text(run, &f->known->parting, f->v[LEFT]->lang, buf, size);
}

void verdict_draw(const struct verdict_facts *f, struct canvas *c, struct rect r, const char *hint)
{
    char text[CONCLUSION_BYTES];
    const struct view *v = f->v[LEFT];
    struct layout_pane pane = {.rect = {r.x, r.y, r.w, r.h}};
    struct rect in = pane_inside(c, &pane);
    pane_frame(c, &pane, tx(v->lang, TX_VERDICT));
    int w = text_width(hint), from = text_width(tx(v->lang, TX_VERDICT)) + 6;
    if (r.w - w - 4 > from)
        canvas_printf(c, r, r.x + r.w - w - 4, r.y, ROLE_status, " %s ", hint);
    if (!v->md || !f->v[RIGHT]->md || in.h < 1 || in.w < 1)
        return;
    struct outcome o[SIDES] = {outcome_of(v->md), outcome_of(f->v[RIGHT]->md)};
    conclude(f, text, sizeof text);
    int lines = wrap_lines(text, in.w - 1), left = in.h - (lines < in.h ? lines : in.h), y = in.y;
    int parting = left >= SIDES + PARTING_ROWS ? PARTING_ROWS : left > SIDES ? 1 : 0;
    if (left >= SIDES) {
        draw_bars(f, o, c, (struct rect){in.x, y, in.w, SIDES});
        y += SIDES;
    }
    if (parting)
        draw_parting(f, c, (struct rect){in.x, y, in.w, parting});
    y += parting;
    y += wrap_draw(c, (struct rect){in.x + 1, y, in.w - 1, in.y + in.h - y}, ROLE_sentence_now, text);
    counters_list(v, f->v[RIGHT], c, (struct rect){in.x + 1, y, in.w - 1, in.y + in.h - y});
}
