#include "codec/msgpack.h"

#include <string.h>

/* First bytes, or what a small value is added to. */
enum {
    SMALL_MAP = 0x80,
    SMALL_ARRAY = 0x90,
    SMALL_TEXT = 0xa0,
    NIL = 0xc0,
    NO = 0xc2,
    YES = 0xc3,
    UNSIGNED_8 = 0xcc,
    SIGNED_8 = 0xd0,
    TEXT_8 = 0xd9,
    TEXT_16 = 0xda,
    ARRAY_16 = 0xdc,
    MAP_16 = 0xde,
};

static void put_headed(struct buf *out, unsigned head, uint64_t v, unsigned bytes)
{
    buf_addc(out, (uint8_t)head);
    while (bytes-- > 0)
        buf_addc(out, (uint8_t)(v >> (8 * bytes)));
}

/* The heads of 16 and of 32 bits are neighbours. */
static void put_count(struct buf *out, unsigned small, uint32_t small_end, unsigned head_16, uint32_t n)
{
    if (n < small_end)
        buf_addc(out, (uint8_t)(small + n));
    else if (n <= UINT16_MAX)
        put_headed(out, head_16, n, 2);
    else
        put_headed(out, head_16 + 1, n, 4);
}

void msgpack_map(struct buf *out, uint32_t members)
{
    put_count(out, SMALL_MAP, 16, MAP_16, members);
}

void msgpack_array(struct buf *out, uint32_t items)
{
    put_count(out, SMALL_ARRAY, 16, ARRAY_16, items);
}

void msgpack_text(struct buf *out, const char *text)
{
    uint32_t n = (uint32_t)strlen(text);

    if (n >= 32 && n <= UINT8_MAX)
        put_headed(out, TEXT_8, n, 1);
    else
        put_count(out, SMALL_TEXT, 32, TEXT_16, n);
    buf_add(out, text, n);
}

void msgpack_unsigned(struct buf *out, uint64_t v)
{
    /* The width of 1, 2, 4 or 8 bytes: 0 to 3, as the heads are numbered. */
    unsigned width = v <= UINT8_MAX ? 0 : v <= UINT16_MAX ? 1 : v <= UINT32_MAX ? 2 : 3;

    if (v <= INT8_MAX)
        buf_addc(out, (uint8_t)v);
    else
        put_headed(out, UNSIGNED_8 + width, v, 1U << width);
}

void msgpack_integer(struct buf *out, int64_t v)
{
    unsigned width = v >= INT8_MIN ? 0 : v >= INT16_MIN ? 1 : v >= INT32_MIN ? 2 : 3;

    if (v >= 0)
        msgpack_unsigned(out, (uint64_t)v);
    else if (v >= -32)
        buf_addc(out, (uint8_t)v);
    else
        put_headed(out, SIGNED_8 + width, (uint64_t)v, 1U << width);
}

void msgpack_bool(struct buf *out, bool v)
{
    buf_addc(out, v ? YES : NO);
}

void msgpack_nil(struct buf *out)
{
    buf_addc(out, NIL);
}
