#include "webhook/backoff.h"

enum { MINUTE = 60, HOUR = 60 * MINUTE, DAY = 24 * HOUR };

static const int64_t delay_s[WEBHOOK_ATTEMPTS] = {
    0, 5, 30, 2 * MINUTE, 10 * MINUTE, HOUR, 3 * HOUR, 8 * HOUR, 16 * HOUR, DAY,
};

bool backoff_delay(int64_t *delay_ms, unsigned attempts, int64_t retry_after_s, uint32_t dice)
{
    int64_t base, asked;

    if (attempts >= WEBHOOK_ATTEMPTS)
        return false;
    base = delay_s[attempts] * 1000;
    *delay_ms = base - base / 10 + ((base / 5 * (int64_t)dice) >> 32);
    asked = (retry_after_s < DAY ? retry_after_s : DAY) * 1000;
    if (asked > *delay_ms)
        *delay_ms = asked;
    return true;
}
