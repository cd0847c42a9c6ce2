#include "lend/morpho.h"

#include <string.h>

#include "codec/hex.h"
#include "lend/apy.h"
#include "venue/aave_state.h"
#include "venue/erc20.h"

enum { QUESTION_BYTES = 1024, ID_DIGITS = 2 * HASH_LEN };

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

/* ---- what is in them ---- */

static void ask_rate(struct multicall *m, const struct lend_morpho *k)
{
    struct buf data = BUF_INIT(QUESTION_BYTES);

    morpho_ask_rate(&data, &k->terms, &k->state);
    multicall_add(m, k->terms.rates, &data);
    buf_free(&data);
}

/* What the loan token is worth Aave's oracle tells: Morpho's oracles tell only what one token is in the
 * other. */
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
    }
}

/* What was said about one market. */
struct market_said {
    struct u256 rate, dollars;
    bool has_rate, has_oracle, has_dollars, has_decimals;
    uint64_t decimals;
    const char *loan, *collateral;
};

static const char *symbol_read(const struct lend_chain *c, struct evm_addr token, struct lend_answers *r)
{
    const uint8_t *data;
    size_t len;

    (void)lend_answer(&data, &len, r);
    return lend_symbol(c->arena, c->chain, token, data, len);
}

static void market_said_read(struct market_said *s, const struct lend_chain *c, const struct lend_morpho *k,
                             struct lend_answers *r)
{
    struct u256 word;

    s->has_rate = lend_answer_word(&s->rate, r);
    s->has_oracle = lend_answer_word(&word, r) && !u256_is_zero(word);
    s->has_dollars = lend_answer_word(&s->dollars, r) && !u256_is_zero(s->dollars);
    s->has_decimals =
        lend_answer_word(&word, r) && u256_to_u64(&s->decimals, word) && s->decimals <= AMOUNT_MAX_DECIMALS;
    s->loan = symbol_read(c, k->terms.loan, r);
    s->collateral = symbol_read(c, k->terms.collateral, r);
    if (evm_addr_is_zero(k->terms.rates)) { /* lent for nothing */
        s->has_rate = true;
        s->rate = U256_ZERO;
    }
}

/* What borrowers pay, by what part of all is borrowed, less the fee. */
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
    m->decimals = (uint8_t)s->decimals;
    m->supplied = k->state.supplied;
    m->borrowed = k->state.borrowed;
    m->price = (struct amount){ s->dollars, AAVE_PRICE_PLACES };
    m->ltv = m->lltv = (struct amount){ k->terms.lltv, MORPHO_PLACES };
    m->borrow_apy = apy_of_second(s->rate);
    m->supply_apy = supply_apy_of(m, &k->state);
    m->warnings = (unsigned)!s->has_oracle << LEND_ORACLE;
    m->can_supply = true;
    m->can_borrow = s->has_oracle && u256_cmp(m->supplied, m->borrowed) > 0;
    m->can_be_collateral = true;
}

/* A market whose price or rate is unknown is left out. */
static bool morpho_read(struct lend_chain *c, struct lend_answers *r)
{
    for (size_t i = 0; i < c->morpho_count; i++) {
        struct lend_morpho *k = &c->morpho[i];
        struct market_said s;

        market_said_read(&s, c, k, r);
        if (s.has_rate && s.has_dollars && s.has_decimals && morpho_accrue(&k->state, s.rate, c->now_s))
            market_fill(lend_market_add(c), c, k, &s);
    }
    return true;
}

const struct lender morpho_lender = { "morpho", morpho_find, morpho_found, morpho_ask, morpho_read };
