#include "base/text.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- durations ------------------------------------------------------------------------------------------------- */

static const struct unit {
    const char *name;
    uint64_t ns;
} units[] = {
    {"ns", 1},       {"us", 1000},      {"\xc2\xb5s", 1000}, {"\xce\xbcs", 1000},
    {"ms", 1000000}, {"s", 1000000000}, {"m", 60000000000},  {"h", 3600000000000},
};

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Returns the unit at s, which ends at the next digit or point. */
static const struct unit *unit_at(const char *s, size_t len, size_t *used)
{
    size_t n = 0;
    while (n < len && !is_digit(s[n]) && s[n] != '.')
        n++;
    *used = n;
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (strlen(units[i].name) == n && memcmp(units[i].name, s, n) == 0)
            return &units[i];
    return NULL;
}

struct decimal {
    uint64_t whole, fraction;
    double scale; /* whole + fraction / scale */
};

/* Reads the digits after the point, as many as fit into 63 bits; ignores the rest. */
static size_t fraction_at(const char *s, size_t len, struct decimal *d)
{
    size_t i = 0;
    bool full = false;
    for (; i < len && is_digit(s[i]); i++) {
        full |= d->fraction > INT64_MAX / 10 || d->fraction * 10 + (uint64_t)(s[i] - '0') > (uint64_t)INT64_MAX + 1;
        if (full)
            continue;
        d->fraction = d->fraction * 10 + (uint64_t)(s[i] - '0');
        d->scale *= 10;
    }
    return i;
}

/* Reads digits with an optional point. Returns false if there are no digits, or too many before the point. */
static bool decimal_at(const char *s, size_t len, size_t *used, struct decimal *d)
{
    size_t i = 0, digits;
    *d = (struct decimal){.scale = 1};
    for (; i < len && is_digit(s[i]); i++)
        if (__builtin_mul_overflow(d->whole, 10, &d->whole) || __builtin_add_overflow(d->whole, (uint64_t)(s[i] - '0'), &d->whole))
            return false;
    digits = i;
    if (i < len && s[i] == '.') {
        size_t n = fraction_at(s + i + 1, len - i - 1, d);
        digits += n;
        i += 1 + n;
    }
    *used = i;
    return digits > 0;
}

/* Follows Go's time.ParseDuration, including its floating-point fraction: 0.3333333333333333333h is 20m. */
bool duration_parse(const char *s, size_t len, int64_t *ns)
{
    unsigned __int128 total = 0;
    size_t used;
    if (len == 1 && s[0] == '0')
        return *ns = 0, true;
    if (len == 0)
        return false;
    for (size_t i = 0; i < len;) {
        struct decimal d;
        if (!decimal_at(s + i, len - i, &used, &d))
            return false;
        i += used;
        const struct unit *u = unit_at(s + i, len - i, &used);
        if (!u)
            return false;
        i += used;
        total += (unsigned __int128)d.whole * u->ns + (uint64_t)((double)d.fraction * ((double)u->ns / d.scale));
        if (total > INT64_MAX)
            return false;
    }
    *ns = (int64_t)total;
    return true;
}

/* Cuts the digits after the third, instead of rounding: a clock must not show a time that is still in the future. */
char *duration_text(int64_t ns, char *buf, size_t size)
{
    static const struct unit shown[] = {{"s", 1000000000}, {"ms", 1000000}, {"\xc2\xb5s", 1000}, {"ns", 1}};
    uint64_t v = ns < 0 ? 0 - (uint64_t)ns : (uint64_t)ns;
    const struct unit *u = shown;
    char fraction[16] = "";
    if (v == 0) {
        snprintf(buf, size, "0");
        return buf;
    }
    while (v < u->ns)
        u++;
    if (u->ns > 1)
        snprintf(fraction, sizeof fraction, ".%03u", (unsigned)(v % u->ns / (u->ns / 1000)));
    for (size_t n = strlen(fraction); n > 0 && (fraction[n - 1] == '0' || fraction[n - 1] == '.'); n--)
        fraction[n - 1] = '\0';
    snprintf(buf, size, "%s%" PRIu64 "%s %s", ns < 0 ? "-" : "", v / u->ns, fraction, u->name);
    return buf;
}

