/* Reads execution traces of Go, twice, and folds what they say. Whatever the file is, it is refused with a reason, or read up to a place; both times it
 * says the same. */
#include "fuzz.h"

#include "engine/source_go.h"

#include <sys/mman.h>
#include <unistd.h>

static uint64_t fold(struct go_trace *t)
{
    struct run_info info;
    bool lack = false;
    struct ev e;
    uint32_t m;
    uint64_t sum = 0;
    source_go_info(t, "fuzz", &info);
    struct model *md = model_new(
        &(struct model_config){.runq_size = info.runq_size, .generation = info.generation, .names = info.programs, .lacks = info.lacks});
    go_trace_rewind(t);
    while (go_trace_next(t, &m, &e, &lack)) {
        sum = sum * 31 + e.kind + e.g + m + (uint64_t)e.time;
        if (sum && model_offer(md, m, &e, NULL, 0) != OFFER_APPLIED && !model_error(md)[0])
            WRONG("broken without a reason");
    }
    model_free(md);
    return sum;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char wrong[GO_TEXT] = "";
    bool foreign;
    int fd = memfd_create("trace", MFD_CLOEXEC);
    if (fd < 0 || write(fd, data, size) != (ssize_t)size)
        WRONG("no file");
    struct go_trace *t = go_trace_open(fd, wrong, &foreign);
    if (!t && !wrong[0])
        WRONG("refused without a reason");
    if (t && fold(t) != fold(t))
        WRONG("it says something else the second time");
    go_trace_free(t);
    return 0;
}
