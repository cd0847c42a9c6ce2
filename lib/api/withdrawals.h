/* What withdrawals, and calls that add their addresses, may be refused with. */
#ifndef API_WITHDRAWALS_H
#define API_WITHDRAWALS_H

#include "api/endpoint/endpoint.h"

#define WITHDRAW_ERRORS                                                                                      \
    &E_ADDRESS_ID_REQUIRED, &E_ADDRESS_ID_OTHER, &E_WITHDRAWAL_ADDRESS_NOT_FOUND, &E_WITHDRAWAL_FAMILY,      \
        &E_CHAIN_UNKNOWN, &E_TOKEN_UNKNOWN, &E_AMOUNT, &E_NO_LIQUIDITY, &E_WALLET_NOT_FOUND, &E_BALANCE,     \
        &E_ACCOUNT_LEAST, RECIPIENT_ERRORS, &E_UPSTREAM
#define ADDRESS_ERRORS                                                                                       \
    &E_WITHDRAWAL_ADDRESS, &E_WITHDRAWAL_TARGET, &E_WITHDRAWAL_ADDRESS_THERE, &E_WITHDRAWAL_LABEL,           \
        &E_LABEL_IS_ADDRESS, &E_CHAIN_UNKNOWN, &E_WITHDRAWAL_FAMILY, &E_QUOTA_ADDRESSES, &E_QUOTA_AUDIT,     \
        &E_PAUSED

#endif
