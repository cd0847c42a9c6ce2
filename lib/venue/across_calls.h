/* Across' SpokePools: a deposit names all that a relayer is to pay on the far chain, and is given back after
 * its deadline where none has. */
#ifndef VENUE_ACROSS_CALLS_H
#define VENUE_ACROSS_CALLS_H

#include "base/buf.h"
#include "codec/u256.h"
#include "venue/contracts.h"

struct across_deposit {
    struct evm_addr depositor; /* who gets it back */
    struct evm_addr recipient;
    struct evm_addr sent, bought; /* for a coin the token that wraps it */
    struct u256 amount, output;
    uint64_t far_chain;
    struct evm_addr relayer; /* who alone may pay at first; zero: none */
    uint32_t quoted;         /* Unix seconds; the pool takes no old ones */
    uint32_t deadline;       /* Unix seconds: no relayer may pay after it */
    uint32_t exclusive;      /* how long the relayer alone may, in seconds, or until when */
};

/* The call, without a message to the recipient. */
void across_deposit_write(struct buf *out, const struct across_deposit *d);

extern const struct contract_kind across_spoke_pool;

#endif
