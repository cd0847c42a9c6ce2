#include "exec/evm/gas.h"

#include <string.h>

#include "base/log.h"
#include "chain/evm/evm_rpc.h"
#include "codec/hex.h"

enum {
    SIMPLE_PART = 20, /* of what a chain allows: allowances, transfers, wrapping */
    CALL_PART = 3,
    APART = 4, /* times the lesser of two limits: one of them is wrong, or a lie */
    TX_BASE_GAS = 21000,
    APPROVAL_GAS = 60000, /* where the simulation gives no figure */
    /* In one simulation the steps share warm storage (a token, its balances, its allowance); on the chain
     * they do not. */
    COLD_AGAIN = 15000,
};

uint64_t gas_intrinsic(const struct step *s)
{
    uint64_t gas = TX_BASE_GAS;

    for (size_t i = 0; i < s->data_len; i++)
        gas += s->data[i] == 0 ? 4 : 16;
    return gas;
}

/* The step's bytes sent to the wallet itself, which has no code: all gas used is for the bytes. */
static void ask_data_gas(struct rpc_batch *b, const char *wallet, const struct step *s)
{
    char *hex = calloc(2 * s->data_len + 1, 1);

    if (hex == NULL)
        log_fatal("out_of_memory", "msg=\"out of memory\"");
    hex_encode(hex, s->data, s->data_len);
    rpc_add(b, "eth_estimateGas", "[{\"from\":\"%s\",\"to\":\"%s\",\"data\":\"0x%s\"}]", wallet, wallet, hex);
    free(hex);
}

unsigned gas_ask(struct rpc_batch *b, const struct plan *p)
{
    if (p->chain->data_fee == DATA_FEE_NONE)
        return 0;
    for (unsigned i = 0; i < p->count; i++)
        ask_data_gas(b, p->wallet, &p->steps[i]);
    return p->count;
}

void gas_read(struct plan *p, const struct rpc_answer *r)
{
    for (unsigned i = 0; i < p->count; i++) {
        struct step *s = &p->steps[i];
        uint64_t known = gas_intrinsic(s), estimate;

        if (rpc_u64(&estimate, &r[i]) && estimate > known && estimate < p->chain->gas_max)
            s->data_gas = estimate - known;
    }
}

/* It calls the token that it is about, or nothing. */
static bool is_simple(const struct step *s)
{
    return s->kind == TX_APPROVAL || s->data_len == 0 || (s->token != NULL && strcmp(s->to, s->token) == 0);
}

uint64_t gas_most(const struct chain *c, const struct step *s)
{
    return c->gas_max / (is_simple(s) && c->data_fee != DATA_FEE_IN_GAS ? SIMPLE_PART : CALL_PART);
}

bool gas_hold(struct plan *p, const struct plan *other)
{
    bool near = true;

    for (unsigned i = 0; i < p->count; i++) {
        uint64_t x = p->steps[i].gas_limit, y = other->steps[i].gas_limit;

        near = near && x / APART <= y && y / APART <= x;
        p->steps[i].gas_limit = x > y ? x : y;
    }
    return near;
}

static uint64_t gas_with_margin(uint64_t gas)
{
    return gas * 6 / 5;
}

static uint64_t gas_of_step(const struct step *s, uint64_t gas)
{
    return s->drifts ? gas * 13 / 10 : gas_with_margin(gas);
}

void gas_by_tx_simulation(struct plan *p, const uint64_t *used)
{
    for (unsigned i = 0; i < p->count; i++) {
        struct step *s = &p->steps[i];
        uint64_t around = gas_intrinsic(s) + s->data_gas + s->unseen_gas;

        s->gas_limit = gas_of_step(s, used[i] + around + (p->count > 1 ? COLD_AGAIN : 0));
    }
}

void gas_by_quote(struct plan *p)
{
    for (unsigned i = 0; i < p->count; i++) {
        struct step *s = &p->steps[i];
        uint64_t gas =
            s->kind == TX_SPEND ? gas_with_margin(s->quoted_gas + TX_BASE_GAS) : (uint64_t)APPROVAL_GAS;

        s->gas_limit = gas + gas_with_margin(s->data_gas + s->unseen_gas);
    }
}
