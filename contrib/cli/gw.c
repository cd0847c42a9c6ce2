/* gw: the gateway from a shell. Every call of the API can be made by its name; commands are calls with their
 * main arguments in a fixed order. Here is what is done with them. */
#include <curl/curl.h>
#include <string.h>
#include <sys/random.h>

#include "base/program.h"
#include "base/safe_text.h"
#include "contrib/cli/client.h"
#include "contrib/cli/command_line.h"
#include "contrib/cli/follow.h"
#include "contrib/cli/show.h"

enum { KEY_BYTES = 16, TIMEOUT_S = 60 };

struct job {
    struct command_line line;
    struct settings settings;
    char key[KEY_MAX];
    struct client client;
};

static const char *random_key(struct arena *a)
{
    unsigned char bytes[KEY_BYTES];
    char *out = arena_alloc(a, 2 * sizeof bytes + 1);

    if (getrandom(bytes, sizeof bytes, 0) != (ssize_t)sizeof bytes) {
        fputs("gw: no random bytes\n", stderr);
        exit(FAILED);
    }
    for (size_t i = 0; i < sizeof bytes; i++)
        (void)snprintf(out + 2 * i, 3, "%02x", bytes[i]);
    return out;
}

static void show(struct job *j, const struct answer *answer)
{
    if (j->line.options.json)
        puts(answer->text != NULL && *answer->text != '\0' ? answer->text : "{}");
    else if (answer->json != NULL)
        show_answer(j->line.arena, answer->json);
}

/* What went wrong, and how to go on. */
static int refused(struct job *j, const struct request *rq, const struct answer *answer)
{
    if (answer->problem != NULL)
        fprintf(stderr, "gw: %s\n", answer->problem);
    else if (j->line.options.json)
        puts(answer->text);
    else
        show_error(j->line.arena, answer->json);
    if (answer->lost && rq->call->once && (j->line.then == NULL || rq->call == j->line.then))
        fprintf(stderr,
                "    it may have been done: the same command with --idempotency-key %s does it once\n",
                j->client.idempotency_key);
    return answer->problem != NULL ? UNREACHABLE : FAILED;
}

/* Makes the call; DONE with its answer, or what gw exits with, told. */
static int call(struct job *j, const struct call *c, struct answer *answer)
{
    struct request rq;
    const char *problem = request_make(&rq, j->line.arena, c, j->line.given, j->line.count);

    *answer = (struct answer){ .status = 0 };
    if (problem == NULL && c->keyed)
        problem = settings_key(&j->settings, j->line.arena, j->key);
    if (problem != NULL)
        return wrong("%s", problem);
    if (!client_send(&j->client, &rq, answer) || answer->status >= 400)
        return refused(j, &rq, answer);
    return DONE;
}

/* The new key of an answer is kept where the former one was. */
static int rotated(struct job *j, const struct answer *answer)
{
    const char *key = json_string_value(json_object_get(answer->json, "api_key"));

    if (key == NULL || j->settings.key_file == NULL)
        return DONE;
    if (!settings_keep(&j->settings, j->line.arena, key)) {
        fprintf(stderr, "gw: the new key could not be kept in %s: store it yourself\n", j->settings.key_file);
        return FAILED;
    }
    fprintf(stderr, "gw: the new key is kept in %s\n", j->settings.key_file);
    return DONE;
}

static int registered(struct job *j)
{
    const char *problem = settings_reserve(&j->settings, j->line.arena);
    struct answer answer;
    const char *key;
    int rc;

    if (problem != NULL)
        return wrong("%s", problem);
    if ((rc = call(j, j->line.call, &answer)) != DONE) {
        settings_release(&j->settings);
        return rc;
    }
    key = json_string_value(json_object_get(json_object_get(answer.json, "agent"), "api_key"));
    show(j, &answer);
    if (key == NULL || !settings_keep(&j->settings, j->line.arena, key)) {
        fprintf(stderr, "gw: the key could not be kept in %s: store it yourself, it is not shown again\n",
                j->settings.key_file);
        return FAILED;
    }
    fprintf(stderr, "gw: the key is kept in %s; it is not shown again\n", j->settings.key_file);
    return DONE;
}

static const char *text_of(struct job *j, const json_t *object, const char *name)
{
    const char *text = json_string_value(json_object_get(object, name));

    return text != NULL ? safe_text_terminal(j->line.arena, text) : "?";
}

static int exit_of(enum followed state)
{
    return state == FOLLOWED_FAILED        ? FAILED
           : state == FOLLOWED_OPEN        ? OPEN
           : state == FOLLOWED_UNREACHABLE ? UNREACHABLE
                                           : DONE;
}

