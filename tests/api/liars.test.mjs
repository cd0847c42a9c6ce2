// Section: api, lies
// One of two nodes, or one of two services, that lies about one member of one answer: what is decided is what the truth decides,
// or it is refused, or it takes longer. LIES=all (section lies) has all members of the answers that swaps rest on in time and fees.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { after, test } from 'node:test';
import { parseUnits } from 'ethers';
import { MINTS } from '../../contrib/sandbox/solana/world.mjs';
import { solanaRpc } from '../../contrib/sandbox/upstream/solana-pools.mjs';
import { Node } from '../faults/node.mjs';
import { balance, fund, units } from './chain.mjs';
import { startGateway } from './gateway.mjs';
import {
    granted, refused, registerUnlimited, show, stack, stackSettings, until,
} from './lib.mjs';
import {
    WAYS, falsified, leavesOf, pricesAs, readAs, readsZeros,
} from './lying.mjs';

const ALL = process.env.LIES === 'all';
const SOLANA = 'solana';
const settings = await stackSettings();
const upstream = `http://127.0.0.1:${settings.SANDBOX_UPSTREAM_PORT}`;
const LINES = ['tier.standard = 100000', 'workers = 3', 'provider.relay.rate = 100/s', `provider.relay.url = ${upstream}/relay`];

async function liarOf(target) {
    const node = new Node(target);
    const { port } = await node.listen(0);
    after(() => node.close());
    return Object.assign(node, { urls: `http://127.0.0.1:${port}, ${target}` });
}
const [ethereum, base, solana] = await Promise.all([process.env.ETHEREUM_URL, process.env.BASE_CHAIN_URL, settings.SANDBOX_SOLANA_URL].map(liarOf));
const gateway = await startGateway([...LINES, `rpc.ethereum = ${ethereum.urls}`, `rpc.base = ${base.urls}`, `rpc.solana = ${solana.urls}`]);
after(() => gateway.stop());

/** An agent at that gateway, with coins on all chains. */
async function owner() {
    const agent = Object.assign(await registerUnlimited(), { base: gateway.base });
    agent.evm = await agent.wallet('ethereum', 10);
    await fund('base', agent.evm, 10);
    agent.sol = granted(await agent.post('/wallets', { chain_type: SOLANA }), 201).wallet.address;
    await stack('fund', agent.sol, SOLANA);
    return agent;
}
const agent = await owner();
const post = (path, json, at = gateway) => agent.send('POST', path, { json, base: at.base, mayBreak: true });

/** What a node says in place of the member at that path of what it answers to `method`. */
const lie = (method, path, way) => ({
    answers: (call, answer) => {
        if (call.method !== method || answer.result === undefined) return undefined;
        const { result, ...more } = answer;
        return { ...more, ...falsified({ result }, ['result', ...path], way) };
    },
});

async function during(node, trouble, work) {
    node.misbehave(trouble);
    try {
        return await work();
    } finally {
        node.behave();
    }
}

// ---------------------------------------------------------------- limits

const LIMIT = { type: 'spending_limit', params: { maxAmountUsd: '10' } };
const DEAR = [['ETH', 'WETH', '0.1', 'ethereum'], ['SOL', 'USDC', '2', SOLANA]]; // hundreds of dollars

async function isHeld([from, to, amount, chain], at = gateway, why = /./) {
    const quote = await post('/quote', { from_token: from, to_token: to, amount, from_chain: chain, to_chain: chain });
    if (quote.status !== 200) return why.test(show(quote));
    const answer = await post('/swap/simulate', { quote_id: quote.body.quote_id, wallet_address: chain === SOLANA ? agent.sol : agent.evm }, at);
    if (answer.status !== 200) return why.test(show(answer));
    const check = answer.body.checks.find(({ name }) => name === 'policies_allow');
    return (check?.status !== 'pass' && why.test(JSON.stringify(check))) || show(answer);
}

