/* What to write instead of words of Go and of other languages. */
#include "scenario/scenario_internal.h"
#include <stdio.h>
#include <string.h>

struct advice {
    const char *words, *instead;
};

static const struct advice of_operations[] = {
#define GOWORD(words, instead) {words, instead},
#include "scenario/gowords.def"
#undef GOWORD
};

static const struct advice of_files[] = {
    {" func funcs functions program programs procs processes goroutine gs tasks threads ", "write goroutines: [{name: main, do: [...]}]"},
    {" main do steps body code ", "it belongs below goroutines: [{name: main, do: [...]}]"},
    {" chan chans channel ", "write channels: [{name: NAME, buffer: N}]"},
    {" wg wgs wait_groups waitgroup ", "write waitgroups: [NAME]"},
    {" lock locks mutexs sync ", "write mutexes: [NAME] or rwmutexes: [NAME]"},
    {" cond condition conditions ", "write conds: [{name: NAME, mutex: MUTEX}]"},
    {" once ", "write onces: [NAME]"},
    {" context ctx ", "write contexts: [NAME]"},
    {" var vars variables globals ints ", "write shared: [NAME]; other variables need no declaration"},
    {" socket sockets conn connections ", "write conns: [NAME]"},
    {" gomaxprocs generation mode seed runq_size disable ", "it belongs below scheduler: {...}"},
};

static const struct advice of_programs[] = {
    {" steps body code ops operations run ", "write do: [...]"},
    {" args arguments parameters ", "write params: [NAME]"},
};

static const struct advice of_channels[] = {
    {" cap capacity size len length buf buffered ", "write buffer: N"},
};

/* Returns the advice whose words hold the one between from and to, without regard to case; NULL if none does. */
static const char *find(const struct advice *table, size_t n, const char *from, const char *to)
{
    char word[32] = " ";
    size_t len = 1;
    for (; from < to && len + 2 < sizeof word; from++)
        word[len++] = (char)(*from >= 'A' && *from <= 'Z' ? *from - 'A' + 'a' : *from);
    if (from < to || len == 1)
        return NULL;
    memcpy(word + len, " ", 2);
    for (size_t i = 0; i < n; i++)
        if (strstr(table[i].words, word))
            return table[i].instead;
    return NULL;
}

/* Words of Go that differ from this language's verbs only by case and by what is before the dot: wg.Add, mu.Lock, time.Sleep. */
static const char *as_verb(const char *from, const char *to)
{
#define VERB(verb, ...) {" " #verb " ", "write {" #verb ": ...}; gmpscope help scenario explains it"},
    static const struct advice verbs[] = {
#include "scenario/ops.def"
    };
#undef VERB
    return find(verbs, sizeof verbs / sizeof *verbs, from, to);
}

static bool is_list_of_operations(const char *place)
{
    static const char *const lists[] = {"do", "then", "else", "default", "select", "defer"};
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
        if (!strcmp(place, lists[i]))
            return true;
    return false;
}

/* Words with an operator of Go: ch <- 1, n := 0, n++. */
static const char *of_operators(const char *word)
{
    const char *arrow = strstr(word, "<-");
    if (arrow)
        return arrow == word ? "write {recv: CHANNEL, as: VAR}" : "write {send: CHANNEL, value: EXPR}";
    bool counts = strstr(word, "++") || strstr(word, "--") || strstr(word, "+=") || strstr(word, "-=");
    return counts ? "write {set: VAR, to: EXPR}, such as {set: n, to: n + 1}" : strstr(word, ":=") ? "write {set: VAR, to: EXPR}" : NULL;
}

static const char *of_operation(const char *word, const char *last, const char *to)
{
    const size_t n = sizeof of_operations / sizeof *of_operations;
    const char *dot = word + strcspn(word, "."), *instead = of_operators(word);
    if (!instead)
        instead = find(of_operations, n, word, to);
    if (!instead && dot < to)
        instead = find(of_operations, n, word, dot + 1);
    if (!instead)
        instead = find(of_operations, n, last, to);
    return instead ? instead : as_verb(last, to);
}

const char *scenario_advice(const char *place, const char *word)
{
    const char *to = word + strcspn(word, "( "), *from = to;
    while (from > word && from[-1] != '.')
        from--;
    if (is_list_of_operations(place))
        return of_operation(word, from, to);
    if (!strcmp(place, "scenario"))
        return find(of_files, sizeof of_files / sizeof *of_files, from, to);
    if (!strcmp(place, "goroutines"))
        return find(of_programs, sizeof of_programs / sizeof *of_programs, from, to);
    if (!strcmp(place, "channels"))
        return find(of_channels, sizeof of_channels / sizeof *of_channels, from, to);
    return NULL;
}
