/* Conclusions from the answers of nodes, which a test sets. */
#define node_begin     test_begin
#define node_call_end  test_end
#define node_ask_two   test_ask_two
#define node_ask       test_ask
#define nodes_count    test_count
#define solana_tx_read test_tx_read
#define broadcast_txs  test_broadcast
#include "exec/opinion.c"
#include "exec/solana/solana_poll.c"

#include "base/test.h"
#include "chain/solana/solana_dialect.h"
#include "codec/test_liar.h"

enum { EXPIRY = 1000, SLOT = 5000, OBSERVATIONS = 3 };

static struct arena *a;
static const char *says; /* the results of a batch, in their order; NULL: no node answers */
static char question[2048];
static const char *second_says; /* the answer of another node than the first */
static struct ctx own;
static bool second_opinion, known;
static unsigned sent;

static bool answer(const struct rpc_batch *b, struct rpc_answers *out)
{
    struct buf body = BUF_INIT(MAX_UPSTREAM);
    json_t *results = says == NULL ? NULL : json_loads(says, 0, NULL), *each;
    size_t i;

    snprintf(question, sizeof question, "%s", buf_text(b->out));
    if (results == NULL)
        return false;
    CHECK(json_array_size(results) == b->count);
    buf_addc(&body, '[');
    json_array_foreach(results, i, each)
    {
        char *text = json_dumps(each, JSON_ENCODE_ANY);
        bool lacks = strcmp(text, "\"lacks\"") == 0, fails = strcmp(text, "\"fails\"") == 0;

        buf_addf(&body, "%s{\"id\":%zu,", i > 0 ? "," : "", i);
        if (lacks || fails)
            buf_addf(&body, "\"error\":{\"code\":%d,\"message\":\"\"}}", lacks ? -32601 : -32603);
        else
            buf_addf(&body, "\"result\":%s}", text);
        free(text);
    }
    buf_addc(&body, ']');
    CHECK(rpc_read(out, a, &body, b->count, solana_dialect.classify));
    buf_free(&body);
    json_decref(results);
    return true;
}

static size_t node_count = 1;

size_t test_count(const struct nodes *n, const struct chain *c)
{
    CHECK(n == NULL && c != NULL);
    return node_count;
}

bool test_begin(struct call *call, const struct ctx *ctx, struct node_query *q, struct arena *arena)
{
    (void)call, (void)ctx, (void)arena;
    second_opinion = (q->order == NODE_SECOND_OPINION);
    q->answered = answer(q->batch, &q->answers);
    return known;
}

bool test_end(struct call *call)
{
    (void)call;
    return says != NULL;
}

size_t test_ask_two(const struct ctx *at, const struct chain *c, const struct rpc_batch *batch,
                    unsigned deadline_ms, struct arena *arena, struct rpc_answers out[static NODE_OPINIONS])
{
    size_t n;

    (void)at, (void)c, (void)deadline_ms, (void)arena;
    n = answer(batch, &out[0]);
    says = second_says;
    return n + answer(batch, &out[n]);
}

bool test_ask(const struct ctx *ctx, const struct chain *c, const struct rpc_batch *batch,
              unsigned deadline_ms, struct arena *arena, struct rpc_answers *out)
{
    (void)ctx, (void)c, (void)deadline_ms, (void)arena;
    return answer(batch, out);
}

const char *test_tx_read(struct solana_tx *out, const uint8_t *p, size_t n)
{
    static const uint8_t hash[SOLANA_BLOCKHASH_LEN] = { [SOLANA_BLOCKHASH_LEN - 1] = 7 };

    (void)p, (void)n;
    out->blockhash = hash;
    return NULL;
}

bool test_broadcast(const struct ctx *ctx, struct arena *arena, const struct chain *c,
                    const struct execution *x, const struct transaction *txs, unsigned n,
                    unsigned deadline_ms, bool *accepted)
{
    (void)ctx, (void)arena, (void)c, (void)x, (void)txs, (void)n, (void)deadline_ms;
    sent++;
    *accepted = says != NULL;
    return says != NULL;
}

