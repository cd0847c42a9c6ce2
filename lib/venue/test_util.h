/* Shared by the tests of a family's calls: an encoded call, read back by trade_read_evm on Ethereum. */
#ifndef VENUE_TEST_UTIL_H
#define VENUE_TEST_UTIL_H

#include "base/test.h"
#include "chain/evm/abi.h"
#include "chain/tokens.h"
#include "codec/hex.h"
#include "venue/trade.h"

static const char AT_USDC[] = "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48",
                  AT_WETH[] = "0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2",
                  AT_USDT[] = "0xdAC17F958D2ee523a2206206994597C13D831ec7",
                  AT_COIN[] = "0x0000000000000000000000000000000000000000",
                  AT_WALLET[] = "0x1111111111111111111111111111111111111111",
                  AT_OTHER[] = "0x2222222222222222222222222222222222222222";

static inline struct evm_addr address(const char *text)
{
    struct evm_addr a = { { 0 } };

    CHECK(evm_addr_parse(&a, text));
    return a;
}

static inline enum trade_reading read_sent(struct trade *t, const char *to, uint64_t value,
                                           const uint8_t *data, size_t n)
{
    struct evm_tx tx = { .chain_id = 1, .to = address(to), .value = u256_from_u64(value) };
    uint8_t *exact = malloc(n + 1); /* so that a sanitizer sees a read past the end */
    enum trade_reading got;

    memcpy(exact, data, n);
    tx.data = exact;
    tx.data_len = n;
    got = trade_read_evm(t, chain_by_id(1), &tx, AT_WALLET, NO_PROOF);
    free(exact);
    return got;
}

static inline enum trade_reading read_call(struct trade *t, const char *to, uint64_t value,
                                           const struct buf *data)
{
    return read_sent(t, to, value, (const uint8_t *)data->data, data->len);
}

static inline void check_hex(const struct buf *b, const char *want)
{
    uint8_t bytes[1024];
    size_t n;

    CHECK(hex_decode_0x(bytes, sizeof bytes, &n, want) && n == b->len && memcmp(bytes, b->data, n) == 0);
}

static inline bool equals(struct u256 v, uint64_t want)
{
    return u256_cmp(v, u256_from_u64(want)) == 0;
}

/* With any byte missing or added, the call is unreadable. */
static inline void check_whole(const char *to, uint64_t value, const struct buf *data)
{
    struct buf more = BUF_INIT(4096);
    struct trade t;

    CHECK(read_call(&t, to, value, data) == TRADE_READ);
    for (size_t n = ABI_SELECTOR; n < data->len; n++)
        CHECK(read_sent(&t, to, value, (const uint8_t *)data->data, n) == TRADE_UNREADABLE);
    buf_add(&more, data->data, data->len);
    for (int i = 0; i < 2 * ABI_WORD; i++) {
        buf_addc(&more, 0);
        CHECK(read_call(&t, to, value, &more) == TRADE_UNREADABLE);
    }
    buf_free(&more);
}

#endif
