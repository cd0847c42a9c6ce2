#include "lend/watch_poll.h"

#include <string.h>

#include "base/fault.h"
#include "base/incident.h"
#include "chain/rpc/block_time.h"
#include "chain/rpc/node.h"
#include "codec/hex.h"
#include "exec/chain_ops.h"
#include "lend/aave.h"
#include "lend/morpho.h"
#include "lend/watch.h"
#include "lend/watch_events.h"
#include "service/conf.h"
#include "store/events.h"
#include "store/lend_watches.h"
#include "venue/aave_calls.h"

enum {
    PAGE = 100,             /* wallets whose logs are asked for at once */
    UNKNOWN_OWNERS = 4,     /* read at once where it is not known what they have */
    LOG_BLOCKS = 1000,      /* of one question for logs, where no node has refused so many */
    LOG_QUESTIONS = 10,     /* at once */
    NARROW_QUESTIONS = 40,  /* at once, each of fewer blocks */
    LOGS_MAX = 1024,        /* of a page */
    LOGS_AGAIN_MS = 600000, /* blocks of so long are read again: a node may have left something out */
    LOGS_DEADLINE_MS = 5000,
};

/* A chain that is being looked at. */
struct round {
    const struct ctx *ctx;
    struct arena *arena;
    const struct chain *chain;
    bool (*stopping)(void);
    uint64_t scanned;              /* the last block whose logs were read before */
    uint64_t from, to;             /* blocks whose logs are read */
    struct lend_liquidation *logs; /* of the page */
    size_t log_count;
    bool logs_known; /* of all pages */
    bool failed;     /* the database */
};

/* ---- logs ---- */

static uint64_t less_or_zero(uint64_t a, uint64_t b)
{
    return a > b ? a - b : 0;
}

/* An unconfirmed log may be in another block, or none, in a moment. A node may lag behind the one that was
 * asked last: then the same blocks are read again, whose events have been sent already. */
static bool range_choose(struct round *r)
{
    uint64_t depth = confirm_depth_of(r->ctx->conf, r->chain), newest;
    enum lookup found = lend_scans_get(r->ctx->db, r->chain->id, &r->scanned);

    r->failed = found == LOOKUP_ERROR;
    if (r->failed ||
        chain_ops_of(r->chain)->newest_block(r->ctx, r->arena, r->chain, &newest) != LOOKUP_FOUND)
        return false;
    r->to = less_or_zero(newest, less_or_zero(depth, 1));
    if (found == LOOKUP_NONE || r->scanned > r->to)
        r->scanned = r->to;
    return true;
}

/* The blocks that questions of so many reach. What pages before this one have had beyond them is read again.
 */
static void range_fit(struct round *r, unsigned blocks)
{
    uint64_t again = LOGS_AGAIN_MS / block_time_ms(r->chain) + 1,
             questions = blocks < LOG_BLOCKS ? NARROW_QUESTIONS : LOG_QUESTIONS, last;

    r->from = less_or_zero(r->scanned, again < blocks ? again : blocks);
    last = r->from + blocks * questions - 1;
    if (r->to > last)
        r->to = last;
}

static bool logs_take(struct round *r, const struct rpc_answer *answer)
{
    struct lend_liquidation l;
    const json_t *log;
    size_t i;

    if (!json_is_array(answer->result))
        return false;
    json_array_foreach(answer->result, i, log)
    {
        if (r->log_count < LOGS_MAX && liquidation_read(&l, r->chain, log))
            r->log_count = liquidations_append(r->logs, r->log_count, l);
    }
    return r->log_count < LOGS_MAX;
}

static bool logs_answered(struct round *r, const struct rpc_batch *b)
{
    struct rpc_answers as;
    bool all = true;

    r->log_count = 0;
    if (!node_ask(r->ctx, r->chain, b, LOGS_DEADLINE_MS, r->arena, &as))
        return false;
    for (unsigned i = 0; i < as.count; i++)
        all = logs_take(r, &as.items[i]) && all;
    rpc_answers_free(&as);
    return all;
}