/* ---- an execution under observation ---- */

struct watched {
    struct tracked w;
    struct execution x;
    struct transaction txs[OBSERVATIONS];
    struct observation observations[OBSERVATIONS];
    struct solana_seen seen;
};

static void watched_begin(struct watched *o, unsigned count)
{
    *o = (struct watched){ .x = { .status = EXEC_SUBMITTED } };
    o->w = (struct tracked){ .execution = &o->x,
                             .chain = chain_find("solana"),
                             .txs = o->txs,
                             .observations = o->observations,
                             .count = count,
                             .seen = &o->seen };
    for (unsigned i = 0; i < count; i++) {
        o->txs[i] = (struct transaction){ .kind = TX_SPEND, .expiry = EXPIRY };
        o->txs[i].hash.len = SOLANA_SIGNATURE_LEN;
        memset(o->txs[i].hash.bytes, 0, SOLANA_SIGNATURE_LEN);
        o->txs[i].hash.bytes[SOLANA_SIGNATURE_LEN - 1] = (uint8_t)(i + 1);
    }
    known = true;
    sent = 0;
}

static void statuses_become_observations(void)
{
    static const struct {
        struct solana_status status;
        struct observation want;
    } rows[] = {
        { { .known = true, .slot = 7, .succeeded = true }, { .block = 7, .succeeded = true } },
        { { .known = true, .slot = 7, .succeeded = true, .confirmed = true },
          { .block = 7, .succeeded = true, .confirmed = true } },
        { { .known = true, .slot = 7, .succeeded = true, .confirmed = true, .finalized = true },
          { .block = 7, .succeeded = true, .confirmed = true, .settled = true } },
        { { .known = true, .slot = 7, .confirmed = true }, { .block = 7, .confirmed = true } },
        { { .known = true, .slot = 7, .confirmed = true, .too_little = true },
          { .block = 7, .confirmed = true, .why = &E_PRICE_MOVED } },
        { { .known = false }, { .block = 0 } },
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct solana_poll l = { .slot = SLOT, .final_height = EXPIRY };
        const struct observation *s, *want = &rows[i].want;
        struct watched o;

        watched_begin(&o, 1);
        o.seen.statuses = &rows[i].status;
        observations_set(&o.w, &l);
        s = &o.observations[0];
        CHECK(o.w.known && s->block == want->block && s->succeeded == want->succeeded);
        CHECK(s->confirmed == want->confirmed && s->settled == want->settled && s->why == want->why);
        CHECK(!s->taken && !s->foreign && !s->expired);
    }
}

/* The last block that takes it may still do so while it is the newest that is final. */
static void transactions_expire_after_their_last_block(void)
{
    static const struct {
        bool in_block;
        uint64_t final_height;
        bool taken;
    } rows[] = {
        { false, EXPIRY - 1, false }, { false, EXPIRY, false }, { false, EXPIRY + 1, true },
        { true, EXPIRY + 1, false },  { true, 0, false },
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct solana_poll l = { .slot = SLOT, .final_height = rows[i].final_height };
        const struct solana_status status = { .known = rows[i].in_block, .slot = 7 };
        struct watched o;

        watched_begin(&o, 1);
        o.seen.statuses = &status;
        observations_set(&o.w, &l);
        CHECK(o.w.known && o.observations[0].taken == rows[i].taken && !o.observations[0].expired);
    }
}

static void a_node_that_is_behind(void)
{
    static const struct {
        bool in_block;
        uint64_t seen_in, slot;
        bool known;
    } rows[] = {
        { false, 0, 0, true },
        { false, SLOT, SLOT, true },
        { false, SLOT, SLOT - 1, false },
        { true, SLOT, SLOT - 1, true },
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct solana_poll l = { .slot = rows[i].slot, .final_height = EXPIRY };
        const struct solana_status status[] = { { .known = rows[i].in_block, .slot = 7 },
                                                { .known = true, .slot = 7 } };
        struct watched o;

        watched_begin(&o, 2);
        o.txs[0].block_number = rows[i].seen_in;
        o.seen.statuses = status;
        observations_set(&o.w, &l);
        CHECK(o.w.known == rows[i].known);
    }
}

