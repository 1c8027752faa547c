/* What the scheduler asks a policy (lab/gmpscope/policy.h), if the run has one. Each function returns an answer that is possible: where the policy has no such
 * function, or answers something else, that is Go's own. */
#ifndef GMPSCOPE_RUNTIME_SCHED_ASK_H
#define GMPSCOPE_RUNTIME_SCHED_ASK_H

#include "lab/gmpscope/policy.h"
#include "runtime/sched/proc.h"

static inline bool has_policy(const struct sched *s)
{
    return __builtin_expect(s->cfg.policy != NULL, 0);
}

/* Before the first M runs. */
void ask_init(struct sched *s);
/* m's thread asks no more. Executed by m. */
void ask_fini(struct m *m);

/* The rest is executed by m, which may hold sched.lock. go: Go's own answer. */
enum policy_place ask_next_place(struct m *m);
enum policy_place ask_put(struct m *m, enum policy_why why, enum policy_place go);
uint32_t ask_steal_amount(struct m *m, uint32_t victim_len);
uint32_t ask_global_batch(struct m *m, uint32_t len, uint32_t go);
bool ask_may_spin(struct m *m, uint32_t spinning, uint32_t busy, bool go);
uint32_t ask_victim(struct m *m, uint32_t look, uint32_t random, uint32_t go);
int64_t ask_slice(struct m *m, const struct p *pp, int64_t now);

#endif
