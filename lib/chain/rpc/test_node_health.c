/* Conclusions from the answers of nodes about their chain: a node lags, contradicts itself or all others, or
 * keeps silent. The network is a function of the test's own. */
#include "base/test.h"

#define calls_run poll_calls
#include "chain/rpc/node_health.c"

#include <unistd.h>

/* ---- the decision ---- */

enum { ETHEREUM_LAG = 5 };

static const char *judged(struct observation *s, size_t n)
{
    static char text[NODES_MAX + 1];

    observations_judge(s, n, ETHEREUM_LAG);
    for (size_t i = 0; i < n; i++)
        text[i] = "rbcso"[s[i].health];
    text[n] = '\0';
    return text;
}

static struct observation at(uint64_t height)
{
    return (struct observation){ .known = true, .height = height };
}

static void lagging_nodes_are_behind(void)
{
    struct observation s[] = { at(1000), at(996), at(995), at(1) };
    struct observation unknown[] = { at(1000), { .known = false, .height = 1 } };

    CHECK_STR(judged(s, 4), "rrbb");
    CHECK_STR(judged(s, 1), "r");
    CHECK_STR(judged(s + 2, 2), "rb");
    CHECK_STR(judged(unknown, 2), "rr");
}

static void contradictions_mark_a_node(void)
{
    struct observation s[] = { at(1000), at(1000), at(1000) };

    s[0].before = 1004;
    s[1].before = 1005;
    s[2].rewrote = true;
    CHECK_STR(judged(s, 3), "rcc");
}

static void repeated_silence_marks_a_node(void)
{
    struct observation s[] = { at(0), at(0), at(1000) };

    s[0].unanswered = 1;
    s[1].unanswered = 2;
    CHECK_STR(judged(s, 3), "rsr");
    s[2].height = 0; /* no node is better */
    CHECK_STR(judged(s, 3), "rrr");
}

/* The same holds for two nodes. */
static void a_single_node_far_ahead_is_not_believed(void)
{
    struct observation s[] = { at(1000), at(1000 + FAR_BLOCKS + 1), at(996) };
    struct observation two_of_them[] = { at(1000), at(1000 + FAR_BLOCKS + 1), at(1000 + FAR_BLOCKS + 2) };

    CHECK_STR(judged(s, 3), "rcr");
    CHECK_STR(judged(s, 2), "rc");
    CHECK_STR(judged(s + 1, 2), "cr");
    CHECK_STR(judged(s + 1, 1), "r"); /* no other node to compare with */
    s[1].height--;
    CHECK_STR(judged(s, 2), "br");
    CHECK_STR(judged(two_of_them, 3), "brr");
}

/* A node that is still loading the chain lags as far. */
static void old_blocks_prove_nothing(void)
{
    struct observation s[] = { at(1000), at(1000 + FAR_BLOCKS + 1) };

    s[0].stale = true;
    CHECK_STR(judged(s, 2), "br");
}

static void fast_chains_have_more_room(void)
{
    CHECK(lag_of(chain_find("ethereum")) == 5 && lag_of(chain_find("optimism")) == 5);
    CHECK(lag_of(chain_find("arbitrum")) == 12 && lag_of(chain_find("base")) == 15);
    CHECK(lag_of(chain_find("bsc")) == 6);
}

/* ---- looks ---- */

static struct arena *a;
static struct nodes *nodes;
static struct ctx ctx;
static const struct chain *ethereum;

/* The nodes are called "http://0" and so on. */
static struct {
    uint64_t height;
    unsigned chain; /* 0: ethereum's */
    char fork;      /* in its hashes */
    bool old;
    enum call_fault fault; /* with no height, if it is one */
    int status;            /* with no height: of an answer that is none; 0: there is none */
    bool held;
} node[NODES_MAX];

static char asked[512]; /* "0? 1n 1(136)": for its chain, for its newest block, for another one */

static void say_block(struct call *call, size_t i, uint64_t height)
{
    int64_t time = clock_seconds() - (node[i].old ? STALE_S + 60 : 12);

    buf_addf(
        &call->answer,
        "{\"id\":0,\"result\":{\"number\":\"0x%llx\",\"timestamp\":\"0x%llx\",\"hash\":\"0x%062llx%02x\"}}",
        (unsigned long long)height, (unsigned long long)time, (unsigned long long)height,
        (unsigned)(unsigned char)node[i].fork);
}