/* ---- the whole poll ---- */

#define STATUS(level, error)                                                                                 \
    "{\"confirmationStatus\":\"" level "\",\"err\":" error ",\"slot\":72,\"confirmations\":1}"
#define FINAL_AT(height, slot) "{\"blockHeight\":" height ",\"absoluteSlot\":" slot "}"
#define FINAL(height)          FINAL_AT(height, "4000")
#define STATUSES(list)         "{\"context\":{\"slot\":9000},\"value\":[" list "]}"

static void poll_at(struct chain_batch *s, const char *answers)
{
    says = answers;
    CHECK(solana_poll_begin(&own, a, s, NULL));
    solana_poll_end(&own, a, s);
    solana_poll_free(s);
}

/* The first node shows it as final. */
static void successes_are_settled_by_two_nodes(void)
{
    enum { SHORT = 20000, LONG = 600000 };
    static const char final[] = "[" FINAL("900") "," STATUSES(STATUS("finalized", "null")) "]",
                      young[] = "[" FINAL("900") "," STATUSES(STATUS("confirmed", "null")) "]",
                      failed[] = "[" FINAL("900") "," STATUSES(STATUS("finalized", "{}")) "]",
                      nowhere[] = "[" FINAL("900") "," STATUSES("null") "]",
                      behind[] = "[" FINAL("900") ",{\"context\":{\"slot\":80},\"value\":[null]}]";
    static const struct {
        size_t nodes;
        const char *second;
        int64_t waited_ms;
        enum exec_status status;
        bool confirmed, settled, there;
    } rows[] = {
        { 1, NULL, 0, EXEC_COMPLETED, true, true, true },
        { 2, final, 0, EXEC_COMPLETED, true, true, true },
        { 2, young, 0, EXEC_COMPLETED, true, false, true },
        { 2, NULL, SHORT, EXEC_COMPLETED, true, false, true },
        { 2, NULL, LONG, EXEC_COMPLETED, true, true, true },
        { 2, nowhere, LONG, EXEC_COMPLETED, true, false, true },
        { 2, NULL, 0, EXEC_SUBMITTED, false, false, true },
        { 2, NULL, SHORT, EXEC_SUBMITTED, true, false, true },
        { 2, behind, SHORT, EXEC_SUBMITTED, false, false, true },
        { 2, failed, LONG, EXEC_SUBMITTED, false, false, true },
        { 2, nowhere, LONG, EXEC_SUBMITTED, false, false, false },
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct watched o;
        struct chain_batch s = { .chain = chain_find("solana"), .w = &o.w, .count = 1 };

        watched_begin(&o, 1);
        o.x.status = rows[i].status;
        o.w.now_ms = rows[i].waited_ms;
        node_count = rows[i].nodes;
        second_says = rows[i].second;
        poll_at(&s, final);
        if (o.observations[0].confirmed != rows[i].confirmed || o.observations[0].settled != rows[i].settled)
            fprintf(stderr, "row %zu\n", i);
        CHECK(o.observations[0].confirmed == rows[i].confirmed &&
              o.observations[0].settled == rows[i].settled);
        CHECK((o.observations[0].block != 0) == rows[i].there);
    }
    node_count = 1;
}

