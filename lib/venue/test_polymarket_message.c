#include "venue/polymarket_message.c"

#include <stdlib.h>

#include "base/test.h"

static const uint8_t call_data[] = { 0xa2, 0x2c, 0xb4, 0x65, 1, 2, 3 };

static struct polymarket_message an_order(void)
{
    struct polymarket_message m = { .kind = POLYMARKET_ORDER, .exchange = POLYMARKET_V3 };

    m.order = (struct polymarket_order){ .salt = 0x0102030405060708,
                                         .maker = { { 1 } },
                                         .signer = { { 2 } },
                                         .token = u256_from_u64(3),
                                         .maker_amount = u256_from_u64(4),
                                         .taker_amount = u256_from_u64(5),
                                         .side = POLYMARKET_SELL,
                                         .signature_type = POLYMARKET_DEPOSIT_WALLET,
                                         .timestamp = 1780000000000,
                                         .metadata = { 6 },
                                         .builder = { 7 } };
    return m;
}

/* `m` holds its calls. */
static void make_batch(struct polymarket_message *m)
{
    *m = (struct polymarket_message){ .kind = POLYMARKET_BATCH };
    m->calls[0] = (struct polymarket_call){ .target = { { 8 } }, .data = call_data, .len = sizeof call_data };
    m->calls[1] = (struct polymarket_call){ .target = { { 9 } }, .value = u256_from_u64(1) };
    m->batch = (struct polymarket_batch){
        .wallet = { { 7 } }, .nonce = 11, .deadline = 1780000900, .calls = m->calls, .count = 2
    };
}

static void make_auth(struct polymarket_message *m)
{
    *m =
        (struct polymarket_message){ .kind = POLYMARKET_AUTH, .auth_timestamp = 1780000000, .auth_nonce = 3 };
}

static bool message_reads(const uint8_t *p, size_t n)
{
    struct polymarket_message m;
    uint8_t *exact = malloc(n + 1); /* so that a sanitizer sees a read past the end */
    bool ok;

    memcpy(exact, p, n);
    ok = polymarket_message_read(&m, exact, n);
    free(exact);
    return ok;
}

/* The message is read, written again, and refused if any byte is missing or added. */
static void check_whole(const struct polymarket_message *m)
{
    struct buf b = BUF_INIT(POLYMARKET_MESSAGE_MAX), again = BUF_INIT(POLYMARKET_MESSAGE_MAX);
    struct polymarket_message got;

    polymarket_message_write(&b, m);
    CHECK(polymarket_message_read(&got, (const uint8_t *)b.data, b.len));
    polymarket_message_write(&again, &got);
    CHECK(!b.overflow && again.len == b.len && memcmp(again.data, b.data, b.len) == 0);
    for (size_t n = 0; n < b.len; n++)
        CHECK(!message_reads((const uint8_t *)b.data, n));
    buf_addc(&b, 0);
    CHECK(!message_reads((const uint8_t *)b.data, b.len));
    buf_free(&b);
    buf_free(&again);
}

static void messages_come_back(void)
{
    struct polymarket_message m = an_order();

    check_whole(&m);
    make_batch(&m);
    check_whole(&m);
    make_auth(&m);
    check_whole(&m);
}

static bool order_reads_with(size_t at, uint8_t v)
{
    struct polymarket_message m = an_order();
    struct buf b = BUF_INIT(POLYMARKET_MESSAGE_MAX);
    bool ok;

    polymarket_message_write(&b, &m);
    b.data[at] = (char)v;
    ok = message_reads((const uint8_t *)b.data, b.len);
    buf_free(&b);
    return ok;
}

static void unknown_values_are_refused(void)
{
    enum { KIND = 0, EXCHANGE = 1, SIDE = 2 + 8 + 2 * EVM_ADDR_LEN + 3 * U256_BYTES };

    CHECK(order_reads_with(KIND, POLYMARKET_ORDER) && !order_reads_with(KIND, 0) &&
          !order_reads_with(KIND, 4));
    CHECK(order_reads_with(EXCHANGE, POLYMARKET_V2) && !order_reads_with(EXCHANGE, 3));
    CHECK(order_reads_with(SIDE, 0) && !order_reads_with(SIDE, 2));
}

static void batches_have_calls_and_not_too_many(void)
{
    struct polymarket_message m;
    struct buf b = BUF_INIT(POLYMARKET_MESSAGE_MAX);

    make_batch(&m);
    m.batch.count = 0;
    polymarket_message_write(&b, &m);
    CHECK(!message_reads((const uint8_t *)b.data, b.len));
    buf_reset(&b);
    for (size_t i = 0; i < POLYMARKET_CALLS_MAX; i++)
        m.calls[i] = m.calls[1];
    m.batch.count = POLYMARKET_CALLS_MAX;
    polymarket_message_write(&b, &m);
    CHECK(!b.overflow && message_reads((const uint8_t *)b.data, b.len));
    buf_free(&b);
}

/* Each kind signs its own digest. */
static void digests_differ(void)
{
    struct polymarket_message m = an_order();
    uint8_t order[HASH_LEN], auth[HASH_LEN], batch[HASH_LEN], want[HASH_LEN];
    const struct evm_addr key = { { 1 } };

    polymarket_message_digest(order, &m, key);
    polymarket_order_digest(want, m.exchange, &m.order);
    CHECK(memcmp(order, want, HASH_LEN) == 0);
    make_auth(&m);
    polymarket_message_digest(auth, &m, key);
    polymarket_auth_digest(want, key, m.auth_timestamp, m.auth_nonce);
    CHECK(memcmp(auth, want, HASH_LEN) == 0);
    make_batch(&m);
    polymarket_message_digest(batch, &m, key);
    polymarket_batch_digest(want, &m.batch);
    CHECK(memcmp(batch, want, HASH_LEN) == 0);
    CHECK(memcmp(order, auth, HASH_LEN) != 0 && memcmp(auth, batch, HASH_LEN) != 0);
}

TEST_MAIN(TEST(messages_come_back), TEST(unknown_values_are_refused),
          TEST(batches_have_calls_and_not_too_many), TEST(digests_differ))
