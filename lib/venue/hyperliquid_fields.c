#include "venue/hyperliquid_fields.h"

#include <inttypes.h>

#include "chain/evm/abi.h"
#include "chain/evm/eip712.h"
#include "codec/hex.h"
#include "codec/msgpack.h"
#include "venue/hyperliquid_format.h"

enum { HEX_MAX = 32 };

/* ---- the text before a value ---- */

static void put_key(struct fields *f, const char *key)
{
    if (f->json != NULL && f->comma)
        buf_addc(f->json, ',');
    if (f->json != NULL && key != NULL)
        buf_addf(f->json, "\"%s\":", key);
    if (f->packed != NULL && key != NULL)
        msgpack_text(f->packed, key);
    f->comma = true;
}

static void put_type(struct fields *f, const char *type, const char *key)
{
    if (f->types != NULL)
        buf_addf(f->types, "%s%s %s", f->types->len == 0 ? "" : ",", type, key);
}

/* ---- maps and lists ---- */

static void json_bracket(struct fields *f, uint8_t c, bool comma)
{
    if (f->json != NULL)
        buf_addc(f->json, c);
    f->comma = comma;
}

void fields_map(struct fields *f, const char *key, uint32_t members)
{
    put_key(f, key);
    json_bracket(f, '{', false);
    if (f->packed != NULL)
        msgpack_map(f->packed, members);
}

void fields_map_end(struct fields *f)
{
    json_bracket(f, '}', true);
}

void fields_list(struct fields *f, const char *key, uint32_t items)
{
    put_key(f, key);
    json_bracket(f, '[', false);
    if (f->packed != NULL)
        msgpack_array(f->packed, items);
}

void fields_list_end(struct fields *f)
{
    json_bracket(f, ']', true);
}

/* ---- texts ---- */

static void put_text(struct fields *f, const char *key, const char *text)
{
    put_key(f, key);
    if (f->json != NULL)
        buf_addf(f->json, "\"%s\"", text);
    if (f->packed != NULL)
        msgpack_text(f->packed, text);
}

void fields_text(struct fields *f, const char *key, const char *text)
{
    put_text(f, key, text);
    put_type(f, "string", key);
    if (f->words != NULL)
        eip712_text(f->words, text);
}

void fields_decimal(struct fields *f, const char *key, uint64_t v)
{
    char text[HYPERLIQUID_DECIMAL_LEN + 1];

    hyperliquid_decimal(text, v);
    fields_text(f, key, text);
}

static void hex_text(char out[static 2 + 2 * HEX_MAX + 1], const uint8_t *p, size_t n)
{
    out[0] = '0';
    out[1] = 'x';
    hex_encode(out + 2, p, n);
}

void fields_hex(struct fields *f, const char *key, const uint8_t *p, size_t n)
{
    char text[2 + 2 * HEX_MAX + 1];

    hex_text(text, p, n);
    fields_text(f, key, text);
}

void fields_addr(struct fields *f, const char *key, struct evm_addr a, bool is_text)
{
    char text[2 + 2 * HEX_MAX + 1];

    hex_text(text, a.bytes, sizeof a.bytes);
    if (is_text) {
        fields_text(f, key, text);
        return;
    }
    put_text(f, key, text);
    put_type(f, "address", key);
    if (f->words != NULL)
        abi_addr(f->words, a);
}

void fields_no_bytes(struct fields *f, const char *key)
{
    put_text(f, key, "0x");
    put_type(f, "bytes", key);
    if (f->words != NULL)
        eip712_bytes(f->words, "", 0);
}

/* ---- numbers ---- */

static void put_unsigned(struct fields *f, const char *key, uint64_t v)
{
    put_key(f, key);
    if (f->json != NULL)
        buf_addf(f->json, "%" PRIu64, v);
    if (f->packed != NULL)
        msgpack_unsigned(f->packed, v);
    if (f->words != NULL)
        abi_u64(f->words, v);
}

void fields_u64(struct fields *f, const char *key, uint64_t v)
{
    put_unsigned(f, key, v);
    put_type(f, "uint64", key);
}

void fields_u32(struct fields *f, const char *key, uint32_t v)
{
    put_unsigned(f, key, v);
    put_type(f, "uint32", key);
}

void fields_bool(struct fields *f, const char *key, bool v)
{
    put_key(f, key);
    if (f->json != NULL)
        buf_adds(f->json, v ? "true" : "false");
    if (f->packed != NULL)
        msgpack_bool(f->packed, v);
    put_type(f, "bool", key);
    if (f->words != NULL)
        abi_u64(f->words, v);
}
