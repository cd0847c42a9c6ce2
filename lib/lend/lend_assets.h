/* The row of this market in registry/asset_sources.c. */
#ifndef LEND_LEND_ASSETS_H
#define LEND_LEND_ASSETS_H

#include "exec/assets.h"

extern const struct asset_source lend_assets;

#endif
