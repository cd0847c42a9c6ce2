#include "store/predict_accounts.h"

#include "store/order_leases.h"
#include "store/test_store.h"

static struct predict_account new_account(const struct agent *agent, const char *address)
{
    struct predict_account p = { .wallet = new_wallet(agent, address, WALLET_EVM),
                                 .kind = PREDICT_DEPOSIT,
                                 .form = 1,
                                 .trading = { 1, 2, 3 } };

    CHECK(predict_accounts_add(db, &p) == UPDATED);
    return p;
}

static void a_wallet_has_one(void)
{
    struct agent agent = new_agent(NULL);
    struct predict_account p = new_account(&agent, "0xAa01"), other = p, got;
    struct wallet none = new_wallet(&agent, "0xAa02", WALLET_EVM);

    other.kind = PREDICT_EOA;
    CHECK(predict_accounts_add(db, &other) == UNCHANGED);
    CHECK(predict_accounts_get(db, &p.wallet, &got) == LOOKUP_FOUND && got.wallet.id == p.wallet.id);
    CHECK(got.kind == PREDICT_DEPOSIT && got.form == 1 && memcmp(got.trading, p.trading, 20) == 0);
    CHECK(!got.closed_only && got.closed_only_due);
    CHECK(predict_accounts_get(db, &none, &got) == LOOKUP_NONE);
    CHECK(predict_accounts_of_wallet(db, p.wallet.id, &got) == LOOKUP_FOUND && got.kind == PREDICT_DEPOSIT);
    CHECK(got.form == 1 && memcmp(got.trading, p.trading, 20) == 0 && got.closed_only_due);
    CHECK(got.wallet.id == p.wallet.id && got.wallet.agent_id == agent.id && got.wallet.has_key);
    CHECK(strcmp(got.wallet.ref.address, "0xAa01") == 0);
    CHECK(predict_accounts_of_wallet(db, none.id, &got) == LOOKUP_NONE);
    CHECK(predict_accounts_pick(db, agent.id, NULL, &got) == LOOKUP_FOUND && got.kind == PREDICT_DEPOSIT);
    CHECK(got.form == 1 && memcmp(got.trading, p.trading, 20) == 0 && got.closed_only_due);
    CHECK(got.wallet.id == p.wallet.id && got.wallet.agent_id == agent.id && got.wallet.unlimited);
    CHECK(predict_accounts_pick(db, agent.id, "0xAa02", &got) == LOOKUP_FOUND && got.kind == 0);
    CHECK(got.wallet.id == none.id && got.wallet.has_key && got.credentials_len == 0);
    CHECK(predict_accounts_pick(db, agent.id, "0xAa03", &got) == LOOKUP_NONE);
    CHECK(predict_accounts_pick(db, agent.id + 999, "0xAa01", &got) == LOOKUP_NONE);
}

static void a_wallet_without_a_key_gets_none(void)
{
    struct agent agent = new_agent(NULL);
    struct predict_account p = { .wallet = new_wallet(&agent, "0xBb01", WALLET_EVM), .kind = PREDICT_EOA };

    CHECK(agents_delete(db, agent.id, NULL, NULL, NULL) == UPDATED);
    CHECK(predict_accounts_add(db, &p) == UNCHANGED);
}

static void credentials_are_rejected_once_a_minute(void)
{
    static const uint8_t one[] = "sealed", two[] = "sealed again";
    struct agent agent = new_agent(NULL);
    struct predict_account p = new_account(&agent, "0xCc01");
    uint8_t got[PREDICT_CREDENTIALS_MAX];
    size_t n = 0;

    CHECK(predict_accounts_credentials(db, p.wallet.id, got, &n) == LOOKUP_NONE);
    CHECK(predict_accounts_reject_credentials(db, p.wallet.id) == UNCHANGED);
    CHECK(predict_accounts_set_credentials(db, p.wallet.id, one, sizeof one));
    CHECK(predict_accounts_credentials(db, p.wallet.id, got, &n) == LOOKUP_FOUND && n == sizeof one);
    CHECK(memcmp(got, one, n) == 0);
    CHECK(predict_accounts_reject_credentials(db, p.wallet.id) == UNCHANGED);
    CHECK(raw("UPDATE predict_accounts SET credentials_at = credentials_at - INTERVAL 61 SECOND"));
    CHECK(predict_accounts_reject_credentials(db, p.wallet.id) == UPDATED);
    CHECK(predict_accounts_reject_credentials(db, p.wallet.id) == UNCHANGED);
    CHECK(predict_accounts_credentials(db, p.wallet.id, got, &n) == LOOKUP_NONE);
    CHECK(predict_accounts_set_credentials(db, p.wallet.id, two, sizeof two));
    CHECK(predict_accounts_credentials(db, p.wallet.id, got, &n) == LOOKUP_FOUND && n == sizeof two);
}

