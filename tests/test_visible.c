/* No unsafe character reaches a terminal. A scenario with all of them in each of its texts and in its file name goes through every command
 * and every output, and so do command lines made of them. */
#include "base/text.h"
#include "shell.h"

#include <pty.h>
#include <termios.h>

/* Writes all unsafe characters except NUL, in UTF-8; for names and words also bytes that are not UTF-8. */
static size_t all_unsafe(char *out, bool for_name)
{
    size_t n = 0;
    for (uint32_t cp = 1; cp <= 0x2069; cp++)
        if (cp_unsafe(cp))
            n += (size_t)utf8_put(cp, out + n);
    if (for_name)
        n += (size_t)sprintf(out + n, "\xff\xe4\xb8");
    out[n] = '\0';
    return n;
}

/* The same, escaped for a double-quoted YAML scalar. EVIL is a marker inside a sequence that sets a window's title. */
static const char *in_yaml(void)
{
    static char out[4096];
    size_t n = (size_t)sprintf(out, "\\e]0;EVIL\\a");
    for (uint32_t cp = 0x2069; cp > 0; cp--) /* the widest first: a narrow pane cuts the text */
        if (cp_unsafe(cp))
            n += (size_t)sprintf(out + n, "\\u%04x", (unsigned)cp);
    return out;
}

static bool is_marked(const char *s, size_t i)
{
    return strncmp(s + i, "]0;EVIL", 7) == 0;
}

static void check_clean(int line, const char *what, const char *s, size_t len)
{
    for (size_t i = 0, n; i < len; i += n) {
        uint32_t cp = utf8_next(s + i, len - i, &n);
        if ((cp_unsafe(cp) && cp != '\n') || (cp == 0xfffd && n == 1))
            t_fail(__FILE__, line, "%s: U+%04X at byte %zu: %.*s", what, (unsigned)cp, i, 60, s + (i > 20 ? i - 20 : 0));
    }
}

static void check_result(int line, const char *what, const struct result *r)
{
    check_clean(line, what, r->out, r->nout);
    check_clean(line, what, r->err, strlen(r->err));
    if (r->code >= 4)
        t_fail(__FILE__, line, "%s: exit %d: %s", what, r->code, r->err);
}
#define CLEAN(...) \
    do { \
        struct result r_ = RUN(__VA_ARGS__); \
        check_result(__LINE__, #__VA_ARGS__, &r_); \
    } while (0)

/* Checks the predicate alone against the list in the contract, and Unicode's Default_Ignorable_Code_Point without the joiners. */
TEST(unsafe_characters)
{
    static const uint32_t ranges[][2] = {
        {0, 0x1f},          {0x7f, 0x9f},       {0x61c, 0x61c},     {0x200e, 0x200f},  {0x2028, 0x202e}, {0x2066, 0x2069},
        {0xad, 0xad},       {0x34f, 0x34f},     {0x115f, 0x1160},   {0x17b4, 0x17b5},  {0x180e, 0x180e}, {0x200b, 0x200b},
        {0x2060, 0x206f},   {0x3164, 0x3164},   {0xfeff, 0xfeff},   {0xffa0, 0xffa0},  {0xfff0, 0xfffb}, {0x1bca0, 0x1bca3},
        {0x1d173, 0x1d17a}, {0xe0000, 0xe001f}, {0xe0080, 0xe00ff}, {0xe01f0, 0xe0fff}};
    for (uint32_t cp = 0; cp <= 0x10ffff; cp++) {
        bool want = false;
        for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++)
            want |= cp >= ranges[i][0] && cp <= ranges[i][1];
        CHECK_INT(cp_unsafe(cp), want);
    }
}

static void visible_is(int line, const char *s, size_t len, const char *want)
{
    char *out = NULL;
    size_t size;
    FILE *f = open_memstream(&out, &size);
    visible_write(f, s, len);
    fclose(f);
    t_check_str(__FILE__, line, "visible form", out, want);
    free(out);
}

TEST(visible_forms)
{
    visible_is(__LINE__, "a\n\t\r\0\x1b\x7f", 7, "a\\n\\t\\r\\x00\\x1b\\x7f");
    visible_is(__LINE__, "\xc2\x9b\xe2\x80\xae\xe2\x80\xa8\xd8\x9c", 10, "\\u009b\\u202e\\u2028\\u061c");
    visible_is(__LINE__, "\xff\xe4\xb8\x80\xe4\xb8", 6, "\\xff\xe4\xb8\x80\\xe4\\xb8");
    visible_is(__LINE__, "\xef\xbf\xbd \xf0\x9f\x98\x80 \\ é", 13, "\xef\xbf\xbd \xf0\x9f\x98\x80 \\ é");
}

