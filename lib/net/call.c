#include "net/call.h"

#include <arpa/inet.h>
#include <curl/curl.h>
#include <errno.h>
#include <netinet/in.h>
#include <signal.h>
#include <strings.h>

#include "base/cause.h"
#include "base/clock.h"
#include "base/incident.h"
#include "base/log.h"
#include "base/metrics.h"
#include "net/cpu_slots.h"
#include "net/url.h"
#include "net/venues.h"

enum {
    CONNECT_OWN_MS = 800, /* a node of the operator's that does not answer by then has a successor */
    CONNECT_AGENT_MS = 2500,
    PATIENCE_MS = 500,          /* a target that had less time than this is not blamed */
    HEADERS_MAX = 32 * 1024,    /* of one answer; libcurl itself would keep on storing them */
    UNIX_TIME_MIN = 1000000000, /* larger than any wait in seconds */
    DROPPED_MAX = 64 * 1024,    /* read and dropped to keep the connection; beyond that it is cut */
    EXTRA_HEADERS = 2,
};

/* One calls_run. */
struct run {
    size_t left;      /* calls that have not ended */
    int64_t end_ms;   /* monotonic; so is the next */
    int64_t hedge_ms; /* when hedges are started; INT64_MAX: they were */
};

/* A kept easy handle with the call that it carries now. What is the same for all calls is set once; `guard`,
 * `timeout_ms`, `method` and `plain` remember what the handle is set to, since each option set is work per
 * call. */
struct slot {
    CURL *easy;
    struct net *net;
    struct call *call;  /* NULL while free */
    struct slot *next;  /* among the free or the ended ones */
    struct slot *older; /* among all */
    struct run *run;    /* that it belongs to; NULL: handed out by net_wait */
    enum call_guard guard;
    unsigned timeout_ms;
    const char *method; /* NULL: libcurl's own */
    bool plain;         /* http without TLS */
    int64_t started_ms; /* monotonic */
    bool refused;       /* the guard turned an address down */
    bool too_large;
    bool cut; /* ended by us, with all of the answer that was wanted */
    size_t dropped;
    size_t header_bytes;
    struct curl_slist headers[CALL_MAX_HEADERS + EXTRA_HEADERS];
};

struct net {
    CURLM *multi;
    CURLSH *share; /* TLS sessions; connections and names are the multi handle's */
    char *user_agent;
    const char *ca_file;
    struct slot *all;
    struct slot *free;
    struct slot *ended;
    struct slot **ended_tail;
    unsigned running;
    struct cpu_slots *cpu_slots; /* given back while it waits; NULL: it needs none */
    call_hear *hear;             /* NULL: none */
    void *hear_arg;
};

void call_init(struct call *c, const char *url, size_t answer_max)
{
    *c = (struct call){
        .url = url,
        .body = BUF_INIT(MAX_UPSTREAM),
        .answer = BUF_INIT(answer_max),
        .retry_after_s = -1,
        .quota_left = -1,
        .quota_reset_s = -1,
    };
}

void call_free(struct call *c)
{
    buf_free(&c->body);
    buf_free(&c->answer);
    if (c->hedge != NULL)
        call_free(c->hedge);
}

/* ---- libcurl's callbacks ---- */

/* Plain http is for the loopback alone: under CALL_LOOPBACK a public address needs https like everywhere. */
static bool address_fine(const struct slot *s, const struct sockaddr *sa)
{
    if (s->guard == CALL_LOOPBACK && s->plain && url_addr_allowed(sa, CALL_PUBLIC))
        return false;
    return url_addr_allowed(sa, s->guard);
}

/* The one place through which every new connection goes, after the name was resolved. */
static curl_socket_t on_open_socket(void *arg, curlsocktype purpose, struct curl_sockaddr *a)
{
    struct slot *s = arg;

    (void)purpose;
    if (!address_fine(s, &a->addr)) {
        s->refused = true;
        return CURL_SOCKET_BAD;
    }
    return socket(a->family, a->socktype | SOCK_CLOEXEC, a->protocol);
}

/* libcurl itself sends a body again where a kept connection ends without an answer. Nodes may be asked twice;
 * for an agent's server that would be one more delivery, which would not be counted. */
static bool body_was_sent(const struct slot *s)
{
    long sent = 0; /* bytes, by all requests of the call */

    curl_easy_getinfo(s->easy, CURLINFO_REQUEST_SIZE, &sent);
    return s->call->body.len > 0 && sent > 0;
}

