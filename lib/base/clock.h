/* Time. Wall time is for records and deadlines that others see, monotonic time for waiting. */
#ifndef BASE_CLOCK_H
#define BASE_CLOCK_H

#include <stdint.h>

int64_t clock_ms(void);      /* wall clock, milliseconds since 1970 */
int64_t clock_us(void);      /* wall clock, microseconds since 1970 */
int64_t clock_seconds(void); /* wall clock */
int64_t clock_mono_ms(void);

enum { ISO8601_LEN = 24 };
/* "2026-01-31T23:59:59.123Z"; years 0 to 9999. */
void clock_iso8601(char out[static ISO8601_LEN + 1], int64_t ms);

/* Lets tests set the wall clock; 0 restores the real one. */
void clock_fake_ms(int64_t ms);

#endif
