/* msgpack_unsigned, msgpack_integer, msgpack_map, msgpack_array
 * @bounds all numbers, all counts
 * @shows what is written says the number, in the shortest form
 * @unwind 10
 * @with base/buf.c
 */
#include "codec/msgpack.c"
#include "proof.h"

/* Bytes that a number takes behind its head. */
static size_t width(uint64_t v, uint64_t small_max)
{
    return v <= small_max ? 0 : v <= UINT8_MAX ? 1 : v <= UINT16_MAX ? 2 : v <= UINT32_MAX ? 4 : 8;
}

static uint64_t number_at(const struct buf *b, size_t from)
{
    uint64_t v = 0;

    for (size_t i = from; i < b->len; i++)
        v = v << 8 | (uint8_t)b->data[i];
    return v;
}

static void check_unsigned(void)
{
    struct buf out = BUF_INIT(16);
    ANY(uint64_t, number);
    size_t n = width(number, INT8_MAX);

    msgpack_unsigned(&out, number);
    MUST(out.len == 1 + n && !out.overflow);
    MUST(number_at(&out, n > 0) == number);
    MUST(n == 0 || (uint8_t)out.data[0] == (n == 1 ? 0xcc : n == 2 ? 0xcd : n == 4 ? 0xce : 0xcf));
}

static void check_negative(void)
{
    struct buf out = BUF_INIT(16);
    ANY(int64_t, below);
    size_t n;

    SUPPOSE(below < 0);
    n = below >= -32 ? 0 : below >= INT8_MIN ? 1 : below >= INT16_MIN ? 2 : below >= INT32_MIN ? 4 : 8;
    msgpack_integer(&out, below);
    MUST(out.len == 1 + n && !out.overflow);
    MUST(number_at(&out, n > 0) ==
         (n == 8 ? (uint64_t)below : (uint64_t)below & ((1ULL << 8 * (n + (n == 0))) - 1)));
    MUST(n == 0 || (uint8_t)out.data[0] == (n == 1 ? 0xd0 : n == 2 ? 0xd1 : n == 4 ? 0xd2 : 0xd3));
}

static void check_count(void)
{
    struct buf out = BUF_INIT(16);
    ANY(uint32_t, count);

    msgpack_map(&out, count);
    MUST(out.len == (count < 16 ? 1 : count <= UINT16_MAX ? 3 : 5));
    MUST(count < 16 ? (uint8_t)out.data[0] == (0x80 | count) : number_at(&out, 1) == count);
}

void harness(void)
{
    check_unsigned();
    check_negative();
    check_count();
}
