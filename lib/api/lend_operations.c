#include "lend/operation.h"

#include "api/actions.h"
#include "api/admission/terms.h"
#include "api/endpoint/endpoint.h"
#include "api/endpoint/phrase.h"
#include "api/view.h"

/* ---- parameters ---- */

#define ONE_OPERATION V1 "/lend/operation/{id}"

/* POST /lend/simulate takes the type too. */
struct lend_simulate_in {
    struct lend_asked asked;
    const char *type;
};

/* clang-format off */
/* Required members are required unless approval_id is given; the handlers check that. */
#define PARAM_MARKET \
    { "market", P_TEXT, INTO(struct lend_asked, named.market), .min = 1, .max = LEND_MARKET_ID_MAX, \
      .about = "The market's id in GET /lend/markets", .example = "aave-v3:8453:WETH" }, \
    { "chain", P_TEXT, INTO(struct lend_asked, named.chain), .max = PARAM_NAME_MAX, \
      .about = "Instead of market, with asset: Aave's market of that token on this chain", .example = "base" }, \
    { "chainId", P_WHOLE, INTO(struct lend_asked, named.chain_id), .min = 1, .max = INT64_MAX, .about = "The same by its id" }, \
    PARAM_WALLET(struct lend_asked)
#define PARAM_ASSET(more) \
    { "asset", P_TEXT, INTO(struct lend_asked, named.asset), .min = 1, .max = PARAM_NAME_MAX, \
      .about = "Symbol or address of the token" more, .example = "WETH" }
#define PARAM_APPROVAL \
    { "approval_id", P_TEXT, INTO(struct lend_asked, by.approval_id), .min = 1, .max = PARAM_NAME_MAX, \
      .about = "Goes on with an operation that waited for the operator's approval: alone, as other terms beside it are refused" }
#define PARAM_EXACT \
    { "amount", P_QUANTITY, INTO(struct lend_asked, amount), .bad = &E_AMOUNT, .needed = true, .unless = "approval_id", \
      .about = "How much, in human units", .example = "1.5" }
#define PARAM_OR_MAX(what) \
    { "amount", P_QUANTITY, INTO(struct lend_asked, amount), .word = "max", .bad = &E_AMOUNT, \
      .needed = true, .unless = "approval_id", .about = "How much, in human units; \"max\": " what, .example = "1.5" }
#define PARAM_PLEDGE(what) \
    { "collateral", P_FLAG, INTO(struct lend_asked, collateral), .about = "Morpho: " what " the collateral, and not what is lent" }
#define WRAPPED ". The chain's coin is wrapped first"
#define PAYS_WRAPPED ". Of the chain's coin, what wraps it is paid out"
/* clang-format on */

static const struct param supply_params[] = {
    PARAM_MARKET,   PARAM_ASSET(WRAPPED),          PARAM_EXACT, PARAM_PLEDGE("supplies"),
    PARAM_APPROVAL, PARAM_WAIT(struct lend_asked), { 0 },
};

static const struct param withdraw_params[] = {
    PARAM_MARKET,
    PARAM_ASSET(PAYS_WRAPPED),
    PARAM_OR_MAX("all that is supplied"),
    PARAM_PLEDGE("takes out"),
    PARAM_WAIT(struct lend_asked),
    { 0 },
};

static const struct param borrow_params[] = {
    PARAM_MARKET,   PARAM_ASSET(PAYS_WRAPPED),     PARAM_EXACT,
    PARAM_APPROVAL, PARAM_WAIT(struct lend_asked), { 0 },
};

static const struct param repay_params[] = {
    PARAM_MARKET, PARAM_ASSET(WRAPPED), PARAM_OR_MAX("all that is owed"), PARAM_WAIT(struct lend_asked),
    { 0 },
};

/* clang-format off */
static const struct param collateral_params[] = {
    PARAM_MARKET,
    PARAM_ASSET(""),
    { "enabled", P_FLAG, INTO(struct lend_asked, enabled), .required = true,
      .about = "Whether what is supplied to Aave serves as collateral from then on", .example = "true" },
    PARAM_WAIT(struct lend_asked), { 0 },
};

