/* What each operation means, by lockstep runs of small programs: what they print, and how they end. */
#include "load.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct seen {
    struct model *md;
    struct expect *x;
    char fatal[200];
    uint64_t events;
};

static enum offer offer(void *ctx, uint32_t m, const struct ev *e, const char *text, size_t len)
{
    struct seen *s = ctx;
    enum offer r = model_offer(s->md, m, e, text, len);
    if (r == OFFER_BROKEN)
        t_fail(__FILE__, __LINE__, "the fold is broken: %s", model_error(s->md));
    if (r == OFFER_NOT_YET)
        return r;
    s->events++;
    expect_event(s->x, &(struct merged_event){s->md, s->events, m, e, text, len});
    if (e->kind == EV_FATAL)
        snprintf(s->fatal, sizeof s->fatal, "%.*s", (int)len, text);
    return r;
}

/* Drains until program_end is folded; max_events guards against a program that does not end. */
static void drain(struct seen *s, struct sched *sched, enum log_order order, uint64_t max_events)
{
    const struct log_sink sink = {.ctx = s, .offer = offer};
    while (model_ended(s->md) < 0 && s->events < max_events)
        if (log_drain(rt_log(sched), order, &sink, 4096) == 0)
            nanosleep(&(struct timespec){.tv_nsec = 100000}, NULL);
}

static char *joined(const struct seen *s)
{
    const char *const *line;
    uint32_t n = expect_lines(s->x, &line);
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    for (uint32_t i = 0; i < n; i++)
        fprintf(out, "%s\n", line[i]);
    if (model_ended(s->md) != ENDED_MAIN_RETURNED)
        fprintf(out, "(%s: %s)\n", model_ended(s->md) < 0 ? "no end" : ev_word(FT_END_HOW, model_ended(s->md)), s->fatal);
    fclose(out);
    return text;
}

static struct scenario *load_text(const char *yaml)
{
    return load(t_file("f.yaml", yaml));
}

/* Returns the printed lines of one run, each with a newline. If main did not return, also how the program ended and
 * Go's text. */
static char *run(const struct scenario *sc, enum conductor_mode mode, uint64_t seed, uint64_t max_events)
{
    struct rt_config cfg = scenario_config(sc);
    struct scenario_run *r;
    struct seen s = {0};
    char *text;
    cfg.mode = mode;
    cfg.seed = seed;
    r = scenario_run_new(sc, &cfg);
    s.md = model_new(&(struct model_config){
        .runq_size = cfg.runq_size, .start_tick = cfg.start_tick, .seed = cfg.seed, .names = scenario_info(sc)->programs});
    s.x = expect_new(sc, &cfg, false, LANG_EN);
    CHECK(r && s.md && s.x);
    CHECK_INT(rt_start(scenario_run_sched(r)), 0);
    conductor_run(rt_conductor(scenario_run_sched(r)));
    drain(&s, scenario_run_sched(r), mode == MODE_FREE ? LOG_BY_SEQUENCE : LOG_BY_TIME, max_events);
    text = joined(&s);
    scenario_run_free(r);
    expect_free(s.x);
    model_free(s.md);
    return text;
}

static void check_yaml(const char *yaml, const char *want)
{
    struct scenario *sc = load_text(yaml);
    char *got = run(sc, MODE_LOCKSTEP, 1, 1000000);
    CHECK_STR(got, want);
    free(got);
    scenario_free(sc);
}

/* One P; `ops` are main's operations, one per line, in flow style. */
static void check_main(const char *ops, const char *more, const char *want)
{
    char *yaml;
    CHECK(asprintf(
              &yaml,
              "name: t\nscheduler: {gomaxprocs: 1}\nchannels: [{name: buf, buffer: 3}, un]\nmutexes: [mu]\nonces: [o]\nwaitgroups: [wg]\n"
              "shared: [total]\ngoroutines:\n  - name: main\n    do: [%s]\n%s",
              ops, more) > 0);
    check_yaml(yaml, want);
    free(yaml);
}

