/* The choice of the agents whose due events are sent next.
 *
 * Every agent with events has a row in event_queues that says when to look at its events again. A claim takes
 * the few agents that have waited longest, reads of each only what it may have, and puts it back at the end
 * of the queue; so its cost depends neither on an agent's backlog nor on how many events are pending in all.
 * The time in the row may be too early, never too late: code that makes an event pending or moves its time
 * forward calls events_wake in the same transaction. */
#ifndef STORE_CLAIM_H
#define STORE_CLAIM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "codec/uuid.h"
#include "model/event.h"
#include "store/db.h"

/* How many events of the agent may be leased at once, by all owners together. */
typedef unsigned share_fn(void *arg, uint64_t agent_id);

struct claim_in {
    const struct uuid *owner; /* made for this claim alone */
    unsigned lease_ms;
    share_fn *share;
    void *share_arg;
    size_t max;
};

/* Claims up to in->max due events until now + lease_ms: agents in turns, each its oldest due ones. Returns
 * how many; fills out[] (texts in the arena), with the agents' sealed secrets. *wait_ms is how long nothing
 * more will be due, 0 when something may be already. */
int events_claim(struct db *db, struct arena *a, const struct claim_in *in, struct event *out,
                 int64_t *wait_ms);

/* Releases claimed events unchanged: the job ends before it could send them. */
bool events_release(struct db *db, const struct uuid *owner, const struct event *events, size_t n);

/* Inside the transaction that makes an event of the agent due at `at_ms` (0: now). Locks the agent's row in
 * the queue: of several agents, in the order of their ids. */
bool events_wake(struct db *db, uint64_t agent_id, int64_t at_ms);

#endif
