/* A webhook event and its delivery record. */
#ifndef MODEL_EVENT_H
#define MODEL_EVENT_H

#include <stdbool.h>
#include <stdint.h>

#include "codec/uuid.h"

enum event_status { EVENT_PENDING = 1, EVENT_DELIVERED = 2, EVENT_FAILED = 3 };

enum {
    EVENT_ID_TEXT_LEN = 4 + 32,
    EVENT_TYPE_MAX = 40,
    EVENT_ERROR_MAX = 200,
    EVENT_HEADERS_MAX = 2100,
    EVENT_HEADERS_SEALED_MAX = EVENT_HEADERS_MAX + 24 + 16,
};

/* The type of push notifications of tasks, which have a URL and headers of their own. */
#define EVENT_TASK "task.updated"

struct event {
    uint64_t seq;   /* ours: the order in lists */
    struct uuid id; /* shown as msg_ and 32 hex digits: webhook-id of every attempt */
    uint64_t agent_id;
    struct uuid agent; /* its own id; of a claimed event */
    const char *type;  /* "swap.completed" */
    enum event_status status;
    unsigned attempts;        /* made; of a claimed event, since it was last redelivered */
    const char *last_error;   /* NULL when none */
    int response_status;      /* 0 when there was no answer */
    const char *callback_url; /* frozen at the time of the event */
    const char *body;         /* the exact bytes that are sent */
    int64_t created_ms;
    int64_t delivered_ms;    /* 0 when it was not */
    int64_t next_ms;         /* when it is tried next; 0 when it is not */
    const char *attempt_log; /* model/event_attempt.h; NULL: none is kept */
    /* the agent's secrets, sealed (codec/box.h); the previous one counts until its time */
    uint8_t sealed_secret[128];
    unsigned sealed_secret_len;
    uint8_t sealed_former[128];
    unsigned sealed_former_len; /* 0 when there is none or its time is over */
    /* of a security event the secret that its receiver may know */
    uint8_t sealed_own[128];
    unsigned sealed_own_len;
    bool unheard; /* of a claimed event: a callback of the agent's has not answered yet */
    /* of a push notification its own header lines, sealed, in the claim's arena; NULL: none */
    const uint8_t *sealed_headers;
    unsigned sealed_headers_len;
};

void event_id_text(char out[static EVENT_ID_TEXT_LEN + 1], struct uuid id);
bool event_id_parse(struct uuid *out, const char *text);
const char *event_status_text(enum event_status s); /* "pending", "delivered", "failed" */
bool event_status_parse(enum event_status *out, const char *text);

#endif
