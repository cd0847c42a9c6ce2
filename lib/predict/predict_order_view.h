/* An order as agents are shown it. */
#ifndef PREDICT_PREDICT_ORDER_VIEW_H
#define PREDICT_PREDICT_ORDER_VIEW_H

#include <stddef.h>

#include "base/json_writer.h"
#include "model/order.h"

/* Its members, into the object that is open; `fills` are its own. Prices and sizes become JSON numbers
 * without passing through floating point. */
void order_view(struct json_writer *w, const struct order *o, const struct fill *fills, size_t n);

#endif
