/* CSI is "ESC [ parameters final", SS3 is "ESC O final", OSC is "ESC ] text", ended by BEL or ESC \. A slow line may deliver a sequence in parts,
 * so a sequence stays open for a while. */
#include "ui/term/sequence.h"

#include "ui/term/keycodes.h"

enum { BELL = 7, PATIENCE_MS = 500, NUMBER_MOST = 999 };

bool sequence_begin(struct sequence *s, uint32_t code, int64_t now)
{
    *s = (struct sequence){.at = now,
                           .reading = code == '['   ? SEQUENCE_CSI
                                      : code == 'O' ? SEQUENCE_SS3
                                      : code == ']' ? SEQUENCE_OSC
                                                    : SEQUENCE_NONE};
    return s->reading != SEQUENCE_NONE;
}

/* The keys of "CSI number ~": those of xterm, VT220, rxvt and the Linux console. */
static uint32_t numbered(int number)
{
    static const uint32_t key[] = {
        [1] = KEY_CODE_HOME,  [3] = KEY_CODE_DELETE, [4] = KEY_CODE_END,    [5] = KEY_CODE_PAGE_UP, [6] = KEY_CODE_PAGE_DOWN,
        [7] = KEY_CODE_HOME,  [8] = KEY_CODE_END,    [11] = KEY_CODE_F(1),  [12] = KEY_CODE_F(2),   [13] = KEY_CODE_F(3),
        [14] = KEY_CODE_F(4), [15] = KEY_CODE_F(5),  [17] = KEY_CODE_F(6),  [18] = KEY_CODE_F(7),   [19] = KEY_CODE_F(8),
        [20] = KEY_CODE_F(9), [21] = KEY_CODE_F(10), [23] = KEY_CODE_F(11), [24] = KEY_CODE_F(12)};
    bool known = number >= 0 && number < (int)(sizeof key / sizeof *key) && key[number];
    return known ? key[number] : KEY_CODE_OTHER;
}

static uint32_t key_of(const struct sequence *s, uint32_t final)
{
    switch (final) {
    case 'A':
        return KEY_CODE_UP;
    case 'B':
        return KEY_CODE_DOWN;
    case 'C':
        return KEY_CODE_RIGHT;
    case 'D':
        return KEY_CODE_LEFT;
    case 'H':
        return KEY_CODE_HOME;
    case 'F':
        return KEY_CODE_END;
    case 'Z':
        return KEY_CODE_BACKTAB;
    case 'M':
        return s->reading == SEQUENCE_SS3 ? KEY_RETURN : KEY_CODE_OTHER; /* of the keypad */
    case 'P':
    case 'Q':
    case 'R':
    case 'S':
        return KEY_CODE_F(1) + (final - 'P');
    case 'n':
        return s->reading == SEQUENCE_CSI && s->number == 0 ? KEY_CODE_ARRIVED : KEY_CODE_OTHER;
    case '~':
        return numbered(s->number < 0 ? -1 - s->number : s->number);
    default:
        return KEY_CODE_OTHER;
    }
}

static uint32_t end(struct sequence *s, uint32_t key)
{
    s->reading = SEQUENCE_NONE;
    return key;
}

/* Takes a character of "parameters final". A parameter after the first one is a held shift or the like, and changes no key here. */
static uint32_t take_csi(struct sequence *s, uint32_t code)
{
    if (code >= '@')
        return end(s, key_of(s, code));
    if (code >= '0' && code <= '9' && s->number >= 0 && s->number <= NUMBER_MOST)
        s->number = s->number * 10 + (int)(code - '0');
    else if (s->number >= 0)
        s->number = -1 - s->number;
    return 0;
}

static uint32_t take_osc(struct sequence *s, uint32_t code)
{
    if (code == BELL || (s->escaped && code == '\\'))
        return end(s, KEY_CODE_OTHER);
    s->escaped = code == KEY_ESCAPE;
    return 0;
}

bool sequence_takes(struct sequence *s, uint32_t code, int64_t now, uint32_t *key)
{
    bool in_text = s->reading == SEQUENCE_OSC && (code == BELL || code == KEY_ESCAPE);
    *key = 0;
    if (s->reading == SEQUENCE_NONE || now - s->at > PATIENCE_MS || ((code < ' ' || code >= 0x7f) && !in_text)) {
        s->reading = SEQUENCE_NONE;
        return false;
    }
    s->at = now;
    if (s->reading == SEQUENCE_CSI)
        *key = take_csi(s, code);
    else if (s->reading == SEQUENCE_SS3)
        *key = end(s, key_of(s, code));
    else
        *key = take_osc(s, code);
    return true;
}
