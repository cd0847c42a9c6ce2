/* Counters of this host: requests per agent in a shared memory file, so that counting costs no disk write.
 * One process folds them into the database every few seconds; what is not folded yet is added when an agent
 * asks. */
#ifndef API_METER_H
#define API_METER_H

#include <stdbool.h>
#include <stdint.h>

#include "store/db.h"

struct meter;

/* Maps the file, which several processes of a host may share. Ends the program when it cannot. */
struct meter *meter_open(const char *path);
void meter_close(struct meter *m);

/* One request of the agent, now. */
void meter_hit(struct meter *m, uint64_t agent_id, int64_t now_ms);
/* What the database does not know yet. */
void meter_pending(const struct meter *m, uint64_t agent_id, uint64_t *requests, int64_t *last_active_ms);
/* Writes what is pending; a failure leaves it pending. */
void meter_fold(struct meter *m, struct db *db);

#endif
