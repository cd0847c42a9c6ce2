/* A provider of prices and trades: one file and one row of pure functions. A row says what to ask and how to
 * read the answer; route.h does the I/O for all of them. Nothing here depends on a family of chains:
 * addresses are text as their chain writes them, amounts are in smallest units, and only its own provider
 * understands a payload. */
#ifndef ROUTE_PROVIDER_H
#define ROUTE_PROVIDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "chain/chains.h"
#include "model/bridge.h"
#include "model/quote.h"
#include "net/call.h"
#include "service/ctx.h"

enum {
    PROVIDERS_MAX = 16,
    OFFERS_READ = 48, /* limit of one answer */
    OFFERS_EACH = 4,  /* places that each provider has among all offers */
};

/* A provider's own encoding of a route: what it needs to build the same trade again. At most QUOTE_ROUTE_MAX
 * bytes, in the arena. */
struct payload {
    const uint8_t *data;
    size_t len;
};

/* ---- offers ---- */

struct route_in {
    const struct chain *from_chain, *to_chain;
    struct token_ref from, to; /* a native coin has the address of the table of tokens */
    struct u256 amount_in;
    struct ppm slippage;
    const char *wallet;    /* the payer; NULL: not known yet */
    const char *recipient; /* on the target chain; NULL: the wallet itself */
    bool verifies;         /* asks verify.<chain>, and trusts nothing that other nodes said */
    unsigned unwanted;     /* providers that are not asked: bits in the order of the table */
    bool wants_reference;  /* asks for small parts too, so that the answer has an `ideal` */
    /* Routes of an earlier answer: asks for nothing else. NULL: for everything worth asking. Valid until
     * `ask` returns. */
    const struct route_list *shortlist;
    struct u256 expected; /* what that answer lets expect as the ideal; 0: that is not known */
};

struct offer {
    const struct provider *provider; /* set by route.h */
    const char *label;               /* for people, in the arena: "Uniswap V3 0.05%" */
    struct u256 out;                 /* not zero */
    struct u256 min_out; /* what the provider guarantees; 0: route.h sets it to out less the slippage */
    struct u256 fee;     /* charged on top of input and gas, in the native coin of the source chain */
    uint64_t gas_units;  /* 0: the wallet pays no gas */
    unsigned seconds;    /* until the output arrives, after the transaction itself is done */
    int64_t expires;     /* Unix seconds after which the payload is useless; 0: never */
    const char *spender; /* needs an allowance for the input; NULL: none does */
    struct payload payload;
    struct u256 net;     /* set by route.h: out less gas and fee */
    struct u256 gas_usd; /* set by route.h: the gas in dollars, RATE_PLACES; 0: not known */
    struct u256 fee_usd; /* set by route.h: the fee in dollars, RATE_PLACES; 0: not known */
};

/* A rate: `give` of one thing is worth `get` of another; `get` is zero where the rate is not known. */
struct rate {
    struct u256 give, get;
};

struct gas_price {
    struct u256 per_unit; /* in the native coin */
    struct rate output;   /* from the native coin to the token that is bought */
    struct rate usd;      /* from the native coin to dollars with RATE_PLACES */
};

/* The results of asking a provider. */
enum ask_end {
    ASK_OFFERED,
    ASK_NO_ROUTE,
    ASK_TOO_SMALL,    /* there is a route, but not for so little */
    ASK_PAID_BESIDE,  /* it takes more than the input, and nothing that is signed may */
    ASK_RATE_LIMITED, /* by the provider, or by ourselves before it does */
    ASK_REFUSED,      /* it does not serve us, or not this pair or wallet */
    ASK_TIMEOUT,
    ASK_UNAVAILABLE, /* no answer, or not a readable one */
    ASK_SKIPPED,     /* not asked */
    ASK_ENDS
};

struct route_answer {
    struct offer offers[OFFERS_READ]; /* in any order */
    size_t count;
    struct u256 reference_out; /* the output at the best price of a small part of the input; 0: not known */
    struct payload small;      /* the route with that price */
    struct gas_price gas;      /* on the source chain; zero: the answer does not say */
};

/* ---- transactions ---- */

struct tx_in {
    struct route_in route; /* including the wallet */
    struct u256 min_out;   /* the transaction must fail below it */
    int64_t deadline;      /* Unix seconds; it must fail afterwards, where the provider has deadlines */
    struct payload payload;
};

