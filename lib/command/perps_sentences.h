/* Sentences about perpetuals. */
#ifndef COMMAND_PERPS_SENTENCES_H
#define COMMAND_PERPS_SENTENCES_H

#include "command/parse_state.h"

/* Notes a capital word in a part of the sentence that is about perpetuals. False: it is about something else.
 */
bool perps_note_word(struct parse_state *x, unsigned part, const struct noted *n);
/* Notes a mark about perpetuals; any other changes nothing. */
void perps_note_mark(struct perps_pieces *p, unsigned mark);

extern const struct question perps_questions[];
extern const size_t perps_questions_count;
/* The meaning of a sentence about dollars that go to the venue (M_PERPS_IN) or come back. */
const struct err *perps_meaning_of_transfer(struct parse_state *x, struct command *out);

#endif
