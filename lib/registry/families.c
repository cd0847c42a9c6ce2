/* The families of chains. A new one is a row here, and its two folders: chain/<family> and exec/<family>. */
#include "exec/evm/evm_family.h"
#include "exec/solana/solana_family.h"

const struct family *const families[] = { &evm_family, &solana_family, NULL };

const struct family *family_of(const struct chain *c)
{
    for (size_t i = 0; c != NULL && families[i] != NULL; i++)
        if (families[i]->type == c->type)
            return families[i];
    return NULL;
}
