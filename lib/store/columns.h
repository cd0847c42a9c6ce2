/* Groups of columns that several tables have. */
#ifndef STORE_COLUMNS_H
#define STORE_COLUMNS_H

#include "model/swap.h"
#include "store/db.h"

/* A token of a quote or a swap: its chain id, and symbol, address and decimals from column `first` on. */
void col_token(struct stmt *st, unsigned chain, unsigned first, struct swap_token *out);
/* symbol, address, decimals; the chain id is bound elsewhere. */
void bind_token(struct stmt *st, const struct swap_token *t);

#endif
