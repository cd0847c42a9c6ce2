#include "chain/solana/solana_rpc.c"

#include "chain/solana/solana_programs.h"
#include "chain/solana/test_accounts.h"

#define SYSTEM      "11111111111111111111111111111111"
#define SLOT(value) "{\"context\":{\"apiVersion\":\"2.3.1\",\"slot\":377261141},\"value\":" value "}"
#define DATA(text)  "[\"" text "\",\"base64\"]"
#define REST        "\"executable\":false,\"rentEpoch\":18446744073709551615,\"space\":3"
#define ACCOUNT(lamports, data)                                                                              \
    "{\"data\":" data ",\"lamports\":" lamports ",\"owner\":\"" SYSTEM "\"," REST "}"
#define PLAIN_ACCOUNT ACCOUNT("88849814690250", DATA("AQID"))

/* ---- questions ---- */

static void questions_are_written_as_json_rpc(void)
{
    const struct solana_addr list[] = { SOLANA_SYSTEM, SOLANA_WRAPPED_COIN };
    const char *const signatures[] = { "first", "second" };
    struct buf out = BUF_INIT(4096);
    struct rpc_batch b = rpc_begin(&out);

    solana_ask_accounts(&b, list, 2, SOLANA_CONFIRMED, 0);
    solana_ask_accounts(&b, list, 1, SOLANA_NEWEST, 165);
    solana_ask_statuses(&b, signatures, 2);
    rpc_end(&b);
    CHECK(b.count == 3);
    CHECK_STR(
        buf_text(&out),
        "[{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"getMultipleAccounts\",\"params\":[[\"" SYSTEM
        "\",\"So11111111111111111111111111111111111111112\"],"
        "{\"commitment\":\"confirmed\",\"encoding\":\"base64\"}]},\n"
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"getMultipleAccounts\",\"params\":[[\"" SYSTEM
        "\"],{\"commitment\":\"processed\",\"encoding\":\"base64\","
        "\"dataSlice\":{\"offset\":0,\"length\":165}}]},\n"
        "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"getSignatureStatuses\",\"params\":[[\"first\",\"second\"],"
        "{\"searchTransactionHistory\":true}]}]");
    buf_free(&out);
}

/* As many as one item may ask for, each of them as long as it can be. */
static void the_largest_questions(void)
{
    static struct solana_addr list[SOLANA_ACCOUNTS_ASKED_MAX];
    static char signature[BASE58_LEN(SOLANA_SIGNATURE_LEN) + 1];
    static const char *signatures[SOLANA_STATUSES_MAX];
    uint8_t bytes[SOLANA_SIGNATURE_LEN];
    struct buf out = BUF_INIT(MAX_UPSTREAM);
    struct rpc_batch b = rpc_begin(&out);
    json_t *asked, *params;

    memset(list, 0xff, sizeof list);
    memset(bytes, 0xff, sizeof bytes);
    base58_encode(signature, bytes, sizeof bytes);
    for (unsigned i = 0; i < SOLANA_STATUSES_MAX; i++)
        signatures[i] = signature;
    solana_ask_accounts(&b, list, SOLANA_ACCOUNTS_ASKED_MAX, SOLANA_CONFIRMED, SIZE_MAX);
    solana_ask_statuses(&b, signatures, SOLANA_STATUSES_MAX);
    rpc_end(&b);
    asked = json_loadb(out.data, out.len, JSON_DECODE_INT_AS_REAL, NULL);
    params = json_object_get(json_array_get(asked, 0), "params");
    CHECK(json_array_size(json_array_get(params, 0)) == SOLANA_ACCOUNTS_ASKED_MAX);
    params = json_object_get(json_array_get(asked, 1), "params");
    CHECK(json_array_size(json_array_get(params, 0)) == SOLANA_STATUSES_MAX);
    json_decref(asked);
    buf_free(&out);
}

/* ---- accounts ---- */

