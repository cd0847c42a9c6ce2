/* Shared by the tests of providers: settings, questions, and services that answer as they are told to. */
#ifndef ROUTE_TEST_SERVICE_H
#define ROUTE_TEST_SERVICE_H

#include <stdlib.h>
#include <unistd.h>

#include "base/test.h"
#include "chain/tokens.h"
#include "route/provider_service.h"
#include "route/question.h"
#include "service/conf.h"

#define SERVICE_WALLET   "0x1111111111111111111111111111111111111111"
#define SERVICE_STRANGER "0x2222222222222222222222222222222222222222"

static struct ctx service_ctx;
static struct arena *service_arena;

static void service_file(char path[static 32], const char *text)
{
    FILE *f;
    int fd;

    snprintf(path, 32, "/tmp/test_service.XXXXXX");
    fd = mkstemp(path);
    f = fd < 0 ? NULL : fdopen(fd, "w");
    CHECK(f != NULL && fputs(text, f) >= 0 && fclose(f) == 0);
}

/* `settings` may be followed by the provider whose key is "secret-1". */
static void service_open(const char *settings, const char *keyed)
{
    char conf_path[32], key_path[32], text[1024];

    service_file(key_path, "secret-1\n");
    snprintf(text, sizeof text, keyed == NULL ? "%s\n" : "%s\nprovider.%s.key_file = %s\n", settings, keyed,
             key_path);
    service_file(conf_path, text);
    service_arena = arena_new();
    service_ctx.conf = conf_load(conf_path);
    service_ctx.providers = provider_services_new(service_ctx.conf);
    CHECK(unlink(conf_path) == 0 && unlink(key_path) == 0);
}

static void service_close(void)
{
    provider_services_free((struct provider_services *)service_ctx.providers);
    conf_free((struct conf *)service_ctx.conf);
    arena_free(service_arena);
    service_ctx = (struct ctx){ .conf = NULL };
}

static struct token_ref service_token(const char *chain, const char *symbol)
{
    return token_ref_of(token_find(chain_find(chain), symbol));
}

/* With one per cent of slippage. */
static struct route_in service_pair(const char *from_chain, const char *from, const char *to_chain,
                                    const char *to, const char *amount)
{
    struct route_in in = { .from_chain = chain_find(from_chain),
                           .to_chain = chain_find(to_chain),
                           .from = service_token(from_chain, from),
                           .to = service_token(to_chain, to),
                           .slippage = { 10000 },
                           .wallet = SERVICE_WALLET };

    CHECK(u256_parse(&in.amount_in, amount));
    return in;
}

static bool service_amount_is(struct u256 amount, const char *digits)
{
    struct u256 want;

    return u256_parse(&want, digits) && u256_cmp(amount, want) == 0;
}

static bool service_has_header(const struct call *call, const char *header)
{
    for (size_t i = 0; call->headers[i] != NULL; i++)
        if (strcmp(call->headers[i], header) == 0)
            return true;
    return false;
}

/* The question has been asked, and this is what came back. */
static void service_plays(struct call *call, int status, const char *answer)
{
    call->result = CALL_ANSWERED;
    call->status = status;
    buf_reset(&call->answer);
    buf_adds(&call->answer, answer);
}

/* Asks for offers and reads the answer. */
static enum ask_end service_offers(const struct provider *p, const struct route_in *in, int status,
                                   const char *answer, struct route_answer *out)
{
    struct call call;
    enum ask_end end;

    memset(out, 0, sizeof *out);
    if (!p->ask(&call, &service_ctx, in, service_arena))
        return ASK_SKIPPED;
    service_plays(&call, status, answer);
    end = p->read(&call, in, service_arena, out);
    CHECK((end == ASK_OFFERED) == (out->count > 0));
    call_free(&call);
    return end;
}

static enum ask_end service_end(const struct provider *p, const struct route_in *in, int status,
                                const char *answer)
{
    struct route_answer out;

    return service_offers(p, in, status, answer, &out);
}

/* The good answer with `old` replaced by `new`, which must change it; in the arena. */
static const char *service_with(const char *good, const char *old, const char *new)
{
    const char *at = strstr(good, old);

    CHECK(at != NULL);
    return at == NULL
               ? good
               : arena_printf(service_arena, "%.*s%s%s", (int)(at - good), good, new, at + strlen(old));
}

/* Spoiled forms of a good answer, of any service: none is read as an offer. */
static void service_lies(const struct provider *p, const struct route_in *in, const char *good)
{
    struct buf deep = BUF_INIT(1 << 20);
    size_t len = strlen(good);

    for (size_t cut = 0; cut < len; cut += 1 + len / 64)
        CHECK(service_end(p, in, 200, arena_strndup(service_arena, good, cut)) == ASK_UNAVAILABLE);
    CHECK(service_end(p, in, 200, "<html>busy</html>") == ASK_UNAVAILABLE);
    CHECK(service_end(p, in, 200, "[]") == ASK_UNAVAILABLE &&
          service_end(p, in, 200, "null") == ASK_UNAVAILABLE);
    CHECK(service_end(p, in, 200, "{}") == ASK_UNAVAILABLE);
    for (size_t i = 0; i < 100000; i++)
        buf_addc(&deep, i % 2 == 0 ? '[' : '{');
    CHECK(service_end(p, in, 200, buf_text(&deep)) == ASK_UNAVAILABLE);
    CHECK(service_end(p, in, 400, buf_text(&deep)) != ASK_OFFERED);
    buf_free(&deep);
    CHECK(service_end(p, in, 429, good) == ASK_RATE_LIMITED && service_end(p, in, 401, good) == ASK_REFUSED);
    CHECK(service_end(p, in, 403, good) == ASK_REFUSED && service_end(p, in, 500, good) == ASK_UNAVAILABLE);
    CHECK(service_end(p, in, 302, good) != ASK_OFFERED && service_end(p, in, 400, good) != ASK_OFFERED);
}

#endif
