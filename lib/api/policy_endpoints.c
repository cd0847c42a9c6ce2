#include "store/policies.h"

#include <string.h>

#include "api/admission/api_call.h"
#include "api/admission/idempotency.h"
#include "api/admission/operation.h"
#include "api/endpoint/common_params.h"
#include "api/endpoint/endpoint.h"
#include "api/endpoint/schemas.h"
#include "api/view.h"
#include "base/clock.h"
#include "chain/address.h"
#include "exec/wallet.h"
#include "model/agent.h"
#include "policy/rule.h"
#include "policy/usage.h"
#include "service/conf.h"
#include "store/audit.h"
#include "store/quotas.h"
#include "store/trading_halts.h"
#include "webhook/payload.h"
#include "webhook/security.h"

/* ---- parameters ---- */

struct policy_in {
    const char *type, *wallet_address;
    struct param_text params;
};

static const struct param policy_in_params[] = {
    { "type", P_TEXT, INTO(struct policy_in, type), .required = true, .choices = policy_types,
      .about =
          "spending_limit, approval_limit (beyond it the operator is asked), whitelist or execution_limit",
      .example = "spending_limit" },
    { "params", P_OBJECT, INTO(struct policy_in, params), .required = true, .max = POLICY_PARAMS_MAX,
      .of = policy_members, .about = "What it allows; members of other types are refused",
      .example = "{\"maxAmountUsd\":\"1000\",\"timeWindowSeconds\":86400}" },
    { "wallet_address", P_TEXT, INTO(struct policy_in, wallet_address), .min = 1, .max = PARAM_NAME_MAX,
      .about = "One of the agent's wallets; absent: each of them, for itself" },
    { 0 },
};

struct policies_in {
    const char *wallet_address;
};

static const struct param policies_params[] = {
    { "wallet_address", P_TEXT, INTO(struct policies_in, wallet_address), .min = 1, .max = PARAM_NAME_MAX,
      .about = "One of the agent's wallets: those that apply to it; absent: all" },
    { 0 },
};

static const struct schema_field policy_id = { "id", S_UUID,
                                               .example = "8f14e45f-ceea-4e7f-a9c6-1d2b3c4d5e6f",
                                               .about = "The id of the policy in GET /wallet/policies" };

/* ---- answers ---- */

static const char *const policy_setters[] = { "agent", "operator", NULL };
static const char *const policy_changes[] = { "delete", NULL };

/* clang-format off */
static const struct schema policy_pending_schema = { "PendingPolicyChange", "What will change by itself", FIELDS {
    { "change",       CHOICE(policy_changes, "delete"), "What" },
    { "effective_at", TIME(LATER),                      "When" },
    END } };

static const struct schema policy_use_schema = { "PolicyUse", "What a wallet has used of a limit", FIELDS {
    { "wallet_address", TEXT(A_WALLET), "The wallet" },
    { "amount",         TEXT("250.5"),  "Used within the window; null: something cannot be valued, and more is refused", MAY_BE_NULL },
    { "limit",          TEXT("1000"),   "What the policy allows" },
    { "unit",           TEXT("USD"),    "Of both: USD, ether, or the policy's token" },
    END } };

static const struct schema policy_schema = { "WalletPolicy", "A limit to what wallets may give away", FIELDS {
    { "id",             UUID(AN_ID),                            "Identifier of the policy" },
    { "policyId",       UUID(AN_ID),                            "The same", FULL_ONLY },
    { "type",           CHOICE(policy_types, "spending_limit"), "What kind of limit it is" },
    { "params",         FREE,                                   "What it allows, as it was set" },
    { "wallet_address", TEXT(A_WALLET),                         "The wallet; null: each of the agent's, for itself", MAY_BE_NULL },
    { "set_by",         CHOICE(policy_setters, "agent"),        "Who set it; the operator's cannot be deleted" },
    { "created_at",     TIME(A_TIME),                           "When it came into force; sums begin here", FULL_ONLY },
    { "pending",        OBJECT(policy_pending_schema),          "Its scheduled end, once it is deleted", MAY_BE_ABSENT },
    { "used",           LIST(policy_use_schema),                "In lists, of a limit with a window: by each wallet that used something", MAY_BE_ABSENT },
    END } };

static const struct schema policy_created_schema = { "WalletPolicyCreation", "The new policy, in force", FIELDS {
    SUCCESS,
    { "policy", OBJECT(policy_schema), "The policy" },
    END } };

static const struct schema policies_schema = { "WalletPolicyList", "The policies in force, oldest first", FIELDS {
    SUCCESS,
    { "policies", LIST(policy_schema), "The policies" },
    END } };

