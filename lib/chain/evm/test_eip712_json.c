#include "base/test.h"
#include "chain/evm/eip712_json.c"
#include "codec/test_vectors.h"

static json_t *typed_data_of(const json_t *row)
{
    return json_pack("{s:O,s:O,s:O,s:O}", "types", json_object_get(row, "types"), "primaryType",
                     json_object_get(row, "primary_type"), "domain", json_object_get(row, "domain"),
                     "message", json_object_get(row, "message"));
}

static void check_vector(const json_t *row)
{
    json_t *data = typed_data_of(row);
    const json_t *types = json_object_get(row, "types");
    const char *primary = test_text(row, "primary_type");
    char *type = eip712_encode_type(test_arena, types, primary);
    uint8_t hash[HASH_LEN];

    CHECK_STR(type, test_text(row, "encode_type"));
    keccak256(hash, type, strlen(type));
    CHECK_STR(test_hex(hash, sizeof hash), test_text(row, "type_hash"));
    CHECK(eip712_domain_separator(hash, test_arena, data));
    CHECK_STR(test_hex(hash, sizeof hash), test_text(row, "domain_separator"));
    CHECK(eip712_struct_hash(hash, test_arena, types, primary, json_object_get(row, "message")));
    CHECK_STR(test_hex(hash, sizeof hash), test_text(row, "struct_hash"));
    CHECK(eip712_digest(hash, test_arena, data));
    CHECK_STR(test_hex(hash, sizeof hash), test_text(row, "digest"));
    json_decref(data);
}

static void vectors(void)
{
    const json_t *row;
    size_t i;

    json_array_foreach(test_section("eip712"), i, row) check_vector(row);
}

static const char derived[] =
    "{\"types\":{\"X\":[{\"name\":\"v\",\"type\":\"uint256\"}]},\"primaryType\":\"X\",\"domain\":{\"name\":\"D\",\"chainId\":1},\"message\":{\"v\":1}}";

static bool digest_of(uint8_t out[static HASH_LEN], const char *text)
{
    json_t *data = json_loads(text, 0, NULL);
    bool ok = data != NULL && eip712_digest(out, test_arena, data);

    CHECK(data != NULL);
    json_decref(data);
    return ok;
}

/* A declared domain type with the same members, and the other ways to write a number, change nothing. */
static void forms_of_the_same(void)
{
    static const char *const same[] = {
        "{\"types\":{\"EIP712Domain\":[{\"name\":\"name\",\"type\":\"string\"},{\"name\":\"chainId\",\"type\":\"uint256\"}],\"X\":[{\"name\":\"v\",\"type\":\"uint256\"}]},\"primaryType\":\"X\",\"domain\":{\"name\":\"D\",\"chainId\":1},\"message\":{\"v\":1}}",
        "{\"types\":{\"X\":[{\"name\":\"v\",\"type\":\"uint256\"}]},\"primaryType\":\"X\",\"domain\":{\"chainId\":\"0x1\",\"name\":\"D\"},\"message\":{\"v\":\"1\"}}",
        "{\"types\":{\"X\":[{\"name\":\"v\",\"type\":\"uint256\"}],\"Unused\":5},\"primaryType\":\"X\",\"domain\":{\"name\":\"D\",\"chainId\":\"1\"},\"message\":{\"v\":\"0x01\"}}",
    };
    uint8_t want[HASH_LEN], got[HASH_LEN];

    CHECK(digest_of(want, derived));
    for (size_t i = 0; i < sizeof same / sizeof same[0]; i++)
        CHECK(digest_of(got, same[i]) && memcmp(want, got, HASH_LEN) == 0);
}