static bool logs_ask(struct round *r, unsigned blocks, const struct evm_addr *wallets, size_t count)
{
    struct buf body = BUF_INIT(MAX_UPSTREAM);
    struct rpc_batch b = rpc_begin(&body);
    bool answered;

    b.blocks = blocks;
    range_fit(r, blocks);
    for (uint64_t from = r->from; from <= r->to; from += blocks) {
        uint64_t to = from + blocks - 1;

        liquidations_ask(&b, r->chain, from, to < r->to ? to : r->to, wallets, count);
    }
    rpc_end(&b);
    answered = logs_answered(r, &b);
    buf_free(&body);
    return answered;
}

static unsigned log_blocks(const struct round *r)
{
    return node_log_blocks(r->ctx->nodes, r->chain, LOG_BLOCKS);
}

/* If a node has refused so many blocks, fewer are asked for at once. */
static void logs_read(struct round *r, const struct evm_addr *wallets, size_t count)
{
    char about[INCIDENT_ABOUT_MAX + 1];
    unsigned blocks;
    bool answered;

    r->logs = ARENA_ARRAY(r->arena, struct lend_liquidation, LOGS_MAX);
    do {
        blocks = log_blocks(r);
        answered = logs_ask(r, blocks, wallets, count);
    } while (!answered && log_blocks(r) < blocks && !r->stopping());
    snprintf(about, sizeof about, "chain=%s", r->chain->key);
    if (!answered) {
        log_repeated("liquidations_read_failed", about,
                     "msg=\"the logs of a chain's lenders cannot be read\" from=%llu to=%llu",
                     (unsigned long long)r->from, (unsigned long long)r->to);
        r->logs_known = false;
    }
}

/* ---- the observation of one ---- */

static bool market_id(uint8_t out[static HASH_LEN], const struct lend_watch *w)
{
    size_t n;

    return strcmp(w->protocol, morpho_lender.protocol) == 0 && hex_decode_0x(out, HASH_LEN, &n, w->market) &&
           n == HASH_LEN;
}

static bool log_is_of(const struct lend_liquidation *l, const struct lend_watch *w)
{
    uint8_t id[HASH_LEN] = { 0 };

    (void)market_id(id, w);
    return strcmp(l->protocol, w->protocol) == 0 && evm_addr_eq(l->wallet, evm_addr_or_zero(w->address)) &&
           memcmp(l->market, id, HASH_LEN) == 0;
}

static void observation_add_logs(struct lend_observation *s, const struct round *r,
                                 const struct lend_watch *w)
{
    struct lend_liquidation *list = ARENA_ARRAY(r->arena, struct lend_liquidation, r->log_count + 1);

    s->logs = list;
    for (size_t i = 0; i < r->log_count; i++)
        if (log_is_of(&r->logs[i], w))
            list[s->log_count++] = r->logs[i];
}

static bool is_of(const char *protocol, const char *market, const struct lend_watch *w)
{
    return strcmp(protocol, w->protocol) == 0 && (w->market[0] == '\0' || strcmp(market, w->market) == 0);
}

static void observation_add_book(struct lend_observation *s, struct arena *a, const struct lend_book *b,
                                 const struct lend_watch *w, const struct evm_addr *owner)
{
    struct lend_holding *held = ARENA_ARRAY(a, struct lend_holding, b->position_count + 1);

    s->block = b->block;
    s->held = held;
    for (size_t i = 0; i < b->account_count; i++)
        if (b->accounts[i].owner == owner && is_of(b->accounts[i].protocol, b->accounts[i].market, w))
            s->account = &b->accounts[i];
    for (size_t i = 0; i < b->position_count; i++) {
        const struct lend_position *p = &b->positions[i];

        if (p->owner == owner && is_of(p->market->protocol, p->market->id, w))
            held[s->held_count++] = (struct lend_holding){ p->market->asset, p->collateral.raw, p->borrowed };
    }
}

