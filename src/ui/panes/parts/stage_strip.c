/* The strip of the stage shows what is on no P: threads in the kernel with their Gs, threads that sleep, sysmon, and waiting Gs with what they
 * wait for.
 *
 *   ─ not on a P ─────────────────────────────────────────────
 *   M0 in the kernel 1.2 ms G3    G1 waits for a wait group: wg    M1 sysmon    M3 M4 asleep
 *
 * An item is a thread, or all Gs that wait for the same. If there are more than fit, those that the sentence, the lesson or the selection
 * names come first, and the last place says how many are left out. */
#include "ui/panes/parts/stage.h"

#include <stdio.h>
#include <string.h>

enum { ITEMS_MAX = 64, TAGS_MAX = 8, APART = 3, LOOKED_AT = 4096, MORE_W = 4 };

struct item {
    uint32_t tag[TAGS_MAX]; /* the first `lead` of `n` before the text, the others behind it */
    int n, lead, more;      /* more: how many are left out */
    int worth;              /* 0 is the highest */
    bool shown;
    uint64_t key; /* of a group: what its members have in common; 0: none is added */
    enum role role;
    char text[96];
};

struct items {
    const struct stage_names *names;
    struct item v[ITEMS_MAX];
    int n, lost;
};

enum worth { WORTH_NAMED, WORTH_KERNEL, WORTH_HOLDS, WORTH_WAITS, WORTH_SYSMON, WORTH_SLEEPS };

int stage_strip_line(enum big size)
{
    return size == BIG_PLAIN ? 1 : big_height(size);
}

static const char *name_of(uint32_t tag, char buf[EV_G_NAME])
{
    if (thing_kind(tag) == THING_G)
        return ev_g_name(thing_id(tag), buf);
    snprintf(buf, EV_G_NAME, "%c%u", thing_kind(tag) == THING_P ? 'P' : 'M', thing_id(tag));
    return buf;
}

/* Adds a tag to an item. One that is named takes the last place if there is no room. */
static void add_tag(const struct items *all, struct item *it, uint32_t tag)
{
    bool named = stage_named(all->names, tag);
    it->worth = named ? WORTH_NAMED : it->worth;
    if (it->n < TAGS_MAX) {
        it->tag[it->n++] = tag;
        return;
    }
    if (named)
        it->tag[TAGS_MAX - 1] = tag;
    it->more++;
}

static struct item *add_item(struct items *all, uint64_t key, enum worth worth, enum role role)
{
    for (int i = 0; key && i < all->n; i++)
        if (all->v[i].key == key)
            return &all->v[i];
    if (all->n == ITEMS_MAX) {
        all->lost++;
        return NULL;
    }
    struct item *it = &all->v[all->n++];
    *it = (struct item){.worth = (int)worth, .key = key, .role = role};
    return it;
}

/* ---- threads ---- */

static void since_text(const struct view *v, int64_t since, char *buf, size_t size)
{
    int64_t now = v->st.time > model_time(v->md) ? v->st.time : model_time(v->md);
    duration_text(now > since ? now - since : 0, buf, size);
}

