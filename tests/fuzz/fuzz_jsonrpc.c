/* A JSON-RPC message: any bytes, read, and answered as what they are. */
#include <string.h>

#include "agentproto/jsonrpc.h"
#include "fuzz.h"

/* The answer has the id, of any type, and one of the two members. */
static void check_answer(struct json_writer *w, const struct jsonrpc *m, bool error)
{
    const char *text = jw_finish(w);
    json_t *answer = text == NULL ? NULL : json_loads(text, JSON_REJECT_DUPLICATES, NULL);
    const json_t *id = json_object_get(answer, "id");

    MUST(answer != NULL && (m->id == NULL ? json_is_null(id) : json_is_string(id) || json_is_number(id)));
    MUST(!json_is_string(id) || json_equal(id, m->id));
    MUST((json_object_get(answer, "result") == NULL) == error);
    MUST((json_object_get(answer, "error") == NULL) == !error);
    json_decref(answer);
}

static void answer_one(const struct jsonrpc *m, bool error)
{
    struct arena *a = arena_new();
    struct json_writer w;

    jw_init(&w, a, 1024 * 1024);
    if (error) {
        jsonrpc_open_error(&w, m->id, JSONRPC_INVALID_PARAMS, "no");
        jw_end(&w);
    } else {
        jsonrpc_open(&w, m->id);
        jw_null(&w, "result");
    }
    jw_end(&w);
    check_answer(&w, m, error);
    arena_free(a);
}

static void read_one(const json_t *message)
{
    struct jsonrpc m = jsonrpc_read(message);

    MUST(m.id == NULL || json_is_string(m.id) || json_is_number(m.id));
    MUST(m.kind != JSONRPC_CALL || (m.id != NULL && m.method != NULL));
    MUST(m.kind != JSONRPC_NOTIFICATION || (m.id == NULL && m.method != NULL));
    MUST(m.kind != JSONRPC_RESPONSE || m.method == NULL);
    answer_one(&m, false);
    answer_one(&m, true);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct arena *a = arena_new();
    struct request rq = { .arena = a, .body = (const char *)data, .body_len = size };
    const char *what;
    json_t *body = request_json_any(&rq, false, &what), *message;
    size_t i;

    MUST((body == NULL) == (what != NULL));
    if (body != NULL)
        read_one(body);
    json_array_foreach(body, i, message) read_one(message);
    json_decref(body);
    arena_free(a);
    return 0;
}
