/* A look at a wallet's orders at a venue, in rounds of questions, each of which depends on what the one
 * before was answered: first the list of what rests, while cancels that are asked for go out; then each order
 * that was to be there and is not, by itself; then trades. Looks at many wallets run side by side: none waits
 * for another. What is asked, and what an answer means, is the venue's (orders/follower.h). */
#ifndef ORDERS_LOOK_H
#define ORDERS_LOOK_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "net/call.h"
#include "service/ctx.h"

enum { LOOK_MS = 15000, LOOK_CALL_MS = 5000 };

enum look_round { LOOK_LISTS, LOOK_ORDERS, LOOK_TRADES, LOOK_ROUNDS };

struct order_follower;

/* The first member of a venue's own. */
struct orders_look {
    /* what to look at */
    const struct order_follower *follower; /* whose orders these are */
    const struct ctx *ctx;
    struct arena *arena; /* of everything that the look reads */
    uint64_t wallet_id;
    int64_t now_ms;         /* by the database's clock */
    bool each_alone;        /* no list is asked for */
    unsigned deadline_ms;   /* LOOK_MS, or less */
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
struct look_call {
    struct call call;
    struct orders_look *look;
    int question; /* the venue's own; so is the next */
    void *order;
};

/* One to fill in, and to hand to look_ask. NULL: it is too late for it, which makes the look silent. */
struct look_call *look_call_new(struct orders_look *l, int question, void *order);
void look_ask(struct look_call *c);
/* The venue wants to be asked no sooner. */
void look_note_retry(struct orders_look *l, const struct call *c);

/* Starts its first calls with ctx->net. Returns false when there is nothing to wait for: it is over. */
bool look_begin(struct orders_look *l);
/* The look of a call that net_wait has returned. */
struct orders_look *look_of(const struct call *c);
/* Has a call read that has ended, frees it, and starts those that follow from it. Returns false when the look
 * is over. */
bool look_go_on(struct call *c);
/* From its beginning to its end, while nothing else runs. */
void look_run(struct orders_look *l);

#endif
