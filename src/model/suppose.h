/* What the fold of a partial model supposes (suppose.c). Each function changes only what is not known; if something else is known, the fold
 * finds that the event is broken. */
#ifndef GMPSCOPE_MODEL_SUPPOSE_H
#define GMPSCOPE_MODEL_SUPPOSE_H

#include "model/fold_internal.h"

enum { PARTIAL_MS = 1 << 16 }; /* a larger id of an M means a broken record */
/* Each returns the thing, new and unknown if necessary; NULL: its id is impossible, or memory ran out. An M moves in memory. */
struct model_m *know_m(struct model *md, uint32_t m);
struct model_p *know_p(struct model *md, uint32_t p);
struct model_g *know_g(struct model *md, uint32_t g);
/* Takes a G out of its place: nobody knows where it is now. */
void displace_g(struct model *md, struct model_g *g);
void displace_p(struct model *md, uint32_t p); /* the same of a P and its M */
void state_of_g(const struct fold *f, struct model_g *g, uint32_t status);

void suppose_no_p(struct fold *f);                                             /* the M has no P */
enum offer suppose_p(struct fold *f, uint32_t id);                             /* the M has this P */
enum offer suppose_p_state(struct fold *f, uint32_t id, enum p_status status); /* the P has this state and no M */
struct model_g *g_open(struct fold *f, uint32_t id, uint32_t status); /* returns the G if it may be anywhere in this state, else NULL */
void suppose_curg(struct fold *f, uint32_t status);                   /* the M runs the event's G, or is in a system call with it */
void suppose_hand(struct fold *f, uint32_t id);                       /* the M is moving the G */
void suppose_at(struct fold *f, uint32_t id, enum g_place place, uint32_t where, uint32_t slot); /* the G is in this place of a queue */
enum offer suppose_runnext(struct fold *f, uint32_t id, uint32_t g);
/* The ring of P id has n Gs from index `head` on, the last of which is `last` (0: any). */
enum offer suppose_ring(struct fold *f, uint32_t id, uint32_t head, uint32_t n, uint32_t last);
void suppose_tail(struct fold *f, struct model_p *p, uint32_t tail, uint32_t more); /* `more` Gs will be put there */
void suppose_slots(const struct fold *f, struct model_p *p, uint32_t head, uint32_t tail);
static inline bool p_lacks(const struct model_p *p, enum model_what what)
{
    return (p->lacks & LACKS(what)) != 0;
}

#endif
