/* How the screen looks on any terminal: its ground, its type, its locale. */
#include "screen.h"
#include "shell.h"
#include "ui/term/ground.h"
#include "ui/term/keycodes.h"
#include "ui/term/sequence.h"

#include <math.h>
#include <stdlib.h>
#include <sys/stat.h>

/* ---- the colours of the themes ---- */

/* The first 16 colours as xterm shows them. */
static const int palette[16][3] = {
    {0, 0, 0},       {205, 0, 0}, {0, 205, 0}, {205, 205, 0}, {0, 0, 238},   {205, 0, 205}, {0, 205, 205}, {229, 229, 229},
    {127, 127, 127}, {255, 0, 0}, {0, 255, 0}, {255, 255, 0}, {92, 92, 255}, {255, 0, 255}, {0, 255, 255}, {255, 255, 255}};

static int channel(int color, int i)
{
    static const int level[6] = {0, 95, 135, 175, 215, 255}, divisor[3] = {36, 6, 1};
    return color < 16 ? palette[color][i] : color < 232 ? level[(color - 16) / divisor[i] % 6] : 8 + 10 * (color - 232);
}

/* Relative luminance, as WCAG 2 defines it. */
static double luminance(int color)
{
    static const double weight[3] = {0.2126, 0.7152, 0.0722};
    double sum = 0;
    for (int i = 0; i < 3; i++) {
        double c = channel(color, i) / 255.0;
        sum += weight[i] * (c <= 0.04045 ? c / 12.92 : pow((c + 0.055) / 1.055, 2.4));
    }
    return sum;
}

static double contrast(int color, bool light)
{
    double a = luminance(color) + 0.05, b = light ? 1.05 : 0.05;
    return a > b ? a / b : b / a;
}

static bool is_line(enum role r)
{
    return r == ROLE_border || r == ROLE_arrow_fading || r == ROLE_arrow_old;
}

/* Which themes must read on this ground? */
static bool meets(const struct theme *t, bool light)
{
    return t->ground == GROUND_UNKNOWN || (t->ground == GROUND_LIGHT) == light;
}

TEST(every_theme_reads_on_its_grounds)
{
    for (int i = 0; i < THEMES; i++)
        for (int light = 0; light < 2; light++)
            for (enum role r = 0; r < ROLES; r++) {
                const struct theme *t = theme_nth(i);
                const struct look *l = theme_look(t, r);
                double least = is_line(r) ? 1.9 : 3;
                if (!meets(t, light))
                    continue;
                if (l->fg256 >= 0 && contrast(l->fg256, light) < least)
                    t_fail(__FILE__, __LINE__, "%s: %s: 256 colours: %.1f", t->name, role_name[r], contrast(l->fg256, light));
                if (l->fg8 >= 0 && contrast(l->fg8, light) < 1.9)
                    t_fail(__FILE__, __LINE__, "%s: %s: 8 colours: %.1f", t->name, role_name[r], contrast(l->fg8, light));
            }
}

TEST(strong_text_has_the_terminals_own_foreground)
{
    static const enum role strong[] = {ROLE_title, ROLE_changed, ROLE_sentence_now, ROLE_number, ROLE_status};
    static const char *const names[] = {"default", "light", "dark", "mono", "safe"};
    for (size_t t = 0; t < sizeof names / sizeof *names; t++)
        for (size_t i = 0; i < sizeof strong / sizeof *strong; i++) {
            const struct look *l = theme_look(theme_find(names[t]), strong[i]);
            CHECK(l->fg256 == -1 && l->fg8 == -1);
        }
}

/* Underline means "changed", whatever the theme. */
TEST(no_theme_underlines)
{
    for (int i = 0; i < THEMES; i++)
        for (enum role r = 0; r < ROLES; r++)
            CHECK(!(theme_look(theme_nth(i), r)->attr & LOOK_UNDERLINE));
}

