/* Golden screens: what the program shows, compared row by row with tests/screens/NAME.txt.
 *
 * Each picture is taken in lockstep, at the second of two stops, so that it depends on the events alone. UPDATE=1 rewrites the files
 * and the picture in the README; look at the difference before you commit it.
 */
#include "golden.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SETTLE_MS = 100, SOON_MS = 20 };

/* How a picture is taken. */
struct shape {
    int columns, rows;
    const char *lang;
    bool ascii;
};

/* The emulator cannot repeat a character in ASCII. */
static const char *const posix_vt100[] = {"LC_ALL=POSIX", "TERM=vt100", NULL};

/* Compares the screen with its file. A terminal without brackets of frames may show half of one for as long as the program does not run, so a
 * picture that differs is looked at again. One that is wrong stays wrong. */
static void check_picture(struct term *t, const char *name)
{
    term_settle(t, updating() ? SETTLE_MS : SOON_MS);
    for (int i = 0; i < LOOKS && !is_screen(name, term_text(t)); i++)
        term_settle(t, SETTLE_MS);
    check_screen(name, term_text(t));
}

/* Stops twice: marks then show what changed since the first stop. */
static struct term *stop_at_the_steal(const char *layout, const struct shape *s)
{
    bool zh = strcmp(s->lang, "zh") == 0;
    struct term *t = term_start(s->rows, s->columns, s->ascii ? posix_vt100 : NULL,
                                STEAL_HALF("--tempo", "max", "--layout", layout, "--lang", s->lang, "--break", "g_end g=2"));
    term_wait(t, zh ? "暂停于 g_end g=2" : "PAUSED at g_end g=2");
    term_keys(t, ":until steal n>=2\r");
    term_wait(t, zh ? "暂停于 steal n>=2" : "PAUSED at steal n>=2");
    return t;
}

static void check_layout(const char *layout, const struct shape *s)
{
    char name[128];
    struct term *t = stop_at_the_steal(layout, s);
    snprintf(name, sizeof name, "%s-%dx%d%s%s", layout, s->columns, s->rows, s->ascii ? "-ascii" : "", strcmp(s->lang, "en") ? "-zh" : "");
    check_picture(t, name);
    quit(t);
}

static int is_yaml(const struct dirent *e)
{
    const char *dot = strrchr(e->d_name, '.');
    return dot && strcmp(dot, ".yaml") == 0;
}

/* Each shipped layout in each shape. A layout that does not fit gives way to another, which is part of its picture. */
TEST(every_shipped_layout_looks_as_it_did)
{
    static const struct shape shapes[] = {{80, 24, "en", false}, {120, 40, "en", false}, {120, 40, "zh", false}};
    struct dirent **entry;
    int n = scandir(SOURCE_DIR "/layouts", &entry, is_yaml, alphasort);
    CHECK(n > 0);
    for (int i = 0; i < n; i++) {
        char layout[64];
        snprintf(layout, sizeof layout, "%.*s", (int)(strlen(entry[i]->d_name) - 5), entry[i]->d_name);
        for (size_t k = 0; k < sizeof shapes / sizeof *shapes; k++)
            check_layout(layout, &shapes[k]);
        free(entry[i]);
    }
    free(entry);
    check_layout("classic", &(struct shape){120, 40, "en", true}); /* test_pictures.c has each pane in ASCII */
}

/* 64 Ps: on a high screen their pane has more rows; lines stand for Ps that are left out. */
TEST(many_ps_look_as_they_did)
{
    static const struct {
        int rows, columns;
    } size[] = {{24, 80}, {30, 100}, {60, 200}};
    for (size_t i = 0; i < sizeof size / sizeof *size; i++) {
        char name[64];
        struct term *t =
            term_start(size[i].rows, size[i].columns, NULL, STEAL_HALF("--tempo", "max", "--procs", "64", "--break", "steal x4"));
        term_wait(t, "PAUSED at steal x4");
        term_keys(t, ":inspect p30\r");
        term_wait(t, "P30 ─");
        snprintf(name, sizeof name, "many-ps-%dx%d", size[i].columns, size[i].rows);
        check_picture(t, name);
        quit(t);
    }
}

