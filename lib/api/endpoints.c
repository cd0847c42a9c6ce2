#include "api/endpoints.h"

#include "chain/evm/addr.h"
#include "chain/solana/addr.h"
#include "model/agent.h"
#include "model/page.h"
#include "net/url.h"
#include "policy/rule.h"
#include "service/conf.h"
#include "service/ctx.h"

enum { DEFAULT_SLIPPAGE = 30000, NAME_LENGTH = 64, TOKENS_DEFAULT = 100, TOKENS_MAX = 1000 };

#define QUOTE_ID_EXAMPLE "q_7d793037a0760186574b0282f2f435e7"

#define MAX_IMPACT_PARAM(type, member)                                                                                                                              \
    {                                                                                                                                                               \
        "max_price_impact", P_FRACTION, INTO(type, member),                                                                                                         \
            .number = PPM_NONE,                                                                                                                                     \
            .about =                                                                                                                                                \
                "Allows a price that is so much worse than that of a small trade; 0.1 is ten per cent. Absent: what the operator allows, 0.05 unless set otherwise" \
    }

#define PAGE_PARAMS(type)                                                                                    \
    { "limit",  P_WHOLE,         INTO(type, limit), .number = PAGE_DEFAULT,                                  \
      .min = 1, .max = PAGE_MAX, .bad = &E_LIMIT,   .about = "Page size" },                                  \
    {                                                                                                        \
        "offset", P_WHOLE, INTO(type, offset), .max = INT64_MAX, .bad = &E_OFFSET, .about = "Items to skip"  \
    }

/* ---- checks that are declared with a parameter; `env` is the process's struct ctx ---- */

static const char *check_callback(const char *url, const void *env)
{
    const struct ctx *ctx = env;

    return url_callback_fault(url, ctx->conf->webhook_allow_http_loopback ? CALL_LOOPBACK : CALL_PUBLIC);
}

/* Of either kind; whether it is the chain's is known once the chain is. */
static const char *check_wallet(const char *address, const void *env)
{
    struct evm_addr evm;
    struct solana_addr solana;

    (void)env;
    if (solana_addr_parse(&solana, address) || (evm_addr_parse(&evm, address) && !evm_addr_is_zero(evm)))
        return NULL;
    return "must be an address of 0x and 40 hex digits, or of 32 bytes in Base58 for Solana";
}

static const char *const swap_statuses[] = { "submitted", "pending", "completed", "failed", NULL };
static const char *const approval_statuses[] = { "waiting", "granted", "denied", "used", "lapsed", NULL };
static const char *const event_statuses[] = { "pending", "delivered", "failed", NULL };
static const char *const wallet_kinds[] = { "evm", "solana", NULL };

static const struct param register_params[] = {
    { "name", P_TEXT, INTO(struct register_in, name), .required = true, .min = 1, .max = AGENT_NAME_MAX,
      .about = "Name of the agent", .example = "my-agent" },
    { "description", P_TEXT, INTO(struct register_in, description), .max = AGENT_DESCRIPTION_MAX,
      .about = "What the agent does" },
    { "callback_url", P_TEXT, INTO(struct register_in, callback_url), .check = check_callback,
      .about = "Where webhooks are sent" },
    { "metadata", P_OBJECT, INTO(struct register_in, metadata), .max = AGENT_METADATA_MAX,
      .about = "The agent's own data" },
    { 0 },
};

static const struct param me_change_params[] = {
    { "description", P_NULLABLE, INTO(struct me_change_in, description), .max = AGENT_DESCRIPTION_MAX,
      .about = "What the agent does; null removes it", .example = "Rebalances a portfolio" },
    { "callback_url", P_NULLABLE, INTO(struct me_change_in, callback_url), .check = check_callback,
      .about = "Where webhooks are sent; null removes it", .example = "https://agent.example/hook" },
    { "metadata", P_OBJECT, INTO(struct me_change_in, metadata), .max = AGENT_METADATA_MAX,
      .about = "The agent's own data, replaced whole" },
    { 0 },
};

