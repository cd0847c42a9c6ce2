/* A history in a directory of a test's, with clocks that the test sets. */
#ifndef SIGNER_TEST_ADDRESS_HISTORY_H
#define SIGNER_TEST_ADDRESS_HISTORY_H

#include <unistd.h>

#include "keys/test_util.h"
#include "signer/address_history.h"
#include "signer/line_file.h"
#include "signer/wallet_file.h"

enum { TEST_DELAY_S = 86400 };

static int64_t test_boot_s, test_wall_s;
static struct uuid test_boot_id;

static inline int64_t test_boot(void)
{
    return test_boot_s;
}

static inline int64_t test_wall(void)
{
    return test_wall_s;
}

static inline void test_clocks_begin(void)
{
    test_boot_s = 100;
    test_wall_s = 1700000000;
    test_boot_id = (struct uuid){ { 1 } };
}

/* Lets time pass on both clocks. */
static inline void test_pass(int64_t seconds)
{
    test_boot_s += seconds;
    test_wall_s += seconds;
}

static inline struct address_history *test_history_new(const struct test_dir *d, unsigned hosts)
{
    const struct history_terms terms = { d->root, d->keys, TEST_DELAY_S, hosts };
    const struct history_clock clock = { test_wall, test_boot, test_boot_id };
    struct address_history *b = history_new(&terms, &clock);

    CHECK(b != NULL);
    return b;
}

/* Next to a file of wallets, whose descriptor it returns. */
static inline int test_wallets_open(const struct test_dir *d)
{
    char path[200];
    int fd;

    (void)snprintf(path, sizeof path, "%s/" WALLET_FILE, d->root);
    fd = line_file_open(path);
    CHECK(fd >= 0);
    return fd;
}

static inline struct address_history *test_history_open(const struct test_dir *d, unsigned hosts)
{
    struct address_history *b = test_history_new(d, hosts);
    char why[512];

    CHECK(history_open(b, why, sizeof why));
    return b;
}

#endif
