/* Readers of callers' terms for perpetuals, digit by digit, and their refusals. */
#ifndef PERPS_PERPS_TERMS_H
#define PERPS_PERPS_TERMS_H

#include "base/err.h"
#include "model/amount.h"
#include "perps/universe.h"

#define PERPS_LONG  "long"
#define PERPS_SHORT "short"

/* Each is a parameter's `check` (base/params.h) with any `env`: what is wrong, or NULL. */
const char *perps_side_fault(const char *side, const void *env);
const char *perps_size_fault(const char *size, const void *env);
const char *perps_price_fault(const char *price, const void *env);
const char *perps_slippage_fault(const char *slippage, const void *env);

/* Each returns NULL, or what is wrong. `text` of a leverage may be NULL: then *out stays. */
const struct err *perps_leverage_read(struct arena *a, const char *text, unsigned most, unsigned *out);
const struct err *perps_size_read(struct arena *a, const char *text, const struct perps_asset *p,
                                  struct amount *out);
/* A price in units of 10^-8 (venue/hyperliquid_format.h). `field` is the member that has it. */
const struct err *perps_price_read(struct arena *a, const char *text, const struct perps_asset *p,
                                   const char *field, uint64_t *out);
/* A slippage in millionths, of a text without fault. */
uint32_t perps_slippage_read(const char *text);

const struct err *perps_market_refuse(struct arena *a, const char *market);
const struct err *perps_leverage_refuse(struct arena *a, unsigned most);
const struct err *perps_too_little_there(struct arena *a);

#endif
