#include "signer/address_history.c"

#include "signer/test_address_history.h"

static struct test_dir dir;
static struct address_history *b;
static int wallets;

static const struct uuid agent = { { 1 } }, another = { { 2 } };

static void make_keys(void)
{
    char why[512];

    CHECK(secrets_init());
    test_dir_make(&dir);
    CHECK(keyring_create(dir.keys, why, sizeof why));
    test_clocks_begin();
    wallets = test_wallets_open(&dir);
}

static void test_begin(void)
{
    make_keys();
    b = test_history_open(&dir, 1);
}

static void test_end(void)
{
    history_free(b);
    b = NULL;
    (void)close(wallets);
    test_dir_remove(&dir);
}

static void restart_with(unsigned hosts)
{
    history_free(b);
    b = test_history_open(&dir, hosts);
}

static void restart(void)
{
    restart_with(1);
}

/* It dies, and its last mark is the one that was written before. */
static void die_and_restart(void)
{
    struct address_history *died = b;

    b = test_history_open(&dir, 1);
    (void)close(died->fd); /* of a file that is no more */
    died->fd = -1;
    history_free(died);
}

static void reboot(void)
{
    test_boot_id.bytes[0]++;
    test_boot_s = 5;
}

static void file_path(char out[static 200], const char *name)
{
    (void)snprintf(out, 200, "%s/%s", dir.root, name);
}

static void make_wallet(struct uuid of)
{
    struct wallet_record w = { .ref = { .agent = of, .kind = WALLET_EVM, .address = "0xA" } };

    CHECK(wallet_file_add(wallets, &w));
    history_see(b, of);
}

static struct sealed_address admitted(bool at_once)
{
    struct sealed_address a = { .payee = { agent, CHAIN_EVM, "0xB" } };

    CHECK(history_admit(b, &a, at_once) == HISTORY_ADMITTED);
    return a;
}

static enum address_state state_of(const struct sealed_address *a)
{
    int64_t wait_s;

    return history_state(b, a, &wait_s);
}

/* ---- Time ---- */

static void the_wall_clock_changes_nothing_while_the_machine_runs(void)
{
    int64_t day = 86400, began;

    test_begin();
    began = history_now(b);
    CHECK(began == test_wall_s);
    for (int i = -2; i <= 2; i++) {
        test_wall_s = began + i * day;
        CHECK(history_now(b) == began);
        restart();
        CHECK(history_now(b) == began);
        die_and_restart();
        CHECK(history_now(b) == began);
    }
    test_boot_s += 10;
    CHECK(history_now(b) == began + 10);
    restart();
    CHECK(history_now(b) == began + 10 && history_ahead_s(b) == began + 10 - test_wall_s);
    test_end();
}

static void a_start_of_the_machine_asks_the_wall_clock_but_never_goes_back(void)
{
    int64_t began;

    test_begin();
    began = history_now(b);
    test_boot_s += 1000;
    reboot();
    test_wall_s = began - 86400;
    restart(); /* it was ended in good order, in the new boot's time */
    CHECK(history_now(b) >= began);
    reboot();
    test_wall_s = began + 5000;
    restart();
    CHECK(history_now(b) == began + 5000);
    test_end();
}

/* Power fails: the last tick is what is left. */
static void a_tick_keeps_the_time(void)
{
    int64_t began;

    test_begin();
    began = history_now(b);
    test_boot_s += 59;
    history_tick(b);
    reboot();
    test_wall_s = began - 10;
    die_and_restart();
    CHECK(history_now(b) == began);
    test_boot_s += 60;
    history_tick(b);
    reboot();
    die_and_restart();
    CHECK(history_now(b) == began + 60);
    test_end();
}

/* As on a system without /proc: then each start is like one of the machine. */
static void an_unknown_boot_is_never_the_same(void)
{
    int64_t began;

    make_keys();
    test_boot_id = (struct uuid){ { 0 } };
    b = test_history_open(&dir, 1);
    began = history_now(b);
    test_boot_s += 10;
    test_wall_s += 500;
    restart();
    CHECK(history_now(b) == began + 500);
    test_end();
}

/* ---- Addresses ---- */

