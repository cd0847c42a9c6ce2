#include "model/amount.h"

#include <string.h>

static bool char_is_digit(char c)
{
    return c >= '0' && c <= '9';
}

bool amount_form_ok(const char *text)
{
    const char *p = text;

    if (!char_is_digit(*p))
        return false;
    while (char_is_digit(*p))
        p++;
    if (*p == '\0')
        return true;
    if (*p++ != '.' || !char_is_digit(*p))
        return false;
    while (char_is_digit(*p))
        p++;
    return *p == '\0';
}

enum amount_fault amount_parse(struct amount *out, const char *text, uint8_t decimals)
{
    const char *point = strchr(text, '.');
    size_t places = point == NULL ? 0 : strlen(point + 1);

    if (!amount_form_ok(text))
        return AMOUNT_FORM;
    if (places > decimals)
        return AMOUNT_PLACES;
    out->raw = U256_ZERO;
    out->decimals = decimals;
    for (const char *p = text; *p != '\0'; p++)
        if (*p != '.' && !u256_push_digit(&out->raw, 10, (unsigned)(*p - '0')))
            return AMOUNT_OVERFLOW;
    for (; places < decimals; places++)
        if (!u256_push_digit(&out->raw, 10, 0))
            return AMOUNT_OVERFLOW;
    return AMOUNT_FINE;
}

enum amount_fault amount_parse_down(struct arena *a, struct amount *out, const char *text, uint8_t decimals)
{
    const char *point = strchr(text, '.');
    size_t kept = point == NULL ? 0 : (size_t)(point - text) + (decimals == 0 ? 0 : decimals + 1u);

    if (!amount_form_ok(text))
        return AMOUNT_FORM;
    if (point == NULL || strlen(text) <= kept)
        return amount_parse(out, text, decimals);
    return amount_parse(out, arena_strndup(a, text, kept), decimals);
}

bool amount_is_zero(struct amount a)
{
    return u256_is_zero(a.raw);
}

enum { TEXT_LEN = AMOUNT_MAX_DECIMALS + U256_DECIMAL_LEN + 1 };

static void amount_print(char out[static TEXT_LEN + 1], struct amount amount)
{
    char value[U256_DECIMAL_LEN + 1];
    size_t n, pad, places = amount.decimals, whole;

    u256_decimal(value, amount.raw);
    n = strlen(value);
    pad = n <= places ? places - n + 1 : 0; /* below one: zeros in front, one of them before the point */
    memset(out, '0', pad);
    memcpy(out + pad, value, n);
    whole = n + pad - places;
    while (places > 0 && out[whole + places - 1] == '0')
        places--;
    if (places > 0) {
        memmove(out + whole + 1, out + whole, places);
        out[whole] = '.';
        places++;
    }
    out[whole + places] = '\0';
}

char *amount_text(struct arena *a, struct amount amount)
{
    char text[TEXT_LEN + 1];

    amount_print(text, amount);
    return arena_strdup(a, text);
}

void amount_write(struct json_writer *w, const char *key, struct amount amount)
{
    char text[TEXT_LEN + 1];

    if (jw_leaves_out(w, key)) /* printing it costs more than writing it */
        return;
    amount_print(text, amount);
    jw_string(w, key, text);
}

bool amount_less_ppm_down(struct amount *out, struct amount a, struct ppm slippage)
{
    out->decimals = a.decimals;
    return slippage.value <= PPM_ONE &&
           u256_muldiv(&out->raw, a.raw, u256_from_u64(PPM_ONE - slippage.value), u256_from_u64(PPM_ONE));
}

static bool power_of_ten(struct u256 *out, unsigned n)
{
    *out = u256_from_u64(1);
    for (unsigned i = 0; i < n; i++)
        if (!u256_mul(out, *out, u256_from_u64(10)))
            return false;
    return true;
}

bool amount_rescale_up(struct amount *out, struct amount a, uint8_t decimals)
{
    bool finer = decimals >= a.decimals;
    struct u256 scale, rest;

    out->decimals = decimals;
    if (!power_of_ten(&scale, (unsigned)(finer ? decimals - a.decimals : a.decimals - decimals)))
        return false;
    if (finer)
        return u256_mul(&out->raw, a.raw, scale);
    return u256_div(&out->raw, &rest, a.raw, scale) &&
           (u256_is_zero(rest) || u256_add(&out->raw, out->raw, u256_from_u64(1)));
}

