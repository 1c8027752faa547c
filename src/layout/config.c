/* Reads and writes the file of preferences. base/yaml checks keys and kinds against the schema below, with the place and the nearest word. A wrong
 * setting is reported and left out; the others hold. A newer version's file, or a slip of the pen, must not stop a run. */
#include "layout/config.h"

#include "base/file.h"
#include "base/yaml/yaml.h"
#include "layout/layout_internal.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

const struct config_row config_row[] = {
#define X(name, values, help) {#name, values, help},
    CONFIG_SETTINGS(X)
#undef X
};

/* ---- what libcyaml loads ---- */

struct ykey {
    char *press, *as;
};
struct yconfig {
    char *theme, *layout, *tempo;
    enum lang *language;
    struct ykey *keys;
    unsigned keys_count;
};

static const cyaml_strval_t language_words[] = {{"en", LANG_EN}, {"zh", LANG_ZH}};
static const cyaml_schema_field_t key_fields[] = {
    CYAML_FIELD_STRING_PTR("press", CYAML_FLAG_POINTER, struct ykey, press, 1, 32),
    CYAML_FIELD_STRING_PTR("as", CYAML_FLAG_POINTER, struct ykey, as, 1, 32),
    CYAML_FIELD_END,
};
static const cyaml_schema_value_t key_schema = {
    CYAML_VALUE_MAPPING(CYAML_FLAG_DEFAULT, struct ykey, key_fields),
};
static const cyaml_schema_field_t file_fields[] = {
    CYAML_FIELD_STRING_PTR("theme", CYAML_FLAG_POINTER | CYAML_FLAG_OPTIONAL, struct yconfig, theme, 0, 64),
    CYAML_FIELD_STRING_PTR("layout", CYAML_FLAG_POINTER | CYAML_FLAG_OPTIONAL, struct yconfig, layout, 1, 4000),
    CYAML_FIELD_ENUM_PTR("language", CYAML_FLAG_POINTER | CYAML_FLAG_OPTIONAL | CYAML_FLAG_STRICT, struct yconfig, language, language_words,
                         CYAML_ARRAY_LEN(language_words)),
    CYAML_FIELD_STRING_PTR("tempo", CYAML_FLAG_POINTER | CYAML_FLAG_OPTIONAL, struct yconfig, tempo, 0, 64),
    CYAML_FIELD_SEQUENCE("keys", CYAML_FLAG_POINTER | CYAML_FLAG_OPTIONAL, struct yconfig, keys, &key_schema, 0, CONFIG_KEYS_MAX),
    CYAML_FIELD_END,
};
static const cyaml_schema_value_t file_schema = {
    CYAML_VALUE_MAPPING(CYAML_FLAG_POINTER, struct yconfig, file_fields),
};

/* ---- reading ---- */

static void check_key(const struct ynode *name, bool (*code_of)(const char *, uint32_t *), struct diag *d)
{
    uint32_t code;
    if (!code_of(name->text, &code))
        diag_add(d, name->line, name->col, "there is no key \"%s\"; gmpscope help keys lists them", name->text);
}

/* Checks what a schema cannot express. */
static void check_meaning(const struct ynode *top, bool (*code_of)(const char *, uint32_t *), struct diag *d)
{
    const struct ynode *tempo = yaml_get(top, "tempo"), *keys = yaml_get(top, "keys");
    layout_check_theme(yaml_get(top, "theme"), d);
    struct tempo t;
    if (tempo && !tempo_parse(tempo->text, &t))
        diag_add(d, tempo->line, tempo->col, "tempo: expected auto, events per second (0.01 to 1000000) or max, got \"%s\"", tempo->text);
    if (keys && keys->n > CONFIG_KEYS_MAX)
        diag_add(d, keys->line, keys->col, "too many keys; at most %d", CONFIG_KEYS_MAX);
    for (size_t i = 0; keys && i < keys->n; i++) {
        check_key(yaml_get(keys->item[i], "press"), code_of, d);
        check_key(yaml_get(keys->item[i], "as"), code_of, d);
    }
}

/* Keeps the settings without a mistake: of kind, and with code_of also of meaning. A key's first place counts. */
static void keep_good(struct arena *a, struct ynode *top, bool (*code_of)(const char *, uint32_t *))
{
    size_t kept = 0;
    for (size_t i = 0; i < top->n; i++) {
        struct ynode *key = top->item[2 * i], *value = top->item[2 * i + 1], *only = yaml_new_map(a, key);
        struct diag scratch;
        diag_init(&scratch, NULL);
        bool first = key->kind == Y_SCALAR && (!kept || !yaml_get(&(struct ynode){.kind = Y_MAP, .item = top->item, .n = kept}, key->text));
        if (first && only && yaml_map_add(a, only, key, value) && yaml_check(only, &file_schema, "config", &scratch) && code_of)
            check_meaning(only, code_of, &scratch);
        if (first && !scratch.count) {
            top->item[2 * kept] = key;
            top->item[2 * kept++ + 1] = value;
        }
        diag_fini(&scratch);
    }
    top->n = kept;
}

