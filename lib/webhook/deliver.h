/* One delivery: an event becomes a signed call, the ended call becomes what is recorded about the event. The
 * call itself is made by the owner of the delivery: many at once in webhook/drain, one in a request
 * (deliver_once). */
#ifndef WEBHOOK_DELIVER_H
#define WEBHOOK_DELIVER_H

#include <stdint.h>

#include "codec/box.h"
#include "model/event.h"
#include "net/call.h"
#include "net/url.h"
#include "store/events.h"
#include "webhook/webhook_sign.h"

enum { WEBHOOK_TIMEOUT_MS = 10 * 1000 };

/* Must stay in place from delivery_init to delivery_free: the call points into it. */
struct delivery {
    struct call call;
    struct event event; /* its texts are the ones below; the body is the call's */
    char type[EVENT_TYPE_MAX + 1];
    char url[URL_MAX + 1];
    char id_header[12 + EVENT_ID_TEXT_LEN + 1];
    char time_header[48];
    char signature_header[24 + WEBHOOK_SIGNATURES_MAX];
    uint8_t sealed_headers[EVENT_HEADERS_SEALED_MAX];
    char headers[EVENT_HEADERS_MAX + 1]; /* of a push notification, opened while it is in progress */
    char error[EVENT_ERROR_MAX + 1];
};

/* Copies what it needs of the event. */
void delivery_init(struct delivery *d, const struct event *e, enum call_guard guard);
void delivery_free(struct delivery *d);

/* Prepares d->call for one attempt that starts now. False when the agent's secret or the headers of a push
 * cannot be opened: the call has then ended as CALL_FAILED, for delivery_result. A push of an agent without a
 * secret, which comes with the first callback, is sent without a signature. */
bool delivery_sign(struct delivery *d, const uint8_t service_key[static BOX_KEY_LEN]);

/* The result to record: 2xx is delivered, 410 and the tenth failure are failed, everything else is tried
 * again at next_ms. `dice`: 32 random bits. The texts are the delivery's. */
void delivery_result(struct delivery *d, int64_t now_ms, uint32_t dice, struct event_result *out);

/* Counts an attempt for monitors by one of these: "webhook_attempts_total"; NULL ends the list. */
extern const char *const delivery_outcomes[];
void delivery_count(enum event_status status);

/* A single attempt, at once: DELIVERED or FAILED. Takes up to WEBHOOK_TIMEOUT_MS. */
void deliver_once(struct delivery *d, struct net *net, const uint8_t service_key[static BOX_KEY_LEN],
                  struct event_result *out);

#endif