/* Each execution gets the statuses of its own transactions. */
static void a_slice_of_several(void)
{
    struct watched o[3];
    struct tracked w[3];
    struct chain_batch s = { .chain = chain_find("solana"), .w = w, .count = 3, .doubted = true };

    for (unsigned i = 0; i < 3; i++) {
        watched_begin(&o[i], i);
        w[i] = o[i].w;
        o[i].x.status = EXEC_COMPLETED;
    }
    poll_at(&s, "[" FINAL("1001") "," STATUSES(
                    STATUS("confirmed", "null") ",null," STATUS("finalized", "null")) "]");
    CHECK(second_opinion && w[0].known && w[1].known && w[2].known);
    CHECK(o[1].observations[0].block == 72 && o[1].observations[0].confirmed &&
          !o[1].observations[0].settled);
    CHECK(o[2].observations[0].block == 0 && o[2].observations[0].taken);
    CHECK(o[2].observations[1].block == 72 && o[2].observations[1].settled);
    CHECK_STR(question,
              "[{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"getEpochInfo\",\"params\":[{\"commitment\":"
              "\"finalized\"}]},\n"
              "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"getSignatureStatuses\",\"params\":[["
              "\"1111111111111111111111111111111111111111111111111111111111111112\","
              "\"1111111111111111111111111111111111111111111111111111111111111112\","
              "\"1111111111111111111111111111111111111111111111111111111111111113\"],"
              "{\"searchTransactionHistory\":true}]}]");
}

static void only_whole_answers_count(void)
{
    static const struct {
        const char *says;
        bool known;
    } rows[] = {
        { "[" FINAL("900") "," STATUSES("null") "]", true },
        { "[" FINAL("900") "," STATUSES(STATUS("processed", "null")) "]", true },
        { "[" FINAL("900") "," STATUSES("") "]", false },
        { "[" FINAL("900") "," STATUSES("null,null") "]", false },
        { "[" FINAL("900") ",null]", false },
        { "[" FINAL("900") ",\"fails\"]", false },
        { "[\"fails\"," STATUSES("null") "]", false },
        { "[null," STATUSES("null") "]", false },
        { "[" FINAL("-1") "," STATUSES("null") "]", false },
        { "[" FINAL("\"900\"") "," STATUSES("null") "]", false },
        { "[" FINAL_AT("900", "null") "," STATUSES("null") "]", false },
        { NULL, false },
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct watched o;
        struct chain_batch s = { .chain = chain_find("solana"), .count = 1, .w = &o.w };

        watched_begin(&o, 1);
        poll_at(&s, rows[i].says);
        CHECK(o.w.known == rows[i].known && !second_opinion);
    }
}

static void a_chain_without_nodes(void)
{
    struct watched o;
    struct chain_batch s = { .chain = chain_find("solana"), .count = 1, .w = &o.w };

    watched_begin(&o, 1);
    known = false;
    says = NULL;
    CHECK(!solana_poll_begin(&own, a, &s, NULL));
}

/* ---- arrivals ---- */

#define ME    "9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM"
#define TOKEN "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v"
#define RECEIPT(amount)                                                                                      \
    "{\"meta\":{\"preTokenBalances\":[],\"postTokenBalances\":[{\"owner\":\"" ME "\",\"mint\":\"" TOKEN      \
    "\",\"uiTokenAmount\":{\"amount\":\"" amount "\"}}]}}"

/* One that has just succeeded. */
static void arriving_begin(struct watched *o)
{
    watched_begin(o, 1);
    snprintf(o->w.wallet.ref.address, sizeof o->w.wallet.ref.address, ME);
    snprintf(o->x.to.address, sizeof o->x.to.address, TOKEN);
    o->x.to.chain_id = o->w.chain->id;
    o->w.known = true;
    o->observations[0] = (struct observation){ .block = 72, .succeeded = true, .confirmed = true };
}

/* Asked for of what has just succeeded alone, in the order of the executions. */
static void arrivals_are_asked_for_new_successes_only(void)
{
    static struct bridge bridge;
    struct watched o[6];
    struct tracked w[6];
    struct chain_batch s = { .chain = chain_find("solana"), .w = w, .count = 6 };
    struct u256 v;
    uint64_t n;

    for (unsigned i = 0; i < 6; i++) {
        arriving_begin(&o[i]);
        w[i] = o[i].w;
    }
    o[0].x.status = EXEC_COMPLETED;
    o[1].observations[0].succeeded = false;
    o[3].observations[0].confirmed = false;
    w[4].bridge = &bridge;
    says = "[" RECEIPT("42") "," RECEIPT("43") "]";
    arrivals_poll(&own, a, &s);
    for (unsigned i = 0; i < 6; i++)
        CHECK(solana_arrived(&v, &w[i], 0) == (i == 2 || i == 5));
    CHECK(solana_arrived(&v, &w[2], 0) && u256_to_u64(&n, v) && n == 42);
    CHECK(solana_arrived(&v, &w[5], 0) && u256_to_u64(&n, v) && n == 43);
    CHECK(!solana_arrived(&v, &w[5], 1));
    CHECK(strstr(question, "getTransaction") != NULL);
}

