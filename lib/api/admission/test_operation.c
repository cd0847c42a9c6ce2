#include "api/admission/operation.c"
#include "base/json_writer.h"
#include "base/test.h"

#include "http/io_mem.h"
#include "service/conf.h"

/* There is no database, signer or net: code that touched them would crash. */
static struct conf conf;
static struct ctx ctx = { .conf = &conf };
static struct arena *a;

static const char *const no_headers[] = { "REQUEST_METHOD=POST", "REQUEST_URI=/elsewhere", NULL };

static struct request asked(struct io_mem *io)
{
    struct request rq;

    io_mem_init(io, no_headers, "outer", 5);
    request_read(&rq, a, &io->io);
    return rq;
}

static void every_tool_is_found(void)
{
    for (const struct endpoint *const *ep = endpoints_all(); *ep != NULL; ep++)
        if ((*ep)->tool != NULL)
            CHECK(operation_find((*ep)->tool) == *ep);
    CHECK(operation_find("") == NULL && operation_find("get_everything") == NULL);
}

static struct reply *call(const char *tool, const char *arguments, bool admitted)
{
    struct io_mem io;
    struct request rq = asked(&io);
    struct api_call outer = api_call_of(&ctx, &rq), c;
    json_t *object = json_loads(arguments, 0, NULL);
    struct reply *rp;

    outer.admitted = admitted;
    c = api_call_for(&outer, operation_find(tool));
    rp = operation_call(&c, object);
    CHECK(outer.endpoint == NULL && outer.agent == NULL && rq.body_len == 5 && outer.captured == NULL);
    json_decref(object);
    io_mem_free(&io);
    return rp;
}

static void refusals_are_those_of_rest(void)
{
    static const struct {
        const char *tool, *arguments;
        int status;
        const char *part;
    } rows[] = {
        { "register_agent", "{}", 400, "\"error\":\"name is required\"" },
        { "register_agent", "{\"name\":7}", 400, "\"fields\":{\"name\":\"must be a string\"}" },
        { "register_agent", "{\"name\":\"x\",\"callbackURL\":\"y\"}", 400,
          "\"error\":\"Unknown field 'callbackURL'\"" },
        { "register_agent", "{\"names\":7}", 400,
          "\"names\":\"did you mean 'name'?\",\"name\":\"is required\"" },
        { "register_agent", "{\"nam\":7,\"metadta\":1}", 400, "\"metadta\":\"did you mean 'metadata'?\"" },
        { "register_agent", "{\"x\":7}", 400,
          "\"fields\":{\"name\":\"is required\",\"x\":\"is not known here\"}" },
        { "get_me", "{}", 401, "\"error\":\"Invalid or missing API key\"" },
        { "execute_swap", "{}", 401, "\"error\":\"Unauthorized\"" },
        { "get_swap_status", "{}", 401, "\"error\":\"Invalid or missing API key\"" },
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct reply *rp = call(rows[i].tool, rows[i].arguments, false);

        CHECK(reply_status(rp) == rows[i].status);
        CHECK(strstr(reply_text(rp), rows[i].part) != NULL);
    }
}

/* Admission without an agent's key gives access to no agent's operation. */
static void a_key_is_wanted_of_the_admitted_too(void)
{
    CHECK(reply_status(call("get_me", "{}", true)) == 401);
    CHECK(reply_status(call("register_agent", "{}", true)) == 400); /* wants none */
}

static void path_arguments(void)
{
    static const struct {
        const char *arguments, *captured, *path, *rest, *fault;
    } rows[] = {
        { "{\"swapId\":42,\"x\":1}", "42", V1 "/swap/status/42", "{\"x\":1}", NULL },
        { "{\"swapId\":\"42\"}", "42", V1 "/swap/status/42", "{}", NULL },
        { "{}", NULL, NULL, "{}", "swapId is required" },
        { "{\"swapId\":null}", NULL, NULL, "{}", "swapId is required" },
        { "{\"swapId\":\"\"}", NULL, NULL, "{}", "swapId is required" },
        { "{\"swapId\":[1]}", NULL, NULL, "{}", "Validation failed" },
        { "{\"swapId\":4.5}", NULL, NULL, "{}", "Validation failed" },
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct api_call inner = { .arena = a, .endpoint = operation_find("get_swap_status") };
        json_t *object = json_loads(rows[i].arguments, 0, NULL);
        struct param_faults faults = { NULL, NULL };

        arguments_take_path(&inner, object, &faults);
        CHECK_STR(jw_text_of(a, object, 0), rows[i].rest);
        if (rows[i].fault == NULL) {
            CHECK_STR(inner.captured, rows[i].captured);
            CHECK_STR(inner.path, rows[i].path);
            CHECK(faults.first == NULL);
        } else {
            CHECK_STR(faults.first->text, rows[i].fault);
            CHECK(json_object_get(faults.fields, "swapId") != NULL);
        }
        params_faults_free(&faults);
        json_decref(object);
    }
}