static void add_one_m(const struct view *v, struct items *all, uint32_t m, enum m_doing doing)
{
    static const struct {
        enum text_id text;
        enum role role;
        enum worth worth;
    } of[] = {
        [MD_SYSCALL] = {TX_STAGE_KERNEL, ROLE_syscall, WORTH_KERNEL},
        [MD_NETPOLL] = {TX_M_NETPOLL, ROLE_netpoll, WORTH_KERNEL},
        [MD_SPIN] = {TX_P_SPINNING, ROLE_spinning, WORTH_HOLDS},
        [MD_SCHED] = {TX_STAGE_NO_P, ROLE_sentence_now, WORTH_HOLDS},
        [MD_RUN] = {TX_STAGE_NO_P, ROLE_sentence_now, WORTH_HOLDS},
        [MD_SYSMON] = {TX_STAGE_SYSMON, ROLE_dim, WORTH_SYSMON},
        [MD_LOCKED] = {TX_M_LOCKED, ROLE_idle, WORTH_HOLDS},
        [MD_TEMPLATE] = {TX_STAGE_TEMPLATE, ROLE_dim, WORTH_SLEEPS},
        [MD_IDLE] = {TX_M_IDLE_NO_P, ROLE_idle, WORTH_SLEEPS},
        [MD_EXITED] = {TX_M_EXITED, ROLE_dim, WORTH_SLEEPS},
        [MD_NONE] = {TX_NONE, ROLE_dim, WORTH_SLEEPS},
        [MD_UNKNOWN] = {TX_UNKNOWN, ROLE_dim, WORTH_HOLDS},
    };
    const struct model_m *mm = model_m(v->md, m);
    char dur[32];
    /* The threads that sleep stand together. */
    struct item *it = add_item(all, doing == MD_IDLE ? 1 : 0, of[doing].worth, of[doing].role);
    if (!it)
        return;
    add_tag(all, it, tag_of('M', m));
    it->lead = it->n;
    const struct model_g *mg = mm->curg ? model_g(v->md, mm->curg) : NULL;
    since_text(v, mg ? mg->since : mm->since, dur, sizeof dur);
    if (mg && not_known(v, KNOW_G_SINCE, mg->id))
        snprintf(dur, sizeof dur, "?");
    if (of[doing].text == TX_STAGE_KERNEL)
        snprintf(it->text, sizeof it->text, tx(v->lang, TX_STAGE_KERNEL), dur);
    else if (of[doing].text != TX_NONE)
        snprintf(it->text, sizeof it->text, "%s", tx(v->lang, of[doing].text));
    if (mm->curg)
        add_tag(all, it, tag_of('G', mm->curg));
    else if (doing == MD_LOCKED)
        add_tag(all, it, tag_of('G', mm->lockedg));
    for (uint32_t i = 0; i < mm->transit_n; i++)
        if (mm->transit[i])
            add_tag(all, it, tag_of('G', mm->transit[i]));
}

/* Adds the Gs that a thread with a row moves, except the one that is drawn in its hand. */
static void add_batch(const struct view *v, struct items *all, uint32_t m)
{
    const struct model_m *mm = model_m(v->md, m);
    uint32_t first = mm->curg ? 0 : 1;
    struct item *it = mm->transit_n > first ? add_item(all, 0, WORTH_HOLDS, ROLE_arrow) : NULL;
    if (!it)
        return;
    add_tag(all, it, tag_of('M', m));
    it->lead = it->n;
    snprintf(it->text, sizeof it->text, "%s", tx(v->lang, TX_M_HOLDS));
    for (uint32_t i = first; i < mm->transit_n; i++)
        if (mm->transit[i])
            add_tag(all, it, tag_of('G', mm->transit[i]));
}

static void add_ms(const struct view *v, struct items *all, const struct stage_strip *s)
{
    for (uint32_t m = 0; m < model_nm(v->md); m++) {
        const struct model_m *mm = model_m(v->md, m);
        enum m_doing doing = model_m_doing(v->md, m);
        bool has_row = mm->p != EV_NONE || (v->st.no_p && doing == MD_RUN);
        if (!mm->started || (mm->exited && m != 0))
            continue;
        if (!has_row)
            add_one_m(v, all, m, doing);
        else if (s->batches && m != s->in_arrow)
            add_batch(v, all, m);
    }
}

/* ---- Gs that cannot run ---- */

