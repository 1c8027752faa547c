/* What the screen shows of a run: the status, a copy of the state, the output, pending events, the lesson. The UI's thread (session.c). */
#include "session/session_internal.h"
#include "base/wall.h"
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

void session_copy_line(char *out, size_t size, const char *line)
{
    size_t len = strlen(line);
    if (len >= size) {
        len = size - 1;
        while (len && ((unsigned char)line[len] & 0xc0) == 0x80)
            len--;
    }
    memcpy(out, line, len);
    out[len] = '\0';
}

static bool will_be_another(const struct session *s)
{
    return s->request.restart || s->request.branch;
}

/* Returns true if the world is at rest and no request would change that. */
static bool is_still(const struct session *s)
{
    const struct requests *r = &s->request;
    return !r->run && s->motion.state == STOPPED && !r->halt && !r->mode && !r->pending.n && !r->steps && !s->advance.on &&
           !will_be_another(s);
}

/* Returns true if a step takes so long that the screen shows it as under way. For a shorter one, the word would only flicker. */
static bool is_stepping(const struct session *s)
{
    bool under_way = s->request.steps || s->advance.on || s->motion.state == STEPPING;
    bool stopping = s->request.halt || s->motion.pausing;
    bool shown = !s->request.run && !s->decision.on && !rewind_on(&s->rewind);
    return under_way && shown && !stopping && wall_ns() - s->request.step_since > SESSION_SEEN_NS;
}

static struct stop stop_of(const struct session *s)
{
    const struct engine *e = s->e;
    struct stop stop = {.time = -1};
    if (engine_failed(e) || s->ended) {
        stop.kind = engine_failed(e) ? STOP_FAILED : e->how == ENDED_LIMIT ? STOP_LIMIT : STOP_ENDED;
        stop_set_text(&stop, engine_failed(e) ? e->failure : e->fatal);
        return stop;
    }
    if (engine_held(e) && e->held.kind != STOP_LIMIT)
        return e->held;
    if (s->rewind.held.kind)
        return s->rewind.held;
    if (e->refused.kind)
        return e->refused;
    if (s->motion.stepped && is_still(s))
        stop.kind = STOP_STEP;
    return stop;
}

/* Writes the capabilities that the run refuses now, and those of them that this kind of source never has. */
static void put_refused(const struct engine *e, struct session_status *out)
{
    for (int what = 0; what < CAPABILITIES; what++) {
        enum refusal why = engine_refuses(e, (enum capability)what);
        out->refused |= (uint32_t)(why != REFUSED_NOT) << what;
        out->without |= (uint32_t)(why >= REFUSED_RECORDED) << what;
    }
}

/* Replaces the fields that differ while the past is shown. */
static void status_rewound(const struct session *s, struct session_status *out)
{
    out->back = true;
    out->ended = out->failed = false;
    out->time = rewind_time_shown(&s->rewind);
    out->events = rewind_now(&s->rewind);
    out->stop = s->rewind.held;
}

static struct session_goal goal_at(const struct breakpoint *k, uint64_t now)
{
    uint64_t times = pattern_times(k->match.pattern);
    struct session_goal goal = {.stop = break_stop(k, -1), .event = k->event};
    goal.of = k->event ? k->event : times > 1 ? times : 0;
    goal.seen = k->event ? now : k->match.seen;
    return goal;
}

/* A run "until …" leads there; otherwise a run leads to its breakpoints, except those of which the N-th match is past. */
static struct session_goal goal_of(const struct session *s)
{
    const struct breaks *b = &s->e->breaks;
    const struct breakpoint *until = breaks_find(b, 0), *only = NULL;
    uint32_t n = 0;
    if (!s->request.run || rewind_on(&s->rewind) || s->ended)
        return (struct session_goal){.breaks = 0};
    if (until)
        return goal_at(until, s->e->events);
    for (uint32_t i = 0; i < b->n; i++) {
        const struct matcher *k = &b->v[i]->match;
        uint64_t times = pattern_times(k->pattern);
        if (k->never || (times > 1 && k->seen >= times))
            continue;
        only = b->v[i];
        n++;
    }
    return n == 1 ? goal_at(only, s->e->events) : (struct session_goal){.breaks = n};
}

