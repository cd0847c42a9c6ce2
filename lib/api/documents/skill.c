/* skill.md, in the form of Agent Skills (agentskills.io/specification: front matter of YAML with `name` of at
 * most 64 lower-case letters, digits and hyphens and `description` of at most 1024 characters, then Markdown
 * of fewer than 5,000 tokens): a task for each market, its calls in their order. */
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "api/documents/documents.h"
#include "api/documents/llms_calls.h"
#include "api/documents/offered.h"
#include "api/endpoint/endpoint.h"
#include "base/buf.h"
#include "route/route.h"

enum { SKILL_MAX = 64 * 1024 };

/* A template: "@" stands for the gateway's address. */
static const char CALLS[] =
    "## How to call\n\n"
    "Each step below names a tool and its arguments. Call it in one of these ways:\n\n"
    "- MCP (streamable HTTP): the tool at @/mcp\n"
    "- REST: the method and path below @" V1
    "; arguments are the JSON body, or for GET the query string; those in braces belong to the path\n"
    "- Shell: `gw call TOOL NAME=VALUE ...`, where the command gw is installed\n\n"
    "All but register_agent and public lists want the header `Authorization: Bearer <API_KEY>`. Replace what stands in angle brackets by what an earlier step answered. Arguments behind \"also\" are optional; @/llms.txt links to what each means.\n\n";

static const char RULES[] =
    "## Rules\n\n"
    "- Amounts are decimal strings in human units (\"1.5\"), never smallest units.\n"
    "- Steps marked **moves money** are final. Show your user the terms first, unless the order was explicit.\n"
    "- Give each of them an idempotency key of its own (header `Idempotency-Key`; over MCP the argument `idempotency_key`). After a lost answer repeat the same call with the same key: it is done once.\n"
    "- Never show the API key, and never put it into a URL.\n"
    "- An error has `error`, `error_code`, `fields` and `hint`; do what `hint` says. On 429 and 503 wait for `Retry-After` seconds.\n"
    "- An answer with status 202 and `approval_id` waits for the operator: poll get_approval, then repeat the step with `approval_id` alone.\n"
    "- Poll every second or two until `status` is `completed` or `failed`; a failed one says why and what became of the money.\n\n";

struct step {
    const char *tool;
    const char *arguments; /* JSON with an example for all that is required; NULL: none */
    const char *note;
};

#define STEPS (const struct step[])