static void an_idempotency_key_is_no_argument(void)
{
    static const struct {
        const char *tool, *arguments, *key, *rest; /* key NULL: none */
    } rows[] = {
        { "create_wallet", "{\"a\":1,\"idempotency_key\":\"k\"}", "k", "{\"a\":1}" },
        { "create_wallet", "{\"idempotency_key\":7}", "", "{}" },
        { "create_wallet", "{\"idempotency_key\":null}", NULL, "{}" },
        { "create_wallet", "{}", NULL, "{}" },
        { "get_me", "{\"idempotency_key\":\"k\"}", NULL, "{\"idempotency_key\":\"k\"}" },
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct api_call c = { .arena = a, .endpoint = operation_find(rows[i].tool) };
        json_t *object = json_loads(rows[i].arguments, 0, NULL), *rest = json_loads(rows[i].rest, 0, NULL);

        arguments_take_key(&c, object);
        CHECK((c.idempotency_key == NULL) == (rows[i].key == NULL));
        if (c.idempotency_key != NULL && rows[i].key != NULL)
            CHECK_STR(c.idempotency_key, rows[i].key);
        CHECK(json_equal(object, rest));
        json_decref(rest);
        json_decref(object);
    }
}

static void older_names_of_arguments(void)
{
    static const struct {
        const char *tool, *arguments, *renamed, *fault; /* NULL: none */
    } rows[] = {
        { "get_swap_status", "{\"swap_id\":42}", "{\"swapId\":42}", NULL },
        { "get_swap_status", "{\"swap_id\":42,\"swapId\":\"42\"}", "{\"swapId\":\"42\"}", NULL },
        { "get_swap_status", "{\"swap_id\":42,\"swapId\":null}", "{\"swapId\":42}", NULL },
        { "get_swap_status", "{\"swap_id\":null,\"swapId\":42}", "{\"swapId\":42}", NULL },
        { "get_swap_status", "{\"swap_id\":42,\"swapId\":43}", "{\"swapId\":43}", "swap_id" },
        { "get_prediction_market", "{\"market_id\":\"9\"}", "{\"id\":\"9\"}", NULL },
        { "cancel_prediction_order", "{\"market_id\":\"9\"}", "{\"market_id\":\"9\"}", NULL },
        { "borrow_lending", "{\"chain_id\":1,\"chainId\":10}", "{\"chainId\":10}", "chain_id" },
        { "get_quote", "{\"chain_id\":1}", "{\"chain_id\":1}", NULL },
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct api_call c = { .arena = a, .endpoint = operation_find(rows[i].tool) };
        json_t *object = json_loads(rows[i].arguments, 0, NULL);
        struct param_faults found = { NULL, NULL };

        arguments_rename(&c, object, &found);
        CHECK_STR(jw_text_of(a, object, 0), rows[i].renamed);
        CHECK((found.first != NULL) == (rows[i].fault != NULL));
        CHECK(rows[i].fault == NULL || json_object_get(found.fields, rows[i].fault) != NULL);
        params_faults_free(&found);
        json_decref(object);
    }
}

static void operation_test_start(void)
{
    a = arena_new();
}

static void operation_test_end(void)
{
    arena_free(a);
}

TEST_MAIN(TEST(operation_test_start), TEST(every_tool_is_found), TEST(refusals_are_those_of_rest),
          TEST(a_key_is_wanted_of_the_admitted_too), TEST(path_arguments),
          TEST(an_idempotency_key_is_no_argument), TEST(older_names_of_arguments), TEST(operation_test_end))
