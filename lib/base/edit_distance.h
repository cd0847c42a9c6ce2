/* How far two names are apart, letter case and underscores aside. */
#ifndef BASE_EDIT_DISTANCE_H
#define BASE_EDIT_DISTANCE_H

enum { EDIT_DISTANCE_MAX = 2 };

/* Letters put in, left out, changed, or swapped with their neighbour; anything above EDIT_DISTANCE_MAX is
 * EDIT_DISTANCE_MAX + 1. */
unsigned edit_distance(const char *a, const char *b);

#endif
