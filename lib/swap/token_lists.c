#include "swap/token_lists.h"

#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "chain/rpc/node.h"
#include "chain/tokens.h"
#include "exec/chain_ops.h"
#include "route/jupiter.h"
#include "route/lifi.h"
#include "route/openocean.h"
#include "route/token_list.h"
#include "store/listed_tokens.h"

enum { LIST_MS = 20000, PUT_AT_ONCE = 200, DROP_AT_ONCE = 1000 };

/* The preferred one first. */
static const struct provider *const sources[] = { &lifi, &openocean, &jupiter };

struct refresh {
    const struct ctx *ctx;
    struct arena *arena;
    const struct chain *chain;
    struct token_row *known; /* by address */
    size_t known_count;
    struct token_row *rows; /* what is taken over, in the order of the list */
    size_t count;
    int64_t begun_ms; /* by the database's clock */
};

/* ---- the list ---- */

static bool list_ask(const struct refresh *r, const struct provider *p, struct token_list *out)
{
    struct call call;
    bool read;

    if (!p->ask_tokens(&call, r->ctx, r->chain, r->arena))
        return false;
    call.answer.max = TOKEN_LIST_BYTES;
    (void)calls_run(r->ctx->net, &call, 1, LIST_MS);
    read = p->read_tokens(&call, r->chain, r->arena, out);
    if (!read)
        log_warn("token_list_no_answer",
                 "msg=\"no list of tokens\" chain=%s provider=%s status=%d why=\"%s\"", r->chain->key, p->key,
                 call.status, call.why);
    call_free(&call);
    return read && out->count > 0;
}

static bool list_find(const struct refresh *r, struct token_list *out)
{
    for (size_t i = 0; i < sizeof sources / sizeof sources[0]; i++)
        if (list_ask(r, sources[i], out))
            return true;
    return false;
}

/* ---- parts that may be taken over ---- */

static struct token_row row_of(const struct refresh *r, const struct listed_token *t, size_t place)
{
    struct token_row row = { .name = t->name, .place = (unsigned)place };

    row.ref = (struct token_ref){ .chain_id = r->chain->id, .decimals = t->decimals };
    (void)snprintf(row.ref.symbol, sizeof row.ref.symbol, "%s", t->symbol);
    (void)snprintf(row.ref.address, sizeof row.ref.address, "%s", t->address);
    return row;
}

/* Fantom's older dollars: their bridge is gone, and nothing backs them. */
static bool is_disowned(const struct chain *c, const char *address)
{
    static const char *const disowned[] = { "0x04068DA6C83AFCFA0e13ba15A6696662335D5B75",
                                            "0x049d68029688eAbF473097a2fC38ef61633A3C7A" };

    for (size_t i = 0; i < sizeof disowned / sizeof disowned[0]; i++)
        if (strcmp(c->key, "fantom") == 0 && strcmp(disowned[i], address) == 0)
            return true;
    return false;
}

/* A row and what it must not share with another one. */
struct claim {
    char what[TOKEN_ADDR_MAX];
    struct token_row *row;
};

static int by_claim(const void *x, const void *y)
{
    const struct claim *a = x, *b = y;
    int order = strcmp(a->what, b->what);

    return order != 0 ? order : a->row->place < b->row->place ? -1 : a->row->place > b->row->place;
}

static void claim_address(char out[static TOKEN_ADDR_MAX], const struct token_row *row)
{
    memcpy(out, row->ref.address, TOKEN_ADDR_MAX);
}

static void claim_symbol(char out[static TOKEN_ADDR_MAX], const struct token_row *row)
{
    token_symbol_skeleton(out, row->ref.symbol);
}

/* Among tokens with the same claim, the first in the list keeps its row. */
static void rows_distinct(struct refresh *r,
                          void (*claim)(char out[static TOKEN_ADDR_MAX], const struct token_row *))
{
    struct claim *claims = ARENA_ARRAY(r->arena, struct claim, r->count + 1);
    bool *kept = ARENA_ARRAY(r->arena, bool, r->count + 1);
    size_t n = 0;

    for (size_t i = 0; i < r->count; i++) {
        claims[i].row = &r->rows[i];
        claim(claims[i].what, &r->rows[i]);
    }
    qsort(claims, r->count, sizeof *claims, by_claim);
    for (size_t i = 0; i < r->count; i++)
        kept[claims[i].row - r->rows] =
            claims[i].what[0] != '\0' && (i == 0 || strcmp(claims[i].what, claims[i - 1].what) != 0);
    for (size_t i = 0; i < r->count; i++)
        if (kept[i])
            r->rows[n++] = r->rows[i];
    r->count = n;
}

/* ---- the chain's answers ---- */

static int by_address(const void *x, const void *y)
{
    return strcmp(((const struct token_row *)x)->ref.address, ((const struct token_row *)y)->ref.address);
}

