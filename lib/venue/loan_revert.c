#include "venue/loan_revert.h"

#include <string.h>

#include "chain/evm/abi.h"
#include "venue/morpho_calls.h"

/* ---- Aave's refusals ---- */

/* One whose error is NULL is known by its name alone. */
struct refusal {
    const char *number;    /* in older versions; NULL: there it did not exist */
    const char *signature; /* in newer ones */
    const struct err *e;
};

static const struct refusal refusals[] = {
    { "26", "InvalidAmount()", &E_AMOUNT },
    { "27", "ReserveInactive()", &E_LEND_INACTIVE },
    { "28", "ReserveFrozen()", &E_LEND_FROZEN },
    { "29", "ReservePaused()", &E_LEND_PAUSED },
    { "30", "BorrowingNotEnabled()", &E_LEND_NO_BORROWING },
    { "32", "NotEnoughAvailableUserBalance()", &E_LEND_SUPPLIED },
    { "33", "InvalidInterestRateModeSelected()", &E_LEND_FAILED },
    { "34", "CollateralBalanceIsZero()", &E_LEND_COLLATERAL },
    { "35", "HealthFactorLowerThanLiquidationThreshold()", &E_LEND_HEALTH },
    { "36", "CollateralCannotCoverNewBorrow()", &E_LEND_COLLATERAL },
    { "39", "NoDebtOfSelectedType()", &E_LEND_NO_DEBT },
    { "43", "UnderlyingBalanceZero()", &E_LEND_SUPPLIED },
    { "50", "BorrowCapExceeded()", &E_LEND_BORROW_CAP },
    { "51", "SupplyCapExceeded()", &E_LEND_SUPPLY_CAP },
    { "57", "LtvValidationFailed()", &E_LEND_COLLATERAL },
    { "62", "UserInIsolationModeOrLtvZero()", &E_LEND_NO_COLLATERAL },
    { "82", "AssetNotListed()", &E_MARKET_NOT_FOUND },
    { NULL, "UserHasAssetWithZeroLtv()", NULL },
    { NULL, "NotBorrowableInEMode()", NULL },
    { NULL, "MustNotLeaveDust()", NULL },
    { NULL, "SupplyToAToken()", NULL },
};
enum { REFUSALS = sizeof refusals / sizeof refusals[0] };

static const struct refusal *refusal_by_number(const char *text)
{
    for (size_t i = 0; i < REFUSALS; i++)
        if (refusals[i].number != NULL && strcmp(refusals[i].number, text) == 0)
            return &refusals[i];
    return NULL;
}

static const struct refusal *refusal_by_selector(uint32_t selector)
{
    for (size_t i = 0; i < REFUSALS; i++)
        if (abi_selector_of(refusals[i].signature) == selector)
            return &refusals[i];
    return NULL;
}

/* ---- Morpho's, and those of tokens ---- */

static const struct {
    const char *text;
    const struct err *e;
} morpho_texts[] = {
    { "insufficient collateral", &E_LEND_COLLATERAL },
    { "insufficient liquidity", &E_LEND_LIQUIDITY },
    { "zero assets", &E_AMOUNT },
    { "market not created", &E_MARKET_NOT_FOUND },
    { "inconsistent input", &E_LEND_FAILED },
    { "unauthorized", &E_LEND_FAILED },
};

static const struct err *morpho_error(const char *text)
{
    for (size_t i = 0; i < sizeof morpho_texts / sizeof morpho_texts[0]; i++)
        if (strcmp(morpho_texts[i].text, text) == 0)
            return morpho_texts[i].e;
    return NULL;
}

/* The texts of all common libraries that move tokens. */
static bool tells_of_balance(const char *text)
{
    static const char *const words[] = { "exceeds balance",       "insufficient balance",
                                         "insufficient-balance",  "transfer reverted",
                                         "transferFrom reverted", "transfer returned false",
                                         "failed transferFrom",   "transferFrom returned" };

    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (strcasestr(text, words[i]) != NULL)
            return true;
    return false;
}

