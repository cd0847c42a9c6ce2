/* The calls that may be signed, as data: where each member of a trade stands among a call's arguments. A
 * family of contracts has its rows beside its encoders; families[] lists them all. A call is read whole:
 * offsets where Solidity's own encoder puts them, no dirty bytes, nothing left over. */
#ifndef VENUE_CALLS_H
#define VENUE_CALLS_H

#include "venue/trade.h"

struct place {
    enum {
        NOWHERE,
        WORD,       /* word number `word` of the head */
        TAIL_FIRST, /* the first address of the tail */
        TAIL_LAST,
        COIN,   /* the chain's coin */
        CALLED, /* the contract that is called */
        VALUE,  /* the transaction's value */
        SENDER,
    } at;
    unsigned word;
};

struct evm_call {
    const struct chain *chain;
    const char *to, *sender; /* EIP-55 */
    struct u256 value;
    const uint8_t *args; /* behind the selector */
    size_t len;
};

struct call_row {
    enum contract_kind kind;
    uint32_t selector; /* 0 ends a family's rows */
    enum trade_act act;
    /* Instead of everything below, for a call that contains calls. */
    bool (*read)(struct trade *out, const struct evm_call *call);
    bool in_struct;   /* the arguments are a single struct, behind its offset */
    unsigned words;   /* of the head, or of the struct's */
    unsigned zeros;   /* bit set of the words that must be zero */
    unsigned tail_at; /* the word with the tail's offset */
    enum { TAIL_NONE, TAIL_ADDRESSES, TAIL_V3_PATH } tail;
    struct place sell, amount, buy, minimum, recipient, spender, deadline;
    bool takes_coin; /* sent as value, it pays for the wrapped coin */
};

extern const struct call_row erc20_calls[], wrapped_native_calls[], uniswap_v2_calls[], uniswap_v3_calls[];

/* NULL: contracts of that kind must not be called so. */
const struct call_row *call_row_of(enum contract_kind kind, uint32_t selector);
/* False when the bytes are not such a call. */
bool call_read(struct trade *out, const struct call_row *row, const struct evm_call *call);

/* Reads `bytes` whose length stands at byte *at; moves *at past them and their padding, which must be zero.
 */
bool call_read_bytes(const uint8_t **p, size_t *n, const struct evm_call *call, size_t *at);

#endif
