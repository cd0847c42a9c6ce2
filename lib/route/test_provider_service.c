#include "base/test.h"
#include "route/provider_service.c"

#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static const struct provider_service open_service = { .url = "https://open.example", .rate = "3/s" },
                                     keyed_service = { .url = "https://keyed.example", .needs_key = true };
static const struct provider open_one = { .key = "open", .service = &open_service },
                             keyed = { .key = "keyed", .service = &keyed_service },
                             onchain = { .key = "onchain" };
const struct provider *const providers[] = { &onchain, &open_one, &keyed, NULL };
const struct provider_ended providers_ended[] = { { "gone", "Gone", "2026-07-30" }, { 0 } };

const struct provider_ended *provider_ended(const char *key)
{
    return strcmp(key, "gone") == 0 ? &providers_ended[0] : NULL;
}

const struct provider *provider_find(const char *key)
{
    for (size_t i = 0; providers[i] != NULL; i++)
        if (strcmp(providers[i]->key, key) == 0)
            return providers[i];
    return NULL;
}

static char folder[] = "/tmp/test_provider_service.XXXXXX";
static struct ctx ctx;
static struct arena *a;

static const char *file_of(const char *name, const char *text)
{
    static char path[2][96];
    static unsigned next;
    char *p = path[next++ % 2];
    FILE *f;

    (void)snprintf(p, sizeof path[0], "%s/%s", folder, name);
    f = fopen(p, "w");
    CHECK(f != NULL && fchmod(fileno(f), 0600) == 0 && fputs(text, f) >= 0 && fclose(f) == 0);
    return p;
}

/* With settings that name the file of a key, which has this text. */
static struct conf *conf_of(const char *settings, const char *key)
{
    char text[512];

    (void)snprintf(text, sizeof text, "%s\n%s%s\n", settings,
                   key == NULL ? "#" : "provider.keyed.key_file = ", key == NULL ? "" : file_of("key", key));
    return conf_load(file_of("gateway.conf", text));
}

static void services_open(const char *settings, const char *key)
{
    ctx.conf = conf_of(settings, key);
    ctx.providers = provider_services_new(ctx.conf);
}

static void services_close(void)
{
    provider_services_free((struct provider_services *)ctx.providers);
    conf_free((struct conf *)ctx.conf);
    ctx = (struct ctx){ .conf = NULL };
}

static void services_are_on_with_url_and_needed_key(void)
{
    services_open("", NULL);
    CHECK_STR(provider_url(&ctx, &open_one), "https://open.example");
    CHECK(provider_url(&ctx, &keyed) == NULL && provider_url(&ctx, &onchain) == NULL);
    services_close();
    services_open("provider.open.url =", " secret-1\n");
    CHECK(provider_url(&ctx, &open_one) == NULL && provider_key(&ctx, &open_one) == NULL);
    CHECK_STR(provider_url(&ctx, &keyed), "https://keyed.example");
    CHECK_STR(provider_key(&ctx, &keyed), "secret-1");
    services_close();
    services_open("provider.open.url = http://127.0.0.1:1/x\nprovider.open.rate = 9/s", NULL);
    CHECK_STR(provider_url(&ctx, &open_one), "http://127.0.0.1:1/x");
    CHECK_STR(provider_setting(&ctx, &open_one, "rate"), "9/s");
    CHECK(provider_setting(&ctx, &keyed, "rate") == NULL);
    services_close();
}

static bool ends(const char *settings, const char *key)
{
    pid_t pid = fork();
    int status;

    if (pid == 0) {
        (void)!freopen("/dev/null", "w", stderr);
        struct conf *conf = conf_of(settings, key);

        provider_services_free(provider_services_new(conf));
        conf_insist(conf);
        _exit(0);
    }
    return waitpid(pid, &status, 0) == pid && WIFEXITED(status) && WEXITSTATUS(status) != 0;
}

static bool rate_is(const struct provider *p, uint32_t units, uint32_t window_s)
{
    struct rate_limit rate = provider_rate(&ctx, p);

    return rate.units == units && rate.window_s == window_s;
}

