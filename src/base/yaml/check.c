/* Checks the tree against a libcyaml schema, with messages for people.
 *
 * One function for each type of value. They continue after a mistake, so that one run reports all mistakes.
 */
#include "base/yaml/yaml.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define WORDS_MAX 256 /* keys of a mapping, words of an enumeration; a static schema has fewer */
#define ENOUGH 1000   /* mistakes after which the check stops */
#define SHOWN 40      /* bytes of a wrong word in a message */

struct check {
    struct diag *d;
};

/* The name of a value in messages. */
struct place {
    const char *name;
    bool item;
};
#define PLACE "%s%s"
#define PLACE_OF(p) (p).item ? "an item of " : "", (p).name

typedef cyaml_schema_value_t schema;

static void check_value(struct check *c, const struct ynode *n, const schema *s, struct place p);

static const char *kind_name(const struct ynode *n)
{
    return n->kind == Y_LIST ? "a list" : n->kind == Y_MAP ? "a mapping" : n->len || n->quoted ? "a word" : "nothing";
}

/* Returns what to write instead of a word of another language; NULL: nothing is known. */
static const char *advice(const struct check *c, const struct ynode *n, struct place p)
{
    return c->d->advice && n->kind == Y_SCALAR && n->len ? c->d->advice(p.name, n->text) : NULL;
}

static void wrong_kind(struct check *c, const struct ynode *n, struct place p, const char *wanted)
{
    const char *instead = advice(c, n, p);
    const struct ynode *name = n->kind == Y_MAP ? yaml_get(n, "name") : NULL;
    if (p.item && name && name->kind == Y_SCALAR)
        diag_add(c->d, n->line, n->col, PLACE " must be %s, not %s; write its name: %.*s", PLACE_OF(p), wanted, kind_name(n), SHOWN,
                 name->text);
    else
        diag_add(c->d, n->line, n->col, PLACE " must be %s, not %s%s%s", PLACE_OF(p), wanted, kind_name(n), instead ? "; " : "",
                 instead ? instead : "");
}

/* Returns true for a scalar without NUL characters; reports anything else. */
static bool scalar(struct check *c, const struct ynode *n, struct place p, const char *wanted)
{
    if (n->kind != Y_SCALAR)
        wrong_kind(c, n, p, wanted);
    else if (memchr(n->text, '\0', n->len))
        diag_add(c->d, n->line, n->col, PLACE " has a NUL character in it", PLACE_OF(p));
    else
        return true;
    return false;
}

/* ---- words ----------------------------------------------------------------------------------------------------- */

struct words {
    const char *v[WORDS_MAX];
    size_t n;
};

static void words_add(struct words *w, const char *s)
{
    if (w->n < WORDS_MAX)
        w->v[w->n++] = s;
}

static void words_join(const struct words *w, char *buf, size_t size)
{
    size_t at = 0;
    buf[0] = '\0';
    for (size_t i = 0; i < w->n && at < size; i++)
        at += (size_t)snprintf(buf + at, size - at, "%s%s", i ? ", " : "", w->v[i]);
}

#define SHORT_LIST 12

/* Reports "unknown WHAT "word" in PLACE; did you mean …?", or lists the known words if they are few. */
static void unknown(struct check *c, const struct ynode *n, const char *what, struct place p, const struct words *known)
{
    char list[400];
    const char *instead = advice(c, n, p), *near = instead ? NULL : diag_nearest(n->text, known->v, known->n);
    if (instead) {
        diag_add(c->d, n->line, n->col, "unknown %s \"%.*s\" in " PLACE "; %s", what, SHOWN, n->text, PLACE_OF(p), instead);
        return;
    }
    if (near) {
        diag_add(c->d, n->line, n->col, "unknown %s \"%.*s\" in " PLACE "; did you mean \"%s\"?", what, SHOWN, n->text, PLACE_OF(p), near);
    } else if (known->n && known->n <= SHORT_LIST) {
        words_join(known, list, sizeof list);
        diag_add(c->d, n->line, n->col, "unknown %s \"%.*s\" in " PLACE "; it can be %s", what, SHOWN, n->text, PLACE_OF(p), list);
    } else {
        diag_add(c->d, n->line, n->col, "unknown %s \"%.*s\" in " PLACE, what, SHOWN, n->text, PLACE_OF(p));
    }
    if (near || known->n > SHORT_LIST)
        diag_offer(c->d, n->line, n->col, n->text, known->v, known->n);
}

static void check_word(struct check *c, const struct ynode *n, const schema *s, struct place p)
{
    struct words known = {.n = 0};
    if (!scalar(c, n, p, "a word"))
        return;
    for (uint32_t i = 0; i < s->enumeration.count; i++) {
        if (strcmp(s->enumeration.strings[i].str, n->text) == 0)
            return;
        words_add(&known, s->enumeration.strings[i].str);
    }
    unknown(c, n, "word", p, &known);
}

