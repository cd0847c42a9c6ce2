/* Searches of operators across all agents: executions, events, and objects by a name. */
#ifndef STORE_LOOKUPS_H
#define STORE_LOOKUPS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "model/event.h"
#include "model/execution.h"
#include "store/db.h"

/* ---- executions ---- */

enum execution_pick {
    PICK_ANY,
    PICK_FAILED,
    PICK_STUCK, /* have neither ended nor moved for ten minutes; what waits for an approval is none of them */
};
/* Executions of one agent (0: all), newest first, at most `max`: their ids in the arena. Returns how many. */
int lookup_executions(struct db *db, struct arena *a, uint64_t agent_id, enum execution_pick pick,
                      unsigned max, uint64_t **out);

struct execution_step {
    enum exec_status from, to; /* from 0: it came into being */
    const char *why;
    int64_t at_ms;
};
/* All moves of an execution, oldest first; in the arena. Returns how many. */
int lookup_history(struct db *db, struct arena *a, uint64_t id, struct execution_step **out);

/* The times of the next poll of it and at its bridge (0: it has none, or it is not asked any more); leased: a
 * process is looking now. */
struct execution_due {
    int64_t due_ms, bridge_ms;
    bool leased;
};
enum lookup lookup_due(struct db *db, uint64_t id, struct execution_due *out);
/* The X-Request-Id of the answer that accepted it; in the arena. NULL: an older program accepted it. */
enum lookup lookup_request(struct db *db, struct arena *a, uint64_t id, const char **out);

/* ---- events ---- */

/* Events of one agent (0: all) and status (0: any), newest first, at most `max`, with their agents; in the
 * arena. Returns how many. */
int lookup_events(struct db *db, struct arena *a, uint64_t agent_id, enum event_status status, unsigned max,
                  struct event **out);
/* The agent of an event. */
enum lookup lookup_event_agent(struct db *db, struct uuid id, uint64_t *agent_id);

/* ---- names ---- */

/* Agents whose name has the text in it, newest first, at most `max`: ids. */
int lookup_agents_named(struct db *db, struct arena *a, const char *text, unsigned max, uint64_t **out);
/* The agents that have a wallet with this address: ids. */
int lookup_wallet_agents(struct db *db, struct arena *a, const char *address, unsigned max, uint64_t **out);
/* The executions that this request made, by the X-Request-Id of its answer: ids. */
int lookup_request_executions(struct db *db, struct arena *a, const char *request_id, unsigned max,
                              uint64_t **out);
/* The executions that sent this transaction, or were paid by it: ids. */
int lookup_hash_executions(struct db *db, struct arena *a, const struct tx_hash *hash, unsigned max,
                           uint64_t **out);
/* The id that an agent itself sees. */
enum lookup lookup_agent_uuid(struct db *db, uint64_t agent_id, struct uuid *out);

#endif
