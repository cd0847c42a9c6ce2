/* Whom a payment may go to, by the words of two nodes. */
#include "base/test.h"
#include "exec/evm/evm_judge.c"

#include "chain/evm/evm_rpc_class.h"
#include "codec/test_liar.h"

#define WORD(end) "0x00000000000000000000000000000000000000000000000000000000000000" end

static struct rpc_answers answers_of(struct arena *a, const json_t *results)
{
    struct buf body = BUF_INIT(4096);
    struct rpc_answers out;
    json_t *all = json_array();
    char *text;

    for (size_t i = 0; i < ITEMS; i++) {
        const json_t *result = json_array_get(results, i);

        json_array_append_new(all, json_pack("{s:i,s:o}", "id", (int)i, "result",
                                             result == NULL ? json_null() : json_deep_copy(result)));
    }
    text = json_dumps(all, 0);
    buf_adds(&body, text);
    CHECK(rpc_read(&out, a, &body, ITEMS, evm_classify));
    free(text);
    json_decref(all);
    buf_free(&body);
    return out;
}

/* `arg`: that other chains are asked is no refusal. */
static const char *judged_by(const json_t *first, const json_t *second, void *arg)
{
    const json_t *said[] = { first, second };
    const struct recipient r = { .chain = chain_find("base") };
    struct arena *a = arena_new();
    struct rpc_answers answers[NODE_OPINIONS];
    const struct err *e;
    const char *verdict;
    bool settled;

    for (size_t i = 0; i < NODE_OPINIONS; i++)
        answers[i] = answers_of(a, json_array_get(said[i], 0));
    e = all_read(a, &r, answers, NODE_OPINIONS, &settled);
    verdict = e != NULL ? (err_is(e, &E_RECIPIENT_LOST) ? "refused" : NULL)
              : settled ? "paid"
              : arg     ? "other chains are asked"
                        : NULL;
    node_answers_free(answers, NODE_OPINIONS);
    arena_free(a);
    return verdict;
}

static void one_liar_has_no_contract_paid(void)
{
    static const char *const rows[][3] = {
        { "a token", "[\"0x6080\",\"0x1\",\"" WORD("12") "\",\"" WORD("77") "\",\"0x\",\"0x\"]", "" },
        { "a pool", "[\"0x6080\",\"0x1\",\"0x\",\"0x\",\"" WORD("12") "\",\"" WORD("77") "\"]", "" },
        { "nothing", "[\"0x\",\"0x0\",\"0x\",\"0x\",\"0x\",\"0x\"]", "elsewhere" },
        { "a wallet", "[\"0x\",\"0x9\",\"0x\",\"0x\",\"0x\",\"0x\"]", "" },
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        json_t *truth = json_loads(rows[i][1], 0, NULL);

        liar_alone_changes_nothing(rows[i][0], truth, judged_by,
                                   *rows[i][2] == '\0' ? NULL : (void *)(uintptr_t)rows[i][2]);
        json_decref(truth);
    }
}

TEST_MAIN(TEST(one_liar_has_no_contract_paid))
