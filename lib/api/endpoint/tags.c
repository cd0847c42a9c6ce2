#include "api/endpoint/tags.h"

#include <stddef.h>

const struct doc_tag doc_tags[DOC_TAGS] = {
    [TAG_AGENTS] = { "Agents", "Registration and the agent's own profile", TOOLSET_ACCOUNT },
    [TAG_DISCOVERY] = { "Discovery", "What there is to trade, and how to talk to the gateway",
                        TOOLSET_DISCOVERY },
    [TAG_WALLETS] = { "Wallets", "Managed wallets: the gateway holds the key and signs", TOOLSET_WALLETS },
    [TAG_QUOTES] = { "Quotes", "Prices, and swaps for the caller to sign", TOOLSET_TRADE },
    [TAG_SWAPS] = { "Swaps", "Execution with a managed wallet, and what became of it", TOOLSET_TRADE },
    [TAG_PREDICTION] = { "Prediction markets", "Markets whose shares pay 1 when an event happens",
                         TOOLSET_PREDICT },
    [TAG_LENDING] = { "Lending", "Markets in which tokens are lent and borrowed, and what wallets do there",
                      TOOLSET_LEND },
    [TAG_PERPS] = { "Perpetuals", "Futures that never end: bets on a price with leverage", TOOLSET_PERPS },
    [TAG_COMMANDS] = { "Commands", "Plain English instead of parameters", TOOLSET_TRADE },
    [TAG_WEBHOOKS] = { "Webhooks", "Deliveries of events to the agent's callback_url", TOOLSET_WEBHOOKS },
    [TAG_OPERATOR_SERVICE] = { "Service", "How it stands, what it did, and what was changed", 0 },
    [TAG_OPERATOR_AGENTS] = { "Agents", "Who they are, what they may, and who is locked out", 0 },
    [TAG_OPERATOR_SWAPS] = { "Swaps", "What became of whose swap, and of the webhook about it", 0 },
    [TAG_OPERATOR_TRADING] = { "Trading", "What waits for the operator's word, and the kill switch", 0 },
};

const struct doc_toolset doc_toolsets[TOOLSETS] = {
    [TOOLSET_ACCOUNT] = { "account", "registration, key, profile, deactivation, limits" },
    [TOOLSET_DISCOVERY] = { "discovery", "chains, tokens, prices, documents" },
    [TOOLSET_WALLETS] = { "wallets", "wallets, portfolio, policies, withdrawals and their addresses" },
    [TOOLSET_TRADE] = { "trade", "quotes, swaps on one chain and between chains, approvals, plain English" },
    [TOOLSET_PREDICT] = { "predict", "prediction markets: search, books, deposits, orders, positions" },
    [TOOLSET_LEND] = { "lend", "lending: markets, supply, borrow, repay, positions" },
    [TOOLSET_PERPS] = { "perps", "perpetual futures: markets, deposits, orders, positions" },
    [TOOLSET_WEBHOOKS] = { "webhooks", "events, signatures, deliveries" },
};

#define WORDS (const char *const[])

const struct doc_skill doc_skills[DOC_SKILLS] = {
    [SKILL_QUOTE] = { "swap-quote", "Swap quote", WORDS{ "defi", "swap", "quote", NULL },
                      WORDS{ "Quote 1 ETH to USDC on base", "What do I get for 500 USDC in WETH?", NULL } },
    [SKILL_EXECUTE] = { "swap-execute", "Swap execution", WORDS{ "defi", "swap", "execute", NULL },
                        WORDS{ "Swap 0.5 ETH to USDC on base", NULL } },
    [SKILL_BUILD] = { "swap-build", "Unsigned swap", WORDS{ "defi", "swap", "transaction", NULL },
                      WORDS{ NULL } },
    [SKILL_PLAIN_ENGLISH] = { "plain-english", "Commands in plain English",
                              WORDS{ "defi", "swap", "command", NULL },
                              WORDS{ "Sell half of my ETH for USDC", "How much USDC do I have on base?",
                                     NULL } },
    [SKILL_STATUS] = { "swap-status", "Swap status and history", WORDS{ "defi", "swap", "status", NULL },
                       WORDS{ "Has swap 42 completed?", "List my last swaps", NULL } },
    [SKILL_PREDICTION] = { "prediction-markets", "Prediction markets",
                           WORDS{ "prediction", "market", "odds", NULL },
                           WORDS{ "Show prediction markets about bitcoin", NULL } },
    [SKILL_PREDICTION_TRADING] = { "prediction-trading", "Prediction trading",
                                   WORDS{ "prediction", "market", "order", NULL },
                                   WORDS{ "Buy 10 YES of market 512347 at 0.40", "Show my orders",
                                          "What are my positions?", NULL } },
    [SKILL_LENDING] = { "lending", "Lending", WORDS{ "defi", "lending", "yield", NULL },
                        WORDS{ "Best rate for USDC", "Lend 500 USDC to aave",
                               "Borrow 200 USDC against my ETH", "What is my health factor?", NULL } },
    [SKILL_PERPS] = { "perpetuals", "Perpetual futures", WORDS{ "defi", "perpetuals", "leverage", NULL },
                      WORDS{ "Funding rate of SOL", "Long 0.5 ETH at 5x", "Close my ETH position",
                             "Show my perps positions", NULL } },
    [SKILL_WALLETS] = { "wallets", "Managed wallets", WORDS{ "defi", "wallet", NULL },
                        WORDS{ "Create a wallet", NULL } },
    [SKILL_WITHDRAWALS] = { "withdrawals", "Withdrawals", WORDS{ "wallet", "withdraw", NULL },
                            WORDS{ "Withdraw 100 USDC on base to cold", NULL } },
    [SKILL_TOKENS] = { "tokens-and-chains", "Tokens and chains", WORDS{ "defi", "token", "chain", NULL },
                       WORDS{ "Which chains are there?", "List the tokens on base", NULL } },
    [SKILL_PROFILE] = { "profile", "Agent profile", WORDS{ "agent", "profile", NULL }, WORDS{ NULL } },
    [SKILL_WEBHOOKS] = { "webhooks", "Webhook deliveries", WORDS{ "agent", "webhook", NULL }, WORDS{ NULL } },
};
