#include "chain/evm/rpc.h"

#include <stdarg.h>

#include "core/hex.h"
#include "core/log.h"

struct rpc_batch rpc_begin(struct buf *out)
{
    buf_addc(out, '[');
    return (struct rpc_batch){ out, 0 };
}

static void add_head(struct rpc_batch *b, const char *method)
{
    buf_addf(b->out,
             "%s{\"jsonrpc\":\"2.0\",\"id\":%u,\"method\":\"%s\",\"params\":", b->count > 0 ? "," : "",
             b->count, method);
    b->count++;
}

void rpc_add(struct rpc_batch *b, const char *method, const char *params_fmt, ...)
{
    va_list ap;
    char *params;

    va_start(ap, params_fmt);
    if (vasprintf(&params, params_fmt, ap) < 0)
        log_fatal("out of memory: %s", method);
    va_end(ap);
    add_head(b, method);
    buf_adds(b->out, params);
    buf_addc(b->out, '}');
    free(params);
}

static void add_hex(struct buf *out, const void *p, size_t n)
{
    const uint8_t *bytes = p;
    char digits[2 * 256 + 1];

    buf_adds(out, "0x");
    while (n > 0) {
        size_t part = n < 256 ? n : 256;

        hex_encode(digits, bytes, part);
        buf_add(out, digits, 2 * part);
        bytes += part;
        n -= part;
    }
}

void rpc_add_call(struct rpc_batch *b, const struct evm_addr *from, struct evm_addr to,
                  const struct buf *data)
{
    add_head(b, "eth_call");
    buf_adds(b->out, "[{");
    if (from != NULL) {
        buf_adds(b->out, "\"from\":\"");
        add_hex(b->out, from->bytes, EVM_ADDR_LEN);
        buf_adds(b->out, "\",");
    }
    buf_adds(b->out, "\"to\":\"");
    add_hex(b->out, to.bytes, EVM_ADDR_LEN);
    buf_adds(b->out, "\",\"data\":\"");
    add_hex(b->out, data->data, data->len);
    buf_adds(b->out, "\"},\"latest\"]}");
}

void rpc_end(struct rpc_batch *b)
{
    buf_addc(b->out, ']');
}

static const char *text_or_empty(const json_t *s)
{
    const char *text = json_string_value(s);

    return text != NULL ? text : "";
}

static void set_error(struct rpc_answer *r, json_t *error)
{
    r->error = error;
    r->error_code = json_integer_value(json_object_get(error, "code"));
    r->error_text = text_or_empty(json_is_string(error) ? error : json_object_get(error, "message"));
}

/* True when the object is an answer: it has an error, or a result. */
static bool read_one(struct rpc_answer *r, const json_t *object)
{
    json_t *error = json_object_get(object, "error");

    if (error != NULL && !json_is_null(error))
        set_error(r, error);
    else
        r->result = json_object_get(object, "result");
    return r->error != NULL || r->result != NULL;
}

/* An answer goes to the id it names; a second one for the same id is ignored. */
static bool read_by_id(struct rpc_answers *out, const json_t *object)
{
    const json_t *id = json_object_get(object, "id");
    struct rpc_answer *r;

    if (!json_is_integer(id) || json_integer_value(id) < 0 || json_integer_value(id) >= out->count)
        return false;
    r = &out->items[json_integer_value(id)];
    return r->result == NULL && r->error == NULL && read_one(r, object);
}

static bool read_array(struct rpc_answers *out)
{
    const json_t *object;
    bool any = false;
    size_t i;

    json_array_foreach(out->doc, i, object) any |= read_by_id(out, object);
    return any;
}

/* Nodes that refuse a whole batch (limits, no batches, bad JSON) send one error for all of it. */
static bool read_single(struct rpc_answers *out)
{
    struct rpc_answer all = { .error_text = "" };

    if (!read_one(&all, out->doc))
        return false;
    if (all.error == NULL)
        return read_by_id(out, out->doc);
    for (unsigned i = 0; i < out->count; i++)
        out->items[i] = all;
    return true;
}

bool rpc_read(struct rpc_answers *out, struct arena *a, const struct buf *body, unsigned count)
{
    *out = (struct rpc_answers){ .count = count };
    if (body->overflow || body->len == 0)
        return false;
    out->doc = json_loadb(body->data, body->len, 0, NULL);
    if (out->doc == NULL)
        return false;
    out->items = ARENA_ARRAY(a, struct rpc_answer, count);
    for (unsigned i = 0; i < count; i++)
        out->items[i].error_text = "";
    if (json_is_array(out->doc) ? read_array(out) : read_single(out))
        return true;
    rpc_answers_free(out);
    return false;
}

void rpc_answers_free(struct rpc_answers *as)
{
    json_decref(as->doc);
    as->doc = NULL;
    as->items = NULL;
    as->count = 0;
}

static bool read_u256(struct u256 *out, const json_t *v)
{
    return json_is_string(v) && u256_parse_hex(out, json_string_value(v));
}

