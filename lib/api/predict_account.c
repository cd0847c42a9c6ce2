#include "api/actions.h"
#include "api/admission/terms.h"
#include "api/endpoint/endpoint.h"
#include "api/endpoint/phrase.h"
#include "exec/wallet.h"
#include "model/agent.h"
#include "predict/account.h"
#include "predict/credentials.h"
#include "predict/predict_transfer.h"

/* ---- parameters ---- */

struct account_in {
    const char *wallet_address;
};

#define ONE_TRANSFER V1 "/predict/transfer/{id}"

static const struct param account_params[] = { PARAM_WALLET(struct account_in), { 0 } };

static const struct param deposit_params[] = {
    { "amount", P_QUANTITY, INTO(struct transfer_asked, amount), .bad = &E_AMOUNT, .required = true,
      .about = "How much, in human units", .example = "100" },
    { "token", P_TEXT, INTO(struct transfer_asked, token), .max = PARAM_NAME_MAX, .dflt = "USDC.e",
      .about = "USDC.e on Polygon, which becomes collateral, or pUSD, which is collateral" },
    PARAM_WALLET(struct transfer_asked),
    PARAM_WAIT(struct transfer_asked),
    { 0 },
};

static const struct param withdrawal_params[] = {
    { "amount", P_QUANTITY, INTO(struct transfer_asked, amount), .required = true, .word = "max",
      .bad = &E_AMOUNT, .about = "How much, in human units; \"max\": all that open orders do not hold",
      .example = "max" },
    PARAM_WALLET(struct transfer_asked),
    PARAM_WAIT(struct transfer_asked),
    { 0 },
};

static const char *market_fault(const char *market, const void *env)
{
    size_t len = strlen(market);

    (void)env;
    return len > 0 && len <= PARAM_NAME_MAX ? NULL : "must be a market's id";
}

static const struct param redemption_params[] = {
    { "market", P_DECIMAL, INTO(struct transfer_asked, market), .required = true, .check = market_fault,
      .about = "The market's id in GET /predict/markets", .example = "512347" },
    PARAM_WALLET(struct transfer_asked),
    PARAM_WAIT(struct transfer_asked),
    { 0 },
};

static const struct schema_field transfer_id = { "id", S_WHOLE, .example = "42",
                                                 .about = "The transfer's id" };

/* ---- answers ---- */

static const char *const account_kinds[] = { "deposit", "eoa", NULL };
static const char *const transfer_types[] = { "deposit", "withdrawal", "redemption", NULL };
static const char *const transfer_tokens[] = { "USDC.e", "pUSD", NULL };
static const char *const completed_event[] = { "predict.transfer.completed", NULL };
static const char *const failed_event[] = { "predict.transfer.failed", NULL };

/* clang-format off */
static const struct schema collateral_schema = { "PredictionCollateral", "What the trading wallet can bet with", FIELDS {
    { "token",    TEXT("pUSD"),   "Always pUSD" },
    { "balance",  AMOUNT("100"),  "How much of it the trading address holds" },
    { "reserved", AMOUNT("8.16"), "What of it orders under way may still take" },
    END } };

static const struct schema account_schema = { "PredictionAccount", "Where a wallet's bets are held", FIELDS {
    { "wallet_address", HEX(A_WALLET),                    "The managed wallet" },
    { "tradingAddress", HEX(A_ROUTER),                    "Who holds collateral and shares: only the managed wallet can move them" },
    { "kind",           CHOICE(account_kinds, "deposit"), "deposit: a contract that the wallet owns; eoa: the wallet itself" },
    { "ready",          FLAG("true"),                     "Whether everything is there that orders need; a deposit sees to it" },
    { "collateral",     OBJECT(collateral_schema),        "What it can bet with" },
    { "closedOnly",     FLAG("false"),                    "Whether the venue lets it only close positions" },
    END } };

static const struct schema account_found_schema = { "PredictionAccountFound", "The trading wallet", FIELDS {
    SUCCESS,
    { "account", OBJECT(account_schema), "The trading wallet" },
    END } };

