/* The prediction venue, as what is asked of it and kept (exec/cached_answer.h). */
#ifndef PREDICT_PREDICT_VENUE_H
#define PREDICT_PREDICT_VENUE_H

#include "exec/cached_answer.h"

enum { PREDICT_DEADLINE_MS = 5000 };

extern const struct cache_source prediction_venue;

#endif
