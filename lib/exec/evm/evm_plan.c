#include "exec/evm/evm_plan.h"

#include <string.h>

#include "base/clock.h"
#include "base/incident.h"
#include "base/log.h"
#include "chain/evm/abi.h"
#include "chain/evm/evm_rpc.h"
#include "chain/evm/multicall.h"
#include "chain/rpc/node.h"
#include "chain/tokens.h"
#include "chain/unavailable.h"
#include "exec/changes.h"
#include "exec/evm/data_fee.h"
#include "exec/evm/evm_tx_simulation.h"
#include "exec/evm/fees.h"
#include "exec/evm/gas.h"
#include "service/conf.h"
#include "venue/aggregators.h"
#include "venue/erc20.h"
#include "venue/trade.h"

enum {
    DEADLINE_MS = 2500,
    SECOND_MS = 1500, /* another node that is slow is not waited for */
    TRIES_MORE = 2,
    DATA_APART = 4,   /* times the lesser of what two nodes say that a rollup takes */
    SMALL_PART = 100, /* of the most that it may take: so little is not worth a dispute */
};

/* ---- approvals ---- */

static void add_approval(struct plan *p, struct arena *a, const char *token, const char *spender,
                         struct u256 amount)
{
    struct buf data = BUF_INIT(128);

    erc20_approve(&data, evm_addr_or_zero(spender), amount);
    p->steps[p->count++] = (struct step){
        .kind = TX_APPROVAL,
        .to = token,
        .data = arena_memdup(a, data.data, data.len),
        .data_len = data.len,
        .token = token,
        .spender = spender,
        .token_amount = amount,
    };
    buf_free(&data);
}

void evm_plan_allow(struct plan *p, struct arena *a, const char *token, const char *spender,
                    struct u256 amount)
{
    const struct token *known = token_by_addr(p->chain, evm_addr_or_zero(token));

    /* Always exactly the amount, independent of the present allowance: pending transactions may still change
     * that, and none may remain afterwards. */
    if (known != NULL && known->reset_first && !u256_is_zero(amount))
        add_approval(p, a, token, spender, U256_ZERO);
    add_approval(p, a, token, spender, amount);
}

/* ---- transfers ---- */

void evm_plan_transfer(struct plan *p, struct arena *a, const char *to, struct u256 amount)
{
    struct step *s = &p->steps[0];
    struct buf data = BUF_INIT(128);

    p->count = 1;
    p->leaves.amount = amount;
    *s = (struct step){ .kind = TX_SPEND, .to = to, .gas_limit = s->gas_limit };
    if (p->leaves.native) {
        s->value = amount;
        return;
    }
    erc20_transfer(&data, evm_addr_or_zero(to), amount);
    s->to = s->token = arena_strdup(a, p->leaves.token.address);
    s->spender = to;
    s->token_amount = amount;
    s->data = arena_memdup(a, data.data, data.len);
    s->data_len = data.len;
    buf_free(&data);
}

/* ---- asking ---- */

static void add_token(struct multicall *m, const struct step *spend, struct evm_addr wallet)
{
    struct evm_addr token = evm_addr_or_zero(spend->token);
    struct buf data = BUF_INIT(128);

    erc20_balance_of(&data, wallet);
    multicall_add(m, token, &data);
    buf_reset(&data);
    erc20_allowance(&data, wallet, evm_addr_or_zero(spend->spender));
    multicall_add(m, token, &data);
    buf_free(&data);
}

/* The executor to which the spending step delegates, if that is a contract outside of the table; "": none. */
static void plan_executor(char out[static TRADE_ADDRESS_MAX], const struct plan *p)
{
    const struct step *s = &p->steps[p->spend];
    struct evm_tx tx = { .to = evm_addr_or_zero(s->to), .value = s->value, .data = s->data };
    struct trade t;

    tx.data_len = s->data_len;
    (void)trade_read_evm(&t, p->chain, &tx, p->wallet, NO_PROOF);
    memcpy(out, t.executor, TRADE_ADDRESS_MAX);
}

