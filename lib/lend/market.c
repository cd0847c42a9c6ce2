#include "lend/market.h"

#include <stdlib.h>
#include <string.h>

#include "base/json_reader.h"
#include "chain/evm/abi.h"
#include "chain/tokens.h"
#include "lend/apy.h"

enum { USD_PLACES = 2, PERCENT_PLACES = 6 };

static const struct {
    const char *type, *level;
} warnings[LEND_WARNINGS] = {
    [LEND_INACTIVE] = { "inactive", "RED" },
    [LEND_PAUSED] = { "paused", "RED" },
    [LEND_FROZEN] = { "frozen", "YELLOW" },
    [LEND_SUPPLY_CAP] = { "supply_cap_reached", "YELLOW" },
    [LEND_BORROW_CAP] = { "borrow_cap_reached", "YELLOW" },
    [LEND_ORACLE] = { "oracle_silent", "RED" },
};

const char *const lend_details[] = { "oracle", "irm", "createdAt", "address", "aToken", "debtToken", NULL };

/* ---- symbols ---- */

static bool symbol_is_plain(const char *s)
{
    static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789.-+_";
    size_t n = strlen(s);

    return n > 0 && n <= TOKEN_SYMBOL_MAX && strspn(s, plain) == n;
}

const char *lend_symbol(struct arena *a, const struct chain *c, struct evm_addr token, const uint8_t *data,
                        size_t len)
{
    const struct token *t = token_by_addr(c, token);
    const uint8_t *text;
    const char *symbol;
    size_t n;

    if (t != NULL)
        return t->symbol;
    if (!abi_get_bytes(&text, &n, data, len, 0, 0))
        return evm_addr_print(a, token);
    symbol = arena_strndup(a, (const char *)text, n);
    return symbol_is_plain(symbol) && !token_symbol_passes(c, symbol) ? symbol : evm_addr_print(a, token);
}

/* ---- dollars ---- */

/* Zero for what no number holds. */
struct amount lend_worth(const struct lend_market *m, struct u256 units)
{
    struct amount usd;

    if (!amount_times_down(&usd, (struct amount){ units, m->decimals }, m->price))
        usd = (struct amount){ U256_ZERO, m->price.decimals };
    return usd;
}

static int compare_markets(const void *a, const void *b)
{
    const struct lend_market *left = a, *right = b;
    int by_worth = u256_cmp(lend_worth(right, right->supplied).raw, lend_worth(left, left->supplied).raw);

    return by_worth != 0 ? by_worth : strcmp(left->id, right->id);
}

void lend_markets_sort(struct lend_market *list, size_t count)
{
    if (count > 0)
        qsort(list, count, sizeof *list, compare_markets);
}

/* ---- as JSON ---- */

void lend_number_write(struct json_writer *w, const char *key, struct amount v, uint8_t places)
{
    const char *text;
    json_t *number;

    for (; v.decimals > places; v.decimals--)
        if (!u256_div(&v.raw, NULL, v.raw, u256_from_u64(10)))
            break;
    text = amount_text(w->arena, v);
    number = json_loads(text, JSON_DECODE_ANY, NULL);
    jw_raw(w, key, text, strlen(text), number);
    json_decref(number);
}

static void usd_write(struct json_writer *w, const char *key, const struct lend_market *m, struct u256 units)
{
    lend_number_write(w, key, lend_worth(m, units), USD_PLACES);
}

static void percent_write(struct json_writer *w, const char *key, uint64_t millionths)
{
    lend_number_write(w, key, (struct amount){ u256_from_u64(millionths), PERCENT_PLACES }, PERCENT_PLACES);
}

/* The part of the supply that is borrowed. */
static uint64_t utilization_of(const struct lend_market *m)
{
    struct u256 share;
    uint64_t millionths;

    return u256_muldiv(&share, m->borrowed, u256_from_u64(100000000), m->supplied) &&
                   u256_to_u64(&millionths, share)
               ? millionths
               : 0;
}

static void cap_write(struct json_writer *w, const char *key, uint64_t cap)
{
    if (cap == 0)
        jw_null(w, key);
    else
        jw_integer(w, key, (int64_t)cap);
}

static void more_warnings_write(struct json_writer *w, const struct lend_market *m)
{
    json_t *list = m->more_warnings != NULL ? json_read(m->more_warnings, strlen(m->more_warnings)) : NULL;
    const json_t *warning;
    size_t i;

    json_array_foreach(list, i, warning) jw_value(w, NULL, warning);
    json_decref(list);
}

static void warnings_write(struct json_writer *w, const struct lend_market *m)
{
    jw_array(w, "warnings");
    for (unsigned i = 0; i < LEND_WARNINGS; i++) {
        if ((m->warnings >> i & 1) == 0)
            continue;
        jw_object(w, NULL);
        jw_string(w, "type", warnings[i].type);
        jw_string(w, "level", warnings[i].level);
        jw_end(w);
    }
    more_warnings_write(w, m);
    jw_end(w);
}

static void address_write(struct json_writer *w, const char *key, struct evm_addr a)
{
    jw_string(w, key, evm_addr_is_zero(a) ? "" : evm_addr_print(w->arena, a));
}

