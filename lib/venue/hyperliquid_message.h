/* An action for Hyperliquid as fixed binary members: neither JSON nor a hash reaches the signer. */
#ifndef VENUE_HYPERLIQUID_MESSAGE_H
#define VENUE_HYPERLIQUID_MESSAGE_H

#include "venue/hyperliquid_action.h"

enum { HYPERLIQUID_MESSAGE_MAX = 1024 };

void hyperliquid_message_write(struct buf *out, const struct hyperliquid_action *a);
/* False when the bytes are none, whole: each action has one writing. */
bool hyperliquid_message_read(struct hyperliquid_action *out, const uint8_t *p, size_t n);

#endif
