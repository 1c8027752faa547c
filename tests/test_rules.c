/* The rules that a program can check (src/README.md): which module may include which, sizes, no way around the conductor, curses in one file,
 * explicit orders on atomics, complete rows in the table of events. Each rule is shown to fail on a made-up tree. The test reads the text line
 * by line, with comments and literals blanked out. It is no C parser and relies on the layout (a function's braces are in column 0). */
#include "t.h"

#include <ctype.h>
#include <dirent.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "eventlog/events.h"

enum { MAX_FILE_LINES = 700, MAX_FUNCTION_LINES = 100, MAX_MEDIAN = 15, MAX_P90 = 45, MAX_FUNCTIONS = 20000, MAX_FOLDERS = 16 };

static const struct { /* what each module may include; a name with a dot is one header */
    const char *module, *may[14];
} modules[] = {
    {"base", {"base"}},
    {"eventlog", {"eventlog", "base"}},
    {"conductor", {"conductor", "base", "eventlog/events.h"}},
    {"lab", {"lab", "gmpscope/policy.h"}},
    {"runtime", {"runtime", "base", "eventlog", "conductor", "lab/gmpscope/policy.h"}},
    {"trace", {"trace", "base", "eventlog/events.h"}},
    {"model",
     {"model", "base", "trace", "eventlog/events.h", "eventlog/events.def", "eventlog/records.def", "eventlog/snapshot.h",
      "eventlog/known_limits.h", "eventlog/log.h"}},
    {"scenario", {"scenario", "base", "runtime", "model", "lab/gmpscope/policy.h"}},
    {"canvas", {"canvas", "base"}},
    {"layout", {"layout", "base"}},
    {"engine", {"engine", "base", "eventlog", "conductor", "runtime", "model", "scenario", "trace"}},
    {"attach", {"attach", "base", "eventlog"}},
    {"session", {"session", "engine", "model", "base", "trace"}},
    {"ui", {"ui", "base", "model", "layout", "canvas", "session/session.h"}},
    {"cli",
     {"cli", "base", "eventlog", "runtime", "model", "scenario", "layout", "engine", "session", "ui", "trace", "attach",
      "lab/gmpscope/policy.h"}},
};

/* What the runtime may only do through the conductor, and what a G stack has no room for. */
/* clang-format off */
static const char *const forbidden_in_runtime[] = {
    "futex", "epoll_wait", "epoll_pwait", "epoll_pwait2", "poll", "ppoll", "select", "nanosleep", "clock_nanosleep", "usleep", "sleep",
    "clock_gettime", "gettimeofday", "time", "pthread_mutex_lock", "pthread_mutex_unlock", "pthread_cond_wait", "pthread_cond_timedwait",
    "pthread_cond_signal", "sem_wait", "sem_post", "sched_yield", "printf", "fprintf", "dprintf", "vfprintf", "vprintf", "puts", "fputs", "perror"};
/* clang-format on */

/* --- what was found ----------------------------------------------------------------------------------------------- */
struct findings {
    int violations;
    char report[16384];
    size_t used;
    int curses_files;
    char folder[MAX_FOLDERS][64]; /* of ui/, and ui itself */
    int nfolders;
    bool includes[MAX_FOLDERS][MAX_FOLDERS]; /* a file of the one includes a header of the other */
    int nfunctions;
    int lengths[MAX_FUNCTIONS];
};

static void found(struct findings *h, const char *path, int line, const char *fmt, ...) __attribute__((format(printf, 4, 5)));
static void found(struct findings *h, const char *path, int line, const char *fmt, ...)
{
    h->violations++;
    size_t left = sizeof h->report - h->used;
    if (left < 512)
        return;
    va_list ap;
    va_start(ap, fmt);
    h->used += (size_t)snprintf(h->report + h->used, left, "%s:%d: ", path, line);
    h->used += (size_t)vsnprintf(h->report + h->used, 256, fmt, ap);
    h->used += (size_t)snprintf(h->report + h->used, 2, "\n");
    va_end(ap);
}