/* The reported amount of a success, by each of two nodes' answers. */
static const char *arrived_by(const json_t *first, const json_t *second, void *arg)
{
    static char text[U256_DECIMAL_LEN + 1];
    struct watched o;
    struct chain_batch s = { .chain = chain_find("solana"), .w = &o.w, .count = 1 };
    char *mine = json_dumps(first, 0), *other = json_dumps(second, 0);
    struct u256 v;

    arriving_begin(&o);
    o.w.now_ms = *(const int64_t *)arg;
    says = mine;
    second_says = other;
    arrivals_poll(&own, a, &s);
    free(mine);
    free(other);
    if (!o.observations[0].confirmed || !solana_arrived(&v, &o.w, 0))
        return NULL;
    u256_decimal(text, v);
    return text;
}

static void one_liar_changes_no_amount(void)
{
    json_t *truth = json_loads("[" RECEIPT("42") "]", 0, NULL),
           *more = json_loads("[" RECEIPT("43") "]", 0, NULL), *none = json_loads("[null]", 0, NULL);
    int64_t late_ms = OPINION_LONG_MS, soon_ms = OPINION_LONG_MS - 1;

    node_count = 2;
    liar_alone_changes_nothing("getTransaction", json_array_get(truth, 0), arrived_by, &late_ms);
    CHECK(arrived_by(truth, more, &late_ms) == NULL && arrived_by(more, truth, &late_ms) == NULL);
    CHECK(arrived_by(truth, none, &soon_ms) == NULL && arrived_by(none, truth, &soon_ms) == NULL);
    CHECK_STR(arrived_by(none, truth, &late_ms), "42");
    node_count = 1;
    json_decref(truth);
    json_decref(more);
    json_decref(none);
}

static void many_arrive_at_once(void)
{
    enum { TWICE = 2 * RECEIPTS };
    static struct watched o[TWICE];
    static struct tracked w[TWICE];
    struct chain_batch s = { .chain = chain_find("solana"), .w = w, .count = TWICE };
    struct buf receipts = BUF_INIT(MAX_UPSTREAM);
    struct u256 v;

    for (unsigned i = 0; i < TWICE; i++) {
        arriving_begin(&o[i]);
        w[i] = o[i].w;
    }
    for (unsigned i = 0; i < RECEIPTS; i++)
        buf_addf(&receipts, "%s" RECEIPT("42"), i == 0 ? "[" : ",");
    buf_addc(&receipts, ']');
    says = buf_text(&receipts);
    arrivals_poll(&own, a, &s);
    for (unsigned i = 0; i < TWICE; i++)
        CHECK(solana_arrived(&v, &w[i], 0));
    buf_free(&receipts);
}

/* ---- expiry ---- */

#define GONE_AT(slot)                FINAL_AT("1500", slot) "," STATUSES("null") /* and its blocks are final: by 500 */
#define GONE                         GONE_AT("9000")

#define VALID(is)                    "{\"context\":{\"slot\":9000},\"value\":" is "}"
#define HASH_IS(at_final, at_newest) VALID(at_final) "," VALID(at_newest)
#define OVER                         HASH_IS("false", "false")

/* The result of a second poll of a transaction that a first poll did not show after its last block, by each
 * of two nodes' answers. */
