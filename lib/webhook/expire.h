/* Removing webhook events that have ended: those of 30 days ago, and the oldest of agents that have more than
 * their tier allows. */
#ifndef WEBHOOK_EXPIRE_H
#define WEBHOOK_EXPIRE_H

#include <stdbool.h>

#include "base/arena.h"
#include "service/ctx.h"

/* In batches, until none is left or `stopping` says so. False when the database failed. */
bool webhooks_expire(const struct ctx *ctx, struct arena *a, bool (*stopping)(void));

#endif
