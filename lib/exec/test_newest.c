#define nodes_known       test_known
#define node_ask_two      nodes_say
#define opinions_differ   test_differ
#define block_height_fits test_goes_on
#include "exec/newest.c"

#include <string.h>

#include "codec/test_liar.h"
#include "codec/u256.h"

static struct arena *a;
static const char *says[NODE_OPINIONS]; /* a result of each; NULL: it does not answer */
static const char *made[NODE_OPINIONS]; /* when each says that the lower block was made; NULL: it does not */
static uint64_t asked_about;
static bool dated; /* that was asked, too */
static bool known = true, differ;
static uint64_t agreed_before; /* by two nodes, moments ago; 0: nothing */

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

bool test_differ(const struct ctx *ctx, const struct chain *c)
{
    (void)ctx, (void)c;
    return differ;
}

bool test_goes_on(const struct chain *c, uint64_t height)
{
    (void)c;
    return agreed_before != 0 && height >= agreed_before && height - agreed_before < 100;
}

size_t nodes_say(const struct ctx *ctx, const struct chain *c, const struct rpc_batch *batch,
                 unsigned deadline_ms, struct arena *arena, struct rpc_answers out[static NODE_OPINIONS])
{
    size_t n = 0;

    (void)ctx, (void)c, (void)deadline_ms;
    dated = batch->count == 2;
    CHECK_STR(buf_text(batch->out),
              dated ? "[{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"how_far\",\"params\":[]},\n"
                      "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"when\",\"params\":[]}]"
                    : "[{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"how_far\",\"params\":[]}]");
    for (size_t i = 0; i < NODE_OPINIONS; i++) {
        struct buf body = BUF_INIT(256);

        if (says[i] == NULL)
            continue;
        buf_addf(&body, "[{\"id\":0,\"result\":%s},{\"id\":1,\"result\":%s}]", says[i],
                 made[i] == NULL ? "null" : made[i]);
        CHECK(rpc_read(&out[n++], arena, &body, batch->count, classify));
        buf_free(&body);
    }
    return n;
}

static void time_ask(struct rpc_batch *b, uint64_t block)
{
    asked_about = block;
    rpc_add(b, "when", "[]");
}

static bool time_read(int64_t *seconds, const struct rpc_answer *r)
{
    *seconds = json_integer_value(r->result);
    return json_is_integer(r->result);
}

/* Optimism has a block every two seconds. */
static enum lookup ask(uint64_t *block)
{
    static const struct height_words words = { "how_far", "[]", number_read, time_ask, time_read };
    const struct ctx ctx = { .nodes = NULL };

    return newest_block(&ctx, a, chain_find("optimism"), &words, block);
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
        CHECK(ask(&block) == (rows[i].block == 0 ? LOOKUP_ERROR : LOOKUP_FOUND));
        CHECK(rows[i].block == 0 || block == rows[i].block);
    }
    says[0] = says[1] = NULL;
    known = false;
    CHECK(ask(&(uint64_t){ 0 }) == LOOKUP_NONE);
}

enum { NOW_S = 1000000000, AGO_LONG = 5000 /* blocks */ };

/* The time `seconds` before now. */
static const char *ago(int64_t seconds)
{
    return arena_printf(a, "%lld", (long long)(NOW_S - seconds));
}

