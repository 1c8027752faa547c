/* A trace that is still being written: through a pipe, or into a file. What has come is shown at once, and nothing waits for a writer that stalls. */
#include "base/feed.h"
#include "base/wall.h"
#include "go_trace_bytes.h"
#include "shell.h"
#include "term.h"

#include <errno.h>
#include <sys/stat.h>
#include <time.h>

/* The second generation of the small trace: G1 creates G3, which begins in main.h. */
static const uint8_t second[] = {
    1, 2, NOBODY, 0xe8, 0x07, 17, 50, 8, 0x80, 0x94, 0xeb, 0xdc, 0x03, 51, 0, 0xe8, 0x07, 0x80, 0xe2, 0xcf, 0xaa, 0x06, 0,
    /* thread 1: P0 runs, G1 runs; creates G3 (stack 2) */
    1, 2, 1, 0xd0, 0x0f, 14, 13, 0, 0, 1, 25, 0, 1, 1, 2, 14, 10, 3, 2, 0,
    /* stacks, then strings */
    1, 2, NOBODY, 0xe8, 0x07, 9, 2, 3, 2, 1, 0x80, 0x20, 2, 3, 7, 1, 2, NOBODY, 0xe8, 0x07, 14, 4, 5, 2, 6, 'm', 'a', 'i', 'n', '.', 'h', 5,
    3, 1, 'x', 52};
enum { SECOND = sizeof second };

static void moment(int ms)
{
    nanosleep(&(struct timespec){.tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000L}, NULL);
}

/* Waits until the file has the text. Returns what it has. */
static const char *wait_text(const char *path, const char *text)
{
    for (int64_t until = wall_ms() + 100000;; moment(5)) {
        const char *has = slurp(path, NULL);
        if (strstr(has, text))
            return has;
        if (wall_ms() > until)
            t_fail(__FILE__, __LINE__, "no \"%s\" in \"%s\"", text, has);
    }
}

static void put(int fd, const uint8_t *bytes, size_t n)
{
    CHECK_INT(write(fd, bytes, n), (long long)n);
}

static char *fifo(void)
{
    char *path = keep(600);
    snprintf(path, 600, "%s/fifo", t_tmpdir());
    unlink(path);
    CHECK_INT(mkfifo(path, 0600), 0);
    return path;
}

/* gmpscope import, with a FIFO whose other end is `to`. */
struct importer {
    pid_t pid;
    int to;
    const char *out, *err;
};

static struct importer start(char *a, char *b, char *c)
{
    struct importer i = {.out = in_tmp("out"), .err = in_tmp("err")};
    char *path = fifo();
    i.pid = program_start((char *[]){(char *)GMPSCOPE_BIN, "import", path, "--headless", a, b, c, NULL}, i.out, i.err);
    i.to = open(path, O_WRONLY | O_CLOEXEC); /* until it is opened for reading */
    CHECK(i.to >= 0);
    return i;
}

static void whole(uint8_t out[SMALL_TRACE + SECOND])
{
    memcpy(out, small_trace, SMALL_TRACE);
    memcpy(out + SMALL_TRACE, second, SECOND);
}

static const char *whole_file(void)
{
    uint8_t bytes[SMALL_TRACE + SECOND];
    whole(bytes);
    return trace_file("whole.trace", bytes, sizeof bytes);
}

TEST(what_has_come_is_there_before_the_rest)
{
    struct result of_file = RUN("import", (char *)whole_file(), "--headless", "--events");
    CHECK_STR(of_file.err, "");
    HAS(of_file.out, "go_create g=3 by=1 fn=main.h");
    struct importer i = start("--events", NULL, NULL);
    put(i.to, small_trace, SMALL_TRACE);
    const char *first = wait_text(i.out, "g_start g=1 inherit=0\n");
    CHECK_INT(lines(first), 8);
    for (size_t at = 0; at < SECOND - 1; at++) {
        put(i.to, second + at, 1);
        if (at % 8 == 0)
            moment(1);
    }
    moment(30);
    CHECK_INT(lines(slurp(i.out, NULL)), 8); /* a generation is read when it is whole */
    put(i.to, second + SECOND - 1, 1);
    wait_text(i.out, "go_create g=3 by=1 fn=main.h");
    close(i.to);
    CHECK_INT(program_end(i.pid), 0);
    CHECK_STR(slurp(i.out, NULL), of_file.out);
    CHECK_STR(slurp(i.err, NULL), "");
}

