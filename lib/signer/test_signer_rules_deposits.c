/* USDC for an account at Hyperliquid: only deposits into the wallet's own are signed. */
#include "signer/signer_rules.c"

#include "base/test.h"
#include "chain/tokens.h"
#include "signer/test_signer_rules.h"
#include "venue/erc20.h"
#include "venue/hyperliquid_deposit.h"

static const char AT_WALLET[] = "0x1111111111111111111111111111111111111111",
                  AT_OTHER[] = "0x2222222222222222222222222222222222222222",
                  AT_BRIDGE[] = "0x2Df1c51E09aECF9cacB7bc98cB1742757f163dF7",
                  AT_MESSENGER[] = "0x28b5a0e9C621a5BadaA536219b3a228C8168cf5d";
static const char *const chain_keys[] = { "ethereum", "arbitrum", "base" };

static struct act act;

static const char *check_call(const char *chain, const char *to, uint64_t value, struct buf *data)
{
    struct evm_tx tx = { .type = EVM_TX_FEE_MARKET, .chain_id = chain_find(chain)->id, .gas_limit = 100 };
    const char *why;

    CHECK(evm_addr_parse(&tx.to, to));
    tx.value = u256_from_u64(value);
    tx.data = (const uint8_t *)data->data;
    tx.data_len = data->len;
    why = rules_check_evm(&act, &tx, AT_WALLET);
    buf_free(data);
    return why != NULL ? why : "";
}

static const char *dollar_of(const char *chain)
{
    return token_find(chain_find(chain), "USDC")->address_text;
}

static const char *check_transfer(const char *chain, const char *token, uint64_t amount)
{
    struct buf data = BUF_INIT(256);

    erc20_transfer(&data, evm_addr_or_zero(AT_BRIDGE), u256_from_u64(amount));
    return check_call(chain, token, 0, &data);
}

static void transfers_to_the_bridge(void)
{
    const char *usdc = dollar_of("arbitrum");

    CHECK_STR(check_transfer("arbitrum", usdc, 5000000), "");
    CHECK(act.has_token && u256_cmp(act.trade.amount, u256_from_u64(5000000)) == 0);
    CHECK_STR(act.trade.sell, usdc);
    CHECK_STR(check_transfer("arbitrum", usdc, 4999999), NOT_LISTED);
    CHECK_STR(check_transfer("arbitrum", AT_OTHER, 5000000), NOT_LISTED);
    CHECK_STR(check_transfer("base", dollar_of("base"), 5000000), NOT_LISTED);
    CHECK(rules_check_transfer(&act) == NULL); /* which the operator alone may order */
    CHECK_STR(check_transfer("arbitrum", usdc, 5000000), "");
    CHECK_STR(rules_check_transfer(&act), "not a plain transfer");
    CHECK_STR(rules_check_address(CHAIN_EVM, AT_BRIDGE), "address of a contract");
}

static const char *check_burn(const char *chain, const char *to, const char *recipient, uint64_t fee,
                              uint64_t value)
{
    struct hyperliquid_burn b = { .amount = u256_from_u64(1000), .max_fee = u256_from_u64(fee) };
    struct buf data = BUF_INIT(1024);

    b.token = evm_addr_or_zero(dollar_of(chain));
    b.recipient = evm_addr_or_zero(recipient);
    hyperliquid_burn_write(&data, &b);
    return check_call(chain, to, value, &data);
}

static void burns_for_the_wallet(void)
{
    for (size_t i = 0; i < sizeof chain_keys / sizeof chain_keys[0]; i++) {
        const char *chain = chain_keys[i];

        CHECK_STR(check_burn(chain, AT_MESSENGER, AT_WALLET, 999, 0), "");
        CHECK_STR(check_burn(chain, AT_MESSENGER, AT_OTHER, 999, 0), ELSEWHERE);
        CHECK_STR(check_burn(chain, AT_MESSENGER, AT_WALLET, 1000, 0), NO_MINIMUM);
        CHECK_STR(check_burn(chain, AT_MESSENGER, AT_WALLET, 1001, 0), UNREADABLE);
        CHECK_STR(check_burn(chain, AT_MESSENGER, AT_WALLET, 999, 1), "value that is not traded");
        CHECK_STR(check_burn(chain, AT_OTHER, AT_WALLET, 999, 0), NOT_LISTED);
    }
    CHECK_STR(check_burn("optimism", AT_MESSENGER, AT_WALLET, 999, 0), NOT_LISTED);
}

static void allowances_for_the_messenger(void)
{
    struct buf data = BUF_INIT(256);

    erc20_approve(&data, evm_addr_or_zero(AT_MESSENGER), u256_from_u64(1000));
    CHECK_STR(check_call("base", dollar_of("base"), 0, &data), "");
    erc20_approve(&data, evm_addr_or_zero(AT_BRIDGE), u256_from_u64(1000));
    CHECK_STR(check_call("arbitrum", dollar_of("arbitrum"), 0, &data), "spender not on the list");
}

TEST_MAIN(TEST(transfers_to_the_bridge), TEST(burns_for_the_wallet), TEST(allowances_for_the_messenger))
