// What contracts say on an EVM chain, as the services follow it.

import { setTimeout as sleep } from 'node:timers/promises';
import { rpc } from '../chain.mjs';

const LOOK_MS = 500;

/**
 * Hands over the logs of contracts, for ever: lists of them, in their order, `depth` blocks after they came, some of them empty,
 * with the number of the newest block. Where it stands is kept in the store under `id`, once what was there is taken; after an end
 * some come again.
 */
export async function followLogs({ url, address, topics, store, id, depth = 0 }, take) {
    let block = store.rows('blocks').get(id)?.block ?? 0;
    for (;; await sleep(LOOK_MS)) {
        const newest = Number(await rpc(url, 'eth_blockNumber').catch(() => block + depth)) - depth;
        if (newest < block) block = 0; // another chain stands there now
        if (newest <= block) continue;
        const range = { fromBlock: `0x${(block + 1).toString(16)}`, toBlock: `0x${newest.toString(16)}` };
        const logs = await rpc(url, 'eth_getLogs', [{ ...range, address, topics }]).catch(() => undefined);
        if (logs === undefined) continue;
        await take(logs, newest + depth);
        if (logs.length > 0) store.keep({ blocks: [{ id, block: newest }] });
        block = newest;
    }
}
