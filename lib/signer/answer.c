#include "signer/answer.h"

#include <errno.h>

#include "base/clock.h"
#include "base/log.h"
#include "chain/evm/evm_addr.h"
#include "chain/solana/solana_message.h"
#include "codec/hex.h"
#include "keys/ed25519.h"
#include "keys/operator_mac.h"
#include "keys/seal.h"
#include "keys/sign.h"
#include "signer/act.h"
#include "signer/audit_line.h"
#include "signer/kill_switch.h"
#include "signer/settlers.h"
#include "signer/signer_rules.h"
#include "signer/wallet_file.h"
#include "signer/withdrawal_allowlist.h"
#include "venue/hyperliquid_message.h"
#include "venue/polymarket_message.h"

/* ---- Forms of payloads ---- */

/* The functions that read and sign payloads of a form. */
struct payload_form {
    enum wallet_kind kind; /* of the keys that sign them */
    /* The wallet as the chain writes it; false when it is none of the form's. */
    bool (*read_wallet)(char out[static WALLET_ADDR_MAX], const char *address);
    /* False for a payload that is none of the form, or with a proof that it has no use for. */
    bool (*read_act)(struct act *out, const struct signer_state *state, const struct signer_request *rq,
                     const char *wallet);
    /* NULL when it may be signed, else why not. */
    const char *(*check)(const struct act *act, const char *wallet);
    /* Digests and signs a payload that was read. */
    void (*digest)(uint8_t out[static HASH_LEN], const uint8_t *payload, size_t len, const char *wallet);
    bool (*sign)(struct signature *out, const struct signer_request *rq,
                 const uint8_t digest[static HASH_LEN], const struct secret *key);
};

static bool read_evm_wallet(char out[static WALLET_ADDR_MAX], const char *address)
{
    struct evm_addr a;

    if (!evm_addr_parse(&a, address))
        return false;
    evm_addr_text(out, a);
    return true;
}

static bool sign_evm(struct signature *out, const struct signer_request *rq,
                     const uint8_t digest[static HASH_LEN], const struct secret *key)
{
    enum { RSV_LEN = 65 };

    (void)rq;
    out->len = RSV_LEN;
    return sign_secp256k1(out->bytes, digest, key);
}

static bool transaction_act(struct act *out, const struct signer_state *state,
                            const struct signer_request *rq, const char *wallet)
{
    const struct trade_proof proof = { rq->proof, rq->proof_len };

    if (!act_read_evm(out, rq->payload, rq->payload_len, wallet, proof, clock_seconds()) ||
        (proof.len != 0 && out->reading == TRADE_READ && !out->trade.proven))
        return false;
    out->executor_known =
        out->trade.executor[0] != '\0' && settlers_has(state->settlers, out->chain_id, out->trade.executor);
    return true;
}

static void transaction_digest(uint8_t out[static HASH_LEN], const uint8_t *payload, size_t len,
                               const char *wallet)
{
    (void)wallet;
    keccak256(out, payload, len);
}

static bool message_act(struct act *out, const struct signer_state *state, const struct signer_request *rq,
                        const char *wallet)
{
    return rq->proof_len == 0 && act_read_polymarket(out, rq->payload, rq->payload_len, wallet,
                                                     &state->polymarket, clock_seconds());
}

static const char *message_check(const struct act *act, const char *wallet)
{
    (void)wallet;
    return act->flaw;
}

static void message_digest(uint8_t out[static HASH_LEN], const uint8_t *payload, size_t len,
                           const char *wallet)
{
    struct polymarket_message m;

    if (polymarket_message_read(&m, payload, len))
        polymarket_message_digest(out, &m, evm_addr_or_zero(wallet));
}

/* ---- Actions at a venue of perpetuals ---- */

static bool action_act(struct act *out, const struct signer_state *state, const struct signer_request *rq,
                       const char *wallet)
{
    return rq->proof_len == 0 && act_read_hyperliquid(out, rq->payload, rq->payload_len, wallet,
                                                      rq->wallet.kind, &state->hyperliquid);
}

static const char *action_check(const struct act *act, const char *wallet)
{
    (void)wallet;
    if (act->flaw != NULL)
        return act->flaw;
    return strcmp(act->trading_key, act->far_wallet) == 0 ? NULL : "not the trading key that was shown";
}

