/* Where the fields of Go's runtime lie, by release, and what its wait reasons mean. */
#ifndef GMPSCOPE_ATTACH_LAYOUT_H
#define GMPSCOPE_ATTACH_LAYOUT_H

#include <stdbool.h>
#include <stdint.h>

/* Offsets in bytes; linux/amd64. 0 where a release lacks the field: no field that is read is the first of its struct but those that are always. */
struct go_layout {
    uint8_t minor;
    uint16_t g_m, g_status, g_goid, g_schedlink, g_reason, g_startpc, g_parent;
    uint16_t m_g0, m_procid, m_startfn, m_curg, m_p, m_id, m_spinning, m_blocked, m_next, m_alllink,
        m_lockedg;                   /* m_next: in the list of idle Ms */
    uint16_t p_m, p_head, p_runnext; /* p_head: runqhead; then runqtail, runq */
    uint16_t s_lock, s_midle, s_nmidle, s_mnext, s_maxmcount, s_pidle, s_npidle, s_nmspinning, s_needspinning, s_runq, s_runqsize;
};
enum { /* the same in all releases */
       P_ID = 0,
       P_STATUS = 4,
       P_LINK = 8,
       P_SCHEDTICK = 16,
       P_RING = 256,
       S_LASTPOLL = 8,
       MD_FUNCNAMETAB = 8, /* in runtime.moduledata: slices */
       MD_PCLNTABLE = 104,
       MD_FTAB = 128,
       MD_MINPC = 160,
       MD_MAXPC = 168,
       MD_TEXT = 176,
       MD_BYTES = 192,
       G_BYTES = 320, /* of each struct as much as is read */
       M_BYTES = 448,
       S_BYTES = 320,
};
enum { GO_MINOR_FIRST = 20, GO_MINOR_LAST = 27 };
/* Returns NULL for a release that is not in the table. */
const struct go_layout *go_layout(int minor);
/* Returns enum wait_reason of runtime.waitReason; WAIT_REASON_NONE: it has no name here. */
uint32_t go_reason(int minor, uint8_t reason);

#endif
