/* Maps. The entries have numbers that grow with their place, and a table of places finds them by their hash. A loop over a map begins at an entry that is
 * a decision, goes to the end, and then from the first entry to where it began. It knows the entry by its number, so it may add and delete. As in Go, a map
 * of at most eight entries gives the place of a deleted one to the next; a larger one has only new places.
 *
 * A map that two Gs use at once, one of them writing, is Go's fatal error. Here it is found whenever it happens: a use is counted from its beginning to
 * its end, and in between an M may be anywhere.
 */
#include "runtime/sched/point.h"
#include "scenario/vm/vm_internal.h"
#include <stdlib.h>

struct vm_map {
    uint32_t type;       /* of the map */
    uint32_t key, cells; /* cells of a key; of an entry: [number; key; value]. Of a deleted one: minus the number */
    int64_t *entry;      /* `n` of `room` */
    uint64_t n, room, len, next;
    uint64_t *place; /* `places`, a power of two: 1 + index of an entry; 0: none */
    uint64_t places;
    _Atomic int32_t users; /* relaxed: readers, or -1: a writer. It orders nothing: two users at once are an error */
};

#define OP(name) bool vm_op_##name(struct vg *g, int64_t *f, const struct form_ins *i)

uint64_t vm_map_size(const struct vm *vm, int64_t map)
{
    const struct vm_object *o = vm_object_at(vm, map);
    const struct vm_map *m = o && o->kind == VO_MAP ? atomic_load_explicit(&o->is, memory_order_relaxed) : NULL; /* stopped */
    return m ? m->len : 0;
}

void vm_map_free(struct vm_map *m)
{
    if (!m)
        return;
    free(m->entry);
    free(m->place);
    free(m);
}

const int64_t *vm_map_cells(const struct vm_map *m, uint64_t *n)
{
    *n = m->n * m->cells;
    return m->entry;
}

enum { SMALL = 8 };

static struct vm_map *begin_read_of(struct vg *g, int64_t number, const char *mistake)
{
    struct vm_map *m = vm_object(g, VO_MAP, number);
    /* acquire: pairs with end(), so that what a writer has left is whole even for a program that races */
    if (m && atomic_fetch_add_explicit(&m->users, 1, memory_order_acquire) < 0)
        rt_fatal(mistake);
    return m;
}
static struct vm_map *begin_read(struct vg *g, int64_t number)
{
    return begin_read_of(g, number, "concurrent map read and map write");
}
static struct vm_map *begin_write(struct vg *g, int64_t number)
{
    struct vm_map *m = vm_object(g, VO_MAP, number);
    int32_t none = 0;
    if (m && !atomic_compare_exchange_strong_explicit(&m->users, &none, -1, memory_order_acquire, memory_order_relaxed))
        rt_fatal(none < 0 ? "concurrent map writes" : "concurrent map read and map write");
    if (m && vm_crowded(g->vm))
        rt_within((uint64_t)number);
    return m;
}
static void end_read(struct vm_map *m)
{
    atomic_fetch_sub_explicit(&m->users, 1, memory_order_release);
}
static void end_write(struct vm_map *m)
{
    atomic_store_explicit(&m->users, 0, memory_order_release);
}

static uint32_t cells_of(struct vg *g, uint32_t type)
{
    return g->vm->f->type.v[type].cells;
}

/* The entry with this key; NULL: none, or (*sound false) a panic has begun. */
static int64_t *find(struct vg *g, const struct vm_map *m, const int64_t *key, uint64_t *hash, bool *sound)
{
    uint32_t type = g->vm->f->type.v[m->type].key;
    bool equal = false;
    *sound = vm_hash(g, type, key, hash);
    for (uint64_t h = *hash; *sound && m->places && m->place[h & (m->places - 1)]; h++) {
        int64_t *e = m->entry + (m->place[h & (m->places - 1)] - 1) * m->cells;
        *sound = e[0] < 0 || vm_equal(g, type, e + 1, key, &equal);
        if (*sound && e[0] > 0 && equal)
            return e;
    }
    return NULL;
}

static void put_place(struct vm_map *m, uint64_t hash, uint64_t index)
{
    while (m->place[hash & (m->places - 1)])
        hash++;
    m->place[hash & (m->places - 1)] = index + 1;
}

static void find_places(struct vg *g, struct vm_map *m)
{
    memset(m->place, 0, m->places * sizeof *m->place);
    for (uint64_t i = 0, hash; i < m->n; i++)
        if (m->entry[i * m->cells] > 0 && vm_hash(g, g->vm->f->type.v[m->type].key, m->entry + i * m->cells + 1, &hash))
            put_place(m, hash, i); /* it could be hashed before */
}

