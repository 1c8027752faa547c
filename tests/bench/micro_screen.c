/* The real program on a pty of 200x60 that is read all the time and says at once what it is, as terminals do. Its frames are counted by the
 * brackets of synchronized output that it puts around each; its CPU time is the scheduler's own count (schedstat), thread by thread: the first
 * thread is the screen's. Single frames are measured on such a pty too, in a process that shows random pictures. */
#include "base/prng.h"
#include "bench/micro.h"
#include "bench/common.h"
#include "ui/term/screen.h"
#include <dirent.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { ROUNDS = 7, MS = 1000000, FRAMES = 60, WIDTH = 200, HEIGHT = 60, CELLS = WIDTH * HEIGHT };

struct program {
    int fd;
    pid_t pid;
    int64_t started, bytes, frames, last_byte; /* times: CLOCK_MONOTONIC */
    bool silent;                               /* the terminal does not say what it is */
    char tail[64];                             /* the last bytes read, NUL-terminated */
};

static int64_t now(void)
{
    return clock_ns(CLOCK_MONOTONIC);
}

/* Returns true in the child. */
static bool fork_on_pty(struct program *p)
{
    struct winsize ws = {.ws_row = HEIGHT, .ws_col = WIDTH};
    *p = (struct program){.started = now()};
    p->pid = forkpty(&p->fd, NULL, NULL, &ws);
    if (p->pid)
        return false;
    setenv("TERM", "xterm-256color", 1);
    setenv("LC_ALL", "C.UTF-8", 1);
    return true;
}

/* args: after the program's name, up to NULL. */
static bool start(struct program *p, const char *gmpscope, const char *const *args)
{
    const char *argv[16] = {gmpscope};
    for (int i = 0; args[i] && i < 14; i++)
        argv[i + 1] = args[i];
    if (fork_on_pty(p)) {
        execv(gmpscope, (char *const *)argv);
        _exit(127);
    }
    return p->pid > 0;
}

static void finish(struct program *p)
{
    kill(p->pid, SIGTERM);
    while (waitpid(p->pid, NULL, WNOHANG) == 0) {
        char text[4096];
        if (poll(&(struct pollfd){p->fd, POLLIN, 0}, 1, 1) > 0 && read(p->fd, text, sizeof text) < 0)
            usleep(1000); /* it has closed its end and exits */
    }
    close(p->fd);
}

/* Counts `what` in the last reading, including one that began in the reading before. */
static int count(const char *tail, const char *text, size_t n, const char *what)
{
    size_t len = strlen(what), old = strlen(tail);
    old = old < len - 1 ? old : len - 1;
    char all[16384 + 64];
    memcpy(all, tail + strlen(tail) - old, old);
    memcpy(all + old, text, n);
    int found = 0;
    for (const char *at = all; (at = memmem(at, (size_t)(all + old + n - at), what, len)); at += len)
        found++;
    return found;
}

static void type(const struct program *p, const char *keys)
{
    if (write(p->fd, keys, strlen(keys)) < 0)
        micro_failed("screen", "nothing can be sent");
}

/* Reads until `frames` more frames have been shown or ns have passed. False: the program has ended. */
static bool watch(struct program *p, int64_t frames, int64_t ns)
{
    int64_t until = now() + ns, left;
    frames += p->frames;
    while (p->frames < frames && (left = until - now()) > 0) {
        char text[16384];
        if (poll(&(struct pollfd){p->fd, POLLIN, 0}, 1, (int)(left / MS) + 1) <= 0)
            continue;
        ssize_t n = read(p->fd, text, sizeof text);
        if (n <= 0)
            return false;
        p->last_byte = now();
        p->bytes += n;
        p->frames += count(p->tail, text, (size_t)n, "\033[?2026l");
        if (!p->silent && count(p->tail, text, (size_t)n, TERMINAL_QUESTION))
            type(p, TERMINAL_ANSWER);
        size_t keep = (size_t)n < sizeof p->tail - 1 ? (size_t)n : sizeof p->tail - 1;
        memcpy(p->tail, text + n - keep, keep);
        p->tail[keep] = '\0';
    }
    return true;
}

/* ---- what the kernel says of it ---- */

