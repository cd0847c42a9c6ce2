/* Callback URLs: no input may break the check, and none that it lets pass may name a private address. */
#include <arpa/inet.h>
#include <curl/curl.h>
#include <stdint.h>

#include "net/url.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* What libcurl would connect to when the host is a literal. */
static bool literal_is_private(const char *host)
{
    struct sockaddr_in v4 = { .sin_family = AF_INET };
    struct sockaddr_in6 v6 = { .sin6_family = AF_INET6 };
    char inner[INET6_ADDRSTRLEN] = "";

    if (inet_aton(host, &v4.sin_addr) != 0)
        return !url_addr_allowed((const struct sockaddr *)&v4, CALL_PUBLIC);
    if (host[0] == '[' && strlen(host) - 2 < sizeof inner)
        memcpy(inner, host + 1, strlen(host) - 2);
    if (inet_pton(AF_INET6, inner, &v6.sin6_addr) == 1)
        return !url_addr_allowed((const struct sockaddr *)&v6, CALL_PUBLIC);
    return false;
}

static void check_passed(const char *url)
{
    CURLU *u = curl_url();
    char *host = NULL, *scheme = NULL, *user = NULL;

    if (curl_url_set(u, CURLUPART_URL, url, 0) != CURLUE_OK ||
        curl_url_get(u, CURLUPART_HOST, &host, 0) != CURLUE_OK ||
        curl_url_get(u, CURLUPART_SCHEME, &scheme, 0) != CURLUE_OK || strcmp(scheme, "https") != 0 ||
        curl_url_get(u, CURLUPART_USER, &user, 0) == CURLUE_OK || literal_is_private(host))
        abort();
    curl_free(host);
    curl_free(scheme);
    curl_free(user);
    curl_url_cleanup(u);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *url = malloc(size + 1);

    memcpy(url, data, size);
    url[size] = '\0';
    (void)url_callback_fault(url, CALL_LOOPBACK);
    if (url_callback_fault(url, CALL_PUBLIC) == NULL)
        check_passed(url);
    free(url);
    return 0;
}
