#include "exec/solana/solana_transfer.h"

#include <string.h>

#include "chain/rpc/node.h"
#include "chain/solana/derived.h"
#include "chain/solana/instruction.h"
#include "chain/solana/solana_calls.h"
#include "chain/solana/solana_programs.h"
#include "chain/solana/solana_rpc.h"
#include "chain/solana/token_account.h"
#include "chain/unavailable.h"

enum {
    DEADLINE_MS = 2500,
    /* Compute units: several times what each uses, as opening an account takes now more and now less. */
    UNITS_COIN = 1000,
    UNITS_TOKEN = 150000,
    UNITS_CLOSING = 10000,
    UNIT_PRICE =
        100000,      /* millionths of a lamport: a token's transfer pays 15000 lamports for coming first */
    CLOSED_MAX = 20, /* more do not fit into a transaction */
    /* Bytes of an account, at most, that nothing but a token keeps open: with the extension that every
     * associated account of the newer program has. */
    CLOSABLE_LEN = SOLANA_TOKEN_ACCOUNT_LEN + 5,
};

/* ---- the transaction ---- */

/* A token account, and who keeps it. */
struct kept {
    struct solana_addr program, account;
};

/* Facts that only a node knows. */
struct told {
    uint8_t blockhash[SOLANA_BLOCKHASH_LEN];
    struct kept source;              /* of a token: what it leaves */
    struct kept emptied[CLOSED_MAX]; /* besides the coin: what nothing is in */
    unsigned emptied_count;
};

struct transfer {
    struct told told;
    struct solana_addr wallet, to, mint;
    bool coin, exact;
    uint8_t decimals;
    uint64_t amount;
};

/* Zero for a text that is none: no such account can pay or be opened. */
static struct solana_addr address_of(const char *text)
{
    struct solana_addr a;

    if (!solana_addr_parse(&a, text))
        memset(&a, 0, sizeof a);
    return a;
}

/* Facts that the step's transaction has already, if there is one. */
static void told_before(struct told *out, const struct plan *p)
{
    struct solana_accounts accounts;
    struct solana_step s;
    struct solana_tx tx;

    if (p->count != 1 || solana_tx_read(&tx, p->steps[0].data, p->steps[0].data_len) != NULL ||
        !solana_accounts_given(&accounts, &tx, NULL, 0))
        return;
    memcpy(out->blockhash, tx.blockhash, sizeof out->blockhash);
    for (unsigned i = 0; i < tx.instruction_count; i++) {
        solana_step_read(&s, &tx.instructions[i], &accounts);
        if (s.act == SOLANA_TRANSFER)
            out->source = (struct kept){ *s.token_program, *s.source };
        else if (s.act == SOLANA_CLOSE && out->emptied_count < CLOSED_MAX)
            out->emptied[out->emptied_count++] = (struct kept){ *s.program, *s.source };
    }
}

static struct transfer transfer_of(const struct plan *p, const char *to, struct u256 amount)
{
    struct transfer t = { .told.source.program = SOLANA_TOKEN,
                          .wallet = address_of(p->wallet),
                          .to = address_of(to),
                          .mint = address_of(p->leaves.token.address),
                          .coin = p->leaves.native,
                          .exact = p->exact,
                          .decimals = p->leaves.token.decimals };

    (void)solana_token_account(&t.told.source.account, &t.wallet, &SOLANA_TOKEN, &t.mint);
    told_before(&t.told, p);
    if (!u256_to_u64(&t.amount, amount))
        t.amount = UINT64_MAX; /* more than any account holds */
    return t;
}

static void add_token_transfer(struct solana_calls *c, const struct transfer *t)
{
    struct solana_token_move move = { .program = t->told.source.program,
                                      .mint = t->mint,
                                      .owner = t->wallet,
                                      .from = t->told.source.account,
                                      .decimals = t->decimals,
                                      .amount = t->amount };

    (void)solana_token_account(&move.to, &t->to, &t->told.source.program, &t->mint);
    solana_add_opening(c, &t->wallet, &t->to, &t->told.source.program, &t->mint);
    solana_add_transfer(c, &move);
}

/* The deposits of emptied accounts go where the coin does. */
static void add_closings(struct solana_calls *c, const struct transfer *t)
{
    for (unsigned i = 0; i < t->told.emptied_count; i++) {
        const struct kept *k = &t->told.emptied[i];

        solana_add_closing(c, &k->program, &k->account, &t->wallet, &t->to);
    }
}

/* The transaction always fits: its accounts are few. */
static void transfer_write(struct plan *p, struct arena *a, const struct transfer *t)
{
    struct step *s = &p->steps[0];
    struct solana_calls c = { .count = 0 };
    struct buf tx = BUF_INIT(SOLANA_TX_MAX);

    if (t->coin) {
        solana_add_budget(&c, UNITS_COIN + t->told.emptied_count * UNITS_CLOSING, UNIT_PRICE);
        add_closings(&c, t);
        solana_add_payment(&c, &t->wallet, &t->to, t->amount);
    } else {
        solana_add_budget(&c, UNITS_TOKEN, UNIT_PRICE);
        add_token_transfer(&c, t);
    }
    (void)solana_tx_write(&tx, &t->wallet, c.list, c.count, t->told.blockhash);
    s->data = arena_memdup(a, tx.data, tx.len);
    s->data_len = tx.len;
    p->leaves.amount = u256_from_u64(t->amount);
    if (t->coin)
        s->value = p->leaves.amount;
    else
        s->token_amount = p->leaves.amount;
    buf_free(&tx);
}