/* Characters without width stay where emoji and scripts are written with them. Elsewhere two texts would differ that look the same. */
TEST(joiners_are_visible_where_nobody_writes_them)
{
    static const char *const stay[] = {
        "👩\u200d💻",
        "❤\ufe0f",
        "👁\ufe0f\u200d🗨\ufe0f",
        "🏳\ufe0f\u200d🌈",
        "👩🏽\u200d🚒",
        "1\ufe0f\u20e3 ©\ufe0f ㊗\ufe0f",
        "🏴\U000e0067\U000e0062\U000e0073\U000e0063\U000e0074\U000e007f",
        "葛\U000e0100",
        "می\u200cخواهم",
        "क्\u200dष",
        "e\u0301"};
    static const char *const escaped[][2] = {
        {"a\u200bb", "a\\u200bb"},
        {"\u200d", "\\u200d"},
        {"a\u200d💻", "a\\u200d💻"},
        {"💻\u200d", "💻\\u200d"},
        {"中\u200d文", "中\\u200d文"},
        {"a\u200cb", "a\\u200cb"},
        {"ok\ufe0f", "ok\\ufe0f"},
        {"7\ufe0f", "7\\ufe0f"},
        {"❤\ufe0f\ufe0f", "❤\ufe0f\\ufe0f"},
        {"a\U000e0061", "a\\U000e0061"},
        {"🏁\U000e0061\U000e0062", "🏁\\U000e0061\\U000e0062"},
        {"a\U000e0100", "a\\U000e0100"},
        {"\ufeff\u2060\u3164\u00ad", "\\ufeff\\u2060\\u3164\\u00ad"},
        {"\U000e0001\U0001d173", "\\U000e0001\\U0001d173"}};
    for (size_t i = 0; i < sizeof stay / sizeof *stay; i++)
        visible_is(__LINE__, stay[i], strlen(stay[i]), stay[i]);
    for (size_t i = 0; i < sizeof escaped / sizeof *escaped; i++)
        visible_is(__LINE__, escaped[i][0], strlen(escaped[i][0]), escaped[i][1]);
}

/* Whatever is next to it, each code point is either written as it is or replaced by ASCII. */
TEST(each_code_point_next_to_each_kind)
{
    static const uint32_t next[] = {0, 'a', '1', 0x200b, 0x200d, 0xfe0f, 0x627, 0x4e00, 0x1f3f4, 0xe0061};
    enum { N = sizeof next / sizeof *next };
    for (uint32_t cp = 1; cp <= 0x10ffff; cp++)
        for (int i = 0; i < N; i++) {
            char text[16], out[VISIBLE_BYTES];
            size_t n = 0, at, used, len;
            n += next[i] ? (size_t)utf8_put(next[i], text) : 0;
            at = n;
            n += (size_t)utf8_put(cp, text + n);
            len = n;
            n += (size_t)utf8_put(next[(i + 3) % N], text + n);
            size_t bytes = visible_next(text, at, n, &used, out);
            if (used != len - at || !bytes || bytes > sizeof out ||
                (out[0] != '\\' && (cp_unsafe(cp) || memcmp(out, text + at, used) != 0)))
                t_fail(__FILE__, __LINE__, "U+%04X after U+%04X", (unsigned)cp, (unsigned)next[i]);
        }
}

/* Long lines are neither cut nor split. */
TEST(a_line_of_any_length)
{
    static char text[100001];
    char *out = NULL;
    size_t size;
    memset(text, 'x', sizeof text - 1);
    text[50000] = '\n';
    FILE *f = open_memstream(&out, &size);
    visible_line(f, "%s", text);
    fclose(f);
    CHECK_INT(size, 100002);
    CHECK_INT(strchr(out, '\n') - out, 100001);
    free(out);
}

/* ---- files ---- */

static const char *hostile_file(const char *pattern, const char *suffix)
{
    static char text[200000];
    char name[400];
    size_t n = 0;
    all_unsafe(name, true);
    strcat(name, suffix);
    for (const char *p = pattern; *p; p++)
        n += (size_t)(*p == '@' ? sprintf(text + n, "%s", in_yaml()) : sprintf(text + n, "%c", *p));
    return t_file(name, text);
}

