/* gmpscope new: writes a commented starter scenario. */
#include "cli/commands.h"
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

/* %s: the name. */
static const char starter[] =
    "# A scenario to start from. `gmpscope help scenario` is the reference of the language, scenarios/README.md the tutorial.\n"
    "#\n"
    "#   gmpscope run %s.yaml                watch it\n"
    "#   gmpscope lesson %s.yaml             play its lesson\n"
    "#   gmpscope lint %s.yaml               list mistakes\n"
    "#   gmpscope check %s.yaml              test its claims, in both modes\n"
    "#   gmpscope check --lessons %s.yaml    test its lesson\n"
    "name: %s\n"
    "title: {en: \"Work for two\", zh: \"两个 P 分活\"}\n"
    "summary:\n"
    "  en: \"main starts four workers and stays busy. P1 takes some of them from P0's queue.\"\n"
    "  zh: \"main 启动四个 worker，自己也一直在忙。P1 从 P0 的队列里拿走一些。\"\n"
    "scheduler:\n"
    "  gomaxprocs: 2\n"
    "  preempt_slice: 10s    # nobody loses its P, however busy the machine is\n"
    "  # With stealing switched off, claim 2 must fail: `check` tries that, and it proves why the claim holds.\n"
    "  without: [{disable: stealing, fails: [2]}]\n"
    "waitgroups: [wg]\n"
    "goroutines:\n"
    "  - name: main          # the program ends when main returns\n"
    "    do:\n"
    "      - {add: wg, n: 4}\n"
    "      - {go: worker, count: 4}    # four Gs, with i = 0 to 3\n"
    "      - compute: 5ms              # main keeps P0, so the workers wait in its queue\n"
    "      - wait: wg\n"
    "  - name: worker\n"
    "    do:\n"
    "      - compute: 1ms\n"
    "      - print: \"worker {i} is done\"\n"
    "      - done: wg\n"
    "\n"
    "# Each entry waits for the next event that matches its pattern (`gmpscope help patterns`). The run stops there.\n"
    "lesson:\n"
    "  - on: go_create fn=worker\n"
    "    say:\n"
    "      en: \"main has started its first worker. Three more follow it into P0's queue.\"\n"
    "      zh: \"main 启动了第一个 worker。另外三个随后也进入 P0 的队列。\"\n"
    "  # A question is asked before its event. The answer is a query (`gmpscope help queries`): this run's log gives its value.\n"
    "  - on: go_create fn=worker\n"
    "    ask:\n"
    "      question:\n"
    "        en: \"P1 has no work of its own, and main is busy on P0. How many workers will run on P1?\"\n"
    "        zh: \"P1 自己没有工作，main 一直占着 P0。有几个 worker 会在 P1 上运行？\"\n"
    "      choices: [\"0\", \"2\", \"3\", \"4\"]\n"
    "      answer: count(g_start p=1)\n"
    "      because:\n"
    "        en: \"The thread of P1 steals again and again, as long as P0 has something in its queue.\"\n"
    "        zh: \"只要 P0 的队列里还有，P1 的线程就会一再去偷。\"\n"
    "  - on: steal\n"
    "    say:\n"
    "      en: \"P1 has work now. The workers need not wait for main.\"\n"
    "      zh: \"现在 P1 有活可干，worker 不必等 main。\"\n"
    "\n"
    "# Claims about every run, for every seed and in both modes, unless one is named.\n"
    "expect:\n"
    "  - ends: main_returned\n"
    "  - {counter: steals, min: 1, mode: lockstep}    # in free mode a busy machine may run the thread of P1 too late\n"
    "  - prints_sorted: [\"worker 0 is done\", \"worker 1 is done\", \"worker 2 is done\", \"worker 3 is done\"]\n"
    "watch: {en: \"The arrow from P0 to P1.\", zh: \"从 P0 到 P1 的箭头。\"}\n"
    "next: steal-half\n";

bool is_new_name(const char *s)
{
    return *s && *s != '-' && !s[strspn(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-")];
}

int write_new(const char *path, const char *text)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    FILE *f = fd < 0 ? NULL : fdopen(fd, "w");
    if (!f)
        return errno;
    int error = fputs(text, f) < 0 ? errno : 0;
    if (fclose(f) != 0 && !error)
        error = errno;
    if (error)
        unlink(path);
    return error;
}

static int new_one(struct options *o)
{
    if (o->nargs != 1)
        return usage_error(o->nargs ? "new takes one NAME" : "new needs a NAME; it writes NAME.yaml");
    const char *name = o->args[0];
    if (!is_new_name(name))
        return usage_error("new: expected a name of letters, digits, _ and -, got \"%s\"", name);
    const char *path = arena_printf(&o->arena, "%s.yaml", name);
    const char *text = arena_printf(&o->arena, starter, name, name, name, name, name, name);
    int error = path && text ? write_new(path, text) : ENOMEM;
    if (error == EEXIST)
        return usage_error("%s exists already; choose another name, or delete it first", path);
    if (error)
        return usage_error("%s.yaml cannot be written: %s", name, strerror(error));
    printf("%s is written. Next: gmpscope lesson %s\n", path, path);
    return output_finish(0, 0);
}

int cmd_new(int argc, char **argv)
{
    struct options o;
    int code = 2;
    if (options_parse(&o, CMD_NEW, argc, argv))
        code = o.help ? command_help("new NAME", "write NAME.yaml, a commented scenario to start from", CMD_NEW) : new_one(&o);
    options_fini(&o);
    return code;
}
