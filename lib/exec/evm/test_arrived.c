#include "base/test.h"
#include "exec/evm/arrived.c"

#include "chain/evm/evm_rpc_class.h"

#define COIN    "0x0000000000000000000000000000000000000000"
#define USDC    "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48"
#define WRAPPED "0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2"
#define TOPICS                                                                                               \
    "[\"0x7fcf532c15f0a6db0bd6d0e038bea71d30d808c7d98cb3bf7268a95bf5081b65\",\"0x2222222222222222222222222222222222222222222222222222222222222222\"]"
/* 100 unwrapped by some contract. */
#define UNWRAPPED                                                                                            \
    "[{\"address\":\"" WRAPPED "\",\"topics\":" TOPICS                                                       \
    ",\"data\":\"0x0000000000000000000000000000000000000000000000000000000000000064\"}]"

enum { BLOCK = 50, FEE = 7 };

/* A wallet that bought coin in BLOCK, with an approval in the same block. */
struct scene {
    struct execution x;
    struct transaction txs[2];
    struct observation observations[2];
    struct receipt receipts[2];
    struct evm_seen seen;
    struct tracked w;
};

static void scene_make(struct scene *s, const json_t *logs)
{
    *s = (struct scene){
        .x = { .kind = KIND_SWAP, .status = EXEC_PROCESSING, .to = { .chain_id = 1, .address = COIN } }
    };
    s->x.min_out = u256_from_u64(90);
    for (unsigned i = 0; i < 2; i++) {
        s->txs[i] =
            (struct transaction){ .has_nonce = true, .nonce = i, .kind = i == 0 ? TX_APPROVAL : TX_SPEND };
        s->observations[i] = (struct observation){ .block = BLOCK, .succeeded = true, .confirmed = true };
        s->receipts[i] = (struct receipt){ BLOCK, true, true, u256_from_u64(FEE), logs };
    }
    s->seen = (struct evm_seen){ .receipts = s->receipts };
    s->w = (struct tracked){ .execution = &s->x,
                             .txs = s->txs,
                             .observations = s->observations,
                             .count = 2,
                             .spend = 1,
                             .known = true,
                             .seen = &s->seen };
    snprintf(s->w.wallet.ref.address, sizeof s->w.wallet.ref.address,
             "0x1111111111111111111111111111111111111111");
}

/* The balance counts before the sum of the logs, as long as both are possible; -1: unknown. */
static void the_smaller_one_counts(void)
{
    static const struct {
        const char *before, *after, *count;
        bool logs;
        int64_t want;
    } rows[] = {
        { "0x3e8", "0x439", "0x7", true, 95 },  /* 1000 and 95 less two fees */
        { "0x3e8", "0x439", "0x7", false, 95 }, /* no log tells of it */
        { "0x3e8", "0x4a0", "0x7", true, 100 }, /* another address has paid, too */
        { "0x3e8", "0x43a", "0x8", true, 100 }, /* the wallet has sent something else */
        { "0x3e8", "0x3f0", "0x7", true, 100 }, /* less than the contract let pass */
        { "0x3e8", "0x3f0", "0x7", false, -1 }, { "0x3e8", "0x300", "0x7", true, 100 },
        { "0x3e8", "null", "0x7", true, 100 }, /* forgotten */
        { "0x3e8", "null", "0x7", false, -1 },
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        json_t *logs = json_loads(rows[i].logs ? UNWRAPPED : "[]", 0, NULL);
        struct arena *a = arena_new();
        struct buf body = BUF_INIT(4096);
        struct rpc_answers answers;
        struct scene s;
        struct u256 out;
        uint64_t n;

        scene_make(&s, logs);
        CHECK(bought_by(&s.w) == &s.receipts[1]);
        buf_addf(
            &body,
            "[{\"id\":0,\"result\":\"%s\"},{\"id\":1,\"result\":\"%s\"},{\"id\":2,\"result\":\"%s\"},{\"id\":3,\"result\":\"0x5\"}]",
            rows[i].after, rows[i].before, rows[i].count);
        CHECK(rpc_read(&answers, a, &body, COINS_QUESTIONS, evm_classify));
        balance_read(&s.w, &s.receipts[1], answers.items);
        CHECK(evm_arrived(&out, &s.w, 1) == (rows[i].want >= 0));
        CHECK(rows[i].want < 0 || (u256_to_u64(&n, out) && (int64_t)n == rows[i].want));
        rpc_answers_free(&answers);
        buf_free(&body);
        arena_free(a);
        json_decref(logs);
    }
}

