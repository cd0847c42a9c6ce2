#include "exec/evm/revoke.h"

#include "base/fault.h"
#include "base/log.h"
#include "chain/evm/evm_rpc.h"
#include "chain/evm/multicall.h"
#include "chain/rpc/node.h"
#include "exec/evm/evm_sign.h"
#include "exec/evm/evm_stored.h"
#include "exec/evm/fees.h"
#include "exec/evm/seen.h"
#include "store/executions.h"
#include "store/transactions.h"
#include "store/wallets.h"
#include "venue/erc20.h"

enum { DEADLINE_MS = 3000, GIVEN_UP_MS = 3600 * 1000 };

/* ---- the remaining allowance ---- */

static bool takes_back(const struct transaction *t)
{
    return t->kind == TX_CANCEL && t->token.len != 0;
}

bool is_revocation(const struct tracked *w, unsigned i)
{
    return takes_back(&w->txs[i]);
}

/* The approval that the spending step lives on; NULL: it needs none. */
static const struct transaction *approval_of(const struct tracked *w)
{
    const struct transaction *spend = &w->txs[w->spend];

    for (unsigned i = w->count; spend->kind == TX_SPEND && i-- > 0;) {
        const struct transaction *t = &w->txs[i];

        if (t->kind == TX_APPROVAL && !u256_is_zero(t->token_amount) && spend->token.len != 0 &&
            address_bytes_equal(&t->token, &spend->token) &&
            address_bytes_equal(&t->spender, &spend->spender))
            return t;
    }
    return NULL;
}

bool step_revoke(struct arena *a, const struct tracked *w, struct step *out)
{
    const struct transaction *approval = approval_of(w);
    struct buf data = BUF_INIT(128);

    if (approval == NULL)
        return false;
    *out = (struct step){ .kind = TX_CANCEL,
                          .token = evm_address_text(a, &approval->token),
                          .spender = evm_address_text(a, &approval->spender),
                          .gas_limit = approval->gas_limit };
    erc20_approve(&data, evm_addr_or_zero(out->spender), U256_ZERO);
    out->to = out->token;
    out->data = arena_memdup(a, data.data, data.len);
    out->data_len = data.len;
    buf_free(&data);
    return true;
}

static bool is_certain(const struct tracked *w, unsigned i)
{
    return w->observations[i].confirmed && seen_before(w, i);
}

static bool has_failed(const struct tracked *w)
{
    int by = place_winner(w, w->spend);

    if (by < 0)
        return w->observations[w->spend].foreign;
    if (w->txs[by].kind == TX_CANCEL)
        return w->observations[by].settled && is_certain(w, (unsigned)by);
    return !w->observations[by].succeeded && is_certain(w, (unsigned)by);
}

/* ---- asking the chain ---- */

struct revoking {
    const struct ctx *ctx;
    struct arena *arena;
    const struct tracked *tracked;
    struct step step;
    struct u256 left, coins;
    bool waits;       /* for another execution, or for the database */
    struct fees fees; /* what is bid */
};

/* By the words of two nodes: the greater allowance, and the fewer coins. False: neither says it. */
static bool left_read(struct revoking *r, const struct rpc_answers *answers, size_t count)
{
    bool told = false;

    for (size_t i = 0; i < count; i++) {
        struct multicall_results found;
        struct u256 left, coins;

        if (!rpc_bytes(&found.data, &found.len, r->arena, &answers[i].items[0]) ||
            !multicall_word(&left, &found, 0) || !multicall_word(&coins, &found, 1))
            continue;
        if (!told || u256_cmp(left, r->left) > 0)
            r->left = left;
        if (!told || u256_cmp(coins, r->coins) < 0)
            r->coins = coins;
        told = true;
    }
    return told;
}

static bool ask_left(struct revoking *r)
{
    struct evm_addr wallet = evm_addr_or_zero(r->tracked->wallet.ref.address);
    struct multicall m = MULTICALL_INIT(1024);
    struct buf body = BUF_INIT(MAX_TX), data = BUF_INIT(2048);
    struct rpc_batch b = rpc_begin(&body);
    struct rpc_answers answers[NODE_OPINIONS];
    size_t answered;
    bool ok;

    erc20_allowance(&data, wallet, evm_addr_or_zero(r->step.spender));
    multicall_add(&m, evm_addr_or_zero(r->step.token), &data);
    buf_reset(&data);
    multicall_coin_balance(&data, wallet);
    multicall_add(&m, multicall_addr(), &data);
    buf_reset(&data);
    multicall_finish(&m, &data);
    multicall_call(&b, &data);
    rpc_end(&b);
    answered = node_ask_two(r->ctx, r->tracked->chain, &b, DEADLINE_MS, r->arena, answers);
    ok = left_read(r, answers, answered);
    node_answers_free(answers, answered);
    buf_free(&data);
    buf_free(&body);
    multicall_free(&m);
    return ok;
}

