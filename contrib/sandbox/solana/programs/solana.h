/* What a program of the network finds and may call: its input as the loader lays it out, and calls of other
 * programs. There are 512 bytes of stack and no data segment, so larger and constant values are made in the
 * heap. */
#ifndef SANDBOX_SOLANA_H
#define SANDBOX_SOLANA_H

typedef unsigned char u8;
typedef unsigned int u32;
typedef unsigned long long u64;

#define INLINE      static inline __attribute__((always_inline))
#define ACCOUNTS    24
#define KEY_LEN     32
#define GROWTH      10240 /* bytes behind an account's data, into which it could grow */
#define NOT_SEEN    0xff
#define HEAP        0x300000000ull
#define BAD_ACCOUNT 3000 /* errors of our own; Custom */

/* As calls of other programs want it. */
struct account {
    const u8 *key;
    u64 *lamports;
    u64 data_len;
    u8 *data;
    const u8 *owner;
    u64 rent_epoch;
    u8 is_signer, is_writable, executable;
};

struct account_meta {
    const u8 *key;
    u8 is_writable, is_signer;
};

struct instruction {
    const u8 *program;
    struct account_meta *accounts;
    u64 account_count;
    u8 *data;
    u64 data_len;
};

struct seed {
    const u8 *p;
    u64 n;
};

struct signer {
    const struct seed *seeds;
    u64 n;
};

u64 sol_invoke_signed_c(const struct instruction *in, const struct account *accounts, u64 n,
                        const struct signer *signers, u64 signer_count);
/* Whether there is an address that a program derives from seeds; it and its bump are written if so. */
u64 sol_try_find_program_address(const struct seed *seeds, u64 n, const u8 *program, u8 *key, u8 *bump);

/* The whole heap of a program. */
struct work {
    u64 count;
    struct account accounts[ACCOUNTS];
    const u8 *data;
    u64 data_len;
    const u8 *program;
    struct account_meta metas[6];
    struct instruction in;
    u8 bytes[64];
    struct seed seeds[3];
    struct signer signer;
};

INLINE u64 number(const u8 *p, u64 len)
{
    u64 v = 0;

    while (len-- > 0)
        v = v << 8 | p[len];
    return v;
}

INLINE void put(u8 *p, u64 v, u64 len)
{
    for (u64 i = 0; i < len; i++)
        p[i] = (u8)(v >> (8 * i));
}

INLINE int same(const u8 *a, const u8 *b)
{
    for (u64 i = 0; i < KEY_LEN; i++)
        if (a[i] != b[i])
            return 0;
    return 1;
}

/* Each account once, in the order of the instruction; one that comes again leads to where it came first. */
INLINE int read_input(struct work *w, u8 *p)
{
    w->count = number(p, 8);
    p += 8;
    if (w->count > ACCOUNTS)
        return 0;
    for (u64 i = 0; i < w->count; i++) {
        struct account *a = &w->accounts[i];

        if (p[0] != NOT_SEEN) {
            *a = w->accounts[p[0]];
            p += 8;
            continue;
        }
        a->is_signer = p[1];
        a->is_writable = p[2];
        a->executable = p[3];
        a->key = p + 8;
        a->owner = p + 8 + KEY_LEN;
        a->lamports = (u64 *)(p + 8 + 2 * KEY_LEN);
        a->data_len = number(p + 16 + 2 * KEY_LEN, 8);
        a->data = p + 24 + 2 * KEY_LEN;
        p = a->data + a->data_len + GROWTH;
        p += (8 - ((u64)p & 7)) & 7;
        a->rent_epoch = number(p, 8);
        p += 8;
    }
    w->data_len = number(p, 8);
    w->data = p + 8;
    w->program = w->data + w->data_len;
    return 1;
}

/* ---- tokens ---- */

#define TOKEN_ACCOUNT_LEN 165
#define MINT_DECIMALS     44

INLINE u64 token_amount(const struct account *a)
{
    return number(a->data + 64, 8);
}

INLINE int is_token_account(const struct account *a, const u8 *mint)
{
    return a->data_len >= TOKEN_ACCOUNT_LEN && same(a->data, mint);
}

INLINE void meta(struct work *w, u64 i, const struct account *a, u8 writable, u8 signs)
{
    w->metas[i].key = a->key;
    w->metas[i].is_writable = writable;
    w->metas[i].is_signer = signs;
}

/* TransferChecked, by an authority that has signed, or by one that is derived from w->seeds. */
INLINE u64 token_transfer(struct work *w, const struct account *program, const struct account *from,
                          const struct account *mint, const struct account *to,
                          const struct account *authority, u64 amount, u64 seeds)
{
    w->bytes[0] = 12;
    put(w->bytes + 1, amount, 8);
    w->bytes[9] = mint->data[MINT_DECIMALS];
    meta(w, 0, from, 1, 0);
    meta(w, 1, mint, 0, 0);
    meta(w, 2, to, 1, 0);
    meta(w, 3, authority, 0, 1);
    w->in.program = program->key;
    w->in.accounts = w->metas;
    w->in.account_count = 4;
    w->in.data = w->bytes;
    w->in.data_len = 10;
    w->signer.seeds = w->seeds;
    w->signer.n = seeds;
    return sol_invoke_signed_c(&w->in, w->accounts, w->count, &w->signer, seeds > 0);
}

/* The System program's transfer of the coin. */
INLINE u64 coin_transfer(struct work *w, const struct account *system, const struct account *from,
                         const struct account *to, u64 amount)
{
    put(w->bytes, 2, 4);
    put(w->bytes + 4, amount, 8);
    meta(w, 0, from, 1, 1);
    meta(w, 1, to, 1, 0);
    w->in.program = system->key;
    w->in.accounts = w->metas;
    w->in.account_count = 2;
    w->in.data = w->bytes;
    w->in.data_len = 12;
    return sol_invoke_signed_c(&w->in, w->accounts, w->count, &w->signer, 0);
}

#endif
