/* Relay: an order, and a deposit that bears nothing but the order's hash. A solver who takes the deposit
 * without paying what the order says is made to refund it. */
#ifndef VENUE_RELAY_CALLS_H
#define VENUE_RELAY_CALLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "codec/hash.h"
#include "codec/u256.h"
#include "venue/trade.h"

enum { RELAY_REFUNDS = 4, RELAY_FEES = 4, RELAY_ORDER_MAX = 4096 };

/* Addresses as their chain has them, 20 or 32 bytes. */
struct relay_bytes {
    const uint8_t *p;
    size_t n;
};

struct relay_refund {
    const char *chain; /* Relay's name of it */
    struct relay_bytes recipient, currency;
    struct u256 minimum;
    uint32_t deadline; /* Unix seconds */
    struct relay_bytes extra;
};

struct relay_fee {
    const char *recipient_chain;
    struct relay_bytes recipient;
    const char *currency_chain;
    struct relay_bytes currency;
    struct u256 amount;
};

/* With one input, one payment and no calls: others are not signed. */
struct relay_order {
    const char *version, *solver_chain;
    struct relay_bytes solver; /* 20 bytes */
    struct u256 salt;
    struct {
        const char *chain;
        struct relay_bytes currency;
        struct u256 amount, weight;
        struct relay_refund refunds[RELAY_REFUNDS];
        size_t refund_count;
    } input;
    struct {
        const char *chain;
        struct relay_bytes recipient, currency;
        struct u256 minimum, expected;
        uint32_t deadline;
        struct relay_bytes extra;
    } output;
    struct relay_fee fees[RELAY_FEES];
    size_t fee_count;
};

/* EIP-712's hash of the struct, without a domain: the order's id. */
void relay_order_id(uint8_t out[static HASH_LEN], const struct relay_order *o);

/* An order in the form in which processes of the service exchange it: it shows the signer of a deposit its
 * purpose. At most RELAY_ORDER_MAX bytes, or `out` overflows. */
void relay_order_write(struct buf *out, const struct relay_order *o);
/* *out points into the bytes. False unless they are an order, and nothing else. */
bool relay_order_read(struct relay_order *out, const uint8_t *p, size_t n);

/* Takes what a deposit on `from` leaves open from the order that it names by its id: what is paid for it, to
 * whom and where. False, and nothing is proven, unless the proof is that order, and about that deposit:
 * out->sell, amount and refund. */
bool relay_order_fits(struct trade *out, const struct chain *from, struct trade_proof proof,
                      const uint8_t id[static HASH_LEN]);

#endif
