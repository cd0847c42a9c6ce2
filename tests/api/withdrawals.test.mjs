// Section: api
// Withdrawals: money leaves a managed wallet for addresses that the signer has known for a while, and for no others.

import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { Connection, Keypair, PublicKey } from '@solana/web3.js';
import { Wallet, ZeroAddress, parseEther, toBeHex } from 'ethers';
import { MINTS } from '../../contrib/sandbox/solana/world.mjs';
import {
    ISO_TIME, granted, hasMembers, isAmount, receiver, refused, register, show, stack, stackSettings, until, verified,
} from './lib.mjs';
import {
    CHAINS, balance, feesPaid, give, impersonated, nonceOf, routers, rpc, token, units,
} from './chain.mjs';

const ADDRESS = ['id', 'address', 'chain_type', 'label', 'active_at', 'status', 'allow_contract', 'created_at'];
const WITHDRAWAL = [
    'id', 'token', 'token_address', 'amount', 'chain', 'to', 'address_id', 'status', 'tx_hash', 'fee', 'created_at', 'completed_at', 'error',
];
const NOT_FOUND = 'Withdrawal address not found', WAITS = 'Withdrawal address is not active';
const evmAddress = () => Wallet.createRandom().address;
const TOKEN_PROGRAM = new PublicKey('TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA'), ASSOCIATED = new PublicKey('ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL');
const solanaAddress = () => Keypair.generate().publicKey.toBase58();

const added = async (agent, fields) => granted(await agent.post('/withdrawal-addresses', fields), 201).withdrawal_address;
const addresses = async (agent) => granted(await agent.get('/withdrawal-addresses')).withdrawal_addresses;
const withdraw = (agent, fields) => agent.post('/wallets/withdraw', fields);
const shown = async (agent, id) => granted(await agent.get(`/withdrawals/${id}`)).withdrawal;

/** Waits for its end, which has to be a good one. */
const completed = (agent, { id }) => until(`withdrawal ${id} to end`, async () => {
    const now = await shown(agent, id);
    assert.notEqual(now.status, 'failed', now.error);
    return now.status === 'completed' && now;
});
const withdrawn = async (agent, fields) => completed(agent, granted(await withdraw(agent, fields)).withdrawal);

/** An agent whose address was added before it had a wallet, which is funded then. */
async function owner(chain, coins = 10) {
    const agent = await register(), cold = evmAddress();
    agent.cold = await added(agent, { address: cold, chain_type: 'evm', label: 'cold' });
    agent.address = await agent.wallet(chain, coins);
    return agent;
}

const activeAgain = (agent, id) => until('the address to become active', async () => (await addresses(agent)).some(
    (each) => each.id === id && each.status === 'active'));

// ---------------------------------------------------------------- the book

