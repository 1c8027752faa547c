/* Every key in every place, and every command, pressed in the real program on an emulated terminal.
 *
 * The tests walk the tables that dispatch and help use. So a new key or command is pressed without an edit here, and it fails if it changes
 * nothing in the usual state: steal-half, paused at a steal, with G4 selected. A key that needs another state has a row in `states`, which
 * says what is typed first. A command that needs an argument has a row in `arguments`. Each test ends with the list of what it could not
 * make act. */
#include "base/wall.h"
#include "screen.h"
#include "ui/door/door.h"
#include "ui/input/commands.h"
#include "ui/input/keys.h"
#include "ui/panes/panes.h"

#include <stdio.h>

/* Only a key without an effect takes so long: `o` reads all scenarios. A program that sleeps has handled its keys. */
enum { ROWS = 60, COLUMNS = 140, PATIENCE_MS = 60000, LOOK_MS = 100, IDLE_MS = 5000 };

/* ---- what a key sends ---- */

static const char *bytes_of(uint32_t code, char buf[8])
{
    static const struct {
        uint32_t code;
        const char *bytes;
    } sent[] = {{KEY_CODE_UP, "\x1bOA"},      {KEY_CODE_DOWN, "\x1bOB"},     {KEY_CODE_RIGHT, "\x1bOC"},
                {KEY_CODE_LEFT, "\x1bOD"},    {KEY_CODE_HOME, "\x1bOH"},     {KEY_CODE_END, "\x1bOF"},
                {KEY_CODE_BACKTAB, "\x1b[Z"}, {KEY_CODE_PAGE_UP, "\x1b[5~"}, {KEY_CODE_PAGE_DOWN, "\x1b[6~"}};
    for (size_t i = 0; i < sizeof sent / sizeof *sent; i++)
        if (sent[i].code == code)
            return sent[i].bytes;
    if (code >= 128)
        return NULL;
    buf[0] = (char)code;
    buf[1] = '\0';
    return buf;
}

/* A mouse report at that place, from 0. */
static void mouse(struct term *t, uint32_t code, int row, int column)
{
    char text[96];
    int button = code == KEY_CODE_WHEEL_UP ? 64 : code == KEY_CODE_WHEEL_DOWN ? 65 : 0;
    int n = snprintf(text, sizeof text, "\x1b[<%d;%d;%dM", button, column + 1, row + 1);
    if (code == KEY_CODE_CLICK)
        snprintf(text + n, sizeof text - (size_t)n, "\x1b[<0;%d;%dm", column + 1, row + 1);
    else if (code == KEY_CODE_DRAG)
        snprintf(text + n, sizeof text - (size_t)n, "\x1b[<0;%d;%dm", column - 30, row + 1);
    term_keys(t, text);
}

/* ---- what a person sees ---- */

/* The text, its attributes, and the place of the cursor. */
static unsigned long long picture(struct term *t)
{
    unsigned long long h = 14695981039346656037ULL;
    int row, column;
    struct term_cell c;
    for (const char *s = term_text(t); *s; s++)
        h = (h ^ (unsigned char)*s) * 1099511628211ULL;
    for (int y = 0; y < ROWS; y++)
        for (int x = 0; x < COLUMNS; x++) {
            term_cell(t, y, x, &c);
            h = (h ^ (unsigned)(c.color + 2 + 512 * c.bold + 1024 * c.reverse + 2048 * c.underline)) * 1099511628211ULL;
        }
    term_cursor(t, &row, &column);
    return (h ^ (unsigned)(row * 1000 + column)) * 1099511628211ULL;
}

/* Returns true if the picture changes, or the program ends or stops itself, before anything else is pressed. */
static bool acts(struct term *t, unsigned long long before, long bytes)
{
    int64_t end = wall_ms() + PATIENCE_MS;
    while (picture(t) == before && term_bytes(t) <= bytes + 2000) {
        if (wall_ms() > end || (term_idle(t, LOOK_MS) && term_hangs(t, IDLE_MS))) /* a key that does nothing writes nothing */
            return false;
    }
    return true;
}

/* ---- states ---- */

static struct term *start(const char *layout, const char *option)
{
    struct term *t = term_start(ROWS, COLUMNS, (const char *const[]){"EDITOR=true", NULL},
                                STEAL_HALF("--tempo", "max", "--break", "steal n>=2", "--layout", layout, option));
    term_wait(t, option ? "lesson 1 of" : "PAUSED at steal");
    return t;
}