/* Makes room for one more entry; deleted ones go. */
static void make_room(struct vg *g, struct vm_map *m)
{
    if (m->n < m->room)
        return;
    uint64_t room = !m->room ? SMALL : m->len < SMALL ? 2 * SMALL : 2 * m->len, places = 16, n = 0;
    while (places < 2 * room)
        places *= 2;
    rt_memory_give(rt_self_sched(), m->room * m->cells * sizeof *m->entry + m->places * sizeof *m->place);
    rt_memory_need(room * m->cells * sizeof *m->entry + places * sizeof *m->place);
    int64_t *entry = malloc(room * m->cells * sizeof *entry);
    uint64_t *place = calloc(places, sizeof *place);
    if (!entry || !place) {
        free(entry);
        free(place);
        rt_no_memory("cannot allocate memory for a map");
    }
    for (uint64_t i = 0; i < m->n; i++)
        if (m->entry[i * m->cells] > 0)
            memcpy(entry + n++ * m->cells, m->entry + i * m->cells, m->cells * sizeof *entry);
    free(m->entry);
    free(m->place);
    m->entry = entry;
    m->place = place;
    m->places = places;
    m->room = room;
    m->n = n;
    find_places(g, m);
}

/* Returns the place of a new entry, with its number; its key is written. */
static int64_t *add_entry(struct vg *g, struct vm_map *m, const int64_t *key, uint64_t hash)
{
    uint64_t i = 0;
    m->len++;
    while (m->room == SMALL && i < m->n && m->entry[i * m->cells] > 0)
        i++;
    bool reuses = m->room == SMALL && i < m->n;
    if (!reuses) {
        make_room(g, m);
        i = m->n++;
    }
    int64_t *e = m->entry + i * m->cells;
    e[0] = reuses ? -e[0] : (int64_t)m->next++;
    memcpy(e + 1, key, m->key * sizeof *e);
    if (reuses)
        find_places(g, m);
    else
        put_place(m, hash, i);
    return e;
}

/* ---- operations ---- */

OP(makemap)
{
    struct vm_map *m = calloc(1, sizeof *m);
    const struct form_type *t = &g->vm->f->type.v[i->b];
    if (!m)
        rt_no_memory("cannot allocate memory for a map");
    m->type = (uint32_t)i->b;
    m->key = cells_of(g, t->key);
    m->cells = 1 + m->key + cells_of(g, t->elem);
    m->next = 1;
    f[i->a] = vm_object_add(g, VO_MAP, 0, m);
    return true;
}

/* v := m[k], and whether it is there. A nil map has nothing. */
static bool get(struct vg *g, int64_t *f, const struct form_ins *i, bool *there)
{
    uint32_t n = cells_of(g, g->vm->f->type.v[i->d].elem);
    uint64_t hash;
    bool sound = true;
    vm_use_map(g, i, f[i->b], NOTE_READ);
    struct vm_map *m = f[i->b] ? begin_read(g, f[i->b]) : NULL;
    if (f[i->b] && (!m || m->type != i->d))
        return m ? vm_throw(g, "runtime error: invalid memory address or nil pointer dereference") : false;
    const int64_t *e = m ? find(g, m, f + i->c, &hash, &sound) : NULL;
    *there = e;
    if (e)
        memcpy(f + i->a, e + 1 + m->key, n * sizeof *f);
    else
        memset(f + i->a, 0, n * sizeof *f);
    if (m)
        end_read(m);
    return sound;
}
OP(mapget)
{
    bool there;
    return get(g, f, i, &there);
}
OP(mapgetok)
{
    bool there = false;
    if (!get(g, f, i, &there))
        return false;
    f[i->a + cells_of(g, g->vm->f->type.v[i->d].elem)] = there;
    return true;
}

OP(mapset)
{
    uint64_t hash;
    bool sound;
    if (!f[i->a])
        return vm_throw(g, "assignment to entry in nil map");
    vm_use_map(g, i, f[i->a], NOTE_WRITE);
    struct vm_map *m = begin_write(g, f[i->a]);
    if (!m || m->type != i->d)
        return m ? vm_throw(g, "runtime error: invalid memory address or nil pointer dereference") : false;
    vm_publish(g, f + i->b, m->key);
    vm_publish(g, f + i->c, m->cells - 1 - m->key);
    int64_t *e = find(g, m, f + i->b, &hash, &sound);
    if (sound && !e)
        e = add_entry(g, m, f + i->b, hash);
    if (sound)
        memcpy(e + 1 + m->key, f + i->c, (m->cells - 1 - m->key) * sizeof *e);
    end_write(m);
    return sound;
}

