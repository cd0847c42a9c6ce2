#include "exec/bridge.h"

#include <stdlib.h>
#include <string.h>

#include "base/fault.h"
#include "base/log.h"
#include "chain/rpc/node.h"
#include "chain/tokens.h"
#include "codec/rand.h"
#include "exec/bridge_provider.h"
#include "exec/chain_ops.h"
#include "exec/opinion.h"
#include "model/amount.h"
#include "store/bridges.h"
#include "store/policies.h"
#include "store/transactions.h"

enum {
    SECOND_MS = 1000,
    MINUTE_MS = 60 * SECOND_MS,
    HOUR_MS = 60 * MINUTE_MS,
    DAY_MS = 24 * HOUR_MS,
    POLL_MS = 3000, /* at the far chains, while all others wait */
};

/* ---- due times ---- */

/* Up to that age, every so often. */
static const struct {
    int64_t age_ms, every_ms;
} paces[] = {
    { MINUTE_MS, 2 * SECOND_MS }, { 5 * MINUTE_MS, 5 * SECOND_MS }, { 15 * MINUTE_MS, 15 * SECOND_MS },
    { HOUR_MS, MINUTE_MS },       { 2 * DAY_MS, 5 * MINUTE_MS },    { INT64_MAX, HOUR_MS },
};

static int64_t bridge_pace(int64_t age_ms)
{
    unsigned i = 0;

    while (age_ms > paces[i].age_ms)
        i++;
    return paces[i].every_ms;
}

/* The attempt that has done its part, as it is recorded; -1: none has, as far as is known. */
static int bridge_source(const struct tracked *w)
{
    for (unsigned i = 0; i < w->count; i++)
        if (w->txs[i].kind == TX_SPEND && w->txs[i].block_number != 0 && w->txs[i].effect.succeeded)
            return (int)i;
    return -1;
}

/* An execution in flight is looked at more often than its bridge. */
static bool bridge_is_due(const struct tracked *w)
{
    return w->bridge != NULL && bridge_source(w) >= 0 &&
           (w->execution->follow != FOLLOW_IN_FLIGHT || w->now_ms >= w->bridge->next_ask_ms);
}

static void turn_begin(struct tracked *w)
{
    struct bridge *next = &w->bridge_observation.next;
    int64_t pace = bridge_pace(w->now_ms - w->execution->created_ms);

    w->bridge_observation.due = true;
    *next = *w->bridge;
    next->asks++;
    next->asked_ms = w->now_ms;
    next->next_ask_ms = w->now_ms + pace + rand_below((uint32_t)pace / 8);
}

/* ---- its bridge provider ---- */

static bool question_make(struct bridge_question *q, struct call *call, const struct ctx *ctx,
                          struct arena *a)
{
    const struct tracked *w = q->tracked;
    const struct execution *x = w->execution;

    q->in = (struct bridge_in){
        .from_chain = chain_by_id(x->from.chain_id),
        .to_chain = chain_by_id(x->to.chain_id),
        .reference = w->bridge->reference,
    };
    q->in.tx = chain_ops_of(q->in.from_chain)->hash_text(a, &w->txs[bridge_source(w)].hash);
    q->call = call;
    return q->in.to_chain != NULL && !FAULT("bridge.ask") &&
           bridge_provider_ask(w->bridge->bridge_provider, call, ctx, &q->in, a);
}

/* One that could not be asked is asked soon, however old it is. */
static void question_postpone(struct tracked *w)
{
    struct bridge *next = &w->bridge_observation.next;

    if (next->next_ask_ms > w->now_ms + MINUTE_MS)
        next->next_ask_ms = w->now_ms + MINUTE_MS;
}

unsigned bridges_ask(const struct ctx *ctx, struct arena *a, struct tracked *w, unsigned n,
                     struct call *calls, struct bridge_question *out)
{
    unsigned asked = 0;

    for (unsigned i = 0; i < n; i++) {
        out[asked] = (struct bridge_question){ .tracked = &w[i] };
        if (!bridge_is_due(&w[i]))
            continue;
        turn_begin(&w[i]);
        if (w[i].bridge->delivery != DELIVERY_NONE)
            continue;
        if (question_make(&out[asked], &calls[asked], ctx, a))
            asked++;
        else
            question_postpone(&w[i]);
    }
    return asked;
}

