#include "exec/evm/evm_judge.h"

#include <string.h>

#include "chain/evm/abi.h"
#include "chain/evm/evm_rpc.h"
#include "chain/rpc/node.h"
#include "chain/tokens.h"
#include "chain/unavailable.h"
#include "venue/contracts.h"

enum {
    DEADLINE_MS = 2500,
    SMALL_BYTES = 18,        /* of zeros before an address that only a chain itself has */
    PREDEPLOY_BYTES = 17,    /* that the contracts of an OP chain have in common, and those of Scroll */
    DELEGATION_LEN = 3 + 20, /* EIP-7702: 0xef0100 and an address */
};

/* ---- the address ---- */

/* Burn addresses and placeholders, and what stands at one address on many chains and pays nothing out. */
static const char *const nobodies[] = {
    "0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE", /* services write it for the coin */
    "0xFFfFfFffFFfffFFfFFfFFFFFffFFFffffFfFFFfF", "0x000000000000000000000000000000000000dEaD",
    "0xffffFFFfFFffffffffffffffFfFFFfffFFFfFFfE", /* calls in the name of a chain, EIP-4788 */
    "0x00000000000000000000000000000000000A4B05", /* as of Arbitrum */
    "0xdEAD000000000000000042069420694206942069", "0xDeaDbeefdEAdbeefdEadbEEFdeadbeEFdEaDbeeF",
    "0xdEaDDEaDDeAdDeAdDEAdDEaddeAddEAdDEAdDEAd",
};
static const char *const infrastructure[] = {
    "0xcA11bde05977b3631167028862bE2a173976CA11", /* Multicall3 */
    "0x000000000022D473030F116dDEE9F6B43aC78BA3", /* Permit2 */
    "0x4e59b44847b379578588920cA78FbF26c0B4956C", /* makes contracts */
    "0xba5Ed099633D3B313e4D5F7bdc1305d3c28ba5Ed", "0x5FF137D4b0FDCD49DcA30c7CF57E578a026d2789", /* ERC-4337 */
    "0x0000000071727De22E5E9d8BAf0edAc6f37da032", "0x00000000219ab540356cBB839Cbe05303d7705Fa", /* stakes */
    "0x000F3df6D732807Ef1319fB7B8bB8522d0Beac02", /* beacon roots, EIP-4788 */
    "0x0000F90827F1C53a10cb7A02335B175320002935", /* block hashes, EIP-2935 */
    "0x00000961Ef480Eb55e80D19ad83579A64c007002", "0x0000BBdDc7CE488642fb579F8B00f3a590007251",
};

static bool is_one_of(const char *address, const char *const *list, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (strcasecmp(address, list[i]) == 0)
            return true;
    return false;
}

/* 0x4200…0000 to 0x4200…ffff and Scroll's 0x5300…. */
static bool is_predeploy(const struct evm_addr *at)
{
    static const uint8_t zeros[PREDEPLOY_BYTES];

    return (at->bytes[0] == 0x42 || at->bytes[0] == 0x53) &&
           memcmp(at->bytes + 1, zeros, PREDEPLOY_BYTES) == 0;
}

const char *evm_recipient_fault(const char *address)
{
    static const uint8_t zeros[SMALL_BYTES];
    struct evm_addr at;

    if (!evm_addr_parse(&at, address))
        return "It is no address of these chains";
    if (memcmp(at.bytes, zeros, SMALL_BYTES) == 0 || is_predeploy(&at) ||
        is_one_of(address, infrastructure, sizeof infrastructure / sizeof infrastructure[0]))
        return "It is a contract of the chain itself: what is sent there is lost";
    if (is_one_of(address, nobodies, sizeof nobodies / sizeof nobodies[0]))
        return "No key has this address: what is sent there is lost";
    for (size_t i = 0; i < chains_count; i++) {
        if (chains[i].type != CHAIN_EVM)
            continue;
        if (token_find(&chains[i], address) != NULL)
            return "It is a token's contract: what is sent there is lost";
        if (contract_at(&chains[i], address) != NULL)
            return "It is a contract that trades: what is sent there is lost";
    }
    return NULL;
}

