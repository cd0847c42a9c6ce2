#include "webhook/deliver.h"

#include <inttypes.h>
#include <string.h>

#include "base/clock.h"
#include "base/metrics.h"
#include "webhook/backoff.h"

void delivery_init(struct delivery *d, const struct event *e, enum call_guard guard)
{
    d->event = *e;
    snprintf(d->type, sizeof d->type, "%s", e->type);
    snprintf(d->url, sizeof d->url, "%s", e->callback_url);
    call_init(&d->call, d->url, MAX_CALLBACK_ANSWER);
    buf_adds(&d->call.body, e->body);
    d->call.guard = guard;
    d->call.timeout_ms = WEBHOOK_TIMEOUT_MS;
    d->call.truncate_answer = true;
    d->event.type = d->type;
    d->event.callback_url = d->url;
    d->event.body = buf_text(&d->call.body);
    d->event.last_error = NULL;
    if (e->sealed_headers != NULL && e->sealed_headers_len <= sizeof d->sealed_headers)
        memcpy(d->sealed_headers, e->sealed_headers, e->sealed_headers_len);
    d->event.sealed_headers = e->sealed_headers == NULL ? NULL : d->sealed_headers;
}

void delivery_free(struct delivery *d)
{
    explicit_bzero(d->headers, sizeof d->headers);
    call_free(&d->call);
}

static bool secrets_have(const struct webhook_secret *list, size_t n, const struct webhook_secret *one)
{
    for (size_t i = 0; i < n; i++)
        if (memcmp(list[i].bytes, one->bytes, sizeof one->bytes) == 0)
            return true;
    return false;
}

/* The present secret, the previous one while it counts, and the event's own, which is all that a deleted
 * agent has. Returns how many. */
static size_t secrets_open(struct webhook_secret out[static WEBHOOK_SECRETS_MAX], const struct event *e,
                           const uint8_t key[static BOX_KEY_LEN])
{
    size_t n = webhook_secret_open(&out[0], e->sealed_secret, e->sealed_secret_len, key);

    if (n > 0)
        n += webhook_secret_open(&out[n], e->sealed_former, e->sealed_former_len, key);
    if (webhook_secret_open(&out[n], e->sealed_own, e->sealed_own_len, key) && !secrets_have(out, n, &out[n]))
        n++;
    return n;
}

static void call_add_header(struct call *c, const char *header)
{
    unsigned n = 0;

    while (c->headers[n] != NULL)
        n++;
    if (n < CALL_MAX_HEADERS - 1)
        c->headers[n] = header;
}

static void delivery_add_signature(struct delivery *d, const struct webhook_secret *secrets, size_t n,
                                   const char *id, int64_t now)
{
    const struct buf *body = &d->call.body;
    char signatures[WEBHOOK_SIGNATURES_MAX];

    webhook_signatures(signatures, secrets, n, id, now, body->data, body->len);
    snprintf(d->signature_header, sizeof d->signature_header, "webhook-signature: %s", signatures);
    call_add_header(&d->call, d->signature_header);
}

static void delivery_set_headers(struct delivery *d, const struct webhook_secret *secrets, size_t n)
{
    struct call *c = &d->call;
    int64_t now = clock_seconds();
    char id[EVENT_ID_TEXT_LEN + 1];

    memset(c->headers, 0, sizeof c->headers);
    event_id_text(id, d->event.id);
    snprintf(d->id_header, sizeof d->id_header, "webhook-id: %s", id);
    snprintf(d->time_header, sizeof d->time_header, "webhook-timestamp: %" PRId64, now);
    call_add_header(c, d->id_header);
    call_add_header(c, d->time_header);
    if (n > 0)
        delivery_add_signature(d, secrets, n, id, now);
    call_add_header(c, "User-Agent: agent-gateway/1");
}

