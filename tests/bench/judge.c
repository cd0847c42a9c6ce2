/* judge calls|orders: what reading and judging what providers hand over takes beside a signature, on one
 * core. Run it where tests/vectors are: their honest calls of aggregators are judged as the bytes that would
 * be signed. An order of Jupiter is judged from the text of its answer on. Prints both in nanoseconds, a pair
 * for each round. */
#include <time.h>

#include "codec/base64.h"
#include "exec/evm/evm_guard.h"
#include "exec/evm/test_aggregator_plans.h"
#include "exec/solana/solana_guard.h"
#include "keys/ed25519.h"
#include "keys/sign.h"
#include "route/jupiter.h"
#include "route/test_service.h"
#include "venue/test_solana.h"

enum { JUDGED_MAX = 64, ROUNDS = 200, SIGNATURES = 50 };

/* ---- calls ---- */

struct judged {
    struct plan plan;
    struct plan_bridge bridge;
    struct buf bytes; /* unsigned */
};

static struct judged judged[JUDGED_MAX];
static size_t judged_count;

static int64_t now_ns(void)
{
    struct timespec t;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

static void judged_add(const struct aggregator_row *row)
{
    struct judged *j = &judged[judged_count];

    if (row->lie != NULL || judged_count == JUDGED_MAX)
        return;
    j->plan = row_plan(row, &j->bridge);
    j->bytes = (struct buf)BUF_INIT(MAX_TX);
    evm_tx_unsigned(&j->bytes, &row->tx);
    judged_count += guard_check(&j->plan, NO_PROOF, (const uint8_t *)j->bytes.data, j->bytes.len) == NULL;
}

static int64_t judge_ns(void)
{
    int64_t begun = now_ns();

    for (size_t i = 0; i < judged_count; i++)
        if (guard_check(&judged[i].plan, NO_PROOF, (const uint8_t *)judged[i].bytes.data,
                        judged[i].bytes.len) != NULL)
            exit(1);
    return (now_ns() - begun) / (int64_t)judged_count;
}

static int64_t sign_ns(const struct secret *key)
{
    uint8_t sig[65], digest[32] = { 1 };
    int64_t begun = now_ns();

    for (unsigned i = 0; i < SIGNATURES; i++) {
        if (!sign_secp256k1(sig, digest, key))
            exit(1);
        memcpy(digest, sig, sizeof digest);
    }
    return (now_ns() - begun) / SIGNATURES;
}

/* ---- orders ---- */

static char wallet[SOLANA_ADDR_TEXT_LEN + 1], mint[SOLANA_ADDR_TEXT_LEN + 1];
static struct buf order_tx = BUF_INIT(SOLANA_TX_MAX), order_text = BUF_INIT(MAX_UPSTREAM);
static struct tx_in order_in;
static struct plan order_plan;

/* Accounts of some wallets are found later than those of others. */
static void order_make(unsigned of_wallet)
{
    struct route_in *in = &order_in.route;
    char text[BASE64_LEN(SOLANA_TX_MAX) + 1];
    struct scene s;

    trader.bytes[0] = (uint8_t)(of_wallet + 10);
    coin_for_token(&s);
    buf_reset(&order_tx);
    buf_reset(&order_text);
    scene_write(&order_tx, &s, &trader);
    base64_encode(text, (const uint8_t *)order_tx.data, order_tx.len);
    solana_addr_text(wallet, &trader);
    solana_addr_text(mint, &some_mint);
    *in = service_pair("solana", "SOL", "solana", "USDC", "1000000");
    in->wallet = wallet;
    in->slippage.value = 30000;
    snprintf(in->to.address, sizeof in->to.address, "%s", mint);
    order_in.min_out = u256_from_u64(MINIMUM);
    buf_addf(
        &order_text,
        "{\"mode\":\"manual\",\"inputMint\":\"%s\",\"outputMint\":\"%s\",\"inAmount\":\"%d\","
        "\"outAmount\":\"%d\",\"otherAmountThreshold\":\"%d\",\"swapMode\":\"ExactIn\",\"slippageBps\":%d,"
        "\"inUsdValue\":150.1,\"outUsdValue\":149.87,\"priceImpact\":-0.1,\"priceImpactPct\":\"-0.001\","
        "\"routePlan\":[{\"swapInfo\":{\"ammKey\":\"%s\",\"label\":\"MeteoraDLMM\"},\"percent\":100}],"
        "\"feeMint\":\"%s\",\"feeBps\":2,\"router\":\"iris\",\"gasless\":false,\"prioritizationFeeLamports\":21000,"
        "\"rentFeeLamports\":2039280,\"requestId\":\"0198a1de-7f5c-7e0e-9d0c-2f8a2a6a4c11\","
        "\"signatureFeeLamports\":5000,\"signatureFeePayer\":\"%s\",\"taker\":\"%s\",\"transaction\":\"%s\","
        "\"lastValidBlockHeight\":\"351234567\"}",
        in->from.address, mint, IN, QUOTED, MINIMUM, SLIPPAGE, mint, mint, wallet, wallet, text);
    order_plan = (struct plan){ .chain = in->from_chain,
                                .wallet = wallet,
                                .count = 1,
                                .leaves = { .token = in->from, .amount = in->amount_in, .native = true },
                                .arrives = { .token = in->to, .amount = order_in.min_out } };
}

/* From the text of an answer to what may be signed. */
static bool order_is_judged(struct call *call)
{
    struct wallet_call tx = { .to = NULL };

    if (jupiter.read_tx(call, &order_in, service_arena, &tx) != TX_READY)
        return false;
    order_plan.steps[0] =
        (struct step){ .kind = TX_SPEND, .data = tx.data, .data_len = tx.data_len, .value = tx.value };
    return solana_guard_steps(&order_plan) == NULL;
}

static int64_t order_ns(void)
{
    int64_t took = 0, begun;

    for (unsigned i = 0; i < SIGNATURES; i++) {
        struct call call;

        order_make(i);
        if (!jupiter.ask_tx(&call, &service_ctx, &order_in, service_arena))
            exit(1);
        service_plays(&call, 200, buf_text(&order_text));
        begun = now_ns();
        if (!order_is_judged(&call))
            exit(1);
        took += now_ns() - begun;
        call_free(&call);
        arena_reset(service_arena);
    }
    return took / SIGNATURES;
}

static int64_t sign_order_ns(const struct secret *key)
{
    uint8_t sig[ED25519_SIG_LEN];
    int64_t begun = now_ns();

    for (unsigned i = 0; i < SIGNATURES; i++)
        if (!ed25519_sign(sig, (const uint8_t *)order_tx.data, order_tx.len, key))
            exit(1);
    return (now_ns() - begun) / SIGNATURES;
}

int main(int argc, char **argv)
{
    bool orders = argc == 2 && strcmp(argv[1], "orders") == 0;
    struct secret *key;

    if (!secrets_init() || !sign_init() || (key = secret_random()) == NULL)
        return 1;
    if (orders) {
        service_open("provider.jupiter.url = http://127.0.0.1:1", NULL);
    } else {
        aggregator_rows_each(judged_add);
        if (judged_count == 0)
            return 1;
    }
    for (unsigned i = 0; i < ROUNDS; i++)
        printf("%lld %lld\n", (long long)(orders ? order_ns() : judge_ns()),
               (long long)(orders ? sign_order_ns(key) : sign_ns(key)));
    secret_free(key);
    return 0;
}
