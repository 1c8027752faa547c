/* What leaves the screen opens the same screen again: the shared line, pictures, the clipboard. */
#include "screen.h"
#include "shell.h"
#include "ui/term/screen.h"

#include <stdio.h>
#include <unistd.h>

/* Returns the line that :share shows, without the box around it. */
static char *shared(struct term *t)
{
    term_keys(t, ":share\r");
    term_wait(t, "Reproduce this run");
    const char *at = strstr(term_text(t), "gmpscope run");
    CHECK(at);
    char *line = strndup(at, strcspn(at, "\n"));
    *strstr(line, "  ") = '\0';
    term_keys(t, "\033");
    term_wait_gone(t, "Reproduce this run");
    return line;
}

/* The words of a line without quotes. */
static const char *const *words_of(char *line)
{
    static const char *word[40];
    size_t n = 0;
    for (char *s = strtok(line, " "); s; s = strtok(NULL, " "))
        word[n++] = s;
    word[0] = GMPSCOPE_BIN;
    word[n] = NULL;
    return word;
}

/* Returns the picture without its first row. */
static const char *below_status(struct term *t)
{
    const char *row = strchr(term_text(t), '\n');
    CHECK(row);
    return row;
}

/* Waits until both show the same. A picture comes in parts, on either of them. */
static void wait_same(struct term *a, struct term *b)
{
    for (int i = 0; i < 500 && strcmp(below_status(a), below_status(b)) != 0; i++) {
        term_settle(a, 20);
        term_settle(b, 20);
    }
    for (const char *x = below_status(a), *y = below_status(b); *x || *y;) {
        size_t n = strcspn(x, "\n"), m = strcspn(y, "\n");
        if (n != m || memcmp(x, y, n) != 0)
            t_fail(__FILE__, __LINE__, "\n%.*s\n%.*s", (int)n, x, (int)m, y);
        x += n + (x[n] == '\n');
        y += m + (y[m] == '\n');
    }
}

/* Event, layout and selection are in the line, so another terminal shows the same. What has changed is marked since the stop before, so both come
 * from the first event. */
TEST(the_shared_line_opens_the_same_screen)
{
    struct term *t = term_start(40, 120, NULL, STEAL_HALF("--tempo", "max", "--layout", "queues", "--break", "steal n>=2"));
    term_wait(t, "PAUSED at steal");
    term_keys(t, ":inspect g6\r");
    term_wait(t, "atomicstatus");
    char event[24], keys[64], *line = shared(t);
    CHECK(strstr(line, " --at ") && strstr(line, " --layout queues") && strstr(line, " --select g6"));
    snprintf(event, sizeof event, "%lu", strtoul(strstr(line, " --at ") + 6, NULL, 10));
    struct term *other = term_start(40, 120, NULL, words_of(line));
    snprintf(keys, sizeof keys, "event %s ", event);
    term_wait(other, "PAUSED "); /* on its way there it says "RUNNING to event …" */
    term_wait(other, keys);
    term_keys(other, "\r"); /* the sheet that :inspect opened is no part of the line */
    snprintf(keys, sizeof keys, "g:goto %s\r", event);
    term_keys(t, keys);
    term_keys(other, keys);
    for (int i = 0; i < 2; i++) { /* the same text may stand there before and after; the second line opens after the picture of the stop */
        wait_handled(t);
        wait_handled(other);
    }
    wait_same(t, other);
    quit(other);
    quit(t);
    free(line);
}

TEST(a_run_opens_at_an_event)
{
    struct term *t = term_start(30, 100, NULL, STEAL_HALF("--at", "197", "--select", "p1"));
    term_wait(t, "PAUSED ");
    term_wait(t, "event 197 ");
    term_wait(t, "M2 steals 4 Gs from P0");
    quit(t);
    t = term_start(30, 100, NULL, STEAL_HALF("--at", "999999"));
    term_wait(t, "ENDED"); /* there is no such event: it ends first, and says so */
    term_wait(t, "the run ended before event 999999");
    quit(t);
    HAS(shell("gmpscope run steal-half --at 0")->err, "--at: expected a whole number from 1");
    HAS(shell("gmpscope run steal-half --select x3")->err, "--select: expected gN, pN or mN");
    HAS(shell("gmpscope run steal-half --headless --at 3")->err, "--at needs a screen, or --picture");
}

static char *contents(const char *name)
{
    char path[4096], *text = NULL;
    size_t room = 0;
    snprintf(path, sizeof path, "%s/%s", t_tmpdir(), name);
    FILE *f = fopen(path, "r");
    CHECK(f && getdelim(&text, &room, '\0', f) > 0);
    fclose(f);
    return text;
}

