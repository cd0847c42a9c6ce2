/* Whom a question goes to, in which order, and for how long; the network is a function of the test's own. */
#include "base/test.h"

#define calls_run answer_calls
#include "chain/rpc/node.c"

#include <limits.h>
#include <unistd.h>

static struct arena *a;
static struct nodes *nodes;
static struct ctx ctx;

/* The requests on the wire: the host of each request, with "?" where it asks for the chain, else its items as
 * ids and methods. */
static char asked[2048];
static unsigned runs, turns;

/* Hosts are named after what they do; "max3" takes at most three items, "cut3" leaves out what is behind. */
static bool call_is(const struct call *call, const char *habit)
{
    return strstr(call->url, habit) != NULL;
}

static unsigned habit_number(const struct call *call, const char *habit)
{
    const char *at = strstr(call->url, habit);

    return at == NULL ? UINT_MAX : (unsigned)strtoul(at + strlen(habit), NULL, 10);
}

static json_t *failure(const char *text, int code)
{
    return json_pack("{s:{s:i, s:s}}", "error", "code", code, "message", text);
}

static json_t *answer_one(const struct call *call, const json_t *item)
{
    const char *method = json_string_value(json_object_get(item, "method"));
    json_t *answer;

    if (strcmp(method, "eth_chainId") == 0)
        answer = json_pack("{s:s}", "result",
                           call_is(call, "wrong")  ? "0x63"
                           : call_is(call, "base") ? "0x2105"
                                                   : "0x1");
    else if (call_is(call, "busy") || (call_is(call, "lost") && strcmp(method, "m_state") == 0))
        answer = failure(call_is(call, "busy") ? "limit exceeded" : "missing trie node", -32000);
    else if (call_is(call, "narrow") && strcmp(method, "m_logs") == 0)
        answer = failure("block range is too wide", -32600);
    else if (call_is(call, "nosim") && strcmp(method, "m_sim") == 0)
        answer = failure("the method m_sim does not exist/is not available", -32601);
    else if (call_is(call, "reverts"))
        answer = failure("out of gas", -32000);
    else if (call_is(call, "noover") && strcmp(method, "m_over") == 0)
        answer = failure("too many arguments, want at most 2", -32602);
    else
        answer = json_pack("{s:s}", "result",
                           call_is(call, "ignores") && strcmp(method, "m_over") == 0               ? "0x"
                           : call_is(call, "lags") || (call_is(call, "turns") && ++turns % 2 == 1) ? "0x5"
                                                                                                   : "0x7");
    json_object_set(answer, "id", json_object_get(item, "id"));
    return answer;
}

static json_t *answer_array(const struct call *call, const json_t *items)
{
    json_t *answers = json_array(), *first;

    for (size_t i = 0; i < json_array_size(items) && i < habit_number(call, "cut"); i++)
        json_array_append_new(answers, answer_one(call, json_array_get(items, i)));
    if (json_array_size(items) <= habit_number(call, "max"))
        return answers;
    json_array_clear(answers);
    first = failure("batch too large", -32600);
    json_object_set(first, "id", json_object_get(json_array_get(items, 0), "id"));
    json_array_append_new(answers, first);
    return answers;
}

static void note_one(const json_t *item)
{
    const char *method = json_string_value(json_object_get(item, "method"));
    size_t n = strlen(asked);

    if (strcmp(method, "eth_chainId") == 0)
        snprintf(asked + n, sizeof asked - n, "?");
    else
        snprintf(asked + n, sizeof asked - n, "%lld%s", json_integer_value(json_object_get(item, "id")),
                 method + 2);
}

static void note(const struct call *call, const json_t *question)
{
    const char *host = call->url + strlen("http://");
    const json_t *item;
    size_t i, n = strlen(asked);

    snprintf(asked + n, sizeof asked - n, "%s%s(", n > 0 ? " " : "", host);
    if (json_is_object(question))
        note_one(question);
    json_array_foreach(question, i, item) note_one(item);
    n = strlen(asked);
    snprintf(asked + n, sizeof asked - n, ")");
}

