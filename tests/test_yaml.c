/* base/yaml: reading without waiting, positions, limits, and the check against a schema with every type of value. */
#include "base/yaml/yaml.h"
#include "t.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/socket.h>
#include <unistd.h>

/* ---- the schema ------------------------------------------------------------------------------------------------ */

struct op {
    char *send;
    uint32_t *yield;
    struct op *body;
    uint32_t body_count;
};
struct inner {
    char *name;
    int8_t small;
};
struct doc {
    char *name;
    uint8_t *procs;
    int64_t *big;
    bool *pause;
    int *mode;
    uint32_t flags;
    double ratio;
    float narrow;
    char **words;
    uint32_t words_count;
    int pair[2];
    struct inner *inner;
    struct op *ops;
    uint32_t ops_count;
    char *maybe;
};

static const cyaml_strval_t modes[] = {{"lockstep", 0}, {"free", 1}};
static const cyaml_strval_t flag_words[] = {{"steal", 1}, {"spin", 2}, {"park", 4}};
#define OPT CYAML_FLAG_OPTIONAL
static const cyaml_schema_value_t op_schema;
static const cyaml_schema_field_t op_fields[] = {
    CYAML_FIELD_STRING_PTR("send", CYAML_FLAG_POINTER | OPT, struct op, send, 0, CYAML_UNLIMITED),
    CYAML_FIELD_UINT_PTR("yield", CYAML_FLAG_POINTER | OPT, struct op, yield),
    CYAML_FIELD_SEQUENCE("do", CYAML_FLAG_POINTER | OPT, struct op, body, &op_schema, 0, CYAML_UNLIMITED), CYAML_FIELD_END};
static const cyaml_schema_value_t op_schema = {CYAML_VALUE_MAPPING(CYAML_FLAG_DEFAULT, struct op, op_fields)};
static const cyaml_schema_field_t inner_fields[] = {CYAML_FIELD_STRING_PTR("name", CYAML_FLAG_POINTER, struct inner, name, 2, 8),
                                                    CYAML_FIELD_INT("small", OPT, struct inner, small), CYAML_FIELD_END};
static const cyaml_schema_value_t word_schema = {CYAML_VALUE_STRING(CYAML_FLAG_POINTER, char, 1, 16)};
static const cyaml_schema_value_t int_schema = {CYAML_VALUE_INT(CYAML_FLAG_DEFAULT, int)};
static const cyaml_schema_field_t doc_fields[] = {
    CYAML_FIELD_STRING_PTR("name", CYAML_FLAG_POINTER, struct doc, name, 1, 64),
    CYAML_FIELD_UINT_PTR("procs", CYAML_FLAG_POINTER | OPT, struct doc, procs),
    CYAML_FIELD_INT_PTR("big", CYAML_FLAG_POINTER | OPT, struct doc, big),
    CYAML_FIELD_BOOL_PTR("pause", CYAML_FLAG_POINTER | OPT, struct doc, pause),
    CYAML_FIELD_ENUM_PTR("mode", CYAML_FLAG_POINTER | OPT | CYAML_FLAG_STRICT, struct doc, mode, modes, 2),
    CYAML_FIELD_FLAGS("flags", OPT | CYAML_FLAG_STRICT, struct doc, flags, flag_words, 3),
    CYAML_FIELD_FLOAT("ratio", OPT, struct doc, ratio),
    CYAML_FIELD_FLOAT("narrow", OPT, struct doc, narrow),
    CYAML_FIELD_SEQUENCE("words", CYAML_FLAG_POINTER | OPT, struct doc, words, &word_schema, 1, 3),
    CYAML_FIELD_SEQUENCE_FIXED("pair", OPT, struct doc, pair, &int_schema, 2),
    CYAML_FIELD_MAPPING_PTR("inner", CYAML_FLAG_POINTER | OPT, struct doc, inner, inner_fields),
    CYAML_FIELD_SEQUENCE("do", CYAML_FLAG_POINTER | OPT, struct doc, ops, &op_schema, 0, CYAML_UNLIMITED),
    CYAML_FIELD_STRING_PTR("maybe", CYAML_FLAG_POINTER_NULL | OPT, struct doc, maybe, 0, 64),
    CYAML_FIELD_IGNORE("x", OPT),
    CYAML_FIELD_END};
