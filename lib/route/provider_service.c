#include "route/provider_service.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/incident.h"
#include "base/json_numbers.h"
#include "base/log.h"
#include "base/secret_text.h"
#include "chain/evm/evm_addr.h"
#include "codec/u256.h"
#include "net/refusals.h"
#include "service/conf.h"

enum { KEY_MAX = 512 };

_Static_assert((int)BULKHEAD_CHAINS + (int)PROVIDERS_MAX <= (int)BULKHEAD_PERPS, "every provider has a lane");

/* In the order of the table of providers. */
struct provider_services {
    char keys[PROVIDERS_MAX][KEY_MAX + 1]; /* "": none */
    const char *urls[PROVIDERS_MAX];       /* NULL: it is off */
    struct rate_limit rates[PROVIDERS_MAX];
    struct provider_fee fees[PROVIDERS_MAX];
    char receivers[PROVIDERS_MAX][EVM_ADDR_TEXT_LEN + 1];
};

size_t provider_place(const struct provider *p)
{
    size_t i = 0;

    while (providers[i] != NULL && providers[i] != p)
        i++;
    return i;
}

/* ---- keys ---- */

/* One word, and blanks around it. Why there is none; NULL: `out` has it. */
static const char *word_take(char out[static KEY_MAX + 1], const char *text)
{
    size_t word = 0;

    text += strspn(text, " \t\r\n");
    while (text[word] > ' ' && text[word] <= '~')
        word++;
    if (word == 0 || word > KEY_MAX || text[word + strspn(text + word, " \t\r\n")] != '\0')
        return "it has not just one word";
    memcpy(out, text, word);
    out[word] = '\0';
    return NULL;
}

/* Why the file gives none; NULL: `out` has it. */
static const char *key_read(const char *path, char out[static KEY_MAX + 1])
{
    char text[KEY_MAX + 64];
    const char *why = secret_text_read(text, sizeof text, path);

    if (why == NULL)
        why = word_take(out, text);
    explicit_bzero(text, sizeof text);
    return why;
}

/* ---- URLs ---- */

static const char *url_read(const struct conf *conf, const struct provider *p, bool has_key)
{
    const char *url = conf_provider(conf, p->key, "url");

    if (p->service == NULL || (p->service->needs_key && !has_key))
        return NULL;
    if (url == NULL)
        return p->service->url;
    return *url == '\0' ? NULL : url;
}

/* ---- rates ---- */

/* A number without a sign, at most 999999; the text goes on behind it. */
static uint32_t number_read(const char **text)
{
    uint32_t n = 0;

    for (; **text >= '0' && **text <= '9' && n < 100000; (*text)++)
        n = n * 10 + (uint32_t)(**text - '0');
    return n;
}

static uint32_t unit_seconds(char unit)
{
    return unit == 's' ? 1 : unit == 'm' ? 60 : unit == 'h' ? 60 * 60 : 0;
}

/* "3/s", "75/2h" */
static bool rate_parse(struct rate_limit *rate, const char *text)
{
    rate->units = number_read(&text);
    if (*text++ != '/')
        return false;
    rate->window_s = *text >= '0' && *text <= '9' ? number_read(&text) : 1;
    if (rate->window_s > 1000)
        return false;
    rate->window_s *= unit_seconds(*text);
    return rate->units > 0 && rate->window_s > 0 && text[1] == '\0';
}

/* False when it is set wrongly. */
static bool rate_read(struct rate_limit *rate, const struct conf *conf, const struct provider *p,
                      bool has_key)
{
    const char *text = conf_provider(conf, p->key, "rate");

    if ((text == NULL || *text == '\0') && p->service != NULL)
        text = has_key || p->service->keyless_rate == NULL ? p->service->rate : p->service->keyless_rate;
    return text == NULL || *text == '\0' || rate_parse(rate, text);
}

/* ---- fees ---- */

static bool bps_read(unsigned *bps, const char *text)
{
    struct u256 n;
    uint64_t v;

    if (text == NULL || !u256_parse(&n, text) || !u256_to_u64(&v, n) || v > PROVIDER_FEE_MAX)
        return false;
    *bps = (unsigned)v;
    return *bps > 0;
}

static bool receiver_read(char receiver[static EVM_ADDR_TEXT_LEN + 1], const char *text, bool is_name)
{
    struct evm_addr at;

    if (is_name) {
        (void)snprintf(receiver, EVM_ADDR_TEXT_LEN + 1, "%s", text);
        return strlen(text) <= EVM_ADDR_TEXT_LEN;
    }
    if (!evm_addr_parse(&at, text) || evm_addr_is_zero(at))
        return false;
    evm_addr_text(receiver, at);
    return true;
}