TEST(print)
{
    check_main("{print: hello}, {print: \"\"}, {print: \"{goid} {p} {i} {1 + 2 * 3}\"}, {print: \"a{{b}}c } 数\"}", "",
               "hello\n\n1 0 0 7\na{b}c } 数\n");
    check_main("{set: m, to: -9223372036854775807 - 1}, {print: \"{m}{m + 1}\"}", "", "-9223372036854775808-9223372036854775807\n");
}

TEST(a_long_print_is_cut_between_characters)
{
    char ops[3000] = "{set: x, to: 1234567890123}, {print: \"é", want[1100] = "é";
    for (int i = 0; i < 110; i++)
        strcat(ops, "{x}");
    strcat(ops, "\"}");
    for (int i = 0; strlen(want) < EV_TEXT_MAX; i++)
        strncat(want, &"1234567890123"[i % 13], 1);
    strcat(want, "\n");
    check_main(ops, "", want);
}

TEST(expressions_and_variables)
{
    check_main(
        "{print: \"{x}\"}, {set: x, to: 7 / 2 + -7 % 4}, {print: \"{x} {x == 0} {x != 0 && 3 > 2} {!x}\"}, "
        "{set: x, to: x + 1}, {set: y, to: (x + 1) * 2}, {print: \"{x} {y}\"}",
        "", "0\n0 1 0 1\n1 4\n");
}

TEST(loop)
{
    check_main("{loop: 3, as: k, do: [{print: \"{k}\"}]}, {print: \"{k}\"}", "", "0\n1\n2\n2\n");
    check_main("{loop: 0, do: [{print: x}]}, {set: n, to: -5}, {loop: n, do: [{print: x}]}, {loop: 2}, {print: end}", "", "end\n");
    /* overwriting the variable does not change how often the body runs; the number is evaluated once, at the
     * beginning */
    check_main("{set: n, to: 3}, {loop: n, as: i, do: [{print: \"{i}\"}, {set: i, to: 100}, {set: n, to: 0}]}", "", "0\n1\n2\n");
    check_main("{loop: 2, as: a, do: [{loop: 2, as: b, do: [{print: \"{a}{b}\"}]}]}", "", "00\n01\n10\n11\n");
}

TEST(if_then_else)
{
    check_main(
        "{if: 2 > 1, then: [{print: yes}], else: [{print: no}]}, {if: 0, then: [{print: yes}], else: [{print: no}]}, "
        "{if: -1, then: [{print: any}]}, {if: 0}, {if: 1}, {if: 0, else: [{print: e}]}",
        "", "yes\nno\nany\ne\n");
}

TEST(loops_left_early)
{
    check_main(
        "{loop: 5, as: k, do: [{if: k == 1, then: [{continue: true}]}, {if: k == 3, then: [{break: true}]}, {print: \"{k}\"}]}, "
        "{print: end}",
        "", "0\n2\nend\n");
    check_main("{loop: 2, as: a, do: [{loop: forever, do: [{break: true}]}, {print: \"{a}\"}]}", "", "0\n1\n");
    check_main(
        "{send: buf, value: 1}, {send: buf, value: 2}, {loop: forever, do: [{select: [{recv: buf, as: v, do: [{print: \"{v}\"}]}], "
        "default: [{break: true}]}]}, {print: end}",
        "", "1\n2\nend\n");
    check_main(
        "{send: buf, value: 1}, {send: buf, value: 2}, {close: buf}, {range: buf, as: v, do: [{if: v == 1, then: [{continue: true}]}, "
        "{print: \"{v}\"}, {return: true}]}, {print: never}",
        "", "2\n");
}

#define ARRAYS(ops) \
    "name: t\nscheduler: {gomaxprocs: 1}\nchannels: [{name: c, count: 3, buffer: 1}, {name: r, of: channel, buffer: 2}]\n" \
    "mutexes: [{name: mu, count: 2}]\ngoroutines:\n  - name: main\n    do: [" ops \
    "]\n" \
    "  - name: f\n    params: [n, {name: to, type: channel}]\n    do: [{send: to, value: n}]\n"

