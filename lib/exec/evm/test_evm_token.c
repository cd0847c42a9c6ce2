#include "base/test.h"
#include "exec/evm/evm_token.c"

#include "chain/evm/evm_rpc_class.h"
#include "codec/test_liar.h"

/* symbol() as a contract returns it: as a string and, up to a word, as bytes32. */
static void symbols_of_contracts(void)
{
    static const struct {
        const char *text;
        size_t n;
        const char *shown;
    } rows[] = {
        { "PEPE", 4, "PEPE" },
        { "PE PE", 5, "PEPE" },
        { " USDC ", 6, "USDC" },
        { "USDC\0x", 6, "" },
        { "PEPE\0x", 6, "" },
        { "PEPE\0\0", 6, "PEPE" },
        { "USD\xd0\xa1", 5, "" },      /* a Cyrillic letter */
        { "USDC\xe2\x80\x8b", 7, "" }, /* a space without width */
        { "\x1b[2JPEPE", 8, "" },
        { "PE\nPE", 5, "" },
        { "PEPE\x7f", 5, "" },
        { "", 0, "" },
        { "A-symbol-of-more-than-32-characters", 35, "" },
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char symbol[33];
        struct buf data = BUF_INIT(256);
        uint8_t word[ABI_WORD] = { 0 };

        abi_u64(&data, ABI_WORD);
        abi_bytes_tail(&data, rows[i].text, rows[i].n);
        symbol_read(symbol, (const uint8_t *)data.data, data.len);
        CHECK_STR(symbol, rows[i].shown);
        buf_free(&data);
        if (rows[i].n > sizeof word)
            continue;
        memcpy(word, rows[i].text, rows[i].n);
        symbol_read(symbol, word, sizeof word);
        CHECK_STR(symbol, rows[i].shown);
    }
}

static void answers_that_are_none(void)
{
    static const uint8_t junk[96] = { 0xff };
    char symbol[33];

    symbol_read(symbol, NULL, 0);
    CHECK_STR(symbol, "");
    symbol_read(symbol, junk, sizeof junk);
    CHECK_STR(symbol, "");
}

/* The decimals by nodes' answers: a word, or "" for a node that does not know it. */
static const char *described(size_t told, const char *const *words)
{
    struct arena *a = arena_new();
    struct rpc_answers answers[NODE_OPINIONS];
    struct token_ref t = { .chain_id = 1 };
    static char text[16];
    unsigned told_by;
    bool agree;

    for (size_t i = 0; i < told; i++) {
        struct buf body = BUF_INIT(1024);

        buf_addf(&body, "[{\"id\":0,\"result\":\"0x%s\"},{\"id\":1,\"result\":\"0x\"}]", words[i]);
        CHECK(rpc_read(&answers[i], a, &body, 2, evm_classify));
        buf_free(&body);
    }
    agree = tokens_agree(answers, told, a, &t, &told_by);
    node_answers_free(answers, told);
    snprintf(text, sizeof text, "%d", t.decimals);
    arena_free(a);
    CHECK(told_by == 0 || told_by == told);
    return !agree ? "disputed" : told_by > 0 ? text : "none";
}

#define WORD(end) "00000000000000000000000000000000000000000000000000000000000000" end

static void decimals_of_two_nodes(void)
{
    static const struct {
        const char *words[NODE_OPINIONS];
        size_t told;
        const char *want;
    } rows[] = {
        { { WORD("12"), WORD("12") }, 2, "18" },
        { { WORD("14"), WORD("12") }, 2, "disputed" },
        { { WORD("12"), WORD("14") }, 2, "disputed" },
        { { WORD("12") }, 1, "18" },
        { { WORD("12"), "" }, 2, "disputed" },
        { { "", WORD("12") }, 2, "disputed" },
        { { "", "" }, 2, "none" },
        { { WORD("12"), WORD("ff") }, 2, "disputed" },
        { { WORD("ff"), WORD("fe") }, 2, "none" },
        { { "" }, 1, "none" },
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        CHECK_STR(described(rows[i].told, rows[i].words), rows[i].want);
}

static const char *decimals_by(const json_t *first, const json_t *second, void *arg)
{
    const json_t *said[] = { json_array_get(first, 0), json_array_get(second, 0) };
    struct arena *a = arena_new();
    struct rpc_answers answers[NODE_OPINIONS];
    struct token_ref t = { .chain_id = 1 };
    static char text[16];
    unsigned told_by;
    bool agree;

    (void)arg;
    for (size_t i = 0; i < NODE_OPINIONS; i++) {
        json_t *all = json_pack("[{s:i,s:O},{s:i,s:O}]", "id", 0, "result", said[i], "id", 1, "result",
                                liar_recorded("symbol"));
        char *dump = json_dumps(all, 0);
        struct buf body = BUF_INIT(4096);

        buf_adds(&body, dump);
        CHECK(rpc_read(&answers[i], a, &body, 2, evm_classify));
        buf_free(&body);
        json_decref(all);
        free(dump);
    }
    agree = tokens_agree(answers, NODE_OPINIONS, a, &t, &told_by);
    node_answers_free(answers, NODE_OPINIONS);
    snprintf(text, sizeof text, "%d", t.decimals);
    arena_free(a);
    return agree && told_by > 0 ? text : NULL;
}

static void one_liar_moves_no_point(void)
{
    liar_alone_changes_nothing("decimals()", liar_recorded("decimals"), decimals_by, NULL);
}

TEST_MAIN(TEST(decimals_of_two_nodes), TEST(one_liar_moves_no_point), TEST(symbols_of_contracts),
          TEST(answers_that_are_none))