/* A single one is asked as an object, and answered so. */
static void answer(struct call *call)
{
    json_t *question = json_loadb(call->body.data, call->body.len, 0, NULL), *said;
    char *text;

    CHECK(question != NULL);
    note(call, question);
    said = json_is_array(question) ? answer_array(call, question) : answer_one(call, question);
    text = json_dumps(said, 0);
    buf_reset(&call->answer);
    buf_adds(&call->answer, call_is(call, "html") ? "<html></html>" : text);
    call->result = call_is(call, "dead") ? CALL_FAILED : CALL_ANSWERED;
    call->status = call_is(call, "500")                                    ? 500
                   : call_is(call, "413") && json_array_size(question) > 1 ? 413
                                                                           : 200;
    if (call->status == 413)
        buf_reset(&call->answer);
    free(text);
    json_decref(said);
    json_decref(question);
}

/* Goes on as the real net does. */
static bool go_on(struct call *call)
{
    bool again = call->again;

    call->again = false;
    if (again && call->prepare(call))
        return true;
    while (call->more->url != NULL) {
        call->url = (call->more++)->url;
        if (call->prepare(call))
            return true;
    }
    return false;
}

static bool ended(struct call *call)
{
    answer(call);
    return call->result == CALL_ANSWERED && call->usable(call);
}

/* False: without a usable answer, or at one that does not answer. */
static bool converse(struct call *call)
{
    while (go_on(call)) {
        if (call_is(call, "mute"))
            return false;
        if (ended(call))
            return true;
    }
    return false;
}