static void check_flags(struct check *c, const struct ynode *n, const schema *s, struct place p)
{
    if (n->kind != Y_LIST) {
        wrong_kind(c, n, p, "a list of words");
        return;
    }
    for (size_t i = 0; i < n->n; i++)
        check_word(c, n->item[i], s, (struct place){p.name, true});
}

/* ---- numbers and text ------------------------------------------------------------------------------------------ */

/* Returns the digits of a strictly decimal integer, NULL for anything else. libcyaml would read 010 as 8 and 5ms as 5. */
static const char *decimal_digits(const struct ynode *n)
{
    const char *digits = n->text + (n->text[0] == '-');
    size_t len = strlen(digits);
    if (n->quoted || len == 0 || strspn(digits, "0123456789") != len || (digits[0] == '0' && len > 1))
        return NULL;
    return digits;
}

/* True if the number fits into a type of `bits` bits. */
static bool in_range(const char *digits, bool negative, unsigned bits, bool is_signed)
{
    errno = 0;
    unsigned long long v = strtoull(digits, NULL, 10);
    unsigned long long most = UINT64_MAX >> (64 - bits + (is_signed ? 1 : 0));
    if (errno == ERANGE)
        return false;
    if (negative)
        return is_signed ? v <= most + 1 : v == 0;
    return v <= most;
}

static void check_int(struct check *c, const struct ynode *n, const schema *s, struct place p)
{
    bool is_signed = s->type == CYAML_INT;
    unsigned bits = s->data_size * 8 > 64 ? 64 : s->data_size * 8;
    if (!scalar(c, n, p, "an integer"))
        return;
    const char *digits = decimal_digits(n);
    if (!digits) {
        const char *instead = advice(c, n, p);
        diag_add(c->d, n->line, n->col, PLACE ": \"%.*s\" is not %s%s", PLACE_OF(p), SHOWN, n->text,
                 n->quoted ? "an integer but a text; write it without quotes" : "an integer; ",
                 n->quoted ? ""
                 : instead ? instead
                           : "only decimal digits");
        return;
    }
    uint64_t most = UINT64_MAX >> (64 - bits + (is_signed ? 1 : 0));
    if (in_range(digits, n->text[0] == '-', bits, is_signed))
        return;
    if (is_signed)
        diag_add(c->d, n->line, n->col, PLACE ": %.*s is out of range; %" PRId64 " to %" PRIu64, PLACE_OF(p), SHOWN, n->text,
                 -(int64_t)most - 1, most);
    else
        diag_add(c->d, n->line, n->col, PLACE ": %.*s is out of range; 0 to %" PRIu64, PLACE_OF(p), SHOWN, n->text, most);
}

static void check_bool(struct check *c, const struct ynode *n, struct place p)
{
    if (!scalar(c, n, p, "true or false"))
        return;
    if (n->quoted || (strcmp(n->text, "true") != 0 && strcmp(n->text, "false") != 0))
        diag_add(c->d, n->line, n->col, PLACE ": \"%.*s\" is neither true nor false", PLACE_OF(p), SHOWN, n->text);
}

static size_t skip_digits(const char *s)
{
    return strspn(s, "0123456789");
}

/* True for numbers like -1.5e3, but not for the rest of what strtod accepts (hexadecimal, inf, nan). */
static bool is_float(const char *s)
{
    s += *s == '-' || *s == '+';
    size_t digits = skip_digits(s);
    s += digits;
    if (*s == '.') {
        digits += skip_digits(s + 1);
        s += 1 + skip_digits(s + 1);
    }
    if (digits && (*s == 'e' || *s == 'E')) {
        s += 1 + (s[1] == '-' || s[1] == '+');
        digits = skip_digits(s);
        s += digits;
    }
    return digits && *s == '\0';
}

static void check_float(struct check *c, const struct ynode *n, const schema *s, struct place p)
{
    if (!scalar(c, n, p, "a number"))
        return;
    double v = is_float(n->text) ? strtod(n->text, NULL) : HUGE_VAL;
    bool fits = s->data_size == sizeof(float) ? isfinite((float)v) : isfinite(v);
    if (n->quoted || !fits)
        diag_add(c->d, n->line, n->col, PLACE ": \"%.*s\" is not a number", PLACE_OF(p), SHOWN, n->text);
}

static void check_string(struct check *c, const struct ynode *n, const schema *s, struct place p)
{
    if (!scalar(c, n, p, "text"))
        return;
    if (n->len < s->string.min && n->len == 0)
        diag_add(c->d, n->line, n->col, PLACE " must not be empty", PLACE_OF(p));
    else if (n->len < s->string.min)
        diag_add(c->d, n->line, n->col, PLACE " is too short; at least %" PRIu32 " bytes", PLACE_OF(p), s->string.min);
    else if (n->len > s->string.max)
        diag_add(c->d, n->line, n->col, PLACE " is too long; at most %" PRIu32 " bytes", PLACE_OF(p), s->string.max);
}

/* ---- lists and mappings ---------------------------------------------------------------------------------------- */

