/* Builds a tree with positions from libyaml's events, within limits.
 *
 * The limits are checked while the tree is built, so a hostile file costs no more than its own size. They bound the depth, the number of
 * nodes, and the weight of the tree with every alias copied: a shared node counts at each use, and long text counts more. The depth of an
 * aliased node counts where the alias is used.
 */
#include "base/text.h"
#include "base/yaml/yaml.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <yaml.h>

#define DEPTH_MAX 64
#define NODES_MAX 200000
#define WEIGHT_MAX 200000
#define ANCHORS_MAX 256
#define TEXT_UNIT 32 /* bytes of text that weigh as much as one node */

struct frame {
    struct ynode *node;
    size_t cap;
    unsigned height;
    int anchor;
}; /* an open list or map */
struct anchor {
    const char *name;
    struct ynode *node;
    unsigned height;
    bool open;
};

struct builder {
    struct arena *arena;
    struct diag *diag;
    const char *bytes;
    size_t len;
    struct ynode *root;
    struct frame frame[DEPTH_MAX];
    unsigned depth, nodes;
    struct anchor anchor[ANCHORS_MAX];
    int nanchors;
};

static bool fail_at(struct builder *b, yaml_mark_t at, const char *what)
{
    diag_add(b->diag, (unsigned)at.line + 1, (unsigned)at.column + 1, "%s", what);
    return false;
}

/* Returns the first byte of a line (counted from 0), or the end of the text. */
static const char *line_start(const struct builder *b, size_t line)
{
    const char *at = b->bytes, *end = b->bytes + b->len;
    for (; line > 0 && at < end; at++)
        if (*at == '\n' || (*at == '\r' && at[1] != '\n'))
            line--;
    return at;
}

/* Returns the byte at a mark. libyaml counts characters, without the byte order mark. */
static const char *mark_byte(const struct builder *b, yaml_mark_t at)
{
    const char *s = line_start(b, at.line), *end = b->bytes + b->len;
    if (at.line == 0 && b->len >= 3 && memcmp(s, "\xef\xbb\xbf", 3) == 0)
        s += 3;
    for (size_t i = 0; i < at.column && s < end; i++)
        for (s++; s < end && ((unsigned char)*s & 0xc0) == 0x80; s++)
            ;
    return s;
}

/* libyaml gives a scalar with an anchor the anchor's position. Returns the scalar's own column if it is on the same line. */
static unsigned behind_anchor(const struct builder *b, yaml_mark_t at, const char *anchor)
{
    const char *s = mark_byte(b, at), *end = b->bytes + b->len;
    size_t skip = strlen(anchor) + 1;
    if (s >= end || *s != '&')
        return 0;
    while (s + skip < end && (s[skip] == ' ' || s[skip] == '\t'))
        skip++;
    bool same_line = s + skip < end && !strchr("\r\n#", s[skip]);
    return same_line ? (unsigned)skip : 0;
}

static bool lacking(struct builder *b)
{
    diag_lack(b->diag, ENOMEM);
    return false;
}

/* ---- nodes ----------------------------------------------------------------------------------------------------- */

static bool is_key(const struct builder *b)
{
    if (b->depth == 0)
        return false;
    const struct frame *f = &b->frame[b->depth - 1];
    return f->node->kind == Y_MAP && f->node->n % 2 == 0; /* keys and values alternate */
}

/* While a map is open its `n` counts keys and values. Closing it halves n. */
static bool append(struct builder *b, struct frame *f, struct ynode *child, yaml_mark_t at)
{
    struct ynode *node = f->node;
    if (node->n == f->cap) {
        size_t cap = f->cap ? f->cap * 2 : 8;
        struct ynode **grown = arena_alloc(b->arena, cap * sizeof *grown);
        if (!grown)
            return lacking(b);
        if (node->n)
            memcpy(grown, node->item, node->n * sizeof *grown);
        node->item = grown;
        f->cap = cap;
    }
    node->item[node->n++] = child;
    node->weight += child->weight;
    if (node->weight > WEIGHT_MAX)
        return fail_at(b, at, "too large when its aliases are expanded");
    return true;
}

/* Adds a finished node to its list or map. height: levels of lists and maps in it. */
static bool attach(struct builder *b, struct ynode *node, unsigned height, yaml_mark_t at)
{
    if (b->depth == 0) {
        b->root = node;
        return true;
    }
    struct frame *f = &b->frame[b->depth - 1];
    if (f->height < height + 1)
        f->height = height + 1;
    return append(b, f, node, at);
}

static struct ynode *node_new(struct builder *b, enum ykind kind, yaml_mark_t at)
{
    if (++b->nodes > NODES_MAX)
        return fail_at(b, at, "too large; at most 200000 values"), NULL;
    struct ynode *n = arena_alloc(b->arena, sizeof *n);
    if (!n)
        return lacking(b), NULL;
    *n = (struct ynode){.kind = kind, .line = (unsigned)at.line + 1, .col = (unsigned)at.column + 1, .weight = 1};
    return n;
}

