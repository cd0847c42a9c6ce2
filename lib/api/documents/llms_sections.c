/* /llms/<section>.txt: the calls of a toolset with all that they take, for a model with little room; and A2A.
 */
#include <string.h>

#include "api/documents/documents.h"
#include "api/documents/llms_calls.h"
#include "api/endpoint/endpoint.h"
#include "base/buf.h"

enum { SECTION_MAX = 64 * 1024 };

static const char LIMITS[] =
    "Limits: a quote lives 60 seconds; slippage is 0 to 1, 0.03 by default; a trade that moves the price by more than `max_price_impact` (0.05) is refused; pages have 1 to 100 items, 20 by default; bodies have at most 64 KB. Requests are limited per agent and minute by its tier (`standard` 120, `premium` 600): `RateLimit` tells what remains. What is stored is limited too, of a `standard` agent to 100 wallets, 50 policies, 100 push configs, 1000 ended webhooks, 8 MB each of tasks and of recorded answers, 16 KB a message; beyond it: 400 `QUOTA_EXCEEDED`, whose `hint` says what makes room.\n\n";

static const char WEBHOOKS[] =
    "Webhooks: set `callback_url` (https) with PATCH /me and keep the `webhook_secret` of that answer. `swap.completed` and `swap.failed` are then posted there as `{\"type\",\"timestamp\",\"data\"}`, signed as Standard Webhooks: `webhook-signature` is `v1,` and the base64 of HMAC-SHA256 over `<webhook-id>.<webhook-timestamp>.<body>`. Answer 2xx; deliveries repeat for two days, so deduplicate by `swap_id` and `type`, others by `webhook-id`. `corrected` in the data takes back what was told before. Others: `order.filled`, `order.partially_filled`, `order.cancelled`, `order.rejected` (`settled` is false until the chain has confirmed a match), `predict.transfer.completed` and `.failed`, `withdrawal.completed` and `.failed`, `lend.completed` and `.failed`, `lend.health.low`, `lend.liquidated`, `perps.order.filled`, `.partially_filled`, `.cancelled` and `.rejected`, `perps.position.liquidated`, `perps.transfer.completed` and `.failed`. Security events, which former callbacks get too: `withdrawal_address.added` and `.removed`, `policy.added` and `.ending`, `key.rotated`, `callback.changed`, `webhook_secret.renewed`, `agent.deactivated`, `.reactivated` and `.deleted`.\n\n";

/* A template: "@" stands for the API's address. */
static const char PREDICTION[] =
    "A first order on a prediction market, for a wallet with USDC.e and some POL on polygon:\n\n"
    "```sh\n"
    "API=@ KEY='Authorization: Bearer <API_KEY>' JSON='Content-Type: application/json'\n"
    "# 1. Choose a market and an outcome; keep its tokenId\n"
    "curl \"$API/predict/markets?query=bitcoin\" -H \"$KEY\"\n"
    "# 2. Deposit what you bet with\n"
    "curl -X POST $API/predict/deposit -H \"$KEY\" -H \"$JSON\" \\\n"
    "  -d '{\"amount\":\"100\",\"wait\":30}'\n"
    "# Unless status is completed by then\n"
    "curl $API/predict/transfer/<TRANSFER_ID>?wait=30 -H \"$KEY\"\n"
    "# 3. Offer 0.40 dollars each for 20 shares; keep order.id\n"
    "curl -X POST $API/predict/order -H \"$KEY\" -H \"$JSON\" \\\n"
    "  -d '{\"tokenId\":\"<TOKEN_ID>\",\"side\":\"BUY\",\"price\":0.4,\"size\":20}'\n"
    "# 4. See what is filled; take back the rest\n"
    "curl $API/predict/order/<ORDER_ID> -H \"$KEY\"\n"
    "curl -X DELETE $API/predict/order/<ORDER_ID> -H \"$KEY\"\n"
    "```\n\n"
    "Where the operator has not switched this on, steps 2 to 4 answer 400 `NOT_CONFIGURED`. POST /predict/withdraw brings home what is left. A share pays 1 dollar if its outcome wins: POST /predict/redeem pays out.\n\n";

