/* A table that forked processes share, for values that can be learnt again: each place holds the value that a
 * process wrote there last. No process waits for another. A value that is read while it is written, or that a
 * dead process left unfinished, is absent: a checksum shows it. Values may point to the program's objects at
 * fixed addresses. */
#ifndef BASE_BOARD_H
#define BASE_BOARD_H

#include <stdbool.h>
#include <stddef.h>

struct board {
    size_t places, size; /* of a value, in bytes */
    char *memory;        /* NULL: not shared out yet */
};

#define BOARD_INIT(count, type)                                                                              \
    {                                                                                                        \
        .places = (count), .size = sizeof(type)                                                              \
    }

/* To be called before the processes are forked; without it each has a board of its own. */
void board_share(struct board *b);
/* Copies the value at a place; false where there is none. */
bool board_read(struct board *b, size_t place, void *out);
void board_write(struct board *b, size_t place, const void *value);
void board_clear(struct board *b);

#endif
