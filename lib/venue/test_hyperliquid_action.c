#include "venue/hyperliquid_action.c"

#include "codec/packet.h"
#include "venue/test_hyperliquid_rows.h"

static const char *digest_hex(const struct hyperliquid_action *a)
{
    uint8_t digest[HASH_LEN];

    hyperliquid_action_digest(digest, a);
    return test_hex(digest, sizeof digest);
}

static const char *json_text(struct buf *b, const struct hyperliquid_action *a)
{
    buf_reset(b);
    hyperliquid_action_json(b, a);
    return buf_text(b);
}

/* r, s, 27 or 28 of a row. */
static void row_signature(uint8_t out[static 65], const json_t *row)
{
    size_t n;

    memcpy(out, test_bytes(row, "r", &n), 32);
    memcpy(out + 32, test_bytes(row, "s", &n), 32);
    out[64] = (uint8_t)row_u64(row, "v");
}

static void check_trading(const json_t *row, struct hyperliquid_action *a)
{
    const json_t *signatures = json_object_get(row, "signatures"),
                 *mainnet = json_object_get(signatures, "mainnet");
    struct buf b = BUF_INIT(HYPERLIQUID_ACTION_MAX), packed = BUF_INIT(HYPERLIQUID_ACTION_MAX);
    struct fields f = { .packed = &packed };
    uint8_t sig[65], hash[HASH_LEN];

    CHECK_STR(json_text(&b, a), test_text(row, "action_json"));
    put_trading(&f, a);
    CHECK_STR(test_hex(packed.data, packed.len), test_text(row, "msgpack"));
    trading_hash(hash, a);
    CHECK_STR(test_hex(hash, sizeof hash), test_text(row, "connection_id"));
    CHECK_STR(digest_hex(a), test_text(mainnet, "digest"));
    row_signature(sig, mainnet);
    buf_reset(&b);
    hyperliquid_body(&b, a, sig);
    CHECK_STR(buf_text(&b), test_text(row, "request_body"));
    a->testnet = true;
    CHECK_STR(digest_hex(a), test_text(json_object_get(signatures, "testnet"), "digest"));
    buf_free(&b);
    buf_free(&packed);
}

/* The gateway has no action for rows that cancel by another name, modify, act for a vault, or pay a
 * builder. */
static void trading_of_the_vectors(void)
{
    const json_t *row;
    size_t i, tried = 0;

    json_array_foreach(test_section("l1_actions"), i, row)
    {
        struct hyperliquid_action a;

        if (!row_action(&a, row))
            continue;
        check_trading(row, &a);
        tried++;
    }
    CHECK(i == 54 && tried == 22);
}

static void actions_of_owners_match_the_vectors(void)
{
    struct buf b = BUF_INIT(HYPERLIQUID_ACTION_MAX);
    const json_t *row;
    size_t i, tried = 0;

    json_array_foreach(test_section("user_signed"), i, row)
    {
        struct hyperliquid_action a;

        if (!row_action(&a, row))
            continue;
        CHECK_STR(json_text(&b, &a), test_text(row, "action_json"));
        CHECK_STR(digest_hex(&a), test_text(row, "digest"));
        tried++;
    }
    CHECK(i == 14 && tried == 10);
    buf_free(&b);
}

