#include "store/withdrawals.h"

#include "store/test_store.h"
#include "store/withdrawal_addresses.h"

enum { AGENT = 91, OTHER = 92, UNKNOWN_AGENT = 4711 };

static struct withdrawal_address address_of(uint64_t agent_id, const char *address, const char *label)
{
    struct withdrawal_address wa = { .agent_id = agent_id,
                                     .kind = WALLET_EVM,
                                     .record = { .bytes = "sealed", .len = 6 } };

    if (agent_id != UNKNOWN_AGENT)
        have_agent(agent_id);
    (void)snprintf(wa.address, sizeof wa.address, "%s", address);
    (void)snprintf(wa.label, sizeof wa.label, "%s", label);
    return wa;
}

static void an_address_waits_and_is_removed(void)
{
    struct withdrawal_address wa = address_of(AGENT, "0xA1", "cold"), got;

    CHECK(withdrawal_addresses_add(db, &wa, 60) == UPDATED);
    CHECK(wa.id != 0 && !wa.active && wa.active_ms - wa.created_ms == 60000 && wa.record.len == 6);
    CHECK_STR(withdrawal_address_status(&wa), "waiting");
    CHECK(RAW("UPDATE withdrawal_addresses SET active_at = UTC_TIMESTAMP(3) WHERE id = %d", (int)wa.id));
    CHECK(withdrawal_addresses_get(db, AGENT, wa.id, &got) == LOOKUP_FOUND && got.active && !got.removed);
    CHECK(memcmp(got.record.bytes, "sealed", 6) == 0);
    CHECK(withdrawal_addresses_get(db, OTHER, wa.id, &got) == LOOKUP_NONE);
    CHECK(withdrawal_addresses_remove(db, OTHER, wa.id) == UNCHANGED);
    CHECK(withdrawal_addresses_remove(db, AGENT, wa.id) == UPDATED);
    CHECK(withdrawal_addresses_remove(db, AGENT, wa.id) == UNCHANGED);
    CHECK(withdrawal_addresses_get(db, 0, wa.id, &got) == LOOKUP_FOUND && got.removed);
    CHECK(withdrawal_addresses_activate(db, wa.id, &wa.record) == UNCHANGED);
    CHECK(withdrawal_addresses_labelled(db, AGENT, WALLET_EVM, "cold", &got) == LOOKUP_NONE);
}

/* Among those that are not removed; without a label there may be many. */
static void addresses_and_labels_are_there_once(void)
{
    struct withdrawal_address first = address_of(OTHER, "0xB1", "Cold"), got;
    struct withdrawal_address twin = address_of(OTHER, "0xB1", ""),
                              namesake = address_of(OTHER, "0xB2", "Cold"),
                              plain = address_of(OTHER, "0xB3", ""), plain2 = address_of(OTHER, "0xB4", ""),
                              unowned = address_of(UNKNOWN_AGENT, "0xB5", "");

    CHECK(withdrawal_addresses_add(db, &first, 0) == UPDATED && first.active);
    CHECK(withdrawal_addresses_add(db, &twin, 0) == UNCHANGED);
    CHECK(withdrawal_addresses_add(db, &namesake, 0) == UNCHANGED);
    CHECK(withdrawal_addresses_add(db, &plain, 0) == UPDATED &&
          withdrawal_addresses_add(db, &plain2, 0) == UPDATED);
    CHECK(withdrawal_addresses_add(db, &unowned, 0) == UNCHANGED);
    CHECK(withdrawal_addresses_labelled(db, OTHER, WALLET_EVM, "cOLD", &got) == LOOKUP_FOUND &&
          got.id == first.id);
    CHECK(withdrawal_addresses_at(db, OTHER, WALLET_EVM, "0xB3", &got) == LOOKUP_FOUND && got.id == plain.id);
    CHECK(withdrawal_addresses_at(db, OTHER, WALLET_EVM, "cold", &got) == LOOKUP_NONE);
    CHECK(withdrawal_addresses_labelled(db, OTHER, WALLET_EVM, "0xB3", &got) == LOOKUP_NONE);
    CHECK(withdrawal_addresses_labelled(db, OTHER, WALLET_SOLANA, "cold", &got) == LOOKUP_NONE);
    CHECK(withdrawal_addresses_remove(db, OTHER, first.id) == UPDATED);
    CHECK(withdrawal_addresses_add(db, &twin, 0) == UPDATED);
}

