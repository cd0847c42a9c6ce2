#include "base/test.h"
#include "webhook/deliver.c"

static const int64_t now = INT64_C(1767225600000);
static const uint32_t middle = UINT32_C(1) << 31; /* no jitter */
static uint8_t key[BOX_KEY_LEN] = { 7 };
static struct webhook_secret secret;

static struct event an_event(void)
{
    struct event e = {
        .seq = 5,
        .id = { { 0xab } },
        .agent_id = 9,
        .type = "swap.completed",
        .status = EVENT_PENDING,
        .callback_url = "http://127.0.0.1:1/hook",
        .body = "{\"type\":\"swap.completed\"}",
        .sealed_secret_len = WEBHOOK_SECRET_SEALED_LEN,
    };

    webhook_secret_new(&secret);
    webhook_secret_seal(e.sealed_secret, &secret, key);
    return e;
}

static const char *header(const struct delivery *d, const char *name)
{
    for (size_t i = 0; i < CALL_MAX_HEADERS && d->call.headers[i] != NULL; i++)
        if (strncmp(d->call.headers[i], name, strlen(name)) == 0)
            return d->call.headers[i] + strlen(name);
    return NULL;
}

static void makes_a_signed_call(void)
{
    struct event e = an_event();
    char want[WEBHOOK_SIGNATURES_MAX];
    struct delivery d;

    clock_fake_ms(now);
    delivery_init(&d, &e, CALL_LOOPBACK);
    CHECK(delivery_sign(&d, key));
    CHECK_STR(d.call.url, "http://127.0.0.1:1/hook");
    CHECK(d.call.url != e.callback_url);
    CHECK_STR(buf_text(&d.call.body), e.body);
    CHECK(d.call.guard == CALL_LOOPBACK && d.call.timeout_ms == 10000 && d.call.truncate_answer);
    CHECK_STR(header(&d, "webhook-id: "), "msg_ab000000000000000000000000000000");
    CHECK_STR(header(&d, "webhook-timestamp: "), "1767225600");
    CHECK_STR(header(&d, "Content-Type: "), "application/json");
    CHECK_STR(header(&d, "User-Agent: "), "agent-gateway/1");
    webhook_signatures(want, &secret, 1, "msg_ab000000000000000000000000000000", now / 1000, e.body,
                       strlen(e.body));
    CHECK_STR(header(&d, "webhook-signature: "), want);
    clock_fake_ms(0);
    delivery_free(&d);
}

static void signs_twice_while_a_former_secret_counts(void)
{
    struct event e = an_event();
    struct webhook_secret former;
    struct delivery d;

    webhook_secret_new(&former);
    webhook_secret_seal(e.sealed_former, &former, key);
    e.sealed_former_len = WEBHOOK_SECRET_SEALED_LEN;
    delivery_init(&d, &e, CALL_PUBLIC);
    CHECK(delivery_sign(&d, key));
    CHECK(strlen(header(&d, "webhook-signature: ")) == 2 * WEBHOOK_SIGNATURE_LEN + 1);
    delivery_free(&d);
}

static void sends_nothing_without_a_secret(void)
{
    struct event e = an_event();
    uint8_t other[BOX_KEY_LEN] = { 8 };
    struct event_result r;
    struct delivery d;

    delivery_init(&d, &e, CALL_PUBLIC);
    CHECK(!delivery_sign(&d, other));
    delivery_result(&d, now, middle, &r);
    CHECK(r.status == EVENT_PENDING && r.response_status == 0);
    CHECK_STR(r.error, "signing secret not available");
    delivery_free(&d);
}

/* Its own headers, to its own URL; signed where there is a secret. */
static void a_push_has_headers_of_its_own(void)
{
    static const char lines[] = "Content-Type: application/a2a+json\nX-A2A-Notification-Token: t\n"
                                "Authorization: Bearer a b";
    uint8_t sealed[sizeof lines - 1 + BOX_OVERHEAD], other[BOX_KEY_LEN] = { 8 };
    struct event e = an_event();
    struct delivery d;

    box_seal(sealed, (const uint8_t *)lines, sizeof lines - 1, key);
    e.sealed_headers = sealed;
    e.sealed_headers_len = sizeof sealed;
    for (int secret_too = 0; secret_too < 2; secret_too++) {
        e.sealed_secret_len = secret_too ? WEBHOOK_SECRET_SEALED_LEN : 0;
        delivery_init(&d, &e, CALL_PUBLIC);
        CHECK(delivery_sign(&d, key) && delivery_sign(&d, key)); /* each attempt anew */
        CHECK_STR(header(&d, "Content-Type: "), "application/a2a+json");
        CHECK_STR(header(&d, "X-A2A-Notification-Token: "), "t");
        CHECK_STR(header(&d, "Authorization: "), "Bearer a b");
        CHECK_STR(header(&d, "webhook-id: "), "msg_ab000000000000000000000000000000");
        CHECK((header(&d, "webhook-signature: ") != NULL) == secret_too);
        delivery_free(&d);
    }
    delivery_init(&d, &e, CALL_PUBLIC);
    CHECK(!delivery_sign(&d, other) && header(&d, "Authorization: ") == NULL);
    delivery_free(&d);
}

