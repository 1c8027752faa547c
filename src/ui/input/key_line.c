/* The key line, and the note about a key that does nothing. Both come from the tables of keys: the screen's, and those of the panes. */
#include "ui/input/keys.h"

#include "ui/input/focus.h"
#include "ui/input/lesson_answers.h"
#include "ui/input/requests.h"

#include <stdio.h>
#include <string.h>

/* Returns the keys of the pane that has the focus; *n of them. */
static const struct pane_key *keys_of_focused(const struct ui *u, int *n)
{
    const struct pane_key *key = NULL;
    const struct layout_pane *pane = ui_focused(u, u->placed.n);
    *n = pane ? pane_keys_of(pane->kind, &key) : 0;
    return key;
}

bool key_of_focused(const struct ui *u, uint32_t code)
{
    int n;
    const struct pane_key *key = keys_of_focused(u, &n);
    for (int i = 0; i < n; i++)
        if (key[i].code == code)
            return true;
    return false;
}

static bool is_arrow(uint32_t code)
{
    return code >= KEY_CODE_UP && code <= KEY_CODE_RIGHT;
}

/* Adds the keys of the pane that has the focus. "down, j" has the short name "j". Neighbours with the same label share it. */
static int pane_hints(const struct ui *u, struct key_hint *hint, int n)
{
    int nkey;
    const struct pane_key *key = keys_of_focused(u, &nkey);
    for (int i = 0; i < nkey && n < KEY_HINTS_MAX; i++) {
        const char *comma = strstr(key[i].name, ", ");
        bool joined = i + 1 < nkey && key[i + 1].label == key[i].label;
        if (key[i].label != TX_NONE)
            hint[n++] = (struct key_hint){comma ? comma + 2 : key[i].name, key[i].code, key[i].label, joined, is_arrow(key[i].code), true};
    }
    return n;
}

/* Returns true if the key only continues or stops the run, which has no effect on a run that has ended. */
static bool of_a_run(const struct key *k)
{
    static const enum text_id label[] = {TX_SHORT_PAUSE, TX_SHORT_STEP, TX_SHORT_ROUND, TX_SHORT_TEMPO, TX_SHORT_MODE};
    for (size_t i = 0; i < sizeof label / sizeof *label; i++)
        if (k->label == label[i])
            return true;
    return false;
}

/* Returns what the key line calls the key now; TX_NONE: it does not name it. */
static enum text_id label_now(const struct ui *u, const struct key *k)
{
    const struct session_status *st = &u->run->st;
    bool ended = st->ended && (!ui_two(u) || u->run[RIGHT].st.ended);
    if (k->needs & st->refused) /* pressed, the key says why */
        return TX_NONE;
    if (k->code == ' ' && lesson_has_card(u))
        return TX_SHORT_CARD;
    if (k->code == KEY_TAB && u->placed.one)
        return TX_SHORT_OTHER_RUN;
    if (k->line == LINE_NOT || (k->line == LINE_AT_END && !ended) || (ended && of_a_run(k)) || !ui_works(u, k->for_one))
        return TX_NONE;
    return k->code == ' ' && st->paused && !st->stepping ? TX_SHORT_GO : k->label;
}

int key_hints(const struct ui *u, struct key_hint *hint)
{
    int n = 0;
    for (int i = 0; i < nkeys && n < KEY_HINTS_MAX; i++) {
        const struct key *k = &keys[i];
        enum text_id label = key_exists(u, k) && !key_of_focused(u, k->code) ? label_now(u, k) : TX_NONE;
        if (label != TX_NONE)
            hint[n++] = (struct key_hint){k->name, k->code, label, k->line == LINE_JOINED, k->line == LINE_IF_ROOM, false};
    }
    return pane_hints(u, hint, n);
}

/* ---- a key that does nothing ---- */

/* Returns what people call the key. */
static const char *name_of(uint32_t code, enum lang lang, char *buf, size_t size)
{
    buf[0] = '\0';
    if (code > KEY_CODE_F(0) && code <= KEY_CODE_F(KEY_FUNCTIONS))
        snprintf(buf, size, "F%u", code - KEY_CODE_F(0));
    else if (code > ' ' && code < KEY_BACK)
        snprintf(buf, size, "%c", (int)code);
    else if (code && code < ' ')
        snprintf(buf, size, "ctrl-%c", (int)code + '@');
    else if (code == KEY_BACK || code == KEY_CODE_DELETE)
        snprintf(buf, size, "%s", code == KEY_BACK ? "backspace" : "delete");
    else if (code > KEY_BACK && code < KEY_CODE_OTHER && !cp_unsafe(code))
        buf[utf8_put(code, buf)] = '\0';
    return buf[0] ? buf : tx(lang, TX_IDLE_THIS_KEY);
}

/* Returns the key of that kind of pane; NULL: it has none. A lesson takes its keys without the focus. */
static const struct pane_key *key_of_kind(int kind, uint32_t code)
{
    const struct pane_key *key;
    for (int i = pane_keys_of(kind, &key); kind != PANE_lesson && i-- > 0;)
        if (key[i].code == code || (key[i].also && key[i].also == code))
            return &key[i];
    return NULL;
}

bool key_of_sole_kind(struct ui *u, uint32_t code)
{
    const struct placed *p = &u->placed;
    int kind = -1;
    for (int i = 0; u->screen && i < p->n; i++) {
        if (!key_of_kind(p->pane[i].kind, code) || kind == p->pane[i].kind)
            continue;
        if (kind >= 0)
            return false;
        kind = p->pane[i].kind;
    }
    return kind >= 0 && !ui_focused(u, p->n) && focus_send(u, kind, code);
}

static bool note_pane_key(struct ui *u, int kind, uint32_t code, enum text_id text)
{
    const struct pane_key *key = key_of_kind(kind, code);
    if (key) {
        const char *title = pane_title(kind) == TX_NONE ? pane_name(kind) : tx(u->lang, pane_title(kind));
        ui_note(u, tx(u->lang, text), key->name, title);
    }
    return key;
}

static bool is_of_the_mouse(uint32_t code)
{
    return code >= KEY_CODE_OTHER && code <= KEY_CODE_RESIZED;
}

void key_idle_text(uint32_t code, enum lang lang, char *buf, size_t size)
{
    char name[16];
    if (!is_of_the_mouse(code))
        snprintf(buf, size, tx(lang, TX_IDLE_NOTHING), name_of(code, lang, name, sizeof name));
}

void key_note_idle(struct ui *u, uint32_t code, const struct key *k)
{
    char nothing[160];
    const struct text *why = NULL;
    if (is_of_the_mouse(code))
        return;
    u->loop.dirty = true;
    for (int i = 0; k && i < 32 && !why; i++)
        why = k->needs & u->run->st.without & 1u << i ? u->ops->refusal(u->run->session, (enum capability)i) : NULL;
    if (why) {
        ui_note(u, "%s", text_in(why, u->lang));
        return;
    }
    for (int i = 0; u->screen && i < u->placed.n; i++)
        if (note_pane_key(u, u->placed.pane[i].kind, code, TX_IDLE_FOCUS))
            return;
    for (int kind = 0; u->screen && kind < PANES; kind++)
        if (note_pane_key(u, kind, code, TX_IDLE_OTHER_LAYOUT))
            return;
    key_idle_text(code, u->lang, nothing, sizeof nothing);
    ui_note(u, "%s", nothing);
}