/* A kept connection does not pass on_open_socket again, and it may have been made under a weaker guard: the
 * operator's own node must not become reachable for agents by sharing its host name. */
static int on_before_request(void *arg, char *remote, char *local, int remote_port, int local_port)
{
    struct slot *s = arg;
    struct sockaddr_in v4 = { .sin_family = AF_INET };
    struct sockaddr_in6 v6 = { .sin6_family = AF_INET6 };
    bool fine = false;

    (void)local, (void)remote_port, (void)local_port;
    if (body_was_sent(s))
        return CURL_PREREQFUNC_ABORT;
    if (inet_pton(AF_INET, remote, &v4.sin_addr) == 1)
        fine = address_fine(s, (const struct sockaddr *)&v4);
    else if (inet_pton(AF_INET6, remote, &v6.sin6_addr) == 1)
        fine = address_fine(s, (const struct sockaddr *)&v6);
    if (fine)
        return CURL_PREREQFUNC_OK;
    s->refused = true;
    return CURL_PREREQFUNC_ABORT;
}

static size_t on_body(char *data, size_t one, size_t n, void *arg)
{
    struct slot *s = arg;
    struct buf *answer = &s->call->answer;
    size_t room = answer->max - answer->len;

    (void)one;
    if (n <= room) {
        buf_add(answer, data, n);
        return n;
    }
    s->too_large = !s->call->truncate_answer;
    if (s->too_large)
        return 0;
    buf_add(answer, data, room);
    s->dropped += n - room;
    s->cut = s->dropped > DROPPED_MAX;
    return s->cut ? 0 : n;
}

/* Seconds as they are, a date as its distance from now; -1 when it is neither. */
static int64_t parse_seconds(const char *value)
{
    int64_t seconds = 0;
    time_t date;

    if (*value < '0' || *value > '9') {
        date = curl_getdate(value, NULL);
        seconds = (int64_t)date - clock_seconds();
        return date == -1 ? -1 : seconds > 0 ? seconds : 0;
    }
    for (; *value >= '0' && *value <= '9' && seconds < INT32_MAX; value++)
        seconds = seconds * 10 + (*value - '0');
    return *value == '\0' || seconds >= INT32_MAX ? seconds : -1;
}

/* Some write the Unix time instead: its distance from now. */
static int64_t seconds_from_now(int64_t seconds)
{
    if (seconds < UNIX_TIME_MIN)
        return seconds;
    seconds -= clock_seconds();
    return seconds > 0 ? seconds : 0;
}

/* The place for the header's value, as a number or as it came; NULL: it is not wanted. */
struct wanted_header {
    const char *name;
    int64_t *number;
    char *text; /* CALL_NOTICE_MAX + 1 */
};

static const char *header_value(const struct wanted_header *w, const char *line, size_t *n)
{
    size_t name_len = strlen(w->name);

    if (*n <= name_len || strncasecmp(line, w->name, name_len) != 0)
        return NULL;
    for (line += name_len, *n -= name_len; *n > 0 && (*line == ' ' || *line == '\t'); (*n)--)
        line++;
    while (*n > 0 && strchr(" \t\r\n", line[*n - 1]) != NULL)
        (*n)--;
    return line;
}

static void header_keep(struct call *c, const struct wanted_header *w, const char *from, size_t n)
{
    char value[CALL_NOTICE_MAX + 1];

    if (n > CALL_NOTICE_MAX)
        return;
    memcpy(value, from, n);
    value[n] = '\0';
    if (w->text != NULL)
        memcpy(w->text, value, n + 1);
    else
        *w->number = parse_seconds(value);
    if (w->number == &c->quota_reset_s)
        *w->number = seconds_from_now(*w->number);
}

static void read_header(struct call *c, const char *line, size_t n)
{
    const struct wanted_header wanted[] = {
        { "retry-after:", &c->retry_after_s, NULL },
        { "ratelimit-remaining:", &c->quota_left, NULL },
        { "ratelimit-reset:", &c->quota_reset_s, NULL },
        { "x-ratelimit-remaining:", &c->quota_left, NULL },
        { "x-ratelimit-reset:", &c->quota_reset_s, NULL },
        { "deprecation:", NULL, c->deprecation },
        { "sunset:", NULL, c->sunset },
        { "date:", NULL, c->date },
    };

    for (size_t i = 0; i < sizeof wanted / sizeof wanted[0]; i++) {
        size_t len = n;
        const char *value = header_value(&wanted[i], line, &len);

        if (value != NULL) {
            header_keep(c, &wanted[i], value, len);
            return;
        }
    }
}