static double number_in(const char *path, const char *key)
{
    char text[8192] = "";
    FILE *f = fopen(path, "r");
    if (f)
        text[fread(text, 1, sizeof text - 1, f)] = '\0';
    if (f)
        fclose(f);
    const char *at = strstr(text, key);
    return at ? strtod(at + strlen(key), NULL) : 0;
}

static double screen_cpu(const struct program *p)
{
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/task/%d/schedstat", p->pid, p->pid);
    return number_in(path, "");
}

static double whole_cpu(const struct program *p)
{
    char path[400];
    double sum = 0;
    snprintf(path, sizeof path, "/proc/%d/task", p->pid);
    DIR *d = opendir(path);
    for (struct dirent *e; d && (e = readdir(d));) {
        snprintf(path, sizeof path, "/proc/%d/task/%s/schedstat", p->pid, e->d_name);
        sum += e->d_name[0] == '.' ? 0 : number_in(path, "");
    }
    if (d)
        closedir(d);
    return sum;
}

/* Returns the peak resident size in MiB. */
static double resident(const struct program *p)
{
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/status", p->pid);
    return number_in(path, "VmHWM:") / 1024;
}

/* ---- the rows ---- */

static void first_frame(const char *gmpscope, bool silent, const char *name)
{
    const char *const args[] = {"run", "steal-half", NULL};
    struct samples ms = {.n = 0};
    for (int i = 0; i <= ROUNDS; i++) {
        struct program p;
        if (!start(&p, gmpscope, args))
            return;
        p.silent = silent;
        if (watch(&p, 1, 5000 * (int64_t)MS) && p.frames && i) /* the first one warms up */
            sample(&ms, (double)(p.last_byte - p.started) / MS);
        finish(&p);
    }
    micro_row(name, "ms", &ms, "<= 100");
}

static void memory(const char *gmpscope)
{
    const char *const args[] = {"run", "steal-half", "--tempo", "max", NULL};
    struct samples mib = {.n = 0};
    for (int i = 0; i < 3; i++) {
        struct program p;
        if (!start(&p, gmpscope, args))
            return;
        if (watch(&p, INT64_MAX / 2, 1500 * (int64_t)MS)) /* the run has ended; the screen stays */
            sample(&mib, resident(&p));
        finish(&p);
    }
    micro_row("resident at most, steal-half with the screen", "MiB", &mib, "<= 24");
}

/* Sixteen events a second, each with its own frame, and everything else that the screen does. */
static void frames(const char *gmpscope, const char *path)
{
    const char *const args[] = {"run", path, "--tempo", "16", NULL};
    struct samples screen = {.n = 0}, whole = {.n = 0}, bytes = {.n = 0};
    struct program p;
    if (!start(&p, gmpscope, args))
        return;
    watch(&p, 20, 5000 * (int64_t)MS);
    for (int i = 0; i < 3; i++) {
        double s = screen_cpu(&p), w = whole_cpu(&p);
        int64_t b = p.bytes, f = p.frames;
        if (!watch(&p, FRAMES, 20000 * (int64_t)MS) || p.frames < f + FRAMES)
            break;
        double n = (double)(p.frames - f);
        sample(&screen, (screen_cpu(&p) - s) / n / MS);
        sample(&whole, (whole_cpu(&p) - w) / n / MS);
        sample(&bytes, (double)(p.bytes - b) / n);
    }
    finish(&p);
    micro_row("a frame with a small change, 200x60: the screen's CPU", "ms", &screen, "<= 1");
    micro_row("  CPU of the whole program", "ms", &whole, "");
    micro_row("  bytes to the terminal", "bytes", &bytes, "");
}

/* Puts a random glyph in a random colour. */
static void change_cell(struct canvas *c, struct prng *r, uint32_t cell)
{
    static const uint32_t glyphs[] = {'a', 'G', '7', 0x2500, 0x2502, 0x25b6, 0x2583};
    const struct rect all = {0, 0, WIDTH, HEIGHT};
    uint32_t glyph = glyphs[prng_below(r, sizeof glyphs / sizeof *glyphs)];
    canvas_put(c, all, (int)(cell % WIDTH), (int)(cell / WIDTH), (enum role)prng_below(r, ROLES), glyph);
}

/* Shows pictures and writes the CPU time of each frame to `out`. Each picture differs from the one before in so many cells. Caller: the child of
 * fork_on_pty(). */
