/* The pty's session leader is a process of ours (the keeper), not the program: when a session leader ends, the
 * kernel hangs up the terminal and resets its settings, which is what the tests look at afterwards. The keeper
 * starts the program, sends its pid and later its wait status through a pipe, and stays until it is killed, as a
 * shell would. */
#include "term.h"
#include "base/text.h"
#include "base/wall.h"
#include "t.h"

#include <dirent.h>
#include <errno.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>
#include <vterm.h>

/* How long a test waits for a program that works, and for one that sleeps: it waits for something that does not come. A slow machine makes a program
 * work for longer, but not sleep, except until a time; no screen waits for half as long to show something. */
enum { DEADLINE_MS = 200000, IDLE_MS = 20000, LOOK_MS = 300 };
enum { FRAME_MS = 2000, MAX_ROWS = 300, MAX_COLUMNS = 400 };

struct term {
    VTerm *vt;
    VTermScreen *screen;
    int rows, columns;
    int master, slave; /* the slave stays open, so the end of the program is not an end of file */
    int pipe;          /* from the keeper: int pid, then int wait status */
    pid_t keeper, pid;
    bool ended;
    int status;
    bool nul; /* a NUL was read */
    struct termios before;
    bool altscreen, cursor_hidden, in_frame;
    int mouse, bells;
    long bytes;
    int csi, mode; /* watch_modes(): how much of "ESC [ ?" was seen; the number being read */
    bool mode_25, mode_2026;
    char *text;
    uint64_t ran; /* term_hangs(): what the program had done by then */
    int64_t idle_since;
};

/* Fails with a picture of the screen. */
static void fail(struct term *t, const char *what) __attribute__((noreturn));
static void fail(struct term *t, const char *what)
{
    dprintf(STDERR_FILENO, "---- %dx%d%s\n%s----\n", t->columns, t->rows, t->ended ? ", ended" : "", term_text(t));
    t_fail(__FILE__, __LINE__, "%s", what);
}

static int on_prop(VTermProp prop, VTermValue *val, void *user)
{
    struct term *t = user;
    if (prop == VTERM_PROP_ALTSCREEN)
        t->altscreen = val->boolean;
    else if (prop == VTERM_PROP_MOUSE)
        t->mouse = val->number;
    return 1;
}

static int on_bell(void *user)
{
    struct term *t = user;
    t->bells++;
    return 1;
}

static const VTermScreenCallbacks callbacks = {.settermprop = on_prop, .bell = on_bell};

/* What the new process runs: a file, or a function. */
struct program {
    const char *const *env, *const *argv;
    void (*fn)(void *);
    void *arg;
};

/* A state folder of the test's own, in which the hint for a first run has been shown. */
static void set_state(void)
{
    char path[512], hint[540];
    snprintf(path, sizeof path, "%s/state", t_tmpdir());
    mkdir(path, 0700);
    setenv("XDG_STATE_HOME", path, 1);
    snprintf(hint, sizeof hint, "%s/gmpscope", path);
    mkdir(hint, 0700);
    strcat(hint, "/hint");
    FILE *f = fopen(hint, "a");
    if (f)
        fclose(f);
}

static void set_env(const char *const *env)
{
    setenv("TERM", "xterm-256color", 1);
    setenv("LC_ALL", "C.UTF-8", 1);
    set_state();
    unsetenv("NO_COLOR");
    unsetenv("COLORFGBG");
    unsetenv("LINES");
    unsetenv("COLUMNS");
    for (; env && *env; env++) {
        char *copy = strdup(*env);
        if (strchr(copy, '='))
            putenv(copy);
        else
            unsetenv(copy);
    }
}

static void send_int(int fd, int value)
{
    if (write(fd, &value, sizeof value) != sizeof value)
        _exit(126);
}

