/* Solana's transactions and lookup tables: what is read stays within its bytes, and every step of it is known
 * by its act. What may be signed of them: a bridge only with its order. */
#include "chain/solana/instruction.h"
#include "fuzz.h"
#include "venue/solana.h"

static void check_step(const struct solana_step *s)
{
    MUST(s->act != SOLANA_SWAP || (s->owner != NULL && s->destination != NULL && s->buy != NULL));
    MUST(s->act != SOLANA_DEPOSIT || (s->owner != NULL && s->order != NULL));
    MUST(s->act != SOLANA_PAY || (s->owner != NULL && s->destination != NULL));
}

static void check_tx(const struct solana_tx *tx, const struct solana_table *tables, size_t n)
{
    struct solana_accounts accounts;
    struct solana_step s;

    MUST(tx->signers <= tx->key_count && solana_tx_signer(tx, &tx->keys[0]) == 0);
    if (!solana_accounts_of(&accounts, tx, tables, n))
        return;
    MUST(accounts.count == tx->account_count);
    for (unsigned i = 0; i < tx->instruction_count; i++) {
        solana_step_read(&s, &tx->instructions[i], &accounts);
        check_step(&s);
    }
}

/* The table's bytes are what is handed over beside it, too. */
static void check_trade(const struct solana_tx *tx, struct trade_proof proof)
{
    struct solana_accounts accounts;
    struct solana_costs costs;
    struct trade_proof order;
    struct trade t;

    if (!solana_proof_read(&accounts, &order, tx, proof))
        return;
    MUST(order.len <= proof.len);
    if (trade_read_solana(&t, &costs, tx, &accounts, &tx->keys[0], order) == NULL)
        MUST(t.recipient[0] != '\0' && t.proven == (t.act == TRADE_BRIDGE));
}

/* The first byte says how much of what follows is a table; the rest is a transaction that may use it. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    size_t table_len = size > 0 ? data[0] * (size_t)8 : 0;
    struct solana_table table;
    struct solana_tx tx;
    bool has_table;

    if (size < 1 + table_len)
        return 0;
    has_table = solana_table_read(&table, &(struct solana_addr){ { 0 } }, data + 1, table_len);
    if (solana_tx_read(&tx, data + 1 + table_len, size - 1 - table_len) != NULL)
        return 0;
    if (has_table && tx.lookup_count > 0)
        table.key = tx.lookups[0].table;
    check_tx(&tx, &table, has_table);
    check_trade(&tx, (struct trade_proof){ data + 1, table_len });
    return 0;
}
