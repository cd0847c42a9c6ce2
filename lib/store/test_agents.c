#include "store/test_store.h"

static void agents_are_added_and_found(void)
{
    struct agent_new n = {
        .uuid = uuid_random(),
        .key_hash = { 0xee },
        .name = "n\xc3\xa4me \xf0\x9f\x98\x80'; DROP TABLE agents; --",
        .description = "what",
        .tier = "premium",
        .callback_url = "https://a.example/",
        .metadata = "{\"a\":1}",
        .sealed_secret = (const uint8_t *)"\0\1\2",
        .sealed_secret_len = 3,
    };
    uint8_t unknown[HASH_LEN] = { 0xef };
    int64_t created = 0;
    struct agent got;

    CHECK(agents_add(db, &n, &created));
    CHECK(agents_by_key(db, a, unknown, &got) == LOOKUP_NONE);
    CHECK(agents_by_key(db, a, n.key_hash, &got) == LOOKUP_FOUND);
    CHECK(memcmp(&got.uuid, &n.uuid, sizeof n.uuid) == 0 && got.status == AGENT_ACTIVE);
    CHECK_STR(got.name, n.name);
    CHECK_STR(got.description, "what");
    CHECK_STR(got.tier, "premium");
    CHECK_STR(got.callback_url, "https://a.example/");
    CHECK_STR(got.metadata, "{\"a\":1}");
    CHECK(got.has_webhook_secret && got.created_ms == created && got.last_active_ms == created);
    CHECK(got.total_requests == 0 && got.swaps_pending == 0 && got.swaps_completed == 0);

    n.uuid = uuid_random(); /* the same key */
    CHECK(!agents_add(db, &n, &created) && db_duplicate(db));

    n = (struct agent_new){
        .uuid = uuid_random(), .key_hash = { 0xed }, .name = "plain", .tier = "standard"
    };
    CHECK(agents_add(db, &n, &created) && agents_by_key(db, a, n.key_hash, &got) == LOOKUP_FOUND);
    CHECK(got.description == NULL && got.callback_url == NULL && got.metadata == NULL);
    CHECK(!got.has_webhook_secret);
}

/* Longer than what a column is fetched with at first. */
static void long_texts_come_back_whole(void)
{
    struct agent_new n = { .uuid = uuid_random(), .key_hash = { 0xec }, .name = "long", .tier = "standard" };
    char *metadata = arena_alloc(a, 16 * 1024 + 1);
    int64_t created;
    struct agent got;

    for (size_t i = 0; i < (size_t)16 * 1024; i++)
        metadata[i] = (char)('a' + i % 26);
    n.metadata = metadata;
    CHECK(agents_add(db, &n, &created) && agents_by_key(db, a, n.key_hash, &got) == LOOKUP_FOUND);
    CHECK_STR(got.metadata, metadata);
}

static void profiles_change(void)
{
    struct agent agent = new_agent(NULL);
    uint8_t n = agents_made;
    struct agent_change change = { .set_description = true, .description = "new" };
    bool kept = true;

    CHECK(agents_change(db, agent.id, &change, &kept) == UPDATED && !kept);
    CHECK_STR(reread(&agent, n).description, "new");

    /* the first callback brings a secret, which stays the agent's */
    change = (struct agent_change){ .set_callback = true,
                                    .callback_url = "https://a.example/",
                                    .sealed_secret = (const uint8_t *)"one",
                                    .sealed_secret_len = 3 };
    CHECK(agents_change(db, agent.id, &change, &kept) == UPDATED && kept);
    change.sealed_secret = (const uint8_t *)"two";
    CHECK(agents_change(db, agent.id, &change, &kept) == UPDATED && !kept);
    CHECK(NUMBER("SELECT webhook_secret = 'one' FROM agents WHERE id = %d", (int)agent.id) == 1);
    CHECK_STR(reread(&agent, n).description, "new");

    change = (struct agent_change){
        .set_callback = true, .set_description = true, .set_metadata = true, .metadata = "{}"
    };
    CHECK(agents_change(db, agent.id, &change, &kept) == UPDATED && !kept);
    agent = reread(&agent, n);
    CHECK(agent.callback_url == NULL && agent.description == NULL && agent.has_webhook_secret);
    CHECK_STR(agent.metadata, "{}");

    change = (struct agent_change){ .set_metadata = true, .metadata = "{}" };
    CHECK(agents_change(db, agent.id, &change, &kept) == UPDATED); /* nothing new is no failure */
    CHECK(agents_change(db, 999999, &change, &kept) == UNCHANGED);
}

