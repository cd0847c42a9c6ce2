/* The known questions to nodes: how far each is, how fast its blocks come, and what it can do. */
#ifndef DRIFT_NODE_QUESTIONS_H
#define DRIFT_NODE_QUESTIONS_H

#include "chain/rpc/node_check.h"
#include "drift/source.h"

/* "base/1"; of a node that prices are verified with, "base/verify-1". In the arena. */
const char *node_drift_name(struct arena *a, const struct node_checked *n);
void node_drift(struct asking *k, const struct node_checked *n);

#endif
