#include "api/endpoint/phrase.c"
#include "base/test.h"

static const char *letter(struct arena *a, const json_t *item)
{
    (void)a;
    return json_string_value(item);
}

static void lists_end_somewhere(void)
{
    struct arena *a = arena_new();
    json_t *list = json_pack("[s, s, s]", "a", "b", "c"), *none = json_array();

    CHECK_STR(phrase_list(a, list, letter, 3), "a, b, c");
    CHECK_STR(phrase_list(a, list, letter, 1), "a and 2 more");
    CHECK_STR(phrase_list(a, none, letter, 1), "");
    CHECK_STR(phrase_besides(a, list, "are not known"), "; a, b, c are not known");
    CHECK_STR(phrase_besides(a, none, "are not known"), "");
    json_decref(none);
    json_decref(list);
    arena_free(a);
}

static void pages_tell_how_many_there_are(void)
{
    struct arena *a = arena_new();
    json_t *page = json_pack("{s:[s, s], s:{s:i}}", "orders", "a", "b", "pagination", "total", 7),
           *one = json_pack("{s:[s], s:{s:i}}", "orders", "a", "pagination", "total", 1),
           *none = json_pack("{s:[], s:{s:i}}", "orders", "pagination", "total", 7);

    CHECK_STR(phrase_page(a, page, "orders", "order", letter), "7 orders: a, b");
    CHECK_STR(phrase_page(a, one, "orders", "order", letter), "1 order: a");
    CHECK_STR(phrase_page(a, none, "orders", "trade", letter), "There are no such trades");
    json_decref(none);
    json_decref(one);
    json_decref(page);
    arena_free(a);
}

static void absent_members_read_as_empty_text(void)
{
    struct arena *a = arena_new();
    json_t *o = json_pack("{s:s, s:n}", "chain", "base", "status");

    CHECK_STR(phrase_on_chain(a, phrase_text(o, "chain")), " on base");
    CHECK_STR(phrase_on_chain(a, phrase_text(o, "status")), "");
    CHECK_STR(phrase_text(NULL, "chain"), "");
    CHECK_STR(phrase_plural(1), "");
    CHECK_STR(phrase_plural(0), "s");
    json_decref(o);
    arena_free(a);
}

TEST_MAIN(TEST(lists_end_somewhere), TEST(pages_tell_how_many_there_are),
          TEST(absent_members_read_as_empty_text))
