/* Where accounts change by transactions of others: a row for each market whose venue moves what wallets
 * hold. */
#include "exec/changes.h"

#include "predict/collateral_lately.h"

changes_source *const changes_sources[] = { collateral_lately_changes, NULL };