describe('addresses', () => {
    test('are active at once while there has never been a wallet, and wait from then on', async () => {
        const agent = await register(), address = evmAddress();
        const first = await added(agent, { address: address.toLowerCase(), label: 'cold' });
        hasMembers(first, ADDRESS);
        assert.deepEqual([first.address, first.chain_type, first.label, first.status], [address, 'evm', 'cold', 'active']);
        const solana = await added(agent, { address: solanaAddress(), label: 'cold' });
        assert.deepEqual([solana.chain_type, solana.status], ['solana', 'active']);
        await agent.wallet();
        const second = await added(agent, { address: evmAddress() });
        assert.deepEqual([second.label, second.status], [null, 'waiting']);
        assert.match(second.active_at, ISO_TIME);
        assert.ok(Date.parse(second.active_at) > Date.parse(second.created_at));
        assert.deepEqual((await addresses(agent)).map(({ id }) => id), [second.id, solana.id, first.id]);
        await activeAgain(agent, second.id);
    });

    test('are announced at once, by an event that is signed', async () => {
        const agent = await register(), hook = await receiver(), secret = await agent.listen(hook.url);
        const made = await added(agent, { address: evmAddress(), label: 'cold' });
        const event = verified(await hook.delivery(), secret);
        assert.equal(event.type, 'withdrawal_address.added');
        assert.deepEqual(event.data, made);
        hook.close();
    });

    test('that can only be mistakes are refused', async () => {
        const agent = await register(), own = await agent.wallet(), right = evmAddress();
        const wrongCase = right.replace(/[a-f]/i, (c) => (c === c.toLowerCase() ? c.toUpperCase() : c.toLowerCase()));
        const bad = 'address is not a valid address', target = 'address cannot be withdrawn to';
        for (const [address, error] of [
            [wrongCase, bad], [ZeroAddress, bad], ['1'.repeat(32), bad], ['nobody', bad], [right.slice(0, -1), bad],
            [own, target], [token('base', 'USDC').address, target], [routers('ethereum')[0], target], [MINTS.USDC.mint, target],
        ]) refused(await agent.post('/withdrawal-addresses', { address }), error);
        refused(await agent.post('/withdrawal-addresses', { address: right, chain_type: 'solana' }), bad);
        refused(await agent.post('/withdrawal-addresses', {}), 'address is required', ['address']);
        await added(agent, { address: right, label: 'cold' });
        refused(await agent.post('/withdrawal-addresses', { address: right.toLowerCase() }), 'Withdrawal address is already known');
        refused(await agent.post('/withdrawal-addresses', { address: evmAddress(), label: 'Cold' }), 'Another withdrawal address has this label');
        assert.equal((await addresses(agent)).length, 1);
    });

    test('belong to one agent; a twenty-first is refused', async () => {
        const agent = await register(), other = await register(), made = [];
        for (let i = 0; i < 20; i++) made.push(await added(agent, { address: evmAddress() }));
        const more = await agent.post('/withdrawal-addresses', { address: evmAddress() });
        refused(more, 'Storage limit reached');
        assert.deepEqual(await addresses(other), []);
        refused(await other.send('DELETE', `/withdrawal-addresses/${made[0].id}`), NOT_FOUND);
        assert.equal((await agent.send('DELETE', `/withdrawal-addresses/${made[0].id}`)).status, 204);
        await added(agent, { address: evmAddress() });
        refused(await agent.post('/withdrawal-addresses', { address: evmAddress() }), 'Storage limit reached');
    });

    test('are removed at once and for good; added again, they wait again', async () => {
        const agent = await owner('base'), { id, address } = agent.cold;
        assert.equal((await agent.send('DELETE', `/withdrawal-addresses/${id}`)).status, 204);
        assert.equal((await addresses(agent))[0].status, 'removed');
        refused(await agent.send('DELETE', `/withdrawal-addresses/${id}`), NOT_FOUND);
        refused(await withdraw(agent, { token: 'ETH', amount: '1', chain: 'base', address_id: id }), NOT_FOUND);
        const again = await added(agent, { address, label: 'cold' });
        assert.equal(again.status, 'waiting');
        await activeAgain(agent, again.id);
        await withdrawn(agent, { token: 'ETH', amount: '0.1', chain: 'base', address_id: again.id });
        assert.equal(await balance('base', address, 'ETH'), units('base', 'ETH', '0.1'));
    });
});

// ---------------------------------------------------------------- withdrawals

