#include "transfer/withdrawal.h"

#include <string.h>

#include "api/admission/api_call.h"
#include "api/admission/idempotency.h"
#include "api/admission/terms.h"
#include "api/endpoint/common_params.h"
#include "api/endpoint/endpoint.h"
#include "api/endpoint/phrase.h"
#include "api/endpoint/schemas.h"
#include "api/retry.h"
#include "api/view.h"
#include "model/agent.h"
#include "model/approval.h"
#include "store/executions.h"
#include "store/withdrawals.h"

/* ---- parameters ---- */

struct withdraw_in {
    const char *token, *amount, *chain, *wallet_address, *to, *approval_id;
    uint64_t address_id;
};

/* clang-format off */
/* Required, unless approval_id is given; the handler checks that. */
#define WITHDRAW_PARAMS \
    { "token", P_TEXT, INTO(struct withdraw_in, token), .min = 1, .max = PARAM_NAME_MAX, .needed = true, .unless = "approval_id", \
      .about = "Symbol or contract address", .example = "USDC" }, \
    { "amount", P_QUANTITY, INTO(struct withdraw_in, amount), .word = "max",  \
      .bad = &E_AMOUNT, .needed = true, .unless = "approval_id", \
      .about = "How much, in human units; \"max\": all that nothing under way may take, and of the coin what its fees leave", \
      .example = "100" }, \
    { "chain", P_TEXT, INTO(struct withdraw_in, chain), .min = 1, .max = PARAM_NAME_MAX, .needed = true, .unless = "approval_id", \
      .about = "Key of the chain", .example = "base" }, \
    { "address_id", P_WHOLE, INTO(struct withdraw_in, address_id), .max = INT64_MAX, .needed = true, .unless = "to", \
      .about = "The id of an active address in GET /withdrawal-addresses", .example = "7" }, \
    { "to", P_TEXT, INTO(struct withdraw_in, to), .min = 1, .max = 2 * PARAM_NAME_MAX, \
      .about = "Instead of address_id: its label, or the address itself" }, \
    PARAM_WALLET(struct withdraw_in)
/* clang-format on */

static const struct param withdraw_params[] = {
    WITHDRAW_PARAMS,
    { "approval_id", P_TEXT, INTO(struct withdraw_in, approval_id), .min = 1, .max = PARAM_NAME_MAX,
      .about =
          "Goes on with a withdrawal that waited for the operator's approval: alone, as other terms beside it are refused" },
    { 0 },
};

static const struct param simulate_params[] = { WITHDRAW_PARAMS, { 0 } };

struct withdrawals_in {
    const char *status;
    struct list_terms terms;
    uint64_t limit, offset;
};

static const struct param withdrawals_params[] = {
    { "status", P_TEXT, INTO(struct withdrawals_in, status), .choices = listed_statuses,
      .bad = &E_STATUS_FILTER, .about = "submitted, pending, completed or failed" },
    PARAMS_LIST(struct withdrawals_in, terms),
    PARAMS_PAGE(struct withdrawals_in),
    { 0 },
};

static const struct schema_field withdrawal_id = { "id", S_WHOLE, .example = "42",
                                                   .about = "The withdrawal's id" };

/* ---- answers ---- */

static const char *const statuses[] = { "pending", "submitted", "processing", "completed",
                                        "failed",  "expired",   NULL };
static const char *const completed_event[] = { "withdrawal.completed", NULL };
static const char *const failed_event[] = { "withdrawal.failed", NULL };

