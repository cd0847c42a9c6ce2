#include "operator/admin_events.h"

#include "operator/admin_agents.h"
#include "store/events.h"
#include "store/lookups.h"

const char *operator_list_events(const struct ctx *ctx, struct arena *a, const char *agent,
                                 enum event_status status, unsigned max, struct event_report **out,
                                 size_t *count)
{
    struct agent found = { .id = 0 };
    const char *problem = agent == NULL ? NULL : operator_find_agent(ctx, a, agent, &found);
    struct event *events;
    int n;

    *count = 0;
    if (problem != NULL)
        return problem;
    n = lookup_events(ctx->db, a, found.id, status, max, &events);
    if (n < 0)
        return OPERATOR_DATABASE_FAILED;
    *out = ARENA_ARRAY(a, struct event_report, (size_t)n);
    for (; *count < (size_t)n; ++*count)
        (*out)[*count] =
            (struct event_report){ events[*count], operator_agent_text(ctx, a, events[*count].agent_id) };
    return NULL;
}

struct redelivery {
    uint64_t agent_id;
    struct uuid id;
};

static enum tx_verdict redeliver_tx(struct db *db, void *arg)
{
    const struct redelivery *r = arg;
    enum db_update done = events_redeliver(db, r->agent_id, r->id);

    return done == DB_ERROR ? TX_FAILED : done == UPDATED ? TX_COMMIT : TX_ROLLBACK;
}

const char *operator_redeliver(const struct ctx *ctx, struct arena *a, const char *event)
{
    struct redelivery r;
    enum lookup found =
        event_id_parse(&r.id, event) ? lookup_event_agent(ctx->db, r.id, &r.agent_id) : LOOKUP_NONE;

    if (found == LOOKUP_ERROR)
        return OPERATOR_DATABASE_FAILED;
    if (found == LOOKUP_NONE)
        return arena_printf(a, OPERATOR_NO_SUCH "event: %s", event);
    switch (db_outcome(db_transact(ctx->db, redeliver_tx, &r))) {
    case UPDATED:
        return NULL;
    case UNCHANGED:
        return "its agent has no callback_url";
    default:
        return OPERATOR_DATABASE_FAILED;
    }
}
