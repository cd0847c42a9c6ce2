// What nodes and providers say when they are busy, behind, unpaid, or asked for too much at once, as a Node of node.mjs does it.

export const error = (code, message) => ({ jsonrpc: '2.0', id: null, error: { code, message } });
const each = (code, message) => ({ refuses: ({ method }) => (method === 'eth_chainId' ? undefined : { code, message }) });
const all = (code, message, status = 200) => ({ refusesAll: () => ({ status, body: error(code, message) }) });
const bare = (status) => ({ refusesAll: () => ({ status }) });

/** By a name, a node that is of no use: another one has to be asked. */
export const LOST = {
    'over rate limit (-32016)': each(-32016, 'over rate limit'),
    'request limit reached (-32007)': each(-32007, '50/second request limit reached - reduce calls per second'),
    'limit exceeded (-32005)': each(-32005, 'limit exceeded'),
    'header not found': each(-32000, 'header not found'),
    'missing trie node': each(-32000, 'missing trie node 0a1b (path ) state 0x0c is not available, not found'),
    'unknown block (-39001)': each(-39001, 'Unknown block'),
    'pruned history unavailable (4444)': each(4444, 'pruned history unavailable'),
    'no state available (-32002)': each(-32002, 'No state available for block 0x0a'),
    'block not found: latest (-32001)': each(-32001, 'block not found: latest'),
    'temporary internal error (19, 500)': all(19, 'Temporary internal error. Please retry', 500),
    'daily request count exceeded (429)': all(-32005, 'daily request count exceeded, request rate limited', 429),
    'payment required (402)': all(-32005, 'Insufficient balance, payment required', 402),
    'forbidden (403)': all(-32000, 'access denied', 403),
    'an empty 402': bare(402),
    'an empty 403': bare(403),
    'an empty 429': bare(429),
    'an empty 503': bare(503),
    'a call that runs out of the gas that this node grants': { refuses: ({ method }) => (method === 'eth_call' ? 'out of gas' : undefined) },
};

/** By a name, how a node refuses a batch. */
export const REFUSALS = {
    'batch too large, as its first item': (calls) => ({ body: [{ ...error(-32600, 'batch too large'), id: calls[0].id }] }),
    'a batch limit, for all items': () => ({ body: error(-32000, 'batch limit 10 exceeded (can increase by --rpc.batch.limit). Requested batch of size: 11') }),
    'a batch limit, for each item, under 500': (calls) => ({ status: 500, body: calls.map(({ id }) => ({ ...error(31, 'Batch of more than 3 requests are not allowed on free tier'), id })) }),
    'an empty 413': () => ({ status: 413 }),
};

/** A node that takes so many items at once, and says so as `refuse` does; `sizes` are those of all batches. */
export function takes(max, refuse, sizes = []) {
    return {
        refusesAll: (calls) => {
            sizes.push(calls.length);
            return calls.length > max ? refuse(calls) : undefined;
        },
    };
}
