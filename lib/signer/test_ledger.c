#include "signer/ledger.c"

#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include "base/test.h"

static const char USDC[] = "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48";
static char path[64], why[512];
static struct limits limits;
static struct ledger *ledger;

enum { NOON = 100 * DAY_S + DAY_S / 2 };

static void open_at(int64_t now_s)
{
    ledger_close(ledger);
    ledger = ledger_open(path, &limits, now_s, why, sizeof why);
    CHECK(ledger != NULL);
}

/* Two limits of 100 a day: of the coin, and of a token. */
static void ledger_test_begin(void)
{
    snprintf(path, sizeof path, "/tmp/ledger.%d", (int)getpid());
    unlink(path);
    limits = (struct limits){ .count = 2 };
    for (size_t i = 0; i < 2; i++)
        limits.rows[i] = (struct limit){ .chain_id = 1, .per_day = true, .day_max = u256_from_u64(100) };
    snprintf(limits.rows[0].token, sizeof limits.rows[0].token, "%s", TRADE_COIN);
    snprintf(limits.rows[1].token, sizeof limits.rows[1].token, "%s", USDC);
    ledger = NULL;
    open_at(NOON);
}

static void ledger_test_end(void)
{
    ledger_close(ledger);
    ledger = NULL;
    unlink(path);
}

static bool count(size_t row, uint8_t use, uint64_t amount, int64_t now_s)
{
    struct ledger_entry e = { .limit = &limits.rows[row], .amount = u256_from_u64(amount) };

    sha256(e.use, &use, 1);
    return ledger_count(ledger, &e, now_s);
}

static void sums_end_at_the_limit(void)
{
    ledger_test_begin();
    CHECK(count(0, 1, 60, NOON) && !count(0, 2, 41, NOON) && count(0, 3, 40, NOON));
    CHECK(!count(0, 4, 1, NOON) && count(0, 5, 0, NOON));
    CHECK(count(1, 4, 100, NOON)); /* the token has a sum of its own */
    ledger_test_end();
}

/* Also over a restart: a sum of withdrawals is not one of everything. */
static void withdrawals_have_a_sum_of_their_own(void)
{
    ledger_test_begin();
    limits.rows[0] = limits.rows[1];
    limits.rows[0].withdrawn = true;
    open_at(NOON);
    CHECK(count(0, 1, 60, NOON) && count(1, 1, 90, NOON));
    open_at(NOON);
    CHECK(!count(0, 2, 41, NOON) && count(0, 2, 40, NOON));
    CHECK(!count(1, 2, 11, NOON) && count(1, 2, 10, NOON));
    ledger_test_end();
}

static void a_use_counts_once(void)
{
    ledger_test_begin();
    CHECK(count(0, 1, 60, NOON) && count(0, 1, 60, NOON) && count(0, 1, 10, NOON));
    CHECK(count(0, 1, 90, NOON)); /* 30 more */
    CHECK(!count(0, 2, 11, NOON) && count(0, 2, 10, NOON));
    CHECK(count(1, 1, 60, NOON) && !count(1, 2, 41, NOON)); /* in each sum */
    ledger_test_end();
}

static void restarts_forget_no_sum(void)
{
    ledger_test_begin();
    CHECK(count(0, 1, 60, NOON) && count(0, 2, 30, NOON) && count(1, 1, 99, NOON));
    open_at(NOON + 5);
    CHECK(!count(0, 3, 11, NOON + 5) && count(0, 3, 10, NOON + 5) && !count(1, 2, 2, NOON + 5));
    ledger_test_end();
}

static void days_begin_anew_and_never_go_back(void)
{
    ledger_test_begin();
    CHECK(count(0, 1, 100, NOON) && !count(0, 2, 1, NOON + DAY_S / 2 - 1) &&
          count(0, 2, 100, NOON + DAY_S / 2));
    CHECK(!count(0, 3, 1, NOON)); /* the clock was set back */
    open_at(NOON);
    CHECK(!count(0, 3, 1, NOON));
    open_at(NOON + DAY_S);
    CHECK(!count(0, 3, 1, NOON + DAY_S));
    open_at(NOON + 2 * DAY_S);
    CHECK(count(0, 3, 100, NOON + 2 * DAY_S));
    ledger_test_end();
}

static void limits_may_change_places(void)
{
    struct limit coin;

    ledger_test_begin();
    CHECK(count(0, 1, 60, NOON) && count(1, 1, 99, NOON));
    coin = limits.rows[0];
    limits.rows[0] = limits.rows[1];
    limits.rows[1] = coin;
    open_at(NOON);
    CHECK(!count(0, 2, 2, NOON) && count(1, 2, 40, NOON) && !count(1, 3, 1, NOON));
    ledger_test_end();
}

