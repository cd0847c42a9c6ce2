#include "venue/relay_order.c"

#include <stdlib.h>

#include "base/test.h"

static const uint8_t twenty[20] = { 1 }, thirty_two[32] = { 2 };

#define BYTES(a)                                                                                             \
    {                                                                                                        \
        (a), sizeof(a)                                                                                       \
    }

/* With all that there may be of it. */
static struct relay_order full_order(void)
{
    struct relay_order o = {
        .version = "v1",
        .solver_chain = "base",
        .solver = BYTES(twenty),
        .salt = u256_from_u64(7),
        .input = { "ethereum", BYTES(twenty), u256_from_u64(8), u256_from_u64(1),
                   .refund_count = RELAY_REFUNDS },
        .output = { "solana", BYTES(thirty_two), BYTES(thirty_two), u256_from_u64(9), u256_from_u64(10), 11,
                    BYTES(thirty_two) },
        .fee_count = RELAY_FEES,
    };

    for (size_t i = 0; i < RELAY_REFUNDS; i++)
        o.input.refunds[i] =
            (struct relay_refund){ "base", BYTES(twenty),    BYTES(twenty), u256_from_u64(12),
                                   13,     BYTES(thirty_two) };
    for (size_t i = 0; i < RELAY_FEES; i++)
        o.fees[i] = (struct relay_fee){ "base", BYTES(twenty), "base", BYTES(twenty), u256_from_u64(14) };
    return o;
}

static bool same_order(const struct relay_order *a, const struct relay_order *b)
{
    uint8_t first[HASH_LEN], second[HASH_LEN];

    relay_order_id(first, a);
    relay_order_id(second, b);
    return memcmp(first, second, sizeof first) == 0;
}

static void written_is_read(void)
{
    const struct relay_order o = full_order();
    struct buf out = BUF_INIT(RELAY_ORDER_MAX);
    struct relay_order got;

    relay_order_write(&out, &o);
    CHECK(!out.overflow && relay_order_read(&got, (const uint8_t *)out.data, out.len));
    CHECK(same_order(&o, &got));
    CHECK_STR(got.output.chain, "solana");
    CHECK(got.fee_count == RELAY_FEES && got.output.recipient.n == sizeof thirty_two);
    buf_free(&out);
}

/* An order with any byte missing or added is refused. */
static void read_whole_or_not_at_all(void)
{
    const struct relay_order o = full_order();
    struct buf out = BUF_INIT(RELAY_ORDER_MAX + 1);
    struct relay_order got;

    relay_order_write(&out, &o);
    for (size_t n = 0; n < out.len; n++) {
        uint8_t *exact = malloc(n + 1); /* so that a sanitizer sees a read past the end */

        memcpy(exact, out.data, n);
        CHECK(!relay_order_read(&got, exact, n));
        free(exact);
    }
    buf_addc(&out, 0);
    CHECK(!relay_order_read(&got, (const uint8_t *)out.data, out.len));
    buf_free(&out);
}

static void texts_end_where_they_end(void)
{
    struct relay_order o = full_order(), got;
    struct buf out = BUF_INIT(RELAY_ORDER_MAX);

    relay_order_write(&out, &o);
    out.data[4 + 1] = '\0'; /* in the version */
    CHECK(!relay_order_read(&got, (const uint8_t *)out.data, out.len));
    buf_reset(&out);
    o.version = "a version that is longer than any has been so far";
    relay_order_write(&out, &o);
    CHECK(out.overflow);
    buf_free(&out);
}

TEST_MAIN(TEST(written_is_read), TEST(read_whole_or_not_at_all), TEST(texts_end_where_they_end))