static bool read_u64(uint64_t *out, const json_t *v)
{
    struct u256 wide;

    return read_u256(&wide, v) && u256_to_u64(out, wide);
}

static bool read_bytes(const uint8_t **p, size_t *n, struct arena *a, const char *text)
{
    size_t max = strlen(text) / 2;
    uint8_t *bytes = arena_alloc(a, max + 1);

    *p = bytes;
    return hex_decode_0x(bytes, max, n, text);
}

bool rpc_u256(struct u256 *out, const struct rpc_answer *r)
{
    return read_u256(out, r->result);
}

bool rpc_u64(uint64_t *out, const struct rpc_answer *r)
{
    return read_u64(out, r->result);
}

bool rpc_bytes(const uint8_t **p, size_t *n, struct arena *a, const struct rpc_answer *r)
{
    return json_is_string(r->result) && read_bytes(p, n, a, json_string_value(r->result));
}

/* Usually error.data is the hex text; some nodes nest it once more, some put "Reverted " before it. */
static const char *revert_hex(const json_t *error)
{
    const json_t *data = json_object_get(error, "data");
    const char *text = text_or_empty(json_is_object(data) ? json_object_get(data, "data") : data);
    const char *hex = strstr(text, "0x");

    return hex != NULL ? hex : "";
}

bool rpc_revert_data(const uint8_t **p, size_t *n, struct arena *a, const struct rpc_answer *r)
{
    if (r->error == NULL)
        return false;
    if (!read_bytes(p, n, a, revert_hex(r->error)))
        *n = 0;
    return true;
}

bool rpc_member_u64(uint64_t *out, const json_t *object, const char *name)
{
    return read_u64(out, json_object_get(object, name));
}

bool rpc_member_bytes(uint8_t *out, size_t n, const json_t *object, const char *name)
{
    const json_t *v = json_object_get(object, name);
    size_t got;

    return json_is_string(v) && hex_decode_0x(out, n, &got, json_string_value(v)) && got == n;
}

/* Texts of geth and its forks, erigon, nethermind, besu, arbitrum and anvil, in lower case. The first row
 * that is found in the message decides, so what contains another row's text stands before it. */
static const struct {
    const char *text;
    enum rpc_send class;
} send_texts[] = {
    { "unknown transaction", SEND_REFUSED }, /* a type the node does not have */
    { "already known", SEND_OK },
    { "alreadyknown", SEND_OK },
    { "known transaction", SEND_OK },
    { "already imported", SEND_OK },
    { "existing tx with same hash", SEND_OK },
    { "ownnoncealreadyused", SEND_OK },
    { "nonce too low", SEND_NONCE_LOW },
    { "oldnonce", SEND_NONCE_LOW },
    { "invalid transaction nonce", SEND_NONCE_LOW },
    { "nonce too high", SEND_RETRY }, /* an earlier one of ours has not reached this node yet */
    { "noncegap", SEND_RETRY },
    { "higher than max fee per gas", SEND_REFUSED }, /* the tip is over the cap */
    { "underpriced", SEND_UNDERPRICED },
    { "could not replace existing tx", SEND_UNDERPRICED },
    { "replacement not allowed", SEND_UNDERPRICED },
    { "replacementnotallowed", SEND_UNDERPRICED },
    { "feetoolow", SEND_UNDERPRICED },
    { "gas price below", SEND_UNDERPRICED },
    { "gas price too low", SEND_UNDERPRICED },
    { "less than block base fee", SEND_UNDERPRICED },
    { "insufficient funds", SEND_NO_FUNDS },
    { "insufficientfunds", SEND_NO_FUNDS },
    { "not enough funds", SEND_NO_FUNDS },
    { "upfront cost exceeds", SEND_NO_FUNDS },
    { "exceeds the configured cap", SEND_RETRY }, /* that node's own ceiling: another one may take it */
    { "fee cap exceeded", SEND_RETRY },
    { "exceeds block gas limit", SEND_REFUSED },
    { "gaslimitexceeded", SEND_REFUSED },
    { "intrinsic gas", SEND_REFUSED },
    { "gas limit too high", SEND_REFUSED },
    { "invalid chain id", SEND_REFUSED },
    { "invalid sender", SEND_REFUSED },
    { "transaction type not supported", SEND_REFUSED },
    { "not supported by the current hardfork", SEND_REFUSED },
    { "rlp: ", SEND_REFUSED },
    { "typed transaction too short", SEND_REFUSED },
    { "failed to decode transaction", SEND_REFUSED },
};

enum rpc_send rpc_send_class(const struct rpc_answer *r)
{
    if (r->error == NULL)
        return json_is_string(r->result) ? SEND_OK : SEND_RETRY;
    for (size_t i = 0; i < sizeof send_texts / sizeof send_texts[0]; i++) {
        if (strcasestr(r->error_text, send_texts[i].text) != NULL)
            return send_texts[i].class;
    }
    return SEND_RETRY;
}