TEST(arrays_of_objects_and_channels_as_values)
{
    check_yaml(
        ARRAYS(
            "{loop: 3, as: k, do: [{send: 'c[k]', value: k + 1}]}, {recv: 'c[2]', as: v}, {print: '{v}'}, {recv: 'c[k - 2]', as: v}, {print: '{v}'}"),
        "3\n1\n");
    check_yaml(ARRAYS("{go: f, args: [7, 'c[1]']}, {recv: 'c[1]', as: v}, {print: '{v}'}"), "7\n");
    check_yaml(ARRAYS("{send: r, value: 'c[2]'}, {recv: r, as: to}, {send: to, value: 9}, {recv: 'c[2]', as: v}, {print: '{v}'}"), "9\n");
    check_yaml(ARRAYS("{set: to, to: 'c[0]'}, {set: also, to: to}, {send: also, value: 4}, {recv: to, as: v}, {print: '{v}'}, "
                      "{set: to, to: nil}, {select: [{recv: to}], default: [{print: nil}]}, {close: to}"),
               "4\nnil\n(panic: close of nil channel)\n");
    check_yaml(ARRAYS("{set: k, to: 3}, {send: 'c[k]'}"), "(panic: runtime error: index out of range [3] with length 3)\n");
    check_yaml(ARRAYS("{lock: 'mu[0]'}, {lock: 'mu[1]'}, {print: both}, {set: k, to: -1}, {unlock: 'mu[k]'}"),
               "both\n(panic: runtime error: index out of range [-1])\n");
    check_yaml(ARRAYS("{set: no, to: nil}, {recv: no}"), "(deadlock: all goroutines are asleep - deadlock!)\n");
}

TEST(calls_and_deferred_lists)
{
    check_main(
        "{set: v, to: 0}, {call: f, args: [3], as: r}, {print: '{r} {v}'}, {call: f, args: [4]}",
        "  - name: f\n    params: [n]\n    do: [{set: v, to: n * n}, {print: '{v} {i}'}, {if: n == 3, then: [{return: true, value: v}]}]\n",
        "9 0\n9 0\n16 0\n");
    check_main(
        "{defer: [{print: a}]}, {defer: [{print: b}, {return: true}, {print: never}]}, {loop: 2, as: k, do: [{defer: [{print: '{k}'}]}]}",
        "", "1\n1\nb\na\n");
    check_main(
        "{call: f, args: [0], as: r}, {print: '{r}'}, {call: f, args: [2], as: r}, {print: '{r}'}",
        "  - name: f\n    params: [n]\n    do: [{defer: [{recover: true, as: was}, {print: 'was {was}'}]}, {call: g, args: [n], as: q}, "
        "{return: true, value: q}]\n  - name: g\n    params: [n]\n    do: [{return: true, value: 10 / n}]\n",
        "was 1\n0\nwas 0\n5\n");
    check_main("{close: un}, {defer: [{print: last}]}, {send: un}", "", "last\n(panic: send on closed channel)\n");
    check_main("{defer: [{panic: two}]}, {panic: one}", "", "(panic: one\n\tpanic: two)\n");
    check_main("{defer: [{recover: true}, {panic: two}]}, {panic: one}", "", "(panic: one [recovered]\n\tpanic: two)\n");
    check_main("{add: wg}, {go: f}, {wait: wg}, {print: back}",
               "  - name: f\n    do: [{defer: [{done: wg}]}, {defer: [{recover: true}]}, {call: g}, {print: never}]\n"
               "  - name: g\n    do: [{defer: [{panic: no}]}, {exit: true}]\n",
               "back\n");
}

TEST(questions_about_objects_and_atomic_steps)
{
    check_main(
        "{try_lock: mu, as: a}, {try_lock: mu, as: b}, {print: '{a} {b}'}, {send: buf, value: 3}, {len: buf, as: n}, {close: buf}, "
        "{recv: buf, as: v, ok: more}, {print: '{n} {v} {more}'}, {select: [{recv: buf, as: v, ok: more, do: [{print: '{v} {more}'}]}]}",
        "", "1 0\n1 3 1\n0 0\n");
    check_main(
        "{atomic: total, n: 5, as: a}, {atomic: total, to: 9, as: b}, {atomic: total, old: 5, to: 1, as: c}, "
        "{atomic: total, old: 9, to: 2, as: d}, {atomic: total, as: e}, {atomic: total, to: 7}, {print: '{a} {b} {c} {d} {e} {total}'}",
        "", "5 5 0 1 2 7\n");
    check_main("{now: a}, {sleep: 5us}, {now: b}, {print: '{b - a >= 5000}'}", "", "1\n");
}

