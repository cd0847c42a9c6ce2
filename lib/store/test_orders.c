#include "store/orders.h"

#include "store/fills.h"
#include "store/order_leases.h"
#include "store/order_states.h"
#include "store/predict_accounts.h"
#include "store/requests.h"
#include "store/test_store.h"

static uint8_t hashes;

static struct order terms(uint64_t agent_id, uint64_t wallet_id)
{
    struct execution x = new_swap(agent_id, wallet_id);
    struct order o = { .execution_id = x.id,
                       .agent_id = agent_id,
                       .wallet_id = wallet_id,
                       .has_hash = true,
                       .market = "512347",
                       .condition = { 7 },
                       .token = u256_from_u64(91),
                       .outcome = "Yes",
                       .question = "Will it rain?",
                       .exchange = 1,
                       .side = ORDER_BUY,
                       .type = ORDER_GTD,
                       .post_only = true,
                       .price = 4000,
                       .size = 2000,
                       .expires_ms = 1800000000000,
                       .fee_most = 90001 };

    memset(o.hash, ++hashes, sizeof o.hash);
    return o;
}

static struct order new_order(uint64_t agent_id, uint64_t wallet_id)
{
    struct order o = terms(agent_id, wallet_id);

    CHECK(orders_add(db, &o));
    return o;
}

static struct order reread_order(const struct order *o)
{
    struct order now = { .execution_id = 0 };

    CHECK(orders_of_execution(db, a, o->execution_id, &now) == LOOKUP_FOUND);
    return now;
}

static bool totals_are(uint64_t agent_id, const char *totals)
{
    return NUMBER("SELECT CONCAT_WS(' ', orders_pending, orders_open, orders_filled, orders_cancelled,"
                  " orders_rejected) = '%s' FROM agents WHERE id = %d",
                  totals, (int)agent_id) == 1;
}

static void orders_are_kept_whole(void)
{
    struct order o = new_order(101, 1), got;

    CHECK(orders_get(db, a, 101, o.hash, &got) == LOOKUP_FOUND);
    CHECK(got.execution_id == o.execution_id && got.agent_id == 101 && got.wallet_id == 1);
    CHECK(got.has_hash && memcmp(got.hash, o.hash, sizeof o.hash) == 0);
    CHECK_STR(got.market, "512347");
    CHECK(got.condition[0] == 7 && u256_cmp(got.token, o.token) == 0);
    CHECK_STR(got.outcome, "Yes");
    CHECK_STR(got.question, "Will it rain?");
    CHECK(got.exchange == 1 && got.side == ORDER_BUY && got.type == ORDER_GTD && got.post_only);
    CHECK(got.price == 4000 && got.size == 2000 && got.expires_ms == 1800000000000 && got.fee_most == 90001);
    CHECK(got.status == ORDER_PENDING && got.matched == 0 && got.paid == 0 && got.settled == 0 && !got.final);
    CHECK(got.error_code == NULL && got.cancel_requested_ms == 0 && got.polled_ms == 0 && got.missed == 0);
    CHECK(got.created_ms != 0 && got.updated_ms == got.created_ms);

    CHECK(orders_get(db, a, 0, o.hash, &got) == LOOKUP_FOUND &&
          orders_get(db, a, 102, o.hash, &got) == LOOKUP_NONE);
    CHECK(!orders_add(db, &o) && db_duplicate(db));
}

/* With the totals, which follow. */
static enum db_update placed(const struct order *o)
{
    struct order_move m = { .agent_id = o->agent_id };
    enum db_update opened = order_states_placed(db, ORDERS_OF_PREDICTION, o->execution_id, &m);

    CHECK(opened != UPDATED || (order_moves_count(db, &m, 1) && m.to == ORDER_OPEN));
    return opened;
}

static enum db_update rejected(const struct order *o)
{
    struct order_move m = { .agent_id = o->agent_id };
    enum db_update was = order_states_rejected(db, ORDERS_OF_PREDICTION, o->execution_id, "CODE", "why", &m);

    CHECK(was != UPDATED || (order_moves_count(db, &m, 1) && m.from == ORDER_PENDING));
    return was;
}

static bool awaited_has_ended(uint64_t execution, bool order)
{
    const struct execution_awaited of = { execution, order };
    bool ended = false;

    CHECK(executions_ended(db, &of, 1, &ended));
    return ended;
}

