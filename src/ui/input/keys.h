/* The table of keys. Dispatch, the help screen and the key line use it. */
#ifndef GMPSCOPE_UI_INPUT_KEYS_H
#define GMPSCOPE_UI_INPUT_KEYS_H

#include "ui/panes/view.h"
#include "ui/term/keycodes.h"

struct ui;

/* JOINED: shares the text of the next key. AT_END: only once no run continues. */
enum key_line { LINE_NOT, LINE_ALWAYS, LINE_JOINED, LINE_IF_ROOM, LINE_AT_END };

struct key {
    uint32_t code, also;      /* `also`: another key with the same effect, 0: none */
    const char *name;         /* as people call it */
    enum text_id help, label; /* on the help screen; on the key line */
    enum key_line line;
    void (*fn)(struct ui *);
    enum text_id for_one; /* why it does nothing while two runs are compared; TX_NONE: it works for both; TX_NOTE_TWO_RUNS: only for two */
    uint32_t needs;       /* capabilities, as bits; session_status: without one the key does not exist, refused it is not offered */
    bool of_screen;       /* it does something to the full screen only, so it does not exist without one */
};

extern const struct key keys[];
extern const int nkeys;

/* Returns NULL if this key does nothing. */
const struct key *key_find(uint32_t code);
/* Stores the code of a key by its name, or by the character that it types. Returns false if there is none. */
bool key_code(const char *name, uint32_t *code);
/* False: the run that is shown lacks what the key needs. */
bool key_exists(const struct ui *u, const struct key *k);
/* Takes a key that no box and no line to edit has taken: first the pane with the focus, then the table, then the only kind of pane that has the key.
 * Returns false if it has no meaning. */
bool key_press(struct ui *u, uint32_t code);
/* Writes the key line for the current screen; returns how many of KEY_HINTS_MAX hints there are. */
int key_hints(const struct ui *u, struct key_hint *hint);
/* Returns true if the pane that has the focus has this key; it then wins over the key of the screen. */
bool key_of_focused(const struct ui *u, uint32_t code);
/* Sends the key to the first pane that has it. Returns false if none has, if panes of several kinds have it, or if a pane has the focus. */
bool key_of_sole_kind(struct ui *u, uint32_t code);
/* Notes why the key does nothing, and what would work. k: its row, which this run lacks; NULL: it has none. */
void key_note_idle(struct ui *u, uint32_t code, const struct key *k);

/* Writes that the key does nothing here. An event of the mouse leaves buf as it is. */
void key_idle_text(uint32_t code, enum lang lang, char *buf, size_t size);

#endif