static void requests_are_counted(void)
{
    struct agent agent = new_agent(NULL);
    uint8_t n = agents_made;

    CHECK(agents_count_requests(db, &agent.uuid, 5, agent.last_active_ms + 1500));
    CHECK(agents_count_requests(db, &agent.uuid, 2, agent.last_active_ms - 1500)); /* another host, late */
    CHECK(reread(&agent, n).total_requests == 7);
    CHECK(reread(&agent, n).last_active_ms == agent.last_active_ms + 1500);
}

static void requests_of_unknown_agents_are_forgotten(void)
{
    struct uuid unknown = uuid_random();

    CHECK(agents_count_requests(db, &unknown, 5, 1800000000000));
}

static void operators_change_agents(void)
{
    struct agent agent = new_agent(NULL), got;
    struct uuid unknown = uuid_random();
    uint8_t n = agents_made;

    CHECK(agents_by_uuid(db, a, &agent.uuid, &got) == LOOKUP_FOUND && got.id == agent.id);
    CHECK(agents_by_uuid(db, a, &unknown, &got) == LOOKUP_NONE);
    CHECK(agents_set_tier(db, agent.id, "gold") && agents_set_tier(db, agent.id, "gold"));
    CHECK(agents_set_status(db, agent.id, AGENT_DEACTIVATED, NULL));
    got = reread(&agent, n);
    CHECK_STR(got.tier, "gold");
    CHECK(got.status == AGENT_DEACTIVATED);
    CHECK(agents_set_status(db, agent.id, AGENT_ACTIVE, NULL) && reread(&agent, n).status == AGENT_ACTIVE);
}

static void agents_are_paged(void)
{
    struct agent first = new_agent(NULL), second = new_agent(NULL), page[3];

    CHECK(agents_page(db, a, NULL, first.id - 1, page, 1) == 1 && page[0].id == first.id);
    CHECK(agents_page(db, a, NULL, first.id - 1, page, 3) == 2 && page[1].id == second.id);
    CHECK(agents_page(db, a, NULL, second.id, page, 3) == 0);
    CHECK(agents_set_tier(db, second.id, "paged"));
    CHECK(agents_page(db, a, "paged", 0, page, 3) == 1 && page[0].id == second.id);
    CHECK(agents_page(db, a, "unknown", 0, page, 3) == 0);
}

static void a_key_is_replaced_once(void)
{
    struct agent agent = new_agent(NULL);
    uint8_t n = agents_made, old[HASH_LEN], one[HASH_LEN], two[HASH_LEN];
    struct agent got;

    key_of(n, old);
    memset(one, 0xa1, sizeof one);
    memset(two, 0xa2, sizeof two);
    CHECK(agents_rotate(db, agent.id + 1, old, one, QUOTA_NONE, NULL) == UNCHANGED);
    CHECK(agents_rotate(db, agent.id, old, one, QUOTA_NONE, NULL) == UPDATED);
    CHECK(agents_rotate(db, agent.id, old, two, QUOTA_NONE, NULL) == UNCHANGED); /* the loser of a race */
    CHECK(agents_by_key(db, a, old, &got) == LOOKUP_NONE && agents_by_key(db, a, two, &got) == LOOKUP_NONE);
    CHECK(agents_by_key(db, a, one, &got) == LOOKUP_FOUND && got.id == agent.id);
}

static void states_are_left_once(void)
{
    struct agent agent = new_agent(NULL);
    uint8_t n = agents_made;

    CHECK(agents_reactivate(db, agent.id, NULL) == UNCHANGED);
    CHECK(agents_deactivate(db, agent.id, NULL) == UPDATED);
    CHECK(reread(&agent, n).status == AGENT_DEACTIVATED);
    CHECK(agents_deactivate(db, agent.id, NULL) == UNCHANGED);
    CHECK(agents_reactivate(db, agent.id, NULL) == UPDATED);
    CHECK(agents_deactivate(db, 999999, NULL) == UNCHANGED);
    CHECK(agents_set_status(db, agent.id, AGENT_SHUT, NULL) &&
          agents_reactivate(db, agent.id, NULL) == UNCHANGED);
}

