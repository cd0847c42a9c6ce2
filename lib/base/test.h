/* The unit tests' small frame. A test file is a program: it includes the .c under test (and so sees its
 * statics), lists its cases and ends with TEST_MAIN. Output: one line per failed case and the closing line
 * "N passed, N failed". */
#ifndef BASE_TEST_H
#define BASE_TEST_H

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static int test_case_failures;

#define CHECK(cond)                                                                                          \
    do {                                                                                                     \
        if (!(cond)) {                                                                                       \
            test_case_failures++;                                                                            \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #cond);                                       \
        }                                                                                                    \
    } while (0)

#define CHECK_STR(got, want)                                                                                 \
    do {                                                                                                     \
        const char *got_ = (got), *want_ = (want);                                                           \
        if (got_ == NULL || strcmp(got_, want_) != 0) {                                                      \
            test_case_failures++;                                                                            \
            fprintf(stderr, "%s:%d: got \"%s\", want \"%s\"\n", __FILE__, __LINE__, got_ ? got_ : "(null)",  \
                    want_);                                                                                  \
        }                                                                                                    \
    } while (0)

struct test_case {
    const char *name;
    void (*run)(void);
};

#define TEST(fn)                                                                                             \
    {                                                                                                        \
#fn, fn                                                                                              \
    }

static int test_run(const struct test_case *cases, size_t n)
{
    int failed = 0;

    for (size_t i = 0; i < n; i++) {
        test_case_failures = 0;
        cases[i].run();
        if (test_case_failures == 0)
            continue;
        failed++;
        printf("FAILED %s\n", cases[i].name);
    }
    printf("%d passed, %d failed\n", (int)n - failed, failed);
    return failed != 0;
}

#define TEST_MAIN(...)                                                                                       \
    int main(void)                                                                                           \
    {                                                                                                        \
        static const struct test_case cases[] = { __VA_ARGS__ };                                             \
        return test_run(cases, sizeof cases / sizeof cases[0]);                                              \
    }

#endif
