/* Tools: each row of the table that has a tool name, described by its parameters and by the shape of its
 * answer; a call answers with REST's body. */
#include <stdlib.h>
#include <string.h>

#include "agentproto/mcp_internal.h"
#include "api/admission/operation.h"
#include "api/documents/json_schema.h"
#include "api/endpoint/call_names.h"
#include "api/endpoint/endpoint.h"
#include "api/endpoint/schemas.h"
#include "api/endpoint/toolsets.h"
#include "base/buf.h"
#include "codec/query_string.h"
#include "model/agent.h"

/* ---- the list ---- */

/* The documents' description of it, with names of tools in place of paths. */
static void about_write(struct json_writer *w, const struct endpoint *ep)
{
    jw_string(w, "description",
              arena_printf(w->arena, "%s. %s%s", ep->summary, tools_named(w->arena, ep->about),
                           ep->auth == AUTH_NONE ? " Needs no API key." : ""));
}

static json_t *idempotency_key_schema(void)
{
    return json_pack(
        "{s:s, s:i, s:i, s:s}", "type", "string", "minLength", 1, "maxLength", 255, "description",
        "Repeats with the same key and terms get the first success again, for 24 hours: a fresh quote of the same trade is the same request");
}

static void add_path_argument(struct schema_writer *w, json_t *schema, const struct schema_field *f)
{
    json_object_set_new(json_object_get(schema, "properties"), f->name, schema_of_field(w, f));
    if (json_object_get(schema, "required") == NULL)
        json_object_set_new(schema, "required", json_array());
    json_array_append_new(json_object_get(schema, "required"), json_string(f->name));
}

/* Appends the first example to the description. */
static void example_describe(json_t *schema)
{
    const json_t *example = json_array_get(json_object_get(schema, "examples"), 0);
    char *text = json_is_string(example) ? strdup(json_string_value(example))
                                         : json_dumps(example, JSON_ENCODE_ANY | JSON_COMPACT);

    if (text != NULL)
        json_object_set_new(
            schema, "description",
            json_sprintf("%s; such as %s", json_string_value(json_object_get(schema, "description")), text));
    free(text);
    json_object_del(schema, "examples");
}

/* Keeps the part of JSON Schema that all hosts take: some refuse every tool for one member that they do not
 * know, two types of one value or another format than that of times. Numbers of any precision are texts, and
 * null is said by a word of OpenAPI's. Calls have their names here. */
static void schema_narrow(struct arena *a, json_t *schema)
{
    const char *about = json_string_value(json_object_get(schema, "description"));
    json_t *types = json_object_get(schema, "type"), *member;
    const char *format = json_string_value(json_object_get(schema, "format")), *name;

    if (json_is_array(types)) {
        if (strcmp(json_string_value(json_array_get(types, 1)), "null") == 0)
            json_object_set_new(schema, "nullable", json_true());
        json_object_set_new(schema, "type", json_string("string"));
    }
    if (format != NULL && strcmp(format, "date-time") != 0)
        json_object_del(schema, "format");
    if (about != NULL)
        json_object_set_new(schema, "description", json_string(tools_named(a, about)));
    if (json_object_get(schema, "examples") != NULL)
        example_describe(schema);
    json_object_foreach(json_object_get(schema, "properties"), name, member)
    {
        schema_narrow(a, member);
    }
}

static json_t *tool_input_schema(struct schema_writer *w, const struct endpoint *ep)
{
    static const struct param none[] = { { .name = NULL } };
    json_t *schema = schema_of_params(ep->params != NULL ? ep->params : none, (ep->flags & LENIENT) != 0),
           *properties;

    properties = json_object_get(schema, "properties");
    if (ep->path_param != NULL)
        add_path_argument(w, schema, ep->path_param);
    if (ep->flags & ONCE)
        json_object_set_new(properties, "idempotency_key", idempotency_key_schema());
    schema_narrow(w->arena, schema);
    return schema;
}

