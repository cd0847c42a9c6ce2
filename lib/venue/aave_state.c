#include "venue/aave_state.h"

#include "chain/evm/abi.h"

enum {
    SEL_POOL = 0x026b1d5f,
    SEL_RESERVE = 0x35ea6a75,
    SEL_HOLDING = 0x28dd2d01,
};
static const uint32_t SEL_DATA_PROVIDER = 0xe860accb, SEL_ORACLE = 0xfca513a8, SEL_RESERVES = 0xd1946dbc,
                      SEL_CONFIGURATION = 0xc44b11f7, SEL_TOKENS = 0xd2493b6c, SEL_PRICE = 0xb3596f07,
                      SEL_ACCOUNT = 0xbf92857c;

void aave_ask_pool(struct buf *out)
{
    abi_selector(out, SEL_POOL);
}

void aave_ask_data_provider(struct buf *out)
{
    abi_selector(out, SEL_DATA_PROVIDER);
}

void aave_ask_oracle(struct buf *out)
{
    abi_selector(out, SEL_ORACLE);
}

void aave_ask_reserves(struct buf *out)
{
    abi_selector(out, SEL_RESERVES);
}

bool aave_read_reserves(struct evm_addr *out, size_t max, size_t *count, const uint8_t *data, size_t len)
{
    enum { LIST = 2 }; /* words before it: its offset and its length */
    uint64_t offset, n;

    if (!abi_get_u64(&offset, data, len, 0) || offset != ABI_WORD || !abi_get_u64(&n, data, len, 1) ||
        n > max)
        return false;
    *count = (size_t)n;
    for (size_t i = 0; i < n; i++)
        if (!abi_get_addr(&out[i], data, len, LIST + i))
            return false;
    return true;
}

static void ask_of(struct buf *out, uint32_t selector, struct evm_addr asset)
{
    abi_selector(out, selector);
    abi_addr(out, asset);
}

/* ---- settings of a reserve: one word of bits ---- */

static uint64_t bits_of(struct u256 word, unsigned from, unsigned count)
{
    unsigned limb = from / 64, shift = from % 64;
    uint64_t bits = word.limb[limb] >> shift;

    if (shift + count > 64)
        bits |= word.limb[limb + 1] << (64 - shift);
    return bits & ((UINT64_C(1) << count) - 1);
}

void aave_ask_config(struct buf *out, struct evm_addr asset)
{
    ask_of(out, SEL_CONFIGURATION, asset);
}

bool aave_read_config(struct aave_config *out, const uint8_t *data, size_t len)
{
    struct u256 word;

    if (len != ABI_WORD || !abi_get_u256(&word, data, len, 0))
        return false;
    *out = (struct aave_config){
        .ltv = bits_of(word, 0, 16),
        .threshold = bits_of(word, 16, 16),
        .decimals = (uint8_t)bits_of(word, 48, 8),
        .active = bits_of(word, 56, 1),
        .frozen = bits_of(word, 57, 1),
        .borrowing = bits_of(word, 58, 1),
        .paused = bits_of(word, 60, 1),
        .borrow_cap = bits_of(word, 80, 36),
        .supply_cap = bits_of(word, 116, 36),
    };
    return true;
}

/* ---- its contents ---- */

void aave_ask_reserve(struct buf *out, struct evm_addr asset)
{
    ask_of(out, SEL_RESERVE, asset);
}

bool aave_read_reserve(struct aave_reserve *out, const uint8_t *data, size_t len)
{
    enum { SUPPLIED = 2, STABLE_DEBT, VARIABLE_DEBT, SUPPLY_RATE, BORROW_RATE, WORDS = 12 };
    struct u256 stable, variable;

    return len == WORDS * ABI_WORD && abi_get_u256(&out->supplied, data, len, SUPPLIED) &&
           abi_get_u256(&stable, data, len, STABLE_DEBT) &&
           abi_get_u256(&variable, data, len, VARIABLE_DEBT) && u256_add(&out->borrowed, stable, variable) &&
           abi_get_u256(&out->supply_rate, data, len, SUPPLY_RATE) &&
           abi_get_u256(&out->borrow_rate, data, len, BORROW_RATE);
}

void aave_ask_tokens(struct buf *out, struct evm_addr asset)
{
    ask_of(out, SEL_TOKENS, asset);
}

bool aave_read_tokens(struct aave_tokens *out, const uint8_t *data, size_t len)
{
    enum { SUPPLY, STABLE_DEBT, VARIABLE_DEBT, WORDS };

    return len == WORDS * ABI_WORD && abi_get_addr(&out->supply, data, len, SUPPLY) &&
           abi_get_addr(&out->debt, data, len, VARIABLE_DEBT);
}

/* ---- a wallet's balances ---- */

void aave_ask_holding(struct buf *out, struct evm_addr asset, struct evm_addr wallet)
{
    ask_of(out, SEL_HOLDING, asset);
    abi_addr(out, wallet);
}

bool aave_read_holding(struct aave_holding *out, const uint8_t *data, size_t len)
{
    enum { SUPPLIED, STABLE_DEBT, VARIABLE_DEBT, COLLATERAL = 8, WORDS };
    struct u256 stable, variable;
    uint64_t collateral;

    if (len != WORDS * ABI_WORD || !abi_get_u256(&out->supplied, data, len, SUPPLIED) ||
        !abi_get_u256(&stable, data, len, STABLE_DEBT) ||
        !abi_get_u256(&variable, data, len, VARIABLE_DEBT) || !u256_add(&out->borrowed, stable, variable) ||
        !abi_get_u64(&collateral, data, len, COLLATERAL))
        return false;
    out->collateral = collateral != 0;
    return true;
}

void aave_ask_account(struct buf *out, struct evm_addr wallet)
{
    ask_of(out, SEL_ACCOUNT, wallet);
}

bool aave_read_account(struct aave_account *out, const uint8_t *data, size_t len)
{
    enum { COLLATERAL, DEBT, AVAILABLE, THRESHOLD, LTV, HEALTH, WORDS };

    return len == WORDS * ABI_WORD && abi_get_u256(&out->collateral, data, len, COLLATERAL) &&
           abi_get_u256(&out->debt, data, len, DEBT) && abi_get_u256(&out->available, data, len, AVAILABLE) &&
           abi_get_u256(&out->threshold, data, len, THRESHOLD) && abi_get_u256(&out->ltv, data, len, LTV) &&
           abi_get_u256(&out->health, data, len, HEALTH);
}

/* ---- its value ---- */

void aave_ask_price(struct buf *out, struct evm_addr asset)
{
    ask_of(out, SEL_PRICE, asset);
}

const struct contract_kind aave_provider = { .spender = false };
