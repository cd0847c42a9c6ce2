// upstream: the services of other companies that the gateway calls, played by one process on loopback. Each is mounted
// below its name and speaks the formats that its real counterpart speaks.
//   node server.mjs PORT POLYGON_URL [STATE [CHAIN=URL ...]]
// Without markets POLYGON_URL is "-". STATE is where the services keep what must outlive the process: files whose names begin so.
// Without it ("-") nothing does, and no bridge is paid: the solver's account has one master. Aggregators trade on the chains
// that are named. Tests make the services slow, broken or lying by their door (door.mjs).

import { createServer } from 'node:http';
import { chainNamed } from '../world.mjs';
import { across } from './across.mjs';
import { Pools } from './aggregator/pools.mjs';
import { startAggregator } from './aggregator/service.mjs';
import { bodyOf, send } from './answers.mjs';
import { Desk } from './desk.mjs';
import { Door } from './door.mjs';
import { iris } from './hyperliquid/iris.mjs';
import { startHyperliquid } from './hyperliquid/service.mjs';
import { Jupiter } from './jupiter.mjs';
import { kyberswap } from './kyberswap.mjs';
import { lifi } from './lifi.mjs';
import { Morpho } from './morpho.mjs';
import { oneinch } from './oneinch.mjs';
import { openocean } from './openocean.mjs';
import { startPolymarket } from './polymarket/service.mjs';
import { relay } from './relay.mjs';
import { solanaChain } from './solana-pools.mjs';
import { Solver } from './solver.mjs';
import { Store } from './store.mjs';
import { velora } from './velora.mjs';
import { zerox } from './zerox.mjs';

const AGGREGATORS = [kyberswap, zerox, velora, openocean, oneinch, lifi, relay, across];
const [PORT, POLYGON_URL, STATE, ...CHAINS] = process.argv.slice(2);

process.title = 'upstream'; // as `stack status` names it

const keeps = STATE !== undefined && STATE !== '-';
const stateOf = (name) => new Store(keeps ? `${STATE}.${name}.jsonl` : undefined);
const door = new Door();
if (POLYGON_URL !== '-') door.add('polymarket', await startPolymarket({ polygon: POLYGON_URL, store: stateOf('polymarket'), wrong: door.wrongs('polymarket') }));

door.add('morpho', new Morpho({ wrong: door.wrongs('morpho') }));

const chains = CHAINS.map(chainOf);
const solana = chains.find(({ name }) => name === 'solana');
if (solana !== undefined) door.add('jupiter', new Jupiter({ url: solana.url, wrong: door.wrongs('jupiter') }));
const solver = new Solver({ chains, store: stateOf('solver'), wrong: door.wrongs('solver') });
door.add('solver', solver);
for (const service of AGGREGATORS) door.add(service.key, startAggregator(service, { chains, solver, wrong: door.wrongs(service.key) }));
if (keeps) solver.start();
door.add('hyperliquid', startHyperliquid({ chains: chains.filter(({ name }) => name !== 'solana'), store: stateOf('hyperliquid'), wrong: door.wrongs('hyperliquid') }));
door.add('iris', iris);
door.add('sandbox', new Desk({ chains, base: `http://127.0.0.1:${PORT}` }));

/** A chain of "NAME=URL", with its pools. */
function chainOf(text) {
    const [name, url] = text.split(/=(.*)/);
    if (name === 'solana') return solanaChain(url);
    const chain = chainNamed(name);
    return { ...chain, url, pools: new Pools(chain, url) };
}

async function answer(request, response) {
    const url = new URL(request.url, 'http://upstream');
    const [, name, ...rest] = url.pathname.split('/');
    const call = { method: request.method, path: `/${rest.join('/')}`, query: url.searchParams, headers: request.headers, body: await bodyOf(request) };
    if (name === '_sandbox') return send(response, await door.answer(call));
    return door.pass(name, call, response);
}

const server = createServer((request, response) => {
    answer(request, response).catch((error) => {
        console.error(error);
        if (!response.headersSent) send(response, { status: 500, json: { error: 'internal' } });
        else response.destroy();
    });
});
server.keepAliveTimeout = 60000;
server.listen(Number(PORT), '127.0.0.1', () => console.log(`upstream listens on ${PORT}`));
for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, () => process.exit(0));
