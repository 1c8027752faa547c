/* The program without a full screen (linear.h).
 *
 * It only appends lines, and never writes an escape sequence. Keys, commands and boxes are those of the full screen: a line that is the name
 * of a key presses it, every other line is a command, and a box that opens is drawn on a canvas whose rows become lines. So there is no
 * second list of what can be done.
 *
 * At a terminal each line acts at once. From a pipe, the next line is read when the run rests, so that a script gives the same lines every time.
 */
#include "ui/linear.h"

#include "base/text.h"
#include "ui/boxes/boxes.h"
#include "ui/fetch.h"
#include "ui/input/commands.h"
#include "ui/input/keys.h"
#include "ui/input/reports.h"
#include "ui/input/requests.h"
#include "ui/panes/parts/event_list.h"
#include "ui/tour.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

enum { PAGE_W = 100, PAGE_MOST = 300, PAGE_H = 400, PANE_W = 80, PANE_LEAST = 40, PANE_H = 40 };
enum { LIVE_MS = 250, LINE_BYTES = PROMPT_BYTES, SCAN = 4096, JUMP = 20, BRIEF = 20, BRIEF_LAST = 6 };

struct linear {
    struct ui *u;
    bool terminal; /* a person types */
    bool prompted; /* the prompt is the last thing on the output */
    int columns;   /* of the terminal that gets the output; 0: it is none */
    char in[LINE_BYTES], last[LINE_BYTES];
    size_t n;
    bool eof;
    uint32_t run;        /* the run whose events are printed */
    uint64_t told, most; /* the last event that is done with; the newest one of all */
    uint64_t said;       /* the last event that has a sentence */
    char state[300];     /* the last line about the state */
    struct told_lesson {
        uint32_t run, step, entry;
        bool answered, decided;
    } lesson;                 /* what was said of the lesson last; step 0: nothing */
    uint64_t asked, answered; /* bits of the entries whose question, and whose answer was said */
    uint32_t choices;         /* the serial of the choices that were listed */
    bool card;                /* the closing card was said and takes the next line */
};

static void end_prompt(struct linear *l)
{
    if (l->prompted)
        putchar('\n');
    l->prompted = false;
}

/* Returns how many bytes of the text fit into the columns, up to a blank between two words; all of them if no such blank fits. */
static size_t row_of(const char *text, int columns)
{
    size_t len = strlen(text), fits = 0;
    int w = 0;
    for (size_t i = 0, n; i < len && w <= columns; i += n) {
        if (text[i] == ' ' && i)
            fits = i;
        w += cp_width(utf8_next(text + i, len - i, &n));
    }
    return w > columns && fits ? fits : len;
}

/* A terminal would break a long line inside of a word. Elsewhere a line stays one line. */
static void say(struct linear *l, const char *text)
{
    end_prompt(l);
    for (size_t n; l->columns && text_width(text) > l->columns && (n = row_of(text, l->columns)) < strlen(text); text += n + 1)
        visible_line(stdout, "%.*s", (int)n, text);
    visible_line(stdout, "%s", text);
}

static void say_text(struct linear *l, enum text_id text)
{
    say(l, tx(l->u->lang, text));
}

/* ---- a picture as lines ---- */

/* Frames become blanks, and blanks at the end go. */
static void put_row(const struct canvas *c, int y, char *text)
{
    char *out = text;
    const struct cell *row = &c->cell[(size_t)y * (size_t)c->w];
    for (int x = 0; x < c->w; x++) {
        bool frame = row[x].role == ROLE_border || row[x].role == ROLE_focus;
        if (row[x].width)
            out += utf8_put(frame ? ' ' : row[x].ch, out);
    }
    while (out > text && out[-1] == ' ')
        out--;
    *out = '\0';
}

/* The lower edge of a frame says how to close it, which has no meaning here. */
static bool is_lower_edge(const struct canvas *c, int y)
{
    const struct cell *row = &c->cell[(size_t)y * (size_t)c->w];
    int x = 0;
    bool named = false;
    while (x < c->w - 1 && row[x].ch == ' ')
        x++;
    for (int i = x; i < c->w; i++)
        named = named || row[i].role == ROLE_title;
    return row[x].ch == 0x2570 || (row[x].ch == '+' && !named);
}

