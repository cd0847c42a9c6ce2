/* Groups of columns that several tables have. */
#ifndef STORE_COLUMNS_H
#define STORE_COLUMNS_H

#include "model/execution.h"
#include "store/db.h"

/* A list of columns, X(FIRST, NEXT), has a row for each: its name in SQL, and what its value is read into.
 * With these two the list is a SELECT's; with the next two it reads a row, `i` being the column. */
#define FIRST_NAME(name, read) name
#define NEXT_NAME(name, read)  ", " name
#define READ_FIRST(name, read) read;
#define READ_NEXT(name, read)                                                                                \
    i++;                                                                                                     \
    read;

/* A token of a quote or a swap: its chain id, and symbol, address and decimals from column `first` on. */
void col_token(struct stmt *st, unsigned chain, unsigned first, struct token_ref *out);
bool col_maybe_u256(struct stmt *st, unsigned i, struct u256 *out); /* false, and 0, for NULL */
bool col_maybe_uuid(struct stmt *st, unsigned i, struct uuid *out); /* likewise */
/* A sealed secret (codec/box.h) of at most 128 bytes; its length, 0 when there is none. */
unsigned col_sealed(struct stmt *st, unsigned i, struct arena *a, uint8_t out[static 128]);
/* symbol, address, decimals; the chain id is bound elsewhere. */
void bind_token(struct stmt *st, const struct token_ref *t);

/* What an effect's broadcast came to: whether it was accepted, whether it counts as a refusal, what was said;
 * then the effect's id. */
void bind_broadcast(struct stmt *st, const struct broadcast *b);

#endif