static void say(struct call *call)
{
    size_t i = (size_t)(call->more->node[strlen("http://")] - '0'), n = strlen(asked);
    const char *block = strstr(buf_text(&call->body), "\"params\":[\"");
    uint64_t height = block == NULL ? 0 : strtoull(block + strlen("\"params\":[\""), NULL, 16);

    if (block == NULL)
        snprintf(asked + n, sizeof asked - n, " %zu?", i);
    else if (height == 0)
        snprintf(asked + n, sizeof asked - n, " %zun", i);
    else
        snprintf(asked + n, sizeof asked - n, " %zu(%llu)", i, (unsigned long long)height);
    call->result = node[i].height != 0   ? CALL_ANSWERED
                   : node[i].held        ? CALL_HELD
                   : node[i].status != 0 ? CALL_ANSWERED
                   : node[i].fault != 0  ? CALL_FAILED
                                         : CALL_TIMEOUT;
    call->fault = node[i].fault;
    call->status = node[i].status != 0 ? node[i].status : 200;
    if (node[i].height == 0)
        return;
    if (block == NULL)
        buf_addf(&call->answer, "{\"id\":0,\"result\":\"0x%x\"}", node[i].chain == 0 ? 1 : node[i].chain);
    else
        say_block(call, i, height == 0 ? node[i].height : height);
}

size_t calls_run(struct net *n, struct call *calls, size_t count, unsigned deadline_ms)
{
    (void)n, (void)deadline_ms;
    for (size_t i = 0; i < count; i++)
        say(&calls[i]);
    return count;
}

/* Chains that `line` does not name have none. */
static void load(const char *line)
{
    char path[] = "/tmp/test_node_health.XXXXXX";
    int fd = mkstemp(path);
    struct conf *conf;

    CHECK(fd >= 0 && write(fd, line, strlen(line)) == (ssize_t)strlen(line));
    for (const struct chain *c = chains; c < chains + chains_count; c++)
        if (strstr(line, arena_printf(a, "rpc.%s ", c->key)) == NULL)
            CHECK(dprintf(fd, "rpc.%s =\n", c->key) > 0);
    close(fd);
    if (nodes != NULL)
        nodes_free(nodes);
    conf = conf_load(path);
    nodes = nodes_new(conf);
    conf_free(conf);
    unlink(path);
    ctx.nodes = nodes;
    ethereum = chain_find("ethereum");
    memset(node, 0, sizeof node);
    for (size_t i = 0; i < NODES_MAX; i++)
        node[i].height = 1000;
}

static void use_it(void)
{
    nodes_peers(nodes, ethereum, NODE_READ)->asked_ms = clock_mono_ms();
}

static const char *poll(void)
{
    asked[0] = '\0';
    nodes_probe(&ctx, a);
    return asked;
}

static bool probe_twice(void)
{
    (void)poll();
    return poll()[0] != '\0';
}

static struct peer *peer(size_t place)
{
    return &nodes_peers(nodes, ethereum, NODE_READ)->of[place];
}

static void chains_in_use_are_looked_at(void)
{
    load("rpc.ethereum = http://0, http://1\nrpc.base = http://2\n");
    CHECK(nodes_count(nodes, ethereum) == 2 && !nodes_watched(nodes, ethereum));
    CHECK_STR(poll(), "");
    use_it();
    CHECK(nodes_watched(nodes, ethereum));
    CHECK_STR(poll(), " 0? 1?");
    CHECK_STR(poll(), " 0n 1n");
    nodes_peers(nodes, ethereum, NODE_READ)->asked_ms -= IN_USE_MS;
    CHECK_STR(poll(), "");
}

/* A single node is looked at for its head only: there is no other to compare it with. */
static void a_node_that_is_alone_is_looked_at(void)
{
    const struct chain *base = chain_find("base");
    struct node_head head;
    size_t best;

    load("rpc.base = http://user:secret@0/key\n");
    node[0].chain = 8453;
    CHECK(!nodes_looked_at(nodes, base) && !nodes_best(nodes, base, &best, &head));
    nodes_peers(nodes, base, NODE_READ)->asked_ms = clock_mono_ms();
    CHECK(probe_twice() && !nodes_watched(nodes, base));
    CHECK(nodes_looked_at(nodes, base) && nodes_answers(nodes, base, 0) &&
          nodes_best(nodes, base, &best, &head));
    CHECK(best == 0 && head.height == 1000 && head.age_s >= 12 && head.age_s < 72);
    node[0].height = 900;
    CHECK(probe_twice() && nodes_health(nodes, base, 0) == NODE_READY);
    node[0].height = 0;
    CHECK(probe_twice() && !nodes_answers(nodes, base, 0));
    CHECK(nodes_head(nodes, base, 0, &head) && head.height == 900);
    CHECK_STR(nodes_name(nodes, base, 0), "http://0");
}

