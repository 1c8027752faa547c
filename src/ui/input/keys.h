/* The table of keys: dispatch, help screen and key line are made from it. */
#ifndef GMPSCOPE_UI_INPUT_KEYS_H
#define GMPSCOPE_UI_INPUT_KEYS_H

#include "ui/texts.h"
#include <stdint.h>

/* Our own key codes: a code point, a control character, or one of these (above Unicode). */
enum {
    KEY_CODE_OTHER = 0x110000, KEY_CODE_CLICK, KEY_CODE_WHEEL_UP, KEY_CODE_WHEEL_DOWN, KEY_CODE_RESIZED, KEY_CODE_UP, KEY_CODE_DOWN,
    KEY_CODE_LEFT, KEY_CODE_RIGHT, KEY_CODE_HOME, KEY_CODE_END, KEY_CODE_DELETE, KEY_CODE_BACKTAB, KEY_CODE_PAGE_UP,
    KEY_CODE_PAGE_DOWN
};
enum { KEY_TAB = 9, KEY_RETURN = 13, KEY_ESCAPE = 27, KEY_BACK = 127 };
#define KEY_CTRL(c) ((c) & 0x1f)

struct ui;

struct key {
    uint32_t code, also;          /* `also`: another key for the same, 0: none */
    const char *name;             /* as people call it */
    enum text_id help, brief;     /* on the help screen; on the key line */
    int join;                     /* on the key line: 0 not there, 1 there, 2 shares the text of the next key, 3 if there is room */
    void (*fn)(struct ui *);
    enum text_id for_one;         /* where two runs are compared: why not; TX_NONE: it is for them too */
};

extern const struct key keys[];
extern const int nkeys;

/* NULL: this key does nothing. */
const struct key *key_find(uint32_t code);

#endif
