/* base/: diagnostics, arenas, text for people, expressions. */
#include "base/arena.h"
#include "base/diag.h"
#include "base/expr.h"
#include "base/prng.h"
#include "base/text.h"
#include "t.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- diagnostics ----------------------------------------------------------------------------------------------- */

static char *printed(const struct diag *d)
{
    char *buf = NULL;
    size_t size;
    FILE *out = open_memstream(&buf, &size);
    diag_print(d, out);
    fclose(out);
    return buf;
}

static void check_printed(const struct diag *d, const char *want)
{
    char *got = printed(d);
    CHECK_STR(got, want);
    free(got);
}

TEST(diagnostics_are_sorted_by_place)
{
    struct diag d;
    diag_init(&d, "a.yaml");
    diag_add(&d, 3, 2, "third");
    diag_add(&d, 1, 9, "first %d", 1);
    diag_add(&d, 3, 1, "second");
    diag_add(&d, 0, 0, "whole file");
    check_printed(&d,
                  "gmpscope: a.yaml: whole file\ngmpscope: a.yaml:1:9: first 1\n"
                  "gmpscope: a.yaml:3:1: second\ngmpscope: a.yaml:3:2: third\n");
    CHECK_INT(d.count, 4);
    diag_fini(&d);
    CHECK_INT(d.count, 0);
    diag_init(&d, NULL);
    diag_add(&d, 5, 5, "no file");
    check_printed(&d, "gmpscope: no file\n");
    diag_fini(&d);
}

TEST(more_than_ten_diagnostics_keep_the_first_of_the_file)
{
    struct diag d;
    diag_init(&d, "f");
    for (unsigned line = 30; line > 0; line--)
        diag_add(&d, line, 1, "x");
    CHECK_INT(d.count, 30);
    CHECK_INT(d.item[0].line, 1);
    CHECK_INT(d.item[DIAG_MAX - 1].line, DIAG_MAX);
    char *got = printed(&d);
    CHECK(strstr(got, "gmpscope: f: and 20 more\n"));
    CHECK(!strstr(got, "f:11:1"));
    free(got);
    diag_fini(&d);
}

TEST(the_same_mistake_is_reported_once)
{
    struct diag d;
    diag_init(&d, "f");
    diag_add(&d, 1, 1, "x");
    diag_add(&d, 1, 1, "x");
    diag_add(&d, 1, 1, "y");
    CHECK_INT(d.count, 2);
    diag_fini(&d);
}

TEST(control_characters_do_not_reach_the_terminal)
{
    struct diag d;
    diag_init(&d, "a\033b");
    diag_add(&d, 1, 1, "%s", "\033[31m\x7f\xc2\x9b!\xff\xe2\x80\xae\xe4\xb8\xad\t");
    check_printed(&d, "gmpscope: a\\x1bb:1:1: \\x1b[31m\\x7f\\u009b!\\xff\\u202e\xe4\xb8\xad\\t\n");
    diag_fini(&d);
}

TEST(nearest_word)
{
    static const char *const words[] = {"compute", "print", "send", "recv", "go", "i", "sleep"};
    const size_t n = sizeof words / sizeof *words;
    CHECK_STR(diag_nearest("compte", words, n), "compute");
    CHECK_STR(diag_nearest("copmute", words, n), "compute"); /* a swap is one mistake */
    CHECK_STR(diag_nearest("sned", words, n), "send");
    CHECK_STR(diag_nearest("Print", words, n), "print");
    CHECK_STR(diag_nearest("gp", words, n), "go");
    CHECK(!diag_nearest("x", words, n)); /* any one-letter word is one edit away */
    CHECK(!diag_nearest("zebra", words, n));
    CHECK(!diag_nearest("", words, n));
    CHECK(!diag_nearest("compute", words, 0));
    char big[300];
    memset(big, 'a', sizeof big - 1);
    big[sizeof big - 1] = '\0';
    CHECK(!diag_nearest(big, words, n));
}

/* ---- arenas and arrays ----------------------------------------------------------------------------------------- */

