#include "base/board.c"
#include "base/test.h"

#include <sys/wait.h>
#include <unistd.h>

struct value {
    uint64_t n;
    char text[41]; /* no whole number of words */
};

static struct board board = BOARD_INIT(3, struct value);

static struct value value_of(uint64_t n)
{
    struct value v;

    memset(&v, 0, sizeof v);
    v.n = n;
    memset(v.text, (int)('a' + n % 26), sizeof v.text);
    return v;
}

static bool board_is(const struct value *v, uint64_t n)
{
    struct value want = value_of(n);

    return memcmp(v, &want, sizeof want) == 0;
}

static bool board_has(size_t place, uint64_t n)
{
    struct value v;

    return board_read(&board, place, &v) && board_is(&v, n);
}

static void reads_return_the_last_write(void)
{
    struct value one = value_of(1), two = value_of(2), none;

    CHECK(!board_read(&board, 0, &none) && !board_read(&board, 2, &none));
    board_write(&board, 0, &one);
    board_write(&board, 2, &one);
    board_write(&board, 2, &two);
    CHECK(board_has(0, 1) && board_has(2, 2) && !board_read(&board, 1, &none));
    board_clear(&board);
    CHECK(!board_read(&board, 0, &none) && !board_read(&board, 2, &none));
}

static void half_written_values_are_absent(void)
{
    struct value one = value_of(1), got;

    for (size_t i = 0; i < place_size(&board); i++) {
        board_write(&board, 1, &one);
        board_place(&board, 1)[i] ^= 1;
        CHECK(!board_read(&board, 1, &got));
    }
}

static void writer(uint64_t n)
{
    for (unsigned i = 0; i < 20000; i++) {
        struct value v = value_of(n + i % 13);

        board_write(&board, 0, &v);
    }
    _exit(0);
}

/* Two write the same place all the time: a third reads what one of them wrote, or nothing. */
static void processes_share_it(void)
{
    bool whole = true;
    unsigned left = 2;
    struct value v;

    board_share(&board);
    for (unsigned i = 0; i < left; i++)
        if (fork() == 0)
            writer(100 * i);
    while (left > 0) {
        if (board_read(&board, 0, &v))
            whole = whole && board_is(&v, v.n);
        left -= waitpid(-1, NULL, WNOHANG) > 0;
    }
    CHECK(whole);
}

TEST_MAIN(TEST(reads_return_the_last_write), TEST(half_written_values_are_absent), TEST(processes_share_it))
