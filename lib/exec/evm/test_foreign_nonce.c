#include "base/test.h"
#include "exec/evm/foreign_nonce.c"

#define ME                    "0x1111111111111111111111111111111111111111"
#define OTHER                 "0x2222222222222222222222222222222222222222"
#define HASH                  "0xabababababababababababababababababababababababababababababababab"
#define TX(from, nonce, hash) "{\"from\":\"" from "\",\"nonce\":\"" nonce "\",\"hash\":\"" hash "\"}"
#define BLOCK(number, txs)    "{\"number\":\"" number "\",\"transactions\":[" txs "]}"

enum { NONCE = 7, NUMBER = 100 };

static void what_a_block_shows(void)
{
    static const struct {
        const char *block;
        enum block_shows want;
    } rows[] = {
        { BLOCK("0x64", TX(OTHER, "0x7", HASH) "," TX(ME, "0x7", HASH)), SHOWS_IT },
        { BLOCK("0x64", TX(OTHER, "0x7", HASH) "," TX(ME, "0x6", HASH)), SHOWS_OTHERS },
        { BLOCK("0x64", ""), SHOWS_OTHERS },
        { BLOCK("0x65", TX(ME, "0x7", HASH)), SHOWS_NOTHING }, /* another block than was asked for */
        { "{\"number\":\"0x64\"}", SHOWS_NOTHING },
        { "null", SHOWS_NOTHING },
        { "[]", SHOWS_NOTHING },
    };
    struct evm_addr me;

    CHECK(evm_addr_parse(&me, ME));
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        json_t *block = json_loads(rows[i].block, JSON_DECODE_ANY, NULL);
        struct taken_nonce n = { .nonce = NONCE };

        CHECK(block_read(&n, block, me, NUMBER) == rows[i].want);
        CHECK(rows[i].want != SHOWS_IT || (n.hash[0] == 0xab && n.hash[31] == 0xab));
        json_decref(block);
    }
}

/* From the newest block each time, and twice as far down. */
static void searches_begin_anew(void)
{
    struct evm_seen seen = { .head = { .block = 1000 } };
    struct watch w = { .seen = &seen };
    struct taken_nonce n = { .found = true };

    search_restart(&n, &w);
    CHECK(n.top == 1000 && n.block == 1000 && n.span == SPAN_FIRST && !n.found);
    seen.head.block = 1010;
    search_restart(&n, &w);
    CHECK(n.top == 1010 && n.block == 1010 && n.span == 2 * SPAN_FIRST);
    n.span = SPAN_MAX;
    search_restart(&n, &w);
    CHECK(n.span == SPAN_MAX);
}

static void whose_it_is(void)
{
    struct transaction txs[] = { { .nonce = 6, .hash = { { 1 }, 32 } },
                                 { .nonce = 7, .hash = { { 2 }, 32 } } };
    struct sight sights[2] = { { .block = 0 } };
    struct watch w = { .txs = txs, .sights = sights, .count = 2, .spend = 1 };

    CHECK(hash_is_ours(&w, txs[1].hash.bytes) && !hash_is_ours(&w, (const uint8_t[32]){ 3 }));
    nonce_mark_foreign(&w, 6);
    CHECK(sights[0].foreign && !sights[1].foreign);
    nonce_mark_foreign(&w, 7);
    CHECK(sights[1].foreign);
}

/* A receipt that is there, or a count that has not come so far, leaves nothing to look for. */
static void nothing_is_taken(void)
{
    static const struct ctx nothing = { .conf = NULL };
    struct transaction txs[] = { { .has_nonce = true, .nonce = 6 }, { .has_nonce = true, .nonce = 7 } };
    struct sight sights[2] = { { .block = 50 }, { .block = 0 } };
    struct evm_seen seen = { .nonces = 7 };
    struct watch w = { .txs = txs, .sights = sights, .count = 2, .seen = &seen };

    CHECK(!nonce_taken(&w, 6) && !nonce_taken(&w, 7));
    evm_look_closer(&nothing, NULL, &w);
    seen.nonces = 8;
    CHECK(nonce_taken(&w, 7));
}

TEST_MAIN(TEST(what_a_block_shows), TEST(searches_begin_anew), TEST(whose_it_is), TEST(nothing_is_taken))
