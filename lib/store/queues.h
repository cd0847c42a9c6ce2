/* Figures of waiting work and its age, for monitoring. Each is a short look through an index, independent of
 * the size of the tables: where more waits than QUEUE_MOST, so many of it are looked at, those that are due
 * first. */
#ifndef STORE_QUEUES_H
#define STORE_QUEUES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "model/execution.h"
#include "store/db.h"

enum { QUEUES = 5, QUEUE_MOST = 2000 };

/* "swaps" are executions of every kind that have not ended. */
enum queue_kind { QUEUE_SWAPS, QUEUE_ORDERS, QUEUE_BRIDGES, QUEUE_WEBHOOKS, QUEUE_APPROVALS };

struct queue {
    const char *name; /* "swaps", "orders", "bridges", "webhooks", "approvals" */
    uint64_t waiting;
    int64_t oldest_s;        /* since the oldest of them came */
    int64_t overdue_s;       /* since something could have been done for one; 0: nothing is due */
    const char *url, *error; /* of webhooks: what the oldest met last, and where; NULL: nothing did */
};

/* Texts are in the arena. */
bool queue_read(struct db *db, struct arena *a, enum queue_kind kind, struct queue *out);
/* All of them, by their kinds. */
bool queues_read(struct db *db, struct arena *a, struct queue out[static QUEUES]);

/* Swaps that have neither completed nor failed, by the chain that they leave; in the arena. Returns how many
 * rows. */
struct swaps_in_state {
    uint64_t chain_id;
    enum exec_status status;
    uint64_t count;
    int64_t oldest_s; /* since the oldest was accepted */
};
int queues_swaps(struct db *db, struct arena *a, struct swaps_in_state **out);

#endif