test('limits in dollars hold', async (t) => {
    const policies = [];
    for (const wallet_address of [agent.evm, agent.sol]) policies.push(granted(await agent.post('/wallet/policy', { ...LIMIT, wallet_address })).policy.id);
    for (const trade of DEAR) assert.equal(await isHeld(trade, gateway, /gives [23]\d\d/), true); // and not for lack of a quote
    for (const which of ['average', 'pools']) {
        for (const way of WAYS) {
            await t.test(`${way}: ${which}`, async () => assert.equal(await during(ethereum, { answers: pricesAs(which, way) }, () => isHeld(DEAR[0])), true));
        }
    }
    // Prices are kept for half a minute, so that each lie needs a gateway that has heard nothing yet.
    await Promise.all((ALL ? WAYS : WAYS.filter((way) => way !== 'type')).map((way) => t.test(`${way}: Jupiter's price`, async () => {
        const server = createServer(async (request, response) => {
            const text = await (await fetch(`${upstream}${request.url}`, { headers: request.headers })).text();
            if (!request.url.includes('/price/')) return response.end(text);
            const said = JSON.parse(text);
            for (const mint of Object.keys(said)) said[mint] = falsified(said[mint], ['usdPrice'], way);
            return response.end(JSON.stringify(said));
        }).listen(0, '127.0.0.1');
        await once(server, 'listening');
        const lied = await startGateway([...LINES, `provider.jupiter.url = http://127.0.0.1:${server.address().port}/jupiter`]);
        try {
            assert.equal(await isHeld(DEAR[1], lied), true);
        } finally {
            await lied.stop();
            server.close();
            server.closeAllConnections();
        }
    })));
    for (const id of policies) granted(await agent.send('DELETE', `/wallet/policy/${id}`, { base: gateway.base }));
});

// ---------------------------------------------------------------- decimals

test('decimals stay where they are', async (t) => {
    const token = await stack('token', 'pausable', 'base');
    const ask = () => post('/quote', { from_token: 'ETH', to_token: token, amount: '0.1', from_chain: 'base', to_chain: 'base' });
    const isDecimals = ({ params: [{ data = '', input = data } = {}] }) => input === '0x313ce567';
    const said = [];
    for (const way of WAYS) {
        await t.test(way, async () => {
            const trouble = lie('eth_call', [], way);
            const answer = await during(base, { answers: (call, real) => (call.method === 'eth_call' && isDecimals(call) ? trouble.answers(call, real) : undefined) }, ask);
            if (answer.status === 200) said.push(answer.body.to_token.decimals);
        });
    }
    const { decimals } = granted(await ask()).to_token;
    for (const each of said) assert.equal(each, decimals);
});

test('one node alone fixes no decimals while the other one is silent', async () => {
    const token = await stack('token', 'pausable', 'base');
    const silent = await liarOf(process.env.BASE_CHAIN_URL);
    silent.misbehave({ dead: () => true });
    const at = await startGateway([...LINES, `rpc.base = ${base.urls.split(',')[0]}, ${silent.urls.split(',')[0]}`]);
    const decimals = async () => granted(await post('/quote', { from_token: 'ETH', to_token: token, amount: '0.1', from_chain: 'base', to_chain: 'base' }, at)).to_token.decimals;
    const lied = { answers: ({ method, params: [{ data = '', input = data } = {}] = [] }, answer) => (method === 'eth_call' && input === '0x313ce567' ? { ...answer, result: `0x${(6).toString(16).padStart(64, '0')}` } : undefined) };
    try {
        assert.equal(await during(base, lied, decimals), 6); // there is no other word
        silent.behave();
        await until('both nodes to be asked', async () => await decimals().catch(() => undefined) === 18);
    } finally {
        await at.stop();
    }
});

// ---------------------------------------------------------------- what wallets hold

/** What a node of the EVM says of a wallet that holds nothing anywhere: tokens, coins, supplies and collateral. */
const emptied = readsZeros('0x70a08231', '0x4d2301cc', '0x28dd2d01', '0x93c52062');
const emptiedOnSolana = ({ method }, answer) => {
    const value = { getMultipleAccounts: [null], getTokenAccountsByOwner: [] }[method];
    return value === undefined ? undefined : { ...answer, result: { ...answer.result, value } };
};

