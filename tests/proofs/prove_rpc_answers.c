/* rpc_answers_add
 * @bounds all answers of a node to 2 questions, with members of any kind, up to 2 answers in an array
 * @shows no access to missing members, with any id of an answer; each is taken for a question that was
 * asked
 * @unwind 12
 * @options --unwindset answers_read_array.0:3
 * @replace answer_read:answer_any
 * @with tests/proofs/json.c
 */
#include "chain/rpc/rpc.c"
#include "proof.h"

enum { ASKED = 2 };

json_t *json_any(void);

static struct rpc_answer items[ASKED];

json_t *json_read(const char *text, size_t n)
{
    ANY(bool, refused);

    (void)text;
    (void)n;
    return refused ? NULL : json_any();
}

/* What it sets is shown by itself. */
bool answer_any(struct rpc_answer *r, const json_t *object, int status, rpc_classifier *classify)
{
    ANY(bool, is_one);

    (void)status;
    (void)classify;
    MUST(r == &items[0] || r == &items[1]);
    MUST(object != NULL);
    return is_one;
}

void harness(void)
{
    ANY(int, status);
    static char body[] = "{}";
    struct buf text = { .data = body, .len = 2, .max = 2 };
    struct rpc_answers answers = { json_any(), items, ASKED, NULL };

    items[0].awaited = items[1].awaited = true;
    (void)rpc_answers_add(&answers, &text, status);
}