bool amount_rate(struct amount *rate, struct amount in, struct amount out)
{
    int shift = RATE_PLACES + in.decimals - out.decimals;
    struct u256 scale = u256_from_u64(1), divisor = in.raw, one;

    rate->decimals = RATE_PLACES;
    if (shift >= 0) {
        if (!power_of_ten(&scale, (unsigned)shift))
            return false;
    } else if (!power_of_ten(&one, (unsigned)-shift) || !u256_mul(&divisor, in.raw, one)) {
        return false;
    }
    return u256_muldiv(&rate->raw, out.raw, scale, divisor);
}

char *amount_rate_text(struct arena *a, struct amount in, struct amount out)
{
    struct amount rate;

    return amount_rate(&rate, in, out) ? amount_text(a, rate) : arena_strdup(a, "0");
}

bool amount_times_down(struct amount *out, struct amount a, struct amount rate)
{
    struct u256 unit;

    out->decimals = rate.decimals;
    return power_of_ten(&unit, a.decimals) && u256_muldiv(&out->raw, a.raw, rate.raw, unit);
}

char *amount_places_down(struct arena *a, struct amount amount, uint8_t places)
{
    static const char zeros[] = "000000000000000000000000000000000000";
    const char *text = amount_text(a, amount), *point = strchr(text, '.');
    size_t whole = point == NULL ? strlen(text) : (size_t)(point - text);
    size_t have = point == NULL ? 0 : strlen(point + 1);

    if (places == 0)
        return arena_strndup(a, text, whole);
    if (have > places)
        have = places;
    return arena_printf(a, "%.*s.%.*s%.*s", (int)whole, text, (int)have, point == NULL ? "" : point + 1,
                        (int)(places - have), zeros);
}

struct ppm amount_shortfall(struct u256 want, struct u256 have)
{
    struct u256 kept;
    uint64_t share;

    if (u256_is_zero(want))
        return (struct ppm){ PPM_NONE };
    if (u256_cmp(have, want) >= 0 || !u256_muldiv(&kept, have, u256_from_u64(PPM_ONE), want) ||
        !u256_to_u64(&share, kept))
        return (struct ppm){ 0 };
    return (struct ppm){ (uint32_t)(PPM_ONE - share) };
}

char *ppm_text(struct arena *a, struct ppm share)
{
    enum { PLACES = 6 };

    return amount_text(a, (struct amount){ u256_from_u64(share.value), PLACES });
}

char *ppm_percent(struct arena *a, struct ppm share)
{
    enum { PLACES = 4 };

    return amount_text(a, (struct amount){ u256_from_u64(share.value), PLACES });
}

/* "e-05" and the like; false when it is no exponent. What is far beyond any amount is cut off. */
static bool read_exponent(int *out, const char *p)
{
    enum { FAR = 1000 };
    bool minus = *p == '-';

    if (*p == '-' || *p == '+')
        p++;
    if (!char_is_digit(*p))
        return false;
    for (*out = 0; char_is_digit(*p); p++)
        if (*out < FAR)
            *out = *out * 10 + (*p - '0');
    if (minus)
        *out = -*out;
    return *p == '\0';
}

bool amount_of_number(struct amount *out, const char *text, uint8_t decimals)
{
    size_t n = strcspn(text, "eE");
    int exponent = 0, shift = decimals;
    bool fraction = false;

    if (text[n] != '\0' && !read_exponent(&exponent, text + n + 1))
        return false;
    *out = (struct amount){ .decimals = decimals };
    if (n == 0 || !char_is_digit(text[0]) || !char_is_digit(text[n - 1]))
        return false;
    shift += exponent; /* how many places the digits still have to move to the left */
    for (size_t i = 0; i < n; i++) {
        if (text[i] == '.' && !fraction) {
            fraction = true;
            continue;
        }
        if (!char_is_digit(text[i]) || !u256_push_digit(&out->raw, 10, (unsigned)(text[i] - '0')))
            return false;
        shift -= fraction;
    }
    for (; shift > 0 && !u256_is_zero(out->raw); shift--)
        if (!u256_push_digit(&out->raw, 10, 0))
            return false;
    for (; shift < 0 && !u256_is_zero(out->raw); shift++)
        if (!u256_div(&out->raw, NULL, out->raw, u256_from_u64(10)))
            return false;
    return true;
}
