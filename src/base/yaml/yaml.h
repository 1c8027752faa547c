/* YAML with positions. libyaml's events become a small bounded tree, which is checked against a libcyaml schema and then loaded with it.
 * libcyaml alone has no line numbers and no suggestions, and it misreads numbers. Used by scenario/ and layout/. One thread at a time. */
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
    unsigned line, col; /* from 1; for a scalar its first character, after a quote */
    bool quoted;
    const char *text; /* scalar, NUL-terminated */
    size_t len;
    struct ynode **item; /* list items, or map keys and values in turn */
    size_t n;            /* list: items; map: pairs */
    uint64_t weight;     /* nodes when aliases are expanded */
    unsigned mark;       /* for the module that reads the tree; 0 at first */
};

/* Reads a regular file into arena memory, NUL-terminated. Rejects directories, FIFOs, devices, unreadable files and files over 1 MiB without
 * blocking; d gets the mistake, without a line. Returns NULL on error. */
char *yaml_read(struct arena *a, const char *path, size_t *len, struct diag *d);
/* Parses text within limits (depth 64, 200,000 nodes, expanded weight 200,000); d gets syntax errors. Returns NULL on error, and for an empty
 * document. */
struct ynode *yaml_parse(struct arena *a, const char *bytes, size_t len, struct diag *d);
/* Returns the tree as YAML text in arena memory, for cyaml_load_data(). */
char *yaml_emit(struct arena *a, const struct ynode *root, size_t *len);
struct ynode *yaml_get(const struct ynode *map, const char *key); /* value, NULL if absent or not a map */
struct ynode *yaml_key(const struct ynode *map, const char *key); /* the key's own node (its place) */
/* Returns the column of byte `off` of a text, in characters. If line breaks or escapes are before it, returns the column of the text. */
unsigned yaml_column(const struct ynode *at, size_t off);
struct ynode *yaml_new_scalar(struct arena *a, const char *text, const struct ynode *at);
struct ynode *yaml_new_map(struct arena *a, const struct ynode *at); /* empty */
bool yaml_map_add(struct arena *a, struct ynode *map, struct ynode *key, struct ynode *value);

/* Checks the tree against a schema: unknown keys (with the nearest known one), duplicate and missing keys, kinds, integers (strictly decimal,
 * within the C type's range), booleans (only true and false), enum words, string lengths, no NUL. d gets all mistakes. `what` is the name of
 * the whole in messages ("scenario"). Returns true if there are none. */
bool yaml_check(const struct ynode *root, const cyaml_schema_value_t *schema, const char *what, struct diag *d);
/* Precondition: yaml_check() succeeded. Emits the tree as text and loads it with libcyaml; a failure is an internal bug and is reported to d.
 * Free the result with cyaml_free(&yaml_config, schema, data, 0). */
bool yaml_load(struct arena *a, const struct ynode *root, const cyaml_schema_value_t *schema, void **data, struct diag *d);
extern const cyaml_config_t yaml_config;

#endif
