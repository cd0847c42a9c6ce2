#include "api/documents/schemas.h"

#include <stddef.h>

/* A kind with its example; the text after it is what the member says, then its marks. */
#define TEXT(e)             .kind = S_TEXT, .example = (e)
#define CHOICE(c, e)        .kind = S_CHOICE, .choices = (c), .example = (e)
#define AMOUNT(e)           .kind = S_AMOUNT, .example = (e)
#define TIME(e)             .kind = S_TIME, .example = (e)
#define UUID(e)             .kind = S_UUID, .example = (e)
#define URI(e)              .kind = S_URI, .example = (e)
#define HEX(e)              .kind = S_HEX, .example = (e)
#define WHOLE(e)            .kind = S_WHOLE, .example = (e)
#define FLAG(e)             .kind = S_FLAG, .example = (e)
#define TEXTS(e)            .kind = S_TEXTS, .example = (e)
#define FREE                .kind = S_FREE, .example = NULL
#define STRINGS             .kind = S_STRINGS, .example = NULL
#define OBJECT(shape)       .kind = S_OBJECT, .of = &(shape), .example = NULL
#define OBJECT_AS(shape, e) .kind = S_OBJECT, .of = &(shape), .example = (e)
#define MAP(shape, e)       .kind = S_MAP, .of = &(shape), .example = (e)
#define NUMBER(e)           .kind = S_NUMBER, .example = (e)
#define LIST(shape)         .kind = S_LIST, .of = &(shape), .example = NULL

#define SUCCESS                                                                                              \
    {                                                                                                        \
        "success", .kind = S_TRUE, .about = "Always true"                                                    \
    }
#define END                                                                                                  \
    {                                                                                                        \
        .name = NULL                                                                                         \
    }

#define FIELDS .fields = (const struct schema_field[])

/* Examples that are long or occur more than once. */
#define A_WALLET "0x52908400098527886e0f7030069857d2e4169ee7"
#define A_ROUTER "0x7a250d5630b4cf539739df2c5dacb4c659f2488d"
#define A_TOKEN  "0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48"
#define AN_ETH                                                                                               \
    "{\"symbol\":\"ETH\",\"chain\":\"ethereum\",\"address\":\"0x0000000000000000000000000000000000000000\",\"decimals\":18}"
#define A_HASH      "0x4d1fa60c0e7a0c9a0e8a2ab4e4ef8c2f0b8a7a5d3c3f6b1d2e9f8a7b6c5d4e3f"
#define AN_APPROVAL "ap_7d793037a0760186574b0282f2f435e7"
#define A_TIME      "2026-01-01T12:00:00.000Z"
#define LATER       "2026-01-01T12:00:13.250Z"
#define AN_ID       "8f14e45f-ceea-4e7f-a9c6-1d2b3c4d5e6f"
#define A_SECRET    "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="
#define A_KEY       "svc_sk_EXAMPLE-EXAMPLE-EXAMPLE-EXAMPLE-EXAMPLE"

static const char *const listed_statuses[] = { "submitted", "pending", "completed", "failed", NULL };
static const char *const initial_statuses[] = { "submitted", "pending", NULL };
static const char *const awaiting_statuses[] = { "pending_approval", NULL };
static const char *const policy_types[] = { "spending_limit", "approval_limit", "whitelist",
                                            "execution_limit", NULL };
static const char *const policy_setters[] = { "agent", "operator", NULL };
static const char *const policy_changes[] = { "delete", NULL };
static const char *const all_statuses[] = { "pending", "submitted", "processing", "completed",
                                            "failed",  "expired",   NULL };
static const char *const event_statuses[] = { "pending", "delivered", "failed", NULL };
static const char *const wallet_types[] = { "evm", "solana", NULL };
static const char *const chain_types[] = { "evm", "solana", "move", "ton", NULL };
static const char *const tx_kinds[] = { "approval", "swap", "cancel", "bridge_in", "bridge_out", NULL };
static const char *const tx_statuses[] = { "pending", "submitted", "completed", "failed", "replaced", NULL };
static const char *const agent_statuses[] = { "active", "deactivated", NULL };
static const char *const holder_types[] = { "evm", "solana", "mixed", NULL };
static const char *const check_statuses[] = { "pass", "warn", "fail", "unavailable", NULL };
static const char *const completed_event[] = { "swap.completed", NULL };
static const char *const failed_event[] = { "swap.failed", NULL };
static const char *const granted_event[] = { "approval.granted", NULL };
static const char *const denied_event[] = { "approval.denied", NULL };
static const char *const lapsed_event[] = { "approval.lapsed", NULL };
static const char *const approval_statuses[] = { "waiting", "granted", "denied", "used", "lapsed", NULL };
static const char *const approval_actions[] = { "swap", NULL };

/* clang-format off */

/* ---- errors ---- */

