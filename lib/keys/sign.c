#include "keys/sign.h"

#include <secp256k1.h>
#include <secp256k1_recovery.h>
#include <sodium.h>

#include "codec/rand.h"
#include "keys/inside.h"

enum { COMPACT = 64 }; /* r and s */

static secp256k1_context *context;

/* The randomisation blinds the multiplications, so that their timing says nothing about a key. */
bool sign_init(void)
{
    uint8_t seed[32];
    int ok;

    if (context != NULL)
        return true;
    context = secp256k1_context_create(SECP256K1_CONTEXT_SIGN | SECP256K1_CONTEXT_VERIFY);
    if (context == NULL)
        return false;
    rand_bytes(seed, sizeof seed);
    ok = secp256k1_context_randomize(context, seed);
    sodium_memzero(seed, sizeof seed);
    return ok == 1;
}

bool sign_secp256k1(uint8_t sig[static 65], const uint8_t digest[static 32], const struct secret *key)
{
    secp256k1_ecdsa_recoverable_signature made;
    int recovery = 0;

    if (secp256k1_ecdsa_sign_recoverable(context, &made, digest, key->bytes, NULL, NULL) != 1)
        return false;
    secp256k1_ecdsa_recoverable_signature_serialize_compact(context, sig, &recovery, &made);
    sig[COMPACT] = (uint8_t)recovery;
    /* 2 and 3: r exceeded the group order, which practically never happens and chains cannot express. */
    return recovery <= 1;
}

static void pubkey_bytes(uint8_t out[static 65], const secp256k1_pubkey *pub)
{
    size_t n = 65;

    secp256k1_ec_pubkey_serialize(context, out, &n, pub, SECP256K1_EC_UNCOMPRESSED);
}

bool sign_secp256k1_pubkey(uint8_t pubkey[static 65], const struct secret *key)
{
    secp256k1_pubkey pub;

    if (secp256k1_ec_pubkey_create(context, &pub, key->bytes) != 1)
        return false;
    pubkey_bytes(pubkey, &pub);
    return true;
}

static bool high_s(const secp256k1_ecdsa_recoverable_signature *sig)
{
    secp256k1_ecdsa_signature plain;

    secp256k1_ecdsa_recoverable_signature_convert(context, &plain, sig);
    return secp256k1_ecdsa_signature_normalize(context, NULL, &plain) == 1;
}

bool sign_secp256k1_recover(uint8_t pubkey[static 65], const uint8_t digest[static 32],
                            const uint8_t sig[static 65])
{
    secp256k1_ecdsa_recoverable_signature parsed;
    secp256k1_pubkey pub;

    if (sig[COMPACT] > 1)
        return false;
    if (secp256k1_ecdsa_recoverable_signature_parse_compact(context, &parsed, sig, sig[COMPACT]) != 1)
        return false;
    if (high_s(&parsed) || secp256k1_ecdsa_recover(context, &pub, &parsed, digest) != 1)
        return false;
    pubkey_bytes(pubkey, &pub);
    return true;
}