TEST(the_ground_by_the_environment)
{
    CHECK_INT(ground_from_env("xterm", NULL), GROUND_UNKNOWN);
    CHECK_INT(ground_from_env("xterm", "15;0"), GROUND_DARK);
    CHECK_INT(ground_from_env("xterm", "0;15"), GROUND_LIGHT);
    CHECK_INT(ground_from_env("xterm", "0;default;7"), GROUND_LIGHT);
    CHECK_INT(ground_from_env("xterm", "15;default"), GROUND_UNKNOWN);
    CHECK_INT(ground_from_env("xterm", "15;"), GROUND_UNKNOWN);
    CHECK_INT(ground_from_env("xterm", "15;99"), GROUND_UNKNOWN);
    CHECK_INT(ground_from_env("linux", NULL), GROUND_DARK);
    CHECK_INT(ground_from_env(NULL, "nothing"), GROUND_UNKNOWN);
}

/* Returns the ground by an answer, and checks that all of it is taken. */
static enum ground answered(const char *answer)
{
    struct ground_answer a = {0};
    ground_answer_begin(&a, true);
    for (const char *c = answer; *c; c++)
        CHECK(ground_answer_takes(&a, (uint32_t)*c));
    CHECK(!ground_answer_takes(&a, 'q'));
    return a.ground;
}

TEST(the_ground_by_an_answer)
{
    CHECK_INT(answered("rgb:ffff/ffff/ffff\033\\"), GROUND_LIGHT);
    CHECK_INT(answered("rgb:fdfd/f6f6/e3e3\a"), GROUND_LIGHT); /* Solarized */
    CHECK_INT(answered("rgb:00/2b/36\a"), GROUND_DARK);
    CHECK_INT(answered("rgba:0000/0000/0000/ffff\033\\"), GROUND_DARK);
    CHECK_INT(answered("?\a"), GROUND_UNKNOWN);
    struct ground_answer a = {0};
    ground_answer_begin(&a, false);
    for (const char *c = "62;22c"; *c; c++)
        CHECK(!a.ended && ground_answer_takes(&a, (uint32_t)*c));
    CHECK(a.ended);
    ground_answer_begin(&a, true);
    for (int i = 0; i < 63; i++)
        CHECK(ground_answer_takes(&a, 'f'));
    CHECK(!ground_answer_takes(&a, 'f')); /* no answer is so long */
}

/* ---- the program ---- */

static struct term *start(const char *const *env, const char *const *argv)
{
    struct term *t = term_start(40, 120, env, argv);
    term_wait(t, "event ");
    return t;
}

/* The look of the first character of a text. */
static struct term_cell look_of(struct term *t, const char *text)
{
    struct term_cell cell;
    int column, row = term_find(t, text, &column);
    CHECK(row >= 0);
    term_cell(t, row, column, &cell);
    return cell;
}

/* The colour of the words of the key line says which theme is shown. */
static bool shows_theme(struct term *t, void *name)
{
    return term_find(t, "quit", NULL) >= 0 && look_of(t, "quit").color == theme_look(theme_find(name), ROLE_key_text)->fg256;
}

static void wait_theme(struct term *t, const char *name)
{
    char copy[16];
    snprintf(copy, sizeof copy, "%s", name);
    term_wait_for(t, name, shows_theme, copy);
}

TEST(strong_text_reads_on_any_ground)
{
    struct term *t = start(NULL, STEAL_HALF());
    struct term_cell name = look_of(t, "steal-half");
    CHECK(name.bold && name.color == -1 && name.own_ground);
    wait_theme(t, "default");
    quit(t);
}

TEST(the_terminal_answers)
{
    struct term *t = start(NULL, STEAL_HALF());
    wait_theme(t, "default");
    term_keys(t, "\033]11;rgb:ffff/ffff/ffff\033\\");
    wait_theme(t, "light");
    CHECK(look_of(t, "quit").own_ground);
    term_keys(t, "\033]11;rgb:0000/0000/0000\a");
    wait_theme(t, "dark");
    quit(t);
}

TEST(keys_around_an_answer_are_not_lost)
{
    struct term *t = start(NULL, STEAL_HALF());
    term_keys(t, ":the\033]11;rgb:ffff/ffff/ffff\ame\033]11;rgb:ffff/ffff/ffff\033\\ mono");
    term_wait(t, ":theme mono");
    term_keys(t, "\r");
    term_wait_gone(t, ":theme mono");
    term_keys(t, ":\033]11;rgb:ff");
    term_keys(t, "ff/ffff/ffff\ahandled");
    term_wait(t, ":handled");
    term_keys(t, "\033");
    term_wait_gone(t, ":handled");
    quit(t);
}