static void action_digest(uint8_t out[static HASH_LEN], const uint8_t *payload, size_t len,
                          const char *wallet)
{
    struct hyperliquid_action a;

    (void)wallet;
    if (hyperliquid_message_read(&a, payload, len))
        hyperliquid_action_digest(out, &a);
}

static const struct payload_form trading_action = { .kind = WALLET_TRADING,
                                                    .read_wallet = read_evm_wallet,
                                                    .read_act = action_act,
                                                    .check = action_check,
                                                    .digest = action_digest,
                                                    .sign = sign_evm };
static const struct payload_form account_action = { .kind = WALLET_EVM,
                                                    .read_wallet = read_evm_wallet,
                                                    .read_act = action_act,
                                                    .check = action_check,
                                                    .digest = action_digest,
                                                    .sign = sign_evm };

static const struct payload_form evm_transaction = { .kind = WALLET_EVM,
                                                     .read_wallet = read_evm_wallet,
                                                     .read_act = transaction_act,
                                                     .check = rules_check,
                                                     .digest = transaction_digest,
                                                     .sign = sign_evm };
static const struct payload_form evm_message = { .kind = WALLET_EVM,
                                                 .read_wallet = read_evm_wallet,
                                                 .read_act = message_act,
                                                 .check = message_check,
                                                 .digest = message_digest,
                                                 .sign = sign_evm };

/* ---- Solana ---- */

static bool read_solana_wallet(char out[static WALLET_ADDR_MAX], const char *address)
{
    struct solana_addr a;

    if (!solana_addr_parse(&a, address))
        return false;
    solana_addr_text(out, &a);
    return true;
}

static bool is_transfer(const struct signer_request *rq)
{
    return rq->op == SIGNER_SIGN_TRANSFER || rq->op == SIGNER_SIGN_WITHDRAWAL;
}

static bool solana_act(struct act *out, const struct signer_state *state, const struct signer_request *rq,
                       const char *wallet)
{
    (void)state;
    return act_read_solana(out, rq->payload, rq->payload_len, wallet,
                           (struct trade_proof){ rq->proof, rq->proof_len }, is_transfer(rq),
                           clock_seconds());
}

/* The message itself is signed; this digest identifies it. */
static void solana_digest(uint8_t out[static HASH_LEN], const uint8_t *payload, size_t len,
                          const char *wallet)
{
    struct solana_tx tx;

    (void)wallet;
    if (solana_tx_read(&tx, payload, len) == NULL)
        sha256(out, tx.message, tx.message_len);
}

static bool sign_solana(struct signature *out, const struct signer_request *rq,
                        const uint8_t digest[static HASH_LEN], const struct secret *key)
{
    struct solana_tx tx;

    (void)digest;
    out->len = SOLANA_SIGNATURE_LEN;
    return solana_tx_read(&tx, rq->payload, rq->payload_len) == NULL &&
           ed25519_sign(out->bytes, tx.message, tx.message_len, key);
}

static const struct payload_form solana_transaction = { .kind = WALLET_SOLANA,
                                                        .read_wallet = read_solana_wallet,
                                                        .read_act = solana_act,
                                                        .check = rules_check,
                                                        .digest = solana_digest,
                                                        .sign = sign_solana };

/* NULL: nothing of it is signed. */
static const struct payload_form *payload_form_of(const struct signer_request *rq)
{
    bool transaction = rq->op != SIGNER_SIGN_MESSAGE && rq->op != SIGNER_SIGN_ACTION;

    if (rq->family == CHAIN_SOLANA && transaction)
        return &solana_transaction;
    if (rq->family != CHAIN_EVM)
        return NULL;
    if (rq->op == SIGNER_SIGN_ACTION)
        return rq->wallet.kind == WALLET_TRADING ? &trading_action : &account_action;
    return rq->op == SIGNER_SIGN_MESSAGE ? &evm_message : &evm_transaction;
}

/* ---- One payload on its way to a signature ---- */

struct pending {
    const struct signer_state *state;
    const struct signer_request *rq;
    const struct payload_form *form;
    char wallet[WALLET_ADDR_MAX]; /* "": none of the form's */
    struct act act;
    bool has_act;
    const struct limit *coin, *token, *withdrawn; /* NULL: not limited */
    uint8_t digest[HASH_LEN];
    enum signer_rule rule;
    const char *why; /* it was not signed; NULL: it was */
};