/* --- one file ----------------------------------------------------------------------------------------------------- */
struct file {
    struct findings *all;
    const char *path; /* below the tree: "module/…" */
    char module[32];
    char *raw, *bare; /* the text, and the same with comments and literals as blanks */
};

static char *read_all(const char *path)
{
    FILE *f = fopen(path, "rb");
    if (!f)
        t_fail(path, 0, "cannot be read");
    fseek(f, 0, SEEK_END);
    long size = ftell(f);
    rewind(f);
    char *text = malloc((size_t)size + 1);
    CHECK(text != NULL && fread(text, 1, (size_t)size, f) == (size_t)size);
    text[size] = 0;
    fclose(f);
    return text;
}

/* Returns the length of the comment or literal that begins at p, or 0. */
static size_t blank_length(const char *p)
{
    if (p[0] == '/' && p[1] == '*') {
        const char *end = strstr(p + 2, "*/");
        return end ? (size_t)(end + 2 - p) : strlen(p);
    }
    if (p[0] == '/' && p[1] == '/')
        return strcspn(p, "\n");
    if (*p != '"' && *p != '\'')
        return 0;
    const char *q = p + 1;
    while (*q && *q != *p && *q != '\n')
        q += *q == '\\' && q[1] ? 2 : 1;
    return (size_t)(q - p) + (*q == *p);
}

static char *blank_out(const char *raw)
{
    char *bare = strdup(raw);
    for (char *p = bare; *p;) {
        size_t n = blank_length(p);
        for (size_t i = 0; i < n; i++)
            if (p[i] != '\n')
                p[i] = ' ';
        p += n ? n : 1;
    }
    return bare;
}

static bool may_include(const char *module, const char *header)
{
    for (size_t r = 0; r < sizeof modules / sizeof *modules; r++) {
        if (strcmp(modules[r].module, module) != 0)
            continue;
        for (int i = 0; i < 14 && modules[r].may[i]; i++) {
            size_t n = strlen(modules[r].may[i]);
            if (strncmp(header, modules[r].may[i], n) == 0 && (header[n] == '/' || header[n] == 0))
                return true;
        }
    }
    return false;
}

/* ---- folders of ui/ ---- */

/* The index of the folder of "ui/…/file"; -1: there are too many. */
static int folder_of(struct findings *h, const char *path)
{
    const char *in = strchr(path + 3, '/'), *end = in ? in : path + 2; /* a folder in a folder is a part of it */
    size_t n = (size_t)(end - path);
    int i = 0;
    while (i < h->nfolders && (strlen(h->folder[i]) != n || memcmp(h->folder[i], path, n) != 0))
        i++;
    if (i == MAX_FOLDERS || n >= sizeof h->folder[i])
        return -1;
    if (i == h->nfolders)
        snprintf(h->folder[h->nfolders++], sizeof h->folder[i], "%.*s", (int)n, path);
    return i;
}

static void note_folders(struct file *f, const char *header)
{
    if (strcmp(f->module, "ui") != 0 || strncmp(header, "ui/", 3) != 0)
        return;
    int from = folder_of(f->all, f->path), to = folder_of(f->all, header);
    if (from < 0 || to < 0)
        found(f->all, f->path, 0, "ui/ has too many folders");
    else
        f->all->includes[from][to] = true;
}

/* Two folders that reach each other are on a cycle. */
static void check_cycles(struct findings *h)
{
    int n = h->nfolders;
    for (int via = 0; via < n; via++)
        for (int i = 0; i < n; i++)
            for (int k = 0; k < n; k++)
                h->includes[i][k] |= h->includes[i][via] && h->includes[via][k];
    for (int i = 0; i < n; i++)
        for (int k = 0; k < i; k++)
            if (h->includes[i][k] && h->includes[k][i])
                found(h, h->folder[k], 0, "on an include cycle with %s", h->folder[i]);
}

