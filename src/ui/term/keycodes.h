/* Our own key codes: a code point, a control character, or one of these, which lie above Unicode. */
#ifndef GMPSCOPE_UI_TERM_KEYCODES_H
#define GMPSCOPE_UI_TERM_KEYCODES_H

enum {
    KEY_CODE_OTHER = 0x110000,
    KEY_CODE_MOUSE, /* what the mouse did is no key, such as the release after a click; nothing answers it */
    KEY_CODE_CLICK,
    KEY_CODE_DRAG, /* the mouse has moved with the button held; or the button is released elsewhere than it was pressed */
    KEY_CODE_WHEEL_UP,
    KEY_CODE_WHEEL_DOWN,
    KEY_CODE_RESIZED,
    KEY_CODE_ARRIVED, /* no key: the terminal's answer to ARRIVAL_QUESTION, for screen.c alone */
    KEY_CODE_UP,
    KEY_CODE_DOWN,
    KEY_CODE_LEFT,
    KEY_CODE_RIGHT,
    KEY_CODE_HOME,
    KEY_CODE_END,
    KEY_CODE_DELETE,
    KEY_CODE_BACKTAB,
    KEY_CODE_PAGE_UP,
    KEY_CODE_PAGE_DOWN,
    KEY_CODE_FUNCTION /* KEY_CODE_F(n) */
};
enum { KEY_FUNCTIONS = 12 };
#define KEY_CODE_F(n) (KEY_CODE_FUNCTION + (n))
enum { KEY_TAB = 9, KEY_RETURN = 13, KEY_ESCAPE = 27, KEY_BACK = 127 };
#define KEY_CTRL(c) ((c)&0x1f)

#endif
