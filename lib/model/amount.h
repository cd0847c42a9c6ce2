/* Money: a number of smallest units, and the decimals of its token. Made from a decimal string or from chain
 * bytes, printed as a decimal string; no other code looks inside. */
#ifndef MODEL_AMOUNT_H
#define MODEL_AMOUNT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/json_writer.h"
#include "codec/u256.h"

struct amount {
    struct u256 raw; /* smallest units */
    uint8_t decimals;
};

/* A share of one in millionths: slippage, fees. 0 to 1000000. */
struct ppm {
    uint32_t value;
};

enum { PPM_ONE = 1000000, AMOUNT_MAX_DECIMALS = 36 };
#define PPM_NONE UINT32_MAX /* unknown, or not given */

enum amount_fault {
    AMOUNT_FINE = 0,
    AMOUNT_FORM,     /* not plain decimal digits with at most one point between digits */
    AMOUNT_PLACES,   /* more places than the token has */
    AMOUNT_OVERFLOW, /* 2^256 smallest units or more */
};

/* "12", "0.5"; no sign, no exponent, no white space, digits on both sides of the point. Zero is fine here. */
MUST_CHECK enum amount_fault amount_parse(struct amount *out, const char *text, uint8_t decimals);
/* The same with any number of places, rounded down to those that the token has. */
MUST_CHECK enum amount_fault amount_parse_down(struct arena *a, struct amount *out, const char *text,
                                               uint8_t decimals);
/* Checks the form only, for use before the token is known. */
bool amount_form_ok(const char *text);
bool amount_is_zero(struct amount a);

/* Canonical: no exponent, no trailing zeros, at most the token's places. */
char *amount_text(struct arena *a, struct amount amount);
/* The same as a JSON string. */
void amount_write(struct json_writer *w, const char *key, struct amount amount);

/* floor(a * (1 - slippage)): the least that may arrive. */
MUST_CHECK bool amount_less_ppm_down(struct amount *out, struct amount a, struct ppm slippage);

/* The share of `want` that `have` falls short, rounded up; PPM_NONE when `want` is zero. Both are of one
 * token. */
struct ppm amount_shortfall(struct u256 want, struct u256 have);
/* "0.0512" */
char *ppm_text(struct arena *a, struct ppm share);
/* "5.12" */
char *ppm_percent(struct arena *a, struct ppm share);

/* The same worth with other decimals, exact or else rounded up. */
MUST_CHECK bool amount_rescale_up(struct amount *out, struct amount a, uint8_t decimals);

/* Units of `out` per unit of `in`, rounded down to 18 places; false when it is not representable. */
enum { RATE_PLACES = 18 };
MUST_CHECK bool amount_rate(struct amount *rate, struct amount in, struct amount out);
/* The same as text, "0" when it is not representable. */
char *amount_rate_text(struct arena *a, struct amount in, struct amount out);

/* floor(a * rate), with the places of `rate`: the worth of so many units. */
MUST_CHECK bool amount_times_down(struct amount *out, struct amount a, struct amount rate);
/* Exactly so many places, rounded down: "0.00", "2998.35". */
char *amount_places_down(struct arena *a, struct amount amount, uint8_t places);
/* A JSON number that is not negative, exponent and all, rounded down to `decimals` places. False when it has
 * another form or does not fit. */
MUST_CHECK bool amount_of_number(struct amount *out, const char *text, uint8_t decimals);

#endif