/* clang-format off */
static const struct schema withdrawal_schema = { "Withdrawal", "What leaves a managed wallet for an address of your own", FIELDS {
    { "id",            WHOLE("42"),                   "Follow it at /withdrawals/{id}" },
    { "token",         TEXT("USDC"),                  "Symbol of what is withdrawn" },
    { "token_address", TEXT(A_TOKEN),                 "Its contract; the zero address is the native coin", FULL_ONLY },
    { "amount",        AMOUNT("100"),                 "How much leaves the wallet, and arrives" },
    { "arrives",       AMOUNT("99.999999"),           "Of a token that counts shares, where rounding changes it: how much arrives", MAY_BE_ABSENT },
    { "chain",         TEXT("base"),                  "Key of the chain" },
    { "to",            TEXT(A_WALLET),                "The address" },
    { "address_id",    WHOLE("7"),                    "Its id", FULL_ONLY },
    { "status",        CHOICE(statuses, "completed"), "Where it stands" },
    { "tx_hash",       TEXT(A_HASH),                  "Null until a node has taken the transaction", MAY_BE_NULL },
    { "fee",           AMOUNT("0.00002"),             "Of the chain's coin, beside the amount: at most, and what it was once it is completed" },
    { "created_at",    TIME(A_TIME),                  "When it was accepted" },
    { "completed_at",  TIME(LATER),                   "When it completed or failed", MAY_BE_NULL | FULL_ONLY },
    { "error",         TEXT("null"),                  "Why it failed, in words", MAY_BE_NULL | FULL_IF_NULL },
    END } };

static const struct schema withdrawal_found_schema = { "WithdrawalFound", "A withdrawal", FIELDS {
    SUCCESS,
    { "withdrawal", OBJECT(withdrawal_schema), "The withdrawal" },
    END } };

static const struct schema awaits_schema = { "WithdrawalPendingApproval", "Nothing is signed yet: the operator has to approve it first", FIELDS {
    SUCCESS,
    AWAITING("Send it alone to /wallets/withdraw", "Then the withdrawal has expired, and nothing was signed"),
    { "withdrawal", OBJECT(withdrawal_schema), "The withdrawal that is waiting, and stays this one" },
    END } };

static const struct schema withdrawals_schema = { "WithdrawalList", "A page of withdrawals, newest first", FIELDS {
    SUCCESS,
    { "withdrawals", LIST(withdrawal_schema),   "The withdrawals" },
    { "pagination",  OBJECT(pagination_schema), "Which part of all this is" },
    END } };

static const struct schema simulation_schema = { "WithdrawalSimulation", "How the withdrawal would go", FIELDS {
    SUCCESS,
    { "would_execute", FLAG("true"),            "Whether it would be accepted" },
    { "token",         TEXT("USDC"),            "Symbol of what would be withdrawn" },
    { "amount",        AMOUNT("100"),           "How much would arrive" },
    { "chain",         TEXT("base"),            "Key of the chain" },
    { "to",            TEXT(A_WALLET),          "The address" },
    { "fee",           AMOUNT("0.00002"),       "At most, of the chain's coin" },
    { "checks",        LIST(check_schema),      "Every check" },
    { "warnings",      TEXTS("It is worth less than its fees may be"), "Details of the checks that warn" },
    END } };

static const struct schema completed_schema = { "WithdrawalCompletedEvent", "A withdrawal is confirmed on the chain", FIELDS {
    { "type",      CHOICE(completed_event, "withdrawal.completed"), "What happened" },
    { "timestamp", TIME(LATER),                                     "When" },
    { "data",      OBJECT(withdrawal_schema),                       "The withdrawal" },
    END } };

static const struct schema failed_schema = { "WithdrawalFailedEvent", "A withdrawal has failed", FIELDS {
    { "type",      CHOICE(failed_event, "withdrawal.failed"), "What happened" },
    { "timestamp", TIME(LATER),                               "When" },
    { "data",      OBJECT(withdrawal_schema),                 "The withdrawal" },
    END } };
/* clang-format on */

/* ---- carrying one out ---- */

static void withdrawal_write(struct json_writer *w, const char *key, const struct execution *x,
                             const struct withdrawal *own)
{
    const struct execution_shown shown = { .execution = x, .own = own };

    jw_object(w, key);
    withdrawal_view(w, &shown);
    jw_end(w);
}

