#include "api/admission/meter.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/log.h"
#include "base/shared_file.h"
#include "codec/hash.h"
#include "codec/rand.h"
#include "store/agents.h"

/* A cell is found by the 128 bits of its owner, within PROBES places from the one that they point to. Cells
 * never become free again, so the first free place ends a search. Only claiming a cell for a new owner takes
 * a lock (a record lock, which the kernel releases when its holder dies); everything else is a
 * compare-and-swap of one word. The word holds a tag of the owner next to the time of base/gcra.h, so one
 * that was read for one owner cannot be swapped for another. A cell whose words do not match was being handed
 * over when a process was killed; its next user repairs it.
 *
 * If all places are taken, the owner with the smallest time is evicted, in practice the one that has been
 * idle longest, and the new owner takes over that time. So no time in a neighbourhood ever decreases, and an
 * owner that comes back owes at least what it owed before: no crowd, however large, frees an owner of a
 * limit. At most a count of requests that was not yet folded is lost. */
enum { AGENT_CELLS = 65536, ADDRESS_CELLS = 32768, PROBES = 32 };
enum { TAG_BITS = 12, TIME_BITS = 64 - TAG_BITS }; /* microseconds since 1970 until the year 2112 */
enum { LAYOUT = 3 };

/* The counters of an agent's load; work in tenths of a millisecond. A word holds the number of the minute,
 * the sum of the one before and the sum so far: the first addition in a later minute moves them on. */
enum load { LOAD_REQUESTS, LOAD_REFUSED, LOAD_WORK, LOADS };
enum { SUM_BITS = 24, WORK_UNIT_US = 100 };
#define SUM_MAX    ((UINT64_C(1) << SUM_BITS) - 1)
#define MINUTE_MAX ((UINT64_C(1) << (64 - 2 * SUM_BITS)) - 1)

struct id {
    uint64_t hi, lo; /* both random; hi is not 0 */
};

struct cell {
    _Atomic uint64_t hi; /* 0: free */
    _Atomic uint64_t lo;
    _Atomic uint64_t word;     /* tag of the owner, time of base/gcra.h */
    _Atomic uint64_t requests; /* not folded yet */
    _Atomic int64_t last_active_ms;
    _Atomic uint64_t load[LOADS]; /* of this minute and the one before; fills a cache line */
};

struct shared {
    _Atomic uint64_t layout;
    _Atomic uint64_t salt[2]; /* hides which addresses are neighbours */
    struct cell agents[AGENT_CELLS];
    struct cell addresses[ADDRESS_CELLS];
};

/* Record locks: one byte each of the file. */
enum lock { LOCK_AGENTS, LOCK_ADDRESSES, LOCK_FOLD };

struct table {
    struct cell *cells;
    unsigned n;
    enum lock lock;
};

struct meter {
    struct shared *at;
    int fd; /* holds the record locks: closing any other descriptor of the file would release them */
    struct table agents, addresses;
};

/* ---- the file ---- */

static void value_set_once(_Atomic uint64_t *at, uint64_t value)
{
    uint64_t zero = 0;

    (void)atomic_compare_exchange_strong(at, &zero, value);
}

struct meter *meter_open(const char *path)
{
    struct meter *m = calloc(1, sizeof *m);
    uint64_t salt[2];

    if (m == NULL)
        log_fatal("out_of_memory", "msg=\"out of memory\"");
    m->at = shared_file_map(path, sizeof *m->at, LAYOUT, &m->fd);
    if (m->at == NULL)
        log_fatal("counters_unusable", "msg=\"cannot map the counters\" file=%s reason=\"%s\"", path,
                  strerror(errno));
    m->agents = (struct table){ m->at->agents, AGENT_CELLS, LOCK_AGENTS };
    m->addresses = (struct table){ m->at->addresses, ADDRESS_CELLS, LOCK_ADDRESSES };
    rand_bytes(salt, sizeof salt);
    value_set_once(&m->at->salt[0], salt[0] | 1);
    value_set_once(&m->at->salt[1], salt[1] | 1);
    return m;
}

void meter_close(struct meter *m)
{
    (void)munmap(m->at, sizeof *m->at);
    (void)close(m->fd);
    free(m);
}

