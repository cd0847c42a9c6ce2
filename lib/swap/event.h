/* The webhook event of a swap that has come to its end. */
#ifndef SWAP_EVENT_H
#define SWAP_EVENT_H

#include <stdbool.h>
#include <stdint.h>

#include "core/arena.h"
#include "store/db.h"

/* Inside the transaction of the move: the event's data is the swap as it is after it. */
bool swap_event_add(struct db *db, struct arena *a, uint64_t swap_id);

#endif