static void accounts_are_read(void)
{
    struct arena *a = arena_new();
    struct rpc_answers answers;
    const struct rpc_answer *r =
        answer_of(&answers, a, SLOT("[" PLAIN_ACCOUNT ",null," ACCOUNT("0", DATA("")) "]"));
    struct solana_state s[3];
    uint64_t slot = 0;

    CHECK(solana_read_accounts(s, 3, &slot, a, r) && slot == 377261141);
    CHECK(s[0].exists && s[0].lamports == 88849814690250 && solana_addr_eq(&s[0].program, &SOLANA_SYSTEM));
    CHECK(s[0].len == 3 && memcmp(s[0].data, "\1\2\3", 3) == 0);
    CHECK(!s[1].exists && s[1].lamports == 0 && s[1].len == 0);
    CHECK(s[2].exists && s[2].lamports == 0 && s[2].len == 0);
    CHECK(solana_read_accounts(s, 3, NULL, a, r));
    CHECK(!solana_read_accounts(s, 2, NULL, a, r) && !solana_read_accounts(s, 4, NULL, a, r));
    rpc_answers_free(&answers);
    arena_free(a);
}

/* One of two that is not as it should be leaves none. */
static void accounts_that_are_none(void)
{
    static const char *const rows[] = {
        SLOT("[" PLAIN_ACCOUNT "," ACCOUNT("-1", DATA("AQID")) "]"),
        SLOT("[" PLAIN_ACCOUNT "," ACCOUNT("1.5", DATA("AQID")) "]"),
        SLOT("[" PLAIN_ACCOUNT "," ACCOUNT("\"1\"", DATA("AQID")) "]"),
        SLOT("[" PLAIN_ACCOUNT "," ACCOUNT("18446744073709551615", DATA("AQID")) "]"),
        SLOT("[" PLAIN_ACCOUNT "," ACCOUNT("1", DATA("AQI")) "]"),
        SLOT("[" PLAIN_ACCOUNT "," ACCOUNT("1", DATA("AQ_D")) "]"),
        SLOT("[" PLAIN_ACCOUNT "," ACCOUNT("1", "[\"AQID\",\"base58\"]") "]"),
        SLOT("[" PLAIN_ACCOUNT "," ACCOUNT("1", "[\"AQID\"]") "]"),
        SLOT("[" PLAIN_ACCOUNT "," ACCOUNT("1", "\"AQID\"") "]"),
        SLOT("[" PLAIN_ACCOUNT ",{\"data\":" DATA("AQID") ",\"owner\":\"" SYSTEM "\"}]"),
        SLOT("[" PLAIN_ACCOUNT ",{\"data\":" DATA("AQID") ",\"lamports\":1}]"),
        SLOT("[" PLAIN_ACCOUNT ",{\"data\":" DATA("AQID") ",\"lamports\":1,\"owner\":\"1111\"}]"),
        SLOT("[" PLAIN_ACCOUNT ",{\"lamports\":1,\"owner\":\"" SYSTEM "\"}]"),
        SLOT("[" PLAIN_ACCOUNT ",{}]"),
        SLOT("[" PLAIN_ACCOUNT ",0]"),
        SLOT("{}"),
        SLOT("null"),
        "{\"value\":[" PLAIN_ACCOUNT ",null]}",
        "{\"context\":{},\"value\":[" PLAIN_ACCOUNT ",null]}",
        "{\"context\":{\"slot\":-1},\"value\":[" PLAIN_ACCOUNT ",null]}",
        "{\"context\":{\"slot\":\"1\"},\"value\":[" PLAIN_ACCOUNT ",null]}",
        "[" PLAIN_ACCOUNT ",null]",
        "null",
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct arena *a = arena_new();
        struct rpc_answers answers;
        struct solana_state s[2];

        CHECK(!solana_read_accounts(s, 2, NULL, a, answer_of(&answers, a, rows[i])));
        rpc_answers_free(&answers);
        arena_free(a);
    }
}

