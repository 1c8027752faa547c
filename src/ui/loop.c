/* The loop: wait for a key, for news from the run, or for the next frame; fetch; draw what changed.
 *
 * At most 30 frames a second, fewer if frames are dear while the run goes on by itself (news_after), and none when nothing changed. Time
 * enters at one place only: durations on the screen grow while the run continues or a step has not ended. Then the state is fetched four
 * times a second even without an event. A note stays until the next key.
 */
#include "base/text.h"
#include "base/wall.h"
#include "layout/config.h"
#include "ui/boxes/boxes.h"
#include "ui/door/door.h"
#include "ui/fetch.h"
#include "ui/frame.h"
#include "ui/input/commands.h"
#include "ui/input/edit_layout.h"
#include "ui/input/keys.h"
#include "ui/input/lesson_answers.h"
#include "ui/input/requests.h"
#include "ui/linear.h"
#include "ui/term/crash.h"
#include "ui/term/terminal.h"
#include "ui/history_search.h"
#include "ui/tour.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

enum { FRAME_MS = 33, LIVE_MS = 250, AHEAD_MS = 5000, LOOK_MS = 50 };
enum { FD_TTY, FD_SESSION, FD_SIGNAL, FD_OTHER, FD_LAYOUT, FDS };

static bool live(const struct ui *u)
{
    return !u->run->st.paused && !u->run->st.ended;
}

/* ---- input ---- */

/* A line is about the run as it is now: the last picture may be older than the keys before the line. */
static void prompt_takes(struct ui *u, uint32_t code)
{
    if (!completion_key(u, code) && prompt_key(&u->command.prompt, code)) {
        ui_fetch(u);
        command_run(u);
    }
    u->loop.stale = true;
}

/* The screen is too small for any layout, so a key would act on what the person does not see. Only keys that leave still work. */
static bool works_unseen(uint32_t code)
{
    return code == KEY_CODE_RESIZED || code == KEY_CTRL('z') || code == KEY_CTRL('c') || code == 'q';
}

/* Keys may be typed ahead of the frame that shows a new layout. They act on its panes and on the labels in them, so both are placed first. */
static void place_for_key(struct ui *u)
{
    if (u->placed.stale)
        (void)frame_draw(u); /* without memory nothing is drawn: show() says so */
}

/* The line to edit takes a key first, then the box that is open, then the pane with the focus, then the table of keys. */
static void take_key(struct ui *u, uint32_t code)
{
    bool always = code == KEY_CTRL('z') || code == KEY_CODE_RESIZED;
    bool boxed = !always && (code != KEY_CTRL('c') || u->box.kind == BOX_NONE);
    u->loop.dirty |= code == KEY_CODE_RESIZED;
    u->hint = u->hint && code == KEY_CODE_RESIZED;
    if (code == KEY_CODE_CLICK || code == KEY_CODE_MOUSE)
        u->held = code == KEY_CODE_CLICK ? HELD_ELSEWHERE : HELD_UNKNOWN;
    if (code == KEY_CODE_MOUSE) /* the release after a click must not close the box that the click has opened */
        return;
    if (code == KEY_CODE_DRAG && (u->held == HELD_ELSEWHERE || u->box.kind != BOX_NONE))
        return;
    place_for_key(u);
    if (u->placed.nothing) {
        if (works_unseen(code))
            key_press(u, code);
        return;
    }
    if (!always && u->command.prompt.open) {
        u->note.text[0] = '\0';
        prompt_takes(u, code);
        return;
    }
    if (boxed && box_key(u, code))
        return;
    if (u->note.text[0] && code != KEY_CODE_OTHER && code != KEY_CODE_RESIZED)
        ui_note_clear(u);
    if (key_press(u, code))
        u->loop.stale = true;
}

/* ---- keys typed ahead ---- */

enum motion { STANDS, COMES_TO_STOP, RUNS_TO_MATCH, PLAYS };