/* -1: no anchor, -2: an error. */
static int anchor_add(struct builder *b, const yaml_char_t *name, struct ynode *node, bool open, yaml_mark_t at)
{
    if (!name)
        return -1;
    if (b->nanchors == ANCHORS_MAX)
        return fail_at(b, at, "too many anchors; at most 256"), -2;
    char *copy = arena_strndup(b->arena, (const char *)name, strlen((const char *)name));
    if (!copy)
        return lacking(b), -2;
    b->anchor[b->nanchors] = (struct anchor){.name = copy, .node = node, .open = open};
    return b->nanchors++;
}

/* A name may be used for several anchors; the last one counts. */
static const struct anchor *anchor_find(const struct builder *b, const char *name)
{
    for (int i = b->nanchors; i-- > 0;)
        if (strcmp(b->anchor[i].name, name) == 0)
            return &b->anchor[i];
    return NULL;
}

/* ---- one function for each event ------------------------------------------------------------------------------- */

static bool on_scalar(struct builder *b, const yaml_event_t *ev)
{
    const char *text = (const char *)ev->data.scalar.value, *anchor = (const char *)ev->data.scalar.anchor;
    yaml_scalar_style_t style = ev->data.scalar.style;
    yaml_mark_t at = ev->start_mark;
    if (ev->data.scalar.tag)
        return fail_at(b, at, "a tag (!); tags are not supported");
    if (is_key(b) && style == YAML_PLAIN_SCALAR_STYLE && strcmp(text, "<<") == 0)
        return fail_at(b, at, "merge keys (<<) are not supported; an alias can stand for a whole value");
    struct ynode *n = node_new(b, Y_SCALAR, at);
    if (!n)
        return false;
    if (anchor)
        n->col += behind_anchor(b, at, anchor);
    n->quoted = style != YAML_PLAIN_SCALAR_STYLE;
    n->col += style == YAML_SINGLE_QUOTED_SCALAR_STYLE || style == YAML_DOUBLE_QUOTED_SCALAR_STYLE;
    n->len = ev->data.scalar.length;
    n->weight = 1 + n->len / TEXT_UNIT;
    n->text = arena_strndup(b->arena, text, n->len);
    if (!n->text)
        return lacking(b);
    return anchor_add(b, ev->data.scalar.anchor, n, false, at) != -2 && attach(b, n, 0, at);
}

static bool on_open(struct builder *b, const yaml_event_t *ev, enum ykind kind)
{
    bool list = kind == Y_LIST;
    yaml_mark_t at = ev->start_mark;
    if (list ? ev->data.sequence_start.tag : ev->data.mapping_start.tag)
        return fail_at(b, at, "a tag (!); tags are not supported");
    if (is_key(b))
        return fail_at(b, at, "a key must be a word");
    if (b->depth == DEPTH_MAX)
        return fail_at(b, at, "nested too deeply; at most 64 levels");
    struct ynode *n = node_new(b, kind, at);
    if (!n)
        return false;
    int anchor = anchor_add(b, list ? ev->data.sequence_start.anchor : ev->data.mapping_start.anchor, n, true, at);
    b->frame[b->depth++] = (struct frame){.node = n, .height = 1, .anchor = anchor};
    return anchor != -2;
}

static bool on_close(struct builder *b, const yaml_event_t *ev)
{
    struct frame f = b->frame[--b->depth];
    if (f.node->kind == Y_MAP)
        f.node->n /= 2;
    if (f.anchor >= 0) {
        b->anchor[f.anchor].open = false;
        b->anchor[f.anchor].height = f.height;
    }
    return attach(b, f.node, f.height, ev->start_mark);
}

static bool on_alias(struct builder *b, const yaml_event_t *ev)
{
    const char *name = (const char *)ev->data.alias.anchor;
    const struct anchor *to = anchor_find(b, name);
    yaml_mark_t at = ev->start_mark;
    if (!to) {
        diag_add(b->diag, (unsigned)at.line + 1, (unsigned)at.column + 1, "unknown alias *%.64s; no &%.64s before it", name, name);
        return false;
    }
    if (to->open)
        return fail_at(b, at, "an alias to a value that contains it");
    if (is_key(b) && to->node->kind != Y_SCALAR)
        return fail_at(b, at, "a key must be a word");
    if (b->depth + to->height > DEPTH_MAX)
        return fail_at(b, at, "nested too deeply when its aliases are expanded; at most 64 levels");
    return attach(b, to->node, to->height, at);
}

