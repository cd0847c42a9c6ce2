#include "chain/solana/solana_message.h"

#include <string.h>

enum { VERSIONED = 0x80, VERSION_MASK = 0x7f, GROUPS = 4 };

static const char CUT_OFF[] = "it ends too early", TOO_MANY[] = "more in it than can be read",
                  OUT_OF_RANGE[] = "an account that is not in it", BAD_HEADER[] = "its header is wrong",
                  OTHER_VERSION[] = "transactions of this version are not supported";

/* ---- reading ---- */

struct reader {
    const uint8_t *p;
    size_t left;
};

static bool take(struct reader *r, const uint8_t **p, size_t n)
{
    if (n > r->left)
        return false;
    *p = r->p;
    r->p += n;
    r->left -= n;
    return true;
}

static bool take_u8(struct reader *r, uint8_t *v)
{
    const uint8_t *p;
    bool ok = take(r, &p, 1);

    if (ok)
        *v = *p;
    return ok;
}

/* Seven bits a byte, the lowest first, at most three bytes, and in the shortest form. */
static bool take_compact_u16(struct reader *r, unsigned *v)
{
    uint8_t byte = VERSIONED;

    *v = 0;
    for (unsigned i = 0; byte & VERSIONED; i++) {
        if (i == 3 || !take_u8(r, &byte) || (i == 2 && byte > 3) || (i > 0 && byte == 0))
            return false;
        *v |= (unsigned)(byte & VERSION_MASK) << (7 * i);
    }
    return true;
}

/* Reads a count, and that many bytes after it. */
static bool take_counted(struct reader *r, const uint8_t **p, size_t *n)
{
    unsigned count;

    if (!take_compact_u16(r, &count) || !take(r, p, count))
        return false;
    *n = count;
    return true;
}

static const char *read_header(struct solana_tx *tx, struct reader *r, unsigned signatures)
{
    uint8_t first, readonly_signers, readonly_others;

    if (!take_u8(r, &first))
        return CUT_OFF;
    tx->legacy = !(first & VERSIONED);
    if (!tx->legacy && (first & VERSION_MASK) != 0)
        return OTHER_VERSION;
    if ((!tx->legacy && !take_u8(r, &first)) || !take_u8(r, &readonly_signers) ||
        !take_u8(r, &readonly_others))
        return CUT_OFF;
    tx->signers = first;
    tx->readonly_signers = readonly_signers;
    tx->readonly_others = readonly_others;
    return tx->signers == signatures && readonly_signers < tx->signers ? NULL : BAD_HEADER;
}

static const char *read_keys(struct solana_tx *tx, struct reader *r)
{
    const uint8_t *keys;

    if (!take_compact_u16(r, &tx->key_count) || !take(r, &keys, tx->key_count * sizeof *tx->keys) ||
        !take(r, &tx->blockhash, SOLANA_BLOCKHASH_LEN))
        return CUT_OFF;
    tx->keys = (const struct solana_addr *)keys;
    return tx->signers + tx->readonly_others <= tx->key_count ? NULL : BAD_HEADER;
}

static const char *read_instructions(struct solana_tx *tx, struct reader *r)
{
    if (!take_compact_u16(r, &tx->instruction_count))
        return CUT_OFF;
    if (tx->instruction_count > SOLANA_INSTRUCTIONS_MAX)
        return TOO_MANY;
    for (struct solana_instruction *in = tx->instructions; in < tx->instructions + tx->instruction_count;
         in++)
        if (!take_u8(r, &in->program) || !take_counted(r, &in->accounts, &in->account_count) ||
            !take_counted(r, &in->data, &in->data_len))
            return CUT_OFF;
    return NULL;
}

static bool read_lookup(struct solana_lookup *l, struct reader *r)
{
    const uint8_t *table;

    if (!take(r, &table, sizeof l->table) || !take_counted(r, &l->writable, &l->writable_count) ||
        !take_counted(r, &l->readonly, &l->readonly_count))
        return false;
    memcpy(l->table.bytes, table, sizeof l->table.bytes);
    return true;
}

static const char *read_lookups(struct solana_tx *tx, struct reader *r)
{
    tx->account_count = tx->key_count;
    if (tx->legacy)
        return NULL;
    if (!take_compact_u16(r, &tx->lookup_count))
        return CUT_OFF;
    if (tx->lookup_count > SOLANA_LOOKUPS_MAX)
        return TOO_MANY;
    for (struct solana_lookup *l = tx->lookups; l < tx->lookups + tx->lookup_count; l++) {
        if (!read_lookup(l, r))
            return CUT_OFF;
        tx->account_count += (unsigned)(l->writable_count + l->readonly_count);
    }
    return NULL;
}

static bool has_a_key_twice(const struct solana_tx *tx)
{
    for (unsigned i = 1; i < tx->key_count; i++)
        for (unsigned j = 0; j < i; j++)
            if (solana_addr_eq(&tx->keys[i], &tx->keys[j]))
                return true;
    return false;
}

/* Programs are the message's own keys, and never who pays. */
static const char *check_places(const struct solana_tx *tx)
{
    if (tx->account_count > SOLANA_ACCOUNTS_MAX)
        return TOO_MANY;
    if (has_a_key_twice(tx))
        return "an account twice";
    for (const struct solana_instruction *in = tx->instructions;
         in < tx->instructions + tx->instruction_count; in++) {
        if (in->program == 0 || in->program >= tx->key_count)
            return OUT_OF_RANGE;
        for (size_t i = 0; i < in->account_count; i++)
            if (in->accounts[i] >= tx->account_count)
                return OUT_OF_RANGE;
    }
    return NULL;
}