static void an_address_waits(void)
{
    struct sealed_address a;
    int64_t wait_s;

    test_begin();
    a = admitted(false);
    CHECK(history_state(b, &a, &wait_s) == ADDRESS_WAITS && wait_s == TEST_DELAY_S);
    test_wall_s += TEST_DELAY_S; /* only the wall clock moves */
    CHECK(state_of(&a) == ADDRESS_WAITS);
    restart();
    CHECK(state_of(&a) == ADDRESS_WAITS);
    test_boot_s += TEST_DELAY_S - 1;
    CHECK(history_state(b, &a, &wait_s) == ADDRESS_WAITS && wait_s == 1);
    test_boot_s += 1;
    CHECK(history_state(b, &a, &wait_s) == ADDRESS_COUNTS && wait_s == 0);
    a = admitted(true);
    CHECK(state_of(&a) == ADDRESS_COUNTS);
    test_end();
}

static void a_removed_address_stays_removed_until_it_is_admitted_anew(void)
{
    struct sealed_address first, second, third;

    test_begin();
    first = admitted(true);
    second = admitted(true);
    CHECK(state_of(&first) == ADDRESS_COUNTS);
    CHECK(history_remove(b, &first));
    CHECK(state_of(&first) == ADDRESS_REMOVED && state_of(&second) == ADDRESS_REMOVED);
    die_and_restart();
    CHECK(state_of(&first) == ADDRESS_REMOVED && state_of(&second) == ADDRESS_REMOVED);
    CHECK(history_remove(b, &first));
    third = admitted(true); /* within the same second */
    CHECK(state_of(&third) == ADDRESS_COUNTS && state_of(&second) == ADDRESS_REMOVED);
    test_pass(1);
    CHECK(history_remove(b, &first)); /* an old record removes the new one, too */
    CHECK(state_of(&third) == ADDRESS_REMOVED);
    test_end();
}

/* A worker that removes and admits an address all the time gets no record from beyond a removal's reach. */
static void no_record_is_far_ahead(void)
{
    struct sealed_address a, last;
    int64_t began;
    int n = 0;

    test_begin();
    a = last = admitted(false);
    began = history_now(b);
    for (; n < 1000 && history_admit(b, &a, false) == HISTORY_ADMITTED; n++) {
        last = a;
        CHECK(a.made <= began + AHEAD_MAX_S && history_remove(b, &a) && state_of(&last) == ADDRESS_REMOVED);
    }
    CHECK(n >= 10 && n <= AHEAD_MAX_S + 1);
    CHECK(history_remove(b, &a));
    test_pass(AHEAD_MAX_S + 5);
    CHECK(history_admit(b, &a, false) == HISTORY_ADMITTED && state_of(&a) == ADDRESS_WAITS);
    test_end();
}

/* Its file of removals is gone: what it signed for before may have been removed. */
static void a_signer_that_lost_its_removals_revives_nothing(void)
{
    struct sealed_address a;
    char path[200];

    test_begin();
    a = admitted(true);
    test_pass(5);
    file_path(path, REMOVALS_FILE);
    CHECK(unlink(path) == 0);
    restart();
    CHECK(state_of(&a) == ADDRESS_REMOVED);
    a = admitted(true);
    CHECK(state_of(&a) == ADDRESS_COUNTS);
    test_end();
}

/* ---- At once ---- */

static void an_agent_without_a_wallet_is_new(void)
{
    test_begin();
    CHECK(history_is_new(b, agent) && history_is_complete(b));
    make_wallet(agent);
    CHECK(!history_is_new(b, agent) && history_is_new(b, another));
    restart();
    CHECK(!history_is_new(b, agent) && history_is_new(b, another));
    test_end();
}

/* The previous signer goes on while its successor begins. */
static void wallets_made_meanwhile_are_seen(void)
{
    struct address_history *next;
    char why[512];

    test_begin();
    make_wallet(agent);
    next = test_history_new(&dir, 1);
    make_wallet(another);
    history_free(b);
    b = next;
    CHECK(history_open(b, why, sizeof why));
    CHECK(!history_is_new(b, agent) && !history_is_new(b, another) && history_is_complete(b));
    test_end();
}

static void several_hosts_know_no_agent_for_good(void)
{
    test_begin();
    restart_with(2);
    CHECK(!history_is_new(b, agent));
    restart();
    CHECK(!history_is_new(b, agent) && !history_is_complete(b));
    test_end();
    make_keys();
    b = test_history_open(&dir, 2);
    restart();
    CHECK(!history_is_new(b, agent));
    test_end();
}

static void lose(const char *name)
{
    char path[200];

    history_free(b);
    file_path(path, name);
    CHECK(unlink(path) == 0);
    if (strcmp(name, WALLET_FILE) == 0) {
        (void)close(wallets);
        wallets = test_wallets_open(&dir);
    }
    b = test_history_open(&dir, 1);
}