describe('a withdrawal', () => {
    for (const chain of Object.keys(CHAINS)) {
        test(`of a token and of the coin arrives to the unit on ${chain}`, async () => {
            const agent = await owner(chain), { id, address: cold } = agent.cold, hook = await receiver();
            const secret = await agent.listen(hook.url);
            await agent.completed(await agent.swap('ETH', 'USDC', '0.5', { chain }));
            const had = await balance(chain, agent.address, 'USDC');
            const accepted = granted(await withdraw(agent, { token: 'USDC', amount: '100.25', chain, address_id: id })).withdrawal;
            hasMembers(accepted, WITHDRAWAL);
            assert.deepEqual([accepted.token, accepted.amount, accepted.chain, accepted.to, accepted.address_id], ['USDC', '100.25', chain, cold, id]);
            const done = await completed(agent, accepted);
            assert.equal(await balance(chain, cold, 'USDC'), units(chain, 'USDC', '100.25'));
            assert.equal(had - await balance(chain, agent.address, 'USDC'), units(chain, 'USDC', '100.25'));
            assert.equal(units(chain, 'ETH', done.fee), await feesPaid(chain, [done.tx_hash]));
            const event = verified(await hook.delivery(({ raw }) => raw.includes('withdrawal.')), secret);
            assert.deepEqual([event.type, event.data.id, event.data.status], ['withdrawal.completed', done.id, 'completed']);
            hook.close();

            const coins = await withdrawn(agent, { token: 'ETH', amount: '1.5', chain, address_id: id });
            isAmount(coins.fee, 18, 'fee');
            assert.equal(await balance(chain, cold, 'ETH'), units(chain, 'ETH', '1.5'));
        });

        test(`of all leaves no token, and of the coin no more than fees may need on ${chain}`, async () => {
            const agent = await owner(chain, 2), { id, address: cold } = agent.cold;
            await give(chain, agent.address, 'USDC', '77.000001');
            const all = await withdrawn(agent, { token: 'USDC', amount: 'max', chain, address_id: id });
            assert.deepEqual([all.amount, await balance(chain, agent.address, 'USDC')], ['77.000001', 0n]);
            const before = await balance(chain, agent.address, 'ETH');
            const coins = await withdrawn(agent, { token: 'ETH', amount: 'max', chain, address_id: id });
            assert.equal(await balance(chain, cold, 'ETH'), units(chain, 'ETH', coins.amount));
            const left = await balance(chain, agent.address, 'ETH');
            assert.equal(left, before - units(chain, 'ETH', coins.amount) - units(chain, 'ETH', coins.fee));
            assert.ok(left < units(chain, 'ETH', '0.001'), `${left} is left`);
            refused(await withdraw(agent, { token: 'USDC', amount: 'max', chain, address_id: id }), 'Insufficient balance');
        });
    }

    test('to an address that waits is refused, and works once its time has come', async () => {
        const agent = await owner('base'), { id, active_at: from } = await added(agent, { address: evmAddress(), label: 'second' });
        const asked = { token: 'ETH', amount: '0.2', chain: 'base', address_id: id };
        const answer = await withdraw(agent, asked);
        refused(answer, WAITS);
        assert.ok(answer.body.hint.includes(from), show(answer));
        assert.equal(await nonceOf('base', agent.address), 0);
        await activeAgain(agent, id);
        const done = await withdrawn(agent, asked);
        assert.ok(Date.parse(done.created_at) >= Date.parse(from));
    });

    test('is shown by its id and in a list, to its agent alone', async () => {
        const agent = await owner('base'), other = await register(), { id } = agent.cold;
        const made = [];
        for (const amount of ['0.1', '0.2', '0.3']) made.push(await withdrawn(agent, { token: 'ETH', amount, chain: 'base', address_id: id }));
        const { withdrawals, pagination } = granted(await agent.get('/withdrawals?limit=2'));
        assert.deepEqual(withdrawals, made.slice(1).reverse());
        assert.deepEqual([pagination.total, pagination.limit, pagination.offset], [3, 2, 0]);
        assert.deepEqual(granted(await agent.get('/withdrawals?status=completed&offset=2')).withdrawals, [made[0]]);
        assert.deepEqual(granted(await agent.get('/withdrawals?status=failed')).withdrawals, []);
        refused(await agent.get('/withdrawals?status=gone'), 'Invalid status filter');
        refused(await other.get(`/withdrawals/${made[0].id}`), 'Withdrawal not found');
        refused(await agent.get('/withdrawals/0'), 'Withdrawal not found');
        // It is no swap.
        assert.deepEqual(granted(await agent.get('/swaps')).swaps, []);
        refused(await agent.get(`/swap/status/${made[0].id}x`), 'Swap not found');
    });

    test('with a key is carried out once', async () => {
        const agent = await owner('base'), { id, address } = agent.cold;
        const json = { token: 'ETH', amount: '0.4', chain: 'base', address_id: id }, headers = { 'idempotency-key': 'once' };
        const answers = [];
        for (let i = 0; i < 3; i++) answers.push(granted(await agent.send('POST', '/wallets/withdraw', { json, headers })).withdrawal.id);
        assert.equal(new Set(answers).size, 1);
        await completed(agent, { id: answers[0] });
        assert.equal(await balance('base', address, 'ETH'), units('base', 'ETH', '0.4'));
    });

    test('32 at once for what one can have: one is accepted', async () => {
        const agent = await owner('base', 1), { id, address } = agent.cold;
        const asked = { token: 'ETH', amount: '0.7', chain: 'base', address_id: id };
        const answers = await Promise.all(Array.from({ length: 32 }, () => withdraw(agent, asked)));
        const accepted = answers.filter(({ status }) => status === 200);
        assert.equal(accepted.length, 1);
        for (const answer of answers) if (answer.status !== 200) refused(answer, 'Insufficient balance');
        await completed(agent, accepted[0].body.withdrawal);
        assert.equal(await balance('base', address, 'ETH'), units('base', 'ETH', '0.7'));
    });

    test('takes a label or the address in place of the id', async () => {
        const agent = await owner('base'), { address } = agent.cold;
        for (const to of ['COLD', address, address.toLowerCase()]) {
            const done = await withdrawn(agent, { token: 'ETH', amount: '0.01', chain: 'base', to });
            assert.equal(done.to, address);
        }
        refused(await withdraw(agent, { token: 'ETH', amount: '0.01', chain: 'base', to: evmAddress() }), NOT_FOUND);
    });
});

