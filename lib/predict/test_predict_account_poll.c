/* Polls of orders of a venue that answers from a table. */
#define net_start fake_start
#include "orders/account_poll.c"
#include "predict/predict_account_poll.c"

#include "base/test.h"
#include "predict/predict_order_follower.h"
#include "service/conf.h"

/* ---- a venue ---- */

struct fake_answer {
    const char *asked; /* "GET /data/orders?next_cursor=MA%3D%3D", or its beginning */
    int status;        /* 0: no answer */
    const char *text;
};

static struct fake_answer answers[16];
static struct call *waiting[64];
static unsigned waiting_count, asked_count;
static const char *asked[64];
static struct arena *a;

void net_start(struct net *net, struct call *c)
{
    (void)net;
    asked[asked_count++] = arena_printf(a, "%s %s", c->method, c->url + strlen("http://venue"));
    waiting[waiting_count++] = c;
}

static struct fake_answer *answer_find(const char *question)
{
    for (struct fake_answer *f = answers; f->asked != NULL; f++)
        if (strncmp(question, f->asked, strlen(f->asked)) == 0)
            return f;
    return NULL;
}

static struct call *fake_end(void)
{
    struct call *c = waiting[--waiting_count];
    const struct fake_answer *f =
        answer_find(arena_printf(a, "%s %s", c->method, c->url + strlen("http://venue")));

    c->result = f != NULL && f->status != 0 ? CALL_ANSWERED : CALL_TIMEOUT;
    if (c->result == CALL_ANSWERED) {
        c->status = f->status;
        buf_adds(&c->answer, f->text);
    }
    return c;
}

/* ---- orders ---- */

enum { SHARES = 20000000, NOW = 1000000000 };
#define ID(d) "0x" d d d d d d d d d d d d d d d d d d d d d d d d d d d d d d d d
#define ROW(d, status, matched)                                                                              \
    "{\"id\":\"" ID(d) "\",\"status\":\"" status "\",\"original_size\":\"20\",\"size_matched\":\"" matched   \
                       "\"}"
#define PAGE(rows, next) "{\"data\":[" rows "],\"next_cursor\":\"" next "\"}"
#define LIST             "GET /data/orders?next_cursor=MA%3D%3D"

static struct order orders[4];
static struct order_poll polls[4];
static struct conf conf = { .predict_clob_url = "http://venue" };
static struct ctx ctx = { .conf = &conf };
static struct predict_account account = {
    .wallet = { .ref = { .address = "0x52908400098527886E0F7030069857D2E4169EE7" } }
};
static const struct clob_credentials credentials = { .key = "k", .secret = "c2VjcmV0", .passphrase = "p" };

/* Open orders 0x11…, 0x22…, as many as that. */
static struct predict_account_poll poll_at(unsigned n)
{
    if (a == NULL)
        a = arena_new();
    arena_reset(a);
    memset(answers, 0, sizeof answers);
    memset(polls, 0, sizeof polls);
    waiting_count = asked_count = 0;
    for (unsigned i = 0; i < n; i++) {
        orders[i] = (struct order){ .execution_id = i + 1,
                                    .has_hash = true,
                                    .size = 2000,
                                    .price = 4000,
                                    .status = ORDER_OPEN,
                                    .created_ms = 1700000000000 };
        memset(orders[i].hash, 0x11 * (int)(i + 1), HASH_LEN);
        polls[i].order = &orders[i];
    }
    return (struct predict_account_poll){ .poll = { .follower = &predict_follower,
                                                    .ctx = &ctx,
                                                    .arena = a,
                                                    .now_ms = NOW,
                                                    .deadline_ms = POLL_MS },
                                          .account = &account,
                                          .credentials = credentials,
                                          .orders = polls,
                                          .count = n };
}

static void run(struct predict_account_poll *l)
{
    bool running;

    predict_account_poll_init(l);
    running = poll_begin(&l->poll);
    while (running)
        running = poll_go_on(fake_end());
    CHECK(waiting_count == 0);
}

static unsigned times_asked(const char *question)
{
    unsigned n = 0;

    for (unsigned i = 0; i < asked_count; i++)
        n += strncmp(asked[i], question, strlen(question)) == 0;
    return n;
}

static void resting_orders_cost_one_question(void)
{
    struct predict_account_poll l = poll_at(2);

    answers[0] =
        (struct fake_answer){ LIST, 200, PAGE(ROW("22", "LIVE", "0") "," ROW("11", "LIVE", "0"), "LTE=") };
    run(&l);
    CHECK(asked_count == 1 && !l.poll.silent && l.unknown_order_count == 0);
    CHECK(polls[0].observation.says == ORDER_SEEN && polls[1].observation.says == ORDER_SEEN);
    CHECK(polls[0].observation.now_ms == NOW && polls[0].observation.fills == &polls[0].fills);
}