/* The stage has the run's title, so there is no line with it at the start of the run. */
TEST(the_projector_has_the_title_once)
{
    struct term *t = term_start(30, 100, NULL, STEAL_HALF("--tempo", "max", "--layout", "projector", "--break", "go_create g=2"));
    term_wait(t, "ev 12");
    term_settle(t, SETTLE_MS);
    const char *title = "Half of a neighbour's queue", *first = strstr(term_text(t), title);
    CHECK(first && !strstr(first + 1, title));
    quit(t);
}

/* An overflow into an empty global queue: the arrow leaves the queue's text readable. */
TEST(the_projectors_arrow_ends_after_the_empty_queue)
{
    struct term *t = term_start(30, 100, NULL,
                                (const char *const[]){GMPSCOPE_BIN, "run", "overflow", "--lang", "en", "--tempo", "max", "--layout",
                                                      "projector", "--break", "runq_overflow", NULL});
    term_wait(t, "ev 43");
    term_wait(t, "empty: a full ring overflows into it ◀━");
    quit(t);
}

/* A mutex is starving: its holder, its queue, and a WaitGroup. */
static void check_waiting(const char *layout, const char *lang, int columns, int rows)
{
    char name[128];
    const char *const command[] = {
        GMPSCOPE_BIN, "run", "mutex-starving", "--tempo", "max", "--layout", layout, "--lang", lang, "--break", "mutex_op op=unlock", NULL};
    struct term *t = term_start(rows, columns, NULL, command);
    term_wait(t, strcmp(lang, "zh") ? "PAUSED at mutex_op op=unlock" : "暂停于 mutex_op op=unlock");
    term_keys(t, ":until mutex_op op=starve\r");
    term_wait(t, strcmp(lang, "zh") ? "PAUSED at mutex_op op=starve" : "暂停于 mutex_op op=starve");
    snprintf(name, sizeof name, "waiting-%s-%dx%d-%s", layout, columns, rows, lang);
    check_picture(t, name);
    quit(t);
}

TEST(a_starving_mutex_looks_as_it_did)
{
    check_waiting("queues", "en", 80, 24);
    check_waiting("classic", "zh", 120, 40);
}

/* ---- a lesson ---- */

/* A question that was answered wrongly, at the event that decides it; then the closing card. */
static void check_lesson(const char *lang, const char *const *waits, int columns, int rows)
{
    char name[128];
    struct term *t = term_start(
        rows, columns, NULL, (const char *const[]){GMPSCOPE_BIN, "lesson", SOURCE_DIR "/tests/scenarios/taken.yaml", "--lang", lang, NULL});
    static const char *const keys[] = {" ", "1", " ", ".", ".", " "};
    for (int i = 0; i < 6; i++) {
        term_wait(t, waits[i]);
        if (i >= 3)
            term_settle(t, SETTLE_MS); /* the rest of the frame; and the stop, which the marks of the next one are compared with */
        if (i == 3) {
            snprintf(name, sizeof name, "player-%dx%d-%s", columns, rows, lang);
            check_picture(t, name);
        }
        term_keys(t, keys[i]);
    }
    term_wait(t, waits[6]);
    snprintf(name, sizeof name, "card-%dx%d-%s", columns, rows, lang);
    check_picture(t, name);
    quit(t);
}

TEST(a_lesson_and_its_card_look_as_they_did)
{
    static const char *const en[] = {
        "Three workers", "Which G runs", "watch it", "2 of 3: the answer", "Who printed", "The answer is main", "Score"};
    static const char *const zh[] = {"三个 worker", "接下来哪个", "看看实际", "2 / 3：答案", "谁打印的", "答案是 main", "得分："};
    check_lesson("en", en, 80, 24);
    check_lesson("zh", zh, 120, 40);
    check_lesson("en", en, 200, 60);
}