/* The answer of the last call: followed, shown, and what it means for the exit status. */
static int finish(struct job *j, const struct call *c, struct answer *answer)
{
    int64_t wait_s = j->line.options.wait_s >= 0 ? j->line.options.wait_s
                     : j->line.command == NULL   ? 0
                                                 : j->line.command->wait_s;
    bool followed = j->line.options.wait_s >= 0 || wait_s > 0;
    enum followed state = FOLLOWED_NOTHING;
    int rc;

    if (answer->status == 202 && json_object_get(answer->json, "approval_id") != NULL) {
        state = FOLLOWED_OPEN;
        fprintf(stderr, "gw: it waits for the operator's approval; once granted: gw call %s approval_id=%s\n",
                c->tool, text_of(j, answer->json, "approval_id"));
    } else if (followed && answer->json != NULL)
        state = follow(&j->client, c, answer, wait_s);
    rc = exit_of(state);
    show(j, answer);
    if (strcmp(c->tool, "rotate_api_key") == 0)
        rc = rotated(j, answer);
    return rc;
}

/* A quote, and the swap by it. The key of the options is the swap's: the quote is a new one each time. */
static int swapped(struct job *j)
{
    const char *key = j->client.idempotency_key, *id;
    struct answer quote, answer;
    int rc;

    j->client.idempotency_key = random_key(j->line.arena);
    rc = call(j, j->line.call, &quote);
    j->client.idempotency_key = key;
    if (rc != DONE)
        return rc;
    id = json_string_value(json_object_get(quote.json, "quote_id"));
    if (id == NULL || j->line.count == GIVEN_MAX)
        return FAILED;
    j->line.given[j->line.count++] = (struct given){ "quote_id", arena_strdup(j->line.arena, id) };
    if (!j->line.options.json)
        fprintf(stderr, "gw: %s %s for %s %s\n", text_of(j, quote.json, "amount_in"),
                text_of(j, json_object_get(quote.json, "from_token"), "symbol"),
                text_of(j, quote.json, "amount_out"),
                text_of(j, json_object_get(quote.json, "to_token"), "symbol"));
    rc = call(j, j->line.then, &answer);
    return rc != DONE ? rc : finish(j, j->line.then, &answer);
}

static int run(struct job *j)
{
    const char *problem =
        settings_open(&j->settings, j->line.arena, j->line.options.url, j->line.options.key_file);
    struct answer answer;
    int rc;

    if (problem != NULL)
        return wrong("%s", problem);
    j->client = (struct client){
        .settings = &j->settings,
        .arena = j->line.arena,
        .key = j->key,
        .idempotency_key = j->line.options.idempotency_key != NULL ? j->line.options.idempotency_key
                                                                   : random_key(j->line.arena),
        .patience_ms = (j->line.options.timeout_s >= 0 ? j->line.options.timeout_s : TIMEOUT_S) * 1000,
        .full = j->line.options.json,
    };
    if (strcmp(j->line.call->tool, "register_agent") == 0)
        return registered(j);
    if (j->line.then != NULL)
        return swapped(j);
    rc = call(j, j->line.call, &answer);
    return rc != DONE ? rc : finish(j, j->line.call, &answer);
}

/* The calls whose name or purpose has the word. */
static int tools(const char *word)
{
    for (const struct call *c = calls; c < calls + calls_count; c++) {
        if (strstr(c->tool, word) == NULL && strstr(c->about, word) == NULL)
            continue;
        printf("%-28s%s\n", c->tool, c->about);
        for (const struct member *m = c->members; *word != '\0' && m->name != NULL; m++)
            printf("  %s%s\n", m->name, m->required ? " (required)" : "");
    }
    return DONE;
}

int main(int argc, char **argv)
{
    struct job j = { .line = { .count = 0 } };
    int rc;

    program_greet(argc, argv, "gw", usage);
    if (argc > 1 && strcmp(argv[1], "words") == 0)
        return command_line_words(argc - 2, argv + 2);
    if (argc > 1 && strcmp(argv[1], "tools") == 0)
        return tools(argc > 2 ? argv[2] : "");
    j.line.arena = arena_new();
    (void)curl_global_init(CURL_GLOBAL_DEFAULT);
    rc = command_line_read(&j.line, argc, argv);
    if (rc == DONE)
        rc = run(&j);
    explicit_bzero(j.key, sizeof j.key);
    curl_global_cleanup();
    arena_free(j.line.arena);
    return fflush(stdout) == 0 ? rc : FAILED;
}
