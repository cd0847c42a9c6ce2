/* Orders for perpetuals, followed until nothing of them can change, with their trades; and what funding pays
 * the positions that they open. Wallets are claimed by lease, so that any number of hosts share the work. */
#ifndef PERPS_ORDER_POLL_H
#define PERPS_ORDER_POLL_H

#include <stdbool.h>

#include "base/arena.h"
#include "model/perps_order.h"
#include "service/ctx.h"

/* Looks at all wallets that are due. Returns how many, or -1 when the database failed. */
int perps_poll(const struct ctx *ctx, bool (*stopping)(void));
/* One order by itself, at once; a cancel that is asked for goes out before. `deadline_ms` is that of each
 * round of questions. False: nothing is recorded, or a cancel was not answered. */
bool perps_order_look_one(const struct ctx *ctx, struct arena *a, const struct perps_order *o,
                          unsigned deadline_ms);

#endif
