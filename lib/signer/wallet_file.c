#include "signer/wallet_file.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "codec/hex.h"
#include "signer/line_file.h"

/* "<milliseconds since 1970> <wallet> <agent> <kind> <address> <hex of the sealed key>" */
enum { SEALED_HEX = 2 * SEALED_LEN };

bool wallet_file_add(int fd, const struct wallet_record *r)
{
    char line[LINE_FILE_MAX], wallet[UUID_TEXT_LEN + 1], agent[UUID_TEXT_LEN + 1], sealed[SEALED_HEX + 1];
    int n;

    uuid_text(wallet, r->ref.wallet);
    uuid_text(agent, r->ref.agent);
    hex_encode(sealed, r->sealed, SEALED_LEN);
    n = snprintf(line, sizeof line, "%" PRId64 " %s %s %d %s %s\n", r->created_ms, wallet, agent,
                 (int)r->ref.kind, r->ref.address, sealed);
    return n < (int)sizeof line && line_file_add(fd, line, (size_t)n);
}

static bool parse_line(struct wallet_record *out, const char *line)
{
    char created[20 + 1], kind[1 + 1], *created_end;
    char wallet[UUID_TEXT_LEN + 1], agent[UUID_TEXT_LEN + 1], sealed[SEALED_HEX + 1];
    int end = 0;

    if (sscanf(line, "%20s %36s %36s %1s %80s %154s%n", created, wallet, agent, kind, out->ref.address,
               sealed, &end) != 6 ||
        line[end] != '\n')
        return false;
    out->created_ms = strtoll(created, &created_end, 10);
    out->ref.kind = (enum wallet_kind)(*kind - '0');
    return *created_end == '\0' && (out->ref.kind == WALLET_EVM || out->ref.kind == WALLET_SOLANA) &&
           uuid_parse(&out->ref.wallet, wallet) && uuid_parse(&out->ref.agent, agent) &&
           hex_decode(out->sealed, SEALED_LEN, sealed, strlen(sealed));
}

enum lookup wallet_file_next(FILE *f, struct wallet_record *out)
{
    char line[LINE_FILE_MAX];

    memset(out, 0, sizeof *out);
    if (fgets(line, sizeof line, f) == NULL)
        return LOOKUP_NONE;
    return parse_line(out, line) ? LOOKUP_FOUND : LOOKUP_ERROR;
}