/* ---- the transaction ---- */

static bool can_pay(struct db *db, const struct revoking *r)
{
    const struct tracked *w = r->tracked;
    static const struct unplaced_list none;
    struct reservation reserved;
    struct u256 fee;

    return transactions_reserved(db, w->wallet.id, w->chain->id, evm_seen(w)->head.block,
                                 &w->txs[w->spend].token, &none, &reserved) &&
           u256_mul(&fee, u256_from_u64(r->step.gas_limit), r->fees.max_fee) &&
           u256_add(&fee, fee, reserved.native) && u256_cmp(r->coins, fee) >= 0;
}

/* Revocations whose nonces went to transactions from elsewhere. */
static int revocations_lost(const struct tracked *w)
{
    int n = 0;

    for (unsigned i = 0; i < w->count; i++)
        n += is_revocation(w, i) && w->observations[i].foreign;
    return n;
}

/* Whether another process that follows the execution has recorded a revocation already. */
static bool is_recorded(const struct tracked *w, const struct transaction *txs, int n)
{
    int revocations = 0;

    while (n-- > 0)
        revocations += takes_back(&txs[n]);
    return revocations > revocations_lost(w);
}

static enum tx_verdict revoke_sign(struct db *db, struct revoking *r, uint64_t nonce)
{
    const struct tracked *w = r->tracked;
    const struct signing in = {
        .wallet = &w->wallet, .chain = w->chain, .step = &r->step, .fees = &r->fees, .nonce = nonce
    };
    struct transaction t;

    if (!STEP("revoke.sign", evm_sign(r->ctx, r->arena, &in, &t), false))
        return TX_ROLLBACK;
    t.effect.execution_id = w->execution->id;
    return wallets_nonce_set(db, w->wallet.id, w->chain->id, nonce + 1) && transactions_add(db, &t)
               ? TX_COMMIT
               : TX_FAILED;
}

static enum tx_verdict revoke_in_tx(struct db *db, void *arg)
{
    struct revoking *r = arg;
    const struct tracked *w = r->tracked;
    const struct transaction *spend = &w->txs[w->spend];
    struct wallet_locked locked;
    struct transaction *txs;
    enum lookup held, others;
    int n;

    r->waits = true;
    if (wallets_lock(db, w->wallet.id, w->chain->id, &locked) != LOOKUP_FOUND ||
        (held = executions_hold(db, w->execution->id)) == LOOKUP_ERROR ||
        (n = transactions_of(db, r->arena, w->execution->id, &txs)) < 0)
        return TX_FAILED;
    others =
        transactions_rely(db, w->execution->id, w->wallet.id, w->chain->id, &spend->token, &spend->spender);
    if (others != LOOKUP_NONE || held == LOOKUP_NONE || is_recorded(w, txs, n))
        return others == LOOKUP_ERROR ? TX_FAILED : TX_ROLLBACK;
    if (!can_pay(db, r)) {
        r->waits = false;
        return TX_ROLLBACK;
    }
    return revoke_sign(db, r,
                       locked.next_nonce > evm_seen(w)->nonces ? locked.next_nonce : evm_seen(w)->nonces);
}

/* Whether there is, or may be, something left to do. */
static bool revoke_goes_on(struct revoking *r)
{
    if (!ask_left(r))
        return true;
    if (u256_is_zero(r->left))
        return false;
    r->fees = fees_now(r->ctx, r->arena, r->tracked->chain, &evm_seen(r->tracked)->head.fees);
    if (STEP("revoke.store", db_transact(r->ctx->db, revoke_in_tx, r), TX_UNKNOWN) == TX_DONE)
        log_info("allowance_revoked", "msg=\"an allowance is taken back\" execution=%llu",
                 (unsigned long long)r->tracked->execution->id);
    return r->waits;
}

static bool is_taken_back(const struct tracked *w)
{
    for (unsigned i = 0; i < w->count; i++)
        if (is_revocation(w, i) && !w->observations[i].foreign && !txs_compete(&w->txs[i], &w->txs[w->spend]))
            return true;
    return false;
}

/* Without the wallet's key, or long after the execution's end, a remaining allowance stays until the next
 * trade sets it anew. */
void evm_revoke(const struct ctx *ctx, struct arena *a, struct tracked *w)
{
    struct revoking r = { .ctx = ctx, .arena = a, .tracked = w };

    if (has_failed(w) && w->wallet.has_key && !is_taken_back(w) &&
        w->now_ms - w->execution->valid_until_ms < GIVEN_UP_MS && step_revoke(a, w, &r.step))
        w->unfinished = revoke_goes_on(&r);
}
