// Section: accounts
// Accounts of wallets at the prediction venue: their API credentials, a venue that does not keep its word about them or
// does not let a wallet trade, and what is left when their agent goes. What needs credentials here is the end of a
// deposit, which the venue has to see.

import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { afterEach, test } from 'node:test';
import { Interface, parseUnits } from 'ethers';
import { ADDRESSES } from '../../contrib/sandbox/polymarket.mjs';
import { credentialsOf } from '../../contrib/sandbox/upstream/polymarket/auth.mjs';
import { rpc } from '../api/chain.mjs';
import { startGateway } from '../api/gateway.mjs';
import {
    API, granted, refused, readiness, send, until,
} from '../api/lib.mjs';
import {
    VENUE, asked, cancel, deposited, holder, honest, place, trader, wrong,
} from '../api/prediction.mjs';
import { Node } from '../faults/node.mjs';
import { runJob, sql } from './lib.mjs';

const BURN_ADDRESS = '0x000000000000000000000000000000000000dEaD';

afterEach(honest);

/** What the venue was asked during `act`, of its own customers' business. */
async function askedDuring(act) {
    const audit = () => asked(({ path }) => /^\/clob\/(auth|balance)/.test(path));
    const { length } = await audit();
    await act();
    return (await audit()).slice(length);
}

const auth = (audit) => audit.filter(({ path }) => path.startsWith('/clob/auth/')).map(({ method, path, status }) => [method, path.slice('/clob/auth/'.length), status]);

/** The wallet's credentials, taken back at the venue behind the gateway's back. */
async function revoke(agent) {
    const { id, secret, passphrase } = credentialsOf({ address: agent.address, nonce: '0' });
    const timestamp = String(Math.floor(Date.now() / 1000));
    const mac = createHmac('sha256', Buffer.from(secret, 'base64url')).update(`${timestamp}DELETE/auth/api-key`).digest('base64');
    const response = await fetch(`${VENUE}/polymarket/clob/auth/api-key`, {
        method: 'DELETE',
        headers: {
            POLY_ADDRESS: agent.address, POLY_SIGNATURE: mac.replaceAll('+', '-').replaceAll('/', '_'), POLY_TIMESTAMP: timestamp, POLY_API_KEY: id, POLY_PASSPHRASE: passphrase,
        },
    });
    assert.equal(response.status, 200, await response.text());
}

test('credentials are created at the first need, and kept', async () => {
    const agent = await holder('10');
    const first = await askedDuring(() => deposited(agent, '1'));
    assert.deepEqual(auth(first), [['GET', 'derive-api-key', 400], ['POST', 'api-key', 200]]);
    for (const { path, verified, status } of first) if (status === 200) assert.deepEqual(verified, [path.startsWith('/clob/auth/') ? 'L1' : 'L2'], path);
    const second = await askedDuring(() => deposited(agent, '1'));
    assert.deepEqual(auth(second), []);
    assert.ok(second.length > 0 && second.every(({ status }) => status === 200), JSON.stringify(second));
});

test('one of two nodes that shows a deposit wallet of the previous form decides none, and the account is right once they agree', async () => {
    const node = new Node(process.env.POLYGON_URL), { port } = await node.listen(0);
    const gateway = await startGateway([`rpc.polygon = http://127.0.0.1:${port}, ${process.env.POLYGON_URL}`]);
    try {
        const agent = await holder('10', gateway.base), account = () => agent.send('GET', '/predict/account', { mayBreak: true });
        node.misbehave({ answers: ({ method }, answer) => (method === 'eth_getCode' ? { ...answer, result: '0x60' } : undefined) });
        const answer = await account();
        assert.deepEqual([answer.status, answer.body.error], [500, 'Internal server error'], JSON.stringify(answer.body));
        const order = await agent.send('POST', '/predict/order', { json: await resting(agent), mayBreak: true });
        assert.deepEqual([order.status, order.body.error], [500, 'Prediction order failed'], JSON.stringify(order.body));
        node.behave();
        granted(await account());
        await deposited(agent, '1');
    } finally {
        await gateway.stop();
        node.close();
    }
});

test('credentials that the venue refuses are derived again', async () => {
    const agent = await holder('10');
    await deposited(agent, '1');
    await revoke(agent);
    await sql(`UPDATE predict_accounts SET credentials_at = credentials_at - INTERVAL 2 MINUTE WHERE wallet_id = (SELECT id FROM wallets WHERE address = '${agent.address}')`);
    const seen = await askedDuring(() => deposited(agent, '1'));
    assert.ok(seen.some(({ status }) => status === 401), JSON.stringify(seen));
    assert.deepEqual(auth(seen), [['GET', 'derive-api-key', 400], ['POST', 'api-key', 200]]);
});

test('credentials that cannot be opened are derived again', async () => {
    const agent = await holder('10');
    await deposited(agent, '1');
    await sql(`UPDATE predict_accounts SET credentials = REVERSE(credentials) WHERE wallet_id = (SELECT id FROM wallets WHERE address = '${agent.address}')`);
    assert.deepEqual(auth(await askedDuring(() => deposited(agent, '1'))), [['GET', 'derive-api-key', 200]]);
});

for (const fault of ['garbage', 'lost_answer', 'endless', 'stall']) {
    test(`${fault} for an answer about credentials: asked again until there is one`, async () => {
        const agent = await holder('10');
        await wrong(fault, { path: '/clob/auth', times: 2 });
        const seen = auth(await askedDuring(() => deposited(agent, '1')));
        assert.ok(seen.length >= 3 && seen.length <= 8, JSON.stringify(seen));
    });
}

// ---------------------------------------------------------------- whether it may trade