/* The chain where what the bridge provider names is. */
static const struct chain *bridge_out_chain(const struct tracked *w, enum bridge_state state)
{
    const struct execution *x = w->execution;

    return chain_by_id(state == BRIDGE_REFUNDED ? x->from.chain_id : x->to.chain_id);
}

static void status_take(struct tracked *w, const struct bridge_status *says)
{
    struct bridge *next = &w->bridge_observation.next;
    const struct chain *c = bridge_out_chain(w, says->state);
    const struct chain_ops *family = chain_ops_of(c);
    struct tx_hash tx = { .len = 0 };

    if (says->state == BRIDGE_UNKNOWN)
        return;
    w->bridge_observation.says = *says;
    if (says->tx != NULL && family != NULL && family->hash_read(&tx, says->tx) &&
        !tx_hash_equal(&tx, &next->out_tx)) {
        next->out_block = 0;
        next->since_ms = w->now_ms;
    }
    if (says->state != next->state)
        next->since_ms = w->now_ms;
    next->state = says->state;
    next->out_tx = tx;
    next->out_chain_id = tx.len == 0 ? 0 : c->id;
}

void bridges_read(struct arena *a, const struct bridge_question *q, unsigned n)
{
    for (unsigned i = 0; i < n; i++) {
        struct bridge_status says;

        bridge_provider_read(q[i].tracked->bridge->bridge_provider, q[i].call, &q[i].in, a, &says);
        call_free(q[i].call);
        status_take(q[i].tracked, &says);
    }
}

/* ---- the chains' state ---- */

/* The poll of one bridge on one chain; its payment has the same place. */
struct bridge_poll {
    struct tracked *tracked;
    const struct chain *chain;
};

struct bridge_polls {
    struct bridge_poll *list;
    struct payment *payments;
    unsigned count;
};

static void poll_add(struct bridge_polls *l, struct tracked *w, uint64_t chain_id)
{
    l->list[l->count++] = (struct bridge_poll){ .tracked = w, .chain = chain_by_id(chain_id) };
}

/* A transaction that one of our own wallets has signed never counts as a bridge's payment. */
static bool tx_is_ours(const struct ctx *ctx, const struct tx_hash *tx)
{
    return transactions_hash_known(ctx->db, tx) != LOOKUP_NONE;
}

/* Without a node of the chain, the bridge provider's word is enough for a delivery, whether it names a
 * transaction or not. */
static bool chain_is_seen(const struct ctx *ctx, const struct chain *c)
{
    return chain_ops_of(c) != NULL && nodes_known(ctx->nodes, c);
}

/* A refund may come on either chain. */
static void poll_choose(struct bridge_polls *l, const struct ctx *ctx, struct tracked *w)
{
    const struct bridge *next = &w->bridge_observation.next;
    const struct execution *x = w->execution;

    if (!w->bridge_observation.due || (next->state != BRIDGE_DONE && next->state != BRIDGE_REFUNDED))
        return;
    if (next->out_tx.len > 0 && next->delivery == DELIVERY_NONE && tx_is_ours(ctx, &next->out_tx))
        return;
    w->bridge_observation.unverifiable = !chain_is_seen(ctx, bridge_out_chain(w, next->state));
    if (next->out_tx.len == 0)
        return;
    if (next->state == BRIDGE_REFUNDED)
        poll_add(l, w, x->from.chain_id);
    poll_add(l, w, x->to.chain_id);
}

static int poll_order(const void *x, const void *y)
{
    const struct bridge_poll *a = x, *b = y;

    if (a->chain != b->chain)
        return a->chain < b->chain ? -1 : 1;
    return a->tracked < b->tracked ? -1 : a->tracked > b->tracked;
}

/* Coin goes by the zero address. */
static const char *token_text(const struct token_ref *t)
{
    const struct token *known = token_known(t);

    return known != NULL && token_is_native(known) ? "" : t->address;
}

static bool token_is(const struct chain_ops *family, const char *address, const struct token_ref *t)
{
    struct address_bytes one, other;

    family->address_bytes(&one, address);
    family->address_bytes(&other, token_text(t));
    return address_bytes_equal(&one, &other);
}