/* Says the rows without their first `margin` blanks. Returns false if all are empty. */
static bool say_rows(struct linear *l, size_t margin)
{
    struct canvas *c = &l->u->canvas;
    char text[4 * PAGE_MOST + 1];
    bool any = false;
    for (int y = 0; y < c->h; y++) {
        put_row(c, y, text);
        size_t blank = strspn(text, " ");
        if (!text[blank] || is_lower_edge(c, y))
            continue;
        say(l, text + (blank < margin ? blank : margin));
        any = true;
    }
    return any;
}

static void say_picture(struct linear *l)
{
    say_rows(l, PAGE_MOST);
}

/* ---- events ---- */

struct window {
    struct session_event *ev;
    uint64_t from, to, at; /* the events after `from` up to `to`; at: the last one that was looked at */
    uint64_t oldest;
    bool detail; /* the last one counts, even if it is a detail event */
    int n;
    uint64_t said;
    struct spawning {
        bool no_row, grows;
        struct spawn_told told;
    } spawn[EVENTS_KEPT];
};

/* Repeated starts have one sentence, at the last of them. */
static struct spawning spawning_of(struct history *h, const struct window *w)
{
    struct spawn_history all = {.h = h, .last = w->to};
    int64_t n = (int64_t)w->at;
    return (struct spawning){spawn_has_no_row(spawn_read_history, &all, n), spawn_may_grow(spawn_read_history, &all, n),
                             spawn_tells(spawn_read_history, &all, n, (int64_t)w->said)};
}

static void read_window(struct history *h, void *ctx)
{
    struct window *w = ctx;
    w->oldest = history_oldest(h);
    w->at = w->from > w->oldest ? w->from : w->oldest;
    for (int scanned = 0; w->at < w->to && w->n < EVENTS_KEPT && scanned < SCAN; scanned++) {
        struct session_event *e = &w->ev[w->n];
        bool last = ++w->at == w->to && w->detail;
        w->spawn[w->n] = spawning_of(h, w);
        w->n += list_copy(h, w->at, e) && (last || ev_desc[e->ev.kind].level == EV_CORE);
    }
}

static void say_event(struct linear *l, const struct view *v, const struct window *w, int i)
{
    char text[SENTENCE_BYTES + 32], buf[SENTENCE_BYTES];
    struct spawn_told told = w->spawn[i].told;
    const char *sentence = told.n > 1 ? spawns_sentence(v, &w->ev[i], told, buf) : listed_sentence(v, i, buf);
    snprintf(text, sizeof text, "%llu: %s", (unsigned long long)w->ev[i].number, sentence);
    say(l, text);
    l->said = w->ev[i].number;
}

/* Says events of the window. Returns the last one that is done with. An event whose sentence is not decided yet ends it, unless the run rests
 * or a window has no room for more of it. At rest the last event has a sentence in any case: a person has stepped to it. */
static uint64_t say_window(struct linear *l, const struct window *w, bool rests)
{
    struct view v = ui_view(l->u, LEFT);
    v.ev = w->ev;
    v.nev = w->n;
    v.sentences = NULL;
    bool full = w->at < w->to;
    for (int i = 0; i < w->n; i++) {
        bool detail = ev_desc[w->ev[i].ev.kind].level != EV_CORE, open = event_is_open(&v, i);
        bool hidden = (!open && !detail && !event_listed(&v, i)) || (w->spawn[i].no_row && !(rests && i == w->n - 1));
        if ((open || w->spawn[i].grows) && !rests && (i || !full))
            return w->ev[i].number - 1;
        if (!hidden)
            say_event(l, &v, w, i);
    }
    bool left_out = !rests && w->at == w->to && l->said != w->to; /* the run may rest there, and then it has a sentence */
    return left_out ? w->at - 1 : w->at;
}

/* Says at most a window of events. Returns true if there are more. */
static bool say_some(struct linear *l, bool rests)
{
    struct ui *u = l->u;
    char text[128];
    struct window w = {.ev = u->run->ev, .from = l->told, .to = u->run->st.events, .detail = rests, .said = l->said};
    if (l->told >= w.to || !u->ops->search->query(u->run->session, read_window, &w))
        return false;
    if (w.oldest > l->told) {
        snprintf(text, sizeof text, tx(u->lang, TX_LINEAR_FORGOTTEN), (unsigned long long)w.oldest);
        say(l, text);
    }
    uint64_t done = say_window(l, &w, rests && w.at == w.to);
    bool more = done > l->told && done < w.to;
    l->told = done > l->told ? done : l->told;
    l->most = l->told > l->most ? l->told : l->most;
    return more;
}

