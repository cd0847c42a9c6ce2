#include "transfer/withdrawal.h"

#include "api/actions.h"
#include "api/admission/terms.h"
#include "api/endpoint/endpoint.h"
#include "api/endpoint/phrase.h"
#include "api/view.h"
#include "api/withdrawals.h"

/* ---- parameters ---- */

#define ONE_WITHDRAWAL V1 "/withdrawals/{id}"

/* clang-format off */
#define WITHDRAW_PARAMS \
    { "token", P_TEXT, INTO(struct withdrawal_asked, token), .min = 1, .max = PARAM_NAME_MAX, .needed = true, .unless = "approval_id", \
      .about = "Symbol or contract address", .example = "USDC" }, \
    { "amount", P_QUANTITY, INTO(struct withdrawal_asked, amount), .word = "max",  \
      .bad = &E_AMOUNT, .needed = true, .unless = "approval_id", \
      .about = "How much, in human units; \"max\": all that nothing under way may take, and of the coin what its fees leave", \
      .example = "100" }, \
    { "chain", P_TEXT, INTO(struct withdrawal_asked, chain), .min = 1, .max = PARAM_NAME_MAX, .needed = true, .unless = "approval_id", \
      .about = "Key of the chain", .example = "base" }, \
    { "address_id", P_WHOLE, INTO(struct withdrawal_asked, address_id), .max = INT64_MAX, .needed = true, .unless = "to", \
      .about = "The id of an active address in GET /withdrawal-addresses", .example = "7" }, \
    { "to", P_TEXT, INTO(struct withdrawal_asked, to), .min = 1, .max = 2 * PARAM_NAME_MAX, \
      .about = "Instead of address_id: its label, or the address itself" }, \
    PARAM_WALLET(struct withdrawal_asked)
/* clang-format on */

static const struct param withdraw_params[] = {
    WITHDRAW_PARAMS,
    { "approval_id", P_TEXT, INTO(struct withdrawal_asked, by.approval_id), .min = 1, .max = PARAM_NAME_MAX,
      .about =
          "Goes on with a withdrawal that waited for the operator's approval: alone, as other terms beside it are refused" },
    PARAM_WAIT(struct withdrawal_asked),
    { 0 },
};

static const struct param simulate_params[] = { WITHDRAW_PARAMS, { 0 } };

static const struct param withdrawals_params[] = {
    PARAM_LISTED_STATUS,
    PARAMS_LIST(struct action_list_in, terms),
    PARAMS_PAGE(struct action_list_in),
    { 0 },
};

static const struct schema_field withdrawal_id = { "id", S_WHOLE, .example = "42",
                                                   .about = "The withdrawal's id" };

/* ---- answers ---- */

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
    { "status",        CHOICE(action_statuses, "completed"), "Where it stands" },
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

/* ---- simulating one ---- */

static struct reply *simulate_withdrawal(struct api_call *c, const void *arg)
{
    struct withdrawal_simulation r;
    const struct err *e = withdrawal_simulate(c->ctx, c->arena, c->agent, arg, &r);
    struct json_writer *w;

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
        TAKES(withdraw_params, struct withdrawal_asked),
        .handler = action_place,
        .terms = terms_of_members,
        .flags = ONCE | WAITS | FREES | CORE,
        .begins = { KIND_WITHDRAWAL, action_begun, ONE_WITHDRAWAL },
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
        TAKES(simulate_params, struct withdrawal_asked),
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
        TAKES(withdrawals_params, struct action_list_in),
        .handler = action_list,
        .shows = KIND_WITHDRAWAL,
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
        .path = ONE_WITHDRAWAL,
        .internal = &E_INTERNAL,
        TAKES(wait_params, struct wait_in),
        .begins = { .execution = action_begun },
        .handler = action_show,
        .shows = KIND_WITHDRAWAL,
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
