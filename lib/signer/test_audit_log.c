#include "signer/audit_log.c"

#include "base/test.h"

static char path[64], former[80], why[512];

static void audit_log_test_begin(void)
{
    snprintf(path, sizeof path, "/tmp/audit_log.%d", (int)getpid());
    snprintf(former, sizeof former, "%s.1", path);
    unlink(path);
    unlink(former);
}

static void audit_log_test_end(void)
{
    unlink(path);
    unlink(former);
}

static void audit_log_add_line(size_t n)
{
    struct audit_log *j = audit_log_open(path, why, sizeof why);

    CHECK(j != NULL);
    for (size_t i = 0; j != NULL && i < n; i++)
        CHECK(audit_log_add(j, "\"n\":1"));
    audit_log_close(j);
}

/* The number of valid lines of a file; `head` goes on from file to file. */
static size_t right(const char *file, uint8_t head[static HASH_LEN], bool known, bool *all)
{
    size_t lines = 0;
    FILE *f = fopen(file, "r");

    CHECK(f != NULL);
    *all = f != NULL && audit_log_verify(f, head, known, &lines);
    if (f != NULL)
        fclose(f);
    return lines;
}

static void append_bytes(const char *text)
{
    FILE *f = fopen(path, "a");

    CHECK(f != NULL && fputs(text, f) >= 0 && fclose(f) == 0);
}

static void the_chain_continues_over_restarts(void)
{
    uint8_t head[HASH_LEN] = { 0 };
    bool all;

    audit_log_test_begin();
    for (int i = 0; i < 5; i++)
        audit_log_add_line(3);
    CHECK(right(path, head, true, &all) == 15 && all);
    audit_log_test_end();
}

static void half_a_line_is_cut_off(void)
{
    uint8_t head[HASH_LEN] = { 0 };
    bool all;

    audit_log_test_begin();
    audit_log_add_line(2);
    append_bytes("{\"prev\":\"00");
    CHECK(right(path, head, false, &all) == 2 && !all);
    audit_log_add_line(2);
    CHECK(right(path, head, false, &all) == 4 && all);
    audit_log_test_end();
}

static void a_moved_file_is_followed(void)
{
    uint8_t head[HASH_LEN] = { 0 };
    bool all;

    audit_log_test_begin();
    audit_log_add_line(2);
    CHECK(rename(path, former) == 0);
    audit_log_add_line(3);
    CHECK(right(former, head, true, &all) == 2 && all);
    CHECK(right(path, head, true, &all) == 3 && all);
    memset(head, 0, sizeof head);
    CHECK(right(path, head, true, &all) == 0 && !all); /* it is not the beginning */
    CHECK(right(path, head, false, &all) == 3 && all);
    audit_log_test_end();
}

static void changes_are_found(void)
{
    uint8_t head[HASH_LEN] = { 0 };
    bool all;
    FILE *f;

    audit_log_test_begin();
    audit_log_add_line(4);
    f = fopen(path, "r+");
    CHECK(f != NULL && fseek(f, 2 * 81 - 3, SEEK_SET) == 0 && fputc('2', f) == '2' && fclose(f) == 0);
    CHECK(right(path, head, true, &all) == 2 && !all);
    audit_log_test_end();
}

static void no_two_write_one_file(void)
{
    struct audit_log *first;
    int fd;

    audit_log_test_begin();
    first = audit_log_open(path, why, sizeof why);
    fd = open(path, O_RDWR | O_CLOEXEC);
    CHECK(first != NULL && flock(fd, LOCK_EX | LOCK_NB) != 0);
    audit_log_close(first);
    CHECK(flock(fd, LOCK_EX | LOCK_NB) == 0);
    close(fd);
    audit_log_test_end();
}

static void other_files_are_refused(void)
{
    struct audit_log *j;

    audit_log_test_begin();
    for (size_t i = 0; i < TAIL + 10; i++)
        append_bytes("x");
    append_bytes("\n");
    j = audit_log_open(path, why, sizeof why);
    CHECK(j == NULL && strstr(why, "not an audit file") != NULL);
    audit_log_close(j);
    audit_log_test_end();
}

static void room_is_kept_where_the_file_can_be_written(void)
{
    struct audit_log *j;
    struct stat st;
    int fd;

    audit_log_test_begin();
    j = audit_log_open(path, why, sizeof why);
    CHECK(j != NULL && audit_log_has_room(j) && audit_log_add(j, "\"n\":1") && audit_log_has_room(j));
    CHECK(stat(path, &st) == 0 && st.st_size == j->size); /* what is kept is none of it */
    fd = open(path, O_RDONLY | O_CLOEXEC);
    CHECK(dup2(fd, j->fd) == j->fd && !audit_log_has_room(j));
    close(fd);
    audit_log_close(j);
    audit_log_test_end();
}

TEST_MAIN(TEST(the_chain_continues_over_restarts), TEST(half_a_line_is_cut_off),
          TEST(a_moved_file_is_followed), TEST(changes_are_found), TEST(no_two_write_one_file),
          TEST(other_files_are_refused), TEST(room_is_kept_where_the_file_can_be_written))
