#include "api/endpoints.c"

#include "api/endpoint/schemas.h"
#include "base/test.h"
#include "exec/kind.h"

/* Reports a fault with the row's name, so that the author of a row knows what to mend. */
static void row_fault(const struct endpoint *ep, const char *what)
{
    test_case_failures++;
    fprintf(stderr, "%s %s: %s\n", method_text(ep->method), ep->path, what);
}

/* ---- rows ---- */

static void every_row_is_documented(void)
{
    for (const struct endpoint *const *each = endpoints_all(); *each != NULL; each++) {
        const struct endpoint *ep = *each;
        enum audience of = endpoint_audience(ep);

        if (of == FOR_AGENTS && ep->tool == NULL)
            row_fault(ep, "has no tool name, of which its operationId is made");
        if (of == FOR_OPERATOR && ep->operation == NULL)
            row_fault(ep, "has no name for its operationId");
        if (of == FOR_NOBODY && (ep->about != NULL || ep->tag != 0 || ep->skill != 0 || ep->answer != NULL))
            row_fault(ep, "is not part of the API and needs no documentation");
    }
}

static void documentation_is_sound(const struct endpoint *ep)
{
    const char *brace = strchr(ep->path, '{');

    if (ep->tag == 0 || ep->about == NULL || strlen(ep->about) < 40)
        row_fault(ep, "it needs a tag and a description");
    if (strlen(ep->summary) > 60)
        row_fault(ep, "its summary is longer than 60 characters");
    if (ep->status != 204 ? ep->status / 100 != 2 || ep->answer == NULL : ep->answer != NULL)
        row_fault(ep, "it needs the status of success, and the shape of its answer unless that is 204");
    if ((brace != NULL) != (ep->path_param != NULL))
        row_fault(ep, "it must describe the {…} of the path, if there is one");
    if (brace != NULL && ep->path_param != NULL &&
        strncmp(brace + 1, ep->path_param->name, strcspn(brace + 1, "}")) != 0)
        row_fault(ep, "it describes another {…}");
    for (size_t i = 0; ep->errors != NULL && ep->errors[i] != NULL; i++)
        if (ep->errors[i]->status == 401)
            row_fault(ep, "its 401 is told by `denied`");
    for (const struct param *p = ep->params; p != NULL && p->name != NULL; p++)
        if (p->required && p->example == NULL)
            row_fault(ep, "each required parameter needs an example");
}

/* An agent gets out of what it is in, in spite of all that waits. */
static void closing_calls_have_slots_of_their_own(void)
{
    static const struct {
        enum method method;
        const char *path;
    } out[] = { { POST, V1 "/perps/close" },
                { DELETE, V1 "/perps/order/{id}" },
                { DELETE, V1 "/predict/order/{id}" },
                { POST, V1 "/wallets/withdraw" },
                { POST, V1 "/predict/withdraw" },
                { POST, V1 "/predict/redeem" },
                { POST, V1 "/perps/withdraw" },
                { POST, V1 "/lend/withdraw" },
                { POST, V1 "/lend/repay" } };

    for (size_t i = 0; i < sizeof out / sizeof out[0]; i++) {
        const struct endpoint *ep = endpoints_find(out[i].method, out[i].path);

        CHECK(ep != NULL && (ep->flags & (WAITS | FREES)) == (WAITS | FREES));
    }
}

static void documentation_of_all_is_sound(void)
{
    for (const struct endpoint *const *ep = endpoints_all(); *ep != NULL; ep++)
        if (endpoint_audience(*ep) != FOR_NOBODY)
            documentation_is_sound(*ep);
}

/* No key of an agent's opens them, no protocol of agents' offers them, and what changes something wants a
 * reason. */
static void the_operators_rows_are_his_alone(void)
{
    for (const struct endpoint *const *each = endpoints_all(); *each != NULL; each++) {
        const struct endpoint *ep = *each;
        bool document = strcmp(ep->path, V1_OPERATOR "/openapi") == 0, reason = false;

        if ((endpoint_audience(ep) == FOR_OPERATOR) != (ep->auth == AUTH_OPERATOR || document))
            row_fault(ep, "the operator's rows lie under " V1_OPERATOR " and want his token");
        if (endpoint_audience(ep) != FOR_OPERATOR)
            continue;
        for (const struct param *p = ep->params; p != NULL && p->name != NULL; p++)
            reason = reason || (p->required && strcmp(p->name, "reason") == 0);
        if (ep->tool != NULL || ep->skill != 0 || ep->tag < AGENT_TAGS || (ep->flags & ONCE) != 0)
            row_fault(ep, "is offered to agents");
        if (reason != (ep->method != GET))
            row_fault(ep, "what changes something, and nothing else, wants a reason");
    }
}

static void decimals_are_read_as_sent(void)
{
    for (const struct endpoint *const *ep = endpoints_all(); *ep != NULL; ep++)
        for (const struct param *p = (*ep)->params; p != NULL && p->name != NULL; p++)
            if (p->kind == P_DECIMAL && ((*ep)->flags & DECIMALS) == 0)
                row_fault(*ep, "a row with a P_DECIMAL needs DECIMALS");
}

