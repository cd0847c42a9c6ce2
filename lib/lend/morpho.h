/* Morpho Blue as a lender: markets of one token against one other. */
#ifndef LEND_MORPHO_H
#define LEND_MORPHO_H

#include "lend/lender.h"

extern const struct lender morpho_lender;

#endif
