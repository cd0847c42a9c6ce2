/* Replies of the endpoints of a market whose venue takes money of the wallet and returns it: each market has
 * its own words for a transfer, and all the rest is the same. */
#ifndef API_TRANSFER_REPLIES_H
#define API_TRANSFER_REPLIES_H

#include "api/admission/api_call.h"
#include "api/endpoint/common_params.h"
#include "api/endpoint/schemas.h"
#include "base/params.h"
#include "exec/commit.h"
#include "exec/kind.h"
#include "model/page.h"
#include "store/execution_own.h"

struct transfers {
    void (*view)(struct json_writer *w, const struct execution_shown *x);
    /* The agent's. LOOKUP_NONE for what is no transfer of this market, too. */
    enum lookup (*get)(const struct ctx *ctx, struct arena *a, uint64_t agent_id, uint64_t id,
                       struct execution *out);
    /* Newest first, as exec/kind.h's views show them. Returns how many are read,
     * or -1. */
    int (*page)(struct db *db, struct arena *a, uint64_t agent_id, const struct own_filter *f,
                const struct page *p, struct execution **out, uint64_t *total);
    const char *not_found_hint; /* NULL: the error's own */
};

struct transfers_in {
    const char *status;
    struct list_terms terms;
    uint64_t limit, offset;
};
extern const struct param transfers_params[];
extern const char *const transfer_statuses[];

/* The fields of a transfer's schema that say how it stands. */
#define TRANSFER_STANDING(about_status, about_hash)                                                          \
    { "status", CHOICE(transfer_statuses, "completed"), about_status },                                      \
        { "tx_hash", HEX(A_HASH), about_hash, MAY_BE_NULL },                                                 \
        { "created_at", TIME(A_TIME), "When it was accepted" },                                              \
        { "completed_at", TIME(LATER), "When it completed or failed", MAY_BE_NULL },                         \
    {                                                                                                        \
        "error", TEXT("null"), "Why it failed, in words", MAY_BE_NULL                                        \
    }

/* A transfer that is about to be committed: what goes with it into the transaction. */
struct transfer_making {
    struct api_call *call;
    const struct transfers *of;
    struct commit_note note;
};
/* The note for the commit; NULL: none. */
const struct commit_note *transfer_note(struct transfer_making *m, struct api_call *c,
                                        const struct transfers *of);
/* `e` is how its making went. */
struct reply *transfer_made(struct api_call *c, const struct transfers *of, const struct err *e,
                            struct commit_result *r);
/* struct endpoint.begins. */
uint64_t transfer_begun(const struct api_call *c, const json_t *answer);

struct reply *transfer_found(struct api_call *c, const struct transfers *of);
struct reply *transfers_listed(struct api_call *c, const struct transfers *of, const struct transfers_in *in);

#endif