static const cyaml_schema_value_t doc_schema = {CYAML_VALUE_MAPPING(CYAML_FLAG_POINTER, struct doc, doc_fields)};

/* ---- helpers --------------------------------------------------------------------------------------------------- */

static struct doc *load(const char *bytes, size_t len, struct diag *d)
{
    struct arena a = {0};
    void *data = NULL;
    struct ynode *root = yaml_parse(&a, bytes, len, d);
    bool fine = root && yaml_check(root, &doc_schema, "document", d);
    if (fine && !yaml_load(&a, root, &doc_schema, &data, d))
        data = NULL;
    if ((data == NULL) != (d->count > 0))
        t_fail(__FILE__, __LINE__, "%d mistakes but %sloaded: %s", d->count, data ? "" : "not ", bytes);
    arena_fini(&a);
    return data;
}

static void unload(struct doc *doc)
{
    cyaml_free(&yaml_config, &doc_schema, doc, 0);
}

static struct doc *good(const char *text)
{
    struct diag d;
    diag_init(&d, "good");
    struct doc *doc = load(text, strlen(text), &d);
    if (!doc) {
        diag_print(&d, stderr);
        t_fail(__FILE__, __LINE__, "not loaded: %s", text);
    }
    diag_fini(&d);
    return doc;
}

static void bad_bytes(const char *bytes, size_t len, unsigned line, unsigned col, const char *part)
{
    struct diag d;
    diag_init(&d, "bad");
    struct doc *doc = load(bytes, len, &d);
    CHECK(!doc);
    if (d.item[0].line != line || d.item[0].col != col || !strstr(d.item[0].text, part))
        t_fail(__FILE__, __LINE__, "expected %u:%u \"%s\", got %u:%u \"%s\" for: %.200s", line, col, part, d.item[0].line, d.item[0].col,
               d.item[0].text, bytes);
    diag_fini(&d);
}

static void bad(const char *text, unsigned line, unsigned col, const char *part)
{
    bad_bytes(text, strlen(text), line, col, part);
}

/* ---- what loads ------------------------------------------------------------------------------------------------ */

TEST(every_type_of_value)
{
    struct doc *doc = good(
        "name: steal-half # a comment\n"
        "procs: 255\n"
        "big: -9223372036854775808\n"
        "pause: true\n"
        "mode: free\n"
        "flags: [park, steal]\n"
        "ratio: -1.5e3\n"
        "narrow: .5\n"
        "words: [a, 'b c', \"d\\n\"]\n"
        "pair: [-1, 2]\n"
        "inner: {name: inn, small: -128}\n"
        "do:\n"
        "  - send: x\n"
        "    yield: 0\n"
        "  - do: [{do: [{yield: 4294967295}]}]\n"
        "maybe:\n"
        "x: {what: [ever, {you: like}]}\n");
    CHECK_STR(doc->name, "steal-half");
    CHECK_INT(*doc->procs, 255);
    CHECK_INT(*doc->big, INT64_MIN);
    CHECK(*doc->pause);
    CHECK_INT(*doc->mode, 1);
    CHECK_INT(doc->flags, 5);
    CHECK(doc->ratio == -1500 && doc->narrow == 0.5f);
    CHECK_INT(doc->words_count, 3);
    CHECK_STR(doc->words[1], "b c");
    CHECK_STR(doc->words[2], "d\n");
    CHECK_INT(doc->pair[0], -1);
    CHECK_INT(doc->inner->small, -128);
    CHECK_INT(doc->ops_count, 2);
    CHECK_INT(*doc->ops[0].yield, 0);
    CHECK_INT(*doc->ops[1].body[0].body[0].yield, 4294967295u);
    unload(doc);
}