/* In a lesson and in the tour, what passes between two stops is a number and the last few sentences. */
static bool is_brief(const struct ui *u)
{
    return (u->lesson.on || u->cfg->tour) && !u->cfg->every_event;
}

/* other_run: such as a branch, which begins where the one before is, not at its first event. */
static void skip_to_last(struct linear *l, uint64_t now, bool other_run)
{
    char text[80];
    snprintf(text, sizeof text, tx(l->u->lang, TX_LINEAR_LATER), (unsigned long long)(now - l->told));
    if (!other_run)
        say(l, text);
    l->told = l->said = now - BRIEF_LAST;
}

static void say_events(struct linear *l, bool rests)
{
    const struct session_status *st = &l->u->run->st;
    uint64_t before = st->events ? st->events - 1 : 0;
    bool other = st->run != l->run;
    if (is_brief(l->u) && !rests)
        return;
    if (other) {
        l->told = l->most = l->said = 0;
        l->state[0] = '\0'; /* a new run may end as the one before, at the same event */
    }
    l->run = st->run;
    bool jumped = st->events < l->told || (l->told < l->most && before > l->told + JUMP);
    if (jumped)
        l->told = l->said = before;
    if (is_brief(l->u) && st->events > l->told + BRIEF)
        skip_to_last(l, st->events, other);
    while (say_some(l, rests))
        ;
}

/* ---- what changed ---- */

static void say_note(struct linear *l)
{
    struct ui *u = l->u;
    if (u->note.text[0])
        say(l, u->note.text);
    u->note.text[0] = '\0';
}

static void draw_one(struct ui *u, struct layout_pane pane, bool only_answer)
{
    struct view v = ui_view(u, LEFT);
    v.only_answer = only_answer;
    v.on_screen = 1u << PANE_narration; /* the sentences have been said */
    struct pane_source from = ui_source(u, LEFT);
    canvas_clear(&u->canvas);
    panes_prepare(&v, &u->canvas, &pane, 1, &from);
    panes_draw(&v, &u->canvas, &pane, 1);
}

/* Boxes and the lesson are written for lines of this length. */
static int page_columns(const struct linear *l)
{
    return l->columns && l->columns < PAGE_W ? l->columns : PAGE_W;
}

static void draw_pane(struct ui *u, enum pane_kind kind, bool only_answer)
{
    draw_one(u, pane_standard(kind, (struct layout_rect){0, 0, u->canvas.w, PAGE_H}), only_answer);
}

/* Returns the columns of a terminal on stdout; 0: it is none. */
static int terminal_columns(void)
{
    struct winsize ws;
    bool there = ioctl(STDOUT_FILENO, TIOCGWINSZ, &ws) == 0 && ws.ws_col >= PANE_LEAST;
    return !there ? 0 : ws.ws_col > PAGE_MOST ? PAGE_MOST : ws.ws_col;
}

/* Returns how wide a pane is: as the terminal, or as COLUMNS says. */
static int pane_columns(void)
{
    const char *columns = getenv("COLUMNS");
    int terminal = terminal_columns(), w = terminal ? terminal : columns ? atoi(columns) : PANE_W;
    return w < PANE_LEAST ? PANE_W : w > PAGE_MOST ? PAGE_MOST : w;
}

/* Says the pane that was asked for. Its columns stay below each other. */
static void say_pane(struct linear *l)
{
    struct ui *u = l->u;
    char text[96];
    int kind = u->says - 1;
    bool why = u->why == WHY_CAUSES && kind == PANE_goroutine;
    struct layout_rect rect = {0, 0, why ? PAGE_MOST : pane_columns(), PANE_H}; /* a reason has one line, which nothing cuts */
    u->says = 0;
    if (kind < 0 || !canvas_resize(&u->canvas, rect.w, PAGE_H))
        return;
    if (kind == PANE_program && !u->run->st.places)
        u->ops->record_places(u->run->session);
    draw_one(u, why ? pane_docked(rect, false) : pane_standard((enum pane_kind)kind, rect), false);
    if (!say_rows(l, 2)) {
        snprintf(text, sizeof text, tx(u->lang, TX_LINEAR_EMPTY), pane_name(kind));
        say(l, text);
    }
    if (!canvas_resize(&u->canvas, page_columns(l), PAGE_H))
        ui_leave(u, 2);
}

