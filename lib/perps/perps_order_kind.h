/* The kinds of execution that place orders for perpetuals, close positions, change how a market's orders are
 * taken or renew the key that signs them. */
#ifndef PERPS_PERPS_ORDER_KIND_H
#define PERPS_PERPS_ORDER_KIND_H

#include "exec/kind.h"

/* What `read` reads is a struct perps_order, of the first two. */
extern const struct exec_kind perps_order_kind, perps_close_kind, perps_leverage_kind, perps_key_kind;

#endif