static bool on_event(struct builder *b, const yaml_event_t *ev)
{
    switch (ev->type) {
    case YAML_SCALAR_EVENT:
        return on_scalar(b, ev);
    case YAML_SEQUENCE_START_EVENT:
        return on_open(b, ev, Y_LIST);
    case YAML_MAPPING_START_EVENT:
        return on_open(b, ev, Y_MAP);
    case YAML_SEQUENCE_END_EVENT:
    case YAML_MAPPING_END_EVENT:
        return on_close(b, ev);
    case YAML_ALIAS_EVENT:
        return on_alias(b, ev);
    case YAML_DOCUMENT_START_EVENT:
        return b->root ? fail_at(b, ev->start_mark, "a second document; a file holds one") : true;
    default:
        return true;
    }
}

/* ---- errors of libyaml ----------------------------------------------------------------------------------------- */

/* libyaml's reader reports a byte offset without a mark: the byte that breaks a character. The message shows the character's first byte. */
static void reader_error(struct builder *b, const yaml_parser_t *p)
{
    unsigned line = 1, col = 1;
    size_t n, i = b->len >= 3 && memcmp(b->bytes, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
    for (; i < p->problem_offset && i < b->len; i += n) {
        char c = b->bytes[i];
        if (utf8_next(b->bytes + i, b->len - i, &n) == 0xfffd && n == 1)
            break;
        if (c == '\n' || (c == '\r' && b->bytes[i + 1] != '\n'))
            line++, col = 1;
        else if (c != '\r')
            col++;
    }
    diag_add(b->diag, line, col, "not text in UTF-8: %s", p->problem);
}

static void syntax_error(struct builder *b, const yaml_parser_t *p)
{
    if (p->error == YAML_READER_ERROR) {
        reader_error(b, p);
        return;
    }
    if (p->error == YAML_MEMORY_ERROR || !p->problem) {
        diag_lack(b->diag, ENOMEM);
        return;
    }
    unsigned line = (unsigned)p->problem_mark.line + 1, col = (unsigned)p->problem_mark.column + 1;
    const char *at = mark_byte(b, p->problem_mark);
    if (at < b->bytes + b->len && *at == '\t')
        diag_add(b->diag, line, col, "a tab; YAML is indented with spaces");
    else if (p->context)
        diag_add(b->diag, line, col, "%s %s", p->problem, p->context);
    else
        diag_add(b->diag, line, col, "%s", p->problem);
}

static bool build(struct builder *b, yaml_parser_t *p)
{
    for (bool over = false; !over;) {
        yaml_event_t ev;
        if (!yaml_parser_parse(p, &ev)) {
            syntax_error(b, p);
            return false;
        }
        bool fine = on_event(b, &ev);
        over = ev.type == YAML_STREAM_END_EVENT;
        yaml_event_delete(&ev);
        if (!fine)
            return false;
    }
    if (!b->root)
        diag_add(b->diag, 1, 1, "there is nothing in it");
    return b->root != NULL;
}

/* Returns the name of the encoding if the text is UTF-16 or UTF-32, NULL otherwise. libyaml reads UTF-16, but our lines and columns count
 * bytes and would be wrong. Such a file begins with a byte order mark, or with an ASCII character that is padded with zero bytes. */
static const char *other_encoding(const char *bytes, size_t len)
{
    const unsigned char *s = (const unsigned char *)bytes;
    if (len >= 4 && ((!s[0] && !s[1] && s[2] == 0xfe && s[3] == 0xff) || (s[0] == 0xff && s[1] == 0xfe && !s[2] && !s[3])))
        return "UTF-32";
    if (len >= 4 && ((!s[0] && !s[1] && !s[2] && s[3]) || (s[0] && !s[1] && !s[2] && !s[3])))
        return "UTF-32";
    if (len >= 2 && ((s[0] == 0xfe && s[1] == 0xff) || (s[0] == 0xff && s[1] == 0xfe) || !s[0] != !s[1]))
        return "UTF-16";
    return NULL;
}

struct ynode *yaml_parse(struct arena *a, const char *bytes, size_t len, struct diag *d)
{
    const char *other = other_encoding(bytes, len);
    if (other) {
        diag_add(d, 1, 1, "expected UTF-8 text, got %s; save the file as UTF-8", other);
        return NULL;
    }
    yaml_parser_t p;
    struct builder *b = calloc(1, sizeof *b);
    struct ynode *root = NULL;
    if (!b || !yaml_parser_initialize(&p)) {
        diag_lack(d, ENOMEM);
        free(b);
        return NULL;
    }
    b->arena = a;
    b->diag = d;
    b->bytes = bytes;
    b->len = len;
    yaml_parser_set_input_string(&p, (const unsigned char *)bytes, len);
    if (build(b, &p))
        root = b->root;
    yaml_parser_delete(&p);
    free(b);
    return root;
}
