#include "api/endpoints.h"
#include "api/view.h"
#include "model/agent.h"
#include "store/events.h"

static json_t *event_view(const struct event *e)
{
    char id[EVENT_ID_TEXT_LEN + 1];

    event_id_text(id, e->id);
    return json_pack("{s:s, s:s, s:s, s:i, s:o, s:o, s:s, s:o, s:o}", "id", id, "event_type", e->type,
                     "status", event_status_text(e->status), "attempts", (int)e->attempts, "last_error",
                     view_text(e->last_error), "response_status",
                     e->response_status != 0 ? json_integer(e->response_status) : json_null(), "callback_url",
                     e->callback_url, "created_at", view_time(e->created_ms), "delivered_at",
                     view_time(e->delivered_ms));
}

struct reply *ep_webhooks(struct request *rq, const void *arg)
{
    const struct webhooks_in *in = arg;
    struct page page = { in->limit, in->offset };
    struct event_filter filter = { .type = in->event_type };
    struct event *events = ARENA_ARRAY(rq->arena, struct event, in->limit);
    uint64_t total = 0;
    json_t *list;
    int n;

    if (in->status != NULL && !event_status_parse(&filter.status, in->status))
        return NULL; /* the table let through what the model does not know */
    n = events_page(rq->ctx->db, rq->arena, rq->agent->id, &filter, &page, events, &total);
    if (n < 0)
        return NULL;
    list = json_array();
    for (int i = 0; i < n; i++)
        json_array_append_new(list, event_view(&events[i]));
    return reply_json(
        rq, 200,
        json_pack("{s:o, s:o}", "events", list, "pagination", view_pagination(total, &page, (uint64_t)n)));
}
