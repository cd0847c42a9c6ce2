// What is spoilt to see that the proofs can fail: the proof, the file below lib, the place (it stands there once), and what is put there.
export const MUTATIONS = [
    ['u256_sums', 'codec/u256.c', 'sum >>= 64;', 'sum = 0;'],
    ['u256_sums', 'codec/u256.c', ' - b.limb[i] - borrow;', ' - b.limb[i];'],
    ['u256_order', 'codec/u256.c', 'size_t i = LIMBS; i-- > 0;', 'size_t i = LIMBS; i-- > 1;'],
    ['u256_bytes', 'codec/u256.c', 'if (n > U256_BYTES)\n', 'if (n > U256_BYTES + 1)\n'],
    ['u256_shift', 'codec/u256.c', 'out[n] = carry;', 'out[n] = 0;'],
    ['u256_digits', 'codec/u256.c', 'carry >>= 64;\n    }\n    return carry == 0;', 'carry >>= 64;\n    }\n    return true;'],
];
