/* Successes by two nodes, whose answers a test sets. */
#define node_ask_two fake_ask_two
#define nodes_count  fake_count
#include "exec/evm/success.c"
#include "exec/opinion.c"

#include "base/test.h"
#include "chain/evm/evm_rpc_class.h"
#include "codec/test_liar.h"

enum { NONCE = 5, BLOCK = 90, HEAD = 1000, SECOND = 1000 };

static struct arena *a;
static size_t node_count;
static struct conf *conf;

/* One node's word about a transaction. */
struct word {
    bool silent;
    uint64_t head, block, nonces;
    bool reverted;
    const json_t *receipt; /* boxed; in place of those */
};

static struct word words[NODE_OPINIONS];
static unsigned asked;

size_t fake_count(const struct nodes *n, const struct chain *c)
{
    CHECK(n == NULL && c != NULL);
    return node_count;
}

static void word_answer(struct rpc_answers *out, const struct rpc_batch *b, const struct word *w)
{
    struct buf body = BUF_INIT(4096);

    buf_addf(&body, "[{\"id\":0,\"result\":\"0x%llx\"},", (unsigned long long)w->head);
    buf_addf(&body, "{\"id\":1,\"result\":\"0x%llx\"},{\"id\":2,\"result\":", (unsigned long long)w->nonces);
    if (w->receipt != NULL)
        buf_addf(&body, "%s}]", jw_text_of(a, json_array_get(w->receipt, 0), JSON_ENCODE_ANY));
    else if (w->block == 0)
        buf_adds(&body, "null}]");
    else
        buf_addf(&body, "{\"blockNumber\":\"0x%llx\",\"status\":\"0x%d\"}}]", (unsigned long long)w->block,
                 !w->reverted);
    CHECK(rpc_read(out, a, &body, b->count, evm_classify));
    buf_free(&body);
}

size_t fake_ask_two(const struct ctx *ctx, const struct chain *c, const struct rpc_batch *batch,
                    unsigned deadline_ms, struct arena *arena, struct rpc_answers out[static NODE_OPINIONS])
{
    size_t n = 0;

    (void)ctx, (void)deadline_ms, (void)arena;
    CHECK(c != NULL && batch->count == 3);
    asked++;
    for (size_t i = 0; i < NODE_OPINIONS; i++)
        if (!words[i].silent)
            word_answer(&out[n++], batch, &words[i]);
    return n;
}

#define SAME                                                                                                 \
    {                                                                                                        \
        .head = HEAD, .block = BLOCK, .nonces = NONCE + 1                                                    \
    }
#define SILENT                                                                                               \
    {                                                                                                        \
        .silent = true                                                                                       \
    }
#define BEHIND                                                                                               \
    {                                                                                                        \
        .head = BLOCK - 1, .nonces = NONCE                                                                   \
    }
#define OMITS                                                                                                \
    {                                                                                                        \
        .head = HEAD, .nonces = NONCE + 1                                                                    \
    }
#define NOWHERE                                                                                              \
    {                                                                                                        \
        .head = HEAD, .nonces = NONCE                                                                        \
    }
#define OTHER                                                                                                \
    {                                                                                                        \
        .head = HEAD, .block = BLOCK + 1, .nonces = NONCE + 1                                                \
    }
#define REVERTS                                                                                              \
    {                                                                                                        \
        .head = HEAD, .block = BLOCK, .nonces = NONCE + 1, .reverted = true                                  \
    }

/* A transaction of one wallet's, of which the first poll has shown a receipt that settles it. */
struct success_scene {
    struct execution x;
    struct transaction tx;
    struct receipt receipt;
    struct evm_seen seen;
    struct observation observation;
    struct tracked w;
};

static void success_scene_begin(struct success_scene *s, enum exec_status status, int64_t waited_ms,
                                const struct receipt *receipt)
{
    *s = (struct success_scene){
        .x = { .status = status },
        .tx = { .kind = TX_SPEND, .has_nonce = true, .nonce = NONCE, .hash.len = 32 },
        .receipt = *receipt,
        .seen = { .receipts = &s->receipt, .nonces = NONCE + 1 },
        .observation = { .block = receipt->block, .succeeded = true, .confirmed = true, .settled = true },
        .w = { .execution = &s->x,
               .chain = chain_find("bsc"),
               .txs = &s->tx,
               .observations = &s->observation,
               .count = 1,
               .known = true,
               .now_ms = waited_ms,
               .seen = &s->seen }
    };
}

static void success_scene_poll(struct success_scene *s)
{
    const struct chain_batch chain_batch = { .chain = s->w.chain, .w = &s->w, .count = 1 };
    const struct ctx ctx = { .conf = conf };

    success_poll(&ctx, a, &chain_batch);
}