/* The Settlers for transactions that takers send themselves: the present one, and the one before it, which is
 * good for a while. */
static void add_settlers(struct multicall *m, const struct plan *p)
{
    const struct contract *registry = contract_of(p->chain, &zerox_registry);
    char executor[TRADE_ADDRESS_MAX];
    struct buf data = BUF_INIT(64);

    plan_executor(executor, p);
    for (unsigned i = 0; executor[0] != '\0' && i < ZEROX_SETTLERS; i++) {
        buf_reset(&data);
        zerox_settler_ask(&data, i);
        multicall_add(m, contract_addr(registry), &data);
    }
    buf_free(&data);
}

/* The wallet's balances and their block, in one call: the items of a batch may come from different states,
 * and a balance older than its block would still include what has been spent since. The last two are there
 * only for a token; behind all of them 0x's Settlers, where one is called. */
enum { HELD_BLOCK, HELD_NATIVE, HELD_TOKEN, HELD_ALLOWANCE };

static void ask_balances(struct rpc_batch *b, const struct plan *p)
{
    const struct step *spend = &p->steps[p->spend];
    const struct evm_addr wallet = evm_addr_or_zero(p->wallet);
    struct multicall m = MULTICALL_INIT(2048);
    struct buf data = BUF_INIT(2048);

    multicall_block_number(&m, p->chain->arbsys);
    multicall_coin_balance(&data, wallet);
    multicall_add(&m, multicall_addr(), &data);
    buf_reset(&data);
    if (spend->token != NULL)
        add_token(&m, spend, wallet);
    add_settlers(&m, p);
    multicall_finish(&m, &data);
    multicall_call(b, &data);
    buf_free(&data);
    multicall_free(&m);
}

static void ask_probe(struct rpc_batch *b, const struct plan *p)
{
    struct buf data = BUF_INIT(MAX_TX);

    buf_add(&data, p->probe, p->probe_len);
    multicall_call(b, &data);
    buf_free(&data);
}

/* The items of the batch, in this order. The probe is there when the plan has one; behind it may stand what a
 * rollup charges for its data. */
enum { AT_HELD, AT_MINED, AT_COUNT, AT_FEES, AT_TX_SIMULATION, AT_PROBE };

static void data_ask(struct rpc_batch *b, const struct plan *p)
{
    (void)gas_ask(b, p);
    if (p->chain->data_fee == DATA_FEE_APART)
        data_fee_ask(b, p);
}

static void count_ask(struct rpc_batch *b, const struct plan *p)
{
    rpc_add(b, "eth_getTransactionCount", "[\"%s\",\"latest\"]", p->wallet);
    rpc_add(b, "eth_getTransactionCount", "[\"%s\",\"pending\"]", p->wallet);
}

static void state_ask(struct rpc_batch *b, const struct plan *p)
{
    ask_balances(b, p);
    count_ask(b, p);
    fees_ask(b, p->chain);
    tx_simulation_ask(b, p);
    if (p->probe != NULL)
        ask_probe(b, p);
    data_ask(b, p);
    rpc_end(b);
}

/* Another node's batch: evidence against the first one's. */
enum { AT_SECOND_MINED, AT_SECOND_COUNT, AT_SECOND_TX_SIMULATION, AT_SECOND_BLOCK };

/* ---- reading ---- */

static bool read_tx_simulation(struct plan *p, struct chain_state *st, struct arena *a,
                               const struct rpc_answer *r)
{
    struct tx_simulation t = tx_simulation_read(p, a, r);

    st->tried = t.end == TX_SIMULATION_RAN;
    st->unverified = t.end == TX_SIMULATION_UNVERIFIED;
    st->gas_absurd = t.end == TX_SIMULATION_ABSURD;
    st->arrives = t.arrives;
    st->leaves = t.leaves;
    st->revert = t.revert;
    st->revert_data = t.revert_data;
    st->revert_len = t.revert_len;
    st->price_moved = t.price_moved;
    st->after = t.after;
    st->after_len = t.after_len;
    if (t.has_gas)
        gas_by_tx_simulation(p, t.used);
    else
        gas_by_quote(p);
    return t.end != TX_SIMULATION_UNAVAILABLE;
}

