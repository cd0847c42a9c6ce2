#include "store/agent_versions.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "codec/uuid.h"
#include "store/upstream_cache.h"

static void version_question(uint8_t out[static HASH_LEN], uint64_t agent_id)
{
    char text[32];

    (void)snprintf(text, sizeof text, "version\n%" PRIu64, agent_id);
    sha256(out, text, strlen(text));
}

bool agent_versions_renew(struct db *db, uint64_t agent_id)
{
    uint8_t question[HASH_LEN];
    char version[UUID_TEXT_LEN + 1];

    version_question(question, agent_id);
    uuid_text(version, uuid_random());
    return upstream_cache_note(db, question, version, strlen(version));
}

const char *agent_versions_read(struct db *db, struct arena *a, uint64_t agent_id)
{
    struct upstream_last last = { .text = NULL };
    int64_t now_ms;

    version_question(last.question, agent_id);
    if (!upstream_cache_last(db, a, &last, 1, &now_ms))
        return NULL;
    return last.text != NULL ? last.text : "";
}
