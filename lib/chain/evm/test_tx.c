#include "base/test.h"
#include "chain/evm/tx.c"
#include "codec/hash.h"
#include "codec/test_vectors.h"

static uint64_t member_u64(const json_t *row, const char *name)
{
    const json_t *v = json_object_get(row, name);
    struct u256 wide = U256_ZERO;
    uint64_t out;

    if (json_is_integer(v))
        return (uint64_t)json_integer_value(v);
    CHECK(u256_parse(&wide, test_text(row, name)) && u256_to_u64(&out, wide));
    return wide.limb[0];
}

static struct u256 row_u256(const json_t *row, const char *name)
{
    struct u256 v = U256_ZERO;

    CHECK(u256_parse(&v, test_text(row, name)));
    return v;
}

static void access_list(struct buf *out, const json_t *list)
{
    const json_t *entry, *key;
    size_t i, k;

    json_array_foreach(list, i, entry)
    {
        struct buf keys = BUF_INIT(MAX_TX), both = BUF_INIT(MAX_TX);
        size_t n;

        json_array_foreach(json_object_get(entry, "storage_keys"), k, key)
        {
            uint8_t bytes[32];

            CHECK(hex_decode_0x(bytes, 32, &n, json_string_value(key)));
            rlp_add_bytes(&keys, bytes, 32);
        }
        rlp_add_bytes(&both, test_bytes(entry, "address", &n), EVM_ADDR_LEN);
        rlp_add_list(&both, &keys);
        rlp_add_list(out, &both);
        buf_free(&keys);
        buf_free(&both);
    }
}

static struct evm_tx tx_of(const json_t *row, struct buf *list)
{
    struct evm_tx tx = { .type = (enum evm_tx_type)member_u64(row, "type") };

    tx.chain_id = member_u64(row, "chain_id");
    tx.nonce = member_u64(row, "nonce");
    tx.gas_limit = member_u64(row, "gas_limit");
    tx.max_fee = row_u256(row, tx.type == EVM_TX_FEE_MARKET ? "max_fee_per_gas" : "gas_price");
    if (tx.type == EVM_TX_FEE_MARKET)
        tx.priority_fee = row_u256(row, "max_priority_fee_per_gas");
    tx.create = !json_is_string(json_object_get(row, "to"));
    CHECK(tx.create || evm_addr_parse(&tx.to, test_text(row, "to")));
    tx.value = row_u256(row, "value");
    tx.data = test_bytes(row, "data", &tx.data_len);
    access_list(list, json_object_get(row, "access_list"));
    tx.access_list = (const uint8_t *)list->data;
    tx.access_list_len = list->len;
    return tx;
}

static struct evm_sig sig_of(const json_t *row)
{
    struct evm_sig sig = { .y_parity = (uint8_t)member_u64(row, "y_parity") };
    size_t n;

    memcpy(sig.r, test_bytes(row, "r", &n), 32);
    memcpy(sig.s, test_bytes(row, "s", &n), 32);
    return sig;
}

static const char *keccak_hex(const struct buf *b)
{
    uint8_t hash[HASH_LEN];

    keccak256(hash, b->data, b->len);
    return test_hex(hash, sizeof hash);
}

static void check_vector(const json_t *row)
{
    struct buf list = BUF_INIT(MAX_TX), raw = BUF_INIT(MAX_TX), again = BUF_INIT(MAX_TX),
               sealed = BUF_INIT(MAX_TX);
    struct evm_tx tx = tx_of(row, &list), decoded;
    struct evm_sig sig = sig_of(row);

    evm_tx_unsigned(&raw, &tx);
    CHECK_STR(test_hex(raw.data, raw.len), test_text(row, "unsigned_raw"));
    CHECK_STR(keccak_hex(&raw), test_text(row, "signing_hash"));
    CHECK(evm_tx_decode_unsigned(&decoded, (const uint8_t *)raw.data, raw.len));
    CHECK(decoded.chain_id == tx.chain_id && decoded.nonce == tx.nonce && decoded.gas_limit == tx.gas_limit);
    CHECK(decoded.create == tx.create && evm_addr_eq(decoded.to, tx.to) && decoded.data_len == tx.data_len);
    evm_tx_unsigned(&again, &decoded);
    CHECK_STR(test_hex(again.data, again.len), test_text(row, "unsigned_raw"));
    evm_tx_signed(&sealed, &decoded, &sig);
    CHECK_STR(test_hex(sealed.data, sealed.len), test_text(row, "signed_raw"));
    CHECK_STR(keccak_hex(&sealed), test_text(row, "hash"));
    buf_free(&list);
    buf_free(&raw);
    buf_free(&again);
    buf_free(&sealed);
}

static void vectors(void)
{
    const json_t *row;
    size_t i;

    json_array_foreach(test_section("transactions"), i, row) check_vector(row);
}

