#include "exec/solana/solana_tx_simulation.h"

#include <string.h>

#include "base/incident.h"
#include "base/log.h"
#include "chain/rpc/node.h"
#include "chain/solana/solana_programs.h"
#include "chain/solana/solana_rpc.h"
#include "chain/solana/token_account.h"
#include "chain/unavailable.h"
#include "codec/base64.h"
#include "exec/changes.h"
#include "exec/solana/lifetime.h"

enum {
    DEADLINE_MS = 2500,
    TWIN_MS = 1500, /* another node that is slow is not waited for */
    TRIES_MORE = 2, /* where two nodes differ, which are not at the same block */
    WATCHED_MAX = SOLANA_ACCOUNTS_ASKED_MAX,
    ACCOUNT_LEAST = 890880, /* lamports: with less no account is let go on, unless nothing is in it */
    BYTE_LEAST = 6960, /* of which each byte has so many, and so have ACCOUNT_BYTES in addition to its data */
    ACCOUNT_BYTES = 128,
    TOKEN_BYTES_MAX = 1024, /* of a token's account, with more extensions than any has */
};

/* One account of the wallet or of the recipient of its token, or one that may become such. */
struct holding_state {
    struct solana_state account;
    bool own;    /* it holds a token of the wallet */
    bool theirs; /* it holds a token of the recipient */
    struct solana_token_state token;
};

struct tx_simulation {
    const struct solana_reading *r;
    bool gives; /* a token, to the recipient */
    struct solana_addr recipient;
    struct solana_addr watched[WATCHED_MAX]; /* the wallet itself first */
    struct holding_state before[WATCHED_MAX], after[WATCHED_MAX];
    unsigned count;
};

static void holding_read(struct holding_state *h, const struct tx_simulation *t)
{
    const struct solana_state *s = &h->account;
    bool holds = s->exists && solana_token_state_read(&h->token, &s->program, s->data, s->len);

    h->own = holds && solana_addr_eq(&h->token.owner, &t->r->wallet);
    h->theirs = holds && t->gives && solana_addr_eq(&h->token.owner, &t->recipient);
}

/* ---- which accounts can change for the wallet ---- */

/* Keeps the accounts that are the wallet's or the recipient's, or may become so. */
static bool keep_own(struct tx_simulation *t, struct arena *a, const struct rpc_answer *r)
{
    struct solana_state states[WATCHED_MAX];
    unsigned kept = 1;

    if (!solana_read_accounts(states, t->count, NULL, a, r))
        return false;
    for (unsigned i = 1; i < t->count; i++) {
        struct holding_state h = { .account = states[i] };

        holding_read(&h, t);
        if (h.own || h.theirs || !h.account.exists)
            t->watched[kept++] = t->watched[i];
    }
    t->count = kept;
    return true;
}

static const struct err *ask(const struct ctx *ctx, struct arena *a, const struct chain *c,
                             struct rpc_batch *b, struct rpc_answers *out)
{
    rpc_end(b);
    return node_ask(ctx, c, b, DEADLINE_MS, a, out) ? NULL : chain_unavailable(ctx, a, c);
}

static const struct err *find_own(const struct ctx *ctx, struct arena *a, const struct chain *c,
                                  struct tx_simulation *t)
{
    struct buf body = BUF_INIT(MAX_TX);
    struct rpc_batch b = rpc_begin(&body);
    struct rpc_answers answers;
    const struct err *e;

    /* All that the transaction may write to. */
    t->watched[t->count++] = t->r->wallet;
    for (unsigned i = 1; i < t->r->accounts.count && t->count < WATCHED_MAX; i++)
        if (solana_may_write(&t->r->tx, i))
            t->watched[t->count++] = t->r->accounts.keys[i];
    solana_ask_accounts(&b, t->watched, t->count, SOLANA_NEWEST, SOLANA_TOKEN_HEAD);
    if ((e = ask(ctx, a, c, &b, &answers)) == NULL) {
        e = keep_own(t, a, &answers.items[0]) ? NULL : chain_senseless(c, "accounts");
        rpc_answers_free(&answers);
    }
    buf_free(&body);
    return e;
}

