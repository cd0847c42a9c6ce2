#include "base/test.h"
#include "model/api_key.c"

static void new_keys(void)
{
    struct api_key one, two;
    uint8_t hash[HASH_LEN];

    api_key_new(&one);
    api_key_new(&two);
    CHECK(strncmp(one.text, "svc_sk_", 7) == 0);
    CHECK(strlen(one.text) == 7 + 43); /* 256 bits in base64url, without padding */
    CHECK(strlen(one.text) <= API_KEY_TEXT_LEN);
    CHECK(api_key_has_form(one.text) && api_key_has_form(two.text));
    CHECK(strcmp(one.text, two.text) != 0);
    sha256(hash, one.text, strlen(one.text));
    CHECK(memcmp(hash, one.hash, sizeof hash) == 0);
    CHECK(memcmp(one.hash, two.hash, sizeof hash) != 0);
}

static void tokens_are_no_keys(void)
{
    struct api_key key, token;

    api_key_new(&key);
    operator_token_new(&token);
    CHECK(strncmp(token.text, "svc_op_", 7) == 0 && strlen(token.text) == 7 + 43);
    CHECK(operator_token_has_form(token.text) && !api_key_has_form(token.text));
    CHECK(api_key_has_form(key.text) && !operator_token_has_form(key.text));
}

#define TEN     "0123456789"
#define TWENTY5 "abcdefghijklmnopqrstuvwxy"

static void forms(void)
{
    static const struct {
        const char *text;
        bool ok;
    } rows[] = {
        { "svc_sk_" TWENTY5, true }, /* 32 characters */
        { "svc_sk_bcdefghijklmnopqrstuvwxy", false },
        { "svc_sk_" TWENTY5 "-_AZ" TEN, true },
        { "", false },
        { "svc_sk_", false },
        { "SVC_SK_" TWENTY5, false },
        { "svc_pk_" TWENTY5, false },
        { " svc_sk_" TWENTY5, false },
        { "svc_sk_" TWENTY5 " ", false },
        { "svc_sk_" TWENTY5 "=", false },
        { "svc_sk_" TWENTY5 "\n", false },
        { "svc_sk_" TWENTY5 "'", false },
        { "svc_sk_" TWENTY5 "\xc3\xa4", false },
    };
    char long_key[API_KEY_MAX + 2];

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        CHECK(api_key_has_form(rows[i].text) == rows[i].ok);
    memset(long_key, 'a', sizeof long_key);
    memcpy(long_key, "svc_sk_", 7);
    long_key[API_KEY_MAX + 1] = '\0';
    CHECK(!api_key_has_form(long_key));
    long_key[API_KEY_MAX] = '\0';
    CHECK(api_key_has_form(long_key));
}

TEST_MAIN(TEST(new_keys), TEST(tokens_are_no_keys), TEST(forms))
