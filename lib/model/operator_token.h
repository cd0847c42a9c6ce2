/* The key to the operator's part of the API: its holder acts under the token's name. */
#ifndef MODEL_OPERATOR_TOKEN_H
#define MODEL_OPERATOR_TOKEN_H

#include <stdbool.h>
#include <stdint.h>

enum { OPERATOR_NAME_MAX = 64 };

struct operator_token {
    uint64_t id;
    char name[OPERATOR_NAME_MAX + 1];
    bool read_only;
    int64_t created_ms;
    int64_t revoked_ms; /* 0: it is in force */
};

/* Letters, digits and ". _ @ -", so that it appears in a line of a log as it is. */
bool operator_name_ok(const char *name);

#endif
