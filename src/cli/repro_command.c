/* Prints a run as a command line. Every word is quoted so that a shell reads back the same bytes, whatever a file is called. */
#include "cli/repro_command.h"
#include "base/text.h"
#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Writes s as $'…', which bash, zsh, ksh and POSIX.1-2024 shells read back as the same bytes. */
static void put_escaped(const char *s, FILE *out)
{
    fputs("$'", out);
    for (; *s; s++)
        if (*s == '\'' || *s == '\\')
            fprintf(out, "\\%c", *s);
        else if ((unsigned char)*s < ' ' || (unsigned char)*s >= 0x7f)
            fprintf(out, "\\%03o", (unsigned char)*s); /* three digits, so that a following digit is not read as a fourth */
        else
            fputc(*s, out);
    fputc('\'', out);
}

static bool is_unsafe(const char *s)
{
    bool unsafe = false;
    for (size_t len = strlen(s), n; len; s += n, len -= n) {
        uint32_t cp = utf8_next(s, len, &n);
        unsafe |= cp_unsafe(cp) || (cp == 0xfffd && n == 1);
    }
    return unsafe;
}

/* Writes s as one shell word, quoted only if it has special characters. */
static void put_word(const char *s, FILE *out)
{
    size_t plain = 0;
    while (s[plain] && (isalnum((unsigned char)s[plain]) || strchr("_-./,:=+@%", s[plain])))
        plain++;
    if (plain && !s[plain]) {
        fputs(s, out);
        return;
    }
    if (is_unsafe(s)) {
        put_escaped(s, out);
        return;
    }
    fputc('\'', out);
    for (; *s; s++)
        if (*s == '\'')
            fputs("'\\''", out);
        else
            fputc(*s, out);
    fputc('\'', out);
}

static void put_switches(const char *option, uint32_t switches, FILE *out)
{
    const char *sep = option;
    for (int i = 0; i < DIS_COUNT; i++) {
        if (!(switches >> i & 1))
            continue;
        fprintf(out, "%s%s", sep, rt_disable_name[i]);
        sep = ",";
    }
}

/* Writes the duration in the largest unit that is exact. */
static void put_limit(int64_t ns, FILE *out)
{
    static const struct {
        int64_t ns;
        const char *name;
    } unit[] = {{1000000000, "s"}, {1000000, "ms"}, {1000, "us"}, {1, "ns"}};
    size_t i = 0;
    while (ns % unit[i].ns)
        i++;
    fprintf(out, " --limit %" PRId64 "%s", ns / unit[i].ns, unit[i].name);
}

static void put_run(const struct options *o, const char *scenario, const char *screen, uint64_t seed, FILE *out)
{
    fputs("gmpscope run ", out);
    put_word(scenario, out);
    fputs(screen, out);
    if (o->has_mode)
        fprintf(out, " --mode %s", mode_name[o->mode]);
    fprintf(out, " --seed %" PRIu64, seed);
    if (o->fine)
        fputs(" --fine", out);
    if (o->strict)
        fputs(" --strict", out);
    if (o->procs)
        fprintf(out, " --procs %u", o->procs);
    if (o->has_generation)
        fprintf(out, " --generation %s", generation_name[o->generation]);
    put_switches(" --disable ", o->disable, out);
    put_switches(" --enable ", o->enable, out);
    for (uint32_t i = 0; i < o->nvary; i++)
        fprintf(out, " --vary %s", o->vary[i]);
    if (o->limit >= 0)
        put_limit(o->limit, out);
    if (o->max_events)
        fprintf(out, " --max-events %" PRIu64, o->max_events);
    if (o->audit)
        fputs(" --audit", out);
}

void repro_command(const struct options *o, uint64_t seed, FILE *out)
{
    put_run(o, o->args[0], " --headless", seed, out);
}

void repro_command_share(const struct options *o, const char *path, uint64_t seed, const struct choices *choices, FILE *out)
{
    char *list = choices_text(choices);
    put_run(o, o->nargs ? o->args[0] : path, "", seed, out);
    if (list && *list)
        fprintf(out, " --choices %s", list);
    free(list);
}