static void show_pictures(int changes, int out)
{
    const char *why;
    struct screen *s = screen_open(&(struct screen_config){.color = true}, &why);
    struct canvas c;
    struct prng r;
    double ms[FRAMES];
    int w, h;
    prng_seed(&r, 1, 0);
    if (!s || !screen_size(s, &w, &h) || w != WIDTH || h != HEIGHT || !canvas_init(&c, w, h))
        _exit(1);
    for (int i = -1; i < FRAMES; i++) { /* the first frame is sent whole and not counted */
        for (int n = 0; n < changes; n++)
            change_cell(&c, &r, changes == CELLS ? (uint32_t)n : (uint32_t)prng_below(&r, CELLS));
        int64_t at = clock_ns(CLOCK_THREAD_CPUTIME_ID);
        screen_show(s, &c);
        if (i >= 0)
            ms[i] = (double)(clock_ns(CLOCK_THREAD_CPUTIME_ID) - at) / MS;
    }
    if (write(out, ms, sizeof ms) != sizeof ms)
        _exit(1);
    screen_close(s);
    _exit(0);
}

static void pictures(int changes, const char *name, const char *aim)
{
    struct samples ms = {.n = 0};
    struct program p;
    double got[FRAMES];
    int fd[2];
    if (pipe(fd) != 0)
        return;
    if (fork_on_pty(&p))
        show_pictures(changes, fd[1]);
    close(fd[1]);
    if (p.pid < 0)
        return;
    watch(&p, INT64_MAX / 2, 20000 * (int64_t)MS);
    bool all = read(fd[0], got, sizeof got) == sizeof got;
    for (int i = 0; all && i < FRAMES; i++)
        sample(&ms, got[i]);
    finish(&p);
    close(fd[0]);
    micro_row(name, "ms", &ms, aim);
}

/* What the view takes from a machine that has no spare CPU for it; the fold is the session's thread. */
static void full_speed(const char *gmpscope, const char *path)
{
    const char *const args[] = {"run", path, "--mode", "free", NULL};
    struct samples share = {.n = 0}, fps = {.n = 0};
    struct program p;
    if (!start(&p, gmpscope, args))
        return;
    watch(&p, 20, 5000 * (int64_t)MS);
    for (int i = 0; i < 5; i++) {
        double s = screen_cpu(&p);
        int64_t f = p.frames, t = now();
        if (!watch(&p, INT64_MAX / 2, 1000 * (int64_t)MS))
            break;
        t = now() - t;
        sample(&share, 100 * (screen_cpu(&p) - s) / (double)t);
        sample(&fps, 1e9 * (double)(p.frames - f) / (double)t);
    }
    finish(&p);
    micro_row("a free run at full speed: the screen's CPU", "% of one", &share, "");
    micro_row("  frames", "/s", &fps, "");
}

static void paused(const char *gmpscope, const char *path, const char *mode)
{
    const char *const args[] = {"run", path, "--tempo", "max", "--mode", mode, NULL};
    struct samples ms = {.n = 0}, shown = {.n = 0};
    char name[80];
    struct program p;
    if (!start(&p, gmpscope, args))
        return;
    watch(&p, 10, 5000 * (int64_t)MS);
    type(&p, " ");
    watch(&p, INT64_MAX / 2, 1000 * (int64_t)MS);
    int64_t f = p.frames;
    double w = whole_cpu(&p);
    if (watch(&p, INT64_MAX / 2, 5000 * (int64_t)MS)) {
        sample(&ms, (whole_cpu(&p) - w) / MS);
        sample(&shown, (double)(p.frames - f));
    }
    finish(&p);
    snprintf(name, sizeof name, "paused for 5 s (%s): CPU of the whole program", mode);
    micro_row(name, "ms", &ms, "0");
    micro_row("  frames", "", &shown, "0");
}

void micro_screen(const char *gmpscope)
{
    char path[PROGRAM_PATH];
    program_file("busy", path);
    first_frame(gmpscope, false, "first frame after `gmpscope run`, 200x60");
    first_frame(gmpscope, true, "  of a terminal that does not say what it is");
    memory(gmpscope);
    frames(gmpscope, path);
    pictures(CELLS / 50, "a frame of which 2 % of the cells change, 200x60", "<= 1");
    pictures(CELLS, "a frame of which each cell changes", "<= 8");
    full_speed(gmpscope, path);
    paused(gmpscope, path, "lockstep");
    paused(gmpscope, path, "free");
}
