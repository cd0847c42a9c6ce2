#include "signer/settlers.c"

#include "base/test.h"
#include "keys/test_util.h"
#include "signer/operator_file.h"

static const char A[] = "0x5555555555555555555555555555555555555555",
                  B[] = "0x6666666666666666666666666666666666666666";

static void only_what_is_listed(void)
{
    struct buf lines = BUF_INIT(1024);
    struct test_dir dir;
    char path[512];
    int fd;

    test_dir_make(&dir);
    (void)snprintf(path, sizeof path, "%s.settlers", dir.keys);
    fd = operator_file_open(path);
    CHECK(fd >= 0 && !settlers_has(fd, 1, A));
    settlers_add(&lines, 1, A);
    settlers_add(&lines, 10, B);
    CHECK(operator_file_write(path, &lines));
    CHECK(settlers_has(fd, 1, A) && settlers_has(fd, 10, B));
    CHECK(!settlers_has(fd, 10, A) && !settlers_has(fd, 1, B) && !settlers_has(fd, 0, B));
    CHECK(!settlers_has(fd, 1, "") && !settlers_has(-1, 1, A));
    buf_reset(&lines);
    settlers_add(&lines, 10, B); /* the other is not genuine any more */
    CHECK(operator_file_write(path, &lines));
    CHECK(!settlers_has(fd, 1, A) && settlers_has(fd, 10, B));
    CHECK(ftruncate(fd, (off_t)lines.len - 1) == 0 && !settlers_has(fd, 10, B)); /* half a line */
    (void)close(fd);
    (void)unlink(path);
    buf_free(&lines);
    test_dir_remove(&dir);
}

TEST_MAIN(TEST(only_what_is_listed))