size_t calls_run(struct net *n, struct call *calls, size_t count, unsigned deadline_ms)
{
    (void)n, (void)deadline_ms;
    runs++;
    for (size_t i = 0; i < count; i++) {
        if (converse(&calls[i]) || calls[i].more->url == NULL)
            continue;
        if (calls[i].hedge == NULL || !converse(calls[i].hedge))
            (void)converse(&calls[i]);
    }
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

/* Items of these methods: "m_plain m_state ...", and "m_sim" in all its forms. */
static void begin_batch(const char *methods)
{
    char list[256], *rest = list, *method;

    buf_reset(&body);
    batch = rpc_begin(&body);
    snprintf(list, sizeof list, "%s", methods);
    while ((method = strsep(&rest, " ")) != NULL) {
        rpc_add(&batch, method, "[]");
        if (strcmp(method, "m_sim") != 0)
            continue;
        rpc_or(&batch, RPC_NEEDS_SIMULATE);
        rpc_add(&batch, "m_over", "[]");
        rpc_or(&batch, RPC_NEEDS_OVERRIDE);
        rpc_add(&batch, "m_plain", "[]");
    }
    rpc_end(&batch);
}

static unsigned sevens(struct node_query *q)
{
    unsigned n = 0;

    for (unsigned i = 0; i < q->answers.count; i++) {
        const char *text = json_string_value(q->answers.items[i].result);

        n += text != NULL && strcmp(text, "0x7") == 0;
    }
    if (q->answered)
        rpc_answers_free(&q->answers);
    return n;
}

static const char *over_the_wire(const char *chain, unsigned answered)
{
    struct node_query q = about(chain);

    asked[0] = '\0';
    node_ask_all(&ctx, &q, 1, 1000, a);
    CHECK(sevens(&q) == answered);
    return asked;
}

static void chains_try_their_nodes_in_order(void)
{
    load("rpc.base = http://dead, http://html, http://base.busy, http://base.500\nrpc.ethereum = http://a\n");
    begin_batch("m_a");
    CHECK_STR(over_the_wire("base", 0), "dead(?) html(?) base.busy(?) base.busy(0a) base.500(?)");
    CHECK_STR(over_the_wire("ethereum", 1), "a(?) a(0a)");
    CHECK_STR(over_the_wire("ethereum", 1), "a(0a)");
}

static void all_chains_at_once(void)
{
    struct node_query q[] = { about("ethereum"), about("base"), about("optimism"), about("bsc") };

    load("rpc.ethereum = http://1, http://2\nrpc.base = http://dead, http://base.3\n"
         "rpc.optimism = http://dead2\nrpc.bsc =\n");
    begin_batch("m_a");
    node_ask_all(&ctx, q, 4, 1000, a);
    CHECK_STR(asked, "1(?) 1(0a) dead(?) base.3(?) base.3(0a) dead2(?)");
    CHECK(runs == 1 && !q[2].answered && !q[3].answered);
    CHECK(sevens(&q[0]) == 1 && sevens(&q[1]) == 1);
}

static void a_second_opinion(void)
{
    struct node_query q[] = { about("ethereum"), about("base") };

    load("rpc.ethereum = http://1, http://2\nrpc.base = http://base.3, http://dead, http://dead2\n");
    begin_batch("m_a");
    for (size_t i = 0; i < 2; i++)
        q[i].order = NODE_SECOND_OPINION;
    node_ask_all(&ctx, q, 2, 1000, a);
    CHECK_STR(asked, "2(?) 2(0a) dead(?) dead2(?) base.3(?) base.3(0a)");
    CHECK(sevens(&q[0]) == 1 && sevens(&q[1]) == 1);
}

static void two_that_no_node_answers_both_of(void)
{
    static const enum node_order orders[] = { NODE_FIRST_ALONE, NODE_OTHERS };
    static const struct {
        const char *lines, *asked;
        unsigned answered[2];
    } rows[] = {
        { "rpc.ethereum = http://1, http://2\n", "1(?) 1(0a) 2(?) 2(0a)", { 1, 1 } },
        { "rpc.ethereum = http://1\n", "1(?) 1(0a)", { 1, 0 } },
        { "rpc.ethereum = http://dead, http://2\n", "dead(?) 2(?) 2(0a)", { 0, 1 } },
        { "rpc.ethereum = http://1, http://dead, http://2\n", "1(?) 1(0a) dead(?) 2(?) 2(0a)", { 1, 1 } },
        { "rpc.ethereum =\n", "", { 0, 0 } },
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct node_query q[2] = { about("ethereum"), about("ethereum") };

        load(rows[i].lines);
        begin_batch("m_a");
        for (size_t j = 0; j < 2; j++)
            q[j].order = orders[j];
        q[1].apart = &q[0];
        node_ask_all(&ctx, q, 2, 1000, a);
        CHECK_STR(asked, rows[i].asked);
        for (size_t j = 0; j < 2; j++)
            CHECK(q[j].answered == (rows[i].answered[j] == 1) && (!q[j].answered || sevens(&q[j]) == 1));
    }
}

/* One that is known to be no good is neither of the two, as long as there are others. */
static void two_that_do_well(void)
{
    struct node_query q[2];

    load("rpc.ethereum = http://1, http://2, http://3\n");
    begin_batch("m_a");
    nodes->peers[0].of[0].until_ms[NODE_BEHIND] = clock_mono_ms() + 60000;
    node_pair(q, chain_find("ethereum"), about("ethereum").batch, 0);
    node_ask_all(&ctx, q, 2, 1000, a);
    CHECK_STR(asked, "2(?) 2(0a) 3(?) 3(0a)");
    CHECK(sevens(&q[0]) == 1 && sevens(&q[1]) == 1);
}

static void a_node_of_another_chain_is_never_used(void)
{
    load("rpc.ethereum = http://wrong, http://2\n");
    begin_batch("m_a");
    CHECK_STR(over_the_wire("ethereum", 1), "wrong(?) 2(?) 2(0a)");
    CHECK_STR(over_the_wire("ethereum", 1), "2(0a)");
    /* It may have been put right meanwhile. */
    nodes->peers[0].of[0].wrong_until_ms = clock_mono_ms();
    CHECK_STR(over_the_wire("ethereum", 1), "wrong(?) 2(0a)");
    CHECK_STR(over_the_wire("ethereum", 1), "2(0a)");
}

static void open_items_go_to_the_next_node(void)
{
    load("rpc.ethereum = http://lost, http://2\n");
    begin_batch("m_a m_state m_b");
    CHECK_STR(over_the_wire("ethereum", 3), "lost(?) lost(0a1state2b) 2(?) 2(1state)");
}

static bool block_of_first(uint64_t *out, const struct node_query *q, struct arena *arena)
{
    const char *text = json_string_value(q->answers.items[0].result);

    (void)arena;
    *out = text != NULL ? strtoul(text, NULL, 16) : 0;
    return text != NULL;
}

/* Answers that do not know a block are asked for again, of the same node and of the next one. */
static void nodes_that_lag(void)
{
    static const struct {
        const char *nodes, *asked;
        bool behind;
    } rows[] = {
        { "http://lags, http://2", "lags(?) lags(0a) lags(0a) lags(0a) 2(?) 2(0a)", false },
        { "http://turns, http://2", "turns(?) turns(0a) turns(0a)", false },
        { "http://1, http://lags", "1(?) 1(0a)", false },
        { "http://lags", "lags(?) lags(0a) lags(0a) lags(0a)", true },
        { "http://lags, http://dead", "lags(?) lags(0a) lags(0a) lags(0a) dead(?)", true },
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct node_query q;

        load(arena_printf(a, "rpc.ethereum = %s\n", rows[i].nodes));
        begin_batch("m_a");
        q = about("ethereum");
        q.since = 7;
        q.block_of = block_of_first;
        turns = 0;
        node_ask_all(&ctx, &q, 1, 1000, a);
        CHECK_STR(asked, rows[i].asked);
        CHECK(q.answered && q.behind == rows[i].behind && sevens(&q) == !rows[i].behind);
    }
}

static void batches_fit_the_node(void)
{
    begin_batch("m_a m_b m_c m_d m_e");
    load("rpc.ethereum = http://max3\n");
    CHECK_STR(over_the_wire("ethereum", 5), "max3(?) max3(0a1b2c3d4e) max3(0a1b) max3(2c3d) max3(4e)");
    CHECK_STR(over_the_wire("ethereum", 5), "max3(0a1b) max3(2c3d) max3(4e)");
    load("rpc.ethereum = http://max1\n"); /* it takes no array at all, as of then */
    CHECK_STR(over_the_wire("ethereum", 5),
              "max1(?) max1(0a1b2c3d4e) max1(0a1b) max1(0a) max1(1b) max1(2c) max1(3d) max1(4e)");
    load("rpc.ethereum = http://413\n");
    CHECK_STR(over_the_wire("ethereum", 5),
              "413(?) 413(0a1b2c3d4e) 413(0a1b) 413(0a) 413(1b) 413(2c) 413(3d) 413(4e)");
    load("rpc.ethereum = http://cut3\n"); /* silently */
    CHECK_STR(over_the_wire("ethereum", 5), "cut3(?) cut3(0a1b2c3d4e) cut3(3d4e)");
    load("rpc.ethereum = http://cut0, http://2\n");
    CHECK_STR(over_the_wire("ethereum", 5), "cut0(?) cut0(0a1b2c3d4e) 2(?) 2(0a1b2c3d4e)");
}

/* Each node has its own size. */
static void sizes_are_kept_for_each_node(void)
{
    load("rpc.ethereum = http://lost.max2, http://2\n");
    begin_batch("m_a m_state m_b m_state");
    CHECK_STR(
        over_the_wire("ethereum", 4),
        "lost.max2(?) lost.max2(0a1state2b3state) lost.max2(0a1state) lost.max2(2b3state) 2(?) 2(1state3state)");
}

/* A limit learnt from one question counts for all nodes of the chain, whichever node answers in the end. */
static void blocks_that_a_node_takes(void)
{
    static const unsigned spans[] = { 2000, 500, 2000, 100, 25, 6, 5 },
                          then[] = { 500, 125, 125, 25, 6, 5, 5 };
    const struct chain *ethereum = chain_find("ethereum");

    load("rpc.ethereum = http://narrow, http://2\n");
    begin_batch("m_a m_logs");
    CHECK_STR(over_the_wire("ethereum", 2), "narrow(?) narrow(0a1logs) 2(?) 2(1logs)");
    CHECK(node_log_blocks(nodes, ethereum, 2000) == 2000);
    for (size_t i = 0; i < sizeof spans / sizeof spans[0]; i++) {
        batch.blocks = spans[i];
        CHECK_STR(over_the_wire("ethereum", 2), "narrow(0a1logs) 2(1logs)");
        CHECK(node_log_blocks(nodes, ethereum, 2000) == then[i]);
    }
    CHECK(node_log_blocks(nodes, ethereum, 3) == 3);
    CHECK(node_log_blocks(nodes, chain_find("base"), 2000) == 2000);
}

static void forms_that_a_node_has(void)
{
    begin_batch("m_sim m_a");
    load("rpc.ethereum = http://1\n");
    CHECK_STR(over_the_wire("ethereum", 2), "1(?) 1(0sim1a)");
    load("rpc.ethereum = http://nosim\n");
    CHECK_STR(over_the_wire("ethereum", 2), "nosim(?) nosim(0sim1a) nosim(0over)");
    CHECK_STR(over_the_wire("ethereum", 2), "nosim(0over1a)");
    load("rpc.ethereum = http://nosim.noover\n");
    CHECK_STR(over_the_wire("ethereum", 2),
              "nosim.noover(?) nosim.noover(0sim1a) nosim.noover(0over) nosim.noover(0plain)");
    load("rpc.ethereum = http://nosim.ignores\n");
    CHECK_STR(over_the_wire("ethereum", 2),
              "nosim.ignores(?) nosim.ignores(0sim1a) nosim.ignores(0over) nosim.ignores(0plain)");
    CHECK_STR(over_the_wire("ethereum", 2), "nosim.ignores(0plain1a)");
}

/* An item that cannot fail but does was not run properly. */
static void errors_of_certain_items_count_as_node_failures(void)
{
    struct node_query q = about("ethereum");

    load("rpc.ethereum = http://reverts.nosim, http://2\n");
    begin_batch("m_sim m_a");
    asked[0] = '\0';
    batch.certain = 3; /* both */
    node_ask_all(&ctx, &q, 1, 1000, a);
    CHECK_STR(asked, "reverts.nosim(?) reverts.nosim(0sim1a) reverts.nosim(0over) 2(?) 2(0sim1a)");
    CHECK(sevens(&q) == 2);
}

static void a_silent_node_is_asked_beside_the_next(void)
{
    begin_batch("m_a m_state");
    load("rpc.ethereum = http://mute, http://2, http://3\n");
    CHECK_STR(over_the_wire("ethereum", 2), "2(?) 2(0a1state)");
    load("rpc.ethereum = http://dead, http://mute, http://3\n"); /* nor those that it was asked in parallel to
                                                                  */
    CHECK_STR(over_the_wire("ethereum", 2), "dead(?) 3(?) 3(0a1state)");
    load("rpc.ethereum = http://mute, http://lost\n"); /* some answers are better than none */
    CHECK_STR(over_the_wire("ethereum", 1), "lost(?) lost(0a1state) lost(0a1state)");
    load("rpc.ethereum = http://lost, http://mute\n");
    CHECK_STR(over_the_wire("ethereum", 1), "lost(?) lost(0a1state)");
}

static void begin_read(struct node_query *q, struct call *call, enum node_role role, enum node_order order)
{
    *q = about("ethereum");
    q->role = role;
    q->order = order;
    CHECK(node_begin(call, &ctx, q, a));
}

/* A caller that compares nodes must not have two of them asked, and a fallback node is no hedge. */
static void hedged_roles_and_orders(void)
{
    static const struct {
        const char *lines;
        enum node_role role;
        enum node_order order;
        bool hedged;
    } rows[] = {
        { "rpc.ethereum = http://1, http://2\n", NODE_READ, NODE_BEST_FIRST, true },
        { "rpc.ethereum = http://1, http://2\n", NODE_READ, NODE_AS_CONFIGURED, false },
        { "rpc.ethereum = http://1, http://2\n", NODE_READ, NODE_SECOND_OPINION, false },
        { "rpc.ethereum = http://1, http://2\n", NODE_SEND, NODE_BEST_FIRST, true },
        { "rpc.ethereum = http://1, http://2\nsend.ethereum =\n", NODE_SEND, NODE_BEST_FIRST, true },
        { "send.ethereum = http://1, http://2\n", NODE_SEND, NODE_BEST_FIRST, true },
        { "rpc.ethereum = http://2\nsend.ethereum = http://1\nsend_fallback = yes\n", NODE_SEND,
          NODE_BEST_FIRST, false },
        { "verify.ethereum = http://1, http://2\n", NODE_VERIFY, NODE_BEST_FIRST, false },
        { "rpc.ethereum = http://1\n", NODE_READ, NODE_BEST_FIRST, false },
    };

    begin_batch("m_a");
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct node_query q;
        struct call call;

        load(rows[i].lines);
        begin_read(&q, &call, rows[i].role, rows[i].order);
        CHECK((call.hedge != NULL) == rows[i].hedged);
        CHECK(!node_end(&q));
        call_free(&call);
    }
}

