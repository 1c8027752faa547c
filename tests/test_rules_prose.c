/* The rule of plain English that a program can check (src/STYLE.md): words and phrases that earlier texts of this tree were full of and
 * that a reader must decode. They are looked for in every line of sources, tables, scripts, scenarios and documents, across line
 * breaks too. A line that quotes such a phrase is exempt if it contains the marker "#quoted". Each pattern is first shown to fail on
 * a made-up tree. */
#include "t.h"

#include <dirent.h>
#include <regex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define MARKER "#quoted"

/* The list may grow. Words that users type or that the contract names are not in it. */
static const struct {
    const char *pattern, *example, *instead;
} forbidden[] = {
    {"\\b(for|by|of|from) who\\b", "a fast path for who has no P", "name the actor: \"for an M without a P\""},     /* #quoted */
    {"\\banew\\b", "the picture is made anew", "again, from scratch"},                                              /* #quoted */
    {"\\bin vain\\b", "it asked in vain", "without effect, for nothing"},                                           /* #quoted */
    {"\\bto and fro\\b", "the baton goes to and fro", "back and forth"},                                            /* #quoted */
    {"\\blest\\b", "lest the ring overflows", "so that the ring does not overflow"},                                /* #quoted */
    {"\\b(is|are) meant\\b", "a number is meant", "expected a number"},                                             /* #quoted */
    {"\\bis none of\\b", "the clock is none of its business", "say what is the case"},                              /* #quoted */
    {"\\bbut for\\b", "all but for the last", "except"},                                                            /* #quoted */
    {"\\bthere is but\\b", "there is but this run", "there is only this run"},                                      /* #quoted */
    {"\\bleaves? off\\b", "continues where it leaves off", "stops, ends"},                                          /* #quoted */
    {"\\bis told\\b", "the user is told", "is reported, is printed, is notified"},                                  /* #quoted */
    {"\\bare told\\b", "failures are told", "are reported, are printed"},                                           /* #quoted */
    {"\\btells? it\\b", "the merge tells it", "reports, notifies, prints"},                                         /* #quoted */
    {"\\bnobody hears\\b", "where nobody hears M", "no event is recorded"},                                         /* #quoted */
    {"\\bhow far it comes\\b", "how far it comes is random", "how much it does"},                                   /* #quoted */
};
#define PATTERNS (sizeof forbidden / sizeof *forbidden)

/* All of the tree's prose is below these. */
static const char *const roots[] = {"src", "tests", "scenarios", "layouts", ".ci", "README.md", "CHANGELOG.md", "CMakeLists.txt"};
#define ROOTS (sizeof roots / sizeof *roots)

/* Folders that do not pass yet, and how many hits they may still have. Everything else has none. The numbers only fall. */
static const struct unfinished {
    const char *path;
    int hits;
} unfinished[] = {
    {"src/engine", 1},
    {"src/model", 1},
    {"src/runtime", 41},
    {"tests", 2},
};
#define UNFINISHED (sizeof unfinished / sizeof *unfinished)

struct hits {
    int n;
    char report[32768];
};

/* A text without line breaks: white space and the marks that begin a comment's next line are one blank. */
struct flat {
    char *text;
    int *line;       /* of each character */
    size_t n;
};

static size_t skip_break(const char *p, int *lines)
{
    size_t n = 0, after = 0;
    while (p[n] == ' ' || p[n] == '\t' || p[n] == '\n') {
        *lines += p[n] == '\n';
        after = p[n++] == '\n' ? n : after;
    }
    if (after && p[n] == '*' && p[n + 1] != '/')
        n++;
    else if (after && p[n] == '/' && p[n + 1] == '/')
        n += 2;
    else if (after && p[n] == '#' && p[n + 1] == ' ')
        n++;
    return n + strspn(p + n, " \t") * (after && n > after);
}

static struct flat flatten(const char *raw)
{
    struct flat f = {.text = malloc(strlen(raw) + 1), .line = calloc(strlen(raw) + 1, sizeof *f.line)};
    int line = 1;
    for (const char *p = raw; *p;) {
        int before = line;
        size_t n = skip_break(p, &line);
        f.line[f.n] = n ? before : line;
        f.text[f.n++] = n ? ' ' : *p;
        p += n ? n : 1;
    }
    f.text[f.n] = 0;
    return f;
}

/* Returns true if one of the lines from first to last has the marker. */
static bool quoted(const char *raw, int first, int last)
{
    int line = 1;
    for (const char *p = raw; *p && line <= last; p += strcspn(p, "\n"), p += *p == '\n', line++) {
        const char *marker = strstr(p, MARKER);
        if (line >= first && marker && marker < p + strcspn(p, "\n"))
            return true;
    }
    return false;
}

static void check_pattern(struct hits *h, const char *path, const char *raw, const struct flat *f, size_t which, const regex_t *re)
{
    regmatch_t at;
    for (size_t from = 0; from < f->n && !regexec(re, f->text + from, 1, &at, 0);) {
        size_t first = from + (size_t)at.rm_so, last = from + (size_t)at.rm_eo;
        from = last;
        bool name = f->text[last] == '-' || (first && f->text[first - 1] == '-'); /* part of a file's name */
        if (name || quoted(raw, f->line[first], f->line[last - 1]))
            continue;
        size_t used = strlen(h->report);
        h->n++;
        snprintf(h->report + used, sizeof h->report - used, "%s:%d: \"%.*s\": %s\n", path, f->line[first], (int)(last - first), f->text + first,
                 forbidden[which].instead);
    }
}

