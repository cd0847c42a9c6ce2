#include "lend/aave.h"

#include "lend/apy.h"
#include "venue/aave_calls.h"
#include "venue/aave_state.h"
#include "venue/erc20.h"

enum { QUESTION_BYTES = 128 };

static struct evm_addr address_of(const struct lend_chain *c, const struct contract_kind *kind)
{
    return contract_addr(contract_of(c->chain, kind));
}

/* ---- which contracts ---- */

static void aave_find(const struct lend_chain *c, struct multicall *m)
{
    struct evm_addr provider = address_of(c, &aave_provider);

    lend_ask(m, provider, aave_ask_pool);
    lend_ask(m, provider, aave_ask_data_provider);
    lend_ask(m, provider, aave_ask_oracle);
}

/* Another Pool than the one that wallets may call would be another market. Its data provider is replaced with
 * new versions, so whichever the provider names is the right one. */
static bool aave_found(struct lend_chain *c, struct lend_answers *r)
{
    struct evm_addr pool;

    if (!lend_answer_addr(&pool, r) || !lend_answer_addr(&c->data_provider, r) ||
        !lend_answer_addr(&c->oracle, r))
        return false;
    if (evm_addr_eq(pool, address_of(c, &aave_pool)))
        return true;
    c->why = "its Pool of aave-v3 is another one than wallets may call";
    return false;
}

/* ---- the reserves ---- */

static void aave_ask(const struct lend_chain *c, struct multicall *m)
{
    struct evm_addr pool = address_of(c, &aave_pool);

    for (size_t i = 0; i < c->reserve_count; i++) {
        lend_ask_of(m, pool, aave_ask_config, c->reserves[i]);
        lend_ask_of(m, c->data_provider, aave_ask_reserve, c->reserves[i]);
        lend_ask_of(m, c->data_provider, aave_ask_tokens, c->reserves[i]);
        lend_ask_of(m, c->oracle, aave_ask_price, c->reserves[i]);
        lend_ask(m, c->reserves[i], erc20_symbol);
    }
}

/* The answers about one reserve. */
struct reserve_said {
    struct aave_config config;
    struct aave_reserve reserve;
    struct aave_tokens tokens;
    bool priced;
    struct u256 price;
    const char *symbol;
};

static bool reserve_said_read(struct reserve_said *s, const struct lend_chain *c, struct evm_addr asset,
                              struct lend_answers *r)
{
    const uint8_t *data;
    size_t len;

    if (!lend_answer(&data, &len, r) || !aave_read_config(&s->config, data, len) ||
        !lend_answer(&data, &len, r) || !aave_read_reserve(&s->reserve, data, len) ||
        !lend_answer(&data, &len, r) || !aave_read_tokens(&s->tokens, data, len))
        return false;
    s->price = U256_ZERO;
    s->priced = lend_answer_word(&s->price, r) && !u256_is_zero(s->price);
    (void)lend_answer(&data, &len, r);
    s->symbol = lend_symbol(c->arena, c->chain, asset, data, len);
    return true;
}

static bool cap_is_reached(uint64_t cap, struct u256 units, uint8_t decimals)
{
    struct amount held = { units, decimals };
    struct amount all = { u256_from_u64(cap), 0 };

    return cap != 0 && amount_rescale_up(&all, all, decimals) && u256_cmp(held.raw, all.raw) >= 0;
}

static unsigned warnings_of(const struct aave_config *k, const struct aave_reserve *v)
{
    return (unsigned)!k->active << LEND_INACTIVE | (unsigned)k->paused << LEND_PAUSED |
           (unsigned)k->frozen << LEND_FROZEN |
           (unsigned)cap_is_reached(k->supply_cap, v->supplied, k->decimals) << LEND_SUPPLY_CAP |
           (unsigned)cap_is_reached(k->borrow_cap, v->borrowed, k->decimals) << LEND_BORROW_CAP;
}

