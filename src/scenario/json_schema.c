/* The scenario language as a JSON Schema, for editors: made from libcyaml's schema of scenario files and the texts of reference.def. It is
 * wider than lint: an expression is any string or number, and an operation may have the keys of any verb. */
#include "scenario/schema.h"
#include "scenario/scenario.h"
#include <string.h>

static void put_string(FILE *out, const char *s)
{
    fputc('"', out);
    for (; *s; s++)
        if (*s == '\n')
            fputs("\\n", out);
        else
            fprintf(out, *s == '"' || *s == '\\' ? "\\%c" : "%c", *s);
    fputc('"', out);
}

static const struct reference_entry *entry_of(int part, const char *key)
{
    const struct reference_entry *e;
    for (size_t i = 0; (e = scenario_reference(i)); i++)
        if ((int)e->part == part && !strcmp(e->key, key))
            return e;
    return NULL;
}

/* Returns the part of the reference that describes the keys of a map below this key; -1: none does. */
static int part_below(const char *key)
{
    static const struct {
        const char *key;
        enum reference_part part;
    } parts[] = {{"scheduler", REFERENCE_SETTING}, {"expect", REFERENCE_CLAIM}, {"lesson", REFERENCE_LESSON}};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (!strcmp(parts[i].key, key))
            return (int)parts[i].part;
    return -1;
}

static void put_value(FILE *out, const cyaml_schema_value_t *v, int part, int depth);

static void put_map(FILE *out, const cyaml_schema_value_t *v, int part, int depth)
{
    const char *comma = "";
    fputs("{\"type\": \"object\", \"additionalProperties\": false, \"properties\": {", out);
    for (const cyaml_schema_field_t *f = v->mapping.fields; f->key; f++) {
        const struct reference_entry *e = entry_of(part, f->key);
        fprintf(out, "%s\n%*s", f == v->mapping.fields ? "" : ",", 2 * depth, "");
        put_string(out, f->key);
        fputs(": {", out);
        if (e) {
            fputs("\"description\": ", out);
            put_string(out, e->text);
            fputs(", ", out);
        }
        put_value(out, &f->value, part_below(f->key), depth + 1);
        fputc('}', out);
    }
    fputs("}, \"required\": [", out);
    for (const cyaml_schema_field_t *f = v->mapping.fields; f->key; f++) {
        if (f->value.flags & CYAML_FLAG_OPTIONAL)
            continue;
        fputs(comma, out);
        put_string(out, f->key);
        comma = ", ";
    }
    fputs("]}", out);
}

static void put_words(FILE *out, const cyaml_schema_value_t *v)
{
    fputs("\"enum\": [", out);
    for (uint32_t i = 0; i < v->enumeration.count; i++) {
        fputs(i ? ", " : "", out);
        put_string(out, v->enumeration.strings[i].str);
    }
    fputc(']', out);
}

/* Writes the members of a schema object, without its braces. A list may be written as its only item, and a map as
 * its first key's value, where scenario files allow that (tree_normalise). */
static void put_value(FILE *out, const cyaml_schema_value_t *v, int part, int depth)
{
    if (scenario_is_procs(v)) {
        fputs("\"anyOf\": [{\"type\": \"integer\", \"minimum\": 1}, {\"const\": \"any\"}]", out);
    } else if (v->type == CYAML_UINT) {
        fputs("\"type\": \"integer\", \"minimum\": 0", out);
    } else if (v->type == CYAML_BOOL) {
        fputs("\"type\": \"boolean\"", out);
    } else if (v->type == CYAML_ENUM) {
        put_words(out, v);
    } else if (v->type == CYAML_MAPPING && scenario_is_operation(v)) {
        fputs("\"$ref\": \"#/$defs/operation\"", out);
    } else if (v->type == CYAML_MAPPING) {
        fputs("\"anyOf\": [", out);
        if (scenario_short_form(v))
            fputs("{\"type\": [\"string\", \"number\"]}, ", out);
        if (scenario_is_choice(v)) {
            fputc('{', out);
            put_value(out, &v->mapping.fields->value, part, depth);
            fputs("}, ", out);
        }
        put_map(out, v, part, depth);
        fputc(']', out);
    } else if (v->type == CYAML_SEQUENCE && scenario_is_vary(v->sequence.entry)) {
        fputs(
            "\"type\": \"object\", \"additionalProperties\": {\"type\": [\"string\", \"integer\", \"array\"], "
            "\"items\": {\"type\": [\"string\", \"integer\"]}}",
            out);
    } else if (v->type == CYAML_SEQUENCE) {
        fputs("\"anyOf\": [{\"type\": [\"array\", \"null\"], \"items\": {", out);
        put_value(out, v->sequence.entry, part, depth);
        fputs("}}", out);
        if (v->sequence.entry->type != CYAML_MAPPING) {
            fputs(", {", out);
            put_value(out, v->sequence.entry, part, depth);
            fputc('}', out);
        }
        fputc(']', out);
    } else {
        fputs("\"type\": [\"string\", \"number\", \"boolean\"]", out);
    }
}

void scenario_json_schema(FILE *out)
{
    fputs("{\n  \"$schema\": \"https://json-schema.org/draft/2020-12/schema\",\n  \"title\": \"gmpscope scenario\",\n  \"anyOf\": [", out);
    put_map(out, &scenario_schema, REFERENCE_FILE, 2);
    fputs("],\n  \"$defs\": {\n    \"operation\": ", out);
    put_map(out, scenario_operation_schema, REFERENCE_OPERATION, 3);
    fputs("\n  }\n}\n", out);
}