static void every_tag_and_skill_is_used(void)
{
    unsigned tags[DOC_TAGS] = { 0 }, skills[DOC_SKILLS] = { 0 };

    for (const struct endpoint *const *ep = endpoints_all(); *ep != NULL; ep++) {
        tags[(*ep)->tag]++;
        skills[(*ep)->skill]++;
    }
    for (size_t i = 1; i < DOC_TAGS; i++)
        CHECK(tags[i] > 0 && doc_tags[i].name[0] != '\0' && doc_tags[i].about[0] != '\0');
    for (size_t i = 1; i < DOC_SKILLS; i++)
        CHECK(skills[i] > 0 && doc_skills[i].tags[0] != NULL);
}

static void rows_are_found(void)
{
    size_t n = 0;

    for (const struct endpoint *const *ep = endpoints_all(); *ep != NULL; ep++, n++)
        CHECK(endpoints_find((*ep)->method, (*ep)->path) == *ep);
    CHECK(n > 0);
    CHECK(endpoints_find(GET, V1 "/nowhere") == NULL && endpoints_find(DELETE, V1 "/quote") == NULL);
}

/* ---- the shapes ---- */

static bool has_choice(const char *const *choices, const char *example)
{
    while (*choices != NULL && strcmp(*choices, example) != 0)
        choices++;
    return *choices != NULL;
}

/* Clients that validate would throw away an answer with a name that its schema does not list. */
static void approvals_name_every_kind_that_waits(void)
{
    const struct schema_field *f = endpoints_find(GET, V1 "/approvals/{id}")->answer->fields;

    while (strcmp(f->name, "approval") != 0)
        f++;
    for (f = f->of->fields; strcmp(f->name, "action") != 0;)
        f++;
    for (unsigned id = KIND_SWAP; exec_kind_of((enum exec_kind_id)id) != NULL; id++) {
        const struct exec_kind *k = exec_kind_of((enum exec_kind_id)id);

        if (k->terms != NULL && k->policies != POLICIES_NONE && !has_choice(f->choices, k->name))
            CHECK_STR(k->name, "in the choices of action");
    }
}

static bool example_fits(const struct schema_field *f)
{
    if ((f->marks & MAY_BE_NULL) && f->example != NULL && strcmp(f->example, "null") == 0)
        return true;
    switch (f->kind) {
    case S_TRUE:
    case S_FALSE:
    case S_FREE:
    case S_STRINGS:
        return f->of == NULL && f->example == NULL;
    case S_OBJECT:
        return f->of != NULL;
    case S_MAP:
        return f->of != NULL && f->example != NULL;
    case S_LIST:
        return f->of != NULL && f->example == NULL;
    case S_CHOICE:
        return f->choices != NULL && f->example != NULL && has_choice(f->choices, f->example);
    case S_WHOLE:
        return f->example != NULL && strspn(f->example, "0123456789") == strlen(f->example);
    case S_FLAG:
        return f->example != NULL && (strcmp(f->example, "true") == 0 || strcmp(f->example, "false") == 0);
    case S_TEXT:
    case S_AMOUNT:
    case S_DECIMAL:
    case S_TIME:
    case S_UUID:
    case S_URI:
    case S_HEX:
    case S_NUMBER:
    case S_TEXTS:
    case S_NUMBERS:
        return f->example != NULL && f->example[0] != '\0';
    }
    return false;
}

static void shape_is_sound(const struct schema *s)
{
    for (const struct schema_field *f = s->fields; f->name != NULL; f++) {
        if (!example_fits(f) || f->about == NULL || f->about[0] == '\0') {
            test_case_failures++;
            fprintf(stderr, "%s.%s: needs a fitting example and a description\n", s->name, f->name);
        }
        for (const struct schema_field *g = s->fields; g < f; g++)
            CHECK(strcmp(f->name, g->name) != 0);
        if (f->of != NULL)
            shape_is_sound(f->of);
    }
    if (s->base != NULL)
        shape_is_sound(s->base);
}

static void shapes_are_sound(void)
{
    for (const struct endpoint *const *ep = endpoints_all(); *ep != NULL; ep++) {
        const struct schema *const shapes[] = { (*ep)->answer, (*ep)->or_answer, (*ep)->accepted };

        for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++)
            if (shapes[i] != NULL)
                shape_is_sound(shapes[i]);
    }
    for (const struct endpoint_group *const *g = endpoint_groups; *g != NULL; g++)
        for (const struct endpoint_event *e = (*g)->events; e != NULL && e->type != NULL; e++)
            shape_is_sound(e->body);
    shape_is_sound(&error_schema);
}

TEST_MAIN(TEST(closing_calls_have_slots_of_their_own), TEST(rows_are_found), TEST(every_row_is_documented),
          TEST(documentation_of_all_is_sound), TEST(every_tag_and_skill_is_used),
          TEST(the_operators_rows_are_his_alone), TEST(decimals_are_read_as_sent), TEST(shapes_are_sound),
          TEST(approvals_name_every_kind_that_waits))