/* Gs that wait for the same, or that may not run at all, stand together. */
static void add_g(const struct view *v, struct items *all, const struct model_g *g)
{
    char object[OBJECT_NAME];
    bool disabled = g->place == PLACE_DISABLED;
    uint64_t key = disabled ? UINT64_MAX : UINT64_C(1) << 63 | (uint64_t)g->reason << 32 | g->obj;
    struct ev_object o = ev_waits_for(g->reason, g->obj);
    struct item *it = add_item(all, key, WORTH_WAITS, ROLE_dim);
    if (!it)
        return;
    add_tag(all, it, tag_of('G', g->id));
    it->lead = it->n;
    if (disabled) {
        snprintf(it->text, sizeof it->text, "%s", tx(v->lang, TX_STAGE_DISABLED));
        return;
    }
    if (not_known(v, KNOW_G_REASON, g->id))
        snprintf(it->text, sizeof it->text, tx(v->lang, TX_STAGE_WAITS), "?");
    else if (o.kind == OBJ_NONE)
        snprintf(it->text, sizeof it->text, tx(v->lang, TX_STAGE_WAITS), ev_say(FT_REASON, g->reason, v->lang));
    else
        snprintf(it->text, sizeof it->text, tx(v->lang, TX_STAGE_WAITS_FOR), object_kind_text(o.kind, v->lang),
                 model_object_name(v->md, o, object));
}

static bool cannot_run(const struct model_g *g)
{
    return g->status == G_WAITING || g->place == PLACE_DISABLED;
}

/* Those that are named come first: of a million, not all are looked at. */
static void add_gs(const struct view *v, struct items *all)
{
    uint32_t g = 0, left = model_count_g(v->md, G_WAITING) + model_count_g(v->md, G_RUNNABLE);
    for (int i = 0; i < all->names->n; i++) {
        uint32_t tag = all->names->tag[i];
        const struct model_g *mg = thing_kind(tag) == THING_G ? model_g(v->md, thing_id(tag)) : NULL;
        if (mg && cannot_run(mg))
            add_g(v, all, mg);
    }
    for (int looked = 0; left && looked < LOOKED_AT && (g = model_next_live(v->md, g)); looked++) {
        const struct model_g *mg = model_g(v->md, g);
        left -= mg->status == G_WAITING || mg->status == G_RUNNABLE;
        if (cannot_run(mg) && mg->id < EV_SYSTEM_G && !stage_named(all->names, tag_of('G', g)))
            add_g(v, all, mg);
    }
}

/* ---- drawing ---- */

void stage_blank(struct canvas *c, struct rect in, struct rect b, enum role role)
{
    for (int y = b.y; y < b.y + b.h; y++)
        canvas_hline(c, in, b.x, y, b.w, role, ' ');
}

int stage_name(struct canvas *c, struct rect in, int x, int y, enum big size, uint32_t tag)
{
    char name[EV_G_NAME];
    enum role role = thing_kind(tag) == THING_G ? g_role(thing_id(tag)) : ROLE_title;
    name_of(tag, name);
    int w = big_width(size, name);
    if (!c)
        return w;
    c->tag = tag;
    stage_blank(c, in, (struct rect){x, y, w, stage_strip_line(size)}, role);
    big_text(c, in, x, y, size, role, name);
    c->tag = 0;
    return w;
}

/* The sizes of names: of the items whose worth is below `few`, and of the others. */
struct sizes {
    enum big size;
    int few;
};

/* Draws an item, or only returns its columns if c is NULL. */
static int draw_item(struct canvas *c, struct rect in, int x, int y, const struct sizes *s, const struct item *it)
{
    enum big size = it->worth < s->few ? s->size : BIG_PLAIN;
    int from = x, gap = size == BIG_PLAIN ? 1 : 2, mid = y + stage_strip_line(s->few ? s->size : BIG_PLAIN) / 2;
    for (int i = 0; i <= it->n; i++) {
        if (i == it->lead && c)
            canvas_text(c, in, x, mid, it->role, it->text);
        x += i == it->lead ? text_width(it->text) + gap : 0;
        if (i < it->n)
            x += stage_name(c, in, x, size == BIG_PLAIN ? mid : y, size, it->tag[i]) + gap;
    }
    if (it->more) {
        char more[16];
        snprintf(more, sizeof more, "+%d", it->more);
        if (c)
            canvas_text(c, in, x, mid, ROLE_heading, more);
        x += text_width(more) + gap;
    }
    return x - from - gap;
}