static const char good[] =
    "name: hostile\n"
    "title: {en: \"@\", zh: \"@\"}\n"
    "summary: {en: \"@\", zh: \"@\"}\n"
    "scheduler: {gomaxprocs: 2}\n"
    "goroutines:\n"
    "  - name: main\n"
    "    do: [{yield: 3}, {print: \"@ {i} @\"}, {sleep: 1us}, {print: \"@\"}, {yield: 3}]\n"
    "lesson:\n"
    "  - {on: g_start, say: {en: \"@\", zh: \"@\"}, pause: false}\n"
    "  - on: print\n"
    "    pause: true\n"
    "    ask: {question: {en: \"Who? @\", zh: \"Who? @\"}, choices: [\"1@\", \"2@\"], answer: \"1@\", because: {en: \"@\", zh: \"@\"}}\n";

TEST(a_run_in_every_output)
{
    const char *f = hostile_file(good, ".yaml");
    static const char *const out[] = {"--events", "--narrate", "--json"};
    CHECK_INT(RUN("lint", (char *)f).code, 0);
    CLEAN("lint", (char *)f);
    for (size_t i = 0; i < 3; i++)
        for (int lang = 0; lang < 2; lang++) {
            struct result r = RUN("run", (char *)f, "--headless", (char *)out[i], "--lang", lang ? "zh" : "en");
            CHECK_INT(r.code, 0);
            HAS(r.out, "EVIL");
            HAS(r.out, "\\u202e");
            check_result(__LINE__, out[i], &r);
            r = RUN("run", (char *)f, "--headless", (char *)out[i], "--mode", "free");
            CHECK_INT(r.code, 0);
            check_result(__LINE__, out[i], &r);
        }
    CLEAN("check", (char *)f);
    CLEAN("explore", (char *)f, "--seeds", "3");
    CLEAN("explore", (char *)f, "--seeds", "3", "--json");
    CLEAN("compare", (char *)f, "--right", "procs=1", "--headless");
    CLEAN("compare", (char *)f, (char *)f, "--headless", "--json");
}

/* What the program prints goes into a file or a pipe unchanged. */
TEST(a_pipe_gets_the_programs_bytes)
{
    char want[1000] = "\033]0;EVIL\a";
    size_t n = strlen(want);
    for (uint32_t cp = 0x2069; cp > 0; cp--)
        if (cp_unsafe(cp))
            n += (size_t)utf8_put(cp, want + n);
    struct result r = RUN("run", (char *)hostile_file(good, ".yaml"), "--headless");
    CHECK_INT(r.code, 0);
    HAS(r.out, want);
}

/* The exported program has no unsafe character and prints the same bytes: its literals escape them. */
TEST(an_exported_program)
{
    struct result r = RUN("export", (char *)hostile_file(good, ".yaml"), "--format", "go");
    CHECK_INT(r.code, 0);
    for (char *p = r.out; (p = strchr(p, '\t')); p++)
        *p = ' '; /* gofmt's */
    check_result(__LINE__, "export", &r);
    HAS(r.out, "// Scenario hostile: \\x1b]0;EVIL\\x07");
    HAS(r.out, "\"\\x1b]0;EVIL\\x07\\xe2\\x81\\xa9");
    HAS(r.out, "\\x02\\x01 \"");
}

static void dies(const char *op, int code, const char *more)
{
    char text[500];
    snprintf(text, sizeof text, "name: hostile\n%sgoroutines: [{name: main, do: [%s]}]\n", more, op);
    const char *f = hostile_file(text, ".yaml");
    struct result r = RUN("run", (char *)f, "--headless");
    CHECK_INT(r.code, code);
    HAS(r.err, "EVIL");
    check_clean(__LINE__, op, r.err, strlen(r.err));
    CLEAN("run", (char *)f, "--headless", "--events");
    CLEAN("run", (char *)f, "--headless", "--narrate");
    CLEAN("run", (char *)f, "--headless", "--json");
    r = RUN("check", (char *)f);
    CHECK_INT(r.code, code);
    HAS(r.out, "EVIL");
    check_result(__LINE__, "check", &r);
    r = RUN("explore", (char *)f, "--seeds", "3");
    CHECK_INT(r.code, code);
    HAS(r.out, "gmpscope run $'");
    check_result(__LINE__, "explore", &r);
    r = RUN("explore", (char *)f, "--seeds", "3", "--json");
    HAS(r.out, "\"replay\":\"gmpscope run $'");
    CHECK(json_value(r.out));
    check_result(__LINE__, "explore", &r);
    CLEAN("compare", (char *)f, "--right", "procs=1", "--headless");
}