/* One member `v` of a type in struct X, and its value. */
static bool takes(const char *type, const char *value)
{
    uint8_t hash[HASH_LEN];
    char *types = arena_printf(
        test_arena,
        "{\"X\":[{\"name\":\"v\",\"type\":\"%s\"}],\"P\":[{\"name\":\"a\",\"type\":\"bool\"}],\"R\":[{\"name\":\"r\",\"type\":\"R[]\"}],\"E\":[]}",
        type);
    char *message = arena_printf(test_arena, "{\"v\":%s}", value);
    json_t *t = json_loads(types, 0, NULL), *m = json_loads(message, JSON_ALLOW_NUL, NULL);
    bool ok = eip712_struct_hash(hash, test_arena, t, "X", m);

    CHECK(t != NULL && m != NULL);
    json_decref(t);
    json_decref(m);
    return ok;
}

#define MAX256  "\"115792089237316195423570985008687907853269984665640564039457584007913129639935\""
#define OVER256 "\"115792089237316195423570985008687907853269984665640564039457584007913129639936\""
#define HALF256 "57896044618658097711785492504343953926634992332820282019728792003956564819968" /* 2^255 */

static void values_in_range(void)
{
    static const char *const good[][2] = {
        { "uint8", "255" },
        { "uint8", "0" },
        { "uint256", MAX256 },
        { "int8", "-128" },
        { "int8", "127" },
        { "int256", "\"-" HALF256 "\"" },
        { "int64", "-9223372036854775808" },
        { "bool", "true" },
        { "bytes32", "\"0x1111111111111111111111111111111111111111111111111111111111111111\"" },
        { "bytes", "\"0x\"" },
        { "string", "\"a\\u0000b\"" },
        { "uint8[2][]", "[[1,2],[3,4]]" },
        { "uint8[][2]", "[[],[3]]" },
        { "P", "{\"a\":true}" },
        { "P[]", "[]" },
        { "E", "{}" },
    };

    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        if (!takes(good[i][0], good[i][1]))
            CHECK_STR("refused", good[i][0]);
    }
}

static void values_that_cannot_be_encoded(void)
{
    static const char *const bad[][2] = {
        { "uint8", "256" },
        { "uint8", "-1" },
        { "uint8", "1.0" },
        { "uint8", "true" },
        { "uint8", "null" },
        { "uint8", "\"\"" },
        { "uint8", "\"1\\u0000\"" },
        { "uint8", "\"1e1\"" },
        { "uint8", "[1]" },
        { "uint256", OVER256 },
        { "int8", "128" },
        { "int8", "-129" },
        { "int8", "\"-0\"" },
        { "int8", "\"--1\"" },
        { "int8", "\"-0x1\"" },
        { "int256", "\"" HALF256 "\"" },
        { "bool", "1" },
        { "bool", "\"true\"" },
        { "address", "\"0x00\"" },
        { "address", "\"0x7e23d7787238777c042F044c44372f55A6dD7Dd6\"" }, /* wrong checksum */
        { "address", "0" },
        { "bytes4", "\"0x112233\"" },
        { "bytes4", "\"0x1122334455\"" },
        { "bytes4", "\"11223344\"" },
        { "bytes", "\"0x1\"" },
        { "bytes", "\"text\"" },
        { "string", "5" },
        { "string", "null" },
        { "uint8[]", "1" },
        { "uint8[]", "{}" },
        { "uint8[2]", "[1]" },
        { "uint8[2]", "[1,2,3]" },
        { "uint8[2][]", "[[1]]" },
        { "P", "{}" },
        { "P", "{\"a\":true,\"b\":1}" }, /* b would not be signed */
        { "P", "{\"b\":true}" },
        { "P", "[true]" },
        { "P[]", "[{\"a\":true},{}]" },
    };

    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        if (takes(bad[i][0], bad[i][1]))
            CHECK_STR("taken", bad[i][0]);
    }
}

static void types_that_are_not_sound(void)
{
    static const char *const bad[] = {
        "",         "uint",     "int",      "uint7",     "uint0",     "uint264",   "uint08",
        "bytes0",   "bytes33",  "bytes032", "Missing",   "R",         "X",         "X[]",
        "uint8[0]", "uint8[",   "uint8]",   "uint8[-1]", "uint8[1x]", "[]",        "[1]",
        "P ",       "P,bool a", "P()",      "1P",        "uint8[][",  "uint8[01]", "P[9999999999]"
    };

    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        if (takes(bad[i], "[]") || takes(bad[i], "0") || takes(bad[i], "{}"))
            CHECK_STR("taken", bad[i]);
    }
}