static void pages_are_followed_to_the_last(void)
{
    struct predict_account_poll l = poll_at(2);

    answers[0] = (struct fake_answer){ LIST, 200, PAGE(ROW("11", "LIVE", "0"), "MTAw") };
    answers[1] = (struct fake_answer){ "GET /data/orders?next_cursor=MTAw", 200,
                                       PAGE(ROW("22", "LIVE", "0"), "LTE=") };
    run(&l);
    CHECK(asked_count == 2 && polls[0].observation.says == ORDER_SEEN &&
          polls[1].observation.says == ORDER_SEEN);
}

static void missing_orders_are_looked_up(void)
{
    struct predict_account_poll l = poll_at(4);

    answers[0] = (struct fake_answer){ LIST, 200, PAGE(ROW("11", "LIVE", "0"), "LTE=") };
    answers[1] =
        (struct fake_answer){ "GET /data/order/" ID("22"), 200, ROW("22", "ORDER_STATUS_CANCELED", "0") };
    answers[2] = (struct fake_answer){ "GET /data/order/" ID("33"), 404, "{\"error\":\"order not found\"}" };
    orders[3].status = ORDER_FILLED; /* its trades say the rest */
    orders[3].matched = SHARES;
    answers[3] = (struct fake_answer){ "GET /data/trades", 200, PAGE("", "LTE=") };
    run(&l);
    CHECK(asked_count == 4 && times_asked("GET /data/trades?maker_address=0x") == 1);
    for (unsigned i = 0; i < 4; i++)
        switch (polls[i].order->execution_id) {
        case 1:
            CHECK(polls[i].observation.says == ORDER_SEEN &&
                  polls[i].observation.at_venue.status == CLOB_LIVE);
            break;
        case 2:
            CHECK(polls[i].observation.says == ORDER_SEEN &&
                  polls[i].observation.at_venue.status == CLOB_ENDED);
            break;
        case 3:
            CHECK(polls[i].observation.says == ORDER_UNKNOWN);
            break;
        default:
            CHECK(polls[i].observation.says == ORDER_UNAVAILABLE);
        }
}

/* An incomplete list does not show that an order is missing. */
static void nothing_follows_from_silence(void)
{
    static const struct fake_answer cases[] = {
        { LIST, 0, "" },
        { LIST, 500, "oops" },
        { LIST, 200, "<html>" },
        { LIST, 200, "{\"data\":[" },
        { LIST, 200, PAGE(ROW("22", "LIVE", "0"), "MTAw") }, /* and the next page is not answered */
        { LIST, 503, "{\"error\":\"Trading is currently disabled\"}" },
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct predict_account_poll l = poll_at(1);

        answers[0] = cases[i];
        run(&l);
        CHECK(times_asked("GET /data/order/") == 0 && polls[0].observation.says == ORDER_UNAVAILABLE);
    }
}

static void cursors_that_go_in_circles_end(void)
{
    struct predict_account_poll l = poll_at(1);

    /* One asked[] entry for each page would be too many here: a smaller world suffices. */
    answers[0] = (struct fake_answer){ "GET /data/orders", 200, PAGE("", "MA==") };
    l.pages = PAGES_MAX - 8;
    run(&l);
    CHECK(asked_count == 8 && polls[0].observation.says == ORDER_UNAVAILABLE);
}

static void credentials_that_are_refused_end_it(void)
{
    struct predict_account_poll l = poll_at(2);

    answers[0] = (struct fake_answer){ LIST, 401, "{\"error\":\"Unauthorized/Invalid api key\"}" };
    run(&l);
    CHECK(asked_count == 1 && l.denied);
}

static void cancels_go_out_first_and_are_looked_up(void)
{
    struct predict_account_poll l = poll_at(1);

    orders[0].cancel_requested_ms = 1;
    answers[0] = (struct fake_answer){ LIST, 200, PAGE(ROW("11", "LIVE", "0"), "LTE=") };
    answers[1] = (struct fake_answer){ "DELETE /order", 200, "{\"canceled\":[\"" ID("11") "\"]}" };
    answers[2] = (struct fake_answer){ "GET /data/order/", 200, ROW("11", "CANCELED", "0") };
    run(&l);
    CHECK(asked_count == 3 && polls[0].observation.cancelled && polls[0].observation.taken_back);
    CHECK(polls[0].observation.says == ORDER_SEEN && polls[0].observation.at_venue.status == CLOB_ENDED);

    l = poll_at(1);
    orders[0].cancel_requested_ms = 1;
    answers[0] = (struct fake_answer){ LIST, 200, PAGE(ROW("11", "LIVE", "0"), "LTE=") };
    run(&l); /* the cancel is not answered */
    CHECK(!polls[0].observation.cancelled && polls[0].observation.at_venue.status == CLOB_LIVE);
}

