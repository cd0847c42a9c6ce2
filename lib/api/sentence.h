/* A command in plain English that is being carried out: the calls of the operations behind it, and the answer
 * that is made of theirs. */
#ifndef API_SENTENCE_H
#define API_SENTENCE_H

#include <jansson.h>

#include "api/admission/api_call.h"
#include "command/parse.h"
#include "http/reply.h"

/* The parameters of POST /execute. */
struct execute_in {
    const char *command, *wallet_address;
    uint32_t max_impact;
    bool dry_run;
};

struct sentence {
    struct api_call *call;
    const struct execute_in *in;
    struct command *c;
    /* Amounts of a swap, once they are known; or NULL: */
    const char *amount_in, *expected_out;
};

/* The answer up to the members of `result`, and its end. */
struct json_writer *sentence_open(const struct sentence *x, int status);
struct reply *sentence_close(struct json_writer *w);
/* The answer that an operation's makes. A refusal is passed on; a dry run only mentions it. */
struct reply *sentence_finish(const struct sentence *x, struct reply *inner);
struct reply *sentence_refuse(const struct sentence *x, const struct err *e);

/* Calls of tools; each takes ownership of the arguments. */

/* A step on the way, which is not recorded; its answer is the operation's. */
struct reply *sentence_step(const struct sentence *x, const char *tool, json_t *arguments);
/* The call that does the sentence's work: what is recorded with it is the sentence's answer. */
struct reply *sentence_work(const struct sentence *x, const char *tool, json_t *arguments);
/* The same by the tool of the sentence's action; or with `id` as the argument of that tool's path. */
struct reply *sentence_act(const struct sentence *x, json_t *arguments);
struct reply *sentence_act_on(const struct sentence *x, const char *id);
struct reply *sentence_act_on_number(const struct sentence *x, uint64_t id);
/* Does nothing: the answer says what would be done. */
struct reply *sentence_simulate(const struct sentence *x);

/* By the member `id` of the first in the tool's list; 0: none. */
uint64_t sentence_newest(const struct sentence *x, const char *tool, const char *list, const char *id);
/* The argument of a tool's path, under the path's name for it. */
json_t *sentence_path(const char *tool, const char *value);
/* NULL, which json_pack leaves out, for 0, PPM_NONE and no chain. */
json_t *sentence_whole(uint64_t n);
json_t *sentence_fraction(uint32_t ppm);
const char *sentence_chain(const struct chain *c);
/* The params of the policy that is to be added. */
json_t *sentence_policy(const struct command *c);

#endif
