#include "api/view.h"

#include <string.h>

#include "base/json_reader.h"
#include "model/approval.h"

void view_amount(struct json_writer *w, const char *key, struct u256 raw, const struct token_ref *t)
{
    amount_write(w, key, (struct amount){ raw, t->decimals });
}

void view_awaiting(struct json_writer *w, const struct commit_result *r)
{
    char id[APPROVAL_ID_TEXT_LEN + 1];

    approval_id_text(id, &r->approval);
    jw_string(w, "status", "pending_approval");
    jw_string(w, "approval_id", id);
    jw_time(w, "expires_at", r->approval_expires_ms);
}

static void check_write(struct json_writer *w, const struct check *c)
{
    jw_object(w, NULL);
    jw_string(w, "name", c->name);
    jw_string(w, "status", check_status_text(c->status));
    jw_string(w, "detail", c->detail);
    jw_true_if(w, "unverified", c->unverified);
    jw_end(w);
}

void view_checks(struct json_writer *w, const struct check *list, size_t count)
{
    jw_array(w, "checks");
    for (size_t i = 0; i < count; i++)
        check_write(w, &list[i]);
    jw_end(w);
    jw_array(w, "warnings");
    for (size_t i = 0; i < count; i++)
        if (list[i].status == CHECK_WARN)
            jw_string(w, NULL, list[i].detail);
    jw_end(w);
}

struct reply *view_cached(struct api_call *c, const struct err *e, const char *text)
{
    json_t *tree = NULL;
    struct json_writer *w;
    struct reply *rp;

    if (e != NULL)
        return reply_err(c->rq, e);
    if (c->rq->values)
        tree = json_read(text, strlen(text));
    w = reply_open(c->rq, 200);
    jw_members(w, text, strlen(text), tree);
    rp = reply_close(w);
    json_decref(tree);
    return rp;
}

void view_pagination(struct json_writer *w, uint64_t total, const struct page *p, uint64_t shown)
{
    jw_object(w, "pagination");
    jw_integer(w, "total", (int64_t)total);
    jw_integer(w, "limit", (int64_t)p->limit);
    jw_integer(w, "offset", (int64_t)p->offset);
    jw_bool(w, "has_more", p->offset + shown < total);
    jw_end(w);
}