TEST(the_environment_tells_the_ground)
{
    struct term *t = start((const char *const[]){"COLORFGBG=0;15", NULL}, STEAL_HALF());
    wait_theme(t, "light");
    CHECK(look_of(t, "quit").own_ground);
    quit(t);
    t = start((const char *const[]){"COLORFGBG=15;default;0", NULL}, STEAL_HALF());
    wait_theme(t, "dark");
    quit(t);
}

static bool is_uncoloured(struct term *t, void *text)
{
    return term_find(t, text, NULL) >= 0 && look_of(t, text).color == -1 && look_of(t, text).own_ground;
}

/* The layout of the projector asks for a theme; an option outranks it, also when the layout comes later. */
TEST(the_theme_of_an_option_stays_with_every_layout)
{
    struct term *t = start(NULL, STEAL_HALF("--theme", "mono", "--layout", "classic"));
    wait_theme(t, "mono");
    term_keys(t, ":layout projector\r");
    term_wait_gone(t, "quit");
    term_wait_for(t, "the layout's own theme", is_uncoloured, "Half of a neighbour");
    quit(t);
}

/* A theme for another ground brings its own. */
TEST(a_theme_paints_its_ground)
{
    struct term *t = start((const char *const[]){"COLORFGBG=15;0", NULL}, STEAL_HALF("--theme", "light"));
    struct term_cell name = look_of(t, "steal-half"), last;
    wait_theme(t, "light");
    CHECK(!name.own_ground && name.color == 16);
    for (int row = 0; row < 40; row++)
        for (int column = 0; column < 120; column++) {
            term_cell(t, row, column, &last);
            CHECK(!last.own_ground);
        }
    quit(t);
    t = start((const char *const[]){"COLORFGBG=0;15", NULL}, STEAL_HALF("--theme", "safe"));
    CHECK(!look_of(t, "steal-half").own_ground);
    quit(t);
    t = start((const char *const[]){"COLORFGBG=15;0", NULL}, STEAL_HALF("--theme", "safe"));
    CHECK(look_of(t, "steal-half").own_ground);
    quit(t);
}

/* A server often lacks the locale that ssh hands over. UTF-8 and the language stay. */
TEST(a_locale_that_the_machine_lacks)
{
    struct term *t = start((const char *const[]){"LC_ALL=en_XX.UTF-8", NULL}, STEAL_HALF());
    term_wait(t, "╭ ");
    quit(t);
    t = term_start(40, 120, (const char *const[]){"LC_ALL", "LC_CTYPE", "LC_MESSAGES", "LANG=zh_XX.utf8", NULL}, STEAL_HALF());
    term_wait(t, "退出");
    quit(t);
    t = start((const char *const[]){"LC_ALL=en_XX.ISO-8859-1", NULL}, STEAL_HALF());
    CHECK(!term_shows(t, "╭ "));
    quit(t);
}

TEST(why_the_texts_are_english)
{
    struct term *t = start((const char *const[]){"LC_ALL=C", NULL}, STEAL_HALF("--lang", "zh"));
    term_wait(t, "the texts are English: Chinese needs UTF-8");
    quit(t);
    t = start(NULL, STEAL_HALF("--lang", "zh", "--ascii"));
    term_wait(t, "the texts are English: Chinese has no ASCII form");
    quit(t);
    t = term_start(40, 120, (const char *const[]){"LC_ALL=C", NULL}, (const char *const[]){GMPSCOPE_BIN, "--lang", "zh", NULL});
    term_wait(t, "the texts are English: Chinese needs UTF-8");
    quit(t);
    struct result *r = shell("echo q | LC_ALL=C gmpscope run steal-half --linear --lang zh");
    CHECK(strstr(r->out, "the texts are English: Chinese needs UTF-8"));
}

/* ---- sequences of keys ---- */

/* Feeds what follows an escape; returns the key code, or 0 if the sequence is not complete. */
static uint32_t sequence_of(struct sequence *s, const char *text, int64_t now)
{
    uint32_t key = 0;
    for (; *text; text++)
        CHECK(sequence_takes(s, (uint32_t)*text, now, &key));
    return key;
}