/* The fee for data; the answers about it come last. Fees beyond 256 bits become the largest number, which no
 * bound lets pass. */
static bool read_data_fee(struct u256 *out, struct arena *a, const struct plan *p,
                          const struct rpc_answers *as)
{
    struct data_charge fee;
    bool told = data_fee_read(&fee, a, p, &as->items[as->count - 1]);

    if (!data_fee_total(out, p, &fee))
        *out = (struct u256){ { UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX } };
    return told;
}

/* The costs of the plan, by one node. */
static bool read_charges(struct plan *p, struct chain_state *st, struct arena *a,
                         const struct rpc_answers *as, unsigned at_tx_simulation)
{
    bool apart = p->chain->data_fee == DATA_FEE_APART, ran;

    if (p->chain->data_fee != DATA_FEE_NONE)
        gas_read(p, &as->items[as->count - (apart ? 1 : 0) - p->count]);
    ran = read_tx_simulation(p, st, a, &as->items[at_tx_simulation]);
    if (apart)
        st->l1_fee_told = read_data_fee(&st->l1_fee, a, p, as);
    return ran;
}

static void read_probe(struct chain_state *st, struct arena *a, const struct rpc_answer *r)
{
    if (!rpc_bytes(&st->probed, &st->probed_len, a, r))
        st->probed = NULL;
}

/* The wallet's nonce, pending transactions included. Pools keep a limited number of each account's: a larger
 * gap is a node's mistake, and our own pending transactions are on record. */
static bool read_count(uint64_t *out, const struct rpc_answer *said_mined, const struct rpc_answer *said)
{
    enum { PENDING_MAX = 64 };
    uint64_t mined;

    if (!rpc_u64(&mined, said_mined) || !rpc_u64(out, said))
        return false;
    if (*out > mined + PENDING_MAX)
        *out = mined;
    return true;
}

static bool block_read(uint64_t *out, struct multicall_results *held, struct arena *a,
                       const struct rpc_answer *r)
{
    struct u256 block;

    return rpc_bytes(&held->data, &held->len, a, r) && multicall_word(&block, held, HELD_BLOCK) &&
           u256_to_u64(out, block);
}

static bool block_of_answers(uint64_t *out, const struct node_query *q, struct arena *a)
{
    struct multicall_results held;

    return block_read(out, &held, a, &q->answers.items[AT_HELD]);
}

static bool read_balances(struct chain_state *st, struct arena *a, const struct plan *p,
                          const struct rpc_answer *r)
{
    bool token = p->steps[p->spend].token != NULL;
    struct multicall_results held = { NULL, 0 };

    return block_read(&st->block, &held, a, r) && multicall_word(&st->native_balance, &held, HELD_NATIVE) &&
           (!token || (multicall_word(&st->token_balance, &held, HELD_TOKEN) &&
                       multicall_word(&st->allowance, &held, HELD_ALLOWANCE)));
}

static bool read_settler(char out[static EVM_ADDR_TEXT_LEN + 1], const struct multicall_results *held,
                         unsigned i)
{
    const uint8_t *word;
    size_t n;

    return multicall_result(held, i, &word, &n) && zerox_settler_read(out, word, n);
}

/* The registry refuses to tell the present Settler while all of them are stopped. */
static bool executor_is_genuine(struct arena *a, const struct plan *p, const struct rpc_answer *r)
{
    unsigned at = p->steps[p->spend].token != NULL ? HELD_ALLOWANCE + 1 : HELD_NATIVE + 1;
    char executor[TRADE_ADDRESS_MAX], present[EVM_ADDR_TEXT_LEN + 1], former[EVM_ADDR_TEXT_LEN + 1];
    struct multicall_results held = { NULL, 0 };

    plan_executor(executor, p);
    if (executor[0] == '\0')
        return true;
    if (!rpc_bytes(&held.data, &held.len, a, r) || !read_settler(present, &held, at))
        return false;
    return strcmp(executor, present) == 0 ||
           (read_settler(former, &held, at + 1) && strcmp(executor, former) == 0);
}