static void put_drawn(const struct run_info *info, char *buf, size_t size)
{
    size_t at = 0;
    for (uint32_t i = 0; i < info->ndrawn && at < size; i++)
        at += (size_t)snprintf(buf + at, size - at, "%s%s=%" PRId64, i ? " " : "", info->drawn[i].name, info->drawn[i].value);
}

void session_status(struct session *s, struct session_status *out)
{
    session_enter(s);
    s->notified = false;
    const struct engine *e = s->e;
    const struct run_info *info = &e->cfg.info;
    int64_t time = model_time(engine_view(e)), held = e->held.time;
    const struct recording_status record = engine_recording(e);
    *out = (struct session_status){
        .name = info->name,
        .title = info->title,
        .summary = info->summary,
        .generation = generation_name[info->generation],
        .policy = info->policy,
        .seed = info->seed,
        .no_p = !info->has_p,
        .no_tick61 = info->off >> DIS_FAIRNESS_TICK & 1,
        .no_stealing = info->off >> DIS_STEALING & 1,
        .no_runnext = !(info->mechanisms >> DIS_RUNNEXT & 1),
        .no_needspinning = !(info->mechanisms >> DIS_NEEDSPINNING & 1),
        .lockstep = session_is_lockstep(s),
        .was_free = engine_was_free(e),
        .paused = !s->request.run,
        .still = is_still(s),
        .stepping = is_stepping(s),
        .until = s->request.run && (s->pacing.no_delay || pending_until(&s->request.pending)),
        .goal = goal_of(s),
        .run = s->runs,
        .branch = s->branches.v.n > 1 ? (uint32_t)s->branches.here + 1 : 0,
        .ended = s->ended && !will_be_another(s),
        .over = s->ended,
        .reached = e->reached,
        .failed = engine_failed(e),
        .how = e->how < 0 ? ENDED_FATAL : e->how,
        .time = held > time ? held : time,
        .newest_time = time,
        .places = engine_shows_places(e),
        .record_bytes = record.path ? record.bytes : 0,
        .record_events = record.events,
        .record_error = record.error,
        .events = e->events,
        .newest = e->events,
        .oldest = history_oldest(e->history),
        .file_fails = history_file_fails(e->history),
        .pending = engine_over(e) ? 0 : engine_pending(e),
        .lost = engine_lost(e),
        .tempo = s->pacing.tempo,
        .speed = s->pacing.speed,
        .stop = stop_of(s),
    };
    memcpy(out->recorded, s->recorded.name, sizeof out->recorded);
    out->recorded_events = s->recorded.events;
    out->recorded_error = s->recorded.error;
    put_refused(e, out);
    put_drawn(info, out->drawn, sizeof out->drawn);
    if (rewind_on(&s->rewind))
        status_rewound(s, out);
    int64_t behind = e->source->ops->behind && !engine_over(e) ? e->source->ops->behind(e->source, out->time) : -1;
    out->follows = behind >= 0;
    out->behind = out->follows ? behind : 0;
    session_leave(s, REQUEST_NONE);
}

/* A text that is too long is cut between two characters and ends with "…". */
static void copy_text(char out[SESSION_TEXT], const char *text, size_t len)
{
    static const char more[] = "…";
    bool cut = len >= SESSION_TEXT;
    if (cut)
        len = SESSION_TEXT - sizeof more;
    while (cut && len && ((unsigned char)text[len] & 0xc0) == 0x80)
        len--;
    if (len)
        memcpy(out, text, len);
    memcpy(out + len, cut ? more : "", cut ? sizeof more : 1);
}

static void copy_event(const struct history_event *h, struct session_event *out)
{
    out->number = h->number;
    out->m = h->m;
    out->ev = h->ev;
    copy_text(out->text, h->text, h->len);
}