TEST(a_sequence_may_come_in_parts)
{
    struct sequence s = {0};
    uint32_t key;
    CHECK(!sequence_begin(&s, 'x', 0));
    CHECK(!sequence_takes(&s, 'x', 0, &key));
    CHECK(sequence_begin(&s, '[', 0));
    CHECK_INT(sequence_of(&s, "1;", 400), 0);
    CHECK_INT(sequence_of(&s, "5D", 800), KEY_CODE_LEFT);
    CHECK(sequence_begin(&s, 'O', 0));
    CHECK_INT(sequence_of(&s, "M", 0), KEY_RETURN);
    CHECK(sequence_begin(&s, '[', 0));
    CHECK_INT(sequence_of(&s, "12345678901234567890~", 0), KEY_CODE_OTHER);
    CHECK(sequence_begin(&s, ']', 0));
    CHECK_INT(sequence_of(&s, "52;c;quit\a", 0), KEY_CODE_OTHER);
    CHECK(sequence_begin(&s, '[', 0));
    CHECK(!sequence_takes(&s, 'q', 2000, &key)); /* much later: a key of its own */
    CHECK(sequence_begin(&s, '[', 0));
    CHECK(!sequence_takes(&s, 0x4e2d, 0, &key));
}

/* ---- preferences ---- */

/* Writes the file of preferences; all programs that the test starts from now on read it. */
static const char *prefer(const char *yaml)
{
    static char path[4096];
    char folder[3000];
    snprintf(folder, sizeof folder, "%s/gmpscope", t_tmpdir());
    mkdir(folder, 0700);
    snprintf(path, sizeof path, "%s/config.yaml", folder);
    FILE *f = fopen(path, "w");
    CHECK(f && fputs(yaml, f) >= 0 && fclose(f) == 0);
    setenv("XDG_CONFIG_HOME", t_tmpdir(), 1);
    return path;
}

static const char *const no_language[] = {"LC_ALL=C.UTF-8", NULL};

TEST(the_file_gives_what_no_option_gives)
{
    prefer("theme: safe\nlayout: compact\nlanguage: zh\ntempo: 8\n");
    struct term *t = term_start(40, 120, no_language, STEAL_HALF());
    term_wait(t, "退出");
    term_wait(t, "速度 8/");
    CHECK_INT(term_find(t, "线程 M", NULL), term_find(t, "全局队列", NULL)); /* side by side in compact only */
    quit(t);
    t = start(no_language, STEAL_HALF("--lang", "en", "--theme", "mono", "--layout", "classic", "--tempo", "16"));
    term_wait(t, "tempo 16/s");
    wait_theme(t, "mono");
    quit(t);
    t = start((const char *const[]){"LC_ALL", "LC_MESSAGES", "LANG=en_US.UTF-8", NULL}, STEAL_HALF());
    wait_theme(t, "safe"); /* the environment outranks the language of the file */
    quit(t);
}

/* A slip in a person's preferences, or a setting of a newer version, stops nothing; lint names its place. */
TEST(mistakes_in_the_file_stop_nothing)
{
    static const struct {
        const char *yaml, *message;
    } wrong[] = {
        {"theme: lihgt\n", ":1:8: unknown theme \"lihgt\"; did you mean light"},
        {"# x\ntempo: 4\ntheem: light\n", ":3:1: unknown key \"theem\""},
        {"layout: clasic\n", ":1:9: there is no layout \"clasic\""},
        {"language: fr\n", ":1:11: "},
        {"tempo: fast\n", ":1:8: tempo: expected auto, events per second"},
        {"keys: [{press: x, as: nothing}]\n", ":1:23: there is no key \"nothing\""},
        {"theme: solar\ntempo: fast\ncolour: blue\n", ":1:8: unknown theme"}, /* all three */
        {"theme: solar\ntempo: fast\ncolour: blue\n", ":2:8: tempo: expected"},
        {"theme: solar\ntempo: fast\ncolour: blue\n", ":3:1: unknown key \"colour\""},
        {"theme: [\n", "config.yaml:"},
        {"- theme\n", ":1:1: "},
    };
    static const char *const commands[] = {
        "run steal-half --headless", "check steal-half", "explore steal-half --seeds 2", "query steal-half 'count(steal)'", "list"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        const char *path = prefer(wrong[i].yaml);
        for (size_t k = 0; k < sizeof commands / sizeof *commands; k++) {
            char line[100];
            snprintf(line, sizeof line, "gmpscope %s", commands[k]);
            struct result *r = shell(line);
            CHECK_INT(r->code, 0);
            CHECK_STR(r->err, "");
        }
        char line[4200];
        snprintf(line, sizeof line, "gmpscope lint %s", path);
        struct result *r = shell(line);
        CHECK_INT(r->code, 2);
        HAS(r->err, "gmpscope/config.yaml");
        HAS(r->err, wrong[i].message);
    }
    prefer("");
}

