// Section: jobs
// `wait`: the answers of calls that begin something, or look at it, come when that has ended or their time is over, and the calls
// hold no worker meanwhile. Behind both web servers, with two workers that may wait and one that never does.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { A2A } from '../api/a2a.mjs';
import { fund, provider } from '../api/chain.mjs';
import { startGateway } from '../api/gateway.mjs';
import {
    API, granted, refused, register, send, until,
} from '../api/lib.mjs';
import { ask as askMcp, result } from '../api/mcp.mjs';
import {
    begun, isAlive, named, openFiles, read,
} from './gateways.mjs';
import { sql, withoutBlocks } from './lib.mjs';

const CHAIN = 'base';
const LONG_S = 25;
const AN_AGENT = 20;

const gateways = await Promise.all(['lighttpd', 'apache'].map(async (web) => {
    const each = await startGateway(['workers = 2', 'fast_workers = 2', 'a2a_wait_ms = 20000', 'mcp_wait_s = 20'], { web });
    await begun(each);
    return [web, each];
}));

after(() => Promise.all(gateways.map(([, each]) => each.stop())));

/** An agent with coins, by that gateway. */
async function trader({ base }) {
    const agent = await register();
    agent.base = base;
    agent.address = await agent.wallet(CHAIN, 5);
    return agent;
}

const quoted = (agent, amount = '0.01') => agent.quote('ETH', 'USDC', amount, { chain: CHAIN });
const execute = async (agent, more = {}, headers = {}) => (
    agent.send('POST', '/swap/execute', { json: { quote_id: (await quoted(agent)).quote_id, ...more }, headers })
);
/** How many calls of the host wait: the connections of the one process that holds them. */
const children = ({ pid }) => named(pid, 'gateway');
const sockets = (pid) => openFiles(pid).filter((file) => file.startsWith('socket:')).length;
const blocks = () => provider(CHAIN).send('evm_mine', []);


for (const [web, each] of gateways) {
    test(`${web}: a swap that waits answers as its status does, in one call`, async () => {
        const agent = await trader(each);
        const swap = granted(await execute(agent, { wait: LONG_S }));
        assert.equal(swap.status, 'completed', JSON.stringify(swap));
        assert.deepEqual(swap, await agent.status(swap.swap_id));
    });

    test(`${web}: without wait, and with 0, a swap is answered at once`, async () => {
        const agent = await trader(each);
        await withoutBlocks(CHAIN, async () => {
            for (const more of [{}, { wait: 0 }]) {
                const swap = granted(await execute(agent, more));
                assert.match(swap.status, /^(pending|submitted)$/);
                assert.ok('tracking' in swap);
            }
        });
    });

    test(`${web}: the time is over before the end`, async () => {
        const agent = await trader(each);
        await withoutBlocks(CHAIN, async () => {
            const begins = Date.now();
            const swap = granted(await execute(agent, { wait: 2 }));
            assert.match(swap.status, /^(pending|submitted)$/);
            assert.ok(Date.now() - begins >= 2000);
        });
    });

    test(`${web}: a status call waits as well`, async () => {
        const agent = await trader(each);
        const [id, asked] = await withoutBlocks(CHAIN, async () => {
            const { swap_id: begunId } = granted(await execute(agent));
            const call = agent.get(`/swap/status/${begunId}?wait=${LONG_S}`);
            call.catch(() => {});
            return [begunId, call];
        });
        assert.equal(granted(await asked).status, 'completed');
        assert.equal(granted(await agent.get(`/swap/status/${id}?wait=1`)).status, 'completed');
    });
}
