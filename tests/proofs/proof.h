/* What the proofs are written with. Each proves `harness` for every value of what `any` made; its first
 * comment says within which bounds, and what it shows. */
#ifndef TESTS_PROOFS_PROOF_H
#define TESTS_PROOFS_PROOF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define MUST(condition)    __CPROVER_assert((condition), #condition)
#define SUPPOSE(condition) __CPROVER_assume(condition)

/* Of any value: what no body is known of returns anything. */
#define ANY(type, name)                                                                                      \
    type nondet_##name(void);                                                                                \
    type name = nondet_##name()

/* Some of the last bytes of an array, so that what reads behind them reads behind the array. */
#define ANY_BYTES(p, n, max)                                                                                 \
    uint8_t p##_all[max];                                                                                    \
    ANY(uint16_t, n);                                                                                        \
    SUPPOSE(n <= (max));                                                                                     \
    const uint8_t *p = p##_all + ((max)-n)

/* The same of a text, which has its NUL at its end alone. */
#define ANY_TEXT(p, n, max)                                                                                  \
    char p##_all[(max) + 1];                                                                                 \
    ANY(size_t, n);                                                                                          \
    SUPPOSE(n <= (max));                                                                                     \
    for (size_t i = 0; i < (max); i++)                                                                       \
        SUPPOSE(p##_all[i] != '\0');                                                                         \
    p##_all[max] = '\0';                                                                                     \
    const char *p = p##_all + ((max)-n)

/* harness: check(text, n) for every text of every length up to a maximum, or check(bytes, n). The lengths are
 * taken one by one, as places that are known make the solver's work short. Behind what there is the array
 * ends.
 */
#define EACH_OF(type, check, max, end)                                                                       \
    void harness(void)                                                                                       \
    {                                                                                                        \
        ANY(size_t, chosen);                                                                                 \
        for (size_t n = 0; n <= (max); n++) {                                                                \
            type all[(max) + (end)];                                                                         \
            if (n != chosen)                                                                                 \
                continue;                                                                                    \
            for (size_t i = 0; (end) > 0 && i < n; i++)                                                      \
                SUPPOSE(all[i + (max)-n] != 0);                                                              \
            if ((end) > 0)                                                                                   \
                all[(max) + (end)-1] = 0;                                                                    \
            check(all + ((max)-n), n);                                                                       \
        }                                                                                                    \
    }
#define EACH_TEXT(check, max)  EACH_OF(char, check, max, 1)
#define EACH_BYTES(check, max) EACH_OF(uint8_t, check, max, 0)

void harness(void);

#endif
