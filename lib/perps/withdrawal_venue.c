#include "perps/withdrawal_venue.h"

#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/incident.h"
#include "chain/evm/evm_rpc.h"
#include "chain/rpc/block_time.h"
#include "chain/rpc/node.h"
#include "chain/rpc/node_health.h"
#include "codec/rand.h"
#include "exec/opinion.h"
#include "perps/action_sign.h"
#include "perps/order_read.h"
#include "perps/perps_order_venue.h"
#include "perps/perps_transfer_poll.h"
#include "perps/request_budget.h"
#include "perps/withdrawal_payment.h"
#include "service/conf.h"

enum {
    ACTION_WEIGHT = 1,
    QUESTION_MAX = 8192,
    /* The depth at which no payment is expected to be reorganised away, unless the chain's own settle_depth
     * is less: so many blocks, and at least so much time. */
    DEPTH_MAX = 32,
    DEEP_MS = 60 * 1000,
    WINDOW = 2000, /* blocks that a node is asked about at once, where it takes so many */
    WINDOWS = 8,   /* of fewer blocks, in a poll */
    AGREE_MS = 2500,
};

/* ---- signing ---- */

static bool withdrawal_sign(const struct ctx *ctx, struct arena *a, const struct request_signing *in,
                            struct venue_request *out)
{
    struct hyperliquid_action action = *(const struct hyperliquid_action *)in->request->order;

    action.testnet = strcmp(ctx->conf->perps_network, "testnet") == 0;
    action.nonce = in->nonce;
    return in->wallet->has_key && perps_action_sign(ctx, a, in->wallet, NULL, &action, out);
}

/* ---- sending ---- */

static bool withdrawal_ask_send(struct call *call, const struct ctx *ctx, const struct venue_request *r,
                                struct arena *a)
{
    (void)perps_request_budget_take(ctx, ACTION_WEIGHT, PERPS_REQUEST_BUDGET_ORDERS);
    perps_exchange_call(call, ctx, a, r->body, r->body_len);
    return true;
}

/* Words that are not known, or that it has had these bytes, are the whole truth only about bytes that were
 * sent before: the nonce that they bear is used up, or they are no use. What they have done is in the ledger.
 */
static void said_unclear(const struct venue_request *r, const struct perps_reply *said,
                         struct request_observation *out)
{
    if (*said->text == '\0' || r->effect.broadcasts == 0)
        return;
    out->says = VENUE_REFUSED;
    out->why = &E_PERPS_TRANSFER_FAILED;
}

static void said_read(const struct venue_request *r, const struct perps_reply *said,
                      struct request_observation *out)
{
    switch (said->answer) {
    case PERPS_REPLY_DONE:
        out->says = VENUE_HAS;
        break;
    case PERPS_REPLY_REFUSED:
        out->says = VENUE_REFUSED;
        out->why = said->why;
        break;
    case PERPS_REPLY_UNKNOWN_SIGNER:
        out->says = VENUE_REFUSED;
        out->why = &E_PERPS_NOT_FUNDED;
        break;
    case PERPS_REPLY_ARRIVED:
    case PERPS_REPLY_NONE:
    case PERPS_REPLY_GONE:
        said_unclear(r, said, out);
    }
}

static void withdrawal_read_send(const struct call *call, const struct venue_request *r, struct arena *a,
                                 struct request_observation *out)
{
    struct perps_reply said = { .text = "" };

    if (call->result == CALL_ANSWERED && call->status == 200)
        perps_read_reply(a, &call->answer, &said);
    said_read(r, &said, out);
    if (out->says != VENUE_HAS)
        log_repeated("perps_not_withdrawn", "",
                     "msg=\"the venue of perpetuals did not take a withdrawal\" execution=%llu status=%d"
                     " why=\"%s\" said=\"%.200s\"",
                     (unsigned long long)r->effect.execution_id, call->status, call->why, said.text);
}

/* ---- the venue's answers ---- */

/* The chain shows the state of a withdrawal. */
static bool withdrawal_ask_status(struct call *call, const struct ctx *ctx, const struct venue_request *r,
                                  struct arena *a)
{
    bool unsent = r->effect.broadcasts == 0 && clock_ms() < r->expires_ms;

    return !unsent && r->effect.state != EFFECT_INCLUDED && transfer_look_is_due() &&
           transfer_poll_ask(call, ctx, r, a);
}

static void withdrawal_read_status(const struct call *call, const struct venue_request *r, struct arena *a,
                                   struct request_observation *out)
{
    struct venue_ledger ledger;

    if (!transfer_poll_read(call, a, &ledger))
        return;
    if (venue_ledger_has(&ledger, r->nonce))
        out->says = VENUE_HAS;
    else if (clock_ms() - r->effect.broadcast_ms > TRANSFER_LAG_MS)
        out->says = VENUE_UNKNOWN;
}

/* ---- the chain's state ---- */