/* The execution has ended with the venue's first answer. */
static void an_order_that_never_rests_is_awaited_to_its_end(void)
{
    static const enum order_type types[] = { ORDER_GTC, ORDER_GTD, ORDER_FOK, ORDER_FAK };

    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
        struct order o = terms(112, 1);
        bool rests = types[i] == ORDER_GTC || types[i] == ORDER_GTD;

        o.type = types[i];
        CHECK(orders_add(db, &o));
        CHECK(!awaited_has_ended(o.execution_id, false));
        CHECK(RAW("UPDATE executions SET status = " SQL_COMPLETED " WHERE id = %d", (int)o.execution_id));
        CHECK(awaited_has_ended(o.execution_id, false) == rests && !awaited_has_ended(o.execution_id, true));
        CHECK(placed(&o) == UPDATED);
        CHECK(awaited_has_ended(o.execution_id, false) == rests && !awaited_has_ended(o.execution_id, true));
        CHECK(RAW("UPDATE predict_orders SET status = 3 WHERE execution_id = %d", (int)o.execution_id));
        CHECK(awaited_has_ended(o.execution_id, false) && awaited_has_ended(o.execution_id, true));
    }
}

static void orders_move_once(void)
{
    const struct agent agent = new_agent(NULL);
    struct order o = new_order(agent.id, 1), now;

    CHECK(totals_are(agent.id, "1 0 0 0 0"));
    CHECK(placed(&o) == UPDATED);
    CHECK(reread_order(&o).status == ORDER_OPEN);
    CHECK(rejected(&o) == UNCHANGED); /* too late */
    CHECK(reread_order(&o).status == ORDER_OPEN && totals_are(agent.id, "0 1 0 0 0"));

    o = new_order(agent.id, 1);
    CHECK(rejected(&o) == UPDATED);
    CHECK(totals_are(agent.id, "0 1 0 0 1"));
    now = reread_order(&o);
    CHECK(now.status == ORDER_REJECTED && now.final);
    CHECK_STR(now.error_code, "CODE");
    CHECK_STR(now.error_message, "why");
    CHECK(placed(&o) == UPDATED); /* it turned up */
    now = reread_order(&o);
    CHECK(now.status == ORDER_OPEN && !now.final && now.error_code == NULL && now.error_message == NULL);
    CHECK(totals_are(agent.id, "0 2 0 0 0"));

    CHECK(RAW("UPDATE predict_orders SET status = 3 WHERE execution_id = %d", (int)o.execution_id));
    CHECK(placed(&o) == UNCHANGED); /* more of it is recorded already */
    CHECK(reread_order(&o).status == ORDER_FILLED && totals_are(agent.id, "0 2 0 0 0"));
}

static void a_cancel_is_recorded_once(void)
{
    struct order o = new_order(104, 1);
    int64_t first;

    CHECK(order_states_cancel_request(db, ORDERS_OF_PREDICTION, o.execution_id) == UPDATED);
    first = reread_order(&o).cancel_requested_ms;
    CHECK(first != 0 && order_states_cancel_request(db, ORDERS_OF_PREDICTION, o.execution_id) == UPDATED);
    CHECK(reread_order(&o).cancel_requested_ms == first);
    CHECK(rejected(&o) == UPDATED);
    CHECK(order_states_cancel_request(db, ORDERS_OF_PREDICTION, o.execution_id) == UNCHANGED);
}

/* It stays known by the hash that it had. */
static void another_hash(void)
{
    struct order o = new_order(105, 1), got;
    struct venue_request r = { .effect = { .execution_id = o.execution_id, .wallet_id = 1 },
                               .venue = "polymarket",
                               .signing_key = (const uint8_t *)"key",
                               .signing_key_len = 3,
                               .body = (const uint8_t *)"{}",
                               .body_len = 2 };
    uint8_t other[HASH_LEN];

    memset(other, 0xee, sizeof other);
    memcpy(r.venue_key, o.hash, sizeof r.venue_key);
    CHECK(requests_add(db, &r) && orders_renewed(db, o.execution_id, other));
    CHECK(orders_get(db, a, 105, other, &got) == LOOKUP_FOUND && got.execution_id == o.execution_id);
    CHECK(orders_get(db, a, 105, o.hash, &got) == LOOKUP_FOUND && got.execution_id == o.execution_id);
    CHECK(memcmp(got.hash, other, sizeof other) == 0);
    CHECK(orders_get(db, a, 106, o.hash, &got) == LOOKUP_NONE);
}

