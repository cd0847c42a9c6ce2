#include "agentproto/a2a_conversation.c"

#include "base/test.h"

static struct arena *a;
static struct a2a_conversation talk;

static void begin_talk(void)
{
    a = arena_new();
    talk = (struct a2a_conversation){ .a = a };
}

static void end_talk(void)
{
    a2a_conversation_end(&talk);
    arena_free(a);
}

static void say(const char *text)
{
    json_t *arguments = json_pack("{s:s}", "command", text);

    a2a_conversation_add(&talk, a2a_plain_operation(), arguments);
    json_decref(arguments);
}

static void call(const char *tool, const char *arguments)
{
    json_t *o = json_loads(arguments, 0, NULL);

    a2a_conversation_add(&talk, operation_find(tool), o);
    json_decref(o);
}

static const char *argument(const char *name)
{
    return json_string_value(json_object_get(talk.arguments, name));
}

static void a_sentence_and_its_pieces_become_one_command(void)
{
    begin_talk();
    call("execute_command", "{\"command\": \"swap USDC.e to USDT\", \"wallet_address\": \"0x1\"}");
    CHECK(talk.asks != NULL);
    say("banana");
    CHECK(talk.asks != NULL &&
          strstr(talk.asks->hint, "That is not what was asked for. The amount is missing") != NULL);
    say("0.1 bananas");
    CHECK(talk.asks != NULL &&
          strstr(talk.asks->hint, "bananas is not in the trade that was begun. The") != NULL);
    say("5");
    CHECK(talk.asks != NULL && strstr(talk.asks->hint, "Several chains") != NULL);
    say("on polygon");
    CHECK(talk.asks == NULL);
    CHECK_STR(argument("command"), "swap 5 USDC.e on polygon to USDT on polygon");
    CHECK_STR(argument("wallet_address"), "0x1");
    /* It was refused when it was carried out, or they would not go on. */
    say("optimism");
    CHECK_STR(argument("command"), "swap 5 USDC.e on optimism to USDT on optimism");
    say("quote 1 ETH to USDC");
    CHECK(talk.asks == NULL);
    CHECK_STR(argument("command"), "quote 1 ETH to USDC");
    end_talk();
}

static void there_are_only_so_many_pieces(void)
{
    begin_talk();
    say("swap ETH to USDC");
    for (int i = 0; i < CONVERSATION_PIECES_MAX; i++) {
        say("at market");
        CHECK(talk.asks != NULL && strstr(talk.asks->hint, "amount is missing") != NULL);
    }
    say("at market");
    CHECK_STR(talk.asks->hint, "These are too many pieces: say the whole command");
    say("0.1");
    CHECK_STR(talk.asks->hint, "These are too many pieces: say the whole command");
    say("swap 0.1 ETH to USDC");
    CHECK(talk.asks == NULL);
    end_talk();
}

static void an_operation_keeps_its_arguments(void)
{
    begin_talk();
    call("get_quote", "{\"from_token\": \"ETH\", \"amount\": \"7\"}");
    say("0.1");
    CHECK(talk.asks != NULL && talk.ep == operation_find("get_quote"));
    call("get_quote", "{\"amount\": \"0.1\"}");
    CHECK(talk.asks == NULL);
    CHECK_STR(argument("from_token"), "ETH");
    CHECK_STR(argument("amount"), "0.1");
    say("help");
    CHECK(talk.ep == a2a_plain_operation() && argument("amount") == NULL);
    call("get_quote", "{}");
    CHECK(talk.ep == operation_find("get_quote") && argument("from_token") == NULL);
    end_talk();
}

static void stored_messages_restore_the_conversation(void)
{
    begin_talk();
    a2a_conversation_add_kept(&talk, "{\"parts\": [{\"text\": \"swap ETH\"}, {\"text\": \"to USDC\"}]}");
    CHECK(talk.asks != NULL);
    a2a_conversation_add_kept(
        &talk,
        "{\"parts\": [{\"data\": {\"operation\": \"execute_command\", \"arguments\": {\"command\": \"half\", \"wallet_address\": \"" SAFE_TEXT_SECRET
        "\"}}}]}");
    CHECK(talk.asks == NULL && argument("wallet_address") == NULL);
    CHECK_STR(argument("command"), "swap 50% of my ETH on ethereum to USDC on ethereum");
    a2a_conversation_add_kept(&talk, "{\"parts\": [{\"data\": {\"operation\": \"gone_since\"}}]}");
    CHECK(talk.ep == a2a_plain_operation());
    end_talk();
}

TEST_MAIN(TEST(a_sentence_and_its_pieces_become_one_command), TEST(there_are_only_so_many_pieces),
          TEST(an_operation_keeps_its_arguments), TEST(stored_messages_restore_the_conversation))
