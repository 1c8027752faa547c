/* Makes calls of the C library fail (inject.h). The functions below replace the C library's for the program, its libraries and the C library
 * itself. Calls of the dynamic linker, the sanitizers' runtimes and ncurses never fail: their handling of errors is not ours to test. */
#include "inject.h"

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/single_threaded.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

static const char *const names[] = {
#define X(name, err) #name,
    INJECTED(X)
#undef X
};
static const int errors[] = {
#define X(name, err) err,
    INJECTED(X)
#undef X
};

enum { MOST_EXEMPT = 16 };
static struct {
    uintptr_t from, to;
} exempt[MOST_EXEMPT];
static int nexempt;
static struct inject_counts *counts; /* NULL: not started yet */
static int failing = -1;             /* enum inject_function */
static uint32_t nth;
static bool all_later, by_signal;
static bool each;                        /* each call fails in turn */
static bool is_try;                      /* this process is one of the children for that */
static uint32_t own_calls[INJECT_COUNT]; /* counted where each call fails in turn; there is only one thread then */
static _Thread_local bool for_exempt;    /* a call by an exempt function is in progress on this thread */

/* The C library's code. Its vasprintf() writes one byte too many if the last realloc() fails and the text has 100 bytes. */
static struct {
    uintptr_t from, to;
} c_library;

static int note_c_library(struct dl_phdr_info *info, size_t size, void *arg)
{
    (void)size;
    (void)arg;
    for (int i = 0; strstr(info->dlpi_name, "/libc.so") && i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *h = &info->dlpi_phdr[i];
        if (h->p_type != PT_LOAD || !(h->p_flags & PF_X))
            continue;
        c_library.from = info->dlpi_addr + h->p_vaddr;
        c_library.to = c_library.from + h->p_memsz;
    }
    return 0;
}

static int note_exempt(struct dl_phdr_info *info, size_t size, void *arg)
{
    static const char *const words[] = {"/ld-", "libasan", "libubsan", "libtsan", "libncurses", "libtinfo"};
    (void)size;
    (void)arg;
    for (size_t w = 0; w < sizeof words / sizeof *words; w++)
        for (int i = 0; strstr(info->dlpi_name, words[w]) && i < info->dlpi_phnum; i++) {
            const ElfW(Phdr) *h = &info->dlpi_phdr[i];
            if (h->p_type != PT_LOAD || !(h->p_flags & PF_X) || nexempt == MOST_EXEMPT)
                continue;
            exempt[nexempt].from = info->dlpi_addr + h->p_vaddr;
            exempt[nexempt++].to = info->dlpi_addr + h->p_vaddr + h->p_memsz;
        }
    return 0;
}

/* INJECT=FUNCTION:N[:from|:signal], or each:FIRST */
static void read_wish(const char *wish)
{
    const char *colon = wish ? strchr(wish, ':') : NULL;
    each = wish && !strncmp(wish, "each:", strlen("each:"));
    for (int i = 0; colon && i < INJECT_COUNT; i++)
        if (strlen(names[i]) == (size_t)(colon - wish) && !strncmp(names[i], wish, (size_t)(colon - wish)))
            failing = i;
    nth = colon ? (uint32_t)strtoul(colon + 1, NULL, 10) : 0;
    by_signal = colon && strstr(colon, ":signal");
    all_later = by_signal || (colon && strstr(colon, ":from"));
}

/* A place for a breakpoint: the caller's caller is the call that fails. */
__attribute__((noinline)) void inject_fails_here(void);
void inject_fails_here(void)
{
    __asm__ volatile("");
}

static bool is_exempt(void *caller)
{
    for (int i = 0; i < nexempt; i++)
        if ((uintptr_t)caller >= exempt[i].from && (uintptr_t)caller < exempt[i].to)
            return true;
    return false;
}

static bool tries(enum inject_function f, uint32_t call);

