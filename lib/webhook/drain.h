/* One step of webhook-drain: sends what is due in the outbox.
 *
 * Events are claimed in portions, each under an owner id of its own, and wait here until they may be sent.
 * Outcomes are recorded in groups. A process that is killed loses nothing: its leases run out, and receivers
 * recognise repeats by their webhook-id.
 *
 * Fairness: claims take agents in turns, and each agent has a share of what is held and in flight
 * (webhook/share.h). Agents with slow receivers have at most half of all places together. */
#ifndef WEBHOOK_DRAIN_H
#define WEBHOOK_DRAIN_H

#include <stdbool.h>

#include "service/ctx.h"

enum { DRAIN_POLL_MS = 1000 }; /* between steps, and between claims while nothing more was due */

/* Until nothing more is due; less once `stopping` says so. How many attempts ended. */
int webhooks_drain(const struct ctx *ctx, bool (*stopping)(void));

#endif