/* Leaves out what a program that checks answers does not need: prose and forms of text, half of it all. The
 * documents have them. */
static void schema_bare(json_t *schema)
{
    static const char *const prose[] = { "description", "examples", "format", "pattern" };
    static const char *const maps[] = { "properties", "$defs" };
    static const char *const lists[] = { "anyOf", "oneOf" };
    json_t *inner;
    const char *name;
    size_t k;

    for (size_t i = 0; i < sizeof prose / sizeof prose[0]; i++)
        json_object_del(schema, prose[i]);
    for (size_t i = 0; i < sizeof maps / sizeof maps[0]; i++) {
        json_object_foreach(json_object_get(schema, maps[i]), name, inner)
        {
            schema_bare(inner);
        }
    }
    for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++) {
        json_array_foreach(json_object_get(schema, lists[i]), k, inner)
        {
            schema_bare(inner);
        }
    }
    if (json_object_get(schema, "items") != NULL)
        schema_bare(json_object_get(schema, "items"));
    if (json_is_object(json_object_get(schema, "additionalProperties")))
        schema_bare(json_object_get(schema, "additionalProperties"));
}

/* An operation without a body (204) answers that it succeeded. */
static json_t *tool_output_schema(struct schema_writer *w, const struct endpoint *ep)
{
    const struct schema *const others[] = { ep->or_answer, ep->accepted };
    json_t *schema, *any = NULL;

    if (ep->answer == NULL)
        return json_pack("{s:s, s:{s:{s:s, s:b}}, s:[s]}", "type", "object", "properties", "success", "type",
                         "boolean", "const", 1, "required", "success");
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        if (others[i] == NULL)
            continue;
        if (any == NULL)
            any = json_pack("[o]", schema_ref(w, ep->answer));
        json_array_append_new(any, schema_ref(w, others[i]));
    }
    schema = any == NULL ? schema_of_answer(w, ep->answer)
                         : json_pack("{s:s, s:o}", "type", "object", "anyOf", any);
    if (json_object_size(w->shapes) > 0)
        json_object_set(schema, "$defs", w->shapes);
    schema_bare(schema);
    return schema;
}

static void annotations_write(struct json_writer *w, const struct endpoint *ep)
{
    bool reads = ep->method == GET || (ep->hints & HINT_READ_ONLY);
    bool repeats = ep->method == GET || ep->method == PATCH || ep->method == DELETE;

    jw_object(w, "annotations");
    jw_string(w, "title", ep->summary);
    jw_bool(w, "readOnlyHint", reads);
    jw_bool(w, "destructiveHint", !reads && !(ep->hints & HINT_ADDITIVE));
    jw_bool(w, "idempotentHint", repeats);
    jw_bool(w, "openWorldHint", (ep->hints & HINT_OPEN_WORLD) != 0);
    jw_end(w);
}

/* Takes ownership of the schema. */
static void schema_write(struct json_writer *w, const char *key, json_t *schema)
{
    jw_value(w, key, schema);
    json_decref(schema);
}

static void tool_write(struct json_writer *w, const struct endpoint *ep)
{
    struct schema_writer schemas = { w->arena, "#/$defs", true, json_object() };

    jw_object(w, NULL);
    jw_string(w, "name", ep->tool);
    jw_string(w, "title", ep->summary);
    about_write(w, ep);
    schema_write(w, "inputSchema", tool_input_schema(&schemas, ep));
    schema_write(w, "outputSchema", tool_output_schema(&schemas, ep));
    annotations_write(w, ep);
    jw_end(w);
    json_decref(schemas.shapes);
}

const char *mcp_tool_make(struct arena *a, const struct endpoint *ep)
{
    struct json_writer w;

    jw_init(&w, a, MAX_UPSTREAM);
    tool_write(&w, ep);
    return jw_finish(&w);
}

