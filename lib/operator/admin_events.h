/* Webhooks of all agents. */
#ifndef OPERATOR_ADMIN_EVENTS_H
#define OPERATOR_ADMIN_EVENTS_H

#include "model/event.h"
#include "operator/operator.h"

struct event_report {
    struct event event;
    const char *agent; /* the id that it sees; NULL: it is deleted */
};
/* Events of one agent (NULL: all) and status (0: any), newest first, at most `max`; in the arena. */
const char *operator_list_events(const struct ctx *ctx, struct arena *a, const char *agent,
                                 enum event_status status, unsigned max, struct event_report **out,
                                 size_t *count);

/* Sends the event of this id again, to its agent's present callback. */
const char *operator_redeliver(const struct ctx *ctx, struct arena *a, const char *event);

#endif