const struct schema schema_error = { "Error", "Why a call failed", FIELDS {
    { "success",    .kind = S_FALSE, .about = "Always false" },
    { "error",      TEXT("Unknown chain 'mars'"),    "What is wrong, in words" },
    { "error_code", TEXT("CHAIN_UNSUPPORTED"),     "What is wrong, for programs to branch on" },
    { "hint",       TEXT("GET /chains lists the keys"),  "What an agent can do about it", MAY_BE_ABSENT },
    { "fields",     STRINGS,                       "Each faulty member of the request with its fault; `_root` stands for the whole", MAY_BE_ABSENT },
    { "swap_id",    WHOLE("42"),                   "The swap that has taken the quote already", MAY_BE_ABSENT },
    { "approval_id", TEXT(AN_APPROVAL),            "What that swap waits for: send it instead of the quote_id", MAY_BE_ABSENT },
    { "supported",  TEXTS("ETH"),                  "What may be asked for", MAY_BE_ABSENT },
    { "examples",   TEXTS("swap 1 ETH to USDC"),   "Commands that are understood", MAY_BE_ABSENT },
    { "request_id", TEXT("req-7f3a9c21"),          "The X-Request-Id of the answer, for support" },
    END } };

/* ---- agents ---- */

static const struct schema new_agent = { "NewAgent", "An agent just registered", FIELDS {
    { "id",         UUID(AN_ID),      "Identifier of the agent" },
    { "name",       TEXT("my-agent"), "Its name" },
    { "api_key",    TEXT(A_KEY),      "Its API key: shown this once, store it" },
    { "created_at", TIME(A_TIME),     "Time of registration" },
    END } };

static const struct schema stats = { "AgentStats", "What an agent has done so far", FIELDS {
    { "total_requests", WHOLE("128"), "Authenticated requests" },
    { "total_swaps",    WHOLE("7"),   "Completed swaps" },
    END } };

static const struct schema agent = { "Agent", "An agent's profile", FIELDS {
    { "id",              UUID(AN_ID),                        "Identifier of the agent" },
    { "name",            TEXT("my-agent"),                   "Its name" },
    { "description",     TEXT("Rebalances a portfolio"),     "What it does", MAY_BE_NULL },
    { "rate_limit_tier", TEXT("standard"),                   "Its tier of request limits" },
    { "stats",           OBJECT(stats),                      "Its counters" },
    { "callback_url",    URI("https://agent.example/hook"),  "Where webhooks go; null: nowhere", MAY_BE_NULL },
    { "metadata",        FREE,                               "The agent's own data" },
    { "created_at",      TIME(A_TIME),                       "Time of registration" },
    { "last_active_at",  TIME(LATER),                        "Time of the last request", MAY_BE_NULL },
    { "active",          FLAG("true"),                       "Whether its key works: false while it is deactivated" },
    { "updated_at",      TIME(A_TIME),                       "When profile, tier or state changed" },
    END } };

#define WEBHOOK_SECRET \
    { "webhook_secret", TEXT(A_SECRET), "Secret of webhook signatures: shown this once, with the first callback_url", MAY_BE_ABSENT }

const struct schema schema_registered = { "Registration", "The new agent with its key", FIELDS {
    SUCCESS,
    { "agent",   OBJECT(new_agent), "The agent" },
    { "message", TEXT("Store api_key: it cannot be shown again. Next: POST /wallets, then POST /quote."), "What to do now" },
    WEBHOOK_SECRET,
    END } };

const struct schema schema_me = { "Profile", "The agent that asks", FIELDS {
    SUCCESS,
    { "agent", OBJECT(agent), "The agent" },
    END } };

const struct schema schema_me_changed = { "ProfileChange", "The profile after the change", FIELDS {
    SUCCESS,
    { "agent", OBJECT(agent), "The agent" },
    WEBHOOK_SECRET,
    END } };

/* ---- lifecycle ---- */

const struct schema schema_lifecycle = { "Lifecycle", "The agent's new state", FIELDS {
    SUCCESS,
    { "message", TEXT("Agent deactivated."),                  "What this means" },
    { "status",  CHOICE(agent_statuses, "deactivated"),       "The state" },
    END } };

const struct schema schema_reactivated = { "Reactivation", "The agent's new state", FIELDS {
    SUCCESS,
    { "message", TEXT("Agent reactivated. Its API key works again."), "What this means" },
    { "status",  CHOICE(agent_statuses, "active"),            "The state" },
    END } };

const struct schema schema_key_rotated = { "KeyRotation", "The new key", FIELDS {
    SUCCESS,
    { "api_key", TEXT(A_KEY),                                 "The new key: shown this once" },
    { "message", TEXT("The former key is dead from now on."), "What this means" },
    END } };

/* ---- chains and tokens ---- */