TEST(a_panic)
{
    dies("{panic: \"@\"}", 3, "");
}
TEST(claims_that_fail)
{
    dies("{print: \"@\"}", 1, "expect: [{prints: [\"x@\"]}, {prints: [\"@\", \"@\"]}, {never: 'print text=\"@\"'}]\n");
}

/* A shell reads a repro command back as the same file name. */
TEST(a_repro_command_can_be_pasted)
{
    const char *f = hostile_file("name: hostile\nexpect: [{prints: [x]}]\ngoroutines: [{name: main, do: [{print: \"y\"}]}]\n", ".yaml");
    char *line = RUN("explore", (char *)f, "--seeds", "1").out;
    line[strcspn(line, "\n")] = '\0';
    struct result *r = shell(line);
    CHECK_INT(r->code, 1);
    HAS(r->err, "printed line 1: expected \"x\", got \"y\"");
}

/* ---- mistakes ---- */

TEST(messages_about_files)
{
    static const char *const bad[] = {
        "name: \"@\"\ngoroutines: [{name: main, do: []}]\n",
        "name: x\n\"@\": 1\ngoroutines: [{name: main, do: []}]\n",
        "name: x\ngoroutines: [{name: \"@\", do: []}]\n",
        "name: x\ngoroutines: [{name: main, do: [{go: \"@\"}, {send: \"@\"}, {print: \"{@}\"}, {compute: \"@\"}, {if: \"@\"}, {\"@\": 1}]}]\n",
        "name: x\nscheduler: {disable: [\"@\"], generation: \"@\"}\ngoroutines: [{name: main, do: []}]\n",
        "name: x\nexpect: [{event: \"@\", times: 1}, {counter: \"@\", equals: 1}, {ends: \"@\"}]\ngoroutines: [{name: main, do: []}]\n",
        "root: {pane: \"@\"}\n",
        "root: {pane: output, options: {\"@\": \"@\"}}\ntheme: \"@\"\n",
        "root: {\"@\": []}\n",
        "\"@\"\n",
        "*@\n",
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        const char *f = hostile_file(bad[i], ".yaml");
        struct result r = RUN("lint", (char *)f);
        CHECK_INT(r.code, 2);
        check_result(__LINE__, bad[i], &r);
        CLEAN("run", (char *)f, "--headless");
        CLEAN("run", "steal-half", "--layout", (char *)f);
        CLEAN("export", (char *)f, "--format", "go");
        CLEAN("check", (char *)f);
    }
}

TEST(command_lines)
{
    static const char *const command[] = {"run", "check", "lint", "explore", "compare", "list", "export", "replay", "import"};
    static const char *const option[] = {
        "mode",  "seed",  "choices", "seeds", "for",     "jobs",  "failures",   "procs",  "generation", "disable", "left",
        "right", "tempo", "layout",  "break", "history", "limit", "max-events", "pauses", "rings",      "lang",    "format"};
    char word[400], dashed[800], given[800];
    all_unsafe(word, true);
    snprintf(dashed, sizeof dashed, "--%s", word);
    CLEAN(word);
    CLEAN(dashed);
    CLEAN(word, "--help");
    for (size_t c = 0; c < sizeof command / sizeof *command; c++) {
        CLEAN((char *)command[c], word);
        CLEAN((char *)command[c], dashed);
        CLEAN((char *)command[c], word, word);
        for (size_t i = 0; i < sizeof option / sizeof *option; i++) {
            snprintf(given, sizeof given, "--%s=%s", option[i], word);
            CLEAN((char *)command[c], "steal-half", given);
            if (i % 8 == 0) {
                snprintf(given, sizeof given, "--%s%s", option[i], word);
                CLEAN((char *)command[c], given, "steal-half");
            }
        }
    }
    snprintf(given, sizeof given, "m_park %s", word);
    CLEAN("run", "steal-half", "--headless", "--break", given);
    snprintf(given, sizeof given, "print text=\"%s\"", word);
    CLEAN("run", "steal-half", "--headless", "--break", given);
    snprintf(given, sizeof given, "%s=1", word);
    CLEAN("compare", "steal-half", "--left", given);
}

/* ---- on a terminal ---- */

struct on_pty {
    pid_t pid;
    int fd;
    char *out;
    size_t n, room;
};

static struct on_pty pty_start(char **argv)
{
    struct on_pty p = {0};
    struct winsize ws = {.ws_row = 40, .ws_col = 150};
    p.pid = forkpty(&p.fd, NULL, NULL, &ws);
    CHECK(p.pid >= 0);
    if (p.pid == 0) {
        setenv("TERM", "xterm-256color", 1);
        setenv("LC_ALL", "C.UTF-8", 1);
        execv(argv[0], argv);
        _exit(127);
    }
    return p;
}

