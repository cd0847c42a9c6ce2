// The main job, as an agent goes through it: register, wallet, funds, quotes, executions, following the swaps to their
// ends, webhooks. The agent does what agents do: it asks again when it gets no answer. Afterwards the books are audited.

import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import { granted, show, until } from '../api/lib.mjs';
import {
    balance, erc20, feesPaid, fund, give, nonceOf, routers, rpc, units,
} from '../api/chain.mjs';
import { hashes, sql } from '../jobs/lib.mjs';
import { PATIENCE_MS, PatientAgent } from './agent.mjs';

export const CHAIN = 'base';
export const PLAIN = [['ETH', 'DAI', '0.1'], ['DAI', 'ETH', '50']];

const COINS = '10';
const DAI = '5000';
const SETTLE_BLOCKS = '0x6';
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
    constructor({ trades = PLAIN } = {}) {
        super();
        this.trades = trades;
        this.accepted = [];
        this.foreign = []; // transactions that somebody else sends from the wallet
    }

    // ---------------------------------------------------------------- what the agent does

    async prepare() {
        await this.register();
        await fund(CHAIN, this.address, COINS);
        await give(CHAIN, this.address, 'DAI', DAI);
        if (this.trades.length <= PLAIN.length) this.quotes = await Promise.all(this.trades.map((trade, i) => this.#quote(trade, i)));
    }

    async #quote([from_token, to_token, amount], i) {
        const json = { from_token, to_token, amount, chain: CHAIN };
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

    /** Until the chain is so far that nothing of it can change any more. */
    async settle() {
        await rpc(CHAIN, 'anvil_mine', [SETTLE_BLOCKS, '0x0']);
        await sql(`UPDATE executions SET due_at = UTC_TIMESTAMP(3) WHERE in_flight = 1 AND id IN (${this.#ids()})`);
        await until('the chain to be deep enough', async () => (
            await sql(`SELECT COUNT(*) FROM executions WHERE in_flight = 1 AND id IN (${this.#ids()})`) === '0'), PATIENCE_MS);
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
            transactions: chain.mined,
            duplicates: extra + chain.duplicates,
            lost: count((swap) => !isFinal(swap)) + this.accepted.length - new Set(this.accepted).size,
            due: events.due,
            delivered: events.delivered,
            wrong: [...chain.wrong, ...events.wrong, ...await this.#money(swaps, chain.hashes)],
        };
    }

    /** Each nonce is one transaction of ours, and each completed swap one that succeeded. */
    async #onChain(swaps) {
        const found = await Promise.all(swaps.flatMap((swap) => swap.transactions.map(async ({ kind, tx_hash: hash }) => ({
            swap, kind, hash, receipt: await rpc(CHAIN, 'eth_getTransactionReceipt', [hash]), tx: await rpc(CHAIN, 'eth_getTransactionByHash', [hash]),
        }))));
        const mined = found.filter(({ receipt }) => receipt !== null);
        const succeeded = (swap) => mined.filter((each) => each.swap === swap && each.kind === 'swap' && each.receipt.status === '0x1');
        const wrong = [];
        const nonces = mined.map(({ tx }) => Number(tx.nonce));
        const [latest, pending] = [await nonceOf(CHAIN, this.address), await nonceOf(CHAIN, this.address, 'pending')];
        if (new Set(nonces).size !== nonces.length || nonces.length + this.foreign.length !== latest || pending !== latest) {
            wrong.push(`nonces ${nonces.sort((a, b) => a - b).join()} of ${latest}, ${pending} pending, ${this.foreign.length} foreign`);
        }
        for (const swap of swaps) {
            const [one] = succeeded(swap);
            if ((swap.status === 'completed') !== (one !== undefined)) wrong.push(`swap ${swap.swap_id} is ${swap.status}`);
            if (one !== undefined && swap.tx_hash !== one.hash) wrong.push(`swap ${swap.swap_id} shows another transaction`);
        }
        const duplicates = swaps.reduce((n, swap) => n + Math.max(0, succeeded(swap).length - 1), 0);
        return { mined: mined.length, hashes: mined.map(({ hash }) => hash), duplicates, wrong };
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
        let coins = units(CHAIN, 'ETH', COINS) - await feesPaid(CHAIN, [...mined, ...this.foreign]);
        let tokens = units(CHAIN, 'DAI', DAI);
        for (const swap of swaps.filter(({ status }) => status === 'completed')) {
            const [gave, got] = [units(CHAIN, swap.from_token, swap.from_amount), units(CHAIN, swap.to_token, swap.to_amount)];
            coins += swap.from_token === 'ETH' ? -gave : got;
            tokens += swap.from_token === 'ETH' ? got : -gave;
        }
        const [hasCoins, hasTokens] = [await balance(CHAIN, this.address, 'ETH'), await balance(CHAIN, this.address, 'DAI')];
        if (hasCoins !== coins) wrong.push(`${hasCoins} wei instead of ${coins}`);
        if (hasTokens !== tokens) wrong.push(`${hasTokens} DAI units instead of ${tokens}`);
        for (const router of routers(CHAIN)) {
            const left = await erc20(CHAIN, 'DAI').allowance(this.address, router);
            if (left !== 0n) wrong.push(`${router} may take ${left}`);
        }
        const { agent } = granted(await this.ask('GET', '/me'));
        const completed = swaps.filter(({ status }) => status === 'completed').length;
        if (agent.stats.total_swaps !== completed) wrong.push(`${agent.stats.total_swaps} swaps counted, ${completed} completed`);
        return wrong;
    }

    // ---------------------------------------------------------------- what troubles ask for

    /** Hashes of the swaps' transactions, of one kind where it is given. */
    async transactions(kind) {
        return (await Promise.all(this.accepted.map((id) => this.#status(id)))).flatMap((swap) => hashes(swap, kind));
    }

    /** Waits until a node has taken all swaps. */
    taken() {
        return until('the node to take all swaps', async () => (
            await sql(`SELECT COUNT(*) FROM executions WHERE tx_hash IS NULL AND id IN (${this.#ids()})`) === '0'), PATIENCE_MS);
    }
}
