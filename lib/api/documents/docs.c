#include "api/documents/docs.h"

enum { AGENTS, DISCOVERY, WALLETS, QUOTES, SWAPS, COMMANDS, WEBHOOKS };

const struct doc_tag doc_tags[] = {
    [AGENTS] = { "Agents", "Registration and the agent's own profile" },
    [DISCOVERY] = { "Discovery", "What there is to trade, and how to talk to the gateway" },
    [WALLETS] = { "Wallets", "Managed wallets: the gateway holds the key and signs" },
    [QUOTES] = { "Quotes", "Prices, and swaps for the caller to sign" },
    [SWAPS] = { "Swaps", "Execution with a managed wallet, and what became of it" },
    [COMMANDS] = { "Commands", "Plain English instead of parameters" },
    [WEBHOOKS] = { "Webhooks", "Deliveries of events to the agent's callback_url" },
};
const size_t doc_tags_count = sizeof doc_tags / sizeof doc_tags[0];

#define WORDS (const char *const[])

enum { QUOTE, EXECUTE, BUILD, COMMAND, STATUS, KEPT, TRADED, PROFILE, DELIVERIES };

const struct doc_skill doc_skills[] = {
    [QUOTE] = { "swap-quote", "Swap quote", WORDS{ "defi", "swap", "quote", NULL },
                WORDS{ "Quote 1 ETH to USDC on base", "What do I get for 500 USDC in WETH?", NULL } },
    [EXECUTE] = { "swap-execute", "Swap execution", WORDS{ "defi", "swap", "execute", NULL },
                  WORDS{ "Swap 0.5 ETH to USDC on base", NULL } },
    [BUILD] = { "swap-build", "Unsigned swap", WORDS{ "defi", "swap", "transaction", NULL }, WORDS{ NULL } },
    [COMMAND] = { "plain-english", "Commands in plain English", WORDS{ "defi", "swap", "command", NULL },
                  WORDS{ "Sell half of my ETH for USDC", "How much USDC do I have on base?", NULL } },
    [STATUS] = { "swap-status", "Swap status and history", WORDS{ "defi", "swap", "status", NULL },
                 WORDS{ "Has swap 42 completed?", "List my last swaps", NULL } },
    [KEPT] = { "wallets", "Managed wallets", WORDS{ "defi", "wallet", NULL },
               WORDS{ "Create a wallet", NULL } },
    [TRADED] = { "tokens-and-chains", "Tokens and chains", WORDS{ "defi", "token", "chain", NULL },
                 WORDS{ "Which chains are there?", "List the tokens on base", NULL } },
    [PROFILE] = { "profile", "Agent profile", WORDS{ "agent", "profile", NULL }, WORDS{ NULL } },
    [DELIVERIES] = { "webhooks", "Webhook deliveries", WORDS{ "agent", "webhook", NULL }, WORDS{ NULL } },
};
const size_t doc_skills_count = sizeof doc_skills / sizeof doc_skills[0];

static const struct schema_field swap_id = { "swapId", S_WHOLE, .example = "42",
                                             .about = "The swap_id that the execution answered" };

static const struct schema_field policy_id = { "id", S_UUID,
                                               .example = "8f14e45f-ceea-4e7f-a9c6-1d2b3c4d5e6f",
                                               .about = "The id of the policy in GET /wallet/policies" };

static const struct schema_field approval_id = { "id", S_TEXT,
                                                 .example = "ap_7d793037a0760186574b0282f2f435e7",
                                                 .about = "The approval_id that the execution answered" };

static const struct schema_field event_id = { "id", S_TEXT, .example = "msg_8f14e45fceea4e7fa9c61d2b3c4d5e6f",
                                              .about = "The id of the event in GET /webhooks" };

#define ERRORS (const struct err *const[])

/* Whatever asks for a price. */
#define QUOTE_ERRORS                                                                                         \
    &E_AMOUNT_PLACES, &E_SAME_TOKEN, &E_CHAIN_UNKNOWN, &E_TOKEN_UNKNOWN, &E_NO_BRIDGE, &E_NO_LIQUIDITY,      \
        &E_WALLET_ADDRESS, &E_PRICE_UNVERIFIED, &E_UPSTREAM

/* Members that are left out are 0. */
#pragma GCC diagnostic ignored "-Wmissing-field-initializers"