/* ---- answers of the paying chain ---- */

enum { AT_CODE, AT_NONCE, AT_DECIMALS, AT_SUPPLY, AT_TOKEN0, AT_TOKEN1, ITEMS };

static void ask_call(struct rpc_batch *b, struct evm_addr at, const char *signature)
{
    struct buf data = BUF_INIT(8);

    abi_selector(&data, abi_selector_of(signature));
    rpc_add_call(b, NULL, at, &data);
    buf_free(&data);
}

static void ask_code(struct rpc_batch *b, const char *address)
{
    rpc_add(b, "eth_getCode", "[\"%s\",\"latest\"]", address);
}

static bool answers_word(struct arena *a, const struct rpc_answer *r)
{
    const uint8_t *p;
    size_t n;

    return rpc_bytes(&p, &n, a, r) && n == ABI_WORD;
}

/* By how much each speaks against a payment. */
enum code { CODE_UNKNOWN, CODE_NONE, CODE_WALLET, CODE_CONTRACT };

static enum code code_read(struct arena *a, const struct rpc_answer *r)
{
    static const uint8_t delegation[] = { 0xef, 0x01, 0x00 };
    const uint8_t *p;
    size_t n;

    if (!rpc_bytes(&p, &n, a, r))
        return CODE_UNKNOWN;
    if (n == 0)
        return CODE_NONE;
    return n == DELEGATION_LEN && memcmp(p, delegation, sizeof delegation) == 0 ? CODE_WALLET : CODE_CONTRACT;
}

/* Other contracts cannot be told from those that hold money for a key, such as a wallet of several keys. */
static const struct err *contract_judge(struct arena *a, const struct rpc_answer *r)
{
    if (answers_word(a, &r[AT_TOKEN0]) && answers_word(a, &r[AT_TOKEN1]))
        return err_hint(a, &E_RECIPIENT_LOST, "It is a pool: what is sent there is lost");
    if (answers_word(a, &r[AT_SUPPLY]) && answers_word(a, &r[AT_DECIMALS]))
        return err_hint(a, &E_RECIPIENT_LOST, "It is a token's contract: what is sent there is lost");
    return NULL;
}

/* One node's words. False: it does not tell. *settled: no other chain need be asked. */
static bool here_read(struct arena *a, const struct recipient *r, const struct rpc_answers *answers,
                      const struct err **e, bool *settled)
{
    const struct rpc_answer *items = answers->items;
    uint64_t nonce = 0;
    enum code code = code_read(a, &items[AT_CODE]);

    *e = code == CODE_CONTRACT ? contract_judge(a, items) : NULL;
    *settled = code != CODE_NONE;
    if (code == CODE_UNKNOWN || (code == CODE_NONE && !rpc_u64(&nonce, &items[AT_NONCE])))
        return false;
    *settled = *settled || nonce > 0 || r->contract_allowed; /* a key has signed for it, or its owner knows */
    return true;
}

/* What one of two nodes shows against it counts; what speaks for it, only as both say so. */
static const struct err *all_read(struct arena *a, const struct recipient *r,
                                  const struct rpc_answers *answers, size_t count, bool *settled)
{
    const struct err *e = NULL, *each;
    size_t told = 0;
    bool its;

    *settled = true;
    for (size_t i = 0; i < count; i++) {
        if (!here_read(a, r, &answers[i], &each, &its))
            continue;
        told++;
        e = e != NULL ? e : each;
        *settled = *settled && its;
    }
    return told > 0 ? e : chain_senseless(r->chain, "code");
}