/* An interim answer's headers are not the next one's. */
static void headers_forget(struct call *c)
{
    c->retry_after_s = c->quota_left = c->quota_reset_s = -1;
    c->deprecation[0] = c->sunset[0] = c->date[0] = '\0';
}

static size_t on_header(char *line, size_t one, size_t n, void *arg)
{
    struct slot *s = arg;

    (void)one;
    s->header_bytes += n;
    s->too_large = s->header_bytes > HEADERS_MAX;
    if (s->too_large)
        return 0;
    if (n > 5 && memcmp(line, "HTTP/", 5) == 0)
        headers_forget(s->call);
    else
        read_header(s->call, line, n);
    return n;
}

/* ---- handles ---- */

static void curl_set_guard(struct slot *s, enum call_guard guard)
{
    bool own = guard == CALL_CONFIGURED;

    s->guard = guard;
    curl_easy_setopt(s->easy, CURLOPT_PROTOCOLS_STR, guard == CALL_PUBLIC ? "https" : "http,https");
    curl_easy_setopt(s->easy, CURLOPT_CONNECTTIMEOUT_MS, own ? (long)CONNECT_OWN_MS : (long)CONNECT_AGENT_MS);
    /* Answers of an agent's server are not worth a decompressor. */
    curl_easy_setopt(s->easy, CURLOPT_ACCEPT_ENCODING, own ? "" : NULL);
    curl_easy_setopt(s->easy, CURLOPT_PREREQFUNCTION, own ? NULL : on_before_request);
    curl_easy_setopt(s->easy, CURLOPT_PREREQDATA, s);
}

