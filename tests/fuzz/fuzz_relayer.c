/* Any answer of the relayer, and any stored record of a question to it: refused, or whole. */
#include <string.h>

#include "fuzz.h"
#include "predict/relayer.h"
#include "predict/relayer_quota.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const uint8_t digest[HASH_LEN] = { [31] = 7 };
    struct buf answer = { .data = (char *)(uintptr_t)data, .len = size };
    struct arena *a = arena_new();
    struct relayer_task task;
    struct relayer_batch batch;
    struct relayer_row row;
    const char *id;

    if (relayer_read_submitted(a, &answer, &id))
        MUST(*id != '\0' && strlen(id) <= VENUE_REF_MAX);
    if (relayer_read_rows(a, &answer, "x", digest, &row) && row.id != NULL)
        MUST(strcmp(row.id, "x") == 0);
    if (relayer_read_rows(a, &answer, "", digest, &row))
        MUST(row.tx_hash.len == 0 || row.tx_hash.len == HASH_LEN);
    (void)relayer_read_task(&task, data, size);
    if (relayer_read_batch(&batch, a, data, size))
        MUST(batch.batch.count > 0 && batch.batch.count <= POLYMARKET_CALLS_MAX);
    MUST(relayer_quota_wait(&answer) > 0 && relayer_quota_wait(&answer) <= 24 * 3600);
    arena_free(a);
    return 0;
}
