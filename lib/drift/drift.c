#include "drift/drift.h"

#include <curl/curl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/cause.h"
#include "base/clock.h"
#include "base/incident.h"
#include "drift/drift_record.h"
#include "drift/node_questions.h"
#include "drift/redact.h"
#include "net/url.h"
#include "predict/relayer_key.h"
#include "route/provider_service.h"
#include "service/conf.h"

enum {
    NODES_MS = 4000,
    WORDS_MAX = 80,
    CLOCK_MAX_S = 120,
    HTTP_REFUSALS = 400, /* statuses from here on */
    HTTP_TOO_MANY = 429,
    SECRETS_MAX = 192,
    URL_KEY_LEAST = 16, /* a shorter part of a URL is a name */
};

/* ---- incoming messages ---- */

static void hear(void *arg, const struct call *c)
{
    struct asking *k = arg;
    struct arena *a = k->arena;

    if (k->count == HEARD_MAX)
        return;
    k->heard[k->count++] = (struct heard){
        .url = arena_strdup(a, c->url),
        .asked = arena_strndup(a, c->body.len > 0 ? c->body.data : "", c->body.len),
        .text = arena_strndup(a, c->answer.len > 0 ? c->answer.data : "", c->answer.len),
        .len = c->answer.len,
        .status = c->status,
        .result = c->result,
        .fault = c->fault,
        .why = arena_strdup(a, c->why),
        .deprecation = arena_strdup(a, c->deprecation),
        .sunset = arena_strdup(a, c->sunset),
        .date = arena_strdup(a, c->date),
        .at_s = clock_seconds(),
    };
}

/* ---- secrets ---- */

struct secrets {
    const char *list[SECRETS_MAX + 1];
    size_t count;
};

static void secret_add(struct secrets *s, const char *text)
{
    if (text != NULL && *text != '\0' && s->count < SECRETS_MAX)
        s->list[s->count++] = text;
}

/* Before the host a name and a password, and behind it the long parts: keys stand there. */
static void secret_add_url(struct secrets *s, struct arena *a, const char *url)
{
    size_t n;
    const char *host = url == NULL ? NULL : url_host(url, &n), *at = host == NULL ? "" : host + n,
               *user = host == NULL ? NULL : strstr(url, "://"), *colon;

    if (user != NULL && (user += strlen("://")) < host) {
        user = arena_strndup(a, user, (size_t)(host - user) - 1);
        colon = strchr(user, ':');
        secret_add(s, colon != NULL ? colon + 1 : user);
    }
    for (; *at != '\0'; at += n) {
        at += strspn(at, "/?&=#");
        n = strcspn(at, "/?&=#");
        if (n >= URL_KEY_LEAST)
            secret_add(s, arena_strndup(a, at, n));
    }
}

static void secrets_find(struct secrets *s, const struct ctx *ctx, struct arena *a,
                         const struct node_checked *nodes, size_t count)
{
    const struct relayer_key *relayer = ctx->relayer_key;

    *s = (struct secrets){ .count = 0 };
    for (const struct provider *const *p = providers; *p != NULL; p++) {
        secret_add(s, provider_key(ctx, *p));
        secret_add_url(s, a, provider_url(ctx, *p));
    }
    if (relayer != NULL) {
        secret_add(s, relayer->key);
        secret_add(s, relayer->secret);
        secret_add(s, relayer->passphrase);
    }
    for (const struct venue_source *v = venue_sources; v < venue_sources + VENUE_SERVICES; v++)
        secret_add_url(s, a, v->base(ctx));
    for (size_t i = 0; i < count; i++)
        secret_add_url(s, a, nodes[i].url);
}

/* ---- its description ---- */

void asking_found(struct asking *k, enum drift_state state, const char *fmt, ...)
{
    va_list ap;

    k->report.state = state;
    va_start(ap, fmt);
    (void)vsnprintf(k->report.said, sizeof k->report.said, fmt, ap);
    va_end(ap);
}

bool heard_below(const struct heard *h, const char *base)
{
    return strncmp(h->url, base, strlen(base)) == 0;
}

static const char *first_words(const struct asking *k, const struct heard *h)
{
    return arena_strndup(k->arena, h->text, h->len < WORDS_MAX ? h->len : WORDS_MAX);
}

