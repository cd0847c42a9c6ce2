/* llms.txt: the API as text for language models, from the same rows as everything else. */
#include <string.h>

#include "api/documents/documents.h"
#include "api/documents/offered.h"
#include "api/endpoint/endpoint.h"
#include "base/buf.h"
#include "route/route.h"

enum { LLMS_MAX = 64 * 1024 };

static const char AUTHENTICATION[] =
    "All calls but those marked \"no key\" carry the header `Authorization: Bearer <API_KEY>`. POST /register gives the key, once. Bodies and answers are JSON. Amounts are decimal strings in human units, never in smallest units; the price and the size of an order may be numbers.\n\n";

/* A template: "@" stands for the API's address. */
static const char FIRST_SWAP[] =
    "A first swap, step by step:\n\n"
    "```sh\n"
    "KEY='Authorization: Bearer <API_KEY>' JSON='Content-Type: application/json'\n"
    "# 1. Register; keep agent.api_key of the answer\n"
    "curl -X POST @/register -H \"$JSON\" -d '{\"name\":\"my-agent\"}'\n"
    "# 2. See what there is to trade\n"
    "curl @/chains\n"
    "# 3. A wallet whose key the gateway keeps; send funds and some of the chain's coin to wallet.address\n"
    "curl -X POST @/wallets -H \"$KEY\"\n"
    "# 4. A price, good for 60 seconds; keep quote_id\n"
    "curl -X POST @/quote -H \"$KEY\" -H \"$JSON\" \\\n"
    "  -d '{\"from_token\":\"ETH\",\"to_token\":\"USDC\",\"amount\":\"1.5\",\"chain\":\"base\"}'\n"
    "# 5. Take it; keep swap_id\n"
    "curl -X POST @/swap/execute -H \"$KEY\" -H \"$JSON\" \\\n"
    "  -d '{\"quote_id\":\"<QUOTE_ID>\"}'\n"
    "# 6. Ask until status is completed or failed\n"
    "curl @/swap/status/<SWAP_ID> -H \"$KEY\"\n"
    "```\n\n"
    "A first order on a prediction market, for a wallet with USDC.e and some POL on polygon:\n\n"
    "```sh\n"
    "# 1. Choose a market and an outcome; keep its tokenId\n"
    "curl '@/predict/markets?query=bitcoin' -H \"$KEY\"\n"
    "# 2. Deposit what you bet with; ask until status is completed\n"
    "curl -X POST @/predict/deposit -H \"$KEY\" -H \"$JSON\" \\\n"
    "  -d '{\"amount\":\"100\"}'\n"
    "curl @/predict/transfer/<TRANSFER_ID> -H \"$KEY\"\n"
    "# 3. Offer 0.40 dollars each for 20 shares; keep order.id\n"
    "curl -X POST @/predict/order -H \"$KEY\" -H \"$JSON\" \\\n"
    "  -d '{\"tokenId\":\"<TOKEN_ID>\",\"side\":\"BUY\",\"price\":0.4,\"size\":20}'\n"
    "# 4. See what is filled; take back the rest\n"
    "curl @/predict/order/<ORDER_ID> -H \"$KEY\"\n"
    "curl -X DELETE @/predict/order/<ORDER_ID> -H \"$KEY\"\n"
    "```\n\n"
    "Where the operator has not switched this on, steps 2 to 4 answer 400 `NOT_CONFIGURED`. POST /predict/withdraw brings home what is left. A share pays 1 dollar if its outcome wins: POST /predict/redeem pays out.\n\n";