static enum motion motion_of(const struct session_status *now)
{
    if (now->ended)
        return STANDS;
    if (!now->paused)
        return now->until ? RUNS_TO_MATCH : PLAYS;
    return now->still || now->back ? STANDS : COMES_TO_STOP;
}

/* The last fetch may be older than the key before this one. */
static enum motion motion_now(const struct ui *u)
{
    struct session_status now;
    enum motion most = STANDS;
    for (int i = 0; i < u->nruns; i++) {
        u->ops->status(u->run[i].session, &now);
        enum motion m = motion_of(&now);
        most = m > most ? m : most;
    }
    return most;
}

/* Letters of the line to edit, and keys that leave, act on no stop. */
static bool needs_stop(const struct ui *u, uint32_t code)
{
    return !works_unseen(code) && code != KEY_CODE_OTHER && code != KEY_CODE_MOUSE &&
           (!u->command.prompt.open || code == KEY_RETURN || code == '\n');
}

static bool is_mouse(uint32_t code)
{
    return code >= KEY_CODE_MOUSE && code <= KEY_CODE_WHEEL_DOWN;
}

/* A run to a match may be long, or have no end. No clock decides what a key means there: one that was typed together with the key that began
 * the run waits for the match. One that is typed later ends the run, and lets the waiting ones go. */
static bool waits_for_match(struct ui *u)
{
    struct typed *k = &u->loop.typed;
    if (!k->waits)
        return u->loop.taken && !k->go;
    k->go = k->go || k->n > k->together || screen_unread(u->screen) > k->unread;
    return !k->go;
}

/* A key acts on the stop to which the keys before it lead, however quickly they come. Does it have to wait for that stop? A person who sees
 * that a step takes long must be able to end it, so no key that comes then waits, and none waits for long. */
static bool must_wait(struct ui *u, uint32_t code, enum motion m)
{
    struct loop_state *l = &u->loop;
    if (!needs_stop(u, code))
        return false;
    l->typed.go = l->typed.go && m == RUNS_TO_MATCH;
    if (m == STANDS && l->stale)
        ui_fetch(u); /* the marks of the next stop are drawn from this one */
    if (m != COMES_TO_STOP) {
        l->moves_since = 0;
        return m == RUNS_TO_MATCH && waits_for_match(u);
    }
    l->moves_since = l->moves_since ? l->moves_since : wall_ms();
    return !(l->slow && !l->typed.waits) && wall_ms() - l->moves_since < AHEAD_MS;
}

/* Where the mouse is, is known for the last event only, so nothing is read behind one. */
static void read_behind(struct ui *u)
{
    struct typed *k = &u->loop.typed;
    uint32_t code;
    while (k->n < TYPED_KEYS && !(k->n && is_mouse(k->code[k->n - 1])) && (code = screen_key(u->screen)))
        k->code[k->n++] = code;
}

static uint32_t take_typed(struct ui *u, int skipped)
{
    struct typed *k = &u->loop.typed;
    uint32_t code = k->code[skipped];
    k->n -= skipped + 1;
    memmove(k->code, k->code + skipped + 1, (size_t)k->n * sizeof *k->code);
    k->waits = false;
    k->go = k->go && k->n;
    return code;
}

/* Returns how many keys stand before one that works at once, whatever waits there: q and the like leave, esc ends the run to a match. -1: there
 * is none. A line may do something that lasts, so it is not passed over, unless it has waited for long. */
static int works_at_once(const struct ui *u)
{
    const struct typed *k = &u->loop.typed;
    bool line = u->command.prompt.open, lines = line;
    for (int i = 0; i < k->n; i++) {
        uint32_t code = k->code[i];
        if (!line && (works_unseen(code) || code == KEY_ESCAPE))
            return lines && wall_ms() - k->since < AHEAD_MS ? -1 : i;
        line = line ? code != KEY_RETURN && code != '\n' && code != KEY_ESCAPE : code == ':' || code == '/';
        lines |= line;
    }
    return -1;
}

