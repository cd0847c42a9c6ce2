/* Sending what is due in the outbox: one step of webhook-drain.
 *
 * Events are claimed in portions, each under an owner id of its own, and wait here until they may be sent.
 * What was answered is recorded in groups. A process that is killed loses nothing: its leases run out, and
 * receivers know repeats by their webhook-id.
 *
 * Fairness: claims take agents in turns, and this job says how much of each it may hold. Each agent has a
 * window, the number of its deliveries that may be in flight. It grows with every prompt answer and is halved
 * by every slow one, so that a receiver which does not answer soon holds a few places and a prompt one all of
 * them. Agents with slow receivers have at most half of all places together, and of their events only a small
 * stock is held. */
#ifndef WEBHOOK_DRAIN_H
#define WEBHOOK_DRAIN_H

#include <stdbool.h>

#include "service/ctx.h"

enum { DRAIN_POLL_MS = 1000 }; /* between steps, and between claims while nothing more was due */

/* Until nothing more is due; less once `stopping` says so. How many attempts ended. */
int webhooks_drain(const struct ctx *ctx, bool (*stopping)(void));

#endif
