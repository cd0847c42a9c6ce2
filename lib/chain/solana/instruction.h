/* The act of an instruction, for the programs that transactions of ours may name. Amounts are in smallest
 * units; accounts lead into the list of all. */
#ifndef CHAIN_SOLANA_INSTRUCTION_H
#define CHAIN_SOLANA_INSTRUCTION_H

#include <stdbool.h>
#include <stdint.h>

#include "chain/solana/lookup_table.h"
#include "codec/hash.h"

enum solana_act {
    SOLANA_OTHER,         /* nothing that may be signed */
    SOLANA_COMPUTE_LIMIT, /* amount: units */
    SOLANA_COMPUTE_PRICE, /* amount: millionths of a lamport for each unit */
    SOLANA_DATA_LIMIT,    /* amount: bytes of accounts that may be loaded */
    SOLANA_NOTE,          /* words for people */
    SOLANA_PAY,           /* the coin, from `owner` to `destination` */
    SOLANA_TRANSFER,      /* of the token `sell`, out of `source` into `destination` */
    SOLANA_OPEN,    /* `owner`'s associated account `destination` for the mint `buy`, paid by `source` */
    SOLANA_SYNC,    /* counts the coin that an account of the wrapped coin was given */
    SOLANA_CLOSE,   /* `source`, of `owner`; what is in it goes to `destination` */
    SOLANA_SWAP,    /* by Jupiter: `sell` out of `source` for `buy` into `destination` */
    SOLANA_DEPOSIT, /* to Relay's depository: `sell`, or the coin, for the order `order` */
};

/* Members that an act does not have are NULL or 0. */
struct solana_step {
    enum solana_act act;
    const struct solana_addr *program;
    const struct solana_addr *owner; /* whose signature it needs */
    const struct solana_addr *source, *destination;
    const struct solana_addr *token_program; /* that keeps `buy`, or `sell` where nothing is bought */
    const struct solana_addr *sell_program;  /* of a swap, the one that keeps `sell` */
    /* The mints. The oldest swaps do not name the one that is sold. */
    const struct solana_addr *sell, *buy;
    uint64_t amount;
    uint64_t minimum;     /* a swap that brings less fails: the platform's fee is taken off */
    const uint8_t *order; /* HASH_LEN bytes */
};

/* SOLANA_OTHER for what is not known, is not written as it should be, or may not be signed. */
void solana_step_read(struct solana_step *out, const struct solana_instruction *in,
                      const struct solana_accounts *accounts);

#endif
