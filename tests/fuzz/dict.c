/* Prints the dictionary of a target, made from the program's own tables: dict scenario|layout|text|keys|run|form|import. */
#include "base/choice.h"
#include "model/model_internal.h"
#include "runtime/runtime.h"
#include "scenario/schema.h"
#include "scenario/vm/form.h"
#include "ui/input/commands.h"
#include "ui/input/keys.h"
#include "ui/panes/pane.h"

#include <stdio.h>
#include <string.h>

static void word(const char *s, const char *behind)
{
    if (s && *s)
        printf("\"%s%s\"\n", s, behind);
}

enum { SCHEMAS_MOST = 256 };
static const cyaml_schema_value_t *seen[SCHEMAS_MOST];
static int nseen;

/* The keys of a file. An operation's schema contains itself. */
static void schema(const cyaml_schema_value_t *v)
{
    for (int i = 0; i < nseen; i++)
        if (seen[i] == v)
            return;
    if (nseen == SCHEMAS_MOST)
        return;
    seen[nseen++] = v;
    if (v->type == CYAML_MAPPING)
        for (const cyaml_schema_field_t *f = v->mapping.fields; f->key; f++) {
            word(f->key, ": ");
            schema(&f->value);
        }
    if (v->type == CYAML_SEQUENCE || v->type == CYAML_SEQUENCE_FIXED)
        schema(v->sequence.entry);
    if (v->type == CYAML_ENUM || v->type == CYAML_FLAGS)
        for (uint32_t i = 0; i < v->enumeration.count; i++)
            word(v->enumeration.strings[i].str, "");
}

static void events(void)
{
    char subject;
    for (int kind = 0; kind < EV_KINDS; kind++) {
        word(ev_desc[kind].name, " ");
        for (int i = 0; i < EV_FIELDS && ev_desc[kind].field[i].name; i++)
            word(ev_desc[kind].field[i].name, "=");
    }
    for (int i = 0; gauge_name(i, &subject); i++) {
        printf("\"%s%s\"\n", subject == 'p' ? "p0." : subject == 'g' ? "g2." : subject == 'm' ? "m1." : "", gauge_name(i, &subject));
        struct gauge g;
        char name[64], err[200];
        int64_t v;
        snprintf(name, sizeof name, "%s%s",
                 subject == 'p'   ? "p0."
                 : subject == 'g' ? "g2."
                 : subject == 'm' ? "m1."
                                  : "",
                 gauge_name(i, &subject));
        if (gauge_parse(name, strlen(name), &g, LANG_EN, err, sizeof err) && gauge_type(&g) == GT_WORD)
            for (int n = 0; gauge_word(&g, n, &v); n++)
                word(gauge_word(&g, n, &v), "");
    }
    for (size_t i = 0; i < COUNTERS_N; i++)
        word(counter_name[i], "");
    word("when ", "");
    word(" and ", "");
    word(" | ", "");
    word(" x3", "");
}

static void scenario(void)
{
    schema(&scenario_schema);
    for (int i = 0; i < GENERATIONS; i++)
        word(generation_name[(enum rt_generation)i], "");
    events();
}

static void layout(void)
{
    static const char *const keys[] = {"name", "title", "theme",  "root",    "split",  "rows", "columns", "pane",
                                       "size", "min",   "weight", "options", "arrows", "runq", "children"};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        word(keys[i], ": ");
    for (int i = 0; i < PANES; i++)
        word(pane_name(i), "");
}

static void text(void)
{
    events();
    for (int i = 0; i < DECIDE_KINDS; i++)
        printf("\"1%c2\"\n", decision_kind_letter[i]);
}

static void typed(void)
{
    for (int i = 0; i < ncommands; i++)
        printf("\":%s \"\n", commands[i].name);
    for (int i = 0; i < nkeys; i++)
        if (keys[i].code < 0x7f && keys[i].code > 0x20 && keys[i].code != '"' && keys[i].code != '\\')
            printf("\"%c\"\n", (int)keys[i].code);
    /* a frame, cursor keys, a click, a new size */
    puts(
        "\"\\x0D\\xFF\"\n\"\\x1BOA\"\n\"\\x1BOB\"\n\"\\x1B[5~\"\n\"\\x1B[<0;20;10M\\x1B[<0;20;10m\"\n\"\\xFE\\x20\\x20\"\n\"\\xFE\\xF0\\xF0\"");
    events();
}

static void run(void)
{
    puts("\"EVTS\"\n\"TAIL\"\n\"DONE\"\n\"evts\"");
}

static void form(void)
{
    for (int i = 0; i < FORM_OPS; i++)
        printf("\"i %s \"\n", form_op_name[i]);
    puts("\" 9223372036854775807 \"\n\" -9223372036854775808 \"\n\" -1 \"\n\" 1152921504606846976 \"\n\" 64 \"");
}

/* A batch of one thread, and words of its tables. */
static void import(void)
{
    puts("\"\\x01\\x01\\x01\\x00\\x10\"\n\"\\x34\"\n\"go 1.22 trace\"\n\"go 1.25 trace\"\n\"\\x05\\x02\\x06main.f\"");
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        void (*print)(void);
    } target[] = {{"scenario", scenario}, {"layout", layout}, {"text", text},    {"keys", typed},
                  {"run", run},           {"form", form},     {"import", import}};
    for (size_t i = 0; argc == 2 && i < sizeof target / sizeof *target; i++)
        if (!strcmp(target[i].name, argv[1]))
            return target[i].print(), 0;
    fputs("dict scenario|layout|text|keys|run|form|import\n", stderr);
    return 2;
}
