/* The scenario file's schema: libcyaml loads with it, and yaml_check finds mistakes with it. */
#include "scenario/schema.h"
#include "runtime/runtime.h"
#include "scenario/scenario.h"

#define OPT CYAML_FLAG_OPTIONAL
#define NAME_MAX_LEN 64
#define STR(key, type, member, flags) CYAML_FIELD_STRING_PTR(key, CYAML_FLAG_POINTER | (flags), type, member, 0, CYAML_UNLIMITED)
#define ID(key, type, member, flags) CYAML_FIELD_STRING_PTR(key, CYAML_FLAG_POINTER | (flags), type, member, 1, NAME_MAX_LEN)
#define LIST(key, type, member, entry) CYAML_FIELD_SEQUENCE(key, CYAML_FLAG_POINTER | OPT, type, member, entry, 0, CYAML_UNLIMITED)
#define WORDS(key, type, member, words) \
    CYAML_FIELD_ENUM_PTR(key, CYAML_FLAG_POINTER | CYAML_FLAG_STRICT | OPT, type, member, words, CYAML_ARRAY_LEN(words))
#define UINT(key, type, member) CYAML_FIELD_UINT_PTR(key, CYAML_FLAG_POINTER | OPT, type, member)
#define BOOL(key, type, member) CYAML_FIELD_BOOL_PTR(key, CYAML_FLAG_POINTER | OPT, type, member)
#define TEXT(key, type, member, flags) CYAML_FIELD_MAPPING_PTR(key, CYAML_FLAG_POINTER | (flags), type, member, text_fields)

#define X(id, name) {name, id},
static const cyaml_strval_t generation_words[] = {RUN_GENERATIONS(X)};
#define FROM(id, name) {name "+", OR_NEWER + id},
static const cyaml_strval_t narrow_words[] = {RUN_GENERATIONS(X) RUN_GENERATIONS(FROM){"any", LESSON_ANY}}; /* any: in lessons only */
#undef FROM
static const cyaml_strval_t mode_words[] = {RUN_MODES(X)};
static const cyaml_strval_t boot_words[] = {RUN_BOOTS(X)};
static const cyaml_strval_t type_words[] = {{"channel", TYPE_CHANNEL}};
static const cyaml_strval_t no_word[] = {{"no", 0}};
#undef X
#define TOPIC(id, word, en, zh) {word, TOPIC_##id},
static const cyaml_strval_t topic_words[] = {
#include "scenario/topics.def"
};
#undef TOPIC
#define PATH(id, word, ...) {word, PATH_##id},
static const cyaml_strval_t path_words[] = {
#include "scenario/paths.def"
};
#undef PATH
static const cyaml_strval_t ends_words[] = {
    {"main_returned", ENDED_MAIN_RETURNED},
    {"deadlock", ENDED_DEADLOCK},
    {"panic", ENDED_PANIC},
    {"fatal", ENDED_FATAL},
    {"limit", ENDED_LIMIT},
    {"exit", ENDED_EXIT}};
static const cyaml_strval_t disable_words[] = {
#define SWITCH(id, name, since) {name, DIS_##id},
    RT_SWITCHES(SWITCH)
#undef SWITCH
        {"any", LESSON_ANY}}; /* any: in lessons only */
/* The names of ui/panes/panes.def, without those that a question needs; a test compares the two. */
static const cyaml_strval_t pane_words[] = {
    {"processors", 0}, {"global_queue", 1},  {"threads", 2},     {"search_order", 3},   {"narration", 4}, {"events", 5},
    {"goroutine", 6},  {"timeline", 7},      {"metrics", 8},     {"timers_netpoll", 9}, {"waiting", 10},  {"program", 11},
    {"output", 12},    {"steal_matrix", 13}, {"population", 14}, {"stage", 15},         {"inspect", 16}};

static const cyaml_schema_field_t text_fields[] = {STR("en", struct ytext, en, 0), STR("zh", struct ytext, zh, OPT), CYAML_FIELD_END};
static const cyaml_schema_value_t string_schema = {CYAML_VALUE_STRING(CYAML_FLAG_POINTER, char, 0, CYAML_UNLIMITED)};
static const cyaml_schema_value_t name_schema = {CYAML_VALUE_STRING(CYAML_FLAG_POINTER, char, 1, NAME_MAX_LEN)};
static const cyaml_schema_value_t disable_schema = {
    CYAML_VALUE_ENUM(CYAML_FLAG_STRICT, int, disable_words, CYAML_ARRAY_LEN(disable_words) - 1)};
