#include "predict/relayer_venue.h"

#include <inttypes.h>
#include <string.h>

#include "base/clock.h"
#include "base/incident.h"
#include "chain/evm/abi.h"
#include "chain/evm/evm_rpc.h"
#include "chain/evm/multicall.h"
#include "chain/rpc/block_time.h"
#include "chain/rpc/node.h"
#include "codec/rand.h"
#include "exec/opinion.h"
#include "predict/message_sign.h"
#include "predict/relayer.h"
#include "predict/relayer_quota.h"
#include "predict/trading_wallet.h"
#include "service/conf.h"

enum {
    SEL_NONCE = 0xaffed0e0,
    SEL_BLOCK_NUMBER = 0x42cbb15c,
    SEL_BLOCK_TIME = 0x0f28c97d,
    /* The depth at which no batch is expected to be reorganised away, unless the chain's own settle_depth is
     * less. */
    DEPTH_MAX = 32,
    AGREE_MS = 2500,
    AGAIN_MS = 30000, /* the chain shows nothing of what was submitted then: once more */
    ANSWER_MAX = 256 * 1024,
    POLL_MAX = 4096,
    TOO_MANY = 429,
    ALMOST_OVER_S = 2 * 60, /* a batch is carried out within seconds */
};

/* ---- signing ---- */

/* Making a wallet needs no signature; the key only distinguishes it from other requests. */
static bool creation_make(struct arena *a, const struct trading_batch *b, struct venue_request *out)
{
    struct buf body = BUF_INIT(RELAYER_BODY_MAX);

    rand_bytes(out->venue_key, sizeof out->venue_key);
    relayer_write_creation(&body, b->owner);
    out->body = arena_memdup(a, body.data, body.len);
    out->body_len = body.len;
    buf_free(&body);
    return true;
}

static bool batch_make(const struct ctx *ctx, struct arena *a, const struct request_signing *in,
                       const struct trading_batch *b, struct venue_request *out)
{
    const struct polymarket_message m = { .kind = POLYMARKET_BATCH,
                                          .batch = { .wallet = b->wallet,
                                                     .nonce = b->nonce,
                                                     .deadline = (uint64_t)in->expires_ms / 1000,
                                                     .calls = b->calls,
                                                     .count = b->count } };
    uint8_t sig[MESSAGE_SIGNATURE_LEN];
    struct buf body = BUF_INIT(RELAYER_BODY_MAX);
    bool made;

    if (!message_sign(sig, ctx, in->wallet, &m))
        return false;
    polymarket_batch_digest(out->venue_key, &m.batch);
    relayer_write_batch(&body, b->owner, &m.batch, sig);
    made = !body.overflow;
    out->body = arena_memdup(a, body.data, body.len);
    out->body_len = body.len;
    buf_free(&body);
    return made;
}

static bool relayer_sign(const struct ctx *ctx, struct arena *a, const struct request_signing *in,
                         struct venue_request *out)
{
    const struct relayer_order *order = in->request->order;

    return order->creates ? creation_make(a, order->batch, out) : batch_make(ctx, a, in, order->batch, out);
}

/* ---- while it has no quota left ---- */

static int64_t relayer_held_until(const struct ctx *ctx, struct arena *a)
{
    return ctx->relayer_key == NULL ? 0 : relayer_quota_until(ctx->db, a, ctx->relayer_key);
}

/* The wallet carries out only one of two batches with one nonce. */
static enum db_update relayer_prolong(const struct ctx *ctx, struct arena *a, const struct wallet *w,
                                      const struct venue_request *old, struct venue_request *out)
{
    struct relayer_batch *was = ARENA_NEW(a, struct relayer_batch);
    int64_t now = clock_seconds(), end = old->expires_ms / 1000;
    struct trading_batch b;

    if (!relayer_read_batch(was, a, old->body, old->body_len) || (int64_t)was->batch.deadline >= end ||
        (int64_t)was->batch.deadline > now + ALMOST_OVER_S || relayer_held_until(ctx, a) != 0)
        return UNCHANGED;
    b = (struct trading_batch){
        .wallet = was->batch.wallet, .owner = was->owner, .nonce = was->batch.nonce, .count = was->batch.count
    };
    memcpy(b.calls, was->calls, sizeof b.calls);
    out->expires_ms = 1000 * (end < now + TRADING_BATCH_VALID_S ? end : now + TRADING_BATCH_VALID_S);
    return batch_make(ctx, a, &(struct request_signing){ .wallet = w, .expires_ms = out->expires_ms }, &b,
                      out)
               ? UPDATED
               : DB_ERROR;
}