static void rates_are_read(void)
{
    static const char *const wrong[] = { "3",   "0/s",  "/s",   "3/",        "3/0s",
                                         "3/d", "3/s.", "-3/s", "1000000/s", "3/1001h" };

    services_open("provider.keyed.rate = 75/2h", NULL);
    CHECK(rate_is(&open_one, 3, 1) && rate_is(&keyed, 75, 7200) && rate_is(&onchain, 0, 0));
    services_close();
    services_open("provider.open.rate = 50/m\nprovider.keyed.rate =", "secret-1");
    CHECK(rate_is(&open_one, 50, 60) && rate_is(&keyed, 0, 0));
    services_close();
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        char setting[64];

        (void)snprintf(setting, sizeof setting, "provider.open.rate = %s", wrong[i]);
        CHECK(ends(setting, NULL));
    }
}

#define RECEIVER "0x1111111111111111111111111111111111111111"
#define FEE_TO   "provider.open.fee_receiver = "
#define BPS      "\nprovider.open.fee_bps = "

static void operator_fees_are_read(void)
{
    services_open(FEE_TO RECEIVER BPS "15", NULL);
    CHECK_STR(provider_fee(&ctx, &open_one)->receiver, RECEIVER);
    CHECK(provider_fee(&ctx, &open_one)->bps == 15);
    CHECK(provider_fee(&ctx, &keyed) == NULL && provider_fee(&ctx, &onchain) == NULL);
    services_close();
}

/* Why the provider is off; NULL: it is on. */
static const char *off_by(const char *settings, const char *key)
{
    static char why[256];
    const struct conf_problem *p;

    services_open(settings, key);
    p = conf_warnings(ctx.conf);
    (void)snprintf(why, sizeof why, "%s", p == NULL ? "" : p->allowed);
    CHECK(p == NULL || !provider_is_on(&ctx, strstr(p->name, "open") != NULL ? &open_one : &keyed));
    CHECK(conf_problems(ctx.conf) == NULL);
    services_close();
    return *why == '\0' ? NULL : why;
}

static void a_key_that_cannot_be_read_turns_its_provider_off(void)
{
    static const char WORD[] = "it has not just one word";
    char long_key[KEY_MAX + 2];

    memset(long_key, 'k', sizeof long_key - 1);
    long_key[sizeof long_key - 1] = '\0';
    CHECK_STR(off_by("provider.open.key_file = /nonexistent/key", NULL), "No such file or directory");
    CHECK_STR(off_by("", ""), WORD);
    CHECK_STR(off_by("", " \n"), WORD);
    CHECK_STR(off_by("", "two words"), WORD);
    CHECK_STR(off_by("", "a\x01"
                         "b"),
              WORD);
    CHECK_STR(off_by("", long_key), WORD);
    CHECK(off_by("", long_key + 1) == NULL && off_by("", " key\r\n") == NULL);
}

static void wrong_settings_end_the_start(void)
{
    CHECK(ends("provider.nobody.url = http://127.0.0.1", NULL));
    CHECK(ends("provider.open.fee_bps = 5", NULL) && ends("provider.open.fee_receiver = " RECEIVER, NULL));
    CHECK(ends(FEE_TO "0x1" BPS "5", NULL) && ends(FEE_TO RECEIVER BPS "201", NULL));
    CHECK(ends(FEE_TO RECEIVER BPS "0", NULL) && ends(FEE_TO RECEIVER BPS "-1", NULL));
    CHECK(ends("provider.open.integrator = 00fe", NULL) && ends("provider.open.integrator = 0x00f", NULL));
    CHECK(ends("provider.open.integrator = 0x00fg", NULL) &&
          !ends("provider.open.integrator = 0x00fe", NULL));
    CHECK(ends(FEE_TO EVM_ADDR_ZERO BPS "5", NULL) && !ends(FEE_TO RECEIVER BPS "200", NULL));
}

