#include "base/json_writer.c"
#include "base/test.h"

enum { MAX = 1024 * 1024 };

static const char *dumped(struct arena *a, const json_t *v)
{
    char *text = json_dumps(v, JSON_COMPACT | JSON_ENCODE_ANY | JSON_REAL_PRECISION(15)), *copy;

    copy = text == NULL ? NULL : arena_strdup(a, text);
    free(text);
    return copy;
}

static void begin(struct json_writer *w, struct arena *a)
{
    jw_init(w, a, MAX);
    jw_make_tree(w);
}

/* The text is what jansson makes of the same calls. */
static void check_agrees(struct json_writer *w)
{
    const char *text = jw_finish(w);

    CHECK(text != NULL && strlen(text) == w->len);
    CHECK_STR(text, dumped(w->arena, jw_tree(w)));
}

static void commas_and_brackets_are_where_they_belong(void)
{
    struct arena *a = arena_new();
    struct json_writer w;

    begin(&w, a);
    jw_object(&w, NULL);
    jw_object(&w, "empty");
    jw_end(&w);
    jw_array(&w, "none");
    jw_end(&w);
    jw_array(&w, "list");
    jw_integer(&w, NULL, 1);
    jw_object(&w, NULL);
    jw_string_if(&w, "absent", NULL);
    jw_true_if(&w, "absent", false);
    jw_true_if(&w, "there", true);
    jw_string_or_null(&w, "nothing", NULL);
    jw_end(&w);
    jw_array(&w, NULL);
    jw_null(&w, NULL);
    jw_end(&w);
    jw_end(&w);
    jw_string_if(&w, "last", "x");
    jw_end(&w);
    check_agrees(&w);
    CHECK_STR(
        w.text,
        "{\"empty\":{},\"none\":[],\"list\":[1,{\"there\":true,\"nothing\":null},[null]],\"last\":\"x\"}");
    arena_free(a);
}

static const char *const texts[] = {
    "",
    "plain",
    "exactly8",
    "a text that is longer than one word of the machine",
    "\"quoted\" and \\ and /",
    "12345678\"",
    "1234567\\89",
    "\b\f\n\r\t",
    "\x01\x02\x1f\x7f",
    "long enough\x01 to have a control character",
    "\xc2\x80 \xdf\xbf \xe0\xa0\x80 \xed\x9f\xbf \xee\x80\x80 \xef\xbf\xbf",
    "\xf0\x90\x80\x80 \xf4\x8f\xbf\xbf \xf0\x9f\x98\x80",
    "Grüße, 世界",
    "\xc3\xbc",
    "1234567\xc3\xbc",
};

static void strings_are_escaped_as_jansson_does(void)
{
    struct arena *a = arena_new();
    struct json_writer w;

    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        begin(&w, a);
        jw_object(&w, NULL);
        jw_string(&w, texts[i], texts[i]);
        jw_end(&w);
        check_agrees(&w);
    }
    arena_free(a);
}

/* Strings are looked at eight bytes at a time, the last eight of which overlap. */
static void no_place_is_overlooked(void)
{
    struct arena *a = arena_new();
    struct json_writer w;

    for (size_t n = 1; n < 27; n++)
        for (size_t at = 0; at < n; at++) {
            char s[27] = "abcdefghijklmnopqrstuvwxyz";

            s[n] = '\0';
            s[at] = "\"\\\n\x1f"[at % 4];
            begin(&w, a);
            jw_object(&w, NULL);
            jw_string(&w, "key", s);
            jw_string(&w, s, "value");
            jw_end(&w);
            check_agrees(&w);
            arena_reset(a);
        }
    arena_free(a);
}

static void every_character_is_as_jansson_has_it(void)
{
    struct arena *a = arena_new();

    for (unsigned c = 1; c < 0x110000; c += c < 0x900 ? 1 : 37) {
        char s[5] = { 0 };
        struct json_writer w;

        if (c < 0x80) {
            s[0] = (char)c;
        } else if (c < 0x800) {
            s[0] = (char)(0xc0 | c >> 6), s[1] = (char)(0x80 | (c & 0x3f));
        } else if (c < 0x10000) {
            s[0] = (char)(0xe0 | c >> 12), s[1] = (char)(0x80 | (c >> 6 & 0x3f)),
            s[2] = (char)(0x80 | (c & 0x3f));
        } else {
            s[0] = (char)(0xf0 | c >> 18), s[1] = (char)(0x80 | (c >> 12 & 0x3f)),
            s[2] = (char)(0x80 | (c >> 6 & 0x3f)), s[3] = (char)(0x80 | (c & 0x3f));
        }
        begin(&w, a);
        jw_string(&w, NULL, s);
        if (c >= 0xd800 && c < 0xe000)
            CHECK(jw_finish(&w) == NULL);
        else
            check_agrees(&w);
        arena_reset(a);
    }
    arena_free(a);
}

