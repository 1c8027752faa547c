/* Fetches from the sessions what the next picture shows. */
#include "ui/fetch.h"

#include "ui/boxes/boxes.h"
#include "ui/input/lesson_answers.h"
#include "ui/input/reports.h"
#include "ui/input/requests.h"

#include <stdio.h>
#include <string.h>

bool ui_moves(const struct ui *u)
{
    return !u->run->st.ended && !u->run->st.still;
}

static void fetch_output(const struct ui *u, struct run *r)
{
    int n = 0;
    uint64_t total = u->ops->output(r->session, UINT64_MAX, r->line, 0, &n);
    if (total != r->total_lines) {
        uint64_t from = total > LINES_KEPT ? total - LINES_KEPT : 0;
        u->ops->output(r->session, from, r->line, LINES_KEPT, &n);
        r->nlines = n;
        r->total_lines = from + (uint64_t)n; /* if more lines were printed meanwhile, the next fetch has them */
    }
}

/* Fetches the status before the state. So the state, which may be newer but not older, includes a stop that the status reports. */
static void fetch_run(const struct ui *u, struct run *r)
{
    uint32_t run = r->st.run;
    u->ops->status(r->session, &r->st);
    struct model *md = u->ops->view(r->session, r->ev, EVENTS_KEPT, &r->nev);
    fetch_output(u, r);
    if (r->st.run != run) { /* nothing of the old run can be compared */
        diff_base_fini(&r->stops);
        pane_states_fini(&r->panes);
    }
    if (md)
        diff_base_show(&r->stops, (struct shown_state){md, r->total_lines}, !r->st.paused, r->st.still || r->st.ended);
    r->npend = r->st.still && r->st.pending && !r->st.back ? u->ops->pending(r->session, r->pend, PENDING_KEPT) : 0;
}

/* The recording of a run ends when another run replaces it. */
static void note_recorded(struct ui *u)
{
    const struct session_status *st = &u->run->st;
    char note[NOTE_BYTES], what[NOTE_BYTES];
    if (!st->recorded[0])
        return;
    snprintf(note, sizeof note, "%s", u->note.text);
    if (st->recorded_error)
        ui_note(u, tx(u->lang, TX_STATUS_RECORD_FAILS), (unsigned long long)st->recorded_events, strerror(st->recorded_error));
    else
        ui_note(u, tx(u->lang, TX_NOTE_RECORDED_BEFORE), st->recorded, (unsigned long long)st->recorded_events);
    snprintf(what, sizeof what, "%s", u->note.text);
    if (note[0])
        ui_note(u, tx(u->lang, TX_NOTE_BOTH), note, what);
}

/* A stop of any kind ends a run "until …". If the run has ended well instead, a note says that the target was not reached. */
static void note_until(struct ui *u)
{
    const struct session_status *st = &u->run->st;
    if (!u->command.until[0] || (!st->still && !st->over && !st->back))
        return;
    if (st->ended && !st->failed && !st->reached)
        ui_note(u, "%s", u->command.until);
    u->command.until[0] = '\0';
}

void ui_fetch(struct ui *u)
{
    uint32_t run = u->run->st.run;
    for (int i = 0; i < u->nruns; i++)
        fetch_run(u, &u->run[i]);
    if (u->run->st.run != run)
        note_recorded(u);
    if (ui_two(u))
        u->ops->pair->verdict(u->run->session, &u->verdict);
    else
        u->ops->lesson->now(u->run->session, &u->lesson);
    lesson_fetch(u);
    box_fetch(u);
    note_until(u);
    u->loop.stale = report_goes_on(u);
    u->loop.dirty = true;
}