/* The call that the wallet has to sign. Everything is constant or in the arena. */
struct wallet_call {
    /* The contract to call; on Solana the program, and `data` is the whole transaction, or nothing where its
     * family writes it. */
    const char *to;
    const char *spender; /* needs an allowance for the input; NULL: none does */
    struct u256 value;   /* native coin to send along, fees included */
    const uint8_t *data;
    size_t data_len;
    struct u256 min_out; /* what the call itself guarantees */
    struct u256
        reference_out;  /* the output at the best price of a small part, as the provider says; 0: not said */
    uint64_t gas_units; /* the provider's new estimate; 0: as offered */
    /* Gas for writes of the contracts that a simulation in the newest block does not show: the first trade of
     * a block pays for work that later ones find done. */
    uint64_t unseen_gas;
    const char *reference;  /* the provider's name for it; NULL: it goes by its transaction */
    const char *submit_via; /* by which the provider takes it, signed (ask_send); NULL: nodes alone do */
    unsigned seconds;       /* as offers have them, anew */
    int64_t refund_after;   /* Unix seconds: what has not arrived by then is to come back; 0: not known */
    /* The proof that shows the signer the call's purpose (venue/trade.h), where `data` does not. NULL: all of
     * it is in `data`. */
    const uint8_t *proof;
    size_t proof_len;
};

enum tx_end {
    TX_READY,
    TX_ASKS_MORE, /* `call` is the next question: run it and read again */
    TX_NO_ROUTE,
    TX_NOT_SERVED, /* it does not serve us, or not this */
    TX_TOO_LITTLE, /* there is a route, but it brings less than `min_out` */
    /* It builds nothing for a wallet that does not have the sold token, or not what the fees take. */
    TX_LACKS_INPUT,
    TX_LACKS_GAS,
    TX_UNAVAILABLE, /* no answer, or not a readable one */
    /* Not asked: too many wait for it already, or it is left alone after failures. */
    TX_HELD,
    TX_LEFT_ALONE,
};

struct provider_service;
struct token_list;

/* In each pair, `ask` fills in the call's URL, headers and body, and returns false when it has nothing to
 * ask; what it needs to remember goes to call->owner, in the arena. `read` then runs exactly once per call,
 * however the call ended, and releases what `ask` acquired. The caller frees the call itself. */
struct provider {
    const char *key;        /* as settings and quotes have it */
    const char *former_key; /* by which older quotes know it; NULL: none */
    const char *name;       /* as agents see it */
    /* Its other names, in lower case, ending with NULL; NULL: none. */
    const char *const *nicknames;
    const struct provider_service *service; /* provider_service.h; NULL: it asks the chain itself */
    /* It asks for many candidate routes: the best ones are remembered, and for a while it is asked for those
     * alone. */
    bool has_candidates;
    /* Whether it trades between the chains at all. */
    bool (*supports)(const struct chain *from, const struct chain *to);
    bool (*ask)(struct call *call, const struct ctx *ctx, const struct route_in *in, struct arena *a);
    /* Fills *out, which is zeroed: with one offer at least for ASK_OFFERED, with none otherwise. What the
     * answer repeats of the question has to be as it was asked, or the answer is not readable. */
    enum ask_end (*read)(const struct call *call, const struct route_in *in, struct arena *a,
                         struct route_answer *out);
    /* NULL: the payload is enough, and read_tx gets no call. */
    bool (*ask_tx)(struct call *call, const struct ctx *ctx, const struct tx_in *in, struct arena *a);
    enum tx_end (*read_tx)(struct call *call, const struct tx_in *in, struct arena *a,
                           struct wallet_call *out);
    /* Gives it a transaction of its own making, signed and in Base64, by what wallet_call.submit_via said.
     * What it answers proves nothing, and is not read. NULL: it takes none. */
    bool (*ask_send)(struct call *call, const struct ctx *ctx, const char *submit_via, const char *signed_tx,
                     struct arena *a);
    /* NULL for providers that trade on one chain only. */
    bool (*ask_status)(struct call *call, const struct ctx *ctx, const struct bridge_in *in, struct arena *a);
    void (*read_status)(const struct call *call, const struct bridge_in *in, struct arena *a,
                        struct bridge_status *out);
    /* NULL for providers that publish no lists of tokens (token_list.h). */
    bool (*ask_tokens)(struct call *call, const struct ctx *ctx, const struct chain *c, struct arena *a);
    /* False when the answer is no list. */
    bool (*read_tokens)(const struct call *call, const struct chain *c, struct arena *a,
                        struct token_list *out);
};

/* Chooses the providers of `wanted` (NULL: all) except `excluded`, and sets the others as in route_in; both
 * lists end with a NULL. Returns the first key that names no provider, or NULL; a service that ended can be
 * excluded. */
const char *providers_choose(unsigned *unwanted, const char *const *wanted, const char *const *excluded);

/* A service that ended for good: it is asked no more, and its older trades stay readable. */
struct provider_ended {
    const char *key, *name;
    const char *day; /* "2026-07-30" */
};

extern const struct provider_ended providers_ended[];         /* no key ends the list */
const struct provider_ended *provider_ended(const char *key); /* NULL: none has that key */

extern const struct provider *const providers[]; /* NULL ends the list; the order decides ties */
const char *const *provider_keys(void);          /* of all of them, ending with a NULL */
const struct provider *provider_find(const char *key);
/* The name that agents see; the key itself where there never was such a provider. */
const char *provider_name(const char *key);

#endif
