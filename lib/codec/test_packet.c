#include "codec/packet.c"

#include "base/test.h"

static void packets_are_read_as_written(void)
{
    struct buf b = BUF_INIT(64);
    struct packet in;
    const uint8_t *p;
    uint8_t one;
    uint32_t four;
    uint64_t eight;
    size_t n;

    buf_addc(&b, 7);
    packet_put_u32(&b, 0x01020304);
    packet_put_u64(&b, 0x1122334455667788);
    packet_put_bytes(&b, "abc", 3, 3);
    CHECK(b.len == 1 + 4 + 8 + 4 + 3 && memcmp(b.data, "\7\1\2\3\4\x11", 6) == 0);
    in = (struct packet){ (const uint8_t *)b.data, b.len };
    CHECK(packet_take_u8(&in, &one) && one == 7);
    CHECK(packet_take_u32(&in, &four) && four == 0x01020304);
    CHECK(packet_take_u64(&in, &eight) && eight == 0x1122334455667788);
    CHECK(packet_take_bytes(&in, &p, &n, 3) && n == 3 && memcmp(p, "abc", 3) == 0);
    CHECK(in.left == 0 && !packet_take_u8(&in, &one) && !packet_take_u32(&in, &four));
    CHECK(!packet_take_u64(&in, &eight) && !packet_take_bytes(&in, &p, &n, 3));
    buf_free(&b);
}

static void overlong_members_are_refused(void)
{
    static const uint8_t claims_nine[] = { 0, 0, 0, 9, 1, 2, 3 };
    struct packet in = { claims_nine, sizeof claims_nine };
    struct buf b = BUF_INIT(64);
    const uint8_t *p;
    size_t n;

    CHECK(!packet_take_bytes(&in, &p, &n, 100));
    packet_put_bytes(&b, "abc", 3, 2);
    CHECK(b.overflow);
    in = (struct packet){ (const uint8_t *)b.data, b.len };
    CHECK(!packet_take_bytes(&in, &p, &n, 2));
    buf_free(&b);
}

TEST_MAIN(TEST(packets_are_read_as_written), TEST(overlong_members_are_refused))
