/* llms.txt: what a model with little room needs for the main jobs, and where the rest is. */
#include <string.h>

#include "api/documents/documents.h"
#include "api/documents/llms_calls.h"
#include "api/documents/offered.h"
#include "api/endpoint/endpoint.h"
#include "base/buf.h"
#include "route/route.h"

enum { LLMS_MAX = 64 * 1024 };

static const char AUTHENTICATION[] =
    "All calls but those marked \"no key\" carry the header `Authorization: Bearer <API_KEY>`. POST /register gives the key, once. Bodies and answers are JSON. Amounts are decimal strings in human units, never in smallest units.\n\n";

/* A template: "@" stands for the API's address. */
static const char JOBS[] =
    "## Swap\n\n"
    "```sh\n"
    "API=@ KEY='Authorization: Bearer <API_KEY>' JSON='Content-Type: application/json'\n"
    "# 1. Register; keep agent.api_key of the answer\n"
    "curl -X POST $API/register -H \"$JSON\" -d '{\"name\":\"my-agent\"}'\n"
    "# 2. Before the first wallet: an address of your own, to which money can be withdrawn; keep withdrawal_address.id\n"
    "curl -X POST $API/withdrawal-addresses -H \"$KEY\" -H \"$JSON\" \\\n"
    "  -d '{\"address\":\"<YOUR_ADDRESS>\",\"label\":\"cold\"}'\n"
    "# 3. A wallet whose key the gateway keeps; send funds and some of the chain's coin to wallet.address\n"
    "curl -X POST $API/wallets -H \"$KEY\"\n"
    "# 4. A price, good for 60 seconds; keep quote_id\n"
    "curl -X POST $API/quote -H \"$KEY\" -H \"$JSON\" \\\n"
    "  -d '{\"from_token\":\"ETH\",\"to_token\":\"USDC\",\"amount\":\"1.5\",\"chain\":\"base\"}'\n"
    "# 5. Take it; keep swap_id\n"
    "curl -X POST $API/swap/execute -H \"$KEY\" -H \"$JSON\" -d '{\"quote_id\":\"<QUOTE_ID>\",\"wait\":30}'\n"
    "# 6. Unless status is completed or failed by then\n"
    "curl $API/swap/status/<SWAP_ID>?wait=30 -H \"$KEY\"\n"
    "```\n\n";

/* "@" stands for the chains that are traded. */
static const char CHAINS[] =
    "Chains: `ethereum` where none is named. Traded are @; what else GET /chains lists is known, but not traded here yet. One EVM wallet has the same address on all EVM chains, and needs funds on each.\n\n";

static const char BRIDGES[] =
    "## Bridge\n\n"
    "The same steps; the quote names both chains: `{\"from_token\":\"USDC\",\"to_token\":\"USDC\",\"amount\":\"100\",\"from_chain\":\"ethereum\",\"to_chain\":\"base\"}`. The swap is `processing` until its `bridge` has paid there, after about `estimated_time_seconds`. What cannot be paid comes back: `failed`, `BRIDGE_REFUNDED`.\n\n";

static const char SOLANA[] =
    "## Solana\n\n"
    "A wallet of its own: POST /wallets `{\"chain_type\":\"solana\"}`, which needs SOL. Then the same steps with `\"chain\":\"solana\"`. Between Solana and other chains the agent's oldest wallet there is paid, or `to_wallet_address`.\n\n";

static const char WITHDRAWAL[] =
    "## Withdraw\n\n"
    "```sh\n"
    "curl -X POST $API/wallets/withdraw -H \"$KEY\" -H \"$JSON\" \\\n"
    "  -d '{\"token\":\"USDC\",\"amount\":\"100\",\"chain\":\"base\",\"address_id\":<ADDRESS_ID>,\"wait\":30}'\n"
    "# Unless status is completed or failed by then\n"
    "curl $API/withdrawals/<WITHDRAWAL_ID>?wait=30 -H \"$KEY\"\n"
    "```\n\n"
    "An address that was not added before the first wallet waits until its `active_at`, a day unless the operator says otherwise.\n\n";

static const char *const job_tools[] = {
    "register_agent", "get_chains",     "get_tokens",      "create_wallet",   "get_portfolio",
    "get_quote",      "execute_swap",   "get_swap_status", "execute_command", "add_withdrawal_address",
    "withdraw",       "get_withdrawal",
};

