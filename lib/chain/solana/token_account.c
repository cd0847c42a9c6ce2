#include "chain/solana/token_account.h"

#include <string.h>

#include "chain/solana/solana_programs.h"

enum {
    AT_OWNER = 32,
    AT_AMOUNT = 64,
    AT_DELEGATE = 72,
    AT_STATE = 108,
    AT_DELEGATED = 121,
    AT_CLOSER = 129,
    IN_USE = 1,
    FROZEN = 2,
    MINT_LEN = 82,
    MINT_DECIMALS = 44,
    MINT_IN_USE = 45,
    AT_KIND = 165, /* of an account with extensions: what it is */
    KIND_MINT = 1,
    KIND_ACCOUNT = 2,
    SIGNERS_LEN = 355, /* of a list of signers, and of nothing else that the programs keep */
};

static uint64_t get_u64(const uint8_t *p)
{
    uint64_t v = 0;

    for (unsigned i = 8; i-- > 0;)
        v = v << 8 | p[i];
    return v;
}

/* A key that may be there: a mark of four bytes stands before it, and without it what was there once. */
static bool get_key(struct solana_addr *out, const uint8_t *p)
{
    *out = (struct solana_addr){ { 0 } };
    if (p[0] != 1 || p[1] != 0 || p[2] != 0 || p[3] != 0)
        return false;
    memcpy(out->bytes, p + 4, SOLANA_ADDR_LEN);
    return true;
}

/* Accounts of the older program have one length; the creator of a list of signers chooses its bytes. */
static bool is_kept_by(const struct solana_addr *program, const uint8_t *data, size_t n, size_t plain,
                       uint8_t kind)
{
    if (solana_addr_eq(program, &SOLANA_TOKEN))
        return n == plain;
    return solana_addr_eq(program, &SOLANA_TOKEN_2022) &&
           (n == plain || (n > AT_KIND && n != SIGNERS_LEN && data[AT_KIND] == kind));
}

bool solana_token_state_read(struct solana_token_state *out, const struct solana_addr *program,
                             const uint8_t *data, size_t n)
{
    if (n < SOLANA_TOKEN_ACCOUNT_LEN ||
        !is_kept_by(program, data, n, SOLANA_TOKEN_ACCOUNT_LEN, KIND_ACCOUNT) ||
        (data[AT_STATE] != IN_USE && data[AT_STATE] != FROZEN))
        return false;
    memcpy(out->mint.bytes, data, SOLANA_ADDR_LEN);
    memcpy(out->owner.bytes, data + AT_OWNER, SOLANA_ADDR_LEN);
    out->amount = get_u64(data + AT_AMOUNT);
    out->frozen = data[AT_STATE] == FROZEN;
    out->delegated = get_key(&out->delegate, data + AT_DELEGATE);
    out->delegated_amount = get_u64(data + AT_DELEGATED);
    out->closable = get_key(&out->closer, data + AT_CLOSER);
    return true;
}

int solana_mint_decimals(const struct solana_addr *program, const uint8_t *data, size_t n)
{
    if (n < MINT_LEN || !is_kept_by(program, data, n, MINT_LEN, KIND_MINT) || data[MINT_IN_USE] != 1)
        return -1;
    return data[MINT_DECIMALS];
}