static const struct schema chain = { "Chain", "A chain", FIELDS {
    { "id",           WHOLE("8453"),              "EVM chain id, or a number of ours for other chains" },
    { "key",          TEXT("base"),               "What the `chain` parameters take" },
    { "name",         TEXT("Base"),               "Its name" },
    { "native_token", TEXT("ETH"),                "Symbol of the coin that pays fees" },
    { "type",         CHOICE(chain_types, "evm"), "What kind of chain it is" },
    END } };

static const struct schema token = { "Token", "A token on a chain", FIELDS {
    { "symbol",   TEXT("USDC"),     "Symbol" },
    { "name",     TEXT("USD Coin"), "Name" },
    { "address",  TEXT(A_TOKEN),    "Contract address; the zero address is the native coin" },
    { "decimals", WHOLE("6"),       "Decimal places" },
    { "chain",    TEXT("ethereum"), "Key of the chain" },
    END } };

static const struct schema chain_tokens = { "ChainTokens", "The tokens of one chain", FIELDS {
    { "chain",    TEXT("ethereum"), "Key of the chain" },
    { "chain_id", WHOLE("1"),       "Its id" },
    { "tokens",   LIST(token),      "Its tokens" },
    END } };

const struct schema schema_chains = { "ChainList", "All chains", FIELDS {
    SUCCESS,
    { "chains", LIST(chain), "The chains" },
    END } };

const struct schema schema_tokens = { "TokenList", "Tokens of the chain asked for", FIELDS {
    SUCCESS,
    { "chain",    TEXT("ethereum"), "Key of the chain" },
    { "chain_id", WHOLE("1"),       "Its id" },
    { "tokens",   LIST(token),      "Its tokens" },
    END } };

const struct schema schema_tokens_grouped = { "TokenListByChain", "Tokens of all chains, when none was named", FIELDS {
    SUCCESS,
    { "chains", LIST(chain_tokens), "The chains with their tokens" },
    END } };

/* ---- lists ---- */

static const struct schema pagination = { "Pagination", "Which part of a list this is", FIELDS {
    { "total",    WHOLE("1"),    "Items that match" },
    { "limit",    WHOLE("20"),   "Page size" },
    { "offset",   WHOLE("0"),    "Items skipped" },
    { "has_more", FLAG("false"), "Whether more items follow" },
    END } };

/* ---- wallets ---- */

static const struct schema wallet = { "Wallet", "A managed wallet: the gateway holds its key", FIELDS {
    { "address",          TEXT(A_WALLET),              "Its address: fund it here" },
    { "chain_type",       CHOICE(wallet_types, "evm"), "What kind of chains it works on" },
    { "supported_chains", TEXTS("base"),               "Keys of the chains that it trades on" },
    END } };

const struct schema schema_wallet_created = { "WalletCreation", "The new wallet", FIELDS {
    SUCCESS,
    { "wallet", OBJECT(wallet), "The wallet" },
    END } };

const struct schema schema_wallets = { "WalletList", "The agent's wallets, oldest first", FIELDS {
    SUCCESS,
    { "wallets",    LIST(wallet),       "The wallets" },
    { "pagination", OBJECT(pagination), "Which part of all this is" },
    END } };

static const struct schema policy_pending = { "PendingPolicyChange", "What will change by itself", FIELDS {
    { "change",       CHOICE(policy_changes, "delete"), "What" },
    { "effective_at", TIME(LATER),                      "When" },
    END } };

static const struct schema policy = { "WalletPolicy", "A limit to what wallets may give away", FIELDS {
    { "id",             UUID(AN_ID),                            "Identifier of the policy" },
    { "policyId",       UUID(AN_ID),                            "The same" },
    { "type",           CHOICE(policy_types, "spending_limit"), "What kind of limit it is" },
    { "params",         FREE,                                   "What it allows, as it was set" },
    { "wallet_address", TEXT(A_WALLET),                         "The wallet; null: each of the agent's, for itself", MAY_BE_NULL },
    { "set_by",         CHOICE(policy_setters, "agent"),        "Who set it; the operator's cannot be deleted" },
    { "created_at",     TIME(A_TIME),                           "Since when it is in force; sums begin here" },
    { "pending",        OBJECT(policy_pending),                 "Its end, when it was deleted", MAY_BE_ABSENT },
    END } };

const struct schema schema_policy_created = { "WalletPolicyCreation", "The new policy, in force", FIELDS {
    SUCCESS,
    { "policy", OBJECT(policy), "The policy" },
    END } };

const struct schema schema_policies = { "WalletPolicyList", "The policies in force, oldest first", FIELDS {
    SUCCESS,
    { "policies", LIST(policy), "The policies" },
    END } };

const struct schema schema_policy_deleted = { "WalletPolicyDeletion", "The policy will end", FIELDS {
    SUCCESS,
    { "deleted",      .kind = S_TRUE, .about = "Always true" },
    { "effective_at", TIME(LATER),    "Until then it is in force" },
    END } };

/* ---- quotes and unsigned swaps ---- */

