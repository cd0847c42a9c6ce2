// What chains show of a wallet, and what is given to it there: one row of functions for each family of chains.

import { Connection, PublicKey } from '@solana/web3.js';
import { parseUnits } from 'ethers';
import { ROUTERS } from '../../contrib/sandbox/aggregators.mjs';
import { COIN, MINTS } from '../../contrib/sandbox/solana/world.mjs';
import { MORPHO } from '../../contrib/sandbox/world.mjs';
import { until } from '../api/lib.mjs';
import {
    ALL_CHAINS, balance, erc20, feesPaid, fund, give, mine, nonceOf, routers, rpc, units,
} from '../api/chain.mjs';
import { settings } from '../jobs/lib.mjs';

const SETTLE_BLOCKS = 16;
const SETTLE_SLOTS = 40;
const SOLANA_URL = settings().SANDBOX_SOLANA_URL;

// ---------------------------------------------------------------- EVM

const EVM = {
    coin: 'ETH',
    wallet: {},
    units,
    balance,
    give: (chain, address, symbol, amount) => (symbol === 'ETH' ? fund(chain, address, amount) : give(chain, address, symbol, amount)),

    /** Until nothing of what is in a block now can change any more. */
    settle: (chain) => mine(chain, SETTLE_BLOCKS),

    /** A transaction in a block: { succeeded, cost }, or null. */
    async carriedOut(chain, hash) {
        const receipt = await rpc(chain, 'eth_getTransactionReceipt', [hash]);
        return receipt && { succeeded: receipt.status === '0x1', cost: await feesPaid(chain, [hash]) };
    },

    /** What is wrong with what the wallet has sent: these hashes, which others sent among them, and no others. */
    async sent(chain, address, hashes) {
        const found = await Promise.all(hashes.map((hash) => rpc(chain, 'eth_getTransactionByHash', [hash])));
        const nonces = found.map(({ nonce }) => Number(nonce)).sort((a, b) => a - b);
        const [latest, pending] = [await nonceOf(chain, address), await nonceOf(chain, address, 'pending')];
        const isRight = nonces.every((nonce, i) => nonce === i) && nonces.length === latest && pending === latest;
        return isRight ? [] : [`nonces ${nonces} of ${latest} on ${chain}, ${pending} pending`];
    },

    /** Who may take some of a token. */
    async allowed(chain, address, symbol) {
        const spenders = [
            ...routers(chain), ...Object.values(ROUTERS).map((router) => router[chain]), ALL_CHAINS[chain].lending.aave.pool, MORPHO,
        ].filter(Boolean);
        const left = await Promise.all(spenders.map((spender) => erc20(chain, symbol).allowance(address, spender)));
        return spenders.flatMap((spender, i) => (left[i] === 0n ? [] : [`${spender} may take ${left[i]} of ${symbol} on ${chain}`]));
    },
};

// ---------------------------------------------------------------- Solana

const SYMBOLS = { SOL: COIN, ...MINTS };
const connection = SOLANA_URL && new Connection(SOLANA_URL, 'confirmed');
const accountsOf = async (address, symbol) => (await connection.getTokenAccountsByOwner(new PublicKey(address), { mint: new PublicKey(SYMBOLS[symbol].mint) })).value;

/** By the control interface of the sandbox's Solana: what goes wrong there, or happens. */
export const solana = (fault, more = {}) => until(`the control of Solana to do ${fault}`, async () => {
    const answer = await fetch(`${SOLANA_URL}/_sandbox`, { method: 'POST', body: JSON.stringify({ service: 'solana', fault, ...more }) }).catch(() => null);
    return answer?.status === 200;
});

/** Nothing goes wrong there any more. */
export const solanaBehaves = () => SOLANA_URL && until('the control of Solana', () => fetch(`${SOLANA_URL}/_sandbox`, { method: 'DELETE' }).then(({ ok }) => ok, () => false));

const seen = (hash) => connection.getTransaction(hash, { commitment: 'confirmed', maxSupportedTransactionVersion: 0 });

const payer = ({ transaction }) => transaction.message.staticAccountKeys[0].toBase58();

const SOLANA = {
    coin: 'SOL',
    wallet: { chain_type: 'solana' },
    units: (chain, symbol, text) => parseUnits(text, SYMBOLS[symbol].decimals),

    async balance(chain, address, symbol) {
        if (symbol === 'SOL') return BigInt(await connection.getBalance(new PublicKey(address)));
        return (await accountsOf(address, symbol)).reduce((sum, { account }) => sum + account.data.readBigUInt64LE(64), 0n);
    },

    give: (chain, address, symbol, amount) => solana('fund', {
        value: { address, mint: symbol === 'SOL' ? undefined : SYMBOLS[symbol].mint, amount: String(SOLANA.units(chain, symbol, amount)) },
    }),

    settle: () => solana('advance', { value: SETTLE_SLOTS }),

    /** What its sender's new accounts have to hold is a cost, too. */
    async carriedOut(chain, hash) {
        const found = await seen(hash);
        if (found === null) return null;
        const { err, fee, preBalances, postBalances, postTokenBalances } = found.meta;
        const opened = postTokenBalances.filter(({ owner, accountIndex: i }) => owner === payer(found) && preBalances[i] === 0);
        return { succeeded: err === null, cost: BigInt(opened.reduce((sum, { accountIndex: i }) => sum + postBalances[i], fee)) };
    },

    /** What others sent may name the wallet. */
    async sent(chain, address, hashes) {
        const all = (await connection.getSignaturesForAddress(new PublicKey(address), {}, 'confirmed')).map(({ signature }) => signature);
        const paid = await Promise.all(all.map(async (hash) => payer(await seen(hash)) === address));
        const own = all.filter((_, i) => paid[i]);
        return own.sort().join() === hashes.toSorted().join() ? [] : [`${own} on ${chain} instead of ${hashes}`];
    },

    async allowed(chain, address, symbol) {
        const delegates = (await accountsOf(address, symbol)).filter(({ account }) => account.data.readUInt32LE(72) !== 0);
        return delegates.map(({ pubkey }) => `a delegate may take of ${pubkey}`);
    },
};

export const booksOf = (chain) => (chain === 'solana' ? SOLANA : EVM);
