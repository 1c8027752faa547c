/* Every header that a source includes with <…> comes from somewhere that a fresh Debian 12 has after the README's command: from
 * libc or the compiler, or from a package that the command installs and whose pkg-config module CMake asks for. `.ci/fresh-root`
 * proves the same by an installation; this test needs only a second, on a machine where everything is installed. */
#include "t.h"

#include <ctype.h>
#include <dirent.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* From libc6-dev, linux-libc-dev and gcc; a name that ends with a slash is a folder. Not all of sys/: other packages put
 * headers there too. */
static const char *const everywhere[] = {
    "alloca.h",
    "arpa/inet.h",
    "assert.h",
    "byteswap.h",
    "complex.h",
    "cpuid.h",
    "ctype.h",
    "dirent.h",
    "dlfcn.h",
    "elf.h",
    "endian.h",
    "errno.h",
    "execinfo.h",
    "fcntl.h",
    "fenv.h",
    "float.h",
    "fnmatch.h",
    "ftw.h",
    "getopt.h",
    "glob.h",
    "gmpscope/policy.h", /* ours: for policies, which people build themselves (src/lab) */
    "grp.h",
    "immintrin.h",
    "inttypes.h",
    "langinfo.h",
    "libgen.h",
    "limits.h",
    "link.h",
    "linux/",
    "locale.h",
    "malloc.h",
    "math.h",
    "netdb.h",
    "netinet/in.h",
    "netinet/tcp.h",
    "poll.h",
    "pthread.h",
    "pty.h",
    "pwd.h",
    "regex.h",
    "sanitizer/",
    "sched.h",
    "semaphore.h",
    "setjmp.h",
    "signal.h",
    "spawn.h",
    "stdalign.h",
    "stdarg.h",
    "stdatomic.h",
    "stdbool.h",
    "stddef.h",
    "stdint.h",
    "stdio.h",
    "stdlib.h",
    "stdnoreturn.h",
    "string.h",
    "strings.h",
    "sys/auxv.h",
    "sys/epoll.h",
    "sys/eventfd.h",
    "sys/file.h",
    "sys/inotify.h",
    "sys/ioctl.h",
    "sys/mman.h",
    "sys/param.h",
    "sys/personality.h",
    "sys/prctl.h",
    "sys/ptrace.h",
    "sys/random.h",
    "sys/resource.h",
    "sys/select.h",
    "sys/sendfile.h",
    "sys/signalfd.h",
    "sys/single_threaded.h",
    "sys/socket.h",
    "sys/stat.h",
    "sys/statfs.h",
    "sys/statvfs.h",
    "sys/syscall.h",
    "sys/sysinfo.h",
    "sys/time.h",
    "sys/timerfd.h",
    "sys/times.h",
    "sys/types.h",
    "sys/ucontext.h",
    "sys/uio.h",
    "sys/un.h",
    "sys/user.h",
    "sys/utsname.h",
    "sys/vfs.h",
    "sys/wait.h",
    "termios.h",
    "threads.h",
    "time.h",
    "uchar.h",
    "ucontext.h",
    "unistd.h",
    "utime.h",
    "wchar.h",
    "wctype.h",
    "wordexp.h",
    "x86intrin.h",
};

static const struct {
    const char *header, *module, *package; /* module: pkg-config's name */
} packaged[] = {
    {"curses.h", "ncursesw", "libncurses-dev"}, {"term.h", "ncursesw", "libncurses-dev"}, {"cyaml/", "libcyaml", "libcyaml-dev"},
    {"yaml.h", "yaml-0.1", "libyaml-dev"},      {"vterm.h", "vterm", "libvterm-dev"},
};

/* A checkout and the mistakes found in it. */
struct checkout {
    const char *root;
    char *cmake, *tests_cmake, *commands[2];
    int headers, violations;
    char report[8192];
};

