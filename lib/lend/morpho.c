#include "lend/morpho.h"

#include <string.h>

#include "codec/hex.h"
#include "lend/apy.h"
#include "venue/aave_state.h"
#include "venue/erc20.h"

enum { QUESTION_BYTES = 1024, ID_DIGITS = 2 * HASH_LEN, NO_DECIMALS = AMOUNT_MAX_DECIMALS + 1 };

/* ---- the operator's list ---- */

/* One of a list, "0x…", up to a comma or the end. */
static bool id_read(uint8_t out[static HASH_LEN], const char *text, size_t len)
{
    return len == 2 + ID_DIGITS && memcmp(text, "0x", 2) == 0 &&
           hex_decode(out, HASH_LEN, text + 2, ID_DIGITS);
}

static bool ids_read(struct lend_chain *c, const char *list)
{
    for (c->morpho_count = 0; list != NULL && *list != '\0';) {
        size_t skip = strspn(list, ", "), len = strcspn(list + skip, ", ");

        if (len > 0 && (c->morpho_count == LEND_MORPHO_MAX ||
                        !id_read(c->morpho[c->morpho_count++].id, list + skip, len)))
            return false;
        list += skip + len;
    }
    return true;
}

bool lend_morpho_ids(struct lend_chain *c, const struct conf *conf)
{
    return contract_of(c->chain, &morpho_blue) == NULL ||
           ids_read(c, conf_chain(conf, "morpho_markets", c->chain->key));
}

void lend_morpho_add_listings(struct lend_chain *c, const struct lend_listing *list, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        size_t k = 0;

        while (k < c->morpho_count && memcmp(c->morpho[k].id, list[i].id, HASH_LEN) != 0)
            k++;
        if (k == LEND_MORPHO_MAX)
            continue;
        if (k == c->morpho_count)
            memcpy(c->morpho[c->morpho_count++].id, list[i].id, HASH_LEN);
        c->morpho[k].listing = &list[i];
    }
}

void lend_check_settings(const struct conf *conf)
{
    struct lend_chain c;

    for (size_t i = 0; i < chains_count; i++) {
        char name[64];

        snprintf(name, sizeof name, "morpho_markets.%s", chains[i].key);
        if (!ids_read(&c, conf_chain(conf, "morpho_markets", chains[i].key)))
            conf_refuse(conf, name, NULL);
    }
}

/* ---- which markets ---- */

static void ask_by_id(struct multicall *m, struct evm_addr blue,
                      void (*ask)(struct buf *out, const uint8_t id[static HASH_LEN]),
                      const uint8_t id[static HASH_LEN])
{
    struct buf data = BUF_INIT(QUESTION_BYTES);

    ask(&data, id);
    multicall_add(m, blue, &data);
    buf_free(&data);
}

static void morpho_find(const struct lend_chain *c, struct multicall *m)
{
    for (size_t i = 0; i < c->morpho_count; i++) {
        struct evm_addr blue = contract_addr(contract_of(c->chain, &morpho_blue));

        ask_by_id(m, blue, morpho_ask_terms, c->morpho[i].id);
        ask_by_id(m, blue, morpho_ask_state, c->morpho[i].id);
    }
}

/* Whether the terms are those that the id is a hash of: there is no such market otherwise. */
static bool id_is_confirmed(const struct lend_morpho *k)
{
    uint8_t id[HASH_LEN];

    morpho_market_id(id, &k->terms);
    return memcmp(id, k->id, HASH_LEN) == 0;
}

static bool morpho_found(struct lend_chain *c, struct lend_answers *r)
{
    size_t known = 0, count = c->morpho_count;

    for (size_t i = 0; i < count; i++) {
        struct lend_morpho k = c->morpho[i];
        const uint8_t *data;
        size_t len;

        if (!lend_answer(&data, &len, r) || !morpho_read_terms(&k.terms, data, len) ||
            !lend_answer(&data, &len, r) || !morpho_read_state(&k.state, data, len))
            return false;
        if (id_is_confirmed(&k))
            c->morpho[known++] = k;
    }
    c->morpho_count = known;
    return true;
}

/* ---- their contents ---- */