/* Returns the next key that can be taken now; 0: there is none. */
static uint32_t next_key(struct ui *u)
{
    struct typed *k = &u->loop.typed;
    if (k->waits)
        read_behind(u);
    else if (!k->n && (k->code[0] = screen_key(u->screen)))
        k->n = 1;
    enum motion m = k->n ? motion_now(u) : STANDS;
    bool wait = k->n && must_wait(u, k->code[0], m);
    u->loop.taken = true;
    if (!wait)
        return k->n ? take_typed(u, 0) : 0;
    if (!k->waits) {
        read_behind(u);
        k->waits = true;
        k->since = wall_ms();
        k->together = k->n;
        k->unread = screen_unread(u->screen);
    }
    int at = m == RUNS_TO_MATCH ? works_at_once(u) : -1;
    return at >= 0 ? take_typed(u, at) : 0;
}

/* Waits until the pause that was asked for has taken effect. A run that cannot be paused within the time is not waited for any longer. */
static void wait_for_pause(struct ui *u)
{
    enum { PATIENCE_MS = 2000 };
    struct pollfd fd = {u->ops->wake_fd(u->run->session), POLLIN, 0};
    int64_t until = wall_ms() + PATIENCE_MS;
    for (int64_t left = PATIENCE_MS; left > 0; left = until - wall_ms()) {
        struct session_status st;
        uint64_t n;
        u->ops->status(u->run->session, &st);
        if (st.still || st.ended)
            return;
        if (poll(&fd, 1, (int)left) > 0 && read(fd.fd, &n, sizeof n) < 0)
            return;
    }
}

/* Suspends to the shell and returns. Meanwhile the run and its clock are paused. */
static void suspend(struct ui *u)
{
    bool ran = live(u);
    u->loop.suspend = false;
    if (ui_moves(u))
        u->ops->motion->pause(u->run->session, true);
    wait_for_pause(u); /* the clock of a free run would count the time in the shell */
    terminal_suspend(u->screen);
    if (ran)
        u->ops->motion->pause(u->run->session, false);
    u->loop.stale = true;
}

/* Shows the list of scenarios, and returns to the run unless a scenario is chosen. Meanwhile the run is paused. */
static void visit_door(struct ui *u, int signal_fd)
{
    bool ran = live(u);
    u->loop.open = false;
    if (ui_moves(u))
        u->ops->motion->pause(u->run->session, true);
    const struct door *d = u->cfg->door(u->cfg->door_ctx);
    if (d)
        door_visit(d, u->screen, signal_fd, u->cfg->choice);
    else
        ui_note_text(u, TX_NO_DOOR);
    screen_redraw(u->screen);
    if (u->cfg->choice->signal || u->cfg->choice->does != DOOR_LEAVE)
        ui_leave(u, u->cfg->choice->signal);
    else if (ran)
        u->ops->motion->pause(u->run->session, false);
    u->loop.stale = true;
}

static void take_signals(struct ui *u)
{
    int sig = crash_asked();
    if (sig == SIGTSTP)
        u->loop.suspend = true;
    else if (sig)
        ui_leave(u, 128 + sig);
    if (crash_resized()) {
        screen_redraw(u->screen);
        u->loop.dirty = true;
    }
}

/* Returns what was written since the last call, 0 if there is nothing to read. */
static uint64_t drain(int fd)
{
    uint64_t n;
    return read(fd, &n, sizeof n) == sizeof n ? n : 0;
}

/* Takes a key; 0: there are no more for now. Of several moves of the mouse in a row only the last counts, because each may ask for a far part
 * of the history. A press of the button has overwritten the place of the moves before it. */
static void take(struct ui *u, uint32_t code)
{
    bool moved = u->loop.moved;
    u->loop.moved = code == KEY_CODE_DRAG;
    if (moved && code != KEY_CODE_DRAG && code != KEY_CODE_CLICK)
        take_key(u, KEY_CODE_DRAG);
    if (code && code != KEY_CODE_DRAG)
        (u->cfg->tour && code != KEY_CODE_RESIZED ? tour_take : take_key)(u, code);
}