static const struct schema transfer_schema = { "PredictionTransfer", "Collateral on its way to the trading wallet or back", FIELDS {
    { "id",           WHOLE("42"),                             "Follow it at /predict/transfer/{id}" },
    { "type",         CHOICE(transfer_types, "deposit"),       "What it is" },
    { "token",        CHOICE(transfer_tokens, "USDC.e"),       "What is given, or what comes back" },
    { "amount",       AMOUNT("100"),                           "How much; of a redemption what it pays" },
    ACTION_STANDING("Where it stands; a deposit is completed when the venue shows it", "Null until it is known"),
    { "waiting_until", TIME(LATER), "The venue's relayer has no quota left: until then nothing of it goes on", MAY_BE_ABSENT },
    END } };

static const struct schema transfer_found_schema = { "PredictionTransferFound", "A transfer", FIELDS {
    SUCCESS,
    { "transfer", OBJECT(transfer_schema), "The transfer" },
    END } };

static const struct schema transfers_schema = { "PredictionTransferList", "A page of transfers, newest first", FIELDS {
    SUCCESS,
    { "transfers",  LIST(transfer_schema),     "The transfers" },
    { "pagination", OBJECT(pagination_schema), "Which part of all this is" },
    END } };

static const struct schema transfer_completed_schema = { "PredictionTransferCompletedEvent", "A transfer is completed", FIELDS {
    { "type",      CHOICE(completed_event, "predict.transfer.completed"), "What happened" },
    { "timestamp", TIME(LATER),                                           "When" },
    { "data",      OBJECT(transfer_schema),                               "The transfer" },
    END } };

static const struct schema transfer_failed_schema = { "PredictionTransferFailedEvent", "A transfer has failed", FIELDS {
    { "type",      CHOICE(failed_event, "predict.transfer.failed"), "What happened" },
    { "timestamp", TIME(LATER),                                     "When" },
    { "data",      OBJECT(transfer_schema),                         "The transfer" },
    END } };
/* clang-format on */

/* ---- the account ---- */

struct account_shown {
    struct predict_account account;
    struct trading_wallet trading;
    struct u256 reserved;
    bool has_credentials;
};

static const struct err *account_read(struct api_call *c, const char *address, struct account_shown *out)
{
    const struct ctx *ctx = c->ctx;
    struct clob_credentials credentials;
    struct wallet w;
    int64_t now_ms;
    const struct err *e;

    if (!predict_is_configured(ctx))
        return &E_PREDICT_NOT_CONFIGURED;
    if ((e = wallet_need(ctx, c->agent->id, WALLET_EVM, address, &w)) != NULL ||
        (e = account_open(ctx, c->arena, &w, &out->account)) != NULL)
        return e;
    if (!db_clock_ms(ctx->db, &now_ms))
        return &E_INTERNAL;
    if ((e = trading_wallet_poll(ctx, c->arena, &out->account, &out->trading)) != NULL)
        return e;
    if (!transfer_reserved(ctx->db, w.id, now_ms, &out->reserved))
        return &E_INTERNAL;
    out->has_credentials = credentials_stored(ctx, &out->account, &credentials);
    explicit_bzero(&credentials, sizeof credentials);
    return NULL;
}

/* Orders see to their own allowance, but no order can make a wallet. */
static bool account_is_ready(const struct account_shown *s)
{
    bool ready = s->has_credentials;

    for (unsigned e = 0; s->trading.is_contract && e < POLYMARKET_EXCHANGES; e++)
        ready = ready && s->trading.deployed && s->trading.trusted[e];
    return ready;
}

static void account_write(struct json_writer *w, const struct account_shown *s)
{
    const struct predict_account *p = &s->account;

    jw_object(w, "account");
    jw_string(w, "wallet_address", p->wallet.ref.address);
    jw_string(w, "tradingAddress", evm_addr_print(w->arena, account_trading(p)));
    jw_string(w, "kind", account_kind_name(p->kind));
    jw_bool(w, "ready", account_is_ready(s));
    jw_object(w, "collateral");
    jw_string(w, "token", "pUSD");
    amount_write(w, "balance", (struct amount){ s->trading.collateral, POLYMARKET_DECIMALS });
    amount_write(w, "reserved", (struct amount){ s->reserved, POLYMARKET_DECIMALS });
    jw_end(w);
    jw_bool(w, "closedOnly", p->closed_only);
    jw_end(w);
}