/* Two that are far apart: whose words fit our clock. */
static void lagging_and_lying_nodes_are_recognised(void)
{
    const char *fresh = ago(1), *old = ago(2 * AGO_LONG), *ancient = ago(700000000);
    const struct {
        const char *says[NODE_OPINIONS], *made[NODE_OPINIONS];
        uint64_t block; /* 0: it is not settled */
    } rows[] = {
        /* one lags, and says so by its clock */
        { { "100000", "95000" }, { old, old }, 100000 },
        { { "95000", "100000" }, { old, old }, 100000 },
        /* one tells of blocks that cannot have been made since */
        { { "100000", "105000" }, { fresh, fresh }, 100000 },
        { { "1099511627776", "100000" }, { fresh, fresh }, 100000 },
        { { "1099511627776", "100000" }, { old, fresh }, 100000 },
        { { "9007199254740993", "100000" }, { ancient, fresh }, 100000 },
        /* or hides what it has */
        { { "1", "100000" }, { ancient, ago(200000) }, 100000 },
        { { "0", "100000" }, { "0", ago(200000) }, 100000 },
        /* or says nothing of it, or of a time to come */
        { { "100000", "105000" }, { fresh, NULL }, 100000 },
        { { "95000", "100000" }, { "\"7\"", old }, 100000 },
        { { "100000", "105000" }, { fresh, ago(-10000) }, 100000 },
        { { "100000", "105000" }, { ago(-30), ago(-30) }, 100000 },
        { { "100000", "105000" }, { ago(-90), ago(-90) }, 0 },
        { { "100000", "105000" }, { NULL, NULL }, 0 },
        /* a chain that is faster than on average: both date the lower one alike */
        { { "100000", "100350" }, { ago(100), ago(101) }, 100000 },
        { { "100350", "100000" }, { ago(100), ago(100) }, 100000 },
        { { "100350", "100000" }, { ago(100), ago(200) }, 0 },
        /* both can be true: nothing is decided by one of them */
        { { "100000", "105000" }, { fresh, old }, 0 },
        { { "105000", "100000" }, { old, fresh }, 0 },
    };

    const struct {
        const char *says, *made;
        bool found;
    } alone[] = { { "100000", fresh, true }, { "100001", NULL, false }, { "100000", old, false } };

    clock_fake_ms((int64_t)NOW_S * 1000);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        uint64_t block = 0;

        memcpy(says, rows[i].says, sizeof says);
        memcpy(made, rows[i].made, sizeof made);
        CHECK(ask(&block) == (rows[i].block == 0 ? LOOKUP_ERROR : LOOKUP_FOUND) && dated);
        CHECK(rows[i].block == 0 || block == rows[i].block);
    }
    CHECK(asked_about == 100000);
    /* unless two agreed before: then the one that goes on from there counts */
    for (unsigned i = 0; i < 2; i++) {
        uint64_t block = 0;

        says[i] = "100000";
        says[1 - i] = "105000";
        made[i] = fresh;
        made[1 - i] = old;
        agreed_before = 99950;
        CHECK(ask(&block) == LOOKUP_FOUND && block == 100000);
        agreed_before = 104950;
        CHECK(ask(&block) == LOOKUP_FOUND && block == 105000);
        agreed_before = 102000;
        CHECK(ask(&block) == LOOKUP_ERROR);
    }
    agreed_before = 0;
    /* where the other one is silent, what one says has to be so by its own words */
    differ = true;
    for (size_t i = 0; i < sizeof alone / sizeof alone[0]; i++) {
        uint64_t block = 0;

        says[0] = NULL;
        says[1] = alone[i].says;
        made[1] = alone[i].made;
        CHECK(ask(&block) == (alone[i].found ? LOOKUP_FOUND : LOOKUP_ERROR) && dated);
        CHECK(!alone[i].found || block == 100000);
    }
    differ = false;
    memset(made, 0, sizeof made);
    clock_fake_ms(0);
}

/* The lower one, which is no further below than nodes may be apart. */
static const char *height_by(const json_t *first, const json_t *second, void *arg)
{
    const json_t *said[] = { json_array_get(first, 0), json_array_get(second, 0) };
    uint64_t block, truly = *(uint64_t *)arg;
    char *texts[NODE_OPINIONS];
    enum lookup found;

    clock_fake_ms((int64_t)NOW_S * 1000);
    for (size_t i = 0; i < NODE_OPINIONS; i++) {
        says[i] = texts[i] = json_dumps(said[i], JSON_ENCODE_ANY);
        made[i] = json_integer_value(said[i]) < (json_int_t)truly ? ago(100000) : ago(1);
    }
    found = ask(&block);
    clock_fake_ms(0);
    for (size_t i = 0; i < NODE_OPINIONS; i++)
        free(texts[i]);
    if (found != LOOKUP_FOUND)
        return NULL;
    return block > truly                                                     ? "later"
           : truly - block > APART_MAX_MS / chain_find("optimism")->block_ms ? "earlier"
                                                                             : "near";
}

static void one_liar_moves_no_height(void)
{
    uint64_t truly = (uint64_t)json_integer_value(liar_recorded("slot"));

    liar_alone_changes_nothing("getSlot", liar_recorded("slot"), height_by, &truly);
}

int main(void)
{
    static const struct test_case cases[] = { TEST(one_liar_moves_no_height), TEST(of_two_nodes),
                                              TEST(lagging_and_lying_nodes_are_recognised) };
    int failed;

    a = arena_new();
    failed = test_run(cases, sizeof cases / sizeof cases[0]);
    arena_free(a);
    return failed;
}
