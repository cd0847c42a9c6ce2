/* Security events: what concerns the safety of an agent's money, told to its former callbacks too
 * (store/callbacks.h) and to the operator's log. */
#ifndef WEBHOOK_SECURITY_H
#define WEBHOOK_SECURITY_H

#include "base/arena.h"
#include "codec/uuid.h"
#include "service/ctx.h"
#include "store/events.h"

#define EVENT_ADDRESS_ADDED     "withdrawal_address.added"
#define EVENT_ADDRESS_REMOVED   "withdrawal_address.removed"
#define EVENT_POLICY_ADDED      "policy.added"
#define EVENT_POLICY_ENDING     "policy.ending"
#define EVENT_KEY_ROTATED       "key.rotated"
#define EVENT_CALLBACK_CHANGED  "callback.changed"
#define EVENT_SECRET_RENEWED    "webhook_secret.renewed"
#define EVENT_AGENT_DEACTIVATED "agent.deactivated"
#define EVENT_AGENT_REACTIVATED "agent.reactivated"
#define EVENT_AGENT_DELETED     "agent.deleted"

/* Inside a transaction of the agent's: writes the event; `body` NULL: it is not representable. */
bool security_event_add(const struct ctx *ctx, struct db *db, uint64_t agent_id, const char *type,
                        const char *body);

/* In the arena: the event with data {"agent_id"} and one more text, unless `member` is NULL. */
const struct security_event *security_event_about(const struct ctx *ctx, struct arena *a,
                                                  const struct uuid *agent, const char *type,
                                                  const char *member, const char *value);

/* Once the change is committed. `about`: its own id, address or host. */
void security_event_log(const struct uuid *agent, const char *type, const char *about);

#endif
