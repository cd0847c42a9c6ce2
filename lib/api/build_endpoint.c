#include "swap/swap_build.h"

#include "api/admission/api_call.h"
#include "api/admission/terms.h"
#include "api/endpoint/common_params.h"
#include "api/endpoint/endpoint.h"
#include "api/endpoint/schemas.h"
#include "api/quote_endpoints.h"
#include "api/view.h"
#include "base/clock.h"
#include "chain/rpc/block_time.h"
#include "codec/base64.h"
#include "codec/hex.h"
#include "exec/chain_ops.h"
#include "model/agent.h"
#include "route/provider.h"
#include "swap/token.h"

/* ---- parameters ---- */

struct build_in {
    const char *quote_id;
    const char *const *allow_contract;
    struct quote_in trade;
};

static const struct param build_params[] = {
    { "wallet_address", P_TEXT, INTO(struct build_in, trade.wallet_address), .check = param_wallet_fault,
      .bad = &E_WALLET_ADDRESS, .required = true, .max = PARAM_NAME_MAX, .about = "Who will sign",
      .example = "0x52908400098527886e0f7030069857d2e4169ee7" },
    { "quote_id", P_TEXT, INTO(struct build_in, quote_id), .beside = PARAM_QUOTED,
      .about = "A quote of this agent", .example = A_QUOTE },
    { "allow_contract", P_TEXTS, INTO(struct build_in, allow_contract), .max = CHAINS_NAMED_MAX,
      .about =
          "Keys of chains on which the recipient may be paid though it is a contract on another chain and nothing there, or on Solana a program's vault" },
    PARAMS_TRADE(struct build_in, trade),
    { 0 },
};

/* ---- answers ---- */

/* clang-format off */

static const struct schema unsigned_transaction_schema = { "UnsignedTransaction", "A transaction for the caller to sign", FIELDS {
    { "type",         CHOICE(wallet_types, "evm"), "What kind of chain it is for" },
    { "from",         TEXT(A_WALLET),                "Who signs it" },
    { "to",           TEXT(A_ROUTER),                "Contract to call; on Solana the program" },
    { "data",         TEXT("0x38ed1739"),            "Calldata; on Solana the whole transaction, unsigned, in base64" },
    { "value",        HEX("0x0"),                    "Wei to send along" },
    { "gas_estimate", HEX("0x3d090"),                "Gas limit" },
    { "gas_limit",    HEX("0x3d090"),                "The same", FULL_ONLY },
    { "gas_price",    HEX("0x3b9aca00"),             "Highest price of a unit of gas in wei, as of now" },
    { "chain_id",     WHOLE("1"),                    "Chain to send it on" },
    { "encoding",     TEXT("base64"),                "Solana: of data", .marks = MAY_BE_ABSENT },
    { "last_valid_block_height", WHOLE("250000000"), "Solana: no later block takes it", .marks = MAY_BE_ABSENT },
    END } };

static const struct schema unsigned_meta_schema = { "UnsignedSwapMeta", "What the transaction does", FIELDS {
    { "from_token",   TEXT("USDC"),     "Symbol of what is given" },
    { "to_token",     TEXT("WETH"),     "Symbol of what is received" },
    { "amount_in",    AMOUNT("100"),    "How much is given" },
    { "expected_out", AMOUNT("0.0333"), "How much is expected" },
    { "min_out",      AMOUNT("0.0323"), "The least that arrives" },
    END } };

static const struct schema unsigned_trade_schema = { "UnsignedTrade", "The trade", FIELDS {
    { "from_chain",          TEXT("ethereum"), "Key of the source chain" },
    { "to_chain",            TEXT("ethereum"), "Key of the destination chain" },
    { "from_token",          TEXT("USDC"),     "Symbol of what is given" },
    { "to_token",            TEXT("WETH"),     "Symbol of what is received" },
    { "amount_in",           AMOUNT("100"),    "How much is given" },
    { "expected_amount_out", AMOUNT("0.0333"), "How much is expected" },
    { "minimum_amount_out",  AMOUNT("0.0323"), "The least that arrives" },
    { "bridge",              TEXT("relay"),    "Between chains: who pays on the other one", .marks = MAY_BE_ABSENT },
    { "estimated_time_seconds", WHOLE("30"),   "Between chains: about how long that takes", .marks = MAY_BE_ABSENT },
    END } };

