#include "lend/listings.h"

#include <string.h>

#include "base/log.h"
#include "chain/rpc/node.h"
#include "codec/hex.h"
#include "lend/chain_read.h"
#include "lend/morpho.h"
#include "lend/morpho_api.h"
#include "net/call.h"
#include "service/conf.h"
#include "store/lend_listings.h"
#include "venue/morpho_calls.h"

enum { LIST_MS = 20000, BODY_BYTES = 1024 };

static bool catalogue_ask(const struct ctx *ctx, struct arena *a, const struct chain *c,
                          struct lend_listing **out, size_t *count)
{
    struct call call;
    bool read;

    call_init(&call, morpho_api_url(a, ctx->conf->lend_morpho_api), MORPHO_API_BYTES);
    call.headers[0] = "Content-Type: application/json";
    call.body = (struct buf)BUF_INIT(BODY_BYTES);
    morpho_api_ask(&call.body, c);
    (void)calls_run(ctx->net, &call, 1, LIST_MS);
    read = call.result == CALL_ANSWERED && call.status == 200 &&
           morpho_api_read(a, c, &call.answer, out, count) && *count > 0;
    if (!read)
        log_warn("lend_listings_no_answer",
                 "msg=\"no list of Morpho's markets\" chain=%s status=%d why=\"%s\"", c->key, call.status,
                 call.why);
    call_free(&call);
    return read;
}

static bool id_is(const char *text, const uint8_t id[static HASH_LEN])
{
    uint8_t bytes[HASH_LEN];
    size_t n;

    return hex_decode_0x(bytes, HASH_LEN, &n, text) && n == HASH_LEN && memcmp(bytes, id, HASH_LEN) == 0;
}

static bool is_in(const struct lend_book *b, const uint8_t id[static HASH_LEN])
{
    for (size_t i = 0; i < b->count; i++)
        if (strcmp(b->markets[i].protocol, morpho_lender.protocol) == 0 && id_is(b->markets[i].id, id))
            return true;
    return false;
}

/* Drops those that the chain does not know, or cannot price. False when it is silent. */
static bool chain_confirms(const struct ctx *ctx, struct arena *a, const struct chain *c,
                           struct lend_listing *list, size_t *count)
{
    static const struct evm_addr none = { { 0 } };
    uint8_t(*ids)[HASH_LEN] = arena_calloc(a, *count, HASH_LEN);
    struct lend_scope scope = { .reserves = &none, .market_count = *count };
    struct lend_book book;
    size_t kept = 0;

    for (size_t i = 0; i < *count; i++)
        memcpy(ids[i], list[i].id, HASH_LEN);
    scope.markets = (const uint8_t(*)[HASH_LEN])ids;
    if (lend_read_scope(ctx, a, c, &scope, &book) != LOOKUP_FOUND)
        return false;
    for (size_t i = 0; i < *count; i++)
        if (is_in(&book, list[i].id))
            list[kept++] = list[i];
    *count = kept;
    return true;
}

struct listings {
    const struct chain *chain;
    const struct lend_listing *list;
    size_t count;
};

static enum tx_verdict listings_in_tx(struct db *db, void *arg)
{
    const struct listings *l = arg;

    if (!lend_listings_clear(db, l->chain->id))
        return TX_FAILED;
    for (size_t i = 0; i < l->count; i++)
        if (!lend_listings_add(db, l->chain->id, (unsigned)i, &l->list[i]))
            return TX_FAILED;
    return TX_COMMIT;
}

bool lend_listings_refresh(const struct ctx *ctx, struct arena *a, const struct chain *c)
{
    struct listings l = { .chain = c };
    struct lend_listing *list;

    if (ctx->conf->lend_morpho_api[0] == '\0' || contract_of(c, &morpho_blue) == NULL ||
        !nodes_known(ctx->nodes, c) || !catalogue_ask(ctx, a, c, &list, &l.count))
        return true;
    if (l.count > LEND_MORPHO_MAX)
        l.count = LEND_MORPHO_MAX;
    if (!chain_confirms(ctx, a, c, list, &l.count) || l.count == 0)
        return true;
    l.list = list;
    return db_transact(ctx->db, listings_in_tx, &l) == TX_DONE;
}
