#include "chain/solana/lookup_table.h"

#include <string.h>

/* A table's account: what it is (u32), the slot in which its closing began (u64, the highest number while it
 * did not), and up to its addresses what is of no interest here. */
enum { KIND_LEN = 4, CLOSING_LEN = 8, HEADER_LEN = 56 };

bool solana_table_read(struct solana_table *out, const struct solana_addr *key, const uint8_t *data, size_t n)
{
    static const uint8_t active[KIND_LEN + CLOSING_LEN] = { 1,    0,    0,    0,    0xff, 0xff,
                                                            0xff, 0xff, 0xff, 0xff, 0xff, 0xff };
    size_t len = n - HEADER_LEN;

    if (n < HEADER_LEN || memcmp(data, active, sizeof active) != 0 || len % sizeof *out->addresses != 0 ||
        len / sizeof *out->addresses > SOLANA_TABLE_MAX)
        return false;
    *out = (struct solana_table){ .key = *key,
                                  .addresses = (const struct solana_addr *)(data + HEADER_LEN),
                                  .count = len / sizeof *out->addresses };
    return true;
}

static const struct solana_table *table_find(const struct solana_table *tables, size_t n,
                                             const struct solana_addr *key)
{
    for (size_t i = 0; i < n; i++)
        if (solana_addr_eq(&tables[i].key, key))
            return &tables[i];
    return NULL;
}

static bool accounts_add(struct solana_accounts *out, const struct solana_table *table, const uint8_t *places,
                         size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (table == NULL || places[i] >= table->count)
            return false;
        out->keys[out->count++] = table->addresses[places[i]];
    }
    return true;
}

static void accounts_begin(struct solana_accounts *out, const struct solana_tx *tx)
{
    out->count = out->own = tx->key_count;
    memcpy(out->keys, tx->keys, tx->key_count * sizeof *tx->keys);
}

bool solana_accounts_given(struct solana_accounts *out, const struct solana_tx *tx, const uint8_t *p,
                           size_t n)
{
    accounts_begin(out, tx);
    if (n != (tx->account_count - tx->key_count) * sizeof *out->keys)
        return false;
    if (n > 0)
        memcpy(&out->keys[tx->key_count], p, n);
    out->count = tx->account_count;
    return true;
}

/* All that may be written to come first, of every table. */
bool solana_accounts_of(struct solana_accounts *out, const struct solana_tx *tx,
                        const struct solana_table *tables, size_t n)
{
    bool found = true;

    accounts_begin(out, tx);
    for (const struct solana_lookup *l = tx->lookups; found && l < tx->lookups + tx->lookup_count; l++)
        found = accounts_add(out, table_find(tables, n, &l->table), l->writable, l->writable_count);
    for (const struct solana_lookup *l = tx->lookups; found && l < tx->lookups + tx->lookup_count; l++)
        found = accounts_add(out, table_find(tables, n, &l->table), l->readonly, l->readonly_count);
    return found;
}