static const struct param simulate_params[] = {
    { "type", P_TEXT, INTO(struct lend_simulate_in, type), .choices = lend_types, .required = true,
      .about = "What is rehearsed", .example = "borrow" },
    PARAM_MARKET,
    PARAM_ASSET(""),
    { "amount", P_QUANTITY, INTO(struct lend_asked, amount), .word = "max", .bad = &E_AMOUNT,
      .about = "As the operation takes it; all but collateral need it", .example = "1.5" },
    PARAM_PLEDGE("moves"),
    { "enabled", P_FLAG, INTO(struct lend_asked, enabled), .about = "Of collateral: whether it serves as one" },
    { 0 },
};
/* clang-format on */

static const struct param list_params[] = {
    PARAM_LISTED_STATUS,
    { "type", P_TEXT, INTO(struct action_list_in, type), .choices = lend_types,
      .about = "supply, withdraw, borrow, repay or collateral" },
    PARAMS_LIST(struct action_list_in, terms),
    PARAMS_PAGE(struct action_list_in),
    { 0 },
};

static const struct schema_field operation_id = { "id", S_WHOLE, .example = "42",
                                                  .about = "The operation's id" };

/* ---- answers ---- */

static const char *const protocols[] = { "aave-v3", "morpho", NULL };
static const char *const tx_kinds[] = { "wrap",  "approval",   "supply", "withdraw",   "borrow",
                                        "repay", "collateral", "cancel", "revocation", NULL };
static const char *const tx_statuses[] = { "pending", "submitted", "completed", "failed", "replaced", NULL };
static const char *const completed_event[] = { "lend.completed", NULL };
static const char *const failed_event[] = { "lend.failed", NULL };

/* clang-format off */
static const struct schema operation_schema = { "LendingOperation", "What a wallet does at a lender", FIELDS {
    { "id",                WHOLE("42"),                   "Follow it at /lend/operation/{id}" },
    { "type",              CHOICE(lend_types, "borrow"),  "What it does" },
    { "market",            TEXT("aave-v3:8453:USDC"),     "Identifier of the market" },
    { "protocol",          CHOICE(protocols, "aave-v3"),  "Who lends", FULL_ONLY },
    { "chain",             TEXT("base"),                  "Key of the chain" },
    { "chainId",           WHOLE("8453"),                 "Its id", FULL_ONLY },
    { "asset",             TEXT("USDC"),                  "Symbol of the token that moves; of the chain's coin, of what wraps it" },
    { "amount",            AMOUNT("12000"),               "How much of it; of all there was, how much that was, and what the chain has told once it is completed; null for collateral", MAY_BE_NULL },
    { "collateral",        FLAG("false"),                 "Morpho: whether the collateral moves, and not what is lent; of collateral: whether it serves as one from then on" },
    { "status",            CHOICE(action_statuses, "completed"), "Where it stands" },
    { "tx_hash",           TEXT(A_HASH),                  "Null until a node has taken the transaction", MAY_BE_NULL },
    { "healthFactorAfter", NUMBER("2.0625"),              "The health factor that the trial before it led to; null without debt", MAY_BE_NULL | FULL_IF_NULL },
    { "created_at",        TIME(A_TIME),                  "When it was accepted" },
    { "completed_at",      TIME(LATER),                   "When it completed or failed", MAY_BE_NULL | FULL_ONLY },
    { "error",             TEXT("null"),                  "Why it failed, in words", MAY_BE_NULL | FULL_IF_NULL },
    END } };

static const struct schema transaction_schema = { "LendingTransaction", "A signed transaction of an operation", FIELDS {
    { "kind",    CHOICE(tx_kinds, "borrow"),       "What it is for" },
    { "tx_hash", TEXT(A_HASH),                     "Its hash" },
    { "status",  CHOICE(tx_statuses, "completed"), "Where it stands" },
    END } };

static const struct schema detail_schema = { "LendingOperationDetail", "An operation with its transactions", FIELDS {
    { "transactions", LIST(transaction_schema), "Everything that was signed for it", FULL_ONLY },
    END }, .base = &operation_schema };

static const struct schema made_schema = { "LendingOperationMade", "An operation", FIELDS {
    SUCCESS,
    { "operation", OBJECT(operation_schema), "The operation" },
    END } };

static const struct schema found_schema = { "LendingOperationFound", "An operation in full", FIELDS {
    SUCCESS,
    { "operation", OBJECT(detail_schema), "The operation" },
    END } };

