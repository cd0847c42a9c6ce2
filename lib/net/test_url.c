#include "base/test.h"
#include "net/url.c"

struct url_case {
    const char *url;
    const char *production; /* NULL: fine */
    const char *sandbox;
};

#define HTTPS       "must be an https URL"
#define PUBLIC_ONLY "must name a public address"
#define HOST        "must have a valid host"
#define FORM        "must be an absolute https URL"
#define BYTES       "must not contain spaces or characters that a URL has to encode"

static const struct url_case urls[] = {
    { "https://example.com", NULL, NULL },
    { "https://example.com/hook?a=b&c=%20d", NULL, NULL },
    { "HTTPS://Example.COM:8443/hook", NULL, NULL },
    { "https://hooks.example.com./x", NULL, NULL },
    { "https://xn--bcher-kva.example/x", NULL, NULL },
    { "https://8.8.8.8/", NULL, NULL },
    { "https://134744072/", NULL, NULL }, /* 8.8.8.8 */
    { "https://[2606:4700:4700::1111]:443/x", NULL, NULL },
    { "https://a.b/?next=https://c@d/", NULL, NULL },
    { "https://1.2.3.4.example.com/", NULL, NULL },
    { "https://example.com/a@b", NULL, NULL },

    { "http://example.com/", HTTPS, HTTPS },
    { "http://8.8.8.8/", HTTPS, HTTPS },
    { "http://127.0.0.1:9000/hook", HTTPS, NULL },
    { "http://localhost:9000/hook", HTTPS, NULL },
    { "http://[::1]:9000/hook", HTTPS, NULL },
    { "https://127.0.0.1/hook", PUBLIC_ONLY, NULL },
    { "https://127.8.9.10/hook", PUBLIC_ONLY, NULL },

    { "", FORM, FORM },
    { "h", FORM, FORM },
    { "http:/", FORM, FORM },
    { "example.com/hook", FORM, FORM },
    { "//example.com/hook", FORM, FORM },
    { "/hook", FORM, FORM },
    { "https:", FORM, FORM },
    { "https:/example.com", FORM, FORM },
    { "https:example.com", FORM, FORM },
    { "ftp://example.com/", FORM, FORM },
    { "file:///etc/passwd", FORM, FORM },
    { "gopher://example.com/", FORM, FORM },
    { "javascript:alert(1)", FORM, FORM },
    { "https://", HOST, HOST },
    { "https:///example.com", HOST, HOST },
    { "https://:443/", "must be a valid URL", "must be a valid URL" },
    { "https://?x", "must be a valid URL", "must be a valid URL" },
    { "https://./", HOST, HOST },
    { "https://../", HOST, HOST },
    { "https://a..b/", HOST, HOST },
    { "https://.a.b/", HOST, HOST },
    { "https://a.b../", HOST, HOST },
    { "https://a,b/", "must be a valid URL", "must be a valid URL" },
    { "https://a%2eb/", NULL, NULL },
    { "https://127.0.0.1%2f@x/", "must not have user info", "must not have user info" },
    { "https://example.com:0/", "must have a valid port", "must have a valid port" },
    { "https://example.com:65536/", "must be a valid URL", "must be a valid URL" },
    { "https://example.com:x/", "must be a valid URL", "must be a valid URL" },
    { "https://user@example.com/", "must not have user info", "must not have user info" },
    { "https://user:pass@example.com/", "must not have user info", "must not have user info" },
    { "https://@example.com/", "must not have user info", "must not have user info" },
    { "https://example.com@127.0.0.1/", "must not have user info", "must not have user info" },
    { "https://example.com/#top", "must not have a fragment", "must not have a fragment" },
    { "https://example.com#", "must not have a fragment", "must not have a fragment" },
    { " https://example.com", BYTES, BYTES },
    { "https://example.com/a b", BYTES, BYTES },
    { "https://example.com/\r\nX: y", BYTES, BYTES },
    { "https://example.com\\@127.0.0.1/", BYTES, BYTES },
    { "https://ex\xc3\xa4mple.com/", BYTES, BYTES },
    { "https://\xe2\x91\xa0\xe2\x91\xa1\xe2\x91\xa7.0.0.1/", BYTES, BYTES }, /* circled digits */

    /* the loopback and private addresses in all their spellings */
    { "https://2130706433/", PUBLIC_ONLY, NULL },
    { "https://0x7f000001/", PUBLIC_ONLY, NULL },
    { "https://0X7F.0.0.1/", PUBLIC_ONLY, NULL },
    { "https://017700000001/", PUBLIC_ONLY, NULL },
    { "https://0177.0.0.1/", PUBLIC_ONLY, NULL },
    { "https://127.1/", PUBLIC_ONLY, NULL },
    { "https://127.0.1/", PUBLIC_ONLY, NULL },
    { "https://127.0.0.1./", PUBLIC_ONLY, NULL },
    { "https://127%2e0.0%2E1/", PUBLIC_ONLY, NULL },
    { "https://%6cocalhost/", PUBLIC_ONLY, NULL },
    { "https://127.0.0.1%00.example.com/", "must be a valid URL", "must be a valid URL" },
    { "https://localhost/", PUBLIC_ONLY, NULL },
    { "https://LOCALHOST./", PUBLIC_ONLY, NULL },
    { "https://a.localhost/", PUBLIC_ONLY, NULL },
    { "https://notlocalhost/", NULL, NULL },
    { "https://0/", PUBLIC_ONLY, PUBLIC_ONLY },
    { "https://0.0.0.0/", PUBLIC_ONLY, PUBLIC_ONLY },
    { "https://10.0.0.1/", PUBLIC_ONLY, PUBLIC_ONLY },
    { "https://169.254.169.254/latest/meta-data/", PUBLIC_ONLY, PUBLIC_ONLY },
    { "https://0xa9fea9fe/", PUBLIC_ONLY, PUBLIC_ONLY },
    { "https://1.2.3.4.5/", HOST, HOST },
    { "https://256.1.1.1/", HOST, HOST },
    { "https://a.127/", HOST, HOST },
    { "https://a.0x7f/", HOST, HOST },
    { "https://4294967296/", HOST, HOST },
    { "https://[::]/", PUBLIC_ONLY, PUBLIC_ONLY },
    { "https://[::1]/", PUBLIC_ONLY, NULL },
    { "https://[0:0:0:0:0:0:0:1]/", PUBLIC_ONLY, NULL },
    { "https://[::ffff:127.0.0.1]/", PUBLIC_ONLY, NULL },
    { "https://[::ffff:7f00:1]/", PUBLIC_ONLY, NULL },
    { "https://[::ffff:10.0.0.1]/", PUBLIC_ONLY, PUBLIC_ONLY },
    { "https://[64:ff9b::a00:1]/", PUBLIC_ONLY, PUBLIC_ONLY },
    { "https://[fe80::1]/", PUBLIC_ONLY, PUBLIC_ONLY },
    { "https://[fe80::1%25eth0]/", PUBLIC_ONLY, PUBLIC_ONLY },
    { "https://[fd00::1]/", PUBLIC_ONLY, PUBLIC_ONLY },
    { "https://[::1/", "must be a valid URL", "must be a valid URL" },
    { "https://[127.0.0.1]/", "must be a valid URL", "must be a valid URL" },
    { "https://[v1.x]/", "must be a valid URL", "must be a valid URL" },
};