static const struct param tokens_params[] = {
    { "chain", P_TEXT, INTO(struct tokens_in, chain), .about = "Chain key or alias; absent: all, grouped",
      .example = "base" },
    { "search", P_TEXT, INTO(struct tokens_in, search), .about = "Part of a symbol or name" },
    { "limit", P_WHOLE, INTO(struct tokens_in, limit), .number = TOKENS_DEFAULT, .min = 1, .max = TOKENS_MAX,
      .about = "Page size" },
    { "offset", P_WHOLE, INTO(struct tokens_in, offset), .max = INT64_MAX, .bad = &E_OFFSET,
      .about = "Items to skip" },
    { 0 },
};

static const struct param wallet_params[] = {
    { "chain_type", P_TEXT, INTO(struct wallet_in, chain_type), .choices = wallet_kinds, .dflt = "evm",
      .about = "evm or solana; an EVM wallet works on every EVM chain" },
    { 0 },
};

/* All of them, for most agents. */
static const struct param wallets_params[] = {
    { "limit", P_WHOLE, INTO(struct wallets_in, limit), .number = PAGE_MAX, .min = 1, .max = PAGE_MAX,
      .bad = &E_LIMIT, .about = "Page size" },
    { "offset", P_WHOLE, INTO(struct wallets_in, offset), .max = INT64_MAX, .bad = &E_OFFSET,
      .about = "Items to skip" },
    { 0 },
};

static const struct param quote_params[] = {
    { "from_token", P_TEXT, INTO(struct quote_in, from_token), .required = true, .max = NAME_LENGTH,
      .about = "Source symbol or contract address", .example = "ETH" },
    { "to_token", P_TEXT, INTO(struct quote_in, to_token), .required = true, .max = NAME_LENGTH,
      .about = "Destination symbol or contract address", .example = "USDC" },
    { "amount", P_AMOUNT, INTO(struct quote_in, amount), .required = true, .bad = &E_AMOUNT,
      .about = "Human-readable amount of the source token", .example = "1.5" },
    { "chain", P_TEXT, INTO(struct quote_in, chain), .max = NAME_LENGTH, .assumed = "ethereum",
      .about = "Chain of a same-chain swap; default ethereum", .example = "ethereum" },
    { "from_chain", P_TEXT, INTO(struct quote_in, from_chain), .max = NAME_LENGTH, .about = "Source chain" },
    { "to_chain", P_TEXT, INTO(struct quote_in, to_chain), .max = NAME_LENGTH, .about = "Destination chain" },
    { "wallet_address", P_TEXT, INTO(struct quote_in, wallet_address), .max = NAME_LENGTH,
      .about = "Whose swap it will be" },
    { "slippage", P_FRACTION, INTO(struct quote_in, slippage), .number = DEFAULT_SLIPPAGE, .bad = &E_SLIPPAGE,
      .about = "0.03 allows three per cent less than quoted" },
    MAX_IMPACT_PARAM(struct quote_in, max_impact),
    { 0 },
};

static const struct param swap_params[] = {
    { "wallet_address", P_TEXT, INTO(struct swap_in, trade.wallet_address), .check = check_wallet,
      .bad = &E_WALLET_ADDRESS, .required = true, .max = NAME_LENGTH, .about = "Who will sign",
      .example = "0x52908400098527886e0f7030069857d2e4169ee7" },
    { "quote_id", P_TEXT, INTO(struct swap_in, quote_id), .about = "A quote of this agent",
      .example = QUOTE_ID_EXAMPLE },
    { "from_token", P_TEXT, INTO(struct swap_in, trade.from_token), .max = NAME_LENGTH,
      .about = "Instead of quote_id, with to_token and amount" },
    { "to_token", P_TEXT, INTO(struct swap_in, trade.to_token), .max = NAME_LENGTH,
      .about = "Destination token" },
    { "amount", P_AMOUNT, INTO(struct swap_in, trade.amount), .bad = &E_AMOUNT,
      .about = "Human-readable amount" },
    { "chain", P_TEXT, INTO(struct swap_in, trade.chain), .max = NAME_LENGTH, .assumed = "ethereum",
      .about = "Default ethereum" },
    { "from_chain", P_TEXT, INTO(struct swap_in, trade.from_chain), .max = NAME_LENGTH,
      .about = "Source chain, as in POST /quote" },
    { "to_chain", P_TEXT, INTO(struct swap_in, trade.to_chain), .max = NAME_LENGTH,
      .about = "Destination chain" },
    { "slippage", P_FRACTION, INTO(struct swap_in, trade.slippage), .number = DEFAULT_SLIPPAGE,
      .bad = &E_SLIPPAGE, .about = "0.03 allows three per cent less than quoted" },
    MAX_IMPACT_PARAM(struct swap_in, trade.max_impact),
    { 0 },
};

