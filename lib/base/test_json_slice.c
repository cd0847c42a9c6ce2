#include "base/json_slice.c"
#include "base/test.h"

static bool is_member(const char *text, const char *name, const char *want)
{
    struct json_slice in = { text, strlen(text) }, got;

    if (!json_slice_member(&got, in, name))
        return want == NULL;
    return want != NULL && got.len == strlen(want) && memcmp(got.text, want, got.len) == 0;
}

static void a_value_as_it_stands(void)
{
    static const char doc[] =
        " { \"a\" : 1.50e3 ,\"b\":[ {\"a\":\"]}\\\"\"} , 2 ] ,\n\"c\":\"x\\\\\",\"d\":null}";

    CHECK(is_member(doc, "a", "1.50e3"));
    CHECK(is_member(doc, "b", "[ {\"a\":\"]}\\\"\"} , 2 ]"));
    CHECK(is_member(doc, "c", "\"x\\\\\""));
    CHECK(is_member(doc, "d", "null"));
    CHECK(is_member(doc, "e", NULL) && is_member(doc, "", NULL));
    CHECK(is_member("{\"a\":1,\"a\":{ }}", "a", "{ }"));
    CHECK(is_member("{\"\\u0061\":1}", "a", NULL));
}

static void texts_that_are_no_object_have_no_members(void)
{
    static const char *const texts[] = { "",          " ",         "{}",        "[1]",       "\"a\"",
                                         "{\"a\"",    "{\"a\":",   "{\"a\":}",  "{a:1}",     "{\"a\":1",
                                         "{\"a\":[1", "{\"a\":\"", "{\"a\" 1}", "{\"a\":1,}" };

    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        CHECK(is_member(texts[i], "a", NULL));
}

/* No recursion: an answer may nest as deep as it is long. */
static void deep_values(void)
{
    enum { DEEP = 1000000 };
    static char text[sizeof "{\"a\":}" + 2 * DEEP];
    struct json_slice got;

    memcpy(text, "{\"a\":", 5);
    memset(text + 5, '[', DEEP);
    CHECK(!json_slice_member(&got, (struct json_slice){ text, 5 + DEEP }, "a"));
    memset(text + 5 + DEEP, ']', DEEP);
    text[5 + 2 * DEEP] = '}';
    CHECK(json_slice_member(&got, (struct json_slice){ text, strlen(text) }, "a") && got.len == 2 * DEEP);
}

TEST_MAIN(TEST(a_value_as_it_stands), TEST(texts_that_are_no_object_have_no_members), TEST(deep_values))