/* Neither a prefix, nor anything behind, nor signed bytes pass for unsigned ones. */
static void lengths_are_strict(void)
{
    const json_t *row;
    size_t i;

    json_array_foreach(test_section("transactions"), i, row)
    {
        struct evm_tx tx;
        size_t n, sealed_len;
        const uint8_t *raw = test_bytes(row, "unsigned_raw", &n);
        const uint8_t *sealed = test_bytes(row, "signed_raw", &sealed_len);

        for (size_t len = 0; len < n; len++)
            CHECK(!evm_tx_decode_unsigned(&tx, raw, len));
        CHECK(!evm_tx_decode_unsigned(&tx, raw, n + 1)); /* test_bytes leaves a zero behind */
        CHECK(!evm_tx_decode_unsigned(&tx, sealed, sealed_len));
    }
}

static void other_forms_are_refused(void)
{
    static const struct {
        const char *what;
        const char *hex;
    } bad[] = {
        { "nothing", "0x" },
        { "a byte", "0x00" },
        { "a type only", "0x02" },
        { "an empty string", "0x80" },
        { "an empty list of type 2", "0x02c0" },
        { "an empty list", "0xc0" },
        { "an empty list of type 1", "0x01c0" },
        { "an empty list of type 3", "0x03c0" },
        { "an empty list of type 0", "0x00c0" },
        { "before EIP-155", "0xda8080809411111111111111111111111111111111111111118080" },
        { "chain id 0", "0xdd8080809411111111111111111111111111111111111111118080808080" },
        { "r is not zero", "0xdd8080809411111111111111111111111111111111111111118080010180" },
        { "s is not zero", "0xdd8080809411111111111111111111111111111111111111118080018001" },
        { "a member too many", "0xde808080941111111111111111111111111111111111111111808001808080" },
        { "`to` of 19 bytes", "0xdc80808093111111111111111111111111111111111111118080018080" },
        { "`to` of 21 bytes", "0xde808080951111111111111111111111111111111111111111018080018080" },
        { "a nonce with a leading zero", "0xdd0080809411111111111111111111111111111111111111118080018080" },
        { "a gas price with a leading zero",
          "0xdf80820001809411111111111111111111111111111111111111118080018080" },
        { "a value over 256 bits",
          "0xf83e808080941111111111111111111111111111111111111111a101000000000000000000000000000000000000000000000000000000000000000080018080" },
        { "a nonce over 64 bits",
          "0xe68901000000000000000080809411111111111111111111111111111111111111118080018080" },
        { "data is a list", "0xdd80808094111111111111111111111111111111111111111180c0018080" },
        { "chain id 0", "0x02dd80808080809411111111111111111111111111111111111111118080c0" },
        { "the access list is a string", "0x02dd0180808080941111111111111111111111111111111111111111808080" },
        { "its address has 19 bytes",
          "0x02f301808080809411111111111111111111111111111111111111118080d6d59311111111111111111111111111111111111111c0" },
        { "its key has 31 bytes",
          "0x02f85401808080809411111111111111111111111111111111111111118080f7f6941111111111111111111111111111111111111111e09f00000000000000000000000000000000000000000000000000000000000000" },
        { "its entry has a third member",
          "0x02f501808080809411111111111111111111111111111111111111118080d8d7941111111111111111111111111111111111111111c0c0" },
        { "its entry is a string",
          "0x02f201808080809411111111111111111111111111111111111111118080d5941111111111111111111111111111111111111111" },
        { "its entry has no keys",
          "0x02f301808080809411111111111111111111111111111111111111118080d6d5941111111111111111111111111111111111111111" },
        { "an unknown type", "0x03dd01808080809411111111111111111111111111111111111111118080c0" },
        { "a blob transaction without its members", "0x03c101" },
        { "type 0 is not written", "0x00dd8080809411111111111111111111111111111111111111118080018080" },
        { "type 1 with the members of type 2",
          "0x01dd01808080809411111111111111111111111111111111111111118080c0" },
    };
    uint8_t bytes[128];
    struct evm_tx tx;

    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        size_t n;

        CHECK(hex_decode_0x(bytes, sizeof bytes, &n, bad[i].hex));
        if (evm_tx_decode_unsigned(&tx, bytes, n))
            CHECK_STR("taken", bad[i].what);
    }
}

/* The same bytes without the fault, so that the refusals above have the reason that they name. */
static void their_sound_forms_are_taken(void)
{
    static const char *const good[] = {
        "0xdd8080809411111111111111111111111111111111111111118080018080",
        "0x02dd01808080809411111111111111111111111111111111111111118080c0",
        ("0x02f85601808080809411111111111111111111111111111111111111118080f838f7941111111111111111111111111111111111111111e1a00000000000000000000000000000000000000000000000000000000000000000"),
    };
    uint8_t bytes[128];
    struct evm_tx tx;
    size_t n;

    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        CHECK(hex_decode_0x(bytes, sizeof bytes, &n, good[i]));
        CHECK(evm_tx_decode_unsigned(&tx, bytes, n) && tx.chain_id == 1);
    }
}

TEST_MAIN(TEST(vectors), TEST(lengths_are_strict), TEST(other_forms_are_refused),
          TEST(their_sound_forms_are_taken))