/* On the stage, a high screen has the lesson in large letters, too: a text, a question, and its answer. */
static void check_lesson_on_the_stage(const char *lang, int columns, int rows)
{
    bool zh = strcmp(lang, "zh") == 0;
    const char *const waits[] = {zh ? "1 / 3" : "1 of 3", zh ? "2 / 3" : "2 of 3", zh ? "答对 0 / 1" : "0 of 1 right"}, *const keys[] = {
                                                                                                                            " ", "1", ""};
    struct term *t = term_start(rows, columns, NULL,
                                (const char *const[]){GMPSCOPE_BIN, "lesson", SOURCE_DIR "/tests/scenarios/taken.yaml", "--layout",
                                                      "projector", "--lang", lang, NULL});
    for (int i = 0; i < 3; i++) {
        char name[128];
        term_wait(t, waits[i]);
        term_settle(t, SETTLE_MS);
        snprintf(name, sizeof name, "stage-lesson-%d-%dx%d-%s", i + 1, columns, rows, lang);
        check_picture(t, name);
        term_keys(t, keys[i]);
    }
    quit(t);
}

TEST(a_lesson_on_the_stage_looks_as_it_did)
{
    check_lesson_on_the_stage("en", 200, 60);
    check_lesson_on_the_stage("zh", 100, 30);
}

/* ---- the list of scenarios ---- */

/* The picture on the right shows a stopped run, so it depends on that run's events alone. */
static void check_door(const char *kind, const char *const *env, const char *sentence, int columns, int rows)
{
    char name[128];
    struct term *t = term_start(rows, columns, env, (const char *const[]){GMPSCOPE_BIN, NULL});
    term_wait(t, "gmpscope");
    term_keys(t, "\t\tj\tj"); /* behind One P: Queues, then Finding work */
    term_wait(t, sentence);
    snprintf(name, sizeof name, "door-%dx%d%s", columns, rows, kind);
    check_picture(t, name);
    quit(t);
}

TEST(the_list_of_scenarios_looks_as_it_did)
{
    static const char *const zh[] = {"LC_ALL", "LANG", "LC_CTYPE=C.UTF-8", "LC_MESSAGES=zh_CN.UTF-8", NULL};
    static const int size[][2] = {{80, 24}, {120, 40}, {200, 60}};
    for (int i = 0; i < 3; i++) {
        check_door("", NULL, "G9", size[i][0], size[i][1]);
        check_door("-zh", zh, "G9", size[i][0], size[i][1]);
        check_door("-ascii", posix_vt100, "G9", size[i][0], size[i][1]);
    }
}

/* ---- the ladder of each generation ---- */

/* Layout search at the first thief that comes away with nothing, or in go1.0 at the first M that sleeps. */
static void check_ladder(const char *generation, const char *lang, const char *stop)
{
    char name[128];
    struct term *t = term_start(
        24, 80, NULL, STEAL_HALF("--tempo", "max", "--layout", "search", "--generation", generation, "--lang", lang, "--break", stop));
    char stopped[128];
    snprintf(stopped, sizeof stopped, "%s %s", strcmp(lang, "zh") ? "PAUSED at" : "暂停于", stop);
    term_wait(t, stopped);
    snprintf(name, sizeof name, "ladder-%s%s%s", generation, strcmp(lang, "en") ? "-" : "", strcmp(lang, "en") ? lang : "");
    check_picture(t, name);
    quit(t);
}

TEST(the_ladder_of_each_generation_looks_as_it_did)
{
    check_ladder("go1.20", "en", "find_stage stage=drop_p");
    check_ladder("go1.20", "zh", "find_stage stage=drop_p");
    check_ladder("go1.13", "en", "m_park m=2");
    check_ladder("go1.4", "en", "m_park m=2");
    check_ladder("go1.0", "en", "m_park m=0");
    check_ladder("go1.0", "zh", "m_park m=0");
}

/* ---- what is selected, field by field ---- */

