#include "api/admission/api_call.h"
#include "api/endpoint/common_params.h"
#include "api/endpoint/schemas.h"
#include "store/executions.h"
#include "store/transactions.h"

#include "api/admission/idempotency.h"
#include "api/endpoint/endpoint.h"
#include "api/endpoint/phrase.h"
#include "api/quote_endpoints.h"
#include "api/retry.h"
#include "api/view.h"
#include "model/agent.h"
#include "service/conf.h"
#include "swap/execute.h"
#include "swap/swap_view.h"

#define SWAP_STATUS V1 "/swap/status/{swapId}"

/* ---- parameters ---- */

struct swap_execute_in {
    const char *quote_id, *approval_id, *wallet_address;
    uint32_t max_impact;
};

static const char *const beside_approval[] = { "max_price_impact", NULL };

static const struct param swap_execute_params[] = {
    /* Required unless approval_id is given; the handler checks that. */
    { "quote_id", P_TEXT, INTO(struct swap_execute_in, quote_id), .absent = &E_QUOTE_ID_REQUIRED,
      .about = "A quote of this agent", .example = A_QUOTE },
    { "approval_id", P_TEXT, INTO(struct swap_execute_in, approval_id), .min = 1, .max = PARAM_NAME_MAX,
      .beside = beside_approval,
      .about = "Instead of quote_id: goes on with a swap that waited for the operator's approval" },
    PARAM_WALLET(struct swap_execute_in),
    PARAM_MAX_IMPACT(struct swap_execute_in, max_impact),
    PARAM_WAIT(struct swap_execute_in),
    { 0 },
};

struct swaps_in {
    const char *status;
    struct list_terms terms;
    uint64_t limit, offset;
};

static const struct param swaps_params[] = {
    { "status", P_TEXT, INTO(struct swaps_in, status), .choices = listed_statuses, .bad = &E_STATUS_FILTER,
      .about = "submitted, pending, completed or failed" },
    PARAMS_LIST(struct swaps_in, terms),
    PARAMS_PAGE(struct swaps_in),
    { 0 },
};

static const struct schema_field swap_id = { "swapId", S_WHOLE, .example = "42",
                                             .about = "The swap_id that the execution answered" };

/* ---- answers ---- */

static const char *const initial_statuses[] = { "submitted", "pending", NULL };
static const char *const all_statuses[] = { "pending", "submitted", "processing", "completed",
                                            "failed",  "expired",   NULL };
static const char *const tx_kinds[] = { "approval",  "swap",       "cancel", "revocation",
                                        "bridge_in", "bridge_out", NULL };
static const char *const tx_statuses[] = { "pending", "submitted", "completed", "failed", "replaced", NULL };
static const char *const deliveries[] = { "proven", "reported", NULL };
static const char *const completed_event[] = { "swap.completed", NULL };
static const char *const failed_event[] = { "swap.failed", NULL };
static const char *const transferred_event[] = { "transfer.completed", NULL };
static const char *const transfer_failed_event[] = { "transfer.failed", NULL };

/* clang-format off */
static const struct schema tracking_schema = { "Tracking", "Where to follow the swap", FIELDS {
    { "poll_url", TEXT("https://gateway.example/v1/agent/swap/status/42"), "GET it until the status is final" },
    END } };

static const struct schema executed_schema = { "Execution", "The swap that was accepted", FIELDS {
    SUCCESS,
    { "swap_id",  WHOLE("42"),                         "Follow it at /swap/status/{swapId}" },
    { "status",   CHOICE(initial_statuses, "pending"), "Where it stands" },
    { "tx_hash",  TEXT(A_HASH),                        "Null until a node has taken the transaction", MAY_BE_NULL },
    { "tracking", OBJECT(tracking_schema),             "Where to follow it", FULL_ONLY },
    END } };

static const struct schema awaits_schema = { "PendingApproval", "Nothing is signed yet: the operator has to approve it first", FIELDS {
    SUCCESS,
    AWAITING("Send it to /swap/execute instead of quote_id", "Then the swap has expired, and nothing was signed"),
    { "swap_id",     WHOLE("42"),       "The swap that is waiting, and stays this one" },
    END } };

