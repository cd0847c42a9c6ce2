/* A JSON-RPC message: any bytes, read, and answered as what they are. */
#include <string.h>

#include "agentproto/jsonrpc.h"
#include "fuzz.h"

static void check_answer(json_t *answer, const struct jsonrpc *m)
{
    const json_t *id = json_object_get(answer, "id");

    MUST(answer != NULL && (m->id == NULL ? json_is_null(id) : json_equal(id, m->id)));
    MUST((json_object_get(answer, "result") == NULL) != (json_object_get(answer, "error") == NULL));
    json_decref(answer);
}

static void read_one(const json_t *message)
{
    struct jsonrpc m = jsonrpc_read(message);

    MUST(m.id == NULL || json_is_string(m.id) || json_is_number(m.id));
    MUST(m.kind != JSONRPC_CALL || (m.id != NULL && m.method != NULL));
    MUST(m.kind != JSONRPC_NOTIFICATION || (m.id == NULL && m.method != NULL));
    MUST(m.kind != JSONRPC_RESPONSE || m.method == NULL);
    check_answer(jsonrpc_result(m.id, json_object()), &m);
    check_answer(jsonrpc_error(m.id, JSONRPC_INVALID_PARAMS, "no", json_object()), &m);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct arena *a = arena_new();
    struct request rq = { .arena = a, .body = (const char *)data, .body_len = size };
    const char *what;
    json_t *body = request_json_any(&rq, &what), *message;
    size_t i;

    MUST((body == NULL) == (what != NULL));
    if (body != NULL)
        read_one(body);
    json_array_foreach(body, i, message) read_one(message);
    json_decref(body);
    arena_free(a);
    return 0;
}
