/* Limits on how it is carried out: a trade's slippage and leverage, the fees, how healthy a loan stays. */
#include "model/decimal.h"
#include "policy/members.h"
#include "policy/type.h"

struct bounds {
    uint32_t max_slippage; /* millionths; one: any */
    const char *max_gas_wei, *max_gas_usd;
    struct u256 gas_wei, gas_usd; /* the same as numbers, 18 places */
    const char *min_health;
    uint64_t max_leverage; /* 0: any */
};

enum {
    HEALTH_PLACES = 6,
    HEALTH_MAX = 1000,
    LEVERAGE_MAX = 100
}; /* places as the service's own floor has them */

/* In millionths; false for what is no factor of at most so many places. */
static bool health_read(uint64_t *ppm, const char *text)
{
    return decimal_exact(ppm, text, HEALTH_PLACES) == DECIMAL_FINE && *ppm > 0 &&
           *ppm <= (uint64_t)HEALTH_MAX * PPM_ONE;
}

static const char *health_check(const char *s, const void *env)
{
    uint64_t ppm;

    (void)env;
    return health_read(&ppm, s) ? NULL : "must be a number up to 1000 with at most 6 places";
}

const struct param execution_limit_members[] = {
    { "maxSlippage", P_FRACTION, INTO(struct bounds, max_slippage), .number = PPM_ONE,
      .about = "At most this slippage; 0.01 is one per cent" },
    { "maxGasWei", P_TEXT, INTO(struct bounds, max_gas_wei), .check = member_check_wei,
      .max = U256_DECIMAL_LEN, .about = "At most so many wei of the chain's coin for the fees of one swap" },
    { "maxGasUsd", P_AMOUNT, INTO(struct bounds, max_gas_usd),
      .about = "At most so many dollars for the fees of one swap" },
    { "minHealthFactor", P_DECIMAL, INTO(struct bounds, min_health), .check = health_check,
      .about = "Borrowing, withdrawing and changing collateral leave at least this health factor; above the "
               "service's own" },
    { "maxLeverage", P_WHOLE, INTO(struct bounds, max_leverage), .min = 1, .max = LEVERAGE_MAX,
      .about = "Orders for perpetuals have at most so much leverage, and no more is set" },
    { 0 },
};

/* A floor that the service keeps to anyway would look like a limit, and be none. */
static void floor_check(struct policy_reading *r, const struct bounds *b)
{
    uint64_t ppm;

    if (r->conf == NULL || b->min_health == NULL || !health_read(&ppm, b->min_health) ||
        ppm > r->conf->lend_min_health_factor)
        return;
    policy_fault(r, "minHealthFactor",
                 arena_printf(r->arena, "must be above %s, which holds for all",
                              ppm_text(r->arena, (struct ppm){ r->conf->lend_min_health_factor })));
}

static void bounds_check(struct policy_reading *r, void *terms)
{
    struct bounds *b = terms;

    if (b->max_slippage == PPM_ONE && b->max_gas_wei == NULL && b->max_gas_usd == NULL &&
        b->min_health == NULL && b->max_leverage == 0)
        policy_fault(
            r, "",
            "must have one of maxSlippage below 1, maxGasWei, maxGasUsd, minHealthFactor, maxLeverage");
    floor_check(r, b);
    member_read_decimal(r, "maxGasUsd", b->max_gas_usd, &b->gas_usd);
    member_read_wei(r, "maxGasWei", b->max_gas_wei, &b->gas_wei);
}

static void bounds_need(struct worth_needed *w, const void *terms)
{
    const struct bounds *b = terms;

    w->gas_usd = w->gas_usd || b->max_gas_usd != NULL;
}

static bool is_too_unhealthy(const struct bounds *b, const struct spend_facts *o)
{
    static const uint64_t WAD_PER_PPM = 1000000000000;
    struct u256 least;
    uint64_t ppm;

    if (b->min_health == NULL || !o->has_health)
        return false;
    return !health_read(&ppm, b->min_health) ||
           !u256_mul(&least, u256_from_u64(ppm), u256_from_u64(WAD_PER_PPM)) ||
           u256_cmp(o->health_after, least) < 0;
}

static enum policy_verdict bounds_decide(struct policy_case *c, const void *terms, const char **why)
{
    const struct spend_facts *o = c->spend_facts;
    const struct bounds *b = terms;

    if (o->slippage.value > b->max_slippage)
        *why = "the quote allows more slippage than its maxSlippage: ask for one with less";
    else if (b->max_gas_wei != NULL && u256_cmp(o->fees, b->gas_wei) > 0)
        *why = "the fees may exceed its maxGasWei: try when gas is cheaper";
    else if (b->max_gas_usd != NULL && !o->worth.has_gas_usd)
        *why = member_unvalued(o, "the fees cannot be valued just now: try again");
    else if (b->max_gas_usd != NULL && u256_cmp(o->worth.gas_usd, b->gas_usd) > 0)
        *why = "the fees may exceed its maxGasUsd: try when gas is cheaper";
    else if (is_too_unhealthy(b, o))
        *why = arena_printf(
            c->arena,
            "the health factor would be %s, below its minHealthFactor: lower the "
            "amount, or supply more collateral first",
            amount_places_down(c->arena, (struct amount){ o->health_after, RATE_PLACES }, HEALTH_PLACES));
    else if (b->max_leverage != 0 && o->leverage > b->max_leverage)
        *why = arena_printf(c->arena, "a leverage of %u is above its maxLeverage of %llu", o->leverage,
                            (unsigned long long)b->max_leverage);
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
