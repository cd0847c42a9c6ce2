#include "base/test.h"
#include "webhook/webhook_sign.c"

#include <unistd.h>

static const char secret_text[] = "whsec_Z2F0ZXdheS10ZXN0LXNlY3JldC0wMDAwMDAwMDAwMDE=";

static const struct {
    const char *id, *body, *signature;
} vectors[] = {
    { "msg_00000000000000000000000001",
      "{\"type\":\"swap.completed\",\"timestamp\":\"2026-01-01T00:00:00.000Z\",\"data\":{\"swap_id\":42,\"status\":\"completed\"}}",
      "v1,XJ2vpDfwygMdT0GofTCIg+dDCwdaSUQUNDz3MeTOtF0=" },
    { "msg_00000000000000000000000002",
      "{\"type\":\"webhook.test\",\"timestamp\":\"2026-01-01T00:00:00.000Z\",\"data\":{\"note\":\"caf\xc3\xa9 \xe2\x9c\x93\"}}",
      "v1,p+x6KnDL0gzMxZnTjBNEhKsgGORRbUPawrzLBQGPt1E=" },
};

static void signs_as_the_vectors_say(void)
{
    struct webhook_secret secret;
    char out[WEBHOOK_SIGNATURES_MAX];

    CHECK(webhook_secret_parse(&secret, secret_text));
    CHECK(memcmp(secret.bytes, "gateway-test-secret-000000000001", 32) == 0);
    for (size_t i = 0; i < sizeof vectors / sizeof vectors[0]; i++) {
        webhook_signatures(out, &secret, 1, vectors[i].id, 1767225600, vectors[i].body,
                           strlen(vectors[i].body));
        CHECK_STR(out, vectors[i].signature);
    }
}

static void signs_with_two_secrets(void)
{
    struct webhook_secret secrets[2];
    char first[WEBHOOK_SIGNATURES_MAX], second[WEBHOOK_SIGNATURES_MAX], both[WEBHOOK_SIGNATURES_MAX];
    char want[2 * WEBHOOK_SIGNATURES_MAX];

    webhook_secret_new(&secrets[0]);
    webhook_secret_new(&secrets[1]);
    webhook_signatures(first, &secrets[0], 1, "msg_1", 1, "{}", 2);
    webhook_signatures(second, &secrets[1], 1, "msg_1", 1, "{}", 2);
    webhook_signatures(both, secrets, 2, "msg_1", 1, "{}", 2);
    snprintf(want, sizeof want, "%s %s", first, second);
    CHECK_STR(both, want);
    CHECK(strcmp(first, second) != 0);
    CHECK(strlen(both) + 1 <= WEBHOOK_SIGNATURES_MAX);
}

static void secrets_have_a_text(void)
{
    struct webhook_secret secret, back;
    char text[WEBHOOK_SECRET_TEXT_LEN + 1];

    webhook_secret_new(&secret);
    webhook_secret_text(text, &secret);
    CHECK(strlen(text) == WEBHOOK_SECRET_TEXT_LEN);
    CHECK(webhook_secret_parse(&back, text) && memcmp(&secret, &back, sizeof secret) == 0);
    CHECK(!webhook_secret_parse(&back, ""));
    CHECK(!webhook_secret_parse(&back, "whsec_"));
    CHECK(!webhook_secret_parse(&back, text + 1));
    CHECK(!webhook_secret_parse(&back, "whsec_Z2F0ZXdheS10ZXN0LXNlY3JldC0wMDAwMDAwMDAwMDEh"));
    text[20] = '*';
    CHECK(!webhook_secret_parse(&back, text));
}

static void sealed_secrets_open_with_their_key_alone(void)
{
    uint8_t key[BOX_KEY_LEN] = { 1 }, other[BOX_KEY_LEN] = { 2 }, sealed[WEBHOOK_SECRET_SEALED_LEN];
    struct webhook_secret secret, back;

    webhook_secret_new(&secret);
    webhook_secret_seal(sealed, &secret, key);
    CHECK(webhook_secret_open(&back, sealed, sizeof sealed, key));
    CHECK(memcmp(&secret, &back, sizeof secret) == 0);
    CHECK(!webhook_secret_open(&back, sealed, sizeof sealed, other));
    CHECK(!webhook_secret_open(&back, sealed, sizeof sealed - 1, key));
    CHECK(!webhook_secret_open(&back, sealed, 0, key));
    sealed[40] ^= 1;
    CHECK(!webhook_secret_open(&back, sealed, sizeof sealed, key));
}

static bool read_key_from(const char *content, uint8_t out[static BOX_KEY_LEN])
{
    char path[] = "/tmp/test_sign_XXXXXX";
    int fd = mkstemp(path);
    bool ok;

    CHECK(fd >= 0 && write(fd, content, strlen(content)) == (ssize_t)strlen(content));
    ok = service_key_read(path, out) == NULL;
    close(fd);
    unlink(path);
    return ok;
}

#define DIGITS "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f"

static void reads_the_key_file(void)
{
    uint8_t key[BOX_KEY_LEN];

    CHECK(read_key_from(DIGITS, key) && key[0] == 0 && key[31] == 0x1f);
    CHECK(read_key_from(DIGITS "\n", key));
    CHECK(read_key_from(DIGITS "\r\n", key));
    CHECK(!read_key_from("", key));
    CHECK(!read_key_from("\n" DIGITS, key));
    CHECK(!read_key_from(DIGITS "00", key));
    CHECK(!read_key_from(DIGITS "\n" DIGITS, key));
    CHECK(!read_key_from("g" DIGITS, key));
    CHECK_STR(service_key_read("/nonexistent/key", key), "No such file or directory");
}

TEST_MAIN(TEST(signs_as_the_vectors_say), TEST(signs_with_two_secrets), TEST(secrets_have_a_text),
          TEST(sealed_secrets_open_with_their_key_alone), TEST(reads_the_key_file))