TEST(once_and_random_numbers)
{
    check_main("{add: wg, n: 3}, {go: f, count: 3}, {wait: wg}",
               "  - name: f\n    do: [{once: o, do: [{print: 'first {i}'}, {yield: 1}]}, {print: '{i}'}, {done: wg}]\n",
               "first 2\n2\n0\n1\n");
    check_main("{call: f}, {call: f}, {once: o, do: [{print: never}]}, {print: end}",
               "  - name: f\n    do: [{defer: [{recover: true, as: r}, {print: '{r}'}]}, {once: o, do: [{panic: p}]}, {print: done}]\n",
               "1\ndone\n0\nend\n");
    check_main("{once: o, do: [{once: o, do: []}]}", "", "(deadlock: all goroutines are asleep - deadlock!)\n");
    check_main("{loop: 50, do: [{rand: x, n: 3}, {if: 'x < 0 || x > 2', then: [{print: '{x}'}]}]}, {rand: y, n: 1}, {print: '{y}'}", "",
               "0\n");
    check_main("{set: n, to: -1}, {rand: x, n: n}", "", "(panic: invalid argument to Int63n)\n");
}

TEST(contexts)
{
#define OF(ops, more) \
    "name: t\nscheduler: {gomaxprocs: 1}\ncontexts: [a, b, c]\nchannels: [d]\ngoroutines:\n  - name: main\n    do: [" ops "]\n" more
    check_yaml(OF("{context: a}, {context: b, parent: a}, {context: c, parent: b, timeout: 5us}, {go: f}, {recv: c}, {err: c, as: x}, "
                  "{err: b, as: y}, {print: '{x} {y}'}, {cancel: a}, {recv: d}, {err: b, as: y}, {print: '{y}'}",
                  "  - name: f\n    do: [{recv: b}, {print: f}, {send: d}]\n"),
               "2 0\nf\n1\n");
    check_yaml(OF("{context: a}, {recv: a}", ""), "(deadlock: all goroutines are asleep - deadlock!)\n");
    check_yaml(OF("{context: b, parent: a}, {context: a}", ""), "(panic: cannot create context from nil parent)\n");
    check_yaml(OF("{cancel: a}, {context: a}", ""), "(panic: runtime error: invalid memory address or nil pointer dereference)\n");
    check_yaml(OF("{context: a, timeout: 0s}, {context: b, parent: a}, {err: b, as: x}, {select: [{recv: b}]}, {print: '{x}'}", ""), "2\n");
#undef OF
}

TEST(exit_ends_a_g_and_forever_with_it)
{
    check_main(
        "{add: wg}, {go: f}, {wait: wg}, {print: back}",
        "  - name: f\n    do: [{loop: forever, as: k, do: [{if: k == 3, then: [{print: \"{k}\"}, {done: wg}, {exit: true}]}]}, {print: never}]\n",
        "3\nback\n");
}

TEST(go_count_and_args)
{
    static const char f[] = "  - name: f\n    params: [a, b]\n    do: [{print: \"{i} {a} {b} {c}\"}, {set: c, to: 5}, {done: wg}]\n";
    /* one P: the last one runs first, from runnext */
    check_main("{add: wg, n: 3}, {set: x, to: 10}, {go: f, count: 3, args: [x, \"x + i\"]}, {set: x, to: 0}, {wait: wg}", f,
               "2 10 10 0\n0 10 10 0\n1 10 10 0\n");
    check_main("{go: f, count: 0, args: [1, 2]}, {set: n, to: -1}, {go: f, count: n, args: [1, 2]}, {print: none}", f, "none\n");
    check_main("{add: wg}, {go: f, args: [1, 2]}, {wait: wg}", f, "0 1 2 0\n");
    /* the creator's i, not the new G's */
    check_main("{add: wg, n: 2}, {set: i, to: 7}, {go: f, count: 2, args: [i, \"1 - 2\"]}, {wait: wg}", f, "1 7 -1 0\n0 7 -1 0\n");
}