static const struct schema policy_deleted_schema = { "WalletPolicyDeletion", "The policy will end", FIELDS {
    SUCCESS,
    { "deleted",      .kind = S_TRUE, .about = "Always true" },
    { "effective_at", TIME(LATER), "Until then it is in force" },
    END } };
static const char *const added_event[] = { EVENT_POLICY_ADDED, NULL };
static const char *const ending_event[] = { EVENT_POLICY_ENDING, NULL };

static const struct schema policy_added_schema = { "PolicyAddedEvent", "A policy was added and is in force",
    EVENT_OF(added_event, EVENT_POLICY_ADDED, policy_schema, "The policy") };

static const struct schema policy_ending_schema = { "PolicyEndingEvent", "A policy ends by itself at effective_at: if it was not you, ask the operator to stop the agent",
    EVENT_OF(ending_event, EVENT_POLICY_ENDING, policy_schema, "The policy") };
/* clang-format on */

/* ---- showing ---- */

static void uses_write(struct json_writer *w, const struct policy_use *uses, int count)
{
    if (count == POLICY_USE_NONE)
        return;
    jw_array(w, "used");
    for (int i = 0; i < count; i++) {
        jw_object(w, NULL);
        jw_string(w, "wallet_address", uses[i].wallet);
        jw_string_or_null(w, "amount", uses[i].used);
        jw_string(w, "limit", uses[i].limit);
        jw_string(w, "unit", uses[i].unit);
        jw_end(w);
    }
    jw_end(w);
}

static void policy_write(struct json_writer *w, const char *key, const struct policy *p,
                         const struct policy_use *uses, int count)
{
    jw_object(w, key);
    policy_view(w, p);
    uses_write(w, uses, count);
    jw_end(w);
}

static struct reply *reply_created(struct api_call *c, const struct policy *p)
{
    struct json_writer *w = reply_open(c->rq, 200);

    policy_write(w, "policy", p, NULL, POLICY_USE_NONE);
    return reply_close(w);
}

/* ---- changing ---- */

static bool policy_audit(struct db *db, struct api_call *c, const char *act, const char *detail)
{
    const struct audit_act what = { .by = "agent", .act = act, .agent = &c->agent->uuid, .detail = detail };

    return audit_write(db, &what);
}

/* With a NULL address the policy is for each wallet. */
static const struct err *policy_find_wallet(struct api_call *c, const char *address, struct policy *p)
{
    enum wallet_kind kind;
    struct wallet w;
    const struct err *e;

    if (address == NULL)
        return NULL;
    kind = address_is_wallet(CHAIN_SOLANA, address) ? WALLET_SOLANA : WALLET_EVM;
    e = wallet_need(c->ctx, c->agent->id, kind, address, &w);
    if (e != NULL)
        return e;
    p->wallet_id = w.id;
    memcpy(p->wallet_address, w.ref.address, sizeof p->wallet_address);
    return NULL;
}

static bool policy_tell(struct db *db, struct api_call *c, const char *type, const struct policy *p)
{
    struct json_writer w;

    payload_open(&w, c->arena, type, clock_ms());
    policy_view(&w, p);
    return security_event_add(c->ctx, db, c->agent->id, type, payload_close(&w));
}

static void policy_log(struct api_call *c, const char *type, const struct policy *p)
{
    char id[UUID_TEXT_LEN + 1];

    uuid_text(id, p->id);
    security_event_log(&c->agent->uuid, type, id);
}

static struct reply *list_wallet_policies(struct api_call *c, const void *arg)
{
    const struct policies_in *in = arg;
    struct policy_usage *usage = policy_usage_new(c->ctx->db, c->arena, c->agent->id);
    struct policy named = { .wallet_id = 0 }, *list;
    const struct err *e = policy_find_wallet(c, in->wallet_address, &named);
    struct json_writer *w;
    int n;

    if (e != NULL)
        return reply_err(c->rq, e);
    n = policies_list(c->ctx->db, c->arena, c->agent->id, named.wallet_id, &list);
    if (n < 0)
        return NULL;
    w = reply_open(c->rq, 200);
    jw_array(w, "policies");
    for (int i = 0; i < n; i++) {
        struct policy_use *uses;
        int count = policy_usage_of(usage, &list[i], &uses);

        if (count == POLICY_USE_BROKEN)
            return NULL;
        policy_write(w, NULL, &list[i], uses, count);
    }
    jw_end(w);
    return reply_close(w);
}

struct create_job {
    struct api_call *call;
    struct policy policy;
    /* reset by each run of the transaction */
    struct reply *answer;
    const struct err *refusal;
};

static enum tx_verdict create_refuse(struct create_job *job, const struct err *e)
{
    job->refusal = e;
    return TX_ROLLBACK;
}

