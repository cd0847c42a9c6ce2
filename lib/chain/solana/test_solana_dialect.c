#include "chain/solana/solana_dialect.c"

#include "base/arena.h"
#include "chain/solana/test_accounts.h"

static void errors_are_classified(void)
{
    static const struct {
        int code;
        const char *text;
        int status;
        enum rpc_class class;
    } answers[] = {
        /* bills, keys and quotas, with any other text */
        { 0, "", 401, RPC_INCIDENT },
        { -32601, "Method not found", 402, RPC_INCIDENT },
        { -32003, "Transaction signature verification failure", 403, RPC_INCIDENT },
        { 429, "Too many requests for a specific RPC call", 429, RPC_INCIDENT },
        { 429, "Too many requests from your IP", 200, RPC_INCIDENT },
        { -32600, "Rate limit exceeded", 200, RPC_INCIDENT },
        /* too much at once */
        { -32600, "Batch requests are only available for paid plans", 200, RPC_BATCH },
        { -32600, "Invalid Request", 200, RPC_BATCH },
        { 0, "Request Entity Too Large", 413, RPC_BATCH },
        { 0, "", 413, RPC_BATCH },
        { 0, "", 400, RPC_BATCH },
        { -32602, "response too large", 200, RPC_BATCH },
        /* transactions */
        { -32002, "Transaction simulation failed: This transaction has already been processed", 200,
          RPC_KNOWN },
        { -32002, "Transaction simulation failed: AlreadyProcessed", 200, RPC_KNOWN },
        { -32002, "Transaction simulation failed: Blockhash not found", 200, RPC_INCIDENT },
        { -32003, "BlockhashNotFound", 200, RPC_INCIDENT },
        { -32003, "Blockhash not found", 200, RPC_INCIDENT },
        { -32002,
          "Transaction simulation failed: Attempt to debit an account but found no record of a prior credit.",
          200, RPC_INCIDENT },
        { -32002, "Transaction simulation failed: Error processing Instruction 2", 200, RPC_INCIDENT },
        { -32003, "Transaction signature verification failure", 200, RPC_REFUSED },
        { -32006, "Transaction precompile verification failure", 200, RPC_REFUSED },
        { -32013, "Transaction signature length mismatch", 200, RPC_REFUSED },
        { -32602, "base64 encoded solana_transaction::versioned::VersionedTransaction too large: 1680 bytes",
          200, RPC_REFUSED },
        { -32602, "failed to deserialize VersionedTransaction: io error", 200, RPC_REFUSED },
        { -32602, "invalid transaction: Transaction failed to sanitize accounts offsets correctly", 200,
          RPC_REFUSED },
        { -32602, "invalid transaction: sanitize", 400, RPC_REFUSED },
        /* what a node does not have */
        { -32601, "Method not found", 200, RPC_LACKS },
        { -32601, "the method getGenesisHash does not exist", 200, RPC_LACKS },
        { 0, "method not found", 404, RPC_LACKS },
        /* what is only about this node, or not understood: another one is asked */
        { -32602, "Invalid param: WrongSize", 200, RPC_INCIDENT },
        { -32005, "Node is unhealthy", 200, RPC_INCIDENT },
        { -32005, "Node is behind by 42 slots", 200, RPC_INCIDENT },
        { -32011, "Transaction history is not available from this node", 200, RPC_INCIDENT },
        { -32016, "Minimum context slot has not been reached", 200, RPC_INCIDENT },
        { -32603, "Internal error", 200, RPC_INCIDENT },
        { 0, "", 200, RPC_INCIDENT },
        { 0, "", 500, RPC_INCIDENT },
    };

    for (size_t i = 0; i < sizeof answers / sizeof answers[0]; i++) {
        enum rpc_class class = solana_dialect.classify(answers[i].code, answers[i].text, answers[i].status);

        CHECK(class == answers[i].class);
        if (class != answers[i].class)
            fprintf(stderr, "%d \"%s\" under %d is %d\n", answers[i].code, answers[i].text, answers[i].status,
                    (int)class);
    }
}

static void genesis_hashes_identify_the_chain(void)
{
    static const struct {
        const char *hash;
        bool told, right;
    } hashes[] = {
        { "\"5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d\"", true, true },
        { "\"EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxPkrZBG\"", true, false }, /* that of devnet */
        { "\"5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9D\"", true, false },
        { "\"\"", true, false },
        { "null", false, false },
        { "5", false, false },
        { "[\"5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d\"]", false, false },
    };

    CHECK_STR(solana_dialect.which, "getGenesisHash");
    for (size_t i = 0; i < sizeof hashes / sizeof hashes[0]; i++) {
        struct arena *a = arena_new();
        struct rpc_answers answers;
        const struct rpc_answer *r = answer_of(&answers, a, hashes[i].hash);
        bool right = false;

        CHECK(solana_dialect.read_which(&right, chain_find("solana"), r) == hashes[i].told);
        CHECK(right == hashes[i].right);
        rpc_answers_free(&answers);
        arena_free(a);
    }
}

/* As a node of the sandbox answers. */
#define CLOCK_OF(slot, data)                                                                                 \
    "{\"context\":{\"apiVersion\":\"3.0.0\",\"slot\":" slot "},\"value\":{\"lamports\":1,\"data\":" data "}}"

static void heads_have_height_and_time(void)
{
    static const struct {
        const char *answer;
        uint64_t height, time; /* 0: it does not say */
    } answers[] = {
        { CLOCK_OF("3680", "[\"Yg4AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAABSzQhrAAAAAA==\",\"base64\"]"), 3680,
          1795738962 },
        { CLOCK_OF("0", "[\"Yg4AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAABSzQhrAAAAAA==\",\"base64\"]"), 0, 0 },
        { CLOCK_OF("3680", "[\"Yg4AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAABSzQhrAAAA\",\"base64\"]"), 0, 0 },
        { CLOCK_OF("3680", "[]"), 0, 0 },
        { "{\"context\":{\"slot\":3680},\"value\":null}", 0, 0 },
        { "3680", 0, 0 },
        { "null", 0, 0 },
    };

    for (size_t i = 0; i < sizeof answers / sizeof answers[0]; i++) {
        struct arena *a = arena_new();
        struct rpc_answers read;
        uint64_t height, time;
        bool told = solana_dialect.read_newest(&height, &time, answer_of(&read, a, answers[i].answer));

        CHECK(told == (answers[i].height != 0));
        CHECK(!told || (height == answers[i].height && time == answers[i].time));
        rpc_answers_free(&read);
        arena_free(a);
    }
}

TEST_MAIN(TEST(errors_are_classified), TEST(genesis_hashes_identify_the_chain),
          TEST(heads_have_height_and_time))
