/* What this host counts in a shared memory file, so that counting costs no disk write: requests and the rate
 * limit of each agent, and the rate limits of client addresses. Limits are exact across all processes that
 * map the file, and whatever a process is killed at leaves it whole. One process folds the counters into the
 * database every few seconds; what is not folded yet is added when an agent asks. */
#ifndef API_ADMISSION_METER_H
#define API_ADMISSION_METER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/gcra.h"
#include "base/ip_address.h"
#include "codec/uuid.h"
#include "store/db.h"

struct meter;

/* What an address is counted for, each apart from the others. */
enum meter_kind { METER_REGISTER = 1, METER_PUBLIC, METER_UNKNOWN_KEY };

/* Maps the file, which several processes of a host may share. Ends the program when it cannot. */
struct meter *meter_open(const char *path);
void meter_close(struct meter *m);

/* One request of the agent, which takes one of `units` a minute; 0: no limit. */
struct gcra meter_agent(struct meter *m, const struct uuid *agent, uint32_t units, int64_t now_us);
/* The same for an address, already in the form that is counted. */
struct gcra meter_address(struct meter *m, enum meter_kind kind, const struct ip_address *from,
                          uint32_t units, int64_t now_us);

/* Answers since the file was made, by status: 2xx, 3xx, 4xx other than 429, 429, 5xx. */
enum { METER_CLASSES = 5 };
void meter_answered(struct meter *m, int status);
void meter_answers(const struct meter *m, uint64_t out[static METER_CLASSES]);

/* What the database does not know yet. */
void meter_pending(struct meter *m, const struct uuid *agent, uint64_t *requests, int64_t *last_active_ms);
/* Writes what is pending; a failure leaves it pending. Nothing when another process is about it. */
void meter_fold(struct meter *m, struct db *db);

#endif
