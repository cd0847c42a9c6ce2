#include "exec/evm/evm_token.h"

#include <string.h>

#include "chain/evm/abi.h"
#include "chain/evm/evm_rpc.h"
#include "chain/evm/multicall.h"
#include "chain/rpc/node.h"
#include "chain/unavailable.h"
#include "venue/erc20.h"

enum { DEADLINE_MS = 2000 };

/* The text without its spaces if all of it is visible ASCII; else "", so that nothing can be hidden in it. */
static void symbol_plain(char out[static 33], const char *text, size_t n)
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

/* symbol() returns a string, or bytes32 in very old tokens. */
static void symbol_read(char out[static 33], const uint8_t *data, size_t n)
{
    const uint8_t *p = data;
    size_t len = n;

    out[0] = '\0';
    if (n == ABI_WORD || abi_get_bytes(&p, &len, data, n, 0, 0))
        symbol_plain(out, (const char *)p, len);
}

static bool token_read(const struct rpc_answers *answers, struct arena *a, struct token_ref *out)
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
    symbol_read(out->symbol, p, n);
    return true;
}

/* All say the same of it, that there is none too: decimals multiply amounts. Its symbol is the first one's
 * word. */
static bool tokens_agree(const struct rpc_answers *answers, size_t answered, struct arena *a,
                         struct token_ref *out, unsigned *told)
{
    bool found = token_read(&answers[0], a, out);

    *told = found ? (unsigned)answered : 0;
    for (size_t i = 1; i < answered; i++) {
        struct token_ref other = *out;

        if (token_read(&answers[i], a, &other) != found || (found && other.decimals != out->decimals))
            return false;
    }
    return true;
}

static const struct err *ask_token(const struct ctx *ctx, struct arena *a, const struct chain *c,
                                   struct evm_addr at, struct token_ref *out, unsigned *told)
{
    struct buf body = BUF_INIT(MAX_TX), data = BUF_INIT(8);
    struct rpc_batch batch = rpc_begin(&body);
    struct rpc_answers answers[NODE_OPINIONS];
    const struct err *e = NULL;
    size_t answered;

    erc20_decimals(&data);
    rpc_add_call(&batch, NULL, at, &data);
    buf_reset(&data);
    erc20_symbol(&data);
    rpc_add_call(&batch, NULL, at, &data);
    rpc_end(&batch);
    *out = (struct token_ref){ .chain_id = c->id };
    evm_addr_text(out->address, at);
    answered = node_ask_two(ctx, c, &batch, DEADLINE_MS, a, answers);
    if (answered == 0)
        e = chain_unavailable(ctx, a, c);
    else if (!tokens_agree(answers, answered, a, out, told))
        e = chain_senseless(c, "decimals");
    node_answers_free(answers, answered);
    buf_free(&body);
    buf_free(&data);
    return e;
}

const struct err *evm_describe_token(const struct ctx *ctx, struct arena *a, const struct chain *c,
                                     const char *address, struct token_ref *out, unsigned *told)
{
    struct evm_addr at;

    *told = 0;
    if (!nodes_known(ctx->nodes, c) || !evm_addr_parse(&at, address))
        return NULL;
    return ask_token(ctx, a, c, at, out, told);
}

/* ---- many at once ---- */

enum { DECIMALS_BYTES = FAMILY_TOKENS_MAX * 512 };

static void ask_decimals(struct rpc_batch *batch, const char *const *addresses, size_t count)
{
    struct multicall m = MULTICALL_INIT(DECIMALS_BYTES);
    struct buf data = BUF_INIT(DECIMALS_BYTES);

    erc20_decimals(&data);
    for (size_t i = 0; i < count; i++)
        multicall_add(&m, evm_addr_or_zero(addresses[i]), &data);
    buf_reset(&data);
    multicall_finish(&m, &data);
    multicall_call(batch, &data);
    rpc_end(batch);
    buf_free(&data);
    multicall_free(&m);
}

static int read_decimals(const struct multicall_results *r, unsigned i)
{
    struct u256 word;
    uint64_t n;

    return multicall_word(&word, r, i) && u256_to_u64(&n, word) && n <= AMOUNT_MAX_DECIMALS ? (int)n : -1;
}

bool evm_token_decimals(const struct ctx *ctx, struct arena *a, const struct chain *c,
                        const char *const *addresses, size_t count, int *out)
{
    struct buf body = BUF_INIT(2 * DECIMALS_BYTES + MAX_TX);
    struct rpc_batch batch = rpc_begin(&body);
    struct rpc_answers answers;
    struct multicall_results r;
    bool told = false;

    ask_decimals(&batch, addresses, count);
    if (node_ask(ctx, c, &batch, DEADLINE_MS, a, &answers)) {
        told = rpc_bytes(&r.data, &r.len, a, &answers.items[0]);
        rpc_answers_free(&answers);
    }
    for (size_t i = 0; told && i < count; i++)
        out[i] = read_decimals(&r, (unsigned)i);
    buf_free(&body);
    return told;
}
