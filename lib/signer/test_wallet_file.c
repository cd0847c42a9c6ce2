#include "signer/wallet_file.c"

#include <fcntl.h>
#include <unistd.h>

#include "base/test.h"

static char path[64];
static int fd;

static void file_open(void)
{
    fd = line_file_open(path);
    CHECK(fd >= 0);
}

static void wallet_file_test_begin(void)
{
    (void)snprintf(path, sizeof path, "/tmp/wallet_file.%d", (int)getpid());
    (void)unlink(path);
    file_open();
}

static void wallet_file_test_end(void)
{
    (void)close(fd);
    (void)unlink(path);
}

static struct wallet_record record(uint8_t n, enum wallet_kind kind, const char *address)
{
    struct wallet_record r = { .ref.kind = kind, .created_ms = 1700000000000 + n };

    memset(&r.ref.wallet, n, sizeof r.ref.wallet);
    memset(&r.ref.agent, n + 1, sizeof r.ref.agent);
    memset(r.sealed, n + 2, sizeof r.sealed);
    (void)snprintf(r.ref.address, sizeof r.ref.address, "%s", address);
    return r;
}

static void append_bytes(const char *text)
{
    CHECK(write(fd, text, strlen(text)) == (ssize_t)strlen(text));
}

static bool same(const struct wallet_record *a, const struct wallet_record *b)
{
    return memcmp(&a->ref.wallet, &b->ref.wallet, UUID_LEN) == 0 &&
           memcmp(&a->ref.agent, &b->ref.agent, UUID_LEN) == 0 && a->ref.kind == b->ref.kind &&
           strcmp(a->ref.address, b->ref.address) == 0 && memcmp(a->sealed, b->sealed, SEALED_LEN) == 0 &&
           a->created_ms == b->created_ms;
}

static void next_is(FILE *f, const struct wallet_record *want)
{
    struct wallet_record got;

    CHECK(wallet_file_next(f, &got) == LOOKUP_FOUND && same(&got, want));
}

static void records_come_back(void)
{
    struct wallet_record got,
        evm = record(1, WALLET_EVM, "0x52908400098527886E0F7030069857D2E4169EE7"),
        solana = record(5, WALLET_SOLANA, "4Nd1mBQtrMJVYVfKf2PJy9NZUZdTAsp7D4xWLs4gDB4T");
    FILE *f;

    wallet_file_test_begin();
    CHECK(wallet_file_add(fd, &evm));
    (void)close(fd);
    file_open(); /* goes on where it ended */
    CHECK(wallet_file_add(fd, &solana));
    f = fopen(path, "r");
    next_is(f, &evm);
    next_is(f, &solana);
    CHECK(wallet_file_next(f, &got) == LOOKUP_NONE);
    (void)fclose(f);
    wallet_file_test_end();
}

static void an_incomplete_line_goes(void)
{
    struct wallet_record got, one = record(1, WALLET_EVM, "0xAa"), two = record(2, WALLET_EVM, "0xBb");
    FILE *f;

    wallet_file_test_begin();
    CHECK(wallet_file_add(fd, &one));
    append_bytes("1700000000000 01010101-0101");
    (void)close(fd);
    file_open();
    CHECK(wallet_file_add(fd, &two));
    f = fopen(path, "r");
    next_is(f, &one);
    next_is(f, &two);
    CHECK(wallet_file_next(f, &got) == LOOKUP_NONE);
    (void)fclose(f);
    wallet_file_test_end();
}

static void other_lines_are_told(void)
{
    static const char *const others[] = { "\n", "something\n",
                                          "1 01010101-0101-0101-0101-010101010101 x 1 0xAa 00\n" };
    struct wallet_record got, one = record(1, WALLET_EVM, "0xAa");
    FILE *f;

    wallet_file_test_begin();
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        append_bytes(others[i]);
    CHECK(wallet_file_add(fd, &one));
    f = fopen(path, "r");
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        CHECK(wallet_file_next(f, &got) == LOOKUP_ERROR);
    next_is(f, &one);
    (void)fclose(f);
    wallet_file_test_end();
}

static void failed_writes_are_reported(void)
{
    struct wallet_record one = record(1, WALLET_EVM, "0xAa");
    int full = open("/dev/full", O_RDWR);

    CHECK(full >= 0 && !wallet_file_add(full, &one));
    (void)close(full);
}

TEST_MAIN(TEST(records_come_back), TEST(an_incomplete_line_goes), TEST(other_lines_are_told),
          TEST(failed_writes_are_reported))
