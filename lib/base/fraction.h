/* Fractions at the edge: a JSON number between 0 and 1 becomes a whole number of millionths, here and nowhere
 * else. */
#ifndef BASE_FRACTION_H
#define BASE_FRACTION_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

/* Finer digits are cut off, so that it never allows more than was said; false when it is not a number from 0
 * to 1. */
bool fraction_ppm(uint32_t *out, const json_t *number);

#endif
