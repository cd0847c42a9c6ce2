/* The row of this market in registry/asset_sources.c. */
#ifndef PERPS_PERPS_ASSETS_H
#define PERPS_PERPS_ASSETS_H

#include "exec/assets.h"

extern const struct asset_source perps_assets;

#endif
