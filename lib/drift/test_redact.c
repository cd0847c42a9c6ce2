#include "drift/redact.c"

#include <stdio.h>
#include <string.h>

#include "base/test.h"

static bool becomes(const char *text, const char *expected)
{
    static const char *const secrets[] = { "k3y/Of+Mine", "", "ab", NULL };
    char copy[512];

    (void)snprintf(copy, sizeof copy, "%s", text);
    redact_text(copy, strlen(copy), secrets);
    if (strcmp(copy, expected) != 0)
        printf("%s\n%s\n", copy, expected);
    return strcmp(copy, expected) == 0;
}

static void known_secrets(void)
{
    CHECK(becomes("say k3y/Of+Mine again: k3y/Of+Mine", "say xxxxxxxxxxx again: xxxxxxxxxxx"));
    CHECK(
        becomes("{\"url\":\"https:\\/\\/a\\/k3y\\/Of+Mine\"}", "{\"url\":\"https:\\/\\/a\\/xxxxxxxxxxxx\"}"));
    CHECK(becomes("https://a/?q=k3y%2FOf%2BMine", "https://a/?q=xxxxxxxxxxxxxxx"));
    CHECK(becomes("https://a/?q=k3y%2fOf%2bMine", "https://a/?q=xxxxxxxxxxxxxxx"));
    CHECK(becomes("cab", "cab")); /* what is too short to be a key */
}

static void secrets_by_name(void)
{
    CHECK(becomes("{\"apiKey\":\"abc\",\"x\":\"abc\"}", "{\"apiKey\":\"xxx\",\"x\":\"abc\"}"));
    CHECK(becomes("{\"orderSignature\" : \"0xab12\",\"n\":1}", "{\"orderSignature\" : \"0x0000\",\"n\":1}"));
    CHECK(becomes("{\"client_secret\":\"a\\\"b\",\"y\":\"z\"}", "{\"client_secret\":\"xxxx\",\"y\":\"z\"}"));
    CHECK(becomes("{\"signatureFeeLamports\":5000,\"key\":12.5}",
                  "{\"signatureFeeLamports\":5000,\"key\":10.5}"));
    CHECK(becomes("{\"access_token\":12345}", "{\"access_token\":10000}"));
    /* The address of a coin is none. */
    CHECK(becomes("{\"token\":\"0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913\",\"tokenIn\":\"USDC\"}",
                  "{\"token\":\"0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913\",\"tokenIn\":\"USDC\"}"));
    CHECK(becomes("{\"token\":\"eyJhbGciOi\"}", "{\"token\":\"xxxxxxxxxx\"}"));
    CHECK(becomes("see https://a/b?apikey=abc&x=1, https://c?x=1&token=def\"",
                  "see https://a/b?apikey=xxx&x=1, https://c?x=1&token=xxx\""));
    CHECK(becomes("{\"docs\":\"https://a/b?api_key=abc\"}", "{\"docs\":\"https://a/b?api_key=xxx\"}"));
}

static void broken_texts(void)
{
    CHECK(becomes("{\"key\":\"abc", "{\"key\":\"xxx"));
    CHECK(becomes("{\"key\":", "{\"key\":"));
    CHECK(becomes("{\"key\"", "{\"key\""));
    CHECK(becomes("\"\\", "\"\\"));
    CHECK(becomes("?key=", "?key="));
    CHECK(becomes("", ""));
}

TEST_MAIN(TEST(known_secrets), TEST(secrets_by_name), TEST(broken_texts))