static const cyaml_schema_value_t lesson_disable_schema = {
    CYAML_VALUE_ENUM(CYAML_FLAG_STRICT, int, disable_words, CYAML_ARRAY_LEN(disable_words))};
static const cyaml_schema_value_t enable_schema = {
    CYAML_VALUE_ENUM(CYAML_FLAG_STRICT, int, disable_words + DIS_FIRST_RULE, DIS_COUNT - DIS_FIRST_RULE)};
static const cyaml_schema_value_t generation_schema = {
    CYAML_VALUE_ENUM(CYAML_FLAG_STRICT, int, narrow_words, CYAML_ARRAY_LEN(narrow_words) - 1)};
static const cyaml_schema_value_t lesson_generation_schema = {
    CYAML_VALUE_ENUM(CYAML_FLAG_STRICT, int, narrow_words, CYAML_ARRAY_LEN(narrow_words))};
static const cyaml_schema_value_t pane_schema = {CYAML_VALUE_ENUM(CYAML_FLAG_STRICT, int, pane_words, CYAML_ARRAY_LEN(pane_words))};
static const cyaml_schema_value_t path_schema = {CYAML_VALUE_ENUM(CYAML_FLAG_STRICT, int, path_words, CYAML_ARRAY_LEN(path_words))};
static const cyaml_schema_value_t uint_schema = {CYAML_VALUE_UINT(CYAML_FLAG_DEFAULT, uint32_t)};
static const cyaml_schema_value_t procs_schema = {CYAML_VALUE_UINT(CYAML_FLAG_DEFAULT, uint32_t)};

/* An operation's lists hold operations: the schema refers to itself. */
static const cyaml_schema_value_t op_schema;
#define FIELD_EXPR(key, m) STR(key, struct yop, m, OPT)
#define FIELD_DUR(key, m) STR(key, struct yop, m, OPT)
#define FIELD_NAME(key, m) STR(key, struct yop, m, OPT)
#define FIELD_VAR(key, m) STR(key, struct yop, m, OPT)
#define FIELD_TEXT(key, m) STR(key, struct yop, m, OPT)
#define FIELD_FLAG(key, m) BOOL(key, struct yop, m)
#define FIELD_EXPRS(key, m) LIST(key, struct yop, m, &string_schema)
#define FIELD_OPS(key, m) LIST(key, struct yop, m, &op_schema)
static const cyaml_schema_field_t op_fields[] = {
#define KEY(key, member, kind) FIELD_##kind(key, member),
#include "scenario/ops.def"
    CYAML_FIELD_END};
static const cyaml_schema_value_t op_schema = {CYAML_VALUE_MAPPING(CYAML_FLAG_DEFAULT, struct yop, op_fields)};

static const cyaml_schema_field_t without_fields[] = {
    LIST("disable", struct ywithout, disable, &disable_schema), LIST("fails", struct ywithout, fails, &uint_schema), CYAML_FIELD_END};
static const cyaml_schema_value_t without_schema = {CYAML_VALUE_MAPPING(CYAML_FLAG_DEFAULT, struct ywithout, without_fields)};

static const cyaml_schema_field_t scheduler_fields[] = {
    UINT("gomaxprocs", struct yscheduler, gomaxprocs),
    WORDS("generation", struct yscheduler, generation, generation_words),
    UINT("runq_size", struct yscheduler, runq_size),
    WORDS("mode", struct yscheduler, mode, mode_words),
    UINT("seed", struct yscheduler, seed),
    UINT("max_threads", struct yscheduler, max_threads),
    BOOL("async_preempt", struct yscheduler, async_preempt),
    BOOL("randomize", struct yscheduler, randomize),
    STR("preempt_slice", struct yscheduler, preempt_slice, OPT),
    UINT("start_tick", struct yscheduler, start_tick),
    WORDS("boot", struct yscheduler, boot, boot_words),
    WORDS("module", struct yscheduler, module, generation_words),
    LIST("without", struct yscheduler, without, &without_schema),
    LIST("disable", struct yscheduler, disable, &disable_schema),
    LIST("enable", struct yscheduler, enable, &enable_schema),
    CYAML_FIELD_END};

static const cyaml_schema_field_t channel_fields[] = {
    ID("name", struct ychannel, name, 0), UINT("buffer", struct ychannel, buffer), UINT("count", struct ychannel, count),
    WORDS("of", struct ychannel, of, type_words), CYAML_FIELD_END};
