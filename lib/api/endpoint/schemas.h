/* The macros with which shapes of answers are declared, and the pieces that several resources share. Only for
 * files that declare shapes: the macros have short names. */
#ifndef API_ENDPOINT_SCHEMAS_H
#define API_ENDPOINT_SCHEMAS_H

#include <stddef.h>

#include "api/endpoint/schema.h"

/* A kind with its example; after it follow what the member means and its marks. */
#define TEXT(e)             .kind = S_TEXT, .example = (e)
#define CHOICE(c, e)        .kind = S_CHOICE, .choices = (c), .example = (e)
#define AMOUNT(e)           .kind = S_AMOUNT, .example = (e)
#define DECIMAL(e)          .kind = S_DECIMAL, .example = (e)
#define TIME(e)             .kind = S_TIME, .example = (e)
#define UUID(e)             .kind = S_UUID, .example = (e)
#define URI(e)              .kind = S_URI, .example = (e)
#define HEX(e)              .kind = S_HEX, .example = (e)
#define WHOLE(e)            .kind = S_WHOLE, .example = (e)
#define FLAG(e)             .kind = S_FLAG, .example = (e)
#define TEXTS(e)            .kind = S_TEXTS, .example = (e)
#define FREE                .kind = S_FREE, .example = NULL
#define STRINGS             .kind = S_STRINGS, .example = NULL
#define NUMBERS(e)          .kind = S_NUMBERS, .example = (e)
#define OBJECT(shape)       .kind = S_OBJECT, .of = &(shape), .example = NULL
#define OBJECT_AS(shape, e) .kind = S_OBJECT, .of = &(shape), .example = (e)
#define MAP(shape, e)       .kind = S_MAP, .of = &(shape), .example = (e)
#define NUMBER(e)           .kind = S_NUMBER, .example = (e)
#define LIST(shape)         .kind = S_LIST, .of = &(shape), .example = NULL

#define SUCCESS                                                                                              \
    {                                                                                                        \
        "success", .kind = S_TRUE, .about = "Always true"                                                    \
    }
#define END                                                                                                  \
    {                                                                                                        \
        .name = NULL                                                                                         \
    }

#define FIELDS .fields = (const struct schema_field[])

/* Examples that are long or used more than once. */
#define A_WALLET        "0x52908400098527886e0f7030069857d2e4169ee7"
#define A_ROUTER        "0x7a250d5630b4cf539739df2c5dacb4c659f2488d"
#define A_SOLANA_WALLET "9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM"
#define A_TOKEN         "0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48"
#define AN_ETH                                                                                               \
    "{\"symbol\":\"ETH\",\"chain\":\"ethereum\",\"address\":\"0x0000000000000000000000000000000000000000\",\"decimals\":18}"
#define A_HASH      "0x4d1fa60c0e7a0c9a0e8a2ab4e4ef8c2f0b8a7a5d3c3f6b1d2e9f8a7b6c5d4e3f"
#define AN_APPROVAL "ap_7d793037a0760186574b0282f2f435e7"
#define A_TIME      "2026-01-01T12:00:00.000Z"
#define LATER       "2026-01-01T12:00:13.250Z"
#define AN_ID       "8f14e45f-ceea-4e7f-a9c6-1d2b3c4d5e6f"
#define A_SECRET    "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="
#define A_KEY       "svc_sk_EXAMPLE-EXAMPLE-EXAMPLE-EXAMPLE-EXAMPLE"
#define A_TOKEN_ID  "60609433066974170268624021240994827628505862549267619017875698755877847826757"
#define A_QUOTE     "q_7d793037a0760186574b0282f2f435e7"

/* ---- pieces of several resources ---- */

/* clang-format off */
#define UNVERIFIED \
    { "unverified", .kind = S_TRUE, .about = "One of the tokens is not listed, and its symbol passes for that of a listed one", .marks = MAY_BE_ABSENT }

/* Members of an answer whose work waits for the operator's approval: where to send the approval, and the
 * state afterwards. */
#define AWAITING(next, lapsed) \
    { "status",      CHOICE(awaiting_statuses, "pending_approval"), "Always pending_approval" }, \
    { "approval_id", TEXT(AN_APPROVAL),                             next }, \
    { "expires_at",  TIME(LATER),                                   lapsed }

#define WEBHOOK_SECRET \
    { "webhook_secret", TEXT(A_SECRET), "Secret of webhook signatures: shown this once, with the first callback_url", MAY_BE_ABSENT }
/* clang-format on */

extern const struct schema error_schema, pagination_schema, check_schema;

/* The kinds of chains that wallets are for, the statuses that lists of swaps show, that of work that awaits
 * approval, and the sides of orders; each ends with NULL. */
extern const char *const wallet_types[];
extern const char *const listed_statuses[];
extern const char *const awaiting_statuses[];
extern const char *const order_sides[];

/* The event `types` lists alone, about what `data` describes. */
#define EVENT_OF(types, example, shape, of)                                                                  \
    FIELDS                                                                                                   \
    {                                                                                                        \
        { "type", CHOICE(types, example), "What happened" }, { "timestamp", TIME(LATER), "When" },           \
            { "data", OBJECT(shape), of }, END                                                               \
    }

#endif
