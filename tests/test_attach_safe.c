/* gmpscope attach: the program that it looks at does not notice it, and what cannot be looked at is refused in one line. */
#include "attach/attach_internal.h"
#include "attaching.h"

#include <dirent.h>
#include <errno.h>

/* --- it leaves no trace ------------------------------------------------------------------------------------------------------------ */

/* Returns what /proc says of a process in the line that begins so. */
static long status_of(pid_t pid, const char *line)
{
    char path[64], text[200];
    long v = -1;
    snprintf(path, sizeof path, "/proc/%d/status", (int)pid);
    FILE *f = fopen(path, "r");
    while (f && fgets(text, sizeof text, f))
        if (!strncmp(text, line, strlen(line)))
            v = strtol(text + strlen(line), NULL, 10);
    if (f)
        fclose(f);
    return v;
}

static void no_thread_is_stopped(pid_t pid)
{
    char path[80], state;
    snprintf(path, sizeof path, "/proc/%d/task", (int)pid);
    DIR *d = opendir(path);
    CHECK(d);
    for (struct dirent *e; (e = readdir(d));) {
        snprintf(path, sizeof path, "/proc/%d/task/%.20s/stat", (int)pid, e->d_name);
        FILE *f = fopen(path, "r");
        if (f && fscanf(f, "%*d (%*[^)]) %c", &state) == 1 && (state == 'T' || state == 't'))
            t_fail(__FILE__, __LINE__, "thread %s is stopped", e->d_name);
        if (f)
            fclose(f);
    }
    closedir(d);
}

static void it_goes_on(const struct running *it)
{
    struct stat before, now;
    CHECK_INT(stat(it->out, &before), 0);
    for (int64_t until = wall_ms() + 60000; wall_ms() < until; moment(2))
        if (stat(it->out, &now) == 0 && now.st_size > before.st_size)
            return;
    t_fail(__FILE__, __LINE__, "the program does not go on");
}

/* Half of the moments are those at which the program is stopped: it has a tracer. */
TEST(killed_at_any_moment_the_program_goes_on)
{
    need_go();
    need_ptrace();
    struct running it = starts(built(&builds[STRIPPED]), "busy", NULL);
    wait_for(it.out, "1000");
    int traced = 0;
    for (int i = 0; i < 50; i++) {
        pid_t self =
            program_start((char *[]){(char *)GMPSCOPE_BIN, "attach", number(it.pid), "--headless", NULL}, in_tmp("o"), in_tmp("e"));
        if (i % 2)
            moment(i * 3);
        for (int64_t until = wall_ms() + 2000; i % 2 == 0 && wall_ms() < until && status_of(it.pid, "TracerPid:") <= 0;)
            ;
        traced += status_of(it.pid, "TracerPid:") > 0;
        kill(self, SIGKILL);
        program_end(self);
        CHECK_INT(status_of(it.pid, "TracerPid:"), 0);
        no_thread_is_stopped(it.pid);
        it_goes_on(&it);
    }
    CHECK(traced > 0);
    end(&it);
}

TEST(a_server_loses_no_request)
{
    need_go();
    need_ptrace();
    const char *path = built(&builds[STRIPPED]);
    struct running server = starts(path, "serve", NULL);
    wait_for(server.out, "\n");
    char *addr = slurp(server.out, NULL);
    addr[strcspn(addr, "\n")] = '\0';
    struct running load = starts(path, "load", addr);
    wait_for(load.out, "ready");
    for (int i = 0; i < 100; i++) {
        struct result r = ATTACH(server.pid, "--limit=1ms");
        if (!strstr(r.out, "looks: "))
            t_fail(__FILE__, __LINE__, "attach %d: %s", i, r.err);
    }
    kill(load.pid, SIGTERM);
    CHECK_INT(program_end(load.pid), 0);
    const char *said = slurp(load.out, NULL);
    HAS(said, "\nanswered ");
    HAS(said, " lost 0\n");
    CHECK(strtol(strstr(said, "answered ") + 9, NULL, 10) > 50);
    end(&server);
}