bool session_event_at(struct session *s, uint64_t number, struct session_event *out)
{
    struct history_event h;
    session_enter(s);
    bool found = history_get(s->e->history, number, &h);
    if (found)
        copy_event(&h, out);
    session_leave(s, REQUEST_NONE);
    return found;
}

/* Core events up to what is shown, from the newest back; details would push them out of the list. LOOK_BACK: where nothing but details
 * was logged for so long, older sentences are not worth the time under the lock. */
static int copy_events(struct session *s, struct session_event *out, int max)
{
    enum { LOOK_BACK = 1 << 16 };
    uint64_t at = rewind_now(&s->rewind), k = 0;
    struct history_event h;
    int n = 0;
    for (; n < max && k < LOOK_BACK && k < at && history_get(s->e->history, at - k, &h); k++)
        if (k == 0 || ev_level_of[h.ev.kind] == EV_CORE)
            copy_event(&h, &out[max - ++n]);
    if (n) /* out may be NULL for none */
        memmove(out, out + max - n, (size_t)n * sizeof *out);
    return n;
}

struct model *session_view(struct session *s, struct session_event *events, int max, int *n)
{
    session_enter(s);
    s->notified = false;
    struct model *md = model_clone(rewind_on(&s->rewind) ? s->rewind.md : engine_view(s->e));
    *n = md ? copy_events(s, events, max) : 0;
    if (md && rewind_on(&s->rewind)) /* the history has events only */
        model_set_races(md, races_until(&s->e->races, rewind_now(&s->rewind)));
    if (md)
        model_pass_time(md, rewind_on(&s->rewind) ? s->rewind.held.time : s->e->held.time);
    session_leave(s, REQUEST_NONE);
    return md;
}

uint64_t session_output(struct session *s, uint64_t from, char (*lines)[160], int max, int *n)
{
    const char *const *all;
    session_enter(s);
    uint64_t total = expect_lines(s->e->expect, &all);
    if (rewind_on(&s->rewind))
        total = expect_lines_at(s->e->expect, rewind_now(&s->rewind));
    for (*n = 0; *n < max && from + (uint64_t)*n < total; ++*n)
        session_copy_line(lines[*n], sizeof lines[*n], all[from + (uint64_t)*n]);
    session_leave(s, REQUEST_NONE);
    return total;
}

struct unread {
    struct session_event *out;
    int n, max;
};

/* Inserts an event in the order of time. The events arrive ring by ring. */
static void take_unread(void *ctx, uint32_t m, const struct ev *e, const char *text, size_t len)
{
    struct unread *u = ctx;
    int at = u->n;
    while (at > 0 && u->out[at - 1].ev.time > e->time)
        at--;
    if (at == u->max)
        return;
    u->n += u->n < u->max;
    memmove(&u->out[at + 1], &u->out[at], (size_t)(u->n - 1 - at) * sizeof *u->out);
    u->out[at] = (struct session_event){.m = m, .ev = *e};
    copy_text(u->out[at].text, text, len);
}

int session_pending(struct session *s, struct session_event *out, int max)
{
    struct unread u = {out, 0, max};
    session_enter(s);
    if (s->e->how < 0)
        engine_peek(s->e, take_unread, &u);
    session_leave(s, REQUEST_NONE);
    return u.n;
}

/* Keeps each text once, as long as the session lives. */
static const char *keep(struct session *s, const char *text)
{
    for (size_t i = 0; i < s->text.n; i++)
        if (!strcmp(s->text.v[i], text))
            return s->text.v[i];
    const char *copy = arena_strndup(&s->texts, text, strlen(text));
    return copy && vec_push(&s->text, copy) ? copy : "";
}

/* The values of this run take the places of the queries. */
static struct text filled(struct session *s, struct text t)
{
    enum { FILLED_BYTES = 2000 };
    for (int lang = 0; lang < LANGS; lang++) {
        char buf[FILLED_BYTES];
        if (!t.in[lang])
            continue;
        answers_fill(&s->e->answers, engine_view(s->e), t.in[lang], buf, sizeof buf);
        t.in[lang] = keep(s, buf);
    }
    return t;
}

