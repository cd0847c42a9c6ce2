#include "contrib/cli/follow.h"

#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "base/safe_text.h"
#include "contrib/cli/progress.h"
#include "contrib/cli/show.h"

/* A member of answers that names something that ends by itself, and the call that shows how it stands. `of`:
 * a word in the name of the tool or of the sentence's action. */
static const struct begun {
    const char *member, *of, *tool, *argument, *noun;
} all_begun[] = {
    { "swap_id", "", "get_swap_status", "swapId", "swap" },
    { "withdrawal", "", "get_withdrawal", "id", "withdrawal" },
    { "operation", "", "get_lending_operation", "id", "operation" },
    { "transfer", "perps", "get_perps_transfer", "id", "transfer" },
    { "transfer", "predict", "get_prediction_transfer", "id", "transfer" },
};

static const char *word_of(const json_t *v, const char *name)
{
    const char *text = json_string_value(json_object_get(v, name));

    return text != NULL ? text : "";
}

/* The part of an answer that has the member: a sentence's is in `result`. */
static const json_t *part_of(const json_t *answer)
{
    const json_t *result = json_object_get(answer, "result");

    return json_is_object(result) ? result : answer;
}

static const struct begun *begun_find(const struct call *call, const json_t *answer)
{
    for (size_t i = 0; i < sizeof all_begun / sizeof all_begun[0]; i++)
        if (json_object_get(part_of(answer), all_begun[i].member) != NULL &&
            (strstr(call->tool, all_begun[i].of) != NULL ||
             strstr(word_of(answer, "action"), all_begun[i].of) != NULL))
            return &all_begun[i];
    return NULL;
}

/* The object with `id` and `status`. */
static const json_t *thing_of(const json_t *answer, const struct begun *b)
{
    const json_t *part = part_of(answer), *inner = json_object_get(part, b->member);

    return json_is_object(inner) ? inner : part;
}

static const char *id_of(struct arena *a, const json_t *answer, const struct begun *b)
{
    const json_t *thing = thing_of(answer, b),
                 *id = json_object_get(thing, thing == part_of(answer) ? b->member : "id");

    return json_is_integer(id)  ? arena_printf(a, "%lld", (long long)json_integer_value(id))
           : json_is_string(id) ? safe_text_terminal(a, json_string_value(id))
                                : NULL;
}

static enum followed state_of(const json_t *answer, const struct begun *b)
{
    const char *status = word_of(thing_of(answer, b), "status");

    return strcmp(status, "completed") == 0 ? FOLLOWED_DONE
           : strcmp(status, "failed") == 0  ? FOLLOWED_FAILED
                                            : FOLLOWED_OPEN;
}

enum followed follow(const struct client *c, const struct call *call, struct answer *answer, int64_t wait_s)
{
    const struct begun *b = begun_find(call, answer->json);
    const char *id = b == NULL ? NULL : id_of(c->arena, answer->json, b), *problem;
    int64_t begin = clock_mono_ms(), passed_s = 0;
    const struct given asked[] = { { b == NULL ? NULL : b->argument, id }, { "wait", "5" } };
    struct request rq;
    enum followed state;

    if (id == NULL)
        return FOLLOWED_NOTHING;
    problem = request_make(&rq, c->arena, call_find(b->tool), asked, 2);
    while ((state = state_of(answer->json, b)) == FOLLOWED_OPEN && passed_s < wait_s && problem == NULL) {
        int64_t asked_ms = clock_mono_ms();
        struct answer next;

        progress_show("%s %s: %s", b->noun, id,
                      safe_text_terminal(c->arena, word_of(thing_of(answer->json, b), "status")));
        if (!client_send(c, &rq, &next) || next.status != 200) {
            if (next.problem != NULL)
                fprintf(stderr, "gw: %s\n", next.problem);
            else
                show_error(c->arena, next.json);
            state = next.problem != NULL ? FOLLOWED_UNREACHABLE : FOLLOWED_OPEN;
            break;
        }
        *answer = next;
        /* A gateway where many wait answers at once. */
        if (state_of(answer->json, b) == FOLLOWED_OPEN && clock_mono_ms() - asked_ms < 1000)
            (void)nanosleep(&(struct timespec){ .tv_sec = 1 }, NULL);
        passed_s = (clock_mono_ms() - begin) / 1000;
    }
    progress_end();
    if (state == FOLLOWED_OPEN || state == FOLLOWED_UNREACHABLE)
        fprintf(stderr, "gw: %s %s is not over yet: gw call %s %s=%s\n", b->noun, id, b->tool, b->argument,
                id);
    return state;
}
