#include "exec/solana/solana_send.c"

#include "exec/send.c"

#include "base/test.h"
#include "chain/solana/solana_dialect.h"

/* By the error's code and text; an answer of "result" has neither. */
static void answers_to_sends_are_classified(void)
{
    static const struct {
        const char *answer;
        enum broadcast_result said;
    } rows[] = {
        { "\"result\":\"5VERv8NMvzbJMEkV8xnrLkEaWRtSz9CosKDYjCJjBRnb\"", BROADCAST_ACCEPTED },
        { "\"result\":{}", BROADCAST_UNKNOWN },
        { "\"error\":{\"code\":-32002,\"message\":\"This transaction has already been processed\"}",
          BROADCAST_ACCEPTED },
        { "\"error\":{\"code\":-32003,\"message\":\"Transaction signature verification failure\"}",
          BROADCAST_REFUSED },
        { "\"error\":{\"code\":-32602,\"message\":\"invalid transaction: sanitize\"}", BROADCAST_REFUSED },
        { "\"error\":{\"code\":-32002,\"message\":\"Blockhash not found\"}", BROADCAST_UNKNOWN },
        { "\"error\":{\"code\":-32005,\"message\":\"Node is behind by 42 slots\"}", BROADCAST_UNKNOWN },
        { "\"error\":{\"code\":-32601,\"message\":\"Method not found\"}", BROADCAST_UNKNOWN },
        { "\"error\":{\"code\":0,\"message\":\"batch too large\"}", BROADCAST_UNKNOWN },
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct transaction t = { .kind = TX_SPEND, .chain_id = chain_find("solana")->id };
        struct arena *a = arena_new();
        struct rpc_answers answers = rpc_answers_new(a, 1, solana_dialect.classify);
        struct buf body = BUF_INIT(1024);

        buf_addf(&body, "{\"id\":0,%s}", rows[i].answer);
        CHECK(rpc_answers_add(&answers, &body, 200));
        CHECK(send_read(&t, &answers.items[0]) == rows[i].said);
        buf_free(&body);
        rpc_answers_free(&answers);
        arena_free(a);
    }
}

/* The node repeats a transaction that is sent for the first time, but not one that is sent again. */
static void only_the_first_send_is_repeated_by_the_node(void)
{
    struct transaction t = { .raw = (const uint8_t *)"\1\2\3\4", .raw_len = 4 };
    struct buf out = BUF_INIT(1024);
    struct rpc_batch b = rpc_begin(&out);
    struct arena *a = arena_new();

    send_ask(&b, a, &t);
    t.effect.broadcasts = 1;
    send_ask(&b, a, &t);
    rpc_end(&b);
    CHECK_STR(buf_text(&out),
              "[{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"sendTransaction\",\"params\":[\"AQIDBA==\","
              "{\"encoding\":\"base64\",\"skipPreflight\":true}]},\n"
              "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"sendTransaction\",\"params\":[\"AQIDBA==\","
              "{\"encoding\":\"base64\",\"skipPreflight\":true,\"maxRetries\":0}]}]");
    buf_free(&out);
    arena_free(a);
}

TEST_MAIN(TEST(answers_to_sends_are_classified), TEST(only_the_first_send_is_repeated_by_the_node))