static void transactions_prefer_the_send_nodes(void)
{
    struct node_query q = about("ethereum");

    begin_batch("m_a");
    load("rpc.ethereum = http://public\nsend.ethereum = http://mute, http://2\nsend_fallback = yes\n");
    q.role = NODE_SEND;
    node_ask_all(&ctx, &q, 1, 1000, a);
    CHECK(sevens(&q) == 1);
    CHECK_STR(asked, "2(?) 2(0a)");
    load("rpc.ethereum = http://public\nsend.ethereum = http://mute, http://mute\nsend_fallback = yes\n");
    node_ask_all(&ctx, &q, 1, 1000, a);
    CHECK(sevens(&q) == 0);
    CHECK_STR(asked, "");
}

static const char *first_asked(enum node_role role, enum node_order order)
{
    const char *url;
    struct node_query q;
    struct call call;

    begin_read(&q, &call, role, order);
    url = call.more->url + strlen("http://");
    CHECK(!node_end(&q));
    call_free(&call);
    return url;
}

/* The second one of those to send to; one of the others after a while, where there may be any. */
static void repeated_sends_go_to_another_node(void)
{
    static const struct {
        const char *lines, *first, *after_a_minute;
    } rows[] = {
        { "rpc.ethereum = http://1, http://2, http://3\n", "2", "1" },
        { "rpc.ethereum = http://1\n", "1", "1" },
        { "rpc.ethereum = http://public\nsend.ethereum = http://1, http://2\nsend_fallback = yes\n", "2",
          "public" },
        { "rpc.ethereum = http://public\nsend.ethereum = http://1\nsend_fallback = yes\n", "1", "public" },
        { "rpc.ethereum = http://public\nsend.ethereum = http://1\n", "1", "1" },
    };

    begin_batch("m_a");
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        load(rows[i].lines);
        CHECK_STR(first_asked(NODE_SEND, NODE_SECOND_OPINION), rows[i].first);
        CHECK_STR(first_asked(NODE_SEND, NODE_FALLBACK_FIRST), rows[i].after_a_minute);
    }
}