static bool state_read(const struct ctx *ctx, struct arena *a, struct plan *p, const struct rpc_answers *as,
                       struct chain_state *st)
{
    const struct rpc_answer *r = as->items;

    *st = (struct chain_state){ .block = 0 };
    if (!read_balances(st, a, p, &r[AT_HELD]) || !read_count(&st->nonce, &r[AT_MINED], &r[AT_COUNT]) ||
        !fees_read(&st->fees, ctx, p->chain, &r[AT_FEES]))
        return false;
    if (p->probe != NULL)
        read_probe(st, a, &r[AT_PROBE]);
    return read_charges(p, st, a, as, AT_TX_SIMULATION);
}

/* ---- another node's estimate ---- */

static const struct err *disputed(struct arena *a, const struct chain *c, const char *what)
{
    return err_hint(a, &E_UPSTREAM,
                    arena_printf(a,
                                 "%s on the chain '%s' is disputed among its nodes: nothing was signed, "
                                 "retry with backoff",
                                 what, c->key));
}

static const struct err *gas_disputed(struct arena *a, const struct chain *c)
{
    log_repeated("gas_disputed", arena_printf(a, "chain=%s", c->key),
                 "msg=\"nodes differ in how much gas a transaction takes\"");
    return disputed(a, c, "How much gas it takes");
}

static const struct err *data_fee_disputed(struct arena *a, const struct chain *c)
{
    log_repeated("data_fee_disputed", arena_printf(a, "chain=%s", c->key),
                 "msg=\"nodes differ in what is charged for data\"");
    return disputed(a, c, "What is charged for data");
}

/* Each step was run, so that its gas is known. */
static bool is_measured(const struct plan *p, const struct chain_state *st)
{
    return st->tried || (st->unverified && p->count == 1);
}

/* Too little is burnt, or refused by the chain. */
static const struct err *gas_judge(struct arena *a, struct plan *p, const struct chain_state *st,
                                   const struct plan *second)
{
    return gas_hold(p, second) || !is_measured(p, st) ? NULL : gas_disputed(a, p->chain);
}

/* The greater one counts. */
static const struct err *data_fee_judge(struct arena *a, const struct plan *p, struct chain_state *st,
                                        struct u256 other, struct u256 most)
{
    struct u256 mine = st->l1_fee, less = u256_cmp(mine, other) < 0 ? mine : other, bound, small;

    st->l1_fee = u256_cmp(mine, other) < 0 ? other : mine;
    if (!u256_div(&small, NULL, most, u256_from_u64(SMALL_PART)) ||
        !u256_mul(&bound, less, u256_from_u64(DATA_APART)))
        return NULL;
    return u256_cmp(st->l1_fee, small) <= 0 || u256_cmp(st->l1_fee, bound) <= 0
               ? NULL
               : data_fee_disputed(a, p->chain);
}

static struct u256 data_fee_max(const struct ctx *ctx, const struct chain *c)
{
    return u256_from_u64(conf_chain_number(ctx->conf, "data_fee_max", c->key, c->data_fee_max));
}

static const struct err *data_fee_above(struct arena *a, const struct chain *c)
{
    return err_hint(a, &E_UPSTREAM,
                    arena_printf(a,
                                 "The chain '%s' charges more for data than the operator pays "
                                 "(data_fee_max.%s): nothing was signed",
                                 c->key, c->key));
}

/* The lower count: each nonce above the true one is a gap that an empty transaction fills and pays for. What
 * we have signed ourselves is on record, however little a node knows of it. */