/* Reads the withdrawal as it is stored, since its times are the database's. */
static bool withdrawal_read(struct api_call *c, uint64_t id, struct execution *x, struct withdrawal *own)
{
    return executions_get(c->ctx->db, c->arena, c->agent->id, id, x) == LOOKUP_FOUND &&
           withdrawals_get(c->ctx->db, id, own) == LOOKUP_FOUND;
}

static struct reply *reply_withdrawal(struct api_call *c, const struct commit_result *r)
{
    struct withdrawal own;
    struct execution x;
    struct json_writer *w;

    if (!withdrawal_read(c, r->execution.id, &x, &own))
        return NULL;
    w = reply_open(c->rq, r->awaits ? 202 : 200);
    if (r->awaits)
        view_awaiting(w, r);
    withdrawal_write(w, "withdrawal", &x, &own);
    return reply_close(w);
}

/* If the request dies between commit and answer, a repeat under its key finds the withdrawal. */
static enum db_update note_withdrawal(void *c, const struct commit_result *r)
{
    struct reply *answer = reply_withdrawal(c, r);

    return answer != NULL ? idempotency_note(c, answer, true) : DB_ERROR;
}

/* NULL, or which of what is needed is missing. */
static const struct err *asked_of(struct api_call *c, const struct withdraw_in *in,
                                  struct withdrawal_asked *out)
{
    const char *missing = in->token == NULL ? "token" : in->amount == NULL ? "amount" : NULL;

    if (missing == NULL && in->chain == NULL)
        missing = "chain";
    if (missing != NULL)
        return err_on(c->arena, err_fmt(c->arena, &E_REQUIRED, missing, NULL), missing);
    *out = (struct withdrawal_asked){ .token = in->token,
                                      .amount = in->amount,
                                      .chain = in->chain,
                                      .wallet_address = in->wallet_address,
                                      .address_id = in->address_id,
                                      .to = in->to };
    return NULL;
}

static const struct err *withdraw_by_params(struct api_call *c, const struct withdraw_in *in,
                                            struct commit_result *out)
{
    const struct commit_note noted = { note_withdrawal, c }, *note = c->record != NULL ? &noted : NULL;
    struct withdrawal_asked asked;
    const struct err *e;

    *out = (struct commit_result){ .lost_to = 0 };
    if (in->approval_id != NULL)
        return withdrawal_make_approved(c->ctx, c->arena, c->agent, in->approval_id, note, out);
    e = asked_of(c, in, &asked);
    return e != NULL ? e : withdrawal_make(c->ctx, c->arena, c->agent, &asked, note, out);
}

static struct reply *withdraw(struct api_call *c, const void *arg)
{
    struct commit_result done;
    const struct err *e = retry_outcome(c, withdraw_by_params(c, arg, &done), &done);

    return e != NULL ? reply_err(c->rq, e) : reply_withdrawal(c, &done);
}

static uint64_t withdrawal_begun(const struct api_call *c, const json_t *answer)
{
    (void)c;
    return (uint64_t)json_integer_value(json_object_get(json_object_get(answer, "withdrawal"), "id"));
}

/* ---- simulating one ---- */

static struct reply *simulate_withdrawal(struct api_call *c, const void *arg)
{
    struct withdrawal_simulation r;
    struct withdrawal_asked asked;
    const struct err *e = asked_of(c, arg, &asked);
    struct json_writer *w;

    if (e == NULL)
        e = withdrawal_simulate(c->ctx, c->arena, c->agent, &asked, &r);
    if (e != NULL)
        return reply_err(c->rq, e);
    w = reply_open(c->rq, 200);
    jw_bool(w, "would_execute", r.would_execute);
    jw_string(w, "token", r.token.symbol);
    view_amount(w, "amount", r.amount, &r.token);
    jw_string(w, "chain", r.chain->key);
    jw_string(w, "to", r.to);
    amount_write(w, "fee", (struct amount){ r.fee, r.chain->native_decimals });
    view_checks(w, r.checks, WITHDRAWAL_CHECKS);
    return reply_close(w);
}

/* ---- looking at them ---- */