static const cyaml_schema_value_t channel_schema = {CYAML_VALUE_MAPPING(CYAML_FLAG_DEFAULT, struct ychannel, channel_fields)};
static const cyaml_schema_field_t named_fields[] = {
    ID("name", struct ynamed, name, 0), UINT("count", struct ynamed, count), CYAML_FIELD_END};
static const cyaml_schema_value_t named_schema = {CYAML_VALUE_MAPPING(CYAML_FLAG_DEFAULT, struct ynamed, named_fields)};
static const cyaml_schema_field_t cond_fields[] = {
    ID("name", struct ycond, name, 0), ID("mutex", struct ycond, mutex, 0), UINT("count", struct ycond, count), CYAML_FIELD_END};
static const cyaml_schema_value_t cond_schema = {CYAML_VALUE_MAPPING(CYAML_FLAG_DEFAULT, struct ycond, cond_fields)};

static const cyaml_schema_field_t param_fields[] = {
    ID("name", struct yparam, name, 0), WORDS("type", struct yparam, type, type_words), CYAML_FIELD_END};
static const cyaml_schema_value_t param_schema = {CYAML_VALUE_MAPPING(CYAML_FLAG_DEFAULT, struct yparam, param_fields)};
static const cyaml_schema_field_t goroutine_fields[] = {
    ID("name", struct ygoroutine, name, 0), LIST("params", struct ygoroutine, params, &param_schema),
    LIST("do", struct ygoroutine, do_, &op_schema), CYAML_FIELD_END};
static const cyaml_schema_value_t goroutine_schema = {CYAML_VALUE_MAPPING(CYAML_FLAG_DEFAULT, struct ygoroutine, goroutine_fields)};

static const cyaml_schema_field_t choice_fields[] = {
    TEXT("text", struct ychoice, text, OPT), STR("value", struct ychoice, value, OPT), STR("is", struct ychoice, is, OPT),
    TEXT("because", struct ychoice, because, OPT), CYAML_FIELD_END};
static const cyaml_schema_value_t choice_schema = {CYAML_VALUE_MAPPING(CYAML_FLAG_DEFAULT, struct ychoice, choice_fields)};
static const cyaml_schema_field_t ask_fields[] = {
    TEXT("question", struct yask, question, 0), LIST("choices", struct yask, choices, &choice_schema),
    STR("can", struct yask, can, OPT),          WORDS("stalls", struct yask, stalls, no_word),
    STR("answer", struct yask, answer, 0),      TEXT("because", struct yask, because, OPT),
    BOOL("scored", struct yask, scored),        CYAML_FIELD_END};
static const cyaml_schema_field_t lesson_fields[] = {
    STR("on", struct ylesson, on, OPT),
    STR("at", struct ylesson, at, OPT),
    LIST("generation", struct ylesson, generation, &lesson_generation_schema),
    LIST("procs", struct ylesson, procs, &procs_schema),
    LIST("disable", struct ylesson, disable, &lesson_disable_schema),
    WORDS("mode", struct ylesson, mode, mode_words),
    TEXT("say", struct ylesson, say, OPT),
    BOOL("pause", struct ylesson, pause),
    LIST("hide", struct ylesson, hide, &pane_schema),
    TEXT("notes", struct ylesson, notes, OPT),
    LIST("facts", struct ylesson, facts, &string_schema),
    LIST("constants", struct ylesson, constants, &string_schema),
    CYAML_FIELD_MAPPING_PTR("ask", CYAML_FLAG_POINTER | OPT, struct ylesson, ask, ask_fields),
    CYAML_FIELD_END};
static const cyaml_schema_value_t lesson_schema = {CYAML_VALUE_MAPPING(CYAML_FLAG_DEFAULT, struct ylesson, lesson_fields)};

static const cyaml_schema_field_t expect_fields[] = {
    LIST("prints", struct yexpect, prints, &string_schema),
    LIST("prints_sorted", struct yexpect, prints_sorted, &string_schema),
    STR("counter", struct yexpect, counter, OPT),
    STR("event", struct yexpect, event, OPT),
    STR("may", struct yexpect, may, OPT),
    STR("must", struct yexpect, must, OPT),
    STR("never", struct yexpect, never, OPT),
    LIST("sequence", struct yexpect, sequence, &string_schema),
    WORDS("ends", struct yexpect, ends, ends_words),
    STR("within", struct yexpect, within, OPT),
    UINT("races", struct yexpect, races),
    UINT("leaks", struct yexpect, leaks),
    UINT("min", struct yexpect, min),
    UINT("max", struct yexpect, max),
    UINT("equals", struct yexpect, equals),
    UINT("times", struct yexpect, times),
    WORDS("mode", struct yexpect, mode, mode_words),
    UINT("seed", struct yexpect, seed),
    WORDS("stalls", struct yexpect, stalls, no_word),
    LIST("generation", struct yexpect, generation, &generation_schema),
    CYAML_FIELD_END};