/* ---- the simulation itself ---- */

enum { AT_BEFORE, AT_TX_SIMULATION, AT_HASH, AT_HEIGHT };

static void ask_simulation(struct rpc_batch *b, struct arena *a, const struct tx_simulation *t,
                           const struct step *s)
{
    struct buf watched = BUF_INIT(WATCHED_MAX * (SOLANA_ADDR_TEXT_LEN + 3) + 8);
    char *tx = arena_alloc(a, BASE64_LEN(s->data_len) + 1), key[SOLANA_ADDR_TEXT_LEN + 1];

    base64_encode(tx, s->data, s->data_len);
    for (unsigned i = 0; i < t->count; i++) {
        solana_addr_text(key, &t->watched[i]);
        buf_addf(&watched, "%s\"%s\"", i > 0 ? "," : "", key);
    }
    rpc_add(b, "simulateTransaction",
            "[\"%s\",{\"encoding\":\"base64\",\"commitment\":\"" SOLANA_NEWEST "\",\"sigVerify\":false,"
            "\"replaceRecentBlockhash\":false,\"accounts\":{\"encoding\":\"base64\",\"addresses\":[%s]}}]",
            tx, buf_text(&watched));
    buf_free(&watched);
}

static void ask_blockhash(struct rpc_batch *b, const struct tx_simulation *t)
{
    char hash[SOLANA_ADDR_TEXT_LEN + 1];

    base58_encode(hash, t->r->tx.blockhash, SOLANA_BLOCKHASH_LEN);
    rpc_add(b, "isBlockhashValid", "[\"%s\",{\"commitment\":\"" SOLANA_NEWEST "\"}]", hash);
    rpc_add(b, "getLatestBlockhash", "[{\"commitment\":\"" SOLANA_NEWEST "\"}]");
}

static bool read_before(struct tx_simulation *t, struct arena *a, const struct rpc_answer *r, uint64_t *slot)
{
    struct solana_state states[WATCHED_MAX];

    if (!solana_read_accounts(states, t->count, slot, a, r))
        return false;
    for (unsigned i = 0; i < t->count; i++) {
        t->before[i].account = states[i];
        holding_read(&t->before[i], t);
    }
    return true;
}

static bool read_after(struct tx_simulation *t, struct arena *a, const json_t *list)
{
    if (json_array_size(list) != t->count)
        return false;
    for (unsigned i = 0; i < t->count; i++) {
        if (!solana_read_account(&t->after[i].account, a, json_array_get(list, i)))
            return false;
        holding_read(&t->after[i], t);
    }
    return true;
}

/* ---- the result ---- */

static bool is_wrapped(const struct holding_state *h)
{
    return h->own && solana_addr_eq(&h->token.mint, &SOLANA_WRAPPED_COIN);
}

/* Wrapped coin counts with the coin unless the coin is given away; then only empty accounts are closed. */
static unsigned coin_holders(const struct tx_simulation *t)
{
    return t->r->trade.act == TRADE_PAYMENT ? 1 : t->count;
}

/* The wallet's coin, with what is wrapped of it. */
static struct u256 coin_in(const struct holding_state *list, unsigned n)
{
    uint64_t sum = list[0].account.lamports; /* of all there is, no sum exceeds 64 bits */

    for (unsigned i = 1; i < n; i++)
        if (is_wrapped(&list[i]))
            sum += list[i].account.lamports;
    return u256_from_u64(sum);
}

static struct u256 token_in(const struct holding_state *list, unsigned n, const char *mint)
{
    struct solana_addr wanted;
    uint64_t sum = 0;

    for (unsigned i = 1; i < n; i++)
        if (list[i].own && solana_addr_parse(&wanted, mint) && solana_addr_eq(&list[i].token.mint, &wanted))
            sum += list[i].token.amount;
    return u256_from_u64(sum);
}