TEST(arena_memory)
{
    struct arena a = {0};
    char *first = arena_alloc(&a, 1);
    *first = 'x';
    for (size_t size = 0; size < 60000; size = size * 2 + 1) {
        unsigned char *p = arena_alloc(&a, size);
        CHECK(p && (uintptr_t)p % 16 == 0);
        for (size_t i = 0; i < size; i++)
            CHECK(p[i] == 0);
        memset(p, 0xff, size);
    }
    CHECK_INT(*first, 'x');
    CHECK_STR(arena_strndup(&a, "hello", 3), "hel");
    CHECK_STR(arena_strndup(&a, NULL, 0), "");
    CHECK_STR(arena_printf(&a, "%d-%s", 7, "x"), "7-x");
    CHECK(!arena_alloc(&a, SIZE_MAX - 3));
    arena_fini(&a);
    CHECK(!a.blocks && a.total == 0);
}

/* Small pieces lie next to each other, also after a big one: a block for each would exhaust the machine's memory. */
TEST(arena_does_not_waste)
{
    struct arena a = {0};
    int side_by_side = 0;
    char *last = arena_alloc(&a, 16);
    for (int i = 0; i < 10000; i++) {
        char *p = arena_alloc(&a, 16);
        side_by_side += p == last + 16;
        last = p;
        if (i % 100 == 0)
            CHECK(arena_alloc(&a, 100000));
    }
    CHECK(side_by_side > 9900);
    arena_fini(&a);
}

TEST(growable_array)
{
    VEC(int) v = {0};
    for (int i = 0; i < 1000; i++)
        CHECK(vec_push(&v, i * 3));
    CHECK_INT(v.n, 1000);
    CHECK_INT(v.v[999], 2997);
    vec_free(&v);
    CHECK_INT(v.n, 0);
}

TEST(streams_of_random_numbers_are_apart)
{
    struct prng a, b, c;
    prng_seed(&a, 1, PRNG_DRAW);
    prng_seed(&b, 1, PRNG_SELECT);
    prng_seed(&c, 1, PRNG_DRAW);
    CHECK(prng_next(&a) != prng_next(&b));
    prng_next(&c);
    CHECK(prng_next(&a) == prng_next(&c));
    int seen[5] = {0};
    for (int i = 0; i < 500; i++)
        seen[prng_below(&a, 5)]++;
    for (int i = 0; i < 5; i++)
        CHECK(seen[i] > 50); /* 100 expected, deviation 9; the seed is fixed */
}

/* ---- durations ------------------------------------------------------------------------------------------------- */

static void check_duration(const char *s, int64_t want)
{
    int64_t ns = -1;
    if (!duration_parse(s, strlen(s), &ns) || ns != want)
        t_fail(__FILE__, __LINE__, "duration %s: %lld", s, (long long)ns);
}

TEST(durations_as_go_reads_them)
{
    check_duration("0", 0);
    check_duration("0s", 0);
    check_duration("5s", 5000000000);
    check_duration("300us", 300000);
    check_duration("300\xc2\xb5s", 300000);
    check_duration("300\xce\xbcs", 300000);
    check_duration("1.5ms", 1500000);
    check_duration("1h2m", 3720000000000);
    check_duration("3m30s250ms", 210250000000);
    check_duration(".5s", 500000000);
    check_duration("1.s", 1000000000);
    check_duration("0.1ns", 0);
    check_duration("0.3333333333333333333h", 1200000000000); /* these four are from Go's own tests */
    check_duration("0.100000000000000000000h", 360000000000);
    check_duration("0.830103483285477580700h", 2988372539827);
    check_duration("9007199254.740993ms", 9007199254740993);
    check_duration("9223372036854775807ns", INT64_MAX);
    check_duration("9223372036854775.807us", INT64_MAX);
}

TEST(invalid_durations)
{
    static const char *const bad[] = {
        "",
        "3",
        "-5s",
        "+5s",
        "s",
        ".",
        ".s",
        "1",
        "1x",
        "1ms2",
        "1 ms",
        " 1ms",
        "1ms ",
        "1.5.5s",
        "00",
        "1Ms",
        "1msx",
        "9223372036854775808ns",
        "9223372036854775.808us",
        "99999999999999999999s",
        "2562047h48m",
        "1e3s",
        "0x1s"};
    int64_t ns;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        if (duration_parse(bad[i], strlen(bad[i]), &ns))
            t_fail(__FILE__, __LINE__, "\"%s\" was taken as %lld", bad[i], (long long)ns);
    CHECK(!duration_parse("5s\0s", 4, &ns));
    CHECK(duration_parse("5sx", 2, &ns));
}

static void check_text(int64_t ns, const char *want)
{
    char buf[32];
    CHECK_STR(duration_text(ns, buf, sizeof buf), want);
}

