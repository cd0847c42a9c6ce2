/* Edit distance between two names, ignoring letter case, underscores and hyphens. */
#ifndef BASE_EDIT_DISTANCE_H
#define BASE_EDIT_DISTANCE_H

#include <stdbool.h>

enum { EDIT_DISTANCE_MAX = 2 };

/* Counts letters inserted, removed, replaced, or swapped with their neighbour. Anything above
 * EDIT_DISTANCE_MAX is returned as EDIT_DISTANCE_MAX + 1. */
unsigned edit_distance(const char *a, const char *b);
/* Whether the distance is 0, at a fraction of the cost and for names of any length. */
bool names_alike(const char *a, const char *b);
/* Whether the letters that count of `part` appear in those of `name` one after the other. */
bool name_contains(const char *name, const char *part);

#endif