OP(mapdel)
{
    uint64_t hash;
    bool sound;
    vm_use_map(g, i, f[i->a], NOTE_WRITE);
    struct vm_map *m = f[i->a] ? begin_write(g, f[i->a]) : NULL;
    if (!m || m->type != i->c)
        return m ? vm_throw(g, "runtime error: invalid memory address or nil pointer dereference") : !f[i->a];
    int64_t *e = find(g, m, f + i->b, &hash, &sound);
    if (e) {
        e[0] = -e[0];
        m->len--;
    }
    end_write(m);
    return sound;
}

OP(mapclear)
{
    vm_use_map(g, i, f[i->a], NOTE_WRITE);
    struct vm_map *m = f[i->a] ? begin_write(g, f[i->a]) : NULL;
    if (!m)
        return !f[i->a];
    m->n = m->len = 0;
    if (m->room == SMALL)
        m->next = 1;
    if (m->places)
        memset(m->place, 0, m->places * sizeof *m->place);
    end_write(m);
    return true;
}

OP(maplen)
{
    vm_use_map(g, i, f[i->b], NOTE_READ);
    struct vm_map *m = f[i->b] ? begin_read(g, f[i->b]) : NULL;
    if (f[i->b] && !m)
        return false;
    f[i->a] = m ? (int64_t)m->len : 0;
    if (m)
        end_read(m);
    return true;
}

/* [map, round, next number, first number]: round 0 goes from the first to the end, round 1 from the beginning to the first. */
OP(mapiter)
{
    int64_t *it = f + i->a;
    struct vm_map *m = it[0] ? begin_read(g, it[0]) : NULL;
    uint64_t at = 0;
    if (it[0] && !m)
        return false;
    it[1] = 0;
    it[2] = it[3] = 1;
    if (m)
        end_read(m);
    uint32_t n = m ? (uint32_t)m->len : 0, first = rt_decide(DECIDE_ORDER, n);
    for (; m && at < m->n; at++)
        if (m->entry[at * m->cells] > 0 && first-- == 0) {
            it[2] = it[3] = m->entry[at * m->cells];
            break;
        }
    return true;
}

/* The first entry whose number is at least `from`, NULL: none. Numbers, also of deleted ones, grow with the place. */
static const int64_t *next_entry(const struct vm_map *m, int64_t from)
{
    uint64_t low = 0, high = m->n;
    while (low < high) {
        uint64_t mid = low + (high - low) / 2;
        if (llabs(m->entry[mid * m->cells]) < from)
            low = mid + 1;
        else
            high = mid;
    }
    while (low < m->n && m->entry[low * m->cells] < 0)
        low++;
    return low < m->n ? m->entry + low * m->cells : NULL;
}

OP(mapnext)
{
    int64_t *it = f + i->b;
    vm_use_map(g, i, it[0], NOTE_READ);
    struct vm_map *m = it[0] ? begin_read_of(g, it[0], "concurrent map iteration and map write") : NULL;
    uint32_t n = cells_of(g, g->vm->f->type.v[i->c].key) + cells_of(g, g->vm->f->type.v[i->c].elem);
    f[i->a + n] = 0;
    if (!m || m->type != i->c)
        return m ? vm_throw(g, "runtime error: invalid memory address or nil pointer dereference") : !it[0];
    const int64_t *e = next_entry(m, it[2]);
    if (!e && !it[1]) {
        it[1] = 1;
        e = next_entry(m, it[2] = 1);
    }
    if (e && !(it[1] && e[0] >= it[3])) {
        it[2] = e[0] + 1;
        memcpy(f + i->a, e + 1, n * sizeof *f);
        f[i->a + n] = 1;
    }
    end_read(m);
    return true;
}

void vm_map_each(struct vg *g, int64_t map, void (*each)(void *ctx, const int64_t *key, const int64_t *value), void *ctx)
{
    struct vm_map *m = map ? vm_object(g, VO_MAP, map) : NULL;
    for (uint64_t i = 0; m && i < m->n; i++)
        if (m->entry[i * m->cells] > 0)
            each(ctx, m->entry + i * m->cells + 1, m->entry + i * m->cells + 1 + m->key);
}
