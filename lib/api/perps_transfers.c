#include "perps/perps_transfer.h"

#include "api/actions.h"
#include "api/admission/terms.h"
#include "api/endpoint/endpoint.h"
#include "api/endpoint/phrase.h"

/* ---- parameters ---- */

#define ONE_TRANSFER V1 "/perps/transfer/{id}"

#define PARAM_CHAIN                                                                                          \
    {                                                                                                        \
        "chain", P_TEXT, INTO(struct perps_transfer_asked, chain),                                           \
            .max = PARAM_NAME_MAX, .assumed = "arbitrum",                                                    \
            .about = "arbitrum, base or ethereum, as far as the operator and the "                           \
                     "venue leave the choice",                                                               \
            .example = "arbitrum"                                                                            \
    }

static const struct param deposit_params[] = {
    { "amount", P_QUANTITY, INTO(struct perps_transfer_asked, amount), .bad = &E_AMOUNT, .needed = true,
      .unless = "approval_id", .about = "USDC, at least 5", .example = "1000" },
    PARAM_CHAIN,
    PARAM_WALLET(struct perps_transfer_asked),
    { "approval_id", P_TEXT, INTO(struct perps_transfer_asked, by.approval_id), .min = 1,
      .max = PARAM_NAME_MAX, .beside = PARAM_ALONE,
      .about = "Alone: goes on with a deposit that waited for the operator's approval" },
    PARAM_WAIT(struct perps_transfer_asked),
    { 0 },
};

static const struct param withdrawal_params[] = {
    { "amount", P_QUANTITY, INTO(struct perps_transfer_asked, amount), .word = "max", .bad = &E_AMOUNT,
      .needed = true, .unless = "approval_id",
      .about = "USDC that leave the account, at least 5; \"max\": all that may leave", .example = "max" },
    PARAM_CHAIN,
    PARAM_WALLET(struct perps_transfer_asked),
    PARAM_WAIT(struct perps_transfer_asked),
    { 0 },
};

static const struct schema_field transfer_id = { "id", S_WHOLE, .example = "42",
                                                 .about = "The id of a deposit or withdrawal" };

/* ---- answers ---- */

static const char *const completed_event[] = { "perps.transfer.completed", NULL };
static const char *const failed_event[] = { "perps.transfer.failed", NULL };

/* clang-format off */
static const struct schema transfer_schema = { "PerpsTransfer", "USDC on their way to the venue of perpetuals, or back to the managed wallet", FIELDS {
    { "id",           WHOLE("42"),                             "Follow it at /perps/transfer/{id}" },
    { "type",         CHOICE(perps_transfer_types, "deposit"), "Which way" },
    { "amount",       AMOUNT("1000"),                          "What leaves the wallet, or the account" },
    { "fee",          AMOUNT("0.3"),                           "What of it does not arrive; as expected until it is completed" },
    { "chain",        TEXT("arbitrum"),                        "Key of the chain that it leaves, or arrives on" },
    ACTION_STANDING("Where it stands; a deposit is completed when the venue shows it, a withdrawal when it has arrived",
                      "On that chain; null until it is known"),
    END } };

static const struct schema found_schema = { "PerpsTransferFound", "A deposit or withdrawal", FIELDS {
    SUCCESS,
    { "transfer", OBJECT(transfer_schema), "The transfer" },
    END } };

static const struct schema awaits_schema = { "PerpsTransferPendingApproval", "Nothing is signed yet: the operator has to approve it first", FIELDS {
    SUCCESS,
    AWAITING("Send it alone to the same path", "Then the deposit has expired, and nothing was signed"),
    { "transfer", OBJECT(transfer_schema), "The deposit that is waiting, and stays this one" },
    END } };

static const struct schema transfers_schema = { "PerpsTransferList", "A page of deposits and withdrawals, newest first", FIELDS {
    SUCCESS,
    { "transfers",  LIST(transfer_schema),     "The transfers" },
    { "pagination", OBJECT(pagination_schema), "Which part of all this is" },
    END } };

static const struct schema completed_schema = { "PerpsTransferCompletedEvent", "A deposit or withdrawal has arrived", FIELDS {
    { "type",      CHOICE(completed_event, "perps.transfer.completed"), "What happened" },
    { "timestamp", TIME(LATER),                                         "When" },
    { "data",      OBJECT(transfer_schema),                             "The transfer" },
    END } };

static const struct schema failed_schema = { "PerpsTransferFailedEvent", "A deposit or withdrawal has failed", FIELDS {
    { "type",      CHOICE(failed_event, "perps.transfer.failed"), "What happened" },
    { "timestamp", TIME(LATER),                                   "When" },
    { "data",      OBJECT(transfer_schema),                       "The transfer" },
    END } };
/* clang-format on */

/* ---- as a sentence ---- */

static const char *transfer_phrase(struct arena *a, const json_t *item)
{
    const char *why = phrase_text(item, "error");

    return arena_printf(a, "%lld (%s) of %s USDC by %s %s%s%s",
                        json_integer_value(json_object_get(item, "id")), phrase_text(item, "type"),
                        phrase_text(item, "amount"), phrase_text(item, "chain"), phrase_text(item, "status"),
                        *why == '\0' ? "" : ": ", why);
}

