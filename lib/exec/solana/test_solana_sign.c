/* Requests to the signer, and the use of its signature; it signs as a test wants. */
#define signer_sign signs
#include "exec/signing.c"
#include "exec/solana/solana_sign.c"

#include "chain/tokens.h"
#include "venue/test_solana.h"

enum { EXPIRY = 3122, FEES = 5000 };

static const struct ctx ctx;
static struct arena *a;
static struct signer_request asked;
static unsigned times;
static enum signer_status status;
static size_t signature_len;

enum signer_status signs(struct signer *s, const struct signer_request *rq, struct signature *sig)
{
    (void)s;
    times++;
    asked = *rq;
    *sig = (struct signature){ .len = signature_len };
    memset(sig->bytes, 0xab, SOLANA_SIGNATURE_LEN);
    return status;
}

/* A plan that sells coin for a token, on its way to the signer. */
struct scene_of_signing {
    struct plan plan;
    struct wallet wallet;
    struct fees fees;
    struct signing in;
    struct buf bytes;
};

static void begin(struct scene_of_signing *o)
{
    struct scene s;
    struct step *step = &o->plan.steps[0];

    *o = (struct scene_of_signing){ .wallet = { .id = 9, .has_key = true, .sealed = { 1, 2, 3 } },
                                    .fees = { .max_fee = u256_from_u64(FEES) },
                                    .bytes = BUF_INIT(SOLANA_TX_MAX) };
    coin_for_token(&s);
    scene_write(&o->bytes, &s, &trader);
    solana_addr_text(o->wallet.ref.address, &trader);
    o->plan.chain = chain_find("solana");
    o->plan.wallet = o->wallet.ref.address;
    o->plan.count = 1;
    o->plan.leaves = (struct plan_amount){ .token = token_ref_of(token_find(o->plan.chain, "SOL")),
                                           .native = true,
                                           .amount = u256_from_u64(IN) };
    o->plan.arrives.amount = u256_from_u64(MINIMUM);
    o->plan.arrives.token.chain_id = o->plan.chain->id;
    solana_addr_text(o->plan.arrives.token.address, &some_mint);
    *step = (struct step){ .kind = TX_SPEND,
                           .data = (const uint8_t *)o->bytes.data,
                           .data_len = o->bytes.len,
                           .value = u256_from_u64(IN),
                           .gas_limit = 1,
                           .expiry = EXPIRY };
    o->in = (struct signing){ .wallet = &o->wallet,
                              .chain = o->plan.chain,
                              .plan = &o->plan,
                              .step = step,
                              .fees = &o->fees,
                              .proof = (const uint8_t *)"proof",
                              .proof_len = 5 };
    times = 0;
    status = SIGNER_OK;
    signature_len = SOLANA_SIGNATURE_LEN;
}

static bool is(struct u256 v, uint64_t want)
{
    return u256_cmp(v, u256_from_u64(want)) == 0;
}

static void transactions_of_the_plan_are_signed(void)
{
    static const uint8_t zeros[SOLANA_SIGNATURE_LEN];
    struct scene_of_signing o;
    struct transaction t;

    begin(&o);
    CHECK(solana_sign(&ctx, a, &o.in, &t) && times == 1);
    CHECK(asked.op == SIGNER_SIGN && asked.family == CHAIN_SOLANA && asked.payload_len == o.bytes.len);
    CHECK(asked.payload == o.plan.steps[0].data && asked.proof == o.in.proof && asked.proof_len == 5);
    CHECK(memcmp(asked.sealed, o.wallet.sealed, sizeof asked.sealed) == 0);
    CHECK_STR(asked.wallet.address, o.wallet.ref.address);

    /* The signature stands behind the byte that counts signatures, in a copy of the step's bytes. */
    CHECK(t.raw_len == o.bytes.len && t.raw != o.plan.steps[0].data && t.raw[0] == 1);
    CHECK(t.raw[1] == 0xab && memcmp(t.raw + 1, t.hash.bytes, SOLANA_SIGNATURE_LEN) == 0);
    CHECK(t.hash.len == SOLANA_SIGNATURE_LEN && memcmp(o.bytes.data + 1, zeros, sizeof zeros) == 0);
    CHECK(memcmp(t.raw + 65, o.bytes.data + 65, o.bytes.len - 65) == 0);

    CHECK(t.kind == TX_SPEND && t.leg == LEG_SOURCE && t.chain_id == o.plan.chain->id && !t.has_nonce);
    CHECK(t.effect.wallet_id == 9 && t.effect.state == EFFECT_OPEN && t.expiry == EXPIRY);
    CHECK(t.gas_limit == 1 && is(t.max_fee, FEES) && is(t.value, IN) && t.token.len == 0);
    buf_free(&o.bytes);
}

