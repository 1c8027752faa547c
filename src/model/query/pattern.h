/* Patterns: "steal thief=1 n>=2", "g_park reason=chan_receive", "* g=7", "handoff | retake", "… xN",
 * "when p0.runq >= 4 and spinning = 0". */
#ifndef GMPSCOPE_MODEL_PATTERN_H
#define GMPSCOPE_MODEL_PATTERN_H

#include "base/arena.h"
#include "base/text.h"
#include "model/model.h"

struct pattern;

enum pattern_text_id {
#define SAY(id, ...) PATTERN_##id,
#include "model/query/pattern_texts.def"
#undef SAY
    PATTERN_TEXTS
};
/* Returns a text about a mistake, or its format. */
const char *pattern_text(enum lang lang, enum pattern_text_id id);

/* Returns a pattern in the arena, or NULL for a mistake: *err is the message, *pos its byte offset in s. The message is in English; that of
 * pattern_compile_in() is in the language that it is given. */
struct pattern *pattern_compile_in(struct arena *a, enum lang lang, const char *s, const char **err, size_t *pos);
static inline struct pattern *pattern_compile(struct arena *a, const char *s, const char **err, size_t *pos)
{
    return pattern_compile_in(a, LANG_EN, s, err, pos);
}
/* Looks up the names of programs (fn=worker), objects (obj=jobs) and places (main.go:12), for which the compiler accepts any word. Returns false if a name
 * is not known, with *err and *pos as above. Call it once, before the pattern is used; a pattern that is not bound matches only numbers. */
bool pattern_bind_in(struct pattern *p, struct arena *a, enum lang lang, const struct model_names *names, const char **err, size_t *pos);
static inline bool pattern_bind(struct pattern *p, struct arena *a, const struct model_names *names, const char **err, size_t *pos)
{
    return pattern_bind_in(p, a, LANG_EN, names, err, pos);
}
bool pattern_is_when(const struct pattern *p);
/* Returns true if a field or gauge of the pattern refers to a P; *pos: approximately where in its text. */
bool pattern_asks_for_p(const struct pattern *p, size_t *pos);
/* True if it can match a detail event. */
bool pattern_asks_for_details(const struct pattern *p);
/* Can schedules that differ only in the order of independent steps differ in whether it matches? A condition sees the state between the steps, a time
 * is their order, and what detail events tell is read without a footprint (base/course.h). */
bool pattern_sees_order(const struct pattern *p);
/* Is it about the operations that Gs reach (g_op), by name? */
bool pattern_asks_for_places(const struct pattern *p);
/* The same, or of a place (ev_is_place): true if an alternative that is about the operations of Gs, by name, matches it. */
bool pattern_meets(const struct pattern *p, uint32_t m, const struct ev *e, const char *text, size_t len);
/* Returns the highest P that the pattern names (p3.runq, thief=3), -1 if none. */
int64_t pattern_names_p(const struct pattern *p);
/* Returns true if the event matches an event pattern, ignoring xN. Reads only its arguments, so it may be called on any thread and
 * stack. */
bool pattern_event(const struct pattern *p, uint32_t m, const struct ev *e, const char *text, size_t len);
/* Sets kinds[k] for each kind of event that the pattern may match; clears no other one. */
void pattern_kinds(const struct pattern *p, bool kinds[EV_KINDS]);
/* Returns true if it can never match because the source of the events never records it. lacks: a set of LACKS(…), run_info.lacks. */
bool pattern_unrecorded(const struct pattern *p, uint32_t lacks);
/* Returns true if the state matches a `when` pattern. */
bool pattern_state(const struct pattern *p, const struct model *md);
/* pattern_state_at(): the same at a later time, if nothing happens before; durations grow. The other returns the first time after
 * `after` at which the answer may change in this way, INT64_MAX if never. */
bool pattern_state_at(const struct pattern *p, const struct model *md, int64_t time);
int64_t pattern_change_after(const struct pattern *p, const struct model *md, int64_t after);
uint64_t pattern_times(const struct pattern *p); /* the N of xN, 1 without it */

/* Completes the word that ends at s[at]: calls fn for each word that begins with it and is possible there. A word may be passed twice.
 * Returns where the word begins. */
typedef void pattern_offer(void *ctx, const char *word);
size_t pattern_complete(const char *s, size_t at, pattern_offer *fn, void *ctx);

#endif
