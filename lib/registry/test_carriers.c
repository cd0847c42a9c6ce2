#include "registry/bridge_providers.c"

#include "base/test.h"

/* Those that trade on one chain only answer for none. */
static void bridge_providers_are_providers_that_tell(void)
{
    CHECK(bridge_provider_of("lifi") != NULL && bridge_provider_of("relay") != NULL);
    CHECK(bridge_provider_of("uniswap") == NULL && bridge_provider_of("nobody") == NULL &&
          bridge_provider_of("") == NULL);
    for (size_t i = 0; providers[i] != NULL; i++)
        CHECK((providers[i]->ask_status == NULL) == (providers[i]->read_status == NULL));
}

TEST_MAIN(TEST(bridge_providers_are_providers_that_tell))
