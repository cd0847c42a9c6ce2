#include "signer/limits.h"

#include "chain/chains.h"
#include "chain/tokens.h"

enum { LIST_MAX = 1024 };

/* The list being read. */
struct reading {
    struct limits *out;
    const struct chain *chain; /* of amounts */
    bool per_day;
    char *why;
    size_t why_len;
};

static bool limits_error(const struct reading *r, const char *what, const char *text)
{
    (void)snprintf(r->why, r->why_len, "%s: \"%s\"", what, text);
    return false;
}

/* Calls `take` for each entry of a comma list. */
static bool each_entry(const struct reading *r, const char *list,
                       bool (*take)(const struct reading *, char *))
{
    char copy[LIST_MAX], *save = NULL;

    if (snprintf(copy, sizeof copy, "%s", list) >= (int)sizeof copy)
        return limits_error(r, "a list of limits is too long", list);
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
        return limits_error(r, "signer_chains has no such chain", text);
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

static struct limit *limit_row(struct limits *l, uint64_t chain_id, const char *token)
{
    struct limit *row = &l->rows[l->count];

    for (size_t i = 0; i < l->count; i++)
        if (l->rows[i].chain_id == chain_id && strcmp(l->rows[i].token, token) == 0)
            return &l->rows[i];
    if (l->count == LIMITS_MAX)
        return NULL;
    l->count++;
    *row = (struct limit){ .chain_id = chain_id };
    (void)snprintf(row->token, sizeof row->token, "%s", token);
    return row;
}

/* "USDC 5000000000" */
static bool add_limit(const struct reading *r, char *text)
{
    char name[64] = "", digits[U256_DECIMAL_LEN + 1] = "", more, token[TRADE_ADDRESS_MAX];
    struct u256 amount;
    struct limit *row;

    if (sscanf(text, " %63s %78s %c", name, digits, &more) != 2 || !u256_parse(&amount, digits))
        return limits_error(r, "a limit is TOKEN and smallest units", text);
    if (!token_address(token, r->chain, name))
        return limits_error(r, "a limit's token is not known", text);
    row = limit_row(r->out, r->chain->id, token);
    if (row == NULL)
        return limits_error(r, "too many limits", text);
    *(r->per_day ? &row->per_day : &row->per_tx) = true;
    *(r->per_day ? &row->day_max : &row->tx_max) = amount;
    return true;
}

static bool is_chain_key(const char *text)
{
    const struct chain *c = chain_find(text);

    return c != NULL && strcmp(c->key, text) == 0;
}

bool limits_read(struct limits *out, const struct conf *c, char *why, size_t why_len)
{
    struct reading r = { .out = out, .why = why, .why_len = why_len };
    const char *unknown = conf_unknown_chain(c, is_chain_key);

    if (unknown != NULL)
        return limits_error(&r, "a setting for a chain that is not known", unknown);
    *out = (struct limits){ .some_chains = c->signer_chains[0] != '\0',
                            .floor = { { c->signer_floor }, c->signer_floor_age_s } };
    out->own_tokens = strcmp(c->signer_tokens, "built-in") == 0;
    if (!out->own_tokens && strcmp(c->signer_tokens, "any") != 0)
        return limits_error(&r, "signer_tokens is neither any nor built-in", c->signer_tokens);
    if (!each_entry(&r, c->signer_chains, add_chain))
        return false;
    for (size_t i = 0; i < chains_count; i++) {
        const char *tx = conf_chain(c, "signer_tx_max", chains[i].key);
        const char *day = conf_chain(c, "signer_day_max", chains[i].key);

        r.chain = &chains[i];
        r.per_day = false;
        if (tx != NULL && !each_entry(&r, tx, add_limit))
            return false;
        r.per_day = true;
        if (day != NULL && !each_entry(&r, day, add_limit))
            return false;
    }
    return true;
}

bool limits_allow_chain(const struct limits *l, uint64_t chain_id)
{
    for (size_t i = 0; i < l->chain_count; i++)
        if (l->chains[i] == chain_id)
            return true;
    return !l->some_chains;
}

bool limits_allow_token(const struct limits *l, const struct chain *c, const char *token)
{
    return !l->own_tokens || strcmp(token, TRADE_COIN) == 0 || (c != NULL && token_find(c, token) != NULL);
}

const struct limit *limits_find(const struct limits *l, uint64_t chain_id, const char *token)
{
    for (size_t i = 0; i < l->count; i++)
        if (l->rows[i].chain_id == chain_id && strcmp(l->rows[i].token, token) == 0)
            return &l->rows[i];
    return NULL;
}
