#include "exec/solana/solana_wrap.h"

#include <string.h>

#include "chain/rpc/node.h"
#include "chain/solana/derived.h"
#include "chain/solana/solana_programs.h"
#include "chain/solana/solana_rpc.h"
#include "chain/solana/token_account.h"
#include "chain/unavailable.h"
#include "venue/wrapped_sol.h"

enum { DEADLINE_MS = 2500 };

/* They have one address. */
bool solana_is_wrap(const struct plan *p)
{
    return p->recipient == NULL && p->bridge == NULL && p->count == 1 &&
           strcmp(p->leaves.token.address, p->arrives.token.address) == 0;
}

/* The items of the batch, in this order. */
enum { AT_HASH, AT_WRAPPED };

struct wrapping {
    struct solana_addr wallet, account;
    uint64_t amount, held; /* what is there already */
    uint8_t blockhash[SOLANA_BLOCKHASH_LEN];
};

static bool wrapping_read(struct wrapping *w, struct arena *a, const struct rpc_answer *r)
{
    struct solana_token_state token;
    struct solana_state state;

    if (!solana_read_blockhash(w->blockhash, &r[AT_HASH]) ||
        !solana_read_accounts(&state, 1, NULL, a, &r[AT_WRAPPED]))
        return false;
    if (state.exists && solana_token_state_read(&token, &state.program, state.data, state.len) &&
        solana_addr_eq(&token.owner, &w->wallet))
        w->held = token.amount;
    return true;
}

static const struct err *wrapping_write(const struct wrapping *w, struct arena *a, struct plan *p)
{
    struct buf tx = BUF_INIT(SOLANA_TX_MAX);
    struct step *s = &p->steps[0];

    if (!p->leaves.native && w->held < w->amount)
        return err_hint(a, &E_BALANCE,
                        "What can be unwrapped is what the wallet's associated account of wrapped SOL holds");
    if (p->leaves.native)
        wrapped_sol_wrap(&tx, &w->wallet, w->amount, w->blockhash);
    else
        wrapped_sol_unwrap(&tx, &w->wallet, w->amount, w->held - w->amount, w->blockhash);
    s->data = arena_memdup(a, tx.data, tx.len);
    s->data_len = tx.len;
    buf_free(&tx);
    return NULL;
}

static const struct err *wrapping_ask(struct wrapping *w, const struct ctx *ctx, struct arena *a,
                                      const struct chain *c)
{
    struct buf body = BUF_INIT(MAX_TX);
    struct rpc_batch batch = rpc_begin(&body);
    struct rpc_answers answers;
    const struct err *e = NULL;

    solana_ask_blockhash(&batch);
    solana_ask_accounts(&batch, &w->account, 1, SOLANA_CONFIRMED, 0);
    rpc_end(&batch);
    if (node_ask(ctx, c, &batch, DEADLINE_MS, a, &answers)) {
        e = wrapping_read(w, a, answers.items) ? NULL : chain_senseless(c, "blockhash");
        rpc_answers_free(&answers);
    } else {
        e = chain_unavailable(ctx, a, c);
    }
    buf_free(&body);
    return e;
}

const struct err *solana_wrap_complete(const struct ctx *ctx, struct arena *a, struct plan *p)
{
    const struct err *e;
    struct wrapping w;

    memset(&w, 0, sizeof w);
    if (!solana_addr_parse(&w.wallet, p->wallet) || !u256_to_u64(&w.amount, p->leaves.amount) ||
        !solana_token_account(&w.account, &w.wallet, &SOLANA_TOKEN, &SOLANA_WRAPPED_COIN))
        return &E_INTERNAL;
    e = wrapping_ask(&w, ctx, a, p->chain);
    return e != NULL ? e : wrapping_write(&w, a, p);
}
