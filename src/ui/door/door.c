/* The list's keys and its loop: wait for a key or a picture, draw what changed. */
#include "ui/door/door_internal.h"

#include "ui/input/keys.h"
#include "ui/panes/parts/scroll.h"
#include "ui/term/crash.h"
#include "ui/term/keycodes.h"
#include "ui/term/terminal.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

/* ---- choosing ---- */

static void leave(struct door_screen *s, enum door_does does)
{
    if (does != DOOR_LEAVE && door_chosen(s) < 0)
        return;
    s->choice->does = does;
    s->choice->entry = door_chosen(s);
    s->over = true;
}

static void leave_with(struct door_screen *s, int signal)
{
    s->choice->signal = signal;
    leave(s, DOOR_LEAVE);
}

static void ask_settings(struct door_screen *s)
{
    snprintf(s->prompt.hint, sizeof s->prompt.hint, "%s", "");
    prompt_begin(&s->prompt, ':', "");
    snprintf(s->prompt.offer, sizeof s->prompt.offer, "%s", tx(s->lang, TX_DOOR_SETTINGS));
}

/* Takes the second scenario of a comparison: another one, or the same one with other settings. */
static void compare_with(struct door_screen *s)
{
    int other = door_chosen(s);
    if (other == s->compare) {
        ask_settings(s);
        return;
    }
    leave(s, DOOR_COMPARE);
    s->choice->entry = s->compare;
    s->choice->other = other;
}

/* No settings: those that the scenario names. */
static void take_settings(struct door_screen *s)
{
    const char *text = s->prompt.text + strspn(s->prompt.text, " ");
    prompt_close(&s->prompt);
    leave(s, DOOR_COMPARE);
    s->choice->entry = s->choice->other = s->compare;
    snprintf(s->choice->settings, sizeof s->choice->settings, "%s", text);
}

/* ---- keys ---- */

static void key_run(struct door_screen *s)
{
    if (s->compare >= 0)
        compare_with(s);
    else
        leave(s, DOOR_RUN);
}

static void key_lesson(struct door_screen *s)
{
    int i = door_chosen(s);
    if (i >= 0 && !s->d->entry[i].lesson)
        snprintf(s->note, sizeof s->note, tx(s->lang, TX_NO_LESSON), s->d->entry[i].name);
    else
        leave(s, DOOR_LESSON);
}

static void key_compare(struct door_screen *s)
{
    if (s->compare < 0)
        s->compare = door_chosen(s);
    else
        ask_settings(s);
}

/* A key that only passes something on. */
#define KEY(name, call) \
    static void key_##name(struct door_screen *s) \
    { \
        call; \
    }
KEY(edit, leave(s, DOOR_EDIT))
/* There are no commands here. The letters of one that is typed out of habit must not be keys, so `:` searches, too. */
KEY(search, prompt_begin(&s->prompt, '/', ""))

static void key_path(struct door_screen *s)
{
    int entry = door_chosen(s);
    s->path = (s->path + 1) % (s->d->npaths + 1);
    if (s->d->path_chosen)
        s->d->path_chosen(s->d->path_ctx, s->path);
    if (!door_rows(s, entry))
        leave_with(s, 0);
}

KEY(up, door_move(s, -1))
KEY(down, door_move(s, 1))
KEY(page_up, door_move(s, 1 - s->list_h))
KEY(page_down, door_move(s, s->list_h - 1))

static void key_first(struct door_screen *s)
{
    door_move(s, -s->nrows);
    s->top = 0;
}

KEY(last, door_move(s, s->nrows))
KEY(topic, door_move_topic(s, 1))
KEY(topic_back, door_move_topic(s, -1))

/* A click chooses, and a click on what is chosen runs it. */
static void key_click(struct door_screen *s)
{
    int x, y;
    screen_mouse(s->screen, &x, &y);
    int i = s->top + y - 1;
    if (i > s->at && s->at >= s->top)
        i = i - s->more < s->at ? s->at : i - s->more;
    if (x >= s->list_w || y < 1 || y > s->list_h || i >= s->nrows || s->row[i].kind != ROW_ENTRY)
        return;
    if (i == s->at)
        key_run(s);
    s->at = i;
}

KEY(help, s->help = true)

static void key_escape(struct door_screen *s)
{
    if (s->compare < 0)
        leave(s, DOOR_LEAVE);
    s->compare = -1;
}

KEY(quit, leave(s, DOOR_LEAVE))
KEY(interrupt, leave_with(s, 130))
KEY(redraw, screen_redraw(s->screen))
KEY(suspend, terminal_suspend(s->screen))

