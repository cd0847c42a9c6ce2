#include "signer/approved_trading_keys.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "chain/evm/evm_addr.h"
#include "codec/hex.h"
#include "signer/hash_map.h"
#include "signer/line_file.h"

struct trading_keys {
    int fd;
    struct hash_map digests; /* by address: the head of its digest */
};

/* "<address> <digest>" */
static void line_write(char out[static LINE_FILE_MAX], const char *address,
                       const uint8_t digest[static HASH_LEN])
{
    char hex[2 * HASH_LEN + 1];

    hex_encode(hex, digest, HASH_LEN);
    (void)snprintf(out, LINE_FILE_MAX, "%s %s\n", address, hex);
}

/* A line that differs from our own writing of it is not ours. */
static bool line_read(char address[static EVM_ADDR_TEXT_LEN + 1], uint8_t digest[static HASH_LEN],
                      const char *line)
{
    char hex[2 * HASH_LEN + 1], again[LINE_FILE_MAX];

    if (sscanf(line, "%42s %64s", address, hex) != 2 || !hex_decode(digest, HASH_LEN, hex, strlen(hex)))
        return false;
    line_write(again, address, digest);
    return strcmp(line, again) == 0;
}

static uint64_t key_of(const char *address)
{
    return hash_map_key(address, strlen(address));
}

/* Never 0, which in the map means that there is none. */
static int64_t head_of(const uint8_t digest[static HASH_LEN])
{
    uint64_t head = 0;

    for (size_t i = 0; i < sizeof head; i++)
        head = head << 8 | digest[i];
    return (int64_t)(head >> 1 | 1);
}

/* ---- Opening ---- */

static bool read_lines(struct trading_keys *k, FILE *f)
{
    char line[LINE_FILE_MAX], address[EVM_ADDR_TEXT_LEN + 1];
    uint8_t digest[HASH_LEN];

    while (fgets(line, sizeof line, f) != NULL) {
        errno = EBADMSG;
        if (!line_read(address, digest, line) ||
            !hash_map_raise(&k->digests, key_of(address), head_of(digest)))
            return false;
    }
    return ferror(f) == 0;
}

static bool read_file(struct trading_keys *k, const char *path)
{
    FILE *f = fopen(path, "re");
    bool ok = f != NULL && read_lines(k, f);

    if (f != NULL)
        (void)fclose(f);
    return ok;
}

struct trading_keys *trading_keys_open(const char *path, char *why, size_t why_len)
{
    struct trading_keys *k = calloc(1, sizeof *k);

    if (k != NULL && (k->fd = line_file_open(path)) >= 0 && read_file(k, path))
        return k;
    (void)snprintf(why, why_len, "%s: %s", path, errno == EBADMSG ? "damaged" : strerror(errno));
    trading_keys_close(k);
    return NULL;
}

void trading_keys_close(struct trading_keys *k)
{
    if (k == NULL)
        return;
    if (k->fd >= 0)
        (void)close(k->fd);
    hash_map_free(&k->digests);
    free(k);
}

/* ---- Keeping ---- */

enum key_approval trading_keys_keep(struct trading_keys *k, const char *address,
                                    const uint8_t digest[static HASH_LEN])
{
    char line[LINE_FILE_MAX];
    int64_t known;

    if (k == NULL)
        return KEY_NOT_KEPT;
    known = hash_map_get(&k->digests, key_of(address));
    if (known != 0)
        return known == head_of(digest) ? KEY_APPROVED : KEY_APPROVED_OTHERWISE;
    line_write(line, address, digest);
    return line_file_add(k->fd, line, strlen(line)) &&
                   hash_map_raise(&k->digests, key_of(address), head_of(digest))
               ? KEY_APPROVED
               : KEY_NOT_KEPT;
}