#define UNVERIFIED \
    { "unverified", .kind = S_TRUE, .about = "One of the tokens is not listed, and its symbol passes for that of a listed one", .marks = MAY_BE_ABSENT }

static const struct schema quote_token = { "QuoteToken", "One side of a quote", FIELDS {
    { "symbol",   TEXT("USDC"),     "Symbol" },
    { "chain",    TEXT("ethereum"), "Key of the chain" },
    { "address",  TEXT(A_TOKEN),    "Contract address; the zero address is the native coin" },
    { "decimals", WHOLE("6"),       "Decimal places" },
    { "unverified", .kind = S_TRUE, .about = "It is not listed, and its symbol passes for that of a listed token: shown is its address", .marks = MAY_BE_ABSENT },
    END } };

static const struct schema route = { "Route", "An offer that was considered", FIELDS {
    { "provider",      TEXT("uniswap_v3"), "Who makes it" },
    { "dex",           TEXT("Uniswap V3"), "Where it would be traded" },
    { "amount_out",    AMOUNT("4498.2"),   "What it gives" },
    { "estimated_gas", WHOLE("184000"),    "Units of gas" },
    END } };

const struct schema schema_quote = { "Quote", "A price, good for 60 seconds", FIELDS {
    SUCCESS,
    { "quote_id",           TEXT("q_7d793037a0760186574b0282f2f435e7"), "Hand it to /swap/execute or /swap" },
    { "from_token",         OBJECT_AS(quote_token, AN_ETH), "What is given" },
    { "to_token",           OBJECT(quote_token),   "What is received" },
    { "amount_in",          AMOUNT("1.5"),         "How much is given" },
    { "amount_out",         AMOUNT("4498.2"),      "How much is expected" },
    { "amount_out_min",     AMOUNT("4363.254"),    "The least that arrives, or the swap does not happen" },
    { "exchange_rate",      AMOUNT("2998.8"),      "Units of to_token for one of from_token" },
    { "expires_in_seconds", WHOLE("60"),           "Always 60" },
    { "chain_type",         TEXT("evm"),           "Kind of the source chain" },
    { "from_chain",         TEXT("ethereum"),      "Key of the source chain" },
    { "to_chain",           TEXT("ethereum"),      "Key of the destination chain" },
    { "slippage",           AMOUNT("0.03"),        "The part of amount_out that may be missing at most" },
    { "dex",                TEXT("Uniswap V3"),    "Where it will be traded" },
    { "route",              TEXT("ETH → USDC via Uniswap V3"), "The way in words" },
    { "routes",             LIST(route),           "The winner, then the runners-up" },
    { "price_impact",       AMOUNT("0.0012"),      "How much worse the price is than that of a thousandth of the amount, and than the price feed's: the worse of both; null when nobody knows", MAY_BE_NULL },
    { "estimated_gas_usd",  AMOUNT("0.42"),        "What the gas would cost in dollars; null without a price", MAY_BE_NULL },
    { "estimated_time_seconds", WHOLE("36"),       "How long it takes, about, until it is completed" },
    { "warnings",           TEXTS("Price impact of 3.1 %: a smaller amount gets a better price"), "What to look at before it is executed; often nothing" },
    UNVERIFIED,
    END } };

static const char *const tx_types[] = { "evm", NULL };

static const struct schema unsigned_tx = { "UnsignedTransaction", "A transaction for the caller to sign", FIELDS {
    { "type",         CHOICE(tx_types, "evm"), "What kind of chain it is for" },
    { "from",         HEX(A_WALLET),     "Who signs it" },
    { "to",           HEX(A_ROUTER),     "Contract to call" },
    { "data",         HEX("0x38ed1739"), "Calldata" },
    { "value",        HEX("0x0"),        "Wei to send along" },
    { "gas_estimate", HEX("0x3d090"),    "Gas limit" },
    { "gas_limit",    HEX("0x3d090"),    "The same" },
    { "gas_price",    HEX("0x3b9aca00"), "Wei for a unit of gas, at most, as of now" },
    { "chain_id",     WHOLE("1"),        "Chain to send it on" },
    END } };

static const struct schema unsigned_meta = { "UnsignedSwapMeta", "What the transaction does", FIELDS {
    { "from_token",   TEXT("USDC"),     "Symbol of what is given" },
    { "to_token",     TEXT("WETH"),     "Symbol of what is received" },
    { "amount_in",    AMOUNT("100"),    "How much is given" },
    { "expected_out", AMOUNT("0.0333"), "How much is expected" },
    { "min_out",      AMOUNT("0.0323"), "The least that arrives" },
    END } };