static void details_write(struct json_writer *w, const struct lend_market *m)
{
    address_write(w, "oracle", m->oracle);
    address_write(w, "irm", m->irm);
    if (m->created_ms != 0)
        jw_time(w, "createdAt", m->created_ms);
    else
        jw_string(w, "createdAt", ""); /* no contract tells */
    address_write(w, "address", m->asset);
    address_write(w, "aToken", m->a_token);
    address_write(w, "debtToken", m->debt_token);
}

static void terms_write(struct json_writer *w, const struct lend_market *m)
{
    jw_object(w, LEND_TERMS);
    jw_integer(w, "decimals", m->decimals);
    address_write(w, "collateral", m->collateral_asset);
    jw_integer(w, "collateralDecimals", m->collateral_decimals);
    jw_string(w, "lltv", amount_text(w->arena, (struct amount){ m->lltv.raw, 0 }));
    jw_end(w);
}

/* totalSupply and totalBorrow are older names of the two after them. */
void lend_market_write(struct json_writer *w, const struct lend_market *m)
{
    jw_object(w, NULL);
    jw_string(w, "id", m->id);
    jw_string(w, "protocol", m->protocol);
    jw_string(w, "chain", m->chain->key);
    jw_integer(w, "chainId", (int64_t)m->chain->id);
    jw_string(w, "loanToken", m->loan);
    jw_string(w, "collateralToken", m->collateral);
    lend_number_write(w, "ltv", m->ltv, m->ltv.decimals);
    lend_number_write(w, "lltv", m->lltv, m->lltv.decimals);
    percent_write(w, "supplyApy", m->supply_apy);
    percent_write(w, "borrowApy", m->borrow_apy);
    percent_write(w, "utilization", utilization_of(m));
    usd_write(w, "totalSupply", m, m->supplied);
    usd_write(w, "totalBorrow", m, m->borrowed);
    usd_write(w, "totalSupplyUsd", m, m->supplied);
    usd_write(w, "totalBorrowUsd", m, m->borrowed);
    usd_write(w, "availableLiquidityUsd", m, u256_sub_or_zero(m->supplied, m->borrowed));
    lend_number_write(w, "priceUsd", m->price, m->price.decimals);
    cap_write(w, "supplyCap", m->supply_cap);
    cap_write(w, "borrowCap", m->borrow_cap);
    jw_bool(w, "canSupply", m->can_supply);
    jw_bool(w, "canBorrow", m->can_borrow);
    jw_bool(w, "canBeCollateral", m->can_be_collateral);
    jw_bool(w, "listed", true); /* those are read that the lender or the operator lists */
    warnings_write(w, m);
    details_write(w, m);
    terms_write(w, m);
    jw_end(w);
}

/* ---- a wallet's balances ---- */

/* Unknown without a price. */
static void worth_write(struct json_writer *w, const char *key, const struct lend_position *p,
                        struct amount usd)
{
    if (p->market->listed)
        lend_number_write(w, key, usd, USD_PLACES);
    else
        jw_null(w, key);
}

void lend_position_write(struct json_writer *w, const struct lend_position *p)
{
    const struct lend_market *m = p->market;

    jw_object(w, NULL);
    jw_string(w, "market", m->id);
    jw_string(w, "protocol", m->protocol);
    jw_string(w, "chain", m->chain->key);
    jw_integer(w, "chainId", (int64_t)m->chain->id);
    jw_string(w, "asset", m->loan);
    amount_write(w, "supplied", (struct amount){ p->supplied, m->decimals });
    amount_write(w, "borrowed", (struct amount){ p->borrowed, m->decimals });
    amount_write(w, "collateral", p->collateral);
    jw_bool(w, "collateralEnabled", p->collateral_enabled);
    percent_write(w, "supplyApy", m->supply_apy);
    percent_write(w, "borrowApy", m->borrow_apy);
    worth_write(w, "suppliedUsd", p, lend_worth(m, p->supplied));
    worth_write(w, "borrowedUsd", p, lend_worth(m, p->borrowed));
    worth_write(w, "collateralUsd", p, p->collateral_usd);
    jw_end(w);
}

void lend_standing_write(struct json_writer *w, const struct lend_account *k)
{
    lend_number_write(w, "totalCollateralUsd", k->collateral, USD_PLACES);
    lend_number_write(w, "totalDebtUsd", k->debt, USD_PLACES);
    if (amount_is_zero(k->debt))
        jw_null(w, "healthFactor");
    else
        lend_number_write(w, "healthFactor", k->health, LEND_HEALTH_PLACES);
}

void lend_account_write(struct json_writer *w, const struct lend_account *k)
{
    jw_object(w, NULL);
    jw_string(w, "protocol", k->protocol);
    jw_string(w, "market", k->market);
    jw_string(w, "chain", k->chain->key);
    jw_integer(w, "chainId", (int64_t)k->chain->id);
    lend_standing_write(w, k);
    lend_number_write(w, "availableBorrowUsd", k->available, USD_PLACES);
    lend_number_write(w, "ltv", k->ltv, k->ltv.decimals);
    lend_number_write(w, "liquidationThreshold", k->threshold, k->threshold.decimals);
    jw_end(w);
}
