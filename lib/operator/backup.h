/* The age of this host's dumps, and whether they are apart from the keys. */
#ifndef OPERATOR_BACKUP_H
#define OPERATOR_BACKUP_H

#include <stdbool.h>

#include "base/arena.h"
#include "service/conf.h"

/* In one line, in the arena; *ok: there is nothing to warn of. NULL: this user may not look at the dumps. */
const char *operator_backup(const struct conf *conf, struct arena *a, bool *ok);

#endif
