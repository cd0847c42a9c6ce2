#include "predict/account.h"

#include <string.h>

#include "base/incident.h"
#include "chain/address.h"
#include "chain/evm/evm_rpc.h"
#include "chain/rpc/node.h"
#include "exec/wallet.h"
#include "store/predict_accounts.h"
#include "store/wallets.h"
#include "venue/polymarket_wallet.h"

enum { CODE_DEADLINE_MS = 3000 };

bool predict_is_configured(const struct ctx *ctx)
{
    const struct conf *c = ctx->conf;

    return c->predict_trading && (strcmp(c->predict_wallet, "eoa") == 0 || ctx->relayer_key != NULL);
}

struct evm_addr account_trading(const struct predict_account *p)
{
    struct evm_addr a;

    memcpy(a.bytes, p->trading, sizeof a.bytes);
    return a;
}

enum lookup account_deposit_wallet(struct db *db, const struct wallet *w, struct wallet *out)
{
    struct predict_account p;
    enum lookup found = predict_accounts_get(db, w, &p);

    if (found != LOOKUP_FOUND || p.kind != PREDICT_DEPOSIT)
        return found == LOOKUP_ERROR ? LOOKUP_ERROR : LOOKUP_NONE;
    *out = *w;
    evm_addr_text(out->ref.address, account_trading(&p));
    return LOOKUP_FOUND;
}

enum polymarket_signature account_signature_type(const struct predict_account *p)
{
    return p->kind == PREDICT_EOA ? POLYMARKET_EOA : POLYMARKET_DEPOSIT_WALLET;
}

const char *account_kind_name(enum predict_account_kind kind)
{
    return kind == PREDICT_EOA ? "eoa" : "deposit";
}

/* Whether there is a contract at the address; false when no node says. */
static bool code_read(bool *there, const struct rpc_answer *answer, struct arena *a)
{
    const uint8_t *code;
    size_t n;

    if (!rpc_bytes(&code, &n, a, answer))
        return false;
    *there = n > 0;
    return true;
}

/* Whether a wallet is there by the words of two nodes. False: neither says it, or they differ. */
static bool codes_read(bool *there, const struct rpc_answers *answers, size_t count, struct arena *a)
{
    size_t told = 0;
    bool its;

    for (size_t i = 0; i < count; i++) {
        if (!code_read(&its, &answers[i].items[0], a))
            continue;
        if (told++ > 0 && its != *there)
            return false;
        *there = its;
    }
    return told > 0;
}

/* A wallet that exists keeps its form; a new one gets the present form. It is stored for good, so nodes have
 * to agree. False when they do not, or none says. */
static bool form_find(const struct ctx *ctx, struct arena *a, struct evm_addr owner,
                      enum polymarket_wallet_form *out)
{
    const struct chain *polygon = chain_by_id(POLYMARKET_CHAIN_ID);
    const char *old = evm_addr_print(a, polymarket_wallet_of(owner, POLYMARKET_WALLET_UUPS));
    struct buf body = BUF_INIT(MAX_BODY);
    struct rpc_batch batch = rpc_begin(&body);
    struct rpc_answers answers[NODE_OPINIONS];
    bool there = false, known;
    size_t answered;

    rpc_add(&batch, "eth_getCode", "[\"%s\",\"latest\"]", old);
    rpc_end(&batch);
    answered = node_ask_two(ctx, polygon, &batch, CODE_DEADLINE_MS, a, answers);
    known = codes_read(&there, answers, answered, a);
    node_answers_free(answers, answered);
    buf_free(&body);
    *out = there ? POLYMARKET_WALLET_UUPS : POLYMARKET_WALLET_BEACON;
    return known;
}

static const struct err *account_compose(const struct ctx *ctx, struct arena *a, const struct wallet *w,
                                         struct predict_account *out)
{
    struct evm_addr owner, trading;
    enum polymarket_wallet_form form = POLYMARKET_WALLET_BEACON;

    *out = (struct predict_account){ .wallet = *w,
                                     .kind = strcmp(ctx->conf->predict_wallet, "eoa") == 0 ? PREDICT_EOA
                                                                                           : PREDICT_DEPOSIT,
                                     .closed_only_due = true };
    if (!evm_addr_parse(&owner, w->ref.address))
        return &E_INTERNAL;
    if (out->kind == PREDICT_DEPOSIT && !form_find(ctx, a, owner, &form)) {
        log_repeated("deposit_wallet_unknown", "",
                     "msg=\"no node says where a deposit wallet is, or nodes differ\"");
        return &E_UPSTREAM;
    }
    trading = out->kind == PREDICT_EOA ? owner : polymarket_wallet_of(owner, form);
    out->form = (uint8_t)form;
    memcpy(out->trading, trading.bytes, sizeof out->trading);
    return NULL;
}

/* The first request to add the account decides its form. */
static const struct err *account_make(const struct ctx *ctx, struct arena *a, const struct wallet *w,
                                      struct predict_account *out)
{
    const struct err *e = account_compose(ctx, a, w, out);

    if (e != NULL)
        return e;
    if (predict_accounts_add(ctx->db, out) == DB_ERROR ||
        predict_accounts_get(ctx->db, w, out) != LOOKUP_FOUND)
        return &E_INTERNAL;
    (void)wallets_holds_on(ctx->db, w->agent_id, w->ref.address, PREDICT_PLACE);
    return NULL;
}

const struct err *account_find(const struct ctx *ctx, uint64_t agent_id, const char *address,
                               struct predict_account *out)
{
    char stored[WALLET_ADDR_MAX];
    enum lookup found = LOOKUP_NONE;

    if (address == NULL || address_canonical(stored, wallet_chain_type(WALLET_EVM), address))
        found = predict_accounts_pick(ctx->db, agent_id, address == NULL ? NULL : stored, out);
    return wallet_missing(found, address);
}

const struct err *account_open(const struct ctx *ctx, struct arena *a, const struct wallet *w,
                               struct predict_account *out)
{
    if (!predict_is_configured(ctx))
        return &E_PREDICT_NOT_CONFIGURED;
    switch (predict_accounts_get(ctx->db, w, out)) {
    case LOOKUP_FOUND:
        return NULL;
    case LOOKUP_NONE:
        return account_make(ctx, a, w, out);
    case LOOKUP_ERROR:
        break;
    }
    return &E_INTERNAL;
}
