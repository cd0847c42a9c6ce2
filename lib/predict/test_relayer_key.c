#include "predict/relayer_key.c"

#include <stdlib.h>
#include <unistd.h>

#include "base/test.h"

static bool key_reads(struct relayer_key *out, const char *text)
{
    char path[] = "/tmp/relayer_key_XXXXXX";
    int fd = mkstemp(path);
    bool ok;

    CHECK(fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text));
    close(fd);
    ok = relayer_key_read(path, out) == NULL;
    unlink(path);
    return ok;
}

static void a_key_is_one_of_two_kinds(void)
{
    struct relayer_key k;

    CHECK(key_reads(&k, "k-1 c2VjcmV0= p\r\n") && k.builder);
    CHECK_STR(k.key, "k-1");
    CHECK_STR(k.secret, "c2VjcmV0=");
    CHECK_STR(k.passphrase, "p");
    CHECK_STR(k.address, "");
    CHECK(key_reads(&k, " k\t0x1") && !k.builder);
    CHECK_STR(k.key, "k");
    CHECK_STR(k.address, "0x1");
    CHECK_STR(k.secret, "");
}

static void malformed_keys_are_refused(void)
{
    static const char *const bad[] = { "", "k", "k s p more", "k\x01 0x1", "k\xc3\xa9 0x1", "k \x7f" };
    char text[1024] = "0x1 ";
    struct relayer_key k;

    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        CHECK(!key_reads(&k, bad[i]));
    memset(text + strlen(text), 'k', RELAYER_WORD_MAX + 1);
    CHECK(!key_reads(&k, text));
    memset(text, 'k', sizeof text - 1); /* more than is read */
    CHECK(!key_reads(&k, text));
    CHECK_STR(relayer_key_read("/nonexistent/key", &k), "No such file or directory");
}

static void keys_are_read_if_needed(void)
{
    const struct conf off = { .predict_relayer_key_file = "/nonexistent/key" };
    const struct conf none = { .predict_trading = true, .predict_relayer_key_file = "" };

    CHECK(relayer_key_of(&off) == NULL && relayer_key_of(&none) == NULL);
}

TEST_MAIN(TEST(a_key_is_one_of_two_kinds), TEST(malformed_keys_are_refused), TEST(keys_are_read_if_needed))
