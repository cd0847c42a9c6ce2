/* is_name, type_number, kind_of, split_array, base_type of eip712_json.c
 * @bounds all texts up to 8 characters
 * @shows no access outside of the text; the widths of integers are 8 to 256, those of bytes 1 to 32; what is
 * left of an array's type is shorter
 * @unwind 11
 */
#include "bytewise.h"

#include "chain/evm/eip712_json.c"
#include "proof.h"

enum { TEXT_MAX = 8 };

static void check(const char *type, size_t n)
{
    unsigned size = 0;
    enum kind kind = kind_of(&size, type);
    char *item;
    long fixed;

    MUST((kind != KIND_UINT && kind != KIND_INT) || (size >= 8 && size <= 256 && size % 8 == 0));
    MUST(kind != KIND_FIXED || (size >= 1 && size <= WORD));
    MUST(!is_name(type, n) || n > 0);
    if (!split_array(&item, &fixed, NULL, type))
        return;
    MUST(strlen(item) < n && fixed >= -1);
    MUST(fixed != 0 && fixed <= 1L << 20);
}

EACH_TEXT(check, TEXT_MAX)
