/* A lesson, or a person, stops the run at a detail event: each screen says which event that is, and marks its thread, whatever the size, the
 * layout and the language. */
#include "load.h"
#include "model/query/pattern.h"
#include "runtime/runtime.h"
#include "screen.h"
#include "shell.h"

static bool asks_for_details(const char *on)
{
    struct arena a = {0};
    const char *err;
    size_t pos;
    struct pattern *p = strcmp(on, "start") ? pattern_compile(&a, on, &err, &pos) : NULL;
    bool yes = p && pattern_asks_for_details(p);
    arena_fini(&a);
    return yes;
}

/* Does the lesson, in a run of that generation, stop at a detail event? */
static bool stops_at_details(const struct scenario *sc, int generation)
{
    struct rt_config rt = scenario_own_settings(sc);
    struct scenario_lesson l;
    bool any = false;
    rt.generation = (enum rt_generation)generation;
    for (uint32_t i = 0; i < scenario_info(sc)->nlesson; i++) {
        scenario_lesson(sc, i, &l);
        any |= l.stops && asks_for_details(l.on) && scenario_lesson_plays(sc, i, &rt);
    }
    return any;
}

/* Returns line n of a text, from 1. */
static char *line_of(char *text, long n)
{
    for (; n > 1 && text; n--)
        text = (text = strchr(text, '\n')) ? text + 1 : NULL;
    CHECK(text);
    char *line = keep(strcspn(text, "\n") + 1);
    strncpy(line, text, strcspn(text, "\n"));
    return line;
}

/* Appends a row of the screen without its frame. A sentence may be wrapped, in Chinese without a blank. */
static void join_row(char *out, const char *row, size_t len, bool blanks)
{
    for (size_t i = 0; i < len; i++) {
        bool edge = !strncmp(row + i, "│", 3);
        if (edge || row[i] == ' ') {
            size_t at = strlen(out);
            if (blanks && at && out[at - 1] != ' ')
                strcat(out, " ");
            i += edge ? 2 : 0;
        } else {
            strncat(out, row + i, 1);
        }
    }
    if (blanks)
        strcat(out, " ");
}

/* Returns the part of a row that is in the nth pane of those next to each other, and its length. */
static const char *part_of(const char *row, int nth, size_t *len)
{
    const char *end = row + strcspn(row, "\n"), *next;
    for (; (next = strstr(row, "││")) && next < end && nth; nth--)
        row = next + strlen("││");
    *len = nth ? 0 : (size_t)((next && next < end ? next : end) - row);
    return row;
}

static bool shows_wrapped(struct term *t, const char *sentence)
{
    enum { PANES_NEXT = 3 };
    static char screen[80000], want[1000];
    for (int pass = 0; pass < 2 * PANES_NEXT; pass++) {
        size_t len;
        bool blanks = pass % 2;
        *screen = *want = '\0';
        for (const char *row = term_text(t); *row; row += strcspn(row, "\n") + 1) {
            const char *part = part_of(row, pass / 2, &len);
            join_row(screen, part, len, blanks);
        }
        join_row(want, sentence, strlen(sentence), blanks);
        if (strstr(screen, want))
            return true;
    }
    return false;
}

/* Is there a row with the mark that names the thread, other than the one with the event's number? */
static bool marks_thread(struct term *t, unsigned m)
{
    char name[16];
    snprintf(name, sizeof name, "M%u", m);
    for (const char *row = term_text(t); *row; row += strcspn(row, "\n") + 1) {
        const char *mark = strstr(row, "▶"), *end = row + strcspn(row, "\n");
        for (; mark && mark < end; mark = strstr(mark + 3, "▶")) {
            const char *at = strstr(mark, name);
            if ((mark[3] == 'M' || mark[3] == 'P') && at && at < end && !isdigit((unsigned char)at[strlen(name)]))
                return true;
        }
    }
    return false;
}

struct look {
    int columns, rows;
    const char *layout;
    bool no_rows; /* no pane has room for a row of the thread */
};
static const struct look looks[] = {
    {60, 16, "lesson", false},   {80, 24, "lesson", false},  {100, 30, "lesson", false},  {120, 40, "lesson", false},
    {60, 16, "compact", false},  {80, 24, "compact", false}, {100, 30, "compact", false}, {100, 30, "classic", false},
    {120, 40, "classic", false}, {80, 24, "queues", false},  {80, 24, "search", false},   {60, 16, "timeline", true},
    {100, 30, "timeline", true},
};
enum { LOOKS = sizeof looks / sizeof *looks, COLUMNS = 120, ROWS = 40 };

/* What a stop must show. */
struct stopped {
    const char *sentence;
    unsigned m;
    bool no_rows;
};

