#include "exec/evm/evm_tx_simulation.h"

#include <string.h>

#include "base/log.h"
#include "chain/evm/abi.h"
#include "chain/evm/evm_rpc.h"
#include "chain/evm/multicall.h"
#include "chain/evm/sim.h"
#include "codec/hex.h"
#include "exec/evm/gas.h"
#include "venue/erc20.h"

/* The last form that tx_simulation_ask adds. */
enum { FORM_ESTIMATE = 2 };

/* ---- asking ---- */

static char *bytes_hex(const void *p, size_t n)
{
    char *text = calloc(2 * n + 1, 1);

    if (text == NULL)
        log_fatal("out_of_memory", "out of memory: a trial");
    hex_encode(text, p, n);
    return text;
}

static void add_call(struct buf *out, const char *wallet, const struct step *s)
{
    char *data = bytes_hex(s->data, s->data_len), value[2 * U256_BYTES + 1];
    uint8_t word[U256_BYTES];
    const char *digits = value;

    u256_to_be(word, s->value);
    hex_encode(value, word, sizeof word);
    digits += strspn(digits, "0");
    buf_addf(out, "{\"from\":\"%s\",\"to\":\"%s\",\"value\":\"0x%s\",\"data\":\"0x%s\"}", wallet, s->to,
             *digits == '\0' ? "0" : digits, data);
    free(data);
}

/* The balances read before and after: rows of one call, the native coin first. */
enum { ROW_COIN, ROWS_MAX = 5 + PLAN_MAX_OTHERS, ROW_BYTES = 5 * ABI_WORD, NO_ROW = -1 };

struct rows {
    struct evm_addr token[ROWS_MAX];
    struct evm_addr spender; /* of the allowance */
    int arrives, leaves, allowance;
    unsigned others, own,
        count; /* from `others` to before `own`, which is the plan's `after`, if it has one */
};

static int row_add(struct rows *r, const char *token)
{
    if (!evm_addr_parse(&r->token[r->count], token))
        return NO_ROW;
    return evm_addr_is_zero(r->token[r->count]) ? ROW_COIN : (int)r->count++;
}

/* The wallet gives one thing and gets another, which on another chain may be a wallet next to it. */
static bool is_exchange(const struct plan *p)
{
    return (p->recipient == NULL || p->bridge != NULL) && !p->leaves_unknown &&
           !u256_is_zero(p->leaves.amount) && !u256_is_zero(p->arrives.amount) && !plan_only_allows(p);
}

/* The spending step takes what the approval before it allows. */
static bool takes_allowance(const struct plan *p)
{
    const struct step *s = &p->steps[p->spend];

    return is_exchange(p) && p->spend > 0 && p->steps[p->spend - 1].kind == TX_APPROVAL && s->token != NULL &&
           s->spender != NULL;
}

/* The recipient may pass the coin on at once. */
static bool pays_coin(const struct plan *p)
{
    return p->recipient != NULL && p->leaves.native;
}

static struct rows rows_of(const struct plan *p)
{
    struct rows r = { .arrives = NO_ROW, .leaves = NO_ROW, .allowance = NO_ROW, .count = 1 };

    if (p->bridge == NULL && !pays_coin(p))
        r.arrives = row_add(&r, p->arrives.token.address);
    if (is_exchange(p))
        r.leaves = row_add(&r, p->leaves.token.address);
    if (takes_allowance(p)) {
        r.spender = evm_addr_or_zero(p->steps[p->spend].spender);
        r.allowance = row_add(&r, p->steps[p->spend].token);
    }
    r.others = r.count;
    for (unsigned i = 0; i < p->other_count; i++)
        memcpy(r.token[r.count++].bytes, p->others[i].bytes, EVM_ADDR_LEN);
    r.own = r.count;
    if (p->after != NULL)
        r.token[r.count++] = multicall_addr();
    return r;
}

/* Calldata of Multicall3. What arrives does so at the plan's recipient. */
static void rows_ask(struct buf *out, const struct plan *p)
{
    struct evm_addr wallet = evm_addr_or_zero(p->wallet), paid = p->recipient != NULL && p->bridge == NULL
                                                                     ? evm_addr_or_zero(p->recipient)
                                                                     : wallet;
    struct multicall m = MULTICALL_INIT(8192);
    struct buf data = BUF_INIT(PLAN_AFTER_MAX);
    struct rows r = rows_of(p);

    multicall_coin_balance(&data, wallet);
    multicall_add(&m, multicall_addr(), &data);
    for (unsigned i = ROW_COIN + 1; i < r.count; i++) {
        buf_reset(&data);
        if (i == r.own)
            buf_add(&data, p->after, p->after_len);
        else if ((int)i == r.allowance)
            erc20_allowance(&data, wallet, r.spender);
        else
            erc20_balance_of(&data, (int)i == r.arrives ? paid : wallet);
        multicall_add(&m, r.token[i], &data);
    }
    multicall_finish(&m, out);
    buf_free(&data);
    multicall_free(&m);
}