TEST(a_recording_has_the_looks)
{
    need_go();
    need_ptrace();
    setenv("GODEBUG", "asyncpreemptoff=1", 1);
    struct running it = starts(built(&builds[STRIPPED]), "queue", "150");
    wait_for(it.out, "ready");
    moment(300);
    char *run = keep(600);
    snprintf(run, 600, "%s/a.run", t_tmpdir());
    struct result r = ATTACH(it.pid, "--record", run, "--limit=350ms");
    HAS(r.out, "looks: ");
    CHECK_STR(RUN("query", run, "count(look)").out, RUN("query", run, "count(look ps=2)").out);
    HAS(RUN("replay", run, "--headless", "--events").out, "fn=main.worker");
    r = ATTACH(it.pid, "--break", "when p0.runq > 100 or p1.runq > 100");
    CHECK_INT(r.code, 0);
    HAS(r.out, " look n=1 ");                    /* it ends at the first match */
    r = ATTACH(it.pid, "--json", "--limit=1ms"); /* nobody has seen what is not in a look */
    HAS(r.out, "\"generation\":\"go1.");
    HAS(r.out, "\"counters\":{\"goroutines\":null,");
    HAS(r.out, "\"runnable_p50\":null");
    end(&it);
    r = ATTACH(it.pid);
    CHECK_INT(r.code, 2);
}

TEST(the_file_of_a_program_may_be_gone)
{
    need_go();
    need_ptrace();
    for (int i = STRIPPED; i <= PIE; i += PIE - STRIPPED) {
        const char *path = built(&builds[i]);
        struct running it = starts(path, "idle", NULL);
        wait_for(it.out, "ready");
        CHECK_INT(unlink(path), 0);
        HAS(ATTACH(it.pid, "--limit=1ms").out, "looks: ");
        end(&it);
    }
}

/* --- what it refuses ---------------------------------------------------------------------------------------------------------------- */

static void refuses(pid_t pid, const char *why)
{
    struct result r = ATTACH(pid);
    CHECK_INT(r.code, 2);
    CHECK_STR(r.out, "");
    HAS(r.err, why);
    CHECK_INT(lines(r.err), 1);
}

TEST(what_cannot_be_attached_to_is_said)
{
    need_ptrace();
    refuses(2147483600, "there is no such process");
    pid_t pid = program_start((char *[]){"/bin/sleep", "1000", NULL}, in_tmp("o"), in_tmp("e"));
    moment(100);
    refuses(pid, "it is not a Go program: it has no Go build info");
    kill(pid, SIGKILL);
    program_end(pid);
    struct result r = RUN("attach");
    CHECK_INT(r.code, 2);
    HAS(r.err, "attach needs the PID of a Go program");
    r = RUN("attach", "x");
    CHECK_INT(r.code, 2);
    HAS(r.err, "attach needs a PID, got \"x\"");
    r = RUN("attach", "1", "2");
    CHECK_INT(r.code, 2);
    HAS(r.err, "unexpected \"2\"");
    r = RUN("attach", "1", "--seed=3");
    CHECK_INT(r.code, 2);
}

TEST(the_shell_completes_pids)
{
    pid_t it = program_start((char *[]){"/bin/sleep", "1000", NULL}, in_tmp("o"), in_tmp("e"));
    char line[40];
    moment(100);
    snprintf(line, sizeof line, "%d\tsleep\n", (int)it);
    HAS(RUN("help", "--complete", "attach", "").out, line);
    kill(it, SIGKILL);
    program_end(it);
}

/* A program of C that says that it is one of Go: its build info, its function table and its moduledata are in its data. `tables` fills them in. */
static void a_lie(const char *name, const char *version, const char *tables, const char *why)
{
    char text[3000], line[1500];
    snprintf(
        text, sizeof text,
        "#include <string.h>\n#include <unistd.h>\n#define INFO(v) {0xff,' ','G','o',' ','b','u','i','l','d','i','n','f',':',8,2}\n"
        "struct { unsigned char magic[32], n; char v[15]; } info __attribute__((aligned(16))) = {INFO(), %d, \"%s\"};\n"
        "struct { unsigned char magic[8]; unsigned long n[8]; } table __attribute__((aligned(16))) = {{0xf1,255,255,255,0,0,1,8}, {3}};\n"
        "unsigned long md[64] = {(unsigned long)&table};\nunsigned ftab[64];\n"
        "int main(void) { info.v[14] = 0; md[63] = 1; %s\nsleep(1000); return info.n; }\n",
        (int)strlen(version), version, tables);
    t_file("lie.c", text);
    snprintf(line, sizeof line, "cc -no-pie -o '%s/%s' '%s/lie.c'", t_tmpdir(), name, t_tmpdir());
    struct result *c = shell(line);
    if (c->code != 0)
        t_fail(__FILE__, __LINE__, "%s", c->err);
    pid_t pid = program_start((char *[]){(char *)in_tmp(name), NULL}, in_tmp("o"), in_tmp("e"));
    moment(100);
    refuses(pid, why);
    CHECK_INT(kill(pid, 0), 0);
    kill(pid, SIGKILL);
    CHECK_INT(program_end(pid), 1000 + SIGKILL);
}

