#include "route/price_feed.h"

#include <string.h>
#include <strings.h>

#include "base/json_numbers.h"

const struct feed_coin feed_coins[] = {
    { "ETH", "ethereum" },
    { "WETH", "ethereum" },
    { "BTC", "bitcoin" },
    { "WBTC", "wrapped-bitcoin" },
    { "USDC", "usd-coin" },
    { "USDT", "tether" },
    { "DAI", "dai" },
    { "BUSD", "binance-usd" },
    { "BNB", "binancecoin" },
    { "WBNB", "binancecoin" },
    { "MATIC", "polygon-ecosystem-token" },
    { "WMATIC", "polygon-ecosystem-token" },
    { "POL", "polygon-ecosystem-token" },
    { "AVAX", "avalanche-2" },
    { "WAVAX", "avalanche-2" },
    { "FTM", "fantom" },
    { "WFTM", "fantom" },
    { "MNT", "mantle" },
    { "WMNT", "mantle" },
    { "XDAI", "xdai" },
    { "WXDAI", "xdai" },
    { "SOL", "solana" },
    { "WSOL", "solana" },
    { "SUI", "sui" },
    { "TON", "the-open-network" },
    { "ARB", "arbitrum" },
    { "OP", "optimism" },
    { "BONK", "bonk" },
    { "JUP", "jupiter-exchange-solana" },
    { "RAY", "raydium" },
    { "WIF", "dogwifcoin" },
    { "PYTH", "pyth-network" },
    { "ORCA", "orca" },
    { "MSOL", "msol" },
    { "JITOSOL", "jito-staked-sol" },
    { "PYUSD", "paypal-usd" },
    { "RENDER", "render-token" },
    { "HNT", "helium" },
};
const int feed_coins_count = sizeof feed_coins / sizeof feed_coins[0];

int feed_find(const char *symbol)
{
    for (int i = 0; i < feed_coins_count; i++)
        if (strcasecmp(feed_coins[i].symbol, symbol) == 0)
            return i;
    return -1;
}

char *feed_url(struct arena *a, const char *base)
{
    char *url = arena_printf(a, "%s%cids=", base, strchr(base, '?') == NULL ? '?' : '&');

    for (int i = 0; i < feed_coins_count; i++)
        if (i == 0 || strcmp(feed_coins[i].id, feed_coins[i - 1].id) != 0)
            url = arena_printf(a, "%s%s%s", url, i == 0 ? "" : ",", feed_coins[i].id);
    return arena_printf(a, "%s&vs_currencies=usd&include_24hr_change=true", url);
}

static bool is_credible(struct amount usd)
{
    struct u256 most;

    return !amount_is_zero(usd) &&
           u256_mul(&most, u256_from_u64(1000000000), u256_from_u64(1000000000000000000)) &&
           u256_cmp(usd.raw, most) <= 0;
}

void feed_price_read(struct feed_price *out, const json_t *price, const char *usd, const char *change)
{
    const char *dollars = json_string_value(json_object_get(price, usd));
    const char *moved = json_string_value(json_object_get(price, change));

    *out = (struct feed_price){ .has_usd = false };
    out->has_usd =
        dollars != NULL && amount_of_number(&out->usd, dollars, RATE_PLACES) && is_credible(out->usd);
    if (moved == NULL)
        return;
    out->change_minus = *moved == '-';
    out->has_change = amount_of_number(&out->change, moved + out->change_minus, RATE_PLACES);
}

bool feed_read(struct feed_price *out, const struct buf *answer)
{
    json_t *doc = json_read_texts(answer->data, answer->len);
    bool ok;

    for (int i = 0; i < feed_coins_count; i++)
        feed_price_read(&out[i], json_object_get(doc, feed_coins[i].id), "usd", "usd_24h_change");
    ok = json_is_object(doc);
    json_decref(doc);
    return ok;
}
