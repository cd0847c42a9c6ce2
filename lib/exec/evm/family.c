#include "exec/evm/family.h"

#include "exec/evm/send.h"

const struct family evm_family = {
    .send = evm_send,
};
