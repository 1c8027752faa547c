/* Writes random scenarios for the comparison with real Go: conformance_gen DIR COUNT [SEED [CLASS…]] writes DIR/CLASS-NNNN.yaml.
 *
 * Each class has a file or a part of one (gen_*.c) and is made so that few outcomes are possible: one P, and no clock except in
 * the classes that are about it. Half of COUNT goes to class mix, which has everything; the other classes share the rest. If
 * classes are named, it writes COUNT scenarios of each.
 */
#include "gen.h"
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

struct gen gen;

unsigned random_below(unsigned n)
{
    return prng_below(&gen.rng, n);
}

unsigned between(unsigned low, unsigned high)
{
    return low + random_below(high - low + 1);
}

bool chance(unsigned percent)
{
    return random_below(100) < percent;
}

void op(const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    vfprintf(gen.body, fmt, ap);
    va_end(ap);
}

/* ---- noise ---- */

void noise(void)
{
    switch (random_below(9)) {
    case 0:
        op("{yield: %u}, ", between(1, 3));
        break;
    case 1:
        op("{go: leaf%u, args: [i * %u + %u]}, ", random_below(gen.leaves), between(1, 9), random_below(9));
        break;
    case 2:
        op("{set: mix, to: (mix * %u + i - %u) %% 1009}, ", between(2, 40), random_below(50));
        break;
    case 3:
        op("{if: mix %% %u < %u || i == %u, then: [{yield: 1}], else: [{print: \"n%u {mix} {i - %u}\"}]}, ", between(2, 5), between(1, 2),
           random_below(5), gen.id, random_below(4));
        break;
    case 4:
        op("{loop: %u, as: t, do: [{set: mix, to: mix + t}, {yield: 1}]}, ", between(1, 3));
        break;
    case 5:
        op("{print: \"n%u.{i}: {mix %% 7 * 2 + 1} {!(mix > 3) && i < 4}\"}, ", gen.id);
        break;
    default: /* mostly nothing */
        break;
    }
}

void begin(const char *name, const char *params)
{
    fprintf(gen.program, "  - name: %s%u\n    params: [%s]\n    do: [", name, gen.id, params);
    gen.body = gen.program;
}

void end(void)
{
    fputs("]\n", gen.program);
    gen.body = gen.main;
}

/* ---- a whole scenario ---- */

static const struct class classes[] = {
    {"mix", write_mix},       {"fail", write_fail},       {"mass", write_mass},   {"storm", write_storm},
    {"select", write_select}, {"wire", write_wire},       {"net", write_net},     {"clock", write_clock},
    {"tie", write_tie},       {"listing", write_listing}, {"timer", write_timer},
};
#define CLASSES (sizeof classes / sizeof *classes)

static FILE *buffer(char **text, size_t *size)
{
    FILE *f = open_memstream(text, size);
    if (!f)
        exit(1);
    return f;
}

static void leaf_programs(void)
{
    gen.leaves = between(1, 3);
    for (gen.id = 0; gen.id < gen.leaves; gen.id++) {
        begin("leaf", "n");
        op("{print: \"leaf%u {n}\"}, ", gen.id);
        if (chance(50))
            op("{yield: 1}, {print: \"leaf%u {n} again\"}, ", gen.id);
        end();
    }
    gen.id = 0;
}

#define PARTS 9
static void write_scenario(FILE *f, size_t class, unsigned number, uint64_t seed)
{
    char *text[PARTS];
    size_t size[PARTS];
    FILE **part[PARTS] = {&gen.chan, &gen.mutex, &gen.rw, &gen.wg, &gen.cond, &gen.shared, &gen.conn, &gen.program, &gen.main};
    static const char *const keys[PARTS - 2] = {"channels", "mutexes", "rwmutexes", "waitgroups", "conds", "shared", "conns"};
    for (int i = 0; i < PARTS; i++)
        *part[i] = buffer(&text[i], &size[i]);
    prng_seed(&gen.rng, seed + (class << 32), number);
    fputs("mix, left, ", gen.shared);
    leaf_programs();
    gen.body = gen.main;
    classes[class].write(number);
    for (int i = 0; i < PARTS; i++)
        fclose(*part[i]);
    fprintf(f, "name: conformance-%s-%04u\nscheduler: {gomaxprocs: 1, preempt_slice: 10s", classes[class].name, number);
    if (chance(15))
        fprintf(f, ", start_tick: %u", random_below(130));
    fputs("}\n", f);
    for (int i = 0; i < PARTS - 2; i++)
        fprintf(f, "%s: [%s]\n", keys[i], text[i]);
    fprintf(f, "goroutines:\n  - name: main\n    do: [%s]\n%s", text[PARTS - 1], text[PARTS - 2]);
    for (int i = 0; i < PARTS; i++)
        free(text[i]);
}

static int write_file(const char *dir, size_t class, unsigned number, uint64_t seed)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s-%04u.yaml", dir, classes[class].name, number);
    FILE *f = fopen(path, "w");
    if (f) {
        write_scenario(f, class, number, seed);
        if (!fclose(f))
            return 0;
    }
    perror(path);
    return 1;
}

static bool wanted(const char *class, int n, char **names)
{
    for (int i = 0; i < n; i++)
        if (!strcmp(names[i], class))
            return true;
    return n == 0;
}

int main(int argc, char **argv)
{
    unsigned count = argc > 2 ? (unsigned)strtoul(argv[2], NULL, 10) : 0;
    uint64_t seed = argc > 3 ? strtoull(argv[3], NULL, 10) : 1;
    int named = argc > 4 ? argc - 4 : 0, known = 0;
    for (size_t c = 0; c < CLASSES; c++)
        known += named && wanted(classes[c].name, named, argv + 4);
    if (!count || known != named) {
        fputs("usage: conformance_gen DIR COUNT [SEED [CLASS...]]; classes:", stderr);
        for (size_t c = 0; c < CLASSES; c++)
            fprintf(stderr, " %s", classes[c].name);
        fputc('\n', stderr);
        return 2;
    }
    for (size_t c = 0; c < CLASSES; c++) {
        unsigned n = named ? count : c == 0 ? (count + 1) / 2 : (count / 2 + CLASSES - 2) / (CLASSES - 1);
        for (unsigned i = 0; i < n && wanted(classes[c].name, named, argv + 4); i++)
            if (write_file(argv[1], c, i, seed))
                return 1;
    }
    return 0;
}
