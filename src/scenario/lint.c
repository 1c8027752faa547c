/* Everything in a scenario except its programs: names, the scheduler's settings. Writes values into struct
 * scenario_info. */
#include "scenario/scenario_internal.h"
#include <errno.h>
#include <stdio.h>
#include <string.h>

/* ---- names ---- */

static void check_name(struct compiler *c, const struct ynode *at, const char *name, bool variable)
{
    if (variable && !variable_valid(name))
        bad(c, at, 0, "\"%s\" cannot be used in expressions; a shared integer's name is letters, digits and _, not beginning with a digit",
            name);
    else if (variable && vary_has(c->sc, name))
        bad(c, at, 0, "\"%s\" is drawn by \"vary\"; give the shared integer another name", name);
    else if (!name_valid(name)) {
        char *hyphens = arena_strndup(c->a, name, strlen(name));
        for (char *s = hyphens; s && (s = strpbrk(s, " .")); s++)
            *s = '-';
        if (hyphens && name_valid(hyphens))
            bad(c, at, 0, "\"%s\" is not a name; did you mean \"%s\"?", name, hyphens);
        else
            bad(c, at, 0, "\"%s\" is not a name; names are letters, digits, - and _", name);
    }
}

/* Returns item i of a list of plain names or of maps with a name. */
static const struct ynode *name_node(const struct ynode *list, unsigned i)
{
    const struct ynode *item = list->item[i];
    return item->kind == Y_MAP ? yaml_get(item, "name") : item;
}

static bool declare(struct compiler *c, int which, const char *what, const char *list_key, unsigned n)
{
    struct names *ns = &c->ns[which];
    const struct ynode *list = yaml_get(c->root, list_key);
    *ns = (struct names){.what = what, .list = list_key, .suspect = tree_lost_list(c, list_key) || (list && tree_damaged(list))};
    if (!names_init(ns, c->a, n))
        return false;
    for (unsigned i = 0; i < n; i++) {
        const struct ynode *at = name_node(list, i);
        check_name(c, at, at->text, which == NS_SHARED);
        if (names_find(ns, at->text) >= 0)
            bad(c, at, 0, "%s \"%s\" is declared twice; give it another name", what, at->text);
        names_add(ns, at->text);
    }
    return true;
}

static bool declare_all(struct compiler *c)
{
    const struct yscenario *y = c->sc->y;
    return declare(c, NS_PROGRAMS, "program", "goroutines", y->goroutines_count) &&
           declare(c, NS_CHANNELS, "channel", "channels", y->channels_count) &&
           declare(c, NS_MUTEXES, "mutex", "mutexes", y->mutexes_count) &&
           declare(c, NS_WAITGROUPS, "waitgroup", "waitgroups", y->waitgroups_count) &&
           declare(c, NS_CONNS, "conn", "conns", y->conns_count) && declare(c, NS_RWMUTEXES, "rwmutex", "rwmutexes", y->rwmutexes_count) &&
           declare(c, NS_CONDS, "cond", "conds", y->conds_count) && declare(c, NS_ONCES, "once", "onces", y->onces_count) &&
           declare(c, NS_CONTEXTS, "context", "contexts", y->contexts_count) &&
           declare(c, NS_SHARED, "shared integer", "shared", y->shared_count);
}

/* Reads each channel's buffer. False: out of memory. */
static bool check_channels(struct compiler *c)
{
    const struct yscenario *y = c->sc->y;
    const struct ynode *list = yaml_get(c->root, "channels");
    const uint32_t *first = c->sc->first[NS_CHANNELS];
    uint32_t *cap = c->sc->chan_buffer = arena_alloc(c->a, (chan_total(c->sc) + (size_t)1) * sizeof *cap);
    c->sc->own = arena_alloc(c->a, y->channels_count + (size_t)1);
    c->sc->own_prog = arena_alloc(c->a, (y->channels_count + (size_t)1) * sizeof *c->sc->own_prog);
    if (!cap || !c->sc->own || !c->sc->own_prog)
        return false;
    for (unsigned i = 0; i < y->channels_count; i++) {
        uint32_t buffer = y->channels[i].buffer ? *y->channels[i].buffer : 0;
        if (buffer > MAX_BUFFER)
            bad(c, yaml_get(list->item[i], "buffer"), 0, "buffer: expected at most %u, got %u", MAX_BUFFER, buffer);
        for (uint32_t k = first[i]; k < first[i + 1]; k++)
            cap[k] = buffer;
    }
    c->sc->first_timer_chan = c->sc->first_timer < y->channels_count ? first[c->sc->first_timer] : UINT32_MAX;
    own_timers_kinds(c);
    return true;
}