static void a_book_that_was_lost_knows_no_agent(void)
{
    test_begin();
    lose(HISTORY_FILE);
    CHECK(!history_is_new(b, agent));
    test_end();
    test_begin();
    make_wallet(agent);
    lose(WALLET_FILE);
    CHECK(!history_is_new(b, agent) && !history_is_new(b, another));
    restart();
    CHECK(!history_is_new(b, another));
    test_end();
}

/* Keys that came from elsewhere, and wallets of a release that kept no history. */
static void keys_that_were_in_use_show_no_new_agent(void)
{
    struct wallet_record w = { .ref = { .agent = agent, .kind = WALLET_EVM, .address = "0xA" } };

    make_keys();
    CHECK(keyring_take_unused(dir.keys) && !keyring_take_unused(dir.keys));
    b = test_history_open(&dir, 1);
    CHECK(!history_is_new(b, agent));
    test_end();
    make_keys();
    CHECK(wallet_file_add(wallets, &w));
    b = test_history_open(&dir, 1);
    CHECK(!history_is_new(b, another));
    test_end();
}

static void agents_are_not_new_after_an_unreadable_line(void)
{
    test_begin();
    CHECK(write(wallets, "?\n", 2) == 2);
    restart();
    CHECK(!history_is_new(b, agent) && !history_is_complete(b));
    test_end();
}

static void a_damaged_book_does_not_open(void)
{
    char path[200], why[512] = "";

    test_begin();
    history_free(b);
    file_path(path, HISTORY_FILE);
    CHECK(truncate(path, 50) == 0);
    b = test_history_new(&dir, 1);
    CHECK(!history_open(b, why, sizeof why) && strstr(why, "damaged") != NULL);
    test_end();
}

/* ---- Several hosts ---- */

/* One of them has a clock that is wrong by a day: its own records wait no shorter elsewhere, and those of
 * others not shorter with it. */
static void of_two_clocks_the_longer_wait_counts(void)
{
    struct sealed_address a;

    make_keys();
    test_wall_s -= 86400;
    b = test_history_open(&dir, 2);
    test_wall_s += 86400; /* mended, after it was started */
    a = admitted(false);
    CHECK(a.not_before == test_wall_s + TEST_DELAY_S);
    test_wall_s = a.not_before;
    CHECK(state_of(&a) == ADDRESS_WAITS);
    test_end();
    make_keys();
    test_wall_s += 86400;
    b = test_history_open(&dir, 2);
    a.made = history_now(b) + 1;
    a.not_before = test_wall_s;
    CHECK(state_of(&a) == ADDRESS_COUNTS);
    test_wall_s -= 86400;
    CHECK(state_of(&a) == ADDRESS_WAITS);
    test_end();
}

static void removals_of_one_signer_bind_both(void)
{
    struct sealed_address a;
    struct test_dir first_dir;
    struct address_history *first;
    int first_wallets;

    make_keys();
    b = test_history_open(&dir, 2);
    first = b;
    first_dir = dir;
    first_wallets = wallets;
    make_keys();
    b = test_history_open(&dir, 2);
    test_pass(1);
    a = admitted(false);
    test_pass(TEST_DELAY_S);
    CHECK(state_of(&a) == ADDRESS_COUNTS);
    CHECK(history_remove(first, &a) && history_remove(b, &a));
    CHECK(state_of(&a) == ADDRESS_REMOVED);
    test_end();
    b = first;
    dir = first_dir;
    wallets = first_wallets;
    CHECK(state_of(&a) == ADDRESS_REMOVED);
    test_end();
}

TEST_MAIN(TEST(the_wall_clock_changes_nothing_while_the_machine_runs),
          TEST(a_start_of_the_machine_asks_the_wall_clock_but_never_goes_back), TEST(a_tick_keeps_the_time),
          TEST(an_unknown_boot_is_never_the_same), TEST(an_address_waits),
          TEST(a_removed_address_stays_removed_until_it_is_admitted_anew), TEST(no_record_is_far_ahead),
          TEST(a_signer_that_lost_its_removals_revives_nothing), TEST(an_agent_without_a_wallet_is_new),
          TEST(wallets_made_meanwhile_are_seen), TEST(several_hosts_know_no_agent_for_good),
          TEST(a_book_that_was_lost_knows_no_agent), TEST(keys_that_were_in_use_show_no_new_agent),
          TEST(agents_are_not_new_after_an_unreadable_line), TEST(a_damaged_book_does_not_open),
          TEST(of_two_clocks_the_longer_wait_counts), TEST(removals_of_one_signer_bind_both))