TEST(json_crlf_and_byte_order_mark)
{
    struct doc *doc = good(
        "{\"name\": \"j\", \"procs\": 4, \"pause\": false,\n"
        " \"do\": [{\"send\": \"\\u4e2d\"}], \"words\": [\"\\/\"]}");
    CHECK_STR(doc->ops[0].send, "中");
    CHECK_STR(doc->words[0], "/");
    unload(doc);
    doc = good("\xef\xbb\xbfname: bom\r\nprocs: 3\r\n");
    CHECK_STR(doc->name, "bom");
    CHECK_INT(*doc->procs, 3);
    unload(doc);
    bad("\xef\xbb\xbfnome: bom\r\nname: x\r\nprocs: x\r\n", 1, 1, "nome");
    bad("name: x\r\nprocs: x\r\n", 2, 8, "procs");
    bad("name: x\rprocs: x\r", 2, 8, "procs");
}

TEST(text_round_trip)
{
    struct doc *doc = good(
        "name: \"q\\\"b\\\\t\\te\\e\\x7f\\u2028 中 \xf0\x9f\x98\x80 : # - {}\"\n"
        "do: [{send: ''}, {send: ' x '}, {send: \"\\ufeff\"}, {send: ~}, {send: }]\n");
    CHECK_STR(doc->name, "q\"b\\t\te\033\x7f\xe2\x80\xa8 中 \xf0\x9f\x98\x80 : # - {}");
    CHECK_STR(doc->ops[0].send, "");
    CHECK_STR(doc->ops[1].send, " x ");
    CHECK_STR(doc->ops[2].send, "\xef\xbb\xbf");
    CHECK_STR(doc->ops[3].send, "~");
    CHECK_STR(doc->ops[4].send, "");
    unload(doc);
    doc = good("name: >\n  folded\n  text\nwords: [\"x\"]\n");
    CHECK_STR(doc->name, "folded text\n");
    unload(doc);
}

TEST(anchors_and_aliases)
{
    struct doc *doc = good("x: &list [{send: &w jobs}, {yield: 3}]\nname: *w\ndo: [{do: *list}, {do: *list}]\n");
    CHECK_STR(doc->name, "jobs");
    CHECK_INT(doc->ops[1].body_count, 2);
    CHECK_INT(*doc->ops[1].body[1].yield, 3);
    CHECK(doc->ops[0].body != doc->ops[1].body);
    unload(doc);
}

TEST(positions)
{
    const char *text = "a: b\n中: 'q'\nl:\n  - &x   plain\n  - {k: \"v\"}\n  - *x\n  - |\n    block\n";
    struct arena a = {0};
    struct diag d;
    diag_init(&d, "p");
    struct ynode *root = yaml_parse(&a, text, strlen(text), &d);
    CHECK(root);
    struct ynode *quoted = yaml_get(root, "中"), *list = yaml_get(root, "l");
    CHECK_INT(root->line * 100 + root->col, 101);
    CHECK_INT(yaml_key(root, "中")->line, 2);
    CHECK_INT(quoted->line * 100 + quoted->col, 205); /* after the quote; columns count characters */
    CHECK(quoted->quoted && !yaml_get(root, "a")->quoted);
    CHECK_INT(list->n, 4);
    CHECK_INT(list->item[0]->line * 100 + list->item[0]->col, 410);
    CHECK_INT(yaml_get(list->item[1], "k")->col, 10);
    CHECK(list->item[2] == list->item[0]);
    CHECK_INT(list->item[3]->line * 100 + list->item[3]->col, 705);
    CHECK_STR(list->item[3]->text, "block\n");
    CHECK(!yaml_get(root, "nosuch") && !yaml_key(list, "a") && !yaml_get(NULL, "a"));
    diag_fini(&d);
    arena_fini(&a);
}

