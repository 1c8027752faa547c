/* The event record and every name in it: what all modules that read or write events share.
 *
 * A record is 32 bytes. It does not hold the M that logged it: each M has its own ring (log.h), and the merge passes the M along
 * with the record. Text follows its record in `ncont` more 32-byte slots.
 */
#ifndef GMPSCOPE_EVENTLOG_EVENTS_H
#define GMPSCOPE_EVENTLOG_EVENTS_H

#include "base/run_names.h"
#include "base/text.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define ALWAYS_INLINE inline __attribute__((always_inline))

#define EV_NO_P 0xffffu     /* struct ev.p: no P */
#define EV_MAX_P 1024u      /* P ids are smaller */
#define EV_NONE 0xffffffffu /* an M or P field without a value */
/* Word B of a print: it goes to stderr; the line is continued by the next print to the same place. */
enum { PRINT_STDERR = 1, PRINT_PART = 2 };
#define EV_TEXT_MAX 992          /* bytes of text in one event: at most 31 continuation slots */
#define EV_SYSTEM_FN 0xffff0000u /* go_create's fn of a system G: this plus enum system_label */
#define EV_SYSTEM_G 1000001u     /* the first id of a system G */
#define EV_SYSTEM_GS 1000000u    /* ids reserved for system Gs */
#define CONN_CREDIT 65536u       /* how many bytes one direction of a conn can hold: written but not read */

struct ev {
    int64_t time;        /* scenario time, ns */
    uint8_t kind;        /* enum ev_kind */
    uint8_t ncont;       /* 32-byte slots of text that follow */
    uint16_t p;          /* P, or EV_NO_P */
    uint32_t g;          /* G, or 0 */
    uint32_t a, b, c, d; /* by kind: events.def */
};
_Static_assert(sizeof(struct ev) == 32, "an event is one half of a cache line");

enum ev_kind {
#define EVENT(id, ...) EV_##id,
#include "eventlog/events.def"
#undef EVENT
    EV_KINDS
};

enum { M_WAKE_CHOSEN = 2 };         /* m_wake, bit of c: not the top of the idle list, but the M that the P had last */
enum { PROCRESIZE_LAST_FIRST = 1 }; /* the first procresize, d: the last P is on top of the idle list, not P1 */

enum ev_level { EV_OFF = -1, EV_CORE, EV_DETAIL }; /* EV_OFF is no event's level: it records nothing */

/* The traits of a kind: a column of events.def. */
enum ev_traits {
    EV_PLAIN = 0,
    EV_UNORDERED = 1,  /* changes no state that another event needs: no event waits for it, and it waits for none (README.md) */
    EV_ENDS_ROUND = 2, /* ends a round of schedule(): the M has found a G, or parks */
    EV_G_LAST = 4,     /* its line names the G after its own fields: it is about a queue or a heap, not about the G */
    EV_SEEN = 8,       /* a state without a cause, from a source that does not see everything; a live run never logs it */
};

/* The enumerations of words.def. */
#define ENUM(type, tag) enum tag {
#define WORD(id, word, ...) id,
/* clang-format off */
#define END_ENUM };
/* clang-format on */
#include "eventlog/words.def"

/* The purposes of system Gs, with their labels. */
#define EV_SYSTEM_LABELS(X) \
    X(SYSG_TIMERPROC, "timerproc") \
    X(SYSG_GCWORKER, "gcworker") \
    X(SYSG_FINALIZER, "finalizer") \
    X(SYSG_TRACEREADER, "tracereader") \
    X(SYSG_ENABLEUSER, "enableuser") \
    X(SYSG_POLLSERVER, "pollserver") \
    X(SYSG_FORCEGC, "forcegchelper") \
    X(SYSG_SWEEP, "bgsweep") X(SYSG_SCAVENGE, "bgscavenge") X(SYSG_MAXPROCS, "updatemaxprocs") X(SYSG_CLEANUP, "cleanup")
enum system_label {
#define X(id, label) id,
    EV_SYSTEM_LABELS(X)
#undef X
};

