// Section: api
// Swaps on Solana, as agents do them: with a managed wallet, and with a key of their own.

import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { Connection, Keypair, PublicKey, VersionedTransaction } from '@solana/web3.js';
import { COIN, MINTS } from '../../contrib/sandbox/solana/world.mjs';
import { WRAPPED } from '../../contrib/sandbox/solana/transaction.mjs';
import {
    granted, receiver, refused, registerUnlimited, stack, stackSettings, until, verified,
} from './lib.mjs';

const SOL = 10 ** 9;
const ON_SOLANA = { chain: 'solana' };
let agent, url, connection;

before(async () => {
    ({ SANDBOX_SOLANA_URL: url } = await stackSettings());
    connection = new Connection(url, 'confirmed');
    agent = await registerUnlimited();
});

const control = (at, set) => fetch(`${at}/_sandbox`, { method: 'POST', body: JSON.stringify(set) });

/** A managed wallet with 100 SOL and 100000 of each dollar, or with what is given alone. */
async function wallet({ of = agent, lamports } = {}) {
    const made = granted(await of.post('/wallets', { chain_type: 'solana' }), 201).wallet;
    assert.equal(made.chain_type, 'solana');
    if (lamports === undefined) await stack('fund', made.address, 'solana');
    else if (lamports > 0) await connection.requestAirdrop(new PublicKey(made.address), lamports);
    return made.address;
}

async function held(owner, { mint, program }) {
    const { value } = await connection.getTokenAccountsByOwner(new PublicKey(owner), { mint: new PublicKey(mint) });
    return value.reduce((sum, { account }) => sum + account.data.readBigUInt64LE(64), 0n);
}
const coins = async (owner) => BigInt(await connection.getBalance(new PublicKey(owner)));
const units = (text, decimals) => {
    const [whole, part = ''] = text.split('.');
    return BigInt(whole + part.padEnd(decimals, '0'));
};

async function quoted(from, to, amount, address) {
    return agent.quote(from, to, amount, { ...ON_SOLANA, ...(address === undefined ? {} : { wallet_address: address }) });
}

function execute(quote, address) {
    return agent.post('/swap/execute', { quote_id: quote.quote_id, wallet_address: address });
}

async function swapped(from, to, amount, address) {
    const { swap_id } = granted(await execute(await quoted(from, to, amount), address));
    return agent.completed(swap_id);
}

// ---------------------------------------------------------------- managed

