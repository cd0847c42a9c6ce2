#include "signer/polymarket.h"

#include <stdio.h>
#include <string.h>

#include "codec/hex.h"
#include "signer/signer_rules.h"
#include "venue/polymarket_calls.h"
#include "venue/polymarket_message.h"

enum { BATCH_DEADLINE_MAX_S = 15 * 60 };

static const char ELSEWHERE[] = "recipient is neither the wallet nor its deposit wallet",
                  NOT_LISTED[] = "target or call not on the list";
static const uint64_t SALT_END = 1ull << 53; /* JSON numbers are exact below */

bool polymarket_terms_read(struct polymarket_terms *out, const struct conf *c, char *why, size_t why_len)
{
    const char *code = c->predict_builder_code;
    size_t n;

    *out = (struct polymarket_terms){ .trading = c->predict_trading };
    if (*code == '\0' || (hex_decode_0x(out->builder, HASH_LEN, &n, code) && n == HASH_LEN))
        return true;
    (void)snprintf(why, why_len, "predict_builder_code is not 0x and 64 digits: %s", code);
    return false;
}

bool is_deposit_wallet(const char *address, const char *wallet)
{
    static const enum polymarket_wallet_form forms[] = { POLYMARKET_WALLET_BEACON, POLYMARKET_WALLET_UUPS };
    struct evm_addr owner;

    if (!evm_addr_parse(&owner, wallet))
        return false;
    for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++) {
        char text[EVM_ADDR_TEXT_LEN + 1];

        evm_addr_text(text, polymarket_wallet_of(owner, forms[i]));
        if (strcmp(address, text) == 0)
            return true;
    }
    return false;
}

/* ---- orders ---- */

static bool is_zero(const uint8_t word[static HASH_LEN])
{
    static const uint8_t zeros[HASH_LEN];

    return memcmp(word, zeros, HASH_LEN) == 0;
}

/* The wallet itself, or the deposit wallet as a contract that its owner signs for. */
static bool is_maker(const struct polymarket_order *o, const char *wallet)
{
    char maker[EVM_ADDR_TEXT_LEN + 1];

    evm_addr_text(maker, o->maker);
    if (!evm_addr_eq(o->maker, o->signer))
        return false;
    return o->signature_type == POLYMARKET_EOA
               ? strcmp(maker, wallet) == 0
               : o->signature_type == POLYMARKET_DEPOSIT_WALLET && is_deposit_wallet(maker, wallet);
}

static const char *order_flaw(const struct polymarket_order *o, const char *wallet,
                              const struct polymarket_terms *terms)
{
    if (!is_maker(o, wallet))
        return "maker is neither the wallet nor its deposit wallet";
    if (!is_zero(o->builder) && memcmp(o->builder, terms->builder, HASH_LEN) != 0)
        return "builder code is not the operator's";
    if (!is_zero(o->metadata) || o->salt >= SALT_END)
        return "members that no order of ours has";
    return u256_is_zero(o->maker_amount) || u256_is_zero(o->taker_amount) ? "nothing for something" : NULL;
}

/* A purchase takes collateral; what a sale gives is no token that a limit could name. */
static void order_act(struct act *out, const struct polymarket_message *m)
{
    struct trade *t = &out->trade;

    out->nonce = m->order.salt;
    evm_addr_text(out->to, polymarket_exchange_addr(m->exchange));
    t->act = TRADE_ORDER;
    t->amount = m->order.maker_amount;
    out->has_token = m->order.side == POLYMARKET_BUY;
    if (out->has_token)
        (void)snprintf(t->sell, sizeof t->sell, POLYMARKET_COLLATERAL);
}

/* ---- calls of the deposit wallet ---- */

static bool is_dollar(const char *token)
{
    return strcmp(token, POLYMARKET_COLLATERAL) == 0 || strcmp(token, POLYMARKET_DOLLAR) == 0;
}

