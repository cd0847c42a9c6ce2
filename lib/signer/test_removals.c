#include "signer/removals.c"

#include <fcntl.h>

#include "keys/test_util.h"

enum { NOW = 1700000000 };

static const struct allowlist_address one = { { { 1 } }, CHAIN_EVM, "0xA" },
                                      same_of_another = { { { 2 } }, CHAIN_EVM, "0xA" },
                                      of_another_family = { { { 1 } }, CHAIN_SOLANA, "0xA" };
static struct test_dir dir;
static struct removals r;
static char path[200], why[512];

static bool opens(int64_t now)
{
    return removals_open(&r, path, now, why, sizeof why);
}

static void test_begin(void)
{
    test_dir_make(&dir);
    (void)snprintf(path, sizeof path, "%s/" REMOVALS_FILE, dir.root);
    CHECK(opens(NOW));
}

static void test_end(void)
{
    removals_close(&r);
    test_dir_remove(&dir);
}

static void reopen(void)
{
    removals_close(&r);
    CHECK(opens(NOW + 1000));
}

static void append(const char *text)
{
    CHECK(write(r.fd, text, strlen(text)) == (ssize_t)strlen(text));
}

/* It began then, and nothing is known of before. */
static void the_start_of_the_record_is_known(void)
{
    test_begin();
    CHECK(removals_until(&r, &one) == NOW);
    reopen();
    CHECK(removals_until(&r, &one) == NOW);
    test_end();
}

static void removals_stay(void)
{
    test_begin();
    CHECK(removals_add(&r, &one, NOW + 10) && removals_until(&r, &one) == NOW + 10);
    CHECK(removals_until(&r, &same_of_another) == NOW && removals_until(&r, &of_another_family) == NOW);
    reopen();
    CHECK(removals_until(&r, &one) == NOW + 10);
    CHECK(removals_add(&r, &one, NOW + 20));
    reopen();
    CHECK(removals_until(&r, &one) == NOW + 20 && removals_until(&r, &same_of_another) == NOW);
    test_end();
}

static void an_incomplete_line_goes(void)
{
    test_begin();
    CHECK(removals_add(&r, &one, NOW + 10));
    append("1700000099 01000000-");
    reopen();
    CHECK(removals_until(&r, &one) == NOW + 10 && removals_add(&r, &same_of_another, NOW + 30));
    reopen();
    CHECK(removals_until(&r, &same_of_another) == NOW + 30);
    test_end();
}

/* One of them may be what keeps an address from being paid. */
static void a_line_that_is_none_of_ours_stops_it(void)
{
    static const char *const others[] = {
        "\n",
        "since 5\n",
        "1700000010 01000000-0000-0000-0000-000000000000 evm\n",
        "1700000010 01000000-0000-0000-0000-000000000000 venus 0xA\n",
        "1700000010 01000000-0000-0000-0000-00000000000 evm 0xA\n",
        "01700000010 01000000-0000-0000-0000-000000000000 evm 0xA\n",
        "-5 01000000-0000-0000-0000-000000000000 evm 0xA\n",
        "1700000010  01000000-0000-0000-0000-000000000000 evm 0xA\n",
        "1700000010 01000000-0000-0000-0000-000000000000 evm 0xA x\n",
    };

    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        test_begin();
        append(others[i]);
        removals_close(&r);
        CHECK(!opens(NOW) && strstr(why, "line 2 ") != NULL);
        test_end();
    }
    test_begin();
    append("1700000010 01000000-0000-0000-0000-000000000000 evm 0xA\n");
    reopen();
    CHECK(removals_until(&r, &one) == NOW + 10);
    test_end();
}

/* A removal that was not written does not count, for any number of tries. */
static void unwritten_removals_do_not_count(void)
{
    test_begin();
    (void)close(r.fd);
    r.fd = open("/dev/full", O_RDWR | O_CLOEXEC);
    CHECK(!removals_add(&r, &one, NOW + 10) && removals_until(&r, &one) == NOW);
    CHECK(!removals_add(&r, &one, NOW + 10));
    test_end();
}

TEST_MAIN(TEST(the_start_of_the_record_is_known), TEST(removals_stay), TEST(an_incomplete_line_goes),
          TEST(a_line_that_is_none_of_ours_stops_it), TEST(unwritten_removals_do_not_count))
