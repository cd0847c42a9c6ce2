#include "exec/evm/arrived.h"

#include "chain/rpc/node.h"
#include "chain/tokens.h"
#include "exec/changes.h"
#include "exec/evm/coins.h"
#include "exec/evm/seen.h"
#include "exec/kind.h"

enum { DEADLINE_MS = 2000 };

/* A receipt's logs show coin only when it is unwrapped, by any caller and for any recipient. */
static bool buys_coin(const struct execution *s)
{
    struct evm_addr token;

    return evm_addr_parse(&token, s->to.address) && evm_addr_is_zero(token);
}

/* The place of what has bought something here; -1: nothing has. */
static int done_by(const struct tracked *w)
{
    int by = w->known && w->count > 0 ? place_winner(w, w->spend) : -1;

    if (by < 0 || w->bridge != NULL || w->txs[by].kind != TX_SPEND || !w->observations[by].succeeded ||
        !w->observations[by].confirmed)
        return -1;
    return by;
}

/* The receipt of what has just bought coin, or is about to be left alone; NULL: nothing has. */
static const struct receipt *bought_by(const struct tracked *w)
{
    int by = done_by(w);

    if (by < 0 || !buys_coin(w->execution) ||
        (w->execution->status == EXEC_COMPLETED && !w->observations[by].settled))
        return NULL;
    return &evm_seen(w)->receipts[by];
}

/* The coin that the execution's own transactions took out of the wallet in a block. False: a part is
 * unknown. */
static bool spent_in(struct u256 *out, unsigned *sent, const struct tracked *w, uint64_t block)
{
    *out = U256_ZERO;
    *sent = 0;
    for (unsigned i = 0; i < w->count; i++) {
        const struct receipt *r = &evm_seen(w)->receipts[i];

        if (r->block != block)
            continue;
        if (!r->has_fee || !u256_add(out, *out, r->fee) ||
            (r->succeeded && !u256_add(out, *out, w->txs[i].value)))
            return false;
        (*sent)++;
    }
    return true;
}

/* If the wallet has sent another transaction in that block, the balance does not show the arrival. */
static void balance_read(const struct tracked *w, const struct receipt *r, const struct rpc_answer *answers)
{
    struct evm_seen *seen = evm_seen(w);
    struct u256 spent, after;
    struct coins c;
    unsigned sent;

    seen->told = spent_in(&spent, &sent, w, r->block) && coins_read(&c, answers) && c.sent == sent &&
                 u256_add(&after, c.after, spent) && u256_sub(&seen->came, after, c.before);
}

/* A block may take the place of another one with the same number. Of coin the balance has to tell, as it did
 * before: the logs alone may say something else of the same block. */
static void result_compare(struct tracked *w)
{
    int by = done_by(w);
    struct u256 now;

    if (by >= 0 && w->execution->status == EXEC_COMPLETED && w->execution->has_amount_out &&
        (!buys_coin(w->execution) || evm_seen(w)->told) && evm_arrived(&now, w, (unsigned)by))
        w->observations[by].otherwise = u256_cmp(now, w->execution->amount_out) != 0;
}

void arrived_poll(const struct ctx *ctx, struct arena *a, const struct chain_batch *s)
{
    struct buf body = BUF_INIT(MAX_UPSTREAM);
    struct rpc_batch b = rpc_begin(&body);
    struct rpc_answers answers;

    for (const struct tracked *w = s->w; w < s->w + s->count; w++) {
        const struct receipt *r = bought_by(w);

        if (r != NULL)
            coins_ask(&b, w->wallet.ref.address, r->block);
    }
    rpc_end(&b);
    if (b.count > 0 && node_ask(ctx, s->chain, &b, DEADLINE_MS, a, &answers)) {
        unsigned at = 0;

        for (const struct tracked *w = s->w; w < s->w + s->count; w++) {
            const struct receipt *r = bought_by(w);

            if (r == NULL)
                continue;
            balance_read(w, r, &answers.items[at]);
            at += COINS_QUESTIONS;
        }
        rpc_answers_free(&answers);
    }
    buf_free(&body);
    for (struct tracked *w = s->w; w < s->w + s->count; w++)
        result_compare(w);
}

/* If log and balance disagree about coin, the smaller one counts: a log includes coin for others, a balance
 * coin from others. */
bool evm_arrived(struct u256 *out, const struct tracked *w, unsigned i)
{
    const struct evm_seen *seen = evm_seen(w);
    bool logged;

    if (exec_kind_of(w->execution->kind)->gives)
        return receipt_taken(out, &seen->receipts[i], w->execution, w->wallet.ref.address);
    logged = receipt_arrived(out, &seen->receipts[i], w->execution, w->wallet.ref.address);
    if (!seen->told || u256_cmp(seen->came, w->execution->min_out) < 0)
        return logged;
    if (!logged || u256_cmp(seen->came, *out) < 0)
        *out = seen->came;
    return true;
}

/* Coin that is bought comes in a call, which leaves no log of its own. */
static bool coin_is_bought(const struct tracked *w, unsigned i)
{
    return w->bridge == NULL && w->txs[i].kind == TX_SPEND && w->execution->to.chain_id == w->chain->id &&
           buys_coin(w->execution) && !exec_kind_of(w->execution->kind)->gives;
}

bool evm_changes(struct account_change *out, const struct tracked *w, unsigned i)
{
    const struct receipt *r = &evm_seen(w)->receipts[i];
    struct token_change *coin = change_of(out, "");

    if (!r->has_fee)
        return false;
    coin->left = r->fee;
    if (!r->succeeded)
        return true;
    return u256_add(&coin->left, coin->left, w->txs[i].value) &&
           receipt_changes(out, r, w->wallet.ref.address, token_wrapped_native(w->chain)) &&
           (!coin_is_bought(w, i) || evm_arrived(&coin->came, w, i));
}
