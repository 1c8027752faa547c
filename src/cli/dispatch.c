/* Finds the command of a command line. --help, dispatch and "did you mean" all use the table of commands. */
#include "base/diag.h"
#include "cli/commands.h"
#include "cli/door_list.h"
#include "cli/manual.h"
#include "engine/shipped.h"
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const struct {
    int (*run)(int argc, char **argv);
    int (*show)(const struct started_from *from, int argc, char **argv);
} commands[] = {
#define COMMAND(name, usage, what, bit, function) {function, NULL},
#define SCREEN_COMMAND(name, usage, what, bit, function) {NULL, function},
#include "cli/commands.def"
#undef COMMAND
#undef SCREEN_COMMAND
};
enum { COMMANDS = sizeof commands / sizeof *commands };

static int help(void)
{
    puts("gmpscope: watch a Go-style scheduler think\n");
    puts("  gmpscope                                  choose a scenario from a list with pictures, then run it");
    for (size_t i = 0; i < COMMANDS; i++)
        printf("  gmpscope %s%*s %s\n", command_row(i)->usage, 32 - text_width(command_row(i)->usage), "", command_row(i)->what);
    puts("  gmpscope --help, --version, COMMAND --help\n");
    puts("Options of run:");
    options_help(CMD_RUN, stdout);
    return 0;
}

/* Is it a file, or the name of a shipped scenario? */
static bool names_scenario(const char *word)
{
    struct arena a = {0};
    struct stat st;
    bool file = strpbrk(word, "/.") && stat(word, &st) == 0 && S_ISREG(st.st_mode);
    bool named = word[0] != '-' && (file || shipped_is(&a, "scenarios", word));
    arena_fini(&a);
    return named;
}

static int unknown(const char *word)
{
    const char *words[COMMANDS + 2];
    size_t n = 0;
    for (size_t i = 0; i < COMMANDS; i++)
        words[n++] = command_row(i)->name;
    words[n++] = "--help";
    words[n++] = "--version";
    if (names_scenario(word))
        return usage_error("unknown command %s; did you mean gmpscope run %s?", word, word);
    const char *near = diag_nearest(word, words, n);
    const char *kind = word[0] == '-' ? "option" : "command";
    if (near)
        return usage_error("unknown %s %s; did you mean %s?", kind, word, near);
    return usage_error("unknown %s %s; gmpscope --help lists them", kind, word);
}

/* gmpscope without a command: the list of scenarios, on a terminal to choose from. Options go with what is chosen there. */
static int alone(struct door_list **list, int argc, char **argv)
{
    struct options o;
    int code = 2;
    bool good = options_parse(&o, CMD_RUN, argc, argv);
    if (good && o.help)
        code = help();
    else if (good && o.nargs)
        code = usage_error("options come after the command: gmpscope %s … %s", o.args[0], argv[0]);
    else if (good && (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO)))
        code = cmd_list(2, (char *[]){"--lang", (char *)(uintptr_t)lang_name[o.lang], NULL});
    else if (good && (*list = door_list_new(&o)))
        door_list_open(*list), code = 0;
    options_fini(&o);
    return code;
}

/* Is this an option of run, with or without "=VALUE"? */
static bool is_option(const char *arg)
{
    struct option_row row;
    for (size_t i = 0; strncmp(arg, "--", 2) == 0 && options_row(i, &row); i++)
        if (row.commands & CMD_RUN && strlen(row.name) == strcspn(arg + 2, "=") && !strncmp(row.name, arg + 2, strlen(row.name)))
            return true;
    return false;
}

static int carry_out(size_t i, struct door_list **list, int argc, char **argv)
{
    if (commands[i].show)
        return commands[i].show(&(struct started_from){list, NULL}, argc, argv);
    return commands[i].run ? commands[i].run(argc, argv) : usage_error("%s: not built yet", command_row(i)->name);
}

/* help COMMAND is COMMAND --help; anything else is a page of the manual. */
static int help_on(struct door_list **list, int argc, char **argv)
{
    char option[] = "--help", *only[] = {option, NULL};
    if (!strcmp(argv[0], "--help") || !strcmp(argv[0], "-h"))
        return help();
    if (!strcmp(argv[0], "--complete"))
        return complete(argc - 1, argv + 1);
    for (size_t i = 0; argc == 1 && i < COMMANDS; i++)
        if (!strcmp(argv[0], command_row(i)->name))
            return command_row(i)->bit ? carry_out(i, list, 1, only) : help();
    return cmd_help(argc, argv);
}

/* Carries out one command. */
static int one(struct door_list **list, int argc, char **argv)
{
    if (argc == 0)
        return alone(list, 0, NULL);
    if (!strcmp(argv[0], "--help") || !strcmp(argv[0], "-h") || (argc == 1 && !strcmp(argv[0], "help")))
        return help();
    if (!strcmp(argv[0], "help"))
        return help_on(list, argc - 1, argv + 1);
    if (!strcmp(argv[0], "--version"))
        return printf("gmpscope %s (%s)\n", GMPSCOPE_VERSION, GMPSCOPE_BUILD), 0;
    if (is_option(argv[0]))
        return alone(list, argc, argv);
    for (size_t i = 0; i < COMMANDS; i++)
        if (!strcmp(argv[0], command_row(i)->name))
            return carry_out(i, list, argc - 1, argv + 1);
    return unknown(argv[0]);
}

int dispatch(int argc, char **argv)
{
    struct door_list *list = NULL;
    struct next_command next = {.argc = 0};
    int code = one(&list, argc, argv);
    while (list && door_list_next(list, &next, &code))
        code = one(&list, next.argc, next.argv);
    door_list_free(list);
    return code;
}