describe('a managed wallet on Solana', () => {
    test('sells the coin, and is shown what arrived', async () => {
        const address = await wallet();
        const before = await held(address, MINTS.USDC), swap = await swapped('SOL', 'USDC', '1', address);
        assert.match(swap.tx_hash, /^[1-9A-HJ-NP-Za-km-z]{86,88}$/);
        assert.deepEqual([swap.chain, swap.from_token, swap.to_token, swap.from_amount], ['solana', 'SOL', 'USDC', '1']);
        assert.equal(await held(address, MINTS.USDC) - before, units(swap.to_amount, 6));
        assert.equal(swap.transactions.length, 1);
        assert.equal(swap.transactions[0].tx_hash, swap.tx_hash);
        const { swaps } = granted(await agent.get('/swaps?limit=100'));
        assert.ok(swaps.some(({ swap_id, status }) => swap_id === swap.swap_id && status === 'completed'));
        const seen = await connection.getTransaction(swap.tx_hash, { maxSupportedTransactionVersion: 0, commitment: 'confirmed' });
        assert.equal(seen.meta.err, null);
    });

    test('buys the coin: what arrives is told apart from fees', async () => {
        const address = await wallet();
        const before = await coins(address), swap = await swapped('USDC', 'SOL', '150', address);
        const seen = await connection.getTransaction(swap.tx_hash, { maxSupportedTransactionVersion: 0, commitment: 'confirmed' });
        assert.equal(await coins(address) - before, units(swap.to_amount, 9) - BigInt(seen.meta.fee));
    });

    test('trades one token for another, of either token program', async () => {
        const address = await wallet();
        for (const to of ['BONK', 'PYUSD']) {
            const { decimals } = MINTS[to], before = await held(address, MINTS[to]), swap = await swapped('USDC', to, '10', address);
            assert.equal(await held(address, MINTS[to]) - before, units(swap.to_amount, decimals));
        }
    });

    test('takes a mint in place of a symbol', async () => {
        const address = await wallet();
        const swap = await swapped(WRAPPED, MINTS.USDC.mint, '0.5', address);
        assert.deepEqual([swap.from_token, swap.to_token], ['SOL', 'USDC']);
    });

    test('shows in the portfolio what it holds', async () => {
        const other = await registerUnlimited();
        await wallet({ of: other });
        const { balances, total_usd: total } = await until('the portfolio', async () => {
            const shown = granted(await other.get('/portfolio?chain=solana'));
            return shown.balances.length > 0 && shown;
        });
        const sol = balances.find(({ symbol }) => symbol === 'SOL');
        assert.equal(sol.balance, '100');
        assert.deepEqual([sol.usd_value, balances.find(({ symbol }) => symbol === 'USDC').usd_value], [(100 * COIN.price).toFixed(2), '100000.00']);
        assert.equal(Number(total), balances.reduce((sum, { usd_value: worth }) => sum + Number(worth), 0));
    });

    test('a webhook tells of it', async () => {
        const other = await registerUnlimited(), hook = await receiver(), secret = await other.listen(hook.url);
        await wallet({ of: other });
        const id = await other.swap('SOL', 'USDC', '0.1', ON_SOLANA);
        const delivery = await until('the webhook', () => hook.deliveries[0]);
        verified(delivery, secret);
        const event = JSON.parse(delivery.raw);
        assert.deepEqual([event.type, event.data.swap_id, event.data.to_token], ['swap.completed', id, 'USDC']);
        hook.close();
    });

    test('the same trade many times at once: each is carried out, or was not, and can be tried again', async () => {
        const address = await wallet(), before = await held(address, MINTS.USDC);
        const quotes = await Promise.all(Array.from({ length: 6 }, () => quoted('SOL', 'USDC', '0.2')));
        const answers = await Promise.all(quotes.map((quote) => execute(quote, address)));
        let arrived = 0n;
        for (const [i, answer] of answers.entries()) {
            if (answer.status === 409) refused(answer, 'An identical transaction of this wallet is already being sent');
            const { swap_id: id } = granted(answer.status === 409 ? await until('its turn', async () => {
                const again = await execute(quotes[i], address);
                return again.status !== 409 && again;
            }) : answer);
            arrived += units((await agent.completed(id)).to_amount, 6);
        }
        assert.equal(await held(address, MINTS.USDC) - before, arrived);
    });

    test('a quote is used once', async () => {
        const address = await wallet(), quote = await quoted('SOL', 'USDC', '0.1');
        const answers = await Promise.all([1, 2, 3, 4].map(() => execute(quote, address)));
        assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 404, 404, 404]);
        await agent.completed(answers.find(({ status }) => status === 200).body.swap_id);
    });
});

