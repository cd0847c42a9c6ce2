/* Hyperliquid's prices, sizes and dollars: whole numbers of 10^-8, which have every place that the venue
 * knows, and its rules for perpetuals, of which each has `sz_decimals` places of its size. */
#ifndef VENUE_HYPERLIQUID_FORMAT_H
#define VENUE_HYPERLIQUID_FORMAT_H

#include <stdbool.h>
#include <stdint.h>

#include "codec/u256.h"

enum { HYPERLIQUID_PLACES = 8, HYPERLIQUID_DECIMAL_LEN = 21 };

/* Not zero, and no more places than the perpetual has. */
bool hyperliquid_size_fits(uint64_t size, unsigned sz_decimals);
/* The largest size that fits and is not larger; 0: none. */
uint64_t hyperliquid_size_down(uint64_t size, unsigned sz_decimals);

/* Not zero, at most five significant figures and 6 - sz_decimals places; a whole number may have more
 * figures. */
bool hyperliquid_price_fits(uint64_t price, unsigned sz_decimals);
/* A price of our own that fits: itself, or the next one of five figures above or below. False when there is
 * none. */
MUST_CHECK bool hyperliquid_price_round(uint64_t *out, uint64_t price, unsigned sz_decimals, bool up);

/* A decimal as the venue wants it: "64250", "0.015"; no trailing zeros. */
void hyperliquid_decimal(char out[static HYPERLIQUID_DECIMAL_LEN + 1], uint64_t v);

#endif
