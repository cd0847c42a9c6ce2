/* The end of a transaction, where one of two nodes lies about it. */
#include "codec/test_liar.h"
#include "exec/solana/lifetime.c"

#include "chain/solana/solana_dialect.h"

static struct arena *a;

/* The node that knows the hash is the first one. */
static uint64_t last_of(const json_t *said)
{
    uint64_t last;
    const json_t *value = json_object_get(json_array_get(said, AT_LAST), "value");

    return solana_rpc_number(&last, json_object_get(value, "lastValidBlockHeight")) ? last : 0;
}

static bool told(struct node_query *q, const json_t *said)
{
    json_t *answers =
        json_pack("[{s:i,s:O},{s:i,s:O}]", "id", AT_FINAL, "result", json_array_get(said, AT_FINAL), "id",
                  AT_LAST, "result", json_array_get(said, AT_LAST));
    char *text = answers == NULL ? NULL : json_dumps(answers, 0);
    struct buf body = BUF_INIT(8192);

    *q = (struct node_query){ .answered = text != NULL };
    buf_adds(&body, text == NULL ? "" : text);
    CHECK(text == NULL || rpc_read(&q->answers, a, &body, 2, solana_dialect.classify));
    buf_free(&body);
    json_decref(answers);
    free(text);
    return q->answered;
}

/* A later end is told later; one that is too late to be true is refused. */
static const char *end_by(const json_t *first, const json_t *second, void *arg)
{
    const json_t *said[] = { json_array_get(first, 0), json_array_get(second, 0) };
    uint64_t last = last_of(said[0]), *truly = arg;
    struct node_query q[NODE_OPINIONS];

    for (size_t i = 0; i < NODE_OPINIONS; i++)
        (void)told(&q[i], said[i]);
    if (!lifetime_read(&last, q))
        return NULL;
    if (*truly == 0)
        *truly = last;
    return last < *truly ? "earlier" : last > *truly ? NULL : "then";
}

static void one_liar_ends_no_life(void)
{
    json_t *truth = json_pack("[O,O]", liar_recorded("epoch_info"), liar_recorded("latest_blockhash"));
    uint64_t truly = 0;

    liar_alone_changes_nothing("an end", truth, end_by, &truly);
    json_decref(truth);
}

static void lifetime_test_start(void)
{
    a = arena_new();
}

static void lifetime_test_end(void)
{
    arena_free(a);
}

TEST_MAIN(TEST(lifetime_test_start), TEST(one_liar_ends_no_life), TEST(lifetime_test_end))