static void text_that_is_not_utf8_fails(void)
{
    static const char *const bad[] = {
        "\x80",
        "a\xff",
        "\xc0\x80",
        "\xc1\xbf",
        "\xc3",
        "\xc3(",
        "\xe0\x9f\xbf",
        "\xe2\x82",
        "\xed\xa0\x80",
        "\xed\xbf\xbf",
        "\xf0\x8f\xbf\xbf",
        "\xf4\x90\x80\x80",
        "\xf5\x80\x80\x80",
        "\xf0\x9f\x98",
        "1234567\xe2\x82",
    };
    struct arena *a = arena_new();

    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        struct json_writer value, key;

        CHECK(json_string(bad[i]) == NULL);
        jw_init(&value, a, MAX);
        jw_string(&value, NULL, bad[i]);
        CHECK(jw_finish(&value) == NULL);
        jw_init(&key, a, MAX);
        jw_object(&key, NULL);
        jw_null(&key, bad[i]);
        jw_end(&key);
        CHECK(jw_finish(&key) == NULL);
    }
    arena_free(a);
}

static void numbers_are_as_jansson_prints_them(void)
{
    static const double reals[] = { 0,
                                    -0.0,
                                    1,
                                    3,
                                    -2.5,
                                    0.1,
                                    0.03,
                                    1e-5,
                                    1e-7,
                                    123456,
                                    1e14,
                                    1e15,
                                    1e16,
                                    1e20,
                                    1e300,
                                    5e-324,
                                    0.1 + 0.2,
                                    2998.8,
                                    1.0 / 3,
                                    99999999999999.9,
                                    999999999999999.9 };
    static const int64_t integers[] = { 0, 1, -1, 9, 10, 1234567890123, INT64_MAX, INT64_MIN };
    struct arena *a = arena_new();
    struct json_writer w;

    begin(&w, a);
    jw_array(&w, NULL);
    for (size_t i = 0; i < sizeof reals / sizeof reals[0]; i++)
        jw_real(&w, NULL, reals[i]);
    for (size_t i = 0; i < sizeof integers / sizeof integers[0]; i++)
        jw_integer(&w, NULL, integers[i]);
    jw_end(&w);
    check_agrees(&w);
    jw_init(&w, a, MAX);
    jw_real(&w, NULL, NAN);
    CHECK(jw_finish(&w) == NULL);
    jw_init(&w, a, MAX);
    jw_real(&w, NULL, INFINITY);
    CHECK(jw_finish(&w) == NULL);
    arena_free(a);
}

static void times_and_words_are_written(void)
{
    struct arena *a = arena_new();
    struct json_writer w;

    begin(&w, a);
    jw_array(&w, NULL);
    jw_time(&w, NULL, 1);
    jw_time(&w, NULL, 0);
    jw_bool(&w, NULL, true);
    jw_bool(&w, NULL, false);
    jw_end(&w);
    check_agrees(&w);
    CHECK_STR(w.text, "[\"1970-01-01T00:00:00.001Z\",null,true,false]");
    arena_free(a);
}

static void foreign_values_are_copied(void)
{
    struct arena *a = arena_new();
    json_t *read = json_loads("{\"x\":[1,2.50,\"\\u00fc\"],\"y\":{}}", 0, NULL);
    struct json_writer inner, w;

    begin(&inner, a);
    jw_value(&inner, NULL, read);
    CHECK_STR(jw_finish(&inner), "{\"x\":[1,2.5,\"ü\"],\"y\":{}}");
    begin(&w, a);
    jw_object(&w, NULL);
    jw_members(&w, "{}", 2, read);
    jw_raw(&w, "raw", inner.text, inner.len, jw_tree(&inner));
    jw_members(&w, inner.text, inner.len, jw_tree(&inner));
    jw_stored(&w, "z", "[1.10000000000000001]");
    jw_end(&w);
    check_agrees(&w);
    CHECK_STR(w.text, "{\"raw\":{\"x\":[1,2.5,\"ü\"],\"y\":{}},\"x\":[1,2.5,\"ü\"],\"y\":{},\"z\":[1.1]}");
    CHECK_STR(jw_text_of(a, read, 0), "{\"x\":[1,2.5,\"ü\"],\"y\":{}}");
    json_decref(read);
    arena_free(a);
}

static void misuse_fails(void)
{
    struct arena *a = arena_new();
    struct json_writer w;

    jw_init(&w, a, MAX);
    CHECK(jw_finish(&w) == NULL); /* nothing */
    jw_init(&w, a, MAX);
    jw_object(&w, NULL);
    CHECK(jw_finish(&w) == NULL); /* still open */
    jw_init(&w, a, MAX);
    jw_end(&w);
    CHECK(w.failed);
    jw_init(&w, a, MAX);
    jw_object(&w, NULL);
    jw_null(&w, NULL); /* a member without a key */
    CHECK(w.failed);
    jw_init(&w, a, MAX);
    jw_array(&w, NULL);
    jw_null(&w, "key");
    CHECK(w.failed);
    jw_init(&w, a, MAX);
    jw_null(&w, NULL);
    jw_null(&w, NULL); /* a second outermost value */
    CHECK(w.failed);
    jw_init(&w, a, MAX);
    jw_string(&w, NULL, NULL);
    CHECK(w.failed);
    jw_init(&w, a, MAX);
    jw_value(&w, NULL, NULL);
    CHECK(w.failed);
    begin(&w, a);
    jw_object(&w, NULL);
    jw_null(&w, "twice");
    jw_null(&w, "twice");
    CHECK(w.failed && jw_tree(&w) == NULL);
    jw_init(&w, a, MAX);
    for (int i = 0; i <= JW_DEPTH_MAX; i++)
        jw_array(&w, NULL);
    CHECK(w.failed);
    arena_free(a);
}

