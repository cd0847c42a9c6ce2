#include "base/test.h"
#include "codec/query_string.c"

static struct arena *a;

static void query_strings(void)
{
    static const struct {
        const char *query, *json; /* NULL: not well-formed */
    } rows[] = {
        { "", "{}" },
        { "&&", "{}" },
        { "a=1&b=%20x", "{\"a\":\"1\",\"b\":\" x\"}" },
        { "a=x+y%2Bz", "{\"a\":\"x y+z\"}" },
        { "a", "{\"a\":\"\"}" },
        { "a=", "{\"a\":\"\"}" },
        { "=1", "{}" },
        { "a=b=c", "{\"a\":\"b=c\"}" },
        { "a=1&b=2&a=1", "{\"a\":\"1\",\"b\":\"2\"}" },
        { "%61=1&a=1", "{\"a\":\"1\"}" },
        { "a=1&a=2", NULL },
        { "%61=1&a=2", NULL },
        { "a=1&a", NULL },
        { "a=%C3%A4", "{\"a\":\"\xc3\xa4\"}" },
        { "a=1&", "{\"a\":\"1\"}" },
        { "a=%26%3d", "{\"a\":\"&=\"}" },
        { "a=%", NULL },
        { "a=%2", NULL },
        { "a=%2g", NULL },
        { "a=%zz", NULL },
        { "%=1", NULL },
        { "a=%00", NULL },
        { "%00=1", NULL },
        { "a=%ff", NULL },
        { "a=%c3", NULL },
        { "a=%ed%a0%80", NULL }, /* a surrogate */
        { "a=\xff", NULL },
        { "%ff=1", NULL },
        { "ok=1&a=%c0%80", NULL }, /* NUL the long way */
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const char *what;
        json_t *object = query_parse(rows[i].query, a, &what);
        char *text = object == NULL ? NULL : json_dumps(object, JSON_COMPACT | JSON_SORT_KEYS);

        CHECK((object == NULL) == (rows[i].json == NULL) && (object == NULL) == (what != NULL));
        if (rows[i].json != NULL)
            CHECK_STR(text, rows[i].json);
        free(text);
        json_decref(object);
    }
}

static void escapes_in_a_path(void)
{
    CHECK_STR(query_unescape(a, "a%2Fb+c%20d", 11, false), "a/b+c d");
    CHECK_STR(query_unescape(a, "12%34", 2, false), "12");
    CHECK(query_unescape(a, "12%34", 3, false) == NULL);
    CHECK(query_unescape(a, "12%34", 4, false) == NULL);
    CHECK_STR(query_unescape(a, "12%34", 5, false), "124");
    CHECK(query_unescape(a, "%00", 3, false) == NULL);
}

static void query_string_test_start(void)
{
    a = arena_new();
}

static void query_string_test_end(void)
{
    arena_free(a);
}

TEST_MAIN(TEST(query_string_test_start), TEST(query_strings), TEST(escapes_in_a_path),
          TEST(query_string_test_end))
