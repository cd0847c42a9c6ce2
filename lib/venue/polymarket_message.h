/* Messages for Polymarket that a key signs besides transactions, as fixed binary members: neither JSON nor a
 * digest reaches the signer. */
#ifndef VENUE_POLYMARKET_MESSAGE_H
#define VENUE_POLYMARKET_MESSAGE_H

#include "venue/polymarket_order.h"
#include "venue/polymarket_wallet.h"

enum polymarket_message_kind {
    POLYMARKET_ORDER = 1,
    POLYMARKET_AUTH = 2,  /* for API credentials */
    POLYMARKET_BATCH = 3, /* of the deposit wallet's calls */
};

enum { POLYMARKET_CALLS_MAX = 16, POLYMARKET_CALL_MAX = 1024, POLYMARKET_MESSAGE_MAX = 20 * 1024 };

struct polymarket_message {
    enum polymarket_message_kind kind;
    enum polymarket_exchange exchange; /* of the order */
    struct polymarket_order order;
    uint64_t auth_timestamp, auth_nonce; /* seconds */
    struct polymarket_batch batch;       /* its calls are the next; their data is borrowed */
    struct polymarket_call calls[POLYMARKET_CALLS_MAX];
};

void polymarket_message_write(struct buf *out, const struct polymarket_message *m);
/* False when the bytes are none, whole. Data of calls leads into p, and batch.calls into *out. */
bool polymarket_message_read(struct polymarket_message *out, const uint8_t *p, size_t n);
/* The digest that `key` signs. */
void polymarket_message_digest(uint8_t out[static HASH_LEN], const struct polymarket_message *m,
                               struct evm_addr key);

#endif