static bool expired_by(const char *first, const char *second, bool taken)
{
    struct watched o;

    watched_begin(&o, 1);
    o.observations[0].taken = taken;
    says = first;
    second_says = second;
    question[0] = '\0';
    solana_poll_closely(&own, a, &o.w);
    CHECK((question[0] != '\0') == taken);
    return o.observations[0].expired;
}

/* Both have to say so, whichever it is that does not. */
static bool expired(const char *answers)
{
    static const char gone[] = "[" GONE ",0," OVER "]";
    bool both = expired_by(answers, gone, true);

    CHECK(expired_by(gone, answers, true) == both);
    CHECK(!expired_by(answers, gone, false));
    return both;
}

/* With the 1600 slots that 500 blocks and two lives of transactions may be. */
static void proven_to_be_in_no_block(void)
{
    CHECK(expired("[" GONE ",0," OVER "]"));
    CHECK(expired("[" GONE_AT("900") ",0," OVER "]")); /* it has all since the first block */
    CHECK(!expired("[" GONE_AT("900") ",1," OVER "]"));
    CHECK(expired("[" GONE ",7400," OVER "]"));
    CHECK(!expired("[" GONE ",7401," OVER "]"));
    CHECK(!expired("[" GONE ",9000," OVER "]"));
    CHECK(expired("[" GONE ",\"lacks\"," OVER "]"));
    CHECK(!expired("[" GONE ",\"fails\"," OVER "]"));
    CHECK(!expired("[" GONE ",null," OVER "]"));
    /* The node knows it, or has not come so far, or does not say. */
    CHECK(!expired("[" FINAL_AT("1500", "9000") "," STATUSES(STATUS("processed", "null")) ",0," OVER "]"));
    CHECK(!expired("[" FINAL_AT("1500", "9000") "," STATUSES(STATUS("finalized", "null")) ",0," OVER "]"));
    CHECK(!expired("[" FINAL_AT("1000", "9000") "," STATUSES("null") ",0," OVER "]"));
    CHECK(expired("[" FINAL_AT("1001", "9000") "," STATUSES("null") ",0," OVER "]"));
    CHECK(!expired("[" FINAL("1500") ",\"fails\",0," OVER "]"));
    CHECK(!expired("[\"fails\"," STATUSES("null") ",0," OVER "]"));
    /* Its answer is older than the final state. */
    CHECK(!expired("[" GONE_AT("9001") ",0," OVER "]"));
    CHECK(!expired(NULL));
    /* Blocks still take the hash: by the final state, or by the newest, which the final one need not know
     * yet. */
    CHECK(!expired("[" GONE ",0," HASH_IS("true", "false") "]"));
    CHECK(!expired("[" GONE ",0," HASH_IS("false", "true") "]"));
    CHECK(!expired("[" GONE ",0," HASH_IS("null", "false") "]"));
    CHECK(!expired("[" GONE ",0,\"fails\"," VALID("false") "]"));
    CHECK(!expired("[" GONE ",0," VALID("false") ",\"lacks\"]"));
}

/* Long after it was signed one answering node is enough, and a node's answer about the hash holds nothing
 * up. */
static bool expired_after(int64_t ms, const char *first, const char *second)
{
    struct watched o;

    watched_begin(&o, 1);
    o.observations[0].taken = true;
    o.txs[0].effect.created_ms = 1000;
    o.w.now_ms = 1000 + ms;
    says = first;
    second_says = second;
    solana_poll_closely(&own, a, &o.w);
    return o.observations[0].expired;
}

static void after_ten_minutes(void)
{
    static const char gone[] = "[" GONE ",0," OVER "]", good[] = "[" GONE ",0," HASH_IS("true", "true") "]",
                      known_there[] =
                          "[" FINAL_AT("1500", "9000") "," STATUSES(STATUS("processed", "null")) ",0," OVER
                                                                                                 "]";

    for (int64_t ms = LONG_MS - 1; ms <= LONG_MS; ms++) {
        CHECK(expired_after(ms, gone, NULL) == (ms == LONG_MS));
        CHECK(expired_after(ms, NULL, gone) == (ms == LONG_MS));
        CHECK(expired_after(ms, gone, good) == (ms == LONG_MS));
        CHECK(expired_after(ms, good, NULL) == (ms == LONG_MS));
        CHECK(!expired_after(ms, NULL, NULL) && !expired_after(ms, gone, known_there) &&
              !expired_after(ms, known_there, NULL));
    }
}

