/* Edit distance between two names, ignoring letter case and underscores. */
#ifndef BASE_EDIT_DISTANCE_H
#define BASE_EDIT_DISTANCE_H

enum { EDIT_DISTANCE_MAX = 2 };

/* Counts letters inserted, removed, replaced, or swapped with their neighbour. Anything above
 * EDIT_DISTANCE_MAX is returned as EDIT_DISTANCE_MAX + 1. */
unsigned edit_distance(const char *a, const char *b);

#endif