static void check_list(struct check *c, const struct ynode *n, const schema *s, struct place p)
{
    if (n->kind != Y_LIST) {
        wrong_kind(c, n, p, n->len || n->quoted || n->kind != Y_SCALAR ? "a list" : "a list ([] for an empty one)");
        return;
    }
    if (n->n < s->sequence.min)
        diag_add(c->d, n->line, n->col, PLACE " has too few items; at least %" PRIu32, PLACE_OF(p), s->sequence.min);
    if (n->n > s->sequence.max)
        diag_add(c->d, n->line, n->col, PLACE " has too many items; at most %" PRIu32, PLACE_OF(p), s->sequence.max);
    for (size_t i = 0; i < n->n && c->d->count < ENOUGH; i++)
        check_value(c, n->item[i], s->sequence.entry, (struct place){p.name, true});
}

static void field_words(const schema *s, struct words *known)
{
    for (const cyaml_schema_field_t *f = s->mapping.fields; f->key; f++)
        words_add(known, f->key);
}

/* Returns the index of the field with that key, or -1. */
static int find_field(const schema *s, const struct ynode *key)
{
    for (int i = 0; s->mapping.fields[i].key; i++)
        if (strlen(s->mapping.fields[i].key) == key->len && memcmp(s->mapping.fields[i].key, key->text, key->len) == 0)
            return i;
    return -1;
}

static void check_map(struct check *c, const struct ynode *n, const schema *s, struct place p)
{
    const struct ynode *seen[WORDS_MAX] = {0};
    if (n->kind != Y_MAP) {
        wrong_kind(c, n, p, "a mapping (key: value)");
        return;
    }
    for (size_t i = 0; i < n->n && c->d->count < ENOUGH; i++) {
        const struct ynode *key = n->item[2 * i];
        int field = find_field(s, key);
        if (field < 0) {
            struct words known = {.n = 0};
            field_words(s, &known);
            unknown(c, key, "key", p, &known);
            continue;
        }
        if (field < WORDS_MAX && seen[field])
            diag_add(c->d, key->line, key->col, "key \"%s\" appears twice; first on line %u", key->text, seen[field]->line);
        if (field < WORDS_MAX)
            seen[field] = key;
        check_value(c, n->item[2 * i + 1], &s->mapping.fields[field].value, (struct place){s->mapping.fields[field].key, false});
    }
    for (int i = 0; i < WORDS_MAX && s->mapping.fields[i].key; i++)
        if (!seen[i] && !(s->mapping.fields[i].value.flags & CYAML_FLAG_OPTIONAL))
            diag_add(c->d, n->line, n->col, PLACE " lacks the key \"%s\"", PLACE_OF(p), s->mapping.fields[i].key);
}

/* No schema here has a bit field, so this checks names and unsigned numbers but not the bits of a number. */
static void check_bitfield(struct check *c, const struct ynode *n, const schema *s, struct place p)
{
    schema number = {.type = CYAML_UINT, .data_size = 8};
    if (n->kind != Y_MAP) {
        wrong_kind(c, n, p, "a mapping (key: value)");
        return;
    }
    for (size_t i = 0; i < n->n; i++) {
        struct words known = {.n = 0};
        bool found = false;
        for (uint32_t bit = 0; bit < s->bitfield.count; bit++) {
            words_add(&known, s->bitfield.bitdefs[bit].name);
            found |= strcmp(s->bitfield.bitdefs[bit].name, n->item[2 * i]->text) == 0;
        }
        if (!found)
            unknown(c, n->item[2 * i], "key", p, &known);
        check_int(c, n->item[2 * i + 1], &number, (struct place){n->item[2 * i]->text, false});
    }
}

static void check_value(struct check *c, const struct ynode *n, const schema *s, struct place p)
{
    bool may_be_null = (s->flags & CYAML_FLAG_POINTER_NULL) == CYAML_FLAG_POINTER_NULL;
    if (may_be_null && n->kind == Y_SCALAR && n->len == 0 && !n->quoted)
        return;
    switch (s->type) {
    case CYAML_INT:
    case CYAML_UINT:
        check_int(c, n, s, p);
        break;
    case CYAML_BOOL:
        check_bool(c, n, p);
        break;
    case CYAML_ENUM:
        check_word(c, n, s, p);
        break;
    case CYAML_FLAGS:
        check_flags(c, n, s, p);
        break;
    case CYAML_FLOAT:
        check_float(c, n, s, p);
        break;
    case CYAML_STRING:
        check_string(c, n, s, p);
        break;
    case CYAML_MAPPING:
        check_map(c, n, s, p);
        break;
    case CYAML_BITFIELD:
        check_bitfield(c, n, s, p);
        break;
    case CYAML_SEQUENCE:
    case CYAML_SEQUENCE_FIXED:
        check_list(c, n, s, p);
        break;
    default:
        break; /* CYAML_IGNORE: anything */
    }
}

bool yaml_check(const struct ynode *root, const cyaml_schema_value_t *s, const char *what, struct diag *d)
{
    struct check c = {.d = d};
    int before = d->count;
    check_value(&c, root, s, (struct place){what, false});
    return d->count == before;
}
