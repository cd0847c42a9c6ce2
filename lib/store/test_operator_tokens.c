#include "store/operator_tokens.h"
#include "store/test_store.h"

static struct operator_token token;

static enum db_update token_add(const char *name, uint8_t digest)
{
    uint8_t hash[HASH_LEN];

    key_of(digest, hash);
    return operator_tokens_add(db, name, digest % 2 == 0, hash);
}

static enum lookup token_find(uint8_t digest)
{
    uint8_t hash[HASH_LEN];

    key_of(digest, hash);
    return operator_tokens_find(db, hash, &token);
}

static void a_token_is_found_by_its_digest_until_it_is_revoked(void)
{
    CHECK(token_find(1) == LOOKUP_NONE);
    CHECK(token_add("anna", 1) == UPDATED && token_add("bert", 2) == UPDATED);
    CHECK(token_find(1) == LOOKUP_FOUND && !token.read_only && token.revoked_ms == 0);
    CHECK_STR(token.name, "anna");
    CHECK(token_find(2) == LOOKUP_FOUND && token.read_only);
    CHECK_STR(token.name, "bert");
    CHECK(token_find(3) == LOOKUP_NONE);
    CHECK(operator_tokens_revoke(db, "anna") == UPDATED && operator_tokens_revoke(db, "anna") == UNCHANGED);
    CHECK(operator_tokens_revoke(db, "carl") == UNCHANGED);
    CHECK(token_find(1) == LOOKUP_NONE && token_find(2) == LOOKUP_FOUND);
}

static void a_name_stands_for_one_at_a_time(void)
{
    struct operator_token *list;

    CHECK(token_add("bert", 4) == UNCHANGED && token_find(4) == LOOKUP_NONE);
    CHECK(token_add("anna", 5) == UPDATED && token_find(5) == LOOKUP_FOUND);
    CHECK(operator_tokens_list(db, a, &list) == 3);
    CHECK_STR(list[0].name, "anna");
    CHECK_STR(list[1].name, "bert");
    CHECK(list[0].revoked_ms == 0 && list[0].id != list[2].id && list[0].created_ms > 0);
    CHECK_STR(list[2].name, "anna");
    CHECK(list[2].revoked_ms > 0);
}

static void there_are_only_so_many(void)
{
    for (uint8_t i = 2; i < OPERATOR_TOKENS_MAX; i++)
        CHECK(token_add(arena_printf(a, "t%d", i), (uint8_t)(100 + i)) == UPDATED);
    CHECK(token_add("another", 99) == UNCHANGED);
    CHECK(operator_tokens_revoke(db, "bert") == UPDATED && token_add("another", 99) == UPDATED);
}

STORE_TEST_MAIN(TEST(a_token_is_found_by_its_digest_until_it_is_revoked),
                TEST(a_name_stands_for_one_at_a_time), TEST(there_are_only_so_many))