/* ---- toolsets ---- */

/* The toolsets of the request's URL; NULL: it names none. */
static const char *toolsets_of_url(const struct mcp_call *c)
{
    const char *what, *wanted;
    json_t *query = query_parse(c->api->rq->query, c->api->arena, &what);

    wanted = json_string_value(json_object_get(query, "toolsets"));
    if (wanted != NULL)
        wanted = arena_strdup(c->api->arena, wanted);
    json_decref(query);
    return wanted;
}

/* Those that the agent of the key has chosen for all its clients; NULL: none. */
static const char *toolsets_of_key(struct mcp_call *c)
{
    struct agent agent;
    const char *wanted = NULL;
    json_t *metadata;

    c->private = request_header(c->api->rq, "HTTP_AUTHORIZATION") != NULL;
    if (!operation_has_agent_key(c->api, &agent) || agent.metadata == NULL)
        return NULL;
    metadata = json_loads(agent.metadata, 0, NULL);
    wanted = json_string_value(json_object_get(metadata, "mcp_toolsets"));
    if (wanted != NULL)
        wanted = arena_strdup(c->api->arena, wanted);
    json_decref(metadata);
    return wanted;
}

bool mcp_tools_list(struct mcp_call *c)
{
    const struct endpoint *const *all = endpoints_all();
    const char *from = "toolsets", *wanted = toolsets_of_url(c), *fault;

    if (wanted == NULL) {
        from = "mcp_toolsets of the agent's metadata";
        wanted = toolsets_of_key(c);
    }
    if (wanted == NULL)
        wanted = TOOLSETS_DEFAULT;
    fault = toolsets_fault(wanted, NULL);
    if (fault != NULL)
        return mcp_fail(c, JSONRPC_INVALID_PARAMS, arena_printf(c->api->arena, "%s %s", from, fault));
    if (!mcp_is_first_page(c))
        return false;
    jw_array(&c->result, "tools");
    for (size_t i = 0; all[i] != NULL; i++)
        if (toolsets_have(wanted, all[i]))
            jw_raw(&c->result, NULL, c->mcp->tools[i], strlen(c->mcp->tools[i]), NULL);
    jw_end(&c->result);
    return true;
}

/* ---- the rest ---- */

/* The next name of a list with commas and blanks, in the arena; NULL: that was the last. */
static const char *name_next(struct arena *a, const char **list)
{
    size_t len;

    *list += strspn(*list, ", ");
    len = strcspn(*list, ", ");
    *list += len;
    return len == 0 ? NULL : arena_strndup(a, *list - len, len);
}

/* The first name that is none; NULL: all are there. */
static const char *name_unknown(struct arena *a, const char *names)
{
    const char *name;

    while ((name = name_next(a, &names)) != NULL)
        if (operation_find(name) == NULL)
            return name;
    return NULL;
}

static bool names_have(struct arena *a, const char *names, const struct endpoint *ep)
{
    const char *name;

    while ((name = name_next(a, &names)) != NULL)
        if (operation_find(name) == ep)
            return true;
    return false;
}

struct more_tools_in {
    const char *toolsets, *names;
};

static const struct param more_tools_params[] = {
    { "toolsets", P_TEXT, INTO(struct more_tools_in, toolsets), .min = 1, .max = 200, .check = toolsets_fault,
      .known = toolsets_known, .about = "Tools of these sets, with commas, and their arguments",
      .example = "perps" },
    { "names", P_TEXT, INTO(struct more_tools_in, names), .min = 1, .max = 1000,
      .about = "These tools, with commas, and their arguments", .example = "deposit_perps,withdraw_perps" },
    { 0 },
};

/* clang-format off */
static const struct schema tool_schema = { "Tool", "A tool", FIELDS {
    { "name",        TEXT("quote_perps"),                     "Its name" },
    { "toolset",     TEXT("perps"),                           "Its toolset" },
    { "description", TEXT("Quote a position in a perpetual"), "What it does; with its arguments, also when to use it" },
    { "inputSchema", FREE,                                    "Its arguments, as JSON Schema", MAY_BE_ABSENT },
    END } };