/* The keeper's life: see the head of this file. */
static void keep(struct term *t, int fd, const struct program *p)
{
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    close(t->master);
    setsid();
    ioctl(t->slave, TIOCSCTTY, 0);
    signal(SIGHUP, SIG_IGN);
    signal(SIGINT, SIG_IGN);
    signal(SIGQUIT, SIG_IGN);
    pid_t pid = fork();
    if (pid == 0) {
        signal(SIGHUP, SIG_DFL);
        signal(SIGINT, SIG_DFL);
        signal(SIGQUIT, SIG_DFL);
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        signal(SIGTTOU, SIG_IGN);
        setpgid(0, 0); /* a job of its own, as a shell makes it: it can be stopped */
        tcsetpgrp(t->slave, getpid());
        signal(SIGTTOU, SIG_DFL);
        for (int i = 0; i < 3; i++)
            dup2(t->slave, i);
        close(t->slave);
        set_env(p->env);
        if (p->fn)
            p->fn(p->arg);
        else
            execv(p->argv[0], (char *const *)p->argv);
        _exit(p->fn ? 0 : 127);
    }
    send_int(fd, pid);
    int status = 0;
    waitpid(pid, &status, 0);
    send_int(fd, status);
    for (;;)
        pause();
}

static void start_keeper(struct term *t, const struct program *p)
{
    int fds[2];
    CHECK_INT(pipe(fds), 0);
    fflush(NULL); /* or the child would print what is still in the buffers */
    t->keeper = fork();
    CHECK(t->keeper >= 0);
    if (t->keeper == 0) {
        close(fds[0]);
        keep(t, fds[1], p);
    }
    close(fds[1]);
    t->pipe = fds[0];
    CHECK_INT(read(t->pipe, &t->pid, sizeof t->pid), sizeof t->pid);
}

static struct term *start(int rows, int columns, const struct program *p)
{
    struct term *t = calloc(1, sizeof *t);
    CHECK(t != NULL);
    t->rows = rows;
    t->columns = columns;
    t->vt = vterm_new(rows, columns);
    vterm_set_utf8(t->vt, 1);
    t->screen = vterm_obtain_screen(t->vt);
    vterm_screen_set_callbacks(t->screen, &callbacks, t);
    vterm_screen_enable_altscreen(t->screen, 1);
    vterm_screen_reset(t->screen, 1);
    struct winsize ws = {.ws_row = (unsigned short)rows, .ws_col = (unsigned short)columns};
    CHECK_INT(openpty(&t->master, &t->slave, NULL, NULL, &ws), 0);
    CHECK_INT(tcgetattr(t->master, &t->before), 0);
    start_keeper(t, p);
    return t;
}

struct term *term_start(int rows, int columns, const char *const *env, const char *const *argv)
{
    return start(rows, columns, &(struct program){.env = env, .argv = argv});
}

struct term *term_start_fn(int rows, int columns, const char *const *env, void (*fn)(void *), void *arg)
{
    return start(rows, columns, &(struct program){.env = env, .fn = fn, .arg = arg});
}

void term_free(struct term *t)
{
    if (!t->ended)
        kill(t->pid, SIGKILL);
    kill(t->keeper, SIGKILL);
    waitpid(t->keeper, NULL, 0);
    if (t->master >= 0)
        close(t->master);
    close(t->slave);
    close(t->pipe);
    vterm_free(t->vt);
    free(t->text);
    free(t);
}

/* Sends the terminal's answers (device attributes and the like) to the program. */
static void answer(struct term *t)
{
    char buf[512];
    size_t n;
    while ((n = vterm_output_read(t->vt, buf, sizeof buf)))
        if (write(t->master, buf, n) < 0)
            return;
}

/* Follows "ESC [ ? … 25 … h|l" itself: in libvterm 0.1.4 DECSC and DECRC also save and restore the cursor's
 * visibility, unlike in real terminals. It also follows mode 2026, the brackets of a frame, which libvterm does not
 * know. */