static struct reply *get_withdrawal(struct api_call *c, const void *arg)
{
    struct execution x;
    struct withdrawal own;
    uint64_t id;
    bool sound = c->captured != NULL && params_whole(&id, c->captured);
    enum lookup found = sound ? withdrawal_get(c->ctx, c->arena, c->agent->id, id, &x) : LOOKUP_NONE;
    struct json_writer *w;

    (void)arg;
    if (found != LOOKUP_FOUND)
        return found == LOOKUP_NONE ? reply_err(c->rq, &E_WITHDRAWAL_NOT_FOUND) : NULL;
    if (withdrawals_get(c->ctx->db, id, &own) != LOOKUP_FOUND)
        return NULL;
    w = reply_open(c->rq, 200);
    withdrawal_write(w, "withdrawal", &x, &own);
    return reply_close(w);
}

/* Lists have fewer statuses than single ones. */
static void listed_write(struct json_writer *w, const struct withdrawal_listed *l)
{
    struct execution x = l->execution;

    x.status = exec_listed(x.status);
    withdrawal_write(w, NULL, &x, &l->own);
}

static enum exec_status listed_of(const char *filter)
{
    enum exec_status listed = (enum exec_status)0;

    if (filter != NULL)
        (void)exec_listed_parse(&listed, filter);
    return listed;
}

static struct reply *list_withdrawals(struct api_call *c, const void *arg)
{
    const struct withdrawals_in *in = arg;
    struct page page = { in->limit, in->offset };
    struct withdrawal_listed *list = ARENA_ARRAY(c->arena, struct withdrawal_listed, in->limit);
    struct own_filter filter = { .listed = listed_of(in->status) };
    const struct err *e = list_terms_read(&filter.more, c->arena, &in->terms);
    struct json_writer *w;
    uint64_t total;
    int n;

    if (e != NULL)
        return reply_err(c->rq, e);
    n = withdrawals_page(c->ctx->db, c->arena, c->agent->id, &filter, &page, list, &total);
    if (n < 0)
        return NULL;
    w = reply_open(c->rq, 200);
    jw_array(w, "withdrawals");
    for (int i = 0; i < n; i++)
        listed_write(w, &list[i]);
    jw_end(w);
    view_pagination(w, total, &page, (uint64_t)n);
    return reply_close(w);
}

/* ---- as a sentence ---- */

static const char *withdrawal_phrase(struct arena *a, const json_t *item)
{
    const char *why = phrase_text(item, "error");

    return arena_printf(a, "%lld of %s %s on %s to %s %s%s%s",
                        json_integer_value(json_object_get(item, "id")), phrase_text(item, "amount"),
                        phrase_text(item, "token"), phrase_text(item, "chain"), phrase_text(item, "to"),
                        phrase_text(item, "status"), *why == '\0' ? "" : ": ", why);
}

static const char *withdrawal_answer_sentence(struct arena *a, const json_t *asked, const json_t *body)
{
    (void)asked;
    return arena_printf(a, "Withdrawal %s", withdrawal_phrase(a, json_object_get(body, "withdrawal")));
}

static const char *simulation_sentence(struct arena *a, const json_t *asked, const json_t *body)
{
    const char *fault = phrase_failed_check(body);

    (void)asked;
    return arena_printf(a, "%s %s on %s would%s go to %s%s%s", phrase_text(body, "amount"),
                        phrase_text(body, "token"), phrase_text(body, "chain"), *fault == '\0' ? "" : " not",
                        phrase_text(body, "to"), *fault == '\0' ? "" : ": ", fault);
}

static const char *withdrawals_sentence(struct arena *a, const json_t *asked, const json_t *body)
{
    const json_t *list = json_object_get(body, "withdrawals");

    (void)asked;
    if (json_array_size(list) == 0)
        return "There are no withdrawals";
    return arena_printf(a, "The newest withdrawals: %s",
                        phrase_list(a, list, withdrawal_phrase, PHRASE_ITEMS_MAX));
}

/* ---- endpoints ---- */

