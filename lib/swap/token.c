#include "swap/token.h"

#include <string.h>

#include "chain/evm/abi.h"
#include "chain/evm/node.h"
#include "chain/tokens.h"
#include "venue/erc20.h"

enum { DEADLINE_MS = 2000 };

static void set_text(char out[static 33], const char *text)
{
    (void)snprintf(out, 33, "%s", text);
}

static void set_known(struct token_ref *out, const struct chain *c, const struct token *t)
{
    *out = (struct token_ref){ .chain_id = c->id, .decimals = t->decimals };
    set_text(out->symbol, t->symbol);
    (void)snprintf(out->address, sizeof out->address, "%s", t->address_text);
}

/* ---- what is shown of it ---- */

struct token_label token_label(const struct token_ref *t)
{
    const struct chain *c = chain_by_id(t->chain_id);
    struct token_label label = { .listed = c != NULL && token_find(c, t->address) != NULL };
    char ends[33];

    (void)snprintf(ends, sizeof ends, "%.6s…%s", t->address,
                   t->address + (strlen(t->address) > 4 ? strlen(t->address) - 4 : 0));
    label.unverified = !label.listed && (t->symbol[0] == '\0' || strcmp(t->symbol, ends) == 0 ||
                                         strncasecmp(t->symbol, "0x", 2) == 0 || c == NULL ||
                                         token_symbol_passes(c, t->symbol));
    set_text(label.symbol, label.unverified ? ends : t->symbol);
    return label;
}

/* ---- tokens that no table knows ---- */

/* The text when it is all visible ASCII; else "", as what a contract hides cannot be read either. */
static void set_plain(char out[static 33], const char *text, size_t n)
{
    size_t len = strnlen(text, n), used = 0;

    for (size_t i = len; i < n; i++)
        if (text[i] != '\0')
            return;
    for (size_t i = 0; i < len; i++) {
        if (text[i] < ' ' || text[i] > '~' || used == 32) {
            out[0] = '\0';
            return;
        }
        if (text[i] != ' ')
            out[used++] = text[i];
    }
    out[used] = '\0';
}

/* symbol() as string, or as bytes32 where a token is that old. */
static void set_symbol(struct token_ref *out, const uint8_t *data, size_t n)
{
    const uint8_t *p = data;
    size_t len = n;

    out->symbol[0] = '\0';
    if (n == ABI_WORD || abi_get_bytes(&p, &len, data, n, 0, 0))
        set_plain(out->symbol, (const char *)p, len);
    set_text(out->symbol, token_label(out).symbol);
}

static bool read_contract(struct rpc_answers *answers, struct arena *a, struct token_ref *out)
{
    const uint8_t *p;
    size_t n;
    uint64_t decimals;

    if (!rpc_bytes(&p, &n, a, &answers->items[0]) || n != ABI_WORD || !abi_get_u64(&decimals, p, n, 0) ||
        decimals > AMOUNT_MAX_DECIMALS)
        return false;
    out->decimals = (uint8_t)decimals;
    if (!rpc_bytes(&p, &n, a, &answers->items[1]))
        n = 0;
    set_symbol(out, p, n);
    return true;
}

static const struct err *ask_contract(const struct ctx *ctx, struct arena *a, const struct chain *c,
                                      struct evm_addr at, struct token_ref *out, bool *found)
{
    struct buf body = BUF_INIT(MAX_TX), data = BUF_INIT(8);
    struct rpc_batch batch = rpc_begin(&body);
    struct rpc_answers answers;
    const struct err *e = NULL;

    erc20_decimals(&data);
    rpc_add_call(&batch, NULL, at, &data);
    buf_reset(&data);
    erc20_symbol(&data);
    rpc_add_call(&batch, NULL, at, &data);
    rpc_end(&batch);
    if (node_ask(ctx, c, &batch, DEADLINE_MS, a, &answers)) {
        *out = (struct token_ref){ .chain_id = c->id };
        evm_addr_text(out->address, at);
        *found = read_contract(&answers, a, out);
        rpc_answers_free(&answers);
    } else {
        e = node_silence(ctx, a, c);
    }
    buf_free(&body);
    buf_free(&data);
    return e;
}

const struct err *token_resolve(const struct ctx *ctx, struct arena *a, const struct chain *c,
                                const char *text, struct token_ref *out)
{
    const struct token *t = token_find(c, text);
    struct evm_addr at;
    bool found = false;
    const struct err *e;

    if (t != NULL) {
        set_known(out, c, t);
        return NULL;
    }
    if (c->type == CHAIN_EVM && nodes_known(ctx->nodes, c) && evm_addr_parse(&at, text)) {
        e = ask_contract(ctx, a, c, at, out, &found);
        if (e != NULL)
            return e;
    }
    return found ? NULL : err_fmt(a, &E_TOKEN_UNKNOWN, text, c->key);
}
