/* Nonces that are taken over after a restore, by the words of two nodes. */
#include "base/test.h"
#include "exec/evm/evm_reconcile.c"

#include "chain/evm/evm_rpc_class.h"

/* A node's answers about one wallet. */
static struct rpc_answers counts(struct arena *a, const json_t *latest, const json_t *pending)
{
    struct buf body = BUF_INIT(1024);
    struct rpc_answers out;
    json_t *both = json_pack("[{s:i,s:o},{s:i,s:o}]", "id", 0, "result", json_deep_copy(latest), "id", 1,
                             "result", json_deep_copy(pending));
    char *text = json_dumps(both, 0);

    buf_adds(&body, text);
    CHECK(rpc_read(&out, a, &body, QUESTIONS, evm_classify));
    free(text);
    json_decref(both);
    buf_free(&body);
    return out;
}

static const char *next_by(const json_t *first, const json_t *second)
{
    const json_t *said[] = { first, second };
    struct rpc_answers answers[NODE_OPINIONS];
    struct arena *a = arena_new();
    static char text[32];
    uint64_t next;
    bool known;

    for (size_t i = 0; i < NODE_OPINIONS; i++)
        answers[i] = counts(a, json_array_get(said[i], 0), json_array_get(said[i], 1));
    known = next_of_nodes(&next, answers, NODE_OPINIONS, 0);
    node_answers_free(answers, NODE_OPINIONS);
    arena_free(a);
    snprintf(text, sizeof text, "%llu", (unsigned long long)next);
    return known ? text : NULL;
}

static const char *next_of(const char *first, const char *second)
{
    json_t *x = json_loads(first, JSON_DECODE_ANY, NULL), *y = json_loads(second, JSON_DECODE_ANY, NULL);
    const char *next = next_by(x, y);

    json_decref(x);
    json_decref(y);
    return next == NULL ? "disputed" : next;
}

/* What one node alone has in its pool counts; what it cannot have there does not. */
static void one_node_leaves_no_gap(void)
{
    static const char truth[] = "[\"0x9\",\"0x9\"]";

    CHECK_STR(next_of(truth, truth), "9");
    CHECK_STR(next_of(truth, "[\"0x9\",\"0xb\"]"), "11");
    CHECK_STR(next_of("[\"0x7\",\"0x7\"]", truth), "9");
    CHECK_STR(next_of(truth, "[\"0x9\",\"0x49\"]"), "73");
    CHECK_STR(next_of(truth, "[\"0x9\",\"0x4a\"]"), "disputed");
    CHECK_STR(next_of("[\"0x4a\",\"0x4a\"]", truth), "disputed");
    CHECK_STR(next_of(truth, "[7,\"0x9\"]"), "9");
    CHECK_STR(next_of(truth, "[\"0xffffffffffffffff\",\"0x9\"]"), "disputed");
    CHECK_STR(next_of("[7,7]", "[7,7]"), "disputed");
}

TEST_MAIN(TEST(one_node_leaves_no_gap))