static void ask_rate(struct multicall *m, const struct lend_morpho *k)
{
    struct buf data = BUF_INIT(QUESTION_BYTES);

    morpho_ask_rate(&data, &k->terms, &k->state);
    multicall_add(m, k->terms.rates, &data);
    buf_free(&data);
}

/* Aave's oracle has the worth of the loan token: Morpho's oracles have only the rate between both tokens. */
static void morpho_ask(const struct lend_chain *c, struct multicall *m)
{
    for (size_t i = 0; i < c->morpho_count; i++) {
        const struct lend_morpho *k = &c->morpho[i];

        ask_rate(m, k);
        lend_ask(m, k->terms.oracle, morpho_ask_price);
        lend_ask_of(m, c->oracle, aave_ask_price, k->terms.loan);
        lend_ask(m, k->terms.loan, erc20_decimals);
        lend_ask(m, k->terms.loan, erc20_symbol);
        lend_ask(m, k->terms.collateral, erc20_symbol);
        lend_ask(m, k->terms.collateral, erc20_decimals);
    }
}

/* The answers about one market, besides those stored in struct lend_morpho. */
struct market_said {
    struct u256 rate, dollars;
    bool has_rate, has_dollars;
    uint8_t decimals;
    const char *loan, *collateral;
};

static const char *symbol_read(const struct lend_chain *c, struct evm_addr token, struct lend_answers *r)
{
    const uint8_t *data;
    size_t len;

    (void)lend_answer(&data, &len, r);
    return lend_symbol(c->arena, c->chain, token, data, len);
}

static uint8_t decimals_read(struct lend_answers *r)
{
    struct u256 word;
    uint64_t n;

    return lend_answer_word(&word, r) && u256_to_u64(&n, word) && n <= AMOUNT_MAX_DECIMALS ? (uint8_t)n
                                                                                           : NO_DECIMALS;
}

static void market_said_read(struct market_said *s, const struct lend_chain *c, struct lend_morpho *k,
                             struct lend_answers *r)
{
    *s = (struct market_said){ .rate = U256_ZERO };
    s->has_rate = lend_answer_word(&s->rate, r);
    if (!lend_answer_word(&k->price, r))
        k->price = U256_ZERO;
    s->has_dollars = lend_answer_word(&s->dollars, r) && !u256_is_zero(s->dollars);
    s->decimals = decimals_read(r);
    s->loan = symbol_read(c, k->terms.loan, r);
    s->collateral = symbol_read(c, k->terms.collateral, r);
    k->collateral_decimals = decimals_read(r);
    if (evm_addr_is_zero(k->terms.rates)) { /* lent for nothing */
        s->has_rate = true;
        s->rate = U256_ZERO;
    }
    k->accrued = s->has_rate && s->decimals != NO_DECIMALS && morpho_accrue(&k->state, s->rate, c->now_s);
}

/* The borrowers' rate times the borrowed part, less the fee. */
static uint64_t supply_apy_of(const struct lend_market *m, const struct morpho_state *s)
{
    struct u256 one = u256_from_u64(1000000000000000000), kept, apy;
    uint64_t millionths;

    return u256_sub(&kept, one, s->fee) &&
                   u256_muldiv(&apy, u256_from_u64(m->borrow_apy), m->borrowed, m->supplied) &&
                   u256_muldiv(&apy, apy, kept, one) && u256_to_u64(&millionths, apy)
               ? millionths
               : 0;
}

static void market_fill(struct lend_market *m, const struct lend_chain *c, const struct lend_morpho *k,
                        const struct market_said *s)
{
    char id[2 + ID_DIGITS + 1] = "0x";

    hex_encode(id + 2, k->id, HASH_LEN);
    m->protocol = morpho_lender.protocol;
    m->id = arena_strdup(c->arena, id);
    m->loan = s->loan;
    m->collateral = s->collateral;
    m->asset = k->terms.loan;
    m->oracle = k->terms.oracle;
    m->irm = k->terms.rates;
    m->decimals = s->decimals;
    m->collateral_asset = k->terms.collateral;
    m->collateral_decimals = k->collateral_decimals;
    m->supplied = k->state.supplied;
    m->borrowed = k->state.borrowed;
    m->price = (struct amount){ s->dollars, AAVE_PRICE_PLACES };
    m->ltv = m->lltv = (struct amount){ k->terms.lltv, MORPHO_PLACES };
    m->borrow_apy = apy_of_second(s->rate);
    m->supply_apy = supply_apy_of(m, &k->state);
    m->warnings = (unsigned)u256_is_zero(k->price) << LEND_ORACLE;
    m->can_supply = true;
    m->can_borrow = !u256_is_zero(k->price) && u256_cmp(m->supplied, m->borrowed) > 0;
    m->can_be_collateral = true;
    m->listed = s->has_dollars && k->accrued;
    if (k->listing != NULL) {
        m->more_warnings = k->listing->warnings;
        m->created_ms = k->listing->created_ms;
    }
}