static const char MANNERS[] =
    "An error answers `{\"success\":false,\"error\":…,\"error_code\":…}`: `error` is for people, `error_code` for programs, `fields` names each faulty member, `hint` says what to do. A member or query parameter that a call does not know is refused, never dropped, with the nearest name and the list of those that it takes; only POST /register ignores it, and lists it in `ignored`. 400: correct the request. 401: check the key. 404: not there, or not yours. 429 and 503: wait for `Retry-After` seconds. 500: try again with growing pauses.\n\n"
    "Webhooks: set `callback_url` (https) with PATCH /me and keep the `webhook_secret` of that answer. `swap.completed` and `swap.failed` are then posted there as `{\"type\",\"timestamp\",\"data\"}`, signed as Standard Webhooks: `webhook-signature` is `v1,` and the base64 of HMAC-SHA256 over `<webhook-id>.<webhook-timestamp>.<body>`. Answer 2xx; deliveries repeat for two days, so deduplicate by `swap_id` and `type`, others by `webhook-id`. `corrected` in the data takes back what was told before. Others: `order.filled`, `order.partially_filled`, `order.cancelled`, `order.rejected` (`settled` is false until the chain has confirmed a match), `predict.transfer.completed` and `.failed`, `withdrawal.completed` and `.failed`, `lend.completed` and `.failed`, `lend.health.low`, `lend.liquidated`, `perps.order.filled`, `.partially_filled`, `.cancelled` and `.rejected`, `perps.position.liquidated`, `perps.transfer.completed` and `.failed`. Security events, which former callbacks get too: `withdrawal_address.added` and `.removed`, `policy.added` and `.ending`, `key.rotated`, `callback.changed`, `webhook_secret.renewed`, `agent.deactivated`, `.reactivated` and `.deleted`.\n\n"
    "Exactly once: an `Idempotency-Key` header (1 to 255 characters; over MCP and A2A the argument `idempotency_key`) on a call that creates or moves something, or cancels an order, gives its repeats the first success again, for 24 hours. After a lost answer repeat with the same key, with a fresh quote where the old one is over: the same terms are the same request. Other terms are 422 with the id of what the key stands for; 409 while the first still runs. A 202 goes on under its key.\n\n"
    "Limits: a quote lives 60 seconds; slippage is 0 to 1, 0.03 by default; a trade that moves the price by more than `max_price_impact` (0.05) is refused; pages have 1 to 100 items, 20 by default; bodies have at most 64 KB. Requests are limited per agent and minute by its tier (`standard` 120, `premium` 600): `RateLimit` tells what remains. What is stored is limited too, of a `standard` agent to 100 wallets, 50 policies, 100 push configs, 1000 ended webhooks, 8 MB each of tasks and of recorded answers, 16 KB a message; beyond it: 400 `QUOTA_EXCEEDED`, whose `hint` says what makes room.\n\n"
    "Approvals: beyond an `approval_limit` what moves money answers 202 with an `approval_id`. Send that, alone or in place of `quote_id`, once the operator has granted it (GET /approvals).\n\n";

/* "@" stands for the chains that are traded. */
static const char CHAINS[] =
    "Chains: `ethereum` where none is named. Traded are @; what else GET /chains lists is known, but not traded here yet. One EVM wallet has the same address on all EVM chains, and needs funds on each.\n\n"
    "Sandbox: where the operator runs the local chains, `contrib/sandbox/stack fund ADDRESS` puts coins and dollars into a wallet; so does `anvil_setBalance` of the chain's own JSON-RPC, on port 8545 (ethereum), 8546 (base) or 8547 (polygon).\n\n";

static const char BRIDGES[] =
    "Between chains: name `from_chain` and `to_chain` in place of `chain`. The quote's `bridge` pays on the other one after about `estimated_time_seconds`; until then the swap is `processing`, and GET /portfolio lists it as `in_transit`. What cannot be paid comes back: `failed`, `BRIDGE_REFUNDED`.\n\n";

