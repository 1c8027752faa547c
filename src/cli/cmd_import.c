/* gmpscope import: the execution trace of a real Go program, in the same screens as a run. */
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

/* Copies what a pipe has, up to its end, into a file without a name: a trace is read twice. Returns a descriptor, -1 with errno. */
static int spool(int from)
{
    const char *dir = getenv("TMPDIR");
    char buf[1 << 16];
    int to = open(dir && *dir ? dir : "/tmp", O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    if (to < 0)
        return -1;
    for (ssize_t n, done; (n = read(from, buf, sizeof buf)) != 0;) {
        if (n < 0 && errno == EINTR && !signals_code())
            continue;
        for (done = 0; n > 0 && done < n;) {
            ssize_t put = write(to, buf + done, (size_t)(n - done));
            if (put < 0 && errno != EINTR)
                n = -1;
            done += put > 0 ? put : 0;
        }
        if (n < 0) {
            int error = errno;
            close(to);
            return errno = error, -1;
        }
    }
    return to;
}

/* Opens a file, or "-": what comes through stdin. Returns a descriptor of a regular file, -1 with errno. */
static int open_file(const char *path)
{
    struct stat st;
    bool in = !strcmp(path, "-");
    int fd = in ? fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3) : open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0 || fstat(fd, &st) != 0 || (S_ISREG(st.st_mode) && !in))
        return fd;
    if (S_ISDIR(st.st_mode)) {
        close(fd);
        return errno = EISDIR, -1;
    }
    int copy = spool(fd), error = errno;
    close(fd);
    int terminal = in && copy >= 0 && !isatty(STDIN_FILENO) ? open("/dev/tty", O_RDONLY | O_CLOEXEC) : -1;
    if (terminal >= 0) { /* a screen reads its keys there */
        dup2(terminal, STDIN_FILENO);
        close(terminal);
    }
    return errno = error, copy;
}

static const char *cut_text(struct options *o, const struct go_told *told)
{
    bool zh = o->lang == LANG_ZH;
    unsigned long long at = told->at, size = told->size;
    if (told->state == GO_CUT && at == size)
        return arena_printf(&o->arena,
                            zh ? "跟踪缺少结尾：全部 %llu 字节都已读出" : "the trace has no end: all of its %llu bytes were read", size);
    if (told->state == GO_CUT)
        return arena_printf(
            &o->arena,
            zh ? "跟踪在中途结束：读了 %llu 字节，共 %llu 字节" : "the trace ends in the middle: %llu of its %llu bytes were read", at,
            size);
    if (told->state == GO_DAMAGED)
        return arena_printf(
            &o->arena, zh ? "跟踪已损坏：%s；显示此前的 %llu 个事件" : "the trace is damaged: %s; the %llu events before that are shown",
            told->wrong, (unsigned long long)told->events);
    return NULL;
}

struct go_trace *foreign_trace(struct foreign *f, struct options *o)
{
    char wrong[GO_TEXT];
    bool foreign;
    const char *path = o->args[0], *slash = strrchr(path, '/');
    const char *name = !strcmp(path, "-") ? "stdin" : slash && slash[1] ? slash + 1 : path;
    int fd = open_file(path);
    if (fd < 0)
        return cannot(path, strerror(errno)), NULL;
    struct go_trace *t = go_trace_open(fd, wrong, &foreign);
    if (!t)
        return cannot(path, wrong), NULL;
    const struct go_told *told = go_trace_told(t);
    const char *cut = cut_text(o, told);
    *f = (struct foreign){
        .o = o, .open = source_go, .from = t, .path = path, .cut = cut ? arena_printf(&o->arena, "%s: %s", path, cut) : NULL};
    f->told = told;
    source_go_info(told, name, &f->info);
    if (told->events)
        return t;
    cannot(path, cut ? cut : o->lang == LANG_ZH ? "跟踪中没有事件" : "the trace has no events");
    go_trace_free(t);
    return NULL;
}

static int import(struct options *o)
{
    struct foreign f;
    if (o->nargs == 0)
        return usage_error("import needs a FILE that Go's tracer has written, or - for what comes through a pipe");
    if (o->nargs > 1)
        return usage_error("import takes one FILE, got %d; unexpected \"%s\"", o->nargs, o->args[1]);
    struct go_trace *t = foreign_trace(&f, o);
    int code = t ? foreign_run(&f) : 2;
    go_trace_free(t);
    return code;
}

int cmd_import(int argc, char **argv)
{
    struct options o;
    int code = 2;
    if (options_parse(&o, CMD_IMPORT, argc, argv))
        code = o.help ? command_help("import FILE|- [options]",
                                     "show the execution trace of a real Go program, or print it with --headless", CMD_IMPORT)
                      : import(&o);
    options_fini(&o);
    return code;
}
