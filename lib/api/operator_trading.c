#include "api/endpoint/schemas.h"
#include "api/operator_call.h"
#include "operator/admin_approvals.h"
#include "operator/halts.h"
#include "store/trading_halts.h"

/* ---- answers ---- */

static const struct schema_field approval_id = { "id", S_TEXT, .example = AN_APPROVAL,
                                                 .about = "The approval's id" };

/* clang-format off */
static const struct schema stop_schema = { "Stop", "Agents that are stopped or banned", FIELDS {
    { "agent",   UUID(AN_ID),          "The agent; null: all of them", MAY_BE_NULL },
    { "name",    TEXT("trading bot"),  "What it calls itself", MAY_BE_NULL },
    { "trading", FLAG("true"),         "Nothing is signed" },
    { "access",  FLAG("false"),        "Its key opens nothing" },
    { "since",   TIME(A_TIME),         "When the last of it was ordered" },
    END } };

static const struct schema trading_schema = { "Trading", "Whether anything is signed, and for whom not", FIELDS {
    SUCCESS,
    { "stopped",        FLAG("false"),     "All trading is stopped" },
    { "database_older", FLAG("false"),     "It is since the database is older than it was, until agentctl reconcile" },
    { "stops",          LIST(stop_schema), "Who is stopped or banned; that of all first" },
    END } };

static const struct schema terms_schema = { "ApprovalTerms", "What waits for the operator's word; nothing else can be executed with it", FIELDS {
    { "id",         TEXT(AN_APPROVAL),                              "Its id" },
    { "agent",      UUID(AN_ID),                                    "Who asks" },
    { "wallet",     TEXT(A_WALLET),                                 "The wallet that would pay" },
    { "kind",       TEXT("swap"),                                   "What would be done" },
    { "swap_id",    WHOLE("42"),                                    "The execution's number" },
    { "terms",      TEXT("1.5 ETH on base for at least 4500 USDC"), "What it would do, tokens by their contracts where they are not listed" },
    { "reason",     TEXT("beyond an approval_limit"),               "The policy that requires a word" },
    { "expires_at", TIME(LATER),                                    "When it lapses without one" },
    END } };

static const struct schema approvals_schema = { "ApprovalsWaiting", "The oldest first", FIELDS {
    SUCCESS,
    { "approvals", LIST(terms_schema), "All that wait" },
    END } };
/* clang-format on */

/* ---- the kill switch ---- */

static void stop_write(struct json_writer *w, const struct trading_halt *t)
{
    char id[UUID_TEXT_LEN + 1];

    uuid_text(id, t->agent);
    jw_object(w, NULL);
    jw_string_or_null(w, "agent", t->agent_id == HALT_ALL ? NULL : id);
    jw_string_or_null(w, "name", t->name);
    jw_bool(w, "trading", (t->kinds & (HALT_TRADING | HALT_RESTORED)) != 0);
    jw_bool(w, "access", (t->kinds & HALT_ACCESS) != 0);
    jw_time(w, "since", t->since_ms);
    jw_end(w);
}

static struct reply *get_trading(struct api_call *c, const void *arg)
{
    struct trading_halt *list;
    int n = trading_halts_list(c->ctx->db, c->arena, &list);
    bool all = n > 0 && list[0].agent_id == HALT_ALL;
    struct json_writer *w;

    (void)arg;
    if (n < 0)
        return NULL;
    w = reply_open(c->rq, 200);
    jw_bool(w, "stopped", all);
    jw_bool(w, "database_older", all && (list[0].kinds & HALT_RESTORED) != 0);
    jw_array(w, "stops");
    for (int i = 0; i < n; i++)
        stop_write(w, &list[i]);
    jw_end(w);
    return reply_close(w);
}

static const struct operator_act stop_act = { "stop", OPERATOR_ALL, .turn = operator_set_stop, .on = true,
                                              .answer = get_trading };
static const struct operator_act resume_act = { "resume", OPERATOR_ALL, .turn = operator_set_stop,
                                                .on = false, .answer = get_trading };

/* ---- approvals ---- */