/* ---- one of two nodes that lies ---- */

/* A node's answers about a transaction after its time, but for one thing. */
static json_t *said_at_the_end(json_int_t height, bool knows, bool takes)
{
    json_t *final = json_deep_copy(liar_recorded("epoch_info")),
           *statuses = json_deep_copy(liar_recorded("no_status")),
           *valid = json_deep_copy(liar_recorded("is_blockhash_valid")), *newest;

    json_object_set_new(final, "blockHeight", json_integer(height));
    json_object_set_new(final, "absoluteSlot", json_integer(height + 1000));
    json_object_set_new(json_object_get(statuses, "context"), "slot", json_integer(height + 1100));
    if (knows)
        json_array_set_new(json_object_get(statuses, "value"), 0,
                           json_pack("{s:s,s:n,s:i,s:i}", "confirmationStatus", "processed", "err", "slot",
                                     72, "confirmations", 1));
    json_object_set_new(valid, "value", json_false());
    newest = json_deep_copy(valid);
    json_object_set_new(newest, "value", json_boolean(takes));
    return json_pack("[o,o,O,o,o]", final, statuses, liar_recorded("first_block"), valid, newest);
}

/* "failed" or "alive"; where it has ended, a node that denies it makes it take longer. */
static const char *end_by(const json_t *first, const json_t *second, void *arg)
{
    const json_t *said[] = { json_array_get(first, 0), json_array_get(second, 0) };
    bool over = *(bool *)arg, expired;
    char *texts[NODE_OPINIONS];

    for (size_t i = 0; i < NODE_OPINIONS; i++)
        texts[i] = json_array_size(said[i]) == 5 ? json_dumps(said[i], 0) : NULL;
    expired = expired_by(texts[0], texts[1], true);
    for (size_t i = 0; i < NODE_OPINIONS; i++)
        free(texts[i]);
    return expired ? "failed" : over ? NULL : "alive";
}

static void one_liar_ends_nothing(void)
{
    static const struct {
        json_int_t height;
        bool knows, takes;
    } rows[] = {
        { EXPIRY + 500, false, false }, /* it is over */
        { EXPIRY, false, false },       /* the last block that may take it */
        { EXPIRY + 500, true, false },  /* it is in a block */
        { EXPIRY + 500, false, true },  /* newer blocks take its hash */
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        json_t *truth = said_at_the_end(rows[i].height, rows[i].knows, rows[i].takes);
        bool over = (i == 0);

        liar_alone_changes_nothing("an end", truth, end_by, &over);
        json_decref(truth);
    }
}

static void one_of_two_attempts_expires(void)
{
    struct watched o;

    watched_begin(&o, 2);
    o.observations[1].taken = true;
    says = second_says = "[" FINAL_AT("1500", "9000") "," STATUSES("null,null") ",0," OVER "," OVER "]";
    solana_poll_closely(&own, a, &o.w);
    CHECK(!o.observations[0].expired && o.observations[1].expired);
    CHECK(strstr(question, "getFirstAvailableBlock") != NULL);
    CHECK(
        strstr(
            question,
            "\"isBlockhashValid\",\"params\":[\"11111111111111111111111111111118\",{\"commitment\":\"finalized\"}]") !=
        NULL);
    CHECK(
        strstr(
            question,
            "\"isBlockhashValid\",\"params\":[\"11111111111111111111111111111118\",{\"commitment\":\"processed\"}]") !=
        NULL);
}

/* ---- sending again ---- */

