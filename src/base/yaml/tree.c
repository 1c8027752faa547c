/* The tree: look-ups, new nodes, and loading through libcyaml.
 *
 * libcyaml gets the tree as new text, not the bytes of the file. The tree may have been normalised, its aliases are expanded within the
 * limits of parse.c, and the text has only one reading (flow style, each scalar in double quotes).
 */
#include "base/text.h"
#include "base/yaml/yaml.h"

#include <errno.h>
#include <malloc.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct ynode *const *find(const struct ynode *map, const char *key)
{
    if (map && map->kind == Y_MAP)
        for (size_t i = 0; i < map->n; i++)
            if (map->item[2 * i]->len == strlen(key) && strcmp(map->item[2 * i]->text, key) == 0)
                return (const struct ynode *const *)&map->item[2 * i];
    return NULL;
}

struct ynode *yaml_key(const struct ynode *map, const char *key)
{
    const struct ynode *const *pair = find(map, key);
    return pair ? (struct ynode *)pair[0] : NULL;
}

struct ynode *yaml_get(const struct ynode *map, const char *key)
{
    const struct ynode *const *pair = find(map, key);
    return pair ? (struct ynode *)pair[1] : NULL;
}

static struct ynode *node_new(struct arena *a, enum ykind kind, const struct ynode *at)
{
    struct ynode *n = arena_alloc(a, sizeof *n);
    if (n)
        *n = (struct ynode){.kind = kind, .line = at ? at->line : 0, .col = at ? at->col : 0, .weight = 1};
    return n;
}

struct ynode *yaml_new_scalar(struct arena *a, const char *text, const struct ynode *at)
{
    struct ynode *n = node_new(a, Y_SCALAR, at);
    if (!n)
        return NULL;
    n->len = strlen(text);
    n->text = arena_strndup(a, text, n->len);
    return n->text ? n : NULL;
}

struct ynode *yaml_new_map(struct arena *a, const struct ynode *at)
{
    return node_new(a, Y_MAP, at);
}

bool yaml_map_add(struct arena *a, struct ynode *map, struct ynode *key, struct ynode *value)
{
    struct ynode **grown = arena_alloc(a, (map->n + 1) * 2 * sizeof *grown);
    if (!grown || !key || !value)
        return false;
    if (map->n)
        memcpy(grown, map->item, map->n * 2 * sizeof *grown);
    grown[2 * map->n] = key;
    grown[2 * map->n + 1] = value;
    map->item = grown;
    map->n++;
    map->weight += key->weight + value->weight;
    return true;
}

/* ---- emit ------------------------------------------------------------------------------------------------------ */

/* Returns true for characters that must be escaped inside double quotes. Besides these, libyaml's reader refuses only U+FFFE and U+FFFF. */
static bool needs_escape(uint32_t cp)
{
    return cp < 0x20 || (cp >= 0x7f && cp < 0xa0) || cp == 0x2028 || cp == 0x2029 || cp == 0xfeff || cp == 0xfffe || cp == 0xffff ||
           cp == '"' || cp == '\\';
}

static void emit_scalar(const struct ynode *s, FILE *out)
{
    size_t n;
    fputc('"', out);
    for (size_t i = 0; i < s->len; i += n) {
        uint32_t cp = utf8_next(s->text + i, s->len - i, &n);
        if (needs_escape(cp))
            fprintf(out, "\\u%04x", (unsigned)cp);
        else
            fwrite(s->text + i, 1, n, out);
    }
    fputc('"', out);
}

/* The recursion is as deep as the tree, which parse.c bounds. */
static void emit_node(const struct ynode *n, FILE *out)
{
    if (n->kind == Y_SCALAR) {
        emit_scalar(n, out);
        return;
    }
    fputc(n->kind == Y_MAP ? '{' : '[', out);
    for (size_t i = 0; i < n->n; i++) {
        if (i)
            fputs(",\n", out);
        if (n->kind == Y_MAP) {
            fputs("? ", out); /* the long form: a key of any length */
            emit_scalar(n->item[2 * i], out);
            fputs(" : ", out);
        }
        emit_node(n->item[n->kind == Y_MAP ? 2 * i + 1 : i], out);
    }
    fputc(n->kind == Y_MAP ? '}' : ']', out);
}

char *yaml_emit(struct arena *a, const struct ynode *root, size_t *len)
{
    char *buf = NULL, *copy = NULL;
    size_t size = 0;
    FILE *out = text_open(&buf, &size);
    if (!out)
        return NULL;
    emit_node(root, out);
    fputc('\n', out);
    if (text_close(out)) {
        *len = size;
        copy = arena_strndup(a, buf, size);
    }
    free(buf);
    return copy;
}

/* ---- load ------------------------------------------------------------------------------------------------------ */

/* libcyaml grows a list by one entry at a time. If realloc() moves the list each time, that is quadratic: under ASan a list of 18,000
 * operations copied tens of gigabytes. So large blocks grow to a power of two. */
static void *grown_by_doubling(void *ctx, void *old, size_t size)
{
    size_t room = 4096;
    (void)ctx;
    if (size == 0)
        return free(old), NULL;
    if (size <= room)
        return realloc(old, size);
    if (old && malloc_usable_size(old) >= size)
        return old;
    while (room < size && room <= SIZE_MAX / 2)
        room *= 2;
    return realloc(old, room < size ? size : room);
}

const cyaml_config_t yaml_config = {
    .mem_fn = grown_by_doubling,
    .log_level = CYAML_LOG_ERROR,
    .flags = CYAML_CFG_NO_ALIAS,
};

struct captured {
    char text[512];
    size_t len;
};

__attribute__((format(printf, 3, 0))) static void capture(cyaml_log_t level, void *ctx, const char *fmt, va_list args)
{
    struct captured *c = ctx;
    (void)level;
    if (c->len + 1 >= sizeof c->text)
        return;
    int n = vsnprintf(c->text + c->len, sizeof c->text - c->len, fmt, args);
    if (n > 0)
        c->len += (size_t)n;
}

bool yaml_load(struct arena *a, const struct ynode *root, const cyaml_schema_value_t *schema, void **data, struct diag *d)
{
    struct captured log = {.len = 0};
    cyaml_config_t config = yaml_config;
    config.log_fn = capture;
    config.log_ctx = &log;
    size_t len = 0;
    char *bytes = yaml_emit(a, root, &len);
    *data = NULL;
    if (!bytes) {
        diag_lack(d, ENOMEM);
        return false;
    }
    cyaml_err_t err = cyaml_load_data((const uint8_t *)bytes, len, &config, schema, data, NULL);
    if (err == CYAML_OK && *data)
        return true;
    /* The text was emitted from a checked tree, so libyaml can fail only for lack of memory. */
    if (err == CYAML_OK || err == CYAML_ERR_OOM || err == CYAML_ERR_LIBYAML_PARSER_INIT || err == CYAML_ERR_LIBYAML_PARSER)
        diag_lack(d, ENOMEM);
    else
        diag_add(d, root->line, root->col, "internal error: libcyaml refuses what was checked: %s: %s", cyaml_strerror(err), log.text);
    return false;
}

unsigned yaml_column(const struct ynode *at, size_t off)
{
    unsigned col = at->col;
    if (at->kind != Y_SCALAR || off > at->len || memchr(at->text, '\n', off))
        return col;
    for (size_t i = 0; i < off; i++)
        col += ((unsigned char)at->text[i] & 0xc0) != 0x80;
    return col;
}
