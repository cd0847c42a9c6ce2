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
#ifndef NET_SLOTS_H
#define NET_SLOTS_H

#include <stdbool.h>
#include <stdint.h>

enum {
    SLOTS_LANES = 64,
    SLOTS_CHAINS = 40, /* the first ones: chains' nodes, in the order of their table; then providers */
    SLOTS_PERPS = 59,  /* answers of the venue of perpetuals, and waiting for the worker that asks */
    SLOTS_LENDING,     /* the state of lending markets, and waiting for the worker that asks */
    SLOTS_FEED,        /* the price feed */
    SLOTS_MARKETS,     /* public answers of the prediction venue, and waiting for the worker that asks */
    SLOTS_EXCHANGE,    /* its doors for orders and wallets */
};

struct slots;

/* Call before forking. Exits when there is no memory. */
struct slots *slots_new(unsigned workers);
void slots_free(struct slots *s);
/* In the child: makes it worker number `own`. */
void slots_own(struct slots *s, unsigned own);
/* In the parent, when the worker of that number has ended: what it held is free. */
void slots_clear(struct slots *s, unsigned number);

/* The agent of all who call without a key. */
#define SLOTS_ANYBODY UINT64_MAX

/* Enclose the work on a request that waits for third parties; nested pairs count once. false: too many are
 * waiting already. */
bool slots_enter(struct slots *s, uint64_t agent_id);
/* The same for a call that closes, cancels or withdraws. */
bool slots_enter_to_free(struct slots *s, uint64_t agent_id);
void slots_leave(struct slots *s);
/* Enclose the wait for the agent's own receiver. false: too many are waited for, or one of the agent is. */
bool slots_test_enter(struct slots *s, uint64_t agent_id);
void slots_test_leave(struct slots *s);
/* The agent whose request this worker waits for; 0: none, or NULL. */
uint64_t slots_agent(const struct slots *s);

/* Enclose waiting for another request of the agent's, which needs a place itself: such waits count among all,
 * not among the agent's. An eighth of the workers may wait so for one agent, a quarter in total, at least
 * one; false at once: too many do. */
bool slots_stand_by(struct slots *s, uint64_t agent_id);
void slots_stand_down(struct slots *s);

/* Enclose waiting in a lane; false as above. */
bool slots_take_lane(struct slots *s, unsigned lane);
void slots_give_lane(struct slots *s, unsigned lane);
/* The number of workers that wait in some lane; for any process. */
unsigned slots_waiting(const struct slots *s);
/* Whether the lane was full since the outermost slots_enter. */
bool slots_lane_was_full(const struct slots *s, unsigned lane);

#endif
