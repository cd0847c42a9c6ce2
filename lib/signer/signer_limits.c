#include "signer/signer_limits.h"

#include "chain/chains.h"
#include "chain/tokens.h"
#include "codec/hex.h"
#include "model/decimal.h"
#include "venue/hyperliquid_action.h"

enum { LIST_MAX = 8192, DELAY_MIN_S = 3600 };

/* The list being read. */
struct reading {
    struct limits *out;
    const struct chain *chain; /* of amounts */
    bool per_day, withdrawn;
};

/* Calls `take` for each entry of a comma list. */
static bool each_entry(const struct reading *r, const char *list,
                       bool (*take)(const struct reading *, char *))
{
    char copy[LIST_MAX], *save = NULL;

    if (snprintf(copy, sizeof copy, "%s", list) >= (int)sizeof copy)
        return false;
    for (char *p = strtok_r(copy, ",", &save); p != NULL; p = strtok_r(NULL, ",", &save))
        if (!take(r, p))
            return false;
    return true;
}

static bool add_chain(const struct reading *r, char *text)
{
    char key[32] = "";
    const struct chain *c = sscanf(text, " %31s ", key) == 1 ? chain_find(key) : NULL;

    if (c == NULL || r->out->chain_count == LIMITS_CHAINS_MAX)
        return false;
    r->out->chains[r->out->chain_count++] = c->id;
    return true;
}

/* A token of the chain's table by its symbol, any other one by its address. */
static bool token_address(char out[static TRADE_ADDRESS_MAX], const struct chain *c, const char *text)
{
    const struct token *t = token_find(c, text);
    struct evm_addr a;

    if (t != NULL)
        (void)snprintf(out, TRADE_ADDRESS_MAX, "%s", token_is_native(t) ? TRADE_COIN : t->address_text);
    else if (evm_addr_parse(&a, text))
        evm_addr_text(out, a);
    else
        return false;
    return true;
}

static bool is_limit_of(const struct limit *row, uint64_t chain_id, const char *token, bool withdrawn)
{
    return row->chain_id == chain_id && row->withdrawn == withdrawn && strcmp(row->token, token) == 0;
}

static struct limit *limit_row(struct limits *l, uint64_t chain_id, const char *token, bool withdrawn)
{
    struct limit *row = &l->rows[l->count];

    for (size_t i = 0; i < l->count; i++)
        if (is_limit_of(&l->rows[i], chain_id, token, withdrawn))
            return &l->rows[i];
    if (l->count == LIMITS_MAX)
        return NULL;
    l->count++;
    *row = (struct limit){ .chain_id = chain_id, .withdrawn = withdrawn };
    (void)snprintf(row->token, sizeof row->token, "%s", token);
    return row;
}

/* "USDC 5000000000" */
static bool add_limit(const struct reading *r, char *text)
{
    char name[64] = "", digits[U256_DECIMAL_LEN + 1] = "", more, token[TRADE_ADDRESS_MAX];
    struct u256 amount;
    struct limit *row;

    if (sscanf(text, " %63s %78s %c", name, digits, &more) != 2 || !u256_parse(&amount, digits) ||
        !token_address(token, r->chain, name))
        return false;
    row = limit_row(r->out, r->chain->id, token, r->withdrawn);
    if (row == NULL)
        return false;
    *(r->per_day ? &row->per_day : &row->per_tx) = true;
    *(r->per_day ? &row->day_max : &row->tx_max) = amount;
    return true;
}

/* "0x94b8…" */
static bool add_market(const struct reading *r, char *text)
{
    struct limits *l = r->out;
    struct limits_market *m = &l->markets[l->market_count];
    char id[2 * HASH_LEN + 3] = "", more;
    size_t n;

    if (l->market_count == LIMITS_MARKETS_MAX || sscanf(text, " %66s %c", id, &more) != 1 ||
        !hex_decode_0x(m->id, HASH_LEN, &n, id) || n != HASH_LEN)
        return false;
    m->chain_id = r->chain->id;
    l->market_count++;
    return true;
}

static bool is_chain_key(const char *text)
{
    const struct chain *c = chain_find(text);

    return c != NULL && strcmp(c->key, text) == 0;
}

static bool list_read(const struct reading *r, const struct conf *c, const char *name,
                      bool (*take)(const struct reading *, char *))
{
    const char *list = conf_chain(c, name, r->chain->key);
    char full[64];

    if (list == NULL || each_entry(r, list, take))
        return true;
    (void)snprintf(full, sizeof full, "%s.%s", name, r->chain->key);
    conf_refuse(c, full, NULL);
    return false;
}