/* The given amount is all in one account of the recipient's. */
static struct u256 token_given(const struct holding_state *list, unsigned n)
{
    for (unsigned i = 1; i < n; i++)
        if (list[i].theirs)
            return u256_from_u64(list[i].token.amount);
    return U256_ZERO;
}

static bool is_wrapped_coin(const char *token)
{
    struct solana_addr mint;

    return solana_addr_parse(&mint, token) && solana_addr_eq(&mint, &SOLANA_WRAPPED_COIN);
}

static bool unwraps(const struct trade *trade)
{
    return is_wrapped_coin(trade->sell) && trade_buys_coin(trade);
}

/* The coin that the trade may cost, fees and deposits apart: what is wrapped of it is still there. */
static struct u256 coin_sold(const struct trade *trade)
{
    if (unwraps(trade) || (trade_sells_coin(trade) && is_wrapped_coin(trade->buy)))
        return U256_ZERO;
    return is_wrapped_coin(trade->sell) ? trade->amount : trade->value;
}

/* The deposits of the wallet's new accounts: they can be had back, but not traded. The deposit of the
 * recipient's new account counts too; the recipient, which may be a bridge, can have it back. */
static uint64_t deposits(const struct tx_simulation *t)
{
    bool given = t->r->trade.act != TRADE_SWAP, opens = t->r->trade.act != TRADE_PAYMENT;
    uint64_t sum = 0;

    for (unsigned i = 1; opens && i < t->count; i++)
        if (!t->before[i].account.exists && (given || (t->after[i].own && !is_wrapped(&t->after[i]))))
            sum += t->after[i].account.lamports;
    return sum;
}

static bool same_rights(const struct solana_token_state *x, const struct solana_token_state *y)
{
    return x->delegated == y->delegated && x->closable == y->closable &&
           x->delegated_amount == y->delegated_amount && solana_addr_eq(&x->delegate, &y->delegate) &&
           solana_addr_eq(&x->closer, &y->closer) && solana_addr_eq(&x->mint, &y->mint);
}

/* Another owning program could move the coin, and an account with data cannot pay any more. */
static const char *wallet_flaw(const struct holding_state *after)
{
    const struct solana_state *s = &after->account;

    return s->exists && (!solana_addr_eq(&s->program, &SOLANA_SYSTEM) || s->len > 0)
               ? "the wallet is taken away"
               : NULL;
}

static bool may_be_closed(const struct holding_state *h, const struct trade *trade)
{
    return trade->act == TRADE_PAYMENT ? h->token.amount == 0 : is_wrapped(h);
}

/* The deposit of a new account follows from its size: a node that shows more would make the rest count as a
 * deposit. */
static bool holds_too_much(const struct holding_state *before, const struct holding_state *after)
{
    size_t bytes = after->account.len < TOKEN_BYTES_MAX ? after->account.len : TOKEN_BYTES_MAX;

    return after->own && !before->account.exists && !is_wrapped(after) &&
           after->account.lamports > (ACCOUNT_BYTES + bytes) * BYTE_LEAST;
}

/* A token's account may only be opened, gain, or give the sold token. One may be closed if it is empty and
 * the coin is given away, or else if it is that of the wrapped coin. */
static const char *account_flaw(const struct holding_state *before, const struct holding_state *after,
                                const struct trade *trade)
{
    char mint[SOLANA_ADDR_TEXT_LEN + 1];

    if (after->own && after->token.frozen && !(before->own && before->token.frozen))
        return "an account is frozen";
    if (holds_too_much(before, after))
        return "a new account holds more than it has to";
    if (!before->own)
        return after->own && (after->token.delegated || after->token.closable)
                   ? "another account may take what arrives"
                   : NULL;
    if (!after->own)
        return may_be_closed(before, trade) ? NULL : "an account is taken away";
    if (!same_rights(&before->token, &after->token))
        return "another account gets rights over an account";
    solana_addr_text(mint, &before->token.mint);
    return after->token.amount < before->token.amount && !is_wrapped(before) && strcmp(mint, trade->sell) != 0
               ? "a token is taken that is not sold"
               : NULL;
}