static enum signer_status pending_refuse(struct pending *s, enum signer_rule rule, const char *why)
{
    s->rule = rule;
    s->why = why;
    return signer_rule_status(rule);
}

/* ---- The audit file ---- */

static bool audit_creation(const struct signer_state *state, const struct wallet_ref *w)
{
    struct buf b = BUF_INIT(AUDIT_CHAIN_LINE_MAX);

    if (state->audit_log == NULL)
        return true;
    audit_begin(&b);
    audit_text(&b, w->kind == WALLET_TRADING ? "trading_key" : "wallet", w->address);
    audit_text(&b, "decision", "created");
    return audit_end(state->audit_log, &b);
}

static bool audit_decision(const struct pending *s)
{
    struct buf b = BUF_INIT(AUDIT_CHAIN_LINE_MAX);
    char digest[2 * HASH_LEN + 1];

    if (s->state->audit_log == NULL)
        return true;
    audit_begin(&b);
    if (s->wallet[0] != '\0')
        audit_text(&b, "wallet", s->wallet);
    if (s->has_act)
        audit_act(&b, &s->act);
    hex_encode(digest, s->digest, HASH_LEN);
    buf_addf(&b, ",\"digest\":\"0x%s\"", digest);
    audit_text(&b, "decision", s->why == NULL ? "signed" : "refused");
    if (s->rq->op == SIGNER_SIGN_TRANSFER)
        audit_text(&b, "order", "sweep");
    if (s->rq->op == SIGNER_SIGN_WITHDRAWAL) {
        audit_text(&b, "order", "withdrawal");
        audit_text(&b, "recipient", s->act.trade.recipient);
    }
    if (s->why != NULL)
        audit_text(&b, "reason", s->why);
    return audit_end(s->state->audit_log, &b);
}

/* ---- New keys ---- */

static bool evm_address(char out[static WALLET_ADDR_MAX], const struct secret *key)
{
    uint8_t pubkey[EVM_PUBKEY_LEN];

    if (!sign_secp256k1_pubkey(pubkey, key))
        return false;
    evm_addr_text(out, evm_addr_of_pubkey(pubkey));
    return true;
}

static bool solana_address(char out[static WALLET_ADDR_MAX], const struct secret *seed)
{
    struct solana_addr a;

    if (!ed25519_pubkey(a.bytes, seed))
        return false;
    solana_addr_text(out, &a);
    return true;
}

static bool key_address(char out[static WALLET_ADDR_MAX], enum wallet_kind kind, const struct secret *key)
{
    switch (kind) {
    case WALLET_EVM:
    case WALLET_TRADING:
        return evm_address(out, key);
    case WALLET_SOLANA:
        return solana_address(out, key);
    }
    return false;
}

/* On the disk before the wallet can be paid anything. A trading key, which never is, is made anew where one
 * gets lost. */
static bool keep_wallet(const struct signer_state *state, const struct wallet_ref *w,
                        const uint8_t sealed[static SEALED_LEN])
{
    struct wallet_record r = { .ref = *w, .created_ms = clock_ms() };

    if (state->wallets < 0 || w->kind == WALLET_TRADING)
        return true;
    memcpy(r.sealed, sealed, SEALED_LEN);
    if (wallet_file_add(state->wallets, &r))
        return true;
    log_error("wallet_file_failed", "msg=\"the file of wallets cannot be written\" reason=\"%s\"",
              strerror(errno));
    return false;
}

static enum signer_status answer_create(struct signer_answer *out, const struct signer_state *state,
                                        struct wallet_ref *w)
{
    struct secret *key = secret_random();
    bool ok =
        key != NULL && key_address(w->address, w->kind, key) && seal_key(out->sealed, state->keyring, w, key);

    secret_free(key);
    if (!ok || !keep_wallet(state, w, out->sealed))
        return SIGNER_FAILED;
    if (w->kind != WALLET_TRADING)
        history_see(state->history, w->agent);
    if (!audit_creation(state, w))
        return SIGNER_FAILED;
    memcpy(out->address, w->address, sizeof out->address);
    return SIGNER_OK;
}

/* ---- Limits and the kill switch ---- */