static const struct param swap_execute_params[] = {
    /* Required without approval_id, as the handler says. */
    { "quote_id", P_TEXT, INTO(struct swap_execute_in, quote_id), .absent = &E_QUOTE_ID_REQUIRED,
      .about = "A quote of this agent", .example = QUOTE_ID_EXAMPLE },
    { "approval_id", P_TEXT, INTO(struct swap_execute_in, approval_id), .min = 1, .max = NAME_LENGTH,
      .about = "Instead of quote_id: goes on with a swap that waited for the operator's approval" },
    { "wallet_address", P_TEXT, INTO(struct swap_execute_in, wallet_address), .max = NAME_LENGTH,
      .about = "One of the agent's wallets; default the oldest" },
    MAX_IMPACT_PARAM(struct swap_execute_in, max_impact),
    { 0 },
};

static const struct param policy_in_params[] = {
    { "type", P_TEXT, INTO(struct policy_in, type), .required = true, .choices = policy_types,
      .about =
          "spending_limit, approval_limit (beyond it the operator is asked), whitelist or execution_limit",
      .example = "spending_limit" },
    { "params", P_OBJECT, INTO(struct policy_in, params), .required = true, .max = POLICY_PARAMS_MAX,
      .of = policy_params, .about = "What it allows; members of other types are refused",
      .example = "{\"maxAmountUsd\":\"1000\",\"timeWindowSeconds\":86400}" },
    { "wallet_address", P_TEXT, INTO(struct policy_in, wallet_address), .min = 1, .max = NAME_LENGTH,
      .about = "One of the agent's wallets; absent: each of them, for itself" },
    { 0 },
};

static const struct param prices_params[] = {
    /* The handler says what is missing, together with what may be asked for. */
    { "symbols", P_TEXT, INTO(struct prices_in, symbols), .needed = true, .max = 1000,
      .about = "1 to 20 symbols, separated by commas", .example = "ETH,USDC" },
    { 0 },
};

static const struct param portfolio_params[] = {
    { "wallet_address", P_TEXT, INTO(struct portfolio_in, wallet_address), .check = check_wallet,
      .bad = &E_WALLET_ADDRESS, .max = NAME_LENGTH, .about = "One of the agent's wallets; absent: all" },
    { "chain", P_TEXT, INTO(struct portfolio_in, chain), .max = NAME_LENGTH,
      .about = "Chain key or alias; absent: all" },
    { 0 },
};

static const struct param simulate_params[] = {
    { "quote_id", P_TEXT, INTO(struct swap_in, quote_id), .about = "A quote of this agent" },
    { "wallet_address", P_TEXT, INTO(struct swap_in, trade.wallet_address), .check = check_wallet,
      .bad = &E_WALLET_ADDRESS, .max = NAME_LENGTH, .about = "Default the agent's oldest managed wallet" },
    { "from_token", P_TEXT, INTO(struct swap_in, trade.from_token), .max = NAME_LENGTH,
      .about = "Instead of quote_id, with to_token and amount" },
    { "to_token", P_TEXT, INTO(struct swap_in, trade.to_token), .max = NAME_LENGTH,
      .about = "Destination token" },
    { "amount", P_AMOUNT, INTO(struct swap_in, trade.amount), .bad = &E_AMOUNT,
      .about = "Human-readable amount" },
    { "chain", P_TEXT, INTO(struct swap_in, trade.chain), .max = NAME_LENGTH, .assumed = "ethereum",
      .about = "Default ethereum" },
    { "from_chain", P_TEXT, INTO(struct swap_in, trade.from_chain), .max = NAME_LENGTH,
      .about = "Source chain" },
    { "to_chain", P_TEXT, INTO(struct swap_in, trade.to_chain), .max = NAME_LENGTH,
      .about = "Destination chain" },
    { "slippage", P_FRACTION, INTO(struct swap_in, trade.slippage), .number = DEFAULT_SLIPPAGE,
      .bad = &E_SLIPPAGE, .about = "0.03 allows three per cent less than quoted" },
    MAX_IMPACT_PARAM(struct swap_in, trade.max_impact),
    { 0 },
};

