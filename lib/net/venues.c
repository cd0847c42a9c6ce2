#include "net/venues.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/log.h"
#include "base/metrics.h"
#include "base/shared_file.h"
#include "net/refusals.h"
#include "service/conf.h"

enum {
    WAIT_S = 60,
    LATE_MS = 5 * 60 * 1000, /* so long after it was due, no known question is asked any more */
};

struct venue_states {
    uint64_t layout;
    struct refusals of[VENUE_SERVICES];
};

static const struct {
    const char *name, *who;
    const char *path; /* below its URL */
} services[VENUE_SERVICES] = {
    [VENUE_GAMMA] = { "polymarket-gamma", "Polymarket's catalogue", "" },
    [VENUE_CLOB] = { "polymarket-clob", "Polymarket's exchange", "" },
    [VENUE_DATA] = { "polymarket-data", "Polymarket's Data API", "" },
    [VENUE_RELAYER] = { "polymarket-relayer", "Polymarket's relayer", "" },
    [VENUE_PERPS] = { "hyperliquid", "Hyperliquid", "/info" },
    [VENUE_PERPS_EXCHANGE] = { "hyperliquid-exchange", "Hyperliquid", "/exchange" },
    [VENUE_CIRCLE] = { "circle", "Circle", "" },
    [VENUE_MORPHO_API] = { "morpho-api", "Morpho's catalogue", "" },
    [VENUE_PRICE_FEED] = { "price-feed", "The price feed", "" },
};

const char *const venue_refusal_kinds[] = { "status", "server", "unreadable", NULL };

static struct venue_states alone, *states = &alone;
static const char *urls[VENUE_SERVICES];

const char *venue_service_name(enum venue_service v)
{
    return services[v].name;
}

/* ---- the memory ---- */

static uint64_t states_layout(void)
{
    char text[64];

    (void)snprintf(text, sizeof text, "venues %zu", sizeof *states);
    return shared_file_layout(text);
}

static const char *url_of(const struct conf *conf, enum venue_service v)
{
    const char *const of[VENUE_SERVICES] = {
        [VENUE_GAMMA] = conf->predict_gamma_url,   [VENUE_CLOB] = conf->predict_clob_url,
        [VENUE_DATA] = conf->predict_data_url,     [VENUE_RELAYER] = conf->predict_relayer_url,
        [VENUE_PERPS] = conf->perps_url,           [VENUE_PERPS_EXCHANGE] = conf->perps_url,
        [VENUE_CIRCLE] = conf->perps_circle_url,   [VENUE_MORPHO_API] = conf->lend_morpho_api,
        [VENUE_PRICE_FEED] = conf->price_feed_url,
    };

    return of[v];
}

bool venue_is_on(const struct conf *conf, enum venue_service v)
{
    return url_of(conf, v) != NULL && *url_of(conf, v) != '\0';
}

void venues_share(const struct conf *conf, bool create)
{
    struct venue_states *shared;
    char path[PATH_MAX];
    int fd;

    for (enum venue_service v = 0; v < VENUE_SERVICES; v++)
        urls[v] = url_of(conf, v);
    (void)snprintf(path, sizeof path, "%s.venues", conf->shm_file);
    if (states != &alone || (!create && access(path, F_OK) != 0))
        return;
    shared = shared_file_map_beside(conf->shm_file, ".venues", sizeof *states, states_layout(), &fd);
    if (shared != NULL)
        states = shared;
    else
        log_warn("venues_not_shared",
                 "msg=\"what is known about venues is shared with no other process\" file=%s reason=\"%s\"",
                 path, strerror(errno));
}

/* ---- incoming messages ---- */

/* Whether the URL is `base` with that path behind it, and more. */
static bool url_is_below(const char *url, const char *base, const char *path)
{
    size_t n = base == NULL ? 0 : strlen(base), m = strlen(path);

    return n > 0 && strncmp(url, base, n) == 0 && strncmp(url + n, path, m) == 0 &&
           strchr("/?", url[n + m]) != NULL;
}

static enum venue_service service_of(const struct call *c)
{
    enum venue_service v = 0;

    while (v < VENUE_SERVICES && !url_is_below(c->url, urls[v], services[v].path))
        v++;
    return v;
}

