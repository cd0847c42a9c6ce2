#include "route/price_feed.h"

#include <string.h>

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
    { "SUI", "sui" },
    { "TON", "the-open-network" },
    { "ARB", "arbitrum" },
    { "OP", "optimism" },
    { "BONK", "bonk" },
    { "JUP", "jupiter-exchange-solana" },
    { "RAY", "raydium" },
};
const int feed_coins_count = sizeof feed_coins / sizeof feed_coins[0];

int feed_find(const char *symbol)
{
    for (int i = 0; i < feed_coins_count; i++)
        if (strcmp(feed_coins[i].symbol, symbol) == 0)
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

static void read_coin(struct feed_price *out, const json_t *coin)
{
    const char *usd = json_string_value(json_object_get(coin, "usd"));
    const char *change = json_string_value(json_object_get(coin, "usd_24h_change"));

    out->has_usd = usd != NULL && amount_of_number(&out->usd, usd, RATE_PLACES) && !amount_is_zero(out->usd);
    if (change == NULL)
        return;
    out->change_minus = *change == '-';
    out->has_change = amount_of_number(&out->change, change + out->change_minus, RATE_PLACES);
}

bool feed_read(struct feed_price *out, const struct buf *answer)
{
    json_t *doc = json_numbers_load(answer->data, answer->len);
    bool ok;

    for (int i = 0; i < feed_coins_count; i++) {
        out[i] = (struct feed_price){ .has_usd = false };
        read_coin(&out[i], json_object_get(doc, feed_coins[i].id));
    }
    ok = json_is_object(doc);
    json_decref(doc);
    return ok;
}