/* The token that should come there: on the source chain that is a refund. */
static const struct token_ref *poll_token(const struct bridge_poll *l)
{
    const struct execution *x = l->tracked->execution;

    return l->chain->id == x->from.chain_id ? &x->from : &x->to;
}

/* Refunds come back to the wallet. */
static const char *bridge_recipient(const struct tracked *w, uint64_t chain_id)
{
    return chain_id == w->execution->to.chain_id ? w->bridge->recipient : w->wallet.ref.address;
}

/* By itself, or for what is due. */
static bool coin_may_come(const struct bridge_poll *l)
{
    const struct token *coin = token_find(l->chain, l->chain->native), *due = token_known(poll_token(l));

    return coin != NULL && due != NULL && token_equivalent(coin, due);
}

static void payment_make(struct payment *p, const struct bridge_poll *l)
{
    const struct tracked *w = l->tracked;

    *p = (struct payment){ .tx = &w->bridge_observation.next.out_tx,
                           .recipient = bridge_recipient(w, l->chain->id),
                           .coin = coin_may_come(l),
                           .seen_block = l->chain->id == w->bridge->out_chain_id ? w->bridge->out_block : 0 };
}

/* Neighbours on one chain. How many groups. */
static unsigned payments_make(struct payments *groups, const struct bridge_polls *l)
{
    unsigned made = 0;

    qsort(l->list, l->count, sizeof *l->list, poll_order);
    for (unsigned i = 0; i < l->count; i++) {
        struct payments *last = made > 0 ? &groups[made - 1] : NULL;

        if (chain_ops_of(l->list[i].chain) == NULL)
            continue;
        payment_make(&l->payments[i], &l->list[i]);
        if (last == NULL || last->chain != l->list[i].chain || last->count == PAYMENTS_MAX) {
            last = &groups[made++];
            *last = (struct payments){ .chain = l->list[i].chain, .list = &l->payments[i] };
        }
        last->count++;
    }
    return made;
}

/* ---- its value ---- */

/* A payment from before the bridge was made, or before its deposit, cannot be the bridge's. */
static bool payment_is_older(const struct bridge_poll *l, const struct payment *p)
{
    const struct tracked *w = l->tracked;

    if (l->chain->id == w->execution->to.chain_id)
        return p->block <= w->bridge->far_block;
    return p->block < w->txs[bridge_source(w)].block_number;
}

static bool arrival_is_taken(const struct arrival *m, const struct arrival_taken *taken, int n)
{
    for (int i = 0; i < n; i++)
        if (taken[i].same_tx && taken[i].log_index == m->log_index)
            return true;
    return false;
}

/* The amount that came in the block, less the claims of others; no more is claimed than the bridge provider
 * says that it paid. */
static struct u256 arrival_left(const struct arrival *m, const struct arrival_taken *taken, int n,
                                struct u256 said)
{
    struct u256 left = m->amount;

    for (int i = 0; i < n && m->of_block; i++)
        if (taken[i].log_index == ARRIVAL_COIN && !u256_sub(&left, left, taken[i].amount))
            return U256_ZERO;
    return m->of_block && !u256_is_zero(said) && u256_cmp(said, left) < 0 ? said : left;
}

/* The claim on the payment that is looked at now, on that chain. */
static struct arrival_claim claim_of(const struct tracked *w, uint64_t chain_id)
{
    return (struct arrival_claim){ .execution_id = w->execution->id,
                                   .chain_id = chain_id,
                                   .tx = &w->bridge_observation.next.out_tx,
                                   .block = w->bridge_observation.block,
                                   .recipient = bridge_recipient(w, chain_id) };
}

/* Leaves what no other execution has been proven with. False: the database failed. */
static bool payment_strip(const struct ctx *ctx, struct arena *a, const struct bridge_poll *l,
                          struct payment *p)
{
    const struct arrival_claim claim = claim_of(l->tracked, l->chain->id);
    struct arrival_taken *taken;
    int n = arrivals_taken(ctx->db, a, &claim, &taken);
    unsigned left = 0;

