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
    {" var vars variables globals ints ", "write shared: [NAME]; other variables need no declaration"},
    {" socket sockets conn connections ", "write conns: [NAME]"},
    {" gomaxprocs generation mode seed runq_size disable ", "it belongs below scheduler: {...}"},
};

static const struct advice of_programs[] = {
    {" steps body code ops operations run ", "write do: [...]"},
    {" args arguments parameters ", "write params: [NAME]"},
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
#define VERB(key, ...) {" " key " ", "write {" key ": ...}; gmpscope help scenario explains it"},
    static const struct advice verbs[] = {
#include "scenario/ops.def"
    };
#undef VERB
    return find(verbs, sizeof verbs / sizeof *verbs, from, to);
}

static bool is_list_of_operations(const char *place)
{
    static const char *const lists[] = {"do", "then", "else", "default", "select"};
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
        if (!strcmp(place, lists[i]))
            return true;
    return false;
}

const char *scenario_advice(const char *place, const char *word)
{
    const char *to = word + strcspn(word, "( "), *from = to;
    while (from > word && from[-1] != '.')
        from--;
    if (is_list_of_operations(place)) {
        const size_t n = sizeof of_operations / sizeof *of_operations;
        const char *whole = find(of_operations, n, word, to), *instead = whole ? whole : find(of_operations, n, from, to);
        if (strstr(word, "<-") || strstr(word, ":="))
            instead = strstr(word, "<-") == word ? "write {recv: CHANNEL, as: VAR}"
                      : strstr(word, "<-")       ? "write {send: CHANNEL, value: EXPR}"
                                                 : "write {set: VAR, to: EXPR}";
        return instead ? instead : as_verb(from, to);
    }
    if (!strcmp(place, "scenario"))
        return find(of_files, sizeof of_files / sizeof *of_files, from, to);
    if (!strcmp(place, "goroutines"))
        return find(of_programs, sizeof of_programs / sizeof *of_programs, from, to);
    return NULL;
}
