/* The headers that are read byte by byte: Authorization, Idempotency-Key, Content-Type, X-Forwarded-For and
 * the lists of proxies that it is held against, Origin and Host and the list of origins, Accept-Encoding. */
#include "api/admission/idempotency.c" /* for the key's parser */
#include "api/admission/origins.h"
#include "base/ip_address.h"
#include "fuzz.h"
#include "http/accept.h"
#include "http/io_mem.h"
#include "model/api_key.h"
#include "service/conf.h"
#include "service/ctx.h"

static void check_key(struct arena *a, const char *text)
{
    const char *key = key_parse(a, text);
    size_t n = key == NULL ? 1 : strlen(key);

    MUST(n >= 1 && n <= KEY_MAX);
    for (; key != NULL && *key != '\0'; key++)
        MUST(*key >= ' ' && *key <= '~');
}

static void check_bearer(struct arena *a, const char *text)
{
    const char *params[] = { arena_printf(a, "HTTP_AUTHORIZATION=%s", text),
                             arena_printf(a, "CONTENT_TYPE=%s", text), NULL };
    struct request rq = { .arena = a };
    struct io_mem io;
    const char *key;

    io_mem_init(&io, params, NULL, 0);
    rq.io = &io.io;
    key = request_bearer(&rq);
    if (key != NULL && api_key_has_form(key))
        MUST(strlen(key) >= 32 && strncmp(key, "svc_sk_", 7) == 0 && strpbrk(key, " ,\t\"'\n") == NULL);
    (void)request_is_json(&rq);
    io_mem_free(&io);
}

/* The client is an address that the header names, or the proxy itself; never one of the proxies while the
 * header has others. */
static void check_forwarded(const char *text)
{
    static const char trusted[] = "10.0.0.0/8, 2001:db8::/32, 192.0.2.1";
    struct ip_address proxy, other, client;

    MUST(ip_address_parse(&proxy, "10.1.2.3") && ip_address_parse(&other, "198.51.100.1"));
    client = ip_address_client("198.51.100.1", text, trusted);
    MUST(memcmp(&client, &other, sizeof client) == 0);
    client = ip_address_client("10.1.2.3:999", text, "");
    MUST(memcmp(&client, &proxy, sizeof client) == 0);
    (void)ip_address_counted(ip_address_client("10.1.2.3", text, trusted));
    (void)ip_address_in_list(proxy, text);
    (void)ip_address_list_ok(text);
    if (ip_address_parse(&client, text) && strpbrk(text, "[:") == NULL)
        MUST(ip_address_in_list(client, text));
}

static bool allowed(struct arena *a, const char *origin, const char *host, const char *list)
{
    struct conf conf = { .base_url = "https://gateway.test/sub", .allowed_origins = list };
    struct ctx ctx = { .conf = &conf };
    const char *params[] = { arena_printf(a, "HTTP_ORIGIN=%s", origin), arena_printf(a, "HTTP_HOST=%s", host),
                             NULL };
    struct request rq = { .arena = a };
    struct api_call c = api_call_of(&ctx, &rq);
    struct io_mem io;
    bool ok;

    io_mem_init(&io, params, NULL, 0);
    rq.io = &io.io;
    ok = origins_allow(&c);
    io_mem_free(&io);
    return ok;
}

/* A page is ours, on this machine, or listed; a page that names itself in the list is. */
static void check_origin(struct arena *a, const char *text)
{
    bool ours = strcasecmp(text, "https://gateway.test") == 0, local = strstr(text, "://") != NULL;

    MUST(!allowed(a, text, "gateway.test", "") || *text == '\0' || ours || local);
    MUST(allowed(a, "https://gateway.test", "gateway.test", text));
    (void)allowed(a, "https://page.test", text, text);
    if (*text != '\0' && strpbrk(text, ", ") == NULL)
        MUST(allowed(a, text, "gateway.test", text));
}

/* What the list does not name is as it was; what comes first and is refused stays so. */
static void check_encodings(struct arena *a, const char *text)
{
    static const char *const gzip[] = { "*", "gzip" }, *const absent[] = { "\n" };

    (void)accepts(text, gzip, 2, false);
    MUST(!accepts(arena_printf(a, "gzip;q=0,%s", text), gzip, 2, true));
    MUST(strchr(text, '\n') != NULL || (accepts(text, absent, 1, true) && !accepts(text, absent, 1, false)));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct arena *a = arena_new();
    const char *text = arena_strndup(a, (const char *)data, size);

    check_key(a, text);
    check_bearer(a, text);
    check_forwarded(text);
    check_origin(a, text);
    check_encodings(a, text);
    arena_free(a);
    return 0;
}