static const struct {
    const char *place, *key, *first;
} states[] = {
    {"", "B", "nn"},
    {"", "[", "/g_create\r/steal\r"},
    {"", "]", "/g_end\r"},
    {"", "f", "/g_end\r"},
    {"", "G", "b"},
    {"", "up, k", "jj"},
    {"", "left, h", "jl"},
    {"", "right, l", "j"},
    {"narration", "down, j", "kk"},
    {"narration", "end", "kk"},
    {"narration", "page down", "\x1bOH"},
    {"narration", "wheel down", "\x1bOH"},
    {"narration", "enter", "kk"},
    {"events", "enter", "kk"},
    {"goroutine", "enter", "kk"},
    {"goroutine", "home", "kk"},
    {"timeline", "up, k", "j"},
    {"timeline", "wheel up", "j"},
    {"timeline", "<", ">>"},
    {"timeline", "right, l", "hhh"},
    {"processors", "up, k", "jj"},
    {"processors", "wheel up", "jj"},
    {"threads", "up, k", "jj"},
    {"threads", "wheel up", ":inspect m2\r"},
    {"threads", "wheel down", ":inspect m0\r"},
    {"goroutine", "page down", "\x1bOH"},
    {"inspect", "up, k", "j"},
    {"inspect", "wheel up", "j"},
    {"inspect", "page up", "j"},
    {"inspect", "home", "j"},
    {"metrics", "up, k", "\x1bOF"},
    {"metrics", "wheel up", "\x1bOF"},
    {"metrics", "page up", "\x1bOF"},
    {"metrics", "home", "\x1bOF"},
    {"inspect", "enter", "jjjjj"}, /* gopc: the event that put it there is the one that is shown */
};

static const char *first_of(const char *place, const char *key)
{
    for (size_t i = 0; i < sizeof states / sizeof *states; i++)
        if (!strcmp(states[i].place, place) && !strcmp(states[i].key, key))
            return states[i].first;
    return "";
}

static void note(char *missing, size_t size, const char *place, const char *key)
{
    size_t n = strlen(missing);
    snprintf(missing + n, size - n, "\n  %s%s%s", place, *place ? ": " : "", key);
}

static void none_missing(const char *missing)
{
    if (*missing)
        t_fail(__FILE__, __LINE__, "without an effect:%s", missing);
}

/* ---- the keys of the whole screen ---- */

/* Presses the key in its state. Returns whether it acted. */
static bool pressed(struct term *t, const char *place, const char *name, uint32_t code, int row, int column)
{
    char buf[8];
    const char *bytes = bytes_of(code, buf);
    term_keys(t, first_of(place, name));
    wait_handled(t);
    term_settle(t, 30); /* the last picture of the state */
    unsigned long long before = picture(t);
    long n = term_bytes(t);
    if (bytes)
        term_keys(t, bytes);
    else
        mouse(t, code, row, column);
    return acts(t, before, n);
}

static bool global_key_acts(const struct key *k)
{
    int column = 0;
    struct term *t = start("timeline", k->code == '1' ? "--lesson" : NULL);
    if (k->code == '1')
        term_keys(t, " "), term_wait(t, "lesson 2 of"); /* the question */
    else
        term_keys(t, ":inspect g4\r");
    wait_handled(t);
    int row = k->code == KEY_CODE_DRAG ? term_find(t, "Timeline ─", NULL) + 1 : term_find(t, "G7", &column);
    bool acted = pressed(t, "", k->name, k->code, row, k->code == KEY_CODE_DRAG ? COLUMNS - 10 : column);
    term_free(t);
    return acted;
}

static void press_keys(int from, int to)
{
    char missing[2000] = "";
    for (int i = from; i < to && i < nkeys; i++)
        if (!global_key_acts(&keys[i]))
            note(missing, sizeof missing, "", keys[i].name);
    none_missing(missing);
}

TEST_TIMED(every_key_acts, 1500)
{
    press_keys(0, nkeys);
}

/* ---- the keys of panes ---- */

/* A layout with the pane, and the keys that give it the focus. */
#define BACKTAB "\x1b[Z"
static const struct {
    const char *pane, *layout, *focus, *text;
} places[] = {
    {"processors", "timeline", "\t", "P0 "},
    {"threads", "compact", "\t\t", "M1 m"},
    {"narration", "compact", BACKTAB, "What happened"},
    {"events", "timeline", BACKTAB, "Events ─"},
    {"goroutine", "timeline", BACKTAB BACKTAB, ", waited "},
    {"timeline", "timeline", BACKTAB BACKTAB BACKTAB "x", "Timeline ─"}, /* by time: so few events need no zoom */
    {"inspect", "compact", BACKTAB, "G4 ─ worker"},
    {"metrics", "classic", "\t:pane metrics\r", "P0 "},
};
/* Their states need more than a layout, and they have tests of their own: test_lesson, test_program. */
static const char *const elsewhere[] = {"lesson", "program"};

