/* A poll of a wallet's orders at a venue, in rounds of questions, each of which depends on what the one
 * before was answered: first the list of what rests, while cancels that are asked for go out; then each order
 * that was to be there and is not, by itself; then trades. Polls of many wallets run side by side: none waits
 * for another. What is asked, and what an answer means, is the venue's (orders/follower.h). */
#ifndef ORDERS_ACCOUNT_POLL_H
#define ORDERS_ACCOUNT_POLL_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "net/call.h"
#include "service/ctx.h"

enum { POLL_MS = 15000, POLL_CALL_MS = 5000 };

enum poll_round { POLL_LISTS, POLL_ORDERS, POLL_TRADES, POLL_ROUNDS };

struct order_follower;

/* The first member of a venue's own. */
struct account_poll {
    /* what to look at */
    const struct order_follower *follower; /* whose orders these are */
    const struct ctx *ctx;
    struct arena *arena; /* of everything that the poll reads */
    uint64_t wallet_id;
    int64_t now_ms;         /* by the database's clock */
    bool each_alone;        /* no list is asked for */
    unsigned deadline_ms;   /* POLL_MS, or less */
    bool (*stopping)(void); /* then it asks no further; NULL: it is not stopped */
    void *owner;            /* the caller's own */
    /* what it shows besides */
    bool silent;           /* not everything was asked, or answered */
    int64_t retry_after_s; /* that the venue asks for; 0: it does not */
    bool over;             /* asks no further: there is nothing to ask, or no use */
    /* its own */
    unsigned round, running;
    int64_t until_ms;
};

/* A question. */
struct poll_call {
    struct call call;
    struct account_poll *poll;
    int question; /* the venue's own; so is the next */
    void *order;
};

/* One to fill in, and to hand to poll_ask. NULL: it is too late for it, which makes the poll silent. */
struct poll_call *poll_call_new(struct account_poll *l, int question, void *order);
void poll_ask(struct poll_call *c);
/* The venue wants to be asked no sooner. */
void poll_note_retry(struct account_poll *l, const struct call *c);

/* Starts its first calls with ctx->net. Returns false when there is nothing to wait for: it is over. */
bool poll_begin(struct account_poll *l);
/* The poll of a call that net_wait has returned. */
struct account_poll *poll_of(const struct call *c);
/* Has a call read that has ended, frees it, and starts those that follow from it. Returns false when the poll
 * is over. */
bool poll_go_on(struct call *c);
/* From its beginning to its end, while nothing else runs. */
void poll_run(struct account_poll *l);

#endif
