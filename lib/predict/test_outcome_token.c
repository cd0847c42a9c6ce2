#include "exec/cached_answer.h"
#include "net/call.h"

/* The venue is played here, and nothing is kept. */
#define venue_calls_run played_run
#define cached_answer   played_answer

static size_t played_run(struct net *n, struct call *calls, size_t count, unsigned deadline_ms);
static const struct err *played_answer(const struct ctx *ctx, struct arena *a, const struct cache_query *q,
                                       const char **text);

#include "predict/outcome_token.c"

#include "base/test.h"

#define CONDITION "0x5f65177b394277fd294cd75650044e32ba009a95022d88a0c1d565897d72f8f1"
#define TOKEN     "111"
#define MARKET(version, more)                                                                                \
    "[{\"id\":\"512\",\"question\":\"Rain?\",\"conditionId\":\"" CONDITION                                   \
    "\",\"outcomes\":\"[\\\"Yes\\\",\\\"No\\\"]\",\"active\":true,\"acceptingOrders\":true,"                 \
    "\"enableOrderBook\":true,\"version\":\"" version "\"," more "}]"
#define BOTH_TOKENS "\"clobTokenIds\":\"[\\\"111\\\",\\\"222\\\"]\",\"positionIds\":[\"333\",\"444\"]"
#define RULES       "{\"mts\":0.0025,\"mos\":5,\"fd\":{\"r\":0.07,\"e\":1}}"

static const struct conf settings = { .predict_clob_url = "http://venue",
                                      .predict_gamma_url = "http://gamma" };
static const struct ctx ctx = { .conf = &settings };
static struct arena *a;

struct said {
    int status; /* 0: silence */
    const char *body;
};

static struct {
    struct said token, rules, open, ended;
    unsigned asked;
} venue;

static const struct said *said_to(const char *url)
{
    if (strncmp(url, "http://venue/markets-by-token/", 30) == 0)
        return &venue.token;
    if (strcmp(url, "http://venue/clob-markets/" CONDITION) == 0)
        return &venue.rules;
    if (strcmp(url, "http://gamma/markets?closed=false&condition_ids=" CONDITION) == 0)
        return &venue.open;
    CHECK_STR(url, "http://gamma/markets?closed=true&condition_ids=" CONDITION);
    return &venue.ended;
}

static size_t played_run(struct net *n, struct call *calls, size_t count, unsigned deadline_ms)
{
    (void)n, (void)deadline_ms;
    for (size_t i = 0; i < count; i++) {
        const struct said *s = said_to(calls[i].url);

        venue.asked++;
        calls[i].result = s->status == 0 ? CALL_TIMEOUT : CALL_ANSWERED;
        calls[i].status = s->status;
        buf_adds(&calls[i].answer, s->body);
    }
    return count;
}

static const struct err *played_answer(const struct ctx *by, struct arena *arena, const struct cache_query *q,
                                       const char **text)
{
    struct json_writer w;
    const struct err *e;

    CHECK(by == &ctx && q->life_ms >= RULES_LIFE_MS && strchr(q->text, '\n') != NULL);
    jw_init(&w, arena, MAX_UPSTREAM);
    jw_object(&w, NULL);
    e = q->make(by, &w, q->what);
    jw_end(&w);
    *text = jw_finish(&w);
    return e;
}

static void honest(void)
{
    venue.token = (struct said){ 200, "{\"condition_id\":\"" CONDITION "\"}" };
    venue.rules = (struct said){ 200, RULES };
    venue.open = (struct said){ 200, MARKET("v1", BOTH_TOKENS) };
    venue.ended = (struct said){ 200, "[]" };
    venue.asked = 0;
}

static struct cached_answers known;

static const struct err *find(const char *token, struct predict_token *out)
{
    const struct err *e = predict_token_read(a, token, out);

    return e != NULL ? e : predict_token_find(&ctx, a, &known, out);
}

static bool fails_with(const struct err *e)
{
    struct predict_token t;

    return find(TOKEN, &t) == e;
}

static void the_arena_comes(void)
{
    a = arena_new();
}

static void a_token_is_known_with_its_rules(void)
{
    struct predict_token t;

    honest();
    CHECK(find("000111", &t) == NULL);
    CHECK_STR(t.text, "111");
    CHECK_STR(t.market, "512");
    CHECK_STR(t.question, "Rain?");
    CHECK_STR(t.outcome, "Yes");
    CHECK(t.condition[0] == 0x5f && t.condition[31] == 0xf1);
    CHECK(t.exchange == POLYMARKET_V2 && t.accepting);
    CHECK(t.rules.tick == 25 && t.rules.min_size == 500 && t.rules.fee_rate == 70000000);
    CHECK(find("222", &t) == NULL);
    CHECK_STR(t.outcome, "No");
}

/* For a minute. */
static void cached_rules_are_not_asked_for(void)
{
    struct predict_token t;

    honest();
    cached_answers_add(&known, "rules\n111");
    known.answers[0].text = "{\"condition\":\"" CONDITION "\",\"market\":\"77\",\"exchange\":0,"
                            "\"outcomes\":[{\"name\":\"Yes\",\"token\":\"111\"}]}";
    known.answers[0].made_ms = 1000;
    known.now_ms = 60999;
    CHECK(find("0111", &t) == NULL && venue.asked == 0);
    CHECK_STR(t.market, "77");
    CHECK(find("222", &t) == NULL && venue.asked > 0);
    known.now_ms = 61000;
    CHECK(find("0111", &t) == NULL);
    CHECK_STR(t.market, "512");
    known.count = 0;
}