/* Says the entry. A question that was said is not said again: its answer follows, or that the run decides it here. */
static void say_entry(struct linear *l, bool answered)
{
    char text[160];
    const struct session_lesson *lesson = &l->u->lesson;
    uint64_t bit = lesson->nchoices && lesson->entry < 64 ? 1ull << lesson->entry : 0;
    bool again = answered && l->asked & bit;
    l->asked |= bit;
    if (again && l->answered & bit) {
        snprintf(text, sizeof text, tx(l->u->lang, TX_LINEAR_DECIDED), lesson->number);
        say(l, text);
        return;
    }
    l->answered |= answered ? bit : 0;
    draw_pane(l->u, PANE_lesson, again);
    say_picture(l);
}

/* The lesson is fetched later than the state, so it may be an event ahead of the sentences. It waits for them. */
static void say_lesson(struct linear *l, bool rests)
{
    struct ui *u = l->u;
    if (u->lesson.on && (u->lesson.place > l->told || (is_brief(u) && !rests)))
        return;
    struct view v = ui_view(u, LEFT);
    bool answered = u->lesson.on && u->lesson.nchoices && lesson_shows_answer(&v);
    bool decided = answered && u->lesson.decided && v.st.events >= u->lesson.decided;
    struct told_lesson was = l->lesson;
    struct told_lesson now = {u->run->st.run, u->lesson.on ? u->lesson.met + 1 : 0, u->lesson.entry, answered, decided};
    bool new_run = now.run != was.run, same = !new_run && now.step == was.step;
    bool begun = (now.step > 1) == (was.step > 1) && !now.step == !was.step; /* entries that do not hold here are passed, too */
    if (!new_run && begun && now.entry == was.entry && now.answered == was.answered && now.decided == was.decided)
        return;
    l->lesson = now;
    if (new_run)
        l->asked = l->answered = 0;
    bool said = same && now.entry > was.entry && !decided; /* back from an answer that came late */
    if (!u->lesson.on || said)
        return;
    say_entry(l, answered);
}

/* The choices are fetched later than the state, so they may follow an event that is newer. Returns true if they follow this one, or one
 * before it. */
static bool choices_follow(const struct ui *u, uint64_t event)
{
    const struct session_decision *d = &u->box.choose.fetched;
    return d->state != CHOICE_READY || d->at <= event;
}

static void say_choices(struct linear *l)
{
    struct ui *u = l->u;
    const struct session_decision *d = &u->box.choose.shown;
    char text[256], line[300];
    if (d->state == CHOICE_MAKING || d->serial == l->choices || !choices_follow(u, l->told))
        return;
    l->choices = d->serial;
    say(l, d->head[u->lang]);
    if (d->state != CHOICE_READY) {
        ui_open(u, BOX_NONE);
        return;
    }
    for (int i = 0; choose_row_text(u, i, text, sizeof text); i++) {
        snprintf(line, sizeof line, "%d) %s", i, text);
        say(l, line);
    }
    say_text(l, TX_LINEAR_CHOOSE);
}

static void say_box(struct linear *l)
{
    struct ui *u = l->u;
    canvas_clear(&u->canvas);
    if (u->inspect)
        draw_pane(u, PANE_inspect, false);
    u->inspect = false;
    if (u->box.kind == BOX_CHOOSE) {
        say_choices(l);
    } else if (u->box.kind == BOX_SHARE) {
        say(l, u->box.share);
        ui_open(u, BOX_NONE);
    } else if (u->box.kind != BOX_NONE && !l->card) {
        do
            box_fetch(u);
        while (report_goes_on(u));
        box_draw(u);
        if (u->box.kind != BOX_CARD)
            ui_open(u, BOX_NONE);
    }
    l->card = u->box.kind == BOX_CARD;
    say_picture(l);
}

/* Writes the time as in the status line, where the canvas draws "us" without UTF-8. */
static const char *exact_time(const struct linear *l, int64_t ns, char *buf, size_t size)
{
    char *micro = strstr(time_text(ns, buf, size), "µ");
    if (micro && l->u->canvas.ascii)
        memcpy(micro, "us", sizeof "us");
    return buf;
}

static void say_state(struct linear *l)
{
    char state[200], time[32], text[300];
    struct view v = ui_view(l->u, LEFT);
    state_text(&v, state, sizeof state);
    snprintf(text, sizeof text, tx(l->u->lang, TX_LINEAR_STATE), state, (unsigned long long)v.st.events,
             exact_time(l, v.st.time, time, sizeof time));
    if (strcmp(text, l->state) != 0)
        say(l, text);
    snprintf(l->state, sizeof l->state, "%s", text);
}

