/* Groups of columns that several tables have. */
#ifndef STORE_COLUMNS_H
#define STORE_COLUMNS_H

#include "model/execution.h"
#include "model/wallet.h"
#include "store/db.h"

/* A list of columns, X(FIRST, NEXT), has a row for each: its name in SQL, and what its value is read into.
 * With these two the list is a SELECT's; with the next two it reads a row, `i` being the column. */
#define FIRST_NAME(name, read) name
#define NEXT_NAME(name, read)  ", " name
#define READ_FIRST(name, read) read;
#define READ_NEXT(name, read)                                                                                \
    i++;                                                                                                     \
    read;

/* A number of values in a list: unneeded ones are bound to a value that matches nothing, such as id 0. */
#define VALUES_4   "?, ?, ?, ?"
#define VALUES_16  VALUES_4 ", " VALUES_4 ", " VALUES_4 ", " VALUES_4
#define VALUES_40  VALUES_16 ", " VALUES_16 ", " VALUES_4 ", " VALUES_4
#define VALUES_160 VALUES_40 ", " VALUES_40 ", " VALUES_40 ", " VALUES_40

/* Token `t` in the columns <name>_chain, <name>_symbol and so on. */
#define TOKEN(NEXT, name, t)                                                                                 \
    NEXT(name "_chain", (t).chain_id = col_u64(st, i))                                                       \
    NEXT(name "_symbol", col_string(st, i, (t).symbol, sizeof(t).symbol))                                    \
    NEXT(name "_address", col_string(st, i, (t).address, sizeof(t).address))                                 \
    NEXT(name "_decimals", (t).decimals = (uint8_t)col_u64(st, i))

/* Wallet `w`, of table `t`. */
#define WALLET(FIRST, NEXT, t, w)                                                                            \
    FIRST(t ".id", (w)->id = col_u64(st, i))                                                                 \
    NEXT(t ".agent_id", (w)->agent_id = col_u64(st, i))                                                      \
    NEXT(t ".uuid", (w)->ref.wallet = col_uuid(st, i))                                                       \
    NEXT(t ".agent_uuid", (w)->ref.agent = col_uuid(st, i))                                                  \
    NEXT(t ".kind", (w)->ref.kind = (enum wallet_kind)col_u64(st, i))                                        \
    NEXT(t ".address", col_string(st, i, (w)->ref.address, sizeof(w)->ref.address))                          \
    NEXT(t ".sealed_key", (w)->has_key = col_fixed(st, i, (w)->sealed, sizeof(w)->sealed))                   \
    NEXT(t ".version", (w)->turn = col_u64(st, i))

/* The same columns, and whether policies limit the wallet, of the same moment as its turn. Servers read the
 * least value of an index while they plan; any other way to look for a row there costs more than all the
 * rest. */
#define WALLET_PICKED(FIRST, NEXT, t, w)                                                                     \
    WALLET(FIRST, NEXT, t, w)                                                                                \
    NEXT("(SELECT MIN(policies.created_at) FROM policies WHERE policies.agent_id = " t ".agent_id) IS NULL", \
         (w)->unlimited = col_u64(st, i) != 0)

#define WALLET_OLDEST "(SELECT MIN(id) FROM wallets WHERE agent_id = ? AND kind = ?)"

/* Columns that transactions and requests have in common: effect `e` of table `t`. */
#define EFFECT(FIRST, NEXT, t, e)                                                                            \
    FIRST(t ".id", (e).id = col_u64(st, i))                                                                  \
    NEXT(t ".execution_id", (e).execution_id = col_u64(st, i))                                               \
    NEXT(t ".wallet_id", (e).wallet_id = col_u64(st, i))                                                     \
    NEXT(t ".state", (e).state = (enum effect_state)col_u64(st, i))                                          \
    NEXT(t ".succeeded", (e).succeeded = col_u64(st, i) != 0)                                                \
    NEXT(t ".broadcasts", (e).broadcasts = (unsigned)col_u64(st, i))                                         \
    NEXT(t ".accepted", (e).accepted = col_u64(st, i) != 0)                                                  \
    NEXT(t ".refusals", (e).refusals = (unsigned)col_u64(st, i))                                             \
    NEXT(t ".last_reply", (e).said = (enum broadcast_result)col_u64(st, i))                                  \
    NEXT(t ".broadcast_at", (e).broadcast_ms = col_ms(st, i))                                                \
    NEXT(t ".created_at", (e).created_ms = col_ms(st, i))

bool col_maybe_u64(struct stmt *st, unsigned i, uint64_t *out);     /* false, and 0, for NULL */
bool col_maybe_u256(struct stmt *st, unsigned i, struct u256 *out); /* false, and 0, for NULL */
bool col_maybe_uuid(struct stmt *st, unsigned i, struct uuid *out); /* false, and zeros, for NULL */
void col_tx_hash(struct stmt *st, unsigned i, struct tx_hash *out);
void col_address_bytes(struct stmt *st, unsigned i, struct address_bytes *out);
void bind_maybe_u64(struct stmt *st, bool there, uint64_t v);
void bind_maybe_u256(struct stmt *st, const struct u256 *v); /* NULL is NULL */
void bind_tx_hash(struct stmt *st, const struct tx_hash *h); /* NULL, or one of no bytes, is NULL */
void bind_address_bytes(struct stmt *st, const struct address_bytes *a); /* of no bytes is NULL */
/* A sealed secret (codec/box.h) of at most 128 bytes; its length, 0 when there is none. */
unsigned col_sealed(struct stmt *st, unsigned i, uint8_t out[static 128]);
/* Symbol, address and decimals of a token; its chain is bound elsewhere. */
void bind_token(struct stmt *st, const struct token_ref *t);

/* `n` ids of a list with `places` of them. */
void bind_ids(struct stmt *st, const uint64_t *ids, size_t n, size_t places);

/* Binds the result of an effect's broadcast: whether it was accepted, whether it counts as a refusal, the
 * reply; then the effect's id. */
void bind_broadcast(struct stmt *st, const struct broadcast *b);

#endif
