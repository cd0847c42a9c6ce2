/* Relay's depository on Solana. A deposit there is signed in the one form that is written here: what Relay
 * hands over says at most what it is a deposit of. */
#ifndef VENUE_RELAY_SOLANA_H
#define VENUE_RELAY_SOLANA_H

#include "chain/solana/instruction.h"
#include "chain/solana/solana_message.h"
#include "codec/hash.h"

#define RELAY_SOLANA_PROGRAM "99vQwtBwYtrqqD9YSXbdum3KBdxPAVxYTaQ3cfnJSrN2"

/* Lamports that it costs in addition to what is deposited. */
enum { RELAY_SOLANA_FEE = 20000 };

/* By a wallet, which is who is refunded. */
struct relay_solana_deposit {
    struct solana_addr wallet;
    bool coin;                              /* or else: */
    struct solana_addr mint, token_program; /* of the token, and which keeps it */
    uint64_t amount;
    uint8_t order[HASH_LEN];
};

/* As one instruction says it, which is a deposit. */
void relay_solana_take(struct relay_solana_deposit *out, const struct solana_step *s);
/* Reads the deposit in the calls that Relay asks of the wallet: one deposit by it, and besides only calls
 * that bound the transaction. False for any others. */
bool relay_solana_read(struct relay_solana_deposit *out, const struct solana_addr *wallet,
                       const struct solana_call *calls, size_t n);
/* Appends the whole unsigned transaction. False where one of its accounts cannot be: no wallet, no mint. */
bool relay_solana_write(struct buf *out, const struct relay_solana_deposit *d,
                        const uint8_t blockhash[static SOLANA_BLOCKHASH_LEN]);
/* Whether the bytes are that very transaction, with any blockhash. */
bool relay_solana_is(const struct solana_tx *tx, const struct relay_solana_deposit *d);

#endif
