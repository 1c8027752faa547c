/* Large glyphs: a font of five rows of points above the line and one below it. BIG_HALF draws two points above each other in one cell, BIG_FULL draws a point as two cells next
 * to each other. Both come out nearly square. BIG_TALL draws a point as one cell, for terminals with ASCII only. */
#include "ui/panes/parts/big.h"

#include "base/text.h"

#include <string.h>

enum { LABEL_H = 5, POINTS_H }; /* small letters go one point below the line */

/* A row is a number of `w` bits, whose highest one is the left point. */
struct glyph {
    uint16_t cp;
    unsigned char w, row[POINTS_H];
};
static const struct glyph font[] = {
    {'0', 3, {7, 5, 5, 5, 7}},           {'1', 3, {2, 6, 2, 2, 7}},         {'2', 3, {7, 1, 7, 4, 7}},
    {'3', 3, {7, 1, 7, 1, 7}},           {'4', 3, {5, 5, 7, 1, 1}},         {'5', 3, {7, 4, 7, 1, 7}},
    {'6', 3, {7, 4, 7, 5, 7}},           {'7', 3, {7, 1, 1, 1, 1}},         {'8', 3, {7, 5, 7, 5, 7}},
    {'9', 3, {7, 5, 7, 1, 7}},           {'P', 3, {7, 5, 7, 4, 4}},         {'G', 3, {7, 4, 5, 5, 7}},
    {'R', 3, {7, 5, 6, 5, 5}},           {'S', 3, {3, 4, 2, 1, 6}},         {'F', 3, {7, 4, 6, 4, 4}},
    {'I', 3, {7, 2, 2, 2, 7}},           {'Y', 3, {5, 5, 2, 2, 2}},         {'N', 4, {9, 13, 11, 9, 9}},
    {'H', 3, {5, 5, 7, 5, 5}},           {'L', 3, {4, 4, 4, 4, 7}},         {'T', 3, {7, 2, 2, 2, 2}},
    {'X', 3, {5, 5, 2, 5, 5}},           {'-', 3, {0, 0, 7, 0, 0}},         {'+', 3, {0, 2, 7, 2, 0}},
    {'M', 5, {021, 033, 025, 021, 021}}, {'A', 3, {2, 5, 7, 5, 5}},         {'B', 3, {6, 5, 6, 5, 6}},
    {'C', 3, {3, 4, 4, 4, 3}},           {'D', 3, {6, 5, 5, 5, 6}},         {'E', 3, {7, 4, 6, 4, 7}},
    {'J', 3, {1, 1, 1, 5, 7}},           {'K', 3, {5, 5, 6, 5, 5}},         {'O', 3, {7, 5, 5, 5, 7}},
    {'Q', 4, {6, 9, 9, 10, 5}},          {'U', 3, {5, 5, 5, 5, 7}},         {'V', 3, {5, 5, 5, 5, 2}},
    {'W', 5, {021, 021, 025, 033, 021}}, {'Z', 3, {7, 1, 2, 4, 7}},         {' ', 2, {0}},
    {'.', 1, {0, 0, 0, 0, 1}},           {',', 2, {0, 0, 0, 1, 2}},         {':', 1, {0, 1, 0, 1, 0}},
    {';', 2, {0, 1, 0, 1, 2}},           {'\'', 1, {1, 1, 0, 0, 0}},        {'(', 2, {1, 2, 2, 2, 1}},
    {')', 2, {2, 1, 1, 1, 2}},           {'/', 3, {1, 1, 2, 4, 4}},         {'=', 3, {0, 7, 0, 7, 0}},
    {'!', 1, {1, 1, 1, 0, 1}},           {'?', 3, {7, 1, 3, 0, 2}},         {'_', 3, {0, 0, 0, 0, 7}},
    {'"', 3, {5, 5, 0, 0, 0}},           {'%', 3, {5, 1, 2, 4, 5}},         {'<', 3, {1, 2, 4, 2, 1}},
    {'>', 3, {4, 2, 1, 2, 4}},           {'a', 3, {0, 6, 3, 5, 7}},         {'b', 3, {4, 6, 5, 5, 6}},
    {'c', 3, {0, 3, 4, 4, 3}},           {'d', 3, {1, 3, 5, 5, 3}},         {'e', 3, {0, 2, 7, 4, 3}},
    {'f', 3, {1, 2, 7, 2, 2}},           {'g', 3, {0, 3, 5, 5, 3, 6}},      {'h', 3, {4, 6, 5, 5, 5}},
    {'i', 1, {1, 0, 1, 1, 1}},           {'j', 2, {1, 0, 1, 1, 1, 2}},      {'k', 3, {4, 5, 6, 6, 5}},
    {'l', 2, {2, 2, 2, 2, 1}},           {'m', 5, {0, 032, 025, 025, 025}}, {'n', 3, {0, 6, 5, 5, 5}},
    {'o', 3, {0, 2, 5, 5, 2}},           {'p', 3, {0, 6, 5, 5, 6, 4}},      {'q', 3, {0, 3, 5, 5, 3, 1}},
    {'r', 3, {0, 5, 6, 4, 4}},           {'s', 3, {0, 7, 6, 1, 7}},         {'t', 3, {2, 7, 2, 2, 1}},
    {'u', 3, {0, 5, 5, 5, 3}},           {'v', 3, {0, 5, 5, 5, 2}},         {'w', 5, {0, 021, 025, 025, 012}},
    {'x', 3, {0, 5, 2, 2, 5}},           {'y', 3, {0, 5, 5, 5, 3, 6}},      {'z', 3, {0, 7, 2, 4, 7}},
    {0xb5, 3, {0, 5, 5, 5, 6, 4}},       {0xd7, 3, {0, 5, 2, 5, 0}},        {'*', 3, {0, 5, 2, 5, 0}},
    {'[', 2, {3, 2, 2, 2, 3}},           {']', 2, {3, 1, 1, 1, 3}},         {'|', 1, {1, 1, 1, 1, 1}},
    {'&', 4, {4, 012, 5, 012, 5}},       {0xb7, 1, {0, 0, 1, 0, 0}},        {0x2013, 3, {0, 0, 7, 0, 0}},
    {0x2026, 5, {0, 0, 0, 0, 025}},      {0x2192, 5, {0, 2, 037, 2, 0}},    {0x2264, 3, {1, 2, 1, 0, 7}},
    {0x2265, 3, {4, 2, 4, 0, 7}},        {0x2713, 4, {0, 1, 2, 012, 4}},    {0x2717, 3, {0, 5, 2, 5, 5}},
    {0x25b6, 3, {4, 6, 7, 6, 4}},
};
static const struct glyph blank = {0, 3, {0}};