static void the_best_has_the_newest_block(void)
{
    struct node_head head;
    size_t best;

    load("rpc.ethereum = http://0, http://1, http://2\n");
    use_it();
    node[1].height = 1002;
    CHECK(probe_twice() && nodes_best(nodes, ethereum, &best, &head) && best == 1 && head.height == 1002);
    node[1].height = 0;
    CHECK(probe_twice() && probe_twice() && nodes_health(nodes, ethereum, 1) == NODE_UNAVAILABLE);
    CHECK(nodes_best(nodes, ethereum, &best, &head) && best == 0 && head.height == 1000);
}

static void standings_last_for_a_while(void)
{
    load("rpc.ethereum = http://0, http://1\n");
    use_it();
    node[0].height = 990;
    (void)poll();
    CHECK(nodes_health(nodes, ethereum, 0) == NODE_READY);
    (void)poll();
    CHECK(nodes_health(nodes, ethereum, 0) == NODE_BEHIND);
    CHECK(nodes_health(nodes, ethereum, 1) == NODE_READY);
    CHECK_STR(node_health_text(nodes_health(nodes, ethereum, 0)), "behind");
    peer(0)->until_ms[NODE_BEHIND] = clock_mono_ms();
    CHECK(nodes_health(nodes, ethereum, 0) == NODE_READY);
    node[1].height = 980; /* back */
    (void)poll();
    CHECK(nodes_health(nodes, ethereum, 0) == NODE_READY);
    CHECK(nodes_health(nodes, ethereum, 1) == NODE_CONTRADICTING);
}

static void silence_is_noticed_twice(void)
{
    load("rpc.ethereum = http://0, http://1\n");
    use_it();
    (void)poll();
    node[0].height = 0;
    (void)poll();
    CHECK(nodes_health(nodes, ethereum, 0) == NODE_READY);
    (void)poll();
    CHECK(nodes_health(nodes, ethereum, 0) == NODE_UNAVAILABLE);
}

static void another_chain_is_asked_nothing_else(void)
{
    load("rpc.ethereum = http://0, http://1\n");
    use_it();
    node[0].chain = 99;
    node[0].height = 1;
    CHECK_STR(poll(), " 0? 1?");
    CHECK_STR(poll(), " 1n");
    CHECK(nodes_health(nodes, ethereum, 0) == NODE_OTHER_CHAIN);
    peer(0)->wrong_until_ms = 0;
    node[0].chain = 1;
    CHECK(strncmp(poll(), " 0?", 3) == 0);
    CHECK(nodes_health(nodes, ethereum, 0) == NODE_READY);
}

static const char *incident_text(const char *chain)
{
    const char *text = nodes_incident(nodes, chain_find(chain), a);

    return text != NULL ? text : "";
}

static void a_chain_without_a_node_has_a_cause(void)
{
    load("rpc.ethereum = http://0, http://1\n");
    use_it();
    CHECK_STR(incident_text("ethereum"), ""); /* nothing is known yet */
    CHECK(nodes_work(nodes));
    node[0].height = 0;
    node[0].fault = FAULT_CONNECTION_REFUSED;
    CHECK(probe_twice());
    CHECK_STR(incident_text("ethereum"), ""); /* one of them is healthy */
    node[1].height = 0;
    node[1].status = 401;
    CHECK(probe_twice() && !nodes_work(nodes));
    CHECK_STR(incident_text("ethereum"),
              "node 1: connection refused; node 2: HTTP 401: it wants a valid key");
    node[0].held = node[1].held = true; /* for which they are left alone */
    CHECK(probe_twice());
    CHECK_STR(incident_text("ethereum"),
              "node 1: connection refused; node 2: HTTP 401: it wants a valid key");
    node[0].height = 1000;
    (void)probe_twice();
    peer(0)->until_ms[NODE_UNAVAILABLE] = 0;
    CHECK_STR(incident_text("ethereum"), "");
    CHECK(nodes_work(nodes));
    node[0].height = 0;
    node[0].held = false;
    node[0].fault = FAULT_OTHER;
    CHECK(probe_twice());
    CHECK(strncmp(incident_text("ethereum"), "node 1: silent: no answer in time; ", 35) == 0);
    nodes_peers(nodes, ethereum, NODE_READ)->asked_ms -= IN_USE_MS;
    CHECK_STR(incident_text("ethereum"), "");
}

static void nodes_of_another_chain_do_not_work(void)
{
    load("rpc.ethereum = http://0\n");
    use_it();
    node[0].chain = 99;
    CHECK(strcmp(poll(), " 0?") == 0 && !nodes_work(nodes));
    CHECK_STR(incident_text("ethereum"), "node 1: wrong chain: it is of another one");
}