static const struct param swaps_params[] = {
    { "status", P_TEXT, INTO(struct swaps_in, status), .choices = swap_statuses, .bad = &E_STATUS_FILTER,
      .about = "submitted, pending, completed or failed" },
    PAGE_PARAMS(struct swaps_in),
    { 0 },
};

static const struct param approvals_params[] = {
    { "status", P_TEXT, INTO(struct approvals_in, status), .choices = approval_statuses,
      .bad = &E_STATUS_FILTER, .about = "waiting, granted, denied, used or lapsed" },
    PAGE_PARAMS(struct approvals_in),
    { 0 },
};

static const struct param execute_params[] = {
    { "command", P_TEXT, INTO(struct execute_in, command), .required = true,
      .about = "One instruction in plain English, at most 500 characters",
      .example = "swap 1 ETH to USDC on base" },
    { "wallet_address", P_TEXT, INTO(struct execute_in, wallet_address), .check = check_wallet,
      .bad = &E_WALLET_ADDRESS, .max = NAME_LENGTH,
      .about = "One of the agent's wallets; default the oldest" },
    { "dry_run", P_FLAG, INTO(struct execute_in, dry_run),
      .about = "Understand and price, but sign, place and create nothing" },
    MAX_IMPACT_PARAM(struct execute_in, max_impact),
    { 0 },
};

static const struct param webhooks_params[] = {
    { "status", P_TEXT, INTO(struct webhooks_in, status), .choices = event_statuses, .bad = &E_STATUS_FILTER,
      .about = "pending, delivered or failed" },
    { "event_type", P_TEXT, INTO(struct webhooks_in, event_type), .about = "such as swap.completed" },
    PAGE_PARAMS(struct webhooks_in),
    { 0 },
};

#define TAKES(table, type) table, sizeof(type)
#define TAKES_NOTHING      NULL, 0

/* Columns that are left out are 0. */
#pragma GCC diagnostic ignored "-Wmissing-field-initializers"