static void check_fault(const char *url, enum call_guard guard, const char *want)
{
    const char *got = url_callback_fault(url, guard);

    CHECK_STR(got ? got : "fine", want ? want : "fine");
    if (strcmp(got ? got : "fine", want ? want : "fine") != 0)
        fprintf(stderr, "   of %s (guard %d)\n", url, (int)guard);
}

static void judges_the_form(void)
{
    for (size_t i = 0; i < sizeof urls / sizeof urls[0]; i++) {
        check_fault(urls[i].url, CALL_PUBLIC, urls[i].production);
        check_fault(urls[i].url, CALL_LOOPBACK, urls[i].sandbox);
    }
}

static void judges_the_length(void)
{
    char url[URL_MAX + 2];

    memset(url, 'a', sizeof url);
    memcpy(url, "https://a.example/", 18);
    url[URL_MAX] = '\0';
    check_fault(url, CALL_PUBLIC, NULL);
    url[URL_MAX] = 'a';
    url[URL_MAX + 1] = '\0';
    check_fault(url, CALL_PUBLIC, "must have at most 500 characters");
}

struct addr_case {
    const char *addr;
    bool public;
};

static const struct addr_case addrs[] = {
    { "1.1.1.1", true },
    { "9.255.255.255", true },
    { "11.0.0.0", true },
    { "0.0.0.0", false },
    { "0.255.255.255", false },
    { "1.0.0.0", true },
    { "10.0.0.0", false },
    { "10.255.255.255", false },
    { "100.63.255.255", true },
    { "100.64.0.0", false },
    { "100.100.100.200", false },
    { "100.127.255.255", false },
    { "100.128.0.0", true },
    { "126.255.255.255", true },
    { "127.0.0.0", false },
    { "127.255.255.255", false },
    { "128.0.0.0", true },
    { "169.253.255.255", true },
    { "169.254.0.0", false },
    { "169.254.169.254", false },
    { "169.255.0.0", true },
    { "172.15.255.255", true },
    { "172.16.0.0", false },
    { "172.31.255.255", false },
    { "172.32.0.0", true },
    { "192.0.0.1", false },
    { "192.0.0.170", false },
    { "192.0.1.0", true },
    { "192.0.2.1", false },
    { "192.0.3.0", true },
    { "192.31.196.1", false },
    { "192.52.193.1", false },
    { "192.88.99.1", false },
    { "192.88.98.1", true },
    { "192.167.255.255", true },
    { "192.168.0.0", false },
    { "192.168.255.255", false },
    { "192.169.0.0", true },
    { "192.175.48.1", false },
    { "198.17.255.255", true },
    { "198.18.0.0", false },
    { "198.19.255.255", false },
    { "198.20.0.0", true },
    { "198.51.100.7", false },
    { "198.51.101.7", true },
    { "203.0.113.255", false },
    { "203.0.114.0", true },
    { "223.255.255.255", true },
    { "224.0.0.1", false },
    { "239.255.255.255", false },
    { "240.0.0.1", false },
    { "255.255.255.255", false },

    { "::", false },
    { "::1", false },
    { "::2", false },
    { "::8.8.8.8", false },
    { "::ffff:8.8.8.8", true },
    { "::ffff:127.0.0.1", false },
    { "::ffff:192.168.1.1", false },
    { "::ffff:0:8.8.8.8", false },
    { "64:ff9b::8.8.8.8", true },
    { "64:ff9b::127.0.0.1", false },
    { "64:ff9b::169.254.169.254", false },
    { "64:ff9b:1::1", false },
    { "100::1", false },
    { "1fff::1", false },
    { "2000::1", true },
    { "2001::1", false },
    { "2001:0:53aa:64c::1", false },
    { "2001:1ff::1", false },
    { "2001:200::1", true },
    { "2001:4860:4860::8888", true },
    { "2001:db8::1", false },
    { "2001:db7::1", true },
    { "2001:db9::1", true },
    { "2002:808:808::1", true },
    { "2002:7f00:1::1", false },
    { "2002:a00:1::1", false },
    { "2002:c0a8:101::1", false },
    { "2606:4700::1", true },
    { "2620:4f:8000::1", false },
    { "3ffe::1", true },
    { "3fff::1", false },
    { "3fff:1000::1", true },
    { "4000::1", false },
    { "5f00::1", false },
    { "fc00::1", false },
    { "fd00:ec2::254", false },
    { "fe80::1", false },
    { "fec0::1", false },
    { "ff02::1", false },
};

