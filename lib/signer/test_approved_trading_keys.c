#include "signer/approved_trading_keys.c"

#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include "keys/test_util.h"

static const char ONE[] = "0x1111111111111111111111111111111111111111",
                  TWO[] = "0x2222222222222222222222222222222222222222";
static const uint8_t first[HASH_LEN] = { 1, 2, 3 }, second[HASH_LEN] = { 1, 2, 4 };

static struct test_dir dir;
static char path[200];

static void begin(void)
{
    test_dir_make(&dir);
    snprintf(path, sizeof path, "%s/" TRADING_KEYS_FILE, dir.root);
}

static struct trading_keys *opened(void)
{
    char why[512];

    return trading_keys_open(path, why, sizeof why);
}

static void addresses_are_approved_once(void)
{
    struct trading_keys *a;

    begin();
    a = opened();
    CHECK(trading_keys_keep(a, ONE, first) == KEY_APPROVED &&
          trading_keys_keep(a, ONE, first) == KEY_APPROVED);
    CHECK(trading_keys_keep(a, ONE, second) == KEY_APPROVED_OTHERWISE);
    CHECK(trading_keys_keep(a, TWO, second) == KEY_APPROVED);
    trading_keys_close(a);
    a = opened();
    CHECK(trading_keys_keep(a, ONE, second) == KEY_APPROVED_OTHERWISE &&
          trading_keys_keep(a, ONE, first) == KEY_APPROVED);
    CHECK(trading_keys_keep(a, TWO, first) == KEY_APPROVED_OTHERWISE);
    trading_keys_close(a);
    test_dir_remove(&dir);
}

/* A repetition adds no line. */
static void the_file_has_a_line_for_each(void)
{
    char want[512];
    struct trading_keys *a;
    struct stat st;

    begin();
    a = opened();
    for (int i = 0; i < 3; i++)
        CHECK(trading_keys_keep(a, ONE, first) == KEY_APPROVED);
    line_write(want, ONE, first);
    CHECK(stat(path, &st) == 0 && st.st_size == (off_t)strlen(want) && (st.st_mode & 077) == 0);
    trading_keys_close(a);
    test_dir_remove(&dir);
}

static void spill(const char *text)
{
    FILE *f = fopen(path, "w");

    CHECK(f != NULL && fputs(text, f) >= 0 && fclose(f) == 0);
}

/* Half a last line was never answered; anything else is not ours. */
static void files_hold_whole_lines(void)
{
    char line[LINE_FILE_MAX], other[2 * LINE_FILE_MAX];
    struct trading_keys *a;

    begin();
    line_write(line, ONE, first);
    snprintf(other, sizeof other, "%s%.30s", line, line);
    spill(other);
    a = opened();
    CHECK(a != NULL && trading_keys_keep(a, ONE, second) == KEY_APPROVED_OTHERWISE);
    trading_keys_close(a);
    for (size_t i = 0; i < strlen(line); i++) {
        snprintf(other, sizeof other, "%s\n", line);
        other[i] = '~';
        spill(other);
        CHECK(opened() == NULL);
    }
    snprintf(other, sizeof other, "%.40s\n", line);
    spill(other);
    CHECK(opened() == NULL);
    test_dir_remove(&dir);
}

static void unwritten_approvals_do_not_count(void)
{
    const struct rlimit full = { 10, RLIM_INFINITY }, room = { RLIM_INFINITY, RLIM_INFINITY };
    struct trading_keys *a;

    begin();
    CHECK(trading_keys_keep(NULL, ONE, first) == KEY_NOT_KEPT);
    a = opened();
    (void)signal(SIGXFSZ, SIG_IGN);
    CHECK(setrlimit(RLIMIT_FSIZE, &full) == 0);
    CHECK(trading_keys_keep(a, ONE, first) == KEY_NOT_KEPT &&
          trading_keys_keep(a, ONE, first) == KEY_NOT_KEPT);
    CHECK(setrlimit(RLIMIT_FSIZE, &room) == 0);
    CHECK(trading_keys_keep(a, ONE, second) == KEY_APPROVED);
    trading_keys_close(a);
    a = opened();
    CHECK(a != NULL && trading_keys_keep(a, ONE, first) == KEY_APPROVED_OTHERWISE);
    trading_keys_close(a);
    test_dir_remove(&dir);
}

TEST_MAIN(TEST(addresses_are_approved_once), TEST(the_file_has_a_line_for_each), TEST(files_hold_whole_lines),
          TEST(unwritten_approvals_do_not_count))
