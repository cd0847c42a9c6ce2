/* Those who lend on a chain, a row each: what to ask its contracts, and how to read the answers. Two rounds:
 * the first finds out which markets there are, the second what is in them. Pure: calldata and return data. */
#ifndef LEND_LENDER_H
#define LEND_LENDER_H

#include "chain/evm/multicall.h"
#include "lend/market.h"
#include "model/lend_listing.h"
#include "service/conf.h"
#include "venue/morpho_state.h"

struct lend_morpho {
    uint8_t id[HASH_LEN];
    struct morpho_market terms;
    struct morpho_state state;
    struct u256 price; /* of collateral in the loan token, of 10^36 for smallest units; 0: unknown */
    uint8_t collateral_decimals;        /* AMOUNT_MAX_DECIMALS + 1: unknown */
    bool accrued;                       /* interest is in `state` */
    const struct lend_listing *listing; /* NULL: the catalogue has it not */
};

enum { LEND_RESERVES_MAX = 128, LEND_MORPHO_MAX = 64 };

/* A chain that is being read. */
struct lend_chain {
    const struct chain *chain;
    struct arena *arena;
    uint64_t now_s;  /* of the block */
    const char *why; /* it cannot be read, where there is more to say than by whom; NULL */
    /* Aave's contracts and reserves. */
    struct evm_addr data_provider, oracle;
    struct evm_addr reserves[LEND_RESERVES_MAX];
    size_t reserve_count;
    /* Morpho's markets; those that the chain does not know are dropped. */
    struct lend_morpho morpho[LEND_MORPHO_MAX];
    size_t morpho_count;
    /* The markets read. */
    struct lend_market *markets; /* a market for each reserve, then one for each of Morpho's */
    size_t count;
    /* The wallets whose balances are asked for, if any, and the one whose turn it is. */
    const struct evm_addr *owners, *owner;
    size_t owner_count;
    uint64_t block; /* in which they have it */
    struct lend_position *positions;
    size_t position_count;
    struct lend_account *accounts;
    size_t account_count;
};

/* The answers to a round, taken one after the other in the order of asking. */
struct lend_answers {
    struct multicall_results results;
    unsigned next;
};
/* The next call's answer. One that was not answered is missing: false, and no bytes. */
bool lend_answer(const uint8_t **data, size_t *len, struct lend_answers *r);
bool lend_answer_word(struct u256 *out, struct lend_answers *r);
bool lend_answer_addr(struct evm_addr *out, struct lend_answers *r);
/* `ask` writes the calldata for each of these. */
void lend_ask(struct multicall *m, struct evm_addr target, void (*ask)(struct buf *out));
void lend_ask_of(struct multicall *m, struct evm_addr target,
                 void (*ask)(struct buf *out, struct evm_addr of), struct evm_addr of);

struct lend_market *lend_market_add(struct lend_chain *c);
void lend_position_add(struct lend_chain *c, struct lend_position p);
void lend_account_add(struct lend_chain *c, struct lend_account k);

struct lender {
    const char *protocol;
    /* Each pair asks and reads the same calls; false: what was read is malformed, or is not all there. */
    void (*find)(const struct lend_chain *c, struct multicall *m);
    bool (*found)(struct lend_chain *c, struct lend_answers *r);
    void (*ask)(const struct lend_chain *c, struct multicall *m);
    bool (*read)(struct lend_chain *c, struct lend_answers *r);
    /* In the second round too, about the owner. */
    void (*ask_owner)(const struct lend_chain *c, struct multicall *m);
    bool (*read_owner)(struct lend_chain *c, struct lend_answers *r);
};

/* Ending with NULL. */
extern const struct lender *const lenders[];

/* The ids of Morpho's markets on the chain, as the operator lists them; false when they are none. */
bool lend_morpho_ids(struct lend_chain *c, const struct conf *conf);
/* Behind them those of the catalogue, as many as there is room for. The list is kept by reference. */
void lend_morpho_add_listings(struct lend_chain *c, const struct lend_listing *list, size_t count);
/* Refuses settings that lend_morpho_ids cannot read. */
void lend_check_settings(const struct conf *conf);

#endif
