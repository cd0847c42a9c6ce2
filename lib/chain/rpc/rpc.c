#include "chain/rpc/rpc.h"

#include <stdarg.h>
#include <string.h>

#include "base/json_reader.h"
#include "base/log.h"

/* Between items and between the forms of one; neither occurs inside of them. */
static const char ITEM_END = '\n', FORM_END = '\t';

struct rpc_batch rpc_begin(struct buf *out)
{
    buf_addc(out, '[');
    return (struct rpc_batch){ .out = out };
}

void rpc_add_begin(struct rpc_batch *b, const char *method)
{
    if (!b->another_form && b->count++ > 0) {
        buf_addc(b->out, ',');
        buf_addc(b->out, (uint8_t)ITEM_END);
    }
    b->another_form = false;
    buf_addf(b->out, "{\"jsonrpc\":\"2.0\",\"id\":%u,\"method\":\"%s\",\"params\":", b->count - 1, method);
}

void rpc_add_end(struct rpc_batch *b)
{
    buf_addc(b->out, '}');
}

void rpc_or(struct rpc_batch *b, enum rpc_need need)
{
    buf_addc(b->out, (uint8_t)FORM_END);
    buf_addc(b->out, (uint8_t)('0' + (int)need));
    b->another_form = true;
}

void rpc_or_nothing(struct rpc_batch *b, enum rpc_need need)
{
    rpc_or(b, need);
    b->another_form = false;
}

void rpc_add(struct rpc_batch *b, const char *method, const char *params_fmt, ...)
{
    va_list ap;
    char *params;

    va_start(ap, params_fmt);
    if (vasprintf(&params, params_fmt, ap) < 0)
        log_fatal("out_of_memory", "out of memory: %s", method);
    va_end(ap);
    rpc_add_begin(b, method);
    buf_adds(b->out, params);
    rpc_add_end(b);
    free(params);
}

void rpc_cannot_fail(struct rpc_batch *b)
{
    if (b->count <= 64)
        b->certain |= 1ULL << (b->count - 1);
}

void rpc_end(struct rpc_batch *b)
{
    buf_addc(b->out, ']');
}

/* The part of the item up to the end of its form that a node can answer. */
static void choose_form(struct rpc_item *out, const char *end, unsigned lacking)
{
    const char *tab;

    while ((tab = memchr(out->text, FORM_END, (size_t)(end - out->text))) != NULL) {
        out->need = (enum rpc_need)(tab[1] - '0');
        if ((out->need & lacking) == 0)
            break;
        out->text = tab + 2;
        out->form++;
    }
    if (tab == NULL)
        out->need = RPC_NEEDS_NOTHING;
    out->len = (size_t)((tab != NULL ? tab : end) - out->text);
}

bool rpc_next(struct rpc_item *out, struct rpc_cursor *c, const struct rpc_batch *b, unsigned lacking)
{
    const char *end, *last = b->out->data + b->out->len - 1; /* its closing bracket */

    if (c->next == b->count)
        return false;
    if (c->at == NULL)
        c->at = b->out->data + 1;
    end = memchr(c->at, ITEM_END, (size_t)(last - c->at));
    *out = (struct rpc_item){ .text = c->at, .id = c->next++ };
    c->at = end != NULL ? end + 1 : last;
    choose_form(out, end != NULL ? end - 1 : last, lacking);
    return true;
}

static bool answer_set_error(struct rpc_answer *r, json_t *error, int status, rpc_classifier *classify)
{
    r->result = NULL;
    r->error = error;
    r->error_code = json_integer_value(json_object_get(error, "code"));
    const char *text = json_string_value(json_is_string(error) ? error : json_object_get(error, "message"));
    r->error_text = text != NULL ? text : "";
    r->class = classify(r->error_code, r->error_text, status);
    return true;
}

/* Under a bad status a result is none. */
static bool answer_set_result(struct rpc_answer *r, json_t *result, int status)
{
    if (result == NULL || status / 100 != 2)
        return false;
    r->result = result;
    r->error = NULL;
    r->error_code = 0;
    r->error_text = "";
    r->class = RPC_RESULT;
    return true;
}

/* True when the object is an answer: it has an error, or a result. */
static bool answer_read(struct rpc_answer *r, const json_t *object, int status, rpc_classifier *classify)
{
    json_t *error = json_object_get(object, "error");

    if (error != NULL && !json_is_null(error))
        return answer_set_error(r, error, status, classify);
    return answer_set_result(r, json_object_get(object, "result"), status);
}

static bool answer_read_into(const struct rpc_answers *out, unsigned id, const json_t *object, int status)
{
    struct rpc_answer *r = &out->items[id];

    return r->awaited && !rpc_is_final(r->class) && answer_read(r, object, status, out->classify);
}

static bool has_id(const struct rpc_answers *out, const json_t *object)
{
    const json_t *id = json_object_get(object, "id");

    return json_is_integer(id) && json_integer_value(id) >= 0 && json_integer_value(id) < out->count;
}

/* An answer goes to the id it names; a second one for the same id is ignored once the first is final. */
static bool answers_read_by_id(struct rpc_answers *out, const json_t *object, int status)
{
    return has_id(out, object) &&
           answer_read_into(out, (unsigned)json_integer_value(json_object_get(object, "id")), object, status);
}

static bool answers_read_array(struct rpc_answers *out, const json_t *doc, int status)
{
    const json_t *object;
    bool any = false;
    size_t i;

    json_array_foreach(doc, i, object) any |= answers_read_by_id(out, object, status);
    return any;
}

/* Nodes that refuse a whole batch (limits, no batches, bad JSON) send one error for all of it. */
static bool answers_read_single(struct rpc_answers *out, const json_t *doc, int status)
{
    bool any = false;

    if (has_id(out, doc))
        return answers_read_by_id(out, doc, status);
    if (json_object_get(doc, "error") == NULL)
        return false;
    for (unsigned i = 0; i < out->count; i++)
        any |= answer_read_into(out, i, doc, status);
    return any;
}

struct rpc_answers rpc_answers_new(struct arena *a, unsigned count, rpc_classifier *classify)
{
    struct rpc_answers out = { json_array(), ARENA_ARRAY(a, struct rpc_answer, count), count, classify };

    if (out.docs == NULL)
        log_fatal("out_of_memory", "out of memory: answers");
    for (unsigned i = 0; i < count; i++)
        out.items[i] = (struct rpc_answer){ .error_text = "", .class = RPC_INCIDENT, .awaited = true };
    return out;
}

bool rpc_answers_add(struct rpc_answers *as, const struct buf *body, int status)
{
    json_t *doc = body->overflow || body->len == 0 ? NULL : json_read(body->data, body->len);

    if (doc == NULL || json_array_append_new(as->docs, doc) < 0)
        return false;
    return json_is_array(doc) ? answers_read_array(as, doc, status) : answers_read_single(as, doc, status);
}

void rpc_answers_free(struct rpc_answers *as)
{
    json_decref(as->docs);
    *as = (struct rpc_answers){ .docs = NULL };
}

bool rpc_read(struct rpc_answers *out, struct arena *a, const struct buf *body, unsigned count,
              rpc_classifier *classify)
{
    *out = rpc_answers_new(a, count, classify);
    if (rpc_answers_add(out, body, 200))
        return true;
    rpc_answers_free(out);
    return false;
}