static bool allowed(const char *text, enum call_guard guard)
{
    struct sockaddr_in v4 = { .sin_family = AF_INET };
    struct sockaddr_in6 v6 = { .sin6_family = AF_INET6 };

    if (inet_pton(AF_INET, text, &v4.sin_addr) == 1)
        return url_addr_allowed((const struct sockaddr *)&v4, guard);
    CHECK(inet_pton(AF_INET6, text, &v6.sin6_addr) == 1);
    return url_addr_allowed((const struct sockaddr *)&v6, guard);
}

static void judges_addresses(void)
{
    for (size_t i = 0; i < sizeof addrs / sizeof addrs[0]; i++) {
        CHECK(allowed(addrs[i].addr, CALL_PUBLIC) == addrs[i].public);
        if (allowed(addrs[i].addr, CALL_PUBLIC) != addrs[i].public)
            fprintf(stderr, "   of %s\n", addrs[i].addr);
        CHECK(allowed(addrs[i].addr, CALL_CONFIGURED));
    }
}

static void sandbox_adds_the_loopback_alone(void)
{
    CHECK(allowed("127.0.0.1", CALL_LOOPBACK));
    CHECK(allowed("127.255.0.1", CALL_LOOPBACK));
    CHECK(allowed("::1", CALL_LOOPBACK));
    CHECK(allowed("::ffff:127.0.0.1", CALL_LOOPBACK));
    CHECK(allowed("8.8.8.8", CALL_LOOPBACK));
    CHECK(!allowed("0.0.0.0", CALL_LOOPBACK));
    CHECK(!allowed("::", CALL_LOOPBACK));
    CHECK(!allowed("10.0.0.1", CALL_LOOPBACK));
    CHECK(!allowed("64:ff9b::127.0.0.1", CALL_LOOPBACK));
    CHECK(!allowed("2002:7f00:1::1", CALL_LOOPBACK));
}

static void other_families_are_for_the_operator(void)
{
    struct sockaddr local = { .sa_family = AF_UNIX };

    CHECK(!url_addr_allowed(&local, CALL_PUBLIC));
    CHECK(!url_addr_allowed(&local, CALL_LOOPBACK));
    CHECK(url_addr_allowed(&local, CALL_CONFIGURED));
}

static void people_see_host_and_port_alone(void)
{
    static const char *const seen[][2] = {
        { "https://rpc.example/v2/key", "rpc.example" },
        { "https://user:secret@rpc.example:8545/v2/key@x", "rpc.example:8545" },
        { "http://127.0.0.1:1?key=2", "127.0.0.1:1" },
        { "http://[::1]:80#key", "[::1]:80" },
        { "rpc.example/key", "rpc.example" },
        { "", "" },
    };
    char out[URL_HOST_TEXT_LEN], url[2 * URL_HOST_TEXT_LEN] = "https://";

    for (size_t i = 0; i < sizeof seen / sizeof seen[0]; i++) {
        url_host_text(out, seen[i][0]);
        CHECK_STR(out, seen[i][1]);
    }
    memset(url + 8, 'a', sizeof url - 9);
    url_host_text(out, url);
    CHECK(strlen(out) == URL_HOST_TEXT_LEN - 1);
}

TEST_MAIN(TEST(judges_the_form), TEST(judges_the_length), TEST(judges_addresses),
          TEST(sandbox_adds_the_loopback_alone), TEST(other_families_are_for_the_operator),
          TEST(people_see_host_and_port_alone))
