/* Editing the layout while it is shown, in the real program on an emulated terminal. */
#include "screen.h"
#include "shell.h"

#include <stdio.h>
#include <unistd.h>

static void command(struct term *t, const char *line)
{
    term_keys(t, ":");
    term_keys(t, line);
    term_keys(t, "\r");
}

static struct term *start_with(const char *layout, int rows, int columns)
{
    struct term *t = term_start(rows, columns, NULL, STEAL_HALF("--tempo", "max", "--layout", layout, "--break", "steal n>=2"));
    term_wait(t, "PAUSED at steal n>=2");
    return t;
}

static void wrong(struct term *t, const char *line, const char *what)
{
    command(t, line);
    term_wait(t, what);
    term_keys(t, "\x1b");
    term_wait_gone(t, what);
}

TEST(split_pane_and_resize_change_the_focused_pane)
{
    struct term *t = start_with("compact", 24, 80);
    wrong(t, "split rows", "no pane has the focus");
    term_keys(t, "\t"); /* processors */
    command(t, "split columns");
    command(t, "pane program");
    term_wait(t, "wg.Wait()");
    term_wait(t, "Processors");
    command(t, "resize -4");
    wait_handled(t);
    wrong(t, "split up", "expected rows or columns");
    wrong(t, "pane progam", "there is no pane \"progam\"; the nearest is \"program\"");
    wrong(t, "pane qqqqq", "there is no pane \"qqqqq\"; there are status, ");
    wrong(t, "set language de", "there is no language \"de\"; there are en, zh");
    wrong(t, "resize 4", "expected +N or -N");
    wrong(t, "resize -900", "cannot resize");
    command(t, "layout compact");
    term_wait_gone(t, "wg.Wait()");
    command(t, "layout mine");
    term_wait(t, "wg.Wait()");
    quit(t);
}

TEST(the_names_of_panes_and_splits_complete)
{
    struct term *t = start_with("compact", 24, 80);
    term_keys(t, ":pane prog\t");
    term_wait(t, ":pane program");
    term_keys(t, "\x1b:split c\t");
    term_wait(t, ":split columns");
    term_keys(t, "\x1b:layout proj\t");
    term_wait(t, ":layout projector");
    term_keys(t, "\x1b");
    quit(t);
}

/* The picture without the row of keys, where notes are. */
static char *picture(struct term *t)
{
    wait_handled(t);
    char *text = strdup(term_text(t)), *last = strrchr(text, '\n');
    *(last ? last : text) = '\0';
    return text;
}

TEST(a_written_layout_is_right_and_gives_the_same_screen)
{
    char path[500];
    snprintf(path, sizeof path, "%s/lecture.yaml", t_tmpdir());
    struct term *t = start_with("compact", 40, 120);
    term_keys(t, "\t");
    command(t, "split columns");
    command(t, "pane waiting");
    command(t, "resize -20");
    char line[600];
    snprintf(line, sizeof line, "write-layout %s", path);
    command(t, line);
    term_wait(t, "written: ");
    term_keys(t, "\x1b"); /* ends the note */
    term_wait_gone(t, "written: ");
    char *shown = picture(t);
    command(t, "layout code");
    term_wait(t, "Program");
    snprintf(line, sizeof line, "layout %s", path);
    command(t, line);
    term_wait_gone(t, "Program");
    command(t, "layout /nowhere/x.yaml");
    term_wait(t, "/nowhere/x.yaml: ");
    term_keys(t, "\x1b");
    quit(t);
    CHECK_INT(RUN("lint", path).code, 0);
    t = start_with(path, 40, 120);
    term_keys(t, "\t");
    char *again = picture(t);
    CHECK_STR(again, shown);
    quit(t);
    free(shown);
    free(again);
}

/* Runs :write-config and returns what the file says. The next start must accept that. */
static const char *written_config(struct term *t, const char *note)
{
    static char path[600];
    snprintf(path, sizeof path, "%s/xdg/gmpscope/config.yaml", t_tmpdir());
    command(t, "write-config");
    term_wait(t, note);
    term_keys(t, "\x1b");
    term_wait_gone(t, note);
    CHECK_INT(RUN("list").code, 0);
    return slurp(path, NULL);
}

TEST(the_preferences_keep_a_layout_that_the_next_start_finds)
{
    char folder[500], path[500], line[600];
    snprintf(folder, sizeof folder, "%s/xdg", t_tmpdir());
    setenv("XDG_CONFIG_HOME", folder, 1);
    const char *own = t_file("own.yaml", "name: lecture\nroot: {pane: output}\n");
    struct term *t = start_with("compact", 40, 200);
    HAS(written_config(t, "written: "), "layout: \"compact\"\n");
    term_keys(t, "\t");
    command(t, "split columns");
    CHECK(!strstr(written_config(t, "without the edited layout"), "layout: "));
    snprintf(path, sizeof path, "%s/kept.yaml", t_tmpdir());
    snprintf(line, sizeof line, "write-layout %s", path);
    command(t, line);
    term_wait(t, "written: ");
    HAS(written_config(t, "config.yaml"), path);
    term_keys(t, "\t");
    command(t, "resize -4");
    CHECK(!strstr(written_config(t, "without the edited layout"), "layout: "));
    snprintf(line, sizeof line, "layout %s", own);
    command(t, line);
    term_wait_gone(t, "Threads");
    HAS(written_config(t, "config.yaml"), own);
    quit(t);
    unsetenv("XDG_CONFIG_HOME");
}

TEST(a_file_that_is_no_layout_is_not_replaced)
{
    struct term *t = start_with("compact", 24, 80);
    char line[600];
    const char *path = t_file("notes.txt", "mine\n");
    snprintf(line, sizeof line, "write-layout %s", path);
    command(t, line);
    term_wait(t, "exists and is not a layout");
    term_keys(t, "\x1b");
    CHECK_STR(slurp(path, NULL), "mine\n");
    command(t, "write-layout /nowhere/x.yaml");
    term_wait(t, "cannot write");
    term_keys(t, "\x1b");
    quit(t);
}

#define HEAD "name: own\nroot:\n  split: rows\n  children:\n    - {pane: status, size: 1}\n"

TEST(a_changed_file_is_shown_and_a_mistake_leaves_the_old_layout)
{
    const char *path = t_file("own.yaml", HEAD "    - {pane: output}\n");
    struct term *t = start_with(path, 24, 80);
    term_wait(t, "Output");
    t_file("own.yaml", HEAD "    - {pane: program}\n");
    term_wait(t, "func main() {");
    term_wait(t, "has changed and is shown now");
    t_file("own.yaml", HEAD "    - {pane: progam}\n");
    term_wait(t, "own.yaml:6:14: ");
    CHECK(term_shows(t, "func main() {"));
    t_file("own.yaml", HEAD "    - {pane: threads}\n");
    term_wait(t, "Threads");
    term_wait_gone(t, "func main() {");
    quit(t);
}
