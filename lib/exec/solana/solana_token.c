#include "exec/solana/solana_token.h"

#include <string.h>

#include "chain/rpc/node.h"
#include "chain/solana/solana_rpc.h"
#include "chain/solana/token_account.h"
#include "chain/tokens.h"
#include "chain/unavailable.h"

enum { DEADLINE_MS = 2000 };

static void ask_mints(struct rpc_batch *batch, struct arena *a, const char *const *addresses, size_t count)
{
    struct solana_addr *mints = ARENA_ARRAY(a, struct solana_addr, count);

    for (size_t i = 0; i < count; i++)
        if (!solana_addr_parse(&mints[i], addresses[i]))
            memset(&mints[i], 0, sizeof mints[i]);
    solana_ask_accounts(batch, mints, count, SOLANA_CONFIRMED, SOLANA_TOKEN_HEAD);
    rpc_end(batch);
}

static bool read_mints(int *out, size_t count, struct arena *a, const struct rpc_answers *answers)
{
    struct solana_state *states = ARENA_ARRAY(a, struct solana_state, count);

    if (!solana_read_accounts(states, count, NULL, a, &answers->items[0]))
        return false;
    for (size_t i = 0; i < count; i++)
        out[i] =
            states[i].exists ? solana_mint_decimals(&states[i].program, states[i].data, states[i].len) : -1;
    return true;
}

bool solana_token_decimals(const struct ctx *ctx, struct arena *a, const struct chain *c,
                           const char *const *addresses, size_t count, int *out)
{
    struct buf body = BUF_INIT(MAX_TX);
    struct rpc_batch batch = rpc_begin(&body);
    struct rpc_answers answers;
    bool told = false;

    ask_mints(&batch, a, addresses, count);
    if (node_ask(ctx, c, &batch, DEADLINE_MS, a, &answers)) {
        told = read_mints(out, count, a, &answers);
        rpc_answers_free(&answers);
    }
    buf_free(&body);
    return told;
}

/* The decimals that all answering nodes report alike, since they multiply amounts. */
static const struct err *ask_decimals(const struct ctx *ctx, struct arena *a, const struct chain *c,
                                      const char *address, int *out, unsigned *told)
{
    struct buf body = BUF_INIT(MAX_TX);
    struct rpc_batch batch = rpc_begin(&body);
    struct rpc_answers answers[NODE_OPINIONS];
    int said[NODE_OPINIONS];
    size_t answered;
    bool agree = true;

    ask_mints(&batch, a, &address, 1);
    answered = node_ask_two(ctx, c, &batch, DEADLINE_MS, a, answers);
    for (size_t i = 0; i < answered; i++) {
        *told += read_mints(&said[*told], 1, a, &answers[i]);
    }
    node_answers_free(answers, answered);
    for (unsigned i = 1; i < *told; i++)
        agree = agree && said[i] == said[0];
    buf_free(&body);
    if (*told == 0)
        return chain_unavailable(ctx, a, c);
    *out = said[0];
    return agree ? NULL : chain_senseless(c, "decimals");
}

const struct err *solana_describe_token(const struct ctx *ctx, struct arena *a, const struct chain *c,
                                        const char *address, struct token_ref *out, unsigned *told)
{
    struct solana_addr mint;
    const struct err *e;
    int decimals = -1;
    unsigned agree = 0;

    *told = 0;
    if (!nodes_known(ctx->nodes, c) || !solana_addr_parse(&mint, address))
        return NULL;
    if ((e = ask_decimals(ctx, a, c, address, &decimals, &agree)) != NULL)
        return e;
    *out = (struct token_ref){ .chain_id = c->id };
    if (decimals < 0 || decimals > AMOUNT_MAX_DECIMALS)
        return NULL;
    out->decimals = (uint8_t)decimals;
    solana_addr_text(out->address, &mint);
    /* A mint has no symbol: the list gives it one. What lies at the coin's mint is wrapped. */
    const struct token *listed = token_known(out);

    if (listed != NULL && token_is_native(listed))
        listed = token_wrapped_native(c);
    if (listed != NULL)
        memcpy(out->symbol, token_ref_of(listed).symbol, sizeof out->symbol);
    *told = agree;
    return NULL;
}
