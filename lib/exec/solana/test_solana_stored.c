#include "exec/solana/solana_stored.c"

#include "base/test.h"

static struct tx_hash hash_of(uint8_t first, uint8_t rest)
{
    struct tx_hash h = { .len = SOLANA_SIGNATURE_LEN };

    memset(h.bytes, rest, sizeof h.bytes);
    h.bytes[0] = first;
    return h;
}

static void hashes_there_and_back(void)
{
    const struct tx_hash rows[] = { hash_of(0, 1), hash_of(1, 0), hash_of(0xff, 0xff), hash_of(7, 9) };
    struct arena *a = arena_new();

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char *text = solana_hash_text(a, &rows[i]);
        struct tx_hash h;

        CHECK(strlen(text) >= 64 && strlen(text) <= 88);
        CHECK(solana_hash_read(&h, text) && tx_hash_equal(&h, &rows[i]));
    }
    arena_free(a);
}

/* The hash of a transfer in a block of the chain. */
static void a_hash_as_explorers_show_it(void)
{
    static const char text[] =
        "5VERv8NMvzbJMEkV8xnrLkEaWRtSz9CosKDYjCJjBRnbJLgp8uirBgmQpjKhoR4tjF3ZpRzrFmBV6UjKdiSZkQUW";
    struct arena *a = arena_new();
    struct tx_hash h;

    CHECK(solana_hash_read(&h, text) && h.len == 64);
    CHECK_STR(solana_hash_text(a, &h), text);
    arena_free(a);
}

static void signatures_of_another_length_are_rejected(void)
{
    uint8_t bytes[65];
    char shorter[BASE58_LEN(65) + 1], longer[BASE58_LEN(65) + 1];
    struct tx_hash h = hash_of(1, 1);

    memset(bytes, 3, sizeof bytes);
    base58_encode(shorter, bytes, 63);
    base58_encode(longer, bytes, 65);
    CHECK(!solana_hash_read(&h, shorter) && h.len == 0);
    CHECK(!solana_hash_read(&h, longer) && h.len == 0);
    CHECK(!solana_hash_read(&h, "") && !solana_hash_read(&h, "0x12"));
    CHECK(!solana_hash_read(&h, "11111111111111111111111111111111")); /* an address */
    CHECK(!solana_hash_read(
        &h, "5VERv8NMvzbJMEkV8xnrLkEaWRtSz9CosKDYjCJjBRnbJLgp8uirBgmQpjKhoR4tjF3ZpRzrFmBV6UjKdiSZkQUl"));
}

static void addresses_as_they_are_stored(void)
{
    static const uint8_t zeros[ADDRESS_BYTES_MAX];
    struct address_bytes out;

    solana_address_bytes(&out, "So11111111111111111111111111111111111111112");
    CHECK(out.len == 32 && out.bytes[0] == 0x06 && out.bytes[1] == 0x9b && out.bytes[31] == 0x01);
    solana_address_bytes(&out, "no address");
    CHECK(out.len == 32 && memcmp(out.bytes, zeros, sizeof out.bytes) == 0);
}

TEST_MAIN(TEST(hashes_there_and_back), TEST(a_hash_as_explorers_show_it),
          TEST(signatures_of_another_length_are_rejected), TEST(addresses_as_they_are_stored))
