#include "agentproto/jsonrpc.c"
#include "base/test.h"

static void messages_are_what_they_are(void)
{
    static const struct {
        const char *text;
        enum jsonrpc_kind kind;
        const char *id; /* as JSON; NULL: none */
    } rows[] = {
        { "{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"m\"}", JSONRPC_CALL, "0" },
        { "{\"jsonrpc\":\"2.0\",\"id\":\"\",\"method\":\"m\",\"params\":3}", JSONRPC_CALL, "\"\"" },
        { "{\"jsonrpc\":\"2.0\",\"id\":1.5,\"method\":\"m\"}", JSONRPC_CALL, "1.5" },
        { "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"m\",\"result\":{}}", JSONRPC_CALL, "1" },
        { "{\"jsonrpc\":\"2.0\",\"method\":\"m\"}", JSONRPC_NOTIFICATION, NULL },
        { "{\"jsonrpc\":\"2.0\",\"id\":7,\"result\":{}}", JSONRPC_RESPONSE, "7" },
        { "{\"jsonrpc\":\"2.0\",\"id\":null,\"error\":{}}", JSONRPC_RESPONSE, NULL },
        { "{\"jsonrpc\":\"2.0\",\"id\":7,\"result\":{},\"error\":{}}", JSONRPC_INVALID, "7" },
        { "{\"jsonrpc\":\"2.0\",\"id\":null,\"method\":\"m\"}", JSONRPC_INVALID, NULL },
        { "{\"jsonrpc\":\"2.0\",\"id\":{},\"method\":\"m\"}", JSONRPC_INVALID, NULL },
        { "{\"jsonrpc\":\"2.0\",\"id\":true,\"method\":\"m\"}", JSONRPC_INVALID, NULL },
        { "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":1}", JSONRPC_INVALID, "1" },
        { "{\"jsonrpc\":\"2.0\",\"id\":1}", JSONRPC_INVALID, "1" },
        { "{\"jsonrpc\":\"1.0\",\"id\":1,\"method\":\"m\"}", JSONRPC_INVALID, "1" },
        { "{\"jsonrpc\":2.0,\"id\":\"a\",\"method\":\"m\"}", JSONRPC_INVALID, "\"a\"" },
        { "{\"id\":1,\"method\":\"m\"}", JSONRPC_INVALID, "1" },
        { "{}", JSONRPC_INVALID, NULL },
        { "[]", JSONRPC_INVALID, NULL },
        { "\"m\"", JSONRPC_INVALID, NULL },
        { "null", JSONRPC_INVALID, NULL },
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        json_t *message = json_loads(rows[i].text, JSON_DECODE_ANY, NULL);
        json_t *id = rows[i].id == NULL ? NULL : json_loads(rows[i].id, JSON_DECODE_ANY, NULL);
        struct jsonrpc m = jsonrpc_read(message);

        CHECK(m.kind == rows[i].kind);
        CHECK(id == NULL ? m.id == NULL : json_equal(id, m.id));
        json_decref(id);
        json_decref(message);
    }
}

static void answers(void)
{
    struct arena *a = arena_new();
    json_t *id = json_string("x");
    struct json_writer w;

    jw_init(&w, a, MAX_UPSTREAM);
    jsonrpc_open(&w, id);
    jw_object(&w, "result");
    jw_end(&w);
    jw_end(&w);
    CHECK_STR(jw_finish(&w), "{\"jsonrpc\":\"2.0\",\"id\":\"x\",\"result\":{}}");

    jw_init(&w, a, MAX_UPSTREAM);
    jsonrpc_open_error(&w, NULL, JSONRPC_PARSE_ERROR, "no");
    jw_end(&w);
    jw_end(&w);
    CHECK_STR(jw_finish(&w),
              "{\"jsonrpc\":\"2.0\",\"id\":null,\"error\":{\"code\":-32700,\"message\":\"no\"}}");

    jw_init(&w, a, MAX_UPSTREAM);
    jsonrpc_open_error(&w, id, -1, "no");
    jw_object(&w, "data");
    jw_integer(&w, "a", 1);
    jw_end(&w);
    jw_end(&w);
    jw_end(&w);
    CHECK_STR(
        jw_finish(&w),
        "{\"jsonrpc\":\"2.0\",\"id\":\"x\",\"error\":{\"code\":-1,\"message\":\"no\",\"data\":{\"a\":1}}}");
    json_decref(id);
    arena_free(a);
}

TEST_MAIN(TEST(messages_are_what_they_are), TEST(answers))
