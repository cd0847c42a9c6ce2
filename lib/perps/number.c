#include "perps/number.h"

#include <string.h>

#include "base/json_numbers.h"
#include "base/params.h"

enum { NUMBER_MAX = 40, SUM_PLACES = 18 };

/* "1.500" becomes "1.5", "0.0" becomes "0". */
static char *needless_digits_dropped(struct arena *a, const char *plain)
{
    size_t n = strlen(plain);

    if (strchr(plain, '.') == NULL)
        return arena_strdup(a, plain);
    while (plain[n - 1] == '0')
        n--;
    return arena_strndup(a, plain, n - (plain[n - 1] == '.'));
}

static const char *number_text(const json_t *row, const char *name)
{
    const char *text = json_string_value(json_object_get(row, name));

    return text != NULL && strlen(text) <= NUMBER_MAX ? text : NULL;
}

const char *perps_number(struct arena *a, const json_t *row, const char *name)
{
    const char *text = number_text(row, name);

    return text != NULL && json_numbers_plain(text) ? needless_digits_dropped(a, text) : NULL;
}

const char *perps_signed(struct arena *a, const json_t *row, const char *name)
{
    const char *text = number_text(row, name), *size;
    bool minus = text != NULL && *text == '-';

    if (text == NULL || !json_numbers_plain(text + minus))
        return NULL;
    size = needless_digits_dropped(a, text + minus);
    return minus && !perps_is_zero(size) ? arena_printf(a, "-%s", size) : size;
}

bool perps_whole(unsigned *out, const json_t *row, const char *name, unsigned max)
{
    const char *text = number_text(row, name);
    uint64_t n;

    if (text == NULL || !params_whole(&n, text) || n > max)
        return false;
    *out = (unsigned)n;
    return true;
}

bool perps_is_zero(const char *number)
{
    return strcmp(number, "0") == 0;
}

bool perps_is_positive(const char *number)
{
    return number != NULL && *number != '-' && !perps_is_zero(number);
}

bool perps_amount(struct amount *out, const char *number)
{
    return amount_parse(out, number, PERPS_PLACES) == AMOUNT_FINE;
}

bool perps_share(struct amount *out, const char *number)
{
    return amount_parse(out, number, PERPS_SHARE_PLACES) == AMOUNT_FINE;
}

const char *perps_sum(struct arena *a, const char *x, const char *y)
{
    bool minus = *x == '-', alike = minus == (*y == '-');
    struct amount left, right, sum = { .decimals = SUM_PLACES };

    if (amount_parse(&left, x + minus, SUM_PLACES) != AMOUNT_FINE ||
        amount_parse(&right, y + (*y == '-'), SUM_PLACES) != AMOUNT_FINE)
        return NULL;
    if (alike && !u256_add(&sum.raw, left.raw, right.raw))
        return NULL;
    if (!alike && !u256_sub(&sum.raw, left.raw, right.raw)) {
        sum.raw = u256_difference(right.raw, left.raw);
        minus = !minus;
    }
    return arena_printf(a, "%s%s", minus && !amount_is_zero(sum) ? "-" : "", amount_text(a, sum));
}

const char *perps_difference(struct arena *a, const char *x, const char *y)
{
    const char *left = perps_sum(a, x, perps_is_zero(y) ? y : arena_printf(a, "-%s", y));

    return left != NULL && *left == '-' ? "0" : left;
}

void perps_number_write(struct json_writer *w, const char *key, const char *number)
{
    jw_raw(w, key, number, strlen(number), NULL);
}