/* ---- sending ---- */

static bool call_begin(struct call *call, const struct ctx *ctx, struct arena *a, const char *method,
                       const char *path, const char *query, const char *body)
{
    if (ctx->relayer_key == NULL)
        return false;
    call_init(call, arena_printf(a, "%s%s%s", ctx->conf->predict_relayer_url, path, query), ANSWER_MAX);
    call_use_lane(call, ctx->bulkhead, BULKHEAD_EXCHANGE);
    if (relayer_head(call, a, ctx->relayer_key, clock_seconds(), method, path, body))
        return true;
    call_free(call);
    return false;
}

static bool relayer_ask_send(struct call *call, const struct ctx *ctx, const struct venue_request *r,
                             struct arena *a)
{
    const char *body = arena_strndup(a, (const char *)r->body, r->body_len);

    if (ctx->relayer_key == NULL || relayer_held_until(ctx, a) != 0 ||
        !call_begin(call, ctx, a, "POST", "/submit", "", body))
        return false;
    buf_add(&call->body, r->body, r->body_len);
    call->owner = ARENA_NEW(a, const struct ctx *);
    *(const struct ctx **)call->owner = ctx;
    return true;
}

/* A refusal proves nothing: the wallet may be busy with what was submitted before, or the node behind the
 * relayer behind ours. */
static void relayer_read_send(const struct call *call, const struct venue_request *r, struct arena *a,
                              struct request_observation *out)
{
    const char *id;

    if (call->result == CALL_ANSWERED && call->status / 100 == 2 &&
        relayer_read_submitted(a, &call->answer, &id)) {
        out->says = VENUE_HAS;
        out->venue_ref = id;
        return;
    }
    if (call->result == CALL_ANSWERED && call->status == TOO_MANY) {
        relayer_quota_note(*(const struct ctx **)call->owner, a, relayer_quota_wait(&call->answer));
        return;
    }
    log_repeated("relayer_rejected", "",
                 "msg=\"the relayer took nothing\" execution=%llu result=%d status=%d",
                 (unsigned long long)r->effect.execution_id, (int)call->result, call->status);
}

/* ---- the relayer's answers ---- */

/* Without its id, as its answer was lost, it is looked for among the newest. */
static bool relayer_ask_status(struct call *call, const struct ctx *ctx, const struct venue_request *r,
                               struct arena *a)
{
    if (r->effect.broadcasts == 0)
        return false;
    if (*r->venue_ref == '\0' && relayer_held_until(ctx, a) != 0)
        return false;
    if (*r->venue_ref == '\0')
        return call_begin(call, ctx, a, "GET", "/transactions", "", NULL);
    return call_begin(call, ctx, a, "GET", "/transaction", arena_printf(a, "?id=%s", r->venue_ref), NULL);
}

static void relayer_read_status(const struct call *call, const struct venue_request *r, struct arena *a,
                                struct request_observation *out)
{
    bool knew = *r->venue_ref != '\0';
    struct relayer_row row;

    if (call->result != CALL_ANSWERED)
        return;
    if (knew && call->status == 404) {
        out->says = VENUE_DROPPED;
        return;
    }
    if (call->status / 100 != 2 || !relayer_read_rows(a, &call->answer, r->venue_ref, r->venue_key, &row) ||
        row.id == NULL)
        return;
    out->says = row.state == RELAYER_HAS ? VENUE_HAS : VENUE_DROPPED;
    out->venue_ref = knew ? NULL : row.id;
    out->tx_hash = row.tx_hash;
}

/* ---- proofs by the chain ---- */

/* The newest block that this process has seen: what is deep is asked at a block below. */
static uint64_t head_seen;

