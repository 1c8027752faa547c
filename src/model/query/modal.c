/* See modal.h. */
#include "model/query/modal.h"
#include "base/diag.h"
#include <string.h>

const char *const modal_word_name[MODAL_WORDS] = {"may", "must", "never"};

/* Returns the length of the word before a colon at the beginning of s; 0: there is none. A colon without a blank after it belongs to a pattern. */
static size_t word_before_colon(const char *s)
{
    size_t n = strspn(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_");
    return n && s[n] == ':' && (!s[n + 1] || s[n + 1] == ' ') ? n : 0;
}

static int index_of(const char *const *words, size_t n, const char *s, size_t len)
{
    for (size_t i = 0; i < n; i++)
        if (strlen(words[i]) == len && !memcmp(words[i], s, len))
            return (int)i;
    return -1;
}

static bool wrong_word(struct arena *a, const char *what, const char *s, size_t len, const char *const *words, size_t n, const char **err)
{
    char *word = arena_strndup(a, s, len);
    const char *near = word ? diag_nearest(word, words, n) : NULL, *list = "";
    for (size_t i = 0; list && !near && i < n; i++)
        list = arena_printf(a, "%s%s%s", list, i == 0 ? "" : i + 1 < n ? ", " : " or ", words[i]);
    if (word && near)
        *err = arena_printf(a, "unknown %s \"%s\"; did you mean \"%s\"?", what, word, near);
    else if (word && list)
        *err = arena_printf(a, "expected %s, got \"%s\"", list, word);
    return false;
}

static bool parse_end(struct arena *a, const char *s, struct modal *m, const char **err)
{
    static const int ends[] = {ENDED_MAIN_RETURNED, ENDED_DEADLOCK, ENDED_PANIC, ENDED_FATAL, ENDED_LIMIT, ENDED_EXIT};
    enum { ENDS = sizeof ends / sizeof *ends };
    const char *words[ENDS];
    size_t len = strlen(s);
    for (int i = 0; i < ENDS; i++)
        words[i] = ev_word(FT_END_HOW, ends[i]);
    int which = index_of(words, ENDS, s, len);
    m->ends = which < 0 ? -1 : ends[which];
    return which >= 0 || wrong_word(a, "end", s, len, words, ENDS, err);
}

/* Returns the text, without the quotes that YAML would need. */
static const char *unquoted(struct arena *a, const char *s)
{
    size_t n = strlen(s);
    bool quoted = n >= 2 && (*s == '"' || *s == '\'') && s[n - 1] == *s;
    return quoted ? arena_strndup(a, s + 1, n - 2) : arena_strndup(a, s, n);
}

/* What is no event, but sounds like one, and what to write. Returns NULL for other words. */
static const char *is_no_event(const char *s)
{
    static const char *const word[] = {"race", "races", "leak", "leaks", "deadlock", "panic", "exit"};
    static const char *const hint[] = {
        "a data race is no event; `gmpscope explore FILE` reports the races and their lines, and a scenario claims \"races: 0\"",
        "a leak is no event; `gmpscope explore FILE` reports the leaked Gs, and a scenario claims \"leaks: 0\"",
        "that is an end, no event; write \"ends: deadlock\"", "that is an end, no event; write \"ends: panic\"",
        "that is an end, no event; write \"ends: exit\""};
    int i = index_of(word, sizeof word / sizeof *word, s, strcspn(s, " "));
    return i < 0 ? NULL : hint[i < 4 ? i / 2 : i - 2];
}

bool modal_parse_what(struct arena *a, const char *s, struct modal *m, const char **err, size_t *pos)
{
    static const char *const kinds[] = {"ends", "prints"};
    size_t n = word_before_colon(s), at = n ? n + 1 : 0;
    int kind = n ? index_of(kinds, 2, s, n) : -1;
    *err = NULL;
    *pos = 0;
    m->pattern = NULL;
    m->prints = NULL;
    m->ends = -1;
    if (n && kind < 0)
        return wrong_word(a, "word", s, n, kinds, 2, err);
    at += strspn(s + at, " ");
    if (kind >= 0)
        *pos = at;
    if (kind == 0)
        return parse_end(a, s + at, m, err);
    if (kind == 1)
        return (m->prints = unquoted(a, s + at)) != NULL;
    if ((*err = is_no_event(s)))
        return false;
    return (m->pattern = pattern_compile(a, s, err, pos)) != NULL;
}

bool modal_parse(struct arena *a, const char *s, struct modal *m, const char **err, size_t *pos)
{
    size_t lead = strspn(s, " "), n = word_before_colon(s + lead), at = lead + n + 1;
    int word = n ? index_of(modal_word_name, MODAL_WORDS, s + lead, n) : -1;
    *err = NULL;
    *pos = lead;
    *m = (struct modal){.word = (enum modal_word)word, .ends = -1};
    if (!n) {
        *err = "expected may, must or never, and a colon, such as \"may: ends: deadlock\"";
        return false;
    }
    if (word < 0)
        return wrong_word(a, "word", s + lead, n, modal_word_name, MODAL_WORDS, err);
    at += strspn(s + at, " ");
    bool good = modal_parse_what(a, s + at, m, err, pos);
    *pos += at;
    return good;
}

struct modal_watch modal_watch_of(const struct modal *m)
{
    return (struct modal_watch){.of = m, .match = {.pattern = m->pattern}};
}

static void came(struct modal_watch *w, uint64_t number)
{
    if (!w->at && (!w->of->pattern || matcher_is_nth(&w->match, number)))
        w->at = number;
}

/* A line may be printed in parts. Returns whether one ends here that is the text. */
static bool prints(struct modal_watch *w, const struct merged_event *at)
{
    const char *text = w->of->prints;
    if (at->e->kind != EV_PRINT || at->e->b & PRINT_STDERR)
        return false;
    w->differs |= at->len > strlen(text + w->printed) || (at->len && memcmp(text + w->printed, at->text, at->len));
    w->printed = w->differs ? 0 : w->printed + at->len;
    if (at->e->b & PRINT_PART)
        return false;
    bool same = !w->differs && !text[w->printed];
    w->differs = false;
    w->printed = 0;
    return same;
}

void modal_event(struct modal_watch *w, const struct merged_event *at)
{
    const struct modal *m = w->of;
    w->last = at->number;
    if (m->pattern ? matcher_event(&w->match, at) : m->prints && prints(w, at))
        came(w, at->number);
}

void modal_passes(struct modal_watch *w, const struct model *md, int64_t time)
{
    int64_t now = model_time(md) > w->judged ? model_time(md) : w->judged; /* an event may be offered more than once */
    while ((now = matcher_change_after(&w->match, md, now)) <= time && now < INT64_MAX) {
        w->judged = now;
        if (matcher_time(&w->match, md, now))
            came(w, w->last + 1);
    }
}

bool modal_has(const struct modal_watch *w, int how)
{
    return w->of->ends >= 0 ? how == w->of->ends : w->at != 0;
}

bool modal_refuted(const struct modal_watch *w, int how)
{
    bool x = modal_has(w, how);
    return w->of->word == MODAL_MUST ? !x && how >= 0 && how != ENDED_LIMIT : x && w->of->word == MODAL_NEVER;
}

uint64_t modal_shown(const struct modal_watch *w, int how)
{
    bool shown = w->of->word == MODAL_MAY ? modal_has(w, how) : modal_refuted(w, how);
    return !shown ? 0 : w->at ? w->at : w->last;
}

bool modal_is_open(const struct modal_watch *w, int how)
{
    return !w->at && w->of->ends != how && (how < 0 || how == ENDED_LIMIT);
}