/* A normaliser changes the tree, and the changed tree loads. */
TEST(a_changed_tree_loads)
{
    const char *text = "name: x\ndo: [yield]\n";
    struct arena a = {0};
    struct diag d;
    diag_init(&d, "n");
    void *data;
    struct ynode *root = yaml_parse(&a, text, strlen(text), &d), *ops = yaml_get(root, "do"), *word = ops->item[0];
    struct ynode *map = yaml_new_map(&a, word);
    CHECK(yaml_map_add(&a, map, word, yaml_new_scalar(&a, "1", word)));
    CHECK(yaml_map_add(&a, map, yaml_new_scalar(&a, "send", word), yaml_new_scalar(&a, "y", word)));
    ops->item[0] = map;
    CHECK(yaml_check(root, &doc_schema, "document", &d));
    CHECK(yaml_load(&a, root, &doc_schema, &data, &d));
    CHECK_INT(*((struct doc *)data)->ops[0].yield, 1);
    CHECK_STR(((struct doc *)data)->ops[0].send, "y");
    CHECK_INT(map->line * 100 + map->col, 206);
    unload(data);
    diag_fini(&d);
    arena_fini(&a);
}

/* Emitted text is YAML that parses to the same tree. */
TEST(emit_and_parse_again)
{
    const char *text = "{a: [1, '', \"x\\0y\", {}], ? long : [[]], b: {c: \"\\u00e9\\u0085\"}}";
    struct arena a = {0};
    struct diag d;
    diag_init(&d, "e");
    size_t once, twice;
    char *first = yaml_emit(&a, yaml_parse(&a, text, strlen(text), &d), &once);
    struct ynode *again = yaml_parse(&a, first, once, &d);
    CHECK(again && d.count == 0);
    CHECK_INT(yaml_get(again, "a")->item[2]->len, 3);
    CHECK_INT(memcmp(yaml_get(again, "a")->item[2]->text, "x\0y", 3), 0);
    CHECK_STR(yaml_get(yaml_get(again, "b"), "c")->text, "\xc3\xa9\xc2\x85");
    char *second = yaml_emit(&a, again, &twice);
    CHECK_INT(once, twice);
    CHECK_STR(first, second);
    diag_fini(&d);
    arena_fini(&a);
}

/* ---- what does not load ---------------------------------------------------------------------------------------- */

TEST(wrong_keys)
{
    bad("nam: x\nname: y\n", 1, 1, "unknown key \"nam\" in document; did you mean \"name\"?");
    bad("name: y\ninner: {nmae: abc, name: xy}\n", 2, 9, "did you mean \"name\"");
    bad("name: y\ninner: {name: xy, zebra: 1}\n", 2, 19, "it can be name, small");
    bad("name: y\ndo:\n  - do:\n      - do:\n          - sned: x\n", 5, 13,
        "unknown key \"sned\" in an item of do; did you mean \"send\"?");
    bad("procs: 1\n", 1, 1, "document lacks the key \"name\"");
    bad("name: x\ninner: {small: 1}\n", 2, 8, "inner lacks the key \"name\"");
    bad("name: x\nprocs: 1\nname: y\n", 3, 1, "\"name\" appears twice; first on line 1");
    bad("name: x\n? [a, b]\n: 1\n", 2, 3, "a key must be a word");
    bad("name: x\n? {a: b}\n: 1\n", 2, 3, "a key must be a word");
    bad("x: &l [a]\nname: x\n*l : 1\n", 3, 1, "a key must be a word");
    bad("name: x\n<<: {procs: 1}\n", 2, 1, "merge keys (<<) are not supported");
    bad_bytes("name: x\n\"na\\0me\": 1\n", 18, 2, 2, "unknown key");
}

TEST(wrong_numbers)
{
    static const char *const numbers[] = {
        "4cores", "5ms", "1.5", "1_000", "010", "0x10", "1e3", "+5", "-x", "--1", "1 2", "~", "true", "0b1", "0o7", ".5", "00", "-01"};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        char text[64];
        snprintf(text, sizeof text, "name: x\nprocs: %s\n", numbers[i]);
        bad(text, 2, 8, "is not an integer");
        snprintf(text, sizeof text, "name: x\nbig:   %s\n", numbers[i]);
        bad(text, 2, 8, "is not an integer");
    }
    bad("name: x\nprocs: 256\n", 2, 8, "256 is out of range; 0 to 255");
    bad("name: x\nprocs: -1\n", 2, 8, "-1 is out of range; 0 to 255");
    bad("name: x\nbig: 9223372036854775808\n", 2, 6, "out of range");
    bad("name: x\nbig: -9223372036854775809\n", 2, 6, "out of range");
    bad("name: x\nbig: 99999999999999999999999\n", 2, 6, "-9223372036854775808 to 9223372036854775807");
    bad("name: x\ninner: {name: ab, small: 128}\n", 2, 26, "-128 to 127");
    bad("name: x\nprocs: \"4\"\n", 2, 9, "without quotes");
    bad("name: x\nprocs: [4]\n", 2, 8, "procs must be an integer, not a list");
    bad("name: x\nprocs:\n", 2, 7, "is not an integer");
    bad("name: x\ndo: [{yield: 4294967296}]\n", 2, 14, "0 to 4294967295");
}

