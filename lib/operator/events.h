/* Webhooks, whoever's they are. */
#ifndef OPERATOR_EVENTS_H
#define OPERATOR_EVENTS_H

#include "operator/operator.h"

/* Sends the event of this id again, to its agent's present callback. */
const char *operator_redeliver(const struct ctx *ctx, struct arena *a, const char *event);

#endif