bool signer_is_stopped(const struct signer_state *state)
{
    return state->kill_switch >= 0 && kill_switch_is_set(state->kill_switch);
}

static bool over_tx_max(const struct limit *l, struct u256 amount)
{
    return l != NULL && l->per_tx && u256_cmp(amount, l->tx_max) > 0;
}

/* NULL: a trade that is not. A far chain that is not known has no prices either. */
static const char *below_min_output(const struct pending *s)
{
    const struct trade *t = &s->act.trade;
    uint64_t bought_id = t->act == TRADE_BRIDGE ? t->far_chain : s->act.chain_id;
    const struct min_output_side gives = { s->act.chain_id, t->sell, t->amount },
                                 brings = { bought_id, t->buy, t->minimum };

    return min_output_check(&s->state->limits->floor, s->state->prices, &gives, &brings, clock_seconds());
}

static enum signer_status check_limits(struct pending *s)
{
    const struct limits *l = s->state->limits;
    const struct act *act = &s->act;
    const char *why;

    s->coin = limits_find(l, act->chain_id, TRADE_COIN);
    s->token = act->has_token ? limits_find(l, act->chain_id, act->trade.sell) : NULL;
    if (act->withdraws || s->rq->op == SIGNER_SIGN_WITHDRAWAL)
        s->withdrawn = limits_find_withdrawn(l, act->chain_id, act->trade.sell);
    if (signer_is_stopped(s->state))
        return pending_refuse(s, RULE_STOPPED, "stopped by the operator");
    if (act->action == NULL && !limits_allow_chain(l, act->chain_id))
        return pending_refuse(s, RULE_CHAIN, "chain is not served");
    if (act_is_trade(act) && !limits_allow_token(l, act_bought_on(act), act->trade.buy))
        return pending_refuse(s, RULE_TOKEN, "bought token is not built in");
    if (act->trade.act == TRADE_LOAN && !limits_allow_loan(l, act->chain_id, &act->trade.loan))
        return pending_refuse(s, RULE_MARKET, "market is not listed");
    if (over_tx_max(s->coin, act->native) || over_tx_max(s->token, act->trade.amount))
        return pending_refuse(s, RULE_TX_MAX, "over the limit of a transaction");
    why = act_is_trade(act) ? below_min_output(s) : NULL;
    return why == NULL ? SIGNER_OK : pending_refuse(s, RULE_FLOOR, why);
}

/* Identifies the use that may happen only once: that of a nonce, by any payload signed for it; otherwise the
 * payload's digest. */
static void use_of(uint8_t out[static HASH_LEN], const struct pending *s)
{
    struct buf text = BUF_INIT(256);

    if (!s->act.has_nonce) {
        memcpy(out, s->digest, HASH_LEN);
        return;
    }
    buf_addf(&text, "%s %llu %llu", s->wallet, (unsigned long long)s->act.chain_id,
             (unsigned long long)s->act.nonce);
    sha256(out, text.data, text.len);
    buf_free(&text);
}

static bool is_taken_by_order(const struct act *act)
{
    const struct contract *spender = contract_at(act->chain, act->trade.spender);

    return spender != NULL && spender->kind->by_order;
}

/* By the token's own transfer, for which there was no allowance. */
static bool is_sent(const struct act *act)
{
    return act->trade.act == TRADE_DEPOSIT && strcmp(act->to, act->trade.sell) == 0;
}

/* A token that leaves a wallet by an allowance counts with the allowance; one that leaves by an order, with
 * the order only. */
static bool counts_token(const struct pending *s)
{
    const struct act *act = &s->act;
    enum trade_act what = act->trade.act;

    return s->rq->op == SIGNER_SIGN_WITHDRAWAL || (what == TRADE_ALLOWANCE && !is_taken_by_order(act)) ||
           what == TRADE_ORDER || is_sent(act) || (act->chain->type == CHAIN_SOLANA && act_is_trade(act));
}

/* All sums have room, or none counts. */
static enum signer_status count_day(struct pending *s)
{
    struct ledger *g = s->state->ledger;
    struct ledger_entry e[3];
    int64_t now = clock_seconds();
    size_t n = 0;