static const struct schema awaits_schema = { "LendingPendingApproval", "Nothing is signed yet: the operator has to approve it first", FIELDS {
    SUCCESS,
    AWAITING("Send it alone to the same path", "Then the operation has expired, and nothing was signed"),
    { "operation", OBJECT(operation_schema), "The operation that is waiting, and stays this one" },
    END } };

static const struct schema operations_schema = { "LendingOperationList", "A page of operations, newest first", FIELDS {
    SUCCESS,
    { "operations", LIST(operation_schema),    "The operations" },
    { "pagination", OBJECT(pagination_schema), "Which part of all this is" },
    END } };

static const struct schema simulation_schema = { "LendingSimulation", "How the operation would go", FIELDS {
    SUCCESS,
    { "wouldExecute",       FLAG("true"),       "Whether it would be accepted" },
    { "checks",             LIST(check_schema), "Every check" },
    { "warnings",           TEXTS("Execution waits for the operator's approval"), "Details of the checks that warn" },
    { "healthFactorBefore", NUMBER("3.1"),      "As it is now; null without debt", MAY_BE_NULL },
    { "healthFactorAfter",  NUMBER("2.0625"),   "As the trial leaves it; null without debt, or where the trial failed", MAY_BE_NULL },
    { "gasUsd",             NUMBER("0.21"),     "Dollars that the fees may be at most; null without a price", MAY_BE_NULL },
    END } };

static const struct schema completed_schema = { "LendingCompletedEvent", "An operation is confirmed on the chain", FIELDS {
    { "type",      CHOICE(completed_event, "lend.completed"), "What happened" },
    { "timestamp", TIME(LATER),                               "When" },
    { "data",      OBJECT(operation_schema),                  "The operation" },
    END } };

static const struct schema failed_schema = { "LendingFailedEvent", "An operation has failed", FIELDS {
    { "type",      CHOICE(failed_event, "lend.failed"), "What happened" },
    { "timestamp", TIME(LATER),                         "When" },
    { "data",      OBJECT(operation_schema),            "The operation" },
    END } };
/* clang-format on */

/* ---- simulating one ---- */

/* The operation itself does not know such a member; NULL: there is none. */
static const char *member_of_other_type(const struct lend_asked *in, enum exec_kind_id kind)
{
    if (kind == KIND_LEND_COLLATERAL ? in->amount != NULL : in->enabled)
        return kind == KIND_LEND_COLLATERAL ? "amount" : "enabled";
    return in->collateral && kind != KIND_LEND_SUPPLY && kind != KIND_LEND_WITHDRAW ? "collateral" : NULL;
}

static struct reply *simulate(struct api_call *c, const void *arg)
{
    const struct lend_simulate_in *in = arg;
    enum exec_kind_id kind = lend_kind_of(in->type);
    const char *odd = member_of_other_type(&in->asked, kind);
    const struct err *e = odd == NULL ? NULL
                                      : err_hint(c->arena, err_on(c->arena, &E_VALIDATION, odd),
                                                 "The operation of this type has no such member");
    struct lend_simulation r;
    struct json_writer *w;

    if (e == NULL)
        e = lend_simulate(c->ctx, c->arena, c->agent, kind, &in->asked, &r);

    if (e != NULL)
        return reply_err(c->rq, e);
    w = reply_open(c->rq, 200);
    jw_bool(w, "wouldExecute", r.would_execute);
    view_checks(w, r.checks, LEND_CHECKS);
    lend_health_write(w, "healthFactorBefore", r.has_before, r.before);
    lend_health_write(w, "healthFactorAfter", r.has_after, r.after);
    lend_usd_write(w, "gasUsd", r.has_usd, r.gas_usd);
    return reply_close(w);
}

/* ---- as a sentence ---- */

static const char *operation_phrase(struct arena *a, const json_t *item)
{
    const char *why = phrase_text(item, "error"), *amount = phrase_text(item, "amount");

    return arena_printf(a, "%lld (%s) of %s%s%s at %s on %s %s%s%s",
                        json_integer_value(json_object_get(item, "id")), phrase_text(item, "type"), amount,
                        *amount == '\0' ? "" : " ", phrase_text(item, "asset"), phrase_text(item, "protocol"),
                        phrase_text(item, "chain"), phrase_text(item, "status"), *why == '\0' ? "" : ": ",
                        why);
}

