#include "ui/panes/parts/scroll.h"

#include <stddef.h>

int scroll_key(uint32_t code)
{
    static const struct {
        uint32_t code, also;
        int by;
    } key[] = {{KEY_CODE_UP, 'k', -1},
               {KEY_CODE_DOWN, 'j', 1},
               {KEY_CODE_WHEEL_UP, KEY_CODE_WHEEL_UP, -SCROLL_WHEEL},
               {KEY_CODE_WHEEL_DOWN, KEY_CODE_WHEEL_DOWN, SCROLL_WHEEL},
               {KEY_CODE_PAGE_UP, KEY_CODE_PAGE_UP, -SCROLL_PAGE},
               {KEY_CODE_PAGE_DOWN, KEY_CODE_PAGE_DOWN, SCROLL_PAGE},
               {KEY_CODE_HOME, KEY_CODE_HOME, -SCROLL_END},
               {KEY_CODE_END, KEY_CODE_END, SCROLL_END}};
    for (size_t i = 0; i < sizeof key / sizeof *key; i++)
        if (key[i].code == code || key[i].also == code)
            return key[i].by;
    return 0;
}

int scroll_rows(int by, int room)
{
    int page = room > 1 ? room - 1 : 1;
    return by == SCROLL_PAGE ? page : by == -SCROLL_PAGE ? -page : by;
}

int scroll_to(int at, int by, int room, int n)
{
    int to = at + scroll_rows(by, room);
    return to < 0 || n <= 0 ? 0 : to < n ? to : n - 1;
}

int scroll_top(int top, int at, int room, int n)
{
    if (at >= 0 && at < top)
        top = at;
    if (at >= top + room)
        top = at - room + 1;
    top = top < n - room ? top : n - room;
    return top > 0 ? top : 0;
}