static void a_renewed_secret_keeps_the_former(void)
{
    struct agent agent = new_agent("https://a.example/");
    struct event e = { .agent_id = agent.id };

    CHECK(agents_renew_secret(db, agent.id, (const uint8_t *)"new", 3, NULL) == UPDATED);
    CHECK(events_secrets(db, &e) == LOOKUP_FOUND && e.sealed_secret_len == 3);
    CHECK(e.sealed_former_len == sizeof "sealed secret");
    CHECK(RAW("UPDATE agents SET previous_secret_until = UTC_TIMESTAMP(3) WHERE id = %d", (int)agent.id));
    CHECK(events_secrets(db, &e) == LOOKUP_FOUND && e.sealed_former_len == 0);
    CHECK(agents_renew_secret(db, 999999, (const uint8_t *)"new", 3, NULL) == UNCHANGED);
    e.agent_id = 999999;
    CHECK(events_secrets(db, &e) == LOOKUP_NONE);
}

static void deletion_leaves_nothing_to_open(void)
{
    struct agent agent = new_agent("https://a.example/");
    uint8_t hash[HASH_LEN];
    struct wallet w = new_wallet(&agent, "0xAa0d", WALLET_EVM), got;
    struct execution s = new_swap(agent.id, w.id), again = s;
    struct agent gone;

    key_of(agents_made, hash);
    CHECK(events_add(db, agent.id, "swap.completed", "{}"));
    CHECK(agents_delete(db, agent.id, NULL, NULL, NULL) == UPDATED &&
          agents_delete(db, agent.id, NULL, NULL, NULL) == UNCHANGED);
    CHECK(agents_by_key(db, a, hash, &gone) == LOOKUP_NONE);
    CHECK(wallets_get(db, w.id, &got) == LOOKUP_FOUND && !got.has_key && w.has_key);
    CHECK(wallets_lock(db, w.id, 1, &(struct wallet_locked){ 0 }) == LOOKUP_NONE);
    CHECK(NUMBER("SELECT COUNT(*) FROM webhook_events WHERE agent_id = %d AND status = 1", (int)agent.id) ==
          0);
    /* nothing comes into being any more */
    w.ref.wallet = uuid_random();
    snprintf(w.ref.address, sizeof w.ref.address, "0xAa0e");
    CHECK(wallets_add(db, &w, 0) == UNCHANGED);
    again.once = uuid_random();
    CHECK(executions_add(db, &again, 0) && count_new(&again) == UNCHANGED);
    CHECK(RAW("DELETE FROM executions WHERE id = %d", (int)again.id)); /* an execute rolls back */
    CHECK(events_add(db, agent.id, "swap.completed", "{}"));
    /* but what is in flight goes on */
    CHECK(move(&s, EXEC_PENDING, EXEC_COMPLETED) == 1);
}

/* An execution may have begun since the caller looked. */
static void deletion_may_wait_for_what_has_not_ended(void)
{
    struct agent agent = new_agent(NULL);
    struct wallet w = new_wallet(&agent, "0xAa0f", WALLET_EVM), got;
    struct execution s = new_swap(agent.id, w.id);
    bool busy = false;

    CHECK(agents_delete(db, agent.id, NULL, NULL, &busy) == UNCHANGED && busy);
    CHECK(wallets_get(db, w.id, &got) == LOOKUP_FOUND && got.has_key);
    CHECK(move(&s, EXEC_PENDING, EXEC_COMPLETED) == 1);
    CHECK(agents_delete(db, agent.id, NULL, NULL, &busy) == UPDATED && !busy);
    CHECK(agents_delete(db, agent.id, NULL, NULL, &busy) == UNCHANGED && !busy);
}

STORE_TEST_MAIN(TEST(deletion_may_wait_for_what_has_not_ended), TEST(agents_are_added_and_found),
                TEST(long_texts_come_back_whole), TEST(profiles_change), TEST(requests_are_counted),
                TEST(requests_of_unknown_agents_are_forgotten), TEST(operators_change_agents),
                TEST(agents_are_paged), TEST(a_key_is_replaced_once), TEST(states_are_left_once),
                TEST(a_renewed_secret_keeps_the_former), TEST(deletion_leaves_nothing_to_open))
