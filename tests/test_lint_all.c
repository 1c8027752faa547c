/* One pass reports every mistake that can be known: none hides another, and all are shown when all are requested. */
#include "messages.h"
#include <string.h>

TEST(all_messages_are_shown_on_request)
{
    struct diag d;
    char yaml[2000] = "name: t\ngoroutines:\n  - name: main\n    do:\n";
    for (int i = 0; i < 25; i++)
        strcat(yaml, "      - sleep: x\n");
    diag_init(&d, NULL);
    d.max = DIAG_ALL;
    CHECK(scenario_load(t_file("f.yaml", yaml), &d) == NULL);
    CHECK_INT(d.count, 25);
    CHECK_INT(d.kept, 25);
    for (unsigned i = 0; i < 25; i++)
        CHECK_INT(d.item[i].line, 5 + i);
    diag_fini(&d);
}

TEST(an_unknown_key_of_the_file_hides_nothing)
{
    ALL_MESSAGES(
        "name: t\n"
        "colour: red\n"
        "scheduler: {runq_size: 5, gomaxprocs: 0, preempt_slice: 10, generation: go1.30}\n"
        "mutexes: [mu]\n"
        "goroutines:\n"
        "  - name: main\n"
        "    do:\n"
        "      - lock: mo\n"
        "      - yield: x\n",
        "2:1: unknown key \"colour\" in scenario\n"
        "3:24: runq_size: expected a power of two from 2 to 256, got 5\n"
        "3:39: gomaxprocs: expected 1 to 1024, got 0\n"
        "3:57: \"10\" has no unit; did you mean \"10ms\"? ns, us, ms and s are units\n"
        "3:73: unknown word \"go1.30\" in generation; did you mean \"go1.20\"?\n"
        "8:15: unknown mutex \"mo\"; did you mean \"mu\"?\n"
        "9:16: unknown variable \"x\"; nothing in this program sets it\n");
}

TEST(a_mistake_of_type_hides_nothing_elsewhere)
{
    ALL_MESSAGES(
        "name: t\n"
        "scheduler: {gomaxprocs: many}\n"
        "channels: {name: jobs}\n"
        "mutexes: [mu]\n"
        "goroutines:\n"
        "  - name: main\n"
        "    do:\n"
        "      - send: jobs\n" /* may be what the broken list declares */
        "      - unlock: nu\n",
        "2:25: gomaxprocs: \"many\" is not an integer; only decimal digits\n"
        "3:11: channels must be a list, not a mapping\n"
        "9:17: unknown mutex \"nu\"; did you mean \"mu\"?\n");
}

/* A name under a misspelt key may be declared there; names elsewhere are still looked up. */
TEST(a_misspelt_list_makes_its_own_names_doubtful_only)
{
    ALL_MESSAGES(
        "name: t\n"
        "mutxes: [mu]\n"
        "waitgroups: [wg]\n"
        "goroutines: [{name: main, do: [{lock: mu}, {wait: gw}]}]\n",
        "2:1: unknown key \"mutxes\" in scenario; did you mean \"mutexes\"?\n"
        "4:51: unknown waitgroup \"gw\"; did you mean \"wg\"?\n");
}

TEST(a_file_without_a_name_is_looked_through)
{
    ALL_MESSAGES(
        "mutexes: [mu]\n"
        "goroutines: [{name: main, do: [{lock: um}]}]\n",
        "1:1: scenario lacks the key \"name\"\n"
        "2:39: unknown mutex \"um\"; did you mean \"mu\"?\n");
}

TEST(a_place_in_the_lists_is_checked)
{
    ALL_MESSAGES(
        "name: t\n"
        "topic: foo\n"
        "order: first\n"
        "aliases: [old-one, \"a b\"]\n"
        "next: \"x y\"\n"
        "goroutines: [{name: main, do: []}]\n",
        "2:8: unknown word \"foo\" in topic; it can be ten-scenes, one-p, queues, finding-work, leaving-the-p, preemption, outside, sync, together\n"
        "3:8: order: \"first\" is not an integer; only decimal digits\n"
        "4:21: \"a b\" is not a name; did you mean \"a-b\"?\n"
        "5:8: \"x y\" is not a name; did you mean \"x-y\"?\n");
}