#define SWAP_FIELDS(statuses) \
    { "swap_id",             WHOLE("42"),                            "Identifier of the swap" }, \
    { "id",                  WHOLE("42"),                            "The same", FULL_ONLY }, \
    { "status",              CHOICE(statuses, "completed"),          "Where it stands" }, \
    { "tx_hash",             TEXT(A_HASH),                           "Null until a node has taken the transaction", MAY_BE_NULL }, \
    { "from_token",          TEXT("ETH"),                            "Symbol of what is given" }, \
    { "to_token",            TEXT("USDC"),                           "Symbol of what is received" }, \
    { "from_token_address",  TEXT("0x0000000000000000000000000000000000000000"), "Contract of what is given; the zero address is the native coin", FULL_ONLY }, \
    { "to_token_address",    TEXT(A_TOKEN),                          "Contract of what is received", FULL_ONLY }, \
    UNVERIFIED, \
    { "chain",               TEXT("base"),                           "Key of the source chain" }, \
    { "from_chain",          TEXT("base"),                           "The same", FULL_ONLY }, \
    { "to_chain",            TEXT("base"),                           "Key of the destination chain" }, \
    { "from_amount",         AMOUNT("1.5"),                          "How much is given" }, \
    { "expected_out",        AMOUNT("4498.2"),                       "How much was quoted", FULL_ONLY }, \
    { "to_amount",           AMOUNT("4497.9"),                       "How much arrived; null until it is known", MAY_BE_NULL }, \
    { "explorer_url",        URI("https://basescan.org/tx/" A_HASH), "The transaction in a block explorer", MAY_BE_NULL | FULL_ONLY }, \
    { "error_code",          TEXT("null"),                           "Why it failed, for programs", MAY_BE_NULL | FULL_IF_NULL }, \
    { "error_message",       TEXT("null"),                           "Why it failed, in words", MAY_BE_NULL | FULL_IF_NULL }, \
    { "approval_id",         TEXT("null"),                           "The operator's approval that it needs or needed; null: none", MAY_BE_NULL | FULL_IF_NULL }, \
    { "approval_expires_at", TIME("null"),                           "When that expires, unless it is granted and used before", MAY_BE_NULL | FULL_IF_NULL }, \
    { "created_at",          TIME(A_TIME),                           "When it was accepted", FULL_ONLY }, \
    { "updated_at",          TIME(LATER),                            "When it moved last", FULL_ONLY }, \
    { "completed_at",        TIME(LATER),                            "When it completed or failed", MAY_BE_NULL | FULL_ONLY }, \
    { "corrected",           FLAG("true"),                           "True when it was reported as failed before, which the chain does not bear out", MAY_BE_ABSENT }

static const struct schema swap_schema = { "Swap", "A swap as lists show it", FIELDS {
    SWAP_FIELDS(listed_statuses),
    END } };

static const struct schema swap_transaction_schema = { "SwapTransaction", "A signed transaction of a swap", FIELDS {
    { "chain",   TEXT("base"),                     "Key of the chain" },
    { "kind",    CHOICE(tx_kinds, "swap"),         "What it is for" },
    { "tx_hash", TEXT(A_HASH),                     "Its hash" },
    { "status",  CHOICE(tx_statuses, "completed"), "Where it stands" },
    END } };

static const struct schema received_schema = { "SwapReceived", "What came instead of what was bought", FIELDS {
    { "chain",         TEXT("base"),    "Key of the chain where it came" },
    { "token",         TEXT("WETH"),    "Its symbol" },
    { "token_address", TEXT(A_TOKEN),   "Its contract; the zero address is the native coin" },
    { "amount",        AMOUNT("1.5"),   "Amount; null if unknown", MAY_BE_NULL },
    UNVERIFIED,
    END } };

static const struct schema swap_detail_schema = { "SwapDetail", "A swap with its transactions", FIELDS {
    SWAP_FIELDS(all_statuses),
    { "bridge",                 TEXT("relay"),                  "Between chains: who pays on the other one", MAY_BE_ABSENT },
    { "estimated_time_seconds", WHOLE("30"),                    "Between chains: how long that takes, as quoted", MAY_BE_ABSENT },
    { "delivery",               CHOICE(deliveries, "proven"),   "Between chains: proven when a node of that chain shows the payment, reported when only the bridge says so; null before", MAY_BE_NULL | MAY_BE_ABSENT | FULL_IF_NULL },
    { "received",               OBJECT(received_schema),        "What came instead of what was bought: another token, or the refund", MAY_BE_ABSENT },
    { "transactions", LIST(swap_transaction_schema), "Everything that was signed for it", FULL_ONLY },
    END } };

static const struct schema swap_status_schema = { "SwapStatus", "Where the swap stands", FIELDS {
    SUCCESS,
    END }, .base = &swap_detail_schema };

