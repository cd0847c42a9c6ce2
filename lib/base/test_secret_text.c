#include "base/secret_text.c"

#include <stdlib.h>

#include "base/test.h"

enum { SIZE = 8 };

static mode_t mode = 0600;

/* The reason, or what was read. */
static const char *read_of(const char *text, size_t n)
{
    static char out[SIZE];
    char path[] = "/tmp/secret_text_XXXXXX";
    int fd = mkstemp(path);
    const char *why;

    CHECK(fd >= 0 && write(fd, text, n) == (ssize_t)n);
    CHECK(fchmod(fd, mode) == 0);
    close(fd);
    why = secret_text_read(out, sizeof out, path);
    unlink(path);
    return why != NULL ? why : out;
}

static void a_text_is_read_whole_or_not_at_all(void)
{
    CHECK_STR(read_of("secret\n", 7), "secret\n");
    CHECK_STR(read_of("", 0), "");
    CHECK_STR(read_of("secrets\n", 8), "it is too long");
    CHECK_STR(read_of("a\0b", 3), "it is not text");
}

static void unreadable_files_are_reported(void)
{
    char out[SIZE] = "former";

    CHECK_STR(secret_text_read(out, sizeof out, "/nonexistent/key"), "No such file or directory");
    CHECK_STR(out, "");
    CHECK_STR(secret_text_read(out, sizeof out, "/tmp"), "it is not a plain file");
}

static void files_that_others_may_read_are_refused(void)
{
    static const mode_t open_modes[] = { 0604, 0602, 0601, 0644 };

    mode = 0640;
    CHECK_STR(read_of("secret\n", 7), "secret\n");
    for (size_t i = 0; i < sizeof open_modes / sizeof open_modes[0]; i++) {
        mode = open_modes[i];
        CHECK_STR(read_of("secret\n", 7), "others have access to it: chmod o=");
    }
    mode = 0600;
}

TEST_MAIN(TEST(files_that_others_may_read_are_refused), TEST(a_text_is_read_whole_or_not_at_all),
          TEST(unreadable_files_are_reported))