static struct reply *get_account(struct api_call *c, const void *arg)
{
    const struct account_in *in = arg;
    struct account_shown shown;
    const struct err *e = account_read(c, in->wallet_address, &shown);
    struct json_writer *w;

    if (e != NULL)
        return reply_err(c->rq, e);
    w = reply_open(c->rq, 200);
    account_write(w, &shown);
    return reply_close(w);
}

/* ---- as a sentence ---- */

static const char *account_sentence(struct arena *a, const json_t *asked, const json_t *body)
{
    const json_t *account = json_object_get(body, "account"),
                 *collateral = json_object_get(account, "collateral");

    (void)asked;
    return arena_printf(a, "The trading wallet %s holds %s %s, %s of it for orders under way",
                        phrase_text(account, "tradingAddress"), phrase_text(collateral, "balance"),
                        phrase_text(collateral, "token"), phrase_text(collateral, "reserved"));
}

static const char *transfer_phrase(struct arena *a, const json_t *item)
{
    const char *why = phrase_text(item, "error");

    return arena_printf(a, "%s %lld of %s %s %s%s%s", phrase_text(item, "type"),
                        json_integer_value(json_object_get(item, "id")), phrase_text(item, "amount"),
                        phrase_text(item, "token"), phrase_text(item, "status"), *why == '\0' ? "" : ": ",
                        why);
}

static const char *transfer_answer_sentence(struct arena *a, const json_t *asked, const json_t *body)
{
    (void)asked;
    return transfer_phrase(a, json_object_get(body, "transfer"));
}

static const char *transfers_sentence(struct arena *a, const json_t *asked, const json_t *body)
{
    const json_t *list = json_object_get(body, "transfers");

    (void)asked;
    if (json_array_size(list) == 0)
        return "There are no transfers";
    return arena_printf(a, "The newest transfers: %s",
                        phrase_list(a, list, transfer_phrase, PHRASE_ITEMS_MAX));
}

/* ---- endpoints ---- */

#define ACCOUNT_ROW                                                                                          \
    .auth = AUTH_ACTIVE, .denied = &E_DENIED, .tag = TAG_PREDICTION, .skill = SKILL_PREDICTION_TRADING,      \
    .status = 200

#define TRANSFER_ROW                                                                                         \
    ACCOUNT_ROW, .method = POST, .handler = action_place, .internal = &E_TRANSFER_FAILED,                    \
                 .sentence = transfer_answer_sentence, .answer = &transfer_found_schema,                     \
                 .hints = HINT_OPEN_WORLD

