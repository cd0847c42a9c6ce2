#include "drift/shape.c"

#include <string.h>

#include "base/test.h"

static const struct shape_member members[] = {
    { "data.amount", SHAPE_TEXT },
    { "data.gas", SHAPE_TEXT | SHAPE_NUMBER },
    { "rows[].to.address", SHAPE_TEXT },
    { "levels[][].px", SHAPE_TEXT },
    { 0 },
};

static struct arena *a;

static bool says(const char *json, const char *expected)
{
    const char *said = shape_differs(a, members, json, strlen(json));

    return expected == NULL ? said == NULL : said != NULL && strcmp(said, expected) == 0;
}

static void differences(void)
{
    a = arena_new();
    CHECK(says("{\"data\":{\"amount\":\"1\",\"gas\":7,\"new\":{}},\"rows\":[{\"to\":{\"address\":\"x\"}}],"
               "\"levels\":[[{\"px\":\"1\"}],[]]}",
               NULL));
    CHECK(says("{\"data\":{\"amount\":\"1\",\"gas\":\"7\"},\"rows\":[],\"levels\":[[],[]]}", NULL));
    CHECK(says("{\"data\":{\"amount\":1,\"gas\":\"7\"},\"rows\":[],\"levels\":[]}",
               "the member data.amount is a number in place of a text"));
    CHECK(says("{\"data\":{\"amount\":\"1\",\"gas\":null},\"rows\":[],\"levels\":[]}",
               "the member data.gas is a null in place of a text or number"));
    CHECK(says("{\"data\":{\"gas\":1},\"rows\":[],\"levels\":[]}", "the member data.amount is missing"));
    CHECK(says("{\"data\":{\"amount\":\"1\",\"gas\":1},\"levels\":[]}",
               "the member rows[].to.address is missing"));
    CHECK(says("{\"data\":{\"amount\":\"1\",\"gas\":1},\"rows\":[{\"to\":7}],\"levels\":[]}",
               "the member rows[].to.address is missing"));
    CHECK(says("[]", "the member data.amount is missing"));
    CHECK(says("{\"data\":{\"amount\":\"1\",\"amount\":\"1\"}}", "a member stands twice in one object"));
    CHECK(says("<html>Just a moment...</html>", "the answer is no JSON"));
    CHECK(says("", "the answer is no JSON"));
    /* Amounts are larger than any integer of the machine. */
    CHECK(says("{\"data\":{\"amount\":\"1\",\"gas\":115792089237316195423570985008687907853269984665640},"
               "\"rows\":[],\"levels\":[]}",
               NULL));
    arena_free(a);
}

TEST_MAIN(TEST(differences))
