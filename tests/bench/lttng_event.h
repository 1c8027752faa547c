/* One event for LTTng-UST with as much in it as our records have besides their time: three words of 8 bytes. LTTng's
 * macros include this file several times. */
#undef LTTNG_UST_TRACEPOINT_PROVIDER
#define LTTNG_UST_TRACEPOINT_PROVIDER gmpscope_bench
#undef LTTNG_UST_TRACEPOINT_INCLUDE
#define LTTNG_UST_TRACEPOINT_INCLUDE "./lttng_event.h"

#if !defined(GMPSCOPE_BENCH_LTTNG_EVENT_H) || defined(LTTNG_UST_TRACEPOINT_HEADER_MULTI_READ)
#define GMPSCOPE_BENCH_LTTNG_EVENT_H

#include <lttng/tracepoint.h>
#include <stdint.h>

LTTNG_UST_TRACEPOINT_EVENT(gmpscope_bench, append, LTTNG_UST_TP_ARGS(uint64_t, head, uint64_t, ab, uint64_t, cd),
                           LTTNG_UST_TP_FIELDS(lttng_ust_field_integer(uint64_t, head, head) lttng_ust_field_integer(uint64_t, ab, ab)
                                                   lttng_ust_field_integer(uint64_t, cd, cd)))

#endif

#include <lttng/tracepoint-event.h>