static void orders_awaiting_approval_are_not_listed(void)
{
    const struct agent agent = new_agent(NULL);
    struct order o = terms(agent.id, 1), now, page[PAGE_MAX];
    struct page p = { 10, 0 };

    o.has_hash = false;
    CHECK(orders_add(db, &o));
    now = reread_order(&o);
    CHECK(now.status == ORDER_WAITING && !now.has_hash);
    CHECK(orders_page(db, a, agent.id, ORDERS_ALL, &p, page) == 0);
    CHECK(orders_page(db, a, agent.id, ORDERS_LISTED, &p, page) == 0);
    CHECK(totals_are(agent.id, "0 0 0 0 0"));

    o.has_hash = true;
    o.fee_most = 5;
    CHECK(orders_begin(db, &o) == UPDATED && orders_begin(db, &o) == UNCHANGED);
    now = reread_order(&o);
    CHECK(now.status == ORDER_PENDING && now.has_hash && now.fee_most == 5);
    CHECK(orders_page(db, a, agent.id, ORDERS_LISTED, &p, page) == 1);
    CHECK(totals_are(agent.id, "1 0 0 0 0"));
}

static void set_order(const struct order *o, const char *what)
{
    CHECK(RAW("UPDATE predict_orders SET %s WHERE execution_id = %d", what, (int)o->execution_id));
}

static void lists_are_by_status_newest_first(void)
{
    struct order o[6], got[PAGE_MAX];
    struct page p = { 2, 0 };

    for (int i = 0; i < 6; i++)
        o[i] = new_order(108, 1);
    (void)new_order(109, 1);
    set_order(&o[1], "status = 3");
    set_order(&o[2], "status = 4");
    set_order(&o[3], "status = 2");
    set_order(&o[4], "status = 5");
    CHECK(orders_page(db, a, 108, ORDERS_LISTED, &p, got) == 2);
    CHECK(got[0].execution_id == o[5].execution_id && got[1].execution_id == o[3].execution_id);
    p.offset = 2;
    CHECK(orders_page(db, a, 108, ORDERS_LISTED, &p, got) == 2);
    CHECK(got[0].execution_id == o[1].execution_id && got[1].execution_id == o[0].execution_id);
    p = (struct page){ 10, 0 };
    CHECK(orders_page(db, a, 108, ORDERS_ALL, &p, got) == 6);
    CHECK(got[5].execution_id == o[0].execution_id);
    CHECK(orders_page(db, a, 108, 1 << ORDER_CANCELLED, &p, got) == 1);
    CHECK(got[0].execution_id == o[2].execution_id);
    p.offset = 5;
    CHECK(orders_page(db, a, 108, ORDERS_LISTED, &p, got) == 0);
}

static void lists_are_filtered(void)
{
    struct u256 token = u256_from_u64(91), other = u256_from_u64(92);
    const struct order_filter found[] = { { .statuses = ORDERS_ALL, .market = "512347" },
                                          { .statuses = ORDERS_LISTED, .token = &token },
                                          { .statuses = 1 << ORDER_PENDING,
                                            .created = { .since_ms = 1000 } } },
                              none[] = { { .statuses = ORDERS_ALL, .market = "512348" },
                                         { .statuses = ORDERS_ALL, .market = "\xc3\xa4" },
                                         { .statuses = ORDERS_ALL, .token = &other },
                                         { .statuses = 1 << ORDER_OPEN, .token = &token },
                                         { .statuses = ORDERS_ALL, .created = { .until_ms = 1000 } } };
    const uint64_t mine = new_agent(NULL).id, other_agent = new_agent(NULL).id;
    struct order first = new_order(mine, 1), last = new_order(mine, 1), got[PAGE_MAX];
    struct page one = { 1, 0 }, next = { 1, 1 };
    uint64_t total = 0;

    for (size_t i = 0; i < sizeof found / sizeof found[0]; i++) {
        CHECK(orders_filtered(db, a, mine, &found[i], &one, got, &total) == 1 && total == 2);
        CHECK(got[0].execution_id == last.execution_id);
        CHECK(orders_filtered(db, a, mine, &found[i], &next, got, &total) == 1 && total == 2);
        CHECK(got[0].execution_id == first.execution_id);
        CHECK(orders_filtered(db, a, other_agent, &found[i], &one, got, &total) == 0 && total == 0);
    }
    for (size_t i = 0; i < sizeof none / sizeof none[0]; i++)
        CHECK(orders_filtered(db, a, mine, &none[i], &one, got, &total) == 0 && total == 0);
}