TEST(a_writer_that_dies_leaves_what_it_wrote)
{
    struct importer i = start("--json", NULL, NULL);
    put(i.to, small_trace, SMALL_TRACE);
    put(i.to, second, 60);
    moment(400);
    close(i.to);
    CHECK_INT(program_end(i.pid), 0);
    HAS(slurp(i.err, NULL), "the trace ends in the middle: ");
    HAS(slurp(i.err, NULL), " of its 219 bytes were read");
    HAS(slurp(i.out, NULL), "\"of\":219,\"why\":\"it ends in the middle\"}");
    CHECK(json_int(slurp(i.out, NULL), "events") >= 8);
    i = start("--events", NULL, NULL);
    put(i.to, small_trace, 7);
    moment(400);
    close(i.to);
    CHECK_INT(program_end(i.pid), 2);
    HAS(slurp(i.err, NULL), "it is no execution trace of Go");
    i = start("--events", NULL, NULL);
    close(i.to);
    CHECK_INT(program_end(i.pid), 2);
}

/* Wherever the writer stalls, a signal ends the reader. */
TEST(a_writer_that_stalls_stalls_nobody)
{
    static const size_t after[] = {0, 7, 16, 90, SMALL_TRACE};
    for (size_t k = 0; k < sizeof after / sizeof *after; k++) {
        struct importer i = start("--events", NULL, NULL);
        put(i.to, small_trace, after[k]);
        if (after[k] == SMALL_TRACE)
            wait_text(i.out, "g_start g=1");
        else
            moment(400);
        kill(i.pid, SIGTERM);
        int code = program_end(i.pid);
        CHECK(code == 128 + SIGTERM || code == 1000 + SIGTERM); /* 1000: it has begun nothing that must be ended */
        close(i.to);
    }
}

/* A name that a breakpoint has, and that the trace has not named yet, is waited for. */
TEST(a_breakpoint_may_name_what_comes_later)
{
    struct importer i = start("--events", "--break", "go_create fn=main.h");
    put(i.to, small_trace, SMALL_TRACE);
    wait_text(i.out, "g_start g=1 inherit=0\n");
    put(i.to, second, SECOND);
    CHECK_INT(program_end(i.pid), 0); /* although the pipe is open */
    HAS(slurp(i.out, NULL), "go_create g=3 by=1 fn=main.h");
    close(i.to);
    CHECK_INT(RUN("import", (char *)whole_file(), "--headless", "--break", "go_create fn=main.nosuch").code, 2);
}

TEST(a_recording_has_the_names_that_came_later)
{
    char *run = keep(600);
    snprintf(run, 600, "%s/of.run", t_tmpdir());
    struct importer i = start("--events", "--record", run);
    put(i.to, small_trace, SMALL_TRACE);
    wait_text(i.out, "g_start g=1 inherit=0\n");
    put(i.to, second, SECOND);
    close(i.to);
    CHECK_INT(program_end(i.pid), 0);
    struct result r = RUN("replay", run, "--headless", "--events");
    CHECK_STR(r.out, slurp(i.out, NULL));
    r = RUN("query", run, "count(go_create fn=main.h)");
    CHECK_STR(r.out, "1\n");
}

TEST(a_file_that_grows)
{
    char *path = keep(700);
    snprintf(path, 700, "%s", trace_file("grows.trace", small_trace, SMALL_TRACE));
    int fd = open(path, O_WRONLY | O_APPEND | O_CLOEXEC);
    CHECK(fd >= 0);
    put(fd, second, 30);
    struct result r = RUN("import", path, "--headless", "--events");
    CHECK_INT(r.code, 0);
    HAS(r.err, "--follow goes on with it");
    const char *out = in_tmp("follows"), *err = in_tmp("follows.err");
    pid_t pid = program_start((char *[]){(char *)GMPSCOPE_BIN, "import", path, "--follow", "--headless", "--events", NULL}, out, err);
    wait_text(out, "g_start g=1 inherit=0\n");
    put(fd, second + 30, SECOND - 30);
    wait_text(out, "go_create g=3 by=1 fn=main.h");
    CHECK_INT(kill(pid, 0), 0);
    close(fd); /* now nobody has it open for writing */
    CHECK_INT(program_end(pid), 0);
    CHECK_STR(slurp(err, NULL), "");
    r = RUN("import", path, "--headless", "--events");
    CHECK_STR(r.err, "");
    CHECK_STR(r.out, slurp(out, NULL));
}