static const struct {
    struct door_key key;
    void (*fn)(struct door_screen *s);
} table[] = {
    {{KEY_RETURN, '\n', "enter", TX_DOOR_KEY_RUN, TX_DOOR_SHORT_RUN}, key_run},
    {{'l', 0, "l", TX_DOOR_KEY_LESSON, TX_DOOR_SHORT_LESSON}, key_lesson},
    {{'p', 0, "p", TX_DOOR_KEY_PATH, TX_DOOR_SHORT_PATH}, key_path},
    {{'c', 0, "c", TX_DOOR_KEY_COMPARE, TX_DOOR_SHORT_COMPARE}, key_compare},
    {{'e', 0, "e", TX_DOOR_KEY_EDIT, TX_DOOR_SHORT_EDIT}, key_edit},
    {{'/', ':', "/", TX_DOOR_KEY_SEARCH, TX_DOOR_SHORT_SEARCH}, key_search},
    {{'?', KEY_CODE_F(1), "?", TX_DOOR_KEY_HELP, TX_SHORT_HELP}, key_help},
    {{'q', 0, "q", TX_DOOR_KEY_QUIT, TX_SHORT_QUIT}, key_quit},
    {{KEY_CODE_UP, 'k', "up, k", TX_KEY_UP, TX_NONE}, key_up},
    {{KEY_CODE_DOWN, 'j', "down, j", TX_KEY_DOWN, TX_NONE}, key_down},
    {{KEY_CODE_PAGE_UP, 0, "page up", TX_DOOR_KEY_PAGE_UP, TX_NONE}, key_page_up},
    {{KEY_CODE_PAGE_DOWN, ' ', "page down, space", TX_DOOR_KEY_PAGE_DOWN, TX_NONE}, key_page_down},
    {{KEY_CODE_HOME, 'g', "home, g", TX_DOOR_KEY_FIRST, TX_NONE}, key_first},
    {{KEY_CODE_END, 'G', "end, G", TX_DOOR_KEY_LAST, TX_NONE}, key_last},
    {{KEY_TAB, 0, "tab", TX_DOOR_KEY_TOPIC, TX_NONE}, key_topic},
    {{KEY_CODE_BACKTAB, 0, "shift-tab", TX_DOOR_KEY_TOPIC_BACK, TX_NONE}, key_topic_back},
    {{KEY_CODE_CLICK, 0, "click", TX_DOOR_KEY_CLICK, TX_NONE}, key_click},
    {{KEY_CODE_WHEEL_UP, 0, "wheel up", TX_KEY_UP, TX_NONE}, key_up},
    {{KEY_CODE_WHEEL_DOWN, 0, "wheel down", TX_KEY_DOWN, TX_NONE}, key_down},
    {{KEY_ESCAPE, 0, "esc", TX_DOOR_KEY_ESCAPE, TX_NONE}, key_escape},
    {{KEY_CTRL('l'), 0, "ctrl-L", TX_KEY_REDRAW, TX_NONE}, key_redraw},
    {{KEY_CTRL('z'), 0, "ctrl-Z", TX_DOOR_KEY_SUSPEND, TX_NONE}, key_suspend},
    {{KEY_CTRL('c'), 0, "ctrl-C", TX_DOOR_KEY_INTERRUPT, TX_NONE}, key_interrupt},
};
enum { KEYS = sizeof table / sizeof *table };

const struct door_key *door_key(int i)
{
    return i < KEYS ? &table[i].key : NULL;
}

static void table_key(struct door_screen *s, uint32_t code)
{
    for (int i = 0; i < KEYS; i++)
        if (table[i].key.code == code || (table[i].key.also && table[i].key.also == code)) {
            table[i].fn(s);
            return;
        }
    key_idle_text(code, s->lang, s->note, sizeof s->note);
}

/* Pages, where there are more rows than fit; every other key closes it. */
static void help_key(struct door_screen *s, uint32_t code)
{
    int rows = door_help_rows(s), by = code == ' ' ? SCROLL_PAGE : scroll_key(code), last = KEYS - rows;
    int to = s->help_top + scroll_rows(by, rows);
    s->help = by && (code != ' ' || s->help_top < last);
    s->help_top = !s->help || to < 0 ? 0 : to > last ? last : to;
}

/* ---- the line to edit ---- */

/* The rows follow each letter, and the arrows move in the list. Enter leaves the line: then all keys work on the chosen row. */
static void search_key(struct door_screen *s, uint32_t code)
{
    int chosen = door_chosen(s);
    if (code == KEY_CODE_UP || code == KEY_CODE_DOWN) {
        door_move(s, code == KEY_CODE_UP ? -1 : 1);
        return;
    }
    if (prompt_key(&s->prompt, code))
        prompt_close(&s->prompt);
    if (!door_rows(s, chosen))
        leave_with(s, 0);
}