static bool audit_created(struct db *db, struct api_call *c, const struct policy *p)
{
    char id[UUID_TEXT_LEN + 1];

    uuid_text(id, p->id);
    return policy_audit(db, c, "policy.create",
                        arena_printf(c->arena, "{\"policy\":\"%s\",\"type\":\"%s\",\"params\":%s}", id,
                                     policy_type_text(p->type), p->params));
}

/* Whether there is room for an audit line; if not, *e is the refusal. */
static enum db_update audit_room(struct db *db, struct api_call *c, const struct err **e)
{
    uint64_t limit = conf_quota(c->ctx->conf, c->agent->tier, QUOTA_AUDIT_LINES);
    enum db_update room = quotas_audit_line(db, c->agent->id, limit);

    if (room == UNCHANGED)
        *e = &E_QUOTA_AUDIT;
    return room;
}

static bool policy_may_add(struct db *db, struct api_call *c, const struct err **e)
{
    uint64_t limit = conf_quota(c->ctx->conf, c->agent->tier, QUOTA_POLICIES);
    enum db_update room = quotas_room(db, c->agent->id, QUOTA_POLICIES, 1, limit);

    if (room == UNCHANGED)
        *e = &E_QUOTA_POLICIES;
    return room == UPDATED && audit_room(db, c, e) == UPDATED;
}

static enum tx_verdict create_tx(struct db *db, void *arg)
{
    struct create_job *job = arg;
    struct api_call *c = job->call;
    struct policy *p = &job->policy;
    struct uuid id = p->id;
    const struct err *e = NULL;
    enum db_update added, noted;

    if (!policy_may_add(db, c, &e))
        return e == NULL ? TX_FAILED : create_refuse(job, e);
    added = policies_add(db, p);
    if (added != UPDATED)
        return added == DB_ERROR ? TX_FAILED : create_refuse(job, c->endpoint->denied);
    if (policies_get(db, c->arena, c->agent->id, &id, p) != LOOKUP_FOUND)
        return TX_FAILED;
    job->answer = reply_created(c, p);
    noted = job->answer != NULL ? idempotency_note(c, job->answer, false) : DB_ERROR;
    if (noted != UPDATED)
        return noted == DB_ERROR ? TX_FAILED : create_refuse(job, &E_IN_PROGRESS);
    return audit_created(db, c, p) && policy_tell(db, c, EVENT_POLICY_ADDED, p) ? TX_COMMIT : TX_FAILED;
}

static struct reply *policy_create(struct create_job *job)
{
    struct api_call *c = job->call;
    enum db_update created = trading_halts_transact(c->ctx->db, c->agent->id, create_tx, job);

    if (created == DB_ERROR)
        return NULL;
    if (created != UPDATED)
        return reply_err(c->rq, created == HALTED ? &E_STOPPED : job->refusal);
    policy_log(c, EVENT_POLICY_ADDED, &job->policy);
    return job->answer;
}

static struct reply *create_wallet_policy(struct api_call *c, const void *arg)
{
    const struct policy_in *in = arg;
    struct param_faults faults = { NULL, NULL };
    struct create_job job = { .call = c, .policy = { .id = uuid_random(), .agent_id = c->agent->id } };
    struct policy_rule rule;
    json_t *params = json_loads(in->params.value, 0, NULL);
    const struct err *e;

    if (params == NULL || !policy_type_parse(&job.policy.type, in->type))
        return NULL; /* the parameter table accepted an unknown type */
    if (policy_read(&rule, job.policy.type, params, c->ctx->conf, c->arena, &faults))
        job.policy.params = policy_params_text(c->arena, &rule, params);
    json_decref(params);
    if (faults.first != NULL)
        return operation_refuse(c->rq, &faults);
    e = policy_find_wallet(c, in->wallet_address, &job.policy);
    return e != NULL ? reply_err(c->rq, e) : policy_create(&job);
}

struct end_job {
    struct api_call *call;
    struct policy policy;
    /* set anew by each run of the transaction */
    const struct err *refusal;
    bool began;
};

static enum tx_verdict end_tx(struct db *db, void *arg)
{
    struct end_job *job = arg;
    struct policy *p = &job->policy;
    struct arena *a = job->call->arena;
    uint64_t agent_id = job->call->agent->id;
    struct uuid id = p->id;
    char text[UUID_TEXT_LEN + 1];
    enum lookup found = policies_get(db, a, agent_id, &id, p);
    enum db_update room;

