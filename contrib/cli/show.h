/* Answers for people: aligned lines, and tables of lists. */
#ifndef CLI_SHOW_H
#define CLI_SHOW_H

#include <jansson.h>

#include "base/arena.h"

/* On stdout, safe for a terminal. */
void show_answer(struct arena *a, const json_t *answer);
/* On stderr: the error with its code, each faulty member, and the hint. */
void show_error(struct arena *a, const json_t *answer);

#endif
