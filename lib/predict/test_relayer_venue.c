#define node_ask_two        nodes_say
#define message_sign        sign_played
#define relayer_quota_until quota_played
#include "predict/relayer_venue.c"

#include "chain/evm/evm_rpc_class.h"
#include "codec/test_liar.h"

/* The chain's word alone decides, and decides in the end. */
static void the_chain_decides_batches(void)
{
    enum { DEPTH = 5, BLOCK_MS = 2000, EXPIRES = 1000, OVER = EXPIRES + 12 };
    static const struct {
        bool creates, there;
        uint64_t nonce, time, deep_nonce;
        enum venue_says says;
    } rows[] = {
        { true, false, 0, 900, 0, VENUE_UNAVAILABLE },
        { true, true, 0, 900, 0, VENUE_FILLED },
        { true, false, 0, OVER, 0, VENUE_EXPIRED },
        { false, false, 0, 900, 0, VENUE_UNAVAILABLE },
        { false, true, 7, 900, 0, VENUE_UNAVAILABLE },
        { false, true, 7, 900, 8, VENUE_UNAVAILABLE }, /* reorganised away */
        { false, true, 8, 900, 0, VENUE_HAS },
        { false, true, 8, 900, 7, VENUE_HAS },
        { false, true, 8, 900, 8, VENUE_FILLED },
        { false, true, 9, 900, 9, VENUE_FILLED },
        { false, true, 8, OVER - 1, 0, VENUE_HAS },
        { false, true, 8, OVER, 0, VENUE_FILLED },
        { false, true, 7, OVER - 1, 0, VENUE_UNAVAILABLE },
        { false, true, 7, OVER, 0, VENUE_EXPIRED },
        { false, false, 0, OVER, 0, VENUE_EXPIRED },
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct relayer_task task = { .creates = rows[i].creates, .nonce = 7 };
        const struct chain_word w = { .block = 100,
                                      .time = rows[i].time,
                                      .there = rows[i].there,
                                      .nonce = rows[i].nonce,
                                      .deep_nonce = rows[i].deep_nonce };

        CHECK(chain_proves(&w, &task, EXPIRES * 1000, DEPTH, BLOCK_MS) == rows[i].says);
    }
}

/* ---- the relayer's answers ---- */

static struct request_observation relayer_observation(const char *ref, enum call_result result, int status,
                                                      const char *text)
{
    struct venue_request r = { .venue_key = { [31] = 7 } };
    struct call call = { .result = result, .status = status };
    struct request_observation s = { .says = VENUE_UNAVAILABLE };
    struct arena *a = arena_new();

    (void)snprintf(r.venue_ref, sizeof r.venue_ref, "%s", ref);
    call.answer = (struct buf){ .data = (char *)(uintptr_t)text, .len = strlen(text) };
    relayer_read_status(&call, &r, a, &s);
    arena_free(a);
    return s;
}

static void answers_of_the_relayer_become_observations(void)
{
    static const char ROW[] = "[{\"transactionID\":\"x\",\"state\":\"STATE_EXECUTED\"}]",
                      FAILED[] = "{\"transactionID\":\"x\",\"state\":\"STATE_FAILED\"}",
                      OURS[] = "[{\"transactionID\":\"y\",\"metadata\":"
                               "\"0x0000000000000000000000000000000000000000000000000000000000000007\"}]";

    CHECK(relayer_observation("x", CALL_ANSWERED, 200, ROW).says == VENUE_HAS);
    CHECK(relayer_observation("x", CALL_ANSWERED, 200, FAILED).says == VENUE_DROPPED);
    CHECK(relayer_observation("x", CALL_ANSWERED, 404, "{}").says == VENUE_DROPPED);
    CHECK(relayer_observation("", CALL_ANSWERED, 404, "{}").says == VENUE_UNAVAILABLE);
    CHECK(relayer_observation("z", CALL_ANSWERED, 200, ROW).says == VENUE_UNAVAILABLE);
    CHECK(relayer_observation("x", CALL_ANSWERED, 500, ROW).says == VENUE_UNAVAILABLE);
    CHECK(relayer_observation("x", CALL_TIMEOUT, 0, "").says == VENUE_UNAVAILABLE);
    CHECK(relayer_observation("", CALL_ANSWERED, 200, ROW).says == VENUE_UNAVAILABLE);
    CHECK(relayer_observation("", CALL_ANSWERED, 200, OURS).says == VENUE_HAS);
    CHECK(relayer_observation("", CALL_ANSWERED, 200, OURS).venue_ref != NULL);
    CHECK(relayer_observation("x", CALL_ANSWERED, 200, ROW).venue_ref == NULL);
}

