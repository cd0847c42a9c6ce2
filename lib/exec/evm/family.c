#include "exec/evm/family.h"

#include "exec/evm/foreign_nonce.h"
#include "exec/evm/look.h"
#include "exec/evm/repair.h"
#include "exec/evm/send.h"

const struct family evm_family = {
    .send = evm_send,
    .look_begin = evm_look_begin,
    .look_end = evm_look_end,
    .look_closer = evm_look_closer,
    .repair = evm_repair,
    .arrived = evm_arrived,
    .look_free = evm_look_free,
    .follow_end = evm_follow_end,
};
