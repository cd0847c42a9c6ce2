#include "predict/order_cancel.h"

#include <string.h>

#include "base/fault.h"
#include "base/log.h"
#include "predict/credentials.h"
#include "predict/order_venue.h"
#include "store/orders.h"
#include "store/predict_accounts.h"

enum { CANCEL_WAIT_MS = 3000, CANCEL_AGAIN_MS = 4000 };

const struct err *order_find(const struct ctx *ctx, struct arena *a, uint64_t agent_id, const char *id,
                             struct order *out)
{
    uint8_t hash[HASH_LEN];

    if (!order_id_parse(hash, id))
        return &E_ORDER_NOT_FOUND;
    switch (orders_get(ctx->db, a, agent_id, hash, out)) {
    case FOUND_ONE:
        return NULL;
    case FOUND_NONE:
        return &E_ORDER_NOT_FOUND;
    case FOUND_FAILED:
        break;
    }
    return &E_INTERNAL;
}

/* ---- that it is wanted ---- */

static enum tx_verdict cancel_record_tx(struct db *db, void *arg)
{
    const struct order *o = arg;
    enum done wanted = orders_cancel_request(db, o->execution_id);

    if (wanted != DONE)
        return wanted == DONE_NOT ? TX_ROLLBACK : TX_FAILED;
    return predict_accounts_due(db, o->wallet_id, CANCEL_AGAIN_MS) ? TX_COMMIT : TX_FAILED;
}

static const struct err *cancel_record(const struct ctx *ctx, struct order *o)
{
    switch (STEP("cancel.record", db_transact(ctx->db, cancel_record_tx, o), TX_UNKNOWN)) {
    case TX_DONE:
        return NULL;
    case TX_REFUSED:
        return &E_ORDER_NOT_OPEN;
    case TX_BROKEN:
    case TX_UNKNOWN: /* a repeat does no harm */
        break;
    }
    return &E_INTERNAL;
}

/* ---- telling the venue ---- */

static enum order_cancelled cancel_ask_once(const struct ctx *ctx, struct arena *a,
                                            const struct predict_account *p, const struct order *o,
                                            bool *denied)
{
    enum order_cancelled says = CANCEL_SILENT;
    struct clob_credentials c;
    struct clob_error said;
    struct call call;

    *denied = false;
    if (FAULT("cancel.post.before") || !credentials_get(ctx, a, p, &c) ||
        !order_ask_cancel(&call, ctx, a, p, &c, o->hash))
        return says;
    explicit_bzero(&c, sizeof c);
    (void)calls_run(ctx->net, &call, 1, CANCEL_WAIT_MS);
    clob_error_read(a, &call, &said);
    *denied = said.fault == CLOB_UNAUTHORIZED;
    if (!FAULT("cancel.post.after"))
        says = order_read_cancel(&call, a, o->hash);
    if (says == CANCEL_SILENT)
        log_warn("msg=\"the prediction venue did not answer a cancel\" status=%d said=\"%s\"", call.status,
                 said.text);
    call_free(&call);
    return says;
}

/* Once more when it took offence at the credentials. */
static enum order_cancelled cancel_ask(const struct ctx *ctx, struct arena *a, const struct order *o)
{
    enum order_cancelled says;
    struct predict_account p;
    bool denied;

    if (!order_account(ctx, o->wallet_id, &p))
        return CANCEL_SILENT;
    says = cancel_ask_once(ctx, a, &p, o, &denied);
    if (!denied)
        return says;
    credentials_rejected(ctx, &p);
    return cancel_ask_once(ctx, a, &p, o, &denied);
}

static bool order_is_open(const struct order *o)
{
    return o->status == ORDER_PENDING || o->status == ORDER_OPEN;
}

const struct err *order_cancel(const struct ctx *ctx, struct arena *a, uint64_t agent_id, const char *id,
                               struct order *out)
{
    const struct err *e = order_find(ctx, a, agent_id, id, out);

    if (e != NULL)
        return e;
    if (!order_is_open(out))
        return &E_ORDER_NOT_OPEN;
    if ((e = cancel_record(ctx, out)) != NULL)
        return e;
    (void)cancel_ask(ctx, a, out);
    if (orders_of_execution(ctx->db, a, out->execution_id, out) != FOUND_ONE)
        return &E_INTERNAL;
    return order_is_open(out) || out->status == ORDER_CANCELLED ? NULL : &E_ORDER_NOT_OPEN;
}