/* Returns true if nothing changes until somebody acts. */
static bool is_at_rest(const struct ui *u)
{
    bool ready = u->box.choose.fetched.state != CHOICE_MAKING && choices_follow(u, u->run->st.events);
    return !ui_moves(u) && (u->box.kind != BOX_CHOOSE || ready);
}

static bool say_news(struct linear *l)
{
    ui_fetch(l->u);
    bool rests = is_at_rest(l->u);
    say_events(l, rests);
    say_note(l);
    say_box(l);
    say_pane(l);
    say_lesson(l, rests);
    if (rests)
        say_state(l);
    return rests;
}

/* ---- a line that was typed ---- */

static void take_key(struct ui *u, uint32_t code)
{
    char text[96];
    const struct key *k = key_find(code);
    if (box_key(u, code))
        return;
    if (k && k->of_screen) {
        snprintf(text, sizeof text, tx(u->lang, TX_LINEAR_SCREEN_ONLY), k->name);
        ui_note(u, "%s", text);
        return;
    }
    key_press(u, code);
}

/* The box for decisions has the cursor: goes to the row and takes it. */
static bool take_choice(struct linear *l, const char *line)
{
    char *end;
    long n = strtol(line, &end, 10);
    if (l->u->box.kind != BOX_CHOOSE || end == line || *end || n < 0 || n > l->u->box.choose.shown.n + (l->u->box.choose.shown.last > 0))
        return false;
    box_key(l->u, KEY_CODE_HOME);
    for (long i = 0; i < n; i++)
        box_key(l->u, KEY_CODE_DOWN);
    box_key(l->u, KEY_RETURN);
    return true;
}

static void take_command(struct linear *l, char sign, const char *line)
{
    struct ui *u = l->u;
    char text[400];
    struct prompt *p = &u->command.prompt;
    if (u->box.kind != BOX_NONE)
        ui_open(u, BOX_NONE);
    prompt_begin(p, sign, line);
    command_run(u);
    if (p->open && p->wrong[0]) {
        snprintf(text, sizeof text, tx(u->lang, TX_LINEAR_WRONG), p->wrong, p->text);
        say(l, text);
    }
    prompt_close(p);
}

/* An empty line is the key space; at the closing card it is enter. Without a lesson it repeats the last line, if there is one. */
static const char *empty_line(const struct linear *l, bool rests)
{
    bool repeats = rests && !l->u->lesson.on && *l->last;
    return l->card ? "enter" : repeats ? l->last : "space";
}

static void take_line(struct linear *l, const char *line, bool rests)
{
    uint32_t code;
    if (!*line)
        line = empty_line(l, rests);
    else
        snprintf(l->last, sizeof l->last, "%s", line);
    l->choices = l->u->box.kind == BOX_CHOOSE ? l->choices : 0;
    if (strcmp(line, "y") != 0)
        l->u->why = WHY_NOT;
    if (!*line || take_choice(l, line))
        return;
    if (strcmp(line, ":") != 0 && strcmp(line, "/") != 0 && key_code(line, &code))
        take_key(l->u, code);
    else if (line[0] == '/')
        take_command(l, '/', line + 1);
    else
        take_command(l, ':', line + (line[0] == ':'));
}

/* ---- input ---- */

/* Cuts the first line off the input. Returns false if there is none yet. */
static bool next_line(struct linear *l, char *out)
{
    char *end = memchr(l->in, '\n', l->n);
    size_t len = end ? (size_t)(end - l->in) : l->n, used = end ? len + 1 : len;
    if (!end && l->n < sizeof l->in - 1 && (!l->eof || !l->n))
        return false;
    size_t blank = strspn(l->in, " \t") < len ? strspn(l->in, " \t") : len;
    snprintf(out, LINE_BYTES, "%.*s", (int)(len - blank), l->in + blank);
    for (size_t n = strlen(out); n && strchr(" \t\r", out[n - 1]); n--)
        out[n - 1] = '\0';
    memmove(l->in, l->in + used, l->n - used);
    l->n -= used;
    l->in[l->n] = '\0';
    return true;
}

/* Reads no further than the end of a line: the rest is for the run that may come next. */
static void read_input(struct linear *l)
{
    ssize_t n = read(STDIN_FILENO, l->in + l->n, 1);
    if (n < 0 && (errno == EINTR || errno == EAGAIN))
        return;
    l->eof = n <= 0;
    l->n += n > 0 ? (size_t)n : 0;
    l->in[l->n] = '\0';
}