static const char *transfer_sentence(struct arena *a, const json_t *asked, const json_t *body)
{
    (void)asked;
    return arena_printf(a, "Perps transfer %s", transfer_phrase(a, json_object_get(body, "transfer")));
}

static const char *transfers_sentence(struct arena *a, const json_t *asked, const json_t *body)
{
    const json_t *list = json_object_get(body, "transfers");

    (void)asked;
    if (json_array_size(list) == 0)
        return "There are no deposits or withdrawals of perpetuals";
    return arena_printf(a, "The newest deposits and withdrawals: %s",
                        phrase_list(a, list, transfer_phrase, PHRASE_ITEMS_MAX));
}

/* ---- endpoints ---- */

#define TRANSFER_ROW                                                                                         \
    .auth = AUTH_ACTIVE, .denied = &E_DENIED, .tag = TAG_PERPS, .skill = SKILL_PERPS, .status = 200

#define MOVE_ROW(of, more)                                                                                   \
    TRANSFER_ROW, .method = POST, .internal = &E_PERPS_TRANSFER_FAILED, .flags = ONCE | WAITS | (more),      \
                  .handler = action_place, .begins = { of, action_begun, ONE_TRANSFER },                     \
                  .terms = terms_of_members, .sentence = transfer_sentence, .answer = &found_schema,         \
                  .hints = HINT_OPEN_WORLD

/* Those that both may be refused with. */
#define MOVE_ERRORS                                                                                          \
    &E_PERPS_NOT_CONFIGURED, &E_PERPS_LEAST, &E_CHAIN_UNKNOWN, &E_PERPS_CHAIN, &E_BALANCE,                   \
        &E_WALLET_NOT_YOURS, &E_PAUSED, &E_OPERATOR_LIMIT, &E_PROVIDER_REFUSED, &E_UPSTREAM

static const struct endpoint rows[] = {
    {
        MOVE_ROW(KIND_PERPS_DEPOSIT, 0),
        .path = V1 "/perps/deposit",
        TAKES(deposit_params, struct perps_transfer_asked),
        .tool = "deposit_perps",
        .summary = "Deposit margin for perpetuals",
        .about =
            "Sends USDC of the wallet to its own account at the venue of perpetuals. Next: GET /perps/transfer/{id}, or the webhook.",
        .accepted = &awaits_schema,
        .errors =
            ERRORS{ MOVE_ERRORS, &E_REQUIRED, &E_GAS, &E_WOULD_REVERT, &E_BEHIND, &E_POLICY,
                    &E_APPROVAL_COUNT, &E_APPROVAL_NOT_FOUND, &E_APPROVAL_DENIED, &E_APPROVAL_EXPIRED, NULL },
    },
    {
        MOVE_ROW(KIND_PERPS_WITHDRAWAL, FREES),
        .path = V1 "/perps/withdraw",
        TAKES(withdrawal_params, struct perps_transfer_asked),
        .tool = "withdraw_perps",
        .summary = "Withdraw margin of perpetuals",
        .about =
            "Takes USDC out of the account at the venue of perpetuals, to the managed wallet and nowhere else; \"max\": all that positions and orders leave.",
        .errors = ERRORS{ MOVE_ERRORS, &E_PERPS_NOT_FUNDED, NULL },
    },
    {
        TRANSFER_ROW,
        .method = GET,
        .path = V1 "/perps/transfers",
        .internal = &E_INTERNAL,
        TAKES(action_page_params, struct action_list_in),
        .handler = action_list,
        .shows = KIND_PERPS_DEPOSIT,
        .flags = LISTS,
        .tool = "list_perps_transfers",
        .sentence = transfers_sentence,
        .summary = "Deposits and withdrawals of perpetuals",
        .about = "What was deposited for perpetuals and withdrawn from them, the newest first.",
        .answer = &transfers_schema,
        .errors = ERRORS{ &E_STATUS_FILTER, &E_CHAIN_UNKNOWN, &E_LIMIT, &E_OFFSET, NULL },
        .hints = HINT_READ_ONLY,
    },
    {
        TRANSFER_ROW,
        .method = GET,
        .path = ONE_TRANSFER,
        .internal = &E_INTERNAL,
        TAKES(wait_params, struct wait_in),
        .begins = { .execution = action_begun },
        .handler = action_show,
        .shows = KIND_PERPS_DEPOSIT,
        .tool = "get_perps_transfer",
        .sentence = transfer_sentence,
        .summary = "One deposit or withdrawal of perpetuals",
        .about = "One deposit or withdrawal. Ask again until it is `completed` or `failed`.",
        .path_param = &transfer_id,
        .answer = &found_schema,
        .errors = ERRORS{ &E_TRANSFER_NOT_FOUND, NULL },
        .hints = HINT_READ_ONLY,
    },
};

static const struct endpoint_event events[] = {
    { "perps.transfer.completed", "onPerpsTransferCompleted", &completed_schema },
    { "perps.transfer.failed", "onPerpsTransferFailed", &failed_schema },
    { .type = NULL },
};

const struct endpoint_group perps_transfers_endpoints = { ENDPOINT_ROWS(rows), .events = events };