static void check_include(struct file *f, int line, const char *at)
{
    char close = 0, header[256];
    const char *p = at + strspn(at, " \t");
    if (*p == '"' || *p == '<')
        close = *p++ == '"' ? '"' : '>';
    size_t n = close ? strcspn(p, "\">\n") : 0;
    if (!n || p[n] != close || n >= sizeof header) {
        found(f->all, f->path, line, "an include that cannot be read");
        return;
    }
    memcpy(header, p, n);
    header[n] = 0;
    if (close == '"' && !strchr(header, '/'))
        return; /* the same folder */
    if (close == '"' && (strstr(header, "..") || !may_include(f->module, header)))
        found(f->all, f->path, line, "%s/ may not include %s", f->module, header);
    if (close == '"')
        note_folders(f, header);
    if (close == '>' && (strstr(header, "curses") || strcmp(header, "term.h") == 0) && strcmp(f->module, "ui") != 0)
        found(f->all, f->path, line, "%s outside of ui/", header);
}

static bool known_module(const char *module)
{
    for (size_t r = 0; r < sizeof modules / sizeof *modules; r++)
        if (strcmp(modules[r].module, module) == 0)
            return true;
    return false;
}

static void check_includes(struct file *f)
{
    if (!known_module(f->module))
        found(f->all, f->path, 1, "%s/ is not a module", f->module);
    bool curses = false;
    int line = 1;
    for (const char *p = f->raw; *p; line++) {
        const char *q = p + strspn(p, " \t");
        if (*q == '#') {
            q += 1 + strspn(q + 1, " \t");
            if (strncmp(q, "include", 7) == 0 && f->bare[q - f->raw] == 'i') {
                check_include(f, line, q + 7);
                curses = curses || (strstr(q, "curses.h>") && strstr(q, "curses.h>") < strchr(q, '\n'));
            }
        }
        p += strcspn(p, "\n");
        p += *p == '\n';
    }
    f->all->curses_files += curses;
}

/* A function's body begins with a brace in column 0 or at the end of a line that begins in column 0, and ends with a
 * brace in column 0. */
static bool opens_function(const char *line, size_t n)
{
    if (n == 1 && *line == '{')
        return true;
    return n > 2 && (isalpha((unsigned char)*line) || *line == '_') && line[n - 1] == '{' && memchr(line, ')', n) &&
           !memchr(line, '=', n) && strncmp(line, "extern", 6) != 0;
}

static void end_function(struct file *f, int first, int last)
{
    struct findings *h = f->all;
    int n = last - first - 1;
    if (n > MAX_FUNCTION_LINES)
        found(h, f->path, first, "a function of %d lines, over %d", n, MAX_FUNCTION_LINES);
    if (h->nfunctions < MAX_FUNCTIONS)
        h->lengths[h->nfunctions++] = n;
}

static void check_sizes(struct file *f)
{
    int line = 1, first = 0;
    for (const char *p = f->bare; *p; line++) {
        size_t n = strcspn(p, "\n"), len = n;
        while (len && p[len - 1] == ' ')
            len--;
        if (!first && opens_function(p, len)) {
            first = line;
        } else if (first && len >= 1 && *p == '}') {
            end_function(f, first, line);
            first = 0;
        }
        p += n + (p[n] == '\n');
    }
    if (line - 1 > MAX_FILE_LINES)
        found(f->all, f->path, line - 1, "%d lines, over %d", line - 1, MAX_FILE_LINES);
    size_t size = strlen(f->raw);
    if (size && f->raw[size - 1] != '\n')
        found(f->all, f->path, line, "no newline at the end");
}

static void check_runtime_call(struct file *f, int line, const char *word)
{
    for (size_t i = 0; i < sizeof forbidden_in_runtime / sizeof *forbidden_in_runtime; i++)
        if (strcmp(word, forbidden_in_runtime[i]) == 0)
            found(f->all, f->path, line, "the runtime calls %s()", word);
    static const char *const waits[] = {"SYS_futex",   "SYS_epoll",     "SYS_poll",  "SYS_ppoll",           "SYS_select",
                                        "SYS_pselect", "SYS_nanosleep", "SYS_clock", "SYS_rt_sigtimedwait", "SYS_gettimeofday"};
    for (size_t i = 0; i < sizeof waits / sizeof *waits; i++)
        if (strncmp(word, waits[i], strlen(waits[i])) == 0)
            found(f->all, f->path, line, "the runtime waits or asks the time by itself (%s)", word);
}

