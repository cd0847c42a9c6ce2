#include "keys/secret.c"

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/test.h"

static void taken_bytes_are_wiped(void)
{
    uint8_t bytes[SECRET_LEN], zeros[SECRET_LEN] = { 0 };
    struct secret *s;

    memset(bytes, 0xa5, sizeof bytes);
    s = secret_take(bytes);
    CHECK(s != NULL && s->bytes[0] == 0xa5 && s->bytes[SECRET_LEN - 1] == 0xa5);
    CHECK(memcmp(bytes, zeros, sizeof bytes) == 0);
    secret_free(s);
    secret_free(NULL);
}

static void random_ones_differ(void)
{
    struct secret *a = secret_random(), *b = secret_random();

    CHECK(a != NULL && b != NULL && memcmp(a, b, sizeof *a) != 0);
    secret_free(a);
    secret_free(b);
}

/* The flags of the mapping that holds p, from the kernel's own account. */
static bool mapping_has(const void *p, const char *flag)
{
    FILE *f = fopen("/proc/self/smaps", "r");
    char line[512];
    bool here = false, found = false;

    while (f != NULL && fgets(line, sizeof line, f) != NULL) {
        unsigned long from, to;

        if (sscanf(line, "%lx-%lx ", &from, &to) == 2)
            here = (uintptr_t)p >= from && (uintptr_t)p < to;
        else if (here && strncmp(line, "VmFlags:", 8) == 0)
            found = strstr(line, flag) != NULL;
    }
    if (f != NULL)
        fclose(f);
    return found;
}

static void left_out_of_core_files(void)
{
    struct secret *s = secret_random();

    CHECK(mapping_has(s, " dd"));
    secret_free(s);
}

/* The page after the secret is inaccessible. */
static void overrun_is_fatal(void)
{
    int status = 0;
    pid_t pid = fork();

    if (pid == 0) {
        volatile uint8_t *s = (volatile uint8_t *)secret_random();

        close(STDERR_FILENO);
        setrlimit(RLIMIT_CORE, &(struct rlimit){ 0, 0 });
        s[SECRET_LEN] = 1;
        _exit(0);
    }
    CHECK(waitpid(pid, &status, 0) == pid && !(WIFEXITED(status) && WEXITSTATUS(status) == 0));
}

static void wrapping_is_bound(void)
{
    struct secret *a = secret_random(), *under = secret_random(), *b;
    uint8_t wrapped[WRAP_LEN], again[WRAP_LEN];

    CHECK(secret_wrap(wrapped, a, under, (const uint8_t *)"x", 1));
    CHECK(secret_wrap(again, a, under, (const uint8_t *)"x", 1) && memcmp(wrapped, again, WRAP_LEN) != 0);
    b = secret_unwrap(wrapped, under, (const uint8_t *)"x", 1);
    CHECK(b != NULL && memcmp(a, b, sizeof *a) == 0);
    CHECK(secret_unwrap(wrapped, under, (const uint8_t *)"y", 1) == NULL);
    CHECK(secret_unwrap(wrapped, a, (const uint8_t *)"x", 1) == NULL);
    secret_free(a);
    secret_free(b);
    secret_free(under);
}

static void secrets_start(void)
{
    CHECK(secrets_init());
    CHECK(secrets_init());
}

TEST_MAIN(TEST(secrets_start), TEST(taken_bytes_are_wiped), TEST(random_ones_differ),
          TEST(left_out_of_core_files), TEST(overrun_is_fatal), TEST(wrapping_is_bound))
