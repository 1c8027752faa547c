/* A list with a cursor, of which a window is shown: its keys, and how far each goes. */
#ifndef GMPSCOPE_UI_PANES_PARTS_SCROLL_H
#define GMPSCOPE_UI_PANES_PARTS_SCROLL_H

#include "ui/term/keycodes.h"

#include <stdint.h>

/* What a key moves by, beside a number of rows. SCROLL_END is farther than any list is long. */
enum { SCROLL_WHEEL = 3, SCROLL_PAGE = 1 << 20, SCROLL_END = 1 << 24 };

/* Rows of a pane's table of keys for its function `fn`; the others are texts of the help. */
#define SCROLL_KEYS_NEAR(fn, up, down, label) \
    {KEY_CODE_UP, 'k', "up, k", up, fn, label, -1}, \
    { \
        KEY_CODE_DOWN, 'j', "down, j", down, fn, label, 1 \
    }
#define SCROLL_KEYS(fn, up, down, home, end, label) \
    SCROLL_KEYS_NEAR(fn, up, down, label), {KEY_CODE_WHEEL_UP, 0, "wheel up", up, fn, TX_NONE, -SCROLL_WHEEL}, \
        {KEY_CODE_WHEEL_DOWN, 0, "wheel down", down, fn, TX_NONE, SCROLL_WHEEL}, \
        {KEY_CODE_PAGE_UP, 0, "page up", TX_LIST_PAGE_UP, fn, TX_NONE, -SCROLL_PAGE}, \
        {KEY_CODE_PAGE_DOWN, 0, "page down", TX_LIST_PAGE_DOWN, fn, TX_NONE, SCROLL_PAGE}, \
        {KEY_CODE_HOME, 0, "home", home, fn, TX_NONE, -SCROLL_END}, \
    { \
        KEY_CODE_END, 0, "end", end, fn, TX_NONE, SCROLL_END \
    }

/* Returns what one of these keys moves by, for a box, which has no table; 0 for any other key. */
int scroll_key(uint32_t code);
/* Returns the rows of a move in a window of `room` rows. A page leaves one row of the old one. */
int scroll_rows(int by, int room);
/* Returns the row that a move from row `at` leads to, of n rows. */
int scroll_to(int at, int by, int room, int n);
/* Returns the first row of a window of `room` rows that has scrolled as little as possible to show row `at`, of n rows. */
int scroll_top(int top, int at, int room, int n);

#endif