    if (s->coin != NULL && s->coin->per_day)
        e[n++] = (struct ledger_entry){ .limit = s->coin, .amount = s->act.native };
    if (s->token != NULL && s->token->per_day && counts_token(s))
        e[n++] = (struct ledger_entry){ .limit = s->token, .amount = s->act.trade.amount };
    if (s->withdrawn != NULL)
        e[n++] = (struct ledger_entry){ .limit = s->withdrawn, .amount = s->act.trade.amount };
    for (size_t i = 0; i < n; i++) {
        use_of(e[i].use, s);
        if (g == NULL || !ledger_has_room(g, &e[i], now))
            return pending_refuse(s, e[i].limit->withdrawn ? RULE_WITHDRAW_DAY_MAX : RULE_DAY_MAX,
                                  "over the limit of a day");
    }
    for (size_t i = 0; i < n; i++) {
        if (!ledger_count(g, &e[i], now))
            return pending_refuse(s, RULE_SIGNER, "ledger cannot be written");
    }
    return SIGNER_OK;
}

/* ---- Signatures ---- */

/* A wallet may be paid, and a trading key approved by the very wallet that it was made for. */
static bool may_be_shown(const struct signer_request *rq)
{
    const struct wallet_ref *far = &rq->far_wallet;

    if (rq->op != SIGNER_SIGN_ACTION)
        return far->kind != WALLET_TRADING;
    return far->kind == WALLET_TRADING && memcmp(&far->wallet, &rq->wallet.wallet, sizeof far->wallet) == 0;
}

/* The far wallet's record opens only for its wallet and agent, and the key in it proves its address. */
static bool take_far_wallet(struct pending *s)
{
    const struct signer_request *rq = s->rq;
    struct secret *key;
    bool own;

    if (!rq->has_far_wallet)
        return true;
    if (!may_be_shown(rq))
        return false;
    key = seal_open(rq->far_sealed, s->state->keyring, &rq->far_wallet);
    own = key != NULL && key_address(s->act.far_wallet, rq->far_wallet.kind, key) &&
          strcmp(s->act.far_wallet, rq->far_wallet.address) == 0;
    secret_free(key);
    return own;
}

/* The operator's MAC overrides the limits, but not the kill switch. */
static enum signer_status check_transfer(struct pending *s)
{
    const struct signer_request *rq = s->rq;
    const struct secret *key = s->state->operator_key;
    const char *why;

    if (key == NULL || !operator_mac_verify(rq->operator_mac, key, &rq->wallet, rq->payload, rq->payload_len))
        return pending_refuse(s, RULE_ORDER, "no MAC of the operator");
    why = rules_check_transfer(&s->act);
    if (why != NULL)
        return pending_refuse(s, RULE_CALL, why);
    return signer_is_stopped(s->state) ? pending_refuse(s, RULE_STOPPED, "stopped by the operator")
                                       : SIGNER_OK;
}

/* Only what it was shown a record for leaves a wallet like this, and then within all limits. */
static enum signer_status check_withdrawal(struct pending *s)
{
    const struct act *act = &s->act;
    const char *why = rules_check_transfer(act);
    enum signer_status status;
    enum signer_rule rule;

    if (why != NULL)
        return pending_refuse(s, RULE_CALL, why);
    rule = allowlist_check(s->state, s->rq, act, s->wallet, &why);
    if (rule != RULE_NONE)
        return pending_refuse(s, rule, why);
    status = check_limits(s);
    if (status == SIGNER_OK && act->unwraps && (s->coin != NULL || s->withdrawn != NULL))
        return pending_refuse(s, RULE_CALL, "coin that cannot be counted");
    return status;
}

static enum signer_status check_request(struct pending *s)
{
    const struct signer_request *rq = s->rq;
    const char *why;

    if (s->form == NULL || rq->wallet.kind != s->form->kind ||
        !s->form->read_wallet(s->wallet, rq->wallet.address))
        return pending_refuse(s, RULE_WALLET, "no wallet of this kind");
    s->has_act = s->form->read_act(&s->act, s->state, rq, s->wallet);
    if (!s->has_act)
        return pending_refuse(s, RULE_FORM, "not what is signed here");
    if (rq->op == SIGNER_SIGN_TRANSFER)
        return check_transfer(s);
    if (rq->op == SIGNER_SIGN_WITHDRAWAL)
        return check_withdrawal(s);
    if (!take_far_wallet(s))
        return pending_refuse(s, RULE_WALLET, "far wallet is not the same agent's");
    why = s->form->check(&s->act, s->wallet);
    return why == NULL ? check_limits(s) : pending_refuse(s, RULE_CALL, why);
}