static void requests_have_url_and_headers(void)
{
    struct call call;

    services_open("provider.open.url = http://127.0.0.1:1/x", NULL);
    CHECK(!provider_get(&call, &ctx, &keyed, a, "/quote"));
    CHECK(provider_get(&call, &ctx, &open_one, a, "/quote?a=1"));
    CHECK_STR(call.url, "http://127.0.0.1:1/x/quote?a=1");
    CHECK_STR(call.headers[0], "Accept: application/json");
    CHECK(call.headers[1] == NULL && call.body.len == 0);
    call_free(&call);
    CHECK(provider_post(&call, &ctx, &open_one, a, "/build", "{\"a\":1}"));
    provider_header(&call, "x-api-key: k");
    CHECK_STR(buf_text(&call.body), "{\"a\":1}");
    CHECK_STR(call.headers[2], "x-api-key: k");
    CHECK(call.headers[3] == NULL);
    call_free(&call);
    services_close();
}

static void follow_up_requests_reuse_the_call(void)
{
    struct call call;

    services_open("", NULL);
    CHECK(provider_get(&call, &ctx, &open_one, a, "/quote"));
    call.owner = a;
    call.result = CALL_ANSWERED;
    buf_adds(&call.answer, "{}");
    for (unsigned i = 0; i < 2; i++) {
        provider_ask_next(&call, "https://open.example/build", "{\"b\":1}");
        CHECK_STR(call.url, "https://open.example/build");
        CHECK_STR(buf_text(&call.body), "{\"b\":1}");
        CHECK_STR(call.headers[1], "Content-Type: application/json");
        CHECK(call.headers[2] == NULL && call.owner == a && call.result == CALL_PENDING);
        CHECK(call.answer.len == 0);
    }
    call_free(&call);
    services_close();
}

static enum ask_end end_of(enum call_result result, int status)
{
    const struct call call = { .result = result, .status = status };

    return provider_end(&call);
}

static void statuses_are_classified(void)
{
    CHECK(end_of(CALL_ANSWERED, 200) == ASK_OFFERED && end_of(CALL_ANSWERED, 201) == ASK_OFFERED);
    CHECK(end_of(CALL_ANSWERED, 400) == ASK_NO_ROUTE && end_of(CALL_ANSWERED, 422) == ASK_NO_ROUTE);
    CHECK(end_of(CALL_ANSWERED, 404) == ASK_REFUSED && end_of(CALL_ANSWERED, 410) == ASK_REFUSED);
    CHECK(end_of(CALL_ANSWERED, 401) == ASK_REFUSED && end_of(CALL_ANSWERED, 403) == ASK_REFUSED);
    CHECK(end_of(CALL_FAILED, 429) == ASK_RATE_LIMITED && end_of(CALL_ANSWERED, 429) == ASK_RATE_LIMITED);
    CHECK(end_of(CALL_TIMEOUT, 0) == ASK_TIMEOUT && end_of(CALL_FAILED, 0) == ASK_UNAVAILABLE);
    CHECK(end_of(CALL_ANSWERED, 502) == ASK_UNAVAILABLE && end_of(CALL_ANSWERED, 100) == ASK_UNAVAILABLE);
}

static void numbers_keep_their_digits(void)
{
    struct call call;
    json_t *doc;

    call_init(&call, "http://127.0.0.1/", 1000);
    buf_adds(&call.answer, "{\"out\":12345678901234567890.10}");
    CHECK(provider_answer(&call) == NULL);
    call.result = CALL_ANSWERED;
    doc = provider_answer(&call);
    CHECK_STR(json_string_value(json_object_get(doc, "out")), "12345678901234567890.10");
    json_decref(doc);
    call_free(&call);
}

static void service_test_start(void)
{
    CHECK(mkdtemp(folder) != NULL);
    a = arena_new();
}

static void service_test_end(void)
{
    arena_free(a);
    CHECK(unlink(file_of("key", "")) == 0 && unlink(file_of("gateway.conf", "")) == 0 && rmdir(folder) == 0);
}

TEST_MAIN(TEST(service_test_start), TEST(services_are_on_with_url_and_needed_key), TEST(rates_are_read),
          TEST(operator_fees_are_read), TEST(a_key_that_cannot_be_read_turns_its_provider_off),
          TEST(wrong_settings_end_the_start), TEST(requests_have_url_and_headers),
          TEST(follow_up_requests_reuse_the_call), TEST(statuses_are_classified),
          TEST(numbers_keep_their_digits), TEST(service_test_end))
