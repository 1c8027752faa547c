/* Two small files: `recent`, one name or path a line, newest first; `hint`, empty, exists once the hint was shown. */
#include "cli/state.h"
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Writes the path of a file in the state folder to out. Returns: false if there is no such folder, as without HOME. */
static bool path_of(const char *file, char out[PATH_MAX])
{
    const char *state = getenv("XDG_STATE_HOME"), *home = getenv("HOME");
    int n = -1;
    if (state && *state == '/') /* the standard ignores a relative path */
        n = snprintf(out, PATH_MAX, "%s/gmpscope/%s", state, file);
    else if (home && *home == '/')
        n = snprintf(out, PATH_MAX, "%s/.local/state/gmpscope/%s", home, file);
    return n > 0 && n < PATH_MAX;
}

/* Makes the folders above the file. Returns: false if it cannot be written there. */
static bool make_folders(char *path)
{
    for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        int made = mkdir(path, 0700);
        bool there = made == 0 || errno == EEXIST || errno == EROFS || errno == EACCES; /* a folder far above may be another user's */
        *slash = '/';
        if (!there)
            return false;
    }
    char *last = strrchr(path, '/');
    *last = '\0';
    bool writable = access(path, W_OK) == 0;
    *last = '/';
    return writable;
}

/* Opens the file for a new content, under another name until finish(). NULL: it cannot be written. */
static FILE *begin(const char *file, char path[PATH_MAX], char temporary[PATH_MAX + 24])
{
    if (!path_of(file, path) || !make_folders(path))
        return NULL;
    snprintf(temporary, PATH_MAX + 24, "%s.%ld", path, (long)getpid());
    return fopen(temporary, "w");
}

static void finish(FILE *f, const char *path, const char *temporary)
{
    bool written = !ferror(f);
    written = !fclose(f) && written;
    if (!written || rename(temporary, path) < 0)
        unlink(temporary);
}

int state_recent(struct arena *a, const char *out[STATE_RECENT])
{
    char path[PATH_MAX], line[PATH_MAX + 2];
    FILE *f = path_of("recent", path) ? fopen(path, "r") : NULL;
    int n = 0;
    while (f && n < STATE_RECENT && fgets(line, sizeof line, f)) {
        size_t len = strcspn(line, "\n");
        const char *name = line[len] && len ? arena_strndup(a, line, len) : NULL;
        if (name)
            out[n++] = name;
    }
    if (f)
        fclose(f);
    return n;
}

void state_ran(const char *what)
{
    struct arena a = {0};
    const char *before[STATE_RECENT];
    char path[PATH_MAX], temporary[PATH_MAX + 24];
    int n = state_recent(&a, before), kept = 1;
    FILE *f = strchr(what, '\n') ? NULL : begin("recent", path, temporary);
    if (f) {
        fprintf(f, "%s\n", what);
        for (int i = 0; i < n && kept < STATE_RECENT; i++)
            if (strcmp(before[i], what) != 0 && ++kept)
                fprintf(f, "%s\n", before[i]);
        finish(f, path, temporary);
    }
    arena_fini(&a);
}

bool state_hint(void)
{
    char path[PATH_MAX];
    return path_of("hint", path) && access(path, F_OK) < 0 && make_folders(path);
}

void state_hint_shown(void)
{
    char path[PATH_MAX], temporary[PATH_MAX + 24];
    FILE *f = begin("hint", path, temporary);
    if (f)
        finish(f, path, temporary);
}
