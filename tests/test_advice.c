/* Messages that lead from what people know to this language: words of Go, other shapes of a list. */
#include "messages.h"
#include <string.h>

TEST(words_of_go_lead_to_ours)
{
    static const struct {
        const char *text, *want;
    } rows[] = {
        {"{wg.Add: 1}", "9:10: unknown key \"wg.Add\" in an item of do; write {add: ...}; gmpscope help scenario explains it"},
        {"{mu.Lock(): mu}", "9:10: unknown key \"mu.Lock()\" in an item of do; write {lock: ...}; gmpscope help scenario explains it"},
        {"{RUnlock: mu}", "9:10: unknown key \"RUnlock\" in an item of do; write {runlock: ...}; gmpscope help scenario explains it"},
        {"{fmt.Println: hi}", "9:10: unknown key \"fmt.Println\" in an item of do; write {print: \"text {EXPR}\"}"},
        {"{runtime.Gosched: 1}", "9:10: unknown key \"runtime.Gosched\" in an item of do; write {yield: 1}"},
        {"{time.After: 1ms}", "9:10: unknown key \"time.After\" in an item of do; write {timer: CHANNEL, after: 1ms}"},
        {"{jobs <- 1: x}", "9:10: unknown key \"jobs <- 1\" in an item of do; write {send: CHANNEL, value: EXPR}"},
        {"{n++: x}", "9:10: unknown key \"n++\" in an item of do; write {set: VAR, to: EXPR}, such as {set: n, to: n + 1}"},
        {"{once.Do: x}", "9:10: unknown key \"once.Do\" in an item of do; write {once: NAME, do: [...]}; declare it under onces"},
        {"{<-jobs: x}", "9:10: unknown key \"<-jobs\" in an item of do; write {recv: CHANNEL, as: VAR}"},
        {"<-jobs", "9:9: an item of do must be a mapping (key: value), not a word; write {recv: CHANNEL, as: VAR}"},
        {"{loop: 2, do: [{finally: x}]}", "9:25: unknown key \"finally\" in an item of do; write {defer: [...]}"},
        {"{if: 1, then: [{for: 3}]}",
         "9:25: unknown key \"for\" in an item of then; write {loop: 3, do: [...]}, {loop: forever, do: [...]} or {range: "
         "CHANNEL, do: [...]}"},
        {"{select: [{after: 1ms}]}",
         "9:20: \"after\" cannot be a case of \"select\"; a case is a \"send\" or a \"recv\". For a timeout, receive from a "
         "channel that {timer: CHANNEL, after: DURATION} sends on"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char yaml[300], want[300];
        snprintf(yaml, sizeof yaml, "name: t\nchannels: [jobs]\nmutexes: [mu]\ngoroutines:\n  - name: main\n    do:\n\n\n      - %s\n",
                 rows[i].text);
        snprintf(want, sizeof want, "%s\n", rows[i].want);
        MESSAGES(yaml, want);
    }
    MESSAGES("name: t\nchan: [c]\ngoroutines: [{name: main, body: []}]\n",
             "2:1: unknown key \"chan\" in scenario; write channels: [{name: NAME, buffer: N}]\n"
             "3:27: unknown key \"body\" in an item of goroutines; write do: [...]\n");
}

/* Each advice is about a word that the language lacks, and what it says to write is there. */
TEST(each_advice_compiles)
{
    static const char *const advice[] = {
#define GOWORD(words, instead) words, instead,
#include "scenario/gowords.def"
#undef GOWORD
    };
    for (size_t i = 0; i < sizeof advice / sizeof *advice; i += 2) {
        for (const char *s = advice[i + 1]; (s = strchr(s, '{')); s++) {
            char verb[40];
            if (s[1] == '}' || sscanf(s + 1, "%39[a-z_]", verb) != 1 || !strcmp(verb, "name"))
                continue;
            if (!strstr(
#define KEY(key, member, kind) " " key
#include "scenario/ops.def"
                    " ", verb))
                t_fail(__FILE__, __LINE__, "%s: there is no %s", advice[i], verb);
        }
        CHECK(advice[i][0] == ' ' && advice[i][strlen(advice[i]) - 1] == ' ');
    }
}

/* What has the wrong shape hides nothing: what it declares and what it holds is still checked. */
TEST(a_wrong_kind_hides_no_other_mistake)
{
    MESSAGES(
        "name: t\nshared: [{name: fork, count: 5}]\nchannels: {name: q}\ngoroutines:\n  - name: main\n    do: {set: fork, to: frok}\n"
        "  - {name: w, do: [{send: qq}, {set: fork, to: 1}]}\n",
        "2:10: an item of shared must be text, not a mapping; write its name: fork\n"
        "3:11: channels must be a list, not a mapping\n"
        "6:9: do must be a list, not a mapping\n"
        "6:25: unknown variable \"frok\"; did you mean \"fork\"?\n"
        "7:27: unknown channel \"qq\"; the only one is \"q\"\n");
}
