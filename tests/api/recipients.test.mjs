// Section: api
// Whom money may be paid to: no program, token, pool, placeholder, or contract of another chain, by whichever way it leaves.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { Keypair, PublicKey } from '@solana/web3.js';
import { Wallet } from 'ethers';
import { LISTED } from '../../contrib/sandbox/solana/world.mjs';
import { Node } from '../faults/node.mjs';
import { rpc } from './chain.mjs';
import { startGateway } from './gateway.mjs';
import {
    granted, refused, register, stack, stackSettings, until,
} from './lib.mjs';

const LOST = 'The recipient cannot be paid', ELSEWHERE = 'The recipient is a contract on another chain, and nothing on this one';
const NO_WALLET = 'The recipient is an account of a program, and no wallet';
const TAKES_ALL = '0x00', ANSWERS_ALL = '0x60206000f3', DELEGATED = `0xef0100${'11'.repeat(20)}`;
const { SANDBOX_UPSTREAM_PORT, SANDBOX_SOLANA_URL } = await stackSettings();
const bridging = await startGateway(['relay', 'lifi', 'across'].flatMap((key) => [
    `provider.${key}.url = http://127.0.0.1:${SANDBOX_UPSTREAM_PORT}/${key}`, `provider.${key}.rate = 100/s`,
]));
after(() => bridging.stop());
const newAddress = () => Wallet.createRandom().address;

/** An agent that may withdraw to this address, with a wallet that has coins on base, or on Solana; at that gateway. */
async function payer(fields, chain = 'base', base = undefined) {
    const agent = Object.assign(await register(), base === undefined ? {} : { base });
    agent.to = granted(await agent.post('/withdrawal-addresses', fields), 201).withdrawal_address;
    if (chain === 'base') {
        await agent.wallet('base', 5);
    } else {
        const { address } = granted(await agent.post('/wallets', { chain_type: 'solana' }), 201).wallet;
        await stack('fund', address, 'solana');
    }
    agent.pay = (token = 'ETH') => agent.post('/wallets/withdraw', { token, amount: '1', chain, address_id: agent.to.id });
    agent.paid = async (token) => {
        const { id } = granted(await agent.pay(token)).withdrawal;
        await until('the withdrawal', async () => {
            const { withdrawal } = granted(await agent.get(`/withdrawals/${id}`));
            assert.notEqual(withdrawal.status, 'failed', withdrawal.error);
            return withdrawal.status === 'completed';
        });
    };
    return agent;
}

/** A signer that has just begun takes a moment until an address is active. */
const active = (agent) => until('its address to be active', async () => granted(await agent.get('/withdrawal-addresses')).withdrawal_addresses[0].status === 'active');

/** An address with this code on that chain alone. */
async function coded(chain, code) {
    const address = newAddress();
    await rpc(chain, 'anvil_setCode', [address, code]);
    return address;
}

test('addresses that can only be mistakes are refused as withdrawal addresses', async () => {
    const agent = await register();
    for (const address of [
        '0x0000000000000000000000000000000000000004', '0x0000000000000000000000000000000000001010', '0x000000000000000000000000000000000000dEaD',
        '0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE', '0xFFfFfFffFFfffFFfFFfFFFFFffFFFffffFfFFFfF', '0xcA11bde05977b3631167028862bE2a173976CA11',
        '0x000000000022D473030F116dDEE9F6B43aC78BA3', '0x4200000000000000000000000000000000000010', '0x5300000000000000000000000000000000000002',
        '0xffffFFFfFFffffffffffffffFfFFFfffFFFfFFfE', '0x00000000000000000000000000000000000A4B05',
        'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA', 'Sysvar1nstructions1111111111111111111111111', 'So11111111111111111111111111111111111111112',
        'JUP6LkbZbjS1jKKwapdHNy74zcZ3tLUZoi5QNyVTaV4',
    ]) refused(await agent.post('/withdrawal-addresses', { address: address.startsWith('0x') ? address.toLowerCase() : address }), 'address cannot be withdrawn to');
    refused(await agent.post('/withdrawal-addresses', { address: newAddress(), allow_contract: ['bse'] }), "Unknown chain 'bse'");
    refused(await agent.post('/withdrawal-addresses', { address: newAddress(), allow_contract: ['solana'] }), 'Withdrawal address is for other chains');
});

