#include "net/bulkhead.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/log.h"

enum {
    STUCK_MS = 300, /* who gets no further for this long waits for something that hangs */
    QUEUE_MS = 1000,
    STRAINED_MS = 10000, /* how long no request queues after that was seen */
    POLL_MS = 5,
};

/* The limits that may be in the way: of all, of the lane, or of the agent; some agents share a place. */
enum {
    WAY_LANES = 1,
    WAY_AGENTS = WAY_LANES + BULKHEAD_LANES,
    WAYS = WAY_AGENTS + 64,
};

/* Waits that take no place of the agents'. */
enum aside {
    ASIDE_TEST,        /* an agent's own receiver */
    ASIDE_OWN_REQUEST, /* another request of the same agent */
    ASIDES
};

/* A worker's wait: for an agent's request (0: none), in which lanes, and when it last got further. */
struct place {
    _Atomic uint64_t agent;
    _Atomic uint64_t lanes;
    _Atomic uint64_t aside[ASIDES]; /* the agent for which it waits so; 0: none */
    _Atomic int64_t moved_ms;
};

struct shared {
    _Atomic int64_t strained_until_ms[WAYS];
    struct place places[];
};

struct bulkhead {
    unsigned workers; /* one place each */
    unsigned waiting; /* of them at most, as the next two */
    unsigned of_agent;
    unsigned in_lane;
    unsigned reserve; /* on top of each, for calls that close, cancel or withdraw */
    unsigned tests;   /* receivers waited for at once */
    struct shared *shared;
    struct place *places; /* in there */
    /* the worker's own */
    unsigned own;
    unsigned depth;
    bool frees; /* the present call may use the reserve */
    unsigned held[BULKHEAD_LANES];
    uint64_t full; /* lanes that were */
};

static size_t shared_size(unsigned workers)
{
    return sizeof(struct shared) + workers * sizeof(struct place);
}

