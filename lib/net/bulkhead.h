/* Limits how many of the workers that may wait do wait for third parties (nodes, aggregators, callbacks):
 * three quarters in total, while the rest answer, a third (rounded up) for one agent and half in one lane. A
 * lane is what becomes slow together, such as the nodes of a chain: one that hangs leaves room for the
 * others. Requests beyond the limits queue as long as any of those who are in their way (all who wait, those
 * of the agent, or those in the lane) get on: enter, or begin or end a wait in a lane. So neither a burst nor
 * a busy machine is an overload; once none does, no request queues behind them for a while. Calls that close,
 * cancel or withdraw have a few places more, of each kind, which no other call can fill. A receiver that an
 * agent chose itself takes no place of these: few are waited for at once, and one for an agent. Each worker
 * has one place in shared memory, which the parent clears when the worker ends: a killed one holds
 * nothing. */
#ifndef NET_BULKHEAD_H
#define NET_BULKHEAD_H

#include <stdbool.h>
#include <stdint.h>

enum {
    BULKHEAD_LANES = 64,
    BULKHEAD_CHAINS = 40, /* the first ones: chains' nodes, in the order of their table; then providers */
    BULKHEAD_PERPS = 59,  /* answers of the venue of perpetuals, and waiting for the worker that asks */
    BULKHEAD_LENDING,     /* the state of lending markets, and waiting for the worker that asks */
    BULKHEAD_FEED,        /* the price feed */
    BULKHEAD_MARKETS,     /* public answers of the prediction venue, and waiting for the worker that asks */
    BULKHEAD_EXCHANGE,    /* its interface for orders and wallets */
};

struct bulkhead;

/* Call before forking. Exits when there is no memory. */
struct bulkhead *bulkhead_new(unsigned workers);
void bulkhead_free(struct bulkhead *s);
/* In the child: makes it worker number `own`. */
void bulkhead_own(struct bulkhead *s, unsigned own);
/* In the parent, when the worker of that number has ended: what it held is free. */
void bulkhead_clear(struct bulkhead *s, unsigned number);

/* The agent of all who call without a key. */
#define BULKHEAD_ANYBODY UINT64_MAX

/* Enclose the work on a request that waits for third parties; nested pairs count once. false: too many are
 * waiting already. */
bool bulkhead_enter(struct bulkhead *s, uint64_t agent_id);
/* The same for a call that closes, cancels or withdraws. */
bool bulkhead_enter_to_free(struct bulkhead *s, uint64_t agent_id);
void bulkhead_leave(struct bulkhead *s);
/* Enclose the wait for the agent's own receiver. false: too many are waited for, or one of the agent is. */
bool bulkhead_test_enter(struct bulkhead *s, uint64_t agent_id);
void bulkhead_test_leave(struct bulkhead *s);
/* The agent whose request this worker waits for; 0: none, or NULL. */
uint64_t bulkhead_agent(const struct bulkhead *s);

/* Enclose waiting for another request of the agent's, which needs a place itself: such waits count among all,
 * not among the agent's. An eighth of the workers may wait so for one agent, a quarter in total, at least
 * one; false at once: too many do. */
bool bulkhead_stand_by(struct bulkhead *s, uint64_t agent_id);
void bulkhead_stand_down(struct bulkhead *s);

/* Enclose waiting in a lane; false as above. */
bool bulkhead_take_lane(struct bulkhead *s, unsigned lane);
void bulkhead_give_lane(struct bulkhead *s, unsigned lane);
/* The number of workers that wait in some lane; for any process. */
unsigned bulkhead_waiting(const struct bulkhead *s);
/* Whether the lane was full since the outermost bulkhead_enter. */
bool bulkhead_lane_was_full(const struct bulkhead *s, unsigned lane);

#endif