static bool file_lock(const struct meter *m, enum lock which, short type, bool wait)
{
    struct flock l = { .l_type = type, .l_whence = SEEK_SET, .l_start = (off_t)which, .l_len = 1 };
    int rc;

    do {
        rc = fcntl(m->fd, wait ? F_SETLKW : F_SETLK, &l);
    } while (rc != 0 && wait && errno == EINTR);
    if (rc != 0 && wait)
        log_fatal("counters_unusable", "msg=\"cannot lock the counters\" reason=\"%s\"", strerror(errno));
    return rc == 0;
}

/* ---- words ---- */

static uint64_t id_tag(struct id id)
{
    return (id.hi ^ id.lo) >> TIME_BITS << TIME_BITS;
}

static int64_t word_time(uint64_t word)
{
    return (int64_t)(word << TAG_BITS >> TAG_BITS);
}

static uint64_t word_make(struct id id, int64_t time_us)
{
    return id_tag(id) | ((uint64_t)time_us << TAG_BITS >> TAG_BITS);
}

static bool word_has_tag(uint64_t word, struct id id)
{
    return word >> TIME_BITS == id_tag(id) >> TIME_BITS;
}

/* ---- finding a cell ---- */

static struct cell *cell_at(const struct table *t, struct id id, unsigned i)
{
    return &t->cells[(id.hi + i) % t->n];
}

static bool cell_is_owned(const struct cell *c, struct id id)
{
    return atomic_load_explicit(&c->hi, memory_order_acquire) == id.hi &&
           atomic_load_explicit(&c->lo, memory_order_acquire) == id.lo;
}

/* The cell of the owner; NULL when it has none, or one that was half handed over. */
static struct cell *cell_find(const struct table *t, struct id id)
{
    for (unsigned i = 0; i < PROBES; i++) {
        struct cell *c = cell_at(t, id, i);

        if (cell_is_owned(c, id))
            return word_has_tag(atomic_load(&c->word), id) ? c : NULL;
        if (atomic_load_explicit(&c->hi, memory_order_acquire) == 0)
            return NULL;
    }
    return NULL;
}

/* Under the lock: the cell to give to the owner. */
static struct cell *cell_choose(const struct table *t, struct id id)
{
    struct cell *best = cell_at(t, id, 0);

    for (unsigned i = 0; i < PROBES; i++) {
        struct cell *c = cell_at(t, id, i);
        uint64_t hi = atomic_load(&c->hi);

        if (hi == id.hi || hi == 0)
            return c;
        if (word_time(atomic_load(&c->word)) < word_time(atomic_load(&best->word)))
            best = c;
    }
    return best;
}

/* Under the lock. The word comes first: from then on the previous owner cannot swap it. */
static void cell_hand_over(struct cell *c, struct id id)
{
    uint64_t word = atomic_load(&c->word);

    while (!atomic_compare_exchange_weak(&c->word, &word, word_make(id, word_time(word)))) {
    }
    atomic_store(&c->requests, 0);
    atomic_store(&c->last_active_ms, 0);
    for (unsigned i = 0; i < LOADS; i++)
        atomic_store(&c->load[i], 0);
    atomic_store(&c->lo, id.lo);
    atomic_store(&c->hi, id.hi);
}

static struct cell *cell_claim(const struct meter *m, const struct table *t, struct id id)
{
    struct cell *c;

    (void)file_lock(m, t->lock, F_WRLCK, true);
    c = cell_choose(t, id);
    if (!cell_is_owned(c, id) || !word_has_tag(atomic_load(&c->word), id))
        cell_hand_over(c, id);
    (void)file_lock(m, t->lock, F_UNLCK, true);
    return c;
}

/* ---- taking ---- */

/* Takes one unit for the owner; false when the cell has another owner by now. */
static bool cell_take_unit(struct cell *c, struct id id, struct rate_limit l, int64_t now_us, struct gcra *g)
{
    uint64_t word = atomic_load(&c->word), next;
    int64_t paid_us;

    do {
        if (!word_has_tag(word, id))
            return false;
        paid_us = word_time(word);
        *g = gcra_take(&paid_us, now_us, l);
        next = word_make(id, paid_us);
    } while (next != word && !atomic_compare_exchange_weak(&c->word, &word, next));
    return true;
}

static struct cell *meter_take(const struct meter *m, const struct table *t, struct id id,
                               struct rate_limit l, int64_t now_us, struct gcra *g)
{
    struct cell *c = cell_find(t, id);

