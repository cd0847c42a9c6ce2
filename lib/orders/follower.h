/* The functions of a venue for following its orders: one row. The rows are above this folder, so they are
 * found by order_followers, which registry/followers.c defines. */
#ifndef ORDERS_FOLLOWER_H
#define ORDERS_FOLLOWER_H

#include "base/err.h"
#include "base/lookup.h"
#include "codec/uuid.h"
#include "model/order.h"
#include "orders/account_poll.h"

/* The common members of orders at all venues. */
struct order_ref {
    uint64_t id; /* in its table */
    uint64_t execution_id, wallet_id;
    enum order_status status;
};

struct order_follower {
    enum order_venue venue;
    unsigned claim_every_ms; /* between two claims of a host: how often the venue may be asked */
    unsigned wallets_max;    /* that are looked at side by side */
    /* A look for each account that the owner has claimed (store/order_leases.h), with its wallet and its
     * time; `over` where there is nothing to ask. False when the database failed. */
    bool (*claimed)(const struct ctx *ctx, struct arena *a, const struct uuid *owner,
                    struct account_poll ***out, unsigned *n);
    /* Starts a round's questions, by poll_ask; there may be none. */
    void (*ask[POLL_ROUNDS])(struct account_poll *l);
    /* Reads the answer, or that there is none; it may ask on in the same round. */
    void (*read)(const struct poll_call *c);
    /* Writes down what follows from it. Returns whether all is recorded, and nothing was found that has to be
     * looked at soon. */
    bool (*record)(struct account_poll *l);
    /* Until it is looked at again; 0: it has nothing left. */
    unsigned (*pause_ms)(const struct account_poll *l, bool recorded);
    /* Releases what it holds. NULL: nothing. */
    void (*end)(struct account_poll *l);
    /* ---- one order; `order` and `out` are the venue's own ---- */
    /* The agent's, by the id that is shown. */
    enum lookup (*find)(const struct ctx *ctx, struct arena *a, uint64_t agent_id, const char *id, void *out,
                        struct order_ref *ref);
    const struct err *not_found, *not_open;
    /* Polls of it within this time, and cancels it before if it is to be cancelled; the caller reads it
     * again. Not inside a transaction. False when that is not definite, or nothing could be recorded. */
    bool (*poll_one)(const struct ctx *ctx, struct arena *a, const void *order, unsigned deadline_ms);
};

extern const struct order_follower *const order_followers[ORDER_VENUES];

#endif
