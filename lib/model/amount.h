/* Money: a number of smallest units with the decimals of its token. Made from a decimal string or from chain
 * bytes, printed as a decimal string; nothing else reaches inside. */
#ifndef MODEL_AMOUNT_H
#define MODEL_AMOUNT_H

#include <stdbool.h>
#include <stdint.h>

#include "core/arena.h"
#include "core/u256.h"

struct amount {
    struct u256 raw; /* smallest units */
    uint8_t decimals;
};

/* A share of one in millionths: slippage, fees. 0 to 1000000. */
struct ppm {
    uint32_t value;
};

enum { PPM_ONE = 1000000, AMOUNT_MAX_DECIMALS = 36 };

enum amount_fault {
    AMOUNT_FINE = 0,
    AMOUNT_FORM,     /* not plain decimal digits with at most one point between digits */
    AMOUNT_PLACES,   /* more places than the token has */
    AMOUNT_OVERFLOW, /* 2^256 smallest units or more */
};

/* "12", "0.5"; no sign, no exponent, no white space, digits on both sides of the point. Zero is fine here. */
MUST_CHECK enum amount_fault amount_parse(struct amount *out, const char *text, uint8_t decimals);
/* Only the form of it, for a check before the token is known. */
bool amount_form_ok(const char *text);
bool amount_is_zero(struct amount a);

/* Canonical: no exponent, no trailing zeros, at most the token's places. */
char *amount_text(struct arena *a, struct amount amount);

/* floor(a * (1 - slippage)): the least that may arrive. */
MUST_CHECK bool amount_less_ppm_down(struct amount *out, struct amount a, struct ppm slippage);

/* Units of `out` per unit of `in`, rounded down to 18 places. "0" when it is not representable. */
char *amount_rate_text(struct arena *a, struct amount in, struct amount out);

#endif
