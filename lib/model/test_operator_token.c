#include "base/test.h"
#include "model/operator_token.c"

static void names_stand_in_a_log_as_they_are(void)
{
    char longest[OPERATOR_NAME_MAX + 2];

    CHECK(operator_name_ok("anna") && operator_name_ok("anna.b_1@example-1"));
    CHECK(!operator_name_ok("") && !operator_name_ok("an na") && !operator_name_ok("anna\n") &&
          !operator_name_ok("\xc3\xa4nna") && !operator_name_ok("<b>"));
    memset(longest, 'a', sizeof longest);
    longest[OPERATOR_NAME_MAX + 1] = '\0';
    CHECK(!operator_name_ok(longest));
    longest[OPERATOR_NAME_MAX] = '\0';
    CHECK(operator_name_ok(longest));
}

TEST_MAIN(TEST(names_stand_in_a_log_as_they_are))