static const char *tx_simulation_flaw(const struct tx_simulation *t, struct u256 coin_most,
                                      struct u256 coin_lost, struct u256 token_lost)
{
    const struct trade *trade = &t->r->trade;
    const char *why = wallet_flaw(&t->after[0]);

    for (unsigned i = 1; why == NULL && i < t->count; i++)
        why = account_flaw(&t->before[i], &t->after[i], trade);
    if (why == NULL && u256_cmp(coin_lost, coin_most) > 0)
        return "more coin than is sold";
    if (why == NULL && !trade_sells_coin(trade) && u256_cmp(token_lost, trade->amount) > 0)
        return "more than is sold";
    return why;
}

/* It ran: what the wallet would have afterwards. */
static void read_outcome(struct chain_state *st, const struct tx_simulation *t)
{
    const struct trade *trade = &t->r->trade;
    const struct holding_state *x = t->before, *y = t->after;
    struct u256 had = coin_in(x, coin_holders(t)), has = coin_in(y, coin_holders(t)), spent, most, sold,
                beside = u256_from_u64(t->r->costs.fee + deposits(t));

    if (!u256_add(&spent, has, beside) || !u256_add(&most, coin_sold(trade), beside))
        return;
    st->fees.max_fee = beside;
    sold = u256_sub_or_zero(token_in(x, t->count, trade->sell), token_in(y, t->count, trade->sell));
    if (t->gives)
        st->arrives = u256_sub_or_zero(token_given(y, t->count), token_given(x, t->count));
    else if (unwraps(trade))
        st->arrives = sold;
    else if (trade_buys_coin(trade))
        st->arrives = u256_sub_or_zero(spent, had);
    else
        st->arrives = u256_sub_or_zero(token_in(y, t->count, trade->buy), token_in(x, t->count, trade->buy));
    st->leaves = trade_sells_coin(trade) ? u256_sub_or_zero(had, spent) : sold;
    st->revert = tx_simulation_flaw(t, most, u256_sub_or_zero(had, has), sold);
    st->tried = st->revert == NULL;
    if (st->revert != NULL)
        log_error("simulation_shows_loss", "msg=\"a transaction takes more than it says\" reason=\"%s\"",
                  st->revert);
}

static bool is_short_of_coin(const json_t *error)
{
    const char *word = json_string_value(error);

    return json_object_get(error, "InsufficientFundsForRent") != NULL ||
           (word != NULL &&
            (strcmp(word, "InsufficientFundsForFee") == 0 || strcmp(word, "AccountNotFound") == 0));
}

static bool is_frozen(const struct tx_simulation *t)
{
    for (unsigned i = 1; i < t->count; i++)
        if (t->before[i].own && t->before[i].token.frozen)
            return true;
    return false;
}

/* Which account would keep something, but less than it must; NULL: none. */
static const struct solana_addr *account_short_of_rent(const struct tx_simulation *t, const json_t *error)
{
    const json_t *rent = json_object_get(error, "InsufficientFundsForRent");
    uint64_t account;

    if (rent == NULL || !solana_rpc_number(&account, json_object_get(rent, "account_index")) ||
        account >= t->r->accounts.count)
        return NULL;
    return &t->r->accounts.keys[account];
}

/* NULL: the error's own hint says it. */
static const char *advice_on(const struct chain_state *st, const struct tx_simulation *t, bool frozen,
                             const struct solana_addr *poor)
{
    if (st->below_least)
        return "The recipient's account is not on the chain yet, and must hold 0.00089088 SOL or more: send at "
               "least that";
    if (poor != NULL && solana_addr_eq(poor, &t->r->wallet))
        return "Too close to rent exemption: once it has paid, the wallet must keep 0.00089088 SOL or more, "
               "or nothing at all";
    if (st->short_of_coin || st->price_moved)
        return NULL;
    return frozen ? "The wallet's account of a token is frozen, and only its issuer can undo it: "
                    "trade another token"
                  : "A program on the chain refuses it: ask for a new quote, or trade another token";
}

