/* The plan of a wallet's acts: its transactions on one chain, in order, then its signed requests to venues;
 * the amounts that leave it and have to arrive. A market makes the plan; the chain's family tries and signs
 * the steps, the venues' rows sign the requests. Addresses and tokens are texts as the family writes them.
 * Texts and bytes are borrowed, usually from the arena of the request. */
#ifndef EXEC_PLAN_H
#define EXEC_PLAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/err.h"
#include "chain/chains.h"
#include "model/execution.h"
#include "model/loan.h"
#include "store/transactions.h"

enum {
    PLAN_MAX_STEPS = 6,
    PLAN_MAX_REQUESTS = 4,
    PLAN_MAX_OTHERS = 12,
    PLAN_AFTER_MAX = 2048,
    PLAN_VALID_FOR_S = 180,
    PLAN_UNSIGNED_VALID_FOR_S = 20 * 60,
};

/* One transaction. */
struct step {
    enum tx_kind kind;
    const char *to;
    struct u256 value;   /* native coin */
    const uint8_t *data; /* of the call; on Solana the whole transaction, unsigned */
    size_t data_len;
    const char *token;   /* it spends or allows `token_amount` of this token; NULL: none */
    const char *spender; /* then: who may take it; NULL: it is burnt, as in unwrapping */
    struct u256 token_amount;
    uint64_t quoted_gas; /* that the maker of the call says it uses */
    uint64_t unseen_gas; /* that the call may use beyond what it uses in a simulation */
    uint64_t
        data_gas; /* that the chain charges for the step's bytes beyond the usual, after the simulation */
    uint64_t gas_limit;   /* set by the simulation */
    bool drifts;          /* what it uses grows with the time from the simulation to its block */
    const uint8_t *proof; /* what the signer is shown in addition to the transaction; of none 0 bytes */
    size_t proof_len;
    uint64_t expiry;        /* as transactions have it */
    const char *submit_via; /* as transactions have it */
};

struct venue;

/* One signed request. It is sent once all steps are confirmed and the requests before it are filled. */
struct plan_request {
    const struct venue *venue;  /* exec/venue.h */
    const void *order;          /* what is asked for, as the market and the venue's row know it */
    const uint8_t *signing_key; /* address or public key of whose signature it will bear */
    size_t signing_key_len;     /* 1 to 64 */
    const char *to;             /* who can take value by it, such as an exchange's contract; NULL: none */
    /* The venue refuses it afterwards; 0: it knows no end, and the request is cancelled there when it is not
     * sent any more and was never taken. */
    int64_t expires_ms;
    unsigned valid_ms; /* in its place: so long from when the wallet's lock is asked for */
};

/* An amount of a token. */
struct plan_amount {
    struct token_ref token;
    bool native; /* the chain's own coin */
    struct u256 amount;
};

/* The payment on another chain that the spending step orders from a bridge provider. */
struct plan_bridge {
    const char *bridge_provider; /* who answers for it: exec/bridge_provider.h */
    const char *reference;       /* its name for it; NULL: it goes by its transaction */
    int64_t deadline;            /* Unix seconds: a refund is due after it; 0: not known */
    unsigned seconds;            /* that it takes, as estimated */
};

struct plan {
    const struct chain *chain; /* of the steps; NULL: there are none */
    const char *wallet;
    /* Unix seconds: the chain refuses the spending step after it, and no request is sent any more. */
    int64_t deadline;
    struct step steps[PLAN_MAX_STEPS];
    unsigned count;
    unsigned spend; /* the step that does what the plan is for, and whose hash is shown; or 0 */
    struct plan_request requests[PLAN_MAX_REQUESTS];
    unsigned request_count;
    struct plan_amount leaves;  /* fees apart */
    bool leaves_unknown;        /* the amount is unknown: policies' limits refuse it */
    struct plan_amount arrives; /* at least this much by the steps, or the plan is refused */
    const struct loan *loan;    /* what the spending step has a lender do; NULL: no lender has a part in it */
    const struct plan_bridge *bridge; /* there exactly when that arrives on another chain; NULL */
    /* The recipient of what the steps buy or transfer, where that is not the wallet: the signer has to know
     * it. NULL: the wallet. */
    const char *recipient;
    bool exact; /* a transfer by which the recipient has to get just what leaves, no less and nothing besides
                 */
    /* Others have prepared the spending step's call: it is carried out only after a simulation. */
    bool by_others;
    /* Further tokens that the wallet may hold, of which nothing may leave. */
    struct address_bytes others[PLAN_MAX_OTHERS];
    unsigned other_count;
    const char *fee_receiver; /* whom the trade may pay a share, as the operator wishes; NULL: none */
    /* A read of the market's own, put to the node in the same round trip. EVM: calldata of Multicall3. NULL:
     * none. */
    const uint8_t *probe;
    size_t probe_len;
    /* Another one, which the simulation makes before the steps and after them: what it returns then, at most
     * PLAN_AFTER_MAX bytes, is for the market to judge. A plan with it is carried out only after a
     * simulation. */
    const uint8_t *after;
    size_t after_len;
    const char *not_kept; /* why the guard refuses the steps; NULL: it was not asked, or does not */
    struct u256
        reference_out; /* where nothing can be read: what that read would say, on the provider's word; or 0 */
};