#define WITHDRAWAL_ROW                                                                                       \
    .auth = AUTH_ACTIVE, .denied = &E_DENIED, .tag = TAG_WALLETS, .skill = SKILL_WITHDRAWALS, .status = 200

static const struct endpoint rows[] = {
    {
        WITHDRAWAL_ROW,
        .method = POST,
        .path = V1 "/wallets/withdraw",
        .internal = &E_WITHDRAWAL_FAILED,
        TAKES(withdraw_params, struct withdraw_in),
        .handler = withdraw,
        .terms = terms_of_members,
        .flags = ONCE | WAITS | FREES | CORE,
        .begins = { KIND_WITHDRAWAL, withdrawal_begun },
        .tool = "withdraw",
        .sentence = withdrawal_answer_sentence,
        .summary = "Withdraw to an address of your own",
        .about =
            "Moves money from a managed wallet to an active address of GET /withdrawal-addresses. Next: GET /withdrawals/{id} until `completed` or `failed`, or the webhook.",
        .answer = &withdrawal_found_schema,
        .accepted = &awaits_schema,
        .errors =
            ERRORS{ WITHDRAW_ERRORS, &E_WITHDRAWAL_ADDRESS_WAITING, &E_GAS, &E_WOULD_REVERT, &E_BEHIND,
                    &E_TOKEN_KEEPS, &E_DUPLICATE_TX, &E_PAUSED, &E_OPERATOR_LIMIT, &E_POLICY,
                    &E_APPROVAL_COUNT, &E_APPROVAL_NOT_FOUND, &E_APPROVAL_DENIED, &E_APPROVAL_EXPIRED, NULL },
        .hints = HINT_OPEN_WORLD,
    },
    {
        WITHDRAWAL_ROW,
        .method = POST,
        .path = V1 "/wallets/withdraw/simulate",
        .internal = &E_INTERNAL,
        TAKES(simulate_params, struct withdraw_in),
        .handler = simulate_withdrawal,
        .flags = WAITS,
        .tool = "simulate_withdrawal",
        .sentence = simulation_sentence,
        .summary = "Rehearse a withdrawal",
        .about = "Every check of POST /wallets/withdraw with its outcome. Nothing is signed or reserved.",
        .answer = &simulation_schema,
        .errors = ERRORS{ WITHDRAW_ERRORS, &E_BEHIND, NULL },
        .hints = HINT_READ_ONLY | HINT_OPEN_WORLD,
    },
    {
        WITHDRAWAL_ROW,
        .method = GET,
        .path = V1 "/withdrawals",
        .internal = &E_INTERNAL,
        TAKES(withdrawals_params, struct withdrawals_in),
        .handler = list_withdrawals,
        .flags = LISTS,
        .tool = "list_withdrawals",
        .sentence = withdrawals_sentence,
        .summary = "List withdrawals",
        .about = "The agent's withdrawals, the newest one first.",
        .answer = &withdrawals_schema,
        .errors = ERRORS{ &E_CHAIN_UNKNOWN, NULL },
    },
    {
        WITHDRAWAL_ROW,
        .method = GET,
        .path = V1 "/withdrawals/{id}",
        .internal = &E_INTERNAL,
        .handler = get_withdrawal,
        .flags = CORE,
        .tool = "get_withdrawal",
        .sentence = withdrawal_answer_sentence,
        .summary = "A withdrawal",
        .about = "One withdrawal. Ask again until `completed` or `failed`.",
        .path_param = &withdrawal_id,
        .answer = &withdrawal_found_schema,
        .errors = ERRORS{ &E_WITHDRAWAL_NOT_FOUND, NULL },
    },
};

static const struct endpoint_event events[] = {
    { "withdrawal.completed", "onWithdrawalCompleted", &completed_schema },
    { "withdrawal.failed", "onWithdrawalFailed", &failed_schema },
    { .type = NULL },
};

const struct endpoint_group withdrawals_endpoints = { ENDPOINT_ROWS(rows), .events = events };
