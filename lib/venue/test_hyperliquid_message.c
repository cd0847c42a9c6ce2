#include "venue/hyperliquid_message.c"

#include "venue/test_hyperliquid_rows.h"

static struct buf message = BUF_INIT(HYPERLIQUID_MESSAGE_MAX);

static const uint8_t *write_message(const struct hyperliquid_action *a)
{
    buf_reset(&message);
    hyperliquid_message_write(&message, a);
    CHECK(!message.overflow);
    return (const uint8_t *)message.data;
}

static bool comes_back(struct hyperliquid_action *got, const struct hyperliquid_action *a)
{
    const uint8_t *p = write_message(a);

    return hyperliquid_message_read(got, p, message.len);
}

static bool is_read(const struct hyperliquid_action *a)
{
    struct hyperliquid_action got;

    return comes_back(&got, a);
}

static void check_json(const struct hyperliquid_action *a, const char *want)
{
    struct buf b = BUF_INIT(HYPERLIQUID_ACTION_MAX);

    hyperliquid_action_json(&b, a);
    CHECK_STR(buf_text(&b), want);
    buf_free(&b);
}

/* A message reads back as the same action; cut off anywhere, or with more bytes after it, it is refused. */
static void check_row(const json_t *row, const struct hyperliquid_action *a)
{
    const uint8_t *p = write_message(a);
    struct hyperliquid_action got;
    struct buf longer = BUF_INIT(HYPERLIQUID_MESSAGE_MAX);

    CHECK(hyperliquid_message_read(&got, p, message.len));
    check_json(&got, test_text(row, "action_json"));
    CHECK(got.nonce == a->nonce && got.expires_after == a->expires_after && got.testnet == a->testnet);
    for (size_t n = 0; n < message.len; n++)
        CHECK(!hyperliquid_message_read(&got, p, n));
    buf_add(&longer, p, message.len);
    buf_addc(&longer, 0);
    CHECK(!hyperliquid_message_read(&got, (const uint8_t *)longer.data, longer.len));
    buf_free(&longer);
}

static void actions_of_the_vectors(void)
{
    static const char *const sections[] = { "l1_actions", "user_signed" };
    size_t i, tried = 0;

    for (size_t s = 0; s < 2; s++) {
        const json_t *row;

        json_array_foreach(test_section(sections[s]), i, row)
        {
            struct hyperliquid_action a;

            if (!row_action(&a, row))
                continue;
            check_row(row, &a);
            tried++;
        }
    }
    CHECK(tried == 22 + 10);
}

static void sends_come_back(void)
{
    struct hyperliquid_action a = { .kind = HYPERLIQUID_SEND, .nonce = 5 }, got;

    a.transfer =
        (struct hyperliquid_transfer){ 7, { { 1, 2 } }, .from_spot = true, .domain = 6, .gas_limit = 9 };
    CHECK(comes_back(&got, &a));
    CHECK(got.transfer.amount == 7 && got.transfer.from_spot && got.transfer.domain == 6 &&
          got.transfer.gas_limit == 9 && evm_addr_eq(got.transfer.recipient, a.transfer.recipient));
}

static void approvals_come_back(void)
{
    struct hyperliquid_action a = { .kind = HYPERLIQUID_APPROVE }, got;

    a.approval = (struct hyperliquid_approval){ { { 1 } }, "abcdefghi-ABC123", 9 };
    CHECK(comes_back(&got, &a));
    CHECK_STR(got.approval.name, "abcdefghi-ABC123");
    CHECK(got.approval.valid_until == 9 && got.approval.key.bytes[0] == 1);
}

/* Nothing that would be written differently, and no name that JSON has to escape. */
static void other_values_are_refused(void)
{
    struct hyperliquid_action a = { .kind = HYPERLIQUID_ORDER, .count = 1 };
    uint8_t *p;

    CHECK(is_read(&a));
    a.grouping = HYPERLIQUID_OF_A_POSITION + 1;
    CHECK(!is_read(&a));
    a.grouping = HYPERLIQUID_ALONE;
    a.orders[0].kind = HYPERLIQUID_STOP_LOSS + 1;
    CHECK(!is_read(&a));
    a.count = 0;
    CHECK(!is_read(&a));
    a.kind = HYPERLIQUID_CANCEL;
    CHECK(!is_read(&a));
    a.kind = HYPERLIQUID_NOOP;
    CHECK(is_read(&a));
    p = (uint8_t *)message.data;
    p[1] = 2; /* the network */
    CHECK(!hyperliquid_message_read(&a, p, message.len));
    p[1] = 0;
    p[0] = 0;
    CHECK(!hyperliquid_message_read(&a, p, message.len));
    p[0] = HYPERLIQUID_SEND + 1;
    CHECK(!hyperliquid_message_read(&a, p, message.len));
    a = (struct hyperliquid_action){ .kind = HYPERLIQUID_APPROVE, .approval.name = "a b" };
    CHECK(!is_read(&a));
    a.approval.name[1] = '"';
    CHECK(!is_read(&a));
    a.approval.name[1] = '-';
    CHECK(is_read(&a));
}

static void too_many_are_refused(void)
{
    struct hyperliquid_action a = { .kind = HYPERLIQUID_CANCEL, .count = HYPERLIQUID_ORDERS_MAX }, got;
    struct buf b = BUF_INIT(HYPERLIQUID_MESSAGE_MAX);

    CHECK(is_read(&a));
    buf_add(&b, message.data, message.len);
    buf_add(&b, message.data + message.len - 20, 20);
    b.data[1 + 1 + 8 + 8]++; /* the count */
    CHECK(!hyperliquid_message_read(&got, (const uint8_t *)b.data, b.len));
    buf_free(&b);
    buf_free(&message);
}

TEST_MAIN(TEST(actions_of_the_vectors), TEST(sends_come_back), TEST(approvals_come_back),
          TEST(other_values_are_refused), TEST(too_many_are_refused))