    for (unsigned i = 0; n >= 0 && i < p->count; i++) {
        struct arrival m = p->arrivals[i];

        m.amount = arrival_left(&m, taken, n, l->tracked->bridge_observation.says.amount);
        p->amount_unknown = p->amount_unknown || (m.of_block && n > 0);
        if (!arrival_is_taken(&m, taken, n))
            p->arrivals[left++] = m;
    }
    p->count = left;
    l->tracked->bridge_observation.rivals = n;
    return n >= 0;
}

static bool payment_sum(struct u256 *sum, const struct payment *p, const struct chain_ops *family,
                        const char *token)
{
    struct address_bytes wanted;

    family->address_bytes(&wanted, token);
    *sum = U256_ZERO;
    for (unsigned i = 0; i < p->count; i++)
        if (address_bytes_equal(&p->arrivals[i].token, &wanted) &&
            !u256_add(sum, *sum, p->arrivals[i].amount))
            return false;
    return !u256_is_zero(*sum);
}

/* All of one token that came, if it is so much at least: that is what proves the payment. */
static bool payment_counts(struct tracked *w, const struct payment *p, const struct chain_ops *family,
                           const char *token, struct u256 least)
{
    struct bridge_observation *s = &w->bridge_observation;
    struct address_bytes wanted;
    struct u256 sum;
    unsigned n = 0;

    if (!payment_sum(&sum, p, family, token) || u256_cmp(sum, least) < 0)
        return false;
    family->address_bytes(&wanted, token);
    for (unsigned i = 0; i < p->count; i++) {
        struct arrival m = p->arrivals[i];

        if (!address_bytes_equal(&m.token, &wanted))
            continue;
        p->arrivals[i] = p->arrivals[n];
        p->arrivals[n++] = m;
    }
    s->paid = true;
    s->amount = sum;
    s->arrivals = p->arrivals;
    s->arrival_count = n;
    return true;
}

static bool payment_counts_as(const struct bridge_poll *l, const struct payment *p, const struct token *due,
                              const struct token *other)
{
    struct tracked *w = l->tracked;
    const struct amount wanted = { w->execution->min_out, due->decimals };
    struct amount least;

    w->bridge_observation.token = token_ref_of(other);
    return amount_rescale_up(&least, wanted, other->decimals) &&
           payment_counts(w, p, chain_ops_of(l->chain), token_text(&w->bridge_observation.token), least.raw);
}

/* Another token counts if it is listed, can be compared without a price, and is worth the swap's minimum: a
 * worthless token never ends a swap, even if the bridge provider reports success. */
static bool payment_counts_instead(const struct bridge_poll *l, const struct payment *p)
{
    const struct token *due = token_known(poll_token(l));

    for (size_t i = 0; due != NULL && i < tokens_count; i++)
        if (token_equivalent(&tokens[i], due) && payment_counts_as(l, p, due, &tokens[i]))
            return true;
    return false;
}

/* ---- refunds ---- */

/* The bridge provider's fee for a refund, and the gas for it, are less than this part of what was deposited.
 */
enum { WHOLE = 1000000000, REFUND_FEE_MAX = WHOLE / 50 };

/* As much of the token as the amount of another one is worth, where that can be told without a price. */
static bool amount_in(struct u256 *out, const struct token_ref *t, const struct token_ref *other,
                      struct u256 amount)
{
    const struct token *one = token_known(t), *two = token_known(other);
    struct amount same;

    *out = amount;
    if (t->chain_id == other->chain_id && token_is(chain_ops_of(chain_by_id(t->chain_id)), t->address, other))
        return true;
    if (one == NULL || two == NULL || !token_is_worth(one, two) ||
        !amount_rescale_up(&same, (struct amount){ amount, two->decimals }, one->decimals))
        return false;
    *out = same.raw;
    return true;
}

/* Which part of the deposit so much of the token is, of WHOLE: by what was sold, or by the least that was to
 * come for it. 0 where neither can be compared with it. */
static uint64_t refund_share(const struct execution *x, const struct token_ref *t, struct u256 amount)
{
    struct u256 due, share;
    uint64_t part;

    if (!amount_in(&due, t, &x->from, x->amount_in) && !amount_in(&due, t, &x->to, x->min_out))
        return 0;
    if (u256_cmp(amount, due) >= 0)
        return WHOLE;
    return u256_muldiv(&share, amount, u256_from_u64(WHOLE), due) && u256_to_u64(&part, share) ? part : 0;
}

