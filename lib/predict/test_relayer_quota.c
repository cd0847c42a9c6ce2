#include "predict/relayer_quota.c"

#include "base/test.h"

static void waits_are_read_from_refusals(void)
{
    static const struct {
        const char *answer;
        unsigned seconds;
    } rows[] = {
        { "{\"error\":\"quota exceeded: 0 units remaining, resets in 41230 seconds\"}", 41230 },
        { "{\"error\":\"Quota exceeded: 0 units remaining, Resets in 1 seconds\"}", 1 },
        { "{\"error\":\"quota exceeded: 0 units remaining, resets in 0 seconds\"}", UNTOLD_S },
        { "{\"error\":\"quota exceeded, resets in a while\"}", UNTOLD_S },
        { "{\"error\":\"resets in 86401 seconds\"}", DAY_S },
        { "{\"error\":\"resets in 99999999999999999999999999 seconds\"}", DAY_S },
        { "{\"error\":\"Too Many Requests\"}", UNTOLD_S },
        { "{\"error\":7}", UNTOLD_S },
        { "<html>", UNTOLD_S },
        { "", UNTOLD_S },
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct buf answer = { .data = (char *)(uintptr_t)rows[i].answer, .len = strlen(rows[i].answer) };

        CHECK(relayer_quota_wait(&answer) == rows[i].seconds);
    }
}

TEST_MAIN(TEST(waits_are_read_from_refusals))
