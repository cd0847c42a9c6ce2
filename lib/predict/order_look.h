/* A look at a wallet's orders at the venue: the list of those that rest, a page at a time; then each that was
 * to be there and is not, by itself; then the trades, if an order was matched and is not settled. Cancels
 * that are asked for go out with the list, and their orders are looked up by themselves. Looks at many
 * wallets run side by side: none waits for another. */
#ifndef PREDICT_ORDER_LOOK_H
#define PREDICT_ORDER_LOOK_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "model/order.h"
#include "model/predict_account.h"
#include "predict/clob_orders.h"
#include "predict/clob_private.h"
#include "predict/order_verdict.h"
#include "service/ctx.h"

enum { LOOK_MS = 15000, LOOK_CALL_MS = 5000, STRANGERS_MAX = 16 };

/* One order, and what the look shows of it. */
struct order_look {
    const struct order *order;
    struct order_fills fills; /* the stored ones, at first */
    struct order_sight sight;
};

struct wallet_look {
    /* what to look at */
    const struct ctx *ctx;
    struct arena *arena; /* of everything that the look reads */
    const struct predict_account *account;
    const struct clob_credentials *credentials;
    struct order_look *orders;
    unsigned count;
    int64_t now_ms;         /* by the database's clock */
    bool each_alone;        /* no list is asked for */
    unsigned deadline_ms;   /* LOOK_MS, or less */
    bool (*stopping)(void); /* then it asks no further; NULL: it is not stopped */
    void *owner;            /* the caller's own */
    /* what it shows besides */
    struct clob_order strangers[STRANGERS_MAX]; /* orders in the list that are none of these */
    unsigned stranger_count;
    enum clob_fault fault; /* CLOB_LATER, CLOB_UNAUTHORIZED: not everything was answered */
    int64_t retry_after_s; /* that the venue asks for; 0: it does not */
    /* its own */
    int phase;
    unsigned running, pages;
    bool list_failed;
    int64_t until_ms, trades_since_ms;
};

/* Sets the sights of its orders to silence. */
void wallet_look_init(struct wallet_look *l);
/* Starts its first calls with ctx->net. Returns false when there is nothing to wait for: it is over. */
bool wallet_look_begin(struct wallet_look *l);

struct call;
/* Whose look it is that a call, which net_wait has returned, belongs to. */
struct wallet_look *wallet_look_of(const struct call *c);
/* Reads a call that has ended, frees it, and starts those that follow from it. Returns false when the look is
 * over: every order's sight is set. */
bool wallet_look_go_on(struct call *c);

#endif