static const struct task {
    const char *title, *about;
    const struct step *steps; /* ending without a tool; NULL: none */
    enum toolset_id set;      /* whose section has the rest of its calls; 0: none */
    enum doc_skill_id skill;  /* whose sentences are examples; 0: none */
    enum { ALWAYS, WITH_BRIDGES, WITH_SOLANA } when;
} tasks[] = {
    { "Begin", "Once.",
      STEPS{
          { "register_agent", "{\"name\":\"my-agent\"}", "keep `agent.api_key`: it is shown once" },
          { "add_withdrawal_address", "{\"address\":\"<YOUR_ADDRESS>\",\"label\":\"cold\"}",
            "an address of your user's own, before the first wallet; one that is added later waits a day" },
          { "create_wallet", NULL,
            "have funds and some of the chain's coin sent to `wallet.address`, which is the same on all EVM chains" },
          { "get_portfolio", NULL, "what all wallets have and owe, in dollars" },
          { NULL } },
      TOOLSET_WALLETS, SKILL_WALLETS, ALWAYS },
    { "Look up", "",
      STEPS{ { "get_prices", "{\"symbols\":\"ETH,USDC\"}", "dollar prices" },
             { "get_tokens", "{\"chain\":\"base\"}", "symbols and addresses; both are accepted for a token" },
             { "get_chains", NULL, "names of chains, and what is traded on each" },
             { NULL } },
      TOOLSET_DISCOVERY, SKILL_TOKENS, ALWAYS },
    { "Swap", "",
      STEPS{ { "get_quote",
               "{\"from_token\":\"ETH\",\"to_token\":\"USDC\",\"amount\":\"1.5\",\"chain\":\"base\"}",
               "a price for 60 seconds; keep `quote_id`" },
             { "execute_swap", "{\"quote_id\":\"<QUOTE_ID>\"}", "**moves money**; keep `swap_id`" },
             { "get_swap_status", "{\"swapId\":\"<SWAP_ID>\"}", "until it is final" },
             { NULL } },
      TOOLSET_TRADE, SKILL_EXECUTE, ALWAYS },
    { "Bridge", "As a swap, with both chains in the quote; it takes `estimated_time_seconds`.",
      STEPS{
          { "get_quote",
            "{\"from_token\":\"USDC\",\"to_token\":\"USDC\",\"amount\":\"100\",\"from_chain\":\"ethereum\",\"to_chain\":\"base\"}",
            "then as above" },
          { NULL } },
      0, 0, WITH_BRIDGES },
    { "Solana", "Needs a wallet of its own and SOL; then as a swap with `\"chain\":\"solana\"`.",
      STEPS{ { "create_wallet", "{\"chain_type\":\"solana\"}", "" }, { NULL } }, 0, 0, WITH_SOLANA },
    { "Swap with a key of your own", "The gateway prices and builds, your user signs.",
      STEPS{
          { "build_swap",
            "{\"wallet_address\":\"<YOUR_ADDRESS>\",\"from_token\":\"ETH\",\"to_token\":\"USDC\",\"amount\":\"1.5\",\"chain\":\"base\"}",
            "sign and send `approvals`, then `transaction`" },
          { NULL } },
      0, 0, ALWAYS },
    { "Prediction markets",
      "Shares pay 1 dollar if their outcome wins. Collateral is USDC.e of the wallet on polygon, which needs some POL.",
      STEPS{
          { "search_prediction_markets", "{\"query\":\"bitcoin\"}",
            "keep the `id` of a market and the `tokenId` of an outcome" },
          { "deposit_prediction", "{\"amount\":\"100\"}", "**moves money**; keep `transfer.id`" },
          { "get_prediction_transfer", "{\"id\":\"<TRANSFER_ID>\"}", "until it is final" },
          { "quote_prediction", "{\"tokenId\":\"<TOKEN_ID>\",\"side\":\"BUY\",\"size\":\"20\"}",
            "what the book gives" },
          { "place_prediction_order",
            "{\"tokenId\":\"<TOKEN_ID>\",\"side\":\"BUY\",\"price\":0.4,\"size\":20}",
            "**moves money**; keep `order.id`" },
          { "get_prediction_order", "{\"id\":\"<ORDER_ID>\"}", "what is filled" },
          { "cancel_prediction_order", "{\"id\":\"<ORDER_ID>\"}", "takes back the rest" },
          { "list_prediction_positions", NULL, "what is held" },
          { "redeem_prediction", "{\"market\":\"<MARKET_ID>\"}", "**moves money**: pays out what has won" },
          { "withdraw_prediction", "{\"amount\":\"max\"}", "**moves money** back to the wallet" },
          { NULL } },
      TOOLSET_PREDICT, SKILL_PREDICTION_TRADING, ALWAYS },
    { "Lending", "A health factor below 1 is liquidated: rehearse before borrowing, and watch it.",
      STEPS{ { "get_lending_markets", "{\"asset\":\"USDC\"}", "rates; keep the `id` of a market" },
             { "supply_lending", "{\"market\":\"<MARKET_ID>\",\"amount\":\"500\"}",
               "**moves money**; keep `operation.id`" },
             { "get_lending_operation", "{\"id\":\"<OPERATION_ID>\"}", "until it is final, after each" },
             { "simulate_lending", "{\"type\":\"borrow\",\"market\":\"<MARKET_ID>\",\"amount\":\"200\"}",
               "the health factor afterwards" },
             { "borrow_lending", "{\"market\":\"<MARKET_ID>\",\"amount\":\"200\"}", "**moves money**" },
             { "get_lending_positions", NULL, "supplies, debts, health factor" },
             { "repay_lending", "{\"market\":\"<MARKET_ID>\",\"amount\":\"max\"}", "**moves money**" },
             { "withdraw_lending", "{\"market\":\"<MARKET_ID>\",\"amount\":\"max\"}", "**moves money**" },
             { NULL } },
      TOOLSET_LEND, SKILL_LENDING, ALWAYS },
    { "Perpetuals", "Margin is USDC of the wallet on arbitrum; a leveraged position can lose all of it.",
      STEPS{ { "get_perps_markets", NULL, "prices, funding, `maxLeverage`" },
             { "deposit_perps", "{\"amount\":\"1000\"}", "**moves money**; keep `transfer.id`" },
             { "get_perps_transfer", "{\"id\":\"<TRANSFER_ID>\"}", "until it is final" },
             { "quote_perps",
               "{\"market\":\"ETH-USD\",\"side\":\"long\",\"size\":\"0.5\",\"leverage\":\"5\"}",
               "cost, and the price of liquidation" },
             { "place_perps_order",
               "{\"market\":\"ETH-USD\",\"side\":\"long\",\"size\":\"0.5\",\"leverage\":\"5\"}",
               "**moves money**; keep `order.id`" },
             { "get_perps_order", "{\"id\":\"<ORDER_ID>\"}", "what is filled" },
             { "cancel_perps_order", "{\"id\":\"<ORDER_ID>\"}", "takes back the rest" },
             { "list_perps_positions", NULL, "worth, profit and loss" },
             { "close_perps_position", "{\"market\":\"ETH-USD\"}", "**moves money**: all, or `size` of it" },
             { "withdraw_perps", "{\"amount\":\"max\"}", "**moves money** back to the wallet" },
             { NULL } },
      TOOLSET_PERPS, SKILL_PERPS, ALWAYS },
    { "Withdraw", "To an address that was added before, and to no other.",
      STEPS{ { "list_withdrawal_addresses", NULL, "keep the `id` of an active one" },
             { "withdraw",
               "{\"token\":\"USDC\",\"amount\":\"100\",\"chain\":\"base\",\"address_id\":<ADDRESS_ID>}",
               "**moves money**; keep `withdrawal.id`" },
             { "get_withdrawal", "{\"id\":\"<WITHDRAWAL_ID>\"}", "until it is final" },
             { NULL } },
      TOOLSET_WALLETS, SKILL_WITHDRAWALS, ALWAYS },
    { "Say it",
      "What your user ordered in one plain sentence; what is not understood is refused, not guessed.",
      STEPS{ { "execute_command", "{\"command\":\"swap 1 ETH to USDC on base\"}",
               "**moves money** where it says so; with `dry_run` it only prices" },
             { NULL } },
      0, SKILL_PLAIN_ENGLISH, ALWAYS },
};

