/* Messages that the venue's own libraries signed, sent whole through the signer, which gives the same
 * signatures, or refuses those that no wallet of the gateway signs. */
#include "signer/answer.c"

#include "venue/test_polymarket_rows.h"

#include "keys/test_util.h"

static struct test_dir dir;
static struct keyring *ring;
static const struct limits no_limits;
static struct signer_state state;

static void signer_begin(void)
{
    char why[512];

    CHECK(secrets_init() && sign_init());
    test_dir_make(&dir);
    CHECK(keyring_create(dir.keys, why, sizeof why));
    ring = keyring_load(dir.keys, why, sizeof why);
    CHECK(ring != NULL);
    state = (struct signer_state){
        .keyring = ring, .limits = &no_limits, .wallets = -1, .kill_switch = -1, .polymarket.trading = true
    };
}

static void signer_end(void)
{
    clock_fake_ms(0);
    keyring_free(ring);
    test_dir_remove(&dir);
}

/* The signer's answer with the row's key. */
static struct signer_answer vector_answer(const json_t *row, const struct polymarket_message *m)
{
    struct buf payload = BUF_INIT(POLYMARKET_MESSAGE_MAX), packet = BUF_INIT(SIGNER_MAX_MESSAGE);
    struct signer_request rq = { .op = SIGNER_SIGN_MESSAGE };
    char address[EVM_ADDR_TEXT_LEN + 1];
    struct secret *key = test_key(row);
    struct signer_answer an;
    uint8_t pub[65];

    CHECK(sign_secp256k1_pubkey(pub, key));
    evm_addr_text(address, evm_addr_of_pubkey(pub));
    rq.wallet = test_wallet(address);
    CHECK(seal_key(rq.sealed, ring, &rq.wallet, key));
    polymarket_message_write(&payload, m);
    rq.payload = (const uint8_t *)payload.data;
    rq.payload_len = payload.len;
    signer_request_write(&packet, &rq);
    signer_answer_to(&an, &state, (const uint8_t *)packet.data, packet.len);
    if (an.status == SIGNER_OK) {
        CHECK(an.sig.len == 65);
        an.sig.bytes[64] = (uint8_t)(an.sig.bytes[64] + 27);
    }
    buf_free(&packet);
    buf_free(&payload);
    secret_free(key);
    return an;
}

static bool is_vectors(const struct signer_answer *an, const json_t *row)
{
    size_t n;
    const uint8_t *want = test_bytes(row, "signature", &n);

    return an->status == SIGNER_OK && n == an->sig.len && memcmp(an->sig.bytes, want, n) == 0;
}

static bool is_zero_hash(const json_t *row, const char *name)
{
    return strspn(test_text(row, name) + 2, "0") == 2 * HASH_LEN;
}

/* Proxies, Safes and what bears metadata are none of ours, and the deposit wallets are none that follow from
 * these keys. */
static bool order_is_signed(const json_t *order)
{
    return json_integer_value(json_object_get(order, "signatureType")) == POLYMARKET_EOA &&
           is_zero_hash(order, "metadata");
}

/* Whether the key's `sig` makes the row's signature. */
static bool is_order_signature(const json_t *row, const struct polymarket_message *m,
                               const uint8_t sig[static 65])
{
    struct buf got = BUF_INIT(POLYMARKET_SIGNATURE_MAX);
    size_t n;
    const uint8_t *want = test_bytes(row, "signature", &n);
    bool same;

    polymarket_order_signature(&got, m->exchange, &m->order, sig);
    same = got.len == n && memcmp(got.data, want, n) == 0;
    buf_free(&got);
    return same;
}

static void check_order(const json_t *row)
{
    const json_t *text = json_object_get(row, "order");
    struct polymarket_message m = { .kind = POLYMARKET_ORDER, .exchange = row_exchange(row) };
    struct signer_answer an;

    m.order = row_order(text);
    memcpy(state.polymarket.builder, m.order.builder, HASH_LEN);
    an = vector_answer(row, &m);
    if (order_is_signed(text))
        CHECK(an.status == SIGNER_OK && is_order_signature(row, &m, an.sig.bytes) == row_is_of_polygon(row));
    else
        CHECK(an.status == SIGNER_REFUSED);
}

static void orders_of_the_vectors(void)
{
    const json_t *row;
    size_t i, signed_ones = 0;

    signer_begin();
    json_array_foreach(test_section("orders"), i, row)
    {
        check_order(row);
        signed_ones += order_is_signed(json_object_get(row, "order"));
    }
    CHECK(i == 43 && signed_ones == 35);
    signer_end();
}

