#include "contrib/cli/client.h"

#include <curl/curl.h>
#include <string.h>
#include <time.h>

#include "base/buf.h"
#include "base/clock.h"
#include "base/program.h"
#include "contrib/cli/progress.h"

#define API "/v1/agent"

enum { ANSWER_MAX = 64 * 1024 * 1024, ATTEMPT_MS = 45 * 1000, CONNECT_MS = 10 * 1000, PAUSE_MAX_S = 16 };

static size_t take(char *bytes, size_t size, size_t n, void *to)
{
    struct buf *out = to;

    buf_add(out, bytes, size * n);
    return out->overflow ? 0 : size * n;
}

_Noreturn static void out_of_memory(void)
{
    fputs("gw: out of memory\n", stderr);
    exit(EXIT_FAILURE);
}

static struct curl_slist *header(struct curl_slist *list, const char *line)
{
    struct curl_slist *longer = curl_slist_append(list, line);

    if (longer == NULL)
        out_of_memory();
    return longer;
}

static struct curl_slist *headers(const struct client *c, const struct request *rq)
{
    struct curl_slist *list = header(NULL, "Accept: application/json");

    if (rq->body != NULL)
        list = header(list, "Content-Type: application/json");
    if (!c->full)
        list = header(list, "Prefer: return=minimal");
    if (rq->call->once)
        list = header(list, arena_printf(c->arena, "Idempotency-Key: %s", c->idempotency_key));
    if (rq->call->keyed) {
        char line[sizeof "Authorization: Bearer " + KEY_MAX];

        (void)snprintf(line, sizeof line, "Authorization: Bearer %s", c->key);
        list = header(list, line);
        explicit_bzero(line, sizeof line);
    }
    return list;
}

static void json_free(void *json)
{
    json_decref(json);
}

/* NULL: the text is no object. */
static const json_t *object_of(struct arena *a, const char *text)
{
    json_t *json = json_loads(text, JSON_REJECT_DUPLICATES, NULL);

    if (json != NULL)
        arena_defer(a, json_free, json);
    return json_is_object(json) ? json : NULL;
}

static void prepare(CURL *curl, const struct client *c, const struct request *rq, struct curl_slist *list)
{
    curl_easy_setopt(curl, CURLOPT_URL, arena_printf(c->arena, "%s" API "%s", c->settings->url, rq->path));
    curl_easy_setopt(curl, CURLOPT_PROTOCOLS_STR, "http,https");
    curl_easy_setopt(curl, CURLOPT_HTTPHEADER, list);
    curl_easy_setopt(curl, CURLOPT_USERAGENT, "gw/" GATEWAY_VERSION);
    curl_easy_setopt(curl, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(curl, CURLOPT_ACCEPT_ENCODING, "");
    curl_easy_setopt(curl, CURLOPT_CONNECTTIMEOUT_MS, (long)CONNECT_MS);
    curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, take);
    if (c->settings->loopback)
        curl_easy_setopt(curl, CURLOPT_PROXY, "");
    if (strcmp(rq->call->method, "GET") != 0)
        curl_easy_setopt(curl, CURLOPT_CUSTOMREQUEST, rq->call->method);
    if (rq->body != NULL)
        curl_easy_setopt(curl, CURLOPT_POSTFIELDS, rq->body);
}

/* One attempt; the code of curl. */
static CURLcode attempt(CURL *curl, const struct client *c, int64_t left_ms, struct answer *out,
                        curl_off_t *retry_after)
{
    struct buf body = BUF_INIT(ANSWER_MAX);
    CURLcode code;

    curl_easy_setopt(curl, CURLOPT_WRITEDATA, &body);
    curl_easy_setopt(curl, CURLOPT_TIMEOUT_MS, (long)(left_ms < ATTEMPT_MS ? left_ms : ATTEMPT_MS));
    *out = (struct answer){ .status = 0 };
    code = curl_easy_perform(curl);
    if (code == CURLE_OK) {
        curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, &out->status);
        curl_easy_getinfo(curl, CURLINFO_RETRY_AFTER, retry_after);
        out->text = arena_strdup(c->arena, buf_text(&body));
        out->json = object_of(c->arena, out->text);
    }
    buf_free(&body);
    return code;
}

