/* A provider of prices and trades: one file and one row of pure functions. It says what to ask and how to
 * read the answer; route.h does the I/O for all of them. Nothing here belongs to a family of chains:
 * addresses are text as their chain writes them, amounts are smallest units, and a payload is known to its
 * provider alone. */
#ifndef ROUTE_PROVIDER_H
#define ROUTE_PROVIDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "chain/chains.h"
#include "model/quote.h"
#include "net/call.h"
#include "service/ctx.h"

enum {
    PROVIDERS_MAX = 16,
    OFFERS_READ = 48, /* that one answer may hold */
    OFFERS_EACH = 4,  /* places of each provider among all offers */
};

/* A provider's own bytes: what it needs to find or build the same trade again. At most QUOTE_ROUTE_MAX of
 * them, in the arena. */
struct payload {
    const uint8_t *data;
    size_t len;
};

/* ---- offers ---- */

struct route_in {
    const struct chain *from_chain, *to_chain;
    struct token_ref from, to; /* a native coin has its family's zero address */
    struct u256 amount_in;
    struct ppm slippage;
    const char *wallet; /* that pays; NULL: not known yet */
    bool verifies;      /* asks verify.<chain>, and trusts nothing that other nodes said */
    bool wants_ideal;   /* small parts are to be asked for too, so that the answer has an `ideal` */
    /* Of an earlier answer: nothing else is to be asked for. None: whatever is worth asking. Valid until
     * `ask` returns. */
    const struct payload *shortlist;
    size_t shortlist_count;
};

struct offer {
    const struct provider *provider; /* set by route.h */
    const char *label;               /* for people, in the arena: "Uniswap V3 0.05%" */
    struct u256 out;                 /* not zero */
    struct u256 min_out;             /* that is guaranteed; 0: out less the slippage, which route.h sets */
    struct u256 fee;     /* on top of the input and the gas, in smallest units of the source's native coin */
    uint64_t gas_units;  /* 0: none are paid */
    unsigned seconds;    /* until it arrives, beyond the transaction itself */
    int64_t expires;     /* Unix seconds; nothing can be built of the payload afterwards. 0: always can */
    const char *spender; /* that has to be allowed to take the input; NULL: nobody */
    struct payload payload;
    struct u256 net;     /* set by route.h: out less gas and fee, in smallest units of what is bought */
    struct u256 gas_usd; /* likewise: what the gas costs in dollars, RATE_PLACES; 0: not known */
};

/* `get` of one thing for `give` of another; zero where it is not known. */
struct rate {
    struct u256 give, get;
};

/* What gas costs. */
struct gas_price {
    struct u256 per_unit; /* smallest units of the native coin */
    struct rate output;   /* such units, in smallest units of what is bought */
    struct rate usd;      /* such units, in dollars with RATE_PLACES */
};

struct route_answer {
    struct offer offers[OFFERS_READ]; /* in any order */
    size_t count;
    bool dust;         /* there is a route, but what goes in is too little to bring anything */
    struct u256 ideal; /* what amount_in would bring at the best price of a small part of it; 0: not known */
    struct payload small; /* of the route with that price */
    struct gas_price gas; /* on the source chain, where the answer says so too */
};

/* ---- what carries an offer out ---- */

struct tx_in {
    struct route_in route; /* with its wallet */
    struct u256 min_out;   /* nothing below may be accepted by what is signed */
    int64_t deadline;      /* Unix seconds; nor anything later, where the provider has deadlines */
    struct payload payload;
};

/* What the wallet has to sign. All of it in the arena or constant. */
struct wallet_call {
    const char *to;      /* contract that is called; NULL: `data` is a whole transaction */
    const char *spender; /* that takes the input and has to be allowed to; NULL: nobody */
    struct u256 value;   /* native coin that goes along, fees included */
    const uint8_t *data;
    size_t data_len;
    struct u256 min_out; /* that the call itself guarantees */
    /* What the contracts may write that a trial in the newest block does not show, in gas: the first trade of
     * a block pays for what later ones find done. */
    uint64_t unseen_gas;
};

enum tx_end {
    TX_READY,
    TX_ASKS_MORE, /* the call was made anew: run it, and read again */
    TX_NO_ROUTE,
    TX_SILENT, /* no answer, or none that can be read */
};

/* ---- bridges ---- */

struct bridge_in {
    const struct chain *from_chain, *to_chain;
    const char *tx; /* on the source chain, as the chain writes it */
    struct payload payload;
};

struct bridge_status {
    enum {
        BRIDGE_UNKNOWN, /* nothing follows from the answer */
        BRIDGE_UNDER_WAY,
        BRIDGE_DONE,
        BRIDGE_REFUNDED,
        BRIDGE_FAILED,
    } state;
    const char *tx;    /* on the target chain; NULL: not known */
    const char *token; /* that arrived there; NULL: the one that was bought */
    struct u256 amount;
};

/* Of each pair, `ask` fills URL, headers and body of a call, keeps what it wants to remember in the arena,
 * with the call's owner, and returns false where it has nothing to ask; `read` is called once for each such
 * call, whatever became of it, and ends what `ask` began. The call itself is freed by the caller. */
struct provider {
    const char *key;  /* as quotes store it */
    const char *name; /* as agents see it */
    /* Its answers hold every candidate it knows of: the best are remembered, and for a while asked alone. */
    bool has_candidates;
    /* By the chains alone. */
    bool (*supports)(const struct chain *from, const struct chain *to);
    bool (*ask)(struct call *call, const struct ctx *ctx, const struct route_in *in, struct arena *a);
    /* *out begins empty. False when nothing was answered, or nothing that can be read. */
    bool (*read)(const struct call *call, const struct route_in *in, struct arena *a,
                 struct route_answer *out);
    /* NULL: all that is needed is in the payload, and read_tx gets no call. */
    bool (*ask_tx)(struct call *call, const struct ctx *ctx, const struct tx_in *in, struct arena *a);
    enum tx_end (*read_tx)(struct call *call, const struct tx_in *in, struct arena *a,
                           struct wallet_call *out);
    /* NULL where source and target are one chain. */
    bool (*ask_status)(struct call *call, const struct ctx *ctx, const struct bridge_in *in, struct arena *a);
    void (*read_status)(const struct call *call, const struct bridge_in *in, struct arena *a,
                        struct bridge_status *out);
};

extern const struct provider *const providers[]; /* NULL ends the list; the order decides ties */
const struct provider *provider_find(const char *key);
/* How agents know it; the key itself where there is no such provider any more. */
const char *provider_name(const char *key);

#endif