    while (c == NULL || !cell_take_unit(c, id, l, now_us, g))
        c = cell_claim(m, t, id);
    return c;
}

/* ---- agents ---- */

/* By the uuid, not by the row number, which agents of another database may share. */
static struct id agent_id(const struct uuid *agent)
{
    struct id id;

    memcpy(&id.hi, agent->bytes, sizeof id.hi);
    memcpy(&id.lo, agent->bytes + sizeof id.hi, sizeof id.lo);
    return id; /* a version 4 uuid has a 4 in the first half */
}

struct gcra meter_agent(struct meter *m, const struct uuid *agent, uint32_t units, int64_t now_us)
{
    struct gcra g = { .allowed = false };
    struct cell *c = meter_take(m, &m->agents, agent_id(agent), rate_limit_per_minute(units), now_us, &g);

    atomic_fetch_add_explicit(&c->requests, 1, memory_order_relaxed);
    atomic_store_explicit(&c->last_active_ms, now_us / 1000, memory_order_relaxed);
    return g;
}

struct gcra meter_agent_peek(struct meter *m, const struct uuid *agent, uint32_t units, int64_t now_us)
{
    struct cell *c = cell_find(&m->agents, agent_id(agent));
    int64_t paid_us = c == NULL ? 0 : word_time(atomic_load_explicit(&c->word, memory_order_relaxed));
    struct gcra g = gcra_peek(paid_us, now_us, rate_limit_per_minute(units));

    g.allowed = true;
    return g;
}

void meter_pending(struct meter *m, const struct uuid *agent, uint64_t *requests, int64_t *last_active_ms)
{
    struct cell *c = cell_find(&m->agents, agent_id(agent));

    *requests = c == NULL ? 0 : atomic_load_explicit(&c->requests, memory_order_relaxed);
    *last_active_ms = c == NULL ? 0 : atomic_load_explicit(&c->last_active_ms, memory_order_relaxed);
}

/* ---- load ---- */

static uint64_t minute_of(int64_t now_us)
{
    return (uint64_t)(now_us / 60000000) & MINUTE_MAX;
}

/* The word as it is in this minute. */
static uint64_t load_moved(uint64_t word, uint64_t minute)
{
    uint64_t age = (minute - (word >> 2 * SUM_BITS)) & MINUTE_MAX;

    if (age == 0)
        return word;
    return minute << 2 * SUM_BITS | (age == 1 ? (word & SUM_MAX) << SUM_BITS : 0);
}

static void load_add(_Atomic uint64_t *at, uint64_t n, uint64_t minute)
{
    uint64_t word = atomic_load_explicit(at, memory_order_relaxed), next;

    do {
        next = load_moved(word, minute);
        next += n < SUM_MAX - (next & SUM_MAX) ? n : SUM_MAX - (next & SUM_MAX);
    } while (!atomic_compare_exchange_weak(at, &word, next));
}

static uint64_t load_sum(const _Atomic uint64_t *at, uint64_t minute)
{
    uint64_t word = load_moved(atomic_load_explicit(at, memory_order_relaxed), minute);

    return (word & SUM_MAX) + (word >> SUM_BITS & SUM_MAX);
}

void meter_worked(struct meter *m, const struct uuid *agent, int status, int64_t took_us, int64_t now_us)
{
    struct cell *c = cell_find(&m->agents, agent_id(agent));
    uint64_t minute = minute_of(now_us), work = took_us > 0 ? (uint64_t)took_us / WORK_UNIT_US : 0;

    if (c == NULL)
        return;
    if (status != METER_GOES_ON)
        load_add(&c->load[LOAD_REQUESTS], 1, minute);
    load_add(&c->load[LOAD_WORK], work, minute);
    if (status >= 400)
        load_add(&c->load[LOAD_REFUSED], 1, minute);
}

static int by_work(const void *x, const void *y)
{
    const struct meter_load *a = x, *b = y;

    if (a->work_ms != b->work_ms)
        return a->work_ms < b->work_ms ? 1 : -1;
    return a->requests < b->requests ? 1 : a->requests > b->requests ? -1 : 0;
}