TEST(yield_sleep_compute_syscall)
{
    static const char f[] = "  - name: f\n    do: [{print: f}]\n";
    check_main("{go: f}, {print: before}, {yield: 1}, {print: after}", f, "before\nf\nafter\n");
    check_main("{go: f}, {yield: 0}, {set: x, to: -3}, {yield: x}, {print: main}", f, "main\n");
    check_main("{go: f}, {sleep: 1ms}, {print: main}", f, "f\nmain\n");
    check_main("{go: f}, {compute: 1ms}, {compute: 1ms, tight: true}, {compute: 0}, {print: main}", f, "main\n");
    check_main("{go: f}, {syscall: 30ms, blocking: true}, {print: main}", f, "f\nmain\n");
    check_main("{go: f}, {syscall: 30ms}, {print: main}", f, "f\nmain\n");
}

TEST(channels)
{
    static const char f[] = "  - name: f\n    do: [{loop: 3, as: k, do: [{send: un, value: k * k}]}, {send: un}, {close: un}]\n";
    check_main(
        "{send: buf, value: 4}, {send: buf}, {recv: buf, as: x}, {print: \"{x}\"}, {recv: buf, as: x}, {print: \"{x}\"}, "
        "{send: buf, value: 9}, {close: buf}, {recv: buf, as: i}, {print: \"{i}\"}, {recv: buf, as: i}, {print: \"{i}\"}",
        "", "4\n0\n9\n0\n");
    check_main("{go: f}, {range: un, as: v, do: [{print: \"{v}\"}]}, {print: \"end {v}\"}", f, "0\n1\n4\n0\nend 0\n");
    check_main("{close: buf}, {range: buf, as: v, do: [{print: x}]}, {range: buf}, {print: end}", "", "end\n");
    check_main("{recv: un}", "", "(deadlock: all goroutines are asleep - deadlock!)\n");
    check_main("{close: un}, {send: un}", "", "(panic: send on closed channel)\n");
    check_main("{close: un}, {close: un}", "", "(panic: close of closed channel)\n");
}

TEST(select_cases)
{
    check_main(
        "{select: [{recv: buf, as: x}], default: [{print: none}]}, {send: buf, value: 5}, "
        "{select: [{recv: buf, as: x, do: [{print: \"got {x}\"}]}, {recv: un}], default: [{print: none}]}, {print: \"{x}\"}",
        "", "none\ngot 5\n5\n");
    /* a value that is sent, `as` of a case that is not chosen, a body with a select in it */
    check_main(
        "{set: y, to: 8}, {select: [{send: buf, value: \"y + 1\", do: [{select: [{recv: buf, as: z}]}, {print: \"{z}\"}]}, "
        "{recv: un, as: y}]}, {print: \"{y}\"}, {select: [], default: []}, {print: end}",
        "", "9\n8\nend\n");
    check_main("{close: buf}, {set: x, to: 1}, {select: [{recv: un}, {recv: buf, as: x}]}, {print: \"{x}\"}", "", "0\n");
    check_main("{select: []}", "", "(deadlock: all goroutines are asleep - deadlock!)\n");
    check_main("{close: un}, {select: [{recv: buf}, {send: un}]}", "", "(panic: send on closed channel)\n");
}

TEST(mutexes_and_waitgroups)
{
    static const char f[] = "  - name: f\n    do: [{print: wants}, {lock: mu}, {print: has}, {unlock: mu}, {done: wg}]\n";
    check_main("{add: wg}, {lock: mu}, {go: f}, {yield: 1}, {print: main}, {unlock: mu}, {wait: wg}", f, "wants\nmain\nhas\n");
    check_main("{unlock: mu}", "", "(fatal: sync: unlock of unlocked mutex)\n");
    check_main("{done: wg}", "", "(panic: sync: negative WaitGroup counter)\n");
    check_main("{add: wg, n: 2}, {add: wg, n: -2}, {wait: wg}, {print: zero}", "", "zero\n");
}