static void unhealthy_nodes_are_asked_last(void)
{
    struct peer *peers;

    load("rpc.ethereum = http://1, http://2, http://3\n");
    peers = nodes_peers(nodes, chain_find("ethereum"), NODE_READ)->of;
    begin_batch("m_a");
    peers[0].until_ms[NODE_BEHIND] = clock_mono_ms() + 60000;
    CHECK_STR(over_the_wire("ethereum", 1), "2(?) 2(0a)");
    CHECK_STR(first_asked(NODE_READ, NODE_AS_CONFIGURED), "1");
    CHECK_STR(first_asked(NODE_READ, NODE_SECOND_OPINION), "2");
    CHECK_STR(first_asked(NODE_SEND, NODE_BEST_FIRST), "1");
    CHECK_STR(first_asked(NODE_SEND, NODE_SECOND_OPINION), "2");
    peers[1].until_ms[NODE_UNAVAILABLE] = clock_mono_ms() + 60000;
    CHECK_STR(first_asked(NODE_READ, NODE_BEST_FIRST), "3");
    peers[2].until_ms[NODE_CONTRADICTING] = clock_mono_ms() + 60000;
    CHECK_STR(first_asked(NODE_READ, NODE_BEST_FIRST), "1"); /* none is better than the others */
    memset(peers[0].until_ms, 0, sizeof peers[0].until_ms);
    peers[0].until_ms[NODE_BEHIND] = clock_mono_ms() - 1;
    CHECK_STR(over_the_wire("ethereum", 1), "1(?) 1(0a)");
}