static const char LENDING[] =
    "Lending, in order: GET /lend/markets, POST /lend/supply, POST /lend/simulate before POST /lend/borrow, GET /lend/operation/{id} until `completed` or `failed` after each, POST /lend/repay, POST /lend/withdraw. A health factor below 1 is liquidated.\n\n";

static const char PERPETUALS[] =
    "Perpetuals, in order: GET /perps/markets, POST /perps/deposit of USDC on arbitrum, GET /perps/transfer/{id} until `completed`, POST /perps/quote, POST /perps/order, GET /perps/positions, POST /perps/close, POST /perps/withdraw.\n\n";

/* A template: "@" stands for the gateway's address. */
static const char A2A[] =
    "# A2A\n\n"
    "POST @/a2a speaks A2A 1.0 (`SendMessage`, `GetTask`, `ListTasks`, `CancelTask`, push notification configs) and 0.3 (`message/send`, `tasks/get` …) as JSON-RPC 2.0, with the same key. A message has one data part `{\"operation\":…,\"arguments\":{…}}`, the operation by its name, such as `get_quote`, or text in plain English as for POST /execute. It becomes a task, once: the same `messageId` finds the same task again. A swap is a task that moves with it. A call waits for the end of its task for two seconds, or for the seconds (up to 30) of an argument `wait`; after that ask with `GetTask`, or let it be pushed. There are no streams.\n\n"
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

/* What a section says before its calls; NULL: nothing. */
static const char *const prose[TOOLSETS] = {
    [TOOLSET_ACCOUNT] = LIMITS,   [TOOLSET_PREDICT] = PREDICTION, [TOOLSET_LEND] = LENDING,
    [TOOLSET_PERPS] = PERPETUALS, [TOOLSET_WEBHOOKS] = WEBHOOKS,
};

const char *llms_section_name(size_t section)
{
    return section == LLMS_A2A ? "a2a" : doc_toolsets[section].name;
}

void llms_add_prose(struct buf *out, struct arena *a, const char *base_url, size_t section)
{
    if (section == LLMS_A2A)
        llms_add_template(out, A2A, base_url);
    else if (prose[section] != NULL)
        llms_add_template(out, prose[section], arena_printf(a, "%s" V1, base_url));
}

static const char WAITING[] =
    "`wait` (seconds, up to 30) of calls that begin something and of those that show its status: the answer comes when that has ended or the time is over, as the status call has it.\n\n";

static bool has_calls_that_wait(size_t set)
{
    for (const struct endpoint *const *ep = endpoints_all(); *ep != NULL; ep++)
        if (endpoint_is_documented(*ep) && doc_tags[(*ep)->tag].toolset == set &&
            endpoint_wait_param(*ep) != NULL)
            return true;
    return false;
}

static void add_calls(struct buf *out, size_t set)
{
    for (const struct endpoint *const *ep = endpoints_all(); *ep != NULL; ep++)
        if (endpoint_is_documented(*ep) && doc_tags[(*ep)->tag].toolset == set) {
            llms_add_call(out, *ep);
            llms_add_answer(out, *ep);
        }
}

char *llms_section_write(struct arena *a, const char *base_url, size_t section)
{
    struct buf out = BUF_INIT(SECTION_MAX);
    char *text;

    if (section == LLMS_A2A) {
        llms_add_prose(&out, a, base_url, section);
    } else {
        buf_addf(
            &out,
            "# %s: %s\n\n> A section of %s/llms.txt. Paths lie under %s" V1
            "; calls want the header `Authorization: Bearer <API_KEY>` and JSON; behind the path stands the name of the tool.\n\n",
            doc_toolsets[section].name, doc_toolsets[section].about, base_url, base_url);
        llms_add_prose(&out, a, base_url, section);
        buf_adds(
            &out,
            "* stands behind what is required, = before a default, → before the members of the answer.\n\n");
        if (has_calls_that_wait(section))
            buf_adds(&out, WAITING);
        add_calls(&out, section);
    }
    text = arena_strdup(a, buf_text(&out));
    buf_free(&out);
    return text;
}