unsigned meter_loads(const struct meter *m, int64_t now_us, struct meter_load *out, unsigned max)
{
    struct meter_load *all = calloc(AGENT_CELLS, sizeof *all);
    uint64_t minute = minute_of(now_us);
    unsigned n = 0;

    if (all == NULL)
        log_fatal("out_of_memory", "msg=\"out of memory\"");
    for (unsigned i = 0; i < AGENT_CELLS; i++) {
        const struct cell *c = &m->agents.cells[i];
        struct id id = { atomic_load(&c->hi), atomic_load(&c->lo) };
        struct meter_load load = { .requests = load_sum(&c->load[LOAD_REQUESTS], minute),
                                   .refused = load_sum(&c->load[LOAD_REFUSED], minute),
                                   .work_ms = load_sum(&c->load[LOAD_WORK], minute) * WORK_UNIT_US / 1000 };

        memcpy(load.agent.bytes, &id.hi, sizeof id.hi);
        memcpy(load.agent.bytes + sizeof id.hi, &id.lo, sizeof id.lo);
        if (id.hi != 0 && load.requests > 0)
            all[n++] = load;
    }
    qsort(all, n, sizeof *all, by_work);
    n = n < max ? n : max;
    memcpy(out, all, n * sizeof *all);
    free(all);
    return n;
}

/* ---- addresses ---- */

static struct id address_id(const struct meter *m, enum meter_kind kind, const struct ip_address *from)
{
    uint64_t key[5] = { atomic_load(&m->at->salt[0]), atomic_load(&m->at->salt[1]), (uint64_t)kind };
    uint8_t hash[HASH_LEN];
    struct id id;

    memcpy(key + 3, from->bytes, sizeof from->bytes);
    sha256(hash, key, sizeof key);
    memcpy(&id, hash, sizeof id);
    id.hi |= 1ULL << 63;
    return id;
}

struct gcra meter_address(struct meter *m, enum meter_kind kind, const struct ip_address *from,
                          struct rate_limit l, int64_t now_us)
{
    struct gcra g = { .allowed = false };

    (void)meter_take(m, &m->addresses, address_id(m, kind, from), l, now_us, &g);
    return g;
}

/* ---- folding ---- */

/* Stops at zero: the cell may have been handed over meanwhile. */
static void count_subtract(_Atomic uint64_t *from, uint64_t n)
{
    uint64_t have = atomic_load(from);

    while (!atomic_compare_exchange_weak(from, &have, have < n ? 0 : have - n)) {
    }
}

static void cell_fold(struct cell *c, struct db *db)
{
    uint64_t hi = atomic_load_explicit(&c->hi, memory_order_acquire), lo = atomic_load(&c->lo);
    uint64_t n = atomic_load_explicit(&c->requests, memory_order_relaxed);
    struct uuid agent;

    if (hi == 0 || n == 0)
        return;
    memcpy(agent.bytes, &hi, sizeof hi);
    memcpy(agent.bytes + sizeof hi, &lo, sizeof lo);
    /* Subtracted once the database has it: a crash in between counts requests twice rather than not at all.
     * The count of an agent that is not in this database is dropped. */
    if (agents_count_requests(db, &agent, n, atomic_load_explicit(&c->last_active_ms, memory_order_relaxed)))
        count_subtract(&c->requests, n);
}

/* The first cell at or behind this place of the file. */
static size_t cell_index(off_t at)
{
    size_t from =
        (size_t)at > offsetof(struct shared, agents) ? (size_t)at - offsetof(struct shared, agents) : 0;
    size_t i = (from + sizeof(struct cell) - 1) / sizeof(struct cell);

    return i < AGENT_CELLS ? i : AGENT_CELLS;
}

/* Only where something was ever written: to read the rest would fill the memory with zeros. */
void meter_fold(struct meter *m, struct db *db)
{
    off_t at = 0;

    if (!file_lock(m, LOCK_FOLD, F_WRLCK, false))
        return;
    while ((at = lseek(m->fd, at, SEEK_DATA)) >= 0 && cell_index(at) < AGENT_CELLS) {
        off_t end = lseek(m->fd, at, SEEK_HOLE);

        for (size_t i = cell_index(at); i < cell_index(end); i++)
            cell_fold(&m->at->agents[i], db);
        at = end;
    }
    (void)file_lock(m, LOCK_FOLD, F_UNLCK, true);
}