void solana_plan_transfer(struct plan *p, struct arena *a, const char *to, struct u256 amount)
{
    const struct transfer t = transfer_of(p, to, amount);
    struct step *s = &p->steps[0];

    p->count = 1;
    *s = (struct step){ .kind = TX_SPEND,
                        .to = to,
                        .token = t.coin ? NULL : arena_strdup(a, p->leaves.token.address),
                        .gas_limit = s->gas_limit,
                        .expiry = s->expiry };
    transfer_write(p, a, &t);
}

/* ---- a node's answers ---- */

/* The items of the batch, in this order: the wallet's accounts of the token, or for the coin those of either
 * program. */
enum { AT_HASH, AT_HELD };

static void ask(struct rpc_batch *b, const struct plan *p, const struct transfer *t)
{
    solana_ask_blockhash(b);
    if (t->coin) {
        solana_ask_tokens_of(b, p->wallet, &SOLANA_TOKEN);
        solana_ask_tokens_of(b, p->wallet, &SOLANA_TOKEN_2022);
    } else {
        rpc_add(b, "getTokenAccountsByOwner",
                "[\"%s\",{\"mint\":\"%s\"},{\"commitment\":\"" SOLANA_CONFIRMED
                "\",\"encoding\":\"base64\"}]",
                p->wallet, p->leaves.token.address);
    }
    rpc_end(b);
}

/* A node's answer about one of the wallet's accounts. */
struct shown {
    struct kept kept;
    struct solana_token_state token;
    size_t len;
};

/* Keeps the account when it has more than `t` is told of. */
static void take_fullest(struct transfer *t, const struct shown *s)
{
    if (s->token.amount <= t->amount)
        return;
    t->told.source = s->kept;
    t->amount = s->token.amount;
}

/* Keeps the account when its program lets the wallet close it. */
static void take_emptied(struct transfer *t, const struct shown *s)
{
    if (s->token.amount == 0 && !s->token.frozen && !s->token.closable && s->len <= CLOSABLE_LEN &&
        solana_addr_eq(&s->token.owner, &t->wallet) && t->told.emptied_count < CLOSED_MAX)
        t->told.emptied[t->told.emptied_count++] = s->kept;
}

static bool read_account(struct transfer *t, struct arena *a, const json_t *each)
{
    const char *key = json_string_value(json_object_get(each, "pubkey"));
    struct solana_state state;
    struct shown s;

    if (key == NULL || !solana_addr_parse(&s.kept.account, key) ||
        !solana_read_account(&state, a, json_object_get(each, "account")))
        return false;
    if (!state.exists || !solana_token_state_read(&s.token, &state.program, state.data, state.len))
        return true;
    s.kept.program = state.program;
    s.len = state.len;
    if (t->coin)
        take_emptied(t, &s);
    else
        take_fullest(t, &s);
    return true;
}

static bool read_held(struct transfer *t, struct arena *a, const struct rpc_answer *r)
{
    const json_t *list = solana_rpc_value(r, NULL), *each;
    size_t i;

    if (!json_is_array(list))
        return false;
    json_array_foreach(list, i, each) if (!read_account(t, a, each)) return false;
    return true;
}

static bool read_all_held(struct transfer *t, struct arena *a, const struct rpc_answer *r)
{
    t->told.emptied_count = 0;
    if (t->coin && t->exact)
        return true;
    if (t->coin)
        return read_held(t, a, &r[0]) && read_held(t, a, &r[1]);
    t->amount = 0;
    return read_held(t, a, &r[0]);
}

static const struct err *read_all(struct transfer *t, struct arena *a, const struct chain *c,
                                  const struct rpc_answer *r)
{
    return solana_read_blockhash(t->told.blockhash, &r[AT_HASH]) && read_all_held(t, a, &r[AT_HELD])
               ? NULL
               : chain_senseless(c, "accounts");
}

const struct err *solana_transfer_complete(const struct ctx *ctx, struct arena *a, struct plan *p)
{
    struct transfer t = transfer_of(p, p->recipient, p->leaves.amount);
    struct buf body = BUF_INIT(MAX_TX);
    struct rpc_batch batch = rpc_begin(&body);
    struct rpc_answers answers;
    const struct err *e;

    ask(&batch, p, &t);
    if (node_ask(ctx, p->chain, &batch, DEADLINE_MS, a, &answers)) {
        e = read_all(&t, a, p->chain, answers.items);
        rpc_answers_free(&answers);
    } else {
        e = chain_unavailable(ctx, a, p->chain);
    }
    buf_free(&body);
    if (e == NULL)
        transfer_write(p, a, &t);
    return e;
}
