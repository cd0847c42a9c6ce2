#include "swap/token.h"

#include <string.h>

#include "base/incident.h"
#include "chain/address.h"
#include "chain/rpc/node.h"
#include "chain/tokens.h"
#include "exec/chain_ops.h"
#include "exec/opinion.h"
#include "store/listed_tokens.h"

enum { CHOICES_MAX = 5 };

static void set_text(char out[static 33], const char *text)
{
    size_t n = strnlen(text, 32);

    memcpy(out, text, n);
    out[n] = '\0';
}

/* ---- its view ---- */

struct token_label token_label(const struct token_ref *t)
{
    const struct chain *c = chain_by_id(t->chain_id);
    struct token_label label = { .listed = c != NULL && token_find(c, t->address) != NULL };
    char ends[33];

    set_text(label.symbol, t->symbol);
    if (label.listed)
        return label;
    (void)snprintf(ends, sizeof ends, "%.6s…%s", t->address,
                   t->address + (strlen(t->address) > 4 ? strlen(t->address) - 4 : 0));
    label.unverified = t->symbol[0] == '\0' || strcmp(t->symbol, ends) == 0 ||
                       strncasecmp(t->symbol, "0x", 2) == 0 || c == NULL || token_symbol_passes(c, t->symbol);
    if (label.unverified)
        set_text(label.symbol, ends);
    return label;
}

/* A token's decimals never change: nodes that say something else, or a contract that does, would have amounts
 * multiplied. What one of several nodes says while the others are silent is not kept. */
static const struct err *decimals_check(const struct ctx *ctx, struct arena *a, const struct chain *c,
                                        const struct token_ref *t, unsigned told)
{
    uint8_t kept = t->decimals;
    bool keeps = told >= NODE_OPINIONS || !opinions_differ(ctx, c);

    if (keeps ? !tokens_decimals_keep(ctx->db, t, &kept)
              : tokens_decimals_get(ctx->db, t, &kept, NULL) == LOOKUP_ERROR)
        return &E_INTERNAL;
    if (kept == t->decimals)
        return NULL;
    log_repeated("token_decimals_changed", arena_printf(a, "chain=%s token=%s", c->key, t->address),
                 "msg=\"a token says other decimals than it first did\" says=%u first=%u", t->decimals, kept);
    return err_hint(a, err_fmt(a, &E_TOKEN_UNKNOWN, t->address, c->key),
                    arena_printf(a,
                                 "It says that it has %u decimals, and has said %u before: a token that "
                                 "changes them is not traded, unless the operator forgets the former ones",
                                 t->decimals, kept));
}

/* Decimals of a list that the chain has not confirmed yet are asked of the chain: amounts depend on them. */
static const struct err *token_describe(const struct ctx *ctx, struct arena *a, const struct chain *c,
                                        const struct token_row *row, const char *text, struct token_ref *out,
                                        bool *found)
{
    const struct chain_ops *f = chain_ops_of(c);
    const struct err *e;
    unsigned told = 0;

    if (row != NULL && row->checked) {
        *out = row->ref;
        *found = true;
        return NULL;
    }
    e = f == NULL ? NULL : f->describe_token(ctx, a, c, row != NULL ? row->ref.address : text, out, &told);
    *found = e == NULL && told > 0 && (row == NULL || out->decimals == row->ref.decimals);
    return *found ? decimals_check(ctx, a, c, out, told) : e;
}

/* A list may have several of one symbol: only the caller chooses among them. */
static const struct err *token_ambiguous(struct arena *a, const struct chain *c, const char *text,
                                         const struct token_row *rows, int count)
{
    const char *choices = "";

    for (int i = 0; i < count; i++)
        choices =
            arena_printf(a, "%s%s%s (%s)", choices, i == 0 ? "" : ", ", rows[i].ref.address, rows[i].name);
    return err_hint(a, err_fmt(a, &E_TOKEN_UNKNOWN, text, c->key),
                    arena_printf(a,
                                 "Several tokens have this symbol on %s: give the address of one, such as %s",
                                 c->key, choices));
}

const struct err *token_resolve(const struct ctx *ctx, struct arena *a, const struct chain *c,
                                const char *text, struct token_ref *out)
{
    const struct token *t = token_find(c, text);
    char canonical[WALLET_ADDR_MAX];
    struct token_row *rows;
    const struct err *e;
    bool found = false;
    int listed;

    if (t != NULL) {
        *out = token_ref_of(t);
        return NULL;
    }
    if (address_canonical(canonical, c->type, text))
        text = canonical;
    listed = tokens_named(ctx->db, a, c->id, text, CHOICES_MAX, &rows);
    if (listed < 0)
        return &E_INTERNAL;
    if (listed > 1)
        return token_ambiguous(a, c, text, rows, listed);
    e = token_describe(ctx, a, c, listed == 1 ? rows : NULL, text, out, &found);
    if (e != NULL)
        return e;
    if (!found)
        return err_fmt(a, &E_TOKEN_UNKNOWN, text, c->key);
    set_text(out->symbol, token_label(out).symbol);
    return NULL;
}