struct withdrawal_payment_poll {
    const struct ctx *ctx;
    struct transfer_poll *poll;
    struct withdrawal_payment_wanted wanted;
    unsigned depth;
    struct buf body;
    struct rpc_batch batch;
    struct node_query query;
};

enum { SEEN_HEAD, SEEN_NEWEST };

static unsigned depth_wanted(const struct ctx *ctx, const struct chain *c)
{
    uint64_t depth = settle_depth_of(ctx->conf, c);
    unsigned deep = DEEP_MS / block_time_ms(c);

    if (deep < DEPTH_MAX)
        deep = DEPTH_MAX;
    return depth < deep ? (unsigned)depth : deep;
}

/* The number of blocks that there should be by now. */
static uint64_t blocks_since(const struct chain *c, int64_t since_ms)
{
    int64_t passed_ms = clock_ms() - since_ms;

    return passed_ms > 0 ? (uint64_t)passed_ms / block_time_ms(c) : 0;
}

static uint64_t head_of(const struct withdrawal_payment_poll *l, uint64_t from)
{
    const struct chain *c = l->wanted.chain;
    struct node_head head;
    size_t place;

    return nodes_best(l->ctx->nodes, c, &place, &head) ? head.height
                                                       : from + blocks_since(c, l->poll->since_ms);
}

/* All of these windows or, where they are many, half of what is asked the newest that are deep enough, and
 * half any: a payment is told by one poll of it. */
static uint64_t window_choose(const struct withdrawal_payment_poll *l, unsigned i, uint64_t count,
                              unsigned blocks)
{
    uint64_t shallow = (l->depth - 1) / blocks;

    if (count <= WINDOWS)
        return i;
    if (i >= WINDOWS / 2 || shallow + i >= count)
        return rand_below((uint32_t)count);
    return count - 1 - shallow - i;
}

/* Asks for fewer blocks after a node has refused WINDOW blocks. */
static void narrow_windows_ask(struct withdrawal_payment_poll *l, unsigned blocks)
{
    uint64_t first = l->poll->transfer.block + 1, head = head_of(l, first),
             count = head < first ? 0 : (head - first) / blocks + 1;

    for (unsigned i = 0; i < WINDOWS && i < count; i++) {
        uint64_t from = first + blocks * window_choose(l, i, count, blocks), to = from + blocks - 1;

        withdrawal_payments_ask(&l->batch, &l->wanted, from, to < head ? to : head);
    }
}

/* The newest blocks at each poll; of all before them, once they are many, some. */
static void windows_ask(struct withdrawal_payment_poll *l)
{
    uint64_t from = l->poll->transfer.block + 1, newest = from, earlier,
             blocks = blocks_since(l->wanted.chain, l->poll->since_ms);

    l->batch.blocks = node_log_blocks(l->ctx->nodes, l->wanted.chain, WINDOW);
    if (l->batch.blocks < WINDOW) {
        narrow_windows_ask(l, l->batch.blocks);
        return;
    }
    if (blocks > WINDOW)
        newest += blocks - WINDOW;
    withdrawal_payments_ask(&l->batch, &l->wanted, newest, 0);
    if (newest == from)
        return;
    earlier = from + WINDOW * (uint64_t)rand_below((uint32_t)((newest - from) / WINDOW + 1));
    withdrawal_payments_ask(&l->batch, &l->wanted, earlier, earlier + WINDOW - 1);
}

static struct withdrawal_payment_poll *withdrawal_payment_poll_of(const struct ctx *ctx, struct arena *a,
                                                                  const struct venue_request *r)
{
    struct transfer_poll *poll = transfer_poll_begin(ctx, a, r);
    const struct chain *c = poll == NULL ? NULL : chain_by_id(poll->transfer.chain_id);
    struct withdrawal_payment_poll *l = ARENA_NEW(a, struct withdrawal_payment_poll);

    if (c == NULL)
        return NULL;
    *l = (struct withdrawal_payment_poll){ .ctx = ctx,
                                           .poll = poll,
                                           .wanted = { .chain = c,
                                                       .route = poll->transfer.route,
                                                       .wallet = poll->wallet,
                                                       .most = poll->transfer.amount,
                                                       .expected = poll->transfer.expected,
                                                       .least = poll->transfer.least,
                                                       .taken = poll->taken },
                                           .depth = depth_wanted(ctx, c),
                                           .body = BUF_INIT(QUESTION_MAX) };
    return l;
}

static bool withdrawal_ask_proof(struct call *call, const struct ctx *ctx, const struct venue_request *r,
                                 struct arena *a)
{
    struct withdrawal_payment_poll *l;

    if (r->effect.state != EFFECT_INCLUDED || !transfer_look_is_due() ||
        (l = withdrawal_payment_poll_of(ctx, a, r)) == NULL)
        return false;
    l->batch = rpc_begin(&l->body);
    rpc_add(&l->batch, "eth_blockNumber", "[]");
    windows_ask(l);
    rpc_end(&l->batch);
    l->query = (struct node_query){ .chain = l->wanted.chain, .batch = &l->batch, .owner = l };
    if (node_begin(call, ctx, &l->query, a))
        return true;
    buf_free(&l->body);
    return false;
}