static bool never_sent(CURLcode code)
{
    return code == CURLE_COULDNT_CONNECT || code == CURLE_COULDNT_RESOLVE_HOST ||
           code == CURLE_COULDNT_RESOLVE_PROXY || code == CURLE_PEER_FAILED_VERIFICATION ||
           code == CURLE_SSL_CONNECT_ERROR;
}

/* An answer that does not say whether the call was carried out. */
static bool is_failure(long status)
{
    return status == 500 || status == 502 || status == 504;
}

/* Whether the answer settles what became of the call: a refusal does, since what was done before under the
 * same key would be answered as done. */
static bool is_definite(const struct answer *got)
{
    return got->json != NULL && got->status < 500 && got->status != 409 && got->status != 429;
}

/* Whether the same call may be made again. */
static bool repeatable(const struct request *rq, CURLcode code, const struct answer *got)
{
    bool harmless = rq->call->once || strcmp(rq->call->method, "GET") == 0;
    const char *word = json_string_value(json_object_get(got->json, "error_code"));

    if (code == CURLE_PEER_FAILED_VERIFICATION || code == CURLE_SSL_CONNECT_ERROR ||
        code == CURLE_WRITE_ERROR)
        return false;
    if (code != CURLE_OK)
        return harmless || never_sent(code);
    if (got->status == 429 || got->status == 503)
        return true;
    if (got->status == 409)
        return word != NULL && strcmp(word, "REQUEST_IN_PROGRESS") == 0;
    return harmless && is_failure(got->status);
}

static void sleep_ms(int64_t ms)
{
    struct timespec t = { .tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000 };

    (void)nanosleep(&t, NULL);
}

bool client_send(const struct client *c, const struct request *rq, struct answer *out)
{
    int64_t deadline = clock_mono_ms() + c->patience_ms, pause_s = 1;
    struct curl_slist *list = headers(c, rq);
    CURL *curl = curl_easy_init();
    CURLcode code;

    if (curl == NULL)
        out_of_memory();
    prepare(curl, c, rq, list);
    for (bool lost = false;;) {
        curl_off_t retry_after = 0;
        int64_t left = deadline - clock_mono_ms(), wait;

        code = attempt(curl, c, left > 0 ? left : 1, out, &retry_after);
        lost = lost || (code != CURLE_OK && !never_sent(code)) || is_failure(out->status);
        out->lost = lost && !is_definite(out);
        if (!repeatable(rq, code, out))
            break;
        wait = retry_after > 0 ? retry_after : pause_s;
        if (clock_mono_ms() + wait * 1000 >= deadline)
            break;
        progress_show(code == CURLE_OK ? "the gateway is busy (%ld); again in %lld s"
                                       : "no answer (%ld); again in %lld s",
                      code == CURLE_OK ? out->status : (long)code, (long long)wait);
        sleep_ms(wait * 1000);
        pause_s = pause_s < PAUSE_MAX_S ? pause_s * 2 : PAUSE_MAX_S;
    }
    progress_end();
    if (code != CURLE_OK)
        out->problem = arena_printf(c->arena, "%s: %s", c->settings->url, curl_easy_strerror(code));
    else if (out->json == NULL && out->status != 204)
        out->problem = arena_printf(c->arena, "%s: status %ld without an answer of the API", c->settings->url,
                                    out->status);
    curl_easy_cleanup(curl);
    for (struct curl_slist *each = list; each != NULL; each = each->next)
        explicit_bzero(each->data, strlen(each->data));
    curl_slist_free_all(list);
    return out->problem == NULL;
}