static bool observation_add_operations(struct lend_observation *s, struct db *db, const struct lend_watch *w)
{
    enum lookup operating = lend_watches_operating(db, w), operated = lend_watches_operated(db, w);

    s->operating = operating == LOOKUP_FOUND;
    s->operated = operated == LOOKUP_FOUND;
    return operating != LOOKUP_ERROR && operated != LOOKUP_ERROR;
}

/* ---- recording ---- */

/* A poll of one, and what is to be recorded of it. */
struct poll {
    struct arena *arena;
    const struct lend_watch *watch;
    const struct lend_observation *observation;
    const struct lend_watch_verdict *verdict;
    struct lend_watched watched;
    uint32_t alert;
};

static bool tell(struct db *db, const struct poll *l, const char *type, const char *body)
{
    return body != NULL && STEP("outbox.add", events_add(db, l->watch->agent_id, type, body), false);
}

static bool tell_log(struct db *db, const struct poll *l, const struct lend_liquidation *log)
{
    enum db_update added =
        STEP("lend_watch.told", lend_liquidations_add(db, l->watch, &log->tx, log->place), DB_ERROR);

    if (added == UPDATED)
        return tell(db, l, EVENT_LEND_LIQUIDATED, lend_log_body(l->arena, &l->watched, log));
    return added == UNCHANGED;
}

static bool tell_all(struct db *db, const struct poll *l)
{
    const struct lend_watch_verdict *v = l->verdict;

    if (v->tells_low && !tell(db, l, EVENT_LEND_LOW, lend_low_body(l->arena, &l->watched, l->alert)))
        return false;
    for (size_t i = 0; i < l->observation->log_count; i++)
        if (lend_watch_tells(l->watch, &l->observation->logs[i]) &&
            !tell_log(db, l, &l->observation->logs[i]))
            return false;
    for (size_t i = 0; i < v->loss_count; i++)
        if (!tell(db, l, EVENT_LEND_LIQUIDATED, lend_loss_body(l->arena, &l->watched, &v->losses[i])))
            return false;
    return true;
}

static enum tx_verdict poll_in_tx(struct db *db, void *arg)
{
    const struct poll *l = arg;
    const struct lend_watch_verdict *v = l->verdict;
    enum db_update moved = UPDATED;

    if (v->counts)
        moved =
            STEP("lend_watch.move",
                 v->ends ? lend_watches_remove(db, &v->next) : lend_watches_record(db, &v->next), DB_ERROR);
    if (moved == UNCHANGED)
        return TX_ROLLBACK;
    return moved == UPDATED && tell_all(db, l) ? TX_COMMIT : TX_FAILED;
}

/* One that was recorded meanwhile, by another host, is looked at next time. */
static void poll_record(struct round *r, const struct lend_watch *w, struct lend_observation *s,
                        const struct lend_book *b)
{
    struct poll l = { .arena = r->arena, .watch = w, .observation = s, .alert = r->ctx->conf->lend_alert };
    struct lend_watch_verdict v;
    enum tx_result result;

    if (!observation_add_operations(s, r->ctx->db, w)) {
        r->failed = true;
        return;
    }
    v = lend_watch_judge(r->arena, w, s, l.alert);
    l.verdict = &v;
    l.watched = (struct lend_watched){ r->chain, w, s->account, b };
    result = STEP("lend_watch.record", db_transact(r->ctx->db, poll_in_tx, &l), TX_UNKNOWN);
    if (result == TX_BROKEN || result == TX_UNKNOWN)
        r->failed = true;
}

/* ---- reading some ---- */

/* Whether what it may have had taken is known: where logs tell of more, all is read. */
static bool is_known(const struct round *r, const struct lend_watch *w)
{
    struct lend_observation s = { .block = 0 };

    observation_add_logs(&s, r, w);
    return w->held != NULL && s.log_count == 0;
}

static void reserves_add(struct lend_scope *scope, struct arena *a, struct evm_addr *list,
                         const struct lend_watch *w)
{
    size_t count, k;
    const struct lend_holding *held = lend_holdings_unpack(a, w->held, w->held_len, &count);

    for (size_t i = 0; strcmp(w->protocol, aave_lender.protocol) == 0 && i < count; i++) {
        for (k = 0; k < scope->reserve_count && !evm_addr_eq(list[k], held[i].asset);)
            k++;
        if (k == scope->reserve_count && k < LEND_RESERVES_MAX)
            list[scope->reserve_count++] = held[i].asset;
    }
}

