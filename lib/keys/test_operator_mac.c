#include "keys/operator_mac.c"

#include "keys/test_util.h"

enum { AT = 1700000000 };

static struct secret *key;

static void test_begin(void)
{
    CHECK(secrets_init() && (key = secret_random()) != NULL);
}

static void macs_bind_one_address_of_one_agent(void)
{
    struct uuid agent = { { 1 } }, other = { { 2 } };
    uint8_t mac[HASH_LEN];

    test_begin();
    operator_mac_make_address(mac, key, agent, 0, "0xabc", AT);
    CHECK(operator_mac_verify_address(mac, key, agent, 0, "0xabc", AT));
    CHECK(!operator_mac_verify_address(mac, key, other, 0, "0xabc", AT));
    CHECK(!operator_mac_verify_address(mac, key, agent, 1, "0xabc", AT));
    CHECK(!operator_mac_verify_address(mac, key, agent, 0, "0xabcd", AT));
    CHECK(!operator_mac_verify_address(mac, key, agent, 0, "0xabc", AT + 1));
    CHECK(!operator_mac_verify_address(mac, key, agent, 0, "0xabc", ORDER_UNTIMED));
    mac[HASH_LEN - 1] ^= 1;
    CHECK(!operator_mac_verify_address(mac, key, agent, 0, "0xabc", AT));
    secret_free(key);
}

/* A MAC of one kind fails as the other for any bytes of a transaction: the covered bytes begin
 * differently. */
static void neither_kind_passes_for_the_other(void)
{
    struct wallet_ref w = test_wallet("0xabc");
    uint8_t mac[HASH_LEN];

    test_begin();
    operator_mac_make_address(mac, key, w.agent, 0, w.address, AT);
    CHECK(!operator_mac_verify(mac, key, &w, (const uint8_t *)w.address, strlen(w.address)));
    operator_mac_make(mac, key, &w, (const uint8_t *)w.address, strlen(w.address));
    CHECK(!operator_mac_verify_address(mac, key, w.agent, 0, w.address, AT));
    CHECK(!operator_mac_verify_address(mac, key, w.wallet, 0, w.address, AT));
    secret_free(key);
}

TEST_MAIN(TEST(macs_bind_one_address_of_one_agent), TEST(neither_kind_passes_for_the_other))