/* Chains out of use may work: they are looked at before it is said that none does. */
static void all_chains_are_looked_at_where_those_in_use_fail(void)
{
    load("rpc.ethereum = http://0\nrpc.base = http://1, http://2\n");
    use_it();
    node[1].chain = node[2].chain = 8453;
    node[0].height = 0;
    CHECK_STR(poll(), " 0?");
    CHECK(nodes_work(nodes));
    CHECK_STR(poll(), " 0?");
    CHECK_STR(poll(), " 0? 1? 2?");
    CHECK(nodes_work(nodes));
    CHECK(strcmp(incident_text("ethereum"), "") != 0);
    node[1].height = node[2].height = 0;
    CHECK(probe_twice() && !nodes_work(nodes));
    CHECK_STR(incident_text("base"), ""); /* it is not in use */
    nodes_peers(nodes, ethereum, NODE_READ)->asked_ms -= IN_USE_MS;
    CHECK(probe_twice() && !nodes_work(nodes)); /* until one does better */
    node[2].height = 1000;
    (void)poll();
    CHECK(nodes_work(nodes));
    CHECK_STR(poll(), "");
}

static void settled_blocks_do_not_change(void)
{
    load("rpc.ethereum = http://0, http://1\n");
    use_it();
    (void)poll();
    CHECK_STR(poll(), " 0n 1n");
    CHECK_STR(poll(), " 0n 0(936) 1n 1(936)");
    node[0].fork = 'x';
    node[0].height = node[1].height = 1001;
    CHECK_STR(poll(), " 0n 1n"); /* not all the time */
    peer(0)->settled_next_ms = peer(1)->settled_next_ms = 0;
    CHECK_STR(poll(), " 0n 0(936) 1n 1(936)");
    CHECK(nodes_health(nodes, ethereum, 0) == NODE_CONTRADICTING);
    CHECK(nodes_health(nodes, ethereum, 1) == NODE_READY);
    peer(0)->settled_next_ms = peer(1)->settled_next_ms = 0;
    CHECK_STR(poll(), " 0n 0(937) 1n 1(937)"); /* the next one to keep */
}

static void nodes_with_old_blocks_have_no_vote(void)
{
    load("rpc.ethereum = http://0, http://1\n");
    use_it();
    node[1].height = 1001 + FAR_BLOCKS;
    node[0].old = true;
    (void)poll();
    (void)poll();
    CHECK(nodes_health(nodes, ethereum, 0) == NODE_BEHIND);
    CHECK(nodes_health(nodes, ethereum, 1) == NODE_READY);
    node[0].old = false;
    (void)poll();
    CHECK(nodes_health(nodes, ethereum, 1) == NODE_CONTRADICTING);
}

static void health_test_start(void)
{
    a = arena_new();
}

static int64_t still_for(void)
{
    return clock_mono_ms() - nodes_peers(nodes, ethereum, NODE_READ)->head_ms;
}

static void a_chain_that_makes_no_blocks_is_noticed(void)
{
    struct peers *p;

    load("rpc.ethereum = http://0, http://1\n");
    use_it();
    (void)poll();
    (void)poll();
    p = nodes_peers(nodes, ethereum, NODE_READ);
    CHECK(p->head == 1000);
    p->head_ms -= HALTED_MS;
    (void)poll();
    CHECK(still_for() >= HALTED_MS &&
          incident_count("chain_halted", "chain=ethereum") == 0); /* told already */
    node[0].height = 1001;
    (void)poll();
    CHECK(p->head == 1001 && still_for() < HALTED_MS);
}

static void health_test_end(void)
{
    nodes_free(nodes);
    arena_free(a);
}

TEST_MAIN(TEST(lagging_nodes_are_behind), TEST(contradictions_mark_a_node),
          TEST(repeated_silence_marks_a_node), TEST(a_single_node_far_ahead_is_not_believed),
          TEST(old_blocks_prove_nothing), TEST(fast_chains_have_more_room), TEST(health_test_start),
          TEST(chains_in_use_are_looked_at), TEST(a_node_that_is_alone_is_looked_at),
          TEST(the_best_has_the_newest_block), TEST(standings_last_for_a_while),
          TEST(silence_is_noticed_twice), TEST(another_chain_is_asked_nothing_else),
          TEST(a_chain_without_a_node_has_a_cause), TEST(nodes_of_another_chain_do_not_work),
          TEST(all_chains_are_looked_at_where_those_in_use_fail), TEST(settled_blocks_do_not_change),
          TEST(nodes_with_old_blocks_have_no_vote), TEST(a_chain_that_makes_no_blocks_is_noticed),
          TEST(health_test_end))
