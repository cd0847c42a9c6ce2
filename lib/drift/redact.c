#include "drift/redact.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

enum { SECRET_MAX = 1024, SECRET_LEAST = 6, ESCAPED_MAX = 3 * SECRET_MAX, WORD_MAX = 48 };

static void strike(char *at, size_t n)
{
    bool hex = n > 2 && at[0] == '0' && at[1] == 'x';

    if (hex)
        memset(at + 2, '0', n - 2);
    else
        memset(at, 'x', n);
}

/* ---- known secrets ---- */

static void strike_all(char *text, size_t n, const char *secret)
{
    size_t len = strlen(secret);
    char *at = text, *hit;

    while (len > 0 && (hit = memmem(at, n - (size_t)(at - text), secret, len)) != NULL) {
        strike(hit, len);
        at = hit + len;
    }
}

static void json_escape(char *out, const char *secret)
{
    for (; *secret != '\0'; secret++) {
        if (strchr("\"\\/", *secret) != NULL)
            *out++ = '\\';
        *out++ = *secret;
    }
    *out = '\0';
}

static void url_escape(char *out, const char *secret, const char *digits)
{
    for (; *secret != '\0'; secret++) {
        unsigned char c = (unsigned char)*secret;

        if (isalnum(c) || strchr("-._~", c) != NULL) {
            *out++ = *secret;
        } else {
            *out++ = '%';
            *out++ = digits[c >> 4];
            *out++ = digits[c & 15];
        }
    }
    *out = '\0';
}

static void strike_secret(char *text, size_t n, const char *secret)
{
    char escaped[ESCAPED_MAX + 1];
    size_t len = strlen(secret);

    if (len < SECRET_LEAST || len > SECRET_MAX)
        return;
    strike_all(text, n, secret);
    json_escape(escaped, secret);
    strike_all(text, n, escaped);
    url_escape(escaped, secret, "0123456789ABCDEF");
    strike_all(text, n, escaped);
    url_escape(escaped, secret, "0123456789abcdef");
    strike_all(text, n, escaped);
}

/* ---- names of what is secret ---- */

/* Jupiter's signatureFeeLamports and signatureFeePayer. */
static const char FEE_OF_SIGNATURES[] = "signaturefee";

/* A token is a coin here, and its address no secret: only what grants access is meant. */
static bool names_secret(const char *name, size_t n)
{
    static const char *const whole[] = { "key", "sig", "auth", "token", "jwt" };
    static const char *const parts[] = { "apikey",      "secret",  "password",      "passphrase",
                                         "signature",   "bearer",  "authorization", "accesstoken",
                                         "authtoken",   "session", "credential",    "privatekey",
                                         "clienttoken", "idtoken", "refreshtoken" };
    char word[WORD_MAX + 1];
    size_t len = 0;

    for (size_t i = 0; i < n && len < WORD_MAX; i++)
        if (name[i] != '_' && name[i] != '-')
            word[len++] = (char)tolower((unsigned char)name[i]);
    word[len] = '\0';
    if (strncmp(word, FEE_OF_SIGNATURES, strlen(FEE_OF_SIGNATURES)) == 0)
        return false;
    for (size_t i = 0; i < sizeof whole / sizeof whole[0]; i++)
        if (strcmp(word, whole[i]) == 0)
            return true;
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
        if (strstr(word, parts[i]) != NULL)
            return true;
    return false;
}

/* An address, as coins have: 20 bytes in hex. */
static bool is_address(const char *at, size_t n)
{
    return n == 42 && at[0] == '0' && at[1] == 'x' && strspn(at + 2, "0123456789abcdefABCDEF") >= 40;
}

/* Behind a quote: where the text ends, which may be the end of all. */
static size_t text_end(const char *text, size_t n, size_t at)
{
    while (at < n && text[at] != '"')
        at += text[at] == '\\' ? 2 : 1;
    return at < n ? at : n;
}

/* It stays a number, which begins with no zero. */
static void strike_number(char *text, size_t n, size_t at)
{
    for (char digit = '1'; at < n && isdigit((unsigned char)text[at]); digit = '0')
        text[at++] = digit;
}

/* The values of such members, texts and numbers alike. */
static void strike_members(char *text, size_t n)
{
    for (size_t at = 0; at < n; at++) {
        size_t begin = at + 1, end, value;

        if (text[at] != '"')
            continue;
        end = text_end(text, n, begin);
        value = end + 1;
        while (value < n && isspace((unsigned char)text[value]))
            value++;
        at = end;
        if (value >= n || text[value] != ':' || !names_secret(text + begin, end - begin))
            continue;
        for (value++; value < n && isspace((unsigned char)text[value]);)
            value++;
        if (value < n && text[value] == '"') {
            size_t stop = text_end(text, n, value + 1);

            if (!is_address(text + value + 1, stop - value - 1))
                strike(text + value + 1, stop - value - 1);
            at = stop;
        } else {
            strike_number(text, n, value);
        }
    }
}

/* "?apikey=..." and "&token=...", in URLs wherever they stand. */
static void strike_parameters(char *text, size_t n)
{
    for (size_t at = 0; at < n; at++) {
        size_t end = at + 1, value;

        if (text[at] != '?' && text[at] != '&')
            continue;
        while (end < n && (isalnum((unsigned char)text[end]) || text[end] == '_' || text[end] == '-'))
            end++;
        if (end >= n || text[end] != '=' || !names_secret(text + at + 1, end - at - 1))
            continue;
        for (value = ++end;
             value < n && isgraph((unsigned char)text[value]) && strchr("&#\"'\\<>", text[value]) == NULL;)
            value++;
        if (!is_address(text + end, value - end))
            strike(text + end, value - end);
        at = value - 1;
    }
}

void redact_text(char *text, size_t n, const char *const *secrets)
{
    for (; *secrets != NULL; secrets++)
        strike_secret(text, n, *secrets);
    strike_members(text, n);
    strike_parameters(text, n);
}