static const struct schema unsigned_swap_schema = { "UnsignedSwap", "An unsigned swap", FIELDS {
    SUCCESS,
    { "quote_id",     TEXT(A_QUOTE),                       "The quote that it carries out, which stays usable" },
    { "chain_type",   CHOICE(wallet_types, "evm"),         "Kind of the chain", FULL_ONLY },
    { "transaction",  OBJECT(unsigned_transaction_schema), "The swap itself: to be sent last" },
    { "approvals",    LIST(unsigned_transaction_schema),   "Exact approvals to send before it; often none" },
    { "instructions", TEXTS("Sign and send transaction on ethereum: it swaps 100 USDC for at least 0.0323 WETH"), "What to send, in words, in order" },
    { "swap",         OBJECT(unsigned_trade_schema),       "The trade", FULL_ONLY },
    { "good_until",   TIME(LATER),                         "Until when the gateway stands by price and call: send it before, and build anew after it" },
    { "valid_until",  TIME(LATER),                         "The chain itself refuses the swap after it; null: its call bears no time, and a chain may carry it out later too, within its minimum. On Solana last_valid_block_height says it", MAY_BE_NULL | FULL_IF_NULL },
    { "meta",         OBJECT(unsigned_meta_schema),        "What it does" },
    UNVERIFIED,
    END } };
/* clang-format on */

/* ---- handlers ---- */

static void hex_write(struct json_writer *w, const char *key, struct u256 v)
{
    char text[U256_HEX_LEN + 1];

    u256_hex(text, v);
    jw_string(w, key, text);
}

static void data_write(struct json_writer *w, const char *key, const struct step *s)
{
    char *data = arena_alloc(w->arena, 2 + 2 * s->data_len + 1);

    data[0] = '0';
    data[1] = 'x';
    hex_encode(data + 2, s->data, s->data_len);
    jw_string(w, key, data);
}

/* The members of EVM chains are there too, so that typed clients find them. */
static void solana_step_write(struct json_writer *w, const struct step *s)
{
    char *data = arena_alloc(w->arena, BASE64_LEN(s->data_len) + 1);

    base64_encode(data, s->data, s->data_len);
    jw_string(w, "data", data);
    hex_write(w, "value", U256_ZERO);
    hex_write(w, "gas_estimate", U256_ZERO);
    hex_write(w, "gas_limit", U256_ZERO);
    hex_write(w, "gas_price", U256_ZERO);
    jw_string(w, "encoding", "base64");
    jw_integer(w, "last_valid_block_height", (int64_t)s->expiry);
}

static void evm_step_write(struct json_writer *w, const struct unsigned_swap *u, const struct step *s)
{
    struct u256 gas = u256_from_u64(s->gas_limit);

    data_write(w, "data", s);
    hex_write(w, "value", s->value);
    hex_write(w, "gas_estimate", gas);
    hex_write(w, "gas_limit", gas);
    hex_write(w, "gas_price", u->gas_price);
}

static void step_write(struct json_writer *w, const char *key, const struct unsigned_swap *u,
                       const struct step *s)
{
    const struct chain *c = u->plan.chain;

    jw_object(w, key);
    jw_string(w, "type", chain_type_text(c->type));
    jw_string(w, "from", u->plan.wallet);
    jw_string(w, "to", s->to);
    if (c->type == CHAIN_SOLANA)
        solana_step_write(w, s);
    else
        evm_step_write(w, u, s);
    jw_integer(w, "chain_id", (int64_t)c->id);
    jw_end(w);
}