static void check_atomic_call(struct file *f, int line, const char *word)
{
    size_t n = strlen(word);
    if (strcmp(word, "atomic_init") == 0 || strcmp(word, "atomic_is_lock_free") == 0)
        return;
    if (strstr(word, "_fence"))
        found(f->all, f->path, line, "%s(): ThreadSanitizer does not see fences", word);
    else if (strncmp(word, "__sync_", 7) == 0)
        found(f->all, f->path, line, "%s() names no order", word);
    else if (strncmp(word, "atomic_", 7) == 0 && (n < 9 || strcmp(word + n - 9, "_explicit") != 0))
        found(f->all, f->path, line, "%s() without an explicit order", word);
}

/* A set of generations is written with SINCE(), UNTIL() or BETWEEN(), so that a new generation belongs to it (base/run_names.h). */
static void check_generation(struct file *f, int line, const char *word, size_t n)
{
    const char *before = word, *after = word + n + strspn(word + n, " ");
    while (before > f->bare && before[-1] == ' ')
        before--;
    char last = before > f->bare ? before[-1] : ' ', second = before > f->bare + 1 ? before[-2] : ' ';
    if (strchr("<>|&", last) || (last == '=' && strchr("=!<>", second)) || strchr("<>|&!", *after) || strncmp(after, "==", 2) == 0)
        found(f->all, f->path, line, "%.*s is compared or a bit; use SINCE() or UNTIL()", (int)n, word);
}

static void check_words(struct file *f)
{
    bool runtime = strcmp(f->module, "runtime") == 0, pane = strncmp(f->path, "ui/panes/", 9) == 0;
    bool above = strcmp(f->module, "session") == 0 || strcmp(f->module, "ui") == 0 || strcmp(f->module, "cli") == 0;
    int line = 1;
    for (const char *p = f->bare; *p;) {
        line += *p == '\n';
        if (!isalpha((unsigned char)*p) && *p != '_') {
            p++;
            continue;
        }
        size_t n = 0;
        while (isalnum((unsigned char)p[n]) || p[n] == '_')
            n++;
        char word[64];
        snprintf(word, sizeof word, "%.*s", (int)n, p);
        if (pane && strcmp(word, "session_ops") == 0)
            found(f->all, f->path, line, "a pane calls the session; prepare may query the history (ui/panes/pane.h)");
        bool member = p > f->bare && (p[-1] == '.' || (p[-1] == '>' && p - 1 > f->bare && p[-2] == '-'));
        const char *after = p + n + strspn(p + n, " ");
        /* Above the engine a run may have no conductor (engine/source.h). The type of a mode is a word of options. */
        if (above && strncmp(word, "conductor_", 10) == 0 && strcmp(word, "conductor_mode") != 0)
            found(f->all, f->path, line, "%s/ reaches the conductor past the engine (%s)", f->module, word);
        if (strncmp(word, "GO1_", 4) == 0 && strcmp(f->module, "base") != 0)
            check_generation(f, line, p, n);
        if (!member && (*after == '(' || strncmp(word, "SYS_", 4) == 0)) {
            check_atomic_call(f, line, word);
            if (runtime)
                check_runtime_call(f, line, word);
        }
        p += n;
    }
}

static void check_file(struct findings *h, const char *full, const char *below)
{
    struct file f = {.all = h, .path = below, .raw = read_all(full)};
    snprintf(f.module, sizeof f.module, "%.*s", (int)strcspn(below, "/"), below);
    f.bare = blank_out(f.raw);
    check_includes(&f);
    check_sizes(&f);
    check_words(&f);
    free(f.raw);
    free(f.bare);
}

/* --- the tree ----------------------------------------------------------------------------------------------------- */
static bool is_source(const char *name)
{
    const char *dot = strrchr(name, '.');
    return dot && (strcmp(dot, ".c") == 0 || strcmp(dot, ".h") == 0);
}