/* Paid back in one token. */
struct refund {
    struct token_ref token;
    uint64_t share;
    bool any;
};

static void refund_weigh(struct refund *best, const struct bridge_poll *l, const struct payment *p,
                         const struct token_ref *t)
{
    struct u256 sum;
    uint64_t share;

    if (t->chain_id != l->chain->id || !payment_sum(&sum, p, chain_ops_of(l->chain), token_text(t)))
        return;
    share = refund_share(l->tracked->execution, t, sum);
    if (!best->any || share > best->share)
        *best = (struct refund){ .token = *t, .share = share, .any = true };
}

/* It ends the bridge where it is all that was deposited, but for a fee: less is told, and waits for more. */
static void refund_take(const struct ctx *ctx, struct arena *a, const struct bridge_poll *l,
                        const struct payment *p)
{
    struct tracked *w = l->tracked;
    struct bridge_observation *s = &w->bridge_observation;
    struct refund best = { .any = false };

    refund_weigh(&best, l, p, &w->execution->from);
    refund_weigh(&best, l, p, &w->execution->to);
    for (size_t i = 0; i < tokens_count; i++) {
        const struct token_ref t = token_ref_of(&tokens[i]);

        refund_weigh(&best, l, p, &t);
    }
    /* An input that was swapped before the deposit comes back as the swapped token, of unknown worth: the
     * bridge provider names it, and it is reported. */
    const char *named = l->tracked->bridge_observation.says.token;
    struct token_ref t;
    unsigned told = 0;

    if (!best.any && named != NULL &&
        chain_ops_of(l->chain)->describe_token(ctx, a, l->chain, named, &t, &told) == NULL && told > 0)
        refund_weigh(&best, l, p, &t);
    if (!best.any || !payment_counts(w, p, chain_ops_of(l->chain), token_text(&best.token), U256_ZERO))
        return;
    s->token = best.token;
    s->paid = best.share >= WHOLE - REFUND_FEE_MAX;
    s->in_part = !s->paid;
}

static void payment_weigh(const struct ctx *ctx, struct arena *a, const struct bridge_poll *l,
                          const struct payment *p)
{
    struct tracked *w = l->tracked;
    struct bridge_observation *s = &w->bridge_observation;

    if (s->next.state == BRIDGE_REFUNDED)
        refund_take(ctx, a, l, p);
    else if (payment_counts(w, p, chain_ops_of(l->chain), token_text(poll_token(l)), w->execution->min_out))
        s->token = (struct token_ref){ .chain_id = 0 };
    else
        s->paid = payment_counts_instead(l, p);
}

/* Part of the deposit came back, and all of it is not delivered yet. */
static bool is_in_part(const struct bridge *b)
{
    return b->delivery == DELIVERY_NONE && b->arrived.chain_id != 0;
}

/* Whether a payment is claimed: it proves this execution, and no other one. */
static bool is_claimed(const struct bridge *b)
{
    return b->delivery == DELIVERY_PROVEN || is_in_part(b);
}

/* It proved this very execution before, in this very block. */
static bool payment_is_known(const struct tracked *w, const struct payment *p)
{
    const struct bridge *b = w->bridge, *next = &w->bridge_observation.next;

    return is_claimed(b) && p->block == b->out_block && b->state == next->state &&
           b->out_chain_id == next->out_chain_id && tx_hash_equal(&b->out_tx, &next->out_tx);
}

static void payment_take(const struct ctx *ctx, struct arena *a, const struct bridge_poll *l,
                         struct payment *p)
{
    struct bridge_observation *s = &l->tracked->bridge_observation;

    if (!p->known || s->block != 0)
        return;
    s->shown = true;
    s->block = p->block;
    s->confirmed = p->confirmed;
    s->settled = p->settled;
    s->next.out_chain_id = l->chain->id;
    if (p->block == 0 || !p->succeeded || payment_is_older(l, p))
        return;
    if (payment_is_known(l->tracked, p)) {
        s->paid = l->tracked->bridge->delivery == DELIVERY_PROVEN;
        s->in_part = !s->paid;
        s->token = l->tracked->bridge->arrived;
        s->amount = l->tracked->bridge->arrived_amount;
        return;
    }
    if (!payment_strip(ctx, a, l, p))
        return;
    payment_weigh(ctx, a, l, p);
    s->amount_unknown = p->amount_unknown && !s->paid && token_is(chain_ops_of(l->chain), "", poll_token(l));
}

