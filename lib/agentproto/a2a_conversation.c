#include "agentproto/a2a_conversation.h"

#include <string.h>

#include "api/admission/operation.h"
#include "base/buf.h"
#include "base/json_writer.h"
#include "base/safe_text.h"
#include "command/parse.h"
#include "model/approval.h"

const struct endpoint *a2a_plain_operation(void)
{
    const struct endpoint *const *ep = endpoints_all();

    while (((*ep)->flags & SENTENCES) == 0)
        ep++;
    return *ep;
}

/* ---- plain English ---- */

static const struct err *sentence_complete(const struct a2a_conversation *t, struct command *out)
{
    return command_complete(t->a, t->sentence, t->pieces, t->pieces_count, out);
}

static void command_set(struct a2a_conversation *t, const char *text)
{
    json_object_set_new(t->arguments, "command", json_string(text));
}

/* A sentence that cannot be completed is left to the operation, which refuses it. */
static void sentence_begin(struct a2a_conversation *t, const char *text)
{
    struct command c;
    const struct err *e = command_parse(t->a, text, &c);

    t->sentence = text;
    t->pieces_count = 0;
    t->asks = e != NULL && c.lacks_a_piece ? e : NULL;
    command_set(t, text);
}

static const char *error_text(const struct err *e)
{
    return e->hint != NULL && err_is(e, &E_COMMAND) ? e->hint : e->text;
}

/* Says what was wrong with the piece, and then what is still needed. */
static const struct err *error_ask_again(const struct a2a_conversation *t, const struct err *wrong)
{
    struct command c;
    const struct err *asked = sentence_complete(t, &c);

    if (asked == NULL || !c.lacks_a_piece)
        return wrong;
    return err_hint(t->a, &E_COMMAND, arena_printf(t->a, "%s. %s", error_text(wrong), error_text(asked)));
}

/* Pieces that made the sentence complete were carried out and refused: the last one is taken back. */
static void piece_take_back(struct a2a_conversation *t)
{
    struct command c;

    if (t->pieces_count > 0 && sentence_complete(t, &c) == NULL)
        t->pieces_count--;
}

static void piece_add(struct a2a_conversation *t, const char *text)
{
    struct command c;

    piece_take_back(t);
    if (t->pieces_count == CONVERSATION_PIECES_MAX) {
        t->asks = err_hint(t->a, &E_COMMAND, "These are too many pieces: say the whole command");
        return;
    }
    t->pieces[t->pieces_count++] = text;
    t->asks = sentence_complete(t, &c);
    if (t->asks == NULL)
        command_set(t, command_text(t->a, &c));
    if (t->asks == NULL || c.lacks_a_piece)
        return;
    t->pieces_count--;
    t->asks = error_ask_again(t, t->asks);
}

static bool text_stands_alone(struct arena *a, const char *text)
{
    struct command c;

    return command_parse(a, text, &c) == NULL || c.lacks_a_piece;
}

/* ---- messages ---- */

/* Secrets are not kept and have to be sent again. */
static bool argument_is_whole(struct arena *a, const char *name, json_t *value)
{
    json_t *both = json_pack("[s, O]", name, value);
    bool whole = strstr(jw_text_of(a, both, 0), SAFE_TEXT_SECRET) == NULL;

    json_decref(both);
    return whole;
}

/* Continues the operation that is in progress. */
static void operation_continue(struct a2a_conversation *t, const char *text)
{
    struct command c;

    t->asks = NULL;
    if (text != NULL && text_stands_alone(t->a, text)) {
        sentence_begin(t, text);
    } else if (text != NULL && t->sentence != NULL) {
        piece_add(t, text);
    } else if (text != NULL) {
        t->asks = command_parse(t->a, text, &c);
    } else if (t->sentence != NULL && sentence_complete(t, &c) != NULL) {
        t->asks = error_ask_again(t, sentence_complete(t, &c));
    }
}

static void operation_begin(struct a2a_conversation *t, const struct endpoint *ep, const char *text)
{
    json_decref(t->arguments);
    t->arguments = json_object();
    t->ep = ep;
    t->sentence = NULL;
    t->asks = NULL;
    if (text != NULL)
        sentence_begin(t, text);
}

static void message_add(struct a2a_conversation *t, const struct endpoint *ep, const json_t *arguments,
                        bool kept)
{
    const char *command = json_string_value(json_object_get(arguments, "command"));
    const char *text = ep == a2a_plain_operation() && command != NULL ? arena_strdup(t->a, command) : NULL;
    struct command c;

    if (t->ep != NULL && ep != t->ep && text != NULL && !text_stands_alone(t->a, text)) {
        t->asks = command_parse(t->a, text, &c); /* the operation in progress stays */
        return;
    }
    if (ep != t->ep)
        operation_begin(t, ep, text);
    else
        operation_continue(t, text);
    /* The command is put together from its pieces instead. */
    const char *name;
    json_t *value;

    json_object_foreach((json_t *)(uintptr_t)arguments, name, value)
    {
        if ((!kept || argument_is_whole(t->a, name, value)) &&
            !(text != NULL && strcmp(name, "command") == 0))
            json_object_set(t->arguments, name, value);
    }
}

void a2a_conversation_add(struct a2a_conversation *t, const struct endpoint *ep, const json_t *arguments)
{
    message_add(t, ep, arguments, false);
}

/* The texts of a message, joined as they were when it arrived. */
static json_t *message_command(const json_t *parts)
{
    struct buf text = BUF_INIT(MAX_BODY);
    json_t *part, *arguments;
    size_t i;

    json_array_foreach(parts, i, part)
    {
        buf_adds(&text, i > 0 ? " " : "");
        buf_adds(&text, json_string_value(json_object_get(part, "text")));
    }
    arguments = json_pack("{s:s}", "command", buf_text(&text));
    buf_free(&text);
    return arguments;
}

/* A message with nothing but an approval_id says nothing for later ones. */
static bool message_is_approval(const json_t *data, const json_t *text)
{
    const char *said = json_string_value(json_object_get(text, "command"));
    struct uuid id;

    return data != NULL ? json_object_get(data, "operation") == NULL
                        : said != NULL && approval_id_parse(&id, said);
}

void a2a_conversation_add_kept(struct a2a_conversation *t, const char *kept)
{
    json_t *m = json_loads(kept, 0, NULL), *parts = json_object_get(m, "parts"), *part, *data = NULL, *text;
    const struct endpoint *ep = NULL;
    size_t i;

    json_array_foreach(parts, i, part)
    {
        data = data != NULL ? data : json_object_get(part, "data");
    }
    text = data == NULL ? message_command(parts) : NULL;
    if (!message_is_approval(data, text))
        ep = data == NULL ? a2a_plain_operation()
                          : operation_find(json_string_value(json_object_get(data, "operation")));
    if (ep != NULL) /* unknown: kept by another version of this program */
        message_add(t, ep, data == NULL ? text : json_object_get(data, "arguments"), true);
    json_decref(text);
    json_decref(m);
}

void a2a_conversation_end(struct a2a_conversation *t)
{
    json_decref(t->arguments);
    t->arguments = NULL;
}