static void successes_are_settled_by_two_nodes(void)
{
    static const struct {
        size_t nodes;
        struct word says[NODE_OPINIONS];
        int64_t waited_ms;
        enum exec_status status;
        bool confirmed, settled, there;
    } rows[] = {
        { 2, { SAME, SAME }, 0, EXEC_SUBMITTED, true, true, true },
        { 2, { SAME, SILENT }, 0, EXEC_SUBMITTED, false, false, true },
        { 2, { SAME, SILENT }, 20 * SECOND, EXEC_SUBMITTED, true, false, true },
        { 2, { SAME, SILENT }, 600 * SECOND, EXEC_SUBMITTED, true, true, true },
        { 2, { SAME, BEHIND }, 20 * SECOND, EXEC_SUBMITTED, false, false, true },
        { 2, { BEHIND, SAME }, 600 * SECOND, EXEC_SUBMITTED, true, true, true },
        { 2, { SAME, OMITS }, 20 * SECOND, EXEC_SUBMITTED, false, false, true },
        { 2, { SAME, OMITS }, 600 * SECOND, EXEC_SUBMITTED, true, true, true },
        { 2, { SAME, NOWHERE }, 0, EXEC_SUBMITTED, false, false, false },
        { 2, { SAME, NOWHERE }, 600 * SECOND, EXEC_SUBMITTED, false, false, false },
        { 2, { SAME, OTHER }, 600 * SECOND, EXEC_SUBMITTED, false, false, true },
        { 2, { SAME, REVERTS }, 600 * SECOND, EXEC_SUBMITTED, false, false, true },
        { 2, { SILENT, SILENT }, 600 * SECOND, EXEC_SUBMITTED, false, false, true },
        { 1, { SILENT, SILENT }, 0, EXEC_SUBMITTED, true, true, true }, /* no node is asked */
        /* what two have said before stays told, and is not settled without both */
        { 2, { SAME, SAME }, 0, EXEC_COMPLETED, true, true, true },
        { 2, { SAME, SILENT }, 20 * SECOND, EXEC_COMPLETED, true, false, true },
        { 2, { SAME, NOWHERE }, 600 * SECOND, EXEC_COMPLETED, true, false, true },
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct receipt receipt = { .block = BLOCK };
        struct success_scene s;
        const struct observation *observation = &s.observation;

        success_scene_begin(&s, rows[i].status, rows[i].waited_ms, &receipt);
        node_count = rows[i].nodes;
        memcpy(words, rows[i].says, sizeof words);
        success_scene_poll(&s);
        if (observation->confirmed != rows[i].confirmed || observation->settled != rows[i].settled ||
            (observation->block != 0) != rows[i].there)
            fprintf(stderr, "row %zu: %d %d %d\n", i, observation->confirmed, observation->settled,
                    observation->block != 0);
        CHECK(observation->confirmed == rows[i].confirmed && observation->settled == rows[i].settled);
        CHECK((observation->block != 0) == rows[i].there &&
              s.seen.nonces == (rows[i].there ? NONCE + 1 : NONCE));
    }
}

/* Place and amount of the arrival, by the first poll and both nodes' answers afterwards. */
static const char *receipt_decides(const json_t *first, const json_t *second, void *arg)
{
    static char text[256];
    struct success_scene s;
    struct receipt receipt;
    struct receipt_transfer t;
    char amount[U256_DECIMAL_LEN + 1];

    (void)arg;
    if (!receipt_read(&receipt, json_array_get(first, 0)) || receipt.block == 0 || !receipt.succeeded)
        return NULL;
    success_scene_begin(&s, EXEC_SUBMITTED, 600 * SECOND, &receipt);
    node_count = NODE_OPINIONS;
    words[0] = (struct word){ .head = HEAD, .nonces = NONCE + 1, .receipt = first };
    words[1] = (struct word){ .head = HEAD, .nonces = NONCE + 1, .receipt = second };
    success_scene_poll(&s);
    if (!s.observation.settled || !receipt_transfer_read(&t, json_array_get(receipt.logs, 0)))
        return NULL;
    u256_decimal(amount, t.amount);
    (void)snprintf(text, sizeof text, "%llu %s to %s", (unsigned long long)s.observation.block, amount,
                   evm_addr_print(a, t.to));
    return text;
}

static void one_of_two_lies_about_a_receipt(void)
{
    liar_alone_changes_nothing("receipt", liar_recorded("receipt"), receipt_decides, NULL);
}

/* Nothing else costs a question. */
static void only_unsettled_successes_are_asked_about(void)
{
    static const struct {
        enum tx_kind kind;
        enum exec_status status;
        bool succeeded, confirmed, settled, asked;
    } rows[] = {
        { TX_SPEND, EXEC_SUBMITTED, true, true, false, true },
        { TX_SPEND, EXEC_SUBMITTED, true, false, false, false },
        { TX_SPEND, EXEC_SUBMITTED, false, true, true, false },
        { TX_SPEND, EXEC_COMPLETED, true, true, false, false },
        { TX_SPEND, EXEC_COMPLETED, true, true, true, true },
        { TX_APPROVAL, EXEC_SUBMITTED, true, true, false, false },
        { TX_APPROVAL, EXEC_SUBMITTED, true, true, true, true },
        { TX_CANCEL, EXEC_SUBMITTED, true, true, true, false },
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct execution x = { .status = rows[i].status };
        struct transaction tx = { .kind = rows[i].kind };
        struct observation observation = { .block = BLOCK,
                                           .succeeded = rows[i].succeeded,
                                           .confirmed = rows[i].confirmed,
                                           .settled = rows[i].settled };
        const struct tracked w = {
            .execution = &x, .txs = &tx, .observations = &observation, .count = 1, .known = true
        };

        CHECK(any_success(&w) == rows[i].asked);
    }
}

static void success_test_start(void)
{
    a = arena_new();
    conf = conf_load("/dev/null");
}

static void success_test_end(void)
{
    conf_free(conf);
    arena_free(a);
}

TEST_MAIN(TEST(success_test_start), TEST(successes_are_settled_by_two_nodes),
          TEST(one_of_two_lies_about_a_receipt), TEST(only_unsettled_successes_are_asked_about),
          TEST(success_test_end))