/* The digests are those of ethers, as the vectors have none of these. */
static void sends_to_chains(void)
{
    static const struct {
        bool testnet, from_spot;
        uint32_t domain;
        const char *digest;
    } rows[] = {
        { false, false, 3, "0xf77bf33f404031a63314d6050d2cb28ba60e770dda94952da293c50482f753a6" },
        { false, true, 6, "0x6aec67cd98621599a940b0a35c5eafd054da095d22df4d7a58f277cb45d06bfd" },
        { true, false, 3, "0x785aea9ce2a08b9cf51ec7ff8d9545ac89766a6177674e3947fa9fbf33d0b0b1" },
        { true, true, 6, "0x80edc93f91c445ea1857b856afae3515fb3c4563b2462fb92a953fc7b0ecce0a" },
    };
    struct hyperliquid_action a = { .kind = HYPERLIQUID_SEND, .nonce = 1790000000123 };
    struct buf b = BUF_INIT(HYPERLIQUID_ACTION_MAX);

    a.transfer = (struct hyperliquid_transfer){ .amount = 5501000000, .gas_limit = 200000 };
    a.transfer.recipient = evm_addr_or_zero("0x3744d263964a4242b9615dfd4d8528b864422f23");
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        a.testnet = rows[i].testnet;
        a.transfer.from_spot = rows[i].from_spot;
        a.transfer.domain = rows[i].domain;
        CHECK_STR(digest_hex(&a), rows[i].digest);
    }
    CHECK_STR(json_text(&b, &a),
              "{\"type\":\"sendToEvmWithData\",\"signatureChainId\":\"0x66eee\",\"hyperliquidChain\":"
              "\"Testnet\",\"token\":\"USDC\",\"amount\":\"55.01\",\"sourceDex\":\"spot\","
              "\"destinationRecipient\":\"0x3744d263964a4242b9615dfd4d8528b864422f23\","
              "\"addressEncoding\":\"hex\",\"destinationChainId\":6,\"gasLimit\":200000,\"data\":\"0x\","
              "\"nonce\":1790000000123}");
    buf_free(&b);
}

static void approvals_that_end(void)
{
    struct hyperliquid_action a = { .kind = HYPERLIQUID_APPROVE, .nonce = 1790000000123 };
    struct buf b = BUF_INIT(HYPERLIQUID_ACTION_MAX);

    a.approval = (struct hyperliquid_approval){ .name = "gateway", .valid_until = 1805552000123 };
    a.approval.key = evm_addr_or_zero("0x3744d263964a4242b9615dfd4d8528b864422f23");
    CHECK_STR(digest_hex(&a), "0x5e54172f75a97713998377275f85706c58cf262f9d5c969a8bb20cc16ee83a03");
    CHECK(strstr(json_text(&b, &a), "\"agentName\":\"gateway valid_until 1805552000123\"") != NULL);
    a.testnet = true;
    CHECK_STR(digest_hex(&a), "0x17da2f055ceb2682763b566166f8485105989f3881f60444a6774e7537cde7cd");
    buf_free(&b);
}

/* All members at their widest, as many as there may be. */
static void the_largest_fits(void)
{
    struct hyperliquid_action a = { .kind = HYPERLIQUID_ORDER, .count = HYPERLIQUID_ORDERS_MAX };
    struct buf b = BUF_INIT(HYPERLIQUID_ACTION_MAX), packed = BUF_INIT(HYPERLIQUID_ACTION_MAX);
    struct fields f = { .packed = &packed };
    const uint8_t sig[65] = { 0 };

    a.nonce = a.expires_after = UINT64_MAX;
    a.grouping = HYPERLIQUID_OF_A_POSITION;
    for (size_t i = 0; i < a.count; i++)
        a.orders[i] = (struct hyperliquid_order){ .asset = UINT32_MAX,
                                                  .price = UINT64_MAX,
                                                  .size = UINT64_MAX,
                                                  .kind = HYPERLIQUID_STOP_LOSS,
                                                  .trigger_price = UINT64_MAX,
                                                  .has_cloid = true };
    hyperliquid_body(&b, &a, sig);
    put_trading(&f, &a);
    packet_put_u64(&packed, 0);
    packet_put_u64(&packed, 0);
    CHECK(!b.overflow && !packed.overflow && packed.len + 2 <= packed.max);
    buf_free(&b);
    buf_free(&packed);
}

TEST_MAIN(TEST(trading_of_the_vectors), TEST(actions_of_owners_match_the_vectors), TEST(sends_to_chains),
          TEST(approvals_that_end), TEST(the_largest_fits))