char *size_text(uint64_t bytes, char *buf, size_t size)
{
    static const char *const unit[] = {"bytes", "KiB", "MiB", "GiB", "TiB"};
    unsigned u = 0, tenths = 0;
    for (; bytes >= 1024 && u < 4; bytes /= 1024, u++)
        tenths = (unsigned)(bytes % 1024 * 10 / 1024);
    if (tenths)
        snprintf(buf, size, "%" PRIu64 ".%u %s", bytes, tenths, unit[u]);
    else
        snprintf(buf, size, "%" PRIu64 " %s", bytes, unit[u]);
    return buf;
}

/* ---- UTF-8 ----------------------------------------------------------------------------------------------------- */

uint32_t utf8_next(const char *s, size_t len, size_t *n)
{
    static const uint32_t lowest[] = {0, 0, 0x80, 0x800, 0x10000};
    unsigned char c = (unsigned char)s[0];
    size_t need = c < 0x80 ? 1 : c >= 0xc2 && c < 0xe0 ? 2 : c >= 0xe0 && c < 0xf0 ? 3 : c >= 0xf0 && c < 0xf5 ? 4 : 0;
    *n = 1;
    if (need == 1)
        return c;
    if (need == 0 || need > len)
        return 0xfffd;
    uint32_t cp = c & (0x7fu >> need);
    for (size_t i = 1; i < need; i++) {
        if (((unsigned char)s[i] & 0xc0) != 0x80)
            return 0xfffd;
        cp = cp << 6 | ((unsigned char)s[i] & 0x3f);
    }
    if (cp < lowest[need] || cp > 0x10ffff || (cp >= 0xd800 && cp < 0xe000))
        return 0xfffd;
    *n = need;
    return cp;
}

int utf8_put(uint32_t cp, char out[4])
{
    if (cp > 0x10ffff || (cp >= 0xd800 && cp < 0xe000))
        cp = 0xfffd;
    if (cp < 0x80)
        return out[0] = (char)cp, 1;
    int n = cp < 0x800 ? 2 : cp < 0x10000 ? 3 : 4;
    for (int i = n - 1; i > 0; i--, cp >>= 6)
        out[i] = (char)(0x80 | (cp & 0x3f));
    out[0] = (char)((0xf00u >> n & 0xff) | cp);
    return n;
}

bool utf8_valid(const char *s, size_t len)
{
    size_t n;
    for (size_t i = 0; i < len; i += n)
        if (utf8_next(s + i, len - i, &n) == 0xfffd && n == 1)
            return false;
    return true;
}

/* ---- untrusted text -------------------------------------------------------------------------------------------- */

struct range {
    uint32_t first, last;
};

static bool in_ranges(uint32_t cp, const struct range *r, size_t n)
{
    size_t low = 0, high = n;
    while (low < high) {
        size_t mid = (low + high) / 2;
        if (cp > r[mid].last)
            low = mid + 1;
        else
            high = mid;
    }
    return low < n && cp >= r[low].first;
}

/* What a terminal obeys, and Unicode's Default_Ignorable_Code_Point except for the joiners below: soft hyphen, fillers, spaces without width,
 * bidirectional controls, separators of lines, byte order mark, annotations, controls of shorthand and music. Sorted. */
static const struct range unsafe[] = {
    {0x00, 0x1f},     {0x7f, 0x9f},     {0xad, 0xad},       {0x34f, 0x34f},     {0x61c, 0x61c},     {0x115f, 0x1160},   {0x17b4, 0x17b5},
    {0x180e, 0x180e}, {0x200b, 0x200b}, {0x200e, 0x200f},   {0x2028, 0x202e},   {0x2060, 0x206f},   {0x3164, 0x3164},   {0xfeff, 0xfeff},
    {0xffa0, 0xffa0}, {0xfff0, 0xfffb}, {0x1bca0, 0x1bca3}, {0x1d173, 0x1d17a}, {0xe0000, 0xe001f}, {0xe0080, 0xe00ff}, {0xe01f0, 0xe0fff},
};

bool cp_unsafe(uint32_t cp)
{
    return (cp < 0x20 || cp >= 0x7f) && in_ranges(cp, unsafe, sizeof unsafe / sizeof *unsafe);
}

/* Without width, too, but part of how emoji and some scripts are written. */
enum { ZWNJ = 0x200c, ZWJ = 0x200d, TEXT_STYLE = 0xfe0e, EMOJI_STYLE = 0xfe0f, KEYCAP = 0x20e3, BLACK_FLAG = 0x1f3f4 };

