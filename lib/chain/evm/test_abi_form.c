#include "base/test.h"
#include "chain/evm/abi_form.c"

#include "codec/hex.h"

enum { BYTES_MAX = 2048 };

static struct abi_leaves leaves;
static uint8_t args[BYTES_MAX];

/* Words as hex numbers, which stand at the right, or behind a "<" at the left. */
static size_t words_put(const char *text)
{
    size_t n = 0;

    memset(args, 0, sizeof args);
    for (text += strspn(text, " "); *text != '\0'; n += ABI_WORD) {
        bool left = *text == '<';
        size_t digits = strcspn(text += left, " ");
        uint8_t *at = args + n + (left ? 0 : ABI_WORD - digits / 2);

        CHECK(n < BYTES_MAX && digits % 2 == 0 && hex_decode(at, digits / 2, text, digits));
        text += digits;
        text += strspn(text, " ");
    }
    return n;
}

static bool reads(const char *form, const char *words)
{
    return abi_read_form(&leaves, form, args, words_put(words));
}

static bool leaf_is(unsigned i, uint64_t count, size_t first, size_t last)
{
    const struct abi_leaf *l = &leaves.leaf[i];

    return l->count == count && l->first == args + first * ABI_WORD && l->last == args + last * ABI_WORD;
}

#define A "1111111111111111111111111111111111111111"
#define B "2222222222222222222222222222222222222222"

static void values_of_one_word(void)
{
    CHECK(reads("", "") && leaves.count == 0 && !reads("", "00"));
    CHECK(reads("address,bool,uint8,uint256,bytes4", A " 01 ff 1234 <aabbccdd") && leaves.count == 5);
    for (unsigned i = 0; i < 5; i++)
        CHECK(leaf_is(i, 1, i, i) && leaves.leaf[i].first_len == ABI_WORD);
    CHECK(!reads("address", "01" A) && !reads("address", "<01") && !reads("bool", "02"));
    CHECK(!reads("uint8", "0100") && !reads("bytes4", "<aabbccddee") && reads("bytes32", "<aabbccddee"));
    CHECK(!reads("address", "") && !reads("address", A " 00"));
    CHECK(!abi_read_form(&leaves, "uint256", args, 33));
}

static void bytes(void)
{
    CHECK(reads("bytes,uint8", "40 07 03 <aabbcc") && leaf_is(0, 1, 3, 3) && leaves.leaf[0].first_len == 3);
    CHECK(reads("bytes", "20 00") && leaves.leaf[0].count == 1 && leaves.leaf[0].first_len == 0);
    CHECK(!reads("bytes,uint8", "40 07 03 <aabbccdd"));  /* dirty padding */
    CHECK(!reads("bytes,uint8", "40 07 21 <aabbcc"));    /* longer than what is there */
    CHECK(!reads("bytes,uint8", "40 07 03"));            /* cut off */
    CHECK(!reads("bytes,uint8", "41 07 03 <aabbcc"));    /* no multiple of a word */
    CHECK(!reads("bytes,uint8", "20 00 00"));            /* into the head */
    CHECK(!reads("bytes,uint8", "0400 07 03 <aabbcc"));  /* out of range */
    CHECK(!reads("bytes,uint8", "40 07 03 <aabbcc 00")); /* left over */
    CHECK(!reads("bytes,uint8", "60 07 00 03 <aabbcc")); /* a gap */
    CHECK(!reads("bytes,bytes", "40 40 00"));            /* twice the same */
    CHECK(!reads("bytes,bytes", "40 60 20 <aa 01 <bb")); /* overlapping */
    CHECK(reads("bytes,bytes", "80 40 01 <bb 01 <aa"));  /* in another order */
    CHECK(leaf_is(0, 1, 5, 5) && leaf_is(1, 1, 3, 3));
    CHECK(!reads("bytes", "<ff") && !reads("bytes", "20 <ff")); /* sizes beyond everything */
}

static void arrays(void)
{
    CHECK(reads("uint8,address[]", "05 40 02 " A " " B) && leaves.count == 2 && leaf_is(1, 2, 3, 4));
    CHECK(reads("address[]", "20 00") && leaves.leaf[0].count == 0 && leaves.leaf[0].first == NULL);
    CHECK(!reads("address[]", "20 03 " A " " B) && !reads("address[]", "20 01 " A " " B));
    CHECK(!reads("address[]", "20 <ff") && !reads("address[]", "20 01 01" A));
    CHECK(reads("bytes[]", "20 02 40 80 01 <aa 02 <bbcc"));
    CHECK(leaf_is(0, 2, 5, 7) && leaves.leaf[0].first_len == 1 && leaves.leaf[0].last_len == 2);
    CHECK(!reads("bytes[]", "20 02 40 40 01 <aa 02 <bbcc"));
}

static void tuples(void)
{
    CHECK(reads("(uint8,address),bool", "01 " A " 01") && leaves.count == 3 && leaf_is(2, 1, 2, 2));
    CHECK(reads("(uint8,bytes),bool", "40 01 07 40 01 <aa") && leaf_is(0, 1, 2, 2) && leaf_is(1, 1, 5, 5));
    CHECK(leaf_is(2, 1, 1, 1));
    CHECK(reads("(uint8,address)[]", "20 02 01 " A " 02 " B) && leaf_is(0, 2, 2, 4) && leaf_is(1, 2, 3, 5));
    CHECK(reads("bool,(uint8,bytes)[],uint8", "01 60 09 02 40 c0 01 40 01 <aa 02 40 00"));
    CHECK(leaves.count == 4 && leaf_is(1, 2, 6, 10) && leaf_is(3, 1, 2, 2) && leaves.leaf[2].last_len == 0);
    CHECK(reads("((uint8,bytes[]),address)", "20 40 " A " 01 40 01 20 01 <aa"));
    CHECK(leaves.count == 3 && leaf_is(1, 1, 8, 8) && leaf_is(2, 1, 2, 2));
    CHECK(!reads("((uint8,bytes[]),address)", "20 40 " A " 01 40 01 40 01 <aa"));
}

static void more_than_there_may_be(void)
{
    static const char form[] =
        "bool,bool,bool,bool,bool,bool,bool,bool,bool,bool,bool,bool,bool,bool,bool,bool,bool,"
        "bool,bool,bool,bool,bool,bool,bool,bool,bool,bool,bool,bool,bool,bool,bool,bool";
    size_t n = ((size_t)WORDS_MAX + 1) * ABI_WORD;
    uint8_t *much = calloc(n, 1);

    CHECK(!abi_read_form(&leaves, form, args, 33 * (size_t)ABI_WORD));
    CHECK(much != NULL && !abi_read_form(&leaves, "uint256[]", much, n));
    free(much);
    CHECK(!reads("(((((((((bool)))))))))", "01"));
}

TEST_MAIN(TEST(values_of_one_word), TEST(bytes), TEST(arrays), TEST(tuples), TEST(more_than_there_may_be))
