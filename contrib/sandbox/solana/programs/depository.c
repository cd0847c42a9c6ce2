/* Stands at the id of Relay's depository: takes deposits for an order, of the coin or a token, into its vault,
 * for any depositor that the call names. The solver handles the order. */
#include "solana.h"

#define DEPOSIT_NATIVE  0x061cd55fdf0d9e0dull
#define DEPOSIT_TOKEN   0x13b4a327da609c0bull
#define DEPOSIT_LEN     (8 + 8 + 32)
#define BAD_INSTRUCTION 101 /* as Anchor counts them */
#define BAD_SEEDS       2006

/* Whether an account is the one that the program derives from what stands in w->bytes, so many bytes of it. */
INLINE int is_derived(struct work *w, const struct account *a, u64 name_len)
{
    u8 *key = w->bytes + 32, *bump = w->bytes + 31;

    w->seeds[0].p = w->bytes;
    w->seeds[0].n = name_len;
    return sol_try_find_program_address(w->seeds, 1, w->program, key, bump) == 0 && same(key, a->key);
}

INLINE int is_state(struct work *w, const struct account *a)
{
    put(w->bytes, 0x65645f79616c6572, 8); /* "relay_depository" */
    put(w->bytes + 8, 0x79726f7469736f70, 8);
    return is_derived(w, a, 16);
}

INLINE int is_vault(struct work *w, const struct account *a)
{
    put(w->bytes, 0x746c756176, 5); /* "vault" */
    return is_derived(w, a, 5);
}

/* Whether an account is the associated one of an owner, by the program that makes these. */
INLINE int is_associated(struct work *w, const struct account *a, const struct account *owner)
{
    u8 *key = w->bytes + 32, *bump = w->bytes + 31;

    w->seeds[0].p = owner->key;
    w->seeds[1].p = w->accounts[7].key;
    w->seeds[2].p = w->accounts[4].key;
    for (u64 i = 0; i < 3; i++)
        w->seeds[i].n = KEY_LEN;
    return sol_try_find_program_address(w->seeds, 3, w->accounts[8].key, key, bump) == 0 &&
           same(key, a->key);
}

/* The vault's account of a token, at the sender's expense. */
INLINE u64 open_account(struct work *w)
{
    w->bytes[0] = 0;
    meta(w, 0, &w->accounts[1], 1, 1);
    meta(w, 1, &w->accounts[6], 1, 0);
    meta(w, 2, &w->accounts[3], 0, 0);
    meta(w, 3, &w->accounts[4], 0, 0);
    meta(w, 4, &w->accounts[9], 0, 0);
    meta(w, 5, &w->accounts[7], 0, 0);
    w->in.program = w->accounts[8].key;
    w->in.accounts = w->metas;
    w->in.account_count = 6;
    w->in.data = w->bytes;
    w->in.data_len = 1;
    return sol_invoke_signed_c(&w->in, w->accounts, w->count, &w->signer, 0);
}

INLINE u64 deposit_token(struct work *w, u64 amount)
{
    const struct account *a = w->accounts;

    if (!same(a[4].owner, a[7].key) || !is_associated(w, &a[5], &a[1]) || !is_associated(w, &a[6], &a[3]))
        return BAD_ACCOUNT;
    if (a[6].data_len == 0 && open_account(w) != 0)
        return BAD_ACCOUNT;
    return token_transfer(w, &a[7], &a[5], &a[4], &a[6], &a[1], amount, 0);
}

u64 entrypoint(u8 *input)
{
    struct work *w = (struct work *)HEAP;
    u64 selector, amount;

    if (!read_input(w, input) || w->data_len != DEPOSIT_LEN)
        return BAD_INSTRUCTION;
    selector = number(w->data, 8);
    amount = number(w->data + 8, 8);
    if (!(selector == DEPOSIT_NATIVE && w->count == 5) && !(selector == DEPOSIT_TOKEN && w->count == 10))
        return BAD_INSTRUCTION;
    if (!w->accounts[1].is_signer || !is_state(w, &w->accounts[0]) || !is_vault(w, &w->accounts[3]))
        return BAD_SEEDS;
    return selector == DEPOSIT_TOKEN
               ? deposit_token(w, amount)
               : coin_transfer(w, &w->accounts[4], &w->accounts[1], &w->accounts[3], amount);
}
