#include "base/test.h"
#include "chain/evm/rlp.c"
#include "codec/test_vectors.h"

/* A vector's value: "0x…" is a string, an array a list. */
static void add_value(struct buf *out, const json_t *value)
{
    struct buf items = BUF_INIT(MAX_TX);
    const json_t *item;
    uint8_t bytes[2048];
    size_t i, n;

    if (json_is_string(value)) {
        CHECK(hex_decode_0x(bytes, sizeof bytes, &n, json_string_value(value)));
        rlp_add_bytes(out, bytes, n);
        return;
    }
    json_array_foreach(value, i, item) add_value(&items, item);
    rlp_add_list(out, &items);
    buf_free(&items);
}

/* Reads all items and writes them again. */
static void copy_items(struct buf *out, struct rlp r)
{
    while (!rlp_at_end(&r)) {
        struct buf items = BUF_INIT(MAX_TX);
        struct rlp list;
        const uint8_t *p;
        size_t n;

        if (rlp_bytes(&r, &p, &n)) {
            rlp_add_bytes(out, p, n);
            continue;
        }
        if (!rlp_list(&r, &list)) {
            CHECK(false);
            return;
        }
        copy_items(&items, list);
        rlp_add_list(out, &items);
        buf_free(&items);
    }
}

static void values(void)
{
    const json_t *row;
    size_t i;

    json_array_foreach(test_section("rlp"), i, row)
    {
        struct buf out = BUF_INIT(MAX_TX), copy = BUF_INIT(MAX_TX);

        add_value(&out, json_object_get(row, "value"));
        CHECK_STR(test_hex(out.data, out.len), test_text(row, "encoded"));
        copy_items(&copy, rlp_reader(out.data, out.len));
        CHECK_STR(test_hex(copy.data, copy.len), test_text(row, "encoded"));
        buf_free(&out);
        buf_free(&copy);
    }
}

static void integers(void)
{
    const json_t *row;
    size_t i;

    json_array_foreach(test_section("rlp_integers"), i, row)
    {
        struct buf out = BUF_INIT(64);
        struct u256 v, back;
        uint64_t small;
        struct rlp r;

        CHECK(u256_parse(&v, test_text(row, "integer")));
        rlp_add_u256(&out, v);
        CHECK_STR(test_hex(out.data, out.len), test_text(row, "encoded"));
        r = rlp_reader(out.data, out.len);
        CHECK(rlp_u256(&r, &back) && rlp_at_end(&r) && u256_cmp(v, back) == 0);
        r = rlp_reader(out.data, out.len);
        CHECK(rlp_u64(&r, &small) == u256_to_u64(&small, v));
        buf_reset(&out);
        if (u256_to_u64(&small, v)) {
            rlp_add_u64(&out, small);
            CHECK_STR(test_hex(out.data, out.len), test_text(row, "encoded"));
        }
        buf_free(&out);
    }
}

static size_t from_hex(uint8_t *out, size_t max, const char *text)
{
    size_t n = 0;

    CHECK(hex_decode_0x(out, max, &n, text));
    return n;
}

static void strings_that_are_not_canonical(void)
{
    static const char *const bad[] = {
        "0x",
        "0x81",
        "0x8100",
        "0x817f",   /* stands for itself */
        "0x8361",   /* truncated */
        "0xb8",     /* no length */
        "0xb800",   /* long form of a short one */
        "0xb80161", /* the same */
        "0xb90001", /* leading zero in the length */
        "0xb90000", /* the same */
        "0xbf",     /* eight bytes of length, none there */
        "0xbfffffffffffffffff",
        "0xbf8000000000000000",
        "0xbb7fffffff61",
        "0xc0", /* a list */
    };
    uint8_t bytes[64];

    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        struct rlp r = rlp_reader(bytes, from_hex(bytes, sizeof bytes, bad[i])), before = r;
        const uint8_t *p;
        size_t n;

        CHECK(!rlp_bytes(&r, &p, &n));
        CHECK(r.p == before.p);
    }
}

static void lists_that_are_not_canonical(void)
{
    static const char *const bad[] = { "0x",   "0x80",   "0x61",     "0xc1",     "0xc361",
                                       "0xf8", "0xf800", "0xf80161", "0xf90001", "0xffffffffffffffffff",
                                       "0xff" };
    uint8_t bytes[64];

    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        struct rlp r = rlp_reader(bytes, from_hex(bytes, sizeof bytes, bad[i])), before = r, items;

        CHECK(!rlp_list(&r, &items));
        CHECK(r.p == before.p);
    }
}

static void integers_that_are_not_minimal(void)
{
    static const char *const bad[] = { "0x00", "0x8100", "0x820001", "0x81", "0xc0", "0x" };
    static const char wide[] = "0xa1010000000000000000000000000000000000000000000000000000000000000000";
    uint8_t bytes[64];
    struct u256 v;
    uint64_t small;
    struct rlp r;

    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        r = rlp_reader(bytes, from_hex(bytes, sizeof bytes, bad[i]));
        CHECK(!rlp_u256(&r, &v) && !rlp_u64(&r, &small));
    }
    r = rlp_reader(bytes, from_hex(bytes, sizeof bytes, wide));
    CHECK(!rlp_u256(&r, &v));
    r = rlp_reader(bytes, from_hex(bytes, sizeof bytes, "0x89010000000000000000"));
    CHECK(!rlp_u64(&r, &small) && rlp_u256(&r, &v));
}

/* Every prefix of a good encoding is a bad one. */
static void truncation(void)
{
    struct buf items = BUF_INIT(4096), out = BUF_INIT(4096);
    static const uint8_t payload_bytes[300];

    rlp_add_bytes(&items, payload_bytes, sizeof payload_bytes);
    rlp_add_list(&out, &items);
    for (size_t n = 0; n < out.len; n++) {
        struct rlp r = rlp_reader(out.data, n), list;

        CHECK(!rlp_list(&r, &list));
    }
    buf_free(&items);
    buf_free(&out);
}

static void an_overflow_travels_up(void)
{
    struct buf items = BUF_INIT(2), out = BUF_INIT(100);

    rlp_add_bytes(&items, "abc", 3);
    rlp_add_list(&out, &items);
    CHECK(items.overflow && out.overflow);
    buf_free(&items);
    buf_free(&out);
}

TEST_MAIN(TEST(values), TEST(integers), TEST(strings_that_are_not_canonical),
          TEST(lists_that_are_not_canonical), TEST(integers_that_are_not_minimal), TEST(truncation),
          TEST(an_overflow_travels_up))
