/* Writes down what was asked and answered, without what is secret, so that tests can play it again. */
#ifndef DRIFT_DRIFT_RECORD_H
#define DRIFT_DRIFT_RECORD_H

#include "drift/source.h"

/* One file for each answer: FOLDER/NAME-N.json. False when one cannot be written. `secrets` as in redact.h.
 */
bool record_write(const struct asking *k, const char *folder, const char *const *secrets);

#endif
