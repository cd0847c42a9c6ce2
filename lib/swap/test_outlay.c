#include "base/test.h"
#include "swap/outlay.c"

#include <string.h>

static struct evm_addr addr_of(uint8_t byte)
{
    struct evm_addr at;

    memset(at.bytes, byte, sizeof at.bytes);
    return at;
}

/* Of two approvals and a swap: the spender twice, the token's contract never, the router, and the spender
 * again. */
static void recipients_of_a_plan(void)
{
    static const char SPENDER[] = "0x2222222222222222222222222222222222222222";
    static const char ROUTER[] = "0x3333333333333333333333333333333333333333";
    const char *const expected[] = { SPENDER, SPENDER, ROUTER, SPENDER, NULL };
    struct arena *a = arena_new();
    struct plan p = { .count = 3 };
    const char *const *list;

    for (unsigned i = 0; i < 3; i++)
        p.steps[i] = (struct step){ .kind = i < 2 ? TX_APPROVAL : TX_SPEND,
                                    .to = addr_of(i < 2 ? 0x11 : 0x33),
                                    .has_token = true,
                                    .spender = addr_of(0x22) };
    list = plan_recipients(a, &p);
    for (unsigned i = 0; expected[i] != NULL; i++)
        CHECK_STR(list[i], expected[i]);
    CHECK(list[4] == NULL);
    p.steps[0] = (struct step){ .kind = TX_SPEND, .to = addr_of(0x33) };
    p.count = 1;
    list = plan_recipients(a, &p);
    CHECK_STR(list[0], ROUTER);
    CHECK(list[1] == NULL);
    arena_free(a);
}

TEST_MAIN(TEST(recipients_of_a_plan))