/* What Gs wait for and work with. Objects of one kind are numbered from 1, in the order of the scenario. */
enum ev_object_kind { OBJ_NONE, OBJ_CHAN, OBJ_MUTEX, OBJ_RWMUTEX, OBJ_WAITGROUP, OBJ_COND, OBJ_CONN, OBJ_WRITERS, OBJ_KINDS };
#define EV_WRITERS 1000000u  /* OBJ_WRITERS: the mutex inside of RWMutex n has this number plus n */
#define EV_FD_MUTEX 2000000u /* this plus n: the mutex that lets one G at a time read or write at an end of conn n */
struct ev_object {
    enum ev_object_kind kind;
    uint32_t id;
};

#define TIMER_ID_MAX 255u /* channels of timers with a greater number have none in the events of heaps */

/* What a consumer of events does with the event that it is offered. */
enum offer { OFFER_APPLIED, OFFER_NOT_YET, OFFER_BROKEN, OFFER_HOLD };

/* G and P states, Go's own numbers; they are the snapshot's too. */
/* UNKNOWN: of a source that does not see everything. */
enum g_status { G_IDLE = 0, G_RUNNABLE = 1, G_RUNNING = 2, G_SYSCALL = 3, G_WAITING = 4, G_UNKNOWN = 5, G_DEAD = 6 };
enum p_status { P_IDLE = 0, P_RUNNING = 1, P_SYSCALL = 2, P_GCSTOP = 3, P_DEAD = 4, P_UNKNOWN = 5 };

enum ev_ftype {
    FT_NONE,
    FT_INT,
    FT_BOOL,
    FT_G,
    FT_M,
    FT_P,
    FT_FN,
    FT_TIME,
    FT_DUR,
    FT_TEXT,
    FT_SIGNED, /* a number that may be negative */
    FT_OBJ,    /* a channel, a mutex …: its number; sentences have its name (ev_object) */
    FT_HOLDER, /* the G that holds an object, 0: none; a line leaves 0 out */
    FT_TIMES,  /* how many operations one event stands for (repeat.h), 0: one; a line leaves 0 out */
    FT_OWN,    /* the channel that a timer has of its own, 0: none; a line leaves 0 out */
    FT_SEEN,   /* a G that the M saw in passing: the event is not about it */
#define ENUM(type, tag) type,
#define WORD(id, word, ...)
#define END_ENUM
#include "eventlog/words.def"
    T_G,
    T_P,
    T_LOCK,
    T_SPIN,
    T_TIMER,
    T_OUT, /* sequence numbers: of a G, a P, sched.lock, nmspinning, a heap, the output */
};
/* Level and traits of each kind, for callers where the kind is a compile-time constant. */
static const int8_t ev_level_of[EV_KINDS] = {
#define EVENT(id, name, level, ...) [EV_##id] = EV_##level,
#include "eventlog/events.def"
#undef EVENT
};
static const uint8_t ev_traits_of[EV_KINDS] = {
#define EVENT(id, name, level, traits, ...) [EV_##id] = traits,
#include "eventlog/events.def"
#undef EVENT
};
static inline bool ev_has_trait(int kind, enum ev_traits trait)
{
    return kind >= 0 && kind < EV_KINDS && (ev_traits_of[kind] & trait) != 0;
}
static inline bool ev_is_unordered(int kind)
{
    return ev_has_trait(kind, EV_UNORDERED);
}
static inline bool ev_ends_round(int kind)
{
    return ev_has_trait(kind, EV_ENDS_ROUND);
}
/* Who reads where Gs are in their programs: nobody; a screen, until the run becomes free, or always (ev_is_place); or readers of events. */
enum run_places { PLACES_NONE, PLACES_LOCKSTEP, PLACES_SHOWN, PLACES_EVENTS };
/* What a hidden g_op says: a place, or a note about the order of accesses (rt_config.races), which mirrors a call of Go's race.go. A note's fields are
 * g, which does it; a: a variable, an object or a G; b: the operation that g is in; c: the note's sequence number; d: this, and of a NOTE_SYNC
 * from bit 8 on the operation of G a. */