/* Returns false if the other end is closed. */
static bool pty_read(struct on_pty *p)
{
    if (p->room - p->n < 65536)
        CHECK((p->out = realloc(p->out, p->room += 1 << 20)));
    ssize_t n = read(p->fd, p->out + p->n, p->room - p->n - 1);
    if (n > 0)
        p->n += (size_t)n;
    p->out[p->n] = '\0';
    return n > 0;
}

static void pty_wait(struct on_pty *p, const char *text, size_t from)
{
    while (p->n < from || !strstr((p->out ? p->out : "") + from, text))
        if (!pty_read(p))
            t_fail(__FILE__, __LINE__, "it ended before \"%s\"", text);
}

static size_t pty_key(struct on_pty *p, const char *keys)
{
    CHECK_INT(write(p->fd, keys, strlen(keys)), strlen(keys));
    return p->n;
}

static int pty_end(struct on_pty *p)
{
    while (pty_read(p))
        ;
    return program_end(p->pid);
}

static struct on_pty pty_run(char **argv, int code)
{
    struct on_pty p = pty_start(argv);
    CHECK_INT(pty_end(&p), code);
    return p;
}

/* The terminal's own line ends are \r\n. */
static void check_pty(struct on_pty *p)
{
    size_t n = 0;
    for (size_t i = 0; i < p->n; i++)
        if (p->out[i] != '\r' || p->out[i + 1] != '\n')
            p->out[n++] = p->out[i];
    p->out[p->n = n] = '\0';
    check_clean(__LINE__, "on a terminal", p->out, n);
}

TEST(printed_text_is_made_visible_on_a_terminal)
{
    struct on_pty p = pty_run((char *[]){(char *)GMPSCOPE_BIN, "run", (char *)hostile_file(good, ".yaml"), "--headless", NULL}, 0);
    HAS(p.out, "\\x1b]0;EVIL\\x07\\u2069");
    HAS(p.out, "\\x01 0 \\x1b]0;");
    check_pty(&p);
    free(p.out);
    p = pty_run(
        (char *[]){(char *)GMPSCOPE_BIN, "run",
                   (char *)hostile_file("name: x\ngoroutines: [{name: main, do: [{panic: \"@\"}]}]\n", ".yaml"), "--headless", NULL},
        3);
    HAS(p.out, "panic: \\x1b]0;EVIL\\x07\\u2069");
    check_pty(&p);
    free(p.out);
}

/* A screen's own bytes are ESC and cursor movements; there must be no other unsafe character, and no ESC in front of a text of the file. */
static void check_screen(const struct on_pty *p)
{
    for (size_t i = 0, n; i < p->n; i += n) {
        uint32_t cp = utf8_next(p->out + i, p->n - i, &n);
        bool ours = cp == '\033' || cp == '\r' || cp == '\n' || cp == '\b' || cp == '\017';
        if ((cp_unsafe(cp) && !ours) || (cp == '\033' && is_marked(p->out, i + 1)))
            t_fail(__FILE__, __LINE__, "U+%04X at byte %zu", (unsigned)cp, i);
    }
}

static void on_the_screen(const char *lang, const char *layout)
{
    char word[400], keys[900];
    const char *f = hostile_file(good, ".yaml");
    struct on_pty p = pty_start((char *[]){
        (char *)GMPSCOPE_BIN, "run", (char *)f, "--lesson", "--tempo", "max", "--lang", (char *)lang, "--layout", (char *)layout, NULL});
    pty_wait(&p, "Who?", 0); /* the lesson asks, so the run is paused */
    HAS(p.out, "]0;EVIL");
    all_unsafe(word, false);
    snprintf(keys, sizeof keys, ":break print text=\"x%s\r", word + 0x20); /* without C0 and DEL, which are keys */
    pty_key(&p, keys);
    size_t at = pty_key(&p, "\x15\x7f:share\r"); /* ctrl-U and backspace clear the prompt, which kept the wrong text */
    pty_wait(&p, "gmpscope run", at);
    pty_key(&p, "\r:quit\r");
    CHECK_INT(pty_end(&p), 0);
    check_screen(&p);
    free(p.out);
}

TEST(on_the_screen_in_english)
{
    on_the_screen("en", "classic");
}
TEST(on_the_screen_in_chinese)
{
    on_the_screen("zh", "classic");
}