static void answer_failed(struct asking *k, const struct heard *h)
{
    unsigned cause = call_cause(h->result, h->fault, h->status);
    const char *text = cause_text(k->arena, cause);

    if (h->result == CALL_FAILED && h->fault == FAULT_TOO_LARGE)
        asking_found(k, DRIFT_UNREADABLE, "its answer is too large");
    else if (h->result != CALL_ANSWERED)
        asking_found(k, DRIFT_UNAVAILABLE, "%s%s%s", text,
                     cause == CAUSE_BROKEN && *h->why != '\0' ? ": " : "",
                     cause == CAUSE_BROKEN ? h->why : "");
    else if (h->status >= HTTP_REFUSALS)
        asking_found(k, h->status == HTTP_TOO_MANY ? DRIFT_UNAVAILABLE : DRIFT_REFUSED, "%s: %s", text,
                     first_words(k, h));
    else
        asking_found(k, DRIFT_UNREADABLE, "its answer cannot be read: %s", first_words(k, h));
}

void asking_failed(struct asking *k, const char *base)
{
    const struct heard *last = NULL;

    for (size_t i = 0; i < k->count; i++)
        if (heard_below(&k->heard[i], base))
            last = &k->heard[i];
    if (last == NULL)
        asking_found(k, DRIFT_UNAVAILABLE, "it could not be asked");
    else
        answer_failed(k, last);
}

bool asking_is_served(const struct asking *k)
{
    return k->report.state == DRIFT_WORKS || k->report.state == DRIFT_CHANGED;
}

bool asking_is_refused(const struct asking *k)
{
    return k->report.state == DRIFT_REFUSED || k->report.state == DRIFT_UNREADABLE ||
           k->report.state == DRIFT_UNSAFE;
}

/* ---- changes ---- */

static const char *shape_of(const struct asking *k, const struct heard *h)
{
    for (const struct recorded_shape *s = recorded_shapes; s->source != NULL; s++)
        if (strcmp(s->source, k->report.name) == 0 &&
            (strstr(h->url, s->part) != NULL || strstr(h->asked, s->part) != NULL))
            return shape_differs(k->arena, s->members, h->text, h->len);
    return NULL;
}

static const char *day_text(struct arena *a, time_t at)
{
    struct tm tm;
    char day[16];

    if (gmtime_r(&at, &tm) == NULL || tm.tm_year > 8000 || strftime(day, sizeof day, "%Y-%m-%d", &tm) == 0)
        return "a day that cannot be read";
    return arena_strdup(a, day);
}

/* "@1688169599", as RFC 9745 has it, a date, as drafts of it had, or anything else. */
static const char *announced_day(struct arena *a, const char *value)
{
    time_t at = (time_t)-1;

    if (*value == '@' && value[1] != '\0' && strspn(value + 1, "0123456789") == strlen(value + 1) &&
        strlen(value) <= 12)
        at = (time_t)strtoll(value + 1, NULL, 10);
    else if (*value != '@')
        at = curl_getdate(value, NULL);
    return at == (time_t)-1 ? NULL : day_text(a, at);
}

static const char *announcement_of(struct arena *a, const struct heard *h)
{
    const char *day;

    if (*h->sunset != '\0') {
        day = announced_day(a, h->sunset);
        return day != NULL ? arena_printf(a, "its header Sunset announces its end on %s", day)
                           : "its header Sunset announces an end on a day that cannot be read";
    }
    if (*h->deprecation == '\0' || strcmp(h->deprecation, "false") == 0)
        return NULL;
    day = announced_day(a, h->deprecation);
    return day != NULL ? arena_printf(a, "its header Deprecation names %s", day)
                       : "its header Deprecation names no day that can be read";
}

static const char *clock_of(struct arena *a, const struct heard *h)
{
    time_t at = *h->date == '\0' ? (time_t)-1 : curl_getdate(h->date, NULL);
    long long apart = at == (time_t)-1 ? 0 : (long long)at - (long long)h->at_s;

    if (apart >= -CLOCK_MAX_S && apart <= CLOCK_MAX_S)
        return NULL;
    return arena_printf(a, "its clock is %lld s %s this host's", apart < 0 ? -apart : apart,
                        apart < 0 ? "behind" : "ahead of");
}

static const char *heard_change(const struct asking *k, const struct heard *h)
{
    const char *change;

    if (h->result != CALL_ANSWERED)
        return NULL;
    if (h->status == 200 && (change = shape_of(k, h)) != NULL)
        return change;
    if ((change = announcement_of(k->arena, h)) != NULL)
        return change;
    return clock_of(k->arena, h);
}

/* The first change stands before all else that is known. */
static void changes_find(struct asking *k)
{
    const char *change = NULL, *before = arena_strdup(k->arena, k->report.said);

    for (size_t i = 0; i < k->count && change == NULL; i++)
        change = heard_change(k, &k->heard[i]);
    if (change == NULL || k->report.state == DRIFT_OFF)
        return;
    asking_found(k, k->report.state == DRIFT_WORKS ? DRIFT_CHANGED : k->report.state, "%s; %s", change,
                 before);
}

