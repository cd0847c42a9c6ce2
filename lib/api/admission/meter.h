/* Counters of this host, in a shared memory file so that counting costs no disk write: the requests and the
 * rate limit of each agent, and the rate limits of client addresses. Limits are exact across all processes
 * that map the file, and a process may be killed at any instruction without corrupting it. One process folds
 * the counters into the database every few seconds; what is pending is added when an agent asks. */
#ifndef API_ADMISSION_METER_H
#define API_ADMISSION_METER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/gcra.h"
#include "base/ip_address.h"
#include "codec/uuid.h"
#include "store/db.h"

struct meter;

/* The kinds of counts of an address, or another owner with a name of that length; each has a limit of its
 * own. Limits of different windows do not go well in one file: an owner that gets the place of another owes
 * what that one owed. */
enum meter_kind { METER_REGISTER = 1, METER_PUBLIC, METER_UNKNOWN_KEY, METER_LOG, METER_QUOTES };

/* Maps the file, which the processes of a host may share. Exits when it cannot. */
struct meter *meter_open(const char *path);
void meter_close(struct meter *m);

/* Counts a request of the agent and takes one of its `units` a minute; 0: no limit. */
struct gcra meter_agent(struct meter *m, const struct uuid *agent, uint32_t units, int64_t now_us);
/* What is left of them; allowed. */
struct gcra meter_agent_peek(struct meter *m, const struct uuid *agent, uint32_t units, int64_t now_us);
/* The same for an address, in the form that is counted (base/ip_address.h). */
struct gcra meter_address(struct meter *m, enum meter_kind kind, const struct ip_address *from,
                          struct rate_limit l, int64_t now_us);

/* A request of the agent was answered with this status, and a worker was busy with it for so long;
 * METER_GOES_ON: with one that was counted before. */
enum { METER_GOES_ON = 0 };
void meter_worked(struct meter *m, const struct uuid *agent, int status, int64_t took_us, int64_t now_us);
/* The load of agents' requests in this and the last minute: those with the most work first, at most `max`.
 * Returns how many. */
struct meter_load {
    struct uuid agent;
    uint64_t requests, refused, work_ms;
};
unsigned meter_loads(const struct meter *m, int64_t now_us, struct meter_load *out, unsigned max);

/* The counts that are not folded into the database yet. */
void meter_pending(struct meter *m, const struct uuid *agent, uint64_t *requests, int64_t *last_active_ms);
/* Folds what is pending; a failure leaves it pending. Does nothing while another process is folding. */
void meter_fold(struct meter *m, struct db *db);

#endif
