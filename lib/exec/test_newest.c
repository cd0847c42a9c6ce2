#define nodes_known  test_known
#define node_ask_two nodes_say
#include "exec/newest.c"

#include "codec/test_liar.h"
#include "codec/u256.h"

static struct arena *a;
static const char *says[NODE_OPINIONS]; /* a result of each; NULL: it does not answer */
static bool known = true;

static enum rpc_class classify(int64_t code, const char *text, int status)
{
    (void)code, (void)text, (void)status;
    return RPC_RESULT;
}

static bool number_read(uint64_t *out, const struct rpc_answer *r)
{
    *out = (uint64_t)json_integer_value(r->result);
    return json_is_integer(r->result);
}

bool test_known(const struct nodes *n, const struct chain *c)
{
    (void)n, (void)c;
    return known;
}

size_t nodes_say(const struct ctx *ctx, const struct chain *c, const struct rpc_batch *batch,
                 unsigned deadline_ms, struct arena *arena, struct rpc_answers out[static NODE_OPINIONS])
{
    size_t n = 0;

    (void)ctx, (void)c, (void)deadline_ms;
    CHECK_STR(buf_text(batch->out), "[{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"how_far\",\"params\":[]}]");
    for (size_t i = 0; i < NODE_OPINIONS; i++) {
        struct buf body = BUF_INIT(256);

        if (says[i] == NULL)
            continue;
        buf_addf(&body, "[{\"id\":0,\"result\":%s}]", says[i]);
        CHECK(rpc_read(&out[n++], arena, &body, 1, classify));
        buf_free(&body);
    }
    return n;
}

static enum found ask(uint64_t *block)
{
    const struct ctx ctx = { .nodes = NULL };

    return newest_block(&ctx, a, chain_find("base"), "how_far", "[]", number_read, block);
}

static void of_two_nodes(void)
{
    static const struct {
        const char *says[NODE_OPINIONS];
        uint64_t block; /* 0: unknown */
    } rows[] = {
        { { "100", NULL }, 100 },
        { { NULL, "100" }, 100 },
        { { "100", "103" }, 100 },
        { { "103", "100" }, 100 },
        { { "100", "\"7\"" }, 100 },
        { { "5000", "1" }, 0 },            /* each payment of before would be later */
        { { "100", "1099511627776" }, 0 }, /* no payment would ever be later */
        { { "1099511627776", "100" }, 0 },
        { { "\"7\"", "null" }, 0 },
        { { NULL, NULL }, 0 },
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        uint64_t block;

        says[0] = rows[i].says[0];
        says[1] = rows[i].says[1];
        CHECK(ask(&block) == (rows[i].block == 0 ? FOUND_FAILED : FOUND_ONE));
        CHECK(rows[i].block == 0 || block == rows[i].block);
    }
    says[0] = says[1] = NULL;
    known = false;
    CHECK(ask(&(uint64_t){ 0 }) == FOUND_NONE);
}

/* The lower one, which is no further below than nodes may be apart. */
static const char *height_by(const json_t *first, const json_t *second, void *arg)
{
    const json_t *said[] = { json_array_get(first, 0), json_array_get(second, 0) };
    uint64_t block, truly = *(uint64_t *)arg;
    char *texts[NODE_OPINIONS];
    enum found found;

    for (size_t i = 0; i < NODE_OPINIONS; i++)
        says[i] = texts[i] = json_dumps(said[i], JSON_ENCODE_ANY);
    found = ask(&block);
    for (size_t i = 0; i < NODE_OPINIONS; i++)
        free(texts[i]);
    if (found != FOUND_ONE)
        return NULL;
    return block > truly                                                 ? "later"
           : truly - block > APART_MAX_MS / chain_find("base")->block_ms ? "earlier"
                                                                         : "near";
}

static void one_liar_moves_no_height(void)
{
    uint64_t truly = (uint64_t)json_integer_value(liar_recorded("slot"));

    liar_alone_changes_nothing("getSlot", liar_recorded("slot"), height_by, &truly);
}

int main(void)
{
    static const struct test_case cases[] = { TEST(one_liar_moves_no_height), TEST(of_two_nodes) };
    int failed;

    a = arena_new();
    failed = test_run(cases, sizeof cases / sizeof cases[0]);
    arena_free(a);
    return failed;
}