// ---------------------------------------------------------------- what cannot be

describe('what cannot be withdrawn', () => {
    test('is refused in words that say why, and nothing is signed', async () => {
        const agent = await owner('base'), { id } = agent.cold, other = await owner('base');
        const fine = { token: 'ETH', amount: '1', chain: 'base', address_id: id };
        for (const [change, error] of [
            [{ address_id: other.cold.id }, NOT_FOUND], [{ address_id: 987654321 }, NOT_FOUND], [{ address_id: undefined }, 'address_id is required'],
            [{ amount: '11' }, 'Insufficient balance'], [{ amount: '10' }, 'Insufficient gas'], [{ amount: '0' }, 'Amount must be a positive number'],
            [{ amount: 'all' }, 'Amount must be a positive number'], [{ amount: '0.0000000000000000001' }, 'Amount must be a positive number'],
            [{ amount: undefined }, 'amount is required'], [{ token: undefined }, 'token is required'], [{ chain: undefined }, 'chain is required'],
            [{ chain: 'nowhere' }, "Unknown chain 'nowhere'"], [{ token: 'NOPE' }, "Unknown token 'NOPE' on chain 'base'"],
            [{ chain: 'solana', token: 'SOL' }, 'Withdrawal address is for other chains'], [{ token: 'USDC' }, 'Insufficient balance'],
            [{ wallet_address: other.address }, 'No managed wallet found'], [{ approval_id: 'ap_nothing' }, 'Approval not found'],
        ]) refused(await withdraw(agent, { ...fine, ...change }), error);
        assert.equal(await nonceOf('base', agent.address), 0);
        assert.deepEqual(granted(await agent.get('/withdrawals')).withdrawals, []);
    });

    test('to a contract that takes no coins the simulation says so', async () => {
        const agent = await register(), contract = evmAddress();
        await rpc('base', 'anvil_setCode', [contract, '0x60006000fd']);
        const { id } = await added(agent, { address: contract });
        await agent.wallet('base', 1);
        refused(await withdraw(agent, { token: 'ETH', amount: '0.5', chain: 'base', address_id: id }), 'Transaction would revert');
        const { would_execute: would, checks } = granted(await agent.post('/wallets/withdraw/simulate', { token: 'ETH', amount: '0.5', chain: 'base', address_id: id }));
        assert.deepEqual([would, checks.find(({ name }) => name === 'eth_call_revert_check').status], [false, 'fail']);
    });

    test('to an account of a token on Solana, that is not there', async () => {
        const unborn = PublicKey.findProgramAddressSync(
            [Keypair.generate().publicKey.toBuffer(), TOKEN_PROGRAM.toBuffer(), new PublicKey(MINTS.USDC.mint).toBuffer()], ASSOCIATED,
        )[0].toBase58();
        const agent = await register(), { id } = await added(agent, { address: unborn });
        const { address } = granted(await agent.post('/wallets', { chain_type: 'solana' }), 201).wallet;
        await stack('fund', address, 'solana');
        for (const what of ['SOL', 'USDC']) {
            refused(await withdraw(agent, { token: what, amount: '1', chain: 'solana', address_id: id }), 'The recipient is an account of a program, and no wallet');
        }
    });

    test('of a token that counts shares, with the difference told', async () => {
        const agent = await owner('base'), token = await stack('token', 'shares', 'base');
        await rpc('base', 'anvil_dealERC20', [agent.address, token, toBeHex(parseEther('100'))]);
        const asked = { token, amount: '50', chain: 'base', address_id: agent.cold.id };
        const less = '49.999999999999999999';
        const { would_execute: would, warnings } = granted(await agent.post('/wallets/withdraw/simulate', asked));
        assert.ok(would && warnings.includes(`The token counts shares: ${less} SHARE arrives of 50 SHARE`), warnings.join());
        const done = await withdrawn(agent, asked);
        assert.deepEqual([done.amount, done.arrives], ['50', less]);
        assert.equal(granted(await agent.get('/withdrawals')).withdrawals[0].arrives, less);
        assert.equal((await withdrawn(agent, { ...asked, amount: 'max' })).arrives, less);
        const data = `0x70a08231${agent.cold.address.slice(2).padStart(64, '0')}`; // balanceOf
        assert.equal(BigInt(await rpc('base', 'eth_call', [{ to: token, data }, 'latest'])), 2n * parseEther(less));
    });

    test('of a token that keeps a part of each transfer, or stands still', async () => {
        const agent = await owner('base'), { id } = agent.cold;
        for (const [habit, error] of [['fee', 'Token keeps a part of each transfer'], ['pausable', 'Transaction would revert']]) {
            const address = await stack('token', habit, 'base');
            await rpc('base', 'anvil_dealERC20', [agent.address, address, '0xde0b6b3a7640000']);
            // pause()
            if (habit === 'pausable') await impersonated('base', agent.address, { to: address, data: '0x8456cb59' });
            refused(await withdraw(agent, { token: address, amount: '0.5', chain: 'base', address_id: id }), error);
        }
    });
});

