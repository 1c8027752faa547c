/* The rows of the list: which entries match the search, and which of them is chosen. */
#include "ui/door/door_internal.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

static bool has(const char *text, const char *word, size_t n)
{
    for (; *text; text++)
        if (strncasecmp(text, word, n) == 0)
            return true;
    return false;
}

static bool has_word(const struct door_screen *s, const struct door_entry *e, const char *word, size_t n)
{
    return has(e->name, word, n) || has(text_in(&e->title, s->lang), word, n) || has(text_in(&e->summary, s->lang), word, n) ||
           (e->topic >= 0 && has(text_in(&s->d->topic[e->topic], s->lang), word, n));
}

/* Does it have every word of the search? */
static bool matches(const struct door_screen *s, const struct door_entry *e)
{
    const char *at = s->prompt.open && s->prompt.sign == '/' ? s->prompt.text : "";
    while (*(at += strspn(at, " "))) {
        size_t n = strcspn(at, " ");
        if (!has_word(s, e, at, n))
            return false;
        at += n;
    }
    return true;
}

static bool searching(const struct door_screen *s)
{
    return s->prompt.open && s->prompt.sign == '/' && s->prompt.text[0];
}

static void add(struct door_screen *s, enum row_kind kind, int at)
{
    s->row[s->nrows++] = (struct door_row){kind, at};
}

/* Adds the recent entries. A search lists each entry once, so it leaves out recent entries that are also in a topic. */
static void add_recent(struct door_screen *s)
{
    int before = s->nrows;
    for (int i = 0; i < s->d->nrecent; i++) {
        const struct door_entry *e = &s->d->entry[s->d->recent[i]];
        if ((searching(s) && e->topic >= 0) || !matches(s, e))
            continue;
        if (s->nrows == before)
            add(s, ROW_RECENT, 0);
        add(s, ROW_ENTRY, s->d->recent[i]);
    }
}

/* Returns the nth entry of what is shown: all scenarios, or those of the path. -1: there are fewer. */
static int nth_shown(const struct door_screen *s, int n)
{
    const struct door_path *p = s->path < s->d->npaths ? &s->d->path[s->path] : NULL;
    return n >= (p ? p->n : s->d->n) ? -1 : p ? p->entry[n] : n;
}

/* Returns the first lesson that was not played yet. */
static int first_to_play(const struct door_screen *s)
{
    for (int n = 0, i; (i = nth_shown(s, n)) >= 0; n++) {
        const struct door_entry *e = &s->d->entry[i];
        if (e->topic >= 0 && e->lesson && !e->played)
            return i;
    }
    return -1;
}

static void add_topics(struct door_screen *s)
{
    int topic = -1;
    for (int n = 0, i; (i = nth_shown(s, n)) >= 0; n++) {
        const struct door_entry *e = &s->d->entry[i];
        if (e->topic < 0 || !matches(s, e))
            continue;
        if (e->topic != topic)
            add(s, ROW_TOPIC, topic = e->topic);
        add(s, ROW_ENTRY, i);
    }
}

static int row_of(const struct door_screen *s, int entry)
{
    int first = -1;
    for (int i = 0; i < s->nrows; i++) {
        if (s->row[i].kind != ROW_ENTRY)
            continue;
        if (s->row[i].at == entry)
            return i;
        first = first < 0 ? i : first;
    }
    return first;
}

bool door_rows(struct door_screen *s, int entry)
{
    if (!s->row && !(s->row = calloc((size_t)(2 * s->d->n + s->d->nrecent + 1), sizeof *s->row)))
        return false;
    s->nrows = 0;
    s->start = first_to_play(s);
    add_recent(s);
    add_topics(s);
    s->at = row_of(s, entry);
    s->top = 0;
    return true;
}

int door_chosen(const struct door_screen *s)
{
    return s->at < 0 ? -1 : s->row[s->at].at;
}

void door_move(struct door_screen *s, int by)
{
    int step = by < 0 ? -1 : 1, at = s->at + by;
    at = at < 0 ? 0 : at >= s->nrows ? s->nrows - 1 : at;
    while (at >= 0 && at < s->nrows && s->row[at].kind != ROW_ENTRY)
        at += step;
    if (at < 0 || at >= s->nrows) /* headings only: back to the nearest entry */
        for (at -= step; at >= 0 && at < s->nrows && s->row[at].kind != ROW_ENTRY;)
            at -= step;
    if (at >= 0 && at < s->nrows)
        s->at = at;
    if (s->at > 0 && s->row[s->at - 1].kind != ROW_ENTRY && s->top == s->at)
        s->top--; /* its heading is seen, too */
}

void door_move_topic(struct door_screen *s, int by)
{
    int at = s->at;
    if (by < 0) /* to the heading of this topic first: then the one before it */
        while (at > 0 && s->row[at].kind == ROW_ENTRY)
            at--;
    do
        at += by;
    while (at >= 0 && at < s->nrows && s->row[at].kind == ROW_ENTRY);
    if (at >= 0 && at + 1 < s->nrows)
        s->at = at + 1;
}