static const struct schema unsigned_trade = { "UnsignedTrade", "The trade", FIELDS {
    { "from_chain",          TEXT("ethereum"), "Key of the source chain" },
    { "to_chain",            TEXT("ethereum"), "Key of the destination chain" },
    { "from_token",          TEXT("USDC"),     "Symbol of what is given" },
    { "to_token",            TEXT("WETH"),     "Symbol of what is received" },
    { "amount_in",           AMOUNT("100"),    "How much is given" },
    { "expected_amount_out", AMOUNT("0.0333"), "How much is expected" },
    { "minimum_amount_out",  AMOUNT("0.0323"), "The least that arrives" },
    END } };

const struct schema schema_unsigned_swap = { "UnsignedSwap", "An unsigned swap", FIELDS {
    SUCCESS,
    { "quote_id",    TEXT("q_7d793037a0760186574b0282f2f435e7"), "The quote that it carries out, which stays usable" },
    { "chain_type",  CHOICE(wallet_types, "evm"), "Kind of the chain" },
    { "transaction", OBJECT(unsigned_tx),   "The swap itself: to be sent last" },
    { "approvals",   LIST(unsigned_tx),     "Exact approvals to send before it; often none" },
    { "instructions", TEXTS("Sign and send transaction on ethereum: it swaps 100 USDC for at least 0.0323 WETH"), "What to send, in words, in order" },
    { "swap",        OBJECT(unsigned_trade), "The trade" },
    { "valid_until", TIME(LATER),           "The chain refuses the swap after it" },
    { "meta",        OBJECT(unsigned_meta), "What it does" },
    UNVERIFIED,
    END } };

/* ---- swaps ---- */

static const struct schema tracking = { "Tracking", "Where to follow the swap", FIELDS {
    { "poll_url", TEXT("https://gateway.example/v1/agent/swap/status/42"), "GET it until the status is final" },
    END } };

const struct schema schema_executed = { "Execution", "The swap that was accepted", FIELDS {
    SUCCESS,
    { "swap_id", WHOLE("42"),                         "Follow it at /swap/status/{swapId}" },
    { "status",  CHOICE(initial_statuses, "pending"), "Where it stands" },
    { "tx_hash", HEX(A_HASH),                         "Null until a node has taken the transaction", MAY_BE_NULL },
    { "tracking", OBJECT(tracking),                   "Where to follow it" },
    END } };

const struct schema schema_awaits = { "PendingApproval", "Nothing is signed yet: the operator has to approve it first", FIELDS {
    SUCCESS,
    { "status",      CHOICE(awaiting_statuses, "pending_approval"), "Always pending_approval" },
    { "approval_id", TEXT(AN_APPROVAL),   "Send it to /swap/execute instead of quote_id" },
    { "expires_at",  TIME(LATER),                                   "Then the swap has expired, and nothing was signed" },
    { "swap_id",     WHOLE("42"),                                   "The swap that is waiting, and stays this one" },
    END } };

#define SWAP_FIELDS(statuses) \
    { "swap_id",       WHOLE("42"),                    "Identifier of the swap" }, \
    { "id",            WHOLE("42"),                    "The same" }, \
    { "status",        CHOICE(statuses, "completed"),  "Where it stands" }, \
    { "tx_hash",       HEX(A_HASH),                    "Null until a node has taken the transaction", MAY_BE_NULL }, \
    { "from_token",    TEXT("ETH"),                    "Symbol of what is given" }, \
    { "to_token",      TEXT("USDC"),                   "Symbol of what is received" }, \
    { "from_token_address", TEXT("0x0000000000000000000000000000000000000000"), "Contract of what is given; the zero address is the native coin" }, \
    { "to_token_address",   TEXT(A_TOKEN),             "Contract of what is received" }, \
    UNVERIFIED, \
    { "chain",         TEXT("base"),                   "Key of the source chain" }, \
    { "from_chain",    TEXT("base"),                   "The same" }, \
    { "to_chain",      TEXT("base"),                   "Key of the destination chain" }, \
    { "from_amount",   AMOUNT("1.5"),                  "How much is given" }, \
    { "expected_out",  AMOUNT("4498.2"),               "How much was quoted" }, \
    { "to_amount",     AMOUNT("4497.9"),               "How much arrived; null until it is known", MAY_BE_NULL }, \
    { "explorer_url",  URI("https://basescan.org/tx/" A_HASH), "The transaction in a block explorer", MAY_BE_NULL }, \
    { "error_code",    TEXT("null"),                   "Why it failed, for programs", MAY_BE_NULL }, \
    { "error_message", TEXT("null"),                   "Why it failed, in words", MAY_BE_NULL }, \
    { "approval_id",   TEXT("null"),                   "The operator's approval that it wants or wanted; null: none", MAY_BE_NULL }, \
    { "approval_expires_at", TIME("null"),             "Until when that may be given and used", MAY_BE_NULL }, \
    { "created_at",    TIME(A_TIME),                   "When it was accepted" }, \
    { "updated_at",    TIME(LATER),                    "When it moved last" }, \
    { "completed_at",  TIME(LATER),                    "When it completed or failed", MAY_BE_NULL }, \
    { "corrected",     FLAG("true"),                   "True when it was told as failed before, which the chain does not bear out", MAY_BE_ABSENT }

