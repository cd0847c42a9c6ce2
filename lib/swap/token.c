#include "swap/token.h"

#include <string.h>

#include "chain/evm/abi.h"
#include "chain/evm/node.h"
#include "chain/tokens.h"

enum { SEL_DECIMALS = 0x313ce567, SEL_SYMBOL = 0x95d89b41, DEADLINE_MS = 2000 };

static void set_text(char *out, size_t size, const char *text, size_t n)
{
    size_t used = 0;

    /* A contract may call itself anything: what is shown is plain ASCII. */
    for (size_t i = 0; i < n && text[i] != '\0' && used + 1 < size; i++)
        if (text[i] > ' ' && text[i] < 0x7f)
            out[used++] = text[i];
    out[used] = '\0';
}

static void set_known(struct swap_token *out, const struct chain *c, const struct token *t)
{
    *out = (struct swap_token){ .chain_id = c->id, .decimals = t->decimals };
    set_text(out->symbol, sizeof out->symbol, t->symbol, strlen(t->symbol));
    set_text(out->address, sizeof out->address, t->address_text, strlen(t->address_text));
}

/* symbol() as string, or as bytes32 where a token is that old. */
static void set_symbol(struct swap_token *out, const uint8_t *data, size_t n)
{
    const uint8_t *p = data;
    size_t len = n;

    if (n != ABI_WORD && !abi_get_bytes(&p, &len, data, n, 0, 0))
        len = 0;
    set_text(out->symbol, sizeof out->symbol, (const char *)p, len);
    if (out->symbol[0] == '\0')
        set_text(out->symbol, sizeof out->symbol, out->address, strlen(out->address));
}

static bool read_contract(struct rpc_answers *answers, struct arena *a, struct swap_token *out)
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
                                      struct evm_addr at, struct swap_token *out, bool *found)
{
    struct buf body = BUF_INIT(MAX_TX), data = BUF_INIT(8);
    struct rpc_batch batch = rpc_begin(&body);
    struct rpc_answers answers;
    const struct err *e = NULL;

    abi_selector(&data, SEL_DECIMALS);
    rpc_add_call(&batch, NULL, at, &data);
    buf_reset(&data);
    abi_selector(&data, SEL_SYMBOL);
    rpc_add_call(&batch, NULL, at, &data);
    rpc_end(&batch);
    if (node_ask(ctx, c, &batch, DEADLINE_MS, a, &answers)) {
        *out = (struct swap_token){ .chain_id = c->id };
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
                                const char *text, struct swap_token *out)
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
