#include "operator/audit.h"

#include <string.h>

#include "base/json_writer.h"
#include "base/safe_text.h"
#include "codec/hex.h"
#include "store/audit.h"

enum { ARGUMENT_MAX = 1024 }; /* so that a line holds them */

static json_t *argument_view(const char *arg)
{
    uint8_t digest[HASH_LEN];
    char text[AUDIT_DIGEST_LEN + 1];
    struct uuid id;
    json_t *v;

    if (uuid_parse(&id, arg)) {
        audit_digest(text, &id);
        return json_string(text);
    }
    if (strlen(arg) <= ARGUMENT_MAX && (v = json_string(arg)) != NULL)
        return v;
    sha256(digest, arg, strlen(arg));
    hex_encode(text, digest, sizeof digest);
    return json_string(text);
}

static enum tx_verdict audit_tx(struct db *db, void *arg)
{
    return audit_write(db, arg) ? TX_COMMIT : TX_FAILED;
}

const char *operator_audit(const struct ctx *ctx, struct arena *a, const char *act, char *const *args,
                           const char *reason)
{
    struct audit_act what = { .by = "operator", .act = act };
    json_t *list = json_array();
    const char *problem = NULL;

    for (; *args != NULL; args++)
        json_array_append_new(list, argument_view(*args));
    what.detail = jw_text_of(a, list, 0);
    if (reason != NULL && (!safe_text_ok(reason) || strlen(reason) > ARGUMENT_MAX))
        problem = "the reason has to be a line of text, of at most 1024 bytes";
    what.reason = reason;
    json_decref(list);
    if (problem == NULL && db_transact(ctx->db, audit_tx, &what) != TX_DONE)
        problem = OPERATOR_DATABASE_FAILED;
    return problem;
}