static const struct schema swaps_schema = { "SwapList", "A page of swaps, newest first", FIELDS {
    SUCCESS,
    { "swaps",      LIST(swap_schema),         "The swaps" },
    { "pagination", OBJECT(pagination_schema), "Which part of all this is" },
    END } };

static const struct schema swap_completed_schema = { "SwapCompletedEvent", "A swap is confirmed on the chain", FIELDS {
    { "type",      CHOICE(completed_event, "swap.completed"), "What happened" },
    { "timestamp", TIME(LATER),                               "When" },
    { "data",      OBJECT(swap_detail_schema),                "The swap" },
    END } };

static const struct schema swap_failed_schema = { "SwapFailedEvent", "A swap reverted or could not be confirmed", FIELDS {
    { "type",      CHOICE(failed_event, "swap.failed"), "What happened" },
    { "timestamp", TIME(LATER),                         "When" },
    { "data",      OBJECT(swap_detail_schema),          "The swap" },
    END } };

static const struct schema transfer_completed_schema = { "TransferCompletedEvent", "A transfer by the operator is confirmed on the chain", FIELDS {
    { "type",      CHOICE(transferred_event, "transfer.completed"), "What happened" },
    { "timestamp", TIME(LATER),                                     "When" },
    { "data",      OBJECT(swap_detail_schema),                      "The transfer, as a swap of a token into itself" },
    END } };

static const struct schema transfer_failed_schema = { "TransferFailedEvent", "A transfer by the operator has failed", FIELDS {
    { "type",      CHOICE(transfer_failed_event, "transfer.failed"), "What happened" },
    { "timestamp", TIME(LATER),                                      "When" },
    { "data",      OBJECT(swap_detail_schema),                       "The transfer, as a swap of a token into itself" },
    END } };
/* clang-format on */

/* ---- handlers ---- */

/* 202 until the operator has approved it. */
static struct reply *reply_awaits(struct api_call *c, const struct commit_result *e)
{
    struct json_writer *w = reply_open(c->rq, 202);

    view_awaiting(w, e);
    jw_integer(w, "swap_id", (int64_t)e->execution.id);
    return reply_close(w);
}

static struct reply *reply_executed(struct api_call *c, const struct commit_result *e)
{
    const struct execution *s = &e->execution;
    const char *poll_url = arena_printf(c->arena, "%s" V1 "/swap/status/%llu", c->ctx->conf->base_url,
                                        (unsigned long long)s->id);
    struct json_writer *w;

    if (e->awaits)
        return reply_awaits(c, e);
    w = reply_open(c->rq, 200);
    jw_integer(w, "swap_id", (int64_t)s->id);
    jw_string(w, "status", exec_status_text(s->status));
    jw_string_or_null(w, "tx_hash", tx_hash_text(c->arena, s->from.chain_id, &s->tx_hash));
    jw_object(w, "tracking");
    jw_string(w, "poll_url", poll_url);
    jw_end(w);
    return reply_close(w);
}

/* If the request dies between commit and answer, a repeat under its key finds the swap. */
static enum db_update note_executed(void *c, const struct commit_result *e)
{
    return idempotency_note(c, reply_executed(c, e), true);
}

static const struct err *execute_by_params(struct api_call *c, const struct swap_execute_in *in,
                                           struct commit_result *out)
{
    const struct commit_note noted = { note_executed, c }, *note = c->record != NULL ? &noted : NULL;
    const struct ppm max_impact = { in->max_impact };

    *out = (struct commit_result){ .lost_to = 0 };
    if (in->approval_id != NULL)
        return swap_execute_approved(c->ctx, c->arena, c->agent, in->approval_id, max_impact, note, out);
    if (in->quote_id == NULL || *in->quote_id == '\0')
        return err_on(c->arena, &E_QUOTE_ID_REQUIRED, "quote_id");
    return swap_execute(c->ctx, c->arena, c->agent, in->quote_id, in->wallet_address, max_impact, note, out);
}

static struct reply *execute_swap(struct api_call *c, const void *arg)
{
    struct commit_result done;
    const struct err *e = retry_outcome(c, execute_by_params(c, arg, &done), &done);

    return e != NULL ? quote_refuse(c, e, done.lost_to) : reply_executed(c, &done);
}

static const char *execute_terms(struct api_call *c, const void *arg)
{
    const struct swap_execute_in *in = arg;

    return in->quote_id == NULL ? NULL : quote_terms(c, in, in->quote_id, in->wallet_address, in->max_impact);
}

