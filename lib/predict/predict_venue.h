/* The prediction venue, as what is asked of it and kept (exec/kept.h). */
#ifndef PREDICT_PREDICT_VENUE_H
#define PREDICT_PREDICT_VENUE_H

#include "exec/kept.h"

enum { PREDICT_DEADLINE_MS = 5000 };

extern const struct kept_source prediction_venue;

#endif