/* The price of a unit of gas. */
struct fees {
    bool legacy;                       /* max_fee is paid, and there is no tip */
    struct u256 max_fee, priority_fee; /* smallest units of the native coin */
};

/* A node's answers, all read at or after block `block`. */
struct chain_state {
    int64_t asked_ms; /* monotonic; not younger than that */
    uint64_t block;
    uint64_t tried_at; /* the node's own block, which the simulation is of: below `block` where that node is
                          behind */
    bool behind; /* the node lacks transactions that agents were told of: these were laid over its balances */
    uint64_t nonce;   /* the wallet's count, pending transactions included */
    bool nonce_alone; /* one node says so */
    bool disputed;    /* nodes differ in whether it goes through */
    struct fees fees;
    bool l1_fee_told;   /* there was an answer about the next one */
    struct u256 l1_fee; /* native coin that the chain charges on top for its data, for the whole plan */
    struct u256 native_balance;
    /* The coin that the wallet must have after paying its fees, even if all of it leaves then; 0: none. */
    struct u256 native_least;
    struct u256 token_balance;   /* of what leaves; 0 where that is the native coin */
    struct u256 allowance;       /* of the spending step's spender; 0 for the native coin */
    struct unplaced_list placed; /* transactions of the wallet, where they were looked up */
    bool tried;                  /* the simulation ran to its end */
    bool gas_absurd;             /* it showed more gas than any transaction of the kind takes */
    bool unverified;             /* no node could run it, and nothing suggests that it fails */
    bool price_moved;            /* it failed because less than the minimum would have arrived */
    bool short_of_coin;          /* it failed for lack of coin for fees and deposits */
    bool below_least;            /* it failed as the recipient's new account would hold less than it must */
    struct u256
        arrives;        /* what the recipient got in the simulation; of a bridge, or of coin given, nothing */
    struct u256 leaves; /* what it gave; known of bridges alone */
    const char *revert; /* why it failed, as far as it is known; NULL */
    const uint8_t *revert_data; /* EVM: what a call reverted with, as it came; NULL: none, or none known */
    size_t revert_len;
    const char *advice;    /* what its owner may do about that; NULL */
    const uint8_t *probed; /* what the plan's probe returned; NULL: nothing */
    size_t probed_len;
    const uint8_t *after; /* what the plan's `after` returned behind the steps; NULL: nothing */
    size_t after_len;
    const uint8_t *after_apart; /* the same from another node's simulation; NULL: there is none */
    size_t after_apart_len;
};

/* Its steps take nothing: by them those whom the requests go to may take what leaves. Whether that is there
 * is the market's to check, as where there are no steps. */
bool plan_only_allows(const struct plan *p);

/* Whether what arrives of an exact transfer is a few units off, and less than a thousandth, as with tokens
 * that count shares. */
bool plan_rounds_shares(const struct plan *p, const struct chain_state *st);
/* NULL when at least the minimum arrived in the simulation, or exactly the input of a bridge left, or no node
 * could run it; else the refusal, in the arena where it says more than others of its kind. */
const struct err *plan_verdict(struct arena *a, const struct plan *p, const struct chain_state *st);

/* Every address that the plan trusts with value, an allowance or a signed promise, ending with NULL, in the
 * arena. An approval gives its token's contract nothing. */
const char *const *plan_recipients(struct arena *a, const struct plan *p);

#endif
