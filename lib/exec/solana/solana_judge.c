#include "exec/solana/solana_judge.h"

#include <string.h>

#include "chain/rpc/node.h"
#include "chain/solana/curve.h"
#include "chain/solana/solana_programs.h"
#include "chain/solana/solana_rpc.h"
#include "chain/tokens.h"
#include "chain/unavailable.h"

enum { DEADLINE_MS = 2500, MARK_BYTES = 1 };

/* Those of the chain's own programs and of its sysvars end so, which no key's address ever does. */
#define RESERVED_END "1111111111"

static bool ends_with(const char *text, const char *end)
{
    size_t n = strlen(text), len = strlen(end);

    return n >= len && strcmp(text + n - len, end) == 0;
}

const char *solana_recipient_fault(const char *address)
{
    static const struct solana_addr *const programs[] = {
        &SOLANA_SYSTEM,         &SOLANA_TOKEN,        &SOLANA_TOKEN_2022, &SOLANA_ASSOCIATED_TOKEN,
        &SOLANA_COMPUTE_BUDGET, &SOLANA_MEMO,         &SOLANA_JUPITER,    &SOLANA_RELAY_DEPOSITORY,
        &SOLANA_LOOKUP_TABLES,  &SOLANA_WRAPPED_COIN,
    };
    struct solana_addr at;

    if (!solana_addr_parse(&at, address))
        return "It is no address of this chain";
    if (ends_with(address, RESERVED_END))
        return "It is a program of the chain itself: what is sent there is lost";
    for (size_t i = 0; i < sizeof programs / sizeof programs[0]; i++)
        if (solana_addr_eq(&at, programs[i]))
            return "It is a program: what is sent there is lost";
    for (size_t i = 0; i < chains_count; i++)
        if (chains[i].type == CHAIN_SOLANA && token_find(&chains[i], address) != NULL)
            return "It is a token's mint: what is sent there is lost";
    return NULL;
}

/* A payment to a program's account, such as one that holds a token, may be lost. No key has an address off
 * the curve: it is such an account, or will be, unless its owner says that a program pays out of it. */
static const struct err *state_judge(struct arena *a, const struct recipient *r, const struct solana_addr *at,
                                     const struct solana_state *s)
{
    if (s->exists && !solana_addr_eq(&s->program, &SOLANA_SYSTEM))
        return &E_NO_WALLET_THERE;
    if (solana_is_on_curve(at->bytes) || r->contract_allowed)
        return NULL;
    return err_hint(
        a, &E_NO_WALLET_THERE,
        "No key can have this address. If it is the vault of a multisig of yours, and no account of a token, add it as a withdrawal address with allow_contract [\"solana\"]");
}

/* By the words of two nodes, of which one that shows such an account is enough. */
static const struct err *all_judge(struct arena *a, const struct recipient *r, const struct solana_addr *at,
                                   const struct rpc_answers *answers, size_t count)
{
    const struct err *e = NULL;
    size_t told = 0;

    for (size_t i = 0; i < count; i++) {
        struct solana_state state;

        if (!solana_read_accounts(&state, 1, NULL, a, &answers[i].items[0]))
            continue;
        told++;
        e = e != NULL ? e : state_judge(a, r, at, &state);
    }
    return told > 0 ? e : chain_senseless(r->chain, "an account");
}

const struct err *solana_judge(const struct ctx *ctx, struct arena *a, const struct recipient *r)
{
    struct buf body = BUF_INIT(MAX_TX);
    struct rpc_batch batch = rpc_begin(&body);
    struct rpc_answers answers[NODE_OPINIONS];
    struct solana_addr at;
    const struct err *e;
    size_t answered;

    if (!solana_addr_parse(&at, r->address))
        return &E_NO_WALLET_THERE;
    solana_ask_accounts(&batch, &at, 1, SOLANA_CONFIRMED, MARK_BYTES);
    rpc_end(&batch);
    answered = node_ask_two(ctx, r->chain, &batch, DEADLINE_MS, a, answers);
    e = answered > 0 ? all_judge(a, r, &at, answers, answered) : chain_unavailable(ctx, a, r->chain);
    node_answers_free(answers, answered);
    buf_free(&body);
    return e;
}
