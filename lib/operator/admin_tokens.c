#include "operator/admin_tokens.h"

#include "store/operator_tokens.h"

const char *operator_add_token(const struct ctx *ctx, struct arena *a, const char *name, bool read_only,
                               struct api_key *out)
{
    enum db_update added;

    if (!operator_name_ok(name))
        return "a name has at most 64 letters, digits and . _ @ -";
    operator_token_new(out);
    added = operator_tokens_add(ctx->db, name, read_only, out->hash);
    if (added == DB_ERROR)
        return OPERATOR_DATABASE_FAILED;
    return added == UPDATED ? NULL
                            : arena_printf(a, "%s has one in force, or there are %d of them: revoke one",
                                           name, OPERATOR_TOKENS_MAX);
}

const char *operator_revoke_token(const struct ctx *ctx, struct arena *a, const char *name)
{
    enum db_update revoked = operator_name_ok(name) ? operator_tokens_revoke(ctx->db, name) : UNCHANGED;

    if (revoked == DB_ERROR)
        return OPERATOR_DATABASE_FAILED;
    return revoked == UNCHANGED ? arena_printf(a, OPERATOR_NO_SUCH "token: %s", name) : NULL;
}

const char *operator_list_tokens(const struct ctx *ctx, struct arena *a, const struct operator_token **out,
                                 size_t *count)
{
    struct operator_token *list;
    int n = operator_tokens_list(ctx->db, a, &list);

    *out = list;
    *count = n > 0 ? (size_t)n : 0;
    return n < 0 ? OPERATOR_DATABASE_FAILED : NULL;
}