static void found(struct checkout *c, const char *path, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
static void found(struct checkout *c, const char *path, const char *fmt, ...)
{
    char text[512];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    c->violations++;
    size_t used = strlen(c->report);
    snprintf(c->report + used, sizeof c->report - used, "%s: %s\n", path, text);
}

/* Returns the text of a file below root, "" if there is none. */
static char *read_below(const char *root, const char *path)
{
    char full[1024];
    snprintf(full, sizeof full, "%s/%s", root, path);
    char *text = NULL;
    size_t size = 0;
    FILE *f = fopen(full, "r");
    if (!f || getdelim(&text, &size, 0, f) < 0) {
        free(text);
        text = strdup("");
    }
    if (f)
        fclose(f);
    return text;
}

/* Returns the n-th block ```sh of the README, "" if there is none. */
static char *command(const char *readme, int n)
{
    const char *p = readme;
    for (; n && p; n--)
        if ((p = strstr(p, "```sh\n")))
            p += strlen("```sh\n");
    return p ? strndup(p, strcspn(p, "`")) : strdup("");
}

static bool has_word(const char *text, const char *word)
{
    size_t n = strlen(word);
    for (const char *p = text; (p = strstr(p, word)); p++)
        if ((p == text || strchr(" \n", p[-1])) && strchr(" \n)", p[n]))
            return true;
    return false;
}

/* True if a line pkg_check_modules(…) of a CMakeLists.txt names the module. */
static bool asks_for(const char *cmake, const char *module)
{
    for (const char *p = cmake; (p = strstr(p, "pkg_check_modules(")); p++) {
        char line[256];
        snprintf(line, sizeof line, "%.*s", (int)strcspn(p, "\n"), p);
        if ((p == cmake || p[-1] == '\n') && has_word(line, module))
            return true;
    }
    return false;
}

static bool matches(const char *header, const char *name)
{
    size_t n = strlen(name);
    return name[n - 1] == '/' ? strncmp(header, name, n) == 0 : strcmp(header, name) == 0;
}

/* Only the second command builds the tests, which may ask for modules of their own. */
static void check_package(struct checkout *c, const char *path, bool test, const char *header, const char *module, const char *package)
{
    if (!asks_for(c->cmake, module) && !(test && asks_for(c->tests_cmake, module)))
        found(c, path, "<%s>: CMake does not ask pkg-config for %s", header, module);
    for (int i = test; i < 2; i++)
        if (!has_word(c->commands[i], package))
            found(c, path, "<%s>: command %d of the README does not install %s", header, i + 1, package);
}

static void check_header(struct checkout *c, const char *path, bool test, const char *header)
{
    c->headers++;
    for (size_t i = 0; i < sizeof everywhere / sizeof *everywhere; i++)
        if (matches(header, everywhere[i]))
            return;
    for (size_t i = 0; i < sizeof packaged / sizeof *packaged; i++)
        if (matches(header, packaged[i].header)) {
            check_package(c, path, test, header, packaged[i].module, packaged[i].package);
            return;
        }
    found(c, path, "<%s>: neither libc's, nor is it known which package brings it (tests/test_headers.c)", header);
}

static void check_source(struct checkout *c, const char *path, bool test)
{
    char *text = read_below(c->root, path), line[256], header[128], optional[160];
    for (const char *p = text; *p; p += strcspn(p, "\n"), p += *p == '\n') {
        snprintf(line, sizeof line, "%.*s", (int)strcspn(p, "\n"), p);
        if (sscanf(line, " # include <%127[^>]>", header) != 1)
            continue;
        snprintf(optional, sizeof optional, "#if __has_include(<%s>)\n", header);
        if (!strstr(text, optional))
            check_header(c, path, test, header);
    }
    free(text);
}

static bool is_source(const char *name)
{
    const char *dot = strrchr(name, '.');
    return dot && (strcmp(dot, ".c") == 0 || strcmp(dot, ".h") == 0 || strcmp(dot, ".S") == 0);
}

static void check_folder(struct checkout *c, const char *below, bool test)
{
    char full[1024];
    snprintf(full, sizeof full, "%s/%s", c->root, below);
    struct dirent **entries;
    int n = scandir(full, &entries, NULL, alphasort);
    for (int i = 0; i < n; i++) {
        char path[512];
        snprintf(path, sizeof path, "%s/%s", below, entries[i]->d_name);
        snprintf(full, sizeof full, "%s/%s", c->root, path);
        struct stat st;
        if (is_source(entries[i]->d_name))
            check_source(c, path, test);
        else if (!test && entries[i]->d_name[0] != '.' && stat(full, &st) == 0 && S_ISDIR(st.st_mode))
            check_folder(c, path, test);
        free(entries[i]);
    }
    if (n >= 0)
        free(entries);
}

/* The programs below tests/ in folders of their own (benchmarks) are built on request only, where their packages are. */
static void check_checkout(struct checkout *c, const char *root)
{
    char *readme = read_below(root, "README.md");
    *c = (struct checkout){.root = root,
                           .cmake = read_below(root, "CMakeLists.txt"),
                           .tests_cmake = read_below(root, "tests/CMakeLists.txt"),
                           .commands = {command(readme, 1), command(readme, 2)}};
    check_folder(c, "src", false);
    check_folder(c, "tests", true);
    free(readme);
    free(c->cmake);
    free(c->tests_cmake);
    free(c->commands[0]);
    free(c->commands[1]);
}

TEST(each_header_comes_with_what_the_readme_installs)
{
    static struct checkout c;
    check_checkout(&c, SOURCE_DIR);
    CHECK_STR(c.report, "");
    CHECK(c.headers > 300);
}

/* --- each way to break the rule ------------------------------------------------------------------------------------ */

/* A checkout with one source; README and CMake name what they do in this one. */
static void expect(const char *source, const char *text, const char *install[2], const char *cmake, const char *report)
{
    char readme[512];
    snprintf(readme, sizeof readme, "# x\n\n```sh\n%s && x\n```\n\n```sh\n%s && y\n```\n", install[0], install[1]);
    t_file("README.md", readme);
    t_file("CMakeLists.txt", cmake);
    t_file("tests/CMakeLists.txt", "pkg_check_modules(VTERM IMPORTED_TARGET vterm)\n");
    const char *path = t_file(source, text);
    static struct checkout c;
    check_checkout(&c, t_tmpdir());
    CHECK_STR(c.report, report);
    CHECK_INT(c.violations != 0, *report != 0);
    remove(path);
}

TEST(missing_packages_are_found)
{
    const char *both[2] = {"install libyaml-dev libcyaml-dev", "install libcyaml-dev libyaml-dev"};
    const char *first[2] = {"install libyaml-dev", "install libyaml-dev2"}, *none[2] = {"install libcyaml-dev", "install libcyaml-dev"};
    const char *asked = "pkg_check_modules(YAML REQUIRED IMPORTED_TARGET yaml-0.1)\n";
    expect("src/base/a.c", "#include <yaml.h>\n", both, asked, "");
    expect("src/base/a.c", "#include <yaml.h>\n", first, asked,
           "src/base/a.c: <yaml.h>: command 2 of the README does not install libyaml-dev\n");
    expect("src/base/a.c", "#  include <yaml.h>\n", both, "# pkg_check_modules(YAML yaml-0.1)\npkg_check_modules(C REQUIRED libcyaml)\n",
           "src/base/a.c: <yaml.h>: CMake does not ask pkg-config for yaml-0.1\n");
    expect("src/base/a.h", "int x;\n#include <yaml.h>\n", none, "", /* a header without its package */
           "src/base/a.h: <yaml.h>: CMake does not ask pkg-config for yaml-0.1\n"
           "src/base/a.h: <yaml.h>: command 1 of the README does not install libyaml-dev\n"
           "src/base/a.h: <yaml.h>: command 2 of the README does not install libyaml-dev\n");
    expect("src/base/b/a.c", "#include <sys/sdt.h>\n", both, asked,
           "src/base/b/a.c: <sys/sdt.h>: neither libc's, nor is it known which package brings it (tests/test_headers.c)\n");
}

TEST(installed_packages_are_accepted)
{
    const char *none[2] = {"", ""}, *second[2] = {"", "install libvterm-dev"};
    expect("src/base/a.c", "#include <stdio.h>\n#include <linux/futex.h>\n#include \"yaml.h\"\n/* #include <yaml.h> */\n", none, "", "");
    expect("src/base/a.c", "#if __has_include(<valgrind/valgrind.h>)\n#include <valgrind/valgrind.h>\n#endif\n", none, "", "");
    expect("tests/a.c", "#include <vterm.h>\n", second, "", "");
    expect("src/base/a.c", "#include <vterm.h>\n", second, "", /* only the tests ask for it */
           "src/base/a.c: <vterm.h>: CMake does not ask pkg-config for vterm\n"
           "src/base/a.c: <vterm.h>: command 1 of the README does not install libvterm-dev\n");
}
