/* Why a G, an M or a P is where it is. For a G this is the first of the causes that y lists. */
#include "ui/panes/parts/inspect.h"

#include "ui/panes/parts/life.h"

#include <stdio.h>

static void why_g(const struct view *v, uint32_t id, char *buf, size_t size)
{
    struct causes c = {0};
    causes_of(&c, id, v, NULL);
    snprintf(buf, size, "%s", c.n ? c.v[0].text : "");
}

static void why_runs(const struct view *v, uint32_t m, char *buf, size_t size)
{
    const struct model_m *mm = model_m(v->md, m);
    const struct model_g *g = model_g(v->md, mm->curg);
    char name[EV_G_NAME], p[16], time[32];
    ev_g_name(mm->curg, name);
    since_text(v, g ? g->since : mm->since, time, sizeof time);
    if (g && not_known(v, KNOW_G_SINCE, g->id))
        snprintf(time, sizeof time, "?");
    bool open = mm->p == EV_NONE && not_known(v, KNOW_M_P, m);
    snprintf(p, sizeof p, open ? "P?" : "P%u", mm->p);
    if (mm->p == EV_NONE && !open)
        snprintf(buf, size, tx(v->lang, TX_WHY_RUNS_NO_P), m, name, time);
    else
        snprintf(buf, size, tx(v->lang, TX_WHY_RUNS_ON), m, name, p, time);
}

static void why_m(const struct view *v, uint32_t id, char *buf, size_t size)
{
    const struct model_m *m = model_m(v->md, id);
    char g[EV_G_NAME], time[32];
    ev_g_name(m->curg ? m->curg : m->lockedg, g);
    since_text(v, m->since, time, sizeof time);
    switch (model_m_doing(v->md, id)) {
    case MD_RUN:
        why_runs(v, id, buf, size);
        break;
    case MD_SPIN:
        if (m->p == EV_NONE)
            snprintf(buf, size, tx(v->lang, TX_WHY_SPINS_NO_P), id);
        else
            snprintf(buf, size, tx(v->lang, TX_WHY_SPINS), id, m->p, time);
        break;
    case MD_IDLE:
        snprintf(buf, size, tx(v->lang, v->st.no_p ? TX_WHY_SLEEPS_NO_P : TX_WHY_SLEEPS), id, time);
        break;
    case MD_SYSCALL:
        snprintf(buf, size, tx(v->lang, TX_WHY_IN_SYSCALL), id, g, time);
        break;
    case MD_NETPOLL:
        snprintf(buf, size, tx(v->lang, TX_WHY_POLLS), id, time);
        break;
    case MD_SYSMON:
        snprintf(buf, size, tx(v->lang, TX_WHY_SYSMON), id);
        break;
    case MD_LOCKED:
        snprintf(buf, size, tx(v->lang, TX_WHY_LOCKED), id, g);
        break;
    case MD_TEMPLATE:
        snprintf(buf, size, tx(v->lang, TX_WHY_TEMPLATE), id);
        break;
    case MD_EXITED:
        snprintf(buf, size, tx(v->lang, TX_WHY_EXITED), id);
        break;
    case MD_UNKNOWN:
        snprintf(buf, size, tx(v->lang, TX_WHY_M_UNKNOWN), id);
        break;
    default:
        if (m->p == EV_NONE)
            snprintf(buf, size, tx(v->lang, TX_WHY_SCHEDULES_NO_P), id);
        else
            snprintf(buf, size, tx(v->lang, TX_WHY_M_SCHEDULES), id, m->p);
    }
}

static void why_p(const struct view *v, uint32_t id, char *buf, size_t size)
{
    const struct model_p *p = model_p(v->md, id);
    if (p->status == P_UNKNOWN || not_known(v, KNOW_P_M, id))
        snprintf(buf, size, tx(v->lang, TX_WHY_P_UNKNOWN), id);
    else if (p->status == P_RUNNING && p->m != EV_NONE && !model_p_in_call(v->md, id))
        why_m(v, p->m, buf, size);
    else if (p->status == P_IDLE && not_known(v, KNOW_IDLE_P, 0))
        snprintf(buf, size, tx(v->lang, TX_WHY_P_NO_M), id);
    else if (p->status == P_IDLE && !p_in_hand(v, id))
        snprintf(buf, size, tx(v->lang, TX_WHY_P_ON_IDLE_LIST), id);
    else
        snprintf(buf, size,
                 tx(v->lang, model_p_in_call(v->md, id) ? TX_WHY_P_SYSCALL
                             : p->status == P_GCSTOP    ? TX_WHY_P_STOPPED
                                                        : TX_WHY_P_IDLE),
                 id);
}

void inspect_why(const struct view *v, uint32_t tag, char *buf, size_t size)
{
    uint32_t id = thing_id(tag);
    buf[0] = '\0';
    if (thing_kind(tag) == THING_G && model_g(v->md, id))
        why_g(v, id, buf, size);
    else if (thing_kind(tag) == THING_M && id < model_nm(v->md) && model_m(v->md, id)->started)
        why_m(v, id, buf, size);
    else if (thing_kind(tag) == THING_P && model_p(v->md, id))
        why_p(v, id, buf, size);
}
