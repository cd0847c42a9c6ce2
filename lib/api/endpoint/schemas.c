#include "api/endpoint/schemas.h"

const char *const wallet_types[] = { "evm", "solana", NULL };
const char *const listed_statuses[] = { "submitted", "pending", "completed", "failed", NULL };
const char *const awaiting_statuses[] = { "pending_approval", NULL };
const char *const order_sides[] = { "BUY", "SELL", NULL };
static const char *const check_statuses[] = { "pass", "warn", "fail", "unavailable", NULL };

/* clang-format off */
static const struct schema lost_schema = { "LostHolding", "What a deletion would lose", FIELDS {
    { "place",     TEXT("base"),    "Key of the chain, or predict, perps, lend" },
    { "chain",     TEXT("base"),    "Key of the chain", MAY_BE_NULL },
    { "symbol",    TEXT("USDC"),    "The token, or a market's outcome" },
    { "amount",    AMOUNT("100"),   "How much" },
    { "usd_value", TEXT("100.00"),  "Its worth in dollars; null without a price", MAY_BE_NULL },
    END } };

static const struct schema unended_schema = { "Unended", "What has not ended", FIELDS {
    { "kind",   TEXT("swap"),    "What it is" },
    { "id",     TEXT("42"),      "Its id" },
    { "status", TEXT("pending"), "Where it stands" },
    END } };

const struct schema error_schema = { "Error", "Why a call failed", FIELDS {
    { "success",    .kind = S_FALSE, .about = "Always false" },
    { "error",       TEXT("Unknown chain 'mars'"),       "What is wrong, in words" },
    { "error_code",  TEXT("CHAIN_UNSUPPORTED"),          "What is wrong, for programs to branch on" },
    { "hint",        TEXT("GET /chains lists the keys"), "What an agent can do about it", MAY_BE_ABSENT },
    { "fields",      STRINGS,                            "Each faulty member of the request with its fault; `_root` stands for the whole", MAY_BE_ABSENT },
    { "swap_id",     WHOLE("42"),                        "The swap that has already used the quote, or that the Idempotency-Key stands for", MAY_BE_ABSENT },
    { "approval_id", TEXT(AN_APPROVAL),                  "What that swap waits for: send it instead of the quote_id", MAY_BE_ABSENT },
    { "order_id",    HEX(A_HASH),                        "The agent's own order that used up the approval, or that the Idempotency-Key stands for", MAY_BE_ABSENT },
    { "transfer_id",    WHOLE("42"),    "The deposit or withdrawal at a venue that the Idempotency-Key stands for", MAY_BE_ABSENT },
    { "withdrawal_id",  WHOLE("42"),    "The withdrawal that the Idempotency-Key stands for", MAY_BE_ABSENT },
    { "operation_id",   WHOLE("42"),    "The operation at a lender that the Idempotency-Key stands for", MAY_BE_ABSENT },
    { "supported",   TEXTS("ETH"),                       "What may be asked for", MAY_BE_ABSENT },
    { "total_usd",   TEXT("1500.25"),                    "What an agent that is to be deleted would lose, as far as it has a price", MAY_BE_ABSENT },
    { "holdings",    LIST(lost_schema),                  "The same, one by one", MAY_BE_ABSENT },
    { "under_way",   LIST(unended_schema),               "What of that agent's has not ended", MAY_BE_ABSENT },
    { "unread",      TEXTS("gnosis"),                    "Chains and markets that have held its money and do not answer", MAY_BE_ABSENT },
    { "examples",    TEXTS("swap 1 ETH to USDC"),        "Commands that are understood", MAY_BE_ABSENT },
    { "request_id",  TEXT("req-7f3a9c21"),               "The X-Request-Id of the answer, for support" },
    END } };

const struct schema pagination_schema = { "Pagination", "Which part of a list this is", FIELDS {
    { "total",    WHOLE("1"),    "Items that match" },
    { "limit",    WHOLE("20"),   "Page size" },
    { "offset",   WHOLE("0"),    "Items skipped" },
    { "has_more", FLAG("false"), "Whether more items follow" },
    END } };

const struct schema check_schema = { "Check", "One check of what would be done", FIELDS {
    { "name",   TEXT("balance_sufficient"),     "What was checked" },
    { "status", CHOICE(check_statuses, "pass"), "How it went" },
    { "detail", TEXT("The wallet has enough"),  "Why" },
    { "unverified", .kind = S_TRUE, .about = "It could not be looked up", .marks = MAY_BE_ABSENT },
    END } };
/* clang-format on */
