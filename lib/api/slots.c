#include "api/slots.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "core/log.h"

struct slots {
    unsigned workers;
    unsigned own;
    _Atomic uint64_t *waiting_for; /* shared: for each worker the agent whose call waits, 0: none */
};

struct slots *slots_new(unsigned workers)
{
    struct slots *s = calloc(1, sizeof *s);
    void *p = mmap(NULL, workers * sizeof *s->waiting_for, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
                   -1, 0);

    if (s == NULL || p == MAP_FAILED)
        log_fatal("msg=\"out of memory\"");
    *s = (struct slots){ .workers = workers, .waiting_for = p };
    return s;
}

void slots_free(struct slots *s)
{
    (void)munmap((void *)s->waiting_for, s->workers * sizeof *s->waiting_for);
    free(s);
}

void slots_own(struct slots *s, unsigned own)
{
    s->own = own;
    slots_leave(s);
}

static unsigned share(unsigned part)
{
    return part > 0 ? part : 1;
}

/* Counted with oneself in it: of two that come at once both see both, and the limits always hold. */
bool slots_enter(struct slots *s, uint64_t agent_id)
{
    unsigned all = 0, same = 0;

    atomic_store(&s->waiting_for[s->own], agent_id);
    for (unsigned i = 0; i < s->workers; i++) {
        uint64_t id = atomic_load(&s->waiting_for[i]);

        all += id != 0;
        same += id == agent_id;
    }
    if (all <= share(s->workers * 3 / 4) && same <= share(s->workers / 3))
        return true;
    slots_leave(s);
    return false;
}

void slots_leave(struct slots *s)
{
    atomic_store(&s->waiting_for[s->own], 0);
}
