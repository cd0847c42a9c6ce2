#include "base/test.h"
#include "codec/audit_chain.c"

enum { LINES = 3 };

/* Three lines in a row, each terminated by NUL in a place of its own. */
struct chain {
    char line[LINES][256];
};

static void three_lines(struct chain *c)
{
    static const char *const members[LINES] = { "\"n\":1", "\"n\":2,\"text\":\"a b\"", "\"n\":3" };
    uint8_t head[HASH_LEN] = { 0 };

    for (size_t i = 0; i < LINES; i++) {
        struct buf b = BUF_INIT(255);

        CHECK(audit_chain_append(&b, head, members[i]));
        memcpy(c->line[i], b.data, b.len + 1);
        buf_free(&b);
    }
}

static size_t lines_that_follow(const struct chain *c)
{
    uint8_t head[HASH_LEN] = { 0 };
    size_t n = 0;

    while (n < LINES && audit_chain_follows(head, c->line[n], strlen(c->line[n])))
        n++;
    return n;
}

static void the_first_follows_zeros(void)
{
    struct chain c;

    three_lines(&c);
    CHECK_STR(c.line[0],
              "{\"prev\":\"0000000000000000000000000000000000000000000000000000000000000000\",\"n\":1}");
}

/* sha256sum of the line above. */
static void each_carries_the_hash_of_the_one_before(void)
{
    struct chain c;

    three_lines(&c);
    CHECK_STR(
        c.line[1],
        "{\"prev\":\"b5bcf8ed5bc8fc8a6f752243344d28acfe97e489168b4d32b59098c01a261a97\",\"n\":2,\"text\":\"a b\"}");
    CHECK(lines_that_follow(&c) == LINES);
}

static void a_changed_line_breaks_the_link_behind_it(void)
{
    struct chain c;

    three_lines(&c);
    *strstr(c.line[1], "a b") = 'A';
    CHECK(lines_that_follow(&c) == 2);
}

static void a_missing_or_added_line_breaks_it_too(void)
{
    struct chain c;

    three_lines(&c);
    memcpy(c.line[1], c.line[2], sizeof c.line[1]);
    CHECK(lines_that_follow(&c) == 1);
    three_lines(&c);
    memcpy(c.line[2], c.line[1], sizeof c.line[2]);
    CHECK(lines_that_follow(&c) == 2);
}

static void malformed_lines_break_the_chain(void)
{
    static const char zeros[] =
        "{\"prev\":\"0000000000000000000000000000000000000000000000000000000000000000\",";
    static const char *const tails[] = { "", "\"n\":1", "\"n\":1]" };
    char text[256];
    uint8_t head[HASH_LEN] = { 0 }, prev[HASH_LEN];

    CHECK(!audit_chain_follows(head, "", 0));
    CHECK(!audit_chain_follows(head, "{}", 2));
    for (size_t i = 0; i < sizeof tails / sizeof tails[0]; i++) {
        snprintf(text, sizeof text, "%s%s", zeros, tails[i]);
        CHECK(!audit_chain_follows(head, text, strlen(text)));
    }
    snprintf(text, sizeof text, "%s\"n\":1}", zeros);
    text[20] = 'g';
    CHECK(!audit_chain_prev(prev, text, strlen(text)));
    text[20] = '0';
    CHECK(audit_chain_prev(prev, text, strlen(text)) && memcmp(prev, head, HASH_LEN) == 0);
}

static void a_line_that_does_not_fit_moves_nothing(void)
{
    static char members[AUDIT_CHAIN_LINE_MAX + 1];
    uint8_t head[HASH_LEN] = { 0 };
    static const uint8_t zeros[HASH_LEN];
    struct buf small = BUF_INIT(64), large = BUF_INIT((size_t)4 * AUDIT_CHAIN_LINE_MAX);

    memset(members, ' ', AUDIT_CHAIN_LINE_MAX);
    CHECK(!audit_chain_append(&small, head, "\"n\":1"));
    CHECK(!audit_chain_append(&large, head, members));
    buf_reset(&large);
    CHECK(!audit_chain_append(&large, head, "\"a\":1,\n\"b\":2"));
    CHECK(memcmp(head, zeros, sizeof head) == 0);
    buf_free(&small);
    buf_free(&large);
}

TEST_MAIN(TEST(the_first_follows_zeros), TEST(each_carries_the_hash_of_the_one_before),
          TEST(a_changed_line_breaks_the_link_behind_it), TEST(a_missing_or_added_line_breaks_it_too),
          TEST(malformed_lines_break_the_chain), TEST(a_line_that_does_not_fit_moves_nothing))