/* A market whose price or rate is unknown is in no list. */
static bool morpho_read(struct lend_chain *c, struct lend_answers *r)
{
    for (size_t i = 0; i < c->morpho_count; i++) {
        struct market_said s;

        market_said_read(&s, c, &c->morpho[i], r);
        market_fill(lend_market_add(c), c, &c->morpho[i], &s);
    }
    return true;
}

/* ---- a wallet's positions in them ---- */

static void morpho_ask_owner(const struct lend_chain *c, struct multicall *m)
{
    struct buf data = BUF_INIT(QUESTION_BYTES);

    for (size_t i = 0; i < c->morpho_count; i++) {
        buf_reset(&data);
        morpho_ask_holding(&data, c->morpho[i].id, *c->owner);
        multicall_add(m, contract_addr(contract_of(c->chain, &morpho_blue)), &data);
    }
    buf_free(&data);
}

static void account_add(struct lend_chain *c, const struct lend_position *p, struct u256 worth,
                        struct u256 limit)
{
    const struct lend_market *m = p->market;
    struct u256 left;

    if (!u256_sub(&left, limit, p->borrowed))
        left = U256_ZERO;
    lend_account_add(c,
                     (struct lend_account){ .protocol = m->protocol,
                                            .chain = c->chain,
                                            .market = m->id,
                                            .collateral = lend_worth(m, worth),
                                            .debt = lend_worth(m, p->borrowed),
                                            .available = lend_worth(m, left),
                                            .ltv = m->ltv,
                                            .threshold = m->lltv,
                                            .health = { morpho_health(limit, p->borrowed), MORPHO_PLACES } });
}

/* False where it cannot be told what the wallet has or owes. */
static bool holding_read(struct lend_chain *c, const struct lend_morpho *k, const struct lend_market *m,
                         const struct morpho_holding *h)
{
    struct lend_position p = { .market = m,
                               .collateral = { h->collateral, k->collateral_decimals },
                               .collateral_enabled = true };
    struct u256 worth, limit;

    if (!k->accrued || k->collateral_decimals == NO_DECIMALS || !m->listed ||
        !morpho_supplied(&p.supplied, &k->state, h->supply_shares) ||
        !morpho_borrowed(&p.borrowed, &k->state, h->borrow_shares) ||
        !morpho_worth(&worth, h->collateral, k->price) || !morpho_limit(&limit, worth, &k->terms) ||
        (u256_is_zero(k->price) && !u256_is_zero(p.borrowed)))
        return false;
    p.collateral_usd = lend_worth(m, worth);
    lend_position_add(c, p);
    if (!u256_is_zero(h->collateral) || !u256_is_zero(h->borrow_shares))
        account_add(c, &p, worth, limit);
    return true;
}

static bool morpho_read_owner(struct lend_chain *c, struct lend_answers *r)
{
    for (size_t i = 0; i < c->morpho_count; i++) {
        struct morpho_holding h;
        const uint8_t *data;
        size_t len;

        if (!lend_answer(&data, &len, r) || !morpho_read_holding(&h, data, len))
            return false;
        if (u256_is_zero(h.supply_shares) && u256_is_zero(h.borrow_shares) && u256_is_zero(h.collateral))
            continue;
        if (!holding_read(c, &c->morpho[i], &c->markets[c->reserve_count + i], &h))
            return false;
    }
    return true;
}

const struct lender morpho_lender = { "morpho",    morpho_find,      morpho_found,     morpho_ask,
                                      morpho_read, morpho_ask_owner, morpho_read_owner };
