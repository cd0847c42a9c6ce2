#include "base/test.h"
#include "model/approval.c"

static void ids_are_read_back(void)
{
    static const char *const wrong[] = { "",
                                         "ap_",
                                         "ap_00112233445566778899aabbccddeef",
                                         "ap_00112233445566778899aabbccddeeff0",
                                         "ap_00112233445566778899aabbccddeefg",
                                         "xp_00112233445566778899aabbccddeeff" };
    static const char text[] = "ap_00112233445566778899aabbccddeeff";
    char again[APPROVAL_ID_TEXT_LEN + 1];
    struct uuid id;

    CHECK(approval_id_parse(&id, text));
    approval_id_text(again, &id);
    CHECK_STR(again, text);
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
        CHECK(!approval_id_parse(&id, wrong[i]));
}

static void states_have_their_names(void)
{
    enum approval_state s;

    for (enum approval_state each = APPROVAL_WAITING; each <= APPROVAL_LAPSED; each++)
        CHECK(approval_state_parse(&s, approval_state_text(each)) && s == each);
    CHECK(!approval_state_parse(&s, "") && !approval_state_parse(&s, "Waiting"));
}

/* A used, denied or lapsed approval stays so; a waiting one is not used without a grant. */
static void states_move_forward_only(void)
{
    static const struct {
        enum approval_state from, to;
    } allowed[] = { { APPROVAL_WAITING, APPROVAL_GRANTED }, { APPROVAL_WAITING, APPROVAL_DENIED },
                    { APPROVAL_WAITING, APPROVAL_LAPSED },  { APPROVAL_GRANTED, APPROVAL_DENIED },
                    { APPROVAL_GRANTED, APPROVAL_USED },    { APPROVAL_GRANTED, APPROVAL_LAPSED } };
    unsigned n = 0;

    for (enum approval_state from = APPROVAL_WAITING; from <= APPROVAL_LAPSED; from++)
        for (enum approval_state to = APPROVAL_WAITING; to <= APPROVAL_LAPSED; to++)
            n += approval_may_move(from, to);
    CHECK(n == sizeof allowed / sizeof allowed[0]);
    for (size_t i = 0; i < sizeof allowed / sizeof allowed[0]; i++)
        CHECK(approval_may_move(allowed[i].from, allowed[i].to));
}

TEST_MAIN(TEST(ids_are_read_back), TEST(states_have_their_names), TEST(states_move_forward_only))