/* Once approved, an address may be signed for again only in the same words. */
static enum signer_status keep_approval(struct pending *s)
{
    const char *address = s->act.trading_key;

    if (address[0] == '\0')
        return SIGNER_OK;
    switch (trading_keys_keep(s->state->trading_keys, address, s->digest)) {
    case KEY_APPROVED_OTHERWISE:
        return pending_refuse(s, RULE_CALL, "trading key was approved before");
    case KEY_NOT_KEPT:
        return pending_refuse(s, RULE_SIGNER, "approval cannot be kept");
    case KEY_APPROVED:
        break;
    }
    return SIGNER_OK;
}

static enum signer_status sign_with(struct signature *out, struct pending *s, const struct secret *key)
{
    char own[WALLET_ADDR_MAX];
    enum signer_status status;

    if (!key_address(own, s->rq->wallet.kind, key))
        return pending_refuse(s, RULE_SIGNER, "key is none");
    if (strcmp(own, s->rq->wallet.address) != 0)
        return pending_refuse(s, RULE_WALLET, "key of another address");
    status = count_day(s);
    if (status == SIGNER_OK)
        status = keep_approval(s);
    if (status == SIGNER_OK && !s->form->sign(out, s->rq, s->digest, key))
        return pending_refuse(s, RULE_SIGNER, "not signed");
    return status;
}

static enum signer_status open_and_sign(struct signature *out, struct pending *s)
{
    struct secret *key = seal_open(s->rq->sealed, s->state->keyring, &s->rq->wallet);
    enum signer_status status;

    if (key == NULL)
        return pending_refuse(s, RULE_WALLET, "sealed key is not this wallet's");
    status = sign_with(out, s, key);
    secret_free(key);
    return status;
}

static enum signer_status answer_sign(struct signer_answer *out, const struct signer_state *state,
                                      const struct signer_request *rq)
{
    struct pending s = { .state = state, .rq = rq, .form = payload_form_of(rq) };
    enum signer_status status = check_request(&s);

    if (s.form != NULL)
        s.form->digest(s.digest, rq->payload, rq->payload_len, s.wallet);
    if (s.why == NULL)
        status = open_and_sign(&out->sig, &s);
    if (!audit_decision(&s)) {
        memset(&out->sig, 0, sizeof out->sig);
        status = pending_refuse(&s, RULE_SIGNER, "not recorded");
    }
    out->rule = s.rule;
    return status;
}

static uint8_t standing_of(const struct signer_state *state)
{
    bool full = state->audit_log != NULL && !audit_log_has_room(state->audit_log);

    return (uint8_t)((state->locked ? SIGNER_LOCKED : 0) | (signer_is_stopped(state) ? SIGNER_STOPPED : 0) |
                     (full ? SIGNER_FULL : 0));
}

static enum signer_status answer_request(struct signer_answer *out, const struct signer_state *state,
                                         struct signer_request *rq)
{
    switch (rq->op) {
    case SIGNER_PING:
        out->standing = standing_of(state);
        history_tick(state->history);
        return SIGNER_OK;
    case SIGNER_CREATE:
        return answer_create(out, state, &rq->wallet);
    case SIGNER_SIGN:
    case SIGNER_SIGN_TRANSFER:
    case SIGNER_SIGN_MESSAGE:
    case SIGNER_SIGN_WITHDRAWAL:
    case SIGNER_SIGN_ACTION:
        return answer_sign(out, state, rq);
    case SIGNER_ALLOW_ADDRESS:
        return answer_allow(out, state, rq);
    case SIGNER_REMOVE_ADDRESS:
        return answer_remove(out, state, rq);
    }
    return SIGNER_BAD_MESSAGE;
}

void signer_answer_to(struct signer_answer *out, const struct signer_state *state, const uint8_t *packet,
                      size_t len)
{
    struct signer_request rq;

    memset(out, 0, sizeof *out);
    out->status =
        signer_request_read(&rq, packet, len) ? answer_request(out, state, &rq) : SIGNER_BAD_MESSAGE;
}