/* Beyond them those skipped are read from the index alone. */
static void far_pages(void)
{
    static const unsigned lists[] = { ORDERS_LISTED, ORDERS_ALL, 1 << ORDER_OPEN };
    struct order got[PAGE_MAX];

    for (int i = 0; i < 170; i++) {
        struct order o = terms(113, 1);

        o.has_hash = false;
        CHECK(orders_add(db, &o));
        set_order(&o, i % 6 == 0 ? "status = 6" : i % 10 == 0 ? "status = 4" : "status = 2");
    }
    for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++) {
        struct page near = { 20, 100 }, far = { 10, 110 };
        struct order beside[PAGE_MAX];

        CHECK(orders_page(db, a, 113, lists[i], &near, beside) == 20);
        CHECK(orders_page(db, a, 113, lists[i], &far, got) == 10);
        for (int k = 0; k < 10; k++)
            CHECK(got[k].execution_id == beside[10 + k].execution_id);
    }
}

static void totals_of_several(void)
{
    const struct agent one = new_agent(NULL), other = new_agent(NULL);
    const struct order_move moves[] = { { one.id, ORDER_OPEN, ORDER_FILLED },
                                        { one.id, ORDER_OPEN, ORDER_CANCELLED },
                                        { other.id, ORDER_PENDING, ORDER_OPEN },
                                        { one.id, ORDER_CANCELLED, ORDER_OPEN } };

    CHECK(RAW("UPDATE agents SET orders_pending = 5, orders_open = 5 WHERE id IN (%d, %d)", (int)one.id,
              (int)other.id));
    CHECK(order_moves_count(db, moves, 4));
    CHECK(totals_are(one.id, "5 4 1 0 0") && totals_are(other.id, "4 6 0 0 0"));
    CHECK(order_moves_count(db, moves, 0));
}

static void reserved_amounts_of_orders(void)
{
    const struct u256 token = u256_from_u64(91), other = u256_from_u64(92);
    struct order_reservation held;
    struct order o = new_order(110, 9), sell = terms(110, 9);
    int64_t before, after;

    CHECK(db_clock_ms(db, &before));
    after = before + 60000;
    sell.side = ORDER_SELL;
    CHECK(orders_add(db, &sell));
    CHECK(orders_reserved(db, 9, &token, after, &held) && held.collateral == 8090001 &&
          held.shares == 20000000);
    CHECK(orders_reserved(db, 9, &other, after, &held) && held.collateral == 8090001 && held.shares == 0);
    CHECK(orders_reserved(db, 8, &token, after, &held) && held.collateral == 0 && held.shares == 0);

    /* An order that was final before the balance was read shows in it; one that has become final since does
     * not. */
    set_order(&o, "status = 3, matched = 20000000, settled = 20000000, final = 1");
    CHECK(orders_reserved(db, 9, &token, after, &held) && held.collateral == 0);
    CHECK(orders_reserved(db, 9, &token, before - 60000, &held) && held.collateral == 8090001);
    /* The same holds for the settled part of an open one. */
    set_order(&o, "status = 2, matched = 10000000, settled = 10000000, final = 0");
    CHECK(orders_reserved(db, 9, &token, after, &held) && held.collateral == 4045001);
    CHECK(held.coming_shares == 0 && held.coming_collateral == 0);
    CHECK(orders_reserved(db, 9, &token, before - 60000, &held) && held.collateral == 8090001);
    CHECK(held.coming_shares == 10000000);
    CHECK(orders_reserved(db, 9, &other, before - 60000, &held) && held.coming_shares == 0);
    /* The unsettled part of its purchases and sales is still coming. */
    set_order(&o, "settled = 4000000");
    set_order(&sell, "status = 2, matched = 5000000");
    CHECK(orders_reserved(db, 9, &token, after, &held) && held.coming_shares == 6000000);
    CHECK(held.coming_collateral == 2000000);
}

/* A purchase at once counts in money, not in the shares that it brought. */
static void reserved_amounts_of_purchases_for_money(void)
{
    const struct u256 token = u256_from_u64(91);
    struct order_reservation held;
    struct order o = terms(112, 12);
    int64_t now;

    o.type = ORDER_FAK;
    CHECK(db_clock_ms(db, &now) && orders_add(db, &o));
    CHECK(orders_reserved(db, 12, &token, now + 60000, &held) && held.collateral == 8090001);
    set_order(&o, "status = 3, matched = 50000000, paid = 8000000, settled = 0, final = 0");
    CHECK(orders_reserved(db, 12, &token, now + 60000, &held) && held.collateral == 8090001);
    CHECK(held.coming_shares == 50000000);
    set_order(&o, "settled = 50000000, final = 1");
    CHECK(orders_reserved(db, 12, &token, now + 60000, &held) && held.collateral == 0);
    CHECK(orders_reserved(db, 12, &token, now - 60000, &held) && held.collateral == 8090001);
}