enum ev_note {
    NOTE_NONE,  /* not hidden: an event */
    NOTE_PLACE, /* no note: where a G is */
    NOTE_READ,  /* of shared variable a */
    NOTE_WRITE,
    NOTE_FORK,          /* racegostart: what g has done comes before all that G a does */
    NOTE_END,           /* racegoend */
    NOTE_ACQUIRE,       /* raceacquire of object a */
    NOTE_RELEASE,       /* racerelease: what other Gs have released is forgotten */
    NOTE_RELEASE_MERGE, /* racereleasemerge */
    NOTE_EXCHANGE,      /* racereleaseacquire */
    NOTE_SYNC,          /* racesync with G a: both have met */
    NOTE_ATOMIC_READ,   /* of shared variable a, by sync/atomic: no race with another such use */
    NOTE_ATOMIC_WRITE,
    NOTE_ACQUIRE_ALL, /* racefingo: all that any G has done comes before */
    NOTE_KINDS
};
#define PLACE_ARRIVES 0x100u /* bit of a place: its G has just arrived at this line of a Go program, where a breakpoint may be */
static inline enum ev_note ev_note(const struct ev *e)
{
    return e->kind == EV_G_OP ? (enum ev_note)(e->d & 0xff) : NOTE_NONE;
}
/* Is this g_op hidden? Then it is no event of the run: nothing counts it, stops at it or lists it. */
static inline bool ev_is_place(const struct ev *e)
{
    return e->kind == EV_G_OP && e->d;
}

#define EV_IS_SEQ(t) ((t) >= T_G)

enum ev_word { W_A, W_B, W_C, W_D, W_G, W_P, W_M, W_CD, W_LATE, W_TIME };

struct ev_field {
    const char *name;
    enum ev_ftype type;
    enum ev_word word;
    uint8_t shift, bits;
    uint32_t only; /* the values of word A with which the event has the field, as bits; 0: all; IF_SET: the event has it unless it is 0;
                      * IF_TOLD: unless it is EV_NONE */
};
#define IF_SET (~0u)
#define IF_TOLD (~1u)

#define EV_FIELDS 14
struct ev_desc {
    const char *name, *go, *meaning;
    struct text say, intent;
    enum ev_level level;
    struct ev_field field[EV_FIELDS]; /* ends at the first with name NULL; sequence numbers have the name "" */
};
extern const struct ev_desc ev_desc[EV_KINDS];

/* How much an event matters to a person who watches: weights.def. */
enum ev_weight { WEIGHT_PLAIN, WEIGHT_MAJOR, WEIGHT_DAILY, WEIGHT_PART, WEIGHT_NONE };
enum ev_weight ev_weight(int kind);

/* Returns the kind of this name, -1 if there is none. */
int ev_kind(const char *name, size_t len);
/* Returns the field of a kind by name ("m", "p", "g" and "time" exist in every event), NULL if the kind has no such field. */
const struct ev_field *ev_field(int kind, const char *name, size_t len);
/* Returns a field's value. m: the M that logged the record. Signed, because a delay may be -1. */
int64_t ev_value(const struct ev *e, uint32_t m, const struct ev_field *f);
/* Returns whether this event has the field: a stage of the search has its own. */
static inline bool ev_has(const struct ev *e, const struct ev_field *f)
{
    if (f->only == IF_SET)
        return ev_value(e, 0, f) != 0;
    if (f->only == IF_TOLD)
        return ev_value(e, 0, f) != EV_NONE;
    return !f->only || (e->a < 32 && f->only >> e->a & 1);
}
/* Returns the word for value v of an enumerated type, NULL if the type is not enumerated or v is out of range. */
const char *ev_word(enum ev_ftype type, int64_t v);
/* Returns its wording in a sentence. NULL as ev_word(). */
const char *ev_say(enum ev_ftype type, int64_t v, enum lang lang);
/* Returns the wording of a wait reason in that version's tracebacks, NULL if it is out of range. generation: the bit of one (base/run_names.h). */
const char *ev_go_reason(uint32_t reason, uint32_t obj, unsigned generation);
/* Returns the template of the event's sentence, with {fields} to fill in: the first row of variants.def that matches its fields and the
 * generation, else the sentence in events.def. gen: the bit of one. */
