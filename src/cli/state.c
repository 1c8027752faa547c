/* Small files: `recent`, one name or path a line, newest first; `hint`, empty, exists once the hint was shown; `scores`, lines of NAME RIGHT ASKED;
 * `path`, the word of the chosen path. */
#include "cli/state.h"
#include "base/file.h"
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

/* Opens the file for a new content. Returns: false if it cannot be written. */
static bool begin(const char *file, char path[PATH_MAX], struct file_new *out)
{
    return path_of(file, path) && make_folders(path) && file_begin(out, path) == 0;
}

/* Opens a file to read it. NULL: there is none, or it is no regular file. */
static FILE *open_kept(const char *file)
{
    char path[PATH_MAX];
    return path_of(file, path) ? file_open(path) : NULL;
}

int state_recent(struct arena *a, const char *out[STATE_RECENT])
{
    char line[PATH_MAX + 2];
    FILE *f = open_kept("recent");
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
    char path[PATH_MAX];
    struct file_new f;
    int n = state_recent(&a, before), kept = 1;
    if (!strchr(what, '\n') && begin("recent", path, &f)) {
        fprintf(f.out, "%s\n", what);
        for (int i = 0; i < n && kept < STATE_RECENT; i++)
            if (strcmp(before[i], what) != 0 && ++kept)
                fprintf(f.out, "%s\n", before[i]);
        file_finish(&f);
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
    char path[PATH_MAX];
    struct file_new f;
    if (begin("hint", path, &f))
        file_finish(&f);
}

/* Reads one line of `scores`. Returns: false if it makes no sense. */
static bool read_score(struct arena *a, const char *line, struct state_score *out)
{
    char name[256];
    int end = 0;
    if (sscanf(line, "%255s %u %u%n", name, &out->right, &out->asked, &end) != 3 || (line[end] != '\n' && line[end]) ||
        out->right > out->asked || out->asked > STATE_SCORES)
        return false;
    out->name = arena_strndup(a, name, strlen(name));
    return out->name;
}

size_t state_scores(struct arena *a, const struct state_score **out)
{
    char line[PATH_MAX];
    struct state_score *all = arena_alloc(a, STATE_SCORES * sizeof *all);
    FILE *f = all ? open_kept("scores") : NULL;
    size_t n = 0;
    while (f && n < STATE_SCORES && fgets(line, sizeof line, f))
        n += read_score(a, line, &all[n]);
    if (f)
        fclose(f);
    *out = all;
    return n;
}

/* A score is better if more of the questions were answered right. */
static bool is_better(const struct state_score *a, const struct state_score *b)
{
    unsigned now = a->right * (b->asked ? b->asked : 1), before = b->right * (a->asked ? a->asked : 1);
    return now > before || (now == before && a->asked > b->asked);
}

void state_score(const struct state_score *score)
{
    struct arena a = {0};
    const struct state_score *all;
    char path[PATH_MAX];
    struct file_new f;
    size_t n = state_scores(&a, &all), at = 0;
    while (at < n && strcmp(all[at].name, score->name) != 0)
        at++;
    bool keep = !strpbrk(score->name, " \t\n") && (at < n ? is_better(score, &all[at]) : n < STATE_SCORES);
    if (keep && !a.lacking && begin("scores", path, &f)) {
        for (size_t i = 0; i < n; i++)
            if (i != at)
                fprintf(f.out, "%s %u %u\n", all[i].name, all[i].right, all[i].asked);
        fprintf(f.out, "%s %u %u\n", score->name, score->right, score->asked);
        file_finish(&f);
    }
    arena_fini(&a);
}

enum scenario_path state_path(void)
{
    char word[40];
    FILE *f = open_kept("path");
    int p = f && fscanf(f, "%39s", word) == 1 ? 0 : PATHS;
    while (p < PATHS && strcmp(word, scenario_path_word((enum scenario_path)p)) != 0)
        p++;
    if (f)
        fclose(f);
    return (enum scenario_path)p;
}

void state_path_chosen(enum scenario_path path_chosen)
{
    char path[PATH_MAX];
    struct file_new f;
    if (begin("path", path, &f)) {
        fprintf(f.out, "%s\n", path_chosen < PATHS ? scenario_path_word(path_chosen) : "none");
        file_finish(&f);
    }
}