static bool fails(enum inject_function f, void *caller)
{
    if (!counts || for_exempt || is_exempt(caller))
        return false;
    /* relaxed: read only after the program has ended */
    uint32_t call = each || is_try ? ++own_calls[f] : atomic_fetch_add_explicit(&counts->calls[f], 1, memory_order_relaxed) + 1;
    if (each && tries(f, call))
        errno = errors[f]; /* in a child */
    else if ((int)f != failing || (all_later ? call < nth : call != nth) || (by_signal && call % 2 == 0))
        return false;
    atomic_fetch_add_explicit(&counts->failed, 1, memory_order_relaxed);
    inject_fails_here();
    errno = by_signal ? EINTR : errors[f];
    return true;
}

/* dlsym() allocates: until it has found calloc, memory comes from here and is never freed. */
static void *early(size_t size)
{
    static _Alignas(16) char room[1 << 16];
    static size_t used;
    void *at = room + used;
    used += (size + 15) & ~(size_t)15;
    return at;
}

/* of ncurses, whose header redefines too many names */
void *newterm(const char *type, FILE *out, FILE *in);
void *newpad(int rows, int columns);

static void *next_of[INJECT_COUNT];

/* The function that this one replaces. begin() looks them all up before there is any thread or small stack; those that are called earlier look
 * themselves up. */
static void *next(enum inject_function f)
{
    if (!next_of[f])
        next_of[f] = dlsym(RTLD_NEXT, names[f]);
    return next_of[f];
}

/* Makes fd a new file in INJECT_DIR, with what fd has been given before. */
static void go_apart(int fd, const char *name)
{
    char path[600], buf[4096];
    long n;
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    long from = syscall(SYS_openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC, 0);
    snprintf(path, sizeof path, "%s/%s", getenv("INJECT_DIR"), name);
    long to = syscall(SYS_openat, AT_FDCWD, path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    while ((n = syscall(SYS_read, from, buf, sizeof buf)) > 0)
        syscall(SYS_write, to, buf, n);
    syscall(SYS_dup3, to, fd, 0);
    syscall(SYS_close, from);
    syscall(SYS_close, to);
}

/* Lets the call fail in children, alone and with all later ones. Returns true in a child. */
static bool tries(enum inject_function f, uint32_t call)
{
    int err = errno;
    char ack;
    if (!__libc_single_threaded || own_calls[INJECT_malloc] < nth)
        return false;
    for (int from = 0; from < (errors[f] == EINTR ? 1 : 2); from++) {
        struct inject_try t = {.function = (int)f, .from = from, .nth = call};
        atomic_store_explicit(&counts->failed, 0, memory_order_relaxed); /* relaxed: read only after the child has ended */
        counts->now = t;
        /* Not fork(): it would change the thread's id, which the C library has noted in the locks that it holds here. */
        long pid = syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);
        if (pid == 0) {
            go_apart(1, "out");
            go_apart(2, "err");
            is_try = true;
            each = false;
            failing = (int)f;
            nth = call;
            all_later = from;
            return true;
        }
        while (syscall(SYS_wait4, pid, &t.status, 0, NULL) < 0 && errno == EINTR)
            ;
        syscall(SYS_write, INJECT_TALK, &t, sizeof t);
        syscall(SYS_read, INJECT_TALK + 1, &ack, 1);
    }
    errno = err;
    return false;
}

