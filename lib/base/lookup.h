/* The result of a look-up of one object. */
#ifndef BASE_LOOKUP_H
#define BASE_LOOKUP_H

enum lookup {
    LOOKUP_ERROR = -1, /* most often a database error: it is unknown whether there is one */
    LOOKUP_NONE = 0,
    LOOKUP_FOUND = 1,
};

#endif
