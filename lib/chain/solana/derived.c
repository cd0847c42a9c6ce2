#include "chain/solana/derived.h"

#include "base/buf.h"
#include "chain/solana/curve.h"
#include "chain/solana/solana_programs.h"
#include "codec/hash.h"

enum { BUMPS = 256, SEEDS_LEN_MAX = 1024 };

bool solana_derived(struct solana_addr *out, const struct solana_addr *program,
                    const struct solana_seed *seeds, size_t n)
{
    static const char marker[] = "ProgramDerivedAddress";
    struct buf text = BUF_INIT(SEEDS_LEN_MAX);
    bool found = false;
    size_t at;

    for (size_t i = 0; i < n; i++)
        buf_add(&text, seeds[i].p, seeds[i].n);
    at = text.len;
    buf_addc(&text, 0);
    buf_add(&text, program->bytes, sizeof program->bytes);
    buf_adds(&text, marker);
    for (unsigned bump = BUMPS; !text.overflow && !found && bump-- > 0;) {
        text.data[at] = (char)bump;
        sha256(out->bytes, text.data, text.len);
        found = !solana_is_on_curve(out->bytes);
    }
    buf_free(&text);
    return found;
}

bool solana_token_account(struct solana_addr *out, const struct solana_addr *owner,
                          const struct solana_addr *token_program, const struct solana_addr *mint)
{
    const struct solana_seed seeds[] = { { owner->bytes, sizeof owner->bytes },
                                         { token_program->bytes, sizeof token_program->bytes },
                                         { mint->bytes, sizeof mint->bytes } };

    return solana_derived(out, &SOLANA_ASSOCIATED_TOKEN, seeds, sizeof seeds / sizeof seeds[0]);
}
