/* What waits to be done by jobs, and for how long: figures for operators. */
#ifndef STORE_QUEUES_H
#define STORE_QUEUES_H

#include <stdbool.h>
#include <stdint.h>

#include "store/db.h"

enum { QUEUES = 5 };

struct queue {
    const char
        *name; /* "swaps": executions of every kind that have not ended, or "orders", "bridges" and so on */
    uint64_t waiting;
    int64_t oldest_s;  /* since the oldest of them came */
    int64_t overdue_s; /* since something could have been done for one; 0: nothing is due */
};

bool queues_read(struct db *db, struct queue out[static QUEUES]);

#endif
