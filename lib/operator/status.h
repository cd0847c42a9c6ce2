/* The state of the service, on one screen: for agentctl status and check. */
#ifndef OPERATOR_STATUS_H
#define OPERATOR_STATUS_H

#include "base/incident.h"
#include "operator/nodes.h"
#include "operator/operator.h"
#include "store/queues.h"
#include "store/trading_halts.h"

/* A program, a chain, or something that the service needs. */
struct status_part {
    const char *name; /* "mariadbd", "gateway", "cron", "swap-poll", a chain's key */
    bool ok;
    bool required;      /* without it nothing works */
    const char *detail; /* one line: what it does, or the cause */
};

enum { INCIDENTS_SHOWN = 20 };

struct operator_status {
    struct status_part *parts;
    size_t part_count;
    struct incident_report incidents[INCIDENTS_SHOWN]; /* of this host: the signer's, then errors */
    size_t incident_count;
    struct node_report *nodes;
    size_t node_count;
    bool stored; /* what follows could be read from the database */
    struct queue queues[QUEUES];
    struct trading_halt *halts;
    size_t halt_count;
};

/* Asks everything once, in a few seconds at most, and fails at nothing. Needs net, nodes and signer in ctx.
 * All of it is in the arena. */
void operator_status(const struct ctx *ctx, struct arena *a, struct operator_status *out);

#endif