/* Only an id says that it was taken: a refusal may be about what came before. */
static void only_an_id_proves_a_submission(void)
{
    static const struct {
        enum call_result result;
        int status;
        const char *text;
        enum venue_says says;
    } rows[] = {
        { CALL_ANSWERED, 200, "{\"transactionID\":\"x\",\"state\":\"STATE_NEW\"}", VENUE_HAS },
        { CALL_ANSWERED, 200, "{}", VENUE_UNAVAILABLE },
        { CALL_ANSWERED, 400, "{\"transactionID\":\"x\"}", VENUE_UNAVAILABLE },
        { CALL_ANSWERED, 401, "{\"error\":\"invalid authorization\"}", VENUE_UNAVAILABLE },
        { CALL_TIMEOUT, 0, "", VENUE_UNAVAILABLE },
    };
    struct arena *a = arena_new();

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct venue_request r = { .effect.id = 1 };
        struct call call = { .result = rows[i].result, .status = rows[i].status };
        struct request_observation s = { .says = VENUE_UNAVAILABLE };

        call.answer = (struct buf){ .data = (char *)(uintptr_t)rows[i].text, .len = strlen(rows[i].text) };
        relayer_read_send(&call, &r, a, &s);
        CHECK(s.says == rows[i].says && (s.venue_ref != NULL) == (s.says == VENUE_HAS));
    }
    arena_free(a);
}

/* The chain shows nothing of what the relayer says it has. */
static void dropped_batches_are_submitted_again(void)
{
    struct venue_request r = { .effect = { .state = EFFECT_INCLUDED, .broadcast_ms = clock_ms() } };

    CHECK(!seems_dropped(&r, VENUE_HAS));
    r.effect.broadcast_ms -= AGAIN_MS + 1;
    CHECK(seems_dropped(&r, VENUE_HAS) && seems_dropped(&r, VENUE_UNAVAILABLE));
    r.effect.state = EFFECT_OPEN;
    CHECK(seems_dropped(&r, VENUE_HAS) && !seems_dropped(&r, VENUE_UNAVAILABLE));
}

/* ---- one of two nodes that lies ---- */

static const json_t *says[NODE_OPINIONS];

size_t nodes_say(const struct ctx *ctx, const struct chain *c, const struct rpc_batch *batch,
                 unsigned deadline_ms, struct arena *arena, struct rpc_answers out[static NODE_OPINIONS])
{
    (void)ctx, (void)c, (void)batch, (void)deadline_ms;
    for (size_t i = 0; i < NODE_OPINIONS; i++) {
        json_t *all = json_pack("[{s:i,s:O}]", "id", 0, "result", says[i]);
        char *text = json_dumps(all, 0);
        struct buf body = BUF_INIT(8192);

        buf_adds(&body, text);
        CHECK(rpc_read(&out[i], arena, &body, 1, evm_classify));
        buf_free(&body);
        json_decref(all);
        free(text);
    }
    return NODE_OPINIONS;
}

/* The time of the recorded block, in seconds, and the number of batches that the wallet had done. */
enum { SAID_NONCE = 6 };
static const int64_t SAID_S = 0x6b0c84cd;

/* Ends a batch whose deadline is so many seconds after the block. */
static const char *end_by(const json_t *first, const json_t *second, void *arg)
{
    const int64_t *after_s = arg;
    const struct venue_request r = { .expires_ms = (SAID_S + *after_s) * 1000 };
    const struct relayer_poll l = { .depth = 5,
                                    .task = { .nonce = SAID_NONCE },
                                    .query = { .chain = chain_find("polygon") } };
    struct arena *a = arena_new();
    bool over;

    says[0] = json_array_get(first, 0);
    says[1] = json_array_get(second, 0);
    over = proven_by_all(a, &l, &r, VENUE_EXPIRED);
    arena_free(a);
    return over ? "failed" : *after_s < 0 ? NULL : "alive";
}

static void one_liar_ends_no_batch(void)
{
    int64_t after_s[] = { 600, -600 };

    for (size_t i = 0; i < sizeof after_s / sizeof after_s[0]; i++)
        liar_alone_changes_nothing("a batch", liar_recorded("block_time_nonce"), end_by, &after_s[i]);
}