static const cyaml_schema_value_t expect_schema = {CYAML_VALUE_MAPPING(CYAML_FLAG_DEFAULT, struct yexpect, expect_fields)};

static const cyaml_schema_field_t alias_fields[] = {
    ID("name", struct yalias, name, 0), WORDS("generation", struct yalias, generation, generation_words), CYAML_FIELD_END};
static const cyaml_schema_value_t alias_schema = {CYAML_VALUE_MAPPING(CYAML_FLAG_DEFAULT, struct yalias, alias_fields)};

static const cyaml_schema_field_t vary_fields[] = {
    ID("name", struct yvary, name, 0), LIST("values", struct yvary, values, &string_schema), CYAML_FIELD_END};
static const cyaml_schema_value_t vary_schema = {CYAML_VALUE_MAPPING(CYAML_FLAG_DEFAULT, struct yvary, vary_fields)};

static const cyaml_schema_field_t compare_fields[] = {
    STR("left", struct ycompare, left, OPT), STR("right", struct ycompare, right, OPT), CYAML_FIELD_END};

static const cyaml_schema_field_t scenario_fields[] = {
    ID("name", struct yscenario, name, 0),
    TEXT("title", struct yscenario, title, OPT),
    TEXT("summary", struct yscenario, summary, OPT),
    CYAML_FIELD_MAPPING_PTR("scheduler", CYAML_FLAG_POINTER | OPT, struct yscenario, scheduler, scheduler_fields),
    LIST("vary", struct yscenario, vary, &vary_schema),
    LIST("channels", struct yscenario, channels, &channel_schema),
    LIST("mutexes", struct yscenario, mutexes, &named_schema),
    LIST("rwmutexes", struct yscenario, rwmutexes, &named_schema),
    LIST("waitgroups", struct yscenario, waitgroups, &named_schema),
    LIST("conds", struct yscenario, conds, &cond_schema),
    LIST("onces", struct yscenario, onces, &named_schema),
    LIST("contexts", struct yscenario, contexts, &named_schema),
    LIST("shared", struct yscenario, shared, &name_schema),
    LIST("conns", struct yscenario, conns, &named_schema),
    STR("source", struct yscenario, source, OPT),
    STR("test", struct yscenario, test, OPT),
    LIST("args", struct yscenario, args, &string_schema),
    CYAML_FIELD_SEQUENCE("goroutines", CYAML_FLAG_POINTER, struct yscenario, goroutines, &goroutine_schema, 0, CYAML_UNLIMITED),
    LIST("lesson", struct yscenario, lesson, &lesson_schema),
    LIST("expect", struct yscenario, expect, &expect_schema),
    WORDS("topic", struct yscenario, topic, topic_words),
    UINT("order", struct yscenario, order),
    LIST("path", struct yscenario, path, &path_schema),
    LIST("aliases", struct yscenario, aliases, &alias_schema),
    CYAML_FIELD_MAPPING_PTR("compare", CYAML_FLAG_POINTER | OPT, struct yscenario, compare, compare_fields),
    LIST("constants", struct yscenario, constants, &string_schema),
    TEXT("watch", struct yscenario, watch, OPT),
    ID("next", struct yscenario, next, OPT),
    CYAML_FIELD_END};
const cyaml_schema_value_t scenario_schema = {CYAML_VALUE_MAPPING(CYAML_FLAG_POINTER, struct yscenario, scenario_fields)};
const cyaml_schema_value_t *const scenario_operation_schema = &op_schema;

bool scenario_is_vary(const cyaml_schema_value_t *v)
{
    return v->type == CYAML_MAPPING && v->mapping.fields == vary_fields;
}

bool scenario_is_choice(const cyaml_schema_value_t *v)
{
    return v->mapping.fields == choice_fields;
}

bool scenario_is_procs(const cyaml_schema_value_t *v)
{
    return v == &procs_schema;
}

const char *scenario_pane_word(uint32_t i)
{
    return i < CYAML_ARRAY_LEN(pane_words) ? pane_words[i].str : NULL;
}

bool scenario_is_operation(const cyaml_schema_value_t *v)
{
    return v->mapping.fields == op_fields;
}