/* ---- two nodes' words ---- */

/* The same of another node, where there is one: that something was paid is what both say. */
static struct payments duplicate_of(struct payments *group, struct arena *a)
{
    struct payments twin = *group;

    group->query->order = NODE_FIRST_ALONE;
    twin.query = ARENA_NEW(a, struct node_query);
    *twin.query = (struct node_query){ .order = NODE_OTHERS, .apart = group->query };
    twin.list = arena_memdup(a, group->list, group->count * sizeof *group->list);
    return twin;
}

static bool arrival_is_same(const struct arrival *a, const struct arrival *b)
{
    return a->log_index == b->log_index && a->of_block == b->of_block &&
           u256_cmp(a->amount, b->amount) == 0 && address_bytes_equal(&a->token, &b->token);
}

static bool payments_agree(const struct payment *p, const struct payment *q)
{
    bool same = p->block == q->block && p->succeeded == q->succeeded &&
                p->amount_unknown == q->amount_unknown && p->count == q->count;

    for (unsigned i = 0; same && i < p->count; i++)
        same = arrival_is_same(&p->arrivals[i], &q->arrivals[i]);
    return same;
}

/* How long a node without the receipt holds up the other's: it may lag, or hide the payment. If it does not
 * even have the transaction, the bridge provider's word is the second one, after the time that this word
 * needs to count. */
static int64_t omission_patience_ms(const struct payment *omits)
{
    return omits->lists != 0 ? OPINION_LONG_MS : BRIDGE_PATIENCE_MS;
}

/* Two nodes answered, and only one shows the payment in a block. A node that has it in another block
 * contradicts. */
static void payment_join_omitted(struct payment *p, const struct payment *q, int64_t waited_ms)
{
    const struct payment omits = p->block == 0 ? *p : *q;

    if (p->block == 0)
        *p = *q;
    p->known = (omits.lists == 0 || omits.lists == p->block) && waited_ms >= omission_patience_ms(&omits);
}

/* Joins the answers of two nodes; a single one counts once the other has been waited for. */
static void payment_join(const struct ctx *ctx, const struct bridge_poll *l, struct payment *p,
                         const struct payment *q, bool both_answered)
{
    const struct tracked *w = l->tracked;
    int64_t waited_ms = w->now_ms - w->bridge_observation.next.since_ms;

    if (p->known && q->known && (p->block == 0) != (q->block == 0)) {
        payment_join_omitted(p, q, waited_ms);
        return;
    }
    if (p->known && q->known) {
        p->known = payments_agree(p, q);
        p->confirmed = p->confirmed && q->confirmed;
        p->settled = p->settled && q->settled;
        return;
    }
    if (q->known)
        *p = *q;
    p->known = p->known &&
               opinions_do(ctx, l->chain, 1, waited_ms, both_answered ? OPINION_LONG_MS : OPINION_SHORT_MS);
    p->settled = p->settled && opinions_do(ctx, l->chain, 1, waited_ms, OPINION_LONG_MS);
}

static void groups_run(const struct ctx *ctx, struct arena *a, const struct bridge_polls *l,
                       struct payments *groups, unsigned n)
{
    struct payments *all = ARENA_ARRAY(a, struct payments, 2 * (size_t)n + 1);
    struct call *calls = ARENA_ARRAY(a, struct call, 2 * (size_t)n + 1);
    unsigned asked = 0, count = 0;

