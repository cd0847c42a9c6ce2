#include "store/approvals.h"

#include "api/admission/api_call.h"
#include "api/endpoint/common_params.h"
#include "api/endpoint/endpoint.h"
#include "api/endpoint/schemas.h"
#include "api/view.h"
#include "model/agent.h"
#include "notify/approval_events.h"

/* ---- parameters ---- */

struct approvals_in {
    const char *status;
    struct list_terms terms;
    uint64_t limit, offset;
};

static const char *const approval_statuses[] = { "waiting", "granted", "denied", "used", "lapsed", NULL };

static const struct param approvals_params[] = {
    { "status", P_TEXT, INTO(struct approvals_in, status), .choices = approval_statuses,
      .bad = &E_STATUS_FILTER, .about = "waiting, granted, denied, used or lapsed" },
    PARAMS_LIST(struct approvals_in, terms),
    PARAMS_PAGE(struct approvals_in),
    { 0 },
};

static const struct schema_field approval_id = { "id", S_TEXT,
                                                 .example = "ap_7d793037a0760186574b0282f2f435e7",
                                                 .about = "The approval_id that the execution answered" };

/* ---- answers ---- */

/* The names of all kinds that may wait (exec/kind.h), which test_endpoints.c compares. */
static const char *const approval_actions[] = { "swap",   "order",     "deposit",    "withdrawal",
                                                "supply", "borrowing", "collateral", NULL };
static const char *const granted_event[] = { "approval.granted", NULL };
static const char *const denied_event[] = { "approval.denied", NULL };
static const char *const lapsed_event[] = { "approval.lapsed", NULL };

/* clang-format off */
static const struct schema approval_schema = { "Approval", "A request for the operator's approval", FIELDS {
    { "id",         TEXT(AN_APPROVAL),                    "Its approval_id: send it once it is granted, a swap's to /swap/execute, an order's to /predict/order or /perps/order, a deposit's to /perps/deposit, a withdrawal's to /wallets/withdraw, a supply's to /lend/supply, a borrowing's to /lend/borrow" },
    { "status",     CHOICE(approval_statuses, "granted"), "Where it stands" },
    { "action",     CHOICE(approval_actions, "swap"),     "What is to be approved" },
    { "reason",     TEXT("beyond an approval_limit"),     "The policy that requires it, in words" },
    { "swap_id",    WHOLE("42"),                          "The swap that waits for it; null for other actions", MAY_BE_NULL | FULL_IF_NULL },
    { "created_at", TIME(A_TIME),                         "When it was asked for" },
    { "expires_at", TIME(LATER),                          "When it expires, unless it is granted and used before" },
    { "decided_at", TIME(LATER),                          "When the operator granted or denied it; null: not", MAY_BE_NULL | FULL_IF_NULL },
    END } };

static const struct schema approvals_schema = { "ApprovalList", "A page of requests for approval, newest first", FIELDS {
    SUCCESS,
    { "approvals",  LIST(approval_schema),     "The requests" },
    { "pagination", OBJECT(pagination_schema), "Which part of all this is" },
    END } };

static const struct schema approval_found_schema = { "ApprovalFound", "One request for approval", FIELDS {
    SUCCESS,
    { "approval", OBJECT(approval_schema), "The request" },
    END } };

#define APPROVAL_EVENT(types, example) FIELDS { \
    { "type",      CHOICE(types, example),  "What happened" }, \
    { "timestamp", TIME(LATER),             "When" }, \
    { "data",      OBJECT(approval_schema), "The request" }, \
    END }

static const struct schema approval_granted_schema = { "ApprovalGrantedEvent", "The operator allows it: send the approval_id to where it was asked for",
    APPROVAL_EVENT(granted_event, "approval.granted") };

static const struct schema approval_denied_schema = { "ApprovalDeniedEvent", "The operator refused it; nothing was signed",
    APPROVAL_EVENT(denied_event, "approval.denied") };

