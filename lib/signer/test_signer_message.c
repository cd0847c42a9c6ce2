#include "signer/signer_message.c"

#include "keys/test_util.h"

static const uint8_t tx[] = { 0xc3, 1, 2, 3 }, proof[] = { 7, 8, 9 }, record[] = { 1, 2 };

static struct signer_request request_of(enum signer_op op)
{
    struct signer_request rq = { .op = op, .wallet = test_wallet("0xabc") };

    memset(rq.sealed, 0x33, sizeof rq.sealed);
    rq.payload = tx;
    rq.payload_len = sizeof tx;
    rq.proof = proof;
    rq.proof_len = sizeof proof;
    rq.payee = (struct allowlist_address){ { { 5 } }, CHAIN_SOLANA, "So1" };
    rq.record = record;
    rq.record_len = sizeof record;
    return rq;
}

static struct buf written(const struct signer_request *rq)
{
    struct buf b = BUF_INIT(SIGNER_MAX_MESSAGE);

    signer_request_write(&b, rq);
    CHECK(!b.overflow);
    return b;
}

static bool request_reads(const struct buf *b, size_t n)
{
    struct signer_request rq;
    uint8_t *exact = malloc(n + 1); /* so that a sanitizer sees a read past the end */
    bool ok;

    memcpy(exact, b->data, n);
    ok = signer_request_read(&rq, exact, n);
    free(exact);
    return ok;
}

static void far_wallet_comes_along(enum signer_op op)
{
    static const struct wallet far = {
        .ref = { .wallet = { { 5 } }, .kind = WALLET_SOLANA, .address = "So1" }, .sealed = { 7, 8 }
    };
    struct signer_request rq = request_of(op), got;
    struct buf b = written(&rq);
    size_t without = b.len;

    buf_free(&b);
    signer_show_far(&rq, &far);
    b = written(&rq);
    CHECK(signer_request_read(&got, (const uint8_t *)b.data, b.len) && got.has_far_wallet);
    CHECK(memcmp(&got.far_wallet.agent, &rq.wallet.agent, UUID_LEN) == 0);
    CHECK(memcmp(&got.far_wallet.wallet, &far.ref.wallet, UUID_LEN) == 0);
    CHECK(got.far_wallet.kind == WALLET_SOLANA && memcmp(got.far_sealed, far.sealed, SEALED_LEN) == 0);
    CHECK_STR(got.far_wallet.address, "So1");
    for (size_t n = without + 1; n < b.len; n++)
        CHECK(!request_reads(&b, n));
    CHECK(request_reads(&b, without));
    buf_addc(&b, 0);
    CHECK(!request_reads(&b, b.len));
    buf_free(&b);
    rq.op = SIGNER_SIGN_MESSAGE; /* which no bridge is */
    b = written(&rq);
    CHECK(signer_request_read(&got, (const uint8_t *)b.data, b.len) && !got.has_far_wallet);
    buf_free(&b);
}

static void a_far_wallet_comes_along(void)
{
    far_wallet_comes_along(SIGNER_SIGN);
    far_wallet_comes_along(SIGNER_SIGN_ACTION);
}

static void requests_come_back(void)
{
    struct signer_request rq = request_of(SIGNER_SIGN), got;
    struct buf b = written(&rq);

    CHECK(signer_request_read(&got, (const uint8_t *)b.data, b.len));
    CHECK(got.op == SIGNER_SIGN && got.wallet.kind == WALLET_EVM);
    CHECK(memcmp(&got.wallet.wallet, &rq.wallet.wallet, UUID_LEN) == 0);
    CHECK(memcmp(&got.wallet.agent, &rq.wallet.agent, UUID_LEN) == 0);
    CHECK_STR(got.wallet.address, "0xabc");
    CHECK(memcmp(got.sealed, rq.sealed, sizeof got.sealed) == 0);
    CHECK(got.family == CHAIN_EVM);
    CHECK(got.payload_len == sizeof tx && memcmp(got.payload, tx, sizeof tx) == 0);
    CHECK(got.proof_len == sizeof proof && memcmp(got.proof, proof, sizeof proof) == 0);
    buf_free(&b);
    rq = request_of(SIGNER_CREATE);
    b = written(&rq);
    CHECK(signer_request_read(&got, (const uint8_t *)b.data, b.len));
    CHECK(got.op == SIGNER_CREATE && memcmp(&got.wallet.agent, &rq.wallet.agent, UUID_LEN) == 0);
    CHECK_STR(got.wallet.address, "");
    buf_free(&b);
}

