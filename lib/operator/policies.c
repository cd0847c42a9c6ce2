#include "operator/policies.h"

#include <jansson.h>

#include "operator/agents.h"
#include "policy/rule.h"
#include "store/policies.h"

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

    if (type == NULL || !json_is_object(params) || !policy_type_parse(&out->type, type))
        return "not {\"type\":…,\"params\":{…}}, or no such type";
    if (policy_read(&rule, out->type, params, conf, a, &faults))
        out->params = policy_params_text(a, &rule, params);
    else
        problem = faults_text(a, &faults);
    params_faults_free(&faults);
    return problem;
}

static enum tx_verdict policy_add_tx(struct db *db, void *arg)
{
    return policies_add(db, arg) == DONE ? TX_COMMIT : TX_FAILED;
}

const char *operator_add_policy(const struct ctx *ctx, struct arena *a, const char *agent, const char *json,
                                struct uuid *id)
{
    struct policy p = { .id = uuid_random(), .by_operator = true };
    json_t *body = json_loads(json, JSON_REJECT_DUPLICATES, NULL);
    const char *problem = policy_parse(ctx->conf, a, body, &p);
    struct agent found;

    json_decref(body);
    if (problem != NULL || (problem = operator_find_agent(ctx, a, agent, &found)) != NULL)
        return problem;
    p.agent_id = found.id;
    *id = p.id;
    return db_transact(ctx->db, policy_add_tx, &p) == TX_DONE ? NULL : OPERATOR_DATABASE_FAILED;
}

const char *operator_end_policy(const struct ctx *ctx, struct arena *a, const char *agent, const char *policy)
{
    struct agent found;
    struct uuid id;
    const char *problem = operator_find_agent(ctx, a, agent, &found);
    enum done ended;

    if (problem != NULL)
        return problem;
    ended = uuid_parse(&id, policy) ? policies_end(ctx->db, found.id, &id, 0) : DONE_NOT;
    if (ended == DONE_FAILED)
        return OPERATOR_DATABASE_FAILED;
    return ended == DONE_NOT ? arena_printf(a, OPERATOR_NO_SUCH "policy: %s", policy) : NULL;
}