/* Balances are asked for only if coin was bought, just now and by a confirmed step. */
static void only_coin_just_bought(void)
{
    struct scene s;

    scene_make(&s, NULL);
    snprintf(s.x.to.address, sizeof s.x.to.address, USDC);
    CHECK(bought_by(&s.w) == NULL);
    scene_make(&s, NULL);
    s.x.status = EXEC_COMPLETED;
    CHECK(bought_by(&s.w) == NULL);
    s.observations[1].settled = true; /* once more at the end */
    CHECK(bought_by(&s.w) == &s.receipts[1]);
    scene_make(&s, NULL);
    s.observations[1].confirmed = false;
    CHECK(bought_by(&s.w) == NULL);
    scene_make(&s, NULL);
    s.observations[1].succeeded = false;
    CHECK(bought_by(&s.w) == NULL);
    scene_make(&s, NULL);
    s.txs[1].kind = TX_CANCEL;
    CHECK(bought_by(&s.w) == NULL);
    scene_make(&s, NULL);
    s.w.known = false;
    CHECK(bought_by(&s.w) == NULL);
}

/* A completed one whose block is another one by now, with the same number. */
static void reorganised_amounts_are_recorded_anew(void)
{
    static const struct {
        enum exec_status status;
        int64_t recorded; /* -1: nothing is */
        bool told;        /* that 100 came, by the balance */
        bool otherwise;
    } rows[] = {
        { EXEC_COMPLETED, 100, true, false }, { EXEC_COMPLETED, 99, true, true },
        { EXEC_COMPLETED, 99, false, false }, /* the logs alone may differ */
        { EXEC_COMPLETED, -1, true, false },  { EXEC_PROCESSING, 99, true, false },
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        json_t *logs = json_loads(UNWRAPPED, 0, NULL);
        struct scene s;

        scene_make(&s, logs);
        s.x.status = rows[i].status;
        s.x.has_amount_out = rows[i].recorded >= 0;
        s.x.amount_out = u256_from_u64(rows[i].recorded < 0 ? 0 : (uint64_t)rows[i].recorded);
        s.seen.told = rows[i].told;
        s.seen.came = u256_from_u64(100);
        result_compare(&s.w);
        CHECK(s.observations[1].otherwise == rows[i].otherwise && !s.observations[0].otherwise);
        json_decref(logs);
    }
}

/* A fee that is not told makes the balance tell nothing. */
static void spent_coin_includes_fees(void)
{
    struct scene s;
    struct u256 spent;
    unsigned sent;
    uint64_t n;

    scene_make(&s, NULL);
    s.txs[1].value = u256_from_u64(30);
    CHECK(spent_in(&spent, &sent, &s.w, BLOCK) && sent == 2 && u256_to_u64(&n, spent) && n == 2 * FEE + 30);
    s.receipts[0].block = BLOCK - 1;
    CHECK(spent_in(&spent, &sent, &s.w, BLOCK) && sent == 1 && u256_to_u64(&n, spent) && n == FEE + 30);
    s.receipts[1].succeeded = false;
    CHECK(spent_in(&spent, &sent, &s.w, BLOCK) && sent == 1 && u256_to_u64(&n, spent) && n == FEE);
    s.receipts[1].has_fee = false;
    CHECK(!spent_in(&spent, &sent, &s.w, BLOCK));
}

TEST_MAIN(TEST(the_smaller_one_counts), TEST(only_coin_just_bought),
          TEST(reorganised_amounts_are_recorded_anew), TEST(spent_coin_includes_fees))
