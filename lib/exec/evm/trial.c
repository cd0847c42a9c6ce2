#include "exec/evm/trial.h"

#include <string.h>

#include "base/log.h"
#include "chain/evm/abi.h"
#include "chain/evm/multicall.h"
#include "chain/evm/rpc.h"
#include "chain/evm/sim.h"
#include "codec/hex.h"
#include "exec/evm/gas.h"
#include "venue/erc20.h"

/* The last form that trial_ask adds. */
enum { FORM_ESTIMATE = 2 };

/* ---- asking ---- */

static char *bytes_hex(const void *p, size_t n)
{
    char *text = calloc(2 * n + 1, 1);

    if (text == NULL)
        log_fatal("out of memory: a trial");
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

/* Reads the wallet's balance of it. */
static void add_balance_call(struct buf *out, const struct plan *p, struct evm_addr measured)
{
    bool coin = evm_addr_is_zero(measured);
    struct buf data = BUF_INIT(64);
    char at[EVM_ADDR_TEXT_LEN + 1];
    struct step read = { .to = at, .value = U256_ZERO };

    evm_addr_text(at, coin ? multicall_addr() : measured);
    if (coin)
        multicall_coin_balance(&data, evm_addr_or_zero(p->wallet));
    else
        erc20_balance_of(&data, evm_addr_or_zero(p->wallet));
    read.data = (const uint8_t *)data.data;
    read.data_len = data.len;
    add_call(out, p->wallet, &read);
    buf_free(&data);
}

static void ask_simulate(struct rpc_batch *b, const struct plan *p, struct evm_addr measured)
{
    struct buf calls = BUF_INIT(MAX_TX);

    add_balance_call(&calls, p, measured);
    for (unsigned i = 0; i < p->count; i++) {
        buf_addc(&calls, ',');
        add_call(&calls, p->wallet, &p->steps[i]);
    }
    buf_addc(&calls, ',');
    add_balance_call(&calls, p, measured);
    rpc_add(b, "eth_simulateV1", "[{\"blockStateCalls\":[{\"calls\":[%s]}]},\"latest\"]", buf_text(&calls));
    buf_free(&calls);
}

static void ask_override(struct rpc_batch *b, const struct plan *p, struct evm_addr measured)
{
    struct sim_call calls[PLAN_MAX_STEPS];
    struct buf code = BUF_INIT(32 * 1024);
    char *hex;

    for (unsigned i = 0; i < p->count; i++) {
        const struct step *s = &p->steps[i];

        calls[i] = (struct sim_call){ evm_addr_or_zero(s->to), s->value, s->data, s->data_len };
    }
    if (!sim_code(&code, calls, p->count, measured))
        buf_reset(&code);
    hex = bytes_hex(code.data, code.len);
    rpc_add(b, "eth_call",
            "[{\"from\":\"%s\",\"to\":\"%s\",\"data\":\"0x01\"},\"latest\",{\"%s\":{\"code\":\"0x%s\"}}]",
            p->wallet, p->wallet, p->wallet, hex);
    free(hex);
    buf_free(&code);
}

/* Of the first step alone: later ones depend on its effects. */
static void ask_estimate(struct rpc_batch *b, const struct plan *p)
{
    struct buf tx = BUF_INIT(MAX_TX);

    add_call(&tx, p->wallet, &p->steps[0]);
    rpc_add(b, "eth_estimateGas", "[%s]", buf_text(&tx));
    buf_free(&tx);
}

void trial_ask(struct rpc_batch *b, const struct plan *p, struct evm_addr measured)
{
    ask_simulate(b, p, measured);
    rpc_or(b, RPC_NEEDS_SIMULATE);
    ask_override(b, p, measured);
    rpc_or(b, RPC_NEEDS_OVERRIDE);
    ask_estimate(b, p);
}

/* ---- reading ---- */

static const char *refusal_reason(struct arena *a, const struct rpc_answer *r)
{
    const uint8_t *data;
    size_t n;

    return rpc_revert_data(&data, &n, a, r) ? abi_revert_text(a, data, n) : NULL;
}

/* One call of a simulation as if it had been asked alone; the result is what it returned, even if it failed.
 */
static struct rpc_answer call_answer(const json_t *call)
{
    struct rpc_answer r = { .error_text = "", .class = RPC_TROUBLE };
    uint64_t status;

    if (!rpc_member_u64(&status, call, "status"))
        return r;
    r.class = status == 1 ? RPC_RESULT : RPC_REVERT;
    r.result = json_object_get(call, "returnData");
    return r;
}

static const char *call_reason(struct arena *a, const struct rpc_answer *call)
{
    const uint8_t *data;
    size_t n;

    return call->class == RPC_REVERT && rpc_bytes(&data, &n, a, call) ? abi_revert_text(a, data, n) : NULL;
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

static struct trial trial_failed(const char *revert)
{
    return (struct trial){ .end = TRIAL_FAILED, .revert = revert, .price_moved = says_price_moved(revert) };
}

static bool read_balance(struct u256 *out, struct arena *a, const json_t *call)
{
    struct rpc_answer r = call_answer(call);
    const uint8_t *p;
    size_t n;

    return r.class == RPC_RESULT && rpc_bytes(&p, &n, a, &r) && abi_get_u256(out, p, n, 0);
}

/* Up to a fifth of the gas used is refunded at the end, and is needed until then. */
static bool read_gas_used(uint64_t *used, const json_t *call, const struct step *s, uint64_t gas_max)
{
    uint64_t all, before = gas_intrinsic(s);

    if (!rpc_member_u64(&all, call, "gasUsed") || all > gas_max)
        return false;
    all += all / 4;
    *used = all > before ? all - before : 0;
    return true;
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

/* What the measured balance has become more, modulo 2^256. */
static void trial_moved(struct trial *t, const struct plan *p, struct u256 more)
{
    bool is_less = more.limb[3] >> 63 != 0;

    if (p->bridge != NULL)
        t->leaves = u256_difference(U256_ZERO, more);
    else
        t->arrives = is_less ? U256_ZERO : more;
}

/* The balance, the steps, the balance. */
static struct trial read_simulation(const struct plan *p, struct arena *a, const struct rpc_answer *r)
{
    const json_t *calls = json_object_get(json_array_get(r->result, 0), "calls");
    struct trial t = { .end = TRIAL_SILENT };
    struct u256 before, after;

    for (unsigned i = 0; i < p->count; i++) {
        const json_t *call = json_array_get(calls, 1 + i);
        struct rpc_answer its = call_answer(call);

        if (its.class == RPC_REVERT || (its.class == RPC_RESULT && says_false(a, call)))
            return trial_failed(call_reason(a, &its));
        if (its.class != RPC_RESULT || !read_gas_used(&t.used[i], call, &p->steps[i], p->chain->gas_max))
            return t;
    }
    if (!read_balance(&before, a, json_array_get(calls, 0)) ||
        !read_balance(&after, a, json_array_get(calls, 1 + p->count)))
        return t;
    trial_moved(&t, p, u256_difference(after, before));
    t.end = TRIAL_RAN;
    t.has_gas = true;
    return t;
}

/* Word 0 is by how much the balance changed, word 1 + i the gas of step i. */
static struct trial read_override(const struct plan *p, struct arena *a, const struct rpc_answer *r)
{
    struct trial t = { .end = TRIAL_RAN, .has_gas = true };
    const uint8_t *data;
    struct u256 more;
    size_t n;

    if (!rpc_bytes(&data, &n, a, r) || !abi_get_u256(&more, data, n, 0))
        return (struct trial){ .end = TRIAL_FAILED };
    trial_moved(&t, p, more);
    for (unsigned i = 0; i < p->count; i++)
        if (!abi_get_u64(&t.used[i], data, n, 1 + i) || t.used[i] > p->chain->gas_max)
            return (struct trial){ .end = TRIAL_FAILED };
    return t;
}

static struct trial read_estimate(const struct plan *p, const struct rpc_answer *r)
{
    struct trial t = { .end = TRIAL_UNVERIFIED };
    uint64_t all, before = gas_intrinsic(&p->steps[0]);

    if (!rpc_u64(&all, r) || all > p->chain->gas_max)
        return (struct trial){ .end = TRIAL_SILENT };
    t.has_gas = p->count == 1 && all > before;
    if (t.has_gas)
        t.used[0] = all - before;
    return t;
}

struct trial trial_read(const struct plan *p, struct arena *a, const struct rpc_answer *r)
{
    if (!rpc_is_final(r->class))
        return (struct trial){ .end = TRIAL_SILENT };
    if (r->class != RPC_RESULT)
        return trial_failed(refusal_reason(a, r));
    if (json_is_array(r->result))
        return read_simulation(p, a, r);
    return r->form == FORM_ESTIMATE ? read_estimate(p, r) : read_override(p, a, r);
}