static const struct schema swap = { "Swap", "A swap as lists show it", FIELDS {
    SWAP_FIELDS(listed_statuses),
    END } };

static const struct schema swap_tx = { "SwapTransaction", "A signed transaction of a swap", FIELDS {
    { "chain",   TEXT("base"),                     "Key of the chain" },
    { "kind",    CHOICE(tx_kinds, "swap"),         "What it is for" },
    { "tx_hash", HEX(A_HASH),                      "Its hash" },
    { "status",  CHOICE(tx_statuses, "completed"), "Where it stands" },
    END } };

static const struct schema swap_detail = { "SwapDetail", "A swap with its transactions", FIELDS {
    SWAP_FIELDS(all_statuses),
    { "transactions", LIST(swap_tx), "Everything that was signed for it" },
    END } };

const struct schema schema_swap_status = { "SwapStatus", "Where the swap stands", FIELDS {
    SUCCESS,
    END }, .base = &swap_detail };

const struct schema schema_swaps = { "SwapList", "A page of swaps, newest first", FIELDS {
    SUCCESS,
    { "swaps",      LIST(swap),         "The swaps" },
    { "pagination", OBJECT(pagination), "Which part of all this is" },
    END } };

/* ---- approvals ---- */

static const struct schema approval = { "Approval", "A request for the operator's approval", FIELDS {
    { "id",         TEXT(AN_APPROVAL),                     "Its approval_id: send it to /swap/execute once it is granted" },
    { "status",     CHOICE(approval_statuses, "granted"),  "Where it stands" },
    { "action",     CHOICE(approval_actions, "swap"),      "What is to be approved" },
    { "reason",     TEXT("beyond an approval_limit"),      "The policy that wants it, in words" },
    { "swap_id",    WHOLE("42"),                           "The swap that waits for it; null for other actions", MAY_BE_NULL },
    { "created_at", TIME(A_TIME),                          "When it was asked for" },
    { "expires_at", TIME(LATER),                           "Until when it may be given and used" },
    { "decided_at", TIME(LATER),                           "When the operator granted or denied it; null: not", MAY_BE_NULL },
    END } };

const struct schema schema_approvals = { "ApprovalList", "A page of requests for approval, newest first", FIELDS {
    SUCCESS,
    { "approvals",  LIST(approval),     "The requests" },
    { "pagination", OBJECT(pagination), "Which part of all this is" },
    END } };

const struct schema schema_approval = { "ApprovalFound", "One request for approval", FIELDS {
    SUCCESS,
    { "approval", OBJECT(approval), "The request" },
    END } };

/* ---- prices, holdings, rehearsals ---- */

static const struct schema price = { "Price", "A price in dollars", FIELDS {
    { "usd",        NUMBER("2998.8"), "Dollars for one" },
    { "change_24h", NUMBER("-1.25"),  "Per cent within a day; null where it is not known", MAY_BE_NULL },
    END } };

const struct schema schema_prices = { "Prices", "Prices by symbol", FIELDS {
    SUCCESS,
    { "prices",          MAP(price, "ETH"), "The prices" },
    { "unknown_symbols", TEXTS("NOPE"),     "Symbols that nobody knows", MAY_BE_ABSENT },
    { "unavailable",     TEXTS("ARB"),      "Symbols whose price cannot be had just now", MAY_BE_ABSENT },
    END } };

static const struct schema holding = { "Holding", "A token that a wallet holds", FIELDS {
    { "symbol",         TEXT("USDC"),     "Symbol" },
    { "name",           TEXT("USD Coin"), "Name" },
    { "chain",          TEXT("base"),     "Key of the chain" },
    { "address",        TEXT(A_TOKEN),    "Contract address; the zero address is the native coin" },
    { "wallet_address", TEXT(A_WALLET),   "Whose it is" },
    { "balance",        AMOUNT("1500.25"), "How much" },
    { "usd_value",      TEXT("1500.25"),  "Its worth in dollars; null without a price", MAY_BE_NULL },
    END } };

const struct schema schema_portfolio = { "Portfolio", "What the wallets hold", FIELDS {
    SUCCESS,
    { "wallet_address", TEXT(A_WALLET),                     "The wallet, when it is one alone", MAY_BE_ABSENT },
    { "wallet_type",    CHOICE(holder_types, "evm"),        "Their kind; null without a wallet", MAY_BE_NULL },
    { "chain_filter",   TEXT("null"),                       "The chain asked for", MAY_BE_NULL },
    { "total_usd",      TEXT("1500.25"),                    "Worth in dollars of all that has a price" },
    { "balances",       LIST(holding),                      "What is there" },
    { "unavailable",    TEXTS("ethereum"),                  "Chains that could not be read", MAY_BE_ABSENT },
    END } };

