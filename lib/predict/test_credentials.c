#include "net/call.h"
#include "predict/message_sign.h"
#include "store/predict_accounts.h"

/* The venue, the signer and the database are played here. */
#define calls_run                           played_run
#define message_sign                        played_sign
#define predict_accounts_credentials        played_credentials
#define predict_accounts_set_credentials    played_set_credentials
#define predict_accounts_reject_credentials played_reject

static size_t played_run(struct net *n, struct call *calls, size_t count, unsigned deadline_ms);
static bool played_sign(uint8_t *sig, const struct ctx *ctx, const struct wallet *w,
                        const struct polymarket_message *m);
static enum lookup played_credentials(struct db *db, uint64_t wallet_id, uint8_t *out, size_t *n);
static bool played_set_credentials(struct db *db, uint64_t wallet_id, const uint8_t *sealed, size_t n);
static enum db_update played_reject(struct db *db, uint64_t wallet_id);

#include "predict/credentials.c"

#include <stdlib.h>

#include "base/test.h"
#define TEST_VECTORS "tests/vectors/polymarket.json"
#include "codec/test_vectors.h"

#define KEYS    "{\"apiKey\":\"id-1\",\"secret\":\"c2VjcmV0LW9uZQ==\",\"passphrase\":\"pass-one\"}"
#define REFUSED "{\"error\":\"Could not derive api key!\"}"

static const uint8_t service_key[BOX_KEY_LEN] = { 7 };
static const struct conf settings = { .predict_clob_url = "http://venue/clob" };
static struct ctx ctx = { .conf = &settings, .service_key = service_key };
static struct predict_account account = { .wallet = { .id = 5, .has_key = true }, .kind = PREDICT_DEPOSIT };
static struct arena *a;

/* ---- recorded answers ---- */

enum { ASKED_MAX = 8 };

static struct {
    int64_t ahead; /* of the venue's clock */
    struct {
        int status; /* 0: silence */
        const char *body;
    } derive[4], create, private; /* derivations one after the other */
    unsigned derived;
    char asked[ASKED_MAX][128]; /* "METHOD URL" */
    char headers[ASKED_MAX][5][256];
    unsigned count;
} venue;

static bool signer_is_away;
static uint64_t signed_timestamp;

static struct {
    uint8_t sealed[PREDICT_CREDENTIALS_MAX];
    size_t n;
    bool rejected, young;
} row;

static void answer_with(struct call *c, int status, const char *body)
{
    c->result = status == 0 ? CALL_TIMEOUT : CALL_ANSWERED;
    c->status = status;
    if (body != NULL)
        buf_adds(&c->answer, body);
}

static void note_call(const struct call *c)
{
    unsigned i = venue.count++;

    CHECK(i < ASKED_MAX);
    (void)snprintf(venue.asked[i], sizeof venue.asked[i], "%s %s", c->method, c->url);
    for (unsigned j = 0; j < 5 && c->headers[j] != NULL; j++)
        (void)snprintf(venue.headers[i][j], sizeof venue.headers[i][j], "%s", c->headers[j]);
}

static size_t played_run(struct net *n, struct call *c, size_t count, unsigned deadline_ms)
{
    (void)n, (void)deadline_ms;
    CHECK(count == 1);
    if (strcmp(c->url, "http://venue/clob/time") == 0) {
        answer_with(c, 200, arena_printf(a, "%lld", (long long)(clock_seconds() + venue.ahead)));
        return 1;
    }
    note_call(c);
    if (strstr(c->url, "derive") != NULL) {
        answer_with(c, venue.derive[venue.derived].status, venue.derive[venue.derived].body);
        venue.derived++;
    } else if (strstr(c->url, "/auth/api-key") != NULL) {
        answer_with(c, venue.create.status, venue.create.body);
    } else {
        answer_with(c, venue.private.status, venue.private.body);
    }
    return 1;
}

/* Returns the signature of the vectors for every message. */
static bool played_sign(uint8_t *sig, const struct ctx *by, const struct wallet *w,
                        const struct polymarket_message *m)
{
    const json_t *vector = json_array_get(test_section("clob_auth"), 0);
    size_t n;
    const uint8_t *bytes = test_bytes(vector, "signature", &n);

    CHECK(by == &ctx && w->id == 5 && n == MESSAGE_SIGNATURE_LEN);
    CHECK(m->kind == POLYMARKET_AUTH && m->auth_nonce == 0);
    signed_timestamp = m->auth_timestamp;
    memcpy(sig, bytes, n);
    return !signer_is_away;
}

static enum lookup played_credentials(struct db *db, uint64_t wallet_id, uint8_t *out, size_t *n)
{
    (void)db;
    CHECK(wallet_id == 5);
    if (row.n == 0 || row.rejected)
        return LOOKUP_NONE;
    memcpy(out, row.sealed, row.n);
    *n = row.n;
    return LOOKUP_FOUND;
}