static regex_t compiled[PATTERNS];

static void check_text(struct hits *h, const char *path, const char *raw)
{
    struct flat f = flatten(raw);
    for (size_t i = 0; i < PATTERNS; i++) {
        if (!compiled[i].re_nsub && !compiled[i].buffer)
            CHECK_INT(regcomp(&compiled[i], forbidden[i].pattern, REG_EXTENDED | REG_ICASE), 0);
        check_pattern(h, path, raw, &f, i, &compiled[i]);
    }
    free(f.text);
    free(f.line);
}

/* Sources, tables, documents and scripts; a name without a dot is a script. */
static bool is_prose(const char *name)
{
    static const char *const ends[] = {".c", ".h", ".S", ".def", ".md", ".txt", ".yaml", ".sh", ".go", ".pml", ".cpp"};
    const char *dot = strrchr(name, '.');
    if (!dot || dot == name)
        return true;
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
        if (strcmp(dot, ends[i]) == 0)
            return true;
    return false;
}

static void check_path(struct hits *h, const char *root, const char *below);

static void check_folder(struct hits *h, const char *root, const char *below, const char *full)
{
    struct dirent **entries;
    int n = scandir(full, &entries, NULL, alphasort);
    CHECK(n >= 0);
    for (int i = 0; i < n; i++) {
        char sub[512];
        snprintf(sub, sizeof sub, "%s%s%s", below, *below ? "/" : "", entries[i]->d_name);
        if (*entries[i]->d_name != '.')
            check_path(h, root, sub);
        free(entries[i]);
    }
    free(entries);
}

/* Returns the index in unfinished[] of the folder that path is in, UNFINISHED if it is in none. */
static size_t unfinished_of(const char *path)
{
    for (size_t i = 0; i < UNFINISHED; i++) {
        size_t n = strlen(unfinished[i].path);
        if (strncmp(path, unfinished[i].path, n) == 0 && (path[n] == '/' || !path[n]))
            return i;
    }
    return UNFINISHED;
}

/* h has one entry for each row of unfinished[], and one more for all other paths. */
static void check_path(struct hits *h, const char *root, const char *below)
{
    char full[1600];
    struct stat st;
    snprintf(full, sizeof full, "%s/%s", root, below);
    CHECK_INT(stat(full, &st), 0);
    if (S_ISDIR(st.st_mode)) {
        check_folder(h, root, below, full);
        return;
    }
    if (!S_ISREG(st.st_mode) || !is_prose(below))
        return;
    FILE *f = fopen(full, "r");
    char *text = NULL;
    size_t size = 0;
    CHECK(f != NULL);
    if (getdelim(&text, &size, 0, f) > 0)
        check_text(&h[unfinished_of(below)], below, text);
    free(text);
    fclose(f);
}

static struct hits hits[UNFINISHED + 1];

TEST(each_pattern_is_found)
{
    for (size_t i = 0; i < PATTERNS; i++) {
        struct hits h = {0};
        check_text(&h, "a.c", forbidden[i].example);
        if (!strstr(h.report, forbidden[i].instead))
            t_fail(__FILE__, __LINE__, "%s is not found in \"%s\"", forbidden[i].pattern, forbidden[i].example);
    }
}

TEST(a_made_up_tree_fails)
{
    static const char text[] = "/* The picture is made\n * Anew. */\nint x; /* quoted: \"anew\" #quoted */\n"; /* #quoted */
    t_file("src/base/a.c", text);
    memset(hits, 0, sizeof hits);
    check_path(hits, t_tmpdir(), "src");
    CHECK_STR(hits[unfinished_of("src/base/a.c")].report, "src/base/a.c:2: \"Anew\": again, from scratch\n"); /* #quoted */
}

TEST(phrases_are_found_across_lines)
{
    struct hits h = {0};
    check_text(&h, "a.c", "/* a way for\n * who waits */\n// one for\n// who goes\n");
    check_text(&h, "b.sh", "# it asked in\n# vain\n");
    check_text(&h, "c.md", "Nothing is\nmeant, whoever planned it. A planet revolves.\n");
    CHECK_STR(h.report, "a.c:1: \"for who\": name the actor: \"for an M without a P\"\n" /* #quoted */
                        "a.c:3: \"for who\": name the actor: \"for an M without a P\"\n" /* #quoted */
                        "b.sh:1: \"in vain\": without effect, for nothing\n" /* #quoted */
                        "c.md:1: \"is meant\": expected a number\n"); /* #quoted */
}

TEST(this_tree_is_written_in_plain_english)
{
    int over = 0;
    memset(hits, 0, sizeof hits);
    for (size_t i = 0; i < ROOTS; i++)
        check_path(hits, SOURCE_DIR, roots[i]);
    for (size_t i = 0; i <= UNFINISHED; i++) {
        const char *path = i < UNFINISHED ? unfinished[i].path : "the other folders";
        int may = i < UNFINISHED ? unfinished[i].hits : 0;
        if (hits[i].n > may)
            fprintf(stderr, "%s: %d hits, %d allowed\n%s", path, hits[i].n, may, hits[i].report);
        else if (hits[i].n < may)
            fprintf(stderr, "%s: %d hits are left of %d; lower the number in unfinished[]\n", path, hits[i].n, may);
        over += hits[i].n > may;
    }
    CHECK_INT(over, 0);
}