/* Describes the refusal in our own words, never the program's. */
static void read_refusal(struct chain_state *st, const struct tx_simulation *t, const json_t *error)
{
    const struct solana_addr *poor = account_short_of_rent(t, error);
    bool frozen = is_frozen(t);

    st->price_moved = solana_is_too_little(error);
    st->below_least =
        t->r->trade.act == TRADE_PAYMENT && poor != NULL && !solana_addr_eq(poor, &t->r->wallet);
    st->short_of_coin = !st->below_least && is_short_of_coin(error);
    st->revert = frozen            ? "the wallet's account of a token is frozen"
                 : st->below_least ? "a new account must hold 0.00089088 SOL or more"
                                   : "a program refused it";
    st->advice = advice_on(st, t, frozen, poor);
}

static bool read_tx_simulation(struct tx_simulation *t, struct arena *a, const struct rpc_answer *r,
                               struct chain_state *st)
{
    const json_t *value = solana_rpc_value(r, NULL), *error = json_object_get(value, "err");

    if (error == NULL)
        return false;
    st->fees.max_fee = u256_from_u64(t->r->costs.fee + t->r->costs.rent);
    if (json_is_null(error)) {
        if (!read_after(t, a, json_object_get(value, "accounts")))
            return false;
        read_outcome(st, t);
        return true;
    }
    read_refusal(st, t, error);
    return true;
}

/* The last block that takes it: counted from the node's newest, which is not before the one whose hash it
 * bears. */
static bool read_last(uint64_t *out, const struct rpc_answer *r)
{
    return json_is_true(solana_rpc_value(&r[AT_HASH], NULL)) &&
           solana_rpc_number(
               out, json_object_get(solana_rpc_value(&r[AT_HEIGHT], NULL), "lastValidBlockHeight")) &&
           *out <= INT64_MAX;
}

static const struct err *read_all(struct tx_simulation *t, struct arena *a, struct plan *p,
                                  const struct rpc_answer *r, struct chain_state *st)
{
    struct step *s = &p->steps[0];

    if (!read_last(&s->expiry, r) || !read_before(t, a, &r[AT_BEFORE], &st->block) ||
        !read_tx_simulation(t, a, &r[AT_TX_SIMULATION], st))
        return chain_senseless(p->chain, "trial");
    s->gas_limit = 1;
    st->native_least = u256_from_u64(ACCOUNT_LEAST);
    st->native_balance = u256_from_u64(t->before[0].account.lamports);
    if (!p->leaves.native)
        st->token_balance = token_in(t->before, t->count, p->leaves.token.address);
    return NULL;
}

/* ---- another node's word ---- */

/* Whether a simulation failed, where the answer says that, as of a block that is not before `slot`. A node
 * that does not know the blockhash yet says nothing. */
static bool tx_simulation_told(bool *fails, const struct rpc_answer *r, uint64_t slot)
{
    uint64_t at = 0;
    const json_t *error = json_object_get(solana_rpc_value(r, &at), "err");
    const char *word = json_string_value(error);

    *fails = !json_is_null(error);
    return error != NULL && at >= slot && (word == NULL || strcmp(word, "BlockhashNotFound") != 0);
}

static const struct err *tx_simulation_disputed(struct arena *a, const struct chain *c)
{
    log_repeated("simulation_disputed", arena_printf(a, "chain=%s", c->key),
                 "msg=\"nodes differ in whether a transaction goes through\"");
    return err_hint(
        a, &E_UPSTREAM,
        arena_printf(a,
                     "Whether it goes through on the chain '%s' is disputed among its nodes: nothing "
                     "was signed, retry with backoff",
                     c->key));
}