/* A G that a batch has moved, a thief and its victim, and the scheduler, right after a steal. */
static void check_inspect(const struct shape *s)
{
    static const char *const of[] = {"g3", "m2", "p1", ""};
    struct term *t = stop_at_the_steal("classic", s);
    for (int i = 0; i < 4; i++) {
        char name[128], keys[32];
        snprintf(keys, sizeof keys, ":inspect %s\r", of[i]);
        term_keys(t, keys);
        wait_handled(t);
        snprintf(name, sizeof name, "inspect-%s-%dx%d%s%s", *of[i] ? of[i] : "sched", s->columns, s->rows, s->ascii ? "-ascii" : "",
                 strcmp(s->lang, "en") ? "-zh" : "");
        check_picture(t, name);
    }
    quit(t);
}

TEST(what_is_selected_looks_as_it_did)
{
    check_inspect(&(struct shape){120, 40, "en", false});
    check_inspect(&(struct shape){120, 40, "zh", false});
}

/* Each generation has its own names of fields. */
static void check_generation(const char *generation, const char *const (*rows)[5])
{
    static const char *const of[] = {"g3", "m0", "", "p0"};
    char keys[32];
    struct term *t =
        term_start(40, 120, NULL, STEAL_HALF("--tempo", "max", "--layout", "classic", "--generation", generation, "--break", "g_end g=3"));
    term_wait(t, "PAUSED at g_end");
    for (int i = 0; i < 4 && rows[i][0]; i++) {
        snprintf(keys, sizeof keys, ":inspect %s\r", of[i]);
        term_keys(t, keys);
        for (int k = 0; k < 5 && rows[i][k]; k++)
            term_wait(t, rows[i][k]);
    }
    quit(t);
}

TEST(what_is_selected_has_the_names_of_its_generation)
{
    check_generation("go1.0", (const char *const[4][5]){
                                  {"status Gdead      it has ended", "entry  worker     its function", "gopc   G1 main"},
                                  {"waitnextg 0          1: it sleeps until it is given a G"},
                                  {"ghead     G5 G6 G7 G8 G9 G10  the global queue", "gwait     6", "mhead     nil", "mwait     0"}});
    check_generation("go1.4", (const char *const[4][5]){{"atomicstatus _Gdead     it has ended", "gopc         G1 main"},
                                                        {"blocked false      does it sleep on its note?"},
                                                        {"runqhead nil        the global queue", "runqsize 0", "midle    nil"},
                                                        {"_Prunning  an M has it", "runq      G8 G9 G10", "schedtick 5"}});
    check_generation("go1.13", (const char *const[4][5]){{"startpc      worker     its function"},
                                                         {"oldp    nil        its P before the system call"},
                                                         {"runq     nil        the global queue"},
                                                         {"runnext nil        the G that runs first, before runq"}});
}

/* ---- the picture in the README ---- */

/* The text between the fences behind `heading`: *from is its first byte; returns its length. */
static size_t find_block(const char *text, const char *heading, const char **from)
{
    const char *at = strstr(text, heading), *open = at ? strstr(at, "\n```\n") : NULL;
    const char *end = open ? strstr(open + 5, "```\n") : NULL;
    CHECK(end);
    *from = open + 5;
    return (size_t)(end - *from);
}

TEST(the_readme_shows_what_the_program_shows)
{
    const char *path = SOURCE_DIR "/README.md", *from;
    char shown[TEXT_BYTES], block[TEXT_BYTES];
    do { /* a frame that is drawn right before the first stop leaves marks: take the picture again */
        struct term *t = term_start(30, 100, NULL, STEAL_HALF("--tempo", "max", "--break", "steal n>=2"));
        term_wait(t, "PAUSED at steal n>=2");
        term_settle(t, SETTLE_MS);
        snprintf(shown, sizeof shown, "%s", term_text(t));
        quit(t);
    } while (strchr(shown, '*'));
    char *readme = read_file(path);
    CHECK(readme);
    size_t n = find_block(readme, "## What you see", &from);
    if (updating()) {
        size_t before = (size_t)(from - readme);
        char *text = malloc(2 * TEXT_BYTES);
        CHECK(text);
        snprintf(text, 2 * TEXT_BYTES, "%.*s%s%s", (int)before, readme, shown, from + n);
        write_file(path, text);
        free(text);
    } else {
        snprintf(block, sizeof block, "%.*s", (int)n, from);
        check_rows(path, shown, block);
    }
    free(readme);
}
