/* Groups of columns that several tables have. */
#ifndef STORE_COLUMNS_H
#define STORE_COLUMNS_H

#include "model/execution.h"
#include "store/db.h"

/* A token of a quote or a swap: its chain id, and symbol, address and decimals from column `first` on. */
void col_token(struct stmt *st, unsigned chain, unsigned first, struct token_ref *out);
/* A sealed secret (codec/box.h) of at most 128 bytes; its length, 0 when there is none. */
unsigned col_sealed(struct stmt *st, unsigned i, struct arena *a, uint8_t out[static 128]);
/* symbol, address, decimals; the chain id is bound elsewhere. */
void bind_token(struct stmt *st, const struct token_ref *t);

#endif