/* Characters that have a style as text and one as emoji. Sorted. */
static const struct range styled[] = {
    {'#', '#'},       {'*', '*'},       {'0', '9'},       {0xa9, 0xa9},     {0xae, 0xae},
    {0x203c, 0x203c}, {0x2049, 0x2049}, {0x2122, 0x2122}, {0x2139, 0x2139}, {0x2190, 0x2bff},
    {0x3030, 0x3030}, {0x303d, 0x303d}, {0x3297, 0x3297}, {0x3299, 0x3299}, {0x1f000, 0x1faff},
};

static bool is_tag(uint32_t cp)
{
    return cp >= 0xe0020 && cp <= 0xe007f;
}

static bool is_variation(uint32_t cp)
{
    return (cp >= 0x180b && cp <= 0x180f) || (cp >= 0xfe00 && cp <= EMOJI_STYLE) || (cp >= 0xe0100 && cp <= 0xe01ef);
}

static bool is_pictograph(uint32_t cp)
{
    return (cp >= 0x2190 && cp < 0x2c00) || (cp >= 0x1f000 && cp < 0x1fb00);
}

/* Arabic to Indic scripts and Mongolian, whose letters change their form next to a joiner. */
static bool is_joined_script(uint32_t cp)
{
    return cp >= 0x600 && cp < 0x1c80 && !is_variation(cp);
}

/* Returns the code point that ends before s[i], 0 at the beginning. */
static uint32_t cp_before(const char *s, size_t i)
{
    size_t n, from = i;
    while (from > 0 && i - from < 4 && ((unsigned char)s[--from] & 0xc0) == 0x80)
        ;
    return i ? utf8_next(s + from, i - from, &n) : 0;
}

/* Returns whether the character at s[i] is a joiner where nobody writes one: it would make two texts different that look the same. */
static bool is_stray(const char *s, size_t i, size_t len)
{
    size_t n;
    uint32_t cp = utf8_next(s + i, len - i, &n);
    size_t end = i + n;
    uint32_t before = cp_before(s, i), after = end < len ? utf8_next(s + end, len - end, &n) : 0;
    if (cp == ZWJ && (is_pictograph(before) || before == EMOJI_STYLE) && is_pictograph(after))
        return false;
    if (cp == ZWJ || cp == ZWNJ)
        return !is_joined_script(before) || !is_joined_script(after);
    if (is_tag(cp)) {
        while (i > 0 && is_tag(cp_before(s, i)))
            i -= 4;
        return cp_before(s, i) != BLACK_FLAG;
    }
    if (cp == TEXT_STYLE || cp == EMOJI_STYLE)
        return !in_ranges(before, styled, sizeof styled / sizeof *styled) || (before < 0x80 && after != KEYCAP);
    if (cp >= 0x180b && cp <= 0x180f)
        return before < 0x1800 || before >= 0x18b0 || is_variation(before);
    return is_variation(cp) && cp_width(before) != 2;
}

size_t visible_next(const char *s, size_t i, size_t len, size_t *n, char out[VISIBLE_BYTES])
{
    static const char named[] = {['\n'] = 'n', ['\t'] = 't', ['\r'] = 'r'};
    uint32_t cp = utf8_next(s + i, len - i, n);
    bool is_byte = *n == 1 && (cp == 0xfffd || cp < 0x80); /* not UTF-8, or ASCII */
    if (!cp_unsafe(cp) && !(cp == 0xfffd && *n == 1) && (cp < 0x180b || !is_stray(s, i, len))) {
        memcpy(out, s + i, *n);
        return *n;
    }
    if (cp < sizeof named && named[cp])
        return (size_t)snprintf(out, VISIBLE_BYTES, "\\%c", named[cp]);
    if (is_byte)
        return (size_t)snprintf(out, VISIBLE_BYTES, "\\x%02x", (unsigned char)s[i]);
    return (size_t)snprintf(out, VISIBLE_BYTES, cp > 0xffff ? "\\U%08x" : "\\u%04x", (unsigned)cp);
}

void visible_write(FILE *f, const char *s, size_t len)
{
    char out[VISIBLE_BYTES];
    for (size_t i = 0, n; i < len; i += n) {
        size_t bytes = visible_next(s, i, len, &n, out);
        fwrite(out, 1, bytes, f);
    }
}