/* The envelope by a key with another deposit wallet, which the rules refuse. */
static void envelopes_of_the_vectors(void)
{
    const json_t *row;
    size_t i, tried = 0;

    signer_begin();
    json_array_foreach(test_section("orders"), i, row)
    {
        struct polymarket_message m = { .kind = POLYMARKET_ORDER, .exchange = row_exchange(row) };
        struct secret *key = test_key(row);
        uint8_t digest[HASH_LEN], sig[65];

        m.order = row_order(json_object_get(row, "order"));
        polymarket_message_digest(digest, &m, m.order.signer);
        CHECK(sign_secp256k1(sig, digest, key));
        sig[64] = (uint8_t)(sig[64] + 27);
        CHECK(is_order_signature(row, &m, sig) == row_is_of_polygon(row));
        tried += m.order.signature_type == POLYMARKET_DEPOSIT_WALLET;
        secret_free(key);
    }
    CHECK(tried == 3);
    signer_end();
}

/* A signature for one exchange, or of other amounts, is none for another. */
static void signatures_that_the_vectors_reject(void)
{
    const json_t *first = json_array_get(test_section("orders"), 0), *bad = test_section("reject"), *row;
    struct polymarket_message m = { .kind = POLYMARKET_ORDER };
    struct signer_answer an;
    size_t i;

    signer_begin();
    m.order = row_order(json_object_get(first, "order"));
    an = vector_answer(first, &m);
    CHECK(is_vectors(&an, first) && !is_vectors(&an, json_array_get(bad, 0)));
    json_array_foreach(bad, i, row)
    {
        if (i == 0)
            continue;
        m.exchange = i == 1 ? POLYMARKET_NEG_RISK : i == 2 ? POLYMARKET_V3 : POLYMARKET_V2;
        if (json_object_get(row, "order") != NULL)
            m.order = row_order(json_object_get(row, "order"));
        an = vector_answer(first, &m);
        CHECK(an.status == SIGNER_OK && !is_vectors(&an, row));
    }
    CHECK(i == 4);
    signer_end();
}

static void credentials_of_the_vectors(void)
{
    const json_t *row;
    size_t i, of_polygon = 0;

    signer_begin();
    json_array_foreach(test_section("clob_auth"), i, row)
    {
        const struct polymarket_message m = {
            .kind = POLYMARKET_AUTH,
            .auth_timestamp = (uint64_t)json_integer_value(json_object_get(row, "timestamp")),
            .auth_nonce = (uint64_t)json_integer_value(json_object_get(row, "nonce")),
        };
        struct signer_answer an = vector_answer(row, &m);

        CHECK(an.status == SIGNER_OK && is_vectors(&an, row) == row_is_of_polygon(row));
        of_polygon += row_is_of_polygon(row);
    }
    CHECK(i == 6 && of_polygon == 4);
    signer_end();
}

/* An unbounded allowance is refused, and an empty batch is no message. */
static void batches_of_the_vectors(void)
{
    static const struct {
        const char *name;
        enum signer_status status;
    } wanted[] = { { "approve-pusd-two-exchanges", SIGNER_REFUSED },
                   { "approve-outcome-tokens", SIGNER_OK },
                   { "single-exact-approval", SIGNER_OK },
                   { "empty", SIGNER_BAD_MESSAGE } };
    const json_t *rows = test_section("deposit_wallet_batches");

    signer_begin();
    CHECK(json_array_size(rows) == sizeof wanted / sizeof wanted[0]);
    for (size_t i = 0; i < sizeof wanted / sizeof wanted[0]; i++) {
        const json_t *row = json_array_get(rows, i);
        struct polymarket_message m = { .kind = POLYMARKET_BATCH };
        struct signer_answer an;

        CHECK_STR(test_text(row, "name"), wanted[i].name);
        m.batch = row_batch(row, m.calls);
        clock_fake_ms((int64_t)(m.batch.deadline - 900) * 1000);
        an = vector_answer(row, &m);
        CHECK(an.status == wanted[i].status && is_vectors(&an, row) == (an.status == SIGNER_OK));
        clock_fake_ms((int64_t)(m.batch.deadline - 901) * 1000);
        CHECK(vector_answer(row, &m).status != SIGNER_OK);
    }
    signer_end();
}

TEST_MAIN(TEST(orders_of_the_vectors), TEST(envelopes_of_the_vectors),
          TEST(signatures_that_the_vectors_reject), TEST(credentials_of_the_vectors),
          TEST(batches_of_the_vectors))