static void check_folder(struct findings *h, const char *root, const char *below)
{
    char path[1024];
    snprintf(path, sizeof path, "%s/%s", root, below);
    struct dirent **entries;
    int n = scandir(path, &entries, NULL, alphasort);
    CHECK(n >= 0);
    for (int i = 0; i < n; i++) {
        const char *name = entries[i]->d_name;
        char sub[512], full[1600];
        struct stat st;
        snprintf(sub, sizeof sub, "%s%s%s", below, *below ? "/" : "", name);
        snprintf(full, sizeof full, "%s/%s", root, sub);
        if (*name != '.' && stat(full, &st) == 0 && S_ISDIR(st.st_mode))
            check_folder(h, root, sub);
        else if (is_source(name))
            check_file(h, full, sub);
        free(entries[i]);
    }
    free(entries);
}

static int by_value(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}

static void check_tree(struct findings *h, const char *root)
{
    check_folder(h, root, "");
    check_cycles(h);
    if (h->curses_files > 1)
        found(h, "ui", 0, "%d files include curses, one may", h->curses_files);
    if (!h->nfunctions)
        return;
    qsort(h->lengths, (size_t)h->nfunctions, sizeof *h->lengths, by_value);
    int median = h->lengths[h->nfunctions / 2], p90 = h->lengths[h->nfunctions * 9 / 10];
    if (median > MAX_MEDIAN || p90 > MAX_P90)
        found(h, "src", 0, "functions have a median of %d lines (%d allowed), p90 %d (%d)", median, MAX_MEDIAN, p90, MAX_P90);
}

/* --- the table of events ------------------------------------------------------------------------------------------ */
struct row {
    const char *name, *go, *meaning, *en, *zh;
    const char *fields[EV_FIELDS];
};

static const struct row event_rows[] = {
#define F(name, type, word, shift, bits) name
#define F_IF(only, name, type, word, shift, bits) name
#define EVENT(ID, name, level, traits, go, meaning, en, zh, next_en, next_zh, ...) {name, go, meaning, en, zh, {__VA_ARGS__}},
#include "eventlog/events.def"
#undef EVENT
#undef F
#undef F_IF
};

static bool is_snake(const char *s)
{
    return islower((unsigned char)*s) && s[strspn(s, "abcdefghijklmnopqrstuvwxyz0123456789_")] == 0;
}

static bool is_field(const struct row *r, const char *name, size_t n)
{
    if (n == 1 && strchr("mpg", *name))
        return true;
    for (int i = 0; i < 8 && r->fields[i]; i++)
        if (strlen(r->fields[i]) == n && memcmp(r->fields[i], name, n) == 0)
            return true;
    return false;
}

static void check_sentence(struct findings *h, const struct row *r, const char *language, const char *s)
{
    if (!*s)
        found(h, r->name, 0, "no sentence in %s", language);
    for (const char *p = strchr(s, '{'); p; p = strchr(p + 1, '{')) {
        size_t n = strcspn(p + 1, ":}"), bar = strcspn(p + 1, "|}"); /* {field} or {field:word for one|words for others} */
        if (p[1 + n] != (p[1 + bar] == '|' ? ':' : '}') || !is_field(r, p + 1, n))
            found(h, r->name, 0, "the %s sentence names {%.*s}, which is no field", language, (int)n, p + 1);
    }
}

static void check_row(struct findings *h, const struct row *r)
{
    if (!is_snake(r->name))
        found(h, r->name, 0, "the name is not snake_case");
    if (!*r->go || !*r->meaning)
        found(h, r->name, 0, "no Go function or no meaning");
    check_sentence(h, r, "en", r->en);
    check_sentence(h, r, "zh", r->zh);
    bool translated = strcmp(r->en, r->zh) != 0 || r->en[0] == '{';
    if (!translated)
        found(h, r->name, 0, "the zh sentence is the en one");
}

static void check_events(struct findings *h, const struct row *rows, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        check_row(h, &rows[i]);
        for (size_t j = 0; j < i; j++)
            if (strcmp(rows[i].name, rows[j].name) == 0)
                found(h, rows[i].name, 0, "twice in the table");
    }
}

/* --- the tests ---------------------------------------------------------------------------------------------------- */
static struct findings findings;

