/* solana_tx_read
 * @bounds all transactions, as if none could have more than 2 instructions and 2 lookup tables
 * @shows no access outside of the transaction; signatures, keys, accounts and data lie within it, and each of
 * its signers has a key
 * @unwind 3
 * @replace take:take_any take_u8:byte_any take_compact_u16:count_any check_places:places_any
 */
#include "chain/solana/solana_message.h"
#include "proof.h"

#define SOLANA_INSTRUCTIONS_MAX 2
#define SOLANA_LOOKUPS_MAX      2

/* What is copied steers nothing. */
static void *copy_any(void *to, const void *from, size_t n)
{
    MUST(__CPROVER_w_ok(to, n) && __CPROVER_r_ok(from, n));
    return to;
}

#define memcpy copy_any

#include "chain/solana/solana_message.c"

/* Where the transaction ends: what is left then says where it is, and the solver has no sums to add up. */
static const uint8_t *start, *end;

static bool step(struct reader *r, size_t n)
{
    MUST(r->left <= (size_t)(end - start) && r->p == end - r->left);
    if (n > r->left)
        return false;
    r->left -= n;
    r->p = end - r->left;
    return true;
}

/* How a count and its bytes are read is shown by itself. */
bool take_any(struct reader *r, const uint8_t **p, size_t n)
{
    const uint8_t *from = r->p;

    if (!step(r, n))
        return false;
    *p = from;
    return true;
}

bool byte_any(struct reader *r, uint8_t *v)
{
    ANY(uint8_t, byte);

    if (!step(r, 1))
        return false;
    *v = byte;
    return true;
}

bool count_any(struct reader *r, unsigned *v)
{
    ANY(bool, is_one);
    ANY(uint16_t, count);
    ANY(size_t, n);

    SUPPOSE(n > 0 && n <= 3);
    *v = count;
    return is_one && step(r, n);
}

static bool lies_within(const void *p, size_t n)
{
    const uint8_t *bytes = p;

    return n <= (size_t)(end - start) && bytes >= start && bytes <= end - n;
}

/* It may read what is told to it; what it says is shown by itself. */
const char *places_any(const struct solana_tx *tx)
{
    ANY(bool, right);
    ANY(unsigned, at);
    const struct solana_instruction *in = &tx->instructions[at];

    MUST(lies_within(tx->keys, tx->key_count * sizeof *tx->keys) && tx->key_count <= tx->account_count);
    MUST(tx->instruction_count <= SOLANA_INSTRUCTIONS_MAX);
    SUPPOSE(at < tx->instruction_count);
    MUST(lies_within(in->accounts, in->account_count) && lies_within(in->data, in->data_len));
    return right ? NULL : OUT_OF_RANGE;
}

void harness(void)
{
    ANY_BYTES(bytes, len, SOLANA_TX_MAX);
    ANY(unsigned, at);
    static struct solana_tx tx;

    start = bytes;
    end = bytes + len;
    if (solana_tx_read(&tx, bytes, len) != NULL)
        return;
    MUST(lies_within(tx.signatures, (size_t)tx.signers * SOLANA_SIGNATURE_LEN));
    MUST(tx.signers > tx.readonly_signers && tx.signers + tx.readonly_others <= tx.key_count);
    MUST(lies_within(tx.blockhash, SOLANA_BLOCKHASH_LEN) && tx.message + tx.message_len == end);
    MUST(tx.lookup_count <= SOLANA_LOOKUPS_MAX);
    SUPPOSE(at < tx.lookup_count);
    MUST(lies_within(tx.lookups[at].writable, tx.lookups[at].writable_count));
    MUST(lies_within(tx.lookups[at].readonly, tx.lookups[at].readonly_count));
}
