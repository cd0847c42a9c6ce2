/* The time of a delivery's next attempt. Pure: time and chance come from the caller. */
#ifndef WEBHOOK_BACKOFF_H
#define WEBHOOK_BACKOFF_H

#include <stdbool.h>
#include <stdint.h>

enum { WEBHOOK_ATTEMPTS = 10 };

/* The wait after `attempts` failed attempts before the next, with ten per cent of jitter either way from
 * `dice` (any 32 random bits). A longer Retry-After (-1: none) is honoured as it is, up to a day. False: no
 * more attempts. */
bool backoff_delay(int64_t *delay_ms, unsigned attempts, int64_t retry_after_s, uint32_t dice);

#endif