static const struct err *here_judge(const struct ctx *ctx, struct arena *a, const struct recipient *r,
                                    bool *settled)
{
    static const char *const calls[] = { "decimals()", "totalSupply()", "token0()", "token1()" };
    struct buf body = BUF_INIT(MAX_TX);
    struct rpc_batch batch = rpc_begin(&body);
    struct rpc_answers answers[NODE_OPINIONS];
    const struct err *e;
    struct evm_addr at = evm_addr_or_zero(r->address);
    size_t answered;

    ask_code(&batch, r->address);
    rpc_add(&batch, "eth_getTransactionCount", "[\"%s\",\"latest\"]", r->address);
    for (size_t i = 0; i < sizeof calls / sizeof calls[0]; i++)
        ask_call(&batch, at, calls[i]);
    rpc_end(&batch);
    *settled = true;
    answered = node_ask_two(ctx, r->chain, &batch, DEADLINE_MS, a, answers);
    e = answered > 0 ? all_read(a, r, answers, answered, settled) : chain_unavailable(ctx, a, r->chain);
    node_answers_free(answers, answered);
    buf_free(&body);
    return e;
}

/* ---- answers of other chains ---- */

static const struct err *contract_elsewhere(struct arena *a, const struct recipient *r,
                                            const struct chain *there)
{
    return err_hint(
        a, &E_CONTRACT_ELSEWHERE,
        arena_printf(
            a,
            "It is a contract on %s, which may have no owner on %s: if it is yours there too, add it as a withdrawal address with allow_contract [\"%s\"]",
            there->key, r->chain->key, r->chain->key));
}

/* By the words of two nodes, of which one that shows a contract is enough. */
static const struct err *there_read(const struct ctx *ctx, struct arena *a, const struct recipient *r,
                                    const struct node_query pair[static NODE_OPINIONS])
{
    enum code code = CODE_UNKNOWN;

    for (size_t i = 0; i < NODE_OPINIONS; i++) {
        enum code its = pair[i].answered ? code_read(a, &pair[i].answers.items[0]) : CODE_UNKNOWN;

        code = its > code ? its : code;
    }
    if (code == CODE_UNKNOWN)
        return err_hint(a, chain_unavailable(ctx, a, pair->chain),
                        arena_printf(a, "Whether the recipient is a contract on %s cannot be told at present",
                                     pair->chain->key));
    return code == CODE_CONTRACT ? contract_elsewhere(a, r, pair->chain) : NULL;
}

/* A contract that is known counts before a chain that is silent. */
static const struct err *elsewhere_judge(const struct ctx *ctx, struct arena *a, const struct recipient *r)
{
    struct node_query *queries = ARENA_ARRAY(a, struct node_query, NODE_OPINIONS * (chains_count + 1));
    struct buf body = BUF_INIT(MAX_TX);
    struct rpc_batch batch = rpc_begin(&body);
    const struct err *e = NULL, *each;
    size_t n = 0;

    ask_code(&batch, r->address);
    rpc_end(&batch);
    for (size_t i = 0; i < chains_count; i++) {
        if (chains[i].type != CHAIN_EVM || &chains[i] == r->chain || !nodes_known(ctx->nodes, &chains[i]))
            continue;
        node_pair(&queries[n], &chains[i], &batch, 0);
        n += NODE_OPINIONS;
    }
    node_ask_all(ctx, queries, n, DEADLINE_MS, a);
    for (size_t i = 0; i < n; i += NODE_OPINIONS) {
        each = there_read(ctx, a, r, &queries[i]);
        if (each != NULL && (e == NULL || err_is(each, &E_CONTRACT_ELSEWHERE)))
            e = each;
    }
    for (size_t i = 0; i < n; i++)
        if (queries[i].answered)
            rpc_answers_free(&queries[i].answers);
    buf_free(&body);
    return e;
}

const struct err *evm_judge(const struct ctx *ctx, struct arena *a, const struct recipient *r)
{
    bool settled;
    const struct err *e = here_judge(ctx, a, r, &settled);

    return e != NULL || settled ? e : elsewhere_judge(ctx, a, r);
}