TEST(tables_that_lie_are_refused)
{
    need_ptrace();
    if (shell("cc --version")->code != 0)
        t_skip("there is no C compiler");
    a_lie("old", "go1.19.4", "", "it was built by go1.19.4; attach reads go1.20 to go1.27");
    a_lie("new", "go1.99", "", "it was built by go1.99, which this gmpscope does not know");
    a_lie("none", "go1.26.1", "", "its function table (go1.26.1) is not as Go writes it");
    a_lie("huge", "go1.26.1", "table.n[0] = 1ul << 40; md[17] = table.n[0] + 1;", "its function table (go1.26.1) is not as Go writes it");
    /* all in order, but no function has a name */
    a_lie(
        "empty", "go1.26.1",
        "md[1] = md[13] = md[16] = (unsigned long)ftab; md[2] = md[14] = 200; md[17] = 4; md[20] = md[22] = (unsigned long)main; md[21] = md[20] + 9;",
        "runtime.mcommoninit, procresize or allgadd was not found");
    a_lie(
        "wild", "go1.26.1",
        "memset(ftab, 0, sizeof ftab); for (int i = 0; i < 4; i++) ftab[2 * i + 1] = 4000000000u;"
        "md[1] = md[13] = md[16] = (unsigned long)ftab; md[2] = md[14] = 200; md[17] = 4; md[20] = md[22] = (unsigned long)main; md[21] = md[20] + 9;",
        "runtime.mcommoninit, procresize or allgadd was not found");
}

/* Another user's process: only root can make one. */
TEST(the_owner_is_named)
{
    if (geteuid() != 0)
        t_skip("only root can be another user");
    need_ptrace();
    pid_t it = program_start((char *[]){"/bin/sleep", "1000", NULL}, in_tmp("o"), in_tmp("e"));
    const char *out = in_tmp("out"), *err = in_tmp("err");
    pid_t pid = fork();
    if (pid == 0) {
        if (!freopen(out, "w", stdout) || !freopen(err, "w", stderr) || setgid(65534) || setuid(65534))
            _exit(99);
        execl(GMPSCOPE_BIN, "gmpscope", "attach", number(it), "--headless", (char *)NULL);
        _exit(98); /* the folder of this build may be closed to others */
    }
    int code = program_end(pid);
    kill(it, SIGKILL);
    program_end(it);
    if (code == 98)
        t_skip("another user cannot run this build");
    CHECK_INT(code, 2);
    HAS(slurp(err, NULL), "it belongs to another user (uid 0): run gmpscope as that user, or as root");
}

/* A file of Go, cut and changed at many places, is read or refused; nothing else happens. */
TEST(a_damaged_file_is_read_or_refused)
{
    need_go();
    size_t n;
    uint64_t seed = 1;
    const uint8_t *file = (const uint8_t *)slurp(built(&builds[STRIPPED]), &n);
    uint8_t *v = malloc(n);
    char why[ATTACH_WHY];
    struct go_exe exe;
    CHECK(v && go_exe_read(file, n, &exe, LANG_EN, why));
    int refused = 0;
    for (int i = 0; i < 300; i++) {
        memcpy(v, file, 4096);
        for (int k = 0; k < 4; k++) {
            seed = seed * 6364136223846793005u + 1442695040888963407u;
            v[seed >> 33 & (i % 2 ? 63 : 511)] = (uint8_t)(seed >> 25);
        }
        size_t len = i % 3 ? n : seed >> 20 & 4095;
        if (i == 0)
            memcpy(v, file, n);
        why[0] = '\0';
        if (!go_exe_read(v, len, &exe, i % 5 ? LANG_EN : LANG_ZH, why)) {
            CHECK(why[0] && !strchr(why, '\n'));
            refused++;
        }
    }
    CHECK(refused > 100);
    free(v);
}