/* The task that has the tool first; its parameters are listed there. */
static bool is_first(const struct task *task, const struct step *step)
{
    for (const struct task *t = tasks; t < task; t++)
        for (const struct step *s = t->steps; s->tool != NULL; s++)
            if (strcmp(s->tool, step->tool) == 0)
                return false;
    return true;
}

/* Names of parameters that the example has not. */
static void add_others(struct buf *out, const struct endpoint *ep, const char *arguments)
{
    const char *mark = "; also ";

    for (const struct param *p = ep->params; p != NULL && p->name != NULL; p++) {
        char name[64];

        (void)snprintf(name, sizeof name, "\"%s\":", p->name);
        if (arguments != NULL && strstr(arguments, name) != NULL)
            continue;
        buf_addf(out, "%s%s", mark, p->name);
        mark = ", ";
    }
}

static void add_step(struct buf *out, const struct task *task, const struct step *step, size_t number)
{
    const struct endpoint *ep = endpoints_find_tool(step->tool);

    buf_addf(out, "%zu. %s (%s %s)", number, ep->tool, method_text(ep->method), ep->path + strlen(V1));
    if (step->arguments != NULL)
        buf_addf(out, " `%s`", step->arguments);
    buf_addf(out, "%s%s", *step->note != '\0' ? ": " : "", step->note);
    if (is_first(task, step))
        add_others(out, ep, step->arguments);
    buf_adds(out, "\n");
}

/* Those that this server understands and can do. */
static void add_sentences(struct buf *out, enum doc_skill_id skill, const struct ctx *ctx)
{
    const char *mark = "In words: ";

    for (const char *const *text = doc_skills[skill].examples; *text != NULL; text++)
        if (offered_command(ctx, *text)) {
            buf_addf(out, "%s\"%s\"", mark, *text);
            mark = ", ";
        }
    buf_adds(out, *mark == ',' ? ".\n" : "");
}

static bool is_offered(const struct task *task, const struct ctx *ctx)
{
    return task->when == WITH_BRIDGES  ? offered_bridge(ctx)
           : task->when == WITH_SOLANA ? offered_command(ctx, "create a solana wallet")
                                       : true;
}

static void add_task(struct buf *out, const struct task *task, const char *base_url, const struct ctx *ctx)
{
    size_t number = 1;

    buf_addf(out, "## %s\n\n%s%s", task->title, task->about, *task->about != '\0' ? "\n\n" : "");
    for (const struct step *s = task->steps; s->tool != NULL; s++)
        add_step(out, task, s, number++);
    buf_adds(out, "\n");
    if (task->skill != 0)
        add_sentences(out, task->skill, ctx);
    if (task->set != 0)
        buf_addf(out, "All of its calls: %s/llms/%s.txt\n", base_url, doc_toolsets[task->set].name);
    buf_adds(out, task->skill != 0 || task->set != 0 ? "\n" : "");
}

char *skill_write(struct arena *a, const char *base_url, const struct ctx *ctx)
{
    struct buf out = BUF_INIT(SKILL_MAX);
    char *text;

    buf_addf(
        &out,
        "---\n"
        "name: " GATEWAY_ID "\n"
        "description: \"Trades on chains through the Agent DeFi Gateway: prices, swaps, bridges, lending, perpetual futures, prediction markets, wallets, portfolios and withdrawals. Use it when the user wants to look up a price, swap, send to another chain, lend, borrow, bet on an event, open a leveraged position, see balances or withdraw.\"\n"
        "metadata:\n"
        "  version: \"" GATEWAY_VERSION "\"\n"
        "---\n\n"
        "# " GATEWAY_NAME "\n\n" GATEWAY_ABOUT "\n\n");
    llms_add_template(&out, CALLS, base_url);
    buf_adds(&out, RULES);
    buf_addf(&out, "Chains that are traded: %s. `ethereum` where none is named.\n\n", route_served(ctx, a));
    for (size_t i = 0; i < sizeof tasks / sizeof tasks[0]; i++)
        if (is_offered(&tasks[i], ctx))
            add_task(&out, &tasks[i], base_url, ctx);
    text = arena_strdup(a, buf_text(&out));
    buf_free(&out);
    return text;
}
