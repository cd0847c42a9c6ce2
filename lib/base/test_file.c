#include "base/file.c"
#include "base/test.h"

static void a_file_is_replaced_whole(void)
{
    char dir[] = "/tmp/test-file.XXXXXX", path[64], text[16];
    struct stat st;
    int before, after;
    mode_t mask = umask(077);

    CHECK(mkdtemp(dir) != NULL);
    (void)snprintf(path, sizeof path, "%s/a", dir);
    CHECK(file_replace(path, "former", 6, 0640));
    before = open(path, O_RDONLY);
    CHECK(fstat(before, &st) == 0 && (st.st_mode & 07777) == 0640);
    CHECK(file_replace(path, "new", 3, 0644));
    after = open(path, O_RDONLY);
    CHECK(fstat(after, &st) == 0 && (st.st_mode & 07777) == 0644);
    CHECK(read(after, text, sizeof text) == 3 && memcmp(text, "new", 3) == 0);
    /* who was reading goes on with what there was */
    CHECK(read(before, text, sizeof text) == 6 && memcmp(text, "former", 6) == 0);
    CHECK(close(before) == 0 && close(after) == 0 && unlink(path) == 0 && rmdir(dir) == 0);
    (void)umask(mask);
}

static void failed_writes_leave_the_old_file(void)
{
    char dir[] = "/tmp/test-file.XXXXXX", path[64], fresh[64], text[16];
    int fd;

    CHECK(mkdtemp(dir) != NULL);
    (void)snprintf(path, sizeof path, "%s/b", dir);
    (void)snprintf(fresh, sizeof fresh, "%s/b.new", dir);
    CHECK(file_replace(path, "former", 6, 0644));
    CHECK(symlink(path, fresh) == 0);
    CHECK(!file_replace(path, "new", 3, 0644) && errno == ELOOP);
    fd = open(path, O_RDONLY);
    CHECK(read(fd, text, sizeof text) == 6 && memcmp(text, "former", 6) == 0);
    CHECK(close(fd) == 0 && unlink(fresh) == 0 && unlink(path) == 0);
    (void)snprintf(path, sizeof path, "%s/none/b", dir);
    CHECK(!file_replace(path, "new", 3, 0644) && errno == ENOENT);
    CHECK(rmdir(dir) == 0);
}

TEST_MAIN(TEST(a_file_is_replaced_whole), TEST(failed_writes_leave_the_old_file))