static void a_token_is_recorded(void)
{
    struct scene_of_signing o;
    struct transaction t;

    begin(&o);
    o.plan.steps[0].token = "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v";
    o.plan.steps[0].to = "JUP6LkbZbjS1jKKwapdHNy74zcZ3tLUZoi5QNyVTaV4";
    o.plan.steps[0].token_amount = u256_from_u64(77);
    CHECK(solana_sign(&ctx, a, &o.in, &t) && is(t.token_amount, 77));
    CHECK(t.token.len == 32 && t.token.bytes[0] == 0xc6 && t.spender.len == 32);
    CHECK(memcmp(t.spender.bytes, SOLANA_JUPITER.bytes, 32) == 0);
    buf_free(&o.bytes);
}

/* The operation and the record sent to the signer follow from the plan's recipient. */
static void transfers_show_the_signer_the_address_record(void)
{
    const struct address_record record = { .bytes = "sealed", .len = 6 };
    struct scene_of_signing o;
    struct transaction t;

    begin(&o);
    o.in.to = &record;
    CHECK(solana_sign(&ctx, a, &o.in, &t) && asked.op == SIGNER_SIGN_WITHDRAWAL);
    CHECK(asked.record == record.bytes && asked.record_len == 6);
    o.in.to = NULL;
    CHECK(solana_sign(&ctx, a, &o.in, &t) && asked.op == SIGNER_SIGN && asked.record_len == 0);
    buf_free(&o.bytes);
}

static void without_a_key_or_beyond_the_plan_nothing_is_signed(void)
{
    struct scene_of_signing o;
    struct transaction t;

    begin(&o);
    o.wallet.has_key = false;
    CHECK(!solana_sign(&ctx, a, &o.in, &t) && times == 0);
    o.wallet.has_key = true;
    o.plan.arrives.amount = u256_from_u64(MINIMUM + 1);
    CHECK(!solana_sign(&ctx, a, &o.in, &t) && times == 0); /* the guard */
    o.plan.arrives.amount = u256_from_u64(MINIMUM);
    status = SIGNER_REFUSED;
    CHECK(!solana_sign(&ctx, a, &o.in, &t) && times == 1);
    status = SIGNER_OK;
    signature_len = SIGNATURE_MAX;
    CHECK(!solana_sign(&ctx, a, &o.in, &t) && times == 2);
    signature_len = SOLANA_SIGNATURE_LEN;
    CHECK(solana_sign(&ctx, a, &o.in, &t) && times == 3);
    buf_free(&o.bytes);
}

int main(void)
{
    static const struct test_case cases[] = { TEST(transactions_of_the_plan_are_signed),
                                              TEST(a_token_is_recorded),
                                              TEST(transfers_show_the_signer_the_address_record),
                                              TEST(without_a_key_or_beyond_the_plan_nothing_is_signed) };
    int failed;

    a = arena_new();
    failed = test_run(cases, sizeof cases / sizeof cases[0]);
    arena_free(a);
    return failed;
}