static void take_input(struct ui *u, const struct pollfd *fd)
{
    uint32_t code;
    if (fd[FD_SIGNAL].revents)
        drain(fd[FD_SIGNAL].fd);
    take_signals(u);
    for (int i = 0; i < FDS; i++) {
        if ((i != FD_SESSION && i != FD_OTHER) || !fd[i].revents)
            continue;
        u->loop.at_stop |= drain(fd[i].fd) >= SESSION_STOP;
        u->loop.stale = true;
    }
    if (fd[FD_LAYOUT].revents)
        layout_file_changed(u, fd[FD_LAYOUT].fd);
    u->loop.taken = false;
    while (!u->loop.leave && !u->loop.open && (code = next_key(u)))
        take(u, code);
    if (!u->loop.typed.waits)
        take(u, 0);
    if (fd[FD_TTY].revents & (POLLHUP | POLLERR | POLLNVAL))
        ui_leave(u, 129); /* the window is gone; otherwise poll() would return at once again and again */
    if (u->loop.suspend && !u->loop.leave)
        suspend(u);
    if (u->loop.open && !u->loop.leave)
        visit_door(u, fd[FD_SIGNAL].fd);
}

/* ---- time ---- */

static void watch(struct ui *u)
{
    if (ui_moves(u) && wall_ms() - u->loop.drawn_at >= LIVE_MS)
        u->loop.stale = true;
}

/* How long a frame stays, ms, until news from the run make another. While the run goes on by itself, frames take at most a 20th of the
 * time, because the run's events wait while a frame is read; a 40th, if so many come that nobody can read them. What somebody does with a
 * key is shown at once, and so is a stop. */
static int64_t news_after(const struct ui *u)
{
    enum { UNREADABLE = 1000 };
    int64_t pace = (u->loop.came > UNREADABLE ? 40 : 20) * u->loop.cost_ns / 1000000;
    return u->run->st.paused || u->loop.at_stop || pace < FRAME_MS ? FRAME_MS : pace < LIVE_MS ? pace : LIVE_MS;
}

static int64_t frame_due(const struct ui *u)
{
    return u->loop.dirty ? FRAME_MS : u->loop.stale ? news_after(u) : ui_moves(u) ? LIVE_MS : -1;
}

static int64_t cpu_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return t.tv_sec * INT64_C(1000000000) + t.tv_nsec;
}

/* Returns -1 if nothing will change by itself. */
static int timeout(struct ui *u)
{
    int64_t since = wall_ms() - u->loop.drawn_at, due = frame_due(u);
    int frame = due < 0 ? -1 : since >= due ? 0 : (int)(due - since), read = u->cfg->tour ? tour_due(u) : lesson_due(u);
    if (frame >= 0 && frame < LIVE_MS && screen_behind(u->screen))
        frame = LIVE_MS; /* the terminal's answer ends the wait earlier */
    if (u->loop.typed.waits && (frame < 0 || frame > LOOK_MS))
        frame = LOOK_MS;
    return frame < 0 || (read >= 0 && read < frame) ? read : frame;
}

static void fetch(struct ui *u)
{
    uint64_t before = u->run->st.newest;
    ui_fetch(u);
    u->loop.came = u->run->st.newest > before ? u->run->st.newest - before : 0;
    u->loop.at_stop = false;
}

static void show(struct ui *u)
{
    int64_t began = cpu_ns();
    if (wall_ms() - u->loop.drawn_at < frame_due(u) || screen_behind(u->screen))
        return;
    if (u->loop.stale)
        fetch(u);
    if (!screen_size(u->screen, &u->w, &u->h) || !frame_draw(u)) {
        fputs("gmpscope: out of memory for the screen\n", stderr); /* crash_end() shows it when the screen is closed */
        ui_leave(u, 2);
        return;
    }
    bool pictured = take_picture_due(u); /* the note of it is in the next frame */
    if (pictured)
        (void)take_picture_now(u);
    screen_show(u->screen, &u->canvas);
    u->loop.slow = u->run->st.stepping && !u->loop.typed.n && screen_unread(u->screen) == 0;
    u->loop.drawn_at = wall_ms();
    u->loop.cost_ns = cpu_ns() - began;
    u->loop.dirty = pictured;
}

