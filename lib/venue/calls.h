/* The calls that may be signed, as data: where each member of a trade stands among a call's arguments. A
 * family of contracts has its rows beside its encoders, and its kinds of contracts name them. A call is read
 * whole: offsets where Solidity's own encoder puts them, no dirty bytes, nothing left over. */
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

/* What stands behind the head, and the two addresses that a row may name of it. */
struct call_tail {
    const uint8_t *data;
    size_t len;
    struct evm_addr first, last;
};

struct call_row {
    uint32_t selector; /* 0 ends the rows */
    enum trade_act act;
    /* Instead of everything below, for a call that contains calls. */
    bool (*read)(struct trade *out, const struct evm_call *call);
    bool in_struct;                    /* the arguments are a single struct, behind its offset */
    unsigned words;                    /* of the head, or of the struct's */
    unsigned zeros;                    /* bit set of the words that must be zero */
    unsigned tail_at;                  /* the word with the tail's offset */
    bool (*tail)(struct call_tail *t); /* reads it; NULL: there is none */
    struct place sell, amount, buy, minimum, recipient, spender, deadline;
    bool takes_coin; /* sent as value, it pays for the wrapped coin */
};

/* NULL: contracts of that kind must not be called so. */
const struct call_row *call_row_of(const struct contract_kind *kind, uint32_t selector);
/* False when the bytes are not such a call. */
bool call_read(struct trade *out, const struct call_row *row, const struct evm_call *call);

/* A tail: an array of at least two addresses. */
bool call_tail_addresses(struct call_tail *t);
/* Reads `bytes` whose length stands at byte *at, and moves *at past them and their padding of zeros. */
bool call_read_bytes(const uint8_t **p, size_t *n, const struct evm_call *call, size_t *at);

#endif