static bool played_set_credentials(struct db *db, uint64_t wallet_id, const uint8_t *sealed, size_t n)
{
    (void)db;
    CHECK(wallet_id == 5 && n <= sizeof row.sealed);
    memcpy(row.sealed, sealed, n);
    row.n = n;
    row.rejected = false;
    row.young = true;
    return true;
}

static enum db_update played_reject(struct db *db, uint64_t wallet_id)
{
    (void)db, (void)wallet_id;
    if (row.young || row.rejected)
        return UNCHANGED;
    row.rejected = true;
    return UPDATED;
}

/* Nothing is cached, and no request was made. */
static void credentials_begin(void)
{
    memset(&venue, 0, sizeof venue);
    memset(&row, 0, sizeof row);
    venue_clock.known = false;
    venue_clock.ahead_s = 0;
    signer_is_away = false;
}

static bool get(struct clob_credentials *out)
{
    return credentials_get(&ctx, a, &account, out);
}

static void old_ones_are_kept(void)
{
    struct clob_credentials c;

    credentials_begin();
    venue.derive[0].status = 200;
    venue.derive[0].body = KEYS;
    CHECK(get(&c));
    row.young = false;
    venue.count = venue.derived = 0;
}

/* ---- tests ---- */

static void credentials_arena_comes(void)
{
    a = arena_new();
    (void)snprintf(account.wallet.ref.address, sizeof account.wallet.ref.address, "%s",
                   test_text(json_array_get(test_section("clob_auth"), 0), "address"));
}

static bool contains(const uint8_t *bytes, size_t n, const char *text)
{
    return memmem(bytes, n, text, strlen(text)) != NULL;
}

static void credentials_are_derived_once_and_stored_sealed(void)
{
    struct clob_credentials c;

    credentials_begin();
    venue.derive[0].status = 200;
    venue.derive[0].body = KEYS;
    CHECK(!credentials_stored(&ctx, &account, &c));
    CHECK(get(&c));
    CHECK_STR(c.key, "id-1");
    CHECK_STR(c.passphrase, "pass-one");
    CHECK(row.n > 0 && !contains(row.sealed, row.n, "pass-one") && !contains(row.sealed, row.n, "c2VjcmV0"));
    memset(&c, 0, sizeof c);
    CHECK(get(&c) && venue.count == 1);
    CHECK_STR(c.secret, "c2VjcmV0LW9uZQ==");
    CHECK(credentials_stored(&ctx, &account, &c));
}

static void the_question_is_signed_by_the_wallet(void)
{
    const json_t *vector = json_array_get(test_section("clob_auth"), 0);
    struct clob_credentials c;

    credentials_begin();
    venue.ahead = 100;
    venue.derive[0].status = 200;
    venue.derive[0].body = KEYS;
    CHECK(get(&c));
    CHECK_STR(venue.asked[0], "GET http://venue/clob/auth/derive-api-key");
    CHECK_STR(venue.headers[0][0], arena_printf(a, "POLY_ADDRESS: %s", test_text(vector, "address")));
    CHECK_STR(venue.headers[0][1], arena_printf(a, "POLY_SIGNATURE: %s", test_text(vector, "signature")));
    CHECK_STR(venue.headers[0][2],
              arena_printf(a, "POLY_TIMESTAMP: %llu", (unsigned long long)signed_timestamp));
    CHECK_STR(venue.headers[0][3], "POLY_NONCE: 0");
    CHECK((int64_t)signed_timestamp - clock_seconds() >= 99);
}

static void a_clock_that_is_far_off_is_not_believed(void)
{
    struct clob_credentials c;

    credentials_begin();
    venue.ahead = CLOCK_APART_MAX_S + 10;
    venue.derive[0].status = 200;
    venue.derive[0].body = KEYS;
    CHECK(get(&c) && llabs((int64_t)signed_timestamp - clock_seconds()) <= 1);
}

static void missing_credentials_are_created(void)
{
    struct clob_credentials c;

    credentials_begin();
    venue.derive[0].status = 400;
    venue.derive[0].body = REFUSED;
    venue.create.status = 200;
    venue.create.body = KEYS;
    CHECK(get(&c) && venue.count == 2);
    CHECK_STR(venue.asked[1], "POST http://venue/clob/auth/api-key");
}

static void credentials_created_by_another_process_are_derived(void)
{
    struct clob_credentials c;

    credentials_begin();
    venue.derive[0].status = venue.create.status = 400;
    venue.derive[0].body = venue.create.body = REFUSED;
    venue.derive[1].status = 200;
    venue.derive[1].body = KEYS;
    CHECK(get(&c) && venue.count == 3);
}

static void a_silence_is_no_refusal(void)
{
    static const struct {
        int status;
        const char *body;
    } silences[] = {
        { 0, NULL }, { 500, REFUSED }, { 429, "{\"error\":\"Too Many Requests\"}" }, { 404, "<html>" }
    };
    struct clob_credentials c;

    for (size_t i = 0; i < sizeof silences / sizeof silences[0]; i++) {
        credentials_begin();
        venue.derive[0].status = silences[i].status;
        venue.derive[0].body = silences[i].body;
        CHECK(!get(&c) && venue.count == 1 && row.n == 0);
    }
}

