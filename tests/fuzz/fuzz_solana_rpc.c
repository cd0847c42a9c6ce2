/* What nodes of Solana answer: any bytes, through every reader. What is read of one is within what can be. */
#include "answers.h"
#include "chain/solana/solana_dialect.h"
#include "chain/solana/solana_rpc.h"
#include "chain/tokens.h"
#include "exec/solana/solana_receipt.h"

enum { COUNT = 3 };

static const char ME[] = "9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM";

static void read_accounts(struct arena *a, const struct rpc_answer *r)
{
    struct solana_state s[COUNT];
    uint64_t slot;

    for (size_t n = 0; n <= COUNT; n++) {
        if (!solana_read_accounts(s, n, &slot, a, r))
            continue;
        MUST(slot <= INT64_MAX);
        for (size_t i = 0; i < n; i++)
            MUST(s[i].exists ? s[i].data != NULL : s[i].lamports == 0 && s[i].len == 0);
    }
}

static void read_statuses(struct arena *a, const struct rpc_answer *r)
{
    struct solana_status s[COUNT];
    uint64_t slot;

    (void)a;
    for (size_t n = 0; n <= COUNT; n++) {
        if (!solana_read_statuses(s, n, &slot, r))
            continue;
        for (size_t i = 0; i < n; i++) {
            MUST(s[i].known == (s[i].slot != 0) && (s[i].known || !s[i].confirmed));
            MUST(s[i].confirmed || !s[i].finalized);
            MUST(!s[i].succeeded || !s[i].too_little);
        }
    }
}

static void read_receipt(struct arena *a, const struct rpc_answer *r)
{
    const struct chain *c = chain_find("solana");

    (void)a;
    for (size_t i = 0; i < tokens_count; i++) {
        struct execution x = { .id = 0 };
        struct u256 arrived;
        uint64_t n;

        if (strcmp(tokens[i].chain, c->key) != 0)
            continue;
        x.to = token_ref_of(&tokens[i]);
        if (solana_receipt_arrived(&arrived, r, &x, ME))
            MUST(u256_to_u64(&n, arrived) && json_is_object(json_object_get(r->result, "meta")));
    }
}

static void read_which(struct arena *a, const struct rpc_answer *r)
{
    bool right = false;

    (void)a;
    if (!solana_dialect.read_which(&right, chain_find("solana"), r))
        MUST(!right);
}

/* Three of them at once, as nodes answer a batch. */
static void read_answers(struct arena *a, const struct buf *body,
                         void (*read)(struct arena *a, const struct rpc_answer *r))
{
    struct rpc_answers as = rpc_answers_new(a, COUNT, solana_dialect.classify);

    if (rpc_answers_add(&as, body, 200))
        for (unsigned i = 0; i < COUNT; i++) {
            MUST((as.items[i].class == RPC_RESULT) == (as.items[i].result != NULL));
            read(a, &as.items[i]);
        }
    rpc_answers_free(&as);
}

static void as_accounts(struct arena *a, const struct buf *body)
{
    read_answers(a, body, read_accounts);
}

static void as_statuses(struct arena *a, const struct buf *body)
{
    read_answers(a, body, read_statuses);
}

static void as_receipt(struct arena *a, const struct buf *body)
{
    read_answers(a, body, read_receipt);
}

static void as_genesis(struct arena *a, const struct buf *body)
{
    read_answers(a, body, read_which);
}

static answer_fn *const readers[] = { as_accounts, as_statuses, as_receipt, as_genesis };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    return answers_fuzz(readers, sizeof readers / sizeof readers[0], data, size);
}