static void check_contexts(struct compiler *c)
{
    const struct names *ns = &c->ns[NS_CONTEXTS];
    const struct ynode *list = yaml_get(c->root, "contexts");
    for (unsigned i = 0; i < ns->n; i++)
        if (names_find(&c->ns[NS_CHANNELS], ns->v[i]) >= 0)
            bad(c, name_node(list, i), 0, "\"%s\" is a channel, too; give the context another name", ns->v[i]);
}

/* Reads each cond's mutex: of an array the one with the same index. False: out of memory. */
static bool check_conds(struct compiler *c)
{
    const struct yscenario *y = c->sc->y;
    const struct ynode *list = yaml_get(c->root, "conds");
    uint32_t *mutex = c->sc->cond_mutex = arena_alloc(c->a, (object_total(c->sc, NS_CONDS) + (size_t)1) * sizeof *mutex);
    for (unsigned i = 0; mutex && i < y->conds_count; i++) {
        const struct ynode *at = yaml_get(list->item[i], "mutex");
        int mu = names_resolve(c, NS_MUTEXES, at, y->conds[i].mutex);
        uint32_t n = object_count(c->sc, NS_CONDS, i), *to = mutex + c->sc->first[NS_CONDS][i];
        if (mu < 0)
            continue;
        bool array = object_is_array(c->sc, NS_MUTEXES, (unsigned)mu);
        if (array && (!y->conds[i].count || object_count(c->sc, NS_MUTEXES, (unsigned)mu) != n))
            bad(c, at, 0, "\"%s\" is an array of %u mutexes, so the cond must have \"count: %u\", too", at->text,
                object_count(c->sc, NS_MUTEXES, (unsigned)mu), object_count(c->sc, NS_MUTEXES, (unsigned)mu));
        else
            for (uint32_t k = 0; k < n; k++)
                to[k] = c->sc->first[NS_MUTEXES][mu] + (array ? k : 0);
    }
    return mutex;
}

static void check_main(struct compiler *c)
{
    const struct yscenario *y = c->sc->y;
    int i = names_find(&c->ns[NS_PROGRAMS], "main");
    if (i < 0 && !c->ns[NS_PROGRAMS].suspect)
        bad(c, yaml_key(c->root, "goroutines"), 0, "no program \"main\"; a program ends when its \"main\" returns, so one is required");
    if (i >= 0 && y->goroutines[i].params_count)
        bad(c, yaml_get(yaml_get(c->root, "goroutines")->item[i], "params"), 0, "\"main\" cannot have params: it is started without args");
    c->sc->main = i < 0 ? 0 : (uint32_t)i;
}

/* ---- the scheduler ---- */

static void range(struct compiler *c, const char *key, const uint32_t *from, uint32_t *to, uint32_t low, uint32_t high)
{
    if (!from)
        return;
    *to = *from;
    if (*from < low || *from > high)
        bad(c, yaml_get(yaml_get(c->root, "scheduler"), key), 0, "%s: expected %u to %u, got %u", key, low, high, *from);
}

static uint32_t switch_bits(struct compiler *c, const int *v, unsigned n, const struct ynode *list, enum use_kind how)
{
    uint32_t bits = 0;
    for (unsigned i = 0; i < n; i++) {
        use_switch(c, list->item[i], v[i], how);
        bits |= 1u << v[i];
    }
    return bits;
}