static void terms_write(struct json_writer *w, const struct approval_terms *t)
{
    char id[APPROVAL_ID_TEXT_LEN + 1], agent[UUID_TEXT_LEN + 1];

    approval_id_text(id, &t->approval.id);
    uuid_text(agent, t->wallet.ref.agent);
    jw_object(w, NULL);
    jw_string(w, "id", id);
    jw_string(w, "agent", agent);
    jw_string(w, "wallet", t->wallet.ref.address);
    jw_string(w, "kind", t->name);
    jw_integer(w, "swap_id", (int64_t)t->approval.execution_id);
    jw_string(w, "terms", t->text);
    jw_string(w, "reason", t->approval.why);
    jw_time(w, "expires_at", t->approval.expires_ms);
    jw_end(w);
}

static struct reply *list_approvals(struct api_call *c, const void *arg)
{
    const struct approval_terms *list;
    struct json_writer *w;
    size_t n;
    const struct err *e = operator_call_err(c, operator_list_approvals(c->ctx, c->arena, &list, &n), NULL);

    (void)arg;
    if (e != NULL)
        return reply_err(c->rq, e);
    w = reply_open(c->rq, 200);
    jw_array(w, "approvals");
    for (size_t i = 0; i < n; i++)
        terms_write(w, &list[i]);
    jw_end(w);
    return reply_close(w);
}

static const struct operator_act approve_act = { "approve", .turn = operator_decide_approval, .on = true,
                                                 .missing = &E_NOT_FOUND, .done = "granted" };
static const struct operator_act deny_act = { "deny", .turn = operator_decide_approval, .on = false,
                                              .missing = &E_NOT_FOUND, .done = "denied" };

/* ---- endpoints ---- */

#define OF_TRADING OPERATOR_ROW(TAG_OPERATOR_TRADING)

static const struct endpoint rows[] = {
    {
        .method = GET,
        .path = V1_OPERATOR "/trading",
        OF_TRADING,
        .handler = get_trading,
        .operation = "get_trading",
        .summary = "Who may trade",
        .about = "Whether all are stopped, and which agents are stopped or banned by themselves.",
        .answer = &trading_schema,
    },
    {
        .path = V1_OPERATOR "/trading/stop",
        OF_TRADING,
        OPERATOR_ACT(stop_act, operator_act_params),
        .operation = "stop_trading",
        .summary = "Stop all trading",
        .about =
            "The kill switch: no agent's transaction is signed any more when this answers. What is under way is still followed.",
        .answer = &trading_schema,
        .errors = ERRORS{ &E_REFUSED, NULL },
    },
    {
        .path = V1_OPERATOR "/trading/resume",
        OF_TRADING,
        OPERATOR_ACT(resume_act, operator_act_params),
        .operation = "resume_trading",
        .summary = "Let trading go on",
        .about =
            "Agents that are stopped by themselves stay so, and so do all while an older database is not reconciled.",
        .answer = &trading_schema,
        .errors = ERRORS{ &E_REFUSED, NULL },
    },
    {
        .method = GET,
        .path = V1_OPERATOR "/approvals",
        OF_TRADING,
        .handler = list_approvals,
        .operation = "list_approvals",
        .summary = "What waits for approval",
        .about =
            "Requests that an approval_limit holds back, with the terms on which each would be executed.",
        .answer = &approvals_schema,
    },
    {
        .path = V1_OPERATOR "/approvals/{id}/approve",
        OF_TRADING,
        OPERATOR_ACT(approve_act, operator_act_params),
        .operation = "approve",
        .summary = "Grant one",
        .about = "The agent may execute this, once, on these terms and at no worse a price.",
        .path_param = &approval_id,
        .answer = &operator_done_schema,
        .errors = ERRORS{ &E_NOT_FOUND, &E_REFUSED, NULL },
    },
    {
        .path = V1_OPERATOR "/approvals/{id}/deny",
        OF_TRADING,
        OPERATOR_ACT(deny_act, operator_act_params),
        .operation = "deny",
        .summary = "Deny one",
        .about = "It cannot be executed; a grant that is not used yet is taken back.",
        .path_param = &approval_id,
        .answer = &operator_done_schema,
        .errors = ERRORS{ &E_NOT_FOUND, &E_REFUSED, NULL },
    },
};

const struct endpoint_group operator_trading_endpoints = { ENDPOINT_ROWS(rows) };
