/* Accounts of Solana's token programs: any bytes. Nothing is a token's account and a mint at once, and what
 * is read of the head of an account is what is read of all of it. */
#include "chain/solana/solana_programs.h"
#include "chain/solana/token_account.h"
#include "fuzz.h"

static bool same(const struct solana_token_state *x, const struct solana_token_state *y)
{
    return solana_addr_eq(&x->mint, &y->mint) && solana_addr_eq(&x->owner, &y->owner) &&
           x->amount == y->amount && x->frozen == y->frozen && x->delegated == y->delegated &&
           solana_addr_eq(&x->delegate, &y->delegate) && x->delegated_amount == y->delegated_amount &&
           x->closable == y->closable && solana_addr_eq(&x->closer, &y->closer);
}

static void read_as(const struct solana_addr *program, const uint8_t *data, size_t size)
{
    static const struct solana_addr zero;
    struct solana_token_state all, head;
    size_t seen = size < SOLANA_TOKEN_HEAD ? size : SOLANA_TOKEN_HEAD;
    bool is_account = solana_token_state_read(&all, program, data, size);
    int decimals = solana_mint_decimals(program, data, size);

    MUST(decimals >= -1 && decimals <= UINT8_MAX && !(is_account && decimals >= 0));
    MUST(solana_token_state_read(&head, program, data, seen) == is_account);
    MUST(solana_mint_decimals(program, data, seen) == decimals);
    if (!is_account)
        return;
    MUST(size >= SOLANA_TOKEN_ACCOUNT_LEN && same(&all, &head));
    MUST(all.delegated || solana_addr_eq(&all.delegate, &zero));
    MUST(all.closable || solana_addr_eq(&all.closer, &zero));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    read_as(&SOLANA_TOKEN, data, size);
    read_as(&SOLANA_TOKEN_2022, data, size);
    MUST(solana_mint_decimals(&SOLANA_SYSTEM, data, size) == -1);
    return 0;
}
