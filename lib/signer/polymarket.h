/* Which of Polymarket's messages a wallet may sign: its own orders at the listed exchanges, proofs for its
 * own API credentials, and calls of its own deposit wallet that keep what it holds within its reach. */
#ifndef SIGNER_POLYMARKET_H
#define SIGNER_POLYMARKET_H

#include "codec/hash.h"
#include "service/conf.h"
#include "signer/act.h"

/* The operator's settings. */
struct polymarket_terms {
    bool trading;              /* otherwise nothing of it is signed */
    uint8_t builder[HASH_LEN]; /* the code that orders may bear, besides none */
};

/* False with a reason: a malformed code. */
bool polymarket_terms_read(struct polymarket_terms *out, const struct conf *c, char *why, size_t why_len);

/* A message of the wallet (EIP-55), at `now` in Unix seconds: what it does, and in out->flaw why it is not
 * signed. False when the bytes are none. */
bool act_read_polymarket(struct act *out, const uint8_t *message, size_t len, const char *wallet,
                         const struct polymarket_terms *terms, int64_t now);

/* Whether `address` is the wallet's deposit wallet, which no other key can own. Both as the chain writes
 * them. */
bool is_deposit_wallet(const char *address, const char *wallet);

#endif