static const char *operation_sentence(struct arena *a, const json_t *asked, const json_t *body)
{
    (void)asked;
    return arena_printf(a, "Lending operation %s", operation_phrase(a, json_object_get(body, "operation")));
}

static const char *simulation_sentence(struct arena *a, const json_t *asked, const json_t *body)
{
    const char *fault = phrase_failed_check(body);

    (void)asked;
    return arena_printf(a, "The operation would%s go through%s%s", *fault == '\0' ? "" : " not",
                        *fault == '\0' ? "" : ": ", fault);
}

static const char *operations_sentence(struct arena *a, const json_t *asked, const json_t *body)
{
    const json_t *list = json_object_get(body, "operations");

    (void)asked;
    if (json_array_size(list) == 0)
        return "There are no lending operations";
    return arena_printf(a, "The newest lending operations: %s",
                        phrase_list(a, list, operation_phrase, PHRASE_ITEMS_MAX));
}

/* ---- endpoints ---- */

#define LEND_ROW                                                                                             \
    .auth = AUTH_ACTIVE, .denied = &E_DENIED, .tag = TAG_LENDING, .skill = SKILL_LENDING, .status = 200

#define OPERATION_ROW(of, more)                                                                              \
    LEND_ROW, .method = POST, .internal = &E_LEND_FAILED, .flags = ONCE | WAITS | (more),                    \
              .handler = action_place, .begins = { of, action_begun, ONE_OPERATION },                        \
              .terms = terms_of_members, .sentence = operation_sentence, .answer = &made_schema,             \
              .or_answer = &found_schema, .hints = HINT_OPEN_WORLD

/* Those that any operation may be refused with. */
#define LEND_ERRORS                                                                                          \
    &E_REQUIRED, &E_CHAIN_UNKNOWN, &E_LEND_CHAIN, &E_TOKEN_UNKNOWN, &E_MARKET_NOT_FOUND,                     \
        &E_WALLET_NOT_YOURS, &E_LEND_INACTIVE, &E_LEND_PAUSED, &E_LEND_REFUSED, &E_GAS, &E_WOULD_REVERT,     \
        &E_BEHIND
#define LEND_MOVE_ERRORS LEND_ERRORS, &E_PAUSED, &E_OPERATOR_LIMIT
#define LEND_POLICY_ERRORS                                                                                   \
    &E_POLICY, &E_APPROVAL_COUNT, &E_APPROVAL_NOT_FOUND, &E_APPROVAL_DENIED, &E_APPROVAL_EXPIRED