static void add_reading(struct buf *out, const struct plan *p, const struct buf *reading)
{
    char at[EVM_ADDR_TEXT_LEN + 1], *data = bytes_hex(reading->data, reading->len);

    evm_addr_text(at, multicall_addr());
    buf_addf(out, "{\"from\":\"%s\",\"to\":\"%s\",\"gas\":\"0x%x\",\"data\":\"0x%s\"}", p->wallet, at,
             (unsigned)SIM_READING_GAS, data);
    free(data);
}

static void ask_simulate(struct rpc_batch *b, const struct plan *p, const struct buf *reading)
{
    struct buf calls = BUF_INIT(MAX_TX);

    add_reading(&calls, p, reading);
    for (unsigned i = 0; i < p->count; i++) {
        buf_addc(&calls, ',');
        add_call(&calls, p->wallet, &p->steps[i]);
    }
    buf_addc(&calls, ',');
    add_reading(&calls, p, reading);
    rpc_add(b, "eth_simulateV1", "[{\"blockStateCalls\":[{\"calls\":[%s]}]},\"latest\"]", buf_text(&calls));
    buf_free(&calls);
}

/* The most bytes that the reading returns. */
static size_t rows_room(const struct plan *p)
{
    return (size_t)rows_of(p).count * ROW_BYTES + 2 * ABI_WORD + (p->after != NULL ? PLAN_AFTER_MAX : 0);
}

static void ask_override(struct rpc_batch *b, const struct plan *p, const struct buf *reading)
{
    const struct sim_call read = { multicall_addr(), U256_ZERO, (const uint8_t *)reading->data,
                                   reading->len };
    struct sim_call calls[PLAN_MAX_STEPS];
    struct buf code = BUF_INIT(48 * 1024);
    char *hex;

    for (unsigned i = 0; i < p->count; i++) {
        const struct step *s = &p->steps[i];

        calls[i] = (struct sim_call){ evm_addr_or_zero(s->to), s->value, s->data, s->data_len };
    }
    if (!sim_code(&code, calls, p->count, &read, rows_room(p)))
        buf_reset(&code);
    hex = bytes_hex(code.data, code.len);
    rpc_add(b, "eth_call",
            "[{\"from\":\"%s\",\"to\":\"%s\",\"data\":\"0x01\"},\"latest\",{\"%s\":{\"code\":\"0x%s\"}}]",
            p->wallet, p->wallet, p->wallet, hex);
    free(hex);
    buf_free(&code);
}

/* Estimates the first step only: later ones depend on its effects. */
static void ask_estimate(struct rpc_batch *b, const struct plan *p)
{
    struct buf tx = BUF_INIT(MAX_TX);

    add_call(&tx, p->wallet, &p->steps[0]);
    rpc_add(b, "eth_estimateGas", "[%s]", buf_text(&tx));
    buf_free(&tx);
}

/* Only a simulation shows what calldata of others, or a reading after the steps, does. */
static bool needs_tx_simulation(const struct plan *p)
{
    return p->by_others || p->after != NULL;
}

void tx_simulation_ask(struct rpc_batch *b, const struct plan *p)
{
    struct buf reading = BUF_INIT(16384);

    rows_ask(&reading, p);
    ask_simulate(b, p, &reading);
    rpc_or(b, RPC_NEEDS_SIMULATE);
    ask_override(b, p, &reading);
    if (needs_tx_simulation(p)) {
        rpc_or_nothing(b, RPC_NEEDS_OVERRIDE);
    } else {
        rpc_or(b, RPC_NEEDS_OVERRIDE);
        ask_estimate(b, p);
    }
    buf_free(&reading);
}

/* ---- reading ---- */

/* One call of a simulation as if it had been asked alone; the result is what it returned, even if it failed.
 */
static struct rpc_answer call_answer(const json_t *call)
{
    struct rpc_answer r = { .error_text = "", .class = RPC_INCIDENT };
    uint64_t status;

    if (!rpc_member_u64(&status, call, "status"))
        return r;
    r.class = status == 1 ? RPC_RESULT : RPC_REVERT;
    r.result = json_object_get(call, "returnData");
    return r;
}

/* The words of routers whose minimum was not met. */
static bool says_price_moved(const char *revert)
{
    static const char *const words[] = { "INSUFFICIENT_OUTPUT_AMOUNT", "Too little received",
                                         "Return amount is not enough", "minReturn" };

    for (size_t i = 0; revert != NULL && i < sizeof words / sizeof words[0]; i++)
        if (strcasestr(revert, words[i]) != NULL)
            return true;
    return false;
}

