/* A canvas as a file. In SVG each stretch of cells that look alike is one text, as wide as its cells, whatever font the viewer has. Colours are
 * those of 256 colours, on the theme's ground: dark if the theme reads on any. */
#include "ui/term/picture.h"
#include "base/file.h"
#include "base/text.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { CELL_W = 9, CELL_H = 18, BASELINE = 14, MARGIN = 9 };

struct colours {
    uint32_t text, ground; /* 0xrrggbb: the terminal's own */
};

/* The colour n of a terminal with 256 colours, as 0xrrggbb. */
static uint32_t rgb_of(int n)
{
    static const uint32_t basic[16] = {0x000000, 0xcd0000, 0x00cd00, 0xcdcd00, 0x1e90ff, 0xcd00cd, 0x00cdcd, 0xe5e5e5,
                                       0x7f7f7f, 0xff0000, 0x00ff00, 0xffff00, 0x5c5cff, 0xff00ff, 0x00ffff, 0xffffff};
    static const uint32_t level[6] = {0, 95, 135, 175, 215, 255};
    if (n < 16)
        return basic[n];
    uint32_t i = (uint32_t)n - 16, grey = 8 + 10 * (i - 216);
    return i < 216 ? level[i / 36] << 16 | level[i / 6 % 6] << 8 | level[i % 6] : grey << 16 | grey << 8 | grey;
}

/* The right half of a wide character is none: it ends a text. */
static bool is_blank(const struct cell *c)
{
    return c->width && (c->ch == 0 || c->ch == ' ');
}

static void put_character(FILE *f, uint32_t ch)
{
    char utf8[8];
    if (ch == '&' || ch == '<' || ch == '>')
        fputs(ch == '&' ? "&amp;" : ch == '<' ? "&lt;" : "&gt;", f);
    else
        fwrite(utf8, 1, (size_t)utf8_put(ch ? ch : ' ', utf8), f);
}

/* The picture that is written. */
struct svg {
    FILE *f;
    const struct canvas *c;
    const struct theme *t;
    struct colours own;
};

/* Writes the cells from x to end in row y, which look alike. */
static void put_stretch(const struct svg *p, int y, int x, int end)
{
    FILE *f = p->f;
    const struct cell *row = p->c->cell + (size_t)y * (size_t)p->c->w;
    const struct look *look = theme_look(p->t, row[x].role);
    uint32_t text = look->fg256 < 0 ? p->own.text : rgb_of(look->fg256), ground = p->own.ground;
    bool reversed = !(look->attr & LOOK_REVERSE) != !row[x].chosen;
    int top = MARGIN + y * CELL_H;
    if (reversed) {
        fprintf(f, "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"#%06x\"/>\n", MARGIN + x * CELL_W, top, (end - x) * CELL_W,
                CELL_H, text);
        text = ground;
    }
    while (x < end && is_blank(&row[x]))
        x++;
    while (end > x && is_blank(&row[end - 1]))
        end--;
    if (x == end)
        return;
    fprintf(f, "<text x=\"%d\" y=\"%d\" textLength=\"%d\" fill=\"#%06x\"%s%s%s>", MARGIN + x * CELL_W, top + BASELINE, (end - x) * CELL_W,
            text, look->attr & LOOK_BOLD ? " font-weight=\"bold\"" : "", look->attr & LOOK_DIM ? " opacity=\"0.7\"" : "",
            look->attr & LOOK_UNDERLINE || row[x].mark ? " text-decoration=\"underline\"" : "");
    for (int i = x; i < end; i++)
        if (row[i].width)
            put_character(f, row[i].ch);
    fputs("</text>\n", f);
}

static void write_svg(FILE *f, const struct canvas *c, const struct theme *any)
{
    const struct theme *t = theme_on(any, GROUND_DARK);
    struct colours own = t->ground == GROUND_LIGHT ? (struct colours){0x1a1a1a, 0xffffff} : (struct colours){0xd8d8d8, 0x16181d};
    int width = c->w * CELL_W + 2 * MARGIN, height = c->h * CELL_H + 2 * MARGIN;
    fprintf(
        f,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" xml:space=\"preserve\" viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\">\n"
        "<rect width=\"100%%\" height=\"100%%\" fill=\"#%06x\"/>\n"
        "<g font-family=\"DejaVu Sans Mono,Menlo,Consolas,WenQuanYi Zen Hei Mono,monospace\" font-size=\"15\" style=\"white-space:pre\">\n",
        width, height, width, height, own.ground);
    for (int y = 0; y < c->h; y++)
        for (int x = 0, end; x < c->w; x = end) {
            const struct cell *row = c->cell + (size_t)y * (size_t)c->w;
            for (end = x + 1; end < c->w && cell_same_look(&row[x], &row[end]);)
                end++;
            put_stretch(&(struct svg){f, c, t, own}, y, x, end);
        }
    fputs("</g>\n</svg>\n", f);
}

static bool ends_in(const char *path, const char *end)
{
    size_t n = strlen(path), k = strlen(end);
    return n > k && strcmp(path + n - k, end) == 0;
}

bool picture_named(const char *path)
{
    return ends_in(path, ".svg") || ends_in(path, ".txt");
}

int picture_write(const struct canvas *c, const struct theme *t, const char *path)
{
    struct stat st;
    struct file_new f;
    bool other = lstat(path, &st) == 0 && !S_ISREG(st.st_mode) && !S_ISLNK(st.st_mode); /* a FIFO, a device, a folder */
    int err = picture_named(path) && !other ? file_begin(&f, path) : EINVAL;
    if (err)
        return err;
    if (ends_in(path, ".svg")) {
        write_svg(f.out, c, t);
    } else {
        char *text = canvas_dump(c);
        fputs(text ? text : "", f.out);
        err = text ? 0 : ENOMEM;
        free(text);
    }
    if (!err)
        return file_finish(&f);
    fclose(f.out);
    unlink(f.temporary);
    return err;
}
