/* The completion scripts in their shells: the test types a tab, and the shell's line shows the rest of the word. A
 * shell that is not installed is skipped. */
#include "t.h"
#include "term.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define SCRIPTS SOURCE_DIR "/src/cli/completions/"

/* path[0] is the folder of this build's gmpscope. */
static struct term *start(const char *const *argv)
{
    static char path[1024];
    char *slash;
    snprintf(path, sizeof path, "PATH=%s", GMPSCOPE_BIN);
    if ((slash = strrchr(path, '/')))
        *slash = '\0';
    strncat(path, ":/usr/local/bin:/usr/bin:/bin", sizeof path - strlen(path) - 1);
    const char *env[] = {path, "HOME=/nonexistent", "PS1=ready> ", "HISTFILE=", NULL};
    if (access(argv[0], X_OK))
        t_skip(argv[0]);
    return term_start(24, 100, env, argv);
}

/* Types `keys` and a tab, and waits until the line ends with `whole`. */
static void completes(struct term *t, const char *keys, const char *whole)
{
    term_keys(t, keys);
    term_keys(t, "\t");
    term_wait(t, whole);
    term_keys(t, "\025"); /* ^U: an empty line again */
    term_wait_gone(t, whole);
}

static void completes_all(struct term *t)
{
    completes(t, "gmpscope expl", "gmpscope explore");
    completes(t, "gmpscope run steal-h", "gmpscope run steal-half");
    completes(t, "gmpscope run steal-half --headl", "gmpscope run steal-half --headless");
    completes(t, "gmpscope run steal-half --mode lockst", "--mode lockstep");
    completes(t, "gmpscope check steal-half --disable stealing,needsp", "stealing,needspinning");
    completes(t, "gmpscope run steal-half --layout comp", "--layout compact");
    completes(t, "gmpscope help scen", "gmpscope help scenario");
    completes(t, "gmpscope lint /etc/host", "gmpscope lint /etc/host"); /* a path is the shell's */
    term_free(t);
}

TEST(bash)
{
    struct term *t = start((const char *const[]){"/bin/bash", "--norc", "-i", NULL});
    term_wait(t, "ready>");
    term_keys(t, ". " SCRIPTS "gmpscope.bash; bind 'set bell-style none'; PS1='no''w> '; clear\r");
    term_wait(t, "now>"); /* from then on the shell, not the terminal, echoes keys */
    term_wait_gone(t, "bell-style");
    completes(t, "gmpscope run steal-half --break \"steal thie", "steal thief");
    completes(t, "gmpscope run steal-half --break runq_ov", "--break runq_overflow");
    completes_all(t);
}

TEST(zsh)
{
    struct term *t = start((const char *const[]){"/bin/zsh", "-f", "-i", NULL});
    term_wait(t, "ready>");
    term_keys(t, "fpath=(" SCRIPTS " $fpath); autoload -U compinit; compinit -u -D; unsetopt beep; bindkey -e; PS1='no''w> '; clear\r");
    term_wait(t, "now>");
    term_wait_gone(t, "bindkey");
    completes_all(t);
}

TEST(fish)
{
    struct term *t = start((const char *const[]){"/usr/bin/fish", "--no-config", "--private", "-i", NULL});
    term_keys(t, "source " SCRIPTS "gmpscope.fish; function fish_prompt; echo 'no''w> '; end; clear\r");
    term_wait(t, "now>");
    term_wait_gone(t, "fish_prompt");
    completes_all(t);
}