TEST(the_tree_keeps_the_rules)
{
    check_tree(&findings, SOURCE_DIR "/src");
    check_events(&findings, event_rows, sizeof event_rows / sizeof *event_rows);
    if (findings.violations)
        t_fail("src", 0, "%d violations:\n%.700s", findings.violations, findings.report);
    CHECK(findings.nfunctions > 100);
    CHECK_INT(findings.curses_files, 1);
}

static void check_test_file(const char *name)
{
    char full[1024];
    snprintf(full, sizeof full, "%s/tests/%s", SOURCE_DIR, name);
    struct file f = {.all = &findings, .path = name, .raw = read_all(full)};
    f.bare = blank_out(f.raw);
    check_sizes(&f);
    free(f.raw);
    free(f.bare);
}

TEST(every_module_of_the_rules_is_a_folder)
{
    for (size_t r = 0; r < sizeof modules / sizeof *modules; r++) {
        char folder[1024];
        struct stat st;
        snprintf(folder, sizeof folder, "%s/src/%s", SOURCE_DIR, modules[r].module);
        if (stat(folder, &st) != 0 || !S_ISDIR(st.st_mode))
            t_fail(folder, 0, "is in the rules, but is not a folder");
    }
}

TEST(the_tests_keep_the_sizes)
{
    struct dirent **entries;
    int n = scandir(SOURCE_DIR "/tests", &entries, NULL, alphasort);
    CHECK(n > 0);
    for (int i = 0; i < n; i++) {
        if (is_source(entries[i]->d_name))
            check_test_file(entries[i]->d_name);
        free(entries[i]);
    }
    free(entries);
    if (findings.violations)
        t_fail("tests", 0, "%d violations:\n%.700s", findings.violations, findings.report);
}

/* Checks a tree with this one file. */
static void check_alone(const char *path, const char *text)
{
    char below[256], root[512];
    memset(&findings, 0, sizeof findings);
    snprintf(below, sizeof below, "src/%s", path);
    snprintf(root, sizeof root, "%s/src", t_tmpdir());
    const char *full = t_file(below, text);
    check_tree(&findings, root);
    remove(full);
}

/* Exactly one violation with that text must be found. */
static void expect_found(const char *path, const char *text, const char *violation)
{
    check_alone(path, text);
    if (findings.violations != 1 || !strstr(findings.report, violation))
        t_fail(__FILE__, __LINE__, "%s: wanted one violation \"%s\", got %d:\n%s", path, violation, findings.violations, findings.report);
}

static void expect_clean(const char *path, const char *text)
{
    check_alone(path, text);
    CHECK_STR(findings.report, "");
}

TEST(wrong_includes_are_found)
{
    expect_found("base/a.c", "#include \"eventlog/events.h\"\n", "base/a.c:1: base/ may not include eventlog/events.h");
    expect_found("runtime/a.c", "\n#include \"model/model.h\"\n", "runtime/a.c:2: runtime/ may not include model/model.h");
    expect_found("conductor/a.c", "#include \"eventlog/log.h\"\n", "conductor/ may not include eventlog/log.h");
    expect_found("model/a.h", "#include \"runtime/runtime.h\"\n", "model/ may not include runtime/runtime.h");
    expect_found("ui/panes/a.c", "#  include \"runtime/runtime.h\"\n", "ui/ may not include runtime/runtime.h");
    expect_found("engine/a.c", "#include \"session/session.h\"\n", "engine/ may not include session/session.h");
    expect_found("engine/a.c", "#include \"canvas/canvas.h\"\n", "engine/ may not include canvas/canvas.h");
    expect_found("cli/a.c", "#include \"conductor/conductor.h\"\n", "cli/ may not include conductor/conductor.h");
    expect_found("session/a.c", "#include \"ui/ui.h\"\n", "session/ may not include ui/ui.h");
    expect_found("session/a.c", "#include \"conductor/conductor.h\"\n", "session/ may not include conductor/conductor.h");
    expect_found("ui/a.c", "#include \"session/control.h\"\n", "ui/ may not include session/control.h");
    expect_found("canvas/a.c", "#include \"../ui/session.h\"\n", "canvas/ may not include ../ui/session.h");
    expect_found("attic/a.c", "int x;\n", "attic/ is not a module");
    expect_found("base/a.c", "#include HEADER\n", "an include that cannot be read");
}

