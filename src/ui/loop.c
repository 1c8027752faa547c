/* The loop: wait for a key, for news from the run, or for the next frame; fetch; draw what changed.
 *
 * At most 30 frames a second and none when nothing changed. Time enters at three places only: a note goes after some seconds, arrows
 * fade unless the run is paused (also after its end), and while it goes on, or a step does not come to its end, durations on the screen grow, so the state is
 * fetched four times a second even without an event.
 */
#include "base/text.h"
#include "base/wall.h"
#include "ui/input/commands.h"
#include "ui/term/crash.h"
#include "ui/input/keys.h"
#include "session/session.h"
#include "ui/ui.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

enum { FRAME_MS = 33, LIVE_MS = 250, NOTE_MS = 6000 };
enum { FD_TTY, FD_SESSION, FD_SIGNAL, FD_OTHER, FDS };

static bool live(const struct ui *u)
{
    return !u->st.paused && !u->st.ended;
}

/* The picture changes by itself: it goes on, or it is on its way to a stop. */
static bool moves(const struct ui *u)
{
    return !u->st.ended && !u->st.still;
}

/* ---- fetch ---- */

static void fetch_output(struct ui *u)
{
    const struct session_ops *ops = u->cfg->ops;
    int n = 0;
    uint64_t total = ops->output(u->cfg->session, UINT64_MAX, u->line, 0, &n);
    if (total != u->total_lines) {
        uint64_t from = total > LINES_KEPT ? total - LINES_KEPT : 0;
        ops->output(u->cfg->session, from, u->line, LINES_KEPT, &n);
        u->nlines = n;
        u->total_lines = from + (uint64_t)n; /* more may have come meanwhile: the next fetch has them */
    }
}

/* In the past newer arrows are of the future. */
static void fetch_arrows(struct ui *u)
{
    if (u->jump || (u->nev && u->ev[u->nev - 1].number < u->arrows.last))
        arrows_jump(&u->arrows, u->ev, u->nev);
    else
        arrows_events(&u->arrows, u->ev, u->nev);
    u->jump = false;
}

static void fetch_one(struct ui *u)
{
    const struct session_ops *ops = u->cfg->ops;
    struct model *md = ops->view(u->cfg->session, u->ev, EVENTS_KEPT, &u->nev);
    uint32_t run = u->st.run;
    ops->status(u->cfg->session, &u->st);
    fetch_output(u);
    if (u->st.run != run) { /* nothing of it is comparable */
        diff_base_fini(&u->stops);
        u->jump = true;
    }
    if (md)
        diff_base_show(&u->stops, (struct shown_state){md, u->total_lines}, !u->st.paused, u->st.still || u->st.ended);
    fetch_arrows(u);
    u->npend = u->st.still && u->st.pending && !u->st.back ? ops->pending(u->cfg->session, u->pend, PENDING_KEPT) : 0;
}

/* A stop of any kind ends a run "until …"; the end of the run is told as one that nobody wished for. */
static void tell_until(struct ui *u)
{
    if (!u->until[0] || (!u->st.still && !u->st.over && !u->st.back))
        return;
    if (u->st.ended && !u->st.failed)
        ui_note(u, "%s", u->until);
    u->until[0] = '\0';
}

static void fetch(struct ui *u)
{
    fetch_one(u);
    if (u->other)
        fetch_one(u->other);
    else
        u->cfg->ops->lesson(u->cfg->session, &u->lesson);
    choose_fetch(u);
    tell_until(u);
    u->stale = false;
    u->dirty = true;
}

/* ---- input ---- */

static void prompt_takes(struct ui *u, uint32_t code)
{
    if (code == KEY_TAB)
        command_complete(u);
    else if (prompt_key(&u->prompt, code))
        command_run(u);
    u->stale = true;
}

/* What lies over the panes takes the key, or is closed by it. */
static void over_takes(struct ui *u, uint32_t code)
{
    if (u->over != OVER_HELP || !help_key(u, code))
        u->over = OVER_NOTHING;
    u->dirty = true;
}

static void forget_note(struct ui *u)
{
    u->note[0] = '\0';
    u->dirty = true;
}

