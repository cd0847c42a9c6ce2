/* check_places of solana_message.c
 * @bounds all transactions of up to 3 keys and 2 instructions, of up to 3 accounts each, with any tables
 * @shows no access outside of keys and accounts; no key is there twice; no account is one that the
 * transaction does not have, and no program is one that it looks up, or the one who pays
 * @unwind 4
 * @replace solana_addr_eq:same_key
 */
#include "chain/solana/solana_message.c"
#include "proof.h"

enum { KEYS_MAX = 3, INSTRUCTIONS_MAX = 2, PLACES_MAX = 3 };

static struct solana_addr all_keys[KEYS_MAX];

/* As if a key were its first byte. */
bool same_key(const struct solana_addr *a, const struct solana_addr *b)
{
    return a->bytes[0] == b->bytes[0];
}

void harness(void)
{
    struct solana_tx tx;
    ANY(size_t, chosen);
    ANY(size_t, account);
    uint8_t places[INSTRUCTIONS_MAX][PLACES_MAX];
    const struct solana_instruction *in;

    SUPPOSE(tx.key_count <= KEYS_MAX && tx.instruction_count <= INSTRUCTIONS_MAX);
    SUPPOSE(tx.account_count >= tx.key_count);
    __CPROVER_havoc_object(all_keys);
    tx.keys = all_keys + (KEYS_MAX - tx.key_count);
    for (size_t i = 0; i < INSTRUCTIONS_MAX; i++) {
        SUPPOSE(tx.instructions[i].account_count <= PLACES_MAX);
        tx.instructions[i].accounts = places[i] + (PLACES_MAX - tx.instructions[i].account_count);
    }
    if (check_places(&tx) != NULL)
        return;
    MUST(tx.account_count <= SOLANA_ACCOUNTS_MAX);
    MUST(tx.key_count < 2 || tx.keys[0].bytes[0] != tx.keys[tx.key_count - 1].bytes[0]);
    SUPPOSE(chosen < tx.instruction_count);
    in = &tx.instructions[chosen];
    MUST(in->program > 0 && in->program < tx.key_count);
    SUPPOSE(account < in->account_count);
    MUST(in->accounts[account] < tx.account_count);
}