static struct tx_simulation tx_simulation_failed(const char *revert)
{
    return (struct tx_simulation){ .end = TX_SIMULATION_FAILED,
                                   .revert = revert,
                                   .price_moved = says_price_moved(revert) };
}

static struct tx_simulation tx_simulation_reverted(struct arena *a, const uint8_t *data, size_t n)
{
    struct tx_simulation t = tx_simulation_failed(abi_revert_text(a, data, n));

    t.revert_data = data;
    t.revert_len = n;
    return t;
}

/* By the node's answer to the whole. */
static struct tx_simulation tx_simulation_refused(struct arena *a, const struct rpc_answer *r)
{
    const uint8_t *data = NULL;
    size_t n = 0;

    return rpc_revert_data(&data, &n, a, r) ? tx_simulation_reverted(a, data, n) : tx_simulation_failed(NULL);
}

/* By one call of a simulation, which reverted or returned false. */
static struct tx_simulation tx_simulation_stopped(struct arena *a, const struct rpc_answer *call)
{
    const uint8_t *data;
    size_t n;

    return call->class == RPC_REVERT && rpc_bytes(&data, &n, a, call) ? tx_simulation_reverted(a, data, n)
                                                                      : tx_simulation_failed(NULL);
}

static bool read_readings(struct multicall_results *out, struct arena *a, const json_t *call)
{
    struct rpc_answer r = call_answer(call);

    return r.class == RPC_RESULT && rpc_bytes(&out->data, &out->len, a, &r);
}

/* Up to a fifth of the gas used is refunded at the end, and is needed until then. */
static bool read_gas_used(uint64_t *used, const json_t *call, const struct step *s)
{
    uint64_t all, before = gas_intrinsic(s);

    if (!rpc_member_u64(&all, call, "gasUsed") || all > INT64_MAX)
        return false;
    all += all / 4;
    *used = all > before ? all - before : 0;
    return true;
}

static bool is_absurd(const struct plan *p, const struct tx_simulation *t)
{
    for (unsigned i = 0; i < p->count; i++)
        if (t->used[i] > gas_most(p->chain, &p->steps[i]))
            return true;
    return false;
}

/* A token that returns false has failed; one that returns nothing has not. */
static bool says_false(struct arena *a, const json_t *call)
{
    struct rpc_answer r = call_answer(call);
    struct u256 word;
    const uint8_t *p;
    size_t n;

    return rpc_bytes(&p, &n, a, &r) && n == ABI_WORD && abi_get_u256(&word, p, n, 0) && u256_is_zero(word);
}

/* ---- effects of the plan on balances ---- */

struct readings {
    struct multicall_results before, after;
};

static bool row_read(struct u256 *before, struct u256 *after, const struct readings *of, int row)
{
    return row != NO_ROW && multicall_word(before, &of->before, (unsigned)row) &&
           multicall_word(after, &of->after, (unsigned)row);
}

static struct u256 values_of(const struct plan *p)
{
    struct u256 sum = U256_ZERO;

    for (unsigned i = 0; i < p->count; i++)
        if (!u256_add(&sum, sum, p->steps[i].value))
            return U256_ZERO;
    return sum;
}

static bool coin_is_taken(const struct plan *p, const struct readings *of)
{
    struct u256 before, after;

    return !row_read(&before, &after, of, ROW_COIN) ||
           u256_cmp(u256_sub_or_zero(before, after), values_of(p)) > 0;
}

static bool input_is_taken(const struct plan *p, const struct readings *of, int row)
{
    struct u256 before, after;

    return !row_read(&before, &after, of, row) ||
           u256_cmp(u256_sub_or_zero(before, after), p->leaves.amount) > 0;
}

static bool allowance_is_left(const struct readings *of, int row)
{
    struct u256 left;

    return !multicall_word(&left, &of->after, (unsigned)row) || !u256_is_zero(left);
}

/* One that could not be read before is not judged. */
static bool other_is_taken(const struct readings *of, unsigned row)
{
    struct u256 before, after;

    return multicall_word(&before, &of->before, row) && !u256_is_zero(before) &&
           (!multicall_word(&after, &of->after, row) || u256_cmp(after, before) < 0);
}

/* The harm that the plan did beyond its terms; NULL: none. */
static const char *harm_of(const struct plan *p, const struct rows *r, const struct readings *of)
{
    if (coin_is_taken(p, of))
        return "it takes more of the chain's coin than it says";
    if (r->leaves > ROW_COIN && input_is_taken(p, of, r->leaves))
        return "it takes more of what is sold than it says";
    if (r->allowance != NO_ROW && allowance_is_left(of, r->allowance))
        return "it leaves an allowance";
    for (unsigned i = r->others; i < r->own; i++)
        if (other_is_taken(of, i))
            return "it takes another token";
    return NULL;
}