TEST(wrong_floats_bools_and_words)
{
    static const char *const floats[] = {"1.5x", "1,5", "nan", ".inf", "inf", "0x1p3", "1e999", "e5", ".", "1e"};
    for (size_t i = 0; i < sizeof floats / sizeof *floats; i++) {
        char text[64];
        snprintf(text, sizeof text, "name: x\nratio: %s\n", floats[i]);
        bad(text, 2, 8, "is not a number");
    }
    bad("name: x\nratio: ''\n", 2, 9, "is not a number");
    bad("name: x\nnarrow: 1e39\n", 2, 9, "is not a number");
    bad("name: x\npause: flase\n", 2, 8, "\"flase\" is neither true nor false");
    bad("name: x\npause: yes\n", 2, 8, "neither");
    bad("name: x\npause: True\n", 2, 8, "neither");
    bad("name: x\npause: 'true'\n", 2, 9, "neither");
    bad("name: x\npause: {}\n", 2, 8, "pause must be true or false, not a mapping");
    bad("name: x\nmode: fre\n", 2, 7, "unknown word \"fre\" in mode; did you mean \"free\"?");
    bad("name: x\nmode: sideways\n", 2, 7, "it can be lockstep, free");
    bad("name: x\nmode: 1\n", 2, 7, "unknown word");
    bad("name: x\nflags: [steal, stel, spin]\n", 2, 16, "unknown word \"stel\" in an item of flags; did you mean \"steal\"?");
    bad("name: x\nflags: steal\n", 2, 8, "flags must be a list of words, not a word");
    bad("name: x\nflags: [[steal]]\n", 2, 9, "an item of flags must be a word, not a list");
}

TEST(wrong_text_lists_and_kinds)
{
    bad("name: ''\n", 1, 8, "name must not be empty");
    bad("name:\n", 1, 6, "name must not be empty");
    bad("name: [x]\n", 1, 7, "name must be text, not a list");
    bad("name: 0123456789012345678901234567890123456789012345678901234567890123456789\n", 1, 7, "too long; at most 64 bytes");
    bad("name: x\ninner: {name: a}\n", 2, 15, "too short; at least 2 bytes");
    bad_bytes("name: \"a\\0b\"\n", 13, 1, 8, "has a NUL character in it");
    bad("name: x\nwords: []\n", 2, 8, "too few items; at least 1");
    bad("name: x\nwords: [a, b, c, d]\n", 2, 8, "too many items; at most 3");
    bad("name: x\nwords: [a, '']\n", 2, 13, "an item of words must not be empty");
    bad("name: x\nwords: a\n", 2, 8, "words must be a list, not a word");
    bad("name: x\nwords:\n", 2, 7, "[] for an empty one), not nothing");
    bad("name: x\nwords: {a: b}\n", 2, 8, "words must be a list, not a mapping");
    bad("name: x\npair: [1]\n", 2, 7, "too few");
    bad("name: x\ninner: 5\n", 2, 8, "inner must be a mapping (key: value), not a word");
    bad("name: x\ndo:\n- yield\n", 3, 3, "an item of do must be a mapping");
    bad("- a\n", 1, 1, "document must be a mapping (key: value), not a list");
    bad("just words\n", 1, 1, "document must be a mapping");
}