static void watch_modes(struct term *t, char c)
{
    static const char intro[] = "\033[?";
    if (t->csi < 3) {
        t->csi = c == intro[t->csi] ? t->csi + 1 : c == intro[0];
        t->mode = 0;
        t->mode_25 = t->mode_2026 = false;
    } else if (c >= '0' && c <= '9') {
        t->mode = t->mode < 10000 ? t->mode * 10 + c - '0' : t->mode;
    } else {
        t->mode_25 = t->mode_25 || t->mode == 25;
        t->mode_2026 = t->mode_2026 || t->mode == 2026;
        t->mode = 0;
        if (c == ';')
            return;
        if (t->mode_25 && (c == 'h' || c == 'l'))
            t->cursor_hidden = c == 'l';
        if (t->mode_2026 && (c == 'h' || c == 'l'))
            t->in_frame = c == 'h';
        t->csi = c == intro[0];
    }
}

static void read_master(struct term *t)
{
    char buf[8192];
    ssize_t n = read(t->master, buf, sizeof buf);
    if (n <= 0)
        return;
    t->nul |= memchr(buf, 0, (size_t)n) != NULL;
    t->bytes += n;
    for (ssize_t i = 0; i < n; i++)
        watch_modes(t, buf[i]);
    vterm_input_write(t->vt, buf, (size_t)n);
    vterm_screen_flush_damage(t->screen);
    answer(t);
}

/* Reads whole frames, as a terminal that shows whole frames does: half a frame is not a picture of any moment. A
 * frame that a killed or stopped program began has no end; then its beginning is used. */
static void read_frame(struct term *t)
{
    struct pollfd fd = {t->master, POLLIN, 0};
    do
        read_master(t);
    while (t->in_frame && poll(&fd, 1, FRAME_MS) > 0 && (fd.revents & POLLIN));
}

/* Waits at most ms for output or the program's end and takes it in. Returns false if nothing happened. The end is
 * taken in only when no output is left. */
static bool pump(struct term *t, int ms)
{
    struct pollfd fds[2] = {{t->master, POLLIN, 0}, {t->pipe, POLLIN, 0}};
    int n = poll(fds, t->ended ? 1 : 2, ms < 0 ? 0 : ms);
    if (n <= 0)
        return false;
    if (fds[0].revents & POLLIN)
        read_frame(t);
    else if (!t->ended && fds[1].revents)
        t->ended = read(t->pipe, &t->status, sizeof t->status) == sizeof t->status;
    return true;
}

void term_keys(struct term *t, const char *keys)
{
    CHECK_INT(write(t->master, keys, strlen(keys)), strlen(keys));
}

void term_resize(struct term *t, int rows, int columns)
{
    while (pump(t, 0))
        ;
    t->rows = rows;
    t->columns = columns;
    vterm_set_size(t->vt, rows, columns);
    struct winsize ws = {.ws_row = (unsigned short)rows, .ws_col = (unsigned short)columns};
    CHECK_INT(ioctl(t->master, TIOCSWINSZ, &ws), 0);
}

int term_pid(const struct term *t)
{
    return t->pid;
}

void term_signal(struct term *t, int sig)
{
    CHECK_INT(kill(t->pid, sig), 0);
}

void term_hangup(struct term *t)
{
    close(t->master);
    t->master = -1; /* poll ignores it */
}

/* Returns the state letter of /proc: only the keeper, not this process, may wait for the program. */
static char process_state(pid_t pid)
{
    char path[64], text[256] = "";
    snprintf(path, sizeof path, "/proc/%d/stat", pid);
    FILE *f = fopen(path, "r");
    const char *at = f && fgets(text, sizeof text, f) ? strrchr(text, ')') : NULL;
    if (f)
        fclose(f);
    return at && at[1] ? at[2] : 0;
}

