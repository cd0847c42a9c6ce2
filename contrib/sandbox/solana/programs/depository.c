/* Stands at the id of Relay's depository: takes deposits for an order, of the coin or a token, into its vault.
 */
#include "solana.h"

#define DEPOSIT_NATIVE  0x061cd55fdf0d9e0dull
#define DEPOSIT_TOKEN   0x13b4a327da609c0bull
#define DEPOSIT_LEN     (8 + 8 + 32)
#define BAD_INSTRUCTION 101

/* Who deposits pays, and is who is to be refunded. */
INLINE int is_own(const struct work *w)
{
    return w->accounts[1].is_signer && same(w->accounts[1].key, w->accounts[2].key);
}

u64 entrypoint(u8 *input)
{
    struct work *w = (struct work *)HEAP;
    u64 selector, amount;

    if (!read_input(w, input) || w->data_len != DEPOSIT_LEN)
        return BAD_INSTRUCTION;
    selector = number(w->data, 8);
    amount = number(w->data + 8, 8);
    if (selector == DEPOSIT_NATIVE && w->count == 5 && is_own(w))
        return coin_transfer(w, &w->accounts[4], &w->accounts[1], &w->accounts[3], amount);
    if (selector == DEPOSIT_TOKEN && w->count == 10 && is_own(w))
        return token_transfer(w, &w->accounts[7], &w->accounts[5], &w->accounts[4], &w->accounts[6],
                              &w->accounts[1], amount, 0);
    return BAD_INSTRUCTION;
}