/* clang-format off */
const struct endpoint_doc endpoint_docs[] = {
    { ep_register, &doc_tags[AGENTS], NULL, 200, &schema_registered,
      "The first call of every agent; it needs no key. Store `api_key`: it cannot be shown again. With a `callback_url` the answer also has the `webhook_secret`. Next: POST /wallets, then POST /quote.",
      NULL, NULL, NULL, .hints = KEEPS },
    { ep_me, &doc_tags[AGENTS], &doc_skills[PROFILE], 200, &schema_me,
      "Who the key belongs to, with tier and counters.",
      NULL, NULL, NULL },
    { ep_me_change, &doc_tags[AGENTS], &doc_skills[PROFILE], 200, &schema_me_changed,
      "Send at least one member. `metadata` is replaced whole. The first `callback_url` brings the `webhook_secret`, shown this once; null stops webhooks.",
      ERRORS{ &E_NO_FIELDS, &E_STOPPED, NULL }, NULL, NULL },
    { ep_delete, &doc_tags[AGENTS], NULL, 204, NULL,
      "Irreversible: agent, keys and wallets are gone, and with them whatever the wallets hold. Only the operator can move that elsewhere before.",
      ERRORS{ &E_STOPPED, &E_FUNDED, &E_FUNDS_UNREAD, NULL }, NULL, NULL },
    { ep_deactivate, &doc_tags[AGENTS], NULL, 200, &schema_lifecycle,
      "Stops everything but reactivation and deletion; data stays. Next: POST /reactivate with the same key.",
      ERRORS{ &E_DEACTIVATED, &E_STOPPED, NULL }, NULL, NULL, .hints = KEEPS },
    { ep_reactivate, &doc_tags[AGENTS], NULL, 200, &schema_reactivated,
      "Undoes POST /me/deactivate; the same key works again. What the operator deactivated he alone reactivates.",
      ERRORS{ &E_ACTIVE, &E_SHUT, NULL }, NULL, NULL, .hints = KEEPS },
    { ep_key_rotate, &doc_tags[AGENTS], NULL, 200, &schema_key_rotated,
      "The present key is dead in the same instant; store the new one before anything else.",
      ERRORS{ &E_STOPPED, &E_QUOTA_AUDIT, NULL }, NULL, NULL },
    { ep_chains, &doc_tags[DISCOVERY], &doc_skills[TRADED], 200, &schema_chains,
      "The keys that every `chain` parameter takes. It needs no key and changes rarely. Next: GET /tokens.",
      NULL, NULL, NULL },
    { ep_tokens, &doc_tags[DISCOVERY], &doc_skills[TRADED], 200, &schema_tokens,
      "Symbols, addresses and decimals. Symbols and addresses both work in POST /quote. Without `chain`, the tokens of all chains are grouped.",
      ERRORS{ &E_CHAIN_UNKNOWN, NULL }, &schema_tokens_grouped, NULL, .hints = OUTSIDE },
    { ep_prices, &doc_tags[DISCOVERY], &doc_skills[QUOTE], 200, &schema_prices,
      "For orientation; what a swap really gives is said by POST /quote.",
      ERRORS{ &E_SYMBOLS, NULL }, NULL, NULL, .hints = OUTSIDE },
    { ep_openapi, &doc_tags[DISCOVERY], NULL, 200, &schema_openapi,
      "This document. It needs no key; `ETag` tells whether it has changed.",
      NULL, NULL, NULL },
    { ep_wallet_create, &doc_tags[WALLETS], &doc_skills[KEPT], 201, &schema_wallet_created,
      "Needed once before POST /swap/execute. One EVM wallet works on all EVM chains. Next: send funds to its `address`, with some of the chain's native coin for fees.",
      ERRORS{ &E_PAUSED, &E_QUOTA_WALLETS, NULL }, NULL, NULL, .hints = KEEPS },
    { ep_wallets, &doc_tags[WALLETS], &doc_skills[KEPT], 200, &schema_wallets,
      "Addresses of all wallets, oldest first, up to 100 a page. Executions use the oldest unless they name another.",
      NULL, NULL, NULL },
    { ep_policy_create, &doc_tags[WALLETS], &doc_skills[KEPT], 200, &schema_policy_created,
      "In force when this returns. All policies of a wallet must allow a swap, or POST /swap/execute refuses it with POLICY_VIOLATION and a hint; what cannot be valued is refused. Limits count what is given, on all chains together, since the policy exists; fees do not count. A policy is never changed: add another one and delete the former. Next: POST /swap/simulate shows what they say.",
      ERRORS{ &E_WALLET_NOT_FOUND, &E_QUOTA_POLICIES, &E_STOPPED, NULL }, NULL, NULL },
    { ep_policies, &doc_tags[WALLETS], &doc_skills[KEPT], 200, &schema_policies,
      "Everything that limits the agent's wallets, the operator's policies too. One that was deleted is shown with its `pending` end, and holds until then.",
      NULL, NULL, NULL },
    { ep_policy_delete, &doc_tags[WALLETS], &doc_skills[KEPT], 200, &schema_policy_deleted,
      "Loosening takes 24 hours, so that a stolen key does not get around the limits; the operator can end a policy at once.",
      ERRORS{ &E_POLICY_NOT_FOUND, &E_POLICY_OPERATOR, &E_STOPPED, &E_QUOTA_AUDIT, NULL }, NULL, &policy_id },
    { ep_portfolio, &doc_tags[WALLETS], &doc_skills[KEPT], 200, &schema_portfolio,
      "Native coins and listed tokens with exact amounts; a chain that could not be read is named, never shown as zero.",
      ERRORS{ &E_CHAIN_UNKNOWN, &E_WALLET_ADDRESS, &E_PORTFOLIO_SIZE, &E_WALLET_NOT_YOURS, NULL }, NULL, NULL, .hints = OUTSIDE },
    { ep_quote, &doc_tags[QUOTES], &doc_skills[QUOTE], 200, &schema_quote,
      "The best offer of all sources, net of gas, kept for 60 seconds under `quote_id`. Next: POST /swap/execute with a managed wallet, or POST /swap to sign yourself. Quoting costs nothing. A `price_impact` above 0.05 (or what the operator has set) is quoted, but neither built nor executed without `max_price_impact`, here or there.",
      ERRORS{ QUOTE_ERRORS, NULL }, NULL, NULL, .hints = READS | OUTSIDE },
    { ep_swap, &doc_tags[QUOTES], &doc_skills[BUILD], 200, &schema_unsigned_swap,
      "For agents that hold their own key: with `quote_id`, or directly with `from_token`, `to_token` and `amount`. Nothing is executed and the quote stays usable. Next: sign and send the `approvals`, then the `transaction`.",
      ERRORS{ &E_SWAP_MODE, &E_QUOTE_EXPIRED_BUILD, &E_QUOTE_INVALID, &E_BALANCE, &E_GAS, &E_PRICE_MOVED, &E_PRICE_IMPACT,
              &E_WOULD_REVERT, QUOTE_ERRORS, NULL }, NULL, NULL, .hints = READS | OUTSIDE },
    { ep_swap_execute, &doc_tags[SWAPS], &doc_skills[EXECUTE], 200, &schema_executed,
      "Moves money. The quote is tried on the chain, signed and sent; it becomes at most one swap, however often this is called. A refusal costs nothing. Next: GET /swap/status/{swapId} until `completed` or `failed`, or wait for the webhook. Where a policy wants the operator's approval the answer is 202 with an `approval_id`: send that instead of `quote_id` once it is granted (GET /approvals). The swap is quoted anew then, never for less than the first quote's minimum.",
      ERRORS{ &E_QUOTE_EXPIRED_EXECUTE, &E_QUOTE_NOT_FOUND, &E_WALLET_NOT_FOUND, &E_BALANCE, &E_GAS,
              &E_PRICE_MOVED, &E_PRICE_IMPACT, &E_WOULD_REVERT, &E_PAUSED, &E_OPERATOR_LIMIT, &E_UPSTREAM, &E_QUOTE_ID_REQUIRED, &E_POLICY, &E_APPROVAL_COUNT,
              &E_APPROVAL_NOT_FOUND, &E_APPROVAL_DENIED, &E_APPROVAL_EXPIRED, &E_NO_LIQUIDITY, NULL },
      NULL, NULL, .accepted = &schema_awaits, .hints = OUTSIDE },
    { ep_swap_simulate, &doc_tags[QUOTES], &doc_skills[QUOTE], 200, &schema_simulation,
      "Every check of execution, with nothing signed and nothing consumed: see a refusal before it happens. Next: POST /swap/execute with the quote_id.",
      ERRORS{ &E_SWAP_MODE, &E_QUOTE_EXPIRED_EXECUTE, &E_QUOTE_NOT_FOUND, &E_WALLET_NOT_FOUND, QUOTE_ERRORS,
              NULL }, NULL, NULL, .hints = READS | OUTSIDE },
    { ep_execute, &doc_tags[COMMANDS], &doc_skills[COMMAND], 200, &schema_command,
      "Moves money where it says so. The whole sentence must be understood in exactly one way; whatever is missing, vague, conditional or not said to this service is refused with a `hint`, and nothing happens. `parsed` is what was understood, `result` the answer of the operation behind it; with `dry_run` a trade is only priced. Errors of a command that was understood are those of its operation.",
      ERRORS{ &E_COMMAND, &E_COMMAND_LENGTH, &E_LIMIT, &E_AMOUNT, &E_SLIPPAGE, &E_QUOTE_EXPIRED_EXECUTE, &E_QUOTE_NOT_FOUND,
              &E_WALLET_NOT_FOUND, &E_SWAP_NOT_FOUND, &E_BALANCE, &E_GAS, &E_PRICE_MOVED, &E_PRICE_IMPACT,
              &E_WOULD_REVERT, &E_PAUSED, &E_POLICY, &E_APPROVAL_COUNT, &E_OPERATOR_LIMIT, &E_NOT_CONFIGURED,
              &E_SWAP_EXECUTION, &E_WALLET_CREATION, QUOTE_ERRORS, NULL }, NULL, NULL,
      .accepted = &schema_command, .hints = OUTSIDE },
    { ep_swap_status, &doc_tags[SWAPS], &doc_skills[STATUS], 200, &schema_swap_status,
      "One swap with all its transactions. Ask again every second or two until `completed` or `failed`.",
      ERRORS{ &E_SWAP_NOT_FOUND, NULL }, NULL, &swap_id },
    { ep_swaps, &doc_tags[SWAPS], &doc_skills[STATUS], 200, &schema_swaps,
      "The agent's swaps, newest first, with the total that the filter matches. `processing` is listed as `pending`.",
      NULL, NULL, NULL },
    { ep_approvals, &doc_tags[SWAPS], &doc_skills[STATUS], 200, &schema_approvals,
      "Newest first: for an answer 202 that was lost. Next: POST /swap/execute with the id of one `granted`.",
      NULL, NULL, NULL },
    { ep_approval, &doc_tags[SWAPS], &doc_skills[STATUS], 200, &schema_approval,
      "Whether the operator has decided. Once `granted`, POST /swap/execute takes it.",
      ERRORS{ &E_APPROVAL_NOT_FOUND, NULL }, NULL, &approval_id },
    { ep_webhooks, &doc_tags[WEBHOOKS], &doc_skills[DELIVERIES], 200, &schema_webhooks,
      "Every event with the state of its delivery, newest first: look here when a webhook did not arrive.",
      NULL, NULL, NULL },
    { ep_webhook_test, &doc_tags[WEBHOOKS], &doc_skills[DELIVERIES], 200, &schema_webhook_tested,
      "Sends a webhook.test event within the call; success says whether the receiver took it.",
      ERRORS{ &E_NO_CALLBACK, NULL }, NULL, NULL, .hints = KEEPS | OUTSIDE },
    { ep_webhook_secret, &doc_tags[WEBHOOKS], NULL, 200, &schema_webhook_secret,
      "For a secret that was lost or leaked. For a day deliveries carry both signatures.",
      ERRORS{ &E_STOPPED, NULL }, NULL, NULL },
    { ep_webhook_redeliver, &doc_tags[WEBHOOKS], &doc_skills[DELIVERIES], 200, &schema_redelivered,
      "Sends the same event again, to the present callback_url, with its id unchanged.",
      ERRORS{ &E_EVENT_NOT_FOUND, &E_NO_CALLBACK, NULL }, NULL, &event_id, .hints = KEEPS | OUTSIDE },
};
/* clang-format on */
const size_t endpoint_docs_count = sizeof endpoint_docs / sizeof endpoint_docs[0];

const struct endpoint_doc *endpoint_doc(const struct endpoint *ep)
{
    for (size_t i = 0; i < endpoint_docs_count; i++)
        if (endpoint_docs[i].handler == ep->handler)
            return &endpoint_docs[i];
    return NULL;
}

const char *endpoint_method_key(const struct endpoint *ep)
{
    return ep->method == GET ? "get" : ep->method == POST ? "post" : ep->method == PATCH ? "patch" : "delete";
}