static int place_of(const char *pane)
{
    int i = 0;
    while (i < (int)(sizeof places / sizeof *places) && strcmp(places[i].pane, pane))
        i++;
    return i < (int)(sizeof places / sizeof *places) ? i : -1;
}

static bool pane_key_acts(int at, const struct pane_key *k)
{
    int column;
    struct term *t = start(places[at].layout, NULL);
    term_keys(t, strcmp(places[at].pane, "inspect") ? ":inspect g4\r\r" : ":inspect g4\r");
    wait_handled(t);
    term_wait(t, places[at].text);
    term_keys(t, places[at].focus);
    int row = term_find(t, places[at].text, &column);
    bool acted = row >= 0 && pressed(t, places[at].pane, k->name, k->code, row + 1, column);
    term_free(t);
    return acted;
}

static bool is_elsewhere(const char *pane)
{
    for (size_t i = 0; i < sizeof elsewhere / sizeof *elsewhere; i++)
        if (!strcmp(elsewhere[i], pane))
            return true;
    return false;
}

static void press_pane(int kind, char *missing, size_t size)
{
    const struct pane_key *key;
    int n = pane_keys_of(kind, &key), at = place_of(pane_name(kind));
    if (!n || is_elsewhere(pane_name(kind)))
        return;
    if (at < 0)
        note(missing, size, pane_name(kind), "has no row in places[]");
    for (int i = 0; at >= 0 && i < n; i++)
        if (!pane_key_acts(at, &key[i]))
            note(missing, size, pane_name(kind), key[i].name);
}

TEST_TIMED(every_key_of_a_pane_acts, 1500)
{
    char missing[2000] = "";
    for (int kind = 0; kind < PANES; kind++)
        press_pane(kind, missing, sizeof missing);
    none_missing(missing);
}

/* ---- keys without a meaning ---- */

/* Presses keys one after the other in the same run, and notes those that do not change the picture. Each says another text, because that names the
 * key. */
static void press_others(const char *layout, const char *const *bytes, int n, char *missing, size_t size)
{
    struct term *t = start(layout, NULL);
    wait_handled(t);
    for (int i = 0; i < n; i++) {
        unsigned long long before = picture(t);
        term_keys(t, bytes[i]);
        if (!acts(t, before, term_bytes(t)))
            note(missing, size, layout, bytes[i][0] == '\x1b' ? bytes[i] + 1 : bytes[i]);
        term_settle(t, 30); /* the whole picture */
    }
    term_free(t);
}

TEST_TIMED(no_key_is_silent, 1500)
{
    static const char *const other[] = {
        "\x1bOP", "\x1b[21~", "\x1b[11~", "\x1b[24~", "\x1bOH", "\x1bOF", "\x1b[5~", "\x1b[6~", "\x1b[3~", "\x04", "\x7f", "é", "A", "x"};
    char missing[2000] = "", text[128][2];
    const char *plain[128];
    int n = 0;
    for (int c = '!'; c < 127; c++)
        if (!key_find((uint32_t)c)) {
            text[n][0] = (char)c;
            text[n][1] = '\0';
            plain[n] = text[n];
            n++;
        }
    press_others("compact", plain, n, missing, sizeof missing);
    press_others("timeline", other, (int)(sizeof other / sizeof *other), missing, sizeof missing);
    none_missing(missing);
}

TEST(a_key_of_one_kind_of_pane_needs_no_focus)
{
    struct term *t = start("timeline", NULL);
    term_wait(t, "Timeline ─ Ps");
    term_keys(t, "v");
    term_wait(t, "Timeline ─ Ms");
    term_keys(t, "x");
    term_wait(t, "Timeline ─ Ms ─ 1 ms, a column is");
    term_free(t);
}

TEST(a_key_of_another_pane_says_where_it_works)
{
    struct term *t = start("timeline", NULL);
    term_keys(t, "\tv"); /* another pane has the focus */
    term_wait(t, "v: focus the pane \"Timeline\" first (tab)");
    term_keys(t, "\x1b\x1b");
    term_keys(t, "Z");
    term_wait(t, "Z does nothing here; ? lists the keys that do");
    term_keys(t, "\x1b[21~");
    term_wait(t, "F10 does nothing here");
    term_keys(t, ":layout compact\rv");
    term_wait(t, "v: a key of the pane \"Timeline\", which this layout lacks");
    term_keys(t, "\x1b[11~");
    term_wait(t, "Help ─");
    term_free(t);
}

