/* Patterns (spec 5): "steal thief=1 n>=2", "g_park reason=chan_receive", "* g=7", "handoff | retake", "… xN",
 * "when p0.runq >= 4 and spinning = 0". */
#ifndef GMPSCOPE_MODEL_PATTERN_H
#define GMPSCOPE_MODEL_PATTERN_H

#include "base/arena.h"
#include "model/model.h"

struct pattern;

/* In the arena; NULL: a mistake; err is a message, *pos its byte offset in s. */
struct pattern *pattern_compile(struct arena *a, const char *s, const char **err, size_t *pos);
/* A program's name (fn=worker) is any word until it is bound: looks all of them up. False: one is no program, with err and
 * *pos as above. Once, before the pattern is used; a pattern that is not bound matches programs by number only. */
bool pattern_bind(struct pattern *p, struct arena *a, const struct model_names *names, const char **err, size_t *pos);
bool pattern_is_when(const struct pattern *p);
/* Does it ask for a P, by a field or a gauge? Then *pos is where in its text, as well as it is known. */
bool pattern_asks_for_p(const struct pattern *p, size_t *pos);
/* The highest P that it names (p3.runq, thief=3); -1: none. */
int64_t pattern_names_p(const struct pattern *p);
/* Event pattern: does this event match (xN not counted)? Reads nothing but its arguments: any thread, any stack. */
bool pattern_event(const struct pattern *p, uint32_t m, const struct ev *e, const char *text, size_t len);
/* `when`: does the state match now? */
bool pattern_state(const struct pattern *p, const struct model *md);
/* The same at a later moment, if nothing happens meanwhile: durations grow. And the first moment after `after` at which it may
 * change so; INT64_MAX: never. */
bool pattern_state_at(const struct pattern *p, const struct model *md, int64_t time);
int64_t pattern_change_after(const struct pattern *p, const struct model *md, int64_t after);
uint64_t pattern_times(const struct pattern *p);       /* xN; 1 without */

/* Calls fn for each word that may stand where the word ends that ends at s[at] and begins with it (a word may come more than
 * once); returns where that word begins. */
typedef void pattern_offer(void *ctx, const char *word);
size_t pattern_complete(const char *s, size_t at, pattern_offer *fn, void *ctx);

#endif
