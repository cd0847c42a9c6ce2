#include "exec/solana/solana_plan.h"

#include <string.h>

#include "base/clock.h"
#include "chain/rpc/node.h"
#include "chain/solana/solana_programs.h"
#include "chain/solana/solana_rpc.h"
#include "chain/unavailable.h"
#include "exec/solana/reading.h"
#include "exec/solana/solana_transfer.h"
#include "exec/solana/solana_tx_simulation.h"
#include "exec/solana/solana_wrap.h"
#include "service/conf.h"

enum { DEADLINE_MS = 2500, LIFE_S = 60 /* of a blockhash, about */ };

/* ---- missing fields of a step ---- */

/* Without proof the guard refuses what looks addresses up: so is what no table on the chain has. */
static void read_tables(struct step *s, struct arena *a, const struct solana_tx *tx,
                        const struct solana_state *states)
{
    struct solana_table tables[SOLANA_LOOKUPS_MAX];
    struct solana_accounts accounts;

    for (unsigned i = 0; i < tx->lookup_count; i++)
        if (!states[i].exists || !solana_addr_eq(&states[i].program, &SOLANA_LOOKUP_TABLES) ||
            !solana_table_read(&tables[i], &tx->lookups[i].table, states[i].data, states[i].len))
            return;
    if (solana_accounts_of(&accounts, tx, tables, tx->lookup_count)) {
        s->proof_len = (accounts.count - accounts.own) * sizeof accounts.keys[0];
        s->proof = arena_memdup(a, accounts.keys + accounts.own, s->proof_len);
    }
}

/* The questions about one step; the items are in this order. */
struct question {
    struct step *step;
    struct solana_tx tx;
    bool has_blockhash, has_lookups;
};

static void question_ask(const struct question *q, struct rpc_batch *b)
{
    struct solana_addr keys[SOLANA_LOOKUPS_MAX];

    for (unsigned i = 0; i < q->tx.lookup_count; i++)
        keys[i] = q->tx.lookups[i].table;
    if (q->has_lookups)
        solana_ask_accounts(b, keys, q->tx.lookup_count, SOLANA_CONFIRMED, 0);
    if (!q->has_blockhash)
        solana_ask_blockhash(b);
}

static bool read_blockhash(struct question *q, struct arena *a, const struct rpc_answer *r)
{
    struct step *s = q->step;
    uint8_t *data = arena_memdup(a, s->data, s->data_len);
    bool read = solana_read_blockhash(data + (q->tx.blockhash - s->data), r);

    s->data = data;
    return read;
}

static bool question_read(struct question *q, struct arena *a, const struct rpc_answer *r)
{
    struct solana_state states[SOLANA_LOOKUPS_MAX];

    if (q->has_lookups) {
        if (!solana_read_accounts(states, q->tx.lookup_count, NULL, a, r++))
            return false;
        read_tables(q->step, a, &q->tx, states);
    }
    return q->has_blockhash || read_blockhash(q, a, r);
}

/* The guard refuses unreadable bytes; transactions of our own have no blockhash yet. */
static bool question_make(struct question *q, struct step *s)
{
    static const uint8_t none[SOLANA_BLOCKHASH_LEN];

    q->step = s;
    if (solana_tx_read(&q->tx, s->data, s->data_len) != NULL)
        return false;
    q->has_lookups = q->tx.lookup_count > 0;
    q->has_blockhash = memcmp(q->tx.blockhash, none, sizeof none) != 0;
    return q->has_lookups || !q->has_blockhash;
}

static const struct err *complete_step(const struct ctx *ctx, struct arena *a, const struct chain *c,
                                       struct step *s)
{
    struct buf body = BUF_INIT(MAX_TX);
    struct rpc_batch batch = rpc_begin(&body);
    struct rpc_answers answers;
    const struct err *e = NULL;
    struct question q;

    if (!question_make(&q, s)) {
        buf_free(&body);
        return NULL;
    }
    question_ask(&q, &batch);
    rpc_end(&batch);
    if (node_ask(ctx, c, &batch, DEADLINE_MS, a, &answers)) {
        e = question_read(&q, a, answers.items) ? NULL : chain_senseless(c, "blockhash");
        rpc_answers_free(&answers);
    } else {
        e = chain_unavailable(ctx, a, c);
    }
    buf_free(&body);
    return e;
}

const struct err *solana_plan_complete(const struct ctx *ctx, struct arena *a, struct plan *p)
{
    const struct err *e = NULL;

    if (solana_is_transfer(p))
        e = solana_transfer_complete(ctx, a, p);
    else if (solana_is_wrap(p))
        e = solana_wrap_complete(ctx, a, p);
    for (unsigned i = 0; e == NULL && i < p->count; i++)
        e = complete_step(ctx, a, p->chain, &p->steps[i]);
    if (p->deadline > clock_seconds() + LIFE_S)
        p->deadline = clock_seconds() + LIFE_S;
    return e;
}

/* ---- the chain's answers ---- */

const struct err *solana_plan_try(const struct ctx *ctx, struct arena *a, struct plan *p,
                                  struct chain_state *st)
{
    struct solana_reading *r = ARENA_NEW(a, struct solana_reading);
    int64_t asked_ms = clock_mono_ms();
    const struct err *e;

    *st = (struct chain_state){ .block = 0 };
    if (p->count != 1 || solana_step_trade(r, p, &p->steps[0]) != NULL)
        return &E_INTERNAL; /* the guard has been passed */
    if (r->costs.fee > ctx->conf->solana_fee_max)
        return err_hint(a, &E_UPSTREAM,
                        "The fee that was handed over is beyond the operator's bound: retry with backoff");
    e = solana_tx_simulation(ctx, a, p, r, st);
    st->asked_ms = asked_ms;
    return e;
}

bool solana_plan_cost(const struct plan *p, const struct chain_state *st, struct u256 *value,
                      struct u256 *fees)
{
    *value = U256_ZERO;
    *fees = U256_ZERO;
    for (unsigned i = 0; i < p->count; i++)
        if (!u256_add(value, *value, p->steps[i].value) || !u256_add(fees, *fees, st->fees.max_fee))
            return false;
    return true;
}