static uint64_t swap_begun(const struct api_call *c, enum exec_kind_id kind, const json_t *answer)
{
    (void)c;
    (void)kind;
    return (uint64_t)json_integer_value(json_object_get(answer, "swap_id"));
}

static struct reply *get_swap_status(struct api_call *c, const void *arg)
{
    struct execution s;
    struct execution_shown shown = { .execution = &s };
    struct transaction *txs;
    struct json_writer *w;
    uint64_t id;
    bool sound = c->captured != NULL && params_whole(&id, c->captured);
    enum lookup found = sound ? executions_get(c->ctx->db, c->arena, c->agent->id, id, &s) : LOOKUP_NONE;
    int n;

    (void)arg;
    if (found == LOOKUP_ERROR)
        return NULL;
    if (found == LOOKUP_NONE)
        return reply_err(c->rq, &E_SWAP_NOT_FOUND);
    n = transactions_of(c->ctx->db, c->arena, s.id, &txs);
    if (n < 0 || !swap_own_read(c->ctx->db, c->arena, &s, &shown.own))
        return NULL;
    shown.txs = txs;
    shown.tx_count = (unsigned)n;
    w = reply_open(c->rq, 200);
    swap_view(w, &shown);
    return reply_close(w);
}

/* The number of swaps that the filter matches, from the stored totals. */
static uint64_t swaps_total(const struct agent *a, enum exec_status listed)
{
    switch (listed) {
    case EXEC_PENDING:
        return a->swaps_pending;
    case EXEC_SUBMITTED:
        return a->swaps_submitted;
    case EXEC_COMPLETED:
        return a->swaps_completed;
    case EXEC_FAILED:
        return a->swaps_failed;
    case EXEC_PROCESSING:
    case EXEC_EXPIRED:
        break;
    }
    return a->swaps_pending + a->swaps_submitted + a->swaps_completed + a->swaps_failed;
}

static struct reply *list_swaps(struct api_call *c, const void *arg)
{
    const struct swaps_in *in = arg;
    struct page page = { in->limit, in->offset };
    enum exec_status listed = (enum exec_status)0;
    struct execution *swaps = ARENA_ARRAY(c->arena, struct execution, in->limit);
    uint64_t total = 0;
    struct list_filter filter;
    const struct err *e = list_terms_read(&filter, c->arena, &in->terms);
    bool counts = e == NULL && !list_filter_is_open(&filter);
    struct json_writer *w;
    int n;

    if (e != NULL)
        return reply_err(c->rq, e);
    if (in->status != NULL && !exec_listed_parse(&listed, in->status))
        return NULL; /* the parameter table accepted a status unknown to the model
                      */
    n = counts
            ? executions_filtered(c->ctx->db, c->arena, c->agent->id, listed, &filter, &page, swaps, &total)
            : executions_page(c->ctx->db, c->arena, c->agent->id, listed, &page, swaps);
    if (n < 0)
        return NULL;
    w = reply_open(c->rq, 200);
    jw_array(w, "swaps");
    for (int i = 0; i < n; i++) {
        jw_object(w, NULL);
        swap_view_listed(w, &swaps[i]);
        jw_end(w);
    }
    jw_end(w);
    view_pagination(w, counts ? total : swaps_total(c->agent, listed), &page, (uint64_t)n);
    return reply_close(w);
}

/* ---- as a sentence ---- */

static const char *swap_status_sentence(struct arena *a, const json_t *asked, const json_t *item)
{
    const char *got = phrase_text(item, "to_amount"), *why = phrase_text(item, "error_message");

    (void)asked;
    return arena_printf(
        a, "Swap %lld of %s %s to %s%s%s: %s%s%s", json_integer_value(json_object_get(item, "swap_id")),
        phrase_text(item, "from_amount"), phrase_text(item, "from_token"), got, *got == '\0' ? "" : " ",
        phrase_text(item, "to_token"), phrase_text(item, "status"), *why == '\0' ? "" : ". ", why);
}

static const char *swap_phrase(struct arena *a, const json_t *item)
{
    return arena_printf(a, "%lld of %s %s to %s %s", json_integer_value(json_object_get(item, "swap_id")),
                        phrase_text(item, "from_amount"), phrase_text(item, "from_token"),
                        phrase_text(item, "to_token"), phrase_text(item, "status"));
}