/* False when it is set wrongly. */
static bool fee_read(struct provider_fee *fee, char receiver[static EVM_ADDR_TEXT_LEN + 1],
                     const struct conf *conf, const struct provider *p)
{
    const char *to = conf_provider(conf, p->key, "fee_receiver");
    const char *bps = conf_provider(conf, p->key, "fee_bps");

    if ((to == NULL || *to == '\0') && (bps == NULL || *bps == '\0'))
        return true;
    if (to == NULL || *to == '\0' || !bps_read(&fee->bps, bps))
        return false;
    fee->receiver = receiver;
    return receiver_read(receiver, to, p->service != NULL && p->service->names_receiver);
}

static bool is_provider(const char *key)
{
    return provider_find(key) != NULL || provider_ended(key) != NULL;
}

static void provider_refuse(const struct conf *conf, const struct provider *p, const char *name,
                            const char *allowed)
{
    char full[128];

    (void)snprintf(full, sizeof full, "provider.%s.%s", p->key, name);
    conf_refuse(conf, full, allowed);
}

/* Whichever of the two is there. */
static void fee_refuse(const struct conf *conf, const struct provider *p)
{
    const char *to = conf_provider(conf, p->key, "fee_receiver");

    if (to != NULL && *to != '\0')
        provider_refuse(conf, p, "fee_receiver", NULL);
    else
        provider_refuse(conf, p, "fee_bps", "a whole number from 1 to 200, together with fee_receiver");
}

static bool is_set(const struct conf *conf, const struct provider *p, const char *name)
{
    const char *value = conf_provider(conf, p->key, name);

    return value != NULL && *value != '\0';
}

/* "0x" and two bytes, as Across has it. */
static bool integrator_ok(const char *text)
{
    return strlen(text) == 6 && text[0] == '0' && text[1] == 'x' &&
           strspn(text + 2, "0123456789abcdefABCDEF") == 4;
}

struct provider_services *provider_services_new(const struct conf *conf)
{
    struct provider_services *s = calloc(1, sizeof *s);

    if (s == NULL)
        log_fatal("out_of_memory", "msg=\"out of memory\"");
    conf_refuse_unknown(conf, "provider", is_provider);
    for (size_t i = 0; providers[i] != NULL; i++) {
        const char *why_off = is_set(conf, providers[i], "key_file")
                                  ? key_read(conf_provider(conf, providers[i]->key, "key_file"), s->keys[i])
                                  : NULL;

        if (why_off != NULL) {
            char full[128];

            (void)snprintf(full, sizeof full, "provider.%s.%s", providers[i]->key, "key_file");
            conf_warn(conf, full, why_off);
        }
        s->urls[i] = why_off != NULL ? NULL : url_read(conf, providers[i], *s->keys[i] != '\0');
        if (!rate_read(&s->rates[i], conf, providers[i], *s->keys[i] != '\0'))
            provider_refuse(conf, providers[i], "rate", NULL);
        if (is_set(conf, providers[i], "integrator") &&
            !integrator_ok(conf_provider(conf, providers[i]->key, "integrator")))
            provider_refuse(conf, providers[i], "integrator", NULL);
        if (!fee_read(&s->fees[i], s->receivers[i], conf, providers[i]))
            fee_refuse(conf, providers[i]);
    }
    return s;
}

void provider_services_warn(const struct conf *conf)
{
    for (const struct provider *const *p = providers; *p != NULL; p++)
        if ((*p)->service != NULL && (*p)->service->wants_key && !is_set(conf, *p, "key_file") &&
            (conf_provider(conf, (*p)->key, "url") == NULL || is_set(conf, *p, "url")))
            log_warn("provider_without_key",
                     "msg=\"a provider that wants a key is asked without one, and may refuse any day\" "
                     "provider=%s",
                     (*p)->key);
    for (const struct provider_ended *e = providers_ended; e->key != NULL; e++)
        if (conf_has_place(conf, "provider", e->key))
            log_warn("provider_ended",
                     "msg=\"settings of a service that ended have no effect\" provider=%s day=%s", e->key,
                     e->day);
}

void provider_services_free(struct provider_services *s)
{
    if (s != NULL)
        explicit_bzero(s, sizeof *s);
    free(s);
}

/* ---- settings ---- */

const char *provider_key(const struct ctx *ctx, const struct provider *p)
{
    size_t i = provider_place(p);

    return ctx->providers == NULL || providers[i] == NULL || *ctx->providers->keys[i] == '\0'
               ? NULL
               : ctx->providers->keys[i];
}

const char *provider_setting(const struct ctx *ctx, const struct provider *p, const char *name)
{
    const char *value = conf_provider(ctx->conf, p->key, name);

    return value == NULL || *value == '\0' ? NULL : value;
}

