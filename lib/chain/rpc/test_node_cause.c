/* The causes of a node that does not answer. */
#include "base/test.h"

#include "chain/rpc/node_cause.h"

static struct arena *a;

static const char *said(struct call c, bool parsed)
{
    return node_cause_text(a, node_cause_of(&c, parsed));
}

static const char *failed(enum call_fault fault)
{
    return said((struct call){ .result = CALL_FAILED, .fault = fault }, false);
}

static const char *answered(int status, bool parsed)
{
    return said((struct call){ .result = CALL_ANSWERED, .status = status }, parsed);
}

static void cause_test_start(void)
{
    a = arena_new();
}

static void each_fault_has_its_words(void)
{
    CHECK_STR(failed(FAULT_NAME), "host not found");
    CHECK_STR(failed(FAULT_CONNECTION_REFUSED), "connection refused");
    CHECK_STR(failed(FAULT_TLS), "TLS handshake failed");
    CHECK_STR(failed(FAULT_TLS_UNTRUSTED), "TLS certificate not trusted");
    CHECK_STR(failed(FAULT_TLS_EXPIRED), "TLS certificate expired");
    CHECK_STR(failed(FAULT_TLS_NAME), "TLS certificate of another host name");
    CHECK_STR(failed(FAULT_OTHER), "no connection, or a broken one");
    CHECK_STR(said((struct call){ .result = CALL_TIMEOUT }, false), "silent: no answer in time");
    CHECK_STR(said((struct call){ .result = CALL_HELD }, false), "silent: no answer in time");
}

static void each_answer_has_its_words(void)
{
    CHECK_STR(answered(401, true), "HTTP 401: it wants a valid key");
    CHECK_STR(answered(403, false), "HTTP 403: it refuses this key or this address");
    CHECK_STR(answered(429, false), "HTTP 429: it is asked too often");
    CHECK_STR(answered(502, false), "HTTP 502");
    CHECK_STR(answered(200, false), "its answer is no JSON-RPC");
    CHECK_STR(answered(200, true), "it answers with an error");
}

static void each_cause_has_its_words(void)
{
    for (unsigned cause = CAUSE_NONE; cause < CAUSES; cause++)
        CHECK(node_cause_text(a, cause) != NULL);
}

static void cause_test_end(void)
{
    arena_free(a);
}

TEST_MAIN(TEST(cause_test_start), TEST(each_fault_has_its_words), TEST(each_answer_has_its_words),
          TEST(each_cause_has_its_words), TEST(cause_test_end))