/* Adds to *ran how often and for how long a thread ran. Returns false if it does not sleep, or if /proc does not say. */
static bool look_at_thread(const char *pid, const char *tid, uint64_t *ran)
{
    char path[600], text[300] = "";
    unsigned long long cpu = 0, waited = 0, slices = 0;
    snprintf(path, sizeof path, "/proc/%s/task/%s/stat", pid, tid);
    FILE *f = fopen(path, "r");
    const char *at = f && fgets(text, sizeof text, f) ? strrchr(text, ')') : NULL;
    bool sleeps = at && at[1] && (at[2] == 'S' || at[2] == 'Z');
    if (f)
        fclose(f);
    snprintf(path, sizeof path, "/proc/%s/task/%s/schedstat", pid, tid);
    f = fopen(path, "r");
    bool known = f && fscanf(f, "%llu %llu %llu", &cpu, &waited, &slices) == 3;
    if (f)
        fclose(f);
    *ran += cpu + slices;
    return sleeps && known;
}

static bool is_number(const char *name)
{
    return name[strspn(name, "0123456789")] == '\0';
}

static bool look_at_threads(const char *pid, uint64_t *ran)
{
    char path[300];
    bool sleep = true;
    snprintf(path, sizeof path, "/proc/%s/task", pid);
    DIR *d = opendir(path);
    for (struct dirent *x; d && (x = readdir(d));)
        if (is_number(x->d_name))
            sleep = look_at_thread(pid, x->d_name, ran) && sleep;
    if (d)
        closedir(d);
    return d && sleep;
}

/* Looks at all processes of the terminal: the program may wait for one that it has started. Returns false if a thread does not sleep. */
static bool look_at_session(const struct term *t, uint64_t *ran)
{
    bool sleep = true;
    DIR *d = opendir("/proc");
    for (struct dirent *x; d && (x = readdir(d));)
        if (is_number(x->d_name) && getsid(atoi(x->d_name)) == t->keeper)
            sleep = look_at_threads(x->d_name, ran) && sleep;
    if (d)
        closedir(d);
    return d && sleep;
}

bool term_hangs(struct term *t, int ms)
{
    uint64_t ran = (uint64_t)t->bytes;
    if (!look_at_session(t, &ran) || ran != t->ran)
        t->idle_since = wall_ms();
    t->ran = ran;
    return wall_ms() - t->idle_since >= ms;
}

bool term_idle(struct term *t, int ms)
{
    return !pump(t, ms);
}

/* Waits a little for output or the end. Fails if it is too late for them. */
static void wait_a_little(struct term *t, int64_t end, const char *what)
{
    char idle[300];
    if (pump(t, LOOK_MS))
        return;
    snprintf(idle, sizeof idle, "%s: the program has slept for %d s", what, IDLE_MS / 1000);
    if (term_hangs(t, IDLE_MS))
        fail(t, idle);
    if (wall_ms() > end)
        fail(t, what);
}

void term_wait_stopped(struct term *t)
{
    int64_t end = wall_ms() + DEADLINE_MS;
    t->ran = 0;
    while (process_state(t->pid) != 'T') {
        if (wall_ms() > end || term_hangs(t, IDLE_MS))
            fail(t, "the program does not stop itself");
        pump(t, 5);
    }
}

bool term_altscreen(struct term *t)
{
    return t->altscreen;
}

/* One cell's text; the second half of a wide glyph has none. */
static size_t put_cell(struct term *t, char *out, int row, int column)
{
    VTermScreenCell cell;
    if (!vterm_screen_get_cell(t->screen, (VTermPos){row, column}, &cell) || !cell.chars[0])
        return (size_t)utf8_put(' ', out);
    if (cell.chars[0] == (uint32_t)-1)
        return 0;
    size_t n = 0;
    for (int i = 0; i < VTERM_MAX_CHARS_PER_CELL && cell.chars[i]; i++)
        n += (size_t)utf8_put(cell.chars[i], out + n);
    return n;
}