static void chains_without_nodes_are_not_asked(void)
{
    struct node_query q = about("bsc");

    load("rpc.bsc =\n");
    begin_batch("m_a");
    node_ask_all(&ctx, &q, 1, 1000, a);
    node_ask_all(&ctx, NULL, 0, 1000, a);
    CHECK_STR(asked, "");
    CHECK(!q.answered);
}

static void node_test_start(void)
{
    a = arena_new();
    body = (struct buf)BUF_INIT(4096);
}

static void node_test_end(void)
{
    nodes_free(nodes);
    buf_free(&body);
    arena_free(a);
}

TEST_MAIN(TEST(node_test_start), TEST(chains_try_their_nodes_in_order), TEST(all_chains_at_once),
          TEST(a_second_opinion), TEST(two_that_no_node_answers_both_of), TEST(two_that_do_well),
          TEST(a_node_of_another_chain_is_never_used), TEST(open_items_go_to_the_next_node),
          TEST(nodes_that_lag), TEST(batches_fit_the_node), TEST(sizes_are_kept_for_each_node),
          TEST(blocks_that_a_node_takes), TEST(forms_that_a_node_has),
          TEST(errors_of_certain_items_count_as_node_failures), TEST(a_silent_node_is_asked_beside_the_next),
          TEST(hedged_roles_and_orders), TEST(transactions_prefer_the_send_nodes),
          TEST(repeated_sends_go_to_another_node), TEST(unhealthy_nodes_are_asked_last),
          TEST(chains_without_nodes_are_not_asked), TEST(node_test_end))