TEST(durations_as_people_read_them)
{
    check_text(0, "0");
    check_text(812, "812 ns");
    check_text(999, "999 ns");
    check_text(1000, "1 \xc2\xb5s");
    check_text(40000, "40 \xc2\xb5s");
    check_text(1204000, "1.204 ms");
    check_text(1204999, "1.204 ms");
    check_text(1200000, "1.2 ms");
    check_text(999999999, "999.999 ms");
    check_text(2000000000, "2 s");
    check_text(3600000000000, "3600 s");
    check_text(-1, "-1 ns");
    check_text(-1500, "-1.5 \xc2\xb5s");
    check_text(INT64_MIN, "-9223372036.854 s");
    char small[4];
    CHECK_STR(duration_text(1204000, small, sizeof small), "1.2"); /* cut, not overrun */
}

/* ---- text ------------------------------------------------------------------------------------------------------ */

TEST(utf8_round_trip)
{
    for (uint32_t cp = 1; cp <= 0x10ffff; cp += cp < 0x3000 ? 1 : 0x11) {
        if (cp >= 0xd800 && cp < 0xe000)
            continue;
        char s[4];
        size_t n;
        int put = utf8_put(cp, s);
        CHECK_INT(utf8_next(s, (size_t)put, &n), cp);
        CHECK_INT(n, put);
        CHECK(utf8_valid(s, (size_t)put));
        if (put > 1)
            CHECK(!utf8_valid(s, (size_t)put - 1)); /* cut */
    }
}

TEST(utf8_refuses)
{
    static const char *const bad[] = {
        "\x80", "\xc0\x80", "\xc1\xbf", "\xe0\x80\x80", "\xed\xa0\x80", "\xf0\x80\x80\x80", "\xf4\x90\x80\x80", "\xf5\x80\x80\x80",
        "\xff", "\xc3(",    "\xe4\xb8"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        size_t n;
        CHECK(!utf8_valid(bad[i], strlen(bad[i])));
        CHECK_INT(utf8_next(bad[i], strlen(bad[i]), &n), 0xfffd);
        CHECK_INT(n, 1);
    }
    CHECK(utf8_valid("\xef\xbf\xbd", 3)); /* the replacement character itself is fine */
    char s[4];
    CHECK_INT(utf8_put(0xd800, s), 3);
    CHECK_INT(memcmp(s, "\xef\xbf\xbd", 3), 0);
}

TEST(width_on_a_terminal)
{
    CHECK_INT(text_width("abc"), 3);
    CHECK_INT(text_width("偷走 G1"), 7);
    CHECK_INT(text_width("。（）"), 6);
    CHECK_INT(text_width("한국 カナ"), 9);
    CHECK_INT(text_width("é"), 1);
    CHECK_INT(text_width("e\xcc\x81"), 1);    /* e and a combining acute */
    CHECK_INT(text_width("\xe2\x80\x8d"), 0); /* zero width joiner */
    CHECK_INT(text_width("\xe2\x80\x8b"), 1); /* zero width space: shown as "?" */
    CHECK_INT(text_width("╭─╮│◀▶▁█"), 8);     /* glyphs of the screens */
    CHECK_INT(text_width("µ·…→●"), 5);
    CHECK_INT(text_width("\xf0\x9f\x98\x80"), 2);
    CHECK_INT(text_width("\xf0\xa0\x80\x80"), 2);
    CHECK_INT(text_width("\033"), 1); /* drawn as ? */
    CHECK_INT(text_width("\xff\xfe"), 2);
    CHECK_INT(text_width(""), 0);
}

static enum lang lang_with(const char *all, const char *messages, const char *lang)
{
    setenv("LC_ALL", all, 1);
    setenv("LC_MESSAGES", messages, 1);
    setenv("LANG", lang, 1);
    enum lang l;
    lang_from_env(&l);
    return l;
}

TEST(language_from_the_environment)
{
    CHECK_INT(lang_with("", "", ""), LANG_EN);
    CHECK_INT(lang_with("", "", "zh_CN.UTF-8"), LANG_ZH);
    CHECK_INT(lang_with("", "en_US", "zh_CN"), LANG_EN);
    CHECK_INT(lang_with("zh", "en_US", "en_US"), LANG_ZH);
    CHECK_INT(lang_with("C.UTF-8", "zh_TW", "zh_TW"), LANG_EN);
    unsetenv("LC_ALL");
    unsetenv("LC_MESSAGES");
    unsetenv("LANG");
    enum lang l;
    CHECK(!lang_from_env(&l));
    CHECK_INT(l, LANG_EN);
    struct text t = {{"steal", NULL}};
    CHECK_STR(text_in(&t, LANG_ZH), "steal");
    t.in[LANG_ZH] = "偷";
    CHECK_STR(text_in(&t, LANG_ZH), "偷");
}

