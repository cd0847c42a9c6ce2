#include "ideal_calls.h"

#include <curl/curl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CALLS_MAX = 16, LINE_MAX_LEN = 1 << 16, ANSWER_MAX = 1 << 16, HEX_DIGITS = 16, PATIENCE_MS = 10000 };

static struct one_call {
    CURL *easy;
    char line[LINE_MAX_LEN]; /* which the texts are parts of */
    const char *mark;
    size_t skip;
    int base;
    char answer[ANSWER_MAX];
    size_t len;
} * calls;
static size_t calls_count;
static CURLM *multi;

static void die(const char *what)
{
    fprintf(stderr, "ideal: calls: %s\n", what);
    exit(1);
}

static size_t collect(char *p, size_t size, size_t n, void *to)
{
    struct one_call *c = to;

    if (c->len + size * n >= ANSWER_MAX)
        return 0;
    memcpy(c->answer + c->len, p, size * n);
    c->len += size * n;
    return size * n;
}

/* The text up to the next tab, which *rest begins behind; NULL: there is none. */
static const char *field(char **rest)
{
    return strsep(rest, "\t");
}

static void call_begin(struct one_call *c)
{
    char *rest = c->line;
    const char *url = field(&rest), *skip, *base, *body, *header;
    struct curl_slist *headers = NULL;

    c->mark = field(&rest);
    skip = field(&rest);
    base = field(&rest);
    body = field(&rest);
    if (body == NULL || (c->easy = curl_easy_init()) == NULL)
        die(url);
    while ((header = field(&rest)) != NULL)
        headers = curl_slist_append(headers, header);
    c->skip = strtoul(skip, NULL, 10);
    c->base = atoi(base);
    curl_easy_setopt(c->easy, CURLOPT_URL, url);
    curl_easy_setopt(c->easy, CURLOPT_HTTPHEADER, headers);
    if (*body != '\0')
        curl_easy_setopt(c->easy, CURLOPT_POSTFIELDS, body);
    curl_easy_setopt(c->easy, CURLOPT_WRITEFUNCTION, collect);
    curl_easy_setopt(c->easy, CURLOPT_WRITEDATA, c);
    curl_easy_setopt(c->easy, CURLOPT_NOPROXY, "*");
    curl_easy_setopt(c->easy, CURLOPT_NOSIGNAL, 1L);
}

void calls_begin(const char *path)
{
    FILE *f = fopen(path, "r");

    calls = calloc(CALLS_MAX, sizeof *calls);
    if (f == NULL || calls == NULL || curl_global_init(CURL_GLOBAL_ALL) != CURLE_OK)
        die(path);
    multi = curl_multi_init();
    while (calls_count < CALLS_MAX && fgets(calls[calls_count].line, LINE_MAX_LEN, f) != NULL) {
        struct one_call *c = &calls[calls_count++];

        c->line[strcspn(c->line, "\n")] = '\0';
        call_begin(c);
    }
    fclose(f);
}

static uint64_t price_of(struct one_call *c)
{
    char digits[HEX_DIGITS + 1] = "";
    const char *p;

    c->answer[c->len] = '\0';
    p = strstr(c->answer, c->mark);
    if (p == NULL || c->len - (size_t)(p - c->answer) < strlen(c->mark) + c->skip)
        return 0;
    p += strlen(c->mark) + c->skip;
    if (c->base != 16)
        return strtoull(p, NULL, c->base);
    (void)snprintf(digits, sizeof digits, "%s", p);
    return strtoull(digits, NULL, 16);
}

static void calls_run(void)
{
    int running;

    for (size_t i = 0; i < calls_count; i++) {
        calls[i].len = 0;
        curl_multi_add_handle(multi, calls[i].easy);
    }
    do {
        curl_multi_perform(multi, &running);
        if (running > 0)
            curl_multi_poll(multi, NULL, 0, PATIENCE_MS, NULL);
    } while (running > 0);
    for (size_t i = 0; i < calls_count; i++)
        curl_multi_remove_handle(multi, calls[i].easy);
}

uint64_t calls_best(void)
{
    uint64_t best = 0;

    calls_run();
    for (size_t i = 0; i < calls_count; i++) {
        uint64_t price = price_of(&calls[i]);

        best = price > best ? price : best;
    }
    return best;
}