    for (unsigned i = 0; i < n; i++) {
        all[count] = groups[i];
        all[count].query = ARENA_NEW(a, struct node_query);
        *all[count++].query = (struct node_query){ .order = NODE_BEST_FIRST };
        if (opinions_differ(ctx, groups[i].chain)) {
            all[count] = duplicate_of(&all[count - 1], a);
            count++;
        }
    }
    for (unsigned i = 0; i < count; i++)
        if (chain_ops_of(all[i].chain)->payments_begin(ctx, a, &all[i], &calls[asked]))
            all[i].call = &calls[asked++];
    (void)calls_run(ctx->net, calls, asked, POLL_MS);
    for (unsigned i = 0; i < count; i++)
        if (all[i].call != NULL)
            chain_ops_of(all[i].chain)->payments_end(ctx, a, &all[i]);
    for (unsigned i = 0, at = 0; i < n; i++, at++) {
        const struct bridge_poll *first = &l->list[groups[i].list - l->payments];

        groups[i].call = all[at].call;
        if (at + 1 == count || all[at + 1].chain != groups[i].chain ||
            all[at + 1].query->order != NODE_OTHERS)
            continue;
        at++;
        for (unsigned k = 0; k < groups[i].count; k++)
            payment_join(ctx, &first[k], &groups[i].list[k], &all[at].list[k],
                         all[at - 1].query->answered && all[at].query->answered);
        if (groups[i].call == NULL)
            groups[i].call = all[at].call;
    }
}

static void group_take(const struct ctx *ctx, struct arena *a, const struct bridge_polls *l,
                       const struct payments *group)
{
    const struct bridge_poll *first = &l->list[group->list - l->payments];

    for (unsigned i = 0; group->call != NULL && i < group->count; i++)
        payment_take(ctx, a, &first[i], &group->list[i]);
}

void bridges_poll(const struct ctx *ctx, struct arena *a, struct tracked *w, unsigned n)
{
    struct bridge_polls l = { .list = ARENA_ARRAY(a, struct bridge_poll, 2 * (size_t)n + 1),
                              .payments = ARENA_ARRAY(a, struct payment, 2 * (size_t)n + 1) };
    struct payments *groups;
    unsigned made;

    for (unsigned i = 0; i < n; i++)
        poll_choose(&l, ctx, &w[i]);
    if (l.count == 0 || FAULT("bridge.look"))
        return;
    groups = ARENA_ARRAY(a, struct payments, l.count);
    made = payments_make(groups, &l);
    groups_run(ctx, a, &l, groups, made);
    for (unsigned i = 0; i < made; i++)
        group_take(ctx, a, &l, &groups[i]);
}

/* ---- consequences of the observations ---- */

bool bridge_is_patient(const struct tracked *w)
{
    const struct bridge *next = &w->bridge_observation.next;

    return next->since_ms != 0 && w->now_ms - next->since_ms >= BRIDGE_PATIENCE_MS;
}

/* A payment counts as gone when that was seen twice. */
static bool bridge_seen_before(const struct tracked *w)
{
    return w->bridge->out_block == w->bridge_observation.block;
}

enum bridge_delivery bridge_delivery_of(const struct tracked *w)
{
    const struct bridge_observation *s = &w->bridge_observation;
    enum bridge_delivery before = w->bridge->delivery;

    if (!s->due || before == DELIVERY_REPORTED)
        return before;
    if (s->next.state != BRIDGE_DONE && s->next.state != BRIDGE_REFUNDED)
        return DELIVERY_NONE;
    if (s->shown && s->paid)
        return s->confirmed ? DELIVERY_PROVEN : DELIVERY_NONE;
    if (before == DELIVERY_PROVEN)
        return s->shown && bridge_seen_before(w) ? DELIVERY_NONE : DELIVERY_PROVEN;
    if (s->next.state == BRIDGE_DONE && (s->unverifiable || (s->amount_unknown && bridge_is_patient(w))))
        return DELIVERY_REPORTED;
    return DELIVERY_NONE;
}

bool bridge_fails(const struct tracked *w)
{
    const struct bridge_observation *s = &w->bridge_observation;
    bool refunds = s->next.state == BRIDGE_REFUNDED && (s->in_part || s->amount_unknown);

    return bridge_is_patient(w) && (s->next.state == BRIDGE_FAILED || refunds);
}

/* Once: when it has been so for long enough since the last turn. */
static void contradiction_tell(const struct tracked *w)
{
    const struct bridge *next = &w->bridge_observation.next;

    if (next->delivery == DELIVERY_NONE && (next->state == BRIDGE_DONE || next->state == BRIDGE_REFUNDED) &&
        bridge_is_patient(w) && w->bridge->asked_ms - next->since_ms < BRIDGE_PATIENCE_MS)
        log_error("bridge_unproven",
                  "msg=\"a bridge is said to have paid, and no chain shows it\" execution=%llu carrier=%s",
                  (unsigned long long)w->execution->id, w->bridge->bridge_provider);
}

