#include "ui/panes/parts/large.h"
#include "base/text.h"
#include "ui/panes/parts/big.h"

#include <string.h>

enum { LINE_BYTES = 400 };

/* Copies the longest beginning of s that ends at a word and has at most w columns. Returns its bytes, 0: there is none. */
static size_t take_line(const char *s, int w, char line[LINE_BYTES])
{
    size_t fits = 0, n = 0, len = strlen(s), bytes;
    for (; n < len; n += bytes) {
        uint32_t cp = utf8_next(s + n, len - n, &bytes);
        if (n + bytes >= LINE_BYTES || !big_has(cp))
            break;
        memcpy(line + n, s + n, bytes);
        line[n + bytes] = '\0';
        bool ends = s[n + bytes] == ' ' || s[n + bytes] == '\0';
        if (ends && big_width(BIG_HALF, line) <= w)
            fits = n + bytes;
    }
    line[fits] = '\0';
    return n < len && n + 4 < LINE_BYTES && s[fits] != ' ' ? 0 : fits; /* a character without a large form */
}

int large_rows(int lines)
{
    return lines > 0 ? lines * (big_height(BIG_HALF) + 1) - 1 : 0;
}

int large_lines(const char *text, int w)
{
    char line[LINE_BYTES];
    int n = 0;
    for (; *text; n++) {
        size_t bytes = take_line(text, w, line);
        if (!bytes)
            return 0;
        text += bytes;
        text += *text == ' ';
    }
    return n;
}

void large_draw(struct canvas *c, struct rect r, bool middle, enum role role, const char *text)
{
    char line[LINE_BYTES];
    for (int y = r.y; *text; y += big_height(BIG_HALF) + 1) {
        size_t bytes = take_line(text, r.w, line);
        int x = middle ? r.x + (r.w - big_width(BIG_HALF, line)) / 2 : r.x;
        big_text(c, r, x, y, BIG_HALF, role, line);
        text += bytes;
        text += *text == ' ';
    }
}