void visible_vline(FILE *f, const char *fmt, va_list ap)
{
    char small[1024], *large = NULL;
    va_list again;
    va_copy(again, ap);
    int n = vsnprintf(small, sizeof small, fmt, ap);
    if (n >= (int)sizeof small && vasprintf(&large, fmt, again) < 0)
        large = NULL;
    va_end(again);
    const char *text = large ? large : n < 0 ? fmt : small;
    visible_write(f, text, strlen(text));
    fputc('\n', f);
    free(large);
}

void visible_line(FILE *f, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    visible_vline(f, fmt, ap);
    va_end(ap);
}

/* ---- width ----------------------------------------------------------------------------------------------------- */

/* Combining marks and characters without width. Sorted. */
static const struct range zero[] = {
    {0x0300, 0x036f},   {0x0483, 0x0489},   {0x0591, 0x05bd}, {0x05bf, 0x05bf}, {0x05c1, 0x05c2}, {0x05c4, 0x05c5}, {0x0610, 0x061a},
    {0x064b, 0x065f},   {0x0670, 0x0670},   {0x06d6, 0x06dc}, {0x06df, 0x06e4}, {0x06e7, 0x06e8}, {0x06ea, 0x06ed}, {0x0900, 0x0902},
    {0x093a, 0x093a},   {0x093c, 0x093c},   {0x0941, 0x0948}, {0x094d, 0x094d}, {0x0951, 0x0957}, {0x0e31, 0x0e31}, {0x0e34, 0x0e3a},
    {0x0e47, 0x0e4e},   {0x1160, 0x11ff},   {0x1ab0, 0x1ace}, {0x1dc0, 0x1dff}, {0x200b, 0x200f}, {0x202a, 0x202e}, {0x2060, 0x2064},
    {0x2066, 0x206f},   {0x20d0, 0x20f0},   {0x302a, 0x302d}, {0x3099, 0x309a}, {0xfe00, 0xfe0f}, {0xfe20, 0xfe2f}, {0xfeff, 0xfeff},
    {0xe0001, 0xe007f}, {0xe0100, 0xe01ef},
};

/* East Asian Wide and Fullwidth, with emoji. Sorted. */
static const struct range wide[] = {
    {0x1100, 0x115f},   {0x231a, 0x231b},   {0x2329, 0x232a},   {0x23e9, 0x23ec},   {0x23f0, 0x23f0},   {0x23f3, 0x23f3},
    {0x25fd, 0x25fe},   {0x2614, 0x2615},   {0x2648, 0x2653},   {0x267f, 0x267f},   {0x2693, 0x2693},   {0x26a1, 0x26a1},
    {0x26aa, 0x26ab},   {0x26bd, 0x26be},   {0x26c4, 0x26c5},   {0x26ce, 0x26ce},   {0x26d4, 0x26d4},   {0x26ea, 0x26ea},
    {0x26f2, 0x26f3},   {0x26f5, 0x26f5},   {0x26fa, 0x26fa},   {0x26fd, 0x26fd},   {0x2705, 0x2705},   {0x270a, 0x270b},
    {0x2728, 0x2728},   {0x274c, 0x274c},   {0x274e, 0x274e},   {0x2753, 0x2755},   {0x2757, 0x2757},   {0x2795, 0x2797},
    {0x27b0, 0x27b0},   {0x27bf, 0x27bf},   {0x2b1b, 0x2b1c},   {0x2b50, 0x2b50},   {0x2b55, 0x2b55},   {0x2e80, 0x303e},
    {0x3041, 0x4dbf},   {0x4e00, 0xa4c6},   {0xa960, 0xa97c},   {0xac00, 0xd7a3},   {0xf900, 0xfaff},   {0xfe10, 0xfe19},
    {0xfe30, 0xfe6b},   {0xff01, 0xff60},   {0xffe0, 0xffe6},   {0x16fe0, 0x18cff}, {0x1aff0, 0x1b2ff}, {0x1f004, 0x1f004},
    {0x1f0cf, 0x1f0cf}, {0x1f18e, 0x1f18e}, {0x1f191, 0x1f19a}, {0x1f200, 0x1f320}, {0x1f32d, 0x1f335}, {0x1f337, 0x1f37c},
    {0x1f37e, 0x1f393}, {0x1f3a0, 0x1f3ca}, {0x1f3cf, 0x1f3d3}, {0x1f3e0, 0x1f3f0}, {0x1f3f4, 0x1f3f4}, {0x1f3f8, 0x1f43e},
    {0x1f440, 0x1f440}, {0x1f442, 0x1f4fc}, {0x1f4ff, 0x1f53d}, {0x1f54b, 0x1f54e}, {0x1f550, 0x1f567}, {0x1f57a, 0x1f57a},
    {0x1f595, 0x1f596}, {0x1f5a4, 0x1f5a4}, {0x1f5fb, 0x1f64f}, {0x1f680, 0x1f6c5}, {0x1f6cc, 0x1f6cc}, {0x1f6d0, 0x1f6d2},
    {0x1f6d5, 0x1f6d7}, {0x1f6dd, 0x1f6df}, {0x1f6eb, 0x1f6ec}, {0x1f6f4, 0x1f6fc}, {0x1f7e0, 0x1f7f0}, {0x1f90c, 0x1f93a},
    {0x1f93c, 0x1f945}, {0x1f947, 0x1f9ff}, {0x1fa70, 0x1faff}, {0x20000, 0x3fffd},
};