static void check_switches(struct compiler *c, const struct yscheduler *s, const struct ynode *node)
{
    struct scenario_info *info = &c->sc->info;
    const struct ynode *enable = yaml_get(node, "enable");
    info->disable = switch_bits(c, s->disable, s->disable_count, yaml_get(node, "disable"), USE_DISABLE);
    info->enable = switch_bits(c, s->enable, s->enable_count, enable, USE_ENABLE);
    for (unsigned i = 0; i < s->enable_count; i++)
        if (info->disable >> s->enable[i] & 1)
            bad(c, enable->item[i], 0, "%s is disabled, too", rt_disable_name[s->enable[i]]);
}

static void check_runq_size(struct compiler *c, const struct yscheduler *s, const struct ynode *node)
{
    if (!s->runq_size)
        return;
    c->sc->info.runq_size = *s->runq_size;
    if (*s->runq_size < 2 || *s->runq_size > 256 || (*s->runq_size & (*s->runq_size - 1)))
        bad(c, yaml_get(node, "runq_size"), 0, "runq_size: expected a power of two from 2 to 256, got %u", *s->runq_size);
}

static uint64_t fails_bits(struct compiler *c, const struct ywithout *w, const struct ynode *node)
{
    const struct ynode *list = yaml_get(node, "fails");
    uint32_t claims = c->sc->y->expect_count;
    uint64_t bits = 0;
    for (unsigned i = 0; i < w->fails_count; i++) {
        if (w->fails[i] < 1 || w->fails[i] > claims || w->fails[i] > MAX_CLAIMS)
            bad(c, list->item[i], 0, "there is no expectation %u; \"expect\" has %u, counted from 1", w->fails[i], claims);
        else
            bits |= (uint64_t)1 << (w->fails[i] - 1);
    }
    return bits;
}

static void check_without(struct compiler *c, const struct yscheduler *s, const struct ynode *node)
{
    const struct ynode *list = yaml_get(node, "without");
    struct without *out = s->without_count ? arena_alloc(c->a, s->without_count * sizeof *out) : NULL;
    for (unsigned i = 0; out && i < s->without_count; i++) {
        const struct ywithout *w = &s->without[i];
        bool whole = !tree_damaged(list->item[i]);
        if (whole && !w->disable_count)
            bad(c, list->item[i], 0, "\"without\" needs \"disable\": the mechanism that is switched off");
        if (whole && !w->fails_count)
            bad(c, list->item[i], 0, "\"without\" needs \"fails\": the numbers of the expectations that must fail");
        out[i].disable = switch_bits(c, w->disable, w->disable_count, yaml_get(list->item[i], "disable"), USE_WITHOUT);
        out[i].fails = fails_bits(c, w, list->item[i]);
    }
    c->sc->without = out;
    c->sc->info.nwithout = s->without_count;
}

static void check_scheduler(struct compiler *c, const struct yscheduler *s)
{
    struct scenario_info *info = &c->sc->info;
    const struct ynode *node = yaml_get(c->root, "scheduler");
    range(c, "gomaxprocs", s->gomaxprocs, &info->gomaxprocs, 1, 1024);
    range(c, "max_threads", s->max_threads, &info->max_threads, 2, 100000);
    check_runq_size(c, s, node);
    if (s->start_tick)
        info->start_tick = *s->start_tick;
    if (s->boot && (info->boot = (enum run_boot) * s->boot) != BOOT_BARE)
        use_boot(c, yaml_get(node, "boot"));
    if (s->module)
        info->module = (enum rt_generation) * s->module;
    if (s->mode)
        info->mode = (enum conductor_mode) * s->mode;
    if (s->seed)
        info->seed = *s->seed;
    if (s->generation)
        info->generation = (enum rt_generation) * s->generation;
    if (s->preempt_slice && compile_duration(c, yaml_get(node, "preempt_slice"), s->preempt_slice, &info->preempt_slice) &&
        info->preempt_slice <= 0)
        bad(c, yaml_get(node, "preempt_slice"), 0, "preempt_slice: expected a duration longer than 0");
    info->randomize = s->randomize && *s->randomize;
    if (s->async_preempt)
        info->async_preempt = *s->async_preempt;
    check_switches(c, s, node);
    check_without(c, s, node);
}