// ---------------------------------------------------------------- beforehand

describe('a rehearsal', () => {
    test('says what would be, and takes nothing', async () => {
        const agent = await owner('base'), { id, address } = agent.cold;
        await give('base', agent.address, 'USDC', '5');
        const asked = { token: 'USDC', amount: '5', chain: 'base', address_id: id };
        const r = granted(await agent.post('/wallets/withdraw/simulate', asked));
        assert.deepEqual([r.would_execute, r.token, r.amount, r.chain, r.to, r.warnings], [true, 'USDC', '5', 'base', address, []]);
        assert.ok(r.checks.every(({ status }) => status === 'pass'), JSON.stringify(r.checks));
        isAmount(r.fee, 18, 'fee');
        assert.equal(granted(await agent.post('/wallets/withdraw/simulate', { ...asked, amount: 'max' })).amount, '5');
        const small = granted(await agent.post('/wallets/withdraw/simulate', { ...asked, amount: '0.000001' }));
        assert.deepEqual([small.would_execute, small.warnings], [true, ['It is worth less than its fees may be']]);
        assert.equal(granted(await agent.post('/wallets/withdraw/simulate', { ...asked, amount: '6' })).would_execute, false);
        const waiting = await added(agent, { address: evmAddress() });
        const late = granted(await agent.post('/wallets/withdraw/simulate', { ...asked, address_id: waiting.id }));
        assert.deepEqual([late.would_execute, late.checks.find(({ name }) => name === 'address_active').status], [false, 'fail']);
        assert.equal(await nonceOf('base', agent.address), 0);
        assert.deepEqual(granted(await agent.get('/withdrawals')).withdrawals, []);
    });

    test('a value below its own fees is sent all the same', async () => {
        const agent = await owner('base'), { id, address } = agent.cold;
        await withdrawn(agent, { token: 'ETH', amount: '0.000000000000000001', chain: 'base', address_id: id });
        assert.equal(await balance('base', address, 'ETH'), 1n);
    });
});