static const struct schema tools_schema = { "Tools", "Tools that can be called", FIELDS {
    SUCCESS,
    { "tools", LIST(tool_schema), "The tools" },
    END } };
/* clang-format on */

static void tool_write_brief(struct json_writer *w, const struct endpoint *ep, bool schemas)
{
    struct schema_writer writer = { w->arena, "#/$defs", true, json_object() };

    jw_object(w, NULL);
    jw_string(w, "name", ep->tool);
    jw_string(w, "toolset", doc_toolsets[doc_tags[ep->tag].toolset].name);
    if (schemas) {
        about_write(w, ep);
        schema_write(w, "inputSchema", tool_input_schema(&writer, ep));
    } else {
        jw_string(w, "description", ep->summary);
    }
    jw_end(w);
    json_decref(writer.shapes);
}

static struct reply *more_tools(struct api_call *c, const void *arg)
{
    const struct more_tools_in *in = arg;
    const char *unknown = in->names == NULL ? NULL : name_unknown(c->arena, in->names), *like;
    struct json_writer *w;

    if (unknown != NULL) {
        like = tools_like(c->arena, unknown);
        return reply_err(c->rq, err_hint(c->arena, &E_TOOL_UNKNOWN,
                                         like == NULL ? E_TOOL_UNKNOWN.hint
                                                      : arena_printf(c->arena, "Did you mean %s?", like)));
    }
    w = reply_open(c->rq, 200);
    jw_array(w, "tools");
    for (const struct endpoint *const *each = endpoints_all(); *each != NULL; each++) {
        const struct endpoint *ep = *each;
        bool all = in->toolsets == NULL && in->names == NULL;

        if (ep->tool != NULL &&
            ((all && (ep->flags & CORE) == 0) || (in->toolsets != NULL && toolsets_have(in->toolsets, ep)) ||
             (in->names != NULL && names_have(c->arena, in->names, ep))))
            tool_write_brief(w, ep, !all);
    }
    jw_end(w);
    return reply_close(w);
}

/* ---- calls ---- */

/* Members that hosts add to the arguments of every tool by themselves; no tool has such an argument. */
static const struct filler {
    const char *name, *value; /* NULL: any */
} fillers[] = {
    { "random_string", NULL }, /* for tools without arguments */
    { "dummy", NULL },
    { "placeholder", NULL },
    { "toolCallId", NULL },
    { "tool_call_id", NULL },
    { "tool", NULL },
    { "sessionId", NULL },
    { "chatInput", NULL },
    { "action", "sendMessage" },
    { "wait_for_previous", NULL },
    { "waitForPreviousTools", NULL },
    { "toolAction", NULL },
    { "toolSummary", NULL },
    { "security_context", NULL },
};

static bool is_filler(const char *name, const json_t *value)
{
    if (*name == '_') /* _meta */
        return true;
    for (size_t i = 0; i < sizeof fillers / sizeof fillers[0]; i++) {
        const char *only = fillers[i].value, *said = json_string_value(value);

        if (strcmp(fillers[i].name, name) == 0 && (only == NULL || (said != NULL && strcmp(only, said) == 0)))
            return true;
    }
    return false;
}

static void fillers_drop(json_t *arguments)
{
    const char *name;
    json_t *value;
    void *next;

    json_object_foreach_safe(arguments, next, name, value)
    {
        if (is_filler(name, value))
            json_object_del(arguments, name);
    }
}

/* Arguments next to `arguments`, or under another name than that, would be dropped: they become members that
 * no tool knows, for the operation to refuse. */