/* A file in which tokens are the bytes of their addresses. */
static void files_of_former_versions_are_read(void)
{
    uint8_t place[PLACE_LEN], proof[HASH_LEN];
    struct cell cell = { .number = 2, .sum = u256_from_u64(60) };
    struct evm_addr usdc;
    int fd;

    ledger_test_begin();
    ledger_close(ledger);
    ledger = NULL;
    unlink(path);
    place_write(place, &cell, NOON / DAY_S, &limits.rows[1]);
    CHECK(evm_addr_parse(&usdc, USDC));
    memcpy(place + AT_TOKEN, usdc.bytes, sizeof usdc.bytes);
    place_digest(proof, place);
    memcpy(place + AT_PROOF, proof, PROOF_LEN);
    fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    CHECK(fd >= 0 && write(fd, place, sizeof place) == (ssize_t)sizeof place);
    close(fd);
    open_at(NOON);
    CHECK(!count(1, 1, 41, NOON) && count(1, 2, 40, NOON) && count(0, 1, 100, NOON));
    open_at(NOON); /* and now as it is written today */
    CHECK(!count(1, 3, 1, NOON));
    ledger_test_end();
}

/* For every byte of a place that a crash may leave unwritten, the other place has the previous sum. */
static void half_a_place_is_not_read(void)
{
    ledger_test_begin();
    for (int i = 0; i < PLACE_LEN; i++) {
        uint8_t junk = 0xa5;
        off_t at;
        int fd;

        unlink(path);
        open_at(NOON);
        CHECK(count(0, 1, 50, NOON) && count(0, 2, 30, NOON)); /* the second write is in the first place */
        at = (off_t)((ledger->cells[0].number & 1) * PLACE_LEN) + i;
        fd = open(path, O_WRONLY | O_CLOEXEC);
        CHECK(fd >= 0 && pwrite(fd, &junk, 1, at) == 1);
        close(fd);
        open_at(NOON);
        if (i < AT_PROOF + PROOF_LEN)
            CHECK(count(0, 3, 50, NOON) && !count(0, 4, 1, NOON));
        else
            CHECK(!count(0, 3, 21, NOON));
    }
    ledger_test_end();
}

/* kill -9 while it counts: what was told as counted is in the file. */
static void killed_while_counting(void)
{
    for (int round = 0; round < 5; round++) {
        int told[2], status;
        uint64_t last = 0, v;
        pid_t pid;

        ledger_test_begin();
        limits.rows[0].day_max = u256_from_u64(UINT64_MAX);
        CHECK(pipe(told) == 0);
        pid = fork();
        if (pid == 0) {
            for (v = 1;; v++) {
                struct ledger_entry e = { .limit = &limits.rows[0], .amount = u256_from_u64(1) };

                sha256(e.use, &v, sizeof v);
                if (!ledger_count(ledger, &e, NOON) || write(told[1], &v, sizeof v) != sizeof v)
                    _exit(1);
            }
        }
        close(told[1]);
        while (last < 200 && read(told[0], &v, sizeof v) == sizeof v)
            last = v;
        kill(pid, SIGKILL);
        CHECK(waitpid(pid, &status, 0) == pid && WIFSIGNALED(status));
        while (read(told[0], &v, sizeof v) == sizeof v)
            last = v;
        close(told[0]);
        open_at(NOON);
        CHECK(last >= 200 && u256_cmp(ledger->cells[0].sum, u256_from_u64(last)) >= 0 &&
              u256_cmp(ledger->cells[0].sum, u256_from_u64(last + 1)) <= 0);
        ledger_test_end();
    }
}

static void unwritten_entries_do_not_count(void)
{
    struct rlimit before, none = { 0, 0 };

    ledger_test_begin();
    CHECK(getrlimit(RLIMIT_FSIZE, &before) == 0);
    none.rlim_max = before.rlim_max;
    signal(SIGXFSZ, SIG_IGN);
    CHECK(setrlimit(RLIMIT_FSIZE, &none) == 0);
    CHECK(!count(0, 1, 1, NOON));
    CHECK(setrlimit(RLIMIT_FSIZE, &before) == 0);
    CHECK(count(0, 2, 1, NOON));
    ledger_test_end();
}

TEST_MAIN(TEST(sums_end_at_the_limit), TEST(withdrawals_have_a_sum_of_their_own), TEST(a_use_counts_once),
          TEST(restarts_forget_no_sum), TEST(days_begin_anew_and_never_go_back),
          TEST(limits_may_change_places), TEST(files_of_former_versions_are_read),
          TEST(half_a_place_is_not_read), TEST(killed_while_counting), TEST(unwritten_entries_do_not_count))
