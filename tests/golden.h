/* Golden screens: text that is compared row by row with a file of tests/screens. UPDATE=1 rewrites the files. */
#ifndef GMPSCOPE_TESTS_GOLDEN_H
#define GMPSCOPE_TESTS_GOLDEN_H

#include "screen.h"

#include <stdio.h>

enum {
    TEXT_BYTES = 262144,
    LOOKS = 200 /* how often a test looks, each time after 100 ms of silence, before it says that a picture is wrong */
};

static inline bool updating(void)
{
    const char *v = getenv("UPDATE");
    return v && *v && strcmp(v, "0") != 0;
}

/* Returns the whole file; free() it. NULL: there is none. */
static inline char *read_file(const char *path)
{
    FILE *f = fopen(path, "r");
    char *text = calloc(1, TEXT_BYTES);
    CHECK(text);
    if (!f)
        return NULL;
    CHECK(fread(text, 1, TEXT_BYTES - 1, f) < TEXT_BYTES - 1);
    fclose(f);
    return text;
}

static inline void write_file(const char *path, const char *text)
{
    FILE *f = fopen(path, "w");
    CHECK(f && fputs(text, f) >= 0 && fclose(f) == 0);
}

/* Fails at the first row that differs. */
static inline void check_rows(const char *name, const char *got, const char *want)
{
    for (int row = 1; *got || *want; row++) {
        size_t g = strcspn(got, "\n"), w = strcspn(want, "\n");
        if (g != w || memcmp(got, want, g) != 0)
            t_fail(name, row, "\n  shown:    %.*s\n  expected: %.*s\nUPDATE=1 rewrites the file", (int)g, got, (int)w, want);
        got += g + (got[g] == '\n');
        want += w + (want[w] == '\n');
    }
}

static inline const char *screen_path(const char *name)
{
    static char path[512];
    snprintf(path, sizeof path, "%s/tests/screens/%s.txt", SOURCE_DIR, name);
    return path;
}

/* Returns whether `shown` is what the file has, or will have. */
static inline bool is_screen(const char *name, const char *shown)
{
    char *want = updating() ? NULL : read_file(screen_path(name));
    bool same = !want || strcmp(want, shown) == 0;
    free(want);
    return same;
}

static inline void check_screen(const char *name, const char *shown)
{
    const char *path = screen_path(name);
    if (updating())
        write_file(path, shown);
    char *want = read_file(path);
    if (!want)
        t_fail(path, 0, "no such picture; UPDATE=1 writes it");
    check_rows(path, shown, want);
    free(want);
}

#endif
