/* Limits on how a trade is carried out: its slippage and its fees. */
#include "policy/members.h"
#include "policy/type.h"

struct bounds {
    uint32_t max_slippage; /* millionths; one: any */
    const char *max_gas_wei, *max_gas_usd;
    struct u256 gas_wei, gas_usd; /* the same as numbers, 18 places */
};

const struct param execution_limit_members[] = {
    { "maxSlippage", P_FRACTION, INTO(struct bounds, max_slippage), .number = PPM_ONE,
      .about = "At most this slippage; 0.01 is one per cent" },
    { "maxGasWei", P_TEXT, INTO(struct bounds, max_gas_wei), .check = member_check_wei,
      .max = U256_DECIMAL_LEN, .about = "At most so many wei of the chain's coin for the fees of one swap" },
    { "maxGasUsd", P_AMOUNT, INTO(struct bounds, max_gas_usd),
      .about = "At most so many dollars for the fees of one swap" },
    { 0 },
};

static void bounds_check(struct policy_reading *r, void *terms)
{
    struct bounds *b = terms;

    if (b->max_slippage == PPM_ONE && b->max_gas_wei == NULL && b->max_gas_usd == NULL)
        policy_fault(r, "", "must have one of maxSlippage below 1, maxGasWei, maxGasUsd");
    member_read_decimal(r, "maxGasUsd", b->max_gas_usd, &b->gas_usd);
    member_read_wei(r, "maxGasWei", b->max_gas_wei, &b->gas_wei);
}

static void bounds_need(struct worth_needed *w, const void *terms)
{
    const struct bounds *b = terms;

    w->gas_usd = w->gas_usd || b->max_gas_usd != NULL;
}

static enum policy_verdict bounds_decide(struct policy_case *c, const void *terms, const char **why)
{
    const struct outlay *o = c->outlay;
    const struct bounds *b = terms;

    if (o->slippage.value > b->max_slippage)
        *why = "the quote allows more slippage than its maxSlippage: ask for one with less";
    else if (b->max_gas_wei != NULL && u256_cmp(o->fees, b->gas_wei) > 0)
        *why = "the fees may exceed its maxGasWei: try when gas is cheaper";
    else if (b->max_gas_usd != NULL && !o->worth.has_gas_usd)
        *why = member_unvalued(o, "the fees cannot be valued just now: try again");
    else if (b->max_gas_usd != NULL && u256_cmp(o->worth.gas_usd, b->gas_usd) > 0)
        *why = "the fees may exceed its maxGasUsd: try when gas is cheaper";
    else
        return POLICY_ALLOWS;
    return POLICY_REFUSES;
}

const struct policy_type_row execution_limit = {
    .members = execution_limit_members,
    .size = sizeof(struct bounds),
    .check = bounds_check,
    .need = bounds_need,
    .decide = bounds_decide,
};
