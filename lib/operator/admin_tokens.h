/* Tokens for the operator's part of the API. */
#ifndef OPERATOR_ADMIN_TOKENS_H
#define OPERATOR_ADMIN_TOKENS_H

#include "model/api_key.h"
#include "model/operator_token.h"
#include "operator/operator.h"

/* Makes a token for a person or program of this name; its text exists nowhere else. */
const char *operator_add_token(const struct ctx *ctx, struct arena *a, const char *name, bool read_only,
                               struct api_key *out);
/* It opens nothing when this returns. */
const char *operator_revoke_token(const struct ctx *ctx, struct arena *a, const char *name);
/* Those in force first; in the arena. */
const char *operator_list_tokens(const struct ctx *ctx, struct arena *a, const struct operator_token **out,
                                 size_t *count);

#endif