int cp_width(uint32_t cp)
{
    if (cp < 0x300 || cp_unsafe(cp))
        return 1;
    if (in_ranges(cp, zero, sizeof zero / sizeof *zero))
        return 0;
    return in_ranges(cp, wide, sizeof wide / sizeof *wide) ? 2 : 1;
}

int text_width(const char *s)
{
    int width = 0;
    size_t len = strlen(s), n;
    for (size_t i = 0; i < len; i += n)
        width += cp_width(utf8_next(s + i, len - i, &n));
    return width;
}

/* ---- streams into memory --------------------------------------------------------------------------------------- */

struct text_stream {
    char **text;
    size_t *len, cap;
};

static ssize_t stream_write(void *cookie, const char *bytes, size_t n)
{
    struct text_stream *t = cookie;
    if (t->cap - *t->len <= n) {
        size_t cap = 2 * t->cap > *t->len + n + 1 ? 2 * t->cap : *t->len + n + 1;
        char *grown = realloc(*t->text, cap);
        if (!grown)
            return 0; /* the stream's error */
        *t->text = grown;
        t->cap = cap;
    }
    memcpy(*t->text + *t->len, bytes, n);
    *t->len += n;
    (*t->text)[*t->len] = '\0';
    return (ssize_t)n;
}

/* For ftell(): there is only the end. */
static int stream_seek(void *cookie, off64_t *at, int whence)
{
    const struct text_stream *t = cookie;
    if (whence == SEEK_SET ? *at != (off64_t)*t->len : *at != 0)
        return -1;
    *at = (off64_t)*t->len;
    return 0;
}

static int stream_close(void *cookie)
{
    free(cookie);
    return 0;
}

FILE *text_open(char **text, size_t *len)
{
    enum { FIRST = 256 };
    struct text_stream *t = malloc(sizeof *t);
    *text = malloc(FIRST);
    FILE *f =
        t && *text ? fopencookie(t, "w", (cookie_io_functions_t){.write = stream_write, .seek = stream_seek, .close = stream_close}) : NULL;
    if (!f) {
        free(*text);
        *text = NULL;
        free(t);
        return NULL;
    }
    *t = (struct text_stream){text, len, FIRST};
    *len = 0;
    **text = '\0';
    return f;
}

bool text_close(FILE *f)
{
    bool whole = !ferror(f);
    return fclose(f) == 0 && whole;
}

void json_string(const char *s, FILE *out)
{
    size_t len = strlen(s), n;
    fputc('"', out);
    for (; len; s += n, len -= n) {
        uint32_t cp = utf8_next(s, len, &n);
        char utf8[4];
        if (cp == '"' || cp == '\\')
            fprintf(out, "\\%c", (int)cp);
        else if (cp == '\n')
            fputs("\\n", out);
        else if (cp == '\t')
            fputs("\\t", out);
        else if (cp_unsafe(cp) && cp > 0xffff)
            fprintf(out, "\\u%04x\\u%04x", 0xd7c0u + (unsigned)(cp >> 10), 0xdc00u | (unsigned)(cp & 0x3ff));
        else if (cp_unsafe(cp))
            fprintf(out, "\\u%04x", (unsigned)cp);
        else
            fwrite(utf8, 1, (size_t)utf8_put(cp, utf8), out);
    }
    fputc('"', out);
}
