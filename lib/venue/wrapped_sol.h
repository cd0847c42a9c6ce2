/* Solana's coin for its wrapped form and back, which the programs of the chain itself do. Like every trade
 * there, it is one transaction. */
#ifndef VENUE_WRAPPED_SOL_H
#define VENUE_WRAPPED_SOL_H

#include <stdint.h>

#include "base/buf.h"
#include "chain/solana/solana_message.h"
#include "venue/contracts.h"

enum { WRAPPED_SOL_FEE = 5000 + 15000 /* lamports: for its signature, and for coming first */ };

extern const struct contract wrapped_sol_program;

/* Into the wallet's associated account, which is opened where there is none. */
void wrapped_sol_wrap(struct buf *out, const struct solana_addr *wallet, uint64_t amount,
                      const uint8_t blockhash[static SOLANA_BLOCKHASH_LEN]);
/* Out of it. The program pays out all that an account holds, or nothing: `rest` of it is wrapped again. Fails
 * where the account holds less than both together. */
void wrapped_sol_unwrap(struct buf *out, const struct solana_addr *wallet, uint64_t amount, uint64_t rest,
                        const uint8_t blockhash[static SOLANA_BLOCKHASH_LEN]);

#endif