static const struct schema simulated_output = { "SimulatedOutput", "What would arrive", FIELDS {
    { "token",      TEXT("USDC"),     "Symbol" },
    { "amount",     AMOUNT("4498.2"), "How much" },
    { "amount_usd", TEXT("4498.20"),  "Its worth in dollars; null without a price", MAY_BE_NULL },
    UNVERIFIED,
    END } };

static const struct schema simulated_fees = { "SimulatedFees", "What it would cost", FIELDS {
    { "protocol",     AMOUNT("0"),      "The gateway's fee" },
    { "gas_estimate", AMOUNT("0.0004"), "Network fees in the native coin; null when unknown", MAY_BE_NULL },
    END } };

static const struct schema check = { "SimulationCheck", "One check of execution", FIELDS {
    { "name",       TEXT("balance"),                "What was checked" },
    { "status",     CHOICE(check_statuses, "pass"), "How it went" },
    { "detail",     TEXT("The wallet has enough"),  "Why" },
    { "unverified", .kind = S_TRUE, .about = "It could not be looked up", .marks = MAY_BE_ABSENT },
    END } };

const struct schema schema_simulation = { "Simulation", "How the swap would go", FIELDS {
    SUCCESS,
    { "would_execute",             FLAG("true"),                 "Whether it would be executed" },
    { "quote_id",                  TEXT("q_7d793037a0760186574b0282f2f435e7"), "The quote that was rehearsed" },
    { "chain_type",                CHOICE(wallet_types, "evm"),  "Kind of the chain" },
    { "wallet_address",            TEXT(A_WALLET),               "The wallet" },
    { "expected_output",           OBJECT(simulated_output),     "What would arrive" },
    { "min_output_after_slippage", AMOUNT("4363.254"),           "The least that would arrive" },
    { "price_impact_pct",          NUMBER("0.03"),               "Per cent; null when unknown", MAY_BE_NULL },
    { "fees",                      OBJECT(simulated_fees),       "What it would cost" },
    { "checks",                    LIST(check),                  "Every check of execution" },
    { "warnings",                  TEXTS("Price impact is high"), "Details of the checks that warn" },
    END } };

/* ---- commands ---- */

static const char *const actions[] = { "swap", "quote", "balance", "price", "prices", "status", "history", "wallet_create", "wallets",
                                       "chains", "tokens", "markets", "predict_order", "help", NULL };
static const char *const amount_kinds[] = { "exact", "usd", "percent", NULL };
static const char *const amount_sides[] = { "from", "to", NULL };
static const char *const order_sides[] = { "BUY", "SELL", NULL };

static const struct schema parsed_command = { "ParsedCommand", "What was understood; what was not said is absent", FIELDS {
    { "from_token",  TEXT("ETH"),                     "swap, quote: symbol of the source", MAY_BE_ABSENT },
    { "to_token",    TEXT("USDC"),                    "swap, quote: symbol of the destination", MAY_BE_ABSENT },
    { "amount",      AMOUNT("1"),                     "swap, quote: how much", MAY_BE_ABSENT },
    { "amount_kind", CHOICE(amount_kinds, "exact"),   "Units of the token, dollars, or per cent of what is held", MAY_BE_ABSENT },
    { "amount_of",   CHOICE(amount_sides, "from"),    "Which side is measured", MAY_BE_ABSENT },
    { "chain",       TEXT("ethereum"),                "Chain key, where there is one", MAY_BE_ABSENT },
    { "from_chain",  TEXT("base"),                    "Chain key of the source, where there are two", MAY_BE_ABSENT },
    { "to_chain",    TEXT("arbitrum"),                "Chain key of the destination", MAY_BE_ABSENT },
    { "slippage",    NUMBER("0.01"),                  "As a fraction", MAY_BE_ABSENT },
    { "token",       TEXT("ETH"),                     "balance, price: symbol", MAY_BE_ABSENT },
    { "symbols",     TEXTS("ETH"),                    "prices: of which", MAY_BE_ABSENT },
    { "quote_id",    TEXT("q_7d793037a0760186574b0282f2f435e7"), "swap: of which quote, which says the rest", MAY_BE_ABSENT },
    { "swap_id",     WHOLE("42"),                     "status: which swap", MAY_BE_ABSENT },
    { "limit",       WHOLE("10"),                     "history, markets: how many", MAY_BE_ABSENT },
    { "status",      CHOICE(listed_statuses, "failed"), "history: which swaps", MAY_BE_ABSENT },
    { "chain_type",  CHOICE(wallet_types, "evm"),     "wallet_create: which kind", MAY_BE_ABSENT },
    { "query",       TEXT("bitcoin"),                 "markets: what they are about", MAY_BE_ABSENT },
    { "category",    TEXT("crypto"),                  "markets: their category", MAY_BE_ABSENT },
    { "token_id",    TEXT("1234"),                    "predict_order: the outcome", MAY_BE_ABSENT },
    { "side",        CHOICE(order_sides, "BUY"),      "predict_order: which side", MAY_BE_ABSENT },
    { "price",       NUMBER("0.55"),                  "predict_order: of one share", MAY_BE_ABSENT },
    { "size",        NUMBER("10"),                    "predict_order: how many shares", MAY_BE_ABSENT },
    END } };

