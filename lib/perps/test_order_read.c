#include "perps/order_read.c"

#include "base/test.h"

static struct arena *a;

static struct buf answer_of(const char *text)
{
    return (struct buf){ .data = (char *)(uintptr_t)text, .len = strlen(text) };
}

#define ORDER                                                                                                \
    "{\"coin\":\"ETH\",\"side\":\"A\",\"limitPx\":\"3000.5\",\"sz\":\"0.2\",\"origSz\":\"0.5\",\"oid\":77,"  \
    "\"cloid\":\"0x000102030405060708090a0b0c0d0e0f\"}"
#define STATUS(word) "{\"status\":\"order\",\"order\":{\"order\":" ORDER ",\"status\":\"" word "\"}}"

static void what_became_of_an_order(void)
{
    static const struct {
        const char *text;
        enum perps_order_state state;
        const struct err *why;
        uint64_t left;
    } rows[] = {
        { STATUS("open"), PERPS_RESTS, NULL, 20000000 },
        { STATUS("triggered"), PERPS_RESTS, NULL, 20000000 },
        { STATUS("somethingNew"), PERPS_RESTS, NULL, 20000000 },
        { STATUS("filled"), PERPS_FILLED, NULL, 0 },
        { STATUS("canceled"), PERPS_CANCELLED, NULL, 20000000 },
        { STATUS("marginCanceled"), PERPS_CANCELLED, NULL, 20000000 },
        { STATUS("scheduledCancel"), PERPS_CANCELLED, NULL, 20000000 },
        { STATUS("badAloPxRejected"), PERPS_REJECTED, &E_PERPS_POST_ONLY, 20000000 },
        { STATUS("somethingNewRejected"), PERPS_REJECTED, &E_PERPS_REFUSED, 20000000 },
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct buf answer = answer_of(rows[i].text);
        struct perps_seen seen;
        bool known;

        CHECK(perps_read_status(a, &answer, &seen, &known) && known);
        CHECK(seen.state == rows[i].state && seen.why == rows[i].why && seen.left == rows[i].left);
        CHECK(seen.oid == 77 && seen.sells && seen.size == 50000000 && seen.cloid[15] == 15);
        CHECK_STR(seen.asset, "ETH");
    }
}

static void an_order_that_is_not_known(void)
{
    struct buf answer = answer_of("{\"status\":\"unknownOid\"}"), none = answer_of("{\"status\":\"other\"}");
    struct perps_seen seen;
    bool known = true;

    CHECK(perps_read_status(a, &answer, &seen, &known) && !known);
    CHECK(!perps_read_status(a, &none, &seen, &known));
}

static void more_left_than_ordered_makes_no_sense(void)
{
    struct buf answer =
        answer_of("[{\"coin\":\"ETH\",\"side\":\"B\",\"sz\":\"0.6\",\"origSz\":\"0.5\",\"oid\":7}]");
    struct perps_seen *list;
    struct perps_page page;
    size_t n;

    CHECK(perps_read_open(a, &answer, &list, &n, &page) && n == 0 && page.rows == 1 && page.senseless == 1);
    answer = answer_of("[" ORDER "," ORDER "]");
    CHECK(perps_read_open(a, &answer, &list, &n, &page) && n == 2 && list[1].oid == 77);
    CHECK(page.rows == 2 && page.senseless == 0);
}

/* Spot is called by a number or a pair, other venues by a prefix, and outcomes by a sign. */
static void rows_of_other_markets_are_left_out(void)
{
    static const char *const foreign[] = { "@142", "PURR/USDC", "xyz:NVDA", "+9930", "" };
    struct perps_page page;
    struct perps_seen *list;
    size_t n;

    for (size_t i = 0; i < sizeof foreign / sizeof foreign[0]; i++) {
        const char *row = arena_printf(a, "{\"coin\":\"%s\",\"side\":7}", foreign[i]);
        struct buf answer = answer_of(arena_printf(a, "[%s," ORDER ",%s]", row, row));

        CHECK(perps_read_open(a, &answer, &list, &n, &page) && n == 1 && list[0].oid == 77);
        CHECK(page.rows == 3 && page.senseless == 0);
    }
}

#define OK(rest)       "{\"status\":\"ok\",\"response\":" rest "}"
#define STATUSES(rest) OK("{\"type\":\"order\",\"data\":{\"statuses\":[" rest "]}}")
#define ERR(text)      "{\"status\":\"err\",\"response\":\"" text "\"}"

