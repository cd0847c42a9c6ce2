/* answer_read of rpc/rpc.c
 * @bounds all objects, with members of any kind and texts up to 3 bytes, under any status
 * @shows no access to missing members, with any error or result of an answer; a result is one, and only under
 * a good status, and an error an error
 * @unwind 10
 * @with tests/proofs/json.c
 */
#include "chain/rpc/rpc.c"
#include "proof.h"

json_t *json_any(void);

static enum rpc_class classify_any(int64_t code, const char *message, int status)
{
    ANY(enum rpc_class, class);

    (void)code;
    (void)status;
    MUST(message != NULL && strlen(message) <= 3);
    SUPPOSE(class != RPC_RESULT);
    return class;
}

void harness(void)
{
    ANY(int, status);
    struct rpc_answer r = { .error_text = "", .class = RPC_INCIDENT };

    SUPPOSE(status >= 100 && status < 600);
    if (!answer_read(&r, json_any(), status, classify_any))
        return;
    MUST((r.class == RPC_RESULT) == (r.result != NULL) && (r.result == NULL) == (r.error != NULL));
    MUST(r.result == NULL || status / 100 == 2);
    MUST(r.error_text != NULL);
}
