#include "chain/evm/rpc.h"

#include <stdarg.h>
#include <string.h>

#include "base/json_reader.h"
#include "base/log.h"
#include "codec/hex.h"

/* Between items and between the forms of one; neither occurs inside of them. */
static const char ITEM_END = '\n', FORM_END = '\t';

struct rpc_batch rpc_begin(struct buf *out)
{
    buf_addc(out, '[');
    return (struct rpc_batch){ .out = out };
}

static void add_head(struct rpc_batch *b, const char *method)
{
    if (!b->another_form && b->count++ > 0) {
        buf_addc(b->out, ',');
        buf_addc(b->out, (uint8_t)ITEM_END);
    }
    b->another_form = false;
    buf_addf(b->out, "{\"jsonrpc\":\"2.0\",\"id\":%u,\"method\":\"%s\",\"params\":", b->count - 1, method);
}

void rpc_or(struct rpc_batch *b, enum rpc_need need)
{
    buf_addc(b->out, (uint8_t)FORM_END);
    buf_addc(b->out, (uint8_t)('0' + (int)need));
    b->another_form = true;
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

/* Up to the block, which it leaves open for what may follow. */
static void add_call(struct rpc_batch *b, const struct evm_addr *from, struct evm_addr to,
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
    buf_adds(b->out, "\"},\"latest\"");
}

void rpc_add_call(struct rpc_batch *b, const struct evm_addr *from, struct evm_addr to,
                  const struct buf *data)
{
    add_call(b, from, to, data);
    buf_adds(b->out, "]}");
}

void rpc_add_call_of_code(struct rpc_batch *b, struct evm_addr at, const void *code, size_t code_len,
                          const struct buf *data)
{
    add_call(b, NULL, at, data);
    buf_adds(b->out, ",{\"");
    add_hex(b->out, at.bytes, EVM_ADDR_LEN);
    buf_adds(b->out, "\":{\"code\":\"");
    add_hex(b->out, code, code_len);
    buf_adds(b->out, "\"}}]}");
}

void rpc_cannot_fail(struct rpc_batch *b)
{
    if (b->count <= 64)
        b->certain |= 1ULL << (b->count - 1);
}

void rpc_end(struct rpc_batch *b)
{
    buf_addc(b->out, ']');
}

/* The part of the item up to the end of its form that a node can answer. */
static void choose_form(struct rpc_item *out, const char *end, unsigned lacking)
{
    const char *tab;

    while ((tab = memchr(out->text, FORM_END, (size_t)(end - out->text))) != NULL) {
        out->need = (enum rpc_need)(tab[1] - '0');
        if ((out->need & lacking) == 0)
            break;
        out->text = tab + 2;
        out->form++;
    }
    if (tab == NULL)
        out->need = RPC_NEEDS_NOTHING;
    out->len = (size_t)((tab != NULL ? tab : end) - out->text);
}

bool rpc_next(struct rpc_item *out, struct rpc_cursor *c, const struct rpc_batch *b, unsigned lacking)
{
    const char *end, *last = b->out->data + b->out->len - 1; /* its closing bracket */

    if (c->next == b->count)
        return false;
    if (c->at == NULL)
        c->at = b->out->data + 1;
    end = memchr(c->at, ITEM_END, (size_t)(last - c->at));
    *out = (struct rpc_item){ .text = c->at, .id = c->next++ };
    c->at = end != NULL ? end + 1 : last;
    choose_form(out, end != NULL ? end - 1 : last, lacking);
    return true;
}

static const char *text_or_empty(const json_t *s)
{
    const char *text = json_string_value(s);

    return text != NULL ? text : "";
}

static bool answer_set_error(struct rpc_answer *r, json_t *error, int status)
{
    r->result = NULL;
    r->error = error;
    r->error_code = json_integer_value(json_object_get(error, "code"));
    r->error_text = text_or_empty(json_is_string(error) ? error : json_object_get(error, "message"));
    r->class = rpc_classify(r->error_code, r->error_text, status);
    return true;
}

/* Under a bad status a result is none. */
static bool answer_set_result(struct rpc_answer *r, json_t *result, int status)
{
    if (result == NULL || status / 100 != 2)
        return false;
    r->result = result;
    r->error = NULL;
    r->error_code = 0;
    r->error_text = "";
    r->class = RPC_RESULT;
    return true;
}

/* True when the object is an answer: it has an error, or a result. */
static bool answer_read(struct rpc_answer *r, const json_t *object, int status)
{
    json_t *error = json_object_get(object, "error");

    if (error != NULL && !json_is_null(error))
        return answer_set_error(r, error, status);
    return answer_set_result(r, json_object_get(object, "result"), status);
}

static bool answer_read_into(struct rpc_answer *r, const json_t *object, int status)
{
    return r->awaited && !rpc_is_final(r->class) && answer_read(r, object, status);
}

static bool has_id(const struct rpc_answers *out, const json_t *object)
{
    const json_t *id = json_object_get(object, "id");

    return json_is_integer(id) && json_integer_value(id) >= 0 && json_integer_value(id) < out->count;
}

/* An answer goes to the id it names; a second one for the same id is ignored once the first is final. */
static bool answers_read_by_id(struct rpc_answers *out, const json_t *object, int status)
{
    return has_id(out, object) &&
           answer_read_into(&out->items[json_integer_value(json_object_get(object, "id"))], object, status);
}

static bool answers_read_array(struct rpc_answers *out, const json_t *doc, int status)
{
    const json_t *object;
    bool any = false;
    size_t i;

    json_array_foreach(doc, i, object) any |= answers_read_by_id(out, object, status);
    return any;
}

/* Nodes that refuse a whole batch (limits, no batches, bad JSON) send one error for all of it. */
static bool answers_read_single(struct rpc_answers *out, const json_t *doc, int status)
{
    bool any = false;

    if (has_id(out, doc))
        return answers_read_by_id(out, doc, status);
    if (json_object_get(doc, "error") == NULL)
        return false;
    for (unsigned i = 0; i < out->count; i++)
        any |= answer_read_into(&out->items[i], doc, status);
    return any;
}

struct rpc_answers rpc_answers_new(struct arena *a, unsigned count)
{
    struct rpc_answers out = { json_array(), ARENA_ARRAY(a, struct rpc_answer, count), count };

    if (out.docs == NULL)
        log_fatal("out of memory: answers");
    for (unsigned i = 0; i < count; i++)
        out.items[i] = (struct rpc_answer){ .error_text = "", .class = RPC_TROUBLE, .awaited = true };
    return out;
}

bool rpc_answers_add(struct rpc_answers *as, const struct buf *body, int status)
{
    json_t *doc = body->overflow || body->len == 0 ? NULL : json_read(body->data, body->len);

    if (doc == NULL || json_array_append_new(as->docs, doc) < 0)
        return false;
    return json_is_array(doc) ? answers_read_array(as, doc, status) : answers_read_single(as, doc, status);
}

void rpc_answers_free(struct rpc_answers *as)
{
    json_decref(as->docs);
    *as = (struct rpc_answers){ .docs = NULL };
}

bool rpc_read(struct rpc_answers *out, struct arena *a, const struct buf *body, unsigned count)
{
    *out = rpc_answers_new(a, count);
    if (rpc_answers_add(out, body, 200))
        return true;
    rpc_answers_free(out);
    return false;
}

static bool hex_read_u256(struct u256 *out, const json_t *v)
{
    return json_is_string(v) && u256_parse_hex(out, json_string_value(v));
}

static bool hex_read_u64(uint64_t *out, const json_t *v)
{
    struct u256 wide;

    return hex_read_u256(&wide, v) && u256_to_u64(out, wide);
}

static bool hex_read_bytes(const uint8_t **p, size_t *n, struct arena *a, const char *text)
{
    size_t max = strlen(text) / 2;
    uint8_t *bytes = arena_alloc(a, max + 1);

    *p = bytes;
    return hex_decode_0x(bytes, max, n, text);
}

bool rpc_u256(struct u256 *out, const struct rpc_answer *r)
{
    return hex_read_u256(out, r->result);
}

bool rpc_u64(uint64_t *out, const struct rpc_answer *r)
{
    return hex_read_u64(out, r->result);
}

bool rpc_bytes(const uint8_t **p, size_t *n, struct arena *a, const struct rpc_answer *r)
{
    return json_is_string(r->result) && hex_read_bytes(p, n, a, json_string_value(r->result));
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
    if (!hex_read_bytes(p, n, a, revert_hex(r->error)))
        *n = 0;
    return true;
}

bool rpc_member_u64(uint64_t *out, const json_t *object, const char *name)
{
    return hex_read_u64(out, json_object_get(object, name));
}

bool rpc_member_bytes(uint8_t *out, size_t n, const json_t *object, const char *name)
{
    const json_t *v = json_object_get(object, name);
    size_t got;

    return json_is_string(v) && hex_decode_0x(out, n, &got, json_string_value(v)) && got == n;
}