const char *term_text(struct term *t)
{
    if (!t->text)
        t->text = malloc((size_t)MAX_ROWS * (MAX_COLUMNS * 4 * VTERM_MAX_CHARS_PER_CELL + 1) + 1);
    CHECK(t->text != NULL && t->rows <= MAX_ROWS && t->columns <= MAX_COLUMNS);
    char *p = t->text;
    for (int row = 0; row < t->rows; row++) {
        char *end = p;
        for (int column = 0; column < t->columns; column++) {
            p += put_cell(t, p, row, column);
            if (p[-1] != ' ')
                end = p;
        }
        p = end;
        *p++ = '\n';
    }
    *p = 0;
    return t->text;
}

void term_cell(struct term *t, int row, int column, struct term_cell *cell)
{
    VTermScreenCell c;
    CHECK(vterm_screen_get_cell(t->screen, (VTermPos){row, column}, &c));
    bool second_half = c.chars[0] == (uint32_t)-1;
    if (second_half) /* it looks as the first one; libvterm leaves in it what the cell was before */
        CHECK(vterm_screen_get_cell(t->screen, (VTermPos){row, column - 1}, &c));
    *cell = (struct term_cell){
        .ch = second_half  ? 0
              : c.chars[0] ? c.chars[0]
                           : ' ',
        .width = second_half ? 1 : c.width,
        .color = VTERM_COLOR_IS_DEFAULT_FG(&c.fg) ? -1 : c.fg.indexed.idx,
        .bold = c.attrs.bold,
        .italic = c.attrs.italic,
        .underline = c.attrs.underline != 0,
        .reverse = c.attrs.reverse,
        .own_ground = VTERM_COLOR_IS_DEFAULT_BG(&c.bg),
    };
}

bool term_cursor(struct term *t, int *row, int *column)
{
    VTermPos at;
    vterm_state_get_cursorpos(vterm_obtain_state(t->vt), &at);
    *row = at.row;
    *column = at.col;
    return !t->cursor_hidden;
}

long term_bytes(const struct term *t)
{
    return t->bytes;
}
int term_bells(const struct term *t)
{
    return t->bells;
}

bool term_shows(struct term *t, const char *text)
{
    return strstr(term_text(t), text) != NULL;
}

int term_find(struct term *t, const char *text, int *column)
{
    const char *all = term_text(t), *at = strstr(all, text);
    if (!at)
        return -1;
    int row = 0, col = 0;
    for (const char *p = all; p < at; p++) {
        if (*p == '\n') {
            row++;
            col = 0;
        } else if ((*p & 0xc0) != 0x80) {
            col++;
        }
    }
    if (column)
        *column = col;
    return row;
}

static void drain(struct term *t, int64_t end);

void term_wait_for(struct term *t, const char *what, bool (*cond)(struct term *, void *), void *arg)
{
    int64_t end = wall_ms() + DEADLINE_MS;
    t->ran = 0; /* or an earlier wait would count */
    while (!cond(t, arg)) {
        wait_a_little(t, end, what);
        if (!t->ended)
            continue;
        drain(t, end);
        if (!cond(t, arg))
            fail(t, what);
    }
}

static bool shows(struct term *t, void *text)
{
    return term_shows(t, text);
}

static bool lacks(struct term *t, void *text)
{
    return !term_shows(t, text);
}

void term_wait(struct term *t, const char *text)
{
    char what[200];
    snprintf(what, sizeof what, "waited for \"%s\"", text);
    term_wait_for(t, what, shows, (void *)text);
}

void term_wait_gone(struct term *t, const char *text)
{
    char what[200];
    snprintf(what, sizeof what, "waited for \"%s\" to go", text);
    term_wait_for(t, what, lacks, (void *)text);
}

void term_wait_output(struct term *t)
{
    long before = t->bytes;
    int64_t end = wall_ms() + DEADLINE_MS;
    for (t->ran = 0; t->bytes == before && !t->ended;)
        wait_a_little(t, end, "the program writes nothing");
}