static void misplaced_add(const struct mcp_call *c, json_t *arguments)
{
    static const char *const known[] = { "name", "arguments", "task", "inputResponses", "requestState" };
    const char *said;
    json_t *value;

    json_object_foreach((json_t *)(uintptr_t)c->params, said, value)
    {
        size_t i = 0;

        while (i < sizeof known / sizeof known[0] && strcmp(known[i], said) != 0)
            i++;
        if (i == sizeof known / sizeof known[0] && *said != '_')
            json_object_set(arguments, arena_printf(c->api->arena, "params.%s", said), value);
    }
}

/* Whether it answers with a sentence that may name other calls. */
static bool answers_with_message(const struct endpoint *ep)
{
    const struct schema_field *f = ep->answer == NULL ? NULL : ep->answer->fields;

    while (f != NULL && f->name != NULL && strcmp(f->name, "message") != 0)
        f++;
    return f != NULL && f->name != NULL;
}

/* REST's body, where the calls that it names have their names here. */
static const char *answer_text(struct arena *a, const struct endpoint *ep, struct reply *rp, bool failed)
{
    bool named = reply_is_json(rp) && (failed || answers_with_message(ep));

    return named ? answer_name_tools(a, reply_text(rp)) : reply_text(rp);
}

/* The answer as text for clients that read text, and as JSON for those that read JSON. A failure does not
 * have the shape that the tool promised. */
static void result_write(struct json_writer *w, const struct endpoint *ep, struct reply *rp)
{
    bool failed = reply_status(rp) >= 400;
    const char *text = answer_text(w->arena, ep, rp, failed);

    jw_array(w, "content");
    jw_object(w, NULL);
    jw_string(w, "type", "text");
    jw_string(w, "text", text);
    jw_end(w);
    jw_end(w);
    jw_bool(w, "isError", failed);
    if (!failed && reply_is_json(rp))
        jw_raw(w, "structuredContent", text, strlen(text), NULL);
}

static const char *unknown_tool(const struct mcp_call *c, const char *name)
{
    const char *like = tools_like(c->api->arena, name);

    return like == NULL ? "Unknown tool: more_tools lists what tools/list leaves out"
                        : arena_printf(c->api->arena, "Unknown tool: did you mean %s?", like);
}

bool mcp_tools_call(struct mcp_call *c)
{
    const char *name = mcp_text(c, "name");
    const struct endpoint *ep = name == NULL ? NULL : operation_find(name);
    json_t *arguments;
    struct reply *rp;

    if (ep == NULL)
        return mcp_fail(c, JSONRPC_INVALID_PARAMS, name == NULL ? "name is required" : unknown_tool(c, name));
    arguments = mcp_arguments(c);
    if (arguments == NULL)
        return false;
    fillers_drop(arguments);
    misplaced_add(c, arguments);
    /* Programs that know it by an older name read members that were there too. */
    rp = mcp_operation(c, ep, arguments, strcmp(name, ep->tool) == 0);
    json_decref(arguments);
    if (mcp_shut_out(c, rp))
        return false;
    result_write(&c->result, ep, rp);
    return true;
}

/* ---- endpoints ---- */

static const struct endpoint rows[] = {
    {
        .method = GET,
        .path = V1 "/tools",
        .auth = AUTH_NONE,
        .internal = &E_INTERNAL,
        TAKES(more_tools_params, struct more_tools_in),
        .handler = more_tools,
        .flags = LISTS | CORE,
        .tool = "more_tools",
        .summary = "List more tools",
        .about =
            "Tools of MCP, operations of A2A: without parameters those that MCP's list leaves out. Each can be called by its name, listed or not. Next: the arguments of those you need, by `toolsets` or `names`.",
        .tag = TAG_DISCOVERY,
        .status = 200,
        .answer = &tools_schema,
        .errors = ERRORS{ &E_TOOL_UNKNOWN, NULL },
    },
};

const struct endpoint_group tools_endpoints = { ENDPOINT_ROWS(rows) };
