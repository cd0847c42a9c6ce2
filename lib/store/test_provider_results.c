#include "store/provider_results.h"
#include "store/test_store.h"

static void added_up(void)
{
    const struct provider_counts more = { .asked = 5, .answered = 3, .took_ms = 700, .check_reports = 1 };

    CHECK(providers_add(db, "0x", &more) && providers_add(db, "0x", &more) &&
          providers_add(db, "odos", &more));
    CHECK(NUMBER("SELECT COUNT(*) FROM providers") == 2);
    CHECK(NUMBER("SELECT asked = 10 AND answered = 6 AND took_ms = 1400 AND findings = 2"
                 " AND asked_at > UTC_TIMESTAMP(3) - INTERVAL 1 MINUTE FROM providers"
                 " WHERE provider = '0x'") == 1);
}

STORE_TEST_MAIN(TEST(added_up))