/* ---- expressions ----------------------------------------------------------------------------------------------- */

static int resolve(void *ctx, const char *name, size_t len)
{
    (void)ctx;
    static const char *const names[] = {"i", "n", "goid", "x_1"};
    for (int k = 0; k < 4; k++)
        if (strlen(names[k]) == len && memcmp(names[k], name, len) == 0)
            return k;
    return -1;
}

static int asked; /* how often a variable was read */
static int64_t get(void *ctx, int slot)
{
    asked++;
    return ((const int64_t *)ctx)[slot];
}

static struct expr *compile(struct arena *a, const char *s, const char **err, size_t *pos)
{
    const char *name;
    size_t name_len;
    return expr_compile(a, s, strlen(s), resolve, NULL, err, pos, &name, &name_len);
}

static int64_t eval(const char *s)
{
    static int64_t vars[4] = {3, 8, 7, INT64_MIN};
    struct arena a = {0};
    const char *err;
    size_t pos;
    int64_t v = 0;
    struct expr *e = compile(&a, s, &err, &pos);
    if (!e)
        t_fail(__FILE__, __LINE__, "%s: %s at %zu", s, err, pos);
    CHECK_INT(expr_eval(e, get, vars, &v), EXPR_OK);
    arena_fini(&a);
    return v;
}

TEST(expressions_have_gos_precedence)
{
    CHECK_INT(eval("1 + 2 * 3"), 7);
    CHECK_INT(eval("(1 + 2) * 3"), 9);
    CHECK_INT(eval("10 - 4 - 3"), 3);
    CHECK_INT(eval("100 / 10 / 5"), 2);
    CHECK_INT(eval("2 + 3 == 5"), 1);
    CHECK_INT(eval("1 < 2 && 2 < 1 || 1 == 1"), 1);
    CHECK_INT(eval("1 || 0 && 0"), 1); /* (1 || 0) && 0 would be 0 */
    CHECK_INT(eval("0 == 1 < 2"), 1);  /* one level, from the left; in C this is 0 */
    CHECK_INT(eval("-2 * -3"), 6);
    CHECK_INT(eval("-i % 2"), -1);
    CHECK_INT(eval("!0 + !5"), 1);
    CHECK_INT(eval("!(i == 3)"), 0);
    CHECK_INT(eval("- - 5"), 5);
    CHECK_INT(eval("+5"), 5);
    CHECK_INT(eval(" n%i*goid "), 14);
    CHECK_INT(eval("n >= 8"), 1);
    CHECK_INT(eval("n <= 7"), 0);
    CHECK_INT(eval("n != 8"), 0);
    CHECK_INT(eval("n > 7"), 1);
}

TEST(arithmetic_is_gos_int64)
{
    CHECK_INT(eval("-7 / 2"), -3);
    CHECK_INT(eval("-7 % 2"), -1);
    CHECK_INT(eval("7 % -2"), 1);
    CHECK_INT(eval("9223372036854775807 + 1"), INT64_MIN);
    CHECK_INT(eval("-9223372036854775808"), INT64_MIN);
    CHECK_INT(eval("x_1 / -1"), INT64_MIN);
    CHECK_INT(eval("x_1 % -1"), 0);
    CHECK_INT(eval("-x_1"), INT64_MIN);
    CHECK_INT(eval("x_1 - 1"), INT64_MAX);
    CHECK_INT(eval("x_1 * 3"), INT64_MIN); /* -3 * 2^63 is 2^63 modulo 2^64 */
}

TEST(and_and_or_go_no_further_than_needed)
{
    CHECK_INT(eval("0 && 1 / 0"), 0);
    CHECK_INT(eval("5 || 1 / 0"), 1);
    CHECK_INT(eval("5 && 7"), 1); /* a truth value, not the operand's value */
    CHECK_INT(eval("0 || 7"), 1);
    CHECK_INT(eval("0 || 0"), 0);
    CHECK_INT(eval("0 && 0 || i && n"), 1);
    CHECK_INT(eval("(0 && i) + 1"), 1);
    asked = 0;
    CHECK_INT(eval("0 && i || 1 || n"), 1);
    CHECK_INT(asked, 0);
}