void term_settle(struct term *t, int ms)
{
    while (pump(t, ms))
        ;
}

/* The program's last output passes through a kernel worker and may arrive after the report of its end. It has all
 * arrived when a byte that we write after it arrives (NUL: a terminal ignores it). The echo of an answer that the program asked for and did not
 * read may come behind it. */
static void drain(struct term *t, int64_t end)
{
    if (t->master < 0)
        return;
    t->nul = false;
    CHECK_INT(write(t->slave, "", 1), 1);
    while (!t->nul || pump(t, 0)) {
        if (wall_ms() > end)
            fail(t, "the terminal swallows output");
        pump(t, 10);
    }
}

/* Returns how much the program has written to files, terminals and pipes; 0 if /proc does not say. */
static long long written(pid_t pid)
{
    char path[64], line[100];
    long long n = 0;
    snprintf(path, sizeof path, "/proc/%d/io", pid);
    FILE *f = fopen(path, "r");
    while (f && fgets(line, sizeof line, f))
        if (sscanf(line, "wchar: %lld", &n) == 1)
            break;
    if (f)
        fclose(f);
    return n;
}

void term_fill(struct term *t, const char *key)
{
    long long before = -1, now;
    for (int same = 0; same < 20; same = now == before ? same + 1 : 0, before = now) {
        if (same < 10) /* more unread keys would fill the other direction */
            term_keys(t, key);
        poll(NULL, 0, 50);
        now = written(t->pid);
    }
}

int term_wait_exit_unread(struct term *t)
{
    struct pollfd fd = {t->pipe, POLLIN, 0};
    int64_t end = wall_ms() + DEADLINE_MS;
    t->ran = 0;
    while (poll(&fd, 1, LOOK_MS) <= 0)
        if (term_hangs(t, IDLE_MS) || wall_ms() > end)
            fail(t, "the program does not end while nobody reads its terminal");
    t->ended = read(t->pipe, &t->status, sizeof t->status) == sizeof t->status;
    return term_wait_exit(t);
}

int term_quit(struct term *t)
{
    enum { MOST = 20, EACH_MS = 100 };
    for (int i = 0; i < MOST && !t->ended; i++) {
        term_keys(t, "q");
        for (int64_t end = wall_ms() + EACH_MS; !t->ended && wall_ms() < end;)
            pump(t, EACH_MS);
    }
    return term_wait_exit(t);
}

int term_wait_exit(struct term *t)
{
    int64_t end = wall_ms() + DEADLINE_MS;
    t->ran = 0;
    while (!t->ended)
        wait_a_little(t, end, "the program does not end");
    drain(t, end);
    return WIFEXITED(t->status) ? WEXITSTATUS(t->status) : 128 + WTERMSIG(t->status);
}

void term_check_sane(struct term *t)
{
    struct termios now;
    CHECK(t->ended);
    CHECK_INT(tcgetattr(t->master, &now), 0);
    CHECK_INT(now.c_iflag, t->before.c_iflag);
    CHECK_INT(now.c_oflag, t->before.c_oflag);
    CHECK_INT(now.c_cflag, t->before.c_cflag);
    CHECK_INT(now.c_lflag, t->before.c_lflag);
    CHECK(memcmp(now.c_cc, t->before.c_cc, sizeof now.c_cc) == 0);
    CHECK(!t->altscreen);
    CHECK(!t->cursor_hidden);
    CHECK_INT(t->mouse, VTERM_PROP_MOUSE_NONE);
    vterm_input_write(t->vt, "x", 1);
    VTermPos pos;
    VTermScreenCell cell;
    vterm_state_get_cursorpos(vterm_obtain_state(t->vt), &pos);
    CHECK(vterm_screen_get_cell(t->screen, (VTermPos){pos.row, pos.col ? pos.col - 1 : 0}, &cell));
    CHECK(!cell.attrs.bold && !cell.attrs.reverse && !cell.attrs.underline);
}
