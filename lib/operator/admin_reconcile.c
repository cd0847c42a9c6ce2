#include "operator/admin_reconcile.h"

#include "chain/address.h"
#include "chain/rpc/node.h"
#include "exec/chain_ops.h"
#include "policy/approval_decision.h"
#include "store/approvals.h"
#include "store/predict_accounts.h"
#include "store/quotes.h"
#include "store/restore_guard.h"
#include "store/trading_halts.h"
#include "store/wallets.h"

enum {
    PAGE = 50,            /* wallets asked about at once: within the batch of any node */
    SLACK_MS = 60 * 1000, /* of the clocks of chains and hosts */
};

struct reconciling {
    const struct ctx *ctx;
    struct arena *arena;
    int64_t since_ms;
    reconcile_report_fn *report;
    void *arg;
};

/* ---- wallets ---- */

static const char *compare_on(const struct reconciling *r, const struct chain *c, const struct wallet *list,
                              size_t count)
{
    uint64_t unknown[PAGE] = { 0 };

    if (!chain_ops_of(c)->reconcile(r->ctx, r->arena, c, list, count, r->since_ms, unknown))
        return arena_printf(r->arena, "%s did not answer for every wallet: trading stays stopped", c->key);
    for (size_t i = 0; i < count; i++) {
        const struct reconcile_report found = { &list[i], c, unknown[i] };

        if (unknown[i] > 0)
            r->report(r->arg, &found);
    }
    return NULL;
}

static const char *compare_page(const struct reconciling *r, const struct wallet *page, size_t n)
{
    const char *problem = NULL;

    for (size_t i = 0; problem == NULL && i < chains_count; i++) {
        const struct chain *c = &chains[i];
        struct wallet own[PAGE];
        size_t count = 0;

        for (size_t j = 0; j < n; j++)
            if (wallet_chain_type(page[j].ref.kind) == c->type)
                own[count++] = page[j];
        if (count > 0 && chain_ops_of(c) != NULL && nodes_known(r->ctx->nodes, c))
            problem = compare_on(r, c, own, count);
    }
    return problem;
}

/* A problem is in the arena, which is therefore not emptied after it. */
static const char *compare_wallets(const struct reconciling *r, uint64_t *compared)
{
    struct wallet page[PAGE];
    const char *problem = NULL;
    uint64_t last = 0;
    int n;

    while (problem == NULL && (n = wallets_after(r->ctx->db, last, page, PAGE)) != 0) {
        if (n < 0)
            return OPERATOR_DATABASE_FAILED;
        problem = compare_page(r, page, (size_t)n);
        *compared += (uint64_t)n;
        last = page[n - 1].id;
        if (problem == NULL)
            arena_reset(r->arena);
    }
    return problem;
}

/* ---- executions that may have happened since the dump ---- */

static bool end_approvals(const struct reconciling *r)
{
    struct approval *open;
    int n;

    while ((n = approvals_open(r->ctx->db, r->arena, &open)) > 0) {
        for (int i = 0; i < n; i++)
            if (approval_deny(r->ctx->db, r->arena, &open[i]) == DB_ERROR)
                return false;
        arena_reset(r->arena);
    }
    return n == 0;
}

static bool resync_orders(const struct reconciling *r, struct reconcile_result *out)
{
    int64_t n = predict_accounts_resync(r->ctx->db);

    if (n > 0)
        out->accounts = (uint64_t)n;
    return n >= 0;
}

const char *operator_reconcile(const struct ctx *ctx, struct arena *a, reconcile_report_fn *report, void *arg,
                               struct reconcile_result *out)
{
    struct reconciling r = { ctx, a, 0, report, arg };
    const char *problem;

    *out = (struct reconcile_result){ .wallets = 0 };
    if (trading_halts_check(ctx->db, HALT_ALL) == LOOKUP_NONE)
        return "trading is not stopped for all: nothing is to be reconciled";
    if (restore_guard_lost_from(ctx->db, &r.since_ms) == LOOKUP_ERROR)
        return OPERATOR_DATABASE_FAILED;
    r.since_ms -= SLACK_MS;
    problem = compare_wallets(&r, &out->wallets);
    if (problem != NULL)
        return problem;
    if (!quotes_end(ctx->db) || !end_approvals(&r) || !resync_orders(&r, out) ||
        !restore_guard_accept(ctx->db) || !trading_halts_set(ctx->db, HALT_ALL, HALT_RESTORED, false))
        return OPERATOR_DATABASE_FAILED;
    out->still_stopped = trading_halts_check(ctx->db, HALT_ALL) != LOOKUP_NONE;
    return NULL;
}