test('no agent is deleted without its name because one node hides what it has', async (t) => {
    const HAS = {
        'coins and dollars': [base, emptied, async (each) => each.wallet('base', 1)],
        'coins on Solana': [solana, emptiedOnSolana, async (each) => stack('fund', granted(await each.post('/wallets', { chain_type: SOLANA }), 201).wallet.address, SOLANA)],
        'a supply': [base, emptied, async (each) => {
            const address = await each.wallet('base', 2);
            const { id } = granted(await each.post('/lend/supply', { chain: 'base', asset: 'ETH', amount: '1' })).operation;
            await until('the supply', async () => granted(await each.get(`/lend/operation/${id}`)).operation.status === 'completed');
            await fund('base', address, 0);
        }],
    };
    for (const [what, [node, answers, gets]] of Object.entries(HAS)) {
        await t.test(what, async () => {
            const each = Object.assign(await registerUnlimited(), { base: gateway.base });
            await gets(each);
            const refusal = await during(node, { answers }, () => each.send('DELETE', '/me'));
            assert.equal(refusal.body?.error, "The agent's wallets still hold something", show(refusal));
        });
    }
    const strict = await startGateway([...LINES, 'delete_funded = no', `rpc.base = ${base.urls}`]);
    await t.test('where the operator lets no funded agent be deleted', async () => {
        const each = Object.assign(await registerUnlimited(), { base: strict.base });
        await each.wallet('base', 1);
        const refusal = await during(base, { answers: emptied }, () => each.send('DELETE', '/me'));
        assert.equal(refusal.body?.error, "The agent's wallets still hold something", show(refusal));
    });
    await strict.stop();
});

// ---------------------------------------------------------------- loans

/** What a simulation shows of the wallet's account at Aave ends with its health factor: a thousand. */
const healthier = ({ method }, answer) => (method !== 'eth_simulateV1' || answer.result === undefined ? undefined : {
    ...answer,
    result: answer.result.map((block) => ({
        ...block,
        calls: block.calls.map((call) => (call.returnData.length < 66 * 8 ? call : { ...call, returnData: `${call.returnData.slice(0, -64)}${(10n ** 21n).toString(16).padStart(64, '0')}` })),
    })),
});

test('no loan is made healthier by one node', async () => {
    const borrower = Object.assign(await registerUnlimited(), { base: gateway.base });
    await borrower.wallet('base', 2);
    const { id } = granted(await borrower.post('/lend/supply', { chain: 'base', asset: 'ETH', amount: '1' })).operation;
    await until('the supply', async () => granted(await borrower.get(`/lend/operation/${id}`)).operation.status === 'completed');
    granted(await borrower.post('/wallet/policy', { type: 'execution_limit', params: { minHealthFactor: '2' } }));
    const borrow = () => borrower.send('POST', '/lend/borrow', { json: { chain: 'base', asset: 'USDC', amount: '1500' }, mayBreak: true });
    refused(await borrow(), 'Refused by a wallet policy');
    refused(await during(base, { answers: healthier }, borrow), 'Refused by a wallet policy');
});

// ---------------------------------------------------------------- heights

test('a bridge goes on while a node of its far chain lags, or tells of blocks to come', async (t) => {
    const at = await startGateway([...LINES, `rpc.base = ${base.urls}`], { jobs: ['swap-poll'] }); // the stack's own knows no Relay
    const taken = [];
    for (const way of ['million', 'twice', 'unit']) {
        await t.test(`${way}: eth_blockNumber`, async () => {
            const { quote_id } = granted(await post('/quote', { from_token: 'ETH', to_token: 'ETH', amount: '0.003', from_chain: 'ethereum', to_chain: 'base' }, at));
            const answer = await during(base, lie('eth_blockNumber', [], way), () => post('/swap/execute', { quote_id }, at));
            if (answer.status === 200) taken.push(answer.body.swap_id);
            else assert.equal(answer.status, 500, show(answer)); // a busy machine's other node is silent
        });
    }
    for (const { status, error } of await Promise.all(taken.map((id) => agent.settled(id)))) assert.equal(status, 'completed', error);
    await at.stop();
});

// ---------------------------------------------------------------- swaps

const USDC = MINTS.USDC.mint;

async function dollarsOnSolana(address) {
    const { value } = await solanaRpc(settings.SANDBOX_SOLANA_URL, 'getTokenAccountsByOwner', address, { mint: USDC }, { encoding: 'base64', commitment: 'confirmed' });
    return value.reduce((sum, { account: { data: [text] } }) => sum + Buffer.from(text, 'base64').readBigUInt64LE(64), 0n);
}

/** What is said of these while a swap is made: [method, path] of each member. */
async function membersSaid(node, methods, work) {
    const said = new Map();
    node.misbehave({ answers: ({ method }, { result }) => { said.set(method, result); } });
    await work();
    node.behave();
    return [...said].filter(([method]) => methods.includes(method)).flatMap(([method, result]) => leavesOf(result).map((path) => [method, path]));
}

