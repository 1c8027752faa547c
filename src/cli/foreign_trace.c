/* Opening the execution trace of a real Go program: a file, or what still comes. */
#include "base/feed.h"
#include "base/wall.h"
#include "cli/foreign.h"
#include "engine/source_go.h"
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int cannot(const char *path, const char *why)
{
    visible_line(stderr, "gmpscope: %s: %s", path, why);
    return 2;
}

/* --- the file ---------------------------------------------------------------------------------------------------------------- */

void foreign_keys(void)
{
    int terminal = isatty(STDIN_FILENO) ? -1 : open("/dev/tty", O_RDONLY | O_CLOEXEC);
    if (terminal < 0)
        return;
    dup2(terminal, STDIN_FILENO);
    close(terminal);
}

/* Opens a file, or "-": what comes through stdin. Returns the descriptor of a regular file that has all of it, or writes *feed for one that still
 * comes. -1 with errno: it cannot be opened, and there is no feed. */
static int open_file(const char *path, bool follow, struct feed **feed)
{
    struct stat st;
    bool in = !strcmp(path, "-");
    int fd = in ? fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3) : open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK); /* a FIFO may have no writer */
    if (fd < 0 || fstat(fd, &st) != 0)
        return fd;
    if (S_ISREG(st.st_mode) && !follow)
        return fd;
    if (S_ISDIR(st.st_mode) || isatty(fd)) {
        close(fd);
        return errno = S_ISDIR(st.st_mode) ? EISDIR : ENOTTY, -1;
    }
    *feed = S_ISREG(st.st_mode) ? feed_file(fd) : feed_pipe(fd);
    int error = errno;
    if (in)
        foreign_keys();
    return errno = error, -1;
}

/* Says once that nothing can be shown yet, if that takes long. */
static void say_that_it_waits(const struct options *o, const char *path, int64_t since, bool *said)
{
    if (*said || wall_ms() - since < 700 || !isatty(STDERR_FILENO))
        return;
    *said = true;
    visible_line(stderr,
                 o->lang == LANG_ZH
                     ? "gmpscope: %s：等待跟踪的第一批事件（Go 大约每秒写一次）；ctrl-C 结束"
                     : "gmpscope: %s: waiting for the first events of the trace (Go writes them about once a second); ctrl-C ends",
                 path);
}

const char *foreign_cut(const struct foreign *f)
{
    struct options *o = f->o;
    bool zh = o->lang == LANG_ZH;
    if (!f->trace)
        return f->cut;
    const struct go_told *told = go_trace_told(f->trace);
    unsigned long long at = told->at, size = told->size;
    int error = f->feed ? feed_error(f->feed) : 0;
    const char *why = NULL;
    if (error)
        why = arena_printf(&o->arena, zh ? "跟踪只读到第 %llu 字节：%s" : "the trace is read up to byte %llu: %s", at, strerror(error));
    else if (told->state == GO_CUT && at == size)
        why = arena_printf(&o->arena, zh ? "跟踪缺少结尾：全部 %llu 字节都已读出" : "the trace has no end: all of its %llu bytes were read",
                           size);
    else if (told->state == GO_CUT)
        why = arena_printf(
            &o->arena,
            zh ? "跟踪在中途结束：读了 %llu 字节，共 %llu 字节" : "the trace ends in the middle: %llu of its %llu bytes were read", at,
            size);
    else if (told->state == GO_DAMAGED)
        why = arena_printf(
            &o->arena, zh ? "跟踪已损坏：%s；显示此前的 %llu 个事件" : "the trace is damaged: %s; the %llu events before that are shown",
            told->wrong, (unsigned long long)told->events);
    const char *more = f->grows && told->state == GO_CUT
                           ? zh ? "；另一个程序正在写它：--follow 会继续读" : "; a program is still writing it: --follow goes on with it"
                           : "";
    const char *ticks = !told->no_clock ? ""
                        : zh            ? "；缺少时钟频率，时间以时钟滴答计，而不是纳秒"
                                        : "; it lacks the clock's frequency, so times are ticks, not ns";
    return why ? arena_printf(&o->arena, "%s: %s%s%s", f->path, why, ticks, more) : NULL;
}