TEST(a_feed_gives_what_comes)
{
    int p[2];
    bool over;
    char got[4] = "";
    CHECK_INT(pipe(p), 0);
    struct feed *f = feed_pipe(p[0]);
    CHECK(f && !feed_wait(f, 0, 10));
    put(p[1], (const uint8_t *)"abc", 3);
    CHECK(feed_wait(f, 2, 100000));
    CHECK(feed_size(f, &over) == 3 && !over);
    CHECK(pread(feed_fd(f), got, 3, 0) == 3 && !strcmp(got, "abc"));
    close(p[1]);
    CHECK(feed_wait(f, 3, 100000)); /* no more will come */
    CHECK(feed_size(f, &over) == 3 && over && !feed_error(f));
    feed_free(f);
    CHECK_INT(pipe(p), 0);
    f = feed_pipe(p[0]);
    CHECK(f);
    feed_free(f); /* although its writer says nothing */
    signal(SIGPIPE, SIG_IGN);
    CHECK(write(p[1], "x", 1) == -1 && errno == EPIPE);
    close(p[1]);
    setenv("TMPDIR", "/nonexistent", 1);
    CHECK_INT(pipe(p), 0);
    CHECK(!feed_pipe(p[0]) && errno == ENOENT);
    close(p[1]);
    unsetenv("TMPDIR");
}

TEST(a_feed_of_a_file_that_becomes_shorter_ends)
{
    char *path = (char *)trace_file("short.trace", small_trace, SMALL_TRACE);
    int fd = open(path, O_WRONLY | O_CLOEXEC);
    struct feed *f = feed_file(open(path, O_RDONLY | O_CLOEXEC));
    bool over;
    CHECK(f && feed_wait(f, SMALL_TRACE - 1, 100000));
    CHECK_INT(ftruncate(fd, 3), 0);
    CHECK(feed_wait(f, SMALL_TRACE, 100000));
    feed_size(f, &over);
    CHECK(over && feed_error(f) == ESTALE);
    feed_free(f);
    close(fd);
}

/* ---- the screen ---- */

static struct term *screen(int *to, const char *option)
{
    char *path = fifo();
    struct term *t =
        term_start(40, 120, NULL, (const char *const[]){GMPSCOPE_BIN, "import", path, "--no-mouse", "--layout=classic", option, NULL});
    while ((*to = open(path, O_WRONLY | O_CLOEXEC | O_NONBLOCK)) < 0 && errno == ENXIO)
        moment(5);
    CHECK(*to >= 0);
    return t;
}

TEST(the_screen_follows)
{
    int to;
    struct term *t = screen(&to, NULL);
    put(to, small_trace, SMALL_TRACE);
    term_wait(t, "live, ");
    term_wait(t, "s behind");
    term_wait(t, "M0 runs G1 on P0.");
    term_keys(t, " ");
    term_wait(t, "only the picture pauses: the program runs on");
    term_wait(t, "PAUSED");
    put(to, second, SECOND);
    term_keys(t, "b");
    term_wait(t, "the program runs on");
    term_keys(t, "G");
    term_keys(t, " ");
    term_wait(t, "G1 starts G3 (main.h)");
    term_keys(t, "r"); /* what has come is kept */
    term_wait(t, "G1 starts G3 (main.h)");
    term_wait(t, "live, ");
    close(to);
    term_wait(t, "ENDED: end of the trace");
    CHECK_INT(term_quit(t), 0);
    term_check_sane(t);
    term_free(t);
}

TEST(q_leaves_a_writer_that_stalls)
{
    int to;
    struct term *t = screen(&to, "--tempo=4");
    put(to, small_trace, SMALL_TRACE);
    term_wait(t, "M0 runs G1 on P0."); /* at its tempo; then it waits for more */
    CHECK_INT(term_quit(t), 0);
    term_check_sane(t);
    term_free(t);
    close(to);
    t = screen(&to, NULL);
    term_wait(t, "waiting for the first events of the trace");
    term_signal(t, SIGINT);
    CHECK_INT(term_wait_exit(t), 128 + SIGINT);
    term_check_sane(t);
    term_free(t);
    close(to);
}
