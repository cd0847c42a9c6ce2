/* Any calldata, at any listed contract or at a token: what is read is read whole, so that nothing shorter
 * reads as well, and texts end within their members. The first byte chooses the contract, the second the
 * value. */
#include <string.h>

#include "chain/evm/abi.h"
#include "fuzz.h"
#include "venue/trade.h"

static const char *const targets[] = {
    "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48", /* USDC */
    "0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2", /* WETH */
    "0x7a250d5630B4cF539739dF2C5dAcb4c659F2488D", /* V2 */
    "0x68b3465833fb72A70ecDF485E0e4C7bD8665Fc45", /* V3 */
    "0x6131B5fae19EA4f9D964eAc0408E4408b66337b5", /* KyberSwap */
    "0x111111125421cA6dc452d289314280a0f8842A65", /* 1inch */
    "0x6A000F20005980200259B80c5102003040001068", /* Velora */
    "0x4cD00E387622C35bDDB9b4c962C136462338BC31", /* Relay */
    "0x6352a56caadC4F1E25CD6c75970Fa768A3304e64", /* OpenOcean */
    "0x0000000000001fF3684f28c67538d4D072C22734", /* 0x */
    "0x5555555555555555555555555555555555555555", /* a Settler */
    "0x1231DEB6f5749EF6cE6943a275A1D3E7486F4EaE", /* LI.FI */
    "0x5c7BCd6E7De5423a257D81B442095A1a6ced35C5", /* Across */
    "0x87870Bca3F3fD6335C3F4ce8392D69350B4fA4E2", /* Aave's Pool */
    "0xBBBBBbbBBb9cC5e90e3b3Af64bdAF62C37EEFFCb", /* Morpho */
    "0x28b5a0e9C621a5BadaA536219b3a228C8168cf5d", /* CCTP, for Hyperliquid */
};
enum { TARGETS = sizeof targets / sizeof targets[0] };

static enum trade_reading read_exact(struct trade *out, const struct evm_tx *sent, const uint8_t *data,
                                     size_t n)
{
    uint8_t *exact = malloc(n + 1); /* so that a sanitizer sees a read past the end */
    struct evm_tx tx = *sent;
    enum trade_reading reading;

    MUST(exact != NULL);
    memcpy(exact, data, n);
    tx.data = exact;
    tx.data_len = n;
    reading =
        trade_read_evm(out, chain_by_id(1), &tx, "0x1111111111111111111111111111111111111111", NO_PROOF);
    free(exact);
    return reading;
}

static void check_address_text(const char text[static TRADE_ADDRESS_MAX])
{
    size_t n = strnlen(text, TRADE_ADDRESS_MAX);

    MUST(n == 0 || n == EVM_ADDR_TEXT_LEN);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct evm_tx tx = { .chain_id = 1 };
    struct trade t, shorter;

    if (size < 2 || !evm_addr_parse(&tx.to, targets[data[0] % TARGETS]))
        return 0;
    tx.value = u256_from_u64(data[1]);
    data += 2;
    size -= 2;
    if (read_exact(&t, &tx, data, size) != TRADE_READ)
        return 0;
    check_address_text(t.sell);
    check_address_text(t.buy);
    check_address_text(t.recipient);
    check_address_text(t.spender);
    MUST(size <= ABI_SELECTOR || read_exact(&shorter, &tx, data, size - 1) != TRADE_READ);
    return 0;
}