TEST(right_includes_are_fine)
{
    expect_clean("conductor/a.c", "#include \"eventlog/events.h\"\n#include \"base/prng.h\"\n#include \"own.h\"\n#include <stdio.h>\n");
    expect_clean("ui/b.c", "#include \"session/session.h\"\n");
    expect_clean("cli/a.c", "#include \"session/session.h\"\n#include \"runtime/sched/rt.h\"\n#include \"layout/layout.h\"\n");
    expect_clean("base/a.c", "/*\n#include \"session/session.h\"\n*/\n");
}

TEST(cycles_between_the_folders_of_ui_are_found)
{
    const char *boxes = t_file("src/ui/boxes/a.c", "#include \"ui/input/a.h\"\n");
    expect_found("ui/input/b.c", "#include \"ui/boxes/a.h\"\n", "on an include cycle with");
    expect_clean("ui/input/b.c", "#include \"ui/panes/a.h\"\n#include \"ui/input/a.h\"\n");
    const char *panes = t_file("src/ui/panes/a.h", "#include \"ui/top.h\"\n");
    expect_clean("ui/input/b.c", "#include \"ui/panes/a.h\"\n");
    memset(&findings, 0, sizeof findings);
    t_file("src/ui/input/b.c", "#include \"ui/panes/a.h\"\n");
    t_file("src/ui/loop.c", "#include \"ui/boxes/a.h\"\n");
    char root[512];
    snprintf(root, sizeof root, "%s/src", t_tmpdir());
    check_tree(&findings, root); /* ui, boxes, input and panes: each with each */
    CHECK_INT(findings.violations, 6);
    remove(boxes);
    remove(panes);
}

TEST(panes_that_call_the_session_are_found)
{
    expect_found("ui/panes/a.c", "void f(const struct session_ops *ops);\n", "ui/panes/a.c:1: a pane calls the session");
    expect_clean("ui/panes/a.c", "/* session_ops */ void f(struct pane_source *from);\n");
    expect_clean("ui/boxes/a.c", "void f(const struct session_ops *ops);\n");
}

TEST(curses_in_the_wrong_place_is_found)
{
    expect_found("canvas/a.c", "#include <curses.h>\n", "curses.h outside of ui/");
    expect_clean("ui/a.c", "#include <curses.h>\n#include <term.h>\n");
    const char *one = t_file("src/ui/one.c", "#include <curses.h>\n");
    expect_found("ui/two.c", "#include <ncursesw/curses.h>\n", "2 files include curses");
    remove(one);
}

TEST(ways_around_the_conductor_are_found)
{
    expect_found("runtime/a.c", "void f(void)\n{\n    usleep(3);\n}\n", "runtime/a.c:3: the runtime calls usleep()");
    expect_found("runtime/a.c", "int x = clock_gettime (0, 0);\n", "calls clock_gettime()");
    expect_found("runtime/a.c", "int x = printf(\"x\");\n", "calls printf()");
    expect_found("runtime/a.c", "long y = syscall(SYS_futex, 0);\n", "SYS_futex");
    expect_clean("runtime/a.c", "/* usleep(3) */ int x = conductor_usleep(1) + c->poll(2);\nconst char *s = \"printf(\";\n");
    expect_clean("runtime/a.c", "long y = syscall(SYS_gettid);\n");
    expect_clean("conductor/a.c", "long y = syscall(SYS_futex, 0);\n");
}

TEST(ways_past_the_engine_are_found)
{
    expect_found("session/a.c", "void f(struct engine *e)\n{\n    conductor_pause(e->c);\n}\n",
                 "session/a.c:3: session/ reaches the conductor past the engine (conductor_pause)");
    expect_found("ui/a.c", "void (*f)(void) = conductor_run;\n", "ui/ reaches the conductor");
    expect_found("cli/a.c", "struct conductor *c = conductor_new();\n", "cli/ reaches the conductor");
    expect_found("cli/a.c", "#include \"conductor/conductor.h\"\n", "cli/ may not include conductor/conductor.h");
    expect_clean("engine/a.c", "void f(struct live *l)\n{\n    conductor_pause(l->c);\n}\n");
    expect_clean("cli/a.c", "enum conductor_mode mode; /* conductor_run */\n");
}

