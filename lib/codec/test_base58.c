#include "codec/base58.c"

#define TEST_VECTORS "tests/vectors/solana.json"
#include "base/test.h"
#include "codec/test_vectors.h"

enum { MAX = 64 };

static const json_t *rows_of(const char *name)
{
    const json_t *rows = json_object_get(test_member("base58"), name);

    CHECK(json_array_size(rows) > 0);
    return rows;
}

static void both_ways(void)
{
    const json_t *row;
    size_t i;

    json_array_foreach(rows_of("encode_decode"), i, row)
    {
        char text[BASE58_LEN(MAX) + 1];
        uint8_t got[MAX + 1];
        size_t n, m = 99;
        const uint8_t *bytes = test_plain_bytes(row, "hex", &n);

        base58_encode(text, bytes, n);
        CHECK_STR(text, test_text(row, "base58"));
        CHECK(base58_decode(got, n, &m, text) && m == n && memcmp(got, bytes, n) == 0);
        CHECK(n == 0 || !base58_decode(got, n - 1, &m, text));
    }
}

static void refused(void)
{
    const json_t *row;
    uint8_t got[MAX];
    size_t i, n;

    json_array_foreach(rows_of("decode_must_fail"), i, row)
        CHECK(!base58_decode(got, sizeof got, &n, test_text(row, "text")));
}

/* Every length up to the largest, with the largest value: nothing is written past its room. */
static void room(void)
{
    uint8_t bytes[MAX], got[MAX];

    memset(bytes, 0xff, sizeof bytes);
    for (size_t n = 0; n <= MAX; n++) {
        char *text = malloc(BASE58_LEN(n) + 1);
        size_t m = 99;

        base58_encode(text, bytes, n);
        CHECK(base58_decode(got, n, &m, text) && m == n && memcmp(got, bytes, n) == 0);
        free(text);
    }
}

static void leading_zeros_beyond_the_room(void)
{
    uint8_t got[3] = { 7, 7, 7 };
    size_t m = 99;

    CHECK(!base58_decode(got, 2, &m, "111") && m == 99);
    CHECK(got[0] == 7 && got[1] == 7 && got[2] == 7);
}

TEST_MAIN(TEST(both_ways), TEST(refused), TEST(room), TEST(leading_zeros_beyond_the_room))
