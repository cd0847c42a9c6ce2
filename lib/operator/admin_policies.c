#include "operator/admin_policies.h"

#include <jansson.h>

#include "base/clock.h"
#include "operator/admin_agents.h"
#include "policy/rule.h"
#include "store/policies.h"
#include "webhook/payload.h"
#include "webhook/security.h"

const char *operator_list_policies(const struct ctx *ctx, struct arena *a, const char *agent,
                                   const struct policy **out, size_t *count)
{
    struct policy *list;
    struct agent found;
    const char *problem = operator_find_agent(ctx, a, agent, &found);
    int n;

    if (problem != NULL)
        return problem;
    n = policies_list(ctx->db, a, found.id, 0, &list);
    *count = n > 0 ? (size_t)n : 0;
    *out = list;
    return n < 0 ? OPERATOR_DATABASE_FAILED : NULL;
}

/* All faults in one line. */
static const char *faults_text(struct arena *a, const struct param_faults *faults)
{
    const char *text = NULL, *name;
    json_t *what;

    json_object_foreach(faults->fields, name, what)
    {
        text = arena_printf(a, "%s%s%s %s", text == NULL ? "" : text, text == NULL ? "" : "; ", name,
                            json_string_value(what));
    }
    return text;
}

/* NULL when *out is the policy that the body describes. */
static const char *policy_parse(const struct conf *conf, struct arena *a, const json_t *body,
                                struct policy *out)
{
    const char *type = json_string_value(json_object_get(body, "type"));
    json_t *params = json_object_get(body, "params");
    struct param_faults faults = { NULL, NULL };
    struct policy_rule rule;
    const char *problem = NULL;

    if (type == NULL || !json_is_object(params))
        return "not {\"type\":…,\"params\":{…}}";
    if (!policy_type_parse(&out->type, type))
        return arena_printf(a, "there is no type of policies %s", type);
    if (policy_read(&rule, out->type, params, conf, a, &faults))
        out->params = policy_params_text(a, &rule, params);
    else
        problem = faults_text(a, &faults);
    params_faults_free(&faults);
    return problem;
}

struct policy_job {
    struct policy policy; /* in the end as it is stored */
    const struct ctx *ctx;
    struct arena *arena;
};

/* To the agent's receivers, as of its own policies. */
static bool policy_tell(struct db *db, const struct policy_job *job, const char *type)
{
    struct json_writer w;

    payload_open(&w, job->arena, type, clock_ms());
    policy_view(&w, &job->policy);
    return security_event_add(job->ctx, db, job->policy.agent_id, type, payload_close(&w));
}

static enum lookup policy_reread(struct db *db, struct policy_job *job)
{
    uint64_t agent_id = job->policy.agent_id;
    struct uuid id = job->policy.id;
    enum lookup found = policies_get(db, job->arena, agent_id, &id, &job->policy);

    job->policy.agent_id = agent_id;
    return found;
}

static enum tx_verdict policy_add_tx(struct db *db, void *arg)
{
    struct policy_job *job = arg;

    return policies_add(db, &job->policy) == UPDATED && policy_reread(db, job) == LOOKUP_FOUND &&
                   policy_tell(db, job, EVENT_POLICY_ADDED)
               ? TX_COMMIT
               : TX_FAILED;
}

static enum tx_verdict policy_end_tx(struct db *db, void *arg)
{
    struct policy_job *job = arg;
    enum lookup found = policy_reread(db, job);
    struct uuid id = job->policy.id;
    enum db_update ended = found == LOOKUP_FOUND ? policies_end(db, job->policy.agent_id, &id, 0) : UNCHANGED;

    if (found == LOOKUP_ERROR || ended == DB_ERROR)
        return TX_FAILED;
    if (ended == UNCHANGED)
        return TX_ROLLBACK;
    job->policy.ends_ms = clock_ms();
    return policy_tell(db, job, EVENT_POLICY_ENDING) ? TX_COMMIT : TX_FAILED;
}

const char *operator_add_policy(const struct ctx *ctx, struct arena *a, const char *agent, const char *json,
                                struct uuid *id)
{
    struct policy_job job = { { .id = uuid_random(), .by_operator = true }, ctx, a };
    json_t *body = json_loads(json, JSON_REJECT_DUPLICATES, NULL);
    const char *problem = policy_parse(ctx->conf, a, body, &job.policy);
    struct agent found;

    json_decref(body);
    if (problem != NULL || (problem = operator_find_agent(ctx, a, agent, &found)) != NULL)
        return problem;
    job.policy.agent_id = found.id;
    *id = job.policy.id;
    return db_transact(ctx->db, policy_add_tx, &job) == TX_DONE ? NULL : OPERATOR_DATABASE_FAILED;
}

const char *operator_end_policy(const struct ctx *ctx, struct arena *a, const char *agent, const char *policy)
{
    struct policy_job job = { { .wallet_id = 0 }, ctx, a };
    struct agent found;
    const char *problem = operator_find_agent(ctx, a, agent, &found);
    enum db_update ended;

    if (problem != NULL)
        return problem;
    job.policy.agent_id = found.id;
    ended = uuid_parse(&job.policy.id, policy) ? db_outcome(db_transact(ctx->db, policy_end_tx, &job))
                                               : UNCHANGED;
    if (ended == DB_ERROR)
        return OPERATOR_DATABASE_FAILED;
    return ended == UNCHANGED ? arena_printf(a, OPERATOR_NO_SUCH "policy: %s", policy) : NULL;
}
