// The main job, as an agent goes through it: register, wallet, funds, quotes, executions, following the swaps to their
// ends, webhooks. The agent does what agents do: it asks again when it gets no answer. Afterwards the books are audited.

import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import { ROUTERS } from '../../contrib/sandbox/aggregators.mjs';
import { granted, show, until } from '../api/lib.mjs';
import {
    balance, erc20, feesPaid, fund, give, nonceOf, routers, rpc, units,
} from '../api/chain.mjs';
import { hashes, sql } from '../jobs/lib.mjs';
import { PATIENCE_MS, PatientAgent } from './agent.mjs';

export const CHAIN = 'base';
export const PLAIN = [['ETH', 'DAI', '0.1'], ['DAI', 'ETH', '50']];

/** What a life that bridges trades, and what it has at first. */
export const BRIDGING = {
    trades: [['ethereum', 'base'], ['base', 'ethereum']].flatMap(([from_chain, to_chain]) => (
        [['ETH', '0.1'], ['USDC', '50']].map(([symbol, amount]) => [symbol, symbol, amount, { from_chain, to_chain }]))),
    purse: { ethereum: { ETH: '10', USDC: '1000' }, base: { ETH: '10', USDC: '1000' } },
};

const PURSE = { [CHAIN]: { ETH: '10', DAI: '5000' } };
const SETTLE_BLOCKS = '0x10';
// Kinds of transactions that spend what is sold, and the failure after which it is there again.
const SPENDS = ['swap', 'bridge_in'];
const PAID_BACK = 'BRIDGE_REFUNDED';
const isFinal = ({ status }) => /^(completed|failed)$/.test(status);

const NOTHING = {
    accepted: 0, completed: 0, failed: 0, transactions: 0, duplicates: 0, lost: 0, due: 0, delivered: 0,
};

/** Adds up what audits have counted. */
export function sum(audits) {
    const total = { ...NOTHING, wrong: [] };
    for (const each of audits) {
        for (const name of Object.keys(NOTHING)) total[name] += each[name];
        total.wrong.push(...each.wrong);
    }
    return total;
}

export class Life extends PatientAgent {
    /** Trades as [from, to, amount, where]; `purse` has by chain and symbol what the wallet gets at first. */
    constructor({ trades = PLAIN, purse = PURSE } = {}) {
        super();
        this.trades = trades;
        this.purse = purse;
        this.chains = Object.keys(purse);
        this.accepted = [];
        this.foreign = []; // transactions that somebody else sends from the wallet
    }

    // ---------------------------------------------------------------- what the agent does

    async prepare() {
        await this.register();
        for (const [chain, symbol, amount] of this.#endowment()) {
            await (symbol === 'ETH' ? fund(chain, this.address, amount) : give(chain, this.address, symbol, amount));
        }
        if (this.trades.length <= PLAIN.length) this.quotes = await Promise.all(this.trades.map((trade, i) => this.#quote(trade, i)));
    }

    /** [chain, symbol, amount] of all that the purse had. */
    #endowment() {
        return this.chains.flatMap((chain) => Object.entries(this.purse[chain]).map(([symbol, amount]) => [chain, symbol, amount]));
    }

    async #quote([from_token, to_token, amount, where = { chain: CHAIN }], i) {
        const json = { from_token, to_token, amount, ...where };
        return granted(await this.ask('POST', '/quote', json, i % 2 === 0 ? undefined : `quote-${Math.random()}`)).quote_id;
    }

