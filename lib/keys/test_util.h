/* Shared by the tests of lib/keys and lib/signer: a directory that goes away, the signing vectors,
 * wallets. */
#ifndef KEYS_TEST_UTIL_H
#define KEYS_TEST_UTIL_H

#include <ftw.h>
#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>
#include <unistd.h>

#include "base/test.h"
#include "codec/test_vectors.h"
#include "keys/secret.h"
#include "model/wallet_ref.h"

struct test_dir {
    char root[128];
    char keys[160];
};

static inline void test_dir_make(struct test_dir *d)
{
    const char *tmp = getenv("TMPDIR");

    snprintf(d->root, sizeof d->root, "%s/keys.XXXXXX", tmp != NULL && strlen(tmp) < 100 ? tmp : "/tmp");
    CHECK(mkdtemp(d->root) != NULL);
    snprintf(d->keys, sizeof d->keys, "%s/keys", d->root);
}

static inline int test_dir_unlink(const char *path, const struct stat *st, int what, struct FTW *at)
{
    (void)st;
    (void)what;
    (void)at;
    return remove(path);
}

static inline void test_dir_remove(const struct test_dir *d)
{
    CHECK(nftw(d->root, test_dir_unlink, 8, FTW_DEPTH | FTW_PHYS) == 0);
}

/* The signing vectors; a test that cannot read them has failed. */
static inline json_t *test_vectors(void)
{
    json_t *doc = json_load_file("tests/vectors/evm-signing.json", 0, NULL);

    CHECK(doc != NULL);
    return doc;
}

/* Exactly n bytes of a hex member. */
static inline bool test_fixed(uint8_t *out, size_t n, const json_t *row, const char *name)
{
    size_t got = 0;

    return hex_decode_0x(out, n, &got, test_text(row, name)) && got == n;
}

static inline struct secret *test_key(const json_t *row)
{
    uint8_t bytes[SECRET_LEN] = { 0 };

    CHECK(test_fixed(bytes, sizeof bytes, row, "private_key"));
    return secret_take(bytes);
}

static inline struct wallet_ref test_wallet(const char *address)
{
    struct wallet_ref w = { .kind = WALLET_EVM };

    memset(w.wallet.bytes, 0x11, sizeof w.wallet.bytes);
    memset(w.agent.bytes, 0x22, sizeof w.agent.bytes);
    snprintf(w.address, sizeof w.address, "%s", address);
    return w;
}

#endif
