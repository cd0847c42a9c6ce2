// Section: api
// A token that calls itself as a listed one does: wherever it is shown, it is shown by its address.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
    API, agentctl, granted, receiver, refused, registerUnlimited, send, stack, stackOutput, verified,
} from './lib.mjs';
import { fund, rpc, token } from './chain.mjs';

const chain = 'base';
const fake = await stack('token', 'fake-usdc', chain);
const honest = await stack('token', 'pausable', chain);
const ends = (address) => `${address.slice(0, 6)}…${address.slice(-4)}`;
const COIN = token(chain, 'ETH').address;

const agent = await registerUnlimited();
const address = await agent.wallet();
await fund(chain, address, 10);

test('in quotes, on either side', async () => {
    const bought = await agent.quote('ETH', fake, '0.1', { chain });
    assert.deepEqual(bought.to_token, { symbol: ends(fake), chain, address: fake, decimals: 6, unverified: true });
    assert.deepEqual([bought.from_token.unverified, bought.unverified], [undefined, true]);
    assert.ok(bought.route.startsWith(`ETH → ${ends(fake)} via `), bought.route);
    assert.deepEqual(bought.warnings, [`${fake} is no listed token, and its symbol passes for one or cannot be shown`]);
    const sold = await agent.quote(fake.toLowerCase(), 'ETH', '10', { chain });
    assert.deepEqual([sold.from_token.symbol, sold.from_token.unverified, sold.unverified], [ends(fake), true, true]);
});

test('listed tokens, and unlisted ones that pass for nothing, are shown by their symbols', async () => {
    for (const [name, symbol] of [['USDC', 'USDC'], [token(chain, 'USDC').address, 'USDC'], [honest, 'PAUSE']]) {
        const quote = await agent.quote('ETH', name, '0.1', { chain });
        assert.deepEqual([quote.to_token.symbol, quote.to_token.unverified, quote.unverified, quote.warnings], [symbol, undefined, undefined, []]);
    }
});

test('in what is built, simulated and refused', async () => {
    const { quote_id } = await agent.quote('ETH', fake, '0.1', { chain });
    const built = granted(await agent.post('/swap', { quote_id, wallet_address: address }));
    assert.deepEqual([built.meta.from_token, built.meta.to_token, built.unverified], ['ETH', ends(fake), true]);
    const { expected_output: output } = granted(await agent.post('/swap/simulate', { quote_id }));
    assert.deepEqual([output.token, output.unverified], [ends(fake), true]);
    const fine = await agent.post('/quote', { from_token: fake, to_token: 'ETH', amount: '0.0000001', chain });
    assert.match(refused(fine, 'Amount must be a positive number').hint, /smallest unit of/);
    assert.ok(fine.body.hint.includes(ends(fake)), fine.body.hint);
});

test('in swaps, their status and webhooks, which name both contracts', async () => {
    const hook = await receiver();
    const secret = await agent.listen(hook.url);
    const id = await agent.swap('ETH', fake, '0.1', { chain });
    const status = await agent.completed(id);
    const listed = granted(await agent.get('/swaps')).swaps.find(({ swap_id: each }) => each === id);
    const { data } = verified(await hook.delivery(), secret);
    for (const shown of [status, listed, data]) {
        assert.deepEqual(
            [shown.from_token, shown.to_token, shown.from_token_address, shown.to_token_address, shown.unverified],
            ['ETH', ends(fake), COIN, fake, true],
        );
    }
    const other = await agent.completed(await agent.swap('ETH', 'USDC', '0.1', { chain }));
    assert.deepEqual([other.to_token_address, other.unverified], [token(chain, 'USDC').address, undefined]);
    // A portfolio has what is listed, each with its contract.
    const { balances } = granted(await agent.get(`/portfolio?chain=${chain}`));
    assert.deepEqual(balances.map((each) => [each.symbol, each.address]).sort(), [['ETH', COIN], ['USDC', token(chain, 'USDC').address]]);
    hook.close();
});

test('in a task of A2A', async () => {
    const { quote_id } = await agent.quote('ETH', fake, '0.01', { chain });
    const { body } = await send('POST', '/a2a', {
        key: agent.key,
        json: {
            jsonrpc: '2.0', id: 1, method: 'SendMessage',
            params: { message: { messageId: quote_id, role: 'ROLE_USER', parts: [{ data: { operation: 'execute_swap', arguments: { quote_id } } }] } },
        },
    });
    const text = JSON.stringify(body);
    assert.ok(body.result?.task !== undefined && !text.includes('USDC'), text);
});

test('the operator sees contracts and whether they are listed', async () => {
    granted(await agent.post('/wallet/policy', { type: 'approval_limit', params: { maxAmountWei: '1' } }));
    const answer = granted(await agent.execute(await agent.quote('ETH', fake, '0.1', { chain })), 202);
    const line = (await stackOutput('agentctl', 'approvals')).split('\n').find((each) => each.startsWith(answer.approval_id));
    assert.ok(line.includes(`0.1 ETH for at least `) && !line.includes('USDC'), line);
    assert.ok(line.includes(`  ETH: ${chain} ${COIN}, listed  ${ends(fake)}: ${chain} ${fake}, NOT LISTED  `), line);
    granted(await send('GET', `${API}/swap/status/${answer.swap_id}`, { key: agent.key }));
});

test('decimals that change are refused', async () => {
    const fickle = await stack('token', 'pausable', chain);
    const become = (code) => rpc(chain, 'anvil_setCode', [fickle, code]);
    const own = await rpc(chain, 'eth_getCode', [fickle, 'latest']);
    assert.equal((await agent.quote('ETH', fickle, '0.1', { chain })).to_token.decimals, 18);
    await become('0x600660005260206000f3'); // answers every call with six
    const { status, body } = await agent.post('/quote', { from_token: 'ETH', to_token: fickle, amount: '0.1', chain });
    assert.equal(status, 400, JSON.stringify(body));
    assert.match(body.hint, /6 decimals, and has said 18 before/);
    await become(own);
    await agent.quote('ETH', fickle, '0.1', { chain });
    // What was kept is forgotten by the operator's order alone.
    const operate = async (...args) => {
        const { code, out, err } = await agentctl('decimals', ...args);
        return code === 0 ? out : err;
    };
    assert.match(await operate(chain, fickle), /^base +0x\w{40} +18 +20/m);
    await become('0x600660005260206000f3');
    assert.match(await operate(chain, fickle, '--forget'), /its decimals are forgotten/);
    assert.equal((await agent.quote('ETH', fickle, '0.1', { chain })).to_token.decimals, 6);
    assert.match(await operate(chain, fickle.toLowerCase()), /^base +0x\w{40} +6 +20/m);
    for (const [args, why] of [[[chain, token(chain, 'USDC').address], 'nothing is kept'], [['nowhere', fickle], 'no such chain'], [[chain, 'x'], 'not an address']]) {
        assert.ok((await operate(...args)).includes(why), why);
    }
});