static void copy_entry(struct session *s, uint32_t i, struct session_lesson *out)
{
    struct scenario_lesson l;
    answers_entry(&s->e->answers, i, &l);
    out->say = filled(s, l.say);
    out->question = filled(s, l.question);
    out->because = filled(s, l.because);
    out->nchoices = l.nchoices;
    out->notes = l.notes;
    out->chance = l.chance;
    for (uint32_t k = 0; k < l.nchoices; k++) {
        out->choice[k] = filled(s, l.choice[k]);
        out->choice_because[k] = filled(s, l.choice_because[k]);
    }
    for (; out->nhidden < l.nhidden; out->nhidden++)
        out->hidden[out->nhidden] = l.hidden[out->nhidden];
}

/* Fills in the entry with this number. */
static void take_entry(struct session *s, uint32_t i, struct session_lesson *out)
{
    copy_entry(s, i, out);
    out->entry = i;
    out->answer = answers_choice(&s->e->answers, i, engine_view(s->e), engine_over(s->e));
    const char *value = answers_value(&s->e->answers, i, engine_view(s->e), engine_over(s->e));
    out->came = keep(s, value ? value : "");
    out->place = s->e->lesson.v[i].met_at;
    out->decided = s->e->lesson.v[i].decided;
    out->open = engine_answer_is_open(s->e, i);
}

/* Before any entry is met; each text of it may be read. */
static const struct session_lesson no_entry = {
    .answer = -1,
    .came = "",
    .next = "",
    .say.in[LANG_EN] = "",
    .question.in[LANG_EN] = "",
    .because.in[LANG_EN] = "",
    .notes.in[LANG_EN] = ""};

bool session_lesson_entry(struct session *s, uint32_t i, struct session_lesson *out)
{
    *out = no_entry;
    session_enter(s);
    engine_follow_lesson(s->e);
    const struct lesson *l = &s->e->lesson;
    bool has = i < l->n && !l->v[i].match.never;
    if (has)
        take_entry(s, i, out);
    session_leave(s, REQUEST_NONE);
    return has;
}

/* Returns the known limit of Go by which a G was left next to an idle P; "": a what-if switch did it; NULL: none was left. */
static const char *way_of_loss(const struct engine *e)
{
    const struct counters *c = model_counters(engine_view(e));
    if (e->how < 0 || !c->stranded)
        return NULL;
#define X(name) \
    if (c->name) \
        return #name;
    KNOWN_LIST(X)
#undef X
    return "";
}

void session_lesson(struct session *s, struct session_lesson *out)
{
    session_enter(s);
    engine_follow_lesson(s->e);
    const struct lesson *l = &s->e->lesson;
    uint64_t now = rewind_now(&s->rewind);
    *out = no_entry;
    out->on = l->on;
    out->n = l->n;
    out->met = lesson_met(l, now);
    int last = l->on ? lesson_shown(l, now) : -1;
    uint32_t to_come = lesson_next(l, out->met);
    if (last >= 0)
        take_entry(s, (uint32_t)last, out);
    else
        out->met = 0; /* all entries so far do not hold in this run */
    out->returns = last >= 0 && last != lesson_last(l, now);
    out->number = lesson_holding(l, last >= 0 ? (uint32_t)last + 1 : 0);
    out->of = lesson_holding(l, l->n);
    out->next = to_come < l->n ? l->v[to_come].on : "";
    out->no_questions = l->made_for.no_questions;
    if (l->made_for.lacks) {
        out->made_for = generation_name[l->made_for.generation];
        out->made_procs = l->made_for.procs;
        out->other_switches = l->made_for.other_switches;
        out->made_boot = l->made_for.other_boot ? boot_name[l->made_for.boot] : NULL;
        out->made_module = generation_name[l->made_for.module];
    }
    out->lost = way_of_loss(s->e);
    out->task = s->e->cfg.info.task;
    session_leave(s, REQUEST_NONE);
}