    /** Every second one with an Idempotency-Key. What is refused is quoted anew. */
    async #trade(trade, i) {
        let quote = await this.quotes?.[i] ?? await this.#quote(trade, i);
        for (;;) {
            const answer = await this.ask('POST', '/swap/execute', { quote_id: quote }, i % 2 === 0 ? undefined : quote);
            const { swap_id: id } = answer.body;
            if (id !== undefined) return this.accepted.push(id);
            assert.ok(answer.status === 400, show(answer));
            await pause(200);
            quote = await this.#quote(trade, i);
        }
    }

    /** All trades, so many at a time, with a rest after each. */
    async execute(atOnce = this.trades.length, restMs = 0) {
        const rest = this.trades.map((trade, i) => [trade, i]);
        await Promise.all(Array.from({ length: atOnce }, async () => {
            while (rest.length > 0) {
                await this.#trade(...rest.shift());
                await pause(restMs);
            }
        }));
    }

    async ended() {
        for (const id of this.accepted) await until(`swap ${id} to end`, async () => isFinal(await this.#status(id)), PATIENCE_MS);
    }

    /** Until each swap is final and each event delivered. */
    async follow() {
        await this.ended();
        await until('all events to be delivered', () => this.#allHeard(), PATIENCE_MS);
    }

    /** Until the chains are so far that nothing of it can change any more. */
    async settle() {
        for (const chain of this.chains) await rpc(chain, 'anvil_mine', [SETTLE_BLOCKS, '0x0']);
        const open = `in_flight IN (1, 3) AND id IN (${this.#ids()})`;
        await sql(`UPDATE bridges SET next_ask_at = UTC_TIMESTAMP(3) WHERE execution_id IN (${this.#ids()});`
            + ` UPDATE executions SET due_at = UTC_TIMESTAMP(3) WHERE ${open}`);
        await until('the chains to be deep enough', async () => await sql(`SELECT COUNT(*) FROM executions WHERE ${open}`) === '0', PATIENCE_MS);
        // Nothing of the wallet's stays reserved.
        assert.equal(await sql(`SELECT COUNT(*) FROM transactions WHERE state IN (1, 2) AND execution_id IN (${this.#ids()})`), '0');
    }

    async #status(id) {
        return granted(await this.ask('GET', `/swap/status/${id}`));
    }

    async statuses() {
        return Promise.all(this.accepted.map(async (id) => (await this.#status(id)).status));
    }

    /** Of how many failures the agent heard that they are none. */
    corrections() {
        return [...this.heard.values()].filter(({ type, data }) => type === 'swap.completed' && data.corrected === true).length;
    }

    #ids() {
        return [0, ...this.accepted].join();
    }

    /** What was promised: an event for each move into a final status. */
    async #due() {
        return Number(await sql(`SELECT COUNT(*) FROM execution_history WHERE to_status IN (4, 5) AND execution_id IN (${this.#ids()})`));
    }

    async #allHeard() {
        return await this.total('/webhooks?limit=1&status=delivered') === await this.#due();
    }

    // ---------------------------------------------------------------- the books

    /** What became of it all. `wrong` says where answers, records, events and the chain disagree. */
    async audit() {
        const swaps = await Promise.all(this.accepted.map((id) => this.#status(id)));
        const count = (fits) => swaps.filter(fits).length;
        const chain = await this.#onChain(swaps);
        const events = await this.#eventsHeard(swaps);
        const extra = await this.total('/swaps?limit=1') - new Set(this.accepted).size;
        return {
            accepted: this.accepted.length,
            completed: count(({ status }) => status === 'completed'),
            failed: count(({ status }) => status === 'failed'),
            transactions: chain.mined.length,
            duplicates: extra + chain.duplicates,
            lost: count((swap) => !isFinal(swap)) + this.accepted.length - new Set(this.accepted).size,
            due: events.due,
            delivered: events.delivered,
            wrong: [...chain.wrong, ...events.wrong, ...await this.#money(swaps, chain.mined)],
        };
    }

    /** Each nonce is one transaction of ours, and each completed swap one that succeeded. */
    async #onChain(swaps) {
        const ours = swaps.flatMap((swap) => swap.transactions.filter(({ kind }) => kind !== 'bridge_out').map((each) => ({ swap, ...each })));
        const found = await Promise.all(ours.map(async ({ swap, chain, kind, tx_hash: hash }) => ({
            swap, chain, kind, hash, receipt: await rpc(chain, 'eth_getTransactionReceipt', [hash]), tx: await rpc(chain, 'eth_getTransactionByHash', [hash]),
        })));
        const mined = found.filter(({ receipt }) => receipt !== null);
        const succeeded = (swap) => mined.filter((each) => each.swap === swap && SPENDS.includes(each.kind) && each.receipt.status === '0x1');
        const wrong = [];
        for (const chain of this.chains) {
            const nonces = mined.filter((each) => each.chain === chain).map(({ tx }) => Number(tx.nonce));
            const [latest, pending] = [await nonceOf(chain, this.address), await nonceOf(chain, this.address, 'pending')];
            if (new Set(nonces).size !== nonces.length || nonces.length + this.foreign.length !== latest || pending !== latest) {
                wrong.push(`nonces ${nonces.sort((a, b) => a - b).join()} of ${latest} on ${chain}, ${pending} pending, ${this.foreign.length} foreign`);
            }
        }
        for (const swap of swaps) {
            const [one] = succeeded(swap);
            const spent = swap.status === 'completed' || swap.error_code === PAID_BACK;
            if (spent !== (one !== undefined)) wrong.push(`swap ${swap.swap_id} is ${swap.status}`);
            if (one !== undefined && swap.tx_hash !== one.hash) wrong.push(`swap ${swap.swap_id} shows another transaction`);
        }
        const duplicates = swaps.reduce((n, swap) => n + Math.max(0, succeeded(swap).length - 1), 0);
        return { mined, duplicates, wrong };
    }

    async #eventsHeard(swaps) {
        const events = [...this.heard.values()];
        const due = await this.#due();
        const wrong = swaps.filter(({ swap_id: id, status }) => (
            !events.some(({ type, data }) => data.swap_id === id && type === `swap.${status}` && data.status === status)))
            .map(({ swap_id: id, status }) => `no event says that swap ${id} is ${status}`);
        wrong.push(...this.unheard);
        const recorded = await this.total('/webhooks?limit=1');
        if (recorded !== due) wrong.push(`${recorded} events for ${due} moves`);
        return { due, delivered: events.length, wrong };
    }

    /** Every unit is accounted for, and nobody is allowed to take any. */
    async #money(swaps, mined) {
        const wrong = [];
        const due = new Map();
        const move = (chain, symbol, amount) => due.set(`${chain} ${symbol}`, (due.get(`${chain} ${symbol}`) ?? 0n) + amount);
        for (const [chain, symbol, amount] of this.#endowment()) move(chain, symbol, units(chain, symbol, amount));
        for (const { chain, hash } of [...mined, ...this.foreign.map((hash) => ({ chain: CHAIN, hash }))]) move(chain, 'ETH', -await feesPaid(chain, [hash]));
        for (const swap of swaps.filter(({ status }) => status === 'completed')) {
            move(swap.from_chain, swap.from_token, -units(swap.from_chain, swap.from_token, swap.from_amount));
            move(swap.to_chain, swap.to_token, units(swap.to_chain, swap.to_token, swap.to_amount));
        }
        for (const [chain, symbol] of this.#endowment()) {
            const [has, wanted] = [await balance(chain, this.address, symbol), due.get(`${chain} ${symbol}`)];
            if (has !== wanted) wrong.push(`${has} units of ${symbol} on ${chain} instead of ${wanted}`);
            if (symbol === 'ETH') continue;
            for (const router of [...routers(chain), ROUTERS.relay[chain]]) {
                const left = await erc20(chain, symbol).allowance(this.address, router);
                if (left !== 0n) wrong.push(`${router} may take ${left}`);
            }
        }
        const { agent } = granted(await this.ask('GET', '/me'));
        const completed = swaps.filter(({ status }) => status === 'completed').length;
        if (agent.stats.total_swaps !== completed) wrong.push(`${agent.stats.total_swaps} swaps counted, ${completed} completed`);
        return wrong;
    }

    // ---------------------------------------------------------------- what troubles ask for

    /** Hashes of the swaps' transactions, of one kind where it is given. */
    async transactions(...kinds) {
        return (await Promise.all(this.accepted.map((id) => this.#status(id)))).flatMap((swap) => (kinds.length === 0 ? hashes(swap) : kinds.flatMap((kind) => hashes(swap, kind))));
    }

    /** Waits until a node has taken all swaps. */
    taken() {
        return until('the node to take all swaps', async () => (
            await sql(`SELECT COUNT(*) FROM executions WHERE tx_hash IS NULL AND id IN (${this.#ids()})`) === '0'), PATIENCE_MS);
    }
}