static void play_by_itself(struct ui *u)
{
    uint32_t code = tour_key(u);
    lesson_turn(u);
    if (code)
        take_key(u, code);
}

static void loop(struct ui *u, int signal_fd)
{
    struct pollfd fd[FDS] = {
        [FD_TTY] = {screen_fd(u->screen), POLLIN, 0},
        [FD_SESSION] = {u->ops->wake_fd(u->run->session), POLLIN, 0},
        [FD_SIGNAL] = {signal_fd, POLLIN, 0},
        [FD_LAYOUT] = {layout_watch(u), POLLIN, 0},
        [FD_OTHER] = {ui_two(u) ? u->ops->wake_fd(u->run[RIGHT].session) : -1, POLLIN, 0},
    };
    u->loop.stale = true;
    for (int i = 0; i < u->nruns; i++)
        u->ops->search->on_search(u->run[i].session, (struct session_search){history_search_goes_on, u, 0});
    while (!u->loop.leave) {
        if (u->loop.dirty || u->loop.stale)
            show(u);
        play_by_itself(u);
        fd[FD_TTY].fd = u->loop.typed.waits ? -1 : screen_fd(u->screen); /* LOOK_MS sees what is typed behind that key */
        if (poll(fd, FDS, timeout(u)) < 0)
            for (int i = 0; i < FDS; i++)
                fd[i].revents = 0; /* interrupted by a signal, which take_input handles */
        watch(u);
        take_input(u, fd);
    }
    if (fd[FD_LAYOUT].fd >= 0)
        close(fd[FD_LAYOUT].fd);
}

/* ---- begin and end ---- */

/* Notes a mistake in the preferences, once. Notes what the terminal lacks, and prints it again after the screen. */
static void announce(struct ui *u)
{
    char lack[256];
    const char *mistake = u->cfg->config ? u->cfg->config->mistake : NULL;
    if (mistake && !(u->cfg->kept && u->cfg->kept->theme))
        ui_note(u, tx(u->lang, TX_NOTE_CONFIG), mistake);
    if (!terminal_lacks(u->screen, u->cfg->lang, u->cfg->ascii, lack, sizeof lack))
        return;
    ui_note(u, "%s", lack);
    visible_line(stderr, "gmpscope: %s", lack);
}

/* Begins as the screen before this one ended. */
static void take_over(struct ui *u)
{
    struct ui_kept *k = u->cfg->kept;
    if (!k)
        return;
    if (k->theme) {
        u->theme = theme_find(k->theme);
        u->own_theme = k->own_theme ? theme_find(k->own_theme) : NULL;
        u->lang = u->canvas.ascii ? LANG_EN : k->lang;
    }
    if (k->note[0])
        ui_note(u, "%s", k->note);
    k->note[0] = '\0';
}

/* The note stays with the screen that the person leaves for a change. */
static void pass_on(const struct ui *u)
{
    struct ui_kept *k = u->cfg->kept;
    if (!k)
        return;
    k->theme = u->theme->name;
    k->own_theme = u->own_theme ? u->own_theme->name : NULL;
    k->lang = u->lang;
    snprintf(k->layout, sizeof k->layout, "%s", layout_name(u->layouts.requested));
}

