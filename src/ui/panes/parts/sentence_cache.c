/* Sentences are made when they are drawn, in the language that is shown. Most events were also drawn by the last frame, so their sentences
 * are kept. */
#include "ui/panes/panes.h"

#include <stdlib.h>
#include <string.h>

enum { KEPT = 256 }; /* more than are fetched at once, a power of two */

struct entry {
    uint64_t number;
    uint32_t m;
    enum lang lang;
    struct ev ev;
    char text[SESSION_TEXT], sentence[SENTENCE_BYTES];
};
struct sentence_cache {
    struct entry at[KEPT];
};

struct sentence_cache *sentence_cache_new(void)
{
    return calloc(1, sizeof(struct sentence_cache));
}

static const char *make(const struct view *v, const struct session_event *e, char *buf)
{
    event_sentence(v->md, e->m, &e->ev, e->text, strlen(e->text), v->lang, buf, SENTENCE_BYTES);
    return buf;
}

const char *sentence_of(const struct view *v, const struct session_event *e, char buf[SENTENCE_BYTES])
{
    if (!v->sentences || !e->number) /* an event that is not folded yet has no number */
        return make(v, e, buf);
    struct entry *s = &v->sentences->at[e->number % KEPT];
    if (s->number == e->number && s->m == e->m && s->lang == v->lang && !memcmp(&s->ev, &e->ev, sizeof e->ev) && !strcmp(s->text, e->text))
        return s->sentence;
    s->number = e->number;
    s->m = e->m;
    s->lang = v->lang;
    s->ev = e->ev;
    strcpy(s->text, e->text);
    return make(v, e, s->sentence);
}