static struct lend_scope scope_of(struct arena *a, const struct lend_watch *const *list, size_t count,
                                  bool known)
{
    struct evm_addr *owners = ARENA_ARRAY(a, struct evm_addr, LEND_OWNERS_MAX);
    struct evm_addr *reserves = ARENA_ARRAY(a, struct evm_addr, LEND_RESERVES_MAX);
    uint8_t(*markets)[HASH_LEN] = arena_calloc(a, LEND_OWNERS_MAX, HASH_LEN);
    struct lend_scope scope = { .owners = owners, .owner_count = count, .reserves = known ? reserves : NULL };

    for (size_t i = 0; i < count; i++) {
        owners[i] = evm_addr_or_zero(list[i]->address);
        if (known)
            reserves_add(&scope, a, reserves, list[i]);
        if (market_id(markets[scope.market_count], list[i]))
            scope.market_count++;
    }
    scope.markets = (const uint8_t(*)[HASH_LEN])markets;
    return scope;
}

/* A senseless answer about several may be due to one of them, so each is read alone then. */
static void watches_read(struct round *r, const struct lend_watch *const *list, size_t count, bool known)
{
    struct lend_scope scope = scope_of(r->arena, list, count, known);
    struct lend_book book;
    enum lookup read = lend_read_scope(r->ctx, r->arena, r->chain, &scope, &book);

    for (size_t i = 0; read == LOOKUP_NONE && count > 1 && i < count && !r->stopping(); i++)
        watches_read(r, &list[i], 1, known);
    for (size_t i = 0; read == LOOKUP_FOUND && i < count && !r->stopping(); i++) {
        struct lend_observation s = { .block = 0 };

        observation_add_logs(&s, r, list[i]);
        observation_add_book(&s, r->arena, &book, list[i], &scope.owners[i]);
        poll_record(r, list[i], &s, &book);
    }
}

static void watches_read_all(struct round *r, const struct lend_watch *list, size_t count, bool known)
{
    const struct lend_watch *some[LEND_OWNERS_MAX];
    size_t n = 0, most = known ? LEND_OWNERS_MAX : UNKNOWN_OWNERS;

    for (size_t i = 0; i < count && !r->stopping(); i++) {
        if (is_known(r, &list[i]) != known)
            continue;
        some[n++] = &list[i];
        if (n == most) {
            watches_read(r, some, n, known);
            n = 0;
        }
    }
    if (n > 0)
        watches_read(r, some, n, known);
}

/* ---- a chain ---- */

static void page_poll(struct round *r, const struct lend_watch *list, size_t count)
{
    struct evm_addr wallets[PAGE];

    for (size_t i = 0; i < count; i++)
        wallets[i] = evm_addr_or_zero(list[i].address);
    logs_read(r, wallets, count);
    watches_read_all(r, list, count, true);
    watches_read_all(r, list, count, false);
}

bool lend_watch_chain(const struct ctx *ctx, struct arena *a, const struct chain *c, bool (*stopping)(void))
{
    struct round r = { .ctx = ctx, .arena = a, .chain = c, .stopping = stopping, .logs_known = true };
    struct lend_watch *list = ARENA_ARRAY(a, struct lend_watch, PAGE);
    int n = lend_watches_page(ctx->db, a, c->id, 0, PAGE, list);

    if (n == 0)
        return lend_scans_remove(ctx->db, c->id);
    if (n < 0 || !range_choose(&r))
        return n >= 0 && !r.failed;
    while (n > 0 && !stopping()) {
        page_poll(&r, list, (size_t)n);
        n = lend_watches_page(ctx->db, a, c->id, list[n - 1].id, PAGE, list);
    }
    if (n < 0 || r.failed)
        return false;
    return n > 0 || !r.logs_known || STEP("lend_watch.scan", lend_scans_put(ctx->db, c->id, r.to), false);
}