struct rate_limit provider_rate(const struct ctx *ctx, const struct provider *p)
{
    size_t i = provider_place(p);

    if (ctx->providers == NULL || providers[i] == NULL)
        return (struct rate_limit){ .units = 0 };
    return ctx->providers->rates[i];
}

const struct provider_fee *provider_fee(const struct ctx *ctx, const struct provider *p)
{
    size_t i = provider_place(p);

    return ctx->providers == NULL || providers[i] == NULL || ctx->providers->fees[i].bps == 0
               ? NULL
               : &ctx->providers->fees[i];
}

const char *provider_url(const struct ctx *ctx, const struct provider *p)
{
    size_t i = provider_place(p);

    return ctx->providers == NULL || providers[i] == NULL ? NULL : ctx->providers->urls[i];
}

bool provider_is_on(const struct ctx *ctx, const struct provider *p)
{
    return p->service == NULL || provider_url(ctx, p) != NULL;
}

const struct provider *const *providers_on(const struct ctx *ctx, struct arena *a)
{
    const struct provider **on = ARENA_ARRAY(a, const struct provider *, PROVIDERS_MAX + 1);
    size_t n = 0;

    for (const struct provider *const *p = providers; *p != NULL && n < PROVIDERS_MAX; p++)
        if (provider_is_on(ctx, *p))
            on[n++] = *p;
    on[n] = NULL;
    return on;
}

/* ---- questions ---- */

bool provider_get(struct call *call, const struct ctx *ctx, const struct provider *p, struct arena *a,
                  const char *path)
{
    const char *base = provider_url(ctx, p);

    if (base == NULL)
        return false;
    call_init(call, arena_printf(a, "%s%s", base, path), MAX_UPSTREAM);
    call_use_lane(call, ctx->bulkhead, BULKHEAD_CHAINS + (unsigned)provider_place(p));
    provider_header(call, "Accept: application/json");
    return true;
}

bool provider_post(struct call *call, const struct ctx *ctx, const struct provider *p, struct arena *a,
                   const char *path, const char *json)
{
    if (!provider_get(call, ctx, p, a, path))
        return false;
    provider_header(call, "Content-Type: application/json");
    buf_adds(&call->body, json);
    return true;
}

void provider_ask_next(struct call *call, const char *url, const char *json)
{
    struct call next;

    call_init(&next, url, MAX_UPSTREAM);
    next.owner = call->owner;
    call_use_lane(&next, call->bulkhead, call->lane);
    memcpy(next.headers, call->headers, sizeof next.headers);
    if (json != NULL && call->body.len == 0)
        provider_header(&next, "Content-Type: application/json");
    buf_adds(&next.body, json != NULL ? json : "");
    call_free(call);
    *call = next;
}

void provider_header(struct call *call, const char *header)
{
    size_t i = 0;

    while (i < CALL_MAX_HEADERS - 1 && call->headers[i] != NULL)
        i++;
    call->headers[i] = header;
}

/* ---- answers ---- */

const char *ask_end_text(enum ask_end end)
{
    static const char *const texts[ASK_ENDS] = {
        [ASK_OFFERED] = "offered",         [ASK_NO_ROUTE] = "no_route",         [ASK_TOO_SMALL] = "too_small",
        [ASK_PAID_BESIDE] = "paid_beside", [ASK_RATE_LIMITED] = "rate_limited", [ASK_REFUSED] = "refused",
        [ASK_TIMEOUT] = "timeout",         [ASK_UNAVAILABLE] = "silent",        [ASK_SKIPPED] = "skipped",
    };

    return texts[end];
}

enum ask_end provider_end(const struct call *call)
{
    if (call->status == 429)
        return ASK_RATE_LIMITED;
    if (call->result == CALL_TIMEOUT)
        return ASK_TIMEOUT;
    if (call->result != CALL_ANSWERED || call->status < 200 || call->status >= 500)
        return ASK_UNAVAILABLE;
    if (call_refuses_us(call))
        return ASK_REFUSED;
    return call->status < 300 ? ASK_OFFERED : ASK_NO_ROUTE;
}

void provider_unavailable_log(const struct provider *p, const struct call *call, bool outlier)
{
    char about[INCIDENT_ABOUT_MAX + 1];

    (void)snprintf(about, sizeof about, "provider=%s", p->key);
    log_repeated("provider_no_answer", about,
                 "msg=\"provider gave no answer\" status=%d outlier=%d why=\"%s\"", call->status, outlier,
                 call->why);
}

json_t *provider_answer(const struct call *call)
{
    return provider_answer_without(call, NULL);
}

json_t *provider_answer_without(const struct call *call, const char *const *names)
{
    return call->result == CALL_ANSWERED ? json_read_texts_without(call->answer.data, call->answer.len, names)
                                         : NULL;
}
