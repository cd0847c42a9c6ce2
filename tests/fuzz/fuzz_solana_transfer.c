/* What the signer reads of Solana's transactions, as a trade and as a transfer: any bytes, signed by the key
 * that stands first. Only what moves something for that wallet is read as something, and never as both. */
#include "codec/hash.h"
#include "fuzz.h"
#include "venue/solana.h"

static void check_costs(const struct solana_costs *c)
{
    MUST(c->fee >= 5000 && c->rent % 2074080 == 0);
}

/* Wherever its own coin goes is said, and so is all of it. */
static bool is_transfer(const struct solana_tx *tx, const struct solana_accounts *accounts,
                        const struct solana_addr *wallet)
{
    struct solana_costs costs;
    struct solana_addr to;
    struct trade t;

    if (transfer_read_solana(&t, &costs, tx, accounts, wallet) != NULL)
        return false;
    check_costs(&costs);
    MUST(tx->signers == 1 && tx->lookup_count == 0 && solana_addr_parse(&to, t.recipient));
    MUST(t.act == TRADE_PAYMENT || t.act == TRADE_TRANSFER);
    MUST(u256_cmp(t.value, t.value_spent) == 0 && u256_is_zero(t.minimum));
    MUST(t.act == TRADE_PAYMENT ? trade_sells_coin(&t) && u256_cmp(t.value, t.amount) == 0
                                : u256_is_zero(t.value));
    return true;
}

static bool is_trade(const struct solana_tx *tx, const struct solana_accounts *accounts,
                     const struct solana_addr *wallet)
{
    struct solana_costs costs;
    struct solana_addr to;
    struct trade t;

    if (trade_read_solana(&t, &costs, tx, accounts, wallet, NO_PROOF) != NULL)
        return false;
    check_costs(&costs);
    MUST(t.act == TRADE_SWAP && tx->signers == 1 && !u256_is_zero(t.amount));
    MUST(solana_addr_parse(&to, t.recipient) && solana_addr_eq(&to, wallet));
    MUST(u256_cmp(t.value, t.value_spent) == 0 && strcmp(t.sell, t.buy) != 0);
    return true;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct solana_accounts accounts;
    struct solana_addr wallet;
    struct solana_tx tx;

    if (solana_tx_read(&tx, data, size) != NULL || !solana_accounts_given(&accounts, &tx, NULL, 0))
        return 0;
    wallet = tx.keys[0];
    MUST(!is_transfer(&tx, &accounts, &wallet) || !is_trade(&tx, &accounts, &wallet));
    return 0;
}