describe('the wrapped coin on Solana', () => {
    const wrapped = (address) => held(address, { mint: WRAPPED });
    /** What a swap changed: the coin, fees apart, and its wrapped form. */
    async function changed(address, from, to, amount) {
        const before = [await coins(address), await wrapped(address)], swap = await swapped(from, to, amount, address);
        const { meta } = await connection.getTransaction(swap.tx_hash, { maxSupportedTransactionVersion: 0, commitment: 'confirmed' });
        return { swap, coin: await coins(address) - before[0] + BigInt(meta.fee), token: await wrapped(address) - before[1] };
    }
    const RENT = 2039280n;

    test('is opened with the first wrapping, and closed once all of it is unwrapped', async () => {
        const address = await wallet({ lamports: 10 * SOL });
        const first = await changed(address, 'SOL', 'WSOL', '2');
        assert.deepEqual([first.coin, first.token, first.swap.to_amount], [-2_000_000_000n - RENT, 2_000_000_000n, '2']);
        const more = await changed(address, 'SOL', 'WSOL', '0.000000001');
        assert.deepEqual([more.coin, more.token], [-1n, 1n]);
        const part = await changed(address, 'WSOL', 'SOL', '0.5');
        assert.deepEqual([part.coin, part.token, part.swap.to_amount, part.swap.from_token, part.swap.to_token], [500_000_000n, -500_000_000n, '0.5', 'WSOL', 'SOL']);
        const rest = await changed(address, 'WSOL', 'SOL', '1.500000001');
        assert.deepEqual([rest.coin, rest.token], [1_500_000_001n + RENT, -1_500_000_001n]);
    });

    test('is quoted one to one, by who wraps', async () => {
        for (const [from, to] of [['SOL', 'WSOL'], ['wsol', 'sol']]) {
            const quote = await quoted(from, to, '3');
            assert.deepEqual([quote.amount_out, quote.routes[0].provider, quote.price_impact], ['3', 'wrapped', '0']);
        }
        const { tokens } = granted(await agent.get('/tokens?chain=solana&search=sol'));
        assert.deepEqual(tokens.filter(({ address }) => address === WRAPPED).map(({ symbol }) => symbol), ['SOL', 'WSOL']);
    });

    test('is sold and bought as it is', async () => {
        const address = await wallet();
        await swapped('SOL', 'WSOL', '2', address);
        const had = await held(address, MINTS.USDC), sold = await changed(address, 'WSOL', 'USDC', '1.5');
        assert.deepEqual([sold.coin, sold.token, await held(address, MINTS.USDC) - had], [0n, -1_500_000_000n, units(sold.swap.to_amount, 6)]);
        const bought = await changed(address, 'USDC', 'WSOL', '100');
        assert.deepEqual([bought.coin, bought.token], [0n, units(bought.swap.to_amount, 9)]);
        const { balances } = await until('the portfolio', async () => {
            const shown = granted(await agent.get('/portfolio?chain=solana'));
            return shown.balances.some(({ symbol }) => symbol === 'WSOL') && shown;
        });
        assert.equal(units(balances.find(({ symbol }) => symbol === 'WSOL').balance, 9), await wrapped(address));
    });

    test('is not unwrapped beyond what there is', async () => {
        const address = await wallet({ lamports: 5 * SOL });
        refused(await execute(await quoted('WSOL', 'SOL', '1'), address), 'Insufficient balance');
        await swapped('SOL', 'WSOL', '1', address);
        const quote = await quoted('WSOL', 'SOL', '1.000000001');
        refused(await execute(quote, address), 'Insufficient balance');
        const { would_execute: would, checks } = granted(await agent.post('/swap/simulate', { quote_id: quote.quote_id, wallet_address: address }));
        assert.deepEqual([would, checks.find(({ name }) => name === 'balance_sufficient').status], [false, 'fail']);
    });

    test('leaves the coin that an account must keep', async () => {
        const address = await wallet({ lamports: SOL });
        refused(await execute(await quoted('SOL', 'WSOL', '0.9999'), address), 'Insufficient gas');
    });

    test('is wrapped and unwrapped with a key of one\'s own', async () => {
        const key = Keypair.generate(), address = key.publicKey.toBase58();
        await connection.requestAirdrop(key.publicKey, 10 * SOL);
        for (const [from, to, after] of [['SOL', 'WSOL', 1_000_000_000n], ['WSOL', 'SOL', 0n]]) {
            const quote = await quoted(from, to, '1', address);
            const { transaction } = granted(await agent.post('/swap', { quote_id: quote.quote_id, wallet_address: address }));
            const bytes = VersionedTransaction.deserialize(Buffer.from(transaction.data, 'base64'));
            bytes.sign([key]);
            await connection.sendTransaction(bytes);
            await until('it is there', async () => await wrapped(address) === after);
        }
    });
});

describe('what a wallet on Solana cannot pay', () => {
    test('more than it has', async () => {
        const address = await wallet({ lamports: SOL / 10 });
        refused(await execute(await quoted('SOL', 'USDC', '1'), address), 'Insufficient balance');
    });

    test('fees', async () => {
        const address = await wallet({ lamports: 0 });
        await control(url, { service: 'solana', fault: 'fund', value: { address, mint: MINTS.USDC.mint, amount: '50000000' } });
        refused(await execute(await quoted('USDC', 'SOL', '50'), address), 'Insufficient gas');
    });

    test('the deposit of the account that it opens', async () => {
        const address = await wallet({ lamports: SOL / 1000 });
        refused(await execute(await quoted('SOL', 'USDC', '0.0001'), address), 'Insufficient gas');
    });

    test('a wallet of the other family', async () => {
        const quote = await quoted('SOL', 'USDC', '0.1');
        refused(await execute(quote, await agent.wallet()), 'No managed wallet found');
    });

    test('without a wallet', async () => {
        const poor = await registerUnlimited();
        const quote = await poor.quote('SOL', 'USDC', '0.1', ON_SOLANA);
        refused(await poor.execute(quote), 'No managed wallet found');
    });
});

// ---------------------------------------------------------------- rehearsed

