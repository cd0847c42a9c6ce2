/* A provider of prices: a small struct of pure functions. It says what to ask and how to read the answer, and
 * builds the wallet's call for an offer that was chosen; the network is somebody else's. */
#ifndef ROUTE_PROVIDER_H
#define ROUTE_PROVIDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/buf.h"
#include "chain/chains.h"
#include "chain/evm/addr.h"
#include "model/quote.h"
#include "net/call.h"
#include "service/ctx.h"

struct route_in {
    const struct chain *from_chain, *to_chain;
    struct token_ref from, to;
    struct evm_addr from_addr, to_addr; /* zero: the native coin */
    struct u256 amount_in;
    struct ppm slippage;
    bool verifies;    /* asks verify.<chain>, and trusts nothing that other nodes said */
    bool wants_ideal; /* small parts are to be asked for too, so that offers have an `ideal` */
};

struct provider;

enum { OFFERS_MAX = 16, OFFER_LABEL_MAX = 64 };

struct offer {
    const struct provider *provider;
    char label[OFFER_LABEL_MAX]; /* for people: "Uniswap V3 0.05%" */
    struct u256 out;
    struct u256 net;   /* out less the gas, in smallest units of what is bought */
    struct u256 ideal; /* what amount_in would fetch at the best price of a small part of it; 0: not known */
    uint64_t gas_units;
    struct u256 gas_usd;            /* what the gas costs in dollars, RATE_PLACES; 0: not known */
    uint8_t route[QUOTE_ROUTE_MAX]; /* the provider's own: enough to build the call again */
    size_t route_len;
};

/* What the wallet has to call, and who must be allowed to take the input first. */
struct wallet_call {
    struct evm_addr to;
    struct u256 value;
    struct buf data; /* owned */
    /* What the contracts may write that a trial in the newest block does not show, in gas: the first trade of
     * a block pays for what later ones find done. */
    uint64_t unseen_gas;
    bool allowance; /* the input is a token that `spender` takes */
    struct evm_addr spender;
};

struct provider {
    const char *key; /* as quotes store it */
    bool (*supports)(const struct route_in *in);
    /* Fills URL, headers, body and, for its own use in `read`, owner; false when it has nothing to ask. */
    bool (*ask)(struct call *call, const struct ctx *ctx, const struct route_in *in, struct arena *a);
    /* Ends what `ask` began, whatever became of the call: the offers in its answer, with `net` already set;
     * none when there is no answer, or no route; one of nothing when the amount is too small. */
    size_t (*read)(const struct call *call, const struct route_in *in, struct arena *a, struct offer *out,
                   size_t max);
    /* The call that carries an offer out for `wallet`; reverts when less than min_out arrives or after
     * deadline (Unix seconds). Only targets of the provider's own list for the chain. */
    bool (*build)(struct wallet_call *out, const struct quote *q, const struct chain *c,
                  struct evm_addr wallet, int64_t deadline);
};

extern const struct provider *const providers[]; /* NULL ends the list; the order decides ties */
const struct provider *provider_find(const char *key);

#endif