static const struct schema approval_lapsed_schema = { "ApprovalLapsedEvent", "It was not granted and used in time; nothing was signed",
    APPROVAL_EVENT(lapsed_event, "approval.lapsed") };
/* clang-format on */

/* ---- handlers ---- */

static struct reply *list_approvals(struct api_call *c, const void *arg)
{
    const struct approvals_in *in = arg;
    struct page page = { in->limit, in->offset };
    struct approval *approvals = ARENA_ARRAY(c->arena, struct approval, in->limit);
    enum approval_state state = (enum approval_state)0;
    struct list_filter filter;
    const struct err *e = list_terms_read(&filter, c->arena, &in->terms);
    uint64_t total = 0;
    struct json_writer *w;
    int n;

    if (e != NULL)
        return reply_err(c->rq, e);
    if (in->status != NULL && !approval_state_parse(&state, in->status))
        return NULL; /* the parameter table accepted a status unknown to the model */
    n = approvals_page(c->ctx->db, c->arena, c->agent->id, state, &filter, &page, approvals, &total);
    if (n < 0)
        return NULL;
    w = reply_open(c->rq, 200);
    jw_array(w, "approvals");
    for (int i = 0; i < n; i++) {
        jw_object(w, NULL);
        approval_view(w, &approvals[i]);
        jw_end(w);
    }
    jw_end(w);
    view_pagination(w, total, &page, (uint64_t)n);
    return reply_close(w);
}

static struct reply *get_approval(struct api_call *c, const void *arg)
{
    struct json_writer *w;
    struct approval ap;
    struct uuid id;
    enum lookup found = c->captured != NULL && approval_id_parse(&id, c->captured)
                            ? approvals_get(c->ctx->db, c->arena, c->agent->id, &id, &ap)
                            : LOOKUP_NONE;

    (void)arg;
    if (found == LOOKUP_ERROR)
        return NULL;
    if (found == LOOKUP_NONE)
        return reply_err(c->rq, err_hint(c->arena, &E_APPROVAL_NOT_FOUND, "GET /approvals lists yours"));
    w = reply_open(c->rq, 200);
    jw_object(w, "approval");
    approval_view(w, &ap);
    jw_end(w);
    return reply_close(w);
}

/* ---- endpoints ---- */

static const struct endpoint rows[] = {
    {
        .method = GET,
        .path = V1 "/approvals",
        .auth = AUTH_ACTIVE,
        .denied = &E_DENIED,
        .internal = &E_INTERNAL,
        TAKES(approvals_params, struct approvals_in),
        .handler = list_approvals,
        .flags = LISTS | CORE,
        .tool = "list_approvals",
        .summary = "What the operator was asked to approve",
        .about = "Newest first; finds the approval_id of a lost 202.",
        .tag = TAG_SWAPS,
        .skill = SKILL_STATUS,
        .status = 200,
        .answer = &approvals_schema,
        .errors = ERRORS{ &E_CHAIN_UNKNOWN, NULL },
    },
    {
        .method = GET,
        .path = V1 "/approvals/{id}",
        .auth = AUTH_ACTIVE,
        .denied = &E_DENIED,
        .internal = &E_INTERNAL,
        .handler = get_approval,
        .tool = "get_approval",
        .summary = "One request for approval",
        .about = "Whether the operator has decided. Once `granted`, the call that asked takes its id.",
        .tag = TAG_SWAPS,
        .skill = SKILL_STATUS,
        .path_param = &approval_id,
        .status = 200,
        .answer = &approval_found_schema,
        .errors = ERRORS{ &E_APPROVAL_NOT_FOUND, NULL },
    },
};

static const struct endpoint_event events[] = {
    { "approval.granted", "onApprovalGranted", &approval_granted_schema },
    { "approval.denied", "onApprovalDenied", &approval_denied_schema },
    { "approval.lapsed", "onApprovalLapsed", &approval_lapsed_schema },
    { .type = NULL },
};

const struct endpoint_group approvals_endpoints = { ENDPOINT_ROWS(rows), .events = events };
