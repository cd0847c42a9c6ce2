#include "base/test.h"
#include "registry/request_venues.c"

static void every_venue_is_whole(void)
{
    for (size_t i = 0; venues[i] != NULL; i++) {
        const struct venue *v = venues[i];

        CHECK(v->name != NULL && venue_of(v->name) == v && v->sign != NULL);
        CHECK(v->ask_send != NULL && v->read_send != NULL);
        CHECK(v->ask_status != NULL && v->read_status != NULL);
    }
}

/* Venues that transactions call take no requests. */
static void contracts_have_no_row(void)
{
    CHECK(venue_of("uniswap") == NULL && venue_of("") == NULL);
}

TEST_MAIN(TEST(every_venue_is_whole), TEST(contracts_have_no_row))
