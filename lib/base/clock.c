#include "base/clock.h"

#include "base/fault.h"
#include "base/log.h"

static int64_t fake_ms;

static int64_t read_us(clockid_t id)
{
    struct timespec ts;

    if (clock_gettime(id, &ts) != 0)
        log_fatal("no clock");
    return (int64_t)ts.tv_sec * 1000000 + ts.tv_nsec / 1000;
}

int64_t clock_us(void)
{
    int64_t off_ms = 0;

#ifdef FAULTS
    off_ms = fault_clock_ms();
#endif
    return fake_ms != 0 ? fake_ms * 1000 : read_us(CLOCK_REALTIME) + off_ms * 1000;
}

int64_t clock_ms(void)
{
    return clock_us() / 1000;
}

int64_t clock_seconds(void)
{
    return clock_ms() / 1000;
}

int64_t clock_mono_ms(void)
{
    return read_us(CLOCK_MONOTONIC) / 1000;
}

void clock_fake_ms(int64_t ms)
{
    fake_ms = ms;
}

static void put_digits(char *out, unsigned width, int value)
{
    while (width-- > 0) {
        out[width] = (char)('0' + value % 10);
        value /= 10;
    }
}

void clock_iso8601(char out[static ISO8601_LEN + 1], int64_t ms)
{
    static const int64_t first = -62167219200000, last = 253402300799999; /* years 0000 and 9999 */
    time_t seconds;
    struct tm tm;

    ms = ms < first ? first : ms > last ? last : ms;
    seconds = ms / 1000 - (ms % 1000 < 0);
    if (gmtime_r(&seconds, &tm) == NULL)
        log_fatal("no calendar");
    memcpy(out, "0000-00-00T00:00:00.000Z", ISO8601_LEN + 1);
    put_digits(out, 4, tm.tm_year + 1900);
    put_digits(out + 5, 2, tm.tm_mon + 1);
    put_digits(out + 8, 2, tm.tm_mday);
    put_digits(out + 11, 2, tm.tm_hour);
    put_digits(out + 14, 2, tm.tm_min);
    put_digits(out + 17, 2, tm.tm_sec);
    put_digits(out + 20, 3, (int)(ms - (int64_t)seconds * 1000));
}
