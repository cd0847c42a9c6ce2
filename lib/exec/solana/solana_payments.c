#include "exec/solana/solana_payments.h"

#include <string.h>

#include "chain/rpc/node.h"
#include "chain/solana/solana_rpc.h"
#include "exec/solana/solana_receipt.h"
#include "exec/solana/solana_stored.h"

/* The statuses come first: what they show as final was final before the rest was read. */
enum { AT_STATUSES, AT_FIRST };

struct solana_payments {
    struct buf body;
    struct rpc_batch batch;
};

/* ---- requests ---- */

bool solana_payments_begin(const struct ctx *ctx, struct arena *a, struct payments *p, struct call *call)
{
    struct solana_payments *l = ARENA_NEW(a, struct solana_payments);
    const char *signatures[PAYMENTS_MAX];

    *l = (struct solana_payments){ .body = BUF_INIT(MAX_TX) };
    l->batch = rpc_begin(&l->body);
    for (unsigned i = 0; i < p->count; i++)
        signatures[i] = solana_hash_text(a, p->list[i].tx);
    solana_ask_statuses(&l->batch, signatures, p->count);
    for (unsigned i = 0; i < p->count; i++)
        solana_receipt_ask(&l->batch, signatures[i]);
    rpc_end(&l->batch);
    p->query->chain = p->chain;
    p->query->batch = &l->batch;
    p->poll = l;
    if (node_begin(call, ctx, p->query, a))
        return true;
    buf_free(&l->body);
    return false;
}

/* ---- tokens ---- */

/* An account by its place in the transaction, before or after it. */
struct balance {
    uint64_t place, amount;
    const char *owner, *mint;
};

static bool balance_read(struct balance *out, const json_t *each)
{
    out->owner = json_string_value(json_object_get(each, "owner"));
    out->mint = json_string_value(json_object_get(each, "mint"));
    return out->owner != NULL && out->mint != NULL &&
           solana_rpc_number(&out->place, json_object_get(each, "accountIndex")) &&
           solana_receipt_amount(&out->amount, each);
}

/* The balance of the account at that place, before or after; 0: it was not there, or is gone. */
static uint64_t balance_at(const json_t *list, uint64_t place)
{
    struct balance b;
    const json_t *each;
    size_t i;

    json_array_foreach(list, i, each) if (balance_read(&b, each) && b.place == place) return b.amount;
    return 0;
}

static bool balances_readable(const json_t *list)
{
    struct balance b;
    const json_t *each;
    size_t i;

    json_array_foreach(list, i, each) if (!balance_read(&b, each)) return false;
    return json_is_array(list);
}

/* A token that leaves one of the recipient's accounts in the same transaction has only been moved around. */
static bool recipient_pays_too(const json_t *pre, const json_t *post, const struct balance *in)
{
    struct balance b;
    const json_t *each;
    size_t i;

    json_array_foreach(pre, i, each) if (balance_read(&b, each) && strcmp(b.owner, in->owner) == 0 &&
                                         strcmp(b.mint, in->mint) == 0 &&
                                         balance_at(post, b.place) < b.amount) return true;
    return false;
}

static void arrival_add(struct payment *p, struct arena *a, int place, const char *token, uint64_t amount)
{
    struct arrival *m;

    p->arrivals = arena_grow(a, p->arrivals, p->count, sizeof *p->arrivals);
    m = &p->arrivals[p->count++];
    *m = (struct arrival){ .log_index = place, .amount = u256_from_u64(amount) };
    solana_address_bytes(&m->token, token);
}

static bool tokens_read(struct payment *p, struct arena *a, const json_t *meta)
{
    const json_t *pre = json_object_get(meta, "preTokenBalances"),
                 *post = json_object_get(meta, "postTokenBalances"), *each;
    struct balance b;
    size_t i;

    if (!balances_readable(pre) || !balances_readable(post))
        return false;
    json_array_foreach(post, i, each)
    {
        uint64_t before;

        if (!balance_read(&b, each) || strcmp(b.owner, p->recipient) != 0 || b.place > UINT8_MAX ||
            recipient_pays_too(pre, post, &b))
            continue;
        before = balance_at(pre, b.place);
        if (b.amount > before)
            arrival_add(p, a, (int)b.place, b.mint, b.amount - before);
    }
    return true;
}

/* ---- coin ---- */

/* Accounts are in this order: those of the message, then what it looks up. */
static bool place_in(const json_t *list, const char *account, size_t *place)
{
    for (size_t i = 0; i < json_array_size(list); i++, ++*place) {
        const char *key = json_string_value(json_array_get(list, i));

        if (key != NULL && strcmp(key, account) == 0)
            return true;
    }
    return false;
}

static bool place_of(const json_t *tx, const char *account, size_t *place)
{
    const json_t *message = json_object_get(json_object_get(tx, "transaction"), "message"),
                 *found = json_object_get(json_object_get(tx, "meta"), "loadedAddresses");

    *place = 0;
    return place_in(json_object_get(message, "accountKeys"), account, place) ||
           place_in(json_object_get(found, "writable"), account, place) ||
           place_in(json_object_get(found, "readonly"), account, place);
}

/* The recipient's own account; none of its token accounts' deposits. */
static bool coin_read(struct payment *p, struct arena *a, const json_t *tx)
{
    const json_t *meta = json_object_get(tx, "meta");
    uint64_t before, after;
    size_t place;

    if (!place_of(tx, p->recipient, &place))
        return true;
    if (!solana_rpc_number(&before, json_array_get(json_object_get(meta, "preBalances"), place)) ||
        !solana_rpc_number(&after, json_array_get(json_object_get(meta, "postBalances"), place)))
        return false;
    if (after > before)
        arrival_add(p, a, ARRIVAL_COIN, "", after - before);
    return true;
}

/* ---- answers ---- */

/* Nothing may be concluded from a node behind the slot that has shown it before, nor from one that knows that
 * it is there, and not yet what it did. */
static void payment_read(struct payment *p, struct arena *a, const struct solana_status *s, uint64_t slot,
                         const struct rpc_answer *r)
{
    const json_t *meta = json_object_get(r->result, "meta");

    if (!s->known) {
        p->known = p->seen_block <= slot;
        (void)solana_rpc_number(&p->lists, json_object_get(r->result, "slot"));
        return;
    }
    p->block = s->slot;
    p->succeeded = s->succeeded;
    p->confirmed = s->confirmed;
    p->settled = s->finalized;
    p->known = !s->succeeded || !s->confirmed || (tokens_read(p, a, meta) && coin_read(p, a, r->result));
}

void solana_payments_end(const struct ctx *ctx, struct arena *a, struct payments *p)
{
    struct solana_payments *l = p->poll;
    struct solana_status statuses[PAYMENTS_MAX];
    uint64_t slot;

    (void)ctx;
    if (node_call_end(p->call)) {
        const struct rpc_answers *as = &p->query->answers;
        bool told = solana_read_statuses(statuses, p->count, &slot, &as->items[AT_STATUSES]);

        for (unsigned i = 0; told && i < p->count; i++)
            payment_read(&p->list[i], a, &statuses[i], slot, &as->items[AT_FIRST + i]);
        rpc_answers_free(&p->query->answers);
    }
    buf_free(&l->body);
}
