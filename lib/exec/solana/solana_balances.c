#include "exec/solana/solana_balances.h"

#include <string.h>

#include "chain/rpc/node.h"
#include "chain/solana/solana_programs.h"
#include "chain/solana/solana_rpc.h"
#include "chain/solana/token_account.h"
#include "chain/tokens.h"
#include "exec/changes.h"

enum { DEADLINE_MS = 2500, TOKENS_MAX = 128, PROGRAMS = 2, QUESTIONS = 1 + PROGRAMS /* about each wallet */ };

static void ask_wallet(struct rpc_batch *b, const struct wallet *w)
{
    struct solana_addr owner;

    memset(&owner, 0, sizeof owner);
    (void)solana_addr_parse(&owner, w->ref.address);
    solana_ask_accounts(b, &owner, 1, SOLANA_CONFIRMED, 1);
    solana_ask_tokens_of(b, w->ref.address, &SOLANA_TOKEN);
    solana_ask_tokens_of(b, w->ref.address, &SOLANA_TOKEN_2022);
}

/* The balances of one wallet, by the tokens of the table. */
struct held {
    const struct chain *chain;
    const struct token *tokens[TOKENS_MAX];
    struct u256 sums[TOKENS_MAX];
    unsigned count;
};

static void held_tokens_add(struct held *h, const struct token *list, size_t n)
{
    for (size_t i = 0; i < n && h->count < TOKENS_MAX; i++)
        if (strcmp(list[i].chain, h->chain->key) == 0)
            h->tokens[h->count++] = &list[i];
}

/* Accounts with the mint of the wrapped coin hold that, and not the coin itself, which has no mint. */
static bool is_of(const struct token *t, const char *mint)
{
    return mint == NULL ? token_is_native(t) : !token_is_native(t) && strcmp(t->address_text, mint) == 0;
}

static void held_add(struct held *h, const char *mint, uint64_t amount)
{
    for (unsigned i = 0; i < h->count; i++) {
        struct u256 sum;

        if (!is_of(h->tokens[i], mint))
            continue;
        if (u256_add(&sum, h->sums[i], u256_from_u64(amount)))
            h->sums[i] = sum;
        return;
    }
}

static bool read_token(struct held *h, struct arena *a, const json_t *account)
{
    char mint[SOLANA_ADDR_TEXT_LEN + 1];
    struct solana_token_state t;
    struct solana_state s;

    if (!solana_read_account(&s, a, account))
        return false;
    if (!s.exists || !solana_token_state_read(&t, &s.program, s.data, s.len))
        return true;
    solana_addr_text(mint, &t.mint);
    held_add(h, mint, t.amount);
    return true;
}

static bool read_tokens(struct held *h, struct arena *a, const struct rpc_answer *r)
{
    const json_t *list = solana_rpc_value(r, NULL), *each;
    size_t i;

    if (!json_is_array(list))
        return false;
    json_array_foreach(list, i, each) if (!read_token(h, a, json_object_get(each, "account"))) return false;
    return true;
}

/* Each answer has a slot of its own; those about one wallet count as of the oldest. */
static bool slot_of(uint64_t *out, const struct rpc_answer *answers, unsigned count)
{
    uint64_t slot;

    *out = UINT64_MAX;
    for (unsigned i = 0; i < count; i++) {
        if (solana_rpc_value(&answers[i], &slot) == NULL)
            return false;
        *out = slot < *out ? slot : *out;
    }
    return true;
}

static bool slot_of_answers(uint64_t *out, const struct node_query *q, struct arena *a)
{
    (void)a;
    return slot_of(out, q->answers.items, q->answers.count);
}

/* Adds the stored changes, unless the answers are of different slots, to which they cannot be assigned. */
static bool lay_changes(const struct ctx *ctx, struct arena *a, struct held *h, const struct wallet *w,
                        const struct rpc_answer *answers)
{
    struct changes changes;
    uint64_t slot;
    bool laid = slot_of(&slot, answers, QUESTIONS) &&
                changes_since(ctx, a, w->ref.address, h->chain, CHANGES_ANY, slot, &changes);

    for (unsigned i = 0; laid && i < h->count; i++)
        laid = changes_lay(&changes, token_is_native(h->tokens[i]) ? NULL : h->tokens[i]->address_text,
                           &h->sums[i]);
    return laid;
}

/* False when something is missing: it is unknown then, not zero. */
static bool read_wallet(const struct ctx *ctx, struct arena *a, struct holdings *out, const struct chain *c,
                        const struct wallet *w, const struct rpc_answer *answers, bool behind)
{
    struct held h = { .chain = c };
    struct solana_state coin;

    held_tokens_add(&h, tokens, tokens_count);
    held_tokens_add(&h, out->also, out->also_count);

    if (!solana_read_accounts(&coin, 1, NULL, a, &answers[0]) || !read_tokens(&h, a, &answers[1]) ||
        !read_tokens(&h, a, &answers[2]))
        return false;
    held_add(&h, NULL, coin.lamports);
    if (behind && !lay_changes(ctx, a, &h, w, answers))
        return false;
    for (unsigned i = 0; i < h.count; i++)
        if (!u256_is_zero(h.sums[i]))
            out->held[out->count++] = (struct holding){ .chain = c,
                                                        .token = h.tokens[i],
                                                        .wallet = w->ref.address,
                                                        .balance = { h.sums[i], h.tokens[i]->decimals } };
    return true;
}

/* False: the database failed. */
static bool since_read(const struct ctx *ctx, struct arena *a, const struct wallet *const *wallets, size_t n,
                       const struct chain *c, uint64_t *out)
{
    struct account_blocks blocks;

    *out = 0;
    for (size_t i = 0; i < n; i++) {
        if (!changes_blocks(ctx, a, wallets[i]->ref.address, &blocks))
            return false;
        if (changes_block_of(&blocks, c) > *out)
            *out = changes_block_of(&blocks, c);
    }
    return true;
}

static void read_chain(const struct ctx *ctx, struct arena *a, const struct wallet *const *wallets, size_t n,
                       const struct chain *c, struct holdings *out)
{
    struct buf body = BUF_INIT(MAX_UPSTREAM);
    struct rpc_batch batch = rpc_begin(&body);
    struct node_query q = { .chain = c, .batch = &batch, .block_of = slot_of_answers };
    bool all = since_read(ctx, a, wallets, n, c, &q.since);

    for (size_t i = 0; i < n; i++)
        ask_wallet(&batch, wallets[i]);
    rpc_end(&batch);
    holdings_reserve(out, a, n * TOKENS_MAX);
    if (all)
        node_ask_all(ctx, &q, 1, DEADLINE_MS, a);
    for (size_t i = 0; q.answered && i < n; i++)
        all = read_wallet(ctx, a, out, c, wallets[i], &q.answers.items[i * QUESTIONS], q.behind) && all;
    if (!all || !q.answered)
        out->unread[out->unread_count++] = c;
    if (q.answered)
        rpc_answers_free(&q.answers);
    buf_free(&body);
}

void solana_balances(const struct ctx *ctx, struct arena *a, const struct wallet *wallets, size_t count,
                     const struct chain *only, struct holdings *out)
{
    const struct wallet **own = ARENA_ARRAY(a, const struct wallet *, count);
    const struct chain *c = chain_find("solana");
    size_t n = 0;

    for (size_t i = 0; i < count; i++)
        if (wallets[i].ref.kind == WALLET_SOLANA)
            own[n++] = &wallets[i];
    if (n > 0 && (only == NULL ? nodes_known(ctx->nodes, c) : c == only))
        read_chain(ctx, a, own, n, c, out);
}