static void documents_that_are_not_sound(void)
{
    static const char *const bad[] = {
        "{}",
        "[]",
        "{\"types\":{},\"primaryType\":\"X\",\"domain\":{},\"message\":{}}",
        "{\"types\":{\"X\":[]},\"domain\":{},\"message\":{}}",
        "{\"types\":{\"X\":[]},\"primaryType\":\"X\",\"message\":{}}",
        "{\"types\":{\"X\":[]},\"primaryType\":\"X\",\"domain\":{}}",
        "{\"types\":{\"X\":[]},\"primaryType\":\"X[]\",\"domain\":{},\"message\":[]}",
        "{\"types\":{\"X\":[]},\"primaryType\":\"uint8\",\"domain\":{},\"message\":1}",
        "{\"types\":{\"X\":[]},\"primaryType\":\"EIP712Domain\",\"domain\":{},\"message\":{}}",
        "{\"types\":{\"X\":[]},\"primaryType\":\"X\",\"domain\":{\"other\":1},\"message\":{}}",
        "{\"types\":{\"X\":[]},\"primaryType\":\"X\",\"domain\":{\"chainId\":-1},\"message\":{}}",
        "{\"types\":{\"X\":{}},\"primaryType\":\"X\",\"domain\":{},\"message\":{}}",
        "{\"types\":{\"X\":[5]},\"primaryType\":\"X\",\"domain\":{},\"message\":{}}",
        "{\"types\":{\"X\":[{\"name\":\"a\"}]},\"primaryType\":\"X\",\"domain\":{},\"message\":{\"a\":1}}",
        "{\"types\":{\"X\":[{\"name\":\"a b\",\"type\":\"bool\"}]},\"primaryType\":\"X\",\"domain\":{},\"message\":{\"a b\":true}}",
        "{\"types\":{\"X\":[{\"name\":\"a\",\"type\":\"bool\"},{\"name\":\"a\",\"type\":\"bool\"}]},\"primaryType\":\"X\",\"domain\":{},\"message\":{\"a\":true}}",
        "{\"types\":{\"uint7\":[]},\"primaryType\":\"uint7\",\"domain\":{},\"message\":{}}",
        "{\"types\":{\"X\":[{\"name\":\"y\",\"type\":\"Y\"}],\"Y\":[{\"name\":\"x\",\"type\":\"X[]\"}]},\"primaryType\":\"X\",\"domain\":{},\"message\":{\"y\":{\"x\":[]}}}",
    };
    uint8_t hash[HASH_LEN];

    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        if (digest_of(hash, bad[i]))
            CHECK_STR("taken", bad[i]);
    }
}

static void depth_has_an_end(void)
{
    struct buf type = BUF_INIT(4096), value = BUF_INIT(4096);

    for (int i = 0; i < MAX_DEPTH - 1; i++) {
        buf_adds(&type, "[]");
        buf_addc(&value, '[');
    }
    buf_adds(&value, "1");
    for (int i = 0; i < MAX_DEPTH - 1; i++)
        buf_addc(&value, ']');
    CHECK(takes(arena_printf(test_arena, "uint8%s", buf_text(&type)), buf_text(&value)));
    CHECK(!takes(arena_printf(test_arena, "uint8%s[]", buf_text(&type)),
                 arena_printf(test_arena, "[%s]", buf_text(&value))));
    buf_free(&type);
    buf_free(&value);
}

TEST_MAIN(TEST(vectors), TEST(forms_of_the_same), TEST(values_in_range), TEST(values_that_cannot_be_encoded),
          TEST(types_that_are_not_sound), TEST(documents_that_are_not_sound), TEST(depth_has_an_end))