static void requests_about_addresses_come_back(void)
{
    struct signer_request rq = request_of(SIGNER_ALLOW_ADDRESS), got;
    struct buf b = written(&rq);

    CHECK(signer_request_read(&got, (const uint8_t *)b.data, b.len) && !got.has_operator_mac);
    CHECK(got.payee.agent.bytes[0] == 5 && got.payee.type == CHAIN_SOLANA);
    CHECK_STR(got.payee.address, "So1");
    buf_free(&b);
    rq.has_operator_mac = true;
    rq.operator_mac[HASH_LEN - 1] = 9;
    b = written(&rq);
    CHECK(signer_request_read(&got, (const uint8_t *)b.data, b.len) && got.has_operator_mac &&
          got.operator_mac[HASH_LEN - 1] == 9 && !request_reads(&b, b.len - 1));
    buf_addc(&b, 0);
    CHECK(!request_reads(&b, b.len));
    buf_free(&b);
    rq = request_of(SIGNER_REMOVE_ADDRESS);
    b = written(&rq);
    CHECK(signer_request_read(&got, (const uint8_t *)b.data, b.len) && got.record_len == sizeof record &&
          memcmp(got.record, record, sizeof record) == 0);
    CHECK_STR(got.payee.address, "So1");
    buf_free(&b);
    rq = request_of(SIGNER_SIGN_WITHDRAWAL);
    b = written(&rq);
    CHECK(signer_request_read(&got, (const uint8_t *)b.data, b.len) && got.record_len == sizeof record &&
          got.payload_len == sizeof tx && got.proof_len == sizeof proof);
    CHECK_STR(got.wallet.address, "0xabc");
    buf_free(&b);
}

static void every_truncation_is_refused(void)
{
    static const enum signer_op ops[] = { SIGNER_PING,
                                          SIGNER_CREATE,
                                          SIGNER_SIGN,
                                          SIGNER_SIGN_TRANSFER,
                                          SIGNER_ALLOW_ADDRESS,
                                          SIGNER_REMOVE_ADDRESS,
                                          SIGNER_SIGN_WITHDRAWAL,
                                          SIGNER_SIGN_ACTION };

    for (size_t i = 0; i < sizeof ops / sizeof ops[0]; i++) {
        struct signer_request rq = request_of(ops[i]);
        struct buf b = written(&rq);

        for (size_t n = 0; n < b.len; n++)
            CHECK(!request_reads(&b, n));
        CHECK(request_reads(&b, b.len));
        buf_addc(&b, 0);
        CHECK(!request_reads(&b, b.len));
        buf_free(&b);
    }
}

static bool reads_with(size_t at, uint8_t v)
{
    struct signer_request rq = request_of(SIGNER_SIGN);
    struct buf b = written(&rq);
    bool ok;

    b.data[at] = (char)v;
    ok = request_reads(&b, b.len);
    buf_free(&b);
    return ok;
}

static void unknown_values_are_refused(void)
{
    enum { KIND = 2 + 2 * UUID_LEN, ADDRESS_LEN, ADDRESS, FAMILY = ADDRESS + 5 + SEALED_LEN };

    CHECK(reads_with(0, 2) && !reads_with(0, 0) && !reads_with(0, 1));
    CHECK(!reads_with(1, 0) && !reads_with(1, 4) && !reads_with(1, 255));
    CHECK(reads_with(KIND, WALLET_SOLANA) && reads_with(KIND, WALLET_TRADING));
    CHECK(!reads_with(KIND, 0) && !reads_with(KIND, WALLET_TRADING + 1));
    CHECK(!reads_with(ADDRESS_LEN, 4) && !reads_with(ADDRESS_LEN, 64) && !reads_with(ADDRESS_LEN, 255));
    CHECK(!reads_with(ADDRESS, '\0'));
    CHECK(reads_with(FAMILY, CHAIN_TON) && !reads_with(FAMILY, CHAIN_TON + 1));
}