static const struct endpoint rows[] = {
    {
        ACCOUNT_ROW,
        .method = GET,
        .path = V1 "/predict/account",
        .internal = &E_TRANSFER_FAILED,
        TAKES(account_params, struct account_in),
        .handler = get_account,
        .flags = WAITS,
        .tool = "get_prediction_account",
        .sentence = account_sentence,
        .summary = "Trading wallet",
        .about = "Where collateral and shares of a wallet are held, and what it can bet with.",
        .answer = &account_found_schema,
        .errors = ERRORS{ &E_PREDICT_NOT_CONFIGURED, &E_WALLET_NOT_FOUND, &E_PROVIDER_REFUSED, &E_UPSTREAM,
                          &E_BEHIND, NULL },
        .hints = HINT_OPEN_WORLD,
    },
    {
        TRANSFER_ROW,
        .path = V1 "/predict/deposit",
        TAKES(deposit_params, struct transfer_asked),
        .terms = terms_of_members,
        .flags = ONCE | WAITS | CORE,
        .begins = { KIND_PREDICT_DEPOSIT, action_begun, ONE_TRANSFER },
        .tool = "deposit_prediction",
        .summary = "Deposit collateral",
        .about =
            "Moves money: USDC.e or pUSD of the managed wallet on Polygon becomes collateral of its trading wallet, which is made ready for orders. Next: GET /predict/transfer/{id} until `completed`.",
        .errors = ERRORS{ &E_AMOUNT, &E_DEPOSIT_TOKEN, &E_PREDICT_NOT_CONFIGURED, &E_WALLET_NOT_FOUND,
                          &E_BALANCE, &E_GAS, &E_WOULD_REVERT, &E_BEHIND, &E_TRANSFER_UNDER_WAY, &E_PAUSED,
                          &E_OPERATOR_LIMIT, &E_POLICY, &E_PROVIDER_REFUSED, &E_UPSTREAM, NULL },
    },
    {
        TRANSFER_ROW,
        .path = V1 "/predict/withdraw",
        TAKES(withdrawal_params, struct transfer_asked),
        .terms = terms_of_members,
        .flags = ONCE | WAITS | FREES,
        .begins = { KIND_PREDICT_WITHDRAWAL, action_begun, ONE_TRANSFER },
        .tool = "withdraw_prediction",
        .summary = "Withdraw collateral",
        .about =
            "Moves money: collateral of the trading wallet comes back to the managed wallet, and nowhere else, as USDC.e.",
        .errors = ERRORS{ &E_AMOUNT, &E_PREDICT_NOT_CONFIGURED, &E_WALLET_NOT_FOUND, &E_ALLOWANCE, &E_GAS,
                          &E_BEHIND, &E_TRANSFER_UNDER_WAY, &E_PAUSED, &E_OPERATOR_LIMIT, &E_PROVIDER_REFUSED,
                          &E_UPSTREAM, NULL },
    },
    {
        TRANSFER_ROW,
        .path = V1 "/predict/redeem",
        TAKES(redemption_params, struct transfer_asked),
        .terms = terms_of_members,
        .flags = ONCE | WAITS | FREES | DECIMALS,
        .begins = { KIND_PREDICT_REDEMPTION, action_begun, ONE_TRANSFER },
        .tool = "redeem_prediction",
        .summary = "Redeem a resolved market",
        .about =
            "Moves money: the shares of a resolved market are paid out, as USDC.e to the managed wallet.",
        .errors =
            ERRORS{ &E_MARKET_NOT_FOUND, &E_NOT_RESOLVED, &E_NOTHING_TO_REDEEM, &E_PREDICT_NOT_CONFIGURED,
                    &E_WALLET_NOT_FOUND, &E_GAS, &E_BEHIND, &E_TRANSFER_UNDER_WAY, &E_PAUSED,
                    &E_OPERATOR_LIMIT, &E_PROVIDER_REFUSED, &E_UPSTREAM, NULL },
    },
    {
        ACCOUNT_ROW,
        .method = GET,
        .path = V1 "/predict/transfers",
        .internal = &E_INTERNAL,
        TAKES(action_page_params, struct action_list_in),
        .handler = action_list,
        .shows = KIND_PREDICT_DEPOSIT,
        .flags = LISTS,
        .tool = "list_prediction_transfers",
        .sentence = transfers_sentence,
        .summary = "Transfers of collateral",
        .about = "The agent's deposits, withdrawals and redemptions, newest first.",
        .answer = &transfers_schema,
        .errors = ERRORS{ &E_STATUS_FILTER, &E_CHAIN_UNKNOWN, &E_LIMIT, &E_OFFSET, NULL },
        .hints = HINT_READ_ONLY,
    },
    {
        ACCOUNT_ROW,
        .method = GET,
        .path = ONE_TRANSFER,
        .internal = &E_INTERNAL,
        TAKES(wait_params, struct wait_in),
        .begins = { .execution = action_begun },
        .handler = action_show,
        .shows = KIND_PREDICT_DEPOSIT,
        .flags = CORE,
        .tool = "get_prediction_transfer",
        .sentence = transfer_answer_sentence,
        .summary = "One transfer",
        .about = "Ask again every second until `completed` or `failed`.",
        .path_param = &transfer_id,
        .answer = &transfer_found_schema,
        .errors = ERRORS{ &E_TRANSFER_NOT_FOUND, NULL },
        .hints = HINT_READ_ONLY,
    },
};

static const struct endpoint_event events[] = {
    { "predict.transfer.completed", "onPredictionTransferCompleted", &transfer_completed_schema },
    { "predict.transfer.failed", "onPredictionTransferFailed", &transfer_failed_schema },
    { .type = NULL },
};

const struct endpoint_group predict_account_endpoints = { ENDPOINT_ROWS(rows), .events = events };