const struct schema schema_command = { "CommandDone", "A command that was understood", FIELDS {
    SUCCESS,
    { "action", CHOICE(actions, "swap"),  "What was asked for" },
    { "parsed", OBJECT(parsed_command),   "What was understood" },
    { "result", .kind = S_FREE, .about = "The answer of the operation behind it; of a dry run that could not be priced, the reason in `unavailable`" },
    END } };

/* ---- webhooks ---- */

static const struct schema event = { "WebhookEvent", "A webhook and its delivery", FIELDS {
    { "id",              TEXT("msg_8f14e45fceea4e7fa9c61d2b3c4d5e6f"), "Identifier, equal to the header webhook-id" },
    { "event_type",      TEXT("swap.completed"),               "What happened" },
    { "status",          CHOICE(event_statuses, "delivered"),  "Where the delivery stands" },
    { "attempts",        WHOLE("1"),                           "Attempts made" },
    { "last_error",      TEXT("null"),                         "Why the last attempt failed", MAY_BE_NULL },
    { "response_status", WHOLE("200"),                         "HTTP status that the receiver gave", MAY_BE_NULL },
    { "callback_url",    URI("https://agent.example/hook"),    "Where it is sent" },
    { "created_at",      TIME(A_TIME),                         "When it happened" },
    { "delivered_at",    TIME(LATER),                          "When the receiver took it", MAY_BE_NULL },
    END } };

const struct schema schema_webhooks = { "WebhookEventList", "A page of webhooks, newest first", FIELDS {
    SUCCESS,
    { "events",     LIST(event),        "The webhooks" },
    { "pagination", OBJECT(pagination), "Which part of all this is" },
    END } };

const struct schema schema_webhook_tested = { "WebhookTest", "How the test delivery went", FIELDS {
    { "success",          FLAG("true"),                        "Whether the receiver took it" },
    { "callback_url",     URI("https://agent.example/hook"),   "Where it was sent" },
    { "status_code",      WHOLE("200"),                        "HTTP status that the receiver gave; null: none", MAY_BE_NULL },
    { "response_time_ms", WHOLE("42"),                         "Milliseconds until its answer" },
    { "error",            TEXT("HTTP 500"),                    "Why it failed", MAY_BE_ABSENT },
    END } };

const struct schema schema_webhook_secret = { "WebhookSecret", "The new secret", FIELDS {
    SUCCESS,
    { "webhook_secret", TEXT(A_SECRET), "Secret of webhook signatures: shown this once" },
    END } };

const struct schema schema_redelivered = { "Redelivery", "The event, waiting again", FIELDS {
    SUCCESS,
    { "event", OBJECT(event), "The event" },
    END } };

const struct schema schema_swap_completed = { "SwapCompletedEvent", "A swap is confirmed on the chain", FIELDS {
    { "type",      CHOICE(completed_event, "swap.completed"), "What happened" },
    { "timestamp", TIME(LATER),                               "When" },
    { "data",      OBJECT(swap_detail),                       "The swap" },
    END } };

const struct schema schema_swap_failed = { "SwapFailedEvent", "A swap reverted or could not be confirmed", FIELDS {
    { "type",      CHOICE(failed_event, "swap.failed"), "What happened" },
    { "timestamp", TIME(LATER),                         "When" },
    { "data",      OBJECT(swap_detail),                 "The swap" },
    END } };

#define APPROVAL_EVENT(types, example) FIELDS { \
    { "type",      CHOICE(types, example), "What happened" }, \
    { "timestamp", TIME(LATER),            "When" }, \
    { "data",      OBJECT(approval),       "The request" }, \
    END }

const struct schema schema_approval_granted = { "ApprovalGrantedEvent", "The operator allows it: send the approval_id to /swap/execute",
    APPROVAL_EVENT(granted_event, "approval.granted") };
const struct schema schema_approval_denied = { "ApprovalDeniedEvent", "The operator refused it; nothing was signed",
    APPROVAL_EVENT(denied_event, "approval.denied") };
const struct schema schema_approval_lapsed = { "ApprovalLapsedEvent", "It was not granted and used in time; nothing was signed",
    APPROVAL_EVENT(lapsed_event, "approval.lapsed") };

/* ---- documents ---- */

const struct schema schema_openapi = { "OpenApiDocument", "An OpenAPI 3.1 description", FIELDS {
    { "openapi", TEXT("3.1.0"), "Version of OpenAPI" },
    { "info",    FREE,          "Title and version" },
    { "paths",   FREE,          "The endpoints" },
    END }, .open = true };
/* clang-format on */