/** Terms of an order that rests. */
async function resting(agent) {
    const { markets } = granted(await agent.get('/predict/markets?limit=50'));
    const { outcomes } = markets.find(({ exchange, outcomes: [first] }) => exchange === 'v2' && first.price > 0.3 && first.price < 0.7);
    return { tokenId: outcomes[0].tokenId, price: 0.2, size: 5, side: 'BUY' };
}

test('a wallet that may only close positions buys nothing, until it may again', async () => {
    const agent = await trader('5');
    const order = await resting(agent);
    const notes = async () => (await readiness()).body.notes.filter((note) => /close positions/.test(note));
    await wrong('closed_only');
    assert.equal(refused(await place(agent, order), 'Trading not permitted for this wallet').error_code, 'NOT_PERMITTED');
    assert.equal(granted(await agent.get('/predict/account')).account.closedOnly, true);
    assert.deepEqual(await notes(), ['Polymarket lets some wallets only close positions']);
    assert.deepEqual(granted(await agent.get('/predict/orders?status=all')).orders, []);
    await honest();
    assert.equal(granted(await place(agent, order)).order.status, 'open');
    assert.equal(granted(await agent.get('/predict/account')).account.closedOnly, false);
});

test('when the venue does not serve this country, purchases are refused with the reason', async () => {
    const where = { blocked: true, ip: '192.0.2.1', country: 'XX', region: '' };
    const server = createServer((request, response) => response.end(JSON.stringify(where))).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const gateway = await startGateway([`predict_geoblock_url = http://127.0.0.1:${server.address().port}/`]);
    try {
        const agent = Object.assign(await trader('5'), { base: gateway.base });
        const order = await resting(agent);
        await gateway.pass('quote-expire');
        const [note] = (await readiness({ base: gateway.base })).body.notes.filter((each) => /country/.test(each));
        assert.equal(note, "Polymarket does not serve this server's country: XX");
        assert.equal(refused(await place(agent, order), 'Trading not permitted for this wallet').hint, note);
        assert.deepEqual(granted(await agent.get('/predict/orders?status=all')).orders, []);
        granted(await agent.get('/predict/account'));
        granted(await agent.post('/predict/withdraw', { amount: '1' }));
    } finally {
        await gateway.stop();
        server.close();
    }
});

// ---------------------------------------------------------------- the end of an agent

test('open orders of an agent that is deleted are cancelled, and then all of it goes', async () => {
    const agent = await trader('5');
    const { order } = granted(await place(agent, await resting(agent)));
    const id = await sql(`SELECT agent_id FROM wallets WHERE address = '${agent.address}'`);
    const left = refused(await agent.send('DELETE', '/me'), "The agent's wallets still hold something");
    assert.ok(left.holdings.some(({ place }) => place === 'predict'), JSON.stringify(left));
    const { positions } = granted(await agent.get('/portfolio'));
    assert.ok(positions.some(({ market, chain, wallet_address: wallet, amount }) => (
        market === 'predict' && chain === 'polygon' && wallet === agent.address && amount === '5')), JSON.stringify(positions));
    assert.deepEqual(left.under_way, [{ kind: 'predict order', id: order.id, status: 'open' }]);
    const { name } = granted(await agent.get('/me')).agent;
    assert.equal((await agent.send('DELETE', `/me?confirm=${name}`)).status, 204);
    await until('the venue to have cancelled it', async () => (
        await asked(({ method, body, status }) => method === 'DELETE' && body.includes(order.id) && status === 200)).length > 0);
    const rows = (table) => sql(`SELECT COUNT(*) FROM ${table} WHERE agent_id = ${id}`);
    await until('the purge', async () => {
        await runJob('agent-purge');
        return Number(await rows('predict_orders')) + Number(await rows('executions')) === 0;
    }, { interval: 500 });
});

const ERC20 = new Interface(['function transfer(address, uint256)']);

/** Nothing but positions is left to it, once its trades are settled. */
async function emptied(agent) {
    const account = async () => granted(await agent.get('/predict/account')).account;
    await until('all of it to be gone', async () => {
        const { tradingAddress, collateral } = await account();
        await rpc('polygon', 'anvil_impersonateAccount', [tradingAddress]);
        await rpc('polygon', 'anvil_setBalance', [tradingAddress, '0xde0b6b3a7640000']);
        const data = ERC20.encodeFunctionData('transfer', [BURN_ADDRESS, parseUnits(collateral.balance, 6)]);
        const hash = await rpc('polygon', 'eth_sendTransaction', [{ from: tradingAddress, to: ADDRESSES.collateral, data, gas: '0x30d40' }]);
        await until('the transfer', () => rpc('polygon', 'eth_getTransactionReceipt', [hash]));
        await rpc('polygon', 'anvil_stopImpersonatingAccount', [tradingAddress]);
        for (const address of [tradingAddress, agent.address]) await rpc('polygon', 'anvil_setBalance', [address, '0x0']);
        return (await account()).collateral.balance === '0';
    });
}

test('delete_funded = no keeps an agent with open orders, and with a position', async () => {
    const gateway = await startGateway(['delete_funded = no']);
    try {
        const agent = await trader('10');
        const order = await resting(agent);
        const { id } = granted(await place(agent, order)).order;
        const remove = () => send('DELETE', `${API}/me`, { base: gateway.base, key: agent.key });
        assert.match(refused(await remove(), 'The agent has open orders').hint, /predict\/orders/);
        granted(await cancel(agent, id));
        // Shares for all that the deposit wallet had.
        granted(await place(agent, { ...order, price: 0.95, type: 'FAK' }));
        await until('a position', async () => granted(await agent.get('/predict/positions')).positions.length > 0);
        await emptied(agent);
        assert.match(refused(await remove(), "The agent's wallets still hold something").hint, /predict\/positions/);
    } finally {
        await gateway.stop();
    }
});