static void take_key(struct ui *u, uint32_t code)
{
    bool always = code == KEY_CTRL('z') || code == KEY_CODE_RESIZED;
    if (!always && u->prompt.open) {
        u->note[0] = '\0';
        prompt_takes(u, code);
        return;
    }
    bool chooses = u->over == OVER_CHOOSE;
    if (!always && u->over && code != KEY_CTRL('c') && (!chooses || choose_key(u, code))) {
        if (!chooses)
            over_takes(u, code);
        u->dirty = true;
        return;
    }
    if (u->note[0] && code != KEY_CODE_OTHER && code != KEY_CODE_RESIZED)
        forget_note(u);
    const struct key *k = key_find(code);
    if (!k)
        return;
    u->key = code;
    if (!ui_for_one(u, k->for_one))
        k->fn(u);
    u->stale = true;
}

/* To the shell and back. The run stands meanwhile, clock and all. */
static void suspend(struct ui *u)
{
    const struct session_ops *ops = u->cfg->ops;
    bool ran = live(u);
    u->suspend = false;
    if (moves(u))
        ops->pause(u->cfg->session, true);
    screen_leave(u->screen);
    kill(getpid(), SIGSTOP);
    screen_return(u->screen);
    if (ran)
        ops->pause(u->cfg->session, false);
    u->watched_at = wall_ms();
    u->stale = true;
}

static void leave(struct ui *u, int code)
{
    u->leave = true;
    u->code = code;
}

static void take_signals(struct ui *u)
{
    int sig = crash_asked();
    if (sig == SIGTSTP)
        u->suspend = true;
    else if (sig)
        leave(u, 128 + sig);
    if (crash_resized()) {
        screen_redraw(u->screen);
        u->dirty = true;
    }
}

static void drain(int fd)
{
    uint64_t n;
    ssize_t got = read(fd, &n, sizeof n);
    (void)got; /* nothing to read is fine */
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
        drain(fd[i].fd);
        u->stale = true;
    }
    while (!u->leave && (code = screen_key(u->screen)))
        take_key(u, code);
    if (fd[FD_TTY].revents & (POLLHUP | POLLERR | POLLNVAL))
        leave(u, 129); /* the window is gone; not to notice is 100% CPU for ever */
    if (u->suspend && !u->leave)
        suspend(u);
}

/* ---- time ---- */

static void watch(struct ui *u)
{
    int64_t now = wall_ms(), ms = now - u->watched_at;
    u->watched_at = now;
    if (u->note[0] && u->noted_at && now - u->noted_at >= NOTE_MS)
        forget_note(u);
    if (!moves(u) && !u->st.ended)
        return;
    for (struct ui *side = u; side; side = side->other)
        if (arrows_watch(&side->arrows, ms, side->stops.shown.md ? model_counters(side->stops.shown.md)->steals : 0))
            u->dirty = true;
    if (moves(u) && now - u->drawn_at >= LIVE_MS)
        u->stale = true;
}

/* wait or, where that is sooner, `other`; -1 is never. */
static int64_t sooner(int64_t wait, int64_t other)
{
    return other >= 0 && (wait < 0 || other < wait) ? other : wait;
}

static int64_t note_left(const struct ui *u, int64_t now)
{
    int64_t left = u->noted_at + NOTE_MS - now;
    return !u->note[0] || !u->noted_at ? -1 : left > 0 ? left : 0;
}

/* -1: nothing will change by itself. */
static int timeout(const struct ui *u)
{
    int64_t now = wall_ms(), since = now - u->drawn_at, wait = -1;
    if (u->dirty || u->stale)
        wait = since >= FRAME_MS ? 0 : FRAME_MS - since;
    else if (moves(u)) {
        wait = sooner(since >= LIVE_MS ? 0 : LIVE_MS - since, arrows_next(&u->arrows));
    } else if (u->st.ended) {
        wait = arrows_next(&u->arrows);
    }
    return (int)sooner(wait, note_left(u, now));
}