static const struct endpoint rows[] = {
    {
        OPERATION_ROW(KIND_LEND_SUPPLY, 0),
        .path = V1 "/lend/supply",
        TAKES(supply_params, struct lend_asked),
        .tool = "supply_lending",
        .summary = "Lend a token, or supply collateral",
        .about =
            "Supplies a token, wrapped first if it is the chain's coin, to a market of GET /lend/markets. Next: GET /lend/operation/{id}, or the webhook.",
        .accepted = &awaits_schema,
        .errors = ERRORS{ LEND_MOVE_ERRORS, LEND_POLICY_ERRORS, &E_BALANCE, &E_LEND_FROZEN,
                          &E_LEND_SUPPLY_CAP, &E_LEND_NO_COLLATERAL, &E_LEND_IN_PROGRESS, NULL },
    },
    {
        OPERATION_ROW(KIND_LEND_WITHDRAW, FREES),
        .path = V1 "/lend/withdraw",
        TAKES(withdraw_params, struct lend_asked),
        .tool = "withdraw_lending",
        .summary = "Take out what was supplied",
        .about = "Takes out what was supplied, into the same wallet; \"max\": all of it.",
        .errors = ERRORS{ LEND_MOVE_ERRORS, &E_POLICY, &E_LEND_SUPPLIED, &E_LEND_LIQUIDITY, &E_LEND_HEALTH,
                          &E_LEND_COLLATERAL, &E_LEND_NO_COLLATERAL, &E_LEND_IN_PROGRESS, NULL },
    },
    {
        OPERATION_ROW(KIND_LEND_BORROW, 0),
        .path = V1 "/lend/borrow",
        TAKES(borrow_params, struct lend_asked),
        .tool = "borrow_lending",
        .summary = "Borrow against collateral",
        .about =
            "Borrows at the variable rate against what the wallet has supplied: on Aave anything, on Morpho the market's collateral.",
        .accepted = &awaits_schema,
        .errors = ERRORS{ LEND_MOVE_ERRORS, LEND_POLICY_ERRORS, &E_LEND_FROZEN, &E_LEND_NO_BORROWING,
                          &E_LEND_BORROW_CAP, &E_LEND_COLLATERAL, &E_LEND_LIQUIDITY, &E_LEND_HEALTH,
                          &E_LEND_IN_PROGRESS, NULL },
    },
    {
        OPERATION_ROW(KIND_LEND_REPAY, FREES),
        .path = V1 "/lend/repay",
        TAKES(repay_params, struct lend_asked),
        .tool = "repay_lending",
        .summary = "Repay a debt",
        .about = "Pays back; \"max\": all that is owed. No policy stops it.",
        .errors = ERRORS{ LEND_MOVE_ERRORS, &E_BALANCE, &E_LEND_NO_DEBT, &E_LEND_IN_PROGRESS, NULL },
    },
    {
        OPERATION_ROW(KIND_LEND_COLLATERAL, 0),
        .path = V1 "/lend/collateral",
        TAKES(collateral_params, struct lend_asked),
        .tool = "set_lending_collateral",
        .summary = "Have a supply serve as collateral or not",
        .about = "Has what is supplied to Aave serve as collateral, or not.",
        .errors = ERRORS{ LEND_ERRORS, &E_PAUSED, &E_POLICY, &E_LEND_SUPPLIED, &E_LEND_NO_COLLATERAL,
                          &E_LEND_HEALTH, &E_LEND_IN_PROGRESS, NULL },
    },
    {
        LEND_ROW,
        .method = POST,
        .path = V1 "/lend/simulate",
        .internal = &E_LEND_FAILED,
        TAKES(simulate_params, struct lend_simulate_in),
        .handler = simulate,
        .flags = WAITS,
        .tool = "simulate_lending",
        .sentence = simulation_sentence,
        .summary = "Rehearse a lending operation",
        .about = "Every check of one of these, and the health factor before and after; nothing is signed.",
        .answer = &simulation_schema,
        .errors = ERRORS{ LEND_ERRORS, &E_LEND_NO_COLLATERAL, &E_LEND_SUPPLIED, &E_LEND_NO_DEBT, NULL },
        .hints = HINT_READ_ONLY | HINT_OPEN_WORLD,
    },
    {
        LEND_ROW,
        .method = GET,
        .path = V1 "/lend/operations",
        .internal = &E_INTERNAL,
        TAKES(list_params, struct action_list_in),
        .handler = action_list,
        .shows = KIND_LEND_SUPPLY,
        .flags = LISTS,
        .tool = "list_lending_operations",
        .sentence = operations_sentence,
        .summary = "List lending operations",
        .about = "Operations at lenders, the newest one first.",
        .answer = &operations_schema,
        .errors = ERRORS{ &E_STATUS_FILTER, &E_CHAIN_UNKNOWN, NULL },
    },
    {
        LEND_ROW,
        .method = GET,
        .path = ONE_OPERATION,
        .internal = &E_INTERNAL,
        TAKES(wait_params, struct wait_in),
        .begins = { .execution = action_begun },
        .handler = action_show,
        .shows = KIND_LEND_SUPPLY,
        .tool = "get_lending_operation",
        .sentence = operation_sentence,
        .summary = "A lending operation",
        .about = "With its transactions. Ask again until `completed` or `failed`.",
        .path_param = &operation_id,
        .answer = &found_schema,
        .errors = ERRORS{ &E_LEND_OPERATION_NOT_FOUND, NULL },
    },
};

static const struct endpoint_event events[] = {
    { "lend.completed", "onLendCompleted", &completed_schema },
    { "lend.failed", "onLendFailed", &failed_schema },
    { .type = NULL },
};

const struct endpoint_group lend_operations_endpoints = { ENDPOINT_ROWS(rows), .events = events };
