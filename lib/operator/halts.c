#include "operator/halts.h"

#include <string.h>

#include "operator/admin_agents.h"
#include "store/trading_halts.h"

const char *operator_set_stop(const struct ctx *ctx, struct arena *a, const char *agent, bool stop)
{
    struct agent found = { .id = HALT_ALL };
    const char *problem =
        strcmp(agent, OPERATOR_ALL) == 0 ? NULL : operator_find_agent(ctx, a, agent, &found);

    if (problem != NULL)
        return problem;
    if (!trading_halts_set(ctx->db, found.id, HALT_TRADING, stop))
        return OPERATOR_DATABASE_FAILED;
    return stop || found.id != HALT_ALL || trading_halts_restored(ctx->db) == LOOKUP_NONE
               ? NULL
               : "an older database is in place: trading stays stopped until agentctl reconcile";
}

const char *operator_set_ban(const struct ctx *ctx, struct arena *a, const char *agent, bool ban)
{
    struct agent found;
    const char *problem = operator_find_agent(ctx, a, agent, &found);

    if (problem != NULL)
        return problem;
    return trading_halts_set(ctx->db, found.id, HALT_ACCESS, ban) ? NULL : OPERATOR_DATABASE_FAILED;
}
