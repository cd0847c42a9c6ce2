/* The result of a look-up of one object. */
#ifndef BASE_FOUND_H
#define BASE_FOUND_H

enum found {
    FOUND_FAILED = -1, /* most often a database error: it is unknown whether there is one */
    FOUND_NONE = 0,
    FOUND_ONE = 1,
};

#endif