static void closed_only_is_asked_again_after_an_hour(void)
{
    struct agent agent = new_agent(NULL);
    struct predict_account p = new_account(&agent, "0xDd01"), got;

    CHECK(predict_accounts_closed_only(db) == LOOKUP_NONE);
    CHECK(predict_accounts_set_closed_only(db, p.wallet.id, true));
    CHECK(predict_accounts_get(db, &p.wallet, &got) == LOOKUP_FOUND && got.closed_only &&
          got.closed_only_due);
    CHECK(predict_accounts_closed_only(db) == LOOKUP_FOUND);
    CHECK(raw("UPDATE predict_accounts SET closed_only_at = closed_only_at - INTERVAL 61 MINUTE"));
    CHECK(predict_accounts_closed_only(db) == LOOKUP_NONE);
    CHECK(predict_accounts_set_closed_only(db, p.wallet.id, false));
    CHECK(predict_accounts_closed_only(db) == LOOKUP_NONE);
    CHECK(predict_accounts_get(db, &p.wallet, &got) == LOOKUP_FOUND && !got.closed_only &&
          !got.closed_only_due);
    CHECK(raw("UPDATE predict_accounts SET closed_only_at = closed_only_at - INTERVAL 61 MINUTE"));
    CHECK(predict_accounts_get(db, &p.wallet, &got) == LOOKUP_FOUND && got.closed_only_due);
}

static void a_deleted_agent_leaves_none(void)
{
    struct agent agent = new_agent(NULL);
    struct predict_account p = new_account(&agent, "0xEe01");

    CHECK(agents_delete(db, agent.id, NULL, NULL, NULL) == UPDATED);
    CHECK(purges_batch(db, agent.id, 10) >= 0);
    (void)purges_end(db, agent.id);
    CHECK(NUMBER("SELECT COUNT(*) FROM predict_accounts WHERE wallet_id = %d", (int)p.wallet.id) == 0);
}

static int64_t claim(const struct uuid *owner)
{
    return order_leases_claim(db, ORDERS_OF_PREDICTION, owner, 30, 10);
}

/* Each account's next poll searches it, until nothing is left to look at. */
static void all_with_credentials_are_sought(void)
{
    const struct uuid owner = uuid_random();
    struct agent agent = new_agent(NULL);
    struct predict_account p = new_account(&agent, "0xEf01"), q = new_account(&agent, "0xEf02"), got, *list;

    CHECK(predict_accounts_set_credentials(db, p.wallet.id, (const uint8_t *)"x", 1));
    CHECK(predict_accounts_get(db, &p.wallet, &got) == LOOKUP_FOUND && !got.resync_orders);
    CHECK(predict_accounts_resync(db) ==
          NUMBER("SELECT COUNT(*) FROM predict_accounts WHERE credentials <> ''"));
    CHECK(predict_accounts_get(db, &q.wallet, &got) == LOOKUP_FOUND && !got.resync_orders);
    CHECK(RAW("UPDATE predict_accounts SET orders_due_at = NULL WHERE wallet_id <> %d", (int)p.wallet.id));
    for (int again = 1; again >= 0; again--) {
        CHECK(claim(&owner) == 1 && predict_accounts_claimed(db, a, &owner, &list) == 1 &&
              list->resync_orders);
        CHECK(order_leases_release(db, ORDERS_OF_PREDICTION, &owner, p.wallet.id, again ? 1 : 0));
        CHECK(raw("UPDATE predict_accounts SET orders_due_at = orders_due_at - INTERVAL 1 SECOND"));
    }
    CHECK(predict_accounts_get(db, &p.wallet, &got) == LOOKUP_FOUND && !got.resync_orders &&
          claim(&owner) == 0);
}

STORE_TEST_MAIN(TEST(a_wallet_has_one), TEST(a_wallet_without_a_key_gets_none),
                TEST(credentials_are_rejected_once_a_minute), TEST(closed_only_is_asked_again_after_an_hour),
                TEST(a_deleted_agent_leaves_none), TEST(all_with_credentials_are_sought))
