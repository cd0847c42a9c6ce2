/* Fractions at the edge: a JSON number between 0 and 1 becomes a whole number of millionths, here and nowhere
 * else. */
#ifndef BASE_FRACTION_H
#define BASE_FRACTION_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

/* Digits beyond millionths are cut off, so that the result never allows more than was asked for. Returns
 * false unless `number` is a number from 0 to 1. */
bool fraction_ppm(uint32_t *out, const json_t *number);

#endif
