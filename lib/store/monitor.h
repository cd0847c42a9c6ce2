/* What is under way, for whoever watches the service. Each is a short look through an index, whatever the
 * size of the tables: where more waits than MONITOR_MOST, so many of it are looked at, those that are due
 * first. */
#ifndef STORE_MONITOR_H
#define STORE_MONITOR_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "model/execution.h"
#include "store/db.h"

enum { MONITOR_MOST = 4000 };

struct swaps_standing {
    uint64_t chain_id; /* that they leave */
    enum exec_status status;
    uint64_t count;
    int64_t oldest_s; /* since the oldest was accepted */
};
/* Swaps that have neither completed nor failed, in the arena. Returns how many rows. */
int monitor_swaps(struct db *db, struct arena *a, struct swaps_standing **out);

struct queue_standing {
    uint64_t count;
    int64_t oldest_s; /* 0 for none */
};
/* Events that are still to be delivered; approvals that the operator has not decided. */
bool monitor_events(struct db *db, struct queue_standing *out);
bool monitor_approvals(struct db *db, struct queue_standing *out);

struct halts_standing {
    bool all; /* trading is stopped for everybody */
    uint64_t stopped, banned;
};
bool monitor_halts(struct db *db, struct halts_standing *out);

#endif