TEST(raw_generations_are_found)
{
    expect_found("model/a.c", "unsigned gen = 1u << GO1_20;\n", "model/a.c:1: GO1_20 is compared or a bit; use SINCE() or UNTIL()");
    expect_found("engine/a.c", "bool b = generation <= GO1_4;\n", "GO1_4 is compared");
    expect_found("ui/a.c", "bool b = GO1_0 != generation;\n", "GO1_0 is compared");
    expect_clean("ui/a.c", "unsigned gen = BETWEEN(GO1_4, GO1_13) | SINCE(GO1_20);\nint g = GO1_20;\n");
}

TEST(implicit_orders_are_found)
{
    expect_found("eventlog/a.c", "int x = atomic_load(&y);\n", "atomic_load() without an explicit order");
    expect_found("eventlog/a.c", "int x = atomic_flag_test_and_set(&y);\n", "without an explicit order");
    expect_found("eventlog/a.c", "int x = __sync_fetch_and_add(&y, 1);\n", "names no order");
    expect_found("eventlog/a.c", "void f(void)\n{\n    atomic_thread_fence(memory_order_seq_cst);\n}\n", "does not see fences");
    expect_clean("eventlog/a.c", "int x = atomic_load_explicit(&y, memory_order_relaxed);\nvoid g(void);\nint i = atomic_init(&y, 0);\n");
}

TEST(big_functions_and_files_are_found)
{
    static char text[65536];
    int n = 0;
    for (int i = 0; i < 10; i++)
        n += sprintf(text + n, "int f%d(void)\n{\n    return 0;\n}\n", i);
    n += sprintf(text + n, "void f(void)\n{\n");
    for (int i = 0; i < 101; i++)
        n += sprintf(text + n, "    ;\n");
    sprintf(text + n, "}\n");
    expect_found("base/a.c", text, "a function of 101 lines");
    n = 0;
    for (int i = 0; i < 701; i++)
        n += sprintf(text + n, "int x%d;\n", i);
    expect_found("base/a.c", text, "701 lines");
    expect_found("base/a.c", "int x;", "no newline at the end");
    n = sprintf(text, "void f(void)\n{\n");
    for (int i = 0; i < 16; i++)
        n += sprintf(text + n, "    ;\n");
    sprintf(text + n, "}\n");
    expect_found("base/a.c", text, "a median of 16 lines");
}

TEST(incomplete_events_are_found)
{
    static const struct {
        struct row row;
        const char *violation;
    } bad[] = {
        {{"Steal", "f", "m", "a {m}", "b {m}", {0}}, "not snake_case"},
        {{"steal", "", "m", "a", "b", {0}}, "no Go function"},
        {{"steal", "f", "", "a", "b", {0}}, "no Go function or no meaning"},
        {{"steal", "f", "m", "", "b", {0}}, "no sentence in en"},
        {{"steal", "f", "m", "a", "", {0}}, "no sentence in zh"},
        {{"steal", "f", "m", "same", "same", {0}}, "the zh sentence is the en one"},
        {{"steal", "f", "m", "a", "b {thief}", {"n"}}, "the zh sentence names {thief}"},
        {{"steal", "f", "m", "a {n", "b", {"n"}}, "the en sentence names {n}"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        memset(&findings, 0, sizeof findings);
        check_events(&findings, &bad[i].row, 1);
        CHECK_INT(findings.violations, 1);
        if (!strstr(findings.report, bad[i].violation))
            t_fail(__FILE__, __LINE__, "wanted \"%s\", got %s", bad[i].violation, findings.report);
    }
    memset(&findings, 0, sizeof findings);
    struct row twice[2] = {{"steal", "f", "m", "a {n}", "b {n}", {"n"}}, {"steal", "f", "m", "a", "b", {0}}};
    check_events(&findings, twice, 2);
    CHECK_STR(findings.report, "steal:0: twice in the table\n");
}