static void reserve_fill(struct lend_market *m, const struct lend_chain *c, struct evm_addr asset,
                         const struct reserve_said *s)
{
    const struct aave_config *k = &s->config;
    bool open = k->active && !k->frozen && !k->paused;

    m->protocol = aave_lender.protocol;
    m->id = arena_printf(c->arena, "%s:%llu:%s", m->protocol, (unsigned long long)c->chain->id, s->symbol);
    m->loan = s->symbol;
    m->collateral = "*";
    m->asset = asset;
    m->oracle = c->oracle;
    m->a_token = s->tokens.supply;
    m->debt_token = s->tokens.debt;
    m->decimals = k->decimals;
    m->supplied = s->reserve.supplied;
    m->borrowed = s->reserve.borrowed;
    m->price = (struct amount){ s->price, AAVE_PRICE_PLACES };
    m->ltv = (struct amount){ u256_from_u64(k->ltv), AAVE_SHARE_PLACES };
    m->lltv = (struct amount){ u256_from_u64(k->threshold), AAVE_SHARE_PLACES };
    m->supply_apy = apy_of_year(s->reserve.supply_rate);
    m->borrow_apy = apy_of_year(s->reserve.borrow_rate);
    m->supply_cap = k->supply_cap;
    m->borrow_cap = k->borrow_cap;
    m->warnings = warnings_of(k, &s->reserve);
    m->can_supply = open && (m->warnings >> LEND_SUPPLY_CAP & 1) == 0;
    m->can_borrow = open && k->borrowing && (m->warnings >> LEND_BORROW_CAP & 1) == 0 &&
                    u256_cmp(m->supplied, m->borrowed) > 0;
    m->listed = s->priced;
    m->can_be_collateral = k->active && !k->paused && k->ltv > 0;
}

/* A reserve whose price is unknown is in no list. */
static bool aave_read(struct lend_chain *c, struct lend_answers *r)
{
    struct reserve_said s;

    for (size_t i = 0; i < c->reserve_count; i++) {
        if (!reserve_said_read(&s, c, c->reserves[i], r) || s.config.decimals > AMOUNT_MAX_DECIMALS)
            return false;
        reserve_fill(lend_market_add(c), c, c->reserves[i], &s);
    }
    return true;
}

/* ---- a wallet's positions in them ---- */

static void aave_ask_owner(const struct lend_chain *c, struct multicall *m)
{
    struct buf data = BUF_INIT(QUESTION_BYTES);

    for (size_t i = 0; i < c->reserve_count; i++) {
        buf_reset(&data);
        aave_ask_holding(&data, c->reserves[i], *c->owner);
        multicall_add(m, c->data_provider, &data);
    }
    buf_free(&data);
    lend_ask_of(m, address_of(c, &aave_pool), aave_ask_account, *c->owner);
}

static void holding_add(struct lend_chain *c, const struct lend_market *m, const struct aave_holding *h)
{
    struct u256 pledged = h->collateral ? h->supplied : U256_ZERO;

    lend_position_add(c, (struct lend_position){ .market = m,
                                                 .supplied = h->supplied,
                                                 .borrowed = h->borrowed,
                                                 .collateral = { pledged, m->decimals },
                                                 .collateral_enabled = h->collateral,
                                                 .collateral_usd = lend_worth(m, pledged) });
}

static void account_fill(struct lend_chain *c, const struct aave_account *k)
{
    lend_account_add(c, (struct lend_account){ .protocol = aave_lender.protocol,
                                               .chain = c->chain,
                                               .market = "",
                                               .collateral = { k->collateral, AAVE_PRICE_PLACES },
                                               .debt = { k->debt, AAVE_PRICE_PLACES },
                                               .available = { k->available, AAVE_PRICE_PLACES },
                                               .ltv = { k->ltv, AAVE_SHARE_PLACES },
                                               .threshold = { k->threshold, AAVE_SHARE_PLACES },
                                               .health = { k->health, AAVE_HEALTH_PLACES } });
}

/* The account is there if the wallet has anything. */
static bool aave_read_owner(struct lend_chain *c, struct lend_answers *r)
{
    size_t others = c->position_count;
    struct aave_account account;
    struct aave_holding h;
    const uint8_t *data;
    size_t len;

    for (size_t i = 0; i < c->reserve_count; i++) {
        if (!lend_answer(&data, &len, r) || !aave_read_holding(&h, data, len))
            return false;
        if (!u256_is_zero(h.supplied) || !u256_is_zero(h.borrowed))
            holding_add(c, &c->markets[i], &h);
    }
    if (!lend_answer(&data, &len, r) || !aave_read_account(&account, data, len))
        return false;
    if (c->position_count > others)
        account_fill(c, &account);
    return true;
}

const struct lender aave_lender = { "aave-v3", aave_find,      aave_found,     aave_ask,
                                    aave_read, aave_ask_owner, aave_read_owner };
