#include "base/json_reader.c"
#include "base/test.h"

/* Jansson's result is right. */
static bool reads_alike(const char *text, size_t n)
{
    json_t *want = json_loadb(text, n, 0, NULL), *loose = json_loadb(text, n, JSON_DECODE_INT_AS_REAL, NULL),
           *got = json_read(text, n);
    bool alike = (loose == NULL) == (got == NULL) && (want == NULL || json_equal(got, want) == 1);

    if (!alike)
        fprintf(stderr, "read otherwise: %.*s\n", (int)n, text);
    json_decref(want);
    json_decref(loose);
    json_decref(got);
    return alike;
}

static const char *const texts[] = {
    "",
    " ",
    "[]",
    "{}",
    " [ ] ",
    "\t{\r\n}",
    "[1,2]x",
    "[1,2] []",
    "[,]",
    "[1,]",
    "{\"a\":1,}",
    "{\"a\"}",
    "{a:1}",
    "{1:1}",
    "[1:2]",
    "[1 2]",
    "1",
    "\"x\"",
    "null",
    "[null,true,false]",
    "[nul]",
    "[truefalse]",
    "[nulls]",
    "[0,-0,1,-1,01,-01,--1,+1,1.5,-2e9,1e400,.5,5.]",
    "[-]",
    "[-0]",
    "[999999999999999999,-999999999999999999,9223372036854775807,-9223372036854775808]",
    "[1.5,2E+3,-0.0]",
    "[01]",
    "[1.]",
    "[1\"x\"]",
    "[\"x\"\"y\"]",
    "{\"a\":1,\"a\":2,\"b\":{\"a\":[]}}",
    "{\"\":\"\"}",
    "[\"plain\",\"\\u00e9\\n\\\"\\\\\\/\",\"é😀\",\"\\ud83d\\ude00\"]",
    "[\"\\ud83d\"]",
    "[\"\\u0000\"]",
    "{\"\\u0000\":1}",
    "{\"k\\u00e9y\":\"v\\\\\",\"\\\"\":1}",
    "[\"\xc0\x80\"]",
    "[\"\xff\"]",
    "[\"a\tb\"]",
    "[\"\\x\"]",
    "[\"\x7f\"]",
    "[\"open]",
    "[\"open\\\"]",
    "[{\"jsonrpc\":\"2.0\",\"id\":0,\"result\":\"0x0123456789abcdef\"},\n"
    " {\"jsonrpc\":\"2.0\",\"id\":1,\"error\":{\"code\":-32000,\"message\":\"execution reverted\",\"data\":null}}]",
};

static void texts_of_all_kinds(void)
{
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        CHECK(reads_alike(texts[i], strlen(texts[i])));
    CHECK(reads_alike("[\"a\0b\"]", 7) && reads_alike("[1]\0", 4) && reads_alike("[1\0]", 4));
}

/* Cut off anywhere, and with any byte in any place. */
static void texts_that_were_damaged(void)
{
    static const char bytes[] = "\"\\{}[]:,-0.9eEtu n\n\x01\x7f\x80\xc3\xff";
    char text[512];
    bool alike = true;

    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        size_t n = strlen(texts[i]);

        for (size_t at = 0; at < n; at++) {
            alike = alike && reads_alike(texts[i], at);
            for (size_t b = 0; b < sizeof bytes; b++) { /* the NUL too */
                memcpy(text, texts[i], n);
                text[at] = bytes[b];
                alike = alike && reads_alike(text, n);
            }
        }
    }
    CHECK(alike);
}

static bool nested_alike(size_t depth, char open, char close)
{
    char text[2 * (DEPTH_MAX + 2)];

    memset(text, open, depth);
    memset(text + depth, close, depth);
    return reads_alike(text, 2 * depth);
}

static void texts_that_are_deep(void)
{
    CHECK(nested_alike(DEPTH_MAX - 1, '[', ']') && nested_alike(DEPTH_MAX, '[', ']'));
    CHECK(nested_alike(DEPTH_MAX + 1, '[', ']'));
}

/* Nodes of Solana write one in every account. */
static void a_number_too_large_spoils_nothing_beside_it(void)
{
    static const char text[] = "{\"lamports\":5,\"rentEpoch\":18446744073709551615}";
    json_t *got = json_read(text, strlen(text));

    CHECK(json_integer_value(json_object_get(got, "lamports")) == 5);
    CHECK(json_is_real(json_object_get(got, "rentEpoch")));
    json_decref(got);
}

static void unwanted_members_are_skipped(void)
{
    static const char *const names[] = { "route", "data", NULL };
    static const struct {
        const char *text, *left; /* NULL: none of it can be read */
    } rows[] = {
        { "{\"a\":1,\"route\":[{\"b\":\"]}\\\"\"},[2]],\"c\":{\"data\":null,\"d\":\"data\"}}",
          "{\"a\":\"1\",\"c\":{\"d\":\"data\"}}" },
        { "{ \"data\" : 0x , \"routes\" : 5 }", "{\"routes\":\"5\"}" },
        { "[{\"data\":\"x\"},{\"route\":{}}]", "[{},{}]" },
        { "{\"route\":}", NULL },
        { "{\"route\":,\"a\":1}", NULL },
        { "{\"route\":[1", NULL },
        { "{\"route\":\"1", NULL },
        { "{\"route\" 1}", NULL },
        { "{\"route\":", NULL },
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        json_t *got = json_read_texts_without(rows[i].text, strlen(rows[i].text), names);
        json_t *want = rows[i].left == NULL ? NULL : json_loads(rows[i].left, 0, NULL);

        CHECK(want == NULL ? got == NULL : json_equal(got, want));
        json_decref(got);
        json_decref(want);
    }
}

TEST_MAIN(TEST(unwanted_members_are_skipped), TEST(a_number_too_large_spoils_nothing_beside_it),
          TEST(texts_of_all_kinds), TEST(texts_that_were_damaged), TEST(texts_that_are_deep))
