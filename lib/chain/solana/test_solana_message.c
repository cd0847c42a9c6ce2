#include "chain/solana/solana_message.c"

#define TEST_VECTORS "tests/vectors/solana.json"
#include "base/test.h"
#include "codec/base64.h"
#include "codec/test_vectors.h"

static const uint8_t *base64_member(const json_t *row, const char *name, size_t *n)
{
    const char *text = test_text(row, name);
    uint8_t *bytes = arena_alloc(test_arena, strlen(text) + 1);

    return base64_decode(bytes, strlen(text) + 1, n, text, strlen(text)) ? bytes : NULL;
}

static void numbers(void)
{
    const json_t *all = test_member("compact_u16"), *row;
    size_t i, n;

    json_array_foreach(json_object_get(all, "valid"), i, row)
    {
        const uint8_t *bytes = test_plain_bytes(row, "hex", &n);
        struct reader r = { bytes, n };
        struct buf out = BUF_INIT(8);
        unsigned v;

        CHECK(take_compact_u16(&r, &v) && r.left == 0);
        CHECK(v == json_integer_value(json_object_get(row, "value")));
        add_compact_u16(&out, v);
        CHECK(out.len == n && memcmp(out.data, bytes, n) == 0);
        buf_free(&out);
    }
    json_array_foreach(json_object_get(all, "must_refuse"), i, row)
    {
        const uint8_t *bytes = test_plain_bytes(row, "hex", &n);
        struct reader r = { bytes, n };
        unsigned v;

        CHECK(!take_compact_u16(&r, &v));
    }
}

static bool key_is(const struct solana_addr *key, const char *text)
{
    struct solana_addr want;

    return solana_addr_parse(&want, text) && solana_addr_eq(key, &want);
}

static bool places_are(const uint8_t *places, size_t n, const json_t *want)
{
    const json_t *place;
    size_t i;

    json_array_foreach(want, i, place) if (i >= n || places[i] != json_integer_value(place)) return false;
    return n == json_array_size(want);
}

static void lookups_are(const struct solana_tx *tx, const json_t *want)
{
    const json_t *row;
    size_t i;

    CHECK(tx->lookup_count == json_array_size(want));
    json_array_foreach(want, i, row)
    {
        const struct solana_lookup *l = &tx->lookups[i];

        CHECK(key_is(&l->table, test_text(row, "table")));
        CHECK(places_are(l->writable, l->writable_count, json_object_get(row, "writable")));
        CHECK(places_are(l->readonly, l->readonly_count, json_object_get(row, "readonly")));
    }
}

static void keys_are(const struct solana_tx *tx, const json_t *row)
{
    const json_t *keys = json_object_get(row, "static_account_keys"), *key;
    struct solana_addr signer;
    size_t i;

    CHECK(tx->key_count == json_array_size(keys));
    json_array_foreach(keys, i, key) CHECK(key_is(&tx->keys[i], json_string_value(key)));
    CHECK(tx->signers == json_integer_value(json_object_get(row, "num_required_signatures")));
    CHECK(tx->readonly_signers == json_integer_value(json_object_get(row, "num_readonly_signed")));
    CHECK(tx->readonly_others == json_integer_value(json_object_get(row, "num_readonly_unsigned")));
    CHECK(solana_addr_parse(&signer, test_text(row, "signer_address")));
    CHECK(solana_tx_signer(tx, &signer) == json_integer_value(json_object_get(row, "slot")));
}

static void read_transaction(const json_t *row, const char *member)
{
    size_t n = 0, message_len;
    const uint8_t *bytes = base64_member(row, member, &n),
                  *message = test_plain_bytes(row, "message_hex", &message_len);
    struct solana_tx tx;

    CHECK(bytes != NULL && solana_tx_read(&tx, bytes, n) == NULL);
    CHECK(tx.legacy == json_is_string(json_object_get(row, "version")));
    CHECK(tx.message_len == message_len && memcmp(tx.message, message, message_len) == 0);
    CHECK(key_is((const struct solana_addr *)tx.blockhash, test_text(row, "recent_blockhash")));
    keys_are(&tx, row);
    lookups_are(&tx, json_object_get(row, "lookup_tables"));
}