test('a contract on another chain and nothing here is paid by leave of its owner alone', async () => {
    const address = await coded('ethereum', TAKES_ALL), careless = await payer({ address });
    const answer = await careless.pay();
    refused(answer, ELSEWHERE);
    assert.match(answer.body.hint, /ethereum.*allow_contract/);
    refused(await careless.post('/wallets/withdraw/simulate', { token: 'ETH', amount: '1', chain: 'base', address_id: careless.to.id }), ELSEWHERE);
    const other = await payer({ address, allow_contract: ['polygon'] });
    refused(await other.pay(), ELSEWHERE);
    const willing = await payer({ address, allow_contract: ['base'] });
    assert.deepEqual(willing.to.allow_contract, ['base']);
    await willing.paid();
});

test('a bridge that the caller signs does not pay it either', async () => {
    const agent = Object.assign(await register(), { base: bridging.base }), address = await coded('ethereum', TAKES_ALL);
    await stack('fund', address, 'ethereum');
    const trade = { from_token: 'USDC', to_token: 'USDC', amount: '100', from_chain: 'ethereum', to_chain: 'base', wallet_address: address };
    const quote = granted(await agent.post('/quote', trade));
    refused(await agent.post('/swap', { quote_id: quote.quote_id, wallet_address: address }), ELSEWHERE);
    refused(await agent.post('/swap', trade), ELSEWHERE);
    granted(await agent.post('/swap', { quote_id: quote.quote_id, wallet_address: address, allow_contract: ['base'] }));
    const { to_chain: _, from_chain: __, ...near } = trade;
    granted(await agent.post('/swap', { ...near, to_token: 'ETH', chain: 'ethereum' }));
});

test('a swap to Solana pays no account of a token, and no program', async () => {
    const agent = Object.assign(await register(), { base: bridging.base }), wallet = newAddress();
    await stack('fund', wallet, 'ethereum');
    const unborn = PublicKey.findProgramAddressSync([Keypair.generate().publicKey.toBuffer()], new PublicKey('ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL'))[0].toBase58();
    for (const [to, error] of [[unborn, NO_WALLET], ['TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA', LOST]]) {
        const trade = { from_token: 'USDC', to_token: 'USDC', amount: '100', from_chain: 'ethereum', to_chain: 'solana', wallet_address: wallet, to_wallet_address: to };
        refused(await agent.post('/swap', trade), error);
    }
});

test('delegated code is a wallet; tokens and pools are none, listed or not', async () => {
    await (await payer({ address: await coded('ethereum', DELEGATED) })).paid();
    await (await payer({ address: await coded('base', DELEGATED) })).paid();
    await (await payer({ address: await coded('base', TAKES_ALL) })).paid();
    refused(await (await payer({ address: await coded('base', ANSWERS_ALL) })).pay(), LOST);
    refused(await (await payer({ address: await stack('token', 'fee', 'base') })).pay(), LOST);
});

test('an address that a silent chain cannot check is not paid, unless its owner has allowed it', async () => {
    const gateway = await startGateway(['rpc.polygon = http://127.0.0.1:9']);
    try {
        const agent = await payer({ address: newAddress() }, 'base', gateway.base);
        await active(agent);
        const answer = await agent.send('POST', '/wallets/withdraw', { json: { token: 'ETH', amount: '1', chain: 'base', address_id: agent.to.id }, mayBreak: true });
        assert.equal(answer.body.error_code, 'UPSTREAM_ERROR', JSON.stringify(answer.body));
        assert.match(answer.body.hint, /polygon/);
        const willing = await payer({ address: newAddress(), allow_contract: ['base'] }, 'base', gateway.base);
        await active(willing);
        await willing.paid();
    } finally {
        await gateway.stop();
    }
});

