/* Marks in long histories, by which a page far from the front of GET /swaps is found without reading what
 * lies before it.
 *
 * Every 16th swap of an agent has a mark: how many there are up to it, in all and by listed status. A mark
 * counts from the oldest swap on, so new swaps leave it as it is. A swap that moves afterwards puts those
 * behind it out of date: each such move lowers the agent's swaps_marked_upto in the statement that keeps its
 * totals, and so under the agent's lock, as marks are made. They are made again by the job that makes all of
 * them. Only what has its final status, or is some minutes old, is marked, so that this is rare.
 *
 * Where no mark is, as before the job came by, a page is found by counting what lies before it. */
#ifndef STORE_EXECUTION_MARKS_H
#define STORE_EXECUTION_MARKS_H

#include <stdint.h>

#include "model/execution.h"
#include "store/db.h"

/* The way to the swap after `offset` newer ones in the agent's list (listed 0: of any status): it comes after
 * `skip` others, from `upto_id` on towards the older ones. LOOKUP_NONE: there is no mark for it. */
struct mark {
    uint64_t upto_id;
    uint64_t skip; /* fewer than 16, unless the offset is behind the end */
};
enum lookup execution_marks_find(struct db *db, uint64_t agent_id, enum exec_status listed, uint64_t offset,
                                 struct mark *out);

/* Makes the marks that are missing for the next `max` executions, of each agent a bounded number at once.
 * Returns `max` while there may be more, fewer when there are not, -1 when the database failed. */
int64_t execution_marks_make(struct db *db, unsigned max);

#endif
