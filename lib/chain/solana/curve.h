/* The curve of Ed25519, whose points are what keys can be. */
#ifndef CHAIN_SOLANA_CURVE_H
#define CHAIN_SOLANA_CURVE_H

#include <stdbool.h>
#include <stdint.h>

#include "chain/solana/solana_addr.h"

/* Whether 32 bytes are a point of the curve, in the prime-order group or not. They are public: it takes
 * longer for some than for others. */
bool solana_is_on_curve(const uint8_t bytes[static SOLANA_ADDR_LEN]);

#endif
