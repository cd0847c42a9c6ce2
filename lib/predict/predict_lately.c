#include "predict/predict_lately.h"

#include <string.h>

#include "codec/hex.h"
#include "model/amount.h"
#include "store/fills.h"
#include "venue/polymarket_order.h"

enum { PRICE_PLACES = 4, PRICE_ONE = 10000 };

/* A token that was traded, at its newest trade. */
struct held_lately {
    const struct fill_lately *newest;
    int64_t sum; /* of all that is recorded */
    bool shown;
};

struct predict_lately {
    struct fill_lately *fills; /* newest first */
    int count;
    struct held_lately *held;
    int held_count, next;
};

static const char *token_text(struct arena *a, const struct fill_lately *f)
{
    char text[U256_DECIMAL_LEN + 1];

    u256_decimal(text, f->token);
    return arena_strdup(a, text);
}

static struct held_lately *held_of(const struct predict_lately *l, struct u256 token)
{
    for (int i = 0; i < l->held_count; i++)
        if (u256_cmp(l->held[i].newest->token, token) == 0)
            return &l->held[i];
    return NULL;
}

const struct err *predict_lately_read(const struct ctx *ctx, struct arena *a, const struct wallet *w,
                                      struct predict_lately **out)
{
    struct predict_lately *l = ARENA_NEW(a, struct predict_lately);

    *l = (struct predict_lately){ .next = 0 };
    *out = l;
    l->count = fills_lately(ctx->db, a, w->agent_id, w->id, &l->fills);
    if (l->count < 0)
        return &E_INTERNAL;
    l->held = ARENA_ARRAY(a, struct held_lately, (size_t)l->count + 1);
    for (int i = 0; i < l->count; i++) {
        struct held_lately *h = &l->held[l->held_count];

        if (held_of(l, l->fills[i].token) != NULL)
            continue;
        *h = (struct held_lately){ .newest = &l->fills[i] };
        if (!fills_sum(ctx->db, w->id, &h->newest->token, &h->sum))
            return &E_INTERNAL;
        l->held_count++;
    }
    return NULL;
}

/* Whether it is a size that the holding had before the last of its trades. */
static bool is_old(const struct predict_lately *l, const struct held_lately *h, int64_t shown)
{
    int64_t sum = h->sum;

    for (int i = 0; i < l->count && sum != shown; i++)
        if (u256_cmp(l->fills[i].token, h->newest->token) == 0)
            sum += l->fills[i].sells ? (int64_t)l->fills[i].size : -(int64_t)l->fills[i].size;
    return shown != h->sum && sum == shown && h->sum >= 0;
}

/* The trades that bring it from nothing, at their prices; where it was held before, the venue's average
 * stays. */
static const char *average_of(const struct predict_lately *l, struct arena *a, const struct held_lately *h,
                              const char *shown)
{
    uint64_t bought = 0, paid = 0;

    if (shown != NULL)
        return shown;
    for (int i = 0; i < l->count; i++) {
        const struct fill_lately *f = &l->fills[i];
        uint64_t cost;

        if (f->sells || u256_cmp(f->token, h->newest->token) != 0)
            continue;
        if (__builtin_mul_overflow(f->size, (uint64_t)f->price, &cost) ||
            __builtin_add_overflow(paid, cost, &paid) || __builtin_add_overflow(bought, f->size, &bought))
            return "0";
    }
    return amount_text(a, (struct amount){ u256_from_u64(bought == 0 ? 0 : paid / bought), PRICE_PLACES });
}

static const char *size_text(struct arena *a, int64_t size)
{
    return amount_text(a, (struct amount){ u256_from_u64((uint64_t)size), POLYMARKET_DECIMALS });
}

static bool size_read(struct arena *a, int64_t *out, const char *text)
{
    struct amount size;
    uint64_t n;

    if (amount_parse_down(a, &size, text, POLYMARKET_DECIMALS) != AMOUNT_FINE || !u256_to_u64(&n, size.raw) ||
        n > INT64_MAX)
        return false;
    *out = (int64_t)n;
    return true;
}

bool predict_lately_lay(struct predict_lately *l, struct arena *a, struct market_position *p)
{
    struct held_lately *h;
    struct u256 token;
    int64_t shown;

    if (!u256_parse(&token, p->token) || (h = held_of(l, token)) == NULL)
        return true;
    h->shown = true;
    if (!size_read(a, &shown, p->size) || !is_old(l, h, shown))
        return true;
    p->size = size_text(a, h->sum);
    p->average_price = average_of(l, a, h, p->average_price);
    return h->sum > 0;
}

bool predict_lately_next(struct predict_lately *l, struct arena *a, struct market_position *out)
{
    char condition[2 * HASH_LEN + 1] = "";
    const struct held_lately *h = NULL;

    while (h == NULL && l->next < l->held_count) {
        const struct held_lately *one = &l->held[l->next++];

        if (!one->shown && one->sum > 0 && is_old(l, one, 0))
            h = one;
    }
    if (h == NULL)
        return false;
    hex_encode(condition, h->newest->condition, HASH_LEN);
    *out = (struct market_position){
        .token = token_text(a, h->newest),
        .condition = arena_printf(a, "0x%s", condition),
        .size = size_text(a, h->sum),
        .average_price = average_of(l, a, h, NULL),
        .price = amount_text(a, (struct amount){ u256_from_u64(h->newest->price), PRICE_PLACES }),
        .question = h->newest->question,
        .outcome = h->newest->outcome,
    };
    return true;
}
