/* The bodies by which Polymarket's exchange is given orders, and told to cancel them. Pure. */
#ifndef PREDICT_ORDER_BODY_H
#define PREDICT_ORDER_BODY_H

#include <stdint.h>

#include "base/arena.h"
#include "base/buf.h"
#include "codec/hash.h"
#include "model/order.h"
#include "venue/polymarket_order.h"

enum { ORDER_BODY_MAX = 4096 };

struct order_body {
    const struct polymarket_order *order;
    const struct buf *signature;
    const char *owner; /* the API key of the sender: visible ASCII */
    enum order_type type;
    bool post_only;
    uint64_t expiration; /* Unix seconds; 0: none */
};

/* POST /order: compact, its members in the order that the venue's own library has. */
void order_body_write(struct buf *out, const struct order_body *b);
/* DELETE /order, in the arena. */
char *order_cancel_body(struct arena *a, const uint8_t hash[static HASH_LEN]);

#endif