/* A template: "@" stands for the gateway's address. */
static const char A2A[] =
    "## A2A\n\n"
    "POST @/a2a speaks A2A 1.0 (`SendMessage`, `GetTask`, `ListTasks`, `CancelTask`, push notification configs) and 0.3 (`message/send`, `tasks/get` …) as JSON-RPC 2.0, with the same key. A message has one data part `{\"operation\":…,\"arguments\":{…}}`, the operation by the name that stands behind its call above, or text in plain English as for POST /execute. It becomes a task, once: the same `messageId` finds the same task again. A swap is a task that moves with it. A call waits for the end of its task for two seconds at most; after that ask with `GetTask`, or let it be pushed. There are no streams.\n\n"
    "States: `submitted` (recorded), `working` (its swap is under way), `input-required` (a piece, a wallet or an approval is missing: answer with the same `taskId`), `completed`, `failed`, `rejected` (refused; the message says why), `canceled`; 1.0 writes `TASK_STATE_WORKING` and so on.\n\n"
    "A sentence that lacks a piece is asked back; the piece alone completes it:\n\n"
    "```json\n"
    "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"SendMessage\",\"params\":{\"message\":{\"messageId\":\"m-1\",\n"
    " \"role\":\"ROLE_USER\",\"parts\":[{\"text\":\"quote ETH to USDC on base\"}]}}}\n"
    "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"task\":{\"id\":\"<TASK_ID>\",\"status\":{\"state\":\"TASK_STATE_INPUT_REQUIRED\",\n"
    " \"message\":{\"parts\":[{\"text\":\"The amount is missing: say how much, such as 0.1 ETH or half of my ETH\"}]}}}}}\n"
    "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"SendMessage\",\"params\":{\"message\":{\"messageId\":\"m-2\",\"taskId\":\"<TASK_ID>\",\n"
    " \"role\":\"ROLE_USER\",\"parts\":[{\"text\":\"1.5\"}]}}}\n"
    "```\n\n";

static const char MCP_CALL[] =
    "```json\n"
    "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"get_prices\",\"arguments\":{\"symbols\":\"ETH\"}}}\n"
    "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"content\":[{\"type\":\"text\",\"text\":\"<the same as text>\"}],\"isError\":false,\n"
    " \"structuredContent\":{\"success\":true,\"prices\":{\"ETH\":{\"usd\":2998.5,\"change_24h\":null}}}}}\n"
    "```\n\n";

static void add_template(struct buf *out, const char *text, const char *address)
{
    for (; *text != '\0'; text++) {
        if (*text == '@')
            buf_adds(out, address);
        else
            buf_add(out, text, 1);
    }
}

static void add_endpoint(struct buf *out, const struct endpoint *ep, const char *base_url)
{
    buf_addf(out, "- [%s %s](%s" V1 "/openapi?operation=%s): `%s`%s. %s\n", method_text(ep->method),
             ep->path + strlen(V1), base_url, endpoint_operation(ep), ep->tool,
             ep->auth == AUTH_NONE ? ", no key" : "", ep->about);
}

static void add_section(struct buf *out, enum doc_tag_id tag, const char *base_url)
{
    buf_addf(out, "## %s\n\n%s.\n\n", doc_tags[tag].name, doc_tags[tag].about);
    for (const struct endpoint *const *ep = endpoints_all(); *ep != NULL; ep++)
        if ((*ep)->tag == tag)
            add_endpoint(out, *ep, base_url);
    buf_adds(out, "\n");
}

/* Tools bear the names of operations. */
static void add_mcp(struct buf *out, const char *base_url)
{
    buf_addf(
        out,
        "## MCP\n\n"
        "POST %s/mcp speaks the Model Context Protocol (streamable HTTP, JSON answers), revisions 2026-07-28, 2025-11-25, 2025-06-18, 2025-03-26 and 2024-11-05, without sessions. Lists need no key; tools want the same header `Authorization: Bearer <API_KEY>`. Each call below is a tool by the name that stands behind it, with the same parameters and the same answers.\n\n",
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
    add_template(&out, FIRST_SWAP, arena_printf(a, "%s" V1, base_url));
    add_template(&out, CHAINS, route_served(ctx, a));
    if (offered_bridge(ctx))
        buf_adds(&out, BRIDGES);
    buf_adds(&out, MANNERS);
    add_mcp(&out, base_url);
    for (enum doc_tag_id tag = TAG_AGENTS; tag < AGENT_TAGS; tag++)
        add_section(&out, tag, base_url);
    add_template(&out, A2A, base_url);
    buf_addf(
        &out,
        "## Documents\n\n"
        "- [The same with all details](%s/llms-full.txt): every parameter and answer, with examples\n"
        "- [OpenAPI 3.1](%s" V1 "/openapi): every parameter, answer and error, with examples\n\n"
        "## Optional\n\n"
        "- [Agent card](%s/.well-known/agent-card.json): name and skills, for other agents; also at /.well-known/agent.json\n",
        base_url, base_url, base_url);
    text = arena_strdup(a, buf_text(&out));
    buf_free(&out);
    return text;
}