/* ---- transactions ---- */

#define STATUS(level, error)                                                                                 \
    "{\"confirmationStatus\":\"" level "\",\"confirmations\":10,\"err\":" error                              \
    ",\"slot\":72,\"status\":{\"Ok\":null}}"

static void statuses_are_read(void)
{
    static const struct {
        const char *text;
        struct solana_status want;
    } rows[] = {
        { "null", { .known = false } },
        { STATUS("processed", "null"), { .known = true, .slot = 72, .succeeded = true } },
        { STATUS("confirmed", "null"), { .known = true, .slot = 72, .succeeded = true, .confirmed = true } },
        { STATUS("finalized", "null"),
          { .known = true, .slot = 72, .succeeded = true, .confirmed = true, .finalized = true } },
        { STATUS("some day", "null"), { .known = true, .slot = 72, .succeeded = true } },
        { STATUS("confirmed", "{\"InstructionError\":[4,{\"Custom\":6001}]}"),
          { .known = true, .slot = 72, .confirmed = true, .too_little = true } },
        { STATUS("confirmed", "{\"InstructionError\":[4,{\"Custom\":6024}]}"),
          { .known = true, .slot = 72, .confirmed = true } },
        { STATUS("confirmed", "{\"InstructionError\":[6001,\"InvalidAccountData\"]}"),
          { .known = true, .slot = 72, .confirmed = true } },
        { STATUS("finalized", "\"InsufficientFundsForFee\""),
          { .known = true, .slot = 72, .confirmed = true, .finalized = true } },
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct arena *a = arena_new();
        struct rpc_answers answers;
        const struct solana_status *w = &rows[i].want;
        struct solana_status s[2];
        uint64_t slot = 0;
        char *text = arena_printf(a, SLOT("[null,%s]"), rows[i].text);
        const struct rpc_answer *r = answer_of(&answers, a, text);

        CHECK(solana_read_statuses(s, 2, &slot, r) && slot == 377261141 && !s[0].known);
        CHECK(s[1].known == w->known && s[1].slot == w->slot && s[1].succeeded == w->succeeded);
        CHECK(s[1].confirmed == w->confirmed && s[1].finalized == w->finalized);
        CHECK(s[1].too_little == w->too_little);
        CHECK(!solana_read_statuses(s, 1, NULL, r));
        rpc_answers_free(&answers);
        arena_free(a);
    }
}

static void statuses_that_are_none(void)
{
    static const char *const rows[] = {
        SLOT("[{\"confirmationStatus\":\"confirmed\",\"err\":null,\"slot\":0}]"),
        SLOT("[{\"confirmationStatus\":\"confirmed\",\"err\":null,\"slot\":-72}]"),
        SLOT("[{\"confirmationStatus\":\"confirmed\",\"err\":null}]"),
        SLOT("[{\"confirmationStatus\":null,\"err\":null,\"slot\":72}]"),
        SLOT("[{\"err\":null,\"slot\":72}]"),
        SLOT("[{\"confirmationStatus\":\"confirmed\",\"slot\":72}]"),
        SLOT("[{}]"),
        SLOT("[false]"),
        SLOT("[]"),
        SLOT("[null,null]"),
        SLOT("null"),
        "[" STATUS("confirmed", "null") "]",
        "null",
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct arena *a = arena_new();
        struct rpc_answers answers;
        struct solana_status s;

        CHECK(!solana_read_statuses(&s, 1, NULL, answer_of(&answers, a, rows[i])));
        rpc_answers_free(&answers);
        arena_free(a);
    }
}

TEST_MAIN(TEST(questions_are_written_as_json_rpc), TEST(the_largest_questions), TEST(accounts_are_read),
          TEST(accounts_that_are_none), TEST(statuses_are_read), TEST(statuses_that_are_none))