/* The picture is what the screen shows, without the command line that asked for it. */
TEST(a_picture_is_the_screen)
{
    char line[5000];
    struct term *t = term_start(30, 100, NULL, STEAL_HALF("--at", "197"));
    term_wait(t, "PAUSED ");
    term_wait(t, "event 197 ");
    term_keys(t, "\033"); /* the key line is as it will be */
    snprintf(line, sizeof line, ":picture %s/a.txt\r", t_tmpdir());
    term_settle(t, 100);
    char *shown = strdup(term_text(t));
    term_keys(t, line);
    term_wait(t, "written: ");
    char *text = contents("a.txt");
    CHECK_STR(text, shown);
    free(text);
    snprintf(line, sizeof line, ":picture %s/a.svg\r", t_tmpdir());
    term_keys(t, line);
    term_wait(t, "a.svg");
    term_keys(t, ":picture a.png\r");
    term_wait(t, "expected a file that ends in .svg or .txt");
    term_keys(t, "\033\033");
    quit(t);
    char *svg = contents("a.svg");
    HAS(svg, "<svg xmlns=\"http://www.w3.org/2000/svg\"");
    HAS(svg, "M2 steals 4 Gs from P0 for P1 and holds G6.</text>");
    HAS(svg, "</svg>\n");
    free(svg);
    free(shown);
}

/* Without a terminal the first stop, or the end, is pictured beside the output. */
TEST(a_headless_run_writes_its_picture)
{
    char command[5000];
    snprintf(command, sizeof command, "gmpscope run steal-half --headless --break 'steal n>=2' --picture %s/h.txt", t_tmpdir());
    CHECK_INT(shell(command)->code, 0);
    char *text = contents("h.txt");
    HAS(text, "PAUSED at steal n>=2");
    HAS(text, "M2 steals 4 Gs from P0 for P1 and holds G6.");
    CHECK_INT(strcspn(strchr(text, '\n') + 1, "\n") > 100, true); /* 120 columns; the frame's characters have three bytes */
    free(text);
    snprintf(command, sizeof command, "COLUMNS=80 LINES=24 gmpscope run steal-half --headless --picture %s/e.txt --layout compact",
             t_tmpdir());
    struct result *r = shell(command);
    CHECK_INT(r->code, 0);
    HAS(r->out, "worker 0 ran on P1\n");
    text = contents("e.txt");
    HAS(text, "ENDED");
    int rows = 0;
    for (const char *s = text; (s = strchr(s, '\n')); s++)
        rows++;
    CHECK_INT(rows, 24);
    free(text);
    snprintf(command, sizeof command, "gmpscope run steal-half --headless --picture %s/none/e.txt", t_tmpdir());
    r = shell(command);
    CHECK_INT(r->code, 2);
    HAS(r->err, "e.txt: No such file or directory");
    snprintf(command, sizeof command, "mkfifo %s/f.txt && gmpscope run steal-half --headless --picture %s/f.txt", t_tmpdir(), t_tmpdir());
    CHECK_INT(shell(command)->code, 2); /* and it does not wait for a reader */
    /* A link is replaced: the file that it leads to may be another person's. */
    snprintf(command, sizeof command,
             "cd %s && echo kept >k.txt && ln -s k.txt l.txt && gmpscope run steal-half --headless --picture l.txt", t_tmpdir());
    CHECK_INT(shell(command)->code, 0);
    text = contents("k.txt");
    CHECK_STR(text, "kept\n");
    free(text);
    text = contents("l.txt");
    HAS(text, "ENDED");
    free(text);
    HAS(shell("gmpscope run steal-half --headless --picture a.png")->err, "--picture: expected a file that ends in .svg or .txt");
}

/* Returns what screen_copy() writes. The encoded texts are those of RFC 4648, section 10. */
static void copies(const char *text, const char *encoded)
{
    char got[200] = "", want[200];
    int end[2], kept = dup(STDOUT_FILENO);
    CHECK(pipe(end) == 0 && kept >= 0);
    fflush(stdout);
    dup2(end[1], STDOUT_FILENO);
    screen_copy(NULL, text);
    dup2(kept, STDOUT_FILENO);
    CHECK(read(end[0], got, sizeof got - 1) > 0);
    close(kept), close(end[0]), close(end[1]);
    snprintf(want, sizeof want, "\033]52;c;%s\a", encoded);
    CHECK_STR(got, want);
}

TEST(the_clipboard_gets_base64)
{
    copies("f", "Zg==");
    copies("fo", "Zm8=");
    copies("foo", "Zm9v");
    copies("foobar", "Zm9vYmFy");
    struct term *t = term_start(30, 100, NULL, STEAL_HALF("--at", "197"));
    term_wait(t, "PAUSED ");
    term_wait(t, "event 197 ");
    term_keys(t, ":copy\r");
    term_wait(t, "if the terminal allows it: M2 steals 4 Gs from P0");
    term_keys(t, ":copy share\r");
    term_wait(t, "--at 197");
    term_keys(t, ":copy that\r");
    term_wait(t, "expected \"share\", or nothing (for the sentence)");
    term_keys(t, "\033\033");
    quit(t);
}

/* A presenter's clicker sends page down and page up. */
TEST(a_clicker_plays_a_lesson)
{
    struct term *t = term_start(40, 120, NULL, (const char *const[]){GMPSCOPE_BIN, "lesson", "scene-01-new-g", NULL});
    term_wait(t, "1 of 4");
    term_keys(t, "\033[6~");
    term_wait(t, "2 of 4");
    term_keys(t, "\033[5~");
    term_wait(t, "1 of 4");
    quit(t);
}
