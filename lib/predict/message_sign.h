/* A wallet's signature under one of Polymarket's messages. */
#ifndef PREDICT_MESSAGE_SIGN_H
#define PREDICT_MESSAGE_SIGN_H

#include <stdbool.h>

#include "model/wallet.h"
#include "service/ctx.h"
#include "venue/polymarket_message.h"

enum { MESSAGE_SIGNATURE_LEN = 65 };

/* r, s, 27 or 28. False when the signer is away or refuses (logged). May run inside a database transaction.
 */
bool message_sign(uint8_t sig[static MESSAGE_SIGNATURE_LEN], const struct ctx *ctx, const struct wallet *w,
                  const struct polymarket_message *m);

#endif