static void payload_sizes(void)
{
    struct signer_request rq = request_of(SIGNER_SIGN);
    struct buf b = BUF_INIT(2 * SIGNER_MAX_MESSAGE);
    uint8_t *large = calloc(1, MAX_TX + 1);

    rq.payload = large;
    rq.payload_len = MAX_TX;
    rq.proof = large;
    rq.proof_len = PROOF_MAX;
    signer_request_write(&b, &rq);
    CHECK(!b.overflow && b.len <= SIGNER_MAX_MESSAGE && request_reads(&b, b.len));
    buf_reset(&b);
    rq.proof_len = PROOF_MAX + 1;
    signer_request_write(&b, &rq);
    CHECK(b.overflow);
    buf_free(&b);
    b = (struct buf)BUF_INIT(2 * SIGNER_MAX_MESSAGE);
    rq.proof_len = 0;
    rq.payload_len = MAX_TX + 1;
    signer_request_write(&b, &rq);
    CHECK(b.overflow);
    buf_free(&b);
    rq.payload_len = 0;
    b = written(&rq);
    CHECK(!request_reads(&b, b.len));
    buf_free(&b);
    free(large);
}

static void answers_come_back(void)
{
    struct signer_answer an = { .status = SIGNER_OK, .address = "0xdef" }, got;
    struct buf b = BUF_INIT(512);

    memset(an.sealed, 0x44, sizeof an.sealed);
    an.sig.len = SIGNATURE_MAX;
    memset(an.sig.bytes, 0x55, sizeof an.sig.bytes);
    signer_answer_write(&b, &an);
    CHECK(signer_answer_read(&got, (const uint8_t *)b.data, b.len) && got.status == SIGNER_OK);
    CHECK_STR(got.address, "0xdef");
    CHECK(memcmp(got.sealed, an.sealed, sizeof got.sealed) == 0 && got.sig.len == SIGNATURE_MAX &&
          memcmp(got.sig.bytes, an.sig.bytes, SIGNATURE_MAX) == 0);
    for (size_t n = 0; n < b.len; n++)
        CHECK(!signer_answer_read(&got, (const uint8_t *)b.data, n));
    buf_addc(&b, 0);
    CHECK(!signer_answer_read(&got, (const uint8_t *)b.data, b.len));
    b.data[b.len - 2 - SIGNATURE_MAX] = SIGNATURE_MAX + 1; /* the bytes are there */
    CHECK(!signer_answer_read(&got, (const uint8_t *)b.data, b.len));
    buf_free(&b);
}

static void records_come_back(void)
{
    struct signer_answer an = { .status = SIGNER_OK }, got;
    struct buf b = BUF_INIT(SIGNER_MAX_ANSWER);
    size_t without;

    signer_answer_write(&b, &an);
    without = b.len;
    buf_reset(&b);
    an.record.len = ADDRESS_RECORD_MAX;
    memset(an.record.bytes, 0x66, sizeof an.record.bytes);
    an.wait_s = 86400;
    signer_answer_write(&b, &an);
    CHECK(signer_answer_read(&got, (const uint8_t *)b.data, b.len) && got.wait_s == 86400 &&
          got.record.len == ADDRESS_RECORD_MAX &&
          memcmp(got.record.bytes, an.record.bytes, ADDRESS_RECORD_MAX) == 0);
    for (size_t n = without + 1; n < b.len; n++)
        CHECK(!signer_answer_read(&got, (const uint8_t *)b.data, n));
    CHECK(signer_answer_read(&got, (const uint8_t *)b.data, without) && got.record.len == 0);
    buf_free(&b);
}

static void refusals_carry_their_rule(void)
{
    static const uint8_t refused[] = { 2, SIGNER_REFUSED, RULE_CALL }, away[] = { 2, SIGNER_AWAY, RULE_NONE },
                         unknown[] = { 2, SIGNER_REFUSED, RULES };
    struct signer_answer an = { .status = SIGNER_REFUSED, .rule = RULE_CALL }, got;
    struct buf b = BUF_INIT(512);

    signer_answer_write(&b, &an);
    CHECK(b.len == sizeof refused && memcmp(b.data, refused, sizeof refused) == 0);
    CHECK(signer_answer_read(&got, refused, sizeof refused) && got.status == SIGNER_REFUSED &&
          got.rule == RULE_CALL);
    /* An older signer says none. */
    CHECK(signer_answer_read(&got, refused, sizeof refused - 1) && got.rule == RULE_NONE);
    CHECK(!signer_answer_read(&got, unknown, sizeof unknown));
    CHECK(!signer_answer_read(&got, away, sizeof away)); /* only a client comes to that conclusion */
    buf_free(&b);
}

TEST_MAIN(TEST(requests_come_back), TEST(requests_about_addresses_come_back), TEST(records_come_back),
          TEST(a_far_wallet_comes_along), TEST(every_truncation_is_refused), TEST(unknown_values_are_refused),
          TEST(payload_sizes), TEST(answers_come_back), TEST(refusals_carry_their_rule))
