#include "base/test.h"
#include "policy/rule.c"

static void types_have_their_names(void)
{
    enum policy_type t;

    for (unsigned i = 0; policy_types[i] != NULL; i++) {
        CHECK(policy_type_parse(&t, policy_types[i]) && t == (enum policy_type)(i + 1));
        CHECK_STR(policy_type_text(t), policy_types[i]);
    }
    CHECK(!policy_type_parse(&t, "limit") && !policy_type_parse(&t, ""));
    CHECK_STR(policy_type_text((enum policy_type)9), "unknown");
}

TEST_MAIN(TEST(types_have_their_names))
