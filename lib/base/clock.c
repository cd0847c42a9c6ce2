#include "base/clock.h"

#include "base/fault.h"
#include "base/log.h"

static int64_t fake_ms;

static int64_t read_us(clockid_t id)
{
    struct timespec ts;

    if (clock_gettime(id, &ts) != 0)
        log_fatal("clock_unreadable", "no clock");
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

int64_t clock_mono_us(void)
{
    return read_us(CLOCK_MONOTONIC);
}

int64_t clock_mono_ms(void)
{
    return read_us(CLOCK_MONOTONIC) / 1000;
}

int64_t clock_boot_seconds(void)
{
    return read_us(CLOCK_BOOTTIME) / 1000000;
}

void clock_fake_ms(int64_t ms)
{
    fake_ms = ms;
}

/* Years begin in March here, so that a leap day is the last of its year, and 400 years of them stand before
 * year 0, so that nothing is negative. */
enum { CYCLE_YEARS = 400, CYCLE_DAYS = 146097, DAYS_BEFORE_1970 = 719468 + CYCLE_DAYS, DAY_S = 86400 };

/* Days of such a year before its month m, 0 being March. */
static int64_t days_before_month(int64_t m)
{
    return (153 * m + 2) / 5;
}

static int64_t days_before_year(int64_t y)
{
    return y * 365 + y / 4 - y / 100 + y / 400;
}

int64_t clock_seconds_of(const struct clock_date *d)
{
    int64_t y = d->year + CYCLE_YEARS - (d->month < 3), m = (d->month + 9) % 12;
    int64_t days = days_before_year(y) + days_before_month(m) + d->day - 1 - DAYS_BEFORE_1970;

    return days * DAY_S + d->hour * 3600 + d->minute * 60 + d->second;
}

struct clock_date clock_date_of(int64_t seconds)
{
    int64_t all = seconds + (int64_t)DAYS_BEFORE_1970 * DAY_S, of_day = all % DAY_S, day = all / DAY_S;
    int64_t cycles = day / CYCLE_DAYS - 1, year, month;

    day %= CYCLE_DAYS;
    /* Without the leap days before it, which a year of 365 days knows nothing of. */
    year = (day - day / 1460 + day / 36524 - day / 146096) / 365;
    day -= days_before_year(year);
    month = (5 * day + 2) / 153;
    return (struct clock_date){ .year = (int)(cycles * CYCLE_YEARS + year + (month >= 10)),
                                .month = (int)(month < 10 ? month + 3 : month - 9),
                                .day = (int)(day - days_before_month(month) + 1),
                                .hour = (int)(of_day / 3600),
                                .minute = (int)(of_day / 60 % 60),
                                .second = (int)(of_day % 60) };
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
    struct clock_date d;
    int64_t seconds;

    ms = ms < first ? first : ms > last ? last : ms;
    seconds = ms / 1000 - (ms % 1000 < 0);
    d = clock_date_of(seconds);
    memcpy(out, "0000-00-00T00:00:00.000Z", ISO8601_LEN + 1);
    put_digits(out, 4, d.year);
    put_digits(out + 5, 2, d.month);
    put_digits(out + 8, 2, d.day);
    put_digits(out + 11, 2, d.hour);
    put_digits(out + 14, 2, d.minute);
    put_digits(out + 17, 2, d.second);
    put_digits(out + 20, 3, (int)(ms - seconds * 1000));
}

/* The offset of "Z" or "+02:00" in milliseconds; false for anything else. */
static bool zone_parse(int64_t *offset_ms, const char *s)
{
    static const char form[] = "00:00";

    *offset_ms = 0;
    if (strcmp(s, "Z") == 0)
        return true;
    if ((*s != '+' && *s != '-') || strlen(s) != sizeof form)
        return false;
    for (size_t i = 0; form[i] != '\0'; i++)
        if (form[i] == ':' ? s[i + 1] != ':' : s[i + 1] < '0' || s[i + 1] > '9')
            return false;
    *offset_ms = ((s[1] - '0') * 600 + (s[2] - '0') * 60 + (s[4] - '0') * 10 + s[5] - '0') * INT64_C(60000);
    *offset_ms *= *s == '+' ? 1 : -1;
    return true;
}

bool clock_parse_iso8601(int64_t *ms, const char *text)
{
    struct tm tm = { 0 };
    const char *rest = strptime(text, "%Y-%m-%dT%H:%M:%S", &tm);
    int64_t fraction = 0, offset;

    if (rest == NULL)
        return false;
    if (*rest == '.')
        for (int64_t unit = 100; *++rest >= '0' && *rest <= '9'; unit /= 10)
            fraction += (*rest - '0') * unit;
    if (!zone_parse(&offset, rest))
        return false;
    *ms = (int64_t)timegm(&tm) * 1000 + fraction - offset;
    return *ms > 0;
}