const char *solana_tx_read(struct solana_tx *out, const uint8_t *p, size_t n)
{
    struct reader r = { p, n };
    unsigned signatures;

    *out = (struct solana_tx){ .legacy = false };
    if (n > SOLANA_TX_MAX)
        return "it is larger than the network takes";
    if (n > 0 && (p[0] & VERSIONED))
        return OTHER_VERSION; /* later ones begin with it: so many signatures cannot be */
    if (!take_compact_u16(&r, &signatures) ||
        !take(&r, &out->signatures, signatures * (size_t)SOLANA_SIGNATURE_LEN))
        return CUT_OFF;
    if (signatures == 0)
        return "it has no signer";
    out->message = r.p;
    out->message_len = r.left;
    const char *why;

    if ((why = read_header(out, &r, signatures)) != NULL || (why = read_keys(out, &r)) != NULL ||
        (why = read_instructions(out, &r)) != NULL || (why = read_lookups(out, &r)) != NULL)
        return why;
    return r.left == 0 ? check_places(out) : "more bytes than it has";
}

int solana_tx_signer(const struct solana_tx *tx, const struct solana_addr *key)
{
    for (unsigned i = 0; i < tx->signers; i++)
        if (solana_addr_eq(&tx->keys[i], key))
            return (int)i;
    return -1;
}

/* ---- writing ---- */

/* The keys of a message, in the order that it wants: signers who write, signers, those written to, others. */
struct key_list {
    struct solana_account list[SOLANA_ACCOUNTS_MAX];
    size_t count;
};

static bool key_add(struct key_list *keys, const struct solana_account *a)
{
    for (size_t i = 0; i < keys->count; i++) {
        if (!solana_addr_eq(&keys->list[i].key, &a->key))
            continue;
        keys->list[i].signs |= a->signs;
        keys->list[i].writes |= a->writes;
        return true;
    }
    if (keys->count == SOLANA_ACCOUNTS_MAX)
        return false;
    keys->list[keys->count++] = *a;
    return true;
}

static bool keys_of(struct key_list *keys, const struct solana_addr *payer, const struct solana_call *calls,
                    size_t n)
{
    bool fits = key_add(keys, &(struct solana_account){ *payer, true, true });

    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; fits && j < calls[i].account_count; j++)
            fits = key_add(keys, &calls[i].accounts[j]);
    for (size_t i = 0; fits && i < n; i++)
        fits = key_add(keys, &(struct solana_account){ calls[i].program, false, false });
    return fits;
}

static unsigned key_group(const struct solana_account *a)
{
    return (a->signs ? 0U : 2U) + (a->writes ? 0U : 1U);
}

/* Keeps the order within each group, so that who pays stays the first. Sets how many each has. */
static void keys_sort(struct key_list *keys, unsigned sizes[static GROUPS])
{
    struct key_list sorted = { .count = 0 };

    for (unsigned g = 0; g < GROUPS; g++) {
        size_t before = sorted.count;

        for (size_t i = 0; i < keys->count; i++)
            if (key_group(&keys->list[i]) == g)
                sorted.list[sorted.count++] = keys->list[i];
        sizes[g] = (unsigned)(sorted.count - before);
    }
    *keys = sorted;
}

static uint8_t key_place(const struct key_list *keys, const struct solana_addr *key)
{
    uint8_t i = 0;

    while (!solana_addr_eq(&keys->list[i].key, key))
        i++;
    return i;
}

static void add_compact_u16(struct buf *out, size_t v)
{
    for (; v > VERSION_MASK; v >>= 7)
        buf_addc(out, (uint8_t)((v & VERSION_MASK) | VERSIONED));
    buf_addc(out, (uint8_t)v);
}

static void add_call(struct buf *out, const struct key_list *keys, const struct solana_call *call)
{
    buf_addc(out, key_place(keys, &call->program));
    add_compact_u16(out, call->account_count);
    for (size_t i = 0; i < call->account_count; i++)
        buf_addc(out, key_place(keys, &call->accounts[i].key));
    add_compact_u16(out, call->data_len);
    buf_add(out, call->data, call->data_len);
}

static void add_header(struct buf *out, const struct key_list *keys, const unsigned sizes[static GROUPS])
{
    static const uint8_t unsigned_yet[SOLANA_SIGNATURE_LEN];
    unsigned signers = sizes[0] + sizes[1];

    add_compact_u16(out, signers);
    for (unsigned i = 0; i < signers; i++)
        buf_add(out, unsigned_yet, sizeof unsigned_yet);
    buf_addc(out, VERSIONED);
    buf_addc(out, (uint8_t)signers);
    buf_addc(out, (uint8_t)sizes[1]);
    buf_addc(out, (uint8_t)sizes[3]);
    add_compact_u16(out, keys->count);
    for (size_t i = 0; i < keys->count; i++)
        buf_add(out, keys->list[i].key.bytes, sizeof keys->list[i].key.bytes);
}

bool solana_tx_write(struct buf *out, const struct solana_addr *payer, const struct solana_call *calls,
                     size_t n, const uint8_t blockhash[static SOLANA_BLOCKHASH_LEN])
{
    struct buf tx = BUF_INIT(SOLANA_TX_MAX);
    struct key_list keys = { .count = 0 };
    unsigned sizes[GROUPS];
    bool fits = keys_of(&keys, payer, calls, n);

    if (fits) {
        keys_sort(&keys, sizes);
        add_header(&tx, &keys, sizes);
        buf_add(&tx, blockhash, SOLANA_BLOCKHASH_LEN);
        add_compact_u16(&tx, n);
        for (size_t i = 0; i < n; i++)
            add_call(&tx, &keys, &calls[i]);
        add_compact_u16(&tx, 0); /* no lookup tables */
        fits = !tx.overflow;
    }
    if (fits)
        buf_add(out, tx.data, tx.len);
    buf_free(&tx);
    return fits;
}
