#include "lend/watch.h"

#include <string.h>

enum { PACKED = EVM_ADDR_LEN + 2 * U256_BYTES, MILLIONTH_OF_HEALTH_PLACES = 12 };

/* ---- its balances as bytes ---- */

const uint8_t *lend_holdings_pack(struct arena *a, const struct lend_holding *list, size_t count, size_t *len)
{
    uint8_t *bytes = arena_calloc(a, count + 1, PACKED), *at = bytes;

    for (size_t i = 0; i < count; i++, at += PACKED) {
        memcpy(at, list[i].asset.bytes, EVM_ADDR_LEN);
        u256_to_be(at + EVM_ADDR_LEN, list[i].collateral);
        u256_to_be(at + EVM_ADDR_LEN + U256_BYTES, list[i].debt);
    }
    *len = count * PACKED;
    return bytes;
}

struct lend_holding *lend_holdings_unpack(struct arena *a, const uint8_t *bytes, size_t len, size_t *count)
{
    struct lend_holding *list;

    *count = 0;
    if (bytes == NULL || len % PACKED != 0)
        return NULL;
    list = ARENA_ARRAY(a, struct lend_holding, len / PACKED + 1);
    for (; *count < len / PACKED; bytes += PACKED) {
        struct lend_holding *h = &list[(*count)++];

        memcpy(h->asset.bytes, bytes, EVM_ADDR_LEN);
        h->collateral = u256_from_be(bytes + EVM_ADDR_LEN);
        h->debt = u256_from_be(bytes + EVM_ADDR_LEN + U256_BYTES);
    }
    return list;
}

/* ---- outgoing amounts ---- */

/* The ray and share arithmetic of lenders may take a unit or two off an unchanged balance. */
static struct u256 less_by(struct u256 had, struct u256 has)
{
    const struct u256 rounding = { { 2 } };
    struct u256 less = u256_sub_or_zero(had, has);

    return u256_cmp(less, rounding) > 0 ? less : U256_ZERO;
}

static struct lend_holding holding_of(const struct lend_observation *s, struct evm_addr asset)
{
    for (size_t i = 0; i < s->held_count; i++)
        if (evm_addr_eq(s->held[i].asset, asset))
            return s->held[i];
    return (struct lend_holding){ .asset = asset };
}

/* The n-th of what is less: of collateral, or else of debt. */
static const struct lend_holding *nth_less(struct u256 *by, const struct lend_holding *had, size_t count,
                                           const struct lend_observation *s, bool collateral, size_t n)
{
    for (size_t i = 0; i < count; i++) {
        struct lend_holding has = holding_of(s, had[i].asset);

        *by = collateral ? less_by(had[i].collateral, has.collateral) : less_by(had[i].debt, has.debt);
        if (!u256_is_zero(*by) && n-- == 0)
            return &had[i];
    }
    *by = U256_ZERO;
    return NULL;
}

/* Pairs each collateral that is less with a debt that is less; the pairing is arbitrary, but all are
 * reported. None when only collateral or only debt is less: others may repay for the wallet. */
static struct lend_loss *losses_of(struct arena *a, const struct lend_watch *w,
                                   const struct lend_observation *s, size_t *count)
{
    size_t had_count;
    const struct lend_holding *had = lend_holdings_unpack(a, w->held, w->held_len, &had_count);
    struct lend_loss *list = ARENA_ARRAY(a, struct lend_loss, had_count + 1);

    for (*count = 0; *count < had_count; (*count)++) {
        struct lend_loss *l = &list[*count];

        l->had_collateral = nth_less(&l->taken, had, had_count, s, true, *count);
        l->had_debt = nth_less(&l->repaid, had, had_count, s, false, *count);
        if (l->had_collateral == NULL && l->had_debt == NULL)
            break;
        if (*count == 0 && (l->had_collateral == NULL || l->had_debt == NULL))
            return list;
    }
    return list;
}

/* ---- consequences ---- */

static bool logs_after(const struct lend_observation *s, uint64_t block)
{
    for (size_t i = 0; i < s->log_count; i++)
        if (s->logs[i].block > block)
            return true;
    return false;
}

static void held_set(struct arena *a, struct lend_watch *w, const struct lend_observation *s)
{
    w->held = lend_holdings_pack(a, s->held, s->held_count, &w->held_len);
    w->held_block = s->block;
    w->missing = 0;
}

static void held_forget(struct lend_watch *w, const struct lend_observation *s)
{
    w->held = NULL;
    w->held_len = 0;
    w->held_block = s->block;
    w->missing = 0;
}

static void judge_losses(struct arena *a, const struct lend_watch *w, const struct lend_observation *s,
                         struct lend_watch_verdict *v)
{
    struct lend_loss *losses;
    size_t count;

    if (s->operating || s->operated) {
        held_forget(&v->next, s);
        return;
    }
    if (logs_after(s, s->block)) /* the logs are of another node, which knows more */
        return;
    losses = losses_of(a, w, s, &count);
    if (count == 0 || logs_after(s, w->held_block)) {
        held_set(a, &v->next, s);
        return;
    }
    if (++v->next.missing <= LEND_MISSING_POLLS)
        return;
    v->losses = losses;
    v->loss_count = count;
    held_set(a, &v->next, s);
    v->next.told_block = s->block;
}

static bool owes(const struct lend_observation *s)
{
    return s->account != NULL && !amount_is_zero(s->account->debt);
}

static bool health_is_low(const struct lend_observation *s, uint32_t alert)
{
    struct amount limit = { u256_from_u64(alert), 0 };

    return owes(s) && amount_rescale_up(&limit, limit, MILLIONTH_OF_HEALTH_PLACES) &&
           u256_cmp(s->account->health.raw, limit.raw) < 0;
}

struct lend_watch_verdict lend_watch_judge(struct arena *a, const struct lend_watch *w,
                                           const struct lend_observation *s, uint32_t alert)
{
    struct lend_watch_verdict v = { .counts = s->block >= w->block || w->stale, .next = *w };
    bool low = health_is_low(s, alert);

    if (!v.counts)
        return v;
    v.next.block = s->block;
    v.next.low = low;
    v.tells_low = low && !w->low;
    v.next.debtless = owes(s) || s->operating ? 0 : w->debtless + 1;
    judge_losses(a, w, s, &v);
    v.ends = v.next.debtless >= LEND_DEBTLESS_POLLS && v.next.missing == 0;
    return v;
}

bool lend_watch_tells(const struct lend_watch *w, const struct lend_liquidation *l)
{
    return l->block > w->told_block;
}