static bool is_of_polymarket(const struct contract *k)
{
    return k != NULL && strcmp(k->venue, "polymarket") == 0;
}

static const char *allowance_flaw(const struct trade *t, const struct chain *c)
{
    if (!is_dollar(t->sell) || !is_of_polymarket(contract_at(c, t->spender)))
        return NOT_LISTED;
    return rules_check_allowance(t);
}

static const char *call_flaw(const struct trade *t, const struct chain *c, const char *from,
                             const char *wallet)
{
    bool own = strcmp(t->recipient, wallet) == 0 || strcmp(t->recipient, from) == 0;

    switch (t->act) {
    case TRADE_ALLOWANCE:
        return allowance_flaw(t, c);
    case TRADE_TRUST:
        return t->spender_listed ? NULL : NOT_LISTED;
    case TRADE_SWAP: /* in and out of collateral */
        return !is_of_polymarket(t->contract) ? NOT_LISTED : own ? NULL : ELSEWHERE;
    case TRADE_REDEEM: /* pays its caller */
        return NULL;
    case TRADE_TRANSFER:
        return is_dollar(t->sell) && strcmp(t->recipient, wallet) == 0 ? NULL : ELSEWHERE;
    case TRADE_PAYMENT:
    case TRADE_BRIDGE:
    case TRADE_LOAN:
    case TRADE_DEPOSIT:
    case TRADE_ORDER:
        break;
    }
    return NOT_LISTED;
}

static const char *batch_flaw(const struct polymarket_batch *b, const char *wallet, int64_t now)
{
    const struct chain *c = chain_by_id(POLYMARKET_CHAIN_ID);
    char from[EVM_ADDR_TEXT_LEN + 1];
    const char *why = NULL;

    evm_addr_text(from, b->wallet);
    if (!is_deposit_wallet(from, wallet))
        return "not the deposit wallet of the wallet";
    if (now < 0 || b->deadline > (uint64_t)now + BATCH_DEADLINE_MAX_S)
        return "deadline too far away";
    for (size_t i = 0; why == NULL && i < b->count; i++) {
        const struct polymarket_call *call = &b->calls[i];
        struct evm_tx tx = { .to = call->target, .data = call->data, .data_len = call->len };
        struct trade t;

        if (!u256_is_zero(call->value))
            return "value that is not traded";
        why = trade_read_evm(&t, c, &tx, from, NO_PROOF) == TRADE_READ ? call_flaw(&t, c, from, wallet)
                                                                       : NOT_LISTED;
    }
    return why;
}

/* ---- */

static const char *message_flaw(const struct polymarket_message *m, const char *wallet,
                                const struct polymarket_terms *terms, int64_t now)
{
    if (!terms->trading)
        return "prediction trading is not configured";
    switch (m->kind) {
    case POLYMARKET_ORDER:
        return order_flaw(&m->order, wallet, terms);
    case POLYMARKET_AUTH:
        return NULL;
    case POLYMARKET_BATCH:
        return batch_flaw(&m->batch, wallet, now);
    }
    return NOT_LISTED;
}

bool act_read_polymarket(struct act *out, const uint8_t *message, size_t len, const char *wallet,
                         const struct polymarket_terms *terms, int64_t now)
{
    struct polymarket_message m;

    *out = (struct act){ .chain_id = POLYMARKET_CHAIN_ID, .chain = chain_by_id(POLYMARKET_CHAIN_ID) };
    if (!polymarket_message_read(&m, message, len))
        return false;
    out->reading = TRADE_READ;
    out->trade.act = TRADE_ORDER;
    out->flaw = message_flaw(&m, wallet, terms, now);
    switch (m.kind) {
    case POLYMARKET_ORDER:
        order_act(out, &m);
        break;
    case POLYMARKET_AUTH:
        out->nonce = m.auth_nonce;
        break;
    case POLYMARKET_BATCH:
        out->nonce = m.batch.nonce;
        evm_addr_text(out->to, m.batch.wallet);
        break;
    }
    return true;
}
