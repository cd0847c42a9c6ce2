/* Time. Wall time is for records and deadlines that others see, monotonic time for waiting. */
#ifndef BASE_CLOCK_H
#define BASE_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

int64_t clock_ms(void);      /* wall clock, milliseconds since 1970 */
int64_t clock_us(void);      /* wall clock, microseconds since 1970 */
int64_t clock_seconds(void); /* wall clock */
int64_t clock_mono_ms(void);
int64_t clock_mono_us(void);
int64_t clock_boot_seconds(void); /* since the machine's start, while it slept too; never set */

/* A moment of the Gregorian calendar in UTC; months and days count from 1. */
struct clock_date {
    int year, month, day, hour, minute, second;
};
/* Seconds since 1970 and back, for years 0 to 9999. The C library's ways go through time zones. */
int64_t clock_seconds_of(const struct clock_date *d);
struct clock_date clock_date_of(int64_t seconds);

enum { ISO8601_LEN = 24 };
/* "2026-01-31T23:59:59.123Z"; years 0 to 9999. */
void clock_iso8601(char out[static ISO8601_LEN + 1], int64_t ms);
/* A time after 1970 as others write it: with or without a fraction, with any offset. False for anything
 * else. */
bool clock_parse_iso8601(int64_t *ms, const char *text);

/* Lets tests set the wall clock; 0 restores the real one. */
void clock_fake_ms(int64_t ms);

#endif