static void what_an_action_comes_to(void)
{
    static const struct {
        const char *text;
        enum perps_answer answer;
        const struct err *why;
        bool traded;
    } rows[] = {
        { STATUSES("{\"resting\":{\"oid\":77}}"), PERPS_REPLY_DONE, NULL, false },
        { STATUSES("{\"filled\":{\"totalSz\":\"1\",\"avgPx\":\"2\",\"oid\":7}},\"waitingForTrigger\""),
          PERPS_REPLY_DONE, NULL, true },
        { STATUSES("\"success\""), PERPS_REPLY_DONE, NULL, false },
        { STATUSES("{\"error\":\"Insufficient margin to place order. asset=0\"}"), PERPS_REPLY_REFUSED,
          &E_PERPS_MARGIN, false },
        { STATUSES(
              "{\"error\":\"Order rejected due to price more aggressive than oracle while at open interest cap\"}"),
          PERPS_REPLY_REFUSED, &E_PERPS_CAP, false },
        { STATUSES("{\"error\":\"Something new\"}"), PERPS_REPLY_REFUSED, &E_PERPS_REFUSED, false },
        { STATUSES("{\"error\":\"Order was never placed, already canceled, or filled. asset=1\"}"),
          PERPS_REPLY_GONE, NULL, false },
        { STATUSES(""), PERPS_REPLY_NONE, NULL, false },
        { OK("{\"type\":\"default\"}"), PERPS_REPLY_DONE, NULL, false },
        { OK("{\"type\":\"default\",\"data\":{\"status\":{\"error\":\"Cannot switch leverage type with open "
             "position.\"}}}"),
          PERPS_REPLY_REFUSED, &E_PERPS_MODE, false },
        { ERR("Invalid nonce: duplicate nonce 17"), PERPS_REPLY_ARRIVED, NULL, false },
        { ERR("Invalid nonce: nonce too low 1 < 2"), PERPS_REPLY_NONE, NULL, false },
        { ERR("User or API Wallet 0x1 does not exist."), PERPS_REPLY_UNKNOWN_SIGNER, NULL, false },
        { ERR("Must deposit before performing actions. User: 0x1"), PERPS_REPLY_UNKNOWN_SIGNER, NULL, false },
        { ERR("Action already expired"), PERPS_REPLY_NONE, NULL, false },
        { ERR("Unexpected error (code=148)"), PERPS_REPLY_NONE, NULL, false },
        { "<html>", PERPS_REPLY_NONE, NULL, false },
        { "null", PERPS_REPLY_NONE, NULL, false },
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct buf answer = answer_of(rows[i].text);
        struct perps_reply said;

        perps_read_reply(a, &answer, &said);
        CHECK(said.answer == rows[i].answer && said.why == rows[i].why && said.traded == rows[i].traded);
    }
}

#define FILL(rest)                                                                                           \
    "[{\"coin\":\"BTC\",\"px\":\"60000.0\",\"sz\":\"0.1\",\"side\":\"B\",\"time\":1790000000000,\"oid\":5,"  \
    "\"closedPnl\":\"-1.5\",\"fee\":\"-0.25\",\"hash\":\"0x1\"" rest "}]"

static void a_trade_without_a_number_is_what_it_says(void)
{
    struct buf with = answer_of(FILL(",\"tid\":9,\"liquidation\":{}")), without = answer_of(FILL(""));
    struct perps_fill *f, *again;
    struct perps_page page;
    size_t n;

    CHECK(perps_read_fills(a, &with, &f, &n, &page) && n == 1 && f->trade == 9 && f->liquidation);
    CHECK(f->price == 6000000000000 && f->size == 10000000 && f->fee == -25000000 && f->gain == -150000000);
    CHECK(perps_read_fills(a, &without, &f, &n, &page) && perps_read_fills(a, &without, &again, &n, &page));
    CHECK(f->trade == again->trade && f->trade != 9 && !f->liquidation);
    with = answer_of(FILL(",\"tid\":0"));
    CHECK(perps_read_fills(a, &with, &f, &n, &page) && f->trade != 0);
}

/* Rows as they were recorded: dust of spot first, a purchase of spot last. */
static void a_page_of_trades_is_as_long_as_the_venue_has_it(void)
{
    static const char dust[] =
        "{\"coin\":\"@142\",\"px\":\"104730.168\",\"sz\":\"0.0000086141\",\"side\":\"A\",\"time\":"
        "1762732800049,\"dir\":\"Spot Dust Conversion\",\"closedPnl\":\"0.0\",\"oid\":229209068357,"
        "\"fee\":\"0.0\",\"tid\":0}";
    static const char spot[] =
        "{\"coin\":\"@156\",\"px\":\"160.32\",\"sz\":\"1.267\",\"side\":\"B\",\"time\":1790000000001,"
        "\"oid\":228721726126,\"tid\":567745090281031}";
    const char *own = FILL(",\"tid\":9");
    struct buf answer = answer_of(arena_printf(a, "[%s,%.*s,%s]", dust, (int)strlen(own) - 2, own + 1, spot)),
               none = answer_of("{}");
    struct perps_page page;
    struct perps_fill *f;
    size_t n;

    CHECK(perps_read_fills(a, &answer, &f, &n, &page) && n == 1 && f->trade == 9);
    CHECK(page.rows == 3 && page.last_ms == 1790000000001 && page.senseless == 0);
    CHECK(!perps_read_fills(a, &none, &f, &n, &page) && n == 0 && page.rows == 0 && page.last_ms == 0);
}

static void what_funding_paid(void)
{
    struct buf answer =
        answer_of("[{\"time\":1790000000000,\"delta\":{\"coin\":\"ETH\",\"usdc\":\"-0.0375\",\"szi\":"
                  "\"0.5\",\"fundingRate\":\"0.000025\"}}]");
    struct perps_payment *p;
    struct perps_page page;
    size_t n;

    CHECK(perps_read_payments(a, &answer, &p, &n, &page) && n == 1 && p->amount == -3750000 &&
          p->size == 50000000);
    CHECK(p->rate == 25000000000000 && p->at_ms == 1790000000000);
}

static void all_of_it(void (*test)(void))
{
    a = arena_new();
    test();
    arena_free(a);
}

static void orders_are_read(void)
{
    all_of_it(what_became_of_an_order);
    all_of_it(an_order_that_is_not_known);
    all_of_it(more_left_than_ordered_makes_no_sense);
    all_of_it(rows_of_other_markets_are_left_out);
}

static void answers_are_read(void)
{
    all_of_it(what_an_action_comes_to);
}

static void the_past_is_read(void)
{
    all_of_it(a_trade_without_a_number_is_what_it_says);
    all_of_it(a_page_of_trades_is_as_long_as_the_venue_has_it);
    all_of_it(what_funding_paid);
}

TEST_MAIN(TEST(orders_are_read), TEST(answers_are_read), TEST(the_past_is_read))