static bool shows_it(struct term *t, void *arg)
{
    const struct stopped *s = arg;
    return shows_wrapped(t, s->sentence) && (s->no_rows || marks_thread(t, s->m));
}

static bool prompt_is_last(struct term *t, void *rows)
{
    return term_find(t, ":handled", NULL) == *(const int *)rows - 1;
}

/* Puts the same stop on a screen of another size, in another layout, and waits until it is drawn. */
static void look(struct term *t, struct look l)
{
    char keys[60];
    snprintf(keys, sizeof keys, ":layout %s\r:handled", l.layout);
    term_resize(t, l.rows, l.columns);
    term_keys(t, keys);
    term_wait_for(t, "the command line is not in the last row", prompt_is_last, &l.rows);
    term_keys(t, "\x1b");
    term_wait_gone(t, ":handled");
}

/* Returns the number of the entry at which the lesson has stopped, with the number of the event; 0: the lesson is over; -1: it moves. */
static int stop_of(struct term *t, long *event)
{
    const char *text = term_text(t);
    const char *at = strstr(text, " Lesson ─ "), *zh = strstr(text, " 课程 ─ ");
    const char *number = strstr(text, "  event "), *number_zh = strstr(text, "  事件 ");
    if (term_shows(t, "ENDED: ") || term_shows(t, "已结束："))
        return 0;
    number = number ? number : number_zh;
    at = at ? at : zh;
    if (!number || !at || !(term_shows(t, "PAUSED at lesson") || term_shows(t, "暂停于 课程")))
        return -1;
    *event = atol(number + strcspn(number, "0123456789"));
    return atoi(at + strcspn(at, "0123456789"));
}

static bool is_further(struct term *t, void *entry)
{
    long event;
    int now = stop_of(t, &event);
    return now == 0 || now > *(int *)entry;
}

/* Plays the lesson in that generation, and looks at each stop at a detail event. Returns how many there were. */
static int play(const char *file, const char *generation, const char *lang)
{
    const char *const argv[] = {GMPSCOPE_BIN, "lesson", file, "--generation", generation, "--lang", lang, NULL};
    struct result events = RUN("run", (char *)file, "--headless", "--events", "--generation", (char *)generation);
    struct result told = RUN("run", (char *)file, "--headless", "--narrate", "--generation", (char *)generation, "--lang", (char *)lang);
    if (events.code == 2)
        return 0; /* the version lacks what the scenario uses */
    struct term *t = term_start(ROWS, COLUMNS, NULL, argv);
    int entry = 0, details = 0;
    long event;
    for (;; term_keys(t, ".")) {
        term_wait_for(t, "the lesson does not go on", is_further, &entry);
        if (!(entry = stop_of(t, &event)))
            break;
        char kind[40], *line = line_of(events.out, event);
        struct stopped s = {.sentence = line_of(told.out, event)};
        CHECK(sscanf(line, "%*u M%u P%*u %39s", &s.m, kind) == 2 || sscanf(line, "%*u M%u %39s", &s.m, kind) == 2);
        if (ev_level_of[ev_kind(kind, strlen(kind))] == EV_CORE)
            continue;
        for (int i = 0; i < LOOKS; i++) {
            char what[400];
            snprintf(what, sizeof what, "%s, %s, %s at %dx%d, M%u: %s", file, generation, looks[i].layout, looks[i].columns, looks[i].rows,
                     s.m, s.sentence);
            s.no_rows = looks[i].no_rows;
            look(t, looks[i]);
            term_wait_for(t, what, shows_it, &s);
        }
        look(t, (struct look){COLUMNS, ROWS, "lesson", false});
        details++;
    }
    quit(t);
    return details;
}

struct played {
    const char *lang;
    int generation, lessons, details;
};

static void play_those_with_details(const struct scenario *sc, const char *path, void *ctx)
{
    struct played *p = ctx;
    if (!stops_at_details(sc, p->generation))
        return;
    int details = play(path, generation_name[p->generation], p->lang);
    p->lessons += details > 0;
    p->details += details;
}

static void play_all(int generation, const char *lang, int lessons)
{
    struct played p = {lang, generation, 0, 0};
    CHECK(each_scenario(play_those_with_details, &p) > 0);
    if (p.lessons < lessons)
        t_fail(generation_name[generation], 0, "only %d lessons stop at details, %d times", p.lessons, p.details);
}

TEST(each_screen_shows_the_detail_at_which_a_lesson_stops)
{
    play_all(GO1_20, "en", 7);
}

TEST(each_screen_shows_it_in_chinese)
{
    play_all(GO1_20, "zh", 7);
}

TEST(each_screen_shows_it_without_ps)
{
    play_all(GO1_0, "en", 1);
    play_all(GO1_4, "en", 1);
}
