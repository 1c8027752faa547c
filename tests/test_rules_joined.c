/* A static function with one call and five or more parameters is a piece of its caller's story, and is joined with it (STYLE.md). The rule is
 * checked on the text of all sources, and is shown to fail on a made-up one. */
#include "t.h"

#include <ctype.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FEWEST = 5 };

/* Functions of Go's scheduler with Go's parameters. */
static const char *const exempt[] = {"runqgrab", "runqputslow"};

/* Blanks comments and literals. */
static void blank_out(char *s)
{
    for (char *p = s; *p; p++) {
        char *end = p;
        if (p[0] == '/' && p[1] == '*')
            end = strstr(p + 2, "*/") + 1;
        else if (*p == '"' || *p == '\'')
            for (end = p + 1; *end != *p && *end != '\n'; end++)
                end += *end == '\\' && end[1];
        for (; p < end; p++)
            *p = *p == '\n' ? '\n' : ' ';
    }
}

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

/* Returns the next place after `at` where the name stands as a word, NULL: there is none. */
static const char *next_use(const char *at, const char *name)
{
    while ((at = strstr(at + 1, name)) && (is_word(at[strlen(name)]) || is_word(at[-1])))
        ;
    return at;
}

static int parameters(const char *open, const char *end)
{
    int n = 1, depth = 0;
    for (const char *p = open; p < end; p++) {
        depth += (*p == '(') - (*p == ')');
        n += *p == ',' && depth == 1;
    }
    return n;
}

/* How often the function is named beside its definition and its declarations; more than once if a table has it. */
static int uses(const char *text, const char *name)
{
    int n = 0;
    for (const char *at = text; (at = next_use(at, name));) {
        const char *line = at;
        while (line > text && line[-1] != '\n')
            line--;
        if (strncmp(line, "static ", 7) != 0)
            n += at[strlen(name)] == '(' ? 1 : 2;
    }
    return n;
}

/* Returns how many functions of the text break the rule, and adds them to the report. */
static int check_text(const char *path, const char *raw, char *report, size_t size)
{
    int bad = 0;
    char *text = strdup(raw);
    CHECK(text);
    blank_out(text);
    for (char *at = text; (at = strstr(at, "\nstatic ")); at++) {
        char *end = strstr(at, "\n{"), *open = strchr(at, '('), name[64];
        if (!end || !open || open > end || strcspn(at, ";={}") < (size_t)(end - at) || parameters(open, end) < FEWEST)
            continue;
        char *from = open;
        while (is_word(from[-1]))
            from--;
        snprintf(name, sizeof name, "%.*s", (int)(open - from), from);
        bool fine = uses(text, name) != 1;
        for (size_t i = 0; i < sizeof exempt / sizeof *exempt; i++)
            fine |= strcmp(exempt[i], name) == 0;
        if (fine)
            continue;
        bad++;
        snprintf(report + strlen(report), size - strlen(report), "%s: %s() has one call and %d parameters\n", path, name,
                 parameters(open, end));
    }
    free(text);
    return bad;
}

static int check_folder(const char *folder, char *report, size_t size)
{
    struct dirent **entry;
    int bad = 0, n = scandir(folder, &entry, NULL, alphasort);
    CHECK(n > 0);
    for (int i = 0; i < n; i++) {
        char path[512];
        size_t len = strlen(entry[i]->d_name);
        snprintf(path, sizeof path, "%s/%s", folder, entry[i]->d_name);
        if (entry[i]->d_type == DT_DIR && entry[i]->d_name[0] != '.') {
            bad += check_folder(path, report, size);
        } else if (len > 2 && strcmp(entry[i]->d_name + len - 2, ".c") == 0) {
            static char text[1 << 17];
            FILE *f = fopen(path, "r");
            CHECK(f);
            text[fread(text, 1, sizeof text - 1, f)] = '\0';
            fclose(f);
            bad += check_text(path + sizeof SOURCE_DIR, text, report, size);
        }
        free(entry[i]);
    }
    free(entry);
    return bad;
}

TEST(no_piece_of_a_story_has_five_parameters)
{
    static char report[1 << 14];
    if (check_folder(SOURCE_DIR "/src", report, sizeof report))
        t_fail(SOURCE_DIR "/src", 0, "join them with their callers, or let a struct carry what travels together:\n%s", report);
}

TEST(a_piece_with_five_parameters_is_found)
{
    static const char piece[] = "\nstatic int f(int a, int b, int c,\n             int d, int (*e)(int, int))\n{\n}\n\n";
    char text[512], report[512] = "";
    snprintf(text, sizeof text, "%s/* f(1) */ int x = f(1, 2, 3, 4, g);\n", piece);
    CHECK_INT(check_text("x.c", text, report, sizeof report), 1);
    CHECK(strstr(report, "f() has one call and 5 parameters"));
    snprintf(text, sizeof text, "%sint x = f(1, 2, 3, 4, g) + f(1, 2, 3, 4, g);\n", piece);
    CHECK_INT(check_text("x.c", text, report, sizeof report), 0);
    snprintf(text, sizeof text, "\nstatic int f(int a, int b, int c, int d);%sint x = f(1, 2, 3, 4, g);\n", piece);
    CHECK_INT(check_text("x.c", text, report, sizeof report), 1);
    snprintf(text, sizeof text, "%sint (*t[])() = {f};\n", piece);
    CHECK_INT(check_text("x.c", text, report, sizeof report), 0);
    CHECK_INT(check_text("x.c", "\nstatic int f(int a, int b)\n{\n}\n\nint x = f(1, 2);\n", report, sizeof report), 0);
}