static void the_version_decides_which_tokens_are_traded(void)
{
    struct predict_token t;

    honest();
    venue.open.body = MARKET("v2", BOTH_TOKENS);
    CHECK(find("444", &t) == NULL && t.exchange == POLYMARKET_V3);
    CHECK(fails_with(&E_TOKEN_ID));
    venue.open.body = MARKET("v9", BOTH_TOKENS);
    CHECK(fails_with(&E_TOKEN_ID) && find("333", &t) == &E_TOKEN_ID);
    venue.open.body = MARKET("v1", "\"negRisk\":true," BOTH_TOKENS);
    venue.rules.body = "{\"mts\":0.01,\"mos\":5,\"nr\":true}";
    CHECK(find(TOKEN, &t) == NULL && t.exchange == POLYMARKET_NEG_RISK && t.rules.neg_risk);
}

static void malformed_tokens_are_not_asked_about(void)
{
    static const char *const hostile[] = {
        "",
        "0x6f",
        "-1",
        "1.5",
        "1e3",
        "../auth",
        "1?x",
        "115792089237316195423570985008687907853269984665640564039457584007913129639936",
        "1111111111111111111111111111111111111111111111111111111111111111111111111111111"
    };
    struct predict_token t;

    honest();
    for (size_t i = 0; i < sizeof hostile / sizeof hostile[0]; i++)
        CHECK(find(hostile[i], &t) == &E_TOKEN_ID);
    CHECK(venue.asked == 0);
}

static void unknown_tokens_differ_from_unanswered_questions(void)
{
    honest();
    venue.token = (struct said){ 404, "{\"error\":\"market not found\"}" };
    CHECK(fails_with(&E_TOKEN_ID));
    venue.token = (struct said){ 0, "" };
    CHECK(fails_with(&E_PREDICT_ORDER_FAILED));
    venue.token = (struct said){ 500, "{}" };
    CHECK(fails_with(&E_PREDICT_ORDER_FAILED));
    honest();
    venue.rules = (struct said){ 503, "" };
    CHECK(fails_with(&E_PREDICT_ORDER_FAILED));
    honest();
    venue.ended = (struct said){ 0, "" };
    CHECK(fails_with(&E_PREDICT_ORDER_FAILED));
}

static void markets_take_orders_as_long_as_both_say_so(void)
{
    struct predict_token t;

    honest();
    venue.rules.body = "{\"mts\":0.01,\"mos\":5,\"ao\":false}";
    CHECK(find(TOKEN, &t) == NULL && !t.accepting);
    honest();
    venue.open.body = "[]";
    venue.ended.body = MARKET("v1", "\"closed\":true," BOTH_TOKENS);
    CHECK(find(TOKEN, &t) == NULL && !t.accepting);
    venue.rules = (struct said){ 404, "{\"error\":\"market not found\"}" };
    CHECK(fails_with(&E_MARKET_PAUSED));
    venue.ended.body = "[]";
    CHECK(fails_with(&E_TOKEN_ID));
}

static void lies_are_not_believed(void)
{
    static const char *const nonsense[] = {
        "", "<html>", "[]", "{}", "{\"mts\":0,\"mos\":5}", "{\"mts\":0.01}"
    };

    honest();
    venue.token.body = "{\"condition_id\":\"" CONDITION "?\"}";
    CHECK(fails_with(&E_PREDICT_ORDER_FAILED));
    honest();
    venue.rules.body = "{\"mts\":0.01,\"mos\":5,\"nr\":true}"; /* and the catalogue says that it is not */
    CHECK(fails_with(&E_PREDICT_ORDER_FAILED));
    honest();
    venue.open.body =
        "[{\"id\":\"513\",\"question\":\"?\",\"conditionId\":"
        "\"0x0000000000000000000000000000000000000000000000000000000000000001\","
        "\"outcomes\":\"[\\\"Yes\\\"]\",\"clobTokenIds\":\"[\\\"111\\\"]\",\"version\":\"v1\"}]";
    CHECK(fails_with(&E_TOKEN_ID)); /* another market than was asked for */
    honest();
    venue.open.body = "<html>";
    CHECK(fails_with(&E_PREDICT_ORDER_FAILED));
    honest();
    for (size_t i = 0; i < sizeof nonsense / sizeof nonsense[0]; i++) {
        venue.rules.body = nonsense[i];
        CHECK(fails_with(&E_PREDICT_ORDER_FAILED));
    }
}

static void the_arena_goes(void)
{
    arena_free(a);
}

TEST_MAIN(TEST(the_arena_comes), TEST(a_token_is_known_with_its_rules), TEST(cached_rules_are_not_asked_for),
          TEST(the_version_decides_which_tokens_are_traded), TEST(malformed_tokens_are_not_asked_about),
          TEST(unknown_tokens_differ_from_unanswered_questions),
          TEST(markets_take_orders_as_long_as_both_say_so), TEST(lies_are_not_believed), TEST(the_arena_goes))