static void transactions(void)
{
    const json_t *row;
    size_t i;

    json_array_foreach(test_section("transactions"), i, row)
    {
        read_transaction(row, "unsigned_base64");
        read_transaction(row, "signed_base64");
    }
}

static bool is_refused(const json_t *row)
{
    size_t n = 0;
    const uint8_t *bytes = base64_member(row, "base64", &n);
    struct solana_addr signer;
    struct solana_tx tx;

    return bytes == NULL || solana_tx_read(&tx, bytes, n) != NULL ||
           !solana_addr_parse(&signer, test_text(row, "signer_address")) ||
           solana_tx_signer(&tx, &signer) < 0;
}

static void malformed(void)
{
    const json_t *row;
    size_t i;

    json_array_foreach(test_section("malformed"), i, row)
    {
        if (!is_refused(row))
            fprintf(stderr, "%s: taken\n", test_text(row, "name"));
        CHECK(is_refused(row));
    }
}

static void later_versions(void)
{
    static const uint8_t later[] = { 0x81, 1 };
    struct solana_tx tx;

    CHECK_STR(solana_tx_read(&tx, later, sizeof later), OTHER_VERSION);
}

/* ---- writing ---- */

static const struct solana_addr me = { { 1 } }, other = { { 2 } }, third = { { 3 } }, program = { { 9 } };
static const uint8_t blockhash[SOLANA_BLOCKHASH_LEN] = { 7 };

static void written_is_read(void)
{
    const struct solana_account accounts[] = { { third, false, false },
                                               { other, false, true },
                                               { me, true, false } };
    const struct solana_call call = { program, accounts, 3, (const uint8_t *)"data", 4 };
    struct buf out = BUF_INIT(MAX_TX);
    struct solana_tx tx;

    CHECK(solana_tx_write(&out, &me, &call, 1, blockhash));
    CHECK(solana_tx_read(&tx, (const uint8_t *)out.data, out.len) == NULL);
    CHECK(!tx.legacy && tx.signers == 1 && tx.readonly_signers == 0 && tx.readonly_others == 2);
    CHECK(tx.key_count == 4 && solana_tx_signer(&tx, &me) == 0 && solana_tx_signer(&tx, &other) == -1);
    CHECK(solana_addr_eq(&tx.keys[1], &other) && solana_addr_eq(&tx.keys[2], &third));
    CHECK(memcmp(tx.blockhash, blockhash, sizeof blockhash) == 0);
    CHECK(tx.instruction_count == 1 && tx.instructions[0].program == 3);
    CHECK(tx.instructions[0].account_count == 3 && memcmp(tx.instructions[0].accounts, "\2\1\0", 3) == 0);
    CHECK(tx.instructions[0].data_len == 4 && memcmp(tx.instructions[0].data, "data", 4) == 0);
    buf_free(&out);
}

static void too_large_is_not_written(void)
{
    static const uint8_t data[SOLANA_TX_MAX];
    const struct solana_call call = { program, NULL, 0, data, 1100 };
    struct buf out = BUF_INIT(MAX_TX);

    CHECK(!solana_tx_write(&out, &me, &call, 1, blockhash) && out.len == 0);
    buf_free(&out);
}

static void a_key_twice(void)
{
    const struct solana_account accounts[] = { { other, false, true }, { third, false, true } };
    const struct solana_call call = { program, accounts, 2, NULL, 0 };
    struct buf out = BUF_INIT(MAX_TX);
    struct solana_tx tx;

    CHECK(solana_tx_write(&out, &me, &call, 1, blockhash));
    for (size_t i = 0; i + 1 < out.len; i++)
        if (out.data[i] == 3 && out.data[i + 1] == 0 && i > 100)
            out.data[i] = 2;
    CHECK_STR(solana_tx_read(&tx, (const uint8_t *)out.data, out.len), "an account twice");
    buf_free(&out);
}

TEST_MAIN(TEST(numbers), TEST(transactions), TEST(malformed), TEST(later_versions), TEST(written_is_read),
          TEST(too_large_is_not_written), TEST(a_key_twice))