TEST(wrong_yaml)
{
    bad("", 1, 1, "there is nothing in it");
    bad("# only a comment\n", 1, 1, "there is nothing in it");
    bad("name: x\n---\nname: y\n", 2, 1, "a second document");
    bad("name: [a, b\n", 2, 1, "did not find expected");
    bad("name: x\n  procs: 1\n", 2, 8, "mapping values are not allowed");
    bad("name: x\nprocs: }\n", 2, 8, "did not find expected");
    bad("name: x\n\tprocs: 1\n", 2, 1, "a tab; YAML is indented with spaces");
    bad("name: \"x\n", 2, 1, "unexpected end of stream");
    bad("name: 'a' b\n", 1, 11, "did not find expected");
    bad("name: @x\n", 1, 7, "cannot start any token");
    bad("name: \"\\q\"\n", 1, 8, "escape");
    bad("name: !!str x\n", 1, 7, "tags are not supported");
    bad("name: x\ninner: !t {name: ab}\n", 2, 8, "tags are not supported");
    bad("name: x\nwords: ! [ab]\n", 2, 8, "tags are not supported");
    bad("name: *nosuch\n", 1, 7, "unknown alias *nosuch");
    bad("name: x\ndo: &a [{do: *a}]\n", 2, 14, "an alias to a value that contains it");
    bad("&a {name: x, x: *a}\n", 1, 17, "an alias to a value that contains it");
    bad("name: x\nx: \xff\n", 2, 4, "not text in UTF-8");
    bad("name: x\nx: 中\xe4\xb8 y\n", 2, 5, "not text in UTF-8");
    bad("name: x\nx: \xed\xa0\x80\n", 2, 4, "not text in UTF-8");
    bad("name: x\nx: a\x01\n", 2, 5, "not text in UTF-8: control characters are not allowed");
    bad("name: x\nx: \033[31m\n", 2, 4, "control characters");
    bad_bytes("name: x\nx: a\0b\n", 15, 2, 5, "control characters");
    bad("%YAML 3.0\n---\nname: x\n", 1, 1, "incompatible");
}

/* A text whose ASCII characters are encoded as UTF-16 or UTF-32, with and without a byte order mark. */
TEST(only_utf_8)
{
    static const char text[] = "a: 1\n";
    static const unsigned char order[2][4] = {{0xff, 0xfe, 0, 0}, {0, 0, 0xfe, 0xff}}; /* little and big endian, of 4 bytes */
    for (int big = 0; big < 2; big++)
        for (size_t unit = 2; unit <= 4; unit += 2)
            for (size_t mark = 0; mark < 2; mark++) {
                char bytes[64] = "", want[80];
                size_t n = 0;
                struct arena a = {0};
                struct diag d;
                diag_init(&d, "f");
                if (mark) {
                    memcpy(bytes, order[big] + (big ? 4 - unit : 0), unit);
                    n = unit;
                }
                for (size_t i = 0; text[i]; i++, n += unit)
                    bytes[n + (big ? unit - 1 : 0)] = text[i];
                CHECK(!yaml_parse(&a, bytes, n, &d));
                snprintf(want, sizeof want, "expected UTF-8 text, got UTF-%zu; save the file as UTF-8", 8 * unit);
                CHECK_INT(d.count, 1);
                CHECK_STR(d.item[0].text, want);
                diag_fini(&d);
                arena_fini(&a);
            }
}

TEST(all_mistakes_are_reported_at_once)
{
    const char *text = "nme: x\nprocs: 300\npause: maybe\ninner: {name: z}\n";
    struct diag d;
    diag_init(&d, "many");
    CHECK(!load(text, strlen(text), &d));
    CHECK_INT(d.count, 5); /* nme, name missing, 300, maybe, too short */
    CHECK_INT(d.item[0].line, 1);
    CHECK_INT(d.item[4].line, 4);
    diag_fini(&d);
}

TEST(an_alias_is_blamed_once)
{
    struct diag d;
    diag_init(&d, "alias");
    const char *text = "name: x\ndo: [{do: &a [{sned: x}]}, {do: *a}, {do: *a}]\n";
    CHECK(!load(text, strlen(text), &d));
    CHECK_INT(d.count, 1);
    diag_fini(&d);
}