/* A push has header lines of its own. */
static bool delivery_add_push_headers(struct delivery *d, const uint8_t key[static BOX_KEY_LEN])
{
    unsigned n = d->event.sealed_headers_len;
    char *rest = d->headers, *line;

    if (n < BOX_OVERHEAD || n > sizeof d->sealed_headers ||
        !box_open((uint8_t *)d->headers, d->sealed_headers, n, key))
        return false;
    d->headers[n - BOX_OVERHEAD] = '\0';
    while ((line = strsep(&rest, "\n")) != NULL)
        call_add_header(&d->call, line);
    return true;
}

bool delivery_sign(struct delivery *d, const uint8_t service_key[static BOX_KEY_LEN])
{
    struct webhook_secret secrets[WEBHOOK_SECRETS_MAX];
    size_t n = secrets_open(secrets, &d->event, service_key);
    bool push = d->event.sealed_headers != NULL, ready = n > 0 || push;

    delivery_set_headers(d, secrets, n);
    if (push)
        ready = delivery_add_push_headers(d, service_key);
    else
        call_add_header(&d->call, "Content-Type: application/json");
    if (!ready) {
        d->call.result = CALL_FAILED;
        snprintf(d->call.why, sizeof d->call.why, "signing secret not available");
    }
    explicit_bzero(secrets, sizeof secrets);
    return ready;
}

/* One sentence for both, or agents learn which names this network knows. */
static const char NOWHERE[] = "host name not found, or its address not allowed";

static bool is_nowhere(const struct call *c)
{
    return strcmp(c->why, CALL_WHY_ADDRESS) == 0 || strcmp(c->why, CALL_WHY_NAME) == 0;
}

static void delivery_describe(struct delivery *d)
{
    const struct call *c = &d->call;
    bool redirect = c->status >= 300 && c->status < 400 && c->status != 304;

    if (c->result == CALL_ANSWERED)
        snprintf(d->error, sizeof d->error, "HTTP %d%s", c->status,
                 redirect ? " (redirects are not followed)" : "");
    else
        snprintf(d->error, sizeof d->error, "%s",
                 is_nowhere(c)       ? NOWHERE
                 : c->why[0] != '\0' ? c->why
                                     : "not sent");
}

const char *const delivery_outcomes[] = { "delivered", "retried", "failed", NULL };

void delivery_count(enum event_status status)
{
    static const unsigned outcomes[] = { [EVENT_DELIVERED] = 0, [EVENT_PENDING] = 1, [EVENT_FAILED] = 2 };

    metric_add(METRIC("webhook_attempts_total", delivery_outcomes[outcomes[status]]), 1);
}

void delivery_result(struct delivery *d, int64_t now_ms, uint32_t dice, struct event_result *out)
{
    int status = d->call.result == CALL_ANSWERED ? d->call.status : 0;
    int64_t delay_ms;

    *out = (struct event_result){
        .seq = d->event.seq,
        .agent_id = d->event.agent_id,
        .type = d->type,
        .status = EVENT_DELIVERED,
        .response_status = status,
        .at_ms = now_ms,
        .took_ms = d->call.took_ms,
    };
    if (status >= 200 && status < 300) {
        out->answered_url = d->event.unheard ? d->url : NULL;
        return;
    }
    delivery_describe(d);
    out->error = d->error;
    out->status = EVENT_FAILED;
    if (status == 410 || !backoff_delay(&delay_ms, d->event.attempts + 1, d->call.retry_after_s, dice))
        return;
    out->status = EVENT_PENDING;
    out->next_ms = now_ms + delay_ms;
}

void deliver_once(struct delivery *d, struct net *net, const uint8_t service_key[static BOX_KEY_LEN],
                  struct event_result *out)
{
    if (delivery_sign(d, service_key))
        calls_run(net, &d->call, 1, WEBHOOK_TIMEOUT_MS);
    delivery_result(d, clock_ms(), 0, out);
    if (out->status == EVENT_PENDING)
        out->status = EVENT_FAILED;
    delivery_count(out->status);
}
