/* The engine's part of executions that place orders for perpetuals, close positions, change how a market's
 * orders are taken or renew the key that signs them: functions of their rows in registry/kinds.c. */
#ifndef PERPS_PERPS_ORDER_KIND_H
#define PERPS_PERPS_ORDER_KIND_H

#include "exec/kind.h"
#include "model/perps_order.h"

/* ---- of the rows: exec/kind.h ---- */

/* *own is a struct perps_order. */
bool perps_order_own_read(struct db *db, struct arena *a, const struct execution *x, const void **own);
bool perps_order_moved(struct db *db, const struct execution_move *moves, size_t n);
bool perps_setting_moved(struct db *db, const struct execution_move *moves, size_t n);
void perps_order_own_view(struct json_writer *w, const struct execution_shown *x);
const char *perps_order_own_terms(struct arena *a, const struct execution_shown *x);
const char *perps_order_own_sentence(struct arena *a, const struct execution_shown *x);

/* For executions without an order: leverage, keys. */
void perps_setting_view(struct json_writer *w, const struct execution_shown *x);
const char *perps_leverage_sentence(struct arena *a, const struct execution_shown *x);
const char *perps_key_sentence(struct arena *a, const struct execution_shown *x);

#endif