TEST(rwmutexes_and_conds)
{
    check_yaml(
        "name: t\nscheduler: {gomaxprocs: 1}\nmutexes: [other, mu]\nrwmutexes: [rw]\nconds: [{name: cv, mutex: mu}]\n"
        "goroutines:\n  - {name: w, do: [{lock: mu}, {cond_wait: cv}, {print: woken}, {unlock: mu}]}\n"
        "  - {name: r, do: [{rlock: rw}, {print: reads}, {runlock: rw}, {wlock: rw}, {print: writes}, {wunlock: rw}]}\n"
        "  - {name: main, do: [{rlock: rw}, {go: r}, {yield: 1}, {runlock: rw}, {yield: 1}, {go: w}, {yield: 1}, {lock: mu}, {signal: cv}, "
        "{unlock: mu}, {yield: 1}, {go: w}, {yield: 1}, {broadcast: cv}, {yield: 1}, {print: end}]}\n",
        "reads\nwrites\nwoken\nwoken\nend\n");
    check_yaml("name: t\nrwmutexes: [rw]\ngoroutines: [{name: main, do: [runlock: rw]}]\n", "(fatal: sync: RUnlock of unlocked RWMutex)\n");
    check_yaml("name: t\nmutexes: [mu]\nconds: [{name: cv, mutex: mu}]\ngoroutines: [{name: main, do: [cond_wait: cv]}]\n",
               "(fatal: sync: unlock of unlocked mutex)\n");
}

TEST(timers)
{
    /* a channel without `buffer` that a timer sends on holds one value */
    check_main("{timer: un, after: 1ms}, {sleep: 5ms}, {recv: un, as: t}, {print: \"{t >= 1000000 && t < 1100000}\"}", "", "1\n");
    check_main("{ticker: un, every: 1ms}, {loop: 3, do: [{recv: un, as: t}, {print: \"{t / 1000000}\"}]}", "", "1\n2\n3\n");
    check_main("{add: wg, n: 2}, {after: 2ms, go: f}, {after: 1ms, go: f}, {print: main}, {wait: wg}",
               "  - {name: f, do: [{print: \"{goid} {i}\"}, {done: wg}]}\n", "main\n2 0\n3 0\n");
}

TEST(panics)
{
    check_main("{print: a}, {panic: \"{x} is not filled in\"}, {print: b}", "", "a\n(panic: {x} is not filled in)\n");
}

TEST(division_by_zero)
{
    static const char *const ops[] = {
        "{print: \"{1 / z}\"}",
        "{loop: 5 % z}",
        "{if: 1 / z}",
        "{add: wg, n: 1 / z}",
        "{send: buf, value: 1 / z}",
        "{yield: 1 / z}",
        "{go: f, count: 1 / z, args: [1]}",
        "{go: f, args: [1 / z]}",
        "{set: total, to: 1 / z}"};
    for (size_t i = 0; i < sizeof ops / sizeof *ops; i++) {
        char line[200];
        snprintf(line, sizeof line, "{set: z, to: 0}, %s, {print: never}", ops[i]);
        check_main(line, "  - {name: f, params: [n]}\n", "(panic: runtime error: integer divide by zero)\n");
    }
}

TEST(when_main_returns_the_others_are_silent)
{
    check_main("{go: f}, {print: main}", "  - name: f\n    do: [{loop: forever, do: [{print: f}]}]\n", "main\n");
}

TEST(goexit_of_main_is_no_return)
{
    check_main("{go: f}, {exit: true}", "  - name: f\n    do: [{print: f}]\n",
               "f\n(deadlock: no goroutines (main called runtime.Goexit) - deadlock!)\n");
}

/* Two steps: a write by another G between the read and the write is lost. With one P and no preemption no G can run
 * in between. With two Ps one does for some seed; the sum is never too large. */