// ---------------------------------------------------------------- Solana

describe('on Solana', () => {
    let connection;

    before(async () => { connection = new Connection((await stackSettings()).SANDBOX_SOLANA_URL, 'confirmed'); });

    const held = async (who, { mint }) => {
        const { value } = await connection.getTokenAccountsByOwner(new PublicKey(who), { mint: new PublicKey(mint) });
        return value.reduce((sum, { account }) => sum + account.data.readBigUInt64LE(64), 0n);
    };

    test('of less SOL than a new account must hold', async () => {
        const agent = await register(), { id } = await added(agent, { address: solanaAddress() });
        const { address } = granted(await agent.post('/wallets', { chain_type: 'solana' }), 201).wallet;
        await stack('fund', address, 'solana');
        const little = { token: 'SOL', amount: '0.00089087', chain: 'solana', address_id: id };
        assert.match(refused(await withdraw(agent, little), 'Amount is too small for a new account').hint, /0\.00089088 SOL/);
        const { would_execute: would, checks } = granted(await agent.post('/wallets/withdraw/simulate', little));
        assert.deepEqual([would, checks.filter(({ status }) => status === 'fail').map(({ name }) => name)], [false, ['eth_call_revert_check']]);
        await withdrawn(agent, { ...little, amount: '0.00089088' });
        await withdrawn(agent, { ...little, amount: '0.000001' });
    });

    test('tokens and the coin arrive to the unit, and all of it too', async () => {
        const agent = await register(), cold = solanaAddress();
        const { id } = await added(agent, { address: cold, chain_type: 'solana', label: 'cold' });
        const { address } = granted(await agent.post('/wallets', { chain_type: 'solana' }), 201).wallet;
        await stack('fund', address, 'solana');
        const asked = (what, amount) => ({ token: what, amount, chain: 'solana', address_id: id });
        const usdc = await withdrawn(agent, asked('USDC', '12.5'));
        assert.match(usdc.tx_hash, /^[1-9A-HJ-NP-Za-km-z]{86,88}$/);
        assert.equal(await held(cold, MINTS.USDC), 12_500_000n);
        const before = await connection.getBalance(new PublicKey(cold));
        const sol = await withdrawn(agent, asked('SOL', '1.25'));
        assert.equal(await connection.getBalance(new PublicKey(cold)) - before, 1_250_000_000);
        const { meta } = await connection.getTransaction(sol.tx_hash, { maxSupportedTransactionVersion: 0, commitment: 'confirmed' });
        assert.equal(Math.round(Number(sol.fee) * 1e9), meta.fee);
        await withdrawn(agent, asked('USDC', 'max'));
        assert.equal(await held(address, MINTS.USDC), 0n);
        refused(await withdraw(agent, asked('SOL', '1000000')), 'Insufficient balance');
        await withdrawn(agent, asked('SOL', 'max'));
        assert.equal(await connection.getBalance(new PublicKey(address)), 0);
    });

    test('an address of another family is told apart', async () => {
        const agent = await owner('base');
        granted(await agent.post('/wallets', { chain_type: 'solana' }), 201);
        refused(await withdraw(agent, { token: 'SOL', amount: '1', chain: 'solana', address_id: agent.cold.id }), 'Withdrawal address is for other chains');
        refused(await withdraw(agent, { token: 'ETH', amount: '1', chain: 'base', to: solanaAddress() }), NOT_FOUND);
    });
});
