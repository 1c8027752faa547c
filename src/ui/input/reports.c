/* See reports.h. A report needs each event from the beginning, and most need the state after each. Folding a long run takes seconds, so a frame folds
 * only a part of it. The next frame continues, and so do frames after the run has moved on. */
#include "ui/input/reports.h"

#include "model/history/history.h"
#include "ui/input/commands.h"
#include "ui/input/requests.h"

#include <stdlib.h>
#include <string.h>

enum { EVENTS_AT_ONCE = 100000 }; /* some 20 ms */

void report_open(struct ui *u, const struct report_asked *asked)
{
    ui_drop_report(u);
    ui_open(u, BOX_REPORT);
    u->box.report.asked = *asked;
}

bool report_command(struct ui *u, enum report_kind kind, const char *arg)
{
    struct report_asked asked = {.kind = kind};
    bool chosen = thing_kind(u->select.tag) == THING_G;
    if (*arg && ((*arg | 0x20) != 'g' || !ev_g_id(arg, strlen(arg), &asked.g)))
        return command_fail(u, 0, tx(u->lang, TX_WRONG_G));
    if (!*arg)
        asked.g = chosen ? thing_id(u->select.tag) : 1;
    report_open(u, &asked);
    return true;
}

/* Begins with the first event. Returns false if memory ran out. */
static bool begin(struct report_box *b, const struct session_status *st)
{
    report_free(b->report);
    model_free(b->md);
    b->md = NULL;
    b->at = 0;
    b->read = UINT64_MAX;
    b->run = st->run;
    b->branch = st->branch;
    b->begins = true;
    b->gone = false;
    b->report = report_new(&b->asked);
    return b->report;
}

static void follow(struct history *h, void *ctx)
{
    struct report_box *b = ctx;
    struct history_event e;
    if (b->begins) {
        b->oldest = b->at = history_oldest(h);
        b->gone = !history_move(h, &b->md, b->at);
        b->begins = false;
    }
    uint64_t to = b->shown - b->at > EVENTS_AT_ONCE ? b->at + EVENTS_AT_ONCE : b->shown;
    while (!b->gone && b->at < to) {
        b->gone = !history_get(h, b->at + 1, &e) || model_offer(b->md, e.m, &e.ev, e.text, e.len) != OFFER_APPLIED;
        if (b->gone)
            return;
        b->at++;
        report_event(b->report, &(struct merged_event){b->md, b->at, e.m, &e.ev, e.text, e.len});
    }
}

void report_fetch(struct ui *u)
{
    struct report_box *b = &u->box.report;
    const struct session_status *st = &u->run->st;
    const struct model *md = u->run->stops.shown.md;
    uint64_t shown = md ? model_events(md) : 0;
    bool same = b->report && b->run == st->run && b->branch == st->branch && b->at <= shown;
    if (!md || (same && b->read == shown))
        return;
    b->shown = shown;
    b->gone |= (!same && !begin(b, st)) || !u->ops->search->query(u->run->session, follow, b);
    if (b->gone || b->at < b->shown)
        return;
    vec_free(&b->rows.row);
    b->gone = !report_rows(b->report, md, u->lang, &b->rows);
    b->read = b->shown;
}

bool report_goes_on(const struct ui *u)
{
    const struct report_box *b = &u->box.report;
    return u->box.kind == BOX_REPORT && b->report && !b->gone && b->at < b->shown;
}

void report_go(struct ui *u)
{
    const struct report_box *b = &u->box.report;
    uint64_t event = (size_t)b->row < b->rows.row.n ? b->rows.row.v[b->row].event : 0;
    if (!event) {
        ui_note_text(u, TX_NOTE_NO_EVENT);
        return;
    }
    ui_open(u, BOX_NONE);
    ui_move_on(u);
    ui_went(u, u->ops->rewind->goto_event(u->run->session, event));
    u->loop.stale = true;
}