/* A token was short of what was to be moved: the wallet's, or what the lender has left to give. NULL when
 * nothing is moved. */
static const struct err *shortage_in(enum loan_act act)
{
    switch (act) {
    case LOAN_SUPPLY:
    case LOAN_REPAY:
    case LOAN_PLEDGE:
        return &E_BALANCE;
    case LOAN_WITHDRAW:
    case LOAN_BORROW:
    case LOAN_RELEASE:
        return &E_LEND_LIQUIDITY;
    case LOAN_COLLATERAL:
        break;
    }
    return NULL;
}

/* A subtraction went below zero. Morpho takes an amount from what the wallet has or owes without comparing
 * them first; Aave compares, and then takes it from what is left in the reserve. */
static const struct err *underflow_error(struct arena *a, const struct loan_revert *r)
{
    if (r->lender != &morpho_blue)
        return r->act == LOAN_WITHDRAW || r->act == LOAN_BORROW ? &E_LEND_LIQUIDITY : NULL;
    if (r->act == LOAN_WITHDRAW || r->act == LOAN_RELEASE)
        return &E_LEND_SUPPLIED;
    if (r->act == LOAN_REPAY)
        return err_hint(a, &E_LEND_NO_DEBT, "Less is owed than the amount: \"max\" repays all of it");
    return NULL;
}

/* ---- all of them ---- */

static const struct err *unknown_error(struct arena *a, const char *what)
{
    return err_hint(a, &E_LEND_REFUSED, arena_printf(a, "The contract's reason: %s", err_shown(a, what)));
}

static const struct err *known_error(struct arena *a, const struct loan_revert *r, const struct err *e)
{
    if (e == &E_LEND_HEALTH)
        return err_fmt(a, e, r->floor != NULL ? r->floor : "1", NULL);
    return e == &E_MARKET_NOT_FOUND ? err_hint(a, e, "GET /lend/markets lists the ids") : e;
}

static const struct err *text_error(struct arena *a, const struct loan_revert *r, const char *text)
{
    const struct refusal *numbered = r->lender != &morpho_blue ? refusal_by_number(text) : NULL;
    const struct err *e = numbered != NULL            ? numbered->e
                          : r->lender == &morpho_blue ? morpho_error(text)
                                                      : NULL;

    if (e == NULL && tells_of_balance(text))
        e = shortage_in(r->act);
    if (e == NULL && strcmp(text, "Panic(0x11)") == 0)
        e = underflow_error(a, r);
    return e != NULL ? known_error(a, r, e) : unknown_error(a, text[0] != '\0' ? text : "none given");
}

static const struct err *custom_error(struct arena *a, const struct loan_revert *r, uint32_t selector)
{
    const struct refusal *found = refusal_by_selector(selector);
    const struct err *e = found != NULL ? found->e : NULL;

    if (e == NULL && selector == abi_selector_of("ERC20InsufficientBalance(address,uint256,uint256)"))
        e = shortage_in(r->act);
    if (e != NULL)
        return known_error(a, r, e);
    return unknown_error(a, found != NULL ? found->signature : arena_printf(a, "error 0x%08x", selector));
}

/* Lenders name their reasons; tokens such as USDT and WETH have none when they are short. */
static const struct err *silent_error(struct arena *a, const struct loan_revert *r)
{
    const struct err *e = shortage_in(r->act);

    return e != NULL ? e : unknown_error(a, "none given");
}

const struct err *loan_revert_error(struct arena *a, const struct loan_revert *r)
{
    const char *text = abi_revert_text(a, r->data, r->len);

    if (text != NULL)
        return text_error(a, r, text);
    if (r->len == 0)
        return silent_error(a, r);
    return r->len >= ABI_SELECTOR ? custom_error(a, r, abi_get_selector(r->data))
                                  : unknown_error(a, "unreadable");
}
