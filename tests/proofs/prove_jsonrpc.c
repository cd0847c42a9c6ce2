/* jsonrpc_read
 * @bounds all messages, with members of any kind and texts up to 3 bytes
 * @shows no access to what is not there; a call has a method and an id that can be sent back, a notification
 * no id
 * @unwind 12
 * @options --unwindset json_out_of_range:1
 * @with tests/proofs/json.c
 */
#include "agentproto/jsonrpc.c"
#include "proof.h"

json_t *json_any(void);

static bool id_out_of_range; /* of the only value that is asked about */

bool json_out_of_range(const json_t *v)
{
    MUST(v != NULL);
    return id_out_of_range;
}

void harness(void)
{
    ANY(bool, out);
    struct jsonrpc m;

    id_out_of_range = out;
    m = jsonrpc_read(json_any());

    MUST(m.kind != JSONRPC_CALL ||
         (m.method != NULL && m.id != NULL && (json_is_string(m.id) || json_is_number(m.id))));
    MUST(m.kind != JSONRPC_NOTIFICATION || (m.method != NULL && m.id == NULL));
    MUST(m.kind == JSONRPC_INVALID || m.kind == JSONRPC_RESPONSE || m.method != NULL);
}