static const char *copy(struct arena *a, const char *s)
{
    return s ? arena_strndup(a, s, strlen(s)) : NULL;
}

static void fill(struct arena *a, struct config *c, const struct yconfig *y, bool (*code_of)(const char *, uint32_t *))
{
    c->theme = copy(a, y->theme);
    c->layout = copy(a, y->layout);
    c->has_language = y->language != NULL;
    c->language = y->language ? *y->language : LANG_EN;
    if (y->tempo)
        tempo_parse(y->tempo, &c->tempo);
    for (unsigned i = 0; i < y->keys_count && i < CONFIG_KEYS_MAX; i++) {
        struct config_key *k = &c->key[c->nkeys++];
        *k = (struct config_key){.press = copy(a, y->keys[i].press), .as = copy(a, y->keys[i].as)};
        code_of(y->keys[i].press, &k->from);
        code_of(y->keys[i].as, &k->to);
    }
}

bool config_load(struct arena *a, const char *path, bool (*code_of)(const char *name, uint32_t *code), struct config *c, struct diag *d)
{
    size_t len;
    void *y = NULL;
    *c = (struct config){0};
    if (access(path, F_OK) < 0 && (errno == ENOENT || errno == ENOTDIR))
        return true;
    char *bytes = yaml_read(a, path, &len, d);
    struct ynode *top = bytes && bytes[strspn(bytes, " \t\r\n")] ? yaml_parse(a, bytes, len, d) : NULL;
    if (!top)
        return !d->lack;
    yaml_check(top, &file_schema, "config", d);
    if (top->kind != Y_MAP)
        return true;
    keep_good(a, top, NULL);
    check_meaning(top, code_of, d);
    keep_good(a, top, code_of);
    if (!yaml_load(a, top, &file_schema, &y, d))
        return !d->lack;
    fill(a, c, y, code_of);
    const struct ynode *layout = yaml_get(top, "layout");
    c->layout_line = layout ? layout->line : 0;
    c->layout_column = layout ? layout->col : 0;
    cyaml_free(&yaml_config, &file_schema, y, 0);
    if (a->lacking)
        diag_lack(d, ENOMEM);
    return !d->lack;
}

/* ---- the path, and writing ---- */

const char *config_path(struct arena *a)
{
    const char *xdg = getenv("XDG_CONFIG_HOME"), *home = getenv("HOME");
    if (xdg && *xdg == '/') /* others are invalid, says the standard */
        return arena_printf(a, "%s/gmpscope/config.yaml", xdg);
    return home && *home ? arena_printf(a, "%s/.config/gmpscope/config.yaml", home) : NULL;
}

/* Makes the folders of a path that do not exist yet. */
static int make_folders(const char *path)
{
    char folder[4096];
    if (strlen(path) >= sizeof folder)
        return ENAMETOOLONG;
    for (const char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        snprintf(folder, sizeof folder, "%.*s", (int)(slash - path), path);
        if (mkdir(folder, 0777) < 0 && errno != EEXIST)
            return errno;
    }
    return 0;
}

/* A double-quoted YAML string. */
static void print_string(FILE *f, const char *name, const char *s)
{
    fprintf(f, "%s\"", name);
    for (; *s; s++)
        fprintf(f, *s == '"' || *s == '\\' ? "\\%c" : "%c", *s);
    fputc('"', f);
}

static void print_config(FILE *f, const struct config *c)
{
    fputs("# Preferences of gmpscope, written by :write-config. gmpscope help describes them.\n", f);
    if (c->theme)
        fprintf(f, "theme: %s\n", c->theme);
    if (c->layout)
        print_string(f, "layout: ", c->layout), fputc('\n', f);
    if (c->has_language)
        fprintf(f, "language: %s\n", language_words[c->language].str);
    if (c->tempo.rate > 0) {
        fputs("tempo: ", f);
        tempo_print(c->tempo, f);
        fputc('\n', f);
    }
    for (int i = 0; i < c->nkeys; i++) {
        print_string(f, i ? "  - {press: " : "keys:\n  - {press: ", c->key[i].press);
        print_string(f, ", as: ", c->key[i].as);
        fputs("}\n", f);
    }
}

int config_write(const char *path, const struct config *c)
{
    struct file_new f;
    int err = make_folders(path);
    if (!err)
        err = file_begin(&f, path);
    if (err)
        return err;
    print_config(f.out, c);
    return file_finish(&f);
}