static void nonce_hold(struct chain_state *st, const struct rpc_answers *said)
{
    uint64_t count;

    st->nonce_alone = !read_count(&count, &said->items[AT_SECOND_MINED], &said->items[AT_SECOND_COUNT]);
    if (!st->nonce_alone && count < st->nonce)
        st->nonce = count;
}

static const struct err *tx_simulation_disputed(struct arena *a, const struct chain *c)
{
    log_repeated("simulation_disputed", arena_printf(a, "chain=%s", c->key),
                 "msg=\"nodes differ in whether a transaction goes through\"");
    return disputed(a, c, "Whether it goes through");
}

/* Whether another node's simulation has a result: a node that has not come as far, or cannot run it, has
 * none. */
static bool tx_simulation_is_told(const struct plan *second, const struct chain_state *other, uint64_t block,
                                  const struct rpc_answers *said)
{
    const struct rpc_answer *r = &said->items[AT_SECOND_TX_SIMULATION];
    bool fails = !other->tried && !other->unverified && !other->gas_absurd && r->class != RPC_LACKS &&
                 (r->class == RPC_REVERT || other->revert != NULL || other->revert_data != NULL);
    uint64_t newest;

    return (fails || is_measured(second, other)) && rpc_u64(&newest, &said->items[AT_SECOND_BLOCK]) &&
           newest >= block;
}

/* One that says that it fails costs a trade; one that says that it does not, its gas. */
static const struct err *tx_simulation_judge(struct arena *a, const struct plan *p, struct chain_state *st,
                                             const struct plan *second, const struct chain_state *other,
                                             const struct rpc_answers *said)
{
    if (!tx_simulation_is_told(second, other, st->block, said))
        return NULL;
    st->after_apart = other->after;
    st->after_apart_len = other->after_len;
    st->disputed = (plan_verdict(a, p, st) == NULL) != (plan_verdict(a, second, other) == NULL);
    return st->disputed ? tx_simulation_disputed(a, p->chain) : NULL;
}

/* Holds what the first node said of the nonce, gas and fees against another one's words, which may be
 * missing. One that says what no transaction takes says nothing. */
static const struct err *twin_hold(const struct ctx *ctx, struct arena *a, struct plan *p,
                                   struct chain_state *st, const struct rpc_answers *said)
{
    bool apart = p->chain->data_fee == DATA_FEE_APART;
    struct u256 most = data_fee_max(ctx, p->chain);
    struct chain_state other = { .block = 0 };
    const struct err *e = NULL;
    struct plan second = *p;
    bool ran = said != NULL && read_charges(&second, &other, a, said, AT_SECOND_TX_SIMULATION);

    st->nonce_alone = true;
    if (said != NULL)
        nonce_hold(st, said);
    if (ran)
        e = tx_simulation_judge(a, p, st, &second, &other, said);
    if (e == NULL && ran && is_measured(&second, &other) && (st->tried || st->unverified))
        e = gas_judge(a, p, st, &second);
    if (e == NULL && other.l1_fee_told && u256_cmp(other.l1_fee, most) <= 0)
        e = data_fee_judge(a, p, st, other.l1_fee, most);
    if (e == NULL && apart && u256_cmp(st->l1_fee, most) > 0)
        e = data_fee_above(a, p->chain);
    return e;
}

static const struct err *state_judge(const struct ctx *ctx, struct arena *a, struct plan *p,
                                     const struct rpc_answers *as, struct chain_state *st)
{
    if (!state_read(ctx, a, p, as, st))
        return chain_senseless(p->chain, "trial");
    if (st->gas_absurd)
        return gas_disputed(a, p->chain);
    if (executor_is_genuine(a, p, &as->items[AT_HELD]))
        return NULL;
    log_error("contract_unknown", "msg=\"a contract that its registry does not name\" chain=%s",
              p->chain->key);
    return &E_WOULD_REVERT;
}

/* The queries, in this order; the second one goes to another node than the first, where there is one. */
enum { AT_FIRST, AT_SECOND, AT_PRICES };