describe('a rehearsal on Solana', () => {
    const NAMES = ['route_available', 'balance_sufficient', 'allowance_sufficient', 'gas_affordable', 'eth_call_revert_check', 'slippage_sane', 'price_impact', 'policies_allow'];

    async function rehearsed(quote, address) {
        const body = granted(await agent.post('/swap/simulate', { quote_id: quote.quote_id, wallet_address: address }));
        assert.deepEqual(body.checks.map(({ name }) => name), NAMES);
        assert.deepEqual([body.chain_type, body.wallet_address, body.quote_id], ['solana', address, quote.quote_id]);
        body.status = Object.fromEntries(body.checks.map(({ name, status }) => [name, status]));
        body.says = Object.fromEntries(body.checks.map(({ name, detail }) => [name, detail]));
        return body;
    }
    const failing = ({ status }) => NAMES.filter((name) => status[name] === 'fail');

    test('passes with what the swap takes, and the swap goes through', async () => {
        const address = await wallet(), before = await coins(address), quote = await quoted('SOL', 'USDC', '1');
        const { would_execute: would, status, says, fees, expected_output: output, price_impact_pct: impact } = await rehearsed(quote, address);
        assert.equal(would, true);
        assert.deepEqual(Object.values(status), NAMES.map(() => 'pass'));
        assert.equal(says.balance_sufficient, '100 SOL at hand, 1 SOL needed');
        assert.equal(says.allowance_sufficient, 'No allowance is needed');
        assert.match(says.gas_affordable, /^100 SOL at hand, at most 1\.00\d+ SOL needed$/);
        assert.equal(says.policies_allow, 'No policy is in force');
        assert.match(fees.gas_estimate, /^0\.00\d{1,7}$/);
        assert.deepEqual([output.token, output.amount], ['USDC', quote.amount_out]);
        assert.ok(Math.abs(output.amount_usd - COIN.price) < 1, output.amount_usd);
        assert.ok(impact >= 0 && impact < 1, impact);
        assert.equal(await coins(address), before);
        await agent.completed(granted(await execute(quote, address)).swap_id);
    });

    test('fails without what is sold', async () => {
        const address = await wallet({ lamports: SOL / 10 }), body = await rehearsed(await quoted('SOL', 'USDC', '1'), address);
        assert.equal(body.would_execute, false);
        assert.equal(body.status.balance_sufficient, 'fail');
        assert.equal(body.says.balance_sufficient, '0.1 SOL at hand, 1 SOL needed');
    });

    test('fails without the coin for fees', async () => {
        const address = await wallet({ lamports: 0 });
        await control(url, { service: 'solana', fault: 'fund', value: { address, mint: MINTS.USDC.mint, amount: '50000000' } });
        const body = await rehearsed(await quoted('USDC', 'BONK', '50'), address);
        assert.equal(body.would_execute, false);
        assert.deepEqual([body.status.balance_sufficient, body.status.gas_affordable], ['pass', 'fail']);
        assert.match(body.says.gas_affordable, /^0 SOL at hand, at most 0\.00\d+ SOL needed$/);
    });

    for (const [code, check, words] of [[1, 'balance_sufficient', 'Insufficient balance, as jupiter says'], [2, 'gas_affordable', 'Insufficient gas, as jupiter says']]) {
        test(`tells what is missing where nothing is built: ${words}`, async () => {
            const address = await wallet(), quote = await quoted('SOL', 'USDC', '1');
            const { SANDBOX_UPSTREAM_PORT: port } = await stackSettings();
            await control(`http://127.0.0.1:${port}`, { service: 'jupiter', fault: 'empty', times: 1, value: { code }, wallet: address });
            const body = await rehearsed(quote, address);
            assert.deepEqual([body.would_execute, failing(body), body.says[check]], [false, [check], words]);
            assert.equal(body.status.eth_call_revert_check, 'unavailable');
        });
    }
});

// ---------------------------------------------------------------- keys of their own

describe('a transaction to sign oneself', () => {
    test('is what it says, and lands', async () => {
        const key = Keypair.generate(), address = key.publicKey.toBase58();
        await connection.requestAirdrop(key.publicKey, 10 * SOL);
        const quote = await quoted('SOL', 'USDC', '1', address);
        const built = granted(await agent.post('/swap', { quote_id: quote.quote_id, wallet_address: address }));
        const { transaction } = built;
        assert.equal(built.chain_type, 'solana');
        assert.deepEqual([transaction.type, transaction.encoding, transaction.value, transaction.gas_estimate, transaction.chain_id],
            ['solana', 'base64', '0x0', '0x0', 1151111081099710]);
        assert.equal(transaction.to, 'JUP6LkbZbjS1jKKwapdHNy74zcZ3tLUZoi5QNyVTaV4');
        assert.ok(transaction.last_valid_block_height > 0);
        assert.deepEqual(built.approvals, []);
        const bytes = VersionedTransaction.deserialize(Buffer.from(transaction.data, 'base64'));
        assert.equal(bytes.message.staticAccountKeys[0].toBase58(), address);
        bytes.sign([key]);
        const signature = await connection.sendTransaction(bytes);
        await until('the transaction', async () => (await connection.getSignatureStatus(signature)).value?.confirmationStatus === 'confirmed'
            || (await connection.getSignatureStatus(signature)).value?.confirmationStatus === 'finalized');
        assert.ok(await held(address, MINTS.USDC) >= units(built.meta.min_out, 6));
    });
});
