/* Solana, as the engine sees it. */
#ifndef EXEC_SOLANA_SOLANA_FAMILY_H
#define EXEC_SOLANA_SOLANA_FAMILY_H

#include "exec/family.h"

extern const struct family solana_family;

#endif