static void show(struct ui *u)
{
    if (wall_ms() - u->drawn_at < FRAME_MS)
        return;
    if (u->stale)
        fetch(u);
    if (!screen_size(u->screen, &u->w, &u->h) || !ui_draw(u)) {
        fputs("gmpscope: out of memory for the screen\n", stderr); /* fatal_end() shows it when the screen is closed */
        leave(u, 2);
        return;
    }
    screen_show(u->screen, &u->canvas);
    u->drawn_at = u->watched_at = wall_ms(); /* watching begins when it is seen */
    u->noted_at = u->noted_at ? u->noted_at : u->drawn_at;
    u->dirty = false;
}

static void loop(struct ui *u, int signal_fd)
{
    struct pollfd fd[FDS] = {
        [FD_TTY] = {screen_fd(u->screen), POLLIN, 0},
        [FD_SESSION] = {u->cfg->ops->wake_fd(u->cfg->session), POLLIN, 0},
        [FD_SIGNAL] = {signal_fd, POLLIN, 0},
        [FD_OTHER] = {u->other ? u->cfg->ops->wake_fd(u->cfg->other) : -1, POLLIN, 0},
    };
    u->stale = true;
    u->watched_at = wall_ms();
    while (!u->leave) {
        if (u->dirty || u->stale)
            show(u);
        if (poll(fd, FDS, timeout(u)) < 0)
            for (int i = 0; i < FDS; i++)
                fd[i].revents = 0; /* a signal: take_input looks at it */
        watch(u);
        take_input(u, fd);
    }
}

/* ---- begin and end ---- */

static const char *theme_of(const struct ui *u)
{
    return layout_theme(u->layouts.wished);
}

static int run_screen(struct ui *u, int signal_fd)
{
    const char *why;
    if (!crash_begin(signal_fd)) {
        fprintf(stderr, "gmpscope: the terminal can not be used: %s; --headless needs none\n", strerror(errno));
        return 2;
    }
    u->screen = screen_open(&(struct screen_config){u->cfg->ascii, u->cfg->color, u->cfg->mouse}, &why);
    if (!u->screen) {
        int err = errno;
        crash_end();
        visible_line(stderr, "gmpscope: %s%s%s", why, err ? ": " : "", err ? strerror(err) : "");
        return 2;
    }
    u->theme = theme_find(theme_of(u));
    screen_theme(u->screen, u->theme);
    u->canvas.ascii = screen_ascii(u->screen);
    u->lang = u->canvas.ascii ? LANG_EN : u->cfg->lang;
    loop(u, signal_fd);
    screen_close(u->screen);
    crash_end();
    return u->code;
}

static int with_layouts(struct ui *u)
{
    int signal_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK), code = 2;
    for (struct ui *side = u; side; side = side->other)
        side->said = sentence_cache_new();
    if (signal_fd < 0)
        fprintf(stderr, "gmpscope: eventfd: %s\n", strerror(errno));
    else
        code = run_screen(u, signal_fd);
    if (signal_fd >= 0)
        close(signal_fd);
    canvas_fini(&u->canvas);
    for (struct ui *side = u; side; side = side->other) {
        diff_base_fini(&side->stops);
        free(side->said);
    }
    return code;
}

int ui_run(const struct ui_config *cfg)
{
    struct diag d;
    int code = 2;
    if (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO)) {
        fprintf(stderr, "gmpscope: the screen needs a terminal on stdin and stdout; --headless runs without one\n");
        return 2;
    }
    struct ui_config other = *cfg;
    struct ui *u = calloc(cfg->other ? 2 : 1, sizeof *u);
    if (!u) {
        fprintf(stderr, "gmpscope: out of memory\n");
        return 2;
    }
    u->cfg = cfg;
    if (cfg->other) {
        other.session = cfg->other;
        other.told = cfg->other_told;
        u->other = u + 1;
        u->other->cfg = &other;
    }
    u->select.pane = -1;
    diag_init(&d, cfg->layout_path);
    if (layouts_load(&u->layouts, cfg->layout_path, cfg->layout_dir, &d))
        code = with_layouts(u);
    else
        diag_print(&d, stderr);
    diag_fini(&d);
    layouts_free(&u->layouts);
    free(u);
    return code;
}