struct bulkhead *bulkhead_new(unsigned workers)
{
    struct bulkhead *s = calloc(1, sizeof *s);
    void *p = mmap(NULL, shared_size(workers), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

    if (s == NULL || p == MAP_FAILED)
        log_fatal("out_of_memory", "msg=\"out of memory\"");
    *s = (struct bulkhead){ .workers = workers,
                            .waiting = workers - (workers + 2) / 4,
                            .of_agent = (workers + 2) / 3,
                            .in_lane = (workers + 1) / 2,
                            .reserve = (workers + 15) / 16,
                            .tests = (workers + 7) / 8,
                            .shared = p };
    s->places = s->shared->places;
    return s;
}

void bulkhead_free(struct bulkhead *s)
{
    (void)munmap(s->shared, shared_size(s->workers));
    free(s);
}

void bulkhead_clear(struct bulkhead *s, unsigned number)
{
    struct place *p = &s->places[number];

    atomic_store(&p->agent, 0);
    atomic_store(&p->lanes, 0);
    for (unsigned i = 0; i < ASIDES; i++)
        atomic_store(&p->aside[i], 0);
}

void bulkhead_own(struct bulkhead *s, unsigned own)
{
    s->own = own;
    bulkhead_clear(s, own);
}

static bool slot_waits(const struct place *p)
{
    return atomic_load(&p->agent) != 0 || atomic_load(&p->lanes) != 0 ||
           atomic_load(&p->aside[ASIDE_OWN_REQUEST]) != 0;
}

/* Counted with oneself in it: of two that come at once both see both, and the limits always hold. */
static bool bulkhead_have_room(const struct bulkhead *s, uint64_t agent_id, uint64_t lane)
{
    unsigned all = 0, of_agent = 0, in_lane = 0, more = s->frees ? s->reserve : 0;

    for (unsigned i = 0; i < s->workers; i++) {
        const struct place *p = &s->places[i];

        all += slot_waits(p);
        of_agent += agent_id != 0 && atomic_load(&p->agent) == agent_id;
        in_lane += (atomic_load(&p->lanes) & lane) != 0;
    }
    return all <= s->waiting + more && of_agent <= s->of_agent + more && in_lane <= s->in_lane + more;
}

static unsigned way_of(uint64_t agent_id, uint64_t lane)
{
    return lane != 0 ? WAY_LANES + (unsigned)__builtin_ctzll(lane)
                     : WAY_AGENTS + (unsigned)(agent_id % (WAYS - WAY_AGENTS));
}

/* Whether any of those gets on who hold what is wanted: the agent's places or the lane's, or all of them;
 * *way says which. */
static bool holders_get_on(const struct bulkhead *s, uint64_t agent_id, uint64_t lane, int64_t now_ms,
                           unsigned *way)
{
    unsigned all = 0, all_stuck = 0, in_way = 0, in_way_stuck = 0;

    for (unsigned i = 0; i < s->workers; i++) {
        const struct place *p = &s->places[i];
        bool stuck = now_ms - atomic_load(&p->moved_ms) >= STUCK_MS;

        if (!slot_waits(p))
            continue;
        all++;
        all_stuck += stuck;
        if ((agent_id == 0 || atomic_load(&p->agent) != agent_id) && (atomic_load(&p->lanes) & lane) == 0)
            continue;
        in_way++;
        in_way_stuck += stuck;
    }
    *way = all >= s->waiting ? 0 : way_of(agent_id, lane);
    return *way == 0 ? all_stuck < all : in_way == 0 || in_way_stuck < in_way;
}

/* Whether room may be expected in a moment: the holders get on. Once they are seen not to, no request queues
 * behind them for a while, since a queued request holds a worker too. */
static bool queueing_is_worth_it(struct bulkhead *s, uint64_t agent_id, uint64_t lane, int64_t begun_ms)
{
    int64_t now = clock_mono_ms();
    unsigned way;
    bool get_on = holders_get_on(s, agent_id, lane, now, &way);

    if (now < atomic_load(&s->shared->strained_until_ms[way]))
        return false;
    if (now - begun_ms < QUEUE_MS && get_on)
        return true;
    atomic_store(&s->shared->strained_until_ms[way], now + STRAINED_MS);
    return false;
}

static void slot_moved(struct bulkhead *s)
{
    atomic_store(&s->places[s->own].moved_ms, clock_mono_ms());
}

typedef bool try_fn(struct bulkhead *s, uint64_t agent_id, uint64_t lane);

static bool slot_queue(struct bulkhead *s, uint64_t agent_id, uint64_t lane, try_fn *try)
{
    int64_t begun = clock_mono_ms();
    bool in;

    while (!(in = try(s, agent_id, lane)) && queueing_is_worth_it(s, agent_id, lane, begun))
        usleep(POLL_MS * 1000);
    if (in)
        slot_moved(s);
    return in;
}

static bool slot_try_enter(struct bulkhead *s, uint64_t agent_id, uint64_t lane)
{
    struct place *own = &s->places[s->own];

    atomic_store(&own->agent, agent_id);
    if (bulkhead_have_room(s, agent_id, lane))
        return true;
    atomic_store(&own->agent, 0);
    return false;
}

static bool lane_try_enter(struct bulkhead *s, uint64_t agent_id, uint64_t lane)
{
    struct place *own = &s->places[s->own];

    atomic_fetch_or(&own->lanes, lane);
    if (bulkhead_have_room(s, agent_id, lane))
        return true;
    atomic_fetch_and(&own->lanes, ~lane);
    return false;
}

static bool bulkhead_enter_as(struct bulkhead *s, uint64_t agent_id, bool frees)
{
    if (s->depth == 0) {
        s->full = 0;
        s->frees = frees;
        if (!slot_queue(s, agent_id, 0, slot_try_enter))
            return false;
    }
    s->depth++;
    return true;
}

bool bulkhead_enter(struct bulkhead *s, uint64_t agent_id)
{
    return bulkhead_enter_as(s, agent_id, false);
}

bool bulkhead_enter_to_free(struct bulkhead *s, uint64_t agent_id)
{
    return bulkhead_enter_as(s, agent_id, true);
}

static void aside_leave(struct bulkhead *s, enum aside kind)
{
    atomic_store(&s->places[s->own].aside[kind], 0);
}

/* As in bulkhead_have_room, counted with oneself in it. */
static bool aside_enter(struct bulkhead *s, enum aside kind, uint64_t agent_id, unsigned most,
                        unsigned most_of_agent)
{
    unsigned all = 0, of_agent = 0;

    atomic_store(&s->places[s->own].aside[kind], agent_id);
    for (unsigned i = 0; i < s->workers; i++) {
        uint64_t agent = atomic_load(&s->places[i].aside[kind]);

        all += agent != 0;
        of_agent += agent == agent_id;
    }
    if (all <= most && of_agent <= most_of_agent)
        return true;
    aside_leave(s, kind);
    return false;
}

bool bulkhead_test_enter(struct bulkhead *s, uint64_t agent_id)
{
    return aside_enter(s, ASIDE_TEST, agent_id, s->tests, 1);
}

void bulkhead_test_leave(struct bulkhead *s)
{
    aside_leave(s, ASIDE_TEST);
}

uint64_t bulkhead_agent(const struct bulkhead *s)
{
    return s == NULL ? 0 : atomic_load(&s->places[s->own].agent);
}

void bulkhead_leave(struct bulkhead *s)
{
    if (--s->depth == 0)
        atomic_store(&s->places[s->own].agent, 0);
}

static unsigned share_of(unsigned workers, unsigned parts)
{
    return workers < parts ? 1 : workers / parts;
}

bool bulkhead_stand_by(struct bulkhead *s, uint64_t agent_id)
{
    return aside_enter(s, ASIDE_OWN_REQUEST, agent_id, share_of(s->workers, 4), share_of(s->workers, 8));
}

void bulkhead_stand_down(struct bulkhead *s)
{
    aside_leave(s, ASIDE_OWN_REQUEST);
}

unsigned bulkhead_waiting(const struct bulkhead *s)
{
    unsigned n = 0;

    for (unsigned i = 0; i < s->workers; i++)
        n += atomic_load(&s->places[i].lanes) != 0;
    return n;
}

bool bulkhead_take_lane(struct bulkhead *s, unsigned lane)
{
    uint64_t bit = 1ULL << lane;

    if (s->held[lane] == 0 && !slot_queue(s, 0, bit, lane_try_enter)) {
        s->full |= bit;
        return false;
    }
    s->held[lane]++;
    return true;
}

void bulkhead_give_lane(struct bulkhead *s, unsigned lane)
{
    if (--s->held[lane] > 0)
        return;
    atomic_fetch_and(&s->places[s->own].lanes, ~(1ULL << lane));
    slot_moved(s);
}

bool bulkhead_lane_was_full(const struct bulkhead *s, unsigned lane)
{
    return (s->full >> lane & 1) != 0;
}
