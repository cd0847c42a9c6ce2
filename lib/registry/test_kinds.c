#include "base/test.h"
#include "registry/kinds.c"

#define EXEC_KIND_ID(name, number) name,
static const enum exec_kind_id all_kinds[] = { EXEC_KINDS(EXEC_KIND_ID) };
enum { ALL_KINDS = sizeof all_kinds / sizeof all_kinds[0] };

static void every_kind_is_told(void)
{
    for (size_t i = 0; i < ALL_KINDS; i++) {
        enum exec_kind_id id = all_kinds[i];
        const struct exec_kind *k = exec_kind_of(id);

        CHECK(k->name != NULL &&
              (k->event_failed == NULL) == (id == KIND_PERPS_LEVERAGE || id == KIND_PERPS_KEY));
        CHECK(k->verdict != NULL && k->view != NULL && k->sentence != NULL);
        CHECK((k->venue_class == NULL) == (k->policies == POLICIES_NONE));
    }
}

/* Stored by a newer program: neither listed nor followed here, and nothing breaks. */
static void unknown_kinds_are_ignored(void)
{
    const enum exec_kind_id newer = all_kinds[ALL_KINDS - 1] + 1;

    CHECK(exec_kind_of((enum exec_kind_id)0) == NULL && exec_kind_of(newer) == NULL);
    CHECK(exec_in_swaps(KIND_SWAP) && !exec_in_swaps(KIND_TRANSFER) && !exec_in_swaps(newer));
}

TEST_MAIN(TEST(every_kind_is_told), TEST(unknown_kinds_are_ignored))