/** Quoted and executed; the quote's answer where there is none. */
async function traded({ from, to, amount, chain }) {
    const quote = await post('/quote', { from_token: from, to_token: to, amount, from_chain: chain, to_chain: chain });
    return quote.status === 200 ? post('/swap/execute', { quote_id: quote.body.quote_id }) : quote;
}

/** Swaps, each while one member is false; what ends as completed was paid for and has arrived, once. */
async function swapsHold(t, node, chosen, { from, to, amount, chain, ended }) {
    const swap = () => traded({ from, to, amount, chain });
    const members = ALL ? await membersSaid(node, chosen.map(([method]) => method), async () => agent.completed(granted(await swap()).swap_id)) : chosen;
    const before = await ended();
    const taken = [];
    for (const [method, path] of members) {
        for (const way of WAYS) {
            await t.test(`${way}: ${[method, ...path].join(' ')}`, async () => {
                const answer = await during(node, lie(method, path, way), swap);
                if (answer.status === 200) taken.push(answer.body.swap_id);
                else assert.ok([400, 402, 409, 500, 502, 503].includes(answer.status), show(answer));
            });
        }
    }
    const swaps = await Promise.all(taken.map((id) => agent.settled(id)));
    assert.ok(swaps.length > 0);
    await ended(before, swaps.filter(({ status }) => status === 'completed'));
    assert.deepEqual(swaps.filter(({ status }) => status !== 'completed').map(({ swap_id, error }) => [swap_id, error]), []);
}

test('swaps on Solana end as they truly end', (t) => swapsHold(t, solana, [
    ['getLatestBlockhash', ['value', 'lastValidBlockHeight']], ['getEpochInfo', ['blockHeight']],
], {
    from: 'SOL', to: 'USDC', amount: '0.01', chain: SOLANA,
    async ended(before, completed) {
        const now = await dollarsOnSolana(agent.sol);
        if (before !== undefined) assert.equal(now - before, completed.reduce((sum, swap) => sum + parseUnits(swap.to_amount, 6), 0n));
        return now;
    },
}));

const DOLLARS = { from: 'ETH', to: 'USDC', amount: '0.001' };

/** No answer claims that a wallet has too little, and no trade runs out of gas: a lie ends in a refusal that says so, or in nothing. */
async function chargesHold(t, node, chain, lies, why) {
    const taken = [];
    for (const [name, answers] of lies) {
        await t.test(name, async () => {
            const answer = await during(node, { answers }, () => traded({ ...DOLLARS, chain }));
            if (answer.status === 200) taken.push(answer.body.swap_id);
            else assert.ok(answer.status === 500 && why.test(answer.body.hint), show(answer));
        });
    }
    taken.push(granted(await traded({ ...DOLLARS, chain })).swap_id);
    for (const { status, error } of await Promise.all(taken.map((id) => agent.settled(id)))) assert.equal(status, 'completed', error);
}

test('the gas that a simulation shows is held against another node', (t) => chargesHold(
    t, ethereum, 'ethereum', WAYS.map((way) => [way, lie('eth_simulateV1', [0, 'calls', 1, 'gasUsed'], way).answers]), /disputed|no usable answer in time/,
));

test('a rollup\'s fee for data is compared with another node, and a bound', (t) => chargesHold(
    t, base, 'base', WAYS.flatMap((way) => ['0xf1c7a58b', '0x275aedd2'].map((selector) => [`${way}: ${selector}`, readAs(selector, way)])), /disputed|data_fee_max/,
));

test('swaps on a chain with a base fee cost what the chain charges', (t) => swapsHold(t, ethereum, [['eth_feeHistory', ['baseFeePerGas', 10]]], {
    from: 'ETH', to: 'WETH', amount: '0.001', chain: 'ethereum',
    async ended(before, completed) {
        const now = { wrapped: await balance('ethereum', agent.evm, 'WETH'), coin: await balance('ethereum', agent.evm, 'ETH') };
        if (before === undefined) return now;
        const moved = BigInt(completed.length) * units('ethereum', 'WETH', '0.001');
        assert.equal(now.wrapped - before.wrapped, moved);
        assert.ok(before.coin - now.coin - moved < units('ethereum', 'ETH', '0.01'), `${before.coin - now.coin - moved} wei of fees`);
        return now;
    },
}));
