/* The ideal poller: the least work with which executions in flight can be followed, as the mark that
 * swap-poll is measured by. It asks for receipts alone and trusts what it is told.
 *
 *   ideal_poll DB_SOCKET SCHEMA NODE TOTAL
 *
 * Until TOTAL were looked at: claims 100 of the table flights, asks the node about them in one batch over a
 * kept connection, and where the transactions are in a block records the end of all, with history and event,
 * at once. */
#include <curl/curl.h>
#include <string.h>

#include "ideal_job.h"

enum { BATCH_MAX = 32768, ANSWER_MAX = 1 << 20 };

static CURL *call;
static char ids[SQL_MAX / 2], batch[BATCH_MAX], answer[ANSWER_MAX];
static size_t answered;

static size_t keep(char *p, size_t size, size_t n, void *to)
{
    (void)to;
    if (answered + size * n >= sizeof answer)
        return 0;
    memcpy(answer + answered, p, size * n);
    answered += size * n;
    answer[answered] = '\0';
    return size * n;
}

static long claim(void)
{
    MYSQL_RES *rows;
    MYSQL_ROW row;
    size_t used = 0, asked = 0;
    long n = 0;

    run("BEGIN");
    run("SELECT id, LOWER(HEX(hash)) FROM flights WHERE status = 0 AND due_at <= NOW(3) ORDER BY due_at LIMIT %d"
        " FOR UPDATE SKIP LOCKED",
        WIDTH);
    rows = mysql_store_result(db);
    while ((row = mysql_fetch_row(rows)) != NULL) {
        used += (size_t)snprintf(ids + used, sizeof ids - used, ",%s", row[0]);
        asked +=
            (size_t)snprintf(batch + asked, sizeof batch - asked,
                             "%c{\"jsonrpc\":\"2.0\",\"id\":%ld,\"method\":\"eth_getTransactionReceipt\","
                             "\"params\":[\"0x%s\"]}",
                             n == 0 ? '[' : ',', n, row[1]);
        n++;
    }
    mysql_free_result(rows);
    (void)snprintf(batch + asked, sizeof batch - asked, "]");
    if (n > 0)
        run("UPDATE flights SET due_at = NOW(3) + INTERVAL 10 SECOND WHERE id IN (0%s)", ids);
    run("COMMIT");
    return n;
}

static void ask(void)
{
    CURLcode code;

    answered = 0;
    curl_easy_setopt(call, CURLOPT_POSTFIELDS, batch);
    code = curl_easy_perform(call);
    if (code != CURLE_OK)
        die("node", curl_easy_strerror(code));
}

static void record(void)
{
    if (strstr(answer, "\"blockNumber\"") == NULL)
        return;
    run("BEGIN");
    run("UPDATE flights SET status = 1 WHERE id IN (0%s)", ids);
    run("INSERT INTO histories (flight_id, status, created_at) SELECT id, 1, NOW(3) FROM flights WHERE id IN (0%s)",
        ids);
    run("INSERT INTO outbox (flight_id, payload, next_at) SELECT id, REPEAT('x', 900), NOW(3) FROM flights WHERE id IN (0%s)",
        ids);
    run("COMMIT");
}

int main(int argc, char **argv)
{
    struct curl_slist json = { "Content-Type: application/json", NULL };
    long total = argc == 5 ? strtol(argv[4], NULL, 10) : 0, n = 1;

    if (total <= 0)
        die("usage", "ideal_poll DB_SOCKET SCHEMA NODE TOTAL");
    if (curl_global_init(CURL_GLOBAL_ALL) != CURLE_OK)
        die("start", "libcurl failed");
    db = mysql_init(NULL);
    if (mysql_real_connect(db, NULL, "root", NULL, argv[2], 0, argv[1], 0) == NULL)
        die("database", mysql_error(db));
    call = curl_easy_init();
    curl_easy_setopt(call, CURLOPT_URL, argv[3]);
    curl_easy_setopt(call, CURLOPT_HTTPHEADER, &json);
    curl_easy_setopt(call, CURLOPT_WRITEFUNCTION, keep);
    for (; total > 0 && n > 0; total -= n) {
        n = claim();
        if (n > 0) {
            ask();
            record();
        }
    }
    if (total > 0)
        die("flights", "not as many are due");
    return 0;
}