/* The labels of the keys of each pane that has some, without the arrows, stand in the key line once it has the focus. */
TEST(the_key_line_has_the_keys_of_the_pane_with_the_focus)
{
    for (size_t at = 0; at < sizeof places / sizeof *places; at++) {
        const struct pane_key *key;
        int kind = 0;
        while (strcmp(pane_name(kind), places[at].pane))
            kind++;
        struct term *t = start(places[at].layout, NULL);
        term_keys(t, strcmp(places[at].pane, "inspect") ? ":inspect g4\r\r" : ":inspect g4\r");
        wait_handled(t);
        term_keys(t, places[at].focus);
        for (int n = pane_keys_of(kind, &key), i = 0; i < n; i++)
            if (key[i].label != TX_NONE)
                term_wait(t, tx(LANG_EN, key[i].label));
        term_free(t);
    }
}

/* ---- commands ---- */

static const struct {
    const char *command, *argument;
} arguments[] = {
    {"break", "steal_try"},
    {"delete", "all"},
    {"find", "steal"},
    {"until", "g_end"},
    {"back-until", "g_create | go_create"},
    {"goto", "100"},
    {"mark", "here"},
    {"tempo", "7"},
    {"mode", "free"},
    {"seed", "2"},
    {"inspect", "p1"},
    {"layout", "compact"},
    {"theme", "mono"},
    {"branch", "1"},
    {"set", "theme mono"},
    {"split", "columns"},
    {"pane", "output"},
    {"resize", "-2"},
    {"write-layout", "/dev/null"},
    {"compare", "disable=stealing"},
    {"next", "line"},        /* a scenario has no lines, which it says */
    {"record", "/dev/null"}, /* it is no regular file */
    {"picture", "x.png"},    /* it says which endings a picture has */
};

/* Returns the argument, "" for none, NULL if one is needed that this table lacks. */
static const char *argument_of(const struct command *c)
{
    for (size_t i = 0; i < sizeof arguments / sizeof *arguments; i++)
        if (!strcmp(arguments[i].command, c->name))
            return arguments[i].argument;
    return c->args[0] && c->args[0] != '[' ? NULL : "";
}

static bool command_acts(const struct command *c)
{
    const char *argument = argument_of(c);
    if (!argument)
        return false;
    struct term *t = start("timeline", NULL);
    term_keys(t, "\t"); /* commands on layouts need a focus */
    wait_handled(t);
    unsigned long long before = picture(t);
    char line[120];
    snprintf(line, sizeof line, ":%s %s\r", c->name, argument);
    term_keys(t, line);
    bool acted = acts(t, before, term_bytes(t));
    term_free(t);
    return acted;
}

TEST_TIMED(every_command_acts, 1500)
{
    char missing[2000] = "";
    for (int i = 0; i < ncommands; i++)
        if (!command_acts(&commands[i]))
            note(missing, sizeof missing, ":", commands[i].name);
    none_missing(missing);
}

/* ---- each key is bound once in each place ---- */

static void seen_once(const char *place, uint32_t code, uint32_t also, unsigned char *seen, char *missing, size_t size, const char *name)
{
    if ((code < 512 && seen[code]++) || (also && also < 512 && seen[also]++))
        note(missing, size, place, name);
}

#define ONCE(place, list, n) \
    do { \
        unsigned char seen[512] = {0}; \
        for (int once_i = 0; once_i < (n); once_i++) \
            seen_once(place, folded((list)[once_i].code), (list)[once_i].also ? folded((list)[once_i].also) : 0, seen, twice, \
                      sizeof twice, (list)[once_i].name); \
    } while (0)

/* Codes above those of characters, as small numbers. */
static uint32_t folded(uint32_t code)
{
    return code < 256 ? code : 256 + (code - KEY_CODE_OTHER) % 256;
}

TEST(each_key_is_bound_once_in_each_place)
{
    char twice[1000] = "";
    const struct pane_key *key;
    ONCE("screen", keys, nkeys);
    for (int kind = 0; kind < PANES; kind++) {
        int n = pane_keys_of(kind, &key);
        ONCE(pane_name(kind), key, n);
    }
    int n = 0;
    struct door_key door[64];
    for (; door_key(n) && n < 64; n++)
        door[n] = *door_key(n);
    ONCE("door", door, n);
    if (*twice)
        t_fail(__FILE__, __LINE__, "bound twice:%s", twice);
}