struct text lang_text(const struct ytext *t)
{
    return t ? (struct text){{t->en, t->zh}} : (struct text){{"", NULL}};
}

/* ---- where lists show it ---- */

/* Reads the earlier names. A generation of one is checked as the scenario's own is: the scenario also runs there. False: out of memory. */
static bool fill_aliases(struct compiler *c)
{
    const struct yscenario *y = c->sc->y;
    const struct ynode *list = yaml_get(c->root, "aliases");
    struct scenario_info *info = &c->sc->info;
    info->aliases = arena_alloc(c->a, (y->aliases_count + 1) * sizeof *info->aliases);
    for (unsigned i = 0; info->aliases && i < y->aliases_count; i++) {
        info->aliases[info->naliases++] = y->aliases[i].name;
        check_name(c, name_node(list, i), y->aliases[i].name, false);
    }
    return info->aliases;
}

static bool fill_place(struct compiler *c)
{
    const struct yscenario *y = c->sc->y;
    struct scenario_info *info = &c->sc->info;
    info->watch = lang_text(y->watch);
    info->topic = y->topic ? (enum scenario_topic) * y->topic : TOPICS;
    info->order = y->order ? *y->order : UINT32_MAX;
    for (unsigned i = 0; i < y->path_count; i++)
        info->paths |= 1u << y->path[i];
    info->next = y->next;
    if (y->compare) {
        info->compare_left = y->compare->left;
        info->compare_right = y->compare->right;
    }
    if (y->next)
        check_name(c, yaml_get(c->root, "next"), y->next, false);
    return fill_aliases(c);
}

static bool fill_info(struct compiler *c)
{
    const struct yscenario *y = c->sc->y;
    struct scenario_info *info = &c->sc->info;
    info->name = y->name;
    info->title = y->title ? lang_text(y->title) : (struct text){{y->name, NULL}};
    info->summary = lang_text(y->summary);
    const struct scenario_go *go = c->sc->go;
    info->generation = go ? go->generation : DEFAULT_GENERATION;
    info->boot = go ? go->boot : BOOT_BARE;
    info->module = go ? go->module : (enum rt_generation)0;
    info->go = go ? go->version : NULL;
    info->gomaxprocs = 2;
    info->runq_size = 256;
    info->max_threads = 10000;
    info->start_tick = 4;
    info->mode = MODE_LOCKSTEP;
    info->seed = 1;
    info->preempt_slice = 10000000;
    info->async_preempt = true;
    const struct names *programs = &c->ns[NS_PROGRAMS];
    info->programs = (struct model_names){.fn = programs->v, .nfn = programs->n}; /* a Go program's get their names later */
    if (y->contexts_count) {
        const char **fn = arena_alloc(c->a, (programs->n + (size_t)1) * sizeof *fn);
        if (!fn)
            return false;
        memcpy(fn, programs->v, programs->n * sizeof *fn);
        fn[programs->n] = "context.timeout"; /* what the timers of contexts start */
        info->programs = (struct model_names){.fn = fn, .nfn = programs->n + 1};
    }
    c->sc->nprog = y->goroutines_count;
    return !y->goroutines_count || (c->sc->prog = arena_alloc(c->a, y->goroutines_count * sizeof *c->sc->prog));
}

bool lint_scenario(struct compiler *c)
{
    const struct yscenario *y = c->sc->y;
    if (!declare_all(c) || !fill_info(c) || !check_objects(c) || !check_channels(c) || !check_conds(c)) {
        diag_lack(c->d, ENOMEM);
        return false;
    }
    check_name(c, yaml_get(c->root, "name"), y->name, false);
    if (!fill_place(c) || (!c->d->count && !name_objects(c))) {
        diag_lack(c->d, ENOMEM);
        return false;
    }
    check_contexts(c);
    check_main(c);
    if (y->scheduler)
        check_scheduler(c, y->scheduler);
    return true;
}