const char *ev_sentence(const struct ev *e, unsigned gen, enum lang lang);
/* What an M is about to do: a row of intent.def, or INTENT_EVENT if its last event implies it. */
enum intent_kind {
    INTENT_EVENT,
#define AT(id, ...) INTENT_##id,
#include "eventlog/intent.def"
    INTENT_COUNT
};
struct intent {
    enum intent_kind what;
    uint32_t g, p, lock; /* its G or 0, its P or EV_NO_P; INTENT_UNLOCKED: the lock's RANK_… */
};
/* Returns, in the same way, the template that says what the M will try after this event, if the event is its last. */
const char *ev_intent(const struct ev *e, unsigned gen, enum lang lang);
/* Returns, in the same way, the Go function that the event mirrors. */
const char *ev_go(const struct ev *e, unsigned gen);
/* Returns the value of a word of an enumerated type, -1 if there is no such word. */
int64_t ev_word_value(enum ev_ftype type, const char *s, size_t len);
/* Returns how many words an enumerated type has, 0 if it is not enumerated. */
int ev_words(enum ev_ftype type);

/* Returns what a G waits for by the fields of its g_park; kind OBJ_NONE: no object. */
struct ev_object ev_waits_for(uint32_t reason, uint32_t obj);
/* Returns the object that an event is about; kind OBJ_NONE: none. */
struct ev_object ev_object(const struct ev *e);

/* Returns the label of a system G by its fn, NULL if a program has this fn. */
const char *ev_system_label(uint32_t fn);
/* Returns the fn of a label, -1 if there is none. A program of the same name takes precedence. */
int64_t ev_system_fn(const char *label);

#define BOOT_NUMBERS 8u /* the first numbers: some may be taken by Gs that the runtime starts before main (runtime/sched/main.c) */

/* User Gs are numbered by one counter that skips the ids of system Gs: 1, 2, 3 … 1000000, 2000001 …. So ids are unique, and a program
 * with more than a million Gs can still have system Gs. nth counts from 0. */
static inline uint32_t ev_user_g(uint32_t nth)
{
    return nth < EV_SYSTEM_G - 1 ? nth + 1 : nth + 1 + EV_SYSTEM_GS;
}
static inline bool ev_is_system_g(uint32_t g)
{
    return g >= EV_SYSTEM_G && g - EV_SYSTEM_G < EV_SYSTEM_GS;
}

/* Writes a G's displayed name: "G7", or "Gs1" for the first system G. Returns buf. */
enum { EV_G_NAME = 16 };
const char *ev_g_name(uint32_t g, char buf[EV_G_NAME]);
/* Parses "7", "g7", "G7", "s1" or "Gs1". Returns false for anything else. */
bool ev_g_id(const char *name, size_t len, uint32_t *g);

/* A record except its time, as three words that travel in registers. */
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define EV_PAIR(first, second) ((uint64_t)(first) | (uint64_t)(second) << 32)
#define EV_FIRST(pair) ((uint32_t)(pair))
#define EV_SECOND(pair) ((uint32_t)((pair) >> 32))
#define EV_HEAD(e) EV_PAIR((uint32_t)(e).kind | (uint32_t)(e).ncont << 8 | (uint32_t)(e).p << 16, (e).g)
#define EV_HEAD_KIND(head) ((uint8_t)(head))
#else
#define EV_PAIR(first, second) ((uint64_t)(first) << 32 | (uint64_t)(second))
#define EV_FIRST(pair) ((uint32_t)((pair) >> 32))
#define EV_SECOND(pair) ((uint32_t)(pair))
#define EV_HEAD(e) EV_PAIR((uint32_t)(e).kind << 24 | (uint32_t)(e).ncont << 16 | (uint32_t)(e).p, (e).g)
#define EV_HEAD_KIND(head) ((uint8_t)((head) >> 56))
#endif

static inline int64_t ev_cd(const struct ev *e)
{
    return (int64_t)((uint64_t)e->d << 32 | e->c);
}
static inline void ev_set_cd(struct ev *e, int64_t v)
{
    e->c = (uint32_t)(uint64_t)v;
    e->d = (uint32_t)((uint64_t)v >> 32);
}

#endif
