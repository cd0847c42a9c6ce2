/* Sentences about policies and approvals. They read all, add what is stricter, and go on with what was
 * granted; none loosens or grants. */
#ifndef COMMAND_POLICY_SENTENCES_H
#define COMMAND_POLICY_SENTENCES_H

#include "command/parse_state.h"

extern const struct question policy_questions[];
extern const size_t policy_questions_count;

#endif