static bool amounts_read(struct reading *r, const struct conf *c, const char *name, bool per_day,
                         bool withdrawn)
{
    r->per_day = per_day;
    r->withdrawn = withdrawn;
    return list_read(r, c, name, add_limit);
}

/* "25000" or "0.5", of the venue's dollars. */
static bool dollars_read(struct limits *l, const struct conf *c, const char *name, const char *text,
                         bool per_day, bool withdrawn)
{
    uint64_t dollars;
    struct limit *row;

    if (*text == '\0')
        return true;
    row = limit_row(l, HYPERLIQUID_CHAIN_ID, HYPERLIQUID_DOLLAR, withdrawn);
    if (row == NULL || decimal_exact(&dollars, text, HYPERLIQUID_DOLLAR_PLACES) != DECIMAL_FINE) {
        conf_refuse(c, name, NULL);
        return false;
    }
    *(per_day ? &row->per_day : &row->per_tx) = true;
    *(per_day ? &row->day_max : &row->tx_max) = u256_from_u64(dollars);
    return true;
}

/* An operator cannot notice an attacker's address within seconds; the sandbox has no attackers. */
static bool delay_read(const struct conf *c)
{
    if (c->withdrawal_delay >= DELAY_MIN_S || c->webhook_allow_http_loopback)
        return true;
    conf_refuse(c, "withdrawal_delay", "a whole number from 3600 to 2592000");
    return false;
}

bool limits_read(struct limits *out, const struct conf *c)
{
    struct reading r = { .out = out };
    bool ok;

    *out = (struct limits){ .some_chains = c->signer_chains[0] != '\0',
                            .listed_markets = strcmp(c->signer_markets, "listed") == 0,
                            .own_tokens = strcmp(c->signer_tokens, "built-in") == 0,
                            .floor = { { c->signer_floor }, c->signer_floor_age_s } };
    ok = conf_refuse_unknown(c, "chain", is_chain_key) == 0;
    ok = delay_read(c) && ok;
    if (!each_entry(&r, c->signer_chains, add_chain)) {
        conf_refuse(c, "signer_chains", NULL);
        ok = false;
    }
    ok = dollars_read(out, c, "perps_order_max", c->perps_order_max, false, false) && ok;
    ok = dollars_read(out, c, "perps_day_max", c->perps_day_max, true, false) && ok;
    ok = dollars_read(out, c, "perps_withdraw_day_max", c->perps_withdraw_day_max, true, true) && ok;
    for (size_t i = 0; i < chains_count; i++) {
        r.chain = &chains[i];
        ok = list_read(&r, c, "morpho_markets", add_market) && ok;
        ok = amounts_read(&r, c, "signer_tx_max", false, false) && ok;
        ok = amounts_read(&r, c, "signer_day_max", true, false) && ok;
        ok = amounts_read(&r, c, "withdraw_day_max", true, true) && ok;
    }
    return ok;
}

bool limits_allow_chain(const struct limits *l, uint64_t chain_id)
{
    for (size_t i = 0; i < l->chain_count; i++)
        if (l->chains[i] == chain_id)
            return true;
    return !l->some_chains;
}

static bool is_entered(const struct loan *loan)
{
    return loan->act == LOAN_SUPPLY || loan->act == LOAN_PLEDGE || loan->act == LOAN_BORROW;
}

bool limits_allow_loan(const struct limits *l, uint64_t chain_id, const struct loan *loan)
{
    for (size_t i = 0; i < l->market_count; i++)
        if (l->markets[i].chain_id == chain_id && memcmp(l->markets[i].id, loan->market, HASH_LEN) == 0)
            return true;
    return !l->listed_markets || !loan_has_market(loan) || !is_entered(loan);
}

bool limits_allow_token(const struct limits *l, const struct chain *c, const char *token)
{
    return !l->own_tokens || strcmp(token, TRADE_COIN) == 0 || (c != NULL && token_find(c, token) != NULL);
}

static const struct limit *find_limit(const struct limits *l, uint64_t chain_id, const char *token,
                                      bool withdrawn)
{
    for (size_t i = 0; i < l->count; i++)
        if (is_limit_of(&l->rows[i], chain_id, token, withdrawn))
            return &l->rows[i];
    return NULL;
}

const struct limit *limits_find(const struct limits *l, uint64_t chain_id, const char *token)
{
    return find_limit(l, chain_id, token, false);
}

const struct limit *limits_find_withdrawn(const struct limits *l, uint64_t chain_id, const char *token)
{
    return find_limit(l, chain_id, token, true);
}
