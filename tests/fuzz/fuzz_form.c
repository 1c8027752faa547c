/* Loads a program form and runs it briefly, in lockstep, in free mode or exhaustively as the last byte says. Whatever it says, it is refused with a reason, or
 * the run ends or can be stopped, and no memory but its own is used. */
#include "fuzz.h"

#include "../vm.h"

enum { PROCS = 2, TURNS = 30 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char err[300] = "";
    struct form *f = form_load((const char *)data, size, err, sizeof err);
    if (!f && !*err)
        WRONG("refused without a reason");
    if (!f)
        return 0;
    unsigned choose = size ? data[size - 1] : 0;
    struct rt_config cfg = {
        .gomaxprocs = 1 + choose % PROCS,
        .generation = GO1_26,
        .module = GO1_26,
        .async_preempt = true,
        .seed = choose,
        .mode = choose & 8 ? MODE_FREE : MODE_LOCKSTEP,
        .races = choose & 16,
        .memory = 64 << 20,
        .level = EV_DETAIL};
    form_run(f, cfg, 1 << 20, TURNS);
    form_free(f);
    return 0;
}
