/* backoff_delay
 * @bounds all counts of attempts, all Retry-After from -1 on, all random bits
 * @shows the wait is that of the schedule within a tenth, or what the receiver asked, and never above a day
 * and a tenth; ten are the last
 * @unwind 11
 */
#include "proof.h"
#include "webhook/backoff.c"

void harness(void)
{
    ANY(unsigned, attempts);
    ANY(int64_t, retry_after_s);
    ANY(uint32_t, dice);
    int64_t delay_ms, base;

    SUPPOSE(retry_after_s >= -1);
    MUST(backoff_delay(&delay_ms, attempts, retry_after_s, dice) == (attempts < WEBHOOK_ATTEMPTS));
    if (attempts >= WEBHOOK_ATTEMPTS)
        return;
    base = delay_s[attempts] * 1000;
    MUST(delay_ms >= base - base / 10 && delay_ms >= 0);
    MUST(delay_ms <= base + base / 10 || (delay_ms + 999) / 1000 <= retry_after_s);
    MUST(delay_ms >= (retry_after_s < DAY ? retry_after_s : DAY) * 1000);
    MUST(delay_ms <= (DAY + DAY / 10) * 1000LL);
}