/* Passes on what was printed. If that fails it notes why, leaves, and returns false. A later flush knows neither the reason nor the lines. */
static bool send_lines(struct linear *l)
{
    int *error = l->u->cfg->write_error;
    if (fflush(stdout) == 0)
        return true;
    if (!*error)
        *error = errno;
    ui_leave(l->u, 0);
    return false;
}

static void wait_for_news(struct linear *l, bool rests)
{
    bool reads = !l->eof && l->n < sizeof l->in - 1 && (rests || l->terminal);
    struct pollfd fd[2] = {{reads ? STDIN_FILENO : -1, POLLIN, 0}, {l->u->ops->wake_fd(l->u->run->session), POLLIN, 0}};
    uint64_t n;
    if (!send_lines(l) || poll(fd, 2, rests ? -1 : LIVE_MS) <= 0)
        return;
    if (fd[1].revents && read(fd[1].fd, &n, sizeof n) < 0)
        return;
    while (fd[0].revents && !l->eof && l->n < sizeof l->in - 1) {
        read_input(l);
        if ((l->n && l->in[l->n - 1] == '\n') || poll(fd, 1, 0) <= 0)
            return;
    }
}

static void prompt(struct linear *l)
{
    if (!l->prompted)
        fputs("> ", stdout);
    l->prompted = true;
}

/* At each rest: the next text of the tour, or the next line under it. The reader decides how long to read, so nothing waits. */
static void tour_turn(struct linear *l)
{
    char line[LINE_BYTES] = "space"; /* the run begins */
    if (!say_news(l)) {
        wait_for_news(l, false);
        return;
    }
    enum tour_read what = l->last[0] ? tour_read(l->u, line, sizeof line) : TOUR_LINE;
    if (what == TOUR_TEXT && *line)
        say(l, line);
    if (what != TOUR_LINE)
        return;
    prompt(l);
    visible_write(stdout, line, strlen(line));
    end_prompt(l);
    take_line(l, line, true);
}

static void turn(struct linear *l)
{
    char line[LINE_BYTES];
    bool rests = say_news(l);
    if (rests)
        prompt(l);
    if ((!rests && !l->terminal) || !next_line(l, line)) {
        if (rests && l->eof)
            ui_leave(l->u, 0);
        else
            wait_for_news(l, rests);
        return;
    }
    if (l->prompted && l->terminal)
        l->prompted = false; /* the terminal has echoed the line and its end */
    else if (l->prompted)
        visible_write(stdout, line, strlen(line));
    end_prompt(l);
    take_line(l, line, rests);
}

static void greet(struct linear *l)
{
    char text[1024];
    const struct session_status *st = &l->u->run->st;
    ui_fetch(l->u);
    if (l->u->cfg->dumb)
        say_text(l, TX_LINEAR_DUMB);
    if (l->u->lang != l->u->cfg->lang)
        say_text(l, l->u->cfg->ascii ? TX_NOTE_ASCII_ENGLISH : TX_NOTE_LOCALE_ENGLISH);
    snprintf(text, sizeof text, tx(l->u->lang, TX_LINEAR_START), text_in(&st->title, l->u->lang), text_in(&st->summary, l->u->lang));
    say(l, text);
    bool decides = !(st->without >> CAN_DECIDE & 1);
    snprintf(text, sizeof text, tx(l->u->lang, TX_LINEAR_KEYS), decides ? tx(l->u->lang, TX_LINEAR_KEY_CHOOSE) : "");
    if (!l->u->cfg->tour)
        say(l, text);
}

int linear_run(struct ui *u)
{
    struct linear *l = calloc(1, sizeof *l);
    u->canvas.ascii = u->cfg->ascii || !locale_utf8();
    u->lang = u->canvas.ascii ? LANG_EN : u->cfg->lang;
    u->theme = theme_find(u->cfg->theme ? u->cfg->theme : layout_theme(u->layouts.requested));
    if (l)
        *l = (struct linear){.u = u, .terminal = isatty(STDIN_FILENO), .columns = terminal_columns()};
    if (!l || !canvas_resize(&u->canvas, page_columns(l), PAGE_H)) {
        fprintf(stderr, "gmpscope: out of memory\n");
        free(l);
        return 2;
    }
    greet(l);
    take_begin(u);
    while (!u->loop.leave)
        (u->cfg->tour ? tour_turn : turn)(l);
    say_note(l);
    end_prompt(l);
    (void)send_lines(l);
    free(l);
    return u->loop.code;
}