/* The host that asks takes it last, and by itself. */
static void other_hosts_take_a_removal(void)
{
    const struct uuid asking = uuid_random(), second = uuid_random(), third = uuid_random();
    struct withdrawal_address wa = address_of(AGENT, "0xC1", ""), *list;
    uint64_t hosts;

    CHECK(withdrawal_addresses_add(db, &wa, 0) == UPDATED);
    CHECK(withdrawal_addresses_asked(db, a, &second, &list) == 0);
    CHECK(withdrawal_addresses_ask(db, wa.id, &asking));
    CHECK(withdrawal_addresses_asked(db, a, &asking, &list) == 0);
    CHECK(withdrawal_addresses_asked(db, a, &second, &list) == 1 && list[0].id == wa.id);
    CHECK(withdrawal_addresses_taken(db, wa.id, &second) && withdrawal_addresses_taken(db, wa.id, &second));
    CHECK(withdrawal_addresses_hosts(db, wa.id, &hosts) == LOOKUP_FOUND && hosts == 1);
    CHECK(withdrawal_addresses_asked(db, a, &second, &list) == 0);
    CHECK(withdrawal_addresses_asked(db, a, &third, &list) == 1);
    CHECK(withdrawal_addresses_taken(db, wa.id, &third));
    CHECK(withdrawal_addresses_hosts(db, wa.id, &hosts) == LOOKUP_FOUND && hosts == 2);
    CHECK(withdrawal_addresses_recall(db, wa.id));
    CHECK(withdrawal_addresses_hosts(db, wa.id, &hosts) == LOOKUP_FOUND && hosts == 0);
    CHECK(withdrawal_addresses_asked(db, a, &second, &list) == 0);
}

static uint64_t withdrawal_new(uint64_t address_id, uint64_t fee)
{
    struct execution x = swap_terms(AGENT, 3);
    struct withdrawal w = { .agent_id = AGENT, .address_id = address_id, .fee = u256_from_u64(fee) };

    x.kind = KIND_WITHDRAWAL;
    x.once = uuid_random();
    add_swap(&x, 0);
    w.execution_id = x.id;
    CHECK(withdrawals_put(db, &w));
    return x.id;
}

static void withdrawals_have_their_address_and_fee(void)
{
    struct withdrawal_address wa = address_of(AGENT, "0xD1", "");
    struct address_record record;
    struct withdrawal w;
    const struct agent agent = { .id = AGENT };
    struct own_listed list[10];
    const struct u256 paid = u256_from_u64(70);
    struct page page = { .limit = 10 };
    struct own_filter any = { .listed = 0 }, completed = { .listed = EXEC_COMPLETED },
                      pending = { .listed = EXEC_PENDING };
    uint64_t first, second, total;

    CHECK(withdrawal_addresses_add(db, &wa, 0) == UPDATED);
    first = withdrawal_new(wa.id, 100);
    second = withdrawal_new(wa.id, 200);
    CHECK(withdrawals_get(db, first, &w) == LOOKUP_FOUND && w.address_id == wa.id && w.agent_id == AGENT);
    CHECK_STR(w.to, "0xD1");
    CHECK(withdrawals_set_fee(db, first, &paid) && withdrawals_get(db, first, &w) == LOOKUP_FOUND &&
          u256_cmp(w.fee, paid) == 0);
    CHECK(withdrawal_addresses_record(db, second, &record) == LOOKUP_FOUND && record.len == 6);
    CHECK(withdrawals_get(db, 4711, &w) == LOOKUP_NONE);
    CHECK(withdrawals_page(db, a, &agent, &any, &page, list, &total) == 2 && total == 2);
    CHECK(list[0].execution.id == second && list[1].execution.id == first);
    CHECK(withdrawals_page(db, a, &agent, &completed, &page, list, &total) == 0 && total == 0);
    page.offset = 1;
    CHECK(withdrawals_page(db, a, &agent, &pending, &page, list, &total) == 1 && total == 2);
    CHECK(list[0].execution.id == first && ((const struct withdrawal *)list[0].own)->execution_id == first);
    page.offset = 0;
    any.more.chain_id = list[0].execution.from.chain_id;
    CHECK(withdrawals_page(db, a, &agent, &any, &page, list, &total) == 2 && total == 2);
    any.more.chain_id++;
    CHECK(withdrawals_page(db, a, &agent, &any, &page, list, &total) == 0 && total == 0);
    pending.more.created.until_ms = 1;
    CHECK(withdrawals_page(db, a, &agent, &pending, &page, list, &total) == 0 && total == 0);
}

STORE_TEST_MAIN(TEST(an_address_waits_and_is_removed), TEST(addresses_and_labels_are_there_once),
                TEST(other_hosts_take_a_removal), TEST(withdrawals_have_their_address_and_fee))