static char *amount_words(struct arena *a, struct u256 raw, const struct token_ref *t)
{
    return arena_printf(a, "%s %s", amount_text(a, (struct amount){ raw, t->decimals }), t->symbol);
}

static const char *approval_instruction(struct arena *a, const struct unsigned_swap *u, unsigned i)
{
    const struct step *s = &u->plan.steps[i];
    const char *what = arena_printf(a, "Sign and send approvals[%u] on %s and wait until it is in a block", i,
                                    u->plan.chain->key);

    if (u256_is_zero(s->token_amount))
        return arena_printf(a, "%s: it takes back what %s may still take", what, s->spender);
    return arena_printf(a, "%s: it lets %s take %s and no more", what, s->spender,
                        amount_words(a, s->token_amount, &u->quote.from));
}

static const char *swap_instruction(struct arena *a, const struct unsigned_swap *u)
{
    const struct quote *q = &u->quote;
    const char *there =
        u->plan.bridge == NULL ? "" : arena_printf(a, " on %s", chain_by_id(q->to.chain_id)->key);

    return arena_printf(a, "Sign and send transaction on %s before good_until: it swaps %s for at least %s%s",
                        u->plan.chain->key, amount_words(a, q->amount_in, &q->from),
                        amount_words(a, q->min_out, &q->to), there);
}

/* The approvals that are needed, then what to do with each of them and with the swap. */
static void steps_write(struct json_writer *w, const struct unsigned_swap *u)
{
    unsigned approvals = u->needs_approval ? u->plan.spend : 0;

    step_write(w, "transaction", u, &u->plan.steps[u->plan.spend]);
    jw_array(w, "approvals");
    for (unsigned i = 0; i < approvals; i++)
        step_write(w, NULL, u, &u->plan.steps[i]);
    jw_end(w);
    jw_array(w, "instructions");
    for (unsigned i = 0; i < approvals; i++)
        jw_string(w, NULL, approval_instruction(w->arena, u, i));
    jw_string(w, NULL, swap_instruction(w->arena, u));
    jw_end(w);
}

static void trade_write(struct json_writer *w, const struct quote *q, const struct plan_bridge *bridge)
{
    jw_object(w, "swap");
    jw_string(w, "from_chain", chain_by_id(q->from.chain_id)->key);
    jw_string(w, "to_chain", chain_by_id(q->to.chain_id)->key);
    jw_string(w, "from_token", q->from.symbol);
    jw_string(w, "to_token", q->to.symbol);
    view_amount(w, "amount_in", q->amount_in, &q->from);
    view_amount(w, "expected_amount_out", q->amount_out, &q->to);
    view_amount(w, "minimum_amount_out", q->min_out, &q->to);
    if (bridge != NULL) {
        jw_string(w, "bridge", provider_name(bridge->bridge_provider));
        jw_integer(w, "estimated_time_seconds", bridge->seconds);
    }
    jw_end(w);
}

static void meta_write(struct json_writer *w, const struct quote *q)
{
    jw_object(w, "meta");
    jw_string(w, "from_token", q->from.symbol);
    jw_string(w, "to_token", q->to.symbol);
    view_amount(w, "amount_in", q->amount_in, &q->from);
    view_amount(w, "expected_out", q->amount_out, &q->to);
    view_amount(w, "min_out", q->min_out, &q->to);
    jw_end(w);
}

/* A blockhash of Solana is good for 150 blocks. */
static int64_t good_until(const struct plan *p)
{
    int64_t blocks_s = (int64_t)block_time_ms(p->chain) * 150 / 1000, soon = clock_seconds() + blocks_s;

    return p->chain->type == CHAIN_SOLANA && soon < p->deadline ? soon : p->deadline;
}

/* 0: at no time. */
static int64_t refused_after(const struct plan *p)
{
    const struct chain_ops *f = chain_ops_of(p->chain);

    return f->refused_after == NULL ? 0 : f->refused_after(p);
}

