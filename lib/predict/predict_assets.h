/* The row of this market in registry/asset_sources.c. */
#ifndef PREDICT_PREDICT_ASSETS_H
#define PREDICT_PREDICT_ASSETS_H

#include "exec/assets.h"

extern const struct asset_source predict_assets;

#endif