/* ---- hostile --------------------------------------------------------------------------------------------------- */

static char *repeat(const char *before, const char *unit, size_t n, const char *after)
{
    size_t u = strlen(unit), b = strlen(before);
    char *s = malloc(b + n * u + strlen(after) + 1);
    memcpy(s, before, b);
    for (size_t i = 0; i < n; i++)
        memcpy(s + b + i * u, unit, u);
    strcpy(s + b + n * u, after);
    return s;
}

static void bad_repeat(const char *before, const char *unit, size_t n, const char *after, unsigned line, unsigned col, const char *part)
{
    char *s = repeat(before, unit, n, after);
    bad(s, line, col, part);
    free(s);
}

TEST(depth_is_bounded)
{
    bad_repeat("", "[", 100000, "", 1, 65, "nested too deeply");
    bad_repeat("x: ", "[", 100000, "", 1, 67, "nested too deeply");
    bad_repeat("", "- ", 100000, "x", 1, 129, "nested too deeply");
    bad_repeat("", "{a: ", 100000, "", 1, 257, "nested too deeply");
    bad_repeat("", "? ", 100000, "", 1, 3, "a key must be a word");
    char *fits = repeat("name: y\nx: ", "[", 63, ""), *whole = repeat(fits, "]", 63, "\n");
    unload(good(whole));
    free(fits);
    free(whole);
}

/* Each anchor is shallow; what the aliases expand to is not. */
TEST(depth_through_aliases_is_bounded)
{
    char text[8192];
    size_t n = (size_t)sprintf(text, "name: y\nx:\n- &a0 [z]\n");
    for (int i = 1; i < 100; i++)
        n += (size_t)sprintf(text + n, "- &a%d [*a%d]\n", i, i - 1);
    bad(text, 65, 9, "nested too deeply when its aliases are expanded"); /* a62 in line 65 has 63 levels, under 2 */
}

TEST(alias_bombs_fail_at_once)
{
    char text[4096];
    size_t n = (size_t)sprintf(text, "name: y\nx:\n- &a0 [z, z, z, z, z, z, z, z, z]\n");
    for (int i = 1; i < 9; i++) {
        n += (size_t)sprintf(text + n, "- &a%d [", i);
        for (int k = 0; k < 9; k++)
            n += (size_t)sprintf(text + n, "%s*a%d", k ? "," : "", i - 1);
        n += (size_t)sprintf(text + n, "]\n");
    }
    struct diag d;
    diag_init(&d, "bomb");
    CHECK(!load(text, n, &d));
    CHECK(strstr(d.item[0].text, "too large when its aliases are expanded"));
    diag_fini(&d);
    /* A long text that is used often weighs as much as its copies. */
    char *unit = repeat("name: y\nx:\n- &a ", "0123456789", 10000, "\n"), *bomb = repeat(unit, "- *a\n", 1000, "");
    diag_init(&d, "bomb");
    CHECK(!load(bomb, strlen(bomb), &d));
    CHECK(strstr(d.item[0].text, "too large when its aliases are expanded"));
    diag_fini(&d);
    free(unit);
    free(bomb);
}

TEST(number_of_values_is_bounded)
{
    bad_repeat("name: x\nx: [", "a,", 210000, "]\n", 2, 399995, "too large; at most 200000 values"); /* {, name, x, x, [ and 199995 a */
    bad_repeat("name: x\nx: [", "&a b,", 2000, "]\n", 2, 1285, "too many anchors");
}

TEST(a_hopeless_file_ends_soon)
{
    struct diag d;
    char *s = repeat("name: x\n", "kompute1: 1\n", 20000, "");
    diag_init(&d, "hopeless");
    CHECK(!load(s, strlen(s), &d));
    CHECK(d.count >= DIAG_MAX);
    diag_fini(&d);
    free(s);
}

/* Any prefix and any flipped byte: no crash, and the file either loads or has a reported mistake (load() checks
 * that). */