/* ---- while there is no quota ---- */

static int64_t quota_until;

int64_t quota_played(struct db *db, struct arena *a, const struct relayer_key *key)
{
    (void)db, (void)a, (void)key;
    return quota_until;
}

bool sign_played(uint8_t sig[static MESSAGE_SIGNATURE_LEN], const struct ctx *ctx, const struct wallet *w,
                 const struct polymarket_message *m)
{
    (void)ctx, (void)w;
    memset(sig, (int)(m->batch.deadline % 200) + 1, MESSAGE_SIGNATURE_LEN);
    return true;
}

static struct venue_request batch_until(struct arena *a, int64_t deadline)
{
    static const uint8_t data[] = { 1, 2, 3 };
    struct trading_batch b = { .wallet = { { 5 } }, .owner = { { 6 } }, .nonce = 7, .count = 2 };
    struct venue_request r = { .effect = { .state = EFFECT_OPEN } };

    b.calls[0] = (struct polymarket_call){ .target = { { 8 } }, .data = data, .len = sizeof data };
    b.calls[1] = (struct polymarket_call){ .target = { { 9 } } };
    CHECK(batch_make(NULL, a, &(struct request_signing){ .expires_ms = deadline * 1000 }, &b, &r));
    r.expires_ms = deadline * 1000;
    return r;
}

static enum db_update prolonged(struct arena *a, const struct venue_request *old, struct venue_request *out)
{
    static const struct relayer_key key = { .key = "k" };
    const struct ctx c = { .relayer_key = &key };

    *out = *old;
    return relayer_prolong(&c, a, NULL, old, out);
}

/* Signed again is what waited for quota until its time was almost over: the same calls with the same nonce.
 */
static void what_is_signed_again(void)
{
    struct arena *a = arena_new();
    int64_t now = clock_seconds();
    struct venue_request almost = batch_until(a, now + 60), early = batch_until(a, now + 400), longer;
    struct venue_request creation = { .expires_ms = (now + 900) * 1000 };
    struct relayer_batch was, is;
    struct buf body = BUF_INIT(RELAYER_BODY_MAX);

    CHECK(prolonged(a, &almost, &longer) == UNCHANGED); /* it has to end then */
    almost.expires_ms = early.expires_ms = (now + 900) * 1000;
    CHECK(prolonged(a, &early, &longer) == UNCHANGED);
    quota_until = (now + 50) * 1000;
    CHECK(prolonged(a, &almost, &longer) == UNCHANGED);
    quota_until = 0;
    CHECK(prolonged(a, &almost, &longer) == UPDATED);
    CHECK(relayer_read_batch(&was, a, almost.body, almost.body_len) &&
          relayer_read_batch(&is, a, longer.body, longer.body_len));
    CHECK(is.batch.nonce == was.batch.nonce && is.batch.count == was.batch.count &&
          evm_addr_eq(is.batch.wallet, was.batch.wallet) && evm_addr_eq(is.owner, was.owner));
    for (size_t i = 0; i < is.batch.count; i++)
        CHECK(evm_addr_eq(is.calls[i].target, was.calls[i].target) && is.calls[i].len == was.calls[i].len &&
              memcmp(is.calls[i].data, was.calls[i].data, is.calls[i].len) == 0);
    CHECK((int64_t)is.batch.deadline >= now + TRADING_BATCH_VALID_S &&
          (int64_t)is.batch.deadline <= now + TRADING_BATCH_VALID_S + 5);
    CHECK(longer.expires_ms == (int64_t)is.batch.deadline * 1000 &&
          memcmp(longer.venue_key, almost.venue_key, sizeof longer.venue_key) != 0);
    relayer_write_creation(&body, (struct evm_addr){ { 6 } });
    creation.body = (const uint8_t *)body.data;
    creation.body_len = body.len;
    CHECK(prolonged(a, &creation, &longer) == UNCHANGED);
    buf_free(&body);
    arena_free(a);
}

TEST_MAIN(TEST(what_is_signed_again), TEST(the_chain_decides_batches),
          TEST(answers_of_the_relayer_become_observations), TEST(only_an_id_proves_a_submission),
          TEST(dropped_batches_are_submitted_again), TEST(one_liar_ends_no_batch))