/* ---- one after the other ---- */

struct run {
    const struct ctx *ctx;
    const struct drift_check *poll;
    struct secrets secrets;
    struct asking *asking;
    size_t found;
};

static bool is_wanted(const struct run *r, const char *name, const char *chain)
{
    const char *wanted = r->poll->name;

    return wanted == NULL || strcmp(wanted, name) == 0 || (chain != NULL && strcmp(wanted, chain) == 0);
}

static struct asking *asking_begin(struct run *r, const char *name, const char *base)
{
    struct asking *k = r->asking;

    arena_reset(k->arena);
    k->count = 0;
    k->base = base == NULL ? "" : base;
    k->report = (struct drift_report){ .state = DRIFT_UNKNOWN };
    (void)snprintf(k->report.name, sizeof k->report.name, "%s", name);
    r->found++;
    net_hear(r->ctx->net, hear, k);
    return k;
}

/* An incident for each state, so that a change of states is told. */
static void report_log(const struct drift_report *r)
{
    char about[INCIDENT_ABOUT_MAX + 1];

    for (enum drift_state s = DRIFT_CHANGED; s < DRIFT_OFF; s++) {
        (void)snprintf(about, sizeof about, "source=%s state=%s", r->name, drift_state_text(s));
        if (s == r->state)
            log_incident("drift", about, "msg=\"a known question is not answered as it was\" said=\"%s\"",
                         r->said);
        else
            log_incident_over("drift", about);
    }
}

static void asking_end(struct run *r)
{
    struct asking *k = r->asking;

    net_hear(r->ctx->net, NULL, NULL);
    changes_find(k);
    redact_text(k->report.said, strlen(k->report.said), r->secrets.list);
    for (char *c = k->report.said; *c != '\0'; c++)
        if (*c < ' ' || *c > '~' || *c == '"')
            *c = ' ';
    k->report.at_ms = clock_ms();
    drift_keep(&k->report);
    if (r->poll->tell == NULL)
        report_log(&k->report);
    if (r->poll->record != NULL)
        (void)record_write(k, r->poll->record, r->secrets.list);
    if (r->poll->tell != NULL)
        r->poll->tell(r->poll->arg, &k->report);
}

static void venue_judge(const struct asking *k, enum venue_service v)
{
    if (asking_is_served(k))
        venue_serves_us(v);
    else if (asking_is_refused(k) && venue_is_in_doubt(v))
        venue_keeps_refusing(v, k->report.said);
}

static void venues_ask(struct run *r)
{
    for (const struct venue_source *v = venue_sources; v < venue_sources + VENUE_SERVICES; v++) {
        const char *name = venue_service_name(v->service), *base = v->base(r->ctx);
        struct asking *k;

        if (!is_wanted(r, name, NULL))
            continue;
        k = asking_begin(r, name, base);
        if (base == NULL || *base == '\0') {
            asking_found(k, DRIFT_OFF, "it has no URL, or no key, in the settings");
        } else {
            v->ask(k);
            venue_judge(k, v->service);
        }
        asking_end(r);
    }
}

static void nodes_ask(struct run *r, struct arena *a, const struct node_checked *nodes, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const char *name = node_drift_name(a, &nodes[i]);

        if (!is_wanted(r, name, nodes[i].chain->key))
            continue;
        node_drift(asking_begin(r, name, NULL), &nodes[i]);
        asking_end(r);
    }
}

size_t drift_run(const struct ctx *ctx, const struct drift_check *poll)
{
    struct arena *kept = arena_new(), *of_one = arena_new();
    struct ctx known = *ctx;
    struct run r = { .ctx = &known, .poll = poll };
    struct node_checked *nodes;
    size_t count;

    known.asks_known = true;
    r.asking = ARENA_NEW(kept, struct asking);
    *r.asking = (struct asking){ .ctx = &known, .arena = of_one };
    count = nodes_check(&nodes, ctx, kept, NODES_MS);
    secrets_find(&r.secrets, ctx, kept, nodes, count);
    for (const struct provider *const *p = providers; *p != NULL; p++) {
        if (((*p)->service == NULL && !(*p)->has_candidates) || !is_wanted(&r, (*p)->key, NULL))
            continue;
        provider_drift(asking_begin(&r, (*p)->key, provider_url(r.ctx, *p)), *p);
        asking_end(&r);
    }
    venues_ask(&r);
    nodes_ask(&r, kept, nodes, count);
    arena_free(of_one);
    arena_free(kept);
    return r.found;
}
