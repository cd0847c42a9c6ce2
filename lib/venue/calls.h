/* The calls that may be signed, as data: a call's signature, and where each member of a trade stands among
 * its arguments. A family of contracts has its rows next to its encoders, and its kinds of contracts name
 * them. */
#ifndef VENUE_CALLS_H
#define VENUE_CALLS_H

#include "venue/form.h"
#include "venue/trade.h"

struct place {
    enum {
        NOWHERE,
        WORD,   /* member number `word` of the form; in an array: of the first element */
        LAST,   /* the same, of the last element */
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
    struct trade_proof proof;
};

struct call_row {
    uint32_t selector; /* 0 ends the rows */
    enum trade_act act;
    const char *signature; /* as Solidity hashes it into the selector */
    struct place sell, amount, buy, minimum, recipient, refund, spender, deadline, executor;
    struct place far_chain; /* by its id; bought and received is there then */
    uint32_t zeros;         /* bit set of the members that must be zero, or empty */
    const char *coin;       /* the address that stands for the chain's coin among tokens; NULL: none does */
    bool zero_is_sender;    /* as the recipient */
    bool takes_coin;        /* sent as value, it pays for the wrapped coin */
    unsigned mark; /* bytes that the service may add behind the arguments, where no contract reads them */
    /* Checks what the other members cannot express; NULL: nothing. It may correct the trade. */
    bool (*check)(struct trade *out, const struct evm_call *call, const struct form *f);
};

/* NULL: contracts of that kind must not be called so. */
const struct call_row *call_row_of(const struct contract_kind *kind, uint32_t selector);
/* False when the bytes are not such a call. */
bool call_read(struct trade *out, const struct call_row *row, const struct evm_call *call);
/* A call within a call, the content of the `bytes` at `member`: by the row of its selector. */
bool call_read_inner(struct trade *out, const struct call_row *rows, const struct evm_call *outer,
                     const uint8_t *member);

#endif