static const char MANNERS[] =
    "## Rules\n\n"
    "An error answers `{\"success\":false,\"error\":…,\"error_code\":…}`: `error` is for people, `error_code` for programs, `fields` names each faulty member, `hint` says what to do. A member or query parameter that a call does not know is refused; POST /register lists it in `ignored`. 404: not there, or not yours. 429 and 503: wait for `Retry-After` seconds. 500: try again with growing pauses.\n\n"
    "What begins something, and what shows its status, takes `wait` (seconds, up to 30): the answer comes when that has ended or the time is over, as the status call has it.\n\n"
    "Exactly once: an `Idempotency-Key` header (1 to 255 characters; over MCP and A2A the argument `idempotency_key`) on a call that creates or moves something, or cancels an order, gives its repeats the first success again, for 24 hours. After a lost answer repeat with the same key, with a fresh quote where the old one is over. Other terms are 422; 409 while the first still runs.\n\n"
    "Approvals: beyond an `approval_limit` what moves money answers 202 with an `approval_id`. Send that, alone or in place of `quote_id`, once the operator has granted it (GET /approvals).\n\n"
    "A trade that moves the price by more than `max_price_impact` (0.05) is refused. Lists have `limit` (1 to 100, 20 by default) and `offset`. Each agent has a number of requests a minute: `RateLimit` tells what remains. `Prefer: return=minimal` or `?compact=true` shortens answers. In a sandbox `contrib/sandbox/stack fund ADDRESS` puts coins and dollars into a wallet.\n\n";

static const char MCP_CALL[] =
    "```json\n"
    "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"get_prices\",\"arguments\":{\"symbols\":\"ETH\"}}}\n"
    "```\n\n";

/* The main jobs' calls with all that they take. */
static void add_job_calls(struct buf *out)
{
    buf_adds(out, "## Their calls\n\n* stands behind what is required, = before a default.\n\n");
    for (size_t i = 0; i < sizeof job_tools / sizeof job_tools[0]; i++)
        llms_add_call(out, endpoints_find_tool(job_tools[i]));
    buf_adds(out, "\n");
}

/* The tools of a section, by their names. */
static void add_tools(struct buf *out, enum toolset_id set)
{
    const char *mark = ". ";

    for (const struct endpoint *const *ep = endpoints_all(); *ep != NULL; ep++)
        if (endpoint_is_documented(*ep) && doc_tags[(*ep)->tag].toolset == set) {
            buf_addf(out, "%s%s", mark, (*ep)->tool);
            mark = ", ";
        }
    buf_adds(out, "\n");
}

static void add_sections(struct buf *out, const char *base_url)
{
    buf_adds(out, "## All calls\n\nEach section has its calls with path, parameters and answers:\n\n");
    for (size_t set = 1; set < TOOLSETS; set++) {
        buf_addf(out, "- [%s](%s/llms/%s.txt): %s", doc_toolsets[set].name, base_url, doc_toolsets[set].name,
                 doc_toolsets[set].about);
        add_tools(out, set);
    }
    buf_adds(out, "\n");
}

static void add_mcp(struct buf *out, const char *base_url)
{
    buf_addf(
        out,
        "## MCP\n\n"
        "POST %s/mcp speaks the Model Context Protocol (streamable HTTP, JSON answers), revisions 2024-11-05 to 2026-07-28, without sessions. Lists need no key, tools the same header. Each call above is a tool of that name, listed or not: `?toolsets=trade,perps` chooses the list, `more_tools` shows the rest.\n\n",
        base_url);
    buf_adds(out, MCP_CALL);
}

char *llms_write(struct arena *a, const char *base_url, const struct ctx *ctx)
{
    struct buf out = BUF_INIT(LLMS_MAX);
    char *text;

    buf_addf(&out, "# %s\n\n> %s\n\nAll paths below lie under %s" V1 ".\n\n", GATEWAY_NAME, GATEWAY_ABOUT,
             base_url);
    buf_adds(&out, AUTHENTICATION);
    llms_add_template(&out, JOBS, arena_printf(a, "%s" V1, base_url));
    llms_add_template(&out, CHAINS, route_served(ctx, a));
    if (offered_bridge(ctx))
        buf_adds(&out, BRIDGES);
    if (offered_command(ctx, "create a solana wallet"))
        buf_adds(&out, SOLANA);
    buf_adds(&out, WITHDRAWAL);
    add_job_calls(&out);
    buf_adds(&out, MANNERS);
    add_sections(&out, base_url);
    add_mcp(&out, base_url);
    buf_addf(
        &out,
        "## A2A\n\n"
        "POST %s/a2a speaks A2A 1.0 and 0.3: a message has one data part `{\"operation\":\"get_prices\",\"arguments\":{…}}`, or text in plain English. [More](%s/llms/a2a.txt).\n\n"
        "## Optional\n\n"
        "- [Everything in one text](%s/llms-full.txt): every parameter, answer and error, with examples\n"
        "- [OpenAPI 3.1](%s" V1
        "/openapi): the same for programs; `?operation=get_quote` or `?tags=Quotes` answers a part\n"
        "- [Skill](%s/skill.md): each market's task step by step, to install in an agent\n"
        "- [Agent card](%s/.well-known/agent-card.json): name and skills, for other agents\n",
        base_url, base_url, base_url, base_url, base_url, base_url);
    text = arena_strdup(a, buf_text(&out));
    buf_free(&out);
    return text;
}