struct outcome {
    enum call_result result;
    int status;
    const char *why;
    int64_t retry_after_s;
    unsigned attempts; /* before this one */
    enum event_status want;
    const char *error;
    int64_t delay_ms;
};

static const struct outcome outcomes[] = {
    { CALL_ANSWERED, 200, "", -1, 0, EVENT_DELIVERED, NULL, 0 },
    { CALL_ANSWERED, 204, "", -1, 9, EVENT_DELIVERED, NULL, 0 },
    { CALL_ANSWERED, 299, "", 60, 0, EVENT_DELIVERED, NULL, 0 },
    { CALL_ANSWERED, 199, "", -1, 0, EVENT_PENDING, "HTTP 199", 5000 },
    { CALL_ANSWERED, 302, "", -1, 0, EVENT_PENDING, "HTTP 302 (redirects are not followed)", 5000 },
    { CALL_ANSWERED, 304, "", -1, 0, EVENT_PENDING, "HTTP 304", 5000 },
    { CALL_ANSWERED, 400, "", -1, 1, EVENT_PENDING, "HTTP 400", 30000 },
    { CALL_ANSWERED, 404, "", -1, 2, EVENT_PENDING, "HTTP 404", 120000 },
    { CALL_ANSWERED, 410, "", -1, 0, EVENT_FAILED, "HTTP 410", 0 },
    { CALL_ANSWERED, 429, "", 90, 0, EVENT_PENDING, "HTTP 429", 90000 },
    { CALL_ANSWERED, 503, "", 1, 8, EVENT_PENDING, "HTTP 503", 86400000 },
    { CALL_ANSWERED, 503, "", -1, 9, EVENT_FAILED, "HTTP 503", 0 },
    { CALL_TIMEOUT, 0, "timed out after 10 s", -1, 3, EVENT_PENDING, "timed out after 10 s", 600000 },
    { CALL_TIMEOUT, 0, "timed out after 10 s", -1, 9, EVENT_FAILED, "timed out after 10 s", 0 },
    { CALL_REFUSED, 0, CALL_WHY_ADDRESS, -1, 0, EVENT_PENDING, NOWHERE, 5000 },
    { CALL_FAILED, 0, CALL_WHY_NAME, -1, 0, EVENT_PENDING, NOWHERE, 5000 },
    { CALL_FAILED, 0, "could not connect", -1, 0, EVENT_PENDING, "could not connect", 5000 },
    { CALL_PENDING, 0, "", -1, 0, EVENT_PENDING, "not sent", 5000 },
};

static void check_outcome(const struct outcome *o)
{
    struct event e = an_event();
    struct event_result r;
    struct delivery d;

    e.attempts = o->attempts;
    delivery_init(&d, &e, CALL_PUBLIC);
    d.call.result = o->result;
    d.call.status = o->status;
    d.call.retry_after_s = o->retry_after_s;
    snprintf(d.call.why, sizeof d.call.why, "%s", o->why);
    delivery_result(&d, now, middle, &r);
    CHECK(r.seq == 5 && r.agent_id == 9 && r.status == o->want);
    CHECK_STR(r.type, "swap.completed");
    CHECK(r.response_status == o->status);
    CHECK_STR(r.error ? r.error : "none", o->error ? o->error : "none");
    CHECK(r.next_ms == (o->want == EVENT_PENDING ? now + o->delay_ms : 0));
    delivery_free(&d);
}

static void judges_outcomes(void)
{
    for (size_t i = 0; i < sizeof outcomes / sizeof outcomes[0]; i++)
        check_outcome(&outcomes[i]);
}

static void single_attempts_have_no_retry(void)
{
    struct net *net = net_new("test/1", 4);
    struct event e = an_event();
    struct event_result r;
    struct delivery d;

    delivery_init(&d, &e, CALL_PUBLIC);
    deliver_once(&d, net, key, &r);
    CHECK(r.status == EVENT_FAILED);
    CHECK_STR(r.error, "scheme not allowed");
    delivery_free(&d);
    delivery_init(&d, &e, CALL_LOOPBACK);
    deliver_once(&d, net, key, &r);
    CHECK(r.status == EVENT_FAILED);
    CHECK_STR(r.error, "could not connect");
    delivery_free(&d);
    net_free(net);
}

TEST_MAIN(TEST(makes_a_signed_call), TEST(signs_twice_while_a_former_secret_counts),
          TEST(sends_nothing_without_a_secret), TEST(a_push_has_headers_of_its_own), TEST(judges_outcomes),
          TEST(single_attempts_have_no_retry))