static void unconfirmed_transactions_are_sent_again(void)
{
    static const struct {
        uint64_t block;
        bool taken;
        int64_t since_ms;
        bool accepted;
        unsigned sent;
        enum exec_status status;
    } rows[] = {
        { 0, false, SEND_AGAIN_MS, true, 1, EXEC_SUBMITTED },
        { 0, false, SEND_AGAIN_MS, false, 1, EXEC_PENDING },
        { 0, false, SEND_AGAIN_MS - 1, true, 0, EXEC_PENDING },
        { 0, true, SEND_AGAIN_MS, true, 0, EXEC_PENDING },
        { 7, false, SEND_AGAIN_MS, true, 0, EXEC_PENDING },
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct watched o;

        watched_begin(&o, 1);
        o.x.status = EXEC_PENDING;
        o.w.now_ms = 1000000;
        o.txs[0].effect.broadcast_ms = o.w.now_ms - rows[i].since_ms;
        o.observations[0].block = rows[i].block;
        o.observations[0].taken = rows[i].taken;
        says = rows[i].accepted ? "[]" : NULL;
        solana_repair(NULL, a, &o.w);
        CHECK(sent == rows[i].sent && o.x.status == rows[i].status);
    }
}

#define SLOT_OF(slot) "{\"context\":{\"slot\":5000},\"value\":[" slot "]}"
#define AT(slot)      "{\"slot\":" slot ",\"confirmations\":1,\"err\":null,\"confirmationStatus\":\"confirmed\"}"

/* Inclusion that frees a reservation has to be shown by both nodes, where there are two. */
static void inclusion_that_frees_a_reservation_needs_two_nodes(void)
{
    static const struct {
        size_t nodes;
        const char *first, *second;
        uint64_t slot;
    } rows[] = {
        { 1, "[" SLOT_OF(AT("4990")) "]", NULL, 4990 },
        { 1, "[" SLOT_OF("null") "]", NULL, 0 },
        { 1, "[\"fails\"]", NULL, 0 },
        { 1, NULL, NULL, 0 },
        { 2, "[" SLOT_OF(AT("4990")) "]", "[" SLOT_OF(AT("4991")) "]", 4991 },
        { 2, "[" SLOT_OF(AT("4991")) "]", "[" SLOT_OF(AT("4990")) "]", 4991 },
        { 2, "[" SLOT_OF(AT("4990")) "]", "[" SLOT_OF("null") "]", 0 },
        { 2, "[" SLOT_OF("null") "]", "[" SLOT_OF(AT("4990")) "]", 0 },
        { 2, "[" SLOT_OF(AT("4990")) "]", "[\"fails\"]", 0 },
        { 2, "[" SLOT_OF(AT("4990")) "]", NULL, 0 },
        { 2, NULL, "[" SLOT_OF(AT("4990")) "]", 0 },
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct unplaced tx = { .id = 1 };
        struct unplaced_list list = { .list = &tx, .count = 1 };

        node_count = rows[i].nodes;
        says = rows[i].first;
        second_says = rows[i].second;
        solana_place(&own, a, chain_find("solana"), &list);
        CHECK(tx.block == rows[i].slot);
    }
    node_count = 1;
}

int main(void)
{
    static const struct test_case cases[] = { TEST(inclusion_that_frees_a_reservation_needs_two_nodes),
                                              TEST(statuses_become_observations),
                                              TEST(transactions_expire_after_their_last_block),
                                              TEST(a_node_that_is_behind),
                                              TEST(successes_are_settled_by_two_nodes),
                                              TEST(a_slice_of_several),
                                              TEST(only_whole_answers_count),
                                              TEST(a_chain_without_nodes),
                                              TEST(arrivals_are_asked_for_new_successes_only),
                                              TEST(one_liar_changes_no_amount),
                                              TEST(many_arrive_at_once),
                                              TEST(proven_to_be_in_no_block),
                                              TEST(one_of_two_attempts_expires),
                                              TEST(one_liar_ends_nothing),
                                              TEST(after_ten_minutes),
                                              TEST(unconfirmed_transactions_are_sent_again) };
    int failed;

    a = arena_new();
    failed = test_run(cases, sizeof cases / sizeof cases[0]);
    arena_free(a);
    return failed;
}
