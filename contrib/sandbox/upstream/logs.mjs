// What contracts say on an EVM chain, as the services follow it: the node tells of each new block.

import { on } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import WebSocket from 'ws';
import { rpc } from '../chain.mjs';

const AGAIN_MS = 500;
const NO_LOGS = /^0x0*$/; // a bloom filter of them

/**
 * Hands over the logs of contracts, for ever: lists of them, in their order, `depth` blocks after they came, some of them empty,
 * with the number of the newest block. Where it stands is kept in the store under `id`, once what was there is taken; after an end
 * some come again.
 */
export async function followLogs({ url, address, topics, store, id, depth = 0 }, take) {
    let block = store.rows('blocks').get(id)?.block ?? 0;
    let withLogs; // the newest block that may have some
    for await (const { number, mayHaveLogs } of headsOf(url)) {
        const newest = number - depth;
        if (newest < block) block = 0; // another chain stands there now
        if (mayHaveLogs) withLogs = number;
        if (newest <= block) continue;
        const logs = withLogs > block ? await logsOf(url, block + 1, newest, { address, topics }) : [];
        if (logs === undefined) continue;
        await take(logs, number);
        if (logs.length > 0) store.keep({ blocks: [{ id, block: newest }] });
        block = newest;
    }
}

function logsOf(url, from, to, filter) {
    const range = { fromBlock: `0x${from.toString(16)}`, toBlock: `0x${to.toString(16)}` };
    return rpc(url, 'eth_getLogs', [{ ...range, ...filter }]).catch(() => undefined);
}

/** The newest block { number, mayHaveLogs } as often as there is another, for ever; after a gap of any kind the next may have logs. */
async function* headsOf(url) {
    for (;; await sleep(AGAIN_MS)) {
        const socket = new WebSocket(url.replace(/^http/, 'ws'), { perMessageDeflate: false });
        const closed = new AbortController();
        socket.on('close', () => closed.abort());
        socket.on('open', () => {
            socket.send(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_subscribe', params: ['newHeads'] }));
            socket.send(JSON.stringify({ jsonrpc: '2.0', id: 2, method: 'eth_blockNumber', params: [] }));
        });
        socket.on('error', () => {}); // and closes
        let last;
        try {
            for await (const [message] of on(socket, 'message', { signal: closed.signal })) {
                const { id, result, params } = JSON.parse(message);
                const head = params?.result;
                if (id === 2) yield { number: Number(result), mayHaveLogs: true };
                if (head === undefined) continue;
                yield { number: Number(head.number), mayHaveLogs: head.parentHash !== last || !NO_LOGS.test(head.logsBloom) };
                last = head.hash;
            }
        } catch (error) {
            if (!closed.signal.aborted) throw error;
        }
    }
}
