#include "net/breaker.h"

/* The failures in the upper bits, and when the next trial is due in the lower ones. */
enum { TIME_BITS = 56 };

static uint64_t word_of(uint64_t failures, int64_t due_ms)
{
    return failures << TIME_BITS | ((uint64_t)due_ms & ((1ULL << TIME_BITS) - 1));
}

static uint64_t failures_of(uint64_t word)
{
    return word >> TIME_BITS;
}

static bool admits(uint64_t word, int64_t now_ms)
{
    return failures_of(word) < BREAKER_FAILURES || now_ms >= (int64_t)(word & ((1ULL << TIME_BITS) - 1));
}

bool breaker_would_admit(const struct breaker *b, int64_t now_ms)
{
    return admits(atomic_load(&b->word), now_ms);
}

bool breaker_admits(struct breaker *b, int64_t now_ms)
{
    uint64_t word = atomic_load(&b->word);

    if (failures_of(word) < BREAKER_FAILURES)
        return true;
    return admits(word, now_ms) && atomic_compare_exchange_strong(
                                       &b->word, &word, word_of(BREAKER_FAILURES, now_ms + BREAKER_PAUSE_MS));
}

void breaker_tell(struct breaker *b, bool answered, int64_t now_ms)
{
    uint64_t word = atomic_load(&b->word), next;

    do {
        uint64_t failures = failures_of(word);

        next = answered ? 0
                        : word_of(failures < BREAKER_FAILURES ? failures + 1 : failures,
                                  now_ms + BREAKER_PAUSE_MS);
    } while (next != word && !atomic_compare_exchange_weak(&b->word, &word, next));
}
