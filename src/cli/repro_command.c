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

/* Writes the duration in the largest unit that is exact. */
static void put_duration(int64_t ns, FILE *out)
{
    static const struct {
        int64_t ns;
        const char *name;
    } unit[] = {{1000000000, "s"}, {1000000, "ms"}, {1000, "us"}, {1, "ns"}};
    size_t i = 0;
    while (ns % unit[i].ns)
        i++;
    fprintf(out, "%" PRId64 "%s", ns / unit[i].ns, unit[i].name);
}

static void put_switches(const char *option, uint32_t switches, FILE *out)
{
    char sep = '\0';
    if (switches)
        fputs(option, out);
    for (int i = 0; i < DIS_COUNT; i++) {
        if (!(switches >> i & 1))
            continue;
        fprintf(out, "%c%s", sep, rt_disable_name[i]);
        sep = ',';
    }
    if (switches)
        fputc('\0', out);
}

void repro_settings(const struct options *o, uint64_t seed, FILE *out)
{
    if (o->has_mode)
        fprintf(out, "--mode%c%s%c", 0, mode_name[o->mode], 0);
    fprintf(out, "--seed%c%" PRIu64 "%c", 0, seed, 0);
    if (o->fine)
        fprintf(out, "--fine%c", 0);
    if (o->fine && o->way)
        fprintf(out, "--search%c%s%c", 0, way_name[o->way], 0);
    if (o->calm)
        fprintf(out, "--calm%c", 0);
    if (o->still)
        fprintf(out, "--still%c", 0);
    if (o->stalls)
        fprintf(out, "--stalls%c%u%c", 0, o->stalls, 0);
    if (o->strict)
        fprintf(out, "--strict%c", 0);
    if (o->procs)
        fprintf(out, "--procs%c%u%c", 0, o->procs, 0);
    if (o->has_generation)
        fprintf(out, "--generation%c%s%c", 0, generation_name[o->generation], 0);
    if (o->has_boot)
        fprintf(out, "--boot%c%s%c", 0, boot_name[o->boot], 0);
    if (o->has_module)
        fprintf(out, "--module%c%s%c", 0, generation_name[o->module], 0);
    put_switches("--disable", o->disable, out);
    put_switches("--enable", o->enable, out);
    for (uint32_t i = 0; i < o->nvary; i++)
        fprintf(out, "--vary%c%s%c", 0, o->vary[i], 0);
    if (o->limit >= 0) {
        fprintf(out, "--limit%c", 0);
        put_duration(o->limit, out);
        fputc('\0', out);
    }
    if (o->max_events)
        fprintf(out, "--max-events%c%" PRIu64 "%c", 0, o->max_events, 0);
}

void repro_option(const char *option, const char *value, FILE *out)
{
    fprintf(out, " %s ", option);
    put_word(value + strspn(value, " "), out);
}

static void put_run(const struct options *o, const char *scenario, const char *screen, uint64_t seed, FILE *out)
{
    char *words = NULL;
    size_t len = 0;
    FILE *to = open_memstream(&words, &len);
    if (to)
        repro_settings(o, seed, to);
    if (to && fclose(to))
        len = 0;
    fputs("gmpscope run ", out);
    put_word(scenario, out);
    fputs(screen, out);
    for (size_t at = 0; at < len; at += strlen(words + at) + 1) {
        fputc(' ', out);
        put_word(words + at, out);
    }
    free(words);
    if (o->policy_path)
        repro_option("--policy", o->policy_path, out);
    if (o->test)
        repro_option("--test", o->test, out);
    if (o->audit)
        fputs(" --audit", out);
}

static void put_choices(const struct choices *choices, FILE *out)
{
    char *list = choices_text(choices);
    if (list && *list)
        fprintf(out, " --choices %s", list);
    free(list);
}

void repro_command(const struct options *o, uint64_t seed, FILE *out)
{
    put_run(o, o->args[0], " --headless", seed, out);
    put_choices(&o->choices, out);
    repro_end(o, out);
}

void repro_command_share(const struct options *o, const char *path, uint64_t seed, const struct choices *choices, FILE *out)
{
    put_run(o, o->nargs ? o->args[0] : path, "", seed, out);
    put_choices(choices, out);
}

void repro_end(const struct options *o, FILE *out)
{
    for (int i = 0; i < o->nprogram_args; i++) {
        fputs(i ? " " : " -- ", out);
        put_word(o->program_args[i], out);
    }
}