/** A node that stands before that one and may lie, and the setting of both. */
async function liarOf(chain, url) {
    const node = new Node(url), { port } = await node.listen(0);
    after(() => node.close());
    return Object.assign(node, { line: `rpc.${chain} = http://127.0.0.1:${port}, ${url}` });
}

/** In place of what a node answers to these methods about that address. */
const lie = (said, address) => ({
    answers({ method, params }, answer) {
        const isAbout = method in said && 'result' in answer && JSON.stringify(params).toLowerCase().includes(address.toLowerCase());
        return isAbout ? { ...answer, result: said[method](answer.result) } : undefined;
    },
});

test('one of two nodes that hides a contract, a token or an account has none of them paid', async (t) => {
    const nodes = {
        ethereum: await liarOf('ethereum', process.env.ETHEREUM_URL), base: await liarOf('base', process.env.BASE_CHAIN_URL),
        solana: await liarOf('solana', SANDBOX_SOLANA_URL),
    };
    const gateway = await startGateway(Object.values(nodes).map(({ line }) => line));
    const empty = { eth_getCode: () => '0x' }, used = { ...empty, eth_getTransactionCount: () => '0x1' };
    const missing = { getMultipleAccounts: (result) => ({ ...result, value: result.value.map(() => null) }) };
    try {
        for (const [what, address, chain, lies, error] of [
            ['a token here', await stack('token', 'fee', 'base'), 'base', { base: used }, LOST],
            ['a token here, whose methods are hidden', await stack('token', 'fee', 'base'), 'base', { base: { eth_call: () => '0x' } }, LOST],
            ['a contract elsewhere', await coded('ethereum', TAKES_ALL), 'base', { ethereum: empty }, ELSEWHERE],
            ['a contract elsewhere, with a key here', await coded('ethereum', TAKES_ALL), 'base', { base: used }, ELSEWHERE],
            ['a mint', LISTED.find(({ symbol }) => symbol === 'JETTY').mint, 'solana', { solana: missing }, NO_WALLET],
        ]) {
            await t.test(what, async () => {
                const agent = await payer({ address }, chain, gateway.base);
                await active(agent);
                for (const [key, said] of Object.entries(lies)) nodes[key].misbehave(lie(said, address));
                refused(await agent.pay(chain === 'solana' ? 'SOL' : 'ETH'), error);
                for (const node of Object.values(nodes)) node.behave();
            });
        }
    } finally {
        await gateway.stop();
    }
});

test('one of two nodes that is silent, or answers nonsense, leaves it to the other one whom to pay', async () => {
    const base = await liarOf('base', process.env.BASE_CHAIN_URL), gateway = await startGateway([base.line]);
    try {
        const agent = await payer({ address: newAddress() }, 'base', gateway.base);
        await active(agent);
        base.misbehave(lie({ eth_getCode: () => 7 }, agent.to.address));
        await agent.paid();
        base.misbehave({ dead: () => true });
        await agent.paid();
    } finally {
        await gateway.stop();
    }
});

test('a vault without coins, off the curve, is paid by leave of its owner', async () => {
    const vault = PublicKey.findProgramAddressSync([Keypair.generate().publicKey.toBuffer()], new PublicKey('SQDS4ep65T869zMMBKyuUq6aD6EgTu8psMjkvj52pCf'))[0].toBase58();
    const careless = await payer({ address: vault }, 'solana');
    const answer = await careless.pay('SOL');
    refused(answer, NO_WALLET);
    assert.match(answer.body.hint, /allow_contract/);
    const willing = await payer({ address: vault, allow_contract: ['solana'] }, 'solana');
    await willing.paid('SOL');
    refused(await careless.pay('SOL'), NO_WALLET);
    await willing.paid('USDC');
});
