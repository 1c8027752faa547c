/* Keys: a session with its screen on a pty in this process, real curses included. The first byte chooses scenario and mode. Of the rest,
 * most bytes are typed as they are; 0xfe and two bytes set the size of the terminal; 0xff waits for a frame. ctrl-Z is left out,
 * because it would stop the fuzzer. At the end the terminal is closed, and the run must end with it. */
#include "cli/commands.h"
#include "session/control.h"
#include "engine/shipped.h"
#include "fuzz.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <pty.h>
#include <sys/ioctl.h>

enum { CTRL_Z = 26 };
struct typist {
    const uint8_t *data;
    size_t size;
    int fd;
};

/* Reads what the program paints until it has been quiet for `ms`. Returns false if it has exited. */
static bool listen_to(int fd, int ms)
{
    static char drawn[65536];
    struct pollfd p = {fd, POLLIN, 0};
    while (poll(&p, 1, ms) > 0)
        if (read(fd, drawn, sizeof drawn) <= 0)
            return false;
    return true;
}

/* At most 300 x 100. */
static void resize(int fd, unsigned char columns, unsigned char rows)
{
    struct winsize ws = {.ws_col = (unsigned short)(1 + columns * 300 / 256), .ws_row = (unsigned short)(1 + rows * 100 / 256)};
    ioctl(fd, TIOCSWINSZ, &ws);
    kill(getpid(), SIGWINCH);
}

static void *type(void *arg)
{
    const struct typist *t = arg;
    bool there = listen_to(t->fd, 40);
    for (size_t i = 0; there && i < t->size; i++) {
        unsigned char c = t->data[i];
        if (c == 0xfe && i + 2 < t->size) {
            resize(t->fd, t->data[i + 1], t->data[i + 2]);
            i += 2;
        } else if (c == 0xff) {
            there = listen_to(t->fd, 40);
        } else if (c != CTRL_Z) {
            while (write(t->fd, &c, 1) < 0 && errno == EAGAIN)
                there = listen_to(t->fd, 1);
        }
        there = there && listen_to(t->fd, 0);
    }
    listen_to(t->fd, 40);
    close(t->fd);
    return NULL;
}

static int own_terminal(void)
{
    int master, slave;
    struct winsize ws = {.ws_row = 40, .ws_col = 140};
    if (openpty(&master, &slave, NULL, NULL, &ws) || dup2(slave, STDIN_FILENO) < 0 || dup2(slave, STDOUT_FILENO) < 0)
        WRONG("no terminal: %s", strerror(errno));
    close(slave);
    fcntl(master, F_SETFL, O_NONBLOCK);
    return master;
}

static void play(const struct scenario *sc, const struct options *o, const uint8_t *data, size_t size)
{
    struct arena a = {0};
    char err[200];
    bool ended;
    pthread_t typing;
    struct typist t = {data, size, own_terminal()};
    struct session_config c = command_session(sc, o);
    struct session *s = session_new(&c, err, sizeof err);
    if (!s)
        WRONG("no session: %s", err);
    struct ui_config ui = {
        .session = s,
        .ops = &session_ops,
        .layout_path = shipped_path(&a, "layouts", "classic"),
        .layout_dir = shipped_dir(&a, "layouts"),
        .lang = size & 1 ? LANG_ZH : LANG_EN,
        .color = true,
        .mouse = true};
    pthread_create(&typing, NULL, type, &t);
    ui_run(&ui);
    pthread_join(typing, NULL);
    struct engine *e = session_stop(s, &ended);
    if (engine_failed(e))
        WRONG("%s", e->failure);
    session_free(s);
    arena_fini(&a);
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc, (void)argv;
    setenv("TERM", "xterm-256color", 1);
    stderr = nowhere();
    return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const names[] = {"steal-half", "net-echo", "gc-cycle", "blocking-syscall", "pair", "select-fair"};
    struct options o;
    if (!size)
        return 0;
    bool free_mode = data[0] & 0x80;
    char *argv[] = {(char *)names[data[0] % 6],      "--tempo",      "max",   "--mode",
                    free_mode ? "free" : "lockstep", "--max-events", "20000", "--lesson"};
    if (!options_parse(&o, CMD_RUN, 8, argv))
        WRONG("the options are wrong");
    struct scenario *sc = command_scenario(&o, argv[0]);
    if (sc)
        play(sc, &o, data + 1, size - 1);
    scenario_free(sc);
    options_fini(&o);
    return 0;
}