    job->began = false;
    job->refusal = found == LOOKUP_NONE ? &E_POLICY_NOT_FOUND : p->by_operator ? &E_POLICY_OPERATOR : NULL;
    if (found != LOOKUP_ERROR && job->refusal != NULL) {
        p->id = id;
        return TX_ROLLBACK;
    }
    if (found == LOOKUP_FOUND && p->ends_ms != 0) /* already ending */
        return TX_COMMIT;
    uuid_text(text, id);
    room = found == LOOKUP_FOUND ? audit_room(db, job->call, &job->refusal) : DB_ERROR;
    if (room == UNCHANGED)
        return TX_ROLLBACK;
    if (room == DB_ERROR || policies_end(db, agent_id, &id, POLICY_END_AFTER_S) == DB_ERROR ||
        policies_get(db, a, agent_id, &id, p) != LOOKUP_FOUND ||
        !policy_audit(db, job->call, "policy.delete", arena_printf(a, "{\"policy\":\"%s\"}", text)) ||
        !policy_tell(db, job->call, EVENT_POLICY_ENDING, p))
        return TX_FAILED;
    job->began = true;
    return TX_COMMIT;
}

static struct reply *delete_wallet_policy(struct api_call *c, const void *arg)
{
    struct end_job job = { .call = c };
    struct json_writer *w;
    enum db_update ended;

    (void)arg;
    if (c->captured == NULL || !uuid_parse(&job.policy.id, c->captured))
        return reply_err(c->rq, &E_POLICY_NOT_FOUND);
    ended = trading_halts_transact(c->ctx->db, c->agent->id, end_tx, &job);
    if (ended == DB_ERROR)
        return NULL;
    if (ended != UPDATED)
        return reply_err(c->rq, ended == HALTED ? &E_STOPPED : job.refusal);
    if (job.began)
        policy_log(c, EVENT_POLICY_ENDING, &job.policy);
    w = reply_open(c->rq, 200);
    jw_bool(w, "deleted", true);
    jw_time(w, "effective_at", job.policy.ends_ms);
    return reply_close(w);
}

/* ---- endpoints ---- */

static const struct endpoint rows[] = {
    {
        .method = POST,
        .path = V1 "/wallet/policy",
        .auth = AUTH_ACTIVE,
        .denied = &E_DENIED,
        .internal = &E_INTERNAL,
        TAKES(policy_in_params, struct policy_in),
        .handler = create_wallet_policy,
        .flags = ONCE,
        .tool = "create_wallet_policy",
        .summary = "Limit what wallets may give away",
        .about =
            "In force when this returns. All policies of a wallet must allow what moves its money, or it is refused with POLICY_VIOLATION and a hint; so is what cannot be valued. Limits count what is given, on all chains together, since the policy exists; fees do not count. A policy is never changed: add another one and delete the former.",
        .tag = TAG_WALLETS,
        .skill = SKILL_WALLETS,
        .status = 200,
        .answer = &policy_created_schema,
        .errors = ERRORS{ &E_WALLET_NOT_FOUND, &E_QUOTA_POLICIES, &E_STOPPED, NULL },
    },
    {
        .method = GET,
        .path = V1 "/wallet/policies",
        .auth = AUTH_ACTIVE,
        .denied = &E_DENIED,
        .internal = &E_INTERNAL,
        TAKES(policies_params, struct policies_in),
        .handler = list_wallet_policies,
        .flags = LISTS,
        .tool = "list_wallet_policies",
        .summary = "The policies in force",
        .about =
            "The operator's too. One that was deleted is shown with its `pending` end, and holds until then.",
        .tag = TAG_WALLETS,
        .skill = SKILL_WALLETS,
        .status = 200,
        .answer = &policies_schema,
        .errors = ERRORS{ &E_WALLET_NOT_FOUND, NULL },
    },
    {
        .method = DELETE,
        .path = V1 "/wallet/policy/{id}",
        .auth = AUTH_ACTIVE,
        .denied = &E_DENIED,
        .internal = &E_INTERNAL,
        .handler = delete_wallet_policy,
        .tool = "delete_wallet_policy",
        .summary = "End a policy, after 24 hours",
        .about =
            "Loosening takes 24 hours, so that a stolen key gets around nothing; the operator ends one at once.",
        .tag = TAG_WALLETS,
        .skill = SKILL_WALLETS,
        .path_param = &policy_id,
        .status = 200,
        .answer = &policy_deleted_schema,
        .errors = ERRORS{ &E_POLICY_NOT_FOUND, &E_POLICY_OPERATOR, &E_STOPPED, &E_QUOTA_AUDIT, NULL },
    },
};

static const struct endpoint_event events[] = {
    { EVENT_POLICY_ADDED, "onPolicyAdded", &policy_added_schema },
    { EVENT_POLICY_ENDING, "onPolicyEnding", &policy_ending_schema },
    { .type = NULL },
};

const struct endpoint_group policies_endpoints = { ENDPOINT_ROWS(rows), .events = events };