struct relayer_poll {
    const struct ctx *ctx;
    unsigned depth; /* that counts */
    struct relayer_task task;
    struct buf body;
    struct rpc_batch batch;
    struct node_query query;
};

enum { SEEN_BLOCK, SEEN_TIME, SEEN_NONCE };

static unsigned depth_wanted(const struct ctx *ctx, const struct chain *c)
{
    uint64_t depth = settle_depth_of(ctx->conf, c);

    return depth < DEPTH_MAX ? (unsigned)depth : DEPTH_MAX;
}

/* The wallet's nonce, far enough below. */
static void deep_ask(struct relayer_poll *l)
{
    char wallet[EVM_ADDR_TEXT_LEN + 1];

    if (head_seen <= l->depth)
        return;
    evm_addr_text(wallet, l->task.wallet);
    rpc_add(&l->batch, "eth_call", "[{\"to\":\"%s\",\"data\":\"0x%08x\"},\"0x%" PRIx64 "\"]", wallet,
            (unsigned)SEL_NONCE, head_seen - l->depth);
}

static void proof_ask(struct relayer_poll *l)
{
    struct multicall m = MULTICALL_INIT(POLL_MAX);
    struct buf data = BUF_INIT(POLL_MAX);

    abi_selector(&data, SEL_BLOCK_NUMBER);
    multicall_add(&m, multicall_addr(), &data);
    buf_reset(&data);
    abi_selector(&data, SEL_BLOCK_TIME);
    multicall_add(&m, multicall_addr(), &data);
    buf_reset(&data);
    abi_selector(&data, SEL_NONCE);
    multicall_add(&m, l->task.wallet, &data);
    buf_reset(&data);
    multicall_finish(&m, &data);
    multicall_call(&l->batch, &data);
    deep_ask(l);
    rpc_end(&l->batch);
    buf_free(&data);
    multicall_free(&m);
}

static bool relayer_ask_proof(struct call *call, const struct ctx *ctx, const struct venue_request *r,
                              struct arena *a)
{
    struct relayer_poll *l;

    if (r->effect.broadcasts == 0 && clock_ms() < r->expires_ms)
        return false;
    l = ARENA_NEW(a, struct relayer_poll);
    *l = (struct relayer_poll){ .ctx = ctx,
                                .depth = depth_wanted(ctx, chain_by_id(POLYMARKET_CHAIN_ID)),
                                .body = BUF_INIT(4 * POLL_MAX) };
    l->batch = rpc_begin(&l->body);
    if (relayer_read_task(&l->task, r->body, r->body_len)) {
        proof_ask(l);
        l->query =
            (struct node_query){ .chain = chain_by_id(POLYMARKET_CHAIN_ID), .batch = &l->batch, .owner = l };
        if (node_begin(call, ctx, &l->query, a))
            return true;
    }
    buf_free(&l->body);
    return false;
}

struct chain_word {
    uint64_t block, time; /* the newest */
    bool there;           /* the wallet */
    uint64_t nonce;       /* of its next batch */
    uint64_t deep_nonce;  /* the same, far enough below; 0: none, or not known */
};

static bool proof_read(struct chain_word *out, struct arena *a, const struct rpc_answers *as)
{
    struct multicall_results seen = { NULL, 0 };
    struct u256 block, time, nonce, deep;
    const uint8_t *word;
    size_t n;

    *out = (struct chain_word){ .block = 0 };
    if (!rpc_bytes(&seen.data, &seen.len, a, &as->items[0]) || !multicall_word(&block, &seen, SEEN_BLOCK) ||
        !multicall_word(&time, &seen, SEEN_TIME) || !u256_to_u64(&out->block, block) ||
        !u256_to_u64(&out->time, time))
        return false;
    out->there = multicall_word(&nonce, &seen, SEEN_NONCE) && u256_to_u64(&out->nonce, nonce);
    if (as->count > 1 && rpc_bytes(&word, &n, a, &as->items[1]) && abi_get_u256(&deep, word, n, 0) &&
        !u256_to_u64(&out->deep_nonce, deep))
        return false;
    return true;
}

