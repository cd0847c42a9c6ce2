/* Decimal numbers as text, of any precision: none passes through floating point. */
#ifndef BASE_DECIMAL_TEXT_H
#define BASE_DECIMAL_TEXT_H

#include "base/arena.h"

enum { DECIMAL_CHARS_MAX = 512, DECIMAL_EXPONENT_MAX = 100, DECIMAL_WHOLE_MAX = 78 };

/* "1e-05", "25.000": a number that is not negative, exponent and all, as plain digits without zeros that say
 * nothing: "0.00001", "25". In the arena. NULL for another form, for more characters than DECIMAL_CHARS_MAX,
 * for an exponent beyond DECIMAL_EXPONENT_MAX, and for more digits before the point than 256 bits have. */
const char *decimal_plain(struct arena *a, const char *text);

#endif
