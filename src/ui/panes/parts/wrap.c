/* Wrapping, for sentences and empty states. One function walks over the pieces; drawing is optional. */
#include "ui/panes/parts/wrap.h"

#include "base/text.h"

#include <string.h>

enum { PIECE = 128 };

/* No line begins with one of these, and none ends with an opening one. */
static bool is_closing(uint32_t cp)
{
    static const uint32_t closing[] = {0x3001, 0x3002, 0x300b, 0x300d, 0x300f, 0x3011, 0x2019, 0x201d, 0x2026,
                                       0xff01, 0xff09, 0xff0c, 0xff1a, 0xff1b, 0xff1f, ')',    ',',    '.'};
    for (size_t i = 0; i < sizeof closing / sizeof *closing; i++)
        if (closing[i] == cp)
            return true;
    return false;
}

static bool is_opening(uint32_t cp)
{
    return cp == 0x300a || cp == 0x300c || cp == 0x300e || cp == 0x3010 || cp == 0x2018 || cp == 0x201c || cp == 0xff08;
}

/* Copies the next piece that must stay together: a word with the blank after it, or text up to a wide glyph, with the punctuation that
 * belongs to it. Returns its bytes. */
static size_t next_piece(const char *s, char piece[PIECE])
{
    size_t len = strlen(s), at = 0, n;
    while (at < len) {
        uint32_t cp = utf8_next(s + at, len - at, &n);
        if (at + n >= PIECE)
            break;
        memcpy(piece + at, s + at, n);
        at += n;
        bool held = at < len && cp != ' ' && (is_opening(cp) || is_closing(utf8_next(s + at, len - at, &n)));
        if (cp == ' ' || (cp_width(cp) == 2 && !held))
            break;
    }
    piece[at] = '\0';
    return at;
}

static int walk(struct canvas *c, struct rect r, int skip, enum role role, const char *s)
{
    char piece[PIECE];
    int x = r.x, lines = 1;
    if (r.w > 0 && strlen(s) <= (size_t)r.w) { /* it fits: a glyph has at least as many bytes as columns */
        if (c && skip == 0)
            canvas_text(c, r, x, r.y, role, s);
        return lines;
    }
    for (size_t n; *s; s += n) {
        n = next_piece(s, piece);
        int w = text_width(piece), bare = w - (n && piece[n - 1] == ' ');
        if (x > r.x && x + bare > r.x + r.w) {
            x = r.x;
            lines++;
        }
        if (c && lines > skip)
            canvas_text(c, r, x, r.y + lines - 1 - skip, role, piece);
        x += w;
    }
    return lines;
}

int wrap_lines(const char *text, int width)
{
    return walk(NULL, (struct rect){0, 0, width, 0}, 0, ROLE_plain, text);
}

int wrap_draw(struct canvas *c, struct rect r, enum role role, const char *text)
{
    return walk(c, r, 0, role, text);
}

int wrap_draw_from(struct canvas *c, struct rect r, int skip, enum role role, const char *text)
{
    return walk(c, r, skip, role, text) - skip;
}