TEST(words_that_are_nearly_right)
{
    ALL_MESSAGES(
        "name: t\n"
        "goroutines:\n"
        "  - name: main\n"
        "    do:\n"
        "      - {loop: forevr, do: []}\n"
        "      - {loop: n, do: []}\n"
        "lesson:\n"
        "  - {on: strt, say: hello}\n"
        "  - {on: steal, ask: {question: q, choices: [one, two], answer: x}}\n"
        "  - {on: steal, ask: {question: q, choices: [one, two], answer: twoo}}\n",
        "5:16: unknown variable \"forevr\"; did you mean \"forever\"?\n"
        "6:16: unknown variable \"n\"; nothing in this program sets it\n"
        "8:10: unknown event \"strt\"; did you mean \"start\"?\n"
        "9:65: the answer \"x\" is not one of the choices; copy one of them word for word\n"
        "10:65: the answer \"twoo\" is not one of the choices; did you mean \"two\"?\n");
}

TEST(impossible_operations_are_refused_at_load)
{
    ALL_MESSAGES(
        "name: t\n"
        "goroutines:\n"
        "  - name: main\n"
        "    do:\n"
        "      - yield: -1\n"
        "      - {set: x, to: 1 / 0}\n"
        "      - print: \"{x % 0}\"\n"
        "      - {loop: x / (1 - 1), do: []}\n" /* known only in the run */
        "      - {loop: 0 / 2, do: []}\n"
        "      - {loop: 1 - 2, do: []}\n"
        "      - {go: main, count: -3}\n",
        "5:16: yield: expected 0 or more, got -1\n"
        "6:24: division by zero\n"
        "7:20: division by zero\n"
        "10:16: loop: expected 0 or more, got -1\n"
        "11:27: count: expected 0 or more, got -3\n");
    ALL_MESSAGES(
        "name: t\n"
        "conns: [c]\n"
        "goroutines: [{name: main, do: [{read: c.a, bytes: -1}, {write: c.a, bytes: 0 - 2}]}]\n",
        "3:51: bytes: expected 0 or more, got -1\n"
        "3:76: bytes: expected 0 or more, got -2\n");
}

TEST(a_variable_that_cannot_be_one_hides_nothing)
{
    ALL_MESSAGES(
        "name: t\n"
        "goroutines:\n"
        "  - name: main\n"
        "    do:\n"
        "      - {timer: 1ms, as: t}\n"
        "      - {reset: t, as: r}\n"
        "      - {lock: mu}\n"
        "      - {print: \"{rnd}\"}\n"
        "      - {rand: a b, n: 5}\n"
        "      - {rand: a b, n: 0}\n"
        "  - name: other\n"
        "    params: [x y, i]\n"
        "    do: [{yield: z}]\n",
        "6:17: \"reset\" needs a duration; add \"after: DUR\"\n"
        "7:16: unknown mutex \"mu\"; declare it under \"mutexes\"\n"
        "8:19: unknown variable \"rnd\"; nothing in this program sets it\n"
        "9:16: \"a b\" cannot be a variable; its name is letters, digits and _, not beginning with a digit\n"
        "10:24: n: expected 1 or more, got 0\n"
        "12:14: \"x y\" cannot be a variable; its name is letters, digits and _, not beginning with a digit\n"
        "12:19: \"i\" is already a variable of this program; give the parameter another name\n"
        "13:18: unknown variable \"z\"; nothing in this program sets it\n");
}

TEST(contexts_that_nothing_makes)
{
#define OF(ops) "name: t\ncontexts: [a, b, {name: part, count: 2}]\ngoroutines: [{name: main, do: [" ops "]}]\n"
    ALL_MESSAGES(OF("{cancel: a}, {select: [{recv: b}]}, {context: 'part[0]', parent: a}, {err: 'part[1]', as: x}"),
                 "3:33: nothing makes the context \"a\"; write {context: a} before\n"
                 "3:46: nothing makes the context \"b\"; write {context: b} before\n"
                 "3:69: nothing makes the context \"a\"; write {context: a} before\n");
    ALL_MESSAGES(OF("{recv: 'part[0]'}"), "3:33: nothing makes the context \"part\"; write {context: part[EXPR]} before\n");
    ALL_MESSAGES(OF("{context: a}, {if: 1, then: [{context: a}]}, {context: b, parent: a}, {context: a}"),
                 "3:103: the context \"a\" is made on line 3 already; use another name, or an array with \"count\"\n");
    ALL_MESSAGES(OF("{context: a, parent: a}, {context: 'part[i]', parent: 'part[i]'}"),
                 "3:53: the context \"a\" cannot be its own parent; leave out \"parent\" for a child of the background\n"
                 "3:87: the context \"part[i]\" cannot be its own parent; leave out \"parent\" for a child of the background\n");
#undef OF
}
