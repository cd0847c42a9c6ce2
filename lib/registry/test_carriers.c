#include "registry/carriers.c"

#include "base/test.h"

/* Those that trade on one chain only answer for none. */
static void carriers_are_providers_that_tell(void)
{
    CHECK(carrier_of("lifi") != NULL && carrier_of("relay") != NULL);
    CHECK(carrier_of("uniswap") == NULL && carrier_of("nobody") == NULL && carrier_of("") == NULL);
    for (size_t i = 0; providers[i] != NULL; i++)
        CHECK((providers[i]->ask_status == NULL) == (providers[i]->read_status == NULL));
}

TEST_MAIN(TEST(carriers_are_providers_that_tell))
