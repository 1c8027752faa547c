/* A source that offers the events of a Go execution trace (trace/go/go_trace.h). */
#ifndef GMPSCOPE_ENGINE_SOURCE_GO_H
#define GMPSCOPE_ENGINE_SOURCE_GO_H

#include "engine/source.h"
#include "trace/go/go_trace.h"

/* What such a trace never says (run_info.lacks). */
#define GO_TRACE_LACKS \
    (LACKS(KNOW_BEFORE) | LACKS(KNOW_P_RUNNEXT) | LACKS(KNOW_P_RUNQ) | LACKS(KNOW_P_LEN) | LACKS(KNOW_P_HEAD) | LACKS(KNOW_P_TAIL) | \
     LACKS(KNOW_P_TICK) | LACKS(KNOW_P_TIMERS) | LACKS(KNOW_M_STATE) | LACKS(KNOW_M_SEARCH) | LACKS(KNOW_G_PLACE) | LACKS(KNOW_GLOBQ) | \
     LACKS(KNOW_GLOBQ_LEN) | LACKS(KNOW_IDLE_P) | LACKS(KNOW_IDLE_P_N) | LACKS(KNOW_IDLE_M) | LACKS(KNOW_SPINNING) | LACKS(KNOW_STEALS) | \
     LACKS(KNOW_OBJECTS) | LACKS(KNOW_OUTPUT))

/* engine_config.from: a struct go_trace, which must outlive the source. One source at a time may read it. */
source_open source_go;
/* Writes what runs: `name` is what the person knows the trace by. It points into both. */
void source_go_info(struct go_trace *t, const char *name, struct run_info *out);

#endif