/* In the order in which they are listed everywhere. */
/* clang-format off */
const struct endpoint endpoints[] = {
    { POST,   V1 "/register",                 AUTH_NONE,   NULL,            &E_INTERNAL,        TAKES(register_params, struct register_in),         ep_register,          "register_agent",       "Register an agent" },
    { GET,    V1 "/chains",                   AUTH_NONE,   NULL,            &E_INTERNAL,        TAKES_NOTHING,                                      ep_chains,            "get_chains",           "List chains" },
    { GET,    V1 "/openapi",                  AUTH_NONE,   NULL,            &E_INTERNAL,        TAKES_NOTHING,                                      ep_openapi,           "get_openapi",          "OpenAPI description", .flags = LISTS },
    { GET,    V1 "/tokens",                   AUTH_ACTIVE, &E_DENIED,       &E_INTERNAL,        TAKES(tokens_params, struct tokens_in),             ep_tokens,            "get_tokens",           "List tokens on a chain", .flags = LISTS },
    { POST,   V1 "/quote",                    AUTH_ACTIVE, &E_DENIED,       &E_INTERNAL,        TAKES(quote_params, struct quote_in),             ep_quote,             "get_quote",            "Get a swap quote", .flags = ONCE | WAITS },
    { POST,   V1 "/swap",                     AUTH_ACTIVE, &E_DENIED,       &E_INTERNAL,        TAKES(swap_params, struct swap_in),                 ep_swap,              "build_swap",           "Build an unsigned swap", .flags = ONCE | WAITS },
    { POST,   V1 "/swap/execute",             AUTH_ACTIVE, &E_UNAUTHORIZED, &E_SWAP_EXECUTION,  TAKES(swap_execute_params, struct swap_execute_in), ep_swap_execute,      "execute_swap",         "Execute a swap", .flags = ONCE | WAITS },
    { GET,    V1 "/swap/status/{swapId}",     AUTH_ACTIVE, &E_DENIED,       &E_INTERNAL,        TAKES_NOTHING,                                      ep_swap_status,       "get_swap_status",      "Swap status" },
    { GET,    V1 "/swaps",                    AUTH_ACTIVE, &E_UNAUTHORIZED, &E_INTERNAL,        TAKES(swaps_params, struct swaps_in),               ep_swaps,             "list_swaps",           "Swap history", .flags = LISTS },
    { POST,   V1 "/execute",                  AUTH_ACTIVE, &E_DENIED,       &E_INTERNAL,        TAKES(execute_params, struct execute_in),           ep_execute,           "execute_command",      "Run a plain-English command", .flags = ONCE | WAITS },
    { GET,    V1 "/wallets",                  AUTH_ACTIVE, &E_DENIED,       &E_INTERNAL,        TAKES(wallets_params, struct wallets_in),                                ep_wallets,           "list_wallets",         "List managed wallets", .flags = LISTS },
    { POST,   V1 "/wallets",                  AUTH_ACTIVE, &E_UNAUTHORIZED, &E_WALLET_CREATION, TAKES(wallet_params, struct wallet_in),             ep_wallet_create,     "create_wallet",        "Create a managed wallet", .flags = ONCE },
    { POST,   V1 "/keys/rotate",              AUTH_ACTIVE, &E_UNAUTHORIZED, &E_KEY_ROTATION,    TAKES_NOTHING,                                      ep_key_rotate,        "rotate_api_key",       "Rotate the API key" },
    { GET,    V1 "/me",                       AUTH_ACTIVE, &E_DENIED,       &E_INTERNAL,        TAKES_NOTHING,                                      ep_me,                "get_me",               "Agent profile" },
    { PATCH,  V1 "/me",                       AUTH_ACTIVE, &E_DENIED,       &E_INTERNAL,        TAKES(me_change_params, struct me_change_in),       ep_me_change,         "update_me",            "Update the profile" },
    { DELETE, V1 "/me",                       AUTH_KNOWN,  &E_DENIED,       &E_INTERNAL,        TAKES_NOTHING,                                      ep_delete,            "delete_me",            "Delete the agent for good" },
    { POST,   V1 "/me/deactivate",            AUTH_KNOWN,  &E_DENIED,       &E_INTERNAL,        TAKES_NOTHING,                                      ep_deactivate,        "deactivate_me",        "Deactivate the agent" },
    { POST,   V1 "/reactivate",               AUTH_KNOWN,  &E_DENIED,       &E_INTERNAL,        TAKES_NOTHING,                                      ep_reactivate,        "reactivate_me",        "Reactivate the agent" },
    { GET,    V1 "/webhooks",                 AUTH_ACTIVE, &E_UNAUTHORIZED, &E_INTERNAL,        TAKES(webhooks_params, struct webhooks_in),         ep_webhooks,          "list_webhooks",        "Webhook deliveries", .flags = LISTS },
    { POST,   V1 "/webhooks/test",            AUTH_ACTIVE, &E_UNAUTHORIZED, &E_INTERNAL,        TAKES_NOTHING,                                      ep_webhook_test,      "test_webhook",         "Send a test webhook", .flags = ONCE | WAITS },
    { GET,    V1 "/prices",                   AUTH_ACTIVE, &E_DENIED,       &E_INTERNAL,        TAKES(prices_params, struct prices_in),             ep_prices,            "get_prices",           "Dollar prices of tokens", .flags = WAITS },
    { GET,    V1 "/portfolio",                AUTH_ACTIVE, &E_DENIED,       &E_INTERNAL,        TAKES(portfolio_params, struct portfolio_in),       ep_portfolio,         "get_portfolio",        "What the agent's wallets hold, and its worth", .flags = WAITS | LISTS },
    { POST,   V1 "/swap/simulate",            AUTH_ACTIVE, &E_DENIED,       &E_INTERNAL,        TAKES(simulate_params, struct swap_in),         ep_swap_simulate,     "simulate_swap",        "Rehearse a swap: every check of execution, nothing signed", .flags = WAITS },
    { POST,   V1 "/wallet/policy",            AUTH_ACTIVE, &E_DENIED,       &E_INTERNAL,        TAKES(policy_in_params, struct policy_in),          ep_policy_create,     "create_wallet_policy", "Limit what wallets may give away", .flags = ONCE },
    { GET,    V1 "/wallet/policies",          AUTH_ACTIVE, &E_DENIED,       &E_INTERNAL,        TAKES_NOTHING,                                      ep_policies,          "list_wallet_policies", "The policies in force", .flags = LISTS },
    { DELETE, V1 "/wallet/policy/{id}",       AUTH_ACTIVE, &E_DENIED,       &E_INTERNAL,        TAKES_NOTHING,                                      ep_policy_delete,     "delete_wallet_policy", "End a policy, after 24 hours" },
    { GET,    V1 "/approvals",                AUTH_ACTIVE, &E_DENIED,       &E_INTERNAL,        TAKES(approvals_params, struct approvals_in),       ep_approvals,         "list_approvals",       "What the operator was asked to approve", .flags = LISTS },
    { GET,    V1 "/approvals/{id}",           AUTH_ACTIVE, &E_DENIED,       &E_INTERNAL,        TAKES_NOTHING,                                      ep_approval,          "get_approval",         "One request for approval" },
    { POST,   V1 "/webhooks/secret",          AUTH_ACTIVE, &E_DENIED,       &E_INTERNAL,        TAKES_NOTHING,                                      ep_webhook_secret,    "renew_webhook_secret", "Renew the webhook secret; the former one signs too for a day" },
    { POST,   V1 "/webhooks/{id}/redeliver",  AUTH_ACTIVE, &E_DENIED,       &E_INTERNAL,        TAKES_NOTHING,                                      ep_webhook_redeliver, "redeliver_webhook",    "Send a recorded event again", .flags = ONCE },
    { GET,    "/llms.txt",                    AUTH_NONE,   NULL,            &E_INTERNAL,        TAKES_NOTHING,                                      ep_llms,              NULL,                   "This API as text for language models" },
    { GET,    "/llms-full.txt",               AUTH_NONE,   NULL,            &E_INTERNAL,        TAKES_NOTHING,                                      ep_llms_full,         NULL,                   "The same with every parameter and answer" },
    { GET,    "/.well-known/agent.json",      AUTH_NONE,   NULL,            &E_INTERNAL,        TAKES_NOTHING,                                      ep_card,              NULL,                   "The agent card" },
    { GET,    "/.well-known/agent-card.json", AUTH_NONE,   NULL,            &E_INTERNAL,        TAKES_NOTHING,                                      ep_card,              NULL,                   "The agent card" },
    { POST,   "/mcp",                         AUTH_NONE,   NULL,            &E_INTERNAL,        TAKES_NOTHING,                                      ep_mcp,               NULL,                   "The Model Context Protocol", .flags = ENVELOPE | GUARDED },
    { POST,   "/a2a",                         AUTH_ACTIVE, &E_DENIED,       &E_INTERNAL,        TAKES_NOTHING,                                      ep_a2a,               NULL,                   "A2A, versions 1.0 and 0.3", .flags = ENVELOPE },
    { GET,    "/",                            AUTH_NONE,   NULL,            &E_INTERNAL,        TAKES_NOTHING,                                      ep_index,             NULL,                   "Where the documents are" },
    { GET,    "/healthz",                     AUTH_NONE,   NULL,            &E_INTERNAL,        TAKES_NOTHING,                                      ep_healthz,           NULL,                   "Whether the process answers" },
    { GET,    "/readyz",                      AUTH_NONE,   NULL,            &E_INTERNAL,        TAKES_NOTHING,                                      ep_readyz,            NULL,                   "Whether it can do its work" },
    { GET,    "/metrics",                     AUTH_NONE,   NULL,            &E_INTERNAL,        TAKES_NOTHING,                                      ep_metrics,           NULL,                   "Figures for Prometheus; the operator's alone" },
};
/* clang-format on */

const size_t endpoints_count = sizeof endpoints / sizeof endpoints[0];
