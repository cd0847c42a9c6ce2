/* The ideal drain: the least work with which due webhooks can be sent, as the mark that webhook-drain is
 * measured by. It has no fairness, no retries and checks nothing but that all were delivered.
 *
 *   ideal_drain DB_SOCKET SCHEMA TOTAL
 *
 * Until TOTAL are delivered: claims 100 of the table outbox, signs each with HMAC-SHA256, posts them all at
 * once over kept connections, marks them. */
#include <curl/curl.h>
#include <sodium.h>
#include <string.h>

#include "ideal_job.h"

enum { HEADER_MAX = 128 };

static CURLM *multi;
static CURL *calls[WIDTH];
static struct curl_slist *headers[WIDTH];
static char ids[SQL_MAX / 2];
static long delivered;

static size_t ignore(char *p, size_t size, size_t n, void *to)
{
    (void)p;
    (void)to;
    return size * n;
}

static void set_call(int i, const char *url, const char *body, size_t len)
{
    static const unsigned char key[crypto_auth_hmacsha256_KEYBYTES] = { 1 };
    unsigned char mac[crypto_auth_hmacsha256_BYTES];
    char hex[2 * sizeof mac + 1], header[HEADER_MAX];

    crypto_auth_hmacsha256(mac, (const unsigned char *)body, len, key);
    sodium_bin2hex(hex, sizeof hex, mac, sizeof mac);
    snprintf(header, sizeof header, "X-Signature: sha256=%s", hex);
    headers[i] = curl_slist_append(curl_slist_append(NULL, header), "Content-Type: application/json");
    curl_easy_setopt(calls[i], CURLOPT_URL, url);
    curl_easy_setopt(calls[i], CURLOPT_HTTPHEADER, headers[i]);
    curl_easy_setopt(calls[i], CURLOPT_POSTFIELDSIZE, (long)len);
    curl_easy_setopt(calls[i], CURLOPT_COPYPOSTFIELDS, body);
}

static int claim(void)
{
    MYSQL_RES *rows;
    MYSQL_ROW row;
    size_t used = 0;
    int n = 0;

    run("BEGIN");
    run("SELECT id, url, payload FROM outbox WHERE status = 0 AND next_at <= NOW(3) ORDER BY next_at, id LIMIT %d FOR UPDATE SKIP LOCKED",
        WIDTH);
    rows = mysql_store_result(db);
    while ((row = mysql_fetch_row(rows)) != NULL) {
        used += (size_t)snprintf(ids + used, sizeof ids - used, ",%s", row[0]);
        set_call(n++, row[1], row[2], mysql_fetch_lengths(rows)[2]);
    }
    mysql_free_result(rows);
    if (n > 0)
        run("UPDATE outbox SET next_at = NOW(3) + INTERVAL 60 SECOND WHERE id IN (0%s)", ids);
    run("COMMIT");
    return n;
}

static void post(int n)
{
    CURLMsg *m;
    int running, left;

    for (int i = 0; i < n; i++)
        curl_multi_add_handle(multi, calls[i]);
    do {
        curl_multi_perform(multi, &running);
        if (running > 0)
            curl_multi_poll(multi, NULL, 0, 1000, NULL);
    } while (running > 0);
    while ((m = curl_multi_info_read(multi, &left)) != NULL) {
        long status = 0;

        curl_easy_getinfo(m->easy_handle, CURLINFO_RESPONSE_CODE, &status);
        delivered += status == 200;
    }
    for (int i = 0; i < n; i++) {
        curl_multi_remove_handle(multi, calls[i]);
        curl_slist_free_all(headers[i]);
    }
}

int main(int argc, char **argv)
{
    long total = argc == 4 ? strtol(argv[3], NULL, 10) : 0;
    int n = 1;

    if (total <= 0)
        die("usage", "ideal_drain DB_SOCKET SCHEMA TOTAL");
    if (curl_global_init(CURL_GLOBAL_ALL) != CURLE_OK || sodium_init() < 0)
        die("start", "a library failed");
    db = mysql_init(NULL);
    if (mysql_real_connect(db, NULL, "root", NULL, argv[2], 0, argv[1], 0) == NULL)
        die("database", mysql_error(db));
    multi = curl_multi_init();
    curl_multi_setopt(multi, CURLMOPT_MAXCONNECTS, (long)WIDTH);
    for (int i = 0; i < WIDTH; i++) {
        calls[i] = curl_easy_init();
        curl_easy_setopt(calls[i], CURLOPT_WRITEFUNCTION, ignore);
        curl_easy_setopt(calls[i], CURLOPT_NOSIGNAL, 1L);
        curl_easy_setopt(calls[i], CURLOPT_CAINFO, getenv("SSL_CERT_FILE")); /* NULL: the usual ones */
    }
    while (delivered < total && n > 0) {
        n = claim();
        if (n == 0)
            break;
        post(n);
        run("UPDATE outbox SET status = 1, attempts = attempts + 1 WHERE id IN (0%s)", ids);
    }
    if (delivered < total)
        die("receiver", "not all were taken");
    return 0;
}
