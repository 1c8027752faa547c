/* A run in the form of another program's: the reader that passes events on to one of the forms, of which each is one file here.
 *
 * Exported are the events of the range that match the pattern. A form that shows who runs where also follows the other events, up to the end of the
 * range, by passes(). Of one run and one range all forms export equally many events. */
#ifndef GMPSCOPE_ENGINE_EXPORT_EXPORT_H
#define GMPSCOPE_ENGINE_EXPORT_EXPORT_H

#include "base/arena.h"
#include "engine/reader.h"
#include "model/run_info.h"
#include <stdio.h>

/* An end of the range: an event, or a time. */
struct export_bound {
    uint64_t event; /* 0: it is a time */
    int64_t time;
};

struct export_ops;
struct page_lesson;
struct exporter {
    const struct export_ops *ops;
    const struct run_info *info;
    FILE *out;
    const struct pattern *only; /* NULL: all events */
    struct page_lesson *lesson; /* that the form shows; NULL: none */
    struct export_bound from, to;
    bool has_from, has_to;
    int *error;             /* where an errno of `out` is kept, which ends the run; NULL: nowhere */
    FILE *progress;         /* NULL: how far it is, is not said */
    uint64_t events;        /* that were exported */
    uint64_t left_out;      /* what the form cannot say of them: marks that belong to no running G */
    void *state;            /* of the form */
    const struct model *md; /* the state after the event at hand */
    bool begun, over;
    bool old; /* gotrace: in version 1, as Go 1.19 reads it */
};

struct export_ops {
    const char *name;
    struct text what;                                                  /* for the help */
    size_t state;                                                      /* bytes of its state, which begins as zeros */
    bool places;                                                       /* it says where Gs are in their programs */
    bool needs_p;                                                      /* the generation must have Ps */
    bool lessons;                                                      /* it can show a lesson */
    bool (*begin)(struct exporter *x);                                 /* each returns false if memory ran out */
    bool (*passes)(struct exporter *x, const struct merged_event *at); /* an event that is not exported; NULL: it does not matter */
    bool (*event)(struct exporter *x, const struct merged_event *at);
    void (*time)(struct exporter *x, const struct model *md,
                 int64_t time); /* before an event of this time of the range; NULL: not needed */
    bool (*end)(struct exporter *x);
    void (*fini)(struct exporter *x); /* frees what its state points to; NULL: nothing */
};
/* The forms, which end at NULL. */
extern const struct export_ops *const export_forms[];
extern const struct export_ops export_json, export_chrome, export_gotrace, export_html, export_perfetto, export_schedtrace;

/* Reads "1.5ms" or "#197". Returns false if it is neither. */
bool export_bound_read(const char *s, struct export_bound *out);
/* Begins: returns NULL, or what is missing. `x` has ops, info, out, and what is asked for. */
const char *export_begin(struct exporter *x);
struct reader export_reader(struct exporter *x);
void export_fini(struct exporter *x);

/* --- what forms share --- */

/* A field of an event, as readers of other forms take it. */
struct export_value {
    const char *name;
    enum { VALUE_NUMBER, VALUE_BOOL, VALUE_TEXT, VALUE_NONE } type;
    int64_t number;
    char text[EV_TEXT_MAX + 1];
};
/* Returns the next field; *i: from 0 on. False: there is none. */
bool export_next_field(const struct merged_event *at, int *i, struct export_value *out);
/* Writes the fields of an event as a JSON object. */
void export_fields(struct exporter *x, const struct merged_event *at);
/* Writes text as it stands, and notes an error. */
void export_print(struct exporter *x, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void export_bytes(struct exporter *x, const void *bytes, size_t n);
/* Bytes that are being put together. */
struct export_buf {
    uint8_t *v;
    size_t n, cap;
};
bool export_varint(struct export_buf *b, uint64_t n); /* 7 bits a byte, low first. False: out of memory */
bool export_append(struct export_buf *b, const void *bytes, size_t n);

#endif
