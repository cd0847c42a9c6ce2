#include "chain/evm/evm_rpc.h"

#include <string.h>

#include "codec/hex.h"

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
    rpc_add_begin(b, "eth_call");
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
    buf_addc(b->out, ']');
    rpc_add_end(b);
}

void rpc_add_call_of_code(struct rpc_batch *b, struct evm_addr at, const void *code, size_t code_len,
                          const struct buf *data)
{
    add_call(b, NULL, at, data);
    buf_adds(b->out, ",{\"");
    add_hex(b->out, at.bytes, EVM_ADDR_LEN);
    buf_adds(b->out, "\":{\"code\":\"");
    add_hex(b->out, code, code_len);
    buf_adds(b->out, "\"}}]");
    rpc_add_end(b);
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
    const char *text = json_string_value(json_is_object(data) ? json_object_get(data, "data") : data);
    const char *hex = text != NULL ? strstr(text, "0x") : NULL;

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
