#include "venue/morpho_state.h"

#include "chain/evm/abi.h"

enum { SEL_TERMS = 0x2c3c9157, SEL_STATE = 0x5c60e39a, SEL_ACCRUAL = 0x151c1ade };
static const uint32_t SEL_HOLDING = 0x93c52062, SEL_RATE = 0x8c00bf6b, SEL_PRICE = 0xa035b1fe;
/* Each market counts so many as if they had been supplied, so that its first share cannot be priced at
 * will. */
enum { VIRTUAL_ASSETS = 1, VIRTUAL_SHARES = 1000000 };
static const uint64_t ONE = 1000000000000000000;

static void ask_of(struct buf *out, uint32_t selector, const uint8_t id[static HASH_LEN])
{
    abi_selector(out, selector);
    buf_add(out, id, HASH_LEN);
}

void morpho_ask_terms(struct buf *out, const uint8_t id[static HASH_LEN])
{
    ask_of(out, SEL_TERMS, id);
}

bool morpho_read_terms(struct morpho_market *out, const uint8_t *data, size_t len)
{
    enum { LOAN, COLLATERAL, ORACLE, RATES, LLTV, WORDS };

    return len == WORDS * ABI_WORD && abi_get_addr(&out->loan, data, len, LOAN) &&
           abi_get_addr(&out->collateral, data, len, COLLATERAL) &&
           abi_get_addr(&out->oracle, data, len, ORACLE) && abi_get_addr(&out->rates, data, len, RATES) &&
           abi_get_u256(&out->lltv, data, len, LLTV);
}

void morpho_ask_state(struct buf *out, const uint8_t id[static HASH_LEN])
{
    ask_of(out, SEL_STATE, id);
}

bool morpho_read_state(struct morpho_state *out, const uint8_t *data, size_t len)
{
    enum { SUPPLIED, SUPPLY_SHARES, BORROWED, BORROW_SHARES, UPDATED, FEE, WORDS };

    return len == WORDS * ABI_WORD && abi_get_u256(&out->supplied, data, len, SUPPLIED) &&
           abi_get_u256(&out->supply_shares, data, len, SUPPLY_SHARES) &&
           abi_get_u256(&out->borrowed, data, len, BORROWED) &&
           abi_get_u256(&out->borrow_shares, data, len, BORROW_SHARES) &&
           abi_get_u64(&out->updated_s, data, len, UPDATED) && abi_get_u256(&out->fee, data, len, FEE);
}

void morpho_ask_holding(struct buf *out, const uint8_t id[static HASH_LEN], struct evm_addr wallet)
{
    ask_of(out, SEL_HOLDING, id);
    abi_addr(out, wallet);
}

bool morpho_read_holding(struct morpho_holding *out, const uint8_t *data, size_t len)
{
    enum { SUPPLY_SHARES, BORROW_SHARES, COLLATERAL, WORDS };

    return len == WORDS * ABI_WORD && abi_get_u256(&out->supply_shares, data, len, SUPPLY_SHARES) &&
           abi_get_u256(&out->borrow_shares, data, len, BORROW_SHARES) &&
           abi_get_u256(&out->collateral, data, len, COLLATERAL);
}

static bool with_virtual(struct u256 *assets, struct u256 *shares, struct u256 all_assets,
                         struct u256 all_shares)
{
    return u256_add(assets, all_assets, u256_from_u64(VIRTUAL_ASSETS)) &&
           u256_add(shares, all_shares, u256_from_u64(VIRTUAL_SHARES));
}

bool morpho_supplied(struct u256 *out, const struct morpho_state *s, struct u256 shares)
{
    struct u256 assets, all;

    return with_virtual(&assets, &all, s->supplied, s->supply_shares) &&
           u256_muldiv(out, shares, assets, all);
}

bool morpho_borrowed(struct u256 *out, const struct morpho_state *s, struct u256 shares)
{
    struct u256 assets, all, product, rest;

    return with_virtual(&assets, &all, s->borrowed, s->borrow_shares) && u256_mul(&product, shares, assets) &&
           u256_div(out, &rest, product, all) &&
           (u256_is_zero(rest) || u256_add(out, *out, u256_from_u64(1)));
}

void morpho_ask_rate(struct buf *out, const struct morpho_market *m, const struct morpho_state *s)
{
    abi_selector(out, SEL_RATE);
    morpho_market_words(out, m);
    abi_u256(out, s->supplied);
    abi_u256(out, s->supply_shares);
    abi_u256(out, s->borrowed);
    abi_u256(out, s->borrow_shares);
    abi_u64(out, s->updated_s);
    abi_u256(out, s->fee);
}

void morpho_ask_price(struct buf *out)
{
    abi_selector(out, SEL_PRICE);
}

bool morpho_worth(struct u256 *out, struct u256 collateral, struct u256 price)
{
    struct u256 one = u256_from_u64(ONE), scale;

    return u256_mul(&scale, one, one) && u256_muldiv(out, collateral, price, scale);
}

bool morpho_limit(struct u256 *out, struct u256 worth, const struct morpho_market *m)
{
    return u256_muldiv(out, worth, m->lltv, u256_from_u64(ONE));
}

struct u256 morpho_health(struct u256 limit, struct u256 debt)
{
    struct u256 health = U256_ZERO;

    if (!u256_is_zero(debt) && !u256_muldiv(&health, limit, u256_from_u64(ONE), debt))
        health = U256_ZERO;
    return health;
}

void morpho_ask_accrual(struct buf *out, const struct morpho_market *m)
{
    abi_selector(out, SEL_ACCRUAL);
    morpho_market_words(out, m);
}

/* e^(rate × seconds) - 1, as the contract reckons it: the first three terms of its series. */
static bool interest_of_one(struct u256 *out, struct u256 rate, uint64_t seconds)
{
    struct u256 first, second, third, one = u256_from_u64(ONE), two, three;

    return u256_mul(&first, rate, u256_from_u64(seconds)) && u256_mul(&two, one, u256_from_u64(2)) &&
           u256_mul(&three, one, u256_from_u64(3)) && u256_muldiv(&second, first, first, two) &&
           u256_muldiv(&third, second, first, three) && u256_add(out, first, second) &&
           u256_add(out, *out, third);
}

/* The fee's receiver gets shares for a part of the interest, which thins out those of the others. */
static bool fee_take(struct morpho_state *s, struct u256 interest)
{
    struct u256 fee, others, shares, all;

    return u256_muldiv(&fee, interest, s->fee, u256_from_u64(ONE)) && u256_sub(&others, s->supplied, fee) &&
           u256_add(&others, others, u256_from_u64(VIRTUAL_ASSETS)) &&
           u256_add(&all, s->supply_shares, u256_from_u64(VIRTUAL_SHARES)) &&
           u256_muldiv(&shares, fee, all, others) && u256_add(&s->supply_shares, s->supply_shares, shares);
}

bool morpho_accrue(struct morpho_state *s, struct u256 rate, uint64_t now_s)
{
    struct u256 share, interest;

    if (now_s <= s->updated_s)
        return true;
    if (!interest_of_one(&share, rate, now_s - s->updated_s) ||
        !u256_muldiv(&interest, s->borrowed, share, u256_from_u64(ONE)) ||
        !u256_add(&s->borrowed, s->borrowed, interest) || !u256_add(&s->supplied, s->supplied, interest) ||
        !fee_take(s, interest))
        return false;
    s->updated_s = now_s;
    return true;
}
