/* Commands in plain English, for protocols that ask back. */
#ifndef API_COMMAND_H
#define API_COMMAND_H

#include <stdbool.h>

#include "core/arena.h"

/* Whether the sentence was refused for nothing but a piece that can be asked for: an amount or a chain. */
bool command_lacks_a_piece(struct arena *a, const char *text);

#endif