#define FAILING(type, name, params, args, bad) \
    type name params \
    { \
        type(*real) params = (type(*) params)next(INJECT_##name); \
        return fails(INJECT_##name, __builtin_return_address(0)) ? (bad) : real args; \
    }

FAILING(void *, malloc, (size_t n), (n), NULL)
FAILING(void *, aligned_alloc, (size_t a, size_t n), (a, n), NULL)
FAILING(FILE *, fopencookie, (void *p, const char *mode, cookie_io_functions_t io), (p, mode, io), NULL)
FAILING(int, vasprintf, (char **p, const char *fmt, va_list ap), (p, fmt, ap), -1)
FAILING(void *, mmap, (void *p, size_t n, int prot, int flags, int fd, off_t at), (p, n, prot, flags, fd, at), MAP_FAILED)
FAILING(int, mprotect, (void *p, size_t n, int prot), (p, n, prot), -1)
FAILING(int, madvise, (void *p, size_t n, int advice), (p, n, advice), -1)
FAILING(int, pthread_create, (pthread_t * t, const pthread_attr_t *a, void *(*fn)(void *), void *arg), (t, a, fn, arg), EAGAIN)
FAILING(int, pthread_attr_init, (pthread_attr_t * a), (a), ENOMEM)
FAILING(pid_t, fork, (void), (), -1)
FAILING(FILE *, fdopen, (int fd, const char *mode), (fd, mode), NULL)
FAILING(DIR *, opendir, (const char *path), (path), NULL)
FAILING(struct dirent *, readdir, (DIR * d), (d), NULL)
FAILING(int, fstat, (int fd, struct stat *st), (fd, st), -1)
FAILING(int, mkostemp, (char *path, int flags), (path, flags), -1)
FAILING(int, memfd_create, (const char *name, unsigned flags), (name, flags), -1)
FAILING(int, pipe2, (int fd[2], int flags), (fd, flags), -1)
FAILING(int, socketpair, (int domain, int type, int protocol, int fd[2]), (domain, type, protocol, fd), -1)
FAILING(int, eventfd, (unsigned n, int flags), (n, flags), -1)
FAILING(int, epoll_create1, (int flags), (flags), -1)
FAILING(int, epoll_ctl, (int ep, int op, int fd, struct epoll_event *ev), (ep, op, fd, ev), -1)
FAILING(int, epoll_wait, (int ep, struct epoll_event *ev, int max, int ms), (ep, ev, max, ms), -1)
FAILING(int, poll, (struct pollfd * fd, nfds_t n, int ms), (fd, n, ms), -1)
FAILING(pid_t, waitpid, (pid_t pid, int *status, int options), (pid, status, options), -1)
FAILING(int, nanosleep, (const struct timespec *t, struct timespec *left), (t, left), -1)
FAILING(ssize_t, pread, (int fd, void *p, size_t n, off_t at), (fd, p, n, at), -1)
FAILING(ssize_t, pwrite, (int fd, const void *p, size_t n, off_t at), (fd, p, n, at), -1)
FAILING(ssize_t, send, (int fd, const void *p, size_t n, int flags), (fd, p, n, flags), -1)
FAILING(ssize_t, recv, (int fd, void *p, size_t n, int flags), (fd, p, n, flags), -1)
FAILING(int, fflush, (FILE * f_), (f_), EOF)
FAILING(int, setsockopt, (int fd, int level, int name, const void *p, socklen_t n), (fd, level, name, p, n), -1)
FAILING(void *, newterm, (const char *type, FILE *out, FILE *in), (type, out, in), NULL)
FAILING(void *, newpad, (int rows, int columns), (rows, columns), NULL)
FAILING(int, tcgetattr, (int fd, struct termios *t), (fd, t), -1)
FAILING(int, tcsetattr, (int fd, int when, const struct termios *t), (fd, when, t), -1)
FAILING(int, dup2, (int from, int to), (from, to), -1)
FAILING(int, fallocate, (int fd, int mode, off_t at, off_t n), (fd, mode, at, n), -1)

void *realloc(void *p, size_t n)
{
    void *(*real)(void *, size_t) = (void *(*)(void *, size_t))next(INJECT_realloc);
    uintptr_t caller = (uintptr_t)__builtin_return_address(0);
    bool of_library = caller >= c_library.from && caller < c_library.to;
    return !of_library && fails(INJECT_realloc, __builtin_return_address(0)) ? NULL : real(p, n);
}

/* Never fails: only sanitizers ask for the bounds of the stack, and they cannot do without. */
int pthread_getattr_np(pthread_t thread, pthread_attr_t *attr)
{
    int (*real)(pthread_t, pthread_attr_t *) = (int (*)(pthread_t, pthread_attr_t *))dlsym(RTLD_NEXT, "pthread_getattr_np");
    for_exempt = true;
    int r = real(thread, attr);
    for_exempt = false;
    return r;
}

/* Giving a stack up never fails. */
int sigaltstack(const stack_t *ss, stack_t *old)
{
    int (*real)(const stack_t *, stack_t *) = (int (*)(const stack_t *, stack_t *))next(INJECT_sigaltstack);
    bool gives_up = !ss || ss->ss_flags & SS_DISABLE;
    return !gives_up && fails(INJECT_sigaltstack, __builtin_return_address(0)) ? -1 : real(ss, old);
}

/* The eight bytes of an eventfd never fail: they need no resource. A signal can interrupt them. */
ssize_t read(int fd, void *p, size_t n)
{
    ssize_t (*real)(int, void *, size_t) = (ssize_t(*)(int, void *, size_t))next(INJECT_read);
    return (n != sizeof(uint64_t) || by_signal) && fails(INJECT_read, __builtin_return_address(0)) ? -1 : real(fd, p, n);
}

ssize_t write(int fd, const void *p, size_t n)
{
    ssize_t (*real)(int, const void *, size_t) = (ssize_t(*)(int, const void *, size_t))next(INJECT_write);
    return (n != sizeof(uint64_t) || by_signal) && fails(INJECT_write, __builtin_return_address(0)) ? -1 : real(fd, p, n);
}

/* Fails as if a buffer could not be written: the stream keeps its error flag. stderr never fails, so that messages get through. */
size_t fwrite(const void *p, size_t size, size_t n, FILE *f)
{
    size_t (*real)(const void *, size_t, size_t, FILE *) = (size_t(*)(const void *, size_t, size_t, FILE *))next(INJECT_fwrite);
    if (f == stderr || !fails(INJECT_fwrite, __builtin_return_address(0)))
        return real(p, size, n, f);
    f->_flags |= _IO_ERR_SEEN;
    return 0;
}

void *calloc(size_t n, size_t size)
{
    static _Thread_local bool looking;
    if (looking)
        return early(n * size);
    looking = true;
    void *(*real)(size_t, size_t) = (void *(*)(size_t, size_t))next(INJECT_calloc);
    looking = false;
    return fails(INJECT_calloc, __builtin_return_address(0)) ? NULL : real(n, size);
}

/* The C library allocates in these two, also when ncurses has called them. */
FILE *fopen(const char *path, const char *mode)
{
    FILE *(*real)(const char *, const char *) = (FILE * (*)(const char *, const char *)) next(INJECT_fopen);
    bool bad = fails(INJECT_fopen, __builtin_return_address(0)), outer = for_exempt;
    for_exempt |= is_exempt(__builtin_return_address(0));
    FILE *f = bad ? NULL : real(path, mode);
    for_exempt = outer;
    return f;
}

char *strdup(const char *s)
{
    void *(*real)(size_t) = (void *(*)(size_t))next(INJECT_malloc);
    size_t n = strlen(s) + 1;
    char *copy = fails(INJECT_malloc, __builtin_return_address(0)) ? NULL : real(n);
    return copy ? memcpy(copy, s, n) : NULL;
}

/* The third argument is optional: passing on whatever its register holds does no harm. */
int open(const char *path, int flags, ...)
{
    va_list ap;
    va_start(ap, flags);
    unsigned mode = va_arg(ap, unsigned);
    va_end(ap);
    int (*real)(const char *, int, ...) = (int (*)(const char *, int, ...))next(INJECT_open);
    return fails(INJECT_open, __builtin_return_address(0)) ? -1 : real(path, flags, mode);
}

int fcntl(int fd, int command, ...)
{
    va_list ap;
    va_start(ap, command);
    void *arg = va_arg(ap, void *);
    va_end(ap);
    int (*real)(int, int, ...) = (int (*)(int, int, ...))next(INJECT_fcntl);
    return fails(INJECT_fcntl, __builtin_return_address(0)) ? -1 : real(fd, command, arg);
}

/* Makes the system calls directly, because the C library's functions are replaced here. */
__attribute__((constructor)) static void begin(void)
{
    const char *path = getenv("INJECT_COUNTS");
    long fd = path ? syscall(SYS_openat, AT_FDCWD, path, O_RDWR | O_CLOEXEC, 0) : -1;
    if (fd < 0)
        return;
    long at = syscall(SYS_mmap, NULL, sizeof *counts, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    syscall(SYS_close, fd);
    dl_iterate_phdr(note_exempt, NULL);
    dl_iterate_phdr(note_c_library, NULL);
    read_wish(getenv("INJECT"));
    for (int i = 0; i < INJECT_COUNT; i++)
        next(i);
    if (at > 0)
        counts = (struct inject_counts *)at;
}