/* Sets what arrives and leaves. False when what has to be known could not be read. */
static bool tx_simulation_measure(struct tx_simulation *t, const struct plan *p, const struct readings *of)
{
    struct rows r = rows_of(p);
    struct u256 before, after;
    const char *harm;

    if (r.arrives != NO_ROW) {
        if (!row_read(&before, &after, of, r.arrives))
            return false;
        t->arrives = u256_sub_or_zero(after, before);
    }
    if (p->bridge != NULL) {
        if (!row_read(&before, &after, of, r.leaves))
            return false;
        t->leaves = u256_sub_or_zero(before, after);
    }
    if (p->after != NULL && !multicall_result(&of->after, r.own, &t->after, &t->after_len))
        return false;
    harm = harm_of(p, &r, of);
    if (harm != NULL) {
        log_error("simulation_shows_loss",
                  "msg=\"a trial shows what must not happen\" reason=\"%s\" chain=%s wallet=%s", harm,
                  p->chain->key, p->wallet);
        *t = tx_simulation_failed(harm);
    }
    return true;
}

/* The reading, the steps, the reading. */
static struct tx_simulation read_simulation(const struct plan *p, struct arena *a, const struct rpc_answer *r)
{
    const json_t *calls = json_object_get(json_array_get(r->result, 0), "calls");
    struct tx_simulation t = { .end = TX_SIMULATION_RAN, .has_gas = true };
    struct readings of = { .before = { .len = 0 } };

    for (unsigned i = 0; i < p->count; i++) {
        const json_t *call = json_array_get(calls, 1 + i);
        struct rpc_answer its = call_answer(call);

        if (its.class == RPC_REVERT || (its.class == RPC_RESULT && says_false(a, call)))
            return tx_simulation_stopped(a, &its);
        if (its.class != RPC_RESULT || !read_gas_used(&t.used[i], call, &p->steps[i]))
            return (struct tx_simulation){ .end = TX_SIMULATION_UNAVAILABLE };
    }
    if (!read_readings(&of.before, a, json_array_get(calls, 0)) ||
        !read_readings(&of.after, a, json_array_get(calls, 1 + p->count)) ||
        !tx_simulation_measure(&t, p, &of))
        return (struct tx_simulation){ .end = TX_SIMULATION_UNAVAILABLE };
    return t;
}

static struct tx_simulation read_override(const struct plan *p, struct arena *a, const struct rpc_answer *r)
{
    struct tx_simulation t = { .end = TX_SIMULATION_RAN, .has_gas = true };
    struct sim_result ran;
    struct readings of;
    const uint8_t *data;
    size_t n;

    if (!rpc_bytes(&data, &n, a, r) || !sim_read(&ran, data, n))
        return tx_simulation_failed(NULL);
    of = (struct readings){ { ran.before, ran.before_len }, { ran.after, ran.after_len } };
    for (unsigned i = 0; i < p->count; i++)
        if (!u256_to_u64(&t.used[i], ran.used[i]))
            return tx_simulation_failed(NULL);
    return tx_simulation_measure(&t, p, &of) ? t : tx_simulation_failed(NULL);
}

static struct tx_simulation read_estimate(const struct plan *p, const struct rpc_answer *r)
{
    struct tx_simulation t = { .end = TX_SIMULATION_UNVERIFIED };
    uint64_t all, before = gas_intrinsic(&p->steps[0]);

    if (!rpc_u64(&all, r))
        return (struct tx_simulation){ .end = TX_SIMULATION_UNAVAILABLE };
    t.has_gas = p->count == 1 && all > before;
    if (t.has_gas)
        t.used[0] = all - before;
    return t;
}

static struct tx_simulation read_run(const struct plan *p, struct arena *a, const struct rpc_answer *r)
{
    if (json_is_array(r->result))
        return read_simulation(p, a, r);
    return r->form == FORM_ESTIMATE ? read_estimate(p, r) : read_override(p, a, r);
}

struct tx_simulation tx_simulation_read(const struct plan *p, struct arena *a, const struct rpc_answer *r)
{
    struct tx_simulation t;

    if (r->class == RPC_LACKS && needs_tx_simulation(p))
        return tx_simulation_failed("no node of the chain can run it beforehand");
    if (!rpc_is_final(r->class))
        return (struct tx_simulation){ .end = TX_SIMULATION_UNAVAILABLE };
    if (r->class != RPC_RESULT)
        return tx_simulation_refused(a, r);
    t = read_run(p, a, r);
    if (t.has_gas && is_absurd(p, &t))
        t = (struct tx_simulation){ .end = TX_SIMULATION_ABSURD };
    return t;
}
