#include "webhook/security.h"

#include "base/clock.h"
#include "base/log.h"
#include "service/conf.h"
#include "webhook/payload.h"

bool security_event_add(const struct ctx *ctx, struct db *db, uint64_t agent_id, const char *type,
                        const char *body)
{
    const struct security_event e = { type, body, ctx->conf->withdrawal_delay };

    return body != NULL && events_add_security(db, agent_id, &e);
}

const struct security_event *security_event_about(const struct ctx *ctx, struct arena *a,
                                                  const struct uuid *agent, const char *type,
                                                  const char *member, const char *value)
{
    struct security_event *e = ARENA_NEW(a, struct security_event);
    struct json_writer w;
    char id[UUID_TEXT_LEN + 1];

    uuid_text(id, *agent);
    payload_open(&w, a, type, clock_ms());
    jw_string(&w, "agent_id", id);
    if (member != NULL)
        jw_string_or_null(&w, member, value);
    *e = (struct security_event){ type, payload_close(&w), ctx->conf->withdrawal_delay };
    return e;
}

void security_event_log(const struct uuid *agent, const char *type, const char *about)
{
    char id[UUID_TEXT_LEN + 1], text[LOG_TEXT_LEN];

    uuid_text(id, *agent);
    log_info("security_event", "agent=%s type=%s about=%s", id, type, log_text(text, about));
}