static void a_poll_is_recorded_if_the_order_is_as_it_was(void)
{
    struct order o = new_order(111, 1), was = reread_order(&o), now = was, got;

    now.status = ORDER_OPEN;
    now.matched = 10000000;
    now.paid = 4000000;
    now.settled = 5000000;
    CHECK(RAW("UPDATE predict_orders SET updated_at = updated_at - INTERVAL 9 SECOND, error_code = 'X'"
              " WHERE execution_id = %d",
              (int)o.execution_id));
    CHECK(orders_record(db, &was, &now) == UPDATED && orders_record(db, &was, &now) == UNCHANGED);
    got = reread_order(&o);
    CHECK(got.status == ORDER_OPEN && got.matched == 10000000 && got.paid == 4000000);
    CHECK(got.settled == 5000000 && !got.final && got.error_code == NULL && got.missed == 0);
    CHECK(got.updated_ms >= was.updated_ms);
    was = now = got;
    now.final = true;
    now.status = ORDER_CANCELLED;
    was.matched++;
    CHECK(orders_record(db, &was, &now) == UNCHANGED);
    was.matched--;
    was.hash[0]++; /* another one was signed since */
    CHECK(orders_record(db, &was, &now) == UNCHANGED);
    was.hash[0]--;
    CHECK(orders_record(db, &was, &now) == UPDATED && reread_order(&o).final);
}

static void since_when_it_is_missed(void)
{
    struct order o = new_order(112, 1), first;

    CHECK(orders_missed(db, o.execution_id, true));
    first = reread_order(&o);
    CHECK(first.missed == 1 && first.polled_ms != 0);
    CHECK(RAW("UPDATE predict_orders SET polled_at = polled_at - INTERVAL 9 SECOND WHERE execution_id = %d",
              (int)o.execution_id));
    CHECK(orders_missed(db, o.execution_id, true) && reread_order(&o).polled_ms == first.polled_ms - 9000);
    CHECK(orders_missed(db, o.execution_id, false) && reread_order(&o).missed == 0);
}

static void orders_of_claimed_wallets(void)
{
    struct agent agent = new_agent(NULL);
    struct predict_account p = { .kind = PREDICT_EOA };
    struct uuid owner = uuid_random();
    struct order first, *got;
    struct fill f = { .trade = "t", .size = 1, .state = FILL_MINED, .at_ms = 1767225600000 }, *fills;

    CHECK(raw("ALTER TABLE wallets AUTO_INCREMENT = 1000")); /* no other test's */
    p.wallet = new_wallet(&agent, "0x01", WALLET_EVM);
    CHECK(predict_accounts_add(db, &p) == UPDATED);
    first = new_order(agent.id, p.wallet.id);
    for (int i = 0; i < 3; i++) {
        struct order o = new_order(agent.id, p.wallet.id + (i == 2));

        if (i == 1)
            set_order(&o, "final = 1");
        f.execution_id = o.execution_id;
        CHECK(fills_put(db, &f));
    }
    f.execution_id = first.execution_id;
    CHECK(fills_put(db, &f));
    CHECK(orders_claimed(db, a, &owner, &got) == 0);
    CHECK(order_leases_due(db, ORDERS_OF_PREDICTION, p.wallet.id, 0) &&
          order_leases_claim(db, ORDERS_OF_PREDICTION, &owner, 30, 10) == 1);
    CHECK(orders_claimed(db, a, &owner, &got) == 2 && got[0].execution_id == first.execution_id);
    CHECK(fills_claimed(db, a, &owner, &fills) == 2 && fills[0].execution_id == first.execution_id &&
          fills[1].execution_id == got[1].execution_id);
    CHECK(order_leases_release(db, ORDERS_OF_PREDICTION, &owner, p.wallet.id, 0));
}

STORE_TEST_MAIN(TEST(orders_are_kept_whole), TEST(an_order_that_never_rests_is_awaited_to_its_end),
                TEST(orders_move_once), TEST(a_cancel_is_recorded_once), TEST(another_hash),
                TEST(orders_awaiting_approval_are_not_listed), TEST(lists_are_by_status_newest_first),
                TEST(lists_are_filtered), TEST(far_pages), TEST(totals_of_several),
                TEST(reserved_amounts_of_orders), TEST(reserved_amounts_of_purchases_for_money),
                TEST(a_poll_is_recorded_if_the_order_is_as_it_was), TEST(since_when_it_is_missed),
                TEST(orders_of_claimed_wallets))