static const char *swaps_sentence(struct arena *a, const json_t *asked, const json_t *body)
{
    const json_t *list = json_object_get(body, "swaps");
    long long total = json_integer_value(json_object_get(json_object_get(body, "pagination"), "total"));
    const char *status = phrase_text(asked, "status");

    if (json_array_size(list) == 0)
        return arena_printf(a, "There are no %s%sswaps", status, *status == '\0' ? "" : " ");
    return arena_printf(a, "%lld %s%sswap%s; the newest: %s", total, status, *status == '\0' ? "" : " ",
                        phrase_plural((size_t)total), phrase_list(a, list, swap_phrase, PHRASE_ITEMS_MAX));
}

/* ---- endpoints ---- */

static const struct endpoint rows[] = {
    {
        .method = POST,
        .path = V1 "/swap/execute",
        .auth = AUTH_ACTIVE,
        .denied = &E_UNAUTHORIZED,
        .internal = &E_SWAP_EXECUTION,
        TAKES(swap_execute_params, struct swap_execute_in),
        .handler = execute_swap,
        .terms = execute_terms,
        .flags = ONCE | WAITS | CORE,
        .begins = { KIND_SWAP, swap_begun, SWAP_STATUS },
        .tool = "execute_swap",
        .summary = "Execute a swap",
        .about =
            "Moves money. The quote is tried on the chain, signed and sent; it becomes at most one swap. Next: GET /swap/status/{swapId} until `completed` or `failed`, or the webhook. A 202 waits for the operator's approval: send its `approval_id` instead of `quote_id` once it is granted.",
        .tag = TAG_SWAPS,
        .skill = SKILL_EXECUTE,
        .status = 200,
        .answer = &executed_schema,
        .or_answer = &swap_status_schema,
        .accepted = &awaits_schema,
        .errors = ERRORS{ &E_QUOTE_EXPIRED_EXECUTE,
                          &E_QUOTE_NOT_FOUND,
                          &E_WALLET_NOT_FOUND,
                          &E_BALANCE,
                          &E_GAS,
                          &E_PRICE_MOVED,
                          &E_PRICE_IMPACT,
                          &E_SHALLOW,
                          &E_WOULD_REVERT,
                          &E_BEHIND,
                          &E_PAUSED,
                          &E_OPERATOR_LIMIT,
                          &E_PROVIDER_REFUSED,
                          &E_UPSTREAM,
                          &E_QUOTE_ID_REQUIRED,
                          &E_POLICY,
                          &E_APPROVAL_COUNT,
                          &E_APPROVAL_NOT_FOUND,
                          &E_APPROVAL_DENIED,
                          &E_APPROVAL_EXPIRED,
                          &E_NO_LIQUIDITY,
                          &E_DUPLICATE_TX,
                          NULL },
        .hints = HINT_OPEN_WORLD,
    },
    {
        .method = GET,
        .path = SWAP_STATUS,
        .auth = AUTH_ACTIVE,
        .denied = &E_DENIED,
        .internal = &E_INTERNAL,
        TAKES(wait_params, struct wait_in),
        .begins = { .execution = swap_begun },
        .handler = get_swap_status,
        .flags = CORE,
        .tool = "get_swap_status",
        .sentence = swap_status_sentence,
        .summary = "Swap status",
        .about = "One swap with all its transactions. Ask again until `completed` or `failed`.",
        .tag = TAG_SWAPS,
        .skill = SKILL_STATUS,
        .path_param = &swap_id,
        .status = 200,
        .answer = &swap_status_schema,
        .errors = ERRORS{ &E_SWAP_NOT_FOUND, NULL },
    },
    {
        .method = GET,
        .path = V1 "/swaps",
        .auth = AUTH_ACTIVE,
        .denied = &E_UNAUTHORIZED,
        .internal = &E_INTERNAL,
        TAKES(swaps_params, struct swaps_in),
        .handler = list_swaps,
        .flags = LISTS | CORE,
        .tool = "list_swaps",
        .sentence = swaps_sentence,
        .summary = "Swap history",
        .about = "Newest first. `processing` is listed as `pending`.",
        .tag = TAG_SWAPS,
        .skill = SKILL_STATUS,
        .status = 200,
        .answer = &swaps_schema,
        .errors = ERRORS{ &E_CHAIN_UNKNOWN, NULL },
    },
};

static const struct endpoint_event events[] = {
    { "swap.completed", "onSwapCompleted", &swap_completed_schema },
    { "swap.failed", "onSwapFailed", &swap_failed_schema },
    { "transfer.completed", "onTransferCompleted", &transfer_completed_schema },
    { "transfer.failed", "onTransferFailed", &transfer_failed_schema },
    { .type = NULL },
};

const struct endpoint_group swaps_endpoints = { ENDPOINT_ROWS(rows), .events = events };