/* An error of a node behind the transfer's block is no refusal: it does not have the blocks yet. */
static void unread_tell(const struct withdrawal_payment_poll *l, const struct rpc_answers *as)
{
    char about[INCIDENT_ABOUT_MAX + 1];
    uint64_t head;

    (void)snprintf(about, sizeof about, "chain=%s", l->wanted.chain->key);
    if (rpc_u64(&head, &as->items[SEEN_HEAD]) && head <= l->poll->transfer.block)
        return;
    for (unsigned i = SEEN_NEWEST; i < as->count; i++)
        if (as->items[i].result == NULL)
            log_repeated("payouts_read_failed", about,
                         "msg=\"the logs of what is paid out on a chain cannot be read\" said=\"%.100s\"",
                         as->items[i].error_text);
}

/* False: the chain does not tell. */
static bool withdrawal_payment_find(struct withdrawal_payment *out, uint64_t *head, struct arena *a,
                                    const struct withdrawal_payment_poll *l, const struct rpc_answers *as)
{
    bool told = rpc_u64(head, &as->items[SEEN_HEAD]);

    *out = (struct withdrawal_payment){ .id = "" };
    for (unsigned i = SEEN_NEWEST; i < as->count; i++)
        told = told &&
               (as->items[i].result == NULL || withdrawal_payments_read(a, &as->items[i], &l->wanted, out));
    return told && *out->id != '\0';
}

static bool is_deep(const struct withdrawal_payment *p, uint64_t head,
                    const struct withdrawal_payment_poll *l)
{
    return head >= p->block && head - p->block + 1 >= l->depth;
}

/* Two nodes show it, each by itself, where there are two. */
static bool withdrawal_payment_agreed(const struct withdrawal_payment *p, struct arena *a,
                                      const struct withdrawal_payment_poll *l, const struct venue_request *r)
{
    struct rpc_answers answers[NODE_OPINIONS];
    size_t told, agree = 0;
    uint64_t head;

    if (!opinions_differ(l->ctx, l->wanted.chain))
        return true;
    told = node_ask_two(l->ctx, l->wanted.chain, &l->batch, AGREE_MS, a, answers);
    for (size_t i = 0; i < told; i++) {
        struct withdrawal_payment other;

        agree += withdrawal_payment_find(&other, &head, a, l, &answers[i]) && strcmp(other.id, p->id) == 0 &&
                 u256_cmp(other.amount, p->amount) == 0 && is_deep(&other, head, l);
    }
    node_answers_free(answers, told);
    return agree == told &&
           opinions_do(l->ctx, l->wanted.chain, agree, clock_ms() - r->effect.created_ms, OPINION_LONG_MS);
}

static void withdrawal_payment_take(const struct withdrawal_payment *p, uint64_t head, struct arena *a,
                                    const struct withdrawal_payment_poll *l, const struct venue_request *r,
                                    struct request_observation *out)
{
    out->tx_hash = p->tx;
    if (!is_deep(p, head, l) || !withdrawal_payment_agreed(p, a, l, r))
        return;
    out->says = VENUE_FILLED;
    out->venue_ref = p->id;
    out->has_brought = true;
    out->brought = p->amount;
    out->block = p->block;
}

static void withdrawal_read_proof(const struct call *call, const struct venue_request *r, struct arena *a,
                                  struct request_observation *out)
{
    struct node_query *query = call->owner;
    struct withdrawal_payment_poll *l = query->owner;
    struct withdrawal_payment paid;
    uint64_t head;

    if (node_end(query)) {
        unread_tell(l, &query->answers);
        if (withdrawal_payment_find(&paid, &head, a, l, &query->answers))
            withdrawal_payment_take(&paid, head, a, l, r, out);
        rpc_answers_free(&query->answers);
    }
    buf_free(&l->body);
}

/* Each body uses up its nonce, with any result. */
const struct venue perps_withdrawal_venue = { .name = "hyperliquid-withdrawal",
                                              .has_nonces = true,
                                              .refuses_for_good = true,
                                              .sign = withdrawal_sign,
                                              .ask_send = withdrawal_ask_send,
                                              .read_send = withdrawal_read_send,
                                              .ask_status = withdrawal_ask_status,
                                              .read_status = withdrawal_read_status,
                                              .ask_proof = withdrawal_ask_proof,
                                              .read_proof = withdrawal_read_proof };

void perps_withdrawal_request(struct plan *p, struct arena *a, const struct hyperliquid_action *action)
{
    struct plan_request *r = &p->requests[p->request_count++];

    *r = (struct plan_request){ .venue = &perps_withdrawal_venue,
                                .order = action,
                                .signing_key = arena_memdup(a, p->wallet, strlen(p->wallet)),
                                .signing_key_len = strlen(p->wallet),
                                .expires_ms = p->deadline * 1000 };
}
