#include "drift/report.h"

#include <errno.h>
#include <limits.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/log.h"
#include "base/shared_file.h"

enum { TRIES = 100, AGAIN_MS = 5 * 60 * 1000 };

/* Written by one at a time: `version` is odd meanwhile. */
struct kept {
    _Atomic unsigned version;
    struct drift_report report;
};

struct memory {
    uint64_t layout;
    _Atomic int64_t round_ms;
    struct kept of[DRIFT_REPORTS_MAX];
};

static const uint64_t LAYOUT = 0x6472696674000001U + sizeof(struct memory);

static struct memory *memory;

const char *drift_state_text(enum drift_state s)
{
    static const char *const texts[DRIFT_STATES] = {
        [DRIFT_UNKNOWN] = "unknown", [DRIFT_WORKS] = "works",        [DRIFT_CHANGED] = "changed",
        [DRIFT_EMPTY] = "empty",     [DRIFT_REFUSED] = "refused",    [DRIFT_UNREADABLE] = "unreadable",
        [DRIFT_UNSAFE] = "unsafe",   [DRIFT_UNAVAILABLE] = "silent", [DRIFT_OFF] = "off",
    };

    return texts[s];
}

bool drift_is_incident(enum drift_state s)
{
    return s != DRIFT_UNKNOWN && s != DRIFT_WORKS && s != DRIFT_OFF;
}

bool drift_is_due(const struct drift_report *r, int64_t now_ms)
{
    return drift_is_incident(r->state) && r->state != DRIFT_CHANGED &&
           (now_ms - r->at_ms >= AGAIN_MS || now_ms < r->at_ms);
}

void drift_share(const char *file, bool create)
{
    char path[PATH_MAX];
    int n = snprintf(path, sizeof path, "%s.drift", file), fd;

    if (memory != NULL || n < 0 || (size_t)n >= sizeof path || (!create && access(path, F_OK) != 0))
        return;
    memory = shared_file_map(path, sizeof *memory, LAYOUT, &fd);
    if (memory != NULL)
        (void)close(fd);
    if (memory == NULL && create)
        log_warn("drift_not_stored", "msg=\"what known questions show is not kept\" file=%s reason=\"%s\"",
                 path, strerror(errno));
}

bool drift_is_shared(void)
{
    return memory != NULL;
}

/* False: another process writes it. */
static bool kept_read(const struct kept *k, struct drift_report *out)
{
    unsigned version = atomic_load(&k->version);

    *out = k->report;
    out->name[DRIFT_NAME_MAX] = out->said[DRIFT_SAID_MAX] = '\0';
    atomic_thread_fence(memory_order_acquire);
    return version % 2 == 0 && version == atomic_load(&k->version) && out->state < DRIFT_STATES;
}

static bool kept_copy(const struct kept *k, struct drift_report *out)
{
    for (int i = 0; i < TRIES; i++)
        if (kept_read(k, out))
            return out->name[0] != '\0';
    return false;
}

static void kept_write(struct kept *k, const struct drift_report *r)
{
    unsigned version = atomic_load(&k->version) & ~1u;

    atomic_store(&k->version, version + 1);
    atomic_thread_fence(memory_order_release);
    k->report = *r;
    atomic_store(&k->version, version + 2);
}

void drift_keep(const struct drift_report *r)
{
    struct drift_report there;

    struct kept *place = NULL;

    for (size_t i = 0; memory != NULL && i < DRIFT_REPORTS_MAX; i++) {
        bool taken = kept_copy(&memory->of[i], &there);

        if (taken && strcmp(there.name, r->name) == 0) {
            place = &memory->of[i];
            break;
        }
        if (!taken && place == NULL)
            place = &memory->of[i];
    }
    if (place != NULL)
        kept_write(place, r);
}

size_t drift_reports(struct drift_report out[static DRIFT_REPORTS_MAX])
{
    size_t n = 0;

    for (size_t i = 0; memory != NULL && i < DRIFT_REPORTS_MAX; i++)
        n += kept_copy(&memory->of[i], &out[n]);
    return n;
}

bool drift_report_of(const char *name, struct drift_report *out)
{
    for (size_t i = 0; memory != NULL && i < DRIFT_REPORTS_MAX; i++)
        if (kept_copy(&memory->of[i], out) && strcmp(out->name, name) == 0)
            return true;
    return false;
}

void drift_forget(int64_t before_ms)
{
    const struct drift_report none = { .state = DRIFT_UNKNOWN };
    struct drift_report there;

    for (size_t i = 0; memory != NULL && i < DRIFT_REPORTS_MAX; i++)
        if (kept_copy(&memory->of[i], &there) && there.at_ms < before_ms)
            kept_write(&memory->of[i], &none);
}

int64_t drift_round_ms(void)
{
    return memory == NULL ? 0 : atomic_load(&memory->round_ms);
}

bool drift_take_round(int64_t now_ms, int64_t age_ms)
{
    int64_t last_ms = drift_round_ms();

    /* A clock that was set back makes no round wait longer than one age. */
    if (memory == NULL || (now_ms - last_ms < age_ms && last_ms <= now_ms))
        return memory == NULL;
    return atomic_compare_exchange_strong(&memory->round_ms, &last_ms, now_ms);
}