static const struct err *try_once(const struct ctx *ctx, struct arena *a, struct plan *p, uint64_t since,
                                  struct chain_state *st)
{
    struct buf body = BUF_INIT(MAX_TX * 8);
    struct rpc_batch batch = rpc_begin(&body);
    struct buf second_body = BUF_INIT(MAX_TX * 8);
    struct rpc_batch second = rpc_begin(&second_body);
    struct node_query queries[AT_PRICES + NODE_OPINIONS] = {
        [AT_FIRST] = { .chain = p->chain, .batch = &batch, .since = since, .block_of = block_of_answers },
        [AT_SECOND] = { .chain = p->chain, .batch = &second, .order = NODE_OTHERS, .timeout_ms = SECOND_MS },
    };
    struct price_opinions prices;
    unsigned opinions = price_opinions_ask(&prices, queries + AT_PRICES, p->chain);
    const struct err *e = NULL, *dear;
    int64_t asked_ms = clock_mono_ms();

    queries[AT_SECOND].apart = &queries[AT_FIRST];
    state_ask(&batch, p);
    count_ask(&second, p);
    tx_simulation_ask(&second, p);
    rpc_add(&second, "eth_blockNumber", "[]");
    data_ask(&second, p);
    rpc_end(&second);
    node_ask_all(ctx, queries, AT_PRICES + opinions, DEADLINE_MS, a);
    if (queries[AT_FIRST].answered) {
        e = state_judge(ctx, a, p, &queries[AT_FIRST].answers, st);
        e = e != NULL ? e : changes_lay_state(ctx, a, p, since, st);
        rpc_answers_free(&queries[AT_FIRST].answers);
    } else {
        *st = (struct chain_state){ .block = 0 };
        e = chain_unavailable(ctx, a, p->chain);
    }
    if (e == NULL)
        e = twin_hold(ctx, a, p, st, queries[AT_SECOND].answered ? &queries[AT_SECOND].answers : NULL);
    if (queries[AT_SECOND].answered)
        rpc_answers_free(&queries[AT_SECOND].answers);
    dear = price_opinions_hold(&st->fees, ctx, a, p->chain, queries + AT_PRICES, opinions);
    st->asked_ms = asked_ms;
    price_opinions_free(&prices);
    buf_free(&second_body);
    buf_free(&body);
    return e != NULL ? e : dear;
}

/* A node that takes over a block just then may run the simulation at the time of the one before: contracts
 * that reckon with the time since they were used last fail in their arithmetic. Nor do two nodes run theirs
 * in the same moment. */
static bool is_out_of_time(const struct chain_state *st)
{
    static const uint8_t overflow[] = { 0x4e, 0x48, 0x7b, 0x71, [ABI_SELECTOR + ABI_WORD - 1] = 0x11 };

    return st->revert_len == sizeof overflow && memcmp(st->revert_data, overflow, sizeof overflow) == 0;
}

const struct err *evm_plan_try(const struct ctx *ctx, struct arena *a, struct plan *p, struct chain_state *st)
{
    const struct err *e;
    int64_t until_ms = 0;
    uint64_t since;

    if (!changes_block_for(ctx, a, p, &since))
        return &E_INTERNAL;
    do {
        e = try_once(ctx, a, p, since, st);
        for (unsigned again = 0; (e == NULL ? is_out_of_time(st) : st->disputed) && again < TRIES_MORE;
             again++)
            e = try_once(ctx, a, p, since, st);
    } while (changes_await_state(&until_ms, a, p, e, st));
    return e;
}

/* ---- its possible cost ---- */

bool evm_plan_cost(const struct plan *p, const struct chain_state *st, struct u256 *value, struct u256 *fees)
{
    *value = U256_ZERO;
    *fees = st->l1_fee;
    for (unsigned i = 0; i < p->count; i++) {
        struct u256 fee;

        if (!u256_mul(&fee, u256_from_u64(p->steps[i].gas_limit), st->fees.max_fee) ||
            !u256_add(fees, *fees, fee) || !u256_add(value, *value, p->steps[i].value))
            return false;
    }
    return true;
}