/* A page for people in place of an answer. */
static bool is_page(const struct call *c)
{
    size_t i = 0;

    while (i < c->answer.len && strchr(" \t\r\n", c->answer.data[i]) != NULL)
        i++;
    return i < c->answer.len && c->answer.data[i] == '<';
}

static const char *refusal_kind(const struct call *c)
{
    if (c->fault == FAULT_TOO_LARGE)
        return "unreadable";
    if (c->result != CALL_ANSWERED)
        return NULL;
    if (call_refuses_us(c))
        return "status";
    if (c->status >= 500)
        return "server";
    return c->status < 300 && is_page(c) ? "unreadable" : NULL;
}

void venue_hear(const struct call *c)
{
    enum venue_service v = service_of(c);
    const char *kind;

    if (v == VENUE_SERVICES)
        return;
    kind = refusal_kind(c);
    if (kind == NULL && c->result == CALL_ANSWERED && c->status < 300)
        refusals_serve(&states->of[v], REFUSED_ANSWERS);
    if (kind == NULL)
        return;
    if (!refusals_stand(&states->of[v])) /* else the known question alone says when it is asked again */
        refusals_add(&states->of[v], clock_mono_ms());
    metric_add(METRIC("venue_refusals_total", services[v].name, kind), 1);
}

void venue_senseless(enum venue_service v)
{
    refusals_add_broken(&states->of[v]);
    metric_add(METRIC("venue_refusals_total", services[v].name, "unreadable"), 1);
}

/* ---- events for agents ---- */

static const struct err *refused_by(struct arena *a, enum venue_service v, unsigned wait_s)
{
    return err_wait(
        a, &E_PROVIDER_REFUSED, wait_s,
        arena_printf(a, "%s refuses this service: its operator has to see to it", services[v].who));
}

static bool is_left_alone(enum venue_service v, int64_t now_ms)
{
    const struct refusals *r = &states->of[v];

    return refusals_stand(r) && !refusals_in_doubt(r, now_ms - LATE_MS);
}

size_t venue_calls_run(struct net *n, struct call *calls, size_t count, unsigned deadline_ms)
{
    int64_t now_ms = clock_mono_ms();
    bool held = false;

    for (size_t i = 0; i < count; i++) {
        enum venue_service v = service_of(&calls[i]);

        held = held || (v < VENUE_SERVICES && is_left_alone(v, now_ms));
    }
    if (!held)
        return calls_run(n, calls, count, deadline_ms);
    for (size_t i = 0; i < count; i++) {
        calls[i].result = CALL_HELD;
        (void)snprintf(calls[i].why, sizeof calls[i].why, "a venue refuses this service");
    }
    return 0;
}

const struct err *venue_check(struct arena *a, enum venue_service v)
{
    int64_t now_ms = clock_mono_ms();

    return is_left_alone(v, now_ms) ? refused_by(a, v, refusals_wait_s(&states->of[v], now_ms)) : NULL;
}

const struct err *venue_failure(struct arena *a, const struct call *c, const struct err *otherwise)
{
    enum venue_service v = service_of(c);
    const struct err *e;

    if (v == VENUE_SERVICES)
        return otherwise;
    if (call_refuses_us(c))
        return refused_by(a, v, WAIT_S);
    e = venue_check(a, v);
    return e != NULL ? e : otherwise;
}

/* ---- providers that refuse this service ---- */

bool venue_is_in_doubt(enum venue_service v)
{
    return refusals_in_doubt(&states->of[v], clock_mono_ms());
}

bool venue_is_refused(enum venue_service v)
{
    return refusals_stand(&states->of[v]);
}

void venue_serves_us(enum venue_service v)
{
    struct refusals *r = &states->of[v];

    if (refusals_stand(r))
        log_info("venue_serves", "msg=\"venue serves us again\" venue=%s", services[v].name);
    refusals_serve(r, REFUSED_ANSWERS);
    refusals_serve(r, REFUSED_CONTENT);
}

void venue_keeps_refusing(enum venue_service v, const char *said)
{
    if (refusals_confirm(&states->of[v], clock_mono_ms()))
        log_error("venue_refused", "msg=\"venue refuses us\" venue=%s said=\"%s\"", services[v].name, said);
}
