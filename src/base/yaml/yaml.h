/* YAML with positions: a pass over libyaml's events into a small bounded tree, checked against the same libcyaml schema
 * that then loads the bytes (facts: libcyaml reads types, has no line numbers, no did-you-mean, misreads numbers).
 * Shared by scenario/ and layout/. One thread at a time. */
#ifndef GMPSCOPE_BASE_YAML_YAML_H
#define GMPSCOPE_BASE_YAML_YAML_H

#include "base/arena.h"
#include "base/diag.h"
#include <cyaml/cyaml.h>
#include <stdbool.h>
#include <stdint.h>

enum ykind { Y_SCALAR, Y_LIST, Y_MAP };
struct ynode {
    enum ykind kind;
    unsigned line, col;               /* from 1; of a scalar its first character (after a quote) */
    bool quoted;
    const char *text;                 /* scalar, NUL-terminated */
    size_t len;
    struct ynode **item;              /* list items, or map keys and values in turn */
    size_t n;                         /* list: items; map: pairs */
    uint64_t weight;                  /* nodes when aliases are expanded */
    unsigned mark;                    /* the reader's own; 0 at first */
};

/* A whole regular file into arena memory, NUL-terminated. Refuses directories, FIFOs, devices, > 1 MiB, unreadable ones
 * without waiting; the mistake goes to d without a line. NULL on error. */
char *yaml_read(struct arena *a, const char *path, size_t *len, struct diag *d);
/* Parse with limits (depth 64, 200,000 nodes, expanded weight 200,000). Syntax errors go to d with their place. NULL on error,
 * also when the document is empty. */
struct ynode *yaml_parse(struct arena *a, const char *bytes, size_t len, struct diag *d);
/* Re-emit the tree as YAML for cyaml_load_data after normalising (scalar-or-map and such); arena memory. */
char *yaml_emit(struct arena *a, const struct ynode *root, size_t *len);
struct ynode *yaml_get(const struct ynode *map, const char *key);       /* value, NULL if absent or not a map */
struct ynode *yaml_key(const struct ynode *map, const char *key);       /* the key's own node (its place) */
struct ynode *yaml_new_scalar(struct arena *a, const char *text, const struct ynode *at);
struct ynode *yaml_new_map(struct arena *a, const struct ynode *at);    /* empty */
bool yaml_map_add(struct arena *a, struct ynode *map, struct ynode *key, struct ynode *value);

/* Check the tree against a schema: unknown keys (with the nearest), duplicate keys, missing keys, kinds, integers strictly
 * decimal and in the C type's range, booleans true/false only, enum words, string lengths, no NUL. All mistakes, to d.
 * `what` names the thing in messages ("scenario"). True: no mistake added. */
bool yaml_check(const struct ynode *root, const cyaml_schema_value_t *schema, const char *what, struct diag *d);
/* yaml_check passed: load through libcyaml from the tree (emitted anew). A failure now is a bug: reported to d.
 * Free with cyaml_free(&yaml_config, schema, data, 0). */
bool yaml_load(struct arena *a, const struct ynode *root, const cyaml_schema_value_t *schema, void **data, struct diag *d);
extern const cyaml_config_t yaml_config;

#endif
