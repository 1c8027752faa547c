/* gmpscope help --complete WORD…: prints what may replace the last word, for the completion scripts of shells. Each line is a candidate,
 * a tab, and a short description. It ignores mistakes, because a shell calls it while the line is unfinished. */
#include "cli/commands.h"
#include "cli/manual.h"
#include "engine/export/export.h"
#include "engine/shipped.h"
#include "model/query/pattern.h"
#include "runtime/runtime.h"
#include <dirent.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct completion {
    struct arena arena;
    char **word; /* without the program's name; the last is the one to complete */
    int n;
    const char *begun; /* what the user has typed of that word */
    const char *kept;  /* the part of the word that every candidate keeps: "stealing," of "stealing,wa" */
    int kept_len;      /* its bytes */
};

static void offer(const struct completion *c, const char *word, const char *what)
{
    if (!strncmp(word, c->begun, strlen(c->begun)))
        printf("%.*s%s\t%s\n", c->kept_len, c->kept, word, what);
}

static void offer_commands(const struct completion *c)
{
    const struct command_row *r;
    for (size_t i = 0; (r = command_row(i)); i++)
        if (r->bit || !strcmp(r->name, "help"))
            offer(c, r->name, r->what);
    offer(c, "--help", "all commands");
    offer(c, "--version", "the version");
}

static void offer_shipped(struct completion *c, const char *kind)
{
    size_t n = 0;
    const char **names = shipped_all(&c->arena, kind, &n);
    for (size_t i = 0; i < n; i++)
        offer(c, names[i], !strcmp(kind, "layouts") ? "layout" : "scenario");
}

/* Moves to the last part of "a,b,c". */
static void after_comma(struct completion *c)
{
    const char *comma = strrchr(c->begun, ',');
    c->kept = c->begun;
    c->kept_len = comma ? (int)(comma + 1 - c->begun) : 0;
    c->begun = c->kept + c->kept_len;
}

static void offer_word(void *ctx, const char *word)
{
    offer(ctx, word, "");
}

static void offer_none(void *ctx, const char *word)
{
    (void)ctx;
    (void)word;
}

/* Offers completions for the last word of a pattern. */
static void offer_pattern(struct completion *c)
{
    const char *all = c->begun;
    size_t at = pattern_complete(all, strlen(all), offer_none, NULL);
    c->kept = all;
    c->kept_len = (int)at;
    c->begun = all + at;
    pattern_complete(all, strlen(all), offer_word, c);
}

/* Offers the words of "lockstep|free". */
static void offer_words(const struct completion *c, const char *value)
{
    char word[40];
    for (size_t n; *value; value += n + (value[n] == '|')) {
        n = strcspn(value, "|");
        snprintf(word, sizeof word, "%.*s", (int)n, value);
        if (word[0] >= 'a' && word[0] <= 'z')
            offer(c, word, "");
    }
}

static void offer_value(struct completion *c, const struct option_row *o)
{
    if (!strcmp(o->name, "generation")) {
        for (int g = 0; g < GENERATIONS; g++)
            offer(c, generation_name[g], "");
    } else if (!strcmp(o->name, "disable") || !strcmp(o->name, "enable")) {
        after_comma(c);
        for (int i = 0; i < DIS_COUNT; i++)
            offer(c, rt_disable_name[i], "");
    } else if (!strcmp(o->name, "layout")) {
        offer_shipped(c, "layouts");
    } else if (!strcmp(o->name, "break") || !strcmp(o->name, "only")) {
        offer_pattern(c);
    } else if (!strcmp(o->name, "format")) {
        offer(c, "go", "a Go program");
        offer(c, "yaml", "a scenario");
        for (size_t i = 0; export_forms[i]; i++)
            offer(c, export_forms[i]->name, export_forms[i]->what.in[LANG_EN]);
    } else {
        offer_words(c, o->value);
    }
}

/* Sets *out to the option whose value the last word is. Returns: false if it is not the value of an option. */
static bool is_value(const struct completion *c, struct option_row *out)
{
    const char *before = c->n > 1 ? c->word[c->n - 2] : "";
    for (size_t i = 0; !strncmp(before, "--", 2) && options_row(i, out); i++)
        if (out->value && !strcmp(out->name, before + 2))
            return true;
    return false;
}

static void offer_options(const struct completion *c, unsigned command)
{
    struct option_row o;
    char word[60];
    for (size_t i = 0; options_row(i, &o); i++) {
        snprintf(word, sizeof word, "--%s", o.name);
        if (o.commands & command)
            offer(c, word, o.help);
    }
}

/* Offers the processes of this user, each with its name. */
static void offer_processes(const struct completion *c)
{
    char path[80], name[40];
    struct stat st;
    DIR *dir = opendir("/proc");
    for (struct dirent *e; dir && (e = readdir(dir));) {
        snprintf(path, sizeof path, "/proc/%.20s/comm", e->d_name);
        FILE *f = e->d_name[0] >= '1' && e->d_name[0] <= '9' && stat(path, &st) == 0 && st.st_uid == geteuid() ? fopen(path, "re") : NULL;
        if (!f)
            continue;
        if (fgets(name, sizeof name, f)) {
            name[strcspn(name, "\n")] = '\0';
            for (char *at = name; *at; at++) /* a stranger's */
                *at = (unsigned char)*at < ' ' || *at == 0x7f ? '?' : *at;
            offer(c, e->d_name, name);
        }
        fclose(f);
    }
    if (dir)
        closedir(dir);
}

static void offer_all(struct completion *c)
{
    struct option_row o;
    const struct command_row *r = NULL;
    for (size_t i = 0; c->n > 1 && (r = command_row(i)) && strcmp(r->name, c->word[0]); i++)
        ;
    if (c->n == 1)
        offer_commands(c);
    else if (!r)
        return;
    else if (!strcmp(r->name, "help"))
        manual_topics(offer_word, c);
    else if (is_value(c, &o))
        offer_value(c, &o);
    else if (c->begun[0] == '-')
        offer_options(c, r->bit);
    else if (r->bit == CMD_CLAIM && c->n == 3)
        offer_words(c, "may:|must:|never:");
    else if (r->bit == CMD_ATTACH)
        offer_processes(c);
    else if (r->bit != CMD_REPLAY && r->bit != CMD_IMPORT && r->bit != CMD_WATCH) { /* their files have any name: the shell offers files */
        offer_shipped(c, "scenarios");
        if (r->bit == CMD_LINT)
            offer_shipped(c, "layouts");
    }
}

int complete(int argc, char **argv)
{
    struct completion c = {.word = argv, .n = argc, .begun = argc ? argv[argc - 1] : "", .kept = ""};
    if (argc)
        offer_all(&c);
    arena_fini(&c.arena);
    return output_finish(0, 0);
}
