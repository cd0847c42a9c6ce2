/* Parameters that several endpoints take, and the checks that are declared with them. */
#ifndef API_ENDPOINT_COMMON_PARAMS_H
#define API_ENDPOINT_COMMON_PARAMS_H

#include "base/params.h"
#include "model/amount.h"
#include "model/page.h"

/* Longest symbol, address or chain name in characters; default slippage in millionths. */
enum { PARAM_NAME_MAX = 64, PARAM_SLIPPAGE_DEFAULT = 30000 };

/* clang-format off */
#define PARAM_MAX_IMPACT(type, member) \
    { "max_price_impact", P_FRACTION, INTO(type, member), .number = PPM_NONE, \
      .about = "Allows a price that is this much worse than that of a small trade; 0.1 is ten per cent. Absent: what the operator allows, 0.05 unless set otherwise" }

#define PARAMS_PAGE(type) \
    { "limit", P_WHOLE, INTO(type, limit), .number = PAGE_DEFAULT, .min = 1, .max = PAGE_MAX, .bad = &E_LIMIT, \
      .about = "Page size" }, \
    { "offset", P_WHOLE, INTO(type, offset), .max = INT64_MAX, .bad = &E_OFFSET, .about = "Items to skip" }
/* clang-format on */

/* For a parameter's `check`: what is wrong with the value, or NULL; `env` is the process's struct ctx. */
const char *param_callback_fault(const char *url, const void *env);
/* Takes an address of any kind of chain: whether it fits can be told only once the chain is known. */
const char *param_wallet_fault(const char *address, const void *env);

#endif