/* Stores the amount that came, a part if it is not delivered; a stored part is not taken back unless a chain
 * was asked. */
static void arrived_keep(const struct tracked *w, struct bridge *next)
{
    const struct bridge_observation *s = &w->bridge_observation;
    bool part = next->delivery == DELIVERY_NONE && s->in_part && s->confirmed;
    bool stays = next->state == BRIDGE_REFUNDED && is_in_part(w->bridge) && !s->shown;

    if (next->delivery == w->bridge->delivery && !s->paid && (next->delivery != DELIVERY_NONE || stays))
        return;
    next->arrived = (struct token_ref){ .chain_id = 0 };
    next->arrived_amount = U256_ZERO;
    if (next->delivery != DELIVERY_NONE || part) {
        next->arrived = s->token;
        next->arrived_amount = s->amount;
    }
}

void bridge_judged(struct tracked *w, enum bridge_delivery delivery)
{
    struct bridge_observation *s = &w->bridge_observation;
    struct bridge *next = &s->next;

    if (!s->due)
        return;
    next->delivery = delivery;
    if (s->shown)
        next->out_block = s->block;
    if (delivery == DELIVERY_REPORTED && w->bridge->delivery == DELIVERY_NONE)
        s->amount = s->says.amount; /* no other source tells */
    arrived_keep(w, next);
    contradiction_tell(w);
}

/* ---- writing it down ---- */

static enum db_update arrivals_record(struct db *db, const struct tracked *w)
{
    const struct bridge_observation *s = &w->bridge_observation;
    const struct arrival_claim claim = claim_of(w, s->next.out_chain_id);
    enum db_update added = UPDATED;

    for (unsigned i = 0; i < s->arrival_count && added == UPDATED; i++)
        added = arrivals_add(db, &claim, &s->arrivals[i]);
    return added;
}

/* The proof changes: it is proven now, or in another block, or not any more. */
static enum db_update bridge_claim(struct db *db, const struct tracked *w)
{
    bool claimed = is_claimed(&w->bridge_observation.next), before = is_claimed(w->bridge),
         anew = claimed && w->bridge_observation.arrival_count > 0;

    if (before && (anew || !claimed) && !arrivals_remove(db, w->execution->id))
        return DB_ERROR;
    return anew ? STEP("bridge.arrival", arrivals_record(db, w), DB_ERROR) : UPDATED;
}

/* The part of WHOLE that was spent: a partial refund counts in no limit. A full one shows in the execution's
 * end. */
static uint64_t part_spent(const struct execution *x, const struct bridge *b)
{
    return is_in_part(b) ? WHOLE - refund_share(x, &b->arrived, b->arrived_amount) : WHOLE;
}

static bool part_record(struct db *db, const struct tracked *w)
{
    uint64_t part = part_spent(w->execution, &w->bridge_observation.next);

    return part == part_spent(w->execution, w->bridge) || spends_keep(db, w->execution->id, part, WHOLE);
}

enum db_update bridge_record(struct db *db, const struct tracked *w)
{
    enum db_update recorded =
        STEP("bridge.record", bridges_record(db, &w->bridge_observation.next), DB_ERROR);

    if (recorded == UPDATED)
        recorded = bridge_claim(db, w);
    return recorded == UPDATED && !part_record(db, w) ? DB_ERROR : recorded;
}

/* Payments that logs show can be claimed only once anyway. */
static bool claims_of_block(const struct bridge_observation *s)
{
    for (unsigned i = 0; i < s->arrival_count; i++)
        if (s->arrivals[i].of_block)
            return true;
    return false;
}

enum db_update bridge_recheck(struct db *db, struct arena *a, const struct tracked *w)
{
    const struct bridge_observation *s = &w->bridge_observation;

    if (!s->due || !is_claimed(&s->next) || !claims_of_block(s))
        return UPDATED;
    const struct arrival_claim claim = claim_of(w, w->bridge_observation.next.out_chain_id);
    struct arrival_taken *taken;
    int n = arrivals_taken(db, a, &claim, &taken);

    if (n < 0)
        return DB_ERROR;
    return n == w->bridge_observation.rivals ? UPDATED : UNCHANGED;
}
