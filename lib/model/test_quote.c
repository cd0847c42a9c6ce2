#include "base/test.h"
#include "model/quote.c"

static void ids_go_both_ways(void)
{
    struct uuid id, back;
    char text[QUOTE_ID_TEXT_LEN + 1];

    for (size_t i = 0; i < sizeof id.bytes; i++)
        id.bytes[i] = (uint8_t)(0xf0 + i);
    quote_id_text(text, &id);
    CHECK_STR(text, "q_f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff");
    CHECK(quote_id_parse(&back, text) && memcmp(&id, &back, sizeof id) == 0);
}

static void bad_ids_are_refused(void)
{
    static const char *const bad[] = {
        "",
        "q_",
        "f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff",
        "f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff00",
        "q_f0f1f2f3f4f5f6f7f8f9fafbfcfdfef",
        "q_f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff0",
        "q_f0f1f2f3f4f5f6f7f8f9fafbfcfdfefg",
        "Q_f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff",
        "q_ 0f1f2f3f4f5f6f7f8f9fafbfcfdfeff",
        "q-f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff",
        "q_f0f1f2f3f4f5f6f7f8f9fafbfcfdfe\xff\xff",
    };
    struct uuid id;

    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        CHECK(!quote_id_parse(&id, bad[i]));
}

static void routes_of_a_list(void)
{
    struct route_list l = { .len = 0 };
    uint8_t route[UINT8_MAX + 1] = { 1, 2, 3 };
    const uint8_t *got;
    size_t at = 0, n;

    CHECK(route_list_next(&l, &at, &n) == NULL);
    route_list_add(&l, route, 0);
    CHECK(l.len == 0);
    route_list_add(&l, route, 3);
    route_list_add(&l, route, 2);
    route_list_add(&l, route, 3); /* there already */
    CHECK((got = route_list_next(&l, &at, &n)) != NULL && n == 3 && memcmp(got, route, 3) == 0);
    CHECK((got = route_list_next(&l, &at, &n)) != NULL && n == 2 && memcmp(got, route, 2) == 0);
    CHECK(route_list_next(&l, &at, &n) == NULL);
    l.bytes[4] = 3; /* cut off */
    at = 4;
    CHECK(route_list_next(&l, &at, &n) == NULL);
}

static void a_list_is_full(void)
{
    struct route_list l = { .len = 0 };
    uint8_t route[UINT8_MAX + 1] = { 0 };

    route_list_add(&l, route, sizeof route); /* its length does not fit into a byte */
    CHECK(l.len == 0);
    route_list_add(&l, route, UINT8_MAX);
    route_list_add(&l, route, sizeof l.bytes - l.len);
    CHECK(l.len == UINT8_MAX + 1);
    route_list_add(&l, route, sizeof l.bytes - l.len - 1);
    CHECK(l.len == sizeof l.bytes);
}

TEST_MAIN(TEST(ids_go_both_ways), TEST(bad_ids_are_refused), TEST(routes_of_a_list), TEST(a_list_is_full))
