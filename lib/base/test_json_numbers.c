#include "base/json_numbers.c"

#include "base/test.h"

static const char *member(json_t **doc, const char *text)
{
    *doc = json_read_texts(text, strlen(text));
    return json_string_value(json_object_get(*doc, "a"));
}

static void numbers_keep_their_characters(void)
{
    static const struct {
        const char *json, *want;
    } rows[] = {
        { "{\"a\":0.10}", "0.10" },
        { "{\"a\":1e400}", "1e400" },
        { "{\"a\":-12345678901234567890.12345678901234567890}",
          "-12345678901234567890.12345678901234567890" },
        { "{\"a\":\"1.50\"}", "1.50" },
        { "{\"a\":\"a \\\" 1 b\"}", "a \" 1 b" },
        { "{\"b\":[1,2],\"a\":3}", "3" },
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        json_t *doc;

        CHECK_STR(member(&doc, rows[i].json), rows[i].want);
        json_decref(doc);
    }
}

static void invalid_json_is_rejected(void)
{
    static const char *const bad[] = { "", "{", "[1,]", "{\"a\":1 2}", "{\"a\":\"x}", "1 2" };

    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        CHECK(json_read_texts(bad[i], strlen(bad[i])) == NULL);
}

static void a_list_of_digits_fits(void)
{
    json_t *doc = json_read_texts("[1,2,3,4,5,6,7,8,9,0]", 21);

    CHECK(json_array_size(doc) == 10);
    json_decref(doc);
}

static void plain_decimals(void)
{
    static const char *const good[] = { "0", "12", "0.5", "10.00" }, *const bad[] = {
        "", ".5", "5.", "-1", "1e3", "+1", " 1", "1 ", "0x1", "00.1", "01", "1-2"
    };

    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++)
        CHECK(json_numbers_plain(good[i]));
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        CHECK(!json_numbers_plain(bad[i]));
}

static void members_are_bounded(void)
{
    struct arena *a = arena_new();
    static const char text[] = "{\"a\":1.25,\"b\":\"x\"}";
    json_t *doc = json_read_texts(text, sizeof text - 1);

    CHECK_STR(json_numbers_member(a, doc, "a", 4), "1.25");
    CHECK(json_numbers_member(a, doc, "a", 3) == NULL && json_numbers_member(a, doc, "b", 9) == NULL);
    CHECK(json_numbers_member(a, NULL, "a", 9) == NULL);
    json_decref(doc);
    arena_free(a);
}

TEST_MAIN(TEST(numbers_keep_their_characters), TEST(invalid_json_is_rejected), TEST(a_list_of_digits_fits),
          TEST(plain_decimals), TEST(members_are_bounded))
