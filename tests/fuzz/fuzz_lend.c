/* Any answer of a chain about its lending markets, and about a wallet's positions in them: markets and
 * positions can be written as JSON. The first byte chooses the round, the owner and how many
 * reserves there are; the rest is what the multicall returned. */
#include <jansson.h>
#include <string.h>

#include "base/json_reader.h"
#include "fuzz.h"
#include "lend/lender.h"

enum { ROUND = 1, RESERVES = 2, RESERVES_MOST = 7, JSON_MAX = 4 * 1024 * 1024 };

static void check_json(struct arena *a, const struct lend_chain *c)
{
    struct json_writer w;
    const char *text;
    json_t *doc;

    jw_init(&w, a, JSON_MAX);
    jw_array(&w, NULL);
    for (size_t i = 0; i < c->count; i++)
        lend_market_write(&w, &c->markets[i]);
    for (size_t i = 0; i < c->position_count; i++)
        lend_position_write(&w, &c->positions[i]);
    for (size_t i = 0; i < c->account_count; i++)
        lend_account_write(&w, &c->accounts[i]);
    jw_end(&w);
    text = jw_finish(&w);
    MUST(text != NULL);
    doc = json_read(text, strlen(text));
    MUST(json_array_size(doc) == c->count + c->position_count + c->account_count);
    json_decref(doc);
}

static bool round_read(struct lend_chain *c, struct lend_answers *r, bool first)
{
    bool all = true;

    for (size_t i = 0; all && lenders[i] != NULL; i++)
        all = first ? lenders[i]->found(c, r) : lenders[i]->read(c, r);
    for (size_t i = 0; all && !first && lenders[i] != NULL; i++)
        all = lenders[i]->read_owner(c, r);
    return all;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const struct evm_addr owner = { "the owner of it all." };
    struct arena *a = arena_new();
    struct lend_chain c = { .chain = chain_by_id(1), .arena = a, .owner = &owner, .morpho_count = 2 };
    struct lend_answers answers = { .next = 0 };

    if (size > 0) {
        c.now_s = data[0];
        c.reserve_count = data[0] / RESERVES & RESERVES_MOST;
        answers.results = (struct multicall_results){ data + 1, size - 1 };
        if (round_read(&c, &answers, data[0] & ROUND)) {
            MUST((data[0] & ROUND) != 0 || c.count == c.reserve_count + c.morpho_count);
            MUST(c.morpho_count <= 2);
        }
        check_json(a, &c);
    }
    arena_free(a);
    return 0;
}