static void nonsense_is_not_asked_for_without_end(void)
{
    static const char *const nonsense[] = {
        "null", "[]", "{}", "{\"apiKey\":\"k\"",
        "{\"apiKey\":\"k\\r\\nx: y\",\"secret\":\"AAAA\",\"passphrase\":\"p\"}"
    };
    struct clob_credentials c;

    for (size_t i = 0; i < sizeof nonsense / sizeof nonsense[0]; i++) {
        credentials_begin();
        venue.derive[0].status = venue.derive[1].status = venue.create.status = 200;
        venue.derive[0].body = venue.derive[1].body = venue.create.body = nonsense[i];
        CHECK(!get(&c) && venue.count == 3 && row.n == 0);
    }
}

static void without_the_signer_the_venue_is_not_asked(void)
{
    struct clob_credentials c;

    credentials_begin();
    signer_is_away = true;
    CHECK(!get(&c) && venue.count == 0);
}

static void another_service_key_derives_them_again(void)
{
    static const uint8_t other[BOX_KEY_LEN] = { 8 };
    struct clob_credentials c;

    old_ones_are_kept();
    ctx.service_key = other;
    CHECK(!credentials_stored(&ctx, &account, &c));
    CHECK(get(&c) && venue.derived == 1);
    ctx.service_key = service_key;
}

/* ---- calls ---- */

static void calls_bear_them(void)
{
    struct clob_credentials c;
    struct call call;

    old_ones_are_kept();
    CHECK(credentials_stored(&ctx, &account, &c));
    CHECK(clob_private(&call, &ctx, a, &account, &c, "DELETE", "/order", "x=1", "{\"orderID\":\"0x1\"}"));
    CHECK_STR(call.url, "http://venue/clob/order?x=1");
    CHECK_STR(call.method, "DELETE");
    CHECK_STR(buf_text(&call.body), "{\"orderID\":\"0x1\"}");
    CHECK_STR(call.headers[3], "POLY_API_KEY: id-1");
    CHECK_STR(call.headers[4], "POLY_PASSPHRASE: pass-one");
    CHECK(call.headers[5] == NULL);
    call_free(&call);
    (void)snprintf(c.secret, sizeof c.secret, "!");
    CHECK(!clob_private(&call, &ctx, a, &account, &c, "GET", "/x", NULL, NULL));
}

static bool ask(struct clob_error *said)
{
    struct call call;
    bool ok = clob_ask(&call, &ctx, a, &account, "GET", "/data/orders", NULL, 1000, said);

    if (ok)
        call_free(&call);
    return ok;
}

static void after_a_401_they_are_derived_again_once(void)
{
    struct clob_error said;

    old_ones_are_kept();
    venue.derive[0].status = 200;
    venue.private.status = 401;
    venue.private.body = "{\"error\":\"Unauthorized/Invalid api key\"}";
    CHECK(ask(&said) && said.fault == CLOB_UNAUTHORIZED);
    CHECK(venue.derived == 1 && venue.count == 3); /* two questions and a derivation */
    venue.count = venue.derived = 0;
    CHECK(ask(&said) && venue.derived == 0 && venue.count == 2); /* they are young: no derivation */
}

static void answered_calls_are_made_once(void)
{
    struct clob_error said;

    old_ones_are_kept();
    venue.private.status = 200;
    venue.private.body = "{}";
    CHECK(ask(&said) && said.fault == CLOB_FINE && venue.count == 1);
    venue.private.status = 0;
    CHECK(ask(&said) && said.fault == CLOB_LATER && venue.count == 2);
}

static void a_401_reads_the_clock_again(void)
{
    struct clob_error said;

    old_ones_are_kept();
    row.young = true; /* it is not they who are wrong */
    venue.ahead = 300;
    venue.private.status = 401;
    venue.private.body = "{\"error\":\"Unauthorized/Invalid api key\"}";
    CHECK(ask(&said) && venue.count == 2);
    CHECK(strtoll(venue.headers[1][2] + strlen("POLY_TIMESTAMP: "), NULL, 10) - clock_seconds() >= 299);
}

static void credentials_arena_goes(void)
{
    arena_free(a);
}

TEST_MAIN(TEST(credentials_arena_comes), TEST(credentials_are_derived_once_and_stored_sealed),
          TEST(the_question_is_signed_by_the_wallet), TEST(a_clock_that_is_far_off_is_not_believed),
          TEST(missing_credentials_are_created), TEST(credentials_created_by_another_process_are_derived),
          TEST(a_silence_is_no_refusal), TEST(nonsense_is_not_asked_for_without_end),
          TEST(without_the_signer_the_venue_is_not_asked), TEST(another_service_key_derives_them_again),
          TEST(calls_bear_them), TEST(after_a_401_they_are_derived_again_once),
          TEST(answered_calls_are_made_once), TEST(a_401_reads_the_clock_again), TEST(credentials_arena_goes))
