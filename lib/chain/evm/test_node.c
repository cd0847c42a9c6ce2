/* Whom a question goes to, in which order, and for how long; the network is a function of the test's own. */
#include "core/test.h"

#define calls_run answer_calls
#include "chain/evm/node.c"

#include <unistd.h>

static struct arena *a;
static struct nodes *nodes;
static struct ctx ctx;

/* What a node says, by its host. */
static const char *say(const char *url)
{
    if (strstr(url, "good") != NULL)
        return "[{\"id\":0,\"result\":\"0x7\"}]";
    if (strstr(url, "busy") != NULL)
        return "[{\"id\":0,\"error\":{\"code\":-32005,\"message\":\"limit\"}}]";
    return strstr(url, "html") != NULL ? "<html></html>" : NULL;
}

static char asked[512];
static unsigned runs;

static bool ask_one(struct call *call)
{
    const char *text = say(call->url);

    snprintf(asked + strlen(asked), sizeof asked - strlen(asked), "%s ", call->url);
    CHECK(strstr(buf_text(&call->body), "eth_chainId") != NULL);
    buf_reset(&call->answer);
    call->result = text == NULL ? CALL_FAILED : CALL_ANSWERED;
    call->status = text == NULL ? 0 : strstr(call->url, "500") != NULL ? 500 : 200;
    if (text != NULL)
        buf_adds(&call->answer, text);
    return text != NULL && call->usable(call);
}

size_t calls_run(struct net *n, struct call *calls, size_t count, unsigned deadline_ms)
{
    (void)n, (void)deadline_ms;
    runs++;
    for (size_t i = 0; i < count; i++)
        do
            calls[i].url = (calls[i].more++)->url;
        while (!ask_one(&calls[i]) && calls[i].more->url != NULL);
    return count;
}

static void load(const char *lines)
{
    char path[] = "/tmp/test_node.XXXXXX";
    int fd = mkstemp(path);
    struct conf *conf;

    CHECK(fd >= 0 && write(fd, lines, strlen(lines)) == (ssize_t)strlen(lines));
    close(fd);
    if (nodes != NULL)
        nodes_free(nodes);
    conf = conf_load(path);
    nodes = nodes_new(conf);
    conf_free(conf);
    unlink(path);
    ctx.nodes = nodes;
    asked[0] = '\0';
    runs = 0;
}

static struct buf body;
static struct rpc_batch batch;

static struct node_query about(const char *chain)
{
    return (struct node_query){ .chain = chain_find(chain), .batch = &batch };
}

static bool is_seven(struct node_query *q)
{
    uint64_t v = 0;
    bool ok = q->answered && rpc_u64(&v, &q->answers.items[0]) && v == 7;

    if (q->answered)
        rpc_answers_free(&q->answers);
    return ok;
}

static void one_chain_after_its_nodes(void)
{
    struct rpc_answers answers;

    load("rpc.base = http://dead, http://html, http://busy, http://500.good\nrpc.ethereum = http://a.good\n");
    CHECK(!node_ask(&ctx, chain_find("base"), &batch, 1000, a, &answers));
    CHECK_STR(asked, "http://dead http://html http://busy http://500.good ");
    asked[0] = '\0';
    CHECK(node_ask(&ctx, chain_find("ethereum"), &batch, 1000, a, &answers));
    rpc_answers_free(&answers);
    CHECK_STR(asked, "http://a.good ");
}

static void all_chains_at_once(void)
{
    struct node_query q[] = { about("ethereum"), about("base"), about("optimism"), about("bsc") };

    load("rpc.ethereum = http://1.good, http://2.good\nrpc.base = http://dead, http://3.good\n"
         "rpc.optimism = http://dead2\nrpc.bsc =\n");
    node_ask_all(&ctx, q, 4, 1000, a);
    CHECK_STR(asked, "http://1.good http://dead http://3.good http://dead2 ");
    CHECK(runs == 1);
    CHECK(is_seven(&q[0]) && is_seven(&q[1]) && !q[2].answered && !q[3].answered);
}

static void a_second_opinion(void)
{
    struct node_query q[] = { about("ethereum"), about("base"), about("optimism") };

    load("rpc.ethereum = http://1.good, http://2.good\nrpc.base = http://3.good, http://dead, http://dead2\n"
         "rpc.optimism = http://4.good\n");
    for (size_t i = 0; i < 3; i++)
        q[i].second_opinion = true;
    node_ask_all(&ctx, q, 3, 1000, a);
    CHECK_STR(asked, "http://2.good http://dead http://dead2 http://3.good http://4.good ");
    CHECK(is_seven(&q[0]) && is_seven(&q[1]) && is_seven(&q[2]));
}

static void nobody_to_ask(void)
{
    struct node_query q = about("bsc");

    load("rpc.bsc =\n");
    node_ask_all(&ctx, &q, 1, 1000, a);
    node_ask_all(&ctx, NULL, 0, 1000, a);
    CHECK_STR(asked, "");
    CHECK(!q.answered);
}

static void start(void)
{
    a = arena_new();
    body = (struct buf)BUF_INIT(1024);
    batch = rpc_begin(&body);
    rpc_add(&batch, "eth_chainId", "[]");
    rpc_end(&batch);
}

static void end(void)
{
    nodes_free(nodes);
    buf_free(&body);
    arena_free(a);
}

TEST_MAIN(TEST(start), TEST(one_chain_after_its_nodes), TEST(all_chains_at_once), TEST(a_second_opinion),
          TEST(nobody_to_ask), TEST(end))
