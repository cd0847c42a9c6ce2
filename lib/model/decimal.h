/* Decimal numbers as text, read exactly into scaled integers. */
#ifndef MODEL_DECIMAL_H
#define MODEL_DECIMAL_H

#include <stdint.h>

enum decimal_fault {
    DECIMAL_FINE,
    DECIMAL_FORM,   /* no number without a sign; nothing is set */
    DECIMAL_PLACES, /* more places than asked for: *out is rounded down */
    DECIMAL_RANGE,  /* 10^18 or more of the units; nothing is set */
};

/* In units of 10^-places, at most 9. A number as JSON writes it but for leading zeros: digits, a point
 * between digits, an exponent; of any length. */
enum decimal_fault decimal_exact(uint64_t *out, const char *text, unsigned places);

#endif