/* Fills in f from the trace that was opened, or says why that cannot be shown. Takes it. */
static bool fill_in(struct foreign *f, struct go_trace *t, const char *name)
{
    f->open = source_go;
    f->from = f->trace = t;
    f->cut = foreign_cut(f);
    source_go_info(t, name, &f->info);
    if (go_trace_told(t)->any)
        return true;
    cannot(f->path, f->cut ? f->cut + strlen(f->path) + 2 : f->o->lang == LANG_ZH ? "跟踪中没有事件" : "the trace has no events");
    foreign_end(f);
    return false;
}

bool foreign_follow(struct foreign *f, const char *name)
{
    char wrong[GO_TEXT];
    bool foreign, said = false;
    int64_t since = wall_ms();
    while (!feed_wait(f->feed, GO_HEADER - 1, 200) && !signals_code())
        say_that_it_waits(f->o, f->path, since, &said);
    struct go_trace *t = signals_code() ? NULL : go_trace_follow(f->feed, wrong, &foreign);
    f->trace = t;
    for (; t && !signals_code() && !go_trace_begins(t); say_that_it_waits(f->o, f->path, since, &said))
        go_trace_wait(t, 200);
    if (!t && !signals_code())
        cannot(f->path, feed_error(f->feed) ? strerror(feed_error(f->feed)) : wrong);
    if (!t || signals_code()) { /* a signal is only noted where a caller has something to end */
        foreign_end(f);
        return false;
    }
    f->followed = true;
    return fill_in(f, t, name);
}

void foreign_end(struct foreign *f)
{
    go_trace_free(f->trace);
    feed_free(f->feed);
    f->trace = NULL;
    f->feed = NULL;
}

/* What comes through a pipe and is there within this time is a file like any other: it is played at a tempo, and its end is known. */
enum { AT_ONCE_MS = 300 };

static bool came_whole(struct feed *feed, bool follow)
{
    bool over = false;
    for (int64_t until = wall_ms() + AT_ONCE_MS, left; !over && (!follow || (left = until - wall_ms()) > 0);)
        feed_wait(feed, feed_size(feed, &over), follow ? (int)left : 1000);
    return over && !feed_error(feed);
}

/* Waits for the end of a trace of version 1: its clock and its names come last. Returns false if the trace has version 2. */
static bool wait_for_old(struct feed *feed, const struct options *o, const char *path)
{
    bool over = false, said = false;
    int minor;
    int64_t since = wall_ms();
    while (!feed_wait(feed, GO_HEADER - 1, 200))
        say_that_it_waits(o, path, since, &said);
    minor = go_trace_minor(feed_fd(feed));
    if (minor >= GO_SECOND || !go_trace_version(minor))
        return false;
    visible_line(stderr,
                 o->lang == LANG_ZH ? "gmpscope: %s：Go %s 的跟踪要到写完才能读；ctrl-C 结束"
                                    : "gmpscope: %s: a trace of Go %s can be read when it is whole; ctrl-C ends",
                 path, go_trace_version(minor));
    for (uint64_t size; size = feed_size(feed, &over), !over;)
        feed_wait(feed, size, 1000);
    return true;
}

bool foreign_trace(struct foreign *f, struct options *o, bool follow)
{
    char wrong[GO_TEXT];
    bool foreign;
    const char *path = o->args[0], *slash = strrchr(path, '/');
    const char *name = !strcmp(path, "-") ? "stdin" : slash && slash[1] ? slash + 1 : path;
    *f = (struct foreign){.o = o, .path = path};
    int fd = open_file(path, o->follow, &f->feed);
    if (fd < 0 && !f->feed) {
        cannot(path, errno == ENOTTY ? "a trace cannot come from a terminal; expected a file or a pipe" : strerror(errno));
        return false;
    }
    if (f->feed && !came_whole(f->feed, follow) && !wait_for_old(f->feed, o, path))
        return foreign_follow(f, name);
    if (f->feed) {
        fd = fcntl(feed_fd(f->feed), F_DUPFD_CLOEXEC, 3);
        foreign_end(f);
    }
    f->grows = feed_is_written(fd);
    struct go_trace *t = go_trace_open(fd, wrong, &foreign);
    if (!t)
        cannot(path, wrong);
    return t && fill_in(f, t, name);
}
