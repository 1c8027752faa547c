/* explore --record: the first failing seed as a recording. */
#include "base/wall.h"
#include "cli/commands.h"
#include "cli/search.h"
#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

int record_seed(const struct scenario *sc, const struct options *o, uint64_t seed)
{
    char err[300];
    int status = 0;
    pid_t pid = fork();
    if (pid == 0) {
        struct engine_config c = command_engine(sc, o);
        c.rt.seed = seed;
        c.rt.stalls = exploration_stalls(o->stalls, seed);
        command_headless_limits(&c, o);
        struct engine *e = engine_draw(&c, err, sizeof err) ? engine_new(&c, err, sizeof err) : NULL;
        if (!e || !command_record(e, o, &(struct record_asked){.path = o->record}, err, sizeof err)) {
            visible_line(stderr, "gmpscope: %s", err);
            _exit(2);
        }
        engine_drive(e, &(struct drive){.audit = o->audit});
        _exit(command_record_end(e, 0));
    }
    for (int ms = 0; pid > 0 && waitpid(pid, &status, WNOHANG) == 0; ms += 10) {
        if (ms > STUCK_MS) /* a second signal ends both processes */
            kill(pid, SIGKILL);
        nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
    }
    bool killed = pid > 0 && WIFSIGNALED(status);
    if (pid < 0)
        usage_error("cannot record: %s", strerror(errno));
    if (pid < 0 || (WIFEXITED(status) && WEXITSTATUS(status)))
        return 2;
    if (!killed || recorded_is(o->record))
        visible_line(stderr, "gmpscope: %s has the run of seed %" PRIu64 "%s", o->record, seed,
                     killed ? " up to where its process was killed" : "");
    return 0;
}