static void prompt_takes(struct door_screen *s, uint32_t code)
{
    if (s->prompt.sign == '/') {
        search_key(s, code);
    } else if (code == KEY_CTRL('c')) {
        prompt_close(&s->prompt);
    } else if (prompt_key(&s->prompt, code)) {
        take_settings(s);
    }
}

static void take_key(struct door_screen *s, uint32_t code)
{
    s->dirty = true;
    if (code == KEY_CODE_RESIZED)
        return;
    s->note[0] = '\0';
    if (code == KEY_CTRL('z'))
        key_suspend(s);
    else if (s->prompt.open && code != KEY_CODE_F(1))
        prompt_takes(s, code);
    else if (s->help)
        help_key(s, code);
    else
        table_key(s, code);
}

/* ---- the loop ---- */

static void drain(int fd)
{
    uint64_t n;
    ssize_t got = read(fd, &n, sizeof n);
    (void)got; /* there may be nothing to read */
}

static void take_signals(struct door_screen *s)
{
    int sig = crash_asked();
    if (sig == SIGTSTP)
        terminal_suspend(s->screen);
    else if (sig)
        leave_with(s, 128 + sig);
    if (crash_resized()) {
        screen_redraw(s->screen);
        s->dirty = true;
    }
}

static void take_input(struct door_screen *s, const struct pollfd *fd)
{
    uint32_t code;
    if (fd[1].revents)
        drain(fd[1].fd);
    if (fd[2].revents) {
        drain(fd[2].fd);
        s->dirty = true;
    }
    take_signals(s);
    while (!s->over && (code = screen_key(s->screen)))
        take_key(s, code);
    if (!s->over && (fd[0].revents & (POLLHUP | POLLERR | POLLNVAL)))
        leave_with(s, 129);
}

static bool show(struct door_screen *s)
{
    int w, h;
    s->dirty = false;
    if (!screen_size(s->screen, &w, &h) || ((s->canvas.w != w || s->canvas.h != h) && !canvas_resize(&s->canvas, w, h)))
        return false;
    door_draw(s);
    screen_show(s->screen, &s->canvas);
    return true;
}

static void loop(struct door_screen *s, int signal_fd)
{
    enum { BEHIND_MS = 250 }; /* how long it waits for a frame to arrive before it looks again */
    struct pollfd fd[] = {{screen_fd(s->screen), POLLIN, 0}, {signal_fd, POLLIN, 0}, {s->d->wake_fd, POLLIN, 0}};
    while (!s->over) {
        if (s->dirty && !screen_behind(s->screen) && !show(s)) {
            fputs("gmpscope: out of memory for the screen\n", stderr);
            leave_with(s, 2);
            return;
        }
        if (poll(fd, 3, s->dirty ? BEHIND_MS : -1) < 0)
            for (int i = 0; i < 3; i++)
                fd[i].revents = 0; /* interrupted by a signal, which take_input handles */
        take_input(s, fd);
    }
}

void door_visit(const struct door *d, struct screen *screen, int signal_fd, struct door_choice *out)
{
    struct door_screen *s = calloc(1, sizeof *s);
    *out = (struct door_choice){.does = DOOR_LEAVE, .entry = -1, .other = -1};
    if (!s)
        return;
    *s = (struct door_screen){.d = d, .screen = screen, .choice = out, .compare = -1, .path = d->on_path, .dirty = true};
    s->canvas.ascii = screen_ascii(screen);
    s->lang = s->canvas.ascii ? LANG_EN : d->lang;
    bool failed = d->note && *d->note;
    if (failed || !terminal_lacks(screen, d->lang, d->screen.ascii, s->note, sizeof s->note))
        snprintf(s->note, sizeof s->note, "%s", failed ? d->note : "");
    if (door_rows(s, d->at))
        loop(s, signal_fd);
    canvas_fini(&s->canvas);
    free(s->row);
    free(s);
}

bool door_run(const struct door *d, struct door_choice *out)
{
    int signal_fd = terminal_there() ? eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK) : -1;
    struct screen *screen = signal_fd >= 0 ? terminal_take(&d->screen, signal_fd) : NULL;
    if (screen && d->theme)
        screen_theme(screen, theme_find(d->theme));
    if (screen) {
        door_visit(d, screen, signal_fd, out);
        terminal_give_back(screen);
    }
    if (signal_fd >= 0)
        close(signal_fd);
    return screen != NULL;
}