static bool was_checked(const struct refresh *r, const struct token_row *row)
{
    const struct token_row *k =
        r->known_count == 0 ? NULL : bsearch(row, r->known, r->known_count, sizeof *row, by_address);

    return k != NULL && k->checked && k->ref.decimals == row->ref.decimals;
}

/* The rows at `at` that the chain has not confirmed yet, as many as can be asked at once. Returns where the
 * next ones begin. */
static size_t rows_open(const struct refresh *r, size_t at, struct token_row **open, size_t *count)
{
    for (*count = 0; at < r->count && *count < FAMILY_TOKENS_MAX; at++)
        if (!r->rows[at].checked)
            open[(*count)++] = &r->rows[at];
    return at;
}

/* Rows that it contradicts, or that it does not confirm now, are marked by a name of NULL. */
static void rows_ask(const struct refresh *r, struct token_row **open, size_t count)
{
    const char *addresses[FAMILY_TOKENS_MAX];
    int decimals[FAMILY_TOKENS_MAX];
    bool told;

    for (size_t i = 0; i < count; i++)
        addresses[i] = open[i]->ref.address;
    told = chain_ops_of(r->chain)->token_decimals(r->ctx, r->arena, r->chain, addresses, count, decimals);
    for (size_t i = 0; i < count; i++) {
        open[i]->checked = told && decimals[i] == open[i]->ref.decimals;
        if (!open[i]->checked)
            open[i]->name = NULL;
    }
}

/* Without a node, nothing can be traded, and nothing can be checked. */
static void rows_check(struct refresh *r)
{
    struct token_row *open[FAMILY_TOKENS_MAX];
    size_t count, n = 0;

    for (size_t i = 0; i < r->count; i++)
        r->rows[i].checked = was_checked(r, &r->rows[i]);
    if (!nodes_known(r->ctx->nodes, r->chain))
        return;
    for (size_t at = 0; at < r->count;) {
        at = rows_open(r, at, open, &count);
        if (count > 0)
            rows_ask(r, open, count);
    }
    for (size_t i = 0; i < r->count; i++)
        if (r->rows[i].name != NULL)
            r->rows[n++] = r->rows[i];
    r->count = n;
}

/* ---- writing it down ---- */

struct rows_batch {
    const struct token_row *rows;
    size_t count;
};

static enum tx_verdict rows_put(struct db *db, void *arg)
{
    const struct rows_batch *part = arg;

    for (size_t i = 0; i < part->count; i++)
        if (!tokens_put(db, &part->rows[i]))
            return TX_FAILED;
    return TX_COMMIT;
}

static bool rows_store(const struct refresh *r)
{
    int64_t dropped;

    for (size_t at = 0; at < r->count; at += PUT_AT_ONCE) {
        size_t left = r->count - at;
        struct rows_batch part = { &r->rows[at], left < PUT_AT_ONCE ? left : PUT_AT_ONCE };

        if (db_transact(r->ctx->db, rows_put, &part) != TX_DONE)
            return false;
    }
    do
        dropped = tokens_drop(r->ctx->db, r->chain->id, r->begun_ms);
    while (dropped == DROP_AT_ONCE);
    return dropped >= 0;
}

static bool known_read(struct refresh *r)
{
    int n = tokens_page(r->ctx->db, r->arena, r->chain->id, NULL, TOKEN_LIST_MAX, 0, &r->known);

    if (n < 0 || !db_clock_ms(r->ctx->db, &r->begun_ms))
        return false;
    r->known_count = (size_t)n;
    if (n > 0)
        qsort(r->known, r->known_count, sizeof *r->known, by_address);
    return true;
}

bool token_refresh(const struct ctx *ctx, struct arena *a, const struct chain *c)
{
    struct refresh r = { .ctx = ctx, .arena = a, .chain = c };
    struct token_list list;

    if (chain_ops_of(c) == NULL || !list_find(&r, &list))
        return true;
    if (!known_read(&r))
        return false;
    r.rows = ARENA_ARRAY(r.arena, struct token_row, list.count);
    for (size_t i = 0; i < list.count; i++) {
        const struct listed_token *t = &list.tokens[i];

        if (token_find(r.chain, t->address) == NULL && !token_symbol_passes(r.chain, t->symbol) &&
            !is_disowned(r.chain, t->address))
            r.rows[r.count++] = row_of(&r, t, i);
    }
    rows_distinct(&r, claim_address);
    if (list.ranked)
        rows_distinct(&r, claim_symbol);
    rows_check(&r);
    if (r.count < (r.known_count + 1) / 2) {
        log_error(
            "token_list_shrank",
            "msg=\"a list of tokens shrank by half, and is not taken over\" chain=%s known=%zu listed=%zu",
            c->key, r.known_count, r.count);
        return true;
    }
    log_info("tokens_taken", "msg=\"tokens taken over\" chain=%s listed=%zu taken=%zu", c->key, list.count,
             r.count);
    return rows_store(&r);
}
