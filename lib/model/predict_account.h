/* A wallet's account at the prediction venue. */
#ifndef MODEL_PREDICT_ACCOUNT_H
#define MODEL_PREDICT_ACCOUNT_H

#include <stddef.h>

#include "model/wallet.h"

enum predict_account_kind {
    PREDICT_DEPOSIT = 1, /* a contract that the wallet owns holds what is traded */
    PREDICT_EOA = 2,     /* the wallet itself does */
};

enum { PREDICT_TRADING_LEN = 20, PREDICT_CREDENTIALS_MAX = 512 /* sealed */ };

struct predict_account {
    struct wallet wallet;                 /* whose account it is, and whose key signs */
    enum predict_account_kind kind;       /* 0: the wallet has none */
    uint8_t form;                         /* of the contract: enum polymarket_wallet_form */
    uint8_t trading[PREDICT_TRADING_LEN]; /* address of the holder of collateral and shares */
    bool closed_only;                     /* the venue lets it only close positions, by the last answer */
    bool closed_only_due;   /* that is to be asked (again): after an hour; always where it is so */
    bool resync_orders;     /* the venue may have orders of it that the database lacks */
    size_t credentials_len; /* 0: there are none that the venue takes */
    uint8_t credentials[PREDICT_CREDENTIALS_MAX]; /* sealed */
};

#endif
