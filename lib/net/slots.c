#include "net/slots.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "core/log.h"

/* What a worker waits for: an agent's request (0: none), and in which lanes. */
struct place {
    _Atomic uint64_t agent;
    _Atomic uint64_t lanes;
};

struct slots {
    unsigned workers;
    struct place *places; /* shared */
    /* the worker's own */
    unsigned own;
    unsigned depth;
    unsigned held[SLOTS_LANES];
    uint64_t full; /* lanes that were */
};

struct slots *slots_new(unsigned workers)
{
    struct slots *s = calloc(1, sizeof *s);
    void *p =
        mmap(NULL, workers * sizeof *s->places, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

    if (s == NULL || p == MAP_FAILED)
        log_fatal("msg=\"out of memory\"");
    *s = (struct slots){ .workers = workers, .places = p };
    return s;
}

void slots_free(struct slots *s)
{
    (void)munmap((void *)s->places, s->workers * sizeof *s->places);
    free(s);
}

void slots_own(struct slots *s, unsigned own)
{
    s->own = own;
    atomic_store(&s->places[own].agent, 0);
    atomic_store(&s->places[own].lanes, 0);
}

static unsigned share(unsigned part)
{
    return part > 0 ? part : 1;
}

/* Counted with oneself in it: of two that come at once both see both, and the limits always hold. */
static bool has_room(const struct slots *s, uint64_t agent_id, uint64_t lane)
{
    unsigned all = 0, of_agent = 0, in_lane = 0, half = share(s->workers / 2);

    for (unsigned i = 0; i < s->workers; i++) {
        uint64_t agent = atomic_load(&s->places[i].agent), lanes = atomic_load(&s->places[i].lanes);

        all += agent != 0 || lanes != 0;
        of_agent += agent_id != 0 && agent == agent_id;
        in_lane += (lanes & lane) != 0;
    }
    return all <= share(s->workers * 3 / 4) && of_agent <= half && in_lane <= half;
}

bool slots_enter(struct slots *s, uint64_t agent_id)
{
    if (s->depth == 0) {
        s->full = 0;
        atomic_store(&s->places[s->own].agent, agent_id);
        if (!has_room(s, agent_id, 0)) {
            atomic_store(&s->places[s->own].agent, 0);
            return false;
        }
    }
    s->depth++;
    return true;
}

void slots_leave(struct slots *s)
{
    if (--s->depth == 0)
        atomic_store(&s->places[s->own].agent, 0);
}

bool slots_take_lane(struct slots *s, unsigned lane)
{
    uint64_t bit = 1ULL << lane;

    if (s->held[lane] == 0) {
        atomic_fetch_or(&s->places[s->own].lanes, bit);
        if (!has_room(s, 0, bit)) {
            atomic_fetch_and(&s->places[s->own].lanes, ~bit);
            s->full |= bit;
            return false;
        }
    }
    s->held[lane]++;
    return true;
}

void slots_give_lane(struct slots *s, unsigned lane)
{
    if (--s->held[lane] == 0)
        atomic_fetch_and(&s->places[s->own].lanes, ~(1ULL << lane));
}

bool slots_lane_was_full(const struct slots *s, unsigned lane)
{
    return (s->full >> lane & 1) != 0;
}