static struct reply *unsigned_reply(struct request *rq, const struct unsigned_swap *u)
{
    struct json_writer *w = reply_open(rq, 200);
    const struct quote *q = &u->quote;
    const struct plan *p = &u->plan;
    char id[QUOTE_ID_TEXT_LEN + 1];

    quote_id_text(id, &q->id);
    jw_string(w, "quote_id", id);
    jw_string(w, "chain_type", chain_type_text(p->chain->type));
    steps_write(w, u);
    trade_write(w, q, p->bridge);
    jw_time(w, "good_until", good_until(p) * 1000);
    jw_time(w, "valid_until", refused_after(p) * 1000);
    meta_write(w, q);
    jw_true_if(w, "unverified", token_label(&q->from).unverified || token_label(&q->to).unverified);
    return reply_close(w);
}

/* The quote that it makes is stored, as one that was asked for. */
static struct reply *build_directly(struct api_call *c, const struct build_in *in)
{
    struct unsigned_swap u;
    struct offers offers;
    struct quote q;
    const struct err *e = quote_new(c, &in->trade, &q, &offers);

    if (e == NULL)
        e = build_direct(c->ctx, c->arena, &q, in->trade.wallet_address, in->allow_contract, &u);
    return e != NULL ? reply_err(c->rq, e) : quote_reply(c, &q, unsigned_reply(c->rq, &u));
}

static struct reply *build_swap(struct api_call *c, const void *arg)
{
    const struct build_in *in = arg;
    struct unsigned_swap u;
    uint64_t swap_id;
    const struct err *e;

    if (in->quote_id == NULL)
        return build_directly(c, in);
    e = build_from_quote(c->ctx, c->arena, c->agent->id, in->quote_id, in->trade.wallet_address,
                         (struct ppm){ in->trade.max_impact }, in->allow_contract, &u, &swap_id);
    return e != NULL ? quote_refuse(c, e, swap_id) : unsigned_reply(c->rq, &u);
}

static const char *build_terms(struct api_call *c, const void *arg)
{
    const struct build_in *in = arg;

    return in->quote_id == NULL
               ? terms_of_members(c, in)
               : quote_terms(c, in, in->quote_id, in->trade.wallet_address, in->trade.max_impact);
}

/* ---- endpoints ---- */

static const struct endpoint rows[] = {
    {
        .method = POST,
        .path = V1 "/swap",
        .auth = AUTH_ACTIVE,
        .denied = &E_DENIED,
        .internal = &E_INTERNAL,
        TAKES(build_params, struct build_in),
        .handler = build_swap,
        .terms = build_terms,
        .flags = ONCE | WAITS | CORE,
        .tool = "build_swap",
        .summary = "Build an unsigned swap",
        .about =
            "For agents that hold their own key: with `quote_id`, or directly with `from_token`, `to_token` and `amount`. Nothing is executed; the quote stays usable. Next: sign and send `approvals`, then `transaction`.",
        .tag = TAG_QUOTES,
        .skill = SKILL_BUILD,
        .status = 200,
        .answer = &unsigned_swap_schema,
        .errors = ERRORS{ &E_SWAP_MODE, &E_QUOTE_EXPIRED_BUILD, &E_QUOTE_INVALID, &E_WALLET_NOT_FOUND,
                          &E_BALANCE, &E_GAS, &E_BEHIND, &E_PRICE_MOVED, &E_PRICE_IMPACT, &E_SHALLOW,
                          &E_WOULD_REVERT, &E_OPERATOR_LIMIT, RECIPIENT_ERRORS, PRICE_ERRORS, &E_NO_PROVIDER,
                          &E_PROVIDER_UNKNOWN, NULL },
        .hints = HINT_READ_ONLY | HINT_OPEN_WORLD,
    },
};

const struct endpoint_group build_endpoints = { ENDPOINT_ROWS(rows) };