/* A wallet that is there stays there, or is made again: nothing depends on how deep it is. A batch counts
 * once it is deep enough, and long after its deadline it is. Not made, or not acted, by then: never. */
static enum venue_says chain_proves(const struct chain_word *w, const struct relayer_task *task,
                                    int64_t expires_ms, unsigned depth, unsigned block_ms)
{
    uint64_t end = (uint64_t)expires_ms / 1000 + (uint64_t)depth * block_ms / 1000 + 1;
    bool over = w->time > end;

    if (task->creates)
        return w->there ? VENUE_FILLED : over ? VENUE_EXPIRED : VENUE_UNAVAILABLE;
    if (!w->there || w->nonce <= task->nonce)
        return over ? VENUE_EXPIRED : VENUE_UNAVAILABLE;
    return over || w->deep_nonce > task->nonce ? VENUE_FILLED : VENUE_HAS;
}

static enum venue_says word_proves(const struct chain_word *w, const struct relayer_poll *l,
                                   const struct venue_request *r)
{
    return chain_proves(w, &l->task, r->expires_ms, l->depth, block_time_ms(l->query.chain));
}

/* Success needs two nodes, each by itself, where there are two; expiry without success always does. Long
 * after the expiry the nodes that answer are enough. */
static bool proven_by_all(struct arena *a, const struct relayer_poll *l, const struct venue_request *r,
                          enum venue_says proven)
{
    struct rpc_answers answers[NODE_OPINIONS];
    size_t told = node_ask_two(l->ctx, l->query.chain, &l->batch, AGREE_MS, a, answers), agree = 0;
    struct chain_word word;

    for (size_t i = 0; i < told; i++) {
        agree += proof_read(&word, a, &answers[i]) && word_proves(&word, l, r) == proven;
    }
    node_answers_free(answers, told);
    if (told == 0 || agree != told)
        return false;
    if (proven == VENUE_FILLED)
        return opinions_do(l->ctx, l->query.chain, agree, clock_ms() - r->effect.created_ms, OPINION_LONG_MS);
    return told == NODE_OPINIONS || clock_ms() - r->expires_ms >= OPINION_LONG_MS;
}

static bool needs_all(const struct relayer_poll *l, enum venue_says proven)
{
    return proven == VENUE_EXPIRED || (proven == VENUE_FILLED && opinions_differ(l->ctx, l->query.chain));
}

/* The relayer has had time enough, even if it reports the request as pending. */
static bool seems_dropped(const struct venue_request *r, enum venue_says says)
{
    return (says == VENUE_HAS || r->effect.state == EFFECT_INCLUDED) &&
           clock_ms() - r->effect.broadcast_ms > AGAIN_MS;
}

static void relayer_read_proof(const struct call *call, const struct venue_request *r, struct arena *a,
                               struct request_observation *out)
{
    struct node_query *query = call->owner;
    struct relayer_poll *l = query->owner;
    enum venue_says proven = VENUE_UNAVAILABLE;
    struct chain_word word = { .block = 0 };

    if (node_end(query)) {
        if (proof_read(&word, a, &query->answers)) {
            head_seen = word.block;
            proven = word_proves(&word, l, r);
            if (needs_all(l, proven) && !proven_by_all(a, l, r, proven))
                proven = VENUE_UNAVAILABLE;
            if (proven == VENUE_UNAVAILABLE && seems_dropped(r, out->says))
                proven = VENUE_DROPPED;
        }
        rpc_answers_free(&query->answers);
    }
    if (proven != VENUE_UNAVAILABLE)
        out->says = proven;
    if (proven == VENUE_EXPIRED)
        out->why = &E_RELAYER;
    if (proven == VENUE_FILLED)
        out->block = word.block;
    buf_free(&l->body);
}

const struct venue relayer_venue = { .name = "polymarket_relayer",
                                     .sign = relayer_sign,
                                     .held_until = relayer_held_until,
                                     .prolong = relayer_prolong,
                                     .ask_send = relayer_ask_send,
                                     .read_send = relayer_read_send,
                                     .ask_status = relayer_ask_status,
                                     .read_status = relayer_read_status,
                                     .ask_proof = relayer_ask_proof,
                                     .read_proof = relayer_read_proof };
