/* Whether the disks of this host have room for what can be done without: below a floor nothing new is stored,
 * so that what signing, the database and the log need is not used up by registrations, quotes and messages.
 */
#ifndef SERVICE_DISK_H
#define SERVICE_DISK_H

#include <stdbool.h>

#include "service/conf.h"

/* Before forking. */
void disk_share(void);
/* Looks at the file systems of the signer, of the logs and, where it is of this host, of the database (NULL:
 * not known); a housekeeper's, every few seconds. */
void disk_check(const struct conf *conf, const char *database_dir);
/* Whether the disk was low at the last look; false before the first one. */
bool disk_is_low(void);

#endif
