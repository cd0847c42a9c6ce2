#include "api/endpoint/call_names.c"
#include "base/test.h"

/* Every documented row as this program has them; the tables of the API are linked. */

static struct arena *a;

static void calls_have_the_names_of_tools(void)
{
    static const struct {
        const char *text, *named;
    } rows[] = {
        { "POST /quote returns one", "get_quote returns one" },
        { "Next: POST /wallets, then POST /quote.", "Next: create_wallet, then get_quote." },
        { "It became swap 42: GET /swap/status/42 says how that stands",
          "It became swap 42: get_swap_status says how that stands" },
        { "GET /swap/status/{swapId} until `completed`", "get_swap_status until `completed`" },
        { "GET /predict/account and /predict/positions show what",
          "get_prediction_account and list_prediction_positions show what" },
        { "GET /tokens?chain=<key> lists symbols", "get_tokens with chain=<key> lists symbols" },
        { "POST /swap/simulate, /lend/simulate or another", "simulate_swap, simulate_lending or another" },
        { "no call: POST /nothing, GET /swapsy, /quote", "no call: POST /nothing, GET /swapsy, /quote" },
        { "XPOST /quote and POST /quote/more", "XPOST /quote and POST /quote/more" },
        { "", "" },
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        CHECK_STR(tools_named(a, rows[i].text), rows[i].named);
}

/* Each hint for agents names calls that tools have; readiness is no tool, and operators have none. */
static void hints_name_tools_alone(void)
{
    static const char *const hints[] = {
#define X(name, status, rpc, code, text, hint) hint,
        ERR_LIST(X)
#undef X
    };

    for (size_t i = 0; i < sizeof hints / sizeof hints[0]; i++) {
        const char *named = hints[i] == NULL ? "" : tools_named(a, hints[i]), *get = strstr(named, "GET /");

        CHECK(strstr(named, "POST /") == NULL && strstr(named, "DELETE /") == NULL);
        CHECK(get == NULL || strncmp(get, "GET /readyz", 11) == 0 || strncmp(get, "GET /agents", 11) == 0);
    }
}

static void members_that_tell_what_to_do(void)
{
    json_t *answer = json_loads("{\"error\":\"POST /quote\",\"hint\":\"POST /quote\",\"message\":\"GET /me\","
                                "\"fields\":{\"x\":\"see GET /tokens\",\"y\":1}}",
                                0, NULL);
    char *text;

    tools_name_in(a, answer);
    text = json_dumps(answer, JSON_COMPACT);
    CHECK_STR(text, "{\"error\":\"POST /quote\",\"hint\":\"get_quote\",\"message\":\"get_me\","
                    "\"fields\":{\"x\":\"see get_tokens\",\"y\":1}}");
    free(text);
    json_decref(answer);
}

static void names_that_are_alike(void)
{
    CHECK_STR(tools_like(a, "get_qoute"), "get_quote");
    CHECK_STR(tools_like(a, "getQuote"), "get_quote");
    CHECK(strstr(tools_like(a, "portfolio"), "get_portfolio") != NULL);
    CHECK(tools_like(a, "banana") == NULL && tools_like(a, "") == NULL);
    CHECK_STR(call_like(a, GET, "/v1/agent/quotes"), "POST /v1/agent/quote");
    CHECK_STR(call_like(a, POST, "/v1/agent/wallet"), "POST /v1/agent/wallets");
    CHECK_STR(call_like(a, GET, "/v1/agent/wallet"), "GET /v1/agent/wallets");
    CHECK_STR(call_like(a, GET, "/openapi"), "GET /v1/agent/openapi");
    CHECK_STR(call_like(a, GET, "/v1/agent/swap/state/42"), "GET /v1/agent/swap/status/{swapId}");
    CHECK(call_like(a, GET, "/") == NULL && call_like(a, GET, "") == NULL &&
          call_like(a, GET, "/v1/agent") == NULL);
    CHECK(call_like(a, GET, "/v1/operator/status") == NULL);
}

static void test_start(void)
{
    a = arena_new();
}

static void test_end(void)
{
    arena_free(a);
}

TEST_MAIN(TEST(test_start), TEST(calls_have_the_names_of_tools), TEST(hints_name_tools_alone),
          TEST(members_that_tell_what_to_do), TEST(names_that_are_alike), TEST(test_end))
