/* The addresses of Uniswap's contracts, or those of its forks, on a chain. The table may be wrong, or a chain
 * another one than it was: before a version's contracts are first used on a host they are asked which factory
 * and which wrapped coin they work with. A version of which one names others than the table is left out, and
 * asked again after a while. */
#ifndef ROUTE_UNISWAP_CONTRACTS_H
#define ROUTE_UNISWAP_CONTRACTS_H

#include "base/json_writer.h"
#include "chain/evm/multicall.h"
#include "route/uniswap_path.h"
#include "service/ctx.h"

/* Contracts of a version that is not there, or not used, have the zero address, where calls return
 * nothing. */
struct uniswap_contracts {
    const struct chain *chain;
    struct evm_addr v2_router, v3_quoter;
    unsigned asked;    /* the versions that are asked who they are, as bits */
    unsigned first_at; /* index of the first such call */
};

/* Before processes are forked: they share what any of them learns. */
void uniswap_contracts_share(void);

/* Whether the table has any for the chain. */
bool uniswap_listed(const struct chain *c);
/* Whether a version's have turned out to be others. */
bool uniswap_is_off(const struct chain *c, enum uniswap_kind version);

/* All that have not; false where there are none. For those who go on with what was learnt from them before.
 */
bool uniswap_contracts(struct uniswap_contracts *out, const struct chain *c);
/* The same for those who are first: adds calls where it is not known yet. They come before all others, which
 * may use up a node's gas. uniswap_contracts_read then takes the answers, and leaves out what they do not
 * bear out; a node that shows nothing of the chain proves nothing. */
bool uniswap_contracts_ask(struct uniswap_contracts *out, const struct chain *c, struct multicall *m);
void uniswap_contracts_read(struct uniswap_contracts *at, const struct multicall_results *r);

/* Which versions are left out and why, as texts of the array that is open. */
void uniswap_contracts_notes(struct json_writer *w);

#endif
