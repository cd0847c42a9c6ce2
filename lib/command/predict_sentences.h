/* Sentences about prediction markets. */
#ifndef COMMAND_PREDICT_SENTENCES_H
#define COMMAND_PREDICT_SENTENCES_H

#include "command/parse_state.h"

extern const struct question predict_questions[];
extern const size_t predict_questions_count;
/* The meaning of a sentence about collateral that goes to the venue (M_PREDICT_IN) or comes back. */
const struct err *predict_meaning_of_transfer(struct parse_state *x, struct command *out);

#endif