TEST(a_screen_names_the_first_mistake_and_keeps_the_other_settings)
{
    prefer("theme: mono\ncolour: blue\ntempo: fast\ntheme: light\n");
    struct term *t = term_start(40, 120, no_language, STEAL_HALF("--lang", "en"));
    term_wait(t, "this preference is ignored: ");
    term_wait(t, "config.yaml:2:1: unknown key \"colour\"");
    wait_theme(t, "mono");
    quit(t);
    prefer("");
}

TEST(keys_of_ones_own)
{
    prefer("keys:\n  - {press: x, as: \":\"}\n  - {press: é, as: \"?\"}\n");
    struct term *t = start(NULL, STEAL_HALF());
    term_keys(t, "xtheme");
    term_wait(t, ":theme");
    term_keys(t, "\033");
    term_wait_gone(t, ":theme");
    term_keys(t, "é");
    term_wait(t, "step one event");
    term_keys(t, "\033");
    term_wait_gone(t, "step one event");
    quit(t);
}

static void command(struct term *t, const char *line)
{
    term_keys(t, ":");
    term_keys(t, line);
    term_wait(t, line);
    term_keys(t, "\r");
}

TEST(set_takes_effect_at_once)
{
    struct term *t = start(NULL, STEAL_HALF());
    command(t, "set theme light");
    term_wait_gone(t, ":set");
    command(t, "set tempo 32");
    term_wait(t, "tempo 32/s");
    wait_theme(t, "light");
    command(t, "set language zh");
    term_wait(t, "退出");
    command(t, "set langage en");
    term_wait(t, "没有设置“langage”；最接近的是“language”");
    term_keys(t, "\033");
    term_keys(t, ":set l\t"); /* as far as it is certain: "la" */
    term_wait(t, "language  ");
    term_keys(t, "n\te\t\r");
    term_wait(t, "quit");
    quit(t);
}

TEST(write_config)
{
    const char *path = prefer("keys: [{press: \"\\\"\", as: s}]\n");
    struct term *t = start(NULL, STEAL_HALF());
    command(t, "set theme safe");
    command(t, "set tempo auto");
    command(t, "write-config");
    term_wait(t, "written: ");
    HAS(slurp(path, NULL), "\ntempo: auto\n");
    command(t, "set tempo 2.5");
    term_wait(t, "tempo 2.5/s");
    command(t, "write-config");
    term_wait(t, "written: ");
    quit(t);
    const char *text = slurp(path, NULL);
    HAS(text, "\ntheme: safe\nlayout: \"classic\"\nlanguage: en\ntempo: 2.5\nkeys:\n  - {press: \"\\\"\", as: \"s\"}\n");
    t = start(NULL, STEAL_HALF());
    wait_theme(t, "safe");
    quit(t);
}

TEST(folders_are_made_and_failures_named)
{
    char config[4096];
    snprintf(config, sizeof config, "XDG_CONFIG_HOME=%s/a/b", t_tmpdir());
    struct term *t = start((const char *const[]){config, NULL}, STEAL_HALF());
    command(t, "write-config");
    term_wait(t, "written: ");
    quit(t);
    HAS(slurp(in_tmp("a/b/gmpscope/config.yaml"), NULL), "theme: default\n");
    t = start((const char *const[]){"XDG_CONFIG_HOME=/dev/null", NULL}, STEAL_HALF());
    command(t, "write-config");
    term_wait(t, "cannot write /dev/null/gmpscope/config.yaml: ");
    quit(t);
    t = start((const char *const[]){"XDG_CONFIG_HOME", "HOME", NULL}, STEAL_HALF());
    command(t, "write-config");
    term_wait(t, "neither XDG_CONFIG_HOME nor HOME");
    quit(t);
}