#define TRADE(id, size)                                                                                       \
    "{\"id\":\"" id "\",\"taker_order_id\":\"" ID(                                                            \
        "99") "\",\"size\":\"" size "\",\"price\":\"0.6\","                                                   \
              "\"status\":\"CONFIRMED\",\"match_time\":\"1700000001\",\"maker_orders\":[{\"order_id\":\"" ID( \
                  "11") "\","                                                                                 \
                        "\"matched_amount\":\"" size "\",\"price\":\"0.4\"}]}"

static void trades_become_fills_of_their_orders(void)
{
    struct predict_account_poll l = poll_at(1);

    answers[0] =
        (struct fake_answer){ LIST, 200, PAGE(ROW("11", "LIVE", "12") "," ROW("77", "LIVE", "0"), "LTE=") };
    answers[1] =
        (struct fake_answer){ "GET /data/trades?maker_address=0x0000000000000000000000000000000000000000"
                              "&after=1699999700&next_cursor=MA%3D%3D",
                              200, PAGE(TRADE("t1", "10"), "Mg==") };
    answers[2] =
        (struct fake_answer){ "GET /data/trades", 200, PAGE(TRADE("t1", "10") "," TRADE("t2", "2"), "LTE=") };
    run(&l);
    CHECK(asked_count == 3 && polls[0].fills.count == 2 && l.unknown_order_count == 1);
    CHECK(polls[0].fills.list[0].size == 10000000 && polls[0].fills.list[0].paid == 4000000);
    CHECK(order_verdict(&orders[0], &polls[0].observation).settled == 12000000);
}

/* An order that has ended is answered null. */
static void trades_are_asked_for_where_the_order_says_nothing(void)
{
    struct predict_account_poll l = poll_at(1);

    answers[0] = (struct fake_answer){ LIST, 200, PAGE("", "LTE=") };
    answers[1] = (struct fake_answer){ "GET /data/order/", 200, "null" };
    answers[2] = (struct fake_answer){ "GET /data/trades", 200, PAGE(TRADE("t1", "20"), "LTE=") };
    run(&l);
    CHECK(asked_count == 3 && polls[0].observation.says == ORDER_UNKNOWN);
    CHECK(order_verdict(&orders[0], &polls[0].observation).status == ORDER_FILLED);
}

/* The size of an order that spends is in collateral, 8 dollars of 20 at 0.40, whether matched or not. */
static void the_size_of_an_order_for_money_is_money(void)
{
    static const struct {
        const char *size, *matched;
        bool ours;
    } rows[] = { { "8", "", true }, { "8", "25", true }, { "20", "0", true }, { "8.01", "", false } };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct predict_account_poll l = poll_at(1);

        orders[0].type = ORDER_FOK;
        answers[0] = (struct fake_answer){ LIST, 200, PAGE("", "LTE=") };
        answers[1] = (struct fake_answer){
            "GET /data/order/", 200,
            arena_printf(a,
                         "{\"id\":\"" ID("11") "\",\"status\":\"CANCELED_order couldn't be fully filled\","
                                               "\"original_size\":\"%s\",\"size_matched\":\"%s\"}",
                         rows[i].size, rows[i].matched)
        };
        run(&l);
        CHECK((polls[0].observation.says == ORDER_SEEN) == rows[i].ours);
        CHECK(times_asked("GET /data/trades") == rows[i].ours);
    }
}

/* A row of another size is not our order, even with its hash. */
static void an_order_of_another_size_is_not_ours(void)
{
    struct predict_account_poll l = poll_at(1);

    answers[0] = (struct fake_answer){
        LIST, 200,
        PAGE("{\"id\":\"" ID(
                 "11") "\",\"status\":\"MATCHED\",\"original_size\":\"21\",\"size_matched\":\"21\"}",
             "LTE=")
    };
    answers[1] =
        (struct fake_answer){ "GET /data/order/", 200, ROW("22", "MATCHED", "20") }; /* another one */
    run(&l);
    CHECK(polls[0].observation.says == ORDER_UNAVAILABLE);
}

static bool always(void)
{
    return true;
}

static void stopped_polls_ask_nothing(void)
{
    struct predict_account_poll l = poll_at(1);

    l.poll.stopping = always;
    run(&l);
    CHECK(asked_count == 0 && polls[0].observation.says == ORDER_UNAVAILABLE && l.poll.silent && !l.denied);
}

TEST_MAIN(TEST(resting_orders_cost_one_question), TEST(pages_are_followed_to_the_last),
          TEST(missing_orders_are_looked_up), TEST(nothing_follows_from_silence),
          TEST(cursors_that_go_in_circles_end), TEST(credentials_that_are_refused_end_it),
          TEST(cancels_go_out_first_and_are_looked_up), TEST(trades_become_fills_of_their_orders),
          TEST(trades_are_asked_for_where_the_order_says_nothing),
          TEST(the_size_of_an_order_for_money_is_money), TEST(an_order_of_another_size_is_not_ours),
          TEST(stopped_polls_ask_nothing))