static void curl_set_defaults(struct slot *s)
{
    CURL *h = s->easy;

    curl_easy_setopt(h, CURLOPT_PRIVATE, s);
    curl_easy_setopt(h, CURLOPT_SHARE, s->net->share);
    curl_easy_setopt(h, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(h, CURLOPT_QUICK_EXIT, 1L); /* a hanging resolver must not hold up the other calls */
    curl_easy_setopt(h, CURLOPT_PROXY, "");
    curl_easy_setopt(h, CURLOPT_NOPROXY, "*");
    curl_easy_setopt(h, CURLOPT_FOLLOWLOCATION, 0L);
    curl_easy_setopt(h, CURLOPT_TCP_NODELAY, 1L);
    curl_easy_setopt(h, CURLOPT_HTTP_VERSION, CURL_HTTP_VERSION_1_1);
    curl_easy_setopt(h, CURLOPT_USERAGENT, s->net->user_agent);
    curl_easy_setopt(h, CURLOPT_OPENSOCKETFUNCTION, on_open_socket);
    curl_easy_setopt(h, CURLOPT_OPENSOCKETDATA, s);
    curl_easy_setopt(h, CURLOPT_WRITEFUNCTION, on_body);
    curl_easy_setopt(h, CURLOPT_WRITEDATA, s);
    curl_easy_setopt(h, CURLOPT_HEADERFUNCTION, on_header);
    curl_easy_setopt(h, CURLOPT_HEADERDATA, s);
    /* libcurl keeps the parsed certificates between connections only when there is no CA directory; reading
     * them again costs more than all the rest of a handshake. */
    curl_easy_setopt(h, CURLOPT_CAPATH, NULL);
    if (s->net->ca_file != NULL)
        curl_easy_setopt(h, CURLOPT_CAINFO, s->net->ca_file);
    curl_set_guard(s, CALL_PUBLIC);
}

static struct slot *call_slot_take(struct net *n)
{
    struct slot *s = n->free;

    if (s != NULL) {
        n->free = s->next;
        s->next = NULL;
        return s;
    }
    s = calloc(1, sizeof *s);
    if (s == NULL || (s->easy = curl_easy_init()) == NULL)
        log_fatal("out_of_memory", "out of memory: a handle for calls");
    s->net = n;
    s->older = n->all;
    n->all = s;
    curl_set_defaults(s);
    return s;
}

static void call_slot_release(struct slot *s)
{
    s->call->handle = NULL;
    s->call = NULL;
    s->run = NULL;
    s->next = s->net->free;
    s->net->free = s;
}

/* Without a body too: the length is said. */
static bool call_posts(const struct call *c)
{
    return c->body.len > 0 || (c->method != NULL && strcmp(c->method, "POST") == 0);
}

static bool names_content_type(const struct call *c)
{
    for (size_t i = 0; i < CALL_MAX_HEADERS && c->headers[i] != NULL; i++)
        if (strncasecmp(c->headers[i], "content-type:", 13) == 0)
            return true;
    return false;
}

/* libcurl only reads the list while the call runs, so it can point to the caller's own texts. */
static void curl_set_headers(struct slot *s)
{
    static char no_expect[] =
        "Expect:"; /* libcurl would wait a second for "100 Continue" with a large body */
    static char json[] = "Content-Type: application/json";
    const struct call *c = s->call;
    size_t n = 0;

    for (; n < CALL_MAX_HEADERS && c->headers[n] != NULL; n++)
        s->headers[n].data = (char *)(uintptr_t)c->headers[n];
    if (call_posts(c) && !names_content_type(c))
        s->headers[n++].data = json;
    if (call_posts(c))
        s->headers[n++].data = no_expect;
    for (size_t i = 0; i < n; i++)
        s->headers[i].next = i + 1 < n ? &s->headers[i + 1] : NULL;
    curl_easy_setopt(s->easy, CURLOPT_HTTPHEADER, n > 0 ? s->headers : NULL);
}

static void curl_set_body(struct slot *s)
{
    const struct call *c = s->call;

    if (s->method != c->method)
        curl_easy_setopt(s->easy, CURLOPT_CUSTOMREQUEST, c->method);
    s->method = c->method;
    if (!call_posts(c)) {
        curl_easy_setopt(s->easy, CURLOPT_HTTPGET, 1L);
        return;
    }
    curl_easy_setopt(s->easy, CURLOPT_POST, 1L);
    curl_easy_setopt(s->easy, CURLOPT_POSTFIELDSIZE, (long)c->body.len);
    curl_easy_setopt(s->easy, CURLOPT_POSTFIELDS, buf_text(&c->body)); /* in one packet with the headers */
}

static bool curl_set_call(struct slot *s)
{
    const struct call *c = s->call;

    s->plain = strncasecmp(c->url, "http:", 5) == 0;
    if (s->guard != c->guard)
        curl_set_guard(s, c->guard);
    if (s->timeout_ms != c->timeout_ms)
        curl_easy_setopt(s->easy, CURLOPT_TIMEOUT_MS, (long)c->timeout_ms);
    s->timeout_ms = c->timeout_ms;
    curl_set_headers(s);
    curl_set_body(s);
    return curl_easy_setopt(s->easy, CURLOPT_URL, c->url) == CURLE_OK;
}

/* ---- ends of a call ---- */

static void fault_set_timeout(struct call *c)
{
    unsigned tenths = (c->took_ms + 50) / 100;

    c->result = CALL_TIMEOUT;
    if (tenths % 10 == 0)
        snprintf(c->why, sizeof c->why, "timed out after %u s", tenths / 10);
    else
        snprintf(c->why, sizeof c->why, "timed out after %u.%u s", tenths / 10, tenths % 10);
}

static void fault_set(struct call *c, enum call_result result, const char *why)
{
    c->result = result;
    snprintf(c->why, sizeof c->why, "%s", why);
}

/* Our own words: libcurl's detailed message names addresses. */
static const char *fault_text(CURLcode code)
{
    switch (code) {
    case CURLE_URL_MALFORMAT:
        return "malformed URL";
    case CURLE_COULDNT_RESOLVE_HOST:
        return CALL_WHY_NAME;
    case CURLE_COULDNT_CONNECT:
        return "could not connect";
    case CURLE_SSL_CONNECT_ERROR:
        return "TLS handshake failed";
    case CURLE_PEER_FAILED_VERIFICATION:
        return "TLS certificate not trusted";
    case CURLE_GOT_NOTHING:
        return "empty answer";
    case CURLE_ABORTED_BY_CALLBACK: /* a kept one ended; what was on its way may have arrived */
    case CURLE_SEND_ERROR:
    case CURLE_RECV_ERROR:
    case CURLE_PARTIAL_FILE:
        return "connection broken";
    default:
        return curl_easy_strerror(code);
    }
}

/* OpenSSL's X509_V_ERR_CERT_HAS_EXPIRED; and libcurl's value between the handshake, which has verified the
 * chain, and the end of its own look at the certificate, which begins with the name. */
enum { CERTIFICATE_EXPIRED = 10, CERTIFICATE_CHAIN_GOOD = 1 };

enum { HTTP_SUCCESS = 200 };

unsigned call_cause(enum call_result result, enum call_fault fault, int status)
{
    static const unsigned causes[] = {
        [FAULT_OTHER] = CAUSE_BROKEN,
        [FAULT_NAME] = CAUSE_HOST,
        [FAULT_CONNECTION_REFUSED] = CAUSE_REFUSED,
        [FAULT_TLS] = CAUSE_TLS,
        [FAULT_TLS_UNTRUSTED] = CAUSE_TLS_UNTRUSTED,
        [FAULT_TLS_EXPIRED] = CAUSE_TLS_EXPIRED,
        [FAULT_TLS_NAME] = CAUSE_TLS_NAME,
        [FAULT_TOO_LARGE] = CAUSE_BROKEN,
    };

    if (result == CALL_FAILED)
        return causes[fault];
    if (result != CALL_ANSWERED)
        return CAUSE_NO_ANSWER;
    return status > HTTP_SUCCESS ? (unsigned)status : CAUSE_ANSWERED;
}

static enum call_fault fault_of(CURL *easy, CURLcode code)
{
    long os = 0, verified = 0;

    curl_easy_getinfo(easy, CURLINFO_OS_ERRNO, &os);
    curl_easy_getinfo(easy, CURLINFO_SSL_VERIFYRESULT, &verified);
    switch (code) {
    case CURLE_COULDNT_RESOLVE_HOST:
        return FAULT_NAME;
    case CURLE_COULDNT_CONNECT:
        return os == ECONNREFUSED ? FAULT_CONNECTION_REFUSED : FAULT_OTHER;
    case CURLE_SSL_CONNECT_ERROR:
        return FAULT_TLS;
    case CURLE_PEER_FAILED_VERIFICATION:
        return verified == CERTIFICATE_EXPIRED      ? FAULT_TLS_EXPIRED
               : verified == CERTIFICATE_CHAIN_GOOD ? FAULT_TLS_NAME
                                                    : FAULT_TLS_UNTRUSTED;
    default:
        return FAULT_OTHER;
    }
}

/* A call that was given up early shows nothing about its target, unless it had enough time. */
static bool call_tells(const struct call *c)
{
    return c->target != NULL && (c->result != CALL_TIMEOUT || c->took_ms >= PATIENCE_MS);
}

static void call_log(const struct call *c, bool answered)
{
    const char *name = c->target->name;

    if (name == NULL)
        return;
    if (answered)
        log_incident_over("node_no_answer", name);
    else
        log_incident("node_no_answer", name, "msg=\"a node does not answer\" status=%d why=\"%s\"", c->status,
                     c->why);
}

static void call_count(const struct call *c, bool failed)
{
    static metric_scale as_one = { 0 };
    const struct target *t = c->target;

    if (t == NULL || t->node == NULL)
        return;
    metric_observe(METRIC("rpc_milliseconds", t->chain, t->node), as_one, c->took_ms);
    if (failed)
        metric_add(METRIC("rpc_errors_total", t->chain, t->node), 1);
}

static void call_report(const struct call *c)
{
    bool answered = c->result == CALL_ANSWERED && c->status < 500;

    if (!call_tells(c))
        return;
    if (c->target->breaker != NULL)
        breaker_tell(c->target->breaker, answered, clock_mono_ms());
    call_log(c, answered);
    call_count(c, !answered || c->status == 429);
}

static void call_read_result(struct slot *s, CURLcode code)
{
    struct call *c = s->call;
    long status = 0;

    c->took_ms = (unsigned)(clock_mono_ms() - s->started_ms);
    curl_easy_getinfo(s->easy, CURLINFO_RESPONSE_CODE, &status);
    if ((code == CURLE_OK || s->cut) && status > 0) {
        c->status = (int)status;
        c->result = CALL_ANSWERED;
    } else if (s->too_large) {
        fault_set(c, CALL_FAILED, "answer too large");
        c->fault = FAULT_TOO_LARGE;
    } else if (code == CURLE_OPERATION_TIMEDOUT) {
        fault_set_timeout(c);
    } else if (s->refused) {
        fault_set(c, CALL_REFUSED, CALL_WHY_ADDRESS);
    } else if (code == CURLE_UNSUPPORTED_PROTOCOL) {
        fault_set(c, CALL_REFUSED, "scheme not allowed");
    } else {
        fault_set(c, CALL_FAILED, fault_text(code));
        c->fault = fault_of(s->easy, code);
    }
    call_report(c);
    venue_hear(c);
    if (s->net->hear != NULL)
        s->net->hear(s->net->hear_arg, c);
}

static void call_start(struct net *n, struct call *c, struct run *run);

static bool has_next_url(const struct call *c)
{
    for (const struct target *t = c->more; t != NULL && t->url != NULL; t++)
        if (t->breaker == NULL || breaker_would_admit(t->breaker, clock_mono_ms()))
            return true;
    return false;
}

static bool body_is_prepared(struct call *c)
{
    return c->prepare == NULL || c->prepare(c);
}

static bool call_ask_again(struct call *c)
{
    bool again = c->again;

    c->again = false;
    return again && body_is_prepared(c);
}

/* To the next of its URLs that is not left alone; false: there is none. */
static bool call_retry(struct call *c)
{
    while (c->more != NULL && c->more->url != NULL) {
        const struct target *t = c->more++;

        if (t->breaker != NULL && !breaker_admits(t->breaker, clock_mono_ms()))
            continue;
        c->url = t->url;
        c->target = t;
        if (body_is_prepared(c))
            return true;
    }
    return false;
}

static bool answer_is_usable(struct call *c)
{
    if (c->result != CALL_ANSWERED)
        return false;
    return c->usable != NULL ? c->usable(c) : c->status < 500 && c->status != 429;
}

/* One silent address must not use up the time of the next. */
static void run_start_waiting(struct net *n, struct call *c, struct run *run)
{
    int64_t rest = run->end_ms - clock_mono_ms();

    if (c->more != NULL)
        c->timeout_ms = has_next_url(c) && rest > 0 ? (unsigned)(rest / 2 + 1) : 0;
    call_start(n, c, run);
}

static void run_leave(struct call *c, struct run *run)
{
    run->left--;
    if (c->bulkhead != NULL)
        bulkhead_give_lane(c->bulkhead, c->lane);
}

/* The call is over for good, and may have brought what the run was for. */
static void run_hear(struct call *c, struct run *run)
{
    int64_t end_ms = c->over == NULL ? run->end_ms : clock_mono_ms() + c->over(c);

    if (end_ms < run->end_ms)
        run->end_ms = end_ms;
}

static bool is_under_way(const struct call *c)
{
    return c != NULL && c->handle != NULL;
}

/* Ends a call whose caller has a usable answer, or no more time. */
static void call_withdraw(struct net *n, struct call *c)
{
    struct slot *s = c->handle;

    curl_multi_remove_handle(n->multi, s->easy);
    c->took_ms = (unsigned)(clock_mono_ms() - s->started_ms);
    fault_set_timeout(c);
    n->running--;
    call_slot_release(s);
}

/* Makes the hedge's answer the call's own. */
static void call_take_over(struct call *c, struct call *hedge)
{
    struct buf answer = c->answer;

    c->answer = hedge->answer;
    hedge->answer = answer;
    c->result = hedge->result;
    c->status = hedge->status;
    c->url = hedge->url;
    c->why[0] = '\0';
}

static void run_ended(struct net *n, struct call *c, struct run *run)
{
    bool usable = answer_is_usable(c);

    if (!usable && clock_mono_ms() < run->end_ms && (call_ask_again(c) || call_retry(c))) {
        run_start_waiting(n, c, run);
        return;
    }
    if (!usable && c->usable != NULL && c->result == CALL_ANSWERED)
        fault_set(c, CALL_FAILED, "no usable answer");
    /* One of the two, or the only one, is over: the end of both, unless the other may still succeed. */
    struct call *first = c->beside != NULL ? c->beside : c;
    struct call *other = c == first ? c->hedge : first;

    if (is_under_way(other)) {
        if (!usable)
            return;
        call_withdraw(n, other);
        call_count(other, false);
    }
    if (usable && c != first)
        call_take_over(first, c);
    run_leave(first, run);
    run_hear(first, run);
}

static bool has_first_url(struct call *c)
{
    return c->url != NULL ? body_is_prepared(c) : call_retry(c);
}

static void run_hedge(struct net *n, struct call *c, struct run *run)
{
    struct call *hedge = c->hedge;

    if (hedge == NULL || !is_under_way(c))
        return;
    hedge->beside = c;
    if (has_first_url(hedge))
        run_start_waiting(n, hedge, run);
}

static void run_begin(struct net *n, struct call *c, struct run *run)
{
    bool let_in = c->bulkhead == NULL || bulkhead_take_lane(c->bulkhead, c->lane);

    if (let_in && has_first_url(c)) {
        run_start_waiting(n, c, run);
        return;
    }
    fault_set(c, CALL_HELD, let_in ? "left alone after failures" : "too many wait for it already");
    if (let_in)
        run_leave(c, run);
    else
        run->left--;
    run_hear(c, run);
}

/* The call is out of libcurl's hands: back to calls_run, or into the queue of net_wait. */
static void call_finish(struct slot *s)
{
    struct net *n = s->net;
    struct call *c = s->call;
    struct run *run = s->run;

    n->running--;
    if (run != NULL) {
        call_slot_release(s);
        run_ended(n, c, run);
        return;
    }
    s->next = NULL;
    *n->ended_tail = s;
    n->ended_tail = &s->next;
}

static void calls_collect(struct net *n)
{
    CURLMsg *m;
    int more;

    while ((m = curl_multi_info_read(n->multi, &more)) != NULL) {
        CURLcode code = m->data.result;
        char *slot = NULL;

        if (m->msg != CURLMSG_DONE)
            continue;
        curl_easy_getinfo(m->easy_handle, CURLINFO_PRIVATE, &slot);
        call_read_result((struct slot *)(void *)slot, code);
        curl_multi_remove_handle(n->multi, m->easy_handle); /* after call_read_result: m dies here */
        call_finish((struct slot *)(void *)slot);
    }
}

static void curl_perform(struct net *n)
{
    int still;
    CURLMcode code = curl_multi_perform(n->multi, &still);

    if (code != CURLM_OK)
        log_fatal("program_broken", "calls: %s", curl_multi_strerror(code));
    calls_collect(n);
}

/* Sends and receives what can be, waiting at most this long for the first thing to happen. */
static void calls_advance(struct net *n, int64_t timeout_ms)
{
    unsigned before = n->running;

    curl_perform(n);
    if (n->running != before || timeout_ms <= 0)
        return;
    cpu_slot_give(n->cpu_slots);
    curl_multi_poll(n->multi, NULL, 0, timeout_ms < INT32_MAX ? (int)timeout_ms : INT32_MAX, NULL);
    cpu_slot_take(n->cpu_slots);
    curl_perform(n);
}

/* ---- the interface ---- */

struct net *net_new(const char *user_agent, unsigned max_connections)
{
    struct net *n = calloc(1, sizeof *n);
    struct sigaction pipe_now;

    /* NOSIGNAL leaves this to the program: a receiver that hangs up must not end us. */
    if (sigaction(SIGPIPE, NULL, &pipe_now) == 0 && pipe_now.sa_handler == SIG_DFL)
        signal(SIGPIPE, SIG_IGN);
    if (n == NULL || curl_global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK)
        log_fatal("start_failed", "cannot start libcurl");
    n->multi = curl_multi_init();
    n->share = curl_share_init();
    n->user_agent = strdup(user_agent);
    n->ended_tail = &n->ended;
    n->ca_file = getenv("SSL_CERT_FILE"); /* OpenSSL's own variable, which libcurl passes over */
    if (n->multi == NULL || n->share == NULL || n->user_agent == NULL)
        log_fatal("start_failed", "cannot start libcurl");
    curl_share_setopt(n->share, CURLSHOPT_SHARE, CURL_LOCK_DATA_SSL_SESSION);
    curl_multi_setopt(n->multi, CURLMOPT_MAXCONNECTS, (long)max_connections);
    return n;
}

void net_take_cpu_slots(struct net *n, struct cpu_slots *cpu_slots)
{
    n->cpu_slots = cpu_slots;
}

void net_hear(struct net *n, call_hear *hear, void *arg)
{
    n->hear = hear;
    n->hear_arg = arg;
}

void net_free(struct net *n)
{
    struct slot *s;

    if (n == NULL)
        return;
    while ((s = n->all) != NULL) {
        n->all = s->older;
        if (s->call != NULL) {
            curl_multi_remove_handle(n->multi, s->easy);
            s->call->handle = NULL;
        }
        curl_easy_cleanup(s->easy);
        free(s);
    }
    curl_multi_cleanup(n->multi);
    curl_share_cleanup(n->share);
    free(n->user_agent);
    free(n);
    curl_global_cleanup();
}

static void call_start(struct net *n, struct call *c, struct run *run)
{
    struct slot *s = call_slot_take(n);

    buf_reset(&c->answer);
    c->result = CALL_PENDING;
    c->fault = FAULT_OTHER;
    c->status = 0;
    headers_forget(c);
    c->why[0] = '\0';
    c->handle = s;
    s->call = c;
    s->run = run;
    s->started_ms = clock_mono_ms();
    s->refused = s->too_large = s->cut = false;
    s->dropped = s->header_bytes = 0;
    n->running++;
    if (!curl_set_call(s) || curl_multi_add_handle(n->multi, s->easy) != CURLM_OK) {
        fault_set(c, CALL_FAILED, "could not be started");
        call_finish(s);
    }
}

void net_start(struct net *n, struct call *c)
{
    call_start(n, c, NULL);
}

static struct call *ended_pop(struct net *n)
{
    struct slot *s = n->ended;
    struct call *c;

    if (s == NULL)
        return NULL;
    n->ended = s->next;
    if (n->ended == NULL)
        n->ended_tail = &n->ended;
    c = s->call;
    call_slot_release(s);
    return c;
}

struct call *net_wait(struct net *n, unsigned timeout_ms)
{
    int64_t end = clock_mono_ms() + timeout_ms;
    struct call *c = ended_pop(n);

    while (c == NULL && n->running > 0) {
        int64_t rest = end - clock_mono_ms();

        calls_advance(n, rest);
        c = ended_pop(n);
        if (rest <= 0)
            break;
    }
    return c;
}

static void call_unqueue(struct net *n, struct slot *s)
{
    struct slot **at = &n->ended;

    while (*at != NULL && *at != s)
        at = &(*at)->next;
    if (*at == NULL)
        return;
    *at = s->next;
    if (n->ended_tail == &s->next)
        n->ended_tail = at;
}

void net_cancel(struct net *n, struct call *c)
{
    struct slot *s = c->handle;

    if (s == NULL)
        return;
    if (c->result != CALL_PENDING) { /* had ended, but was not waited for */
        call_unqueue(n, s);
        call_slot_release(s);
        return;
    }
    call_withdraw(n, c);
    call_report(c);
}

unsigned net_running(const struct net *n)
{
    return n->running;
}

/* Only a row without its mark (api/endpoint/endpoint.h) comes here. */
static void calls_refuse(struct call *calls, size_t count)
{
    log_error("wait_refused", "msg=\"a call to a third party where nothing may wait\"");
#ifdef FAULTS
    log_fatal("program_broken", "msg=\"the row is not marked as one that waits\"");
#endif
    for (size_t i = 0; i < count; i++)
        fault_set(&calls[i], CALL_FAILED, "not from this worker");
}

static void run_hedges(struct net *n, struct call *calls, size_t count, struct run *run)
{
    run->hedge_ms = INT64_MAX;
    for (size_t i = 0; i < count; i++)
        run_hedge(n, &calls[i], run);
}

/* Until the next thing is due: the hedges, or the end. */
static int64_t run_rest(const struct run *run, int64_t now_ms)
{
    return (run->hedge_ms < run->end_ms ? run->hedge_ms : run->end_ms) - now_ms;
}

static void run_wait(struct net *n, struct call *calls, size_t count, struct run *run)
{
    int64_t now;

    while (run->left > 0 && (now = clock_mono_ms()) < run->end_ms) {
        if (now >= run->hedge_ms)
            run_hedges(n, calls, count, run);
        else
            calls_advance(n, run_rest(run, now));
    }
}

/* The deadline. */
static void run_cut(struct net *n, struct call *c, struct run *run)
{
    struct call *both[] = { c, c->hedge };
    bool cut = false;

    for (size_t i = 0; i < 2; i++) {
        if (!is_under_way(both[i]))
            continue;
        net_cancel(n, both[i]);
        cut = true;
    }
    if (cut)
        run_leave(c, run);
}

size_t calls_run(struct net *n, struct call *calls, size_t count, unsigned deadline_ms)
{
    int64_t begun = clock_mono_ms();
    struct run run = { count, begun + deadline_ms, begun + CALL_HEDGE_MS };
    size_t answered = 0;

    if (n == NULL) {
        calls_refuse(calls, count);
        return 0;
    }
    for (size_t i = 0; i < count; i++)
        run_begin(n, &calls[i], &run);
    run_wait(n, calls, count, &run);
    for (size_t i = 0; i < count; i++) {
        run_cut(n, &calls[i], &run);
        answered += calls[i].result == CALL_ANSWERED;
    }
    return answered;
}
