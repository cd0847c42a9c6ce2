#include "base/ip_address.c"
#include "base/test.h"

static const char *text_of(struct ip_address a)
{
    static char text[TEXT_MAX];

    return inet_ntop(AF_INET6, a.bytes, text, sizeof text);
}

static void addresses(void)
{
    static const struct {
        const char *text, *want; /* NULL: refused */
    } rows[] = {
        { "192.0.2.1", "::ffff:192.0.2.1" },
        { "192.0.2.1:443", "::ffff:192.0.2.1" },
        { "2001:db8::1", "2001:db8::1" },
        { "[2001:db8::1]", "2001:db8::1" },
        { "[2001:db8::1]:443", "2001:db8::1" },
        { "::ffff:192.0.2.1", "::ffff:192.0.2.1" },
        { "", NULL },
        { "unknown", NULL },
        { "_hidden", NULL },
        { "192.0.2", NULL },
        { "192.0.2.256", NULL },
        { "192.0.2.1:", NULL },
        { "192.0.2.1:x", NULL },
        { "[2001:db8::1", NULL },
        { "[2001:db8::1]x", NULL },
        { "[2001:db8::1]:", NULL },
        { "2001:db8::1::", NULL },
        { " 192.0.2.1", NULL },
        { "192.0.2.1/32", NULL },
        { "fe80::1%eth0", NULL },
        { "1111111111111111111111111111111111111111111111111111111111111111111", NULL },
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct ip_address a;
        bool ok = ip_address_parse(&a, rows[i].text);

        CHECK(ok == (rows[i].want != NULL));
        if (ok)
            CHECK_STR(text_of(a), rows[i].want);
    }
}

static void lists(void)
{
    static const struct {
        const char *list, *address;
        bool in;
    } rows[] = {
        { "", "192.0.2.1", false },
        { "192.0.2.1", "192.0.2.1", true },
        { "192.0.2.1", "192.0.2.2", false },
        { "10.0.0.0/8, 192.0.2.0/31", "192.0.2.1", true },
        { "10.0.0.0/8, 192.0.2.0/31", "192.0.2.2", false },
        { "10.0.0.0/8,192.0.2.0/31", "10.255.3.4", true },
        { "0.0.0.0/0", "203.0.113.9", true },
        { "0.0.0.0/0", "2001:db8::1", false },
        { "::/0", "203.0.113.9", true },
        { "2001:db8::/33", "2001:db8:7fff::1", true },
        { "2001:db8::/33", "2001:db8:8000::1", false },
        { "127.0.0.1", "::ffff:127.0.0.1", true },
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct ip_address a;

        CHECK(ip_address_parse(&a, rows[i].address) && ip_address_list_ok(rows[i].list));
        CHECK(ip_address_in_list(a, rows[i].list) == rows[i].in);
    }
}

static void loopback(void)
{
    static const struct {
        const char *address;
        bool is;
    } rows[] = {
        { "127.0.0.1", true },        { "127.255.3.4", true }, { "::1", true },
        { "::ffff:127.0.0.1", true }, { "[::1]:443", true },   { "126.255.255.255", false },
        { "128.0.0.1", false },       { "::", false },         { "::2", false },
        { "7f00:1::", false },        { "1::1", false },
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct ip_address a;

        CHECK(ip_address_parse(&a, rows[i].address));
        CHECK(ip_address_is_loopback(a) == rows[i].is);
    }
}

static void lists_that_are_refused(void)
{
    static const char *const lists[] = { "x",           "10.0.0.0/33", "::/129",
                                         "10.0.0.0/",   "10.0.0.0/x",  "10.0.0.1,y",
                                         "10.0.0.0/-1", "10.0.0.1:80", "proxy.example" };

    for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++)
        CHECK(!ip_address_list_ok(lists[i]));
}

static void clients(void)
{
    static const struct {
        const char *remote, *forwarded, *trusted, *want;
    } rows[] = {
        { "192.0.2.1", NULL, "", "::ffff:192.0.2.1" },
        /* no proxy is trusted: a client's own header does not count */
        { "192.0.2.1", "203.0.113.9", "", "::ffff:192.0.2.1" },
        { "192.0.2.1", "203.0.113.9", "192.0.2.2", "::ffff:192.0.2.1" },
        { "127.0.0.1", "203.0.113.9", "127.0.0.1", "::ffff:203.0.113.9" },
        /* the right-most address that is not trusted; any client may have written those left of it */
        { "127.0.0.1", "198.51.100.7, 203.0.113.9", "127.0.0.1", "::ffff:203.0.113.9" },
        { "127.0.0.1", "198.51.100.7, 203.0.113.9, 10.1.2.3", "127.0.0.1,10.0.0.0/8", "::ffff:203.0.113.9" },
        { "127.0.0.1", "198.51.100.7,203.0.113.9,10.1.2.3 , ", "127.0.0.1,10.0.0.0/8", "::ffff:203.0.113.9" },
        { "127.0.0.1", "10.9.9.9, 10.1.2.3", "127.0.0.1,10.0.0.0/8", "::ffff:10.9.9.9" }, /* all trusted */
        { "127.0.0.1", "198.51.100.7, nonsense, 10.1.2.3", "127.0.0.1,10.0.0.0/8", "::ffff:10.1.2.3" },
        { "127.0.0.1", "nonsense", "127.0.0.1", "::ffff:127.0.0.1" },
        { "127.0.0.1", " , ,", "127.0.0.1", "::ffff:127.0.0.1" },
        { "127.0.0.1", "[2001:db8::5]:99", "127.0.0.1", "2001:db8::5" },
        { "::1", "203.0.113.9:1234", "::1", "::ffff:203.0.113.9" },
        { NULL, "203.0.113.9", "::/0", "::" },
        { "", "203.0.113.9", "::/0", "::" },
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        CHECK_STR(text_of(ip_address_client(rows[i].remote, rows[i].forwarded, rows[i].trusted)),
                  rows[i].want);
}

static void ipv6_addresses_count_by_their_64_bit_prefix(void)
{
    struct ip_address a, b;

    CHECK(ip_address_parse(&a, "2001:db8:1:2:3:4:5:6") && ip_address_parse(&b, "192.0.2.1"));
    CHECK_STR(text_of(ip_address_counted(a)), "2001:db8:1:2::");
    CHECK_STR(text_of(ip_address_counted(b)), "::ffff:192.0.2.1");
}

TEST_MAIN(TEST(addresses), TEST(lists), TEST(loopback), TEST(lists_that_are_refused), TEST(clients),
          TEST(ipv6_addresses_count_by_their_64_bit_prefix))