/* Places the shown items line by line, and draws them if c is not NULL. Returns false if one does not fit. */
static bool flow(struct canvas *c, struct rect r, const struct sizes *s, const struct items *all)
{
    int h = stage_strip_line(s->few ? s->size : BIG_PLAIN), step = h == 1 ? 1 : h + 1, apart = h == 1 ? 3 : 6;
    int x = r.x + 2, y = r.y, end = r.x + r.w - 2 - MORE_W;
    for (int i = 0; i < all->n; i++) {
        const struct item *it = &all->v[i];
        int w = draw_item(NULL, r, 0, 0, s, it);
        if (!it->shown)
            continue;
        bool wraps = x + w > end && x > r.x + 2;
        x = wraps ? r.x + 2 : x;
        y += wraps ? step : 0;
        if (y + h > r.y + r.h || x + w > end)
            return false;
        if (c)
            draw_item(c, r, x, y, s, it);
        x += w + apart;
    }
    return true;
}

/* Shows as many items as fit, those of the highest worth first. Returns how many are left out. */
static int show_items(struct rect r, const struct sizes *s, struct items *all)
{
    int out = all->lost;
    for (int i = 0; i < all->n; i++)
        all->v[i].shown = false;
    for (int worth = WORTH_NAMED; worth <= WORTH_SLEEPS; worth++)
        for (int i = 0; i < all->n; i++)
            if (all->v[i].worth == worth) {
                all->v[i].shown = true;
                all->v[i].shown = flow(NULL, r, s, all);
                out += !all->v[i].shown;
            }
    return out;
}

/* Says at the right end of the rule which Go it is, and whether the run is running, or why it is not, if there is room. */
static void draw_state(const struct view *v, struct canvas *c, struct rect r)
{
    char state[128], text[160];
    state_text(v, state, sizeof state);
    snprintf(text, sizeof text, " %s · %s ", v->st.generation ? v->st.generation : "", state);
    if (text_width(text) < r.w / 2)
        canvas_right(c, r, r.x + r.w - 4, r.y, v->st.paused ? ROLE_heading : ROLE_dim, text);
}

/* The names are large, or only those of the items that matter most, or none. */
void stage_strip(const struct view *v, struct canvas *c, struct rect r, const struct stage_strip *s)
{
    static const int few[] = {WORTH_SLEEPS + 1, WORTH_WAITS, WORTH_KERNEL, 0};
    enum { TRIES = sizeof few / sizeof *few };
    struct items all = {.names = s->names};
    struct rect in = {r.x, r.y + 1, r.w, r.h - 1};
    struct sizes sizes = {s->size, 0};
    int out = 0;
    add_ms(v, &all, s);
    add_gs(v, &all);
    canvas_hline(c, r, r.x + 2, r.y, r.w - 4, ROLE_border, 0x2500);
    canvas_printf(c, r, r.x + 4, r.y, ROLE_heading, " %s ", tx(v->lang, v->st.no_p ? TX_STAGE_ELSEWHERE : TX_STAGE_NOT_ON_P));
    draw_state(v, c, r);
    for (int i = s->size == BIG_PLAIN ? TRIES - 1 : 0; i < TRIES; i++) {
        sizes.few = few[i];
        out = show_items(in, &sizes, &all);
        if (!out)
            break;
    }
    flow(c, in, &sizes, &all);
    if (out) {
        char more[16];
        snprintf(more, sizeof more, "+%d", out);
        canvas_right(c, in, r.x + r.w - 2, r.y + r.h - 1, ROLE_heading, more);
    }
}
