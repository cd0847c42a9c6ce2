#include "api/admission/idempotency.c"
#include "base/test.h"

static struct arena *a;

static void keys_as_they_are_sent(void)
{
    static const struct {
        const char *header, *key; /* key NULL: refused */
    } rows[] = {
        { "abc", "abc" },        { "\"abc\"", "abc" },
        { "\"a b\"", "a b" },    { "\"a\\\"b\\\\c\"", "a\"b\\c" },
        { "a\"b", "a\"b" },      { "", NULL },
        { "\"\"", NULL },        { "\"", NULL },
        { "\"abc", NULL },       { "\"abc\\\"", NULL },
        { "\"abc\\", NULL },     { "\"a\\bc\"", NULL },
        { "\"abc\";p=1", NULL }, { "a b", NULL },
        { "a\tb", NULL },        { "\"a\tb\"", NULL },
        { "caf\xc3\xa9", NULL }, { "\"caf\xc3\xa9\"", NULL },
        { "\x7f", NULL },
    };

    a = arena_new();
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const char *got = key_parse(a, rows[i].header);

        CHECK((got == NULL) == (rows[i].key == NULL));
        if (got != NULL && rows[i].key != NULL)
            CHECK_STR(got, rows[i].key);
    }
    arena_free(a);
}

static void keys_of_every_length(void)
{
    char text[KEY_MAX + 4];

    a = arena_new();
    memset(text, 'k', sizeof text);
    text[KEY_MAX] = '\0';
    CHECK(key_parse(a, text) != NULL);
    text[KEY_MAX] = 'k';
    text[KEY_MAX + 1] = '\0';
    CHECK(key_parse(a, text) == NULL);
    text[0] = text[KEY_MAX + 1] = '"';
    text[KEY_MAX + 2] = '\0';
    CHECK(key_parse(a, text) != NULL && strlen(key_parse(a, text)) == KEY_MAX);
    text[KEY_MAX + 1] = 'k';
    text[KEY_MAX + 2] = '"';
    text[KEY_MAX + 3] = '\0';
    CHECK(key_parse(a, text) == NULL);
    arena_free(a);
}

TEST_MAIN(TEST(keys_as_they_are_sent), TEST(keys_of_every_length))