static void the_ceiling_holds(void)
{
    struct arena *a = arena_new();
    struct json_writer w;

    jw_init(&w, a, 5);
    jw_string(&w, NULL, "abc");
    CHECK_STR(jw_finish(&w), "\"abc\"");
    jw_init(&w, a, 5);
    jw_string(&w, NULL, "abcd");
    CHECK(jw_finish(&w) == NULL);
    arena_free(a);
}

/* Memory of others between the calls makes it move. */
static void long_text_grows(void)
{
    struct arena *a = arena_new();
    char line[301];
    struct json_writer w;

    memset(line, 'x', 300);
    line[300] = '\0';
    begin(&w, a);
    jw_array(&w, NULL);
    for (int i = 0; i < 1000; i++) {
        jw_string(&w, NULL, line);
        if (i % 50 == 0)
            (void)arena_alloc(a, 1);
    }
    jw_end(&w);
    check_agrees(&w);
    CHECK(w.len == 1000 * 303 + 1);
    arena_free(a);
}

static const struct json_left_out of_item[] = { { "b", .always = true }, { "n", .null = true }, { NULL } };
static const struct json_left_out of_all[] = {
    { "gone", .always = true }, { "list", .inside = of_item }, { "one", .inside = of_item }, { NULL }
};

static void begin_less(struct json_writer *w, struct arena *a)
{
    begin(w, a);
    jw_leave_out(w, of_all);
    jw_object(w, NULL);
}

static void members_are_left_out(void)
{
    static const char whole[] =
        "{\"gone\":{\"a\":[1]},\"list\":[{\"a\":1.50,\"b\":\"}]\\\"\",\"n\":null},{\"n\":0,\"a\":null}],"
        "\"one\":{\"b\":[{}],\"a\":{\"b\":1,\"n\":null}},\"b\":\"kept\",\"n\":null}";
    static const char less[] = "{\"list\":[{\"a\":1.50},{\"n\":0,\"a\":null}],"
                               "\"one\":{\"a\":{\"b\":1,\"n\":null}},\"b\":\"kept\",\"n\":null}";
    struct arena *a = arena_new();
    json_t *v = json_loads(whole, 0, NULL);
    struct json_writer w;

    begin_less(&w, a);
    jw_object(&w, "gone");
    jw_array(&w, "a");
    jw_integer(&w, NULL, 1);
    jw_members(&w, "{}", 2, NULL);
    jw_end(&w);
    jw_raw(&w, "list", "[]", 2, NULL);
    jw_end(&w);
    CHECK(jw_leaves_out(&w, "gone") && !jw_leaves_out(&w, "list"));
    jw_array(&w, "list");
    jw_object(&w, NULL);
    jw_real(&w, "a", 1.5);
    jw_string(&w, "b", NULL); /* would fail if it were written */
    jw_time(&w, "n", 0);
    jw_end(&w);
    jw_object(&w, NULL);
    jw_integer(&w, "n", 0);
    jw_null(&w, "a");
    jw_end(&w);
    jw_end(&w);
    jw_value(&w, "one", json_object_get(v, "one"));
    jw_string(&w, "b", "kept");
    jw_null(&w, "n");
    jw_end(&w);
    check_agrees(&w);
    CHECK_STR(w.text, "{\"list\":[{\"a\":1.5},{\"n\":0,\"a\":null}],\"one\":{\"a\":{\"b\":1,\"n\":null}},"
                      "\"b\":\"kept\",\"n\":null}");

    begin_less(&w, a);
    jw_members(&w, whole, strlen(whole), v);
    jw_end(&w);
    CHECK_STR(jw_finish(&w), less); /* digits stay */
    CHECK(json_object_get(jw_tree(&w), "gone") == NULL && json_object_size(jw_tree(&w)) == 4);

    begin(&w, a);
    jw_leave_out(&w, of_all);
    jw_raw(&w, NULL, whole, strlen(whole), v);
    CHECK_STR(jw_finish(&w), less);
    json_decref(v);
    arena_free(a);
}

TEST_MAIN(TEST(members_are_left_out), TEST(commas_and_brackets_are_where_they_belong),
          TEST(strings_are_escaped_as_jansson_does), TEST(no_place_is_overlooked),
          TEST(every_character_is_as_jansson_has_it), TEST(text_that_is_not_utf8_fails),
          TEST(numbers_are_as_jansson_prints_them), TEST(times_and_words_are_written),
          TEST(foreign_values_are_copied), TEST(misuse_fails), TEST(the_ceiling_holds), TEST(long_text_grows))