TEST(shared_integers_are_a_race)
{
    static const char yaml[] =
        "name: t\nscheduler: {gomaxprocs: %d}\nwaitgroups: [wg]\nshared: [total]\ngoroutines:\n"
        "  - name: main\n    do: [{add: wg, n: 2}, {go: f, count: 2}, {wait: wg}, {print: \"{total}\"}]\n"
        "  - name: f\n    do: [{compute: 10us}, {loop: 20, do: [{set: total, to: total + 1}]}, {done: wg}]\n";
    char text[1000];
    int lost = 0;
    snprintf(text, sizeof text, yaml, 1);
    check_yaml(text, "40\n");
    snprintf(text, sizeof text, yaml, 2);
    struct scenario *sc = load_text(text);
    for (uint64_t seed = 1; seed <= 20; seed++) {
        char *got = run(sc, MODE_LOCKSTEP, seed, 1000000);
        int sum = atoi(got);
        CHECK(sum >= 2 && sum <= 40);
        lost += sum < 40;
        free(got);
    }
    CHECK(lost > 0);
    scenario_free(sc);
}

/* A G's stack is small (runtime/stack/stack.c): the deepest nest that a file can hold must fit, with a print at its
 * bottom. */
TEST(the_deepest_nest_runs)
{
    char yaml[6000] = "name: t\ngoroutines: [{name: main, do: [", *p = yaml + strlen(yaml);
    for (int i = 0; i < 28; i++)
        p += sprintf(p, i % 2 ? "{loop: 1, do: [" : "{if: 1, then: [");
    p += sprintf(p, "{print: \"bottom {goid}\"}, {go: f}, {sleep: 1ms}");
    for (int i = 0; i < 28; i++)
        p += sprintf(p, "]}");
    strcpy(p, "]}, {name: f, do: [{print: f}]}]\n");
    check_yaml(yaml, "bottom 1\nf\n");
}

/* One loaded scenario, many runs: a run leaves nothing in it. */
TEST(a_scenario_is_run_many_times)
{
    struct scenario *sc = load_text(
        "name: t\nshared: [x]\nchannels: [c]\ngoroutines:\n"
        "  - {name: main, do: [{go: f, count: 5}, {loop: 5, do: [{recv: c, as: v}, {set: x, to: x + v}]}, {print: \"{x}\"}]}\n"
        "  - {name: f, do: [{send: c, value: i}]}\n");
    for (long i = 0; i < t_count(20, 1000); i++) {
        char *got = run(sc, i % 4 ? MODE_LOCKSTEP : MODE_FREE, (uint64_t)i, 1000000);
        CHECK_STR(got, "10\n");
        free(got);
    }
    scenario_free(sc);
}

/* Torn down in the middle: everything that programs held is freed (the leak checker decides). */
TEST(a_run_is_cut_off_anywhere)
{
    struct scenario *sc = load_text(
        "name: t\nscheduler: {gomaxprocs: 3}\nchannels: [c]\nmutexes: [mu]\ngoroutines:\n"
        "  - {name: main, do: [{loop: forever, do: [{go: f, count: 3, args: [1, 2]}, {recv: c}, {sleep: 10us}]}]}\n"
        "  - {name: f, params: [a, b], do: [{lock: mu}, {compute: 5us}, {unlock: mu}, {send: c, value: a / b}]}\n");
    for (uint64_t n = 20; n < 400; n += 20) {
        char *got = run(sc, MODE_LOCKSTEP, n, n);
        CHECK_STR(got, "(no end: )\n");
        free(got);
    }
    scenario_free(sc);
}

static void check_shipped(const char *name)
{
    char path[512];
    struct diag d;
    struct scenario *sc;
    snprintf(path, sizeof path, "%s/scenarios/%s.yaml", SOURCE_DIR, name);
    diag_init(&d, NULL);
    sc = scenario_load(path, &d);
    diag_print(&d, stderr);
    CHECK(sc);
    CHECK_STR(scenario_info(sc)->name, name);
    CHECK(scenario_info(sc)->nexpect > 0 && scenario_info(sc)->summary.in[LANG_ZH]);
    scenario_free(sc);
    diag_fini(&d);
}

TEST(shipped_scenarios_load_under_their_own_names)
{
    static const char *const names[] = {"first-spawn", "steal-half", "overflow", "blocking-syscall", "ping-pong", "fairness-61"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        check_shipped(names[i]);
}