/* ---- the cursor, the border, the help ---- */

struct place {
    int row, column;
    bool seen;
};

static bool is_at(struct term *t, void *place)
{
    const struct place *p = place;
    int row, column;
    bool seen = term_cursor(t, &row, &column);
    return seen == p->seen && row == p->row && column == p->column;
}

/* The picture may still change its rows, so the place is looked up each time. The cursor of a pane is hidden. */
static bool is_on_p0(struct term *t, void *unused)
{
    struct place p = {.seen = false};
    (void)unused;
    p.row = term_find(t, "P0 ", &p.column);
    return p.row >= 0 && is_at(t, &p);
}

TEST(the_cursor_is_on_the_focus)
{
    struct term *t = start(NULL, STEAL_HALF("--tempo", "max", "--break", "steal n>=2"));
    struct place at = {.seen = true};
    term_keys(t, ":goto 中");
    term_wait(t, ":goto 中");
    at.row = term_find(t, ":goto", &at.column);
    at.column += 8;
    term_wait_for(t, "the cursor is not in the line", is_at, &at);
    term_keys(t, "\033");
    term_wait_gone(t, ":goto");
    term_wait(t, "PAUSED");
    term_keys(t, "\t");
    term_wait_for(t, "the cursor is not on P0", is_on_p0, NULL);
    quit(t);
}

TEST(without_colour_the_border_of_the_focus_differs)
{
    const struct theme *mono = theme_find("mono");
    CHECK((theme_look(mono, ROLE_focus)->attr ^ theme_look(mono, ROLE_border)->attr) & LOOK_REVERSE);
}

/* The help lines of options begin in one column. */
TEST(help_counts_columns)
{
    struct result *r = shell("gmpscope --help");
    const char *lesson = strstr(r->out, "  --lesson "), *line = strchr(lesson, '\n');
    CHECK_INT(strcspn(lesson, "\n") > 27 && lesson[26] == ' ' && lesson[27] != ' ', 1);
    CHECK(line != NULL);
}

TEST(options_may_stand_alone)
{
    CHECK_INT(shell("gmpscope --lang zh --help")->code, 0);
    HAS(shell("gmpscope --lang zh")->out, "一半");
    struct result *r = shell("gmpscope --lang zh run steal-half");
    CHECK_INT(r->code, 2);
    HAS(r->err, "options come after the command: gmpscope run … --lang");
}

TEST(no_blank_inside_chinese)
{
    HAS(shell("gmpscope run steal-half --headless --narrate --lang zh")->out, "运行时创建 G1（main）。");
}

/* A G with the colour of the arrows would look like a part of them. In a theme without colours all are alike. */
TEST(no_g_has_the_colour_of_the_arrows_or_of_spinning)
{
    static const enum role taken[] = {ROLE_arrow, ROLE_spinning};
    for (int i = 0; theme_nth(i); i++) {
        const struct theme *t = theme_nth(i);
        for (enum role g = ROLE_g0; g <= ROLE_g7; g++)
            for (size_t k = 0; k < sizeof taken / sizeof *taken; k++) {
                const struct look *of_taken = theme_look(t, taken[k]), *of_g = theme_look(t, g);
                CHECK(of_taken->fg256 < 0 || of_g->fg256 != of_taken->fg256);
                CHECK(of_taken->fg8 < 0 || of_g->fg8 != of_taken->fg8);
            }
    }
}

/* Also in 8 colours, and without any. */
TEST(a_right_answer_does_not_look_like_a_wrong_one)
{
    for (int i = 0; i < THEMES; i++) {
        const struct look *right = theme_look(theme_nth(i), ROLE_running), *wrong = theme_look(theme_nth(i), ROLE_error);
        CHECK(right->fg8 != wrong->fg8 || right->attr != wrong->attr);
        CHECK(right->fg256 != wrong->fg256 || right->attr != wrong->attr);
    }
}