static int run_screen(struct ui *u, int signal_fd)
{
    u->screen = terminal_take(&(struct screen_config){u->cfg->ascii, u->cfg->color, u->cfg->mouse}, signal_fd);
    if (!u->screen)
        return 2;
    u->theme = theme_find(u->cfg->theme ? u->cfg->theme : layout_theme(u->layouts.requested));
    if (!u->cfg->theme && u->theme != theme_find("default"))
        u->own_theme = theme_find("default");
    u->canvas.ascii = screen_ascii(u->screen);
    u->lang = u->canvas.ascii ? LANG_EN : u->cfg->lang;
    announce(u);
    take_over(u);
    screen_theme(u->screen, u->theme);
    take_begin(u);
    loop(u, signal_fd);
    pass_on(u);
    terminal_give_back(u->screen);
    return u->loop.code;
}

static int size_from(const char *name, int otherwise)
{
    const char *s = getenv(name);
    long n = s ? strtol(s, NULL, 10) : 0;
    return n >= 20 && n <= 1000 ? (int)n : otherwise;
}

/* Waits for the first stop, or the end, and writes its picture. */
static int run_picture(struct ui *u)
{
    u->w = size_from("COLUMNS", 120);
    u->h = size_from("LINES", 40);
    u->canvas.ascii = u->cfg->ascii;
    u->lang = u->cfg->lang;
    u->theme = theme_find(u->cfg->theme ? u->cfg->theme : layout_theme(u->layouts.requested));
    take_begin(u);
    for (ui_fetch(u); !take_picture_due(u) && !u->loop.leave; ui_fetch(u)) {
        struct pollfd fd = {u->ops->wake_fd(u->run->session), POLLIN, 0};
        uint64_t n;
        if (poll(&fd, 1, LIVE_MS) > 0 && read(fd.fd, &n, sizeof n) < 0)
            break;
    }
    if (u->loop.leave)
        return u->loop.code;
    int err = frame_draw(u) ? take_picture_now(u) : ENOMEM;
    if (err)
        visible_line(stderr, "gmpscope: cannot write %s: %s", u->cfg->picture, strerror(err));
    return err ? 2 : 0;
}

static int with_layouts(struct ui *u)
{
    int signal_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK), code = 2;
    for (int i = 0; i < u->nruns; i++)
        u->run[i].sentences = sentence_cache_new();
    if (signal_fd < 0)
        fprintf(stderr, "gmpscope: eventfd: %s\n", strerror(errno));
    else
        code = u->cfg->only_picture ? run_picture(u) : u->cfg->linear ? linear_run(u) : run_screen(u, signal_fd);
    if (signal_fd >= 0)
        close(signal_fd);
    canvas_fini(&u->canvas);
    ui_drop_report(u);
    for (int i = 0; i < u->nruns; i++) {
        diff_base_fini(&u->run[i].stops);
        pane_states_fini(&u->run[i].panes);
        free(u->run[i].sentences);
    }
    return code;
}

int ui_run(const struct ui_config *cfg)
{
    struct diag d;
    int code = 2;
    if (!cfg->linear && !cfg->only_picture && !terminal_there())
        return 2;
    struct ui *u = calloc(1, sizeof *u);
    if (!u) {
        fprintf(stderr, "gmpscope: out of memory\n");
        return 2;
    }
    u->cfg = cfg;
    u->hint = cfg->hint;
    u->ops = cfg->ops;
    u->nruns = cfg->other ? SIDES : 1;
    u->run[LEFT].session = cfg->session;
    u->run[LEFT].settings_text = cfg->settings_text;
    u->run[RIGHT].session = cfg->other;
    u->run[RIGHT].settings_text = cfg->other_settings_text;
    u->counters = cfg->all_counters;
    u->select.pane = -1;
    u->held = HELD_UNKNOWN;
    u->taken.playing = true;
    diag_init(&d, cfg->layout_path);
    if (layouts_load(&u->layouts, cfg->layout_path, cfg->layout_dir, &d)) {
        if (cfg->kept && cfg->kept->theme)
            layouts_choose(&u->layouts, cfg->kept->layout);
        code = with_layouts(u);
    } else
        diag_print(&d, stderr);
    diag_fini(&d);
    layouts_free(&u->layouts);
    free(u);
    return code;
}