static const struct glyph *find_glyph(uint32_t cp)
{
    for (size_t i = 0; i < sizeof font / sizeof *font; i++)
        if (font[i].cp == cp)
            return &font[i];
    return &blank;
}

bool big_has(uint32_t cp)
{
    return find_glyph(cp) != &blank;
}

/* Returns the glyph of the next character of *text, and moves past it; NULL: the text has ended. */
static const struct glyph *next_glyph(const char **text)
{
    size_t n;
    if (!**text)
        return NULL;
    uint32_t cp = utf8_next(*text, strlen(*text), &n);
    *text += n;
    return find_glyph(cp);
}

/* Returns the columns of a point, and of the gap after a glyph. */
static int point_width(enum big size)
{
    return size == BIG_FULL ? 2 : 1;
}

int big_width(enum big size, const char *text)
{
    int points = 0;
    if (size == BIG_PLAIN)
        return text_width(text);
    for (const struct glyph *g; (g = next_glyph(&text));)
        points += g->w + (*text != '\0');
    return points * point_width(size);
}

int big_height(enum big size)
{
    return size == BIG_FULL || size == BIG_TALL ? LABEL_H : size == BIG_HALF ? POINTS_H / 2 : 1;
}

static bool point(const struct glyph *g, int x, int y)
{
    return g->row[y] >> (g->w - 1 - x) & 1;
}

void big_text(struct canvas *c, struct rect clip, int x, int y, enum big size, enum role role, const char *text)
{
    static const uint32_t half[] = {' ', 0x2580, 0x2584, 0x2588}; /* none, the upper one, the lower one, both */
    if (size == BIG_PLAIN) {
        canvas_text(c, clip, x, y, role, text);
        return;
    }
    for (const struct glyph *g; (g = next_glyph(&text));) {
        int w = point_width(size);
        for (int dy = 0; dy < (size == BIG_HALF ? POINTS_H : LABEL_H); dy += size == BIG_HALF ? 2 : 1)
            for (int dx = 0; dx < g->w; dx++)
                if (size == BIG_HALF)
                    canvas_put(c, clip, x + dx, y + dy / 2, role, half[point(g, dx, dy) + 2 * point(g, dx, dy + 1)]);
                else if (point(g, dx, dy))
                    canvas_hline(c, clip, x + w * dx, y + dy, w, role, 0x2588);
        x += (g->w + 1) * w;
    }
}