static const struct err *tx_simulation_judge(struct arena *a, const struct plan *p, struct chain_state *st,
                                             const struct node_query *first, const struct node_query *twin)
{
    bool mine, other;

    st->disputed = twin->answered && tx_simulation_told(&mine, &first->answers.items[AT_TX_SIMULATION], 0) &&
                   tx_simulation_told(&other, &twin->answers.items[0], st->block) && mine != other;
    return st->disputed ? tx_simulation_disputed(a, p->chain) : NULL;
}

static bool slot_of_answers(uint64_t *out, const struct node_query *q, struct arena *a)
{
    (void)a;
    return solana_rpc_value(&q->answers.items[AT_BEFORE], out) != NULL;
}

/* Behind the simulation and the heights. */
enum { AT_TWIN = 1 + NODE_OPINIONS };

static const struct err *run(const struct ctx *ctx, struct arena *a, struct plan *p, struct tx_simulation *t,
                             uint64_t since, struct chain_state *st)
{
    struct buf body = BUF_INIT(MAX_TX);
    struct rpc_batch b = rpc_begin(&body);
    struct buf twin_body = BUF_INIT(MAX_TX);
    struct rpc_batch twin = rpc_begin(&twin_body);
    struct node_query queries[AT_TWIN + 1] = {
        [0] = { .chain = p->chain, .batch = &b, .since = since, .block_of = slot_of_answers },
        [AT_TWIN] = { .chain = p->chain, .batch = &twin, .order = NODE_OTHERS, .timeout_ms = TWIN_MS },
    };
    struct lifetime lifetime;
    const struct err *e;

    solana_ask_accounts(&b, t->watched, t->count, SOLANA_NEWEST, SOLANA_TOKEN_HEAD);
    ask_simulation(&b, a, t, &p->steps[0]);
    ask_blockhash(&b, t);
    rpc_end(&b);
    lifetime_ask(&lifetime, queries + 1, p->chain);
    ask_simulation(&twin, a, t, &p->steps[0]);
    rpc_end(&twin);
    queries[AT_TWIN].apart = &queries[0];
    node_ask_all(ctx, queries, AT_TWIN + 1, DEADLINE_MS, a);
    e = queries[0].answered ? read_all(t, a, p, queries[0].answers.items, st)
                            : chain_unavailable(ctx, a, p->chain);
    if (e == NULL)
        e = tx_simulation_judge(a, p, st, &queries[0], &queries[AT_TWIN]);
    if (!lifetime_read(&p->steps[0].expiry, queries + 1) && e == NULL)
        e = chain_senseless(p->chain, "blockhash");
    if (e == NULL)
        e = changes_lay_state(ctx, a, p, since, st);
    if (queries[0].answered)
        rpc_answers_free(&queries[0].answers);
    if (queries[AT_TWIN].answered)
        rpc_answers_free(&queries[AT_TWIN].answers);
    lifetime_free(&lifetime);
    buf_free(&twin_body);
    buf_free(&body);
    return e;
}

const struct err *solana_tx_simulation(const struct ctx *ctx, struct arena *a, struct plan *p,
                                       const struct solana_reading *r, struct chain_state *st)
{
    struct tx_simulation *t = ARENA_NEW(a, struct tx_simulation);
    const struct chain_state begun = *st;
    const struct err *e;
    int64_t until_ms = 0;
    uint64_t since;

    if (!changes_block_for(ctx, a, p, &since))
        return &E_INTERNAL;
    do {
        *t = (struct tx_simulation){ .r = r };
        t->gives = r->trade.act == TRADE_TRANSFER && solana_addr_parse(&t->recipient, r->trade.recipient);
        e = find_own(ctx, a, p->chain, t);
        for (unsigned again = 0; e == NULL && again <= TRIES_MORE; again++) {
            *st = begun;
            e = run(ctx, a, p, t, since, st);
            if (e == NULL || !st->disputed)
                break;
            e = again < TRIES_MORE ? NULL : e;
        }
    } while (changes_await_state(&until_ms, a, p, e, st));
    return e;
}
