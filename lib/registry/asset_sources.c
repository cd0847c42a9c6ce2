/* The markets that keep money of wallets. A new one is a row here. */
#include "exec/assets.h"

#include "lend/lend_assets.h"
#include "perps/perps_assets.h"
#include "predict/predict_assets.h"

const struct asset_source *const asset_sources[] = { &lend_assets, &predict_assets, &perps_assets, NULL };