TEST(division_by_zero_and_constants)
{
    struct arena a = {0};
    const char *err;
    size_t pos;
    int64_t v = -5, vars[4] = {0};
    struct expr *e = compile(&a, "4 / i", &err, &pos);
    CHECK_INT(expr_eval(e, get, vars, &v), EXPR_DIV_ZERO);
    CHECK(!expr_constant(e, &v));
    e = compile(&a, "4 % (1 - 1)", &err, &pos);
    CHECK_INT(expr_eval(e, get, vars, &v), EXPR_DIV_ZERO);
    CHECK(!expr_constant(e, &v));
    e = compile(&a, "4 * 5", &err, &pos);
    CHECK(expr_constant(e, &v));
    CHECK_INT(v, 20);
    CHECK(!expr_constant(compile(&a, "0 * i", &err, &pos), &v));
    arena_fini(&a);
}

static void check_mistake(const char *s, size_t at, const char *part)
{
    struct arena a = {0};
    const char *err = NULL;
    size_t pos = 999;
    if (compile(&a, s, &err, &pos))
        t_fail(__FILE__, __LINE__, "\"%s\" was compiled", s);
    if (pos != at || !strstr(err, part))
        t_fail(__FILE__, __LINE__, "\"%s\": \"%s\" at %zu, expected \"%s\" at %zu", s, err, pos, part, at);
    arena_fini(&a);
}

TEST(mistakes_in_expressions)
{
    check_mistake("", 0, "expected a value");
    check_mistake("  ", 2, "expected a value");
    check_mistake("1 +", 3, "expected a value");
    check_mistake("1 + * 2", 4, "expected a number");
    check_mistake("1 2", 2, "expected an operator");
    check_mistake("(1 + 2", 0, "never closed");
    check_mistake("(1 2)", 3, "operator or )");
    check_mistake("1)", 1, "expected an operator");
    check_mistake("i = 3", 2, "==");
    check_mistake("i & 1", 2, "expected an operator");
    check_mistake("9223372036854775808", 0, "too large");
    check_mistake("-9223372036854775809", 1, "too large");
    check_mistake("010", 0, "octal");
    check_mistake("1.5", 0, "whole");
    check_mistake("3x", 0, "whole");
    check_mistake("$", 0, "expected a number");
    check_mistake("1 + nosuch", 4, "unknown name");
    check_mistake("i\xff", 1, "expected an operator");
}

TEST(an_unknown_name_is_handed_back)
{
    struct arena a = {0};
    const char *err, *name, *s = "i + tota1*2";
    size_t pos, len;
    CHECK(!expr_compile(&a, s, strlen(s), resolve, NULL, &err, &pos, &name, &len));
    CHECK(name == s + 4 && len == 5);
    CHECK(expr_compile(&a, s, 1, resolve, NULL, &err, &pos, &name, &len));
    CHECK(!name && !err);
    arena_fini(&a);
}

/* Depth uses a G's small stack, so both nesting and the number of values waiting for their operator are bounded. */
TEST(depth_of_expressions_is_bounded)
{
    char s[20000];
    size_t n = 0;
    for (int i = 0; i < 5000; i++)
        s[n++] = '(';
    s[n] = '\0';
    check_mistake(s, 64, "deeply");
    memset(s, '-', 5000);
    s[5000] = '\0';
    check_mistake(s, 64, "deeply");
    n = 0;
    for (int i = 0; i < 60; i++)
        n += (size_t)sprintf(s + n, "1+(");
    n += (size_t)sprintf(s + n, "1");
    for (int i = 0; i < 60; i++)
        s[n++] = ')';
    s[n] = '\0';
    CHECK_INT(eval(s), 61);
    n = 0;
    for (int i = 0; i < 30; i++)
        n += (size_t)sprintf(s + n, "1||0&&1<2+3*("); /* five values wait at each level */
    struct arena a = {0};
    const char *err;
    size_t pos;
    CHECK(!compile(&a, s, &err, &pos));
    CHECK(strstr(err, "deeply"));
    arena_fini(&a);
    n = 0;
    for (int i = 0; i < 3000; i++)
        n += (size_t)sprintf(s + n, "1+"); /* long but flat */
    sprintf(s + n, "1");
    CHECK_INT(eval(s), 3001);
}
