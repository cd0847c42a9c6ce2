/* Aave V3 as a lender: each reserve is a market, against all that serves as collateral. */
#ifndef LEND_AAVE_H
#define LEND_AAVE_H

#include "lend/lender.h"

extern const struct lender aave_lender;

#endif