TEST(broken_files_never_crash)
{
    const char *text =
        "name: &n 'x'\nprocs: 4\ndo: [{send: *n, do: [{yield: 1}]}]\nwords: [\"\\u00e9\", |-]\ninner:\n  name: >\n"
        "    ab\n? x\n: - {a: b}\n";
    size_t len = strlen(text);
    char copy[256];
    for (size_t cut = 0; cut <= len; cut++) {
        struct diag d;
        diag_init(&d, "cut");
        memcpy(copy, text, cut);
        copy[cut] = '\0';
        unload(load(copy, cut, &d));
        diag_fini(&d);
    }
    static const char evil[] = "\0\t\n\r \"'#&*,-:>?[]{|}%@`!\\\x80\xff\xe4<0~";
    for (size_t at = 0; at < len; at++)
        for (size_t k = 0; k < sizeof evil - 1; k++) {
            struct diag d;
            diag_init(&d, "flip");
            memcpy(copy, text, len + 1);
            copy[at] = evil[k];
            unload(load(copy, len, &d));
            diag_fini(&d);
        }
}

/* ---- files ----------------------------------------------------------------------------------------------------- */

static void refused(const char *path, const char *part)
{
    struct arena a = {0};
    struct diag d;
    size_t len;
    diag_init(&d, path);
    CHECK(!yaml_read(&a, path, &len, &d));
    CHECK_INT(d.count, 1);
    CHECK_INT(d.item[0].line, 0);
    if (!strstr(d.item[0].text, part))
        t_fail(__FILE__, __LINE__, "%s: %s", path, d.item[0].text);
    diag_fini(&d);
    arena_fini(&a);
}

static const char *path_of(const char *name)
{
    static char path[512];
    snprintf(path, sizeof path, "%s/%s", t_tmpdir(), name);
    return path;
}

/* Without O_NONBLOCK the FIFO would hang here until the frame's alarm. */
TEST(only_regular_files_are_read)
{
    refused(t_tmpdir(), "is a directory");
    refused(path_of("nosuch"), "No such file");
    refused("/dev/null", "is not a regular file");
    refused("/dev/zero", "is not a regular file");
    CHECK_INT(mkfifo(path_of("fifo"), 0600), 0);
    refused(path_of("fifo"), "is not a regular file");
    struct sockaddr_un where = {.sun_family = AF_UNIX};
    CHECK((size_t)snprintf(where.sun_path, sizeof where.sun_path, "%s", path_of("sock")) < sizeof where.sun_path);
    int fd = socket(AF_UNIX, SOCK_STREAM, 0);
    CHECK_INT(bind(fd, (struct sockaddr *)&where, sizeof where), 0);
    refused(path_of("sock"), "cannot be read");
    close(fd);
    CHECK_INT(symlink("loop", path_of("loop")), 0);
    refused(path_of("loop"), "cannot be read");
}

TEST(unreadable_files_are_refused)
{
    const char *path = t_file("secret", "name: x\n");
    CHECK_INT(chmod(path, 0), 0);
    bool root = geteuid() == 0; /* root may read everything, so this becomes nobody for a moment */
    CHECK(!root || seteuid(65534) == 0);
    refused(path, "Permission denied");
    CHECK(!root || seteuid(0) == 0);
}

TEST(size_of_files)
{
    char *s = repeat("", "#", (1 << 20), "");
    struct arena a = {0};
    struct diag d;
    size_t len = 0;
    const char *path = t_file("full", s);
    diag_init(&d, path);
    char *bytes = yaml_read(&a, path, &len, &d);
    CHECK(bytes && d.count == 0);
    CHECK_INT(len, 1 << 20);
    CHECK_INT(bytes[len], 0);
    CHECK(a.total < (2 << 20));
    bytes = yaml_read(&a, t_file("empty", ""), &len, &d);
    CHECK(bytes);
    CHECK_INT(len, 0);
    arena_fini(&a);
    free(s);
    s = repeat("", "#", (1 << 20) + 1, "");
    refused(t_file("over", s), "too large; at most 1 MiB");
    free(s);
    diag_fini(&d);
}
